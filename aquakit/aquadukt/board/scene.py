"""Draws the board of a position, layer by layer: ground, tiles and mountains, canals, springs and what is marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from aquakit.aquadukt.board import ground
from aquakit.aquadukt.board.art import CORNER, HALF, SPRING, take_pen
from aquakit.aquadukt.kernel import NONE
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Turn
from aquakit.aquadukt.position import Position
from aquakit.core import grid
from aquakit.drawing.board_picture import CELL, RIM, BaseFrame, BaseScene, Look, Point
from aquakit.drawing.svg import Pen, Value, element, escape, number

LIP = 11
"""How far the board's rim reaches beyond its squares, for canals may run along it."""
AROUND = {"h": (CELL, 20), "v": (20, CELL), ".": (24, 24)}
"""The room that a segment running east or north and a point take up."""
EVENT_SIGNS = {"m": "m +2", "f": "f ×0", "?": "?"}  # noqa: RUF001
EVENT_NOTES = {
    "m": "mineral: +2 for each neighbour watered twice",
    "f": "foul: 0 for each neighbour not watered twice",
    "?": "event still hidden",
}


class BoardFrame(BaseFrame):
    """Where everything on the board lies."""

    def __init__(self, layout: Layout, look: Look) -> None:
        """Measures a layout as it is to look: seen from the south or flipped, with or without coordinates and panel."""
        super().__init__(layout.columns, layout.rows, look, around=LIP)
        for name, square in layout.square_index.items():
            if layout.region[square] != NONE:
                self.places[name] = self.middle(square)
        for name, point in layout.point_index.items():
            y, x = divmod(point, layout.columns + 1)
            self.places[name] = self.at(x, y)
        run_east = layout.columns * (layout.rows + 1)
        for name, segment in layout.segment_index.items():
            if segment < run_east:
                y, x = divmod(segment, layout.columns)
                self.places[name] = self.at(x + 0.5, y)
            else:
                y, x = divmod(segment - run_east, layout.columns + 1)
                self.places[name] = self.at(x, y + 0.5)

    def extent(self, name: str) -> tuple[float, float]:
        """Gets the width and height of a square, and of the room around a point or segment."""
        if name[0] in grid.COLUMNS:
            return CELL, CELL
        return AROUND[name[-1] if name[-1] in AROUND else "."]

    def lines(self, lines: Iterable[tuple[ground.Spot, ground.Spot]]) -> str:
        """Gets the path of lines between points of the grid."""
        made = []
        for start, end in lines:
            (x1, y1), (x2, y2) = self.at(*start), self.at(*end)
            run = f"v{number(y2 - y1)}" if x1 == x2 else f"h{number(x2 - x1)}"
            made.append(f"M{number(x1)} {number(y1)}{run}")
        return "".join(made)


class Land(NamedTuple):
    """What is alike in all pictures of a layout that look alike, drawn once."""

    frame: BoardFrame
    soil: str
    lines: str


@lru_cache(maxsize=32)
def survey(layout: Layout, look: Look) -> Land:
    """Draws the land without its water and pieces; a picture's size does not matter."""
    frame, pen, lines = BoardFrame(layout, look), take_pen(look.theme), ground.find_lines(layout)
    rim = frame.lines(lines.rim)
    soil = "".join((pen.path("rim", rim), pen.path("lip", rim), *_draw_regions(layout, pen, frame)))
    strokes = pen.path("grid", frame.lines(lines.within)) + pen.path("border", frame.lines(lines.between) + rim)
    return Land(frame, soil, strokes + (_draw_coordinates(pen, frame) if look.coordinates else ""))


def _draw_regions(layout: Layout, pen: Pen, frame: BoardFrame) -> list[str]:
    made = []
    for i, tint in enumerate(ground.tint_regions(layout)):
        d = "".join(frame.around(name, 0, 0) for name in layout.regions[i])
        named: dict[str, Value] = {"d": d, "data_region": str(i + 1)}
        if tint >= ground.TINTS:
            # Hues a golden angle apart keep clear of each other, however many there are.
            made.append(pen.path("plate", d))
            named |= {"fill": f"hsl({tint * 137 % 360},60%,50%)", "fill_opacity": 0.45}
        made.append(pen("path", f"tint{tint}", element("title", f"region {i + 1}"), **named))
    return made


