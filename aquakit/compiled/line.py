"""The line to a process that compiles for this one (`apart.py`), which is there as long as somebody waits for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from aquakit.compiled.cache import Home

PATIENCE = 10.0
"""Seconds in which a process ends that is told to."""


class CompileRequest(NamedTuple):
    """A function to be compiled in another process, for one signature."""

    number: int
    source: tuple[str, ...]
    """The names of the source, and of what it is bound to."""
    twin: str
    digest: str
    """What the twin is made of. Where another process makes it of something else, it is of no use."""
    function: str
    signature: Any
    places: tuple[Path, ...]
    """Where compiled code is looked for; it is put in the last."""


class CompileJob:
    """A function that the other process compiles, for all who wait for it."""

    def __init__(self) -> None:
        self.finished: list[str] = []
        """The functions that were compiled, or read, for it."""
        self.ended = threading.Event()
        self.whole: bool | None = None
        """Whether it is kept now; none if the process has died before it could tell."""


class CompileLine:
    """The line to the other process, which is there as long as somebody waits for something."""

    def __init__(self) -> None:
        self.begin_anew()

    def begin_anew(self) -> None:
        """Begins with nobody who waits, and without a process."""
        self._lock = threading.Lock()
        self._waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: list[subprocess.Popen[bytes]] = []
        self._jobs: dict[int, CompileJob] = {}
        self._numbers: dict[tuple[str, ...], int] = {}
        self.closed = False
        self.broken = False
        """Whether there was none when it was asked for."""

    def join(self) -> None:
        """Counts one more who waits."""
        with self._lock:
            self._waiting += 1

    def leave(self) -> None:
        """Counts one less; the last one ends the process."""
        with self._lock:
            self._waiting = max(0, self._waiting - 1)
            if not self._waiting:
                self._hang_up()

    def close(self) -> None:
        """Ends the process for good, and waits until it is gone."""
        with self._lock:
            self.closed = True
            self._hang_up()
        for process in self._ended:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)

    def _hang_up(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._ended = [self._process]
            self._process = None

    def ask(self, request: CompileRequest, home: Home) -> CompileJob | None:
        """Asks for a function, once if several want it; gets none if there cannot be another process."""
        if request.source[0] == "__main__" or not os.access(home.own, os.W_OK):
            return None
        key = request.twin, request.digest, request.function, repr(request.signature)
        with self._lock:
            if self.closed:
                return None
            try:
                if self._process is None or self._process.poll() is not None:
                    self._call()
                assert self._process is not None
                assert self._process.stdin is not None
                number = self._numbers.get(key)
                if number is not None and not self._jobs[number].ended.is_set():
                    return self._jobs[number]
                number = self._numbers[key] = len(self._jobs)
                job = self._jobs[number] = CompileJob()
                dumps: Any = import_module("numba.core.serialize").dumps
                self._process.stdin.write(dumps(tuple(request._replace(number=number))))
                self._process.stdin.flush()
            except (OSError, RuntimeError, ValueError):
                self.broken = True
                return None
        return job

    def _call(self) -> None:
        """Starts the process; interrupts are not for it, and it finds the same sources."""
        path = os.pathsep.join(each or os.getcwd() for each in sys.path)
        self._jobs, self._numbers = {}, {}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "aquakit.compiled.apart"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"},
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        args = self._process, self._jobs
        threading.Thread(target=_hear_all, args=args, name="aquakit compiler's line", daemon=True).start()


def _hear_all(process: subprocess.Popen[bytes], jobs: dict[int, CompileJob]) -> None:
    """Hears what a process has finished, to its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError, ValueError), process.stdout as lines:
        for line in lines:
            told = json.loads(line)
            job = jobs[told["job"]]
            if "finished" in told:
                job.finished.append(told["finished"])
            else:
                job.whole = told["whole"]
                job.ended.set()
    process.wait()
    with suppress(OSError):
        process.stdin.close()
    for job in list(jobs.values()):
        job.ended.set()


LINE = CompileLine()
"""The line of this process."""

if hasattr(os, "register_at_fork"):
    # A fork of the process that has called leaves the line to it, and has none.
    os.register_at_fork(after_in_child=LINE.begin_anew)
