"""Lagrangian relaxation of the choice of ways: upper bounds, and which ways they rule out.

With a price (a Lagrange multiplier) on every row of a program the rows can be left aside, and every arm chooses by
itself. That gives an upper bound for all plans, and one for the plans with a given way; a way whose bound is below the
incumbent is left out (reduced cost fixing). The bounds hold for any prices from 0 on; good ones are the duals of the
linear relaxation. All sums are whole numbers.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from aquakit.aquadukt.kernel import NONE
from aquakit.aquadukt.planner.canals.program import Program
from aquakit.aquadukt.planner.canals.ways import ArmWay, CanalGround
from aquakit.planning import cpsat

SHRINK = 0.9
"""Prices are made anew where at most this part of the ways is left."""
SCALE = 1000
"""Prices are rounded to this part of one."""


def relax(program: Program, end: float = inf) -> list[int]:
    """Gets the rows' duals in the linear relaxation as prices, or all 0; the solver's accuracy need not be trusted."""
    cpsat.load()
    from ortools.linear_solver import pywraplp  # type: ignore[import-untyped]

    lp = pywraplp.Solver.CreateSolver("GLOP")
    if end < inf:
        lp.SetTimeLimit(max(1, int(1000 * (end - time.perf_counter()))))
    variables = [lp.NumVar(0, 1, "") for _ in range(program.size)]
    for variable, worth in zip(variables, program.worth, strict=True):
        lp.Objective().SetCoefficient(variable, worth)
    lp.Objective().SetMaximization()
    made = []
    for row in [*program.rows, *program.basic_rows]:
        made.append(lp.Constraint(-lp.infinity(), row.most))
        for i, count in row.terms:
            made[-1].SetCoefficient(variables[i], count)
    if lp.Solve() != pywraplp.Solver.OPTIMAL:
        return [0] * len(program.rows)
    return [max(0, round(SCALE * constraint.dual_value())) for constraint in made[: len(program.rows)]]


@dataclass(frozen=True)
class Prices:
    """Upper bounds by the prices of rows: for all plans, and for those with a given way or spring."""

    program: Program
    prices: Sequence[int]
    _reduced: list[int] = field(init=False, repr=False)
    """The reduced cost of each variable, its worth less what its rows cost, in parts of one."""

    def __post_init__(self) -> None:
        reduced = [SCALE * worth for worth in self.program.worth]
        for row, price in zip(self.program.rows, self.prices, strict=True):
            for i, count in row.terms if price else ():
                reduced[i] -= price * count
        object.__setattr__(self, "_reduced", reduced)

    @cached_property
    def _best(self) -> list[list[int]]:
        """The best reduced costs of ways of each source by different first steps, as many as there is room for."""
        made = []
        for source, steps in zip(self.program.ground.sources, self.program.by_step, strict=True):
            tops = sorted((max(0, *(self._reduced[i] for i in ways)) for ways in steps), reverse=True)
            made.append([*tops, *[0] * source.room][: source.room])
        return made

    @cached_property
    def _by_site(self) -> dict[int, int]:
        """What each site is worth with its best ways."""
        return {s: self._reduced[v] + sum(self._best[s]) for s, v in self.program.spring.items()}

    @cached_property
    def _fixed(self) -> int:
        """The part of the bound that all plans share: limits of rows at their prices, stakes, arms on the board."""
        program = self.program
        limits = sum(row.most * price for row, price in zip(program.rows, self.prices, strict=True))
        stakes = sum(max(0, reduced) for reduced in self._reduced[program.first_stake :])
        arms = sum(sum(best) for s, best in zip(program.ground.sources, self._best, strict=True) if not s.site)
        return limits + stakes + arms

    def _sites_worth(self, count: int, without: int = NONE) -> int:
        """Gets the most that some sites are worth together."""
        worths = (worth for s, worth in self._by_site.items() if s != without)
        return sum(worth for worth in heapq.nlargest(count, worths) if worth > 0)

    @cached_property
    def bound(self) -> int:
        """An upper bound on the worth of all plans."""
        return (self._fixed + self._sites_worth(self.program.ground.springs)) // SCALE

    @cached_property
    def bounds(self) -> list[int]:
        """For each way, then each site's spring: an upper bound on the worth of the plans that have it."""
        ground, made = self.program.ground, list[int]()
        with_site = {
            s: self._fixed + worth + self._sites_worth(ground.springs - 1, without=s)
            for s, worth in self._by_site.items()
        }
        every = self._fixed + self._sites_worth(ground.springs)
        for i, way in enumerate(self.program.ways):
            weakest = self._best[way.source][-1]  # the least that must give way to this one
            made.append((with_site.get(way.source, every) - weakest + self._reduced[i]) // SCALE)
        return [*made, *(with_site[s] // SCALE for s in self.program.sites)]


def narrow(prices: Prices, worth: int, end: float = inf) -> Prices:
    """Leaves out all ways whose bound is below a worth, and prices the others anew, as long as that helps."""
    while True:
        program, bounds = prices.program, prices.bounds
        ways = [way for way, bound in zip(program.ways, bounds, strict=False) if bound >= worth]
        if not program.ways or len(ways) > SHRINK * len(program.ways) or time.perf_counter() > end:
            return prices
        fewer = Program(program.ground, ways, program.lean)
        prices = Prices(fewer, relax(fewer, end))


def narrow_by_site(prices: Prices, worth: int, end: float = inf) -> Prices:
    """Leaves out ways by pricing each site for a new spring by itself, which tells more; only if one may be placed."""
    program = prices.program
    if program.ground.springs != 1:
        return prices
    on_board = [way for way in program.ways if way.source not in program.spring]
    kept = dict.fromkeys(_ways_of_worth(program.ground, on_board, worth, end, lean=program.lean))
    for source in program.spring:
        ways = [program.ways[i] for i in program.by_source[source]]
        if ways:
            kept |= dict.fromkeys(_ways_of_worth(program.ground, on_board + ways, worth, end, lean=program.lean))
        if time.perf_counter() > end:
            return prices
    fewer = Program(program.ground, sorted(kept, key=lambda way: way.source), program.lean)
    return narrow(Prices(fewer, relax(fewer, end)), worth, end)


def _ways_of_worth(
    ground: CanalGround, ways: Sequence[ArmWay], worth: int, end: float, *, lean: bool
) -> Sequence[ArmWay]:
    """Gets the ways that a plan of a worth can have, if there are no others."""
    program = Program(ground, ways, lean)
    prices = narrow(Prices(program, relax(program, end)), worth, end)
    return [way for way, bound in zip(prices.program.ways, prices.bounds, strict=False) if bound >= worth]
