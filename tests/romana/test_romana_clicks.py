"""What a board of Aqua Romana offers: all that is legal and nothing else, in the players' words, where it lies."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from crafted import craft, tokens
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import ROMANA
from svg_checks import SVG, marked, read, spot

from aquakit.board import clicks
from aquakit.board.clicks import Offer
from aquakit.errors import InvalidOption
from aquakit.romana import Action, Layout, Position
from aquakit.romana.board.clicks import offer, walk
from aquakit.romana.board.picture import measure
from aquakit.romana.board.scene import FOUNTAINS

FULL = """
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


def every_offer(p: Position, picked: tuple[str, ...] = ()) -> Iterator[Offer]:
    """Goes through all offers that picks can lead to."""
    made = offer(p, picked)
    yield made
    for choice in made.choices:
        if not choice.act:
            yield from every_offer(p, (*picked, choice.id))


def pieces(picture: ET.Element) -> set[str]:
    """Gets the pieces of a picture as offers write them."""
    found = ((name, value) for e in picture.iter() for name, value in e.attrib.items())
    return {f"{name.removeprefix('data-')}={value}" for name, value in found if name.startswith("data-")}


def labels(made: Offer) -> list[str]:
    return [choice.label for choice in made.choices]


# All that is legal, and nothing else


@settings(max_examples=80)
@given(ROMANA)
def test_picks_lead_to_every_legal_action_and_to_no_other(p: Position) -> None:
    acts = {choice.act for made in every_offer(p) for choice in made.choices if choice.act}
    assert acts == tokens(p)


@settings(max_examples=60)
@given(ROMANA)
def test_offers_lie_on_places_and_pieces_of_the_picture(p: Position) -> None:
    picture = read(p)
    shown, places = pieces(picture), set(measure(p.layout))
    definitions = {e.attrib["id"] for e in picture.iter() if "id" in e.attrib}
    for made in every_offer(p):
        assert places.issuperset(place for ray in made.rays for place in ray)
        assert {made.colour} <= set(p.layout.reservoirs) if made.rays else not made.colour
        for choice in made.choices:
            assert bool(choice.on) != (choice.look == "button")
            assert shown.issuperset(on for on in choice.on if "=" in on)
            assert places.issuperset(on for on in choice.on if "=" not in on)
            assert definitions.issuperset(f"ro-l-{part}" for part in choice.piece.split())
            assert bool(choice.piece) == (choice.look == "ghost" or choice.act.startswith("+"))
            assert choice.turns == (choice.look == "ghost")


@settings(max_examples=60)
@given(ROMANA)
def test_offers_are_told_apart(p: Position) -> None:
    for made in every_offer(p):
        assert len(made.prompt) < 80
        assert "\n" not in made.prompt
        assert len(set(labels(made))) == len(made.choices)
        assert len({choice.id for choice in made.choices}) == len(made.choices)
        clicked = [on for choice in made.choices if choice.look != "ghost" for on in choice.on]
        assert len(set(clicked)) == len(clicked)


@settings(max_examples=60)
@given(ROMANA)
def test_keys_are_told_apart_and_the_safe_choice_closes_nothing(p: Position) -> None:
    for made in every_offer(p):
        keys = [choice.key for choice in made.choices if choice.key]
        assert len(set(keys)) == len(keys)
        assert all(len(key) == 1 and key.isascii() and key == key.lower() for key in keys)
        assert {(choice.id, choice.key) for choice in made.choices if choice.safe} == (
            {("x-", "0")} if p.phase == "close" else set()
        )
        assert all(choice.named or choice.look == "button" for choice in made.choices if choice.key)


def test_builders_have_the_keys_of_their_kinds_and_closings_their_numbers() -> None:
    spare = offer(Position.start("romana4", setup=True))
    assert [choice.key for choice in spare.choices] == ["c", "s", "b", "d"]
    closing = Position.start("romana4").act("c7=L@Nc")
    assert [(choice.id, choice.key) for choice in offer(closing).choices] == [("x-", "0"), ("xR2", "2")]
    taking = offer(closing.act("xR2"))
    assert [(choice.id, choice.key) for choice in taking.choices] == [(f"*{kind}", kind) for kind in "csbdj"]


@settings(max_examples=40)
@given(ROMANA)
def test_a_pick_without_a_choice_is_made_without_asking(p: Position) -> None:
    made = clicks.offer(p)
    assert len(made.choices) != 1 or made.choices[0].act
    assert p.is_over == (not made.choices)


# The offers of each decision


