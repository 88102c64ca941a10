"""A small SQLite file of the kit's own, so that several notebooks can write at once.

Whoever opens the file closes it again, so that threads and forked processes share no connection.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import ClassVar

from aquakit.errors import AquakitError, shorten

Steps = Sequence[Sequence[str]]
"""What makes each version of a schema from the one before. Steps are only ever added, for files of all ages exist."""

PROBLEMS = {
    sqlite3.SQLITE_BUSY: ("another program has been writing for too long", "a file that is free; try again"),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", "the path of a file that may be read and written, in a local folder"),
    sqlite3.SQLITE_READONLY: ("cannot be written", "a file and a folder that may be written"),
    sqlite3.SQLITE_FULL: ("the disk is full; nothing was written", "room on the disk"),
}
"""What SQLite may find wrong with whatever file, and what helps."""


def find_home() -> Path:
    """Finds the folder for what people did: the one that AQUAKIT_DATA names, or the user's data folder."""
    import platformdirs

    folder = os.environ.get("AQUAKIT_DATA")
    return Path(folder or platformdirs.user_data_path("aquakit", appauthor=False))


class SqliteFile:
    """A file of one kind, which is made if it is not there; one that is damaged or another program's is left alone."""

    noun: ClassVar[str]
    """What people call it."""
    error: ClassVar[type[AquakitError]]
    """What is raised where it cannot be used; `where` is its path."""
    mark: ClassVar[int]
    """SQLite's application_id, by which a file of this kind is known."""
    steps: ClassVar[Steps]
    patience: ClassVar[float] = 30.0
    """For how many seconds one waits while another program writes."""

    def __init__(self, path: Path) -> None:
        """Makes the file ready, and looks for damage."""
        self.path = path
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise self.fail(f"its folder cannot be made: {problem.strerror}") from None
        with self.connected() as connection:
            self._check(connection)

    @contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        """Opens the file for a moment, made ready if it is new or of an older version."""
        try:
            with closing(sqlite3.connect(self.path, timeout=self.patience, isolation_level=None)) as connection:
                if self._find_version(connection) < len(self.steps):
                    self._check(connection)
                    self._use_wal(connection)
                    migrate(connection, self.mark, self.steps)
                yield connection
        except sqlite3.Error as problem:
            raise self._explain(problem) from problem

    def fail(self, problem: str, expected: str = "") -> AquakitError:
        """Creates the error about this file."""
        return self.error(str(self.path), problem, expected)

    def fail_damaged(self, problem: str) -> AquakitError:
        """Creates the error about a file in which something cannot be read."""
        mend = "move this one away together with its neighbours -wal and -shm to begin anew, or put a copy in its place"
        return self.fail(f"is damaged{problem}", f"a sound {self.noun}; {mend}. The file was not changed")

    def _fail_foreign(self, problem: str) -> AquakitError:
        move = "name another path, or another folder by AQUAKIT_DATA. The file was not changed"
        return self.fail(problem, f"a {self.noun}; {move}")

    def _find_version(self, connection: sqlite3.Connection) -> int:
        """Finds the schema's version; 0 is a file without anything. Nothing is written before this is known."""
        mark, version, tables = connection.execute(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
            " FROM pragma_application_id, pragma_user_version"
        ).fetchone()
        if (mark, version, tables) != (0, 0, 0) and mark != self.mark:
            raise self._fail_foreign("is a database of another program")
        if version > len(self.steps):
            raise self.fail(
                f"is of version {version}, made by a newer aquakit", f"version {len(self.steps)}; update aquakit"
            )
        return int(version)

    def _check(self, connection: sqlite3.Connection) -> None:
        """Looks for damage before anything is read or written."""
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise self.fail_damaged(f": {shorten(found)}")

    def _explain(self, problem: sqlite3.Error) -> AquakitError:
        """Says what SQLite could not do, and what helps."""
        code = find_code(problem)
        if code == sqlite3.SQLITE_NOTADB:
            return self._fail_foreign(f"is no {self.noun} ({problem})")
        if code == sqlite3.SQLITE_CORRUPT:
            return self.fail_damaged(f" ({problem})")
        text, expected = PROBLEMS.get(code, ("cannot be used", ""))
        return self.fail(f"{text} ({problem})", expected)

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        """Lets others read while one writes; SQLite does not wait by itself for those who are at this too."""
        end = time.monotonic() + self.patience
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as problem:
                if find_code(problem) != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.01)


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Frames what is written in one go or not at all."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


def migrate(connection: sqlite3.Connection, mark: int, steps: Steps) -> None:
    """Brings a file to the newest version of the schema, in one go or not at all."""
    with writing(connection):
        version = connection.execute("PRAGMA user_version").fetchone()[0]  # another program may have been quicker
        for statements in steps[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {mark}")
        connection.execute(f"PRAGMA user_version = {max(version, len(steps))}")


def find_code(problem: BaseException | None) -> int:
    """Gets SQLite's plain code of an error; the rest of an extended code tells more than is needed."""
    return int(getattr(problem, "sqlite_errorcode", 0)) & 0xFF
