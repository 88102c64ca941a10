"""What is said about a turn of Aquädukt is true, and carries its number."""

from __future__ import annotations

import random
import re

import pytest
from aquadukt_crafted import craft, tokens
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import AQUADUKT

from aquakit.aquadukt import Action, Layout, Position, Turn
from aquakit.aquadukt.board.why import name, standing, why
from aquakit.board.claims import Claim

APART = ("d7", "a4", "c4", "f7", "h7", "j7", "l6", "k2")
"""Mountains far enough apart for events; d7 is the first of them as one reads."""
FAR_EAST = ("l5", "l4", "l3", "k3", "k4", "k5", "j1", "i1")
"""Mountains that leave region 1 alone, which is b8, c8, a7 and b7."""


def said(p: Position, text: str, kind: str) -> list[Claim]:
    """Gets what is said about a decision, of one kind."""
    return [claim for claim in told(p, text) if claim.kind == kind]


def told(p: Position, text: str) -> list[Claim]:
    """Gets all that is said about a decision."""
    turn, after = Turn.parse(text), p
    for action in turn:
        after = after.act(action)
    return why(p, turn, after)


def after_die(p: Position, region: int) -> Position:
    """Gets the moment in which the die shows a region."""
    return p.act("roll").act(f"die {region}")


@settings(max_examples=25)
@given(AQUADUKT, st.randoms(use_true_random=False))
def test_every_claim_carries_its_numbers(p: Position, chance: random.Random) -> None:
    assume(not p.is_over and not p.is_chance)
    actions: list[Action] = []
    after = p
    while not after.is_over and not after.is_chance and (after.played or not actions):
        actions.append(chance.choice(after.actions()))
        after = after.act(actions[-1])
    for claim in why(p, Turn(actions), after):
        found = [int(number) for number in re.findall(r"\d+", claim.text)]
        assert claim.numbers
        assert all(number in found for number in claim.numbers if number), claim
        assert not claim.text.endswith(".")


# Water


def test_houses_that_get_water_are_told_by_player() -> None:
    p = craft(tiles={"d5": "A3", "d6": "B2", "c6": "A1"}, springs="3.5")
    text = "Brings water to 2 tiles: 3 houses of A and 2 of B"
    assert told(p, "canal 3.5h, stop") == [Claim("water", text, (2, 3, 2))]
    assert p.play("canal 3.5h, stop").scores() == (3, 2)


def test_the_mover_comes_first() -> None:
    p = craft(tiles={"d5": "A3", "d6": "B2"}, springs="3.5", player="2")
    assert said(p, "canal 3.5h, stop", "water")[0].text == "Brings water to 2 tiles: 2 houses of B and 3 of A"


def test_free_ground_that_gets_water_is_told() -> None:
    p = craft(tiles={"d5": "A3", "d6": "B2"}, springs="3.5")
    text = "Brings water to 2 free squares, now only for a player's lowest tiles"
    assert said(p, "canal 3.5h, canal 3.5h", "ground") == [Claim("ground", text, (2,))]


@settings(max_examples=25)
@given(AQUADUKT)
def test_the_houses_told_are_the_points_won(p: Position) -> None:
    p = p.rewind()
    canals = [action for action in p.actions() if action.what == "canal"]
    assume(canals and not any(p.mountains.values()))
    after = p.act(canals[-1])
    assume(not after.is_over)
    won = tuple(now - was for was, now in zip(p.scores(), after.scores(), strict=True))
    claims = [claim for claim in why(p, Turn([canals[-1]]), after) if claim.kind == "water"]
    assert [claim.numbers[1:] for claim in claims] == ([won] if any(won) else [])


# Houses and regions


def test_a_full_region_loses_its_dry_tiles() -> None:
    p = after_die(craft(mountains=FAR_EAST, tiles={"b8": "A3", "c8": "B2", "a7": "B1"}), 1)
    text = "Fills region 1: 4 tiles without water lost, 5 houses of A and 3 of B"
    assert told(p, "2 b7, stop") == [Claim("region", text, (4, 5, 3))]
    assert not p.act("2 b7").tiles


def test_a_full_region_with_water_loses_nothing() -> None:
    tiles = {"b8": "A3", "c8": "B2", "a7": "B1"}
    p = after_die(craft(mountains=FAR_EAST, tiles=tiles, springs="1.7", canals="1.7:ee;1.7:s"), 1)
    assert all(p.supply[square] for square in (*tiles, "b7"))
    assert said(p, "1 b7, stop", "region") == [
        Claim("region", "Fills region 1: 0 tiles are lost, all have water", (0,))
    ]


