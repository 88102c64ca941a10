"""Where the segments of a board lie: their ends, and the squares that canals on them can water."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import TypeAlias

from aquakit.aquadukt.layout import Layout
from aquakit.core.grid import COLUMNS

Surroundings: TypeAlias = tuple[str, str, tuple[str, ...], tuple[str, ...]]
"""A segment's two ends, the squares next to it, and those behind them."""


def place(point: str) -> tuple[int, int]:
    """Gets a point's column line and row line."""
    x, y = point.split(".")
    return int(x), int(y)


@lru_cache(maxsize=32)
def surroundings(layout: Layout) -> dict[str, Surroundings]:
    """Gets what lies around each segment, which is the same in all positions."""
    known = {square for region in layout.regions for square in region}
    return {segment: _surround(segment, known) for segment in layout.segment_index}


def _surround(segment: str, known: Set[str]) -> Surroundings:
    """Gets a segment's ends and the known squares that it can water: next to it, and behind those."""
    start, runs = segment[:-1], segment[-1]
    x, y = place(start)
    east, north = (1, 0) if runs == "h" else (0, 1)
    sides = [[(x + i * north, y + i * east) for i in row] for row in ((-1, 0), (-2, 1))]
    near, deep = (tuple(q for q in map(_square, side) if q in known) for side in sides)
    return start, f"{x + east}.{y + north}", near, deep


def _square(place: tuple[int, int]) -> str:
    """Names the square north-east of a point, or nothing off the grid."""
    x, y = place
    return f"{COLUMNS[x]}{y + 1}" if 0 <= x < len(COLUMNS) else ""
