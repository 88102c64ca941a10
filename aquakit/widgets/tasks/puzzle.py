"""Beside the board of a trainer: the puzzle that is asked, its hints and solution, and what is said of an answer.

What would give a puzzle away stays in Python until it is asked for: the page gets the question and what was said of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.core.record import Record
from aquakit.core.words import capital
from aquakit.errors import AquakitError
from aquakit.puzzle.asking import ask_puzzle
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.model import Puzzle, write_number
from aquakit.puzzle.texts import split_explanation
from aquakit.puzzle.themes import tell_theme
from aquakit.training.verdict import Outcome, Verdict
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.tasks.analysis import AnalysisPanel
from aquakit.widgets.tasks.course import PuzzleCourse
from aquakit.widgets.tasks.frames import LinePlayer
from aquakit.widgets.tasks.line import LinePanel
from aquakit.widgets.tasks.score import CoursePanel
from aquakit.widgets.tasks.task import TaskPanel

MOST_ANSWERS = 6
"""So many accepted answers are written out."""
HEADS: dict[Outcome, str] = {"right": "Right", "equal": "Equally good", "wrong": "Not the best"}


class PuzzlePanel(TaskPanel):
    """The puzzle of a course that is on the board."""

    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        **TaskPanel.traits,
        # How far the judging has come, in a few words.
        "status": traitlets.Unicode(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board, course: PuzzleCourse) -> None:
        """Asks the puzzle with which a course begins."""
        super().__init__(board)
        self.course = course
        self._take_up(course.puzzle)

    def _take_up(self, puzzle: Puzzle) -> None:
        """Begins with a puzzle; one that cannot be asked changes nothing."""
        goal, way, answer = find_kind(puzzle.kind).goal(puzzle), find_way(puzzle), self.course.puzzles.answer(puzzle)
        self.goal, self.way, self.answer = goal, way, answer
        self.puzzle = self.course.puzzle = puzzle
        self.player = LinePlayer(way)
        self.sitting = ask_puzzle(puzzle, answer, self.course.keep)

    @property
    def line(self) -> LinePanel:
        """The line beside the board."""
        return self.board.beside(LinePanel)

    # What people ask of it

    def give_answer(self, answer: Any) -> None:
        """Takes an answer in the puzzle's own words: a turn, canals, tiles or a schedule."""
        if self.way.form is None:
            self.board.play(answer)
            return
        self.board.check_free()
        with self.board.changing(wake=False):
            self.hand_in(answer)

    def show_solution(self) -> None:
        """Shows the solution, to go through on the board; whoever has not solved the puzzle has missed it then."""
        with self.board.changing(wake=False):
            # A line that cannot be played changes nothing.
            frames = self.player.show_solution(self.answer.line, self.board.record.root)
            self.sitting.show_solution()
            self.restart()
            self.line.show(frames, "Solution", "On the board")
            self.sitting.ledger.give_up()

    def next(self) -> None:
        """Goes to the puzzle that is due next; if none is, to the one that follows in the set."""
        with self.board.lock:
            puzzle = self.course.find_next()
            with self.board.changing(wake=False):
                self._switch(puzzle)
        self.board.beside(AnalysisPanel).close_analysis()

    def turn_to(self, name: str) -> None:
        """Goes to a puzzle of the set, by its id."""
        with self.board.changing(wake=False):
            self._switch(self.course.find(name))
        self.board.beside(AnalysisPanel).close_analysis()

    def _switch(self, puzzle: Puzzle) -> None:
        """Puts another puzzle on the board."""
        self.sitting.drop()
        self._take_up(puzzle)
        self.line.clear()
        self.board.take_over(Record(puzzle.start.rewind()), puzzle.start)
        self.board.forget()

    def messages(self) -> Mapping[str, Message]:
        """Hears also which puzzle is wanted."""
        others = {"next": Message(self.next), "puzzle": Message(self.turn_to, id=read_text)}
        return {**super().messages(), **others}

    # Answers

    def list_done(self) -> list[Any]:
        """Lists what has been done since the puzzle's start."""
        board = self.board
        turns = [node.turn for node in board.node.line()[1:]]
        actions = [action for turn in (*turns, board.moment.played) for action in turn or ()]
        return self.way.list_done(actions[len(self.puzzle.start.played) :], board.moment)

    def read_board(self) -> str | None:
        """Gets the answer as soon as it is complete on the board."""
        return self.way.read(self.list_done(), self.board.moment)

    def restart(self) -> None:
        """Puts the puzzle's position on the board."""
        self.board.stand_at(self.board.record.root, self.puzzle.start)
        self.line.clear()

    def hand_in(self, answer: str) -> None:
        """Begins to judge an answer."""
        self.board.set_trait("status", "")
        super().hand_in(answer)

    def tell_status(self, status: str) -> None:
        """Shows how far the judging has come."""
        self.board.set_trait("status", status)

    def show_verdict(self, verdict: Verdict) -> None:
        """Shows what comes of an answer, to go through on the board."""
        board = self.board
        title = "How it goes on" if verdict.right else "Refutation"
        frames = self.player.show_verdict(self.sitting.tried, verdict, board.node, board.moment)
        self.line.show(frames, title if self.way.form is None else "Round by round")

    # What may be seen

    def say_result(self) -> str:
        """Says what stands on the board when the try is over: a step of a line, the start, or the answer."""
        if self.line.prompt:
            return self.line.prompt
        if self.sitting.shows_solution or self.sitting.verdict is None:
            return "The position asked about"
        return f"Your answer: {HEADS[self.sitting.verdict.outcome].lower()}"

    def describe(self) -> dict[str, Any]:
        """Collects what may be seen of the puzzle now."""
        puzzle, sitting = self.puzzle, self.sitting
        themes = puzzle.themes if sitting.ledger.is_decided else ()
        return {
            **self.board.beside(CoursePanel).describe(),
            "id": puzzle.id,
            "title": puzzle.title,
            "goal": self.goal,
            "difficulty": puzzle.difficulty,
            "themes": [{"name": name, "about": tell_theme(name)} for name in themes],
            "standing": self.course.tell_standing(is_right=sitting.verdict is not None and sitting.verdict.right),
            "verdict": None if sitting.verdict is None else self._describe_verdict(sitting.verdict),
            "form": self.way.form,
            "marks": clicks.plain(self.line.marks),
            "solution": self._describe_solution() if sitting.shows_solution else None,
            "line": self.line.describe(),
        }

    def _describe_verdict(self, verdict: Verdict) -> dict[str, Any]:
        bound = "at least " if verdict.is_bound else ""
        loss = "" if verdict.right else f": it loses {bound}{_round(verdict.loss)}"
        return {
            "outcome": verdict.outcome,
            "head": HEADS[verdict.outcome] + loss,
            "words": f"{capital(verdict.words)}.",
            "reasons": [f"{reason}." for reason in verdict.reasons] if self.way.form is None else [],
        }

    def _describe_solution(self) -> dict[str, Any]:
        answer = self.answer
        more = len(answer.accepted) - MOST_ANSWERS
        return {
            "value": str(write_number(self.puzzle.value)),
            "accepted": [{"words": self._say(text), "text": text} for text in answer.accepted[:MOST_ANSWERS]],
            "more": f"and {more:,} more" if more > 0 else "",
            "line": self.way.say_line(answer.line),
            "explanation": split_explanation(answer.explanation, find_kind(self.puzzle.kind).other),
            "proof": f"Proved by {answer.proof.method}: {answer.proof.searched}.",
            "source": self.puzzle.source,
        }

    def _say(self, text: str) -> str:
        """Says an accepted answer; what somebody's file holds that is none is shown as it is."""
        try:
            return self.way.say(text)
        except AquakitError:
            return text


def _round(number: int | Fraction) -> str:
    """Writes a number so that one sees at a glance how large it is."""
    return str(number) if isinstance(number, int) else f"{float(number):.2f}"
