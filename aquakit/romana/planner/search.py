"""Searches all ways in which one player can use some turns alone, for the most podium points [S1][S2].

Loaded by `aquakit.jit.bind_fast` with the kernel's compiled functions as globals. Branch and bound over single actions:
a state from which even a generous bound stays at or below the best plan so far is left, and so is one that was met
before. Three facts keep the tree small without losing a plan:

- An extra tile matters only where water can come to it in the turns left. All other squares are alike, so one of them
  stands for them.
- Of the board a state needs only what water can still reach; of the stock only what can still run out.
- In the last turn only the tile, and the builders it needs in sight, make a difference.

The bound gives every own aqueduct the best walk over empty squares and loose chains, with no regard to builders and
kinds, and then hands out the podiums by the total growth that these walks allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aquakit.jit import Ints, Struct, kernel, lowest_bit
from aquakit.romana.kernel import (
    ADVANCE,
    BUILD,
    CLOSE,
    EMPTY,
    EXTRA,
    LAY,
    MOVE,
    NONE,
    NOTHING,
    OVER,
    PICK,
    PLACE,
    SHUT,
    State,
    Tables,
    X,
    Y,
    Z,
)  # fmt: skip
from aquakit.romana.planner.task import MOST_FORBIDDEN

if TYPE_CHECKING:  # the kernel's part

    def generate(t: Any, s: Any, w: Any) -> int: ...  # noqa: D103
    def apply(t: Any, s: Any, action: int) -> None: ...  # noqa: D103
    def stop(t: Any, s: Any, aqueducts: int) -> None: ...  # noqa: D103
    def finish_build(t: Any, s: Any) -> None: ...  # noqa: D103
    def sees(t: Any, s: Any, a: int, p: int) -> bool: ...  # noqa: D103
    def any_left(counts: Any) -> bool: ...  # noqa: D103
    def offered(t: Any, s: Any, kind: int) -> int: ...  # noqa: D103
    def in_stock(t: Any, s: Any) -> int: ...  # noqa: D103
    def fitting(t: Any, s: Any, q: int, ends: int) -> int: ...  # noqa: D103
    def ends_at(t: Any, s: Any, q: int) -> int: ...  # noqa: D103
    def lay(t: Any, s: Any, q: int, code: int) -> None: ...  # noqa: D103
    def locate(t: Any, s: Any, a: int) -> None: ...  # noqa: D103
    def prefer(t: Any, s: Any, action: int) -> int: ...  # noqa: D103


BOARD = ("in_stock", "fitting", "ends_at", "lay", "locate")
NEEDED = ("generate", "apply", "stop", "finish_build", "sees", "any_left", "offered", *BOARD, "prefer")
"""What is used here of the kernel and of the game's policy."""

PLIES = 600
"""The most actions in a plan."""
STEPS, EXTRAS = 24, 8
"""The most steps of a walk and the most extra tiles on it that the bound reckons with; beyond them it is not used."""
WALKS = (STEPS + 1) * (EXTRAS + 1)
FAR = 9999
DEAD, BARRED = -1, -2
PODIUMS = 41
MOST = 24
"""The most aqueducts of a layout."""
BARS = MOST_FORBIDDEN
"""The most single actions that can be forbidden."""
ROOM = 128
"""More growth than this never matters: the highest podium is far below."""
DEEPEST = 30
"""The most tiles that are laid one after the other to see whether there is hope."""
FANS = 400
"""The most tiles that are looked at on one board."""
PATIENCE = 4000
"""So many boards are looked at, for two turns, before hope is given the benefit of the doubt; for more turns more."""
MOST_PATIENCE = 64_000
MIX = 0x1E3779B97F4A7C15


class Quest(Struct):
    """What is looked for, and what has been found."""

    me: Annotated[int, "i4"]
    until: Annotated[int, "i4"]
    """The count of ended turns at which the plan is over."""
    begun: Annotated[int, "i4"]
    """The count of ended turns at which it began."""
    closed_only: Annotated[int, "i4"]
    voluntary: Annotated[int, "i4"]
    first: Annotated[int, "i4"]
    """The build of the first turn, or NONE if any will do."""
    best: Annotated[int, "i4"]
    """The points that a plan must exceed; another method may raise them while the search runs."""
    found: Annotated[int, "i4"]
    """The points of the best plan found here, or NONE."""
    enough: Annotated[int, "i4"]
    """So many points end the search."""
    steps: Annotated[int, "i4"]
    """How many actions of the best plan are noted; what is missing at the end of its last turn makes no difference."""
    line: Annotated[Ints, "i4", PLIES]
    budget: Annotated[int, "i8"]
    """States that may be looked at before the search pauses."""
    asked: Annotated[int, "i8"]
    boards: Annotated[int, "i8"]
    """How often hope was asked for, and the boards looked at for it."""
    ply: Annotated[int, "i4"]
    """Where it goes on after a pause."""
    done: Annotated[int, "i4"]
    seen: Annotated[int, "i8"]
    pruned: Annotated[int, "i8"]
    met: Annotated[int, "i8"]
    """States left because of the bound, and because they had been met before."""
    bars: Annotated[int, "i4"]
    bar: Annotated[Ints, "i4", BARS]
    """Actions that are forbidden; one that nobody could take stands for forbidden squares."""
    shut: Annotated[Ints, "i1", "squares"]
    """Squares on which no tile may be laid."""


