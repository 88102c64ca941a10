"""Estimates from independent games, with errors that hold, and what is estimated of how aqueducts grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import fmean

ROUGH = 1.96
"""The quantile of the normal distribution for 19 times in 20."""


@dataclass(frozen=True)
class Estimate:
    """A mean over independent games, and how far off it may be.

    >>> found = estimate([3, 5, 4, 4])
    >>> found.mean, round(found.stderr, 2), round(found.margin, 1), found.tell("+")
    (4.0, 0.5, 1.6, '+4.0 ± 1.6')
    """

    mean: float
    stderr: float | None
    """The standard error; none after a single game, 0 only if every game has to go like this."""
    games: int

    @property
    def margin(self) -> float | None:
        """Half the width of the interval that holds the true mean 19 times in 20: two standard errors.

        After few games it is more of them, by Student's distribution.
        """
        return None if self.stderr is None else student(self.games) * self.stderr

    def tell(self, sign: str = "") -> str:
        """Writes mean and margin, which is rounded up; `sign` is "+" for a lead."""
        margin = "?" if self.margin is None else f"{ceil(10 * self.margin - 1e-9) / 10:.1f}"
        return f"{_round(self.mean):{sign}.1f} ± {margin}"

    def __str__(self) -> str:
        return self.tell()


def _round(value: float) -> float:
    """Rounds for a text, without a zero below zero."""
    return round(value, 1) + 0.0


def student(games: int) -> float:
    """Gets how many standard errors to either side hold a mean 19 times in 20.

    >>> [round(student(games), 1) for games in (4, 10, 100)]
    [3.2, 2.3, 2.0]
    """
    z, free = ROUGH, games - 1
    # Cornish and Fisher's expansion of Student's quantile.
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return max(2.0, z + sum(term / float(free**power) for power, term in enumerate(terms, start=1)))


def estimate(values: Sequence[float], *, certain: bool = False) -> Estimate:
    """Estimates a mean; unless it is certain, games that all end alike still leave room for one that does not.

    >>> estimate([2, 2, 2]).tell(), estimate([2, 2, 2], certain=True).tell(), estimate([2]).tell()
    ('2.0 ± 1.8', '2.0 ± 0.0', '2.0 ± ?')
    """
    games, mean = len(values), fmean(values)
    if certain:
        return Estimate(mean, 0.0, games)
    if games == 1:
        return Estimate(mean, None, games)
    # As if one game more had missed the mean by a point: what was not seen yet may still happen.
    squares = 1 + sum((value - mean) ** 2 for value in values)
    return Estimate(mean, sqrt(squares / (games - 1) / games), games)


@dataclass(frozen=True)
class EngineRound:
    """How an aqueduct fares up to the end of a round, in games in which all close what the engine would."""

    aqueduct: str
    player: int
    round: int
    length: Estimate
    """Its length after its owner's turn; once it is scored, the length that was scored."""
    closed: float
    """The share of the games in which its owner has closed it by then."""
    by_construction: float
    """The share in which it has been closed by construction."""


@dataclass(frozen=True)
class EngineScoring:
    """How an aqueduct comes to be scored within the rounds looked at, in the games in which it is."""

    aqueduct: str
    share: float
    """The share of the games in which it is."""
    how: str
    """How it mostly comes about: closed, or by construction."""
    moment: Estimate
    """When, in rounds: 1.5 is the middle of round 1."""
    podium: Estimate
