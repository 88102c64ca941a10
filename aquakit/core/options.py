"""Checks the options that people give: each check gets the value as it is to be used, or a typed error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from inspect import signature
from operator import index
from typing import Any

from aquakit.errors import InvalidOption, shorten

Tell = Callable[[str], None]
"""Hears how far some work has come, in a few words."""

THEMES = ("light", "dark", "auto")
PANELS = ("below", "beside", "both")
SMALLEST, LARGEST = 100, 10_000
"""Widths in px that a picture may be given."""


def check_options(given: Iterable[str], function: Callable[..., Any], of: str) -> None:
    """Checks that a function takes the options given; its first parameter is none of them.

    >>> check_options(["flip"], lambda position, size: size, "this picture")
    Traceback (most recent call last):
    aquakit.errors.InvalidOption: flip: is no option of this picture; expected one of size
    """
    _, *known = signature(function).parameters
    for name in given:
        if name not in known:
            raise InvalidOption(name, f"is no option of {of}", f"one of {', '.join(known)}")


def read_seconds(seconds: Any) -> float | None:
    """Checks a time limit; none is no limit.

    >>> read_seconds(0.5)
    0.5
    """
    if seconds is None or (isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 < seconds < 1e9):
        return seconds
    raise InvalidOption("seconds", show(seconds), "a number greater than 0, and less than a billion")


def read_stop(stop: Any) -> threading.Event | None:
    """Checks what somebody may set to end some work early.

    >>> read_stop(None) is None
    True
    """
    if stop is None or isinstance(stop, threading.Event):
        return stop
    raise InvalidOption("stop", show(stop), "a threading.Event")


def read_listener(on_progress: Any) -> Any:
    """Checks what is to hear of progress.

    >>> read_listener(print) is print
    True
    """
    if on_progress is None or callable(on_progress):
        return on_progress
    raise InvalidOption("on_progress", show(on_progress), "a function")


def read_whole(name: str, value: Any, *, most: int, least: int = 0) -> int:
    """Checks a whole number given as an option.

    >>> read_whole("depth", 3, most=9)
    3
    """
    try:
        number = index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or not least <= number <= most:
        raise InvalidOption(name, show(value), f"a whole number from {least} to {most}")
    return number


def show(value: object) -> str:
    """Writes a bad value for a message, whatever it is.

    >>> show("a" * 99), show(10**5000)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…", 'a very large int')
    """
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):  # more digits, or deeper, than Python writes
        return f"a very large {type(value).__name__}"


def read_size(size: int | None) -> int | None:
    """Checks a picture's width."""
    if size is None or (type(size) is int and SMALLEST <= size <= LARGEST):
        return size
    raise InvalidOption("size", show(size), f"a width from {SMALLEST} to {LARGEST}, or None")


def read_theme(theme: str) -> str:
    """Checks a theme's name."""
    if isinstance(theme, str) and theme in THEMES:
        return theme
    raise InvalidOption("theme", show(theme), f"one of {', '.join(THEMES)}")


def read_panel(panel: bool | str) -> str:
    """Checks where the panel of a picture is to be; nothing for none.

    >>> read_panel(True), read_panel("beside"), read_panel(False)
    ('below', 'beside', '')
    """
    if isinstance(panel, bool):
        return PANELS[0] if panel else ""
    if isinstance(panel, str) and panel in PANELS:
        return panel
    raise InvalidOption("panel", show(panel), f"True, False or one of {', '.join(PANELS)}")


def read_flag(name: str, value: bool) -> bool:
    """Checks an option that is on or off."""
    if isinstance(value, bool):
        return value
    raise InvalidOption(name, show(value), "True or False")