def _draw_coordinates(pen: Pen, f: BoardFrame) -> str:
    """Writes the names of columns and rows, and small between them those of the lines, on all sides."""
    away = LIP + RIM / 2
    names, numbers, ticks = [], [], []
    for edge, out in ((f.top, -1), (f.bottom, 1)):
        y, start = edge + out * away, number(edge + out * LIP)
        names += [pen.text("", f.at(i + 0.5, 0)[0], y + 5, grid.COLUMNS[i]) for i in range(f.columns)]
        numbers += [pen.text("", f.at(i, 0)[0], y + 4, str(i)) for i in range(f.columns + 1)]
        ticks += [f"M{number(f.at(i, 0)[0])} {start}v{4 * out}" for i in range(f.columns + 1)]
    for edge, out in ((f.left, -1), (f.right, 1)):
        x, start = edge + out * away, number(edge + out * LIP)
        names += [pen.text("", x, f.at(0, i + 0.5)[1] + 5, str(i + 1)) for i in range(f.rows)]
        numbers += [pen.text("", x, f.at(0, i)[1] + 4, str(i)) for i in range(f.rows + 1)]
        ticks += [f"M{start} {number(f.at(0, i)[1])}h{4 * out}" for i in range(f.rows + 1)]
    texts = pen.group("coordinate", *names) + pen.group("point sans", *numbers)
    return pen.path("tick", "".join(ticks)) + texts


