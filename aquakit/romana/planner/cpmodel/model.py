"""Assembles the CP-SAT model of a plan: every legal plan is in it, and hardly any other."""

from __future__ import annotations

from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import read_action
from aquakit.romana.planner.cpmodel import bounds, builders, reach, rivals, scores, tiles, turns
from aquakit.romana.planner.cpmodel.builders import ALL_KINDS, Outlook
from aquakit.romana.planner.cpmodel.frame import Frame, Literal
from aquakit.romana.planner.cpmodel.ground import Ground
from aquakit.romana.planner.plan.task import Task


def make_model(task: Task) -> Frame:
    """Builds the model for a task, without an objective."""
    ground = Ground.of(task)
    places, outlook = kinds_placed(ground), Outlook()
    crossing = [True] * (task.turns + 1)
    while True:
        ground.may_cross = crossing
        ground.measure()
        outlook = builders.look_ahead(ground, squares_used(ground), places)
        crossing = builders.may_cross(ground, outlook)
        if crossing == ground.may_cross:
            break
    frame = Frame(task, ground)
    tiles.add_tiles(frame)
    reach.add_reach(frame)
    reach.add_order(frame)
    reach.add_labels(frame)
    turns.add_turns(frame)
    bounds.add_growth(frame)
    scores.add_stuck(frame)
    scores.add_closing(frame)
    scores.add_over(frame)
    builders.add_reserve(frame)
    builders.add_placing(frame, places)
    builders.add_builders(frame, outlook)
    turns.add_extensions(frame, outlook)
    turns.add_kinds(frame, outlook)
    turns.add_stock(frame)
    turns.add_extras(frame)
    turns.add_duty(frame)
    scores.add_podiums(frame)
    bounds.add_bounds(frame)
    rivals.add_rivals(frame)
    add_wishes(frame)
    return frame


def kinds_placed(ground: Ground) -> list[set[int]]:
    """Finds the kinds of builders that may be placed in each turn."""
    s = ground.state
    held = {kind for kind in ALL_KINDS if s.held[5 * s.player + kind]}
    reserve = {kind for kind in ALL_KINDS if s.reserve[kind]}
    return [set(), held] + [set(reserve) for _ in range(2, ground.turns + 1)]


def squares_used(ground: Ground) -> list[set[int]]:
    """Finds the path squares from which a builder may move in each turn: all, where one may be advanced."""
    everywhere = set(range(ground.tables.path))
    return [set()] + [everywhere for _ in range(1, ground.turns + 1)]


def add_wishes(frame: Frame) -> None:
    """Adds what the task asks of the first turn and forbids in all."""
    task = frame.task
    if task.first is not None:
        for literal in find_move(frame, task.first, 1):
            frame.clause([literal])
    for word in task.forbid:
        if word not in task.position.layout.square_index:
            for t in frame.turns:
                _forbid(frame, word, t)


def _forbid(frame: Frame, token: str, t: int) -> None:
    """Keeps a token out of a turn; what is left over is found when a plan is replayed."""
    action, layout = read_action(token), frame.task.position.layout
    kind = KINDS.index(action.builder) if action.builder else 0
    match action.what:
        case "build" | "advance":
            frame.when(find_move(frame, token, t), False)
        case "extra":
            q, code = layout.square_index[action.square], CODES.index(action.tile)
            frame.when([frame.extra.get((q, KIND_OF[code], t), False), frame.tile.get((q, code), False)], False)
        case "close" if action.aqueduct != "-":
            frame.when([frame.shut.get((layout.aqueduct_index[action.aqueduct], t), False)], False)
        case "pick" if (kind, t) in frame.pick:
            frame.equal(frame.pick[kind, t], 0)
        case "place":
            frame.when([frame.place.get((layout.path_index[action.path], kind, t), False)], False)


def find_move(frame: Frame, token: str, t: int) -> list[Literal]:
    """Gets what must hold for a turn's build or advance to be the one written."""
    action, layout = read_action(token), frame.task.position.layout
    p = layout.path_index[action.path]
    movers = frame.any_of(f"{token} {t}", builders.moved(frame, p, t))
    if action.what == "advance":
        return [movers, frame.advances[t]]
    q, code = layout.square_index[action.square], CODES.index(action.tile)
    return [movers, frame.build.get((q, KIND_OF[code], t), False), frame.tile.get((q, code), False)]
