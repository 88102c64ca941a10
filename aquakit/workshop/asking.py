"""An exercise while it is answered: what was tried, which hints were given, and what is written down of it."""

from __future__ import annotations

import time
from typing import Any

from aquakit.core.plugins import borrow
from aquakit.errors import InvalidOption
from aquakit.training.verdict import Verdict
from aquakit.workshop.lesson import Lesson
from aquakit.workshop.people import record
from aquakit.workshop.question import Key, Question, say
from aquakit.workshop.results import Attempt, Outcome, now


class Exercise:
    """An exercise of a lesson, to be asked and answered.

    `ask()` shows it in a notebook; `answer(…)`, `hint()` and `solution()` do the same from Python. What is answered is
    written down until the answer was right or was shown; after that it is practice.
    """

    def __init__(self, lesson: Lesson, question: Question) -> None:
        self.lesson = lesson
        self.question = question
        self.hints_taken = 0
        self.attempts = 0
        """How many answers were judged."""
        self.is_decided = False
        """Whether it was answered rightly, or the answer was shown."""
        self._key: Key = lesson.answers[question.id]
        self._begun = time.monotonic()

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
        return self.take(text, self.judge(text))

    def judge(self, text: str) -> Verdict:
        """Judges an answer that was read, without writing anything down."""
        return say(self.question.judge(text, self._key), self.question, text, self._key)

    def take(self, text: str, verdict: Verdict) -> Verdict:
        """Writes a judged answer down."""
        self.attempts += 1
        if not self.is_decided:
            self.is_decided = verdict.right
            self._write(text, "right" if verdict.right else "wrong")
        return verdict

    def hint(self) -> str:
        """Gives the next hint."""
        if self.hints_taken == len(self.question.hints):
            raise InvalidOption("hint", "there is no further one", "an answer, or the solution")
        self.hints_taken += 1
        return self.question.hints[self.hints_taken - 1]

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints given so far."""
        return self.question.hints[: self.hints_taken]

    @property
    def hints_left(self) -> int:
        """How many more there are."""
        return len(self.question.hints) - self.hints_taken

    def solution(self) -> str:
        """Shows an answer and why; whoever has not answered rightly before is written down as having looked."""
        if not self.is_decided:
            self.is_decided = True
            self._write("", "shown")
        return f"{self._key.right[0]}. {self._key.because}"

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

    def _write(self, text: str, outcome: Outcome) -> None:
        seconds = round(time.monotonic() - self._begun, 1)
        record(Attempt(now(), "", self.lesson.name, self.id, text, outcome, self.hints_taken, seconds))

    def __repr__(self) -> str:
        return f"<Exercise {self.id}: {self.title}>"