class Scene(BaseScene):
    """Draws a position's board; each method draws one layer."""

    def __init__(self, position: Position, look: Look) -> None:
        """Gathers what the layers have in common."""
        self._land = survey(position.layout, look._replace(size=None))
        self.position, self.frame, self.layout = position, self._land.frame, position.layout
        super().__init__(take_pen(look.theme), self.frame)
        self._tiles, self._mountains, self._arms = position.tiles, position.mountains, position.arms
        self._supply = {square: count for square, count in position.supply.items() if count}

    # Ground

    def ground(self) -> str:
        """Draws the land with its watered squares, and the region to build in."""
        pen, die = self.pen, self.position.die
        wet = [pen.use("wet", *self._places[name], data_watered=f"{name}={n}") for name, n in self._supply.items()]
        rolled = "" if die is None else pen.path("rolled", self.frame.lines(ground.outline(self.layout, die - 1)))
        return "".join((self._land.soil, *wet, self._land.lines, rolled))

    # Pieces

    def squares(self) -> str:
        """Draws the tiles and the mountains."""
        return "".join([*(self._tile(*tile) for tile in self._tiles.items()), *map(self._mountain, self._mountains)])

    def _tile(self, name: str, tile: str) -> str:
        state = "w" if name in self._supply else "d"
        return self.pen.use(tile + state, *self._places[name], data_tile=f"{name}={tile}")

    def _mountain(self, name: str) -> str:
        (x, y), event = self._places[name], self._mountains[name]
        rock = self.pen.use("mountain", x, y)
        if not event:
            return self.pen.group("", rock, data_mountain=name)
        sign, width = EVENT_SIGNS[event], 32 if event in "mf" else 15
        kind = event if event in "mf" else "hidden"
        pill = self.pen("rect", f"event {kind}", x=x - width / 2, y=y + 4, width=width, height=14.6, rx=7.3)
        note = element("title", escape(EVENT_NOTES[event]))
        return self.pen.group(
            "", note, rock, pill, self._at("sign sans", (x, y), sign, 15), data_mountain=name, data_event=event
        )

    def numbers(self) -> str:
        """Writes each region's number once: large on a free square, or small on a corner if none is free."""
        taken, made = self._tiles.keys() | self._mountains.keys(), []
        for region, squares in enumerate(ground.rank_squares(self.layout), start=1):
            free = next((square for square in squares if square not in taken), None)
            made.append(self._number(region, free or self._quiet(squares), large=free is not None))
        return "".join(made)

    def _quiet(self, squares: Sequence[str]) -> str:
        """Finds a square without canal or spring at the corner where a small number stands."""
        points = {self._places[name] for arm in self._arms for name in arm.points}
        points |= {self._places[name] for name in self.position.springs}
        corners = {name: (x - HALF, y - HALF) for name in squares for x, y in (self._places[name],)}
        return next((name for name in squares if corners[name] not in points), squares[0])

    def _number(self, region: int, square: str, *, large: bool) -> str:
        x, y = self._places[square]
        if large:
            return self.pen.text("number", x, y + 7, str(region), data_number=str(region))
        x, y = x - 14, y - 13.4
        pill = self.pen("circle", "pill", cx=x, cy=y, r=7.2)
        return self.pen.group("", pill, self._at("full sans", (x, y), str(region), 3.4), data_number=str(region))

    def canals(self) -> str:
        """Draws the arms: single ones narrow, double ones as two channels, and where each can go on."""
        pen = self.pen
        double = "".join(self._course(arm.points[: arm.doubles + 1]) for arm in self._arms)
        single = "".join(self._course(arm.points[arm.doubles :]) for arm in self._arms)
        layers = [
            pen.path(f"{layer}{width}", d)
            for layer in ("shell", "wall", "water") for width, d in (("", single), (" broad", double))
        ]  # fmt: skip
        ends = [self._end(arm.end) for arm in self._arms]
        return "".join([*layers, pen.path("divide", double), pen.path("ridge", double), *ends, self._hits()])

    def _course(self, names: Sequence[str]) -> str:
        """Gets the path from point to point, with round corners."""
        points = [self._places[name] for name in names]
        if len(points) < 2:
            return ""
        made = [f"M{_pair(points[0])}"]
        for before, here, after in zip(points, points[1:], points[2:], strict=False):
            if before[0] != after[0] and before[1] != after[1]:
                made.append(f"L{_pair(_towards(here, before))}Q{_pair(here)} {_pair(_towards(here, after))}")
        return "".join([*made, f"L{_pair(points[-1])}"])

    def _end(self, name: str) -> str:
        x, y = self._places[name]
        return self.pen("circle", "open", cx=x, cy=y, r=4.2, data_end=name)

    def _hits(self) -> str:
        """Lays an unseen line over each segment with canals, for a pointer to find."""
        made = []
        for name, count in self.position.canals.items():
            x, y = self._places[name]
            run = f"M{number(x - HALF)} {number(y)}h48" if name[-1] == "h" else f"M{number(x)} {number(y - HALF)}v48"
            made.append(element("path", d=run, data_canal=f"{name}={count}"))
        return self.pen.group("hit", *made)

    def springs(self) -> str:
        """Draws the springs."""
        made = [self.pen.use("fountain", *self._places[p], SPRING, data_spring=p) for p in self.position.springs]
        return "".join(made)

    def supply(self, *, every: bool) -> str:
        """Writes how many canals feed a square, where it is more than one, or everywhere."""
        fed = [(name, count) for name, count in self._supply.items() if every or count > 1]
        return "".join(self._bead(name, count) for name, count in fed)

    def _bead(self, name: str, count: int) -> str:
        x, y = self._places[name]
        x, y = x + 13.4, y + (-10 if name in self._mountains else 13)
        text = self.pen.text("fed sans", x, y + 3.6, str(count), font_size=8 if count > 9 else None)
        return self.pen.group("", self.pen.use("bead", x, y), text, data_supply=f"{name}={count}")

    # Marks

    def _drop(self, name: str) -> float:
        return 11 if name[0] in grid.COLUMNS else 18

    def last(self, turn: Turn, before: Position | None) -> str:
        """Outlines what the last turn put on the board and what is still there, and squares whose tiles left."""
        made = [self._around(action.square, 1.6, 4) for action in turn if action.square in self._tiles]
        made += [self._around(action.point, 0, 12) for action in turn if action.point]
        segments = dict.fromkeys(action.segment for action in turn if action.segment)
        made += [self._around(segment, 0, 9) for segment in segments]
        gone = [] if before is None else [name for name in before.tiles if name not in self._tiles]
        return self._traced(made) + self.pen.path("left", "".join(self._around(name, 4, 6) for name in gone))


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _towards(start: Point, end: Point) -> Point:
    """Gets the point at a corner's distance from one point of the grid towards a neighbouring one."""
    (x1, y1), (x2, y2) = start, end
    return x1 + CORNER * ((x2 > x1) - (x2 < x1)), y1 + CORNER * ((y2 > y1) - (y2 < y1))
