"""How puzzles of Aquädukt are answered on a board: by a single decision, or by some canals."""

from __future__ import annotations

from typing import Any

from aquakit.board.clicks import Offer
from aquakit.core.position import AnyPosition
from aquakit.puzzle.answering import Actions, Answering
from aquakit.puzzle.model import LINE


class HouseAnswering(Answering):
    """The decision after a roll answers the puzzle."""

    has_turns = False  # whosever turn it is then, the canals of the study are the solver's

    def remark(self, moment: AnyPosition, text: str) -> str:
        """Says what a step assumes."""
        if "die" in text:
            return "best decisions, with the luckiest roll"
        return "before anybody else moves" if text.startswith("canal") else ""

    def read(self, done: Actions, moment: AnyPosition) -> str | None:
        """Gets the first decision."""
        return str(self.start.turn_type(done[:1])) if done else None

    def read_attempt(self, moment: AnyPosition, text: Any) -> Actions:
        """Reads the decision, whatever would follow it."""
        return self.start.turn_type.read(text)[:1]

    def first(self, line: str) -> str:
        """Gets the whole line, for the turn goes on after the decision."""
        return line


class CanalsAnswering(Answering):
    """Some canals, in whoever's turns, answer the puzzle."""

    has_turns = False

    def narrow(self, made: Offer, moment: AnyPosition, done: Actions) -> Offer:
        """Leaves only canals."""
        legal = {str(action) for action in moment.actions() if action.what == "canal"}
        number = 1 + sum(action.what == "canal" for action in done)
        choices = tuple(choice for choice in made.choices if choice.act in legal)
        return Offer(f"Lay canal {number} of {self.puzzle.horizon}", choices)

    def read(self, done: Actions, moment: AnyPosition) -> str | None:
        """Gets the canals when all are laid, or when no more can be."""
        canals = [str(action) for action in done if action.what == "canal"]
        more = any(action.what == "canal" for action in moment.actions())
        return ", ".join(canals) if canals and (len(canals) == self.puzzle.horizon or not more) else None

    def read_attempt(self, moment: AnyPosition, text: Any) -> Actions:
        """Reads canals, which may be fewer or more than those of a turn."""
        return self.start.turn_type.read(text)

    def split(self, line: str) -> list[str]:
        """Splits a line into canals; the end of a turn belongs to the last of its canals."""
        return [f"canal{rest}".strip(", ") for rest in line.replace(LINE, ", ").split("canal")[1:]]

    def read_step(self, moment: AnyPosition, text: str) -> Actions:
        """Reads a canal."""
        return self.start.turn_type.parse(text)

    def first(self, line: str) -> str:
        """Gets all canals of a line."""
        return line


WAYS: dict[str, type[Answering]] = {"canals": CanalsAnswering, "house": HouseAnswering}
"""How puzzles of the game's kinds are answered."""
