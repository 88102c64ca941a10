"""Asks one question about many positions or records: spread over any executor, kept in a file, gone on with later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from contextlib import closing, suppress
from functools import partial
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field

from aquakit.core import games
from aquakit.core.options import read_flag, show
from aquakit.core.position import BasePosition
from aquakit.core.record import Record
from aquakit.core.tomlfile import Table
from aquakit.core.version import VERSION
from aquakit.core.words import count
from aquakit.engine.analysis import analyse
from aquakit.engine.bots import planner_of
from aquakit.engine.review import review
from aquakit.engine.solve import solve
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition, InvalidRecord
from aquakit.work.executors import find_executor
from aquakit.work.journal import Form, Journal
from aquakit.work.progress import show_progress
from aquakit.work.spread import WorkerLost, spread

FORM = "aquakit batch 1"


class BatchHead(Table):
    """What makes a batch the one it is."""

    form: str = Field(pattern=f"^{FORM}$")
    version: str
    """The kit's version: another one may answer otherwise."""
    question: str
    options: dict[str, Any]


class BatchLine(Table):
    """An answered piece: the answer as plain data, or why there is none.

    >>> (line,) = batch("solve", {"the start": "romana2-5x4"}, turns=1, progress=False).results
    >>> line.number, line.name, line.answer["value"], line.error
    (0, 'the start', 6, None)
    """

    number: Annotated[int, Field(ge=0)]
    """Its place in the batch, from 0."""
    name: str
    """What it is called, such as its file and line."""
    subject: str
    """The position's text, or a stamp of the record's."""
    answer: dict[str, Any] | None = None
    error: str | None = None


BATCH = Form("batch", "piece", BatchHead, BatchLine, attrgetter("number"))


class BatchPiece(NamedTuple):
    """A position or a record with its place in the batch and its name."""

    number: int
    name: str
    given: Any

    @property
    def subject(self) -> str:
        """What tells it from others in the file of results."""
        text = str(self.given)
        return text if isinstance(self.given, BasePosition) else sha256(text.encode()).hexdigest()[:16]

    def __str__(self) -> str:
        return f"{self.name}: {self.subject}"


# What can be asked


class Inquiry(NamedTuple):
    """What can be asked of many positions or records."""

    ask: Callable[..., Any]
    """Gets the answer, which has a `json`."""
    takes: tuple[str, ...]
    """The options that people may give."""
    about: type
    usual: Mapping[str, Any] = {}
    """What is given besides: pieces run side by side, so each has one thread."""


def _plan(position: Any, **options: Any) -> Any:
    return planner_of(position)(position, **options)


_THINKING = ("seconds", "playouts", "lines", "seed", "threads")
QUESTIONS = {
    "plan": Inquiry(
        _plan,
        ("turns", "player", "closed_only", "closing", "first", "forbid", "seconds", "method", "verify"),
        BasePosition,
    ),
    "solve": Inquiry(solve, ("turns", "seconds"), BasePosition),
    "analyse": Inquiry(analyse, (*_THINKING, "until"), BasePosition, {"threads": 1}),
    "review": Inquiry(review, _THINKING, Record, {"threads": 1, "progress": False}),
}


def answer(question: str, options: Mapping[str, Any], piece: BatchPiece) -> BatchLine:
    """Asks about one piece; what cannot be answered is an answer too."""
    asked = QUESTIONS[question]
    told: dict[str, Any] = {"number": piece.number, "name": piece.name, "subject": piece.subject}
    try:
        told["answer"] = asked.ask(piece.given, **{**asked.usual, **options}).json()
    except AquakitError as problem:
        told["error"] = str(problem)
    return BatchLine(**told)


# The batch


class Batch:
    """The answers to one question about many positions or records, all of them or as far as they were asked.

    >>> found = batch("plan", ["romana2-5x4"], turns=1, progress=False)
    >>> found
    <Batch: plan, 1 of 1 answered>
    >>> [line.answer["points"] for line in found.results], found.is_complete, found.errors, found.lost
    ([2], True, (), ())
    """

    def __init__(
        self, head: BatchHead, results: Iterable[BatchLine], planned: int | None = None, lost: Iterable[str] = ()
    ) -> None:
        """Wraps results, in order; use `aquakit.batch` or `Batch.load`."""
        self.head = head
        self.results = tuple(results)
        """What was answered, in the order in which it was given."""
        self.planned = len(self.results) if planned is None else planned
        """How many were asked about."""
        self.lost = tuple(lost)
        """What never came back, since it took every worker with it; the same call tries it again."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Reads a batch from the file of its results.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "results.jsonl")
        ...     found = batch("solve", ["romana2-5x4"], turns=1, path=path, progress=False)
        ...     Batch.load(path).results == found.results
        True
        """
        head, results = BATCH.read(path)
        return cls(head, results.values())

    @property
    def is_complete(self) -> bool:
        """Whether everything that was asked about has an answer or an error."""
        return len(self.results) >= self.planned

    @property
    def errors(self) -> tuple[BatchLine, ...]:
        """What could not be answered, with the reason."""
        return tuple(line for line in self.results if line.error is not None)

    def frame(self) -> Any:
        """Gets a table with a row for each piece: its name, what it is, and the parts of its answer.

        >>> list(batch("solve", ["romana2-5x4"], turns=1, progress=False).frame()["value"])
        [6]
        """
        import pandas as pd

        rows = [{**(line.answer or {}), **line.model_dump(exclude={"answer"})} for line in self.results]
        return pd.DataFrame(rows).set_index("number") if rows else pd.DataFrame()

    def summary(self) -> str:
        """Says in a line how far it is.

        >>> batch("solve", ["romana2-5x4"], turns=1, progress=False).summary()
        'solve, 1 of 1 answered'
        """
        right = len(self.results) - len(self.errors)
        wrong = [f"{count(len(self.errors), 'error')}"] if self.errors else []
        lost = [f"{len(self.lost)} lost with every worker that tried"] if self.lost else []
        return ", ".join([f"{self.head.question}, {right} of {self.planned} answered", *wrong, *lost])

    def __repr__(self) -> str:
        return f"<Batch: {self.summary()}>"


