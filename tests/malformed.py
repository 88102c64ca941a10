"""Spoils texts and files one thing at a time, and checks that the error names it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import aquakit
from aquakit.core.layouts import BaseLayout
from aquakit.errors import InvalidLayout, InvalidPosition


class PositionText:
    """A position text whose fields can be changed by name."""

    def __init__(self, text: str, fields: Sequence[str]) -> None:
        self.values = dict(zip(fields, text.split(" "), strict=True))

    def change(self, field: str, value: str) -> str:
        """Writes the text with another value in a field."""
        return " ".join((self.values | {field: value}).values())

    def edit(self, field: str, old: str, new: str) -> str:
        """Writes the text with something in a field replaced once."""
        assert old in self.values[field]
        return self.change(field, self.values[field].replace(old, new, 1))


def check_refused(field: str, text: str) -> None:
    """Checks that a position text is refused because of a field."""
    with pytest.raises(InvalidPosition) as caught:
        aquakit.parse(text)
    assert caught.value.where.split(":")[0] == field
    assert isinstance(caught.value, ValueError)


def check_layout_refused(layout: type[BaseLayout], text: str, field: str, folder: Path) -> None:
    """Checks that a layout file is refused because of a field."""
    path = folder / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidLayout) as caught:
        layout.load(path)
    assert str(path) in str(caught.value)
    assert field in str(caught.value).removeprefix(str(path))
