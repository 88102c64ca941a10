"""Tiles in the planner's model: what lies on each square, and since when."""

from __future__ import annotations

from aquakit.romana.kernel import KIND_OF, SEGMENTS
from aquakit.romana.planner.cpmodel.ends import UNREACHABLE
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel

TILES = range(1, 10)
"""Codes of tiles that can be laid."""
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def add_tiles(model: PlanModel) -> None:
    """Adds what is laid where, and when: each square takes one tile at most, for good."""
    for q in model.graph.squares:
        _add_moments(model, q)
    for t in model.turns:
        model.dump[t] = model.bool(f"dump {t}") if model.graph.may_cross[t] else False
        for kind in range(4):
            model.built[kind, t] = model.bool(f"built {kind} {t}")
            model.won[kind, t] = model.bool(f"won {kind} {t}") if model.graph.may_cross[t] else False
    for q in model.graph.squares:
        _add_codes(model, q)


def _add_moments(model: PlanModel, q: int) -> None:
    graph, name = model.graph, model.name(q)
    barred = name in model.question.forbid
    # An extra tile in the last turn comes too late to matter: it is laid elsewhere, if there is room.
    last_extra = model.last - 1 if model.roomy else model.last
    model.laid[q, 0] = False
    for t in model.turns:
        new: list[Literal] = []
        if not barred and graph.built.get(q, UNREACHABLE) <= t:
            model.build[q, t] = model.bool(f"build {name} {t}")
            new.append(model.build[q, t])
        if not barred and graph.may_cross[t] and t <= last_extra:
            model.extra[q, t] = model.bool(f"extra {name} {t}")
            new.append(model.extra[q, t])
        if new:
            model.laid[q, t] = model.bool(f"laid {name} {t}")
            model.equal(sum(new) + model.laid[q, t - 1], model.laid[q, t])
        else:
            model.laid[q, t] = model.laid[q, t - 1]


def _add_codes(model: PlanModel, q: int) -> None:
    name = model.name(q)
    for code in TILES:
        model.tile[q, code] = model.bool(f"tile {name} {code}")
    model.equal(sum(model.tile[q, code] for code in TILES), model.laid[q, model.last])
    for kind in range(4):
        of_kind = model.bool(f"kind {name} {kind}")
        model.equal(sum(model.tile[q, code] for code in TILES if KIND_OF[code] == kind), of_kind)
        for t in model.turns:
            model.when([of_kind, model.build.get((q, t), False)], model.built[kind, t])
            model.when([of_kind, model.extra.get((q, t), False)], model.won[kind, t])
    for a, b in PAIRS:
        joined = model.bool(f"joins {name} {a}{b}")
        model.equal(sum(model.tile[q, code] for code in TILES if (a, b) in segments(code)), joined)
        model.joins[q, a, b] = model.joins[q, b, a] = joined


def segments(code: int) -> set[tuple[int, int]]:
    """Gets the pairs of sides that a tile joins, the lower side first.

    >>> sorted(segments(8))
    [(0, 3), (1, 2)]
    """
    return {(min(pair), max(pair)) for pair in SEGMENTS[code]}


def port(model: PlanModel, q: int, side: int) -> list[Literal]:
    """Lists the ways in which a square's tile can have a port at a side: at most one of them holds."""
    return [model.joins[q, side, other] for other in range(4) if other != side]
