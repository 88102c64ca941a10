"""The water of all aqueducts as it is drawn."""

from __future__ import annotations

from typing import NamedTuple

from aquakit.romana.position import Aqueduct, Position
from aquakit.romana.water import follow


class Watercourse(NamedTuple):
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


def watercourses(position: Position) -> list[Watercourse]:
    """Follows all aqueducts from their outlets to their ends."""
    layout, codes, names = position.layout, position.state.tile, position.layout.square_names
    made = []
    for outlet, aqueduct in zip(layout.outlets, position.aqueducts, strict=True):
        segments = tuple((names[q], entry, leave) for q, entry, leave in follow(layout, codes, outlet))
        made.append(Watercourse(aqueduct, names[outlet.square], outlet.side, segments))
    return made
