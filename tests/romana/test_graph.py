"""Connectivity as players see it, and as the kernel sees it: the two must agree."""

import pickle
import random

import networkx as nx
import pytest
from crafted import stock_left
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import play_on

from aquakit.errors import InvalidOption
from aquakit.romana import kernel
from aquakit.romana.findings import Closer, LoosePath, Touch
from aquakit.romana.graph import LINKS, WaterGraph
from aquakit.romana.layout import Layout
from aquakit.romana.notation import FIELDS
from aquakit.romana.position import Position

START = """
F.##...##.7
...........
...........
...........
...........
...........
...........
L.##...##.J
"""


def board(picture: str, **fields: str) -> Position:
    """Reads a picture of romana4's board; other fields of the text are those of the start, tiles laid not in stock."""
    start, rows = Position.start("romana4"), "/".join(picture.split())
    text = dict(zip(FIELDS, str(start).split(" "), strict=True))
    text |= {"board": rows, "stock": stock_left(start.layout, rows), **fields}
    return Position.parse(" ".join(text.values()))


def graph(*rows: str, **fields: str) -> WaterGraph:
    """Builds the graph of a board of which the northern rows are given."""
    south = START.split()[len(rows) :]
    return board("\n".join([*rows, *south]), **fields).graph()


def joining(g: WaterGraph, square: str, tile: str):
    return next(joining for joining in g.joins(square) if joining.tile == tile)


def loose_at(g: WaterGraph, square: str) -> LoosePath:
    return next(path for path in g.loose_paths() if square in path.squares)


def outlook(g: WaterGraph, aqueduct: str):
    return next(look for look in g.walls() if look.aqueduct == aqueduct)


# Nodes and edges


def test_every_grid_edge_is_a_node_even_where_no_tile_lies():
    g = Position.start("romana4").graph()
    assert len(g) == 11 * 9 + 12 * 8
    assert g.degree("e5N") == 0


@pytest.mark.parametrize(
    ("node", "sides", "squares", "pos"),
    [
        ("e5N", ("e5N", "e6S"), ("e5", "e6"), (4.5, 5)),
        ("e5E", ("e5E", "f5W"), ("e5", "f5"), (5, 4.5)),
        ("a5W", ("a5W",), ("a5",), (0, 4.5)),
        ("e1S", ("e1S",), ("e1",), (4.5, 0)),
        ("k5E", ("k5E",), ("k5",), (11, 4.5)),
        ("e8N", ("e8N",), ("e8",), (4.5, 8)),
    ],
)
def test_a_node_knows_its_names_squares_and_place(node, sides, squares, pos):
    g = Position.start("romana4").graph()
    assert g.nodes[node] == {"sides": sides, "squares": squares, "pos": pos, "outlet": None}


def test_outlets_are_marked():
    g = Position.start("romana4").graph()
    outlets = {node: name for node, name in g.nodes(data="outlet") if name}
    assert len(outlets) == 12
    assert (outlets["b8E"], outlets["c7N"], outlets["c1N"]) == ("R1", "R2", "B2")


def test_a_segment_knows_its_square_its_tile_and_its_aqueduct():
    g = graph("F-##...##.7", "......-....")
    assert g.edges["a8E", "a7N"] == {"square": "a8", "tile": "F", "aqueduct": "R1", "loose": False}
    assert g.edges["f7E", "g7E"] == {"square": "g7", "tile": "-", "aqueduct": None, "loose": True}


def test_networkx_can_copy_cut_and_pickle_it():
    g = graph("F-##...##.7")
    assert len(WaterGraph()) == 0
    for twin in (g.copy(), g.subgraph(g.nodes), pickle.loads(pickle.dumps(g))):
        assert isinstance(twin, WaterGraph)
        assert twin.path("R1") == g.path("R1")


def test_a_graph_without_a_position_says_so():
    with pytest.raises(InvalidOption, match="belongs to no position"):
        WaterGraph().path("R1")


# Paths


def test_an_outlet_without_a_tile_is_an_aqueduct_of_length_0():
    path = Position.start("romana4").graph().path("R2")
    assert (path.nodes, path.squares, path.length) == (("c7N",), (), 0)
    assert (path.end, path.end_node, path.facing, path.open) == ("c8", "c7N", "c7", True)


def test_printed_corner_curves_count():
    path = graph("F-##...##.7").path("R1")
    assert (path.nodes, path.squares, path.length) == (("b8E", "a8E", "a7N"), ("b8", "a8"), 2)
    assert (path.end, path.facing) == ("a8", "a7")


