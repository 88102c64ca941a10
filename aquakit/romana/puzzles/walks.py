"""Simple people's ways to answer: walks of an aqueduct tile by tile, and closings by habit. They show what is hard."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from aquakit.errors import IllegalTurn
from aquakit.puzzle.model import Puzzle
from aquakit.romana import kernel
from aquakit.romana.kernel import CODES, EMPTY, State
from aquakit.romana.layout import Layout

Worth = Callable[[Puzzle, str], int]
"""What a schedule is worth."""

# Walks


def walk(puzzle: Puzzle, draw: random.Random, *, walks: int = 1) -> str:
    """Gets the tiles of the longest of some walks of the aqueduct that is asked about.

    Each step lays a tile that fits: one after which the aqueduct can go on, of these one that makes it longest, of
    these one whose next square has the fewest empty squares around, of these any.
    """
    start: Any = puzzle.start
    layout, number = start.layout, start.layout.aqueduct_index[puzzle.given["aqueduct"]]
    made = [_walk(layout, start.state, number, draw) for _ in range(walks)]
    return " ".join(max(made, key=lambda found: found[0])[1])


def _walk(layout: Layout, state: State, number: int, draw: random.Random) -> tuple[int, list[str]]:
    tiles = list[str]()
    while ways := list(_ways(layout, state, number)):
        draw.shuffle(ways)
        code, after = max(ways, key=lambda way: _room(layout, way[1], number))
        tiles.append(f"{layout.square_names[state.face[number]]}={CODES[code]}")
        state = after
    return state.length[state.tip[number]], tiles


def _ways(layout: Layout, state: State, number: int) -> Iterator[tuple[int, State]]:
    """Goes through the tiles that the stock and [R3] allow before an aqueduct's end, each with the board after it."""
    tables, square = layout.tables, state.face[number]
    if square < 0 or state.tile[square] != EMPTY:
        return
    for code in range(1, len(CODES) - 1):
        has_port = tables.with_port[state.entry[number]] >> code & 1
        if has_port and state.stock[tables.kind[code]] and kernel.fits(tables, state, square, code):
            after = state.copy()
            kernel.lay(tables, after, square, code)
            after.stock[tables.kind[code]] -= 1
            kernel.survey(tables, after)
            yield code, after


def _room(layout: Layout, state: State, number: int) -> tuple[bool, int, int]:
    """Judges a board by whether the aqueduct can go on, its length, and how tight the next square is."""
    square = state.face[number]
    beside = [layout.neighbour(square, side) for side in range(4)] if square >= 0 else []
    empty = sum(q is not None and state.tile[q] == EMPTY for q in beside)
    return not state.walled >> number & 1, state.length[state.tip[number]], -empty


# Closings


def close_at_longest(puzzle: Puzzle, worth: Worth) -> str:
    """Closes each aqueduct in the first round in which it is as long as it gets, or later where that is not legal."""
    orders = dict[str, int]()
    for name, lengths in _lengths(puzzle).items():
        first = lengths.index(max(lengths)) + 1
        for number in range(first, puzzle.horizon + 1):
            if _find(worth, puzzle, orders | {name: number}) is not None:
                orders[name] = number
                break
    return _write(orders)


def settle_one_by_one(puzzle: Puzzle, worth: Worth, *, backwards: bool) -> str:
    """Finds for one aqueduct after the other the best round to close it, given those before, and never looks back."""
    orders, names = dict[str, int](), list(_lengths(puzzle))
    for name in reversed(names) if backwards else names:
        ways = [orders, *(orders | {name: number} for number in range(1, puzzle.horizon + 1))]
        values = [_find(worth, puzzle, way) for way in ways]
        best = max(value for value in values if value is not None)
        orders = ways[values.index(best)]
    return _write(orders)


def _lengths(puzzle: Puzzle) -> dict[str, list[int]]:
    """Gets what is announced of each own open aqueduct."""
    start: Any = puzzle.start
    made = dict[str, list[int]]()
    for a in start.aqueducts:
        if a.open and a.owner == start.player:
            entry = puzzle.given["growth"].get(a.name, [a.length])
            made[a.name] = entry["lengths"] if isinstance(entry, dict) else entry
    return made


def _find(worth: Worth, puzzle: Puzzle, orders: dict[str, int]) -> int | None:
    """Gets what a schedule is worth; none if the rules do not allow it."""
    try:
        return worth(puzzle, _write(orders))
    except IllegalTurn:
        return None


def _write(orders: dict[str, int]) -> str:
    return " ".join(f"{name}@{number}" for name, number in orders.items()) or "wait"
