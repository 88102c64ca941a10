"""How much time is left for an answer, and whether somebody wants an end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Clock:
    """Knows how much time is left, and whether somebody wants an end."""

    def __init__(self, seconds: float | None, stop: threading.Event | None) -> None:
        self.seconds, self.event = seconds, threading.Event() if stop is None else stop
        self._begun = time.perf_counter()

    def left(self, part: float = 1.0) -> float | None:
        """Gets the seconds until a part of the time is gone; none if there is no limit."""
        if self.seconds is None:
            return None
        return max(0.0, part * self.seconds - self.gone())

    def gone(self) -> float:
        """Gets the seconds that are gone."""
        return time.perf_counter() - self._begun

    def runs(self, part: float = 1.0) -> bool:
        """Checks whether a part of the time is not gone yet, and nobody wants an end."""
        return not self.event.is_set() and self.left(part) != 0.0

    def has(self, seconds: float) -> bool:
        """Checks whether there is time for something that takes so long."""
        left = self.left()
        return self.runs() and (left is None or left > seconds)

    def share(self, count: int) -> Callable[[], bool]:
        """Gets what tells whether the first of several tasks may go on, if each of them has as much of what is left."""
        left = self.left()
        end = None if left is None else time.perf_counter() + left / count
        return lambda: self.runs() and (end is None or time.perf_counter() < end)
