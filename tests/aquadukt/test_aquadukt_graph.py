"""The water as players see it, and as the kernel sees it: the two must agree."""

import pickle
import random

import networkx as nx
import pytest
from aquadukt_crafted import craft
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import STARTS, play_on, positions

from aquakit.aquadukt import Layout, Position
from aquakit.aquadukt.findings import Area
from aquakit.aquadukt.graph import WaterGraph
from aquakit.errors import IllegalTurn, InvalidOption

BARE = """
_.........._
............
............
............
............
............
............
_^^^^^^^^.._
"""
"""aquadukt2's board with its mountains out of the way, on b1 to i1."""


def board(tiles: str = "", **fields: str) -> Position:
    """Reads aquadukt2's bare board with tiles like "d5 A3, e5 B1" on it; other fields are those of the start."""
    rows = [list(row) for row in BARE.split()]
    for square, tile in (item.split() for item in tiles.split(",") if item):
        rows[8 - int(square[1])]["abcdefghijkl".index(square[0])] = tile
    hands = "4.4.4.0,4.4.4.0"
    text = {"layout": "aquadukt2", "squares": "/".join(map("".join, rows)), "hands": hands, "springs": "-"}
    text |= {"canals": "-", "left": "36", "player": "1", "idle": "0", "events": "-"} | fields
    laid = sum(1 + step.isupper() for step in text["canals"] if step.isalpha())
    return Position.parse(" ".join((text | {"left": str(36 - laid)}).values()))


def graph(tiles: str = "", **fields: str) -> WaterGraph:
    """Builds the graph of such a board."""
    return board(tiles, **fields).graph()


TWO_ARMS = {"springs": "3.5", "canals": "3.5:NNe;3.5:e"}


# Nodes and edges


def test_points_are_nodes_and_segments_are_edges():
    g = graph()
    assert (len(g), g.number_of_edges()) == (113, 204)
    assert "0.0" not in g
    assert set(g["0.1"]) == {"0.2", "1.1"}


def test_a_point_knows_its_place_its_spring_and_its_arm():
    g = graph(**TWO_ARMS)
    assert g.nodes["3.5"] == {"pos": (3, 5), "spring": True, "free": False, "arm": None}
    assert g.nodes["3.6"] == {"pos": (3, 6), "spring": False, "free": False, "arm": ("3.5", "n")}
    assert g.nodes["4.7"]["arm"] == ("3.5", "n")
    assert g.nodes["4.6"] == {"pos": (4, 6), "spring": False, "free": True, "arm": None}


