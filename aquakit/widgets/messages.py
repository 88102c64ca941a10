"""What a page may say: each message is declared with its fields, and read whole before anything is done.

Messages come from whoever has the page open, so nothing about them is sure: what does not fit is a typed error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from aquakit.core.options import read_whole, show
from aquakit.errors import InvalidOption

Reader = Callable[[str, Any], Any]
"""Reads what a field holds: gets its name and its value."""

LINE, PAGE, BOOK = 300, 20_000, 500_000
"""The most letters of an id or a name, of a position or a comment, and of a whole record."""
MOST = 10**9
"""The largest number that a page may say; each board has less to count."""
_AT = re.compile(r"(?:[0-9]{1,6}(?:\.[0-9]{1,6})*)?")


def read_text(name: str, value: Any, most: int = LINE) -> str:
    """Checks a text.

    >>> read_text("id", "R2")
    'R2'
    """
    if not isinstance(value, str) or len(value) > most:
        raise InvalidOption(name, show(value), f"a text of at most {most} letters")
    check_unicode(name, value)
    return value


read_page: Reader = partial(read_text, most=PAGE)
read_book: Reader = partial(read_text, most=BOOK)
read_count: Reader = partial(read_whole, most=MOST)


def read_number(name: str, value: Any) -> int | float | None:
    """Checks a number of whatever kind, or none.

    >>> read_number("number", 2.5)
    2.5
    """
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST):
        return value
    raise InvalidOption(name, show(value), "a number, or none")


def read_at(name: str, value: Any) -> tuple[int, ...]:
    """Reads where a turn stands in the tree.

    >>> read_at("at", "0.2.1"), read_at("at", "")
    ((0, 2, 1), ())
    """
    text = read_page(name, value)
    if not _AT.fullmatch(text):
        raise InvalidOption(name, show(text), "places among siblings, such as 0.0.1")
    return tuple(int(place) for place in text.split(".") if place)


def check_unicode(name: str, text: str) -> None:
    """Refuses half characters: what holds one can be sent to no page and written to no file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidOption(name, show(text), "text in Unicode") from None


def check_set(name: str, value: Any) -> None:
    """Refuses what is too much for a trait that a page sets, before anybody looks what it is.

    >>> check_set("arrows", [["b3", "c3"]])
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = ""
    if not 0 < len(text) <= PAGE:
        raise InvalidOption(name, "is too much", f"at most {PAGE} letters")
    check_unicode(name, text)


class Message:
    """Something that a page can ask for: what is done then, and the fields that are handed to it, in their order.

    >>> said = []
    >>> note = Message(lambda text, times: said.append(text * times), text=read_text, times=read_count)
    >>> note.read("note", {"do": "note", "text": "a", "times": 3})()
    >>> said
    ['aaa']
    >>> note.read("note", {"do": "note", "text": "a", "times": "3"})
    Traceback (most recent call last):
    aquakit.errors.InvalidOption: note, times: '3'; expected a whole number from 0 to 1000000000
    """

    def __init__(self, does: Callable[..., object], /, **fields: Reader) -> None:
        self.does, self.fields = does, fields

    def read(self, do: str, content: Mapping[str, Any]) -> Callable[[], object]:
        """Reads a message with this name, and gets what is to be done."""
        given = content.keys() - {"do"}
        if given != self.fields.keys():
            raise InvalidOption(do, f"says {show(sorted(map(str, given)))}", ", ".join(self.fields) or "nothing more")
        return partial(self.does, *(read(f"{do}, {name}", content[name]) for name, read in self.fields.items()))


def read_message(known: Mapping[str, Message], content: Any) -> Callable[[], object]:
    """Reads whatever a page has sent, and gets what is to be done; only then anything is."""
    do = content.get("do") if isinstance(content, Mapping) else None
    if not isinstance(do, str) or do not in known:
        said = do if isinstance(content, Mapping) else content
        raise InvalidOption("do", show(said), "something that this board can do")
    return known[do].read(do, content)


def check_form(data: Any) -> None:
    """Checks that a message has the form of those that widgets send, so that what it says can be looked at."""
    expected = "an update, a request or a click"
    if not isinstance(data, Mapping) or data.get("method") not in ("update", "request_state", "custom"):
        raise InvalidOption("message", show(data), expected)
    state = data.get("state", {})
    if not isinstance(state, Mapping) or not all(isinstance(name, str) for name in state):
        raise InvalidOption("message", f"sets {show(state)}", "traits by their names")
    if data.get("buffer_paths"):
        raise InvalidOption("message", "holds binary data", expected)
