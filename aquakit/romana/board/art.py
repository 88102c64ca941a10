"""The drawn pieces of Aqua Romana: tiles, builders, workmen, fountains, and the colours they are drawn in."""

from __future__ import annotations

from functools import lru_cache

from aquakit.drawing.board_picture import CELL, COORDINATE_RULES, FOUNTAIN_RULES, LAST_RULES, STONE, draw_fountain
from aquakit.drawing.cards import CARD_RULES, PAWN_RULES
from aquakit.drawing.svg import COLOURS, Pen, number, stylesheet
from aquakit.romana.kernel import CODES, KINDS, SEGMENTS

HALF = CELL // 2
TILES = "|-LJF7+ZN"
ACROSS = (1, 3)
"""The sides that a bridge's lower channel joins."""
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Where N E S W lie, y growing downwards."""

_BEND = 15
"""How far from the middle a curve's handles are: so far out that two curves have room on one tile."""

KIND_TILES = {"c": "L", "s": "-", "b": "+", "d": "N"}
"""The tile that stands for each kind in pictograms."""

_SKETCHES = dict.fromkeys("sbd", "translate(-5.5 -4.5) scale(.48)")
_SKETCHES |= {"c": "translate(-15 4.5) scale(.8)", "j": "translate(-5 -3) scale(1.15)"}
"""Where a builder's pictogram stands on its token; a curve fills only a quarter of its tile and is enlarged."""

RULES = (
    """
.ground{fill:$ground;stroke:$rim;stroke-width:2}
.grid{fill:none;stroke:$grid}
.road{fill:$road;stroke:$rim;stroke-width:2}
.paving{fill:$paving;stroke:$joint}
.plate{fill:$plate;stroke:$edge;stroke-width:1.1}
.printed{fill:$printed;stroke:$edge;stroke-dasharray:3 3}
.pier,.shell,.wall,.joint,.bed,.shadow{fill:none}
.pier{stroke:$shell;stroke-width:25;stroke-dasharray:5 7;stroke-dashoffset:-3.5}
.shell{stroke:$shell;stroke-width:21.6}
.wall{stroke:$wall;stroke-width:19.4}
.joint{stroke:$course;stroke-width:19.4;stroke-dasharray:1 5;stroke-dashoffset:-2.5}
.bed{stroke:$bed;stroke-width:11.4}
.shadow{stroke:$shade;stroke-opacity:.3;stroke-width:30}
.mouth{fill:$shade;fill-opacity:.75}
.water{fill:none;stroke-width:9.2;stroke-linejoin:round}
.pool{stroke:$shell;stroke-width:1.2}
"""
    + FOUNTAIN_RULES
    + """
.token{fill:$token;stroke:$face;stroke-width:1.6}
.sketch{fill:none;stroke:$face;stroke-width:8.4}
.large{stroke-width:5.4}
.gap{fill:none;stroke:$token;stroke-width:17}
.letter{fill:$face;font-weight:700;font-size:15px}
.star{fill:$face}
"""
    + PAWN_RULES
    + """
.name{font-weight:700;font-size:11px}
.bow{fill:none;stroke:$outline;stroke-width:5}
.lock{fill:none;stroke-width:2.6}
.path{fill:$engraved;font-size:12px}
"""
    + COORDINATE_RULES
    + LAST_RULES
    + """
.halo{fill:none;stroke:$halo;stroke-opacity:.75;stroke-width:5}
.sight{fill:none;stroke-width:2.4;stroke-dasharray:7 4}
.seen{fill:none;stroke-width:3.4}
.reservoir{font-size:21px}
"""
    + CARD_RULES
    + """
.value{font-size:13px}
.block{fill:$marble;stroke:$edge}
.place{fill:none;stroke:$edge;stroke-dasharray:2 2}
"""
)

PALETTES = {
    "light": {
        "ground": "#ecdfc3", "grid": "#d8c7a1", "rim": "#a98156", "road": "#b9805c", "paving": "#dcae8c",
        "joint": "#b9805c", "engraved": "#65351c", "plate": "#faf4e4", "printed": "#e2d0a6", "edge": "#bfa673",
        "course": "#b3966a", "bed": "#a08b6d", "token": "#4a3425", "face": "#fdf3df", "marble": "#f0e6cf",
        **STONE["light"],
    },
    "dark": {
        "ground": "#352c24", "grid": "#473b30", "rim": "#7d5b3d", "road": "#4c3022", "paving": "#6d4935",
        "joint": "#4c3022", "engraved": "#e3c4ac", "plate": "#54473a", "printed": "#3d342a", "edge": "#7a6850",
        "course": "#6a573d", "bed": "#2b231a", "token": "#f0e2c4", "face": "#3a281a", "marble": "#463b30",
        **STONE["dark"],
    },
}  # fmt: skip


