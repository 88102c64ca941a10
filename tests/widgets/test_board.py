"""The board without a browser: what it offers, shows, takes back, refuses and says, and how bots play on it."""

from __future__ import annotations

import json
import random
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from clicking import SET, check, choose, ids, state, tell, turns, way_to
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import EVERY_START, play_on
from svg_checks import SVG, classed, marked

import aquakit
from aquakit import Board, Record, romana
from aquakit.aquadukt.board.scene import EVENT_NOTES
from aquakit.board import clicks
from aquakit.core.games import layout_names
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidPosition, InvalidTurn
from aquakit.widgets.page import word_problem

ROMANA = aquakit.start("romana4")
SMALL = aquakit.start("romana2-5x4")
AQUADUKT = aquakit.start("aquadukt2", seed=1)
EVENTS = aquakit.start("aquadukt2", seed=1, events=True)
FULL_REGION = aquakit.start("aquadukt2", mountains=("b1", "a2", "b2", "a3", "b3", "a4", "a5", "b5"))
"""Mountains on every square of region 8, and on three others."""
WET = AQUADUKT.play("spring 3.5").play("canal 3.5h, canal 4.5h")
"""One spring with an arm of two canals; the first player is to move."""
STARTS = {"romana": SMALL, "aquadukt": aquakit.start("aquadukt2-6x5", seed=1)}
THEIR_PICK = aquakit.parse(
    "romana2-5x4 F##.7/.+.+./.L.+./L.##J ..cs./.bd./.c.s./..db dj -,- *.*,*.* 3.4.0.3 1 0 : d4=-@W4 e2=- x-"
)
"""In the first player's turn the second one is to pick."""
ADVANCE = aquakit.parse("romana2-5x4 F##Z7/.|.../7L.N./LN##J s.s.d/.cb./dc..b/j... - -,d *.1,0.0 2.3.3.0 1 1")
OVER = aquakit.parse(
    "romana2-5x4 F##.7/...../...../L.##J .c.s./b.d./.c.s./b.d. dj -,- 1.2,0.0 4.4.3.3 - 0",
)
PASS = aquakit.parse(
    "aquadukt2 _^^^^^^^^.._/............/............/............/............/............/............/_.........._"
    " 0.0.0.0,0.0.0.0 1.1,6.1,11.1,3.6,9.6 1.1:NN;6.1:NNN;6.1:WW;11.1:NNNNNN;3.6:NN;3.6:SS;9.6:N 0 2 0 -"
)
OWN_LAYOUT = """
name = "full"
title = "A builder on every path square"
columns = 3
rows = 3
players = ["R"]
reserve = ""
podiums = [1, 1, 1]
stock = {c = 4, s = 4, b = 0, d = 3}
builders = {c = 3, s = 3, b = 3, d = 3, j = 0}
reservoirs = [{colour = "R", squares = ["a3", "b3"], outlets = ["b3S"]}]
"""

every_game = pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)


# Showing


@pytest.mark.parametrize("layout", layout_names())
def test_a_board_shows_a_position_and_what_can_be_chosen(layout: str) -> None:
    p = aquakit.start(layout)
    board = Board(p)
    assert board.position == p
    assert board.picture == p.svg(theme="auto", panel="both")
    assert board.places == {name: list(box) for name, box in p.room("board.picture").measure(p.layout).items()}
    assert board.offer == clicks.plain(clicks.offer(p))
    assert board.facts == clicks.plain(p.room("board.facts").facts(p))
    assert (board.picked, board.walk, board.problem, board.bot) == ([], None, "", "")
    assert (board.can_undo, board.can_redo) == (False, False)
    assert str(board.record) == str(Record(p))
    check(board)


@every_game
def test_a_board_is_made_of_a_position_or_of_its_text(start: Any) -> None:
    assert Board(str(start)).position == start
    assert start.board(flip=True).flip
    assert repr(Board(start)) == f"Board({str(start)!r})"


@every_game
def test_where_there_is_no_kernel_a_board_is_a_picture_or_a_text(start: Any) -> None:
    board = Board(start, size=300)
    data, _ = board._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == board.model_id
    assert data["image/svg+xml"] == start.svg(theme="light", size=300)
    assert data["text/plain"] == start.diagram()
    board.theme = "dark"
    data, _ = board._repr_mimebundle_()
    assert data["image/svg+xml"] == start.svg(theme="dark", size=300)


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
@pytest.mark.parametrize("name", ["flip", "coordinates", "panel"])
def test_the_look_can_be_changed_and_places_with_it(layout: str, name: str) -> None:
    start = aquakit.start(layout)
    board = Board(start)
    value = not getattr(board, name)
    step, places = board.step, board.places
    setattr(board, name, value)
    assert board.step > step
    assert board.picture == start.svg(**{"theme": "auto", "panel": "both", name: value})
    assert board.places == {place: list(box) for place, box in Board(start, **{name: value}).places.items()}
    assert board.places != places
    setattr(board, name, not value)
    assert board.places == places


def test_the_size_is_the_pictures_width() -> None:
    board = Board(ROMANA)
    board.size = 320
    assert ET.fromstring(board.picture).attrib["width"] == "320"
    assert ET.fromstring(board.svg(size=200)).attrib["width"] == "200"
    board.size = None
    assert board.picture == ROMANA.svg(theme="auto", panel="both")


