"""Draws how aqueducts grow in the engine's games, and when they are scored, below the race of the proved schedule.

As in that race every aqueduct carries its name and every player has a stroke, and the shape of a name's box says how
the aqueduct is scored; bars show how far off the means may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aquakit.core.words import count
from aquakit.drawing.plots import NEUTRAL, STROKES, dress
from aquakit.drawing.svg import COLOURS
from aquakit.romana.planner.timing.engine.estimates import EngineRound, EngineScoring, Estimate
from aquakit.romana.planner.timing.race import BOXES, SIGNS, PodiumRace, draw_race, place_legend, race_height
from aquakit.romana.planner.timing.replay import CLOSED, END, WALLED, TimingCase

USUAL = 0.5
"""An aqueduct is shown as scored if it is in this part of the games; else as open."""
GAP = 0.1
"""The least distance of two names at the right, as a part of the lowest chart's height."""
LOW = 3.4
"""The least height in inches."""


@dataclass(frozen=True)
class EngineRace:
    """What a chart shows of the engine's games."""

    case: TimingCase
    names: tuple[str, ...]
    """The players' names."""
    games: int
    growth: tuple[EngineRound, ...]
    scorings: tuple[EngineScoring, ...]


def draw_both(race: PodiumRace, engine: EngineRace, head: str) -> Any:
    """Draws the race of a schedule under a head and, below it, that of the engine; gets the upper axes."""
    import matplotlib.pyplot as plt

    heights = race_height(race.takings), _height(engine)
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, sum(heights)), height_ratios=heights, layout="constrained")
    figure.patch.set_alpha(0)
    draw_race(race, above)
    above.set_title(f"{head}\n{above.get_title()}", color=NEUTRAL, fontsize="medium")
    draw_growth(engine, below)
    return above


def draw_growth(engine: EngineRace, ax: Any = None) -> Any:
    """Draws expected lengths round by round, and names where the aqueducts are scored, on some axes or on new ones."""
    if ax is None:
        import matplotlib.pyplot as plt

        figure, ax = plt.subplots(figsize=(8, _height(engine)), layout="constrained")
        figure.patch.set_alpha(0)
    scored = {found.aqueduct: found for found in engine.scorings if found.share >= USUAL}
    names = list(dict.fromkeys(row.aqueduct for row in engine.growth))
    for number, name in enumerate(names):
        rows = [row for row in engine.growth if row.aqueduct == name]
        _draw_lengths(engine, ax, rows, scored.get(name), (number + 0.5) / len(names))
        if name in scored:
            _draw_scoring(engine, ax, scored[name], rows[0].player)
    _label(engine, ax)
    _draw_open(engine, ax, [row for row in _last(engine) if row.aqueduct not in scored])
    return ax


def _height(engine: EngineRace) -> float:
    return max(LOW, 2.2 + 0.27 * max((row.length.mean for row in engine.growth), default=0))


def _last(engine: EngineRace) -> Iterator[EngineRound]:
    return (row for row in engine.growth if row.round == engine.case.rounds)


def _draw_lengths(
    engine: EngineRace, ax: Any, rows: list[EngineRound], scored: EngineScoring | None, place: float
) -> None:
    """Draws an aqueduct's line with its bars, until it is usually scored; each has a place of its own in a round."""
    own, colour = _is_own(engine, rows[0].player), COLOURS[rows[0].aqueduct[0]].light
    shown = [row for row in rows if scored is None or row.round + place <= scored.moment.mean]
    at = [row.round + place for row in shown]
    means, margins = [row.length.mean for row in shown], [_bar(row.length) for row in shown]
    # The line goes on to where it is scored, which has bars of its own, or to its name at the right.
    end = (engine.case.rounds + 1.0, means[-1]) if scored is None else (scored.moment.mean, scored.podium.mean)
    at, means = [*at, end[0]], [*means, end[1]]
    stroke = STROKES[(rows[0].player - 1) % len(STROKES)]
    ax.plot(at, means, stroke, color=colour, linewidth=2.4 if own else 1.2, zorder=2)
    bars = {"ecolor": colour, "capsize": 3, "elinewidth": 1.6 if own else 0.9}
    ax.errorbar(at[:-1], means[:-1], margins, fmt="none", zorder=2, **bars)


def _draw_scoring(engine: EngineRace, ax: Any, scored: EngineScoring, player: int) -> None:
    """Draws an aqueduct's name at the mean moment and podium of its scoring, with bars both ways."""
    x, y = scored.moment.mean, scored.podium.mean
    bars = {"xerr": _bar(scored.moment), "yerr": _bar(scored.podium)}
    ax.errorbar([x], [y], fmt="none", ecolor=NEUTRAL, capsize=4, elinewidth=1.4, zorder=3, **bars)
    _write_name(engine, ax, scored.aqueduct, player, scored.how, (x, y))


def _draw_open(engine: EngineRace, ax: Any, rows: list[EngineRound]) -> None:
    """Writes the names of what usually stays open at the right of their lines, one above the other."""
    low, high = ax.get_ylim()
    step, y = GAP * (high - low) * LOW / _height(engine), low
    for row in sorted(rows, key=lambda row: row.length.mean):
        y = max(row.length.mean, y + step)
        _write_name(engine, ax, row.aqueduct, row.player, END, (engine.case.rounds + 1.2, y))


def _write_name(engine: EngineRace, ax: Any, name: str, player: int, how: str, place: tuple[float, float]) -> None:
    own, colour = _is_own(engine, player), COLOURS[name[0]]
    edge = "#222222" if own else NEUTRAL
    box = {"boxstyle": BOXES[how], "facecolor": colour.light, "edgecolor": edge, "linewidth": 2 if own else 0.8}
    style = {"ha": "center", "va": "center", "fontsize": 8, "color": colour.ink, "weight": "bold"}
    ax.text(*place, name, bbox=box, zorder=5 if own else 4, **style)


def _is_own(engine: EngineRace, player: int) -> bool:
    return player == engine.case.me + 1


def _bar(found: Estimate) -> float:
    """Gets how long a bar is to either side; none is drawn after a single game."""
    return found.margin or 0.0


def _label(engine: EngineRace, ax: Any) -> None:
    """Gives the chart its names, its scales and its legend."""
    rounds = engine.case.rounds
    for x in range(1, rounds + 2):
        ax.axvline(x, color=NEUTRAL, linewidth=0.5, alpha=0.5, zorder=0)
    for player, name in enumerate(engine.names, start=1):
        colour, own = COLOURS[engine.case.layout.players[player - 1][0]].light, _is_own(engine, player)
        stroke, text = STROKES[(player - 1) % len(STROKES)], f"{name}{' (plans)' if own else ''}"
        ax.plot([], [], stroke, color=colour, linewidth=2.4, label=text)
    ax.set_xlim(1, rounds + 1.45)
    ax.set_xticks([number + 0.5 for number in range(1, rounds + 1)], map(str, range(1, rounds + 1)))
    ax.yaxis.get_major_locator().set_params(integer=True)
    signs = f"{SIGNS[CLOSED]}: {CLOSED}, {SIGNS[WALLED]}: {WALLED}, {SIGNS[END]}: open"
    title = f"Engine, {count(engine.games, 'game')}; bars: ± two standard errors\n{signs}"
    dress(ax, title, f"round, each with {count(len(engine.case.order), 'turn')}", "expected length")
    place_legend(ax, len(engine.names))