def test_setup_offers_kinds_then_free_path_squares() -> None:
    p = Position.start("romana4", setup=True).act("+cNc")
    made = offer(p)
    assert made.prompt == "Yellow: choose a builder to place"
    assert labels(made) == ["curve builder", "straight builder", "bridge builder", "double curve builder"]
    assert made.choices[0].on == ("spare=c",)
    made = offer(p, ("c",))
    assert made.prompt == "Yellow: choose where the curve builder goes"
    assert len(made.choices) == len(p.layout.path_names) - 1
    first = made.choices[0]
    assert (first.id, first.label, first.look, first.on, first.act, first.piece) == (
        "+cNa", "curve builder on Na", "square", ("Na",), "+cNa", "bc",
    )  # fmt: skip
    assert made.find("+cNc") is None


def test_held_builders_are_offered_one_by_one() -> None:
    p = craft(held={2: "bj"}, reserve="csd", player="2")
    made = offer(p)
    assert made.prompt == "Yellow: choose where the bridge builder goes"
    assert {choice.piece for choice in made.choices} == {"bb"}
    assert offer(p.act("+bNa")).prompt == "Yellow: choose where the joker goes"


def test_an_extension_is_chosen_by_workman_builder_and_tile() -> None:
    p = Position.start("romana4")
    made = offer(p)
    assert made.prompt == "Red: choose an aqueduct to extend"
    assert labels(made) == ["R1, length 0, before b8", "R2, length 0, before c7", "R3, length 0, before d7"]
    assert made.choices[1].on == ("workman=R2", "c7")
    made = offer(p, ("R2",))
    assert made.prompt == "Red: choose a builder for R2"
    assert labels(made) == [
        "curve builder on Nc: 2 tiles", "bridge builder on E8: 1 tile", "double curve builder on Sc: 2 tiles",
        "curve builder on W8: 2 tiles",
    ]  # fmt: skip
    assert made.choices[0].on == ("builder=Nc",)
    assert (made.rays, made.colour) == ((("c8", "Nc"), ("c8", "E8"), ("c8", "Sc"), ("c8", "W8")), "R")
    tiles = offer(p, ("R2", "Nc"))
    assert tiles.prompt == "Red: choose how the curve lies on c7"
    assert labels(tiles) == ["curve from north to east", "curve from north to west"]
    assert [(choice.id, choice.act, choice.on, choice.piece) for choice in tiles.choices] == [
        ("c7=L@Nc", "c7=L@Nc", ("c7",), "t3"), ("c7=J@Nc", "c7=J@Nc", ("c7",), "t4"),
    ]  # fmt: skip
    assert (tiles.rays, tiles.colour) == ((("c8", "Nc"),), "R")


def test_only_builders_that_stand_in_sight_are_offered() -> None:
    p = craft(builders={"Nd": "s", "Nf": "c"})
    made = clicks.offer(p)
    assert made.prompt == "Red: lay the straight on d7"
    assert labels(made) == ["straight from north to south"]
    assert made.rays == (("d8", "Nd"),)


def test_a_builder_whose_kind_has_run_out_offers_all_others_and_says_why() -> None:
    made = offer(craft(builders={"Nc": "s"}, stock="21.0.21.21"), ("R2", "Nc"))
    assert made.prompt == "Red: choose the tile for c7 (no straight is left, so any kind)"
    assert "curve from north to east" in labels(made)


def test_a_joker_offers_all_kinds_by_name() -> None:
    made = offer(craft(builders={"Nc": "j"}, reserve="csbd"), ("R2", "Nc"))
    assert made.prompt == "Red: choose the tile for c7 (the joker brings any kind)"
    assert labels(made) == [
        "straight from north to south", "curve from north to east", "curve from north to west", "bridge",
        "double curve NW and SE", "double curve NE and SW",
    ]  # fmt: skip


def test_a_bridge_is_shown_with_its_deck() -> None:
    made = offer(Position.start("romana4"), ("R2", "E8"))
    assert [choice.piece for choice in made.choices] == ["t7 deck"]


