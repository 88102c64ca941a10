"""Builders in the planner's model: where they stand, who walks, fountains passed, picks from the reserve, placing.

The builder that moves is a token: it arrives at the next path square, goes on while that is occupied, and stays where
it is free (step 3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aquakit.romana.kernel import KINDS, NONE
from aquakit.romana.planner.cpmodel.ends import EndGraph
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate

ALL_KINDS = range(5)


@dataclass
class ReachableBuilders:
    """Which builders can stand, move and arrive where: an over-approximation, so that no plan is lost."""

    stands: list[set[tuple[int, int]]] = field(default_factory=list)
    """[turn]: path squares with kinds, when step 2 begins; index 0 is the position as it stands."""
    moves: list[set[int]] = field(default_factory=list)
    """[turn]: path squares from which a builder may move."""
    arrives: list[set[int]] = field(default_factory=list)
    """[turn]: path squares at which the moving builder may arrive, to stay or to go on."""


def first_squares(graph: EndGraph) -> set[int]:
    """Gets the path squares just behind a fountain."""
    side, places = graph.tables.side, graph.tables.path
    return {p for p in range(places) if side[p] != side[(p - 1) % places]}


def look_ahead(graph: EndGraph, may_move: list[set[int]], may_place: list[set[int]]) -> ReachableBuilders:
    """Finds which builders can be where, from the path squares used in each turn and the kinds placed."""
    places, reachable = graph.tables.path, ReachableBuilders([], [set()], [set()])
    stands = {(p, kind) for p, kind in enumerate(graph.state.path[:places]) if kind != NONE}
    reachable.stands.append(set(stands))
    for t in range(1, graph.turns + 1):
        certain = not may_place[t] and t == 1
        stands |= {(p, kind) for kind in may_place[t] for p in range(places)}
        reachable.stands.append(set(stands))
        held = {p for p, _ in stands}
        movers = may_move[t] & held
        arrives: set[int] = set()
        for p in movers:
            kinds = {kind for square, kind in reachable.stands[t] if square == p}
            way = _way(p, places, held)
            arrives.update(way)
            stands |= {(q, kind) for q in (way[-1:] if certain else way) for kind in kinds}
        reachable.moves.append(movers)
        reachable.arrives.append(arrives)
    return reachable


def _way(p: int, places: int, held: set[int]) -> list[int]:
    """Lists the squares at which a builder arrives in turn, to the first that is free, or to its own again."""
    way = [(p + 1) % places]
    while way[-1] in held and way[-1] != p:
        way.append((way[-1] + 1) % places)
    return way


def may_cross(graph: EndGraph, reachable: ReachableBuilders) -> list[bool]:
    """Finds the turns in which a builder used for an extension may pass a fountain."""
    firsts, places, found = first_squares(graph), graph.tables.path, [False]
    for t in range(1, graph.turns + 1):
        held = {p for p, _ in reachable.stands[t]}
        seen = {p for end in graph.workmen(t) for p in graph.sees(end)}
        found.append(any(firsts.intersection(_way(p, places, held)) for p in seen & held))
    return found


def add_builders(model: PlanModel, reachable: ReachableBuilders) -> None:
    """Adds the builders' places turn by turn: placed in step 1, moved in step 3."""
    places = range(model.graph.tables.path)
    after: dict[tuple[int, int], Literal] = {
        (p, kind): model.graph.state.path[p] == kind for p in places for kind in ALL_KINDS
    }
    for t in model.turns:
        for p in places:
            for kind in ALL_KINDS:
                _stand(model, after, p, kind, t)
        occupied = {p: _occupied(model, p, t) for p in places}
        model.occupied.update({(p, t): literal for p, literal in occupied.items()})
        _add_moves(model, reachable, t)
        if t == model.last and model.roomy:
            # Where the last builder goes matters no more, nor does the extra tile it may win.
            model.crosses[t] = False
            break
        lands = _walk(model, reachable, occupied, t)
        after = _go_on(model, reachable, lands, t)


def _stand(model: PlanModel, after: dict[tuple[int, int], Literal], p: int, kind: int, t: int) -> None:
    """Says whether a builder stands somewhere in step 2: it stood there before, or was placed in step 1."""
    placed = model.place.get((p, kind, t), False)
    if placed is False:
        model.stands[p, kind, t] = after[p, kind]
        return
    model.stands[p, kind, t] = model.bool(f"stands {p} {KINDS[kind]} {t}")
    model.equal(after[p, kind] + placed, model.stands[p, kind, t])


def _occupied(model: PlanModel, p: int, t: int) -> Literal:
    kinds = [model.stands[p, kind, t] for kind in ALL_KINDS]
    unknown = [literal for literal in kinds if not isinstance(literal, bool)]
    if any(literal is True for literal in kinds):
        for literal in unknown:
            model.when([literal], False)
        return True
    if not unknown:
        return False
    occupied = model.bool(f"occupied {p} {t}")
    model.equal(sum(unknown), occupied)
    return occupied


