"""Puts the extra tiles of a plan where they belong: the search lays them late (`late`), the rules do so at once."""

from __future__ import annotations

from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY, LAY, X, Y
from aquakit.romana.planner.late import BIND, LATE, PUT_OFF
from aquakit.romana.position import Position

KIND = 15 << Y


def lay_at_once(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    """Gets the actions of a plan from a position, each extra tile when its builder brings it.

    A tile laid late is the first one of its kind that was put off and has not been met. What is never met is laid on
    squares that no end ever faces.
    """
    codes, waiting = list[int](), list[int]()
    for code in line:
        if _is_put_off(code):
            waiting.append(len(codes))
            codes.append(code)
        elif code & 7 == LAY and code & LATE:
            tile = (code & KIND) >> Y
            place = next(i for i in waiting if (codes[i] & KIND) >> Y == position.layout.tables.kind[tile])
            waiting.remove(place)
            codes[place] = code & ~(LATE | BIND)
        else:
            codes.append(code)
    if waiting:
        squares = _never_faced(position, codes)
        for place, square in zip(waiting, squares, strict=False):
            kind = (codes[place] & KIND) >> Y
            tile = list(position.layout.tables.kind).index(kind, 1)
            codes[place] = LAY | (square << X) | (tile << Y)
    return tuple(codes)


def put_off_since(before: int, after: int) -> tuple[int, ...]:
    """Gets what stands in a plan where the extra tiles that are put off have become more by one, or not."""
    return (PUT_OFF | ((after - before).bit_length() - 1) // 8 << Y,) if after > before else ()


def _is_put_off(code: int) -> bool:
    return code & ~KIND == PUT_OFF


def _never_faced(position: Position, codes: list[int]) -> list[int]:
    """Lists the squares that are empty and not faced at the end, with some extra tiles not laid at all."""
    t, s = position.layout.tables, position.state.copy()
    for code in codes:
        if _is_put_off(code):
            s.stock[(code & KIND) >> Y] -= 1
            kernel.finish_build(t, s)
        else:
            kernel.apply(t, s, code)
    faced = set(s.face[: t.aqueducts])
    return [q for q in range(t.squares) if s.tile[q] == EMPTY and q not in faced]
