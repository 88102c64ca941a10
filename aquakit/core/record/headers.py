"""What is known about a game beside its turns, and which texts a record can hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping

from aquakit.errors import InvalidRecord, shorten

NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no text of a record may hold."""
_HEADER = re.compile(r"[^\W\d_](?:[\w -]*[\w-])?")
_PLAYER = re.compile(r"player ([1-9])")
_RESERVED = ("start", "result")


def check_text(where: str, text: str) -> str:
    """Checks a text and gives its lines one kind of end."""
    if not isinstance(text, str):
        raise InvalidRecord(where, shorten(repr(text)), "a text")
    made = text.replace("\r\n", "\n").replace("\r", "\n")
    if bad := NO_TEXT.search(made):
        raise InvalidRecord(where, f"holds {bad[0]!r}", "text in UTF-8 without control characters")
    return made


class Headers(MutableMapping[str, str]):
    """What is known about a game, by name and in order; whatever is put in is checked.

    >>> headers = Headers({"event": "Club evening"})
    >>> headers["player 1"] = "Ada"
    >>> dict(headers)
    {'event': 'Club evening', 'player 1': 'Ada'}
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        if not isinstance(headers, Mapping):
            raise InvalidRecord("headers", shorten(repr(headers)), "names and values")
        self._values: dict[str, str] = {}
        self.update(headers)

    def __setitem__(self, name: str, value: str) -> None:
        if not isinstance(name, str) or not _HEADER.fullmatch(name) or name.lower() in _RESERVED:
            expected = "letters, digits, spaces, - and _ after a first letter, but not start or result"
            raise InvalidRecord("header", f"{shorten(repr(name))} is no name", expected)
        where = f"header {shorten(name)}"
        made = check_text(where, value)
        if "\n" in made:
            raise InvalidRecord(where, "has several lines", "one line")
        self._values[name] = made.strip()

    @property
    def names(self) -> dict[int, str]:
        """What the players are called, by their numbers.

        >>> Headers({"event": "Club evening", "player 2": "Ada"}).names
        {2: 'Ada'}
        """
        heads = ((_PLAYER.fullmatch(head), name) for head, name in self._values.items())
        return {int(found[1]): name for found, name in heads if found and name}

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values})"
