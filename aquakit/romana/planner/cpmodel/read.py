"""Reads a plan from a solution of the planner's model, and plays it through the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aquakit.errors import AquakitError
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn
from aquakit.romana.planner.cpmodel.builders import ALL_KINDS
from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.tiles import TILES
from aquakit.romana.planner.plan.task import Task
from aquakit.romana.position import Position

Value = Callable[[Any], int]


@dataclass
class Step:
    """A turn as the model has it, with the literals that make it this turn."""

    actions: dict[str, list[Action]] = field(default_factory=dict)
    """What is decided in each phase, in order."""
    literals: list[Literal] = field(default_factory=list)
    spare_kind: int | None = None
    """The kind of an extra tile laid where only its kind matters."""


@dataclass(frozen=True)
class Replay:
    """What the rules say about a plan of the model."""

    turns: tuple[Turn, ...]
    """The legal turns."""
    position: Position
    """Where they lead to."""
    failed: int | None
    """The turn that is not legal as it stands, from 1; none if all are."""
    problem: str = ""


def read_steps(frame: Frame, value: Value) -> list[Step]:
    """Reads the turns of a solution."""

    def holds(literal: Literal) -> bool:
        return literal if isinstance(literal, bool) else bool(value(literal))

    steps = []
    for t in frame.turns:
        if holds(frame.over[t]):
            break
        step = Step()
        _read_builders(frame, step, t, holds, value)
        _read_tiles(frame, step, t, holds)
        _read_closing(frame, step, t, holds)
        steps.append(step)
    return steps


def _read_builders(frame: Frame, step: Step, t: int, holds: Callable[[Literal], bool], value: Value) -> None:
    names = frame.task.position.layout.path_names
    places = range(frame.ground.tables.path)
    for kind in ALL_KINDS:
        for p in places:
            placed = frame.place.get((p, kind, t), False)
            if holds(placed):
                _note(step, "place", Action("place", path=names[p], builder=KINDS[kind]), placed)
            moves = frame.moves.get((p, kind, t), False)
            if holds(moves) and holds(frame.advances[t]):
                _note(step, "move", Action("advance", path=names[p]), moves, frame.advances[t])
            elif holds(moves):
                _note(step, "move", Action("build", path=names[p]), moves)
        for _ in range(value(frame.pick[kind, t]) if (kind, t) in frame.pick else 0):
            _note(step, "pick", Action("pick", builder=KINDS[kind]))


def _read_tiles(frame: Frame, step: Step, t: int, holds: Callable[[Literal], bool]) -> None:
    for what, table in (("move", frame.build), ("extra", frame.extra)):
        for (q, _, u), literal in table.items():
            if u == t and holds(literal):
                code = next(code for code in TILES if holds(frame.tile[q, code]))
                step.literals += [literal, frame.tile[q, code]]
                if what == "move":
                    step.actions["move"] = [
                        action._replace(square=frame.name(q), tile=CODES[code]) for action in step.actions["move"]
                    ]
                else:
                    step.actions["extra"] = [Action("extra", frame.name(q), CODES[code])]
    for kind in range(4):
        if holds(frame.dump[kind, t]):
            step.literals.append(frame.dump[kind, t])
            step.spare_kind = kind


def _read_closing(frame: Frame, step: Step, t: int, holds: Callable[[Literal], bool]) -> None:
    for a in frame.ground.open:
        shut = frame.shut[a, t]
        if holds(shut):
            _note(step, "close", Action("close", aqueduct=frame.task.position.layout.outlets[a].name), shut)
        else:
            step.literals.append(negate(shut))


def _note(step: Step, phase: str, action: Action, *literals: Literal) -> None:
    step.actions.setdefault(phase, []).append(action)
    step.literals += literals


# Playing it


def replay(frame: Frame, steps: list[Step]) -> Replay:
    """Plays the turns of a solution as far as they are legal."""
    position, turns = frame.task.position, list[Turn]()
    for number, step in enumerate(steps, start=1):
        if position.is_over:
            return Replay(tuple(turns), position, number, "no workman is left")
        try:
            turn, position = _play(frame, position, step)
        except AquakitError as problem:
            return Replay(tuple(turns), position, number, str(problem))
        turns.append(turn)
        if barred := _forbidden(frame.task, turn, number):
            return Replay(tuple(turns), position, number, f"{barred} is not wanted")
    failed = None if position.is_over or len(turns) == frame.last else len(turns) + 1
    return Replay(tuple(turns), position, failed)


def _play(frame: Frame, position: Position, step: Step) -> tuple[Turn, Position]:
    """Plays one turn, phase by phase."""
    waiting = {phase: list(actions) for phase, actions in step.actions.items()}
    done: list[Action] = []
    while not done or position.played:
        phase = {"build": "move", "advance": "move"}.get(position.phase, position.phase)
        action = waiting[phase].pop(0) if waiting.get(phase) else _default(frame, position, step.spare_kind)
        position = position.act(action)
        done.append(action)
        if position.is_over:
            break
    return Turn(done), position


def _default(frame: Frame, position: Position, kind: int | None) -> Action:
    """Gets an action that the model leaves open because it makes no difference."""
    actions = position.actions()
    if actions[0].what == "extra":
        spare = {frame.name(q) for q in frame.spare_squares}
        actions = [action for action in actions if action.square in spare] or actions
        actions = [action for action in actions if kind in (None, KIND_OF[CODES.index(action.tile)])] or actions
    wanted = [action for action in actions if str(action) not in frame.task.forbid]
    return (wanted or actions)[0]


def _forbidden(task: Task, turn: Turn, number: int) -> str:
    """Gets the first of a turn's actions that the task does not want, or nothing."""
    for action in turn:
        token = str(action)
        if token in task.forbid or (action.square and action.square in task.forbid):
            return token
        if number == 1 and action.what in ("build", "advance") and task.first not in (None, token):
            return token
    return ""
