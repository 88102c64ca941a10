"""The planner's model, rule by rule: what it lets happen and what not."""

from __future__ import annotations

import pytest

from aquakit.romana import Position
from aquakit.romana.kernel import CODES
from aquakit.romana.planner.cpmodel.ends import EndGraph
from aquakit.romana.planner.plan_question import PlanQuestion
from tests.romana.crafted import craft
from tests.romana.planner.model_cases import build_model, moving, possible

# A board of 5 by 4 on which Red (b4S, c4E) and Green (d1N, c1W) each have two aqueducts.
SMALL = "romana2-5x4"


def small(**changes: object) -> Position:
    return craft(SMALL, player="1!", **changes)  # type: ignore[arg-type]


def square(position: Position, name: str) -> int:
    return int(position.layout.square_index[name])


def path(position: Position, name: str) -> int:
    return int(position.layout.path_index[name])


# The graph


def test_an_end_is_reached_no_sooner_than_its_tiles_can_be_laid() -> None:
    p = small(builders={"Nb": "c", "E3": "s"})
    graph = EndGraph.of(PlanQuestion(p, 3))
    beyond = graph.exits[square(p, "b3"), 2]
    assert graph.earliest[graph.heads[0]] == 0
    assert graph.earliest[beyond] == 1
    assert graph.ends[beyond].face == square(p, "b2")
    # With an extra tile in each turn, b2 and one more square can be passed in the second.
    assert graph.earliest[graph.exits[square(p, "b2"), 2]] == 2


def test_loose_tiles_are_followed_at_once() -> None:
    p = small(tiles={"b2": "|"})
    end = EndGraph.of(PlanQuestion(p, 1)).ends[EndGraph.of(PlanQuestion(p, 1)).exits[square(p, "b3"), 2]]
    assert (end.face, end.weight, end.stand) == (square(p, "b1"), 2, square(p, "b2"))


def test_a_way_out_into_an_outlet_is_no_exit() -> None:
    p = small()
    # b1's east side is Green's outlet c1W.
    assert (square(p, "b1"), 1) not in EndGraph.of(PlanQuestion(p, 2)).exits


# Tiles and water


def test_a_tile_carries_water_only_where_it_joins() -> None:
    p = small()
    model, q = build_model(p, 1), square(p, "b3")
    south, east = model.graph.exits[q, 2], model.graph.exits[q, 1]
    straight, curve = model.tile[q, CODES.index("|")], model.tile[q, CODES.index("L")]
    assert possible(model, straight, model.reach[south, 1])
    assert not possible(model, straight, model.reach[east, 1])
    assert possible(model, curve, model.reach[east, 1])
    assert not possible(model, curve, ~model.reach[east, 1])


def test_outlets_are_never_joined() -> None:
    """[R3]"""
    # Green's c1W faces b1; Red would come down to it through b3 and b2.
    p = small(tiles={"b3": "|", "b2": "|"}, builders={"Nb": "c", "Sb": "b"})
    model, q = build_model(p, 1), square(p, "b1")
    assert not possible(model, model.tile[q, CODES.index("L")])
    assert possible(model, model.tile[q, CODES.index("J")])


# Builders


def test_a_builder_steps_over_others_and_passes_the_fountain() -> None:
    # From Nc the way leads over Nd, Ne and the fountain to E4.
    p = small(builders={"Nc": "s", "Nd": "c", "Ne": "b", "Sb": "b"})
    model = build_model(p, 2, voluntary=False)
    far = model.stands[path(p, "E4"), 1, 2]
    assert possible(model, moving(model, path(p, "Nc"), 1), model.crosses[1], far)
    assert not possible(model, moving(model, path(p, "Nc"), 1), ~far)
    assert possible(model, moving(model, path(p, "Sb"), 1), model.stands[path(p, "Sa"), 2, 2], ~model.crosses[1])


def test_a_builder_lays_its_kind_and_the_joker_any() -> None:
    p = small(builders={"Nb": "c", "Nc": "j"}, reserve="d")
    model, q = build_model(p, 1), square(p, "b3")
    assert not possible(model, moving(model, path(p, "Nb"), 1), model.tile[q, CODES.index("|")])
    assert possible(model, moving(model, path(p, "Nc"), 1), model.build[square(p, "d4"), 1], model.built[1, 1])


def test_a_kind_out_of_stock_allows_any() -> None:
    p = small(builders={"Nb": "c", "E1": "s"}, stock="0.4.3.3")
    model, q = build_model(p, 1), square(p, "b3")
    assert possible(model, model.tile[q, CODES.index("|")])
    assert not possible(model, model.tile[q, CODES.index("L")])


