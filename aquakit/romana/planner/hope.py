"""Hope: could more than the best be reached on a board if there were builders of all kinds everywhere?

Bound to the kernel by `aquakit.jit.bind_fast`. Without builders only tiles count, so boards are few compared with
positions, and what was found out about one holds for every way of standing around it. That a plan needs builders is all
that is left out, with the times at which extra tiles come: one is laid when water gets to its square, as if it had been
there before, but only of a kind that was built in an earlier turn and has not been used up by another extra tile.

A no is final, a yes may be given for lack of patience. Tables of boards without hope may be shared by threads: a board
is noted when all that can be laid on it has been tried, and stays without hope when the best gets better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aquakit.jit import Ints, Struct, kernel, lowest_bit
from aquakit.romana.kernel import BUILD, EMPTY, EXTRA, LAY, NONE, State, Tables, X, Y
from aquakit.romana.planner.ground import DEEPEST, FAR

if TYPE_CHECKING:
    from aquakit.romana.kernel import ends_at, fitting, in_stock, lay, locate
    from aquakit.romana.planner.ground import (
        board_limit,
        board_print,
        count_extras,
        ground_print,
        hand_out,
        limit_of_last,
        mix,
        points_of,
        spread,
        tile_limit,
    )  # fmt: skip

RULES = ("in_stock", "fitting", "ends_at", "lay", "locate")
BOUND = ("board_limit", "count_extras", "hand_out", "limit_of_last", "points_of", "spread", "tile_limit")
PRINTS = ("board_print", "ground_print", "mix")
NEEDED = (*RULES, *BOUND, *PRINTS)
"""What is used here of the kernel and of `ground`."""

FANS = 400
"""The most tiles that are looked at on one board."""
PATIENCE = 1200
"""So many boards are looked at before hope is given the benefit of the doubt; it is asked again after the next tile."""
PLENTY = 0x40404040
"""Extra tiles of all kinds."""


class Fan(Struct):
    """A ply of the game without builders: what can be laid there."""

    action: Annotated[Ints, "i4", FANS]
    count: Annotated[int, "i4"]
    cursor: Annotated[int, "i4"]
    turns: Annotated[int, "i4"]
    extras: Annotated[int, "i4"]
    """Own tiles and extra tiles that are left."""
    grown: Annotated[int, "i8"]
    """Own aqueducts that grew in this turn: where they end, an extra tile may have been laid before."""
    credit: Annotated[int, "i8"]
    """How many extra tiles of each kind earlier turns may have brought, in eight bits each."""
    last: Annotated[int, "i4"]
    """The kind built in this turn, which may bring an extra tile for the next ones; NONE before the first."""
    tiles: Annotated[int, "i8"]
    """A hash of the tiles on the board, in whatever order they were laid."""
    rough: Annotated[int, "i8"]
    key: Annotated[int, "i8"]
    """Hashes of all that is left to be tried: of the board as it lies, and of what water can reach of it."""


@kernel
def lay_freely(t: Tables, s: State, q: int, code: int) -> int:
    """Lays a tile without any builder; gets the aqueducts that grew by it."""
    grown = 0
    ends = ends_at(t, s, q)
    lay(t, s, q, code)
    while ends:
        side = lowest_bit(ends)
        ends &= ends - 1
        if (t.ports[code] >> side) & 1:
            a = s.own[t.edge[4 * q + side]]
            locate(t, s, a)
            grown |= 1 << a
    return grown


@kernel
def fan_out(t: Tables, s: State, fan: Any, me: int) -> None:
    """Lists the tiles that own ends can be given, by building or as extra tiles laid before."""
    n = 0
    own = s.open & t.mine[me]
    if fan.turns == 0:
        own &= fan.grown
    stocked = in_stock(t, s)
    while own:
        a = lowest_bit(own)
        own &= own - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        codes = fitting(t, s, q, ends_at(t, s, q)) & t.with_port[s.entry[a]] & stocked
        while codes and n + 1 < FANS:
            code = lowest_bit(codes)
            codes &= codes - 1
            if fan.extras > 0 and (fan.grown >> a) & 1 and (fan.credit >> (8 * t.kind[code])) & 255:
                fan.action[n] = LAY | (q << X) | (code << Y)
                n += 1
            if fan.turns > 0:
                fan.action[n] = BUILD | (q << X) | (code << Y)
                n += 1
    fan.count = n


@kernel
def lay_next(t: Tables, boards: Any, fans: Any, ply: int) -> None:
    """Takes the next tile of a ply down to the one below."""
    fan = fans[ply]
    below = fans[ply + 1]
    boards[ply + 1] = boards[ply]
    action = fan.action[fan.cursor]
    fan.cursor += 1
    code = (action >> Y) & 15
    below.turns = fan.turns
    below.extras = fan.extras
    below.credit = fan.credit
    below.last = fan.last
    below.tiles = fan.tiles + mix(0, action >> X)
    below.grown = lay_freely(t, boards[ply + 1], (action >> X) & 1023, code)
    if action & 7 == LAY:
        below.extras -= 1
        below.credit -= 1 << (8 * t.kind[code])
        below.grown |= fan.grown
        return
    below.turns -= 1
    if fan.last >= 0:
        below.credit += 1 << (8 * fan.last)
    below.last = t.kind[code]
    to_come = below.turns  # each turn that is left, but for the last one, and this one
    for kind in range(4):
        to_come += (below.credit >> (8 * kind)) & 255
    below.extras = min(below.extras, to_come)


@kernel
def tile_print(t: Tables, s: State, me: int) -> int:
    """Gets a hash of the board as it lies, to which tiles can be added in any order."""
    h = mix(points_of(t, s, me), s.open)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    h = mix(h, 1)
    for q in range(t.squares):
        if s.tile[q] != EMPTY:
            h += mix(0, q | (s.tile[q] << (Y - X)))
    return h


@kernel
def credit_at(t: Tables, s: State, tiles: int) -> int:
    """Gets the kinds of extra tiles at hand, eight bits for each; all if one may run out by so many tiles."""
    for kind in range(4):
        if s.stock[kind] <= tiles:
            return PLENTY
    credit = 0
    if s.phase == EXTRA:
        codes = s.codes
        while codes:
            code = lowest_bit(codes)
            codes &= codes - 1
            credit |= 1 << (8 * t.kind[code])
    return credit


@kernel
def left_print(fan: Any) -> int:
    """Gets a hash of the tiles that are left at a ply."""
    h = mix(fan.turns * 64 + fan.extras, 0)
    if fan.extras > 0:
        h = mix(mix(mix(h, fan.grown), fan.credit), fan.last)
    return h


@kernel
def is_hopeful(t: Tables, boards: Any, fans: Any, g: Any, hopes: Any, c: Any, best: int) -> bool:
    """Checks whether more than the best could be reached from the first of the boards, with what its fan has left."""
    mask = len(hopes) - 1
    patience = PATIENCE
    ply = 0
    yes = 0
    while True:
        s = boards[ply]
        fan = fans[ply]
        patience -= 1
        c.boards += 1
        c.budget -= 1
        fan.count = 0
        fan.cursor = 0
        left = left_print(fan)
        fan.rough = mix(fan.tiles, left)
        fan.key = fan.rough
        enough = False
        if hopes[fan.rough & mask] != fan.rough:
            known = points_of(t, s, c.me)
            tiles = fan.turns + fan.extras
            if tiles < 2:
                # Most boards are such: no need to see how far water could come.
                enough = known + hand_out(t, s, g, c.me, 0) > best
                if tiles == 1 and known + tile_limit(t, s, g, c.me) > best:
                    fan_out(t, s, fan, c.me)
            else:
                spread(t, s, g, c.me, tiles)
                if known + board_limit(t, s, g, c.me, fan.turns, fan.extras, fan.grown, best - known) > best:
                    fan.key = ground_print(t, s, g, mix(board_print(t, s, c.me), left))
                    if ply == 0:
                        yes = mix(fan.key, best)
                    enough = known + hand_out(t, s, g, c.me, 0) > best or (ply == 0 and hopes[yes & mask] == yes)
                    if hopes[fan.key & mask] != fan.key:
                        fan_out(t, s, fan, c.me)
        if enough or patience < 0 or fan.count + 1 >= FANS:
            hopes[yes & mask] = yes
            return True
        while fan.cursor == fan.count:
            hopes[fan.rough & mask] = fan.rough
            hopes[fan.key & mask] = fan.key
            if ply == 0:
                return False
            ply -= 1
            fan = fans[ply]
        lay_next(t, boards, fans, ply)
        ply += 1


class Known(Struct):
    """What was found out about a board, whoever stands on the path around it."""

    key: Annotated[int, "i8"]
    most: Annotated[int, "i4"]
    """No plan from there is worth more."""
    hope: Annotated[int, "i4"]
    """The best at which there still was hope, or NONE."""


@kernel
def has_hope(t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int) -> bool:
    """Checks whether a board allows more than the best if builders were everywhere: by the bound, then by looking."""
    s = states[ply]
    boards, fans, hopes, notes = hope
    top = fans[0]
    top.turns = turns
    top.extras = g.extras
    top.grown = 0
    top.last = NONE
    top.credit = credit_at(t, s, turns + g.extras)
    top.tiles = tile_print(t, s, c.me)
    key = mix(top.tiles, left_print(top))
    note = notes[key & (len(notes) - 1)]
    if note.key != key:
        note.key = key
        note.most = FAR
        note.hope = NONE
    if note.most <= c.best:
        return False
    if note.hope == c.best:
        return True
    spread(t, s, g, c.me, turns + g.extras)
    g.ready = 1
    bound = points_of(t, s, c.me) + board_limit(t, s, g, c.me, turns, g.extras, 0, 0)
    if bound > c.best and turns >= 2 and turns + g.extras <= DEEPEST:
        boards[0] = states[ply]
        c.asked += 1
        g.ready = 0
        if not is_hopeful(t, boards, fans, g, hopes, c, c.best):
            bound = c.best
    note.most = min(note.most, bound)
    if bound <= c.best:
        return False
    note.hope = c.best
    return True


@kernel
def falls_short(t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int, started: bool) -> bool:
    """Checks whether no plan from a state can be better than the best."""
    s = states[ply]
    g.ready = 0
    g.extras = count_extras(t, s, g, c.me, turns, started)
    if started and s.phase == EXTRA and turns > 0:
        g.extras += 1
    if not has_hope(t, states, ply, g, hope, c, turns):
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
