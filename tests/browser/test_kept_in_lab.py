"""A game outlives its kernel: the page says that Python is gone, and the cell, run again, shows the game as it was."""

from __future__ import annotations

from board_page import write
from notebook_house import House
from playwright.sync_api import Page, expect

CELL = "b = Board(start('romana2-5x4'))\nb"
GONE = "Python was restarted or has ended. Run this cell again: the game is kept."


def choose(page: Page, *choices: str) -> None:
    """Clicks on one choice after the other, wherever it is offered."""
    for name in choices:
        page.locator(f'.actions [data-choice="{name}"]').or_(
            page.locator(f'.layer [data-choice="{name}"]').locator(".mark, .area")
        ).first.click()


def open_board(house: House, page: Page, name: str, cell: str = CELL) -> None:
    house.open_lab(page, write(house, cell, name=name))
    house.run_all(page)
    page.locator(".prompt").wait_for()


def play_a_turn(house: House, page: Page) -> None:
    for choices in (("R1",), ("E4",), ("b3=+@E4",), ("x-",)):
        choose(page, *choices)
        house.settle(page)
    expect(page.locator(".prompt")).to_have_text("Green: choose an aqueduct to extend")


def test_after_a_restart_the_board_says_so_and_its_cell_brings_the_game_back(
    house: House, page: Page, troubles: list[str]
) -> None:
    open_board(house, page, "kept.ipynb")
    play_a_turn(house, page)
    note, stage = page.locator(".kept"), page.locator(".stage")
    expect(note).to_be_hidden()
    before = stage.bounding_box()
    house.restart(page)
    expect(note).to_be_visible()
    expect(note.locator("span")).to_have_text(GONE)
    assert stage.bounding_box() == before, "nothing moves"
    assert 0 <= note.bounding_box()["y"] - before["y"] < 20, "it lies at the top of the board"
    choose(page, "G1")
    page.locator(".tool.undo").click()
    expect(note).to_be_visible()
    assert troubles == [], "what cannot be sent is no error"

    house.run_all(page)
    expect(page.locator(".prompt")).to_have_text("Green: choose an aqueduct to extend")
    assert house.ask(page, "[str(node.turn) for node in b.record.root.main()[1:]]") == ["b3=+@E4 x-"]
    expect(note.locator("span")).to_contain_text("Going on with the game of")
    expect(note.locator("span")).to_contain_text("(1 turn).")
    note.get_by_role("button", name="Begin anew").click()
    expect(page.locator(".prompt")).to_have_text("Red: choose an aqueduct to extend")
    expect(note).to_be_hidden()
    assert house.ask(page, "len(b.record.root.children)") == 0

    house.tell(page, "import aquakit")
    assert house.ask(page, "aquakit.resume().node.number") == 1
    house.run_all(page)  # in the same Python it begins anew
    expect(page.locator(".prompt")).to_have_text("Red: choose an aqueduct to extend")
    expect(note).to_be_hidden()
    assert troubles == []


def test_a_kernel_that_died_unseen_is_found_out_by_a_click(house: House, page: Page) -> None:
    open_board(house, page, "died.ipynb")
    play_a_turn(house, page)
    house.settle(page)
    # The server starts another one, which knows nothing of the board. It looks every few seconds: whether it tells so
    # before or after the click is left to chance.
    told = page.locator(".jp-Dialog")
    page.add_locator_handler(told, lambda: told.locator("button").first.click())
    page.evaluate(
        """() => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            kernel.requestExecute({ code: "import os; os._exit(1)" });
        }"""
    )
    page.wait_for_timeout(500)
    note = page.locator(".kept span")
    page.locator(".tool.undo").click()
    expect(note).to_contain_text("Run this cell again: the game is kept.", ignore_case=True)


def test_a_busy_kernel_is_told_from_one_that_is_gone(house: House, page: Page, troubles: list[str]) -> None:
    open_board(house, page, "busy.ipynb")
    note = page.locator(".kept")
    page.evaluate(
        """() => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            kernel.requestExecute({ code: "import time; time.sleep(9)" });
        }"""
    )
    choose(page, "R1")
    expect(note).to_contain_text("it may be busy with another cell")
    house.settle(page)
    expect(page.locator(".prompt")).to_have_text("Red: choose a builder for R1")
    expect(note).to_be_hidden()
    assert troubles == []


def test_the_explorer_opens_a_game_that_was_kept(house: House, page: Page, troubles: list[str]) -> None:
    named = "k = Board('romana2-5x4', name='club evening')\nk.play('b3=+@E4')"
    open_board(house, page, "recent.ipynb", f"{named}\nb = Explorer(start('romana4'))\nb")
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="list the games").click()
    page.locator(".games .game", has_text="club evening").click()
    expect(page.locator(".prompt")).to_have_text("Green: choose an aqueduct to extend")
    assert house.ask(page, "b.position == k.position")
    assert troubles == []
