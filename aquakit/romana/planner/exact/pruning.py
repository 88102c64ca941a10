"""Pruning: whether the upper bound on a state exceeds the incumbent; bounds on boards are kept in a table.

But for the last turn the bound looks at the tiles alone, so what was
found out about a board holds for every way of standing around it.
"""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
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
from aquakit.romana.planner.exact.bound.courses import allow_kinds
from aquakit.romana.planner.exact.bound.fountains import count_extras, expect_passes, measure_sights, soonest_pass
from aquakit.romana.planner.exact.bound.reachable import COURSES, SearchGround, mix, points_of, spread, spread_on
from aquakit.romana.planner.exact.bound.upper_bound import PLENTY, board_bound, last_turn_bound
from aquakit.romana.planner.exact.deferred_tiles import count_deferred, take_next_action
from aquakit.romana.planner.exact.quest import Quest

UNKNOWN = 1023
"""Stands for points that are not known; all points are fewer."""


class Sight(Struct):
    """How soon own workmen can see each path square on a board (`reachable.SearchGround.least`)."""

    key: Annotated[int, "i8"]
    least: Annotated[Ints, "u2", "path"]


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
def credit_at(t: Tables, s: State, tiles: int, deferred: int) -> int:
    """Gets the extra tiles at hand by kind, eight bits for each; PLENTY if one may run out within `tiles` tiles."""
    for kind in range(4):
        if s.stock[kind] <= tiles:
            return PLENTY
    credit = deferred
    if s.phase == EXTRA:
        codes = s.codes
        kinds = 0
        while codes:
            kinds |= 1 << (8 * t.kind[lowest_bit(codes)])
            codes &= codes - 1
        credit += kinds
    return credit


@kernel
def probe_sights(t: Tables, s: State, g: SearchGround, sights: Any, tiles: int, me: int, reach: int) -> Any:
    """Gets how soon own workmen can see each path square; what is known of the board is not worked out again."""
    key = mix(tiles, reach)
    sight = sights[key & (len(sights) - 1)]
    if sight.key != key:
        sight.key = key
        spread(t, s, g, me, reach)
        g.ready = 1
        measure_sights(t, s, g, me)
        for p in range(t.path):
            sight.least[p] = g.least[p]
    return sight


@kernel
def bound_key(tiles: int, credit: int, turns: int, extras: int, wait: int, fresh: int) -> int:
    """Gets the key of the upper bound on a board with the tiles that may come.

    Which kinds these are, and what begins to grow by itself, makes a difference only where all courses are looked at.
    """
    many = turns * 64 + extras
    if turns + extras > COURSES:
        return mix(tiles, many)
    curved = min((credit & 255) + ((credit >> 24) & 255), COURSES)
    straight = min(((credit >> 8) & 255) + ((credit >> 16) & 255), COURSES)
    return mix(tiles, (((many * 64 + wait) * 4 + fresh) * 8 + curved) * 8 + straight)


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
def probe_bounds(
    bounds: Any, c: Quest, key: int, tiles: int, credit: int, turns: int, extras: int, wait: int, fresh: int
) -> int:
    """Gets an upper bound on the board's plans from the table, or UNKNOWN.

    A bound for one extra tile more holds as well; it is taken if it does not exceed the incumbent.
    """
    most = read_bound(bounds, key)
    if most == UNKNOWN:
        more = read_bound(bounds, bound_key(tiles, credit, turns, extras + 1, wait, fresh))
        if more <= c.incumbent:
            return more
    return most


@kernel
def compute_bound(
    t: Tables,
    s: State,
    g: SearchGround,
    c: Quest,
    bounds: Any,
    key: int,
    turns: int,
    credit: int,
    wait: int,
    fresh: int,
) -> int:
    """Gets an upper bound on the points of plans of `turns` further turns, by the tiles alone, and stores it.

    `fresh` counts the squares that aqueducts have just come to face and on which deferred tiles may lie: there they
    need no own tile to go on.
    """
    ensure_reach(t, s, g, c.me, turns)
    allow_kinds(g, turns, credit, wait)
    known = points_of(t, s, c.me)
    most = known + board_bound(t, s, g, c.me, turns + fresh, g.extras - fresh, c.incumbent - known)
    store_bound(bounds, key, most)
    return most


