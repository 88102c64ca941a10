"""Reads a plan from a solution of the planner's model, and plays it through the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aquakit.errors import AquakitError
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn
from aquakit.romana.planner.cpmodel.builders import ALL_KINDS
from aquakit.romana.planner.cpmodel.tiles import TILES
from aquakit.romana.planner.cpmodel.variables import Literal, PlanModel, negate
from aquakit.romana.planner.plan_question import PlanQuestion
from aquakit.romana.position import Position

Value = Callable[[Any], int]


@dataclass
class TurnDecisions:
    """A turn as the model has it, with the literals that make it this turn."""

    actions: dict[str, list[Action]] = field(default_factory=dict)
    """What is decided in each phase, in order."""
    literals: list[Literal] = field(default_factory=list)
    spare_kind: int | None = None
    """The kind of an extra tile laid where only its kind matters."""


@dataclass(frozen=True)
class PlanReplay:
    """What the rules say about a plan of the model."""

    turns: tuple[Turn, ...]
    """The legal turns."""
    position: Position
    """Where they lead to."""
    failed: int | None
    """The turn that is not legal as it stands, from 1; none if all are."""
    problem: str = ""


def read_solution(model: PlanModel, value: Value) -> list[TurnDecisions]:
    """Reads the turns of a solution."""

    def holds(literal: Literal) -> bool:
        return literal if isinstance(literal, bool) else bool(value(literal))

    decisions = []
    for t in model.turns:
        if holds(model.over[t]):
            break
        decided = TurnDecisions()
        _read_builders(model, decided, t, holds, value)
        _read_tiles(model, decided, t, holds)
        _read_closing(model, decided, t, holds)
        decisions.append(decided)
    return decisions


def _read_builders(
    model: PlanModel, decided: TurnDecisions, t: int, holds: Callable[[Literal], bool], value: Value
) -> None:
    names = model.question.position.layout.path_names
    places = range(model.graph.tables.path)
    for kind in ALL_KINDS:
        for p in places:
            placed = model.place.get((p, kind, t), False)
            if holds(placed):
                _note(decided, "place", Action("place", path=names[p], builder=KINDS[kind]), placed)
        for _ in range(value(model.pick[kind, t]) if (kind, t) in model.pick else 0):
            _note(decided, "pick", Action("pick", builder=KINDS[kind]))
    for p in places:
        moves = model.moves.get((p, t), False)
        if holds(moves) and holds(model.advances[t]):
            _note(decided, "move", Action("advance", path=names[p]), moves, model.advances[t])
        elif holds(moves):
            _note(decided, "move", Action("build", path=names[p]), moves)


def _read_tiles(model: PlanModel, decided: TurnDecisions, t: int, holds: Callable[[Literal], bool]) -> None:
    for what, table in (("move", model.build), ("extra", model.extra)):
        for (q, u), literal in table.items():
            if u == t and holds(literal):
                code = next(code for code in TILES if holds(model.tile[q, code]))
                decided.literals += [literal, model.tile[q, code]]
                if what == "move":
                    decided.actions["move"] = [
                        action._replace(square=model.name(q), tile=CODES[code]) for action in decided.actions["move"]
                    ]
                else:
                    decided.actions["extra"] = [Action("extra", model.name(q), CODES[code])]
    if holds(model.dump[t]):
        decided.spare_kind = next(kind for kind in range(4) if holds(model.won[kind, t]))
        decided.literals += [model.dump[t], model.won[decided.spare_kind, t]]


def _read_closing(model: PlanModel, decided: TurnDecisions, t: int, holds: Callable[[Literal], bool]) -> None:
    for a in model.graph.open:
        shut = model.shut[a, t]
        if holds(shut):
            _note(decided, "close", Action("close", aqueduct=model.question.position.layout.outlets[a].name), shut)
        else:
            decided.literals.append(negate(shut))


def _note(decided: TurnDecisions, phase: str, action: Action, *literals: Literal) -> None:
    decided.actions.setdefault(phase, []).append(action)
    decided.literals += literals


# Playing it


def replay(model: PlanModel, decisions: list[TurnDecisions]) -> PlanReplay:
    """Plays the turns of a solution as far as they are legal."""
    position, turns = model.question.position, list[Turn]()
    for number, decided in enumerate(decisions, start=1):
        if position.is_over:
            return PlanReplay(tuple(turns), position, number, "no workman is left")
        try:
            turn, position = _play(model, position, decided)
        except AquakitError as problem:
            return PlanReplay(tuple(turns), position, number, str(problem))
        turns.append(turn)
        if barred := _forbidden(model.question, turn, number):
            return PlanReplay(tuple(turns), position, number, f"{barred} is not wanted")
    failed = None if position.is_over or len(turns) == model.last else len(turns) + 1
    return PlanReplay(tuple(turns), position, failed)


def _play(model: PlanModel, position: Position, decided: TurnDecisions) -> tuple[Turn, Position]:
    """Plays one turn, phase by phase."""
    waiting = {phase: list(actions) for phase, actions in decided.actions.items()}
    done: list[Action] = []
    while not done or position.played:
        phase = {"build": "move", "advance": "move"}.get(position.phase, position.phase)
        action = waiting[phase].pop(0) if waiting.get(phase) else _default(model, position, decided.spare_kind)
        position = position.act(action)
        done.append(action)
        if position.is_over:
            break
    return Turn(done), position


def _default(model: PlanModel, position: Position, kind: int | None) -> Action:
    """Gets an action that the model leaves open because it makes no difference."""
    actions = position.actions()
    if actions[0].what == "extra":
        spare = {model.name(q) for q in model.spare_squares}
        actions = [action for action in actions if action.square in spare] or actions
        actions = [action for action in actions if kind in (None, KIND_OF[CODES.index(action.tile)])] or actions
    wanted = [action for action in actions if str(action) not in model.question.forbid]
    return (wanted or actions)[0]


def _forbidden(question: PlanQuestion, turn: Turn, number: int) -> str:
    """Gets the first of a turn's actions that the question does not want, or nothing."""
    for action in turn:
        token = str(action)
        if token in question.forbid or (action.square and action.square in question.forbid):
            return token
        if number == 1 and action.what in ("build", "advance") and question.first not in (None, token):
            return token
    return ""
