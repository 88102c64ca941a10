"""How Numba is asked to compile a function."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from aquakit.compiled.cache import Home, keep_in


def compile_into(home: Home, function: FunctionType, *, inline: bool = False) -> Any:
    """Makes a function that is compiled when it is first called, and kept in a home; inline, into its callers.

    Calls from compiled code hand on whole numbers of 64 bits and truth values. Otherwise Numba would compile a function
    again for every mixture of shorter numbers and constants that it is called with, and all that it calls as well.
    """
    from numba import njit, types

    made: Any = njit(nogil=True, forceinline=inline)(function)
    keep_in(home, made, function.__name__)
    choose = made.get_call_template

    def widen(kind: Any) -> Any:
        if isinstance(kind, types.Integer):
            return types.int64
        return types.boolean if isinstance(kind, types.Boolean) else kind

    made.get_call_template = lambda args, kws: choose(
        tuple(map(widen, args)), {name: widen(kind) for name, kind in kws.items()}
    )
    return made
