"""A position of Aquädukt while it is edited: tiles, mountains, springs and canals on the board, the rest in fields."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Self

from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.kernel import IDLE_ROUNDS, VALUES
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.notation import EVENTS, STEPS
from aquakit.aquadukt.position import Position
from aquakit.board.draft import NOTHING, BaseDraft, Field, Option, Piece, Tools
from aquakit.core.notation import split_list
from aquakit.core.words import capital
from aquakit.errors import AquakitError, InvalidPosition

MOUNTAIN, SPRING, SINGLE, DOUBLE = "^", "spring", "single", "double"
OFF, ON = "off", "on"
HIDDEN = "?"
NONE = "-"
"""What a text has where there are no springs, canals or events."""
_EVENT_NAMES = {"m": "mineral", "f": "foul", HIDDEN: "hidden"}
EVENT_OPTIONS = tuple(Option(letter, _EVENT_NAMES[letter]) for letter in EVENTS.values())
_DIRECTIONS = dict(zip(STEPS, ("north", "east", "south", "west"), strict=True))


class Draft(BaseDraft):
    """A position of Aquädukt while it is edited.

    A canal that belongs to no arm is written by its segment's name, capital where double, which readers refuse.

    >>> draft = Draft.of(Position.start("aquadukt2")).put("3.5h", "double")
    >>> print(draft.problem())
    canals: the canal on 3.5h belongs to no arm; expected canals in a row from a spring, without a branch
    >>> draft.put("3.5", "spring").position().arms[0].steps
    'E'
    """

    position_type = Position

    _layout: Layout

    # Text

    def _read(self, fields: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        squares = self._read_squares(re.findall(r"[A-Z][0-9]|.", fields["squares"].replace("/", "")))
        values = {"player": fields["player"], "idle": fields["idle"]}
        hands = split_list(fields["hands"], ",", "hands", self._layout.players, "players")
        for player, hand in zip(self._players(), hands, strict=True):
            values |= zip(self._hand(player), split_list(hand, ".", "hands", VALUES, "counts"), strict=True)
        values["variant"] = OFF if fields["events"] == NONE else ON
        values |= {f"event.{square}": HIDDEN for square in squares}
        if fields["events"] != NONE:
            values |= zip(_name_events(squares), fields["events"], strict=False)
        return squares | self._read_water(fields["springs"], fields["canals"]), values

    def _read_water(self, springs: str, canals: str) -> dict[str, str]:
        layout = self._layout
        # Springs keep the text's order, so that one which is taken away and put back stands where it stood.
        found = dict.fromkeys((point for point in springs.split(",") if point in layout.point_index), SPRING)
        found |= {place: "" for place in (*layout.point_index, *layout.segment_index) if place not in found}
        for arm in canals.split(";"):
            found |= self._read_arm(arm)
        return found

    def _read_arm(self, arm: str) -> dict[str, str]:
        """Gets an arm's canals as far as it can be followed, or the canal that belongs to no arm."""
        layout = self._layout
        if arm.lower() in layout.segment_index:
            return {arm.lower(): DOUBLE if arm.isupper() else SINGLE}
        found: dict[str, str] = {}
        spring, _, steps = arm.partition(":")
        point = layout.point_index.get(spring)
        for step in steps:
            direction = STEPS.find(step.lower())
            way = None if point is None or direction < 0 else layout.step(point, direction)
            if way is None:
                break
            point, segment = way
            found[layout.segment_names[segment]] = DOUBLE if step.isupper() else SINGLE
        return found

    def _write(self) -> tuple[str, ...]:
        values = self._values
        hands = [".".join(values[name] for name in self._hand(player)) for player in self._players()]
        arms, loose = self._find_arms()
        arms += [segment.upper() if self._board[segment] == DOUBLE else segment for segment in loose]
        laid = Counter(self._board[segment] for segment in self._layout.segment_index)
        events = [values[name] for name in self._events()]
        return (
            self._write_squares(),
            ",".join(hands),
            ",".join(self._springs()) or NONE,
            ";".join(arms) or NONE,
            str(self._layout.canals - laid[SINGLE] - 2 * laid[DOUBLE]),
            values["player"],
            values["idle"],
            "".join(events) or NONE,
        )

    def position(self) -> Any:
        """Gets the position, or raises that a canal belongs to no arm, or what the game's reader says."""
        _, loose = self._find_arms()
        if loose:
            expected = "canals in a row from a spring, without a branch"
            raise InvalidPosition("canals", f"the canal on {loose[0]} belongs to no arm", expected)
        return super().position()

    # Arms

    def _springs(self) -> list[str]:
        return [place for place, piece in self._board.items() if piece == SPRING]

    def _find_arms(self) -> tuple[list[str], list[str]]:
        """Follows the canals from the springs: gets the arms' texts, and the segments that belong to no arm."""
        left = {segment: self._board[segment] for segment in self._layout.segment_index if self._board[segment]}
        arms = [
            f"{spring}:{steps}"
            for spring in self._springs()
            for direction in range(len(STEPS))
            if (steps := self._follow(spring, direction, left))
        ]
        return arms, list(left)

    def _follow(self, spring: str, direction: int, left: dict[str, str]) -> str:
        """Takes the canals of an arm that begins in a direction out of those left, and writes its steps."""
        layout, names = self._layout, self._layout.segment_names
        steps, point, ways = "", layout.point_index[spring], [direction]
        while found := [(d, way) for d in ways if (way := layout.step(point, d)) and names[way[1]] in left]:
            direction, (point, segment) = found[0]
            steps += STEPS[direction].upper() if left.pop(names[segment]) == DOUBLE else STEPS[direction]
            ways = [*range(len(STEPS))]
        return steps

    # Board

    def _fixed(self) -> dict[str, str]:
        layout = self._layout
        return {name: "_" for square, name in enumerate(layout.square_names) if not layout.has_square(square)}

    def _shown_on(self, position: Position) -> dict[str, str]:
        land = position.tiles | dict.fromkeys(position.mountains, MOUNTAIN)
        canals = {segment: SINGLE if count == 1 else DOUBLE for segment, count in position.canals.items()}
        return land | dict.fromkeys(position.springs, SPRING) | canals

    def tools(self) -> tuple[Tools, ...]:
        """Lists the tiles and mountains for squares, springs for points, and canals for segments."""
        layout, fixed = self._layout, self._fixed()
        tiles = [_tile(letter, value) for letter in LETTERS[: layout.players] for value in range(1, VALUES + 1)]
        squares = tuple(name for name in layout.square_names if name not in fixed)
        mountain = Piece(MOUNTAIN, "mountain", "mountain", "mountain")
        spring = Piece(SPRING, "spring", "fountain", "spring")
        canals = (
            Piece(SINGLE, "single canal", kind="single", look="single"),
            Piece(DOUBLE, "double canal", kind="double", look="double"),
            NOTHING,
        )
        return (
            Tools("Tiles and mountains", (*tiles, mountain, NOTHING), squares),
            Tools("Springs", (spring, NOTHING), tuple(layout.point_index), "dot"),
            Tools("Canals", canals, tuple(layout.segment_index), "single"),
        )

    # Fields

    def fields(self) -> tuple[Field, ...]:
        """Lists whose turn it is, the hands, and the mountains' events."""
        players = (Option(str(player), capital(player_name(player))) for player in self._players())
        most = IDLE_ROUNDS * self._layout.players
        return (
            self._field("player", "player to move", "Turn", (*players, Option(NONE, "game over"))),
            self._field("idle", "turns in a row with nothing put on the board", "Turn", most=most),
            *(field for player in self._players() for field in self._hand_fields(player)),
            self._field("variant", "variant with events", "Events", (Option(OFF, OFF), Option(ON, ON))),
            *(self._event(name) for name in self._events()),
        )

    def _players(self) -> range:
        return range(1, self._layout.players + 1)

    def _hand(self, player: int) -> dict[str, int]:
        """Gets the fields of a player's hand, each with the number of tiles that there are."""
        return {f"hand.{player}.{value}": most for value, most in enumerate(self._layout.tiles, start=1)}

    def _hand_fields(self, player: int) -> list[Field]:
        group, hand = f"Hand of {player_name(player)}", self._hand(player)
        return [self._field(name, f"tiles of value {name[-1]}", group, most=most) for name, most in hand.items()]

    def _events(self) -> list[str]:
        """Lists the fields of the mountains' events as one reads, none without the variant."""
        return _name_events(self._board) if self._values["variant"] == ON else []

    def _event(self, name: str) -> Field:
        return self._field(name, f"mountain on {name.partition('.')[2]}", "Events", EVENT_OPTIONS)

    def balance(self) -> Self:
        """Gets the draft whose hands hold what the tiles laid leave, also of tiles that had left the game."""
        laid, values = Counter(self._board.values()), {}
        for player, letter in zip(self._players(), LETTERS, strict=False):
            for name, most in self._hand(player).items():
                values[name] = str(max(0, most - laid[letter + name[-1]]))
        return self._with({}, values)

    # Problems

    def _concerns(self, problem: AquakitError) -> Iterable[str]:
        """Finds the tiles of which there are too many, the mountains, and those with an event."""
        if found := re.search(r"of ([A-Z])([0-9]) in hand", problem.problem):
            yield f"hand.{LETTERS.index(found[1]) + 1}.{found[2]}"
            yield from self._standing(found[1] + found[2])
        elif re.search("mountains$", problem.problem):
            yield from self._standing(MOUNTAIN)
        elif found := re.search(r"times ([mf])$", problem.problem):
            yield from (name for name in self._events() if self._values[name] == found[1])

    def _standing(self, piece: str) -> list[str]:
        return [place for place, stands in self._board.items() if stands == piece]

    def _reword(self, text: str) -> str:
        text = re.sub(r"\b([A-Z])([0-9]) in hand", lambda m: f"the {_tile(m[1], int(m[2])).label} in hand", text)
        text = re.sub(r"^([0-9.]+):[nesw]+", r"the arm from \1", text, flags=re.IGNORECASE)
        text = re.sub(
            r"cannot go ([nesw])", lambda m: f"cannot go {_DIRECTIONS[m[1].lower()]}", text, flags=re.IGNORECASE
        )
        text = re.sub(r"times ([mf])$", lambda m: f"{_EVENT_NAMES[m[1]]} mountains", text)
        return re.sub(r"^- for the player when", "no player to move when", text)


def _name_events(board: Mapping[str, str]) -> list[str]:
    """Lists the fields of the mountains' events, in the board's order."""
    return [f"event.{place}" for place, piece in board.items() if piece == MOUNTAIN]


def _tile(letter: str, value: int) -> Piece:
    houses = "1 house" if value == 1 else f"{value} houses"
    return Piece(f"{letter}{value}", f"tile of {letter} with {houses}", f"{letter}{value}d", f"{value} of {letter}")