class Ground(Struct):
    """What water can still reach, and how far it can come: worked out anew for each state."""

    level: Annotated[Ints, "i2", "squares"]
    """How many squares must be filled before an own aqueduct's end faces a square, at least."""
    by: Annotated[Ints, "i2", "squares"]
    second: Annotated[Ints, "i2", "squares"]
    """The same for the second nearest of different own aqueducts."""
    queue: Annotated[Ints, "i4", "queue"]
    region: Annotated[Ints, "i2", "squares"]
    """Those squares, the nearest first."""
    count: Annotated[int, "i4"]
    go: Annotated[Ints, "i4", "ports"]
    """Where water that leaves a square by a side would enter next: a port, DEAD or BARRED."""
    gain: Annotated[Ints, "i2", "ports"]
    """By how much that makes an aqueduct longer."""
    walk: Annotated[Ints, "i2", "walks"]
    """The best growth from a port, by steps and extra tiles."""
    sum: Annotated[Ints, "i2", WALKS]
    more: Annotated[Ints, "i2", WALKS]
    own: Annotated[Ints, "i2", WALKS]
    worth: Annotated[Ints, "i4", (MOST + 1) * ROOM]
    sorted: Annotated[Ints, "i2", MOST]
    free: Annotated[Ints, "i2", 128]
    reach: Annotated[int, "i4"]
    """How many squares can be filled before the last own tile, at most."""
    extras: Annotated[int, "i4"]
    """How many extra tiles can be among them."""
    ready: Annotated[int, "i4"]
    """Whether all of this holds for the state at hand."""
    fill: Annotated[int, "i4"]
    """After so many filled squares some square can be passed twice, at the earliest."""
    twice: Annotated[int, "i4"]
    """The same, two aqueducts that face one square now left aside."""


# What water can reach


@kernel
def leave(t: Tables, s: State, g: Any, out: int) -> None:
    """Notes where water goes that leaves an empty square by a side, and how long it gets by that."""
    e = t.edge[out]
    g.gain[out] = 1
    if s.own[e] >= 0:
        g.go[out] = BARRED  # it would join two outlets' paths [R3]
        return
    beyond = t.port[2 * e]
    if beyond == out:
        beyond = t.port[2 * e + 1]
    if s.length[e] > 0:
        g.gain[out] += s.length[e]
        end = s.other[e]
        beyond = t.port[2 * end]
        inside = t.port[2 * end + 1]
        if beyond >= 0 and (t.ports[s.tile[beyond >> 2]] >> (beyond & 3)) & 1:
            beyond = inside
    if beyond < 0 or s.tile[beyond >> 2] != EMPTY:
        g.go[out] = DEAD
    else:
        g.go[out] = beyond


@kernel
def leads_to(g: Any, q: int, goal: int, steps: int) -> bool:
    """Checks whether water that fills a square can face another one after so many filled squares, one to three."""
    for out in range(4 * q, 4 * q + 4):
        if g.go[out] < 0:
            continue
        n = g.go[out] >> 2
        if n == goal:
            return True
        if steps > 1 and g.level[n] < g.reach:
            for next_out in range(4 * n, 4 * n + 4):
                if g.go[next_out] >= 0 and g.go[next_out] >> 2 == goal:
                    return True
    return False


@kernel
def find_loops(g: Any) -> None:
    """Sees how soon an aqueduct can come back to a square by way of a loose chain; without one it takes four."""
    for i in range(g.count):
        q = g.region[i]
        level = g.level[q]
        if level >= g.reach:
            return
        for out in range(4 * q, 4 * q + 4):
            if g.gain[out] == 1 or g.go[out] < 0:
                continue
            n = g.go[out] >> 2
            around = 4
            if n == q:
                around = level + 1
            elif g.level[n] < g.reach:
                if leads_to(g, n, q, 1):
                    around = level + 2
                elif leads_to(g, n, q, 2):
                    around = level + 3
            g.fill = min(g.fill, around)
            g.twice = min(g.twice, around)