def test_a_bridge_passed_twice_counts_twice():
    path = graph("F.##...##.7", "..|........", "..+7.......", "..LJ.......").path("R2")
    assert path.squares == ("c7", "c6", "c5", "d5", "d6", "c6")
    assert (path.length, path.end, path.facing) == (6, "c6", "b6")


def test_at_the_rim_an_end_faces_nothing():
    path = graph("FL##...##.7").path("R1")
    assert (path.end, path.end_node, path.facing) == ("b8", "b8N", None)


def test_a_closed_aqueduct_keeps_its_path():
    path = graph("F-##...##.7", aqueducts="2.*.*,*.*.*,*.*.*,*.*.*").path("R1")
    assert (path.open, path.length) == (False, 2)


def test_printed_corners_are_loose_until_an_outlet_reaches_them():
    assert [path.squares for path in graph("F-##...##.7").loose_paths()] == [("a1",), ("k1",), ("k8",)]


def test_a_loose_path_has_two_ends():
    path = loose_at(graph("F.##...##.7", "....-7....."), "e7")
    assert (path.nodes, path.squares, path.length) == (("d7E", "e7E", "f6N"), ("e7", "f7"), 2)
    assert [(end.square, end.facing, end.free) for end in path.ends] == [
        ("e7", "d7", True),
        ("f7", "f6", True),
    ]


def test_a_loose_path_may_end_at_a_wall_or_the_rim():
    path = loose_at(graph("F.##.-L##.7"), "f8")
    assert [(end.facing, end.free) for end in path.ends] == [("e8", True), ("g8", False)]
    path = loose_at(graph("F.##..L##.7"), "g8")
    assert [(end.facing, end.free) for end in path.ends] == [(None, False), ("h8", False)]


def test_a_loop_has_no_ends():
    path = loose_at(graph("F.##...##.7", "....F7.....", "....LJ....."), "e7")
    assert (path.is_loop, path.length, path.ends) == (True, 4, ())
    assert sorted(path.squares) == ["e6", "e7", "f6", "f7"]
    assert len(path.nodes) == 4


# What touches a loose path

AROUND_D7 = ("F.##...##.7", "..L.7......", "...LJ......")
"""R2 ends at d7's west, R3 at its north, and a loose path joins its east and south."""


def test_touching_names_the_aqueducts_before_a_loose_end_and_the_tiles_that_connect_them():
    g = graph("F.##...##.7", ".-.........")
    assert g.touching(loose_at(g, "b7")) == (Touch("a7E", "a7", {}), Touch("b7E", "c7", {"R2": "JZ"}))


def test_touching_leaves_out_tiles_that_join_two_outlets_through_the_loose_path():
    g = graph(*AROUND_D7)
    touches = {touch.node: touch.aqueducts for touch in g.touching(loose_at(g, "e7"))}
    assert touches == {"d7E": {"R3": "L", "R2": "-"}, "d6N": {"R3": "|", "R2": "7"}}


def test_touching_goes_through_another_loose_path_between_them():
    # R3 faces d7; one loose path joins d7's east and west over the bridge on d6, another comes up under it.
    g = graph("F.##...##.7", ".F-.7......", ".L-+J......")
    short = next(path for path in g.loose_paths() if path.squares == ("d6",))
    assert g.touching(short) == (Touch("d5N", "d5", {}), Touch("d6N", "d7", {"R3": "|+ZN"}))
    assert joining(g, "d7", "|").lengths == {"R3": 2}
    assert joining(g, "d7", "Z").lengths == {"R3": 10}


def test_touching_rejects_a_path_of_another_board():
    loose = loose_at(graph("F.##...##.7", ".-........."), "b7")
    with pytest.raises(InvalidOption, match="loose"):
        Position.start("romana4").graph().touching(loose)


# What a tile would join


def test_joins_says_what_lies_at_both_ends_of_each_segment():
    g = graph("F.##...##.7", ".-.........")
    found = joining(g, "c7", "Z")
    loose = loose_at(g, "b7")
    assert [(link.sides, link.ends) for link in found.links] == [
        (("N", "W"), ("R2", loose)),
        (("S", "E"), (None, None)),
    ]
    assert (found.allowed, found.lengths, found.taken) == (True, {"R2": 2}, {"R2": (loose,)})


def test_joins_counts_the_tile_alone_where_nothing_lies_beyond():
    assert joining(Position.start("romana4").graph(), "c7", "|").lengths == {"R2": 1}


