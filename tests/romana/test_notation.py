"""Position texts: written again as read, and every malformed field refused by name."""

from __future__ import annotations

import pytest
from malformed import PositionText, check_refused

from aquakit.errors import InvalidPosition
from aquakit.romana import Position
from aquakit.romana.notation import FIELDS

START = (
    "romana4 F.##...##.7/.........../.........../.........../.........../.........../.........../L.##...##.J "
    "..cs...bd../b......s/..cs...bd../d......c csbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.* 21.21.21.21 1 0"
)


SETUP = str(Position.start("romana4", setup=True))


TEXT = PositionText(START, FIELDS)
change, edit = TEXT.change, TEXT.edit


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
