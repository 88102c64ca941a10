"""Forecasts of how aqueducts grow: entered by people and checked, or estimated from playouts with their spread."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor, isfinite, sqrt
from operator import index
from statistics import fmean, median_low
from types import ModuleType
from typing import Any

from aquakit.compiled.jit import Shelf, bind_source, compiling, have_numba
from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.words import join
from aquakit.errors import InvalidOption, InvalidPosition
from aquakit.romana import kernel, policy
from aquakit.romana.kernel import CLOSE, PICK, SETUP
from aquakit.romana.planner.timing import growth as growth_source
from aquakit.romana.planner.timing.growth import ROUNDS, UNKNOWN, Trace
from aquakit.romana.planner.timing.replay import GrowthCourse, Scenario, TimingCase
from aquakit.romana.position import Position

MOST_LENGTH = 999
"""The greatest length that can be entered."""
CHUNK = 100
"""Playouts between two chances to interrupt."""
MOST_PLAYOUTS = 1_000_000
"""The most playouts."""
FEW_PLAYOUTS = 500
"""So many playouts run plain in less time than it takes to load the compiled ones, let alone to compile them."""

Entry = float | Sequence[int] | Mapping[str, Any]
"""What can be said of an aqueduct: see `timing`."""


# The frame of a question


def frame_case(position: Any, player: int | None, rounds: int, *, closed_only: bool = False) -> TimingCase:
    """Checks who asks about what; gets the case, still without scenarios."""
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aqua Romana")
    s = position.state
    if position.is_over or s.phase in (SETUP, PICK):
        problem = {SETUP: "is in the setup", PICK: "comes after the closing of this turn"}.get(s.phase, "is over")
        raise InvalidPosition("position", problem, "a turn that has come no further than its voluntary closing")
    number = (
        s.player + 1 if player is None else read_whole("player", player, least=1, most=len(position.layout.players))
    )
    if s.solo and number != s.player + 1:
        raise InvalidOption("player", f"{number} takes no turn in a study position [S1]", str(s.player + 1))
    read_whole("rounds", rounds, least=1, most=ROUNDS)
    case = TimingCase(position.layout, s, number - 1, rounds, (), read_flag("closed_only", closed_only))
    if not case.mine:
        raise InvalidOption("player", f"{number} has no workman on the board", "a player with an open aqueduct")
    return case


def list_open(case: TimingCase) -> list[int]:
    """Lists the aqueducts with a workman on the board."""
    return [a for a in range(len(case.layout.outlets)) if case.state.open >> a & 1]


def find_open(case: TimingCase, where: str, name: Any) -> int:
    """Finds an open aqueduct by its name."""
    names = [case.name(a) for a in list_open(case)]
    if name not in names:
        known = isinstance(name, str) and name in case.layout.aqueduct_index
        problem = f"{name} is closed already" if known else f"{show(name)} is no aqueduct of this board"
        raise InvalidOption(where, problem, f"one of {', '.join(names)}")
    return case.layout.aqueduct_index[name]


def present_length(case: TimingCase, a: int) -> int:
    """Gets the length that an aqueduct has now."""
    return int(case.state.length[case.state.tip[a]])


def is_walled(case: TimingCase, a: int) -> bool:
    """Checks whether an open aqueduct is walled in already, so that this turn closes it [R8]."""
    return bool(case.state.walled >> a & 1)


# Entered by people


def read_growth(case: TimingCase, growth: Any) -> dict[int, GrowthCourse]:
    """Checks what a person says of the aqueducts; those not named stay as they are."""
    if not isinstance(growth, Mapping):
        expected = "lengths by the aqueducts' names, such as {'R1': [3, 4, 4], 'R2': 0.5}, or a forecast"
        raise InvalidOption("growth", show(growth), expected)
    entries = {find_open(case, "growth", name): (f"growth.{name}", entry) for name, entry in growth.items()}
    return {a: _read_course(case, a, *entries.get(a, ("", 0))) for a in list_open(case)}


def _read_course(case: TimingCase, a: int, where: str, entry: Any) -> GrowthCourse:
    if is_walled(case, a):
        if where:
            raise InvalidOption(where, "it is walled in, so that this turn closes it [R8]", "no forecast for it")
        length = present_length(case, a)
        return GrowthCourse((length,) * case.rounds, length, 0)
    given = dict(entry) if isinstance(entry, Mapping) else {"lengths": entry}
    for key in given:
        if key not in ("lengths", "ends", "by"):
            raise InvalidOption(f"{where}.{key}", "is not known here", "lengths, ends or by")
    lengths = _read_lengths(case, a, where, given.get("lengths", 0))
    ends = _read_end(case, a, where, given)
    final = lengths[-1] if ends is None else lengths[case.round_of(ends) - 1]
    return GrowthCourse(tuple(min(length, final) for length in lengths), final, ends)


def _read_lengths(case: TimingCase, a: int, where: str, value: Any) -> list[int]:
    value = value.tolist() if hasattr(value, "tolist") else value  # NumPy's and pandas' columns and numbers
    if isinstance(value, bool | str) or not isinstance(value, int | float | Sequence):
        raise InvalidOption(where, show(value), "lengths in rounds 1, 2, 3 …, or the growth in a round as a number")
    if isinstance(value, Sequence):
        return _read_list(case, a, where, value)
    if not isfinite(value) or not 0 <= value <= MOST_LENGTH:
        raise InvalidOption(where, show(value), f"a growth from 0 to {MOST_LENGTH}")
    now = present_length(case, a)
    rounds = range(0 if _is_settled(case, a) else 1, case.rounds + 1)
    return [now + floor(value * number + 1e-9) for number in rounds][: case.rounds]


def _is_settled(case: TimingCase, a: int) -> bool:
    """Checks whether the length in round 1 is known: its owner has built and comes to the voluntary closing."""
    return case.state.phase == CLOSE and case.owner(a) == case.state.player


def _read_list(case: TimingCase, a: int, where: str, value: Sequence[Any]) -> list[int]:
    lengths = []
    for item in value:
        try:
            lengths.append(index(item))
        except TypeError:
            raise InvalidOption(where, show(item), "whole numbers") from None
        if isinstance(item, bool):
            raise InvalidOption(where, show(item), "whole numbers")
    if not lengths or max(lengths) > MOST_LENGTH:
        raise InvalidOption(where, show(value), f"lengths from 0 to {MOST_LENGTH}, at least one")
    now = present_length(case, a)
    for before, after in pairwise([now, *lengths]):
        if after < before:
            raise InvalidOption(where, f"the length shrinks from {before} to {after}", "lengths that never shrink")
    if _is_settled(case, a) and lengths[0] != now:
        raise InvalidOption(where, f"{lengths[0]} in round 1", f"{now}, since this turn's tile is laid already")
    return (lengths + lengths[-1:] * case.rounds)[: case.rounds]


def _read_end(case: TimingCase, a: int, where: str, given: Mapping[str, Any]) -> int | None:
    if given.get("ends") is None:
        if given.get("by") is not None:
            raise InvalidOption(f"{where}.by", "stands without ends", "the round in which that player walls it in")
        return None
    number = read_whole(f"{where}.ends", given["ends"], least=1, most=case.rounds)
    by = case.owner(a) + 1 if given.get("by") is None else given["by"]
    player = read_whole(f"{where}.by", by, least=1, most=len(case.layout.players)) - 1
    if player not in case.order:
        raise InvalidOption(f"{where}.by", f"{player + 1} takes no turn in a study position [S1]", str(case.me + 1))
    if number == 1 and case.state.phase == CLOSE and player == case.state.player:
        raise InvalidOption(f"{where}.ends", "this turn's tile is laid already and walls it not in", "a later turn")
    return case.turn(number, player)


def read_closings(case: TimingCase, where: str, closings: Any) -> dict[int, int]:
    """Checks in which round each rival's aqueduct is to be closed; one a player and round [R9]."""
    if not isinstance(closings, Mapping):
        raise InvalidOption(where, show(closings), "rounds by the rivals' aqueducts, such as {'Y1': 2}")
    made: dict[int, int] = {}
    used: dict[tuple[int, int], str] = {}
    for name, number in closings.items():
        a = find_open(case, where, name)
        if a in case.mine:
            others = [case.name(b) for b in list_open(case) if b not in case.mine]
            raise InvalidOption(f"{where}.{name}", "is the player's own", f"an aqueduct of a rival: {join(others)}")
        if case.state.solo:
            raise InvalidOption(f"{where}.{name}", "rivals take no turns in a study position [S1]", "none")
        made[a] = read_whole(f"{where}.{name}", number, least=1, most=case.rounds)
        other = used.setdefault((case.owner(a), made[a]), name)
        if other != name:
            raise InvalidOption(f"{where}.{name}", f"{other} is closed in round {number} too", "one closing a turn")
    return made


