"""Tries every plan without any bound or short cut, compiled: what the planner's search must agree with."""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import EMPTY, apply, ends_at, fitting, generate, is_over, lay, locate, stop

TOO_MANY = -2


class Made(Struct):
    """The most that a number of tiles before own ends can make."""

    points: Annotated[int, "i4"]
    growth: Annotated[int, "i4"]
    """Of all own aqueducts together."""
    twice: Annotated[int, "i4"]
    """Of these tiles, those that own water passes on both of their paths."""
    own: Annotated[Ints, "i4", 24]
    """The growth of each aqueduct."""
    passes: Annotated[Ints, "u1", "squares"]
    """Where it is counted."""
    faced: Annotated[Ints, "i1", "squares"]
    """The empty squares that own ends face."""


@kernel
def points_at_the_end(t: Any, s: Any, me: int) -> int:
    stop(t, s, t.mine[me])
    total = 0
    for a in range(t.aqueducts):
        if t.owner[a] == me and s.score[a] > 0:
            total += s.score[a]
    return total


@kernel
def untried(works: Any, ply: int) -> int:
    """Gets the last ply, from one backwards, at which something is left to be tried; below zero if there is none."""
    while ply >= 0 and works[ply].cursor == works[ply].count:
        ply -= 1
    return ply


@kernel
def hash_words(words: Any, row: int) -> int:
    h: int = words[row, 0]
    for i in range(1, words.shape[1]):
        h = (h ^ words[row, i]) * words.dtype.type(0x9E3779B97F4A7C15)
        h ^= h >> words.dtype.type(29)
    return h


@kernel
def try_all(tables: Any, states: Any, works: Any, words: Any, table: Any, me: int, until: int, budget: int) -> int:
    """Gets the most points; a state is left only if the very same state was met before."""
    t = tables[0]
    scratch = len(states) - 1
    mask = words.dtype.type(len(table) - 1)
    best = -1
    ply = 0
    while budget > 0:
        budget -= 1
        s = states[ply]
        w = works[ply]
        w.cursor = 0
        w.count = 0
        if is_over(s) or s.ended >= until:
            states[scratch] = states[ply]
            best = max(best, points_at_the_end(t, states[scratch], me))
        else:
            key = hash_words(words, ply)
            if table[key & mask] != key:
                table[key & mask] = key
                generate(t, s, w)
        ply = untried(works, ply)
        if ply < 0:
            return best
        w = works[ply]
        states[ply + 1] = states[ply]
        apply(t, states[ply + 1], w.actions[w.cursor])
        w.cursor += 1
        ply += 1
    return TOO_MANY


@kernel
def lay_before_end(t: Any, s: Any, q: int, code: int) -> None:
    """Lays a tile on a square that ends face, which go on if they can."""
    ends = ends_at(t, s, q)
    lay(t, s, q, code)
    while ends:
        side = lowest_bit(ends)
        ends &= ends - 1
        if (t.ports[code] >> side) & 1:
            locate(t, s, s.own[t.edge[4 * q + side]])


@kernel
def follow_back(t: Any, s: Any, made: Any, a: int) -> None:
    """Counts how often an aqueduct passes each square, from its end back to its outlet."""
    e = s.tip[a]
    q = s.stand[a]
    for _ in range(s.length[e]):
        made.passes[q] += 1
        side = 0
        while t.edge[4 * q + side] != e:
            side += 1
        i = 4 * s.tile[q]
        while t.segment[i] != side:
            i += 1
        e = t.edge[4 * q + t.segment[i ^ 1]]
        port = t.port[2 * e]
        if port >> 2 == q:
            port = t.port[2 * e + 1]
        q = port >> 2


@kernel
def note_made(t: Any, s: Any, scratch: Any, first: Any, made: Any, me: int) -> None:
    """Notes what some tiles have made."""
    for q in range(t.squares):
        made.passes[q] = 0
    total = 0
    rest = first.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        grown = s.length[s.tip[a]] - first.length[first.tip[a]]
        total += grown
        made.own[a] = max(made.own[a], grown)
        follow_back(t, s, made, a)
        if s.face[a] >= 0 and s.tile[s.face[a]] == EMPTY:
            made.faced[s.face[a]] = 1
    twice = 0
    for q in range(t.squares):
        twice += first.tile[q] == EMPTY and made.passes[q] > 1
    made.twice = max(made.twice, twice)
    made.growth = max(made.growth, total)
    made.points = max(made.points, points_at_the_end(t, scratch, me))


@kernel
def lay_all(
    tables: Any, states: Any, works: Any, words: Any, table: Any, made: Any, me: int, tiles: int, budget: int
) -> bool:
    """Notes what 0, 1, 2 … tiles before own ends can make, of any kind, with nobody to build them.

    Says whether the budget was enough; a state is left only if the very same state was met before.
    """
    t = tables[0]
    scratch = len(states) - 1
    mask = words.dtype.type(len(table) - 1)
    ply = 0
    while budget > 0:
        budget -= 1
        s = states[ply]
        w = works[ply]
        w.cursor = 0
        w.count = 0
        key = hash_words(words, ply)
        rest = 0
        if table[key & mask] != key:
            table[key & mask] = key
            states[scratch] = states[ply]
            note_made(t, s, states[scratch], states[0], made[ply], me)
            rest = s.open & t.mine[me] if ply < tiles else 0
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            q = s.face[a]
            if q >= 0 and s.tile[q] == EMPTY:
                codes = fitting(t, s, q, ends_at(t, s, q)) & t.with_port[s.entry[a]]
                while codes:
                    w.actions[w.count] = q << 4 | lowest_bit(codes)
                    codes &= codes - 1
                    w.count += 1
        ply = untried(works, ply)
        if ply < 0:
            return True
        w = works[ply]
        states[ply + 1] = states[ply]
        lay_before_end(t, states[ply + 1], w.actions[w.cursor] >> 4, w.actions[w.cursor] & 15)
        w.cursor += 1
        ply += 1
    return False
