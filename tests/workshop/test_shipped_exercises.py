"""The exercises that come with the kit: every right answer is accepted, every typical mistake refused and explained."""

from __future__ import annotations

from collections import Counter

import pytest

from aquakit.workshop import exercise, exercises
from aquakit.workshop.certify import check
from aquakit.workshop.collection import home, load_lesson
from aquakit.workshop.question import say

LESSONS = sorted(path.stem for path in home().glob("*.toml"))
NAMES = [name for lesson in LESSONS for name in exercises(lesson)]


def test_there_are_enough_of_each_type_and_every_name_is_one_exercise() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 25
    types = Counter(exercise(name).question.type for name in NAMES)
    assert min(types[kind] for kind in ("turn", "choose", "number", "position")) >= 3
    assert {"rules", "graph", "sight", "closing", "plan", "aquadukt"} <= set(LESSONS)


@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_are_named_like_their_files(lesson: str) -> None:
    assert load_lesson(lesson).name == lesson


@pytest.mark.parametrize("name", NAMES)
def test_right_answers_are_accepted_and_mistakes_refused(name: str) -> None:
    asked = exercise(name)
    assert list(check(asked.lesson, asked.question)) == []


@pytest.mark.parametrize("name", NAMES)
def test_mistakes_are_answered_with_the_words_of_the_file_and_without_the_answer(name: str) -> None:
    asked = exercise(name)
    question, key = asked.question, asked.lesson.answers[name]
    for mistake, words in key.wrong.items():
        answer = question.spell_out(mistake)
        said = say(question.judge(answer, key), question, answer, key)
        assert not said.right
        assert words in said.words
        assert key.because not in said.words


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_is_read_off_the_question(name: str) -> None:
    asked = exercise(name)
    question, key = asked.question, asked.lesson.answers[name]
    told = " ".join((question.title, question.question))
    assert key.because not in told
    if question.type == "turn":
        assert not any(answer in told for answer in key.right)
