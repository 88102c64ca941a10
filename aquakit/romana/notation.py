"""Texts of Aqua Romana: positions, actions and turns, as section 9 of the rules page lays them down."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from aquakit.core.notation import load_layout, read_number, split_fields, split_list
from aquakit.core.position import BaseTurn
from aquakit.errors import InvalidPosition, InvalidTurn, shorten
from aquakit.romana import kernel
from aquakit.romana.kernel import (
    ADVANCE,
    BUILD,
    CODES,
    EMPTY,
    KIND_OF,
    KINDS,
    LAY,
    NONE,
    NOTHING,
    OPEN,
    OVER,
    PUT,
    SETUP,
    SHUT,
    TAKE,
    State,
    X,
    Y,
    Z,
)  # fmt: skip
from aquakit.romana.layout import Layout

FIELDS = ("layout", "board", "path", "reserve", "held", "aqueducts", "stock", "player", "idle")


class Action(NamedTuple):
    """One decision, in names; `str(action)` is its token.

    >>> str(Action("build", square="e5", tile="F", path="Nd"))
    'e5=F@Nd'
    """

    what: str
    """place, build, advance, extra, close or pick"""
    square: str = ""
    tile: str = ""
    path: str = ""
    """The path square that a builder stands on or is put on."""
    builder: str = ""
    aqueduct: str = ""
    """The aqueduct to close, or - for none."""

    def __str__(self) -> str:
        match self.what:
            case "place":
                return f"+{self.builder}{self.path}"
            case "build":
                return f"{self.square}={self.tile}@{self.path}"
            case "advance":
                return f"@{self.path}"
            case "extra":
                return f"{self.square}={self.tile}"
            case "close":
                return f"x{self.aqueduct}"
            case _:
                return f"*{self.builder}"


_PATH = r"(?P<path>[NS][a-z]|[EW][1-9][0-9]?)"
_TILE = r"(?P<square>[a-z][1-9][0-9]?)=(?P<tile>[-|LJF7+ZN])"
_TOKENS = {
    "place": re.compile(rf"\+(?P<builder>[csbdj]){_PATH}"),
    "build": re.compile(rf"{_TILE}@{_PATH}"),
    "advance": re.compile(f"@{_PATH}"),
    "extra": re.compile(_TILE),
    "close": re.compile(r"x(?P<aqueduct>[RYGB][1-9]|-)"),
    "pick": re.compile(r"\*(?P<builder>[csbdj])"),
}


def read_action(token: str) -> Action:
    """Reads a token, legal or not."""
    for what, pattern in _TOKENS.items():
        if match := pattern.fullmatch(token):
            return Action(what, **match.groupdict())
    expected = "a token like +cNe, e5=F@Nd, @Nd, g3=L, xR2, x- or *b"
    raise InvalidTurn(shorten(token), "cannot be read", expected)


class Turn(BaseTurn[Action]):
    """A turn's actions in order; `str(turn)` is its tokens.

    >>> Turn.parse("+jE4 c7=|@Nc xR2 *b")[2].aqueduct
    'R2'
    """

    __slots__ = ()

    @classmethod
    def read_action(cls, token: str) -> Action:
        """Reads one token, legal or not."""
        return read_action(token)


def encode(layout: Layout, action: Action) -> int:
    """Turns an action into the kernel's number; a name that the board does not have is an error."""

    def number(name: str, names: dict[str, int], kind: str) -> int:
        if name not in names:
            first, *_, last = names
            raise InvalidTurn(str(action), f"there is no {kind} {name} on {layout.name}", f"{first} … {last}")
        return names[name]

    square = number(action.square, layout.square_index, "square") if action.square else 0
    path = number(action.path, layout.path_index, "path square") if action.path else 0
    tile = CODES.index(action.tile) if action.tile else 0
    builder = KINDS.index(action.builder) if action.builder else 0
    match action.what:
        case "place":
            return PUT | builder << Y | path << Z
        case "build":
            return BUILD | square << X | tile << Y | path << Z
        case "advance":
            return ADVANCE | path << Z
        case "extra":
            return LAY | square << X | tile << Y
        case "close":
            none = action.aqueduct == "-"
            return SHUT | (NOTHING if none else number(action.aqueduct, layout.aqueduct_index, "aqueduct")) << X
        case _:
            return TAKE | builder << Y


def decode(layout: Layout, code: int) -> Action:
    """Turns the kernel's number into an action."""
    x, y, z = code >> X & 1023, code >> Y & 15, code >> Z
    match code & 7:
        case kernel.PUT:
            return Action("place", path=layout.path_names[z], builder=KINDS[y])
        case kernel.BUILD:
            return Action("build", layout.square_names[x], CODES[y], layout.path_names[z])
        case kernel.ADVANCE:
            return Action("advance", path=layout.path_names[z])
        case kernel.LAY:
            return Action("extra", layout.square_names[x], CODES[y])
        case kernel.SHUT:
            return Action("close", aqueduct="-" if x == NOTHING else layout.outlets[x].name)
        case _:
            return Action("pick", builder=KINDS[y])


# Positions


