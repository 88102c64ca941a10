"""On a small laptop all of a board is seen at once, at every decision, and the page never scrolls by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from board_page import BoardPage
from notebook_house import House
from playwright.sync_api import Browser, expect

from aquakit.core.games import layout_names

LAPTOP = {"width": 1366, "height": 768}

SCROLL_TO = """(board) => {
    let scroller = null;
    for (let e = board; e; e = e.parentElement ?? e.getRootNode().host) {
        if (e.matches?.(".jp-WindowedPanel-outer")) scroller = e;
    }
    window.scroller = scroller;
    scroller.scrollTop += board.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 4;
}"""
SEEN = """(board) => {
    const frame = scroller.getBoundingClientRect();
    const outside = new Set();
    for (const part of ["header", ".stage", ".prompt", ".actions > *", ".layer [data-choice] .mark"]) {
        for (const e of board.querySelectorAll(part)) {
            const box = e.getBoundingClientRect();
            const across = box.left >= frame.left - 1 && box.right <= frame.right + 1;
            const along = box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
            if (!across || !along) outside.add(`${part} ${[box.left, box.right, box.top, box.bottom].map(Math.round)}`);
        }
    }
    return { outside: [...outside], scroll: Math.round(scroller.scrollTop) };
}"""
PLAY = """
import random
draw = random.Random({seed})
kinds = set()
def go_on():
    choices = b.offer["choices"]
    kinds.add(b.position.phase + str(len(b.picked)))
    acts = [c for c in choices if c["id"] != "x-"] or choices
    b.choose(draw.choice(acts if draw.random() < .6 else choices)["id"])
"""


@pytest.fixture(scope="module")
def opened(house: House, browser: Browser) -> Iterator[BoardPage]:
    with BoardPage.opened(house, browser) as opened:
        house.command(opened.page, "application:toggle-left-area")  # the folder's list is shown, as at first
        yield opened


@pytest.fixture
def there(opened: BoardPage, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
    with opened.used_by(request):
        opened.page.set_viewport_size(LAPTOP)
        yield opened


def look(there: BoardPage) -> dict[str, Any]:
    found: dict[str, Any] = there.board.evaluate(SEEN)
    return found


@pytest.mark.parametrize("layout", layout_names())
def test_all_of_a_board_is_seen_at_every_decision(there: BoardPage, layout: str) -> None:
    board = there.show(
        f"b = Board(start({layout!r}), animate=False, seed=1)\nb", PLAY.format(seed=layout_names().index(layout))
    )
    board.evaluate(SCROLL_TO)
    first = look(there)
    assert first["outside"] == []
    for _ in range(40):
        there.tell("None if b.position.is_over else go_on()")
        there.settle()
        assert look(there) == first
    assert there.ask("len(kinds)") >= 3


@pytest.mark.parametrize("layout", layout_names())
def test_all_of_an_explorers_board_is_seen(there: BoardPage, layout: str) -> None:
    board = there.show(f"b = Explorer(start({layout!r}))\nb")
    board.evaluate(SCROLL_TO)
    assert look(there)["outside"] == []
    expect(there.board.locator(".tabs")).to_be_in_viewport(ratio=1)


def test_an_explorers_panel_keeps_its_place_whatever_the_bar_says(there: BoardPage) -> None:
    """While a builder is picked, a button for each of them once pushed the panel out of the window."""
    board = there.show("b = Explorer(start('romana4'))\nb")
    board.evaluate(SCROLL_TO)
    tabs = there.board.locator(".tabs")
    before = tabs.bounding_box()
    there.tell("[b.choose(each) for each in ('R2', 'Nc', 'c7=L@Nc', 'xR2')]")
    expect(board.locator(".actions button")).to_have_count(6)  # five builders, and Back
    there.settle()
    assert look(there)["outside"] == []
    expect(tabs).to_be_in_viewport(ratio=1)
    after = tabs.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] >= 300
    assert abs(after["x"] - before["x"]) < 40


@pytest.mark.parametrize("name", ["podium-1", "graph-stroke", "water-dry"])
def test_all_of_an_exercise_is_seen(there: BoardPage, name: str) -> None:
    board = there.show(f"from aquakit.workshop import exercise\nb = exercise({name!r}).ask()\nb")
    board.evaluate(SCROLL_TO)
    assert look(there)["outside"] == []
    expect(there.board.locator(".question")).to_be_in_viewport(ratio=1)


def test_the_page_does_not_scroll_over_a_whole_game_with_three_bots(there: BoardPage) -> None:
    board = there.show(
        "from aquakit import bot\n"
        "b = Board(start('romana4'), players={n: bot('greedy') for n in (2, 3, 4)}, animate=False)\nb",
        PLAY.format(seed=5),
    )
    board.evaluate(SCROLL_TO)
    first = look(there)
    assert first["outside"] == []
    board.locator(".layer [data-choice]").first.focus()
    for _ in range(400):
        if there.ask("b.position.is_over"):
            break
        choice = there.board.locator(".layer [data-choice], .actions [data-choice]").first
        choice.dispatch_event("click")
        there.tell("b.wait()")
        there.settle()
        assert look(there)["scroll"] == first["scroll"]
        assert look(there)["outside"] == []
    assert there.ask("b.position.is_over")


def test_a_narrow_page_has_the_panel_below(there: BoardPage) -> None:
    there.show("b = Board(start('romana4'))\nb")
    expect(there.board.locator('[data-panel="beside"]')).to_be_visible()
    there.page.set_viewport_size({"width": 760, "height": 1100})
    expect(there.board.locator('[data-panel="below"]')).to_be_visible()
    expect(there.board.locator('[data-panel="beside"]')).to_be_hidden()


def test_a_size_that_is_asked_for_is_kept(there: BoardPage) -> None:
    there.show("b = Board(start('romana4'), size=900)\nb")
    expect(there.board.locator('[data-panel="below"]')).to_be_visible()
    assert there.board.locator(".stage").evaluate("(stage) => stage.offsetWidth") == 900


@pytest.mark.parametrize("layout", layout_names())
def test_who_plays_is_seen_with_all_of_the_board(there: BoardPage, layout: str) -> None:
    board = there.show(f"import aquakit\nb = aquakit.play({layout!r}, players={{2: 'greedy'}})\nb")
    board.evaluate(SCROLL_TO)
    expect(board.locator("div.who")).to_be_in_viewport(ratio=1)
    assert look(there)["outside"] == []