def test_the_last_turn_is_outlined_and_so_are_the_first_actions_of_a_turn() -> None:
    board = Board(ROMANA)
    board.choose("R2")
    choose(board, "Nc", "c7=L@Nc")
    assert board.picture == board.position.svg(theme="auto", panel="both", last="c7=L@Nc", before=ROMANA)
    board.choose("x-")
    assert board.picture == board.position.svg(theme="auto", panel="both", last="c7=L@Nc x-", before=ROMANA)
    assert board.picture != board.position.svg(theme="auto", panel="both")


def test_a_builder_walks_once() -> None:
    board = Board(ROMANA)
    choose(board, "R2", "Nc")
    assert board.walk is None
    board.choose("c7=L@Nc")
    assert board.walk == {"piece": "builder=Ne", "places": ["Nc", "Nd", "Ne"]}
    for change in (lambda: setattr(board, "flip", True), lambda: setattr(board, "highlights", ["a1"]), board.undo):
        change()
        assert board.walk is None


@pytest.mark.parametrize(("name", "bad"), [("highlights", ["z9"]), ("position", "nothing"), ("size", -1)])
def test_no_builder_walks_again_because_something_was_refused(name: str, bad: Any) -> None:
    board = Board(ROMANA)
    choose(board, "R2", "Nc", "c7=L@Nc")
    with pytest.raises(AquakitError):
        setattr(board, name, bad)
    assert board.walk is None


# Playing


def test_a_turn_of_aqua_romana_is_chosen_by_workman_builder_and_tile() -> None:
    board = Board(ROMANA)
    assert ids(board) == ["R1", "R2", "R3"]
    board.choose("R2")
    assert (board.picked, board.position) == (["R2"], ROMANA)
    assert board.offer["rays"]
    board.choose("Nc")
    assert board.picked == ["R2", "Nc"]
    board.choose("c7=L@Nc")
    assert board.picked == []
    assert str(board.position) == f"{ROMANA} : c7=L@Nc"
    assert ids(board) == ["x-", "xR2"]
    board.choose("xR2")
    assert board.offer["prompt"] == "Red: take a builder from the reserve"
    board.choose("*b")
    assert board.position == ROMANA.play("c7=L@Nc xR2 *b")
    assert board.position.player == 2
    assert turns(board) == ["c7=L@Nc xR2 *b"]
    check(board)


def test_a_turn_of_aquadukt_is_a_spring() -> None:
    board = Board(AQUADUKT)
    board.choose("spring")
    assert board.picked == ["spring"]
    board.choose("spring 3.5")
    assert board.position == AQUADUKT.play("spring 3.5")
    check(board)


def test_a_turn_of_aquadukt_is_one_canal_or_two() -> None:
    board = Board(WET)
    board.choose("canal 5.5h")
    assert board.position.phase == "canal"
    board.choose("canal 6.5h")
    assert board.position == WET.play("canal 5.5h, canal 6.5h")
    choose(board, "canal 7.5h", "stop")
    assert turns(board) == ["canal 5.5h, canal 6.5h", "canal 7.5h, stop"]
    check(board)


def test_a_turn_of_aquadukt_is_rolled_and_built_until_one_stops() -> None:
    board = Board(AQUADUKT, seed=3)
    board.choose("roll")
    assert str(board.position.played) == "roll, die 8"
    choose(board, "b2", "3 b2")
    assert board.position.phase == "again"
    board.choose("stop")
    assert turns(board) == ["roll, die 8, 3 b2, stop"]
    board.choose("roll")
    board.choose("decline")
    assert board.position.player == 1
    check(board)


def test_who_can_do_nothing_passes() -> None:
    board = Board(PASS)
    assert ids(board) == ["pass"]
    board.choose("pass")
    assert turns(board) == ["pass"]


@every_game
def test_a_whole_turn_can_be_played_at_once(start: Any) -> None:
    turn = str(next(iter(start.turns())))
    board = Board(start)
    board.play(turn)
    assert board.position == start.play(turn)
    board.play(next(iter(board.position.turns())))
    assert len(turns(board)) == 2
    check(board)


def test_the_rest_of_a_turn_can_be_played_and_what_is_understood_left_out() -> None:
    board = Board(ROMANA)
    choose(board, "R2", "Nc", "c7=L@Nc")
    board.play("xR2 *b")
    board.play("h7=+@Nh")
    assert turns(board) == ["c7=L@Nc xR2 *b", "h7=+@Nh x-"]


@pytest.mark.parametrize(
    ("bad", "error"), [("c7=L@Na", IllegalTurn), ("?", InvalidTurn), ("", IllegalTurn), (3, InvalidTurn), ("xR2", None)]
)
def test_turns_that_cannot_be_played_are_refused_and_shown(bad: Any, error: type[AquakitError] | None) -> None:
    board = Board(ROMANA)
    choose(board, "R2", "Nc")
    before = state(board)
    with pytest.raises(error or IllegalTurn) as caught:
        board.play(bad)
    assert board.problem == word_problem(caught.value)
    assert state(board) == before
    board.choose("c7=L@Nc")
    assert board.problem == ""


