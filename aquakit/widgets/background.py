"""Does work beside the notebook: in a thread, or, in browsers that have none, as soon as the notebook is free."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

from aquakit.core.options import read_seconds
from aquakit.widgets.page import word_problem
from aquakit.widgets.panel import Panel
from aquakit.workshop.served import find_patience


def count_spare_cores() -> int:
    """Counts the cores that may think in the background: one is left to the notebook."""
    return max(1, (os.cpu_count() or 2) - 1)


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


class Job:
    """Something that people asked for and that takes a while: it tells how far it has come, and can be stopped."""

    def __init__(self, heard: Callable[[Any], None], name: str) -> None:
        """Prepares the work; `start` begins it. `heard` is called with the job, in its thread, when there is news."""
        self.status = "working"
        """How far it has come, in a few words."""
        self.problem = ""
        """What went wrong, in a line."""
        self.is_done = False
        self._heard = heard
        self._begun, self._took = time.monotonic(), 0.0
        self._stop = threading.Event()
        self._background = Background(self._do, name)

    def work(self) -> None:
        """Does the work, up to the moment at which `_stop` is set."""
        raise NotImplementedError

    def start(self) -> None:
        """Begins to work."""
        self._background.start()

    def stop(self) -> None:
        """Asks for an end; what was found so far stays."""
        self._stop.set()
        self.status = "stopping"

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the work is done."""
        self._background.wait(seconds)

    @property
    def seconds(self) -> float:
        """For how long it has been at work."""
        return self._took or time.monotonic() - self._begun

    @property
    def is_stopping(self) -> bool:
        """Whether an end was asked for."""
        return self._stop.is_set()

    def _do(self) -> None:
        try:
            with self._ending():
                self.work()
        except BaseException as problem:  # whatever goes wrong is shown beside the board
            self.problem = word_problem(problem)
        self.is_done, self._took = True, self.seconds
        self._heard(self)

    @contextmanager
    def _ending(self) -> Iterator[None]:
        """Sees to it that what a visitor asks for has an end."""
        patience = find_patience()
        if patience is None:
            yield
            return
        end = threading.Timer(patience, self.stop)
        end.start()
        try:
            yield
        finally:
            end.cancel()

    def tell(self, status: str) -> None:
        """Says how far it has come."""
        if status != self.status and not self._stop.is_set():
            self.status = status
            self._heard(self)


J = TypeVar("J", bound=Job)


class JobPanel(Panel, Generic[J]):
    """A panel that does one job at a time beside its board."""

    def __init__(self, board: Any) -> None:
        """Begins with nothing asked."""
        super().__init__(board)
        self.job: J | None = None
        """What was asked for last, as far as it has come."""

    def begin(self, job: J) -> None:
        """Begins a job instead of the one before."""
        self.drop()
        self.job = job
        job.start()
        self.show()

    def stop(self) -> None:
        """Asks for an end of the job; what was found so far is shown then."""
        with self.board.lock:
            if self.job is not None and not self.job.is_done:
                self.job.stop()
            self.show()

    def clear(self) -> None:
        """Forgets what was found, and stops the job."""
        with self.board.lock:
            self.drop()
            self.show()

    def wait_for_job(self, seconds: float) -> None:
        """Waits until the job is done, at most so long."""
        read_seconds(seconds)
        if self.job is not None:
            self.job.wait(seconds)

    def heard(self, job: J) -> None:
        """Shows how far a job has come, unless it was dropped; called in its thread."""
        with self.board.lock:
            if self.job is job:
                self.show()

    def drop(self) -> None:
        """Stops the job; what it finds after all is not heard."""
        job, self.job = self.job, None
        if job is not None:
            job.stop()

    def show(self) -> None:
        """Shows the panel alone; the rest of the board stays."""
        for name, value in self.shown().items():
            self.board.set_trait(name, value)

    def close(self) -> None:
        """Ends the job."""
        self.drop()
