"""The picture and the plain-text diagram: everything in a position is shown once, where it is, and nothing leaks."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from typing import Any

import pytest
from crafted import craft
from hypothesis import given, settings
from hypothesis import strategies as st
from svg_checks import SVG, box, check_within, classed, marked, read, spot, texts

from aquakit.drawing.board_picture import CELL
from aquakit.errors import InvalidOption
from aquakit.romana import Layout, Position, Turn
from aquakit.romana.board.picture import diagram, draw
from aquakit.romana.board.scene import STAND, moved_builder
from aquakit.romana.board.watercourses import watercourses
from aquakit.romana.kernel import CODES, SEGMENTS

GLYPHS = {"|": "│", "-": "─", "L": "└", "J": "┘", "F": "┌", "7": "┐", "+": "┼", "Z": "\u2571", "N": "\u2572"}

BIG = """
name = "big"
title = "Wide & <high>"
columns = 26
rows = 12
players = ["RG", "Y", "B"]
reserve = "ccssbbddjj"
podiums = [1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 24]
stock = {c = 121, s = 121, b = 99, d = 999}
builders = {c = 12, s = 12, b = 12, d = 12, j = 3}
printed = {j7 = "+", k7 = "Z"}
reservoirs = [
  {colour = "R", squares = ["c8", "d8"], outlets = ["c8W", "c8S", "d8S", "c8N", "d8N", "d8E"]},
  {colour = "G", squares = ["k10", "k11"], outlets = ["k10W", "k10S", "k11E", "k11N"]},
  {colour = "Y", squares = ["z12", "y12"], outlets = ["y12S", "z12S"]},
  {colour = "B", squares = ["a1", "a2"], outlets = ["a2N", "a1E"]},
]
"""
TINY = """
name = "tiny"
title = "Tiny"
columns = 3
rows = 3
players = ["R", "Y", "G", "B"]
reserve = "j"
podiums = [2, 3, 24]
stock = {c = 4, s = 4, b = 0, d = 3}
builders = {c = 1, s = 1, b = 1, d = 1, j = 1}
reservoirs = [
  {colour = "R", squares = ["a3", "b3"], outlets = ["b3S"]},
  {colour = "Y", squares = ["c3", "c2"], outlets = ["c2W"]},
  {colour = "G", squares = ["c1", "b1"], outlets = ["b1N"]},
  {colour = "B", squares = ["a1", "a2"], outlets = ["a2E"]},
]
"""


def play_on(p: Position, seed: int, actions: int) -> Position:
    """Plays random actions and closes nothing if it need not, so that aqueducts grow."""
    chance = random.Random(seed)
    for _ in range(actions):
        if not p.is_over:
            p = p.act("x-" if p.phase == "close" else chance.choice(p.actions()))
    return p


@st.composite
def any_position(choose: st.DrawFn) -> Position:
    """Chooses a position of any layout, of the setup, inside a turn or at the end."""
    start = Position.start(choose(st.sampled_from(Layout.names())), setup=choose(st.booleans()))
    return play_on(start, choose(st.integers(0, 9999)), choose(st.integers(0, 130)))


# What is shown


@settings(max_examples=60)
@given(any_position())
def test_every_piece_is_drawn_once(p: Position) -> None:
    picture = read(p)
    assert set(marked(picture, "tile")) == {f"{square}={tile}" for square, tile in p.tiles.items()}
    assert set(marked(picture, "builder")) == set(p.builders)
    assert set(marked(picture, "workman")) == {a.name for a in p.aqueducts}
    assert set(marked(picture, "closed")) == {a.name for a in p.aqueducts if not a.open}
    assert set(marked(picture, "reservoir")) == set(p.layout.reservoirs)
    assert list(marked(picture, "podium")) == [str(i + 1) for i in range(len(p.layout.podiums))]
    assert set(marked(picture, "reserve")) == set(p.reserve)
    assert len(marked(picture, "player")) == len(p.layout.players)


@settings(max_examples=60)
@given(any_position())
def test_pieces_show_their_kind(p: Position) -> None:
    picture = read(p)
    for name, e in marked(picture, "builder").items():
        assert e.attrib["href"].endswith(f"-b{p.builders[name]}")
    for name, e in marked(picture, "tile").items():
        assert e.attrib["href"].endswith(f"-t{CODES.index(name[-1])}")
    for name, e in (marked(picture, "workman") | marked(picture, "closed")).items():
        assert texts(e) == [name]
        assert next(e.iter(f"{SVG}use")).attrib["href"][-1] == name[0]


@settings(max_examples=60)
@given(any_position())
def test_water_follows_the_aqueduct_to_its_end(p: Position) -> None:
    for course in watercourses(p):
        a, layout = course.aqueduct, p.layout
        assert tuple(square for square, _, _ in course.segments) == a.squares
        ahead = layout.neighbour(layout.square_index[a.end], course.exit)
        assert a.facing == (None if ahead is None else layout.square_names[ahead])


@settings(max_examples=60)
@given(any_position())
def test_water_ends_where_the_workman_or_the_lock_stands(p: Position) -> None:
    picture = read(p, panel=False)
    marks = marked(picture, "workman") | marked(picture, "closed")
    ends: dict[str, list[tuple[float, float]]] = {}
    for e in picture.iter(f"{SVG}path"):
        if "data-water" in e.attrib:
            ends.setdefault(e.attrib["data-water"], []).extend(stops(e.attrib["d"]))
    for name, mark in marks.items():
        nearest = min(math.dist(spot(mark), end) for end in ends[name])
        assert nearest == pytest.approx(CELL / 2 - STAND)


def stops(d: str) -> list[tuple[float, float]]:
    """Gets where a path's strokes end."""
    made, x, y = [], 0.0, 0.0
    for command, values in re.findall(r"([Mlhvc])([^Mlhvc]*)", d):
        numbers = [float(value) for value in re.findall(r"-?[\d.]+", values)]
        if command == "M":
            made.append((x, y))
            x, y = numbers
        else:
            x += 0 if command == "v" else numbers[-2] if command in "lc" else numbers[0]
            y += 0 if command == "h" else numbers[-1]
    return [*made[1:], (x, y)]


