"""Turns of Aqua Romana in words."""

from __future__ import annotations

import pytest
from crafted import craft

from aquakit.board.telling import tell_parts
from aquakit.romana import Position


def test_a_turn_with_an_extra_tile_is_told_at_three_lengths() -> None:
    """The builder on Sc steps over two others and passes the fountain behind Sa."""
    p = craft(builders={"Sc": "d", "Sb": "c", "Sa": "b"}, tiles={"c7": "|"})
    turn = "c6=N@Sc e6=Z x-"
    assert p.tell(turn, "short") == "double curve on c6"
    assert p.tell(turn) == "double curve on c6 by the builder on Sc, extra tile on e6, nothing closed"
    assert p.tell(turn, "full") == (
        "double curve NE and SW on c6 by the builder on Sc, extra tile (double curve NW and SE) on e6, "
        "R2 reaches length 2, nothing closed"
    )


def test_a_held_builder_is_placed_first() -> None:
    p = craft(held={1: "j"}, reserve="csbd")
    turn = "+jW7 c7=L@Nc x-"
    assert p.tell(turn, "short") == "curve on c7"
    assert p.tell(turn) == "joker placed on W7, curve on c7 by the builder on Nc, nothing closed"


def test_a_builder_of_another_kind_is_named() -> None:
    p = craft(builders={"Nc": "j", "Nd": "s"}, reserve="csbd")
    assert p.tell("c7=L@Nc") == "curve on c7 by the joker on Nc, nothing closed"
    empty = craft(builders={"Nc": "s"}, stock="21.0.21.21")
    assert empty.tell("c7=L@Nc") == ("curve on c7 by the straight builder on Nc (no straight is left), nothing closed")


def test_a_closing_is_told_with_podium_and_pick() -> None:
    p = Position.start("romana4")
    assert p.tell("c7=L@Nc xR2 *b") == "curve on c7 by the builder on Nc, R2 closed, bridge builder taken"
    full = p.tell("c7=L@Nc xR2 *b", "full")
    assert full.endswith("on c7 by the builder on Nc, R2 closed (length 1, podium 1, 1 point), bridge builder taken")


def test_others_that_are_walled_in_are_told_with_whose_points_and_pick() -> None:
    """[R8]: Yellow's end before d7 finds a tile there that has no way for it."""
    p = craft(tiles={"e7": "-", "f7": "-", "g7": "-", "h7": "J"}, builders={"Nd": "s"})
    turn = next(turn for turn in p.turns() if str(turn) == "d7=|@Nd x- *j")
    assert p.tell(turn).endswith("on Nd, Y1 walled in, none closed by choice, joker taken by Yellow")
    assert "Y1 walled in (length 4, podium 4, 4 points for Yellow)" in p.tell(turn, "full")


def test_without_a_tile_a_builder_advances() -> None:
    p = craft(builders={"Na": "c"})
    assert p.tell("@Na", "short") == "curve builder on Na advanced"
    assert p.tell("@Na") == "curve builder on Na advanced, no tile"


def test_the_end_is_told_with_the_totals() -> None:
    p = craft(builders={"Na": "c"}, tiles={"c7": "L"}, idle=3)
    told = p.tell("@Na x-", "full")
    assert told == (
        "curve builder on Na advanced, no tile, nothing closed, "
        "the game ends, for a whole round was without a tile: Red 5, Yellow 0, Green 0, Blue 0"
    )


def test_a_game_without_workmen_ends_with_a_tile() -> None:
    """The last open aqueduct is walled in by its own tile: all players are skipped, and the round is over [R10]."""
    closed = dict.fromkeys(("R1", "R2", "R3", "Y1", "Y2", "Y3", "G1", "G2", "G3", "B2", "B3"), 0)
    p = craft(closed=closed, tiles={"d2": "F"}, builders={"E2": "c"}, player="4")
    ended = next(turn for turn in p.turns() if p.play(turn).is_over)
    assert "the game ends, for no workman is left" in p.tell(ended)


def test_a_setup_turn_is_told_even_briefly() -> None:
    p = Position.start("romana4", setup=True)
    assert p.tell("+cNe", "short") == "curve builder placed on Ne"


@pytest.mark.parametrize(("rest", "words"), [("x-", "nothing closed"), ("xR2 *j", "R2 closed, joker taken")])
def test_the_rest_of_a_turn_is_told_alone(rest: str, words: str) -> None:
    assert Position.start("romana4").act("c7=L@Nc").tell(rest) == words


def test_what_is_walled_in_is_told_from_within_the_turn() -> None:
    """[R8]: it is closed after the decision about own ones, and so told with that."""
    p = craft(tiles={"e7": "-", "f7": "-", "g7": "-", "h7": "J"}, builders={"Nd": "s"})
    assert p.act("d7=|@Nd").tell("x- *j") == "Y1 walled in, none closed by choice, joker taken by Yellow"


def test_each_piece_has_its_picture() -> None:
    parts = tell_parts(Position.start("romana4"), "c7=L@Nc xR2 *j", "medium")
    assert [part.icon for part in parts if part.icon] == ["t3", "bc", "bj"]
