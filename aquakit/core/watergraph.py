"""What the networkx models of all games share: the position they are made of, and looking up names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Generic, TypeVar

from aquakit.errors import InvalidOption

PositionT = TypeVar("PositionT")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class OfPosition(Generic[PositionT]):
    """A networkx graph made of a position, which networkx hands on to copies and subgraphs."""

    graph: dict[str, Any]

    @property
    def position(self) -> PositionT:
        """The position that the graph was made of."""
        if "position" not in self.graph:
            raise InvalidOption("graph", "belongs to no position", "one made by WaterGraph.of")
        made_of: PositionT = self.graph["position"]
        return made_of


def look_up(what: str, name: K, known: Mapping[K, V], place: str, expected: str = "") -> V:
    """Gets what a name stands for; an error says what the place has instead."""
    if name not in known:
        listed = f"one of {', '.join(map(str, known))}" if known else f"nothing: {place} has no {what} now"
        raise InvalidOption(what, f"there is no {name!r} on {place}", expected or listed)
    return known[name]
