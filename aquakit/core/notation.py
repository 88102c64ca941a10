"""What all position texts have in common: one line of fields, and the tokens of a turn that has begun."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

from aquakit.core.layouts import BaseLayout, is_path
from aquakit.errors import InvalidPosition, shorten

LayoutT = TypeVar("LayoutT", bound=BaseLayout)

MOMENT = " : "
"""Stands between a turn's start and the tokens played since."""

_NUMBER = re.compile(r"(0|[1-9][0-9]*)\Z")


def load_layout(name: str, given: LayoutT | None, kind: type[LayoutT]) -> LayoutT:
    """Gets the layout that a position's first field names; with a layout given, the field must name that, or any file.

    No text opens a file: a layout that is not built in has to be given, and its file may have been called otherwise.
    """
    if given is not None:
        if name not in (given.name, given.ref) and not is_path(name):
            raise InvalidPosition("layout", f"{shorten(name)!r}", f"the given layout's name, {given.name}")
        return given
    if name not in kind.names():
        raise unknown_layout(name, kind.names())
    return kind.load(name)


def unknown_layout(name: str, known: Iterable[str]) -> InvalidPosition:
    """Makes the error for a first field that names no layout which may be used; the same whether a file is there."""
    expected = f"one of {', '.join(known)}, or a layout of your own given by layout= or --layout"
    return InvalidPosition("layout", f"unknown layout {shorten(name)!r}", expected)


def split_moment(text: str) -> tuple[str, str]:
    """Splits a text into the turn's start and the tokens played since, which may be none."""
    start, mark, tokens = f"{text.strip()} ".partition(MOMENT)
    start, tokens = start.strip(), tokens.strip()
    if mark and not tokens:
        raise InvalidPosition("turn", f"no token stands after {MOMENT.strip()!r}", "the actions played so far")
    return start, tokens


def split_fields(text: str, names: Sequence[str]) -> dict[str, str]:
    """Splits a position's line into its named fields."""
    values = text.split(" ")
    if len(values) != len(names) or not all(values) or len(text.split()) != len(values):
        found = f"{len(text.split())} fields" if "  " not in text else "a double space"
        raise InvalidPosition("position", f"{found} in {shorten(text)!r}", f"{len(names)} fields: {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def read_number(text: str, field: str, *, most: int, least: int = 0) -> int:
    """Reads a whole number within bounds."""
    if not _NUMBER.match(text) or len(text) > 9 or not least <= int(text) <= most:
        raise InvalidPosition(field, f"{shorten(text)!r}", f"a whole number from {least} to {most}")
    return int(text)


def split_list(text: str, mark: str, field: str, count: int, what: str) -> list[str]:
    """Splits a field into parts of known number."""
    parts = text.split(mark)
    if len(parts) != count:
        raise InvalidPosition(field, f"{len(parts)} parts in {shorten(text)!r}", f"{count} {what} joined by {mark!r}")
    return parts
