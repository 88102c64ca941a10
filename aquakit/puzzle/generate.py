"""Makes puzzles: positions of bots' games that ask something, proved, and kept only if they are worth solving.

A puzzle is kept if its deciding step is the same in all accepted answers, beats everything else by a margin, is not
what greed would do, and shows a theme. One seed is one game; finished puzzles are written at once, and games that are
done are remembered beside the file, so that a run can be stopped and goes on where it was.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count as numbers
from itertools import islice
from pathlib import Path
from typing import Any

from aquakit.core.files import write_atomically
from aquakit.core.options import read_whole, show
from aquakit.engine.matches.match import processes
from aquakit.engine.solve import solve
from aquakit.errors import AquakitError, InvalidOption
from aquakit.puzzle.author import Made, fill_in
from aquakit.puzzle.difficulty import find_obvious, is_right, try_greedily
from aquakit.puzzle.kinds import NAMES, Proof, find_kind
from aquakit.puzzle.model import Answer, Puzzle, PuzzleError, PuzzleSet
from aquakit.puzzle.sources import Place, are_alike, places
from aquakit.puzzle.texts import find_title, shared_tokens
from aquakit.puzzle.themes import THEMES, find_themes

WORKERS = 2
"""Processes that make puzzles side by side."""
PER_GAME = 2
"""So many puzzles come from one game at most, so that no game is seen too often."""
MOST_ANSWERS = 3
"""So many accepted answers are still easy to tell."""
QUICK = 2.0
"""So many seconds a first look at a candidate may take; what takes longer would be slow to prove again."""
SLOW = 12.0
"""A proof that takes so many seconds would be a burden whenever a collection is checked."""
MOST = 10_000

ROMANA2 = ("romana2-5x4", "romana2-7x6", "romana2")
ROMANA = (*ROMANA2, "romana3", "romana4")
AQUADUKT = ("aquadukt2-6x5", "aquadukt2", "aquadukt3", "aquadukt4")


@dataclass(frozen=True)
class Recipe:
    """How puzzles of a kind are found."""

    layouts: tuple[str, ...]
    margin: Fraction
    """The least by which the best must beat everything else."""
    ask: Callable[[Place, random.Random], Iterator[Puzzle]]
    """Makes candidates of a place in a game, not yet proved."""


@dataclass
class Harvest:
    """What came of one game."""

    kind: str
    seed: int
    made: list[Made] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    """How many candidates there were, and what became of them."""


# Candidates


def ask_plan(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks for a plan of two to four turns of the player to move, if it is found soon and greed begins another one."""
    from aquakit.romana.planner.plan.plan import plan

    position: Any = place.position
    study = position.solo(position.mover)
    turns = draw.choice((2, 3, 4) if position.layout.columns == SMALL else (2, 3))
    found = plan(study, turns=turns, method="search", seconds=QUICK)
    if not found.proved or len(found.alternatives(method="search", seconds=QUICK)) > MOST_ANSWERS:
        return
    greedy = [plan(study, turns=turns, method="search", first=turn) for turn in set(try_greedily(study))]
    if all(other.points != found.points for other in greedy):
        yield Puzzle.draft("plan", str(study), turns)


SMALL = 5
"""The columns of the smallest board."""


