"""An attempt: one answer of one person to a puzzle or an exercise, as it is written down."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any, Protocol

from aquakit.core.options import read_whole
from aquakit.errors import InvalidOption, shorten
from aquakit.training.verdict import OUTCOMES, Outcome

MOST_HINTS = 1000
"""Nobody can have taken more."""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One try at a task: a puzzle, or an exercise of a lesson."""

    at: datetime
    """When, in UTC."""
    task: str
    """The id of the puzzle or the exercise."""
    answer: str = ""
    """What was tried; empty if only the solution was asked for."""
    outcome: Outcome = "wrong"
    hints: int = 0
    """How many hints had been taken."""
    seconds: float = 0.0
    """How long it took since the question was shown."""
    shown: bool = False
    """Whether the solution had been shown."""
    person: str = ""
    """Whose attempt it is; empty as long as that is not known."""
    lesson: str = ""
    """The lesson of an exercise."""
    fingerprint: str = ""
    """A stamp of what a puzzle asks: an edited puzzle counts anew."""
    difficulty: int = 0
    """The difficulty of a puzzle, from 1."""
    loss: int | Fraction = 0
    """What the answer lost against the best of a puzzle."""

    @property
    def solved(self) -> bool:
        """Whether the task was solved, be it with hints."""
        return self.outcome != "wrong" and not self.shown


class AskedPuzzle(Protocol):
    """What has to be known of a puzzle to write attempts at it down and to bring it back."""

    @property
    def id(self) -> str:
        """Its name."""
        ...

    @property
    def difficulty(self) -> int:
        """How hard it is held to be, from 1 to 5."""
        ...

    @property
    def kind(self) -> str:
        """What kind of question it is."""
        ...

    @property
    def position(self) -> str:
        """The position that is asked about."""
        ...

    @property
    def horizon(self) -> int:
        """How far is to be looked."""
        ...

    @property
    def value(self) -> int | Fraction:
        """What the best answer is worth."""
        ...

    @property
    def given(self) -> Mapping[str, Any]:
        """What else is told."""
        ...


def stamp(puzzle: AskedPuzzle) -> str:
    """Gets the fingerprint of what a puzzle asks; titles, hints and themes may change without it."""
    asked = (puzzle.kind, puzzle.position, puzzle.horizon, str(puzzle.value), puzzle.given)
    text = json.dumps(asked, sort_keys=True, default=str, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


def read_time(now: datetime | None) -> datetime:
    """Reads a time with its zone as UTC; without one, it is now."""
    if now is None:
        return datetime.now(UTC)
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise InvalidOption("now", shorten(repr(now)), "a time with its time zone")
    return now.astimezone(UTC)


def is_text(text: str) -> bool:
    """Checks that a text can be written: JSON may hold halves of characters, which no file takes."""
    return not re.search(r"[\ud800-\udfff]", text)


def check_attempt(attempt: Attempt) -> None:
    """Checks that an attempt can be one, and names what cannot be as `Progress.record` calls it."""
    if not isinstance(attempt.answer, str) or not is_text(attempt.answer):
        raise InvalidOption("attempt", shorten(repr(attempt.answer)), "a text")
    if attempt.outcome not in OUTCOMES:
        raise InvalidOption("verdict", shorten(repr(attempt.outcome)), "right, equal or wrong")
    loss, seconds = attempt.loss, attempt.seconds
    if isinstance(loss, bool) or not isinstance(loss, int | Fraction) or not 0 <= loss < 1e9:
        raise InvalidOption("loss", shorten(repr(loss)), "a whole number or a fraction, from 0")
    read_whole("hints", attempt.hints, most=MOST_HINTS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise InvalidOption("seconds", shorten(repr(seconds)), "a number from 0")
