"""What a turn is in the planner's model: an extension, or an advance if there is none to make; and the extra tile."""

from __future__ import annotations

from aquakit.romana.kernel import JOKER, KINDS
from aquakit.romana.planner.cpmodel.builders import ReachableBuilders
from aquakit.romana.planner.cpmodel.ends import End
from aquakit.romana.planner.cpmodel.reach import mine
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate


def add_turns(model: PlanModel) -> None:
    """Adds that each turn is one extension, one advance, or none because no workman is left."""
    for t in model.turns:
        model.builds[t] = model.bool(f"builds {t}")
        model.advances[t] = model.bool(f"advances {t}")
        model.over[t] = False if t == 1 else model.bool(f"over {t}")
        if t == 1:
            # Whether there is an extension now is known once the held builders are placed.
            known = model.question.position.phase
            model.advances[t] = {"build": False, "advance": True}.get(known, model.advances[t])
            model.builds[t] = {"build": True, "advance": False}.get(known, model.builds[t])
        model.equal(model.builds[t] + model.advances[t] + model.over[t], 1)
        model.equal(sum(model.built[kind, t] for kind in range(4)), model.builds[t])
        model.equal(sum(x for (_, u), x in model.build.items() if u == t), model.builds[t])


def add_extensions(model: PlanModel, reachable: ReachableBuilders) -> None:
    """Adds that an extension is made by an open own workman, whom the tile meets, with a builder in sight (step 2)."""
    for t in model.turns:
        users: dict[int, list[Literal]] = {}
        watched: dict[int, list[Literal]] = {p: [] for p in reachable.moves[t]}
        for end in model.graph.workmen(t):
            use = model.use[end.number, t] = model.bool(f"use {end.number} {t}")
            model.when([use], model.reach[end.number, t - 1])
            model.when([use], mine(model, end.number))
            users.setdefault(end.face, []).append(use)
            seen = [p for p in model.graph.sees(end) if p in watched]
            model.when([use], *(model.moves[p, t] for p in seen))
            for p in seen:
                watched[p].append(use)
        for p, uses in watched.items():
            model.when([model.moves[p, t]], model.advances[t], *uses)
        for q in model.graph.squares:
            model.equal(sum(users.get(q, [])), model.build.get((q, t), 0))
    _add_meetings(model)
    _add_open(model)


def _add_meetings(model: PlanModel) -> None:
    """Adds that the tile laid meets the workman who extends, so that the water flows on."""
    for number in model.graph.earliest:
        end = model.graph.ends[number]
        uses = [model.use[number, t] for t in model.turns if (number, t) in model.use]
        if uses:
            flows = (model.flow.get((end.face, end.entry, side), False) for side in range(4))
            model.at_most(sum(uses), sum(flows))


def _add_open(model: PlanModel) -> None:
    """Adds that nobody extends an aqueduct that was closed voluntarily."""
    for (number, t), use in model.use.items():
        for a in model.graph.labels[number]:
            if (number, a) in model.label:
                model.when([use, model.label[number, a]], negate(model.closed.get((a, t - 1), False)))


def add_kinds(model: PlanModel) -> None:
    """Adds that a builder lays its kind; the joker, and one whose kind is out of stock, any kind in stock."""
    for t in model.turns:
        for kind in range(4):
            moving = model.mover[kind, t]
            model.when([moving], model.built[kind, t], model.advances[t], is_out(model, kind, t))
            others = [is_out(model, other, t) for other in range(4) if other != kind]
            if all(literal is False for literal in others):
                model.when([model.built[kind, t]], moving, model.mover[JOKER, t])


def tiles_before(model: PlanModel, kind: int, t: int) -> list[Literal]:
    """Lists the tiles of a kind laid before a turn."""
    return [model.built[kind, u] for u in range(1, t)] + [model.won[kind, u] for u in range(1, t)]


def may_run_out(model: PlanModel, kind: int, t: int) -> bool:
    """Checks whether a kind can be out of stock before a turn's extra tile."""
    return bool(model.graph.state.stock[kind] <= 2 * t - 1)


def is_out(model: PlanModel, kind: int, t: int, *, then: bool = False) -> Literal:
    """Gets whether a kind is out of stock when a turn begins; with `then`, after its first tile."""
    if not may_run_out(model, kind, t):
        return False
    key = (kind, t, then)
    if key not in model.out:
        out = model.out[key] = model.bool(f"out {KINDS[kind]} {t} {then}")
        stock = model.graph.state.stock[kind]
        left = stock - sum(tiles_before(model, kind, t)) - (model.built[kind, t] if then else 0)
        model.at_most(1 - out, left)
        if stock:
            model.at_most(left, stock * (1 - out))
    return model.out[key]


def add_stock(model: PlanModel) -> None:
    """Adds that no more tiles are laid than there are."""
    for kind, stock in enumerate(model.graph.state.stock):
        if stock < 2 * model.last:
            model.at_most(sum(tiles_before(model, kind, model.last + 1)), stock)


