"""Each rule of the canals' model by itself, and the bounds that its prices give."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest
from random_games import play_on

from aquakit.aquadukt import Position
from aquakit.aquadukt.planner.canals.choice import CanalChoice, Chooser, appraise, choose_greedily
from aquakit.aquadukt.planner.canals.prices import Prices, narrow, narrow_by_site, relax
from aquakit.aquadukt.planner.canals.program import (
    BUILDERS,
    LinearRow,
    Program,
    arms_apart,
    arms_need_springs,
    canals_give_water,
    canals_left,
    room_for_arms,
    springs_apart,
    springs_left,
    water_needs_canals,
)
from aquakit.aquadukt.planner.canals.ways import ArmWay, CanalGround, list_ways

SMALL = "aquadukt2-6x5"
START = Position.start(SMALL, mountains=["a5", "f4"])
SPRING = START.play("spring 3.2")
"""A spring in the middle, player 2 to move."""
HOUSE = SPRING.play("roll, die 6, 3 c2, stop")
"""Player 2 has three houses on c2, beside 2.2h below the row line 2."""


def ground(p: Position, canals: int = 2, springs: int = 0, player: int = 2, *, against: bool = True) -> CanalGround:
    return CanalGround.of(p.layout, p.state, canals, springs, player - 1, against=against)


def program(p: Position, canals: int = 2, springs: int = 0, player: int = 2, *, lean: bool = False) -> Program:
    made = ground(p, canals, springs, player)
    return Program(made, list_ways(made, lean=lean)[0], lean)


def way(it: Program, *segments: str, doubled: Iterable[str] = (), at: str = "") -> int:
    """Finds a way by its segments."""
    names = it.ground.layout.segment_names
    wanted = list(segments), list(doubled)
    for i, found in enumerate(it.ways):
        source = it.ground.layout.point_names[it.ground.sources[found.source].point]
        if ([names[e] for e in found.segments], [names[e] for e in found.doubled]) == wanted and at in ("", source):
            return i
    raise LookupError(segments)


def spring(it: Program, point: str) -> int:
    """Finds a site's variable."""
    p = it.ground.layout.point_index[point]
    return next(v for source, v in it.spring.items() if it.ground.sources[source].point == p)


def stake(it: Program, square: str, level: int = 1) -> int:
    """Finds a stake's variable."""
    q = it.ground.layout.square_index[square]
    places = [(s.square, s.level) for s in it.ground.stakes]
    return it.first_stake + places.index((q, level))


def allows(rows: Iterable[LinearRow], *chosen: int) -> bool:
    """Checks whether a choice keeps to the rows."""
    return all(sum(count for i, count in row.terms if i in chosen) <= row.most for row in rows)


# What a position leaves


def test_the_box_limits_canals_and_springs() -> None:
    made = ground(SPRING, canals=99, springs=9)
    assert (made.canals, made.springs) == (12, 1)


def test_sources_are_open_springs_arm_ends_and_sites() -> None:
    p = SPRING.play("canal 3.2h, canal 3.2h").play("canal 4.2h, canal 5.2v")
    made, points = ground(p, springs=1), p.layout.point_names
    on_board = {(points[s.point], s.room, len(s.old)) for s in made.sources if not s.site}
    assert on_board == {("3.2", 1, 0), ("5.3", 1, 2)}
    assert {f"spring {points[s.point]}" for s in made.sources if s.site} == {
        str(action) for action in p.actions() if action.what == "spring"
    }


def test_stakes_are_dry_tiles_others_negative() -> None:
    layout = HOUSE.layout
    for player, points in ((2, 3), (1, -3)):
        assert [(layout.square_names[s.square], s.level, s.points) for s in ground(HOUSE, player=player).stakes] == [
            ("c2", 1, points)
        ]
    assert ground(HOUSE, player=1, against=False).stakes == ()
    assert ground(HOUSE.play("canal 2.2h, stop"), player=2).stakes == ()


def test_events_put_points_on_the_second_canal() -> None:
    start = Position.start(SMALL, mountains=["c3", "f4"], events="mf")  # reading order: f4 is mineral, c3 foul
    p = start.play("spring 3.2").play("roll, die 6, 3 c2, stop")
    made = ground(p)
    assert [(s.level, s.need, s.points) for s in made.stakes] == [(2, 2, 3)]
    assert list(made.goals.values()) == [2]


# Ways