def write_state(layout: Layout, s: State) -> str:
    """Writes the nine fields of a state that is no moment inside a turn."""
    tiles = "".join(CODES[code] for code in s.tile)
    rows = [tiles[i : i + layout.columns] for i in range(0, len(tiles), layout.columns)]
    path = "".join("." if kind == NONE else KINDS[kind] for kind in s.path)
    players = range(len(layout.players))
    scores = [["*" if s.score[a] == OPEN else str(s.score[a]) for a in of_player(layout, p)] for p in players]
    player = str(s.player + 1)
    if s.phase == SETUP:
        player = f"s{player}"
    elif s.solo:
        player = f"{player}!"
    elif s.phase == OVER:
        player = "-"
    fields = (
        layout.ref or layout.name,
        "/".join(reversed(rows)),
        "/".join(layout.split_path(path)),
        write_builders(s.reserve),
        ",".join(write_builders(s.held[5 * p : 5 * p + 5]) for p in players),
        ",".join(".".join(row) for row in scores),
        ".".join(str(count) for count in s.stock),
        player,
        str(s.idle),
    )
    return " ".join(fields)


def of_player(layout: Layout, player: int) -> list[int]:
    """Lists the numbers of a player's aqueducts."""
    return [a for a, outlet in enumerate(layout.outlets) if outlet.owner == player + 1]


def letters(counts: Iterable[int]) -> str:
    """Writes counts of builders as letters, nothing for none."""
    return "".join(letter * count for letter, count in zip(KINDS, counts, strict=True))


def write_builders(counts: Iterable[int]) -> str:
    """Writes counts of builders as letters, - for none."""
    return letters(counts) or "-"


def read_state(text: str, layout: Layout | None) -> tuple[Layout, State]:
    """Reads the nine fields; with a layout given, the text must name it."""
    fields = split_fields(text, FIELDS)
    layout = load_layout(fields["layout"], layout, Layout)
    s = layout.bare_state()
    _read_board(fields["board"], layout, s)
    _read_path(fields["path"], layout, s)
    _read_held(fields["reserve"], fields["held"], layout, s)
    _check_supply(layout, s)
    _read_aqueducts(fields["aqueducts"], layout, s)
    _read_stock(fields["stock"], layout, s)
    _read_player(fields["player"], layout, s)
    _read_idle(fields["idle"], layout, s)
    return layout, s


def _read_board(text: str, layout: Layout, s: State) -> None:
    rows = split_list(text, "/", "board", layout.rows, "rows")
    for row, tiles in zip(range(layout.rows - 1, -1, -1), rows, strict=True):
        if len(tiles) != layout.columns:
            raise InvalidPosition("board", f"row {row + 1} has {len(tiles)} squares", f"{layout.columns}")
        for column, tile in enumerate(tiles):
            _read_tile(tile, row * layout.columns + column, layout, s)
    kernel.survey(layout.tables, s)


def _read_tile(tile: str, square: int, layout: Layout, s: State) -> None:
    name = layout.square_names[square]
    code = CODES.find(tile)
    if code < 0:
        raise InvalidPosition("board", f"{name} holds {tile!r}", f"one of {CODES}")
    printed = layout.printed.get(square, s.tile[square])
    if code != printed and (printed != EMPTY or tile == "#"):
        wanted = "no reservoir" if printed == EMPTY else CODES[printed]
        raise InvalidPosition("board", f"{name} holds {tile}", f"{wanted}, as {layout.name} has it")
    if tile not in ".#":
        if not kernel.fits(layout.tables, s, square, code):
            raise InvalidPosition("board", f"{tile} on {name} joins two outlets [R3]", "outlets never joined")
        kernel.lay(layout.tables, s, square, code)


def _read_path(text: str, layout: Layout, s: State) -> None:
    sides = split_list(text, "/", "path", 4, "sides")
    for side, builders, wanted in zip("NESW", sides, layout.split_path("." * len(s.path)), strict=True):
        if len(builders) != len(wanted):
            raise InvalidPosition("path", f"side {side} has {len(builders)} squares", str(len(wanted)))
    for p, letter in enumerate("".join(sides)):
        if letter not in KINDS + ".":
            raise InvalidPosition("path", f"{layout.path_names[p]} holds {letter!r}", f"one of {KINDS}.")
    put_builders(s, "".join(sides))


def put_builders(s: State, path: str) -> None:
    """Puts builders on the path, a letter or . for each path square."""
    s.path[:] = [KINDS.find(letter) for letter in path]
    s.standing = sum(kind != NONE for kind in s.path)


def _read_builders(text: str, field: str) -> list[int]:
    if text == "-":
        return [0] * 5
    if not text or set(text) - set(KINDS) or sorted(text, key=KINDS.index) != list(text):
        raise InvalidPosition(field, f"{shorten(text)!r}", f"- or letters of {KINDS} in that order")
    return [text.count(letter) for letter in KINDS]


def _read_held(reserve: str, held: str, layout: Layout, s: State) -> None:
    s.reserve[:] = _read_builders(reserve, "reserve")
    for player, text in enumerate(split_list(held, ",", "held", len(layout.players), "players")):
        s.held[5 * player : 5 * player + 5] = _read_builders(text, "held")


