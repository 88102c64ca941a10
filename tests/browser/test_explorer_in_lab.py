"""The explorer in JupyterLab: variations, comments, scores, lines, texts, files and the editor, as people use them."""

from __future__ import annotations

from pathlib import Path

from board_page import VIEW, BoardPage
from playwright.sync_api import Locator, expect

from aquakit import Record, start
from aquakit.cli.demo import AQUADUKT, ROMANA

GAME = ("c7=L@Nc x-", "i7=L@W8 e4=L x-", "h2=|@Sh x-", "c2=N@Sc x-")
MARKUP = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
STUDY = f"""
record = Record(start('romana4'), {{'event': 'Club evening', 'player 1': 'Ada'}})
node = record.root
for turn in {GAME!r}:
    node = node.play(turn)
x = Explorer(record)
x
"""


def turn_to(there: BoardPage, title: str) -> None:
    """Turns to a tab."""
    there.board.get_by_role("tab", name=title, exact=True).click()


def push(there: BoardPage, text: str) -> None:
    """Pushes a button by what is written on it, and waits for Python."""
    there.board.locator("button", has_text=text).first.click()
    there.settle()


def rows(there: BoardPage) -> list[str]:
    """Lists the turns as the tree shows them, variations further in."""
    script = "all => all.map((e) => '  '.repeat(e.ariaLevel - 1) + (e.querySelector('.turn') ?? e).textContent)"
    shown: list[str] = there.board.locator(".moves li").evaluate_all(script)
    return shown


def row(there: BoardPage, at: str) -> Locator:
    return there.board.locator(f'.moves li[data-at="{at}"]')


# The tree


def test_another_turn_on_the_board_becomes_a_variation(there: BoardPage) -> None:
    there.show(STUDY)
    assert rows(there) == ["start", *GAME]
    row(there, "0").click()
    expect(row(there, "0")).to_have_attribute("aria-selected", "true")
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    there.click("Y1", "Nh", "h7=+@Nh", "x-")
    assert rows(there) == ["start", GAME[0], GAME[1], "  h7=+@Nh x-", *GAME[2:]]
    assert there.ask("[str(node.turn) for node in record.root.children[0].children]") == [GAME[1], "h7=+@Nh x-"]

    push(there, "Promote")
    assert rows(there) == ["start", GAME[0], "h7=+@Nh x-", *(f"  {turn}" for turn in GAME[1:])]
    push(there, "Delete")
    assert rows(there) == ["start", *GAME]
    there.expect_prompt("Yellow: choose an aqueduct to extend")
    push(there, "Bring back")
    assert rows(there) == ["start", GAME[0], "h7=+@Nh x-", *(f"  {turn}" for turn in GAME[1:])]
    there.expect_prompt("Green: choose an aqueduct to extend")
    assert there.board.locator("button", has_text="Bring back").is_disabled()


def test_a_turn_that_is_known_is_not_added_again(there: BoardPage) -> None:
    there.show(STUDY)
    there.click("R2", "Nc", "c7=L@Nc", "x-")
    assert rows(there) == ["start", *GAME]
    expect(row(there, "0")).to_have_attribute("aria-selected", "true")


def test_comments_are_written_beside_their_turns(there: BoardPage) -> None:
    there.show(STUDY)
    comment = there.board.get_by_label("comment on this turn")
    row(there, "0.0").click()
    expect(row(there, "0.0")).to_have_attribute("aria-selected", "true")
    comment.fill("The extra tile\nis a loss.")
    row(there, "0").click()
    there.settle()
    expect(row(there, "0.0").locator(".comment")).to_have_text("The extra tile\nis a loss.")
    expect(comment).to_have_value("")
    assert there.ask("record.at((0, 0)).comment") == "The extra tile\nis a loss."
    there.tell("x.comment('A good start.')")
    expect(comment).to_have_value("A good start.")


def test_the_slider_and_keys_go_through_the_game(there: BoardPage) -> None:
    there.show(STUDY)
    slider, where = there.board.locator(".scrub input"), there.board.locator(".scrub output")
    expect(where).to_have_text("0 / 4")
    slider.fill("3")
    there.expect_prompt("Blue: choose an aqueduct to extend")
    expect(where).to_have_text("3 / 4")
    slider.press("ArrowLeft")
    expect(where).to_have_text("2 / 4")
    for tool, number in (("last", 4), ("previous", 3), ("next", 4), ("first", 0)):
        there.tool(tool)
        expect(where).to_have_text(f"{number} / 4")
    row(there, "").click()
    there.board.locator(".moves").focus()
    for key, number in (("ArrowDown", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 4), ("ArrowUp", 3), ("Home", 0)):
        there.page.keyboard.press(key)
        expect(where).to_have_text(f"{number} / 4")
    expect(there.board.locator(".moves")).to_be_focused()


