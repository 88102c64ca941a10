"""Going back, late clicks, keys and cards in JupyterLab: nothing is lost by a slip, and nothing needs a mouse."""

from __future__ import annotations

import random

import pytest
from board_page import BoardPage
from playwright.sync_api import expect

ROMANA4 = "b = Board(start('romana4'))\nb"
EXTEND, CLOSE = "Red: choose an aqueduct to extend", "Red: close an aqueduct, or none"

FOCUSED = """() => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    return e?.dataset.choice ?? e?.getAttribute("class") ?? "";
}"""
COVERED = """(board) => {
    const card = board.querySelector(".card").getBoundingClientRect();
    const over = (a) => Math.min(a.right, card.right) - Math.max(a.left, card.left) > 1
        && Math.min(a.bottom, card.bottom) - Math.max(a.top, card.top) > 1;
    return [...board.querySelectorAll(".layer .choice .mark, .layer .fan")]
        .filter((mark) => over(mark.getBoundingClientRect()))
        .map((mark) => mark.closest("[data-choice]")?.dataset.choice ?? "fan");
}"""
"""Lists the choices that the card covers."""
CLICK_WHILE_WALKING = """(board) => {
    window.walking = new Promise((done) => {
        const observer = new MutationObserver(() => requestAnimationFrame(() => {
            observer.disconnect();
            const walks = board.querySelector("[data-builder=Ne]").getAnimations();
            board.querySelector(".stage > svg").dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
            done(walks.some((walk) => walk.playState === "running"));
        }));
        observer.observe(board, { attributeFilter: ["data-step"] });
    });
}"""
"""Clicks beside all choices as soon as the next picture is drawn, and tells whether a builder walked then."""
NAMED = """(board) => [...board.querySelectorAll("header button")].filter((e) => e.offsetParent).map((e) => {
    const seen = [...e.childNodes].filter((part) => part.nodeName !== "KBD").map((part) => part.textContent).join("");
    return [seen, e.getAttribute("aria-label") ?? seen];
})"""
"""Lists what the buttons in the bar show, and what is read aloud."""


def click_place(there: BoardPage, name: str) -> None:
    """Clicks in the middle of a place of the board, whatever lies there."""
    x, y, *_ = there.ask(f"b.places[{name!r}]")
    spot = there.board.locator(".layer:not(.planned)").evaluate(
        """(layer, [x, y]) => {
            const { a, e, f } = layer.getScreenCTM();
            return [x * a + e, y * a + f];
        }""",
        [x, y],
    )
    there.page.mouse.click(*spot)
    there.settle()


def press(there: BoardPage, *keys: str) -> None:
    for key in keys:
        there.page.keyboard.press(key)
        there.settle()


def focused(there: BoardPage) -> str:
    name: str = there.page.evaluate(FOCUSED)
    return name


# Going back


def test_a_click_elsewhere_or_on_what_was_chosen_goes_one_step_back(there: BoardPage) -> None:
    there.show(ROMANA4)
    back = there.board.locator(".back")
    expect(back).to_have_count(0)
    there.click("R2", "Nc")
    there.expect_prompt("Red: choose how the curve lies on c7")
    click_place(there, "Nc")  # the builder that was chosen
    there.expect_prompt("Red: choose a builder for R2")
    click_place(there, "f4")  # an empty square
    there.expect_prompt(EXTEND)
    click_place(there, "f4")  # there is nothing more to take back
    there.expect_prompt(EXTEND)
    expect(back).to_have_count(0)
    there.click("R2", "Nc", "c7=L@Nc")
    there.expect_prompt(CLOSE)
    there.page.wait_for_timeout(1700)  # longer than any builder walks
    click_place(there, "f4")
    there.expect_prompt(EXTEND)
    assert there.ask("str(b.position) == str(start('romana4'))") is True
    expect(there.problem).to_be_hidden()


def test_the_back_button_stands_where_there_is_a_step_to_take_back(there: BoardPage) -> None:
    there.show(ROMANA4)
    back = there.board.locator(".back")
    there.click("R2", "Nc", "c7=L@Nc")
    back.click()
    there.expect_prompt(EXTEND)
    expect(back).to_have_count(0)
    there.click("R2", "Nc", "c7=L@Nc", "x-")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    expect(back).to_have_count(0)


