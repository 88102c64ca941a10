"""What is said about a turn of Aqua Romana is true, and carries its number."""

from __future__ import annotations

import random
import re

import pytest
from crafted import craft, lengths
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import ROMANA

from aquakit.board.claims import Claim
from aquakit.romana import Action, Layout, Position, Turn
from aquakit.romana.board.facts import podium_now
from aquakit.romana.board.why import name, standing, why

TURNS = ROMANA.map(lambda p: p.rewind()).filter(lambda p: not p.is_over)
CHANCE = st.randoms(use_true_random=False)


def said(p: Position, text: str, kind: str) -> list[Claim]:
    """Gets what is said about a turn, of one kind."""
    turn, after = p.carry_out(text)
    return [claim for claim in why(p, Turn(turn), after) if claim.kind == kind]


def play_a_turn(p: Position, chance: random.Random) -> tuple[Turn, Position]:
    """Plays on at random to the start of the next turn."""
    actions: list[Action] = []
    while not p.is_over and (p.played or not actions):
        actions.append(chance.choice(p.actions()))
        p = p.act(actions[-1])
    return Turn(actions), p


@settings(max_examples=25)
@given(TURNS, CHANCE)
def test_every_claim_carries_its_numbers(p: Position, chance: random.Random) -> None:
    turn, after = play_a_turn(p, chance)
    for claim in why(p, turn, after):
        told = [int(number) for number in re.findall(r"(?<![a-zA-Z=])\d+", claim.text)]
        assert claim.numbers
        assert all(number in told for number in claim.numbers if number), claim
        assert not claim.text.endswith(".")


# Closings and podiums


def test_a_closing_takes_the_podium_that_another_would_get() -> None:
    red = {"c7": "|", "c6": "|", "c5": "|", "c4": "L"}
    blue = {"c2": "F", "d2": "+", "e2": "-", "f2": "-", "g2": "-"}
    p, turn = craft(tiles=red | blue, builders={"E4": "s"}), "d4=-@E4 xR2 *j"
    assert said(p, turn, "close") == [Claim("close", "Closes R2 at length 5: podium 5, 5 points", (5, 5))]
    text = "R2 takes podium 5, which B2 (length 5, now podium 4) would get if closed now"
    assert said(p, turn, "podium") == [Claim("podium", text, (5, 4))]
    assert said(p, "d4=-@E4 x-", "podium") == []


def test_nothing_is_taken_where_nobody_else_is_long_enough() -> None:
    p = craft(tiles={"c7": "|", "c6": "|", "c5": "|", "c4": "L", "h7": "|"}, builders={"E4": "s"})
    assert said(p, "d4=-@E4 xR2 *j", "podium") == []


def test_a_podium_for_two_is_not_taken_by_one() -> None:
    p = craft(tiles={"c7": "|", "c6": "L", "h7": "|", "h6": "|", "h5": "|"}, builders={"E6": "s"})
    assert said(p, "d6=-@E6 xR2 *j", "podium") == []


def test_without_a_podium_left_a_closing_brings_nothing() -> None:
    p = craft(builders={"Nc": "s"}, closed={"Y1": 1})
    text = "Closes R2 at length 1: no podium left, 0 points"
    assert said(p, "c7=|@Nc xR2 *j", "close") == [Claim("close", text, (1, 0))]


@settings(max_examples=25)
@given(TURNS, CHANCE)
def test_what_a_closing_takes_is_what_others_have_without_it(p: Position, chance: random.Random) -> None:
    moment = p
    while moment.phase not in ("close", "pick", "over") and (moment.played or moment is p):
        moment = moment.act(chance.choice(moment.actions()))
    assume(moment.phase == "close")
    none, close, *_ = moment.actions()
    (_, without), (turn, after) = finish(moment, none), finish(moment, close)
    assume(not after.is_over and not without.is_over)
    podium = next(a.podium for a in after.aqueducts if a.name == close.aqueduct)
    now, then = ({a.name: podium_now(q, a.name) for a in after.aqueducts if a.open} for q in (after, without))
    told = [c.text for c in why(p, turn, after) if c.text.startswith(f"{close.aqueduct} takes podium")]
    named = set(re.findall(r"(\w+) \(length", " ".join(told)))
    assert named == {name for name in now if podium and then[name] == podium > now[name]}


def finish(moment: Position, action: Action) -> tuple[Turn, Position]:
    """Goes on from a moment of a turn with an action and then always the first one, to the turn's end."""
    actions, p = [*moment.played, action], moment.act(action)
    while p.played:
        actions.append(p.actions()[0])
        p = p.act(actions[-1])
    return Turn(actions), p


# Walls and outlooks


