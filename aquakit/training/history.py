"""A person's attempts at puzzles, read once, and all that is reckoned from them: standings, what is due, the rating."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from aquakit.training.attempt import AskedPuzzle, Attempt, read_time, stamp
from aquakit.training.rating import START, Rated, Rating, count_periods, rate
from aquakit.training.repetition import PuzzleStanding, follow, order

P = TypeVar("P", bound=AskedPuzzle)


@dataclass(frozen=True)
class History:
    """What one person tried, in the order in which it was written down.

    >>> History(()).rating().value
    1000
    """

    attempts: tuple[Attempt, ...]

    @cached_property
    def rated(self) -> tuple[Rated, ...]:
        """The attempts that counted for the rating, with the rating after each."""
        return tuple(rate(self.attempts))

    @cached_property
    def _tried(self) -> dict[tuple[str, str], list[Attempt]]:
        tried: defaultdict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for attempt in self.attempts:
            tried[attempt.task, attempt.fingerprint].append(attempt)
        return dict(tried)

    def standing(self, puzzle: AskedPuzzle) -> PuzzleStanding:
        """Gets how the person stands with a puzzle."""
        return follow(self._tried.get((puzzle.id, stamp(puzzle)), ()))

    def standings(self, puzzles: Iterable[AskedPuzzle]) -> dict[str, PuzzleStanding]:
        """Gets how the person stands with each of many puzzles, by their ids."""
        return {puzzle.id: self.standing(puzzle) for puzzle in puzzles}

    def due(self, puzzles: Iterable[P], now: datetime | None = None) -> tuple[P, ...]:
        """Gets what to solve now, in order: missed ones that are due, then new ones nearest to the rating."""
        chosen, now = tuple(puzzles), read_time(now)
        return order(chosen, self.standings(chosen), self.rating(now), now)

    def rating(self, now: datetime | None = None) -> Rating:
        """Gets the rating; the longer ago the last rated puzzle, the less sure it is."""
        if not self.rated:
            return START
        last = self.rated[-1]
        return last.rating.after(count_periods(last.attempt.at, read_time(now)))
