"""Lemmas of docs/planner-proof.md on what the search need not try: set against trying everything on small boards."""

from __future__ import annotations

import random
from typing import Any

import exhaustive
import numpy as np
import pytest
from search_cases import BUDGET, PLIES, study, try_all

from aquakit.compiled.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY, MOVE, PLACE
from aquakit.romana.planner.exact import transpositions
from aquakit.romana.planner.exact.bound import reachable
from aquakit.romana.planner.exact.searcher import Searcher, may_defer_builders
from aquakit.romana.planner.plan_question import PlanQuestion

LOOSE = (1, 3, 4, 5, 6, 2)
"""Codes of tiles with one path."""


def crowded(seed: int) -> Any:
    """Gets a study position with few empty squares, and builders that are about to pass fountains."""
    draw, p = random.Random(seed), study(seed)
    t, s = p.layout.tables, p.state.copy()
    left = draw.randint(4, 14)
    while True:
        empty = [q for q in range(t.squares) if s.tile[q] == EMPTY]
        loose = [q for q in empty if q not in s.face[: t.aqueducts]]
        if len(empty) <= left or not loose:
            break
        kernel.lay(t, s, draw.choice(loose), draw.choice(LOOSE))
    kernel.survey(t, s)
    return type(p)(p.layout, s)


def with_builders(seed: int) -> Any:
    """Gets a study position whose player holds one builder or two, of kinds that nobody else has to place."""
    draw, p = random.Random(seed), study(seed)
    s = p.state.copy()
    for kind in draw.sample(range(5), draw.randint(1, 2)):
        if s.held[5 * s.player + kind] == 0 and s.reserve[kind] > 0:
            s.reserve[kind] -= 1
            s.held[5 * s.player + kind] += 1
    if s.phase == MOVE and any(s.held[5 * s.player : 5 * s.player + 5]):
        s.phase = PLACE
    return type(p)(p.layout, s)


def compare(p: Any, turns: int, *, forbid: bool = False) -> bool:
    """Checks that the search finds what trying everything finds; says whether everything could be tried."""
    best = try_all(p, turns)
    if best == exhaustive.TOO_MANY:
        return False
    filled = frozenset(name for name, code in p.tiles.items() if code and forbid)
    found = Searcher(PlanQuestion(p, turns, forbid=frozenset(sorted(filled)[:1]))).run(p, turns)
    assert (found.points, found.proved) == (best, True), (str(p), turns)
    return True


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_lemma_6_no_plan_is_worth_more_than_the_bound_of_its_first_state(turns: int) -> None:
    exact = compared = 0
    for p in (draw(seed) for draw in (crowded, study) for seed in range(40)):
        best = try_all(p, turns)
        if best != exhaustive.TOO_MANY:
            bound = Searcher(PlanQuestion(p, turns)).upper_bound
            assert best <= bound, str(p)
            exact += best == bound
            compared += 1
    assert compared >= 20
    assert exact > 0


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_lemma_7_a_build_is_left_only_if_its_board_is_worth_too_little(turns: int) -> None:
    assert sum(compare(crowded(seed), turns) for seed in range(40)) >= 15


@pytest.mark.parametrize("turns", [2, 3])
def test_lemma_8_extra_tiles_may_be_laid_late(turns: int) -> None:
    positions = (draw(seed) for draw in (crowded, study) for seed in range(100, 140))
    assert sum(compare(p, turns) for p in positions) >= 20


@pytest.mark.parametrize("turns", [1, 2])
def test_lemma_9_builders_may_be_placed_late(turns: int) -> None:
    positions = [with_builders(seed) for seed in range(200, 240)]
    assert sum(may_defer_builders(p, turns) and any(p.state.held) for p in positions) >= 10
    assert sum(compare(p, turns) for p in positions) >= 15


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_lemma_11_squares_out_of_reach_are_alike(turns: int) -> None:
    assert sum(compare(study(seed), turns, forbid=True) for seed in range(300, 330)) >= 8


@pytest.mark.parametrize("turns", [1, 2])
def test_lemma_12_in_the_last_turn_one_place_in_sight_is_enough(turns: int) -> None:
    assert sum(compare(with_builders(seed), turns, forbid=True) for seed in range(200, 230)) >= 10


def after_one_turn(p: Any) -> Any:
    """Gets all states in which the first turn can end, each once."""
    t, sizes, rules = p.layout.tables, p.layout.capacity, load(kernel, fast=True)
    tables = kernel.Tables.records(sizes, 1)
    t.store(tables)
    states, works = kernel.State.records(sizes, 2), kernel.Work.records(sizes, 1)
    p.state.store(states)
    rest, found = [states[0].copy()], dict[bytes, Any]()
    while rest:
        state = rest.pop()
        if state["ended"] > p.state.ended:
            found[state.tobytes()] = state
            continue
        states[0] = state
        rules.generate(tables[0], states[0], works[0])
        for action in works["actions"][0][: int(works["count"][0])]:
            states[1] = state
            rules.apply(tables[0], states[1], int(action))
            rest.append(states[1].copy())
    return list(found.values())


def worth(p: Any, state: Any, turns: int) -> int:
    """Gets the most points of some turns from a state, by trying everything."""
    sizes = p.layout.capacity
    tables = kernel.Tables.records(sizes, 1)
    p.layout.tables.store(tables)
    states, works = kernel.State.records(sizes, PLIES), kernel.Work.records(sizes, PLIES)
    states[0] = state
    words, met = states.view(np.uint64).reshape(PLIES, -1), np.zeros(1 << 20, np.uint64)
    until = int(state["ended"]) + turns
    run = load(exhaustive, fast=True).try_all
    return int(run(tables, states, works, words, met, p.state.player, until, BUDGET))


@pytest.mark.parametrize("turns", [1, 2])
def test_lemma_10_states_with_equal_keys_are_worth_the_same(turns: int) -> None:
    compared = 0
    for p in (draw(seed) for draw in (crowded, study) for seed in range(400, 412)):
        searcher = Searcher(PlanQuestion(p, turns + 1))
        lane, tables = searcher._lanes[0], searcher._tables[0]
        searcher._prepare(lane, p, turns + 1, -1, 1 << 30, None)
        same = dict[int, list[Any]]()
        for state in after_one_turn(p):
            lane.states[0] = state
            ground, quest = lane.grounds[0], lane.quests[0]
            load(reachable, fast=True).spread(tables, lane.states[0], ground, p.state.player, 2 * turns - 1)
            keys = load(transpositions, fast=True)
            key = int(keys.hash_state(tables, lane.states[0], ground, quest, 0, turns))
            same.setdefault(key, []).append(state)
        for group in [group for group in same.values() if len(group) > 1][:30]:
            values = {worth(p, state, turns) for state in (group[0], group[-1])}
            assert len(values) == 1 or exhaustive.TOO_MANY in values, str(p)
            compared += 1
    assert compared >= 30
