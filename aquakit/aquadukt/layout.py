"""Layouts of Aquädukt: reads and checks them and precomputes the kernel's tables."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from aquakit.aquadukt.kernel import FREE, MISSING, NONE, State, Tables
from aquakit.core import grid
from aquakit.core.layouts import BaseLayout
from aquakit.core.tomlfile import Table

NO_SQUARE = "."
LETTERS = "ABCD"
"""The players' letters, in turn order."""

Few = Annotated[int, Field(ge=0, le=24)]


# The compiled kernel's capacities: usual boards have small numbers, which copy fast; large ones go up to 26 by 26.
STANDARD: dict[str, int | str] = {
    "squares": 128, "points": 160, "ways": 640, "segments": 255, "water": 1020, "words": 5, "near": 800,
    "regions": 26, "members": 27, "moves": 256,
}  # fmt: skip
LARGE: dict[str, int | str] = {
    "squares": 676, "points": 729, "ways": 2916, "segments": 1404, "water": 5616, "words": 23, "near": 16767,
    "regions": 26, "members": 27, "moves": 2800,
}  # fmt: skip


class Events(Table):
    """The events of the variant, before they are drawn."""

    mineral: Few
    foul: Few


class LayoutFile(Table):
    """A layout file."""

    game: Literal["aquadukt"]
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
    title: str
    players: Annotated[int, Field(ge=1, le=4)]
    map: str
    tiles: Annotated[tuple[Annotated[int, Field(ge=0, le=99)], ...], Field(min_length=4, max_length=4)]
    mountains: Few
    springs: Annotated[int, Field(ge=1, le=12)]
    canals: Annotated[int, Field(ge=1, le=999)]
    spring_distance: Annotated[int, Field(ge=1, le=99)]
    mountain_distance: Annotated[int, Field(ge=1, le=99)]
    events: Events


