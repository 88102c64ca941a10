"""Where compiled code is kept: in folders named by a digest of all that it was made of.

Numba's own index follows changes in a function's own file only, but a compiled function holds the code of those that it
calls and the values of constants that it imports. Here a change in any of them leads to another folder. The digest does
not depend on where the sources lie, so that equal checkouts share what one of them has compiled.

Several processes may compile at once: files are written beside and moved into place, each under a name of its own. Two
that write the same index at the same time can lose an entry, which costs time and nothing else.
"""

from __future__ import annotations

import os
import shutil
import uuid
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

KEPT = 8
"""So many folders of one source are kept, those used last."""
_FOLDER = "__compiled_in__"


def digest_of(*parts: bytes) -> str:
    """Gets a digest of all that some code is made of, Numba's version included."""
    import numba

    whole = sha256(numba.__version__.encode())
    for part in parts:
        whole.update(sha256(part).digest())
    return whole.hexdigest()[:20]


def open_folder(name: str, digest: str) -> Path:
    """Gets the folder of a source's compiled code, made if possible; older ones of the same source are cleared away.

    It lies in the user's cache, or where NUMBA_CACHE_DIR says.
    """
    import platformdirs

    config: Any = import_module("numba").config
    top = Path(config.CACHE_DIR or platformdirs.user_cache_path("aquakit", appauthor=False) / "compiled") / name
    folder = top / digest
    with suppress(OSError):  # a disk that is full or read-only costs time, but no more
        if not folder.exists():
            folder.mkdir(parents=True)
            by_use = sorted(top.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
            for old in by_use[KEPT:]:
                shutil.rmtree(old, ignore_errors=True)
        os.utime(folder)
    return folder


def keep_in(folder: Path, dispatcher: Any, function: FunctionType) -> None:
    """Makes a compiled function read its code from a folder, and write it there."""
    function.__globals__[_FOLDER] = folder
    dispatcher._cache = _make_store()(function)


@cache
def _make_store() -> type:
    """Makes the class by which Numba keeps a function's code, with a place of its own."""
    caching: Any = import_module("numba.core.caching")

    class Place(caching._CacheLocator):  # type: ignore[misc]
        def __init__(self, function: FunctionType) -> None:
            self.folder: Path = function.__globals__[_FOLDER]

        def get_cache_path(self) -> str:
            return str(self.folder)

        def get_source_stamp(self) -> str:
            return self.folder.name

        def get_disambiguator(self) -> str:
            return ""  # names are enough in a folder of one source

        @classmethod
        def from_function(cls, py_func: FunctionType, py_file: str) -> Any:
            return cls(py_func)

    class Format(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = [Place]  # noqa: RUF012

    class Files(caching.IndexDataCacheFile):  # type: ignore[misc]
        def _data_name(self, number: int) -> str:
            # Numbers would be the same in two processes that write at the same time.
            return f"{self._index_name}.{uuid.uuid4().hex[:12]}.nbc"

    class Store(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Format

        def __init__(self, function: FunctionType) -> None:
            super().__init__(function)
            place = self._impl.locator
            self._cache_file = Files(place.get_cache_path(), self._impl.filename_base, place.get_source_stamp())

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            with suppress(OSError):
                return super().load_overload(sig, target_context)

        def save_overload(self, sig: Any, data: Any) -> None:
            with suppress(OSError):
                super().save_overload(sig, data)

    return Store
