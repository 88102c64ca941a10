"""Position texts: written again as read, and every malformed field refused by name."""

from __future__ import annotations

import random

import pytest
from crafted import craft
from hypothesis import given, settings
from hypothesis import strategies as st
from malformed import PositionText, check_refused
from random_games import check_what_follows, play_on

from aquakit.core.notation import split_moment
from aquakit.errors import InvalidPosition
from aquakit.romana import Layout, Position
from aquakit.romana.notation import FIELDS

START = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "..cs...bd../b......s/..cs...bd../d......c csbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 1 0"
)


SETUP = str(Position.start("romana4", setup=True))


TEXT = PositionText(START, FIELDS)
change, edit = TEXT.change, TEXT.edit
IN_SETUP = PositionText(str(Position.start("romana4", setup=True).play("+cNa").play("+dE8")), FIELDS)


def test_the_start_as_the_rules_write_it() -> None:
    assert str(Position.start("romana4")) == START
    assert str(Position.parse(START + "\n")) == START


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("position", ""),
        ("position", "romana4"),
        ("position", START + " 0"),
        ("position", START.replace(" 1 0", "  1 0")),
        ("position", START.replace(" ", "\t")),
        ("layout", change("layout", "romana5")),
        ("layout", change("layout", "no/such/file.toml")),
        ("board", change("board", "F.##...##.7")),
        ("board", edit("board", "F.##...##.7", "F.##...##.77")),
        ("board", edit("board", "F.##...##.7", "F.##...##7")),
        ("board", edit("board", "F.##", "L.##")),
        ("board", edit("board", "F.##", "..##")),
        ("board", edit("board", "F.##", "F.#.")),
        ("board", edit("board", "F.##", "F.#|")),
        ("board", edit("board", "F.##", "F###")),
        ("board", edit("board", "/...........", "/.....Q.....")),
        ("board", edit("board", "/...........", "/..LJ.......")),
        ("path", edit("path", "..cs...bd..", "..cs...bd...")),
        ("path", edit("path", "/b......s/", "/b.....s/")),
        ("path", edit("path", "/b......s/", "/b......x/")),
        ("path", edit("path", "/b......s", "")),
        ("path", edit("path", "/b......s/", "/b......s//")),
        ("path", change("path", ".........../......../.........../........")),
        ("path", edit("path", "..cs", "cccs")),
        ("reserve", edit("path", "..cs", ".ccs")),
        ("reserve", change("reserve", "scbdj")),
        ("reserve", change("reserve", "csbdjj")),
        ("reserve", change("reserve", "csbdq")),
        ("reserve", change("reserve", "ccsbdj")),
        ("held", change("held", "-,-,-")),
        ("held", change("held", "c,-,-,-")),
        ("held", change("held", "-,-,-,x")),
        ("held", change("held", "-,-,-,")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*,*.*")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*,*.*.21")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*,*.*.x")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.5,*.*.*,*.*.5")),
        ("aqueducts", change("aqueducts", "*.*.3,*.*.3,*.*.3,*.*.5")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*,*.*.05")),
        ("aqueducts", change("aqueducts", "*.*.*,*.*.*,*.*.*,*.*.-1")),
        ("stock", change("stock", "21.21.21")),
        ("stock", change("stock", "21.21.21.22")),
        ("stock", change("stock", "21.21.21.-1")),
        ("stock", change("stock", "21.21.21.1e1")),
        ("stock", change("stock", "21.21.21.²")),
        ("player", change("player", "0")),
        ("player", change("player", "5")),
        ("player", change("player", "s5")),
        ("player", change("player", "s1!")),
        ("player", change("player", "x")),
        ("aqueducts", change("player", "-")),
        ("aqueducts", SETUP.replace("*.*.*,", "*.*.3,", 1)),
        ("stock", edit("board", "/...........", "/.....L.....")),
        (
            "stock",
            change("board", START.split(" ")[1].replace("...........", "..|...|....", 1)).replace("21.21", "21.20", 1),
        ),
        ("board", IN_SETUP.edit("board", "/...........", "/.....L.....").replace("21.21", "20.21", 1)),
        ("path", IN_SETUP.change("path", "c....cc..c./d......./.........../........").replace(" csbdj", " sbdj")),
        ("reserve", IN_SETUP.edit("path", "c", "j")),
        ("player", IN_SETUP.change("player", "s1")),
        ("player", IN_SETUP.change("player", "s4")),
        ("player", IN_SETUP.edit("path", "c..", "cs.")),
        ("reserve", IN_SETUP.change("reserve", "csbj")),
        ("reserve", IN_SETUP.change("reserve", "-")),
        ("reserve", IN_SETUP.change("reserve", "csbd").replace("-,-,-,-", "-,-,j,-")),
        ("held", IN_SETUP.change("held", "-,b,-,-")),
        ("aqueducts", IN_SETUP.edit("aqueducts", "*", "0")),
        ("idle", IN_SETUP.change("idle", "1")),
        ("held", "romana2-5x4 F##.7/...../...../L.##J ...../..../...../.... dj -,c *.*,*.* 4.4.3.3 s1 0"),
        ("player", change("aqueducts", "0.0.0,*.*.*,*.*.*,*.*.*")),
        ("player", change("player", "s1")),
        ("idle", change("idle", "4")),
        ("idle", change("idle", "-1")),
        ("idle", change("idle", "x")),
        ("idle", change("idle", "00")),
        ("turn", START + " : "),
        ("turn", START + " : q"),
        ("turn", START + " : e5=F@Nd"),
        ("turn", START + " : c7=L@Nc x-"),
    ],
)
def test_malformed_fields_are_refused_by_name(field: str, text: str) -> None:
    check_refused(field, text)


