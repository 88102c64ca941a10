"""Where long work is done: in processes, which are replaced when they are lost, on a cluster, or in place."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from typing import Any

from aquakit.core.options import read_whole, show
from aquakit.errors import InvalidOption, missing

MOST_WORKERS = 1024
PATIENCE = 10
"""Seconds after which a scheduler that does not answer is not there."""


class InPlace(Executor):
    """Does what it is given at once and in place."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Does a piece of work."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **options))
        except Exception as problem:  # told to whoever asks for the result
            done.set_exception(problem)
        return done


class Processes(Executor):
    """Processes of this machine: they end with this one in any case, and lost ones are replaced.

    They hold one end of a pipe and end when the other one is closed, be it by a process that is killed.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._there, self._here = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=_stay, initargs=(self._there,))

    def submit(self, work: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        """Hands over a piece of work, to new processes if one of the old ones was lost."""
        try:
            return self._pool.submit(work, *args, **options)
        except BrokenProcessPool:
            self.shutdown()
            self._begin()
            return self._pool.submit(work, *args, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes at once, with whatever they do."""
        self._here.close()
        self._pool.shutdown(wait, cancel_futures=True)
        self._there.close()


@contextmanager
def processes(workers: int | None = None) -> Iterator[Executor]:
    """Gets an executor with so many processes of its own, else one a core, which end with the block at once.

    A browser has no processes; all is done in place there.
    """
    count = count_workers(workers)
    if sys.platform == "emscripten":
        yield InPlace()
        return
    with Processes(count) as pool:
        yield pool


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Gets an executor that hands work to the Dask scheduler at an address, such as tcp://10.0.0.1:8786."""
    try:
        from distributed import Client
    except ImportError:
        raise missing("distributed", "work on a Dask cluster") from None
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as problem:
        expected = "the address of a scheduler that runs, such as tcp://10.0.0.1:8786"
        raise InvalidOption("dask", f"{show(address)} does not answer: {problem}", expected) from None
    with client:
        yield client.get_executor()


@contextmanager
def find_executor(
    executor: Executor | None = None, *, workers: int | None = None, dask: str | None = None, pieces: int | None = None
) -> Iterator[Executor]:
    """Gets the executor that was given, or else a cluster's, or processes of its own, no more than there are pieces.

    What one process would do alone is done in place.
    """
    if executor is not None and not isinstance(executor, Executor):
        raise InvalidOption("executor", show(executor), "a concurrent.futures.Executor")
    if dask is not None and workers is not None:
        raise InvalidOption("workers", "are the cluster's own", "either --workers or --dask")
    if executor is not None:
        yield executor
    elif dask is not None:
        with cluster(dask) as pool:
            yield pool
    else:
        wanted = count_workers(workers) if pieces is None else min(count_workers(workers), pieces)
        with nullcontext(InPlace()) if wanted <= 1 else processes(wanted) as pool:
            yield pool


def count_workers(workers: int | None) -> int:
    """Checks how many processes are wanted; one a core if nothing is said."""
    return os.cpu_count() or 1 if workers is None else read_whole("workers", workers, least=1, most=MOST_WORKERS)


def _stay(there: Connection) -> None:
    """Prepares a process: interrupts are for the one that began it, and it ends with that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave, args=(there,), daemon=True).start()


def _leave(there: Connection) -> None:
    """Ends the process when the pipe is closed."""
    with suppress(EOFError, OSError):
        there.recv()
    os._exit(1)
