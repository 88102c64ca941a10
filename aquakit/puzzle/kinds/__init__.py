"""The kinds of puzzles: what each of them must be able to do, and where it is found by its name.

A kind is a module of this folder, named like the kind, whose `KIND` fulfils the protocol `Kind`. It is imported when
first asked for, for most of them bring a solver along.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from aquakit.core.plugins import find_room
from aquakit.errors import InvalidOption, MissingPackage, shorten
from aquakit.training.verdict import Tell, Verdict

if TYPE_CHECKING:
    from aquakit.puzzle.model import Answer, Puzzle

NAMES = ("plan", "timing", "longest", "duel", "endgame", "canals", "house")
"""All kinds, in the order in which lists show them."""

_GAMES = {"plan": "romana", "timing": "romana", "longest": "romana", "canals": "aquadukt", "house": "aquadukt"}

LINE = " / "
"""What stands between two whole turns of a line."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a puzzle, from its position, horizon and what is given alone."""

    value: int | Fraction
    accepted: tuple[str, ...]
    """Compact answers, sorted."""
    margin: int | Fraction | None
    """The best minus the best of all that is not accepted; none if everything is accepted."""
    line: str
    """One full best line: whole turns joined by " / "."""
    method: str
    """How it was proved, such as search+cpsat or exhaustive."""
    searched: str
    """What was searched, in a few words with numbers."""


class Kind(Protocol):
    """What can be asked of a kind of puzzles."""

    name: str

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        ...

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves a puzzle from position, horizon and given alone; PuzzleError if that is not possible."""
        ...

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges a whole turn, or the kind's own answer text, against `puzzle.value`; typed error if illegal.

        What the file's `answer` accepts is right without any search. Whoever sets `stop` ends the work soon, by
        JudgingStopped; `tell` hears how far it has come.
        """
        ...

    def worth(self, puzzle: Puzzle, line: str) -> int | Fraction:
        """Replays a full line by the rules and gets what it is worth; a typed error if it is illegal."""
        ...

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a legal attempt, or what a full line begins with, is among those that an answer stands for."""
        ...


def find_kind(name: str) -> Kind:
    """Gets a kind by its name.

    >>> find_kind("duel").name
    'duel'
    """
    if name not in NAMES:
        raise InvalidOption("kind", shorten(repr(name)), f"one of {', '.join(NAMES)}")
    game = _GAMES.get(name)
    kind: Kind = (find_room(game, f"puzzles.{name}") if game else import_module(f"{__name__}.{name}")).KIND
    return kind


def judge_attempt(
    puzzle: Puzzle, attempt: str, answer: Answer, stop: threading.Event | None = None, tell: Tell | None = None
) -> Verdict:
    """Judges an attempt by its kind; where the solver for that is not installed, by the proved answers alone."""
    try:
        return find_kind(puzzle.kind).judge(puzzle, attempt, answer=answer, stop=stop, tell=tell)
    except MissingPackage as problem:
        # What is accepted was found to be right without a solver, and all else falls short by the margin.
        loss = answer.margin or 0
        words = f"not among the answers that are proved best, all others lose at least {loss}"
        words = f"{words}; how much exactly cannot be said here, for {problem.where} is not installed"
        return Verdict(False, words, puzzle.value - loss, loss, is_bound=True)


def is_accepted(kind: Kind, puzzle: Puzzle, attempt: str, answer: Answer) -> bool:
    """Checks whether a legal attempt is among those that the file's answer stands for."""
    return any(kind.matches(puzzle, attempt, text) for text in answer.accepted)
