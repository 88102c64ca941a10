"""A game without code: the form in JupyterLab, Notebook 7 and Voilà begins a game, and the bot answers."""

from __future__ import annotations

import pytest
from board_page import BoardPage, write
from notebook_house import House
from playwright.sync_api import Locator, Page, expect

PLAY = "import aquakit\ngame = aquakit.play()\ngame"
LAPTOP = {"width": 1366, "height": 768}
FOCUSED = """() => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    return e?.closest(".newgame") ? e.name || e.className : e?.dataset.choice ?? "";
}"""
OUTSIDE = """(form) => {
    const { right } = form.getBoundingClientRect();
    return [...form.querySelectorAll("*")].filter((part) => part.getBoundingClientRect().right > right + 1).length;
}"""


def open_form(there: BoardPage) -> Locator:
    """Runs the cell and gets the form, in the window of a laptop."""
    there.page.set_viewport_size(LAPTOP)
    there.write(PLAY)
    there.house.run_all(there.page)
    form = there.board.locator(".newgame")
    expect(form).to_be_visible()
    return form


def count_turns(there: BoardPage) -> int:
    """Counts the turns of the game, once no bot thinks."""
    there.tell("game.wait()")
    there.settle()
    count: int = there.ask("len(game.record.root.main()) - 1")
    return count


def play_a_turn(there: BoardPage) -> None:
    """Clicks on what is offered first until the turn and the bot's answer, in which one may have to pick, are over."""
    wanted = count_turns(there) + 2
    for _ in range(40):
        if count_turns(there) >= wanted:
            break
        choices = ".actions [data-choice], .layer [data-choice] .area, .layer [data-choice] .mark"
        there.board.locator(choices).first.click()
        there.settle()
    expect(there.board).to_have_attribute("aria-busy", "false")


def test_a_game_is_begun_by_the_form_and_two_turns_are_played_against_a_bot(there: BoardPage) -> None:
    form = open_form(there)
    expect(there.board.locator(".stage")).to_be_hidden()
    expect(form.get_by_role("button", name="Back to the game")).to_be_hidden()
    form.get_by_label("name of Red").fill("Ada")
    form.get_by_role("button", name="Start").click()
    expect(form).to_be_hidden()
    there.expect_prompt("Red: choose an aqueduct to extend")
    expect(there.board.locator("div.who")).to_have_text("RRedAdaGGreenbot, easyNew game")
    for _ in range(2):
        play_a_turn(there)
        expect(there.prompt).to_contain_text("Red: ")
    assert count_turns(there) == 4
    # What a row of the log tells begins in one line, beside its number.
    heights = there.board.locator(".turns li").last.evaluate(
        "row => [row.querySelector('.number'), row.querySelector('.chip')].map((e) => e.getBoundingClientRect().bottom)"
    )
    assert abs(heights[0] - heights[1]) < 8
    assert there.ask("dict(game.record.headers)") == {"player 1": "Ada", "player 2": "bot, easy"}

    there.board.get_by_role("button", name="New game").click()
    expect(form.get_by_label("name of Red")).to_have_value("Ada")
    form.get_by_role("button", name="Back to the game").click()
    expect(there.prompt).to_be_visible()
    assert count_turns(there) == 4


def test_every_board_shows_its_seats_and_the_whole_form_is_seen_at_a_laptop(there: BoardPage) -> None:
    form = open_form(there)
    form.evaluate("(form) => form.scrollIntoView()")
    for game in ("Aqua Romana", "Aquädukt"):
        form.get_by_text(game, exact=True).click()
        for card in form.locator(".pick.layout").all():
            card.click()
            expect(card.locator("input")).to_be_checked()
            players = {"two": 2, "three": 3, "four": 4}[(card.locator("strong").inner_text().split())[-2]]
            expect(form.locator(".seat")).to_have_count(players)
            assert card.locator("img").evaluate("(image) => image.complete && image.naturalWidth > 0")
            expect(form.get_by_role("button", name="Start")).to_be_in_viewport(ratio=1)
            expect(form.locator("legend").first).to_be_in_viewport(ratio=1)


def test_wishes_and_strengths_reach_the_game(there: BoardPage) -> None:
    form = open_form(there)
    form.get_by_text("Aquädukt", exact=True).click()
    form.get_by_label("who plays B").select_option("random")
    form.get_by_label("With events").check()
    form.get_by_role("button", name="Start").click()
    expect(form).to_be_hidden()
    there.settle()
    assert there.ask("[str(game.players[2]), set(game.visible.mountains.values())]") == ["<Bot: random>", {"?"}]


def test_the_form_is_filled_in_without_a_mouse(there: BoardPage) -> None:
    form = open_form(there)
    page = there.page
    form.get_by_role("radio", name="Aqua Romana", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(form.get_by_role("radio", name="Teaching board, 7 by 6")).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Uffr")
    page.keyboard.press("Enter")
    expect(form).to_be_hidden()
    there.settle()
    assert there.ask("[game.position.layout.name, dict(game.record.headers)['player 1']]") == ["romana2-7x6", "Uffr"]
    assert page.evaluate(FOCUSED) in there.ask("[choice['id'] for choice in game.offer['choices']]")


def test_the_form_is_whole_on_a_phone(there: BoardPage) -> None:
    form = open_form(there)
    there.page.set_viewport_size({"width": 400, "height": 760})
    assert form.evaluate(OUTSIDE) == 0


def test_a_seat_that_nobody_can_play_is_a_clear_error(there: BoardPage) -> None:
    there.write("import aquakit\naquakit.play('romana2-5x4', players={2: 'gredy'})")
    there.page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    expect(there.page.locator(".jp-OutputArea-output").first).to_contain_text(
        "players: seat 2: 'gredy'; expected random, greedy"
    )
    there.settle()
    assert [said for said in there.troubles if "gredy" not in said] == []
    there.troubles.clear()


@pytest.mark.parametrize("where", ["notebook 7", "voilà"])
def test_other_houses_play_too(house: House, page: Page, troubles: list[str], where: str) -> None:
    name = write(house, PLAY, name="play.ipynb")
    if where == "voilà":
        house.open_voila(page, name)
    else:
        house.open_notebook7(page, name)
        house.run_all(page)
    page.locator(".newgame").get_by_role("button", name="Start").click()
    board = page.locator("section.board").first
    expect(board.locator(".prompt")).to_have_text("Red: choose an aqueduct to extend")
    board.locator('.layer [data-choice="R1"] .mark').first.click()
    expect(board.locator(".prompt")).to_have_text("Red: choose a builder for R1")
    assert troubles == []
