"""The courses that the planner's bound reckons with are what tiles alone can do."""

from __future__ import annotations

import random
from typing import Any

import exhaustive
import numpy as np
import pytest
from search_cases import study

from aquakit.compiled.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY
from aquakit.romana.planner.exact.bound import courses, reachable, upper_bound
from aquakit.romana.planner.exact.bound.courses import BY_TILES
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan_question import PlanQuestion

TILES = 3


def grow(tables: Any, boards: Any, depth: int, a: int, begun: int, most: list[int]) -> None:
    """Lays tiles before the end of one aqueduct in all ways, and bounds how much longer it gets by each number."""
    rules, state = load(kernel, fast=True), boards[depth]
    most[depth] = max(most[depth], int(state["length"][state["tip"][a]]) - begun)
    q = int(state["face"][a])
    if depth == TILES or q < 0 or state["tile"][q] != EMPTY:
        return
    codes = rules.fitting(tables, state, q, rules.ends_at(tables, state, q))
    codes &= int(tables["with_port"][state["entry"][a]])
    for code in (code for code in range(16) if (codes >> code) & 1):
        boards[depth + 1] = boards[depth]
        rules.lay(tables, boards[depth + 1], q, code)
        rules.locate(tables, boards[depth + 1], a)
        grow(tables, boards, depth + 1, a, begun, most)


@pytest.mark.parametrize("seed", range(400, 412))
def test_the_best_course_is_as_long_as_tiles_alone_can_make_an_aqueduct(seed: int) -> None:
    p = study(seed)
    searcher = Searcher(PlanQuestion(p, TILES))
    lane, tables = searcher._lanes[0], searcher._tables[0]
    searcher._prepare(lane, p, TILES, -1, 1 << 30, None)
    state, ground, me = lane.states[0], lane.grounds[0], p.state.player
    spread, paths = load(reachable, fast=True).spread, load(courses, fast=True)
    spread(tables, state, ground, me, TILES)
    paths.allow_all_kinds(ground)
    team = paths.find_all_courses(tables, state, ground, me, TILES)
    boards = kernel.State.records(p.layout.capacity, TILES + 1)
    for member, a in enumerate(ground["team"][:team]):
        boards[0], most = state, [0] * (TILES + 1)
        grow(tables, boards, 0, a, int(state["length"][state["tip"][a]]), most)
        for tiles in range(1, TILES + 1):
            course = ground["course"][member * BY_TILES + tiles]
            assert course == max(most[: tiles + 1]), p.aqueducts[a]


def strew(seed: int) -> Any:
    """Throws tiles on squares that no end faces yet, most of them with two paths, and leaves many podiums free."""
    draw, p = random.Random(seed), study(seed)
    t, s = p.layout.tables, p.state.copy()
    for _ in range(draw.randint(0, 14)):
        squares = [q for q in range(t.squares) if s.tile[q] == EMPTY and q not in s.face[: t.aqueducts]]
        if squares:
            kernel.lay(t, s, draw.choice(squares), draw.choice((1, 3, 4, 7, 7, 8, 8, 9, 9)))
    return p, s


def check_bound(seed: int, most: int) -> int:
    """Compares the bound with what tiles alone can do, and adds up by how much it is too generous."""
    p, s = strew(seed)
    searcher = Searcher(PlanQuestion(p, most))
    lane, tables = searcher._lanes[0], searcher._tables[0]
    searcher._prepare(lane, p, most, -1, 1 << 30, None)
    state, ground, me = lane.states[0], lane.grounds[0], p.state.player
    reach, limits = load(reachable, fast=True), load(upper_bound, fast=True)
    run = load(exhaustive, fast=True)
    spare = 0
    for tiles in range(1, most + 1):
        s.store(lane.states)
        made = run.lay_all(searcher._tables, lane.states, lane.works, me, tiles)
        s.store(lane.states)
        reach.spread(tables, state, ground, me, tiles)
        load(courses, fast=True).allow_all_kinds(ground)
        limit = reach.points_of(tables, state, me) + limits.board_bound(tables, state, ground, me, tiles, 0, 0)
        assert made <= limit, (seed, tiles)
        spare += limit - made
    return spare


@pytest.mark.parametrize("seed", range(600, 640))
def test_what_tiles_alone_can_make_is_within_the_bound(seed: int) -> None:
    assert check_bound(seed, 3) <= 12


def look_at_last_turn(seed: int, kinds: list[int]) -> tuple[int, int]:
    """Gets the most points of a last turn before which tiles of some kinds are laid late, and what the bound says."""
    p = study(seed)
    searcher = Searcher(PlanQuestion(p, 1))
    lane, tables = searcher._lanes[0], searcher._tables[0]
    searcher._prepare(lane, p, 1, -1, 1 << 30, None)
    ground, me = lane.grounds[0], p.state.player
    load(reachable, fast=True).spread(tables, lane.states[0], ground, me, 1 + len(kinds))
    ground["extras"] = len(kinds)
    credit = sum(1 << (8 * kind) for kind in kinds)
    limit = int(load(upper_bound, fast=True).last_turn_bound(tables, lane.states[0], ground, me, False, credit))
    run = load(exhaustive, fast=True).lay_and_build
    return int(run(searcher._tables, lane.states, lane.works, me, np.array(kinds, np.int64))), limit


def has_last_turn(seed: int, most: int) -> bool:
    """Checks whether a study has so many empty squares at most, nothing to place and tiles of all kinds in stock."""
    p = study(seed)
    empty = p.state.tile[: p.layout.tables.squares].count(EMPTY)
    return empty <= most and min(p.state.stock[:4]) > 0 and p.state.phase == kernel.MOVE


@pytest.mark.parametrize(("tiles", "empty"), [(0, 99), (1, 99), (2, 40), (3, 20)])
def test_the_last_turn_brings_no_more_than_its_bound_and_mostly_as_much(tiles: int, empty: int) -> None:
    draw, exact, seeds = random.Random(tiles), 0, list[int]()
    for seed in range(700, 1100):
        if len(seeds) < 12 and has_last_turn(seed, empty):
            best, limit = look_at_last_turn(seed, [draw.randrange(4) for _ in range(tiles)])
            assert limit >= best, seed
            exact += limit == best
            seeds.append(seed)
    assert len(seeds) == 12
    assert exact >= 8