@every_game
@pytest.mark.parametrize("bad", ["", "nothing", "x-", "die 3", None, 3, [], ["R2"], {"id": "R2"}, "R2 Nc"])
def test_what_is_not_offered_cannot_be_chosen(start: Any, bad: Any) -> None:
    board = Board(start)
    before = state(board)
    with pytest.raises(InvalidTurn, match="is not offered now"):
        board.choose(bad)
    assert "is not offered now" in board.problem
    assert state(board) == before


def reach(layout: str, phase: str) -> Any:
    """Finds a position of a phase by random play."""
    for seed in range(200):
        p, draw = aquakit.start(layout, **({"setup": True} if phase == "setup" else {})), random.Random(seed)
        while not p.is_over:
            if p.phase == phase:
                return p
            p = p.act(draw.choice(p.actions()))
    raise AssertionError(f"no {phase} on {layout}")


ROMANA_PHASES = ["setup", "place", "build", "advance", "extra", "close", "pick"]
AQUADUKT_PHASES = ["turn", "die", "house", "again", "canal"]


@pytest.mark.parametrize(
    ("layout", "phase"),
    [("romana2-5x4", phase) for phase in ROMANA_PHASES] + [("aquadukt2-6x5", phase) for phase in AQUADUKT_PHASES],
)
def test_in_every_phase_clicks_carry_out_what_is_legal(layout: str, phase: str) -> None:
    p = reach(layout, phase)
    for action in random.Random(5).sample(p.actions(), min(4, len(p.actions()))):
        board = Board(p, seed=4)
        if p.is_chance:
            board.enter(action.region)
        else:
            choose(board, *way_to(p, str(action)))
        after = p.act(action)
        if after.is_chance:
            assert str(board.position).startswith(f"{after}, die ")
        else:
            assert board.position == after
        check(board)


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_a_whole_game_is_clicked(layout: str) -> None:
    p, draw = aquakit.start(layout), random.Random(2)
    board = Board(p)
    while not p.is_over:
        action = draw.choice(p.actions())
        p = p.act(action)
        if action.what == "die":
            board.enter(action.region)
        elif action.what != "roll":
            choose(board, *way_to(board.position, str(action)))
            assert board.position == p
    assert board.record.result == " ".join(map(str, p.scores()))
    assert board.offer["choices"] == []
    check(board)


@pytest.mark.parametrize("p", [OVER, aquakit.start("romana4").solo(2), THEIR_PICK, aquakit.parse(f"{AQUADUKT} : roll")])
def test_a_board_begins_anywhere(p: Any) -> None:
    board = Board(p)
    assert board.position == p
    assert board.record.start == p.rewind()
    check(board)


def test_a_finished_game_offers_nothing_and_can_be_left_only_by_another_position() -> None:
    board = Board(OVER)
    assert board.offer["prompt"].startswith("The game is over")
    before = state(board)
    for change in (board.back, board.undo, board.redo, board.stop, board.resume):
        change()
        assert state(board) == before
    with pytest.raises(IllegalTurn, match="the game is over"):
        board.play("b3=+@E4")
    with pytest.raises(InvalidTurn):
        board.choose("R1")
    board.position = SMALL
    assert ids(board)


def test_a_study_position_is_played_alone() -> None:
    board = Board(ROMANA.solo(2))
    for _ in range(3):
        board.play(next(iter(board.position.turns())))
        assert board.position.player == 2
        check(board)


def test_a_setup_is_clicked_builder_by_builder() -> None:
    board = Board(aquakit.start("romana2-5x4", setup=True))
    while board.position.phase == "setup":
        board.choose(ids(board)[0])
        check(board)
    assert board.position.phase == "build"
    assert len(turns(board)) == 8
    board.undo()
    assert board.position.phase == "setup"


def test_a_board_that_begins_inside_a_turn_can_go_back_to_the_turns_start() -> None:
    board = Board(THEIR_PICK)
    assert board.can_undo
    assert board.offer["prompt"].startswith("Green")
    board.back()
    assert str(board.position.played) == "d4=-@W4 e2=-"
    board.undo()
    assert board.position == THEIR_PICK.rewind()
    assert not board.can_undo
    board.play("d4=-@W4 e2=- x- *d")
    assert turns(board) == ["d4=-@W4 e2=- x- *d"]
    check(board)


def test_while_the_die_is_in_the_air_it_is_thrown_or_entered() -> None:
    moment = AQUADUKT.act("roll")
    board = Board(moment, seed=1)
    assert ids(board) == ["throw"]
    board.choose("throw")
    assert board.position.phase == "house"
    board.back()
    assert board.position == AQUADUKT
    board.position = moment
    board.enter(6)
    assert board.position.die == 6
    check(board)


def test_the_board_of_a_layout_of_ones_own() -> None:
    p = romana.Position.start(romana.Layout.loads(OWN_LAYOUT))
    board = Board(p)
    while board.offer["choices"]:
        board.choose(ids(board)[0])
        check(board)
    assert board.position.is_over


# The die


def test_a_seed_makes_the_dice_repeatable() -> None:
    def throws(seed: int | None) -> list[str]:
        board = Board(AQUADUKT, seed=seed)
        for _ in range(6):
            choose(board, "roll", "decline")
        return turns(board)

    assert throws(7) == throws(7) != throws(8)
    assert len(throws(None)) == 6


