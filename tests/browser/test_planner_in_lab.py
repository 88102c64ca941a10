"""The planner in a real JupyterLab: asked, watched, stopped, stepped through on the board, taken into the game."""

from __future__ import annotations

import re

import pytest
from board_page import BoardPage
from playwright.sync_api import Locator, expect

from aquakit.cli.demo import AQUADUKT, ROMANA

PATIENCE = 180_000
"""Milliseconds for an answer: the search may have to be compiled first."""
# A planner whose work lasts until it is stopped, and which says meanwhile what a test tells it to say.
ENDLESS = """
import threading, time
from types import SimpleNamespace
from aquakit.planning.plans import PlannerAnswer, Count, Ghost, PlannerQuestion, PlannerStep
from aquakit.widgets.panels import plan_job
ended = []

def answer(position, question, number, *, stop, tell):
    tell("best so far 3 points, at most 9")
    total = 0
    while not stop.is_set():
        total += sum(range(1000))
    ended.append(number)
    steps = (PlannerStep("<img src=x>", "", (Ghost("c3", "tile", "1", "t1"),)),)
    return PlannerAnswer(("nothing proved, <b>best</b> so far 3",), steps)

questions = lambda _: (PlannerQuestion("wait", "Wait", "the end", Count("hours", 1, 9, 4)),)
real = plan_job.find_offers
plan_job.find_offers = lambda _: SimpleNamespace(questions=questions, answer=answer)
"""

# A planner whose methods contradict each other.
AT_ODDS = """
from types import SimpleNamespace
from aquakit.errors import contradiction
from aquakit.planning.plans import PlannerAnswer, PlannerQuestion
from aquakit.widgets.panels import plan_job

def answer(position, question, number, *, stop, tell, verify):
    if verify:
        raise contradiction(position, "search has a plan of 9 points", "cpsat proves that none has more than 8")
    return PlannerAnswer(("9 points, proved",))

real = plan_job.find_offers
questions = lambda _: (PlannerQuestion("twice", "Twice", "", second="another one looks"),)
plan_job.find_offers = lambda _: SimpleNamespace(questions=questions, answer=answer)
"""

FACING = ("a7", "c7", "d4", "h6", "j6", "k6", "h3", "k3")
"""Squares of the board ROMANA that workmen and locks reach into."""
NUMBERED = f"""
from types import SimpleNamespace
from aquakit.planning.plans import PlannerAnswer, Ghost, PlannerQuestion, PlannerStep
from aquakit.romana.planner import offers
from aquakit.widgets.panels import plan_job

def answer(position, question, number, *, stop, tell):
    ghosts = tuple(Ghost(square, "tile", str(i), "t1") for i, square in enumerate({FACING}, start=30))
    return PlannerAnswer(("numbered",), (PlannerStep("all", "", ghosts),), above=offers._ends(position))

real = plan_job.find_offers
questions = lambda _: (PlannerQuestion("number", "Number", ""),)
plan_job.find_offers = lambda _: SimpleNamespace(questions=questions, answer=answer)
"""
# The numbers that lie over a name on the board, each with that name.
COVERED = """board => {
  const box = (element) => element.getBoundingClientRect();
  const names = [...board.querySelectorAll("[data-workman] text, [data-closed] text")];
  return [...board.querySelectorAll(".planned .number")].flatMap((number) => names
    .filter((name) => {
      const [a, b] = [box(number), box(name)];
      return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    })
    .map((name) => `${number.textContent} over ${name.textContent}`));
}"""


def explore(there: BoardPage, position: str, before: str = "") -> Locator:
    """Shows an explorer and gets its planner."""
    board = there.show(f"{before}\nx = Explorer({position})\nx")
    board.get_by_role("tab", name="Lines").click()
    return board.locator(".planner")


def ask(row: Locator, what: str, number: int | None = None) -> None:
    """Chooses a question and pushes Go."""
    row.locator(".what").select_option(label=what)
    if number is not None:
        row.locator(".count").fill(str(number))
    row.locator(".go").click()


