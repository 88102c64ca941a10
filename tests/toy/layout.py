"""The board as data: so many pebbles on two squares."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from aquakit.core.layouts import BaseLayout
from aquakit.core.tomlfile import Table
from toy.kernel import Tables


class LayoutFile(Table):
    """A layout file."""

    game: Literal["toy"]
    name: str
    title: str
    pebbles: Annotated[tuple[int, ...], Field(min_length=2, max_length=2)]


class Layout(BaseLayout):
    """A board."""

    folder = Path(__file__).with_name("layouts")
    model = LayoutFile
    _data: LayoutFile
    columns, rows = 2, 1
    sizes = capacity = {"moves": 4}

    def __init__(self, text: str, ref: str = "", *, source: str = "layout") -> None:
        super().__init__(text, ref, source=source)
        self.name, self.title, self.pebbles = self._data.name, self._data.title, self._data.pebbles

    @cached_property
    def tables(self) -> Tables:
        """What the kernel needs of it."""
        made = Tables.new(self.sizes)
        made.players = 2
        return made
