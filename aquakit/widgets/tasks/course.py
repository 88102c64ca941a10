"""The way through a set of puzzles: which one is asked, how a person stands with each, and which comes next."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from aquakit.core.words import count
from aquakit.puzzle.model import Puzzle, PuzzleError, PuzzleSet
from aquakit.training.attempt import Attempt
from aquakit.training.history import History
from aquakit.training.progress import Progress
from aquakit.training.rating import Rating
from aquakit.training.repetition import PuzzleStanding

STATES = {"new": "not tried yet", "missed": "missed", "learning": "to be seen again", "known": "solved"}
"""How a person stands with a puzzle, in words."""
RIGHT: dict[str, str] = {
    "hint": "right, but with a hint",
    "again": "right, but not at the first try",
    "step": "right, but once is not enough",
    "shown": "right, but after the solution was shown",
}
"""Why a puzzle comes back although it was answered rightly."""


class PuzzleCourse:
    """A set of puzzles and what one person has done with it.

    The store is read once for each puzzle that is asked or written down, for another notebook may have written.

    >>> from tempfile import TemporaryDirectory
    >>> from aquakit import puzzles
    >>> with TemporaryDirectory() as folder:
    ...     course = PuzzleCourse(puzzles("first-steps"), Progress(f"{folder}/club.sqlite"))
    >>> course.puzzle.difficulty, course.tell_standing(), str(course.rating)
    (1, 'not tried yet', '1000 ± 350')
    """

    puzzle: Puzzle
    """The puzzle that is asked."""
    standings: dict[str, PuzzleStanding]
    rating: Rating

    def __init__(self, puzzles: PuzzleSet, progress: Progress, first: str | None = None) -> None:
        """Begins with the first puzzle that is named, or else with the one that is due."""
        if not len(puzzles):
            raise PuzzleError(puzzles.name, "has no puzzles", "at least one")
        self.puzzles, self.progress = puzzles, progress
        history = self._look_up(progress.history())
        due = (*history.due(puzzles.puzzles), *puzzles.puzzles)
        self.puzzle = due[0] if first is None else puzzles[first]

    @property
    def number(self) -> int:
        """The number of the puzzle in the set, from 1."""
        return [puzzle.id for puzzle in self.puzzles.puzzles].index(self.puzzle.id) + 1

    def find(self, name: str) -> Puzzle:
        """Finds a puzzle by its id, to be asked next."""
        found = self.puzzles[name]
        self._look_up(self.progress.history())
        return found

    def find_next(self) -> Puzzle:
        """Finds the puzzle that is due next; if none is, the one that follows in the set."""
        history = self._look_up(self.progress.history())
        others = (puzzle for puzzle in history.due(self.puzzles.puzzles) if puzzle.id != self.puzzle.id)
        following = (*self.puzzles.puzzles[self.number :], *self.puzzles.puzzles)
        return next(others, following[0])

    def keep(self, attempt: Attempt) -> None:
        """Writes an attempt down, and looks up how the person stands then."""
        self._look_up(self.progress.add(attempt))

    def _look_up(self, history: History) -> History:
        self.standings = history.standings(self.puzzles.puzzles)
        self.rating = history.rating()
        return history

    # In words

    def tell_standing(self, *, is_right: bool = False) -> str:
        """Says how the person stands with the puzzle that is asked, when it comes back, and why if it is solved.

        `is_right` says that the answer on the board is right; if the puzzle counts as missed, that came too late.
        """
        standing = self.standings[self.puzzle.id]
        said = RIGHT.get("shown" if is_right and standing.state == "missed" else standing.why)
        if standing.due is None:
            return STATES[standing.state]
        when = _tell_time(standing.due - datetime.now(UTC))
        return f"{STATES[standing.state]}: {when}" if said is None else f"{said}, so it {when}"

    def tell_tally(self) -> str:
        """Says how the person stands with the set."""
        states = Counter(standing.state for standing in self.standings.values())
        parts = [f"{states['known']} of {count(len(self.puzzles), 'puzzle')} solved"]
        waiting = states["missed"] + states["learning"]
        parts += [f"{waiting} to be seen again"] if waiting else []
        due = sum(standing.is_due(datetime.now(UTC)) for standing in self.standings.values())
        parts += [f"{due} of them now"] if due else []
        return ", ".join(parts)


def _tell_time(left: timedelta) -> str:
    """Says when a puzzle comes back."""
    hours = left.total_seconds() / 3600
    if hours <= 0:
        return "comes back now"
    return f"comes back in {count(round(hours / 24), 'day') if hours >= 36 else count(max(1, round(hours)), 'hour')}"
