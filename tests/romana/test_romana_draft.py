"""Drafts of Aqua Romana: what is wrong is named, and mended drafts are positions."""

from __future__ import annotations

import pytest
from crafted import craft

from aquakit.errors import InvalidOption
from aquakit.romana import Layout, Position
from aquakit.romana.board.draft import Draft

START = Draft.of(Position.start("romana4"))


def complaint(draft: Draft) -> str:
    problem = draft.problem()
    assert problem is not None
    return f"{problem.where}: {problem.problem}"


def test_two_outlets_joined() -> None:
    joined = START.put("c7", "L").put("d7", "J")
    assert complaint(joined) == "board: J on d7 joins two outlets [R3]"
    assert joined.changes(Position.start("romana4")) == {"c7": "L", "d7": "J"}
    assert joined.put("d7", "").balance().problem() is None
    assert joined.put("d7", "|").balance().position() == craft(tiles={"c7": "L", "d7": "|"})


def test_a_podium_over_its_capacity() -> None:
    full = START.set("aqueduct.R1", "5").set("aqueduct.Y2", "5")
    assert complaint(full) == "aqueducts: podium 5 holds too many"
    assert full.set("aqueduct.Y2", "3").position() == craft(closed={"R1": 5, "Y2": 3})
    assert full.set("aqueduct.R1", "open").position() == craft(closed={"Y2": 5})


def test_five_curve_builders() -> None:
    many = START.put("Na", "c").put("Nb", "")
    assert complaint(many) == "reserve: 5 builders c on path, in reserve and held"
    assert many.set("reserve.c", "0").position().reserve == "sbdj"
    assert many.put("Nc", "").problem() is None
    held = START.set("held.2.c", "1")
    assert complaint(held) == "held: 5 builders c on path, in reserve and held"
    assert held.set("reserve.c", "0").position().held == ("", "c", "", "")


def test_the_last_builder_of_the_path() -> None:
    empty = START
    for path in START.layout.path_names:
        empty = empty.put(path, "")
    assert complaint(empty) == "path: no builder stands on it"
    assert empty.put("W1", "j").set("reserve.j", "0").problem() is None


def test_an_idle_count_too_large() -> None:
    idle = START.set("idle", "4")
    assert complaint(idle) == "idle: '4'"
    assert idle.set("idle", "3").position().idle == 3


@pytest.mark.parametrize(("player", "where"), [("2", ""), ("2!", ""), ("-", "aqueducts"), ("s1", "path")])
def test_the_player_to_move(player: str, where: str) -> None:
    draft = START.put("Na", "j").set("reserve.j", "0").set("player", player)
    problem = draft.problem()
    assert (problem.where if problem else "") == where


def test_the_setup_can_be_edited() -> None:
    start = Position.start("romana4", setup=True)
    placed = Draft.of(start).put("Na", "c")
    assert complaint(placed) == "player: s1 with 1 of 12 builders placed"
    assert placed.set("player", "s2").position() == start.play("+cNa")
    for changed, where in (
        (placed.set("player", "s2").put("c7", "L").balance(), "board"),
        (placed.set("player", "s2").set("reserve.j", "0"), "reserve"),
        (placed.set("player", "s2").set("held.1.j", "1").set("reserve.j", "0"), "reserve"),
        (placed.set("player", "s2").set("aqueduct.R1", "0"), "aqueducts"),
        (placed.set("player", "s2").set("idle", "1"), "idle"),
    ):
        assert complaint(changed).partition(":")[0] == where


def test_inside_a_turn_the_draft_is_of_its_start() -> None:
    start = Position.start("romana4")
    moment = start.act("c7=L@Nc")
    assert moment.played
    assert Draft.of(moment) == Draft.of(start)
    # What is shown is the moment, in which the tile lies and the builder has moved.
    changes = Draft.of(moment).changes(moment)
    assert changes["c7"] == ""
    assert changes["Nc"] == "c"


