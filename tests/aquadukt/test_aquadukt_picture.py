"""The picture and the plain-text diagram of Aquädukt: everything in a position is shown once, where it is."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest
from aquadukt_crafted import craft
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import AQUADUKT, play_on
from svg_checks import SVG, box, check_within, classed, marked, read, spot, style_of, texts

from aquakit.aquadukt import Layout, Position, Turn
from aquakit.aquadukt.board import ground
from aquakit.aquadukt.board.picture import diagram, draw
from aquakit.drawing.board_picture import CELL
from aquakit.errors import InvalidOption

FILE = """
game = "aquadukt"
name = "own"
title = "Own & <map>"
players = {players}
tiles = [30, 6, 6, 4]
mountains = {mountains}
springs = 3
canals = {canals}
spring_distance = 4
mountain_distance = 1
map = \"\"\"
{rows}
\"\"\"
[events]
mineral = 20
foul = 4
"""
HOLES = "AAB.CC\nA.BB.C\nDDDB.E\n.FFEEE"


def own_layout(rows: str, *, players: int = 3, mountains: int = 1, canals: int = 20) -> Layout:
    return Layout.loads(FILE.format(rows=rows, players=players, mountains=mountains, canals=canals))


BIG = "\n".join("".join(chr(ord("A") + (x // 5 + 5 * (y // 6)) % 26) for x in range(26)) for y in range(26))
LAYOUTS = [*map(Layout.load, Layout.names()), own_layout(HOLES), own_layout("AB\nAB"), own_layout(BIG, players=4)]


@st.composite
def maps(choose: st.DrawFn) -> Layout:
    """Chooses a map: regions that lie together as on a real board, or squares scattered at random, with holes."""
    columns, rows, count = choose(st.integers(2, 12)), choose(st.integers(2, 12)), choose(st.integers(1, 26))
    chance, scattered = random.Random(choose(st.integers(0, 9999))), choose(st.booleans())
    seeds = [(chance.random() * columns, chance.random() * rows) for _ in range(count)]

    def region(x: int, y: int) -> int:
        if scattered:
            return chance.randrange(count)
        return min(range(count), key=lambda i: abs(seeds[i][0] - x - 0.5) + abs(seeds[i][1] - y - 0.5))

    chosen = [[None if chance.random() < 0.1 else region(x, y) for x in range(columns)] for y in range(rows)]
    chosen[0][:2] = [0, 0]
    used = sorted({r for row in chosen for r in row if r is not None})
    letters = {r: chr(ord("A") + i) for i, r in enumerate(used)} | {None: "."}
    return own_layout("\n".join("".join(letters[r] for r in row) for row in chosen))


# Ground


def tint_of(picture: ET.Element) -> dict[str, str]:
    """Gets the look of each region, by its number."""
    made = {}
    for number, e in marked(picture, "region").items():
        own = re.search(r"tint\d+", e.attrib["class"])
        assert own
        made[number] = e.attrib.get("fill", own[0])
    return made


def neighbours(layout: Layout) -> set[tuple[str, str]]:
    pairs = set()
    for square in filter(layout.has_square, range(len(layout.region))):
        for side in range(4):
            other = layout.neighbour(square, side)
            if other is not None and layout.has_square(other) and layout.region[other] != layout.region[square]:
                pairs.add((str(layout.region[square] + 1), str(layout.region[other] + 1)))
    return pairs


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.name}-{layout.columns}")
def test_neighbouring_regions_differ_in_tint(layout: Layout) -> None:
    picture = read(Position.start(layout))
    tints, style = tint_of(picture), style_of(picture)
    assert set(tints) == {str(i + 1) for i in range(len(layout.regions))}
    assert all(tints[a] != tints[b] for a, b in neighbours(layout))
    fills = [re.search(rf"-{tint}\{{fill:(#\w+)", style) for tint in sorted(set(tints.values()))]
    assert len({fill[1] for fill in fills if fill}) == len(fills)


@settings(max_examples=60)
@given(maps())
def test_on_any_map_neighbouring_regions_differ_in_tint(layout: Layout) -> None:
    tints = tint_of(read(Position.start(layout)))
    assert all(tints[a] != tints[b] for a, b in neighbours(layout))


@settings(max_examples=40)
@given(maps())
def test_lines_lie_between_the_squares_they_divide(layout: Layout) -> None:
    found = ground.find_lines(layout)
    kinds = {}
    for kind, lines in zip(("within", "between", "rim"), found, strict=True):
        for (x1, y1), (x2, y2) in lines:
            for i in range(x2 - x1 + y2 - y1):
                edge = (x1 + i, y1, "h") if y1 == y2 else (x1, y1 + i, "v")
                assert edge not in kinds
                kinds[edge] = kind

    def at(x: int, y: int) -> int | None:
        inside = 0 <= x < layout.columns and 0 <= y < layout.rows and layout.has_square(y * layout.columns + x)
        return layout.region[y * layout.columns + x] if inside else None

    assert {f"{x}.{y}{way}" for x, y, way in kinds} == set(layout.segment_index)
    for (x, y, way), kind in kinds.items():
        a, b = at(x, y), at(x, y - 1) if way == "h" else at(x - 1, y)
        assert kind == ("rim" if None in (a, b) else "within" if a == b else "between")


def test_missing_squares_are_not_there() -> None:
    picture = read(Position.start(own_layout(HOLES)))
    assert sum(e.attrib["d"].count("M") for e in marked(picture, "region").values()) == 19


def test_squares_and_points_have_coordinates_on_all_sides() -> None:
    (squares,) = classed(read(Position.start("aquadukt2")), "coordinate")
    (points,) = classed(read(Position.start("aquadukt2")), "point")
    assert sorted(texts(squares)) == sorted([*"abcdefghijkl", *"12345678"] * 2)
    assert sorted(texts(points)) == sorted(map(str, [*range(13), *range(9)] * 2))
    bare = read(Position.start("aquadukt2"), coordinates=False)
    assert not classed(bare, "coordinate")
    assert box(bare)[0] < box(read(Position.start("aquadukt2")))[0]


# Pieces


@settings(max_examples=60)
@given(AQUADUKT)
def test_every_piece_is_drawn_once(p: Position) -> None:
    picture = read(p)
    assert set(marked(picture, "tile")) == {f"{square}={tile}" for square, tile in p.tiles.items()}
    assert set(marked(picture, "mountain")) == set(p.mountains)
    assert set(marked(picture, "spring")) == set(p.springs)
    assert set(marked(picture, "canal")) == {f"{segment}={count}" for segment, count in p.canals.items()}
    assert set(marked(picture, "end")) == {arm.end for arm in p.arms}
    assert set(marked(picture, "watered")) == {f"{square}={n}" for square, n in p.supply.items() if n}
    assert set(marked(picture, "player")) == {str(i + 1) for i in range(p.layout.players)}
    assert list(marked(picture, "number")) == [str(i + 1) for i in range(len(p.layout.regions))]


@settings(max_examples=60)
@given(AQUADUKT)
def test_tiles_show_their_owner_their_value_and_whether_they_have_water(p: Position) -> None:
    picture = read(p)
    ids = {e.attrib["id"]: e for e in picture.iter() if "id" in e.attrib}
    for name, e in marked(picture, "tile").items():
        square, tile = name.split("=")
        piece = ids[e.attrib["href"][1:]]
        assert texts(piece) == [tile]
        parts = [ids[use.attrib["href"][1:]] for use in piece.iter(f"{SVG}use")]
        assert sum(path.attrib["d"].count("M") for part in parts for path in part.iter(f"{SVG}path")) == int(tile[1])
        colour = dict(zip("ABCD", "RYGB", strict=True))[tile[0]]
        assert any(classed(part, f"sign-{colour}") for part in parts)
        assert any(classed(part, "pale") for part in parts) == (p.supply[square] == 0)


@settings(max_examples=40)
@given(AQUADUKT, st.booleans())
def test_numbers_stand_in_their_region_and_on_a_free_square_if_there_is_one(p: Position, flip: bool) -> None:
    picture = read(p, flip=flip, panel=False, coordinates=False)
    taken = p.tiles.keys() | p.mountains.keys()
    for number, e in marked(picture, "number").items():
        squares = p.layout.regions[int(number) - 1]
        large = e.tag == f"{SVG}text"
        assert large == any(square not in taken for square in squares)
        assert texts(e) == [number]
        text = next(e.iter(f"{SVG}text"))
        square = square_at(p, picture, float(text.attrib["x"]), float(text.attrib["y"]), flip=flip)
        assert square in squares
        assert not large or square not in taken


def square_at(p: Position, picture: ET.Element, x: float, y: float, *, flip: bool) -> str:
    """Finds the square at a point of a bare picture, which has the board in its middle."""
    width, height = box(picture)
    column = (x - width / 2) / CELL + p.layout.columns / 2
    row = (height / 2 - y) / CELL + p.layout.rows / 2
    if flip:
        column, row = p.layout.columns - column, p.layout.rows - row
    return p.layout.square_names[int(row) * p.layout.columns + int(column)]


def test_a_small_number_avoids_canals_and_springs() -> None:
    squares = Layout.load("aquadukt2").regions[6]
    assert squares == ("e3", "f3", "e4", "f4")
    tiles = dict.fromkeys(squares, "A1")
    for spring, steps, corner in (("4.4", "w", "f4"), ("5.4", "n", "e4")):
        p = craft(tiles=tiles, springs=spring, canals=f"{spring}:{steps}")
        picture = read(p, panel=False, coordinates=False)
        text = next(marked(picture, "number")["7"].iter(f"{SVG}text"))
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        assert square_at(p, picture, x, y, flip=False) == corner


def test_an_arm_is_broad_where_it_is_double_and_ends_where_it_can_go_on() -> None:
    p = craft(springs="3.5", canals="3.5:EEsw")
    picture = read(p)
    assert set(marked(picture, "canal")) == {"3.5h=2", "4.5h=2", "5.4v=1", "4.4h=1"}
    waters = classed(read(p, panel=False), "water")
    broad = [e for e in waters if "broad" in e.attrib["class"]]
    single = [e for e in waters if "broad" not in e.attrib["class"]]
    assert len(broad) == len(single) == 1
    spring = spot(marked(picture, "spring")["3.5"])
    end = marked(picture, "end")["4.4"]
    assert broad[0].attrib["d"] == f"M{spring[0]:g} {spring[1]:g}L{spring[0] + 2 * CELL:g} {spring[1]:g}"
    assert single[0].attrib["d"].endswith(f"L{float(end.attrib['cx']):g} {float(end.attrib['cy']):g}")
    assert len(classed(picture, "divide")) == 1


@settings(max_examples=40)
@given(AQUADUKT)
def test_canals_are_joined_from_point_to_point(p: Position) -> None:
    picture = read(p, panel=False)
    ends = {spot(e) for e in marked(picture, "spring").values()}
    for arm in p.arms:
        for before, after in pairwise(arm.segments):
            a, b = (marked(picture, "canal")[f"{name}={p.canals[name]}"].attrib["d"] for name in (before, after))
            assert tips(a) & tips(b)
        first = marked(picture, "canal")[f"{arm.segments[0]}={p.canals[arm.segments[0]]}"].attrib["d"]
        assert tips(first) & ends


def tips(d: str) -> set[tuple[float, float]]:
    """Gets both ends of a segment's line."""
    found = re.fullmatch(r"M(\S+) (\S+)([hv])48", d)
    assert found
    x, y = float(found[1]), float(found[2])
    return {(x, y), (x + CELL, y) if found[3] == "h" else (x, y + CELL)}


