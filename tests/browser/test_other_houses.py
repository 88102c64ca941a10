"""Boards outside JupyterLab: Notebook 7, Voilà and marimo play turns, and an exported notebook shows the picture."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest
from board_page import IMPORTS, write
from marimo_house import serve, write_notebook
from notebook_house import House
from playwright.sync_api import Locator, Page, expect

BOARD = "b = Board(start('romana4'))\nb.play('c7=L@Nc')\nb"
EXPLORER = "x = Explorer(start('aquadukt2', seed=1))\nx"
# How docs/boards.md tells that a cell follows a board.
FOLLOW = "get, put = mo.state('')\nb.observe(lambda _: put(str(b.record)), 'position')"
WRAPPED = "import marimo as mo\nx = mo.ui.anywidget(Explorer(start('aquadukt2', seed=1)))\nx"
LAPTOP = {"width": 1366, "height": 768}
PLAYED = '[data-tile="c7=L"]'


@pytest.fixture(autouse=True)
def _notebook(house: House) -> None:
    write(house, BOARD, EXPLORER, name="houses.ipynb")


def play_turns(page: Page) -> None:
    """Plays a turn on each of the two boards, waiting for nothing but what people see."""
    board, explorer = page.locator("section.board").first, page.locator("section.explorer")
    expect(board.locator(PLAYED)).to_be_visible()
    for choice, then in (
        ("Y1", "Yellow: choose a builder for Y1"),
        ("Nh", "Yellow: lay the bridge on h7"),
        ("h7=+@Nh", "Yellow: close an aqueduct, or none"),
        ("x-", "Green: choose an aqueduct to extend"),
    ):
        choose(board, choice)
        expect(board.locator(".prompt")).to_have_text(then)
    expect(board.locator('[data-tile="h7=+"]')).to_have_count(1)
    choose(explorer, "spring")
    choose(explorer, "spring 5.4")
    expect(explorer.locator(".prompt")).to_have_text("Player 2 (B): roll the die, place a spring or lay canals")
    expect(explorer.locator(".moves li")).to_have_text(["start", "1.Aspring on 5.4spring 5.4"])


def choose(board: Locator, choice: str) -> None:
    button, on_board = board.locator(f'.actions [data-choice="{choice}"]'), board.locator(f'[data-choice="{choice}"]')
    button.or_(on_board.locator(".mark, .area")).first.click()


def expect_no_files(explorer: Locator) -> None:
    """Expects that a visitor has no files."""
    for shown in (".path", ".open", ".save"):
        expect(explorer.locator(shown)).to_be_hidden()


def picture(shown: Locator) -> str:
    """Gets the SVG of a picture that is visible."""
    assert shown.evaluate("e => e.complete && e.naturalWidth > 300 && e.getBoundingClientRect().width > 300")
    source = shown.get_attribute("src") or ""
    return b64decode(source.removeprefix("data:image/svg+xml;base64,")).decode()


def test_notebook_7_plays_and_its_export_shows_the_board(house: House, page: Page, troubles: list[str]) -> None:
    house.open_notebook7(page, "houses.ipynb", dark=True)
    house.run_all(page)
    expect(page.locator("section.board").first).to_have_attribute("data-dark", "")
    play_turns(page)
    assert house.ask(page, "[str(node.turn) for node in b.record.root.main()[1:]]") == ["c7=L@Nc x-", "h7=+@Nh x-"]
    house.save(page)
    assert troubles == []

    house.open_export(page, house.export_html("houses.ipynb"))
    romana, aquadukt = map(picture, page.locator(".jp-OutputArea-output img").all())
    assert 'data-tile="c7=L"' in romana  # as the cell showed it
    assert "Player 2 (Yellow) to build" in romana
    assert "Player 1 (A) to move" in aquadukt
    assert troubles == []


def test_voila_plays(house: House, page: Page, troubles: list[str]) -> None:
    house.open_voila(page, "houses.ipynb")
    expect(page.locator("section.board").first).not_to_have_attribute("data-dark", "")
    play_turns(page)
    explorer = page.locator("section.explorer")
    explorer.get_by_role("tab", name="Game").click()
    expect(explorer.get_by_text("Download")).to_be_visible()
    expect_no_files(explorer)
    assert troubles == []


def test_marimo_plays_and_cells_follow(tmp_path: Path, page: Page, troubles: list[str]) -> None:
    notebook = tmp_path / "houses.py"
    write_notebook(notebook, IMPORTS, BOARD, WRAPPED, FOLLOW, "mo.Html(f'<pre class=\"follower\">{get()}</pre>')")
    page.set_viewport_size(LAPTOP)
    with serve(notebook, "edit", dark=True) as address:
        page.goto(address)
        expect(page.locator("section.board").first).to_have_attribute("data-dark", "")
        play_turns(page)
        for turn in ("c7=L@Nc x-", "h7=+@Nh x-"):
            expect(page.locator(".follower")).to_contain_text(turn)
        # The editor lets the output of a cell scroll where it is high; a board need not.
        shown = page.locator(".output-area", has=page.locator("section.board:not(.explorer)"))
        assert shown.evaluate("e => getComputedStyle(e).maxHeight !== 'none' && e.scrollHeight <= e.clientHeight")
        page.locator("section.explorer").get_by_role("tab", name="Game").click()
        expect(page.locator("section.explorer .save")).to_be_visible()
    assert troubles == []


def test_a_marimo_app_plays_with_visitors(tmp_path: Path, page: Page, troubles: list[str]) -> None:
    notebook = tmp_path / "app.py"
    bots = "b = Board(start('romana4'), players={3: lambda p: str(next(p.turns()))})\nb.play('c7=L@Nc')\nb"
    write_notebook(notebook, IMPORTS, bots, WRAPPED)
    with serve(notebook, "run") as address:
        page.goto(address)
        board, explorer = page.locator("section.board").first, page.locator("section.explorer")
        expect(board).not_to_have_attribute("data-dark", "")
        for choice in ("Y1", "Nh", "h7=+@Nh", "x-"):
            choose(board, choice)
        # The bot has answered, from a thread of its own.
        expect(board.locator(".prompt")).to_have_text("Blue: choose an aqueduct to extend")
        explorer.get_by_role("tab", name="Game").click()
        expect(explorer.get_by_text("Download")).to_be_visible()
        expect_no_files(explorer)
    assert troubles == []
