"""Makes puzzles: positions of bots' games that ask something, proved, and kept only if they are worth solving.

A puzzle is kept if its deciding step is the same in all accepted answers, beats everything else by a margin, is not
what greed would do, and shows a theme. One seed is one game; finished puzzles are written at once, and games that are
done are remembered beside the file, so that a run can be stopped and goes on where it was.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count as numbers
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from aquakit.core.options import read_whole, show
from aquakit.core.tomlfile import Table
from aquakit.errors import AquakitError, InvalidOption, ProofFailure
from aquakit.puzzle.answers import shared_tokens
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.making.author import Made, fill_in
from aquakit.puzzle.making.likeness import are_alike
from aquakit.puzzle.making.sources import places
from aquakit.puzzle.model import Answer, Proof, Puzzle, PuzzleSet
from aquakit.puzzle.protocol import Place
from aquakit.puzzle.texts import find_title
from aquakit.puzzle.themes import all_themes, find_themes
from aquakit.work.executors import find_executor
from aquakit.work.journal import Form, Journal
from aquakit.work.progress import show_progress
from aquakit.work.spread import spread

PER_GAME = 2
"""So many puzzles come from one game at most, so that no game is seen too often."""
SLOW = 12.0
"""A proof that takes so many seconds would be a burden whenever a collection is checked."""
MOST_PUZZLES = 10_000


@dataclass
class Harvest:
    """What came of one game."""

    kind: str
    seed: int
    made: list[Made] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    """How many candidates there were, and what became of them."""


# One game


def search_game(kind: str, seed: int, layouts: Sequence[str] = (), themes: Sequence[str] = ()) -> Harvest:
    """Plays the game of a seed and makes puzzles of it; the seed also chooses the layout."""
    asking, found = find_kind(kind), Harvest(kind, seed)
    boards = layouts or asking.layouts()
    layout, draw = boards[seed % len(boards)], random.Random(f"{kind} {seed}")
    chosen = list(places(layout, seed // len(boards)))
    draw.shuffle(chosen)
    for place in chosen:
        for asked in asking.ask(place, draw):
            found.tally["candidates"] += 1
            made = examine(asked, place, themes, found.tally)
            if made is not None:
                found.tally["passed"] += 1
                found.made.append(made)
        if len(found.made) >= PER_GAME:
            break
    return found


def examine(asked: Puzzle, place: Place, themes: Sequence[str], tally: Counter[str]) -> Made | None:
    """Proves a candidate and writes it out, if it is worth solving; notes why not otherwise."""
    begun = time.perf_counter()
    try:
        proof = find_kind(asked.kind).prove(asked)
    except ProofFailure:
        raise
    except AquakitError:
        tally["not proved"] += 1
        return None
    if time.perf_counter() - begun > SLOW:
        tally["slow"] += 1
        return None
    puzzle = asked.model_copy(update={"value": proof.value})
    fault = find_fault(puzzle, proof)
    if fault:
        tally[fault] += 1
        return None
    try:
        shown = find_themes(puzzle, proof)
    except ProofFailure:
        raise
    except AquakitError:  # a theme may ask more than can be looked at
        tally["not proved"] += 1
        return None
    if not shown or (themes and not shown.intersection(themes)):
        tally["no theme"] += 1
        return None
    return write_out(puzzle, proof, place, shown)


def find_fault(puzzle: Puzzle, proof: Proof) -> str:
    """Says in a word why a proved puzzle is not worth solving, or nothing."""
    kind = find_kind(puzzle.kind)
    if len(proof.note.witnesses) < kind.witnesses:
        return "one proof"
    if proof.margin is None or proof.margin < kind.least_margin:
        return "margin"
    if len(proof.accepted) > kind.most_answers or (kind.shares_step and not shared_tokens(proof)):
        return "answers"
    if any(kind.accepts(puzzle, attempt, proof.accepted) for attempt in kind.find_obvious(puzzle)):
        return "obvious"
    return ""


def write_out(puzzle: Puzzle, proof: Proof, place: Place, themes: frozenset[str]) -> Made:
    """Adds to a proved puzzle all that people read."""
    name = f"{puzzle.kind}-{puzzle.position.split()[0]}-{place.seed}-{place.turn}-{puzzle.horizon}"
    return fill_in(puzzle, proof, themes, {"id": name, "source": place.source})


# Many games


class SeedsHead(Table):
    """Says what a file of searched games is."""

    form: Literal["aquakit seeds 1"] = "aquakit seeds 1"


class Searched(Table):
    """A game that was searched, and for what."""

    kind: str
    seed: Annotated[int, Field(ge=0)]
    layouts: tuple[str, ...]
    themes: tuple[str, ...]


SEEDS = Form("search", "game", SeedsHead, Searched, lambda line: (line.kind, line.seed, line.layouts, line.themes))


class MadeFile:
    """The file in which finished puzzles are kept, and the games that were searched, in a file beside it."""

    def __init__(self, path: Path | None, kind: str, layouts: Sequence[str] = (), themes: Sequence[str] = ()) -> None:
        self.path, self._kind = path, kind
        self._asked = tuple(layouts), tuple(themes)
        self.made: list[Made] = []
        if path is not None and path.exists():
            known = PuzzleSet.load(path)
            self.made = [(puzzle, known.answer(puzzle)) for puzzle in known.puzzles]
        notes = None if path is None else path.with_name(f"{path.name}.seeds.jsonl")
        self._done = Journal(SEEDS, SeedsHead(), notes)

    def __len__(self) -> int:
        """Counts the puzzles of the kind that are there."""
        return sum(puzzle.kind == self._kind for puzzle, _ in self.made)

    def is_done(self, seed: int) -> bool:
        """Checks whether a seed's game was searched before, for the same."""
        return (self._kind, seed, *self._asked) in self._done

    def add(self, puzzle: Puzzle, answer: Answer) -> Puzzle | None:
        """Keeps a puzzle, with a title of its own; gets it, or nothing if one like it is there already."""
        for known, other in self.made:
            if known.id == puzzle.id or are_alike(known, other.accepted, puzzle, answer.accepted):
                return None
        titles = {known.title for known, _ in self.made}
        if puzzle.title in titles:
            puzzle = puzzle.model_copy(update={"title": find_title(puzzle, puzzle.themes, titles)})
        self.made.append((puzzle, answer))
        if self.path is not None:
            name = self.path.stem
            PuzzleSet.make(name, name, "Puzzles made by aquakit, not chosen yet.", self.made).save(self.path)
        return puzzle

    def note(self, seed: int) -> None:
        """Remembers that a seed's game was searched."""
        layouts, themes = self._asked
        self._done.add(Searched(kind=self._kind, seed=seed, layouts=layouts, themes=themes))

    def close(self) -> None:
        """Closes the file of searched games."""
        self._done.close()


