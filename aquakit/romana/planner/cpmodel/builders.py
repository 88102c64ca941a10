"""Builders in the planner's model: where they stand, who walks, fountains passed, picks from the reserve, placing.

The builder that moves is a token: it arrives at the next path square, goes on while that is occupied, and stays where
it is free (step 3).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from aquakit.romana.kernel import KINDS, NONE
from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.ground import Ground

ALL_KINDS = range(5)


@dataclass
class Outlook:
    """Which builders can stand, move and arrive where: more than really can, never less."""

    stands: list[set[tuple[int, int]]] = field(default_factory=list)
    """[turn]: path squares with kinds, when step 2 begins; index 0 is the position as it stands."""
    moves: list[set[int]] = field(default_factory=list)
    """[turn]: path squares from which a builder may move."""
    arrives: list[set[int]] = field(default_factory=list)
    """[turn]: path squares at which the moving builder may arrive, to stay or to go on."""


def first_squares(ground: Ground) -> set[int]:
    """Gets the path squares just behind a fountain."""
    side, places = ground.tables.side, ground.tables.path
    return {p for p in range(places) if side[p] != side[(p - 1) % places]}


def look_ahead(ground: Ground, may_move: list[set[int]], may_place: list[set[int]]) -> Outlook:
    """Finds which builders can be where, given the path squares used in each turn and the kinds placed."""
    places, outlook = ground.tables.path, Outlook([], [set()], [set()])
    stands = {(p, kind) for p, kind in enumerate(ground.state.path[:places]) if kind != NONE}
    outlook.stands.append(set(stands))
    for t in range(1, ground.turns + 1):
        certain = not may_place[t] and t == 1
        stands |= {(p, kind) for kind in may_place[t] for p in range(places)}
        outlook.stands.append(set(stands))
        held = {p for p, _ in stands}
        movers = may_move[t] & held
        arrives: set[int] = set()
        for p in movers:
            kinds = {kind for square, kind in outlook.stands[t] if square == p}
            way = _way(p, places, held)
            arrives.update(way)
            stands |= {(q, kind) for q in (way[-1:] if certain else way) for kind in kinds}
        outlook.moves.append(movers)
        outlook.arrives.append(arrives)
    return outlook


def _way(p: int, places: int, held: set[int]) -> list[int]:
    """Lists the squares at which a builder arrives in turn, to the first that is free, or to its own again."""
    way = [(p + 1) % places]
    while way[-1] in held and way[-1] != p:
        way.append((way[-1] + 1) % places)
    return way


def may_cross(ground: Ground, outlook: Outlook) -> list[bool]:
    """Finds the turns in which a builder used for an extension may pass a fountain."""
    firsts, places, found = first_squares(ground), ground.tables.path, [False]
    for t in range(1, ground.turns + 1):
        held = {p for p, _ in outlook.stands[t]}
        seen = {p for end in ground.workmen(t) for p in ground.sees(end)}
        found.append(any(firsts.intersection(_way(p, places, held)) for p in seen & held))
    return found


def add_builders(frame: Frame, outlook: Outlook) -> None:
    """Adds the builders' places turn by turn: placed in step 1, moved in step 3."""
    places = range(frame.ground.tables.path)
    after: dict[tuple[int, int], Literal] = {
        (p, kind): frame.ground.state.path[p] == kind for p in places for kind in ALL_KINDS
    }
    for t in frame.turns:
        for p in places:
            for kind in ALL_KINDS:
                _stand(frame, outlook, after, p, kind, t)
        occupied = {p: _occupied(frame, p, t) for p in places}
        frame.occupied.update({(p, t): literal for p, literal in occupied.items()})
        _add_moves(frame, outlook, t)
        if t == frame.last and frame.roomy:
            # Where the last builder goes matters no more, nor does the extra tile it may win.
            frame.crosses[t] = False
            break
        lands = _walk(frame, outlook, occupied, t)
        after = _go_on(frame, outlook, lands, t)


def _stand(frame: Frame, outlook: Outlook, after: dict[tuple[int, int], Literal], p: int, kind: int, t: int) -> None:
    """Says whether a builder stands somewhere in step 2: it stood there before, or was placed in step 1."""
    placed = frame.place.get((p, kind, t), False)
    if placed is False:
        frame.stands[p, kind, t] = after[p, kind]
        return
    frame.stands[p, kind, t] = frame.bool(f"stands {p} {KINDS[kind]} {t}")
    frame.equal(after[p, kind] + placed, frame.stands[p, kind, t])


def _occupied(frame: Frame, p: int, t: int) -> Literal:
    kinds = [frame.stands[p, kind, t] for kind in ALL_KINDS]
    unknown = [literal for literal in kinds if not isinstance(literal, bool)]
    if any(literal is True for literal in kinds):
        for literal in unknown:
            frame.when([literal], False)
        return True
    if not unknown:
        return False
    occupied = frame.bool(f"occupied {p} {t}")
    frame.equal(sum(unknown), occupied)
    return occupied


def _add_moves(frame: Frame, outlook: Outlook, t: int) -> None:
    for p in outlook.moves[t]:
        for kind in ALL_KINDS:
            stands = frame.stands[p, kind, t]
            if stands is not False:
                frame.moves[p, kind, t] = frame.bool(f"moves {p} {KINDS[kind]} {t}")
                frame.when([frame.moves[p, kind, t]], stands)
    active = frame.builds[t] + frame.advances[t]
    frame.equal(sum(frame.moves.get((p, kind, t), 0) for p in outlook.moves[t] for kind in ALL_KINDS), active)


