"""Loads layouts, the boards of a game as data: by the name of a built-in one, or by the path of a user's own file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self, cast
from urllib.parse import quote, unquote

from aquakit.errors import InvalidLayout
from aquakit.tomlfile import Table, read_toml


class BaseLayout:
    """A board as data, whatever the game. Immutable; equal if the data are equal."""

    folder: ClassVar[Path]
    """Where the game's built-in layouts are."""
    model: ClassVar[type[Table]]
    """What its files hold."""

    def __init__(self, text: str, ref: str = "", *, source: str = "layout") -> None:
        """Reads a layout from TOML; `ref` is what a position text calls it, `source` what errors do."""
        self._text = text
        self._data = read_toml(text, self.model, source, InvalidLayout)
        self._source = source
        self.ref = ref
        """What a position text calls the layout: a built-in name or a path."""

    @classmethod
    def names(cls) -> list[str]:
        """Lists the built-in layouts."""
        return sorted(path.stem for path in cls.folder.glob("*.toml"))

    @classmethod
    def load(cls, layout: str | Path | Self) -> Self:
        """Gets a layout by name or path; a layout is returned as it is."""
        if isinstance(layout, cls):
            return layout
        if isinstance(layout, Path) or (isinstance(layout, str) and is_path(layout)):
            path = str(layout)
            return cast(Self, _load_file(cls, path if Path(path).exists() else unquote(path)))
        if layout not in cls.names():
            known = ", ".join(cls.names())
            raise InvalidLayout(
                "layout", f"unknown layout {str(layout)!r}", f"one of {known}, or a path to a .toml file"
            )
        return cast(Self, _load_builtin(cast(Any, cls), str(layout)))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Gets a layout from a TOML text; positions on it are read with `layout=`."""
        return cls(text)

    def fail(self, field: str, problem: str, expected: str = "") -> InvalidLayout:
        """Creates the error for a field of this layout."""
        return InvalidLayout(f"{self._source}: {field}", problem, expected)

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}.load({self.ref!r})" if self.ref else f"{name}.loads({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._data == other._data)

    def __hash__(self) -> int:
        return hash((type(self), self._data.model_dump_json()))


def is_path(name: str) -> bool:
    """Checks whether a layout is named by a path.

    >>> is_path("romana4"), is_path("boards/mine.toml")
    (False, True)
    """
    return name.endswith(".toml") or "/" in name or "\\" in name


@lru_cache(maxsize=64)
def _load_builtin(cls: Any, name: str) -> Any:
    return cls((cls.folder / f"{name}.toml").read_text("utf-8"), name, source=name)


def _load_file(cls: Any, path: str) -> Any:
    try:
        stat = Path(path).stat()
        return _load_version(cls, path, stat.st_mtime_ns, stat.st_size)
    except OSError as problem:
        raise InvalidLayout(path, f"cannot be read: {problem.strerror}", "a readable layout file") from None
    except UnicodeDecodeError:
        raise InvalidLayout(path, "is not UTF-8", "a TOML file") from None


@lru_cache(maxsize=64)
def _load_version(cls: Any, path: str, changed: int, size: int) -> Any:
    """Reads a file once per version of it."""
    return cls(Path(path).read_text("utf-8"), quote(path, safe="/\\:~+,=@()"), source=path)
