"""A rehearsal: three people work through two lessons' exercises on pages without code, and the sheet is right.

All of it runs as in a real workshop: the folder, the pages and the sheet are made by the commands that leaders use.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from exercise_page import PATIENCE, answer, expect_verdict
from notebook_house import VIEWPORT
from playwright.sync_api import Browser, Page, expect

from aquakit.cli import main as cli
from aquakit.workshop.collection import load_lesson
from aquakit.workshop.question import Key, Question

LESSONS = {
    "rules": ("rules-tiles", "rules-legal", "rules-close", "rules-complete"),
    "sight": ("sight-count", "sight-seen", "sight-turn", "sight-where"),
}
"""What is asked: all four types in each lesson."""
NAMES = [name for names in LESSONS.values() for name in names]
ADA, BOB, CID = "Ada Lovelace", "Bob", "Cid <b>"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """Makes the workshop's folder, with a page for each of the two lessons."""
    assert cli.run(["workshop", "start", str(tmp_path / "club")]) == 0
    for lesson, names in LESSONS.items():
        cells = [nbformat.v4.new_code_cell("from aquakit.workshop import exercise")]
        cells += [nbformat.v4.new_code_cell(f"exercise({name!r}).ask(size=480)") for name in names]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "club" / f"{lesson}.ipynb")
    return tmp_path / "club"


@pytest.fixture
def address(club: Path) -> Iterator[str]:
    """Serves the folder; gets the address with its token."""
    words = [sys.executable, "-m", "aquakit.cli", "workshop", "serve", str(club), "--no-browser", "--port", "0"]
    with (club.parent / "serve.log").open("w") as log:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert process.stdout is not None
        (found,) = re.findall(r"http://\S+", process.stdout.readline())
        yield found
    finally:
        process.terminate()
        process.wait(20)


def find(name: str) -> tuple[Question, Key]:
    """Gets a question and its answers."""
    lesson = load_lesson(next(lesson for lesson, names in LESSONS.items() if name in names))
    return lesson[name], lesson.answers[name]


def mistake(name: str) -> str:
    """Gets a wrong answer that can be given on the page."""
    question, key = find(name)
    return question.spell_out(next(iter(key.wrong)))


def work(page: Page, person: str, lesson: str) -> None:
    """Lets a person work through a page: Ada knows all, Bob errs first, Cid asks for half of the answers."""
    for number, name in enumerate(LESSONS[lesson]):
        board = page.locator(f'section.exercise[data-exercise="{name}"]')
        question, key = find(name)
        if person == CID and number % 2:
            board.locator(".show").click()
            expect(board.locator(".solution h4")).to_contain_text("A right answer", timeout=PATIENCE)
            continue
        if person == BOB:
            answer(board, question, mistake(name))
            expect_verdict(board, "Not right")
            board.locator(".hint").click()
            expect(board.locator(".hints li")).to_have_count(1, timeout=PATIENCE)
            board.locator(".retry").click()
            expect(board.locator(".said strong")).to_have_count(0, timeout=PATIENCE)
        answer(board, question, key.right[0])
        expect_verdict(board, "Right")


def test_three_people_work_through_two_lessons(
    club: Path, address: str, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    base, _, token = address.partition("?")
    contexts = {person: browser.new_context(viewport=VIEWPORT) for person in (ADA, BOB, CID)}
    try:
        for lesson in LESSONS:
            for person, context in contexts.items():
                page = context.new_page()
                page.goto(f"{base}voila/render/{lesson}.ipynb?{token}", timeout=PATIENCE)
                if lesson == "rules":  # the name is asked once; the second lesson knows it
                    form = page.locator("section.exercise .join").first
                    form.locator("input").fill(person, timeout=PATIENCE)
                    form.locator("button").click()
                joined = page.locator("section.exercise .person .standing", has_text=f"Answers of {person} are kept")
                expect(joined).to_have_count(len(LESSONS[lesson]), timeout=PATIENCE)
                assert page.locator(".jp-InputArea-editor, .jp-CodeMirrorEditor").count() == 0
                assert page.locator("section.exercise b").count() == 0
                work(page, person, lesson)
                page.close()
    finally:
        for context in contexts.values():
            context.close()
    damage(club / "results-Cid-b.jsonl")
    check_sheet(club, capsys)


def damage(path: Path) -> None:
    """Damages a result file: a line in the middle is garbled, and the last one is cut off."""
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == len(NAMES)
    lines[2] = b"\x00\xff" + lines[2][2:]
    path.write_bytes(b"".join(lines)[:-30])


def check_sheet(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Makes the sheet and compares every cell of it."""
    assert sorted(path.name for path in club.glob("results-*")) == [
        "results-Ada-Lovelace.jsonl",
        "results-Bob.jsonl",
        "results-Cid-b.jsonl",
    ]
    assert cli.run(["workshop", "sheet", str(club), "--out", str(club / "evening")]) == 0
    said = capsys.readouterr()
    assert "results-Cid-b.jsonl, line 3: is damaged" in said.err
    assert f"results-Cid-b.jsonl, line {len(NAMES)}: is damaged" in said.err
    with (club / "evening.csv").open(encoding="utf-8") as file:
        rows = {
            (row["person"], row["exercise"]): (row["state"], row["tries"], row["hints"]) for row in csv.DictReader(file)
        }
    expected = {(ADA, name): ("first", "1", "0") for name in NAMES}
    expected |= {(BOB, name): ("later", "2", "1") for name in NAMES}
    expected |= {(CID, name): ("shown", "0", "0") if i % 2 else ("first", "1", "0") for i, name in enumerate(NAMES)}
    for lost in (NAMES[2], NAMES[-1]):
        del expected[CID, lost]
    assert rows == expected
    page = (club / "evening.html").read_text("utf-8")
    assert "Cid &lt;b&gt;" in page
    assert "Cid <b>" not in page
    assert "data:image/svg+xml;base64," in page