@kernel
def spread(t: Tables, s: State, g: Any, me: int, reach: int) -> None:
    """Finds the empty squares that own aqueducts can come to face when so many squares are filled before."""
    for q in range(t.squares):
        g.level[q] = FAR
        g.second[q] = FAR
    head = 0
    tail = 0
    g.reach = reach
    g.count = 0
    g.fill = 4
    g.twice = 4
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q >= 0 and s.tile[q] == EMPTY:
            if g.level[q] == FAR:
                g.level[q] = 0
                g.by[q] = a
                g.queue[tail] = q
                tail += 1
            elif g.by[q] != a:
                g.second[q] = 0
                g.fill = 1
    while head < tail:
        q = g.queue[head] & 0xFFFF
        later = g.queue[head] >> 16
        head += 1
        level = g.second[q] if later else g.level[q]
        if later == 0:
            g.region[g.count] = q
            g.count += 1
            for out in range(4 * q, 4 * q + 4):
                leave(t, s, g, out)
        if level + g.level[q] + 1 < g.fill and later:
            g.fill = level + g.level[q] + 1
            if g.fill > 1:
                g.twice = min(g.twice, g.fill)
        if level >= reach:
            continue
        # The second nearest is another aqueduct; which one need not be known exactly.
        for out in range(4 * q, 4 * q + 4):
            if g.go[out] < 0:
                continue
            n = g.go[out] >> 2
            a = g.by[q] if later == 0 else NONE
            if g.level[n] == FAR:
                g.level[n] = level + 1
                g.by[n] = a
                g.queue[tail] = n
                tail += 1
            elif g.second[n] == FAR and (a < 0 or g.by[n] != a):
                g.second[n] = level + 1
                g.queue[tail] = n | (1 << 16)
                tail += 1
    find_loops(g)


@kernel
def free_ahead(t: Tables, s: State, p: int) -> int:
    """Counts the free path squares between a builder and the next fountain."""
    n = 0
    q = p + 1
    while q < t.path and t.side[q] == t.side[p]:
        if s.path[q] < 0:
            n += 1
        q += 1
    return n


@kernel
def in_own_sight(t: Tables, s: State, me: int, p: int) -> bool:
    """Checks whether some own open workman sees a path square."""
    rest = s.open & t.mine[me]
    while rest:
        if sees(t, s, lowest_bit(rest), p):
            return True
        rest &= rest - 1
    return False


@kernel
def count_extras(t: Tables, s: State, me: int, turns: int, started: bool) -> int:
    """Counts the extra tiles that can come in so many turns and still be reached before they end, at most.

    The last turn's extra tile is never reached. A builder passes a fountain only after a move for each free square
    before it; a builder from the hand or the reserve can stand at a fountain at once, and can fill a free square.
    """
    if turns < 2:
        return 0
    held = any_left(s.held[5 * me : 5 * me + 5]) or (started and any_left(s.reserve))
    if held:
        return turns - 1
    nearest = FAR
    at_once = False
    for p in range(t.path):
        if s.path[p] >= 0:
            n = free_ahead(t, s, p)
            if n < nearest:
                nearest = n
            if n == 0 and not at_once and (started or in_own_sight(t, s, me, p)):
                at_once = True
    total = 1 if at_once else 0
    for turn in range(2, turns):
        if any_left(s.reserve) or nearest < turn:
            total += 1
    return total


# The bound


@kernel
def grow_walks(t: Tables, s: State, g: Any, steps: int, extras: int) -> None:
    """Works out the best growth from each port for each number of steps and of extra tiles on the way."""
    ports = 4 * t.squares
    for k in range(steps + 1):
        for e in range(extras + 1):
            here = (k * (EXTRAS + 1) + e) * ports
            before = here - (EXTRAS + 1) * ports
            without = here - ports
            for i in range(g.count):
                q = g.region[i]
                if g.level[q] >= g.reach:
                    break
                for into in range(4 * q, 4 * q + 4):
                    best = 0
                    if k + e > 0:
                        for out in range(4 * q, 4 * q + 4):
                            if out == into or g.go[out] == BARRED:
                                continue
                            onward = g.go[out]
                            more = 0
                            if onward >= 0 and g.level[onward >> 2] < g.reach:
                                if k > 0:
                                    more = g.walk[before + onward]
                                if e > 0 and g.walk[without + onward] > more:
                                    more = g.walk[without + onward]
                            if g.gain[out] + more > best:
                                best = g.gain[out] + more
                    g.walk[here + into] = best


@kernel
def first_step(t: Tables, g: Any, into: int, k: int, e: int) -> int:
    """Gets the best growth of an aqueduct from the port it faces: its first step is a tile of its own."""
    best = 0
    if k == 0:
        return best
    base = ((k - 1) * (EXTRAS + 1) + e) * 4 * t.squares
    q = into >> 2
    for out in range(4 * q, 4 * q + 4):
        if out == into or g.go[out] == BARRED:
            continue
        onward = g.go[out]
        grown = g.gain[out]
        if onward >= 0 and g.level[onward >> 2] < g.reach:
            grown += g.walk[base + onward]
        if grown > best:
            best = grown
    return best


@kernel
def total_growth(t: Tables, s: State, g: Any, me: int, steps: int, extras: int) -> int:
    """Gets the most growth that all own aqueducts together can have."""
    for i in range((steps + 1) * (EXTRAS + 1)):
        g.sum[i] = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        into = 4 * q + s.entry[a]
        for k in range(steps + 1):
            for e in range(extras + 1):
                g.own[k * (EXTRAS + 1) + e] = first_step(t, g, into, k, e)
        for k in range(steps + 1):
            for e in range(extras + 1):
                best = 0
                for i in range(k + 1):
                    for j in range(e + 1):
                        here = g.own[i * (EXTRAS + 1) + j] + g.sum[(k - i) * (EXTRAS + 1) + e - j]
                        if here > best:
                            best = here
                g.more[k * (EXTRAS + 1) + e] = best
        for k in range(steps + 1):
            for e in range(extras + 1):
                g.sum[k * (EXTRAS + 1) + e] = g.more[k * (EXTRAS + 1) + e]
    most: int = g.sum[steps * (EXTRAS + 1) + extras]
    return most


