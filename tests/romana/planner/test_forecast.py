"""Forecasts: what people enter is checked, what playouts show is true to the rules and repeatable."""

from __future__ import annotations

import random

import pytest

from aquakit import aquadukt
from aquakit.errors import InvalidOption, InvalidPosition
from aquakit.romana import Position, kernel
from aquakit.romana.planner.timing import growth
from aquakit.romana.planner.timing.entries import frame_case, read_closings, read_growth
from aquakit.romana.planner.timing.forecast import forecast
from aquakit.romana.planner.timing.replay import GrowthCourse, replay

START = Position.start("romana4")


def play_on(position: Position, actions: int, seed: int = 3) -> Position:
    draw = random.Random(seed)
    for _ in range(actions):
        choices = position.actions()
        position = position.act(choices[0] if position.phase == "close" else draw.choice(choices))
    return position


MIDDLE = play_on(START, 40).rewind()


def closing_moment() -> Position:
    return START.act("c7=L@Nc")


# Entered


def courses(growth: dict, rounds: int = 4, position: Position = START) -> dict[str, GrowthCourse]:
    case = frame_case(position, None, rounds)
    return {case.name(a): course for a, course in read_growth(case, growth).items()}


def test_lengths_are_taken_as_they_are_and_the_last_one_stays() -> None:
    assert courses({"R1": [1, 2]})["R1"] == GrowthCourse((1, 2, 2, 2), 2)
    assert courses({"R1": [1, 2, 3, 4, 5, 6]})["R1"].lengths == (1, 2, 3, 4)


def test_a_number_is_the_growth_in_a_round() -> None:
    assert courses({"R1": 1})["R1"].lengths == (1, 2, 3, 4)
    assert courses({"R1": 0.5})["R1"].lengths == (0, 1, 1, 2)
    assert courses({"R1": 0.1}, rounds=10)["R1"].lengths[-1] == 1


def test_columns_of_numbers_will_do() -> None:
    np = pytest.importorskip("numpy")
    assert courses({"R1": np.array([1, 2]), "R2": np.int64(1)})["R1"].lengths == (1, 2, 2, 2)


def test_what_is_not_named_stays_as_it_is() -> None:
    assert courses({})["Y1"] == GrowthCourse((0, 0, 0, 0), 0)
    present = {a.name: a.length for a in MIDDLE.aqueducts if a.open}
    assert {name: course.final for name, course in courses({}, position=MIDDLE).items()} == present


def test_an_end_by_construction_comes_in_the_owners_turn_or_by_another_player() -> None:
    assert courses({"Y1": {"lengths": 1, "ends": 2}})["Y1"] == GrowthCourse((1, 2, 2, 2), 2, ends=5)
    assert courses({"Y1": {"lengths": 1, "ends": 2, "by": 1}})["Y1"].ends == 4


def test_at_the_closing_moment_the_lengths_of_this_turn_are_known() -> None:
    moment = closing_moment()
    grown = next(a for a in moment.aqueducts if a.length)
    assert courses({grown.name: 1}, position=moment)[grown.name].lengths == (1, 2, 3, 4)
    assert courses({"Y1": 1}, position=moment)["Y1"].lengths == (1, 2, 3, 4)
    with pytest.raises(InvalidOption, match="this turn's tile is laid already"):
        courses({grown.name: [3, 4]}, position=moment)


