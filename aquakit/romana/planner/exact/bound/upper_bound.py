"""An admissible upper bound on the points of plans, for the planner's search.

Every own aqueduct is given the best walk over empty squares and loose chains, with no regard to builders and kinds;
with few tiles left, the best of all courses (`courses`), which is tighter. The tiles are shared out among the
aqueducts. A tile with two segments may serve two of them, or one twice; `count_crossings` limits how often.

Why it holds stands in docs/planner-proof.md, lemmas 1 to 6.
"""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import EMPTY, State, Tables
from aquakit.romana.planner.exact.bound.courses import find_courses
from aquakit.romana.planner.exact.bound.crossings import count_crossings
from aquakit.romana.planner.exact.bound.reachable import (
    COURSES,
    FAR,
    ROOM,
    STEPS,
    SearchGround,
    count_links,
    points_of,
    spread,
)

DEEPEST = 30
"""The most tiles that the bound reckons with; beyond them it says nothing."""


@kernel
def grow_walks(t: Tables, g: SearchGround, steps: int) -> None:
    """Works out the best growth from each port for each number of steps."""
    ports = 4 * t.squares + 1
    nowhere = 4 * t.squares  # from there nothing ever grows
    for i in range(g.count):
        q = g.region[i]
        if g.level[q] >= g.reach:
            break
        for out in range(4 * q, 4 * q + 4):
            g.walk[out] = 0
            onward = g.go[out]
            g.aim[out] = onward if onward >= 0 and g.level[onward >> 2] < g.reach else nowhere
    for k in range(1, steps + 1):
        here = k * ports
        before = here - ports
        for i in range(g.count):
            q = g.region[i]
            if g.level[q] >= g.reach or g.level[q] + k > steps:
                break  # too few steps are left there
            north = g.gain[4 * q] + g.walk[before + g.aim[4 * q]]
            east = g.gain[4 * q + 1] + g.walk[before + g.aim[4 * q + 1]]
            south = g.gain[4 * q + 2] + g.walk[before + g.aim[4 * q + 2]]
            west = g.gain[4 * q + 3] + g.walk[before + g.aim[4 * q + 3]]
            # Water leaves by another side than the one by which it comes.
            one = max(north, east)
            other = max(south, west)
            g.walk[here + 4 * q] = max(east, other)
            g.walk[here + 4 * q + 1] = max(north, other)
            g.walk[here + 4 * q + 2] = max(one, west)
            g.walk[here + 4 * q + 3] = max(one, south)


@kernel
def find_highest_podiums(t: Tables, s: State, g: SearchGround) -> None:
    """Notes which podium an aqueduct of each length gets to, if no other takes it."""
    highest = 0
    for length in range(ROOM):
        if 0 < length <= t.podiums and s.room[length] > 0:
            highest = length
        g.top[length] = highest


@kernel
def find_walks(t: Tables, g: SearchGround, into: int, steps: int) -> None:
    """Notes in `own` the most growth from a port by 0, 1, 2 … steps, after `grow_walks`."""
    ports = 4 * t.squares + 1
    for k in range(steps + 1):
        g.own[k] = g.walk[k * ports + into]


@kernel
def share_out(t: Tables, s: State, g: SearchGround, me: int, steps: int, tiles: int) -> int:
    """Gets the most points that all open own aqueducts can have if they go `steps` steps together, each on its own.

    With some `tiles` no aqueduct passes more squares than that, and their courses are looked at.
    """
    for i in range(steps + 1):
        g.value[i] = 0
    most = tiles if tiles > 0 else steps
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        length = min(s.length[s.tip[a]], ROOM // 2 - 1)
        if q < 0 or s.tile[q] != EMPTY:
            for i in range(steps + 1):
                g.value[i] += g.top[length]
            continue
        if tiles > 0:
            find_courses(g, 4 * q + s.entry[a], tiles)
        else:
            find_walks(t, g, 4 * q + s.entry[a], steps)
        for k in range(steps, -1, -1):
            dear = 0
            for i in range(min(k, most) + 1):
                dear = max(dear, g.top[length + min(g.own[i], ROOM // 2)] + g.value[k - i])
            g.value[k] = dear
    return int(g.value[steps])


@kernel
def board_bound(t: Tables, s: State, g: SearchGround, me: int, tiles: int, best: int) -> int:
    """Gets an upper bound on the open aqueducts' points with some more tiles, own and extra ones, after `spread`.

    It is not made tighter than it need be to stay at or below `best`.
    """
    if tiles > DEEPEST:
        return FAR
    count_links(g)
    # Some squares may be passed twice, by one last tile even those that were filled long before.
    steps = tiles + count_crossings(t, s, g, me, tiles)
    if steps > STEPS:
        return FAR
    find_highest_podiums(t, s, g)
    grow_walks(t, g, steps)
    points = share_out(t, s, g, me, steps, 0)
    if points > best and 0 < tiles <= COURSES:
        points = min(points, share_out(t, s, g, me, steps, tiles))
    return points


@kernel
def upper_bound(t: Tables, s: State, g: SearchGround, me: int, turns: int, extras: int) -> int:
    """Gets an upper bound on the points of plans of `turns` further turns, with some extra tiles at hand."""
    tiles = turns + extras + max(0, turns - 1)  # what the last turn brings is never reached
    spread(t, s, g, me, tiles)
    return points_of(t, s, me) + board_bound(t, s, g, me, tiles, 0)
