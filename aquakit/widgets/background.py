"""Does work beside the notebook: in a thread, or, in browsers that have none, as soon as the notebook is free."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress


class Background:
    """One piece of work, done once."""

    def __init__(self, work: Callable[[], None], name: str) -> None:
        """Prepares the work; `start` begins it, and the thread gets the name."""
        self._work = work
        self._thread = threading.Thread(target=self._do, name=name, daemon=True)
        self._waits = False
        """Whether it is still to be done, for want of a thread."""

    def start(self) -> None:
        """Begins, or sees to it that the event loop does."""
        try:
            self._thread.start()
        except RuntimeError:  # Python in a browser starts no threads
            self._waits = True
            with suppress(RuntimeError):  # without an event loop either it is done when somebody waits for it
                asyncio.get_running_loop().call_soon(self._do_waiting)

    @property
    def is_working(self) -> bool:
        """Whether it was begun and is not done."""
        return self._waits or self._thread.is_alive()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until it is done, at most so long; without a thread it is done now."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        else:
            self._do_waiting()

    def _do_waiting(self) -> None:
        if self._waits:
            self._do()

    def _do(self) -> None:
        self._waits = False
        self._work()
