"""An upper bound on the growth of each own aqueduct with a few more tiles: every course that it can take is tried.

A course lays a tile on each empty square that it comes to, goes along loose chains, and passes a square a second time,
for nothing, by the two sides that the first pass left. Builders are left aside. Extra tiles are of the kinds of earlier
own tiles, so with few turns left not every course can be laid.

Of several aqueducts, those that cannot come to one square do not share any. In a group that may, and that fills n
squares, `most_shared` tells how many of them two can pass, and so do the rows and columns that they lie in, as in
`crossings`; nor are there more steps than that, but for those along loose chains. And each that grows must be given a
start by an own tile, unless it follows another to a square that both pass.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import count_bits, lowest_bit
from aquakit.compiled.jit import inlined, kernel
from aquakit.romana.kernel import EMPTY, NONE, State, Tables
from aquakit.romana.planner.exact.bound.reachable import COURSES, FAR, ROOM, SPOTS, SearchGround, find_rings

BY_TILES = COURSES + 1
BY_STEPS = 2 * COURSES + 1
"""Places in the tables of one aqueduct."""
EVERY_SIDE = 15
"""All sides of a square, a bit for each."""
NEVER = -1000
"""Fewer points than anything can cost."""


# Which may share squares


@kernel
def find_team(t: Tables, s: State, g: SearchGround, me: int) -> int:
    """Notes which own aqueducts can grow; one more than SPOTS if there are too many."""
    n = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        if s.face[a] >= 0 and s.tile[s.face[a]] == EMPTY:
            if n == SPOTS:
                return SPOTS + 1
            g.team[n] = a
            n += 1
    return n


@kernel
def measure_from(g: SearchGround, field: int, start: int, tiles: int) -> None:
    """Notes, from a place in `far` on, how soon each square can be faced by one that faces the first now.

    It uses the queue of `spread`, which cannot go on afterwards.
    """
    for i in range(g.count):
        g.far[field + g.region[i]] = FAR
    g.far[field + start] = 0
    g.queue[0] = start
    head = 0
    tail = 1
    while head < tail:
        q = g.queue[head]
        head += 1
        level = g.far[field + q]
        if level + 1 >= tiles:
            return
        for out in range(4 * q, 4 * q + 4):
            if g.go[out] >= 0 and g.far[field + (g.go[out] >> 2)] == FAR:
                g.far[field + (g.go[out] >> 2)] = level + 1
                g.queue[tail] = g.go[out] >> 2
                tail += 1


@kernel
def join_kin(g: SearchGround, i: int, j: int) -> None:
    """Notes that two may pass a square together."""
    joined = g.kin[i] | g.kin[j]
    rest = joined
    while rest:
        g.kin[lowest_bit(rest)] = joined
        rest &= rest - 1


@kernel
def measure_meetings(t: Tables, s: State, g: SearchGround, n: int, tiles: int) -> bool:
    """Sees which of the team may pass one square with `tiles` tiles, and how soon; tells whether any may."""
    found = False
    for i in range(n):
        g.kin[i] = 1 << i
        g.meets[i] = FAR
        g.behind[i] = FAR
        measure_from(g, i * t.squares, s.face[g.team[i]], tiles)
    for i in range(1, n):
        for j in range(i):
            soonest = FAR
            for k in range(g.count):
                q = g.region[k]
                soonest = min(soonest, 1 + g.far[i * t.squares + q] + g.far[j * t.squares + q])
            if soonest > tiles:
                continue
            found = True
            join_kin(g, i, j)
            g.meets[i] = min(g.meets[i], soonest)
            g.meets[j] = min(g.meets[j], soonest)
            g.behind[i] = min(g.behind[i], g.far[j * t.squares + s.face[g.team[i]]])
            g.behind[j] = min(g.behind[j], g.far[i * t.squares + s.face[g.team[j]]])
    return found


@kernel
def count_wide(g: SearchGround, tiles: int) -> int:
    """Gets how many squares are to be reckoned with: those of some tiles, and of loose chains if these are not long."""
    return min(tiles + int(g.chained[tiles]), 2 * COURSES)


@kernel
def measure_around(t: Tables, s: State, g: SearchGround, group: int, squares: int) -> None:
    """Notes in `around` the rows and columns of one piece in which all of a group begin, by its squares.

    It takes up those that the squares span which they face, and as many as its squares need.
    """
    west = north = FAR
    east = south = 0
    while group:
        q = s.face[g.team[lowest_bit(group)]]
        group &= group - 1
        west = min(west, t.sight[4 * q])
        east = max(east, t.sight[4 * q])
        north = min(north, t.sight[4 * q + 1])
        south = max(south, t.sight[4 * q + 1])
    width = east - west + 1
    height = south - north + 1
    fewest = width + height - 1
    for n in range(squares + 1):
        g.around[n] = FAR
        if n >= fewest:
            while width * height < n:
                if width < height:
                    width += 1
                else:
                    height += 1
            g.around[n] = width + height


@kernel
def measure_pieces(t: Tables, s: State, g: SearchGround, group: int, squares: int) -> None:
    """Sees how many squares in one piece can be passed twice if some of a group begin there, as `crossings` has it."""
    for i in range((count_bits(group) + 1) * BY_STEPS):
        g.piece[i] = NONE
    subset = group
    while subset:
        u = count_bits(subset)
        measure_around(t, s, g, subset, squares)
        for n in range(1, squares + 1):
            i = u * BY_STEPS + n
            g.piece[i] = max(g.piece[i], NONE, n + u - g.around[n])
        subset = (subset - 1) & group


@kernel
def count_twofold(t: Tables, s: State, g: SearchGround, group: int, squares: int) -> None:
    """Notes in `twofold` an upper bound on the squares passed twice, but for loose chains, by how many of a group grow
    over how many squares."""
    size = count_bits(group)
    measure_pieces(t, s, g, group, squares)
    for i in range((size + 1) * BY_STEPS):
        g.twofold[i] = 0
    for u in range(1, size + 1):
        for n in range(1, squares + 1):
            most = g.twofold[(u - 1) * BY_STEPS + n]
            for v in range(1, u + 1):
                for k in range(1, n + 1):
                    here = g.piece[v * BY_STEPS + k]
                    if here > 0:
                        most = max(most, here + g.twofold[(u - v) * BY_STEPS + n - k])
            g.twofold[u * BY_STEPS + n] = most


# Which tiles there can be


@kernel
def allow_all_kinds(g: SearchGround) -> None:
    """Lets courses be made of tiles of all kinds."""
    for i in range(COURSES + 1):
        g.bends[i] = COURSES


@kernel
def allow_kinds(g: SearchGround, turns: int, credit: int, wait: int) -> None:
    """Lets courses be made only of such tiles as there can be in `turns` turns.

    `credit` counts extra tiles of each kind that earlier turns may have brought, in eight bits each. Each own tile but
    the last, and but for those that are to wait, may bring another one of its kind.
    """
    curved = (credit & 255) + ((credit >> 24) & 255)
    straight = ((credit >> 8) & 255) + ((credit >> 16) & 255)
    more = max(0, turns - 1 - wait)
    for i in range(COURSES + 1):
        most = NONE
        for own in range(turns + 1):
            for brought in range(min(own, more) + 1):
                if i <= straight + own + brought:
                    most = max(most, curved + turns - own + min(turns - own, more - brought))
        g.bends[i] = min(most, COURSES)


@kernel
def allow_extras(g: SearchGround, credit: int, straight: bool) -> None:
    """Lets courses be made of one own tile, which is left straight on or not, and then of the extra tiles at hand."""
    curved = (credit & 255) + ((credit >> 24) & 255)
    more = ((credit >> 8) & 255) + ((credit >> 16) & 255)
    for i in range(COURSES + 1):
        g.bends[i] = min(curved + (not straight), COURSES) if i <= more + straight else NONE


# How long each can get


@inlined
def begin_course(g: SearchGround, into: int, sides: int) -> None:
    """Begins with the square that a port leads into; it is left by one of some sides."""
    g.way[0] = into
    g.gone[0] = 1 << (into & 3)
    g.left[0] = g.ways[into >> 2] & ~g.gone[0] & sides
    g.laid[0] = 1
    g.paces[0] = 1
    g.straight[0] = 0
    g.grown[0] = 0


@inlined
def extend_course(g: SearchGround, course: int, stride: int, depth: int, tiles: int, unfaced: bool) -> int:
    """Leaves the last square of the course at hand by the next side, and notes how long it is then.

    Gets the depth of the square that it comes to, or the same as before if it ends there.
    """
    port = g.way[depth]
    q = port >> 2
    gone = g.gone[depth]
    side = lowest_bit(g.left[depth])
    g.left[depth] &= g.left[depth] - 1
    g.passed[q] = gone | (1 << side)
    out = 4 * q + side
    laid = g.laid[depth]
    straight = g.straight[depth]
    if gone & (gone - 1) == 0:  # a tile is laid there
        straight += (port & 3) ^ side == 2
        if laid - straight > g.bends[straight]:
            return depth
    paces = g.paces[depth]
    grown = g.grown[depth] + g.gain[out]
    g.course[course + laid] = max(g.course[course + laid], grown)
    g.stride[stride + paces] = max(g.stride[stride + paces], grown)
    onward = g.go[out]
    if onward < 0:
        return depth
    passed = g.passed[onward >> 2]
    if passed == 0:
        if laid >= tiles or (unfaced and g.ways[onward >> 2] != EVERY_SIDE):
            return depth
        laid += 1
    elif (passed >> (onward & 3)) & 1:
        return depth
    depth += 1
    g.way[depth] = onward
    g.gone[depth] = passed | (1 << (onward & 3))
    g.left[depth] = g.ways[onward >> 2] & ~g.gone[depth]
    g.laid[depth] = laid
    g.paces[depth] = paces + (g.gain[out] == 1)
    g.straight[depth] = straight
    g.grown[depth] = grown
    return depth


@kernel
def find_courses(g: SearchGround, member: int, into: int, sides: int, tiles: int, unfaced: bool) -> None:
    """Notes the most growth, in squares, of one of the team from the port by which it enters: by tiles, and by steps.

    Needs `spread` to at least `tiles` squares. All courses are tried, depth first, one side after the other; the first
    square is left by one of some sides. `unfaced` if all others must be such as no aqueduct's end faces.
    """
    course = member * BY_TILES
    stride = member * BY_STEPS
    for k in range(tiles + 1):
        g.course[course + k] = 0
    for k in range(2 * tiles + 1):
        g.stride[stride + k] = 0
    begin_course(g, into, sides)
    depth = 0
    while depth >= 0:
        if g.left[depth]:
            depth = extend_course(g, course, stride, depth, tiles, unfaced)
        else:
            port = g.way[depth]
            g.passed[port >> 2] = g.gone[depth] & ~(1 << (port & 3))
            depth -= 1
    # More tiles and steps are no worse than fewer.
    for k in range(1, tiles + 1):
        g.course[course + k] = max(g.course[course + k], g.course[course + k - 1])
    for k in range(1, 2 * tiles + 1):
        g.stride[stride + k] = max(g.stride[stride + k], g.stride[stride + k - 1])


@kernel
def add_courses(
    g: SearchGround, course: Any, first: int, most: int, length: int, sums: Any, prizes: Any, room: int, u: int
) -> None:
    """Adds the courses of the u-th aqueduct, from `first` in a table on, to those of others, by what all take.

    It may stay as it is. What all can reach is noted by how many of them grow.
    """
    for j in range(u, -1, -1):
        row = j * BY_STEPS
        before = row - BY_STEPS
        for k in range(room, -1, -1):
            grown = NEVER
            prize = NEVER
            if j < u:
                grown = sums[row + k]
                prize = prizes[row + k] + g.top[length]
            if before >= 0:
                for i in range(1, min(k, most) + 1):
                    more = course[first + i]
                    grown = max(grown, more + sums[before + k - i])
                    prize = max(prize, g.top[length + min(more, ROOM // 2)] + prizes[before + k - i])
            sums[row + k] = grown
            prizes[row + k] = prize


@kernel
def sum_up_group(s: State, g: SearchGround, group: int, tiles: int, room: int) -> None:
    """Works out the most growth and points of a group, by how many of it grow, up to some passes of tiles."""
    for k in range(room + 1):
        g.shared[k] = 0
        g.prized[k] = 0
        g.trodden[k] = 0
        g.valued[k] = 0
    u = 0
    alone = group & (group - 1) == 0
    while group:
        i = lowest_bit(group)
        group &= group - 1
        length = min(s.length[s.tip[g.team[i]]], ROOM // 2 - 1)
        u += 1
        add_courses(g, g.course, i * BY_TILES, tiles, length, g.shared, g.prized, room, u)
        if not alone:
            add_courses(g, g.stride, i * BY_STEPS, room, length, g.trodden, g.valued, room, u)


@kernel
def most_shared(g: SearchGround, squares: int, meet: int, grow: int) -> int:
    """Gets an upper bound on the squares that two aqueducts share, of `squares` filled ones, if `grow` of them grow.

    Two of them need at least `meet` filled squares to come to the same one.

    Squares and what joins them, sides and loose chains, are a graph, and each join serves once. If n squares hang
    together, have n - 1 + c joins and u aqueducts begin there, there are n + c + u - 1 passes at most. The shortest way
    from one to another has at least `meet` squares and no shorter way between any two. One more is joined to two of
    them at most, or to three if that makes two rings of three; and the next one to the one before, too.
    """
    more = squares - meet
    if more < 0:
        return 0
    if more > 2 or squares >= g.pair:
        return squares
    if more == 0:
        return 1
    rings = bool(squares >= g.rings)
    if more == 1:
        return min(squares, grow + rings)
    return squares if rings else min(squares, grow + 2)


@kernel
def bound_group(g: SearchGround, group: int, tiles: int, starts: int) -> None:
    """Works out in `surge` and `yields` upper bounds on a group's growth and points, by its starts and by tiles."""
    row = tiles + 1
    wide = count_wide(g, tiles)
    size = count_bits(group)
    for n in range(1, row):
        meet = FAR
        behind = 0
        rest = group
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            meet = min(meet, g.meets[i])
            behind += g.behind[i] < n
        together = most_shared(g, n, meet, size)
        for begin in range(starts + 1):
            growth = NEVER
            points = NEVER
            for j in range(min(size, begin + min(together, behind)) + 1):
                twofold = g.twofold[j * BY_STEPS + n]
                shared = min(most_shared(g, n, meet, j), twofold + g.links[n]) if j > 1 else 0
                if n + g.chained[n] <= wide:
                    shared = min(shared, g.twofold[j * BY_STEPS + n + g.chained[n]])
                if j > begin + shared:
                    break
                by_tiles = j * BY_STEPS + n + shared
                more = g.shared[by_tiles]
                prize = g.prized[by_tiles]
                if size > 1:
                    by_steps = j * BY_STEPS + min(2 * tiles, n + twofold)
                    more = min(more, g.trodden[by_steps])
                    prize = min(prize, g.valued[by_steps])
                growth = max(growth, more)
                points = max(points, prize)
            g.surge[begin * row + n] = growth
            g.yields[begin * row + n] = points


