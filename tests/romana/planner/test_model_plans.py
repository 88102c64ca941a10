"""Whole plans by the planner's model: against known values, against plain enumeration, and against random play."""

from __future__ import annotations

import random
import threading

import pytest

from aquakit.errors import ProofFailure
from aquakit.romana import Position
from aquakit.romana.planner.cpmodel.cuts import ModelResult, ModelSolver, solve_model
from aquakit.romana.planner.plan_question import PlanQuestion
from tests.romana.crafted import craft
from tests.romana.known_values import values
from tests.romana.planner.model_cases import build_model, decisions, possible, random_plan, study

MIDDLE = (
    "romana4 FF##...##+7/+-J|...FZ.+/...+...+.++/..|+...|.+Z/..+N...N.../..+....|..N/.N+7.J.NN.|/LN##...##-J "
    "c..bscj.bds/....b.../.s..cs....b/d..d.d.. c -,-,-,- 1.3.*,0.*.*,*.*.*,*.*.2 16.14.9.12 3! 0"
)
"""12 points in two turns, by a closing, a pick and a placing."""


def check(question: PlanQuestion, found: ModelResult) -> None:
    """Plays a plan by the rules and compares what it comes to."""
    position = question.position
    for turn in found.turns:
        position = position.play(turn)
    assert len(found.turns) == question.turns or position.is_over
    assert question.worth(position) == found.points


@pytest.mark.parametrize(("turns", "value", "best", "position"), values("plan", 1, 2))
def test_known_plans(turns: int, value: int, best: int, position: str) -> None:
    question = PlanQuestion(Position.parse(position), turns)
    found = solve_model(question)
    assert (found.points, found.bound, found.proved, found.infeasible) == (value, value, True, False)
    check(question, found)


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 7, 8, 9])
def test_one_turn_is_the_best_of_all_turns(seed: int) -> None:
    p = study(random.Random(seed))
    for closed_only in (False, True):
        question = PlanQuestion(p, 1, closed_only=closed_only)
        found = solve_model(question)
        best = max(question.worth(p.play(turn)) for turn in p.turns())
        assert (found.points, found.proved, found.cuts) == (best, True, 0)
        check(question, found)


@pytest.mark.parametrize("seed", range(20))
def test_every_legal_plan_is_in_the_model(seed: int) -> None:
    draw = random.Random(seed)
    p = study(draw)
    count = draw.randint(1, 3)
    turns, end = random_plan(p, draw, count)
    model = build_model(p, count)
    assert possible(model, *decisions(model, turns), least=end.study_points())


def test_a_plan_ends_when_no_workman_is_left() -> None:
    # Red's only workman faces d4, and the only builder in sight lays curves: up to the rim, or down to e3's wall.
    p = craft("romana2-5x4", player="1!", closed={"R1": 0}, builders={"Nc": "c"}, tiles={"d3": "-"})
    question = PlanQuestion(p, 3)
    found = solve_model(question)
    assert (found.points, len(found.turns), found.proved) == (1, 1, True)
    check(question, found)


# What a question can ask for


def test_the_first_build_is_given_or_forbidden() -> None:
    p = Position.parse(MIDDLE)
    best = solve_model(PlanQuestion(p, 1))
    token = str(best.turns[0][0])
    other = solve_model(PlanQuestion(p, 1, forbid=frozenset({token})))
    assert str(other.turns[0][0]) != token
    given = solve_model(PlanQuestion(p, 1, first=str(other.turns[0][0])))
    assert (given.points, str(given.turns[0][0])) == (other.points, str(other.turns[0][0]))


def test_what_is_forbidden_is_not_used() -> None:
    p = Position.parse(MIDDLE)
    for word in ("j3", "*c", "xG2", "g2=F@Nh"):
        question = PlanQuestion(p, 2, forbid=frozenset({word}))
        found = solve_model(question)
        tokens = {str(action) for turn in found.turns for action in turn}
        squares = {action.square for turn in found.turns for action in turn}
        assert word not in tokens | squares
        assert found.proved
        assert found.points is not None
        assert found.points <= 12
        check(question, found)


def test_a_plan_that_cannot_be_is_proved_not_to_be() -> None:
    p = Position.parse(MIDDLE)
    assert solve_model(PlanQuestion(p, 1, first="a1=F@Na")).infeasible
    assert solve_model(PlanQuestion(p, 2, at_least=13)).infeasible
    some = solve_model(PlanQuestion(p, 2, at_least=11))
    assert some.proved
    assert some.points is not None
    assert some.points >= 11


def test_a_floor_asks_for_better_plans_only() -> None:
    p = Position.parse(MIDDLE)
    beaten = solve_model(PlanQuestion(p, 2), floor=11)
    assert (beaten.points, beaten.proved) == (12, True)
    unbeaten = solve_model(PlanQuestion(p, 2), floor=12)
    assert (unbeaten.points, unbeaten.bound, unbeaten.proved, unbeaten.infeasible) == (None, 12, True, False)


def test_closing_voluntarily_can_be_ruled_out() -> None:
    question = PlanQuestion(Position.parse(MIDDLE), 2, voluntary=False)
    found = solve_model(question)
    assert not any(action.aqueduct not in ("", "-") for turn in found.turns for action in turn)
    check(question, found)


def test_it_can_be_stopped() -> None:
    stop = threading.Event()
    stop.set()
    found = solve_model(PlanQuestion(Position.parse(MIDDLE), 6), stop=stop)
    assert not found.proved


# Plans that the rules refuse


def test_a_refused_plan_is_cut_off_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    # A model that forgets the builders' kinds would lay a straight before the loose one, with the curve's builder.
    monkeypatch.setattr("aquakit.romana.planner.cpmodel.model.turns.add_kinds", lambda model: None)
    question = PlanQuestion(craft("romana2-5x4", player="1!", builders={"Nb": "c"}, tiles={"b2": "|"}), 1)
    found = solve_model(question)
    assert (found.points, found.proved) == (1, True)
    assert found.cuts > 0
    check(question, found)


def test_the_better_of_model_and_rules_is_never_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    # A model that says less than the rules give is wrong, and that is an error and no answer.
    p = Position.parse(MIDDLE)
    solving = ModelSolver(PlanQuestion(p, 1), 1, 0, None, None, None, None)
    monkeypatch.setattr(PlanQuestion, "worth", lambda question, position: 99)
    with pytest.raises(ProofFailure, match=r"is worth 99 points.* but cpsat proves that none is worth more than"):
        solving.run(None)
