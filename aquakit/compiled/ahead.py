"""Compiles in another process what is not kept yet: whoever waits sees how far it is, and can leave at once.

Numba cannot be interrupted, nor does it say how far it is. So inside of `compiling` a function whose code is not kept
is compiled by a process of its own (`apart.py`), function by function, into the folders of `cache.py`; here the code is
only read. What was finished is kept, whoever leaves. Where no process can be started, or it comes to nothing, the
function is compiled here.
"""

from __future__ import annotations

import atexit
import json
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from aquakit.compiled.cache import Home, places

PAUSE = 0.1
"""Seconds between two looks at how far it is, and at whether somebody wants to leave."""
PATIENCE = 10.0
"""Seconds in which a thread in the background ends when Python does; one that reads code is not torn away from it."""


WIDE = 20
"""The width of a bar in a line of text."""


class NotCompiled(Exception):
    """Some code is not compiled, and is not to be waited for any longer."""


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


@dataclass(frozen=True)
class Progress:
    """How far compiling is.

    >>> str(Progress("the search", 10, 40, 3.2))
    'compiling the search: 10 of 40 functions'
    """

    what: str
    done: int
    total: int
    """Functions, those that were kept before included."""
    seconds: float

    @property
    def bar(self) -> str:
        """How far it is, for a line of text."""
        long = WIDE * self.done // max(1, self.total)
        return f"[{'#' * long}{'.' * (WIDE - long)}]"

    def __str__(self) -> str:
        return f"compiling {self.what}: {self.done} of {self.total} functions"


Hear = Callable[[Progress], None]

_functions: dict[str, Any] = {}
"""All functions with a compiled twin, by the twin's name and their own."""


class _Here(threading.local):
    """What a thread is doing."""

    compiling: _Compiling | None = None
    at_once = False


_here = _Here()
_listeners: list[Callable[[str], None]] = []


def listen(hear: Callable[[str], None]) -> None:
    """Lets somebody hear of each function that is compiled, or read, in this process."""
    _listeners.append(hear)


def follow(dispatcher: Any, function: str, home: Home, source: tuple[str, ...]) -> Any:
    """Makes a compiled function ask another process first if its code is not kept and `compiling` is going on."""
    name = f"{home.name}.{function}"
    _functions[name] = dispatcher
    compile_here = dispatcher.compile

    def compile_apart(signature: Any) -> Any:
        now = _here.compiling
        if now is not None and tuple(signature) not in dispatcher.overloads:
            _here.compiling = None  # what it calls is compiled with it
            try:
                if not dispatcher._cache.has(signature, dispatcher.targetctx):
                    made_of = source, home.name, home.digest
                    now.ask(name, CompileRequest(0, *made_of, function, signature, places()), home)
                made = compile_here(signature)
            finally:
                _here.compiling = now
        else:
            made = compile_here(signature)
        for hear in _listeners:
            hear(name)
        return made

    dispatcher.compile = compile_apart
    return dispatcher


@cache
def _behind(name: str) -> frozenset[str]:
    """Gets the names of all compiled functions that one of them needs, itself included."""
    found, waiting = set[str](), [name]
    names = {id(dispatcher): known for known, dispatcher in _functions.items()}
    while waiting:
        known = waiting.pop()
        found.add(known)
        function = _functions[known].py_func
        called = (function.__globals__.get(word) for word in function.__code__.co_names)
        waiting += {names[id(each)] for each in called if id(each) in names} - found
    return frozenset(found)


def is_possible() -> bool:
    """Checks whether code can be compiled in another process and kept, as far as is known."""
    return os.access(places()[-1], os.W_OK) and not _line.broken and not _line.closed


# Waiting


@contextmanager
def compiling(
    what: str,
    *entries: Any,
    tell: Hear | None = None,
    stop: threading.Event | None = None,
    only_apart: bool = False,
) -> Iterator[None]:
    """Shows how far it is when something inside has to be compiled, and nothing when all is kept.

    The `entries` are the compiled functions that are called inside, so that all of them count from the beginning.
    Whoever gives `tell` shows it; whoever sets `stop` ends it with `NotCompiled`, as an interrupt does with its own
    error. With `only_apart` nothing is compiled in this process.
    """
    before = _here.compiling
    now = _here.compiling = _Compiling(what, entries, tell, stop, only_apart=only_apart)
    try:
        yield
    finally:
        _here.compiling = before
        now.end()


@contextmanager
def at_once() -> Iterator[None]:
    """Lets nothing inside be waited for: where code is not kept, `compiling` raises `NotCompiled`."""
    before, _here.at_once = _here.at_once, True
    try:
        yield
    finally:
        _here.at_once = before


@contextmanager
def one_process() -> Iterator[None]:
    """Keeps the process for all that is compiled inside, which is quicker if there is much."""
    _line.join()
    try:
        yield
    finally:
        _line.leave()