def test_typing_in_the_explorer_leaves_the_notebook_alone(there: BoardPage) -> None:
    there.show(STUDY, "'a second cell'")
    cells = there.count_cells()
    there.board.locator(".moves").focus()
    for key in ("d", "d", "x", "b", "a", "m"):
        there.page.keyboard.press(key)
    there.board.get_by_label("comment on this turn").focus()
    there.page.keyboard.type("ddxbu, r?\nf!")
    turn_to(there, "Game")
    there.board.locator("textarea.position").focus()
    there.page.keyboard.press("End")
    there.page.keyboard.type("uri")
    assert there.board.locator("textarea.position").input_value().count("uri") == 1
    assert there.ask("record.root.comment") == "ddxbu, r?\nf!"
    assert there.ask("x.flip") is False
    assert there.count_cells() == cells


def test_a_page_loaded_again_shows_the_same_tree(there: BoardPage) -> None:
    there.show(STUDY)
    there.tell("x.go(record.at((0,)))\nx.play('h7=+@Nh')\nx.comment('Why not?')")
    before = rows(there)
    there.house.reload(there.page)
    expect(row(there, "0.1")).to_have_attribute("aria-selected", "true")
    assert rows(there) == before
    expect(row(there, "0.1").locator(".comment")).to_have_text("Why not?")
    there.tool("previous")
    assert there.ask("x.node.number") == 1


# Scores and lines


def test_scores_follow_the_position(there: BoardPage) -> None:
    there.show(f"x = Explorer({ROMANA!r})\nx")
    turn_to(there, "Scores")
    red = there.board.locator(".sheet figure").first.locator("tbody tr").first.locator("td")
    expect(red).to_have_text(["Red", "-", "3", "6"])
    there.tell("x.play('d4=+@E5 xR3 *c')")
    expect(red).to_have_text(["Red", "5", "2", "9"])
    there.show(f"x = Explorer({AQUADUKT!r})\nx")
    turn_to(there, "Scores")
    expect(there.board.locator(".sheet")).to_contain_text("Regions about to fill")


def test_lines_are_shown_as_arrows_and_played(there: BoardPage) -> None:
    there.show(f"x = Explorer({ROMANA!r})\nx")
    there.tell("x.lines = [{'turn': 'd4=+@E5', 'note': 'keeps the way open'}, 'a7=+@E7 *c']")
    turn_to(there, "Lines")
    arrows = there.board.locator(".stage > svg:first-child [class*='-arrow']")
    expect(arrows).to_have_count(2)
    expect(there.board.locator(".lines li").first).to_contain_text("keeps the way open")
    box = there.board.get_by_label("show on the board")
    box.uncheck()
    expect(arrows).to_have_count(0)
    assert there.ask("x.show_lines") is False
    box.check()
    expect(arrows).to_have_count(2)
    there.board.locator(".lines .turn").nth(1).hover()
    expect(arrows).to_have_count(1)
    box.hover()
    expect(arrows).to_have_count(2)
    there.board.locator(".lines .turn").first.focus()
    expect(arrows).to_have_count(1)
    box.focus()
    expect(arrows).to_have_count(2)
    push(there, "a7=+@E7 *c")
    expect(there.prompt).to_contain_text("Line 2, turn 1 of 1: bridge on a7")
    expect(there.board.locator(".lines .turn")).to_have_count(2)
    push(there, "Play up to here")
    there.expect_prompt("Yellow: choose where the double curve builder goes")
    expect(there.board.locator(".lines")).to_contain_text("No lines yet.")
    assert rows(there) == ["start", "a7=+@E7 *c"]


def test_turns_are_shown_in_words_with_pictures_and_notation_can_be_switched_off(there: BoardPage) -> None:
    there.show(STUDY)
    words = there.board.locator(".moves .told")
    expect(words.nth(1)).to_have_text("curve on c7 by the builder on Nc, nothing closed")
    expect(words.nth(1).locator("svg.icon use")).to_have_count(2)
    assert words.nth(1).locator("svg.icon").first.evaluate("e => e.querySelector('use').getBBox().width") > 0
    written = there.board.locator(".moves .notation")
    expect(written.first).to_be_visible()
    there.board.get_by_label("notation", exact=True).uncheck()
    expect(written.first).to_be_hidden()
    assert there.ask("x.notation") is False
    there.tell("x.notation = True")
    expect(written.first).to_be_visible()


