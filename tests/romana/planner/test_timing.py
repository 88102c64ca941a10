"""Closure timing as people ask for it: what one enters, what one sees, and how sure it is."""

from __future__ import annotations

import _thread
import json
import random
import threading
import time

import pytest

from aquakit import aquadukt
from aquakit.errors import InvalidOption, InvalidPosition, ProofFailure
from aquakit.romana import Position
from aquakit.romana.planner.timing import clock as timing_clock
from aquakit.romana.planner.timing import proof as timing_proof
from aquakit.romana.planner.timing import search as timing_search
from aquakit.romana.planner.timing.forecast import forecast
from aquakit.romana.planner.timing.model import Order, TooBig
from aquakit.romana.planner.timing.replies import DeepeningReplies, ReplyLine
from aquakit.romana.planner.timing.timing import timing

START = Position.start("romana4")
FAST = {"R1": [2, 4, 6], "R2": [3, 3, 3], "B1": [3, 5, 6]}


def middle(layout: str = "romana4") -> Position:
    position, draw = Position.start(layout), random.Random(3)
    for _ in range(40):
        choices = position.actions()
        position = position.act(choices[0] if position.phase == "close" else draw.choice(choices))
    return position.rewind()


def ask(**options):
    return timing(START, **{"rounds": 3, "growth": FAST, **options})


def values(result, name: str) -> list:
    return [wait.value for wait in result.waiting if wait.aqueduct == name]


# Data


def test_a_race_for_a_podium_is_won_by_closing_in_time() -> None:
    # At the end Blue is scored before Red, for Blue's turn ends last, and B1 is as long as R1 then.
    result = ask()
    assert (result.value, result.proved, result.bound) == (9, True, 9)
    assert result.orders == {"R1": 3}
    assert result.podiums["R1"] == 6
    assert result.podiums["B1"] == 5
    assert result.points == (9, 0, 0, 5)


def test_the_values_of_waiting_are_those_of_the_whole_schedule() -> None:
    result = ask(waits=2)
    assert values(result, "R1") == [5, 7, 9, 8]  # now, after 1, after 2, never
    assert all(wait.proved for wait in result.waiting)
    assert [wait.rounds for wait in result.waiting if wait.aqueduct == "R1"] == [0, 1, 2, None]


def test_what_cannot_be_closed_has_no_value_but_never() -> None:
    # [R9]: R3 has length 0.
    waits = [wait for wait in ask().waiting if wait.aqueduct == "R3"]
    assert [(wait.value, wait.possible) for wait in waits] == [(None, False)] * 3 + [(9, True)]


def test_rivals_closings_are_data() -> None:
    # B1, closed at length 5, leaves podium 6 to whoever comes.
    assert ask(rivals={"B1": 2}).orders == {}
    assert ask(rivals={"B1": 2}).value == 9


def test_nothing_in_a_turn_with_a_closing_by_construction() -> None:
    # Step 6.
    growth = {**FAST, "R2": {"lengths": [3], "ends": 3}}
    result = ask(growth=growth)
    assert result.value == 9
    assert result.orders["R2"] < 3
    assert values(ask(growth={**FAST, "R2": {"lengths": [3], "ends": 1}}), "R1")[0] is None


def test_open_aqueducts_may_count_nothing() -> None:
    result = ask(closed_only=True)
    assert result.value == 9
    assert set(result.orders) == {"R1", "R2"}
    assert ask(closed_only=True, rounds=1).value == 3


def test_points_taken_before_belong_to_the_value() -> None:
    position = middle()
    before = [a.podium or 0 for a in position.aqueducts if a.owner == 3]
    result = timing(position, player=3, growth={}, rounds=1)
    assert result.value >= sum(before) > 0
    assert result.value == sum(result.podiums[a.name] for a in position.aqueducts if a.owner == 3)


def test_another_player_than_the_mover_can_plan() -> None:
    result = ask(player=2)
    assert result.player == 2
    assert {closing.aqueduct for closing in result.schedule} == {"Y1", "Y2", "Y3"}


def test_alone_in_a_study_position() -> None:
    # [S1] [S2]: no rivals' turns, and at the end only the own workmen are scored.
    result = timing(START.solo(1), rounds=3, growth=FAST)
    assert result.value == 9
    assert result.orders == {}
    assert result.points[1:] == (0, 0, 0)


# Scenarios


