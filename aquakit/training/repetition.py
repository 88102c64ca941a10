"""Brings missed puzzles back, after longer and longer times, until they are known: Leitner's boxes.

A missed puzzle goes into box 1. Solved without help when its time has come, it moves one box on, and out of the last
one it is known. A puzzle that was solved at first sight, without help, never comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, TypeVar

from aquakit.training.attempt import AskedPuzzle, Attempt
from aquakit.training.rating import RATINGS, Rating

P = TypeVar("P", bound=AskedPuzzle)

State = Literal["new", "missed", "learning", "known"]
"""Never tried; missed the last time; solved the last time, but to be seen again; done."""
Why = Literal["", "hint", "again", "step"]
"""Why a puzzle that was solved comes back: hints were taken; it was not the first try; it is on its way to be known."""
BOXES = {1: 1, 2: 3, 3: 7, 4: 21}
"""After how many days a puzzle comes back, by its box."""
EARLY = timedelta(hours=8)
"""How much sooner it comes, so that who practises every evening meets it in the evening of the day."""


@dataclass(frozen=True)
class PuzzleStanding:
    """How a person stands with a puzzle."""

    state: State = "new"
    tries: int = 0
    box: int = 0
    """The box from which it comes back; 0 if it does not."""
    due: datetime | None = None
    """When it comes back; none if it does not."""
    why: Why = ""
    """Why it comes back although it was solved the last time; empty otherwise."""

    def is_due(self, now: datetime) -> bool:
        """Checks whether it is time to see the puzzle again."""
        return self.due is not None and self.due <= now


def follow(attempts: Iterable[Attempt], standing: PuzzleStanding | None = None) -> PuzzleStanding:
    """Follows the attempts at one puzzle from a standing, if there is one, to the standing after them."""
    standing = standing or PuzzleStanding()
    for attempt in attempts:
        standing = replace(_step(standing, attempt), tries=standing.tries + 1)
    return standing


def _step(standing: PuzzleStanding, attempt: Attempt) -> PuzzleStanding:
    if not attempt.solved:
        return _put(1, attempt.at, "missed")
    if attempt.hints:  # what needed help waits in its box once more
        return _put(max(1, standing.box), attempt.at, "learning", "hint")
    if standing.due is None:
        return PuzzleStanding("known")
    if not standing.is_due(attempt.at):  # right again at once is not yet learnt
        return replace(standing, state="learning", why="again")
    known = standing.box == max(BOXES)
    return PuzzleStanding("known") if known else _put(standing.box + 1, attempt.at, "learning", "step")


def _put(box: int, now: datetime, state: State, why: Why = "") -> PuzzleStanding:
    return PuzzleStanding(state, box=box, due=now + timedelta(days=BOXES[box]) - EARLY, why=why)


def order(
    puzzles: Sequence[P], standings: Mapping[str, PuzzleStanding], rating: Rating, now: datetime
) -> tuple[P, ...]:
    """Orders what to solve now: those that are due, the longest waiting first; then new ones nearest to the rating.

    What is known and what is not due yet is left out. Of equally near ones the easier comes first, then that which
    stands first.
    """
    waiting = [(standings[puzzle.id].due, puzzle) for puzzle in puzzles]
    due = sorted(((when, puzzle) for when, puzzle in waiting if when and when <= now), key=lambda pair: pair[0])
    new = [puzzle for puzzle in puzzles if standings[puzzle.id].state == "new"]
    new.sort(key=lambda puzzle: (abs(RATINGS[puzzle.difficulty] - rating.value), puzzle.difficulty))
    return (*(puzzle for _, puzzle in due), *new)
