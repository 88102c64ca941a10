"""The kinds of puzzles: what each of them must be able to do, and where it is found by its name.

A kind is a module of this folder, named like the kind, whose `KIND` fulfils the protocol `Kind`. It is imported when
first asked for, for most of them bring a solver along.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from aquakit.errors import InvalidOption, shorten

if TYPE_CHECKING:
    from aquakit.puzzle.model import Puzzle

NAMES = ("plan", "timing", "longest", "duel", "endgame", "canals", "house")
"""All kinds, in the order in which lists show them."""

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


@dataclass(frozen=True)
class Verdict:
    """What an attempt is worth."""

    best: bool
    """Whether the full value is still reached."""
    value: int | Fraction
    """What the attempt is worth at best."""
    loss: int | Fraction
    refutation: str
    """The best line after it, whole turns joined by " / "; empty if there is none to show."""
    words: str
    """One sentence in plain words with numbers."""


class Kind(Protocol):
    """What can be asked of a kind of puzzles."""

    name: str

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        ...

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves a puzzle from position, horizon and given alone; PuzzleError if that is not possible."""
        ...

    def judge(self, puzzle: Puzzle, attempt: str) -> Verdict:
        """Judges a whole turn, or the kind's own answer text, against `puzzle.value`; typed error if illegal."""
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
    kind: Kind = import_module(f"{__name__}.{name}").KIND
    return kind
