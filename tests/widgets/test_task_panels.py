"""The parts of trainers and exercises alone: a line beside any board, a course, gaps, a task of one's own."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tiny_puzzles import RIGHT, WRONG, make_set

from aquakit.core.options import Tell
from aquakit.core.record import Record
from aquakit.errors import InvalidOption, InvalidTurn
from aquakit.puzzle.kinds import find_way
from aquakit.puzzle.model import PuzzleSet
from aquakit.training.attempt import Attempt
from aquakit.training.progress import Progress
from aquakit.training.sitting import Ledger, Sitting
from aquakit.training.verdict import Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.tasks.course import PuzzleCourse
from aquakit.widgets.tasks.frames import LinePlayer
from aquakit.widgets.tasks.gaps import Gaps
from aquakit.widgets.tasks.line import LinePanel
from aquakit.widgets.tasks.task import TaskMode, TaskPanel
from aquakit.workshop.collection import load_lesson
from aquakit.workshop.question import PositionQuestion

LONG_AGO = datetime.now(UTC) - timedelta(days=30)


@pytest.fixture(scope="module")
def puzzles() -> PuzzleSet:
    return make_set()


# Lines


class LineBoard(Board):
    """A board with nothing but a line beside it."""

    panel_types = (LinePanel,)


def test_a_line_is_gone_through_on_any_board(puzzles: PuzzleSet) -> None:
    puzzle = puzzles["two-turns"]
    board = LineBoard(puzzle.start, record=Record(puzzle.start.rewind()))
    line = board.beside(LinePanel)
    assert line.describe() is None
    frames = LinePlayer(find_way(puzzle)).show_solution(puzzles.answer(puzzle).line, board.record.root)
    line.show(frames, "Solution")
    assert [len(frames), line.last, line.prompt] == [3, 2, ""]
    line.step_to(1)
    assert (board.position, line.prompt) == (frames[1].moment, "Solution: step 1 of 2")
    assert board.walk is not None  # the builder walks when one goes on
    line.step_to(0)
    assert (board.position, board.walk) == (puzzle.start, None)
    with pytest.raises(InvalidOption, match="step"):
        line.step_to(3)
    assert line.at == 0


def test_what_comes_of_an_answer_begins_with_it(puzzles: PuzzleSet) -> None:
    puzzle = puzzles["five"]
    root = Record(puzzle.start.rewind()).root
    node = root.play(puzzle.start.carry_out(WRONG)[0])
    tried, *line = LinePlayer(find_way(puzzle)).show_verdict(WRONG, Verdict(False, "no"), node, node.position)
    assert (tried.text, tried.note, tried.moment, line) == (WRONG, "your answer", node.position, [])


# Courses


def test_a_course_begins_with_what_is_due_and_goes_on(puzzles: PuzzleSet, tmp_path: Path) -> None:
    progress = Progress(tmp_path / "progress.sqlite")
    course = PuzzleCourse(puzzles, progress)
    assert (course.puzzle.id, course.number, course.tell_standing()) == ("five", 1, "not tried yet")
    assert course.tell_tally() == f"0 of {len(puzzles)} puzzles solved"
    progress.record(course.puzzle, RIGHT, "right")
    following = course.find_next()
    assert following.id != "five"
    assert course.tell_standing() == "solved"
    assert PuzzleCourse(puzzles, progress, "long").find("five").id == "five"


def test_a_course_keeps_attempts_and_knows_what_came_of_them(puzzles: PuzzleSet, tmp_path: Path) -> None:
    course = PuzzleCourse(puzzles, Progress(tmp_path / "progress.sqlite"))
    before = course.rating
    course.progress.record(puzzles["long"], "", "wrong", shown=True)
    course.find("five")
    assert course.rating.value < before.value
    assert course.tell_tally().endswith("1 to be seen again")


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ([{"hints": 1}], "right, but with a hint, so it comes back in 16 hours"),
        ([{"verdict": "wrong"}, {}], "right, but not at the first try, so it comes back in 16 hours"),
        ([{"verdict": "wrong"}], "missed: comes back in 16 hours"),
        ([{"verdict": "wrong", "now": LONG_AGO}], "missed: comes back now"),
        ([{"verdict": "wrong", "now": LONG_AGO}, {}], "right, but once is not enough, so it comes back in 3 days"),
        ([{}], "solved"),
    ],
)
def test_why_a_right_answer_comes_back_is_said(
    puzzles: PuzzleSet, tmp_path: Path, made: list[dict[str, Any]], said: str
) -> None:
    course = PuzzleCourse(puzzles, Progress(tmp_path / "progress.sqlite"))
    for attempt in made:
        course.progress.record(course.puzzle, RIGHT, **{"verdict": "right", **attempt})
    course.find("five")
    assert course.tell_standing() == said


def test_right_after_the_solution_is_no_plain_miss(puzzles: PuzzleSet, tmp_path: Path) -> None:
    course = PuzzleCourse(puzzles, Progress(tmp_path / "progress.sqlite"))
    course.progress.record(course.puzzle, "", "wrong", shown=True)
    course.find("five")
    assert course.tell_standing(is_right=True) == (
        "right, but after the solution was shown, so it comes back in 16 hours"
    )


# Gaps


def test_gaps_are_filled_one_by_one() -> None:
    questions = load_lesson("rules").questions + load_lesson("sight").questions + load_lesson("graph").questions
    question = next(q for q in questions if isinstance(q, PositionQuestion))
    gaps = Gaps(question)
    picked = [] if len(question.gaps) == 1 else [question.gaps[0]]
    chosen = gaps.offer(picked).choices[0]
    gaps.put(chosen.act)
    assert [mark.on for mark in gaps.mark([])] == [question.gaps[0]]
    assert (gaps.read() is None) == (question.to_fill > 1)


# Tasks


class Sum(TaskPanel):
    """Asks how much two and two is."""

    def __init__(self, board: Any) -> None:
        super().__init__(board)
        self.kept = list[Attempt]()
        self.let = threading.Event()
        blank = Attempt(at=datetime.now(UTC), task="sum")
        self.sitting = Sitting(Ledger(blank, ["Count."], self.kept.append), self.judge)
        self.log = list[str]()

    def judge(self, answer: str, stop: threading.Event, tell: Tell) -> Verdict:
        assert self.let.wait(30)
        return Verdict(int(answer) == 4, "two and two")

    def read_board(self) -> str | None:
        return None

    def restart(self) -> None:
        self.log.append("restarted")

    def show_verdict(self, verdict: Verdict) -> None:
        self.log.append(verdict.outcome)

    def describe(self) -> dict[str, Any]:
        return {"sum": "2 + 2"}

    def say_result(self) -> str:
        return "a sum"


class SumMode(TaskMode):
    """Knows the panel by its kind."""

    @property
    def asked(self) -> Sum:
        return self.board.beside(Sum)


class SumBoard(Board):
    """A board on which a sum is asked."""

    panel_types = (Sum,)


def hand_in(board: Board, answer: str) -> Sum:
    asked = board.beside(Sum)
    with board.changing(wake=False):
        asked.hand_in(answer)
    return asked


def test_whatever_is_asked_is_judged_beside_the_notebook_and_written_down() -> None:
    board = SumBoard("romana2-5x4", mode=SumMode)
    asked = hand_in(board, "4")
    assert board.task["stage"] == "checking"
    with pytest.raises(InvalidTurn, match="this try is over"):
        board.play("b3=+@E4 x-")
    asked.let.set()
    asked.wait(30)
    assert (board.task["stage"], board.task["sum"], asked.log) == ("judged", "2 + 2", ["right"])
    assert [(a.task, a.answer, a.outcome) for a in asked.kept] == [("sum", "4", "right")]


def test_what_fails_is_said_and_can_be_tried_again() -> None:
    board = SumBoard("romana2-5x4", mode=SumMode)
    asked = hand_in(board, "four")
    asked.let.set()
    asked.wait(30)
    assert "four" in board.problem
    assert (board.task["stage"], asked.log, asked.kept) == ("trying", ["restarted"], [])


def test_what_is_stopped_is_never_heard() -> None:
    board = SumBoard("romana2-5x4", mode=SumMode)
    asked = hand_in(board, "4")
    board.stop()
    asked.let.set()
    assert asked.background is not None
    asked.background.wait(30)
    assert (board.task["stage"], asked.log, asked.kept) == ("trying", ["restarted"], [])