def test_a_segment_knows_its_canals_its_arm_and_its_squares():
    assert graph(**TWO_ARMS).edges["3.7", "3.6"] == {
        "segment": "3.6v", "canals": 2, "capacity": 2, "room": 0, "arm": ("3.5", "n"), "order": 2,
        "near": ("c7", "d7"), "deep": ("b7", "e7"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("edge", "near", "deep"),
    [
        (("3.5", "4.5"), ("d5", "d6"), ("d4", "d7")),
        (("0.3", "0.4"), ("a4",), ("b4",)),
        (("12.3", "12.4"), ("l4",), ("k4",)),
        (("3.8", "4.8"), ("d8",), ("d7",)),
        (("0.1", "1.1"), ("a2",), ("a3",)),
        (("1.7", "1.8"), ("b8",), ("c8",)),
        (("2.7", "2.8"), ("b8", "c8"), ("d8",)),
    ],
)
def test_missing_squares_are_nothing(edge, near, deep):
    found = graph().edges[edge]
    assert (found["near"], found["deep"]) == (near, deep)


def test_room_is_at_most_two_and_no_more_than_before():
    g = graph(springs="3.5", canals="3.5:NNee")
    room = {edge["segment"]: edge["room"] for _, _, edge in g.edges(data=True) if edge["room"]}
    # one more on the first single; two beside the spring; one at the single end; none behind a single
    assert room == {"3.7h": 1, "3.5h": 2, "2.5h": 2, "3.4v": 2, "5.7h": 1, "5.6v": 1, "5.7v": 1}


def test_a_double_end_leaves_room_for_two():
    assert graph(springs="3.5", canals="3.5:NN").edges["3.7", "3.8"]["room"] == 2


def nearly_all_laid(left: int, **fields: str) -> WaterGraph:
    """Builds the graph of a board with 0 to 3 canals left; one arm of the spring on 5.6 ends on 5.7."""
    ends = {3: "EE;5.6:n", 2: "EEe;5.6:n", 1: "EEE;5.6:n", 0: "EEE;5.6:N"}
    g = graph(springs="0.6,5.6", canals=f"0.6:EEESSSS;5.6:EEESSSS{ends[left]}", **fields)
    assert g.position.canals_left == left
    return g


def test_room_ends_with_the_canals():
    g = nearly_all_laid(left=1)
    assert max(room for _, _, room in g.edges(data="room")) == 1


def test_networkx_reads_the_water():
    g = graph(springs="3.5,9.5", canals="3.5:NNe;3.5:e")
    water = g.water()
    assert sorted(map(len, nx.connected_components(water))) == [1, 5]
    assert nx.shortest_path(water, "4.5", "4.7") == ["4.5", "3.5", "3.6", "3.7", "4.7"]
    assert nx.maximum_flow_value(g, "3.5", "3.7") == 2
    assert nx.maximum_flow_value(g, "3.5", "4.7") == 1


def test_networkx_can_copy_cut_and_pickle_it():
    g = graph(**TWO_ARMS)
    assert len(WaterGraph()) == 0
    for twin in (g.copy(), g.subgraph(g.nodes), pickle.loads(pickle.dumps(g))):
        assert isinstance(twin, WaterGraph)
        assert twin.arms() == g.arms()


def test_a_graph_without_a_position_says_so():
    with pytest.raises(InvalidOption, match="belongs to no position"):
        WaterGraph().arms()


# Arms


def test_an_arm_leads_from_its_spring_to_its_end():
    arm = graph(**TWO_ARMS).arm("3.5", "n")
    assert arm.points == ("3.5", "3.6", "3.7", "4.7")
    assert arm.segments == ("3.5v", "3.6v", "3.7h")
    assert (arm.doubles, arm.singles, arm.canals, arm.end, arm.id) == (2, 1, 5, "4.7", ("3.5", "n"))


def test_arms_are_listed_by_spring_and_direction():
    g = graph(springs="9.5,3.5", canals="3.5:w;9.5:w;3.5:n")
    assert [arm.id for arm in g.arms()] == [("9.5", "w"), ("3.5", "n"), ("3.5", "w")]
    assert graph().arms() == ()


# What is watered


def test_waters_counts_canals_and_houses():
    found = graph("d5 A3, d6 B2, d7 A4, e5 B1", springs="3.5", canals="3.5:E").waters(("3.5", "e"))
    assert found.squares == {"d4": 1, "d5": 2, "d6": 2, "d7": 1}
    assert found.tiles == {"d5": "A3", "d6": "B2", "d7": "A4"}
    assert found.houses == (7, 2)


def test_two_segments_of_one_arm_add_up():
    g = graph(springs="3.5", canals="3.5:en")
    assert g.waters(("3.5", "e")).squares == {"d5": 1, "d6": 2, "e6": 1}


def test_watered_by_names_every_arm():
    g = graph(springs="3.5", canals="3.5:N;3.5:e")
    assert g.watered_by("d6") == {("3.5", "n"): 2, ("3.5", "e"): 1}
    assert g.watered_by("e6") == {("3.5", "n"): 1}
    assert g.watered_by("l5") == {}


# What one more canal would water


def test_a_gain_names_the_squares_the_tiles_and_the_points():
    gain = graph("d5 A3, d6 B1", springs="3.5").gain("3.5h")
    assert (gain.way, gain.arm, gain.mover) == ("start", ("3.5", "e"), 1)
    assert (gain.squares, gain.tiles) == ({"d5", "d6"}, {"d5": "A3", "d6": "B1"})
    assert (gain.points, gain.advantage) == ((3, 1), 2)


def test_a_doubling_gains_what_lies_behind():
    gain = graph("d7 B4, d5 A1", springs="3.5", canals="3.5:e").gain("3.5h")
    assert (gain.way, gain.arm) == ("double", ("3.5", "e"))
    assert (gain.squares, gain.points, gain.advantage) == ({"d4", "d7"}, (0, 4), -4)


def test_an_extension_belongs_to_its_arm():
    gain = graph(springs="3.5", canals="3.5:e").gain("4.5v")
    assert (gain.way, gain.arm, gain.squares) == ("extend", ("3.5", "e"), {"e6"})


def test_gains_begin_with_the_movers_greatest_advantage():
    tiles = "d5 A1, c5 B2, c6 A4"
    first = [gain.segment for gain in graph(tiles, springs="3.5").gains()]
    assert first == ["3.5v", "2.5h", "3.5h", "3.4v"]
    second = [(gain.segment, gain.advantage) for gain in graph(tiles, springs="3.5", player="2").gains()]
    assert second == [("3.4v", 1), ("3.5h", -1), ("2.5h", -2), ("3.5v", -4)]


def test_in_the_variant_events_count():
    # A mineral mountain on d1 gives a tile beside it 2 more once it is fed by two canals.
    g = graph("d2 A1", springs="4.2", canals="4.2:w", events="mmmmmmff")
    assert g.gain("3.2h").points == (2, 0)
    # A foul one on b1 makes a tile with one canal worth nothing.
    assert graph("b2 A3", springs="1.2", events="fmmmmmmf").gain("1.2h").points == (0, 0)


def test_a_gain_that_the_rules_forbid_says_why():
    g = graph(springs="3.5", canals="3.5:ee")
    with pytest.raises(IllegalTurn, match="is not double"):
        g.gain("4.5h")


def test_no_canal_is_legal_while_the_die_rolls():
    assert board(springs="3.5").act("roll").graph().gains() == ()


# Reach

WALLED = {"springs": "2.8,9.5", "canals": "2.8:sswwn"}
"""An arm that ends on 0.7 in the north-western corner, between itself and the rim."""


def test_reach_ends_at_canals_and_the_rim():
    reach = graph("b8 A2, d7 A3, b5 B1", **WALLED).reach(("2.8", "s"))
    assert (reach.points, reach.steps) == ({"1.7", "1.8"}, 2)
    assert reach.beside == Area(frozenset({"a7", "b8"}), (0, 0))  # both have water already
    assert reach.deep == Area(frozenset({"a5", "a6", "b5", "b7", "c8", "d7", "d8"}), (3, 1))


def test_reach_is_bounded_by_the_canals_left():
    reach = nearly_all_laid(left=1).reach(("5.6", "n"))
    assert (reach.points, reach.steps) == ({"4.7", "6.7", "5.8"}, 1)
    assert reach.beside.squares == {"e7", "e8", "f7", "f8"}
    assert reach.deep.squares == {"d7", "g7"}  # the last canal could double 5.6v instead


def test_a_new_segment_is_doubled_after_those_before_it():
    # To water f6 from 5.7h takes three canals: its own two, and one to double 5.6v before it.
    assert "f6" in nearly_all_laid(left=3).reach(("5.6", "n")).deep.squares
    assert "f6" not in nearly_all_laid(left=2).reach(("5.6", "n")).deep.squares


def test_in_a_finished_game_nothing_can_be_reached():
    reach = graph(springs="3.5", canals="3.5:e", player="-").reach(("3.5", "e"))
    assert (reach.points, reach.steps, reach.beside.squares, reach.deep.squares) == (set(), 0, set(), set())


# Springs


def site(g: WaterGraph, point: str):
    return next(site for site in g.spring_sites() if site.point == point)


def test_a_spring_site_says_what_its_first_canals_could_water():
    found = site(graph("d5 A3, d7 B2, f6 B4"), "3.5")
    assert found.ways == "nesw"
    assert found.one == Area(frozenset({"c5", "c6", "d5", "d6"}), (3, 0))
    assert found.two.squares == found.one.squares | {"b5", "b6", "c4", "c7", "d4", "d7", "e5", "e6"}
    assert found.two.houses == (3, 2)


def test_a_spring_waters_no_more_than_the_canals_left():
    last = site(nearly_all_laid(left=1), "11.7")
    assert last.one.squares == last.two.squares == {"k7", "k8", "l7"}
    none = site(nearly_all_laid(left=0, player="2"), "11.7")
    assert none.one.squares == none.two.squares == set()


def test_watered_houses_are_not_counted_again():
    g = graph("i5 A3, i6 B2", springs="3.5", canals="3.5:eeeen")
    assert site(g, "8.5").one.houses == (3, 2)
    g = graph("h6 A3, h5 B2", springs="3.5", canals="3.5:eeeen")
    assert site(g, "8.5").one.houses == (0, 2)


def test_a_spring_between_canals_has_few_ways():
    g = graph(springs="6.8", canals="6.8:wwwwwsss;6.8:sss")
    assert site(g, "0.6").ways == "ns"
    assert site(g, "1.4").ways == "esw"


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("3.5", "3.5 is 0 steps from the spring on 3.5, fewer than 5 [Q2]"),
        ("3.1", "3.1 is 4 steps from the spring on 3.5, fewer than 5 [Q2]"),
        ("8.5", "a canal touches 8.5"),
    ],
)
def test_why_no_spring_may_stand_there(point, reason):
    g = graph(springs="3.5", canals="3.5:eeeee")
    assert g.why_not_spring(point) == reason
    assert point not in [site.point for site in g.spring_sites()]