def _add_moves(model: PlanModel, reachable: ReachableBuilders, t: int) -> None:
    """Adds who moves: from which square, and of what kind the builder is that stands there."""
    for kind in ALL_KINDS:
        model.mover[kind, t] = model.bool(f"mover {KINDS[kind]} {t}")
    for p in reachable.moves[t]:
        moves = model.moves[p, t] = model.bool(f"moves {p} {t}")
        model.when([moves], model.occupied[p, t])
        for kind in ALL_KINDS:
            model.when([moves, model.stands[p, kind, t]], model.mover[kind, t])
    active = model.builds[t] + model.advances[t]
    model.equal(sum(model.moves[p, t] for p in reachable.moves[t]), active)
    model.equal(sum(model.mover[kind, t] for kind in ALL_KINDS), active)


def _walk(model: PlanModel, reachable: ReachableBuilders, occupied: dict[int, Literal], t: int) -> dict[int, Literal]:
    """Lets the moving builder step over others to the next free square, round to its own if there is no other."""
    places = model.graph.tables.path
    arrives: dict[int, Literal] = {p: model.bool(f"arrives {p} {t}") for p in reachable.arrives[t]}
    lands: dict[int, Literal] = {}
    for p in reachable.arrives[t]:
        before = (p - 1) % places
        leaves, returns = model.moves.get((before, t), False), model.moves.get((p, t), False)
        comes = arrives.get(before, False)
        model.when([leaves], arrives[p])
        model.when([comes, occupied[before], negate(leaves)], arrives[p])
        model.when([arrives[p]], comes, leaves)
        model.when([arrives[p]], occupied[before])
        lands[p] = model.bool(f"lands {p} {t}")
        model.when([lands[p]], arrives[p])
        model.when([arrives[p], negate(occupied[p])], lands[p])
        model.when([lands[p], occupied[p]], returns)
        model.when([arrives[p], returns], lands[p])
    model.equal(sum(lands.values()), model.builds[t] + model.advances[t])
    firsts = first_squares(model.graph)
    model.crosses[t] = model.any_of(f"crosses {t}", (arrives[p] for p in sorted(arrives) if p in firsts))
    return lands


def _go_on(
    model: PlanModel, reachable: ReachableBuilders, lands: dict[int, Literal], t: int
) -> dict[tuple[int, int], Literal]:
    """Gets who stands where after the turn: who stood there and did not leave, and who came."""
    after: dict[tuple[int, int], Literal] = {}
    for p in range(model.graph.tables.path):
        goes, land = model.moves.get((p, t), False), lands.get(p, False)
        for kind in ALL_KINDS:
            before, moving = model.stands[p, kind, t], model.mover[kind, t]
            comes = land is not False and (t == model.last or (p, kind) in reachable.stands[t + 1])
            if before is False and not comes:
                after[p, kind] = False
            elif goes is False and land is False:
                after[p, kind] = before
            else:
                after[p, kind] = model.bool(f"after {p} {KINDS[kind]} {t}")
            model.when([before], after[p, kind], goes)
            model.when([before, goes], negate(after[p, kind]), land)
            model.when([land, moving], after[p, kind])
            model.when([after[p, kind]], before, land)
            model.when([after[p, kind]], before, moving)
    return after


def add_reserve(model: PlanModel) -> None:
    """Adds picks: one for each own aqueduct closed in a turn, while the reserve lasts (step 8)."""
    reserve = model.graph.state.reserve
    total = sum(reserve)
    if not total:
        return
    for t in model.turns:
        for kind in ALL_KINDS:
            if reserve[kind]:
                model.pick[kind, t] = model.cp.new_int_var(0, reserve[kind], f"pick {KINDS[kind]} {t}")
    for kind in ALL_KINDS:
        if reserve[kind]:
            model.at_most(sum(model.pick[kind, t] for t in model.turns), reserve[kind])
    for t in model.turns:
        taken = sum(model.pick[kind, u] for kind in ALL_KINDS for u in range(1, t + 1) if reserve[kind])
        closed = sum(model.closed[a, t] for a in model.graph.open)
        if total >= len(model.graph.open):
            model.equal(taken, closed)
        else:
            least = model.cp.new_int_var(0, total, f"taken {t}")
            model.cp.add_min_equality(least, [closed, total])
            model.equal(taken, least)


def add_placing(model: PlanModel, may_place: list[set[int]]) -> None:
    """Adds placing: what was held, or picked in the turn before, goes on free path squares (step 1)."""
    state, places = model.graph.state, range(model.graph.tables.path)
    for t in model.turns:
        for kind in may_place[t]:
            for p in places:
                model.place[p, kind, t] = model.bool(f"place {p} {KINDS[kind]} {t}")
            placed = sum(model.place[p, kind, t] for p in places)
            if t == 1:
                model.equal(placed, state.held[5 * state.player + kind])
                continue
            picked, most = model.pick[kind, t - 1], state.reserve[kind]
            model.at_most(placed, picked)
            model.at_most(picked, placed + most * model.over[t])
            # Without a workman nothing is placed any more [R4].
            model.at_most(placed + most * model.over[t], most)
