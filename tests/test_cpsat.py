"""CP-SAT runs in a thread of its own, and ends when nobody waits for it any more."""

from __future__ import annotations

import _thread
import threading
import time
from typing import Any

import pytest

from aquakit.planning.cpsat import UNKNOWN, Run, all_solutions, load


def words(letters: int) -> tuple[Any, list[Any]]:
    """Makes a model in which each of some letters may be there or not."""
    model = load().CpModel()
    return model, [model.new_bool_var(f"letter {i}") for i in range(letters)]


def alive() -> bool:
    return any(thread.name == "aquakit cpsat" for thread in threading.enumerate())


def interrupt_soon() -> None:
    threading.Timer(0.5, _thread.interrupt_main).start()


def test_all_solutions_are_listed_once() -> None:
    model, letters = words(4)
    found, complete = all_solutions(model, lambda value: tuple(map(value, letters)))
    assert (len(set(found)), len(found), complete) == (16, 16, True)


@pytest.mark.parametrize(("limit", "count", "whole"), [(1, 1, False), (15, 15, False), (16, 16, True), (99, 16, True)])
def test_a_listing_is_complete_if_no_more_than_the_limit_are_there(limit: int, count: int, whole: bool) -> None:
    model, letters = words(4)
    found, complete = all_solutions(model, lambda value: tuple(map(value, letters)), limit)
    assert (len(found), complete) == (count, whole)


def test_a_listing_ends_in_time() -> None:
    model, letters = words(40)
    found, complete = all_solutions(model, lambda value: tuple(map(value, letters)), seconds=0.3)
    assert found
    assert not complete


def test_an_interrupted_listing_is_not_complete_and_ends_the_solver() -> None:
    model, letters = words(40)
    interrupt_soon()
    found, complete = all_solutions(model, lambda value: tuple(map(value, letters)))
    assert found
    assert not complete
    time.sleep(0.2)
    assert not alive()


def test_an_interrupt_ends_the_solver_before_it_is_passed_on_or_kept() -> None:
    # No pigeon has a hole of its own: too much to prove in a moment.
    model = load().CpModel()
    holes = [[model.new_bool_var(f"{pigeon} in {hole}") for hole in range(13)] for pigeon in range(14)]
    for pigeon in holes:
        model.add_bool_or(pigeon)
    for hole in range(13):
        for i in range(14):
            for j in range(i):
                model.add_bool_or([~holes[i][hole], ~holes[j][hole]])
    settings = {"cp_model_presolve": False, "linearization_level": 0, "symmetry_level": 0}
    for keep in (False, True):
        interrupt_soon()
        run = Run(workers=1, settings=settings, keep=keep)
        if keep:
            assert run.solve(model, 60).status == UNKNOWN
        else:
            with pytest.raises(KeyboardInterrupt):
                run.solve(model, 60)
        time.sleep(0.2)
        assert (run.is_stopped, alive()) == (keep, False)
