"""What a turn is: its steps in order, whole turns, and what a text may leave out."""

from __future__ import annotations

import pickle

import pytest
from crafted import craft, tokens

from aquakit.errors import IllegalTurn, InvalidOption, InvalidPosition, InvalidTurn
from aquakit.romana import Action, Layout, Position, Turn


def test_held_builders_are_placed_first_in_fixed_order() -> None:
    p = craft(held={1: "bj"}, reserve="csd")
    assert p.phase == "place"
    assert {action.builder for action in p.actions()} == {"b"}
    with pytest.raises(IllegalTurn, match="builder b is placed first"):
        p.act("+jE4")
    p = p.act("+bE4")
    assert {action.builder for action in p.actions()} == {"j"}
    p = p.act("+jE5")
    assert p.phase == "build"
    assert str(p).endswith(" 1 0 : +bE4 +jE5")


def test_a_whole_turn_reads_as_in_the_rules() -> None:
    p = craft(held={1: "j"}, reserve="csbd", builders={"Nc": "s"}).play("+jE4 c7=|@Nc xR2 *b")
    assert p.held == ("b", "", "", "")
    assert p.player == 2


def test_two_own_workmen_at_one_square_make_no_double_actions() -> None:
    # R3 above d6 and R2 below it stand in column d and see Nd alike; both enter a double curve.
    p = craft(
        tiles={"d7": "|", "c7": "|", "c6": "|", "c5": "|", "c4": "L", "d4": "J", "d5": "|"},
        builders={"Nd": "d"},
    )
    facing = {a.name for a in p.aqueducts if a.facing == "d6" and a.owner == 1}
    assert facing == {"R2", "R3"}
    actions = [str(action) for action in p.actions() if action.square == "d6"]
    assert sorted(actions) == ["d6=N@Nd", "d6=Z@Nd"]


def test_podiums_are_filled_downwards_and_3_holds_two() -> None:
    p = craft(tiles={"c7": "|", "c6": "|", "c5": "|"}, builders={"Na": "s"}, closed={"R1": 3, "R3": 3, "Y1": 2})
    p = p.play("@Na xR2 *c")
    assert next(a for a in p.aqueducts if a.name == "R2").podium == 1


def test_longer_than_the_highest_podium_takes_the_highest() -> None:
    row = {
        "c7": "|",
        "c6": "|",
        "c5": "L",
        **{f"{column}5": "-" for column in "defghi"},
        "j5": "7",
        "j4": "|",
        "j3": "J",
    }
    row |= {f"{column}3": "-" for column in "bcdefghi"}
    p = craft(tiles=row, builders={"Nk": "s"}).play("@Nk xR2 *c")
    r2 = next(a for a in p.aqueducts if a.name == "R2")
    assert (r2.length, r2.podium) == (20, 20)
    p = craft(tiles=row | {"a3": "F"}, builders={"Nk": "s"}).play("@Nk xR2 *c")
    r2 = next(a for a in p.aqueducts if a.name == "R2")
    assert (r2.length, r2.podium) == (21, 20)


def test_x_dash_may_be_left_out_at_the_end_and_before_a_pick() -> None:
    p = Position.start("romana4")
    assert p.play("c7=L@Nc") == p.play("c7=L@Nc x-")
    start = craft(tiles={"d7": "L", "e7": "-", "f7": "-", "h7": "J"}, builders={"E7": "c"})
    assert start.play("g7=7@E7 *c") == start.play("g7=7@E7 x- *c")


def test_x_dash_is_an_error_where_there_is_no_such_decision() -> None:
    p = craft(tiles={"b8": "-"}, builders={"Na": "c"}, reserve="")
    with pytest.raises(IllegalTurn, match="turn is complete before"):
        p.play("a7=J@Na x-")
    p = craft(tiles={"b8": "-"}, builders={"Na": "c"}, reserve="c")
    with pytest.raises(IllegalTurn, match="no voluntary closing here"):
        p.play("a7=J@Na x- *c")


def test_a_turn_ends_where_it_ends() -> None:
    for two_turns in ("c7=L@Nc x- h7=|@Nh", "c7=L@Nc h7=+@Nh"):
        with pytest.raises(IllegalTurn, match="turn is complete before"):
            Position.start("romana4").play(two_turns)
        with pytest.raises(InvalidPosition, match="turn is complete before"):
            Position.parse(f"{Position.start('romana4')} : {two_turns}")
    with pytest.raises(IllegalTurn, match="turn is complete before"):
        Position.start("romana4").act("c7=L@Nc").play("h7=+@Nh")


def test_an_incomplete_turn_says_what_is_missing() -> None:
    p = craft(tiles={"b8": "-"}, builders={"Na": "c"}, reserve="c")
    with pytest.raises(IllegalTurn, match=r"not complete; expected a pick from the reserve"):
        p.play("a7=J@Na")
    with pytest.raises(IllegalTurn, match="is empty"):
        p.play("")


@pytest.mark.parametrize("token", ["e9=F@Nd", "z1=L", "+cNz", "@E9", "xB4", "e5=F@E12"])
def test_names_that_the_board_does_not_have(token: str) -> None:
    with pytest.raises(InvalidTurn, match="there is no"):
        Position.start("romana4").act(token)


