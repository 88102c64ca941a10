"""Who proved a plan: each method by itself, and the second one as a witness of the first."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from aquakit.errors import contradiction
from aquakit.romana.planner.plan.portfolio import WITNESSES, Portfolio
from aquakit.romana.planner.plan_question import PlanQuestion


@dataclass(frozen=True)
class PlanProof:
    """What one method proved of a question, and in what time.

    >>> PlanProof("search", 14, 0.1234)
    <PlanProof: no more than 14 points, by search in 0.1 s>
    """

    by: str
    """search or cpsat; rules where no turn was left to be planned."""
    points: int
    """No plan is worth more. Where this is what the plan is worth, the plan is proved."""
    seconds: float

    def __repr__(self) -> str:
        return f"<PlanProof: no more than {self.points} points, by {self.by} in {self.seconds:.1f} s>"


def ask_second_witness(
    question: PlanQuestion, proof: PlanProof, seconds: float | None = None, stop: threading.Event | None = None
) -> PlanProof:
    """Lets the method that did not find a proof look for a better plan, which must not be there.

    What it proves is no more than the points, or that none is better; if time was too short it says less.

    >>> from aquakit.romana.position import Position
    >>> question = PlanQuestion(Position.start("romana2-5x4").solo(1), 1)
    >>> ask_second_witness(question, PlanProof("search", 2, 0.1)).points
    2
    """
    by, points = next(name for name in WITNESSES if name != proof.by), proof.points
    answer = Portfolio(replace(question, at_least=points + 1), method=by, seconds=seconds, stop=stop).run()
    if answer.points is not None:
        told = f"{by} has a plan of {answer.points} points, {' / '.join(map(str, answer.turns))}"
        raise contradiction(question, told, f"{proof.by} proves that none has more than {points}")
    if answer.bound < points:
        told = f"{proof.by} has a plan of {points} points"
        raise contradiction(question, told, f"{by} proves that none has more than {answer.bound}")
    return PlanProof(by, answer.bound, answer.seconds)
