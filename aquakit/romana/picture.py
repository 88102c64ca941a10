"""The picture of a position: options, the board with everything on it, and the panel below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from aquakit import grid
from aquakit.errors import InvalidOption, InvalidTurn
from aquakit.romana import art
from aquakit.romana.art import CELL, HALF, SEGMENT_PATHS, side_point
from aquakit.romana.diagram import diagram, headline
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, SEGMENTS
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.panel import draw_panel
from aquakit.romana.position import Aqueduct, Position
from aquakit.svg import (
    Pen, arrow_path, number, picture, read_flag, read_size, read_theme, rect_path, shorten_label
)  # fmt: skip

__all__ = ["diagram", "draw"]

Point = tuple[float, float]

MARGIN = 8
DEPTH = 44
"""How deep a path square is; along the board it is as wide as a square."""
ROAD = 3
"""The road's edge on either side of its paving."""
RIM = 20
"""The room for coordinates."""
NARROWEST = 420
"""The narrowest picture that the panel fits into."""
LONGEST = 14
"""The most characters shown of a highlight's label."""


def draw(
    position: Position,
    *,
    last: Turn | str | None = None,
    highlights: Mapping[str, str] | Iterable[str] = (),
    sight: str | Iterable[str] | None = None,
    arrows: Iterable[tuple[str, str]] = (),
    size: int | None = None,
    theme: str = "light",
    flip: bool = False,
    coordinates: bool = True,
    panel: bool = True,
) -> str:
    """Draws a position as SVG.

    `last` is the turn that led to it: its tiles and builder are outlined. `highlights` are squares and path squares,
    with short labels if given as a mapping. `sight` names open aqueducts whose lines of sight are shown. `arrows` are
    pairs of squares or path squares. `size` is the width in px, else the picture fills its place. `theme` is light,
    dark, or auto (as the reader's system is set). `flip` shows the board from the other side.
    """
    theme, size = read_theme(theme), read_size(size)
    coordinates, panel = read_flag("coordinates", coordinates), read_flag("panel", panel)
    board = Board(position, Pen("ro", theme), Frame(position.layout, read_flag("flip", flip), coordinates, panel))
    turn = read_last(position, last)
    marks = read_highlights(position.layout, highlights)
    watchers = read_sight(position, sight)
    pairs = read_arrows(position.layout, arrows)
    body = [board.ground(coordinates), board.tiles(), board.reservoirs(), board.water()]
    body += [board.last(turn), board.marks(marks), board.builders(), board.sight(watchers), board.ends()]
    body += [board.arrows(pairs), board.labels(marks)]
    return board.finish(body, size=size, theme=theme, panel=panel)


# Options


def read_last(position: Position, last: Turn | str | None) -> Turn:
    """Checks that a turn can have led to a position: its tiles lie there."""
    if last is None:
        return Turn()
    if not isinstance(last, str | Turn):
        raise InvalidOption("last", repr(last), "a turn, as such or as text")
    try:
        turn = Turn.parse(last) if isinstance(last, str) else last
    except InvalidTurn as problem:
        raise InvalidOption("last", f"{problem.where} {problem.problem}", problem.expected) from None
    tiles = position.tiles
    for action in turn:
        if action.tile and tiles.get(action.square) != action.tile:
            raise InvalidOption("last", f"{action}: there is no {action.tile} on {action.square}", "the last turn")
        if action.path:
            read_place(position.layout, "last", action.path)
    return turn


def read_place(layout: Layout, option: str, name: object) -> str:
    """Checks the name of a square or path square."""
    if isinstance(name, str) and (name in layout.square_index or name in layout.path_index):
        return name
    squares, path = layout.square_names, layout.path_names
    expected = f"a square {squares[0]} … {squares[-1]} or a path square {path[0]} … {path[-1]}"
    raise InvalidOption(option, f"there is no {name!r} on {layout.name}", expected)


def read_highlights(layout: Layout, highlights: Mapping[str, str] | Iterable[str]) -> dict[str, str]:
    """Checks highlights and gets the label of each, empty for none."""
    if isinstance(highlights, str):
        highlights = (highlights,)
    if not isinstance(highlights, Iterable):
        raise InvalidOption("highlights", repr(highlights), "names of squares, or a mapping of them to labels")
    labels = highlights if isinstance(highlights, Mapping) else dict.fromkeys(highlights, "")
    for name, label in labels.items():
        read_place(layout, "highlights", name)
        if not isinstance(label, str):
            raise InvalidOption("highlights", f"{name}'s label is {label!r}", "a short text")
    return dict(labels)