def test_a_finished_game_shows_no_open_aqueduct_and_its_idle_count() -> None:
    over = change("aqueducts", "0.0.0,0.0.0,0.0.0,0.0.0").replace(" 1 0", " - 4")
    assert Position.parse(over).is_over
    with pytest.raises(InvalidPosition, match="idle"):
        Position.parse(over.replace(" - 4", " - 5"))


def test_tiles_on_the_board_and_in_stock_are_at_most_those_there_are() -> None:
    laid = edit("board", "/...........", "/.....L.....")
    assert Position.parse(laid.replace("21.21", "20.21", 1)).tiles["f7"] == "L"
    # Fewer than there are may be anywhere: some were left in the box.
    assert Position.parse(laid.replace("21.21", "3.21", 1)).stock["c"] == 3
    assert Position.parse(IN_SETUP.change("stock", "5.5.0.5")).stock["b"] == 0
    with pytest.raises(InvalidPosition) as caught:
        Position.parse(laid)
    assert str(caught.value) == (
        "stock: 21 tiles c in stock and 1 on the board; expected at most 21, printed ones not counted"
    )


@settings(max_examples=150)
@given(st.sampled_from(Layout.names()), st.randoms(use_true_random=False))
def test_from_a_setup_that_is_read_every_action_leads_to_what_is_read(layout: str, chance: random.Random) -> None:
    """Fields of moments of the setup and of a game, mixed: what none of both leads to is refused."""
    setup = play_on(Position.start(layout, setup=True), chance, chance.randrange(14))
    other = play_on(Position.start(layout, setup=chance.random() < 0.5), chance, chance.randrange(40))
    ours, theirs = (split_moment(str(p))[0].split(" ") for p in (setup, other))
    mixed = [*ours]
    for i in chance.sample(range(1, 9), chance.randrange(3)):
        mixed[i] = theirs[i]
    if chance.random() < 0.3:
        mixed[7] = f"s{chance.randrange(1, len(setup.layout.players) + 1)}"
    try:
        p = Position.parse(" ".join(mixed))
    except InvalidPosition:
        assert mixed != ours
        return
    check_what_follows(p)
    if p.phase == "setup":
        # The same builders, placed one by one in turn, lead here.
        again = Position.start(layout, setup=True)
        for path, kind in p.builders.items():
            again = again.play(f"+{kind}{path}")
        assert str(again).split(" ")[:6] == mixed[:6]
        assert str(again).split(" ")[7:] == mixed[7:]


def test_all_builders_of_a_kind_are_counted_wherever_they_are() -> None:
    with pytest.raises(InvalidPosition, match="path: 4 builders j on path, in reserve and held; expected at most 1"):
        craft(builders={"Na": "j", "Nb": "j"}, held={1: "j"})
