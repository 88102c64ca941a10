"""The planner's search when it is not compiled yet: the solver answers meanwhile, and one can wait, watch and leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

pytest.importorskip("numba")
pytest.importorskip("ortools")

import aquakit
from aquakit.compiled import ahead, cache
from aquakit.compiled.jit import load
from aquakit.compiled.line import LINE
from aquakit.romana.planner import offers
from aquakit.romana.planner.cpmodel.cuts import ModelResult
from aquakit.romana.planner.exact.searcher import COMPILED, Searcher
from aquakit.romana.planner.plan import portfolio
from aquakit.romana.planner.plan.portfolio import MEANWHILE, PlanAnswer, Portfolio
from aquakit.romana.planner.plan_question import PlanQuestion

SMALL = aquakit.start("romana2-5x4")
FEW, MANY = PlanQuestion(SMALL.solo(1), 2), PlanQuestion(SMALL.solo(1), MEANWHILE + 1)
SOURCE = """
import sys
import time
from pathlib import Path

from aquakit.compiled.jit import kernel

while "apart" in sys.argv[0] and not Path(__file__).with_name("go").exists():
    time.sleep(0.01)


@kernel
def one(n: int) -> int:
    return n + 1


@kernel
def two(n: int) -> int:
    return one(n) + 1
"""
"""Stands for the search; the process that compiles it waits until it may."""
_numbers = count()


@pytest.fixture
def go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Makes the search one that was never compiled; it is as soon as this file is there."""
    name = f"cold_source_{next(_numbers)}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    Searcher(FEW)  # which finds its own code where it always is
    monkeypatch.setattr(cache, "_only", [tmp_path / "cache"])
    fast = load(import_module(name), fast=True)

    class ColdSearcher(Searcher):
        def __init__(self, task: PlanQuestion, **compiled: Any) -> None:
            with ahead.compiling(COMPILED, fast.two, **compiled):
                fast.two(0)
            super().__init__(task)

    monkeypatch.setattr(portfolio, "Searcher", ColdSearcher)
    yield tmp_path / "go"
    (tmp_path / "go").touch()
    for each in portfolio._coming:
        each.join()
    portfolio._coming.clear()


def keep_silent(question: PlanQuestion, *, stop: threading.Event, **options: Any) -> ModelResult:
    """Stands for a solver that comes to nothing."""
    stop.wait()
    return ModelResult(None, (), question.most(), False, 0, 0.0, False)


def test_the_solver_answers_meanwhile_and_then_the_search_is_ready(go: Path) -> None:
    found = Portfolio(FEW).run()
    assert (found.points, found.proved, found.by) == (3, True, "cpsat")
    (coming,) = portfolio._coming
    assert not coming.ended  # whatever became of the question
    assert Portfolio(FEW).run().by == "cpsat"
    assert portfolio._coming == [coming]
    go.touch()
    coming.join()
    assert coming.ready
    found = Portfolio(FEW).run()
    assert (found.points, found.proved, found.by) == (3, True, "search")


def test_the_search_takes_over_as_soon_as_it_can(go: Path) -> None:
    heard: list[PlanAnswer] = []
    timer = threading.Timer(0.5, go.touch)
    timer.start()
    found = Portfolio(FEW, on_progress=heard.append, solve=keep_silent).run()
    assert (found.points, found.proved, found.by) == (3, True, "search")
    assert not any(each.by == "cpsat" for each in heard)


def test_for_more_turns_one_waits_and_sees_how_far_it_is(go: Path) -> None:
    heard: list[PlanAnswer] = []

    def hear(answer: PlanAnswer) -> None:
        heard.append(answer)
        go.touch()

    found = Portfolio(MANY, on_progress=hear).run()
    assert (found.proved, found.by, found.compiling) == (True, "search", None)
    told = [str(each.compiling) for each in heard if each.compiling is not None]
    assert {told[0], told[-1]} == {f"compiling {COMPILED}: {done} of 2 functions" for done in (0, 2)}
    assert portfolio._coming == []


def test_a_stop_ends_the_wait_with_a_plan_at_a_glance(go: Path) -> None:
    stop = threading.Event()
    asked = Portfolio(MANY, stop=stop, on_progress=lambda _: stop.set())
    found = asked.run()
    assert (found.proved, found.by, len(found.turns), asked.interrupted) == (False, "rules", MANY.turns, False)
    assert found.points is not None
    assert found.points < found.bound == MANY.most()


def test_an_interrupt_ends_the_wait_with_a_plan_at_a_glance(go: Path) -> None:
    def interrupt(answer: PlanAnswer) -> None:
        raise KeyboardInterrupt

    asked, told = Portfolio(MANY), []
    asked._on_progress = lambda answer: told.append(answer) or interrupt(answer) if answer.compiling else None
    found = asked.run()
    assert (found.proved, found.by, found.bound, asked.interrupted) == (False, "rules", MANY.most(), True)
    assert len(told) == 1


def test_boards_say_how_far_it_is(go: Path) -> None:
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        go.touch()

    found = offers.answer(SMALL, "plan", MANY.turns, stop=threading.Event(), tell=tell)
    assert "proved by search" in found.summary[0]
    assert told[0] == f"compiling {COMPILED}: 0 of 2 functions"


def test_a_process_that_dies_leaves_the_answer_to_the_solver(go: Path) -> None:
    timer = threading.Thread(target=lambda: (wait_for(lambda: LINE._process), LINE._process.kill()))
    timer.start()
    found = Portfolio(FEW).run()
    timer.join()
    assert (found.proved, found.by) == (True, "cpsat")
    wait_for(lambda: portfolio._coming[0].ended)
    assert not portfolio._coming[0].ready
    assert not ahead.is_possible()
    go.touch()
    found = Portfolio(FEW).run()  # who cannot count on another process waits
    assert (found.proved, found.by) == (True, "search")


# The real search, where nothing is kept


def environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join([str(Path(aquakit.__file__).parents[1]), *sys.path])
    return {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": path}


def test_data_stay_clean_and_no_time_is_lost_waiting(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "aquakit", "plan", "romana2-5x4", "--turns", "2", "--json"]
    done = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True)
    data = json.loads(done.stdout)
    assert (data["points"], data["proved"], data["method"]) == (3, True, "cpsat")
    assert done.stderr in ("", f"aquakit: compiling {COMPILED} for speed, once …\n")


def test_the_search_itself_is_compiled_function_by_function(tmp_path: Path) -> None:
    code = """
import aquakit, time
from aquakit.romana.planner.plan import portfolio
found = aquakit.plan(aquakit.start("romana2-5x4"), turns=2)
print(found.method, found.proved)
coming = portfolio._coming[0]
while coming.progress is None or coming.progress.done < 10:
    time.sleep(0.01)
print(coming.progress.total > 50)
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, text=True)
    assert done.stdout == "cpsat True\nTrue\n", done.stderr
    assert len(list(tmp_path.glob("cache/*/*/*.nbc"))) >= 10