def test_where_a_spring_may_stand_there_is_no_reason():
    g = graph(springs="3.5")
    assert g.why_not_spring("3.0") == ""
    assert g.why_not_spring("8.5") == ""


def test_without_springs_left_there_is_no_site():
    g = graph(springs="2.2,2.7,7.2,7.7,11.5")
    assert g.spring_sites() == ()
    assert g.why_not_spring("6.5") == "no spring is left"


def test_spring_sites_may_be_asked_for_inside_a_turn():
    p = board(springs="3.5")
    assert p.act("roll").graph().spring_sites() == p.graph().spring_sites()


def test_a_finished_game_has_no_sites():
    g = graph(player="-")
    assert g.spring_sites() == ()
    assert g.why_not_spring("3.5") == "the game is over"


# Regions


def test_a_region_knows_who_would_lose_what():
    # Region 7 is e3, f3, e4, f4; the canal waters e4 and e5.
    region = graph("e4 A3, f4 B2, e3 A1", springs="4.4", canals="4.4:e").regions()[6]
    assert (region.number, region.free) == (7, ("f3",))
    assert region.tiles == {"e3": "A1", "e4": "A3", "f4": "B2"}
    assert (region.dry, region.losses) == ({"e3": "A1", "f4": "B2"}, (1, 2))


