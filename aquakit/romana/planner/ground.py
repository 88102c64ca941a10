"""How far water can come on a board, and the points that no plan can exceed: the bound of the planner's search.

Bound to the kernel by `aquakit.jit.bind_fast`. Every own aqueduct is given the best walk over empty squares and loose
chains, with no regard to builders and kinds. The walks' steps are shared out among the aqueducts, and so is their total
growth among the podiums that are free; the smaller sum is the bound.

A walk costs one tile a step, but a tile with two segments may serve two steps. `count_crossings` limits how often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from aquakit.jit import Ints, Struct, kernel, lowest_bit
from aquakit.romana.kernel import EMPTY, EXTRA, NONE, State, Tables

if TYPE_CHECKING:
    from aquakit.romana.kernel import offered, sees

NEEDED = ("sees", "offered")
"""What of the kernel is used here."""

FAR = 9999
DEAD, BARRED = -1, -2
DEEPEST = 30
"""The most tiles that the bound reckons with; beyond them it says nothing."""
STEPS = 40
"""The most steps of walks; beyond them the bound says nothing."""
MOST = 24
"""The most aqueducts of a layout."""
SPOTS = 6
"""So many aqueducts are looked at in all ways in which some of them could meet."""
ROOM = 128
"""More growth than this never matters: the highest podium is far below."""
AROUND = (0, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11)
"""The fewest rows and columns, counted together, in which so many squares lie."""
MIX = 0x1E3779B97F4A7C15


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
    links: Annotated[int, "i4"]
    """Loose chains that lead from one of those squares to another."""
    strung: Annotated[int, "i4"]
    """By how much all loose chains together can make aqueducts longer."""
    spot: Annotated[Ints, "i4", 2 * SPOTS]
    """Columns and rows of the squares that own aqueducts face."""
    span: Annotated[Ints, "i4", SPOTS + 1]
    """The fewest columns and rows that so many of them lie in."""
    near: Annotated[Ints, "i4", SPOTS]
    """The fewest columns and rows that each of them lies in together with another one, the nearest first."""
    spare: Annotated[Ints, "i4", 128]
    ahead: Annotated[Ints, "i4", 128]
    """Builders that can pass a fountain, on all sides so far and on one, by the free squares to be filled before."""
    walk: Annotated[Ints, "i2", "walks"]
    """The best growth from a port, by steps."""
    own: Annotated[Ints, "i2", STEPS + 1]
    sum: Annotated[Ints, "i2", STEPS + 1]
    value: Annotated[Ints, "i2", STEPS + 1]
    """The best growth of one aqueduct and of all so far, and the most points for all so far, by steps."""
    top: Annotated[Ints, "i2", ROOM]
    """The highest free podium that an aqueduct of some length gets to."""
    worth: Annotated[Ints, "i4", (MOST + 1) * ROOM]
    sorted: Annotated[Ints, "i2", MOST]


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
    count_links(g)


@kernel
def count_links(g: Any) -> None:
    """Counts the loose chains that water can get to, and adds up their lengths."""
    ends = 0
    strung = 0
    for i in range(g.count):
        q = g.region[i]
        if g.level[q] >= g.reach:
            break
        for out in range(4 * q, 4 * q + 4):
            if g.gain[out] == 1 or g.go[out] == BARRED:
                continue
            onward = g.go[out]
            if onward >= 0 and g.level[onward >> 2] < g.reach:
                ends += 1  # it is come upon from its other end too
                strung += g.gain[out] - 1
            else:
                strung += 2 * (g.gain[out] - 1)
    g.links = (ends + 1) >> 1
    g.strung = (strung + 1) >> 1


# How many squares can be passed twice


@kernel
def find_spots(t: Tables, s: State, g: Any, me: int) -> int:
    """Notes the column and row of each square that an own aqueduct faces; one more than SPOTS if there are too many."""
    n = 0
    rest = s.open & t.mine[me]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        if n == SPOTS:
            return SPOTS + 1
        # What it sees to the north and to the east says where it lies.
        g.spot[2 * n] = t.sight[4 * q]
        g.spot[2 * n + 1] = t.sight[4 * q + 1]
        n += 1
    return n


@kernel
def measure_spans(g: Any, n: int) -> None:
    """Finds in how few columns and rows some of the spots lie, by how many they are, and each one with another."""
    for i in range(SPOTS):
        g.near[i] = FAR
        g.span[i + 1] = FAR
    for subset in range(3, 1 << n):
        west = north = FAR
        east = south = 0
        u = 0
        rest = subset
        while rest:
            i = lowest_bit(rest)
            rest &= rest - 1
            u += 1
            west = min(west, g.spot[2 * i])
            east = max(east, g.spot[2 * i])
            north = min(north, g.spot[2 * i + 1])
            south = max(south, g.spot[2 * i + 1])
        span = east - west + south - north + 2
        g.span[u] = min(g.span[u], span)
        if u == 2:
            one = lowest_bit(subset)
            other = lowest_bit(subset & (subset - 1))
            g.near[one] = min(g.near[one], span)
            g.near[other] = min(g.near[other], span)
    for i in range(1, n):
        value = g.near[i]
        j = i
        while j > 0 and g.near[j - 1] > value:
            g.near[j] = g.near[j - 1]
            j -= 1
        g.near[j] = value


@kernel
def crossed(g: Any, u: int, tiles: int, which: int) -> int:
    """Gets how many of the tiles in one piece can be passed twice if so many aqueducts begin in it."""
    around: int = max(AROUND[tiles], g.span[u], g.near[2 * which - 1])
    return max(0, tiles + u - around)


@kernel
def count_crossings(t: Tables, s: State, g: Any, me: int, tiles: int, enough: int) -> int:
    """Gets how many of some tiles can be passed twice, at most; no more than is enough to know.

    Take the filled squares that own aqueducts pass, in pieces that hang together. An aqueduct that makes p steps goes
    p - 1 times from one to the next, each time over another side between two of them, or along a loose chain. A piece
    of n squares in r rows and c columns has at most 2n - r - c such sides. So if u aqueducts begin in a piece and make
    n + d steps there, d is at most n + u - r - c, and one more for each chain. There are at least as many rows and
    columns as n squares take up, and as the u squares span that the aqueducts face. Of several pieces with two or more
    aqueducts each, ordered by what they span, the j-th spans no less than the 2j-th nearest aqueduct is away from
    another. Pieces with one aqueduct each are not better than one such piece, nor than a larger one with more.
    """
    n = find_spots(t, s, g, me)
    if n > SPOTS:
        return enough
    most = tiles + 1 - AROUND[tiles]
    if most + g.links >= enough:
        return enough
    if n > 1:
        measure_spans(g, n)
    for u in range(2, n + 1):
        most = max(most, crossed(g, u, tiles, 1))
        for v in range(2, n - u + 1):
            for part in range(1, tiles):
                most = max(most, crossed(g, u, part, 1) + crossed(g, v, tiles - part, 2))
    if n == 6:
        for part in range(1, tiles - 1):
            for more in range(1, tiles - part):
                rest = tiles - part - more
                most = max(most, crossed(g, 2, part, 1) + crossed(g, 2, more, 2) + crossed(g, 2, rest, 3))
    links: int = g.links
    return min(enough, most + links)


# How many extra tiles can come


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
def count_passers(t: Tables, s: State, g: Any, most: int, passes: int) -> None:
    """Counts the builders that can come past a fountain once some free squares are filled, up to so many.

    A builder that comes past fills a free square too, at the start of the next side, and can pass the next fountain.
    """
    for fills in range(most + 1):
        g.spare[fills] = 0
    for side in range(4):
        free = 0
        for fills in range(most + 1):
            g.ahead[fills] = 0
        for p in range(t.path - 1, -1, -1):
            if t.side[p] == side:
                if s.path[p] < 0:
                    free += 1
                elif free <= most:
                    g.ahead[free] += 1
        for fills in range(1, most + 1):
            g.ahead[fills] += g.ahead[fills - 1]
        for fills in range(max(free - passes + 1, 0), most + 1):
            g.ahead[fills] = FAR
        for fills in range(most, -1, -1):
            best = 0
            for here in range(fills + 1):
                best = max(best, g.spare[fills - here] + g.ahead[here])
            g.spare[fills] = best


@kernel
def passes_at_once(t: Tables, s: State, me: int, started: bool) -> bool:
    """Checks whether a builder that the player can use next stands right before a fountain."""
    free = 0
    for p in range(t.path - 1, -1, -1):
        if p == t.path - 1 or t.side[p] != t.side[p + 1]:
            free = 0
        if s.path[p] < 0:
            free += 1
        elif free == 0 and (started or in_own_sight(t, s, me, p)):
            return True
    return False


@kernel
def count_extras(t: Tables, s: State, g: Any, me: int, turns: int, started: bool) -> int:
    """Counts the extra tiles that can come in so many turns and still be reached before they end, at most.

    The last turn's extra tile is never reached. A builder comes past a fountain only when no free square is left before
    it. Each turn fills one free square at most, unless it is itself one in which a fountain is passed; a builder from
    the hand or the reserve fills one more, and can pass a fountain too.
    """
    if turns < 2:
        return 0
    held = 0
    kept = 0
    for kind in range(5):
        held += s.held[5 * me + kind]
        kept += s.reserve[kind]
    at_hand = held + kept
    passes = turns - 1
    if held == 0 and (kept == 0 or not started) and not passes_at_once(t, s, me, started):
        passes -= 1
    while passes > 0:
        most = min(turns - 1 - passes + at_hand, len(g.spare) - 1)
        count_passers(t, s, g, most, passes)
        if g.spare[most] + at_hand >= passes:
            return passes
        passes -= 1
    return 0


# The bound


@kernel
def grow_walks(t: Tables, g: Any, steps: int) -> None:
    """Works out the best growth from each port for each number of steps."""
    ports = 4 * t.squares
    for i in range(g.count):
        q = g.region[i]
        if g.level[q] >= g.reach:
            break
        for into in range(4 * q, 4 * q + 4):
            g.walk[into] = 0
    for k in range(1, steps + 1):
        here = k * ports
        before = here - ports
        for i in range(g.count):
            q = g.region[i]
            if g.level[q] >= g.reach or g.level[q] + k > steps:
                break  # so many steps are not left there
            # The best two ways out, so that the way in can be left aside.
            first = 0
            second = 0
            side = NONE
            for out in range(4 * q, 4 * q + 4):
                onward = g.go[out]
                if onward == BARRED:
                    continue
                more = g.gain[out]
                if onward >= 0 and g.level[onward >> 2] < g.reach:
                    more += g.walk[before + onward]
                if more > first:
                    second = first
                    first = more
                    side = out
                elif more > second:
                    second = more
            for into in range(4 * q, 4 * q + 4):
                g.walk[here + into] = first if into != side else second


@kernel
def find_tops(t: Tables, s: State, g: Any) -> None:
    """Notes which podium an aqueduct of each length gets to, if no other takes it."""
    highest = 0
    for length in range(ROOM):
        if 0 < length <= t.podiums and s.room[length] > 0:
            highest = length
        g.top[length] = highest


@kernel
def total_growth(t: Tables, s: State, g: Any, me: int, steps: int) -> int:
    """Gets the most growth that all own aqueducts together can have; notes the most points that they can have."""
    for i in range(steps + 1):
        g.sum[i] = 0
        g.value[i] = 0
    find_tops(t, s, g)
    ports = 4 * t.squares
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
        into = 4 * q + s.entry[a]
        for k in range(steps + 1):
            g.own[k] = g.walk[k * ports + into]
        for k in range(steps, -1, -1):
            best = 0
            dear = 0
            for i in range(k + 1):
                here = g.own[i] + g.sum[k - i]
                if here > best:
                    best = here
                here = g.top[length + min(g.own[i], ROOM // 2)] + g.value[k - i]
                if here > dear:
                    dear = here
            g.sum[k] = best
            g.value[k] = dear
    most: int = g.sum[steps]
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
def board_limit(t: Tables, s: State, g: Any, me: int, turns: int, extras: int, grown: int, best: int) -> int:
    """Gets points that open aqueducts cannot exceed with so many own and extra tiles, after `spread`.

    Extra tiles alone are of no use if no aqueduct has grown just now: an end's next tile is an own one otherwise. The
    bound is not made better than it need be to stay at or below the best.
    """
    tiles = turns + extras
    if tiles > DEEPEST:
        return FAR
    steps = tiles
    if g.fill <= tiles:
        # Some squares may be passed twice: the one that is first so, and each that is filled after it.
        steps += count_crossings(t, s, g, me, tiles, tiles - g.fill + 1)
    if steps > STEPS:
        return FAR
    grow_walks(t, g, steps)
    if turns == 0 and grown == 0:
        steps = 0
    growth = min(total_growth(t, s, g, me, steps), steps + g.strung)
    points: int = g.value[steps]
    if points > best:
        points = min(points, hand_out(t, s, g, me, growth))
    return points


@kernel
def tile_limit(t: Tables, s: State, g: Any, me: int) -> int:
    """Gets points that open aqueducts cannot exceed with one more tile; needs no `spread`, and leaves none behind."""
    find_tops(t, s, g)
    own = s.open & t.mine[me]
    known = 0
    rest = own
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        known += g.top[min(s.length[s.tip[a]], ROOM // 2 - 1)]
    most = known
    while own:
        q = s.face[lowest_bit(own)]
        points = known
        rest = own
        own &= own - 1
        if q < 0 or s.tile[q] != EMPTY:
            continue
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            if s.face[a] != q:
                continue
            gain = 0
            for out in range(4 * q, 4 * q + 4):
                if out != 4 * q + s.entry[a]:
                    leave(t, s, g, out)
                    if g.go[out] != BARRED and g.gain[out] > gain:
                        gain = g.gain[out]
            length = min(s.length[s.tip[a]], ROOM // 2 - 1)
            points += g.top[length + min(gain, ROOM // 2)] - g.top[length]
        most = max(most, points)
    return most


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
                        total += g.walk[extras * 4 * t.squares + g.go[out]]
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
        growth_limit = board_limit(t, s, g, me, 1, g.extras, 0, 0)
    else:
        if g.extras > 0:
            grow_walks(t, g, g.extras + 1)
        growth_limit = hand_out(t, s, g, me, last_growth(t, s, g, me, started, g.extras))
    return points_of(t, s, me) + growth_limit


@kernel
def limit(t: Tables, s: State, g: Any, me: int, turns: int, started: bool) -> int:
    """Gets points that no plan of so many further turns can exceed; `started` if a tile was just laid."""
    extras = count_extras(t, s, g, me, turns, started)
    if started and s.phase == EXTRA and turns > 0:
        extras += 1
    g.extras = extras
    spread(t, s, g, me, turns + extras)
    known = points_of(t, s, me)
    if turns == 0:
        return known + hand_out(t, s, g, me, 0)
    if turns == 1:
        return limit_of_last(t, s, g, me, started)
    return known + board_limit(t, s, g, me, turns, extras, 0, 0)


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


@kernel
def board_print(t: Tables, s: State, me: int) -> int:
    """Gets a hash of points, podiums and open aqueducts."""
    h = points_of(t, s, me)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    return mix(h, s.open)
