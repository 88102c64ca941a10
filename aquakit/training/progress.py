"""Remembers what people solved: every attempt, in one SQLite file that several notebooks can write at once.

Only attempts are kept. Ratings and what is due are reckoned from them, so there is nothing that two notebooks could
hold differently. Every call opens the file and closes it, so that threads and forked processes share no connection.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from aquakit.core.files import write_atomically
from aquakit.core.options import read_whole
from aquakit.errors import AquakitError, InvalidOption, shorten
from aquakit.training.rating import START, Rating, count_periods, draw_rating, rate
from aquakit.training.repetition import Standing, follow, order

if TYPE_CHECKING:
    from aquakit.puzzle.model import Puzzle

FILE = "progress.sqlite"
"""The name of the file in the data folder."""
MARK = int.from_bytes(b"aqua")
"""SQLite's application_id, by which a progress file is known."""
PATIENCE = 30.0
"""For how many seconds one waits while another program writes."""
STEPS = (
    (
        """
        CREATE TABLE attempt (
          number INTEGER PRIMARY KEY AUTOINCREMENT,
          person TEXT NOT NULL,
          puzzle TEXT NOT NULL,
          fingerprint TEXT NOT NULL,
          difficulty INTEGER NOT NULL CHECK (difficulty BETWEEN 1 AND 5),
          at TEXT NOT NULL,
          attempt TEXT NOT NULL,
          verdict TEXT NOT NULL CHECK (verdict IN ('right', 'equal', 'wrong')),
          loss TEXT NOT NULL,
          hints INTEGER NOT NULL CHECK (hints >= 0),
          seconds REAL NOT NULL CHECK (seconds >= 0),
          shown INTEGER NOT NULL CHECK (shown IN (0, 1))
        )
        """,
        "CREATE INDEX attempt_of_person ON attempt (person, puzzle, fingerprint)",
    ),
)
"""What makes each version of the schema from the one before. Steps are only ever added, for files of all ages exist."""
FORMULA = re.compile(r"(^|[,;\t\r\n])([\s\x00-\x1f\u200b\ufeff]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet could see a formula begin: at a cell's start, or after what it may take for a separator."""

MOVE = "a progress file; name another path, or another folder by AQUAKIT_DATA. The file was not changed"
MEND = (
    "a sound progress file; move this one away together with its neighbours -wal and -shm to begin anew, or put a copy"
    " in its place. The file was not changed"
)
PROBLEMS = {
    sqlite3.SQLITE_NOTADB: ("is no progress file", MOVE),
    sqlite3.SQLITE_CORRUPT: ("is damaged", MEND),
    sqlite3.SQLITE_BUSY: (
        f"another program has been writing for {PATIENCE:.0f} seconds",
        "a file that is free; try again",
    ),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "the path of a file that may be read and written, in a local folder"),
    sqlite3.SQLITE_READONLY: ("cannot be written", "a file and a folder that may be written"),
    sqlite3.SQLITE_FULL: ("the disk is full; nothing was written", "room on the disk"),
}
"""What SQLite may find wrong with the file, and what helps."""