def test_mountains_are_not_free():
    assert graph().regions()[9].free == ("e2", "f2")


def test_about_to_fill_finds_the_regions_with_something_to_lose():
    # Region 10 (e1, f1 mountains) has one free square, region 7 two, region 6 three.
    g = graph("e2 A2, e4 B1, f4 B3, c5 A4")
    assert [(region.number, region.losses) for region in g.about_to_fill()] == [(10, (2, 0))]
    assert [region.number for region in g.about_to_fill(2)] == [10, 7]
    assert [region.number for region in g.about_to_fill(free=4)] == [10, 7, 6]


def test_a_region_whose_tiles_have_water_is_not_at_stake():
    assert graph("e2 A2", springs="4.2", canals="4.2:e").about_to_fill() == ()


# Names


@pytest.mark.parametrize(
    ("ask", "where"),
    [
        (lambda g: g.arm("3.5", "s"), "arm"),
        (lambda g: g.arm("3.6", "n"), "arm"),
        (lambda g: g.waters(("9.9", "n")), "arm"),
        (lambda g: g.reach(("3.5", "w")), "arm"),
        (lambda g: g.watered_by("a1"), "square"),
        (lambda g: g.watered_by("m3"), "square"),
        (lambda g: g.gain("0.0h"), "segment"),
        (lambda g: g.gain("3.5"), "segment"),
        (lambda g: g.why_not_spring("0.0"), "point"),
        (lambda g: g.about_to_fill(0), "free"),
    ],
)
def test_unknown_names_are_errors_that_say_what_is_expected(ask, where):
    with pytest.raises(InvalidOption) as problem:
        ask(graph(**TWO_ARMS))
    assert problem.value.where == where
    assert problem.value.expected