def add_extras(model: PlanModel) -> None:
    """Adds the extra tile: due after a fountain, of the kind just laid, on a square that no end faces [R6][R7]."""
    for t in model.turns:
        due = model.both(f"due {t}", model.crosses[t], model.builds[t])
        won = model.both(f"won {t}", due, negate(_may_skip(model, t)))
        model.equal(sum(x for (_, u), x in model.extra.items() if u == t) + model.dump[t], won)
        model.equal(sum(model.won[kind, t] for kind in range(4)), won)
        for kind in range(4):
            _add_same_kind(model, kind, t)
        _add_places(model, t)
    if not model.roomy:
        model.at_most(sum(model.dump.values()), len(model.spare_squares))


def _add_places(model: PlanModel, t: int) -> None:
    """Adds that no end faces the extra tile's square [R6]; where none ever does, it might as well lie elsewhere."""
    for q in model.graph.squares:
        lies = model.extra.get((q, t), False)
        ends = model.graph.entering(q)
        for end in ends:
            model.when([lies], negate(model.reach[end.number, t]))
        if model.roomy:
            model.when([lies], *(model.reach[end.number, model.last] for end in ends))


def _add_same_kind(model: PlanModel, kind: int, t: int) -> None:
    """Adds that an extra tile is of the kind just laid, or any if that is out of stock now."""
    found = model.won[kind, t]
    outs = {other: is_out(model, other, t, then=True) for other in range(4) if other != kind}
    if all(out is False for out in outs.values()):
        model.at_most(found, model.built[kind, t])
        return
    for other, out in outs.items():
        model.at_most(found + model.built[other, t], 1 + out)


def _may_skip(model: PlanModel, t: int) -> Literal:
    """Gets whether no extra tile is laid though one is due: no square is free, or nothing is in stock."""
    graph = model.graph
    crowded = len(graph.empty) - (2 * t - 1) <= graph.tables.aqueducts
    if model.crosses[t] is False or not (crowded or sum(graph.state.stock) <= 2 * t - 1):
        return False
    skip = model.bool(f"skip {t}")
    sold_out = _sold_out(model, t)
    # Squares that the question forbids stay free as far as the rules are concerned.
    elsewhere = model.bool(f"full {t}") if len(graph.elsewhere) < t else False
    if elsewhere is not False:
        dumped = sum(model.dump[u] for u in range(1, t))
        model.at_most(len(graph.elsewhere) * elsewhere, dumped)
    model.when([skip], sold_out, elsewhere)
    for q in graph.squares:
        faced = [model.reach[end.number, t] for end in graph.entering(q)]
        model.when([skip], sold_out, model.laid[q, t], *faced)
    return skip


def _sold_out(model: PlanModel, t: int) -> Literal:
    """Gets whether a turn's first tile was the last in stock."""
    stock = sum(model.graph.state.stock)
    if stock > 2 * t - 1:
        return False
    sold_out = model.bool(f"sold out {t}")
    before = [x for kind in range(4) for x in tiles_before(model, kind, t)]
    model.at_most(stock * sold_out, sum(before) + model.builds[t])
    return sold_out


def add_duty(model: PlanModel) -> None:
    """Adds that no builder is advanced while an own extension is legal (step 2) [R5].

    An end that alone faces its square can always be extended by a builder in sight. Where ends meet in a square this is
    a relaxation; `cuts` adds the rest where a plan breaks it.
    """
    for t in model.turns:
        if model.advances[t] is False:
            continue
        bare = _nothing_left(model, t)
        for end in model.graph.workmen(t):
            alone = _alive(model, end, t)
            for p in set(model.graph.sees(end)):
                model.when([model.advances[t], model.occupied[p, t], alone], bare)


def _nothing_left(model: PlanModel, t: int) -> Literal:
    """Gets whether no tile is left in stock when a turn begins."""
    stock = sum(model.graph.state.stock)
    if stock > 2 * (t - 1):
        return False
    bare = model.bool(f"nothing left {t}")
    model.at_most(stock * bare, sum(x for kind in range(4) for x in tiles_before(model, kind, t)))
    return bare


def _alive(model: PlanModel, end: End, t: int) -> Literal:
    """Gets a literal that holds at least where an open own workman stands at an end and alone faces an empty square."""
    graph, q = model.graph, end.face
    alive = model.bool(f"alive {end.number} {t}")
    others = (other.number for other in graph.entering(q) if other.number != end.number)
    crowded = [model.reach[other, t - 1] for other in others]
    for a in graph.labels[end.number]:
        if a in graph.open:
            conditions = [model.reach[end.number, t - 1], model.label[end.number, a], negate(model.closed[a, t - 1])]
            model.when(conditions, alive, model.laid[q, t - 1], *crowded)
    return alive
