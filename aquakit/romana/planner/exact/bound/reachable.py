"""How far water can come on a board: the squares that own aqueducts can reach, and what the bound works out about them.

`courses`, `crossings` and `upper_bound` work on the same record.
"""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import EMPTY, State, Tables

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
    head: Annotated[int, "i4"]
    """How many of the squares of `region` have been gone on from."""
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
    joints: Annotated[Ints, "i4", 5]
    """Squares by the number of loose chains, 0 to 4, that lead to them from others."""
    links: Annotated[Ints, "i4", STEPS + 1]
    """Upper bounds on the loose chains that join 0, 1, 2 … filled squares."""
    promising: Annotated[Ints, "i4", MOST_AQUEDUCTS]
    """Tile codes before each own aqueduct that can lead to a better plan, whoever builds them."""
    aim: Annotated[Ints, "u2", "ports"]
    """Where a walk that leaves a square by a side goes on: a port, or one from which nothing grows."""
    walk: Annotated[Ints, "u2", "walks"]
    """The best growth from a port, by steps."""
    own: Annotated[Ints, "i2", STEPS + 1]
    value: Annotated[Ints, "i2", STEPS + 1]
    """The best growth of one aqueduct, and the most points for all so far, by steps."""
    top: Annotated[Ints, "i2", ROOM]
    """The highest free podium that an aqueduct of some length gets to."""
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
def spread(t: Tables, s: State, g: SearchGround, me: int, reach: int) -> None:
    """Finds the empty squares that own aqueducts can come to face when at most `reach` squares are filled before."""
    for q in range(t.squares):
        g.level[q] = FAR
    g.head = 0
    g.count = 0
    rest = s.open & t.mine[me]
    while rest:
        q = s.face[lowest_bit(rest)]
        rest &= rest - 1
        if q >= 0 and s.tile[q] == EMPTY and g.level[q] == FAR:
            come_to(t, s, g, q, 0)
    spread_on(t, s, g, reach)


@kernel
def come_to(t: Tables, s: State, g: SearchGround, q: int, level: int) -> None:
    """Notes that an aqueduct can come to face a square."""
    g.level[q] = level
    g.region[g.count] = q
    g.count += 1
    ways = 0
    for side in range(4):
        leave(t, s, g, 4 * q + side)
        ways |= (g.go[4 * q + side] != BARRED) << side
    g.ways[q] = ways


@kernel
def spread_on(t: Tables, s: State, g: SearchGround, reach: int) -> None:
    """Goes on with `spread` in the same state, when more squares can be filled before."""
    g.reach = reach
    while g.head < g.count:
        q = g.region[g.head]
        level = g.level[q]
        if level >= reach:
            return
        g.head += 1
        for out in range(4 * q, 4 * q + 4):
            if g.go[out] >= 0 and g.level[g.go[out] >> 2] == FAR:
                come_to(t, s, g, g.go[out] >> 2, level + 1)


@kernel
def count_links(g: SearchGround) -> None:
    """Counts the loose chains that can join 0, 1, 2 … of the squares that water can get to.

    So many squares are joined by most chains if most chains end at each.
    """
    for ends in range(5):
        g.joints[ends] = 0
    for i in range(g.count):
        q = g.region[i]
        if g.level[q] >= g.reach:
            break
        ends = 0
        for out in range(4 * q, 4 * q + 4):
            if g.gain[out] == 1 or g.go[out] == BARRED:
                continue
            onward = g.go[out]
            ends += onward >= 0 and g.level[onward >> 2] < g.reach
        g.joints[ends] += 1
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
