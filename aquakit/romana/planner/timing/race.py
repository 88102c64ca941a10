"""Draws the podium race: who takes which podium when.

Every workman carries its aqueduct's name, every player has a stroke of their own, and the shape of the name's box says
how the aqueduct came to be closed: so the picture can be read without colour, on light and on dark ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from aquakit.core.words import count
from aquakit.drawing.plots import NEUTRAL, STROKES, dress
from aquakit.drawing.svg import COLOURS
from aquakit.romana.planner.timing.replay import CLOSED, END, WALLED, Taken, TimingCase

ROOM = 0.45
"""What a workman takes of the axis of rounds where several are scored at the end."""
BELOW = 0.45
"""Inches from the axis of rounds down to the legend."""
ROOMY = 6.0
"""Inches of a chart's width in which four names stand beside each other."""
BOXES = {
    CLOSED: "round,pad=0.3,rounding_size=0.8",
    WALLED: "square,pad=0.3",
    END: "rarrow,pad=0.2",
    "before": "square,pad=0.15",
}
"""The shape of a name's box, by how the workman came to the podium."""
SIGNS = {CLOSED: "rounded", WALLED: "square", END: "arrow"}


@dataclass(frozen=True)
class PodiumRace:
    """What a chart shows: who takes which podium in one of several scenarios."""

    case: TimingCase
    names: tuple[str, ...]
    """The players' names."""
    outcomes: tuple[tuple[Taken, ...], ...]
    """For each scenario, the workmen that come to podiums."""
    shown: int
    """The scenario that is drawn, from 0; the others only set the width of the axis."""

    @property
    def takings(self) -> tuple[Taken, ...]:
        """The workmen that are drawn."""
        return self.outcomes[self.shown]


def draw_race(race: PodiumRace, ax: Any = None) -> Any:
    """Draws the race on some axes, or on new ones."""
    if ax is None:
        ax = _make_axes(race.takings)
    for workman, x, y in _find_places(race):
        _draw_workman(race, ax, workman, x, y)
    _draw_names(race, ax)
    _label(race, ax)
    return ax


def _make_axes(takings: tuple[Taken, ...]) -> Any:
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(8, race_height(takings)), layout="constrained")
    figure.patch.set_alpha(0)
    return ax


def race_height(takings: tuple[Taken, ...]) -> float:
    """Gets the height of a chart in inches."""
    return 2.2 + 0.27 * max((workman.podium for workman in takings), default=0)


def _find_places(race: PodiumRace) -> Iterator[tuple[Taken, float, float]]:
    """Finds where each workman stands: by its turn and its podium, those on one podium side by side."""
    takings = race.takings
    by_podium = Counter(workman.podium for workman in takings)
    last = [workman for workman in takings if workman.turn >= race.case.turns]
    met = Counter[int]()
    for workman in sorted(takings, key=lambda workman: workman.turn):
        lane, lanes = met[workman.podium], by_podium[workman.podium]
        met[workman.podium] += 1
        x = race.case.rounds + 1 + (last.index(workman) + 0.5) * ROOM if workman in last else _when(race, workman)
        if workman.podium == 0 and workman.turn < 0:
            x = (lane + 0.5) / sum(w.podium == 0 and w.turn < 0 for w in takings)
        spread = 0.5 * (lane / (lanes - 1) - 0.5) if lanes > 1 and workman.podium > 0 else 0.0
        yield workman, x, workman.podium + spread


def _right(race: PodiumRace) -> float:
    """Gets where the axis of rounds ends, wide enough for all that may be scored at the end."""
    return race.case.rounds + 1 + max(1.0, ROOM * max(sum(w.how == END for w in outcome) for outcome in race.outcomes))


def _when(race: PodiumRace, workman: Taken) -> float:
    """Gets where a turn lies on the axis of rounds: players one after the other between two rounds' marks."""
    players = len(race.case.order)
    return 0.5 if workman.turn < 0 else 1 + workman.turn // players + (workman.turn % players + 0.5) / players