def test_a_tile_walls_in_another_players_aqueduct() -> None:
    p, turn = craft(tiles={"d7": "L", "e7": "-", "f7": "-", "h7": "J"}, builders={"E7": "c"}), "g7=7@E7 x- *j"
    text = "Walls in Y1 at length 1: podium 1, 1 point for Yellow"
    assert said(p, turn, "wall") == [Claim("wall", text, (1, 1))]
    assert said(p, turn, "pick") == [Claim("pick", "Yellow takes the joker from the reserve, 4 left there", (4,))]


def test_an_own_aqueduct_ends_at_the_rim() -> None:
    p = craft(tiles={"b8": "-"}, builders={"Na": "c"})
    text = "Ends R1 at the rim at length 3: podium 3, 3 points"
    assert said(p, "a7=J@Na *j", "wall") == [Claim("wall", text, (3, 3))]


def test_a_dead_end_is_told() -> None:
    p = craft(tiles={"c7": "|", "b5": "|", "d5": "|", "c4": "-"}, builders={"Nc": "s"})
    text = "R2 comes to a dead end, 0 ways out: any tile on c5 closes it"
    assert said(p, "c6=|@Nc x-", "outlook") == [Claim("outlook", text, (0,))]


def test_a_neighbour_loses_a_way_out() -> None:
    p = craft(builders={"Nc": "s"})
    assert said(p, "c7=|@Nc x-", "outlook") == [Claim("outlook", "R3 has 2 ways out left, 3 before", (2, 3))]


def test_an_aqueduct_is_saved_from_being_walled_in() -> None:
    p = craft(tiles={"d7": "L", "e7": "-", "f7": "-", "h7": "J"}, builders={"E7": "c"})
    text = "Saves R3 from being walled in, as 2 tiles (such as curve from south to east on g7) could have done"
    assert said(p, "g7=7@E7 x- *j", "threat") == [Claim("threat", text, (2,))]


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_threats_are_what_the_next_player_could_really_do(seed: int) -> None:
    chance, p = random.Random(seed), Position.start("romana2-5x4")
    for _ in range(chance.randrange(6)):
        if not p.is_over:
            _, p = play_a_turn(p, chance)
    assume(not p.is_over)
    turn, after = play_a_turn(p, chance)
    assume(after.phase == "build" and after.mover != p.mover)
    for claim in why(p, turn, after):
        if match := re.match(r"(?:Red|Green) could wall in (\w+) with (\d+) tile", claim.text):
            shut = {(a.square, a.tile) for a in after.actions() if not stays_open(after, a, match[1])}
            assert len(shut) == int(match[2])


def stays_open(p: Position, build: Action, aqueduct: str) -> bool:
    """Checks whether an aqueduct stays open through a turn in which nothing is closed by choice."""
    return next(a.open for a in finish(p, build)[1].aqueducts if a.name == aqueduct)


# Lengths


def test_lengthening_tells_gain_length_and_podium() -> None:
    text = "Lengthens R2 by 1, to 1: podium 1 if closed now"
    assert said(craft(builders={"Nc": "s"}), "c7=|@Nc x-", "length") == [Claim("length", text, (1, 1, 1))]


def test_loose_paths_taken_in_are_counted() -> None:
    p = craft(tiles={"c6": "|", "c5": "L"}, builders={"Nc": "s"})
    text = "Lengthens R2 by 3, to 3, with 2 segments of loose path: podium 3 if closed now"
    assert said(p, "c7=|@Nc x-", "length") == [Claim("length", text, (3, 3, 3))]


def test_others_that_grow_are_told_after_the_own() -> None:
    p = craft(tiles={"d7": "L", "e7": "-", "f7": "-", "h7": "J"}, builders={"E7": "d"})
    assert [claim.text for claim in said(p, "g7=Z@E7 x-", "length")] == [
        "Lengthens R3 by 1, to 4: podium 4 if closed now",
        "Also lengthens Y1 by 1, to 2: podium 2 if closed now",
    ]


@settings(max_examples=25)
@given(TURNS, CHANCE)
def test_lengths_told_are_the_lengths_reached(p: Position, chance: random.Random) -> None:
    turn, after = play_a_turn(p, chance)
    told = {}
    for claim in why(p, turn, after):
        if match := re.search(r"engthens (\w+)", claim.text):
            told[match[1]] = claim.numbers[:2]
    reached = lengths(after)
    grown = {a.name: a.length for a in p.aqueducts if a.open and reached[a.name] > a.length}
    assert told == {name: (reached[name] - was, reached[name]) for name, was in grown.items()}


