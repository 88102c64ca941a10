"""What a board tells about a position beside the picture, as data: facts about pieces, tables, and a turn's traces.

A game's own `facts` module has `facts(position)`, `sheet(position)`, `trace(position, turn)` and `chips(layout,
player)`. Places and pieces of the picture are written as in `aquakit.board.clicks`.
"""

from __future__ import annotations

from typing import NamedTuple


class Fact(NamedTuple):
    """What is shown when one points at something."""

    name: str
    on: tuple[str, ...]
    """The pieces of the picture that it is about."""
    title: str
    lines: tuple[str, ...]
    places: tuple[str, ...] = ()
    """The places to mark."""
    rays: tuple[tuple[str, str], ...] = ()
    """Lines of sight, each from a place to a place."""
    colour: str = ""
    """The letter of its colour."""


class Chip(NamedTuple):
    """A piece named in a table."""

    text: str
    colour: str
    """The letter of its colour."""
    sure: bool = True
    """Whether it stands there; otherwise it would, if it came to that now."""


Cell = str | tuple[Chip, ...]


class FactTable(NamedTuple):
    """A table of a score sheet."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class TurnTrace(NamedTuple):
    """How a turn shows on the board before it is played."""

    arrows: tuple[tuple[str, str], ...] = ()
    marks: tuple[str, ...] = ()
    """All places at which something is placed, laid or closed, also where an arrow leads."""
