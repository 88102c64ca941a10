"""What a puzzle is, and the files in which sets of puzzles are kept: TOML, checked field by field.

The questions stand first in a file and the answers at its end, so that nobody reads one by accident.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, PlainValidator, ValidationInfo

from aquakit.core import games
from aquakit.core.files import read_text, write_atomically
from aquakit.core.plugins import borrow
from aquakit.core.position import AnyPosition, BasePosition
from aquakit.core.tomlfile import Model, Place, Table, name_place, read_table, read_toml, write_key, write_value
from aquakit.core.version import VERSION
from aquakit.errors import AquakitError, shorten
from aquakit.puzzle.roster import kind_names

SCHEMA = 1
"""The number of the file's form."""
LINE = " / "
"""What stands between two whole turns of a line."""
WIDE = 120
"""A list that would make a longer line is written item by item."""
LARGEST = 10**100
"""No value is larger, so that every one can be a decimal too."""
_FRACTION = re.compile("-?[1-9][0-9]{0,99}/[1-9][0-9]{0,99}")  # Fraction reads "1e999999999" too, for hours


class PuzzleError(AquakitError):
    """A puzzle or a set of them cannot be read, proved or solved like that; `where` names file, puzzle and field."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a puzzle, from its position, horizon and what is given alone."""

    value: int | Fraction
    accepted: tuple[str, ...]
    """Compact answers, sorted."""
    margin: int | Fraction | None
    """The best minus the best of all that is not accepted; none if everything is accepted."""
    line: str
    """One full best line: whole turns joined by " / "."""
    method: str
    """How it was proved, such as exhaustive; of two methods that agree both names, such as search+cpsat."""
    searched: str
    """What was searched, in a few words with numbers."""

    @property
    def note(self) -> ProofNote:
        """What a file says of the proof."""
        return ProofNote(method=self.method, searched=self.searched, version=VERSION)


# Fields


def read_number(value: Any) -> int | Fraction:
    """Reads a value: a whole number, or a fraction in lowest terms as text.

    >>> read_number(7), read_number("7/20")
    (7, Fraction(7, 20))
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise ValueError("a whole number, or a fraction as text such as '7/20', is expected")
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise ValueError("a smaller number is expected")
        return value
    text = str(value)
    number = Fraction(text) if _FRACTION.fullmatch(text) else Fraction(0)
    if str(number) != text or number.denominator == 1:
        raise ValueError(f"a whole number, or a fraction as text in lowest terms, is expected, not {shorten(text)!r}")
    return number


def write_number(value: int | Fraction) -> int | str:
    """Writes a value as it stands in a file."""
    return int(value) if value == int(value) else str(value)


def say_number(number: int | Fraction) -> str:
    """Writes a number for people: fractions as decimals, with what they are exactly.

    >>> say_number(7), say_number(Fraction(53, 18))
    ('7', '2.94 (exactly 53/18)')
    """
    return str(number) if number == int(number) else f"{float(number):.2f} (exactly {write_number(number)})"


def _read_list(value: Any) -> Any:
    """Lets only arrays be lists of texts: pydantic would take a table's keys too."""
    if not isinstance(value, list | tuple):
        raise ValueError("an array of texts is expected")
    return tuple(value)