class _Compiling:
    """What one `compiling` waits for."""

    def __init__(
        self, what: str, entries: tuple[Any, ...], tell: Hear | None, stop: threading.Event | None, *, only_apart: bool
    ) -> None:
        self._what, self._entries, self._tell, self._stop = what, entries, tell, stop
        self._only_apart = only_apart
        self._begun = time.perf_counter()
        self._wanted, self._done = set[str](), set[str]()
        self._joined = False
        self._shown: _Shown | None = None

    def ask(self, name: str, request: CompileRequest, home: Home) -> None:
        """Waits until another process has compiled a function; where that cannot be, it is compiled here."""
        if _here.at_once:
            raise NotCompiled(self._what)
        if not self._joined:
            self._joined = True
            _line.join()
            names = {id(dispatcher): known for known, dispatcher in _functions.items()}
            self._wanted.update(*(_behind(names[id(entry)]) for entry in self._entries))
        self._wanted |= _behind(name)
        job = _line.ask(request, home)
        if job is not None:
            self._show()
            while not job.ended.wait(PAUSE):
                if self._stop is not None and self._stop.is_set():
                    raise NotCompiled(self._what)
                self._hear(job)
            self._hear(job)
            if job.whole:
                _line.broken = False
                self._done |= _behind(name)
                self._show()
                return
        _line.broken = True
        if self._only_apart or _line.closed:
            raise NotCompiled(self._what)
        if self._tell is None and self._shown is None:
            say_compiling(self._what)

    def _hear(self, job: _Job) -> None:
        for known in list(job.finished):
            if known in _functions:
                self._done |= _behind(known)
        self._show()

    def _show(self) -> None:
        done, seconds = len(self._done & self._wanted), time.perf_counter() - self._begun
        progress = Progress(self._what, done, len(self._wanted), seconds)
        if self._tell is not None:
            self._tell(progress)
            return
        self._shown = self._shown or _Shown(progress)
        self._shown.show(progress)

    def end(self) -> None:
        """Takes away what was shown, and the process if nobody else waits for it."""
        if self._shown is not None:
            self._shown.end()
        if self._joined:
            _line.leave()


# Showing


def _is_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and "IPKernelApp" in shell.config


def say_compiling(what: str) -> None:
    """Says in a line that something is compiled, except in a thread of a notebook."""
    if not (_is_notebook() and threading.current_thread() is not threading.main_thread()):  # which has no cell
        print(f"aquakit: compiling {what} for speed, once …", file=sys.stderr, flush=True)


class _Shown:
    """A bar for terminals and notebooks; elsewhere a line says at the beginning what is compiled."""

    def __init__(self, progress: Progress) -> None:
        what = progress.what
        self._bar: Any = None
        in_cell = _is_notebook() and threading.current_thread() is threading.main_thread()
        terminal = sys.stderr is not None and sys.stderr.isatty() and multiprocessing.parent_process() is None
        if not in_cell and not terminal:
            say_compiling(what)
            return
        from tqdm.auto import tqdm

        style = "{desc} {bar} {n_fmt} of {total_fmt} functions, {elapsed}"
        self._bar = tqdm(
            total=progress.total,
            initial=progress.done,
            desc=f"compiling {what}, once",
            bar_format=style,
            leave=False,
            dynamic_ncols=True,
        )

    def show(self, progress: Progress) -> None:
        """Shows how far it is."""
        if self._bar is not None:
            if self._bar.total != progress.total:
                self._bar.reset(progress.total)  # which a notebook's bar needs to hear
            self._bar.n = progress.done
            self._bar.refresh()

    def end(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()


@contextmanager
def show_while(work: Background | None) -> Iterator[Callable[[], None]]:
    """Gives a function that shows how far some work in the background is, as `compiling` does; without any, nothing."""
    shown: list[_Shown] = []

    def show() -> None:
        if work is not None and work.progress is not None and not work.ended:
            shown[:] = shown or [_Shown(work.progress)]
            shown[0].show(work.progress)

    try:
        yield show
    finally:
        for each in shown:
            each.end()


# In the background


class Background:
    """Some work that compiles, on its own and beside whatever else goes on; when Python ends, it ends too."""

    def __init__(self, work: Callable[[Hear], object]) -> None:
        """Begins; the work is given a function that hears how far it is."""
        self.progress: Progress | None = None
        """How far it is, once something is compiled."""
        self.ready = False
        """Whether it was done, and not only ended."""
        self._thread = threading.Thread(target=self._run, args=(work,), name="aquakit compiling", daemon=True)
        self._thread.start()
        _backgrounds[:] = [each for each in _backgrounds if not each.ended] + [self]

    @property
    def ended(self) -> bool:
        """Whether it goes on no longer."""
        return not self._thread.is_alive()

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end."""
        self._thread.join(timeout)

    def _hear(self, progress: Progress) -> None:
        self.progress = progress

    def _run(self, work: Callable[[Hear], object]) -> None:
        with suppress(NotCompiled):
            work(self._hear)
            self.ready = True


_backgrounds: list[Background] = []


@atexit.register
def _close() -> None:
    _line.close()
    for each in _backgrounds:
        each.join(PATIENCE)


# The other process


class _Job:
    """A function that the other process compiles, for all who wait for it."""

    def __init__(self) -> None:
        self.finished: list[str] = []
        """The functions that were compiled, or read, for it."""
        self.ended = threading.Event()
        self.whole = False


class _Line:
    """The line to the other process, which is there as long as somebody waits for something."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._ended: list[subprocess.Popen[bytes]] = []
        self._jobs: dict[int, _Job] = {}
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
            self._waiting -= 1
            if self._waiting <= 0:
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

    def ask(self, request: CompileRequest, home: Home) -> _Job | None:
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
                job = self._jobs[number] = _Job()
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


def _hear_all(process: subprocess.Popen[bytes], jobs: dict[int, _Job]) -> None:
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


_line = _Line()


def _begin_anew() -> None:
    """Leaves the process to the one that has started it; a fork of that has none."""
    global _line
    _line = _Line()
    _backgrounds.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
