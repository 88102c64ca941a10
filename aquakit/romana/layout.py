"""Layouts of Aqua Romana: reads and checks them and precomputes the kernel's tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from aquakit.core import grid
from aquakit.core.layouts import BaseLayout
from aquakit.core.tomlfile import Table
from aquakit.romana import kernel
from aquakit.romana.kernel import CODES, KINDS, NONE, OPEN, RESERVOIR, SEGMENTS, State, Tables

COLOURS = {"R": "Red", "Y": "Yellow", "G": "Green", "B": "Blue"}

Colour = Literal["R", "Y", "G", "B"]
Tile = Literal["|", "-", "L", "J", "F", "7", "+", "Z", "N"]
Size = Annotated[int, Field(ge=3, le=26)]
Count = Annotated[int, Field(ge=0, le=999)]
Few = Annotated[int, Field(ge=0, le=60)]


# The compiled kernel's capacities: usual boards have small numbers, which copy fast; large ones go up to 26 by 26.
STANDARD: dict[str, int | str] = {
    "squares": 120, "ports": 480, "edges": 255, "sides": 510, "words": 4, "path": 60, "moves": 1088, "edge": "u1",
}  # fmt: skip
LARGE: dict[str, int | str] = {
    "squares": 676, "ports": 2704, "edges": 1404, "sides": 2808, "words": 22, "path": 104, "moves": 6400, "edge": "i2",
}  # fmt: skip


class Stock(Table):
    """Tiles by kind [R1]."""

    c: Count
    s: Count
    b: Count
    d: Count


class Builders(Table):
    """Builders by kind, those in the reserve included."""

    c: Few
    s: Few
    b: Few
    d: Few
    j: Few


class Reservoir(Table):
    """A reservoir: the squares of a rectangle, two on the usual boards, and its outlets in order [R2]."""

    colour: Colour
    squares: Annotated[tuple[str, ...], Field(min_length=1, max_length=6)]
    outlets: Annotated[tuple[str, ...], Field(min_length=1, max_length=6)]


class LayoutFile(Table):
    """A layout file."""

    game: Literal["romana"] = "romana"
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
    title: str
    columns: Size
    rows: Size
    players: Annotated[tuple[Annotated[str, Field(pattern=r"^[RYGB]+$")], ...], Field(min_length=1, max_length=4)]
    printed: dict[str, Tile] = Field(default_factory=dict)
    reservoirs: Annotated[tuple[Reservoir, ...], Field(min_length=1, max_length=4)]
    stock: Stock
    builders: Builders
    reserve: Annotated[str, Field(pattern=r"^[csbdj]*$")]
    arrangement: str | None = None
    podiums: Annotated[tuple[Annotated[int, Field(ge=1, le=24)], ...], Field(min_length=1, max_length=40)]


@dataclass(frozen=True)
class Outlet:
    """Where an aqueduct begins."""

    name: str
    """Colour and number, such as R1."""
    owner: int
    """The player who owns it, 1-based."""
    square: int
    """The reservoir's square."""
    side: int


