"""How each kind of puzzle is answered on a board: what can be chosen there, and when that is an answer.

The rules say what is legal. Here stands only what a puzzle asks for: a whole turn, a single decision, some canals,
tiles for an aqueduct, or a schedule that is entered beside the board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from aquakit.board.clicks import Choice, Offer
from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn
from aquakit.planning.plans import Ghost
from aquakit.puzzle.kinds import LINE
from aquakit.puzzle.model import Puzzle
from aquakit.training.verdict import Reason

CHECK = "check"
"""The choice that hands in what has been laid so far."""

Actions = Sequence[Any]


class Answering:
    """A whole turn answers the puzzle; what others decide in it is left to them."""

    has_turns = True
    """Whether a line is made of somebody's turns."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.start: Any = puzzle.start

    @property
    def form(self) -> dict[str, Any] | None:
        """What is entered beside the board, if that is how the puzzle is answered."""
        return None

    def narrow(self, made: Offer, moment: Any, done: Actions) -> Offer:
        """Leaves of what a game offers only what the puzzle asks for, after what has been done."""
        return made

    def act(self, moment: Any, action: Any) -> AnyPosition | None:
        """Carries out what is no action of the game; nothing if the rules do that."""
        return None

    def list_done(self, actions: Actions, moment: Any) -> list[Any]:
        """Lists what has been done at a moment, given the actions of the game since the start."""
        return list(actions)

    def read(self, done: Actions, moment: Any) -> str | None:
        """Gets the answer as soon as the solver has nothing more to decide."""
        is_complete = not moment.played or moment.player != self.start.player
        return str(self.start.turn_type(done)) if done and is_complete else None

    def read_attempt(self, moment: Any, text: Any) -> Actions:
        """Reads what is played in one go: a whole turn, or the rest of one."""
        return moment.carry_out(text)[0]  # type: ignore[no-any-return]

    def hand_in(self, done: Actions) -> str:
        """Gets the answer as far as it has come."""
        raise IllegalTurn("answer", "is not complete", "a whole turn")

    def split(self, line: str) -> list[str]:
        """Splits a line of the puzzle's file into steps that are shown one by one."""
        return line.split(LINE)

    def read_step(self, moment: Any, text: str) -> Actions:
        """Reads one of these steps, with what a written turn may leave out."""
        return moment.carry_out(text)[0]  # type: ignore[no-any-return]

    def first(self, line: str) -> str:
        """Gets the answer that a line of the puzzle's file begins with."""
        return line.split(LINE)[0]

    def mark(self, text: str) -> tuple[Ghost, ...]:
        """Shows an answer that cannot be played, as marks on the board."""
        return ()

    def remark(self, moment: Any, text: str) -> str:
        """Says what is to be known of a step that begins at a moment."""
        theirs = moment.played and moment.player != moment.mover
        return "their pick in your turn: the best reply" if theirs else ""

    def say(self, answer: str) -> str:
        """Writes an answer so that people can read it; turns stay as they are."""
        return answer

    def narrate(self, text: str) -> tuple[Reason, ...]:
        """Tells step by step what comes of an answer, where no turns can show that."""
        return ()

    def place(self, reason: Reason) -> tuple[Ghost, ...]:
        """Shows on the board what a reason is about."""
        return (Ghost(reason.on, "mark", reason.label),) if reason.on else ()


class MatchAnswering(Answering):
    """A turn against rivals: their picks at its end are no part of the answer."""

    def read_attempt(self, moment: Any, text: Any) -> Actions:
        """Reads the solver's own decisions; picks of others that stand in the text are left to them."""
        from aquakit.puzzle.kinds.duel import decide

        return decide(moment, str(text))[0]


