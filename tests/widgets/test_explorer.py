"""The explorer without a browser: tree, texts and files, editor, lines, in both games."""

from __future__ import annotations

import random
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from clicking import check, choose, hear_all, ids, state, tell, turns
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import EVERY_START, play_on
from svg_checks import classed, marked
from waiting import wait_for

import aquakit
from aquakit import Explorer, Record, romana
from aquakit.board import clicks
from aquakit.board.draft import draft
from aquakit.board.telling import describe_turn
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidPosition, InvalidRecord, InvalidTurn
from aquakit.widgets.page import word_problem
from aquakit.widgets.panels.lines import complete
from aquakit.widgets.panels.moves import KEPT

SMALL = aquakit.start("romana2-5x4")
TEXT = f"""\
aquakit record 1
event: Club evening
start: {SMALL}

; A comment on the start.
1. b3=+@E4 xR1 *j
; A comment on turn 1,
; in two lines.
  1. b3=+@E4 x-
  2. d2=7@Sd x-
    2. d2=F@Sd x-
    ; A variation in a variation.
  3. b2=N@W3 x-
  1. b3=L@Nb x-
2. d2=+@W1 xG1 *d
3. +jW4 d4=-@W4 c2=| x-
result: *
"""
TINY = aquakit.start("aquadukt2-6x5", seed=1)
FOREIGN = aquakit.start("romana2-7x6")
ROMANA = aquakit.start("romana4")
AQUADUKT = aquakit.start("aquadukt2", seed=1)
EVENTS = aquakit.start("aquadukt2", seed=1, events=True)
STARTS = {"romana": SMALL, "aquadukt": TINY}
FIRST = {"romana": "b3=+@E4 x-", "aquadukt": "spring 2.2"}
OTHER = {"romana": "b3=+@E4 xR1 *j", "aquadukt": "spring 3.2"}
SECOND = {"romana": "d2=7@Sd x-", "aquadukt": "canal 2.2h, canal 3.2h"}
HARMLESS = {"romana": ("Tiles", "L", "c3"), "aquadukt": ("Tiles and mountains", "A1", "b2")}
"""A piece and a place where it makes a position, with what it leaves if one balances."""
OWN_LAYOUT = """
name = "mine"
title = "A layout of one's own"
columns = 3
rows = 3
players = ["R"]
reserve = ""
podiums = [1, 1, 1]
stock = {c = 4, s = 4, b = 0, d = 3}
builders = {c = 3, s = 3, b = 3, d = 3, j = 0}
reservoirs = [{colour = "R", squares = ["a3", "b3"], outlets = ["b3S"]}]
"""

every_game = pytest.mark.parametrize("game", STARTS)


def explore(game: str = "record") -> Explorer:
    """Makes an explorer: of the record above, or of a game with a turn, a variation on it, and a turn after it."""
    if game == "record":
        return Explorer(Record.parse(TEXT))
    record = Record(STARTS[game])
    last = record.root.play(FIRST[game]).play(SECOND[game])
    record.root.play(OTHER[game])
    explorer = Explorer(record)
    explorer.go(last)
    return explorer


def play_line(explorer: Explorer, turn: str) -> None:
    """Plays the first turn of a line, as two clicks do."""
    tell(explorer, do="show", turn=turn)
    explorer.choose("play")


def column(explorer: Explorer, name: str) -> list[Any]:
    """Gets one column of the tree."""
    return [row[name] for row in explorer.tree]


# The tree


def test_a_record_is_shown_from_its_start() -> None:
    record = Record.parse(TEXT)
    explorer = Explorer(record)
    assert explorer.record is record
    assert explorer.node is record.root
    assert explorer.position == SMALL
    assert explorer.game == TEXT
    assert explorer.headers == {"event": "Club evening"}
    assert (explorer.at, explorer.index, explorer.length) == ("", 0, 3)
    assert (explorer.can_undo, explorer.can_redo, explorer.can_restore) == (False, True, False)
    assert explorer.draft is None
    assert repr(explorer).startswith("Explorer('romana2-5x4 ")


@pytest.mark.parametrize("start", [*STARTS.values(), EVENTS, ROMANA.solo(1), aquakit.start("romana3", setup=True)])
def test_a_position_or_its_text_is_a_record_of_its_own(start: Any) -> None:
    for given_as in (start, str(start)):
        explorer = Explorer(given_as, flip=True)
        assert explorer.position == start
        assert explorer.tree == [
            {
                "at": "",
                "number": 0,
                "turn": "",
                "who": [],
                "level": 0,
                "comment": "",
                "promotable": False,
                "on_line": True,
                "told": [],
                "gained": [],
            }
        ]
        assert explorer.game == str(Record(start))
        assert explorer.sheet == clicks.plain(start.room("board.facts").sheet(start))
        check(explorer)


def test_the_tree_has_a_row_for_each_turn_as_it_is_written() -> None:
    explorer = explore()
    assert column(explorer, "at") == ["", "0", "1", "1.0", "1.1", "1.0.0", "2", "0.0", "0.0.0"]
    assert column(explorer, "number") == [0, 1, 1, 2, 2, 3, 1, 2, 3]
    assert column(explorer, "level") == [0, 0, 1, 1, 2, 1, 1, 0, 0]
    assert column(explorer, "turn") == [
        "", "b3=+@E4 xR1 *j", "b3=+@E4 x-", "d2=7@Sd x-", "d2=F@Sd x-", "b2=N@W3 x-", "b3=L@Nb x-", "d2=+@W1 xG1 *d",
        "+jW4 d4=-@W4 c2=| x-",
    ]  # fmt: skip
    assert column(explorer, "comment")[:2] == ["A comment on the start.", "A comment on turn 1,\nin two lines."]
    assert column(explorer, "promotable") == [False, False, True, False, True, False, True, False, False]
    who = [[chip["text"] for chip in chips] for chips in column(explorer, "who")]
    assert who == [[], ["R"], ["R"], ["G"], ["G"], ["R"], ["R"], ["G"], ["R"]]


def test_rows_and_lines_are_told_in_words() -> None:
    explorer = explore()
    for row, node in zip(explorer.tree[1:], list(explorer.record.root.walk())[1:], strict=True):
        assert node.parent is not None
        assert row["told"] == describe_turn(node.parent.position, node.turn)
    explorer.lines = ["b3=+@E4"]
    assert explorer.line_words == {"b3=+@E4 x-": describe_turn(SMALL, "b3=+@E4")}
    explorer.play("b3=+@E4")
    assert explorer.line_words == {}


