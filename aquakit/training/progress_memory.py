"""Attempts that are kept while Python runs, for where no file can be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from aquakit.training.attempt import AskedPuzzle, Attempt, check_attempt, stamp


class ProgressMemory:
    """What a progress file is asked, answered from memory."""

    path = None

    def __init__(self) -> None:
        """Begins with nothing."""
        self._attempts: list[Attempt] = []

    @contextmanager
    def opened(self) -> Iterator[Self]:
        """Is open always."""
        yield self

    def append(self, attempt: Attempt) -> None:
        """Keeps an attempt."""
        check_attempt(attempt)
        self._attempts.append(attempt)

    def attempts(self, person: str | None = None, puzzle: AskedPuzzle | None = None) -> list[Attempt]:
        """Lists the attempts of a person, or of all, at every puzzle or at one."""
        asked = None if puzzle is None else (puzzle.id, stamp(puzzle))
        return [
            attempt
            for attempt in self._attempts
            if person in (None, attempt.person) and asked in (None, (attempt.task, attempt.fingerprint))
        ]

    def forget(self, person: str) -> int:
        """Forgets all attempts of a person; gets how many they were."""
        kept = [attempt for attempt in self._attempts if attempt.person != person]
        number, self._attempts = len(self._attempts) - len(kept), kept
        return number