class Layout(BaseLayout):
    """A board of Aqua Romana.

    >>> Layout.load("romana4").outlets[0]
    Outlet(name='R1', owner=1, square=79, side=3)
    """

    folder = Path(__file__).with_name("layouts")
    model = LayoutFile
    _data: LayoutFile

    def __init__(self, text: str, ref: str = "", *, source: str = "layout") -> None:
        super().__init__(text, ref, source=source)
        data = self._data
        self.name, self.title = data.name, data.title
        self.columns, self.rows = data.columns, data.rows
        self.players = data.players
        """Each player's colours, in turn order."""
        self.podiums = data.podiums
        """Places on podiums 1, 2, 3 …"""
        self.stock: tuple[int, ...] = tuple(data.stock.model_dump().values())
        """Tiles of each kind."""
        self.builders: tuple[int, ...] = tuple(data.builders.model_dump().values())
        """Builders of each kind, those in the reserve included."""
        self.reserve = "".join(sorted(data.reserve, key=KINDS.index))
        self.path_names = self._name_path()
        """The path squares, clockwise from the north-west."""
        self.reservoirs = self._check_reservoirs()
        """The squares of each colour's reservoir."""
        self.printed = self._check_printed()
        """Codes of the tiles printed on the board, by square."""
        self.outlets = self._check_outlets()
        """The aqueducts' beginnings, by player in turn order."""
        self.arrangement = self._check_builders()
        """The builder on each path square when a game starts without a setup [R12]."""
        self._check_printed_joins()

    @property
    def summary(self) -> str:
        """What the board holds, in a line."""
        return f"{super().summary}, {len(self.players)} players, {len(self.outlets)} aqueducts"

    # Names

    def _name_path(self) -> tuple[str, ...]:
        columns, rows = grid.COLUMNS[: self.columns], range(1, self.rows + 1)
        sides = (("N", columns), ("E", rows[::-1]), ("S", columns[::-1]), ("W", rows))
        return tuple(f"{side}{line}" for side, lines in sides for line in lines)

    @cached_property
    def path_index(self) -> dict[str, int]:
        """The number of each path square, by name."""
        return {name: index for index, name in enumerate(self.path_names)}

    @cached_property
    def aqueduct_index(self) -> dict[str, int]:
        """The number of each aqueduct, by name."""
        return {outlet.name: index for index, outlet in enumerate(self.outlets)}

    def split_path(self, values: str) -> list[str]:
        """Splits one character per path square into the four sides."""
        ends = (0, self.columns, self.columns + self.rows, 2 * self.columns + self.rows, len(values))
        return [values[start:end] for start, end in pairwise(ends)]

    # Checks

    def _check_reservoirs(self) -> dict[str, tuple[int, ...]]:
        made: dict[str, tuple[int, ...]] = {}
        for i, reservoir in enumerate(self._data.reservoirs):
            field = f"reservoirs.{i}.squares"
            squares = tuple(self._square(name, field) for name in reservoir.squares)
            if not self._is_rectangle(squares):
                problem = f"{', '.join(reservoir.squares)} are no rectangle"
                raise self.fail(field, problem, "one to six squares that fill a rectangle, each once")
            if any(set(squares) & set(others) for others in made.values()):
                raise self.fail(field, "overlaps another reservoir")
            if reservoir.colour in made:
                raise self.fail(
                    f"reservoirs.{i}.colour", f"{reservoir.colour} has two reservoirs", "one for each colour"
                )
            made[reservoir.colour] = squares
        return made

    def _is_rectangle(self, squares: tuple[int, ...]) -> bool:
        rows, columns = ({place[i] for place in (divmod(q, self.columns) for q in squares)} for i in (0, 1))
        height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        return len(set(squares)) == len(squares) == height * width

    def _check_printed(self) -> dict[int, int]:
        taken = {square for squares in self.reservoirs.values() for square in squares}
        made = {}
        for name, tile in self._data.printed.items():
            square = self._square(name, "printed")
            if square in taken:
                raise self.fail(f"printed.{name}", "is a reservoir's square")
            made[square] = CODES.index(tile)
        return made

    def _check_outlets(self) -> tuple[Outlet, ...]:
        by_colour: dict[str, Reservoir] = {reservoir.colour: reservoir for reservoir in self._data.reservoirs}
        owned = Counter("".join(self.players))
        for colour, count in owned.items():
            if count > 1 or colour not in by_colour:
                problem = "is owned twice" if count > 1 else "has no reservoir"
                raise self.fail("players", f"{colour} {problem}", "every reservoir's colour once")
        for colour in by_colour:
            if colour not in owned:
                raise self.fail("players", f"nobody owns {colour}", "every reservoir's colour once")
        return tuple(
            outlet
            for player, colours in enumerate(self.players, start=1)
            for colour in colours
            for outlet in self._read_outlets(by_colour[colour], player)
        )

    def _read_outlets(self, reservoir: Reservoir, owner: int) -> list[Outlet]:
        taken = {square for squares in self.reservoirs.values() for square in squares}
        field = f"reservoirs.{self._data.reservoirs.index(reservoir)}.outlets"
        made: list[Outlet] = []
        for number, text in enumerate(reservoir.outlets, start=1):
            if text[:-1] not in reservoir.squares or text[-1:] not in tuple(grid.SIDES):
                expected = f"{' or '.join(reservoir.squares)} with N, E, S or W"
                raise self.fail(field, f"{text!r} is no outlet of this reservoir", expected)
            square, side = self._square(text[:-1], field), grid.SIDES.index(text[-1])
            ahead = self.neighbour(square, side)
            if ahead is None or ahead in taken:
                raise self.fail(field, f"{text} leads {'off the board' if ahead is None else 'into a reservoir'}")
            if any((o.square, o.side) == (square, side) for o in made):
                raise self.fail(field, f"{text} stands twice", "each outlet once")
            made.append(Outlet(f"{reservoir.colour}{number}", owner, square, side))
        return made

    def _check_builders(self) -> str:
        places = len(self.path_names)
        waiting = Counter(self.reserve)
        on_path = [self.builders[k] - waiting[letter] for k, letter in enumerate(KINDS)]
        for letter, count in zip(KINDS, on_path, strict=True):
            if count < 0:
                raise self.fail("reserve", f"has more builders {letter} than there are")
        if sum(on_path) < 1:
            raise self.fail("builders", "leave none for the path", "at least one beside the reserve")
        if sum(self.builders) > places:
            raise self.fail("builders", f"are {sum(self.builders)} for {places} path squares", f"at most {places}")
        given = self._data.arrangement
        if given is None:
            return spread_builders(on_path, places)
        expected = "/".join(self.split_path("." * places))
        joined = given.replace("/", "")
        if len(joined) != places or "/".join(self.split_path(joined)) != given or set(joined) - set(KINDS + "."):
            raise self.fail("arrangement", f"{given!r} does not fit the path", f"a letter or . for each of {expected}")
        for letter, count in zip(KINDS, on_path, strict=True):
            if joined.count(letter) != count:
                raise self.fail("arrangement", f"has {joined.count(letter)} builders {letter}", str(count))
        return joined

    def _check_printed_joins(self) -> None:
        state = self.bare_state()
        for square, code in self.printed.items():
            if not kernel.fits(self.tables, state, square, code):
                raise self.fail(f"printed.{self.square_names[square]}", "joins two outlets [R3]")
            kernel.lay(self.tables, state, square, code)

    # Tables for the kernel

    @cached_property
    def sizes(self) -> dict[str, int]:
        """What the kernel's records need for this board."""
        squares = self.columns * self.rows
        edges = 2 * squares + self.columns + self.rows
        path, words = len(self.path_names), (squares + 31) // 32
        moves = max(9 * squares, 5 * path, 24 * len(self.outlets))
        return {
            "squares": squares,
            "ports": 4 * squares,
            "edges": edges,
            "sides": 2 * edges,
            "words": words,
            "path": path,
            "moves": moves,
        }

    @cached_property
    def capacity(self) -> dict[str, Any]:
        """The compiled kernel's record sizes for this board."""
        fits = all(int(STANDARD[name]) >= size for name, size in self.sizes.items())
        return STANDARD if fits else LARGE

    def _seen(self, square: int, side: int) -> int:
        """Gets the number of the path square seen from a square in a direction."""
        line = (grid.COLUMNS[square % self.columns], str(square // self.columns + 1))[side % 2]
        return self.path_index[grid.SIDES[side] + line]

    @cached_property
    def tables(self) -> Tables:
        """The kernel's tables for this layout."""
        t = Tables.new(self.sizes)
        t.squares, t.words, t.path = self.sizes["squares"], self.sizes["words"], self.sizes["path"]
        t.players, t.aqueducts, t.podiums = len(self.players), len(self.outlets), len(self.podiums)
        t.port[:] = [NONE] * len(t.port)
        for port in range(4 * t.squares):
            edge = self.edge(port // 4, port % 4)
            t.edge[port] = edge
            t.port[2 * edge + (t.port[2 * edge] != NONE)] = port
            t.sight[port] = self._seen(port // 4, port % 4)
        t.side[:] = [grid.SIDES.index(name[0]) for name in self.path_names]
        for a, outlet in reversed(list(enumerate(self.outlets))):
            t.owner[a] = outlet.owner - 1
            t.first[outlet.owner - 1] = a
            t.mine[outlet.owner - 1] |= 1 << a
        t.capacity[1 : t.podiums + 1] = self.podiums
        fill_tile_tables(t)
        return t

    def bare_state(self) -> State:
        """Creates the board with its reservoirs and their workmen, and nothing else."""
        t, s = self.tables, State.new(self.sizes)
        s.other[:] = range(len(s.other))
        s.own[:] = [NONE] * len(s.own)
        s.path[:] = [NONE] * len(s.path)
        for squares in self.reservoirs.values():
            for square in squares:
                s.tile[square] = RESERVOIR
        for square in range(t.squares):
            if s.tile[square] != RESERVOIR:
                s.empty[square >> 5] |= 1 << (square & 31)
        for a, outlet in enumerate(self.outlets):
            ahead = self.neighbour(outlet.square, outlet.side)
            assert ahead is not None
            s.tip[a] = t.edge[4 * outlet.square + outlet.side]
            s.own[s.tip[a]] = a
            s.stand[a], s.face[a], s.entry[a] = outlet.square, ahead, (outlet.side + 2) % 4
            s.score[a] = OPEN
            s.open |= 1 << a
        s.room[:] = t.capacity[:]
        return s


def spread_builders(counts: list[int], places: int) -> str:
    """Spreads builders evenly over the path, kinds in repeating order [R12].

    >>> spread_builders([1, 2, 0, 1, 0], 12)
    'c..s..d..s..'
    """
    left, order = list(counts), []
    while any(left):
        for kind, letter in enumerate(KINDS):
            if left[kind]:
                left[kind] -= 1
                order.append(letter)
    made = ["."] * places
    for i, letter in enumerate(order):
        made[i * places // len(order)] = letter
    return "".join(made)


def fill_tile_tables(t: Tables) -> None:
    """Fills in what the tiles themselves fix, the same on every board."""
    t.kind[:] = kernel.KIND_OF
    t.segment[:] = [NONE] * len(t.segment)
    t.unjoined[:] = [0] * 16
    for code, segments in enumerate(SEGMENTS):
        for i, side in enumerate(side for segment in segments for side in segment):
            t.segment[4 * code + i] = side
            t.ports[code] |= 1 << side
            t.with_port[side] |= 1 << code
        if segments:
            t.of_kind[t.kind[code]] |= 1 << code
            for ends in range(16):
                if not any(ends >> a & ends >> b & 1 for a, b in segments):
                    t.unjoined[ends] |= 1 << code
