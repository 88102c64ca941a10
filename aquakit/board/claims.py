"""What is claimed about a turn, as data: a sentence that a player understands, its numbers, and what it is about.

A game's own `why` module has `why(before, turn, after)`, which lists what a turn does by the rules, the weightiest
first; `standing(position, last)`, each player's points if play stopped there; and `name(layout, player)`.
"""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """One thing to be said about a turn."""

    kind: str
    """What it is about, in a word, such as podium or sight."""
    text: str
    """A sentence without its full stop."""
    numbers: tuple[float, ...] = ()
    """The numbers that the sentence rests on, in its order."""
    turn: str = ""
    """The turn it is about, where two are compared."""


def signed(number: float) -> str:
    """Writes a lead with its sign, a whole number without decimals.

    >>> signed(3), signed(-1.256), signed(0)
    ('+3', '-1.26', '0')
    """
    if number == int(number):
        return f"{int(number):+d}" if number else "0"
    return f"{number:+.2f}"
