"""How far water can come on a board: the squares that own aqueducts can reach, and what the bound works out about them.

`crossings`, `fountains` and `upper_bound` work on the same record.
"""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import EMPTY, NONE, State, Tables

FAR = 9999
DEAD, BARRED = -1, -2
STEPS = 40
"""The most steps of walks; beyond them the bound says nothing."""
MOST_AQUEDUCTS = 24
"""The most aqueducts of a layout."""
COURSES = 6
"""The most tiles by which all courses of an aqueduct are looked at."""
ROOM = 128
"""More growth than this never matters: the highest podium is far below."""
MIX = 0x1E3779B97F4A7C15


class SearchGround(Struct):
    """What water can still reach, and how far it can come: worked out anew for each state.

    What is never below zero has no sign: compiled code then need not look whether an index counts from the end.
    """

    level: Annotated[Ints, "u2", "squares"]
    """How many squares must be filled before an own aqueduct's end faces a square, at least."""
    by: Annotated[Ints, "i2", "squares"]
    second: Annotated[Ints, "u2", "squares"]
    """The same for the second nearest of different own aqueducts."""
    queue: Annotated[Ints, "u4", "queue"]
    head: Annotated[int, "i4"]
    tail: Annotated[int, "i4"]
    """Squares to go on from, and which of them are left."""
    region: Annotated[Ints, "u2", "squares"]
    """Those squares, the nearest first."""
    count: Annotated[int, "i4"]
    go: Annotated[Ints, "i4", "ports"]
    """Where water that leaves an empty square by a side would enter next: a port, DEAD or BARRED."""
    ways: Annotated[Ints, "u1", "squares"]
    """The sides of a square that are not BARRED."""
    gain: Annotated[Ints, "u2", "ports"]
    """By how much that makes an aqueduct longer."""
    reach: Annotated[int, "i4"]
    """How many squares can be filled before the last own tile, at most."""
    extras: Annotated[int, "i4"]
    """How many extra tiles can be among them."""
    ready: Annotated[int, "i4"]
    """Whether all of this holds for the state at hand."""
    fill: Annotated[int, "i4"]
    """The fewest filled squares after which some square can be passed twice."""
    joints: Annotated[Ints, "i4", 5]
    """Squares by the number of loose chains, 0 to 4, that lead to them from others."""
    links: Annotated[Ints, "i4", STEPS + 1]
    """Upper bounds on the loose chains that join 0, 1, 2 … filled squares."""
    strung: Annotated[int, "i4"]
    """By how much all loose chains together can make aqueducts longer."""
    promising: Annotated[Ints, "i4", MOST_AQUEDUCTS]
    """Tile codes before each own aqueduct that can lead to a better plan, whoever builds them."""
    aim: Annotated[Ints, "u2", "ports"]
    """Where a walk that leaves a square by a side goes on: a port, or one from which nothing grows."""
    walk: Annotated[Ints, "u2", "walks"]
    """The best growth from a port, by steps."""
    own: Annotated[Ints, "i2", STEPS + 1]
    sum: Annotated[Ints, "i2", STEPS + 1]
    value: Annotated[Ints, "i2", STEPS + 1]
    """The best growth of one aqueduct and of all so far, and the most points for all so far, by steps."""
    top: Annotated[Ints, "i2", ROOM]
    """The highest free podium that an aqueduct of some length gets to."""
    worth: Annotated[Ints, "i4", (MOST_AQUEDUCTS + 1) * ROOM]
    sorted: Annotated[Ints, "i2", MOST_AQUEDUCTS]
    late: Annotated[Ints, "i2", MOST_AQUEDUCTS]
    """The most growth of each own aqueduct in the last turn."""
    passed: Annotated[Ints, "u1", "squares"]
    """Sides by which the course at hand passes a square."""
    way: Annotated[Ints, "u4", 2 * COURSES + 2]
    gone: Annotated[Ints, "u1", 2 * COURSES + 2]
    left: Annotated[Ints, "u1", 2 * COURSES + 2]
    laid: Annotated[Ints, "u1", 2 * COURSES + 2]
    grown: Annotated[Ints, "u2", 2 * COURSES + 2]
    """The ports by which it enters, the sides that it has passed there with that, those still to be tried, and its
    tiles and its growth so far."""


# What water can reach


