"""The file in which puzzles' attempts are kept: SQLite, so that several notebooks can write at once."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from aquakit.errors import AquakitError, shorten
from aquakit.keeping.sqlite_file import SqliteFile, find_home, writing
from aquakit.training.attempt import AskedPuzzle, Attempt, check_attempt, stamp
from aquakit.training.store import AttemptStore

FILE = "progress.sqlite"
"""The name of the file in the data folder."""
MARK = int.from_bytes(b"aqua")
"""SQLite's application_id, by which a progress file is known."""
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


class ProgressFile(SqliteFile, AttemptStore):
    """A progress file, which several people may share; it is made if it is not there."""

    noun, error, mark, steps = "progress file", InvalidProgress, MARK, STEPS

    @contextmanager
    def opened(self) -> Iterator[OpenedFile]:
        """Opens the file for a moment, to write and read in one go."""
        with self.connected() as connection:
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
            raise self.fail_damaged(f": attempt {number} cannot be read: {problem}") from None


@dataclass(frozen=True)
class OpenedFile:
    """A progress file while it is open."""

    file: ProgressFile
    connection: sqlite3.Connection

    def append(self, attempt: Attempt) -> None:
        """Writes an attempt down; when this returns, it is safe on the disk."""
        check_attempt(attempt)
        values = list_values(attempt) | {"person": attempt.person, "loss": str(attempt.loss)}
        with writing(self.connection):
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
        with writing(self.connection):
            return self.connection.execute("DELETE FROM attempt WHERE person = ?", (person,)).rowcount


def list_values(attempt: Attempt) -> dict[str, Any]:
    """Gets the fields of an attempt by the names of the file's columns, times as texts."""
    values = {column: getattr(attempt, field) for column, field in COLUMNS.items()}
    return values | {"at": attempt.at.isoformat(timespec="microseconds")}


def _read_loss(text: str) -> Fraction:
    """Reads a loss as it was written; anything else could take hours to become a fraction, such as 1e999999999."""
    if not re.fullmatch("[0-9]{1,99}(/[0-9]{1,99})?", text):
        raise ValueError(f"{shorten(text)!r} is no loss")
    return Fraction(text)
