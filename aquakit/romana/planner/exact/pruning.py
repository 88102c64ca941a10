"""Pruning: whether the upper bound on a state exceeds the incumbent; bounds on boards are kept in a table.

But for the last turn the bound looks at the tiles alone, so what was
found out about a board holds for every way of standing around it.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    EMPTY,
    EXTRA,
    NONE,
    State,
    Tables,
    Work,
    X,
    Y,
    Z,
    build,
    ends_at,
    finish_build,
    fitting,
    offered,
    walk,
)
from aquakit.romana.planner.exact.bound.reachable import SearchGround, mix, points_of, spread, spread_on
from aquakit.romana.planner.exact.bound.upper_bound import board_bound
from aquakit.romana.planner.exact.deferred_tiles import count_deferred, take_next_action
from aquakit.romana.planner.exact.quest import Quest

UNKNOWN = 1023
"""Stands for points that are not known; all points are fewer."""


@kernel
def hash_tiles(t: Tables, s: State, me: int) -> int:
    """Gets a hash of the board as it lies."""
    h = mix(points_of(t, s, me), s.open)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    h = mix(h, 1)
    for q in range(t.squares):
        if s.tile[q] != EMPTY:
            h += mix(0, q | (s.tile[q] << Y))
    return h


@kernel
def read_bound(bounds: Any, key: int) -> int:
    """Gets an upper bound from the table, or UNKNOWN.

    Each note is one word, so that two threads can use them together: it has the points in the lowest bits of the key.
    """
    word = bounds[key & (len(bounds) - 1)]
    return word & UNKNOWN if (word ^ key) & ~UNKNOWN == 0 else UNKNOWN


@kernel
def store_bound(bounds: Any, key: int, most: int) -> None:
    """Puts an upper bound in the table."""
    bounds[key & (len(bounds) - 1)] = (key & ~UNKNOWN) | min(most, UNKNOWN)


@kernel
def probe_bounds(bounds: Any, c: Quest, board: int, tiles: int) -> int:
    """Gets an upper bound on a board's plans with some more tiles from the table, or UNKNOWN.

    A bound for one tile more holds as well; it is taken if it does not exceed the incumbent.
    """
    most = read_bound(bounds, mix(board, tiles))
    if most == UNKNOWN:
        more = read_bound(bounds, mix(board, tiles + 1))
        if more <= c.incumbent:
            return more
    return most


@kernel
def compute_bound(t: Tables, s: State, g: SearchGround, c: Quest, bounds: Any, board: int, tiles: int) -> int:
    """Gets an upper bound on the points of plans with some more tiles, by the tiles alone, and stores it."""
    ensure_reach(t, s, g, c.me, tiles)
    known = points_of(t, s, c.me)
    most = known + board_bound(t, s, g, c.me, tiles, c.incumbent - known)
    store_bound(bounds, mix(board, tiles), most)
    return most


@kernel
def is_pruned(
    t: Tables, states: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int, started: bool
) -> bool:
    """Checks whether the upper bound on plans of `turns` further turns from a state does not exceed the incumbent.

    `started` if a tile was just laid.
    """
    s = states[ply]
    board = hash_tiles(t, s, c.me)
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply])
    if started and s.phase == EXTRA:
        g.extras += 1
    if turns > 1:
        g.extras += turns - 1  # what the last turn brings is never reached
    tiles = turns + g.extras
    most = probe_bounds(bounds, c, board, tiles)
    if most == UNKNOWN:
        most = compute_bound(t, s, g, c, bounds, board, tiles)
    return most <= int(c.incumbent)


# Which builds are worth a look


@kernel
def keep_promising(
    t: Tables, states: Any, works: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int
) -> None:
    """Keeps, of the builds listed, those after which the bound on `turns` further turns exceeds the incumbent.

    Deferred tiles may be laid where a build brings water. The boards are laid out only if nothing is
    known of them; else it is enough to let the builders walk.
    """
    s, w, deferred = states[ply], works[ply], count_deferred(c.deferred[ply])
    moved = states[len(states) - 1]
    before = hash_tiles(t, s, c.me)
    walker = NONE
    brings = False
    n = 0
    for i in range(w.count):
        action = w.actions[i]
        q = (action >> X) & 1023
        code = (action >> Y) & 15
        if action >> Z != walker:
            walker = action >> Z
            states[len(states) - 1] = states[ply]
            brings = walk(t, moved, walker)
        # What is closed by this build follows from the tiles, so it need not be told apart.
        board = before + mix(0, q | (code << Y))
        tiles = turns + deferred + brings + turns - 1
        most = probe_bounds(bounds, c, board, tiles)
        if most == UNKNOWN:
            w.cursor = i
            take_next_action(t, states, works, c, ply)
            g.ready = 0
            most = compute_bound(t, states[ply + 1], g, c, bounds, board, tiles)
        if most > c.incumbent:
            w.actions[n] = action
            n += 1
    w.count = n
    w.cursor = 0


@kernel
def find_promising_tiles(
    t: Tables,
    states: Any,
    ply: int,
    g: SearchGround,
    bounds: Any,
    c: Quest,
    turns: int,
    before: int,
    a: int,
    codes: int,
) -> int:
    """Gets, of some tile codes before a workman, those after which the turns left can beat the incumbent.

    It does not matter who builds them: any builder may bring an extra tile if one can
    come so soon. `before` is the board's `hash_tiles`.
    """
    s, q, tiles = states[ply], states[ply].face[a], turns + g.extras
    found = 0
    while codes:
        code = lowest_bit(codes)
        codes &= codes - 1
        board = before + mix(0, q | (code << Y))
        most = probe_bounds(bounds, c, board, tiles)
        if most == UNKNOWN:
            states[ply + 1] = states[ply]
            after = states[ply + 1]
            build(t, after, q, code, t.sight[4 * s.stand[a]])
            if after.phase == EXTRA:
                finish_build(t, after)
            g.ready = 0
            most = compute_bound(t, after, g, c, bounds, board, tiles)
        found |= (most > c.incumbent) << code
    return found


@kernel
def note_promising_tiles(t: Tables, states: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int) -> None:
    """Notes in `promising` the tiles before each own workman after which `turns` further turns can beat the incumbent.

    Those are looked at that builders in sight offer, and those whose places are open.
    """
    s = states[ply]
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply]) + turns
    before = hash_tiles(t, s, c.me)
    hand = 0
    for kind in range(5):
        if c.open_places[5 * ply + kind]:
            hand |= offered(t, s, kind)
    rest = s.open & t.mine[c.me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        g.promising[a] = 0
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        codes = hand
        for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
            if s.path[t.sight[i]] >= 0:
                codes |= offered(t, s, s.path[t.sight[i]])
        codes &= fitting(t, s, q, ends_at(t, s, q)) & t.with_port[s.entry[a]]
        g.promising[a] = find_promising_tiles(t, states, ply, g, bounds, c, turns, before, a, codes)


@kernel
def keep_promising_for_any(t: Tables, s: State, w: Work, g: SearchGround, me: int) -> None:
    """Keeps, of the builds listed, those that are promising whoever builds them."""
    n = 0
    for i in range(w.count):
        q = (w.actions[i] >> X) & 1023
        code = (w.actions[i] >> Y) & 15
        promising = 0
        rest = s.open & t.mine[me]
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            if s.face[a] == q:
                promising |= g.promising[a]
        if (promising >> code) & 1:
            w.actions[n] = w.actions[i]
            n += 1
    w.count = n


@kernel
def is_promising_without_build(
    t: Tables, states: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int
) -> bool:
    """Checks whether `turns` further turns can beat the incumbent if no tile is laid in this one."""
    s = states[ply]
    board = hash_tiles(t, s, c.me)
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply]) + turns
    most = probe_bounds(bounds, c, board, turns + g.extras)
    if most == UNKNOWN:
        most = compute_bound(t, s, g, c, bounds, board, turns + g.extras)
    return most > int(c.incumbent)


@kernel
def ensure_reach(t: Tables, s: State, g: SearchGround, me: int, tiles: int) -> None:
    """Sees to it that the reachable ground of a state is known, as far as some tiles go."""
    if g.ready == 0:
        spread(t, s, g, me, tiles)
        g.ready = 1
    elif g.reach < tiles:
        spread_on(t, s, g, tiles)
