"""An upper bound on the squares that own aqueducts pass twice with some tiles."""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import EMPTY, State, Tables
from aquakit.romana.planner.exact.bound.reachable import FAR, SPOTS, SearchGround

AROUND = (0, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11)
"""The fewest rows and columns, counted together, in which 0, 1, 2 … squares lie."""


@kernel
def find_spots(t: Tables, s: State, g: SearchGround, me: int) -> int:
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
def measure_spans(g: SearchGround, n: int) -> None:
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
def crossed(g: SearchGround, u: int, squares: int, which: int) -> int:
    """Gets an upper bound on the squares of one piece that are passed twice if `u` aqueducts begin in it."""
    around: int = max(AROUND[squares], g.span[u], g.near[2 * which - 1])
    return max(0, squares + u - around)


@kernel
def count_crossed(g: SearchGround, n: int, squares: int) -> int:
    """Gets an upper bound on the squares passed twice if n aqueducts at most begin in them, after `find_spots`.

    Take the squares that own aqueducts pass, in pieces that hang together. An aqueduct that makes p steps goes p - 1
    times from one to the next, each time over another side between two of them. A piece of n squares in r rows and c
    columns has at most 2n - r - c such sides. So if u aqueducts begin in a piece and make n + d steps there, d is at
    most n + u - r - c. There are at least as many rows and columns as n squares take up, and as the u squares span that
    the aqueducts face. Of several pieces with two or more aqueducts each, ordered by what they span, the j-th spans no
    less than the 2j-th nearest aqueduct is away from another. Pieces with one aqueduct each are not better than one
    such piece, nor than a larger one with more.
    """
    most = squares + 1 - AROUND[squares]
    for u in range(2, n + 1):
        most = max(most, crossed(g, u, squares, 1))
        for v in range(2, n - u + 1):
            for part in range(1, squares):
                most = max(most, crossed(g, u, part, 1) + crossed(g, v, squares - part, 2))
    if n == 6:
        for part in range(1, squares - 1):
            for more in range(1, squares - part):
                rest = squares - part - more
                most = max(most, crossed(g, 2, part, 1) + crossed(g, 2, more, 2) + crossed(g, 2, rest, 3))
    return most


@kernel
def count_crossings(t: Tables, s: State, g: SearchGround, me: int, tiles: int) -> int:
    """Gets an upper bound on the tiles, of `tiles`, that are passed twice.

    A loose chain along which water goes from one to another is as good as one more side between them. Or it can be
    reckoned among the squares that are passed.
    """
    n = find_spots(t, s, g, me)
    if n > SPOTS:
        return tiles
    if n > 1:
        measure_spans(g, n)
    most = min(tiles, count_crossed(g, n, tiles) + int(g.links[tiles]))
    squares = tiles + int(g.chained[tiles])
    if g.links[tiles] > 0 and squares < len(AROUND):
        most = min(most, count_crossed(g, n, squares))
    return most
