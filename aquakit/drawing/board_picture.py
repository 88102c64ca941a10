"""What the pictures of all games have in common: options, the frame of squares, marks, pieces and the last assembly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from aquakit.core.options import read_flag, read_panel, read_size, read_theme, show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.drawing.svg import Pen, arrow_path, element, escape, number, picture, rect_path, shorten_label
from aquakit.errors import InvalidOption, InvalidTurn

Point = tuple[float, float]
ReadPlace = Callable[[str, object], str]
"""Checks a name on the board that an option gives: the option's name, then the value."""
TurnT = TypeVar("TurnT", bound=BaseTurn[Any])
PositionT = TypeVar("PositionT", bound=AnyPosition)

CELL = 48
MARGIN = 8
RIM = 22
"""The room for coordinates."""
NARROWEST = 440
"""The narrowest picture that a panel fits below."""
SIDE = 318
"""The width of a panel beside the board: two players' cards."""
LONGEST = 10
"""The most characters shown of a highlight's label."""

STONE = {
    "light": {"shell": "#8b6d48", "wall": "#d9c297", "spring": "#a9d6df", "jet": "#f6fdff", "outline": "#2b1d12"},
    "dark": {"shell": "#15100b", "wall": "#8f7a5a", "spring": "#3d7f92", "jet": "#d9f3f8", "outline": "#120c07"},
}
"""The colours of masonry and fountains, by theme."""
FOUNTAIN_RULES = """
.basin{fill:$wall;stroke:$shell;stroke-width:1.4}
.spring{fill:$spring;stroke:$shell;stroke-width:.8}
.jet{fill:none;stroke:$jet;stroke-width:1.7;stroke-linecap:round}
.drop{fill:$jet}
"""
COORDINATE_RULES = """
.coordinate{fill:$faint;font-size:15px}
"""
LAST_RULES = """
.last{fill:none;stroke:$halo;stroke-width:5.4}
.trace{fill:none;stroke:$ink;stroke-width:2.6}
.left{fill:none;stroke:$ink;stroke-width:1.6;stroke-dasharray:4 3}
"""


# Options


class Look(NamedTuple):
    """How a picture is to look, as checked."""

    size: int | None
    theme: str
    flip: bool
    coordinates: bool
    panel: str
    """Where the panel is: below the board, beside it, in both places, or nowhere."""


def read_look(*, size: int | None, theme: str, flip: bool, coordinates: bool, panel: bool | str) -> Look:
    """Checks the options that say how a picture looks."""
    return Look(
        size=read_size(size),
        theme=read_theme(theme),
        flip=read_flag("flip", flip),
        coordinates=read_flag("coordinates", coordinates),
        panel=read_panel(panel),
    )


def read_turn(last: TurnT | str | None, turn_type: type[TurnT]) -> TurnT:
    """Checks that the last turn can be read; without one it is empty."""
    if last is None:
        return turn_type()
    if not isinstance(last, str | turn_type):
        raise InvalidOption("last", show(last), "a turn, as such or as text")
    try:
        return turn_type.parse(last) if isinstance(last, str) else last
    except InvalidTurn as problem:
        raise InvalidOption("last", f"{problem.where} {problem.problem}", problem.expected) from None


def read_names(names: Mapping[int, str]) -> dict[int, str]:
    """Checks what players are called, by their numbers."""
    if not isinstance(names, Mapping):
        raise InvalidOption("names", show(names), 'a mapping of players to names, like {1: "Ada"}')
    for player, name in names.items():
        if not isinstance(player, int) or not isinstance(name, str):
            raise InvalidOption(
                "names", f"{show(player)}: {show(name)}", 'a player\'s number and a name, like {1: "Ada"}'
            )
    return dict(names)


def read_highlights(highlights: Mapping[str, str] | Iterable[str], read_place: ReadPlace) -> dict[str, str]:
    """Checks highlights and gets the label of each, empty for none."""
    if isinstance(highlights, str):
        highlights = (highlights,)
    if not isinstance(highlights, Iterable):
        raise InvalidOption("highlights", show(highlights), "names of squares, or a mapping of them to labels")
    if not isinstance(highlights, Mapping):
        return {read_place("highlights", name): "" for name in highlights}
    for name, label in highlights.items():
        read_place("highlights", name)
        if not isinstance(label, str):
            raise InvalidOption("highlights", f"{name}: {show(label)}", "a short text")
    return dict(highlights)


