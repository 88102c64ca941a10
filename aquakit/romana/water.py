"""Follows the water of each aqueduct segment by segment, for the pictures of a position."""

from __future__ import annotations

from typing import NamedTuple

from aquakit.romana.kernel import CODES, SEGMENTS
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


def courses(position: Position) -> list[Course]:
    """Follows all aqueducts from their outlets to their ends."""
    layout, tiles = position.layout, position.tiles
    made = []
    for outlet, aqueduct in zip(layout.outlets, position.aqueducts, strict=True):
        segments = []
        side = outlet.side
        for square in aqueduct.squares:
            entry = (side + 2) % 4
            side = next(a + b - entry for a, b in SEGMENTS[CODES.index(tiles[square])] if entry in (a, b))
            segments.append((square, entry, side))
        made.append(Course(aqueduct, layout.square_names[outlet.square], outlet.side, tuple(segments)))
    return made
