"""A board in JupyterLab: whole turns by mouse and by keyboard reach Python, and the page shows what Python says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from board_page import VIEW, BoardPage
from playwright.sync_api import expect

from aquakit.cli.demo import ROMANA

ROMANA4 = "b = Board(start('romana4'))\nb"
HELD = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "..cs...bd../b......s/..cs...bd../d......c csd -,bj,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 2 0"
)
PAST_THREE = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "...sccb..../......../...b......./........ csbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 1 0"
)
"""The straight builder on Nd walks past three others to Nh, where Yellow sees it."""
REGION_5_FULL = (
    "aquadukt2 _^^^^^^^^.._/............/....B2A2....../....A1B1....../............/............/............/"
    "_.........._ 7.7.8.4,7.7.8.4 5.4 5.4:nn 34 1 0 -"
)
"""All squares of region 5 are built on and watered, by an arm of two canals from the spring on 5.4."""
MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'

# Scripts that look at the page

FOCUSED = """() => {
    let e = document.activeElement;
    while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
    return e?.dataset.choice ?? e?.getAttribute("class") ?? "";
}"""
WATCH_BUILDERS = """(board) => {
    const walking = () => [...board.querySelectorAll(".stage > svg:first-child [data-builder]")]
        .filter((builder) => builder.getAnimations().length)
        .map((builder) => builder.dataset.builder);
    window.walked = new Promise((done) => {
        const observer = new MutationObserver(() => requestAnimationFrame(() => done(walking())));
        observer.observe(board, { attributeFilter: ["data-step"] });
    });
}"""


def record_of(there: BoardPage) -> list[str]:
    """Lists the turns of the game on the board."""
    turns: list[str] = there.ask("[str(node.turn) for node in b.record.root.main()[1:]]")
    return turns


def picture_of(there: BoardPage, **pieces: str) -> None:
    """Checks that the picture has pieces, each named by its data attribute and value."""
    for name, value in pieces.items():
        expect(there.board.locator(f'.stage > svg:first-child [data-{name}="{value}"]').first).to_be_visible()


# Aqua Romana by mouse


def test_a_turn_is_clicked_together_from_workman_builder_and_tile(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.expect_prompt("Red: choose an aqueduct to extend")
    there.choice("R2").locator(".area").click()  # the square that the workman faces
    there.expect_prompt("Red: choose a builder for R2")
    expect(there.board.locator(".layer .ray")).to_have_count(4)
    there.click("Nc")
    there.expect_prompt("Red: choose how the curve lies on c7")
    there.click("c7=L@Nc")
    there.expect_prompt("Red: close an aqueduct, or none")
    there.click("x-")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert record_of(there) == ["c7=L@Nc x-"]
    assert there.ask("str(b.position)") == there.ask("str(start('romana4').play('c7=L@Nc'))")
    picture_of(there, tile="c7=L", builder="Ne", workman="R2")


def test_the_tile_on_trial_can_be_clicked_where_it_will_lie(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R2", "Nc")
    there.choice("c7=J@Nc").hover()
    there.board.locator(".layer .place").click()
    there.expect_prompt("Red: close an aqueduct, or none")
    assert there.ask("str(b.position)").endswith(" : c7=J@Nc")


def test_an_extra_tile_is_laid_on_a_square_far_away(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R2", "W8", "c7=L@W8")
    there.expect_prompt("Red: choose where the extra tile goes (curve)")
    assert there.choice("d7").count() == 0  # a workman faces it
    there.click("f4")
    expect(there.board.locator(".layer .ghost")).to_have_count(4)
    there.click("f4=7", "x-")
    assert record_of(there) == ["c7=L@W8 f4=7 x-"]
    picture_of(there, tile="f4=7")


def test_a_builder_is_taken_from_the_reserve_and_placed_in_the_next_turn(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R1", "Nc", "b8=L@Nc")
    there.expect_prompt("Red: take a builder from the reserve")
    there.click("*j")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert record_of(there) == ["b8=L@Nc *j"]
    assert there.ask("str(b.position).split()[4]") == "j,-,-,-"


def test_held_builders_are_placed_one_by_one(there: BoardPage) -> None:
    there.show(f"b = Board({HELD!r})\nb")
    there.expect_prompt("Yellow: choose where the bridge builder goes")
    there.click("+bE4")
    there.expect_prompt("Yellow: choose where the joker goes")
    assert there.choice("+jE4").count() == 0
    there.click("+jNa")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert there.ask("str(b.position)").endswith(" : +bE4 +jNa")
    picture_of(there, builder="E4")


def test_the_setup_is_clicked_kind_by_kind_and_square_by_square(there: BoardPage) -> None:
    there.show("b = Board(start('romana4', setup=True))\nb")
    there.click("c", "+cNc")
    there.expect_prompt("Yellow: choose a builder to place")
    there.click("d", "+dW4")
    assert record_of(there) == ["+cNc", "+dW4"]
    picture_of(there, builder="W4")


# Aqua Romana by keyboard


def test_a_turn_is_played_by_keys_alone_and_the_notebook_stays_as_it_is(there: BoardPage) -> None:
    page = there.page
    there.show(ROMANA4, "'a second cell'")
    cells = there.count_cells()

    def focused() -> str:
        name: str = page.evaluate(FOCUSED)
        return name

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)
            there.settle()

    page.locator(".jp-InputPrompt").first.click()
    for _ in range(10):
        if focused() == "R1":
            break
        page.keyboard.press("Tab")
    assert focused() == "R1"
    strokes = "e => getComputedStyle(e.querySelector('.mark')).strokeWidth"
    assert there.choice("R1").evaluate(strokes) != there.choice("R2").evaluate(strokes)

    press("d", "d", "x", "b", "a", "c", "v", "m", "y", "z", "o", "Shift+L")  # would delete, cut, insert, change cells
    assert there.count_cells() == cells
    assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCell.model.type") == "code"

    press("Shift+ArrowRight", "Enter")
    there.expect_prompt("Red: choose a builder for R2")
    press("Escape")
    there.expect_prompt("Red: choose an aqueduct to extend")
    press("Shift+ArrowRight", "Enter")
    assert focused() == "Nc"
    press("ArrowDown", "ArrowUp", "Enter")
    there.expect_prompt("Red: choose how the curve lies on c7")
    assert focused() == "c7=L@Nc"
    press("t")
    assert focused() == "c7=J@Nc"
    there.expect_prompt("Red: choose how the curve lies on c7: curve from north to west")
    press("Enter")
    there.expect_prompt("Red: close an aqueduct, or none")
    press("Escape")
    there.expect_prompt("Red: choose an aqueduct to extend")
    press("Shift+ArrowRight", "Enter", "Enter", "t", "Space")
    there.button("x-").focus()
    press("Enter")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert record_of(there) == ["c7=J@Nc x-"]
    assert there.count_cells() == cells


def test_keys_undo_redo_flip_and_tell(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.tell("b.play('c7=L@Nc')")
    there.choice("Y1").focus()
    for key, played in ((",", ["c7=L@Nc x-"]), (".", ["c7=L@Nc x-"])):
        there.page.keyboard.press(key)
        assert record_of(there) == played
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    there.page.keyboard.press("f")
    assert there.ask("b.flip") is True
    there.settle()  # what is drawn anew closes the card
    there.page.keyboard.press("i")
    expect(there.board.locator(".card")).to_contain_text("R1 (Red), open")
    expect(there.prompt).to_contain_text("R1 (Red), open")


# Undo, redo, flip, the wheel and facts


def test_undo_and_redo_go_through_the_turns(there: BoardPage) -> None:
    there.show(ROMANA4)
    expect(there.board.locator(".undo")).to_be_disabled()
    there.tell("b.play('c7=L@Nc')")
    there.click("Y1", "Nh")
    there.click("h7=+@Nh")
    there.tool("undo")  # the begun turn
    assert there.ask("str(b.position)") == there.ask("str(b.record.root.children[0].position)")
    there.tool("undo")
    there.expect_prompt("Red: choose an aqueduct to extend")
    expect(there.board.locator(".undo")).to_be_disabled()
    there.tool("redo")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    picture_of(there, tile="c7=L")
    expect(there.board.locator(".redo")).to_be_disabled()


def test_a_flipped_board_is_played_on_as_well(there: BoardPage) -> None:
    there.show(ROMANA4)
    before = there.choice("R1").bounding_box()
    there.tool("flip")
    assert there.ask("b.flip") is True
    after = there.choice("R1").bounding_box()
    assert before is not None
    assert after is not None
    assert after["x"] > before["x"]
    assert after["y"] > before["y"]
    there.click("R2", "Nc", "c7=L@Nc")
    picture_of(there, tile="c7=L")


def test_the_wheel_goes_through_the_tiles_and_does_not_scroll(there: BoardPage) -> None:
    there.page.set_viewport_size({"width": VIEW["width"], "height": 700})
    there.show(ROMANA4)
    there.click("R2", "Nc")
    current = there.board.locator(".ghost.current")
    expect(current).to_have_attribute("data-choice", "c7=L@Nc")
    there.board.locator(".layer .place").hover()
    top = there.board.bounding_box()
    there.page.mouse.wheel(0, 100)
    expect(current).to_have_attribute("data-choice", "c7=J@Nc")
    there.page.mouse.wheel(0, 100)
    expect(current).to_have_attribute("data-choice", "c7=L@Nc")
    assert there.board.bounding_box() == top
    there.page.mouse.wheel(0, -100)
    expect(current).to_have_attribute("data-choice", "c7=J@Nc")


def test_pointing_at_an_aqueduct_tells_its_length_podium_and_sight(there: BoardPage) -> None:
    there.show(f"b = Board({ROMANA!r})\nb")
    card = there.board.locator(".card")
    expect(card).to_be_hidden()
    water = there.board.locator(".stage > svg [data-water=R3]").bounding_box()
    assert water is not None
    there.page.mouse.move(water["x"] + water["width"] / 2, water["y"] + water["height"] / 2)
    expect(card).to_contain_text("R3 (Red), open")
    expect(card).to_contain_text("length 3: d7 d6 d5")
    expect(card).to_contain_text("closed now: 3 points for podium 3")
    expect(card).to_contain_text("sees straight builder on Nd")
    expect(there.board.locator(".layer .fact .ray")).to_have_count(4)
    there.page.mouse.move(0, 0)
    expect(card).to_be_hidden()


# Aquädukt


def test_houses_are_built_after_a_roll_of_the_seeded_die(there: BoardPage) -> None:
    there.show(f"b = Board({REGION_5_FULL!r}, seed=4)\nb")
    there.expect_prompt("Player 1 (A): roll the die, place a spring or lay canals")
    there.click("roll")
    die = there.ask("b.position.die")
    there.tell(f"again = Board({REGION_5_FULL!r}, seed=4)\nagain.choose('roll')")
    assert there.ask("again.position.die") == die
    there.expect_prompt(f"Player 1 (A): build in region {die}, or decline")
    square = there.ask("b.offer['choices'][0]['id']")
    there.click(square, f"3 {square}")
    there.expect_prompt("Player 1 (A): roll again, or stop")
    picture_of(there, tile=f"{square}=A3")
    there.click("stop")
    assert record_of(there) == [f"roll, die {die}, 3 {square}, stop"]


def test_a_real_die_is_typed_in_and_a_full_region_refused(there: BoardPage) -> None:
    there.show(f"b = Board({REGION_5_FULL!r})\nb")
    entry = there.board.locator(".entry input")
    before = there.ask("str(b.position)")
    entry.fill("5")
    entry.press("Enter")
    expect(there.problem).to_contain_text("region 5 has no free square")
    assert there.ask("str(b.position)") == before
    entry.fill("21")
    there.board.locator(".entry button").click()
    assert there.ask("str(b.position)") == before
    entry.fill("4")
    there.board.locator(".entry button").click()
    there.expect_prompt("Player 1 (A): build in region 4, or decline")
    expect(there.problem).to_be_hidden()
    there.click("a5")
    expect(there.board.locator(".layer .ghost")).to_have_count(4)
    there.click("2 a5", "stop")
    assert record_of(there) == ["roll, die 4, 2 a5, stop"]


def test_canals_are_laid_single_and_double(there: BoardPage) -> None:
    there.show(f"b = Board({REGION_5_FULL!r})\nb")
    expect(there.choice("canal 5.6h")).to_have_class("choice single")
    there.click("canal 5.6h")
    there.expect_prompt("Player 1 (A): lay a second canal, or stop")
    expect(there.choice("canal 5.4v")).to_have_class("choice double")
    there.click("canal 5.4v")
    there.expect_prompt("Player 2 (B): roll the die, place a spring or lay canals")
    assert record_of(there) == ["canal 5.6h, canal 5.4v"]
    assert there.ask("b.position.canals['5.4v'], b.position.canals['5.6h']") == (2, 1)


def test_springs_are_refused_with_the_reason(there: BoardPage) -> None:
    there.show(f"b = Board({REGION_5_FULL!r})\nb")
    there.click("spring")
    there.expect_prompt("Player 1 (A): choose a point for the spring")
    near = there.board.locator('[data-refusal="5.1"]')
    reason = "5.1 is 3 steps from the spring on 5.4, fewer than 5 [Q2]"
    near.hover()
    expect(there.board.locator(".card")).to_have_text(reason)
    near.click(force=True)  # playwright would wait until it is possible
    expect(there.problem).to_have_text(reason)
    assert there.ask(f"str(b.position) == {REGION_5_FULL!r}") is True
    there.click("spring 0.5")
    assert record_of(there) == ["spring 0.5"]


def test_hidden_events_never_reach_the_page(there: BoardPage) -> None:
    there.heard.clear()
    there.listening = True
    board = there.show("b = Board(start('aquadukt2', seed=3, events=True), hide=True)\nb")
    there.click("spring", "spring 5.4")
    there.tool("flip")
    there.listening = False
    sent = b"".join(there.heard)
    assert b"choose a point for the spring" in sent
    events = there.ask("str(b.position).split()[-1]").partition(" ")[0]
    assert len(events) == 8
    assert events.encode() not in sent
    expect(board.locator(".stage > svg:first-child")).to_contain_text("?")
    assert "m +2" not in board.locator(".stage").inner_html()
    there.tell("b.hide = False")
    expect(board.locator(".stage > svg:first-child")).to_contain_text("m +2")


# Python beside the page


def test_a_position_set_in_python_is_shown(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.click("R2")
    there.tell(f"b.position = {ROMANA!r}")
    picture_of(there, tile="b7=Z", closed="B1")
    there.expect_prompt("Red: choose an aqueduct to extend")
    there.tell("b.highlights, b.arrows = {'d4': 'best'}, [('Nd', 'd4')]")
    expect(there.board.locator(".stage > svg:first-child")).to_contain_text("best")
    there.tell("b.picked = ['R3']")
    there.expect_prompt("Red: choose a builder for R3")


def test_a_bad_position_raises_in_the_cell_and_is_told_on_the_board(there: BoardPage) -> None:
    there.write(ROMANA4, "b.position = 'romana4 nonsense'")
    there.house.command(there.page, "notebook:run-all-cells")
    expect(there.problem).to_contain_text("position: 2 fields")
    expect(there.page.locator(".jp-OutputArea-output").last).to_contain_text("InvalidPosition")
    assert there.ask("b.position == start('romana4')") is True
    [said] = there.troubles
    assert said.startswith("Python: InvalidPosition")
    there.troubles.clear()
    there.click("R2")
    expect(there.problem).to_be_hidden()


def test_two_views_show_the_same_and_both_are_played_on(there: BoardPage) -> None:
    there.show(ROMANA4, "b")
    first, second = there.page.locator("section.board").all()
    there.click("R2")
    expect(second.locator(".prompt")).to_have_text("Red: choose a builder for R2")
    second.locator("[data-choice=Nc] .mark").click()
    expect(first.locator(".prompt")).to_have_text("Red: choose how the curve lies on c7")
    there.click("c7=L@Nc")
    second.locator(".actions [data-choice=x-]").click()
    expect(first.locator(".prompt")).to_have_text("Yellow: choose an aqueduct to extend")
    for view in (first, second):
        expect(view.locator('[data-tile="c7=L"]')).to_be_visible()
    second.locator(".flip").click()
    there.settle()
    assert first.locator("[data-choice=Y1]").bounding_box()["y"] > first.locator(".stage").bounding_box()["y"] + 300


def test_a_page_loaded_again_shows_the_same_and_is_played_on(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.tell("b.play('c7=L@Nc')")
    there.click("Y1")
    there.house.reload(there.page)
    there.expect_prompt("Yellow: choose a builder for Y1")
    expect(there.board.locator(".layer .ray")).to_have_count(4)
    picture_of(there, tile="c7=L")
    there.click("Nh", "h7=+@Nh", "x-")
    assert record_of(there) == ["c7=L@Nc x-", "h7=+@Nh x-"]


# Bots

SLOW = """
import threading

