"""Compiles in another process what is not kept yet: whoever waits sees how far it is, and can leave at once.

Numba cannot be interrupted, nor does it say how far it is. So inside of `compiling` a function whose code is not kept
is compiled by a process of its own (`apart.py`), function by function, into the folders of `cache.py`; here the code is
only read. What was finished is kept, whoever leaves. Where no process can be started, or it comes to nothing, the
function is compiled here.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from aquakit.compiled.cache import Home, places
from aquakit.compiled.line import LINE, CompileJob, CompileRequest
from aquakit.compiled.shown import CompileProgress, ShownProgress, say_compiling

PAUSE = 0.1
"""Seconds between two looks at how far it is, and at whether somebody wants to leave."""


class NotCompiled(Exception):
    """Some code is not compiled, and is not to be waited for any longer."""


Hear = Callable[[CompileProgress], None]

PATIENCE = 10.0
"""Seconds in which a thread in the background ends when Python does; one that reads code is not torn away from it."""

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
    compile_here, compile_bare = dispatcher.compile, dispatcher.bare.compile

    def tell(made: Any) -> Any:
        for hear in _listeners:
            hear(name)
        return made

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
        return tell(made)

    dispatcher.compile = compile_apart
    dispatcher.bare.compile = lambda signature: tell(compile_bare(signature))
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
    own = places()[-1]
    return own.is_dir() and os.access(own, os.W_OK) and not LINE.broken and not LINE.closed


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
    LINE.join()
    try:
        yield
    finally:
        LINE.leave()


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
        self._shown: ShownProgress | None = None

    def ask(self, name: str, request: CompileRequest, home: Home) -> None:
        """Waits until another process has compiled a function; where that cannot be, it is compiled here."""
        if _here.at_once:
            raise NotCompiled(self._what)
        if not self._joined:
            self._joined = True
            LINE.join()
            names = {id(dispatcher): known for known, dispatcher in _functions.items()}
            self._wanted.update(*(_behind(names[id(entry)]) for entry in self._entries))
        self._wanted |= _behind(name)
        job = LINE.ask(request, home)
        if job is not None:
            self._show()
            while not job.ended.wait(PAUSE):
                if self._stop is not None and self._stop.is_set():
                    raise NotCompiled(self._what)
                self._hear(job)
            self._hear(job)
            LINE.broken = job.whole is None
            if job.whole:
                self._done |= _behind(name)
                self._show()
                return
        if self._only_apart or LINE.closed:
            raise NotCompiled(self._what)
        if self._tell is None and self._shown is None:
            say_compiling(self._what)

    def _hear(self, job: CompileJob) -> None:
        for known in list(job.finished):
            if known in _functions:
                self._done |= _behind(known)
        self._show()

    def _show(self) -> None:
        done, seconds = len(self._done & self._wanted), time.perf_counter() - self._begun
        progress = CompileProgress(self._what, done, len(self._wanted), seconds)
        if self._tell is not None:
            self._tell(progress)
            return
        self._shown = self._shown or ShownProgress(progress)
        self._shown.show(progress)

    def end(self) -> None:
        """Takes away what was shown, and the process if nobody else waits for it."""
        if self._shown is not None:
            self._shown.end()
        if self._joined:
            LINE.leave()


@contextmanager
def show_while(work: CompileAhead | None) -> Iterator[Callable[[], None]]:
    """Gives a function that shows how far some work in the background is, as `compiling` does; without any, nothing."""
    shown: list[ShownProgress] = []

    def show() -> None:
        if work is not None and work.progress is not None and not work.ended:
            shown[:] = shown or [ShownProgress(work.progress)]
            shown[0].show(work.progress)

    try:
        yield show
    finally:
        for each in shown:
            each.end()


# In the background


class CompileAhead:
    """Some work that compiles, on its own and beside whatever else goes on; when Python ends, it ends too."""

    def __init__(self, work: Callable[[Hear], object]) -> None:
        """Begins; the work is given a function that hears how far it is."""
        self.progress: CompileProgress | None = None
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

    def _hear(self, progress: CompileProgress) -> None:
        self.progress = progress

    def _run(self, work: Callable[[Hear], object]) -> None:
        with suppress(NotCompiled):
            work(self._hear)
            self.ready = True


_backgrounds: list[CompileAhead] = []


@atexit.register
def _close() -> None:
    LINE.close()
    for each in _backgrounds:
        each.join(PATIENCE)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_backgrounds.clear)
