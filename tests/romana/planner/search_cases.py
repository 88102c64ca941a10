"""Positions for the tests of the planner's search, and what they look at while it runs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import exhaustive
import numpy as np
import pytest

import aquakit
from aquakit.compiled.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import MOVE, NONE, OVER, PICK, PLACE, PUT
from aquakit.romana.planner.exact import candidates, deferred_builders, deferred_tiles, pruning, searcher
from aquakit.romana.planner.exact.restore_deferred import is_deferred_builder, is_deferred_tile, restore_deferred
from aquakit.romana.planner.exact.searcher import Searcher, Stop
from aquakit.romana.planner.plan.portfolio import complete
from aquakit.romana.planner.plan_question import PlanQuestion

BUDGET = 500_000
PLIES = 200
ENOUGH_STATES = 200_000


def study(seed: int) -> Any:
    """Lets bots play for a while, then one player goes on alone."""
    draw = random.Random(seed)
    layout = draw.choice(("romana2-5x4", "romana2-7x6", "romana2", "romana3", "romana4"))
    p = aquakit.start(layout)
    bot = aquakit.bot(draw.choice(("random", "greedy")), seed=seed)
    for _ in range(draw.randint(3, 60 if "x" not in layout else 24)):
        after = p
        while after is p or (after.played and not after.is_over):
            for action in bot(after):
                after = after.act(action)
        if after.is_over:
            break
        p = after
    owners = sorted({a.owner for a in p.aqueducts if a.open})
    return p.solo(draw.choice(owners))


def try_all(p: Any, turns: int) -> int:
    """Gets the most points of some turns by trying all of them, or `exhaustive.TOO_MANY`."""
    sizes = p.layout.capacity
    tables = kernel.Tables.records(sizes, 1)
    p.layout.tables.store(tables)
    states, works = kernel.State.records(sizes, PLIES), kernel.Work.records(sizes, PLIES)
    words = states.view(np.uint64).reshape(PLIES, -1)
    p.state.store(states)
    run = load(exhaustive, fast=True).try_all
    met = np.zeros(1 << 20, np.uint64)
    return int(run(tables, states, works, words, met, p.state.player, p.state.ended + turns, BUDGET))


def plan(p: Any, turns: int, *, at_once: bool) -> tuple[int | None, list[Any]]:
    """Searches with extra tiles laid late, or at once, as it is done where something is forbidden."""
    filled = next(name for name, code in p.tiles.items() if code)
    task = PlanQuestion(p, turns, forbid=frozenset({filled}) if at_once else frozenset())
    found = Searcher(task).run(p, turns)
    assert found.proved
    return found.points, complete(task, found.actions)


def left_at(task: PlanQuestion, codes: Iterable[int], points: int, *, late: bool) -> int | None:
    """Walks along a plan and gets the action with which the search, asked for its points, would leave it."""
    searcher = Searcher(task)
    lane = searcher._lanes[0]
    searcher._prepare(lane, task.position, task.turns, points - 1, 1 << 30, None)
    choose, look = load(candidates, fast=True).choose, load(pruning, fast=True)
    tables, quest, ground = lane.tables[0], lane.quests[0], lane.grounds[0]
    quest["defers_tiles"], quest["defers_builders"] = late, late and quest["defers_builders"]
    quest["deferred"], quest["open_places"] = 0, 0
    load(deferred_builders, fast=True).defer_builders(tables, lane.states[0], quest, 0)
    if look.is_pruned(tables, lane.states, 0, ground, lane.bounds, quest, task.turns, False):
        return NONE
    for ply, code in enumerate(code for code in codes if not is_deferred_tile(code) and not is_deferred_builder(code)):
        before, after = lane.states[ply], lane.states[ply + 1]
        turns = int(quest["until"] - before["ended"])
        if before["phase"] == MOVE:
            choose(tables, lane.states, lane.works, ply, ground, lane.bounds, quest, turns, False)
            if code not in lane.works[ply]["actions"][: int(lane.works[ply]["count"])]:
                return code
        lane.works[ply]["actions"][0], lane.works[ply]["cursor"] = code, 0
        load(deferred_tiles, fast=True).take_next_action(tables, lane.states, lane.works, quest, ply)
        left = int(quest["until"] - after["ended"])
        if after["phase"] == OVER or left == 0:
            return None
        begins = after["ended"] != before["ended"]
        if before["phase"] == MOVE and code & 7 == PUT:
            continue  # a builder placed late: the board is as it was
        laid_late = not begins and after["phase"] == before["phase"] == MOVE
        if begins or laid_late or (left > 1 and before["phase"] not in (PLACE, PICK)):
            started = not begins and not laid_late
            ahead = left - 1 if started else left
            if look.is_pruned(tables, lane.states, ply + 1, ground, lane.bounds, quest, ahead, started):
                return code
    return None


def note_lines(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Keeps the plans that are found as the search has them, with tiles laid and builders placed late."""
    lines = list[tuple[int, ...]]()

    def note(position: Any, line: tuple[int, ...]) -> tuple[int, ...]:
        lines.append(line)
        return restore_deferred(position, line)

    monkeypatch.setattr(searcher, "restore_deferred", note)
    return lines


def end_with_a_plan(_: object, points: int | None, states: int) -> None:
    """Watches a search and ends it when it has a plan and has looked at many states."""
    if points is not None and states > ENOUGH_STATES:
        raise Stop