@kernel
def expect_extras(
    t: Tables, s: State, g: SearchGround, sights: Any, tiles: int, me: int, turns: int, started: bool
) -> None:
    """Adds to `extras`, those at hand, an upper bound on those that can come in `turns` turns.

    It notes in `wait` how many of these turns must pass before the first can come. `started` if a tile was just laid.
    """
    sight = probe_sights(t, s, g, sights, tiles, me, turns - 2 + g.extras)
    expect_passes(t, s, g, me, started)
    g.wait = min(soonest_pass(t, g, sight, g.extras), turns) - 1
    g.extras += count_extras(t, s, g, turns, g.wait + 1)


@kernel
def is_pruned(
    t: Tables, states: Any, ply: int, g: SearchGround, memory: Any, c: Quest, turns: int, started: bool
) -> bool:
    """Checks whether the upper bound on plans of `turns` further turns from a state does not exceed the incumbent.

    `started` if a tile was just laid.
    """
    s = states[ply]
    bounds, sights = memory
    tiles = hash_tiles(t, s, c.me)
    g.wait = 0
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply])
    if started and s.phase == EXTRA:
        g.extras += 1
    if turns > 1:
        expect_extras(t, s, g, sights, tiles, c.me, turns, started)
    credit = credit_at(t, s, turns + g.extras, c.deferred[ply])
    key = bound_key(tiles, credit, turns, g.extras, g.wait, 0)
    most = probe_bounds(bounds, c, key, tiles, credit, turns, g.extras, g.wait, 0)
    if most == UNKNOWN:
        most = compute_bound(t, s, g, c, bounds, key, turns, credit, g.wait, 0)
    if most <= c.incumbent:
        return True
    if turns == 1 and g.extras < COURSES:
        ensure_reach(t, s, g, c.me, turns)
        return last_turn_bound(t, s, g, c.me, started, credit) <= int(c.incumbent)
    return False


# Which builds are worth a look


@kernel
def credit_after(t: Tables, s: State, kind: int, brings: bool, tiles: int, deferred: int) -> int:
    """Gets what `credit_at` does once a tile is built, by a builder that brings another one of its kind or does not."""
    for other in range(4):
        if s.stock[other] - (1 + brings if other == kind else 0) <= tiles:
            return PLENTY
    return deferred + (brings << (8 * kind))


@kernel
def count_facing(t: Tables, s: State, me: int, q: int) -> int:
    """Counts the own aqueducts that face a square."""
    n = 0
    rest = s.open & t.mine[me]
    while rest:
        n += s.face[lowest_bit(rest)] == q
        rest &= rest - 1
    return n


