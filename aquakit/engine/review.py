"""Reviews whole games: what each turn cost against the best one, the biggest mistakes, and puzzles made of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any, Self

from aquakit.core.files import write_atomically
from aquakit.core.options import read_whole, show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Record
from aquakit.core.tomlfile import write_value
from aquakit.core.words import count
from aquakit.drawing.svg import COLOURS
from aquakit.engine.analysis import Analysis, Line
from aquakit.engine.weigh import ENOUGH, LEAST, SURE, decisions, find, lead_of, weigh
from aquakit.errors import InvalidOption, InvalidRecord

INACCURACY, MISTAKE, BLUNDER = 1.0, 2.5, 5.0
"""Losses in points of expected lead from which on a turn is marked so; a smaller or unsure loss is good."""
SIGNS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The marks, from the best to the worst, and the sign that stands behind a turn so marked."""
NOTE = "Leads are expected ones, estimated by playouts and written with their standard errors."
MORE = 1000
"""Playouts that are added while no whole turn was looked at."""
USUAL = 0.5
"""Seconds for each decision if nothing is said."""
NEUTRAL = "#767676"
"""Readable on light and on dark ground."""
STROKES = ("-", "--", "-.", ":")
"""The players' lines, so that they can be told apart without colour."""

Option = tuple[BaseTurn[Any], AnyPosition]
"""What a player can decide, and the position after it."""


@dataclass(frozen=True)
class Judged:
    """A decision of the game: what was played, what was best, and what the difference cost.

    A turn is one decision, unless the die or another player decides in between: then each part is one.

    >>> import aquakit
    >>> record = Record(aquakit.start("romana2-5x4"))
    >>> node = record.root.play("b3=+@E4 xR1 *d")
    >>> judged = aquakit.review(record, playouts=1000, threads=1, progress=False).turns[0]
    >>> judged.turn, judged.mark, judged.sign
    ('b3=+@E4 xR1 *d', 'blunder', '??')
    """

    number: int
    """The turn's number in the record."""
    player: int
    position: str
    turn: str
    """What the player decided, up to the next roll or decision of another player."""
    lead: float
    """The player's expected lead after it."""
    stderr: float
    best: str
    best_lead: float
    best_stderr: float
    loss: float
    """How much the lead of the best turn exceeds that of the turn played; never below 0."""
    loss_stderr: float
    mark: str
    """best, good, inaccuracy, mistake or blunder"""
    score: tuple[float, ...]
    """Each player's expected points with the best turn."""
    as_good: tuple[str, ...]
    """The analysed turns that cannot be told from the best one, itself first."""
    playouts: int
    """Games played out for the best turn."""

    @property
    def sign(self) -> str:
        """The sign that stands behind the turn."""
        return SIGNS[self.mark]


@dataclass(frozen=True)
class Puzzle:
    """A position whose best turn a player missed: a candidate, for it rests on an estimate."""

    position: str
    player: int
    best: tuple[str, ...]
    value: float
    """The expected lead with the best turn."""
    played: str
    loss: float
    number: int
    """The turn's number in the record."""