@settings(max_examples=40)
@given(AQUADUKT)
def test_supply_is_written_where_it_is_more_than_one_or_everywhere(p: Position) -> None:
    some, every = marked(read(p), "supply"), marked(read(p, supply=True), "supply")
    assert set(some) == {f"{square}={n}" for square, n in p.supply.items() if n > 1}
    assert set(every) == {f"{square}={n}" for square, n in p.supply.items() if n}
    assert all(texts(e) == [name.split("=")[1]] for name, e in every.items())


def test_mountains_show_what_is_known_of_their_events() -> None:
    p = Position.start("aquadukt2", seed=1, events=True)
    known, hidden, plain = (read(q) for q in (p, p.view(), Position.start("aquadukt2", seed=1)))
    shown = {name: (e.attrib["data-event"], *texts(e)) for name, e in marked(known, "mountain").items()}
    signs = {"m": ("m", "m +2"), "f": ("f", "f \u00d70")}
    assert shown == {name: signs[event] for name, event in p.mountains.items()}
    assert {tuple(texts(e)) for e in marked(hidden, "mountain").values()} == {("?",)}
    assert not any(texts(e) for e in marked(plain, "mountain").values())


@settings(max_examples=30)
@given(AQUADUKT)
def test_flipped_everything_is_on_the_other_side(p: Position) -> None:
    here, there = read(p, panel=False), read(p, panel=False, flip=True)
    width, height = box(here)
    for kind in ("tile", "mountain", "spring", "watered"):
        a, b = marked(here, kind), marked(there, kind)
        assert a.keys() == b.keys()
        for name in a:
            (x, y), (u, v) = spot(a[name]), spot(b[name])
            assert (x + u, y + v) == (pytest.approx(width), pytest.approx(height))
    for name, e in marked(here, "canal").items():
        turned = {(width - x, height - y) for x, y in tips(e.attrib["d"])}
        assert turned == tips(marked(there, "canal")[name].attrib["d"])


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.name}-{layout.columns}")
@pytest.mark.parametrize("actions", [0, 25, 400])
def test_everything_lies_within_the_picture(layout: Layout, actions: int) -> None:
    check_within(read(play_on(Position.start(layout, events=True), random.Random(3), actions), flip=bool(actions)))