@pytest.mark.parametrize(
    ("growth", "message"),
    [
        ({"X9": 1}, "'X9' is no aqueduct of this board; expected one of R1, R2"),
        ({7: 1}, "7 is no aqueduct"),
        ({"R1": [3, 2]}, "growth.R1: the length shrinks from 3 to 2"),
        ({"R1": [-1]}, "shrinks from 0 to -1"),
        ({"R1": []}, "at least one"),
        ({"R1": [1.5]}, "whole numbers"),
        ({"R1": [True]}, "whole numbers"),
        ({"R1": [1000]}, "from 0 to 999"),
        ({"R1": "fast"}, "growth.R1: 'fast'; expected lengths"),
        ({"R1": -1}, "a growth from 0"),
        ({"R1": float("nan")}, "a growth from 0"),
        ({"R1": {"length": 1}}, "growth.R1.length: is not known here"),
        ({"R1": {"ends": 9}}, r"growth.R1.ends: 9; expected a whole number from 1 to 4"),
        ({"R1": {"ends": 2, "by": 5}}, "growth.R1.by: 5"),
        ({"R1": {"by": 2}}, "stands without ends"),
        (["R1"], "lengths by the aqueducts' names"),
    ],
)
def test_bad_growth_is_refused_by_name(growth: dict, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        courses(growth)


def test_a_closed_aqueduct_has_no_forecast() -> None:
    closed = next(a.name for a in MIDDLE.aqueducts if not a.open)
    with pytest.raises(InvalidOption, match=f"{closed} is closed already"):
        courses({closed: 1}, position=MIDDLE)


@pytest.mark.parametrize(
    ("closings", "message"),
    [
        ({"R1": 1}, "rivals.R1: is the player's own; expected an aqueduct of a rival: Y1"),
        ({"Y1": 0}, "rivals.Y1: 0; expected a whole number from 1 to 4"),
        ({"Y1": 2, "Y2": 2}, "rivals.Y2: Y1 is closed in round 2 too"),
        ({"Q1": 2}, "is no aqueduct"),
        (3, "rounds by the rivals' aqueducts"),
    ],
)
def test_bad_closings_are_refused_by_name(closings: dict, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        read_closings(frame_case(START, None, 4), "rivals", closings)


def test_two_players_may_close_in_the_same_round() -> None:
    assert read_closings(frame_case(START, None, 4), "rivals", {"Y1": 2, "G1": 2}) == {3: 2, 6: 2}


# Positions


def test_positions_of_other_games_and_finished_ones_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="a position of Aqua Romana"):
        forecast(aquadukt.Position.start())
    with pytest.raises(InvalidPosition, match="is over"):
        forecast(START.stopped(4))
    with pytest.raises(InvalidPosition, match="setup"):
        forecast(Position.start("romana4", setup=True))


def test_bad_options_are_refused() -> None:
    for name, value in (
        ("rounds", 0),
        ("rounds", 61),
        ("playouts", 0),
        ("seed", -1),
        ("player", 5),
        ("rivals_close", 1),
    ):
        with pytest.raises(InvalidOption, match=name):
            forecast(START, **{name: value})


# Estimated


def test_the_same_seed_gives_the_same_forecast_and_another_another() -> None:
    first, again, other = (forecast(MIDDLE, playouts=10, seed=seed) for seed in (1, 1, 2))
    assert first.scenarios == again.scenarios
    assert first.scenarios != other.scenarios


def test_compiled_and_plain_playouts_are_the_same() -> None:
    pytest.importorskip("numba")
    for position in (MIDDLE, closing_moment()):
        plain, fast = (forecast(position, playouts=8, fast=fast).scenarios for fast in (False, True))
        assert plain == fast


def test_courses_never_shrink_and_begin_at_the_present() -> None:
    present = [a.length for a in MIDDLE.aqueducts]
    for scenario in forecast(MIDDLE, playouts=30).scenarios:
        for a, course in scenario.courses.items():
            known = [present[a], *course.lengths, course.final]
            until = len(known) if course.ends is None else course.ends // 4 + 2
            assert known[:until] == sorted(known[:until])
            assert course.final >= course.lengths[-1]


def test_the_player_closes_nothing_and_the_rivals_by_habit() -> None:
    played = forecast(MIDDLE, playouts=60, rounds=10)
    owners = {MIDDLE.aqueducts[a].owner for scenario in played.scenarios for a in scenario.closings}
    assert owners
    assert played.player not in owners
    assert not any(s.closings for s in forecast(MIDDLE, playouts=60, rounds=10, rivals_close=False).scenarios)


@pytest.mark.parametrize(("actions", "rounds"), [(0, 8), (40, 5), (75, 4), (75, 40)])
def test_a_replayed_playout_ends_as_it_did(actions: int, rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plays ahead, ends the game there by the rules, and finds the same podiums by the replay."""
    position = play_on(START, actions).rewind()
    ends = []
    trace = growth.trace

    def watched(t, s, w, r, rounds, closers):
        trace(t, s, w, r, rounds, closers)
        after = s.copy()
        if not kernel.is_over(after):
            kernel.halt(t, after, r.last % 4 if position.mover == 1 else (position.mover - 1 + r.last) % 4)
        ends.append(after.score[: len(position.aqueducts)])

    monkeypatch.setattr(growth, "trace", watched)
    played = forecast(position, playouts=20, rounds=rounds, fast=False)
    case = frame_case(position, None, rounds)
    for scenario, score in zip(played.scenarios, ends, strict=True):
        taken = {w.aqueduct: w.podium for w in replay(case, scenario, {})}
        assert [taken[a.name] for a in position.aqueducts] == score


def test_a_game_that_is_over_early_ends_its_scenario() -> None:
    late = play_on(START, 75).rewind()
    turns = [scenario.last for scenario in forecast(late, playouts=10, rounds=40).scenarios]
    assert max(turns) < 159
    assert len(set(turns)) > 1


def test_the_frame_tells_mean_and_spread() -> None:
    frame = forecast(MIDDLE, playouts=20, rounds=3).frame()
    assert list(frame.columns) == ["aqueduct", "player", "round", "length", "spread", "by_construction", "closed"]
    assert len(frame) == 3 * sum(a.open for a in MIDDLE.aqueducts)
    last = frame[frame["round"] == 3]
    assert (last["spread"] > 0).any()
    assert frame["by_construction"].between(0, 1).all()


def test_alone_only_the_player_takes_turns() -> None:
    played = forecast(MIDDLE.solo(1), playouts=10, rounds=4)
    assert max(scenario.last for scenario in played.scenarios) <= 3