def numbers(there: BoardPage) -> list[str]:
    """Lists the numbers on the board."""
    return sorted(there.board.locator(".planned .number text").all_text_contents())


def test_a_plan_is_stepped_through_on_the_board(there: BoardPage) -> None:
    row = explore(there, "start('romana2-5x4').solo(1)")
    expect(row.locator(".count")).to_have_value("3")
    ask(row, "Plan", 2)
    expect(row.locator(".status")).to_have_text(re.compile(r"in 2 turns, proved"), timeout=PATIENCE)
    steps = row.locator(".steps .turn")
    expect(steps).to_have_count(2)
    every = numbers(there)
    assert {label.rstrip("+") for label in every} == {"1", "2"}
    steps.first.click()
    expect(steps.first).to_have_attribute("aria-current", "step")
    assert {label.rstrip("+") for label in numbers(there)} == {"1"}
    steps.nth(1).press("Enter")
    expect(steps.nth(1)).to_be_focused()
    assert numbers(there) == every

    row.locator(".add").click()
    there.settle()
    planned = steps.locator(".notation").all_text_contents()
    assert there.ask("[str(node.turn) for node in x.record.root.main()[1:]]") == planned
    assert numbers(there) == every
    there.tool("next")
    assert numbers(there) == []
    expect(steps).to_have_count(0)


def test_a_second_method_is_ticked_by_the_keyboard_and_heard_in_words(there: BoardPage) -> None:
    row = explore(there, repr(ROMANA))
    tick = row.get_by_label("check by a second method")
    expect(tick).not_to_be_checked()
    tick.focus()
    tick.press("Space")
    tick.press("Tab")
    expect(row.locator(".what")).to_be_focused()
    ask(row, "Plan", 2)
    expect(row.locator(".found p")).to_have_text(
        re.compile("^Two proofs: .* no plan makes more than 8 points"), timeout=PATIENCE
    )
    assert there.ask("x.planner['asked']['verify']")
    expect(tick).to_be_checked()
    row.locator(".what").select_option(label="Timing")
    expect(tick).to_be_hidden()
    row.locator(".what").select_option(label="Plan")
    expect(tick).to_be_checked()
    tick.press("Space")
    row.locator(".go").click()
    expect(row.locator(".found p")).to_have_count(0, timeout=PATIENCE)
    expect(row.locator(".status")).to_have_text(re.compile(r"in 2 turns, proved"), timeout=PATIENCE)


def test_the_tick_takes_no_line_of_its_own(there: BoardPage) -> None:
    there.page.set_viewport_size({"width": 1366, "height": 768})
    row = explore(there, repr(ROMANA))
    expect(row.locator(".second")).to_be_visible()
    heading = row.locator(".heading")
    with_tick = heading.evaluate("(line) => line.offsetHeight")
    row.locator(".what").select_option(label="Timing")
    expect(row.locator(".second")).to_be_hidden()
    assert heading.evaluate("(line) => line.offsetHeight") == with_tick


def test_a_contradiction_is_an_error_that_names_both_claims(there: BoardPage) -> None:
    row = explore(there, repr(ROMANA), AT_ODDS)
    try:
        row.get_by_label("check by a second method").check()
        row.locator(".go").click()
        expect(row.locator(".status.wrong")).to_contain_text("search has a plan of 9 points, but cpsat proves")
        expect(row.locator(".found")).to_be_empty()
    finally:
        there.tell("plan_job.find_offers = real")


def test_ghosts_let_clicks_through_and_go_with_the_position(there: BoardPage) -> None:
    row = explore(there, repr(ROMANA))
    ask(row, "Plan", 1)
    expect(row.locator(".openplan")).to_be_visible(timeout=PATIENCE)
    assert numbers(there)
    before = there.ask("str(x.record)")
    there.click("R1")
    assert numbers(there)
    there.tell("x.play(next(x.position.turns()))")
    expect(there.board.locator(".planned .number")).to_have_count(0)
    there.tool("undo")
    ask(row, "Plan", 1)
    expect(row.locator(".openplan")).to_be_visible(timeout=PATIENCE)
    row.locator(".openplan").click()
    there.settle()
    assert there.ask("(x.record.start.is_solo, len(x.record.root.main()))") == (True, 2)
    there.tell("x.restore()")
    assert there.ask("str(x.record)").startswith(before.rstrip("\n").rpartition("\n")[0].rstrip("\n"))