def test_ways_are_what_one_arm_can_become() -> None:
    made = ground(SPRING, canals=2)
    ways, longest = list_ways(made, lean=False)
    singles = [w for w in ways if not w.doubled]
    assert longest == 2
    assert len([w for w in singles if w.canals == 1]) == 4
    assert len([w for w in singles if w.canals == 2]) == 12
    assert len([w for w in ways if w.doubled]) == 4
    assert len(set(ways)) == len(ways) == 20


def test_an_arm_is_doubled_from_the_spring_on() -> None:
    it = program(SPRING.play("canal 3.2h, canal 4.2h"), canals=3)
    way(it, doubled=["3.2h"])
    way(it, doubled=["3.2h", "4.2h"])
    way(it, "5.2v", doubled=["3.2h", "4.2h"])
    for doubled in (["4.2h"], ["5.2v"]):
        with pytest.raises(LookupError):
            way(it, "5.2v", doubled=doubled)


def test_lean_ways_end_with_a_canal_that_can_pay() -> None:
    it = program(HOUSE, canals=3, lean=True)
    names = it.ground.layout.segment_names
    assert way(it, "2.2h") in range(len(it.ways))
    for found in it.ways:
        squares = {it.ground.layout.square_names[q] for q, _ in found.feeds}
        assert squares == {"c2"}
        assert "2.2h" not in [names[e] for e in found.segments] or found.segments[-1:] == found.segments[:1]


# Rules


def test_an_arm_goes_on_in_one_way_and_a_spring_has_two_arms() -> None:
    it = program(SPRING.play("canal 3.2h, stop"), canals=1)
    rows = list(room_for_arms(it))
    assert allows(rows, way(it, "4.2h"), way(it, "3.2v"))
    assert not allows(rows, way(it, "4.2h"), way(it, "4.2v"))
    it = program(SPRING, canals=1)
    east, north, west = (way(it, name) for name in ("3.2h", "3.2v", "2.2h"))
    assert allows(room_for_arms(it), east, north)
    assert not allows(room_for_arms(it), east, north, west)


def test_arms_start_only_at_springs_that_are_there() -> None:
    it = program(START, canals=2, springs=1)
    east, north = way(it, "3.2h", at="3.2"), way(it, "3.2v", at="3.2")
    rows = list(arms_need_springs(it))
    assert not allows(rows, east)
    assert not allows(rows, east, spring(it, "2.2"))
    assert allows(rows, east, north, spring(it, "3.2"))
    assert not allows(rows, east, way(it, "3.2h", "4.2h", at="3.2"), spring(it, "3.2"))


def test_no_more_canals_than_asked_for() -> None:
    it = program(SPRING, canals=2)
    assert allows(canals_left(it), way(it, "3.2h"), way(it, "3.2v"))
    assert not allows(canals_left(it), way(it, "3.2h", "4.2h"), way(it, "3.2v"))
    assert not allows(canals_left(it), way(it, "3.2h", doubled=["3.2h"]), way(it, "3.2v"))


def test_no_more_springs_than_asked_for() -> None:
    it = program(START, springs=1)
    assert allows(springs_left(it), spring(it, "1.1"))
    assert not allows(springs_left(it), spring(it, "1.1"), spring(it, "5.4"))


def test_arms_never_touch_q3() -> None:
    it = program(SPRING, canals=4)
    rows = list(arms_apart(it))
    assert allows(rows, way(it, "3.2h", "4.2v"), way(it, "3.1v"))
    assert not allows(rows, way(it, "3.2h", "4.2v"), way(it, "3.2v", "3.3h"))  # both end on 4.3
    it = program(SPRING, canals=4, springs=1)
    far = way(it, "3.2v", "3.3v", "3.4h", "4.4h", at="3.2")
    assert not allows(arms_apart(it), far, spring(it, "5.4"))
    assert allows(arms_apart(it), far, spring(it, "6.3"))


def test_new_springs_are_apart_q2() -> None:
    it = program(START, springs=2)
    rows = list(springs_apart(it))
    assert not allows(rows, spring(it, "1.1"), spring(it, "3.2"))  # 3 steps, and 4 are needed here
    assert allows(rows, spring(it, "1.1"), spring(it, "3.3"))


def test_own_tiles_count_only_with_water_q5() -> None:
    it = program(HOUSE)
    rows = list(water_needs_canals(it))
    assert not allows(rows, stake(it, "c2"))
    assert not allows(rows, stake(it, "c2"), way(it, "3.2h"))
    assert allows(rows, stake(it, "c2"), way(it, "2.2h"))


