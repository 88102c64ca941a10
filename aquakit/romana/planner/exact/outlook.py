"""Whether a state can still lead to more than the best, by the bound; what it says of a board is kept.

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
from aquakit.romana.planner.exact.bound.bound import PLENTY, board_limit, limit_of_last
from aquakit.romana.planner.exact.bound.courses import allow_kinds
from aquakit.romana.planner.exact.bound.fountains import count_extras, expect_passes, look_around, soonest_pass
from aquakit.romana.planner.exact.bound.ground import COURSES, mix, points_of, spread, spread_on
from aquakit.romana.planner.exact.late import count_tokens, go_on

UNKNOWN = 1023
"""Stands for points that are not known; all points are fewer."""


class Sight(Struct):
    """How soon own workmen can see each path square on a board (`ground.Ground.least`)."""

    key: Annotated[int, "i8"]
    least: Annotated[Ints, "u2", "path"]


@kernel
def tile_print(t: Tables, s: State, me: int) -> int:
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
def credit_at(t: Tables, s: State, tiles: int, purse: int) -> int:
    """Gets the kinds of extra tiles at hand, eight bits for each; all if one may run out by so many tiles."""
    for kind in range(4):
        if s.stock[kind] <= tiles:
            return PLENTY
    credit = purse
    if s.phase == EXTRA:
        codes = s.codes
        kinds = 0
        while codes:
            kinds |= 1 << (8 * t.kind[lowest_bit(codes)])
            codes &= codes - 1
        credit += kinds
    return credit


@kernel
def look_from(t: Tables, s: State, g: Any, sights: Any, tiles: int, me: int, reach: int) -> Any:
    """Gets how soon own workmen can see each path square; what is known of the board is not worked out again."""
    key = mix(tiles, reach)
    sight = sights[key & (len(sights) - 1)]
    if sight.key != key:
        sight.key = key
        spread(t, s, g, me, reach)
        g.ready = 1
        look_around(t, s, g, me)
        for p in range(t.path):
            sight.least[p] = g.least[p]
    return sight


@kernel
def name_note(tiles: int, credit: int, turns: int, extras: int, wait: int, fresh: int) -> int:
    """Gets the key under which it is kept what is known of a board and the tiles that may come.

    Which kinds these are, and what begins to grow by itself, makes a difference only where all courses are looked at.
    """
    many = turns * 64 + extras
    if turns + extras > COURSES:
        return mix(tiles, many)
    curved = min((credit & 255) + ((credit >> 24) & 255), COURSES)
    straight = min(((credit >> 8) & 255) + ((credit >> 16) & 255), COURSES)
    return mix(tiles, (((many * 64 + wait) * 4 + fresh) * 8 + curved) * 8 + straight)


@kernel
def find_note(notes: Any, key: int) -> int:
    """Gets points that no plan can exceed, if that is known; else UNKNOWN.

    Each note is one word, so that two threads can use them together: it has the points in the lowest bits of the key.
    """
    word = notes[key & (len(notes) - 1)]
    return word & UNKNOWN if (word ^ key) & ~UNKNOWN == 0 else UNKNOWN


@kernel
def keep_note(notes: Any, key: int, most: int) -> None:
    """Keeps points that no plan can exceed."""
    notes[key & (len(notes) - 1)] = (key & ~UNKNOWN) | min(most, UNKNOWN)


@kernel
def look_up(
    notes: Any, c: Any, key: int, tiles: int, credit: int, turns: int, extras: int, wait: int, fresh: int
) -> int:
    """Gets points that no plan can exceed, if that is known of the board; else UNKNOWN.

    What is no more than the best with one extra tile more is no more without it.
    """
    most = find_note(notes, key)
    if most == UNKNOWN:
        more = find_note(notes, name_note(tiles, credit, turns, extras + 1, wait, fresh))
        if more <= c.best:
            return more
    return most


@kernel
def find_out(
    t: Tables, s: State, g: Any, c: Any, notes: Any, key: int, turns: int, credit: int, wait: int, fresh: int
) -> int:
    """Gets points that no plan of so many further turns can exceed, by the tiles alone, and keeps them.

    So many aqueducts have just come to `fresh` squares, on which extra tiles that were put off may lie: these need no
    own tile to go on.
    """
    get_ready(t, s, g, c.me, turns)
    allow_kinds(g, turns, credit, wait)
    known = points_of(t, s, c.me)
    most = known + board_limit(t, s, g, c.me, turns + fresh, g.extras - fresh, c.best - known)
    keep_note(notes, key, most)
    return most


@kernel
def foresee(t: Tables, s: State, g: Any, sights: Any, tiles: int, me: int, turns: int, started: bool) -> None:
    """Adds to `extras` those that can come in so many turns, and notes in how many of these none can come yet.

    `extras` are those at hand before; `started` if a tile was just laid.
    """
    sight = look_from(t, s, g, sights, tiles, me, turns - 2 + g.extras)
    expect_passes(t, s, g, me, started)
    g.wait = min(soonest_pass(t, g, sight, g.extras), turns) - 1
    g.extras += count_extras(t, s, g, turns, g.wait + 1)


@kernel
def falls_short(t: Tables, states: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int, started: bool) -> bool:
    """Checks whether no plan of so many further turns from a state can be better than the best.

    `started` if a tile was just laid.
    """
    s = states[ply]
    notes, sights = outlook
    tiles = tile_print(t, s, c.me)
    g.wait = 0
    g.ready = 0
    g.extras = count_tokens(c.purse[ply])
    if started and s.phase == EXTRA:
        g.extras += 1
    if turns > 1:
        foresee(t, s, g, sights, tiles, c.me, turns, started)
    credit = credit_at(t, s, turns + g.extras, c.purse[ply])
    key = name_note(tiles, credit, turns, g.extras, g.wait, 0)
    most = look_up(notes, c, key, tiles, credit, turns, g.extras, g.wait, 0)
    if most == UNKNOWN:
        most = find_out(t, s, g, c, notes, key, turns, credit, g.wait, 0)
    if most <= c.best:
        return True
    if turns == 1 and g.extras < COURSES:
        get_ready(t, s, g, c.me, turns)
        return limit_of_last(t, s, g, c.me, started, credit) <= int(c.best)
    return False


# Which builds are worth a look


@kernel
def credit_after(t: Tables, s: State, kind: int, brings: bool, tiles: int, purse: int) -> int:
    """Gets what `credit_at` does once a tile is built, by a builder that brings another one of its kind or does not."""
    for other in range(4):
        if s.stock[other] - (1 + brings if other == kind else 0) <= tiles:
            return PLENTY
    return purse + (brings << (8 * kind))


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
def keep_hopeful(t: Tables, states: Any, works: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int) -> None:
    """Keeps, of the builds listed, those after which so many turns can make a better plan, by what is known of boards.

    Extra tiles that are put off may be laid late where a build brings water. The boards are laid out only if nothing is
    known of them; else it is enough to let the builders walk.
    """
    s, w, purse = states[ply], works[ply], c.purse[ply]
    notes, sights = outlook
    moved = states[len(states) - 1]
    before = tile_print(t, s, c.me)
    tokens = count_tokens(purse)
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
        extras = tokens + brings
        if turns > 1:
            board = mix(tiles, turns - 2 + extras)
            sight = sights[board & (len(sights) - 1)]
            if sight.key != board:
                w.cursor = i
                go_on(t, states, works, c, ply)
                laid = True
                look_from(t, states[ply + 1], g, sights, tiles, c.me, turns - 2 + extras)
            wait = min(soonest_pass(t, g, sight, extras), turns) - 1
            if g.coming[wait] < 0:
                g.coming[wait] = count_extras(t, moved, g, turns, wait + 1)
            extras += g.coming[wait]
        fresh = min(tokens, count_facing(t, s, c.me, q), 2)  # a tile has two segments at most
        credit = credit_after(t, s, t.kind[code], brings, turns + extras, purse)
        key = name_note(tiles, credit, turns, extras, wait, fresh)
        most = look_up(notes, c, key, tiles, credit, turns, extras, wait, fresh)
        if most == UNKNOWN:
            if not laid:
                w.cursor = i
                go_on(t, states, works, c, ply)
            g.extras = extras
            most = find_out(t, states[ply + 1], g, c, notes, key, turns, credit, wait, fresh)
        if most > c.best:
            w.actions[n] = action
            n += 1
    w.count = n
    w.cursor = 0


@kernel
def hopes_of(
    t: Tables, states: Any, ply: int, g: Any, notes: Any, c: Any, turns: int, before: int, a: int, codes: int
) -> int:
    """Gets, of some tile codes before a workman, those after which so many turns can make a better plan, by `foresee`.

    It does not matter who builds them: any builder may bring an extra tile if one can come so soon. `before` is the
    board's `tile_print`.
    """
    s, q, wait = states[ply], states[ply].face[a], max(g.wait - 1, 0)
    fresh = min(count_tokens(c.purse[ply]), count_facing(t, s, c.me, q), 2)
    hopeful = 0
    while codes:
        code = lowest_bit(codes)
        codes &= codes - 1
        credit = credit_after(t, s, t.kind[code], g.wait == 0, turns + g.extras, c.purse[ply])
        tiles = before + mix(0, q | (code << Y))
        key = name_note(tiles, credit, turns, g.extras, wait, fresh)
        most = look_up(notes, c, key, tiles, credit, turns, g.extras, wait, fresh)
        if most == UNKNOWN:
            states[ply + 1] = states[ply]
            after = states[ply + 1]
            build(t, after, q, code, t.sight[4 * s.stand[a]])
            if after.phase == EXTRA:
                finish_build(t, after)
            g.ready = 0
            most = find_out(t, after, g, c, notes, key, turns, credit, wait, fresh)
        hopeful |= (most > c.best) << code
    return hopeful


@kernel
def see_hopes(t: Tables, states: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int) -> None:
    """Notes in `hopes` the tiles before each own workman after which so many turns can make a better plan.

    Those are looked at that builders in sight offer, and those whose places are open.
    """
    s = states[ply]
    notes, sights = outlook
    g.ready = 0
    g.extras = count_tokens(c.purse[ply])
    before = tile_print(t, s, c.me)
    foresee(t, s, g, sights, before, c.me, turns + 1, False)
    hand = 0
    for kind in range(5):
        if c.roam[5 * ply + kind]:
            hand |= offered(t, s, kind)
    rest = s.open & t.mine[c.me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        g.hopes[a] = 0
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        codes = hand
        for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
            if s.path[t.sight[i]] >= 0:
                codes |= offered(t, s, s.path[t.sight[i]])
        codes &= fitting(t, s, q, ends_at(t, s, q)) & t.with_port[s.entry[a]]
        g.hopes[a] = hopes_of(t, states, ply, g, notes, c, turns, before, a, codes)


@kernel
def keep_hoped(t: Tables, s: State, w: Any, g: Any, me: int) -> None:
    """Keeps, of the builds listed, those that are hopeful whoever builds them."""
    n = 0
    for i in range(w.count):
        q = (w.actions[i] >> X) & 1023
        code = (w.actions[i] >> Y) & 15
        hopes = 0
        rest = s.open & t.mine[me]
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            if s.face[a] == q:
                hopes |= g.hopes[a]
        if (hopes >> code) & 1:
            w.actions[n] = w.actions[i]
            n += 1
    w.count = n


@kernel
def hopes_for_later(t: Tables, states: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int) -> bool:
    """Checks whether so many further turns can make a better plan if no tile is laid in this one."""
    s = states[ply]
    notes, sights = outlook
    tiles = tile_print(t, s, c.me)
    g.ready = 0
    g.extras = count_tokens(c.purse[ply])
    foresee(t, s, g, sights, tiles, c.me, turns + 1, False)
    wait = max(g.wait - 1, 0)
    credit = credit_at(t, s, turns + g.extras, c.purse[ply])
    key = name_note(tiles, credit, turns, g.extras, wait, 0)
    most = look_up(notes, c, key, tiles, credit, turns, g.extras, wait, 0)
    if most == UNKNOWN:
        most = find_out(t, s, g, c, notes, key, turns, credit, wait, 0)
    return most > int(c.best)


@kernel
def get_ready(t: Tables, s: State, g: Any, me: int, turns: int) -> None:
    """Sees to it that the ground is known as it is in a state, as far as so many turns can matter."""
    if g.ready == 0:
        spread(t, s, g, me, turns + g.extras)
        g.ready = 1
    elif g.reach < turns + g.extras:
        spread_on(t, s, g, turns + g.extras)
