"""ExerciseBoard: an exercise of a workshop, asked beside its board, judged at once and written down."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from aquakit.engine.bots import bot
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.modules import join_modules
from aquakit.widgets.panel import Setting
from aquakit.widgets.tasks.exercise import ExercisePanel
from aquakit.widgets.tasks.exercise_mode import ExerciseMode
from aquakit.workshop import people
from aquakit.workshop.asking import Exercise
from aquakit.workshop.question import ChooseQuestion


class ExerciseBoard(Board):
    """A board that asks one exercise: a turn or pieces on the board, or a number or an option beside it."""

    _esm: ClassVar[Any] = join_modules("exercise.js")
    hide = Setting(False)
    panel_types = (ExercisePanel,)

    def __init__(self, exercise: Exercise, **options: Any) -> None:
        """Asks an exercise; options are those of `Board`."""
        start, rival = exercise.question.start, bot("greedy")
        others = [player for player in range(1, len(start.scores()) + 1) if player != start.mover]
        super().__init__(
            start,
            players=dict.fromkeys(others, rival),
            panels=[partial(ExercisePanel, exercise=exercise)],
            mode=ExerciseMode,
            keep=False,
            **options,
        )
        people.listen(self.asked)

    @property
    def asked(self) -> ExercisePanel:
        """What stands beside the board."""
        return self.beside(ExercisePanel)

    @property
    def exercise(self) -> Exercise:
        """The exercise that is asked."""
        return self.asked.exercise

    @property
    def verdict(self) -> Verdict | None:
        """What was said about the last answer, if it has been judged."""
        return self.asked.sitting.verdict

    def answer(self, answer: Any) -> None:
        """Answers from Python: a turn, an option, a number, or pieces for the gaps; `wait` waits for the verdict."""
        self.asked.give_answer(answer)

    def hint(self) -> None:
        """Gives the next hint."""
        self.asked.hint()

    def show_solution(self) -> None:
        """Shows an answer and why; whoever has not answered rightly has looked then."""
        self.asked.show_solution()

    def retry(self) -> None:
        """Begins the exercise again."""
        self.asked.retry()

    def wait(self, seconds: float = 60) -> None:
        """Waits until nothing is being judged, at most so long."""
        super().wait(seconds)
        self.asked.wait(seconds)

    def join(self, name: str) -> None:
        """Says who answers, in this notebook."""
        self.asked.join(name)

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**options)
        question = self.exercise.question
        told = [f"{question.title}: {question.question}"]
        if isinstance(question, ChooseQuestion):
            told += [f"- {option}" for option in question.shown]
        return {**data, "text/plain": "\n".join([*told, "", data["text/plain"]])}, metadata
