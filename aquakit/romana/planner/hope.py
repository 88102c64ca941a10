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

from aquakit.jit import Ints, Struct, count_bits, kernel, lowest_bit
from aquakit.romana.kernel import BUILD, EMPTY, EXTRA, LAY, NONE, PICK, State, Tables, X, Y, Z
from aquakit.romana.planner.bound import DEEPEST
from aquakit.romana.planner.ground import COURSES, FAR

if TYPE_CHECKING:
    from aquakit.romana.kernel import ends_at, fitting, in_stock, lay, locate
    from aquakit.romana.planner.bound import board_limit, hand_out, limit_of_last, sift_sides, tile_limit
    from aquakit.romana.planner.courses import allow_kinds, leads_on
    from aquakit.romana.planner.fountains import codes_by, count_extras, foresee, look_around, soonest_pass
    from aquakit.romana.planner.ground import board_print, ground_print, mix, points_of, spread
    from aquakit.romana.planner.late import count_tokens

RULES = ("in_stock", "fitting", "ends_at", "lay", "locate")
BOUND = ("board_limit", "hand_out", "limit_of_last", "sift_sides", "tile_limit")
BUILDERS = ("codes_by", "count_extras", "foresee", "look_around", "soonest_pass")
GROUND = ("board_print", "ground_print", "mix", "points_of", "spread")
NEEDED = (*RULES, *BOUND, "allow_kinds", "leads_on", *BUILDERS, *GROUND, "count_tokens")
"""What is used here of the kernel, of `bound`, `courses`, `fountains`, `ground` and `late`."""

FANS = 400
"""The most tiles that are looked at on one board."""
LESS_PATIENCE = 300
PATIENCE = 1200
"""So many boards are looked at before hope is given the benefit of the doubt; it is asked again after the next tile."""
SKIP = NONE
"""A turn without a tile."""
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
    """The kind built in this turn, if it may bring an extra tile for the next ones, or NONE."""
    turn: Annotated[int, "i4"]
    """The turn in which the next own tile is laid, counted from one."""
    wait: Annotated[int, "i4"]
    """So many turns cannot bring an extra tile yet: no builder can pass a fountain so soon."""
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
def may_pick(t: Tables, s: State, g: Any, own: int) -> bool:
    """Checks whether an aqueduct is closed by construction [R8], which brings a builder from the reserve."""
    if g.kept == 0:
        return False
    if g.picks > 0:
        return True
    while own:
        q = s.face[lowest_bit(own)]
        own &= own - 1
        if q < 0 or s.tile[q] != EMPTY or ends_at(t, s, q) == 15:
            return True
    return False


@kernel
def fan_out(t: Tables, s: State, g: Any, fan: Any, me: int, strict: bool, sifted: bool) -> None:
    """Lists the tiles that own ends can be given, by building or as extra tiles laid before.

    If it is `strict`, by builders only that can be in sight by then; then a turn may also pass without a tile [R5]. If
    `sifted`, only by sides that can lead to more than the best.
    """
    n = 0
    if strict and fan.turns > 1:
        fan.action[0] = SKIP
        n = 1
    own = s.open & t.mine[me]
    reserve = strict and (g.closes != 0 or may_pick(t, s, g, own))
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
        in_sight = codes
        passing = codes
        if strict:
            in_sight &= codes_by(t, g.soon, s.stand[a], fan.turn, reserve)
            passing &= codes_by(t, g.past, s.stand[a], fan.turn, reserve)
        while codes and n + 1 < FANS:
            code = lowest_bit(codes)
            codes &= codes - 1
            if sifted and not leads_on(t, g, a, s.entry[a], code):
                continue
            if fan.extras > 0 and (fan.grown >> a) & 1 and (fan.credit >> (8 * t.kind[code])) & 255:
                fan.action[n] = LAY | (q << X) | (code << Y)
                n += 1
            if fan.turns > 0 and (in_sight >> code) & 1:
                fan.action[n] = BUILD | (q << X) | (code << Y) | (((passing >> code) & 1) << Z)
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
    below.turns = fan.turns
    below.turn = fan.turn
    below.extras = fan.extras
    below.credit = fan.credit
    below.last = fan.last
    below.wait = fan.wait
    below.tiles = fan.tiles
    below.grown = 0
    passes = False
    code = (action >> Y) & 15
    if action != SKIP:
        below.tiles += mix(0, (action & ((1 << Z) - 1)) >> X)
        below.grown = lay_freely(t, boards[ply + 1], (action >> X) & 1023, code)
        passes = fan.wait == 0 and (action >> Z) & 1 == 1
    if action & 7 == LAY and action != SKIP:
        below.extras -= 1
        below.credit -= 1 << (8 * t.kind[code])
        below.grown |= fan.grown
        return
    below.turns -= 1
    below.turn += 1
    if fan.last >= 0:
        below.credit += 1 << (8 * fan.last)
    below.last = NONE
    if passes:
        below.last = t.kind[code]
    below.wait = max(0, fan.wait - 1)
    # Extra tiles may come in this turn and in each that is left, but for the last one and those that are to wait.
    to_come = max(0, below.turns - 1 - below.wait) + passes
    for kind in range(4):
        to_come += (below.credit >> (8 * kind)) & 255
    below.extras = min(below.extras, to_come)


