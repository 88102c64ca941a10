"""Analyses what an explorer shows, in the background: follows it from position to position and keeps what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from aquakit.core.position import AnyPosition
from aquakit.engine.analysis import Analysis
from aquakit.engine.ranking import Line
from aquakit.widgets.background import count_spare_cores
from aquakit.workshop.served import find_patience

Update = Callable[["Finding"], None]


class Finding(NamedTuple):
    """What is known about a position."""

    position: AnyPosition
    lines: tuple[Line, ...]
    playouts: int

    @property
    def best(self) -> Line:
        """The line looked at most."""
        return self.lines[0]

    def note(self, line: Line) -> str:
        """Writes a line's numbers."""
        if line.proved:
            return f"{line.lead:+g}, proved"
        win = line.win[(self.position.player or 1) - 1]
        return f"{line.lead:+.1f} ± {line.stderr:.1f} points, wins {win:.0%}, {line.visits:,} visits"


class Analyst:
    """Thinks about one position at a time until it is told to rest; one core is left to the notebook."""

    def __init__(self, tell: Update) -> None:
        """Prepares to tell what is found; `tell` is called in a thread of the analyst's."""
        self._tell = tell
        self._analysis: Analysis | None = None
        self.found: dict[AnyPosition, Finding] = {}
        """The last finding for each position looked at."""

    @property
    def is_thinking(self) -> bool:
        """Whether an analysis runs."""
        return self._analysis is not None

    def think(self, position: AnyPosition, lines: int) -> None:
        """Begins to think about a position instead of the last one."""
        self.rest()
        if position.is_over or position.is_chance:
            return
        analysis = Analysis(position, lines=lines, threads=count_spare_cores())
        self._analysis = analysis
        analysis.start(seconds=find_patience(), on_update=self._hear)

    def rest(self) -> None:
        """Stops thinking; a last word of the old analysis is not heard."""
        analysis, self._analysis = self._analysis, None
        if analysis is not None:
            analysis.stop(wait=False)

    def _hear(self, analysis: Analysis) -> None:
        lines = analysis.lines
        if self._analysis is not analysis or not lines:
            return
        finding = Finding(analysis.position, lines, analysis.playouts)
        self.found[analysis.position] = finding
        self._tell(finding)


def measure_leads(finding: Finding | None, players: int) -> list[float] | None:
    """Gets each player's expected lead over the best other one, from the scores expected with the best line."""
    if finding is None or not finding.lines or finding.best.visits == 0:
        return None
    scores = finding.best.score
    return [score - max(scores[:p] + scores[p + 1 :], default=0.0) for p, score in enumerate(scores[:players])]


def describe(finding: Finding | None, chips: Callable[[int], Any]) -> dict[str, Any] | None:
    """Gets what the evaluation bar shows: each player's chance to win, and how sure that is."""
    if finding is None or finding.best.visits == 0:
        return None
    best = finding.best
    return {
        "win": list(best.win),
        "score": [round(score, 2) for score in best.score],
        "who": [chips(player) for player in range(1, len(best.win) + 1)],
        "note": finding.note(best),
        "playouts": finding.playouts,
    }