@kernel
def hand_out(t: Tables, s: State, g: Any, me: int, growth: int) -> int:
    """Gets the most points that the open aqueducts can have if they may grow by so much together.

    Of two aqueducts the longer one may be given the higher podium without loss.
    """
    n = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        length = s.length[s.tip[a]]
        j = n
        while j > 0 and g.sorted[j - 1] < length:
            g.sorted[j] = g.sorted[j - 1]
            j -= 1
        g.sorted[j] = length
        n += 1
    if n == 0:
        return 0
    if growth >= ROOM:
        return FAR
    stride = growth + 1
    for i in range((n + 1) * stride):
        g.worth[i] = NONE
    g.worth[0] = 0
    most = 0
    for podium in range(min(t.podiums, g.sorted[0] + growth), 0, -1):
        for _ in range(s.room[podium]):
            for i in range(n - 1, -1, -1):
                cost = max(0, podium - g.sorted[i])
                for used in range(growth - cost, -1, -1):
                    before = g.worth[i * stride + used]
                    if before >= 0:
                        after = before + podium
                        place = (i + 1) * stride + used + cost
                        if after > g.worth[place]:
                            g.worth[place] = after
                            if after > most:
                                most = after
    return most


@kernel
def points_of(t: Tables, s: State, me: int) -> int:
    """Adds up a player's podium values so far."""
    total = 0
    for a in range(t.aqueducts):
        if t.owner[a] == me and s.score[a] > 0:
            total += s.score[a]
    return total


@kernel
def board_limit(t: Tables, s: State, g: Any, me: int, turns: int, extras: int) -> int:
    """Gets points that open aqueducts cannot exceed with so many own and extra tiles, after `spread`."""
    steps = turns
    if g.fill <= turns + extras:
        # Some squares may be passed twice: the one that is first so, and each that is filled after it.
        steps += turns + extras - g.fill + 1
    if steps > STEPS or extras > EXTRAS:
        return FAR
    grow_walks(t, s, g, steps, extras)
    return hand_out(t, s, g, me, total_growth(t, s, g, me, steps, extras))


@kernel
def kinds_of_hand(t: Tables, s: State, me: int, started: bool) -> int:
    """Gets the tile codes of builders that the player can put in sight at the start of the next turn."""
    codes = 0
    for kind in range(5):
        if s.held[5 * me + kind] > 0 or (started and s.reserve[kind] > 0):
            codes |= offered(t, s, kind)
    return codes


@kernel
def codes_in_sight(t: Tables, s: State, a: int) -> int:
    """Gets the tile codes that the builders in a workman's sight offer."""
    codes = 0
    for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
        if s.path[t.sight[i]] >= 0:
            codes |= offered(t, s, s.path[t.sight[i]])
    return codes


@kernel
def growth_by(t: Tables, s: State, g: Any, me: int, q: int, code: int, extras: int) -> int:
    """Gets the growth of all own aqueducts that face a square by a tile on it."""
    total = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        if s.face[a] != q:
            continue
        for i in range(4 * code, 4 * code + 4):
            if t.segment[i] == s.entry[a]:
                out = 4 * q + t.segment[i ^ 1]
                if g.go[out] != BARRED:
                    total += g.gain[out]
                    if extras > 0 and g.go[out] >= 0:
                        total += g.walk[4 * t.squares + g.go[out]]
    return total


@kernel
def last_growth(t: Tables, s: State, g: Any, me: int, started: bool, extras: int) -> int:
    """Gets the most growth in the last turn, by the builders that are or can be put in sight."""
    hand = kinds_of_hand(t, s, me, started)
    best = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        codes = (hand | codes_in_sight(t, s, a)) & t.with_port[s.entry[a]]
        while codes:
            grown = growth_by(t, s, g, me, q, lowest_bit(codes), extras)
            codes &= codes - 1
            if grown > best:
                best = grown
    return best


@kernel
def limit_of_last(t: Tables, s: State, g: Any, me: int, started: bool) -> int:
    """Gets points that no plan can exceed when only the last turn is left, after `spread`."""
    if g.twice <= 1 + g.extras:
        growth_limit = board_limit(t, s, g, me, 1, g.extras)
    else:
        if g.extras > 0:
            grow_walks(t, s, g, 0, g.extras)
        growth_limit = hand_out(t, s, g, me, last_growth(t, s, g, me, started, g.extras))
    return points_of(t, s, me) + growth_limit


