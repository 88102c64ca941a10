"""Forecasts of how aqueducts grow, estimated from playouts with their spread."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from statistics import fmean, median_low
from typing import Any

from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import have_numba, load
from aquakit.compiled.structs import Shelf
from aquakit.core.options import read_flag, read_whole
from aquakit.romana import kernel
from aquakit.romana.planner.timing import growth as growth_source
from aquakit.romana.planner.timing.entries import frame_case, list_open, present_length
from aquakit.romana.planner.timing.growth import ROUNDS, UNKNOWN, Trace
from aquakit.romana.planner.timing.replay import GrowthCourse, Scenario, TimingCase
from aquakit.romana.position import Position

CHUNK = 100
"""Playouts between two chances to interrupt."""
MOST_PLAYOUTS = 1_000_000
"""The most playouts."""
FEW_PLAYOUTS = 500
"""Up to this number they run plain, which takes less time than to load the compiled ones, let alone to compile them."""


@dataclass(frozen=True)
class Forecast:
    """How the aqueducts fared in playouts, each of which is a scenario."""

    position: Position
    player: int
    """Who plans, 1-based: closes nothing voluntarily in the playouts."""
    rounds: int
    playouts: int
    seed: int
    rivals_close: bool
    """Whether the rivals closed aqueducts by habit; otherwise nobody closed any voluntarily."""
    scenarios: tuple[Scenario, ...]

    def _case(self) -> TimingCase:
        return frame_case(self.position, self.player, self.rounds)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Lists statistics of the playouts for each open aqueduct and round."""
        case = self._case()
        for a in self.scenarios[0].courses:
            for number in range(1, self.rounds + 1):
                lengths = [scenario.courses[a].lengths[number - 1] for scenario in self.scenarios]
                walled = [_is_walled_by(case, scenario.courses[a], number) for scenario in self.scenarios]
                closed = [scenario.closings.get(a, number + 1) <= number for scenario in self.scenarios]
                yield {
                    "aqueduct": case.name(a),
                    "player": case.owner(a) + 1,
                    "round": number,
                    "length": fmean(lengths),
                    "spread": _spread(lengths),
                    "by_construction": fmean(walled),
                    "closed": fmean(closed),
                }

    def frame(self) -> Any:
        """Gets the mean length, its spread, and the shares closed by construction and by the owner, round by round."""
        import pandas as pd

        return pd.DataFrame(list(self.rows()))

    def typical(self) -> Scenario:
        """Gets one scenario in place of all: mean lengths, closed by construction where most playouts had it so."""
        case = self._case()
        return Scenario({a: self._mean_course(case, a) for a in self.scenarios[0].courses}, {}, case.turns - 1)

    def _mean_course(self, case: TimingCase, a: int) -> GrowthCourse:
        courses = [scenario.courses[a] for scenario in self.scenarios]
        ends = [course.ends for course in courses if course.ends is not None]
        final = round(fmean(course.final for course in courses))
        lengths = tuple(min(final, round(fmean(column))) for column in zip(*(c.lengths for c in courses), strict=True))
        return GrowthCourse(lengths, final, median_low(ends) if 2 * len(ends) > len(courses) else None)

    def __repr__(self) -> str:
        return (
            f"<Forecast: {self.rounds} rounds for player {self.player} in {self.playouts} playouts, seed {self.seed}>"
        )

    def _repr_html_(self) -> str:
        html: str = self.frame().to_html(index=False, float_format="{:.2f}".format)
        return html


def _is_walled_by(case: TimingCase, course: GrowthCourse, number: int) -> bool:
    return course.ends is not None and case.round_of(course.ends) <= number


def _spread(values: Sequence[int]) -> float:
    """Gets the standard deviation."""
    mean = fmean(values)
    return sqrt(fmean((value - mean) ** 2 for value in values))