@kernel
def allow_kinds_of(g: Any, fan: Any) -> None:
    """Lets the bound reckon with such tiles only as there can be at a ply."""
    credit = fan.credit
    if fan.turns > 0 and fan.last >= 0:
        credit += 1 << (8 * fan.last)
    allow_kinds(g, fan.turns, credit, fan.wait)


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
        h = mix(mix(mix(h, fan.grown), fan.credit), fan.last * 64 + fan.wait)
    return h


@kernel
def is_hopeful(t: Tables, boards: Any, fans: Any, g: Any, hopes: Any, c: Any, best: int, stance: int) -> bool:
    """Checks whether more than the best could be reached from the first of the boards, with what its fan has left.

    `stance` is a hash of where builders stand if only those that can be in sight by then are to be used, or 0.
    """
    strict = stance != 0
    mask = len(hopes) - 1
    patience = PATIENCE if strict or not g.strict else LESS_PATIENCE
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
        loose = mix(fan.tiles, left)
        fan.rough = loose
        if strict:
            fan.rough = mix(loose, stance + fan.turn)
        fan.key = fan.rough
        enough = False
        if hopes[fan.rough & mask] != fan.rough and hopes[loose & mask] != loose:
            known = points_of(t, s, c.me)
            tiles = fan.turns + fan.extras
            if tiles < 2:
                # Most boards are such: no need to see how far water could come.
                enough = known + hand_out(t, s, g, c.me, 0) > best
                if tiles == 1 and known + tile_limit(t, s, g, c.me) > best:
                    fan_out(t, s, g, fan, c.me, strict, False)
            else:
                spread(t, s, g, c.me, tiles)
                allow_kinds_of(g, fan)
                if known + board_limit(t, s, g, c.me, fan.turns, fan.extras, fan.grown, best - known) > best:
                    loose = ground_print(t, s, g, mix(board_print(t, s, c.me), left))
                    fan.key = mix(loose, stance + fan.turn) if strict else loose
                    if ply == 0:
                        yes = mix(fan.key, best)
                    enough = known + hand_out(t, s, g, c.me, 0) > best or (ply == 0 and hopes[yes & mask] == yes)
                    if hopes[fan.key & mask] != fan.key and hopes[loose & mask] != loose:
                        if tiles <= COURSES:
                            sift_sides(t, s, g, c.me, fan.turns, fan.extras, fan.grown, best - known)
                        fan_out(t, s, g, fan, c.me, strict, tiles <= COURSES)
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
def look_up(notes: Any, key: int) -> Any:
    """Finds what is noted about a board, or room for it."""
    note = notes[key & (len(notes) - 1)]
    if note.key != key:
        note.key = key
        note.most = FAR
        note.hope = NONE
    return note


