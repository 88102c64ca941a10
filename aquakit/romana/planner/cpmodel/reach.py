"""Water in the planner's model: which ends are reached and when, by whom, and that no two outlets are ever joined.

Reach is shared by all aqueducts. It grows with the turns, follows from the tiles, and belongs to one aqueduct each.
"""

from __future__ import annotations

from aquakit.romana.kernel import NONE
from aquakit.romana.planner.cpmodel.ends import End
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate

RIVAL = -2
"""The label of water that the player has no workman for: other players' and that of own aqueducts closed before."""


def add_reach(model: PlanModel) -> None:
    """Adds which ends are reached, turn by turn."""
    graph = model.graph
    for number, first in graph.earliest.items():
        for t in range(model.last + 1):
            if graph.ends[number].head != NONE:
                model.reach[number, t] = True
            else:
                model.reach[number, t] = model.bool(f"reach {number} {t}") if t >= first else False
        for t in range(first + 1, model.last + 1):
            model.when([model.reach[number, t - 1]], model.reach[number, t])
    for number in graph.earliest:
        _add_flows(model, graph.ends[number])
    for number in graph.earliest:
        if graph.ends[number].head == NONE:
            _add_source(model, graph.ends[number])


def _add_flows(model: PlanModel, end: End) -> None:
    """Lets water pass on from an end, where a tile joins its side to another."""
    q, last = end.face, model.last
    if q == NONE:
        return
    for side in range(4):
        if side == end.entry:
            continue
        after = model.graph.exits.get((q, side))
        joined = model.joins[q, end.entry, side]
        if after is None or after not in model.graph.earliest:
            # The way out would join an outlet [R3], or is farther than water can come in time.
            model.when([model.reach[end.number, last], joined], False)
            continue
        flow = model.both(f"flow {model.name(q)} {end.entry}{side}", joined, model.reach[end.number, last])
        model.flow[q, end.entry, side] = flow
        for t in model.turns:
            before, later, laid = model.reach[end.number, t], model.reach[after, t], model.laid[q, t]
            model.when([flow, before, laid], later)
            model.when([flow, later], before)


def _add_source(model: PlanModel, end: End) -> None:
    """Lets an end be reached only through its square, and never from both directions [R3]."""
    sources = [model.flow.get((end.square, side, end.side), False) for side in range(4) if side != end.side]
    reached = model.reach[end.number, model.last]
    model.equal(sum(sources), reached)
    for t in model.turns:
        model.when([model.reach[end.number, t]], model.laid[end.square, t])
    opposite = model.graph.enters.get((end.square, end.side))
    if opposite is not None and opposite in model.graph.earliest and opposite < end.number:
        model.when([reached, model.reach[opposite, model.last]], False)


def add_order(model: PlanModel) -> None:
    """Adds ranks that rise along the water: they eliminate rings of tiles that would feed themselves."""
    graph = model.graph
    most = 2 * graph.most_tiles[model.last]
    rank = {
        number: 0 if graph.ends[number].head != NONE else model.cp.new_int_var(0, most, f"rank {number}")
        for number in graph.earliest
    }
    for (q, a, b), flow in model.flow.items():
        before, after = graph.enters[q, a], graph.exits[q, b]
        if flow is not False:
            model.cp.add(rank[after] >= rank[before] + 1).only_enforce_if(flow)


def add_labels(model: PlanModel) -> None:
    """Adds whose water it is at each end: the same before and after a tile."""
    graph = model.graph
    for number in graph.earliest:
        _label(model, graph.ends[number])
    for (q, a, b), flow in model.flow.items():
        before, after = graph.enters[q, a], graph.exits[q, b]
        for owner in {*owners(model, before), *owners(model, after)}:
            one, other = model.label.get((before, owner), False), model.label.get((after, owner), False)
            model.when([flow, one], other)
            model.when([flow, other], one)


def owners(model: PlanModel, number: int) -> list[int]:
    """Lists the labels that an end can have."""
    found = model.graph.labels[number]
    mine = [a for a in found if a in model.graph.open]
    return mine + [RIVAL] * (len(mine) < len(found))


def _label(model: PlanModel, end: End) -> None:
    possible = owners(model, end.number)
    reached = model.reach[end.number, model.last]
    if len(possible) == 1:
        model.label[end.number, possible[0]] = reached
        return
    for owner in possible:
        model.label[end.number, owner] = model.bool(f"label {end.number} {owner}")
    model.equal(sum(model.label[end.number, owner] for owner in possible), reached)


def mine(model: PlanModel, number: int) -> Literal:
    """Gets whether an end belongs to an aqueduct that was the player's and open at the start."""
    rival = model.label.get((number, RIVAL), False)
    return negate(rival) if rival is not False else True
