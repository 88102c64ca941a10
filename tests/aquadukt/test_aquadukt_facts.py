"""What a board tells beside the picture: facts that agree with the position, the score sheet, a turn's traces."""

from __future__ import annotations

from collections import Counter

from aquadukt_crafted import craft
from hypothesis import given
from random_games import AQUADUKT
from svg_checks import read

from aquakit.aquadukt import Position, Turn
from aquakit.aquadukt.board.facts import facts, sheet, trace
from aquakit.aquadukt.board.picture import measure
from aquakit.board.facts import Chip, Fact, FactTable, TurnTrace

TWO_ARMS = {"springs": "3.5", "canals": "3.5:NNe;3.5:e"}


def fact(position: Position, name: str) -> Fact:
    """Gets a fact by its name."""
    return {found.name: found for found in facts(position)}[name]


def table(position: Position, title: str) -> FactTable:
    """Gets a table by its title."""
    return {found.title: found for found in sheet(position)}[title]


def named(position: Position, kind: str) -> list[Fact]:
    """Lists the facts of a kind."""
    return [found for found in facts(position) if found.name.split()[0] == kind]


# Always


@given(AQUADUKT)
def test_facts_are_about_pieces_of_the_picture_each_told_once(position: Position):
    drawn = {
        f"{name[5:]}={value}" for e in read(position).iter() for name, value in e.attrib.items() if "data-" in name
    }
    told = Counter(piece for found in facts(position) for piece in found.on)
    assert set(told) <= drawn
    assert set(told.values()) == {1}
    kinds = ("canal", "spring", "region", "number", "watered", "tile", "mountain")
    assert {piece for piece in drawn if piece.partition("=")[0] in kinds} <= set(told)


@given(AQUADUKT)
def test_facts_have_names_of_their_own_and_mark_places(position: Position):
    found, places = facts(position), measure(position.layout)
    assert len({each.name for each in found}) == len(found)
    assert all(set(each.places) <= set(places) for each in found)
    assert all(each.lines and all(each.lines) for each in found)


@given(AQUADUKT)
def test_arms_are_those_of_the_position(position: Position):
    arms, found = position.arms, named(position, "arm")
    assert [each.name for each in found] == [f"arm {arm.spring} {arm.steps[0].lower()}" for arm in arms]
    for arm, each in zip(arms, found, strict=True):
        assert [piece.split("=")[1] for piece in each.on] == list(arm.segments)
    graph = position.graph()
    assert graph.waterings() == tuple(map(graph.waters, arms))
    assert {q for each in found for q in each.places} == {q for q, fed in position.supply.items() if fed}


@given(AQUADUKT)
def test_an_arm_goes_on_where_a_canal_can_be_laid(position: Position):
    if position.phase not in ("turn", "canal"):
        return
    canals = {action.segment for action in position.actions() if action.what == "canal"} - set(position.canals)
    starts = {segment for each in named(position, "spring") for segment in each.places}
    told = " ".join(line for each in named(position, "arm") for line in each.lines if "go on" in line)
    assert starts <= canals
    assert told.count(".") == len(canals - starts)


@given(AQUADUKT)
def test_a_region_marks_the_tiles_without_water(position: Position):
    supply = position.supply
    marked = [q for each in named(position, "region") for q in each.places]
    assert sorted(marked) == sorted(q for q in position.tiles if not supply[q])


@given(AQUADUKT)
def test_the_score_sheet_agrees_with_the_position(position: Position):
    score = table(position, "Score sheet")
    assert [int(str(row[1])) for row in score.rows] == list(position.scores())
    assert [int(str(row[2])) for row in score.rows] == list(position.watered_tiles())
    assert sum(int(str(row[2])) + int(str(row[3])) for row in score.rows) == len(position.tiles)
    for found in sheet(position):
        assert all(len(row) == len(found.head) for row in found.rows)


# Arms and springs


def test_an_arm_tells_its_canals_its_squares_and_where_it_can_go_on():
    p = craft(tiles={"d6": "A2", "b6": "B3", "l2": "B4"}, **TWO_ARMS)
    assert fact(p, "arm 3.5 n") == Fact(
        name="arm 3.5 n",
        on=("canal=3.5v=2", "canal=3.6v=2", "canal=3.7h=1"),
        title="arm from 3.5 to the north",
        lines=(
            "3 segments, 2 double: 5 canals",
            "waters 9 squares: b6, b7, c6, c7, d6, d7, d8, e6, e7",
            "houses there: 2 of A, 3 of B",
            "can go on to 5.7, 4.6 or 4.8",
        ),
        places=("b6", "b7", "c6", "c7", "d6", "d7", "d8", "e6", "e7"),
    )