@kernel
def leave(t: Tables, s: State, g: SearchGround, out: int) -> None:
    """Notes where water goes that leaves an empty square by a side, and how long it gets by that."""
    e = t.edge[out]
    g.gain[out] = 1
    if s.own[e] >= 0:
        g.go[out] = BARRED  # it would join two outlets' paths [R3]
        g.gain[out] = 0
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
def leads_to(g: SearchGround, q: int, goal: int, steps: int) -> bool:
    """Checks whether water that fills a square can face another one after `steps` more filled squares, one or two."""
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
def find_loops(g: SearchGround) -> None:
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


@kernel
def spread(t: Tables, s: State, g: SearchGround, me: int, reach: int) -> None:
    """Finds the empty squares that own aqueducts can come to face when at most `reach` squares are filled before."""
    for q in range(t.squares):
        g.level[q] = FAR
        g.second[q] = FAR
    g.head = 0
    g.tail = 0
    g.count = 0
    g.fill = 4
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q >= 0 and s.tile[q] == EMPTY:
            if g.level[q] == FAR:
                come_to(t, s, g, q, 0, a)
            elif g.by[q] != a:
                g.second[q] = 0
                g.fill = 1
    spread_on(t, s, g, reach)


@kernel
def come_to(t: Tables, s: State, g: SearchGround, q: int, level: int, a: int) -> None:
    """Notes that an aqueduct can come to face a square."""
    g.level[q] = level
    g.by[q] = a
    g.region[g.count] = q
    g.count += 1
    g.queue[g.tail] = q
    g.tail += 1
    ways = 0
    for side in range(4):
        leave(t, s, g, 4 * q + side)
        ways |= (g.go[4 * q + side] != BARRED) << side
    g.ways[q] = ways


@kernel
def spread_on(t: Tables, s: State, g: SearchGround, reach: int) -> None:
    """Goes on with `spread` in the same state, when more squares can be filled before."""
    g.reach = reach
    while g.head < g.tail:
        q = g.queue[g.head] & 0xFFFF
        later = g.queue[g.head] >> 16
        level = g.second[q] if later else g.level[q]
        if level >= reach:
            return
        g.head += 1
        # The second nearest is another aqueduct; which one need not be known exactly.
        a = g.by[q] if later == 0 else NONE
        for out in range(4 * q, 4 * q + 4):
            if g.go[out] < 0:
                continue
            n = g.go[out] >> 2
            if g.level[n] == FAR:
                come_to(t, s, g, n, level + 1, a)
            elif g.second[n] == FAR and (a < 0 or g.by[n] != a):
                g.second[n] = level + 1
                g.queue[g.tail] = n | (1 << 16)
                g.tail += 1
                g.fill = min(g.fill, level + 1 + g.level[n] + 1)


@kernel
def count_links(g: SearchGround) -> None:
    """Adds up the lengths of the loose chains that water can get to, and counts those that can join some squares.

    So many squares are joined by most chains if most chains end at each.
    """
    for ends in range(5):
        g.joints[ends] = 0
    strung = 0
    for i in range(g.count):
        q = g.region[i]
        if g.level[q] >= g.reach:
            break
        ends = 0
        for out in range(4 * q, 4 * q + 4):
            if g.gain[out] == 1 or g.go[out] == BARRED:
                continue
            length = g.gain[out] - 1
            onward = g.go[out]
            if onward < 0 or g.level[onward >> 2] >= g.reach:
                strung += 2 * length
                continue
            # It is come upon from its other end too.
            strung += length
            ends += 1
        g.joints[ends] += 1
    g.strung = (strung + 1) >> 1
    most = 4
    total = 0
    for n in range(min(g.reach, STEPS) + 1):
        g.links[n] = total >> 1
        while most > 0 and g.joints[most] == 0:
            most -= 1
        g.joints[most] -= 1
        total += most


# Telling boards apart


@kernel
def mix(h: int, value: int) -> int:
    """Mixes a number into a hash."""
    h = (h ^ (value + 0x7F4A7C15)) * MIX
    return h ^ ((h >> 29) & 0x7FFFFFFFF)


@kernel
def hash_reachable(t: Tables, s: State, g: SearchGround, h: int) -> int:
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


@kernel
def points_of(t: Tables, s: State, me: int) -> int:
    """Adds up a player's podium values so far."""
    total = 0
    for a in range(t.aqueducts):
        if t.owner[a] == me and s.score[a] > 0:
            total += s.score[a]
    return total


@kernel
def hash_podiums(t: Tables, s: State, me: int) -> int:
    """Gets a hash of points, podiums and open aqueducts."""
    h = points_of(t, s, me)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    return mix(h, s.open)
