"""Beside the board of an exercise: its question, hints and answer, what is said of an answer, and who answers.

What would give the answer away stays in Python until it is asked for: the page gets the question and what was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from aquakit.board import clicks
from aquakit.errors import AquakitError
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.tasks.gaps import Gaps
from aquakit.widgets.tasks.task import TaskPanel
from aquakit.workshop import people
from aquakit.workshop.asking import Exercise
from aquakit.workshop.question import ChooseQuestion, NumberQuestion, PositionQuestion, TurnQuestion


class ExercisePanel(TaskPanel):
    """The exercise that is asked."""

    def __init__(self, board: Board, exercise: Exercise) -> None:
        """Asks an exercise."""
        super().__init__(board)
        self.exercise, self.question = exercise, exercise.question
        self.sitting = exercise.sit_down()
        self.gaps = Gaps(self.question) if isinstance(self.question, PositionQuestion) else None
        """What has been put into gaps, if that is what is asked for."""

    # What people ask of it

    def give_answer(self, answer: Any) -> None:
        """Takes a turn, an option, a number, or pieces for the gaps."""
        self.board.check_free()
        with self.board.changing(wake=False):
            self.hand_in(self.question.read(answer))

    def show_solution(self) -> None:
        """Shows an answer and why; whoever has not answered rightly has looked then."""
        with self.board.changing(wake=False):
            self.sitting.retry()
            self.exercise.solution()
            self.restart()
            self.sitting.show_solution()
            self._show_answer(self.exercise.model_answer)

    def join(self, name: str) -> None:
        """Says who answers, in this notebook."""
        people.join(name)

    def close(self) -> None:
        """Ends the judging, and hears no more who answers."""
        people.unlisten(self)
        super().close()

    def person_changed(self) -> None:
        """Shows who answers now."""
        self.board.refresh()

    def messages(self) -> Mapping[str, Message]:
        """Hears also who answers."""
        others = {"join": Message(self.join, name=read_text), "leave": Message(people.leave)}
        return {**super().messages(), **others}

    # Answers

    @property
    def is_begun(self) -> bool:
        """Whether something stands on the board that was not there at first."""
        return bool(self.gaps and self.gaps.filled) or self.board.moment != self.question.start

    def read_board(self) -> str | None:
        """Gets the answer as soon as it is complete on the board."""
        node, start = self.board.node, self.question.start
        if isinstance(self.question, TurnQuestion) and node.parent is not None and node.turn is not None:
            return str(start.turn_type(node.turn[len(start.played) :]))
        return None if self.gaps is None else self.gaps.read()

    def restart(self) -> None:
        """Puts the exercise's position on the board."""
        self.board.stand_at(self.board.record.root, self.question.start)
        if self.gaps is not None:
            self.gaps.filled = {}

    def show_verdict(self, verdict: Verdict) -> None:
        """Shows the answer on the board."""
        self._show_answer(self.sitting.tried)

    def _show_answer(self, text: str) -> None:
        """Shows an answer on the board where that is possible: an illegal one leaves the board as it is."""
        with suppress(AquakitError):
            if self.gaps is not None:
                self.board.cursor.moment = self.gaps.fill(text)
            elif isinstance(self.question, TurnQuestion) and self.board.node.parent is None:
                for action in self.question.start.carry_out(text)[0]:
                    self.board.mode.act(action)

    # What may be seen

    def say_result(self) -> str:
        """Says what stands on the board when the try is over."""
        if self.sitting.verdict is None:
            return "A right answer"
        return f"Your answer: {'right' if self.sitting.verdict.right else 'not right'}"

    def describe(self) -> dict[str, Any]:
        """Collects what may be seen of the exercise now."""
        exercise, sitting, person = self.exercise, self.sitting, people.who()
        marks = self.gaps.mark(self.board.picked) if self.gaps and self.board.moment == self.question.start else ()
        return {
            "lesson": exercise.lesson.title,
            "id": exercise.id,
            "title": exercise.title,
            "question": self.question.question,
            "verdict": None if sitting.verdict is None else _describe_verdict(sitting.verdict),
            "form": self._describe_form(),
            "marks": clicks.plain(marks),
            "solution": self._describe_solution() if sitting.shows_solution else None,
            "person": person,
            "kept": "" if person is None else people.name_file(person),
            "is_fixed": people.is_fixed(),
        }

    def _describe_form(self) -> dict[str, Any] | None:
        tried = self.sitting.tried
        if isinstance(self.question, ChooseQuestion):
            return {"options": list(self.question.shown), "tried": self.question.say(tried) if tried else ""}
        if isinstance(self.question, NumberQuestion):
            return {"unit": self.question.unit or "", "tried": tried}
        return None

    def _describe_solution(self) -> dict[str, str]:
        answer = self.exercise.model_answer
        is_written = isinstance(self.question, TurnQuestion | PositionQuestion)
        return {
            "answer": self.question.say(answer),
            "text": answer if is_written else "",
            "because": self.exercise.because,
        }


def _describe_verdict(verdict: Verdict) -> dict[str, str]:
    return {"outcome": verdict.outcome, "head": "Right" if verdict.right else "Not right", "words": verdict.words}
