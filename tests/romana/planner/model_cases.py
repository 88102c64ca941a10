"""What the tests of the planner's model share: positions, and questions to a model under construction."""

from __future__ import annotations

import random
from typing import Any

from aquakit.planning import cpsat
from aquakit.romana import Position
from aquakit.romana.kernel import CODES, KINDS
from aquakit.romana.notation import Turn
from aquakit.romana.planner.cpmodel.model import make_model
from aquakit.romana.planner.cpmodel.scores import points
from aquakit.romana.planner.cpmodel.variables import PlanModel
from aquakit.romana.planner.plan_question import PlanQuestion
from tests.random_games import play_on

BOARDS = ("romana2-5x4", "romana2-7x6", "romana2-5x4", "romana2-7x6", "romana2", "romana3", "romana4")


def build_model(position: Position, turns: int, **options: Any) -> PlanModel:
    return make_model(PlanQuestion(position, turns, **options))


def possible(model: PlanModel, *literals: Any, least: int | None = None) -> bool:
    """Asks whether a model has a solution in which some literals hold, worth something."""
    cp = model.cp.clone()
    for literal in literals:
        if literal is False:
            return False
        if literal is not True:
            cp.add_bool_and([literal])
    if least is not None:
        cp.add(points(model) >= least)
    return cpsat.Run(workers=1).solve(cp, 60).found


def study(draw: random.Random) -> Position:
    """Draws a study position from random play, sometimes with few tiles left."""
    while True:
        p = Position.start(draw.choice(BOARDS))
        if draw.random() < 0.4:
            fields = str(p).split(" ")
            fields[6] = ".".join(str(draw.randint(0, 3)) for _ in range(4))
            p = Position.parse(" ".join(fields))
        p = play_on(p, draw, draw.randint(0, 30)).rewind()
        if not p.is_over:
            alone = p.solo(draw.randint(1, len(p.layout.players)))
            if not alone.is_over:
                return alone


def random_plan(position: Position, draw: random.Random, turns: int) -> tuple[list[Turn], Position]:
    """Plays random legal turns alone; closes often, so that there is something to pick and to place."""
    made: list[Turn] = []
    while len(made) < turns and not position.is_over:
        actions, p = [], position
        while not actions or p.played:
            actions.append(draw.choice(p.actions()))
            p = p.act(actions[-1])
            if p.is_over:
                break
        made.append(Turn(actions))
        position = p
    return made, position


def decisions(model: PlanModel, turns: list[Turn]) -> list[Any]:
    """Gets the literals that say that a plan is played; where extra tiles lie is left open."""
    layout, found = model.question.position.layout, []
    for t, turn in enumerate(turns, start=1):
        picks = [action.builder for action in turn if action.what == "pick"]
        for kind, letter in enumerate(KINDS):
            if (kind, t) in model.pick:
                found.append(equals(model, model.pick[kind, t], picks.count(letter)))
        for action in turn:
            p = layout.path_index.get(action.path)
            kind = KINDS.find(action.builder) if action.builder else -1
            match action.what:
                case "place":
                    found.append(model.place[p, kind, t])
                case "advance":
                    found += [moving(model, p, t), model.advances[t]]
                case "build":
                    q, code = layout.square_index[action.square], CODES.index(action.tile)
                    found += [moving(model, p, t), model.build[q, t], model.tile[q, code]]
                case "close" if action.aqueduct != "-":
                    found.append(model.shut[layout.aqueduct_index[action.aqueduct], t])
                case "close":
                    found += [~shut for (_, u), shut in model.shut.items() if u == t and shut is not False]
    return found


def moving(model: PlanModel, p: int, t: int) -> Any:
    return model.moves.get((p, t), False)


def equals(model: PlanModel, expression: Any, value: int) -> Any:
    literal = model.bool("equals")
    model.cp.add(expression == value).only_enforce_if(literal)
    return literal