def test_a_click_while_a_builder_walks_takes_nothing_back(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R2", "Nc")
    there.board.evaluate(CLICK_WHILE_WALKING)
    there.choice("c7=L@Nc").locator(".mark").click()
    assert there.page.evaluate("window.walking") is True
    there.settle()
    there.expect_prompt(CLOSE)


@pytest.mark.parametrize("choice", ["R2", "R1"])
def test_a_double_click_chooses_once_and_says_nothing(there: BoardPage, choice: str) -> None:
    there.show(ROMANA4)
    top = there.board.locator(".stage").bounding_box()
    there.choice(choice).locator(".mark").first.dblclick()
    there.settle()
    assert there.ask("b.picked") == [choice]
    expect(there.problem).to_be_hidden()
    assert there.board.locator(".stage").bounding_box() == top


def test_clicks_before_the_answer_has_come_are_ignored(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.board.evaluate(
        """(board) => {
            const click = (e) => e.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
            for (const name of ["R2", "R1", "R2"]) click(board.querySelector(`.layer [data-choice=${name}]`));
            click(board.querySelector(".stage > svg"));
        }"""
    )
    there.settle()
    assert there.ask("b.picked, b.problem") == (["R2"], "")
    there.expect_prompt("Red: choose a builder for R2")


def test_an_undone_roll_gives_the_same_die(there: BoardPage) -> None:
    there.show("b = Board(start('aquadukt2', seed=3))\nb")
    there.click("roll")
    die = there.ask("b.position.die")
    for take_back in (lambda: there.board.locator(".back").click(), lambda: there.tool("undo")):
        take_back()
        there.settle()
        there.click("roll")
        assert there.ask("b.position.die") == die


# Keys


def test_nothing_is_closed_unless_one_asks_for_it(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.choice("R2").focus()
    press(there, "Enter", "Enter", "Enter")
    there.expect_prompt(CLOSE)
    assert focused(there) == "x-"
    press(there, "ArrowDown")
    assert focused(there) == "xR2"
    press(there, "ArrowUp", "Enter")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    press(there, ",")
    there.expect_prompt(EXTEND)
    press(there, "Shift+ArrowRight", "Enter", "Enter", "Enter", "0")
    press(there, ",", "Shift+ArrowRight", "Enter", "Enter", "Enter", "2")
    there.expect_prompt("Red: take a builder from the reserve")
    press(there, "j")
    assert there.ask("[str(node.turn) for node in b.record.root.children]") == ["c7=L@Nc x-", "c7=L@Nc xR2 *j"]


def test_what_is_read_aloud_is_what_is_seen(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R2", "Nc", "c7=L@Nc")
    for seen, said in there.board.evaluate(NAMED):
        assert seen in said or not seen.isascii() or seen == "?", (seen, said)
    assert [seen for seen, _ in there.board.evaluate(NAMED)][-3:] == [
        "Close none",
        "Close R2: length 1, podium 1",
        "Back",
    ]


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_a_whole_game_is_played_and_gone_through_by_keys_alone(there: BoardPage, layout: str) -> None:
    there.show(f"b = Board({layout!r}, seed=5, animate=False)\nb")
    draw = random.Random(2)
    there.page.locator(".jp-InputPrompt").first.click()
    for _ in range(12):
        if focused(there) in there.ask("[choice['id'] for choice in b.offer['choices']]"):
            break
        there.page.keyboard.press("Tab")
    for _ in range(300):
        over, keys = there.ask("b.position.is_over, [c['key'] for c in b.offer['choices'] if c['key']]")
        if over:
            break
        if "r" in keys and "s" in keys:  # roll once and then stop; closings come before none
            keys = ["s"] if there.ask("bool(b.position.played)") else ["r"]
        if wanted := [key for key in keys if key not in "0d"] or keys:
            press(there, draw.choice(wanted))
        else:
            for _ in range(2):
                there.page.keyboard.press(
                    draw.choice(["Shift+ArrowRight", "Shift+ArrowDown", "Shift+ArrowLeft", "ArrowDown", "ArrowUp"])
                )
            press(there, "Enter")
    assert there.ask("b.position.is_over, b.problem") == (True, "")
    played = there.ask("len(b.record.root.main()) - 1")
    assert played > 3
    press(there, *["ArrowLeft"] * played)
    assert there.ask("b.node is b.record.root") is True
    press(there, *["ArrowRight"] * played)
    assert there.ask("b.position.is_over, len(b.record.root.main()) - 1") == (True, played)


# Cards


def test_a_card_is_told_anew_with_the_position(there: BoardPage) -> None:
    there.show(ROMANA4)
    card = there.board.locator(".card")
    there.choice("R3").locator(".area").hover()
    expect(card).to_contain_text("length 0")
    there.tell("for choice in ('R3', 'Nd', 'd7=|@Nd'): b.choose(choice)")
    expect(card).to_contain_text("length 1: d7")
    expect(card).to_contain_text("closed now: 1 point for podium 1")
    expect(card).to_contain_text("bonus at the end: 4 as it stands")
    there.tell("b.undo()")
    expect(card).to_contain_text("length 0")


@pytest.mark.parametrize(
    ("cell", "clicks"),
    [
        ("b = Board(start('romana4'))\nb", ["R2", "Nc", "c7=L@Nc", "xR2"]),
        ("b = Board(start('romana2-5x4'))\nb", []),
        ("b = Board(start('romana4', setup=True))\nb", ["c"]),
        ("b = Board(start('aquadukt2', seed=3).play('spring 5.4').play('canal 5.4v, canal 5.5v'))\nb", ["canal 5.4h"]),
    ],
    ids=["romana4", "small", "setup", "aquadukt"],
)
def test_no_card_covers_a_choice(there: BoardPage, cell: str, clicks: list[str]) -> None:
    there.page.set_viewport_size({"width": 1366, "height": 768})
    there.show(cell)
    for click in ["", *clicks]:
        if click:
            there.click(click)
        there.board.locator(".stage").focus()
        told = 0
        for _ in range(there.ask("len(b.facts)")):
            there.page.keyboard.press("i")
            if there.board.locator(".card").is_visible():
                told += 1
                assert there.board.evaluate(COVERED) == [], there.board.locator(".card").text_content()
        assert told
