"""The drawn pieces of Aquädukt: house tiles, mountains, springs, water, and the colours they are drawn in."""

from __future__ import annotations

from functools import lru_cache

from aquakit.aquadukt.board.ground import TINTS
from aquakit.aquadukt.kernel import VALUES
from aquakit.aquadukt.layout import LETTERS
from aquakit.drawing.board_picture import CELL, COORDINATE_RULES, FOUNTAIN_RULES, LAST_RULES, STONE, draw_fountain
from aquakit.drawing.cards import CARD_RULES, PAWN_RULES
from aquakit.drawing.svg import COLOURS, Pen, stylesheet

HALF = CELL // 2
TILE = 16.5
"""Half the width of a tile."""
SPRING = 0.54
"""The scale of a spring's fountain."""
CORNER = 11
"""How far from a point a canal begins to bend."""

PLAYER_COLOURS = dict(zip(LETTERS, COLOURS, strict=True))
"""The colour of each player's pieces, by the player's letter; blue, the colour of water, comes last."""

RULES = (
    """
.rim{fill:none;stroke:$rim;stroke-width:21;stroke-linecap:round}
.lip{fill:none;stroke:$lip;stroke-width:17;stroke-linecap:round}
.grid{fill:none;stroke:$grid}
.border{fill:none;stroke:$border;stroke-width:2.4;stroke-linecap:round}
.rolled{fill:none;stroke:$accent;stroke-width:4.4;stroke-linecap:round}
.tick{stroke:$faint;stroke-width:1.2}
.point{fill:$faint;font-size:10.5px}
.number{fill:$ink;fill-opacity:.62;font-size:21px}
.pill{fill:$halo;stroke:$border;stroke-width:1.1}
.full{font-size:9.6px;font-weight:700}
.wet{fill:$water;fill-opacity:.2}
.ripple{fill:none;stroke:$deep;stroke-opacity:.72;stroke-width:1.6;stroke-linecap:round}
.bead{fill:$deep;stroke:$halo;stroke-width:1.1}
.fed{fill:$halo;font-size:9.5px;font-weight:700}
.shell,.wall,.water,.divide,.ridge,.hit{fill:none;stroke-linecap:round;stroke-linejoin:round}
.shell{stroke:$shell;stroke-width:10.4}
.wall{stroke:$wall;stroke-width:8.4}
.water{stroke:$water;stroke-width:4.8}
.divide{stroke:$shell;stroke-width:3.4}
.ridge{stroke:$wall;stroke-width:1.8}
.broad.shell{stroke-width:18}
.broad.wall{stroke-width:16}
.broad.water{stroke-width:12.8}
.hit{stroke:$water;stroke-opacity:0;stroke-width:15}
.open{fill:$jet;stroke:$deep;stroke-width:2.2}
.plate{fill:$raised}
.pale{fill-opacity:.24}
.band{fill:none;stroke-width:5}
.edge{fill:none;stroke:$outline;stroke-width:1.2}
.house{stroke:$outline;stroke-width:.8;stroke-linejoin:round}
.value{font-size:13.5px;font-weight:700}
.rock{fill:$rock;stroke:$outline;stroke-width:1.3;stroke-linejoin:round}
.slope{fill:$shade;fill-opacity:.26}
.snow{fill:$snow}
.m{fill:$mineral}
.f{fill:$foul}
.hidden{fill:$faint}
.event{stroke:$halo;stroke-width:1.1}
.sign{fill:$halo;font-size:10.5px;font-weight:700}
.die{fill:$accent;stroke:$outline;stroke-width:1.2;stroke-linejoin:round}
.facet{fill:none;stroke:$halo;stroke-opacity:.5}
.shown{fill:$halo;font-size:12px;font-weight:700}
"""
    + FOUNTAIN_RULES
    + PAWN_RULES
    + COORDINATE_RULES
    + LAST_RULES
    + CARD_RULES
    + "".join(f"\n.tint{i}{{fill:$tint{i}}}" for i in range(TINTS))
)

PALETTES = {
    "light": {
        "rim": "#8f6a44", "lip": "#b9946a", "grid": "#00000018", "border": "#7c6142", "water": "#3f9fd6",
        "deep": "#14649c", "rock": "#8d8377", "snow": "#fdfaf4", "mineral": "#0b7a54", "foul": "#7a2f5c",
        "tint0": "#f4e2a9", "tint1": "#cbdcae", "tint2": "#f3c7a0", "tint3": "#dccbe6", "tint4": "#dcd8cd",
        "tint5": "#f2c9c6", **STONE["light"],
    },
    "dark": {
        "rim": "#6b4e33", "lip": "#4f3a27", "grid": "#ffffff16", "border": "#c3a57b", "water": "#58b4e6",
        "deep": "#8fd0f4", "rock": "#8b8176", "snow": "#f3ede2", "mineral": "#4cc79a", "foul": "#e08fc0",
        "tint0": "#554a26", "tint1": "#38472c", "tint2": "#5f4029", "tint3": "#463a56", "tint4": "#45433f",
        "tint5": "#5a373a", **STONE["dark"],
    },
}  # fmt: skip


