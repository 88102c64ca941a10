"""Telling states apart: the transposition table holds a hash of each state whose continuations have been tried.

Of the board a state needs only what water can still reach; of the stock only what can still run out.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import inlined, kernel
from aquakit.romana.kernel import EMPTY, State, Tables
from aquakit.romana.planner.exact.bound.reachable import MOST_AQUEDUCTS, SearchGround, hash_reachable, mix, points_of
from aquakit.romana.planner.exact.quest import Quest


@kernel
def hash_builders(s: State, me: int) -> int:
    """Gets the builders in the reserve and in the player's hand as a number."""
    word = 0
    for kind in range(5):
        word = (word * 64 + s.reserve[kind]) * 64 + s.held[5 * me + kind]
    return word


@kernel
def hash_state(t: Tables, s: State, g: SearchGround, c: Quest, ply: int, turns: int) -> int:
    """Gets a hash of all that can still matter in the turns left, after `spread`."""
    me = c.me
    h = mix(mix(turns, points_of(t, s, me)), c.deferred[ply])
    for kind in range(5):
        if c.open_places[5 * ply + kind]:
            h = mix(h, c.open_places[5 * ply + kind] << 3 | kind)
    h = mix(h, s.open)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    h = mix(h, 1)
    h = mix(h, s.open & s.walled)
    word = 0
    for p in range(t.path):
        word = word * 8 + s.path[p] + 1
        if p % 20 == 19:
            h = mix(h, word)
            word = 0
    h = mix(h, word)
    h = mix(h, hash_builders(s, me))
    word = 0
    for kind in range(4):
        word = word * 4096 + min(s.stock[kind], 2 * turns + 1)
    h = mix(h, word)
    elsewhere = 0
    for q in range(t.squares):
        if s.tile[q] == EMPTY and g.level[q] > g.reach:
            elsewhere += 1
    return hash_reachable(t, s, g, mix(h, min(elsewhere, 2 * turns + MOST_AQUEDUCTS)))


@inlined
def is_transposition(t: Tables, s: State, g: SearchGround, c: Quest, table: Any, ply: int, turns: int) -> bool:
    """Checks whether the table has a state, and puts it there."""
    key = hash_state(t, s, g, c, ply, turns)
    slot = key & (len(table) - 1)
    if ply > 0 and table[slot] == key:
        c.transpositions += 1
        return True
    table[slot] = key
    c.keys[ply] = key
    return False


@kernel
def forget_path(table: Any, c: Quest, plies: int) -> None:
    """Takes back that the states on the way were met: what follows them has not all been tried when enough is found."""
    for ply in range(plies + 1):
        key = c.keys[ply]
        if key != 0 and table[key & (len(table) - 1)] == key:
            table[key & (len(table) - 1)] = 0