@pytest.mark.parametrize("bad", ["no", 1, None])
def test_notation_is_shown_or_not(bad: Any) -> None:
    explorer = Explorer(SMALL, notation=False)
    assert explorer.notation is False
    refused(explorer, lambda: setattr(explorer, "notation", bad), InvalidOption, "notation: ")


def test_every_row_can_be_gone_to() -> None:
    explorer = explore()
    for row, node in zip(explorer.tree, explorer.record.root.walk(), strict=True):
        tell(explorer, do="go", at=row["at"])
        assert explorer.node is node
        assert explorer.at == row["at"]
        assert explorer.index == row["number"]
        assert explorer.position == node.position
        assert explorer.picture == node.position.svg(
            theme="auto", panel="both", last=node.turn, before=node.parent and node.parent.position
        )
        check(explorer)


def test_steps_follow_the_line_on_the_board() -> None:
    explorer = explore()

    def after(does: str) -> tuple[str, int, int]:
        tell(explorer, do=does)
        return explorer.at, explorer.index, explorer.length

    assert after("later") == ("0", 1, 3)
    assert after("last") == ("0.0.0", 3, 3)
    assert after("later") == ("0.0.0", 3, 3)
    assert after("earlier") == ("0.0", 2, 3)
    assert after("first") == ("", 0, 3)
    assert after("earlier") == ("", 0, 3)
    tell(explorer, do="go", at="1.1")
    assert (explorer.index, explorer.length) == (2, 2)
    assert after("first") == ("", 0, 2)
    assert after("last") == ("1.1", 2, 2)
    explorer.undo()
    explorer.redo()
    assert explorer.at == "1.1"
    assert explorer.problem == ""


def test_the_slider_goes_along_the_line_on_the_board() -> None:
    explorer = explore()
    for index, at in [(2, "0.0"), (0, ""), (3, "0.0.0"), (1, "0")]:
        tell(explorer, do="scrub", index=index)
        assert (explorer.at, explorer.index) == (at, index)
    tell(explorer, do="go", at="1")
    tell(explorer, do="scrub", index=3)
    assert explorer.at == "1.0.0"


@every_game
def test_another_turn_becomes_a_variation(game: str) -> None:
    explorer = Explorer(STARTS[game])
    for turn in (FIRST[game], OTHER[game], FIRST[game]):
        explorer.play(turn)
        explorer.undo()
    assert explorer.length == 1
    explorer.redo()
    explorer.play(SECOND[game])
    assert column(explorer, "turn") == ["", FIRST[game], OTHER[game], SECOND[game]]
    assert column(explorer, "level") == [0, 0, 1, 0]
    assert column(explorer, "at") == ["", "0", "1", "0.0"]
    assert explorer.at == "0.0"
    tell(explorer, do="go", at="1")
    tell(explorer, do="first")
    explorer.lines = [FIRST[game]]
    play_line(explorer, FIRST[game])
    assert explorer.at == "0"
    assert len(explorer.tree) == 4
    check(explorer)


@every_game
def test_a_variation_is_promoted(game: str) -> None:
    explorer = explore(game)
    tell(explorer, do="promote", at="1")
    assert column(explorer, "turn") == ["", OTHER[game], FIRST[game], SECOND[game]]
    assert (explorer.at, explorer.index, explorer.length) == ("1.0", 2, 2)
    explorer.go(explorer.record.at((1,)))
    explorer.promote()
    assert column(explorer, "turn") == ["", FIRST[game], OTHER[game], SECOND[game]]
    explorer.promote()
    assert column(explorer, "turn") == ["", FIRST[game], OTHER[game], SECOND[game]]
    assert explorer.at == "0"
    assert explorer.problem == ""


@every_game
def test_what_is_deleted_can_be_brought_back(game: str) -> None:
    explorer = explore(game)
    before = explorer.game
    tell(explorer, do="delete", at="1")
    assert column(explorer, "turn") == ["", FIRST[game], SECOND[game]]
    assert explorer.at == "0.0"
    assert explorer.can_restore
    tell(explorer, do="delete", at="0")
    assert column(explorer, "turn") == [""]
    assert (explorer.at, explorer.position) == ("", STARTS[game])
    assert explorer.length == 0
    tell(explorer, do="restore")
    assert column(explorer, "turn") == ["", FIRST[game], SECOND[game]]
    assert explorer.at == "0.0"
    tell(explorer, do="restore")
    assert explorer.game == before
    assert explorer.at == "0.0"
    assert not explorer.can_restore
    tell(explorer, do="restore")
    assert explorer.game == before
    assert explorer.problem == ""
    check(explorer)


def test_the_turn_on_the_board_is_deleted_without_being_named() -> None:
    explorer = explore()
    explorer.go(explorer.record.at((1, 0, 0)))
    explorer.delete()
    assert explorer.at == "1.0"
    assert column(explorer, "at") == ["", "0", "1", "1.0", "1.1", "2", "0.0", "0.0.0"]
    assert explorer.length == 2


def test_only_so_much_can_be_brought_back() -> None:
    explorer = Explorer(SMALL)
    for count in range(KEPT + 3):
        explorer.play("b3=+@E4")
        explorer.comment(str(count))
        explorer.delete()
    brought = []
    while explorer.can_restore:
        explorer.restore()
        brought.append(explorer.node.comment)
    assert brought == [str(count) for count in range(KEPT + 2, 2, -1)]


@every_game
def test_turns_are_commented(game: str) -> None:
    explorer = explore(game)
    tell(explorer, do="comment", at="1", text="worse <b>\n& worse")
    assert explorer.record.at((1,)).comment == "worse <b>\n& worse"
    assert column(explorer, "comment") == ["", "", "worse <b>\n& worse", ""]
    explorer.comment("here")
    assert explorer.node.comment == "here"
    explorer.comment("the start", explorer.record.root)
    assert explorer.game == str(explorer.record)
    assert "; the start\n1. " in explorer.game
    tell(explorer, do="comment", at="1", text="")
    assert column(explorer, "comment") == ["the start", "", "", "here"]


def refused(explorer: Explorer, ask: Callable[[], None], error: type[AquakitError], said: str) -> None:
    """Checks that something is refused and shown and changes nothing."""
    before = state(explorer)
    with pytest.raises(error) as caught:
        ask()
    assert said in str(caught.value)
    assert explorer.problem == word_problem(caught.value)
    assert state(explorer) == before


def test_the_start_cannot_be_deleted_or_promoted() -> None:
    explorer = explore()
    refused(explorer, explorer.delete, InvalidRecord, "the start cannot be deleted")
    refused(explorer, explorer.promote, InvalidRecord, "is the first of its tree")