def test_a_tile_without_a_port_at_an_end_extends_nothing():
    found = joining(Position.start("romana4").graph(), "c7", "-")
    assert (found.allowed, found.lengths) == (True, {})


def test_a_two_segment_tile_can_extend_two_aqueducts():
    g = graph("F.##...##.7", "..L........")
    assert joining(g, "d7", "N").lengths == {"R2": 2, "R3": 1}


def test_joining_two_outlets_is_forbidden():
    g = graph("F.##...##.7", "..L........")
    found = joining(g, "d7", "J")
    assert found.links[0].ends == ("R3", "R2")
    assert (found.allowed, found.lengths) == (False, {})


def test_joining_two_outlets_through_a_loose_path_is_forbidden_too():
    g = graph(*AROUND_D7)
    loose = loose_at(g, "e7")
    assert {end.facing for end in loose.ends} == {"d7"}
    found = joining(g, "d7", "N")
    assert [link.ends for link in found.links] == [("R3", loose), (loose, "R2")]
    assert not found.allowed
    assert joining(g, "d7", "L").lengths == {"R3": 4}


def test_an_aqueduct_can_pass_a_tile_twice_at_once_by_a_loose_path():
    # R3 enters d7 from the north, leaves by its east, comes back to its west and goes on to the south.
    g = graph("F.##...##.7", ".F-.7......", ".L--J......")
    assert joining(g, "d7", "N").lengths == {"R3": 9}
    assert joining(g, "d7", "+").lengths == {"R3": 1}


def test_joining_squares_at_the_start_lie_beside_the_corners():
    g = Position.start("romana4").graph()
    assert g.joining_squares("s") == {"b1": "-", "j1": "-", "b8": "-", "j8": "-"}
    assert g.joining_squares("b") == {"b1": "+", "j1": "+", "b8": "+", "j8": "+"}
    assert g.joining_squares("c") == g.joining_squares("d") == {}


def test_joining_squares_link_loose_paths_as_well():
    g = graph("F.##...##.7", ".-.........")
    assert g.joining_squares("c") == {"a7": "L", "c7": "J"}
    assert g.joining_squares("d") == {"a7": "N", "c7": "Z"}


def test_a_tile_that_only_makes_a_loop_joins_nothing():
    assert "e7" not in graph("F.##...##.7", ".....7.....", "....LJ.....").joining_squares("c")


# Who is about to be walled in


def test_each_exit_says_where_it_leads():
    g = graph("F.##...##.7", "..L.|......")
    assert [(way.side, way.leads, way.to) for way in outlook(g, "R3").exits] == [
        ("E", "wall", "e7"),
        ("S", "empty", "d6"),
        ("W", "aqueduct", "R2"),
    ]
    exits = [(way.side, way.leads, way.to) for way in outlook(g, "R1").exits]
    assert exits == [("N", "rim", None), ("S", "empty", "b7"), ("W", "loose", loose_at(g, "a8"))]


def test_a_way_out_needs_a_tile_that_fits_and_leaves_the_end_open():
    look = outlook(graph("F.##...##.7", "..L.|......"), "R3")
    assert [(way.tiles, way.onward) for way in look.exits] == [("LN", ""), ("|+", "|+"), ("", "")]
    assert (look.ways_out, look.is_dead_end, look.walled_in) == ("S", False, False)


def test_a_loose_path_is_a_way_out_if_its_far_end_is_free():
    assert outlook(graph("F.##...##.7"), "R1").ways_out == "SW"
    assert outlook(graph("F.##...##.7", "-.........."), "R1").ways_out == "S"


def test_in_a_dead_end_every_tile_closes_and_only_the_owner_can_lay_one():
    g = graph("F.##...##.7", ".|.|.......", "..-........")
    look = outlook(g, "R2")
    assert (look.is_dead_end, look.walled_in) == (True, False)
    assert look.closers == tuple(Closer(1, "c7", tile) for tile in sorted("LJ+ZN"))
    assert look.threats == ()
    assert g.about_to_be_walled_in()[0] == look


def test_another_player_can_wall_in_an_end_that_faces_the_same_square():
    # R3 and Y1 both face e7; Y1's workman on f7 sees a curve builder on Nf.
    g = graph("F.##...##.7", "...L.--J...", path="..cs.c.bd../b......s/..cs...bd../d.......")
    look = outlook(g, "R3")
    assert look.ways_out == "NS"
    assert look.threats == (Closer(2, "e7", "F"), Closer(2, "e7", "L"))
    assert "R3" in [found.aqueduct for found in g.about_to_be_walled_in()]


