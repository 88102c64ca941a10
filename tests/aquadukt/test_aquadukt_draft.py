"""Drafts of Aquädukt: what is wrong is named, and mended drafts are positions."""

from __future__ import annotations

import pytest
from aquadukt_crafted import CORNER, craft
from hypothesis import given, settings
from hypothesis import strategies as st

from aquakit.aquadukt import Layout, Position
from aquakit.aquadukt.board.draft import Draft
from aquakit.errors import InvalidOption

START = Draft.of(craft())
ARM = Draft.of(craft(springs="3.5", canals="3.5:Ee"))


def complaint(draft: Draft) -> str:
    problem = draft.problem()
    assert problem is not None
    return f"{problem.where}: {problem.problem}"


def put(draft: Draft, pieces: dict[str, str]) -> Draft:
    for place, piece in pieces.items():
        draft = draft.put(place, piece)
    return draft


def test_a_spring_too_near() -> None:
    near = ARM.put("3.3", "spring")
    assert complaint(near) == "springs: 3.3 is too near another"
    assert near.put("3.3", "").put("3.0", "spring").position().springs == ("3.5", "3.0")


def test_a_double_after_a_single() -> None:
    wrong = put(ARM, {"3.5h": "single", "4.5h": "double"})
    assert complaint(wrong) == "canals: 3.5:eE: a double after a single"
    assert wrong.put("3.5h", "double").position() == craft(springs="3.5", canals="3.5:EE")


def test_canals_in_any_order_become_arms() -> None:
    pieces = {"4.6v": "single", "3.5h": "double", "3.4v": "single", "4.5v": "double", "3.5": "spring"}
    assert put(START, pieces).position() == craft(springs="3.5", canals="3.5:ENn;3.5:s")


def test_canals_left_follow_the_canals_laid() -> None:
    assert ARM.position().canals_left == 33
    assert ARM.put("5.5v", "single").position().canals_left == 32
    assert ARM.put("4.5h", "").position().canals_left == 34


def test_too_many_canals() -> None:
    draft = Draft.of(craft(springs="0.4", canals="0.4:EEEEEEEEEEEE"))
    snake = ["12.4v", "11.5h", "10.5h", "9.5h", "8.5h", "7.5h", "6.5h"]
    full = put(draft, dict.fromkeys(snake, "double"))
    assert complaint(full) == "canals: too many canals"
    last_round = full.put(snake[-1], "")
    assert complaint(last_round) == "player: the last round is over in a game that goes on [Q6]"
    assert last_round.set("player", "2").problem() is None


@pytest.mark.parametrize(
    ("pieces", "loose"),
    [
        ({"8.2h": "single"}, "8.2h"),
        ({"8.2h": "double", "8.2v": "single"}, "8.2h"),
        ({"5.5h": "single", "5.5v": "single"}, "5.5h"),
        ({"3.5": ""}, "3.5h"),
        ({"3.5h": ""}, "4.5h"),
    ],
)
def test_canals_that_no_text_can_express(pieces: dict[str, str], loose: str) -> None:
    draft = put(ARM, pieces)
    assert complaint(draft) == f"canals: the canal on {loose} belongs to no arm"
    assert Draft(draft.text) == draft


SMALL = Draft.of(Position.start("aquadukt2-6x5"))
WATER = st.one_of(*(st.tuples(st.sampled_from(t.places), st.sampled_from(t.ids)) for t in SMALL.tools()[1:]))


@settings(max_examples=150)
@given(st.lists(WATER, max_size=40))
def test_no_canal_is_ever_lost(pieces: list[tuple[str, str]]) -> None:
    draft = put(SMALL, dict(pieces))
    assert Draft(draft.text) == draft
    assert Draft(draft.text).changes(SMALL.position()) == draft.changes(SMALL.position())


def test_touching_arms_are_the_readers_business() -> None:
    draft = put(ARM, {"8.5": "spring", "7.5h": "single", "6.5h": "single", "5.5h": "single"})
    assert complaint(draft).startswith("canals: 3.5:Eeeee cannot go e from 7.5")
    assert draft.put("5.5h", "").problem() is None


def test_more_than_two_arms() -> None:
    draft = put(ARM, {"3.5v": "single", "3.4v": "single"})
    assert complaint(draft) == "canals: 3.5 has more than two arms"


def test_springs_keep_their_order() -> None:
    p = craft(springs="9.5,3.5,3.0")
    draft = Draft.of(p)
    assert draft.put("9.5", "").put("9.5", "spring").position() == p
    assert draft.put("9.5", "").position().springs == ("3.5", "3.0")


def test_mountains_are_moved_in_two_steps() -> None:
    fewer = START.put("b8", "")
    assert complaint(fewer) == "squares: 7 mountains"
    assert fewer.put("f4", "^").position() == craft(mountains=(*CORNER[1:], "f4"))


def test_mountains_keep_their_events() -> None:
    p = craft(events="mfmmfmmm")
    moved = Draft.of(p).put("d8", "").put("a7", "^")
    assert moved.position().mountains == {
        "b8": "m", "c8": "f", "e8": "m", "f8": "f", "g8": "m", "h8": "m", "i8": "m", "a7": "?",
    }  # fmt: skip
    assert moved.set("event.a7", "m").problem() is None
    assert complaint(moved.set("event.a7", "f")) == "events: 3 times f"
    assert moved.put("a7", "").put("d8", "^").position() == p


