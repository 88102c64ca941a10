"""The model of the longest aqueduct: what lies between empty squares, and each constraint on its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aquakit.planning.cpsat import INFEASIBLE, Run
from aquakit.romana.kernel import CODES
from aquakit.romana.planner.longest import model as lm
from aquakit.romana.planner.longest.model import LongestCase, LongestModel, ReachableGround
from tests.romana.planner.longest_cases import STRIP, strip

N, E, S, W = range(4)


def ground(board: str, *aqueducts: int) -> ReachableGround:
    return ReachableGround.of(STRIP.tables, strip(board).state, aqueducts or (0,))


def port(name: str) -> int:
    return 4 * STRIP.square_index[name[:2]] + "NESW".index(name[2])


def step(text: str) -> tuple[int, int, int]:
    """Reads a pass such as b2WE."""
    return STRIP.square_index[text[:2]], "NESW".index(text[2]), "NESW".index(text[3])


def allows(m: LongestModel, *passes: str, also: tuple[object, ...] = ()) -> bool:
    """Checks whether a model allows exactly these passes, with other variables true."""
    wanted = {step(text) for text in passes}
    assert wanted <= m.passes.keys()
    for made, flag in m.passes.items():
        m.cp.add(flag == (made in wanted))
    for flag in also:
        m.cp.add(flag == 1)
    return Run(workers=1).solve(m.cp).status != INFEASIBLE


EMPTY = "#...#/#...#/....."
ROW = "#|||#/#...#/F---J"
"""Only b2, c2 and d2 are empty, between the two outlets."""


# The ground


def test_a_link_is_a_grid_edge_between_two_empty_squares():
    g = ground(EMPTY)
    assert g.link(port("b2E")) == (g.link(port("c2W"))) == (tuple(sorted((port("b2E"), port("c2W")))), 0, -1)
    assert g.link(port("b2E")).across(port("b2E")) == port("c2W")


def test_a_loose_path_is_a_link_as_long_as_its_segments():
    # b3 and c3 lead from b2's north side round to c2's.
    g = ground("#F7|#/#..|#/.....")
    assert g.at[port("b2N")] == g.at[port("c2N")]
    assert g.link(port("b2N")).length == 2


def test_a_wall_a_rim_and_a_loose_path_into_one_lead_nowhere():
    g = ground("#-.|#/#..|#/.....")
    assert g.link(port("b2N")).ports == (port("b2N"),)
    assert g.link(port("c3N")).ports == (port("c3N"),)
    assert g.link(port("c3W"))[:2] == ((port("c3W"),), 1)


def test_ends_of_aqueducts_are_tips_or_barred():
    g = ground(ROW)
    assert g.tips == {0: g.at[port("b2W")]}
    assert g.link(port("d2E")).aqueduct == 1
    assert {STRIP.square_names[q] for q in g.squares} == {"b2", "c2", "d2"}
    leaving = {(q, leave) for q, _, leave in g.passes()}
    assert (STRIP.square_index["d2"], W) in {(q, entry) for q, entry, _ in g.passes()}
    assert (STRIP.square_index["d2"], E) not in leaving
    assert (STRIP.square_index["b2"], W) not in leaving


def test_what_cannot_be_reached_is_left_out():
    g = ground("#.|.#/#.|.#/F-|-J")
    assert {STRIP.square_names[q] for q in g.squares} == {"b2", "b3"}


# Each constraint alone


@pytest.mark.parametrize("build", [lm.use_each_side_once, lm.take_one_of_three_sides])
def test_no_two_passes_share_a_side(build: Callable[[LongestModel], None]):
    for passes, expected in [
        (("b2WE",), True),
        (("b2WN", "b2SE"), True),
        (("b2WN", "b2NE"), False),
        (("b2WN", "b2WE"), False),
        (("b2WN", "b2SN"), False),
        (("b2NS", "b2SN"), False),
    ]:
        m = LongestModel(ground(EMPTY))
        build(m)
        assert allows(m, *passes) == expected, passes


@pytest.mark.parametrize(
    ("passes", "expected"),
    [
        (("b2WE", "c2WE"), True),
        (("b2WE",), True),
        (("c2WE",), False),
        (("b2WE", "c2EW"), False),
        (("b2WE", "b2EN"), False),
    ],
)
def test_water_goes_on_only_from_where_it_is(passes, expected):
    m = LongestModel(ground(EMPTY))
    lm.go_on_where_water_is(m)
    assert allows(m, *passes) == expected


def test_a_loose_path_is_left_at_its_other_end():
    board = "#F7|#/#..|#/....."
    for passes, expected in [(("b2WN", "c2NS"), True), (("b2WN", "c2SN"), False)]:
        m = LongestModel(ground(board))
        lm.go_on_where_water_is(m)
        assert allows(m, *passes) == expected


@pytest.mark.parametrize(
    ("passes", "tile", "expected"),
    [
        (("b2WE",), ("single", lm.STRAIGHT), True),
        (("b2WE",), ("spare", lm.STRAIGHT), True),
        (("b2WE",), ("both", lm.STRAIGHT), False),
        (("b2WE",), ("single", lm.CURVE), False),
        (("b2WE", "b2NS"), ("both", lm.STRAIGHT), True),
        (("b2WN", "b2SE"), ("both", lm.CURVE), True),
        (("b2WN", "b2SE"), ("spare", lm.CURVE), False),
        ((), ("single", lm.CURVE), False),
        ((), ("spare", lm.STRAIGHT), False),
    ],
)
def test_a_square_gets_the_tile_that_is_passed(passes, tile, expected):
    m = LongestModel(ground(EMPTY))
    lm.lay_what_is_passed(m)
    name, shape = tile
    assert allows(m, *passes, also=(getattr(m.tiles[STRIP.square_index["b2"]], name)[shape],)) == expected


@pytest.mark.parametrize(
    ("stock", "passes", "expected"),
    [
        ((0, 2, 0, 0), ("b2WE", "c2WE"), True),
        ((0, 1, 0, 0), ("b2WE", "c2WE"), False),
        ((0, 1, 1, 0), ("b2WE", "c2WE"), True),
        ((9, 0, 0, 9), ("b2WE",), False),
        ((0, 0, 1, 0), ("b2WE", "b2NS"), True),
        ((9, 9, 0, 9), ("b2WE", "b2NS"), False),
        ((0, 0, 0, 1), ("b2WN", "b2SE"), True),
        ((9, 9, 9, 0), ("b2WN", "b2SE"), False),
    ],
)
def test_no_more_tiles_than_are_in_stock(stock, passes, expected):
    m = LongestModel(ground(EMPTY))
    lm.lay_what_is_passed(m)
    lm.keep_to_the_stock(m, stock)
    assert allows(m, *passes) == expected


def spare(m: LongestModel, name: str, shape: int = lm.STRAIGHT) -> object:
    return m.tiles[STRIP.square_index[name]].spare[shape]


@pytest.mark.parametrize(
    ("passes", "name", "expected"),
    [
        (("b2WE", "c2WN"), "b2", True),  # the water goes on through the bridge's other segment nowhere
        (("b2WN", "b3SE", "c3WS"), "c2", False),  # it stops before c2, which a spare segment would lead on
        (("b2WN", "b3SE", "c3WS", "c2NS"), "c2", True),
        ((), "b2", False),
    ],
)
def test_nobody_stops_before_a_spare_segment(passes, name, expected):
    m = LongestModel(ground(EMPTY))
    lm.stop_before_no_spare_segment(m)
    assert allows(m, *passes, also=(spare(m, name),)) == expected


@pytest.mark.parametrize(
    ("passes", "bridges", "expected"),
    [
        # R1 runs over d2 from south to north; G1's water may pass under it to the west, but on to c2 and b2 it may not.
        (("d2SN",), ("d2",), True),
        (("d2SN", "c2NS"), ("d2",), True),
        (("d2SN", "c2NS"), ("d2", "c2"), True),
        (("d2SN", "c2NS", "b2NS"), ("d2", "c2", "b2"), False),  # it would meet R1's outlet [R3]
        (("d2SN", "b2WE"), ("d2",), True),
        (("d2SN", "c2NW"), ("d2",), True),
        (("d2SN", "c2NE"), ("d2",), False),  # R1 leaves c2 towards the very side where the other water arrives
    ],
)
def test_others_water_is_followed_along_spare_segments(passes, bridges, expected):
    m = LongestModel(ground(EMPTY))
    lm.join_nobody(m)
    assert allows(m, *passes, also=tuple(spare(m, name) for name in bridges)) == expected


def test_two_others_are_not_joined_with_each_other_either():
    # Asked about nobody's aqueduct in particular: both outlets are others, and three bridges in a row join them.
    m = LongestModel(ground(EMPTY, 0))
    others = ReachableGround(m.ground.links, m.ground.at, {}, m.ground.squares, m.ground.used)
    for bridges, expected in [(("b2", "c2", "d2"), False), (("b2", "c2"), True)]:
        m = LongestModel(others)
        lm.join_nobody(m)
        passes = [f"{name}NS" for name in bridges]
        assert allows(m, *passes, also=tuple(spare(m, name) for name in bridges)) == expected


def test_passes_in_a_loop_belong_to_no_aqueduct():
    loop = ("c1NE", "d1WN", "d2SW", "c2ES")
    for passes, expected in [(("b2WE", "c2WN"), True), (("b2WN", *loop), False), ((), True)]:
        m = LongestModel(ground(EMPTY))
        lm.leave_no_loops(m)
        assert allows(m, *passes) == expected


@pytest.mark.parametrize(("claimed", "expected"), [(2, True), (3, False)])
def test_no_more_segments_are_counted_than_follow(claimed, expected):
    m = LongestModel(ground(EMPTY))
    ahead = lm.count_ahead(m, 9)
    m.cp.add(ahead[m.ground.tips[0]] >= claimed)
    assert allows(m, "b2WE", "c2WN") == expected


def test_a_loop_beside_the_aqueduct_counts_nothing():
    m = LongestModel(ground(EMPTY))
    ahead = lm.count_ahead(m, 9)
    m.cp.add(ahead[m.ground.tips[0]] >= 2)
    assert not allows(m, "b2WN", "c1NE", "d1WN", "d2SW", "c2ES")


@pytest.mark.parametrize(("lengths", "points"), [((3, 3, 3), 8), ((9, 1, 1), 4), ((2, 2, 2), 3), ((0, 0, 0), 0)])
def test_podiums_go_by_length_and_room(lengths, points):
    m = LongestModel(ground(EMPTY))
    m.cp.maximize(lm.take_podiums(m, dict(enumerate(lengths)), {1: 1, 2: 1, 3: 2}))
    assert Run(workers=1).solve(m.cp).value == points


# The whole


def test_the_tiles_are_read_from_the_passes():
    m = LongestModel(ground(EMPTY))
    chosen = {m.passes[step(text)].index for text in ("b2WE", "b2NS", "c2WN", "d2SN")}
    chosen.add(spare(m, "d2").index)
    tiles = lm.read_tiles(m, lambda flag: flag.index in chosen)
    named = {STRIP.square_names[q]: CODES[code] for q, code in tiles.items()}
    assert named == {"b2": "+", "c2": "J", "d2": "+"}


def test_both_questions_have_an_answer_on_a_small_board():
    state = strip(ROW).state
    length = Run(workers=1).solve(lm.model_length(LongestCase.of(STRIP.tables, state, (0,))).cp)
    assert (length.value, length.proved) == (4, True)  # b2 c2 d2 d3
    points = Run(workers=1).solve(lm.model_points(LongestCase.of(STRIP.tables, state, (0,))).cp)
    assert (points.value, points.proved) == (3, True)
