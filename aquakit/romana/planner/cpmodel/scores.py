"""Closing and scoring in the planner's model: by construction, voluntarily, and which podiums that gives."""

from __future__ import annotations

from typing import Any

from aquakit.romana.kernel import NONE, OPEN
from aquakit.romana.planner.cpmodel.ends import End
from aquakit.romana.planner.cpmodel.reach import mine
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate


def add_stuck(model: PlanModel) -> None:
    """Adds which ends cannot be extended any more, and since when (step 5)."""
    for number in model.graph.earliest:
        if model.graph.is_mine(number):
            _add_stuck(model, model.graph.ends[number])


def _add_stuck(model: PlanModel, end: End) -> None:
    model.stuck[end.number, 0] = False
    for t in model.turns:
        reached = model.reach[end.number, t]
        if end.face == NONE:
            model.stuck[end.number, t] = reached  # the rim, or a tile without a port there
            continue
        laid, crowd = model.laid[end.face, t], crowded(model, end.face, t)
        if reached is False or (laid is False and crowd is False):
            model.stuck[end.number, t] = False
            continue
        stuck = model.stuck[end.number, t] = model.bool(f"stuck {end.number} {t}")
        flows = [model.flow.get((end.face, end.entry, side), False) for side in range(4)]
        model.when([stuck], reached)
        model.when([stuck], laid, crowd)
        for flow in flows:
            model.when([stuck, flow], False)
        model.when([reached, laid], stuck, *flows)
        model.when([crowd], stuck)


def crowded(model: PlanModel, q: int, t: int) -> Literal:
    """Gets whether four ends meet in an empty square, where no tile fits any more [R8]."""
    if (q, t) not in model.crowd:
        numbers = [model.graph.enters.get((q, side)) for side in range(4)]
        ends = [model.reach.get((number, t), False) if number is not None else False for number in numbers]
        model.crowd[q, t] = model.both(f"crowd {model.name(q)} {t}", *ends, negate(model.laid[q, t]))
    return model.crowd[q, t]


def add_closing(model: PlanModel) -> None:
    """Adds when each own aqueduct is closed: by construction (step 5), or voluntarily (step 6)."""
    for a in model.graph.open:
        model.closed[a, 0] = False
        for t in model.turns:
            model.closed[a, t] = model.bool(f"closed {a} {t}")
            model.shut[a, t] = _may_shut(model, a, t)
    stuck_in = {t: _add_stuck_aqueducts(model, t) for t in model.turns}
    for a in model.graph.open:
        for t in model.turns:
            stuck = stuck_in[t][a]
            before, now, shut = model.closed[a, t - 1], model.closed[a, t], model.shut[a, t]
            model.when([before], now)
            model.when([stuck], now)
            model.when([shut], now)
            model.when([shut], negate(before))
            model.when([shut], negate(stuck))
            model.when([now], before, stuck, shut)
    for t in model.turns:
        shuts = [model.shut[a, t] for a in model.graph.open]
        model.at_most(sum(shuts), 1)
        for a in model.graph.open:
            # After an own closing by construction there is no voluntary one.
            for shut in shuts:
                if shut is not model.shut[a, t]:
                    model.when([shut, model.closed[a, t]], model.closed[a, t - 1])


def _may_shut(model: PlanModel, a: int, t: int) -> Literal:
    """Gets whether an aqueduct is closed voluntarily in a turn; it must have a length then [R9]."""
    if not model.question.voluntary or a not in model.graph.heads:
        return False
    shut = model.bool(f"shut {a} {t}")
    head = model.graph.ends[model.graph.heads[a]]
    if not model.graph.base[a]:
        model.when([shut], model.laid[head.face, t])
        model.when([shut], *(model.flow.get((head.face, head.entry, side), False) for side in range(4)))
    model.when([shut, model.over[t]], False)
    return shut


