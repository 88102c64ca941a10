"""Texts of Aquädukt: positions, actions and turns, as section 7 of the rules page lays them down."""

from __future__ import annotations

import re
from typing import NamedTuple

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import (
    FOUL,
    FREE,
    HIDDEN,
    MINERAL,
    MISSING,
    MOUNTAIN,
    NONE,
    OVER,
    TURN,
    VALUES,
    State,
    X,
    Y,
)  # fmt: skip
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.core.notation import load_layout, read_number, split_fields, split_list
from aquakit.core.position import BaseTurn
from aquakit.errors import InvalidPosition, InvalidTurn, shorten

FIELDS = ("layout", "squares", "hands", "springs", "canals", "left", "player", "idle", "events")
STEPS = "nesw"
EVENTS = {MINERAL: "m", FOUL: "f", HIDDEN: "?"}


class Action(NamedTuple):
    """One decision, or an outcome of the die, in names; `str(action)` is its token.

    >>> str(Action("house", value=3, square="e4"))
    '3 e4'
    """

    what: str
    """roll, die, house, decline, stop, spring, canal or pass"""
    region: int = 0
    """The number that the die shows."""
    value: int = 0
    square: str = ""
    point: str = ""
    segment: str = ""

    def __str__(self) -> str:
        match self.what:
            case "die":
                return f"die {self.region}"
            case "house":
                return f"{self.value} {self.square}"
            case "spring":
                return f"spring {self.point}"
            case "canal":
                return f"canal {self.segment}"
            case _:
                return self.what


_POINT = r"(?:0|[1-9][0-9]?)\.(?:0|[1-9][0-9]?)"
_TOKENS = {
    "die": re.compile(r"die (?P<region>[1-9][0-9]?)"),
    "house": re.compile(r"(?P<value>[1-4]) (?P<square>[a-z][1-9][0-9]?)"),
    "spring": re.compile(rf"spring (?P<point>{_POINT})"),
    "canal": re.compile(rf"canal (?P<segment>{_POINT}[hv])"),
}
_WORDS = ("roll", "decline", "stop", "pass")


def read_action(token: str) -> Action:
    """Reads a token, legal or not."""
    if token in _WORDS:
        return Action(token)
    for what, pattern in _TOKENS.items():
        if match := pattern.fullmatch(token):
            found = match.groupdict(default="")
            region, value = int(found.pop("region", 0)), int(found.pop("value", 0))
            return Action(what, region, value, **found)
    expected = "roll, die 7, 3 e4, decline, stop, spring 3.5, canal 3.5h or pass"
    raise InvalidTurn(shorten(token) or "an empty token", "cannot be read", expected)


class Turn(BaseTurn[Action]):
    """A turn's actions in order; `str(turn)` is its tokens.

    >>> Turn.parse("roll, die 7, 3 e4, stop")[2].square
    'e4'
    """

    __slots__ = ()

    mark = ", "

    @classmethod
    def read_action(cls, token: str) -> Action:
        """Reads one token, legal or not."""
        return read_action(token)


def check_names(layout: Layout, action: Action) -> None:
    """Checks that the board has what an action names."""
    squares = {name for region in layout.regions for name in region}
    known = {"square": squares, "point": layout.point_index, "segment": layout.segment_index}
    for kind, names in known.items():
        name = getattr(action, kind)
        if name and name not in names:
            raise InvalidTurn(str(action), f"there is no {kind} {name} on {layout.name}", f"a {kind} of the board")
    if action.region > len(layout.regions):
        raise InvalidTurn(str(action), f"the die shows 1 … {len(layout.regions)} on {layout.name}")


def decode(layout: Layout, code: int) -> Action:
    """Turns the kernel's number into an action."""
    x, y = code >> X & 2047, code >> Y
    match code & 7:
        case kernel.ROLL:
            return Action("roll")
        case kernel.SHOW:
            return Action("die", region=x + 1)
        case kernel.BUILD:
            return Action("house", value=y, square=layout.square_names[x])
        case kernel.DECLINE:
            return Action("decline")
        case kernel.STOP:
            return Action("stop")
        case kernel.SPRING:
            return Action("spring", point=layout.point_names[x])
        case kernel.DIG:
            return Action("canal", segment=layout.segment_names[x])
        case _:
            return Action("pass")


# Positions


def tile_text(code: int) -> str:
    """Writes what stands on a square."""
    if FREE < code < MOUNTAIN:
        return f"{LETTERS[(code - 1) // VALUES]}{(code - 1) % VALUES + 1}"
    return {FREE: ".", MOUNTAIN: "^", MISSING: "_"}[code]


def arm_segments(s: State, slot: int) -> list[int]:
    """Lists an arm's segments from its spring outwards."""
    found, segment = [], s.head[slot]
    while segment != NONE:
        found.append(segment)
        segment = s.after[segment]
    return found


