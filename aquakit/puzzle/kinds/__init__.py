"""The kinds of puzzles, found by their names; in this folder stand those of every game.

A kind is imported when first asked for, for most of them bring a solver along.
"""

from __future__ import annotations

import threading
from importlib import import_module

from aquakit.core.options import Tell
from aquakit.core.plugins import find_room
from aquakit.errors import InvalidOption, MissingPackage, shorten
from aquakit.puzzle.answering import Answering
from aquakit.puzzle.model import Answer, Puzzle
from aquakit.puzzle.protocol import Kind, part_of
from aquakit.puzzle.roster import kind_names, kind_places
from aquakit.training.verdict import Verdict


def find_kind(name: str) -> Kind:
    """Gets a kind by its name.

    >>> find_kind("duel").name
    'duel'
    """
    if name not in kind_names():
        raise InvalidOption("kind", shorten(repr(name)), f"one of {', '.join(kind_names())}")
    game = kind_places()[name][1]
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


def find_way(puzzle: Puzzle) -> Answering:
    """Gets how a puzzle is answered on a board."""
    return part_of(puzzle.start).find_way(puzzle) or find_kind(puzzle.kind).answering(puzzle)
