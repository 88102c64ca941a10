"""Redundant constraints of the planner's model: upper bounds on points by the number of passes over new tiles.

A pass is water that flows once over a tile laid in the plan. All constraints here are implied by the others; they
tighten the solver's relaxation, which spares it most of its search.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from aquakit.romana.kernel import NONE, SEGMENTS
from aquakit.romana.planner.cpmodel.ends import UNREACHABLE, EndGraph
from aquakit.romana.planner.cpmodel.scores import points
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel

TWO_SEGMENTS = [code for code, pairs in enumerate(SEGMENTS) if len(pairs) == 2]


def add_growth(model: PlanModel) -> None:
    """Adds an upper bound on all passes by the end of each turn: one a tile, two where both segments are used."""
    graph = model.graph
    exits = [number for number in graph.earliest if graph.ends[number].head == NONE]
    extra: dict[int, Literal] = {}
    for t in model.turns:
        won = [x for (_, u), x in model.extra.items() if u == t]
        extra[t] = model.bool(f"useful extra {t}") if won else False
        model.equal(sum(won), extra[t])
    tiles = sum(model.builds.values()) + sum(extra[t] for t in model.turns if t < model.last)
    twice = _add_double_passes(model, tiles)
    for t in model.turns:
        so_far = sum(model.builds[u] for u in range(1, t + 1)) + sum(extra[u] for u in range(1, t))
        model.growth[t] = model.cp.new_int_var(0, 2 * graph.most_tiles[t], f"growth {t}")
        model.equal(sum(model.reach[number, t] for number in exits), model.growth[t])
        model.at_most(model.growth[t], so_far + twice)
        most = graph.most_tiles[t]
        at_least = [model.bool(f"{k} tiles {t}") for k in range(1, most + 1)]
        model.equal(sum(at_least), so_far)
        for one, two in pairwise(at_least):
            model.when([two], one)
        for number in exits:
            away = min(graph.tiles[a][number] for a in graph.labels[number])
            if model.reach[number, t] is not False:
                model.when([model.reach[number, t]], at_least[away - 1])


def _add_double_passes(model: PlanModel, tiles: Any) -> Any:
    """Adds which tiles are passed twice, and gets their number.

    A tile is passed twice by two arms of water, or by one that loops; `fewest_tiles` bounds from below how many tiles
    that takes. Arms may combine_tables tiles before, but then the first tile that they combine_tables needs as many.
    """
    graph, most = model.graph, model.graph.most_tiles[model.last]
    fewest = {q: fewest_tiles(graph, q) for q in graph.squares}
    twice: dict[int, Literal] = {}
    for q in graph.squares:
        if min(fewest.values()) <= most and len(graph.entering(q)) > 1:
            twice[q] = model.bool(f"twice {model.name(q)}")
            model.at_most(twice[q], sum(model.tile[q, code] for code in TWO_SEGMENTS))
        flows = [flow for (square, _, _), flow in model.flow.items() if square == q]
        passed = model.bool(f"passed {model.name(q)}")
        model.when([passed], model.laid[q, model.last])
        model.equal(sum(flows), passed + twice.get(q, 0))
        model.when([twice.get(q, False)], passed)
    number = model.cp.new_int_var(0, most, "passed twice")
    model.equal(sum(twice.values()), number)
    model.at_most(number, tiles)
    near = [q for q in twice if fewest[q] <= most]
    for q, literal in twice.items():
        if fewest[q] > most:
            model.when([literal], *(twice[r] for r in near))
        others = [twice[r] for r in near if r != q and fewest[r] < fewest[q]]
        alone = model.bool(f"twice alone {model.name(q)}")
        model.when([literal], alone, *others)
        if fewest[q] <= most:
            model.cp.add(tiles >= fewest[q]).only_enforce_if(alone)
        else:
            model.when([alone], False)
    return number


def add_bounds(model: PlanModel) -> None:
    """Adds upper bounds on each aqueduct's podium by its own passes, and on all points by all passes together."""
    graph = model.graph
    most = 2 * graph.most_tiles[model.last]
    tables = [worth_by_passes(model, a, most) for a in graph.open]
    best = combine_tables(tables, most)
    model.most_points = model.fixed_points + best[most]
    reached = model.cp.new_int_var(0, best[most], "bound")
    model.cp.add_element(model.growth[model.last], best, reached)
    model.cp.add(points(model) <= model.fixed_points + reached)
    for a, table in zip(graph.open, tables, strict=True):
        if a in graph.heads:
            _add_own(model, a, table)