class HouseAnswering(Answering):
    """The decision after a roll answers the puzzle."""

    has_turns = False  # whosever turn it is then, the canals of the study are the solver's

    def remark(self, moment: Any, text: str) -> str:
        """Says what a step assumes."""
        if "die" in text:
            return "best decisions, with the luckiest roll"
        return "before anybody else moves" if text.startswith("canal") else ""

    def read(self, done: Actions, moment: Any) -> str | None:
        """Gets the first decision."""
        return str(self.start.turn_type(done[:1])) if done else None

    def read_attempt(self, moment: Any, text: Any) -> Actions:
        """Reads the decision, whatever would follow it."""
        return self.start.turn_type.read(text)[:1]  # type: ignore[no-any-return]

    def first(self, line: str) -> str:
        """Gets the whole line, for the turn goes on after the decision."""
        return line


class CanalsAnswering(Answering):
    """Some canals, in whoever's turns, answer the puzzle."""

    has_turns = False

    def narrow(self, made: Offer, moment: Any, done: Actions) -> Offer:
        """Leaves only canals."""
        legal = {str(action) for action in moment.actions() if action.what == "canal"}
        number = 1 + sum(action.what == "canal" for action in done)
        choices = tuple(choice for choice in made.choices if choice.act in legal)
        return Offer(f"Lay canal {number} of {self.puzzle.horizon}", choices)

    def read(self, done: Actions, moment: Any) -> str | None:
        """Gets the canals when all are laid, or when no more can be."""
        canals = [str(action) for action in done if action.what == "canal"]
        more = any(action.what == "canal" for action in moment.actions())
        return ", ".join(canals) if canals and (len(canals) == self.puzzle.horizon or not more) else None

    def read_attempt(self, moment: Any, text: Any) -> Actions:
        """Reads canals, which may be fewer or more than those of a turn."""
        return self.start.turn_type.read(text)  # type: ignore[no-any-return]

    def split(self, line: str) -> list[str]:
        """Splits a line into canals; the end of a turn belongs to the last of its canals."""
        return [f"canal{rest}".strip(", ") for rest in line.replace(LINE, ", ").split("canal")[1:]]

    def read_step(self, moment: Any, text: str) -> Actions:
        """Reads a canal."""
        return self.start.turn_type.parse(text)  # type: ignore[no-any-return]

    def first(self, line: str) -> str:
        """Gets all canals of a line."""
        return line


class LongestAnswering(Answering):
    """Tiles laid one after the other along an aqueduct answer the puzzle."""

    has_turns = False

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.name: str = puzzle.given["aqueduct"]
        self._tiles: dict[AnyPosition, tuple[Any, ...]] = {}
        """The tiles laid on each board that was met."""

    def narrow(self, made: Offer, moment: Any, done: Actions) -> Offer:
        """Offers the tiles that lead on from the aqueduct's end, and to hand in what is laid."""
        aqueduct = next(a for a in moment.aqueducts if a.name == self.name)
        choices = [self._offer_tile(tile) for tile in self._list_next(done, aqueduct.facing)]
        what = "choose its next tile" if choices else "no tile leads on"
        if done:
            choices.append(Choice(CHECK, "Check this length", "button", act=CHECK))
        return Offer(f"{self.name} is {aqueduct.length} long: {what}", tuple(choices))

    def _list_next(self, tiles: Actions, square: str | None) -> list[Any]:
        """Lists the tiles that can be laid next on a square and are passed, by the kind's own judgement."""
        from aquakit.romana.kernel import CODES
        from aquakit.romana.puzzles.longest import lay

        read = self.start.turn_type
        found = []
        for tile in CODES if square else ():
            try:
                (made,) = read.parse(f"{square}={tile}")
                lay(self.start, self.name, read((*tiles, made)))
            except ValueError:
                continue
            found.append(made)
        return found

    def _offer_tile(self, tile: Any) -> Choice:
        from aquakit.romana.board.clicks import name_tile
        from aquakit.romana.kernel import CODES
        from aquakit.romana.planner.offers import BRIDGE

        piece = f"t{CODES.index(tile.tile)}{' deck' if tile.tile == BRIDGE else ''}"
        return Choice(str(tile), name_tile(tile.tile), "ghost", (tile.square,), str(tile), piece=piece, turns=True)

    def act(self, moment: Any, action: Any) -> AnyPosition:
        """Lays a tile without a builder."""
        from aquakit.romana.puzzles.longest import put_tiles

        tiles = (*self._tiles.get(moment, ()), action)
        after = put_tiles(self.start, tiles)
        self._tiles[after] = tiles
        return after

    def list_done(self, actions: Actions, moment: Any) -> list[Any]:
        """Lists the tiles laid."""
        return list(self._tiles.get(moment, ()))

    def read(self, done: Actions, moment: Any) -> str | None:
        """Gets nothing by itself: whoever has come to an end may want to go back."""
        return None

    def read_attempt(self, moment: Any, text: Any) -> Actions:
        """Reads tiles, which must lie on from those that are there."""
        from aquakit.romana.puzzles.longest import lay

        tiles: Actions = self.start.turn_type.read(text)
        lay(self.start, self.name, self.start.turn_type((*self._tiles.get(moment, ()), *tiles)))
        return tiles

    def hand_in(self, done: Actions) -> str:
        """Gets the tiles laid so far."""
        return str(self.start.turn_type(done))

    def split(self, line: str) -> list[str]:
        """Splits a line into tiles."""
        return line.split()

    def say(self, answer: str) -> str:
        """Writes tiles as they are, and what is accepted, such as `any 17`, in words."""
        found = re.fullmatch(r"any (\d+)", answer)
        return f"any tiles that make {self.name} {found[1]} long" if found else answer

    def read_step(self, moment: Any, text: str) -> Actions:
        """Reads a tile."""
        return self.start.turn_type.parse(text)  # type: ignore[no-any-return]

    def first(self, line: str) -> str:
        """Gets all tiles."""
        return line