def test_lines_are_shown_in_words(there: BoardPage) -> None:
    there.show(f"x = Explorer({ROMANA!r})\nx")
    there.tell("x.lines = ['a7=+@E7 *c']")
    turn_to(there, "Lines")
    words = there.ask("x.position.tell('a7=+@E7 *c')")
    expect(there.board.locator(".lines .told")).to_have_text(words)
    expect(there.board.get_by_role("button", name=f"go through line 1: {words}")).to_be_visible()
    written = there.board.locator(".lines .notation")
    expect(written).to_have_text("a7=+@E7 *c")
    there.tell("x.notation = False")
    expect(written).to_be_hidden()


# Texts and files


def test_a_bad_text_is_told_and_stays_and_a_good_one_is_shown(there: BoardPage) -> None:
    there.show(STUDY)
    turn_to(there, "Game")
    text = there.board.locator("textarea.position")
    assert text.input_value() == there.ask("str(x.position)")
    bad = ROMANA.replace("..##", ".##.")
    text.fill(bad)
    push(there, "Show this position")
    expect(there.problem).to_be_visible()
    expect(there.problem).to_contain_text("board:")
    expect(text).to_have_value(bad)
    expect(there.board.locator(".misread")).to_contain_text("board:")
    expect(text).to_have_attribute("aria-invalid", "true")
    assert there.ask("x.position == start('romana4')") is True
    text.fill(ROMANA)
    push(there, "Show this position")
    expect(there.problem).to_be_hidden()
    expect(there.board.locator(".misread")).to_have_text("")
    expect(there.board.locator('.stage [data-tile="b7=Z"]')).to_be_visible()
    assert there.ask("str(x.position)") == ROMANA
    turn_to(there, "Moves")
    assert rows(there) == ["start"]
    push(there, "Bring back")
    assert rows(there) == ["start", *GAME]


def test_a_text_of_a_known_position_goes_there(there: BoardPage) -> None:
    there.show(STUDY)
    turn_to(there, "Game")
    there.board.locator("textarea.position").fill(there.ask("str(record.at((0, 0)).position)"))
    push(there, "Show this position")
    turn_to(there, "Moves")
    assert rows(there) == ["start", *GAME]
    expect(row(there, "0.0")).to_have_attribute("aria-selected", "true")


def test_a_record_is_saved_and_opened(there: BoardPage) -> None:
    there.show(STUDY)
    turn_to(there, "Game")
    there.board.locator(".path").fill("study.txt")
    push(there, "Save")
    expect(there.board.locator(".said")).to_contain_text("study.txt")
    saved = there.house.folder / "study.txt"
    assert [str(node.turn) for node in Record.load(saved).root.main()[1:]] == list(GAME)

    there.show("x = Explorer(start('aquadukt2', seed=1))\nx")
    turn_to(there, "Game")
    there.board.locator(".path").fill("study.txt")
    there.board.locator("button.open").click()
    there.settle()
    expect(there.board.locator(".heads")).to_contain_text("Club evening")
    assert rows(there) == ["start", *GAME]
    there.board.locator(".path").fill("no such file.txt")
    there.board.locator("button.open").click()
    there.settle()
    expect(there.problem).to_contain_text("no such file.txt")
    assert rows(there) == ["start", *GAME]


def test_a_file_that_is_there_is_replaced_by_a_second_click(there: BoardPage) -> None:
    notes = there.house.folder / "notes.txt"
    notes.write_text("my notes", "utf-8")
    there.show(STUDY)
    turn_to(there, "Game")
    question = there.board.locator(".there")
    expect(question).to_be_hidden()
    there.board.locator(".path").fill("notes.txt")
    push(there, "Save")
    expect(question).to_contain_text("notes.txt is there already.")
    assert notes.read_text("utf-8") == "my notes"
    push(there, "Replace")
    expect(there.board.locator(".said")).to_have_text("Saved to notes.txt.")
    expect(question).to_be_hidden()
    assert notes.read_text("utf-8") == there.ask("str(record)")
    there.board.locator(".path").fill("../notes.txt")
    push(there, "Save")
    expect(there.problem).to_contain_text("expected a file in ")


