"""Judges what a board is answered, in the background: an exact verdict may take seconds."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar

from aquakit.puzzle.kinds import find_kind, judge_attempt
from aquakit.puzzle.model import Answer, Puzzle
from aquakit.training.progress import Outcome
from aquakit.training.verdict import Verdict
from aquakit.widgets.background import Background

PAUSE = 0.5
"""So many seconds lie at least between two words about how far it has come."""

V = TypeVar("V")
Told = Callable[["Check", str], None]
"""Hears how far a check has come; called in its thread."""


class Judging(Generic[V]):
    """The judging of an attempt, in the background."""

    def __init__(self, attempt: str, judge: Callable[[], V], heard: Callable[[Any], None]) -> None:
        """Prepares it: `judge` gets the verdict, and `heard` takes it over, in its thread. `start` begins."""
        self.attempt = attempt
        self.verdict: V | None = None
        self.failure: BaseException | None = None
        self._judge, self._heard = judge, heard
        self._stop = threading.Event()
        self._background = Background(self._work, "aquakit judging")

    def start(self) -> Self:
        """Begins to judge."""
        self._background.start()
        return self

    def stop(self) -> None:
        """Makes sure that nothing is heard any more, and asks for an end of the work."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the verdict has been heard, or the work has ended without one."""
        self._background.wait(seconds)

    @property
    def is_working(self) -> bool:
        """Whether it is still at work."""
        return self._background.is_working

    def _work(self) -> None:
        try:
            self.verdict = self._judge()
        except BaseException as problem:  # whatever goes wrong is shown on the board
            self.failure = problem
        if not self._stop.is_set():
            self._heard(self)


class Check(Judging[Verdict]):
    """The judging of an answer to a puzzle, which ends soon after it is stopped."""

    def __init__(
        self,
        puzzle: Puzzle,
        attempt: str,
        model: str,
        answer: Answer,
        heard: Callable[[Check], None],
        told: Told,
    ) -> None:
        """Prepares it; `model` is the attempt that the line of the file's answer begins with."""
        super().__init__(attempt, self._find_verdict, heard)
        self.outcome: Outcome = "wrong"
        self._puzzle, self._model, self._answer, self._told = puzzle, model, answer, told
        self._told_at = -PAUSE

    def _find_verdict(self) -> Verdict:
        verdict = judge_attempt(self._puzzle, self.attempt, self._answer, self._stop, self._say_how_far)
        self.outcome = self._compare(verdict)
        return verdict

    def _say_how_far(self, status: str) -> None:
        if not self._stop.is_set() and time.monotonic() > self._told_at + PAUSE:
            self._told_at = time.monotonic()
            self._told(self, status)

    def _compare(self, verdict: Verdict) -> Outcome:
        """Tells an answer like the file's one from another that is as good."""
        if not verdict.right:
            return "wrong"
        matches = find_kind(self._puzzle.kind).matches
        own = (text for text in self._answer.accepted if matches(self._puzzle, self._model, text))
        return "right" if any(matches(self._puzzle, self.attempt, text) for text in own) else "equal"
