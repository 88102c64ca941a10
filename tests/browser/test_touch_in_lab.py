"""On a tablet boards are played by fingers: what is tapped is large enough, or the nearest choice is meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from board_page import BoardPage
from notebook_house import House
from playwright.sync_api import Browser, Locator, expect

TABLET = {"width": 1024, "height": 768}
LEAST = 40
REACH = LEAST / 2 - 1
SMALL = """(board, least) => [...board.querySelectorAll("button, select, textarea, input, [role=tab], li[data-at]")]
    .map((e) => (e.matches("[type=checkbox], [type=radio]") ? e.closest("label") : e))
    .map((e) => [e.title || e.textContent || e.outerHTML, e.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < least)
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
MIDDLE = """(e) => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
}"""
ON_A_CHOICE = """(board, [x, y]) => board.getRootNode().elementFromPoint(x, y).closest("[data-choice]") !== null"""


@pytest.fixture(scope="module")
def opened(house: House, browser: Browser) -> Iterator[BoardPage]:
    with BoardPage.opened(house, browser, has_touch=True, is_mobile=True) as opened:
        house.command(opened.page, "application:toggle-left-area")  # boards are small beside the folder's list
        yield opened


@pytest.fixture
def there(opened: BoardPage, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
    with opened.used_by(request):
        opened.page.set_viewport_size(TABLET)
        yield opened


def tap(there: BoardPage, *choices: str) -> None:
    """Taps on one choice after the other and waits for Python."""
    for name in choices:
        there.button(name).or_(there.choice(name).locator(".mark, .area")).first.tap()
        there.settle()


def tap_beside(there: BoardPage, mark: Locator, across: float, along: float) -> None:
    """Taps so many pixels away from the middle of a mark, where no choice is to be seen."""
    x, y = mark.evaluate(MIDDLE)
    assert not there.board.evaluate(ON_A_CHOICE, [x + across, y + along])
    there.page.touchscreen.tap(x + across, y + along)
    there.settle()


@pytest.mark.parametrize("start", ["start('romana4')", "start('aquadukt4', seed=1)"])
def test_all_that_is_pushed_is_large_enough(there: BoardPage, start: str) -> None:
    board = there.show(f"b = Explorer({start})\nb")
    there.tell("b.play(next(b.position.turns()))")
    expect(board.locator(".moves li")).to_have_count(2)
    tabs = board.get_by_role("tab")
    assert tabs.count() > 3
    for tab in tabs.all():
        tab.tap()
        there.settle()
        assert board.evaluate(SMALL, LEAST) == []


def test_a_turn_of_aqua_romana_by_taps(there: BoardPage) -> None:
    there.show("b = Board(start('romana4'), animate=False)\nb")
    tap(there, "R2", "Nc")
    for tile in there.board.locator(".choice.ghost .mark").all():
        box = tile.bounding_box()
        assert box
        assert min(box["width"], box["height"]) > LEAST - 1
    tap(there, "c7=L@Nc")
    there.expect_prompt("Red: close an aqueduct, or none")
    tap(there, "x-")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert there.ask("[str(node.turn) for node in b.record.root.main()[1:]]") == ["c7=L@Nc x-"]
    expect(there.board.locator(".log li")).to_have_count(2)
    assert there.board.evaluate(SMALL, LEAST) == []


def test_turns_of_aquaedukt_by_taps(there: BoardPage) -> None:
    there.show("b = Board(start('aquadukt4', seed=1), seed=1)\nb")
    tap(there, "spring", "spring 5.4")
    assert there.ask("b.position.springs") == ("5.4",)
    there.board.locator(".choice.single .area").first.tap()
    there.settle()
    there.board.locator(".choice.single .area").first.tap()
    there.settle()
    assert there.ask("len(b.record.root.main()) - 1 + bool(b.position.played)") == 2


def test_a_finger_beside_a_choice_means_the_nearest(there: BoardPage) -> None:
    there.show("b = Board(start('romana4'), animate=False)\nb")
    for choice, mark, across, along in (
        ("R1", 0, 0, -REACH),  # the workman
        ("R1", 1, -REACH, 0),  # the square that it looks at
        ("R2", 1, 0, REACH),
        ("R3", 1, REACH, 0),
    ):
        tap_beside(there, there.choice(choice).locator(".mark").nth(mark), across, along)
        assert there.ask("b.picked") == [choice]
        there.tell("b.back()")
    there.tell("b.choose('R2')")
    x, y = there.board.locator('[data-tile], [data-builder="Sj"]').last.evaluate(MIDDLE)
    there.page.touchscreen.tap(x, y)  # far from all choices: back
    there.settle()
    assert there.ask("b.picked") == []

    there.show("b = Board(start('aquadukt4', seed=1), seed=1)\nb.choose('spring')\nb")
    tap_beside(there, there.choice("spring 5.4").locator(".mark"), 13, 13)
    assert there.ask("b.position.springs") == ("5.4",)
