"""The courses that the planner's bound reckons with are what tiles alone can do."""

from __future__ import annotations

from typing import Any

import pytest
from test_search import study

from aquakit.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY
from aquakit.romana.planner.courses import BY_TILES
from aquakit.romana.planner.searcher import Searcher, bind_bound
from aquakit.romana.planner.task import Task

TILES = 3


def grow(tables: Any, boards: Any, depth: int, a: int, begun: int, most: list[int]) -> None:
    """Lays tiles before the end of one aqueduct in all ways, and notes how much longer it gets by each number."""
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
    searcher = Searcher(Task(p, TILES))
    lane, tables = searcher._lanes[0], searcher._tables[0]
    searcher._prepare(lane, p, TILES, -1, 1 << 30, None)
    state, ground, me = lane.states[0], lane.grounds[0], p.state.player
    _, spreads, courses, *_ = bind_bound()
    spreads.spread(tables, state, ground, me, TILES)
    courses.allow_all_kinds(ground)
    team = courses.find_all_courses(tables, state, ground, me, TILES)
    boards = kernel.State.records(p.layout.capacity, TILES + 1)
    for member, a in enumerate(ground["team"][:team]):
        boards[0], most = state, [0] * (TILES + 1)
        grow(tables, boards, 0, a, int(state["length"][state["tip"][a]]), most)
        for tiles in range(1, TILES + 1):
            course = ground["course"][member * BY_TILES + tiles]
            assert course == max(most[: tiles + 1]), p.aqueducts[a]
