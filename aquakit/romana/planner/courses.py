"""How long each own aqueduct can get by itself with a few more tiles: every course that it can take is looked at.

Bound to the kernel by `aquakit.jit.bind_fast`. A course lays a tile on each empty square that it comes to, goes along
loose chains, and passes a square a second time, for nothing, by the two sides that the first pass left. Builders and
kinds of tiles are left aside.

Of several aqueducts, those that cannot come to one square do not share any. In a group of u that may, and that fills n
squares: if `meet` squares must be filled before one is shared, n - meet + 1 are shared at most; and as
`crossings.count_crossings` tells, the steps but for those along loose chains are no more than n + n + u - AROUND[n].
"""

from __future__ import annotations

from typing import Any

from aquakit.jit import kernel, lowest_bit
from aquakit.romana.kernel import EMPTY, State, Tables
from aquakit.romana.planner.crossings import AROUND
from aquakit.romana.planner.ground import BARRED, COURSES, ROOM

NEEDED = ()
"""Nothing of the kernel's functions is used here, only its records."""

ANY = 4
"""Stands for all sides."""
BY_TILES = COURSES + 1
BY_STEPS = 2 * COURSES + 1
"""Places in the tables of one side."""
NEVER = -1000
"""Fewer points than anything can cost."""


@kernel
def clear_courses(g: Any, a: int, tiles: int) -> None:
    """Makes room for the courses of an aqueduct."""
    for side in range(5 * a, 5 * a + 5):
        for k in range(tiles + 1):
            g.course[side * BY_TILES + k] = 0
        for k in range(2 * tiles + 1):
            g.stride[side * BY_STEPS + k] = 0


@kernel
def sum_up_courses(g: Any, a: int, tiles: int) -> None:
    """Lets more tiles and steps be no worse than fewer, and all sides as good as the best one."""
    best = 5 * a + ANY
    for side in range(5 * a, best + 1):
        for k in range(1, tiles + 1):
            i = side * BY_TILES + k
            g.course[i] = max(g.course[i], g.course[i - 1])
            j = best * BY_TILES + k
            g.course[j] = max(g.course[j], g.course[i])
        for k in range(1, 2 * tiles + 1):
            i = side * BY_STEPS + k
            g.stride[i] = max(g.stride[i], g.stride[i - 1])
            j = best * BY_STEPS + k
            g.stride[j] = max(g.stride[j], g.stride[i])


@kernel
def find_courses(g: Any, a: int, into: int, tiles: int) -> None:
    """Notes the most that an aqueduct can grow from the port by which it enters: by tiles, and by steps.

    Needs `spread` to at least so many squares. All courses are tried, one side after the other.
    """
    clear_courses(g, a, tiles)
    depth = 0
    first = 0
    g.way[0] = into
    g.side[0] = 0
    g.laid[0] = 1
    g.paces[0] = 1
    g.grown[0] = 0
    while depth >= 0:
        port = g.way[depth]
        q = port >> 2
        side = g.side[depth]
        if side > 0:
            g.passed[q] &= ~(1 << (side - 1))  # the side that was taken last
        else:
            g.passed[q] |= 1 << (port & 3)
        while side < 4 and ((g.passed[q] >> side) & 1 or g.go[4 * q + side] == BARRED):
            side += 1
        g.side[depth] = side + 1
        if side == 4:
            g.passed[q] &= ~(1 << (port & 3))
            depth -= 1
            continue
        if depth == 0:
            first = 5 * a + side
        out = 4 * q + side
        g.passed[q] |= 1 << side
        laid = g.laid[depth]
        paces = g.paces[depth]
        grown = g.grown[depth] + g.gain[out]
        if grown > g.course[first * BY_TILES + laid]:
            g.course[first * BY_TILES + laid] = grown
        if grown > g.stride[first * BY_STEPS + paces]:
            g.stride[first * BY_STEPS + paces] = grown
        onward = g.go[out]
        if onward < 0:
            continue
        before = g.passed[onward >> 2]
        if before == 0:
            laid += 1
            if laid > tiles:
                continue
        elif (before >> (onward & 3)) & 1:
            continue
        depth += 1
        g.way[depth] = onward
        g.side[depth] = 0
        g.laid[depth] = laid
        g.paces[depth] = paces + (g.gain[out] == 1)
        g.grown[depth] = grown
    sum_up_courses(g, a, tiles)


