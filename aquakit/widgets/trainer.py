"""Trainer: a board on which puzzles are solved, with verdicts, hints, solutions and what comes next."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from aquakit.puzzle.model import Puzzle, PuzzleSet
from aquakit.training.progress import Progress
from aquakit.training.progress_file import InvalidProgress
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.modules import join_modules
from aquakit.widgets.panel import Setting
from aquakit.widgets.tasks.analysis import AnalysisPanel
from aquakit.widgets.tasks.course import PuzzleCourse
from aquakit.widgets.tasks.line import LinePanel
from aquakit.widgets.tasks.puzzle import PuzzlePanel
from aquakit.widgets.tasks.puzzle_mode import PuzzleMode
from aquakit.widgets.tasks.score import CoursePanel


class Trainer(Board):
    """A board that asks the puzzles of a set, one after the other.

    What is played on it is judged at once. `progress` keeps what was solved; without it, that is the user's own file.
    Where that cannot be used, the board says so and remembers what is solved until it is gone. `first` names
    the puzzle to begin with; otherwise it is the one that is due. `undo` begins an attempt again, and `undo` and `redo`
    go through the line that shows what came of it; `stop` ends a judging, which does not count then.

    >>> from tempfile import TemporaryDirectory
    >>> from aquakit import puzzles
    >>> made = puzzles("first-steps")
    >>> duel = next(puzzle.id for puzzle in made.puzzles if puzzle.kind == "duel")
    >>> with TemporaryDirectory() as folder:
    ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=duel)
    ...     trainer.play(made.answer(duel).line.partition(" / ")[0])
    ...     trainer.wait()
    ...     trainer.verdict.right, trainer.progress.standing(trainer.puzzle).state
    (True, 'known')
    """

    _esm: ClassVar[Any] = join_modules("trainer.js")
    hide = Setting(False)
    panel_types = (PuzzlePanel, CoursePanel, LinePanel, AnalysisPanel)

    def __init__(
        self, puzzles: PuzzleSet, *, progress: Progress | None = None, first: str | None = None, **options: Any
    ) -> None:
        """Asks the first puzzle; options are those of `Board`."""
        problem = None
        try:
            course = PuzzleCourse(puzzles, Progress() if progress is None else progress, first)
        except InvalidProgress as found:
            if progress is not None:
                raise
            course, problem = PuzzleCourse(puzzles, Progress.without_file(), first), found
        super().__init__(
            course.puzzle.start,
            panels=[partial(PuzzlePanel, course=course), partial(CoursePanel, course=course), LinePanel, AnalysisPanel],
            mode=PuzzleMode,
            keep=False,
            **options,
        )
        if problem is not None:
            self.tell(problem, "What you solve is not written down. ")

    @property
    def _asked(self) -> PuzzlePanel:
        """The puzzle beside the board."""
        return self.beside(PuzzlePanel)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle on the board."""
        return self._asked.puzzle

    @property
    def progress(self) -> Progress:
        """What the person has solved."""
        return self._asked.course.progress

    @property
    def verdict(self) -> Verdict | None:
        """What was said about the last attempt, if it has been judged."""
        return self._asked.sitting.verdict

    def answer(self, text: str) -> None:
        """Answers in the puzzle's own words: a turn, canals, tiles or a schedule.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> made = puzzles("first-steps")
        >>> timing = next(puzzle.id for puzzle in made.puzzles if puzzle.kind == "timing")
        >>> with TemporaryDirectory() as folder:
        ...     trainer = made.trainer(progress=Progress(f"{folder}/club.sqlite"), first=timing)
        ...     trainer.answer(made.answer(timing).line)
        ...     trainer.wait()
        ...     trainer.verdict.right
        True
        """
        self._asked.give_answer(text)

    def hint(self) -> None:
        """Gives the next hint.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.hint()
        ...     trainer.task["hints"] == [trainer.puzzle.hints[0]]
        True
        """
        self._asked.hint()

    def show_solution(self) -> None:
        """Shows the solution, to go through on the board; whoever has not solved the puzzle has missed it then.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.progress.standing(trainer.puzzle).state
        'missed'
        """
        self._asked.show_solution()

    def retry(self) -> None:
        """Begins the puzzle again.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.retry()
        ...     trainer.position == trainer.puzzle.start
        True
        """
        self._asked.retry()

    def next(self) -> None:
        """Goes to the puzzle that is due next; if none is, to the one that follows in the set.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     first = trainer.puzzle
        ...     trainer.next()
        ...     trainer.puzzle != first
        True
        """
        self._asked.next()

    def turn_to(self, name: str) -> None:
        """Goes to a puzzle of the set, by its id.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.turn_to("first-steps-03")
        ...     trainer.puzzle.id
        'first-steps-03'
        """
        self._asked.turn_to(name)

    def step_to(self, number: int) -> None:
        """Shows a step of the line beside the board: 0 is where it begins.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.show_solution()
        ...     trainer.step_to(0)
        ...     trainer.position == trainer.puzzle.start
        True
        """
        self.beside(LinePanel).step_to(number)

    def wait(self, seconds: float = 60) -> None:
        """Waits until nothing is being judged, at most so long.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.wait(1)
        ...     trainer.verdict
        """
        super().wait(seconds)
        self._asked.wait(seconds)

    def analyse(self) -> None:
        """Opens an explorer of the position on the board; before the puzzle is solved that counts as a hint.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.analyse()
        ...     trainer.analysis.position == trainer.puzzle.start
        True
        """
        self.beside(AnalysisPanel).analyse()

    def close_analysis(self) -> None:
        """Closes the explorer.

        >>> from tempfile import TemporaryDirectory
        >>> from aquakit import puzzles
        >>> with TemporaryDirectory() as folder:
        ...     trainer = puzzles("first-steps").trainer(progress=Progress(f"{folder}/club.sqlite"))
        ...     trainer.analyse()
        ...     trainer.close_analysis()
        ...     trainer.analysis is None
        True
        """
        self.beside(AnalysisPanel).close_analysis()
