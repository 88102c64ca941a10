"""Known counts, whole games and exhaustive values, from text files that anyone can read and extend."""

from __future__ import annotations

from pathlib import Path

import pytest

from aquakit.romana import Position

DATA = Path(__file__).with_name("data")


def lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text("utf-8").splitlines() if line and not line.startswith("#")]


def known_counts() -> list[tuple[str, int, int]]:
    rows = []
    for line in lines("perft.txt"):
        position, *counts = [part.strip() for part in line.split(";")]
        rows += [(position, int(item.split()[0][1:]), int(item.split()[1])) for item in counts]
    return rows


@pytest.mark.parametrize(("position", "depth", "count"), known_counts())
def test_perft(position: str, depth: int, count: int) -> None:
    assert Position.parse(position).perft(depth) == count


@pytest.mark.parametrize(("position", "depth", "count"), [row for row in known_counts() if row[2] <= 2000])
def test_perft_plain(position: str, depth: int, count: int) -> None:
    p = Position.parse(position)
    assert p.runner(fast=False).perft(p.state, depth) == count
    assert p.runner(fast=False).perft(p.state, depth, bulk=False) == count


def whole_games() -> list[list[str]]:
    text = (DATA / "games.txt").read_text("utf-8")
    blocks = text.partition("\n")[2].strip().split("\n\n")
    return [block.splitlines() for block in blocks]


@pytest.mark.parametrize("game", whole_games(), ids=lambda game: game[0].split(" ")[0])
def test_whole_games(game: list[str]) -> None:
    start, *turns, final, totals = game
    p = Position.parse(start)
    for turn in turns:
        played = p.play(turn)
        # The text of a turn is complete: its actions, one by one, lead to the same position.
        for token in turn.split():
            p = p.act(token)
        assert p == played
    assert p.is_over
    assert str(p) == final
    assert p == Position.parse(final)
    assert ",".join(map(str, p.scores())) == totals


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