@kernel
def keep_promising(
    t: Tables, states: Any, works: Any, ply: int, g: SearchGround, memory: Any, c: Quest, turns: int
) -> None:
    """Keeps, of the builds listed, those after which the bound on `turns` further turns exceeds the incumbent.

    Deferred tiles may be laid where a build brings water. The boards are laid out only if nothing is
    known of them; else it is enough to let the builders walk.
    """
    s, w, deferred = states[ply], works[ply], c.deferred[ply]
    bounds, sights = memory
    moved = states[len(states) - 1]
    before = hash_tiles(t, s, c.me)
    deferred_count = count_deferred(deferred)
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
            expect_passes(t, moved, g, c.me, True)
            for wait in range(turns):
                g.coming[wait] = NONE
        # What is closed by this build follows from the tiles, so it need not be told apart.
        tiles = before + mix(0, q | (code << Y))
        laid = False
        g.ready = 0
        wait = 0
        extras = deferred_count + brings
        if turns > 1:
            board = mix(tiles, turns - 2 + extras)
            sight = sights[board & (len(sights) - 1)]
            if sight.key != board:
                w.cursor = i
                take_next_action(t, states, works, c, ply)
                laid = True
                probe_sights(t, states[ply + 1], g, sights, tiles, c.me, turns - 2 + extras)
            wait = min(soonest_pass(t, g, sight, extras), turns) - 1
            if g.coming[wait] < 0:
                g.coming[wait] = count_extras(t, moved, g, turns, wait + 1)
            extras += g.coming[wait]
        fresh = min(deferred_count, count_facing(t, s, c.me, q), 2)  # a tile has two segments at most
        credit = credit_after(t, s, t.kind[code], brings, turns + extras, deferred)
        key = bound_key(tiles, credit, turns, extras, wait, fresh)
        most = probe_bounds(bounds, c, key, tiles, credit, turns, extras, wait, fresh)
        if most == UNKNOWN:
            if not laid:
                w.cursor = i
                take_next_action(t, states, works, c, ply)
            g.extras = extras
            most = compute_bound(t, states[ply + 1], g, c, bounds, key, turns, credit, wait, fresh)
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

    It comes after `expect_extras`. It does not matter who builds them: any builder may bring an extra tile if one can
    come so soon. `before` is the board's `hash_tiles`.
    """
    s, q, wait = states[ply], states[ply].face[a], max(g.wait - 1, 0)
    fresh = min(count_deferred(c.deferred[ply]), count_facing(t, s, c.me, q), 2)
    found = 0
    while codes:
        code = lowest_bit(codes)
        codes &= codes - 1
        credit = credit_after(t, s, t.kind[code], g.wait == 0, turns + g.extras, c.deferred[ply])
        tiles = before + mix(0, q | (code << Y))
        key = bound_key(tiles, credit, turns, g.extras, wait, fresh)
        most = probe_bounds(bounds, c, key, tiles, credit, turns, g.extras, wait, fresh)
        if most == UNKNOWN:
            states[ply + 1] = states[ply]
            after = states[ply + 1]
            build(t, after, q, code, t.sight[4 * s.stand[a]])
            if after.phase == EXTRA:
                finish_build(t, after)
            g.ready = 0
            most = compute_bound(t, after, g, c, bounds, key, turns, credit, wait, fresh)
        found |= (most > c.incumbent) << code
    return found


@kernel
def note_promising_tiles(t: Tables, states: Any, ply: int, g: SearchGround, memory: Any, c: Quest, turns: int) -> None:
    """Notes in `promising` the tiles before each own workman after which `turns` further turns can beat the incumbent.

    Those are looked at that builders in sight offer, and those whose places are open.
    """
    s = states[ply]
    bounds, sights = memory
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply])
    before = hash_tiles(t, s, c.me)
    expect_extras(t, s, g, sights, before, c.me, turns + 1, False)
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
    t: Tables, states: Any, ply: int, g: SearchGround, memory: Any, c: Quest, turns: int
) -> bool:
    """Checks whether `turns` further turns can beat the incumbent if no tile is laid in this one."""
    s = states[ply]
    bounds, sights = memory
    tiles = hash_tiles(t, s, c.me)
    g.ready = 0
    g.extras = count_deferred(c.deferred[ply])
    expect_extras(t, s, g, sights, tiles, c.me, turns + 1, False)
    wait = max(g.wait - 1, 0)
    credit = credit_at(t, s, turns + g.extras, c.deferred[ply])
    key = bound_key(tiles, credit, turns, g.extras, wait, 0)
    most = probe_bounds(bounds, c, key, tiles, credit, turns, g.extras, wait, 0)
    if most == UNKNOWN:
        most = compute_bound(t, s, g, c, bounds, key, turns, credit, wait, 0)
    return most > int(c.incumbent)


@kernel
def ensure_reach(t: Tables, s: State, g: SearchGround, me: int, turns: int) -> None:
    """Sees to it that the reachable ground of a state is known, as far as tiles of `turns` turns go."""
    if g.ready == 0:
        spread(t, s, g, me, turns + g.extras)
        g.ready = 1
    elif g.reach < turns + g.extras:
        spread_on(t, s, g, turns + g.extras)
