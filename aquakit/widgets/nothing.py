"""Keeps None in what widgets send and get: Python in a browser loses it, since JavaScript has two kinds of nothing."""

from __future__ import annotations

import sys
from typing import Any

if sys.platform == "emscripten":
    from pyodide.ffi import jsnull as NULL  # noqa: N812

    DIFFERS = True
else:
    NULL, DIFFERS = None, False


def to_page(value: Any) -> Any:
    """Gets a message for the page in which None stays as null; otherwise it would be left out there."""
    return swap(value, None, NULL) if DIFFERS else value


def from_page(value: Any) -> Any:
    """Gets a message from the page in which null is None."""
    return swap(value, NULL, None) if DIFFERS else value


def swap(value: Any, old: Any, new: Any) -> Any:
    """Puts one object in the place of another, wherever it stands in a message.

    >>> swap({"walk": None, "steps": [None, 1, ("a", None)]}, None, 0)
    {'walk': 0, 'steps': [0, 1, ['a', 0]]}
    """
    if value is old:
        return new
    if isinstance(value, dict):
        return {name: swap(part, old, new) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [swap(part, old, new) for part in value]
    return value