@pytest.mark.parametrize("bad", [-1, 1.5, "1", True, 2**65])
def test_bad_seeds_are_refused(bad: Any) -> None:
    with pytest.raises(InvalidOption, match=r"^seed: "):
        Board(AQUADUKT, seed=bad)


@pytest.mark.parametrize("number", [6, "6", " 6 "])
def test_a_real_die_is_entered(number: Any) -> None:
    board = Board(AQUADUKT)
    board.enter(number)
    assert str(board.position.played) == "roll, die 6"
    choose(board, "c4", "3 c4")
    board.enter(6)
    assert str(board.position.played) == "roll, die 6, 3 c4, roll, die 6"
    check(board)


@pytest.mark.parametrize("bad", [0, 21, -1, "", "six", "6.0", 6.0, True, None, [6], "9" * 5000])
def test_a_die_shows_the_number_of_a_region(bad: Any) -> None:
    board = Board(AQUADUKT)
    before = state(board)
    with pytest.raises(InvalidOption, match=r"^number: .*a whole number from 1 to 20"):
        board.enter(bad)
    assert board.problem.startswith("number: ")
    assert len(board.problem) < 200
    assert state(board) == before


def test_a_throw_for_a_full_region_does_not_count() -> None:
    board = Board(FULL_REGION)
    before = state(board)
    with pytest.raises(IllegalTurn, match="region 8 has no free square"):
        board.enter(8)
    assert "region 8 has no free square" in board.problem
    assert state(board) == before
    board.enter(9)
    assert board.position.die == 9


def test_where_no_number_is_asked_for_none_can_be_entered() -> None:
    board = Board(ROMANA)
    before = state(board)
    with pytest.raises(InvalidOption, match="none is asked for now"):
        board.enter(3)
    assert "none is asked for now" in board.problem
    assert state(board) == before


# The position from Python


@every_game
@pytest.mark.parametrize("form", [str, lambda p: p])
def test_the_position_can_be_set_and_begins_a_new_game(start: Any, form: Callable[[Any], Any]) -> None:
    other = ROMANA.play("c7=L@Nc")
    board = Board(start)
    board.play(next(iter(start.turns())))
    board.choose(ids(board)[0])
    board.position = form(other)
    assert board.position == other
    assert board.record.start == other
    assert turns(board) == []
    assert board.picked == []
    assert (board.can_undo, board.can_redo) == (False, False)
    assert board.offer == clicks.plain(clicks.offer(other))
    assert board.picture == other.svg(theme="auto", panel="both")
    check(board)


def test_positions_are_observed_as_they_come() -> None:
    board, seen = Board(ROMANA), []
    board.observe(lambda change: seen.append(change["new"]), "position")
    choose(board, "R2", "Nc")
    assert seen == []
    choose(board, "c7=L@Nc", "x-")
    board.undo()
    board.redo()
    board.position = SMALL
    end = ROMANA.play("c7=L@Nc")
    assert seen == [ROMANA.act("c7=L@Nc"), end, ROMANA, end, SMALL]


def test_who_observes_a_position_sees_the_whole_board_there() -> None:
    board, seen = Board(AQUADUKT, seed=1), []
    board.observe(lambda change: seen.append(state(board)), "position")
    board.choose("roll")
    assert seen == [state(board)]


def test_an_observer_can_play_on() -> None:
    board = Board(ROMANA)

    def answer(change: dict[str, Any]) -> None:
        if change["new"].player == 2 and not change["new"].played:
            board.play(next(iter(change["new"].turns())))

    board.observe(answer, "position")
    board.play("c7=L@Nc")
    assert board.position.player == 3
    assert len(turns(board)) == 2
    check(board)


OF_THE_GAME = ("position", "highlights", "arrows", "picked")
"""What each game reads in its own way."""
BAD_VALUES = [
    ("position", "nothing", InvalidPosition),
    ("position", "", InvalidPosition),
    ("position", None, InvalidPosition),
    ("position", 3, InvalidPosition),
    ("position", Record(ROMANA), InvalidPosition),
    ("highlights", ["z9"], InvalidOption),
    ("highlights", {"c3": 3}, InvalidOption),
    ("highlights", "", InvalidOption),
    ("highlights", None, InvalidOption),
    ("highlights", 0, InvalidOption),
    ("arrows", [("c3", "z9")], InvalidOption),
    ("arrows", [("c3", "c3")], InvalidOption),
    ("arrows", "c7", InvalidOption),
    ("arrows", None, InvalidOption),
    ("arrows", False, InvalidOption),
    ("size", -1, InvalidOption),
    ("size", 10**9, InvalidOption),
    ("size", "300", InvalidOption),
    ("size", 300.5, InvalidOption),
    ("theme", "pink", InvalidOption),
    ("theme", None, InvalidOption),
    ("flip", "yes", InvalidOption),
    ("flip", 1, InvalidOption),
    ("coordinates", None, InvalidOption),
    ("panel", [], InvalidOption),
    ("hide", "no", InvalidOption),
    ("pace", "slow", InvalidOption),
    ("pace", -1, InvalidOption),
    ("pace", True, InvalidOption),
    ("pace", float("nan"), InvalidOption),
    ("animate", 3, InvalidOption),
    ("picked", ["nothing"], IllegalTurn),
    ("picked", "R2", InvalidOption),
    ("picked", None, InvalidOption),
    ("picked", [3], InvalidOption),
]


