"""The files of exercises, one for each lesson: TOML, checked field by field, with the answers at the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from aquakit.core.files import read_text
from aquakit.core.tomlfile import Place, Table, name_place, read_toml
from aquakit.puzzle.model import Line, Name, Text
from aquakit.workshop.checks import ExerciseError
from aquakit.workshop.question import AnyQuestion, Key, Question

SCHEMA = 1
"""The number of the file's form."""


class Lesson(Table):
    """The exercises of a lesson, in the order in which they are asked."""

    form: Literal[1] = Field(alias="schema")
    name: Name
    title: Line
    text: Text
    questions: Annotated[tuple[AnyQuestion, ...], Field(alias="exercise", min_length=1)]
    answers: dict[str, Key]

    @classmethod
    def load(cls, path: str | Path) -> Lesson:
        """Reads a lesson's file; a layout's file is found by its plain name if it lies beside it."""
        text = read_text(path, ExerciseError, "a TOML file with exercises")
        return cls.parse(text, str(path), folder=Path(path).parent)

    @classmethod
    def parse(cls, text: str, source: str = "exercises", *, folder: Path | None = None) -> Lesson:
        """Reads a lesson from the text of its file; layouts may lie in its folder, if that is given."""
        return read_toml(text, cls, source, ExerciseError, _name_place, folder=folder)._checked(source)

    def _checked(self, source: str) -> Self:
        """Checks what no single field shows: names, answers, and that every check can be asked."""
        ids = [question.id for question in self.questions]
        for number, question in enumerate(self.questions):
            where = f"{source}: {question.id}"
            if question.id in ids[:number]:
                raise ExerciseError(f"{where}: id", "stands twice", "a name of its own for each exercise")
            if question.id not in self.answers:
                raise ExerciseError(f"{where}: answers", "are missing", f"a table [answers.{question.id}]")
            try:
                question.check_file()
                self._check_key(question)
            except ExerciseError as problem:
                raise ExerciseError(f"{source}: {problem.where}", problem.problem, problem.expected) from None
        for name in self.answers:
            if name not in ids:
                where = f"{source}: {name}: answers"
                raise ExerciseError(where, "there is no exercise of this name", "an exercise's id")
        return self

    def _check_key(self, question: Question) -> None:
        """Checks that the answers in the file can be read as answers."""
        key = self.answers[question.id]
        for field, answers, read in (
            ("right", key.right, question.read),
            ("wrong", tuple(key.wrong), question.check_mistake),
        ):
            for answer in answers:
                try:
                    read(answer)
                except ValueError as problem:
                    raise question.error(f"answers.{field}", f"{answer!r} cannot be an answer: {problem}") from None

    def __len__(self) -> int:
        return len(self.questions)

    def __getitem__(self, name: str) -> Question:
        """Gets a question by its exercise's id."""
        for question in self.questions:
            if question.id == name:
                return question
        raise ExerciseError(self.name, f"has no exercise {name!r}", f"an id such as {self.questions[0].id}")


def _name_place(data: Any, place: Place) -> str:
    """Names a place in a lesson's file: an exercise by its id, where it has one."""
    match place:
        case ("exercise", int(number), *rest):
            found = data["exercise"][number]
            known = found.get("id") if isinstance(found, Mapping) else None
            # The type of a question is part of the place, but no key of the file.
            inside = tuple(rest[1:] if rest and rest[0] in ("turn", "choose", "number", "position") else rest)
            return ": ".join((str(known or f"exercise {number + 1}"), *filter(None, [name_place(data, inside)])))
        case ("answers", name, *rest):
            return f"{name}: answers{''.join(f'.{part}' for part in rest)}"
    return name_place(data, place) or "exercises"
