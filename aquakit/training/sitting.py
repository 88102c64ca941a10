"""A task while somebody works on it: hints given, answers judged, and what of it is written down.

A ledger belongs to the task and counts; a sitting belongs to a board and says whether one may try, whether an answer is
being judged, or what was said of it. Puzzles and exercises differ only in how they judge and where they are kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

from aquakit.core.options import Tell
from aquakit.errors import InvalidOption
from aquakit.training.attempt import Attempt
from aquakit.training.judging import Judge, Judging
from aquakit.training.verdict import Verdict

Stage = Literal["trying", "checking", "judged"]
"""One may try; an answer is being judged; it is said what it was worth, or the solution is shown."""


class Ledger:
    """What counts of a task: every answer until one was right or the solution was shown; after that it is practice.

    >>> kept = []
    >>> ledger = Ledger(Attempt(at=datetime.now(UTC), task="tiles"), ["Count."], kept.append)
    >>> ledger.hint()
    'Count.'
    >>> ledger.take("7", Verdict(True, "seven tiles"))
    >>> ledger.take("8", Verdict(False, "too many"))
    >>> [(attempt.answer, attempt.outcome, attempt.hints) for attempt in kept]
    [('7', 'right', 1)]
    """

    def __init__(
        self,
        blank: Attempt,
        hints: Sequence[str],
        keep: Callable[[Attempt], object],
        *,
        keeps_every_look: bool = True,
    ) -> None:
        """Begins to count the time. `blank` says what is tried, and `keep` writes an attempt down.

        Without `keeps_every_look`, a solution that is shown after a wrong answer is not written down once more.
        """
        self.hints_taken = 0
        self.help_taken = 0
        """How much other help was taken, counted like hints."""
        self.tries = 0
        """How many answers were judged."""
        self.is_missed = False
        """Whether a wrong answer was given before it was decided."""
        self.is_decided = False
        """Whether it was answered rightly, or the solution was shown."""
        self._blank, self._hints, self._keep = blank, tuple(hints), keep
        self._keeps_every_look = keeps_every_look
        self._begun = time.monotonic()

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints given so far."""
        return self._hints[: self.hints_taken]

    @property
    def hints_left(self) -> int:
        """How many more there are."""
        return len(self._hints) - self.hints_taken

    def hint(self) -> str:
        """Gives the next hint."""
        if not self.hints_left:
            raise InvalidOption("hint", "there is no further one", "an answer, or the solution")
        self.hints_taken += 1
        return self._hints[self.hints_taken - 1]

    def take(self, answer: str, verdict: Verdict) -> None:
        """Counts a judged answer, and writes it down if the task was not decided before."""
        self.tries += 1
        if not self.is_decided:
            self.is_decided, self.is_missed = verdict.right, not verdict.right
            loss = max(0, verdict.loss)
            self._write(replace(self._blank, answer=answer, outcome=verdict.outcome, loss=loss))

    def give_up(self) -> None:
        """Notes that the solution is shown: whoever has not answered rightly before has looked."""
        is_new = not self.is_decided and (self._keeps_every_look or not self.is_missed)
        self.is_decided = True
        if is_new:
            self._write(replace(self._blank, shown=True))

    def _write(self, attempt: Attempt) -> None:
        hints, seconds = self.hints_taken + self.help_taken, time.monotonic() - self._begun
        self._keep(replace(attempt, at=datetime.now(UTC), hints=hints, seconds=seconds))


class Sitting:
    """A task on a board: trying, checking an answer, or judged."""

    def __init__(self, ledger: Ledger, judge: Judge) -> None:
        """Begins with trying."""
        self.ledger = ledger
        self.stage: Stage = "trying"
        self.tried = ""
        """The answer that is or was judged last."""
        self.verdict: Verdict | None = None
        self.judging: Judging | None = None
        """The judging under way."""
        self.shows_solution = False
        self._judge = judge

    def hand_in(self, answer: str, tell: Tell | None = None) -> Judging:
        """Takes an answer and gets its judging, which has to be run."""
        self.stage, self.tried = "checking", answer
        self.judging = Judging(answer, self._judge, tell=tell)
        return self.judging

    def hear(self, judging: Judging) -> Verdict | None:
        """Takes over what a judging found; if that is nothing, one may try again.

        The answer is not written down yet: `write_down` does that when it has been shown.
        """
        self.judging = None
        if judging.verdict is None:
            self.stage, self.tried = "trying", ""
        else:
            self.stage, self.verdict = "judged", judging.verdict
        return judging.verdict

    def write_down(self) -> None:
        """Writes the judged answer down, as far as it counts."""
        assert self.verdict is not None
        self.ledger.take(self.tried, self.verdict)

    def drop(self) -> None:
        """Ends the judging, if there is any: its verdict is not heard."""
        if self.judging is not None:
            self.judging.stop()
        self.judging = None

    def retry(self) -> None:
        """Begins again; what was counted stays counted."""
        self.drop()
        self.stage, self.tried, self.verdict, self.shows_solution = "trying", "", None, False

    def show_solution(self) -> None:
        """Ends the try with the solution; `Ledger.give_up` counts it."""
        self.drop()
        self.stage, self.shows_solution = "judged", True
