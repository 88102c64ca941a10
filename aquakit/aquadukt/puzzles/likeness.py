"""What makes two puzzles of Aquädukt alike: houses, mountains, springs, canals, and the places that answers name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aquakit.aquadukt.position import Position
from aquakit.puzzle.making.likeness import mark_answers, square_point
from aquakit.puzzle.protocol import Mark, Point

_SQUARES = re.compile(r"(?:^|[ ,])([a-z][1-9][0-9]?)\b")
_SEGMENTS = re.compile(r"(\d+\.\d+[hv])")


def find_marks(position: Position) -> frozenset[Mark]:
    """Collects what lies on a board."""
    found = [(tile, square_point(name)) for name, tile in position.tiles.items()]
    found += [(f"mountain {event}", square_point(name)) for name, event in position.mountains.items()]
    found += [("spring", _point(name)) for name in position.springs]
    found += [(f"canal {count}", _segment(name)) for name, count in position.canals.items()]
    return frozenset((what, frozenset([place])) for what, place in found)


def find_named(accepted: Iterable[str]) -> frozenset[Mark]:
    """Collects the squares and segments that answers name."""
    text = "; ".join(accepted)
    return mark_answers([*map(square_point, _SQUARES.findall(text)), *map(_segment, _SEGMENTS.findall(text))])


def _point(name: str) -> Point:
    x, y = name.split(".")
    return 2 * int(x), 2 * int(y)


def _segment(name: str) -> Point:
    x, y = _point(name[:-1])
    return (x + 1, y) if name.endswith("h") else (x, y + 1)
