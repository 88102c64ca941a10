"""How hard a puzzle is follows from who fails at it, and is the same every time."""

from __future__ import annotations

import random
from dataclasses import replace
from math import log2

import pytest

from aquakit.puzzle.difficulty import LEVELS, measure, rate
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Proof, Puzzle
from aquakit.puzzle.trying import try_greedily
from aquakit.romana import Position
from aquakit.romana.puzzles.walks import close_at_longest, settle_one_by_one, walk
from tests.aquadukt.aquadukt_crafted import craft as craft_city
from tests.romana.crafted import craft

SMALL = "romana2-5x4"
ASKED = {
    "plan": Puzzle.draft("plan", str(Position.start(SMALL).solo(1)), 2),
    "duel": Puzzle.draft("duel", str(Position.start(SMALL)), 2),
    "endgame": Puzzle.draft(
        "endgame", "romana2-5x4 F##+7/.L-J./.N-7./L+##J ..c.s/.b.d/...cs/.bd. - j,d 4.*,3.* 1.2.1.2 1 0", 0
    ),
    "longest": Puzzle.draft("longest", str(Position.start(SMALL)), 0, {"aqueduct": "R1"}),
    "timing": Puzzle.draft(
        "timing",
        str(craft(tiles={"c7": "|", "c6": "|", "h7": "|"})),
        3,
        {"growth": {"R2": [3, 4, 4], "R3": [1, 2, 3], "Y1": [3, 4, 5]}, "rivals": {"Y1": 2}},
    ),
    "canals": Puzzle.draft("canals", str(craft_city(tiles={"d6": "A4", "b4": "A2"}, springs="3.4")), 2),
    "house": Puzzle.draft("house", f"{craft_city(springs='0.4', canals='0.4:e')} : roll, die 4, 1 b4, roll, die 4", 1),
}


def prove(kind: str) -> tuple[Puzzle, Proof]:
    proof = find_kind(kind).prove(ASKED[kind])
    return ASKED[kind].model_copy(update={"value": proof.value}), proof


@pytest.mark.parametrize("kind", ASKED)
def test_every_kind_has_a_level_and_always_the_same(kind: str) -> None:
    puzzle, proof = prove(kind)
    assert rate(puzzle, proof) in range(1, 6)
    assert measure(puzzle, proof) == measure(puzzle, proof)


@pytest.mark.parametrize("kind", ["plan", "duel", "endgame"])
def test_each_solver_who_fails_counts(kind: str) -> None:
    puzzle, proof = prove(kind)
    asked = find_kind(kind)
    solvers = len(list(asked.tries(puzzle)))
    assert asked.count_misses(puzzle, replace(proof, accepted=("any",))) == 0
    assert asked.count_misses(puzzle, replace(proof, accepted=("*c *c *c *c",))) == solvers
    assert 0 <= asked.count_misses(puzzle, proof) <= solvers


def test_who_looks_far_enough_ahead_solves_a_plan() -> None:
    puzzle, proof = prove("plan")
    *_, last = find_kind("plan").tries(puzzle.model_copy(update={"horizon": puzzle.horizon + 1}))
    assert all(any(find_kind("plan").matches(puzzle, text, answer) for answer in proof.accepted) for text in last)


def test_levels_begin_where_they_are_said_to() -> None:
    puzzle, proof = prove("duel")
    number = measure(puzzle, proof)
    assert rate(puzzle, proof) == 1 + sum(number >= limit for limit in LEVELS)


def test_more_to_decide_counts_more() -> None:
    asked = Puzzle.draft("canals", str(craft_city(tiles={"d6": "A4"}, springs="3.4")), 2)
    one = Proof(0, ("",), 1, "canal 3.4h, stop", "", "")
    two = Proof(0, ("",), 1, "canal 3.4h, canal 3.4h", "", "")
    count_bits = find_kind("canals").count_bits
    assert count_bits(asked, one) == log2(4), "a spring has four sides"
    assert count_bits(asked, two) > count_bits(asked, one)


def test_greedy_plays_whole_turns() -> None:
    start = Position.start(SMALL)
    for text in try_greedily(start):
        assert not start.play(text).played


# Simple people


def test_a_walk_lays_tiles_that_the_rules_allow() -> None:
    asked, kind = ASKED["longest"], find_kind("longest")
    best = kind.prove(asked).value
    for seed in range(5):
        assert kind.worth(asked, walk(asked, random.Random(seed))) <= best
    lengths = [kind.worth(asked, walk(asked, random.Random(1), walks=walks)) for walks in (1, 10)]
    assert lengths[0] <= lengths[1]


def test_closing_by_habit_keeps_to_the_rules() -> None:
    asked, kind = ASKED["timing"], find_kind("timing")
    best = kind.prove(asked).value
    habits = [close_at_longest(asked, kind.worth)]
    habits += [settle_one_by_one(asked, kind.worth, backwards=backwards) for backwards in (False, True)]
    for schedule in habits:
        assert kind.worth(asked, schedule) <= best
    assert habits[0].split()[0] == "R2@2", "it is 4 long from round 2 on"
