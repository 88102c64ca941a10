"""One source, two speeds.

A game's `kernel.py` holds its rules once, in the part of Python that Numba compiles. Imported as usual it is plain
Python: no compile pause, no Numba needed. `load(kernel, fast=True)` makes its twin: a module with the same globals in
which every function that carries `@kernel` is compiled, cached on disk and free of the interpreter's lock.

Sources import each other like any Python. What a twin has imported from another source is that source's twin: the plain
function is exchanged for the compiled one before anything is compiled. A source that imports from `protocol` serves
every game; its twins are made by `bind`, one for each kernel.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

from aquakit.compiled import bits, compiler
from aquakit.compiled.ahead import follow
from aquakit.compiled.cache import Home, digest_of
from aquakit.compiled.compiler import compile_into
from aquakit.errors import missing

Function = TypeVar("Function", bound=Callable[..., Any])

_kernels: set[Any] = set()
_inlined: set[Any] = set()
_lent: set[Any] = set()
_twins: dict[tuple[str, ...], ModuleType] = {}
_digests: dict[str, str] = {}
"""What each compiled twin is made of, by its name."""
_making = threading.RLock()


def kernel(function: Function) -> Function:
    """Marks a function that is compiled in its source's twin; here it stays as it is."""
    _kernels.add(function)
    return function


def inlined(function: Function) -> Function:
    """Marks as `kernel` does; compiled, it is put in the place of each call, so that a hot loop can be split."""
    _inlined.add(function)
    return kernel(function)


def lent(function: Function) -> Function:
    """Marks a function that stands for one of the same name in a game's kernel or policy."""
    _lent.add(function)
    return function


# Numba


@cache
def have_numba() -> bool:
    """Checks whether compiled kernels are possible here; a Numba that cannot be imported is none."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def need_numba(what: str) -> None:
    """Makes sure that Numba is there for what would take for ever without it."""
    if not have_numba():
        raise missing("numba", what)


# Twins


def load(source: ModuleType, *, fast: bool) -> ModuleType:
    """Gets a source as it is, or its compiled twin."""
    return _find_twin(source, (), fast=True) if fast else source


def bind(source: ModuleType, *homes: ModuleType, fast: bool) -> ModuleType:
    """Gets a source that serves every game for one of them: what it asks for is in the kernel, or in more sources."""
    return _find_twin(source, homes, fast=fast)


def _find_twin(source: ModuleType, homes: tuple[ModuleType, ...], *, fast: bool) -> ModuleType:
    """Gets a twin, made when first asked for."""
    if fast:
        need_numba("the compiled engine")
    key = source.__name__, *(home.__name__ for home in homes), "compiled" if fast else "plain"
    with _making:
        if key not in _twins:
            if fast and not _digests:
                bits.teach_numba()
            _twins[key] = _make_twin(source, homes, fast=fast)
        return _twins[key]


def _make_twin(source: ModuleType, homes: tuple[ModuleType, ...], *, fast: bool) -> ModuleType:
    """Makes a module with a source's globals and its own functions; compiled, all that they call is compiled too."""
    name = "__".join((source.__name__, *(home.__name__ for home in homes[:1]), "compiled" if fast else "plain"))
    twin = ModuleType(name)
    twin.__dict__.update(vars(source), __name__=name, __spec__=None)
    own: dict[str, FunctionType] = {}
    for word, value in vars(source).items():
        if not isinstance(value, FunctionType):
            continue
        if value in _kernels and value.__module__ == source.__name__:
            own[word] = FunctionType(value.__code__, twin.__dict__, word, value.__defaults__)
        elif value in _kernels or value in _lent:
            twin.__dict__[word] = _exchange(value, homes, fast=fast)
    sys.modules[name] = twin  # where Numba looks for the globals of code from its cache
    if fast:
        inline = {word for word in own if vars(source)[word] in _inlined}
        _digests[name] = _digest(twin, own, inline)
        home = Home(name, _digests[name])
        names = source.__name__, *(home.__name__ for home in homes)
        for word, function in own.items():
            twin.__dict__[word] = follow(compile_into(home, function, inline=word in inline), word, home, names)
    else:
        twin.__dict__.update(own)
    return twin


def is_made_of(twin: ModuleType, digest: str) -> bool:
    """Checks whether a compiled twin is made of the same as one in another process."""
    return _digests[twin.__name__] == digest


def _exchange(function: FunctionType, homes: tuple[ModuleType, ...], *, fast: bool) -> Any:
    """Gets what takes the place of an imported function in a twin."""
    home, name = sys.modules[function.__module__], function.__name__
    if function in _lent:
        lenders = [home for home in homes if hasattr(home, name)]
        if not lenders:
            raise LookupError(f"{name} is asked for by a source, but nobody lends it")
        home = lenders[0]
    if _serves_all(home):
        return getattr(_find_twin(home, homes, fast=fast), name)
    return getattr(load(home, fast=fast), name)


def _serves_all(source: ModuleType) -> bool:
    """Checks whether a source is to be bound to a kernel."""
    return any(isinstance(value, FunctionType) and value in _lent for value in vars(source).values())


def _digest(twin: ModuleType, own: dict[str, FunctionType], inline: set[str]) -> str:
    """Gets a digest of all that a twin is made of: its functions, what they call, constants wherever they come from.

    The functions' code is taken as it was loaded, so that words about it do not count, nor files that change.
    """
    tools = [Path(str(file)).read_bytes() for file in (bits.__file__, compiler.__file__)]
    functions = [(word, _parts(own[word].__code__), own[word].__defaults__, word in inline) for word in sorted(own)]
    called = {value.py_func.__module__ for value in vars(twin).values() if hasattr(value, "py_func")}
    constants = [
        (word, value)
        for word, value in sorted(vars(twin).items())
        if isinstance(value, int | float | tuple) and not word.startswith("__")
    ]
    return digest_of(*tools, repr((functions, [_digests[name] for name in sorted(called)], constants)).encode())


def _parts(code: CodeType) -> tuple[Any, ...]:
    """Gets what a function does, without where it stands and what is said about it."""
    constants = [
        _parts(each) if isinstance(each, CodeType) else each for each in code.co_consts if not isinstance(each, str)
    ]
    return code.co_code, code.co_names, code.co_varnames, constants