@kernel
def add_group(g: SearchGround, tiles: int, starts: int, most: int) -> None:
    """Adds a group with `most` starts to all before it, which may be left as it is or grow, by starts and by tiles."""
    row = tiles + 1
    for j in range(starts, -1, -1):
        for n in range(tiles, -1, -1):
            growth = g.total[j * row + n] + g.shared[0]
            points = g.prize[j * row + n] + g.prized[0]
            for begin in range(min(j, most) + 1):
                for i in range(1, n + 1):
                    place = (j - begin) * row + n - i
                    growth = max(growth, g.surge[begin * row + i] + g.total[place])
                    points = max(points, g.yields[begin * row + i] + g.prize[place])
            g.total[j * row + n] = growth
            g.prize[j * row + n] = points


@kernel
def sum_up_all(t: Tables, s: State, g: SearchGround, n: int, tiles: int, starts: int) -> None:
    """Works out upper bounds on the growth and the points of a team of n, last in `total` and `prize`."""
    for i in range((starts + 1) * (tiles + 1)):
        g.total[i] = 0
        g.prize[i] = 0
    rest = (1 << n) - 1
    while rest:
        group = g.kin[lowest_bit(rest)]
        rest &= ~group
        room = tiles
        if group & (group - 1):
            count_twofold(t, s, g, group, count_wide(g, tiles))
            twofold = g.twofold[count_bits(group) * BY_STEPS + tiles]
            room = min(2 * tiles, tiles + twofold + g.links[tiles])
        sum_up_group(s, g, group, tiles, room)
        most = min(starts, count_bits(group))
        bound_group(g, group, tiles, most)
        add_group(g, tiles, starts, most)


@kernel
def find_all_courses(t: Tables, s: State, g: SearchGround, me: int, tiles: int) -> int:
    """Finds the courses of all own aqueducts that can grow, after `spread`; counts them, SPOTS at most."""
    n = find_team(t, s, g, me)
    if n <= SPOTS:
        if measure_meetings(t, s, g, n, tiles):
            find_rings(g)
        for i in range(n):
            find_courses(g, i, 4 * s.face[g.team[i]] + s.entry[g.team[i]], EVERY_SIDE, tiles, False)
    return n
