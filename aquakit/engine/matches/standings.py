"""Says how bots did in a match, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from aquakit.engine.matches.results import GameResult

SURE = 1.959964
"""Standard errors either side of a mean that make a 95 % interval."""


@dataclass(frozen=True)
class Standing:
    """How a bot did; of a bot with several seats in a game, their mean counts once.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> import aquakit
    >>> bots, executor = ["greedy", "random"], ThreadPoolExecutor(1)
    >>> best = aquakit.match(bots, 4, "romana2-5x4", executor=executor, progress=False).standings[0]
    >>> best.bot, best.games, best.win_low <= best.win_rate <= best.win_high
    ('greedy', 4, True)
    """

    bot: str
    games: int
    wins: float
    """Games won; one that is shared counts in part."""
    win_rate: float
    win_low: float
    win_high: float
    """A 95 % interval by Wilson, which shared wins only make wider than needed."""
    score: float
    score_error: float
    """The mean's standard error; not a number if there are less than two games."""
    lead: float
    """Points beyond those of the best other bot's seat."""
    lead_error: float
    elo: float
    """The difference to the first bot, from who was ahead of whom; infinite if it was always the same."""
    elo_low: float
    elo_high: float
    seconds: float
    """How long the bot thought in a game."""


def rank_bots(bots: Sequence[str], results: Sequence[GameResult]) -> list[Standing]:
    """Sums up how each bot did."""
    return [_sum_up(name, bots[0], [result for result in results if name in result.seats]) for name in bots]


def _sum_up(name: str, first: str, results: Sequence[GameResult]) -> Standing:
    wins = sum(_of(name, result, result.shares, sum) for result in results)
    win = interval(wins, len(results))
    scores = [_of(name, result, result.scores, fmean) for result in results]
    leads = [_lead(name, result) for result in results]
    elo = (0.0, 0.0, 0.0) if name == first else _elo_between(name, first, results)
    seconds = _mean([_of(name, result, result.seconds, sum) for result in results])
    return Standing(
        name, len(results), wins, *win, _mean(scores), _error(scores), _mean(leads), _error(leads), *elo, seconds
    )


def _of(name: str, result: GameResult, values: Sequence[float], join: Callable[[Iterable[float]], float]) -> float:
    """Joins a bot's values of a game."""
    return float(join(value for seat, value in zip(result.seats, values, strict=True) if seat == name))


def _lead(name: str, result: GameResult) -> float:
    scores = list(zip(result.seats, result.scores, strict=True))
    return _of(name, result, result.scores, fmean) - max(score for seat, score in scores if seat != name)


def _elo_between(name: str, other: str, results: Iterable[GameResult]) -> tuple[float, float, float]:
    ahead = [_ahead(name, other, result) for result in results if other in result.seats]
    rate, low, high = (_elo(rate) for rate in interval(sum(ahead), len(ahead)))
    return rate, low, high


def _ahead(name: str, other: str, result: GameResult) -> float:
    """Gets how often a bot's seats were ahead of another's in a game."""
    places = list(zip(result.seats, result.places, strict=True))
    pairs = [(mine, theirs) for one, mine in places if one == name for two, theirs in places if two == other]
    return fmean((mine < theirs) + (mine == theirs) / 2 for mine, theirs in pairs)


def _elo(rate: float) -> float:
    if not 0 < rate < 1:
        return math.nan if math.isnan(rate) else math.copysign(math.inf, rate - 0.5)
    return 400 * math.log10(rate / (1 - rate))


def interval(wins: float, games: int) -> tuple[float, float, float]:
    """Gets a rate and its 95 % interval by Wilson.

    >>> [round(value, 3) for value in interval(8, 10)]
    [0.8, 0.49, 0.943]
    """
    if not games:
        return math.nan, math.nan, math.nan
    rate, z = wins / games, SURE**2 / games
    middle = (rate + z / 2) / (1 + z)
    half = SURE / (1 + z) * math.sqrt(rate * (1 - rate) / games + z / (4 * games))
    low = 0.0 if wins == 0 else middle - half
    high = 1.0 if wins == games else middle + half
    return rate, low, high


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else math.nan


def _error(values: Sequence[float]) -> float:
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


NOTHING = "—"
HEADS = ("bot", "games", "wins", "win rate (95 %)", "score", "lead", "Elo (95 %)", "seconds/game")


def write_row(standing: Standing) -> tuple[str, ...]:
    """Writes how a bot did for people to read, under `HEADS`."""
    s = standing
    return (
        s.bot,
        str(s.games),
        f"{s.wins:.10g}" if s.wins == int(s.wins) else f"{s.wins:.2f}",
        f"{s.win_rate:.1%} ({s.win_low:.1%} … {s.win_high:.1%})" if s.games else NOTHING,
        f"{s.score:.1f}{_write_error(s.score_error)}" if s.games else NOTHING,
        f"{s.lead:+.1f}{_write_error(s.lead_error)}" if s.games else NOTHING,
        _write_elo(s),
        f"{s.seconds:.2f}" if s.games else NOTHING,
    )


def _write_error(error: float) -> str:
    return "" if math.isnan(error) else f" ± {error:.1f}"


def _write_elo(s: Standing) -> str:
    if math.isnan(s.elo):
        return NOTHING
    if (s.elo, s.elo_low, s.elo_high) == (0, 0, 0):
        return "0"
    value, low, high = (f"{each:+.0f}".replace("inf", "∞") for each in (s.elo, s.elo_low, s.elo_high))
    return f"{value} ({low} … {high})"
