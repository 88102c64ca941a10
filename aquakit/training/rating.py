"""Rates a solver against the puzzles' difficulty, by Glicko-2.

The steps and letters are those of Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf).
Two things differ, both so that a rating can follow every single puzzle: a game has a weight, as if it were a part of a
game; and the days since the last rated puzzle take the place of the one period between two ratings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from aquakit.core.words import count
from aquakit.drawing.plots import NEUTRAL, dress
from aquakit.drawing.svg import COLOURS
from aquakit.training.attempt import Attempt

RATINGS = {1: 1000, 2: 1250, 3: 1500, 4: 1750, 5: 2000}
"""The rating of the puzzles of each difficulty: who stands one step above solves four of five."""
SPREAD = 75
"""The deviation of a puzzle's rating, since puzzles of one difficulty are not equally hard."""
HINT = 0.5
"""What a solved puzzle counts for each hint taken, as a factor."""
PERIOD = timedelta(days=1)
"""The time between two ratings that Glicko-2 calls a period."""
SCALE, MIDDLE = 173.7178, 1500
"""How ratings are turned into the numbers that the paper's steps work on."""
TAU = 0.5
"""How quickly the volatility changes."""
NEAR = 0.000001
"""How close the volatility is reckoned."""


@dataclass(frozen=True)
class Rating:
    """How strong a solver is held to be: about two of three times within one deviation, 19 of 20 within two."""

    value: float
    deviation: float
    volatility: float = 0.06
    """How much the strength is held to move in a period, on the paper's scale."""

    def after(self, periods: float) -> Rating:
        """Gets the rating when so much time has passed: as high, but less sure."""
        grown = math.hypot(self.deviation, math.sqrt(periods) * self.volatility * SCALE)
        return replace(self, deviation=min(grown, max(START.deviation, self.deviation)))

    def __str__(self) -> str:
        return f"{self.value:.0f} ± {self.deviation:.0f}"


START = Rating(RATINGS[1], 350)
"""The rating before the first puzzle: as if everybody began with first steps, but quick to move."""


@dataclass(frozen=True)
class RatedGame:
    """What one puzzle tells about its solver."""

    value: float
    deviation: float
    """The puzzle's rating, and how sure it is."""
    score: float
    """1 if it was solved, 0 if not."""
    weight: float = 1.0
    """Which part of a game it counts as."""


@dataclass(frozen=True)
class Rated:
    """An attempt that counted, and the solver's rating after it."""

    attempt: Attempt
    game: RatedGame
    rating: Rating


def expect(rating: Rating, difficulty: int) -> float:
    """Gets how likely a solver of this rating is to solve a puzzle of this difficulty without help.

    >>> round(expect(Rating(1750, 60), 3), 2)
    0.8
    """
    game = RatedGame(RATINGS[difficulty], SPREAD, 1)
    return _expect(_scaled(rating.value), game)


def update(rating: Rating, games: Iterable[RatedGame], periods: float = 1.0) -> Rating:
    """Gets the rating after games that were played at once, so many periods after the last ones.

    >>> str(update(Rating(1500, 200), [RatedGame(1400, 30, 1), RatedGame(1550, 100, 0), RatedGame(1700, 300, 0)]))
    '1464 ± 152'
    """
    mu, known, pull = _scaled(rating.value), 0.0, 0.0
    for game in games:
        share, expected = _share(game.deviation), _expect(mu, game)
        known += game.weight * share**2 * expected * (1 - expected)  # 1 / v
        pull += game.weight * share * (game.score - expected)  # delta / v
    if known == 0:
        return rating.after(periods)
    volatility = _find_volatility(rating, 1 / known, pull / known)
    before = replace(rating, volatility=volatility).after(periods).deviation / SCALE
    phi = 1 / math.sqrt(1 / before**2 + known)
    return Rating((mu + phi**2 * pull) * SCALE + MIDDLE, phi * SCALE, volatility)


def _scaled(value: float) -> float:
    return (value - MIDDLE) / SCALE


def _share(deviation: float) -> float:
    """Gets how much a game tells against one whose rating is so unsure; the paper's g."""
    return 1 / math.sqrt(1 + 3 * (deviation / SCALE) ** 2 / math.pi**2)


def _expect(mu: float, game: RatedGame) -> float:
    """Gets the expected score; the paper's E."""
    return 1 / (1 + math.exp(-_share(game.deviation) * (mu - _scaled(game.value))))