def test_held_builders_are_placed_on_free_squares() -> None:
    p = small(builders={"Nb": "c"}, held={1: "d"})
    model = build_model(p, 1)
    assert not possible(model, model.place[path(p, "Nb"), 3, 1])
    assert possible(model, model.place[path(p, "Sb"), 3, 1], moving(model, path(p, "Sb"), 1))


# Turns


def test_nobody_advances_who_can_extend() -> None:
    """[R5]"""
    seen = build_model(small(builders={"Nb": "c"}), 1)
    unseen = build_model(small(builders={"Sa": "c"}), 1)
    assert not possible(seen, seen.advances[1])
    assert possible(unseen, unseen.advances[1])
    assert not possible(unseen, unseen.builds[1])


def test_an_extra_tile_lies_where_no_end_faces() -> None:
    """[R6]"""
    # The straight on Nc passes the fountain when Red builds on d4.
    p = small(builders={"Nc": "s", "Nd": "c", "Ne": "b"})
    model = build_model(p, 2)
    passed = moving(model, path(p, "Nc"), 1)
    assert not any(possible(model, passed, model.extra[square(p, name), 1]) for name in ("b3", "d2", "b1", "e3"))
    assert possible(model, passed, model.extra[square(p, "d3"), 1], model.won[1, 1])
    assert not possible(model, passed, model.extra[square(p, "d3"), 1], model.won[0, 1])
    laid = [model.dump[1], *(x for (_, t), x in model.extra.items() if t == 1)]
    assert not possible(model, passed, *(~literal for literal in laid))


def test_water_comes_no_farther_than_tiles_lie() -> None:
    # A third tile is there after two turns only if the straight on Nc passed the fountain in the first.
    model = build_model(small(builders={"Nc": "s", "Nd": "c", "Ne": "b"}), 2)
    graph = model.graph
    away = {number: min(graph.tiles[a][number] for a in graph.labels[number]) for number in graph.earliest}
    far = [number for number, first in graph.earliest.items() if first == 2 and away[number] == 3]
    assert far
    assert not any(possible(model, model.reach[number, 2], ~model.crosses[1]) for number in far)


def test_the_kind_of_a_tile_is_that_of_the_turn_that_lays_it() -> None:
    p = small(builders={"Nb": "c", "Nc": "s"})
    model, q = build_model(p, 2), square(p, "b3")
    curve, straight = model.tile[q, CODES.index("L")], model.tile[q, CODES.index("|")]
    assert possible(model, model.build[q, 2], curve, model.built[0, 2], model.built[1, 1])
    assert not possible(model, model.build[q, 2], curve, model.built[0, 1], model.built[1, 2])
    assert not possible(model, model.build[q, 1], straight, moving(model, path(p, "Nb"), 1))


# Closing and scoring


def test_the_rim_closes() -> None:
    p = small(builders={"Nc": "c"})
    model, q = build_model(p, 1), square(p, "d4")
    assert not possible(model, model.tile[q, CODES.index("J")], ~model.closed[1, 1])
    assert possible(model, model.tile[q, CODES.index("7")], ~model.closed[1, 1])


def test_one_voluntary_closing_and_none_of_length_0() -> None:
    """[R9]"""
    p = small(tiles={"b3": "|", "d4": "7"})
    model = build_model(p, 1)
    assert possible(model, model.shut[0, 1])
    assert not possible(model, model.shut[0, 1], model.shut[1, 1])
    bare = build_model(small(builders={"Nd": "c"}), 1)
    assert not possible(bare, bare.shut[0, 1])


def test_each_closing_brings_a_pick_while_the_reserve_lasts() -> None:
    p = small(tiles={"b3": "|", "d4": "7"}, reserve="dj")
    model = build_model(p, 1)
    picked = model.bool("picked")
    model.cp.add(sum(model.pick.values()) == 1).only_enforce_if(picked)
    assert possible(model, model.shut[0, 1], picked)
    assert not possible(model, ~model.shut[0, 1], ~model.shut[1, 1], ~model.closed[0, 1], ~model.closed[1, 1], picked)


def test_podiums_hold_no_more_than_they_have_room_for() -> None:
    p = small(tiles={"b3": "|", "d4": "7"}, closed={"G1": 1})
    model = build_model(p, 1)
    # Lengths 2 and 1 after one tile, podium 1 taken: 2 points and none.
    assert possible(model, least=2)
    assert not possible(model, least=3)


@pytest.mark.parametrize(("closed_only", "most"), [(False, 2), (True, 1)])
def test_open_aqueducts_count_only_if_asked_for(closed_only: bool, most: int) -> None:
    p = small(tiles={"d4": "7"}, builders={"Nd": "s"}, closed={"R1": 0})
    model = build_model(p, 1, closed_only=closed_only, voluntary=False)
    assert possible(model, least=most) == (not closed_only)