def ask_duel(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks for the best turn of two to five, if the exact search finds it soon."""
    turns = draw.choice({5: (3, 4, 5), 7: (2, 3, 4)}.get(place.position.layout.columns, (2, 3)))
    found = solve(place.position, turns=turns, seconds=QUICK)
    if found.proved and _agree([[str(action) for action in turn] for turn in found.turns]):
        yield Puzzle.draft("duel", str(place.position), turns)


def ask_endgame(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks for the best turn of the game's last ones, if the exact search comes to its end soon."""
    if place.turns - place.turn > LAST_TURNS.get(place.position.layout.columns, 5):
        return
    found = solve(place.position, seconds=QUICK / 2)
    if found.proved and _agree([[str(action) for action in turn] for turn in found.turns]):
        yield Puzzle.draft("endgame", str(place.position), 0)


LAST_TURNS = {5: 12, 7: 7}
"""So many turns before the end, by the board's columns, some games can be searched to their end soon."""


def _agree(turns: Sequence[Sequence[str]]) -> bool:
    """Checks whether all best turns have some step in common."""
    return bool(set(turns[0]).intersection(*turns[1:]))


def ask_longest(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks for the longest way of an open aqueduct, if that is found soon and takes some tiles, but not too many."""
    from aquakit.romana.planner.longest.longest import longest

    position: Any = place.position
    name = draw.choice([a.name for a in position.aqueducts if a.open])
    reach = position.graph().reach(name)
    if not FEWEST_TILES <= len(reach.squares) <= MOST_SQUARES:
        return
    found = longest(position, aqueduct=name, seconds=QUICK)
    if found.proved and FEWEST_TILES <= len(found.tiles) <= MOST_TILES:
        yield Puzzle.draft("longest", str(position), 0, {"aqueduct": name})


FEWEST_TILES, MOST_TILES, MOST_SQUARES = 3, 14, 24


def ask_timing(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks when to close what, if all goes on as in one playout from here, which is what is announced."""
    from aquakit.romana.planner.timing.entries import frame_case, is_walled
    from aquakit.romana.planner.timing.forecast import forecast

    position: Any = place.position
    rounds = draw.choice((3, 4, 5))
    case = frame_case(position, None, rounds)
    if len(case.mine) < 2 or place.phase == "early":
        return
    course = forecast(position, rounds=rounds, playouts=1, seed=draw.getrandbits(32), fast=False).scenarios[0]
    growth = dict[str, Any]()
    for a, way in course.courses.items():
        if is_walled(case, a) or way.final == case.state.length[case.state.tip[a]]:
            continue
        lengths = list(way.lengths)
        if way.ends is None:
            growth[case.name(a)] = lengths
        else:
            end = case.round_of(way.ends)
            growth[case.name(a)] = {"lengths": lengths[:end], "ends": end, "by": case.mover(way.ends) + 1}
    rivals = {case.name(a): number for a, number in course.closings.items() if a not in case.mine}
    if growth:
        yield Puzzle.draft("timing", str(position), rounds, {"growth": growth, "rivals": rivals})


def ask_canals(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks for two to four canals, of which the greedy would lay others."""
    from aquakit.aquadukt.puzzles.canals import candidate

    found = candidate(place.position, draw.choice((2, 3, 3, 4, 4)), alone=draw.random() < ALONE)  # type: ignore[arg-type]
    if found is not None:
        yield found


ALONE = 0.3
"""So often only the own houses count."""


def ask_house(place: Place, draw: random.Random) -> Iterator[Puzzle]:
    """Asks what to build after the rolls of the turn, and after one more where the turn may go on."""
    from aquakit.aquadukt.puzzles.house import candidate

    for moment in _rolls(place, draw):
        if moment.rolls > 1 or len(moment.layout.regions) < MANY_REGIONS:
            found = candidate(moment, draw.choice((1, 2, 2, 3)))
            if found is not None:
                yield found


MANY_REGIONS = 10
"""Where so many regions can be rolled, a turn's first roll opens too much to be looked at by a person."""


def _rolls(place: Place, draw: random.Random) -> Iterator[Any]:
    """Goes through the moments after each roll of the turn, and after a further one if the bot stopped before it."""
    moment: Any = place.position
    for token in place.made.split(", "):
        if token == "stop" and moment.phase == "again":
            moment = moment.act("roll")
            yield moment.act(draw.choice(moment.actions()))
        if token == "stop":
            return
        moment = moment.act(token)
        if token.startswith("die "):
            yield moment


RECIPES = {
    "plan": Recipe(ROMANA, Fraction(1), ask_plan),
    "timing": Recipe(ROMANA, Fraction(1), ask_timing),
    "longest": Recipe(ROMANA, Fraction(1), ask_longest),
    "duel": Recipe(ROMANA2, Fraction(2), ask_duel),
    "endgame": Recipe(ROMANA, Fraction(1), ask_endgame),
    "canals": Recipe(AQUADUKT, Fraction(1), ask_canals),
    "house": Recipe(AQUADUKT, Fraction(1, 4), ask_house),
}


# One game


def search_game(kind: str, seed: int, layouts: Sequence[str] = (), themes: Sequence[str] = ()) -> Harvest:
    """Plays the game of a seed and makes puzzles of it; the seed also chooses the layout."""
    recipe, found = RECIPES[kind], Harvest(kind, seed)
    boards = layouts or recipe.layouts
    layout, draw = boards[seed % len(boards)], random.Random(f"{kind} {seed}")
    chosen = list(places(layout, seed // len(boards)))
    draw.shuffle(chosen)
    for place in chosen:
        for asked in recipe.ask(place, draw):
            found.tally["candidates"] += 1
            made = examine(asked, place, recipe, themes, found.tally)
            if made is not None:
                found.tally["passed"] += 1
                found.made.append(made)
        if len(found.made) >= PER_GAME:
            break
    return found


def examine(asked: Puzzle, place: Place, recipe: Recipe, themes: Sequence[str], tally: Counter[str]) -> Made | None:
    """Proves a candidate and writes it out, if it is worth solving; notes why not otherwise."""
    begun = time.perf_counter()
    try:
        proof = find_kind(asked.kind).prove(asked)
    except AquakitError:
        tally["not proved"] += 1
        return None
    if time.perf_counter() - begun > SLOW:
        tally["slow"] += 1
        return None
    puzzle = asked.model_copy(update={"value": proof.value})
    fault = find_fault(puzzle, proof, recipe)
    if fault:
        tally[fault] += 1
        return None
    try:
        shown = find_themes(puzzle, proof)
    except AquakitError:  # a theme may ask more than can be looked at
        tally["not proved"] += 1
        return None
    if not shown or (themes and not shown.intersection(themes)):
        tally["no theme"] += 1
        return None
    return write_out(puzzle, proof, place, shown)


def find_fault(puzzle: Puzzle, proof: Proof, recipe: Recipe) -> str:
    """Says in a word why a proved puzzle is not worth solving, or nothing."""
    if proof.margin is None or proof.margin < recipe.margin:
        return "margin"
    if len(proof.accepted) > (1 if puzzle.kind in ("canals", "house") else MOST_ANSWERS):
        return "answers"
    if puzzle.kind in TURNS and not shared_tokens(proof):
        return "answers"
    if any(is_right(puzzle, proof, attempt) for attempt in find_obvious(puzzle)):
        return "obvious"
    return ""


TURNS = ("plan", "duel", "endgame", "timing")
"""The kinds whose answers are made of tokens that decide."""


def write_out(puzzle: Puzzle, proof: Proof, place: Place, themes: frozenset[str]) -> Made:
    """Adds to a proved puzzle all that people read."""
    name = f"{puzzle.kind}-{puzzle.position.split()[0]}-{place.seed}-{place.turn}-{puzzle.horizon}"
    return fill_in(puzzle, proof, themes, {"id": name, "source": place.source})


# Many games


class Work:
    """The file in which finished puzzles are kept, and the seeds that are done, in a file beside it."""

    def __init__(self, path: Path | None, kind: str) -> None:
        self.path, self._kind = path, kind
        self.made: list[Made] = []
        self._done: dict[str, list[int]] = {}
        if path is not None and path.exists():
            known = PuzzleSet.load(path)
            self.made = [(puzzle, known.answer(puzzle)) for puzzle in known.puzzles]
        if path is not None and self._notes.exists():
            self._done = self._read_notes()

    @property
    def _notes(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f"{self.path.name}.seeds.json")

    def _read_notes(self) -> dict[str, list[int]]:
        """Reads which seeds are done."""
        try:
            noted = json.loads(self._notes.read_text("utf-8"))
            return {str(kind): [int(seed) for seed in seeds] for kind, seeds in noted.items()}
        except (OSError, ValueError, TypeError, AttributeError) as problem:
            expected = "the seeds that aquakit noted; without this file all games are searched again"
            raise PuzzleError(str(self._notes), f"cannot be read: {problem}", expected) from None

    def __len__(self) -> int:
        """Counts the puzzles of the kind that are there."""
        return sum(puzzle.kind == self._kind for puzzle, _ in self.made)

    def is_done(self, seed: int) -> bool:
        """Checks whether a seed's game was searched before."""
        return seed in self._done.get(self._kind, [])

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
        self._done.setdefault(self._kind, []).append(seed)
        if self.path is not None:
            write_atomically(self._notes, json.dumps(self._done))


def make(
    kind: str,
    count: int,
    seed: int = 0,
    *,
    path: str | Path | None = None,
    layouts: Sequence[str] = (),
    themes: Sequence[str] = (),
    workers: int = WORKERS,
    progress: bool = False,
    tally: Counter[str] | None = None,
) -> Generator[Made, None, None]:
    """Makes puzzles of a kind from games with the given seed and those after it, until there are so many.

    With a path each is added to that file as soon as it is finished, those that are there count, and the same call,
    begun again after a stop, goes on: games that were searched are not searched again. `layouts` and `themes` ask for
    some only. `tally` is told how many candidates there were and what became of them.
    """
    _check(kind, count, seed, layouts, themes)
    work, told = Work(None if path is None else Path(path), kind), Counter[str]() if tally is None else tally
    seeds = (number for number in numbers(seed) if not work.is_done(number))

    def run() -> Generator[Made, None, None]:
        if len(work) >= count:
            return
        with ExitStack() as stack:
            bar = stack.enter_context(_bar(count, len(work), shown=progress))
            for harvest in _search(kind, seeds, layouts, themes, workers, stack):
                told.update(harvest.tally)
                for made in _keep(work, harvest, told):
                    bar.update()
                    yield made
                    if len(work) >= count:
                        return
                work.note(harvest.seed)
                bar.set_postfix_str(f"{told['candidates']} candidates")

    return run()


def _keep(work: Work, harvest: Harvest, tally: Counter[str]) -> Iterator[Made]:
    """Keeps what a game brought, but for what is there already."""
    for puzzle, answer in harvest.made:
        kept = work.add(puzzle, answer)
        if kept is None:
            tally["alike"] += 1
        else:
            yield kept, answer


def _check(kind: str, count: int, seed: int, layouts: Sequence[str], themes: Sequence[str]) -> None:
    if kind not in NAMES:
        raise InvalidOption("kind", show(kind), f"one of {', '.join(NAMES)}")
    read_whole("count", count, least=1, most=MOST)
    read_whole("seed", seed, most=2**32)
    for layout in layouts:
        if layout not in RECIPES[kind].layouts:
            raise InvalidOption("layout", show(layout), f"for {kind} one of {', '.join(RECIPES[kind].layouts)}")
    for theme in themes:
        if theme not in THEMES:
            raise InvalidOption("theme", show(theme), "one of those that `aquakit puzzle list --stats` shows")


def _search(
    kind: str, seeds: Iterator[int], layouts: Sequence[str], themes: Sequence[str], workers: int, stack: ExitStack
) -> Iterator[Harvest]:
    """Searches games side by side; what they bring comes in the order of the seeds."""
    if workers == 1:
        yield from (search_game(kind, seed, layouts, themes) for seed in seeds)
        return
    pool = stack.enter_context(processes(workers))
    waiting: deque[Future[Harvest]] = deque()
    while True:
        for seed in islice(seeds, 2 * workers - len(waiting)):
            waiting.append(pool.submit(search_game, kind, seed, layouts, themes))
        yield waiting.popleft().result()


def _bar(total: int, done: int, *, shown: bool) -> Any:
    from tqdm.auto import tqdm

    return tqdm(total=total, initial=done, unit="puzzle", disable=not shown)


def say_tally(tally: Counter[str]) -> str:
    """Says how many candidates there were and what became of them."""
    return ", ".join(f"{number} {what}" for what, number in tally.most_common())