def test_workmen_before_one_square_offer_what_each_can_lay() -> None:
    # R3 stands above d6 and sees the double curve builder in row 7; R2 stands below d6 and does not.
    p = craft(
        tiles={"d7": "|", "c7": "|", "c6": "|", "c5": "|", "c4": "L", "d4": "J", "d5": "|"},
        builders={"Nd": "c", "E7": "d"},
    )
    made = offer(p)
    assert [choice.on for choice in made.choices if choice.id in ("R2", "R3")] == [("workman=R2",), ("workman=R3",)]
    assert labels(offer(p, ("R2",))) == ["curve builder on Nd: 2 tiles"]
    assert labels(offer(p, ("R3",))) == ["curve builder on Nd: 2 tiles", "double curve builder on E7: 2 tiles"]
    assert [choice.act for choice in offer(p, ("R3", "Nd")).choices] == ["d6=L@Nd", "d6=J@Nd"]
    assert [choice.act for choice in offer(p, ("R2", "Nd")).choices] == ["d6=F@Nd", "d6=7@Nd"]


def test_advancing_offers_all_builders() -> None:
    made = offer(craft(builders={"Na": "s", "E4": "j"}, reserve="csbd"))
    assert made.prompt == "Red: nothing can be built; choose a builder to advance"
    assert [(choice.label, choice.on, choice.act) for choice in made.choices] == [
        ("straight builder on Na", ("builder=Na",), "@Na"), ("joker on E4", ("builder=E4",), "@E4"),
    ]  # fmt: skip


def test_the_extra_tile_is_chosen_by_square_and_tile() -> None:
    p = craft(builders={"E1": "s"}, player="3").act("j1=-@E1")  # the builder passes the fountain to Sk
    made = offer(p)
    assert made.prompt == "Green: choose where the extra tile goes (straight)"
    d4 = made.find("d4")
    assert d4 is not None
    assert (d4.label, d4.look, d4.on, d4.act) == ("d4", "square", ("d4",), "")
    assert made.find("k2") is None  # before G1
    made = offer(p, ("d4",))
    assert made.prompt == "Green: choose how the extra straight lies on d4"
    assert [(choice.act, choice.on, choice.piece) for choice in made.choices] == [
        ("d4=|", ("d4",), "t1"), ("d4=-", ("d4",), "t2"),
    ]  # fmt: skip


def test_an_extra_tile_of_any_kind() -> None:
    p = craft(builders={"E1": "s"}, player="3", stock="2.1.0.2").act("j1=-@E1")
    assert offer(p).prompt == "Green: choose where the extra tile goes (any kind in stock)"
    made = offer(p, ("d4",))
    assert made.prompt == "Green: choose the extra tile for d4"
    assert len(made.choices) == 6


def test_closings_tell_the_podium() -> None:
    p = craft(tiles={"c7": "|", "c6": "|", "d7": "|"}, builders={"Na": "s"}, closed={"Y1": 2}).act("@Na")
    made = offer(p)
    assert made.prompt == "Red: close an aqueduct, or none"
    assert labels(made) == ["Close none", "close R2: length 2, podium 1", "close R3: length 1, podium 1"]
    assert [choice.look for choice in made.choices] == ["button", "ring", "ring"]
    assert made.choices[0].act == "x-"
    assert (made.choices[1].on, made.choices[1].act, made.choices[1].note) == (("workman=R2",), "xR2", "→1")


def test_a_closing_without_a_podium_is_told_too() -> None:
    p = craft(tiles={"c7": "|"}, builders={"Na": "s"}, closed={"Y1": 1}).act("@Na")
    assert (offer(p).choices[1].label, offer(p).choices[1].note) == ("close R2: length 1, no podium left", "→0")


def test_the_owner_picks_from_the_reserve() -> None:
    # Red's curve on g7 walls in Y1, which faces it from h7.
    p = craft(tiles={"d7": "L", "e7": "-", "f7": "-", "h7": "J"}, builders={"E7": "c"}, reserve="bj")
    made = offer(p.act("g7=7@E7").act("x-"))
    assert made.prompt == "Yellow: take a builder from the reserve"
    assert [(choice.label, choice.on, choice.act) for choice in made.choices] == [
        ("take the bridge builder", ("reserve=b",), "*b"), ("take the joker", ("reserve=j",), "*j"),
    ]  # fmt: skip


def test_players_with_two_colours_are_named_by_both() -> None:
    assert offer(Position.start("romana2")).prompt == "Yellow+Blue: choose an aqueduct to extend"


PRINTED_EXAMPLE = {
    "B1": 17, "B2": 5, "B3": 0, "G1": 14, "G2": 4, "G3": 1, "Y1": 12, "Y2": 6, "Y3": 3, "R1": 11, "R2": 7, "R3": 2,
}  # fmt: skip


def test_the_end_names_the_winner() -> None:
    assert offer(craft(closed=PRINTED_EXAMPLE, player="-")) == Offer("The game is over: Blue wins with 26")


