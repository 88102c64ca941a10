"""Known exhaustive values of one turn, from a text file that anyone can read and extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from aquakit.romana import Position

DATA = Path(__file__).with_name("data")


def lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]


def values(kind: str) -> list[tuple[int, int, str]]:
    rows = [line.split("\t") for line in lines("values.txt")]
    return [(int(row[2]), int(row[3]), row[4]) for row in rows if row[0] == kind]


@pytest.mark.parametrize(("value", "best", "position"), values("plan"))
def test_best_turns_alone(value: int, best: int, position: str) -> None:
    p = Position.parse(position)
    points = [p.play(turn).study_points() for turn in p.turns()]
    assert (max(points), points.count(value)) == (value, best)


@pytest.mark.parametrize(("value", "best", "position"), values("duel"))
def test_best_turns_of_a_duel(value: int, best: int, position: str) -> None:
    p = Position.parse(position)
    ends = (p.play(turn).stopped(last=1).scores() for turn in p.turns())
    margins = [mine - theirs for mine, theirs in ends]
    assert (max(margins), margins.count(value)) == (value, best)
