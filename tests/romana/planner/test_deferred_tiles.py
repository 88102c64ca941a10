"""Extra tiles may be laid late, just before water comes to them: no plan is lost by it, and none is won."""

from __future__ import annotations

import random
from typing import Any

import pytest
from search_cases import plan, study

import aquakit
from aquakit.compiled.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import ADVANCE, BUILD, EMPTY, LAY, X, Y
from aquakit.romana.planner.exact import deferred_tiles
from aquakit.romana.planner.exact.deferred_tiles import DEFERRED_TILE, LAID_LATE, TO_FORBID
from aquakit.romana.planner.exact.restore_deferred import restore_deferred
from aquakit.romana.planner.exact.searcher import Searcher, read_code
from aquakit.romana.planner.plan_question import PlanQuestion


@pytest.mark.parametrize("seed", range(500, 520))
def test_tiles_laid_late_bring_as_much_as_tiles_laid_at_once(seed: int) -> None:
    p = study(seed)
    for turns in (2, 3):
        points, turns_made = plan(p, turns, at_once=False)
        assert points == plan(p, turns, at_once=True)[0]
        assert PlanQuestion(p, turns).replay(turns_made) == points


def test_an_extra_tile_is_laid_when_its_builder_brings_it() -> None:
    p = aquakit.parse(
        "romana4 FL##...##J7/..+J...|N../.......+.../.-|......../.........../...7..LZN../...|...N|../LZ##...##-J"
        " c...sc.bcd./b.b..j../ss.cs..b.d./...dd... - -,-,-,- 0.0.1,0.0.0,0.4.0,2.*.0 16.15.19.16 4! 0"
    )
    early = [read_code(p, token) for token in ["@E3", "@E2", "c2=7@E1", "a2=F", "x-", "@Sd", "x-", "b2=+@Sc"]]
    extra = early[3]
    curve = p.layout.tables.kind[(extra >> Y) & 15]
    late = (*early[:3], DEFERRED_TILE | (curve << Y), *early[4:7], extra | LAID_LATE, early[7])
    assert restore_deferred(p, late) == tuple(early)


def test_what_is_never_table_lies_where_no_end_comes() -> None:
    p = aquakit.parse(
        "romana4 FL##...##J7/..+J...|N../.......+.../.-|......../.........../...7..LZN../...|...N|../LZ##...##-J"
        " c...sc.bcd./b.b..j../ss.cs..b.d./...dd... - -,-,-,- 0.0.1,0.0.0,0.4.0,2.*.0 16.15.19.16 4! 0"
    )
    codes = [read_code(p, token) for token in ["@E3", "@E2", "c2=7@E1", "x-", "@Sd", "x-"]]
    laid = restore_deferred(p, (*codes[:3], DEFERRED_TILE, *codes[3:]))
    after = p
    for code in laid:
        after = after.act(after._decode(code))
    assert laid[3] & 7 == LAY
    assert after.state.tile[(laid[3] >> X) & 1023] in (3, 4, 5, 6)  # a curve, as was built
    assert (laid[3] >> X) & 1023 not in after.state.face[: after.layout.tables.aqueducts]


def scatter(seed: int) -> Any:
    """Lays tiles at random: two ends come to face one square, with loose paths around it and double builders only."""
    draw = random.Random(seed)
    p = aquakit.start("romana2-7x6").solo(1)
    t, s = p.layout.tables, p.state.copy()
    for _ in range(draw.randint(8, 22)):
        q = draw.choice([q for q in range(t.squares) if s.tile[q] == EMPTY])
        ends = kernel.ends_at(t, s, q)
        codes = [code for code in range(1, 10) if (kernel.fitting(t, s, q, ends) >> code) & 1]
        if codes:
            kernel.lay(t, s, q, draw.choice(codes))
            kernel.survey(t, s)
    s.open &= 1 << draw.randrange(3)
    s.path = [draw.choice((2, 3)) if kind >= 0 else kind for kind in s.path]
    return p, s


def listed(t: Any, s: Any, sizes: Any) -> list[int]:
    """Lists the legal actions of a state."""
    work = kernel.Work.new(sizes)
    return list(work.actions[: kernel.generate(t, s, work)])


def found_binding(p: Any, s: Any) -> set[tuple[int, int]]:
    """Gets the extra tiles that the search would lay, of one that was put off of each kind, to forbid all builds."""
    searcher = Searcher(PlanQuestion(p, 3))
    lane = searcher._lanes[0]
    found = set()
    for kind in range(4):
        s.store(lane.states)
        lane.quests["deferred"][0][0] = 1 << (8 * kind)
        tables, work = searcher._tables[0], lane.works[0]
        load(kernel, fast=True).generate(tables, lane.states[0], work)
        rules = load(deferred_tiles, fast=True)
        gap = rules.find_loop(tables, lane.states, lane.works, lane.quests[0], 0)
        rules.add_deferred_tiles(tables, lane.states, lane.works, lane.quests[0], 0, gap)
        actions = [int(code) for code in lane.works["actions"][0][: int(lane.works["count"][0])]]
        found |= {((code >> X) & 1023, (code >> Y) & 15) for code in actions if code & 7 == LAY and code & TO_FORBID}
    return found


@pytest.mark.parametrize("seed", [77, 1404, 1638, 3102, 3130])
def test_an_extra_tile_that_forbids_all_builds_is_found(seed: int) -> None:
    # It is rare: of 4000 seeds these are all that have one.
    p, s = scatter(seed)
    t, sizes = p.layout.tables, p.layout.sizes
    assert all(code & 7 == BUILD and t.segment[4 * ((code >> Y) & 15) + 2] >= 0 for code in listed(t, s, sizes))
    binding = set()
    for q in (q for q in range(t.squares) if s.tile[q] == EMPTY and q not in s.face[: t.aqueducts]):
        for code in range(1, 10):
            after = s.copy()
            kernel.lay(t, after, q, code)
            if listed(t, after, sizes)[0] & 7 == ADVANCE:
                binding.add((q, code))
    assert binding
    assert binding <= found_binding(p, s)
