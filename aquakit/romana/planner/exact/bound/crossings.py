"""An upper bound on the squares that own aqueducts pass twice with some tiles."""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import EMPTY, State, Tables
from aquakit.romana.planner.exact.bound.reachable import SearchGround

AROUND = (0, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11)
"""The fewest rows and columns, counted together, in which 0, 1, 2 … squares lie."""


@kernel
def count_crossings(t: Tables, s: State, g: SearchGround, me: int, tiles: int) -> int:
    """Gets an upper bound on the tiles, of `tiles`, that are passed twice, after `count_links`.

    Of n squares in r rows and c columns at most 2n - r - c pairs lie side by side. An aqueduct that passes p squares
    goes p - 1 times from one to the next, each time over another side, or along another loose chain. So if u aqueducts
    grow they pass 2n - r - c + u squares at most, and as many more as chains join some of the n.
    """
    growing = 0
    rest = s.open & t.mine[me]
    while rest:
        q = s.face[lowest_bit(rest)]
        rest &= rest - 1
        growing += q >= 0 and s.tile[q] == EMPTY
    return min(tiles, tiles - AROUND[tiles] + growing + int(g.links[tiles]))
