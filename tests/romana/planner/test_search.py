"""The planner's search leaves nothing out: it agrees with trying everything, on boards of all sizes."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from typing import Any

import exhaustive
import numpy as np
import pytest

import aquakit
from aquakit.compiled.jit import bind_fast
from aquakit.romana import kernel
from aquakit.romana.kernel import MOVE, NONE, OVER, PICK, PLACE, PUT
from aquakit.romana.planner.exact import searcher
from aquakit.romana.planner.exact.laying import is_open_place, is_put_off, lay_at_once
from aquakit.romana.planner.exact.searcher import Searcher, bind_late, bind_outlook, bind_placing, read_code
from aquakit.romana.planner.plan.portfolio import complete
from aquakit.romana.planner.plan.question import PlanQuestion

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
        searcher = Searcher(PlanQuestion(p, turns))
        found = searcher.run(p, turns)
        assert (found.points, found.proved) == (best, True)
        assert searcher.limit >= best
        # Asked for what was found it finds it without the beam's help, and nothing beyond.
        assert searcher.reaches(p, turns, best)
        assert searcher.reaches(p, turns, best + 1) is False
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("stock", ["9.9.5.0", "0.9.8.8", "0.0.4.4"])
def test_kinds_that_are_gone_are_no_trouble(stock: str) -> None:
    board = "F.##..7/..N+.../...Z.../......./...+N../L..##+J .c...sb/..dc../.c..bs./.d.c.. csj -,-"
    p = aquakit.parse(f"romana2-7x6 {board} *.*.*,*.*.* {stock} 1! 0")
    searcher = Searcher(PlanQuestion(p, 2))
    assert searcher.run(p, 2).points == try_all(p, 2)
    assert not any(lane.grounds["passed"].any() for lane in searcher._lanes), "a course was left in the middle"


def left_at(task: PlanQuestion, codes: Iterable[int], points: int, *, late: bool) -> int | None:
    """Walks along a plan and gets the action with which the search, asked for its points, would leave it."""
    searcher = Searcher(task)
    lane = searcher._lanes[0]
    searcher._prepare(lane, task.position, task.turns, points - 1, 1 << 30, None)
    run, look, tables, quest, ground = lane.run, bind_outlook(), lane.tables[0], lane.quests[0], lane.grounds[0]
    quest["late"], quest["roams"], quest["purse"], quest["roam"] = late, late and quest["roams"], 0, 0
    bind_placing().leave_open(tables, lane.states[0], quest, 0)
    if look.falls_short(tables, lane.states, 0, ground, lane.outlook, quest, task.turns, False):
        return NONE
    for ply, code in enumerate(code for code in codes if not is_put_off(code) and not is_open_place(code)):
        before, after = lane.states[ply], lane.states[ply + 1]
        turns = int(quest["until"] - before["ended"])
        if before["phase"] == MOVE:
            run.choose(tables, lane.states, lane.works, ply, ground, lane.outlook, quest, turns, False)
            if code not in lane.works[ply]["actions"][: int(lane.works[ply]["count"])]:
                return code
        lane.works[ply]["actions"][0], lane.works[ply]["cursor"] = code, 0
        bind_late().go_on(tables, lane.states, lane.works, quest, ply)
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
            if look.falls_short(tables, lane.states, ply + 1, ground, lane.outlook, quest, ahead, started):
                return code
    return None


def given_up(task: PlanQuestion, turns: list[Any]) -> int | None:
    """Walks along a plan with extra tiles laid at once."""
    codes = [read_code(task.position, str(action)) for turn in turns for action in turn]
    return left_at(task, codes, task.replay(turns), late=False)


@pytest.mark.parametrize("seed", range(200, 230))
def test_asked_again_along_a_plan_it_still_finds_the_points(seed: int) -> None:
    # What was met on the way to a plan is not hopeless, though what was met in vain is.
    p = study(seed)
    task = PlanQuestion(p, 3)
    found = Searcher(task).run(p, 3)
    assert found.points is not None
    searcher, left = Searcher(task), 3
    for turn in complete(task, found.actions):
        for action in turn:
            p = p.act(action)
            assert searcher.reaches(p, left if p.played else left - 1, found.points)
        left -= 1


def note_lines(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """Keeps the plans that are found as the search has them, with tiles laid and builders placed late."""
    lines = list[tuple[int, ...]]()

    def note(position: Any, line: tuple[int, ...]) -> tuple[int, ...]:
        lines.append(line)
        return lay_at_once(position, line)

    monkeypatch.setattr(searcher, "lay_at_once", note)
    return lines


@pytest.mark.parametrize("seed", range(100, 116))
def test_no_plan_is_given_up_on_the_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = note_lines(monkeypatch)
    p = study(seed)
    for turns in (2, 3, 4):
        task = PlanQuestion(p, turns, voluntary=seed % 2 == 0)
        found = Searcher(task).run(p, turns, until=time.perf_counter() + 0.5)
        assert found.points is not None
        assert given_up(task, complete(task, found.actions)) is None
        assert left_at(task, lines[-1], found.points, late=True) is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # Two aqueducts grow by the last tile, and both run on over an extra tile.
        (
            "romana2 F+##.|.##N7/L|N+-L-J.../.........../.........../.........../.Z.....J.../ZZ.....N7.7/L-##...##-J"
            " .cc.s..b.d./.b.....d/s...j.csb.d/.cd..... b s,- 4.*.*.*.*.*,3.3.*.*.2.* 15.15.19.15 1! 0",
            "+sNk d2=Z@E1 k7=Z x- / j7=N@Nj d3=N *b / +bE1 c2=+@E1 c4=+ x- / c3=Z@W3",
        ),
        # The first of the last tiles that water comes to is an extra tile.
        (
            "romana2-5x4 F##+7/.LNF./..J|./L+##J ...cs/.bd./..cs./.b.d dj -,- *.*,*.* 1.3.1.2 2! 0",
            None,
        ),
        # The last tile is passed twice: over an extra tile and two loose ones water comes back to it.
        (
            "romana4 FL##...##J7/..+J...|N../.......+.../.-|......../.........../...7..LZN../...|...N|../LZ##...##-J"
            " c...sc.bcd./b.b..j../ss.cs..b.d./...dd... - -,-,-,- 0.0.1,0.0.0,0.4.0,2.*.0 16.15.19.16 4! 0",
            "@E3 / @E2 / c2=7@E1 a2=F x- / @Sd x- / b2=+@Sc x-",
        ),
        # The extra tile is the last of its kind, so that its builders offer any kind in the last turn.
        (
            "romana2-5x4 F##J7/.L.../...|./LN##J ...cs/b.d./.c.sd/b.d. - j,- *.0,1.0 2.3.3.2 1! 0",
            "+jNb c3=7@Nb x- / c2=Z@Nc a2=Z x- / b2=-@E2",
        ),
        # By the last tile water comes to the other path of an earlier one, too: both tiles are passed twice.
        (
            "romana2 FF##...##+7/NZZ.+....L./.N.Z......./.........../.........../.........../.|......+../LN##...##-J"
            " cjcs...bd../.b....../sbcs...b..d/dd...... cs -,- *.*.*.*.*.*,4.*.*.2.1.* 19.19.18.15 2! 0",
            "c6=Z@Nb x- / d7=+@Sd x-",
        ),
        (
            "romana3 F.Z##-....7/..Z......../.........../.........Z#/Z7......-+#/..--7....../.Z+7|....../LZN##J....J"
            " s....sc..../b..c..s./cc....b...d/d.db.d.. sbj -,-,- *.*.*.*,*.*.*.*,1.*.*.2 17.16.19.14 3! 0",
            "a2=Z@Sa a3=Z x- / b3=N@W2 *s *b",
        ),
    ],
)
def test_tiles_that_serve_twice_are_reckoned_with(text: str, line: str | None) -> None:
    p = aquakit.parse(text)
    if line is None:
        task = PlanQuestion(p, 3)
        turns = complete(task, Searcher(task).run(p, 3).actions)
        assert task.replay(turns) == try_all(p, 3)
    else:
        turns = [p.turn_type.parse(turn) for turn in line.split(" / ")]
    assert given_up(PlanQuestion(p, len(turns)), turns) is None