# Channels


def segment_path(start: int, end: int) -> str:
    """Gets a segment's path from one side to another, relative to where it starts."""
    (x1, y1), (x2, y2) = DIRECTIONS[start], DIRECTIONS[end]
    if (start + end) % 2 == 0:
        return f"v{CELL * y2}" if x2 == 0 else f"h{CELL * x2}"
    handles = (
        (_BEND - HALF) * x1, (_BEND - HALF) * y1, _BEND * x2 - HALF * x1, _BEND * y2 - HALF * y1,
        HALF * (x2 - x1), HALF * (y2 - y1),
    )  # fmt: skip
    return "c" + " ".join(number(value) for value in handles)


SEGMENT_PATHS = {(a, b): segment_path(a, b) for a in range(4) for b in range(4) if a != b}


def side_point(side: int, distance: float = HALF) -> tuple[float, float]:
    """Gets the point at a distance from a square's middle towards a side."""
    x, y = DIRECTIONS[side]
    return distance * x, distance * y


def _channel(start: int, end: int) -> str:
    x, y = side_point(start)
    return f"M{number(x)} {number(y)}{SEGMENT_PATHS[start, end]}"


def _masonry(pen: Pen, d: str) -> str:
    layers = ("pier", "shell", "wall", "joint", "bed")
    return "".join(pen.path(layer, d, pathLength=CELL) for layer in layers)


def _tile(pen: Pen, code: str) -> str:
    """Draws a tile's channels; a bridge's upper one is a piece of its own, for water runs under it."""
    segments = SEGMENTS[CODES.index(code)]
    if code == "+":
        segments = (ACROSS,)
    return pen.define(f"t{CODES.index(code)}", *(_masonry(pen, _channel(a, b)) for a, b in segments))


def _deck(pen: Pen) -> str:
    mouths = "M-12.5-6a5 6 0 0 0 0 12zM12.5-6a5 6 0 0 1 0 12z"
    shadow = pen.path("shadow", "M0-10.6V10.6")
    return pen.define("deck", shadow, pen.path("mouth", mouths), _masonry(pen, _channel(0, 2)))


# Builders


def _sketch(pen: Pen, kind: str) -> str:
    if kind == "j":
        star = "M0-11 2.7-3.7 10.5-3.4 4.4 1.4 6.5 8.9 0 4.6-6.5 8.9-4.4 1.4-10.5-3.4-2.7-3.7z"
        return pen.path("star", star)
    segments = SEGMENTS[CODES.index(KIND_TILES[kind])]
    if kind == "b":
        return pen.path("sketch", _channel(1, 3)) + pen.path("gap", "M0-14V14") + pen.path("sketch", _channel(0, 2))
    return "".join(pen.path("sketch large" if kind == "c" else "sketch", _channel(a, b)) for a, b in segments)


def _builder(pen: Pen, kind: str) -> str:
    coin = pen("rect", "token", x=-19, y=-18, width=38, height=36, rx=9)
    sketch = pen("g", "", _sketch(pen, kind), transform=_SKETCHES[kind])
    return pen.define(f"b{kind}", coin, sketch, pen.text("letter sans", 10.5, 10 if kind == "j" else 13, kind))


# Workmen and locks


def _pawn(pen: Pen, colour: str) -> str:
    body = "M-11 13V6Q-11-2.4-3.7-4A5.6 5.6 0 1 1 3.7-4Q11-2.4 11 6V13z"
    return pen.define(f"p{colour}", pen.path(f"pawn fill-{colour}", body))


def _lock(pen: Pen, colour: str) -> str:
    bow = "M-4.6-2v-3.4a4.6 4.6 0 0 1 9.2 0V-2"
    body = pen("rect", f"pawn fill-{colour}", x=-10, y=-3, width=20, height=13.6, rx=2.4)
    return pen.define(f"x{colour}", pen.path("bow", bow), pen.path(f"lock stroke-{colour}", bow), body)


def take_pen(theme: str) -> Pen:
    """Gets the pen that draws Aqua Romana in a theme."""
    return Pen("ro", theme)


@lru_cache(maxsize=8)
def definitions(theme: str) -> tuple[str, str]:
    """Gets the style and the definitions, the same for every picture in a theme."""
    pen = take_pen(theme)
    made = [_tile(pen, code) for code in TILES]
    made += [_deck(pen), draw_fountain(pen)]
    made += [_builder(pen, kind) for kind in KINDS]
    made += [piece(pen, colour) for colour in COLOURS for piece in (_pawn, _lock)]
    return stylesheet(pen, theme, RULES, PALETTES), pen("defs", "", "".join(made))
