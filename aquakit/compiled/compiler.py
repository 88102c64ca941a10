"""How Numba is asked to compile a function."""

from __future__ import annotations

import itertools
import os
from functools import cache
from types import FunctionType
from typing import Any

from aquakit.compiled.cache import Home, keep_in


@cache
def number_functions_apart() -> None:
    """Lets no two processes give two functions one name in machine code.

    Numba names a function by a running number and its records by another one, both counted anew in every process. Code
    kept by two processes for two boards could then have one name, and what is linked last would serve both.
    """
    from numba.core.bytecode import FunctionIdentity

    FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6), "big") << 12)


def compile_into(home: Home, function: FunctionType, *, inline: bool = False) -> Any:
    """Makes a function that is compiled when it is first called, and kept in a home; inline, into its callers.

    Compiled code calls another version of it than Python does, without what Python would need to call it: most
    functions are called by compiled code alone, and a fifth of the time to compile them goes into that.

    Such calls hand on whole numbers of 64 bits and truth values. Otherwise Numba would compile a function again for
    every mixture of shorter numbers and constants that it is called with, and all that it calls as well.
    """
    import numba
    from numba import types

    number_functions_apart()
    njit: Any = numba.njit
    made: Any = njit(nogil=True, forceinline=inline)(function)
    bare: Any = njit(nogil=True, forceinline=inline, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    keep_in(home, made, function.__name__)
    keep_in(home, bare, f"{function.__name__}.bare")

    def widen(kind: Any) -> Any:
        if isinstance(kind, types.Integer):
            return types.int64
        return types.boolean if isinstance(kind, types.Boolean) else kind

    made.bare = bare
    made.get_overload = bare.get_overload
    made.get_call_template = lambda args, kws: bare.get_call_template(
        tuple(map(widen, args)), {name: widen(kind) for name, kind in kws.items()}
    )
    return made
