"""A compact answer stands for just the best turns: for all of them, and for no other."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import positions, romana_starts
from small_puzzles import ASKED

import aquakit
from aquakit.errors import IllegalTurn
from aquakit.puzzle import answers
from aquakit.puzzle.answers import Tokens, compress, contains, sort_turns
from aquakit.romana import Position
from aquakit.romana.puzzles.turns import rank

MANY = 400


def whole_turns(position: Position) -> list[Tokens]:
    """Lists a position's whole turns as tokens, if they are not too many for a test."""
    turns = list(islice(position.turns(), MANY + 1))
    assume(1 < len(turns) <= MANY)
    return [tuple(map(str, turn)) for turn in turns]


def stands_for(turns: list[Tokens], found: list[Tokens]) -> set[Tokens]:
    return {turn for turn in turns if any(contains(turn, answer) for answer in found)}


def check(turns: list[Tokens], best: set[Tokens]) -> list[Tokens]:
    """Checks that answers stand for the best turns alone, that none could be shorter, and that all are needed."""
    found = compress(turns, best, rank)
    accepted = [stands_for(turns, [answer]) for answer in found]
    counts = Counter(turn for some in accepted for turn in some)
    assert set(counts) == best
    for answer, some in zip(found, accepted, strict=True):
        assert any(counts[turn] == 1 for turn in some), "without it turns were missing"
        for shorter in combinations(answer, len(answer) - 1) if answer else ():
            assert not stands_for(turns, [shorter]) <= best
    return found


POSITIONS = positions(romana_starts(), 60).map(lambda p: p.rewind()).filter(lambda p: not p.is_over)


@settings(max_examples=60)
@given(POSITIONS, st.integers(0, 2**32), st.floats(0, 1))
def test_answers_to_any_set_of_best_turns_give_back_just_that_set(position: Position, seed: int, share: float) -> None:
    draw, turns = random.Random(seed), whole_turns(position)
    check(turns, {turn for turn in turns if draw.random() < share})


@settings(max_examples=60)
@given(POSITIONS, st.integers(0, 2**32))
def test_turns_that_are_best_for_a_decision_or_two_have_short_answers(position: Position, seed: int) -> None:
    draw, turns = random.Random(seed), whole_turns(position)
    tokens = draw.sample(sorted(draw.choice(turns)), k=1) + draw.sample(sorted(draw.choice(turns)), k=1)
    best = {turn for turn in turns if any(contains(turn, [token]) for token in tokens)}
    found = check(turns, best)
    assert len(found) <= len(set(tokens))
    assert all(len(answer) <= 1 for answer in found)


@settings(max_examples=30)
@given(POSITIONS, st.integers(0, 2**32))
def test_the_same_turns_have_the_same_answers_in_whatever_order_they_come(position: Position, seed: int) -> None:
    draw, turns = random.Random(seed), whole_turns(position)
    best = [turn for turn in turns if draw.random() < 0.3]
    found = compress(turns, best, rank)
    draw.shuffle(turns)
    draw.shuffle(best)
    assert compress(turns, best, rank) == found


@settings(max_examples=25)
@given(POSITIONS)
def test_real_best_turns_are_given_back_by_their_answers(position: Position) -> None:
    assume(not position.is_solo and position.phase != "setup")
    turns = whole_turns(position)
    best = {tuple(map(str, turn)) for turn in aquakit.solve(position, turns=1).turns}
    check(turns, best)


def test_if_all_is_best_the_answer_is_any() -> None:
    turns = [("c7=L@Nc", "x-"), ("c7=L@Nc", "xR1")]
    assert compress(turns, turns, rank) == [()]
    assert (answers.write(()), answers.read("any")) == ("any", ())
    assert answers.read(answers.write(("c7=L@Nc", "x-"))) == ("c7=L@Nc", "x-")


def test_of_answers_that_stand_for_as_many_turns_the_deciding_one_is_taken() -> None:
    turns = [("c7=L@Nc", "x-"), ("c7=L@Nc", "xR1"), ("c7=J@Nc", "g3=L", "x-")]
    assert compress(turns, turns[2:], rank) == [("c7=J@Nc",)]
    assert compress(turns, turns[1:2], rank) == [("xR1",)]


def test_one_closing_that_is_right_with_every_tile_is_one_answer() -> None:
    turns = [(build, close) for build in ("c7=L@Nc", "c7=J@Nc", "c7=F@Nd") for close in ("x-", "xR1")]
    assert compress(turns, [turn for turn in turns if "xR1" in turn], rank) == [("xR1",)]


def test_the_order_of_picks_counts() -> None:
    turns = [("c7=L@Nc", "*c", "*b"), ("c7=L@Nc", "*b", "*c"), ("c7=L@Nc", "*b", "*s")]
    assert compress(turns, turns[:1], rank) == [("*c", "*b")]
    assert not contains(turns[1], ("*c", "*b"))


def test_a_turn_may_leave_out_what_is_understood_and_must_be_legal() -> None:
    start = aquakit.parse(ASKED["duel"][0])
    turn = "+jW4 d3=L@W4 e2=+"
    assert answers.matches(start, turn, "d3=L@W4 e2=+ x-")
    assert answers.matches(start, f"{turn} / +dW4 a2=N@Na", "e2=+ x-")
    assert not answers.matches(start, turn, "e2=| x-")
    with pytest.raises(IllegalTurn, match="d3=L@W3"):
        answers.matches(start, "+jW4 d3=L@W3 e2=+", "any")


def test_sorting_finds_all_turns_and_where_the_value_was_lost() -> None:
    start = aquakit.parse(ASKED["endgame"][0])
    made = sort_turns(start, lambda before, after: "xR1" in map(str, after.played) or before.phase != "close")
    turns = {tuple(map(str, turn)) for turn in start.turns()}
    assert set(made.turns) == turns
    assert len(made.turns) == len(turns)
    assert {before.phase for before, _ in made.lost} == {"close"}
    assert all(turn not in made.best for turn in turns if "x-" in turn)