@pytest.mark.parametrize(
    ("start", "name", "bad", "error"),
    [(start, *row) for row in BAD_VALUES for start in STARTS.values() if start is SMALL or row[0] in OF_THE_GAME],
)
def test_bad_values_are_refused_and_shown_and_change_nothing(
    start: Any, name: str, bad: Any, error: type[AquakitError]
) -> None:
    board = Board(start)
    board.play(next(iter(start.turns())))
    board.choose(next(choice["id"] for choice in board.offer["choices"] if not choice["act"]))
    board.highlights = ["c3"]
    before, seen = state(board), []
    board.observe(lambda change: seen.append(change["name"]), [*SET, "picture", "offer", "facts"])
    with pytest.raises(error) as caught:
        setattr(board, name, bad)
    assert board.problem == word_problem(caught.value)
    assert state(board) == before
    assert seen == []
    board.flip = True
    assert board.problem == ""
    check(board)


@pytest.mark.parametrize(("name", "bad", "error"), [row for row in BAD_VALUES if row[0] not in ("position", "picked")])
def test_bad_options_are_refused(name: str, bad: Any, error: type[AquakitError]) -> None:
    with pytest.raises(error, match=f"^{name}: "):
        Board(SMALL, **{name: bad})


@pytest.mark.parametrize("name", ["colour", "picked", "picture", "step", "layout", "lines", "bot"])
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match=rf"^{name}: is no option of this board; expected one of animate, arrows, "):
        Board(ROMANA, **{name: 1})


@pytest.mark.parametrize("bad", ["nothing", "", None, 3])
def test_there_is_no_board_without_a_position(bad: Any) -> None:
    with pytest.raises(InvalidPosition):
        Board(bad)


def test_what_can_be_picked_can_be_set() -> None:
    board = Board(ROMANA)
    board.picked = ["R2"]
    assert board.offer == clicks.plain(clicks.offer(ROMANA, ["R2"]))
    board.picked = ("R2", "Nc")
    board.choose("c7=L@Nc")
    assert board.position.phase == "close"
    with pytest.raises(IllegalTurn):
        board.picked = ["R2"]


# Marks


@pytest.mark.parametrize("marks", [["c7", "Nc"], ("c7", "Nc"), {"c7": "", "Nc": "!"}, {"c7", "Nc"}])
def test_highlights_are_drawn_until_the_position_changes(marks: Any) -> None:
    board = Board(ROMANA)
    board.highlights, board.arrows = marks, [("Nc", "c7")]
    choose(board, "R2", "Nc")
    picture = ET.fromstring(board.picture)
    assert set(marked(picture, "highlight")) == {"c7", "Nc"}
    assert len(classed(picture, "arrow")) == 1
    board.choose("c7=L@Nc")
    assert not board.highlights
    assert not board.arrows
    picture = ET.fromstring(board.picture)
    assert not marked(picture, "highlight")
    assert not classed(picture, "arrow")


def test_a_single_place_can_be_marked() -> None:
    board = Board(AQUADUKT)
    for place in ("c5", "3.5", "3.5h"):
        board.highlights = place
        assert set(marked(ET.fromstring(board.picture), "highlight")) == {place}


def test_marks_that_can_be_read_once_are_kept() -> None:
    board = Board(ROMANA)
    board.highlights = (place for place in ["c7", "Nc"])
    board.arrows = (pair for pair in [["Nc", "c7"]])
    board.flip = True
    picture = ET.fromstring(board.picture)
    assert set(marked(picture, "highlight")) == {"c7", "Nc"}
    assert len(classed(picture, "arrow")) == 1
    json.dumps(board.get_state())


def test_marks_are_the_boards_own() -> None:
    board, marks = Board(ROMANA), {"c7": "here"}
    board.highlights = marks
    marks["z9"] = ""
    board.flip = True
    assert board.highlights == {"c7": "here"}


def test_boards_share_nothing() -> None:
    one, other = Board(ROMANA), Board(ROMANA)
    one.highlights["z9"] = ""
    one.arrows.append("z9")
    one.picked.append("R2")
    assert (other.highlights, other.arrows, other.picked) == ({}, [], [])
    assert Board(SMALL).picture == SMALL.svg(theme="auto", panel="both")


def test_marks_go_when_the_position_is_set() -> None:
    for other in (SMALL, ROMANA.play("c7=L@Nc")):
        board = Board(ROMANA, highlights=["k8"], arrows=[("Nc", "c7")])
        assert set(marked(ET.fromstring(board.picture), "highlight")) == {"k8"}
        board.position = other
        assert not board.highlights
        assert not board.arrows
        assert board.picture == other.svg(theme="auto", panel="both")


def test_an_observer_of_the_position_can_mark_it() -> None:
    board = Board(ROMANA, highlights=["a1"])

    def mark(change: dict[str, Any]) -> None:
        board.highlights = {"c4": str(len(change["new"].tiles))}

    board.observe(mark, "position")
    choose(board, "R2", "Nc", "c7=L@Nc")
    assert board.highlights == {"c4": str(len(board.position.tiles))}
    assert set(marked(ET.fromstring(board.picture), "highlight")) == {"c4"}
    board.position = SMALL
    assert board.highlights == {"c4": str(len(SMALL.tiles))}
    assert set(marked(ET.fromstring(board.picture), "highlight")) == {"c4"}


