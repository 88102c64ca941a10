"""Result files: what a participant answered, one line of JSON for each attempt, which people and programs can read.

Lines are only ever added, each in one step, so that several notebooks can write at once. A line that is damaged is
reported and left out; all others count.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from aquakit.core.tomlfile import Table, read_table
from aquakit.errors import AquakitError, shorten

Outcome = Literal["right", "wrong", "shown"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
PATTERN = "results-*.jsonl"
"""How result files are called."""


class ResultError(AquakitError):
    """A result file cannot be read or written; `where` is the file, and the line."""


@dataclass(frozen=True)
class Attempt:
    """One answer to an exercise."""

    at: str
    """When, in UTC, as 2026-03-02T20:15:00+00:00."""
    person: str
    lesson: str
    exercise: str
    answer: str
    """What was answered; empty if only the answer was asked for."""
    outcome: Outcome
    """right, wrong, or shown if the answer was asked for."""
    hints: int
    """How many hints had been taken."""
    seconds: float
    """How long it took since the question was shown."""

    def of(self, person: str) -> Attempt:
        """Gets the attempt as that of a person."""
        return replace(self, person=person)


class _Line(Table):
    """What a line holds."""

    at: str
    person: str
    lesson: str
    exercise: str
    answer: str
    outcome: Outcome
    hints: int
    seconds: float


class Damage(NamedTuple):
    """What could not be read."""

    path: Path
    line: int | None
    """The line's number from 1; none if the whole file cannot be read."""
    problem: str

    def __str__(self) -> str:
        return f"{self.path.name}{'' if self.line is None else f', line {self.line}'}: {self.problem}"


class Gathered(NamedTuple):
    """What was read from result files."""

    attempts: list[Attempt]
    damages: list[Damage]
    files: dict[Path, set[str]]
    """The people in each file."""


def now() -> str:
    """Gets the time as it is written down."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def append(path: Path, attempt: Attempt) -> None:
    """Adds an attempt to a result file, which is made if it is not there."""
    line = json.dumps(asdict(attempt), ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            _write_line(handle, line)
        finally:
            os.close(handle)
    except OSError as problem:
        raise ResultError(str(path), f"cannot be written: {problem.strerror}", "a folder that may be written") from None


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
        inside = sorted(path.rglob(PATTERN)) if path.is_dir() else [path]
        if not inside:
            raise ResultError(str(path), "holds no result files", f"files such as {PATTERN.replace('*', 'Ada')}")
        found |= dict.fromkeys(inside)
    return list(found)


def gather(paths: Iterable[Path]) -> Gathered:
    """Reads result files as far as they can be read; what stands in two files, as copies do, counts once."""
    attempts: dict[Attempt, None] = {}
    made = Gathered([], [], {})
    for path in paths:
        read, damages = read_results(path)
        attempts |= dict.fromkeys(read)
        made.damages.extend(damages)
        made.files[path] = {attempt.person for attempt in read}
    made.attempts.extend(sorted(attempts, key=lambda attempt: attempt.at))
    return made


def read_results(path: Path) -> tuple[list[Attempt], list[Damage]]:
    """Reads a result file; gets its attempts, and what could not be read."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        return [], [Damage(path, None, f"cannot be read: {problem.strerror}")]
    attempts, damages = [], []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            attempts.append(_read_line(line))
        except (ValueError, RecursionError) as problem:
            damages.append(Damage(path, number, _explain(problem)))
    if not attempts and not damages:
        damages.append(Damage(path, None, "holds no attempt"))
    return attempts, damages


def _read_line(line: bytes) -> Attempt:
    data = json.loads(line.decode("utf-8"))
    known = {field.name for field in fields(Attempt)}
    if not isinstance(data, dict):
        raise ResultError("line", "is no table")
    # A later version may write more.
    read = read_table({k: v for k, v in data.items() if k in known}, _Line, "line", ResultError)
    if not read.person.strip() or not read.exercise.strip() or read.hints < 0 or not 0 <= read.seconds < 1e9:
        raise ResultError("line", "holds values that cannot be")
    at = datetime.fromisoformat(read.at)
    if at.utcoffset() is None:
        raise ResultError("line: at", "has no time zone")
    values: dict[str, Any] = read.model_dump()
    return Attempt(**values | {"at": at.astimezone(UTC).isoformat(timespec="seconds")})


def _explain(problem: Exception) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return "is damaged: it is no text"
    if isinstance(problem, json.JSONDecodeError | RecursionError):
        return "is damaged: it is no complete line of JSON"
    return f"is damaged: {shorten(str(problem).removeprefix('line: '), 100)}"