class Layout(BaseLayout):
    """A board of Aquädukt.

    >>> Layout.load("aquadukt2").regions[6]
    ('e3', 'f3', 'e4', 'f4')
    """

    folder = Path(__file__).with_name("layouts")
    model = LayoutFile
    _data: LayoutFile

    def __init__(self, text: str, ref: str = "", *, source: str = "layout") -> None:
        super().__init__(text, ref, source=source)
        data = self._data
        self.name, self.title = data.name, data.title
        self.players = data.players
        self.tiles = data.tiles
        """Each player's tiles of value 1, 2, 3 and 4."""
        self.mountains, self.springs, self.canals = data.mountains, data.springs, data.canals
        self.spring_distance = data.spring_distance
        """How many steps two springs are apart at least [Q2]."""
        self.mountain_distance = data.mountain_distance
        """How many steps two mountains are apart at least if there are events [Q7]."""
        self.events = "m" * data.events.mineral + "f" * data.events.foul
        """The events, before they are drawn."""
        rows = data.map.split()
        self.columns, self.rows = max(map(len, rows), default=0), len(rows)
        self.region = self._check_map(rows)
        """Each square's region, from 0, or NONE where there is no square [Q1]."""
        self._check_room()

    # Checks

    def _check_map(self, rows: list[str]) -> tuple[int, ...]:
        if not (2 <= self.columns <= 26 and 2 <= self.rows <= 26):
            raise self.fail("map", f"is {self.columns} by {self.rows}", "2 to 26 columns and rows")
        for number, row in zip(range(self.rows, 0, -1), rows, strict=True):
            if len(row) != self.columns:
                raise self.fail("map", f"row {number} has {len(row)} squares", str(self.columns))
            for letter in row:
                if not ("A" <= letter <= "Z" or letter == NO_SQUARE):
                    raise self.fail("map", f"row {number} holds {letter!r}", "region letters A … Z, or .")
        found = sorted(set("".join(rows)) - {NO_SQUARE})
        wanted = [chr(ord("A") + i) for i in range(len(found))]
        if not found or found != wanted:
            raise self.fail("map", f"has the regions {''.join(found) or 'none'}", "letters from A on without a gap")
        return tuple(NONE if letter == NO_SQUARE else ord(letter) - ord("A") for letter in "".join(reversed(rows)))

    def _check_room(self) -> None:
        squares = sum(region != NONE for region in self.region)
        if self.mountains >= squares:
            raise self.fail("mountains", f"{self.mountains} on {squares} squares", f"fewer than {squares}")
        if 0 < len(self.events) < self.mountains:
            raise self.fail("events", f"{len(self.events)} for {self.mountains} mountains", "one for each at least")

    @property
    def summary(self) -> str:
        """What the board holds, in a line."""
        return f"{super().summary} in {len(self.regions)} regions, {self.players} players, {self.canals} canals"

    # Names

    @cached_property
    def regions(self) -> tuple[tuple[str, ...], ...]:
        """The squares of each region, regions in the order of their numbers."""
        names = self.square_names
        return tuple(
            tuple(names[q] for q, region in enumerate(self.region) if region == number)
            for number in range(max(self.region) + 1)
        )

    def has_square(self, square: int | None) -> bool:
        """Checks whether the board has a square."""
        return square is not None and self.region[square] != NONE

    @cached_property
    def segment_names(self) -> tuple[str, ...]:
        """All grid edges by their south-western point and direction, those that border no square included."""
        run_east = [f"{x}.{y}h" for y in range(self.rows + 1) for x in range(self.columns)]
        run_north = [f"{x}.{y}v" for y in range(self.rows) for x in range(self.columns + 1)]
        return tuple(run_east + run_north)

    @cached_property
    def segment_index(self) -> dict[str, int]:
        """The number of each segment of the board, by name."""
        return {name: e for e, name in enumerate(self.segment_names) if self._borders(e)}

    @cached_property
    def _bordering(self) -> dict[int, list[tuple[int, int]]]:
        """The squares at each grid edge, with the side of theirs that it is."""
        found: dict[int, list[tuple[int, int]]] = {}
        for square in filter(self.has_square, range(len(self.region))):
            for side in range(4):
                found.setdefault(self.edge(square, side), []).append((square, side))
        return found

    def _borders(self, edge: int) -> bool:
        return edge in self._bordering

    @cached_property
    def point_names(self) -> tuple[str, ...]:
        """All points of the grid, from the south-west, row by row, those that border no square included."""
        return tuple(f"{x}.{y}" for y in range(self.rows + 1) for x in range(self.columns + 1))

    @cached_property
    def point_index(self) -> dict[str, int]:
        """The number of each point of the board, by name."""
        ends = {p for p in range(len(self.point_names)) for direction in range(4) if self.step(p, direction)}
        return {self.point_names[p]: p for p in sorted(ends)}

    def step(self, point: int, direction: int) -> tuple[int, int] | None:
        """Gets the point next to a point and the segment that leads there, or none."""
        y, x = divmod(point, self.columns + 1)
        dx, dy = grid.STEPS[direction]
        west, south = min(x, x + dx), min(y, y + dy)
        if not (0 <= x + dx <= self.columns and 0 <= y + dy <= self.rows):
            return None
        edge = south * self.columns + west if dx else self.columns * (self.rows + 1) + south * (self.columns + 1) + west
        return ((y + dy) * (self.columns + 1) + x + dx, edge) if self._borders(edge) else None

    def distance(self, a: int, b: int) -> int:
        """Counts the steps along grid lines between two points."""
        (ay, ax), (by, bx) = divmod(a, self.columns + 1), divmod(b, self.columns + 1)
        return abs(ax - bx) + abs(ay - by)

    # Tables for the kernel

    @cached_property
    def sizes(self) -> dict[str, int]:
        """What the kernel's records need for this board."""
        squares, points = self.columns * self.rows, (self.columns + 1) * (self.rows + 1)
        segments, words, regions = len(self.segment_names), (points + 31) // 32, max(self.region) + 1
        largest = max(map(len, self.regions))
        return {
            "squares": squares,
            "points": points,
            "ways": 4 * points,
            "segments": segments,
            "water": 4 * segments,
            "words": words,
            "near": points * words,
            "regions": regions,
            "members": regions + 1,
            "moves": max(1 + points + 8 * self.springs, 4 * largest + 1, regions),
        }

    @cached_property
    def capacity(self) -> dict[str, Any]:
        """The compiled kernel's record sizes for this board."""
        fits = all(int(STANDARD[name]) >= size for name, size in self.sizes.items())
        return STANDARD if fits else LARGE

    @cached_property
    def tables(self) -> Tables:
        """The kernel's tables for this layout."""
        t = Tables.new(self.sizes)
        t.squares, t.points, t.words = self.sizes["squares"], self.sizes["points"], self.sizes["words"]
        t.players, t.regions, t.springs = self.players, self.sizes["regions"], self.springs
        t.region[:] = self.region
        members = [self.square_index[name] for squares in self.regions for name in squares]
        t.member[: len(members)] = members
        for region, squares in enumerate(self.regions):
            t.members[region + 1] = t.members[region] + len(squares)
        self._fill_ways(t)
        self._fill_water(t)
        return t

    def _fill_ways(self, t: Tables) -> None:
        t.around[:] = [NONE] * len(t.around)
        for square in filter(self.has_square, range(t.squares)):
            for side in range(4):
                other = self.neighbour(square, side)
                if other is not None and self.has_square(other):
                    t.around[4 * square + side] = other
        for way in range(4 * t.points):
            t.beside[way], t.along[way] = self.step(way // 4, way % 4) or (NONE, NONE)
        points = list(self.point_index.values())
        for p in points:
            for q in points:
                if self.distance(p, q) < self.spring_distance:
                    t.near[p * t.words + (q >> 5)] |= 1 << (q & 31)

    def _fill_water(self, t: Tables) -> None:
        t.water[:] = [NONE] * len(t.water)
        for square in range(t.squares):
            for side in (grid.NORTH, grid.EAST):
                edge, ahead = self.edge(square, side), self.neighbour(square, side)
                self._fill_side(t, edge, 0, square, (side + 2) % 4)
                self._fill_side(t, edge, 1, ahead, side)
            for side in (grid.SOUTH, grid.WEST):
                if self.neighbour(square, side) is None:
                    self._fill_side(t, self.edge(square, side), 1, square, (side + 2) % 4)

    def _fill_side(self, t: Tables, edge: int, which: int, square: int | None, away: int) -> None:
        """Notes the square next to a segment on one side, and the one behind it; missing squares are nothing."""
        behind = None if square is None else self.neighbour(square, away)
        for i, q in ((which, square), (2 + which, behind)):
            if q is not None and self.has_square(q):
                t.water[4 * edge + i] = q

    def bare_state(self) -> State:
        """Creates the board with its regions and points, and nothing else."""
        t, s = self.tables, State.new(self.sizes)
        s.tile[:] = [MISSING if region == NONE else FREE for region in self.region]
        for field in (s.tip, s.head, s.last, s.wide, s.after):
            field[:] = [NONE] * len(field)
        for p in self.point_index.values():
            s.spring_room[p >> 5] |= 1 << (p & 31)
        for way in range(4 * t.points):
            if t.beside[way] != NONE:
                s.ways[way // 4] |= 1 << (way % 4)
        s.room[:] = [len(squares) for squares in self.regions]
        s.roomy = (1 << len(self.regions)) - 1
        return s
