"""The planner's search leaves nothing out: it agrees with trying everything, on boards of all sizes."""

from __future__ import annotations

import random
from typing import Any

import exhaustive
import numpy as np
import pytest

import aquakit
from aquakit.jit import bind_fast
from aquakit.romana import kernel
from aquakit.romana.planner.searcher import Searcher
from aquakit.romana.planner.task import Task

BUDGET = 500_000
PLIES = 200


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
    sizes = p.layout.capacity
    tables = kernel.Tables.records(sizes, 1)
    p.layout.tables.store(tables)
    states, works = kernel.State.records(sizes, PLIES), kernel.Work.records(sizes, PLIES)
    words = states.view(np.uint64).reshape(PLIES, -1)
    p.state.store(states)
    run = bind_fast(exhaustive, kernel).try_all
    met = np.zeros(1 << 20, np.uint64)
    return int(run(tables, states, works, words, met, p.state.player, p.state.ended + turns, BUDGET))


@pytest.mark.parametrize("seed", range(12))
def test_the_search_finds_what_trying_everything_finds(seed: int) -> None:
    p = study(seed)
    compared = 0
    for turns in (1, 2, 3):
        best = try_all(p, turns)
        if best == exhaustive.TOO_MANY:
            break
        searcher = Searcher(Task(p, turns))
        found = searcher.run(p, turns)
        assert (found.points, found.proved) == (best, True)
        assert searcher.limit >= best
        # Asked for what was found it finds it without the beam's help, and nothing beyond.
        assert searcher.reaches(p, turns, best)
        assert searcher.reaches(p, turns, best + 1) is False
        compared += 1
    assert compared > 0