def read_arrows(
    arrows: Iterable[tuple[str, str]], read_place: ReadPlace, example: tuple[str, str]
) -> list[tuple[str, str]]:
    """Checks the arrows' ends."""
    expected = f"pairs of two names, like [{example}]"
    if isinstance(arrows, str) or not isinstance(arrows, Iterable):
        raise InvalidOption("arrows", show(arrows), expected)
    made = []
    for arrow in arrows:
        if not isinstance(arrow, tuple | list) or len(arrow) != 2 or arrow[0] == arrow[1]:
            raise InvalidOption("arrows", show(arrow), expected)
        made.append((read_place("arrows", arrow[0]), read_place("arrows", arrow[1])))
    return made


def read_before(before: PositionT | None, position: PositionT) -> PositionT | None:
    """Checks the position before the last turn."""
    if before is not None and (not isinstance(before, type(position)) or before.layout != position.layout):
        raise InvalidOption("before", show(before), f"the position before the last turn, on {position.layout.name}")
    return before


# The board


class BaseFrame:
    """Where the squares of a board lie, seen from the south or flipped."""

    def __init__(self, columns: int, rows: int, look: Look, *, around: float) -> None:
        """Measures a board that takes some room around its squares, with its margin and its coordinates beyond."""
        self.columns, self.rows, self.flip = columns, rows, look.flip
        around += MARGIN + (RIM if look.coordinates else 0)
        self.width = max(CELL * columns + 2 * around, NARROWEST if look.panel in ("below", "both") else 0)
        self.left, self.top = (self.width - CELL * columns) / 2, float(around)
        self.right, self.bottom = self.left + CELL * columns, self.top + CELL * rows
        self.height = self.bottom + around
        self.places: dict[str, Point] = {}
        """The middle of everything that has a name."""

    def at(self, x: float, y: float) -> Point:
        """Gets the point so many columns east and rows north of the board's south-western corner."""
        if self.flip:
            return self.right - CELL * x, self.top + CELL * y
        return self.left + CELL * x, self.bottom - CELL * y

    def middle(self, square: int) -> Point:
        """Gets the middle of a square."""
        row, column = divmod(square, self.columns)
        return self.at(column + 0.5, row + 0.5)

    def extent(self, name: str) -> tuple[float, float]:
        """Gets the width and height of what has a name."""
        return CELL, CELL

    def measure(self) -> dict[str, tuple[float, float, float, float]]:
        """Gets the middle, the width and the height of everything that has a name."""
        return {name: (*middle, *self.extent(name)) for name, middle in self.places.items()}

    def around(self, name: str, inset: float, r: float) -> str:
        """Gets the path of a rectangle within what has a name."""
        (x, y), (width, height) = self.places[name], self.extent(name)
        return rect_path(x - width / 2 + inset, y - height / 2 + inset, width - 2 * inset, height - 2 * inset, r)


