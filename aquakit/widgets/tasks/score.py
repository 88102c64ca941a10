"""Beside a puzzle: the list of the set's puzzles, and how the person stands with each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.widgets.board import Board
from aquakit.widgets.panel import Panel
from aquakit.widgets.tasks.course import PuzzleCourse


class CoursePanel(Panel):
    """The set that is gone through, and how far the person has come."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The puzzles of the set, and how the person stands with each.
        "contents": traitlets.List(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board, course: PuzzleCourse) -> None:
        """Shows a course."""
        super().__init__(board)
        self.course = course

    def shown(self) -> Mapping[str, Any]:
        """Shows the list."""
        standings = self.course.standings
        listed = self.course.puzzles.puzzles
        return {"contents": [{"id": p.id, "title": p.title, "state": standings[p.id].state} for p in listed]}

    def describe(self) -> dict[str, Any]:
        """Says where the puzzle stands in the set, and the person with the set."""
        return {
            "set": self.course.puzzles.title,
            "number": self.course.number,
            "tally": self.course.tell_tally(),
            "rating": str(self.course.rating),
            "is_kept": self.course.progress.path is not None,
        }