def make(
    kind: str,
    count: int,
    seed: int = 0,
    *,
    path: str | Path | None = None,
    layouts: Sequence[str] = (),
    themes: Sequence[str] = (),
    executor: Executor | None = None,
    progress: bool = False,
    tally: Counter[str] | None = None,
) -> Generator[Made, None, None]:
    """Makes puzzles of a kind from games with the given seed and those after it, until there are so many.

    With a path each is added to that file as soon as it is finished, those that are there count, and the same call,
    begun again after a stop, goes on: games that were searched are not searched again. `layouts` and `themes` ask for
    some only. `tally` is told how many candidates there were and what became of them. Games are searched in
    processes, one a core, or in any executor; the puzzles are the same.
    """
    _check(kind, count, seed, layouts, themes)
    work = MadeFile(None if path is None else Path(path), kind, layouts, themes)
    told = Counter[str]() if tally is None else tally
    seeds = (number for number in numbers(seed) if not work.is_done(number))

    def run() -> Generator[Made, None, None]:
        search = partial(search_game, kind, layouts=tuple(layouts), themes=tuple(themes))
        with ExitStack() as stack:
            stack.callback(work.close)
            if len(work) >= count:
                return
            bar = stack.enter_context(show_progress(count, len(work), "puzzle", shown=progress))
            pool = stack.enter_context(find_executor(executor))
            for number, harvest in stack.enter_context(closing(spread(pool, search, seeds, in_order=True))):
                told.update(harvest.tally)
                for made in _keep(work, harvest, told):
                    bar.update()
                    yield made
                    if len(work) >= count:
                        return
                work.note(number)
                bar.set_postfix_str(f"{told['candidates']} candidates")

    return run()


def _keep(work: MadeFile, harvest: Harvest, tally: Counter[str]) -> Iterator[Made]:
    """Keeps what a game brought, but for what is there already."""
    for puzzle, answer in harvest.made:
        kept = work.add(puzzle, answer)
        if kept is None:
            tally["alike"] += 1
        else:
            yield kept, answer


def _check(kind: str, count: int, seed: int, layouts: Sequence[str], themes: Sequence[str]) -> None:
    find_kind(kind)
    read_whole("count", count, least=1, most=MOST_PUZZLES)
    read_whole("seed", seed, most=2**32)
    for layout in layouts:
        known = find_kind(kind).layouts()
        if layout not in known:
            raise InvalidOption("layout", show(layout), f"for {kind} one of {', '.join(known)}")
    for theme in themes:
        if theme not in all_themes():
            raise InvalidOption("theme", show(theme), "one of those that `aquakit puzzle list --stats` shows")


def say_tally(tally: Counter[str]) -> str:
    """Says how many candidates there were and what became of them."""
    return ", ".join(f"{number} {what}" for what, number in tally.most_common())
