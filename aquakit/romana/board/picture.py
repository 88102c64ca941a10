"""The picture of a position as SVG: reads its options and puts board and panel together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from types import MappingProxyType

from aquakit.core.options import show
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
from aquakit.errors import InvalidOption
from aquakit.romana.board import art
from aquakit.romana.board.diagram import diagram, headline
from aquakit.romana.board.panel import draw_panel
from aquakit.romana.board.scene import BoardFrame, Scene
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.position import Aqueduct, Position

__all__ = ["diagram", "draw", "measure"]


def draw(
    position: Position,
    *,
    last: Turn | str | None = None,
    before: Position | None = None,
    highlights: Mapping[str, str] | Iterable[str] = (),
    sight: str | Iterable[str] | None = None,
    arrows: Iterable[tuple[str, str]] = (),
    size: int | None = None,
    theme: str = "light",
    flip: bool = False,
    coordinates: bool = True,
    panel: bool | str = True,
    names: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Draws a position as SVG.

    `last` is the turn that led to it: its tiles and its builder are outlined. Where the builder went is certain
    only with the position `before` it; without, it is outlined if no other can be meant. `highlights` are squares
    and path squares, with short labels if given as a mapping. `sight` names open aqueducts whose lines of sight are
    shown. `arrows` are pairs of squares or path squares. `size` is the width in px, else it shrinks with its
    place. `theme` is light, dark, or auto (as the reader's system is set). `flip` shows the board from the other
    side. `coordinates` and `panel` can be left out; the panel is below the board, or "beside" it. `names` are those of
    players, by their numbers.

    >>> draw(Position.start("romana4"), sight=["R1", "R2"], highlights={"c7": "1"}, arrows=[("Nc", "c7")])[:4]
    '<svg'
    """
    look = read_look(size=size, theme=theme, flip=flip, coordinates=coordinates, panel=panel)
    place = partial(read_place, position.layout)
    turn, marks = read_last(position, last), read_highlights(highlights, place)
    watchers, pairs = read_sight(position, sight), read_arrows(arrows, place, ("Nc", "c7"))
    pen, frame = art.take_pen(look.theme), BoardFrame(position.layout, look)
    scene = Scene(position, pen, frame)
    layers = [
        scene.ground(coordinates=look.coordinates),
        scene.tiles(),
        scene.reservoirs(),
        scene.water(),
        scene.builders(),
    ]
    layers += [scene.last(turn, read_before(before, position)), scene.marks(marks), scene.sight(watchers), scene.ends()]
    layers += [scene.arrows(pairs), scene.labels(marks)]
    title = f"{position.title}, {position.layout.title}: {headline(position)}"
    below = partial(draw_panel, position, scene.aqueducts, pen, read_names(names))
    return finish(
        pen, frame, look, "".join(layers), Surround(art.definitions(look.theme), title, diagram(position), below)
    )


def measure(
    layout: Layout, *, flip: bool = False, coordinates: bool = True, panel: bool | str = True
) -> dict[str, tuple[float, float, float, float]]:
    """Gets the middle, the width and the height of every square, path square and fountain in a layout's pictures.

    >>> measure(Layout.load("romana4"))["c7"]
    (200.0, 152.0, 48, 48)
    """
    look = read_look(size=None, theme="light", flip=flip, coordinates=coordinates, panel=panel)
    return BoardFrame(layout, look).measure()


# Options


def read_last(position: Position, last: Turn | str | None) -> Turn:
    """Checks that a turn can have led to a position: its tiles lie there."""
    turn = read_turn(last, Turn)
    tiles, path = position.tiles, position.layout.path_index
    for action in turn:
        if action.tile and tiles.get(action.square) != action.tile:
            raise InvalidOption("last", f"{action}: no {action.tile} lies on {action.square}", "the turn before")
        if action.path and action.path not in path:
            raise InvalidOption("last", f"{action}: there is no path square {action.path}", "the turn before")
    return turn


def read_place(layout: Layout, option: str, name: object) -> str:
    """Checks the name of a square or path square."""
    if isinstance(name, str) and (name in layout.square_index or name in layout.path_index):
        return name
    squares, path = layout.square_names, layout.path_names
    expected = f"a square {squares[0]} … {squares[-1]} or a path square {path[0]} … {path[-1]}"
    raise InvalidOption(option, f"there is no {show(name)} on {layout.name}", expected)


def read_sight(position: Position, sight: str | Iterable[str] | None) -> list[Aqueduct]:
    """Checks the aqueducts whose workmen's sight is asked for."""
    if sight is None:
        return []
    if not isinstance(sight, Iterable):
        raise InvalidOption("sight", show(sight), "names of aqueducts")
    known = {a.name: a for a in position.aqueducts}
    names = [sight] if isinstance(sight, str) else list(sight)
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise InvalidOption("sight", f"there is no aqueduct {show(name)}", f"some of {', '.join(known)}")
        if not known[name].open:
            raise InvalidOption("sight", f"{name} is closed and has no workman", "open aqueducts")
    return [known[name] for name in dict.fromkeys(names)]
