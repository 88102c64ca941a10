"""Drives a kernel: legal actions, single acts, counts and random playouts, written once for every game.

Loaded by `jit.driver` with a kernel's functions as globals, plain or compiled. The entry points take arrays of
records (plain: lists) and hand single records on, which is what compiles to fast code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aquakit.compiled.jit import Workspace, kernel

if TYPE_CHECKING:  # the kernel's part

    def generate(t: Any, s: Any, w: Any) -> int: ...  # noqa: D103
    def count_actions(t: Any, s: Any, w: Any) -> int: ...  # noqa: D103
    def draw_action(t: Any, s: Any, w: Any, random: int) -> int: ...  # noqa: D103
    def apply(t: Any, s: Any, action: int) -> None: ...  # noqa: D103
    def is_over(s: Any) -> bool: ...  # noqa: D103
    def count_points(t: Any, s: Any, w: Any) -> None: ...  # noqa: D103


@kernel
def random_number(w: Workspace) -> int:
    """Draws a number of 32 bits by xoroshiro64*, the same in both twins."""
    a = w.random0
    b = w.random1 ^ a
    w.random0 = (((a << 26) | (a >> 6)) ^ b ^ (b << 9)) & 0xFFFFFFFF
    w.random1 = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    return (a * 0x9E3779BB) & 0xFFFFFFFF


@kernel
def lead_of(w: Workspace, players: int, player: int) -> float:
    """Gets a player's points, as last counted, beyond those of the best other player."""
    other = -1000
    for p in range(players):
        if p != player and w.total[p] > other:
            other = w.total[p]
    return float(w.total[player] - other) if players > 1 else float(w.total[player])


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
def perft(tables: Any, states: Any, works: Any, depth: int, bulk: int) -> int:
    """Counts the action sequences of a length from the first state; needs depth + 1 states and workspaces.

    With bulk 1 the last action of a sequence is counted but not made, with 0 every one is made. A loop with a cursor
    per ply, since compiled recursion does not survive the cache.
    """
    t = tables[0]
    if depth == 0:
        return 1
    if depth == bulk:
        return count_actions(t, states[0], works[0])
    generate(t, states[0], works[0])
    works[0].cursor = 0
    total = 0
    ply = 0
    while ply >= 0:
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
    return total
