"""Clicking a turn together: all that is legal is offered, nothing else is, and each choice has its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from aquadukt_crafted import craft
from hypothesis import given
from hypothesis import strategies as st
from random_games import AQUADUKT
from svg_checks import marked, read, spot

from aquakit.aquadukt import Position
from aquakit.aquadukt.board.picture import measure
from aquakit.aquadukt.notation import Turn
from aquakit.board.clicks import CHANCE, Choice, NumberEntry, Offer, Refusal, offer, walk
from aquakit.errors import IllegalTurn

WATERED = {"springs": "3.5", "canals": "3.5:Ee"}
"""A double canal north of d5 and a single one north of e5."""
NO_MORE_ROLLS = {"hands": "0.0.0.0,0.0.0.0"}
NO_MORE_WATER = {
    "springs": "1.1,6.1,11.1,3.6,9.6",
    "canals": "1.1:NN;6.1:NNN;6.1:WW;11.1:NNNNNN;3.6:NN;3.6:SS;9.6:N",
}


def every_offer(position: Position, picked: tuple[str, ...] = ()) -> Iterator[Offer]:
    """Iterates over the offers that can be clicked to."""
    made = offer(position, picked)
    yield made
    for choice in made.choices:
        if not choice.act:
            yield from every_offer(position, (*picked, choice.id))


def acts(made: Offer) -> list[str]:
    return [choice.act for choice in made.choices]


def labels(made: Offer) -> list[str]:
    return [choice.label for choice in made.choices]


def find(made: Offer, choice: str) -> Choice:
    found = made.find(choice)
    assert found is not None
    return found


def follow(position: Position, tokens: str) -> Position:
    """Carries out actions that need not complete a turn."""
    for action in Turn.parse(tokens):
        position = position.act(action)
    return position


# Always


@given(AQUADUKT)
def test_what_is_legal_is_offered_and_nothing_else(position: Position):
    found = {act for made in every_offer(position) for act in acts(made) if act}
    assert found == ({CHANCE} if position.is_chance else {str(action) for action in position.actions()})


@given(AQUADUKT)
def test_keys_are_told_apart(position: Position):
    for made in every_offer(position):
        keys = [choice.key for choice in made.choices if choice.key]
        assert len(set(keys)) == len(keys)
        assert [choice.id for choice in made.choices if choice.look == "button" and not choice.key] == []


@given(AQUADUKT)
def test_choices_differ_and_have_a_place_or_a_button(position: Position):
    places = measure(position.layout)
    for made in every_offer(position):
        assert len(set(labels(made))) == len({choice.id for choice in made.choices}) == len(made.choices)
        for choice in made.choices:
            assert bool(choice.on) == (choice.look != "button")
            assert set(choice.on) <= set(places)


@given(AQUADUKT)
def test_a_prompt_is_one_short_line(position: Position):
    for made in every_offer(position):
        assert 0 < len(made.prompt) < 90
        assert made.prompt == " ".join(made.prompt.split())
        assert made.prompt.startswith("The game is over" if position.is_over else f"Player {position.player} (")


@given(AQUADUKT)
def test_a_number_typed_in_is_thrown_or_refused(position: Position):
    entry = offer(position).entry
    assert (entry is not None) == any(action.what in ("roll", "die") for action in position.actions())
    if entry is None:
        return
    taken = {*position.tiles, *position.mountains}
    for number in range(entry.least, entry.most + 1):
        if set(position.layout.regions[number - 1]) <= taken:
            with pytest.raises(IllegalTurn, match="no free square"):
                follow(position, entry.act.format(number))
        else:
            assert follow(position, entry.act.format(number)).die == number


@given(AQUADUKT)
def test_a_spring_is_offered_or_refused_on_every_point(position: Position):
    if position.phase != "turn" or not any(action.what == "spring" for action in position.actions()):
        return
    made = offer(position, () if len(offer(position).choices) == 1 else ("spring",))
    points = [place for choice in made.choices for place in choice.on] + [place for place, _ in made.refusals]
    assert sorted(points) == sorted(position.layout.point_index)
    assert all(reason and "\n" not in reason for _, reason in made.refusals)


@given(AQUADUKT)
def test_nothing_walks(position: Position):
    for action in position.actions()[:3]:
        assert walk(position, position.act(action)) is None


# A turn


def test_a_turn_begins_with_the_die_a_spring_or_canals():
    made = offer(craft(player="2", **WATERED))
    assert made.prompt == "Player 2 (B): roll the die, place a spring or lay canals"
    assert made.choices[:2] == (
        Choice("roll", "Roll the die", "button", act="roll", key="r"),
        Choice("spring", "Place a spring", "button", key="s"),
    )
    assert made.entry == NumberEntry("a real die shows", 1, 20, "roll, die {}")


def test_a_canal_is_laid_with_one_click_and_says_how_many_squares_it_waters():
    made = offer(craft(**WATERED))
    assert find(made, "canal 5.5v") == Choice(
        "canal 5.5v", "canal on 5.5v", "single", ("5.5v",), "canal 5.5v", note="+1"
    )
    assert find(made, "canal 4.5h") == Choice(
        "canal 4.5h", "second canal on 4.5h: double", "double", ("4.5h",), "canal 4.5h", note="+2"
    )


def test_only_what_is_possible_is_named():
    assert offer(craft()).prompt == "Player 1 (A): roll the die or place a spring"
    made = offer(craft(**WATERED, **NO_MORE_ROLLS))
    assert made.prompt == "Player 1 (A): place a spring or lay canals"
    assert made.entry is None


def test_who_can_only_place_a_spring_is_asked_for_its_point_at_once():
    made = offer(craft(**NO_MORE_ROLLS))
    assert made.prompt == "Player 1 (A): choose a point for the spring"
    assert len(made.choices) == 113


def test_a_spring_too_near_is_refused_with_the_reason():
    made = offer(craft(**WATERED), ("spring",))
    assert find(made, "spring 8.5") == Choice("spring 8.5", "spring on 8.5", "dot", ("8.5",), "spring 8.5")
    assert Refusal("3.1", "3.1 is 4 steps from the spring on 3.5, fewer than 5 [Q2]") in made.refusals


def test_a_spring_on_a_canal_is_refused_with_the_reason():
    made = offer(craft(springs="3.5", canals="3.5:eeeee"), ("spring",))
    assert Refusal("8.5", "a canal touches 8.5") in made.refusals


def test_who_can_do_nothing_passes():
    made = offer(craft(player="2", **NO_MORE_ROLLS, **NO_MORE_WATER))
    assert made.prompt == "Player 2 (B): pass, for nothing else is possible"
    assert made.choices == (Choice("pass", "Pass", "button", act="pass", key="p"),)


# The die and houses


def test_the_die_is_left_to_chance_or_typed_in():
    made = offer(craft().act("roll"))
    assert made.prompt == "Player 1 (A): throw the die"
    assert made.choices == (Choice("throw", "Throw the die", "button", act=CHANCE, key="t"),)
    assert made.entry == NumberEntry("the die shows", 1, 20, "die {}")


def test_the_square_is_chosen_before_the_houses():
    p = follow(craft(player="2", tiles={"d6": "A1"}, **WATERED), "roll, die 6")
    made = offer(p)
    assert made.prompt == "Player 2 (B): build in region 6, or decline"
    assert labels(made) == ["d3, no water", "c4, no water", "d4, 1 canal", "c5, no water", "d5, 2 canals", "Decline"]
    assert find(made, "d5") == Choice("d5", "d5, 2 canals", "square", ("d5",))
    assert find(made, "decline") == Choice("decline", "Decline", "button", act="decline", key="d")


def test_all_values_go_on_a_dry_square():
    made = offer(follow(craft(player="2", **WATERED), "roll, die 6"), ("c4",))
    assert made.prompt == "Player 2 (B): choose how many houses go on c4"
    assert acts(made) == ["1 c4", "2 c4", "3 c4", "4 c4", "decline"]
    assert made.choices[0] == Choice("1 c4", "1 house on c4", "ghost", ("c4",), "1 c4", "B1d", "1", key="1")


def test_only_the_lowest_value_goes_on_a_watered_square():
    made = offer(follow(craft(**WATERED), "roll, die 6"), ("d5",))
    assert made.choices[0] == Choice("1 d5", "1 house on d5", "ghost", ("d5",), "1 d5", "A1w", "1", key="1")
    assert acts(made) == ["1 d5", "decline"]


@pytest.mark.parametrize("square", ["c4", "d5"])
def test_a_house_on_trial_looks_as_it_will(square: str):
    p = follow(craft(**WATERED), "roll, die 6")
    choice = offer(p, (square,)).choices[0]
    laid = marked(read(p.act(choice.act)), "tile")[f"{square}=A1"]
    assert laid.attrib["href"].endswith(f"-{choice.piece}")


def test_after_a_house_one_rolls_again_or_stops():
    made = offer(follow(craft(), "roll, die 6, 3 c4"))
    assert made.prompt == "Player 1 (A): roll again, or stop"
    assert made.choices == (
        Choice("roll", "Roll again", "button", act="roll", key="r"),
        Choice("stop", "Stop", "button", act="stop", key="s"),
    )
    assert made.entry == NumberEntry("a real die shows", 1, 20, "roll, die {}")


# Canals


def test_after_a_canal_one_lays_a_second_or_stops():
    made = offer(craft(**WATERED).act("canal 5.5h"))
    assert made.prompt == "Player 1 (A): lay a second canal, or stop"
    assert find(made, "canal 6.5h").look == "single"
    assert find(made, "canal 4.5h").look == "double"
    assert made.choices[-1] == Choice("stop", "Stop", "button", act="stop", key="s")
    assert made.entry is None


# The end


def test_the_winner_is_named_with_the_points():
    made = offer(craft(player="-", tiles={"d5": "B3"}, **WATERED))
    assert made == Offer("The game is over: player 2 (B) wins with 3 points")


def test_a_shared_win_is_said():
    tiles = {"d5": "A1", "d6": "B1", "e5": "C1", "e6": "D1"}
    made = offer(craft("aquadukt4", player="-", tiles=tiles, **WATERED))
    assert made == Offer("The game is over: A, B, C and D share the win with 1 point")


# Where things lie


@given(AQUADUKT, st.booleans(), st.booleans(), st.booleans())
def test_places_are_measured_where_they_are_drawn(position: Position, flip: bool, coordinates: bool, panel: bool):
    options: dict[str, Any] = {"flip": flip, "coordinates": coordinates, "panel": panel}
    places, picture = measure(position.layout, **options), read(position, **options)
    pieces = {**marked(picture, "watered"), **marked(picture, "tile"), **marked(picture, "spring")}
    for name, piece in pieces.items():
        assert spot(piece) == pytest.approx(places[name.partition("=")[0]][:2], abs=0.06)


def test_every_square_point_and_segment_has_its_measure():
    places = measure(craft().layout)
    assert len(places) == 92 + 113 + 204
    assert {name: places[name][2:] for name in ("e4", "3.5", "3.5h", "3.5v")} == {
        "e4": (48, 48),
        "3.5": (24, 24),
        "3.5h": (48, 20),
        "3.5v": (20, 48),
    }
    x, y = places["3.5"][:2]
    assert places["3.5h"][:2] == (x + 24, y)
    assert places["3.5v"][:2] == (x, y - 24)
    assert places["d6"][:2] == (x + 24, y - 24)
