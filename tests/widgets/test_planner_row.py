"""The explorer's planner without a browser: questions, work in the background, answers as data, in both games."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from clicking import check, tell, turns
from waiting import wait_for

import aquakit
from aquakit import Explorer
from aquakit.board import clicks
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.core.plugins import MissingRoom
from aquakit.errors import InvalidOption
from aquakit.planning.plans import Count, Ghost, PlannerAnswer, PlannerQuestion, PlannerStep
from aquakit.widgets.panels import plan_job
from aquakit.widgets.panels.plans import PlansPanel
from aquakit.workshop import served

SMALL = aquakit.start("romana2-5x4")
STUDY = SMALL.solo(1)


class Offers:
    """A game's planners as a test wants them: the work waits until it is let go or stopped."""

    def __init__(self) -> None:
        self.go, self.stopped = threading.Event(), threading.Event()
        self.tell: Callable[[str], None] | None = None
        self.asked: list[tuple[Any, str, int | None]] = []
        self.verify: list[bool] = []
        self.fails: Exception | None = None
        self.module = SimpleNamespace(questions=self.questions, answer=self.answer)

    def questions(self, position: Any) -> tuple[PlannerQuestion, ...]:
        refusal = "over" if position.is_over else ""
        return (
            PlannerQuestion("wait", "Wait", "the end", Count("hours", 1, 9, 4), refusal),
            PlannerQuestion("watch", "Watch", "the end", None, refusal, "somebody else looks at the clock"),
        )

    def answer(
        self,
        position: Any,
        question: str,
        number: int | None,
        *,
        stop: threading.Event,
        tell: Any,
        **options: bool,
    ) -> PlannerAnswer:
        self.asked.append((position, question, number))
        self.verify += options.values()
        self.tell = tell
        while not self.go.wait(0.01) and not stop.is_set():
            pass
        if stop.is_set():
            self.stopped.set()
        if self.fails is not None:
            raise self.fails
        ghosts = (Ghost("c3", "tile", "1", "t1"),)
        return PlannerAnswer(
            ("best so far",) if stop.is_set() else ("proved",), (PlannerStep("<b>lay</b>", "", ghosts),)
        )


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> Iterator[Offers]:
    made = Offers()
    monkeypatch.setattr(plan_job, "find_offers", lambda _: made.module)
    yield made
    made.go.set()


def labels(explorer: Explorer) -> dict[str, str]:
    """Gets the labels of all ghosts by their places."""
    steps = explorer.planner["answer"]["steps"]
    return {ghost["on"]: ghost["label"] for step in steps for ghost in step["ghosts"]}


# Questions


@pytest.mark.parametrize(
    ("position", "expected"),
    [(SMALL, {"plan": 3, "timing": 6, "longest": None}), (aquakit.start("aquadukt2", seed=1), {"canals": 4})],
)
def test_each_game_says_what_can_be_planned(position: Any, expected: dict[str, int | None]) -> None:
    questions = Explorer(position).planner["questions"]
    assert {q["id"]: q["number"] and q["number"]["usual"] for q in questions} == expected
    assert [q["refusal"] for q in questions] == [""] * len(expected)


def test_a_game_without_a_planner_has_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    room = type(SMALL).room

    def no_planner(name: str) -> Any:
        if name.startswith("planner"):
            raise MissingRoom("no planner")
        return room(name)

    monkeypatch.setattr(type(SMALL), "room", staticmethod(no_planner))
    explorer = Explorer(SMALL)
    assert explorer.planner["questions"] == []
    with pytest.raises(InvalidOption, match="question"):
        explorer.plan("plan")


def test_a_fault_in_a_planner_module_is_not_taken_for_its_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> Any:
        raise ModuleNotFoundError("no such package", name="missing")

    monkeypatch.setattr(type(SMALL), "room", staticmethod(broken))
    with pytest.raises(ModuleNotFoundError):
        plan_job.find_offers(SMALL)