def test_the_variant_is_switched() -> None:
    assert not [field for field in START.fields() if field.name.startswith("event.")]
    on = START.set("variant", "on")
    events = [field for field in on.fields() if field.name.startswith("event.")]
    assert [(field.name, field.value) for field in events] == [(f"event.{square}", "?") for square in CORNER]
    assert on.position() == craft(events="????????")
    assert on.set("variant", "off") == START
    with pytest.raises(InvalidOption):
        START.set("event.b8", "m")


def test_an_idle_count_too_large() -> None:
    idle = START.set("idle", "6")
    assert complaint(idle) == "idle: 6 is too much in a game that goes on [Q6]"
    assert idle.set("idle", "5").position().idle == 5
    assert idle.set("player", "-").position().is_over


def test_hands_hold_what_the_board_leaves() -> None:
    built = START.put("e4", "A3").put("e3", "B4")
    assert complaint(built) == "hands: 8 of A3 in hand and 1 on the board"
    assert built.balance().position() == craft(tiles={"e4": "A3", "e3": "B4"})
    assert built.set("hand.1.3", "2").balance() == built.balance()


def test_a_tile_comes_from_a_hand_that_fits_the_board() -> None:
    land = START.tools()[0].title
    laid = START.drop(land, "A3", "e4")
    assert laid.position() == craft(tiles={"e4": "A3"})
    moved = laid.move(laid.grip("e4"), "e3")
    assert moved.position() == craft(tiles={"e3": "A3"})
    assert moved.move(moved.grip("e3"), "") == START
    # A tile that has left the game stays out of it.
    fewer = START.set("hand.1.3", "6").drop(land, "A3", "e4").drop(land, "A4", "e3")
    assert fewer.position().hands[0] == (8, 8, 6, 3)


def test_what_is_wrong_is_about_pieces_and_fields() -> None:
    def about(draft: Draft) -> tuple[str, set[str], set[str]]:
        trouble = draft.trouble()
        assert trouble is not None
        return trouble.text.partition(";")[0], set(trouble.on), set(trouble.fields)

    many = "hands: 8 of the tile of A with 3 houses in hand and 1 on the board"
    assert about(START.put("e4", "A3")) == (many, {"e4"}, {"hand.1.3"})
    assert about(ARM.put("3.3", "spring"))[1] == {"3.3"}
    wrong = put(ARM, {"3.5h": "single", "4.5h": "double"})
    assert about(wrong) == ("canals: the arm from 3.5: a double after a single", {"3.5"}, set())
    assert about(ARM.put("8.2h", "single"))[1] == {"8.2h"}
    assert about(START.put("b8", ""))[1] == set(CORNER[1:])
    foul = Draft.of(craft(events="mfmmfmmm")).put("d8", "").put("a7", "^").set("event.a7", "f")
    assert about(foul) == ("events: 3 foul mountains", set(), {"event.c8", "event.f8", "event.a7"})
    idle = START.set("idle", "6").trouble()
    assert idle is not None
    assert idle.text.endswith("; expected no player to move when it is over")


def test_places_that_the_board_lacks() -> None:
    for place in ("a8", "l1", "0.0", "12.8", "0.0h", "13.0"):
        with pytest.raises(InvalidOption, match="nothing can be put on"):
            START.put(place, "")


def test_pieces_stand_on_their_own_kind_of_place() -> None:
    for place, piece in {"e4": "spring", "e3": "C1", "3.5": "single", "3.5h": "^"}.items():
        with pytest.raises(InvalidOption, match="cannot stand on"):
            START.put(place, piece)


def test_changes_are_told_against_the_moment_shown() -> None:
    shown = craft(springs="3.5").act("canal 3.5h")
    assert shown.played
    assert Draft.of(shown).put("e4", "A1").changes(shown) == {"e4": "A1", "3.5h": ""}


def test_arms_in_another_order_are_read_too() -> None:
    text = str(craft(springs="3.5", canals="3.5:e;3.5:s"))
    assert Draft(text.replace("3.5:e;3.5:s", "3.5:s;3.5:e")).text == text


def test_tools_in_words() -> None:
    land, springs, canals = START.tools()
    assert land.ids == ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "^", "")
    assert [(piece.label, piece.icon) for piece in land.pieces[3:5]] == [
        ("tile of A with 4 houses", "A4d"),
        ("tile of B with 1 house", "B1d"),
    ]
    assert (springs.ids, canals.ids) == (("spring", ""), ("single", "double", ""))
    assert [len(tools.places) for tools in START.tools()] == [92, 113, 204]
    assert [tools.look for tools in START.tools()] == ["square", "dot", "single"]


def test_a_board_without_a_name_of_its_own() -> None:
    text = (Layout.folder / "aquadukt2-6x5.toml").read_text("utf-8")
    layout = Layout.loads(text.replace("aquadukt2-6x5", "mine"))
    p = Position.start(layout)
    assert Draft.of(p).position() == p
    assert eval(repr(Draft.of(p)), {"Draft": Draft, "Layout": Layout}) == Draft.of(p)
