"""What clicks do on a trainer: they answer the puzzle, and go through lines when it has been judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aquakit.board import clicks
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption
from aquakit.puzzle.answering import CHECK
from aquakit.widgets.tasks.puzzle import PuzzlePanel
from aquakit.widgets.tasks.task import TaskMode


class PuzzleMode(TaskMode):
    """Answers a puzzle in the way in which its kind is answered."""

    expected = "another try, or another puzzle"

    @property
    def asked(self) -> PuzzlePanel:
        """The puzzle beside the board."""
        return self.board.beside(PuzzlePanel)

    def check_position(self) -> None:
        """Refuses other positions."""
        raise InvalidOption("position", "is the puzzle's", "`turn_to` for another puzzle")

    def ask(self, position: AnyPosition, picked: Iterable[str]) -> clicks.Offer:
        """Gets what the puzzle leaves of what can be chosen."""
        asked = self.asked
        return asked.way.narrow(super().ask(position, picked), position, asked.list_done())

    def play(self, turn: Any) -> None:
        """Plays a turn, canals or tiles."""
        for action in self.asked.way.read_attempt(self.board.moment, turn):
            self.act(action)

    def choose(self, choice: str) -> None:
        """Picks what is offered, carries it out, or hands in what has been laid."""
        if choice == CHECK:
            self.asked.hand_in(self.asked.way.hand_in(self.asked.list_done()))
        else:
            super().choose(choice)

    def act(self, action: Any) -> None:
        """Carries out an action, by the rules or by the puzzle's own way."""
        after = self.asked.way.act(self.board.moment, action)
        if after is None:
            super().act(action)
        else:
            self.board.picked = []
            self.board.cursor.moment = after

    def take_back(self) -> None:
        """Takes back the last own decision, and what chance decided after it."""
        actions = self.asked.list_done()
        while actions:
            actions.pop()
            self.asked.restart()
            for action in actions:
                self.act(action)
            if not self.board.moment.is_chance:
                return

    # Back and forth

    @property
    def can_undo(self) -> bool:
        """Whether something has been tried, or a step of a line is shown."""
        return bool(self.asked.list_done()) if self.asked.is_open else self.asked.line.at > 0

    @property
    def can_redo(self) -> bool:
        """Whether the line has more steps."""
        return self.asked.line.at < self.asked.line.last

    def undo(self) -> None:
        """Begins the attempt again; in a line, goes one step back."""
        line = self.asked.line
        if line.frames:
            line.go(line.at - 1)
        elif self.asked.is_open:
            self.asked.restart()

    def redo(self) -> None:
        """Goes one step on in a line."""
        self.asked.line.go(self.asked.line.at + 1)