def test_the_stock_follows_the_tiles_on_demand() -> None:
    laid = START.put("e5", "L").put("f5", "+").put("g5", "+")
    assert complaint(laid) == "stock: 21 tiles c in stock and 1 on the board"
    assert laid.set("stock.c", "7").set("stock.b", "0").position().stock == {"c": 7, "s": 21, "b": 0, "d": 21}
    assert laid.balance().position().stock == {"c": 20, "s": 21, "b": 19, "d": 21}
    assert START.set("stock.d", "3").balance() == START


def test_a_tile_comes_from_a_stock_that_fits_the_board() -> None:
    laid = START.drop("Tiles", "L", "e5").drop("Tiles", "+", "f5")
    assert laid.position().stock == {"c": 20, "s": 21, "b": 20, "d": 21}
    assert laid.drop("Tiles", "|", "e5").position().stock == {"c": 21, "s": 20, "b": 20, "d": 21}
    assert laid.move(laid.grip("e5"), "").move(laid.grip("f5"), "") == START
    # A stock that was set otherwise stays as it was set, and each kind is for itself.
    few = START.set("stock.c", "3").drop("Tiles", "L", "e5").drop("Tiles", "+", "f5")
    assert few.position().stock == {"c": 3, "s": 21, "b": 20, "d": 21}
    assert START.put("e5", "L").drop("Tiles", "L", "f5").problem() is not None


def test_a_builder_comes_from_the_reserve_and_goes_back_there() -> None:
    moved = START.move(START.grip("Nc"), "Na")
    assert moved.position() == START.put("Nc", "").put("Na", "c").position()
    more = START.drop("Builders", "j", "Na")
    assert more.position().reserve == "csbd"
    assert more.move(more.grip("Na"), "") == START
    assert START.move(START.grip("Nc"), "").position().reserve == "ccsbdj"
    assert START.move(START.grip("reserve=j"), "Na") == more


def test_a_builder_is_held_and_placed() -> None:
    held = START.move(START.grip("Nc"), "player=2")
    assert held.position().held == ("", "c", "", "")
    assert held.position().reserve == "csbdj"
    assert held.move(held.grip("held=2c"), "Nc") == START
    assert START.drop("Builders", "j", "player=1").position().reserve == "csbd"
    assert held.move(held.grip("held=2c"), "player=1").position().held == ("c", "", "", "")
    assert [field.value for field in held.set("held.2.c", "0").fit(held).fields() if field.name == "reserve.c"] == ["2"]


def test_a_workman_closes_on_a_podium_and_opens_on_the_board() -> None:
    closed = START.move(START.grip("workman=R1"), "podium=5")
    assert closed.position() == craft(closed={"R1": 5})
    assert closed.move(closed.grip("workman=R1"), "podium=7").position() == craft(closed={"R1": 7})
    assert closed.move(closed.grip("workman=R1"), "c7") == START
    assert closed.move(closed.grip("workman=R1"), "") == closed


def test_in_the_setup_the_reserve_is_as_it_begins() -> None:
    start = Position.start("romana4", setup=True)
    placed = Draft.of(start).drop("Builders", "c", "Na").set("player", "s2")
    assert placed.position() == start.play("+cNa")
    assert placed.balance() == placed


def test_what_is_wrong_is_about_pieces_and_fields() -> None:
    def about(draft: Draft) -> tuple[str, set[str], set[str]]:
        trouble = draft.trouble()
        assert trouble is not None
        return trouble.text.partition(";")[0], set(trouble.on), set(trouble.fields)

    joined = START.put("c7", "L").put("d7", "J")
    assert about(joined) == ("board: curve from north to west on d7 joins two outlets [R3]", {"d7"}, set())
    full = START.set("aqueduct.R1", "5").set("aqueduct.Y2", "5")
    assert about(full) == ("aqueducts: podium 5 holds too many", {"podium=5"}, {"aqueduct.R1", "aqueduct.Y2"})
    assert about(START.set("aqueduct.R1", "12").set("aqueduct.Y2", "12"))[1] == {"podium=12"}
    text, on, fields = about(START.put("Na", "c"))
    assert text == "reserve: 5 curve builders on path, in reserve and held"
    assert on == {"Na", "Nc", "Si", "W8", "reserve=c"}
    assert fields == {"reserve.c", *(f"held.{number}.c" for number in range(1, 5))}
    assert about(START.put("e5", "+").put("f5", "L").set("stock.c", "20"))[1:] == ({"e5", "stock=b"}, {"stock.b"})
    assert about(START.set("player", "s2"))[2] == {"player"}
    assert about(START.set("idle", "4"))[::2] == ("turns in a row without a tile: '4'", {"idle"})
    setup = Draft.of(Position.start("romana4", setup=True)).put("Na", "c").trouble()
    assert setup is not None
    assert setup.text == (
        "player to move: setup: Red places with 1 of 12 builders placed; "
        "expected setup: Yellow places, as players place in turn"
    )


