"""Follows the water of an aqueduct, segment by segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from aquakit.romana.kernel import SEGMENTS
from aquakit.romana.layout import Layout, Outlet


def follow(layout: Layout, codes: Sequence[int], outlet: Outlet) -> Iterator[tuple[int, int, int]]:
    """Follows the tiles from an outlet: each square passed, with the sides of entry and of exit."""
    square, side = outlet.square, outlet.side
    while (ahead := layout.neighbour(square, side)) is not None:
        entry = (side + 2) % 4
        through = [pair for pair in SEGMENTS[codes[ahead]] if entry in pair]
        if not through:
            return
        square, side = ahead, sum(through[0]) - entry
        yield square, entry, side