def test_a_finished_game_says_why_nothing_can_be_planned() -> None:
    over = SMALL
    while not over.is_over:
        over = over.play(next(over.turns()))
    questions = Explorer(over).planner["questions"]
    assert all("over" in q["refusal"] for q in questions)


def test_a_study_position_without_workmen_says_so() -> None:
    done = STUDY
    while not done.is_over:
        done = done.play(next(done.turns()))
    assert all(q["refusal"] for q in Explorer(done).planner["questions"])


def test_inside_a_turn_only_a_plan_is_refused() -> None:
    explorer = Explorer(SMALL)
    explorer.choose(explorer.offer["choices"][0]["id"])
    while not explorer.position.played:
        explorer.choose(explorer.offer["choices"][0]["id"])
    refusals = {q["id"]: q["refusal"] for q in explorer.planner["questions"]}
    assert "inside a turn" in refusals["plan"]
    assert refusals["timing"] == refusals["longest"] == ""


def test_nothing_is_planned_while_the_position_is_edited(offers: Offers) -> None:
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    explorer.edit()
    assert offers.stopped.wait(10)
    assert explorer.planner["questions"][0]["refusal"] == "the position is edited"
    with pytest.raises(InvalidOption, match="editor"):
        explorer.plan("wait")
    explorer.cancel()
    assert explorer.planner["questions"][0]["refusal"] == ""


@pytest.mark.parametrize(("question", "number"), [("walk", None), ("", 3), ("wait", 0), ("wait", 10), ("wait", 2.5)])
def test_bad_questions_are_shown_beside_the_row(offers: Offers, question: Any, number: Any) -> None:
    explorer = Explorer(SMALL)
    with pytest.raises(InvalidOption) as caught:
        explorer.plan(question, number)
    tell(explorer, do="plan", question=question, number=number, verify=False)
    assert explorer.planner["problem"] == str(caught.value)
    assert explorer.problem == ""
    assert offers.asked == []
    tell(explorer, do="plan", question="wait", number=2, verify=False)
    assert explorer.planner["problem"] == ""


# A second method


def test_the_second_method_is_asked_where_there_is_one_and_it_is_ticked(offers: Offers) -> None:
    offers.go.set()
    explorer = Explorer(SMALL)
    assert [q["second"] for q in explorer.planner["questions"]] == ["", "somebody else looks at the clock"]
    for verify in (True, False):
        tell(explorer, do="plan", question="watch", number=None, verify=verify)
        explorer.wait_for_plan(300)
        assert explorer.planner["asked"] == {"id": "watch", "number": None, "verify": verify}
    explorer.plan("wait")
    explorer.wait_for_plan(300)
    assert offers.verify == [True, False], "a question with one method is not told of a second one"


@pytest.mark.parametrize(("question", "verify"), [("wait", True), ("watch", 1)])
def test_a_second_method_that_is_not_there_is_refused(offers: Offers, question: str, verify: Any) -> None:
    explorer = Explorer(SMALL)
    with pytest.raises(InvalidOption, match="verify"):
        explorer.plan(question, verify=verify)
    assert offers.asked == []
    tell(explorer, do="plan", question="wait", number=2, verify=True)
    assert "no second method" in explorer.planner["problem"]
    assert offers.asked == []


# Work in the background


