"""What a planner is asked: a study position, some turns, what is allowed; and what the rules say to a plan."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from aquakit.core.options import read_whole, show
from aquakit.core.words import count
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition
from aquakit.romana.notation import Action, Turn, encode
from aquakit.romana.position import Position

MOST_TURNS = 40
MOST_FORBIDDEN = 256


@dataclass(frozen=True)
class PlanQuestion:
    """A question to the planners: the most podium points in some turns alone [S1][S2]."""

    position: Position
    """A study position at the start of a turn."""
    turns: int
    closed_only: bool = False
    """Whether open aqueducts count nothing at the end."""
    voluntary: bool = True
    """Whether aqueducts may be closed voluntarily."""
    first: str | None = None
    """The token of the first turn's build or advance, if only such plans are asked for."""
    forbid: frozenset[str] = frozenset()
    """What no turn may use: a square, on which no tile is laid, or a whole token."""
    at_least: int | None = None
    """Only some plan worth at least this much is asked for, not the best."""

    def __str__(self) -> str:
        asked = {
            count(self.turns, "turn"): True,
            "only closed aqueducts count": self.closed_only,
            "none is closed voluntarily": not self.voluntary,
            f"first {self.first}": self.first,
            f"without {' '.join(sorted(self.forbid))}": self.forbid,
        }
        return ", ".join([str(self.position), *(words for words, given in asked.items() if given)])

    def most(self) -> int:
        """Gets a simple upper bound on the points: what is scored, and the highest podiums with room for all others."""
        state, tables = self.position.state, self.position.layout.tables
        own = [a for a in self.position.aqueducts if a.owner == state.player + 1]
        places = [podium for podium in range(tables.podiums, 0, -1) for _ in range(state.room[podium])]
        return sum(a.podium or 0 for a in own) + sum(places[: sum(a.open for a in own)])

    def worth(self, position: Position) -> int:
        """Gets the player's points at the end of a plan [S2], those of open aqueducts only if they count."""
        if not self.closed_only:
            return position.study_points()
        mine = (a for a in position.aqueducts if a.owner == position.state.player + 1)
        return sum(aqueduct.podium or 0 for aqueduct in mine)

    def replay(self, turns: Iterable[Turn]) -> int:
        """Plays a plan through the rules and gets its points; what is not legal or not allowed is an error."""
        position, played = self.position, 0
        for turn in turns:
            self.check_allowed("plan", turn)
            position, played = position.play(turn), played + 1
        if played > self.turns or (played < self.turns and not position.is_over):
            raise InvalidOption("plan", f"{played} turns", f"{self.turns}, or fewer if no workman is left")
        return self.worth(position)

    def allows(self, action: Action) -> bool:
        """Checks that an action is not forbidden."""
        shut = action.square and action.square in self.forbid
        closes = action.what == "close" and action.aqueduct != "-" and not self.voluntary
        return not (shut or closes or str(action) in self.forbid)

    def check_allowed(self, name: str, turn: Turn) -> None:
        """Checks that a turn, which is named so in an error, uses nothing that is forbidden."""
        for action in turn:
            if not self.allows(action):
                raise InvalidOption(name, f"{action} is used", "no action that is forbidden")


def read_study(position: object, player: int | None) -> Position:
    """Gets the study position that a question is about: one player alone, at the start of a turn [S1]."""
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aqua Romana")
    if player is None:
        if position.is_over and not position.state.solo:
            raise InvalidPosition("position", "the game is over", "the start of a turn")
        player = position.state.player + 1
    study = position.solo(player)
    if study.is_over:
        raise InvalidPosition("position", f"player {player} has no workman on the board", "an open aqueduct")
    return study


def read_forbidden(position: Position, forbid: str | Iterable[str]) -> frozenset[str]:
    """Checks what a plan must not use: squares and whole tokens."""
    words = [forbid] if isinstance(forbid, str) else forbid
    if not isinstance(words, Iterable):
        raise InvalidOption("forbid", show(forbid), "squares such as e5 or tokens such as xR2")
    read = frozenset(_read_forbidden(position, word) for word in words)
    if len(read) > MOST_FORBIDDEN:
        raise InvalidOption("forbid", f"{len(read)} squares and tokens", f"at most {MOST_FORBIDDEN}")
    return read


def _read_forbidden(position: Position, word: object) -> str:
    if isinstance(word, str) and word in position.layout.square_index:
        return word
    try:
        action = Turn.read_action(str(word))
        encode(position.layout, action)
    except AquakitError:
        raise InvalidOption("forbid", show(word), "a square such as e5 or a token such as xR2") from None
    return str(action)


def read_turns(turns: int) -> int:
    """Checks a number of turns."""
    return read_whole("turns", turns, least=1, most=MOST_TURNS)
