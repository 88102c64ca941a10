"""How hard a puzzle is, from 1 to 5: by how the quick and the short-sighted fail at it, and by how much there is to do.

Everything is counted, nothing is timed, and what is drawn follows from fixed seeds in one thread: a puzzle is as hard
on every machine. `rate` has the formula.
"""

from __future__ import annotations

from bisect import bisect
from math import log2

from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Proof, Puzzle
from aquakit.puzzle.trying import go_through

BITS = 24
"""A line with so many binary decisions is as hard to see as one solver more that fails."""
WIDEST = 1.5
"""More than that no width counts."""
LEVELS = (1.75, 2.5, 3.25, 4.0)
"""Where the levels 2, 3, 4 and 5 begin."""


def rate(puzzle: Puzzle, proof: Proof) -> int:
    """Gets how hard a puzzle is.

    A row of simple solvers tries it, those that its kind names (`tries`); each counts by the share of its tries that no
    accepted answer allows. To their sum comes the width: the binary logarithm of the number of ways that there are at
    all decisions of the line together, divided by 24, at most 1.5. Less than 1.75 is level 1, then a level more with
    every 0.75, up to 5. But what has few ways may be guessed: with two ways at the widest decision of the first turn it
    is not above level 2, with four not above 3, and so on.
    """
    return min(1 + bisect(LEVELS, measure(puzzle, proof)), count_guesses(puzzle, proof))


def count_guesses(puzzle: Puzzle, proof: Proof) -> int:
    """Gets the highest level that a puzzle can have, by the ways at the widest decision of the line's first turn."""
    if not find_kind(puzzle.kind).is_guessed:
        return 1 + len(LEVELS)
    first = go_through(puzzle.start, proof.line.split(LINE)[0])
    return 1 + int(log2(max(len(moment.actions()) for moment in first if moment.mover == puzzle.start.mover)))


def measure(puzzle: Puzzle, proof: Proof) -> float:
    """Gets the number from which the level follows."""
    kind = find_kind(puzzle.kind)
    return kind.count_misses(puzzle, proof) + min(WIDEST, kind.count_bits(puzzle, proof) / BITS)
