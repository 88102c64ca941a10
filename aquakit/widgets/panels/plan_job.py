"""Plans what an explorer is asked to, in the background: one question at a time, for the position on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from aquakit.board import clicks
from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.plugins import MissingRoom
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption
from aquakit.planning.plans import PlannerAnswer, PlannerQuestion
from aquakit.widgets.background import Job

SHOWN = ("summary", "steps", "table", "above")
"""What is shown of an answer."""
Heard = Callable[["PlanJob"], None]
"""Takes over what a job has to say; called in the job's thread."""


def find_offers(position: AnyPosition) -> ModuleType | None:
    """Finds what a game can plan; a game need not have planners."""
    try:
        return position.room("planner.offers")
    except MissingRoom:
        return None


def list_questions(position: AnyPosition) -> tuple[PlannerQuestion, ...]:
    """Lists what can be planned in a position."""
    offers = find_offers(position)
    return () if offers is None else offers.questions(position)


def read_question(position: AnyPosition, wanted: Any, number: Any) -> tuple[PlannerQuestion, int | None]:
    """Checks what is asked; without a number it is the usual one."""
    known = list_questions(position)
    question = next((question for question in known if question.id == wanted), None)
    if question is None:
        raise InvalidOption("question", show(wanted), f"one of {', '.join(q.id for q in known)}" if known else "none")
    if question.refusal:
        raise InvalidOption(question.label, question.refusal)
    count = question.number
    if count is None:
        return question, None
    return question, read_whole(
        count.label, count.usual if number is None else number, least=count.least, most=count.most
    )


def read_verify(question: PlannerQuestion, verify: Any) -> bool:
    """Checks whether a second method is wanted, which only some questions have."""
    if read_flag("verify", verify) and not question.second:
        raise InvalidOption("verify", f"there is no second method for {question.label} here", "no second method")
    return bool(verify)


class PlanJob(Job):
    """A question on its way to an answer."""

    def __init__(
        self, position: AnyPosition, question: PlannerQuestion, number: int | None, heard: Heard, *, verify: bool
    ) -> None:
        """Prepares the work; `start` begins it."""
        super().__init__(heard, "aquakit planning")
        self.position, self.question, self.number, self.verify = position, question, number, verify
        self.answer: PlannerAnswer | None = None

    def work(self) -> None:
        """Lets the game's planner answer; once stopped, the answer is the best so far."""
        offers = find_offers(self.position)
        assert offers is not None
        options = {"verify": self.verify} if self.question.second else {}
        asked = self.position, self.question.id, self.number
        self.answer = offers.answer(*asked, stop=self._stop, tell=self.tell, **options)


def describe_questions(position: AnyPosition, problem: str = "") -> list[dict[str, Any]]:
    """Gets what can be asked, as plain data; a problem stands in the way of all of it."""
    listed: list[dict[str, Any]] = clicks.plain(list_questions(position))
    return [{**question, "refusal": problem or question["refusal"]} for question in listed]


def describe_job(job: PlanJob | None, problem: str = "") -> Mapping[str, Any]:
    """Gets how far a question has come, and its answer if there is one, as plain data."""
    if job is None:
        still = {"asked": None, "running": False, "stopping": False, "seconds": 0.0, "status": "", "answer": None}
        return still | {"problem": problem}
    answer = None
    if job.answer is not None:
        answer = {name: clicks.plain(getattr(job.answer, name)) for name in SHOWN}
    return {
        "asked": {"id": job.question.id, "number": job.number, "verify": job.verify},
        "running": not job.is_done,
        "stopping": job.is_stopping and not job.is_done,
        "seconds": round(job.seconds, 1),
        "status": "" if job.is_done else job.status,
        "answer": answer,
        "problem": problem or job.problem,
    }