def arm_steps(layout: Layout, s: State, slot: int) -> str:
    """Writes an arm's segments as steps from its spring, capital where double."""
    point, steps = s.spring[slot // 2], ""
    for segment in arm_segments(s, slot):
        direction = next(d for d in range(4) if layout.tables.along[4 * point + d] == segment)
        steps += STEPS[direction].upper() if s.canal[segment] == 2 else STEPS[direction]
        point = layout.tables.beside[4 * point + direction]
    return steps


def arms_in_order(layout: Layout, s: State) -> list[tuple[int, str]]:
    """Lists the arms as slot and steps: by spring, two of one spring by first step in the order n e s w."""
    return [(slot, arm_steps(layout, s, slot)) for slot in range(2 * s.springs) if s.head[slot] != NONE]


def write_state(layout: Layout, s: State) -> str:
    """Writes the nine fields of a state that is no moment inside a turn."""
    rows = [s.tile[i : i + layout.columns] for i in range(0, len(s.tile), layout.columns)]
    points = layout.point_names
    arms = [f"{points[s.spring[slot // 2]]}:{steps}" for slot, steps in arms_in_order(layout, s)]
    events = "".join(EVENTS.get(event, "") for _, event in mountains_in_order(s))
    fields = (
        layout.ref or layout.name,
        "/".join("".join(map(tile_text, row)) for row in reversed(rows)),
        ",".join(".".join(map(str, s.hand[4 * p : 4 * p + 4])) for p in range(layout.players)),
        ",".join(points[p] for p in s.spring[: s.springs]) or "-",
        ";".join(arms) or "-",
        str(s.left),
        "-" if s.phase == OVER else str(s.player + 1),
        str(s.idle),
        events or "-",
    )
    return " ".join(fields)


def reading_order(layout: Layout, square: int) -> tuple[int, int]:
    """Sorts squares as one reads: from the north-west, row by row."""
    row, column = divmod(square, layout.columns)
    return -row, column


def mountains_in_order(s: State) -> list[tuple[int, int]]:
    """Lists the mountains' squares with their events, as one reads, which is how they are put on the board."""
    return list(zip(s.mountain[: s.mountains], s.event[: s.mountains], strict=True))


def read_state(text: str, layout: Layout | None) -> tuple[Layout, State]:
    """Reads the nine fields; with a layout given, the text must name it."""
    fields = split_fields(text, FIELDS)
    layout = load_layout(fields["layout"], layout, Layout)
    s = layout.bare_state()
    s.left = layout.canals
    _read_squares(fields["squares"], layout, s)
    _read_hands(fields["hands"], layout, s)
    _read_springs(fields["springs"], layout, s)
    _read_canals(fields["canals"], layout, s)
    left = read_number(fields["left"], "left", most=layout.canals)
    if left != s.left:
        laid = layout.canals - s.left
        raise InvalidPosition("left", f"{left} left and {laid} on the board", f"{layout.canals} together")
    _read_events(fields["events"], layout, s)
    s.idle = read_number(fields["idle"], "idle", most=kernel.IDLE_ROUNDS * layout.players)
    _read_player(fields["player"], layout, s)
    return layout, s


def _read_squares(text: str, layout: Layout, s: State) -> None:
    rows = split_list(text, "/", "squares", layout.rows, "rows")
    for row, tokens in zip(range(layout.rows - 1, -1, -1), rows, strict=True):
        squares = re.findall(r"[A-Z][0-9]|.", tokens)
        if len(squares) != layout.columns:
            raise InvalidPosition("squares", f"row {row + 1} has {len(squares)} squares", str(layout.columns))
        for column, token in enumerate(squares):
            _read_square(token, row * layout.columns + column, layout, s)
    if s.mountains != layout.mountains:
        raise InvalidPosition("squares", f"{s.mountains} mountains", f"{layout.mountains} on {layout.name}")


def _read_square(token: str, square: int, layout: Layout, s: State) -> None:
    name, players = layout.square_names[square], LETTERS[: layout.players]
    known = {letter + str(value): 4 * p + value for p, letter in enumerate(players) for value in range(1, VALUES + 1)}
    if (token == "_") != (s.tile[square] == MISSING):
        wanted = "_, no square" if s.tile[square] == MISSING else "a square, not _"
        raise InvalidPosition("squares", f"{name} holds {token}", f"{wanted}, as {layout.name} has it")
    if token in "._":
        return
    if token == "^":
        put_mountain(layout, s, square, 0)
        return
    if token not in known:
        raise InvalidPosition("squares", f"{name} holds {token!r}", f". ^ _ or a tile like {players[-1]}3")
    s.tile[square] = known[token]
    take_room(layout, s, square)


def take_room(layout: Layout, s: State, square: int) -> None:
    """Notes that a square is no longer free."""
    region = layout.region[square]
    s.room[region] -= 1
    if s.room[region] == 0:
        s.roomy &= ~(1 << region)


def put_mountain(layout: Layout, s: State, square: int, event: int) -> None:
    """Puts a mountain on a free square."""
    if s.mountains == len(s.mountain):
        raise InvalidPosition("squares", "too many mountains", f"{layout.mountains} on {layout.name}")
    s.tile[square] = MOUNTAIN
    s.mountain[s.mountains], s.event[s.mountains] = square, event
    s.mountains += 1
    take_room(layout, s, square)


def _read_hands(text: str, layout: Layout, s: State) -> None:
    for player, hand in enumerate(split_list(text, ",", "hands", layout.players, "players")):
        counts = split_list(hand, ".", "hands", VALUES, "counts")
        for value, count in enumerate(counts, start=1):
            held = read_number(count, "hands", most=layout.tiles[value - 1])
            laid = list(s.tile).count(4 * player + value)
            if held + laid > layout.tiles[value - 1]:
                found = f"{held} of {LETTERS[player]}{value} in hand and {laid} on the board"
                raise InvalidPosition("hands", found, f"at most {layout.tiles[value - 1]}")
            s.hand[4 * player + value - 1] = held


def _read_springs(text: str, layout: Layout, s: State) -> None:
    for name in [] if text == "-" else text.split(","):
        if name not in layout.point_index:
            raise InvalidPosition("springs", f"there is no point {shorten(name)!r}", "points like 3.5, or -")
        if s.springs == layout.springs:
            raise InvalidPosition("springs", f"more than {layout.springs}", f"at most {layout.springs}")
        if not kernel.can_stand(s, layout.point_index[name]):
            expected = f"springs at least {layout.spring_distance} steps apart [Q2]"
            raise InvalidPosition("springs", f"{name} is too near another", expected)
        kernel.place_spring(layout.tables, s, layout.point_index[name])


def _read_canals(text: str, layout: Layout, s: State) -> None:
    for arm in [] if text == "-" else text.split(";"):
        spring, mark, steps = arm.partition(":")
        points = [layout.point_names[p] for p in s.spring[: s.springs]]
        if spring not in points or not mark or not re.fullmatch("[nesw]+", steps, re.IGNORECASE):
            raise InvalidPosition("canals", f"{shorten(arm)!r}", "a spring's point, : and steps of n e s w")
        if re.search("[nesw][NESW]", steps):
            raise InvalidPosition("canals", f"{shorten(arm)}: a double after a single", "doubles from the spring on")
        slot = 2 * points.index(spring)
        slot += s.head[slot] != NONE
        if s.head[slot] != NONE:
            raise InvalidPosition("canals", f"{spring} has more than two arms", "at most two")
        for step in steps:
            slot = _read_step(step, slot, arm, layout, s)


def _read_step(step: str, slot: int, arm: str, layout: Layout, s: State) -> int:
    """Lays one step of an arm and gets its slot, which may change when a second arm begins."""
    point, direction = s.tip[slot], STEPS.index(step.lower())
    if not s.ways[point] >> direction & 1:
        where = layout.point_names[point]
        raise InvalidPosition("canals", f"{shorten(arm)} cannot go {step} from {where}", "a free point there [Q3]")
    if s.left < 1 + step.isupper():
        raise InvalidPosition("canals", "too many canals", f"at most {layout.canals}")
    segment = layout.tables.along[4 * point + direction]
    kernel.dig(layout.tables, s, segment, slot)
    slot = slot if s.last[slot] == segment else slot ^ 1
    if step.isupper():
        kernel.dig(layout.tables, s, segment, slot)
    return slot


def _read_events(text: str, layout: Layout, s: State) -> None:
    if text == "-":
        return
    letters = {letter: event for event, letter in EVENTS.items()}
    if len(text) != s.mountains or set(text) - set(letters):
        raise InvalidPosition("events", f"{shorten(text)!r}", f"- or {s.mountains} letters of m f ?")
    for letter in "mf":
        if text.count(letter) > layout.events.count(letter):
            most = layout.events.count(letter)
            raise InvalidPosition("events", f"{text.count(letter)} times {letter}", f"at most {most}")
    for i, letter in enumerate(text):  # squares are read as one reads, so mountains stand in that order
        s.event[i] = letters[letter]


def _read_player(text: str, layout: Layout, s: State) -> None:
    if text == "-":
        for square, code in enumerate(s.tile):
            if FREE < code < MOUNTAIN and s.supply[square] == 0:
                name = layout.square_names[square]
                raise InvalidPosition("squares", f"{name} holds a tile without water", "none in a finished game")
        s.phase = OVER
        return
    s.player = read_number(text, "player", most=layout.players, least=1) - 1
    s.phase = TURN
    if kernel.ends_after(layout.tables, s, (s.player - 1) % layout.players):
        field, problem = ("idle", f"{s.idle} is too much") if s.left else ("player", "the last round is over")
        raise InvalidPosition(field, f"{problem} in a game that goes on [Q6]", "- for the player when it is over")
