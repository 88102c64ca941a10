"""A puzzle while it is answered: how answers are judged, and what is written down of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from aquakit.core.options import Tell
from aquakit.puzzle.kinds import find_kind, judge_attempt
from aquakit.puzzle.model import Answer, Puzzle
from aquakit.training.attempt import Attempt, stamp
from aquakit.training.sitting import Ledger, Sitting
from aquakit.training.verdict import Verdict


def ask_puzzle(puzzle: Puzzle, answer: Answer, keep: Callable[[Attempt], object]) -> Sitting:
    """Gets a sitting for a puzzle; `keep` writes an attempt down."""
    blank = Attempt(at=datetime.now(UTC), task=puzzle.id, fingerprint=stamp(puzzle), difficulty=puzzle.difficulty)
    ledger = Ledger(blank, puzzle.hints, keep, keeps_every_look=False)
    return Sitting(ledger, lambda text, stop, tell: judge_answer(puzzle, answer, text, stop, tell))


def judge_answer(
    puzzle: Puzzle, answer: Answer, text: str, stop: threading.Event | None = None, tell: Tell | None = None
) -> Verdict:
    """Judges an answer, and tells one like the file's line from another that is as good."""
    verdict = judge_attempt(puzzle, text, answer, stop, tell)
    if not verdict.right:
        return verdict
    matches = find_kind(puzzle.kind).matches
    own = (accepted for accepted in answer.accepted if matches(puzzle, answer.line, accepted))
    return replace(verdict, is_other=not any(matches(puzzle, text, accepted) for accepted in own))
