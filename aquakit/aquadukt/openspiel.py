"""What OpenSpiel asks of this game: its name, and the actions that a board has names for.

Events are left out, since they are hidden from the players; the seed draws the mountains.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Action

NAME, TITLE = "python_aquadukt", "Aquädukt"
PARAMETERS = {"layout": "aquadukt2", "seed": 0}
"""The options of the start that can be chosen, as they are if nothing is said."""
HAS_CHANCE = True


def list_actions(layout: Layout) -> Iterator[Action]:
    """Names all actions."""
    yield from (Action(word) for word in ("roll", "decline", "stop", "pass"))
    squares = [name for region in layout.regions for name in region]
    for square, value in product(squares, range(1, len(layout.tiles) + 1)):
        yield Action("house", value=value, square=square)
    yield from (Action("spring", point=name) for name in layout.point_index)
    yield from (Action("canal", segment=name) for name in layout.segment_index)


def list_outcomes(layout: Layout) -> Iterator[Action]:
    """Names the regions that the die can show."""
    return (Action("die", region=number) for number in range(1, len(layout.regions) + 1))


def longest_game(layout: Layout) -> int:
    """Counts three idle rounds beside each piece put down, and three rolls with a tile each in every turn."""
    pieces = layout.players * sum(layout.tiles) + layout.springs + layout.canals
    return 2 * 3 * 3 * layout.players * (1 + pieces)
