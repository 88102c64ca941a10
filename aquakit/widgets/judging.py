"""Judges what a trainer is answered, in the background: an exact verdict may take seconds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from aquakit.puzzle.kinds import Verdict, find_kind
from aquakit.puzzle.model import Puzzle
from aquakit.puzzle.progress import Outcome


class Check:
    """The judging of an attempt, in a thread of its own, since it may take seconds."""

    def __init__(self, puzzle: Puzzle, attempt: str, model: str, accepted: Sequence[str], heard: Heard) -> None:
        """Prepares it; `model` is the answer in the puzzle's file. `start` begins."""
        self.attempt = attempt
        self.verdict: Verdict | None = None
        self.outcome: Outcome = "wrong"
        self.failure: BaseException | None = None
        self._puzzle, self._model, self._accepted, self._heard = puzzle, model, accepted, heard
        self._thread = threading.Thread(target=self._work, name="aquakit judging", daemon=True)

    def start(self) -> None:
        """Begins to judge."""
        self._thread.start()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the verdict has been heard."""
        self._thread.join(seconds)

    def _work(self) -> None:
        try:
            self.verdict = find_kind(self._puzzle.kind).judge(self._puzzle, self.attempt)
            self.outcome = self._compare(self.verdict)
        except BaseException as problem:  # whatever goes wrong is shown on the board
            self.failure = problem
        self._heard(self)

    def _compare(self, verdict: Verdict) -> Outcome:
        """Tells an answer like the file's one from another that is as good."""
        if not verdict.best:
            return "wrong"
        matches = find_kind(self._puzzle.kind).matches
        own = (answer for answer in self._accepted if matches(self._puzzle, self._model, answer))
        return "right" if any(matches(self._puzzle, self.attempt, answer) for answer in own) else "equal"


Heard = Callable[[Check], None]
"""Takes over a verdict; called in the thread of the check."""