def test_one_schedule_serves_all_scenarios() -> None:
    rivals = [{"B1": 1}, {"B1": 3, "weight": 3}]
    result = ask(rivals=rivals)
    assert len(result.scenarios) == 2
    assert result.proved
    alone = [ask(rivals=closings).value for closings in ({"B1": 1}, {"B1": 3})]
    assert result.value <= (alone[0] + 3 * alone[1]) / 4


def test_the_worst_case_is_no_better_than_any_scenario() -> None:
    growth = {"R1": [4, 5, 6], "Y1": [5, 6, 7], "G1": [6, 6, 6]}
    rivals = [{"Y1": 1}, {"Y1": 2, "G1": 1}, {"G1": 2}]
    worst, expected = (ask(growth=growth, rivals=rivals, aim=aim) for aim in ("worst", "expected"))
    points = [sum(w.podium for w in outcome if w.owner == 1) for outcome in worst.outcomes]
    assert worst.value == min(points)
    assert expected.value >= sum(points) / 3


def test_search_and_cp_sat_give_the_same() -> None:
    for rivals in ({}, [{"B1": 1}, {"B1": 2, "weight": 0.5}]):
        search, model = (ask(rivals=rivals, method=method) for method in ("search", "cpsat"))
        assert (search.value, search.bound) == (model.value, model.bound)
        assert search.waiting == model.waiting
        assert (search.method, model.method) == ("search", "CP-SAT")


# Playouts


def test_without_growth_playouts_are_the_scenarios() -> None:
    position = middle()
    result = timing(position, rounds=4, playouts=12, seed=5)
    again = timing(position, rounds=4, playouts=12, seed=5)
    assert len(result.scenarios) == 12
    assert result.rivals == "playouts"
    assert result.proved
    assert (result.value, result.orders, result.fresh) == (again.value, again.orders, again.fresh)
    assert result.fresh.stderr > 0
    assert "other playouts" in str(result)


def test_a_forecast_made_before_can_be_given() -> None:
    position = middle()
    made = forecast(position, rounds=3, playouts=10)
    result = timing(position, growth=made)
    assert result.rounds == 3
    assert result.scenarios == made.scenarios
    with pytest.raises(InvalidOption, match="the rivals close in its playouts"):
        timing(position, growth=made, rivals={})
    with pytest.raises(InvalidOption, match="for something else"):
        timing(position, growth=made, rounds=4)


def test_rivals_data_with_estimated_growth() -> None:
    position = middle()
    rival = next(a.name for a in position.aqueducts if a.open and a.owner == 1)
    result = timing(position, rounds=3, playouts=5, rivals=[{}, {rival: 2}])
    assert len(result.scenarios) == 10


# Replies


def test_best_replies_close_in_turn_order() -> None:
    both = {"R1": [5, 5], "Y1": [5, 5]}
    result = timing(START, rounds=2, growth=both, rivals="replies")
    assert result.orders == {"R1": 1}
    assert (result.points[0], result.points[1]) == (5, 4)
    assert values(result, "R1") == [5, 4, 4]
    assert result.method == "replies"


def test_best_replies_to_estimated_growth_use_its_means() -> None:
    result = timing(middle(), rounds=3, playouts=20, rivals="replies")
    assert len(result.scenarios) == 1
    assert result.proved


# How sure


def test_a_stopped_answer_claims_no_proof() -> None:
    stop = threading.Event()
    stop.set()
    result = timing(middle("romana2"), growth={}, rounds=6, method="cpsat", stop=stop, waits=0)
    assert result.value <= result.bound


@pytest.mark.parametrize("method", ["auto", "search", "cpsat"])
def test_without_time_nothing_is_closed_and_nothing_said_of_waiting(method: str) -> None:
    result = timing(middle("romana2"), rounds=6, playouts=30, method=method, seconds=1e-6, waits=1)
    assert not result.proved
    assert result.bound > result.value > 0
    assert (result.orders, result.fresh) == ({}, None)
    assert {(wait.value, wait.possible, wait.proved) for wait in result.waiting} == {(None, True, False)}
    assert "not proved" in str(result)
    assert "?" in str(result)


def test_where_schedules_are_too_many_good_ones_are_given_without_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"position": middle("romana2"), "rounds": 6, "playouts": 10, "waits": 1, "seconds": None}
    best = timing(**asked)
    monkeypatch.setattr(timing_search, "MOST_WORK", 0)
    result = timing(**asked, method="search")
    assert result.orders
    assert result.value <= best.value <= result.bound
    assert result.proved == (result.value == result.bound)
    for wait, known in zip(result.waiting, best.waiting, strict=True):
        assert wait.value is None or wait.value <= min(known.value, result.value)