@settings(max_examples=60)
@given(any_position())
def test_workmen_and_locks_do_not_cover_each_other(p: Position) -> None:
    picture = read(p, panel=False)
    spots = [spot(e) for e in (marked(picture, "workman") | marked(picture, "closed")).values()]
    assert all(math.dist(a, b) > 22 for i, a in enumerate(spots) for b in spots[:i])


def test_water_under_a_bridge_is_drawn_before_the_bridge() -> None:
    p = craft(tiles={"b8": "+"})
    order = [e.attrib for e in read(p).iter()]
    under = next(i for i, e in enumerate(order) if e.get("data-water") == "R1")
    deck = next(i for i, e in enumerate(order) if e.get("href", "").endswith("-deck"))
    tile = next(i for i, e in enumerate(order) if e.get("data-tile") == "b8=+")
    assert tile < under < deck


def test_water_over_a_bridge_is_drawn_after_the_bridge() -> None:
    p = craft(tiles={"c7": "+"})
    order = [e.attrib for e in read(p).iter()]
    over = next(i for i, e in enumerate(order) if e.get("data-water") == "R2")
    deck = next(i for i, e in enumerate(order) if e.get("href", "").endswith("-deck"))
    assert deck < over


def test_the_panel_shows_stock_held_builders_scores_and_who_moves() -> None:
    p = craft(held={2: "bj"}, reserve="csd", stock="20.3.21.0", closed={"R1": 7, "G2": 0}, player="2")
    picture = read(p)
    cards = marked(picture, "player")
    assert list(marked(cards["2"], "held")) == ["2b", "2j"]
    assert not marked(cards["1"], "held")
    assert [player for player, card in cards.items() if classed(card, "due")] == ["2"]
    for player, (total, points) in enumerate(zip(p.scores(), (7, 0, 0, 0), strict=True), start=1):
        assert str(points) in texts(cards[str(player)])
        assert (f"bonus {total - points}" in texts(cards[str(player)])) == (total > points)
    stock = texts(picture)
    assert stock[stock.index("Stock") + 1 :][:4] == ["20", "3", "21", "0"]
    assert "Player 2 (Yellow) to place a held builder" in stock
    assert texts(marked(picture, "podium")["7"])[0] == "7"
    assert set(marked(marked(picture, "podium")["7"], "workman")) == {"R1"}