class Slow:
    def __init__(self):
        self.go_on, self.asked = threading.Event(), 0
    def __call__(self, position):
        self.asked += 1
        self.go_on.wait(20)
        return 'h7=+@Nh'

slow = Slow()
b = Board(start('romana4'), players={2: slow})
b
"""


def test_a_bot_thinks_while_the_notebook_goes_on_and_can_be_stopped(there: BoardPage) -> None:
    board = there.show(SLOW)
    there.tell("b.play('c7=L@Nc')")
    there.expect_prompt("Yellow: the bot is thinking")
    expect(board).to_have_attribute("aria-busy", "true")
    expect(board.locator(".spinner")).to_be_visible()
    expect(board.locator(".layer [role=button]")).to_have_count(0)
    assert there.ask("6 * 7") == 42

    board.get_by_role("button", name="Stop the bot").click()
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    expect(board).to_have_attribute("aria-busy", "false")
    expect(board.locator(".spinner")).to_be_hidden()
    there.click("Y1")

    board.get_by_role("button", name="Let it play on").click()
    there.expect_prompt("Yellow: the bot is thinking")
    there.tell("slow.go_on.set()\nb.wait(10)")
    there.expect_prompt("Green: choose an aqueduct to extend")
    assert record_of(there) == ["c7=L@Nc x-", "h7=+@Nh x-"]
    assert there.ask("slow.asked") == 2


def test_a_bot_that_fails_is_told_and_people_play_for_it(there: BoardPage) -> None:
    bot = f"def bot(position):\n    raise RuntimeError({MARKUP!r})\n"
    there.show(f"{bot}\nb = Board(start('romana4'), players={{1: bot}})\nb")
    expect(there.problem).to_contain_text(f"RuntimeError: {MARKUP}")
    there.click("R2", "Nc", "c7=L@Nc", "x-")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert there.page.evaluate("window.pwned") is None


# Texts are texts


def test_markup_in_a_bad_value_is_shown_as_text(there: BoardPage) -> None:
    there.show(ROMANA4)
    changes = (f"b.position = {MARKUP!r}", f"b.choose({MARKUP!r})", f"b.highlights = [{MARKUP!r}]")
    for change in changes:
        there.tell(f"b.flip = not b.flip\ntry:\n    {change}\nexcept ValueError:\n    pass")
        expect(there.problem).to_contain_text("<img")
    assert there.page.evaluate("window.pwned") is None


def test_markup_in_a_label_is_shown_as_text(there: BoardPage) -> None:
    there.show(ROMANA4)
    there.tell(f"b.highlights = {{'d4': {MARKUP!r}}}")
    expect(there.board.locator(".stage > svg:first-child")).to_contain_text("<img src=x")
    assert there.board.locator("img, script").count() == 0
    assert there.page.evaluate("window.pwned") is None


# How it looks


def colours(there: BoardPage) -> tuple[str, str]:
    """Gets the colours of the header: the ground and what is written on it."""
    style = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    ground, ink = there.board.locator("header").evaluate(style)
    return ground, ink


def contrast(a: str, b: str) -> float:
    """Computes the contrast of two colours as the web's guidelines do."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
        red, green, blue = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(a), light(b)))
    return (high + 0.05) / (low + 0.05)