def check_closings(case: TimingCase, where: str, scenario: Scenario) -> None:
    """Refuses closings that the entered lengths do not allow."""
    for a, number in scenario.closings.items():
        name, course, turn = case.name(a), scenario.courses[a], case.turn(number, case.owner(a))
        if course.lengths[number - 1] < 1:
            raise InvalidOption(f"{where}.{name}", f"has length 0 in round {number}", "a length of at least 1 [R9]")
        if course.ends is not None and course.ends <= turn:
            ended = case.round_of(course.ends)
            raise InvalidOption(f"{where}.{name}", f"is closed by construction in round {ended}", "an earlier round")
        walled = [b for b in scenario.courses if case.owner(b) == case.owner(a) and scenario.courses[b].ends == turn]
        for b in walled:
            if scenario.closings.get(b, number) >= number:
                problem = f"{case.name(b)} is closed by construction in that turn"
                raise InvalidOption(f"{where}.{name}", problem, "another round, by step 6")


def read_weight(where: str, weight: Any) -> Fraction:
    """Checks how much a scenario counts."""
    fine = isinstance(weight, int | float | Fraction) and not isinstance(weight, bool) and isfinite(weight)
    if not fine or weight <= 0:
        raise InvalidOption(where, show(weight), "a number greater than 0")
    return Fraction(str(weight))


# Estimated from playouts


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
        """Lists for each open aqueduct and round what the playouts came to."""
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
    """Estimates how all aqueducts grow, by playing so many times some rounds ahead as sensible players might.

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


@cache
def _bind(*, fast: bool) -> ModuleType:
    """Gets the playouts with the game's policy, compiled or plain."""
    return bind_source(growth_source, kernel, bind_source(policy, kernel, fast=fast), fast=fast)


class _Tracer:
    """Runs playouts of a position, compiled or plain, and gives each as a plain trace."""

    def __init__(self, position: Position, *, fast: bool) -> None:
        layout, state = position.layout, position.state
        self._traces = _bind(fast=fast).traces
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
        """Plays ahead so many times."""
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
