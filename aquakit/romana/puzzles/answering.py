"""How puzzles of Aqua Romana are answered on a board that ask for no turn: by tiles, or by a schedule beside it."""

from __future__ import annotations

import re
from typing import Any

from aquakit.board.clicks import Choice, Offer
from aquakit.board.telling import Part
from aquakit.core.position import AnyPosition
from aquakit.planning.plans import Ghost
from aquakit.puzzle.answering import CHECK, Actions, Answering
from aquakit.puzzle.model import Puzzle
from aquakit.romana.board.clicks import name_laid, name_tile, piece_of
from aquakit.romana.kernel import CODES
from aquakit.romana.notation import Turn
from aquakit.romana.puzzles.longest import lay, put_tiles
from aquakit.romana.puzzles.timing import tell_race
from aquakit.training.verdict import Reason


class LongestAnswering(Answering):
    """Tiles laid one after the other along an aqueduct answer the puzzle."""

    start: Any
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
        piece = piece_of(tile.tile)
        return Choice(str(tile), name_tile(tile.tile), "ghost", (tile.square,), str(tile), piece=piece, turns=True)

    def act(self, moment: Any, action: Any) -> AnyPosition:
        """Lays a tile without a builder."""
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
        tiles: Actions = self.start.turn_type.read(text)
        lay(self.start, self.name, self.start.turn_type((*self._tiles.get(moment, ()), *tiles)))
        return tiles

    def hand_in(self, done: Actions) -> str:
        """Gets the tiles laid so far."""
        return str(self.start.turn_type(done))

    def split(self, line: str) -> list[str]:
        """Splits a line into tiles."""
        return line.split()

    def follow(self, attempt: str) -> AnyPosition:
        """Gets the board with the tiles of an attempt."""
        return put_tiles(self.start, tuple(self.read_attempt(self.start, attempt)))

    def say(self, answer: str) -> str:
        """Says tiles, or what is accepted, such as `any 17`, in words."""
        found = re.fullmatch(r"any (\d+)", answer)
        if found:
            return f"any tiles that make {self.name} {found[1]} long"
        return ", ".join(name_laid(tile.tile, tile.square) for tile in Turn.parse(answer))

    def say_line(self, line: str, start: AnyPosition | None = None) -> str:
        """Says the tiles."""
        return self.say(line)

    def tell(self, step: str) -> tuple[Part, ...]:
        """Says tiles with their pictures."""
        return tuple(Part("tile", name_laid(tile.tile, tile.square), piece_of(tile.tile)) for tile in Turn.parse(step))

    def read_step(self, moment: Any, text: str) -> Actions:
        """Reads a tile."""
        return Turn.parse(text)

    def first(self, line: str) -> str:
        """Gets all tiles."""
        return line


class TimingAnswering(Answering):
    """A schedule of closings, entered beside the board, answers the puzzle."""

    start: Any

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

    def say_line(self, line: str, start: AnyPosition | None = None) -> str:
        """Says a schedule."""
        return self.say(line)

    def mark(self, text: str) -> tuple[Ghost, ...]:
        """Marks each workman with the round in which its aqueduct is closed."""
        closings = (token.split("@") for token in text.split() if "@" in token)
        return tuple(Ghost(f"workman={name}", "mark", number) for name, number in closings if number != "-")

    def narrate(self, text: str) -> tuple[Reason, ...]:
        """Tells round by round who comes to which podium."""
        return tell_race(self.puzzle, text)

    def place(self, reason: Reason) -> tuple[Ghost, ...]:
        """Writes the podium at the workman."""
        return (Ghost(f"workman={reason.on}", "mark", reason.label),)


WAYS: dict[str, type[Answering]] = {"longest": LongestAnswering, "timing": TimingAnswering}
"""How puzzles of the game's kinds are answered that ask for no turn."""
