"""What closure timing is asked: growth and rivals as people enter them, or as playouts have them, become scenarios."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from aquakit.core.options import show
from aquakit.errors import InvalidOption
from aquakit.romana.planner.timing.entries import (
    GrowthEntry,
    check_closings,
    read_closings,
    read_growth,
    read_weight,
)
from aquakit.romana.planner.timing.forecast import Forecast, forecast, with_rivals
from aquakit.romana.planner.timing.model import HEAVIEST, scale_weights
from aquakit.romana.planner.timing.replay import GrowthCourse, Scenario, TimingCase, expect, points_of, replay
from aquakit.romana.position import Position

PLAYOUTS, REPLIES = "playouts", "replies"
FRESH = 100
"""Playouts on which a schedule is tried that was made for others."""
MOST_SCENARIOS = 2000

Rivals = str | Mapping[str, int] | Sequence[Mapping[str, Any]]
Growth = Mapping[str, GrowthEntry] | Forecast


@dataclass(frozen=True)
class Fresh:
    """How a schedule does in playouts that it was not made for."""

    value: float
    stderr: float
    playouts: int


def read_rivals(growth: Any, rivals: Any) -> Any:
    """Checks what is said about the rivals; without it, it follows from the growth."""
    if rivals is None:
        return PLAYOUTS if growth is None or (isinstance(growth, Forecast) and growth.rivals_close) else {}
    good = rivals in (PLAYOUTS, REPLIES) if isinstance(rivals, str) else isinstance(rivals, Mapping | Sequence)
    if not good or (isinstance(rivals, Sequence) and not rivals):
        expected = "'playouts', 'replies', 'engine', rounds by aqueduct such as {'Y1': 2}, or a list of those"
        raise InvalidOption("rivals", show(rivals), expected)
    if rivals == PLAYOUTS and growth is not None and not isinstance(growth, Forecast):
        raise InvalidOption("rivals", "'playouts' with growth entered", "closings as data, or no growth")
    return rivals


class TimingQuestion:
    """What is asked, with its scenarios."""

    def __init__(
        self, position: Position, case: TimingCase, growth: Any, rivals: Any, playouts: int, seed: int
    ) -> None:
        self._position, self._rivals, self._seed = position, rivals, seed
        self._pace = 0.0
        self._entered = None if growth is None or isinstance(growth, Forecast) else read_growth(case, growth)
        self._closings = self._read_closings(case)
        self._forecast = growth if isinstance(growth, Forecast) else None
        if self._forecast is not None:
            self._check_forecast(case, self._forecast)
        elif self._entered is None:
            self._forecast = self._play(case, playouts, seed)
        self.is_reply = rivals == REPLIES
        self.word = rivals if isinstance(rivals, str) else "data" if isinstance(rivals, Mapping) else "scenarios"
        self.case = replace(case, scenarios=self._list_scenarios(case, self._forecast))
        _check_weights(self.case)

    def _read_closings(self, case: TimingCase) -> list[tuple[str, dict[int, int], Fraction]]:
        """Reads the rivals' closings that are given as data: where they stand, what they are, and their weights."""
        if isinstance(self._rivals, str):
            return []
        several = not isinstance(self._rivals, Mapping)
        made = []
        for i, given in enumerate(self._rivals if several else [self._rivals]):
            where = f"rivals.{i}" if several else "rivals"
            if not isinstance(given, Mapping):
                raise InvalidOption(where, show(given), "rounds by the rivals' aqueducts, such as {'Y1': 2}")
            weight = read_weight(f"{where}.weight", given.get("weight", 1))
            rounds = {name: number for name, number in given.items() if name != "weight"}
            made.append((where, read_closings(case, where, rounds), weight))
        return made

    def _check_forecast(self, case: TimingCase, given: Forecast) -> None:
        wanted = (self._position, case.me + 1, case.rounds)
        if (given.position, given.player, given.rounds) != wanted:
            raise InvalidOption("growth", "is a forecast for something else", "the same position, player and rounds")
        if given.rivals_close != (self._rivals == PLAYOUTS):
            word = "close" if given.rivals_close else "close nothing"
            expected = f"forecast(…, rivals_close={not given.rivals_close}) with these rivals"
            raise InvalidOption("growth", f"the rivals {word} in its playouts", expected)

    def _play(self, case: TimingCase, playouts: int, seed: int) -> Forecast:
        begun = time.perf_counter()
        made = forecast(
            self._position,
            player=case.me + 1,
            rounds=case.rounds,
            playouts=playouts,
            seed=seed,
            rivals_close=self._rivals == PLAYOUTS,
        )
        self._pace = (time.perf_counter() - begun) / playouts
        return made

    def _list_scenarios(self, case: TimingCase, estimate: Forecast | None) -> tuple[Scenario, ...]:
        if self._entered is not None:
            return tuple(self._list_entered(case, self._entered))
        assert estimate is not None
        if self.is_reply:
            return (estimate.typical(),)
        if self._rivals == PLAYOUTS:
            return estimate.scenarios
        return tuple(with_rivals(s, closings, w) for s in estimate.scenarios for _, closings, w in self._closings)

    def _list_entered(self, case: TimingCase, courses: dict[int, GrowthCourse]) -> Iterator[Scenario]:
        if self.is_reply:
            yield Scenario(courses, {}, case.turns - 1)
        for where, closings, weight in self._closings:
            made = Scenario(courses, closings, case.turns - 1, weight)
            check_closings(case, where, made)
            yield made

    @property
    def has_others(self) -> bool:
        """Whether there are other playouts on which a schedule can be tried."""
        return self._entered is None and not self.is_reply

    @property
    def trial_seconds(self) -> float:
        """How long other playouts will take, by what the first ones took; 0 if they were not played here."""
        return FRESH * self._pace

    def try_on_others(self, orders: Mapping[str, int]) -> Fresh:
        """Tries a schedule in playouts that it was not made for."""
        other = self._play(self.case, FRESH, self._seed + 1)
        case = replace(self.case, scenarios=self._list_scenarios(self.case, other))
        given = {case.layout.aqueduct_index[name]: number for name, number in orders.items()}
        values = [points_of(case, replay(case, scenario, given), case.me) for scenario in case.scenarios]
        per_game = len(values) // FRESH  # the scenarios of one playout are no more than one observation
        parts = [slice(i, i + per_game) for i in range(0, len(values), per_game)]
        games = [float(expect(case.scenarios[part], values[part])) for part in parts]
        return Fresh(fmean(games), stdev(games) / sqrt(FRESH), FRESH)


def _check_weights(case: TimingCase) -> None:
    if len(case.scenarios) > MOST_SCENARIOS:
        raise InvalidOption("playouts", f"make {len(case.scenarios)} scenarios", f"at most {MOST_SCENARIOS}")
    if sum(scale_weights(case)) > HEAVIEST:
        raise InvalidOption("rivals", "the weights have too many digits", "weights such as 1, 2.5 or 0.125")
