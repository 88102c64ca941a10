"""Known exhaustive values, from a text file that anyone can read and extend."""

from __future__ import annotations

import pytest
from known_values import values

from aquakit.engine.solve import solve
from aquakit.romana import Position


@pytest.mark.parametrize(("turns", "value", "best", "position"), values("plan", 1))
def test_best_turns_alone(turns: int, value: int, best: int, position: str) -> None:
    p = Position.parse(position)
    points = [p.play(turn).study_points() for turn in p.turns()]
    assert (max(points), points.count(value)) == (value, best)


@pytest.mark.parametrize(("turns", "value", "best", "position"), values("duel", 1))
def test_best_turns_of_a_duel(turns: int, value: int, best: int, position: str) -> None:
    p = Position.parse(position)
    ends = (p.play(turn).stopped(last=1).scores() for turn in p.turns())
    margins = [mine - theirs for mine, theirs in ends]
    assert (max(margins), margins.count(value)) == (value, best)


@pytest.mark.parametrize(("turns", "value", "best", "position"), values("duel", 1, 2))
def test_the_solver_proves_the_duels(turns: int, value: int, best: int, position: str) -> None:
    found = solve(Position.parse(position), turns=turns)
    assert (found.value, len(found.turns), found.proved) == (value, best, True)
