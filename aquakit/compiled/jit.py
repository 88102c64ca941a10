"""One kernel source, two speeds.

A game's `kernel.py` holds its rules once, in the part of Python that Numba compiles. Imported as usual it is plain
Python: no compile pause, no Numba needed. `driver(kernel, fast=True)` loads the same file a second time, under another
name, with every function that carries `@kernel` compiled, cached on disk and free of the interpreter's lock.

A kernel's data are `Struct` classes. Each field is annotated with its element type and length, once for both speeds:
the plain twin is an ordinary object with ints and lists, the compiled twin a NumPy record of the same fields.
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Mapping, MutableSequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar, cast, get_type_hints

from aquakit.errors import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    Records = np.ndarray[Any, np.dtype[np.void]]

Ints = MutableSequence[int]
Function = TypeVar("Function", bound=Callable[..., Any])

PROTOCOL = ("generate", "count_actions", "draw_action", "apply", "decider", "is_over", "halt", "count_points")
"""The functions by which a kernel is driven; beside them it has the records Tables, State and Work."""

_COMPILED = "__compiled"
_bound: dict[str, ModuleType] = {}
_loading = threading.Lock()


class Struct:
    """A kernel's record.

    Fields are annotated `Annotated[int, type]` or `Annotated[Ints, type, length]`. Type and length may be names that a
    table of sizes explains, so that one kernel serves several capacities.
    """

    @classmethod
    @cache
    def fields(cls) -> dict[str, tuple[Any, ...]]:
        """Gets each field's element type and, for a sequence, its length."""
        hints = get_type_hints(cls, include_extras=True)
        return {name: hint.__metadata__ for name, hint in hints.items()}

    @classmethod
    def new(cls, sizes: Mapping[str, Any]) -> Self:
        """Creates the plain twin, all zero."""
        made = cls()
        for name, (_, *length) in cls.fields().items():
            setattr(made, name, [0] * sizes.get(length[0], length[0]) if length else 0)
        return made

    def copy(self) -> Self:
        """Creates an independent plain twin."""
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update({k: v if v.__class__ is int else v[:] for k, v in self.__dict__.items()})
        return made

    @classmethod
    def records(cls, sizes: Mapping[str, Any], count: int) -> Records:
        """Creates records for the compiled twin, all zero."""
        import numpy as np

        spec = [
            (name, sizes.get(kind, kind), *((sizes.get(n, n),) for n in length))
            for name, (kind, *length) in cls.fields().items()
        ]
        return np.zeros(count, dtype=np.dtype(spec, align=True))

    def store(self, records: Records, index: int = 0) -> None:
        """Copies the plain twin into a record, which may have room to spare."""
        for name, value in self.__dict__.items():
            if isinstance(value, int):
                records[name][index] = value
            else:
                records[name][index][: len(value)] = value

    def load(self, records: Records, index: int = 0) -> None:
        """Copies a record into the plain twin."""
        for name, value in self.__dict__.items():
            field = records[name][index]
            setattr(self, name, int(field) if isinstance(value, int) else field[: len(value)].tolist())


class Workspace(Struct):
    """What a thread needs beside the state, in every game."""

    actions: Annotated[Ints, "i4", "moves"]
    """The legal actions last listed."""
    count: Annotated[int, "i8"]
    cursor: Annotated[int, "i8"]
    """Which of them a walk through the game tree takes next."""
    total: Annotated[Ints, "i8", 4]
    """Each player's points as last counted."""
    tie: Annotated[Ints, "i8", 4]
    """What decides between players with equal points, as last counted."""
    sums: Annotated[Ints, "i8", 4]
    """Each player's points over several games."""
    random0: Annotated[int, "i8"]
    random1: Annotated[int, "i8"]


class Shelf(list[Any]):
    """Plain twins in a row that behave like records: putting one in its place copies it."""

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, value.copy())


def kernel(function: Function) -> Function:
    """Marks a function of the rules: itself in the plain load, compiled in the second."""
    if not function.__module__.endswith(_COMPILED):
        return function
    from numba import njit

    function.__qualname__ += function.__globals__.get("STAMP", "")
    made: Any = njit(cache=True, nogil=True)(function)
    return cast(Function, made)