Outcome = Literal["right", "equal", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("right", "equal", "wrong")


class InvalidProgress(AquakitError):
    """A progress file is damaged, is none at all or cannot be used; `where` is its path. It is left as it was."""


@dataclass(frozen=True)
class Attempt:
    """One try at a puzzle."""

    at: datetime
    """When, in UTC."""
    puzzle: str
    """The puzzle's id."""
    fingerprint: str
    """A stamp of what was asked: an edited puzzle counts anew."""
    difficulty: int
    attempt: str
    """What was tried; empty if only the solution was asked for."""
    verdict: Outcome
    loss: int | Fraction
    """What the attempt lost against the best."""
    hints: int
    """How many hints were taken."""
    seconds: float
    """How long it took."""
    shown: bool
    """Whether the solution had been shown."""

    @property
    def solved(self) -> bool:
        """Whether the puzzle was solved, be it with hints."""
        return self.verdict != "wrong" and not self.shown


COLUMNS = tuple(field.name for field in fields(Attempt))


def stamp(puzzle: Puzzle) -> str:
    """Gets the fingerprint of what a puzzle asks; titles, hints and themes may change without it."""
    asked = (puzzle.kind, puzzle.position, puzzle.horizon, str(puzzle.value), puzzle.given)
    text = json.dumps(asked, sort_keys=True, default=str, ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:16]


def find_file() -> Path:
    """Finds the place of the progress file: in the folder that AQUAKIT_DATA names, or in the user's data folder."""
    import platformdirs

    folder = os.environ.get("AQUAKIT_DATA")
    return Path(folder or platformdirs.user_data_path("aquakit", appauthor=False)) / FILE


class Progress:
    """What one person has solved and missed.

    `path` is the file, made if it is not there; without it, `find_file` says which. Several people share a file.

    >>> from tempfile import TemporaryDirectory
    >>> from aquakit import puzzles
    >>> puzzle = puzzles("first-steps")[0]
    >>> with TemporaryDirectory() as folder:
    ...     ada = Progress(f"{folder}/club.sqlite", person="Ada")
    ...     ada.record(puzzle, "b3=+", "wrong", hints=1).state
    ...     ada.attempts()[0].verdict, ada.standing(puzzle).state, ada.rating().value < 1000
    'missed'
    ('wrong', 'missed', True)
    """

    def __init__(self, path: str | Path | None = None, person: str = "me") -> None:
        self.path = Path(find_file() if path is None else path).expanduser().absolute()
        self.person = _read_person(person)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise self._error(f"its folder cannot be made: {problem.strerror}") from None
        with self._opened() as connection:
            self._check(connection)

    # Writing

    def record(
        self,
        puzzle: Puzzle,
        attempt: str,
        verdict: Outcome,
        *,
        loss: int | Fraction = 0,
        hints: int = 0,
        seconds: float = 0.0,
        shown: bool = False,
        now: datetime | None = None,
    ) -> Standing:
        """Writes an attempt down; when this returns, it is safe on the disk. Gets how the person stands then.

        Who only asks for the solution has missed: an empty attempt that is wrong, with `shown`.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").record(puzzles("first-steps")[0], "b3=+", "right").state
        'known'
        """
        made = Attempt(
            at=_read_time(now),
            puzzle=puzzle.id,
            fingerprint=stamp(puzzle),
            difficulty=puzzle.difficulty,
            attempt=_read_text("attempt", attempt),
            verdict=_read_verdict(verdict),
            loss=_read_loss(loss),
            hints=read_whole("hints", hints, most=1000),
            seconds=_read_duration(seconds),
            shown=bool(shown),
        )
        values = vars(made) | {"person": self.person, "at": _write_time(made.at), "loss": str(made.loss)}
        names = ", ".join(values)
        with self._opened() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                f"INSERT INTO attempt ({names}) VALUES ({', '.join('?' * len(values))})", tuple(values.values())
            )
        return self.standing(puzzle)

    def reset(self, person: str) -> int:
        """Forgets everything about this person, who has to be named; gets how many attempts that were.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite", person="Ada").reset("Ada")
        0
        """
        if person != self.person:
            raise InvalidOption("person", shorten(repr(person)), f"{self.person!r}, whose progress this is")
        with self._opened() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            return connection.execute("DELETE FROM attempt WHERE person = ?", (person,)).rowcount

    # Reading

    def attempts(self, puzzle: Puzzle | None = None) -> list[Attempt]:
        """Lists the person's attempts in the order in which they were written down, all or those at one puzzle.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").attempts()
        []
        """
        where, values = "person = ?", [self.person]
        if puzzle is not None:
            where += " AND puzzle = ? AND fingerprint = ?"
            values += [puzzle.id, stamp(puzzle)]
        query = f"SELECT number, {', '.join(COLUMNS)} FROM attempt WHERE {where} ORDER BY number"
        with self._opened() as connection:
            rows = connection.execute(query, values).fetchall()
        return [self._read(*row) for row in rows]

    def standing(self, puzzle: Puzzle) -> Standing:
        """Gets how the person stands with a puzzle: new, missed, learning or known, and when it comes back.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").standing(puzzles("first-steps")[0]).state
        'new'
        """
        return follow(self.attempts(puzzle))

    def standings(self, puzzles: Iterable[Puzzle]) -> dict[str, Standing]:
        """Gets how the person stands with each of many puzzles, by their ids.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     standings = Progress(f"{folder}/club.sqlite").standings(puzzles("first-steps").puzzles)
        >>> standings["first-steps-01"].tries
        0
        """
        tried: defaultdict[tuple[str, str], list[Attempt]] = defaultdict(list)
        for attempt in self.attempts():
            tried[attempt.puzzle, attempt.fingerprint].append(attempt)
        return {puzzle.id: follow(tried.get((puzzle.id, stamp(puzzle)), ())) for puzzle in puzzles}

    def due(self, puzzles: Iterable[Puzzle], now: datetime | None = None) -> tuple[Puzzle, ...]:
        """Gets what to solve now, in order: missed ones that are due, then new ones nearest to the rating.

        What is known or not due yet is left out; `standings` has it.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     due = Progress(f"{folder}/club.sqlite").due(puzzles("first-steps").puzzles)
        >>> due[0].difficulty
        1
        """
        chosen, now = tuple(puzzles), _read_time(now)
        return order(chosen, self.standings(chosen), self.rating(now), now)

    def rating(self, now: datetime | None = None) -> Rating:
        """Gets the person's rating; the longer ago the last rated puzzle, the less sure it is.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").rating().value
        1000
        """
        *_, last = (None, *rate(self.attempts()))
        return START if last is None else last.rating.after(count_periods(last.attempt.at, _read_time(now)))

    # Tables

    def frame(self) -> Any:
        """Gets the person's attempts as a DataFrame.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     list(Progress(f"{folder}/club.sqlite").frame().columns)[:3]
        ['at', 'puzzle', 'fingerprint']
        """
        rows = [vars(attempt) | {"loss": float(attempt.loss)} for attempt in self.attempts()]
        kinds = {"difficulty": int, "loss": float, "hints": int, "seconds": float, "shown": bool}
        return _frame(rows, COLUMNS, kinds)

    def rating_frame(self) -> Any:
        """Gets the attempts that counted for the rating as a DataFrame, with the rating after each.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     len(Progress(f"{folder}/club.sqlite").rating_frame())
        0
        """
        rows = [
            {name: getattr(step.attempt, name) for name in ("at", "puzzle", "difficulty")}
            | {"solved": step.attempt.solved, "weight": step.game.weight}
            | {"rating": step.rating.value, "deviation": step.rating.deviation, "volatility": step.rating.volatility}
            for step in rate(self.attempts())
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
        return draw_rating(list(rate(self.attempts())), ax)

    def export_csv(self, path: str | Path) -> None:
        """Writes the person's attempts to a CSV file, whole or not at all.

        Where a spreadsheet could take a text for a formula, an apostrophe stands before it.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Progress(f"{folder}/club.sqlite").export_csv(f"{folder}/club.csv")
        ...     Path(folder, "club.csv").read_text("utf-8")[:24]
        '"person","at","puzzle","'
        """
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        table.writerow(("person", *COLUMNS))
        for attempt in self.attempts():
            row = vars(attempt) | {"at": _write_time(attempt.at), "loss": float(attempt.loss)}
            table.writerow(_guard(cell) for cell in (self.person, *row.values()))
        try:
            write_atomically(path, text.getvalue())
        except OSError as problem:
            raise InvalidOption("path", f"{path} cannot be written: {problem.strerror}", "a path in a folder") from None

    def __repr__(self) -> str:
        return f"<Progress of {self.person}: {self.path}>"

    # The file

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Opens the file for a moment, made ready if it is new or of an older version."""
        try:
            with closing(sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)) as connection:
                if self._find_version(connection) < len(STEPS):
                    self._check(connection)
                    _use_wal(connection)
                    migrate(connection)
                yield connection
        except sqlite3.Error as problem:
            raise self._error(*_explain(problem)) from problem

    def _find_version(self, connection: sqlite3.Connection) -> int:
        """Finds the schema's version; 0 is a file without anything. Nothing is written before this is known."""
        mark, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if (mark, version, tables) != (0, 0, 0) and mark != MARK:
            raise self._error("is a database of another program", MOVE)
        if version > len(STEPS):
            raise self._error(
                f"is of version {version}, made by a newer aquakit", f"version {len(STEPS)}; update aquakit"
            )
        return int(version)

    def _check(self, connection: sqlite3.Connection) -> None:
        """Looks for damage before anything is read or written."""
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise self._error(f"is damaged: {shorten(found)}", MEND)

    def _read(self, number: int, at: str, *rest: Any) -> Attempt:
        values = dict(zip(COLUMNS[1:], rest, strict=True))
        try:
            loss = Fraction(values["loss"])
            values |= {"loss": int(loss) if loss.denominator == 1 else loss, "shown": bool(values["shown"])}
            return Attempt(at=datetime.fromisoformat(at).astimezone(UTC), **values)
        except (TypeError, ValueError, ZeroDivisionError) as problem:
            raise self._error(f"is damaged: attempt {number} cannot be read: {problem}", MEND) from None

    def _error(self, problem: str, expected: str = "") -> InvalidProgress:
        return InvalidProgress(str(self.path), problem, expected)


def _explain(problem: sqlite3.Error) -> tuple[str, str]:
    """Says what SQLite could not do, and what helps."""
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF  # the rest of an extended code tells more than is needed
    text, expected = PROBLEMS.get(code, ("cannot be used", ""))
    return f"{text} ({problem})", expected


def _use_wal(connection: sqlite3.Connection) -> None:
    """Lets others read while one writes; SQLite does not wait by itself for those who are at this too."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)


def migrate(connection: sqlite3.Connection, steps: Sequence[Sequence[str]] = STEPS) -> None:
    """Brings a file to the newest version of the schema, in one go or not at all."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        version = connection.execute("PRAGMA user_version").fetchone()[0]  # another program may have been quicker
        for statements in steps[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {MARK}")
        connection.execute(f"PRAGMA user_version = {max(version, len(steps))}")


# Values


def _read_person(person: str) -> str:
    if not isinstance(person, str) or not person.strip() or not person.isprintable() or len(person) > 100:
        raise InvalidOption("person", shorten(repr(person)), "a name of at most 100 letters")
    return person


def _read_text(name: str, text: str) -> str:
    if not isinstance(text, str) or re.search(r"[\ud800-\udfff]", text):
        raise InvalidOption(name, shorten(repr(text)), "a text")
    return text


def _read_verdict(verdict: str) -> Outcome:
    for known in OUTCOMES:
        if verdict == known:
            return known
    raise InvalidOption("verdict", shorten(repr(verdict)), "right, equal or wrong")


def _read_loss(loss: int | Fraction) -> int | Fraction:
    if isinstance(loss, bool) or not isinstance(loss, int | Fraction) or not 0 <= loss < 1e9:
        raise InvalidOption("loss", shorten(repr(loss)), "a whole number or a fraction, from 0")
    return loss


def _read_duration(seconds: float) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise InvalidOption("seconds", shorten(repr(seconds)), "a number from 0")
    return float(seconds)


def _read_time(now: datetime | None) -> datetime:
    if now is None:
        return datetime.now(UTC)
    if not isinstance(now, datetime) or now.utcoffset() is None:
        raise InvalidOption("now", shorten(repr(now)), "a time with its time zone")
    return now.astimezone(UTC)


def _write_time(at: datetime) -> str:
    return at.isoformat(timespec="microseconds")


def _guard(cell: Any) -> Any:
    return FORMULA.sub(r"\1\2'", cell) if isinstance(cell, str) else cell


def _frame(rows: list[dict[str, Any]], columns: tuple[str, ...], kinds: dict[str, type]) -> Any:
    """Makes a DataFrame whose columns have their types even if there are no rows."""
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns)).astype(kinds | {"at": "datetime64[us, UTC]"})