def test_the_board_turns_dark_with_the_notebook(there: BoardPage) -> None:
    board = there.show(ROMANA4)
    expect(board).not_to_have_attribute("data-dark", "")
    light = colours(there)
    road = ".stage > svg:first-child [class*='-road']"
    ground = board.locator(road).first.evaluate("e => getComputedStyle(e).fill")
    there.house.change_theme(there.page, dark=True)
    try:
        expect(board).to_have_attribute("data-dark", "")
        dark = colours(there)
        assert light[0] != dark[0]
        assert board.locator(road).first.evaluate("e => getComputedStyle(e).fill") != ground
        assert min(contrast(*light), contrast(*dark)) > 7
        there.click("R2")
        there.tell("b.theme = 'light'")
        expect(board).not_to_have_attribute("data-dark", "")
    finally:
        there.house.change_theme(there.page, dark=False)


def test_what_can_be_chosen_stays_marked_when_the_theme_changes(there: BoardPage) -> None:
    board = there.show(ROMANA4)
    there.click("R2")
    rings = board.locator(".choice.ring")  # round builders, which are found in the picture
    number = rings.count()
    assert number > 1
    there.house.change_theme(there.page, dark=True)
    try:
        expect(board).to_have_attribute("data-dark", "")
        expect(rings).to_have_count(number)
    finally:
        there.house.change_theme(there.page, dark=False)