# Back, undo, redo


def test_back_takes_back_picks_and_then_actions() -> None:
    board = Board(ROMANA)
    choose(board, "R2", "Nc", "c7=L@Nc", "xR2")
    board.back()
    assert str(board.position.played) == "c7=L@Nc"
    board.back()
    assert board.position == ROMANA
    choose(board, "R2", "Nc")
    board.back()
    assert board.picked == ["R2"]
    board.back()
    assert board.picked == []
    before = state(board)
    board.back()
    assert state(board) == before


def test_back_does_not_leave_the_turn() -> None:
    board = Board(ROMANA)
    board.play("c7=L@Nc")
    board.back()
    assert board.position == ROMANA.play("c7=L@Nc")


def test_a_thrown_die_goes_together_with_its_roll() -> None:
    board = Board(AQUADUKT, seed=3)
    choose(board, "roll", "b2")
    board.back()
    assert str(board.position.played) == "roll, die 8"
    choose(board, "b2", "3 b2", "roll")
    board.back()
    assert str(board.position.played) == "roll, die 8, 3 b2"
    board.back()
    assert str(board.position.played) == "roll, die 8"
    board.back()
    assert board.position == AQUADUKT
    assert not board.can_undo
    check(board)


def test_a_roll_that_is_taken_back_gives_the_same_die_again() -> None:
    board = Board(AQUADUKT, seed=3)
    for take_back in (board.back, board.undo, board.back, board.undo):
        board.choose("roll")
        assert str(board.position.played) == "roll, die 8"
        take_back()
        assert board.position == AQUADUKT
    board.enter(6)  # what a real die shows is free
    assert board.position.die == 6
    board.undo()
    board.choose("roll")
    assert board.position.die == 8
    check(board)


def test_the_second_die_of_a_turn_is_the_same_wherever_one_builds() -> None:
    board, dice = Board(AQUADUKT, seed=3), set()
    for houses in ("3 b2", "2 b2", "1 b2", "3 b2"):
        choose(board, "roll", "b2", houses, "roll")
        dice.add(board.position.die)
        board.undo()
    assert len(dice) == 1


def test_dice_differ_from_turn_to_turn_and_from_game_to_game() -> None:
    board, dice, games = Board(AQUADUKT, seed=3), set(), set()
    for _ in range(4):  # as many idle turns as two players may have
        board.choose("roll")
        dice.add(board.position.die)
        board.choose("decline")
    for _ in range(8):
        board.position = AQUADUKT
        board.choose("roll")
        games.add(board.position.die)
    assert len(dice) > 1
    assert len(games) > 1


@every_game
def test_where_there_is_a_step_to_take_back_the_page_is_told(start: Any) -> None:
    board = Board(start, seed=1)
    assert not board.can_back
    while not board.position.played:
        board.choose(ids(board)[0])
        assert board.can_back == bool(board.picked or board.position.played)
    while board.can_back:
        board.back()
    assert (board.position, board.picked) == (start, [])


def test_what_a_bot_decided_is_not_taken_back_with_ones_own_pick() -> None:
    board = Board(THEIR_PICK.rewind(), players={1: lambda position: str(THEIR_PICK.played)})
    board.wait(10)
    assert board.position == THEIR_PICK
    assert not board.can_back
    assert Board(THEIR_PICK).can_back


def test_undo_goes_to_the_start_of_the_turn_and_then_turn_by_turn() -> None:
    board = Board(ROMANA)
    board.play("c7=L@Nc")
    board.play("h7=+@Nh")
    before = board.position
    choose(board, ids(board)[0])
    board.undo()
    assert (board.picked, board.position) == ([], before)
    board.choose(ids(board)[0])
    while not board.position.played:
        board.choose(ids(board)[0])
    board.undo()
    assert board.position == before
    board.undo()
    assert board.position == ROMANA.play("c7=L@Nc")
    board.undo()
    assert board.position == ROMANA
    assert (board.can_undo, board.can_redo) == (False, True)
    board.undo()
    assert board.position == ROMANA
    board.redo()
    board.redo()
    assert board.position == before
    assert not board.can_redo
    board.redo()
    assert board.position == before
    check(board)


def test_another_turn_after_undo_is_a_variation_and_redo_remembers_the_last() -> None:
    board = Board(ROMANA)
    board.play("c7=L@Nc")
    board.undo()
    board.play("c7=L@Nc xR2 *b")
    board.undo()
    assert [str(node.turn) for node in board.record.root.children] == ["c7=L@Nc x-", "c7=L@Nc xR2 *b"]
    board.redo()
    assert board.position == ROMANA.play("c7=L@Nc xR2 *b")
    board.undo()
    board.play("c7=L@Nc")
    assert len(board.record.root.children) == 2
    board.undo()
    board.redo()
    assert board.position == ROMANA.play("c7=L@Nc")
    check(board)


# Hidden events


def shown(board: Board) -> str:
    """Gets all that the page knows."""
    return json.dumps(board.get_state(), ensure_ascii=False)