def test_a_damaged_record_is_opened_as_far_as_it_can_be_read(there: BoardPage, tmp_path: Path) -> None:
    record = Record(start("romana4"), {"event": "Club evening"})
    node = record.root
    for turn in GAME:
        node = node.play(turn)
    lines = str(record).splitlines()
    bad = next(i for i, line in enumerate(lines) if line.startswith("3. "))
    lines[bad] = "3. h2=?@Sh"
    (there.house.folder / "damaged.txt").write_text("\n".join(lines), "utf-8")
    there.show("x = Explorer(start('romana4'))\nx")
    turn_to(there, "Game")
    there.board.locator(".path").fill("damaged.txt")
    there.board.locator("button.open").click()
    there.settle()
    expect(there.problem).to_contain_text(f"line {bad + 1}")
    assert rows(there) == ["start", *GAME[:2]]
    expect(there.board.locator(".heads")).to_contain_text("Club evening")


def test_records_are_uploaded_and_downloaded(there: BoardPage, tmp_path: Path) -> None:
    there.show(STUDY)
    turn_to(there, "Game")
    with there.page.expect_download() as waiting:
        push(there, "Download")
    taken = tmp_path / "taken.txt"
    waiting.value.save_as(taken)
    assert taken.read_text("utf-8") == there.ask("str(record)")
    there.show("x = Explorer(start('romana2'))\nx")
    turn_to(there, "Game")
    there.board.locator("input[type=file]").set_input_files(taken)
    expect(there.board.locator(".heads")).to_contain_text("Club evening")
    assert rows(there) == ["start", *GAME]


# The editor


def put(there: BoardPage, piece: str, *places: str) -> None:
    """Takes a piece from the palettes and puts it on places."""
    there.board.locator(f'.piece[data-kind="{piece}"]').first.click()
    there.settle()
    there.click(*places)


def middle(thing: Locator) -> tuple[float, float]:
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def on(there: BoardPage, name: str) -> Locator:
    """Gets a place, or a piece of the picture such as podium=5."""
    attribute, _, value = name.partition("=")
    if value:
        return there.board.locator(f'.stage [data-{attribute}="{value}"]:visible').first
    return there.choice(name).locator(".mark").first


class Hand:
    """Edits by dragging, clicking and turning the wheel, and counts each of it; where pieces lie is found first."""

    def __init__(self, there: BoardPage) -> None:
        self.there, self.count = there, 0
        self._places: dict[str, tuple[float, float]] = {}

    def learn(self, *names: str) -> None:
        """Looks where places are, which are marked only while they can be chosen."""
        self._places |= {name: middle(on(self.there, name)) for name in names}

    def _find(self, what: str | Locator) -> tuple[float, float]:
        if not isinstance(what, str):
            return middle(what)
        return self._places.get(what) or middle(on(self.there, what))

    def click(self, what: str | Locator) -> None:
        self.there.page.mouse.click(*self._find(what))
        self._done()

    def drag(self, what: str | Locator, target: str | tuple[float, float]) -> None:
        mouse = self.there.page.mouse
        mouse.move(*self._find(what))
        mouse.down()
        mouse.move(*(self._find(target) if isinstance(target, str) else target), steps=3)
        mouse.up()
        self._done()

    def wheel(self, by: int = 1) -> None:
        self.there.page.wait_for_timeout(120)  # two notches of a wheel are no faster
        self.there.page.mouse.wheel(0, 100 * by)
        self.there.page.wait_for_timeout(50)
        self._done()

    def choose(self, field: str, label: str) -> None:
        self.there.board.locator(f'[name="{field}"]').select_option(label=label)
        self._done()

    def _done(self) -> None:
        self.count += 1
        self.there.settle()
        assert self.there.problem.text_content() == ""


def piece(there: BoardPage, kind: str) -> Locator:
    return there.board.locator(f'.piece[data-kind="{kind}"]').first


LAPTOP = {"width": 1366, "height": 768}
MOVES = {"Nc": "Na", "Nd": "Ne", "Nh": "Ng", "Ni": "Nk", "E8": "E6", "E1": "E3", "Sc": "Sb", "Sd": "Se", "Sh": "Sg"}


