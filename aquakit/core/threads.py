"""Threads that work for one that waits, which an interrupt may reach meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
PAUSE = 0.05
"""Seconds between two looks at interrupts."""


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


def work_until_interrupted(work: Callable[[], T], stop: threading.Event) -> T:
    """Does some work beside the one who waits, so that an interrupt only sets an event, with which the work ends soon.

    A second interrupt does not wait for that. Where no thread can be started, the work is done at once.

    >>> work_until_interrupted(lambda: 3, threading.Event())
    3
    """
    done, problems, ended = list[T](), list[BaseException](), threading.Event()

    def try_it() -> None:
        try:
            done.append(work())
        except BaseException as problem:  # raised again where someone waits for it
            problems.append(problem)
        finally:
            ended.set()

    def wait() -> None:
        while not ended.wait(PAUSE):
            pass

    try:
        threading.Thread(target=try_it, name="aquakit work", daemon=True).start()
        wait()
    except RuntimeError:  # Python in a browser starts no threads
        return work()
    except KeyboardInterrupt:
        stop.set()
        wait()
    if problems:
        raise problems[0]
    return done[0]