# Agreement with the kernel

ANY = positions(STARTS["aquadukt"], most=220)
SEEDS = st.integers(0, 2**32 - 1)


def some(examples: int):
    return settings(max_examples=examples)


def legal(p: Position, what: str) -> set[str]:
    return {action.segment or action.point for action in p.actions() if action.what == what}


def to_decision(p: Position, draw: random.Random, *phases: str) -> Position:
    """Plays on until one of some decisions is at hand, or to the end."""
    while not p.is_over and p.phase not in phases:
        p = play_on(p, draw, 1)
    return p


@given(ANY)
@some(80)
def test_graph_and_kernel_agree_on_the_water(p):
    g = p.graph()
    assert g.supply() == p.supply  # [Q4] [Q5]
    assert {point for point, spring in g.nodes(data="spring") if spring} == set(p.springs)
    arms = [(arm.spring, arm.points, arm.segments, arm.doubles, arm.end) for arm in g.arms()]
    assert arms == [(arm.spring, arm.points, arm.segments, arm.doubles, arm.end) for arm in p.arms]
    for part in nx.connected_components(g.water()):
        assert len(part & set(p.springs)) == 1
        assert max(degree for _, degree in g.water().subgraph(part).degree()) <= 2
    assert sum(canals for _, _, canals in g.edges(data="canals")) == p.layout.canals - p.canals_left


HOLES = """
game = "aquadukt"
name = "holes"
title = "A board with holes"
players = 1
tiles = [4, 4, 2, 1]
mountains = 1
springs = 3
canals = 24
spring_distance = 3
mountain_distance = 2
map = '''
AA.BB
A..B.
CC.DD
.C.DD
'''
events = { mineral = 1, foul = 1 }
"""


@given(SEEDS, st.integers(0, 150))
@some(30)
def test_graph_and_kernel_agree_on_a_board_with_holes(seed, actions):
    p = play_on(Position.start(Layout.loads(HOLES), seed=seed), random.Random(seed), actions)
    g = p.graph()
    assert g.supply() == p.supply
    if p.phase in ("turn", "canal", "over"):
        assert set(g.layable()) == legal(p, "canal")


@given(ANY, SEEDS)
@some(80)
def test_graph_and_kernel_agree_on_what_can_be_laid(p, seed):
    p = to_decision(p, random.Random(seed), "turn", "canal")
    g = p.graph()
    assert set(g.layable()) == legal(p, "canal")  # [Q3]
    if p.phase != "canal":
        assert {site.point for site in g.spring_sites()} == legal(p, "spring")


@given(ANY)
@some(25)
def test_what_arms_contribute_adds_up_to_the_supply(p):
    g = p.graph()
    for square, supply in p.supply.items():
        assert sum(g.watered_by(square).values()) == supply
    waterings = [g.waters(arm.id) for arm in g.arms()]
    assert {square for watering in waterings for square in watering.squares} == {q for q, n in p.supply.items() if n}


