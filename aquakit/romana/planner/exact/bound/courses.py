"""How much an own aqueduct can grow by a few tiles: every course that it can take is tried.

A course lays a tile on each empty square that it comes to, goes along loose chains, and passes a square a second time,
without another tile, by the two sides that the first pass left. Builders and kinds of tiles are left aside.
"""

from __future__ import annotations

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import inlined, kernel
from aquakit.romana.planner.exact.bound.reachable import SearchGround


@inlined
def begin_course(g: SearchGround, into: int) -> None:
    """Begins with the square that a port leads into."""
    g.way[0] = into
    g.gone[0] = 1 << (into & 3)
    g.left[0] = g.ways[into >> 2] & ~g.gone[0]
    g.laid[0] = 1
    g.grown[0] = 0


@inlined
def extend_course(g: SearchGround, depth: int, tiles: int) -> int:
    """Leaves the last square of the course at hand by the next side, and notes how long it is then.

    Gets the depth of the square that it comes to, or the same as before if it ends there.
    """
    q = g.way[depth] >> 2
    side = lowest_bit(g.left[depth])
    g.left[depth] &= g.left[depth] - 1
    g.passed[q] = g.gone[depth] | (1 << side)
    out = 4 * q + side
    laid = g.laid[depth]
    grown = g.grown[depth] + g.gain[out]
    g.own[laid] = max(g.own[laid], grown)
    onward = g.go[out]
    if onward < 0:
        return depth
    passed = g.passed[onward >> 2]
    if passed == 0:
        if laid >= tiles:
            return depth
        laid += 1
    elif (passed >> (onward & 3)) & 1:
        return depth
    depth += 1
    g.way[depth] = onward
    g.gone[depth] = passed | (1 << (onward & 3))
    g.left[depth] = g.ways[onward >> 2] & ~g.gone[depth]
    g.laid[depth] = laid
    g.grown[depth] = grown
    return depth


@kernel
def find_courses(g: SearchGround, into: int, tiles: int) -> None:
    """Notes in `own` the most growth by 0, 1, 2 … tiles of an aqueduct that enters by a port.

    Needs `spread` to at least `tiles` squares. All courses are tried, depth first, one side after the other.
    """
    for k in range(tiles + 1):
        g.own[k] = 0
    begin_course(g, into)
    depth = 0
    while depth >= 0:
        if g.left[depth]:
            depth = extend_course(g, depth, tiles)
        else:
            port = g.way[depth]
            g.passed[port >> 2] = g.gone[depth] & ~(1 << (port & 3))
            depth -= 1
    # More tiles are no worse than fewer.
    for k in range(1, tiles + 1):
        g.own[k] = max(g.own[k], g.own[k - 1])
