"""Layouts: the built-in ones, a user's own by path everywhere, and errors that name the field."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import check_layout_refused
from random_games import play_on

from aquakit.core.layouts import LARGEST
from aquakit.core.notation import split_moment
from aquakit.errors import InvalidLayout, InvalidPosition
from aquakit.romana import Layout, Position
from aquakit.romana.board.draft import Draft

SMALL = (Layout.folder / "romana2-5x4.toml").read_text("utf-8")


def test_built_in_layouts() -> None:
    assert Layout.names() == ["romana2", "romana2-5x4", "romana2-7x6", "romana3", "romana4"]
    for name in Layout.names():
        layout = Layout.load(name)
        assert layout.name == layout.ref == name
        assert Layout.load(layout) is layout


def test_the_path_goes_clockwise_from_the_north_west() -> None:
    names = Layout.load("romana4").path_names
    assert len(names) == 38
    assert (names[0], names[10], names[11], names[18], names[19], names[29], names[30], names[37]) == (
        ("Na", "Nk", "E8", "E1", "Sk", "Sa", "W1", "W8")
    )


def test_a_users_own_file_works_by_path(tmp_path: Path) -> None:
    path = tmp_path / "my boards" / "my 100%.toml"
    path.parent.mkdir()
    path.write_text(SMALL.replace("romana2-5x4", "mine"), "utf-8")
    for form in (path, str(path)):
        p = Position.start(form)
        assert p.layout.name == "mine"
        assert str(p).split(" ")[0] == "my%20100%25.toml"
        assert str(Position.parse(str(p), form)) == str(p)
        for again in (Position.parse(str(p), form), eval(repr(p), {"Position": Position, "Layout": Layout})):
            assert again == p
            assert str(again) == str(p)
        assert p == Position.start(Layout.load(path))
    named = str(p).replace(str(p).split(" ")[0], "mine", 1)
    assert Position.parse(named, layout=path) == p
    for text in (named, str(p)):
        with pytest.raises(InvalidPosition, match=r"unknown layout .* given by layout="):
            Position.parse(text)


def test_a_text_may_call_a_given_layout_by_another_file(tmp_path: Path) -> None:
    p = Position.start(Layout.loads(SMALL.replace("romana2-5x4", "mine")))
    for name in ("mine", "old.toml", "/somewhere/old.toml"):
        assert Position.parse(f"{name} {str(p).partition(' ')[2]}", p.layout) == p
    with pytest.raises(InvalidPosition, match="the given layout's name, mine"):
        Position.parse(f"yours {str(p).partition(' ')[2]}", p.layout)


def test_a_text_may_not_take_a_built_in_name_for_another_board() -> None:
    assert Layout.loads(SMALL) == Layout.load("romana2-5x4")
    with pytest.raises(InvalidLayout, match=r"a built-in layout's name; expected a name of its own"):
        Layout.loads(SMALL.replace("c = 4", "c = 5"))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SMALL, "utf-8")
    before = Layout.load(path)
    path.write_text(SMALL.replace("c = 4", "c = 40"), "utf-8")
    assert Layout.load(path).stock[0] == 40
    assert before.stock[0] == 4


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('name = "romana2-5x4"', 'name = "with space"', "name"),
        ("columns = 5", "columns = 2", "columns"),
        ("columns = 5", "columns = 27", "columns"),
        ("columns = 5", 'columns = "five"', "columns"),
        ("columns = 5", "", "columns"),
        ("columns = 5", "columns = 5\ncolour = 1", "colour"),
        ('["R", "G"]', '["R", "X"]', "players.1"),
        ('["R", "G"]', '["R", "B"]', "players"),
        ('["R", "G"]', '["R", "RG"]', "players"),
        ('["R", "G"]', '["R"]', "players"),
        ('a4 = "F"', 'a9 = "F"', "printed"),
        ('a4 = "F"', 'a4 = "X"', "printed.a4"),
        ('a4 = "F"', 'b4 = "F"', "printed.b4"),
        ('["b4", "c4"]', '["b4", "d4"]', "reservoirs.0.squares"),
        ('["b4", "c4"]', '["b4", "z4"]', "reservoirs.0.squares"),
        ('["b4", "c4"]', '["b4", "c4", "c3"]', "reservoirs.0.squares"),
        ('["b4", "c4"]', '["b4", "b4"]', "reservoirs.0.squares"),
        ('["b4", "c4"]', "[]", "reservoirs.0.squares"),
        ('["b4", "c4"]', '["b4", "c4", "d4", "b3", "c3", "d3", "b2", "c2", "d2"]', "reservoirs.0.squares"),
        ('["b4", "c4"]', '["c1", "c2"]', "reservoirs.1.squares"),
        ('colour = "G"', 'colour = "R"', "reservoirs.1.colour"),
        ('["b4S", "c4E"]', '["b4S", "b4E"]', "reservoirs.0.outlets"),
        ('["b4S", "c4E"]', '["b4S", "b4N"]', "reservoirs.0.outlets"),
        ('["b4S", "c4E"]', '["b4S", "b4S"]', "reservoirs.0.outlets"),
        ('["b4S", "c4E"]', '["b4S", "d1N"]', "reservoirs.0.outlets"),
        ('["b4S", "c4E"]', "[]", "reservoirs.0.outlets"),
        ('["d1N", "c1W"]', '["d1N", "d1Q"]', "reservoirs.1.outlets"),
        ("b = 3", "b = -1", "stock.b"),
        ("b = 3", "", "stock.b"),
        ("j = 1", "j = 0", "reserve"),
        ("j = 1", "j = 40", "builders"),
        ('reserve = "dj"', 'reserve = "dx"', "reserve"),
        ('reserve = "dj"', 'reserve = "ccssbbddj"', "builders"),
        (".c.s./b.d./", ".c.s./b.d/", "arrangement"),
        (".c.s./b.d./", ".c.s./b.c./", "arrangement"),
        (".c.s./b.d./", ".c.s./b.x./", "arrangement"),
        ("[1, 1, 2, 1, 1, 1, 1, 1]", "[]", "podiums"),
        ("[1, 1, 2, 1, 1, 1, 1, 1]", "[0]", "podiums.0"),
        ('e4 = "7"', 'e4 = "7"\nd3 = "+"\nd4 = "7"\nd2 = "|"', "printed.d2"),
        ("columns = 5", "columns = ", "is not TOML"),
    ],
)
def test_malformed_layouts_name_the_field(old: str, new: str, field: str, tmp_path: Path) -> None:
    assert old in SMALL
    check_layout_refused(Layout, SMALL.replace(old, new, 1), field, tmp_path)


def test_unknown_and_unreadable_layouts(tmp_path: Path) -> None:
    with pytest.raises(InvalidLayout, match=r"unknown layout 'romana9'; expected one of romana2, .*path"):
        Layout.load("romana9")
    with pytest.raises(InvalidLayout, match="cannot be read"):
        Layout.load("no/such.toml")
    with pytest.raises(InvalidLayout, match="cannot be read"):
        Layout.load(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"title = '\xe9'")
    with pytest.raises(InvalidLayout, match="not UTF-8"):
        Layout.load(latin)
    large = tmp_path / "large.toml"
    large.write_text(SMALL + "#" * LARGEST, "utf-8")
    with pytest.raises(InvalidLayout, match="more than 262,144 bytes"):
        Layout.load(large)
    with pytest.raises(InvalidLayout, match="no regular file"):
        Layout.load(Path("/dev/zero"))


def test_printed_curves_count_when_an_outlet_leads_into_them() -> None:
    layout = Layout.loads(SMALL.replace('"b4S", "c4E"', '"b4W", "c4E"').replace("romana2-5x4", "mine"))
    r1 = Position.start(layout).aqueducts[0]
    assert (r1.length, r1.squares, r1.end, r1.facing) == (1, ("a4",), "a4", "a3")


SIZES = """
name = "sizes"
title = "Reservoirs of one, three, four and six squares"
columns = 8
rows = 7
players = ["R", "Y", "G", "B"]
reserve = "cj"
podiums = [1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1]
stock = {c = 12, s = 12, b = 12, d = 12}
builders = {c = 3, s = 3, b = 3, d = 3, j = 1}
reservoirs = [
  {colour = "R", squares = ["b7"], outlets = ["b7W", "b7S", "b7E"]},
  {colour = "Y", squares = ["h4", "h5", "h3"], outlets = ["h5N", "h4W", "h3S"]},
  {colour = "G", squares = ["d1", "e1", "d2", "e2"], outlets = ["d2N", "e1E"]},
  {colour = "B", squares = ["a1", "b1", "a2", "b2", "a3", "b3"], outlets = ["a3N", "b2E"]},
]
"""
RESERVED = {"b7", "h3", "h4", "h5", "d1", "e1", "d2", "e2", "a1", "b1", "a2", "b2", "a3", "b3"}


def test_reservoirs_fill_rectangles_of_one_to_six_squares() -> None:
    layout = Layout.loads(SIZES)
    start = Position.start(layout)
    facing = {a.name: (a.end, a.facing) for a in start.aqueducts}
    assert facing["R2"] == ("b7", "b6")
    assert facing["Y2"] == ("h4", "g4")
    assert facing["G1"] == ("d2", "d3")
    assert facing["B2"] == ("b2", "c2")
    assert str(start).split(" ")[1] == ".#....../......../.......#/.......#/##.....#/##.##.../##.##..."
    assert start.diagram().count("B═══B") == 3
    picture = start.svg()
    assert all(picture.count(f'data-reservoir="{colour}"') == 1 for colour in "RYGB")


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(0, 120))
def test_games_round_reservoirs_of_any_size(chance: random.Random, actions: int) -> None:
    layout = Layout.loads(SIZES)
    p = play_on(Position.start(layout, setup=chance.random() < 0.3), chance, actions)
    assert Position.parse(str(p), layout) == p
    assert Draft(split_moment(str(p))[0], layout).problem() is None
    graph = p.graph()
    for aqueduct in p.aqueducts:
        path = graph.path(aqueduct.name)
        assert (path.squares, path.end, path.facing) == (aqueduct.squares, aqueduct.end, aqueduct.facing)
        assert RESERVED.isdisjoint(aqueduct.squares)
    assert p.runner(fast=True).playouts(p.state, 2, 1) == p.runner(fast=False).playouts(p.state, 2, 1)