def test_a_middle_game_is_set_up_in_thirty_interactions(there: BoardPage) -> None:
    there.page.set_viewport_size(LAPTOP)
    there.show("x = Explorer(start('romana4'))\nx")
    hand = Hand(there)
    there.board.scroll_into_view_if_needed()
    hand.click(there.board.get_by_role("tab", name="Edit", exact=True))
    hand.click(there.board.locator(".edit"))
    squares = ["c7", "c6", "d6", "h7", "h6", "i7", "i6", "c2", "c3", "h2", "i2", "h3"]
    hand.learn(*squares)
    names = there.ask("x.position.layout.path_names")
    there.tell("x._hear(x, {'do': 'tool', 'title': 'Builders', 'piece': 'c'}, [])")
    hand.learn(*names)
    there.tell("x._hear(x, {'do': 'tool', 'title': 'Tiles', 'piece': '|'}, [])")

    hand.drag(piece(there, "straight"), "c7")
    for square in ("h7", "c2", "h2"):
        hand.click(square)
    hand.drag(piece(there, "bridge"), "c6")
    for square in ("h6", "c3"):
        hand.click(square)
    hand.drag(piece(there, "curve"), "i7")
    hand.click("d6")
    hand.wheel()
    hand.click("i2")
    hand.drag(piece(there, "double curve"), "i6")
    hand.click("h3")
    for start_, end in MOVES.items():
        hand.drag(start_, end)
    hand.drag("workman=Y3", "podium=5")
    hand.drag("Si", "player=1")
    status = there.board.locator(".editor [role=status]")
    expect(status).to_contain_text("This position is valid.")
    hand.choose("player", "Green")
    hand.click(there.board.locator(".finish"))

    assert hand.count <= 30
    made = there.ask("x.position.tiles, x.position.builders, x.position.held, x.position.player")
    tiles, builders, held, player = made
    assert {square: tiles[square] for square in squares} == {
        "c7": "|", "h7": "|", "c2": "|", "h2": "|", "c6": "+", "h6": "+", "c3": "+",
        "i7": "L", "d6": "F", "i2": "F", "i6": "Z", "h3": "Z",
    }  # fmt: skip
    before = start("romana4").builders
    assert builders == {MOVES.get(path, path): kind for path, kind in before.items() if path != "Si"}
    assert (held, player) == (("c", "", "", ""), 3)
    assert there.ask("[a.podium for a in x.position.aqueducts if a.name == 'Y3']") == [5]
    # Nothing had to be counted: what lies beside the board is what the board leaves.
    assert there.ask("str(x.position).split()[3], str(x.position).split()[6]") == ("csbdj", "18.17.18.19")