def test_a_layout_title_is_only_text() -> None:
    picture = read(Position.start(own_layout(HOLES)))
    assert "Own & <map>" in (picture.findtext(f"{SVG}title") or "")
    assert not list(picture.iter(f"{SVG}map"))


# Panel


def test_the_panel_shows_hands_scores_what_is_left_and_who_moves() -> None:
    p = craft("aquadukt3", tiles={"e4": "B3", "e5": "A2"}, springs="4.4", canals="4.4:E", player="2", idle=2)
    picture = read(p)
    cards = marked(picture, "player")
    assert [player for player, card in cards.items() if classed(card, "due")] == ["2"]
    assert set(marked(cards["1"], "hand")) == {"A1=7", "A2=6", "A3=7", "A4=4"}
    assert set(marked(cards["2"], "hand")) == {"B1=7", "B2=7", "B3=6", "B4=4"}
    assert p.scores() == (2, 3, 0)
    for card, score in zip(cards.values(), p.scores(), strict=True):
        assert texts(classed_one(card, "score")) == [str(score)]
    assert set(marked(picture, "canals")) == {"34"}
    assert set(marked(picture, "springs")) == {"4"}
    assert {"Player 2 (B) to move", "2 idle turns"} <= set(texts(picture))
    assert not marked(read(p, panel=False), "player")