def moved(frame: Frame, p: int, t: int) -> list[Literal]:
    """Lists the ways in which a builder moves from a path square: at most one of them holds."""
    found = (frame.moves.get((p, kind, t)) for kind in ALL_KINDS)
    return [literal for literal in found if literal is not None]


def _walk(frame: Frame, outlook: Outlook, occupied: dict[int, Literal], t: int) -> dict[int, Literal]:
    """Lets the moving builder step over others to the next free square, round to its own if there is no other."""
    places = frame.ground.tables.path
    arrives: dict[int, Literal] = {p: frame.bool(f"arrives {p} {t}") for p in outlook.arrives[t]}
    lands: dict[int, Literal] = {}
    for p in outlook.arrives[t]:
        before = (p - 1) % places
        leaving = moved(frame, before, t)
        comes = arrives.get(before, False)
        for literal in leaving:
            frame.when([literal], arrives[p])
        frame.when([comes, occupied[before], *map(negate, leaving)], arrives[p])
        frame.when([arrives[p]], comes, *leaving)
        frame.when([arrives[p]], occupied[before])
        returns = moved(frame, p, t) if p in outlook.moves[t] else []
        lands[p] = frame.bool(f"lands {p} {t}")
        frame.when([lands[p]], arrives[p])
        frame.when([arrives[p], negate(occupied[p])], lands[p])
        frame.when([lands[p], occupied[p]], *returns)
        for literal in returns:
            frame.when([arrives[p], literal], lands[p])
    frame.equal(sum(lands.values()), frame.builds[t] + frame.advances[t])
    firsts = first_squares(frame.ground)
    frame.crosses[t] = frame.any_of(f"crosses {t}", (arrives[p] for p in sorted(arrives) if p in firsts))
    return lands


def _go_on(frame: Frame, outlook: Outlook, lands: dict[int, Literal], t: int) -> dict[tuple[int, int], Literal]:
    """Gets who stands where after the turn."""
    places = range(frame.ground.tables.path)
    after: dict[tuple[int, int], Literal] = {}
    landing: dict[tuple[int, int], Literal] = {}
    for p, land in lands.items():
        kinds = [kind for kind in ALL_KINDS if (p, kind) in outlook.stands[min(t + 1, frame.last)] or t == frame.last]
        for kind in kinds:
            landing[p, kind] = frame.bool(f"landing {p} {KINDS[kind]} {t}")
        frame.equal(sum(landing[p, kind] for kind in kinds), land)
    for kind in ALL_KINDS:
        moving = sum(frame.moves.get((p, kind, t), 0) for p in outlook.moves[t])
        frame.equal(sum(landing.get((p, kind), 0) for p in lands), moving)
    for p in places:
        for kind in ALL_KINDS:
            before, goes = frame.stands[p, kind, t], frame.moves.get((p, kind, t), False)
            comes = landing.get((p, kind), False)
            if goes is False and comes is False:
                after[p, kind] = before
            else:
                after[p, kind] = frame.bool(f"after {p} {KINDS[kind]} {t}")
                frame.equal(before - goes + comes, after[p, kind])
    return after


def add_reserve(frame: Frame) -> None:
    """Adds picks: one for each own aqueduct closed in a turn, while the reserve lasts (step 8)."""
    reserve = frame.ground.state.reserve
    total = sum(reserve)
    if not total:
        return
    for t in frame.turns:
        for kind in ALL_KINDS:
            if reserve[kind]:
                frame.pick[kind, t] = frame.cp.new_int_var(0, reserve[kind], f"pick {KINDS[kind]} {t}")
    for kind in ALL_KINDS:
        if reserve[kind]:
            frame.at_most(sum(frame.pick[kind, t] for t in frame.turns), reserve[kind])
    for t in frame.turns:
        taken = sum(frame.pick[kind, u] for kind in ALL_KINDS for u in range(1, t + 1) if reserve[kind])
        closed = sum(frame.closed[a, t] for a in frame.ground.open)
        if total >= len(frame.ground.open):
            frame.equal(taken, closed)
        else:
            least = frame.cp.new_int_var(0, total, f"taken {t}")
            frame.cp.add_min_equality(least, [closed, total])
            frame.equal(taken, least)


def add_placing(frame: Frame, may_place: list[set[int]]) -> None:
    """Adds placing: what was held, or picked in the turn before, goes on free path squares (step 1)."""
    state, places = frame.ground.state, range(frame.ground.tables.path)
    for t in frame.turns:
        for kind in may_place[t]:
            for p in places:
                frame.place[p, kind, t] = frame.bool(f"place {p} {KINDS[kind]} {t}")
            placed = sum(frame.place[p, kind, t] for p in places)
            if t == 1:
                frame.equal(placed, state.held[5 * state.player + kind])
                continue
            picked, most = frame.pick[kind, t - 1], state.reserve[kind]
            frame.at_most(placed, picked)
            frame.at_most(picked, placed + most * frame.over[t])
            # Without a workman nothing is placed any more [R4].
            frame.at_most(placed + most * frame.over[t], most)