@pytest.mark.parametrize(
    "token", ["", "e5", "e5=Q@Nd", "+qNa", "x", "xR0", "*", "*q", "@", "e5=F@", "é5=F", "x--", "E5=F"]
)
def test_unreadable_tokens(token: str) -> None:
    with pytest.raises(InvalidTurn, match="cannot be read"):
        Position.start("romana4").act(token)


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("c7=L@Nd", "does not see Nd"),
        ("e5=F@Nd", "no own workman stands before e5"),
        ("c8=L@Nc", "c8 is not empty"),
        ("b8=J@W8", "does not meet the workman's side"),
        ("b8=+@W8", "does not offer"),
        ("d7=L@Sd", "does not offer"),
        ("c7=F@Nc", "does not meet the workman's side"),
        ("d7=|@E8", "does not offer"),
        ("g3=L", "not the decision at hand"),
        ("xR1", "no voluntary closing"),
        ("*b", "not the decision at hand"),
        ("+cNa", "not the decision at hand"),
    ],
)
def test_illegal_actions_name_the_rule(token: str, reason: str) -> None:
    p = Position.start("romana4")
    if token in tokens(p):
        pytest.fail(f"{token} is legal")
    with pytest.raises(IllegalTurn, match=reason):
        p.act(token)


def test_illegal_picks_places_and_closings() -> None:
    p = craft(tiles={"c7": "|"}, builders={"Na": "s"}, reserve="c", closed={"R3": 0})
    p = p.act("@Na")
    with pytest.raises(IllegalTurn, match="belongs to another player"):
        p.act("xY1")
    with pytest.raises(IllegalTurn, match="is closed already"):
        p.act("xR3")
    with pytest.raises(IllegalTurn, match="the reserve holds c, no b"):
        p.act("xR2").act("*b")
    p = craft(held={1: "b"}, reserve="")
    with pytest.raises(IllegalTurn, match="stands on Nc already"):
        p.act("+bNc")
    p = craft(builders={"Na": "s"})
    with pytest.raises(IllegalTurn, match="no builder stands on Nb"):
        p.act("@Nb")
    p = Position.start("romana4", setup=True)
    with pytest.raises(IllegalTurn, match="no builder j is left to place"):
        p.act("+jNa")


def test_a_finished_game_has_no_actions() -> None:
    p = craft(tiles={"c7": "|"}, builders={"Na": "s"}, idle=3).play("@Na x-")
    assert (p.is_over, p.phase, p.player, p.actions(), list(p.turns())) == (True, "over", None, [], [])
    with pytest.raises(IllegalTurn, match="the game is over"):
        p.act("@Nb")


def test_turns_are_complete_distinct_and_playable() -> None:
    p = Position.start("romana2-5x4")
    turns = list(p.turns())
    assert len(turns) == len({str(turn) for turn in turns})
    assert all(not p.play(turn).played for turn in turns)
    moment = p.act(p.actions()[0])
    assert {str(Turn((p.actions()[0], *rest))) for rest in moment.turns()} == {
        str(turn) for turn in turns if turn[0] == p.actions()[0]
    }


def test_positions_are_values() -> None:
    p = Position.start("romana4")
    text = str(p)
    after = p.act("c7=L@Nc")
    assert str(p) == text
    assert {p: 1}[Position.parse(text)] == 1
    assert eval(repr(p), {"Position": Position}) == p
    assert eval(repr(after), {"Position": Position}) == after
    assert pickle.loads(pickle.dumps(after)) == after
    assert p != after
    assert p != Position.start("romana2")
    assert p != "romana4"
    assert p.act("c7=L@Nc") == p.act(Action("build", "c7", "L", "Nc"))


def test_a_layout_from_text_evaluates_back_too() -> None:
    layout = Layout.loads((Layout.folder / "romana2-5x4.toml").read_text().replace("romana2-5x4", "mine"))
    p = Position.start(layout)
    names = {"Position": Position, "Layout": Layout}
    assert eval(repr(p), names) == p
    assert pickle.loads(pickle.dumps(p)) == p


def test_study_positions_begin_at_a_turns_start() -> None:
    p = Position.start("romana4")
    with pytest.raises(InvalidPosition, match="the start of a turn"):
        p.act("c7=L@Nc").solo(1)
    for player in (0, 5, "1", 1.0, True, None):
        with pytest.raises(InvalidOption, match="a whole number from 1 to 4"):
            p.solo(player)
    with pytest.raises(InvalidPosition, match="is not alone"):
        p.study_points()
    with pytest.raises(InvalidOption, match="last: 0"):
        p.stopped(0)
    for inside in (p.act("c7=L@Nc"), Position.start("romana4", setup=True)):
        with pytest.raises(InvalidPosition, match="the start of a turn"):
            inside.stopped(1)
    assert p.solo(2).solo(1) == p.solo(1)


def test_perft_of_a_moment_and_bad_depths() -> None:
    p = Position.start("romana4")
    assert p.perft(0) == 1
    assert sum(p.act(action).perft(2) for action in p.actions()) == p.perft(3)
    for depth in (-1, "3", 2.0, 10**10):
        with pytest.raises(InvalidOption, match="depth"):
            p.perft(depth)
    for count in (-1, 1.5, "3"):
        with pytest.raises(InvalidOption, match="count"):
            p.playouts(count)
