"""Bounds in the planner's model: what so many passes of water over new tiles can be worth at most.

All of it follows from the rules of the model; said at once, it spares the solver most of its search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from aquakit.romana.kernel import NONE, SEGMENTS
from aquakit.romana.planner.cpmodel.frame import Frame, Literal
from aquakit.romana.planner.cpmodel.ground import NEVER, Ground
from aquakit.romana.planner.cpmodel.scores import points

TWO_SEGMENTS = [code for code, pairs in enumerate(SEGMENTS) if len(pairs) == 2]


def add_growth(frame: Frame) -> None:
    """Adds that water passes a tile once, or twice where it has two segments: implied, but it bounds all growth."""
    ground = frame.ground
    exits = [number for number in ground.earliest if ground.ends[number].head == NONE]
    extra: dict[int, Literal] = {}
    for t in frame.turns:
        won = [x for (_, _, u), x in frame.extra.items() if u == t]
        extra[t] = frame.bool(f"useful extra {t}") if won else False
        frame.equal(sum(won), extra[t])
    tiles = sum(frame.builds.values()) + sum(extra[t] for t in frame.turns if t < frame.last)
    twice = _add_double_passes(frame, tiles)
    for t in frame.turns:
        so_far = sum(frame.builds[u] for u in range(1, t + 1)) + sum(extra[u] for u in range(1, t))
        frame.growth[t] = frame.cp.new_int_var(0, 2 * ground.most_tiles[t], f"growth {t}")
        frame.equal(sum(frame.reach[number, t] for number in exits), frame.growth[t])
        frame.at_most(frame.growth[t], so_far + twice)
        for number in exits:
            away = min(ground.tiles[a][number] for a in ground.labels[number])
            if frame.reach[number, t] is not False and away > 1:
                frame.cp.add(frame.growth[t] >= away).only_enforce_if(frame.reach[number, t])


def _add_double_passes(frame: Frame, tiles: Any) -> Any:
    """Adds which tiles are passed twice, and gets their number: it takes tiles enough for two arms, or for a loop.

    Arms may share tiles, too. But the first tile that they share is one that takes as many for itself.
    """
    ground, most = frame.ground, frame.ground.most_tiles[frame.last]
    fewest = {q: fewest_tiles(ground, q) for q in ground.squares}
    twice: dict[int, Literal] = {}
    for q in ground.squares:
        if min(fewest.values()) <= most and len(ground.entering(q)) > 1:
            twice[q] = frame.bool(f"twice {frame.name(q)}")
            frame.at_most(twice[q], sum(frame.tile[q, code] for code in TWO_SEGMENTS))
        flows = [flow for (square, _, _), flow in frame.flow.items() if square == q]
        passed = frame.bool(f"passed {frame.name(q)}")
        frame.when([passed], frame.laid[q, frame.last])
        frame.equal(sum(flows), passed + twice.get(q, 0))
        frame.when([twice.get(q, False)], passed)
    number = frame.cp.new_int_var(0, most, "passed twice")
    frame.equal(sum(twice.values()), number)
    frame.at_most(number, tiles)
    near = [q for q in twice if fewest[q] <= most]
    for q, literal in twice.items():
        if fewest[q] > most:
            frame.when([literal], *(twice[r] for r in near))
        others = [twice[r] for r in near if r != q and fewest[r] < fewest[q]]
        alone = frame.bool(f"twice alone {frame.name(q)}")
        frame.when([literal], alone, *others)
        if fewest[q] <= most:
            frame.cp.add(tiles >= fewest[q]).only_enforce_if(alone)
        else:
            frame.when([alone], False)
    return number


def add_bounds(frame: Frame) -> None:
    """Adds the most that each aqueduct gains by so many passes, and the most points by all passes together."""
    ground = frame.ground
    most = 2 * ground.most_tiles[frame.last]
    tables = [worth_by_passes(frame, a, most) for a in ground.open]
    best = share(tables, most)
    frame.most_points = frame.fixed_points + best[most]
    reached = frame.cp.new_int_var(0, best[most], "bound")
    frame.cp.add_element(frame.growth[frame.last], best, reached)
    frame.cp.add(points(frame) <= frame.fixed_points + reached)
    for a, table in zip(ground.open, tables, strict=True):
        if a in ground.heads:
            _add_own(frame, a, table)


def _add_own(frame: Frame, a: int, table: list[int]) -> None:
    """Adds what an aqueduct's podium can be by its own passes."""
    ground = frame.ground
    passes = [frame.label[n, a] for n in ground.by[a] if ground.ends[n].head == NONE]
    count = frame.cp.new_int_var(0, len(table) - 1, f"passes {a}")
    frame.equal(sum(passes), count)
    more = [frame.bool(f"passes {a} {k}") for k in range(1, len(table))]
    frame.equal(sum(more), count)
    for one, two in pairwise(more):
        frame.when([two], one)
    for n in ground.by[a]:
        if tiles := ground.tiles[a][n]:
            # An end so far away takes as many passes to reach it.
            frame.when([frame.label[n, a]], more[tiles - 1])
    for podium in range(1, table[-1] + 1):
        if (a, podium) in frame.podium:
            least = next(k for k, value in enumerate(table) if value >= podium)
            frame.when([frame.podium[a, podium]], more[least - 1] if least else True)
    value = frame.cp.new_int_var(0, table[-1], f"value {a}")
    frame.cp.add_element(count, table, value)
    frame.at_most(sum(p * x for (b, p), x in frame.podium.items() if b == a), value)


def worth_by_passes(frame: Frame, a: int, most: int) -> list[int]:
    """Finds the highest podium that an aqueduct can come to by each number of passes, in any way at all."""
    state, podiums = frame.ground.state, frame.ground.tables.podiums
    gains = best_walks(frame.ground, a, most)
    lengths = [min(frame.ground.base[a] + gain, podiums) for gain in gains]
    return [max((p for p in range(1, length + 1) if state.room[p]), default=0) for length in lengths]


def best_walks(ground: Ground, a: int, most: int) -> list[int]:
    """Finds the most segments that an aqueduct can gain by each number of passes, up to so many."""
    best = {ground.heads[a]: 0} if a in ground.heads else {}
    gains = [0]
    for _ in range(most):
        after: dict[int, int] = {}
        for number, gain in best.items():
            for end in ground.beyond(number):
                after[end] = max(after.get(end, 0), gain + ground.ends[end].weight)
        best = after
        gains.append(max([gains[-1], *best.values()]))
    return gains


def share(tables: list[list[int]], most: int) -> list[int]:
    """Finds the most that several can reach together by each number of passes, shared out among them.

    >>> share([[0, 2, 3], [1, 1, 5]], 2)
    [1, 3, 5]
    """
    total = [0] * (most + 1)
    for table in tables:
        total = [max(total[k - i] + table[i] for i in range(k + 1)) for k in range(most + 1)]
    return total


def fewest_tiles(ground: Ground, q: int) -> int:
    """Finds how few tiles let water pass a square twice, in two arms or in a loop, if no other tile is passed twice."""
    arms = [
        (ground.tiles[a][end.number], end.entry, a) for end in ground.entering(q) for a in ground.labels[end.number]
    ]
    pairs = (one + two + 1 for one, x, a in arms for two, y, b in arms if x != y and a != b)
    loops = (one + 1 + ground.loops[q] for one, _, _ in arms)
    return min([*pairs, *loops], default=NEVER)
