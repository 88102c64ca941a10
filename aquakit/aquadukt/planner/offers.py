"""What boards of Aquädukt can plan: the best canals as a question, and its answer as data to show."""

from __future__ import annotations

import threading
from typing import Any

from aquakit.aquadukt.board.telling import tell_canal
from aquakit.aquadukt.position import Position
from aquakit.core.options import Tell, show
from aquakit.errors import InvalidOption
from aquakit.planning.plans import (
    Count,
    Ghost,
    GhostLook,
    PlannerAnswer,
    PlannerQuestion,
    PlannerStep,
    tell_bounds,
)

SECONDS = 30.0
"""How long a question may take."""
PROVABLE_CANALS = 30
"""More canals than this are rarely proved in that time."""


def questions(position: Position) -> tuple[PlannerQuestion, ...]:
    """Lists what can be planned for the player to move, and why something cannot.

    >>> [question.label for question in questions(Position.start("aquadukt2"))]
    ['Canals']
    """
    about = "where some more canals help the player to move most against the others"
    refusal = "position: the game is over; expected a position in which canals can still be laid"
    return (
        PlannerQuestion(
            "canals", "Canals", about, Count("canals", 1, PROVABLE_CANALS, 4), refusal if position.is_over else ""
        ),
    )


def answer(
    position: Position, question: str, number: int | None, *, stop: threading.Event, tell: Tell
) -> PlannerAnswer:
    """Answers a question."""
    if question != "canals":
        raise InvalidOption("question", show(question), "canals")
    return _plan_canals(position, number or 1, stop, tell)


def _plan_canals(position: Position, canals: int, stop: threading.Event, tell: Tell) -> PlannerAnswer:
    from aquakit.aquadukt.planner.canals.plan import plan_canals

    def hear(progress: Any) -> None:
        if not stop.is_set():
            tell(tell_bounds(progress.value, progress.bound, "points ahead"))

    found = plan_canals(position, canals=canals, seconds=SECONDS, on_progress=hear, stop=stop)
    return PlannerAnswer((str(found).partition("\n")[0],), tuple(_show_steps(position, found)))


def _show_steps(position: Position, found: Any) -> list[PlannerStep]:
    """Shows the canals one by one; a segment that gets two carries both numbers."""
    tiles, labels, made = position.tiles, dict[str, str](), []
    for number, (step, action) in enumerate(zip(found.steps, found.layout.actions, strict=True), start=1):
        place = action.segment
        labels[place] = f"{labels[place]}+{number}" if place in labels else str(number)
        look: GhostLook = "double" if step.way == "double" else "single"
        wet = ", ".join(f"{tiles[square]} on {square}" for square in step.watered)
        note = f"waters {wet}; lead {step.value:+}" if wet else ""
        told = tell_canal(found.after, place, double=look == "double")
        made.append(PlannerStep(str(action), note, (Ghost(place, look, labels[place]),), (told,)))
    return made