def test_what_a_visitor_asks_for_has_an_end(offers: Offers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(served.SERVED, "1")
    monkeypatch.setattr(served, "PATIENCE", 0.05)
    explorer = Explorer(SMALL)
    tell(explorer, do="plan", question="wait", number=9, verify=False)
    assert offers.stopped.wait(60)
    wait_for(lambda: explorer.planner["answer"])
    assert explorer.planner["answer"]["summary"] == ["best so far"]


def test_progress_and_the_answer_are_shown(offers: Offers) -> None:
    explorer = Explorer(SMALL)
    step = explorer.step
    tell(explorer, do="plan", question="wait", number=None, verify=False)
    wait_for(lambda: offers.tell)
    assert offers.asked == [(SMALL, "wait", 4)]
    assert explorer.planner["running"]
    assert explorer.planner["asked"] == {"id": "wait", "number": 4, "verify": False}
    offers.tell("best so far 3, at most 9")
    assert explorer.planner["status"] == "best so far 3, at most 9"
    offers.go.set()
    answer = explorer.wait_for_plan(300)
    assert answer is explorer.planned
    assert answer.summary == ("proved",)
    assert not explorer.planner["running"]
    assert labels(explorer) == {"c3": "1"}
    assert explorer.planner["answer"]["steps"][0]["text"] == "<b>lay</b>"
    assert explorer.step == step, "the board itself is not drawn again"
    json.dumps(explorer.get_state())


def test_stop_asks_for_the_best_so_far(offers: Offers) -> None:
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    tell(explorer, do="stop_plan")
    assert explorer.wait_for_plan(300).summary == ("best so far",)
    wait_for(lambda: not explorer.planner["running"])
    tell(explorer, do="stop_plan")
    assert explorer.planned is not None


def test_who_does_not_want_to_wait_gives_up(offers: Offers) -> None:
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    explorer.stop_plan()
    tell(explorer, do="clear_plan")
    assert offers.stopped.wait(10)
    assert explorer.planner["asked"] is None
    assert explorer.planned is None


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.play("b3=+@E4 x-"),
        lambda x: x.choose(x.offer["choices"][0]["id"]) or x.play(next(x.position.turns())),
        lambda x: setattr(x, "position", STUDY),
        lambda x: x.close(),
        lambda x: x.plan("wait", 2),
    ],
)
def test_work_is_stopped_when_nobody_waits_for_it(offers: Offers, change: Callable[[Explorer], Any]) -> None:
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    job = explorer.beside(PlansPanel).job
    wait_for(lambda: offers.tell)
    change(explorer)
    assert offers.stopped.wait(10)
    job.wait(10)
    assert explorer.beside(PlansPanel).job is not job
    assert explorer.planned is None


def test_an_answer_for_a_position_that_is_gone_is_dropped(offers: Offers) -> None:
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    wait_for(lambda: offers.tell)
    job, late = explorer.beside(PlansPanel).job, offers.tell
    explorer.play("b3=+@E4 x-")
    job.wait(10)
    late("too late")
    assert explorer.planner["answer"] is None
    assert explorer.planner["status"] == ""


def test_ghosts_go_when_the_position_changes_and_stay_while_it_does_not(offers: Offers) -> None:
    offers.go.set()
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    explorer.wait_for_plan(300)
    explorer.plan_shown = 1
    explorer.flip = True
    explorer.comment("still here")
    assert labels(explorer) == {"c3": "1"}
    explorer.play("b3=+@E4 x-")
    assert explorer.planner["answer"] is None
    assert explorer.plan_shown is None
    explorer.undo()
    assert explorer.planner["answer"] is None


@pytest.mark.parametrize("failure", [InvalidOption("turns", "<b>too many</b>", "fewer"), RuntimeError("broken")])
def test_what_goes_wrong_is_said_in_the_status_line(offers: Offers, failure: Exception) -> None:
    offers.fails = failure
    offers.go.set()
    explorer = Explorer(SMALL)
    explorer.plan("wait")
    assert explorer.wait_for_plan(300) is None
    wait_for(lambda: not explorer.planner["running"])
    known = isinstance(failure, InvalidOption)
    assert explorer.planner["problem"] == (str(failure) if known else "RuntimeError: broken")
    check(explorer)


@pytest.mark.parametrize("bad", ["x", -1, 1.5, 1000, True])
def test_the_step_shown_is_checked(bad: Any) -> None:
    explorer = Explorer(SMALL)
    with pytest.raises(InvalidOption, match="plan_shown"):
        explorer.plan_shown = bad
    explorer.set_state({"plan_shown": bad})
    assert explorer.plan_shown is None


# Answers of Aqua Romana


