"""Draws the board of a position, layer by layer: ground, tiles, water, builders, workmen and what is marked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from aquakit.core import grid
from aquakit.drawing.board_picture import CELL, RIM, BaseFrame, BaseScene, Look, Point
from aquakit.drawing.svg import Pen, element, escape, number, rect_path
from aquakit.romana.board.art import ACROSS, HALF, SEGMENT_PATHS, side_point
from aquakit.romana.board.watercourses import Watercourse, watercourses
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.position import Aqueduct, Position

DEPTH = 44
"""How deep a path square is; along the board it is as wide as a square."""
ROAD = 3
"""The road's edge on either side of its paving."""
STAND = 19
"""How far from its square's middle a workman stands, towards the end of the aqueduct."""
FOUNTAINS = ("NW", "NE", "SW", "SE")
"""The corners of the path."""


class BoardFrame(BaseFrame):
    """Where everything on the board lies."""

    def __init__(self, layout: Layout, look: Look) -> None:
        """Measures a layout as it is to look: seen from the south or flipped, with or without coordinates and panel."""
        super().__init__(layout.columns, layout.rows, look, around=DEPTH + 2 * ROAD)
        self.places |= {name: self.middle(square) for square, name in enumerate(layout.square_names)}
        for name in layout.path_names:
            self.places[name] = self.beside(name, ROAD + DEPTH / 2)
        for name in FOUNTAINS:
            self.places[name] = self.places[f"{name[1]}1"][0], self.places[f"{name[0]}a"][1]

    def side(self, side: int) -> int:
        """Gets the side of the picture at which a side of the board lies."""
        return (side + 2) % 4 if self.flip else side

    def beside(self, name: str, distance: float) -> Point:
        """Gets the point at a distance from the board's edge in the line of a path square."""
        side, line = grid.SIDES.index(name[0]), name[1:]
        x, y = self.places[f"{line}1" if side % 2 == 0 else f"a{line}"]
        match self.side(side):
            case grid.NORTH:
                return x, self.top - distance
            case grid.EAST:
                return self.right + distance, y
            case grid.SOUTH:
                return x, self.bottom + distance
            case _:
                return self.left - distance, y

    def towards(self, square: str, side: int, distance: float) -> Point:
        """Gets the point at a distance from a square's middle towards a side of the board."""
        (x, y), (dx, dy) = self.places[square], side_point(self.side(side), distance)
        return x + dx, y + dy

    def extent(self, name: str) -> tuple[float, float]:
        """Gets the width and height of a square, a path square or a fountain's corner."""
        sides = set(name)
        return DEPTH if sides & {"E", "W"} else CELL, DEPTH if sides & {"N", "S"} else CELL


