"""A folder in which strangers' files lie beside a layout, with what they might reach for around it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import aquakit

_opened: list[str] | None = None


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Notes what is opened while somebody wants to know; Python has no way to end such a hook."""
    if _opened is not None and event == "open" and isinstance(arguments[0], str | bytes):
        _opened.append(os.fsdecode(arguments[0]))


sys.addaudithook(_hear)


@contextmanager
def _opening() -> Iterator[list[str]]:
    global _opened
    _opened = []
    try:
        yield _opened
    finally:
        _opened = None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gives a folder with a layout; outside of it lies a secret, to which a link leads, and inside there is a pipe."""
    made = tmp_path / "inside"
    made.mkdir()
    text = aquakit.load_layout("romana2-5x4").text
    (made / "mine.toml").write_text(text.replace('name = "romana2-5x4"', 'name = "mine"'), "utf-8")
    (tmp_path / "secret.toml").write_text('game = "password"\n', "utf-8")
    (made / "link.toml").symlink_to(tmp_path / "secret.toml")
    (made / "zero.toml").symlink_to("/dev/zero")
    if hasattr(os, "mkfifo"):
        os.mkfifo(made / "fifo.toml")
    return made


@pytest.fixture
def check_opened(folder: Path) -> Callable[..., None]:
    """Does something, and checks that no file outside of the folder was opened for it, but Python's and the kit's."""
    kit = Path(aquakit.__file__).parents[1]
    known = [Path(place).resolve() for place in (sys.prefix, sys.base_prefix, kit, folder)]

    def check(do: Callable[[], object]) -> None:
        with _opening() as opened:
            do()
        places = [Path(path).resolve() for path in opened]
        assert [place for place in places if not any(place.is_relative_to(folder) for folder in known)] == []
        assert not any(place.name in ("secret.toml", "zero", "fifo.toml") for place in places)

    return check
