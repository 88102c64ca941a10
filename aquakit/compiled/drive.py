"""Drives a kernel: legal actions, single acts, counts and random playouts, written once for every game.

Bound to a kernel by `jit.bind`, plain or compiled. The entry points take arrays of records (plain: lists) and hand
single records on, which is what compiles to fast code.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import apply, count_actions, count_points, draw_action, generate, is_over
from aquakit.compiled.workspace import random_number


@kernel
def play_out(t: Any, s: Any, w: Any) -> int:
    """Plays uniformly random actions to the end of the game and counts them."""
    n = 0
    while not is_over(s):
        apply(t, s, draw_action(t, s, w, random_number(w)))
        n += 1
    count_points(t, s, w)
    return n


@kernel
def playouts(tables: Any, states: Any, works: Any, count: int) -> int:
    """Plays the first state out many times, on the second; counts the actions and adds up the points."""
    w = works[0]
    for player in range(4):
        w.sums[player] = 0
    n = 0
    for _ in range(count):
        states[1] = states[0]
        n += play_out(tables[0], states[1], w)
        for player in range(4):
            w.sums[player] += w.total[player]
    return n


@kernel
def legal(tables: Any, states: Any, works: Any) -> int:
    """Lists the legal actions of the first state in the first workspace and counts them."""
    return generate(tables[0], states[0], works[0])


@kernel
def act(tables: Any, states: Any, action: int) -> None:
    """Carries out a legal action on the first state; a negative one is none."""
    if action >= 0:
        apply(tables[0], states[0], action)


@kernel
def perft(tables: Any, states: Any, works: Any, depth: int, bulk: int, ply: int, steps: int) -> tuple[int, int]:
    """Counts action sequences of a length from the first state; needs depth + 1 states and workspaces.

    With bulk 1 the last action of a sequence is counted but not made, with 0 every one is made. A loop with a cursor
    per ply, since compiled recursion does not survive the cache. After so many steps it gets what it has counted in
    them and the ply where the next call goes on, so that whoever waits can be interrupted; ply -1 begins and ends.
    """
    t = tables[0]
    if depth == 0:
        return 1, -1
    if depth == bulk:
        return count_actions(t, states[0], works[0]), -1
    if ply < 0:
        ply = 0
        generate(t, states[0], works[0])
        works[0].cursor = 0
    total = 0
    while ply >= 0 and steps > 0:
        steps -= 1
        w = works[ply]
        if w.cursor == w.count:
            ply -= 1
            continue
        states[ply + 1] = states[ply]
        apply(t, states[ply + 1], w.actions[w.cursor])
        w.cursor += 1
        if ply + 1 == depth:
            total += 1
        elif ply + 1 + bulk == depth:
            total += count_actions(t, states[ply + 1], works[ply + 1])
        else:
            ply += 1
            generate(t, states[ply], works[ply])
            works[ply].cursor = 0
    return total, ply
