"""What happened is told beside the board: the log, marks of what bots played, the replay, and lines gone through."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from board_page import BoardPage
from playwright.sync_api import expect

BOTS = "b = Board('romana4', players=dict.fromkeys((2, 3, 4), 'greedy'), seed=1)\nb"
DICE = "b = Board(start('aquadukt4', seed=1), players=dict.fromkeys((2, 3, 4), 'greedy'), seed=1)\nb"
LAPTOP = {"width": 1366, "height": 768}
OWN_TURN = "Red: choose an aqueduct to extend"


FRAMES = """async (board, count) => {
    const widths = [];
    while (widths.length < count) {
        await new Promise(requestAnimationFrame);
        widths.push(board.querySelector(".stage").clientWidth);
    }
    return widths;
}"""


@pytest.fixture
def there(opened: BoardPage, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
    with opened.used_by(request) as page:
        page.page.set_viewport_size(LAPTOP)
        yield page


def play_first_turn(there: BoardPage) -> None:
    there.show(BOTS)
    there.click("R2", "Nc", "c7=L@Nc", "x-")
    there.expect_prompt(OWN_TURN)
    there.settle()


def test_after_three_bots_the_log_tells_their_turns_and_the_board_numbers_them(there: BoardPage) -> None:
    play_first_turn(there)
    rows = there.board.locator(".log .turns li")
    expect(rows).to_have_count(5)
    expect(rows.nth(1)).to_have_text("1.Rcurve on c7 by the builder on Nc, nothing closed")
    for row, sign in ((2, "Y"), (3, "G"), (4, "B")):
        expect(rows.nth(row).locator(".mover")).to_have_text(sign)
    told = there.ask("[node.parent.position.tell(node.turn) for node in b.record.root.main()[2:]]")
    for row, words in enumerate(told, start=2):
        expect(rows.nth(row).locator(".told")).to_have_text(words)
    marks = there.board.locator(".stage > svg:first-child text")
    assert {"1", "2", "3"} <= set(marks.all_text_contents())
    # It lies in the free corner of the picture, and its last turn is seen.
    log, stage = there.board.locator(".log").bounding_box(), there.board.locator(".stage").bounding_box()
    assert log
    assert stage
    assert log["x"] > stage["x"] + stage["width"] / 2
    assert log["y"] + log["height"] <= stage["y"] + stage["height"]
    last = rows.last.bounding_box()
    assert last
    assert log["y"] <= last["y"] <= log["y"] + log["height"] - 10


def test_who_plays_by_mouse_sees_no_card_that_was_not_asked_for(there: BoardPage) -> None:
    there.show(BOTS)
    there.click("R2", "Nc", "c7=L@Nc")
    there.button("x-").click()
    there.expect_prompt(OWN_TURN)
    there.settle()
    expect(there.board.locator(".card")).to_be_hidden()
    there.choice("R2").locator(".mark").first.hover()
    expect(there.board.locator(".card")).to_be_visible()


def test_the_list_of_keys_lies_over_the_board_and_moves_nothing(there: BoardPage) -> None:
    there.show(BOTS)
    stage = there.board.locator(".stage")
    before = stage.bounding_box()
    for shown in (True, False):
        there.board.locator(".keys").click()
        expect(there.board.locator(".keylist")).to_be_visible(visible=shown)
        assert stage.bounding_box() == before


def test_the_list_of_keys_is_closed_by_escape_by_its_button_and_by_a_click_elsewhere(there: BoardPage) -> None:
    there.show("b = Board(start('romana2-5x4'))\nb")
    there.click("R1")
    before = there.prompt.text_content() or ""
    keys, stage = there.board.locator(".keylist"), there.board.locator(".stage")
    corner = {"x": stage.bounding_box()["width"] - 3, "y": stage.bounding_box()["height"] - 3}
    for close in (
        lambda: there.page.keyboard.press("Escape"),
        lambda: keys.get_by_role("button").click(),
        lambda: stage.click(position=corner),
        lambda: there.page.locator(".jp-Cell").last.click(),
    ):
        there.board.locator(".tool.keys").click()
        expect(keys.locator("strong")).to_have_text("Keys")
        close()
        expect(keys).to_be_hidden()
        there.settle()
        there.expect_prompt(before)
    there.board.locator(".tool.keys").focus()
    there.page.keyboard.press("Escape")
    there.expect_prompt("Red: choose an aqueduct to extend")


def test_the_editor_lists_its_own_keys(there: BoardPage) -> None:
    there.show("b = Explorer(start('romana2-5x4'))\nb.edit()\nb")
    there.board.locator(".tool.keys").click()
    keys = there.board.locator(".keylist")
    expect(keys.locator("strong")).to_have_text("Keys of the editor")
    expect(keys.locator("dt").first).to_have_text("R or the wheel")
    expect(keys).not_to_contain_text("the next tile")


def test_dice_of_bots_and_points_are_told(there: BoardPage) -> None:
    there.show(DICE)
    there.click("spring", "spring 3.5")
    there.expect_prompt("Player 1 (A): roll the die, place a spring or lay canals")
    expect(there.board.locator(".log .turns li").nth(2)).to_contain_text("(rolled ")
    there.show("b = Board('romana2-5x4')\nb.play('b3=+@E4 xR1 *j')\nb")
    expect(there.board.locator(".log .gained")).to_have_text(["+1"])


def test_a_replay_runs_by_itself_and_comes_back(there: BoardPage) -> None:
    play_first_turn(there)
    there.board.get_by_role("button", name="Replay: show the last 3 turns again").click()
    expect(there.prompt).to_contain_text("Replay of 3 turns, turn 1 of 3: Yellow: ")
    expect(there.prompt).to_contain_text("Replay of 3 turns, turn 3 of 3: Blue: ", timeout=20_000)
    there.expect_prompt(OWN_TURN)
    assert there.ask("len(b.record.root.main()) - 1, b.bot") == (4, "")


def test_a_replay_is_stepped_through_by_hand_and_left(there: BoardPage) -> None:
    play_first_turn(there)
    there.board.locator(".replay").click()
    later = there.board.locator('[data-choice="later"]')
    later.dblclick()
    expect(there.prompt).to_contain_text("turn 2 of 3: Green: ")
    there.board.locator('[data-choice="earlier"]').click()
    expect(there.prompt).to_contain_text("turn 1 of 3: Yellow: ")
    there.board.get_by_role("button", name="Back to the game").click()
    there.expect_prompt(OWN_TURN)


def test_a_button_that_stays_is_not_drawn_anew_under_the_pointer(there: BoardPage) -> None:
    play_first_turn(there)
    there.board.locator(".replay").click()
    later = there.board.locator('[data-choice="later"]')
    later.evaluate("button => { window.pressed = button; }")
    later.click()
    expect(there.prompt).to_contain_text("turn 1 of 3: Yellow: ")
    assert later.evaluate("button => button === window.pressed")


def test_arrow_keys_and_rows_go_through_the_game(there: BoardPage) -> None:
    play_first_turn(there)
    there.choice("R2").focus()
    for index in (3, 2):
        there.page.keyboard.press("ArrowLeft")
        there.settle()
        assert there.ask("b.index") == index
    expect(there.board.locator(".log [aria-current]")).to_contain_text("2.")
    there.board.locator(".log .turns li").last.click()
    there.expect_prompt(OWN_TURN)
    assert there.ask("b.index, b.bot") == (4, "")


def test_the_speed_of_bots_is_set_on_the_page(there: BoardPage) -> None:
    there.show(BOTS)
    there.board.get_by_label("how long bots take").select_option("one second")
    there.settle()
    assert there.ask("b.pace") == 1


def test_where_the_picture_has_no_free_corner_the_log_is_below(there: BoardPage) -> None:
    there.page.set_viewport_size({"width": 700, "height": 900})
    play_first_turn(there)
    log, stage = there.board.locator(".log").bounding_box(), there.board.locator(".stage").bounding_box()
    assert log
    assert stage
    assert log["y"] >= stage["y"] + stage["height"]


def test_a_line_is_gone_through_on_the_board(there: BoardPage) -> None:
    there.show("x = Explorer('romana2-5x4', lines=[{'turn': 'b3=+@E4', 'then': ['d2=7@Sd']}])\nx", "x")
    there.board.get_by_role("tab", name="Lines").click()
    there.board.locator(".lines .turn").click()
    expect(there.prompt).to_contain_text("Line 1, turn 1 of 2: Red: bridge on b3")
    expect(there.board.locator('[data-tile="b3=+"]').first).to_be_attached()
    there.page.keyboard.press("ArrowRight")
    expect(there.prompt).to_contain_text("Line 1, turn 2 of 2: Green: ")
    there.page.keyboard.press("Escape")
    there.expect_prompt(OWN_TURN)
    assert there.ask("len(x.record.root.children)") == 0
    expect(there.board.locator(".lines .turn")).to_have_count(1)


def test_a_board_comes_to_rest_at_every_size_of_the_window(there: BoardPage) -> None:
    """The place of the log follows from the size of the board, which must not follow from the log in turn."""
    board = there.show("b = Board(start('aquadukt4', seed=1), seed=1)\nb.play('spring 5.4')\nb")
    expect(board.locator(".log")).to_be_visible()
    for width, height in ((705, 621), (799, 621), (799, 682), (846, 682), (987, 743), (1034, 804)):
        there.page.set_viewport_size({"width": width, "height": height})
        board.evaluate(FRAMES, 5)
        assert len(set(board.evaluate(FRAMES, 12))) == 1, (width, height)
