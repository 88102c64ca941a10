"""What OpenSpiel asks of this game: its name, the actions that a board has names for, and what is seen of a state.

The seed draws the mountains. What nobody sees before the game is over, the events, is drawn only then: that is the same
game, since nobody could have acted on it, and hides nothing in its states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from aquakit.aquadukt.kernel import HIDDEN, HOUSE, IDLE_ROUNDS, MOUNTAIN, NONE, OVER, ROLLS, VALUES
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import EVENTS, Action

NAME, TITLE = "python_aquadukt", "Aquädukt"
PARAMETERS = {"layout": "aquadukt2", "seed": 0, "events": False}
"""The options of the start that can be chosen, as they are if nothing is said."""
HAS_CHANCE = True
MOST_SUPPLY = 12
"""The most canals that feed a square: two on each side, and a double one a square off in each direction [Q5]."""


def list_actions(layout: Layout) -> Iterator[Action]:
    """Names all actions."""
    yield from (Action(word) for word in ("roll", "decline", "stop", "pass"))
    squares = [name for region in layout.regions for name in region]
    for square, value in product(squares, range(1, len(layout.tiles) + 1)):
        yield Action("house", value=value, square=square)
    yield from (Action("spring", point=name) for name in layout.point_index)
    yield from (Action("canal", segment=name) for name in layout.segment_index)


def list_outcomes(layout: Layout) -> Iterator[Action | str]:
    """Names the regions that the die can show, then the events that can turn up."""
    yield from (Action("die", region=number) for number in range(1, len(layout.regions) + 1))
    yield from sorted(set(layout.events))


def list_hidden(layout: Layout, s: Any) -> dict[str, float]:
    """Gets the chance of each event under the first mountain that hides one; they were drawn from the layout's."""
    seen = [EVENTS[event] for event in s["event"][: s["mountains"]] if event]
    if EVENTS[HIDDEN] not in seen:
        return {}
    left = {letter: layout.events.count(letter) - seen.count(letter) for letter in sorted(set(layout.events))}
    return {letter: count / sum(left.values()) for letter, count in left.items() if count}


def turn_up(s: Any, letter: str) -> None:
    """Shows the event under the first mountain that hides one."""
    s["event"][s["event"].tolist().index(HIDDEN)] = next(event for event, name in EVENTS.items() if name == letter)


def longest_game(layout: Layout) -> int:
    """Counts three idle rounds beside each piece put down, and three rolls with a tile each in every turn."""
    pieces = layout.players * sum(layout.tiles) + layout.springs + layout.canals
    return 2 * 3 * 3 * layout.players * (1 + pieces)


def observe(layout: Layout, s: Any, player: int) -> Iterator[tuple[str, Any, int]]:
    """Names what is seen of a record of the kernel's state: numbers from 0 to 1, or which of so many something is."""
    players, rows, columns = layout.players, layout.rows, layout.columns
    tiles, springs, arms = VALUES * players, int(s["springs"]), 2 * int(s["springs"])
    tile, canal = s["tile"][: rows * columns], s["canal"][: len(layout.segment_names)] / 2
    east = columns * (rows + 1)
    is_over = s["phase"] == OVER
    points, events = np.zeros((2, (rows + 1) * (columns + 1))), np.zeros((HIDDEN, rows * columns))
    points[0][s["spring"][:springs]] = 1
    points[1][s["tip"][:arms][s["head"][:arms] != NONE]] = 1
    for mountain, event in zip(s["mountain"][: s["mountains"]], s["event"], strict=False):
        events[:, mountain] = np.arange(1, HIDDEN + 1) == event
    yield "tiles", np.where(tile == MOUNTAIN, tiles + 1, tile).reshape(rows, columns), tiles + 2
    yield "supply", s["supply"][: rows * columns].reshape(rows, columns) / min(MOST_SUPPLY, layout.canals), 0
    yield "events", events.reshape(-1, rows, columns), 0
    yield "canals_east", canal[:east].reshape(rows + 1, columns), 0
    yield "canals_north", canal[east:].reshape(rows, columns + 1), 0
    yield "springs", points[0].reshape(rows + 1, columns + 1), 0
    yield "ends", points[1].reshape(rows + 1, columns + 1), 0
    yield "hands", s["hand"][:tiles].reshape(players, VALUES) / np.maximum(1, layout.tiles), 0
    yield "springs_left", 1 - springs / layout.springs, 0
    yield "canals_left", s["left"] / layout.canals, 0
    yield "die", s["die"] if s["phase"] == HOUSE else NONE, len(layout.regions)
    yield "rolls", 0 if is_over else s["rolls"] / ROLLS, 0
    yield "phase", s["phase"], OVER + 1
    yield "player", NONE if is_over else s["player"], players
    yield "idle", s["idle"] / (IDLE_ROUNDS * players), 0
