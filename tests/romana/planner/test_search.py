"""The planner's search leaves nothing out: it agrees with trying everything, on boards of all sizes."""

from __future__ import annotations

from typing import Any

import exhaustive
import pytest
from search_cases import end_with_a_plan, left_at, note_lines, study, try_all

import aquakit
from aquakit.romana.planner.exact.searcher import Searcher, read_code
from aquakit.romana.planner.plan.portfolio import complete
from aquakit.romana.planner.plan_question import PlanQuestion


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
        assert searcher.upper_bound >= best
        # Asked for what was found it finds it without the beam's help, and nothing beyond.
        assert searcher.reaches(p, turns, best)
        assert searcher.reaches(p, turns, best + 1) is False
        compared += 1
    assert compared > 0


@pytest.mark.parametrize("stock", ["9.9.5.0", "0.9.5.5", "0.0.4.4"])
def test_kinds_that_are_gone_are_no_trouble(stock: str) -> None:
    board = "F.##..7/..N+.../...Z.../......./...+N../L..##+J .c...sb/..dc../.c..bs./.d.c.. csj -,-"
    p = aquakit.parse(f"romana2-7x6 {board} *.*.*,*.*.* {stock} 1! 0")
    searcher = Searcher(PlanQuestion(p, 2))
    assert searcher.run(p, 2).points == try_all(p, 2)
    assert not any(lane.grounds["passed"].any() for lane in searcher._lanes), "a course was left in the middle"


@pytest.mark.parametrize("seed", range(100, 112))
def test_a_search_without_time_proves_nothing_but_what_it_found(seed: int) -> None:
    p = study(seed)
    whole = Searcher(PlanQuestion(p, 3)).run(p, 3)
    hasty = Searcher(PlanQuestion(p, 3)).run(p, 3, until=0.0)
    assert not hasty.proved or hasty.points == whole.points


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


@pytest.mark.parametrize("seed", range(100, 116))
def test_no_plan_is_given_up_on_the_way(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = note_lines(monkeypatch)
    p = study(seed)
    for turns in (2, 3, 4):
        task = PlanQuestion(p, turns, voluntary=seed % 2 == 0)
        found = Searcher(task).run(p, turns, watch=end_with_a_plan)
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
