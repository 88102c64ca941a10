"""Games in the explorer at a laptop: begun by the form, opened from a list, reviewed, and the best turn asked for."""

from __future__ import annotations

import pytest
from board_page import BoardPage
from playwright.sync_api import Locator, expect

from aquakit import Record, start

LAPTOP = {"width": 1366, "height": 768}
BAD, ANSWER, BEST = "b3=+@E4 xR1 *d", "d2=7@Sd xG1 *j", "d4=+@E4 x-"
MARKUP = '<img src=x onerror="window.pwned=1">'
CLUB = f"""
record = Record(start('romana2-5x4'), {{'player 1': 'Ada', 'player 2': {MARKUP!r}}})
node = record.root.play({BAD!r}).play({ANSWER!r})
x = Explorer(record)
x
"""
SCROLLED = "() => document.querySelector('.jp-WindowedPanel-outer').scrollTop"


def show(there: BoardPage, *cells: str) -> Locator:
    """Shows an explorer in the window of a laptop, whole."""
    there.page.set_viewport_size(LAPTOP)
    board = there.show(*cells)
    board.evaluate("(board) => board.scrollIntoView()")
    return board


def turn_to(there: BoardPage, title: str) -> None:
    there.board.get_by_role("tab", name=title, exact=True).click()


# Review


def review(there: BoardPage) -> Locator:
    """Has the game reviewed by clicks; gets the mistakes."""
    turn_to(there, "Review")
    go = there.board.locator(".review .go")
    go.click()
    there.tell("x.wait_for_review()")
    expect(go).to_have_text("Review this game")
    return there.board.locator(".mistake")


def test_a_review_shows_the_table_the_leads_and_the_mistakes(there: BoardPage) -> None:
    board = show(there, CLUB)
    mistakes = review(there)
    expect(board.locator(".review tbody tr")).to_have_count(2)
    expect(board.locator(".review tbody tr").first).to_contain_text("Ada")
    expect(board.locator(".review tbody tr").last).to_contain_text(MARKUP)
    expect(board.locator(".review .graphs .graph")).to_have_count(2)
    expect(board.locator(".review .graphs .sign").first).to_contain_text("??")
    expect(mistakes.first).to_contain_text("blunder")
    expect(mistakes.first).to_contain_text("Played: bridge on b3 by the builder on E4")
    expect(mistakes.first).to_contain_text("Better: bridge on d4 by the builder on E4, nothing closed")
    assert there.page.evaluate("window.pwned") is None
    assert board.locator("img").count() == 0


def test_a_click_on_a_mistake_goes_there_and_marks_the_better_turn(there: BoardPage) -> None:
    board = show(there, CLUB)
    mistakes = review(there)
    board.locator(".scrub .last").click()
    expect(board.locator(".scrub output")).to_have_text("2 / 2")
    expect(mistakes.first).not_to_have_attribute("aria-current", "step")
    scrolled = there.page.evaluate(SCROLLED)
    mistakes.first.click()
    there.settle()
    expect(board.locator(".scrub output")).to_have_text("0 / 2")
    expect(mistakes.first).to_have_attribute("aria-current", "step")
    expect(mistakes.first).to_contain_text("Closes R1 at length 1: podium 1, 1 point.")
    marked = "x._marked()[0].get('d4')"
    assert there.ask(marked) == "!"
    there.page.mouse.move(0, 0)
    there.settle()
    assert there.ask(marked) == "!"  # it was chosen, so it stays
    mistakes.nth(1).hover()  # another one takes nothing from the board
    there.settle()
    assert there.ask(marked) == "!"
    board.locator(".scrub .next").click()
    there.settle()
    assert there.ask("'!' in x._marked()[0].values()") is False
    board.locator(".review .graphs .sign").first.click()
    expect(board.locator(".scrub output")).to_have_text("0 / 2")
    assert there.page.evaluate(SCROLLED) == scrolled


def test_pointing_at_a_mistake_of_this_moment_previews_the_better_turn(there: BoardPage) -> None:
    show(there, CLUB)
    mistakes = review(there)
    there.settle()
    marked = "x._marked()[0].get('d4')"
    assert there.ask(marked) is None
    mistakes.first.hover()
    there.settle()
    assert there.ask(marked) == "!"
    there.page.mouse.move(0, 0)
    there.settle()
    assert there.ask(marked) is None


def test_a_click_on_the_leads_goes_to_that_turn(there: BoardPage) -> None:
    board = show(there, CLUB)
    review(there)
    plot = board.locator(".review .graphs")
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": box["width"] * 290 / 310, "y": box["height"] * 0.95})
    expect(board.locator(".scrub output")).to_have_text("2 / 2")


