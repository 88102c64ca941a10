"""Records: a tree of turns that the rules check, and a text that loses nothing, damaged or not."""

from __future__ import annotations

import copy
import os
import pickle
import random
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_games import EVERY_START, STARTS

import aquakit
from aquakit import romana
from aquakit.core.record import Node, Record
from aquakit.errors import IllegalTurn, InvalidRecord, InvalidTurn

TESTS = Path(__file__).parent

START = aquakit.start("romana2-5x4")
TEXT = f"""\
aquakit record 1
event: Club evening
player 1: Ada
start: {START}

; A comment on the start.
1. b3=+@E4 xR1 *j
; A comment on turn 1,
; in two lines.
  1. b3=+@E4 x-
  ; A variation.
  2. d2=7@Sd x-
    2. d2=F@Sd x-
    ; A variation in a variation.
  3. b2=N@W3 x-
  1. b3=L@Nb x-
2. d2=+@W1 xG1 *d
3. +jW4 d4=-@W4 c2=| x-
result: *
"""
LINES = TEXT.split("\n")


def play(node: Node, *turns: str) -> Node:
    """Plays turns one after the other."""
    for turn in turns:
        node = node.play(turn)
    return node


def shape(node: Node) -> list[tuple[int, int, str, str, str]]:
    """Lists all that a tree holds, in order."""
    return [(depth, n.number, str(n.turn), n.comment, str(n.position)) for n, depth in node.rows()]


def turns_of(node: Node) -> list[str]:
    """Lists the turns of a subtree, each with its number."""
    return [f"{n.number}. {n.turn}" for n in node.walk() if n.turn is not None]


def change(line: int, *lines: str) -> str:
    """Writes the text with other lines in the place of one."""
    return "\n".join([*LINES[: line - 1], *lines, *LINES[line:]])


def refuse(text: str) -> InvalidRecord:
    """Gets the error that a text gives."""
    with pytest.raises(InvalidRecord) as caught:
        Record.parse(text)
    return caught.value


def kept(problem: InvalidRecord) -> list[str]:
    """Lists the turns kept of a damaged text in order, after checking that what is kept can be written and read."""
    assert problem.record is not None
    assert str(Record.parse(str(problem.record))) == str(problem.record)
    return sorted(turns_of(problem.record.root))


def whole_games() -> list[list[str]]:
    blocks = [(TESTS / game / "data" / "games.txt").read_text("utf-8") for game in STARTS]
    lines = ["\n".join(line for line in block.split("\n") if not line.startswith("#")) for block in blocks]
    return [game.split("\n") for block in lines for game in block.strip().split("\n\n")]


def record_of(start: Any, turns: Iterable[str]) -> Record:
    record = Record(start)
    play(record.root, *turns)
    return record


# The tree


def test_a_record_begins_with_its_start() -> None:
    record = Record(START, {"event": "Club evening"})
    root = record.root
    assert record.start == root.position == START
    assert (root.turn, root.parent, root.children, root.comment, root.number, root.path) == (None, None, (), "", 0, ())
    assert record.result == "*"
    assert dict(record.headers) == {"event": "Club evening"}


def test_turns_are_checked_by_the_rules_and_numbered() -> None:
    root = Record(START).root
    first = root.play("b3=+@E4 xR1 *j")
    second = first.play("d2=+@W1 xG1 *d")
    assert (first.number, second.number, second.parent) == (1, 2, first)
    assert str(second.turn) == "d2=+@W1 xG1 *d"
    assert second.position == START.play("b3=+@E4 xR1 *j").play("d2=+@W1 xG1 *d")
    for bad, error in (("b3=+@E4", IllegalTurn), ("nonsense", InvalidTurn), ("", IllegalTurn), (3, InvalidTurn)):
        with pytest.raises(error):
            second.play(bad)
    assert second.children == ()


def test_a_turn_is_one_child_however_it_is_written() -> None:
    root = Record(START).root
    node = root.play("b3=+@E4")
    same = [root.play(turn) for turn in ("b3=+@E4 x-", " b3=+@E4   x-", ["b3=+@E4", "x-"], node.turn)]
    assert all(other is node for other in same)
    assert str(node.turn) == "b3=+@E4 x-"
    assert root.play("b3=+@E4 xR1 *j") is not node
    assert len(root.children) == 2