@kernel
def limit(t: Tables, s: State, g: Any, me: int, turns: int, started: bool) -> int:
    """Gets points that no plan of so many further turns can exceed; `started` if a tile was just laid."""
    extras = count_extras(t, s, me, turns, started)
    if started and s.phase == EXTRA and turns > 0:
        extras += 1
    g.extras = extras
    spread(t, s, g, me, turns + extras)
    known = points_of(t, s, me)
    if turns == 0:
        return known + hand_out(t, s, g, me, 0)
    if turns == 1:
        return limit_of_last(t, s, g, me, started)
    return known + board_limit(t, s, g, me, turns, extras)


# Telling boards apart


@kernel
def mix(h: int, value: int) -> int:
    """Mixes a number into a hash."""
    h = (h ^ (value + 0x7F4A7C15)) * MIX
    return h ^ ((h >> 29) & 0x7FFFFFFFF)


@kernel
def ground_print(t: Tables, s: State, g: Any, h: int) -> int:
    """Mixes all that water can still reach into a hash, after `spread`."""
    rest = s.open
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        h = mix(h, (s.tip[a] << 16) | s.length[s.tip[a]])
    for i in range(g.count):
        q = g.region[i]
        word = q
        for side in range(4):
            e = t.edge[4 * q + side]
            word = word * 256 + s.own[e] + 1
            if s.own[e] < 0 and s.length[e] > 0:
                h = mix(h, (e << 32) | (s.other[e] << 16) | s.length[e])
        h = mix(h, word)
    return h


# Hope: the same board without builders


class Fan(Struct):
    """A ply of the game without builders: what can be laid there."""

    action: Annotated[Ints, "i4", FANS]
    count: Annotated[int, "i4"]
    cursor: Annotated[int, "i4"]
    turns: Annotated[int, "i4"]
    extras: Annotated[int, "i4"]
    grown: Annotated[int, "i8"]
    """Own aqueducts that grew by the last tile: where they end, an extra tile may have been laid before."""
    key: Annotated[int, "i8"]


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
        own = 0
    if fan.extras > 0:
        own |= fan.grown & s.open & t.mine[me]
    stocked = in_stock(t, s)
    while own:
        a = lowest_bit(own)
        own &= own - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        codes = fitting(t, s, q, ends_at(t, s, q)) & t.with_port[s.entry[a]] & stocked
        while codes:
            code = lowest_bit(codes)
            codes &= codes - 1
            if fan.extras > 0 and (fan.grown >> a) & 1 and n < FANS:
                fan.action[n] = LAY | (q << X) | (code << Y)
                n += 1
            if fan.turns > 0 and n < FANS:
                fan.action[n] = BUILD | (q << X) | (code << Y)
                n += 1
    fan.count = n


@kernel
def board_print(t: Tables, s: State, me: int, turns: int, extras: int) -> int:
    """Gets a hash of the board alone, as far as water can still reach it, after `spread`."""
    h = mix(turns * 16 + extras, points_of(t, s, me))
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    return mix(h, s.open)


@kernel
def forget(fans: Any, hopes: Any, ply: int) -> None:
    """Takes boards that are not done with out of the table of those without hope."""
    mask = len(hopes) - 1
    for i in range(ply + 1):
        if hopes[fans[i].key & mask] == fans[i].key:
            hopes[fans[i].key & mask] = 0


@kernel
def is_hopeful(t: Tables, boards: Any, fans: Any, g: Any, hopes: Any, c: Any, best: int) -> bool:
    """Checks whether more than the best could be reached if there were builders of all kinds everywhere.

    Looks at the first of the boards, with the turns and extra tiles of the first fan. A no is final; a yes may be given
    for lack of patience.
    """
    mask = len(hopes) - 1
    me = c.me
    patience = min(PATIENCE << min(2 * fans[0].turns - 4, 20), MOST_PATIENCE)
    ply = 0
    yes = 0
    while True:
        s = boards[ply]
        fan = fans[ply]
        patience -= 1
        c.boards += 1
        c.budget -= 1
        spread(t, s, g, me, fan.turns + fan.extras)
        known = points_of(t, s, me)
        fan.key = 0
        fan.count = 0
        fan.cursor = 0
        enough = False
        if known + board_limit(t, s, g, me, fan.turns, fan.extras) > best:
            enough = known + hand_out(t, s, g, me, 0) > best
            key = mix(board_print(t, s, me, fan.turns, fan.extras), fan.grown if fan.extras > 0 else 0)
            key = ground_print(t, s, g, key)
            if ply == 0:
                yes = mix(key, best)
                enough = enough or hopes[yes & mask] == yes
            if hopes[key & mask] != key:
                hopes[key & mask] = key
                fan.key = key
                fan_out(t, s, fan, me)
        if enough or patience < 0 or fan.count >= FANS:
            forget(fans, hopes, ply)
            hopes[yes & mask] = yes
            return True
        while fan.cursor == fan.count:
            if ply == 0:
                return False
            ply -= 1
            fan = fans[ply]
        action = fan.action[fan.cursor]
        fan.cursor += 1
        boards[ply + 1] = boards[ply]
        below = fans[ply + 1]
        below.turns = fan.turns
        below.extras = fan.extras
        if action & 7 == LAY:
            below.extras -= 1
        else:
            below.turns -= 1
        below.grown = lay_freely(t, boards[ply + 1], (action >> X) & 1023, (action >> Y) & 15)
        ply += 1


