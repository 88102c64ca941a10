"""Whether a state can still lead to more than the best, by the bound; what it says of a board is kept.

Bound to the kernel by `aquakit.jit.bind_fast`. But for the last turn the bound looks at the tiles alone, so what was
found out about a board holds for every way of standing around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aquakit.jit import Ints, Struct, kernel, lowest_bit
from aquakit.romana.kernel import EMPTY, EXTRA, State, Tables, Y
from aquakit.romana.planner.ground import FAR

if TYPE_CHECKING:
    from aquakit.romana.planner.bound import board_limit, limit_of_last
    from aquakit.romana.planner.courses import allow_kinds
    from aquakit.romana.planner.fountains import count_extras, look_around, soonest_pass
    from aquakit.romana.planner.ground import mix, points_of, spread
    from aquakit.romana.planner.late import count_tokens

BOUND = ("board_limit", "limit_of_last", "allow_kinds")
BUILDERS = ("count_extras", "look_around", "soonest_pass")
NEEDED = (*BOUND, *BUILDERS, "mix", "points_of", "spread", "count_tokens")
"""What is used here of `bound`, `courses`, `fountains`, `ground` and `late`."""

PLENTY = 0x40404040
"""Extra tiles of all kinds."""


class Known(Struct):
    """What was found out about a board, whoever stands on the path around it."""

    key: Annotated[int, "i8"]
    most: Annotated[int, "i4"]
    """No plan from there is worth more; FAR if that is not known."""


class Sight(Struct):
    """How soon own workmen can see each path square on a board (`ground.Ground.least`)."""

    key: Annotated[int, "i8"]
    least: Annotated[Ints, "i2", "path"]


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
def count_waits(t: Tables, s: State, g: Any, sights: Any, tiles: int, me: int, turns: int, started: bool) -> int:
    """Counts the turns from now on in which no builder can pass a fountain yet, with what is known of the board."""
    key = mix(tiles, turns)
    sight = sights[key & (len(sights) - 1)]
    if sight.key != key:
        sight.key = key
        spread(t, s, g, me, turns - 2)
        look_around(t, s, g, me)
        for p in range(t.path):
            sight.least[p] = g.least[p]
    soonest: int = soonest_pass(t, s, sight.least, me, started)
    return min(soonest, turns) - 1


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
        wait = count_waits(t, s, g, sights, tiles, c.me, turns, started)
        g.extras += count_extras(t, s, g, c.me, turns, wait + 1)
    credit = credit_at(t, s, turns + g.extras, c.purse[ply])
    key = mix(mix(tiles, credit), (turns * 64 + g.extras) * 64 + wait)
    note = notes[key & (len(notes) - 1)]
    if note.key != key:
        note.key = key
        note.most = FAR
    if note.most == FAR:
        get_ready(t, s, g, c.me, turns)
        allow_kinds(g, turns, credit, wait)
        known = points_of(t, s, c.me)
        note.most = known + board_limit(t, s, g, c.me, turns, g.extras, c.best - known)
    if note.most <= c.best:
        return True
    if turns == 1:
        get_ready(t, s, g, c.me, turns)
        return limit_of_last(t, s, g, c.me, started) <= int(c.best)
    return False


@kernel
def get_ready(t: Tables, s: State, g: Any, me: int, turns: int) -> None:
    """Sees to it that the ground is known as it is in a state."""
    if g.ready == 0:
        spread(t, s, g, me, turns + g.extras)
        g.ready = 1
