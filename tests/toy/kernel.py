"""The rules, once: take one or two pebbles; the last one of a square is a point."""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import Workspace

SQUARES, MOST = 2, 2


class Tables(Struct):
    """What a layout fixes."""

    players: Annotated[int, "i8"]


class State(Struct):
    """A position."""

    pebbles: Annotated[Ints, "i8", 2]
    points: Annotated[Ints, "i8", 2]
    halted: Annotated[int, "i8"]
    player: Annotated[int, "i8"]
    idle: Annotated[int, "i8"]
    ended: Annotated[int, "i8"]


class Work(Workspace):
    """What a thread needs beside the state."""


@kernel
def generate(t: Tables, s: State, w: Work) -> int:
    """Lists the legal actions, each as 2 * square + pebbles - 1."""
    n = 0
    for square in range(SQUARES):
        for pebbles in range(1, MOST + 1):
            if pebbles <= s.pebbles[square]:
                w.actions[n] = MOST * square + pebbles - 1
                n += 1
    w.count = n
    return n


@kernel
def count_actions(t: Tables, s: State, w: Work) -> int:
    """Counts the legal actions."""
    return generate(t, s, w)


@kernel
def draw_action(t: Tables, s: State, w: Work, random: int) -> int:
    """Draws one of them."""
    return int(w.actions[random % generate(t, s, w)])


@kernel
def apply(t: Tables, s: State, action: int) -> None:
    """Takes pebbles."""
    square = action // MOST
    s.pebbles[square] -= action % MOST + 1
    if s.pebbles[square] == 0:
        s.points[s.player] += 1
    s.player = 1 - s.player
    s.ended += 1


@kernel
def decider(t: Tables, s: State) -> int:
    """Gets who decides."""
    return s.player


@kernel
def is_over(s: State) -> bool:
    """Checks whether no pebbles are left."""
    return s.halted == 1 or s.pebbles[0] + s.pebbles[1] == 0


@kernel
def halt(t: Tables, s: State, last: int) -> None:
    """Ends play."""
    s.halted = 1


@kernel
def count_points(t: Tables, s: State, w: Work) -> None:
    """Counts the points."""
    for player in range(2):
        w.total[player] = s.points[player]
        w.tie[player] = 0
