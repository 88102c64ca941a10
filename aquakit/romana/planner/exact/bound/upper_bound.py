"""An admissible upper bound on the points of plans, for the planner's search.

Every own aqueduct is given the best walk over empty squares and loose chains, with no regard to builders and kinds;
with few tiles left, the best of all courses (`courses`), which is tighter. The tiles are shared out among the
aqueducts, and so is their total growth among the podiums that are free; the smaller sum is the bound.

A tile with two segments may serve two aqueducts, or one twice. `count_crossings` limits how often.
"""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import inlined, kernel
from aquakit.romana.kernel import EMPTY, EXTRA, JOKER, NONE, State, Tables, in_stock, offered
from aquakit.romana.planner.exact.bound.courses import EVERY_SIDE, find_courses
from aquakit.romana.planner.exact.bound.crossings import count_crossings
from aquakit.romana.planner.exact.bound.reachable import (
    COURSES,
    FAR,
    ROOM,
    STEPS,
    SearchGround,
    count_links,
    find_loops,
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
def total_growth(t: Tables, s: State, g: SearchGround, me: int, steps: int, tiles: int) -> int:
    """Gets the most growth of all own aqueducts together; notes last in `value` the most points that they can have.

    There are `steps` steps for all of them; with some `tiles`, no aqueduct passes more squares than that, and their
    courses are looked at.
    """
    for i in range(steps + 1):
        g.sum[i] = 0
        g.value[i] = 0
    find_highest_podiums(t, s, g)
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
            find_courses(g, 4 * q + s.entry[a], EVERY_SIDE, tiles, False)
        else:
            find_walks(t, g, 4 * q + s.entry[a], steps)
        for k in range(steps, -1, -1):
            best = 0
            dear = 0
            for i in range(min(k, most) + 1):
                here = g.own[i] + g.sum[k - i]
                if here > best:
                    best = here
                here = g.top[length + min(g.own[i], ROOM // 2)] + g.value[k - i]
                if here > dear:
                    dear = here
            g.sum[k] = best
            g.value[k] = dear
    return int(g.sum[steps])


@inlined
def sort_lengths(t: Tables, s: State, g: SearchGround, me: int) -> int:
    """Notes the lengths of the own open aqueducts, the longest first; counts them."""
    n = 0
    rest = s.open & t.mine[me]
    while rest:
        length = s.length[s.tip[lowest_bit(rest)]]
        rest &= rest - 1
        j = n
        while j > 0 and g.sorted[j - 1] < length:
            g.sorted[j] = g.sorted[j - 1]
            j -= 1
        g.sorted[j] = length
        n += 1
    return n


@inlined
def offer_podium(g: SearchGround, n: int, podium: int, growth: int) -> int:
    """Lets one more of the n longest aqueducts stand on a podium, by the growth used so far; gets the most points."""
    stride = growth + 1
    most = 0
    for i in range(n - 1, -1, -1):
        cost = max(0, podium - g.sorted[i])
        for used in range(growth - cost, -1, -1):
            before = g.worth[i * stride + used]
            place = (i + 1) * stride + used + cost
            if before >= 0 and before + podium > g.worth[place]:
                g.worth[place] = before + podium
                most = max(most, before + podium)
    return most


@kernel
def assign_podiums(t: Tables, s: State, g: SearchGround, me: int, growth: int) -> int:
    """Gets an upper bound on the points of the open aqueducts if they grow by `growth` squares together.

    A knapsack: `worth` has the most points by the aqueducts that have a podium and by the growth that they use. Of two
    aqueducts the longer one may be given the higher podium without loss.
    """
    n = sort_lengths(t, s, g, me)
    if n == 0:
        return 0
    if growth >= ROOM:
        return FAR
    for i in range((n + 1) * (growth + 1)):
        g.worth[i] = NONE
    g.worth[0] = 0
    most = 0
    for podium in range(min(t.podiums, g.sorted[0] + growth), 0, -1):
        for _ in range(s.room[podium]):
            most = max(most, offer_podium(g, n, podium, growth))
    return most


@kernel
def board_bound(t: Tables, s: State, g: SearchGround, me: int, tiles: int, best: int) -> int:
    """Gets an upper bound on the open aqueducts' points with some more tiles, own and extra ones, after `spread`.

    It is not made tighter than it need be to stay at or below `best`.
    """
    if tiles > DEEPEST:
        return FAR
    find_loops(g)
    count_links(g)
    # Some squares may be passed twice, by one last tile even those that were filled long before.
    steps = tiles + count_crossings(t, s, g, me, tiles)
    if steps > STEPS:
        return FAR
    grow_walks(t, g, steps)
    growth = min(total_growth(t, s, g, me, steps, 0), steps + g.strung)
    points: int = g.value[steps]
    if points > best and 0 < tiles <= COURSES:
        growth = min(growth, total_growth(t, s, g, me, steps, tiles))
        points = min(points, int(g.value[steps]))
    if points > best:
        points = min(points, assign_podiums(t, s, g, me, growth))
    return points


@kernel
def may_offer(t: Tables, s: State, kind: int) -> int:
    """Gets the tile codes that a builder offers in the next turn; if an extra tile is the last of its kind, any."""
    if s.phase == EXTRA and kind != JOKER and s.stock[kind] == 1:
        return in_stock(t, s)
    return offered(t, s, kind)


@kernel
def kinds_of_hand(t: Tables, s: State, me: int, started: bool) -> int:
    """Gets the tile codes of builders that the player can put in sight at the start of the next turn."""
    codes = 0
    for kind in range(5):
        if s.held[5 * me + kind] > 0 or (started and s.reserve[kind] > 0):
            codes |= may_offer(t, s, kind)
    return codes


@kernel
def codes_in_sight(t: Tables, s: State, a: int) -> int:
    """Gets the tile codes that the builders in a workman's sight offer."""
    codes = 0
    for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
        if s.path[t.sight[i]] >= 0:
            codes |= may_offer(t, s, s.path[t.sight[i]])
    return codes


@kernel
def exits_before(t: Tables, s: State, me: int, a: int, hand: int) -> int:
    """Gets the sides by which water can leave the square before a workman, by the tiles that can be built there.

    These are those of the hand and in sight of the own workmen before that square.
    """
    codes = hand
    rest = s.open & t.mine[me]
    while rest:
        b = lowest_bit(rest)
        rest &= rest - 1
        if s.face[b] == s.face[a]:
            codes |= codes_in_sight(t, s, b)
    codes &= t.with_port[s.entry[a]]
    sides = 0
    while codes:
        code = lowest_bit(codes)
        codes &= codes - 1
        for i in range(4 * code, 4 * code + 4):
            if t.segment[i] == s.entry[a]:
                sides |= 1 << t.segment[i ^ 1]
    return sides


@kernel
def last_growth(g: SearchGround, into: int, sides: int) -> int:
    """Gets the most growth by the last own tile, where a port leads, left by one of some sides, and by extra tiles.

    These lie where no aqueduct's end faces them [R6].
    """
    best = 0
    if sides:
        find_courses(g, into, sides, 1 + g.extras, True)
        best = g.own[1 + g.extras]
    return best


@kernel
def last_turn_bound(t: Tables, s: State, g: SearchGround, me: int, started: bool) -> int:
    """Gets an upper bound on the points of plans when only the last turn is left, after `spread`.

    Only what faces the square of the last own tile can grow. There are fewer extra tiles than COURSES.
    """
    find_highest_podiums(t, s, g)
    hand = kinds_of_hand(t, s, me, started)
    own = s.open & t.mine[me]
    stay = 0
    rest = own
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        stay += g.top[min(s.length[s.tip[a]], ROOM // 2 - 1)]
        g.late[a] = 0
        if s.face[a] >= 0 and s.tile[s.face[a]] == EMPTY:
            g.late[a] = last_growth(g, 4 * s.face[a] + s.entry[a], exits_before(t, s, me, a, hand))
    most = 0
    prize = stay
    rest = own
    while rest:
        q = s.face[lowest_bit(rest)]
        rest &= rest - 1
        growth = 0
        points = stay
        others = own if q >= 0 else 0
        while others:
            a = lowest_bit(others)
            others &= others - 1
            if s.face[a] == q:
                length = min(s.length[s.tip[a]], ROOM // 2 - 1)
                growth += g.late[a]
                points += g.top[length + min(g.late[a], ROOM // 2)] - g.top[length]
        most = max(most, growth)
        prize = max(prize, points)
    return points_of(t, s, me) + min(prize, assign_podiums(t, s, g, me, most))


@kernel
def upper_bound(t: Tables, s: State, g: SearchGround, me: int, turns: int, started: bool, more: int) -> int:
    """Gets an upper bound on the points of plans of `turns` further turns; `started` if a tile was just laid.

    `more` counts the extra tiles that have come before and have not been laid.
    """
    extras = 0
    if turns > 0:
        extras = more + (started and s.phase == EXTRA)
        extras += turns - 1  # what the last turn brings is never reached
    g.extras = extras
    spread(t, s, g, me, turns + extras)
    known = points_of(t, s, me)
    if turns == 0:
        return known + assign_podiums(t, s, g, me, 0)
    if turns == 1 and extras < COURSES:
        return last_turn_bound(t, s, g, me, started)
    return known + board_bound(t, s, g, me, turns + extras, 0)