def test_a_review_is_stopped_and_the_notebook_is_free_meanwhile(there: BoardPage) -> None:
    board = show(there, CLUB)
    there.tell("x.review(10_000)")
    turn_to(there, "Review")
    expect(board.locator(".review .status")).to_have_text("turn 1 of 2")
    expect(board.locator(".review progress")).to_be_visible()
    board.locator(".scrub .last").click()
    expect(board.locator(".scrub output")).to_have_text("2 / 2")
    board.locator(".review .go", has_text="Stop").click()
    expect(board.locator(".review .status")).to_have_text("Stopped.")
    expect(board.locator(".review .go")).to_have_text("Review this game")


def test_without_turns_there_is_nothing_to_review(there: BoardPage) -> None:
    board = show(there, "x = Explorer(start('romana2-5x4'))\nx")
    turn_to(there, "Review")
    expect(board.locator(".review .go")).to_be_disabled()
    expect(board.locator(".review .status")).to_have_text("There is nothing to review: no turn has been played yet.")


# Best turn?


@pytest.mark.parametrize("layout", ["romana4", "romana2-5x4", "aquadukt2"])
def test_the_best_turn_is_a_click_away_and_told_in_words(there: BoardPage, layout: str) -> None:
    board = show(there, f"x = Explorer(start({layout!r}))\nx.notation = False\nx")
    best = board.locator(".advise")
    expect(best).to_be_in_viewport(ratio=1)
    scrolled = there.page.evaluate(SCROLLED)
    best.click()
    there.tell("x.wait_for_advice()")
    expect(board.get_by_role("tab", name="Lines", exact=True)).to_have_attribute("aria-selected", "true")
    answer = board.locator(".advice .answer")
    expect(answer).to_contain_text("Best turn")
    expect(answer).to_contain_text("±")
    expect(answer.locator(".notation")).to_be_hidden()
    assert there.page.evaluate(SCROLLED) == scrolled
    turn = there.ask("x.advised.turn")
    told = there.ask("x.position.tell(x.advised.turn)")
    expect(answer.locator(".best .told")).to_have_text(told)
    if layout != "aquadukt2":  # there it may be to roll, which is nowhere on the board
        assert there.ask("'!' in x._marked()[0].values()")
        answer.locator(".playbest").click()
        expect(board.locator(".advice")).to_be_hidden()
        assert there.ask("str(x.node.turn)") == turn


# New, Open


def test_a_new_game_is_begun_and_the_old_one_is_brought_back(there: BoardPage) -> None:
    board = show(there, CLUB)
    turn_to(there, "Game")
    board.get_by_role("button", name="choose a game").click()
    form = board.locator(".newgame")
    expect(form.get_by_label("name of Red")).to_have_value("Ada")
    expect(board.locator(".stage")).to_be_hidden()
    expect(form.locator(".begin")).to_be_in_viewport(ratio=1)
    form.get_by_text("Teaching board, 7 by 6").click()
    form.get_by_label("who plays Green").select_option("greedy")
    form.locator(".begin").click()
    expect(form).to_be_hidden()
    expect(board.locator(".stage")).to_be_in_viewport()
    there.settle()
    assert there.ask("[x.position.layout.name, str(x.players[2])]") == ["romana2-7x6", "<Bot: greedy>"]
    turn_to(there, "Moves")
    board.get_by_role("button", name="bring back").click()
    expect(board.locator(".moves li")).to_have_count(3)
    assert there.ask("x.players") == {}


def test_the_form_is_left_by_escape_and_the_game_is_as_it_was(there: BoardPage) -> None:
    board = show(there, CLUB)
    turn_to(there, "Game")
    board.get_by_role("button", name="choose a game").click()
    expect(board.locator(".newgame")).to_be_visible()
    there.page.keyboard.press("Escape")
    expect(board.locator(".newgame")).to_be_hidden()
    expect(board.locator(".stage")).to_be_in_viewport()
    assert there.ask("len(x.record.root.main())") == 3


def test_a_record_of_the_folder_is_opened_from_a_list(there: BoardPage) -> None:
    record = Record(start("romana2-5x4"), {"event": "Autumn cup"})
    record.root.play(BEST)
    record.save(there.house.folder / "autumn cup.txt")
    (there.house.folder / "shopping.txt").write_text("lentils, wine")
    board = show(there, "x = Explorer(start('romana4'))\nx")
    turn_to(there, "Game")
    board.get_by_role("button", name="open a record from a file").click()
    listed = board.locator(".opening .game")
    expect(listed.filter(has_text="autumn cup.txt: romana2-5x4")).to_have_count(1)
    expect(listed.filter(has_text="shopping")).to_have_count(0)
    listed.filter(has_text="autumn cup.txt").click()
    expect(board.locator(".heads")).to_contain_text("Autumn cup")
    expect(board.locator(".opening")).to_be_hidden()
    assert there.ask("str(x.record.root.children[0].turn)") == BEST