def test_in_a_study_only_its_player_lays_tiles():
    rows, path = ("F.##...##.7", "...L.--J..."), "..cs.c.bd../b......s/..cs...bd../d......."
    assert outlook(graph(*rows, path=path, player="2!"), "R3").threats
    assert not outlook(graph(*rows, path=path, player="1!"), "R3").threats


FOUR_ENDS = """
FF##...##.7
.L.J.......
..|........
..|........
..|........
..|........
..|........
L.##...##.J
"""


def test_four_ends_in_one_square_wall_in_all_of_them():
    g = board(FOUR_ENDS).graph()
    for name in ("R1", "R2", "R3", "B2"):
        look = outlook(g, name)
        assert (look.facing, look.walled_in, look.ways_out, look.closers) == ("c7", True, "", ())
        assert {way.leads for way in look.exits} == {"aqueduct"}
        assert g.reach(name).gain == 0


def test_the_tile_that_brings_the_fourth_end_closes_all():
    # F on b8 would lead R1 along the loose curve on b7; the curve builder on W8 is in its workman's sight.
    g = board(FOUR_ENDS.replace("FF##", "F.##")).graph()
    assert all(Closer(1, "b8", "F") in outlook(g, name).closers for name in ("R1", "R2", "R3", "B2"))
    assert Closer(1, "b8", "F") in outlook(g, "B2").threats


def test_before_the_setup_nobody_can_close_anything():
    looks = Position.start("romana4", setup=True).graph().walls()
    assert len(looks) == 12
    assert not any(look.closers for look in looks)


def test_a_finished_game_has_no_outlooks():
    g = board(START, aqueducts="0.0.0,0.0.0,0.0.0,0.0.0", player="-").graph()
    assert g.walls() == ()


# Reach


def test_reach_ends_at_walls():
    reach = graph("F.##...##.7", ".|.|.......", "..-........").reach("R2")
    assert (reach.squares, reach.gain) == ({"c7"}, 1)


def test_reach_goes_along_loose_paths():
    # From c7 by b7 to a7 and by the printed corner to b8, where the last curve runs against the rim.
    reach = graph("F.##...##.7", ".-.|.......", "-.-........").reach("R2")
    assert (reach.squares, reach.gain) == ({"c7", "a7", "b8"}, 5)
    assert [path.squares for path in reach.loose] == [("a8",), ("b7",)]


def test_reach_of_an_end_at_the_rim_is_nothing():
    reach = graph("FL##...##.7").reach("R1")
    assert (reach.squares, reach.loose, reach.gain) == (frozenset(), (), 0)


def test_at_the_start_every_empty_square_can_be_reached():
    p = Position.start("romana4")
    assert p.graph().reach("G2").squares == {s for s in p.layout.square_names if s not in p.tiles} - {
        "c8", "d8", "h8", "i8", "c1", "d1", "h1", "i1",
    }  # fmt: skip


# Names


@pytest.mark.parametrize(
    ("ask", "where"),
    [
        (lambda g: g.path("R9"), "aqueduct"),
        (lambda g: g.reach("P1"), "aqueduct"),
        (lambda g: g.joins("l3"), "square"),
        (lambda g: g.joins("a8"), "square"),
        (lambda g: g.joins("c8"), "square"),
        (lambda g: g.joining_squares("j"), "kind"),
        (lambda g: g.joining_squares(""), "kind"),
    ],
)
def test_unknown_names_are_errors_that_say_what_is_expected(ask, where):
    with pytest.raises(InvalidOption) as problem:
        ask(Position.start("romana4").graph())
    assert problem.value.where == where
    assert problem.value.expected


# Agreement with the kernel

LAYOUTS = st.sampled_from(Layout.names())
SEEDS = st.integers(0, 2**32 - 1)


def some(examples: int):
    return settings(max_examples=examples)


def crowd(layout: str, draw: random.Random) -> Position:
    """Lays tiles anywhere, more densely than games do, so that loops and tangles arise."""
    start = Position.start(layout)
    s, tables = start._state.copy(), start.layout.tables
    share = draw.random()
    for square in draw.sample(range(tables.squares), tables.squares):
        code = kernel.CODES.index(draw.choice(list(LINKS)))
        kind = kernel.KIND_OF[code]
        if s.tile[square] != kernel.EMPTY or draw.random() >= share or not s.stock[kind]:
            continue
        if kernel.fits(tables, s, square, code):
            kernel.lay(tables, s, square, code)
            s.stock[kind] -= 1
    kernel.survey(tables, s)
    return Position(start.layout, s)


