"""Position texts, turns and layouts of Aquädukt: every malformed field refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from aquadukt_crafted import craft
from malformed import PositionText, check_layout_refused, check_refused

import aquakit
from aquakit.aquadukt import Layout, Position
from aquakit.aquadukt.notation import FIELDS
from aquakit.errors import InvalidLayout, InvalidOption, InvalidPosition, InvalidTurn

MIDDLE = (
    "aquadukt3 _^..B4^B3.A1B2._/A2B4...^..A2..B2/...B1B3A3....../..B3A4......C4A1/.A2C2..B4....B1./"
    ".^A4^.^...B3.B1/.A2..B2A4.A1...C4/_...A1..B1.B1._ 3.3.3.0,0.2.2.1,7.6.7.0 4.7,3.3,6.1,11.7,11.1 "
    "4.7:N;4.7:W;6.1:NWS;6.1:Se;11.7:WS 19 2 0 -"
)
SMALL = (Layout.folder / "aquadukt2-6x5.toml").read_text("utf-8")


TEXT = PositionText(MIDDLE, FIELDS)
change, edit = TEXT.change, TEXT.edit


def test_the_text_is_read() -> None:
    p = Position.parse(MIDDLE)
    assert str(p) == MIDDLE
    assert p.tiles["e8"] == "B4"
    assert p.hands == ((3, 3, 3, 0), (0, 2, 2, 1), (7, 6, 7, 0))
    assert p.springs == ("4.7", "3.3", "6.1", "11.7", "11.1")
    assert [(arm.spring, arm.steps, arm.doubles, arm.end) for arm in p.arms] == [
        ("4.7", "N", 1, "4.8"),
        ("4.7", "W", 1, "3.7"),
        ("6.1", "NWS", 3, "5.1"),
        ("6.1", "Se", 1, "7.0"),
        ("11.7", "WS", 2, "10.6"),
    ]
    assert p.arms[2].segments == ("6.1v", "5.2h", "5.1v")
    assert (p.canals_left, p.springs_left, p.player) == (19, 0, 2)


def test_readers_accept_arms_in_any_order_and_writers_sort_them() -> None:
    arms = MIDDLE.split(" ")[4].split(";")
    assert str(Position.parse(change("canals", ";".join(reversed(arms))))) == MIDDLE


def test_the_order_in_which_arms_began_leaves_no_trace() -> None:
    start = Position.start("aquadukt2", seed=3).play("spring 3.5")
    one, other = start.play("canal 3.5h, canal 3.5v"), start.play("canal 3.5v, canal 3.5h")
    assert one == other
    assert one.actions() == other.actions() == Position.parse(str(one)).actions()
    assert one.playouts(30, seed=1) == other.playouts(30, seed=1)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("position", "aquadukt3"),
        ("position", MIDDLE + " x"),
        ("layout", change("layout", "aquadukt9")),
        ("squares", edit("squares", "/.A2..", "/.A2.")),
        ("squares", edit("squares", "_^..B4", "^^..B4")),
        ("squares", edit("squares", "^A4^.^", "^A4^_^")),
        ("squares", edit("squares", "_^..B4", "_...B4")),
        ("squares", edit("squares", "_^..B4", "_^^.B4")),
        ("squares", edit("squares", "B4", "B5")),
        ("squares", edit("squares", "B4", "D4")),
        ("squares", edit("squares", "B4", "x")),
        ("squares", edit("squares", "B4^B3", "B4^B3/")),
        ("hands", change("hands", "3.3.3.0,0.2.2.1")),
        ("hands", change("hands", "3.3.3.0,0.2.2.1,7.6.7")),
        ("hands", change("hands", "3.3.3.0,0.2.2.1,8.6.7.0")),
        ("hands", change("hands", "3.3.3.0,0.2.2.4,7.6.7.0")),
        ("hands", change("hands", "3.3.3.0,0.2.2.-1,7.6.7.0")),
        ("springs", edit("springs", "4.7", "13.7")),
        ("springs", edit("springs", "4.7", "0.0")),
        ("springs", edit("springs", "4.7", "3.6")),
        ("springs", edit("springs", "4.7", "4.7,4.7")),
        ("springs", edit("springs", "11.1", "11.1,0.5")),
        ("canals", edit("canals", "4.7:N", "4.8:N")),
        ("canals", edit("canals", "4.7:N", "4.7:X")),
        ("canals", edit("canals", "4.7:N", "4.7:")),
        ("canals", edit("canals", "6.1:Se", "6.1:sE")),
        ("canals", edit("canals", "6.1:NWS", "6.1:NWSE")),
        ("canals", edit("canals", "4.7:W", "4.7:N")),
        ("canals", edit("canals", "4.7:W", "4.7:W;4.7:S")),
        ("canals", edit("canals", "4.7:W", "4.7:WWWWW")),
        ("left", change("left", "18")),
        ("left", change("left", "x")),
        ("player", change("player", "4")),
        ("player", change("player", "s1")),
        ("squares", change("player", "-")),
        ("idle", change("idle", "9")),
        ("idle", change("idle", "10")),
        ("idle", change("idle", "-")),
        ("events", change("events", "mmmm")),
        ("events", change("events", "mmmmmx")),
        ("events", change("events", "fffmmm")),
        ("turn", MIDDLE + " : roll, stop"),
        ("turn", MIDDLE + " : nonsense"),
    ],
)
def test_malformed_fields_are_refused_by_name(field: str, text: str) -> None:
    check_refused(field, text)


def test_a_player_to_move_in_a_game_that_is_over_is_refused() -> None:
    canals = "1.1:NN;6.1:NNN;6.1:WW;11.1:NNNNNN;3.6:NN;3.6:SS;9.6:N"
    with pytest.raises(InvalidPosition, match="the last round is over"):
        craft(springs="1.1,6.1,11.1,3.6,9.6", canals=canals, player="1")


@pytest.mark.parametrize(
    "token", ["", "rol", "die", "die 0", "5 e4", "e4", "spring 3", "canal 3.5", "canal 3.5x", "3  e4"]
)
def test_unreadable_tokens(token: str) -> None:
    with pytest.raises(InvalidTurn, match="cannot be read"):
        Position.start("aquadukt2").act(token)


@pytest.mark.parametrize("token", ["die 21", "3 a1", "3 m3", "spring 0.0", "spring 13.4", "canal 0.0h", "canal 12.8v"])
def test_names_that_the_board_does_not_have(token: str) -> None:
    with pytest.raises(InvalidTurn, match=r"there is no|the die shows"):
        Position.start("aquadukt2").act(token)


def test_turns_without_dice_and_for_given_rolls() -> None:
    p = craft(springs="3.3")
    without = {str(turn) for turn in p.turns()}
    assert "canal 3.3h, stop" in without
    assert "canal 3.3h, canal 3.3h" in without
    assert not any("roll" in turn for turn in without)
    assert list(p.act("roll").turns()) == []
    rolled = {str(turn) for turn in p.turns(dice=(7, 8))}
    assert "roll, die 7, decline" in rolled
    assert "roll, die 7, 3 e4, stop" in rolled
    assert "roll, die 7, 3 e4, roll, die 8, 1 a2, stop" in rolled
    assert all(turn.startswith("roll, die 7") for turn in rolled)
    # A third roll is not given, so turns that take one are not there.
    assert max(turn.count("roll") for turn in rolled) == 2
    for turn in rolled:
        assert not p.play(turn).played
    assert len({str(turn) for turn in p.turns(dice=(7, 3, 12))}) > len(rolled)


def test_throws_that_name_a_full_region_do_not_count() -> None:
    full = {"a7": "A1", "b7": "A2", "c8": "B1"}
    p = craft(mountains=("b8", "d8", "e8", "f8", "g8", "h8", "i8", "j8"), tiles=full)
    assert {str(turn) for turn in p.turns(dice=(1, 7))} == {str(turn) for turn in p.turns(dice=(7,))}
    assert list(p.turns(dice=(1,))) == []
    for bad in ((0,), (21,), ("7",)):
        with pytest.raises(InvalidOption, match="dice"):
            p.turns(dice=bad)


def test_starts_are_seeded_or_given() -> None:
    assert Position.start("aquadukt2", seed=4) == Position.start("aquadukt2", seed=4)
    assert Position.start("aquadukt2", seed=4) != Position.start("aquadukt2", seed=5)
    squares = ("a2", "c3", "e4", "g5")
    p = Position.start("aquadukt4", mountains=squares, events="mfmm")
    assert p.mountains == {"g5": "m", "e4": "f", "c3": "m", "a2": "m"}
    for options in (
        {"mountains": ("a2",)},
        {"mountains": ("a2", "a2", "e4", "g5")},
        {"mountains": ("a1", "c3", "e4", "g5")},
        {"events": "mm"},
        {"events": "ffff"},
        {"events": "mx?m"},
    ):
        with pytest.raises(InvalidOption):
            Position.start("aquadukt4", **options)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('game = "aquadukt"', 'game = "romana"', "game"),
        ("AABBC.", "AABBC", "map"),
        ("AABBC.", "AABB1.", "map"),
        ("AABBC.", "AABBZ.", "map"),
        ("players = 2", "players = 5", "players"),
        ("tiles = [3, 3, 2, 1]", "tiles = [3, 3, 2]", "tiles"),
        ("tiles = [3, 3, 2, 1]", "tiles = [3, 3, 2, -1]", "tiles.3"),
        ("mountains = 2", "mountains = 24\nmountain = 1", "mountain"),
        ("springs = 2", "springs = 0", "springs"),
        ("canals = 12", "", "canals"),
        ("mineral = 2", "mineral = 0", "events"),
        ("mountains = 2", "mountains = ", "TOML"),
    ],
)
def test_malformed_layouts_name_the_field(old: str, new: str, field: str, tmp_path: Path) -> None:
    assert old in SMALL
    check_layout_refused(Layout, SMALL.replace(old, new, 1), field, tmp_path)


def test_a_users_own_map_works_by_path_and_names_its_game(tmp_path: Path) -> None:
    path = tmp_path / "my map.toml"
    path.write_text(SMALL.replace("aquadukt2-6x5", "mine"), "utf-8")
    p = aquakit.start(path, seed=2)
    assert isinstance(p, Position)
    assert aquakit.parse(str(p), folder=tmp_path) == aquakit.parse(str(p), path) == p
    assert aquakit.load_layout(str(path)).regions[0] == ("a4", "b4", "a5", "b5")
    path.write_text(SMALL.replace('"aquadukt"', '"chess"'), "utf-8")
    with pytest.raises(InvalidLayout, match="one of romana, aquadukt"):
        aquakit.load_layout(path)
