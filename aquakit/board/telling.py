"""A turn in words, for people: parts with the pictures of their pieces, told at three lengths.

A game's own `telling` module has `tell(before, turn)`, which lists the parts of a turn, or of a piece of one, in the
order in which they are said, and `tell_action(position, action)`, which says a single decision of a turn from there,
whatever comes before it. What is shown to people is never notation, but for the names of squares and points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from aquakit.core.options import show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.errors import InvalidOption

Length = Literal["short", "medium", "full"]
LENGTHS: tuple[Length, ...] = ("short", "medium", "full")
"""What is put on the board; all that is decided; also how tiles lie, and what comes of it."""


class Part(NamedTuple):
    """Something that is said about a turn."""

    kind: str
    """What it is about, in a word, such as tile or close."""
    words: str
    icon: str = ""
    """The picture's definition of the piece."""
    length: Length = "short"
    """The shortest telling that it belongs to."""
    joint: str = ", "
    """What stands between it and the part before it."""


def tell_parts(position: AnyPosition, turn: Any, length: str = "medium") -> list[Part]:
    """Lists what is said about a turn; of one in which nothing is told so briefly, what comes first.

    >>> from aquakit import start
    >>> [(part.words, part.icon) for part in tell_parts(start("romana4"), "c7=L@Nc")]
    [('curve', 't3'), ('on c7', ''), ('by the builder on Nc', 'bc'), ('nothing closed', '')]
    """
    if length not in LENGTHS:
        raise InvalidOption("length", show(length), " or ".join(LENGTHS))
    parts: list[Part] = list(position.room("board.telling").tell(position, read_turn(position, turn)[0]))
    for most in range(LENGTHS.index(length), len(LENGTHS)):
        if told := [part for part in parts if LENGTHS.index(part.length) <= most]:
            return told
    return []


def tell(position: AnyPosition, turn: Any, length: str = "medium") -> str:
    """Says a turn in words.

    >>> from aquakit import start
    >>> tell(start("aquadukt2"), "spring 3.5")
    'spring on 3.5'
    """
    return join_parts(tell_parts(position, turn, length))


def tell_decisions(position: AnyPosition, turn: Any) -> str:
    """Says all that is decided in a turn, and how tiles lie, but not what comes of it: no two turns sound alike.

    >>> from aquakit import start
    >>> tell_decisions(start("romana4"), "c7=L@Nc xR2 *j")
    'curve from north to east on c7 by the builder on Nc, R2 closed, joker taken'
    """
    parts = tell_parts(position, turn, "full")
    return join_parts(part for part in parts if part.length != "full" or part.kind == "tile")


def describe_turn(position: AnyPosition, turn: Any, length: str = "medium") -> list[dict[str, str]]:
    """Gets what a page needs to show a turn in words with pictures, as plain data.

    >>> from aquakit import start
    >>> describe_turn(start("aquadukt2"), "spring 3.5")
    [{'words': 'spring on 3.5', 'icon': 'fountain', 'joint': ', '}]
    """
    return describe_parts(tell_parts(position, turn, length))


def describe_parts(parts: Iterable[Part]) -> list[dict[str, str]]:
    """Gets parts as plain data."""
    return [{"words": part.words, "icon": part.icon, "joint": part.joint} for part in parts]


def join_parts(parts: Iterable[Part]) -> str:
    """Makes a text of parts."""
    first, *rest = parts
    return first.words + "".join(part.joint + part.words for part in rest)


def tell_line(position: AnyPosition, turns: Iterable[Any], length: str = "medium") -> Iterator[str]:
    """Says turns that follow each other, and whose they are unless one player makes them all.

    >>> from aquakit import start
    >>> list(tell_line(start("romana4"), ["c7=L@Nc", "h7=+@Nh"], "short"))
    ['Red: curve on c7', 'Yellow: bridge on h7']
    """
    told, name = list(tell_each(position, turns, length)), position.room("board.why").name
    for player, words in told:
        yield f"{name(position.layout, player)}: {words}" if len({player for player, _ in told}) > 1 else words


def tell_each(position: AnyPosition, turns: Iterable[Any], length: str = "medium") -> Iterator[tuple[int, str]]:
    """Says turns that follow each other, each with the number of the player who makes it.

    >>> from aquakit import start
    >>> list(tell_each(start("aquadukt2"), ["spring 3.5", "spring 9.5"]))
    [(1, 'spring on 3.5'), (2, 'spring on 9.5')]
    """
    for turn in turns:
        yield position.player or 1, tell(position, turn, length)
        position = read_turn(position, turn)[1]


def read_turn(position: AnyPosition, turn: Any) -> tuple[BaseTurn[Any], AnyPosition]:
    """Reads a turn as `play` does, but one may end inside, such as with the roll of a die; gets the moment after it."""
    done, after = position.follow(turn)
    if after.played and (understood := after.understood(None)) is not None:
        done, after = [*done, understood], after.act(understood)
    return position.turn_type(done), after
