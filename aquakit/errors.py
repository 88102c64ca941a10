"""Typed errors, all `ValueError`: what was wrong, where, and what was expected."""

from __future__ import annotations

import sys
from typing import Any

LONGEST = 400
"""So many letters of each part of an error are shown; what people paste or send may have thousands."""


class AquakitError(ValueError):
    """The base of all errors that a person's input can cause.

    `where` names the field, token or file and `expected` says what would have been right. The message shows the
    beginning and the end of a part that is too long for it.

    >>> import aquakit
    >>> try:
    ...     aquakit.start("romana9")
    ... except AquakitError as error:
    ...     error.where, error.problem, error.expected[:14]
    ('layout', "unknown layout 'romana9'", 'one of romana2')
    """

    def __init__(self, where: str, problem: str, expected: str = "") -> None:
        self.where = where
        self.problem = problem
        self.expected = expected
        super().__init__(where, problem, expected)

    def __str__(self) -> str:
        tail = f"; expected {fit(self.expected)}" if self.expected else ""
        return f"{fit(self.where)}: {fit(self.problem)}{tail}"


class InvalidLayout(AquakitError):
    """A layout is unknown, cannot be read or contradicts itself."""


class InvalidPosition(AquakitError):
    """A position text cannot be read; `where` is the field."""


class InvalidTurn(AquakitError):
    """A turn or a token cannot be read; `where` is the token."""


class IllegalTurn(AquakitError):
    """A turn or a token can be read but the rules forbid it; the message says which rule."""


class InvalidOption(AquakitError):
    """An option of a picture, a query or a command is wrong; `where` is its name."""


class ProofFailure(AquakitError):
    """Two claims about a position contradict each other, so that a proof of the kit is wrong.

    `where` is the position, `problem` both claims, and `expected` says how to report them. Nothing is proved then.
    """

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}; expected {self.expected}"  # whole, since it is to be reported


def contradiction(position: object, claim: str, other: str) -> ProofFailure:
    """Makes the error for two claims about a position that cannot both be true.

    >>> error = contradiction("romana2-5x4 …", "a plan makes 4 points", "none makes more than 3")
    >>> error.where, error.problem
    ('romana2-5x4 …', 'a plan makes 4 points, but none makes more than 3')
    """
    how = "no contradiction: it is a fault of the kit; please report this message and what `aquakit --version` says"
    return ProofFailure(str(position), f"{claim}, but {other}", how)


class MissingPackage(AquakitError, ImportError):
    """A package that only one part of the kit needs is not installed; `expected` says how to get it."""


DISTRIBUTION = "aquakit-boardgames"
"""What pip calls the kit: on PyPI the name aquakit belongs to another project."""


def missing(package: str, what: str, extra: str = "") -> MissingPackage:
    """Makes the error for a package that is not there: what it is needed for, and how to get it, or the kit's extra.

    >>> print(missing("numba", "the tree search"))
    numba: is not installed, but needed for the tree search; expected pip install numba
    >>> print(missing("voila", "pages without code", "lab"))
    voila: is not installed, but needed for pages without code; expected pip install "aquakit-boardgames[lab]"
    """
    how = f'pip install "{DISTRIBUTION}[{extra}]"' if extra else f"pip install {package}"
    if sys.platform == "emscripten":
        how = "aquakit on a computer, for browsers have none"
    return MissingPackage(package, f"is not installed, but needed for {what}", how)


class InvalidRecord(AquakitError):
    """A record cannot be read, written or changed like that; `where` is the line, the file or the part.

    After reading, `problems` holds every bad line's number and what is wrong with it, and `record` all that could be
    read, or nothing if not even the start could.
    """

    def __init__(
        self,
        where: str,
        problem: str,
        expected: str = "",
        *,
        problems: tuple[tuple[int, str], ...] = (),
        record: Any = None,
    ) -> None:
        super().__init__(where, problem, expected)
        self.problems = problems
        self.record = record

    @property
    def line(self) -> int | None:
        """The number of the first bad line, from 1."""
        return self.problems[0][0] if self.problems else None

    def __str__(self) -> str:
        more = len(self.problems) - 1
        return f"{super().__str__()} (and {more} more)" if more > 0 else super().__str__()


def shorten(text: str, most: int = 60) -> str:
    """Cuts a text that is too long for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def fit(text: str) -> str:
    """Cuts out the middle of a text that is too long: the end of a path or a reason says as much as the beginning."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"
