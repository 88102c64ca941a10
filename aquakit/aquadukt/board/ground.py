"""The ground of a map: how its regions are tinted, where lines run, and where a region's number stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from aquakit.aquadukt.kernel import NONE
from aquakit.aquadukt.layout import Layout
from aquakit.core import grid

TINTS = 6
"""How many tints are made for regions; only a map with scattered regions can need more."""

Spot = tuple[int, int]
"""A column line and a row line of the grid."""


class Lines(NamedTuple):
    """The lines of a map, as long as they run straight, each from one point to another."""

    within: list[tuple[Spot, Spot]]
    """Between squares of one region."""
    between: list[tuple[Spot, Spot]]
    """Between regions."""
    rim: list[tuple[Spot, Spot]]
    """Around the board and its holes."""


# Tints


def tint_regions(layout: Layout) -> tuple[int, ...]:
    """Gets a tint for each region, so that regions with a common border differ."""
    near, corner = _touching(layout, ((1, 0), (0, 1))), _touching(layout, ((1, 1), (-1, 1)))
    tints = [NONE] * len(near)
    while NONE in tints:
        # The region with the fewest tints to choose from comes first, so that few are needed in all.
        chosen = max(
            (r for r, tint in enumerate(tints) if tint == NONE),
            key=lambda r: (len({tints[other] for other in near[r]} - {NONE}), len(near[r]), -r),
        )
        taken = {tints[other] for other in near[chosen]}
        free = [t for t in range(TINTS) if t not in taken] or [max(taken) + 1]
        around = [tints[other] for other in corner[chosen]]
        tints[chosen] = min(free, key=lambda t: (around.count(t), tints.count(t)))
    return tuple(tints)


def _touching(layout: Layout, steps: Iterable[tuple[int, int]]) -> list[set[int]]:
    """Lists the regions that each region meets by some steps from square to square."""
    region, columns = layout.region, layout.columns
    found: list[set[int]] = [set() for _ in range(max(region) + 1)]
    for square, a in enumerate(region):
        column = square % columns
        for dx, dy in steps:
            other = square + dy * columns + dx
            if not (0 <= column + dx < columns and other < len(region)):
                continue
            b = region[other]
            if NONE not in (a, b) and a != b:
                found[a].add(b)
                found[b].add(a)
    return found


# Lines


def find_lines(layout: Layout) -> Lines:
    """Finds a map's lines."""
    kinds: tuple[set[tuple[Spot, int]], ...] = (set(), set(), set())
    for square in filter(layout.has_square, range(len(layout.region))):
        row, column = divmod(square, layout.columns)
        for side in range(4):
            other = layout.neighbour(square, side)
            kind = 2 if not layout.has_square(other) else int(layout.region[square] != layout.region[other or 0])
            start = (column + (side == grid.EAST), row + (side == grid.NORTH))
            kinds[kind].add((start, int(side in (grid.EAST, grid.WEST))))
    return Lines(*(_join(edges) for edges in kinds))


def outline(layout: Layout, region: int) -> list[tuple[Spot, Spot]]:
    """Finds the lines around a region."""
    edges: set[tuple[Spot, int]] = set()
    for name in layout.regions[region]:
        row, column = divmod(layout.square_index[name], layout.columns)
        sides = {((column, row), 0), ((column, row + 1), 0), ((column, row), 1), ((column + 1, row), 1)}
        edges ^= sides
    return _join(edges)


def _join(edges: set[tuple[Spot, int]]) -> list[tuple[Spot, Spot]]:
    """Joins unit edges, each running east (0) or north (1) from a point, to lines that are as long as possible."""
    made = []
    for (x, y), way in sorted(edges):
        dx, dy = 1 - way, way
        if ((x - dx, y - dy), way) in edges:
            continue
        length = 1
        while ((x + length * dx, y + length * dy), way) in edges:
            length += 1
        made.append(((x, y), (x + length * dx, y + length * dy)))
    return made


# Numbers


@lru_cache(maxsize=64)
def rank_squares(layout: Layout) -> tuple[tuple[str, ...], ...]:
    """Sorts each region's squares by how well its number would stand there: amid the region, and north rather."""
    return tuple(tuple(sorted(squares, key=_remoteness(layout, squares))) for squares in layout.regions)


def _remoteness(layout: Layout, squares: tuple[str, ...]) -> Callable[[str], tuple[int, int, int]]:
    spots = {name: divmod(layout.square_index[name], layout.columns) for name in squares}

    def key(name: str) -> tuple[int, int, int]:
        y, x = spots[name]
        return sum(abs(x - x2) + abs(y - y2) for y2, x2 in spots.values()), -y, x

    return key
