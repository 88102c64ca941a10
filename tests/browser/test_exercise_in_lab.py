"""Exercises in a real JupyterLab: by keyboard alone, on a page loaded anew, and without answers on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from board_page import BoardPage
from exercise_page import PATIENCE, answer, expect_verdict
from playwright.sync_api import Locator, expect

from aquakit.training.result_file import ResultFile
from aquakit.workshop.collection import load_lesson
from aquakit.workshop.people import MARK


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gives a workshop's folder."""
    (tmp_path / MARK).write_text("")
    return tmp_path


def ask(there: BoardPage, folder: Path, *names: str) -> Locator:
    """Shows exercises, in a workshop's folder in which nobody has joined; gets the first."""
    begin = f"import os\nos.chdir({str(folder)!r})\nfrom aquakit.workshop import exercise, people\npeople.leave()\n"
    there.page.evaluate("localStorage.removeItem('aquakit.person')")
    shown = there.show(*(f"{begin if i == 0 else ''}exercise({name!r}).ask()" for i, name in enumerate(names)))
    expect(shown.locator(".panel .asking")).to_be_visible()
    return shown


def focused(board: Locator) -> str:
    """Names what has the focus inside a board."""
    found: str = board.evaluate(
        "b => { const e = b.getRootNode().activeElement; return e?.dataset.choice ?? e?.className ?? '' }"
    )
    return found


def test_name_and_answers_are_given_by_keyboard_alone(there: BoardPage, folder: Path) -> None:
    board = ask(there, folder, "rules-tiles", "rules-facing")
    keys = there.page.keyboard
    board.locator(".join input").focus()
    keys.type("Ada")
    keys.press("Enter")
    expect(there.page.locator(".person .standing", has_text="results-Ada.jsonl")).to_have_count(2)
    board.locator(".answer input").focus()
    keys.type("6")
    keys.press("Enter")
    expect_verdict(board, "Not right")
    assert "retry" in focused(board)  # where one goes on
    keys.press("Enter")
    expect(board.locator(".answer input")).to_be_enabled()
    board.locator(".answer input").fill("7")
    keys.press("Enter")
    expect_verdict(board, "Right")
    second = there.page.locator("section.exercise").nth(1)
    second.locator(".options input").first.focus()
    keys.press("ArrowDown")  # g3
    keys.press("Enter")
    expect_verdict(second, "Right")
    attempts, _ = ResultFile(folder / "results-Ada.jsonl").read()
    assert [(a.task, a.answer) for a in attempts] == [
        ("rules-tiles", "6"),
        ("rules-tiles", "7"),
        ("rules-facing", "g3"),
    ]


def test_a_turn_is_played_by_keyboard_alone(there: BoardPage, folder: Path) -> None:
    board = ask(there, folder, "graph-stroke")
    keys = there.page.keyboard
    for wanted in ("R3", "W5", "d4=J@W5"):
        there.choice(wanted).focus()
        keys.press("Enter")
        there.settle()
    there.button("x-").focus()
    keys.press("Enter")
    expect_verdict(board, "Right")


def test_a_page_loaded_anew_shows_what_was_answered(there: BoardPage, folder: Path) -> None:
    board = ask(there, folder, "rules-legal")
    lesson = load_lesson("rules")
    answer(board, lesson["rules-legal"], "g3=+@E5")
    expect_verdict(board, "Not right")
    there.house.reload(there.page)
    expect_verdict(there.board, "Not right")
    expect(there.board.locator(".options input").first).to_be_checked()
    expect(there.board.locator(".hand")).to_be_disabled()
    there.board.locator(".retry").click()
    expect(there.board.locator(".hand")).to_be_enabled(timeout=PATIENCE)


def test_the_notebook_holds_no_answer_and_texts_stay_texts(there: BoardPage, folder: Path) -> None:
    evil = "<img src=x onerror='window.pwned=1'>"
    text = load_file().replace("How long is the aqueduct R2?", evil).replace('name = "rules"', 'name = "evil"')
    (folder / "exercises").mkdir()
    (folder / "exercises" / "evil.toml").write_text(text.replace("rules-", "evil-"), "utf-8")
    board = ask(there, folder, "evil-tiles")
    expect(board.locator(".goal")).to_have_text(evil)
    assert board.locator("img").count() == 0
    assert there.page.evaluate("window.pwned") is None
    there.house.save(there.page)
    saved = (there.house.folder / "boards.ipynb").read_text("utf-8")
    key = load_lesson("rules").answers["rules-tiles"]
    assert [words for words in (key.because, *key.wrong.values()) if words in saved] == []


def load_file() -> str:
    """Reads the file of a lesson."""
    from aquakit.workshop.collection import home

    return (home() / "rules.toml").read_text("utf-8")


@pytest.mark.parametrize("width", [380, 1300])
@pytest.mark.parametrize("name", ["rules-legal", "sight-where"])
def test_nothing_is_wider_than_its_place(there: BoardPage, folder: Path, width: int, name: str) -> None:
    there.page.set_viewport_size({"width": width, "height": 1150})
    board = ask(there, folder, name)
    board.locator(".show").click()
    expect(board.locator(".solution")).to_be_visible()
    wide = board.evaluate(
        """b => [...b.querySelectorAll(".question *, .panel *")]
            .filter((e) => e.offsetParent && !e.classList.contains("spoken"))
            .filter((e) => e.getBoundingClientRect().right > b.getBoundingClientRect().right + 1)
            .map((e) => e.className || e.tagName)"""
    )
    assert wide == []