def classed_one(card: ET.Element, name: str) -> ET.Element:
    (found,) = classed(card, name)
    return found


def test_each_moment_of_a_turn_is_told() -> None:
    p = Position.start("aquadukt2", mountains=["b8", "c8", "d8", "e8", "f8", "g8", "h8", "i8"])
    rolling = p.act("roll")
    building = rolling.act("die 7")
    told = {
        rolling: ("Player 1 (A) rolls the die", "roll 1 of 3", "?"),
        building: ("Player 1 (A) to build in region 7 or decline", "roll 1 of 3", "7"),
        building.act("3 e4"): ("Player 1 (A) to roll again or stop", "roll 1 of 3", "?"),
        building.act("3 e4").act("roll"): ("Player 1 (A) rolls the die", "roll 2 of 3", "?"),
    }
    for moment, (title, note, die) in told.items():
        picture = read(moment)
        assert {title, note} <= set(texts(picture))
        assert list(marked(picture, "die")) == [die]
        assert bool(classed(picture, "rolled")) == (die == "7")
        assert f"{title} ({note})." in diagram(moment).split("\n")
    digging = craft(springs="3.5").act("canal 3.5h")
    assert "Player 1 (A) to lay a second canal or stop" in texts(read(digging))


def test_the_region_rolled_is_outlined() -> None:
    p = Position.start("aquadukt2", mountains=["b8", "c8", "d8", "e8", "f8", "g8", "h8", "i8"])
    (outline,) = classed(read(p.act("roll").act("die 7")), "rolled")
    assert outline.attrib["d"].count("M") == 4
    assert len(re.findall(rf"[hv]-?{2 * CELL}(?!\d)", outline.attrib["d"])) == 4