def test_what_the_players_do_not_see_stays_out_of_the_page() -> None:
    board = Board(EVENTS, hide=True, seed=1)
    told = {EVENT_NOTES["m"], EVENT_NOTES["f"]}
    while len(turns(board)) < 4:
        visible = board.position.view()
        picture = ET.fromstring(board.picture)
        assert picture.findtext(f"{SVG}desc") == visible.diagram() != board.position.diagram()
        assert board.facts == clicks.plain(visible.room("board.facts").facts(visible))
        assert board.get_state()["position"] == str(visible)
        assert not any(note in shown(board) for note in told)
        data, _ = board._repr_mimebundle_()
        assert data["text/plain"] == visible.diagram()
        assert ET.fromstring(data["image/svg+xml"]).findtext(f"{SVG}desc") == visible.diagram()
        assert board.position.mountains == EVENTS.mountains
        if board.position.phase == "turn" and not board.picked:
            board.choose("roll" if len(turns(board)) < 3 else "spring")
        else:
            board.choose(ids(board)[0])
    board.hide = False
    assert any(note in shown(board) for note in told)


def test_events_are_hidden_where_people_play_and_shown_in_analysis() -> None:
    hidden, open_picture = (p.svg(theme="auto", panel="both") for p in (EVENTS.view(), EVENTS))
    assert Board(EVENTS).picture == EVENTS.board().picture == hidden
    assert aquakit.Explorer(EVENTS).picture == open_picture != hidden
    assert Board(EVENTS, hide=False).picture == aquakit.Explorer(EVENTS).picture
    assert aquakit.Explorer(EVENTS, hide=True).picture == Board(EVENTS).picture


def test_hiding_changes_the_picture_but_not_the_game() -> None:
    board = Board(EVENTS, hide=False)
    open_picture = board.picture
    board.hide = True
    assert board.picture == EVENTS.view().svg(theme="auto", panel="both")
    assert board.position == EVENTS
    board.play("spring 3.5")
    assert board.record.start == EVENTS
    board.undo()
    board.hide = False
    assert board.picture == open_picture


def test_hiding_tells_the_page_another_text(monkeypatch: pytest.MonkeyPatch) -> None:
    board, sent = Board(EVENTS, hide=False), {}
    monkeypatch.setattr(board, "_send", lambda message, buffers=None: sent.update(message["state"]))
    board.hide = True
    assert sent["position"] == str(EVENTS.view())
    board.hide = False
    assert sent["position"] == str(EVENTS)


def test_when_the_game_is_over_nothing_is_hidden() -> None:
    p, draw, acts = aquakit.start("aquadukt2-6x5", seed=2, events=True), random.Random(3), []
    while not p.is_over:
        acts.append((p, draw.choice(p.actions())))
        p = p.act(acts[-1][1])
    last, action = acts[-1]
    board = Board(last, hide=True)
    assert board.picture != Board(last, hide=False).picture
    choose(board, *way_to(last, str(action)))
    assert board.position == p
    assert ET.fromstring(board.picture).findtext(f"{SVG}desc") == p.diagram()
    assert board.get_state()["position"] == str(p)


# Messages from the browser


def test_messages_do_what_was_clicked() -> None:
    board = Board(AQUADUKT, seed=3)
    tell(board, do="choose", id="roll")
    assert str(board.position.played) == "roll, die 8"
    tell(board, do="back")
    tell(board, do="enter", number="6")
    assert board.position.die == 6
    tell(board, do="choose", id="decline")
    tell(board, do="undo")
    assert board.position == AQUADUKT
    tell(board, do="redo")
    assert board.position.player == 2
    tell(board, do="stop")
    tell(board, do="resume")
    assert board.problem == ""


def test_a_click_that_comes_too_late_does_nothing_and_says_nothing() -> None:
    board = Board(ROMANA)
    seen = board.decision
    tell(board, do="choose", id="R2")
    before = state(board)
    for content in ({"do": "choose", "id": "R2"}, {"do": "choose", "id": "R1"}, {"do": "back"}):
        tell(board, decision=seen, **content)
        assert (state(board), board.problem) == (before, "")
    tell(board, do="choose", id="Nc")
    board.flip = True  # what is asked stays the same
    tell(board, do="choose", id="c7=L@Nc")
    assert str(board.position.played) == "c7=L@Nc"


def test_a_click_on_what_was_never_shown_is_refused() -> None:
    board = Board(ROMANA)
    tell(board, do="choose", id="R2", decision=board.decision + 1)
    assert board.problem.startswith("decision: ")
    assert board.picked == []


def test_a_click_while_a_bot_thinks_says_nothing() -> None:
    heard = threading.Event()
    board = Board(ROMANA, players={1: lambda position: heard.wait(20) and "c7=L@Nc x-"})
    for content in ({"do": "choose", "id": "R2"}, {"do": "back"}, {"do": "enter", "number": "3"}):
        tell(board, **content)
        assert board.problem == ""
    heard.set()
    board.wait(10)
    assert turns(board) == ["c7=L@Nc x-"]


def test_what_comes_after_the_picture_says_to_what_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    board, sent = Board(ROMANA), []
    monkeypatch.setattr(board, "_send", lambda message, buffers=None: sent.append(message["state"]))
    choose(board, "R2", "Nc", "c7=L@Nc")
    pictured, told = (next(i for i, state in enumerate(sent) if name in state) for name in ("picture", "facts"))
    assert pictured < told
    assert sent[told]["facts_of"] == sent[pictured]["decision"] == board.decision


