"""Puts the extra tiles and builders of a plan where they belong.

The search lays and places them late (`deferred_tiles`, `deferred_builders`), the rules do so at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY, LAY, NONE, PUT, State, X, Y, Z
from aquakit.romana.planner.exact.deferred_builders import DEFERRED_BUILDER, TO_ADVANCE, TO_USE
from aquakit.romana.planner.exact.deferred_tiles import DEFERRED_TILE, LAID_LATE, TO_FORBID
from aquakit.romana.position import Position

KIND = 15 << Y


def restore_deferred(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    """Gets the actions of a plan from a position, each extra tile when its builder brings it, builders placed at once.

    A tile laid late is the first one of its kind that was put off and has not been met. What is never met is laid on
    squares that no end ever faces, and a builder that never matters stands where no other comes.
    """
    codes, waiting, open_places = list[int](), list[int](), dict[int, int]()
    for code in line:
        if is_deferred_tile(code):
            waiting.append(len(codes))
            codes.append(code)
        elif is_deferred_builder(code):
            open_places[code & KIND] = len(codes)
            codes.append(code)
        elif code & 7 == PUT and code & (TO_USE | TO_ADVANCE):
            codes[open_places.pop(code & KIND)] = code & ~(TO_USE | TO_ADVANCE)
        elif code & 7 == LAY and code & LAID_LATE:
            tile = (code & KIND) >> Y
            place = next(i for i in waiting if (codes[i] & KIND) >> Y == position.layout.tables.kind[tile])
            waiting.remove(place)
            codes[place] = code & ~(LAID_LATE | TO_FORBID)
        else:
            codes.append(code)
    for place in open_places.values():
        codes[place] = PUT | (codes[place] & KIND) | (_never_taken(position, codes, place) << Z)
    if waiting:
        squares = _never_faced(position, codes)
        for place, square in zip(waiting, squares, strict=False):
            kind = (codes[place] & KIND) >> Y
            tile = list(position.layout.tables.kind).index(kind, 1)
            codes[place] = LAY | (square << X) | (tile << Y)
    return tuple(codes)


def is_deferred_tile(code: int) -> bool:
    """Checks whether a number stands for an extra tile that is put off, not for an action."""
    return code & ~KIND == DEFERRED_TILE


def is_deferred_builder(code: int) -> bool:
    """Checks whether a number stands for a builder whose place is left open, not for an action."""
    return code & ~KIND == DEFERRED_BUILDER


def _carry_out(position: Position, codes: Iterable[int]) -> Iterator[State]:
    """Goes through the states of a plan, with some extra tiles not laid and some builders not placed at all."""
    t, s = position.layout.tables, position.state.copy()
    for code in codes:
        if is_deferred_tile(code):
            s.stock[(code & KIND) >> Y] -= 1
            kernel.finish_build(t, s)
        elif is_deferred_builder(code):
            place = s.path.index(NONE)  # the rules go on to the next builder or to the build; then it is taken away
            kernel.put(t, s, (code & KIND) >> Y, place)
            s.path[place] = NONE
            s.standing -= 1
        else:
            kernel.apply(t, s, code)
        yield s


def _never_taken(position: Position, codes: list[int], place: int) -> int:
    """Finds a path square that is free from a place in a plan on."""
    free = set(range(position.layout.tables.path))
    for i, s in enumerate(_carry_out(position, codes)):
        if i >= place:
            free -= {p for p in free if s.path[p] != NONE}
    return min(free)


def _never_faced(position: Position, codes: list[int]) -> list[int]:
    """Lists the squares that are empty and not faced at the end, with some extra tiles not laid at all."""
    t, s = position.layout.tables, deque(_carry_out(position, codes), maxlen=1)[0]
    faced = set(s.face[: t.aqueducts])
    return [q for q in range(t.squares) if s.tile[q] == EMPTY and q not in faced]