def _check_supply(layout: Layout, s: State) -> None:
    for kind, letter in enumerate(KINDS):
        counts = {"path": s.path.count(kind), "reserve": s.reserve[kind], "held": sum(s.held[kind::5])}
        found, most = sum(counts.values()), layout.builders[kind]
        if found > most:
            sums = zip(counts, accumulate(counts.values()), strict=True)
            field = next(field for field, so_far in sums if so_far > most)
            raise InvalidPosition(field, f"{found} builders {letter} on path, in reserve and held", f"at most {most}")


def _read_aqueducts(text: str, layout: Layout, s: State) -> None:
    for player, row in enumerate(split_list(text, ",", "aqueducts", len(layout.players), "players")):
        mine = of_player(layout, player)
        for a, score in zip(mine, split_list(row, ".", "aqueducts", len(mine), "aqueducts"), strict=True):
            if score == "*":
                continue
            podium = read_number(score, "aqueducts", most=len(layout.podiums))
            s.score[a] = podium
            s.open &= ~(1 << a)
            if podium:
                s.room[podium] -= 1
                if s.room[podium] < 0:
                    places = layout.podiums[podium - 1]
                    raise InvalidPosition("aqueducts", f"podium {podium} holds too many", f"at most {places}")


def _read_stock(text: str, layout: Layout, s: State) -> None:
    parts = split_list(text, ".", "stock", 4, "counts")
    s.stock[:] = [read_number(part, "stock", most=most) for part, most in zip(parts, layout.stock, strict=True)]
    laid = Counter(KIND_OF[s.tile[square]] for square in range(len(s.tile)) if square not in layout.printed)
    for kind, most in enumerate(layout.stock):
        if laid[kind] + s.stock[kind] > most:
            field = "board" if laid[kind] > most else "stock"
            found = f"{s.stock[kind]} tiles {KINDS[kind]} in stock and {laid[kind]} on the board"
            raise InvalidPosition(field, found, f"at most {most}, printed ones not counted")


def _read_player(text: str, layout: Layout, s: State) -> None:
    players = len(layout.players)
    if text == "-":
        if s.open:
            raise InvalidPosition("aqueducts", "an open one (*) although the game is over", "no * in a finished game")
        s.phase = OVER
        return
    match = re.fullmatch(r"(s?)([1-9])(!?)", text)
    if match is None or int(match[2]) > players or (match[1] and match[3]):
        raise InvalidPosition("player", f"{shorten(text)!r}", f"1 … {players}, with s before it or ! behind it, or -")
    s.player, s.solo = int(match[2]) - 1, int(bool(match[3]))
    if match[1]:
        _read_setup(layout, s)
        return
    if not s.solo and not s.open & layout.tables.mine[s.player]:
        raise InvalidPosition(
            "player", f"player {s.player + 1} has no workman on the board", "a player with an open one"
        )
    if not any(kind >= 0 for kind in s.path):
        raise InvalidPosition("path", "no builder stands on it", "at least one after the setup")
    kernel.begin_turn(layout.tables, s)


def begin_setup(layout: Layout, s: State) -> None:
    """Begins the setup, or goes on with it: builders neither in the reserve nor on the path are to be placed."""
    s.phase = SETUP
    for kind, letter in enumerate(KINDS):
        s.spare[kind] = layout.builders[kind] - layout.reserve.count(letter) - s.path.count(kind)


def _read_setup(layout: Layout, s: State) -> None:
    """Checks that a setup leads here: nothing but builders beside the reserve has been placed, in turn."""
    begin_setup(layout, s)
    placed, players = s.standing, len(layout.players)
    for letter, count in zip(KINDS, s.spare, strict=True):
        if count < 0:
            raise InvalidPosition("path", f"more builders {letter} than the setup has", "those beside the reserve")
    if not any(s.spare):
        raise InvalidPosition("player", "the setup is complete", "a player to move without s")
    if s.player != placed % players:
        found = f"s{s.player + 1} with {placed} of {placed + sum(s.spare)} builders placed"
        raise InvalidPosition("player", found, f"s{placed % players + 1}, as players place in turn")
    tiles = [square for square, code in enumerate(s.tile) if KIND_OF[code] >= 0 and square not in layout.printed]
    if tiles:
        name = layout.square_names[tiles[0]]
        raise InvalidPosition("board", f"a tile on {name} during the setup", "none but the printed ones")
    if (reserve := letters(s.reserve)) != layout.reserve:
        raise InvalidPosition("reserve", f"{reserve or '-'} during the setup", layout.reserve or "-")
    if any(s.held):
        raise InvalidPosition("held", "a builder during the setup", "- for each player")
    if any(score != OPEN for score in s.score[: len(layout.outlets)]):
        raise InvalidPosition("aqueducts", "a closed one during the setup", "* for each")


def _read_idle(text: str, layout: Layout, s: State) -> None:
    players = len(layout.players)
    over = s.phase == OVER and not s.solo
    most = 0 if s.phase == SETUP else players if over else players - 1
    s.idle = read_number(text, "idle", most=most)
