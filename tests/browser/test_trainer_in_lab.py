"""The trainer in a real JupyterLab: puzzles solved, missed, hinted at and explained, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest
from board_page import BoardPage, write
from notebook_house import House
from playwright.sync_api import Browser, Locator, Page, expect
from tiny_puzzles import EQUAL, MARKUP, RIGHT, WRONG, explanation, hints, make_hard_set, write_set

from aquakit.puzzle.model import PuzzleSet
from aquakit.training.progress import Progress

PATIENCE = 180_000
"""Milliseconds for a verdict: the search may have to be compiled first."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with sets of puzzles; progress is kept in it too."""
    folder = tmp_path_factory.mktemp("trainer")
    write_set(folder)
    make_hard_set().save(folder / "hard.toml")
    return folder


@pytest.fixture
def there(opened: BoardPage, folder: Path, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
    for path in folder.glob("progress.sqlite*"):
        path.unlink()
    with opened.used_by(request) as page:
        yield page


def cell(folder: Path, first: str = "", puzzles: str = "tiny") -> str:
    """Writes the cell that shows the trainer, with progress of the test's own."""
    begin = f"first={first!r}" if first else ""
    return (
        f"import os\nos.environ['AQUAKIT_DATA'] = {str(folder)!r}\nimport aquakit\n"
        f"t = aquakit.puzzles({str(folder / f'{puzzles}.toml')!r}).trainer({begin})\nt"
    )


def ask(there: BoardPage, folder: Path, first: str) -> Locator:
    """Shows a puzzle; gets the panel beside the board."""
    return there.show(cell(folder, first)).locator(".panel")


def expect_verdict(panel: Locator, head: str) -> None:
    """Waits for a verdict."""
    expect(panel.locator(".said strong")).to_have_text(re.compile(f"^.?{head}$"), timeout=PATIENCE)


def push(there: BoardPage, name: str) -> None:
    """Pushes a button of the panel, by its class."""
    there.board.locator(f".panel button.{name}").click()
    there.settle()


def source(page: Page) -> str:
    """Gets all that the page holds: its HTML, what stands in shadow roots, and the widgets' state."""
    text: str = page.evaluate(
        """async () => {
            const inside = (root) => [...root.querySelectorAll("*")].flatMap((e) =>
                e.shadowRoot ? [e.shadowRoot.innerHTML, ...inside(e.shadowRoot)] : []);
            const panel = jupyterapp.shell.currentWidget;
            const saved = JSON.stringify(panel.context.model.toJSON());
            return [document.documentElement.outerHTML, ...inside(document), saved].join("\\n");
        }"""
    )
    return text


# Solving


def test_a_puzzle_is_solved_by_clicking(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    expect(there.board.locator(".goal")).to_contain_text("Red moves alone for 1 turn")
    there.click("R2", "b6=+@E7", "x-")
    expect_verdict(panel, "Right")
    expect(panel.locator(".said")).to_contain_text("5 podium points in 1 turn: more is not possible.")
    expect(panel.locator(".themes")).to_have_text("Themes: loose chain")
    expect(panel.locator(".standing")).to_contain_text("1 of 9 puzzles solved")
    expect(there.board.locator(".contents option").first).to_have_text("✓ 1. Five at a stroke")
    assert [a.outcome for a in Progress(folder / "progress.sqlite").attempts()] == ["right"]
    push(there, "next")
    expect(there.board.locator("h3")).not_to_have_text("Five at a stroke")
    expect(panel.locator(".said strong")).to_have_count(0)


def test_another_answer_is_equally_good(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    there.tell(f"t.play({EQUAL!r})")
    expect_verdict(panel, "Equally good")
    assert [a.outcome for a in Progress(folder / "progress.sqlite").attempts()] == ["equal"]


def test_a_wrong_answer_is_refuted_on_the_board_and_tried_again(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "two-turns")
    there.tell(f"t.play({WRONG!r})")
    expect_verdict(panel, "Not the best: it loses 2")
    expect(panel.locator(".line h4")).to_have_text("Refutation")
    steps = panel.locator(".steps .turn")
    expect(steps).to_have_count(2)
    expect(steps.first).to_have_attribute("aria-current", "step")
    there.expect_prompt("Your answer: not the best")
    before = there.ask("str(t.position)")
    push(there, "on")
    there.expect_prompt("Refutation: step 1 of 1")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    assert there.ask("str(t.position)") != before
    expect(panel.locator(".on")).to_be_disabled()
    expect(panel.locator(".previous")).to_be_enabled()
    steps.first.click()
    there.settle()
    assert there.ask("str(t.position)") == before
    expect(panel.locator(".themes")).to_be_hidden()

    push(there, "retry")
    there.expect_prompt("Red: choose an aqueduct to extend")
    expect(panel.locator(".line")).to_be_hidden()
    there.tell("t.play('b6=+@E7 xR2 *d')")
    expect_verdict(panel, "Right")
    assert [a.outcome for a in Progress(folder / "progress.sqlite").attempts()] == ["wrong", "right"]


def test_hints_come_one_at_a_time_and_then_the_solution(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    first, second = hints("five")
    said = panel.locator(".hints li")
    expect(panel.locator(".hint")).to_have_text("Hint (2 left)")
    push(there, "hint")
    expect(said).to_have_text([first])
    push(there, "hint")
    expect(said).to_have_text([first, second])
    expect(panel.locator(".hint")).to_be_hidden()
    push(there, "show")
    expect(panel.locator(".solution p").first).to_have_text(explanation("five").split("\n")[0])
    expect(panel.locator(".solution .notation")).to_have_text(["a7=+@E7", "b6=+@E7"])
    expect(panel.locator(".solution .told").first).to_have_text("bridge on a7 by the builder on E7")
    expect(panel.locator(".standing")).to_contain_text("missed: comes back in 16 hours")
    push(there, "on")
    there.expect_prompt("Solution: step 1 of 1")
    attempts = Progress(folder / "progress.sqlite").attempts()
    assert [(a.outcome, a.hints, a.shown) for a in attempts] == [("wrong", 2, True)]


# Keeping


def test_progress_survives_a_reload(there: BoardPage, folder: Path) -> None:
    ask(there, folder, "five")
    there.tell(f"t.play({RIGHT!r}); t.wait(120)")
    there.house.reload(there.page)
    panel = there.board.locator(".panel")
    expect_verdict(panel, "Right")
    expect(panel.locator(".standing")).to_contain_text("1 of 9 puzzles solved")


def test_progress_survives_a_restart_of_the_kernel(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    there.click("R2", "b6=+@E7", "x-")
    expect_verdict(panel, "Right")
    there.tell("t.turn_to('long'); t.show_solution(); before_the_restart = True")
    there.house.restart(there.page)
    assert there.ask("'before_the_restart' in globals()") is False
    there.house.run_all(there.page)
    panel = there.board.locator(".panel")
    expect(there.board.locator("h3")).to_have_text("Five at a stroke")
    expect(panel.locator(".standing")).to_contain_text("This puzzle: solved.")
    expect(panel.locator(".standing")).to_contain_text("1 of 9 puzzles solved, 1 to be seen again")
    states = there.board.locator(".contents option").all_inner_texts()
    assert [text[0] for text in states] == ["✓", "·", "·", "·", "✗", "·", "·", "·", "·"]
    there.show(cell(folder))
    expect(there.board.locator(".panel .standing")).to_contain_text("1 of 9 puzzles solved")
    expect(there.board.locator("h3")).not_to_have_text("Five at a stroke")
    expect(there.board.locator(".contents option").first).to_have_text("✓ 1. Five at a stroke")


def test_two_notebooks_at_once_lose_nothing(there: BoardPage, folder: Path, house: House, browser: Browser) -> None:
    panel = ask(there, folder, "five")
    context = browser.new_context()
    try:
        page = context.new_page()
        house.open_lab(page, write(house, cell(folder, "pick"), name="second.ipynb"))
        house.run_all(page)
        other = page.locator("section.board .panel")
        # Both begin before either ends.
        for where, turn in ((there.page, WRONG), (page, "f1=+@Ne x-")):
            house.tell(where, f"t.play({turn!r})")
        expect_verdict(panel, "Not the best: it loses 3")
        expect_verdict(other, "Right")
        house.tell(page, "t.turn_to('long'); t.show_solution()")
        there.tell(f"t.retry(); t.play({RIGHT!r}); t.wait(120)")
        expect(panel.locator(".standing")).to_contain_text("1 of 9 puzzles solved, 2 to be seen again")
    finally:
        context.close()
    kept = [(a.task, a.outcome) for a in Progress(folder / "progress.sqlite").attempts()]
    assert sorted(kept) == sorted([("five", "wrong"), ("pick", "right"), ("long", "wrong"), ("five", "right")])


# Secrets and texts


def test_the_page_holds_no_answer_before_it_is_asked_for(there: BoardPage, folder: Path) -> None:
    ask(there, folder, "five")
    made = PuzzleSet.load(folder / "tiny.toml")
    answer = made.answer("five")
    words = [
        *made["five"].hints,
        *explanation("five").split("\n"),
        *answer.accepted,
        answer.proof.searched,
        "loose-chain",
    ]
    there.house.save(there.page)
    text = source(there.page)
    assert "Five at a stroke" in text
    assert [word for word in words if word in text] == []
    push(there, "hint")
    assert [word for word in words if word in source(there.page)] == [made["five"].hints[0]]


@pytest.mark.parametrize("name", ["two-turns", "reply", "pick", "long", "close", "roll", "water", "end"])
def test_no_kind_of_puzzle_gives_its_answer_away(there: BoardPage, folder: Path, name: str) -> None:
    made = PuzzleSet.load(folder / "tiny.toml")
    puzzle, answer = made[name], made.answer(name)
    with listening(there):
        panel = ask(there, folder, name)
        there.house.save(there.page)
        text = everything(there)
        assert puzzle.title in text, "all of it was searched"
        assert name.encode() in b"".join(there.heard)
        # Each legal decision of the first step is offered, the best one among them. So what is sought is what tells it
        # apart, and all tokens that need more than one click.
        telling = [*puzzle.hints, answer.explanation, answer.proof.searched, puzzle.source, "loose-chain"]
        tokens = [token for accepted in answer.accepted for token in accepted.split()]
        telling += [token for token in tokens if "@" in token]
        telling += [line for line in (answer.line, *answer.accepted) if " " in line and name not in ("roll", "water")]
        telling += [answer.line] if name in ("roll", "water") else []
        assert [word for word in telling if word in text] == []
        push(there, "show")
        expect(panel.locator(".solution")).to_be_visible()
        assert explanation(name).split("\n")[0] in everything(there), "what is asked for is found by the same search"


@contextmanager
def listening(there: BoardPage) -> Iterator[None]:
    """Keeps what the kernel sends."""
    there.heard.clear()
    there.listening = True
    try:
        yield
    finally:
        there.listening = False


def everything(there: BoardPage) -> str:
    """Gets the page's source and all that the kernel has sent, as plain as can be."""
    sent = b"\n".join(there.heard).decode("utf-8", "replace")
    return unescape(unquote(source(there.page))) + "\n" + sent


def test_texts_of_a_file_are_shown_as_texts(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "pick")
    push(there, "hint")
    push(there, "show")
    expect(there.board.locator("h3")).to_contain_text(MARKUP)
    expect(panel.locator(".hints")).to_contain_text(MARKUP)
    expect(panel.locator(".solution")).to_contain_text(MARKUP)
    assert there.board.locator("img").count() == 0
    assert there.page.evaluate("window.pwned") is None


# Judging


def test_the_page_answers_while_an_answer_is_checked_and_it_can_be_stopped(there: BoardPage, folder: Path) -> None:
    panel = there.show(cell(folder, "hard", "hard")).locator(".panel")
    there.click("R2", "Nc", "c7=L@Nc", "x-")
    expect(panel.locator(".busy")).to_contain_text("Checking …")
    expect(panel.locator(".how")).to_have_text(re.compile(r"best so far \d+ points"), timeout=PATIENCE)
    expect(panel.locator(".clock")).to_have_text(re.compile(r"[1-9]\d* s"))
    there.tool("flip")
    assert there.ask("t.flip") is True
    there.tell("import threading; checks = [thread for thread in threading.enumerate() if 'judging' in thread.name]")
    assert there.ask("len(checks)") == 1
    panel.locator(".halt").click()
    there.expect_prompt("Red: choose an aqueduct to extend")
    expect(panel.locator(".busy")).to_be_hidden()
    there.tell("checks[0].join(10)")
    assert there.ask("[t.name for t in threading.enumerate() if t.name.startswith('aquakit')]") == []
    assert Progress(folder / "progress.sqlite").attempts() == []


# Other answers


def test_a_schedule_is_chosen_beside_the_board(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "close")
    panel.locator("select[name=R1]").select_option("1")
    panel.locator("select[name=R3]").select_option("1")
    panel.locator(".hand").click()
    expect(there.problem).to_contain_text("two are closed in one turn")
    panel.locator("select[name=R3]").select_option("")
    panel.locator(".hand").click()
    expect_verdict(panel, r"Not the best: it loses \d+")
    expect(there.board.locator(".planned .number text")).to_have_text(["1"])
    expect(panel.locator(".hand")).to_be_disabled()
    there.house.reload(there.page)
    expect(there.board.locator("select[name=R1]")).to_have_value("1")


def test_tiles_and_canals_are_laid_on_the_board(there: BoardPage, folder: Path) -> None:
    made = PuzzleSet.load(folder / "tiny.toml")
    panel = ask(there, folder, "long")
    there.click(*made.answer("long").line.split()[:2])
    there.expect_prompt("R1 is 2 long: choose its next tile")
    there.click("check")
    expect_verdict(panel, "Not the best: it loses 15")
    panel = ask(there, folder, "water")
    there.click(*made.answer("water").line.replace(" / ", ", ").split(", "))
    expect_verdict(panel, "Right")


# Analysis


def test_the_explorer_opens_below_and_closes_with_the_puzzle(there: BoardPage, folder: Path) -> None:
    ask(there, folder, "five")
    push(there, "analyse")
    boards = there.page.locator("section.board")
    expect(boards).to_have_count(2)
    explorer = boards.nth(1)
    expect(explorer.get_by_role("tab", name="Lines")).to_be_visible()
    assert there.ask("t.analysis.position == t.position") is True
    opened = there.board.locator(".opened")
    expect(opened).to_be_in_viewport()
    expect(opened).to_contain_text("The analysis is open below the board.")
    expect(explorer.locator("header")).not_to_be_in_viewport()
    opened.get_by_role("button", name="scroll to the analysis").click()
    expect(explorer.locator("header")).to_be_in_viewport()
    there.house.reload(there.page)
    expect(boards).to_have_count(2)
    push(there, "next")
    expect(boards).to_have_count(1)
    expect(there.board.locator(".opened")).to_be_hidden()


# Keyboard and looks


@pytest.mark.parametrize("width", [1366, 1100, 800])
def test_the_menu_of_puzzles_keeps_room_for_their_titles(there: BoardPage, folder: Path, width: int) -> None:
    there.page.set_viewport_size({"width": width, "height": 768})
    ask(there, folder, "five")
    assert there.board.locator(".contents").bounding_box()["width"] >= 160
    row = there.board.locator(".question .row").bounding_box()
    assert row["height"] < 60, "two lines are enough"


def focused(there: BoardPage) -> str:
    """Gets what has the focus in the trainer: a choice's id, or else its classes or its name."""
    said: str = there.board.evaluate(
        """b => {
            const e = b.getRootNode().activeElement;
            return e ? e.dataset.choice ?? (e.className.baseVal ?? e.className ?? "") + " " + (e.name ?? "") : "";
        }"""
    )
    return said.strip()


def walk_to(there: BoardPage, wanted: str, key: str = "Tab") -> None:
    """Presses a key until something has the focus: a choice by its id, or a control by one of its classes."""
    met = []
    for _ in range(40):
        met.append(focused(there))
        if met[-1] == wanted or wanted in met[-1].split():
            return
        there.page.keyboard.press(key)
        there.settle()
    raise AssertionError(f"{wanted} is not reached by {key}: {met}")


def enter(there: BoardPage, *wanted: str) -> None:
    """Goes to one thing after the other with the Tab key and presses Enter there."""
    for name in wanted:
        walk_to(there, name)
        there.page.keyboard.press("Enter")
        there.settle()


def test_the_whole_way_is_gone_with_the_keyboard(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    keys = there.page.keyboard
    there.board.locator(".contents").focus()  # from here on no mouse and no help
    enter(there, "hint")
    expect(panel.locator(".hints li")).to_have_count(1)
    keys.press("Shift+Tab")
    walk_to(there, "R1", "Shift+Tab")
    walk_to(there, "R3", "ArrowDown")
    keys.press("Enter")
    there.settle()
    walk_to(there, "d6=+@E7", "t")
    keys.press("Enter")
    there.settle()
    enter(there, "x-")
    expect_verdict(panel, "Not the best: it loses 3")
    assert "retry" in focused(there) or focused(there), "the focus is not lost"
    enter(there, "retry")
    assert focused(there) in ("R1", "R2", "R3"), "and stands on the board again"
    walk_to(there, "R2", "ArrowDown")
    keys.press("Enter")
    there.settle()
    walk_to(there, "b6=+@E7", "t")
    keys.press("Enter")
    there.settle()
    enter(there, "x-")
    expect_verdict(panel, "Right")
    enter(there, "show", "on")
    there.expect_prompt("Solution: step 1 of 1")
    enter(there, "next")
    expect(there.board.locator("h3")).not_to_have_text("Five at a stroke")
    attempts = Progress(folder / "progress.sqlite").attempts()
    assert [(a.answer, a.outcome, a.hints) for a in attempts] == [(WRONG, "wrong", 1), (RIGHT, "right", 1)]


def test_a_schedule_is_entered_with_the_keyboard(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "close")
    keys = there.page.keyboard
    there.board.locator(".contents").focus()
    walk_to(there, "R1")
    keys.type("close in round 3")
    enter(there, "hand")
    expect_verdict(panel, "(Right|Equally good)")
    enter(there, "retry")
    walk_to(there, "R1")
    keys.type("close now")
    enter(there, "hand")
    expect_verdict(panel, r"Not the best: it loses \d+")
    expect(panel.locator(".line h4")).to_have_text("Round by round")
    enter(there, "on")
    expect(there.board.locator(".planned .number text, .number text")).to_have_text(["→ 3"])


def test_a_puzzle_is_solved_with_the_keyboard_alone(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    keys = there.page.keyboard
    there.choice("R2").focus()
    keys.press("Enter")
    there.settle()
    for _ in range(9):
        if there.board.evaluate("b => b.getRootNode().activeElement?.dataset.choice") == "b6=+@E7":
            break
        keys.press("t")
    keys.press("Enter")
    there.settle()
    there.button("x-").focus()
    keys.press("Enter")
    expect_verdict(panel, "Right")
    names = []
    for _ in range(12):
        keys.press("Tab")
        names.append(there.board.evaluate("b => b.getRootNode().activeElement?.className ?? ''"))
        if "next" in names[-1]:
            break
    assert any("show" in name for name in names), names
    assert "next" in names[-1]
    outline = there.board.evaluate("b => getComputedStyle(b.getRootNode().activeElement).outlineStyle")
    assert outline == "solid"
    keys.press("Enter")
    expect(there.board.locator("h3")).not_to_have_text("Five at a stroke")
    focused = there.board.evaluate("b => b.getRootNode().activeElement?.className")
    assert "next" in focused


def test_focus_is_never_lost_with_a_button_that_goes(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    there.tell(f"t.play({WRONG!r})")
    expect_verdict(panel, "Not the best: it loses 3")
    panel.locator(".retry").focus()
    there.page.keyboard.press("Enter")
    there.settle()
    assert there.board.evaluate("b => b.querySelector('.stage').contains(b.getRootNode().activeElement)")
    for name in ("hint", "hint", "show"):
        panel.locator(f".{name}").focus()
        there.page.keyboard.press("Enter")
        there.settle()
        assert there.board.evaluate("b => b.getRootNode().activeElement?.tagName") in ("BUTTON", "g"), name


def test_verdicts_are_announced_and_told_by_more_than_colour(there: BoardPage, folder: Path) -> None:
    panel = ask(there, folder, "five")
    said = panel.locator(".said")
    expect(said).to_have_attribute("aria-live", "polite")
    there.tell(f"t.play({WRONG!r})")
    expect_verdict(panel, "Not the best: it loses 3")
    expect(said.locator(".sign")).to_have_text("✗")
    there.tell(f"t.retry(); t.play({RIGHT!r})")
    expect_verdict(panel, "Right")
    expect(said.locator(".sign")).to_have_text("✓")
    expect(there.board.locator(".level .spoken")).to_have_text("difficulty 1 of 5")


@pytest.mark.parametrize("width", [380, 1300])
@pytest.mark.parametrize("name", ["two-turns", "close"])
def test_nothing_is_wider_than_its_place(there: BoardPage, folder: Path, width: int, name: str) -> None:
    there.page.set_viewport_size({"width": width, "height": 1150})
    ask(there, folder, name)
    there.tell("t.hint(); t.show_solution()")
    wide = there.board.evaluate(
        """b => [...b.querySelectorAll(".question *, .panel *")]
            .filter((e) => e.offsetParent && !e.classList.contains("spoken"))
            .filter((e) => e.getBoundingClientRect().right > b.getBoundingClientRect().right + 1)
            .map((e) => e.className || e.tagName)"""
    )
    assert wide == []
