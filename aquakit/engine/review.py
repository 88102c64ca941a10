"""Reviews whole games: what each turn cost against the best one, the biggest mistakes, and puzzles made of them."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any, Self

from aquakit.core.files import write_atomically
from aquakit.core.options import read_whole, show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Record
from aquakit.core.words import count
from aquakit.drawing.svg import COLOURS
from aquakit.drawing.tables import write_table
from aquakit.engine.analysis import Analysis
from aquakit.engine.judged import SIGNS, Candidate, Judged, judge, write_candidate
from aquakit.engine.ranking import Line
from aquakit.engine.report import HEADS, NOTE, cells, plot_leads, tell_loss, write_turns
from aquakit.engine.weigh import ENOUGH, LEAST, SURE, decisions, find, lead_of, weigh
from aquakit.errors import InvalidOption, InvalidRecord
from aquakit.work.progress import show_progress

MORE = 1000
"""Playouts that are added while no whole turn was looked at."""
USUAL = 0.5
"""Seconds for each decision if nothing is said."""
Option = tuple[BaseTurn[Any], AnyPosition]
"""What a player can decide, and the position after it."""


class Review:
    """The review of a record's main line, decision by decision; an interrupted one can go on.

    >>> import aquakit
    >>> record = Record(aquakit.start("romana2-5x4"))
    >>> node = record.root.play("b3=+@E4 xR1 *d").play("d2=7@Sd")
    >>> found = Review(record, playouts=500, threads=1).go_on(progress=False)
    >>> found.is_complete, len(found.turns)
    (True, 2)
    """

    def __init__(
        self,
        record: Record,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        lines: int = 3,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        """Prepares a review; `go_on` begins it."""
        if not isinstance(record, Record):
            raise InvalidRecord("record", show(record), "a record")
        if seconds is not None and playouts is not None:
            raise InvalidOption("seconds", "and playouts are both given", "one of them")
        self.record = record
        self._seconds = USUAL if seconds is None and playouts is None else seconds
        self._playouts, self._seed, self._threads = playouts, seed, threads
        self._lines = read_whole("lines", lines, least=1, most=1000)
        self._due = list(_list_decisions(record))
        self._done: list[Judged] = []

    # Running

    def go_on(
        self,
        *,
        progress: bool = True,
        stop: threading.Event | None = None,
        on_update: Callable[[Self], None] | None = None,
    ) -> Self:
        """Reviews what is left; an interrupt or `stop` ends it early, with every finished decision kept.

        >>> import aquakit
        >>> found = Review(Record(aquakit.start("romana2-5x4")), playouts=500)
        >>> found.go_on(progress=False).is_complete
        True
        """
        stop = threading.Event() if stop is None else stop
        shown = progress and not self.is_complete
        with (
            show_progress(len(self._due), len(self._done), "decision", shown=shown) as bar,
            suppress(KeyboardInterrupt),
        ):
            for number, moment, turn, after in islice(self._due, len(self._done), None):
                analysis = Analysis(moment, lines=self._lines, seed=self._seed, threads=self._threads)
                analysis.run(
                    seconds=self._seconds,
                    playouts=self._playouts,
                    on_update=lambda analysis: analysis.stop(wait=False) if stop.is_set() else None,
                )
                if stop.is_set():
                    break
                self._done.append(self._judge(analysis, number, turn, after))
                bar.update()
                if on_update is not None:
                    on_update(self)
        return self

    def _judge(self, analysis: Analysis, number: int, turn: BaseTurn[Any], after: AnyPosition) -> Judged:
        moment = analysis.position
        while not (options := _list_options(analysis)):  # too few playouts to have seen one whole turn
            analysis.run(playouts=MORE)
        best, played = (weigh(analysis, *option, seed=self._seed) for option in (options[0], (turn, after)))
        if played.lead >= best.lead:
            best = played
        loss, error = best.lead - played.lead, math.hypot(best.stderr, played.stderr)
        return Judged(
            number=number,
            player=moment.player or 1,
            position=str(moment),
            turn=str(turn),
            lead=played.lead,
            stderr=played.stderr,
            best=best.turn,
            best_lead=best.lead,
            best_stderr=best.stderr,
            loss=loss,
            loss_stderr=error if loss else 0.0,
            mark=judge(loss, error),
            score=best.score,
            as_good=tuple(_list_as_good(analysis, best, options)),
            playouts=best.visits,
        )

    # Reading

    @property
    def turns(self) -> tuple[Judged, ...]:
        """The decisions reviewed so far, in order."""
        return tuple(self._done)

    @property
    def is_complete(self) -> bool:
        """Whether the whole game is reviewed."""
        return len(self._done) == len(self._due)

    def moment(self, judged: Judged) -> AnyPosition:
        """Gets the position in which something was decided, as the player saw it.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> found = review(record, playouts=500, threads=1, progress=False)
        >>> found.moment(found.turns[0]) == record.start
        True
        """
        return self._due[self._done.index(judged)][1]

    def mistakes(self, count: int = 5) -> tuple[Judged, ...]:
        """Gets the biggest mistakes, each with the better turn, the most costly first.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> [each.turn for each in review(record, playouts=1000, threads=1, progress=False).mistakes(3)]
        ['b3=+@E4 xR1 *d']
        """
        read_whole("count", count, least=1, most=10**6)
        found = [judged for judged in self._done if judged.sign]
        return tuple(sorted(found, key=lambda judged: -judged.loss)[:count])

    def puzzles(self) -> tuple[Candidate, ...]:
        """Lists puzzle candidates: the positions in which a mistake or blunder was made, in order.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> [puzzle.played for puzzle in review(record, playouts=1000, threads=1, progress=False).puzzles()]
        ['b3=+@E4 xR1 *d']
        """
        return tuple(
            Candidate(j.position, j.player, j.as_good, j.best_lead, j.turn, j.loss, j.number)
            for j in self._done
            if j.mark in ("mistake", "blunder")
        )

    def save(self, folder: str | Path) -> list[Path]:
        """Writes each puzzle candidate to a small TOML file; the same one always gets the same name.

        >>> import aquakit
        >>> from tempfile import TemporaryDirectory
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> with TemporaryDirectory() as folder:
        ...     len(review(record, playouts=1000, threads=1, progress=False).save(folder))
        1
        """
        made = []
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            for puzzle in self.puzzles():
                made.append(Path(folder) / f"{self._name(puzzle)}.toml")
                write_atomically(made[-1], write_candidate(puzzle))
        except OSError as problem:
            raise InvalidOption("folder", f"{folder} cannot be written: {problem.strerror}", "a folder") from None
        return made

    def _name(self, puzzle: Candidate) -> str:
        stamp = sha256(puzzle.position.encode()).hexdigest()[:10]
        return f"{re.sub(r'[^A-Za-z0-9_-]', '-', self.record.start.layout.name)}-{puzzle.number:03d}-{stamp}"

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> import aquakit
        >>> sorted(review(Record(aquakit.start("romana2-5x4")), playouts=100, progress=False).json())
        ['complete', 'layout', 'result', 'turns']
        """
        rows = [asdict(j) | {"score": list(j.score), "as_good": list(j.as_good), "sign": j.sign} for j in self._done]
        return {
            "layout": self.record.start.layout.name,
            "result": self.record.result,
            "complete": self.is_complete,
            "turns": rows,
        }

    # Showing

    def frame(self) -> Any:
        """Gets the decisions as a DataFrame.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> list(review(record, playouts=500, threads=1, progress=False).frame()["turn"])
        ['b3=+@E4 xR1 *d']
        """
        import pandas as pd

        rows = []
        for judged in self._done:
            row = asdict(judged) | {"as_good": " / ".join(judged.as_good)}
            row |= {f"score_{player}": score for player, score in enumerate(row.pop("score"), start=1)}
            rows.append(row)
        return pd.DataFrame(rows)

    def plot(self, ax: Any = None) -> Any:
        """Draws each player's expected lead before every turn, with signs where a turn was a mistake.

        >>> import aquakit
        >>> from matplotlib.figure import Figure
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> axes = review(record, playouts=500, threads=1, progress=False).plot(Figure().subplots())
        >>> len(axes.lines) >= 2
        True
        """
        start, names = self.record.start, self.names()
        chips = start.room("board.facts").chips
        colours = [COLOURS[chips(start.layout, player)[0].colour].light for player in range(1, len(names) + 1)]
        return plot_leads(ax, dict(zip(names, colours, strict=True)), dict(self.course()), self._done)

    def names(self) -> list[str]:
        """Names the players as their game does.

        >>> import aquakit
        >>> review(Record(aquakit.start("romana4")), progress=False).names()
        ['Red', 'Yellow', 'Green', 'Blue']
        """
        start = self.record.start
        name = start.room("board.why").name
        return [name(start.layout, player) for player in range(1, start.layout.tables.players + 1)]

    def course(self) -> Iterator[tuple[int, tuple[float, ...]]]:
        """Iterates over the turns' numbers with each player's expected lead before them, and the result if known.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d").play("d2=7@Sd")
        >>> [number for number, leads in review(record, playouts=500, threads=1, progress=False).course()]
        [1, 2]
        """
        before = {judged.number: judged.score for judged in reversed(self._done)}
        last = self.record.root.main()[-1]
        if self.is_complete and last.position.is_over:
            before[last.number + 1] = last.position.scores()
        for number in sorted(before):
            score = before[number]
            yield number, tuple(lead_of(score, player) for player in range(1, len(score) + 1))

    def __repr__(self) -> str:
        how_far = "" if self.is_complete else f" of {len(self._due)}, go_on() continues"
        lines = [f"<Review: {count(len(self._done), 'decision')}{how_far}>", *self.summary()]
        return "\n".join([*lines, *(f"{j.number}. {j.turn} {j.sign}  {tell_loss(j)}" for j in self.mistakes())])

    def __str__(self) -> str:
        return self._write(self._done)

    def in_words(self) -> str:
        """Writes the review with turns in words instead of notation.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> review(record, playouts=500, threads=1, progress=False).in_words().partition(",")[0]
        'Red    1. bridge on b3 by the builder on E4'
        """
        return self._write(self.told())

    def told(self) -> list[Judged]:
        """Gets the decisions with their turns in words.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> review(record, playouts=500, threads=1, progress=False).told()[0].turn
        'bridge on b3 by the builder on E4, R1 closed, double curve builder taken'
        """
        pairs = zip(self._done, self._due, strict=False)
        return [
            replace(judged, turn=moment.tell(judged.turn), best=moment.tell(judged.best))
            for judged, (_, moment, _, _) in pairs
        ]

    def _write(self, decisions: list[Judged]) -> str:
        names, turns = self.names(), [f"{judged.number}. {judged.turn} {judged.sign}".rstrip() for judged in decisions]
        width, wide = max(map(len, names)), max(map(len, turns), default=0)
        rows = [
            f"{names[judged.player - 1]:{width}}  {turn:{wide}}  {tell_loss(judged)}"
            for judged, turn in zip(decisions, turns, strict=True)
        ]
        return "\n".join([*rows, "", *self.summary(), NOTE])

    def summary(self) -> Iterator[str]:
        """Says for each player how much was lost on average, and by how many mistakes.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> [line.partition(":")[0] for line in review(record, playouts=500, threads=1, progress=False).summary()]
        ['Red']
        """
        for player, name in enumerate(self.names(), start=1):
            mine = [judged for judged in self._done if judged.player == player]
            if mine:
                loss = sum(judged.loss for judged in mine) / len(mine)
                marks = [judged.mark for judged in mine]
                marked = [count(marks.count(mark), mark) for mark in SIGNS if SIGNS[mark] and mark in marks]
                text = ", ".join(marked).replace("inaccuracys", "inaccuracies") or "no mistakes"
                yield f"{name}: {loss:.2f} points lost per decision, {text}"

    def _repr_html_(self) -> str:
        names = self.names()
        notes = "".join(f"<p>{escape(line)}</p>" for line in self.summary())
        note = NOTE if self.is_complete else f"{NOTE} {len(self._done)} of {len(self._due)} decisions."
        rows = zip(self.told(), self._done, strict=True)
        return notes + write_table(HEADS, ((*cells(told, names), write_turns(judged)) for told, judged in rows), note)