# The extra tile


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        ("k3=|", ["The extra tile on k3 makes a loose path of length 1, which G1 could join on k2"]),
        (
            "j2=|",
            [
                "The extra tile on j2 makes a loose path of length 1",
                "The extra tile on j2 leaves G1 1 way out, 2 before",
                "The extra tile on j2 leaves G2 2 ways out, 3 before",
            ],
        ),
    ],
)
def test_the_extra_tile_makes_loose_paths_and_narrows_outlooks(extra: str, told: list[str]) -> None:
    p = craft(builders={"E1": "s"}, player="3")
    assert [claim.text for claim in said(p, f"j1=-@E1 {extra}", "extra")] == told


# Sights


def test_the_joker_goes_out_of_greens_sight_and_stays_in_reds() -> None:
    green = {"h2": "7", "g2": "-", "f2": "-", "e2": "-", "d2": "+"}
    p = craft(tiles=green, builders={"Sd": "j"}, reserve="csbd")
    text = "Brings the joker on Sc out of Green's sight (0 builders, 1 before)"
    assert said(p, "d7=|@Sd x-", "sight") == [Claim("sight", text, (0, 1))]


def test_a_placed_builder_comes_into_sight() -> None:
    p = craft(held={1: "j"}, reserve="csbd", builders={"Nc": "s"})
    text = "Brings the joker on E7 into Red's sight (2 builders, 1 before)"
    assert said(p, "+jE7 c7=|@Nc x-", "sight") == [Claim("sight", text, (2, 1))]


@settings(max_examples=25)
@given(TURNS, CHANCE)
def test_sights_are_counted_as_the_workmen_see(p: Position, chance: random.Random) -> None:
    def in_sight(q: Position, player: int) -> int:
        return len({path for a in q.aqueducts if a.open and a.owner == player for path in a.sees if path in q.builders})

    turn, after = play_a_turn(p, chance)
    names = {name(p.layout, player): player for player in range(1, len(p.layout.players) + 1)}
    for claim in why(p, turn, after):
        if match := re.search(r"(\S+)'s sight", claim.text):
            player = names[match[1]]
            assert claim.numbers == (in_sight(after, player), in_sight(p, player))


def test_alone_nobody_else_looks_and_idleness_ends_nothing() -> None:
    idle = craft(builders={"Na": "s"})
    assert said(idle, "@Na", "idle")
    assert said(idle.solo(1), "@Na", "idle") == []
    green = {"h2": "7", "g2": "-", "f2": "-", "e2": "-", "d2": "+"}
    p, turn = craft(tiles=green, builders={"Sd": "j"}, reserve="csbd"), "d7=|@Sd x-"
    assert [claim.text.split()[-6] for claim in said(p, turn, "sight")] == ["Green's"]
    assert said(p.solo(1), turn, "sight") == []


# Stock, idleness, the end


def test_the_last_tile_of_a_kind_frees_its_builders() -> None:
    p = craft(builders={"Nc": "s"}, stock="3.1.3.3")
    text = "Lays the last straight, 0 left: now every straight builder brings any kind in stock"
    assert said(p, "c7=|@Nc x-", "stock") == [Claim("stock", text, (0,))]


def test_a_turn_without_a_tile_is_told() -> None:
    text = "Lays no tile: idle count 1, and the game ends at 4"
    assert said(craft(builders={"Na": "s"}), "@Na", "idle") == [Claim("idle", text, (1, 4))]


def test_the_end_of_the_game_is_told_with_its_points() -> None:
    p = craft(tiles={"c7": "|", "c6": "|"}, builders={"Na": "s"}, idle=3)
    claims = why(p, *p.carry_out("@Na x-"))
    assert claims[0] == Claim("end", "Ends the game: Red 6, Yellow 0, Green 0, Blue 0", (6, 0, 0, 0))
    assert not [claim for claim in claims if claim.kind in ("close", "wall", "idle")]


# What the engine asks


def test_standing_is_what_the_rules_give_if_play_stopped() -> None:
    p = craft(tiles={"c7": "|", "c6": "|", "h7": "|", "h6": "|"}, closed={"R1": 5}, player="2")
    assert standing(p) == standing(p, 1) == p.stopped(1).scores()
    assert standing(p, 2) == p.stopped(2).scores() != p.stopped(1).scores()
    assert standing(p.act(p.actions()[0])) == standing(p)


def test_standing_in_a_study_is_that_of_its_player() -> None:
    p = craft(tiles={"c7": "|", "h7": "|", "h6": "|"}, player="2!")
    assert standing(p) == (0, p.study_points(), 0, 0)


def test_players_are_named_by_colours() -> None:
    assert name(Layout.load("romana2"), 2) == "Red+Green"