def judge(loss: float, error: float) -> str:
    """Marks a turn by its loss in points; what may be chance is held against nobody.

    >>> judge(3.0, 0.2), judge(3.0, 2.0), judge(0.2, 0.1), judge(0.0, 0.0)
    ('mistake', 'good', 'good', 'best')
    """
    if loss == 0:
        return "best"
    if loss < SURE * error or loss < INACCURACY:
        return "good"
    return "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else "inaccuracy"


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

    def go_on(self, *, progress: bool = True) -> Self:
        """Reviews what is left; an interrupt ends it early, with every finished decision kept.

        >>> import aquakit
        >>> found = Review(Record(aquakit.start("romana2-5x4")), playouts=500)
        >>> found.go_on(progress=False).is_complete
        True
        """
        left = islice(self._due, len(self._done), None)
        bar = _bar(len(self._due), len(self._done)) if progress and not self.is_complete else None
        try:
            for number, moment, turn, after in left:
                self._done.append(self._judge(number, moment, turn, after))
                if bar is not None:
                    bar.update()
        except KeyboardInterrupt:
            pass
        finally:
            if bar is not None:
                bar.close()
        return self

    def _judge(self, number: int, moment: AnyPosition, turn: BaseTurn[Any], after: AnyPosition) -> Judged:
        analysis = Analysis(moment, lines=self._lines, seed=self._seed, threads=self._threads)
        analysis.run(seconds=self._seconds, playouts=self._playouts)
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

    def puzzles(self) -> tuple[Puzzle, ...]:
        """Lists puzzle candidates: the positions in which a mistake or blunder was made, in order.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4 xR1 *d")
        >>> [puzzle.played for puzzle in review(record, playouts=1000, threads=1, progress=False).puzzles()]
        ['b3=+@E4 xR1 *d']
        """
        return tuple(
            Puzzle(j.position, j.player, j.as_good, j.best_lead, j.turn, j.loss, j.number)
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
                write_atomically(made[-1], write_puzzle(puzzle))
        except OSError as problem:
            raise InvalidOption("folder", f"{folder} cannot be written: {problem.strerror}", "a folder") from None
        return made

    def _name(self, puzzle: Puzzle) -> str:
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
        import matplotlib.pyplot as plt

        if ax is None:
            figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
            figure.patch.set_alpha(0)
        course = list(self.course())
        for player, name in enumerate(self.names(), start=1):
            colour, stroke = self._colour(player), STROKES[(player - 1) % len(STROKES)]
            leads = [leads[player - 1] for _, leads in course]
            ax.plot([number for number, _ in course], leads, stroke, color=colour, label=name, linewidth=2)
        self._plot_marks(ax, dict(course))
        _dress(ax)
        return ax

    def _plot_marks(self, ax: Any, course: Mapping[int, tuple[float, ...]]) -> None:
        """Writes the signs beside the players' lines, of mistakes and blunders the turn's number too."""
        for judged in filter(lambda judged: judged.sign, self._done):
            point = judged.number, course[judged.number][judged.player - 1]
            ax.plot(*point, "o", color=self._colour(judged.player), markersize=7, markeredgecolor=NEUTRAL)
            text = judged.sign if judged.mark == "inaccuracy" else f"{judged.number}{judged.sign}"
            style = {"ha": "center", "va": "center", "color": NEUTRAL, "weight": "bold"}
            ax.annotate(text, point, xytext=(0, 12), textcoords="offset points", **style)

    def _colour(self, player: int) -> str:
        start = self.record.start
        return COLOURS[start.room("board.facts").chips(start.layout, player)[0].colour].light

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
        return "\n".join([*lines, *(f"{j.number}. {j.turn} {j.sign}  {_tell(j)}" for j in self.mistakes())])

    def __str__(self) -> str:
        names, turns = self.names(), [f"{judged.number}. {judged.turn} {judged.sign}".rstrip() for judged in self._done]
        width, wide = max(map(len, names)), max(map(len, turns), default=0)
        rows = [
            f"{names[judged.player - 1]:{width}}  {turn:{wide}}  {_tell(judged)}"
            for judged, turn in zip(self._done, turns, strict=True)
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
        heads = ("", "player", "turn", "lead", "best", "lead", "loss", "mark")
        body = "".join(_write_row(_cells(judged, names)) for judged in self._done)
        notes = "".join(f"<p>{escape(line)}</p>" for line in self.summary())
        note = NOTE if self.is_complete else f"{NOTE} {len(self._done)} of {len(self._due)} decisions."
        head = "".join(f"<th>{escape(text)}</th>" for text in heads)
        table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        return f"{notes}<table><caption>{escape(note)}</caption>{table}</table>"


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


# Writing


def write_puzzle(puzzle: Puzzle) -> str:
    """Writes a puzzle candidate as TOML."""
    fields = {
        "position": puzzle.position,
        "player": puzzle.player,
        "best": list(puzzle.best),
        "value": round(puzzle.value, 2),
        "played": puzzle.played,
        "loss": round(puzzle.loss, 2),
        "turn": puzzle.number,
    }
    return "".join(f"{name} = {write_value(value)}\n" for name, value in fields.items())


def _tell(judged: Judged) -> str:
    """Says what a turn is worth and, if another was better, what it cost."""
    lead = f"{judged.lead:+.2f} ± {judged.stderr:.2f}"
    if judged.mark == "best":
        return f"{lead}  best"
    loss = f"{judged.loss:.2f} ± {judged.loss_stderr:.2f}"
    return f"{lead}  {judged.mark}, lost {loss}: {judged.best} has {judged.best_lead:+.2f}"


def _cells(judged: Judged, names: list[str]) -> tuple[str, ...]:
    return (
        str(judged.number),
        names[judged.player - 1],
        f"{judged.turn} {judged.sign}",
        f"{judged.lead:+.2f} ± {judged.stderr:.2f}",
        "" if judged.mark == "best" else judged.best,
        "" if judged.mark == "best" else f"{judged.best_lead:+.2f} ± {judged.best_stderr:.2f}",
        f"{judged.loss:.2f} ± {judged.loss_stderr:.2f}" if judged.loss else "0",
        judged.mark,
    )


def _write_row(cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _dress(ax: Any) -> None:
    """Makes a plot readable on light and dark ground."""
    ax.set_facecolor("none")
    ax.margins(y=0.15)
    ax.axhline(0, color=NEUTRAL, linewidth=0.8)
    signs = "   ".join(f"{sign} {mark}" for mark, sign in SIGNS.items() if sign)
    ax.set_title(signs, color=NEUTRAL, fontsize="medium")
    ax.set_xlabel("before turn; a finished game ends with its result", color=NEUTRAL)
    ax.set_ylabel("expected lead in points", color=NEUTRAL)
    ax.tick_params(colors=NEUTRAL)
    ax.xaxis.get_major_locator().set_params(integer=True)
    for name, spine in ax.spines.items():
        spine.set_color(NEUTRAL)
        spine.set_visible(name in ("left", "bottom"))
    ax.legend(frameon=False, labelcolor=NEUTRAL)


def _bar(total: int, done: int) -> Any:
    """Makes a progress bar for the terminal or the notebook."""
    from tqdm.auto import tqdm

    return tqdm(total=total, initial=done, unit="decision")