def lowest_bit(mask: int) -> int:
    """Gets the number of the lowest bit set in a mask that is not zero.

    >>> lowest_bit(0b10100)
    2
    """
    return (mask & -mask).bit_length() - 1


def count_bits(mask: int) -> int:
    """Counts the bits set in a mask.

    >>> count_bits(0b10100)
    2
    """
    return mask.bit_count()


def _teach_numba_the_bits() -> None:
    """Gives Numba one machine instruction each for `lowest_bit` and `count_bits`."""
    from numba import types
    from numba.extending import intrinsic, overload

    def one_instruction(name: str, *flags: int) -> Any:
        def typed(typing: Any, mask: Any) -> Any:
            def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                constants = [context.get_constant(types.boolean, flag) for flag in flags]
                return getattr(builder, name)(args[0], *constants)

            return types.int64(types.int64), build

        return intrinsic(typed)

    cttz = one_instruction("cttz", True)
    ctpop = one_instruction("ctpop")

    @overload(lowest_bit, inline="always")
    def _lowest_bit(mask: Any) -> Any:
        def found(mask: Any) -> Any:
            return cttz(mask)

        return found

    @overload(count_bits, inline="always")
    def _count_bits(mask: Any) -> Any:
        def counted(mask: Any) -> Any:
            return ctpop(mask)

        return counted


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


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Says so if the work inside takes longer than reading compiled code from the cache would."""
    text = f"aquakit: compiling {what} for speed, once; this takes a minute or two …"
    timer = threading.Timer(2.5, lambda: print(text, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _execute(path: Path, name: str, given: Mapping[str, Any]) -> ModuleType:
    """Loads a source file under another name, with some globals given."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(given)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def load(plain: ModuleType, *, fast: bool) -> ModuleType:
    """Gets a kernel as it is, or loaded a second time with its functions compiled."""
    if not fast:
        return plain
    need_numba("the compiled engine")
    assert plain.__file__ is not None
    name = f"{plain.__name__}{_COMPILED}"
    with _loading:
        if name not in _bound:
            if not _bound:
                _teach_numba_the_bits()
            _bound[name] = _execute(Path(plain.__file__), name, {})
        return _bound[name]


def bind(source: Path, plain: ModuleType, given: Mapping[str, Any], *, fast: bool) -> ModuleType:
    """Gets a source that works on any kernel, loaded with functions of this one; made when first asked for.

    Numba's cache follows changes of the file that a function stands in, not of those it calls. So the names under which
    compiled functions are cached carry a stamp of all sources that they are made of.
    """
    homes = [getattr(function, "py_func", function).__globals__ for function in given.values()]
    files = {file for home in homes for file in home.get("MADE_OF", [home["__file__"]])}
    sources = sorted({*files, str(source), str(plain.__file__), __file__})
    stamp = sha256(b"".join(Path(file).read_bytes() for file in sources)).hexdigest()[:8]
    game = plain.__name__.split(".")[-2]
    name = f"aquakit.{source.stem}__{game}{_COMPILED if fast else ''}"
    with _loading:
        if name not in _bound:
            _bound[name] = _execute(source, name, {**given, "STAMP": f"_{game}_{stamp}", "MADE_OF": sources})
        return _bound[name]


def bind_source(source: ModuleType, plain: ModuleType, *more: ModuleType, fast: bool) -> ModuleType:
    """Gets a source bound to a kernel: what it names as NEEDED is the kernel's, the driver's, or more modules'."""
    homes = [load(plain, fast=fast), driver(plain, fast=fast), *more]
    given = {name: next(getattr(home, name) for home in homes if hasattr(home, name)) for name in source.NEEDED}
    assert source.__file__ is not None
    return bind(Path(source.__file__), plain, given, fast=fast)


def bind_fast(source: ModuleType, plain: ModuleType, *more: ModuleType) -> ModuleType:
    """Gets a source compiled for a kernel."""
    return bind_source(source, plain, *more, fast=True)


def driver(plain: ModuleType, *, fast: bool) -> ModuleType:
    """Gets `drive.py` bound to a kernel, compiled or plain."""
    kernel_at_speed = load(plain, fast=fast)
    given = {name: getattr(kernel_at_speed, name) for name in PROTOCOL}
    return bind(Path(__file__).with_name("drive.py"), plain, given, fast=fast)
