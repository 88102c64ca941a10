"""Words as one says them: plurals, lists, the first letter of a line."""

from __future__ import annotations

from collections.abc import Sequence


def capital(text: str) -> str:
    """Begins a text with a capital letter."""
    return text[0].upper() + text[1:]


def count(number: int, what: str) -> str:
    """Says how many there are of something.

    >>> count(1, "builder"), count(1200, "playout")
    ('1 builder', '1,200 playouts')
    """
    return f"{number:,} {what if number == 1 else what + 's'}"


def join(words: Sequence[str], last: str = "and") -> str:
    """Joins words as one says them.

    >>> join(["R1", "R2", "Y1"]), join(["R1"])
    ('R1, R2 and Y1', 'R1')
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
