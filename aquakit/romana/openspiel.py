"""What OpenSpiel asks of this game: its name, the actions that a board has names for, and what is seen of a state.

The setup is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from aquakit.romana.kernel import CODES, EMPTY, EXTRA, KINDS, OPEN, OVER, SEGMENTS
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Action

NAME, TITLE = "python_aqua_romana", "Aqua Romana"
PARAMETERS = {"layout": "romana2"}
"""The options of the start that can be chosen, as they are if nothing is said."""
HAS_CHANCE = False


def list_actions(layout: Layout) -> Iterator[Action]:
    """Names all actions; a tile can be built only by a builder in line with a square beside it."""
    free = [q for q, code in enumerate(layout.bare_state().tile) if code == EMPTY and q not in layout.printed]
    tiles = [code for code, segments in zip(CODES, SEGMENTS, strict=True) if segments]
    names, sight = layout.path_names, layout.tables.sight
    for square in free:
        beside = [q for side in range(4) if (q := layout.neighbour(square, side)) is not None]
        seen = sorted({p for q in beside for p in sight[4 * q : 4 * q + 4]})
        for tile, p in product(tiles, seen):
            yield Action("build", layout.square_names[square], tile, names[p])
    for square, tile in product(free, tiles):
        yield Action("extra", layout.square_names[square], tile)
    for builder, name in product(KINDS, names):
        yield Action("place", path=name, builder=builder)
    yield from (Action("advance", path=name) for name in names)
    yield from (Action("close", aqueduct=name) for name in ("-", *layout.aqueduct_index))
    yield from (Action("pick", builder=builder) for builder in KINDS)


def list_outcomes(layout: Layout) -> Iterator[Action]:
    """Names nothing: there is no chance."""
    return iter(())


def list_hidden(layout: Layout, s: Any) -> dict[str, float]:
    """Lists nothing: everything is open to all."""
    return {}


def longest_game(layout: Layout) -> int:
    """Counts an idle round beside each tile, three decisions a turn, and the builders placed and picked."""
    turns = len(layout.players) * (1 + sum(layout.stock))
    return 3 * turns + 2 * len(layout.outlets) + sum(layout.builders)


def observe(layout: Layout, s: Any, player: int) -> Iterator[tuple[str, Any, int]]:
    """Names what is seen of a record of the kernel's state: numbers from 0 to 1, or which of so many something is."""
    outlets, players = len(layout.outlets), len(layout.players)
    board, aqueducts = (layout.rows, layout.columns), np.arange(outlets)
    score, builders = s["score"][:outlets], np.maximum(1, layout.builders)
    squares = np.arange(layout.rows * layout.columns)
    facing = np.where(score == OPEN, s["face"][:outlets], -1)
    allowed = int(s["codes"]) if s["phase"] == EXTRA else 0
    yield "tiles", s["tile"][: len(squares)].reshape(board), len(CODES)
    yield "facing", np.equal.outer(facing, squares).reshape(outlets, *board), 0
    yield "length", s["length"][s["tip"][:outlets]] / _most_segments(layout), 0
    yield "open", score == OPEN, 0
    yield "podium", np.maximum(0, score) / len(layout.podiums), 0
    yield "closed_now", int(s["due"]) >> aqueducts & 1, 0
    yield "places", s["room"][1 : len(layout.podiums) + 1] / np.array(layout.podiums), 0
    yield "path", s["path"][: len(layout.path_names)], len(KINDS)
    yield "held", s["held"][: 5 * players].reshape(players, 5) / builders, 0
    yield "reserve", s["reserve"] / builders, 0
    yield "to_place", s["spare"] / builders, 0
    yield "stock", s["stock"] / np.maximum(1, layout.stock), 0
    yield "extra", allowed >> np.arange(len(CODES)) & 1, 0
    yield "phase", s["phase"], OVER + 1
    yield "mover", s["player"] if s["phase"] != OVER else -1, players
    yield "player", player, players
    yield "laid", s["laid"], 0
    yield "idle", s["idle"] / players, 0


def _most_segments(layout: Layout) -> int:
    """Counts the segments that stock and printed tiles bring to the board: no aqueduct is longer."""
    curved, straight, bridges, doubles = layout.stock
    room = layout.rows * layout.columns - 2 * len(layout.reservoirs) - len(layout.printed)
    laid = min(room, curved + straight + bridges + doubles)
    printed = sum(len(SEGMENTS[code]) for code in layout.printed.values())
    return laid + min(laid, bridges + doubles) + printed