JUNK_MESSAGES: list[Any] = [
    None,
    3,
    "choose",
    [],
    {},
    {"do": None},
    {"do": "nothing"},
    {"do": ["choose"]},
    {"do": {}},
    {"do": "choose"},
    {"do": "choose", "id": "R2"},
    {"do": "choose", "decision": 3, "id": None},
    {"do": "choose", "decision": 3, "id": ["R2"]},
    {"do": "choose", "decision": 3, "id": "<script>"},
    {"do": "choose", "decision": -1, "id": "R2"},
    {"do": "back"},
    {"do": "back", "decision": "1"},
    {"do": "enter"},
    {"do": "enter", "decision": 3, "number": "x"},
    {"do": "enter", "decision": 3, "number": {}},
    {"do": "go", "at": "7"},
    {"do": "_go"},
    {"do": "__class__"},
]


@pytest.mark.parametrize("content", JUNK_MESSAGES, ids=repr)
def test_junk_from_the_browser_is_shown_and_changes_nothing(content: Any) -> None:
    board = Board(SMALL)
    board.play("b3=+@E4")
    board.choose(next(choice["id"] for choice in board.offer["choices"] if not choice["act"]))
    before = state(board)
    board._hear(board, content, [])
    assert board.problem
    assert state(board) == before
    board.choose(ids(board)[0])
    assert board.problem == ""


@every_game
@pytest.mark.parametrize(
    "content",
    [
        {"position": "nothing"},
        {"position": None},
        {"highlights": ["z9"]},
        {"arrows": 3},
        {"picked": ["nothing"]},
        {"picked": 7},
        {"size": "big"},
        {"theme": "pink"},
        {"flip": "yes"},
    ],
    ids=repr,
)
def test_junk_set_by_the_browser_is_shown_and_taken_back(
    start: Any, content: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    board, sent = Board(start), {}
    before = state(board)
    monkeypatch.setattr(board, "_send", lambda message, buffers=None: sent.update(message["state"]))
    board.set_state(content)
    assert board.problem
    assert state(board) == before
    assert {name: sent[name] for name in content} == {name: board.get_state()[name] for name in content}


def test_what_only_python_says_is_not_set_by_the_browser() -> None:
    board = Board(ROMANA)
    before = state(board)
    board.set_state({"picture": "<svg/>", "offer": {}, "step": 0, "nonsense": 1})
    assert state(board) == before


def test_what_the_browser_sets_is_taken_over() -> None:
    board = Board(ROMANA)
    board.set_state({"flip": True, "theme": "dark"})
    assert board.picture == ROMANA.svg(theme="auto", panel="both", flip=True)
    assert board.theme == "dark"
    board.set_state({"picked": ["R2"]})
    assert board.offer == clicks.plain(clicks.offer(ROMANA, ["R2"]))
    board.set_state({"position": str(SMALL)})
    assert board.position == SMALL
    assert board.record.start == SMALL
    check(board)


JUNK = st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.lists(st.text(max_size=3), max_size=2)
NAMES = ["choose", "enter", "back", "undo", "redo", "stop", "resume"]


@settings(max_examples=25)
@given(EVERY_START, st.data())
def test_whatever_the_browser_says_the_board_stays_whole(start: Any, data: st.DataObject) -> None:
    board = Board(play_on(start, random.Random(data.draw(st.integers(0, 99))), data.draw(st.integers(0, 40))), seed=1)
    for _ in range(6):
        offered = st.sampled_from(ids(board) or ["none"])
        decision = st.integers(0, board.decision) | JUNK
        details = {"decision": decision, "id": offered | JUNK, "number": st.integers(1, 20).map(str) | JUNK}
        content = data.draw(st.fixed_dictionaries({"do": st.sampled_from(NAMES) | JUNK}, optional=details))
        before = state(board)
        board._hear(board, content, [])
        if board.problem:
            assert state(board) == before
        check(board)


# Always


@settings(max_examples=40)
@given(EVERY_START, st.data())
def test_what_is_clicked_is_what_is_recorded(start: Any, data: st.DataObject) -> None:
    p = play_on(start, random.Random(data.draw(st.integers(0, 2**32))), data.draw(st.integers(0, 100)))
    board = Board(p, seed=data.draw(st.integers(0, 99)), hide=data.draw(st.booleans()))
    check(board)
    for _ in range(8):
        does = data.draw(st.sampled_from(["choose"] * 6 + ["back", "undo", "redo", "enter"]))
        if does == "choose" and ids(board):
            board.choose(data.draw(st.sampled_from(ids(board))))
        elif does == "enter" and board.offer["entry"]:
            with suppress(IllegalTurn):
                board.enter(data.draw(st.integers(1, board.offer["entry"]["most"])))
        elif does in ("back", "undo", "redo"):
            getattr(board, does)()
        check(board)


def test_the_step_is_sent_after_all_that_it_shows() -> None:
    """Not every house takes a message over as a whole before it tells what has changed."""
    board = Board(SMALL)
    assert list(board.get_state())[-1] == "step"
    assert list(board.get_state({"step", "offer", "picture", "decision"}))[-1] == "step"