def test_the_setup_shows_what_is_still_to_be_placed() -> None:
    p = Position.start("romana4", setup=True).act("+cNe").act("+cNf").act("+cNg")
    assert set(marked(read(p), "spare")) == {"s", "b", "d"}
    assert not marked(read(Position.start("romana4")), "spare")


def test_without_panel_or_coordinates_the_picture_is_smaller() -> None:
    p = Position.start("romana4")
    whole, bare = read(p), read(p, panel=False, coordinates=False)
    assert "Na" in texts(whole)
    assert sorted(texts(bare)) == sorted([*"RYGB", *(a.name for a in p.aqueducts), *"csbdj"])
    assert not marked(bare, "podium")
    assert box(bare)[0] < box(whole)[0]
    assert box(bare)[1] < box(whole)[1]


@pytest.mark.parametrize("layout", [*(Layout.load(name) for name in Layout.names()), BIG, TINY])
@pytest.mark.parametrize("actions", [0, 25, 400])
@pytest.mark.parametrize("flip", [False, True])
def test_everything_lies_within_the_picture(layout: Layout | str, actions: int, flip: bool) -> None:
    board = Layout.loads(layout) if isinstance(layout, str) else layout
    check_within(read(play_on(Position.start(board), 3, actions), flip=flip))


def test_a_layout_title_is_only_text() -> None:
    picture = read(Position.start(Layout.loads(BIG)))
    assert "Wide & <high>" in (picture.findtext(f"{SVG}title") or "")
    assert not list(picture.iter(f"{SVG}high"))


# Flipped


@pytest.mark.parametrize("layout", ["romana4", "romana3", "romana2-5x4"])
def test_flipped_everything_is_on_the_other_side(layout: str) -> None:
    p = play_on(Position.start(layout), 5, 60)
    options: dict[str, Any] = {"panel": False, "highlights": ["a1"]}
    here, there = read(p, **options), read(p, flip=True, **options)
    assert sorted(texts(here)) == sorted(texts(there))
    assert Counter(e.tag for e in here.iter()) == Counter(e.tag for e in there.iter())
    width, height = box(here)
    for kind in ("tile", "builder", "workman", "closed"):
        a, b = marked(here, kind), marked(there, kind)
        assert a.keys() == b.keys()
        for name in a:
            (x, y), (u, v) = spot(a[name]), spot(b[name])
            assert (x + u, y + v) == (pytest.approx(width), pytest.approx(height))


def test_flipped_tiles_are_turned() -> None:
    p = craft(tiles=dict(zip(("e5", "e3", "g5", "g3", "e7", "g7", "i5", "i3", "c5"), "|-LJF7+ZN", strict=True)))
    for name, e in marked(read(p, flip=True), "tile").items():
        turned = {frozenset((side + 2) % 4 for side in pair) for pair in SEGMENTS[CODES.index(name[-1])]}
        shown = {frozenset(pair) for pair in SEGMENTS[int(e.attrib["href"].rpartition("t")[2])]}
        assert shown == turned


# Marks


def test_path_squares_can_be_marked() -> None:
    picture = read(Position.start("romana4"), highlights={"e5": "+3", "Nd": "", "E8": "best"}, arrows=[("Nd", "d5")])
    assert set(marked(picture, "highlight")) == {"e5", "Nd", "E8"}
    assert {"+3", "best"} <= set(texts(picture))
    assert len(classed(picture, "arrow")) == 1