@given(ANY, SEEDS)
@some(40)
def test_gains_are_what_the_segments_squares_foretell(p, seed):
    p = to_decision(p, random.Random(seed), "turn", "canal")
    g = p.graph()
    edges = {edge["segment"]: edge for _, _, edge in g.edges(data=True)}
    gains = g.gains()
    assert {gain.segment: gain.way for gain in gains} == g.layable()
    assert [gain.advantage for gain in gains] == sorted((gain.advantage for gain in gains), reverse=True)
    for gain in gains:
        edge = edges[gain.segment]
        fed = edge["near"] + (edge["deep"] if gain.way == "double" else ())
        assert gain.squares == {square for square in fed if not p.supply[square]}
        if not any(p.mountains.values()):
            assert gain.points == g._houses(gain.squares)
        arm = next(arm for arm in p.act(f"canal {gain.segment}").graph().arms() if gain.segment in arm.segments)
        assert arm.id == gain.arm


@given(ANY, SEEDS)
@some(40)
def test_no_game_exceeds_the_reach(p, seed):
    g = p.graph()
    end = play_on(p, random.Random(seed), 300).graph()
    for arm in g.arms():
        reach, later = g.reach(arm.id), end.arm(*arm.id)
        assert later.points[: len(arm.points)] == arm.points
        gained = later.points[len(arm.points) :]
        assert len(gained) <= reach.steps
        assert set(gained) <= reach.points
        watered = set(end.waters(arm.id).squares) - set(g.waters(arm.id).squares)
        assert watered <= reach.beside.squares | reach.deep.squares


def watered_by_new(p: Position, point: str, canals: int) -> set[str]:
    """Tries every way to lay canals from a spring just placed, one after the other, and collects what they water."""
    if not canals:
        return set()
    found, g = set(), p.graph()
    for segment in g.layable():
        gain = g.gain(segment)
        if gain.arm[0] == point:
            after = p.act(f"canal {segment}")
            edge = next(edge for _, _, edge in g.edges(data=True) if edge["segment"] == segment)
            found |= set(edge["near"] + (edge["deep"] if gain.way == "double" else ()))
            if not after.is_over and after.phase == "canal":
                found |= watered_by_new(after, point, canals - 1)
    return found


@given(ANY, SEEDS)
@some(15)
def test_a_spring_site_foretells_its_first_two_canals(p, seed):
    draw = random.Random(seed)
    p = to_decision(p, draw, "turn")
    sites = p.graph().spring_sites()
    for site in draw.sample(sites, min(2, len(sites))):
        after = p.act(f"spring {site.point}")
        if not after.is_over:
            assert site.one.squares == watered_by_new(after, site.point, 1)
            assert site.two.squares == watered_by_new(after, site.point, 2)


@given(ANY, SEEDS)
@some(60)
def test_a_region_that_fills_loses_what_was_foretold(p, seed):
    p = to_decision(p, random.Random(seed), "house")
    if p.is_over:
        return
    region = p.graph().regions()[p.die - 1]
    for action in p.actions():
        if action.what == "house":
            after, fills = p.act(action), len(region.free) == 1
            if not after.is_over:  # the end takes tiles of other regions too
                assert set(p.tiles) - set(after.tiles) == (set(region.dry) if fills else set())
                assert (action.square in after.tiles) == (not fills or p.supply[action.square] > 0)


@given(ANY)
@some(40)
def test_regions_divide_the_board(p):
    regions = p.graph().regions()
    squares = [q for region in regions for q in (*region.free, *region.tiles)]
    assert sorted([*squares, *p.mountains]) == sorted(p.supply)
    if not p.is_over:
        assert {q for region in regions for q in region.dry} == {q for q in p.tiles if not p.supply[q]}


def test_every_layout_has_a_graph():
    for name in Layout.names():
        g = Position.start(name, events=True).graph()
        assert len(g) == len(g.position.layout.point_index)
        assert set(g.supply().values()) == {0}


def test_an_arm_may_be_given_as_the_graph_or_the_position_shows_it():
    p = craft(springs="3.3", canals="3.3:Ne;3.3:s")
    g = p.graph()
    for shown, path in zip(p.arms, g.arms(), strict=True):
        assert g.waters(shown) == g.waters(path) == g.waters(path.id)
        assert g.reach(shown) == g.reach(path) == g.reach(path.id)
    with pytest.raises(InvalidOption, match="a first step"):
        g.waters("3.3")