def _draw_workman(race: PodiumRace, ax: Any, workman: Taken, x: float, y: float) -> None:
    """Draws a workman's name where its podium is taken, the drop from its length, and its stay to the end."""
    colour = COLOURS[workman.aqueduct[0]]
    wanted = min(workman.length, len(race.case.layout.podiums))
    own = workman.owner == race.case.me + 1
    if workman.turn >= 0 and wanted > workman.podium:
        ax.plot([x, x], [wanted, y], ":", color=NEUTRAL, linewidth=1.2, zorder=1)
        ax.plot([x], [wanted], "x", color=NEUTRAL, markersize=6, zorder=1)
    if workman.podium > 0:
        stroke = STROKES[(workman.owner - 1) % len(STROKES)]
        ax.plot([x, _right(race)], [y, y], stroke, color=colour.light, linewidth=3 if own else 1.8, zorder=2)
    edge = NEUTRAL if not own else "#222222"
    box = {"boxstyle": BOXES[workman.how], "facecolor": colour.light, "edgecolor": edge, "linewidth": 2 if own else 0.8}
    style = {"ha": "center", "va": "center", "fontsize": 8, "color": colour.ink, "weight": "bold"}
    ax.text(x, y, workman.aqueduct, bbox=box, zorder=4 if own else 3, **style)


def _draw_names(race: PodiumRace, ax: Any) -> None:
    """Lists the players with their strokes."""
    for player, name in enumerate(race.names, start=1):
        colour = COLOURS[race.case.layout.players[player - 1][0]].light
        text = f"{name}{' (plans)' if player == race.case.me + 1 else ''}"
        ax.plot([], [], STROKES[(player - 1) % len(STROKES)], color=colour, linewidth=2.4, label=text)


def _label(race: PodiumRace, ax: Any) -> None:
    """Gives the chart its names, its scales and its legend."""
    _scale_axes(race, ax)
    for x in range(1, race.case.rounds + 2):
        ax.axvline(x, color=NEUTRAL, linewidth=0.5, alpha=0.5, zorder=0)
    boxes = ", ".join(f"{sign}: {how}" for how, sign in SIGNS.items())
    several = len(race.outcomes) > 1
    which = f"scenario {race.shown + 1} of {len(race.outcomes)}; " if several else ""
    rounds = f"round, each with {count(len(race.case.order), 'turn')}"
    dress(ax, f"{which}{boxes}; cross: podium full", rounds, "podium")
    place_legend(ax, len(race.names))


def place_legend(ax: Any, players: int) -> None:
    """Puts the players' names below the axis of rounds."""
    ax.legend(
        frameon=False,
        labelcolor=NEUTRAL,
        ncols=min(4 if ax.figure.get_figwidth() >= ROOMY else 2, players),
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        bbox_transform=ax.transAxes + _below(ax),
        handlelength=3,
    )


def _below(ax: Any) -> Any:
    """Moves the legend down below the axis' label, by as much on low charts as on high ones."""
    from matplotlib.transforms import ScaledTranslation

    return ScaledTranslation(0, -BELOW, ax.figure.dpi_scale_trans)


def _scale_axes(race: PodiumRace, ax: Any) -> None:
    takings, rounds = race.takings, race.case.rounds
    top = max((min(w.length, len(race.case.layout.podiums)) for w in takings if w.turn >= 0), default=0)
    top = max([top, *(workman.podium for workman in takings)])
    bottom = 0 if any(workman.podium == 0 for workman in takings) else 1
    ax.set_ylim(bottom - 0.8, top + 0.8)
    ax.set_xlim(0, _right(race) * 1.015)  # the last name's box is wider than its place where rounds are many
    ax.set_xticks([0.5, *(number + 0.5 for number in range(1, rounds + 1)), (rounds + 1 + _right(race)) / 2])
    ax.set_xticklabels(["before", *map(str, range(1, rounds + 1)), "end"])
    ax.set_yticks(range(bottom, top + 1))
    ax.set_yticklabels(["none" if podium == 0 else str(podium) for podium in range(bottom, top + 1)])