class BaseScene:
    """Draws the layers that the boards of all games have: what is marked on them."""

    def __init__(self, pen: Pen, frame: BaseFrame) -> None:
        self.pen, self._places, self._around = pen, frame.places, frame.around

    def _at(self, classes: str, point: Point, text: str, drop: float = 0) -> str:
        return self.pen.text(classes, point[0], point[1] + drop, text)

    def _traced(self, outlines: Iterable[str]) -> str:
        """Outlines what is new since the last turn."""
        d = "".join(outlines)
        return self.pen.path("last", d) + self.pen.path("trace", d)

    def marks(self, marks: Mapping[str, str]) -> str:
        """Draws the highlights, without their labels."""
        return "".join(self.pen.path("mark", self._around(n, 2.5, 4), data_highlight=n) for n in marks)

    def labels(self, marks: Mapping[str, str]) -> str:
        """Writes the highlights' labels."""
        return "".join(self._label(name, label) for name, label in marks.items() if label.strip())

    def _label(self, name: str, label: str) -> str:
        shown = shorten_label(label, LONGEST)
        size = min(14.0, (CELL - 6) / 0.6 / len(shown))
        (x, y), width = self._places[name], 0.6 * size * len(shown) + 8
        y += self._drop(name)
        pill = self.pen("rect", "label", x=x - width / 2, y=y - 8.5, width=width, height=17, rx=8.5)
        note = element("title", escape(label)) if shown != label else ""
        text = self.pen.text("said sans", x, y + 0.36 * size, shown, font_size=size)
        return self.pen.group("", note, pill, text)

    def _drop(self, name: str) -> float:
        """Gets how far below the middle of a place its label stands."""
        return 11

    def arrows(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Draws arrows."""
        places = self._places
        outlines = [arrow_path(places[a], places[b], margin=10, thickness=7) for a, b in pairs]
        return "".join(self.pen.path("arrow", d) for d in outlines)


def draw_fountain(pen: Pen) -> str:
    """Draws a basin from above, with eight jets around its middle."""
    jets = []
    for turn in range(8):
        x, y = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)
        start, bend, end = (6 * x, 6 * y), (9 * x - 4 * y, 9 * y + 4 * x), (12.4 * x, 12.4 * y)
        (x1, y1), (x2, y2), (x3, y3) = ((number(a), number(b)) for a, b in (start, bend, end))
        jets.append(f"M{x1} {y1}Q{x2} {y2} {x3} {y3}")
    return pen.define(
        "fountain",
        pen("circle", "basin", r=19.5),
        pen("circle", "spring", r=15.4),
        pen.path("jet", "".join(jets)),
        pen("circle", "basin", r=4.4),
        pen("circle", "drop", r=2),
    )


# The whole


class Surround(NamedTuple):
    """What surrounds a board in its picture."""

    definitions: tuple[str, str]
    """The style and the pieces."""
    title: str
    desc: str
    panel: Callable[[float, float, float], tuple[str, float]]
    """Draws the panel, given its corner and its width, and gets its height too."""


class BoardSvg(str):
    """The SVG of a board, which notebooks show as a picture, or as plain text where they trust no pictures.

    >>> from aquakit import start
    >>> position = start("romana2-5x4")
    >>> position.svg(size=300)[:4], position.svg(size=300).text == position.diagram()
    ('<svg', True)
    """

    __slots__ = ("text",)

    text: str
    """The board in plain text."""

    def _repr_svg_(self) -> str:
        return str(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # a text would else be written as its source
        printer.text(self.text)


def finish(pen: Pen, frame: BaseFrame, look: Look, board: str, surround: Surround) -> BoardSvg:
    """Puts the board on a card, with the panel where it is wanted.

    A picture with the panel in both places is seen as if it were below; a page shows the one and hides the other, for
    which each knows the view of the whole picture.
    """
    views = {place: draw(frame, surround) for place, draw in _PLACES.items() if look.panel in (place, "both")}
    width, height, panel = next(iter(views.values()), (frame.width, frame.height, ""))
    alone = _lay_card(pen, width, height) + board + panel
    body = _choose_panel(pen, views) + board if look.panel == "both" else alone
    style, pieces = surround.definitions
    title, desc = surround.title, surround.desc
    made = picture(pen, width, height, size=look.size, title=title, desc=desc, style=style, body=pieces + body)
    drawn = BoardSvg(made)
    drawn.text = desc
    return drawn


View = tuple[float, float, str]
"""The width and height of a whole picture, and its panel."""


def _draw_below(frame: BaseFrame, surround: Surround) -> View:
    panel, depth = surround.panel(MARGIN, frame.height, frame.width - 2 * MARGIN)
    return frame.width, frame.height + depth, panel


def _draw_beside(frame: BaseFrame, surround: Surround) -> View:
    panel, depth = surround.panel(frame.width, MARGIN, SIDE)
    return frame.width + SIDE + MARGIN, max(frame.height, depth + 2 * MARGIN), panel


_PLACES = {"below": _draw_below, "beside": _draw_beside}


def _choose_panel(pen: Pen, views: Mapping[str, View]) -> str:
    """Lays the panel in each place, all but the first hidden, with the view of a picture that has it there."""
    made = list[str]()
    for place, (width, height, panel) in views.items():
        view, hidden = f"0 0 {number(width)} {number(height)}", "none" if made else None
        card = _lay_card(pen, width, height)
        made.append(pen.group("", card, panel, data_panel=place, data_view=view, display=hidden))
    return "".join(made)


def _lay_card(pen: Pen, width: float, height: float) -> str:
    return pen.path("card", rect_path(0.5, 0.5, width - 1, height - 1, 10))