def test_what_is_left_out_inside_a_turn_is_added_too() -> None:
    for seed in range(60):
        record, written = Record(START), []
        node = record.root
        draw = random.Random(seed)
        while not node.position.is_over:
            turn = random_turn(node.position, draw)
            node = node.play(str(turn).replace(" x-", ""))
            written.append(str(turn))
        assert [str(n.turn) for n in node.line()[1:]] == written


def test_new_turns_become_the_last_variation() -> None:
    root = Record(START).root
    nodes = tuple(root.play(str(turn)) for turn in START.turns())
    assert root.children == nodes
    assert [node.path for node in nodes] == [(place,) for place in range(len(nodes))]


def test_lines_paths_and_walks() -> None:
    record = Record.parse(TEXT)
    root = record.root
    deep = record.at((1, 1))
    assert str(deep.turn) == "d2=F@Sd x-"
    assert deep.line() == [root, root.children[1], deep]
    assert [node.number for node in root.main()] == [0, 1, 2, 3]
    assert [str(node.turn) for node in root.children[1].main()] == ["b3=+@E4 x-", "d2=7@Sd x-", "b2=N@W3 x-"]
    assert turns_of(root) == [line.strip() for line in LINES if re.match(r" *\d", line)]
    assert turns_of(root.children[1]) == [line.strip() for line in LINES[9:15] if re.match(r" *\d", line)]
    assert [depth for _, depth in root.rows()] == [0, 0, 1, 1, 2, 1, 1, 0, 0]
    assert all(record.at(node.path) is node for node in root.walk())


@pytest.mark.parametrize("path", [(3,), (-1,), (0, 0, 0, 0), ("0",), (0.0,), "0", 0, None])
def test_a_path_that_leads_nowhere_is_an_error(path: Any) -> None:
    with pytest.raises(InvalidRecord, match="path"):
        Record.parse(TEXT).at(path)


def test_promote_moves_one_place_up() -> None:
    root = Record.parse(TEXT).root
    a, b, c = root.children
    c.promote()
    assert root.children == (a, c, b)
    c.promote()
    assert root.children == (c, a, b)
    c.promote()
    assert root.children == (c, a, b)
    assert root.main() == [root, c]
    assert root.play(str(b.turn)) is b


def test_promote_to_main_takes_the_whole_line_along() -> None:
    record = Record.parse(TEXT)
    deep = record.at((1, 1))
    deep.promote_to_main()
    assert record.root.main() == [record.root, deep.parent, deep]
    assert deep.path == (0, 0)
    assert str(Record.parse(str(record))) == str(record)


def test_delete_removes_the_subtree_only() -> None:
    record = Record.parse(TEXT)
    a, b, c = record.root.children
    b.delete()
    assert record.root.children == (a, c)
    assert turns_of(record.root) == [line for line in turns_of(Record.parse(TEXT).root) if line not in turns_of(b)]
    again = record.root.play(str(b.turn))
    assert again is not b
    assert (again.path, again.children, again.comment) == ((2,), (), "")
    with pytest.raises(InvalidRecord):
        b.delete()
    assert again in record.root.children


def test_the_root_is_neither_deleted_nor_promoted() -> None:
    record = Record.parse(TEXT)
    for change_root in (record.root.delete, record.root.promote):
        with pytest.raises(InvalidRecord, match="node"):
            change_root()
    assert str(record) == TEXT


@pytest.mark.parametrize("game", whole_games(), ids=lambda game: game[0].split(" ")[0])
def test_the_result_is_that_of_the_main_line(game: list[str]) -> None:
    start, *turns, final, totals = game
    record = record_of(aquakit.parse(start), turns)
    assert record.result == Record(aquakit.parse(final)).result == totals.replace(",", " ")
    assert str(record).endswith(f"\nresult: {record.result}\n")
    assert str(Record.parse(str(record))) == str(record)
    other = next(turn for turn in record.start.turns() if turn != record.root.children[0].turn)
    record.root.play(other).promote()
    assert record.result == "*"