def test_tiles_of_others_count_as_soon_as_they_have_water_q5() -> None:
    it = program(HOUSE, player=1)
    rows = list(canals_give_water(it))
    assert allows(rows, way(it, "3.2h"))
    assert not allows(rows, way(it, "2.2h"))
    assert allows(rows, way(it, "2.2h"), stake(it, "c2"))


@pytest.mark.parametrize(("player", "build"), [(2, water_needs_canals), (1, canals_give_water)])
def test_what_needs_two_canals_has_to_get_two_q5(player: int, build) -> None:
    start = Position.start(SMALL, mountains=["c3", "f4"], events="mf")
    p = start.play("spring 3.2").play("roll, die 6, 3 c2, stop")
    it = program(p, canals=3, player=player)
    rows, counts = list(build(it)), stake(it, "c2", level=2)
    once = [way(it, "2.2h")]
    twice = [way(it, "2.2h", doubled=["2.2h"])], [way(it, "2.2h"), way(it, "3.1v")]  # two sides of c2
    if player == 2:
        assert not allows(rows, counts, *once)
        assert all(allows(rows, counts, *ways) for ways in twice)
    else:
        assert allows(rows, *once)
        assert not any(allows(rows, *ways) for ways in twice)
        assert all(allows(rows, counts, *ways) for ways in twice)


# Prices


def random_program(seed: int, *, springs: int = 1) -> Program:
    draw = random.Random(seed)
    while True:
        p = play_on(Position.start(SMALL, seed=seed, events=seed % 2 == 0), draw, draw.randrange(20, 60))
        if not p.is_over and p.canals_left > 2 and p.springs and p.tiles:
            return program(p, canals=2, springs=springs, player=1, lean=True)


def every_choice(it: Program) -> Iterable[tuple[tuple[int, ...], int]]:
    """Gets all choices of up to two ways and one spring that keep to the rules, and what each is worth."""
    rules = [*it.basic_rows, *canals_left(it), *arms_apart(it)]
    for springs in [(), *((v,) for v in it.spring.values())]:
        for count in range(3):
            for ways in itertools.combinations(range(len(it.ways)), count):
                if allows(rules, *ways, *springs):
                    sites = tuple(s for s, v in it.spring.items() if v in springs)
                    yield (*ways, *springs), appraise(it, CanalChoice(sites, tuple(it.ways[i] for i in ways)))


@pytest.mark.parametrize("seed", range(6))
def test_no_choice_exceeds_its_bound_whatever_the_prices(seed: int) -> None:
    it, draw = random_program(seed), random.Random(seed)
    it = Program(it.ground, draw.sample(list(it.ways), min(25, len(it.ways))), lean=True)
    some = [draw.randrange(4000) if draw.random() < 0.3 else 0 for _ in it.rows]
    for prices in (Prices(it, relax(it)), Prices(it, some), Prices(it, [0] * len(it.rows))):
        for chosen, worth in every_choice(it):
            assert worth <= prices.bound
            assert all(worth <= prices.bounds[i] for i in chosen)


@pytest.mark.parametrize("seed", range(6))
def test_narrowing_keeps_every_choice_of_a_worth(seed: int) -> None:
    it, draw = random_program(seed), random.Random(seed)
    it = Program(it.ground, draw.sample(list(it.ways), min(25, len(it.ways))), lean=True)
    choices = list(every_choice(it))
    best = max(worth for _, worth in choices)
    needed = {it.ways[i] for chosen, worth in choices if worth == best for i in chosen if i < len(it.ways)}
    for fewer in (narrow, narrow_by_site):
        assert needed <= set(fewer(Prices(it, relax(it)), max(1, best)).program.ways)


def test_good_prices_leave_less_than_none() -> None:
    it = random_program(3)
    assert Prices(it, relax(it)).bound < Prices(it, [0] * len(it.rows)).bound


def test_a_greedy_choice_keeps_to_the_rules() -> None:
    for seed in range(6):
        it = random_program(seed, springs=0)
        chosen = choose_greedily(it)
        numbers = [it.ways.index(way) for way in chosen.ways]
        assert allows([*it.basic_rows, *canals_left(it), *arms_apart(it)], *numbers)


def test_the_model_leaves_out_what_is_not_allowed() -> None:
    it = program(HOUSE, lean=True)
    chooser = Chooser.build(it, [way(it, "2.2h")])
    assert set(chooser.variables) == {way(it, "2.2h"), stake(it, "c2")}
    assert set(BUILDERS) == {canals_left, arms_apart, springs_apart, water_needs_canals, canals_give_water}
    assert isinstance(it.ways[0], ArmWay)
