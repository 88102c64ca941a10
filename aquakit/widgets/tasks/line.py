"""Beside a puzzle: the line that is gone through step by step, be it the solution, a refutation or a story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aquakit.core.options import read_whole
from aquakit.planning.plans import Ghost
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_count
from aquakit.widgets.panel import Panel
from aquakit.widgets.tasks.frames import LineFrame


class LinePanel(Panel):
    """A line, and the step of it that is on the board."""

    board: Board

    def __init__(self, board: Board) -> None:
        """Begins without a line."""
        super().__init__(board)
        self.clear()

    def clear(self) -> None:
        """Drops the line."""
        self.show([], "")

    def show(self, frames: list[LineFrame], title: str, heading: str = "") -> None:
        """Takes over a line, first where it begins and then each step; `heading` stands above it, or else the title."""
        self.frames, self.title, self.heading = frames, title, heading or title
        self.at = 0
        """The frame on the board."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return max(0, len(self.frames) - 1)

    @property
    def marks(self) -> tuple[Ghost, ...]:
        """What is marked on the board at this step."""
        return self.frames[self.at].marks if self.frames else ()

    @property
    def prompt(self) -> str:
        """Says which step is shown; empty at the beginning."""
        return f"{self.title}: step {self.at} of {self.last}" if self.at else ""

    def step_to(self, number: int) -> None:
        """Shows a step of the line: 0 is where it begins."""
        with self.board.changing(wake=False):
            self.go(read_whole("step", number, most=self.last))

    def go(self, number: int) -> None:
        """Puts a step on the board, or the nearest there is; inside a change."""
        if self.frames:
            number = min(max(0, number), self.last)
            frame, is_next = self.frames[number], number == self.at + 1
            self.board.stand_at(frame.node, frame.moment)
            self.board.walked = frame.walk if is_next else None
            self.at = number

    def messages(self) -> Mapping[str, Message]:
        """Hears which step is wanted."""
        return {"step": Message(self.step_to, number=read_count)}

    def describe(self) -> dict[str, Any] | None:
        """Gets the line as it is shown; nothing if it has no steps."""
        if not self.last:
            return None
        shown = ("text", "who", "note", "told")
        steps = [{name: getattr(frame, name) for name in shown} for frame in self.frames]
        return {"title": self.heading, "steps": steps, "at": self.at}