def test_a_stock_is_never_below_nothing() -> None:
    draft = Draft.of(Position.start("romana2-5x4"))
    for square in draft.tools()[0].places:
        draft = draft.put(square, "+")
    assert draft.balance().text.split(" ")[6] == "4.4.0.3"
    assert complaint(draft.balance()).startswith("board: ")


def test_more_tiles_than_there_are() -> None:
    draft = Draft.of(Position.start("romana2-5x4"))
    for square in ("a2", "a3", "b2", "c2"):
        draft = draft.put(square, "N")
    assert complaint(draft.balance()) == "board: 0 tiles d in stock and 4 on the board"
    assert draft.put("b2", "L").balance().problem() is None


@pytest.mark.parametrize("square", ["c8", "a8", "k1", "i1"])
def test_reservoirs_and_printed_tiles_stay(square: str) -> None:
    with pytest.raises(InvalidOption, match=f"nothing can be put on '{square}'"):
        START.put(square, "L")


def test_pieces_stand_on_their_own_kind_of_place() -> None:
    with pytest.raises(InvalidOption, match="'c' cannot stand on c7"):
        START.put("c7", "c")
    with pytest.raises(InvalidOption, match="'L' cannot stand on Nc"):
        START.put("Nc", "L")


def test_tools_and_fields_in_words() -> None:
    tiles, builders, workmen = START.tools()
    assert [tools.title for tools in (tiles, builders, workmen)] == ["Tiles", "Builders", "Workmen"]
    assert list(dict.fromkeys(piece.kind for piece in tiles.pieces)) == [
        "straight",
        "curve",
        "bridge",
        "double curve",
        "nothing",
    ]
    assert "".join(tiles.turned(tile) for tile in tiles.ids if tile) == "-|F7JL+NZ"  # by quarters, to the right
    assert workmen.ids[:4] == ("R1", "R2", "R3", "Y1")
    player, _, aqueduct, *_ = START.fields()
    assert [option.label for option in player.options[::4]] == [
        "Red",
        "setup: Red places",
        "Red, alone (a study)",
        "game over",
    ]
    assert [option.label for option in aqueduct.options if option.value in ("open", "5", "0")] == [
        "open",
        "podium 5",
        "gone with 0",
    ]
    assert "".join(tiles.ids) == "|-LF7J+ZN"
    assert [(piece.id, piece.icon) for piece in tiles.pieces[-4:]] == [
        ("+", "t7 deck"),
        ("Z", "t8"),
        ("N", "t9"),
        ("", ""),
    ]
    assert [piece.label for piece in builders.pieces][-2:] == ["joker", "nothing"]
    assert len(tiles.places) == 88 - 8 - 4
    assert builders.places == START.layout.path_names
    groups = dict.fromkeys(field.group for field in START.fields())
    assert list(groups)[:4] == ["Turn", "Aqueducts", "Stock", "Reserve"]
    assert [field.name for field in START.fields() if field.group == "Held by Yellow"] == [
        f"held.2.{kind}" for kind in "csbdj"
    ]


def test_kinds_of_builders_that_the_layout_lacks_are_not_offered() -> None:
    text = (Layout.folder / "romana2-5x4.toml").read_text("utf-8")
    layout = Layout.loads(text.replace("romana2-5x4", "mine").replace("j = 1", "j = 0").replace('"dj"', '"d"'))
    draft = Draft.of(Position.start(layout))
    assert draft.position() == Position.start(layout)
    assert draft == Draft(draft.text, layout)
    assert draft.tools()[1].ids == ("c", "s", "b", "d", "")
    assert not [field for field in draft.fields() if field.name.endswith(".j")]
