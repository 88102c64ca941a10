"""Rivals in the planner's model: aqueducts of others that the plan walls in take podiums too (steps 5 and 7).

A relaxation: only rivals that are walled in where they stand now are modelled. One that grew before is left out, which
can only make a plan look better than it is; the replay by the rules finds out.
"""

from __future__ import annotations

from aquakit.romana.planner.cpmodel.ends import UNREACHABLE
from aquakit.romana.planner.cpmodel.scores import crowded
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate


def add_rivals(model: PlanModel) -> None:
    """Adds the podiums that walled-in rivals take from the player: the highest that is free at that time."""
    state, podiums = model.graph.state, model.graph.tables.podiums
    lengths = {b: min(state.length[state.tip[b]], podiums) for b in can_be_walled_in(model)}
    rivals = {b: length for b, length in lengths.items() if length}
    if not rivals or any(b not in model.graph.heads for b in model.graph.rivals):
        return
    calm = model.both("rivals are calm", *(negate(literal) for literal in _surprises(model)))
    taken: dict[tuple[int, int], Literal] = {}
    for b, length in rivals.items():
        places = [0] + [p for p in range(1, length + 1) if state.room[p]]
        for p in places:
            taken[b, p] = model.bool(f"rival {b} {p}")
        closed = _walled(model, b, model.last)
        model.cp.add(sum(taken[b, p] for p in places) == 1).only_enforce_if(*_literals(closed, calm))
    for p in range(1, max(rivals.values()) + 1):
        mine = [x for (_, podium), x in model.podium.items() if podium == p]
        theirs = [x for (_, podium), x in taken.items() if podium == p]
        if theirs:
            model.cp.add(sum(mine) + sum(theirs) <= state.room[p]).only_enforce_if(*_literals(calm))
    for b, length in rivals.items():
        _add_falls(model, b, length, taken, calm)


def can_be_walled_in(model: PlanModel) -> list[int]:
    """Lists the rivals before whose end the player may build."""
    graph = model.graph
    heads = ((b, graph.heads[b]) for b in graph.rivals if b in graph.heads)
    return [b for b, head in heads if graph.built.get(graph.ends[head].face, UNREACHABLE) <= model.last]


def _surprises(model: PlanModel) -> list[Literal]:
    """Lists what lets some rival grow, or closes it where four ends meet [R8]."""
    heads = [model.graph.ends[model.graph.heads[b]] for b in model.graph.rivals]
    growths = [model.flow.get((head.face, head.entry, side), False) for head in heads for side in range(4)]
    return growths + [crowded(model, q, model.last) for q in sorted({head.face for head in heads})]


def _walled(model: PlanModel, b: int, t: int) -> Literal:
    """Gets whether a rival is walled in where it stands now by a tile laid by the end of a turn."""
    head = model.graph.ends[model.graph.heads[b]]
    flows = [model.flow.get((head.face, head.entry, side), False) for side in range(4)]
    key = b, t
    if key not in model.walled:
        model.walled[key] = model.both(f"walled {b} {t}", model.laid[head.face, t], *map(negate, flows))
    return model.walled[key]


def _literals(*literals: Literal) -> list[Literal]:
    return [literal for literal in literals if literal is not True]


def _add_falls(model: PlanModel, b: int, length: int, taken: dict[tuple[int, int], Literal], calm: Literal) -> None:
    """Adds that a rival stands lower than its length only because all podiums between were full by then."""
    room = model.graph.state.room
    others = {a for a, _ in taken if a != b}
    for t in model.turns:
        now, before = _walled(model, b, t), _walled(model, b, t - 1) if t > 1 else False
        if now is False:
            continue
        for above in range(1, length + 1):
            if not room[above]:
                continue
            mine = [
                model.both(f"held {a} {above} {t}", model.podium[a, above], model.closed[a, t])
                for a in model.graph.open
                if (a, above) in model.podium
            ]
            theirs = [taken[a, above] for a in others if (a, above) in taken]
            for p in range(above):
                if (b, p) in taken:
                    conditions = _literals(now, negate(before), taken[b, p], calm)
                    model.cp.add(sum(mine) + sum(theirs) >= room[above]).only_enforce_if(*conditions)