def test_a_builder_walks_unless_people_want_no_motion(there: BoardPage) -> None:
    board = there.show(ROMANA4)

    def moving(turn: str) -> Any:
        """Plays a turn and lists the builders that walk in the frame after it is drawn."""
        board.evaluate(WATCH_BUILDERS)
        there.tell(f"b.play({turn!r})")
        return there.page.evaluate("window.walked")

    assert moving("c7=L@Nc") == ["Ne"]
    there.page.emulate_media(reduced_motion="reduce")
    try:
        assert moving("h7=+@Nh") == []
        there.click("G1")
        trial = "e => getComputedStyle(e).animationName"
        there.click(there.ask("b.offer['choices'][0]['id']"))
        assert board.locator(".trial.shown").evaluate(trial) == "none"
    finally:
        there.page.emulate_media(reduced_motion="no-preference")
    assert board.locator(".trial.shown").evaluate(trial) != "none"
    there.tell("b.position = start('romana4'); b.animate = False")
    assert moving("c7=L@Nc") == []


def test_a_builder_that_still_walks_is_chosen_where_it_will_stand(there: BoardPage) -> None:
    there.show(f"b = Board({PAST_THREE!r})\nb")
    there.tell("b.play('d7=|@Nd')\nb.highlights = ['e4']")  # which draws the board again at once
    there.expect_prompt("Yellow: choose a builder for Y1")
    walked, waiting = (there.choice(path).locator(".mark").bounding_box() for path in ("Nh", "Sh"))
    assert walked is not None
    assert waiting is not None
    assert walked["x"] == pytest.approx(waiting["x"], abs=1)


