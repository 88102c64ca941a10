"""Result files: what a participant answered, one line of JSON for each attempt, which people and programs can read.

Lines are only ever added, each in one step, so that several notebooks can write at once. A line that is damaged is
reported and left out; all others count.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from aquakit.core.files import read_bytes
from aquakit.core.tomlfile import Table, read_table
from aquakit.errors import AquakitError, shorten
from aquakit.training.attempt import MOST_HINTS, Attempt, is_text
from aquakit.training.store import AttemptStore

Word = Literal["right", "wrong", "shown"]
"""What a line says of an answer; shown if only the answer was asked for."""
PATTERN = "results-*.jsonl"
"""How result files are called."""
LARGEST = 8 * 1024 * 1024
"""So many bytes of a result file are read: room for some forty thousand answers."""


class ResultError(AquakitError):
    """A result file cannot be read or written; `where` is the file, and the line."""


Name = Annotated[str, Field(max_length=200)]


class _Line(Table):
    """What a line holds."""

    at: str
    person: Name
    lesson: Name
    exercise: Name
    answer: str
    outcome: Word
    hints: Annotated[int, Field(ge=0, le=MOST_HINTS)]
    seconds: Annotated[float, Field(ge=0, lt=1e9)]


class Damage(NamedTuple):
    """What could not be read."""

    path: Path
    line: int | None
    """The line's number from 1; none if the whole file cannot be read."""
    problem: str

    def __str__(self) -> str:
        return f"{shorten(self.path.name)}{'' if self.line is None else f', line {self.line}'}: {self.problem}"


class Gathered(NamedTuple):
    """What was read from result files."""

    attempts: list[Attempt]
    damages: list[Damage]
    files: dict[Path, set[str]]
    """The people in each file."""


class ResultFile(AttemptStore):
    """The result file of a person, or a copy of it."""

    def __init__(self, path: Path) -> None:
        """Names the file, which is made when something is written."""
        self.path = path

    def append(self, attempt: Attempt) -> None:
        """Writes an attempt down; when this returns, it is safe on the disk."""
        line = json.dumps(_list_values(attempt), ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            try:
                _write_line(handle, line)
            finally:
                os.close(handle)
        except OSError as problem:
            expected = "a folder that may be written"
            raise ResultError(str(self.path), f"cannot be written: {problem.strerror}", expected) from None

    def attempts(self, person: str | None = None) -> list[Attempt]:
        """Lists the attempts of a person, or of all; what cannot be read is left out."""
        return [attempt for attempt in self.read()[0] if person in (None, attempt.person)]

    def read(self) -> tuple[list[Attempt], list[Damage]]:
        """Reads the file as far as it can be read; gets its attempts, and what could not be read."""
        try:
            data = read_bytes(self.path, LARGEST)
        except OSError as problem:
            return [], [Damage(self.path, None, f"cannot be read: {problem.strerror}")]
        attempts, damages = [], []
        for number, line in enumerate(data.split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                attempts.append(_read_line(line))
            except (ValueError, OverflowError, RecursionError) as problem:
                damages.append(Damage(self.path, number, _explain(problem)))
        if not attempts and not damages:
            damages.append(Damage(self.path, None, "holds no attempt"))
        return attempts, damages


def _list_values(attempt: Attempt) -> dict[str, Any]:
    """Gets what a line holds, in its order."""
    return {
        "at": write_time(attempt.at),
        "person": attempt.person,
        "lesson": attempt.lesson,
        "exercise": attempt.task,
        "answer": attempt.answer,
        "outcome": "shown" if attempt.shown else attempt.outcome,
        "hints": attempt.hints,
        "seconds": round(attempt.seconds, 1),
    }


def write_time(at: datetime) -> str:
    """Writes a time as it stands in the file, such as 2026-03-02T20:15:00+00:00."""
    return at.astimezone(UTC).isoformat(timespec="seconds")


def _write_line(handle: int, line: str) -> None:
    """Writes a line in one step; where the line before was cut off, a new one is begun."""
    size = os.lseek(handle, 0, os.SEEK_END)
    if size:
        os.lseek(handle, size - 1, os.SEEK_SET)
        line = line if os.read(handle, 1) == b"\n" else f"\n{line}"
    data = line.encode("utf-8", "backslashreplace")
    if os.write(handle, data) < len(data):
        raise OSError(28, "the disk is full")
    os.fsync(handle)


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Lists result files given as such or by their folder, each once."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(path.rglob(PATTERN)) if os.path.isdir(path) else [path]
        if not inside:
            raise ResultError(str(path), "holds no result files", f"files such as {PATTERN.replace('*', 'Ada')}")
        found |= dict.fromkeys(inside)
    return list(found)


def gather(paths: Iterable[Path]) -> Gathered:
    """Reads result files as far as they can be read; what stands in two files, as copies do, counts once."""
    attempts: dict[Attempt, None] = {}
    made = Gathered([], [], {})
    for path in paths:
        read, damages = ResultFile(path).read()
        attempts |= dict.fromkeys(read)
        made.damages.extend(damages)
        made.files[path] = {attempt.person for attempt in read}
    made.attempts.extend(sorted(attempts, key=lambda attempt: attempt.at))
    return made


def _read_line(line: bytes) -> Attempt:
    data = json.loads(line.decode("utf-8"))
    known = set(_Line.model_fields)
    if not isinstance(data, dict):
        raise ResultError("line", "is no table")
    # A later version may write more.
    read = read_table({k: v for k, v in data.items() if k in known}, _Line, "line", ResultError)
    names = read.person, read.lesson, read.exercise
    if not read.person.strip() or not read.exercise.strip() or not all(map(str.isprintable, names)):
        raise ResultError("line", "holds a name that cannot be")
    if not is_text(read.answer):
        raise ResultError("line: answer", "is no text")
    at = datetime.fromisoformat(read.at)
    if at.utcoffset() is None:
        raise ResultError("line: at", "has no time zone")
    return Attempt(
        at=at.astimezone(UTC).replace(microsecond=0),
        task=read.exercise,
        answer=read.answer,
        outcome="right" if read.outcome == "right" else "wrong",
        hints=read.hints,
        seconds=read.seconds,
        shown=read.outcome == "shown",
        person=read.person,
        lesson=read.lesson,
    )


def _explain(problem: Exception) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return "is damaged: it is no text"
    if isinstance(problem, json.JSONDecodeError | RecursionError):
        return "is damaged: it is no complete line of JSON"
    return f"is damaged: {shorten(str(problem).removeprefix('line: '), 100)}"