def test_pieces_are_dragged_off_and_back_by_touch_too(there: BoardPage) -> None:
    there.show("x = Explorer(start('romana4'))\nx")
    turn_to(there, "Edit")
    push(there, "Edit this position")
    hand = Hand(there)
    hand.drag(piece(there, "curve"), "e5")
    assert there.ask("x.position.tiles['e5']") == "L"
    hand.drag("e5", "f4")
    assert there.ask("x.position.tiles['f4'], 'e5' in x.position.tiles") == ("L", False)
    hand.drag("f4", middle(there.board.locator(".scrub")))
    assert there.ask("x.position == start('romana4')") is True
    hand.drag("workman=R1", "podium=5")
    hand.drag("workman=R1", "c5")
    assert there.ask("x.position == start('romana4')") is True
    hand.drag("stock=b", "e4")
    assert there.ask("x.position.tiles['e4']") == "+"
    hand.drag("reserve=j", "player=2")
    assert there.ask("x.position.held") == ("", "j", "", "")
    there.tool("undo")
    there.tool("undo")
    assert there.ask("x.position == start('romana4')") is True

    session = there.page.context.new_cdp_session(there.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    (x, y), end = middle(piece(there, "bridge")), middle(on(there, "f3"))
    touch("touchStart", (x, y))
    touch("touchMove", (x - 20, y))
    touch("touchMove", end)
    touch("touchEnd")
    there.settle()
    assert there.ask("x.position.tiles['f3']") == "+"
    session.detach()


def test_pieces_are_moved_and_turned_by_keys(there: BoardPage) -> None:
    there.show("x = Explorer(start('romana4'))\nx")
    turn_to(there, "Edit")
    push(there, "Edit this position")
    keys = there.page.keyboard

    def press(*names: str) -> None:
        for name in names:
            keys.press(name)
            there.settle()

    piece(there, "curve").focus()
    press("Enter", "r")
    expect(piece(there, "curve")).to_be_focused()
    there.choice("e5").focus()
    press("Enter")
    assert there.ask("x.position.tiles['e5']") == "F"
    press("r")
    assert there.ask("x.position.tiles['e5']") == "7"
    press("m", "Shift+ArrowRight", "Enter")
    assert there.ask("x.position.tiles['f5'], 'e5' in x.position.tiles") == ("7", False)
    press("m", "Escape", "Delete")
    assert there.ask("x.position == start('romana4')") is True
    piece(there, "R1").focus()
    press("Enter")
    there.choice("podium=5").focus()
    press("Enter")
    assert there.ask("[a.podium for a in x.position.aqueducts][0]") == 5


def test_the_editor_fits_beside_the_board_of_a_laptop(there: BoardPage) -> None:
    there.page.set_viewport_size(LAPTOP)
    for layout in ("romana4", "aquadukt4"):
        there.show(f"x = Explorer(start({layout!r}))\nx")
        turn_to(there, "Edit")
        push(there, "Edit this position")
        there.board.scroll_into_view_if_needed()
        frame, tabs = there.board.bounding_box(), there.board.locator(".tabs").bounding_box()
        stage, buttons = there.board.locator(".stage").bounding_box(), there.board.locator(".editing").bounding_box()
        assert None not in (frame, tabs, stage, buttons)
        assert tabs["x"] >= stage["x"] + stage["width"]
        assert max(tabs["height"], frame["height"]) <= 647
        there.board.locator('[name="idle"]').scroll_into_view_if_needed()
        # The buttons stay in view while the form is scrolled.
        after = there.board.locator(".editing").bounding_box()
        assert after
        assert tabs["y"] <= after["y"] <= buttons["y"]


def test_a_position_is_edited_until_it_is_one(there: BoardPage) -> None:
    there.show("x = Explorer(start('romana4'))\nx")
    turn_to(there, "Edit")
    push(there, "Edit this position")
    status, finish = there.board.locator(".editor [role=status]"), there.board.locator(".finish")
    expect(status).to_contain_text("This position is valid.")
    put(there, "curve", "c7", "d7")
    there.choice("d7").focus()
    for lies in ("south to east", "south to west", "north to west"):
        there.page.keyboard.press("r")
        expect(there.board.locator(".prompt")).to_contain_text(lies)
    expect(status).to_contain_text("curve from north to west on d7 joins two outlets [R3]")
    expect(finish).to_be_disabled()
    # What is wrong is marked, and what cannot be shown yet is drawn over the board.
    expect(there.board.locator('.edits .wrong[data-at="d7"]')).to_have_count(1)
    expect(there.board.locator(".edits .pending use")).to_have_count(1)
    put(there, "straight", "d7")
    expect(status).to_contain_text("This position is valid.")
    expect(there.board.locator(".edits > *")).to_have_count(0)
    assert there.board.locator("[name=player] option").all_text_contents()[3:6] == [
        "Blue", "setup: Red places", "setup: Yellow places",
    ]  # fmt: skip
    there.board.locator("[name=player]").select_option(label="Green")
    there.settle()
    stock = there.board.locator('[name="stock.c"]')
    stock.fill("21")
    stock.press("Tab")
    expect(status).to_contain_text("stock: 21 curve tiles in stock and 1 on the board")
    expect(stock).to_have_attribute("aria-invalid", "true")
    marks = there.board.locator(".edits .wrong")
    assert marks.evaluate_all("all => all.map((e) => e.dataset.at)") == ["c7", "stock=c"]
    there.board.locator('[name="stock.c"]').fill("7")
    there.board.locator('[name="stock.c"]').press("Tab")
    there.settle()
    push(there, "Take over")
    there.expect_prompt("Green: choose an aqueduct to extend")
    assert there.ask("x.position.tiles['c7'], x.position.tiles['d7'], x.position.player") == ("L", "|", 3)
    assert there.ask("str(x.position).split()[6]") == "7.20.21.21"
    turn_to(there, "Moves")
    assert rows(there) == ["start"]


def test_water_is_put_on_points_and_segments(there: BoardPage) -> None:
    there.show("x = Explorer(start('aquadukt2', seed=1))\nx")
    turn_to(there, "Edit")
    push(there, "Edit this position")
    status = there.board.locator(".editor [role=status]")
    put(there, "double", "3.5h")
    expect(status).to_contain_text("the canal on 3.5h belongs to no arm")
    put(there, "spring", "3.5")
    expect(status).to_contain_text("This position is valid.")
    push(there, "Cancel")
    there.expect_prompt("Player 1 (A): roll the die or place a spring")
    assert there.ask("x.position.springs") == ()


# Texts are texts


def test_markup_is_shown_as_text_everywhere(there: BoardPage) -> None:
    there.show(STUDY)
    there.tell(
        f"""
record.headers['event'] = {MARKUP!r}
record.headers['player 2'] = {MARKUP!r}
record.root.comment = {MARKUP!r}
x.lines = [{{'turn': 'd7=|@Nd', 'note': {MARKUP!r}}}]
"""
    )
    expect(row(there, "").locator(".comment")).to_have_text(MARKUP)
    expect(there.board.get_by_label("comment on this turn")).to_have_value(MARKUP)
    turn_to(there, "Lines")
    expect(there.board.locator(".lines .note")).to_have_text(MARKUP)
    turn_to(there, "Game")
    assert there.board.locator(".heads dd").all_text_contents() == [MARKUP, "Ada", MARKUP]
    there.board.locator("textarea.position").fill(MARKUP)
    push(there, "Show this position")
    expect(there.problem).to_contain_text("<img")
    path = MARKUP.replace("/", "")
    there.board.locator(".path").fill(path)
    there.board.locator("button.open").click()
    there.settle()
    expect(there.problem).to_contain_text("<img src=x")
    push(there, "Save")
    expect(there.board.locator(".said")).to_contain_text(path)
    there.board.locator("button.open").click()
    there.settle()
    assert there.board.locator(".heads dd").all_text_contents() == [MARKUP, "Ada", MARKUP]
    there.board.locator("input[type=file]").set_input_files(
        {"name": f"{path}.txt", "mimeType": "text/plain", "buffer": f"{MARKUP}\n".encode()}
    )
    expect(there.problem).to_contain_text("line 1")
    assert there.board.locator("img, script").count() == 0
    assert there.page.evaluate("window.pwned") is None


# How it looks, and for all people


def test_the_explorer_fits_a_narrow_window_and_turns_dark(there: BoardPage) -> None:
    there.page.set_viewport_size({"width": 380, "height": VIEW["height"]})
    board = there.show(STUDY)
    there.tell("x.comment('averyveryverylongword' * 5)")
    script = """(board) => {
        const edge = board.getBoundingClientRect().right + 1;
        const rolls = (e) => ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
        const scrolls = (e) => e && e !== board && (rolls(e) || scrolls(e.parentElement));
        return [...board.querySelectorAll("*")]
            .filter((e) => e.getBoundingClientRect().width && e.getBoundingClientRect().right > edge && !scrolls(e))
            .map((e) => e.outerHTML.slice(0, 100));
    }"""
    for title in ("Moves", "Scores", "Lines", "Review", "Game", "Edit"):
        turn_to(there, title)
        if title == "Edit":
            push(there, "Edit this position")
        assert board.evaluate(script) == []
    there.page.set_viewport_size(VIEW)
    ground = "e => getComputedStyle(e).backgroundColor"
    light = board.locator(".tabs").evaluate(ground)
    there.house.change_theme(there.page, dark=True)
    try:
        expect(board).to_have_attribute("data-dark", "")
        assert board.locator(".tabs").evaluate(ground) != light
    finally:
        there.house.change_theme(there.page, dark=False)


def test_tabs_are_turned_by_keys_and_no_id_stands_twice(there: BoardPage) -> None:
    board = there.show(STUDY, "x")
    turn_to(there, "Moves")
    for title in ("Scores", "Lines", "Review", "Game", "Edit", "Moves"):
        there.page.keyboard.press("ArrowRight")
        tab = board.get_by_role("tab", name=title, exact=True)
        expect(tab).to_be_focused()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(board.get_by_role("tabpanel", name=title, exact=True)).to_be_visible()
    turn_to(there, "Edit")
    push(there, "Edit this position")
    ids = board.evaluate("e => [...e.getRootNode().querySelectorAll('[id]')].map((part) => part.id)")
    assert len(set(ids)) == len(ids)
    named = "all => all.map((e) => Boolean(e.ariaLabel || e.labels?.length || e.textContent.trim()))"
    assert all(board.locator("button, input, select, textarea").evaluate_all(named))