def test_a_whole_turn_is_clicked_in_a_narrow_window(there: BoardPage) -> None:
    there.page.set_viewport_size({"width": 380, "height": VIEW["height"]})
    board = there.show(ROMANA4)
    output = there.page.locator(".jp-OutputArea-output").first

    def fits() -> bool:
        inside: bool = board.evaluate(
            "(e, right) => [e, ...e.querySelectorAll('header, header *, .stage, .layer')]"
            ".every((part) => part.getBoundingClientRect().right <= right + 0.5)",
            output.evaluate("e => e.getBoundingClientRect().right"),
        )
        return inside and output.evaluate("e => e.scrollWidth <= e.clientWidth")

    assert fits()
    there.click("R1")
    assert fits()
    there.button("Nc").click()
    there.settle()
    ghosts = [ghost.bounding_box() for ghost in board.locator(".layer .ghost").all()]
    assert all(box and min(box["width"], box["height"]) >= 24 for box in ghosts)
    there.choice("b8=L@Nc").click()
    there.settle()
    for kind in "csbdj":
        expect(there.button(f"*{kind}")).to_be_visible()
    assert fits()
    there.button("*j").click()
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    assert record_of(there) == ["b8=L@Nc *j"]


def test_the_board_does_not_jump_when_buttons_come_and_go(there: BoardPage) -> None:
    board = there.show("b = Board(start('aquadukt2', seed=1))\nb")
    top = board.locator(".stage").bounding_box()
    there.click("spring")
    assert there.board.locator(".actions button").all_inner_texts() == ["Back"]
    assert board.locator(".stage").bounding_box() == top


