"""What OpenSpiel asks of this game: its name, and the actions that a board has names for. The setup is left out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from aquakit.romana.kernel import CODES, EMPTY, KINDS, SEGMENTS
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


def longest_game(layout: Layout) -> int:
    """Counts an idle round beside each tile, three decisions a turn, and the builders placed and picked."""
    turns = len(layout.players) * (1 + sum(layout.stock))
    return 3 * turns + 2 * len(layout.outlets) + sum(layout.builders)