def test_a_region_about_to_fill_is_told() -> None:
    p = after_die(craft(mountains=FAR_EAST, tiles={"b8": "A3", "c8": "B2"}), 1)
    text = "Region 1 has 1 free square left: 5 houses of A and 2 of B would be lost if it filled now"
    assert told(p, "2 b7, stop") == [
        Claim("house", "Puts 2 houses on b7, without water", (2,)),
        Claim("region", text, (1, 5, 2)),
    ]


def test_houses_on_dry_and_on_watered_ground() -> None:
    p = craft(springs="3.5", canals="3.5:e")
    dry = "Puts 1 house on c6, without water, and leaves 3 free squares in region 2"
    assert said(after_die(p, 2), "1 c6, stop", "house") == [Claim("house", dry, (1, 3))]
    wet = "Puts 1 house on d6, which has 1 canal"
    assert said(after_die(p, 2), "1 d6, stop", "house") == [Claim("house", wet, (1, 1))]


def test_a_roll_tells_what_the_die_can_bring() -> None:
    text = "Rolls the die: 20 regions have a free square, 2 a watered one, 0 would be filled by a house"
    assert told(craft(springs="3.5", canals="3.5:e"), "roll") == [Claim("roll", text, (20, 2, 0))]


def test_declining_the_first_roll_is_idle_and_a_later_one_is_not() -> None:
    p = after_die(craft(), 7)
    text = "Puts nothing on the board: idle count 1, and the game ends at 6"
    assert told(p, "decline") == [Claim("idle", text, (1, 6))]
    later = after_die(p.act("1 f4"), 9)
    assert told(later, "decline") == [Claim("house", "Puts nothing in region 9", (9,))]


# Events


@pytest.mark.parametrize(
    ("events", "canals", "effect", "points"),
    [
        ("mmmmfmmf", "3.5:e", "A3 on d6 has 2 canals: 2 points more beside 1 mineral mountain", 5),
        ("fmmmmmmf", "-", "A3 on d6 has 1 canal: 0 points beside a foul mountain", 0),
        ("fmmmmmmf", "3.5:e", "A3 on d6 has 2 canals: safe from the foul mountain beside it", 3),
        ("mmmmmmff", "-", None, 3),
    ],
)
def test_events_act_on_tiles_watered_twice_or_once(events: str, canals: str, effect: str | None, points: int) -> None:
    p = craft(mountains=APART, events=events, tiles={"d6": "A3"}, springs="3.5", canals=canals)
    assert [claim.text for claim in said(p, "canal 3.5h, stop", "event")] == ([effect] if effect else [])
    assert p.play("canal 3.5h, stop").scores() == (points, 0)


def test_a_hidden_event_is_told_as_what_it_may_be() -> None:
    p = craft(mountains=APART, events="fmmmmmmf", tiles={"d6": "A3"}, springs="3.5").view()
    text = "A3 on d6 has 2 canals: 2 points more if a hidden event beside it is mineral, and safe if it is foul"
    assert said(p, "canal 3.5h, canal 3.5h", "event") == [Claim("event", text, (2,))]


# Springs, arms, canals


def test_a_spring_tells_whose_houses_it_comes_near() -> None:
    p = craft(tiles={"d5": "A3", "e6": "B2", "l5": "B4"})
    text = "Two canals from 3.5 come near 3 houses of A and 2 of B without water"
    assert told(p, "spring 3.5") == [Claim("spring", text, (3, 2))]


def test_a_blocked_arm_is_told() -> None:
    p, turn = craft(springs="3.0,1.5", canals="3.0:ww;1.5:sss"), "canal 1.1v, stop"
    (claim,) = said(p, turn, "arm")
    assert claim.text.startswith("The arm from 3.0 to the west can go no further: 0 points in reach, ")
    assert "canal 1.0v" in tokens(p, "canal")
    assert "canal 1.0v" not in tokens(p.play(turn), "canal")


@pytest.mark.parametrize(
    ("canals", "turn", "claim"),
    [
        ("2.2:EEE", "canal 1.2h, stop", []),
        ("2.2:EEEe;2.2:w", "canal 1.2h, stop", [(3, "Leaves 3 canals, and the last one brings the last round")]),
        ("2.2:EEEE;2.2:Ww", "canal 0.2h", [(0, "Lays the last canal, 0 left: the round is the last one")]),
    ],
)
def test_few_canals_left_are_told(canals: str, turn: str, claim: list[tuple[int, str]]) -> None:
    p = craft("aquadukt2-6x5", mountains=("c5", "c3"), springs="2.2", canals=canals)
    assert said(p, turn, "canals") == [Claim("canals", text, (left,)) for left, text in claim]


# What the engine asks


def test_standing_counts_watered_houses() -> None:
    p = craft(tiles={"d5": "A3", "l5": "B4"}, springs="3.5", canals="3.5:e")
    assert standing(p) == standing(p, 2) == (3, 0)
    assert name(Layout.load("aquadukt3"), 3) == "C"