def test_sight_lines_ring_the_builders_seen() -> None:
    p = craft(builders={"Nc": "c", "W8": "j", "Sc": "d", "Na": "b"}, reserve="csbd")
    picture = read(p, sight="R1")
    lines = marked(picture, "sight")["R1"]
    rings = [e for e in lines if e.tag == f"{SVG}circle"]
    seen = marked(picture, "builder")
    wanted = {spot(seen[name]) for name in ("Nc", "W8", "Sc")}
    assert {(float(e.attrib["cx"]), float(e.attrib["cy"])) for e in rings} == wanted
    assert all(e.attrib["d"].count("M") == 4 for e in lines if e.tag == f"{SVG}path")
    assert set(marked(read(p, sight=["R1", "B2"]), "sight")) == {"R1", "B2"}


def test_the_last_turn_outlines_tiles_and_builder() -> None:
    before = Position.start("romana4")
    p = before.play("c7=L@Nc x-")
    (outline,) = classed(read(p, last="c7=L@Nc x-"), "trace")
    assert outline.attrib["d"].count("M") == 2
    assert outline.attrib["d"] == classed(read(p, last=Turn.parse("c7=L@Nc"), before=before), "trace")[0].attrib["d"]
    assert not classed(read(p), "trace")


@settings(max_examples=40)
@given(any_position())
def test_the_builder_of_the_last_turn_is_found_or_left_open(before: Position) -> None:
    turn = next(before.turns(), None) if before.phase != "setup" and not before.played else None
    if turn is None:
        return
    p = before.play(turn)
    used = [action for action in turn if action.what in ("build", "advance")]
    placed = {action.path for action in turn if action.what == "place"}
    (found,) = moved_builder(p, turn, before)
    assert found in p.builders
    assert found == used[0].path or found not in before.builders | dict.fromkeys(placed)
    assert moved_builder(p, turn, None) in ([], [found])


def test_a_builder_placed_in_the_turn_is_not_taken_for_the_one_used() -> None:
    turn = Turn.parse("+cNe c7=L@Nc x-")
    p = craft(held={1: "c"}, reserve="sbdj", builders={"Nc": "c"}).play(turn)
    assert moved_builder(p, turn, None) == ["Nd"]
    (outline,) = classed(read(p, last=turn), "trace")
    assert outline.attrib["d"].count("M") == 3


# Bad options


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("last", "c7=L@Nc"),
        ("last", "@Nz"),
        ("before", "romana4"),
        ("before", Position.start("romana2")),
        ("highlights", ["l1"]),
        ("sight", "R4"),
        ("sight", "G1"),
        ("sight", ["R1", "x"]),
        ("sight", [1]),
        ("sight", 1),
        ("arrows", [("a1", "b9")]),
    ],
)
def test_bad_options_are_named(option: str, value: Any) -> None:
    p = craft(closed={"G1": 3})
    with pytest.raises(InvalidOption) as caught:
        draw(p, **{option: value})
    assert caught.value.where == option
    assert caught.value.problem
    assert caught.value.expected


# Plain text


def test_a_small_diagram() -> None:
    p = craft(
        "romana2-5x4",
        tiles={"b3": "+", "c3": "Z", "d4": "7", "d3": "N", "c2": "|", "b1": "-"},
        builders={"Nb": "c", "E2": "d", "Sa": "s", "W4": "b"},
        closed={"R2": 3},
        reserve="j",
    )
    assert diagram(p).split("\n")[:15] == [
        "         a   b   c   d   e",
        "         ·   c   ·   ·   ·",
        "     ┌───────────────────────┐",
        "     │                       │",
        " 4 b │   ┌─  R═══R───┐  ─┐   │ · 4",
        "     │   ╵   │   ╷   │   ╵   │",
        " 3 · │   ·  ─┼───\u2571───\u2572─r2·   │ · 3",
        "     │       R1  │   ╵       │",
        " 2 · │   ·   ·   │   ·   ·   │ d 2",
        "     │   G2      ╵   G1  ╷   │",
        " 1 · │   └───────G═══G  ─┘   │ · 1",
        "     │                       │",
        "     └───────────────────────┘",
        "         s   ·   ·   ·   ·",
        "         a   b   c   d   e",
    ]


