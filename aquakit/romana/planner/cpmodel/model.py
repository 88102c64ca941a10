"""Assembles the CP-SAT model of a plan, a close relaxation of the rules: every legal plan is in it, and few others."""

from __future__ import annotations

from aquakit.romana.kernel import CODES, KINDS
from aquakit.romana.notation import read_action
from aquakit.romana.planner.cpmodel import bounds, builders, reach, scores, tiles, turns
from aquakit.romana.planner.cpmodel.builders import ALL_KINDS, ReachableBuilders
from aquakit.romana.planner.cpmodel.ends import EndGraph
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel
from aquakit.romana.planner.plan_question import PlanQuestion


def make_model(question: PlanQuestion) -> PlanModel:
    """Builds the model for a question, without an objective."""
    graph = EndGraph.of(question)
    places, reachable = kinds_placed(graph), ReachableBuilders()
    crossing = [True] * (question.turns + 1)
    while True:
        graph.may_cross = crossing
        graph.measure()
        reachable = builders.look_ahead(graph, squares_used(graph), places)
        crossing = builders.may_cross(graph, reachable)
        if crossing == graph.may_cross:
            break
    model = PlanModel(question, graph)
    tiles.add_tiles(model)
    reach.add_reach(model)
    reach.add_order(model)
    reach.add_labels(model)
    turns.add_turns(model)
    bounds.add_growth(model)
    scores.add_stuck(model)
    scores.add_closing(model)
    scores.add_over(model)
    builders.add_reserve(model)
    builders.add_placing(model, places)
    builders.add_builders(model, reachable)
    turns.add_extensions(model, reachable)
    turns.add_kinds(model)
    turns.add_stock(model)
    turns.add_extras(model)
    turns.add_duty(model)
    scores.add_podiums(model)
    bounds.add_bounds(model)
    add_wishes(model)
    return model


def kinds_placed(graph: EndGraph) -> list[set[int]]:
    """Finds the kinds of builders that may be placed in each turn."""
    s = graph.state
    held = {kind for kind in ALL_KINDS if s.held[5 * s.player + kind]}
    reserve = {kind for kind in ALL_KINDS if s.reserve[kind]}
    return [set(), held] + [set(reserve) for _ in range(2, graph.turns + 1)]


def squares_used(graph: EndGraph) -> list[set[int]]:
    """Finds the path squares from which a builder may move in each turn: all, where one may be advanced."""
    everywhere = set(range(graph.tables.path))
    return [set()] + [everywhere for _ in range(1, graph.turns + 1)]


def add_wishes(model: PlanModel) -> None:
    """Adds what the question asks of the first turn and forbids in all."""
    question = model.question
    if question.first is not None:
        for literal in find_move(model, question.first, 1):
            model.clause([literal])
    for word in question.forbid:
        if word not in question.position.layout.square_index:
            for t in model.turns:
                _forbid(model, word, t)


def _forbid(model: PlanModel, token: str, t: int) -> None:
    """Keeps a token out of a turn; what is left over is found when a plan is replayed."""
    action, layout = read_action(token), model.question.position.layout
    kind = KINDS.index(action.builder) if action.builder else 0
    match action.what:
        case "build" | "advance":
            model.when(find_move(model, token, t), False)
        case "extra":
            q, code = layout.square_index[action.square], CODES.index(action.tile)
            model.when([model.extra.get((q, t), False), model.tile.get((q, code), False)], False)
        case "close" if action.aqueduct != "-":
            model.when([model.shut.get((layout.aqueduct_index[action.aqueduct], t), False)], False)
        case "pick" if (kind, t) in model.pick:
            model.equal(model.pick[kind, t], 0)
        case "place":
            model.when([model.place.get((layout.path_index[action.path], kind, t), False)], False)


def find_move(model: PlanModel, token: str, t: int) -> list[Literal]:
    """Gets what must hold for a turn's build or advance to be the one written."""
    action, layout = read_action(token), model.question.position.layout
    p = layout.path_index[action.path]
    moves = model.moves.get((p, t), False)
    if action.what == "advance":
        return [moves, model.advances[t]]
    q, code = layout.square_index[action.square], CODES.index(action.tile)
    return [moves, model.build.get((q, t), False), model.tile.get((q, code), False)]