def test_time_is_kept_for_good_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(timing_clock.time, "perf_counter", lambda: now[0])
    clock = timing_clock.Clock(8.0, None)
    assert (clock.left(), clock.left(timing_proof.PROVING)) == (8.0, 6.0)
    now[0] = 6.0
    assert (clock.runs(), clock.runs(timing_proof.PROVING)) == (True, False)
    assert (clock.has(1.9), clock.has(2.0)) == (True, False)
    first = clock.share(4)
    now[0] = 6.4
    assert first()
    now[0] = 6.5
    assert not first()
    assert clock.runs()


def test_a_schedule_found_for_waiting_may_be_the_best_one() -> None:
    known = timing_proof.ScheduleProof(7, 9, {}, proved=False)
    assert known.improved(7, {1: 1}) == known
    assert known.improved(None, {}) == known
    assert known.improved(8, {1: 1}) == timing_proof.ScheduleProof(8, 9, {1: 1}, proved=False)
    assert known.improved(9, {1: 2}) == timing_proof.ScheduleProof(9, 9, {1: 2}, proved=True)


def test_replies_without_time_are_those_of_players_who_close_nothing() -> None:
    # So many turns that the clock is looked at in between.
    growth = {a.name: 0.5 for a in START.aqueducts}
    result = timing(START, rounds=60, growth=growth, rivals="replies", seconds=1e-6, waits=1)
    assert (result.orders, result.proved) == ({}, False)
    assert result.value == timing(START, rounds=60, growth=growth, closed_only=False, seconds=1e-6, waits=0).value
    assert {wait.value for wait in result.waiting if wait.rounds is not None} == {None}


def test_a_value_that_the_rules_do_not_confirm_is_never_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def boast(self, pin, known, tasks):
        return timing_proof.ScheduleProof(99, 99, {}, proved=True)

    monkeypatch.setattr(timing_proof.Prover, "prove", boast)
    with pytest.raises(ProofFailure, match="a schedule is worth 99, but the replay gives 8"):
        ask()


def test_a_schedule_better_than_a_bound_is_never_given(monkeypatch: pytest.MonkeyPatch) -> None:
    # The bound leaves out the podiums of all but one aqueduct.
    monkeypatch.setattr(timing_search.ScheduleSearch, "upper_bound", lambda self: 6)
    monkeypatch.setattr(timing_search, "MOST_WORK", 0)
    with pytest.raises(ProofFailure, match=r"climbing finds .* but it was proved that none is worth more than 6"):
        ask(method="search")


def test_waiting_is_never_worth_more_than_the_best_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    # CP-SAT proves that it is best to leave everything open.
    ask_model = timing_proof.Prover._run

    def leave_open(self: timing_proof.Prover, pin: Order | None) -> timing_proof.ScheduleProof:
        nothing = timing_proof.ScheduleProof(self._try({}), self._try({}), {}, proved=True)
        return ask_model(self, pin) if pin else nothing

    monkeypatch.setattr(timing_proof.Prover, "_run", leave_open)
    with pytest.raises(ProofFailure, match=r"closing R1 in round 3 finds a schedule worth 9"):
        ask(method="cpsat")


def test_an_interrupt_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def search_for_ever(self: timing_search.ScheduleSearch, pin: Order | None) -> None:
        _thread.interrupt_main()
        while self.wanted():
            time.sleep(0.01)
        raise TooBig

    monkeypatch.setattr(timing_search.ScheduleSearch, "solve", search_for_ever)
    result = ask(seconds=None)
    assert not result.proved
    assert result.bound > result.value > 0


def test_a_value_of_waiting_for_replies_is_replayed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def boast(self, pin):
        return ReplyLine((99, 0, 0, 0), {}, self.case.rounds)

    monkeypatch.setattr(DeepeningReplies, "solve_pinned", boast)
    with pytest.raises(ProofFailure, match="waiting is worth 99 against best replies, but the replay gives"):
        timing(START, rounds=2, growth={"R1": [5, 5], "Y1": [5, 5]}, rivals="replies")