class Known(Struct):
    """What was found out about a board, whoever stands on the path around it."""

    key: Annotated[int, "i8"]
    most: Annotated[int, "i4"]
    """No plan from there is worth more."""
    hope: Annotated[int, "i4"]
    """The best at which there still was hope, or NONE."""


@kernel
def raw_print(t: Tables, s: State, me: int, turns: int, extras: int) -> int:
    """Gets a hash of the board as it lies, quickly, with the tiles that can still be laid."""
    h = mix(turns * 64 + extras, s.open)
    word = 0
    for q in range(t.squares):
        word = word * 16 + s.tile[q]
        if q & 15 == 15:
            h = mix(h, word)
            word = 0
    h = mix(h, word)
    word = points_of(t, s, me)
    for podium in range(1, t.podiums + 1):
        word = word * 31 + s.room[podium]
    return mix(h, word)


@kernel
def has_hope(t: Tables, states: Any, ply: int, g: Any, hope: Any, c: Any, turns: int) -> bool:
    """Checks whether a board allows more than the best if builders were everywhere: by the bound, then by looking."""
    s = states[ply]
    boards, fans, hopes, notes = hope
    key = raw_print(t, s, c.me, turns, g.extras)
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
    bound = points_of(t, s, c.me) + board_limit(t, s, g, c.me, turns, g.extras)
    if bound > c.best and turns >= 2 and turns + g.extras <= DEEPEST:
        boards[0] = states[ply]
        fans[0].turns = turns
        fans[0].extras = g.extras
        fans[0].grown = 0
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
    g.extras = count_extras(t, s, c.me, turns, started)
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


# Telling states apart


@kernel
def hand_print(s: State, me: int) -> int:
    """Gets the builders in the reserve and in the player's hand as a number."""
    word = 0
    for kind in range(5):
        word = (word * 64 + s.reserve[kind]) * 64 + s.held[5 * me + kind]
    return word


@kernel
def fingerprint(t: Tables, s: State, g: Any, me: int, turns: int) -> int:
    """Gets a hash of all that can still matter in so many turns, after `spread`."""
    h = mix(turns, points_of(t, s, me))
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
    h = mix(h, hand_print(s, me))
    word = 0
    for kind in range(4):
        word = word * 4096 + min(s.stock[kind], 2 * turns + 1)
    h = mix(h, word)
    elsewhere = 0
    for q in range(t.squares):
        if s.tile[q] == EMPTY and g.level[q] > g.reach:
            elsewhere += 1
    return ground_print(t, s, g, mix(h, min(elsewhere, 2 * turns + MOST)))


# Which actions need to be tried


@kernel
def keep_extras(t: Tables, s: State, w: Any, g: Any, turns: int) -> None:
    """Keeps the extra tiles that can matter in the turns left, and one for each kind on all other squares."""
    if turns == 0:
        w.count = min(w.count, 1)
        return
    elsewhere = 0
    last = NONE
    near = g.reach - 1  # the tile itself was counted among those that can be filled
    for i in range(w.count):
        q = (w.actions[i] >> X) & 1023
        if g.level[q] > near and q != last:
            elsewhere += 1
            last = q
    # Where such squares are scarce, which of them is left may matter.
    alike = elsewhere > 2 * turns + MOST
    n = 0
    kinds = 0
    for i in range(w.count):
        action = w.actions[i]
        q = (action >> X) & 1023
        if alike and g.level[q] > near:
            kind = t.kind[(action >> Y) & 15]
            if (kinds >> kind) & 1:
                continue
            kinds |= 1 << kind
        w.actions[n] = action
        n += 1
    w.count = n


@kernel
def keep_places(t: Tables, s: State, w: Any, me: int, used: bool) -> None:
    """Keeps the places for a builder in the last turn: one in sight of each own workman, and one where it is not used.

    Only one builder is used, so when one of several has been put in sight, the others may stand anywhere.
    """
    n = 0
    if not used:
        rest = s.open & t.mine[me]
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            for i in range(n, w.count):
                if sees(t, s, a, w.actions[i] >> Z):
                    w.actions[n], w.actions[i] = w.actions[i], w.actions[n]
                    n += 1
                    break
    if n < w.count:
        n += 1
    w.count = n


@kernel
def keep_allowed(t: Tables, s: State, w: Any, c: Any) -> None:
    """Keeps the actions that are not forbidden, and of the first turn's builds the one asked for."""
    n = 0
    for i in range(w.count):
        action = w.actions[i]
        what = action & 7
        if what in (BUILD, LAY) and c.shut[(action >> X) & 1023]:
            continue
        if what == SHUT and c.voluntary == 0 and (action >> X) & 1023 != NOTHING:
            continue
        if c.first >= 0 and s.ended == c.begun and s.phase == MOVE and action != c.first:
            continue
        barred = False
        for j in range(c.bars):
            if c.bar[j] == action:
                barred = True
        if barred:
            continue
        w.actions[n] = action
        n += 1
    w.count = n