def test_the_end_names_the_winners() -> None:
    p = craft(tiles={"e4": "B3"}, springs="4.4", canals="4.4:e", player="-")
    picture = read(p)
    assert "The game is over, player 2 (B) wins" in texts(picture)
    assert [player for player, card in marked(picture, "player").items() if classed(card, "due")] == ["2"]
    shared = craft(player="-")
    assert "The game is over, player 1 (A) and player 2 (B) share the win." in diagram(shared)
    assert len(classed(read(shared), "due")) == 2


def test_why_the_game_ended_stands_beside_it() -> None:
    played_out = craft(tiles={"e4": "B3"}, springs="4.4", canals="4.4:e", player="-", idle=6)
    assert "6 turns in a row put nothing on the board" in texts(read(played_out))  # [Q6]


# Marks and options


def test_points_and_segments_can_be_marked() -> None:
    p = Position.start("aquadukt2")
    picture = read(p, highlights={"e4": "a", "3.5": "b", "3.5h": "c", "0.1v": ""}, arrows=[("e4", "3.5")])
    assert set(marked(picture, "highlight")) == {"e4", "3.5", "3.5h", "0.1v"}
    assert {"a", "b", "c"} <= set(texts(picture))
    assert len(classed(picture, "arrow")) == 1
    wide = {name: e.attrib["d"] for name, e in marked(picture, "highlight").items()}
    assert len(set(wide.values())) == 4


@pytest.mark.parametrize(
    ("before", "turn", "count"),
    [
        (craft(), "spring 3.5", 1),
        (craft(springs="3.5"), "canal 3.5h, canal 4.5h", 2),
        (craft(springs="3.5"), "canal 3.5h, canal 3.5h", 1),
        (craft(), "roll, die 7, 3 e4, roll, die 7, 1 f4, stop", 2),
        (craft(), "roll, die 7, decline", 0),
        (craft(tiles={"e3": "A1", "f3": "A1", "e4": "A1"}), "roll, die 7, 3 f4, stop", 0),
    ],
)
def test_the_last_turn_is_outlined_as_far_as_it_is_still_there(before: Position, turn: str, count: int) -> None:
    p = before.play(turn)
    for last in (turn, Turn.parse(turn)):
        assert sum(e.attrib["d"].count("M") for e in classed(read(p, last=last), "trace")) == count
    assert not classed(read(p), "trace")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("last", "spring 3.5"),
        ("last", "canal 3.5h"),
        ("last", "spring 0.0"),
        ("last", "roll, die 21, decline"),
        ("last", "roll, die 7, 1 b8"),
        ("last", "roll, die 7, 1 e4"),
        ("last", "roll, die 1, 1 a1"),
        ("highlights", ["a1"]),
        ("highlights", ["0.0"]),
        ("highlights", ["0.0h"]),
        ("highlights", {"3.5x": "a"}),
        ("arrows", [("e4", "3.5h")]),
        ("supply", 1),
        ("sight", "R1"),
    ],
)
def test_bad_options_are_named(option: str, value: Any) -> None:
    p = craft(tiles={"e4": "A3"})
    with pytest.raises(InvalidOption) as caught:
        p.svg(**{option: value})
    assert caught.value.where == option
    assert caught.value.problem
    assert caught.value.expected


