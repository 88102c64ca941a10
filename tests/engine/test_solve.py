"""The solver proves what plain enumeration finds, says how far it got, and can be stopped."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest
from enumerate_turns import best_turns
from random_games import play_on

import aquakit
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.compiled.ahead import NotCompiled
from aquakit.engine import solve as solver_module
from aquakit.engine.solve import Solver, Stopped, solve
from aquakit.errors import InvalidOption, InvalidPosition


def some_positions(layout: str, most: int, count: int) -> list[object]:
    """Draws starts of turns from random games that have few enough turns to enumerate."""
    found, seed = [], 0
    while len(found) < count:
        seed += 1
        draw = random.Random(seed)
        p = play_on(aquakit.start(layout), draw, draw.randrange(0, 70)).rewind()
        if not p.is_over and sum(1 for _ in islice(p.turns(), most + 1)) <= most:
            found.append(p)
    return found


@pytest.mark.parametrize(
    ("layout", "turns", "most", "count"),
    [("romana2", 1, 150, 25), ("romana2-7x6", 1, 150, 25), ("romana2-5x4", 2, 25, 25)],
)
def test_the_solver_finds_what_enumeration_finds(layout: str, turns: int, most: int, count: int) -> None:
    for p in some_positions(layout, most, count):
        found, wanted = solve(p, turns=turns), best_turns(p, turns)
        assert (found.value, {str(turn) for turn in found.turns}) == wanted, str(p)
        assert found.proved


def test_more_players_a_lead_that_is_sure() -> None:
    for p in some_positions("romana4", 25, 4):
        found, wanted = solve(p, turns=1), best_turns(p, 1)
        assert (found.value, {str(turn) for turn in found.turns}) == wanted, str(p)
        assert found.paranoid


def test_dice_are_averaged() -> None:
    # With one tile left in hand a turn has one roll, so that its outcomes can be enumerated.
    fields = str(play_on(aquakit.start("aquadukt2-6x5", seed=1), random.Random(4), 25).rewind()).split(" ")
    fields[2] = "1.0.0.0,1.0.0.0"
    p = aquakit.parse(" ".join(fields))
    found, wanted = solve(p, turns=1), best_turns(p, 1)
    assert found.value == pytest.approx(wanted[0])
    assert {str(turn) for turn in found.turns} == wanted[1]


def test_an_endgame_is_solved_to_the_end() -> None:
    p = play_on(aquakit.start("romana2-5x4"), random.Random(3), 8).rewind()
    found = solve(p)
    assert (found.proved, found.horizon) == (True, None)
    # Whatever the best turn, the other player's best reply leaves the same lead.
    for turn in found.turns:
        after = p.play(turn)
        if not after.is_over:
            sign = 1 if after.player == p.player else -1
            assert solve(after).value == sign * found.value


def test_a_study_is_judged_by_podium_points() -> None:
    # [S2]: no bonus, and nothing of the others is scored that is open.
    p = aquakit.start("romana2-5x4").solo(1)
    best = max(p.play(turn).study_points() for turn in p.turns())
    assert solve(p, turns=1).value == best


def test_it_says_when_time_was_too_short() -> None:
    p = aquakit.start("romana2")
    found = solve(p, seconds=0.5)
    assert not found.proved
    assert found.horizon is not None


def test_a_horizon_of_more_turns_than_time_allows_proves_nothing() -> None:
    found = solve(aquakit.start("romana2"), turns=40, seconds=0.3)
    assert (found.proved, found.value, found.turns) == (False, None, ())


def test_it_can_be_stopped_while_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    @contextmanager
    def compiling_until_stopped(what: str, *, stop: threading.Event) -> Iterator[None]:
        stop.set()
        raise NotCompiled(what)
        yield

    monkeypatch.setattr(solver_module, "compiling", compiling_until_stopped)
    p = aquakit.start("romana2-5x4")
    with pytest.raises(Stopped):
        Solver(p, stop).value(p, 1)


def test_it_can_be_stopped_from_another_thread_and_used_again() -> None:
    p = aquakit.start("romana2")
    solver = Solver(p)
    solver.begin(1, 60, None)  # without an end
    threading.Timer(0.3, solver.stop).start()
    with pytest.raises(Stopped):
        solver.value(p, 1)
    assert solve(aquakit.parse(ROMANA), turns=1).proved


@pytest.mark.parametrize("bad", [0, -1, "two", 1.5])
def test_turns_are_a_whole_number(bad: object) -> None:
    with pytest.raises(InvalidOption, match="turns"):
        solve(aquakit.parse(ROMANA), turns=bad)


def test_somebody_must_be_to_decide() -> None:
    with pytest.raises(InvalidPosition):
        solve(aquakit.parse(AQUADUKT).act("roll"))
    over = aquakit.parse(ROMANA).stopped(1)
    with pytest.raises(InvalidPosition):
        solve(over)