def _add_own(model: PlanModel, a: int, table: list[int]) -> None:
    """Adds the upper bound on an aqueduct's podium by its own passes."""
    graph = model.graph
    passes = [model.label[n, a] for n in graph.by[a] if graph.ends[n].head == NONE]
    count = model.cp.new_int_var(0, len(table) - 1, f"passes {a}")
    model.equal(sum(passes), count)
    more = [model.bool(f"passes {a} {k}") for k in range(1, len(table))]
    model.equal(sum(more), count)
    for one, two in pairwise(more):
        model.when([two], one)
    for n in graph.by[a]:
        if tiles := graph.tiles[a][n]:
            # An end that is some tiles away takes at least as many passes.
            model.when([model.label[n, a]], more[tiles - 1])
    for podium in range(1, table[-1] + 1):
        if (a, podium) in model.podium:
            least = next(k for k, value in enumerate(table) if value >= podium)
            model.when([model.podium[a, podium]], more[least - 1] if least else True)
    value = model.cp.new_int_var(0, table[-1], f"value {a}")
    model.cp.add_element(count, table, value)
    model.at_most(sum(p * x for (b, p), x in model.podium.items() if b == a), value)


def worth_by_passes(model: PlanModel, a: int, most: int) -> list[int]:
    """Finds an upper bound on an aqueduct's podium for each number of its passes, from 0 up to `most`."""
    state, podiums = model.graph.state, model.graph.tables.podiums
    gains = best_walks(model.graph, a, most)
    lengths = [min(model.graph.base[a] + gain, podiums) for gain in gains]
    return [max((p for p in range(1, length + 1) if state.room[p]), default=0) for length in lengths]


def best_walks(graph: EndGraph, a: int, most: int) -> list[int]:
    """Finds the most segments that an aqueduct can gain for each number of passes, from 0 up to `most`.

    A relaxation: walks may come to the same square again, and other aqueducts, stock and builders are left aside.
    """
    best = {graph.heads[a]: 0} if a in graph.heads else {}
    gains = [0]
    for _ in range(most):
        after: dict[int, int] = {}
        for number, gain in best.items():
            for end in graph.beyond(number):
                after[end] = max(after.get(end, 0), gain + graph.ends[end].weight)
        best = after
        gains.append(max([gains[-1], *best.values()]))
    return gains


def combine_tables(tables: list[list[int]], most: int) -> list[int]:
    """Finds the best sum of one entry from each table whose indices add up to 0, 1 … `most`, as in a knapsack.

    >>> combine_tables([[0, 2, 3], [1, 1, 5]], 2)
    [1, 3, 5]
    """
    total = [0] * (most + 1)
    for table in tables:
        total = [max(total[k - i] + table[i] for i in range(k + 1)) for k in range(most + 1)]
    return total


def fewest_tiles(graph: EndGraph, q: int) -> int:
    """Finds a lower bound on the tiles after which water passes a square twice, if no other tile is passed twice."""
    arms = [(graph.tiles[a][end.number], end.entry, a) for end in graph.entering(q) for a in graph.labels[end.number]]
    pairs = (one + two + 1 for one, x, a in arms for two, y, b in arms if x != y and a != b)
    loops = (one + 1 + graph.loops[q] for one, _, _ in arms)
    return min([*pairs, *loops], default=UNREACHABLE)
