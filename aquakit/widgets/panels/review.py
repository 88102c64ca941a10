"""The review of the game on the board: who lost how much, the course of the leads, and the mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.core.options import read_seconds, read_whole, show
from aquakit.core.position import AnyPosition
from aquakit.engine.judged import Judged
from aquakit.engine.review import Review
from aquakit.errors import InvalidOption
from aquakit.widgets.background import JobPanel
from aquakit.widgets.board import Board
from aquakit.widgets.messages import MOST, Message, read_count, read_text
from aquakit.widgets.panel import Arrows, Places, Setting, add_trace
from aquakit.widgets.panels.review_job import STRENGTHS, ReviewJob


class ReviewPanel(JobPanel[ReviewJob]):
    """One review at a time, of the game on the board; with another game it goes."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # What can be asked, and how far it has come.
        "reviewer": traitlets.Dict(read_only=True).tag(sync=True),
        # The table, the course of the leads and the mistakes, as far as the game is reviewed.
        "findings": traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True),
        # Which of the mistakes is looked at: while the board stands there, its better turn is marked.
        "mistake_shown": Setting(None).tag(sync=True),
        # The mistake that is about to be made on the board.
        "mistake_here": traitlets.Int(None, allow_none=True, read_only=True).tag(sync=True),
    }

    # What people ask of it

    @property
    def reviewed(self) -> Review | None:
        """The review of the game on the board, as far as it has come."""
        return None if self.job is None else self.job.review

    def review(self, seconds: float) -> None:
        """Begins to review the game on the board, with so much time for each decision."""
        with self.board.lock:
            if read_seconds(seconds) is None:
                raise InvalidOption("seconds", show(seconds), "a number greater than 0")
            if refusal := self._refusal():
                raise InvalidOption("review", refusal, "a game")
            self.begin(ReviewJob(self.board.record, seconds, self.heard))

    def wait(self, seconds: float) -> Review | None:
        """Waits until nothing is being reviewed, at most so long; gets what was found."""
        self.wait_for_job(seconds)
        return self.reviewed

    def go(self, index: int) -> None:
        """Goes to the moment of a mistake, by its place among them, and marks the better turn."""
        job, judged, moment = self._find(index)
        turn = job.line[judged.number].turn
        assert turn is not None
        # What had been played of the turn, such as a roll; the moment itself is as the player saw it.
        self._stand(job, judged.number, tuple(turn)[: len(moment.played)])
        self.board.mistake_shown = index

    # The job

    def _refusal(self) -> str:
        """Says why there is nothing to review."""
        if self.board.mode.refusal:
            return self.board.mode.refusal
        return "" if self.board.record.root.children else "no turn has been played yet"

    def _find(self, index: int) -> tuple[ReviewJob, Judged, AnyPosition]:
        mistakes = [] if self.job is None else self.job.mistakes
        if self.job is None or not 0 <= index < len(mistakes):
            raise InvalidOption("mistake", show(index), f"one of {len(mistakes)} that were found")
        return self.job, *mistakes[index]

    def _ask(self, strength: str) -> None:
        """Begins what the page asks for."""
        if strength not in STRENGTHS:
            raise InvalidOption("strength", show(strength), f"one of {', '.join(STRENGTHS)}")
        self.review(STRENGTHS[strength])

    def _turn(self, index: int) -> None:
        """Goes to the position after a turn of the game that was reviewed."""
        if self.job is None:
            raise InvalidOption("turn", "no game has been reviewed", "a review")
        self._stand(self.job, read_whole("turn", index, most=self.job.last) + 1)

    def _stand(self, job: ReviewJob, number: int, actions: tuple[Any, ...] = ()) -> None:
        """Goes to the moment after some actions of a turn of the game that was reviewed."""
        node = job.line[number - 1]
        with self.board.changing(wake=False):
            if node.line()[0] is not self.board.record.root:
                raise InvalidOption("turn", "has been deleted from the game", "one that is there")
            moment: AnyPosition = node.position
            for action in actions:
                moment = moment.act(action)
            self.board.cursor.remember(job.line)
            self.board.stand_at(node, moment)

    def drop(self) -> None:
        """Stops the review, and takes what it has marked from the board."""
        super().drop()
        self.board.mistake_shown = None

    # Settings

    def read(self, name: str, value: Any) -> Any:
        """Checks which mistake is looked at; a page may point at one that is gone by now."""
        if value is None:
            return None
        place = read_whole(name, value, most=MOST)
        return place if self.job is not None and place < len(self.job.mistakes) else None

    # What the board asks of it

    def settle(self) -> None:
        """Drops the review of a game that is no longer on the board."""
        if self.job is not None and self.job.review.record is not self.board.record:
            self.drop()

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Marks the better turn while the board stands where a mistake was made that is looked at."""
        index = self.board.mistake_shown
        if index is None or self.board.mode.refusal or index != self._here():
            return places, arrows
        return add_trace(self.board.moment, self._find(index)[1].best, places, arrows)

    def _here(self) -> int | None:
        """Finds the mistake that was made in the position on the board."""
        if self.job is None or not self.job.mistakes:
            return None
        shown = self.board.moment.view()
        return next((i for i, (_, moment) in enumerate(self.job.mistakes) if moment == shown), None)

    def shown(self) -> Mapping[str, Any]:
        """Gathers what can be asked, how far it has come, and what was found."""
        job, turns = self.job, len(self.board.record.root.main()) - 1
        strengths = [{"id": name, "label": f"{name}, {_tell_time(turns * each)}"} for name, each in STRENGTHS.items()]
        return {
            "mistake_here": self._here(),
            "reviewer": {
                "strengths": strengths,
                "refusal": self._refusal(),
                "running": job is not None and not job.is_done,
                "stopping": job is not None and job.is_stopping and not job.is_done,
                "status": "" if job is None else job.status if not job.is_done else _tell_end(job),
                "done": 0 if job is None or not job.review.turns else job.review.turns[-1].number,
                "last": 0 if job is None else job.last,
                "problem": "" if job is None else job.problem,
            },
            "findings": None if job is None or not job.review.turns else job.describe(),
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "review": Message(self._ask, strength=read_text),
            "stop_review": Message(self.stop),
            "to_mistake": Message(self.go, index=read_count),
            "to_reviewed": Message(self._turn, index=read_count),
        }


def _tell_time(seconds: float) -> str:
    """Says about how long decisions take, beside what it takes to weigh the turns that were played."""
    seconds *= 1.5
    return f"about {seconds:.0f} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


def _tell_end(job: ReviewJob) -> str:
    """Says what a review has come to."""
    if not job.review.is_complete:
        return f"Stopped after turn {job.review.turns[-1].number} of {job.last}." if job.review.turns else "Stopped."
    return "" if job.mistakes else "No mistakes were found."
