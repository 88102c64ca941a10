"""Small boards for the tests of the longest aqueduct: any layout, and a strip between two reservoirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aquakit.romana import Layout, Position
from tests.romana.crafted import stock_left

TOML = """
name = "{name}"
title = "A {name}"
columns = {columns}
rows = {rows}
players = {players}
reserve = ""
podiums = {podiums}
[stock]
c = {stock}
s = {stock}
b = {stock}
d = {stock}
[builders]
c = 1
s = 0
b = 0
d = 0
j = 0
{reservoirs}
"""
RESERVOIR = """
[[reservoirs]]
colour = "{colour}"
squares = {squares}
outlets = {outlets}
"""


def make_layout(
    name: str,
    size: tuple[int, int],
    players: Sequence[str],
    reservoirs: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    *,
    podiums: Sequence[int],
    stock: int,
) -> Layout:
    """Makes a layout of columns and rows from each colour's squares and outlets."""
    made = "".join(
        RESERVOIR.format(colour=colour, squares=list(squares), outlets=list(outlets))
        for colour, (squares, outlets) in reservoirs.items()
    )
    parts = {"columns": size[0], "rows": size[1], "players": list(players), "podiums": list(podiums)}
    text = TOML.format(name=name, stock=stock, reservoirs=made, **parts)
    return Layout.loads(text.replace("'", '"'))


STRIP = make_layout(
    "strip",
    (5, 3),
    ("R", "G"),
    {"R": (("a3", "a2"), ("a2E",)), "G": (("e3", "e2"), ("e2W",))},
    podiums=(1, 1, 2),
    stock=9,
)
"""Two outlets that face each other across b2, c2 and d2; no podium is higher than 3."""


def strip(board: str, stock: str = "", marks: str = "*,*") -> Position:
    """Puts tiles on the strip, out of the stock if none is given."""
    fields = str(Position.start(STRIP)).split(" ")
    fields[1], fields[5], fields[6] = board, marks, stock or stock_left(STRIP, board)
    return Position.parse(" ".join(fields), STRIP)
