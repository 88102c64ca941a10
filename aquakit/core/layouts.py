"""Loads layouts, the boards of a game as data: by the name of a built-in one, or by the path of a user's own file."""

from __future__ import annotations

import os
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, ClassVar, Self, cast
from urllib.parse import quote, unquote

from aquakit.core import grid
from aquakit.core.files import read_text
from aquakit.core.tomlfile import Table, read_toml
from aquakit.errors import InvalidLayout, shorten

SUFFIX = ".toml"
LARGEST = 256 * 1024
"""So many bytes a layout file may have; no board needs a tenth of them."""


class BaseLayout:
    """A board as data, whatever the game: a grid of squares. Immutable; equal if the data are equal.

    >>> import aquakit
    >>> layout = aquakit.load_layout("romana2-5x4")
    >>> layout.name, layout.columns, layout.rows, layout.summary
    ('romana2-5x4', 5, 4, '5 by 4 squares, 2 players, 4 aqueducts')
    >>> layout.square_names[:3], layout.square_index["c2"]
    (('a1', 'b1', 'c1'), 7)
    """

    name: str
    title: str
    columns: int
    rows: int

    folder: ClassVar[Path]
    """Where the game's built-in layouts are."""
    model: ClassVar[type[Table]]
    """What its files hold."""

    def __init__(self, text: str, ref: str = "", *, source: str = "layout") -> None:
        """Reads a layout from TOML; `ref` is what a position text calls it, `source` what errors do."""
        self.text = text
        """The layout file."""
        self._data = read_toml(text, self.model, source, InvalidLayout)
        self._source = source
        self.ref = ref
        """What a position text calls the layout: a built-in name, or its file's plain name; empty without a file."""

    @classmethod
    def names(cls) -> list[str]:
        """Lists the built-in layouts.

        >>> from aquakit.romana import Layout
        >>> Layout.names()
        ['romana2', 'romana2-5x4', 'romana2-7x6', 'romana3', 'romana4']
        """
        return list(_names_in(cls.folder))

    @classmethod
    def load(cls, layout: str | Path | Self) -> Self:
        """Gets a layout by name or path; a layout is returned as it is.

        >>> from aquakit.aquadukt import Layout
        >>> Layout.load("aquadukt4").title
        'Aquädukt for four players'
        """
        if isinstance(layout, cls):
            return layout
        if isinstance(layout, Path) or (isinstance(layout, str) and is_path(layout)):
            path, text = str(layout), read_file(layout)
            # A file of another name is none that could be found beside a text that names it.
            return (
                cast(Self, _load_text(cast(Any, cls), path, text)) if path.endswith(SUFFIX) else cls.loads(text, path)
            )
        if not isinstance(layout, str) or layout not in cls.names():
            known = ", ".join(cls.names())
            raise InvalidLayout(
                "layout", f"unknown layout {shorten(str(layout))!r}", f"one of {known}, or a path to a .toml file"
            )
        return cast(Self, _load_builtin(cast(Any, cls), str(layout)))

    @classmethod
    def loads(cls, text: str, source: str = "layout") -> Self:
        """Gets a layout from a TOML text, which errors call by its source; positions on it are read with `layout=`.

        Its name may not be a built-in layout's, unless it is the same, since a position text would mean that one.

        >>> from aquakit.romana import Layout
        >>> text = Layout.load("romana2-5x4").text.replace('name = "romana2-5x4"', 'name = "mine"')
        >>> Layout.loads(text).name
        'mine'
        """
        if not isinstance(text, str):
            raise InvalidLayout("layout", shorten(repr(text)), "a TOML text")
        made = cls(text, source=source)
        if made.name in cls.names() and made != cls.load(made.name):
            raise made.fail("name", f"{made.name} is a built-in layout's name", "a name of its own")
        return made

    @property
    def is_builtin(self) -> bool:
        """Whether it comes with the kit, so that its name is enough to know it everywhere."""
        return self.ref in self.names()

    def fail(self, field: str, problem: str, expected: str = "") -> InvalidLayout:
        """Creates the error for a field of this layout."""
        return InvalidLayout(f"{self._source}: {field}", problem, expected)

    @property
    def summary(self) -> str:
        """What the board holds, in a line."""
        return f"{self.columns} by {self.rows} squares"

    # The grid

    @cached_property
    def square_names(self) -> tuple[str, ...]:
        """The squares, from the south-west, row by row."""
        return tuple(grid.square_name(q, self.columns) for q in range(self.columns * self.rows))

    @cached_property
    def square_index(self) -> dict[str, int]:
        """The number of each square, by name."""
        return {name: index for index, name in enumerate(self.square_names)}

    def neighbour(self, square: int, side: int) -> int | None:
        """Gets the square across a side, or none at the rim."""
        return grid.neighbour(square, side, self.columns, self.rows)

    def edge(self, square: int, side: int) -> int:
        """Gets the number of the grid edge at a side of a square: first those that run east, then north."""
        row, column = divmod(square, self.columns)
        if side in (grid.NORTH, grid.SOUTH):
            return (row + (side == grid.NORTH)) * self.columns + column
        return self.columns * (self.rows + 1) + row * (self.columns + 1) + column + (side == grid.EAST)

    def _square(self, name: str, field: str) -> int:
        """Gets a square's number, or the error for a field that names none."""
        index = grid.square_index(name, self.columns, self.rows)
        if index is None:
            raise self.fail(field, f"there is no square {name!r}", f"a1 … {self.square_names[-1]}")
        return index

    def __repr__(self) -> str:
        name = type(self).__name__
        if self.is_builtin:
            return f"{name}.load({self.ref!r})"
        return f"{name}({self.text!r}, {self.ref!r})" if self.ref else f"{name}.loads({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process, or another machine, need not have the file.
        return (type(self).load, (self.ref,)) if self.is_builtin else (type(self), (self.text, self.ref))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._data == other._data)

    def __hash__(self) -> int:
        return hash((type(self), self._data.model_dump_json()))