def review(
    record: Record,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    lines: int = 3,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = True,
) -> Review:
    """Reviews a record's main line, with so many seconds or playouts for each decision.

    A turn that the analysis hardly looked at is given as many playouts of its own as the best one had. Interrupting
    keeps what is finished: the review comes back as far as it got, and its `go_on` continues.

    >>> import aquakit
    >>> record = Record(aquakit.start("romana2-5x4"))
    >>> node = record.root.play("b3=+@E4 xR1 *d")
    >>> review(record, playouts=1000, threads=1, progress=False).turns[0].mark
    'blunder'
    """
    made = Review(record, seconds=seconds, playouts=playouts, lines=lines, seed=seed, threads=threads)
    return made.go_on(progress=progress)


# Decisions


def _list_decisions(record: Record) -> Iterator[tuple[int, AnyPosition, BaseTurn[Any], AnyPosition]]:
    """Lists what was decided in the main line, as the players saw it, apart from what was forced inside a turn."""
    for node in record.root.main()[1:]:
        assert node.parent is not None
        assert node.turn is not None
        for moment, part, after in decisions(node.parent.position.view(), node.turn):
            if not moment.played or len(part) > 1 or len(moment.actions()) > 1:
                yield node.number, moment, part, after


def _list_options(analysis: Analysis) -> list[Option]:
    """Lists the analysed turns, each as far as the player decides it alone, with the position after it."""
    position = analysis.position
    cut = (next(decisions(position, position.turn_type.read(line.turn))) for line in analysis.lines)
    return list({str(part): (part, after) for _, part, after in cut}.values())


def _list_as_good(analysis: Analysis, best: Line, options: list[Option]) -> Iterator[str]:
    """Gets the best turn and those looked at as well that cannot be told from it."""
    yield best.turn
    enough = ENOUGH * max(LEAST, best.visits)
    for part, after in options:
        branch = find(analysis, part)
        if str(part) != best.turn and branch is not None and branch.visits >= enough:
            line = analysis._line(part, branch, after)
            if best.lead - line.lead < SURE * math.hypot(best.stderr, line.stderr):
                yield line.turn
