"""Turns of Aquädukt in words."""

from __future__ import annotations

from aquadukt_crafted import craft

from aquakit.aquadukt import Position
from aquakit.board.telling import tell_parts

FAR_EAST = ("l5", "l4", "l3", "k3", "k4", "k5", "j1", "i1")
"""Mountains that leave region 1 alone, which is b8, c8, a7 and b7."""


def test_houses_are_told_with_their_rolls() -> None:
    p = Position.start("aquadukt2", mountains=FAR_EAST)
    turn = "roll, die 1, 3 b8, roll, die 7, decline"
    assert p.tell(turn, "short") == "3 houses on b8, nothing built"
    assert p.tell(turn) == p.tell(turn, "full") == "3 houses on b8 (rolled 1), nothing built (rolled 7)"
    assert p.tell("roll, die 1, 1 b8, stop") == "1 house on b8 (rolled 1), no further roll"


def test_tiles_that_are_driven_out_are_told() -> None:
    p = craft(mountains=FAR_EAST, tiles={"b8": "A3", "c8": "B2", "a7": "B1"})
    turn = "roll, die 1, 4 b7, stop"
    assert p.tell(turn) == "4 houses on b7 (rolled 1), 4 tiles driven out, no further roll"
    assert "4 tiles driven out (7 houses of A and 3 of B)" in p.tell(turn, "full")


def test_canals_are_named_by_their_ends_away_from_the_spring() -> None:
    p = craft(mountains=FAR_EAST, springs="2.7")
    assert p.tell("canal 1.7h, canal 1.7h") == "canal from 2.7 to 1.7, second canal from 2.7 to 1.7"
    assert p.tell("canal 2.6v, stop") == "canal from 2.7 to 2.6, no other canal"


def test_water_is_told_with_whose_houses_it_reaches() -> None:
    p = craft(mountains=FAR_EAST, springs="2.7", tiles={"b8": "A3", "b7": "B2"})
    assert p.tell("canal 1.7h, stop", "full").endswith("water for 3 houses of A and 2 of B")


def test_springs_passes_and_rolls_are_told() -> None:
    p = Position.start("aquadukt2")
    assert p.tell("spring 3.5", "short") == "spring on 3.5"
    assert p.tell("roll") == "the die is rolled"
    assert p.tell("roll, die 7") == "7 rolled"
    assert p.act("roll").act("die 7").tell("decline") == "nothing built (rolled 7)"


def test_each_piece_has_its_picture() -> None:
    parts = tell_parts(Position.start("aquadukt2"), "roll, die 7, 3 e3, stop")
    assert [part.icon for part in parts if part.icon] == ["A3d"]