def _find_volatility(rating: Rating, variance: float, delta: float) -> float:
    """Finds the new volatility, by the paper's step 5."""
    phi, start = rating.deviation / SCALE, math.log(rating.volatility**2)

    def f(x: float) -> float:
        power = math.exp(x)
        total = phi**2 + variance + power
        return power * (delta**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low, gap = start, delta**2 - phi**2 - variance
    if gap > 0:
        high = math.log(gap)
    else:
        high = start - TAU
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > NEAR:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


# Attempts


def weigh(attempt: Attempt) -> RatedGame:
    """Says what a first try tells: a miss counts whole, and every hint halves what a solved puzzle counts."""
    value = RATINGS[attempt.difficulty]
    return RatedGame(value, SPREAD, 1, HINT**attempt.hints) if attempt.solved else RatedGame(value, SPREAD, 0)


def rate(attempts: Iterable[Attempt]) -> Iterator[Rated]:
    """Rates a solver's attempts, in the order in which they were written down.

    Only the first try at a puzzle counts, for whoever tries again has seen what was wrong.
    """
    rating, last, met = START, None, set()
    for attempt in attempts:
        if (name := (attempt.task, attempt.fingerprint)) not in met:
            met.add(name)
            game = weigh(attempt)
            rating, last = update(rating, [game], count_periods(last, attempt.at)), attempt.at
            yield Rated(attempt, game, rating)


def count_periods(last: datetime | None, now: datetime) -> float:
    """Counts the periods since the last rated puzzle; a clock that was set back counts as none."""
    return 0.0 if last is None else max(0.0, (now - last) / PERIOD)


# Plot


def draw_rating(rated: Sequence[Rated], ax: Any = None) -> Any:
    """Draws how a rating went, two deviations to both sides, and the puzzles at the height of their difficulty.

    A dot is a solved puzzle, a circle one solved with hints, a cross a missed one.
    """
    import matplotlib.pyplot as plt

    if ax is None:
        figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
        figure.patch.set_alpha(0)
    course = [START, *(step.rating for step in rated)]
    numbers = range(len(course))
    low, high = ([rating.value + side * rating.deviation for rating in course] for side in (-2, 2))
    colour = COLOURS["B"].light
    ax.fill_between(numbers, low, high, color=colour, alpha=0.2, linewidth=0, label="two deviations")
    ax.plot(numbers, [rating.value for rating in course], color=colour, linewidth=2, label="rating", zorder=3)
    _draw_puzzles(ax, rated)
    _draw_difficulties(ax)
    _label(ax, len(rated), f"{course[-1]} after {count(len(rated), 'puzzle')}")
    return ax


def _draw_puzzles(ax: Any, rated: Sequence[Rated]) -> None:
    """Marks what was solved, with help or without, and what was missed."""
    # Where there are many, the marks get smaller, so that they do not hide each other.
    size = max(3.5, 7 - len(rated) / 40)
    good, bad = COLOURS["G"].light, COLOURS["R"].light
    looks = {
        "solved": ("o", good, good),
        "solved with hints": ("o", "none", good),
        "missed": ("x", bad, bad),
    }
    for label, (marker, face, edge) in looks.items():
        points = [(n, step.game.value) for n, step in enumerate(rated, start=1) if _name(step) == label]
        if points:
            style = {"markerfacecolor": face, "markeredgecolor": edge, "markersize": size, "markeredgewidth": 1.4}
            ax.plot(*zip(*points, strict=True), marker, label=label, zorder=4, **style)


def _name(step: Rated) -> str:
    if not step.game.score:
        return "missed"
    return "solved with hints" if step.attempt.hints else "solved"


def _draw_difficulties(ax: Any) -> None:
    for difficulty, value in RATINGS.items():
        ax.axhline(value, color=NEUTRAL, linewidth=0.8, linestyle=":", zorder=1)
        ax.annotate(
            f"difficulty {difficulty}",
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 3),
            textcoords="offset points",
            ha="right",
            color=NEUTRAL,
            fontsize="small",
            annotation_clip=True,
        )


def _label(ax: Any, number: int, title: str) -> None:
    """Gives the plot its names and its width."""
    # The names of the difficulties stand in the room at the right.
    ax.set_xlim(0, max(5, number) * 1.15)
    dress(ax, title, "puzzles tried for the first time", "rating")
    ax.xaxis.get_major_locator().set_params(integer=True)
    if number:
        ax.legend(frameon=False, labelcolor=NEUTRAL, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.16))
