"""How puzzles are answered on a board: what can be chosen there, and when that is an answer.

The rules say what is legal. Here stands only what a puzzle asks for, usually a whole turn; for what else its own kinds
ask, a game has ways of its own, in `puzzles/answering.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aquakit.board.clicks import Offer
from aquakit.board.telling import Part, tell_each, tell_line
from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn
from aquakit.planning.plans import Ghost
from aquakit.puzzle.answers import decide, read
from aquakit.puzzle.model import LINE, Puzzle
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
        self.start = puzzle.start

    @property
    def form(self) -> dict[str, Any] | None:
        """What is entered beside the board, if that is how the puzzle is answered."""
        return None

    def narrow(self, made: Offer, moment: AnyPosition, done: Actions) -> Offer:
        """Leaves of what a game offers only what the puzzle asks for, after what has been done."""
        return made

    def act(self, moment: AnyPosition, action: Any) -> AnyPosition | None:
        """Carries out what is no action of the game; nothing if the rules do that."""
        return None

    def list_done(self, actions: Actions, moment: AnyPosition) -> list[Any]:
        """Lists what has been done at a moment, given the actions of the game since the start."""
        return list(actions)

    def read(self, done: Actions, moment: AnyPosition) -> str | None:
        """Gets the answer as soon as the solver has nothing more to decide."""
        is_complete = not moment.played or moment.player != self.start.player
        return str(self.start.turn_type(done)) if done and is_complete else None

    def read_attempt(self, moment: AnyPosition, text: Any) -> Actions:
        """Reads what is played in one go: a whole turn, or the rest of one."""
        return moment.carry_out(text)[0]

    def hand_in(self, done: Actions) -> str:
        """Gets the answer as far as it has come."""
        raise IllegalTurn("answer", "is not complete", "a whole turn")

    def split(self, line: str) -> list[str]:
        """Splits a line of the puzzle's file into steps that are shown one by one."""
        return line.split(LINE)

    def read_step(self, moment: AnyPosition, text: str) -> Actions:
        """Reads one of these steps, with what a written turn may leave out."""
        return moment.carry_out(text)[0]

    def first(self, line: str) -> str:
        """Gets the answer that a line of the puzzle's file begins with."""
        return line.split(LINE)[0]

    def mark(self, text: str) -> tuple[Ghost, ...]:
        """Shows an answer that cannot be played, as marks on the board."""
        return ()

    def remark(self, moment: AnyPosition, text: str) -> str:
        """Says what is to be known of a step that begins at a moment."""
        theirs = moment.played and moment.player != moment.mover
        return "their pick in your turn: the best reply" if theirs else ""

    def follow(self, attempt: str) -> AnyPosition:
        """Gets the moment after the solver's own part of an attempt, where its refutation begins."""
        moment = self.start
        for action in self.read_attempt(moment, attempt):
            moment = moment.act(action)
        return moment

    # In words

    def say(self, answer: str) -> str:
        """Says an answer in words: a whole turn, or the decisions that matter in one."""
        tell, read_action = self.start.room("board.telling").tell_action, self.start.turn_type.read_action
        return ", ".join(tell(self.start, read_action(token)) for token in read(answer)) or "any turn"

    def say_line(self, line: str, start: AnyPosition | None = None) -> str:
        """Says a line in words, from the puzzle's start or from another moment on."""
        turns, start = line.split(LINE), start or self.start
        return LINE.join(tell_line(start, turns) if self.has_turns else (words for _, words in tell_each(start, turns)))

    def tell(self, step: str) -> tuple[Part, ...]:
        """Says with pictures what the rules do not tell: an answer, or a step of a line, that is no turn."""
        return (Part("answer", self.say(step)),)

    def narrate(self, text: str) -> tuple[Reason, ...]:
        """Tells step by step what comes of an answer, where no turns can show that."""
        return ()

    def place(self, reason: Reason) -> tuple[Ghost, ...]:
        """Shows on the board what a reason is about."""
        return (Ghost(reason.on, "mark", reason.label),) if reason.on else ()


class MatchAnswering(Answering):
    """A turn against rivals: their picks at its end are no part of the answer."""

    def read_attempt(self, moment: AnyPosition, text: Any) -> Actions:
        """Reads the solver's own decisions; picks of others that stand in the text are left to them."""
        return decide(moment, str(text))[0]