# For all people


@pytest.mark.parametrize("scene", ["start('romana4')", "start('romana4', setup=True)", repr(REGION_5_FULL)])
def test_every_choice_is_named_and_no_name_stands_twice(there: BoardPage, scene: str) -> None:
    board = there.show(f"b = Board({scene})\nb")
    for _ in range(3):
        names = board.locator(".layer [role=button]").evaluate_all("all => all.map((e) => e.ariaLabel)")
        assert names
        assert all(names)
        assert len(set(names)) == len(names)
        ids = board.evaluate("e => [...e.getRootNode().querySelectorAll('[id]')].map((part) => part.id)")
        assert len(set(ids)) == len(ids)
        buttons = board.locator("button").evaluate_all("all => all.map((e) => e.ariaLabel || e.textContent)")
        assert all(buttons)
        there.click(there.ask("b.offer['choices'][-1]['id']"))


def test_what_changes_is_said_aloud(there: BoardPage) -> None:
    there.show(ROMANA4)
    expect(there.prompt).to_have_attribute("aria-live", "polite")
    expect(there.problem).to_have_attribute("role", "alert")
    before = there.prompt.text_content()
    there.click("R2")
    assert there.prompt.text_content() != before
    expect(there.board.locator(".stage")).to_have_attribute("aria-label", re.compile(r"Aqua Romana.*Red.*to build"))


def test_what_is_sent_is_plain_and_small(there: BoardPage) -> None:
    there.heard.clear()
    there.show(ROMANA4)
    there.listening = True
    there.click("R2")
    there.listening = False
    assert sum(map(len, there.heard)) < 150_000
    assert json.loads(there.ask("__import__('json').dumps(b.offer)"))["prompt"] == "Red: choose a builder for R2"
