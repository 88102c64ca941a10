"""Follows the water of an aqueduct, segment by segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from aquakit.romana.kernel import SEGMENTS
from aquakit.romana.layout import Layout, Outlet

if TYPE_CHECKING:
    from aquakit.romana.position import Aqueduct, Position


class Course(NamedTuple):
    """The water of one aqueduct."""

    aqueduct: Aqueduct
    source: str
    """The reservoir's square."""
    outlet: int
    """The reservoir's side at which it begins."""
    segments: tuple[tuple[str, int, int], ...]
    """The squares passed, each with the sides of entry and of exit."""

    @property
    def exit(self) -> int:
        """The side of its last square at which it ends."""
        return self.segments[-1][2] if self.segments else self.outlet


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


def courses(position: Position) -> list[Course]:
    """Follows all aqueducts from their outlets to their ends."""
    layout, codes, names = position.layout, position.state.tile, position.layout.square_names
    made = []
    for outlet, aqueduct in zip(layout.outlets, position.aqueducts, strict=True):
        segments = tuple((names[q], entry, leave) for q, entry, leave in follow(layout, codes, outlet))
        made.append(Course(aqueduct, names[outlet.square], outlet.side, segments))
    return made