def check_agreement(p: Position) -> None:
    g = p.graph()
    for aqueduct in p.aqueducts:
        path = g.path(aqueduct.name)
        assert (path.length, path.squares) == (aqueduct.length, aqueduct.squares)
        assert (path.end, path.facing, path.open) == (aqueduct.end, aqueduct.facing, aqueduct.open)
        assert {g.edges[edge]["aqueduct"] for edge in nx.utils.pairwise(path.nodes)} <= {aqueduct.name}
    assert max(degree for _, degree in g.degree()) <= 2
    assert g.number_of_edges() == sum(len(LINKS[tile]) for tile in p.tiles.values())
    for part in nx.connected_components(g):
        assert sum(g.nodes[node]["outlet"] is not None for node in part) <= 1
    loose = g.loose_paths()
    assert sum(path.length for path in loose) == sum(is_loose for _, _, is_loose in g.edges(data="loose"))
    for path in loose:
        assert len(path.nodes) == path.length + (not path.is_loop)


@given(LAYOUTS, SEEDS, st.integers(0, 300))
@some(60)
def test_graph_and_kernel_agree_in_random_games(layout, seed, actions):
    check_agreement(play_on(Position.start(layout), random.Random(seed), actions))


@given(LAYOUTS, SEEDS)
@some(60)
def test_graph_and_kernel_agree_on_crowded_boards(layout, seed):
    p = crowd(layout, random.Random(seed))
    assert Position.parse(str(p)) == p
    check_agreement(p)


@given(LAYOUTS, SEEDS, st.integers(0, 200))
@some(40)
def test_an_extension_gives_the_lengths_and_closings_foretold(layout, seed, actions):
    draw = random.Random(seed)
    p = play_on(Position.start(layout), draw, actions)
    while not p.is_over and p.phase != "build":
        p = play_on(p, draw, 1)
    if p.is_over:
        return
    action = draw.choice(p.actions())
    before, after = p.graph(), p.act(action).graph()
    foretold = joining(before, action.square, action.tile)
    assert foretold.allowed
    for aqueduct in p.aqueducts:
        expected = foretold.lengths.get(aqueduct.name, aqueduct.length)
        assert after.path(aqueduct.name).length == expected
    closer = Closer(p.mover, action.square, action.tile)
    for look in before.walls():
        stopped = look.walled_in or not after.reach(look.aqueduct).squares
        assert stopped == (look.walled_in or closer in look.closers)


@given(LAYOUTS, SEEDS)
@some(40)
def test_joins_foretells_every_tile_on_a_crowded_board(layout, seed):
    draw = random.Random(seed)
    p = crowd(layout, draw)
    empty = [square for square, code in p.graph().graph["board"].items() if code == "."]
    for square in draw.sample(empty, min(6, len(empty))):
        for foretold in p.graph().joins(square):
            s, q, code = p._state.copy(), p.layout.square_index[square], kernel.CODES.index(foretold.tile)
            if foretold.allowed:
                kernel.lay(p.layout.tables, s, q, code)
                kernel.survey(p.layout.tables, s)
                after = Position(p.layout, s).aqueducts
                lengths = {a.name: a.length for a in after}
                assert lengths == {a.name: a.length for a in p.aqueducts} | dict(foretold.lengths)


@given(LAYOUTS, SEEDS)
@some(40)
def test_an_end_is_walled_in_if_no_tile_can_extend_it(layout, seed):
    g = crowd(layout, random.Random(seed)).graph()
    for look in g.walls():
        assert look.walled_in == (not any(way.tiles for way in look.exits))
        assert look.walled_in == (not g.reach(look.aqueduct).squares)
        assert all(set(way.onward) <= set(way.tiles) for way in look.exits)


@given(LAYOUTS, SEEDS, st.booleans(), st.integers(0, 150))
@some(40)
def test_no_game_exceeds_the_reach(layout, seed, crowded, actions):
    draw = random.Random(seed)
    p = crowd(layout, draw) if crowded else play_on(Position.start(layout), draw, actions)
    reaches = [p.graph().reach(aqueduct.name) for aqueduct in p.aqueducts]
    end = play_on(p, draw, 1000)
    for before, after, reach in zip(p.aqueducts, end.aqueducts, reaches, strict=True):
        gained = after.squares[before.length :]
        assert len(gained) <= reach.gain
        assert set(gained) <= reach.squares.union(*(path.squares for path in reach.loose))
