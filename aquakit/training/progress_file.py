"""The file in which puzzles' attempts are kept: SQLite, so that several notebooks can write at once.

Whoever opens the file closes it again, so that threads and forked processes share no connection.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from aquakit.errors import AquakitError, shorten
from aquakit.training.attempt import AskedPuzzle, Attempt, check_attempt, stamp
from aquakit.training.store import AttemptStore, find_home

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


COLUMNS = {
    "at": "at",
    "puzzle": "task",
    "fingerprint": "fingerprint",
    "difficulty": "difficulty",
    "attempt": "answer",
    "verdict": "outcome",
    "loss": "loss",
    "hints": "hints",
    "seconds": "seconds",
    "shown": "shown",
}
"""What the file and tables call the fields of an attempt, in their order."""


class InvalidProgress(AquakitError):
    """A progress file is damaged, is none at all or cannot be used; `where` is its path. It is left as it was."""


def find_file() -> Path:
    """Finds the place of the user's own progress file."""
    return find_home() / FILE


class ProgressFile(AttemptStore):
    """A progress file, which several people may share; it is made if it is not there."""

    def __init__(self, path: Path) -> None:
        """Makes the file ready, and looks for damage."""
        self.path = path
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise self._error(f"its folder cannot be made: {problem.strerror}") from None
        with self._connected() as connection:
            self._check(connection)

    @contextmanager
    def opened(self) -> Iterator[OpenedFile]:
        """Opens the file for a moment, to write and read in one go."""
        with self._connected() as connection:
            yield OpenedFile(self, connection)

    def append(self, attempt: Attempt) -> None:
        """Writes an attempt down; when this returns, it is safe on the disk."""
        with self.opened() as file:
            file.append(attempt)

    def attempts(self, person: str | None = None, puzzle: AskedPuzzle | None = None) -> list[Attempt]:
        """Lists the attempts of a person, or of all, in the order in which they were written down."""
        with self.opened() as file:
            return file.attempts(person, puzzle)

    def read(self, number: int, person: str, *row: Any) -> Attempt:
        """Reads a row of the table."""
        values = dict(zip(COLUMNS.values(), row, strict=True))
        try:
            loss, at = _read_loss(values["loss"]), datetime.fromisoformat(values["at"]).astimezone(UTC)
            values |= {"at": at, "loss": int(loss) if loss.denominator == 1 else loss, "shown": bool(values["shown"])}
            return Attempt(person=person, **values)
        except (TypeError, ValueError, OverflowError, ZeroDivisionError) as problem:
            raise self._error(f"is damaged: attempt {number} cannot be read: {problem}", MEND) from None

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
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

    def _error(self, problem: str, expected: str = "") -> InvalidProgress:
        return InvalidProgress(str(self.path), problem, expected)


@dataclass(frozen=True)
class OpenedFile:
    """A progress file while it is open."""

    file: ProgressFile
    connection: sqlite3.Connection

    def append(self, attempt: Attempt) -> None:
        """Writes an attempt down; when this returns, it is safe on the disk."""
        check_attempt(attempt)
        values = list_values(attempt) | {"person": attempt.person, "loss": str(attempt.loss)}
        with self._writing():
            self.connection.execute(
                f"INSERT INTO attempt ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
                tuple(values.values()),
            )

    def attempts(self, person: str | None = None, puzzle: AskedPuzzle | None = None) -> list[Attempt]:
        """Lists the attempts of a person, or of all, at every puzzle or at one."""
        wanted = {"person": person} if person is not None else {}
        if puzzle is not None:
            wanted |= {"puzzle": puzzle.id, "fingerprint": stamp(puzzle)}
        where = " AND ".join(f"{name} = ?" for name in wanted) or "1"
        query = f"SELECT number, person, {', '.join(COLUMNS)} FROM attempt WHERE {where} ORDER BY number"
        return [self.file.read(*row) for row in self.connection.execute(query, tuple(wanted.values())).fetchall()]

    def forget(self, person: str) -> int:
        """Forgets all attempts of a person; gets how many they were."""
        with self._writing():
            return self.connection.execute("DELETE FROM attempt WHERE person = ?", (person,)).rowcount

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield


def list_values(attempt: Attempt) -> dict[str, Any]:
    """Gets the fields of an attempt by the names of the file's columns, times as texts."""
    values = {column: getattr(attempt, field) for column, field in COLUMNS.items()}
    return values | {"at": attempt.at.isoformat(timespec="microseconds")}


def _read_loss(text: str) -> Fraction:
    """Reads a loss as it was written; anything else could take hours to become a fraction, such as 1e999999999."""
    if not re.fullmatch("[0-9]{1,99}(/[0-9]{1,99})?", text):
        raise ValueError(f"{shorten(text)!r} is no loss")
    return Fraction(text)


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