def test_an_arm_without_a_free_point_is_blocked():
    p = craft(springs="0.5", canals="0.5:eesswwn")
    assert fact(p, "arm 0.5 e").lines[-1] == "can go on to 1.4"
    assert fact(p.play("canal 0.4h, stop"), "arm 0.5 e").lines == (
        "8 segments, none double: 8 canals",
        "waters 10 squares: a3, a4, a5, a6, b3, b4, b5, b6, c4, c5",
        "houses there: none",
        "is blocked",
    )


def test_nothing_goes_on_when_the_game_is_over():
    p = craft(player="-", **TWO_ARMS)
    assert fact(p, "arm 3.5 e").lines[-1] == "houses there: none"
    assert fact(p, "spring 3.5").lines == ("2 arms, to the north and the east",)


def test_a_spring_tells_its_arms_and_where_another_can_start():
    p = craft(springs="3.5,12.1", canals="3.5:NNe;3.5:e")
    assert fact(p, "spring 3.5").lines == ("2 arms, to the north and the east", "no further arm can start")
    assert fact(p, "spring 12.1") == Fact(
        name="spring 12.1",
        on=("spring=12.1",),
        title="spring on 12.1",
        lines=("no arm", "an arm can start towards 11.1 or 12.2"),
        places=("11.1h", "12.1v"),
    )


# Regions and events


def test_a_region_tells_its_free_squares_and_the_tiles_at_stake():
    p = craft(tiles={"c4": "A2", "d5": "B1", "d3": "B4"}, springs="3.5", canals="3.5:e")
    assert fact(p, "region 6") == Fact(
        name="region 6",
        on=("region=6", "number=6", "tile=d3=B4", "tile=c4=A2", "watered=d5=1", "tile=d5=B1"),
        title="region 6",
        lines=("2 of 5 squares free", "without water, lost if it fills: A2 on c4, B4 on d3"),
        places=("c4", "d3"),
    )


def test_an_event_tells_what_it_does_to_the_tiles_beside_it():
    mountains = ("c5", "b8", "d8", "f8", "h8", "j8", "b6", "b2")
    p = craft(mountains=mountains, events="mmmmmmff", tiles={"d5": "B1"}, springs="3.5", canals="3.5:E")
    told = fact(p, "mountain c5")
    assert told.title == "mountain on c5"
    assert told.lines == ("foul: 0 for each neighbour not watered twice", "tiles beside it: B1 on d5 (2 canals)")
    assert told.places == ("c6", "d5", "c4", "b5")
    assert fact(p.view(), "mountain c5").lines[0] == "event still hidden"


def test_without_events_a_mountain_belongs_to_its_region():
    p = craft()
    assert not named(p, "mountain")
    assert "mountain=e8" in fact(p, "region 3").on


# The sheet


def test_the_score_sheet_tells_points_tiles_and_hands():
    p = craft(tiles={"d5": "A3", "d4": "A2", "c5": "B4"}, hands="0.0.0.0,8.7.0.3", springs="3.5", canals="3.5:e")
    score = table(p, "Score sheet")
    assert score.head == ("player", "points", "watered tiles", "dry tiles", "in hand")
    assert score.rows == (
        ((Chip("player 1 (A)", "R"),), "3", "1", "1", "-"),
        ((Chip("player 2 (B)", "Y"),), "0", "0", "1", "8x1 7x2 3x4"),
    )


def test_regions_about_to_fill_tell_what_would_be_lost():
    p = craft(tiles={"e3": "A3", "f3": "B1", "e4": "A1"})
    assert table(p, "Regions about to fill") == FactTable(
        "Regions about to fill",
        ("region", "free squares", "dry tiles", "houses lost"),
        (("7", "f4", (Chip("A3", "R"), Chip("A1", "R"), Chip("B1", "Y")), "4 of A, 1 of B"),),
    )


def test_the_sheet_leaves_out_what_is_empty():
    assert [found.title for found in sheet(craft())] == ["Score sheet", "Supplies"]


def test_supplies_are_counted():
    assert table(craft(**TWO_ARMS), "Supplies").rows == (("canals", "30", "36"), ("springs", "4", "5"))


# Traces


def test_canals_are_traced_as_the_water_flows():
    p = craft(springs="3.5", canals="3.5:w")
    assert trace(p, "canal 1.5h, canal 2.5h") == TurnTrace((("2.5", "1.5"), ("3.5", "2.5")), ("1.5h", "2.5h"))


def test_a_segment_laid_and_doubled_is_traced_once():
    assert trace(craft(springs="3.5"), "canal 3.4v, canal 3.4v") == TurnTrace((("3.5", "3.4"),), ("3.4v",))


def test_springs_and_houses_are_marked():
    assert trace(craft(), "spring 3.5") == TurnTrace(marks=("3.5",))
    turn = Turn.parse("roll, die 7, 3 e4, roll, die 6, 1 c4, stop")
    assert trace(craft(), turn) == TurnTrace(marks=("e4", "c4"))


def test_declining_leaves_no_trace():
    assert trace(craft(), "roll, die 7, decline") == TurnTrace()
