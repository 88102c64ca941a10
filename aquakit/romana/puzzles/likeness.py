"""What makes two puzzles of Aqua Romana alike: segments of tiles, builders, and the squares that answers name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from aquakit.puzzle.making.likeness import mark_answers, square_point
from aquakit.puzzle.model import Puzzle
from aquakit.puzzle.protocol import Mark, Point
from aquakit.romana.graph import LINKS
from aquakit.romana.position import Position

WITHOUT_BUILDERS = ("longest", "timing")
"""The kinds for which it does not matter where builders stand."""

_SQUARES = re.compile(r"(?:^|[ ,])([a-z][1-9][0-9]?)\b")
_AQUEDUCTS = re.compile(r"([RYGB][1-9])")


def find_marks(position: Position, kind: str) -> frozenset[Mark]:
    """Collects the segments of the tiles and, where turns are asked for, the builders."""
    made = {("segment", frozenset(_edge(name, side) for side in link)) for name, link in _links(position)}
    if kind not in WITHOUT_BUILDERS:
        size = position.layout.columns, position.layout.rows
        made |= {(builder, frozenset([_beyond(path, *size)])) for path, builder in position.builders.items()}
    return frozenset(made)


def find_named(puzzle: Puzzle, accepted: Iterable[str]) -> frozenset[Mark]:
    """Collects the squares that answers name, and what the aqueducts in question face."""
    text, position = "; ".join(accepted), puzzle.start
    assert isinstance(position, Position)
    asked = [*_AQUEDUCTS.findall(text), puzzle.given.get("aqueduct")]
    faced = [aqueduct.facing or aqueduct.end for aqueduct in position.aqueducts if aqueduct.name in asked]
    return mark_answers(map(square_point, [*_SQUARES.findall(text), *faced]))


def _links(position: Position) -> Iterator[tuple[str, tuple[str, str]]]:
    """Goes through the segments of the tiles on a board."""
    for name, tile in position.tiles.items():
        for link in LINKS[tile]:
            yield name, link


def _edge(name: str, side: str) -> Point:
    x, y = square_point(name)
    dx, dy = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}[side]
    return x + dx, y + dy


def _beyond(path: str, columns: int, rows: int) -> Point:
    """Places a path square beside the board."""
    if path[0] in "NS":
        return 2 * (ord(path[1]) - ord("a")) + 1, 2 * rows + 1 if path[0] == "N" else -1
    return 2 * columns + 1 if path[0] == "E" else -1, 2 * int(path[1:]) - 1