def test_a_start_is_the_start_of_a_turn() -> None:
    for bad in (START.act("b3=+@E4"), str(START), None):
        with pytest.raises(InvalidRecord, match="start"):
            Record(bad)
    setup = Record(aquakit.start("romana2-5x4", setup=True))
    assert setup.root.play(next(setup.start.turns())).position.phase == "setup"
    assert str(Record.parse(str(setup))) == str(setup)


# Headers and comments


@pytest.mark.parametrize(
    "name", ["", "1st", " event", "event ", "a:b", "start", "Result", "a\nb", "<b>", ";x", "_a", 3]
)
def test_names_of_headers_are_checked(name: Any) -> None:
    record = Record(START)
    for put in (lambda: record.headers.update({name: "x"}), lambda: Record(START, {name: "x"})):
        with pytest.raises(InvalidRecord, match="header"):
            put()
    assert not record.headers


@pytest.mark.parametrize("value", ["a\nb", "a\rb", "\0", "\ud800", "a\x1b[31m", "a\x0bb", None, 3])
def test_values_of_headers_are_one_line_of_text(value: Any) -> None:
    record = Record(START, {"event": "old"})
    with pytest.raises(InvalidRecord, match="header event"):
        record.headers["event"] = value
    assert dict(record.headers) == {"event": "old"}


def test_headers_keep_their_order_and_can_be_changed() -> None:
    record = Record(START, {"Größe": "5: 4", "b-c_d 2": " spaces around go ", "empty": "", "x": "start: y"})
    del record.headers["x"]
    record.headers["a"] = "1"
    again = Record.parse(str(record))
    expected = [("Größe", "5: 4"), ("b-c_d 2", "spaces around go"), ("empty", ""), ("a", "1")]
    assert list(record.headers.items()) == list(again.headers.items()) == expected
    with pytest.raises(InvalidRecord):
        Record(START, ["event"])


HARD_COMMENTS = [
    "trailing spaces  ",
    "  leading spaces",
    " ",
    "\n",
    "\n\n",
    "a\n\n  b \n",
    "1. b3=+@E4 x-\nresult: *\nstart: x\n; y",
    "  1. b3=+@E4 x-",
    "\ttabs\t",
    "line\u2028and paragraph\u2029separators",
    "\ufeff\u00a0\u3000 spaces of all kinds \u200b",
    "<script>alert('x')</script> & \"quotes\" ]]> {} %s \\n",
    "Ädil 𝄞 e\u0301 \ufffd",
]


@pytest.mark.parametrize("comment", HARD_COMMENTS)
def test_comments_survive_to_the_last_space(comment: str) -> None:
    record = Record.parse(TEXT)
    for node in record.root.walk():
        node.comment = comment
    again = Record.parse(str(record))
    assert {node.comment for node in again.root.walk()} == {comment}
    assert shape(again.root) == shape(record.root)
    assert str(again) == str(record)


def test_lines_of_comments_end_in_one_way() -> None:
    node = Record(START).root
    node.comment = "a\r\nb\rc\n\r\nd"
    assert node.comment == "a\nb\nc\n\nd"


@pytest.mark.parametrize("bad", ["\0", "a\x07", "\x1b[2J", "\x0b", "\x0c", "\x7f", "\x85", "\udcff", None, 3])
def test_comments_are_text(bad: Any) -> None:
    node = Record(START).root
    node.comment = "old"
    with pytest.raises(InvalidRecord, match="comment"):
        node.comment = bad
    assert node.comment == "old"


@settings(max_examples=300)
@given(st.text(st.characters(exclude_categories=())))
@example("\r\n\ud800")
def test_any_text_is_kept_or_refused(text: str) -> None:
    record = Record(START)
    try:
        record.root.comment = text
    except InvalidRecord:
        assert re.search("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", text)
    else:
        assert Record.parse(str(record)).root.comment == record.root.comment == re.sub("\r\n?", "\n", text)


# Text


def random_turn(p: Any, draw: random.Random) -> Any:
    actions = []
    while not actions or p.played:
        actions.append(draw.choice(p.actions()))
        p = p.act(actions[-1])
    return p.turn_type(actions)


