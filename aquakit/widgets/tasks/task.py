"""What puzzles and exercises on a board share: answers that are judged beside the notebook, and tries that are over."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

import traitlets

from aquakit.board.clicks import Offer
from aquakit.errors import AquakitError, InvalidTurn
from aquakit.training.judging import Judging
from aquakit.training.sitting import Sitting
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_page
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.panel import Panel
from aquakit.widgets.tasks.judging import BackgroundJudging


class TaskPanel(Panel):
    """A task beside a board: what is asked, and what is said of the answer that stands on the board or is handed in."""

    board: Board
    sitting: Sitting
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # What is asked, and what has been said about it so far.
        "task": traitlets.Dict(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Stands beside a board; whoever derives from it says by `sitting` what is asked."""
        super().__init__(board)
        self.background: BackgroundJudging | None = None
        """The judging that was begun last."""

    # What each kind of task says for itself

    def read_board(self) -> str | None:
        """Gets the answer as soon as it is complete on the board."""
        raise NotImplementedError

    def restart(self) -> None:
        """Puts on the board what is asked about."""
        raise NotImplementedError

    def give_answer(self, answer: Any) -> None:
        """Takes an answer that is not clicked on the board."""
        raise NotImplementedError

    def show_solution(self) -> None:
        """Shows an answer and why; whoever has not answered rightly has looked then."""
        raise NotImplementedError

    def show_verdict(self, verdict: Verdict) -> None:
        """Shows on the board what was judged."""
        raise NotImplementedError

    def say_result(self) -> str:
        """Says what stands on the board when the try is over."""
        raise NotImplementedError

    def describe(self) -> dict[str, Any]:
        """Collects what may be seen of the task now, beside how far the answer has come."""
        raise NotImplementedError

    def tell_status(self, status: str) -> None:
        """Hears how far the judging has come."""

    # What people ask of it

    @property
    def is_open(self) -> bool:
        """Whether one may try."""
        return self.sitting.stage == "trying"

    def hint(self) -> None:
        """Gives the next hint."""
        with self.board.changing(wake=False):
            self.sitting.ledger.hint()

    def retry(self) -> None:
        """Begins the task again."""
        with self.board.changing(wake=False):
            self.begin_again()

    def messages(self) -> Mapping[str, Message]:
        """Hears answers, and what else is asked for."""
        return {
            "answer": Message(self.give_answer, text=read_page),
            "hint": Message(self.hint),
            "solution": Message(self.show_solution),
            "retry": Message(self.retry),
        }

    def wait(self, seconds: float) -> None:
        """Waits until nothing is being judged, at most so long."""
        if self.background is not None and not self.background.judging.is_stopped:
            self.background.wait(seconds)

    # Inside a change

    def begin_again(self) -> None:
        """Ends the try, whatever came of it, and begins another one."""
        self.sitting.retry()
        self.restart()

    def hand_in(self, answer: str) -> None:
        """Begins to judge an answer."""
        judging = self.sitting.hand_in(answer, lambda status: self._tell(judging, status))
        self.background = BackgroundJudging(judging, self._judged)

    def settle(self) -> None:
        """Hands in what is complete on the board."""
        answer = self.read_board() if self.is_open else None
        if answer is not None:
            self.hand_in(answer)

    def shown(self) -> Mapping[str, Any]:
        """Shows the task."""
        sitting = self.sitting
        standing = {
            "stage": sitting.stage,
            "tried": sitting.tried,
            "hints": list(sitting.ledger.hints),
            "hints_left": sitting.ledger.hints_left,
        }
        return {"task": {**standing, **self.describe()}}

    def close(self) -> None:
        """Ends the judging."""
        self.sitting.drop()

    # In the thread of the judging

    def _tell(self, judging: Judging, status: str) -> None:
        with self.board.lock:
            if self.sitting.judging is judging:
                self.tell_status(status)

    def _judged(self, judging: Judging) -> None:
        """Shows a verdict and writes the answer down."""
        with self.board.lock:
            if self.sitting.judging is not judging:
                return
            verdict = self.sitting.hear(judging)
            if verdict is None:
                self.restart()
                self.board.tell(judging.failure or RuntimeError("no verdict"))
                return
            # What cannot be written down is said on the board.
            with suppress(AquakitError), self.board.changing(wake=False):
                self.show_verdict(verdict)
                self.sitting.write_down()


class TaskMode(PlayMode):
    """Lets people play until their answer is complete; then the try is over."""

    board: Board
    expected = "another try"
    """What one may do when a try is over."""

    @property
    def asked(self) -> TaskPanel:
        """The task beside the board."""
        return self.board.beside(TaskPanel)

    def check(self, doing: Doing = "play") -> None:
        """Refuses to go on with a try that is over; going back does nothing then."""
        if doing != "back" and not self.asked.is_open:
            raise InvalidTurn("board", "this try is over", self.expected)

    def offer(self) -> Offer:
        """Gets what can be tried; when the try is over, only what is shown."""
        if self.asked.is_open:
            return super().offer()
        is_checked = self.asked.sitting.stage == "checking"
        return Offer("Checking your answer …" if is_checked else self.asked.say_result())

    @property
    def can_back(self) -> bool:
        """Whether an answer was begun that can still be changed."""
        return self.asked.is_open and bool(self.board.picked or self.can_undo)

    def back(self) -> None:
        """Takes back the last pick, or else the last own decision."""
        if self.asked.is_open:
            super().back()

    def earlier(self) -> None:
        """Goes back as far as a try allows."""
        self.undo()

    def later(self) -> None:
        """Goes on as far as a try allows."""
        self.redo()

    def stop(self) -> None:
        """Stops the judging: the answer does not count, and the task begins again."""
        if self.asked.sitting.stage == "checking":
            self.asked.begin_again()
        else:
            super().stop()
