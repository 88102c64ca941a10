"""The best turn, for whoever asks: told in words with its reasons and how sure it is, and marked on the board."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board.telling import describe_turn, read_turn, tell
from aquakit.core.options import read_seconds, show
from aquakit.core.position import AnyPosition
from aquakit.engine.analysis import Analysis
from aquakit.engine.explain import Explanation
from aquakit.engine.weigh import SURE
from aquakit.errors import InvalidOption
from aquakit.widgets.background import Job, JobPanel, count_spare_cores
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message
from aquakit.widgets.panel import Arrows, Places, add_trace

USUAL = 2.0
"""Seconds that people wait gladly."""
PROVING = 0.25
"""The part of the time in which a proof is tried."""
REASONS = 4
"""So many effects of the turn are named at most."""
APART = ("expected", "points", "reply")
"""Claims that are no effects by the rules."""


class AdviceJob(Job):
    """A search for the best turn in a position."""

    def __init__(self, position: AnyPosition, seconds: float, heard: Callable[[AdviceJob], None]) -> None:
        """Prepares the work; one core is left to the notebook."""
        super().__init__(heard, "aquakit advice")
        self._seconds = seconds
        self._analysis = Analysis(position, lines=3, threads=count_spare_cores())
        self.explanation: Explanation | None = None
        self.words: dict[str, Any] | None = None
        """The turn, how sure it is, and why, as plain data."""

    def work(self) -> None:
        """Searches, tries a proof, and explains the best turn."""
        analysis = self._analysis
        analysis.run(
            seconds=(1 - PROVING) * self._seconds,
            on_update=lambda analysis: analysis.stop(wait=False) if self._stop.is_set() else None,
        )
        if not self._stop.is_set():
            analysis.prove(seconds=PROVING * self._seconds)
        if analysis.lines:
            self.explanation = analysis.explain()
            self.words = self._word(self.explanation)

    def _word(self, explanation: Explanation) -> dict[str, Any]:
        position, best = self._analysis.position, self._analysis.best
        expected = next(claim.text for claim in explanation.claims if claim.kind == "expected")
        effects = [claim.text for claim in explanation.claims if claim.kind not in APART]
        return {
            "turn": explanation.turn,
            "told": describe_turn(position, explanation.turn),
            "sure": f"{'No turn is better. ' if best.proved else ''}{expected}.",
            "why": [f"{text}." for text in (*effects[:REASONS], *self._reply())],
            "also": [describe_turn(position, turn) for turn in self._as_good()],
        }

    def _reply(self) -> list[str]:
        """Says what is expected to follow."""
        best, position = self._analysis.best, self._analysis.position
        after = read_turn(position, best.turn)[1]
        if not best.pv or after.is_over or after.is_chance:
            return []
        name = after.room("board.why").name(after.layout, after.player or 1)
        return [f"Expected reply of {name}: {tell(after, best.pv[0])}"]

    def _as_good(self) -> list[str]:
        """Lists the other turns that cannot be told from the best one."""
        best, *others = self._analysis.lines
        if best.proved:
            return [line.turn for line in others if line.proved and line.lead == best.lead]
        return [line.turn for line in others if best.lead - line.lead < SURE * math.hypot(best.stderr, line.stderr)]


class AdvicePanel(JobPanel[AdviceJob]):
    """One question at a time about the position on the board; with another one the answer goes."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "adviser": traitlets.Dict(read_only=True).tag(sync=True),
    }

    # What people ask of it

    @property
    def advised(self) -> Explanation | None:
        """The best turn and why, if it is known by now."""
        return None if self.job is None else self.job.explanation

    def advise(self, seconds: float = USUAL) -> None:
        """Begins to look for the best turn in the position on the board."""
        with self.board.lock:
            if read_seconds(seconds) is None:
                raise InvalidOption("seconds", show(seconds), "a number greater than 0")
            if refusal := self._refusal():
                raise InvalidOption("best turn", refusal, "a position in which a player decides")
            self.begin(AdviceJob(self.board.moment.view(), seconds, self.heard))

    def wait(self, seconds: float) -> Explanation | None:
        """Waits until nothing is being looked for, at most so long; gets what was found."""
        self.wait_for_job(seconds)
        return self.advised

    def play(self) -> None:
        """Plays the best turn; where dice come in, up to what they show."""
        with self.board.changing():
            self.board.mode.check()
            if self.advised is None:
                raise InvalidOption("best turn", "none is known", "that one was asked for")
            self.board.mode.carry_out(self.advised.turn)

    # The job

    def _refusal(self) -> str:
        """Says why nobody can be advised."""
        moment = self.board.moment
        over = "the game is over" if moment.is_over else "the die decides" if moment.is_chance else ""
        return self.board.mode.refusal or over

    def show(self) -> None:
        """Shows all, for the best turn is marked on the board too."""
        self.board.look_changed()

    # What the board asks of it

    def settle(self) -> None:
        """Drops the answer for a position with which the game does not go on, such as one that is edited."""
        if self.board.mode.refusal and not self.board.mode.is_aside:
            self.drop()

    def forget(self) -> None:
        """Drops the answer for the position before."""
        self.drop()

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Marks the best turn."""
        if self.advised is None or self.board.mode.is_aside:
            return places, arrows
        return add_trace(self.board.moment, self.advised.turn, places, arrows)

    def shown(self) -> Mapping[str, Any]:
        """Gathers what was found."""
        job = self.job
        return {
            "adviser": {
                "refusal": self._refusal(),
                "running": job is not None and not job.is_done,
                "problem": "" if job is None else job.problem,
                "answer": None if job is None else job.words,
            }
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "advise": Message(self.advise),
            "clear_advice": Message(self.clear),
            "play_best": Message(self.play),
        }
