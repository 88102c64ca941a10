"""What the networkx model finds on a board, as data: arms, what they water, reach, sites for springs, regions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

ArmId: TypeAlias = tuple[str, str]
"""An arm's name: its spring's point and its first step, n e s or w, as in ("3.5", "n")."""
Houses: TypeAlias = tuple[int, ...]
"""A number of houses for each player, in turn order as in `Position.scores`."""


class ArmPath(NamedTuple):
    """An arm of canals, from its spring to its end."""

    spring: str
    step: str
    """The first step, n e s or w."""
    points: tuple[str, ...]
    """The points it touches; the first is the spring's."""
    segments: tuple[str, ...]
    doubles: int
    """How many of its segments are double; they come first."""

    @property
    def id(self) -> ArmId:
        """Its name, which the graph's other questions take."""
        return self.spring, self.step

    @property
    def singles(self) -> int:
        """How many of its segments hold one canal."""
        return len(self.segments) - self.doubles

    @property
    def canals(self) -> int:
        """How many canals it is made of."""
        return len(self.segments) + self.doubles

    @property
    def end(self) -> str:
        """The point from which it can go on."""
        return self.points[-1]


class Watering(NamedTuple):
    """What an arm waters."""

    arm: ArmId
    squares: Mapping[str, int]
    """The squares it feeds, each with the number of canals it contributes to the supply [Q5]."""
    tiles: Mapping[str, str]
    """The tiles on them, such as B3."""
    houses: Houses
    """The houses on these tiles by owner, events aside."""


class Gain(NamedTuple):
    """What one more canal would water."""

    segment: str
    way: str
    """start, extend or double"""
    arm: ArmId
    """The arm that it would begin or belong to."""
    mover: int
    """Who would lay it, 1-based."""
    squares: frozenset[str]
    """The squares that would get their first water."""
    tiles: Mapping[str, str]
    """The tiles on them, such as B3."""
    points: Houses
    """By how much each player's score would change; in the variant, events count."""

    @property
    def advantage(self) -> int:
        """The mover's points less those of the other player who gets most."""
        others = [points for player, points in enumerate(self.points, start=1) if player != self.mover]
        return self.points[self.mover - 1] - max(others, default=0)


class Area(NamedTuple):
    """Squares that water could come to."""

    squares: frozenset[str]
    houses: Houses
    """The houses on tiles there that have no water yet, by owner."""


class Reach(NamedTuple):
    """Where an arm can still go."""

    arm: ArmId
    points: frozenset[str]
    """The free points that its end can get to."""
    steps: int
    """An upper bound of the segments that it can still gain."""
    beside: Area
    """What lies beside the segments on its way."""
    deep: Area
    """What else could be watered by doubling, the arm's own segments included."""


class SpringSite(NamedTuple):
    """A point where a spring may stand."""

    point: str
    ways: str
    """The directions in which an arm could start, of n e s w."""
    one: Area
    """What the first canal laid from here could water."""
    two: Area
    """What one of the first two canals laid from here could water."""


class Region(NamedTuple):
    """A region and what is at stake in it."""

    number: int
    free: tuple[str, ...]
    """The squares without tile and mountain."""
    tiles: Mapping[str, str]
    dry: Mapping[str, str]
    """The tiles without water, which leave the game if the region fills now."""
    losses: Houses
    """The houses on those, by owner; the tile that fills the region leaves too if it has no water."""
