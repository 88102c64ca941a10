"""What the networkx model finds on a board, as data: paths, what a tile would join, walls, reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias


class AqueductPath(NamedTuple):
    """An aqueduct's path, from its outlet to its end."""

    name: str
    open: bool
    """Whether its workman is still on the board."""
    nodes: tuple[str, ...]
    """The grid edges passed, in order; the first is the outlet."""
    squares: tuple[str, ...]
    """The squares passed, in order; one passed twice stands twice."""
    end: str
    """The square on which it ends: the reservoir's at length 0."""
    facing: str | None
    """The square that its end faces, or none at the rim."""

    @property
    def length(self) -> int:
        """The number of segments passed."""
        return len(self.squares)

    @property
    def end_node(self) -> str:
        """The grid edge at which it stops."""
        return self.nodes[-1]


class LooseEnd(NamedTuple):
    """An end of a loose path."""

    node: str
    square: str
    """The path's last square."""
    facing: str | None
    """The square that it faces, or none at the rim."""
    free: bool
    """Whether that square is empty, so that the path can still be met here."""


class LoosePath(NamedTuple):
    """Segments in a row that no outlet reaches."""

    nodes: tuple[str, ...]
    squares: tuple[str, ...]
    """The squares passed, in order; one passed twice stands twice."""
    ends: tuple[LooseEnd, ...]
    """Its two ends, in the order of the squares; a loop has none."""

    @property
    def length(self) -> int:
        """The number of segments."""
        return len(self.squares)

    @property
    def is_loop(self) -> bool:
        """Whether it leads back into itself."""
        return not self.ends


class Touch(NamedTuple):
    """What meets a loose path's end at an empty square."""

    node: str
    square: str
    aqueducts: Mapping[str, str]
    """The aqueducts that end at this square too, open or closed, with the codes that would connect them."""


class NewSegment(NamedTuple):
    """One segment of a tile not yet laid."""

    sides: tuple[str, str]
    ends: tuple[str | LoosePath | None, str | LoosePath | None]
    """What ends at either side: an aqueduct by its name, a loose path, or nothing."""


class Joining(NamedTuple):
    """What a tile would join on an empty square."""

    tile: str
    allowed: bool
    """Whether it joins no two outlets [R3]."""
    links: tuple[NewSegment, ...]
    lengths: Mapping[str, int]
    """The new length of each aqueduct that it extends; empty if it is not allowed."""
    taken: Mapping[str, tuple[LoosePath, ...]]
    """The loose paths that become part of each of them."""


class Exit(NamedTuple):
    """A side by which an aqueduct may leave the square that it faces."""

    side: str
    leads: str
    """empty, loose, aqueduct (forbidden [R3]), wall (a reservoir, or a tile without a port there) or rim"""
    to: str | LoosePath | None
    """The square beyond, the loose path, the aqueduct's name, or none at the rim."""
    tiles: str
    """The codes that fit [R3] and lead out by this side."""
    onward: str
    """Those of them after which the aqueduct is not walled in."""


class Closer(NamedTuple):
    """A tile that would wall in an aqueduct."""

    player: int
    """Who could lay it, 1-based."""
    square: str
    tile: str


class Prospect(NamedTuple):
    """How an open aqueduct can go on."""

    aqueduct: str
    owner: int
    facing: str | None
    walled_in: bool
    """Whether its end cannot be extended any more: the next tile laid by anyone closes it."""
    exits: tuple[Exit, ...]
    """The other three sides of the empty square that it faces; none if it faces no such square."""
    closers: tuple[Closer, ...]
    """The extensions that would wall it in, of each player as if it were their turn now."""

    @property
    def ways_out(self) -> str:
        """The sides by which some tile leads it on to an end that is not walled in."""
        return "".join(way.side for way in self.exits if way.onward)

    @property
    def is_dead_end(self) -> bool:
        """Whether every tile on the square it faces would close it."""
        return not self.ways_out

    @property
    def threats(self) -> tuple[Closer, ...]:
        """The closers of other players."""
        return tuple(closer for closer in self.closers if closer.player != self.owner)


class Reach(NamedTuple):
    """How far an aqueduct can still get."""

    aqueduct: str
    squares: frozenset[str]
    """The empty squares that its end can reach."""
    loose: tuple[LoosePath, ...]
    """The loose paths that end at them."""
    gain: int
    """An upper bound of the length that it can still gain."""


AnyPath: TypeAlias = AqueductPath | LoosePath | None
