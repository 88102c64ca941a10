"""The games of the kit, found by what a text or a name says."""

from __future__ import annotations

from pathlib import Path

from aquakit.romana import Layout, Position


def parse(text: str, layout: str | Path | Layout | None = None) -> Position:
    """Reads a position text of any game.

    >>> parse(str(start("romana4"))).player
    1
    """
    return Position.parse(text, layout)


def start(layout: str | Path | Layout, *, setup: bool = False) -> Position:
    """Creates the start of a game on a layout, given by name, by path or as such."""
    return Position.start(layout, setup=setup)


def load_layout(layout: str | Path | Layout) -> Layout:
    """Gets a layout of any game by name or path."""
    return Layout.load(layout)


def layout_names() -> list[str]:
    """Lists the built-in layouts of all games."""
    return Layout.names()
