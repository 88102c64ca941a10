"""A contradiction is never called a proof: methods that forget a rule, or claim too much, are found out."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import aquakit
from aquakit.cli import main as cli
from aquakit.engine.batch import BatchPiece, answer
from aquakit.errors import ProofFailure, contradiction
from aquakit.planning.cpsat import SolverProgress
from aquakit.romana.planner.cpmodel import cuts
from aquakit.romana.planner.cpmodel.cuts import ModelResult, solve_model
from aquakit.romana.planner.exact.searcher import Searcher, SearchResult, Stop
from aquakit.romana.planner.plan import portfolio
from aquakit.romana.planner.plan.plan import plan
from aquakit.romana.planner.plan.portfolio import Portfolio
from aquakit.romana.planner.plan_question import PlanQuestion

TEXT = (
    "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J "
    ".c...s./b.dc../.c.b.s./.d.c.. cj -,s *.*.*,*.1.* 9.9.4.5 1! 0"
)
POINTS = 14
"""What the best three turns are worth; without closing voluntarily they are worth less."""
QUESTION = PlanQuestion(aquakit.parse(TEXT), 3)


# Methods that err


class ForgetfulSearcher(Searcher):
    """A search that has forgotten that aqueducts may be closed voluntarily."""

    def __init__(self, task: PlanQuestion, **compiled: Any) -> None:
        super().__init__(replace(task, voluntary=False), **compiled)


class LowSearcher(Searcher):
    """A search whose bound before all search is too low."""

    def __init__(self, task: PlanQuestion, **compiled: Any) -> None:
        super().__init__(task, **compiled)
        self.upper_bound = 5


class BoastfulSearcher(Searcher):
    """A search that counts a point too many."""

    def run(self, *given: Any, **options: Any) -> SearchResult:
        found = super().run(*given, **options | {"watch": None})
        assert found.points is not None
        return replace(found, points=found.points + 1)


class LateSearcher(Searcher):
    """A search that begins when the other method has its proof."""

    def run(self, *given: Any, watch: Any = None, **options: Any) -> SearchResult:
        try:
            while True:
                watch(None, None, 0)
        except Stop:
            return super().run(*given, **options)


def forget_closing(question: PlanQuestion, **options: Any) -> ModelResult:
    """Solves a model that has forgotten that aqueducts may be closed voluntarily."""
    return solve_model(replace(question, voluntary=False), **options)


def take_two_off_the_bound(question: PlanQuestion, **options: Any) -> ModelResult:
    """Solves the model, and claims a bound that is too low."""
    found = solve_model(question, **options)
    return replace(found, bound=found.bound - 2)


def tell_a_low_bound(
    question: PlanQuestion, *, on_progress: Callable[[SolverProgress], None], **options: Any
) -> ModelResult:
    """Solves the model, and tells of a bound that is too low from a thread of the solver."""
    return solve_model(question, on_progress=lambda so_far: on_progress(replace(so_far, bound=3)), **options)


def found_out(claims: str) -> Any:
    """Expects a contradiction that names both claims."""
    return pytest.raises(ProofFailure, match=claims)


# One method, and the rules


def test_a_plan_above_the_bound_of_the_search_is_no_proof() -> None:
    with pytest.raises(
        ProofFailure, match=r"search has a plan of \d+ points, .* search proves that none has more than 5;"
    ):
        Portfolio(QUESTION, method="search", searcher=LowSearcher(QUESTION)).run()


def test_a_plan_above_the_bound_of_the_model_is_no_proof() -> None:
    with pytest.raises(
        ProofFailure, match=r"cpsat has a plan of 14 points, .* cpsat proves that none has more than 12;"
    ):
        Portfolio(QUESTION, method="cpsat", solve=take_two_off_the_bound).run()


def test_a_bound_told_on_the_way_is_a_claim_too() -> None:
    with found_out("cpsat proves that none has more than 3;"):
        Portfolio(QUESTION, method="cpsat", solve=tell_a_low_bound).run()


def test_points_that_the_rules_do_not_count_are_none() -> None:
    with found_out(r"search counts 15 points for .*, but the rules count 14;"):
        Portfolio(QUESTION, method="search", searcher=BoastfulSearcher(QUESTION)).run()


# Both methods


def test_side_by_side_the_search_finds_out_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "HEAD_START", -1.0)  # the model begins at once
    asked = Portfolio(QUESTION, searcher=LateSearcher(QUESTION), solve=forget_closing)
    with pytest.raises(
        ProofFailure, match=r"search has a plan of 14 points, .* but cpsat proves that none has more than"
    ):
        asked.run()


def test_the_model_as_second_witness_finds_out_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "Searcher", ForgetfulSearcher)
    alone = plan(QUESTION.position, turns=3, method="search")
    assert alone.proved
    with pytest.raises(
        ProofFailure, match=rf"cpsat has a plan .* search proves that none has more than {alone.points};"
    ):
        plan(QUESTION.position, turns=3, method="search", verify=True)


def test_the_search_as_second_witness_finds_out_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    make = cuts.make_model
    monkeypatch.setattr(cuts, "make_model", lambda question: make(replace(question, voluntary=False)))
    alone = plan(QUESTION.position, turns=3, method="cpsat")
    assert alone.proved
    with pytest.raises(
        ProofFailure, match=rf"search has a plan .* cpsat proves that none has more than {alone.points};"
    ):
        plan(QUESTION.position, turns=3, method="cpsat", verify=True)


def test_a_second_witness_whose_bound_is_below_the_plan_contradicts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "Searcher", LowSearcher)
    with pytest.raises(
        ProofFailure, match="cpsat has a plan of 14 points, but search proves that none has more than 5;"
    ):
        plan(QUESTION.position, turns=3, method="cpsat", verify=True)


@pytest.mark.parametrize("whole", [True, False])
def test_a_listing_that_lacks_the_plan_itself_contradicts_it(monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    found = plan(QUESTION.position, turns=2, method="search")
    monkeypatch.setattr(Searcher, "reaches", lambda *asked: False)
    with found_out("search has a plan of .*, but all that is as good was listed without it;"):
        found.alternatives(whole=True) if whole else found.enumerate()


# What people see


def test_the_error_names_the_question_both_claims_and_what_to_do() -> None:
    error = contradiction(replace(QUESTION, voluntary=False, forbid=frozenset({"c4"})), "one thing", "another")
    assert error.where == f"{TEXT}, 3 turns, none is closed voluntarily, without c4"
    assert error.problem == "one thing, but another"
    assert "please report this message and what `aquakit --version` says" in str(error)
    assert isinstance(error, ValueError)


def test_a_long_error_is_shown_whole_and_leaves_a_process_as_it_is() -> None:
    error = pickle.loads(pickle.dumps(contradiction(TEXT * 5, "one thing", "another")))
    assert isinstance(error, ProofFailure)
    assert TEXT * 5 in str(error)


def test_the_command_line_prints_it_and_no_plan(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(portfolio, "Searcher", ForgetfulSearcher)
    assert cli.run(["plan", TEXT, "--turns", "3", "--method", "search", "--verify"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"aquakit: {TEXT}, 3 turns: cpsat has a plan of ")


def test_a_batch_keeps_it_as_the_answer_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "Searcher", LowSearcher)
    line = answer("plan", {"turns": 3, "method": "search"}, BatchPiece(0, "one", QUESTION.position))
    assert line.answer is None
    assert "search proves that none has more than 5" in str(line.error)