def test_twelve_aqueducts_and_twenty_rounds_are_proved() -> None:
    draw = random.Random(2)
    for layout in ("romana4", "romana2"):
        position = Position.start(layout)
        growth = {a.name: draw.choice((0.3, 0.5, 0.7, 0.9)) for a in position.aqueducts}
        rivals = {a.name: 5 * i for i, a in enumerate(position.aqueducts[6:9], start=1)}
        result = timing(position, rounds=20, growth=growth, rivals=rivals)
        assert result.proved
        assert all(wait.proved for wait in result.waiting)


# What one sees


def test_text_table_and_data() -> None:
    result = ask()
    assert str(result).splitlines()[0].startswith("Red, 3 rounds: 9 podium points (proved best, ")
    assert "R1        in round 3       6       6" in str(result)
    assert "R3        leave open" in str(result)
    assert list(result.frame()["aqueduct"]) == ["R1", "R2", "R3"]
    assert {"now", "+1", "+2", "never"} <= set(result.frame().columns)
    data = json.loads(json.dumps(result.json()))
    assert data["value"] == 9
    assert data["schedule"][0] == {"aqueduct": "R1", "round": 3, "carried_out": 1, "length": 6, "podium": 6}
    assert repr(result).startswith("<Timing: Red, 3 rounds")
    assert "<script" not in result._repr_html_()
    assert result._repr_html_().count("<tr>") == 4


# Errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": 0}, "rounds: 0; expected a whole number from 1 to 60"),
        ({"aim": "best"}, "aim: 'best'; expected one of expected, worst"),
        ({"method": "magic"}, "method: 'magic'"),
        ({"seconds": 0}, "seconds: 0; expected a number greater than 0"),
        ({"seconds": True}, "seconds: True"),
        ({"stop": 1}, "stop: 1"),
        ({"player": 5}, "player: 5"),
        ({"closed_only": 1}, "closed_only: 1"),
        ({"waits": -1}, "waits: -1"),
        ({"growth": 3}, "growth: 3; expected lengths"),
        ({"rivals": "nobody"}, "rivals: 'nobody'; expected 'playouts'"),
        ({"rivals": []}, "rivals"),
        ({"rivals": 3}, "rivals: 3"),
        ({"rivals": "playouts"}, "'playouts' with growth entered"),
        ({"rivals": {"Y2": 1}}, "rivals.Y2: has length 0 in round 1; expected a length of at least 1"),
        ({"rivals": [{}, {"B1": 9}]}, "rivals.1.B1: 9"),
        ({"rivals": [3]}, "rivals.0: 3"),
        ({"rivals": [{"B1": 1, "weight": 0}]}, "rivals.0.weight: 0; expected a number greater than 0"),
        ({"rivals": [{"weight": float("inf")}]}, "rivals.0.weight"),
        ({"seed": 2**64}, "seed: 18446744073709551616; expected a whole number from 0 to 18446744073709551615"),
        ({"rivals": "replies", "aim": "worst"}, "aim: 'worst' of best replies, which are one scenario"),
        ({"rivals": [{"weight": 1e-12}, {"weight": 1}]}, "too many digits"),
    ],
)
def test_what_is_wrong_is_named(options: dict, message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        ask(**options)


def test_closings_that_the_forecast_forbids_are_refused() -> None:
    walled = {**FAST, "Y1": {"lengths": [3], "ends": 2}, "Y2": [1]}
    with pytest.raises(InvalidOption, match="closed by construction in round 2; expected an earlier round"):
        ask(growth=walled, rivals={"Y1": 3})
    with pytest.raises(InvalidOption, match="Y1 is closed by construction in that turn"):
        ask(growth=walled, rivals={"Y2": 2})
    assert ask(growth=walled, rivals={"Y2": 2, "Y1": 1}).proved


def test_positions_without_a_question_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="a position of Aqua Romana"):
        timing(aquadukt.Position.start())
    with pytest.raises(InvalidPosition, match="is over"):
        timing(START.stopped(1))
    with pytest.raises(InvalidOption, match="2 takes no turn in a study position"):
        timing(START.solo(1), player=2)


def test_a_player_without_a_workman_has_nothing_to_plan() -> None:
    fields = str(START).split(" ")
    fields[5] = "1.2.3,*.*.*,*.*.*,*.*.*"
    fields[7] = "2"
    with pytest.raises(InvalidOption, match="player: 1 has no workman on the board"):
        timing(Position.parse(" ".join(fields)), player=1)