def _add_stuck_aqueducts(model: PlanModel, t: int) -> dict[int, Literal]:
    """Adds whose end cannot be extended any more after a turn: each has one end, so as many aqueducts as ends are."""
    graph, found = model.graph, dict[int, Literal]()
    for a in graph.open:
        if a in graph.heads:
            found[a] = model.bool(f"stuck {a} {t}")
        else:
            # Walled in from the start, but only a turn with a tile closes it.
            found[a] = model.any_of(f"walled {a} {t}", [model.builds[u] for u in range(1, t + 1)])
    ends: list[Literal] = []
    for number in graph.earliest:
        stuck = model.stuck.get((number, t), False)
        if stuck is not False:
            ends.append(model.both(f"mine {number} {t}", stuck, mine(model, number)))
            for a in graph.labels[number]:
                if a in found:
                    model.when([stuck, model.label[number, a]], found[a])
    model.equal(sum(found[a] for a in graph.open if a in graph.heads), sum(ends))
    return found


def add_over(model: PlanModel) -> None:
    """Adds that the player acts as long as a workman is left [S1]."""
    for t in model.turns[1:]:
        closed = [model.closed[a, t - 1] for a in model.graph.open]
        model.when(closed, model.over[t])
        for literal in closed:
            model.when([model.over[t]], literal)


def add_podiums(model: PlanModel) -> None:
    """Adds podiums: a free place no higher than the length (step 7).

    For one player alone the next lower podium with room gives the same total in any order, so an assignment will do.
    Rivals that the plan walls in take podiums too; that is left out, and the replay by the rules finds out.
    """
    tables, state = model.graph.tables, model.graph.state
    mine = tables.mine[state.player]
    done = [a for a in range(tables.aqueducts) if mine >> a & 1 and state.score[a] != OPEN]
    model.fixed_points = sum(state.score[a] for a in done)
    for a in model.graph.open:
        length, most = add_length(model, a)
        for podium in range(1, min(tables.podiums, most) + 1):
            if state.room[podium]:
                taken = model.podium[a, podium] = model.bool(f"podium {a} {podium}")
                if podium > model.graph.base[a]:
                    model.cp.add(length >= podium).only_enforce_if(taken)
                if model.question.closed_only:
                    model.when([taken], model.closed[a, model.last])
        model.at_most(sum(p * x for (b, p), x in model.podium.items() if b == a), length)
        model.cp.add_at_most_one([x for (b, _), x in model.podium.items() if b == a])
    _add_total(model)
    for podium in range(1, tables.podiums + 1):
        takers = [x for (_, p), x in model.podium.items() if p == podium]
        if len(takers) > state.room[podium]:
            model.at_most(sum(takers), state.room[podium])


def _add_total(model: PlanModel) -> None:
    """Adds that all podiums together are no higher than all lengths: redundant, but it tightens the relaxation."""
    graph = model.graph
    loose = [
        (graph.ends[number].weight - 1) * model.reach[number, model.last]
        for number in graph.earliest
        if graph.ends[number].weight > 1
    ]
    total = sum(graph.base.values()) + model.growth[model.last] + sum(loose)
    model.at_most(sum(podium * taken for (_, podium), taken in model.podium.items()), total)


def add_length(model: PlanModel, a: int) -> tuple[Any, int]:
    """Adds the segments that count for an aqueduct, up to its closing; gets its length and the most it can be."""
    graph, terms, most = model.graph, [model.graph.base[a]], model.graph.base[a]
    for number in graph.by.get(a, ()):
        end = graph.ends[number]
        if end.head != NONE:
            continue
        counts = model.label[number, a]
        if model.question.voluntary:
            counts = model.bool(f"counts {a} {number}")
            model.when([counts], model.label[number, a])
            for t in model.turns:
                model.when([counts, model.shut[a, t]], model.reach[number, t])
        terms.append(end.weight * counts)
        most += end.weight
    return sum(terms), most


def points(model: PlanModel) -> Any:
    """Gets the points of the plan, as a sum."""
    return model.fixed_points + sum(podium * taken for (_, podium), taken in model.podium.items())
