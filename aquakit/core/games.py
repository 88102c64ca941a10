"""The games of the kit, found by what a text or a name says.

To the rest of the kit a game is a package with the same rooms: a `Layout` (`core.layouts.BaseLayout`), a `Position`
(`core.position.BasePosition`) and a kernel that fulfils `compiled.protocol`. Nothing else needs to know which.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from aquakit.core.layouts import BaseLayout, find_beside, is_path, read_file
from aquakit.core.notation import unknown_layout
from aquakit.core.options import check_options
from aquakit.core.plugins import find_room, game_names
from aquakit.core.position import AnyPosition
from aquakit.core.tomlfile import load_toml
from aquakit.errors import InvalidLayout, InvalidPosition, shorten


class Game(NamedTuple):
    """A game of the kit."""

    name: str
    layout: type[BaseLayout]
    position: type[AnyPosition]
    start: Callable[..., AnyPosition]
    """Creates the start of a game; its options are the game's own."""

    @classmethod
    def load(cls, name: str) -> Game:
        """Gets a game by its package's name."""
        package = find_room(name)
        return cls(name, package.Layout, package.Position, package.Position.start)


def all_games() -> list[Game]:
    """Lists the games of the kit."""
    return [Game.load(name) for name in game_names()]


def game_of(layout: str | Path | BaseLayout) -> Game:
    """Finds the game that a layout belongs to, given by name, by path or as such."""
    games = all_games()
    if isinstance(layout, BaseLayout):
        return next(game for game in games if isinstance(layout, game.layout))
    if not isinstance(layout, str | Path):
        raise InvalidLayout("layout", repr(layout), "a name, a path or a layout")
    if isinstance(layout, Path) or is_path(layout):
        return _game_of_file(layout)
    for game in games:
        if layout in game.layout.names():
            return game
    known = ", ".join(layout_names())
    raise InvalidLayout("layout", f"unknown layout {shorten(layout)!r}", f"one of {known}, or a path to a .toml file")


def _game_of_file(path: str | Path) -> Game:
    """Finds the game that a layout file names; a file that names none is for the first."""
    name = load_toml(read_file(path), str(path), InvalidLayout).get("game", game_names()[0])
    if name not in game_names():
        raise InvalidLayout(f"{path}: game", shorten(repr(name)), f"one of {', '.join(game_names())}")
    return Game.load(name)


def parse(text: str, layout: str | Path | BaseLayout | None = None, *, folder: str | Path | None = None) -> AnyPosition:
    """Reads a position text of any game; its first field, or the given layout, says which.

    A text opens no file: one on a layout of your own needs the layout too. Only what reads a file, and gives its
    folder, may find there the plain name of a layout file.

    >>> position = parse("romana2-5x4 F##.7/...../...../L.##J .c.s./b.d./.c.s./b.d. dj -,- *.*,*.* 4.4.3.3 1 0")
    >>> position == start("romana2-5x4")
    True
    >>> parse(str(position.act("b3=+@E4"))).phase
    'close'
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidPosition("position", shorten(repr(text)), "a line of fields that begins with a layout")
    name = text.split()[0]
    try:
        board = _find_named(name, folder) if layout is None else load_layout(layout)
    except InvalidLayout as problem:
        raise InvalidPosition("layout", str(problem).removeprefix("layout: ")) from None
    return game_of(board).position.parse(text, board)


def _find_named(name: str, folder: str | Path | None) -> Any:
    """Gets the layout that a position text names: a built-in one, or one in the folder."""
    if name in layout_names():
        return load_layout(name)
    path = None if folder is None else find_beside(name, Path(folder))
    if path is None:
        raise unknown_layout(name, layout_names())
    try:
        return load_layout(path)
    except InvalidLayout:  # what stands in a file that a stranger's text names is not shown
        problem = f"{shorten(name)} is no layout file"
        raise InvalidPosition("layout", problem, "one that `aquakit layout check` finds nothing wrong with") from None


def start(layout: str | Path | BaseLayout, **options: Any) -> AnyPosition:
    """Creates the start of a game on a layout, given by name, by path or as such; the options are the game's own.

    >>> start("romana4").player
    1
    >>> start("romana3", setup=True).phase
    'setup'
    >>> start("aquadukt2", seed=7, events=True).canals_left
    36
    """
    begin = game_of(layout).start
    check_options(options, begin, "this game's start")
    return begin(layout, **options)


def load_layout(layout: str | Path | BaseLayout) -> Any:
    """Gets a layout of any game by name or path.

    >>> load_layout("romana4").summary
    '11 by 8 squares, 4 players, 12 aqueducts'
    >>> load_layout("aquadukt2").regions[0]
    ('a7', 'b7', 'b8', 'c8')
    """
    return game_of(layout).layout.load(layout)


def layout_names() -> list[str]:
    """Lists the built-in layouts of all games."""
    return [name for game in all_games() for name in game.layout.names()]
