"""Closure timing proved three ways: each constraint on its own, and CP-SAT, search and trying everything agree."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from timing_cases import best_replies, play, random_case, try_all

from aquakit.planning.cpsat import Run, all_solutions
from aquakit.romana import Layout, Position
from aquakit.romana.planner.timing import model as tm
from aquakit.romana.planner.timing.replay import (
    CLOSED,
    END,
    WALLED,
    GrowthCourse,
    Scenario,
    TimingCase,
    points_of,
    replay,
)
from aquakit.romana.planner.timing.replies import DeepeningReplies, ReplySearch
from aquakit.romana.planner.timing.search import NEVER, ScheduleSearch


def make(
    courses: dict[str, GrowthCourse],
    closings: dict[str, int] | None = None,
    *,
    rounds: int = 2,
    full: tuple[int, ...] = (),
    closed_only: bool = False,
) -> TimingCase:
    """Makes a case for Red on the board for four; aqueducts not named stay at length 0."""
    layout = Layout.load("romana4")
    state = Position.start(layout).state
    for podium in full:
        state.room[podium] = 0
    still = GrowthCourse((0,) * rounds, 0)
    numbers = layout.aqueduct_index
    all_courses = {a: courses.get(name, still) for name, a in numbers.items()}
    scenario = Scenario(all_courses, {numbers[n]: k for n, k in (closings or {}).items()}, 4 * rounds - 1)
    return TimingCase(layout, state, 0, rounds, (scenario,), closed_only)


def schedules_of(model: tm.TimingModel) -> set[frozenset[tuple[str, int]]]:
    def read(value):
        return frozenset((model.case.name(a), k) for (a, k), x in model.orders.items() if value(x))

    return set(all_solutions(model.cp, read)[0])


def best(case: TimingCase) -> int:
    return Run(workers=1).solve(tm.build(case).cp).value


GROWS = GrowthCourse((3, 4), 5)


# What is known beforehand


def test_orders_exist_only_where_the_length_allows_them() -> None:
    # [R9]: one of length 0 has nothing to close.
    model = tm.TimingModel(
        make(
            {
                "R1": GrowthCourse((0, 2), 2),
                "R2": GrowthCourse((1, 1), 1, ends=4),
                "R3": GrowthCourse((1, 1), 1, ends=3),
            }
        )
    )
    names = {(model.case.name(a), k) for a, k in model.orders}
    assert names == {("R1", 2), ("R2", 1), ("R3", 1)}  # turn 4 is Red's own second one, turn 3 Blue's first


# One constraint at a time


def test_each_aqueduct_is_ordered_once() -> None:
    model = tm.TimingModel(make({"R1": GROWS}))
    assert len(schedules_of(model)) == 4
    tm.order_each_once(model)
    assert schedules_of(model) == {frozenset(), frozenset({("R1", 1)}), frozenset({("R1", 2)})}


def test_one_order_a_turn() -> None:
    model = tm.TimingModel(make({"R1": GROWS, "R2": GROWS}))
    tm.order_one_a_turn(model)
    assert not [s for s in schedules_of(model) if {("R1", 1), ("R2", 1)} <= s]
    assert frozenset({("R1", 1), ("R2", 2)}) in schedules_of(model)


def test_no_order_in_a_turn_with_an_own_closing_by_construction() -> None:
    # Step 6: R2 is walled in in Red's second turn, unless it was closed in the first.
    model = tm.TimingModel(make({"R1": GROWS, "R2": GrowthCourse((3, 3), 3, ends=4)}))
    tm.carry_out_orders(model, model.futures[0])
    tm.carry_out_each_somewhere(model)
    found = schedules_of(model)
    assert frozenset({("R1", 2)}) not in found
    assert frozenset({("R2", 1), ("R1", 2)}) in found
    assert frozenset({("R1", 1)}) in found


def test_what_happens_takes_one_place() -> None:
    model = tm.TimingModel(make({"R1": GROWS}))
    future = model.futures[0]
    tm.carry_out_orders(model, future)
    tm.take_one_podium(model, future)
    model.cp.add(model.orders[0, 1] == 1)
    model.cp.add(model.orders[0, 2] == 0)
    solver = Run(workers=1).solve(model.cp).solver
    taken = {
        event.order: sum(solver.value(x) for x in takes.values())
        for event, takes in future.takes.items()
        if event.aqueduct == 0
    }
    assert taken == {1: 1, 2: 0, None: 0}


def test_a_podium_is_never_filled_beyond_its_room() -> None:
    case = make({"R1": GROWS, "Y1": GrowthCourse((3, 3), 3), "Y2": GrowthCourse((3, 3), 3)})
    model = tm.TimingModel(case)
    future = model.futures[0]
    for step in (tm.carry_out_orders, tm.take_one_podium, tm.count_the_filled):
        step(model, future)
    at_three = [takes[3] for takes in future.takes.values() if 3 in takes]
    model.cp.maximize(sum(at_three))
    assert Run(workers=1).solve(model.cp).value == 2  # podium 3 holds two


def test_a_lower_podium_only_if_all_above_are_full() -> None:
    model = tm.TimingModel(make({"R1": GrowthCourse((5, 5), 5), "Y1": GrowthCourse((5, 5), 5)}, {"Y1": 1}))
    future = model.futures[0]
    for step in (tm.carry_out_orders, tm.take_one_podium, tm.count_the_filled, tm.drop_only_past_full):
        step(model, future)
    model.cp.add(model.orders[0, 1] == 0)
    model.cp.add(model.orders[0, 2] == 0)
    model.cp.minimize(future.value())
    assert Run(workers=1).solve(model.cp).value == 4  # Y1 has 5 by then, so R1 has 4, and nothing lower


# Small cases that can be done by hand


def test_the_first_to_close_gets_the_podium() -> None:
    grown = {"R1": GrowthCourse((5, 5), 5), "Y1": GrowthCourse((5, 5), 5)}
    assert best(make(grown, {"Y1": 1})) == 5  # Red moves before Yellow
    assert best(make({**grown, "R1": GrowthCourse((4, 6), 6)}, {"Y1": 1})) == 6


def test_full_podiums_are_passed_over() -> None:
    assert best(make({"R1": GrowthCourse((5, 5), 5)}, full=(5, 4))) == 3
    assert best(make({"R1": GrowthCourse((2, 2), 2)}, full=(2, 1))) == 0


def test_longer_than_the_highest_podium_takes_the_highest() -> None:
    assert best(make({"R1": GrowthCourse((23, 23), 23)})) == 20


def test_open_aqueducts_are_scored_at_the_end_or_count_nothing() -> None:
    courses = {"R1": GrowthCourse((3, 3), 3), "R2": GrowthCourse((4, 4), 4), "R3": GrowthCourse((5, 5), 5)}
    assert best(make(courses)) == 12
    assert best(make(courses, closed_only=True)) == 9  # two turns, two closings


def test_the_end_is_scored_from_the_player_whose_turn_ended_last() -> None:
    # Blue moves last in each round, so Blue's open aqueduct comes before Red's.
    same = {"R1": GrowthCourse((0, 0), 6), "B1": GrowthCourse((0, 0), 6)}
    taken = {w.aqueduct: (w.podium, w.how) for w in replay(make(same), make(same).scenarios[0], {})}
    assert taken["B1"] == (6, END)
    assert taken["R1"] == (5, END)
    assert best(make(same)) == 5


def test_the_replay_tells_how_each_workman_came_to_its_podium() -> None:
    case = make({"R1": GROWS, "R2": GrowthCourse((2, 2), 2, ends=1), "Y1": GROWS}, {"Y1": 2})
    taken = {w.aqueduct: w for w in replay(case, case.scenarios[0], {0: 2})}
    assert (taken["R1"].how, taken["R1"].round, taken["R1"].length, taken["R1"].podium) == (CLOSED, 2, 4, 4)
    assert (taken["R2"].how, taken["R2"].round, taken["R2"].turn) == (WALLED, 1, 1)
    assert (taken["Y1"].how, taken["Y1"].podium) == (CLOSED, 3)


def test_an_order_that_is_not_allowed_lapses() -> None:
    case = make({"R1": GROWS, "R2": GrowthCourse((2, 2), 2, ends=0)})
    taken = {w.aqueduct: w for w in replay(case, case.scenarios[0], {0: 1})}
    assert taken["R1"].how == END


# Against trying everything


@pytest.mark.parametrize("seed", range(10))
def test_model_search_and_trying_everything_agree(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(25):
        case, aim = random_case(draw), draw.choice(("expected", "worst"))
        expected = try_all(case, aim)
        assert Run(workers=1).solve(tm.build(case, aim).cp).value == expected
        found = ScheduleSearch(case, aim).solve()
        assert found.value == expected


@pytest.mark.parametrize("seed", range(6))
def test_values_of_waiting_agree(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(5):
        case, aim = random_case(draw), draw.choice(("expected", "worst"))
        model, search = tm.build(case, aim), ScheduleSearch(case, aim)
        for pin in [(draw.choice(case.mine), k) for k in range(NEVER, case.rounds + 1)]:
            expected = try_all(case, aim, pin)
            found, cp = search.solve(pin), tm.pinned(model, pin)
            assert (None if found is None else found.value) == expected
            assert (None if cp is None else Run(workers=1).solve(cp).value) == expected
            assert found is None or found.orders.get(pin[0], NEVER) == pin[1]


@pytest.mark.parametrize("seed", range(5))
def test_the_replay_by_the_kernel_agrees_with_the_rules_written_again(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(20):
        case = random_case(draw)
        orders = {a: draw.randint(1, case.rounds) for a in draw.sample(case.mine, 1)}
        for scenario in case.scenarios:
            mine, theirs = replay(case, scenario, orders), play(case, scenario, orders)
            assert [points_of(case, mine, p) for p in range(len(case.layout.players))] == theirs.points


@pytest.mark.parametrize("seed", range(8))
def test_best_replies_agree_with_trying_every_line(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(4):
        board = draw.choice(("romana2-5x4", "romana4"))
        case = random_case(draw, board=board, rounds=2 if board == "romana2-5x4" else 1, most=1)
        scenario = Scenario(case.scenarios[0].courses, {}, case.scenarios[0].last)
        assert list(DeepeningReplies(case, scenario).solve().points) == best_replies(case, scenario)


def test_the_line_of_best_replies_is_what_the_replay_makes_of_it() -> None:
    draw = random.Random(1)
    for _ in range(10):
        case = random_case(draw, rounds=3, most=1)
        line = DeepeningReplies(case, Scenario(case.scenarios[0].courses, {}, case.scenarios[0].last)).solve()
        scenario = Scenario(case.scenarios[0].courses, line.orders, case.scenarios[0].last)
        taken = replay(case, scenario, {})
        assert tuple(points_of(case, taken, p) for p in range(len(case.layout.players))) == line.points


def test_whoever_is_indifferent_waits() -> None:
    case = make({"R1": GrowthCourse((5, 5), 5)})
    assert ReplySearch(case, case.scenarios[0], 2).solve().orders == {}


def test_a_threat_makes_the_player_close_now() -> None:
    # Both have 5 for good. Who waits loses the podium to the other's next turn.
    race = make({"R1": GrowthCourse((5, 5), 5), "Y1": GrowthCourse((5, 5), 5)})
    line = ReplySearch(race, race.scenarios[0], 2).solve()
    assert line.orders[0] == 1
    assert line.points[:2] == (5, 4)
    pinned = ReplySearch(race, race.scenarios[0], 2).solve((0, NEVER))
    assert pinned.points[0] == 4


# Limits


def test_a_search_that_is_stopped_says_so() -> None:
    case = random_case(random.Random(0), board="romana4", rounds=3, most=1)
    search = ScheduleSearch(case, "expected")
    search.limit = 1
    with pytest.raises(tm.TooBig):
        search.solve()


def test_a_model_is_not_built_to_the_end_without_need() -> None:
    case = random_case(random.Random(0), most=2)
    with pytest.raises(tm.TooBig):
        tm.build(case, wanted=lambda: False)
    looks = iter([True] * len(case.scenarios))
    with pytest.raises(tm.TooBig):
        tm.build(case, wanted=lambda: next(looks, False))


def test_climbing_ends_with_the_best_so_far() -> None:
    case = make(
        {"R1": GROWS, "R2": GrowthCourse((2, 2), 2), "Y1": GrowthCourse((3, 4), 4)}, {"Y1": 2}, closed_only=True
    )
    search = ScheduleSearch(case, "expected")
    whole = search.climb()
    for steps in range(8):
        looks = iter([True] * steps)
        found = search.climb(wanted=lambda looks=looks: next(looks, False))
        assert found.value <= whole.value
        assert steps or found.orders == {}
    assert search.climb(known=whole.orders, wanted=lambda: False) == whole


@pytest.mark.parametrize("seed", range(3))
def test_climbing_never_claims_more_than_the_best(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(10):
        case, aim = random_case(draw), draw.choice(("expected", "worst"))
        search = ScheduleSearch(case, aim)
        assert search.upper_bound() >= search.solve().value
        for pin in (None, (case.mine[0], NEVER), (case.mine[0], 1)):
            best, whole = search.solve(pin), search.solve()
            assert (best is None) == (search.climb(pin) is None)
            for found in (search.climb(pin), search.climb(pin, whole.orders)) if best is not None else ():
                plays = [play(case, scenario, found.orders).points[case.me] for scenario in case.scenarios]
                sums = sum(w * v for w, v in zip(tm.scale_weights(case), plays, strict=True))
                assert found.value == (min(plays) if aim == "worst" else sums)
                assert found.value <= best.value
                assert pin is None or found.orders.get(pin[0], NEVER) == pin[1]


def test_replies_too_big_for_all_rounds_tell_their_horizon(monkeypatch: pytest.MonkeyPatch) -> None:
    from aquakit.romana.planner.timing import replies as timing_replies

    case = random_case(random.Random(3), board="romana4", rounds=3, most=1)
    scenario = Scenario(case.scenarios[0].courses, {}, 11)
    whole = DeepeningReplies(case, scenario).solve()
    monkeypatch.setattr(timing_replies, "MOST_STATES", 40)
    part = DeepeningReplies(case, scenario).solve()
    assert whole.horizon == 3
    assert part.horizon < 3


def test_weights_become_whole_numbers_in_proportion() -> None:
    case = random_case(random.Random(0), most=1)
    one = case.scenarios[0]
    weights = (Fraction(1, 2), Fraction("0.3"), Fraction(1))
    scenarios = tuple(Scenario(one.courses, one.closings, one.last, weight) for weight in weights)
    assert tm.scale_weights(TimingCase(case.layout, case.state, case.me, case.rounds, scenarios)) == [5, 3, 10]


def test_twelve_aqueducts_and_twenty_rounds_are_proved() -> None:
    draw = random.Random(7)
    for board in ("romana4", "romana2"):
        case = random_case(draw, board=board, rounds=20, most=1)
        outcome = Run(workers=1).solve(tm.build(case).cp)
        assert outcome.proved
        assert outcome.value == ScheduleSearch(case, "expected").solve().value