@settings(max_examples=60)
@given(any_position())
def test_the_diagram_shows_every_piece_in_its_place(p: Position) -> None:
    lines = diagram(p).split("\n")
    columns, rows = p.layout.columns, p.layout.rows

    def at(square: str) -> str:
        return lines[2 + 2 * (rows - int(square[1:])) + 2][9 + 4 * (ord(square[0]) - ord("a"))]

    for square in p.layout.square_names:
        reservoir = [c for c, pair in p.layout.reservoirs.items() if p.layout.square_index[square] in pair]
        assert at(square) == (GLYPHS[p.tiles[square]] if square in p.tiles else reservoir[0] if reservoir else "·")
    for name in p.layout.path_names:
        if name[0] in "NS":
            line = lines[1 if name[0] == "N" else 2 * rows + 5]
            shown = line[9 + 4 * (ord(name[1]) - ord("a"))]
        else:
            shown = lines[4 + 2 * (rows - int(name[1:]))][3 if name[0] == "W" else 4 * columns + 11]
        assert shown == p.builders.get(name, "·")
    board = "\n".join(lines[: 2 * rows + 7])
    for a in p.aqueducts:
        assert (a.name if a.open else a.name.lower()) in board
    assert max(map(len, lines)) < 100


def test_the_diagram_tells_the_rest() -> None:
    p = craft(held={2: "bj"}, reserve="csd", stock="20.3.21.0", closed={"R1": 7, "G2": 0, "B1": 7}, player="2")
    text = diagram(p)
    for line in (
        "Player 2 (Yellow) to place a held builder.",
        "Stock: c 20, s 3, b 21, d 0",
        "Reserve: c s d",
        "> Player 2 (Yellow): 0 points, holds b j",
        "  Player 3 (Green): 0 points, holds -",
        "Podiums: 0 G2, 7 R1 B1",
    ):
        assert line in text.split("\n")
    assert "To place: c c c s s s b b b d d d" in diagram(Position.start("romana4", setup=True))
    assert "So far in this turn: c7=L@Nc" in diagram(Position.start("romana4").act("c7=L@Nc"))
    assert "the game is over." in diagram(play_on(Position.start("romana2-5x4"), 1, 999)).lower()
    assert "to build, alone." in diagram(Position.start("romana4").solo(3))


def test_the_end_shows_who_won_and_what_the_points_are_made_of() -> None:
    p = craft("romana2-5x4", builders={"Na": "c"}, idle=1)
    ended = next(after for turn in p.turns() if (after := p.play(turn)).is_over)
    picture = read(ended)
    won = [player for player, card in marked(picture, "player").items() if classed(card, "due")]
    assert won == [str(player) for player in ended.winners()]
    assert "nobody could lay a tile" in texts(picture)  # [R10]
    assert sum(text.startswith("podiums ") for text in texts(picture)) == len(ended.layout.players)


def test_points_of_podiums_and_bonus_stand_apart() -> None:
    """The printed example: 17, 5, 0 with the bonus of the highest podium, 4, are 26 points [R11]."""
    podiums = {"B1": 17, "B2": 5, "B3": 0, "G1": 14, "G2": 4, "G3": 1, "Y1": 12, "Y2": 6, "Y3": 3, "R1": 11, "R2": 7}
    ended = craft(closed=podiums | {"R3": 2}, player="-", idle=4)
    assert "podiums 22, bonus 4" in texts(read(ended))
    assert ended.scores() == (20, 23, 22, 26)