# Houses


def _houses(pen: Pen, value: int) -> str:
    """Draws a row of little houses, from the left, for at the right there may be a drop."""
    one = "v-4.2l2.6-3.4 2.6 3.4v4.2z"
    step = 5.9 if value < VALUES else 5.4
    left = -11.3 if value == VALUES else -0.5 * step * value - 1.6
    return pen.define(f"h{value}", pen.path("", "".join(f"M{left + step * i:.1f} 11.2{one}" for i in range(value))))


def _plate(pen: Pen, letter: str, *, wet: bool) -> str:
    """Draws what a player's tiles have in common: full of colour with water, a mere frame of colour without."""
    colour = PLAYER_COLOURS[letter]
    inner, outer = TILE - 2.5, 2 * TILE
    ground = pen("rect", f"plate fill-{colour}" if wet else "plate", x=-TILE, y=-TILE, width=outer, height=outer, rx=5)
    band = {"x": -inner, "y": -inner, "width": 2 * inner, "height": 2 * inner, "rx": 3.2}
    # The sign is drawn at half its size, along a frame of twice the size.
    sign = pen("rect", f"sign-{colour}", transform="scale(.5)", **{name: 2 * size for name, size in band.items()})
    return pen.define(
        f"{letter}{'w' if wet else 'd'}",
        ground,
        "" if wet else pen("rect", f"pale fill-{colour}", **band),
        pen("rect", f"band stroke-{colour}", **band),
        sign,
        pen("rect", "edge", x=-TILE, y=-TILE, width=outer, height=outer, rx=5),
    )


def _tile(pen: Pen, letter: str, value: int, *, wet: bool) -> str:
    colour, state = PLAYER_COLOURS[letter], "w" if wet else "d"
    return pen.define(
        f"{letter}{value}{state}",
        pen.use(letter + state, 0, 0),
        pen("use", f"house {'on' if wet else 'fill'}-{colour}", href=f"#{pen.prefix}h{value}"),
        pen.text(f"value sans on-{colour}" if wet else "value sans", 0.9, 0.4, f"{letter}{value}"),
    )


# Land and water


def _mountain(pen: Pen) -> str:
    back, front = "M-19 13-8-6-1 4 0 13z", "M-12 13 4-15 20 13z"
    slope, snow = "M4-15 20 13H8L6 2 8-3z", "M4-15-2.3-4 1-5.6 3.4-2.6 6.2-6 9.6-5.2z"
    peak = "M-8-6-12 .9-9.4 0-7.4 1.4-4.5-1z"
    return pen.define(
        "mountain",
        pen.path("rock", back),
        pen.path("snow", peak),
        pen.path("rock", front),
        pen.path("slope", slope),
        pen.path("snow", snow),
    )


def _wet(pen: Pen) -> str:
    """Draws what water does to the ground of a square: a shimmer, and ripples that a tile leaves visible."""
    wave = "q2.2-2.6 4.4 0t4.4 0 4.4 0"
    shimmer = pen("rect", "wet", x=-HALF, y=-HALF, width=CELL, height=CELL)
    return pen.define("wet", shimmer, pen.path("ripple", f"M-20.5-19.2{wave}M-20.5 20.6{wave}M7.6-19.2{wave}"))


def _bead(pen: Pen) -> str:
    drop = "M0-9C2.4-5.2 6-2.8 6 .8A6 6 0 0 1-6 .8C-6-2.8-2.4-5.2 0-9z"
    return pen.define("bead", pen.path("bead", drop))


def _die(pen: Pen) -> str:
    body, facets = "M0-15 13-7.5V7.5L0 15-13 7.5V-7.5z", "M0-15-9 5.4H9zM-9 5.4 0 15 9 5.4M-9 5.4-13-7.5M9 5.4 13-7.5"
    return pen.define("die", pen.path("die", body), pen.path("facet", facets))


def take_pen(theme: str) -> Pen:
    """Gets the pen that draws Aquädukt in a theme."""
    return Pen("ad", theme)


@lru_cache(maxsize=8)
def definitions(theme: str) -> tuple[str, str]:
    """Gets the style and the definitions, the same for every picture in a theme."""
    pen, values = take_pen(theme), range(1, VALUES + 1)
    made = [_houses(pen, value) for value in values]
    made += [_plate(pen, letter, wet=wet) for letter in LETTERS for wet in (True, False)]
    made += [_tile(pen, letter, value, wet=wet) for letter in LETTERS for value in values for wet in (True, False)]
    made += [_mountain(pen), _wet(pen), _bead(pen), _die(pen), draw_fountain(pen)]
    return stylesheet(pen, theme, RULES, PALETTES), pen("defs", "", "".join(made))
