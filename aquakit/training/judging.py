"""Judges an answer: asked, being judged, and then judged, stopped or failed. An exact verdict may take seconds.

Nothing here knows threads or boards. A command runs a judging where it stands; a board lets it run beside the notebook.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

from aquakit.core.options import Tell
from aquakit.training.verdict import JudgingStopped, Verdict

PAUSE = 0.5
"""So many seconds lie at least between two words about how far it has come."""

JudgingState = Literal["asked", "judging", "judged", "stopped", "failed"]
Judge = Callable[[str, threading.Event, Tell], Verdict]
"""Judges an answer; ends soon by JudgingStopped when the event is set, and tells how far it has come."""


class Judging:
    """The judging of one answer, done once.

    >>> judging = Judging("8", lambda answer, stop, tell: Verdict(answer == "7", "seven tiles"))
    >>> judging.run().right, judging.state
    (False, 'judged')
    """

    def __init__(
        self, answer: str, judge: Judge, *, stop: threading.Event | None = None, tell: Tell | None = None
    ) -> None:
        """Prepares it; whoever sets `stop` ends it soon, and `tell` hears now and then how far it has come."""
        self.answer = answer
        self.state: JudgingState = "asked"
        self.verdict: Verdict | None = None
        self.failure: BaseException | None = None
        self._judge, self._tell = judge, tell
        self._stop = threading.Event() if stop is None else stop
        self._told_at = -PAUSE

    def stop(self) -> None:
        """Asks for an end; who judges in the background does not hear of what is found after this."""
        self._stop.set()

    @property
    def is_stopped(self) -> bool:
        """Whether somebody asked for an end."""
        return self._stop.is_set()

    def run(self) -> Verdict | None:
        """Judges; gets the verdict, or none if it was stopped or failed."""
        self.state = "judging"
        try:
            verdict = self._judge(self.answer, self._stop, self._say_how_far)
        except JudgingStopped:
            self.state = "stopped"
        except BaseException as problem:  # whoever asked decides what to do about it
            self.state, self.failure = "failed", problem
        else:
            self.state, self.verdict = "judged", verdict
        return self.verdict

    def _say_how_far(self, status: str) -> None:
        if self._tell is not None and not self.is_stopped and time.monotonic() > self._told_at + PAUSE:
            self._told_at = time.monotonic()
            self._tell(status)