class Scene(BaseScene):
    """Draws a position's board; each method draws one layer."""

    def __init__(self, position: Position, pen: Pen, frame: BoardFrame) -> None:
        """Gathers what the layers have in common."""
        super().__init__(pen, frame)
        self.position, self.frame = position, frame
        self.layout, self._tiles, self._builders = position.layout, position.tiles, position.builders
        self._courses = watercourses(position)
        self.aqueducts = [course.aqueduct for course in self._courses]

    # Ground

    def ground(self, *, coordinates: bool) -> str:
        """Draws the board's squares and the builders' path with its fountains."""
        f, pen = self.frame, self.pen
        wide = DEPTH + 2 * ROAD
        width, height = f.right - f.left, f.bottom - f.top
        road = rect_path(f.left - wide, f.top - wide, width + 2 * wide, height + 2 * wide, 16)
        paving = "".join(f.around(name, 1.2, 4) for name in self.layout.path_names)
        lines = [
            f"M{number(f.left + CELL * i)} {number(f.top)}v{number(height)}" for i in range(1, self.layout.columns)
        ]
        lines += [f"M{number(f.left)} {number(f.top + CELL * i)}h{number(width)}" for i in range(1, self.layout.rows)]
        return "".join((
            pen.path("road", road), pen.path("paving", paving),
            pen.path("ground", rect_path(f.left, f.top, width, height)), pen.path("grid", "".join(lines)),
            *(pen.use("fountain", *f.places[name]) for name in FOUNTAINS),
            self._coordinates() if coordinates else "",
        ))  # fmt: skip

    def _coordinates(self) -> str:
        free = [name for name in self.layout.path_names if name not in self._builders]
        engraved = [self._at("", self.frame.places[name], name, 4) for name in free]
        names = self.layout.path_names
        rim = [self._at("", self.frame.beside(n, DEPTH + 2 * ROAD + RIM / 2 + 1), n[1:], 5) for n in names]
        return self.pen.group("path", *engraved) + self.pen.group("coordinate", *rim)

    # Tiles and water

    def tiles(self) -> str:
        """Draws the tiles, dry, with the water that runs under bridges and the bridges' decks."""
        pen, f = self.pen, self.frame
        printed = [self.layout.square_names[square] for square in self.layout.printed]
        plates = "".join(f.around(name, 1.5, 3) for name in self._tiles if name not in printed)
        bases = "".join(f.around(name, 2.5, 3) for name in printed)
        decks = [pen.use("deck", *f.places[name]) for name, code in self._tiles.items() if code == "+"]
        return "".join((
            pen.path("printed", bases), pen.path("plate", plates),
            *(self._tile(name, code) for name, code in self._tiles.items()),
            *(self._stream(course, self._lower(course)) for course in self._courses), *decks,
        ))  # fmt: skip

    def _tile(self, name: str, code: str) -> str:
        x, y = self.frame.places[name]
        shown = _TURNED[code] if self.frame.flip else code
        return self.pen.use(f"t{CODES.index(shown)}", x, y, data_tile=f"{name}={code}")

    def reservoirs(self) -> str:
        """Draws the reservoirs in their owners' colours."""
        return "".join(self._reservoir(*each) for each in self.layout.reservoirs.items())

    def _reservoir(self, colour: str, squares: tuple[int, ...]) -> str:
        pen = self.pen
        xs, ys = zip(*(self.frame.places[self.layout.square_names[square]] for square in squares), strict=True)
        x, y = min(xs) - HALF, min(ys) - HALF
        width, height = CELL + max(xs) - min(xs), CELL + max(ys) - min(ys)
        basin = pen.path("basin", rect_path(x + 1.5, y + 1.5, width - 3, height - 3, 5))
        pool = pen.path(f"pool fill-{colour}", rect_path(x + 7, y + 7, width - 14, height - 14, 4))
        sign = pen.path(f"sign-{colour}", rect_path(x + 12, y + 12, width - 24, height - 24, 3))
        letter = self._at(f"on-{colour} sans bold", (x + width / 2, y + height / 2), colour, 7.5)
        return pen.group("reservoir", basin, pool, sign, letter, data_reservoir=colour)

    def water(self) -> str:
        """Draws the water of all aqueducts, except where it runs under bridges."""
        return "".join(self._stream(course, self._upper(course)) for course in self._courses)

    def _stream(self, course: Watercourse, d: str) -> str:
        name = course.aqueduct.name
        return self.pen.path(f"water stroke-{name[0]}", d, data_water=name) + self.pen.path(f"sign-{name[0]}", d)

    def _lower(self, course: Watercourse) -> str:
        made = []
        for square, entry, leave in course.segments:
            if self._is_lower(square, entry):
                x, y = self.frame.towards(square, entry, HALF)
                made.append(f"M{number(x)} {number(y)}{self._segment(entry, leave)}")
        return "".join(made)

    def _upper(self, course: Watercourse) -> str:
        x, y = self.frame.towards(course.source, course.outlet, HALF - 12)
        dx, dy = side_point(self.frame.side(course.outlet), 12)
        made = [f"M{number(x)} {number(y)}l{number(dx)} {number(dy)}"]
        broken = False
        for square, entry, leave in course.segments:
            if self._is_lower(square, entry):
                broken = True
                continue
            if broken:
                x, y = self.frame.towards(square, entry, HALF)
                made.append(f"M{number(x)} {number(y)}")
                broken = False
            made.append(self._segment(entry, leave))
        return "".join(made)

    def _segment(self, entry: int, leave: int) -> str:
        return SEGMENT_PATHS[self.frame.side(entry), self.frame.side(leave)]

    def _is_lower(self, square: str, entry: int) -> bool:
        return self._tiles[square] == "+" and entry in ACROSS

    # Pieces

    def builders(self) -> str:
        """Draws the builders on the path."""
        places = self.frame.places
        made = [self.pen.use(f"b{kind}", *places[p], data_builder=p) for p, kind in self._builders.items()]
        return "".join(made)

    def ends(self) -> str:
        """Draws a workman at the end of each open aqueduct and a lock at that of each closed one."""
        return "".join(self._end(course) for course in self._courses)

    def _end(self, course: Watercourse) -> str:
        a = course.aqueduct
        x, y = self.frame.towards(a.end, course.exit, STAND)
        if a.open:
            return draw_workman(self.pen, a, x, y)
        note = element("title", escape(f"{a.name}: length {a.length}, closed"))
        name = self.pen.text(f"name sans on-{a.name[0]}", x, y + 7.8, a.name)
        return self.pen.group("", note, self.pen.use(f"x{a.name[0]}", x, y), name, data_closed=a.name)

    # Marks

    def last(self, turn: Turn, before: Position | None) -> str:
        """Outlines the tiles of the last turn, its builder, and the path square that the builder left."""
        around = self.frame.around
        fresh = [around(action.square, 1.6, 4) for action in turn if action.tile]
        fresh += [around(action.path, 1.6, 6) for action in turn if action.what == "place"]
        fresh += [around(name, 1.6, 6) for name in moved_builder(self.position, turn, before)]
        left = [around(action.path, 4, 6) for action in turn if action.what in ("build", "advance")]
        return self._traced(fresh) + self.pen.path("left", "".join(left))

    def sight(self, watchers: Iterable[Aqueduct]) -> str:
        """Draws the lines of sight of workmen and rings around the builders seen."""
        return "".join(self._sight(a) for a in watchers)

    def _sight(self, a: Aqueduct) -> str:
        places, pen = self.frame.places, self.pen
        x, y = places[a.end]
        ends = [self.frame.beside(name, ROAD + 3) for name in a.sees]
        d = "".join(f"M{number(x)} {number(y)}L{number(x2)} {number(y2)}" for x2, y2 in ends)
        seen = [places[name] for name in a.sees if name in self._builders]
        rings = [pen("circle", f"seen stroke-{a.name[0]}", cx=x2, cy=y2, r=21) for x2, y2 in seen]
        lines = pen.path("halo", d) + pen.path(f"sight stroke-{a.name[0]}", d)
        return pen.group("", lines, *rings, data_sight=a.name)


