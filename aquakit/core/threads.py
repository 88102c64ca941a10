"""Threads that work for one that waits, which an interrupt may reach meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Helper(threading.Thread):
    """A daemon thread that can still be waited for after an interrupt has ended a wait for it.

    A plain thread whose `join` was interrupted may say from then on that it is not alive, and is no longer waited for.

    >>> done = []
    >>> helper = Helper("example", done.append, "some work")
    >>> helper.start()
    >>> helper.join()
    >>> helper.is_alive(), done
    (False, ['some work'])
    """

    def __init__(self, name: str, work: Callable[..., Any], *args: Any) -> None:
        """Prepares a thread for some work, with the name under which it is listed."""
        super().__init__(target=work, args=args, name=f"aquakit {name}", daemon=True)
        self._work_done = threading.Event()

    def run(self) -> None:
        """Does the work."""
        try:
            super().run()
        finally:
            self._work_done.set()

    def is_alive(self) -> bool:
        """Checks whether it has begun and has not ended."""
        return self.ident is not None and (not self._work_done.is_set() or super().is_alive())

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end."""
        if self.ident is None or self._work_done.wait(timeout):
            super().join(timeout)
