"""An exercise while it is answered: what was tried, which hints were given, and what is written down of it."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

from aquakit.core.options import Tell
from aquakit.core.plugins import borrow
from aquakit.errors import InvalidOption
from aquakit.training.attempt import Attempt
from aquakit.training.sitting import Ledger, Sitting
from aquakit.training.verdict import Verdict
from aquakit.workshop.lesson import Lesson
from aquakit.workshop.people import record
from aquakit.workshop.question import Key, Question, say


class Exercise:
    """An exercise of a lesson, to be asked and answered.

    `ask()` shows it in a notebook; `answer(…)`, `hint()` and `solution()` do the same from Python. What is answered is
    written down until the answer was right or was shown; after that it is practice.
    """

    def __init__(self, lesson: Lesson, question: Question) -> None:
        self.lesson = lesson
        self.question = question
        blank = Attempt(at=datetime.now(UTC), task=question.id, lesson=lesson.name)
        self.ledger = Ledger(blank, question.hints, record)
        """What was tried and which hints were given, on all boards that ask it."""
        self._key: Key = lesson.answers[question.id]

    def sit_down(self) -> Sitting:
        """Gets a sitting, for a board that asks the exercise."""
        return Sitting(self.ledger, self._judge)

    @property
    def id(self) -> str:
        """Its name."""
        return self.question.id

    @property
    def title(self) -> str:
        """Its title."""
        return self.question.title

    def ask(self, **options: Any) -> Any:
        """Gets the exercise as a widget for notebooks; the options are those of `aquakit.Board`, such as `size`."""
        return borrow("ExerciseBoard")(self, **options)

    def answer(self, answer: Any) -> Verdict:
        """Judges an answer and writes it down; what cannot be an answer is an error and does not count."""
        text = self.question.read(answer)
        verdict = self.judge(text)
        self.ledger.take(text, verdict)
        return verdict

    def judge(self, text: str) -> Verdict:
        """Judges an answer that was read, without writing anything down."""
        return say(self.question.judge(text, self._key), self.question, text, self._key)

    def _judge(self, text: str, stop: threading.Event, tell: Tell) -> Verdict:
        """Judges for a board; the checks of exercises are quick and do not look whether somebody stops them."""
        return self.judge(text)

    def hint(self) -> str:
        """Gives the next hint."""
        return self.ledger.hint()

    @property
    def is_decided(self) -> bool:
        """Whether it was answered rightly, or the answer was shown."""
        return self.ledger.is_decided

    def solution(self) -> str:
        """Shows an answer and why; whoever has not answered rightly before is written down as having looked."""
        self.ledger.give_up()
        return f"{self.question.say(self._key.right[0])}. {self._key.because}"

    @property
    def model_answer(self) -> str:
        """A right answer as it stands in the file, once the exercise is decided."""
        if not self.is_decided:
            raise InvalidOption("answer", "is not known yet", "a right answer, or solution()")
        return self._key.right[0]

    @property
    def because(self) -> str:
        """What is learnt, once the exercise is decided."""
        if not self.is_decided:
            raise InvalidOption("because", "is not known yet", "a right answer, or solution()")
        return self._key.because

    def __repr__(self) -> str:
        return f"<Exercise {self.id}: {self.title}>"
