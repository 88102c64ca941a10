"""Proves puzzles again, from their positions alone, and says what in their files is different.

Compared are the value, the accepted answers, the margin, the line, which must be legal, begin with an accepted answer
and reach the value, and the themes. How a proof was found may change from one version to the next.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from aquakit.core.words import join
from aquakit.errors import AquakitError
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Answer, Proof, Puzzle, PuzzleError, PuzzleSet

WORKERS = 2
"""Processes that prove side by side."""


@dataclass(frozen=True)
class Difference:
    """Something in a puzzle's file that is not what was proved."""

    file: str
    puzzle: str
    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.puzzle}: {self.field}: {self.problem}"


@dataclass(frozen=True)
class Checked:
    """A puzzle that was proved again."""

    file: str
    puzzle: str
    differences: tuple[Difference, ...]
    seconds: float


@dataclass(frozen=True)
class Task:
    """A puzzle to be proved again, with what its file says."""

    file: str
    puzzle: Puzzle
    answer: Answer


# What is to be checked


def find_files(paths: Iterable[str | Path]) -> list[Path]:
    """Lists the files of puzzles among some paths, those in folders among them, each once."""
    found = list[Path]()
    for path in map(Path, paths):
        files = sorted(path.glob("*.toml")) if os.path.isdir(path) else [path]
        if not files:
            raise PuzzleError(str(path), "holds no .toml file", "a file or a folder of puzzles")
        found += files
    return list(dict.fromkeys(found))


def list_tasks(paths: Iterable[str | Path], *, only: Iterable[str] = (), tags: Iterable[str] = ()) -> list[Task]:
    """Reads files and folders, and lists their puzzles: all, or those with some ids or some tags."""
    names, marks = set(only), set(tags)
    tasks = [
        Task(str(file), puzzle, made.answers[puzzle.id])
        for file in find_files(paths)
        for made in [PuzzleSet.load(file)]
        for puzzle in made.puzzles
    ]
    _check_names(tasks, names)
    if not names and not marks:
        return tasks
    chosen = [task for task in tasks if task.puzzle.id in names or marks & set(task.puzzle.tags)]
    if not chosen:
        raise PuzzleError("tag", f"no puzzle has {join(sorted(marks), 'or')}", "a tag that puzzles have")
    return chosen


def _check_names(tasks: list[Task], names: set[str]) -> None:
    """Refuses ids that stand in two files, and ids asked for that stand in none."""
    files: dict[str, str] = {}
    for task in tasks:
        other = files.setdefault(task.puzzle.id, task.file)
        if other != task.file:
            raise PuzzleError(f"{task.file}: {task.puzzle.id}: id", f"stands in {other} too", "a name of its own")
    for name in sorted(names - set(files)):
        raise PuzzleError("only", f"there is no puzzle {name!r}", "an id in these files")


# Checking


def check_all(tasks: list[Task], workers: int = WORKERS) -> Iterator[Checked]:
    """Proves puzzles again, some side by side, and tells of each when it is done."""
    from aquakit.engine.matches.match import processes

    if workers == 1 or len(tasks) == 1:
        yield from map(check, tasks)
        return
    with processes(min(workers, len(tasks))) as pool:
        waiting: set[Future[Checked]] = {pool.submit(check, task) for task in tasks}
        while waiting:
            done, waiting = wait(waiting, timeout=1, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def check(task: Task) -> Checked:
    """Proves one puzzle again and compares."""
    begun = time.perf_counter()
    found = list[Difference]()
    try:
        found += (Difference(task.file, task.puzzle.id, *rest) for rest in compare(task.puzzle, task.answer))
    except Exception as problem:  # one broken puzzle must not hide what is wrong with all others
        found.append(Difference(task.file, task.puzzle.id, "check", f"{type(problem).__name__}: {problem}"))
    return Checked(task.file, task.puzzle.id, tuple(found), time.perf_counter() - begun)


def compare(puzzle: Puzzle, answer: Answer) -> Iterator[tuple[str, str]]:
    """Proves a puzzle and lists what is different: the field and what is wrong with it."""
    try:
        proof = find_kind(puzzle.kind).prove(puzzle)
    except AquakitError as problem:
        yield "proof", str(problem).removeprefix(f"{puzzle.id}: ")
        return
    except Exception as problem:  # one broken puzzle must not hide what is wrong with all others
        yield "proof", f"{type(problem).__name__}: {problem}"
        return
    yield from _compare_numbers(puzzle, answer, proof)
    yield from _compare_accepted(answer, proof)
    line = list(_compare_line(puzzle, answer, proof))
    yield from line
    if not line:
        yield from _compare_themes(puzzle, replace(proof, line=answer.line))


def _compare_numbers(puzzle: Puzzle, answer: Answer, proof: Proof) -> Iterator[tuple[str, str]]:
    for field, stored, proved in (("value", puzzle.value, proof.value), ("margin", answer.margin, proof.margin)):
        if stored != proved:
            yield field, f"is {_tell(stored)}, but {_tell(proved)} is proved"


def _tell(number: int | Fraction | None) -> str:
    return "missing" if number is None else str(number)


def _compare_accepted(answer: Answer, proof: Proof) -> Iterator[tuple[str, str]]:
    stored, proved = set(answer.accepted), set(proof.accepted)
    yield from (("accepted", f"{text!r} is missing") for text in sorted(proved - stored))
    yield from (("accepted", f"{text!r} is not among the proved answers") for text in sorted(stored - proved))
    yield from (("accepted", f"{text!r} stands twice") for text in sorted(stored) if answer.accepted.count(text) > 1)


def _compare_line(puzzle: Puzzle, answer: Answer, proof: Proof) -> Iterator[tuple[str, str]]:
    kind = find_kind(puzzle.kind)
    try:
        worth = kind.worth(puzzle, answer.line)
        if worth != proof.value:
            yield "line", f"reaches {worth}, not {proof.value}"
        elif not any(kind.matches(puzzle, answer.line, text) for text in proof.accepted):
            yield "line", "does not begin with an accepted answer"
    except AquakitError as problem:
        yield "line", str(problem)


def _compare_themes(puzzle: Puzzle, proof: Proof) -> Iterator[tuple[str, str]]:
    """Compares the themes; those of the stored line, for other lines may be as good."""
    from aquakit.puzzle.themes import find_themes

    stored, found = set(puzzle.themes), find_themes(puzzle, proof)
    yield from (("themes", f"{name!r} is missing") for name in sorted(found - stored))
    yield from (("themes", f"{name!r} is not there") for name in sorted(stored - found))