@kernel
def has_hope(t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int) -> bool:
    """Checks whether a board allows more than the best if builders were everywhere: by the bound, then by looking."""
    s = states[ply]
    boards, fans, hopes, notes, _sights = hope
    note = look_up(notes, mix(fans[0].tiles, left_print(fans[0])))
    if note.most <= c.best:
        return False
    if note.hope == c.best:
        return True
    spread(t, s, g, c.me, turns + g.extras)
    g.ready = 1
    allow_kinds_of(g, fans[0])
    bound = points_of(t, s, c.me) + board_limit(t, s, g, c.me, turns, g.extras, 0, 0)
    if bound > c.best and turns >= 2 and turns + g.extras <= DEEPEST:
        boards[0] = states[ply]
        c.asked += 1
        g.ready = 0
        if not is_hopeful(t, boards, fans, g, hopes, c, c.best, 0):
            bound = c.best
    note.most = min(note.most, bound)
    if bound <= c.best:
        return False
    note.hope = c.best
    return True


@kernel
def stance_print(t: Tables, s: State, me: int, turns: int, started: bool) -> int:
    """Gets a hash of where builders stand and which are at hand."""
    h = mix(turns, started)
    word = 0
    for p in range(t.path):
        word = word * 8 + s.path[p] + 1
        if p % 20 == 19:
            h = mix(h, word)
            word = 0
    h = mix(h, word)
    word = 0
    for kind in range(5):
        word = (word * 64 + s.reserve[kind]) * 64 + s.held[5 * me + kind]
    return mix(h, word)


@kernel
def has_hope_by_builders(
    t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int, started: bool
) -> bool:
    """Checks the same with only such builders as can be in sight in time, each for itself."""
    s = states[ply]
    boards, fans, hopes, notes, _sights = hope
    g.picks = count_bits(s.due & t.mine[c.me]) if s.phase == PICK else 0
    stance = mix(stance_print(t, s, c.me, turns, started), g.picks) | (1 << 20)
    note = look_up(notes, mix(mix(fans[0].tiles, left_print(fans[0])), stance))
    if note.most <= c.best:
        return False
    if note.hope == c.best:
        return True
    foresee(t, s, g, c.me, turns, started, False)
    if g.kept:
        foresee(t, s, g, c.me, turns, started, True)
    boards[0] = states[ply]
    g.ready = 0
    c.asked += 1
    if not is_hopeful(t, boards, fans, g, hopes, c, c.best, stance):
        note.most = min(note.most, c.best)
        return False
    note.hope = c.best
    return True


class Sight(Struct):
    """How soon own workmen can see each path square on a board (`ground.Ground.least`)."""

    key: Annotated[int, "i8"]
    least: Annotated[Ints, "i2", "path"]


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
def falls_short(t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int, started: bool) -> bool:
    """Checks whether no plan from a state can be better than the best."""
    s = states[ply]
    top = hope[1][0]
    top.tiles = tile_print(t, s, c.me)
    g.ready = 0
    g.extras = 0
    top.wait = 0
    if turns > 1:
        top.wait = count_waits(t, s, g, hope[4], top.tiles, c.me, turns, started)
        g.extras = count_extras(t, s, g, c.me, turns, top.wait + 1)
    if started and s.phase == EXTRA and turns > 0:
        g.extras += 1
    if turns > 0:
        g.extras += count_tokens(c.purse[ply])
    top.turns = turns
    top.turn = 1
    top.extras = g.extras
    top.grown = 0
    top.last = NONE
    top.credit = credit_at(t, s, turns + g.extras)
    if top.credit != PLENTY:
        top.credit += c.purse[ply]
    g.kept = 0
    for kind in range(5):
        g.kept += s.reserve[kind]
    g.strict = turns > 1 and turns + g.extras <= DEEPEST and top.credit != PLENTY
    # Who closes an aqueduct may have a builder from the reserve anywhere in the next turn, but of its kind only.
    g.closes = c.voluntary and g.kept > 0
    if not has_hope(t, states, ply, g, hope, c, turns):
        return True
    if g.strict and not has_hope_by_builders(t, states, ply, g, hope, c, turns, started):
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