def test_a_win_can_be_shared() -> None:
    p = craft(closed=dict.fromkeys(PRINTED_EXAMPLE, 0) | {"R1": 3, "G2": 3, "B3": 2}, player="-")
    assert offer(p).prompt == "The game is over: Red and Green share the win with 7"
    p = craft(closed=dict.fromkeys(PRINTED_EXAMPLE, 0), player="-")
    assert offer(p).prompt == "The game is over: Red, Yellow, Green and Blue share the win with 0"


def test_a_study_ends_without_a_winner() -> None:
    p = craft(closed={"R1": 1, "R2": 2, "R3": 3}, player="1!")
    assert offer(p) == Offer("No workman is left to move")


# How builders walk


@settings(max_examples=80)
@given(ROMANA, st.randoms(use_true_random=False))
def test_builders_walk_clockwise_over_others_to_a_free_path_square(p: Position, chance: Any) -> None:
    if p.is_over:
        return
    action: Action = chance.choice(p.actions())
    after = p.act(action)
    way = walk(p, after)
    if action.what not in ("build", "advance"):
        assert way is None
        return
    assert way is not None
    first, *between, last = way.places
    assert first == action.path
    assert way.piece == f"builder={last}"
    assert after.builders[last] == p.builders[first]
    assert {place for place in between if place not in FOUNTAINS} <= set(p.builders)
    places = measure(p.layout)
    for a, b in pairwise(way.places):
        (x1, y1, *_), (x2, y2, *_) = places[a], places[b]
        assert {abs(x1 - x2), abs(y1 - y2)} in ({0, 48}, {0, 49})
        assert a not in FOUNTAINS or b not in FOUNTAINS


def test_a_builder_turns_the_corner_past_the_fountain() -> None:
    p = craft(builders={"E2": "s", "E1": "c", "Sk": "b"})
    assert walk(p, p.act("@E2")) == ("builder=Sj", ("E2", "E1", "SE", "Sk", "Sj"))
    p = craft(builders={"E1": "s"}, player="3")
    assert walk(p, p.act("j1=-@E1")) == ("builder=Sk", ("E1", "SE", "Sk"))
    p = craft(builders={"Sa": "s"})
    assert walk(p, p.act("@Sa")) == ("builder=W1", ("Sa", "SW", "W1"))


def test_a_builder_walks_all_the_way_round_if_no_other_path_square_is_free() -> None:
    p = Position.start(Layout.loads(FULL))
    for action in p.actions():
        way = walk(p, p.act(action))
        assert way is not None
        assert way.places[0] == way.places[-1] == action.path
        assert way.piece == f"builder={action.path}"
        assert len(way.places) == 12 + 4 + 1
        assert len(set(way.places)) == 12 + 4


def test_a_builder_put_on_the_path_does_not_walk() -> None:
    p = Position.start("romana4", setup=True)
    assert walk(p, p.act("+cNc")) is None


# Where places lie


@pytest.mark.parametrize("options", [{}, {"flip": True}, {"coordinates": False}, {"panel": False}])
@pytest.mark.parametrize("layout", ["romana4", "romana2-5x4"])
def test_places_are_measured_as_they_are_drawn(layout: str, options: dict[str, bool]) -> None:
    p = Position.start(layout)
    places, picture = measure(p.layout, **options), read(p, **options)
    assert set(places) == {*p.layout.square_names, *p.layout.path_names, *FOUNTAINS}
    for path, e in marked(picture, "builder").items():
        assert places[path][:2] == spot(e)
    for name, e in marked(picture, "tile").items():
        assert places[name[:-2]] == (*spot(e), 48, 48)
    drawn = {spot(e) for e in picture.iter(f"{SVG}use") if e.attrib["href"].endswith("-fountain")}
    assert {places[name][:2] for name in FOUNTAINS} == drawn


def test_places_have_the_extent_of_what_lies_there() -> None:
    places = measure(Layout.load("romana4"))
    assert [places[name][2:] for name in ("c7", "Nc", "E6", "NE")] == [(48, 48), (48, 44), (44, 48), (44, 44)]
    assert places["NW"] < places["Na"] < places["NE"]


def test_fountains_are_no_places_for_marks() -> None:
    p = Position.start("romana4")
    for option in ({"highlights": ["NE"]}, {"arrows": [("c7", "SW")]}):
        with pytest.raises(InvalidOption, match="there is no"):
            p.svg(**option)
    with pytest.raises(InvalidOption, match="flip"):
        measure(p.layout, flip=1)