_TURNED = dict(zip("|-LJF7+ZN", "|-7FJL+ZN", strict=True))
"""Each tile's code as seen from the other side of the board."""


def draw_workman(pen: Pen, a: Aqueduct, x: float, y: float) -> str:
    """Draws an aqueduct's workman."""
    note = element("title", escape(f"{a.name}: length {a.length}"))
    name = pen.text(f"name sans on-{a.name[0]}", x, y + 9.5, a.name)
    return pen.group("", note, pen.use(f"p{a.name[0]}", x, y), name, data_workman=a.name)


def moved_builder(position: Position, turn: Turn, before: Position | None) -> list[str]:
    """Finds where the builder used in a turn stands now, or nothing if that is uncertain."""
    uses = [action for action in turn if action.what in ("build", "advance")]
    placed = {action.path for action in turn if action.what == "place"}
    if not uses:
        return []
    builders = position.builders
    if before is not None:
        new = [name for name in builders if name not in before.builders and name not in placed]
        return new or [uses[0].path]
    kinds = _possible_kinds(position, uses[0].tile)
    row = _row_behind(position, uses[0].path)
    possible = [name for name in row if builders[name] in kinds and name not in placed - {uses[0].path}]
    return possible if len(possible) == 1 else []


def _row_behind(position: Position, start: str) -> list[str]:
    """Lists the unbroken row of builders clockwise from a path square, of which one came from there."""
    names, builders = position.layout.path_names, position.builders
    first = position.layout.path_index[start] + 1
    clockwise = [names[(first + step) % len(names)] for step in range(len(names))]
    return list(takewhile(lambda name: name in builders, clockwise))


def _possible_kinds(position: Position, tile: str) -> set[str]:
    """Gets the kinds that the builder used for a tile, or for none, can have."""
    if not tile:
        return set(KINDS)
    exhausted = {kind for kind, left in position.stock.items() if not left}
    return {KINDS[KIND_OF[CODES.index(tile)]], "j"} | exhausted