COMMENTS = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=30)
NAMES = st.from_regex(r"\A[a-zA-ZäÉ][\w -]{0,9}[\w-]\Z").filter(lambda name: name.lower() not in ("start", "result"))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Draws a record with variations in variations, comments and headers."""
    values = COMMENTS.map(lambda text: text.replace("\n", " "))
    record = Record(draw(EVERY_START), draw(st.dictionaries(NAMES, values, max_size=3)))
    nodes = [record.root]
    chance = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 30))):
        node = chance.choice(nodes[-4:] if chance.random() < 0.8 else nodes)
        if not node.position.is_over:
            nodes.append(node.play(random_turn(node.position, chance)))
    for node in draw(st.lists(st.sampled_from(nodes), max_size=5)):
        node.comment = draw(st.one_of(COMMENTS, st.sampled_from(HARD_COMMENTS)))
    return record


@settings(max_examples=60)
@given(records())
def test_what_is_written_is_read_back(record: Record) -> None:
    text = str(record)
    for again in (Record.parse(text), pickle.loads(pickle.dumps(record)), copy.deepcopy(record)):
        assert str(again) == text
        assert shape(again.root) == shape(record.root)
        assert list(again.headers.items()) == list(record.headers.items())
        assert (again.start, again.result) == (record.start, record.result)


@settings(max_examples=50)
@given(records(), st.data())
def test_damaged_texts_are_read_or_refused_and_what_is_kept_is_a_record(record: Record, data: st.DataObject) -> None:
    text = str(record)
    at = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from(" .:;*-\n\r\t0123456789x@=+aLNS,\0\ud800é"))
    damaged = text[:at] + data.draw(st.sampled_from(["", letter])) + text[at + 1 :]
    try:
        read = Record.parse(damaged)
    except InvalidRecord as problem:
        read = problem.record
    if read is not None:
        assert str(Record.parse(str(read))) == str(read)


def test_the_text_is_as_documented() -> None:
    assert str(Record.parse(TEXT)) == TEXT
    page = (TESTS.parent / "docs" / "records.md").read_text("utf-8")
    shown = re.search(r"^    aquakit record 1\n.*?^    result: .*?\n", page, re.MULTILINE | re.DOTALL)[0]
    example = re.sub("^    ", "", shown, flags=re.MULTILINE)
    assert str(Record.parse(example)) == example


def test_readers_are_not_fussy_about_line_ends_and_blank_lines() -> None:
    blank = "\n" + TEXT.replace("\n", "\n   \n\n") + "\n\t\n"
    for text in (TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\r"), TEXT.rstrip("\n"), f"\ufeff{TEXT}", blank):
        assert str(Record.parse(text)) == TEXT
    assert str(Record.parse(TEXT.replace(" x-", "").replace("; ", ";").replace(": ", ":  "))) == TEXT


def test_no_spaces_are_written_at_the_end_of_empty_lines() -> None:
    record = Record(START, {"site": ""})
    record.root.comment = "a\n\nb"
    assert "\nsite:\n" in str(record)
    assert "\n; a\n;\n; b\n" in str(record)


def test_a_comment_after_variations_belongs_to_the_turn_of_its_depth() -> None:
    record = Record.parse(change(17, "; More on turn 1.", LINES[16]))
    assert record.at((0,)).comment == "A comment on turn 1,\nin two lines.\nMore on turn 1."


def test_a_layout_of_ones_own_is_given_when_reading() -> None:
    layout = romana.Layout.loads(romana.Layout.load("romana2-5x4").text.replace("romana2-5x4", "mine"))
    record = record_of(romana.Position.start(layout), ["b3=+@E4 xR1 *j"])
    assert str(Record.parse(str(record), layout)) == str(record)
    assert str(pickle.loads(pickle.dumps(record))) == str(record)
    assert refuse(str(record)).line == 2


ENDLESS = "romana2-5x4 F##.7/...../...../L.##J .c.s./b.d./.c.s./b.d. dj -,- *.*,*.* 0.0.0.0 1! 0"
"""A study without tiles: builders walk on and on."""


def nested(depth: int) -> Record:
    """Makes a record with a variation in each variation."""
    record = Record(aquakit.parse(ENDLESS))
    node = record.root
    for _ in range(depth):
        main, other = [str(action) for action in node.position.actions()[:2]]
        node.play(main)
        node = node.play(other)
    return record


def test_variations_may_be_nested_deeper_than_functions() -> None:
    depth = sys.getrecursionlimit() + 20
    record = nested(depth)
    again = copy.deepcopy(record)  # reads what is written
    assert max(depth for _, depth in again.root.rows()) == depth
    assert str(again) == str(record)
    *_, last = record.root.walk()
    assert last.path == (1,) * depth
    last.promote_to_main()
    assert record.root.main()[-1] is last


def test_reading_plays_each_turn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text, carry_out, played = str(nested(200)), romana.Position.carry_out, []

    def count(self: Any, turn: Any) -> Any:
        played.append(turn)
        return carry_out(self, turn)

    monkeypatch.setattr(romana.Position, "carry_out", count)
    Record.parse(text)
    assert len(played) == 400


# Damage: the line is named and everything that does not depend on it is kept

TURN_LINES = [number for number, line in enumerate(LINES, start=1) if re.match(r" *\d", line)]


@pytest.mark.parametrize(
    ("line", "damaged", "message", "lost"),
    [
        (18, "3. nonsense", "nonsense: cannot be read", {18}),
        (18, "3.", "turn: is empty", {18}),
        (18, "3. +jW4", "the turn is not complete", {18}),
        (17, "2. d4=+@E4 x-", "d4=+@E4: no own workman stands before d4 (section 5, step 2a)", {17, 18}),
        (7, "1. b3=+@E4 xG1", "xG1: ", {7, 17, 18}),
        (12, "  2. d2=7@Sd \0", r"text: holds '\x00'", {12, 15}),
        (10, "  1. rubbish", "rubbish: cannot be read", {10, 12, 13, 15}),
        (16, "  1. b3=+@E4", "b3=+@E4 x-: stands there already", {16}),
        (16, "  1. b3=+@E4 xR1 *j", "b3=+@E4 xR1 *j: stands there already", {16}),
        (17, "3. d2=+@W1 xG1 *d", "turn 3: stands in the wrong place", {17, 18}),
        (17, "02. d2=+@W1 xG1 *d", "cannot be read; expected a turn, a comment or the result", {17, 18}),
        (17, "2222222222. d2=+@W1 xG1 *d", "cannot be read", {17, 18}),
        (12, "  3. d2=7@Sd x-", "turn 3: stands in the wrong place", {12, 13, 15}),
        (16, "  7. b3=L@Nb x-", "turn 7: stands in the wrong place", {16}),
        (16, "   1. b3=L@Nb x-", "indentation: an odd number of spaces", {16}),
        (16, "      1. b3=L@Nb x-", "turn 1: stands in the wrong place", {16}),
        (16, "\t1. b3=L@Nb x-", "cannot be read", {16}),
        (18, "hello", "'hello': cannot be read", {18}),
        (8, "a line of a comment without its mark", "cannot be read", set()),
        (8, "  ; deep", "comment: stands deeper", set()),
        (11, "  ; A \x1b[2J variation.", r"text: holds '\x1b'", set()),
        (11, "  ; A \udc80 variation.", r"text: holds '\udc80'", set()),
        (19, "result: 5 0", "result: '5 0'; expected * as the main line has it", set()),
        (19, "result:", "result: ''; expected *", set()),
        (19, " result: *", "indentation", set()),
        (2, "event Club evening", "'event Club evening': is no header", set()),
        (2, "2: Club evening", "header: '2' is no name", set()),
        (3, "event: again", "header event: stands there twice", set()),
        (3, "Result: 3 4", "header: 'Result' is no name", set()),
        (3, "player 1: A\x07da", r"text: holds '\x07'", set()),
        (1, "aquakit record 2", "version: 'aquakit record 2'; expected aquakit record 1", set()),
        (1, "aqvakit record 1", "version: 'aqvakit record 1'", set()),
    ],
)
def test_a_bad_line_is_named_and_the_rest_is_kept(line: int, damaged: str, message: str, lost: set[int]) -> None:
    problem = refuse(change(line, damaged))
    assert (problem.line, problem.where) == (line, f"line {line}")
    assert message in problem.problem
    assert str(problem).startswith(f"line {line}: ")
    assert problem.problems[0] == (line, problem.problem)
    assert kept(problem) == sorted(LINES[number - 1].strip() for number in TURN_LINES if number not in lost)


def test_one_bad_line_is_one_problem() -> None:
    for line, damaged in ((7, "1. rubbish"), (10, "  1. rubbish"), (17, "9. x"), (1, "x"), (12, "  2. \udc80")):
        assert len(refuse(change(line, damaged)).problems) == 1


def test_comments_and_headers_beside_the_damage_are_kept() -> None:
    record = refuse(change(17, "2. nonsense")).record
    assert dict(record.headers) == {"event": "Club evening", "player 1": "Ada"}
    assert record.root.comment == "A comment on the start."
    assert record.at((0,)).comment == "A comment on turn 1,\nin two lines."
    assert record.at((1, 1)).comment == "A variation in a variation."
    assert dict(refuse(change(2, "?")).record.headers) == {"player 1": "Ada"}
    assert dict(refuse(change(3, "event: again")).record.headers) == {"event": "Club evening"}


def test_characters_that_are_no_text_are_replaced_and_the_rest_of_the_line_is_kept() -> None:
    record = refuse(change(11, "  ; A \0 variation.")).record
    assert record.at((1,)).comment == "A \ufffd variation."
    assert refuse(change(3, "player 1: A\x07da")).record.headers["player 1"] == "A\ufffdda"


def test_a_bad_turn_takes_its_comment_along_and_no_other() -> None:
    record = refuse(change(7, "1. rubbish")).record
    assert [node.comment for node in record.root.walk() if node.comment] == [
        "A comment on the start.",
        "A variation.",
        "A variation in a variation.",
    ]


def test_variations_on_a_missing_turn_are_kept() -> None:
    problem = refuse(change(7))
    assert problem.problems == ((9, "turn 1: is a variation on a missing turn; expected that turn before it"),)
    assert kept(problem) == sorted(LINES[number - 1].strip() for number in (10, 12, 13, 15, 16))
    at_the_end = refuse(change(18, f"  {LINES[17]}"))
    assert [line for line, _ in at_the_end.problems] == [18]
    assert LINES[17] in kept(at_the_end)


def test_a_missing_turn_is_noticed() -> None:
    problem = refuse(change(17))
    assert problem.problems[0][0] == 17
    assert "turn 3: stands in the wrong place" in problem.problem
    assert len(kept(problem)) == len(TURN_LINES) - 2


def test_a_truncated_text_is_noticed_wherever_it_ends() -> None:
    for end in range(0, len(TEXT) - 2, 5):
        problem = refuse(TEXT[:end])
        assert problem.line <= TEXT[:end].count("\n") + 1
        whole = {line.strip() for line in TEXT[:end].split("\n")[:-1]}
        if problem.record is not None:
            assert {turn for turn in turns_of(Record.parse(TEXT).root) if turn in whole} <= set(kept(problem))


def test_nothing_stands_after_the_result() -> None:
    problem = refuse(change(18, "result: *", LINES[17]))
    assert problem.problems[0] == (19, f"{LINES[17]!r}: stands after the result; expected the result at the end")
    assert len(kept(problem)) == len(TURN_LINES)


def test_all_problems_are_listed_in_order() -> None:
    lines = list(LINES)
    lines[1], lines[9], lines[10], lines[17], lines[18] = "?", "  1. rubbish", "  ; \0", "3. x", "result: 7"
    problem = refuse("\n".join(lines))
    assert [line for line, _ in problem.problems] == [2, 10, 11, 18]
    assert str(problem).endswith("(and 3 more)")
    again = pickle.loads(pickle.dumps(problem))
    assert (str(again), again.problems, str(again.record)) == (str(problem), problem.problems, str(problem.record))


def test_the_result_of_a_finished_game_is_checked() -> None:
    start, *turns, _, totals = whole_games()[0]
    text = str(record_of(aquakit.parse(start), turns))
    result = f"result: {totals.replace(',', ' ')}\n"
    for wrong in ("result: *\n", "result: 1 1\n", result.replace(" ", ",")):
        problem = refuse(text.replace(result, wrong))
        assert problem.line == text.count("\n")
        assert str(problem.record) == text


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "version: ''"),
        ("\n\n \n", 1, "version: ''"),
        ("hello", 1, "version: 'hello'"),
        ("aquakit record 1", 1, "start: is missing"),
        ("aquakit record 1\nevent: x\n1. b3=+@E4", 3, "start: is missing"),
        (change(4), 18, "start: is missing"),
        (change(4, "start:"), 4, "position: "),
        (change(4, "start: nowhere x y"), 4, "unknown layout 'nowhere'"),
        (change(4, f"start: {START} 0"), 4, "position: 10 fields"),
        (change(4, f"start: {START} : b3=+@E4"), 4, "start: is a moment inside a turn; expected the start of a turn"),
    ],
)
def test_without_a_start_there_is_no_record(text: str, line: int, message: str) -> None:
    problem = refuse(text)
    assert (problem.line, problem.record) == (line, None)
    assert message in problem.problem


def test_without_the_first_line_the_rest_is_read() -> None:
    problem = refuse(change(1))
    assert [line for line, _ in problem.problems] == [1]
    assert str(problem.record) == TEXT


def test_a_record_is_read_from_text_only() -> None:
    for bad in (None, 3, b"aquakit record 1"):
        with pytest.raises(InvalidRecord):
            Record.parse(bad)


# Files


def test_files_hold_the_text(tmp_path: Path) -> None:
    record = Record.parse(TEXT)
    record.root.comment = "Größe\u2028\n"
    for path in (tmp_path / "game.txt", str(tmp_path / "other.txt")):
        record.save(path)
        assert Path(path).read_bytes() == str(record).encode()
        assert str(Record.load(path)) == str(record)
    (tmp_path / "game.txt").write_bytes(b"\xef\xbb\xbf" + str(record).replace("\n", "\r\n").encode())
    assert str(Record.load(tmp_path / "game.txt")) == str(record)


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(change(12, "  2. nonsense"), "utf-8")
    with pytest.raises(InvalidRecord) as caught:
        Record.load(path)
    assert (caught.value.where, caught.value.line) == ("game.txt, line 12", 12)
    assert len(kept(caught.value)) == len(TURN_LINES) - 2


def test_lines_that_are_not_utf_8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(TEXT.replace("A variation.", "Größe").encode("latin-1"))
    with pytest.raises(InvalidRecord) as caught:
        Record.load(path)
    assert caught.value.problems == ((11, r"text: holds '\udcf6'; expected text in UTF-8 without control characters"),)
    assert caught.value.record.at((1,)).comment == "Gr\ufffd\ufffde"
    path.write_bytes(TEXT.encode("utf-16"))
    with pytest.raises(InvalidRecord) as caught:
        Record.load(path)
    assert (caught.value.line, caught.value.record) == (1, None)


def test_files_that_cannot_be_read_give_typed_errors(tmp_path: Path) -> None:
    for bad in (tmp_path / "missing.txt", tmp_path, "no\0such", "", None, 3):
        with pytest.raises(InvalidRecord) as caught:
            Record.load(bad)
        assert (caught.value.line, caught.value.record) == (None, None)
        assert "cannot be read" in str(caught.value)


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_file_is_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "game.txt"
    record = Record.parse(TEXT)
    record.save(path)
    record.root.comment = "changed"
    monkeypatch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace")}[step], fail)
    with pytest.raises(InvalidRecord, match="cannot be written: No space left on device"):
        record.save(path)
    assert path.read_text("utf-8") == TEXT
    assert list(tmp_path.iterdir()) == [path]


def test_files_that_cannot_be_written_give_typed_errors(tmp_path: Path) -> None:
    for bad in (tmp_path, tmp_path / "no" / "such" / "folder", "no\0such", None, 3):
        with pytest.raises(InvalidRecord, match="cannot be written"):
            Record.parse(TEXT).save(bad)
    assert list(tmp_path.iterdir()) == []


def test_the_kit_offers_records() -> None:
    assert aquakit.Record is Record