@kernel
def add_courses(
    g: Any, course: Any, first: int, least: int, most: int, length: int, sums: Any, prizes: Any, room: int
) -> None:
    """Adds the courses of one aqueduct, from `first` in a table on, to those of others, by what they take together."""
    for k in range(room, -1, -1):
        grown = NEVER
        prize = NEVER
        for i in range(least, min(k, most) + 1):
            more = course[first + i]
            grown = max(grown, more + sums[k - i])
            prize = max(prize, g.top[length + min(more, ROOM // 2)] + prizes[k - i])
        sums[k] = grown
        prizes[k] = prize


@kernel
def sum_up_group(s: State, g: Any, group: int, tiles: int, chosen: int, side: int) -> int:
    """Works out the most growth and points of a group by tiles, in `shared` and `prized`; counts those that can grow.

    If one of them is `chosen`, it must grow and leave its first square by a side.
    """
    room = 2 * tiles
    for k in range(room + 1):
        g.shared[k] = 0
        g.prized[k] = 0
        g.trodden[k] = 0
        g.valued[k] = 0
    u = 0
    while group:
        a = lowest_bit(group)
        group &= group - 1
        q = s.face[a]
        length = min(s.length[s.tip[a]], ROOM // 2 - 1)
        if q < 0 or s.tile[q] != EMPTY:
            for k in range(room + 1):
                g.prized[k] += g.top[length]
                g.valued[k] += g.top[length]
            continue
        u += 1
        least = 1 if a == chosen else 0
        which = 5 * a + (side if a == chosen else ANY)
        add_courses(g, g.course, which * BY_TILES, least, tiles, length, g.shared, g.prized, room)
        if u > 1 or group:
            add_courses(g, g.stride, which * BY_STEPS, least, room, length, g.trodden, g.valued, room)
    if u > 1:
        for n in range(1, tiles + 1):
            passes = n + min(n, max(0, n - g.meet + 1))
            paces = min(room, max(n, 2 * n + u - AROUND[n]))
            g.shared[n] = min(g.shared[passes], g.trodden[paces])
            g.prized[n] = min(g.prized[passes], g.valued[paces])
    return u


@kernel
def add_group(g: Any, groups: int, tiles: int) -> None:
    """Adds a group to all before it, which may be left as it is or grow, by the groups that grow and by tiles."""
    row = tiles + 1
    for j in range(groups, -1, -1):
        for n in range(tiles, -1, -1):
            grown = g.total[j * row + n] + g.shared[0]
            points = g.prize[j * row + n] + g.prized[0]
            if j > 0:
                for i in range(1, n + 1):
                    grown = max(grown, g.shared[i] + g.total[(j - 1) * row + n - i])
                    points = max(points, g.prized[i] + g.prize[(j - 1) * row + n - i])
            g.total[j * row + n] = grown
            g.prize[j * row + n] = points


@kernel
def sum_up_all(t: Tables, s: State, g: Any, me: int, tiles: int, starts: int, chosen: int, side: int) -> int:
    """Works out the most growth and points of all open aqueducts; gets their place in `total` and `prize`.

    No more groups grow than there are `starts`. The `chosen` one, if any, must leave its first square by a side.
    """
    row = tiles + 1
    groups = 0
    for n in range(row):
        g.total[n] = 0
        g.prize[n] = 0
    rest = s.open & t.mine[me]
    while rest:
        group = g.kin[lowest_bit(rest)] & rest
        rest &= ~group
        u = sum_up_group(s, g, group, tiles, chosen, side)
        if u > 0 and groups < starts:
            for i in range(groups * row, (groups + 1) * row):
                g.total[i + row] = g.total[i]
                g.prize[i + row] = g.prize[i]
            groups += 1
        if u == 0:
            for n in range(1, row):
                g.prized[n] = NEVER
                g.shared[n] = NEVER
        add_group(g, groups, tiles)
    return groups * row + tiles


@kernel
def find_all_courses(t: Tables, s: State, g: Any, me: int, tiles: int) -> None:
    """Finds the courses of all own aqueducts, after `spread`."""
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        g.sides[a] = 15
        if s.face[a] >= 0 and s.tile[s.face[a]] == EMPTY:
            find_courses(g, a, 4 * s.face[a] + s.entry[a], tiles)


@kernel
def has_course(g: Any, a: int, side: int) -> bool:
    """Checks whether an aqueduct can leave its first square by a side at all."""
    return bool(g.course[(5 * a + side) * BY_TILES + 1] > 0)


@kernel
def leads_on(t: Tables, g: Any, a: int, entry: int, code: int) -> bool:
    """Checks whether a tile leads an aqueduct on by one of the sides that are left to it."""
    for i in range(4 * code, 4 * code + 4):
        if t.segment[i] == entry:
            return bool((g.sides[a] >> t.segment[i ^ 1]) & 1)
    return False
