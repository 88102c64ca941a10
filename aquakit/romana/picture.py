"""The picture of a position as SVG: reads its options and puts board and panel together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aquakit.errors import InvalidOption, InvalidTurn
from aquakit.romana import art
from aquakit.romana.diagram import diagram, headline
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.panel import draw_panel
from aquakit.romana.position import Aqueduct, Position
from aquakit.romana.scene import MARGIN, Frame, Scene
from aquakit.svg import picture, read_flag, read_size, read_theme, rect_path, show

__all__ = ["diagram", "draw"]

NARROWEST = 440
"""The narrowest picture that the panel fits into."""


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
    panel: bool = True,
) -> str:
    """Draws a position as SVG.

    `last` is the turn that led to it: its tiles and its builder are outlined. Where the builder went is certain
    only with the position `before` it; without, it is outlined if no other can be meant. `highlights` are squares
    and path squares, with short labels if given as a mapping. `sight` names open aqueducts whose lines of sight are
    shown. `arrows` are pairs of squares or path squares. `size` is the width in px, else it shrinks with its
    place. `theme` is light, dark, or auto (as the reader's system is set). `flip` shows the board from the other
    side. `coordinates` and `panel` can be left out.
    """
    layout = position.layout
    theme, size, panel = read_theme(theme), read_size(size), read_flag("panel", panel)
    rim, flip = read_flag("coordinates", coordinates), read_flag("flip", flip)
    (turn, before), marks = read_last(position, last, before), read_highlights(layout, highlights)
    watchers, pairs = read_sight(position, sight), read_arrows(layout, arrows)
    scene = Scene(position, art.take_pen(theme), Frame(layout, flip=flip, rim=rim, narrowest=NARROWEST if panel else 0))
    layers = [scene.ground(coordinates=rim), scene.tiles(), scene.reservoirs(), scene.water(), scene.builders()]
    layers += [scene.last(turn, before), scene.marks(marks), scene.sight(watchers), scene.ends()]
    layers += [scene.arrows(pairs), scene.labels(marks)]
    return _finish(scene, "".join(layers), size=size, theme=theme, panel=panel)


def _finish(scene: Scene, board: str, *, size: int | None, theme: str, panel: bool) -> str:
    """Puts the board on a card, with the panel below."""
    position, pen, width, height = scene.position, scene.pen, scene.frame.width, scene.frame.height
    if panel:
        below, depth = draw_panel(position, scene.aqueducts, pen, MARGIN, height, width - 2 * MARGIN)
        board, height = board + below, height + depth
    style, definitions = art.definitions(theme)
    card = pen.path("card", rect_path(0.5, 0.5, width - 1, height - 1, 10))
    title = f"Aqua Romana, {position.layout.title}: {headline(position)}"
    text = diagram(position)
    return picture(pen, width, height, size=size, title=title, desc=text, style=style, body=definitions + card + board)


# Options


def read_last(position: Position, last: Turn | str | None, before: Position | None) -> tuple[Turn, Position | None]:
    """Checks that a turn can have led to a position: its tiles lie there."""
    if before is not None and (not isinstance(before, Position) or before.layout != position.layout):
        raise InvalidOption("before", show(before), f"the position before the last turn, on {position.layout.name}")
    if last is None:
        return Turn(), before
    if not isinstance(last, str | Turn):
        raise InvalidOption("last", show(last), "a turn, as such or as text")
    try:
        turn = Turn.parse(last) if isinstance(last, str) else last
    except InvalidTurn as problem:
        raise InvalidOption("last", f"{problem.where} {problem.problem}", problem.expected) from None
    tiles, path = position.tiles, position.layout.path_index
    for action in turn:
        if action.tile and tiles.get(action.square) != action.tile:
            raise InvalidOption("last", f"{action}: no {action.tile} lies on {action.square}", "the turn before")
        if action.path and action.path not in path:
            raise InvalidOption("last", f"{action}: there is no path square {action.path}", "the turn before")
    return turn, before


def read_place(layout: Layout, option: str, name: object) -> str:
    """Checks the name of a square or path square."""
    if isinstance(name, str) and (name in layout.square_index or name in layout.path_index):
        return name
    squares, path = layout.square_names, layout.path_names
    expected = f"a square {squares[0]} … {squares[-1]} or a path square {path[0]} … {path[-1]}"
    raise InvalidOption(option, f"there is no {show(name)} on {layout.name}", expected)


def read_highlights(layout: Layout, highlights: Mapping[str, str] | Iterable[str]) -> dict[str, str]:
    """Checks highlights and gets the label of each, empty for none."""
    if isinstance(highlights, str):
        highlights = (highlights,)
    if not isinstance(highlights, Iterable):
        raise InvalidOption("highlights", show(highlights), "names of squares, or a mapping of them to labels")
    if not isinstance(highlights, Mapping):
        return {read_place(layout, "highlights", name): "" for name in highlights}
    for name, label in highlights.items():
        read_place(layout, "highlights", name)
        if not isinstance(label, str):
            raise InvalidOption("highlights", f"{name}: {show(label)}", "a short text")
    return dict(highlights)


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


def read_arrows(layout: Layout, arrows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Checks the arrows' ends."""
    expected = "pairs of two names, like [('Nc', 'c7')]"
    if isinstance(arrows, str) or not isinstance(arrows, Iterable):
        raise InvalidOption("arrows", show(arrows), expected)
    made = []
    for arrow in arrows:
        if not isinstance(arrow, tuple | list) or len(arrow) != 2 or arrow[0] == arrow[1]:
            raise InvalidOption("arrows", show(arrow), expected)
        made.append((read_place(layout, "arrows", arrow[0]), read_place(layout, "arrows", arrow[1])))
    return made
