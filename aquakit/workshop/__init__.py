"""Workshops: exercises that are checked by the rules, what people answered, and the folders in which they work.

>>> from aquakit.workshop import exercise, exercises
>>> exercise("rules-tiles").title
'How long is it?'
>>> "rules-tiles" in exercises("rules")
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aquakit.workshop.collection import exercise, exercises
    from aquakit.workshop.people import join

__all__ = ["exercise", "exercises", "join"]

_HOME = {"exercise": "collection", "exercises": "collection", "join": "people"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