@kernel
def order(t: Tables, s: State, w: Any) -> None:
    """Puts what a sensible player would rather do in front."""
    for i in range(1, w.count):
        action = w.actions[i]
        weight = prefer(t, s, action)
        j = i
        while j > 0 and prefer(t, s, w.actions[j - 1]) < weight:
            w.actions[j] = w.actions[j - 1]
            j -= 1
        w.actions[j] = action


@kernel
def choose(t: Tables, s: State, w: Any, g: Any, c: Any, turns: int, used: bool) -> None:
    """Lists the actions of a state that need to be tried; `turns` counts the present one.

    `used` says that a builder has been put in sight in this turn.
    """
    generate(t, s, w)
    phase = s.phase
    if c.bars > 0 or c.first >= 0 or c.voluntary == 0 or phase in (MOVE, EXTRA):
        keep_allowed(t, s, w, c)
    if phase == MOVE:
        if w.count > 0 and w.actions[0] & 7 == ADVANCE:
            if turns == 1 and c.first < 0:
                w.count = 1
        else:
            order(t, s, w)
    elif phase == EXTRA:
        keep_extras(t, s, w, g, turns - 1)
    elif phase == PLACE and turns == 1 and c.first < 0:
        keep_places(t, s, w, c.me, used)
    elif phase == PICK and turns == 1:
        w.count = min(w.count, 1)


@kernel
def worth_now(t: Tables, s: State, c: Any) -> int:
    """Gets the points of a plan that ends in a state, which is used up [S2]."""
    if c.closed_only == 0:
        stop(t, s, t.mine[c.me])
    return points_of(t, s, c.me)


@kernel
def settles(t: Tables, s: State, c: Any) -> bool:
    """Carries a state after the last tile on to where points can be counted, if nothing is left that matters."""
    if c.closed_only or c.bars > 0:
        return False
    if s.phase == EXTRA:
        finish_build(t, s)
    # Closing before others are scored may save a podium.
    return s.phase != CLOSE or s.due == 0


@kernel
def put_in_sight(t: Tables, s: State, w: Any, me: int) -> bool:
    """Checks whether the last action of a state put a builder in sight of an own workman."""
    return s.phase == PLACE and in_own_sight(t, s, me, w.actions[w.cursor - 1] >> Z)


@kernel
def search(tables: Any, states: Any, works: Any, grounds: Any, hope: Any, met: Any, quests: Any) -> None:
    """Looks for plans from the first state that are better than the best known, until the budget is used up."""
    t, c, g = tables[0], quests[0], grounds[0]
    scratch = len(states) - 1
    mask = len(met) - 1
    ply = c.ply
    while True:
        if c.budget <= 0:
            c.ply = ply
            return
        c.budget -= 1
        c.seen += 1
        s = states[ply]
        w = works[ply]
        turns = c.until - s.ended
        leaf = False
        value = NONE
        if s.phase == OVER or turns <= 0:
            states[scratch] = states[ply]
            value = worth_now(t, states[scratch], c)
            leaf = True
        else:
            # Worth asking: at the start of a turn, and whenever the board or the open aqueducts have changed in one.
            begins = s.ended != states[ply - 1].ended if ply > 0 else s.phase in (PLACE, MOVE)
            before = states[ply - 1].phase if ply > 0 else MOVE
            if not begins and turns == 1 and before == MOVE:
                states[scratch] = states[ply]
                if settles(t, states[scratch], c):
                    value = worth_now(t, states[scratch], c)
                    leaf = True
            elif begins or (turns > 1 and before != PLACE and before != PICK):
                ahead = turns if begins else turns - 1
                if falls_short(t, states, ply, g, hope, c, ahead, not begins):
                    c.pruned += 1
                    leaf = True
                elif begins and turns > 1:
                    get_ready(t, s, g, c.me, ahead)
                    key = fingerprint(t, s, g, c.me, turns)
                    if ply > 0 and met[key & mask] == key:
                        c.met += 1
                        leaf = True
                    met[key & mask] = key
        w.cursor = 0
        w.count = 0
        if leaf:
            if value > c.best:
                c.best = value
                c.found = value
                c.steps = ply
                for i in range(ply):
                    c.line[i] = works[i].actions[works[i].cursor - 1]
        else:
            used = ply > 0 and s.phase == PLACE and put_in_sight(t, states[ply - 1], works[ply - 1], c.me)
            if s.phase == EXTRA:
                get_ready(t, s, g, c.me, turns - 1)
            choose(t, s, w, g, c, turns, used)
        while w.cursor == w.count or c.best >= c.enough:
            if ply == 0 or c.best >= c.enough:
                c.done = 1
                return
            ply -= 1
            w = works[ply]
        states[ply + 1] = states[ply]
        apply(t, states[ply + 1], w.actions[w.cursor])
        w.cursor += 1
        ply += 1