def _read_name(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
        raise ValueError("small letters, digits and single hyphens are expected")
    return value


def _read_line(value: str) -> str:
    if not value.strip() or not value.isprintable():
        raise ValueError("a line of text is expected")
    return value


class PositionText(str):
    """A position as its text stands in a file; it knows the position, whose layout may lie beside that file."""

    start: AnyPosition

    @classmethod
    def read(cls, value: Any, read: Callable[..., AnyPosition], folder: Path | None) -> Self:
        """Reads a position, or its text by a function that is told the folder of the file in which that stands."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, str | BasePosition):
            raise ValueError("a position text is expected")
        made = cls(value)
        try:
            made.start = read(value, folder=folder) if isinstance(value, str) else games.parse(made, value.layout)
        except AquakitError as problem:
            raise ValueError(str(problem)) from None
        return made


def _read_position(value: Any, info: ValidationInfo) -> PositionText:
    return PositionText.read(value, games.parse, (info.context or {}).get("folder"))


def _read_kind(value: str) -> str:
    if value not in kind_names():
        raise ValueError(f"one of {', '.join(kind_names())} is expected")
    return value


Number = Annotated[int | Fraction, PlainValidator(read_number), PlainSerializer(write_number)]
Text = Annotated[str, Field(strict=True, min_length=1)]
Line = Annotated[str, Field(strict=True), AfterValidator(_read_line)]
Name = Annotated[str, Field(strict=True), AfterValidator(_read_name)]
Lines = Annotated[tuple[Line, ...], BeforeValidator(_read_list)]
Names = Annotated[tuple[Name, ...], BeforeValidator(_read_list)]


# Tables


class Puzzle(Table):
    """A question with one value, without its answer.

    >>> from aquakit import puzzles
    >>> puzzle = puzzles("first-steps")[0]
    >>> puzzle.id, puzzle.difficulty, str(puzzle.start) == puzzle.position, len(puzzle.hints) >= 2
    ('first-steps-01', 1, True, True)
    """

    id: Name
    title: Line
    kind: Annotated[str, Field(strict=True), AfterValidator(_read_kind)]
    position: Annotated[PositionText, PlainValidator(_read_position)]
    horizon: Annotated[int, Field(strict=True, ge=0)]
    """Turns for plan and duel, canals for canals; otherwise what the kind says."""
    value: Number
    """Points, the margin of the player to move, a length, net houses, or an expectation."""
    given: dict[str, Any] = Field(default_factory=dict)
    """What the kind needs beside."""
    themes: Names = ()
    difficulty: Annotated[int, Field(strict=True, ge=1, le=5)]
    """From 1, first steps, to 5, hard."""
    hints: Annotated[tuple[Line, ...], BeforeValidator(_read_list), Field(min_length=2, max_length=3)]
    """From gentle to plain."""
    source: Line
    tags: Names = ()
    """Names by which some puzzles are chosen, such as those that tests prove again."""

    @classmethod
    def draft(
        cls, kind: str, position: AnyPosition | str, horizon: int, given: Mapping[str, Any] | None = None
    ) -> Puzzle:
        """Makes a puzzle that only asks: its value and its texts are not known yet.

        >>> Puzzle.draft("duel", games.start("romana2-5x4"), horizon=2).horizon
        2
        """
        asked = {"kind": kind, "position": position, "horizon": horizon, "given": dict(given or {})}
        rest = {"id": "draft", "title": "Draft", "value": 0, "difficulty": 1, "hints": ["?", "?"], "source": "?"}
        return read_table(asked | rest, cls, "draft", PuzzleError)

    @property
    def start(self) -> AnyPosition:
        """The position that is asked about."""
        return self.position.start

    def read_given(self, model: type[Model]) -> Model:
        """Reads what is given beside into the kind's own table."""
        return read_table(self.given, model, self.id, PuzzleError, lambda _, place: name_place(_, ("given", *place)))

    def error(self, field: str, problem: str, expected: str = "") -> PuzzleError:
        """Makes an error that names this puzzle and a field of it."""
        return PuzzleError(f"{self.id}: {field}", problem, expected)


class ProofNote(Table):
    """How an answer was proved."""

    method: Line
    searched: Line
    version: Line
    """The version of aquakit that proved it."""

    @property
    def witnesses(self) -> frozenset[str]:
        """The methods that proved it."""
        return frozenset(self.method.split("+"))


class Answer(Table):
    """A puzzle's answer, which stands in its own table at the end of the file.

    >>> from aquakit import puzzles
    >>> answer = puzzles("first-steps").answer("first-steps-01")
    >>> len(answer.accepted) > 0, bool(answer.explanation), bool(answer.proof.method)
    (True, True, True)
    """

    accepted: Annotated[tuple[Line, ...], BeforeValidator(_read_list), Field(min_length=1)]
    """All accepted answers in compact form."""
    margin: Number | None = None
    """The best minus the best of all that is not accepted; none if everything is accepted."""
    line: Line
    """One full line: whole turns joined by " / "."""
    explanation: Text
    proof: ProofNote

    @classmethod
    def make(cls, proof: Proof, explanation: str) -> Answer:
        """Makes the answer that a proof came to.

        >>> proof = Proof(3, ("d4=+@E4",), 1, "d4=+@E4 x-", "search", "all first turns")
        >>> Answer.make(proof, "The bridge leads on to two segments at once.").accepted
        ('d4=+@E4',)
        """
        return cls(
            accepted=proof.accepted, margin=proof.margin, line=proof.line, explanation=explanation, proof=proof.note
        )


class PuzzleSet(Table):
    """A set of puzzles, in the order in which they are meant to be solved.

    >>> from aquakit import puzzles
    >>> made = puzzles("first-steps")
    >>> made.title, len(made) == len(made.puzzles), made[0] == made["first-steps-01"]
    ('First steps', True, True)
    """

    form: Literal[1] = Field(alias="schema")
    name: Name
    title: Line
    text: Text
    puzzles: Annotated[tuple[Puzzle, ...], Field(alias="puzzle", min_length=1)]
    answers: dict[str, Answer]

    @classmethod
    def make(cls, name: str, title: str, text: str, puzzles: Iterable[tuple[Puzzle, Answer]]) -> PuzzleSet:
        """Makes a set of puzzles with their answers.

        >>> from aquakit import puzzles
        >>> known = puzzles("first-steps")
        >>> mine = PuzzleSet.make("mine", "Mine", "For a rainy day.", [(known[0], known.answer(known[0]))])
        >>> len(mine), mine[0].id
        (1, 'first-steps-01')
        """
        pairs = list(puzzles)
        data: dict[str, Any] = {"schema": SCHEMA, "name": name, "title": title, "text": text}
        data["puzzle"] = tuple(puzzle for puzzle, _ in pairs)
        data["answers"] = {puzzle.id: answer for puzzle, answer in pairs}
        return read_table(data, cls, name, PuzzleError, _name_place)._checked(name)

    @classmethod
    def load(cls, path: str | Path) -> PuzzleSet:
        """Reads a set's file; a layout's file is found by its plain name if it lies beside it.

        >>> from aquakit.puzzle.collection import home
        >>> PuzzleSet.load(home() / "first-steps.toml").name
        'first-steps'
        """
        text = read_text(path, PuzzleError, "a TOML file with puzzles")
        return cls.parse(text, str(path), folder=Path(path).parent)

    @classmethod
    def parse(cls, text: str, source: str = "puzzles", *, folder: Path | None = None) -> PuzzleSet:
        """Reads a set from the text of its file; layouts may lie in its folder, if that is given.

        >>> from aquakit import puzzles
        >>> known = puzzles("first-steps")
        >>> PuzzleSet.parse(str(known)) == known
        True
        """
        return read_toml(text, cls, source, PuzzleError, _name_place, folder=folder)._checked(source)

    def _checked(self, source: str) -> Self:
        """Checks that every puzzle has a name of its own and an answer."""
        ids = [puzzle.id for puzzle in self.puzzles]
        for number, name in enumerate(ids):
            if name in ids[:number]:
                raise PuzzleError(f"{source}: {name}: id", "stands twice", "a name of its own for each puzzle")
            if name not in self.answers:
                raise PuzzleError(f"{source}: {name}: answers", "are missing", f'a table [answers."{name}"]')
        for name in self.answers:
            if name not in ids:
                raise PuzzleError(f"{source}: {name}: answers", "there is no puzzle of this name", "a puzzle's id")
        return self

    def save(self, path: str | Path) -> None:
        """Writes the set's file, whole or not at all.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     puzzles("first-steps").save(f"{folder}/copy.toml")
        ...     puzzles(f"{folder}/copy.toml") == puzzles("first-steps")
        True
        """
        try:
            write_atomically(path, str(self))
        except OSError as problem:
            raise PuzzleError(str(path), f"cannot be written: {problem.strerror}", "a path in a folder") from None

    def __str__(self) -> str:
        return "\n".join(_write_set(self)) + "\n"

    def __len__(self) -> int:
        return len(self.puzzles)

    def __getitem__(self, name: str | int) -> Puzzle:
        """Gets a puzzle by its id or by its place."""
        if isinstance(name, int):
            return self.puzzles[name]
        for puzzle in self.puzzles:
            if puzzle.id == name:
                return puzzle
        raise PuzzleError(self.name, f"has no puzzle {name!r}", f"an id such as {self.puzzles[0].id}")

    def answer(self, puzzle: Puzzle | str) -> Answer:
        """Gets a puzzle's answer.

        >>> from aquakit import puzzles
        >>> known = puzzles("first-steps")
        >>> known.answer(known[0]) == known.answer("first-steps-01")
        True
        """
        return self.answers[self[puzzle if isinstance(puzzle, str) else puzzle.id].id]

    def trainer(self, **options: Any) -> Any:
        """Gets a board to solve these puzzles on, for notebooks; the options are those of `aquakit.widgets.trainer`.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> from aquakit.training.progress import Progress
        >>> with TemporaryDirectory() as folder:
        ...     progress = Progress(f"{folder}/club.sqlite")
        ...     puzzles("first-steps").trainer(progress=progress, first="first-steps-02").puzzle.id
        'first-steps-02'
        """
        return borrow("Trainer")(self, **options)


def _name_place(data: Any, place: Place) -> str:
    """Names a place in a set's file: a puzzle by its id, where it has one."""
    match place:
        case ("puzzle", int(number), *rest):
            found = data["puzzle"][number]
            known = found.get("id") if isinstance(found, Mapping) else getattr(found, "id", None)
            return ": ".join((str(known or f"puzzle {number + 1}"), *filter(None, [name_place(data, tuple(rest))])))
        case ("answers", name, *rest):
            return f"{name}: answers{''.join(f'.{part}' for part in rest)}"
    return name_place(data, place) or "puzzles"


# Writing


def _write_set(made: PuzzleSet) -> Iterator[str]:
    """Writes the lines of a set's file."""
    yield from _write_fields({"schema": SCHEMA, "name": made.name, "title": made.title, "text": made.text})
    for puzzle in made.puzzles:
        yield ""
        yield "[[puzzle]]"
        yield from _write_fields(puzzle.model_dump(exclude_defaults=True))
    yield ""
    yield "# The answers. Try first!"
    for puzzle in made.puzzles:
        yield ""
        yield f"[answers.{write_value(puzzle.id)}]"
        yield from _write_fields(made.answers[puzzle.id].model_dump(exclude_none=True))


def _write_fields(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, value in fields.items():
        line = f"{write_key(name)} = {write_value(value)}"
        if isinstance(value, tuple | list) and len(line) > WIDE:
            yield f"{write_key(name)} = ["
            yield from (f"  {write_value(item)}," for item in value)
            yield "]"
        else:
            yield line
