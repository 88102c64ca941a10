"""What clicks do on the board of an exercise: they play a turn, or put pieces into gaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aquakit.board.clicks import Offer
from aquakit.core.options import show
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption
from aquakit.widgets.tasks.exercise import ExercisePanel
from aquakit.widgets.tasks.task import TaskMode
from aquakit.workshop.question import ChooseQuestion, TurnQuestion


class ExerciseMode(TaskMode):
    """Answers an exercise."""

    @property
    def asked(self) -> ExercisePanel:
        """The exercise beside the board."""
        return self.board.beside(ExercisePanel)

    def check_position(self) -> None:
        """Refuses other positions."""
        raise InvalidOption("position", "is the exercise's", "`exercise(name)` for another one")

    def seat(self) -> int | None:
        """Gets the seat of a bot that makes a pick which is another player's in the turn that is asked for."""
        moment = self.board.moment
        is_theirs = self.asked.is_open and moment.played and moment.player != moment.mover
        return super().seat() if is_theirs else None

    def ask(self, position: AnyPosition, picked: Iterable[str]) -> Offer:
        """Offers turns or gaps, as the question wants them."""
        question, gaps = self.asked.question, self.asked.gaps
        if isinstance(question, TurnQuestion):
            return super().ask(position, picked)
        if gaps is not None:
            return gaps.offer(list(picked))
        if picked := list(picked):
            raise InvalidOption("picked", show(picked), "nothing: the answer is not on the board")
        # The form stands beside the board or below it, as there is room.
        return Offer("Choose one of the answers" if isinstance(question, ChooseQuestion) else "Enter a number")

    def carry_out(self, text: str) -> None:
        """Plays actions, or puts a piece into a gap."""
        if self.asked.gaps is None:
            super().carry_out(text)
        else:
            self.asked.gaps.put(text)
            self.board.picked = []

    def take_back(self) -> None:
        """Takes back the last piece or decision."""
        gaps = self.asked.gaps
        if gaps is not None and gaps.filled:
            gaps.filled.popitem()
        elif self.asked.is_begun:
            super().take_back()

    @property
    def can_undo(self) -> bool:
        """Whether an answer was begun."""
        return self.asked.is_open and self.asked.is_begun

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo: never, for an answer is played anew."""
        return False

    def undo(self) -> None:
        """Begins the answer again."""
        if self.asked.is_open:
            self.asked.begin_again()

    def redo(self) -> None:
        """Does nothing: an answer is played anew."""

    def last(self) -> tuple[Any, Any]:
        """Gets the turn that was played; a completed position did not come about by one."""
        return super().last() if self.asked.gaps is None else (None, None)
