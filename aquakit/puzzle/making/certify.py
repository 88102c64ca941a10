"""Proves puzzles again, from their positions alone, and says what in their files is different.

Compared are the value, the accepted answers, the margin, the line, which must be legal, begin with an accepted answer
and reach the value, the themes, and the witnesses: what two methods have proved must be proved by both again. What they
have searched may change from one version to the next. A second witness that a file does not name can be noted in it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Literal

from aquakit.core.tomlfile import Table
from aquakit.core.version import VERSION
from aquakit.core.words import join
from aquakit.errors import AquakitError
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Answer, Proof, ProofNote, Puzzle, PuzzleError, PuzzleSet
from aquakit.work.executors import find_executor
from aquakit.work.journal import Form, Journal
from aquakit.work.spread import WorkerLost, spread

NOTED = 30.0
"""A second witness is noted where all of the proof took at most so many seconds: slower machines must find it too."""


class Difference(Table):
    """Something in a puzzle's file that is not what was proved."""

    file: str
    puzzle: str
    field: str
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.puzzle}: {self.field}: {self.problem}"


class Checked(Table):
    """A puzzle that was proved again."""

    file: str
    puzzle: str
    stamp: str
    """Changes with what the file says of the puzzle."""
    differences: tuple[Difference, ...]
    seconds: float
    proof: ProofNote | None = None
    """How it was proved this time, if it was."""


class CheckHead(Table):
    """What a file of proved puzzles is; another version may prove something else."""

    form: Literal["aquakit check 1"] = "aquakit check 1"
    version: str = VERSION


CHECKS = Form("check", "puzzle", CheckHead, Checked, attrgetter("file", "puzzle", "stamp"))


@dataclass(frozen=True)
class Task:
    """A puzzle to be proved again, with what its file says."""

    file: str
    puzzle: Puzzle
    answer: Answer

    @cached_property
    def stamp(self) -> str:
        """A stamp of what the file says."""
        told = f"{self.puzzle.model_dump_json()}{self.answer.model_dump_json()}"
        return sha256(told.encode()).hexdigest()[:16]

    def differs(self, field: str, problem: str) -> Difference:
        """Makes a difference."""
        return Difference(file=self.file, puzzle=self.puzzle.id, field=field, problem=problem)

    def __str__(self) -> str:
        return self.puzzle.id


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


def check_all(
    tasks: list[Task], *, executor: Executor | None = None, path: str | Path | None = None
) -> Iterator[Checked]:
    """Proves puzzles again, some side by side, and tells of each when it is done.

    That is done in processes, one a core, or in any executor. With a path, what was checked is kept there, and the same
    call goes on where it stopped.
    """
    with closing(Journal(CHECKS, CheckHead(), path)) as known:
        asked = {(task.file, task.puzzle.id, task.stamp): task for task in tasks}
        yield from (checked for checked in known if CHECKS.key(checked) in asked)
        todo = [task for key, task in asked.items() if key not in known]
        if not todo:
            return
        with find_executor(executor, pieces=len(todo)) as pool:
            for _, checked in spread(pool, check, todo, give_up=_give_up):
                known.add(checked)
                yield checked


def check(task: Task) -> Checked:
    """Proves one puzzle again and compares."""
    begun = time.perf_counter()
    found, note = list[Difference](), None
    try:
        proof = _prove(task.puzzle)
        note = proof.note
        found += (task.differs(*rest) for rest in compare(task.puzzle, task.answer, proof))
    except NotProved as problem:
        found.append(task.differs("proof", str(problem)))
    except Exception as problem:  # one broken puzzle must not hide what is wrong with all others
        found.append(task.differs("check", f"{type(problem).__name__}: {problem}"))
    return _checked(task, found, time.perf_counter() - begun, note)


def _give_up(task: Task, problem: WorkerLost) -> Checked:
    """Says what stands for a puzzle that nobody could check."""
    return _checked(task, [task.differs("check", str(problem))], 0.0)


def _checked(task: Task, found: Iterable[Difference], seconds: float, proof: ProofNote | None = None) -> Checked:
    return Checked(
        file=task.file,
        puzzle=task.puzzle.id,
        stamp=task.stamp,
        differences=tuple(found),
        seconds=round(seconds, 3),
        proof=proof,
    )


class NotProved(Exception):
    """A puzzle could not be proved, for whatever reason."""


def _prove(puzzle: Puzzle) -> Proof:
    """Proves a puzzle; NotProved says in a line why not."""
    try:
        return find_kind(puzzle.kind).prove(puzzle)
    except AquakitError as problem:
        raise NotProved(str(problem).removeprefix(f"{puzzle.id}: ")) from problem
    except Exception as problem:  # one broken puzzle must not hide what is wrong with all others
        raise NotProved(f"{type(problem).__name__}: {problem}") from problem


def compare(puzzle: Puzzle, answer: Answer, proof: Proof) -> Iterator[tuple[str, str]]:
    """Compares a puzzle with its proof and lists what is different: the field and what is wrong with it."""
    yield from _compare_numbers(puzzle, answer, proof)
    yield from _compare_accepted(answer, proof)
    line = list(_compare_line(puzzle, answer, proof))
    yield from line
    if not line:
        yield from _compare_themes(puzzle, replace(proof, line=answer.line))
    yield from _compare_witnesses(answer, proof.note)


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


def _compare_witnesses(answer: Answer, proved: ProofNote) -> Iterator[tuple[str, str]]:
    """Compares who proved it: whoever stands in the file must have proved it again."""
    missing = answer.proof.witnesses - proved.witnesses
    if missing:
        yield "proof", f"is {answer.proof.method}, but {proved.method} is all that was found in time"


# Noting second witnesses


def note_witnesses(checked: Iterable[Checked]) -> Iterator[tuple[Path, int]]:
    """Writes into the files of puzzles who else has proved them; tells of each file that changes, and how many.

    That is done where nothing is different and the proof was soon found. Only how it was proved is written.
    """
    found = [one for one in checked if not one.differences and one.seconds <= NOTED]
    for file in sorted({one.file for one in found}):
        known = PuzzleSet.load(file)
        proofs = {one.puzzle: one.proof for one in found if one.file == file and one.proof is not None}
        fresh = {name: proof for name, proof in proofs.items() if proof.witnesses > known.answers[name].proof.witnesses}
        if fresh:
            pairs = [(puzzle, _with_note(known.answer(puzzle), fresh.get(puzzle.id))) for puzzle in known.puzzles]
            PuzzleSet.make(known.name, known.title, known.text, pairs).save(file)
            yield Path(file), len(fresh)


def _with_note(answer: Answer, note: ProofNote | None) -> Answer:
    return answer if note is None else answer.model_copy(update={"proof": note})