@pytest.mark.parametrize("bad", [None, 3, "a\x00b", ["text"]])
def test_comments_are_texts(bad: Any) -> None:
    explorer = explore()
    refused(explorer, lambda: explorer.comment(bad), InvalidRecord, "comment")


def test_nodes_of_other_records_are_refused() -> None:
    explorer, other = explore(), Record.parse(TEXT)
    gone = explorer.record.at((2,))
    explorer.delete(gone)
    for node in (other.at((1,)), other.root, gone, "0", 3):
        for ask in (explorer.go, explorer.promote, explorer.delete, lambda n: explorer.comment("mine", n)):
            refused(explorer, lambda ask=ask, node=node: ask(node), InvalidRecord, "belongs to another record")
    assert str(other) == TEXT


@pytest.mark.parametrize(
    "content",
    [
        {"do": "go"},
        {"do": "go", "at": None},
        {"do": "go", "at": "9"},
        {"do": "go", "at": "-1"},
        {"do": "go", "at": "x"},
        {"do": "go", "at": 3},
        {"do": "scrub", "index": 99},
        {"do": "scrub", "index": -99},
        {"do": "scrub", "index": "1"},
        {"do": "scrub"},
        {"do": "comment", "at": "0"},
        {"do": "comment", "at": "0", "text": 3},
        {"do": "promote", "at": ""},
        {"do": "delete", "at": ""},
        {"do": "delete", "at": "0.9"},
        {"do": "show"},
        {"do": "show", "turn": "nothing"},
        {"do": "show", "turn": None},
        {"do": "read"},
        {"do": "read", "text": "nothing"},
        {"do": "read", "text": None},
        {"do": "load"},
        {"do": "load", "path": ""},
        {"do": "load", "path": None},
        {"do": "load", "path": 3},
        {"do": "load", "path": "\x00"},
        {"do": "open"},
        {"do": "open", "text": "nothing"},
        {"do": "open", "text": None},
        {"do": "save"},
        {"do": "save", "path": ""},
        {"do": "save", "path": "  "},
        {"do": "save", "path": None},
        {"do": "save", "path": "/nowhere/at/all/game.txt"},
        {"do": "tool", "title": "Tiles", "piece": "L"},
        {"do": "set", "field": "player", "value": "2"},
        {"do": "balance"},
        {"do": "nothing"},
    ],
    ids=repr,
)
def test_junk_is_shown_and_changes_nothing(content: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer = explore()
    tell(explorer, do="go", at="1.0")
    explorer.choose(ids(explorer)[0])
    before = state(explorer)
    explorer._hear(explorer, content, [])
    assert explorer.problem
    assert state(explorer) == before
    assert list(tmp_path.iterdir()) == []
    tell(explorer, do="later")
    assert (explorer.at, explorer.problem) == ("1.0.0", "")


# Texts and files


@every_game
def test_a_known_position_is_gone_to(game: str) -> None:
    explorer = explore(game)
    tree = explorer.tree
    other = STARTS[game].play(OTHER[game])
    tell(explorer, do="read", text=f"  {other}\n")
    assert explorer.position == other
    assert explorer.at == "1"
    explorer.read(str(STARTS[game]))
    assert explorer.at == ""
    assert [row["turn"] for row in explorer.tree] == [row["turn"] for row in tree]
    assert not explorer.can_restore


@every_game
def test_an_unknown_position_begins_anew_and_the_game_can_be_brought_back(game: str) -> None:
    explorer = explore(game)
    before = explorer.game
    explorer.read(str(FOREIGN))
    assert explorer.position == FOREIGN
    assert column(explorer, "turn") == [""]
    assert explorer.can_restore
    explorer.restore()
    assert (explorer.game, explorer.at) == (before, "0.0")
    explorer.position = FOREIGN
    explorer.position = EVENTS
    explorer.restore()
    assert explorer.position == FOREIGN
    explorer.restore()
    assert (explorer.game, explorer.at) == (before, "0.0")
    check(explorer)


@every_game
def test_a_moment_inside_a_turn_can_be_read(game: str) -> None:
    moment = {"romana": "b3=+@E4", "aquadukt": "roll, die 4"}[game]
    explorer = explore(game)
    explorer.read(f"{STARTS[game]} : {moment}")
    assert str(explorer.position.played) == moment
    assert explorer.record.start == STARTS[game]
    check(explorer)


@every_game
@pytest.mark.parametrize("bad", ["", "nothing", "romana4 1 2 3", None, 3])
def test_a_bad_text_is_shown_and_nothing_lost(game: str, bad: Any) -> None:
    explorer = explore(game)
    refused(explorer, lambda: explorer.read(bad), InvalidPosition, "")
    assert explorer.misread == explorer.problem != ""
    explorer.flip = True
    assert explorer.misread != ""
    explorer.read(str(STARTS[game]))
    assert explorer.misread == ""
    refused(explorer, lambda: setattr(explorer, "position", bad), InvalidPosition, "")


@every_game
def test_records_are_saved_and_loaded(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    explorer, path = explore(game), tmp_path / "game.txt"
    tell(explorer, do="save", path="game.txt")
    assert explorer.said == "Saved to game.txt."
    assert path.read_text("utf-8") == explorer.game
    assert list(tmp_path.iterdir()) == [path]
    explorer.flip = True
    assert explorer.said == ""
    other = Explorer(FOREIGN)
    tell(other, do="load", path="game.txt")
    assert (other.game, other.at, other.index) == (explorer.game, "", 0)
    assert other.position == STARTS[game]
    assert other.can_restore
    other.restore()
    assert other.position == FOREIGN
    other.load(path)
    assert other.game == explorer.game
    assert other.problem == ""
    check(other)


def test_a_record_from_this_computer_is_opened() -> None:
    explorer = Explorer(AQUADUKT)
    tell(explorer, do="open", text=TEXT)
    assert explorer.game == TEXT
    assert explorer.headers == {"event": "Club evening"}
    tell(explorer, do="restore")
    assert explorer.position == AQUADUKT


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.txt"
    path.write_text("my notes", "utf-8")
    explorer = explore()
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    refused(explorer, lambda: explorer.save(path), InvalidRecord, "cannot be written: No space left on device")
    assert explorer.said == ""
    assert path.read_text("utf-8") == "my notes"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("path", ["", "  "])
def test_a_file_has_a_name(path: str) -> None:
    explorer = explore()
    refused(explorer, lambda: explorer.save(path), InvalidOption, "path: is empty; expected a file's name")
    refused(explorer, lambda: explorer.load(path), InvalidRecord, "cannot be read")


def test_a_file_that_is_not_there_is_shown_and_nothing_lost(tmp_path: Path) -> None:
    explorer = explore()
    refused(explorer, lambda: explorer.load(tmp_path / "no.txt"), InvalidRecord, "no.txt: cannot be read")


DAMAGED = TEXT.replace("2. d2=+@W1 xG1 *d", "2. d2=+@W9 xG1 *d")


def test_of_a_damaged_file_the_readable_part_is_opened_and_the_line_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(DAMAGED, "utf-8")
    line = DAMAGED.splitlines().index("2. d2=+@W9 xG1 *d") + 1
    explorer = explore("aquadukt")
    before = explorer.game
    with pytest.raises(InvalidRecord) as caught:
        explorer.load(path)
    assert caught.value.line == line
    assert explorer.problem == word_problem(caught.value)
    assert explorer.problem.startswith(f"game.txt, line {line}: d2=+@W9")
    assert column(explorer, "at") == ["", "0", "1", "1.0", "1.1", "1.0.0", "2"]
    assert explorer.position == SMALL
    assert path.read_text("utf-8") == DAMAGED
    check(explorer)
    explorer.restore()
    assert explorer.game == before
    tell(explorer, do="open", text=DAMAGED)
    assert explorer.problem.startswith(f"line {line}: d2=+@W9")
    assert len(explorer.tree) == 7


def test_of_a_file_without_a_start_nothing_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("aquakit record 1\n", "utf-8")
    explorer = explore()
    refused(explorer, lambda: explorer.load(path), InvalidRecord, "line 1: start: is missing")


def test_a_layout_of_ones_own_is_brought_back_too() -> None:
    p = romana.Position.start(romana.Layout.loads(OWN_LAYOUT))
    explorer = Explorer(p)
    explorer.play(next(iter(p.turns())))
    before = explorer.game
    explorer.position = SMALL
    explorer.restore()
    assert explorer.game == before
    assert explorer.position == p.play(next(iter(p.turns())))


def test_while_something_is_hidden_the_page_gets_no_record() -> None:
    explorer = Explorer(EVENTS, hide=True)
    assert explorer.game == ""
    explorer.hide = False
    assert explorer.game == str(Record(EVENTS))


# The editor


def open_editor(game: str) -> Explorer:
    """Opens the editor after two turns and a variation."""
    explorer = explore(game)
    tell(explorer, do="edit")
    return explorer


def put(explorer: Explorer, title: str, piece: str, place: str) -> None:
    tell(explorer, do="tool", title=title, piece=piece)
    tell(explorer, do="choose", id=place)
    assert explorer.problem == ""


@every_game
def test_the_editor_begins_with_the_position_on_the_board(game: str) -> None:
    explorer = explore(game)
    position = explorer.position
    tell(explorer, do="edit")
    made = draft(position)
    title, piece = made.tools()[0].title, made.tools()[0].ids[0]
    shown = explorer.draft
    assert [tools["title"] for tools in shown["tools"]] == [tools.title for tools in made.tools()]
    assert [tools["targets"] for tools in shown["tools"]] == [[*t.places, *t.beside] for t in made.tools()]
    for tools, palette in zip(made.tools(), shown["tools"], strict=True):
        kinds = list(dict.fromkeys(piece.kind for piece in tools.pieces))
        assert [piece["kind"] for piece in palette["pieces"]] == kinds
    assert [(grip["on"], grip["id"]) for grip in shown["grips"]] == [(grip.on, grip.piece) for grip in made.grips()]
    assert shown["fields"] == clicks.plain(made.fields())
    assert shown["tool"] == [title, piece]
    assert (shown["problem"], shown["lifted"]) == ("", "")
    assert shown["wrong"] == shown["wrong_fields"] == shown["pending"] == []
    assert shown["text"] == str(position)
    assert explorer.position == position
    assert explorer.offer["prompt"].startswith("Editing: put ")
    assert ids(explorer) == list(made.tools()[0].places)
    assert all(choice["look"] == made.tools()[0].look for choice in explorer.offer["choices"])


@every_game
def test_every_piece_can_be_taken_from_its_palette(game: str) -> None:
    explorer = open_editor(game)
    for tools in draft(explorer.position).tools():
        for piece in tools.pieces:
            tell(explorer, do="tool", title=tools.title, piece=piece.id)
            assert explorer.draft["tool"] == [tools.title, piece.id]
            assert explorer.offer["prompt"] == f"Editing: put {piece.label} on the board"
            assert ids(explorer) == [*tools.places, *(tools.beside if piece.id else ())]
            assert {choice["piece"] for choice in explorer.offer["choices"]} <= {piece.icon, ""}
    assert explorer.problem == ""


@every_game
def test_pieces_are_put_and_taken_over_as_a_new_game(game: str) -> None:
    explorer = open_editor(game)
    before, tree = explorer.game, explorer.tree
    put(explorer, *HARMLESS[game])
    tell(explorer, do="balance")
    edited = explorer.position
    assert edited.tiles[HARMLESS[game][2]] == HARMLESS[game][1]
    assert explorer.draft["problem"] == ""
    assert explorer.draft["text"] == str(edited)
    assert explorer.tree == tree
    tell(explorer, do="finish")
    assert explorer.draft is None
    assert explorer.position == edited
    assert explorer.record.start == edited
    assert column(explorer, "turn") == [""]
    explorer.play(next(iter(edited.turns())))
    check(explorer)
    explorer.restore()
    assert explorer.game == before


@every_game
def test_fields_are_set(game: str) -> None:
    explorer = open_editor(game)
    player = "2" if explorer.position.player == 1 else "1"
    tell(explorer, do="set", field="player", value=player)
    assert str(explorer.position.player) == player
    assert next(field["value"] for field in explorer.draft["fields"] if field["name"] == "player") == player
    tell(explorer, do="finish")
    assert str(explorer.record.start.player) == player
    check(explorer)


@every_game
def test_what_the_last_turn_put_there_can_be_taken_away(game: str) -> None:
    explorer = open_editor(game)
    gone = {"romana": [("Tiles", "d2")], "aquadukt": [("Canals", "3.2h"), ("Canals", "2.2h"), ("Springs", "2.2")]}
    for title, place in gone[game]:
        put(explorer, title, "", place)
        tell(explorer, do="balance")
        assert explorer.draft["problem"] == ""
        assert place not in {**explorer.position.tiles, **getattr(explorer.position, "canals", {})}
    assert explorer.picture == explorer.position.svg(theme="auto", panel="both")
    tell(explorer, do="cancel")
    assert explorer.at == "0.0"
    check(explorer)


INVALID = {
    "romana": (
        ROMANA,
        [("Tiles", "L", "c7"), ("Tiles", "J", "d7")],
        {"d7"},
        "board: curve from north to west on d7 joins",
    ),
    "aquadukt": (TINY, [("Canals", "double", "3.2h")], {"3.2h"}, "canals: the canal on 3.2h belongs to no arm"),
}


@every_game
def test_while_a_draft_is_no_position_the_board_shows_the_last_one_and_marks_the_rest(game: str) -> None:
    start, pieces, changed, said = INVALID[game]
    explorer = Explorer(start)
    explorer.edit()
    for title, piece, place in pieces:
        valid = explorer.position
        put(explorer, title, piece, place)
        tell(explorer, do="balance")
    assert explorer.draft["problem"].startswith(said)
    assert explorer.position == valid
    assert set(marked(ET.fromstring(explorer.picture), "highlight")) == changed
    assert explorer.draft["wrong"] == list(changed)
    assert [(piece["on"], piece["id"]) for piece in explorer.draft["pending"]] == [pieces[-1][:0:-1]]
    refused(explorer, explorer.finish, InvalidPosition, said.partition(":")[0])
    assert explorer.draft is not None
    explorer.highlights = ["a4"]
    assert set(marked(ET.fromstring(explorer.picture), "highlight")) == changed | {"a4"}
    title, _, place = pieces[-1]
    put(explorer, title, "", place)
    tell(explorer, do="balance")
    assert explorer.draft["problem"] == ""
    assert explorer.position == valid
    assert set(marked(ET.fromstring(explorer.picture), "highlight")) <= {"a4"}


@every_game
def test_leaving_the_editor_brings_back_the_position(game: str) -> None:
    explorer = explore(game)
    before = state(explorer)
    tell(explorer, do="edit")
    put(explorer, *HARMLESS[game])
    tell(explorer, do="balance")
    assert explorer.can_undo
    tell(explorer, do="cancel")
    assert state(explorer) == before
    check(explorer)


@every_game
def test_undo_takes_back_change_after_change_and_then_leaves_the_editor(game: str) -> None:
    explorer = explore(game)
    before = state(explorer)
    tell(explorer, do="edit")
    title, piece, place = HARMLESS[game]
    assert not explorer.can_redo
    texts = [explorer.draft["text"]]
    for put_there in (piece, "", piece):
        put(explorer, title, put_there, place)
        texts.append(explorer.draft["text"])
    for text in reversed(texts[:-1]):
        tell(explorer, do="undo")
        assert explorer.draft["text"] == text == str(explorer.position)
    for text in texts[1:]:
        assert explorer.can_redo
        tell(explorer, do="redo")
        assert explorer.draft["text"] == text
    assert not explorer.can_redo
    for _ in texts:
        tell(explorer, do="undo")
    assert state(explorer) == before
    check(explorer)


@every_game
def test_pieces_are_dragged_from_the_palette_from_place_to_place_and_off(game: str) -> None:
    explorer = open_editor(game)
    first = explorer.draft["text"]
    title, piece, place = HARMLESS[game]
    tell(explorer, do="drop", title=title, piece=piece, target=place)
    assert explorer.position.tiles[place] == piece
    assert explorer.draft["tool"] == [title, piece]
    free = next(p for p in draft(explorer.position).palette(title).places if p not in occupied(explorer))
    tell(explorer, do="lift", source=place)
    assert explorer.draft["lifted"] == place
    assert explorer.offer["prompt"].startswith("Editing: choose where the ")
    tell(explorer, do="back")
    assert explorer.draft["lifted"] == ""
    tell(explorer, do="lift", source=place)
    tell(explorer, do="choose", id=free)
    assert draft(explorer.position).grip(free).piece == piece
    tell(explorer, do="move", source=free, target=place)
    assert explorer.position.tiles[place] == piece
    tell(explorer, do="move", source=place, target="")
    assert explorer.problem == ""
    assert explorer.draft["text"] == first


def occupied(explorer: Explorer) -> set[str]:
    """Lists where something can be taken up."""
    return {grip["on"] for grip in explorer.draft["grips"]}


def test_a_tile_is_turned_and_the_next_one_of_its_kind_lies_like_it() -> None:
    explorer = Explorer(ROMANA)
    explorer.edit()

    def shown(kind: str) -> str:
        return next(piece["id"] for piece in explorer.draft["tools"][0]["pieces"] if piece["kind"] == kind)

    put(explorer, "Tiles", "L", "e5")
    tell(explorer, do="turn", source="e5", by=1)
    assert explorer.position.tiles["e5"] == "F" == shown("curve")
    tell(explorer, do="choose", id="f3")
    assert explorer.position.tiles["f3"] == "F"
    tell(explorer, do="turn", source="", by=-1)
    assert (explorer.draft["tool"], shown("curve")) == (["Tiles", "L"], "L")
    assert explorer.position.tiles["f3"] == "F"
    # A pile of the stock gives its tile as it lay last.
    tell(explorer, do="move", source="stock=c", target="g5")
    assert explorer.position.tiles["g5"] == "L"
    tell(explorer, do="turn", source="stock=c", by=2)
    assert "by: 2" in explorer.problem


def test_podiums_and_held_builders_are_set_by_moving_pieces() -> None:
    explorer = Explorer(ROMANA)
    explorer.edit()
    tell(explorer, do="move", source="workman=R1", target="podium=5")
    tell(explorer, do="move", source="Nc", target="player=2")
    assert explorer.draft["problem"] == ""
    assert explorer.position.held == ("", "c", "", "")
    assert next(a.podium for a in explorer.position.aqueducts if a.name == "R1") == 5
    tell(explorer, do="move", source="held=2c", target="Nc")
    tell(explorer, do="tool", title="Workmen", piece="R1")
    tell(explorer, do="choose", id="c5")
    assert explorer.position == ROMANA


def test_undo_leaves_the_editor_at_the_start_of_a_game_too() -> None:
    explorer = Explorer(SMALL)
    explorer.edit()
    assert explorer.can_undo
    explorer.undo()
    assert explorer.draft is None
    assert not explorer.can_undo


def test_editing_begins_at_the_turns_start_and_cancelling_goes_back_to_the_moment() -> None:
    explorer = Explorer(ROMANA)
    choose(explorer, "R2", "Nc", "c7=L@Nc")
    explorer.edit()
    assert explorer.position == ROMANA
    assert explorer.draft["text"] == str(ROMANA)
    explorer.edit()
    explorer.cancel()
    assert explorer.position == ROMANA
    choose(explorer, "R2", "Nc", "c7=L@Nc")
    explorer.edit()
    explorer.cancel()
    assert str(explorer.position.played) == "c7=L@Nc"
    explorer.cancel()
    assert str(explorer.position.played) == "c7=L@Nc"
    check(explorer)


@every_game
def test_where_nothing_was_changed_the_game_goes_on(game: str) -> None:
    explorer = explore(game)
    before = state(explorer)
    explorer.edit()
    put(explorer, *HARMLESS[game])
    title, _, place = HARMLESS[game]
    put(explorer, title, "", place)
    explorer.finish()
    assert state(explorer) == before
    explorer.finish()
    assert state(explorer) == before


@every_game
def test_going_elsewhere_closes_the_editor(game: str) -> None:
    for does in (
        {"do": "go", "at": "1"},
        {"do": "first"},
        {"do": "first"},
        {"do": "read", "text": str(FOREIGN)},
        {"do": "open", "text": TEXT},
        {"do": "delete", "at": "0"},
    ):
        explorer = open_editor(game)
        put(explorer, *HARMLESS[game])
        tell(explorer, **does)
        assert explorer.problem == ""
        assert explorer.draft is None
        check(explorer)


JUNK_IN_EDITOR = [
    ({"do": "tool", "title": "Tiles", "piece": "Q"}, "piece: "),
    ({"do": "tool", "title": "nothing", "piece": ""}, "palette: "),
    ({"do": "tool", "title": None, "piece": []}, "tool, title: None"),
    ({"do": "tool"}, "tool: says []; expected title, piece"),
    ({"do": "choose", "id": "z9"}, "place: "),
    ({"do": "choose", "id": None}, "choose, id: None"),
    ({"do": "choose", "id": []}, "choose, id: []"),
    ({"do": "set", "field": "nothing", "value": "1"}, "field: "),
    ({"do": "set", "field": "player", "value": "9"}, "player: "),
    ({"do": "set", "field": "player", "value": None}, "set, value: None"),
    ({"do": "set", "field": "idle", "value": 3}, "set, value: 3"),
    ({"do": "set"}, "set: says []; expected field, value"),
    ({"do": "drop", "title": "Tiles", "piece": "L", "target": "Nc"}, "place: "),
    ({"do": "drop", "title": "Canals", "piece": "single", "target": "podium=5"}, "place: "),
    ({"do": "move", "source": "workman=R1", "target": "Nc"}, "place: "),
    ({"do": "move", "source": "a1", "target": None}, "move, target: None"),
    ({"do": "lift", "source": "podium=5"}, "place: "),
    ({"do": "turn", "source": "z9", "by": 1}, "place: "),
    ({"do": "turn", "source": "", "by": 3}, "turn, by: 3"),
    ({"do": "turn", "source": "", "by": "1"}, "turn, by: '1'"),
    ({"do": "show", "turn": "nothing"}, "editor: is open"),
    ({"do": "enter", "number": "6"}, "editor: is open"),
    ({"do": "read", "text": "nothing"}, "layout: "),
    ({"do": "load", "path": ""}, "path: is empty"),
]


@pytest.mark.parametrize(
    ("game", "content", "said"), [(g, *row) for g, row in zip(cycle(STARTS), JUNK_IN_EDITOR, strict=False)]
)
def test_junk_in_the_editor_is_shown_and_changes_nothing(game: str, content: Any, said: str) -> None:
    explorer = open_editor(game)
    put(explorer, *HARMLESS[game])
    tell(explorer, do="balance")
    before = state(explorer)
    tell(explorer, **content)
    assert said in explorer.problem
    assert state(explorer) == before


def test_turns_are_not_played_on_an_edited_position() -> None:
    explorer = Explorer(AQUADUKT)
    explorer.edit()
    put(explorer, "Springs", "spring", "8.5")
    for ask in (lambda: explorer.play("canal 8.5h, stop"), lambda: explorer.enter(6)):
        refused(explorer, ask, InvalidOption, "editor: is open")
    before = state(explorer)
    explorer.back()
    assert state(explorer) == before


@pytest.mark.parametrize(
    "start", [aquakit.start("romana4", setup=True), ROMANA.solo(3), EVENTS, aquakit.start("aquadukt2-6x5")]
)
def test_positions_of_every_kind_can_be_edited(start: Any) -> None:
    explorer = Explorer(start)
    explorer.edit()
    assert explorer.draft["problem"] == ""
    explorer.cancel()
    assert explorer.position == start
    explorer.edit()
    tell(explorer, do="set", field="idle", value="1")
    assert explorer.problem == ""


@settings(max_examples=20)
@given(EVERY_START, st.data())
def test_whatever_is_edited_the_board_shows_a_position(start: Any, data: st.DataObject) -> None:
    p = play_on(start, random.Random(data.draw(st.integers(0, 99))), data.draw(st.integers(0, 60)))
    explorer = Explorer(p)
    if ids(explorer):
        explorer.choose(data.draw(st.sampled_from(ids(explorer))))
    before = explorer.position
    explorer.edit()
    for _ in range(5):
        if data.draw(st.booleans()):
            tools = data.draw(st.sampled_from(explorer.draft["tools"]))
            piece = data.draw(st.sampled_from([piece for piece in tools["pieces"] if piece["id"]]))
            put(explorer, tools["title"], piece["id"], data.draw(st.sampled_from(tools["targets"])))
        else:
            field = data.draw(st.sampled_from(explorer.draft["fields"]))
            values = [o["value"] for o in field["options"]] or [str(n) for n in range(field["most"] + 1)]
            tell(explorer, do="set", field=field["name"], value=data.draw(st.sampled_from(values)))
        if not explorer.draft["problem"]:
            assert str(explorer.position) == explorer.draft["text"]
        changes = draft(before).__class__(explorer.draft["text"], p.layout).changes(explorer.position)
        assert set(marked(ET.fromstring(explorer.picture), "highlight")) == set(changes)
    if explorer.draft["problem"]:
        explorer.cancel()
        assert explorer.position == before
    else:
        edited = explorer.position
        explorer.finish()
        assert explorer.position in (edited, before)
    assert explorer.draft is None
    check(explorer)


# Bots and the editor


class Waiting:
    """A bot that answers when it is told to."""

    def __init__(self, answer: str) -> None:
        self.answer, self.told, self.seen = answer, threading.Event(), []

    def __call__(self, position: Any) -> str:
        self.seen.append(position)
        assert self.told.wait(10)
        return self.answer


def test_a_bot_goes_on_thinking_while_comments_are_written_and_games_saved(tmp_path: Path) -> None:
    bot = Waiting("b3=+@E4")
    explorer = Explorer(SMALL, players={1: bot})
    explorer.comment("What will it do?")
    explorer.save(tmp_path / "game.txt")
    assert explorer.bot == "thinking"
    bot.told.set()
    explorer.wait(10)
    assert turns(explorer) == ["b3=+@E4 x-"]
    assert len(bot.seen) == 1


def test_no_bot_plays_in_the_editor() -> None:
    bot = Waiting("b3=+@E4")
    explorer = Explorer(SMALL, players={1: bot})
    explorer.edit()
    assert explorer.bot == ""
    assert explorer.offer["choices"]
    tell(explorer, do="set", field="stock.c", value="1")
    tell(explorer, do="resume")
    assert explorer.bot == ""
    assert explorer.draft is not None
    bot.told.set()
    hear_all()
    assert turns(explorer) == []
    explorer.finish()
    explorer.wait(10)
    assert turns(explorer) == ["b3=+@E4 x-"]
    assert explorer.record.start.stock["c"] == 1
    assert [position.stock["c"] for position in bot.seen] == [4, 1]


def test_a_bot_begins_a_new_game_but_not_one_that_has_been_played() -> None:
    bot = Waiting("b3=+@E4")
    bot.told.set()
    explorer = Explorer(Record.parse(TEXT), players={1: bot})
    assert explorer.bot == "stopped"
    assert bot.seen == []
    explorer = Explorer(Record(SMALL), players={1: bot})
    explorer.wait(10)
    assert turns(explorer) == ["b3=+@E4 x-"]


def test_a_bot_waits_after_cancelling_and_for_a_record_that_is_opened() -> None:
    bot = Waiting("b3=+@E4")
    explorer = Explorer(SMALL, players={1: bot})
    explorer.edit()
    explorer.cancel()
    assert explorer.bot == "stopped"
    explorer.load(Record.parse(TEXT))
    assert explorer.bot == "stopped"
    explorer.go(explorer.record.at((0,)))
    assert explorer.bot == ""
    bot.told.set()
    hear_all()


# Lines


@every_game
def test_lines_are_turns_texts_or_mappings(game: str) -> None:
    explorer = Explorer(STARTS[game])
    turn = STARTS[game].turn_type.parse(FIRST[game])
    explorer.lines = [turn, OTHER[game], {"turn": FIRST[game], "note": "+3"}, {"turn": list(turn)}]
    assert explorer.lines == [
        {"turn": FIRST[game], "note": "", "then": []},
        {"turn": OTHER[game], "note": "", "then": []},
        {"turn": FIRST[game], "note": "+3", "then": []},
        {"turn": FIRST[game], "note": "", "then": []},
    ]
    explorer.lines = (turn for turn in [FIRST[game]])
    assert len(explorer.lines) == 1


def test_what_a_line_leaves_out_is_added() -> None:
    explorer = Explorer(ROMANA, lines=["c7=L@Nc"])
    assert explorer.lines == [{"turn": "c7=L@Nc x-", "note": "", "then": []}]


@every_game
def test_lines_are_traced_on_the_board(game: str) -> None:
    start, line = STARTS[game].play(FIRST[game]), SECOND[game]
    explorer = Explorer(start, highlights={"a4": "mine"})
    explorer.lines = [line, line]
    trace = start.room("board.facts").trace(start, line)
    assert trace.arrows
    picture = ET.fromstring(explorer.picture)
    assert len(classed(picture, "arrow")) == len(trace.arrows)
    assert set(marked(picture, "highlight")) == {"a4", *trace.marks}
    explorer.show_lines = False
    picture = ET.fromstring(explorer.picture)
    assert not classed(picture, "arrow")
    assert set(marked(picture, "highlight")) == {"a4"}
    explorer.show_lines = True
    explorer.play(line)
    assert explorer.lines == []
    assert not classed(ET.fromstring(explorer.picture), "arrow")


@every_game
def test_one_line_can_be_drawn_alone(game: str) -> None:
    explorer = Explorer(STARTS[game], lines=[FIRST[game], OTHER[game]])
    every = explorer.picture
    explorer.line_shown = OTHER[game]
    alone = explorer.picture
    assert alone != every
    explorer.show_lines = False
    assert explorer.picture == alone
    explorer.line_shown = ""
    assert explorer.picture == Explorer(STARTS[game]).picture
    explorer.show_lines = True
    assert explorer.picture == every
    explorer.line_shown = "no line of these"
    assert (explorer.line_shown, explorer.picture) == ("", every)
    refused(explorer, lambda: setattr(explorer, "line_shown", 3), InvalidOption, "line_shown: ")


@every_game
def test_lines_go_when_the_position_changes(game: str) -> None:
    for change in (
        lambda explorer: explorer.play(OTHER[game]),
        lambda explorer: explorer.redo(),
        lambda explorer: setattr(explorer, "position", FOREIGN),
        lambda explorer: explorer.read(str(FOREIGN)),
        lambda explorer: explorer.load(Record(FOREIGN)),
    ):
        explorer = Explorer(STARTS[game])
        explorer.play(FIRST[game])
        explorer.undo()
        explorer.lines = [FIRST[game]]
        change(explorer)
        assert explorer.lines == []


def test_lines_stay_while_one_picks_and_looks() -> None:
    explorer = Explorer(ROMANA, lines=["c7=L@Nc"])
    explorer.choose("R2")
    explorer.flip = True
    explorer.comment("a line")
    assert len(explorer.lines) == 1
    explorer.choose("Nc")
    explorer.choose("c7=L@Nc")
    assert explorer.lines == []


@every_game
def test_inside_a_turn_lines_are_its_rest(game: str) -> None:
    moment, rest = {"romana": ("b3=+@E4", "xR1 *j"), "aquadukt": ("roll, die 4", "3 b2, stop")}[game]
    explorer = Explorer(f"{STARTS[game]} : {moment}")
    explorer.lines = [rest]
    assert explorer.lines == [{"turn": rest, "note": "", "then": []}]
    assert marked(ET.fromstring(explorer.picture), "highlight")
    play_line(explorer, explorer.lines[0]["turn"])
    assert explorer.problem == ""
    assert str(explorer.node.turn) == f"{moment}{explorer.position.turn_type.mark}{rest}"


@every_game
def test_an_observer_can_give_lines(game: str) -> None:
    explorer = Explorer(STARTS[game])

    def analyse(change: dict[str, Any]) -> None:
        explorer.lines = [{"turn": turn, "note": "!"} for turn in list(change["new"].turns())[:2]]

    explorer.observe(analyse, "position")
    explorer.play(FIRST[game])
    assert [line["note"] for line in explorer.lines] == ["!", "!"]
    while not explorer.position.played:
        explorer.choose(ids(explorer)[-1])
    assert explorer.problem == ""
    assert explorer.lines[0]["turn"] == str(next(iter(explorer.position.turns())))


@every_game
@pytest.mark.parametrize(
    ("bad", "error"),
    [
        (["nothing"], InvalidTurn),
        ([""], IllegalTurn),
        (["x-"], None),
        ([3], InvalidTurn),
        ([None], InvalidTurn),
        ([{}], InvalidOption),
        ([{"note": "+3"}], InvalidOption),
        ([{"turn": None}], InvalidTurn),
        ([{"turn": "first", "note": 3}], InvalidOption),
        ("first", InvalidOption),
        ({"turn": "first"}, InvalidOption),
        (None, InvalidOption),
        (3, InvalidOption),
    ],
)
def test_bad_lines_are_refused_and_shown(game: str, bad: Any, error: type[AquakitError] | None) -> None:
    explorer = explore(game)
    tell(explorer, do="first")
    explorer.lines = [FIRST[game]]
    refused(explorer, lambda: setattr(explorer, "lines", bad), error or AquakitError, "")


@pytest.mark.parametrize("bad", ["yes", 1, None])
def test_lines_are_shown_or_not(bad: Any) -> None:
    explorer = Explorer(SMALL)
    refused(explorer, lambda: setattr(explorer, "show_lines", bad), InvalidOption, "show_lines: ")


@pytest.mark.parametrize("mark", ["c5", ["c5"], {"c5": "!"}, ("c5",)])
def test_an_explorer_takes_all_highlights_that_a_board_takes(mark: Any) -> None:
    explorer = Explorer(ROMANA, highlights=mark)
    explorer.arrows = [["Nc", "c7"]]
    assert set(marked(ET.fromstring(explorer.picture), "highlight")) == {"c5"}
    assert len(classed(ET.fromstring(explorer.picture), "arrow")) == 1


# Always


MESSAGES = [
    "go", "first", "earlier", "later", "last", "replay", "scrub", "comment", "promote", "delete", "restore", "show",
    "read", "open", "edit", "tool", "drop", "move", "lift", "turn", "set", "balance", "finish", "cancel", "choose",
    "enter", "back", "undo", "redo", "resume", "load",
]  # fmt: skip
JUNK = st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4) | st.lists(st.text(max_size=2), max_size=2)


@settings(max_examples=25)
@given(EVERY_START, st.data())
def test_whatever_the_browser_says_the_explorer_stays_whole(start: Any, data: st.DataObject) -> None:
    p = play_on(start, random.Random(data.draw(st.integers(0, 99))), data.draw(st.integers(0, 40)))
    explorer = Explorer(p, seed=1)
    for _ in range(8):
        rows = st.sampled_from([row["at"] for row in explorer.tree])
        tools = explorer.draft["tools"] if explorer.draft else [{"title": "Tiles", "pieces": [{"id": "L"}]}]
        tool = data.draw(st.sampled_from(tools))
        content = {
            "do": data.draw(st.sampled_from(MESSAGES)),
            "id": data.draw(st.sampled_from(ids(explorer) or ["none"]) | JUNK),
            "at": data.draw(rows | JUNK),
            "index": data.draw(st.integers(0, explorer.length) | JUNK),
            "text": data.draw(st.sampled_from([str(SMALL), TEXT, DAMAGED, str(explorer.record.start)]) | JUNK),
            "turn": data.draw(st.sampled_from(["x-", "roll", "pass"]) | JUNK),
            "title": data.draw(st.just(tool["title"]) | JUNK),
            "piece": data.draw(st.sampled_from([piece["id"] for piece in tool["pieces"]]) | JUNK),
            "source": data.draw(st.sampled_from(sorted(occupied(explorer)) if explorer.draft else [""]) | JUNK),
            "target": data.draw(st.sampled_from(tool.get("targets") or [""]) | JUNK),
            "by": data.draw(st.integers(-1, 1) | JUNK),
            "field": data.draw(st.sampled_from(["player", "idle", "stock.c", "hand.1.1"]) | JUNK),
            "value": data.draw(st.sampled_from(["0", "1", "2", "-"]) | JUNK),
            "number": data.draw(st.integers(1, 20) | JUNK),
            "decision": data.draw(st.just(explorer.decision) | JUNK),
            "path": data.draw(st.sampled_from(["", "\x00"]) | st.none()),
        }
        before = state(explorer)
        fields = explorer._hears[content["do"]].fields  # a message with others is not even read
        explorer._hear(explorer, {name: content[name] for name in ("do", *fields)}, [])
        opened = content["do"] == "open"
        assert opened or not explorer.problem or state(explorer) == before
        if explorer.draft is None:
            check(explorer)
        assert explorer.index == explorer.node.number
        assert explorer.at in column(explorer, "at")
        explorer.flip = not explorer.flip
        assert explorer.problem == ""


# Analysis


@every_game
def test_an_analysis_fills_the_lines_and_follows_the_board(game: str) -> None:
    explorer = Explorer(STARTS[game], line_count=2)
    tell(explorer, do="analyse")
    assert explorer.analysing
    wait_for(lambda: len(explorer.lines) == 2 and explorer.evaluation)
    assert sum(explorer.evaluation["win"]) == pytest.approx(1, abs=1e-3)
    assert explorer.graph[0] is not None
    play_line(explorer, explorer.lines[0]["turn"])
    assert explorer.position != STARTS[game]
    wait_for(lambda: explorer.lines and explorer.evaluation)
    for line in explorer.lines:
        complete(explorer.position, line["turn"])
    tell(explorer, do="rest")
    assert not explorer.analysing
    kept = explorer.lines
    time.sleep(0.4)
    assert explorer.lines == kept
    assert not explorer.problem


def test_what_was_analysed_stays_known_when_one_comes_back() -> None:
    explorer = Explorer(STARTS["romana"])
    explorer.analyse()
    wait_for(lambda: explorer.lines)
    explorer.play(FIRST["romana"])
    wait_for(lambda: explorer.lines)
    explorer.rest()
    explorer.undo()
    assert explorer.evaluation is not None
    assert [lead is not None for lead in explorer.graph] == [True, True]


def test_the_number_of_lines_can_be_changed_meanwhile() -> None:
    explorer = Explorer(STARTS["romana"], line_count=1)
    explorer.analyse()
    wait_for(lambda: len(explorer.lines) == 1)
    explorer.line_count = 4
    wait_for(lambda: len(explorer.lines) == 4)
    explorer.rest()
    with pytest.raises(InvalidOption, match="line_count"):
        explorer.line_count = 0
    assert explorer.line_count == 4


def test_there_is_nothing_to_analyse_in_a_finished_game() -> None:
    explorer = Explorer(STARTS["romana"].stopped(1))
    explorer.analyse()
    assert not explorer.analysing
    assert explorer.evaluation is None