def test_a_land_drawn_once_serves_only_its_like() -> None:
    p = Position.start("aquadukt2")
    looks: list[dict[str, Any]] = [{}, {"flip": True}, {"theme": "dark"}, {"coordinates": False}, {"panel": False}]
    drawn = [draw(p, **look) for look in looks]
    assert len(set(drawn)) == len(drawn)
    assert drawn == [draw(p, **look) for look in looks]
    assert draw(p, size=300).partition("<title>")[2] == drawn[0].partition("<title>")[2]


# Plain text


def test_a_small_diagram() -> None:
    p = craft(
        "aquadukt2-6x5",
        tiles={"a4": "A3", "c2": "B1"},
        mountains=("a5", "e4"),
        springs="2.2,6.2",
        canals="2.2:Ne;2.2:w;6.2:S",
        events="mf",
    )
    assert diagram(p).split("\n") == [
        "      a      b      c      d      e      f",
        "   ·      ·      ·      ·      ·      ·        5",
        " 5   1 ^m   1      2      2      3",
        "   ·      ·      ·      ·      ·      ·      · 4",
        " 4   1 A3   1      2   ~  3      3 ^f   3",
        "   ·      ·      ┌──────○      ·      ·      · 3",
        " 3   4   ~  4   ≈║ 2   ≈  2   ~  5      5",
        "   ·      ○──────◉      ·      ·      ·      ◉ 2",
        " 2   4      4   ~  6 B1   6      5   ~  5   ≈║",
        "   ·      ·      ·      ·      ·      ·      ○ 1",
        " 1          4      6      6      5",
        "          ·      ·      ·      ·      ·        0",
        "   0      1      2      3      4      5      6",
        "",
        "Player 1 (A) to move.",
        "Left: 6 canals, 0 springs",
        "> Player 1 (A): 0 points, holds 3x1 3x2 1x3 1x4",
        "  Player 2 (B): 0 points, holds 2x1 3x2 2x3 1x4",
    ]


@settings(max_examples=60)
@given(AQUADUKT)
def test_the_diagram_shows_every_piece_in_its_place(p: Position) -> None:
    lines = diagram(p).split("\n")
    rows = p.layout.rows

    def text(x: int, y: int, length: int) -> str:
        return f"{lines[1 + y]:<120}"[3 + x : 3 + x + length]

    for square, supply in p.supply.items():
        x, y = 7 * (ord(square[0]) - ord("a")) + 1, 2 * (rows - int(square[1:])) + 1
        stands = f"^{p.mountains[square]}" if square in p.mountains else p.tiles.get(square, "")
        assert text(x + 3, y, 3) == f"{stands:<2}{' ~≈'[min(supply, 2)]}"
        region = next(i for i, squares in enumerate(p.layout.regions, start=1) if square in squares)
        assert text(x, y, 2) == f"{region:>2}"
    for point in p.layout.point_index:
        x, y = map(int, point.split("."))
        shown = text(7 * x, 2 * (rows - y), 1)
        assert (shown == "◉") == (point in p.springs)
        assert (shown == "○") == (point in [arm.end for arm in p.arms])
        assert (shown == "·") == (point not in p.springs and all(point not in arm.points for arm in p.arms))
    for segment in p.layout.segment_index:
        x, y = map(int, segment[:-1].split("."))
        count = p.canals.get(segment, 0)
        if segment[-1] == "h":
            assert text(7 * x + 1, 2 * (rows - y), 6) == " ─═"[count] * 6
        else:
            assert text(7 * x, 2 * (rows - y) - 1, 1) == " │║"[count]
    assert max(map(len, lines)) < 100


def test_the_diagram_tells_the_turn_so_far() -> None:
    p = Position.start("aquadukt2").act("roll")
    assert "So far in this turn: roll" in diagram(p)
    idle = craft(idle=1)
    assert "Player 1 (A) to move (1 idle turn)." in diagram(idle)
