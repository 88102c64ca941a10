"""Builders may be placed late, just before it matters where they stand: no plan is lost by it, and none is won."""

from __future__ import annotations

import random
from typing import Any

import pytest
from search_cases import left_at, note_lines, plan, study, try_all

import aquakit
from aquakit.romana.kernel import PUT, Y, Z
from aquakit.romana.planner.exact.deferred_builders import DEFERRED_BUILDER, TO_USE
from aquakit.romana.planner.exact.restore_deferred import is_deferred_builder, restore_deferred
from aquakit.romana.planner.exact.searcher import Searcher, may_defer_builders, read_code
from aquakit.romana.planner.plan_question import PlanQuestion

ALONE = (
    "romana4 FL##...##J7/..+J...|N../.......+.../.-|......../.........../...7..LZN../...|...N|../LZ##...##-J"
    " .....c.bcd./b....j../ss.cs..b.d./...dd... - -,-,-,{} 0.0.1,0.0.0,0.4.0,2.*.0 16.15.19.16 4! 0"
)
"""One workman is left, and builders in the hand."""


def with_hand(seed: int) -> Any:
    """Gets a study position whose player holds one or two builders, from the reserve if there are any."""
    p = study(seed)
    fields = str(p).split()
    reserve, hands = fields[3].strip("-"), fields[4].split(",")
    wanted = random.Random(seed).randint(1, 2)
    kept = hands[p.player - 1].strip("-")
    while len(kept) < wanted and (more := [kind for kind in reserve or "csbdj" if kind not in kept]):
        kind = more[seed % len(more)]
        if reserve:
            reserve = reserve.replace(kind, "", 1)
        elif kind in fields[2]:
            fields[2] = fields[2].replace(kind, ".", 1)
        else:
            break
        kept += kind
    hands[p.player - 1] = "".join(sorted(kept, key="csbdj".index)) or "-"
    fields[3], fields[4] = reserve or "-", ",".join(hands)
    return aquakit.parse(" ".join(fields))


@pytest.mark.parametrize("seed", range(600, 630))
def test_builders_placed_late_bring_as_much_as_builders_placed_at_once(seed: int) -> None:
    p = with_hand(seed)
    for turns in (1, 2, 3):
        points, turns_made = plan(p, turns, at_once=False)
        assert points == plan(p, turns, at_once=True)[0]
        assert PlanQuestion(p, turns).replay(turns_made) == points


@pytest.mark.parametrize("seed", range(640, 660))
def test_trying_everything_finds_no_more(seed: int) -> None:
    p = with_hand(seed)
    for turns in (1, 2):
        best = try_all(p, turns)
        if best >= 0:
            assert Searcher(PlanQuestion(p, turns)).run(p, turns).points == best


def test_hands_are_often_full_where_places_are_left_open() -> None:
    positions = [with_hand(seed) for seed in range(600, 630)]
    roaming = [p for p in positions if may_defer_builders(p, 3) and any(p.state.held)]
    assert len(roaming) > 15


@pytest.mark.parametrize("seed", range(660, 680))
def test_no_plan_is_given_up_on_the_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = note_lines(monkeypatch)
    p = with_hand(seed)
    for turns in (2, 3, 4):
        task = PlanQuestion(p, turns, voluntary=seed % 2 == 0)
        found = Searcher(task).run(p, turns, enough=1000)
        assert found.points is not None
        assert left_at(task, lines[-1], found.points, late=True) is None


def test_a_builder_is_placed_in_the_turn_in_which_it_comes_from_the_hand() -> None:
    p = aquakit.parse(ALONE.format("s"))
    early = [read_code(p, token) for token in ["+sE1", "c2=|@E1", "x-"]]
    late = (DEFERRED_BUILDER | (1 << Y), early[0] | TO_USE, *early[1:])
    assert restore_deferred(p, late) == tuple(early)


def test_a_builder_that_never_matters_stands_where_no_other_comes() -> None:
    p = aquakit.parse(ALONE.format("cb"))
    line = (DEFERRED_BUILDER, DEFERRED_BUILDER | (2 << Y), *(read_code(p, token) for token in ["@E3", "@E2"]))
    laid = restore_deferred(p, line)
    assert [code & 7 for code in laid[:2]] == [PUT, PUT]
    assert laid[0] >> Z != laid[1] >> Z
    after = p
    for code in laid:
        after = after.act(after._decode(code))
    stood = {after.layout.path_names[code >> Z] for code in laid[:2]}
    assert not stood & {"E3", "E2", "E1"}


def test_where_squares_are_scarce_builders_are_placed_at_once() -> None:
    p = aquakit.parse(ALONE.format("cb"))
    free = p.layout.tables.path - p.state.standing
    assert may_defer_builders(p, free - 3)
    assert not may_defer_builders(p, free - 2)


def test_a_state_stands_for_all_places_of_a_builder() -> None:
    p = aquakit.parse(str(aquakit.start("romana4").solo(1)).replace("csbdj -,", "sbdj c,"))
    search = Searcher(PlanQuestion(p, 2))
    lane = search._lanes[0]
    search._prepare(lane, p, 2, -1, 1000, None)
    twigs = search._twigs[: search._branch(lane)]
    open_places = {int(places).bit_count() for places in twigs["open_places"][:, 0]}
    assert open_places == {0, 25}, "placed for a build, or anywhere but where the builder used stops"
    for twig in twigs:
        line = twig["line"][: twig["steps"]].tolist()
        assert is_deferred_builder(line[0])
        assert any(code & 7 == PUT and code & TO_USE for code in line[1:]) == (twig["open_places"][0] == 0)
