"""A turn in words: every legal turn of every game is told, at three lengths, without notation."""

from __future__ import annotations

import random
import re
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import EVERY_GAME

from aquakit import aquadukt, start
from aquakit.board.telling import LENGTHS, tell_decisions, tell_line, tell_parts
from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn, InvalidOption

MANY = 12
"""So many turns of a position are told."""
USUAL = 110
"""What fits two short rows: the medium words of a turn in which not all happens at once."""
CODE = re.compile(r"[@=*|#]|\bx-|\bx[RYGB]\d|\+[csbdj][NESW]|\d\.\d+[hv]|\bdie \d")


def some_turns(p: AnyPosition, draw: random.Random) -> list[Any]:
    """Gets some ways to complete the turn, with dice where there are any."""
    found = set(islice(p.turns(), 10 * MANY))
    if isinstance(p, aquadukt.Position):
        rolls = [draw.randint(1, len(p.layout.regions)) for _ in range(9)]
        found |= set(islice(p.turns(dice=rolls), 10 * MANY))
    return draw.sample(sorted(found, key=str), min(MANY, len(found)))


@settings(max_examples=60, deadline=None)
@given(p=EVERY_GAME, seed=st.integers(0, 2**32))
def test_every_turn_is_told_without_notation(p: AnyPosition, seed: int) -> None:
    for turn in some_turns(p, random.Random(seed)):
        told = [p.tell(turn, length) for length in LENGTHS]
        assert all(words and not CODE.search(words) for words in told), told
        assert len(told[0]) <= len(told[1]) <= len(told[2])


@settings(max_examples=60, deadline=None)
@given(p=EVERY_GAME, seed=st.integers(0, 2**32))
def test_different_turns_are_told_differently(p: AnyPosition, seed: int) -> None:
    turns = some_turns(p, random.Random(seed))
    told = {p.tell(turn, "full"): str(turn) for turn in turns}
    assert sorted(told.values()) == sorted(map(str, turns))


@settings(max_examples=60, deadline=None)
@given(p=EVERY_GAME, seed=st.integers(0, 2**32))
def test_what_is_decided_tells_turns_apart_and_holds_no_notation(p: AnyPosition, seed: int) -> None:
    turns = some_turns(p, random.Random(seed))
    told = [tell_decisions(p, turn) for turn in turns]
    assert len(set(told)) == len(turns)
    assert not any(CODE.search(words) for words in told)


@settings(max_examples=60, deadline=None)
@given(p=EVERY_GAME, seed=st.integers(0, 2**32))
def test_medium_words_of_usual_turns_fit_two_short_rows(p: AnyPosition, seed: int) -> None:
    for turn in some_turns(p, random.Random(seed)):
        parts = tell_parts(p, turn)
        if len(parts) <= 5 and all(part.kind != "end" for part in parts):
            assert len(p.tell(turn)) <= USUAL


@settings(max_examples=30, deadline=None)
@given(p=EVERY_GAME, seed=st.integers(0, 2**32))
def test_icons_are_pieces_of_the_picture(p: AnyPosition, seed: int) -> None:
    pieces = set(re.findall(r'id="(?:[\w-]*?-)?(\w+)"', p.svg()))
    for turn in some_turns(p, random.Random(seed))[:10]:
        icons = {name for part in tell_parts(p, turn, "full") for name in part.icon.split()}
        assert icons <= pieces


@pytest.mark.parametrize("length", ["long", "", 3, None])
def test_another_length_is_an_error(length: Any) -> None:
    with pytest.raises(InvalidOption, match="expected short or medium or full"):
        start("romana4").tell("c7=L@Nc", length)


def test_what_cannot_be_played_is_an_error() -> None:
    with pytest.raises(IllegalTurn):
        start("romana4").tell("c7=N@Nc")
    with pytest.raises(IllegalTurn, match="complete before"):
        start("romana4").tell("c7=L@Nc x- h7=+@Nh x-")


def test_a_line_says_whose_turns_they_are() -> None:
    p = start("romana2-5x4")
    turns = ["b3=+@E4 xR1 *j", "d2=7@Sd"]
    assert [told.partition(":")[0] for told in tell_line(p, turns)] == ["Red", "Green"]
    assert list(tell_line(p, turns[:1])) == [p.tell(turns[0])]


def test_a_line_may_end_with_a_roll() -> None:
    assert list(tell_line(start("aquadukt2"), ["spring 3.5", "roll"])) == ["A: spring on 3.5", "B: the die is rolled"]
