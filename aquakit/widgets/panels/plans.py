"""The planner's row: one question at a time about the position on the board, and what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.core.options import read_flag, read_whole
from aquakit.core.record import Record
from aquakit.errors import AquakitError, InvalidOption
from aquakit.planning.plans import PlannerAnswer
from aquakit.widgets.background import JobPanel
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_number, read_text
from aquakit.widgets.panel import Setting
from aquakit.widgets.panels.plan_job import PlanJob, describe_job, describe_questions, read_question, read_verify

MOST_STEPS = 999


class PlansPanel(JobPanel[PlanJob]):
    """What can be planned here, how far that has come, and what was found; a game may have no planner."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "planner": traitlets.Dict(read_only=True).tag(sync=True),
        # Up to which step the board shows what was planned; none for all of it.
        "plan_shown": Setting(None).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with nothing planned."""
        super().__init__(board)
        self._problem = ""

    # What people ask of it

    @property
    def planned(self) -> PlannerAnswer | None:
        """What was planned for the position on the board, if it is known by now."""
        return None if self.job is None else self.job.answer

    def plan(self, question: str, number: int | None = None, *, verify: bool = False) -> None:
        """Begins to plan something for the position on the board, instead of what was planned before."""
        with self.board.lock:
            self.board.check_open()
            position = self.board.moment.view()
            asked, count = read_question(position, question, number)
            self.begin(PlanJob(position, asked, count, self.heard, verify=read_verify(asked, verify)))

    def wait(self, seconds: float) -> PlannerAnswer | None:
        """Waits until nothing is being planned, at most so long; gets what was found."""
        self.wait_for_job(seconds)
        return self.planned

    def add(self) -> None:
        """Adds the turns of the plan to the game as a variation; the board stays where it is."""
        with self.board.changing(wake=False):
            record = self._record()
            if not self._fits(record):
                raise InvalidOption("plan", "begins with another position", "the one on the board")
            nodes = [self.board.node]
            for planned in record.root.main()[1:]:
                nodes.append(nodes[-1].play(str(planned.turn)))
            self.board.cursor.remember(nodes)

    def open(self) -> None:
        """Opens the plan as a game of its own."""
        self.board.open_record(self._record())

    # The job

    def _ask(self, question: str, number: Any, verify: bool) -> None:
        """Begins to plan; what speaks against it is shown beside the question."""
        try:
            self.plan(question, number, verify=verify)
        except AquakitError as problem:
            with self.board.lock:
                self._problem = str(problem)
                self.show()

    def _record(self) -> Record:
        record = None if self.planned is None else self.planned.record
        if record is None:
            raise InvalidOption("plan", "there is none with turns", "that one was found")
        return record

    def _fits(self, record: Record) -> bool:
        """Checks whether a plan begins with what is on the board."""
        return record.start == self.board.moment == self.board.node.position

    def drop(self) -> None:
        """Stops planning; what is found after all is not heard."""
        super().drop()
        self._problem, self.board.plan_shown = "", None

    # Settings

    def read(self, name: str, value: Any) -> Any:
        """Checks up to which step the plan is shown."""
        return None if value is None else read_whole(name, value, most=MOST_STEPS)

    def setting_changed(self, name: str) -> None:
        """Leaves it to the browser to show more or less of the plan."""

    # What the board asks of it

    def settle(self) -> None:
        """Drops a plan for a position with which the game does not go on, such as one that is edited."""
        if self.board.mode.refusal and not self.board.mode.is_aside:
            self.drop()

    def forget(self) -> None:
        """Drops the plan for the position before."""
        self.drop()

    def shown(self) -> Mapping[str, Any]:
        """Gathers what can be asked, how far it has come, and what was found."""
        record = None if self.planned is None else self.planned.record
        return {
            "planner": {
                "questions": describe_questions(self.board.moment.view(), self.board.mode.refusal),
                **describe_job(self.job, self._problem),
                "turns": "" if record is None else "add" if self._fits(record) else "open",
            }
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "plan": Message(self._ask, question=read_text, number=read_number, verify=read_flag),
            "stop_plan": Message(self.stop),
            "clear_plan": Message(self.clear),
            "add_plan": Message(self.add),
            "open_plan": Message(self.open),
        }
