"""Where compiled code is kept: in folders named by a digest of all that it was made of.

Numba's own cache follows changes in a function's own file only, but a compiled function holds the code of those that it
calls and the values of constants that it imports. Here a change in any of them leads to another folder. The digest does
not depend on where the sources lie, so that equal checkouts share what one of them has compiled.

Code is looked for in the shared place first, beside the package, and then in the user's own. Whatever goes wrong here
costs time and nothing else: what cannot be read is compiled, and what cannot be written is compiled again next time.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from aquakit.errors import InvalidOption

KEPT = 8
"""So many folders of one source are kept, those used last."""
PATIENCE = 600.0
"""Seconds to wait for another process that compiles the same; one that hangs holds up no longer."""
SHARED = Path(__file__).parent / "shared"
"""The shared place, for all who use this installation."""

_only: list[Path] = []


def share() -> None:
    """Lets this process keep code in the shared place, and look for it nowhere else."""
    try:
        SHARED.mkdir(exist_ok=True)
        tempfile.TemporaryFile(dir=SHARED).close()
    except OSError as problem:
        expected = "an account that may write to the installation"
        raise InvalidOption("shared", f"{SHARED} cannot be written: {problem.strerror}", expected) from None
    _only[:] = [SHARED]


def keep_at(chosen: Iterable[Path]) -> None:
    """Lets this process look for code in the places of another one, and keep it where that one does."""
    _only[:] = chosen


def places() -> tuple[Path, ...]:
    """Lists where code is looked for; it is put in the last: the user's cache, or what NUMBA_CACHE_DIR says."""
    import platformdirs

    config: Any = import_module("numba").config
    own = config.CACHE_DIR or platformdirs.user_cache_path("aquakit", appauthor=False) / "compiled"
    return tuple(_only) or (SHARED, Path(own))


def digest_of(*parts: bytes) -> str:
    """Gets a digest of all that some code is made of, the versions of Numba and Python included."""
    import numba

    whole = sha256(f"{numba.__version__} {sys.implementation.cache_tag}".encode())
    for part in parts:
        whole.update(sha256(part).digest())
    return whole.hexdigest()[:20]


class Home:
    """The folders that hold the compiled code of one source."""

    def __init__(self, name: str, digest: str) -> None:
        """Finds the folders; that for new code is made if possible, and older ones of the same source cleared away."""
        self.name, self.digest = name, digest
        self.folders = [place / name / digest for place in places()]
        self.own = self.folders[-1]
        self._turn: int | None = None
        with suppress(OSError):
            if not self.own.exists():
                self.own.mkdir(parents=True)
                by_use = sorted(self.own.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
                for old in by_use[KEPT:]:
                    shutil.rmtree(old, ignore_errors=True)
            os.utime(self.own)

    def write(self, file: str, data: bytes) -> None:
        """Writes a file beside and moves it into place, so that nobody reads a half of it."""
        beside = self.own / f"{file}.{uuid.uuid4().hex[:12]}"
        try:
            beside.write_bytes(data)
            beside.replace(self.own / file)
        except OSError as problem:
            with suppress(OSError):
                beside.unlink()
            _say_not_kept(self.own.parents[1], problem.strerror)

    @contextmanager
    def one_after_the_other(self) -> Iterator[None]:
        """Ends the turn that is taken inside, if one is."""
        outermost = self._turn is None
        try:
            yield
        finally:
            if outermost and self._turn is not None:
                os.close(self._turn)
                self._turn = None

    def take_turn(self) -> None:
        """Waits until no other process compiles this source; the system ends the turn of one that is killed.

        Sources call each other in one direction only, so that no two processes wait for each other.
        """
        if self._turn is not None:
            return
        with suppress(OSError):  # a disk without locks is used without
            file = os.open(self.own / "lock", os.O_RDWR | os.O_CREAT, 0o666)
            end = time.monotonic() + PATIENCE
            try:
                while not _lock(file) and time.monotonic() < end:
                    time.sleep(0.05)
            except BaseException:
                os.close(file)
                raise
            self._turn = file


def _lock(file: int) -> bool:
    """Locks an open file until it is closed, unless another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


@cache
def _say_not_kept(place: Path, why: str) -> None:
    text = f"compiled code cannot be kept in {place} ({why}) and is compiled anew each time"
    print(f"aquakit: {text}; NUMBA_CACHE_DIR can name another folder", file=sys.stderr, flush=True)


class KeptCode:
    """What Numba asks for a function's code, in the place of its own cache: a file for each signature and processor."""

    def __init__(self, home: Home, function: str) -> None:
        self._home = home
        self._function = function

    @property
    def cache_path(self) -> str:
        """Where new code is put."""
        return str(self._home.own)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Gets a function's code; if there is none it is this process's turn to compile it, and to save it."""
        target_context.refresh()
        key = sig, target_context.codegen().magic_tuple()
        found = self._find(key, target_context)
        if found is None:
            self._home.take_turn()
            found = self._find(key, target_context)  # another process may have had its turn
        return found

    def has(self, sig: Any, target_context: Any) -> bool:
        """Checks whether a function's code is kept."""
        return next(self._read((sig, target_context.codegen().magic_tuple())), None) is not None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keeps a function's code, unless it holds addresses that mean nothing to other processes."""
        if not result.library.has_dynamic_globals:
            key = sig, result.codegen.magic_tuple()
            dumps: Any = import_module("numba.core.serialize").dumps
            self._home.write(self._file(key), dumps((key, result._reduce())))

    def _find(self, key: Any, target_context: Any) -> Any:
        rebuild: Any = import_module("numba.core.compiler").CompileResult._rebuild
        for code in self._read(key):
            with suppress(Exception):
                return rebuild(target_context, *code)
        return None

    def _read(self, key: Any) -> Iterator[Any]:
        """Reads a function's code wherever it is kept."""
        for folder in self._home.folders:
            with suppress(Exception):  # what is damaged is as good as not there
                known, code = pickle.loads((folder / self._file(key)).read_bytes())
                if known == key:
                    yield code

    def _file(self, key: Any) -> str:
        return f"{self._function}.{sha256(repr(key).encode()).hexdigest()[:20]}.nbc"


def keep_in(home: Home, dispatcher: Any, function: str) -> None:
    """Makes a compiled function read its code from where its source's is kept, and write it there."""
    numbas_lock: Any = import_module("numba.core.compiler_lock").global_compiler_lock
    compile_now = dispatcher.compile

    def compile_in_turn(sig: Any) -> Any:
        with numbas_lock, home.one_after_the_other():  # in this order, or two threads could wait for each other
            return compile_now(sig)

    dispatcher._cache = KeptCode(home, function)
    dispatcher.compile = compile_in_turn
