"""Names of squares on a rectangular board: columns a, b, c … from the west, rows 1, 2, 3 … from the south.

Squares are numbered from the south-west corner, row by row; sides are numbered clockwise from north.
"""

from __future__ import annotations

import re
import string

COLUMNS = string.ascii_lowercase
SIDES = "NESW"
NORTH, EAST, SOUTH, WEST = range(4)
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""How column and row change when one square is left by each side."""

_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)\Z")


def square_name(square: int, columns: int) -> str:
    """Gets a square's name.

    >>> square_name(13, columns=11)
    'c2'
    """
    row, column = divmod(square, columns)
    return f"{COLUMNS[column]}{row + 1}"


def square_index(name: str, columns: int, rows: int) -> int | None:
    """Gets a square's number, or none if the board has no square of that name.

    >>> square_index("c2", columns=11, rows=8)
    13
    """
    match = _SQUARE.match(name)
    if match is None:
        return None
    column, row = COLUMNS.index(match[1]), int(match[2]) - 1
    return row * columns + column if column < columns and row < rows else None


def neighbour(square: int, side: int, columns: int, rows: int) -> int | None:
    """Gets the square across a side, or none at the rim."""
    row, column = divmod(square, columns)
    dx, dy = STEPS[side]
    column, row = column + dx, row + dy
    return row * columns + column if 0 <= column < columns and 0 <= row < rows else None
