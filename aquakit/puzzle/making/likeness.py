"""Whether two puzzles are all but the same: the same answer on nearly the same board, mirrored or turned or not."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Any

from aquakit.core.position import AnyPosition
from aquakit.puzzle.model import Puzzle
from aquakit.puzzle.protocol import Mark, Point, part_of

NEAR = 0.2
"""Two boards are nearly the same if no larger part of what lies on them differs."""


def are_alike(one: Puzzle, accepted: Iterable[str], other: Puzzle, others: Iterable[str]) -> bool:
    """Checks whether two puzzles have the same answer on nearly the same board, mirrored or turned round or not.

    What lies on a board and matters, and which places answers name, the game says.
    """
    if (one.kind, one.position.split()[0], one.horizon) != (other.kind, other.position.split()[0], other.horizon):
        return False
    part = part_of(one.start)
    first, second = _marks(one.start, one.kind), _marks(other.start, other.kind)
    answer, another = part.named(one, accepted), part.named(other, others)
    for flip in product((False, True), repeat=2):
        turned = frozenset(_flip(other, mark, flip) for mark in second)
        same = answer == frozenset(_flip(other, mark, flip) for mark in another)
        if same and len(first ^ turned) <= NEAR * len(first | turned):
            return True
    return False


@lru_cache(maxsize=4096)
def _marks(start: AnyPosition, kind: str) -> frozenset[Mark]:
    """Collects what lies on a board."""
    return part_of(start).marks(start, kind)


def _flip(puzzle: Puzzle, mark: Mark, flip: tuple[bool, ...]) -> Mark:
    """Mirrors a mark from west to east, from south to north, or both."""
    layout: Any = puzzle.start.layout
    width, height = 2 * layout.columns, 2 * layout.rows
    points = frozenset((width - x if flip[0] else x, height - y if flip[1] else y) for x, y in mark[1])
    return mark[0], points


# Points


def square_point(name: str) -> Point:
    """Gets the middle of a square.

    >>> square_point("c2")
    (5, 3)
    """
    return 2 * (ord(name[0]) - ord("a")) + 1, 2 * int(name[1:]) - 1


def mark_answers(points: Iterable[Point]) -> frozenset[Mark]:
    """Marks the places that answers name."""
    return frozenset(("answer", frozenset([point])) for point in points)