# A first plan, by keeping only the most promising states of each turn


class Shoot(Struct):
    """A state of the beam, the present turn's in one half and the next turn's in the other: its promise and its way."""

    promise: Annotated[int, "i4"]
    key: Annotated[int, "i8"]
    steps: Annotated[int, "i4"]
    line: Annotated[Ints, "i4", PLIES]


@kernel
def promise(t: Tables, s: State, g: Any, c: Any, turns: int) -> int:
    """Says how promising a state at the start of a turn is: points now, and those within the next tile or two."""
    if s.phase == OVER or turns == 0:
        return 4 * (points_of(t, s, c.me) + (0 if c.closed_only else hand_out(t, s, g, c.me, 0)))
    now = points_of(t, s, c.me) + hand_out(t, s, g, c.me, 0)
    return 2 * now + limit(t, s, g, c.me, 1, False) + limit(t, s, g, c.me, min(turns, 2), False)


@kernel
def keep_shoot(t: Tables, s: State, g: Any, c: Any, shoots: Any, first: int, width: int, turns: int) -> int:
    """Finds the place of a state among the best of its turn; NONE if it is not among them.

    Of states that differ only in where builders stand, the most promising one is kept, or all would be of one kind.
    """
    value = promise(t, s, g, c, turns)
    worst = first
    for i in range(first, first + width):
        if shoots[i].promise < shoots[worst].promise:
            worst = i
    if value <= shoots[worst].promise:
        return NONE
    spread(t, s, g, c.me, turns)
    key = mix(ground_print(t, s, g, board_print(t, s, c.me, turns, 0)), hand_print(s, c.me))
    for i in range(first, first + width):
        if shoots[i].promise >= 0 and shoots[i].key == key:
            if value <= shoots[i].promise:
                return NONE
            worst = i
    shoots[worst].promise = value
    shoots[worst].key = key
    return worst


@kernel
def sprout(
    tables: Any, states: Any, works: Any, grounds: Any, quests: Any, pool: Any, shoots: Any, parent: int, first: int
) -> None:
    """Goes through the turns of a state of the beam and keeps where the best of them lead, from a place in it on."""
    t, c, g = tables[0], quests[0], grounds[0]
    scratch = len(states) - 1
    width = len(shoots) // 2
    ended = pool[parent].ended
    states[0] = pool[parent]
    ply = 0
    while True:
        s = states[ply]
        w = works[ply]
        w.cursor = 0
        w.count = 0
        turns = c.until - s.ended
        if s.phase == OVER or s.ended > ended:
            if turns <= 0 or s.phase == OVER:
                states[scratch] = states[ply]
                value = worth_now(t, states[scratch], c)
                if value > c.best:
                    note_shoot(works, c, shoots, parent, ply, value)
            else:
                place = keep_shoot(t, s, g, c, shoots, first, width, turns)
                if place >= 0:
                    pool[place] = states[ply]
                    steps = shoots[parent].steps
                    for i in range(steps):
                        shoots[place].line[i] = shoots[parent].line[i]
                    for i in range(ply):
                        shoots[place].line[steps + i] = works[i].actions[works[i].cursor - 1]
                    shoots[place].steps = steps + ply
        else:
            if s.phase == EXTRA:
                spread(t, s, g, c.me, turns)
            choose(t, s, w, g, c, turns, False)
            if s.phase == PLACE and turns > 1:
                keep_places_in_sight(t, s, w, c.me)
        while w.cursor == w.count:
            if ply == 0:
                return
            ply -= 1
            w = works[ply]
        states[ply + 1] = states[ply]
        apply(t, states[ply + 1], w.actions[w.cursor])
        w.cursor += 1
        ply += 1


@kernel
def note_shoot(works: Any, c: Any, shoots: Any, parent: int, plies: int, value: int) -> None:
    """Notes the best plan so far."""
    c.best = value
    c.found = value
    steps = shoots[parent].steps
    for i in range(steps):
        c.line[i] = shoots[parent].line[i]
    for i in range(plies):
        c.line[steps + i] = works[i].actions[works[i].cursor - 1]
    c.steps = steps + plies


@kernel
def keep_places_in_sight(t: Tables, s: State, w: Any, me: int) -> None:
    """Keeps the places for a builder that own workmen see, if there are any."""
    n = 0
    for i in range(w.count):
        if in_own_sight(t, s, me, w.actions[i] >> Z):
            w.actions[i], w.actions[n] = w.actions[n], w.actions[i]
            n += 1
    if n > 0:
        w.count = n


@kernel
def root_limit(tables: Any, states: Any, grounds: Any, quests: Any) -> int:
    """Gets points that no plan from the first state can exceed."""
    c, s = quests[0], states[0]
    begins = s.phase in (PLACE, MOVE)
    turns = c.until - s.ended - (0 if begins else 1)
    if s.phase == OVER or turns < 0:
        return points_of(tables[0], s, c.me)
    return limit(tables[0], s, grounds[0], c.me, turns, not begins)