def is_path(name: str) -> bool:
    """Checks whether a layout is named by a path.

    >>> is_path("romana4"), is_path("boards/mine.toml")
    (False, True)
    """
    return name.endswith(SUFFIX) or "/" in name or "\\" in name


@lru_cache(maxsize=8)
def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob(f"*{SUFFIX}")))


@lru_cache(maxsize=64)
def _load_builtin(cls: Any, name: str) -> Any:
    return cls((cls.folder / f"{name}{SUFFIX}").read_text("utf-8"), name, source=name)


def read_file(path: str | Path) -> str:
    """Reads the text of a layout file that somebody names."""
    return read_text(path, InvalidLayout, "a layout file", most=LARGEST)


def is_file(path: str | Path) -> bool:
    """Checks whether a file is there; a name that no file can have is none."""
    return os.path.isfile(path)


def find_beside(name: str, folder: Path) -> Path | None:
    """Finds the layout file that a position text names, in the folder of whatever holds that text.

    Texts come from strangers, so they lead to no other folder, and to nothing but a plain layout file.

    >>> find_beside("../mine.toml", Path(".")) is find_beside("/dev/zero", Path(".")) is None
    True
    """
    plain = unquote(name)
    is_plain = PurePosixPath(plain).name == PureWindowsPath(plain).name == plain and plain.isprintable()
    if not is_plain or ".." in plain or not plain.endswith(SUFFIX):
        return None
    path = folder / plain
    # A link may lead to another file of the folder, but not out of it.
    return path if is_file(path) and path.resolve().parent == folder.resolve() else None


@lru_cache(maxsize=64)
def _load_text(cls: Any, path: str, text: str) -> Any:
    """Makes a layout once per version of its file."""
    return cls(text, quote(Path(path).name, safe="~+,=@()", errors="replace"), source=path)