class TimingAnswering(Answering):
    """A schedule of closings, entered beside the board, answers the puzzle."""

    @property
    def form(self) -> dict[str, Any] | None:
        """The aqueducts, and the rounds in which they can be closed."""
        mine = [a for a in self.start.aqueducts if a.open and a.owner == self.start.player]
        return {
            "rows": [{"name": a.name, "note": f"length {a.length} now"} for a in mine],
            "rounds": self.puzzle.horizon,
        }

    def narrow(self, made: Offer, moment: Any, done: Actions) -> Offer:
        """Offers nothing on the board."""
        return Offer("Choose for each aqueduct when to close it")

    def read(self, done: Actions, moment: Any) -> str | None:
        """Gets nothing: the schedule is handed in as a text."""
        return None

    def split(self, line: str) -> list[str]:
        """Shows no steps on the board."""
        return []

    def first(self, line: str) -> str:
        """Gets the whole schedule."""
        return line

    def say(self, answer: str) -> str:
        """Says a schedule, or what is accepted of one, in words."""
        pairs = [token.split("@") for token in answer.split() if "@" in token]
        said = ["close nothing now"] if "wait" in answer.split() and pairs else []
        said += [f"leave {name} open" if when == "-" else f"close {name} in round {when}" for name, when in pairs]
        return ", ".join(said) or "close nothing"

    def mark(self, text: str) -> tuple[Ghost, ...]:
        """Marks each workman with the round in which its aqueduct is closed."""
        closings = (token.split("@") for token in text.split() if "@" in token)
        return tuple(Ghost(f"workman={name}", "mark", number) for name, number in closings if number != "-")

    def narrate(self, text: str) -> tuple[Reason, ...]:
        """Tells round by round who comes to which podium."""
        from aquakit.romana.puzzles.timing import tell_race

        return tell_race(self.puzzle, text)

    def place(self, reason: Reason) -> tuple[Ghost, ...]:
        """Writes the podium at the workman."""
        return (Ghost(f"workman={reason.on}", "mark", reason.label),)


WAYS = {
    "duel": MatchAnswering,
    "endgame": MatchAnswering,
    "house": HouseAnswering,
    "canals": CanalsAnswering,
    "longest": LongestAnswering,
    "timing": TimingAnswering,
}


def find_way(puzzle: Puzzle) -> Answering:
    """Gets how a puzzle is answered."""
    return WAYS.get(puzzle.kind, Answering)(puzzle)
