"""Checks exercises by answering them: what a file calls right must be accepted, what it calls wrong refused."""

from __future__ import annotations

from collections.abc import Iterator

from aquakit.errors import AquakitError
from aquakit.workshop.lesson import Lesson
from aquakit.workshop.question import ChooseQuestion, Question


def check(lesson: Lesson, question: Question) -> Iterator[str]:
    """Lists what is wrong with an exercise, if anything."""
    key = lesson.answers[question.id]
    try:
        for answer in key.right:
            verdict = question.judge(question.read(answer), key)
            if not verdict.right:
                yield f"{question.id}: answers.right: {answer!r} is refused: {verdict.words}"
        for mistake in key.wrong:
            verdict = question.judge(question.spell_out(mistake), key)
            if verdict.right:
                yield f"{question.id}: answers.wrong: {mistake!r} is accepted: {verdict.words}"
        if isinstance(question, ChooseQuestion):
            yield from _check_options(question, lesson)
    except AquakitError as problem:
        yield str(problem)


def _check_options(question: ChooseQuestion, lesson: Lesson) -> Iterator[str]:
    """Checks that what the file calls right is all that is right, and not everything."""
    key = lesson.answers[question.id]
    right = [option for option in question.options if question.judge(option, key).right]
    if len(right) == len(question.options):
        yield f"{question.id}: options: all of them are right"
    missing = [option for option in right if option not in key.right]
    if missing:
        yield f"{question.id}: answers.right: {', '.join(map(repr, missing))} is right too"
