"""How puzzles of Aquädukt are answered on a board: by a single decision, or by some canals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from aquakit.aquadukt.board.telling import tell_canal
from aquakit.aquadukt.notation import Action
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.canals import OR, lay
from aquakit.board.clicks import Offer
from aquakit.core.position import AnyPosition
from aquakit.puzzle.answering import Actions, Answering
from aquakit.puzzle.model import LINE

CANAL = "canal "
"""How the token of a canal begins."""
Way = list[str]
"""The segments on one of which a canal lies; more than one where that is left open."""


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

    def say(self, answer: str) -> str:
        """Says the decision."""
        return self.start.tell(self.read_attempt(self.start, answer))


class CanalsAnswering(Answering):
    """Some canals, in whoever's turns, answer the puzzle."""

    start: Position

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

    def follow(self, attempt: str) -> Position:
        """Gets the board with the canals of an attempt, in whatever order they are written."""
        return self._lay([segment for segment, *_ in _read_canals(attempt)])

    def _lay(self, segments: Iterable[str]) -> Position:
        return lay(self.start, [Action("canal", segment=segment) for segment in segments])

    def say(self, answer: str) -> str:
        """Says canals in an order in which they can be laid; one may be left open: canal 3.6v, canal 2.5h or 3.4v."""
        canals = self._order(_read_canals(answer))
        fixed, seen, told = [way[0] for way in canals if len(way) == 1], set(self.start.canals), list[str]()
        for way in canals:
            boards = {segment: self._lay(fixed if len(way) == 1 else [*fixed, segment]) for segment in way}
            said = [tell_canal(board, segment, double=segment in seen).words for segment, board in boards.items()]
            told.append(OR.join([said[0], *(words.removeprefix("canal ") for words in said[1:])]))
            seen.update(way if len(way) == 1 else ())
        return ", ".join(told) or "no canal"

    def _order(self, canals: Sequence[Way]) -> list[Way]:
        """Puts canals in an order in which they can be laid, whichever way is taken of those that are left open."""
        rest, order = list(canals), list[Way]()
        boards = dict.fromkeys(range(max(map(len, canals), default=0)), self.start)
        while rest:
            legal = {number: {str(action) for action in board.actions()} for number, board in boards.items()}
            chosen = next((way for way in rest if all(_take(way, i) in legal[i] for i in boards)), None)
            if chosen is None:  # no canals, or none that fit together
                return [*order, *rest]
            boards = {number: board.act(_take(chosen, number)) for number, board in boards.items()}
            rest.remove(chosen)
            order.append(chosen)
        return order


def _take(way: Way, number: int) -> str:
    """Takes one of the segments that a canal may lie on, by its number; what is not left open is always the same."""
    return f"{CANAL}{way[number if len(way) > 1 else 0]}"


def _read_canals(answer: str) -> list[Way]:
    """Reads the canals of an answer or an attempt, each with the segments that it may lie on."""
    tokens = (token.strip() for token in answer.replace(LINE.strip(), ",").split(","))
    return [token.removeprefix(CANAL).split(OR) for token in tokens if token.startswith(CANAL)]


WAYS: dict[str, type[Answering]] = {"canals": CanalsAnswering, "house": HouseAnswering}
"""How puzzles of the game's kinds are answered."""
