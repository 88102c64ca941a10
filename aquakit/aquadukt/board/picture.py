"""The picture of a position as SVG: reads its options and puts board and panel together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from aquakit.aquadukt.board.art import definitions
from aquakit.aquadukt.board.diagram import diagram, headline
from aquakit.aquadukt.board.panel import draw_panel
from aquakit.aquadukt.board.scene import BoardFrame, Scene
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Turn, check_names
from aquakit.aquadukt.position import Position
from aquakit.core.options import read_flag, show
from aquakit.drawing.board_picture import (
    Surround,
    finish,
    read_arrows,
    read_before,
    read_highlights,
    read_look,
    read_names,
    read_turn,
)
from aquakit.errors import InvalidOption, InvalidTurn

__all__ = ["diagram", "draw", "measure"]


def draw(
    position: Position,
    *,
    last: Turn | str | None = None,
    before: Position | None = None,
    highlights: Mapping[str, str] | Iterable[str] = (),
    arrows: Iterable[tuple[str, str]] = (),
    supply: bool = False,
    size: int | None = None,
    theme: str = "light",
    flip: bool = False,
    coordinates: bool = True,
    panel: bool | str = True,
    names: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Draws a position as SVG.

    `last` is the turn that led to it: what it put on the board is outlined; with the position `before` it, the
    squares whose tiles it removed too. `highlights` are squares, points like
    3.5 and segments like 3.5h, with short labels if given as a mapping. `arrows` are pairs of squares or points.
    `supply` shows on every watered square how many canals feed it, not only where there are several. `size` is the
    width in px, else it shrinks with its place. `theme` is light, dark, or auto (as the reader's system is set).
    `flip` shows the board from the other side. `coordinates` and `panel` can be left out; the panel is below the board,
    or "beside" it. `names` are those of players, by their numbers.

    >>> draw(Position.start("aquadukt2"), highlights=["e4", "3.5", "3.5h"], supply=True, size=600, theme="dark")[:4]
    '<svg'
    """
    look = read_look(size=size, theme=theme, flip=flip, coordinates=coordinates, panel=panel)
    turn, every, layout = read_last(position, last), read_flag("supply", supply), position.layout
    marks = read_highlights(highlights, partial(read_place, layout))
    pairs = read_arrows(arrows, partial(read_spot, layout), ("e4", "3.5"))
    scene = Scene(position, look)
    layers = [scene.ground(), scene.squares(), scene.canals(), scene.springs()]
    layers += [scene.last(turn, read_before(before, position)), scene.numbers(), scene.supply(every=every)]
    layers += [scene.marks(marks), scene.arrows(pairs), scene.labels(marks)]
    title = f"{position.title}, {layout.title}: {headline(position)}"
    below = partial(draw_panel, position, scene.pen, read_names(names))
    surround = Surround(definitions(look.theme), title, diagram(position), below)
    return finish(scene.pen, scene.frame, look, "".join(layers), surround)


def measure(
    layout: Layout, *, flip: bool = False, coordinates: bool = True, panel: bool | str = True
) -> dict[str, tuple[float, float, float, float]]:
    """Gets the middle, the width and the height of every square, point and segment in a layout's pictures.

    >>> measure(Layout.load("aquadukt2"))["3.5h"]
    (209.0, 185.0, 48, 20)
    """
    look = read_look(size=None, theme="light", flip=flip, coordinates=coordinates, panel=panel)
    return BoardFrame(layout, look).measure()


# Options


def read_last(position: Position, last: Turn | str | None) -> Turn:
    """Checks that a turn can have led to a position: what it put on the board lies there, or was removed."""
    turn, tiles = read_turn(last, Turn), position.tiles
    canals, springs = position.canals, position.springs
    standing = {action.square: action.value for action in turn if action.square}
    for action in turn:
        try:
            check_names(position.layout, action)
        except InvalidTurn as problem:
            raise InvalidOption(
                "last", f"{problem.where}: {problem.problem}", problem.expected or "the turn before"
            ) from None
        if action.point and action.point not in springs:
            raise InvalidOption("last", f"{action}: no spring stands there", "the turn before")
        if action.segment and action.segment not in canals:
            raise InvalidOption("last", f"{action}: no canal lies there", "the turn before")
    for square, value in standing.items():
        if square in position.mountains or (square in tiles and tiles[square][1] != str(value)):
            raise InvalidOption("last", f"{value} {square}: something else stands there", "the turn before")
    return turn


def read_spot(layout: Layout, option: str, name: object) -> str:
    """Checks the name of a square or point."""
    return _read_name(layout, option, name, segments=False)


def read_place(layout: Layout, option: str, name: object) -> str:
    """Checks the name of a square, point or segment."""
    return _read_name(layout, option, name, segments=True)


def _read_name(layout: Layout, option: str, name: object, *, segments: bool) -> str:
    if isinstance(name, str):
        is_square = name in layout.square_index and layout.has_square(layout.square_index[name])
        if is_square or name in layout.point_index or (segments and name in layout.segment_index):
            return name
    expected = "a square like e4 or a point like 3.5" + (", or a segment like 3.5h" if segments else "")
    raise InvalidOption(option, f"there is no {show(name)} on {layout.name}", expected)
