"""How much aqueducts can gain by passing squares together, at most: `courses` for those that share squares.

Bound to the kernel by `aquakit.jit.bind_fast`. Own aqueducts that grow fall into sets: those that share squares, with
one another or with one that does, belong together. Of two that share squares one is known: both pass it, by two sides
each. In a larger set each passes some square that another one could pass by the other two sides. If u aqueducts of a
set fill n squares, then no more than n + u - r - c of them are shared, and one more for each loose chain, where r and c
are the rows and columns that the squares lie in, as `crossings.count_crossings` tells. All sets together have the tiles
and the starts that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aquakit.jit import count_bits, kernel, lowest_bit
from aquakit.romana.kernel import NONE, State, Tables
from aquakit.romana.planner.courses import ANY, BY_STEPS, BY_TILES, NEVER
from aquakit.romana.planner.crossings import AROUND
from aquakit.romana.planner.ground import BARRED, COURSES, FAR, PAIRS, ROOM

if TYPE_CHECKING:
    from aquakit.romana.planner.courses import find_courses, measure_around, pair_of

NEEDED = ("find_courses", "measure_around", "pair_of")
"""What is used here of `courses`."""

DEEP = 3
"""The most aqueducts of a set whose courses are laid out together in all ways."""
ROW = (COURSES + 1) * BY_TILES
"""Places in the tables of one set: by starts and by tiles."""


@kernel
def find_passes(t: Tables, s: State, g: Any, n: int, tiles: int) -> None:
    """Notes in `through` how long each of the team can get if it passes a square by two sides, by tiles."""
    for i in range(n):
        field = i * t.squares
        for k in range(g.count):
            first = (field + g.region[k]) * PAIRS * BY_TILES
            for place in range(first, first + PAIRS * BY_TILES):
                g.through[place] = 0
        find_courses(g, i, 4 * s.face[g.team[i]] + s.entry[g.team[i]], tiles, field)
        for k in range(g.count):
            first = (field + g.region[k]) * PAIRS * BY_TILES
            for pair in range(first, first + PAIRS * BY_TILES, BY_TILES):
                for place in range(pair + 1, pair + tiles + 1):
                    g.through[place] = max(g.through[place], g.through[place - 1])


@kernel
def find_shares(t: Tables, s: State, g: Any, group: int, tiles: int) -> None:
    """Notes in `shares` how many squares a set can share by tiles; NONE if it cannot be one set with so few."""
    u = count_bits(group)
    meet = FAR
    rest = group
    while rest:
        meet = min(meet, g.meets[lowest_bit(rest)])
        rest &= rest - 1
    measure_around(t, s, g, group, tiles)
    for n in range(tiles + 1):
        around = g.around[n]
        if g.links > 0:
            around = min(around, AROUND[n] + 1)  # in several pieces, with a chain from one to the next
        shared = min(n + u - around + g.links, n - meet + 1)
        g.shares[n] = shared if n > 0 and shared > 0 else NONE


@kernel
def count_starts(g: Any, group: int, n: int, free: int) -> int:
    """Gets how many of a set must be given a start at least."""
    u = 0
    behind = 0
    rest = group
    while rest:
        i = lowest_bit(rest)
        rest &= rest - 1
        if (free >> g.team[i]) & 1 == 0:
            u += 1
            behind += g.behind[i] < n
    fewest = 1 if u == count_bits(group) else 0
    return max(fewest, u - min(behind, int(g.shares[n])))


@kernel
def length_of(s: State, g: Any, i: int) -> int:
    """Gets the length of one of the team, as far as it matters."""
    return min(int(s.length[s.tip[g.team[i]]]), ROOM // 2 - 1)


@kernel
def prize_of(g: Any, length: int, more: int) -> int:
    """Gets the highest podium that an aqueduct can get to if it grows."""
    return int(g.top[length + min(more, ROOM // 2)])


@kernel
def value_pair(t: Tables, s: State, g: Any, i: int, j: int, tiles: int, place: int) -> None:
    """Notes from a place on the most growth and points of two that share squares, by tiles."""
    one = length_of(s, g, i)
    other = length_of(s, g, j)
    for k in range(g.count):
        q = g.region[k]
        for pair in range(PAIRS):
            here = ((i * t.squares + q) * PAIRS + pair) * BY_TILES
            there = ((j * t.squares + q) * PAIRS + PAIRS - 1 - pair) * BY_TILES
            if g.through[here + tiles] == 0 or g.through[there + tiles] == 0:
                continue
            for n in range(1, tiles + 1):
                for a in range(1, n + 1):
                    b = min(n, n + g.shares[n] - a)
                    if g.shares[n] < 0 or b < 1:
                        continue
                    more = g.through[here + a]
                    yet_more = g.through[there + b]
                    if more > 0 and yet_more > 0:
                        g.surges[place + n] = max(g.surges[place + n], more + yet_more)
                        points = prize_of(g, one, more) + prize_of(g, other, yet_more)
                        g.awards[place + n] = max(g.awards[place + n], points)


@kernel
def find_meeting_courses(t: Tables, g: Any, n: int, tiles: int) -> None:
    """Notes in `mingled` how long each of the team can get if it passes a square that another one could pass too."""
    for i in range(n):
        for k in range(tiles + 1):
            g.mingled[i * BY_TILES + k] = 0
        for k in range(g.count):
            q = g.region[k]
            for pair in range(PAIRS):
                here = ((i * t.squares + q) * PAIRS + pair) * BY_TILES
                if g.through[here + tiles] == 0:
                    continue
                met = False
                for j in range(n):
                    there = ((j * t.squares + q) * PAIRS + PAIRS - 1 - pair) * BY_TILES
                    met = met or (j != i and g.through[there + tiles] > 0)
                if met:
                    for a in range(1, tiles + 1):
                        place = i * BY_TILES + a
                        g.mingled[place] = max(g.mingled[place], g.through[here + a])


@kernel
def value_set(s: State, g: Any, group: int, tiles: int, place: int) -> None:
    """Notes from a place on the most growth and points of three or more that share squares, by tiles."""
    for n in range(1, tiles + 1):
        if g.shares[n] < 0:
            continue
        room = min(2 * tiles, n + g.shares[n])
        for k in range(room + 1):
            g.shared[k] = 0
            g.prized[k] = 0
        rest = group
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            length = length_of(s, g, i)
            for k in range(room, -1, -1):
                growth = NEVER
                points = NEVER
                for a in range(1, min(n, k) + 1):
                    more = g.mingled[i * BY_TILES + a]
                    if more > 0:
                        growth = max(growth, more + g.shared[k - a])
                        points = max(points, prize_of(g, length, more) + g.prized[k - a])
                g.shared[k] = growth
                g.prized[k] = points
        g.surges[place + n] = g.shared[room]
        g.awards[place + n] = g.prized[room]


@kernel
def value_one(s: State, g: Any, i: int, tiles: int, place: int) -> None:
    """Notes from a place on the most growth and points of one that shares no square, by tiles."""
    for n in range(1, tiles + 1):
        more = g.course[(5 * i + ANY) * BY_TILES + n]
        if more > 0:
            g.surges[place + n] = more
            g.awards[place + n] = prize_of(g, length_of(s, g, i), more)


@kernel
def value_sets(t: Tables, s: State, g: Any, n: int, tiles: int, free: int) -> None:
    """Works out for each set what it can reach and the starts that it needs, by tiles."""
    if n > 2:
        find_meeting_courses(t, g, n, tiles)
    for group in range(1, 1 << n):
        place = group * BY_TILES
        for k in range(tiles + 1):
            g.surges[place + k] = NEVER
            g.awards[place + k] = NEVER
            g.begins[place + k] = FAR
        one = lowest_bit(group)
        if group & ~g.kin[one]:
            continue
        others = group & (group - 1)
        if others == 0:
            value_one(s, g, one, tiles, place)
            for k in range(1, tiles + 1):
                g.begins[place + k] = 1 - ((free >> g.team[one]) & 1)
            continue
        find_shares(t, s, g, group, tiles)
        if others & (others - 1) == 0:
            value_pair(t, s, g, one, lowest_bit(others), tiles, place)
        else:
            value_set(s, g, group, tiles, place)
        for k in range(1, tiles + 1):
            if g.shares[k] > 0:
                g.begins[place + k] = count_starts(g, group, k, free)


@kernel
def add_set(g: Any, group: int, before: int, after: int, tiles: int, starts: int) -> None:
    """Adds a set to what others can reach, by starts and by tiles, if that makes more."""
    for i in range(1, tiles + 1):
        growth = g.surges[group * BY_TILES + i]
        if growth < 0:
            continue
        points = g.awards[group * BY_TILES + i]
        for j in range(g.begins[group * BY_TILES + i], starts + 1):
            old = before * ROW + (j - g.begins[group * BY_TILES + i]) * BY_TILES
            new = after * ROW + j * BY_TILES
            for k in range(i, tiles + 1):
                g.heaps[new + k] = max(g.heaps[new + k], growth + g.heaps[old + k - i])
                g.wealth[new + k] = max(g.wealth[new + k], points + g.wealth[old + k - i])


@kernel
def join_sets(s: State, g: Any, n: int, tiles: int, starts: int) -> int:
    """Works out the most growth and points of the team of so many; gets the place of both in `heaps` and `wealth`."""
    for place in range(ROW):
        g.heaps[place] = 0
        g.wealth[place] = 0
    for group in range(1, 1 << n):
        one = lowest_bit(group)
        others = group & (group - 1)
        stays = prize_of(g, length_of(s, g, one), 0)
        for j in range(starts + 1):
            for k in range(tiles + 1):
                g.heaps[group * ROW + j * BY_TILES + k] = g.heaps[others * ROW + j * BY_TILES + k]
                g.wealth[group * ROW + j * BY_TILES + k] = g.wealth[others * ROW + j * BY_TILES + k] + stays
        subset = others
        while True:
            add_set(g, subset | (1 << one), others & ~subset, group, tiles, starts)
            if subset == 0:
                break
            subset = (subset - 1) & others
    return ((1 << n) - 1) * ROW + starts * BY_TILES + tiles


# Laying out the courses of a set in all ways


@kernel
def expect_later(s: State, g: Any, u: int, tiles: int) -> None:
    """Notes in `later` the most points for those of a set after each one, by the tiles that they pass."""
    room = 2 * tiles
    for k in range(room + 1):
        g.later[(u - 1) * BY_STEPS + k] = 0
    for m in range(u - 2, -1, -1):
        i = g.chosen[m + 1]
        length = length_of(s, g, i)
        for k in range(room + 1):
            most = NEVER
            for a in range(1, min(k, tiles) + 1):
                here = prize_of(g, length, g.course[(5 * i + ANY) * BY_TILES + a])
                most = max(most, here + g.later[(m + 1) * BY_STEPS + k - a])
            g.later[m * BY_STEPS + k] = most


@kernel
def is_promising(g: Any, m: int, laid: int, points: int, tiles: int) -> bool:
    """Checks whether those after the m-th of a set could bring enough, with so many tiles laid and points made."""
    for n in range(laid, tiles + 1):
        if g.shares[n] > 0:
            room = min(2 * tiles, n - laid + g.shares[n])
            if points + g.later[m * BY_STEPS + room] >= g.wanted[n]:
                return True
    return False


@kernel
def can_share(t: Tables, g: Any, j: int, length: int, depth: int, laid: int, points: int, tiles: int) -> bool:
    """Checks whether the last of a set could bring enough by a course that shares a square with those laid out.

    Those go down to a depth, with so many tiles laid and points made.
    """
    for i in range(depth + 1):
        q = g.trail[i] >> 2
        if g.passed[q] == 15:
            continue
        pair = pair_of(g.trail[i] & 3, (g.turn[i] - 1) >> 1)
        place = ((j * t.squares + q) * PAIRS + PAIRS - 1 - pair) * BY_TILES
        for n in range(laid, tiles + 1):
            more = g.through[place + min(n, n + g.shares[n] - laid)] if g.shares[n] > 0 else 0
            if more > 0 and points + prize_of(g, length, more) >= g.wanted[n]:
                return True
    return False


@kernel
def are_at_hand(g: Any, laid: int, plain: int, bridges: int, twists: int) -> bool:
    """Checks whether there can be so many tiles, some without curves, with bridges and double curves among them.

    Kinds are counted as letters are: curve, straight, bridge, double curve.
    """
    more_bridges = max(0, bridges - g.ready_tiles[2])
    more_twists = max(0, twists - g.ready_tiles[3])
    straight = plain - bridges - g.ready_tiles[1] - max(0, g.ready_tiles[2] - bridges)
    curved = laid - plain - twists - g.ready_tiles[0] - max(0, g.ready_tiles[3] - twists)
    return bool(more_bridges + more_twists + max(0, straight) + max(0, curved) <= g.other_tiles)


@kernel
def lay_out(t: Tables, s: State, g: Any, u: int, tiles: int) -> bool:
    """Checks whether the courses of a set can bring the points that are wanted, by trying all of them together."""
    expect_later(s, g, u, tiles)
    depth = 0
    a = g.team[g.chosen[0]]
    g.trail[0] = 4 * s.face[a] + s.entry[a]
    g.turn[0] = 0
    g.whose[0] = 0
    g.spent[0] = 0
    g.plain[0] = 0
    g.bridges[0] = 0
    g.twists[0] = 0
    g.gained[0] = 0
    g.earned[0] = 0
    found = False
    while depth >= 0:
        port = g.trail[depth]
        q = port >> 2
        step = g.turn[depth]
        side = step >> 1
        m = g.whose[depth]
        if step == 0:
            # By this side it comes in; who passed the square before must have left it free.
            if (g.passed[q] >> (port & 3)) & 1 or found:
                depth -= 1
                continue
            g.passed[q] |= 1 << (port & 3)
        elif step & 1 == 0:
            g.passed[q] &= ~(1 << (side - 1))  # the side that was taken last
        if step & 1 == 0:
            while side < 4 and ((g.passed[q] >> side) & 1 or g.go[4 * q + side] == BARRED):
                side += 1
        if side == 4 or (found and step & 1 == 0):
            g.passed[q] &= ~(1 << (port & 3))
            depth -= 1
            continue
        out = 4 * q + side
        fresh = count_bits(g.passed[q] & ~(1 << side)) == 1
        laid = g.spent[depth] + fresh
        straight = (port & 3) ^ side == 2
        plain = g.plain[depth] + (fresh and straight)
        bridges = g.bridges[depth] + (straight and not fresh)
        twists = g.twists[depth] + (not straight and not fresh)
        gained = g.gained[depth] + g.gain[out]
        allowed = laid <= tiles and laid - plain <= g.bends[plain] and are_at_hand(g, laid, plain, bridges, twists)
        onward = NONE
        if step & 1 == 0:
            g.passed[q] |= 1 << side
            g.turn[depth] = 2 * side + 1
            if not allowed:
                continue
            points = g.earned[depth] + prize_of(g, length_of(s, g, g.chosen[m]), gained)
            if m == u - 1:
                found = points >= g.wanted[laid]
            elif is_promising(g, m, laid, points, tiles):
                j = g.chosen[m + 1]
                if m == u - 2 and not can_share(t, g, j, length_of(s, g, j), depth, laid, points, tiles):
                    continue
                a = g.team[j]
                onward = 4 * s.face[a] + s.entry[a]
                g.whose[depth + 1] = m + 1
                g.gained[depth + 1] = 0
                g.earned[depth + 1] = points
        else:
            g.turn[depth] = 2 * side + 2
            if not allowed or found:
                continue
            onward = g.go[out]
            g.whose[depth + 1] = m
            g.gained[depth + 1] = gained
            g.earned[depth + 1] = g.earned[depth]
        if onward >= 0 and (laid < tiles or g.passed[onward >> 2] != 0):
            depth += 1
            g.trail[depth] = onward
            g.turn[depth] = 0
            g.spent[depth] = laid
            g.plain[depth] = plain
            g.bridges[depth] = bridges
            g.twists[depth] = twists
    return found


@kernel
def want(g: Any, group: int, n: int, tiles: int, starts: int, need: int) -> bool:
    """Notes the points that a set needs, by tiles; says whether its own bound allows them."""
    place = group * BY_TILES
    others = (((1 << n) - 1) & ~group) * ROW
    allowed = False
    for k in range(tiles + 1):
        g.wanted[k] = FAR
        if g.awards[place + k] >= 0 and g.begins[place + k] <= starts:
            g.wanted[k] = need - g.wealth[others + (starts - g.begins[place + k]) * BY_TILES + tiles - k]
            allowed = allowed or g.awards[place + k] >= g.wanted[k]
    return allowed


@kernel
def lay_out_sets(t: Tables, s: State, g: Any, n: int, tiles: int, starts: int, need: int) -> bool:
    """Checks, after `join_sets`, whether some set of two or three could bring enough when its courses are laid out.

    What sets that cannot are worth at most is noted.
    """
    for group in range(3, 1 << n):
        u = count_bits(group)
        if u < 2 or u > DEEP or not want(g, group, n, tiles, starts, need):
            continue
        find_shares(t, s, g, group, tiles)
        m = 0
        rest = group
        while rest:
            g.chosen[m] = lowest_bit(rest)
            rest &= rest - 1
            m += 1
        if lay_out(t, s, g, u, tiles):
            return True
        for k in range(1, tiles + 1):
            place = group * BY_TILES + k
            g.awards[place] = min(g.awards[place], g.wanted[k] - 1)
    return False
