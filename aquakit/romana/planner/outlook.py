"""Whether a state can still lead to more than the best, by the bound; what it says of a board is kept.

Bound to the kernel by `aquakit.jit.bind_fast`. But for the last turn the bound looks at the tiles alone, so what was
found out about a board holds for every way of standing around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aquakit.jit import Ints, Struct, kernel, lowest_bit
from aquakit.romana.kernel import EMPTY, EXTRA, NONE, State, Tables, X, Y, Z

if TYPE_CHECKING:
    from aquakit.romana.kernel import walk
    from aquakit.romana.planner.bound import board_limit, limit_of_last
    from aquakit.romana.planner.courses import allow_kinds
    from aquakit.romana.planner.fountains import count_extras, expect_passes, look_around, soonest_pass
    from aquakit.romana.planner.ground import mix, points_of, spread, spread_on
    from aquakit.romana.planner.late import count_tokens, go_on

BOUND = ("board_limit", "limit_of_last", "allow_kinds")
BUILDERS = ("count_extras", "expect_passes", "look_around", "soonest_pass")
GROUND = ("mix", "points_of", "spread", "spread_on")
NEEDED = (*BOUND, *BUILDERS, *GROUND, "count_tokens", "go_on", "walk")
"""What is used here of `bound`, `courses`, `fountains`, `ground` and `late`."""

PLENTY = 0x40404040
"""Extra tiles of all kinds."""


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
    """Gets the key under which it is kept what is known of a board and the tiles that may come."""
    return mix(mix(tiles, credit), ((turns * 64 + extras) * 64 + wait) * 4 + fresh)


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
def most_on(t: Tables, s: State, g: Any, c: Any, turns: int, credit: int, wait: int, fresh: int) -> int:
    """Gets points that no plan of so many further turns can exceed, by the tiles alone.

    So many aqueducts have just come to `fresh` squares, on which extra tiles that were put off may lie: these need no
    own tile to go on.
    """
    get_ready(t, s, g, c.me, turns)
    allow_kinds(g, turns, credit, wait)
    known = points_of(t, s, c.me)
    return known + board_limit(t, s, g, c.me, turns + fresh, g.extras - fresh, c.best - known)


@kernel
def falls_short(t: Tables, states: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int, started: bool) -> bool:
    """Checks whether no plan of so many further turns from a state can be better than the best.

    `started` if a tile was just laid.
    """
    s = states[ply]
    notes, sights = outlook
    tiles = tile_print(t, s, c.me)
    wait = 0
    g.ready = 0
    g.extras = count_tokens(c.purse[ply])
    if started and s.phase == EXTRA:
        g.extras += 1
    if turns > 1:
        sight = look_from(t, s, g, sights, tiles, c.me, turns - 2 + g.extras)
        expect_passes(t, s, g, c.me, started)
        wait = min(soonest_pass(t, g, sight, g.extras), turns) - 1
        g.extras += count_extras(t, s, g, turns, wait + 1)
    credit = credit_at(t, s, turns + g.extras, c.purse[ply])
    key = name_note(tiles, credit, turns, g.extras, wait, 0)
    most = find_note(notes, key)
    if most == UNKNOWN:
        most = most_on(t, s, g, c, turns, credit, wait, 0)
        keep_note(notes, key, most)
    if most <= c.best:
        return True
    if turns == 1:
        get_ready(t, s, g, c.me, turns)
        return limit_of_last(t, s, g, c.me, started) <= int(c.best)
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
        most = find_note(notes, key)
        if most == UNKNOWN:
            if not laid:
                w.cursor = i
                go_on(t, states, works, c, ply)
            g.extras = extras
            most = most_on(t, states[ply + 1], g, c, turns, credit, wait, fresh)
            keep_note(notes, key, most)
        if most > c.best:
            w.actions[n] = action
            n += 1
    w.count = n
    w.cursor = 0


@kernel
def get_ready(t: Tables, s: State, g: Any, me: int, turns: int) -> None:
    """Sees to it that the ground is known as it is in a state, as far as so many turns can matter."""
    if g.ready == 0:
        spread(t, s, g, me, turns + g.extras)
        g.ready = 1
    elif g.reach < turns + g.extras:
        spread_on(t, s, g, turns + g.extras)
