"""The explorer's tick for a second method: which questions have one, and what people are told of two proofs."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from typing import Any

import pytest
from waiting import wait_for

import aquakit
from aquakit import Explorer
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.romana.planner import offers
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan import portfolio
from aquakit.romana.planner.plan_question import PlanQuestion

CLOSES = aquakit.parse(
    "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J "
    ".c...s./b.dc../.c.b.s./.d.c.. cj -,s *.*.*,*.1.* 9.9.4.5 1! 0"
)
"""Whoever closes nothing makes less of three turns."""


def test_only_plans_have_a_second_method_and_only_if_both_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def second(position: Any) -> dict[str, bool]:
        return {q["id"]: bool(q["second"]) for q in Explorer(position).planner["questions"]}

    assert second("romana2-5x4") == {"plan": True, "timing": False, "longest": False}
    assert second(AQUADUKT) == {"canals": False}
    monkeypatch.setattr(offers, "find_spec", lambda name: None if name == "ortools" else name)
    assert not any(second("romana2-5x4").values())


def test_an_answer_says_in_words_who_proved_what() -> None:
    explorer = Explorer(ROMANA)
    explorer.plan("plan", 2, verify=True)
    first, words = explorer.wait_for_plan(300).summary
    assert re.fullmatch(r"8 points in 2 turns, proved by search in .* s, confirmed by cpsat in .* s", first)
    assert words.startswith("Two proofs: the exact search proved in ")
    assert " that no plan makes more than 8 points; the solver CP-SAT, which " in words
    explorer.plan("plan", 2)
    assert len(explorer.wait_for_plan(300).summary) == 1


def test_a_second_method_without_time_is_told_of_as_one_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offers, "SECONDS", 1e-6)
    explorer = Explorer(ROMANA)
    explorer.plan("plan", 2, verify=True)
    first, words = explorer.wait_for_plan(300).summary
    assert "proved by search" in first
    assert "not confirmed by cpsat" in first
    assert re.match(
        r"Only one proof: .* no plan makes more than 8 points; .* CP-SAT came to no end in .* than \d+", words
    )


def test_a_plan_that_is_stopped_before_its_proof_has_nothing_to_confirm() -> None:
    stop = threading.Event()
    stop.set()
    found = offers.answer(aquakit.parse(ROMANA), "plan", 8, stop=stop, tell=lambda _: None, verify=True)
    assert found.summary[0].startswith("nothing proved")
    assert found.summary[1].startswith("No proof yet")


def test_methods_that_contradict_each_other_are_an_error_and_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    class ForgetfulSearcher(Searcher):
        """A search that has forgotten that aqueducts may be closed voluntarily."""

        def __init__(self, task: PlanQuestion, **compiled: Any) -> None:
            super().__init__(replace(task, voluntary=False), **compiled)

    monkeypatch.setattr(portfolio, "Searcher", ForgetfulSearcher)
    explorer = Explorer(CLOSES)
    explorer.plan("plan", 3)
    explorer.wait_for_plan(300)
    wrong = explorer.planned.summary[0].split()[0]
    explorer.plan("plan", 3, verify=True)
    assert explorer.wait_for_plan(300) is None
    wait_for(lambda: not explorer.planner["running"])
    said = explorer.planner["problem"]
    assert "cpsat has a plan of " in said
    assert f"but search proves that none has more than {wrong};" in said
    assert "please report" in said
    assert explorer.planner["answer"] is None