def forecast(
    position: Position,
    *,
    player: int | None = None,
    rounds: int = 6,
    playouts: int = 200,
    seed: int = 0,
    rivals_close: bool = True,
    fast: bool | None = None,
) -> Forecast:
    """Estimates how all aqueducts grow, from playouts some rounds ahead, as sensible players might play.

    The player who plans closes nothing voluntarily; the rivals do so by habit, or not at all. The same seed gives the
    same playouts, compiled or plain.
    """
    case = frame_case(position, player, rounds)
    count = read_whole("playouts", playouts, least=1, most=MOST_PLAYOUTS)
    closers = ~(1 << case.me) if read_flag("rivals_close", rivals_close) else 0
    number = read_whole("seed", seed, most=2**64)
    runner = _Tracer(position, fast=count > FEW_PLAYOUTS and have_numba() if fast is None else fast)
    scenarios = tuple(_read_trace(case, trace) for trace in runner.run(count, rounds, closers, number))
    return Forecast(position, case.me + 1, rounds, count, number, rivals_close, scenarios)


def with_rivals(scenario: Scenario, closings: Mapping[int, int], weight: Fraction) -> Scenario:
    """Gets a scenario with other closings of the rivals."""
    return replace(scenario, closings=closings, weight=scenario.weight * weight)


def _read_trace(case: TimingCase, trace: Trace) -> Scenario:
    courses = {a: _read_trace_of(case, trace, a) for a in list_open(case)}
    closings = {a: int(trace.closed[a]) for a in courses if trace.closed[a] != UNKNOWN}
    return Scenario(courses, closings, int(trace.last))


def _read_trace_of(case: TimingCase, trace: Trace, a: int) -> GrowthCourse:
    """Reads an aqueduct's course; rounds in which its owner had no turn take over what is known."""
    ends = None if trace.ends[a] == UNKNOWN else int(trace.ends[a])
    final, length, lengths = int(trace.final[a]), present_length(case, a), []
    gone = case.rounds + 1 if ends is None else case.round_of(ends)
    for number in range(1, case.rounds + 1):
        noted = int(trace.lengths[a * ROUNDS + number - 1])
        length = noted if noted != UNKNOWN else final if number >= gone else length
        lengths.append(length)
    return GrowthCourse(tuple(lengths), final, ends)


class _Tracer:
    """Runs playouts of a position, compiled or plain, and gives each as a plain trace."""

    def __init__(self, position: Position, *, fast: bool) -> None:
        layout, state = position.layout, position.state
        self._traces = load(growth_source, fast=fast).traces
        self._fast = fast
        self._tables: Any
        self._states: Any
        self._works: Any
        self._records: Any
        if fast:
            self._tables = kernel.Tables.records(layout.capacity, 1)
            layout.tables.store(self._tables)
            self._states = kernel.State.records(layout.capacity, 2)
            state.store(self._states)
            self._works = kernel.Work.records(layout.capacity, 1)
            self._records = Trace.records({}, CHUNK)
            with compiling("forecasts of growth"):
                self._traces(self._tables, self._states, self._works, self._records, 0, 1, 0)
        else:
            self._tables, self._states = [layout.tables], Shelf([state, state])
            self._works = [kernel.Work.new(layout.sizes)]
            self._records = [Trace.new({}) for _ in range(CHUNK)]

    def run(self, count: int, rounds: int, closers: int, seed: int) -> Iterator[Trace]:
        """Plays ahead, `count` times."""
        draw = random.Random(seed)
        words = draw.getrandbits(32), draw.getrandbits(32) | 1
        if self._fast:
            self._works["random0"][0], self._works["random1"][0] = words
        else:
            self._works[0].random0, self._works[0].random1 = words
        for begun in range(0, count, CHUNK):
            size = min(CHUNK, count - begun)
            self._traces(self._tables, self._states, self._works, self._records, size, rounds, closers)
            yield from (self._read(i) for i in range(size))

    def _read(self, i: int) -> Trace:
        if not self._fast:
            copied: Trace = self._records[i].copy()
            return copied
        made = Trace.new({})
        made.load(self._records, i)
        return made
