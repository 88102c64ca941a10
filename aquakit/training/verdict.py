"""Says what an answer is worth, be it to a puzzle or to an exercise."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Outcome = Literal["right", "equal", "wrong"]
"""What became of an answer; equal is another one than the expected, but as good."""
OUTCOMES: tuple[Outcome, ...] = ("right", "equal", "wrong")


class JudgingStopped(Exception):
    """Somebody ended the judging before there was a verdict."""


@dataclass(frozen=True)
class Reason:
    """A step of what comes of an attempt, where turns cannot show it."""

    text: str
    note: str = ""
    player: int | None = None
    """Whose doing it is, 1-based; nobody's in particular if there is none."""
    on: str = ""
    """The square or the aqueduct that it is about."""
    label: str = ""
    """What is written there on a board."""
    step: int = 0
    """The step of the refutation that it is about, from 1."""

    def __str__(self) -> str:
        return f"{self.text}: {self.note}" if self.note else self.text


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer: whether it is right and why; of a puzzle's one, also what it is worth.

    >>> Verdict(False, "8 is too small.").loss
    0
    """

    right: bool
    """Whether it is right; of a puzzle, whether the full value is still reached."""
    words: str
    """The reason, in plain words with numbers: one sentence without its stop of a puzzle, whole ones of an exercise."""
    value: int | Fraction | None = None
    """What the attempt is worth at best; none where nothing is counted, as in exercises."""
    loss: int | Fraction = 0
    """What the attempt loses against the best."""
    refutation: str = ""
    """The best line after it, whole turns joined by " / "; empty if there is none to show.

    Where others still decide in the attempt's own turn, the line begins with the rest of that turn.
    """
    reasons: tuple[Reason, ...] = ()
    """What comes of it step by step, where turns cannot show that."""
    is_bound: bool = False
    """Whether only bounds are known: it may be worth less, and lose more."""
    is_other: bool = False
    """Whether it is as good as the answer that was expected, but another one."""

    @property
    def outcome(self) -> Outcome:
        """What is written down of it.

        >>> Verdict(True, "so it is", is_other=True).outcome
        'equal'
        """
        if not self.right:
            return "wrong"
        return "equal" if self.is_other else "right"
