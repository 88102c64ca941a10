"""Remembers what people solved: every attempt, in one file that several notebooks can write at once.

Only attempts are kept. Ratings and what is due are reckoned from them, so there is nothing that two notebooks could
hold differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Self, TypeVar

from aquakit.core.files import write_atomically
from aquakit.errors import InvalidOption, shorten
from aquakit.training.attempt import AskedPuzzle, Attempt, read_time, stamp
from aquakit.training.history import History
from aquakit.training.progress_file import COLUMNS, ProgressFile, find_file, list_values
from aquakit.training.progress_memory import ProgressMemory
from aquakit.training.rating import Rating, draw_rating
from aquakit.training.repetition import PuzzleStanding, follow
from aquakit.training.tables import write_csv
from aquakit.training.verdict import Outcome

P = TypeVar("P", bound=AskedPuzzle)


class Progress:
    """What one person has solved and missed.

    `path` is the file, made if it is not there; without it, `find_file` says which. Several people share a file.

    >>> from tempfile import TemporaryDirectory
    >>> from aquakit import puzzles
    >>> puzzle = puzzles("first-steps")[0]
    >>> with TemporaryDirectory() as folder:
    ...     ada = Progress(f"{folder}/club.sqlite", person="Ada")
    ...     ada.record(puzzle, "b3=+", "wrong", hints=1).state
    ...     ada.attempts()[0].outcome, ada.standing(puzzle).state, ada.rating().value < 1000
    'missed'
    ('wrong', 'missed', True)
    """

    def __init__(self, path: str | Path | None = None, person: str = "me") -> None:
        self.person = _read_person(person)
        self._file: ProgressFile | ProgressMemory = ProgressFile(
            Path(find_file() if path is None else path).expanduser().absolute()
        )

    @classmethod
    def without_file(cls, person: str = "me") -> Self:
        """Remembers while Python runs, and no longer: for where no file can be written.

        >>> from aquakit import puzzles
        >>> progress = Progress.without_file()
        >>> progress.record(puzzles("first-steps")[0], "b3=+", "wrong").state
        'missed'
        >>> progress, progress.path
        (<Progress of me, which is not written down>, None)
        """
        made = cls.__new__(cls)
        made.person, made._file = _read_person(person), ProgressMemory()
        return made

    @property
    def path(self) -> Path | None:
        """The file; none if nothing is written down."""
        return self._file.path

    # Writing

    def record(
        self,
        puzzle: AskedPuzzle,
        attempt: str,
        verdict: Outcome,
        *,
        loss: int | Fraction = 0,
        hints: int = 0,
        seconds: float = 0.0,
        shown: bool = False,
        now: datetime | None = None,
    ) -> PuzzleStanding:
        """Writes an attempt down; when this returns, it is safe on the disk. Gets how the person stands then.

        Who only asks for the solution has missed: an empty attempt that is wrong, with `shown`.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").record(puzzles("first-steps")[0], "b3=+", "right").state
        'known'
        """
        made = Attempt(
            at=read_time(now),
            task=puzzle.id,
            answer=attempt,
            outcome=verdict,
            hints=hints,
            seconds=seconds,
            shown=bool(shown),
            person=self.person,
            fingerprint=stamp(puzzle),
            difficulty=puzzle.difficulty,
            loss=loss,
        )
        with self._file.opened() as file:
            file.append(made)
            return follow(file.attempts(self.person, puzzle))

    def add(self, attempt: Attempt) -> History:
        """Writes an attempt down as this person's, and gets all that is known of the person then.

        >>> from tempfile import TemporaryDirectory
        >>> from datetime import UTC, datetime
        >>> with TemporaryDirectory() as folder:
        ...     tried = Attempt(at=datetime.now(UTC), task="mine-01", answer="b3=+", outcome="right", difficulty=2)
        ...     Progress(f"{folder}/club.sqlite").add(tried).rating().value > 1000
        True
        """
        with self._file.opened() as file:
            file.append(replace(attempt, person=self.person))
            return History(tuple(file.attempts(self.person)))

    def reset(self, person: str) -> int:
        """Forgets everything about this person, who has to be named; gets how many attempts that were.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite", person="Ada").reset("Ada")
        0
        """
        if person != self.person:
            raise InvalidOption("person", shorten(repr(person)), f"{self.person!r}, whose progress this is")
        with self._file.opened() as file:
            return file.forget(person)

    # Reading

    def attempts(self, puzzle: AskedPuzzle | None = None) -> list[Attempt]:
        """Lists the person's attempts in the order in which they were written down, all or those at one puzzle.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").attempts()
        []
        """
        return self._file.attempts(self.person, puzzle)

    def history(self) -> History:
        """Reads all attempts once, to ask several things of them.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").history().attempts
        ()
        """
        return History(tuple(self.attempts()))

    def standing(self, puzzle: AskedPuzzle) -> PuzzleStanding:
        """Gets how the person stands with a puzzle: new, missed, learning or known, and when it comes back.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").standing(puzzles("first-steps")[0]).state
        'new'
        """
        return follow(self.attempts(puzzle))

    def standings(self, puzzles: Iterable[AskedPuzzle]) -> dict[str, PuzzleStanding]:
        """Gets how the person stands with each of many puzzles, by their ids.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     standings = Progress(f"{folder}/club.sqlite").standings(puzzles("first-steps").puzzles)
        >>> standings["first-steps-01"].tries
        0
        """
        return self.history().standings(puzzles)

    def due(self, puzzles: Iterable[P], now: datetime | None = None) -> tuple[P, ...]:
        """Gets what to solve now, in order: missed ones that are due, then new ones nearest to the rating.

        What is known or not due yet is left out; `standings` has it.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     due = Progress(f"{folder}/club.sqlite").due(puzzles("first-steps").puzzles)
        >>> due[0].difficulty
        1
        """
        return self.history().due(puzzles, now)

    def rating(self, now: datetime | None = None) -> Rating:
        """Gets the person's rating; the longer ago the last rated puzzle, the less sure it is.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").rating().value
        1000
        """
        return self.history().rating(now)

    # Tables

    def frame(self) -> Any:
        """Gets the person's attempts as a DataFrame.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     list(Progress(f"{folder}/club.sqlite").frame().columns)[:3]
        ['at', 'puzzle', 'fingerprint']
        """
        rows = [list_values(attempt) | {"at": attempt.at, "loss": float(attempt.loss)} for attempt in self.attempts()]
        kinds = {"difficulty": int, "loss": float, "hints": int, "seconds": float, "shown": bool}
        return _frame(rows, tuple(COLUMNS), kinds)

    def rating_frame(self) -> Any:
        """Gets the attempts that counted for the rating as a DataFrame, with the rating after each.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     len(Progress(f"{folder}/club.sqlite").rating_frame())
        0
        """
        rows = [
            {name: getattr(step.attempt, COLUMNS[name]) for name in ("at", "puzzle", "difficulty")}
            | {"solved": step.attempt.solved, "weight": step.game.weight}
            | {"rating": step.rating.value, "deviation": step.rating.deviation, "volatility": step.rating.volatility}
            for step in self.history().rated
        ]
        kinds = {"difficulty": int, "solved": bool} | dict.fromkeys(
            ("weight", "rating", "deviation", "volatility"), float
        )
        return _frame(rows, ("at", "puzzle", *kinds), kinds)

    def plot_rating(self, ax: Any = None) -> Any:
        """Draws how the rating went, puzzle by puzzle; gets matplotlib's axes.

        >>> from tempfile import TemporaryDirectory
        >>> from matplotlib.figure import Figure
        >>> with TemporaryDirectory() as folder:
        ...     axes = Progress(f"{folder}/club.sqlite").plot_rating(Figure().subplots())
        >>> axes.get_ylabel()
        'rating'
        """
        return draw_rating(self.history().rated, ax)

    def export_csv(self, path: str | Path) -> None:
        """Writes the person's attempts to a CSV file, whole or not at all.

        Where a spreadsheet could take a text for a formula, an apostrophe stands before it.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").export_csv(f"{folder}/club.csv")
        ...     Path(folder, "club.csv").read_text("utf-8")[:24]
        '"person","at","puzzle","'
        """
        attempts = [list_values(attempt) | {"loss": float(attempt.loss)} for attempt in self.attempts()]
        rows = ((self.person, *values.values()) for values in attempts)
        try:
            write_atomically(path, write_csv(("person", *COLUMNS), rows))
        except OSError as problem:
            raise InvalidOption("path", f"{path} cannot be written: {problem.strerror}", "a path in a folder") from None

    def __repr__(self) -> str:
        return f"<Progress of {self.person}{', which is not written down' if self.path is None else f': {self.path}'}>"


def _read_person(person: str) -> str:
    if not isinstance(person, str) or not person.strip() or not person.isprintable() or len(person) > 100:
        raise InvalidOption("person", shorten(repr(person)), "a name of at most 100 letters")
    return person


def _frame(rows: list[dict[str, Any]], columns: tuple[str, ...], kinds: dict[str, type]) -> Any:
    """Makes a DataFrame whose columns have their types even if there are no rows."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns)).astype(kinds | {"at": "datetime64[us, UTC]"})