def read_sight(position: Position, sight: str | Iterable[str] | None) -> list[Aqueduct]:
    """Checks the aqueducts whose workmen's sight is asked for."""
    if sight is None:
        return []
    if not isinstance(sight, Iterable):
        raise InvalidOption("sight", repr(sight), "names of aqueducts")
    known = {a.name: a for a in position.aqueducts}
    names = [sight] if isinstance(sight, str) else list(sight)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise InvalidOption("sight", f"there is no aqueduct {name!r}", f"some of {', '.join(known)}")
        if not known[name].open:
            raise InvalidOption("sight", f"{name} is closed and has no workman", "open aqueducts")
    return [known[name] for name in dict.fromkeys(names)]


def read_arrows(layout: Layout, arrows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Checks the arrows' ends."""
    expected = "pairs of names, like [('Nc', 'c7')]"
    if isinstance(arrows, str) or not isinstance(arrows, Iterable):
        raise InvalidOption("arrows", repr(arrows), expected)
    made = []
    for arrow in arrows:
        if isinstance(arrow, str) or not isinstance(arrow, Iterable):
            raise InvalidOption("arrows", repr(arrow), expected)
        ends = [read_place(layout, "arrows", name) for name in arrow]
        if len(ends) != 2 or ends[0] == ends[1]:
            raise InvalidOption("arrows", f"{ends!r}", "pairs of two different names")
        made.append((ends[0], ends[1]))
    return made


# Geometry


class Frame:
    """Where everything on the board lies."""

    def __init__(self, layout: Layout, flip: bool, coordinates: bool, panel: bool) -> None:
        """Measures a layout, seen from the south or flipped."""
        self.layout, self.flip = layout, flip
        rim = RIM if coordinates else 0
        around = MARGIN + rim + DEPTH + 2 * ROAD
        across = CELL * layout.columns + 2 * around
        self.width = max(across, NARROWEST) if panel else across
        self.left, self.top = (self.width - CELL * layout.columns) / 2, float(around)
        self.right, self.bottom = self.left + CELL * layout.columns, self.top + CELL * layout.rows
        self.height = self.bottom + around
        self.places: dict[str, Point] = {name: self._square(i) for i, name in enumerate(layout.square_names)}
        for name in layout.path_names:
            self.places[name] = self.beside(name, ROAD + DEPTH / 2)

    def side(self, side: int) -> int:
        """Gets the side of the picture at which a side of the board lies."""
        return (side + 2) % 4 if self.flip else side

    def _square(self, square: int) -> Point:
        row, column = divmod(square, self.layout.columns)
        if not self.flip:
            row = self.layout.rows - 1 - row
        else:
            column = self.layout.columns - 1 - column
        return self.left + CELL * (column + 0.5), self.top + CELL * (row + 0.5)

    def beside(self, name: str, distance: float) -> Point:
        """Gets the point at a distance from the board's edge in the line of a path square."""
        side, line = grid.SIDES.index(name[0]), name[1:]
        x, y = self._square(self.layout.square_index[f"{line}1" if side % 2 == 0 else f"a{line}"])
        where = self.side(side)
        if side % 2 == 0:
            return x, self.top - distance if where == grid.NORTH else self.bottom + distance
        return (self.right + distance if where == grid.EAST else self.left - distance), y

    def end(self, square: str, side: int, distance: float) -> Point:
        """Gets the point at a distance from a square's middle towards a side of the board."""
        (x, y), (dx, dy) = self.places[square], side_point(self.side(side), distance)
        return x + dx, y + dy


class Course(NamedTuple):
    """The water of one aqueduct."""

    aqueduct: Aqueduct
    upper: str
    lower: str
    """The path where it runs under bridges."""
    exit: int
    """The side of its last square at which it ends."""


def trace(position: Position, frame: Frame, number_of: int) -> Course:
    """Follows an aqueduct's water from its outlet to its end."""
    layout, aqueduct = position.layout, position.aqueducts[number_of]
    raise NotImplementedError