def test_a_plan_numbers_its_tiles_by_turns() -> None:
    explorer = Explorer(ROMANA)
    explorer.plan("plan", 2)
    answer = explorer.wait_for_plan(300)
    assert answer.summary[0].startswith("8 points in 2 turns, proved")
    wanted: dict[str, str] = {}
    for number, node in enumerate(answer.record.root.main()[1:], start=1):
        for action in node.turn:
            if action.square:
                wanted[action.square] = f"{number}+" if action.what == "extra" else str(number)
    assert labels(explorer) == wanted
    pieces = {ghost.piece.split()[0] for step in answer.steps for ghost in step.ghosts}
    assert all(f'-{piece}"' in explorer.picture for piece in pieces)
    assert all(name in explorer.places for name in wanted)


def test_a_plan_for_a_study_position_becomes_a_variation() -> None:
    explorer = Explorer(STUDY)
    first = next(STUDY.turns())
    explorer.play(first)
    explorer.undo()
    explorer.plan("plan", 2)
    answer = explorer.wait_for_plan(300)
    assert explorer.planner["turns"] == "add"
    tell(explorer, do="add_plan")
    assert explorer.position == STUDY
    assert labels(explorer)
    planned = [str(node.turn) for node in answer.record.root.main()[1:]]
    for text in planned:
        tell(explorer, do="later")
        assert str(explorer.node.turn) == text
    assert turns(explorer)[0] == str(first) or planned[0] == str(first)
    check(explorer)


def test_a_plan_for_another_position_is_opened_as_a_game_of_its_own() -> None:
    explorer = Explorer(SMALL)
    explorer.play("b3=+@E4 x-")
    before = str(explorer.record)
    explorer.plan("plan", 1)
    explorer.wait_for_plan(300)
    assert explorer.planner["turns"] == "open"
    with pytest.raises(InvalidOption, match="another position"):
        explorer.add_plan()
    tell(explorer, do="open_plan")
    assert explorer.record.start.is_solo
    assert len(turns(explorer)) == 1
    assert explorer.planned is None
    explorer.restore()
    assert str(explorer.record) == before


def test_there_is_nothing_to_open_without_a_plan() -> None:
    explorer = Explorer(SMALL)
    for does in ("add_plan", "open_plan"):
        tell(explorer, do=does)
        assert "plan: there is none" in explorer.problem


def test_timing_marks_workmen_with_the_round_to_close_in() -> None:
    explorer = Explorer(ROMANA)
    explorer.plan("timing", 4)
    answer = explorer.wait_for_plan(300)
    assert answer.table.head == ("", "close", "now", "+1", "+2", "+3", "never")
    assert {row[0][0].text for row in answer.table.rows} == {"R1", "R2", "R3"}
    orders = {row[0][0].text: row[1] for row in answer.table.rows}
    marked = {f"workman={name}": order.split()[-1] for name, order in orders.items() if order != "never"}
    assert labels(explorer) == marked
    assert all(f'data-workman="{name.partition("=")[2]}"' in explorer.picture for name in marked)
    assert explorer.planner["turns"] == ""


def test_longest_numbers_the_tiles_along_the_aqueducts() -> None:
    explorer = Explorer(SMALL)
    explorer.plan("longest")
    answer = explorer.wait_for_plan(300)
    assert "15 podium points (proved" in answer.summary[0]
    numbers = [int(ghost.label) for step in answer.steps for ghost in step.ghosts]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert [step.text[:2] for step in answer.steps] == ["R1", "R2"]


# Answers of Aquädukt


def test_canals_are_numbered_and_double_ones_carry_both_numbers() -> None:
    explorer = Explorer(AQUADUKT)
    explorer.plan("canals", 8)
    answer = explorer.wait_for_plan(300)
    assert "proved" in answer.summary[0]
    assert len(answer.steps) == 8
    shown = {ghost.on: ghost for step in answer.steps for ghost in step.ghosts}
    assert all(place in explorer.places for place in shown)
    places = [step.text.removeprefix("canal ") for step in answer.steps]
    for place, ghost in shown.items():
        assert ghost.label == "+".join(str(i) for i, name in enumerate(places, start=1) if name == place)
    assert answer.record is None
    assert clicks.plain(answer.steps) == explorer.planner["answer"]["steps"]
