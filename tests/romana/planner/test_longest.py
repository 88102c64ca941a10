"""The longest aqueduct: equal to exhaustive search on small boards, honest about what is proved, and easy to show."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from xml.etree import ElementTree

import pytest

from aquakit import aquadukt
from aquakit.errors import IllegalTurn, InvalidOption, InvalidPosition, ProofFailure
from aquakit.romana import Layout, Position, kernel
from aquakit.romana.notation import Turn
from aquakit.romana.planner.longest import longest as module
from aquakit.romana.planner.longest.longest import best_podiums, lay_out, longest, simplify
from aquakit.romana.puzzles.longest import lay
from aquakit.romana.puzzles.ways import WaySearch, write_tiles
from tests.romana.planner.longest_cases import STRIP, make_layout, strip

# An exhaustive search that shares nothing with the kit but the position's fields.

JOINS = {
    "|": ("NS",), "-": ("EW",), "L": ("NE",), "J": ("NW",), "F": ("SE",), "7": ("SW",),
    "+": ("NS", "EW"), "Z": ("NW", "SE"), "N": ("NE", "SW"),
}  # fmt: skip
KIND = {"|": "s", "-": "s", "L": "c", "J": "c", "F": "c", "7": "c", "+": "b", "Z": "d", "N": "d"}
STEP = {"N": (0, 1, "S"), "E": (1, 0, "W"), "S": (0, -1, "N"), "W": (-1, 0, "E")}
Square = tuple[int, int]


def square(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


class Sheet:
    """A small board to try tiles on."""

    def __init__(self, position: Position) -> None:
        layout = position.layout
        self.size = layout.columns, layout.rows
        self.board = {square(name): tile for name, tile in position.tiles.items()}
        self.stock = dict(position.stock)
        names = layout.square_names
        self.outlets = {o.name: (square(names[o.square]), "NESW"[o.side]) for o in layout.outlets}
        self.walls = {square(names[q]) for pair in layout.reservoirs.values() for q in pair}
        squares = set(product(range(layout.columns), range(layout.rows)))
        self.empty = sorted(squares - self.walls - self.board.keys())

    def follow(self, name: str) -> tuple[int, Square, str]:
        """Follows an aqueduct: its length, the square that it faces and the side of entry there."""
        (x, y), side = self.outlets[name]
        length = 0
        while True:
            dx, dy, entry = STEP[side]
            x, y = x + dx, y + dy
            for pair in JOINS.get(self.board.get((x, y), "."), ()):
                if entry in pair:
                    side = pair.replace(entry, "")
                    length += 1
                    break
            else:
                return length, (x, y), entry

    def is_joined(self) -> bool:
        """Checks whether some path from an outlet ends at another outlet [R3]."""
        return any(self.follow(name)[1:] in self.outlets.values() for name in self.outlets)

    def tries(self, at: Square, side: str = "") -> Iterator[str]:
        """Lays every tile that may lie on a square, with a port at a side, and takes it up again."""
        for tile, kind in KIND.items():
            if self.stock[kind] and side in "".join(JOINS[tile]):
                self.board[at] = tile
                self.stock[kind] -= 1
                if not self.is_joined():
                    yield tile
                del self.board[at]
                self.stock[kind] += 1


def search_growth(sheet: Sheet, names: list[str], seen: set[tuple[tuple[Square, str], ...]]) -> Iterator[list[int]]:
    """Lists the lengths on every board that extensions can make, whatever the builders."""
    key = tuple(sorted(sheet.board.items()))
    if key in seen:
        return
    seen.add(key)
    ends = [sheet.follow(name) for name in names]
    yield [length for length, _, _ in ends]
    for _, at, entry in ends:
        if at in sheet.empty and at not in sheet.board:
            for _ in sheet.tries(at, entry):
                yield from search_growth(sheet, names, seen)


def search_boards(sheet: Sheet, names: list[str], squares: list[Square]) -> Iterator[list[int]]:
    """Lists the lengths on every board that the stock can make, however it comes about."""
    if not squares:
        yield [sheet.follow(name)[0] for name in names]
        return
    yield from search_boards(sheet, names, squares[1:])
    for _ in sheet.tries(squares[0]):
        yield from search_boards(sheet, names, squares[1:])


def podium_sum(lengths: list[int], room: dict[int, int]) -> int:
    total, room = 0, dict(room)
    for length in lengths:
        podium = next((value for value in range(min(length, max(room)), 0, -1) if room[value]), 0)
        total += podium
        if podium:
            room[podium] -= 1
    return total


def room_of(position: Position) -> dict[int, int]:
    taken = [a.podium for a in position.aqueducts]
    return {value: places - taken.count(value) for value, places in enumerate(position.layout.podiums, start=1)}


# Random small boards


@cache
def trial_layout(seed: int) -> Layout:
    """Makes a board from 3 by 3 to 5 by 5 with one or two reservoirs and up to six outlets."""
    r = random.Random(seed)
    columns, rows = r.randint(3, 5), r.randint(3, 5)
    west = r.randint(0, columns - 2)
    pairs = {"R": (f"{'abcde'[west]}{rows}", f"{'abcde'[west + 1]}{rows}")}
    ways = {"R": [pairs["R"][0] + "S", pairs["R"][1] + "S", pairs["R"][0] + "W", pairs["R"][1] + "E"]}
    if r.random() < 0.7:
        west = r.randint(0, columns - 2)
        pairs["G"] = f"{'abcde'[west]}1", f"{'abcde'[west + 1]}1"
        ways["G"] = [pairs["G"][0] + "N", pairs["G"][1] + "N", pairs["G"][0] + "W", pairs["G"][1] + "E"]
    made = {}
    for colour, pair in pairs.items():
        inside = [way for way in ways[colour] if way[0] + way[2] not in ("aW", f"{'abcde'[columns - 1]}E")]
        made[colour] = pair, r.sample(inside, r.randint(1, min(3, len(inside))))
    players = list(pairs) if r.random() < 0.7 else ["".join(pairs)]
    return make_layout("trial", (columns, rows), players, made, podiums=(1, 1, 2, 1, 1, 1, 2, 1, 1, 1), stock=30)


def trial(seed: int, empty: int) -> Position:
    """Makes a small board with so many empty squares, on which some open aqueduct has room to grow."""
    tries = (fill(trial_layout(seed), empty, random.Random(1000 * seed + again)) for again in range(100))
    return next(position for position in tries if has_room(position))


def has_room(position: Position) -> bool:
    """Checks whether an open aqueduct of player 1 faces an empty square that has an empty neighbour."""
    empty = Sheet(position).empty
    for name in open_names(position, 1):
        _, (x, y), _ = Sheet(position).follow(name)
        if (x, y) in empty and any((x + dx, y + dy) in empty for dx, dy, _ in STEP.values()):
            return True
    return False


def fill(layout: Layout, empty: int, r: random.Random) -> Position:
    """Fills a board at random until so many squares are empty; some aqueducts are closed, stock may be short."""
    t, s = layout.tables, Position.start(layout).state
    squares = [q for q in range(t.squares) if s.tile[q] == kernel.EMPTY]
    r.shuffle(squares)
    for q in squares[empty:]:
        fitting = [code for code in range(1, 10) if kernel.fits(t, s, q, code)]
        if fitting:
            kernel.lay(t, s, q, r.choice(fitting))
    kernel.survey(t, s)
    s.stock[:] = [r.choice((0, 1, 2, 3, 9)) for _ in range(4)]
    fields = str(Position(layout, s)).split(" ")
    marks = [mark.split(".") for mark in fields[5].split(",")]
    if sum(map(len, marks)) > 2:
        marks[-1][-1] = "0"
    fields[5] = ",".join(".".join(row) for row in marks)
    return Position.parse(" ".join(fields), layout)


def open_names(position: Position, player: int | None = None) -> list[str]:
    return [a.name for a in position.aqueducts if a.open and player in (None, a.owner)]


def check_honest(found: module.Longest) -> None:
    """Checks a result against the position that it leaves, read anew."""
    assert found.proved == (found.value == found.bound)
    after = Position.parse(str(found.after), found.position.layout)
    assert after == found.after
    fresh = {name: tile for name, tile in after.tiles.items() if name not in found.position.tiles}
    assert fresh == dict(token.split("=") for token in found.tiles)
    used = [KIND[tile] for tile in fresh.values()]
    assert after.stock == {kind: left - used.count(kind) for kind, left in found.position.stock.items()}
    lengths = {a.name: (a.length, a.squares) for a in after.aqueducts}
    assert {g.name: (g.length, g.squares) for g in found.aqueducts} == {n: lengths[n] for n in found.paths}


# The same as exhaustive search


@cache
def search_length(seed: int) -> tuple[Position, str, int]:
    """Searches a small board for the greatest length of an aqueduct with room to grow."""
    position = trial(seed, empty=7 if seed % 10 == 5 else 6)
    names = open_names(position)
    name = max(names, key=lambda name: (position.graph().reach(name).gain, name))
    return position, name, max(lengths[0] for lengths in search_growth(Sheet(position), [name], set()))


@pytest.mark.parametrize("seed", range(110))
def test_the_length_is_that_of_exhaustive_search(seed: int) -> None:
    position, name, best = search_length(seed)
    found = longest(position, aqueduct=name)
    assert (found.length, found.proved, found.points) == (best, True, None)
    check_honest(found)


@pytest.mark.parametrize("seed", range(110))
def test_of_all_ways_one_is_as_long_and_a_longer_one_is_refused_by_the_rules(seed: int) -> None:
    position, name, best = search_length(seed)
    longer = WaySearch(position, name, best, seconds=600).run()
    if longer is not None:
        with pytest.raises(IllegalTurn, match="would join two aqueducts"):
            lay(position, name, Turn.parse(write_tiles(position, longer)))
    way = WaySearch(position, name, best - 1, seconds=600).run()
    now = Sheet(position).follow(name)[0]
    assert way is not None or now == best


@pytest.mark.parametrize("seed", range(60))
def test_the_points_are_those_of_exhaustive_search(seed: int) -> None:
    position = trial(seed, empty=5)
    player = 1 + seed % len(position.layout.players)
    player = player if open_names(position, player) else 1
    room = room_of(position)
    boards = search_growth(Sheet(position), open_names(position, player), set())
    found = longest(position, player=player)
    assert (found.points, found.proved, found.length) == (max(podium_sum(b, room) for b in boards), True, None)
    assert found.points == sum(g.podium for g in found.aqueducts)
    check_honest(found)


@pytest.mark.parametrize("seed", range(12))
def test_tiles_beside_the_aqueducts_never_help(seed: int) -> None:
    position = trial(seed, empty=3)
    names = open_names(position, 1)
    sheet = Sheet(position)
    boards = list(search_boards(sheet, names, sheet.empty))
    room = room_of(position)
    assert longest(position, player=1).points == max(podium_sum(lengths, room) for lengths in boards)
    for number, name in enumerate(names):
        assert longest(position, aqueduct=name).length == max(lengths[number] for lengths in boards)


# Single boards by hand


def test_no_tile_joins_another_aqueduct_open_or_closed():
    # From b2 the water could go straight on to G1's outlet [R3]; it has to end at a wall.
    for marks in ("*,*", "*,0"):
        found = longest(strip("#L-J#/#..|#/F---J", marks=marks), aqueduct="R1")
        assert found.after.aqueducts[1].length == 0
        assert found.paths["R1"] == ("b2", "c2")


def test_a_spare_segment_joins_nobody_either():
    # Only bridges are left: on c2 one would lead R1 on to G1's end by d2, where G1 has come; on b2 it leads on to c2.
    assert longest(strip("#|||#/#..-#/F-|-J", stock="0.0.9.0"), aqueduct="R1").tiles == ("b2=+",)
    assert longest(strip("#|||#/#..-#/F-|-J", stock="7.0.0.0"), aqueduct="R1").length == 2


def test_loose_segments_count_when_they_are_reached():
    found = longest(strip("#F7|#/#.||#/F-J|J"), aqueduct="R1")
    assert found.tiles == ("b2=J",)
    assert found.paths["R1"] == ("b2", "b3", "c3", "c2", "c1", "b1", "a1")


def test_an_aqueduct_that_cannot_grow_needs_no_search():
    found = longest(strip("#|||#/#|||#/F---J"), aqueduct="R1")
    assert (found.length, found.bound, found.proved, found.tiles) == (0, 0, True, ())
    assert str(found).endswith("0 tiles: none")


def test_points_take_the_next_lower_podium_with_room():
    assert best_podiums([5, 5, 5, 1], {1: 1, 2: 0, 3: 2, 4: 0, 5: 1}) == 5 + 3 + 3 + 1
    assert best_podiums([2, 2], {1: 0, 2: 1}) == 2


def test_the_player_to_move_is_asked_about_if_nothing_is_said():
    position = Position.start("romana2-5x4")
    found = longest(position)
    assert (found.player, found.aqueduct, found.proved) == (1, None, True)
    assert [g.name for g in found.aqueducts] == ["R1", "R2"]
    assert found.points == longest(position, player=1).points


def test_a_moment_inside_a_turn_is_taken_as_it_is():
    moment = Position.start("romana2-5x4").act(Position.start("romana2-5x4").actions()[0])
    assert moment.played
    found = longest(moment, player=2)
    assert moment.tiles.items() <= found.after.tiles.items()
    assert not found.after.played
    check_honest(found)


def test_the_setup_is_no_hindrance():
    found = longest(Position.start("romana2-5x4", setup=True), aqueduct="G1")
    assert found.proved
    assert found.after.phase == "setup"


# Honest about time


def test_too_little_time_gives_the_best_so_far_and_a_bound():
    position = Position.start("romana4")
    heard = []
    found = longest(position, aqueduct="R2", seconds=1.5, on_progress=heard.append)
    assert not found.proved
    assert 0 <= found.length < found.bound <= 2 * 76 + 4
    assert f"at most {found.bound}" in str(found)
    check_honest(found)
    for progress in heard:
        assert progress.bound >= found.length


def test_no_time_at_all_gives_the_board_as_it_is():
    found = longest(Position.start("romana4"), player=2, seconds=1e-9)
    assert (found.points, found.tiles, found.proved) == (0, (), False)
    assert found.bound == 20 + 19 + 18


def test_a_claim_that_the_rules_do_not_bear_out_is_never_shown(monkeypatch):
    read = module.read_tiles
    monkeypatch.setattr(module, "read_tiles", lambda *given: dict(list(read(*given).items())[1:]))
    with pytest.raises(ProofFailure, match=r"cpsat finds tiles for 17, .* but by the rules they are worth"):
        longest(Position.start("romana2-5x4"), aqueduct="R1")


def test_a_length_above_the_bound_is_never_shown(monkeypatch):
    monkeypatch.setattr(module._LongestSolver, "_simple_bound", lambda self: 5)
    with pytest.raises(ProofFailure, match="none are worth more than 5, but by the rules they are worth 17"):
        longest(Position.start("romana2-5x4"), aqueduct="R1")


def test_laying_out_refuses_joined_outlets_and_tiles_that_are_gone():
    position = strip("#L-J#/#...#/F---J", stock="0.2.9.9")
    index = STRIP.square_index
    straight = {index[name]: kernel.CODES.index("-") for name in ("b2", "c2", "d2")}
    with pytest.raises(RuntimeError, match="R3"):
        lay_out(STRIP, position.state, straight, (0,))
    with pytest.raises(RuntimeError, match="no tile is left"):
        lay_out(STRIP, position.state, {index["b2"]: kernel.CODES.index("J")}, (0,))


def test_a_two_segment_tile_is_laid_only_where_it_is_needed():
    position = strip("#L-J#/#...#/F---J", stock="1.5.9.9")
    index, plan = STRIP.square_index, {"b2": "+", "c2": "Z"}
    tiles = {index[name]: kernel.CODES.index(tile) for name, tile in plan.items()}
    state, laid = lay_out(STRIP, position.state, tiles, (0,))
    assert laid == ("b2=+", "c2=Z")
    assert lay_out(STRIP, position.state, simplify(STRIP, state, tiles, (0,)), (0,))[1] == ("b2=-", "c2=J")


# Wrong questions


@pytest.mark.parametrize(
    ("options", "where", "expected"),
    [
        ({"aqueduct": "R9"}, "aqueduct", "one of R1, R2, G1"),
        ({"aqueduct": 3}, "aqueduct", "one of R1"),
        ({"aqueduct": "G2"}, "aqueduct", "an open one: R1, R2, G1"),
        ({"aqueduct": "R1", "player": 1}, "player", "one of them"),
        ({"player": 3}, "player", "from 1 to 2"),
        ({"player": True}, "player", "from 1 to 2"),
        ({"seconds": 0}, "seconds", "greater than 0"),
        ({"seconds": float("nan")}, "seconds", "greater than 0"),
        ({"seconds": "long"}, "seconds", "greater than 0"),
        ({"on_progress": 1}, "on_progress", "a function"),
    ],
)
def test_a_wrong_option_is_named(options, where, expected):
    text = str(Position.start("romana2-5x4")).replace("*.*,*.*", "*.*,*.3")
    with pytest.raises(InvalidOption) as caught:
        longest(Position.parse(text), **options)
    assert caught.value.where == where
    assert expected in caught.value.expected


def test_a_player_without_open_aqueducts_has_nothing_to_ask():
    text = str(Position.start("romana2-5x4")).replace("*.*,*.*", "*.*,1.3")
    with pytest.raises(InvalidOption, match="2 has no open aqueduct; expected one of 1"):
        longest(Position.parse(text), player=2)


@pytest.mark.parametrize(
    "position",
    [Position.start("romana2-5x4").stopped(1), aquadukt.Position.start(aquadukt.Layout.names()[0], seed=1), "romana4"],
    ids=["finished", "another game", "text"],
)
def test_only_positions_of_a_game_that_goes_on_can_be_asked_about(position):
    with pytest.raises(InvalidPosition) as caught:
        longest(position, player=1)
    assert caught.value.where == "position"


# Showing


def marks(svg: str) -> dict[str, str]:
    """Gets the marked squares of a picture with their labels."""
    drawn = ElementTree.fromstring(svg)
    squares = [name for node in drawn.iter() if (name := node.get("data-highlight"))]
    labels = [node.text or "" for node in drawn.iter() if "said" in (node.get("class") or "")]
    return dict(zip(squares, labels or [""] * len(squares), strict=True))


def test_the_tiles_are_drawn_and_numbered():
    found = longest(strip("#|||#/#...#/F---J"), aqueduct="R1")
    assert found.tiles
    assert list(marks(found.svg())) == [token.partition("=")[0] for token in found.tiles]
    assert marks(found.svg(highlights=())) == {}
    assert found._repr_html_().startswith("<p>R1: length ")
    assert "<svg" in longest(strip("#|||#/#|||#/F---J"), aqueduct="R1").svg()


def test_of_many_tiles_every_fifth_is_numbered():
    tiles = tuple(str(Turn.parse("b7=F b6=L c6=7 c5=L d5=7 d4=L e4=7 e3=L f3=7 f2=L g2=7 g3=| g4=| g5=|")).split(" "))
    position = Position.start("romana4")
    fields = str(position).split(" ")
    fields[1] = "F.##...##.7/.F........./.L7......../..L7..|..../...L7.|..../....L7|..../.....L7..../L.##...##.J"
    fields[6] = "10.18.21.21"
    after = Position.parse(" ".join(fields))
    found = module.Longest(position, 1, "R1", 14, 14, tiles, (), after, 0.1)
    assert marks(found.svg()) == {"b7": "1", "d5": "5", "f2": "10", "g5": "14"}


def test_everything_can_be_read_as_text_table_and_data():
    found = longest(Position.start("romana2-5x4"), player=1)
    assert str(found).splitlines()[0].startswith(f"Red: {found.points} podium points (proved, ")
    assert repr(found).startswith("<Longest: Red: ")
    frame = found.frame()
    assert list(frame.columns) == ["name", "now", "length", "squares", "podium"]
    assert frame["podium"].sum() == found.points
    told = json.loads(json.dumps(found.json()))
    assert told["value"] == found.points
    assert told["aqueducts"][0]["squares"] == list(found.paths["R1"])
    assert Position.parse(told["after"]) == found.after