def test_timing_and_longest_show_a_table_and_a_path(there: BoardPage) -> None:
    row = explore(there, repr(ROMANA))
    ask(row, "Timing")
    expect(row.locator(".sheet th")).to_have_text(["", "close", "now", "+1", "+2", "+3", "never"], timeout=PATIENCE)
    rounds = row.locator("tbody td:nth-child(2)").all_text_contents()
    assert numbers(there) == sorted(text.split()[-1] for text in rounds if text != "never")
    ask(row, "Longest")
    expect(row.locator(".count")).to_be_hidden()
    expect(row.locator(".status")).to_have_text(re.compile("podium points"), timeout=PATIENCE)
    expect(row.locator(".steps .turn")).to_have_count(3)
    found = numbers(there)
    assert sorted(map(int, found)) == list(range(1, len(found) + 1))
    row.locator(".clear").click()
    expect(there.board.locator(".planned .number")).to_have_count(0)


def test_canals_are_drawn_as_ghosts(there: BoardPage) -> None:
    row = explore(there, repr(AQUADUKT))
    expect(row.locator(".what option")).to_have_text(["Canals"])
    ask(row, "Canals", 4)
    expect(row.locator(".steps .turn")).to_have_count(4, timeout=PATIENCE)
    assert sum(len(label.split("+")) for label in numbers(there)) == 4
    there.tool("flip")
    assert sum(len(label.split("+")) for label in numbers(there)) == 4


def test_the_board_answers_while_a_plan_is_made_and_it_can_be_stopped(there: BoardPage) -> None:
    row = explore(there, "'romana4'", ENDLESS)
    try:
        ask(row, "Wait", 7)
        status = row.locator(".status")
        expect(status).to_have_text("best so far 3 points, at most 9")
        expect(status).to_have_attribute("aria-live", "polite")
        expect(row.locator(".clock")).to_have_text(re.compile(r"[1-9] s"))
        there.click_and_take_back(4)
        assert there.ask("ended") == []
        expect(row.locator(".go")).to_have_text("Stop")
        row.locator(".go").click()
        expect(status).to_have_text("nothing proved, <b>best</b> so far 3")
        expect(row.locator(".steps .turn")).to_have_text(["<img src=x>"])
        assert there.board.locator(".planner img, .planner b").count() == 0
        expect(row.locator(".go")).to_have_text("Go")
        expect(row.locator(".go")).to_be_focused()
        assert there.ask("ended") == [7]
        ask(row, "Wait", 5)
        expect(row.locator(".go")).to_have_text("Stop")
        there.tell("x.close(); time.sleep(0.5)")
        assert there.ask("ended") == [7, 5]
    finally:
        there.tell("plan_job.find_offers = real")


@pytest.mark.parametrize("width", [1300, 380])
def test_numbers_hide_no_workman(there: BoardPage, width: int) -> None:
    there.page.set_viewport_size({"width": width, "height": 900})
    row = explore(there, repr(ROMANA), NUMBERED)
    try:
        ask(row, "Number")
        expect(there.board.locator(".planned .number")).to_have_count(len(FACING))
        assert there.board.evaluate(COVERED) == []
    finally:
        there.tell("plan_job.find_offers = real")


def test_what_cannot_be_planned_says_why(there: BoardPage) -> None:
    row = explore(there, "'romana2-5x4'")
    there.tell("while not x.position.is_over: x.play(next(x.position.turns()))")
    go = row.locator(".go")
    expect(go).to_be_disabled()
    expect(go).to_have_attribute("title", re.compile("the game is over"))
    there.tool("undo")
    expect(go).to_be_enabled()
    ask(row, "Plan", 99)
    expect(row.locator(".status.wrong")).to_contain_text("from 1 to 40")
    expect(there.problem).to_be_empty()