def batch(
    question: str,
    subjects: Iterable[Any] | Mapping[str, Any],
    *,
    executor: Executor | None = None,
    path: str | Path | None = None,
    progress: bool = True,
    on_result: Callable[[BatchLine], None] | None = None,
    **options: Any,
) -> Batch:
    """Asks plan, solve or analyse about many positions, or review about many records.

    Positions are given as such, as texts or as layouts to start on, records as such; a mapping gives them names. Other
    options are the question's own. Pieces are answered in processes, one a core, or in any executor: on a Dask cluster,
    in `Client.get_executor()`. With a path, answers are kept in a file that is only added to, and the same call goes on
    where it stopped. An interrupt ends it early: what is finished is returned, and kept.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> starts = {"small": "romana2-5x4", "larger": "romana2-7x6"}
    >>> with ThreadPoolExecutor(2) as threads:
    ...     found = batch("plan", starts, turns=2, executor=threads, progress=False)
    >>> [(line.name, line.answer["points"]) for line in found.results]
    [('small', 3), ('larger', 3)]
    """
    asked = _read_question(question, options)
    pieces = list(_number(subjects, asked.about))
    head = BatchHead(form=FORM, version=VERSION, question=question, options=_as_data(options))
    lost = dict[int, str]()
    read_flag("progress", progress)

    def give_up(piece: BatchPiece, problem: WorkerLost) -> None:
        lost[piece.number] = f"{piece.name}: {problem}"

    with closing(Journal(BATCH, head, path, lambda line: _belongs(line, pieces))) as results:
        todo = [piece for piece in pieces if piece.number not in results]
        with (
            show_progress(len(pieces), len(pieces) - len(todo), "piece", shown=progress) as bar,
            find_executor(executor, pieces=len(todo)) as pool,
            suppress(KeyboardInterrupt),
        ):
            for _, line in spread(pool, partial(answer, question, options), todo, give_up=give_up):
                if line is not None:
                    results.add(line)
                    if on_result is not None:
                        on_result(line)
                bar.update()
        found = [line for line in results if line.number < len(pieces)]
    return Batch(head, found, len(pieces), lost.values())


def _read_question(question: str, options: Mapping[str, Any]) -> Inquiry:
    asked = QUESTIONS.get(question) if isinstance(question, str) else None
    if asked is None:
        raise InvalidOption("question", show(question), f"one of {', '.join(QUESTIONS)}")
    for name in options:
        if name not in asked.takes:
            raise InvalidOption(name, f"is no option of {question} for many", f"one of {', '.join(asked.takes)}")
    if question == "plan" and "turns" not in options:
        raise InvalidOption("turns", "is missing", "how many turns to plan")
    return asked


def _as_data(options: Mapping[str, Any]) -> dict[str, Any]:
    """Gets options as a file keeps them."""
    try:
        data: dict[str, Any] = json.loads(json.dumps(dict(options), allow_nan=False))
    except (TypeError, ValueError) as problem:
        raise InvalidOption("options", str(problem), "plain values, so that they can be kept in a file") from None
    return data


def _number(subjects: Iterable[Any] | Mapping[str, Any], about: type) -> Iterable[BatchPiece]:
    """Numbers and names what is asked about."""
    if isinstance(subjects, str) or not isinstance(subjects, Iterable):
        raise InvalidOption("subjects", show(subjects), "several positions or records")
    named = subjects.items() if isinstance(subjects, Mapping) else ((str(n), s) for n, s in enumerate(subjects, 1))
    for number, (name, given) in enumerate(named):
        yield BatchPiece(number, str(name), _read_subject(str(name), given, about))


def _read_subject(name: str, given: Any, about: type) -> Any:
    if isinstance(given, about):
        return given
    if about is Record:
        raise InvalidRecord(name, show(given), "a record")
    if not isinstance(given, str):
        raise InvalidPosition(name, show(given), "a position")
    try:
        return games.start(given) if given in games.layout_names() else games.parse(given)
    except AquakitError as problem:
        raise InvalidPosition(f"{name}: {problem.where}", problem.problem, problem.expected) from None


def _belongs(line: BatchLine, pieces: list[BatchPiece]) -> bool:
    """Checks whether an answer is one about these pieces; a shorter batch may be asked for than there is."""
    return line.number >= len(pieces) or line.subject == pieces[line.number].subject
