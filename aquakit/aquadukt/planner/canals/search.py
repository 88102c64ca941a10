"""Finds the best layouts of canals: lists the ways of all arms, prices them, and lets CP-SAT choose."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import NamedTuple

from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.planner.canals.choice import CanalChoice, Chooser, appraise, choose_greedily
from aquakit.aquadukt.planner.canals.prices import Prices, narrow, narrow_by_site, relax
from aquakit.aquadukt.planner.canals.program import Program
from aquakit.aquadukt.planner.canals.replay import CanalBoard
from aquakit.aquadukt.planner.canals.result import CanalLayout, CanalPlan, CanalStep
from aquakit.aquadukt.planner.canals.ways import CanalGround, list_ways
from aquakit.aquadukt.position import Position
from aquakit.core.words import count
from aquakit.errors import ProofFailure, contradiction
from aquakit.planning import cpsat
from aquakit.planning.listing import Listing

SLICES = (200, 1500)
"""Sizes of the first subproblems, of the ways with the highest bounds: their plans rule out most other ways."""
MANY_WAYS = 300
"""With more ways than this each site for a spring is priced by itself too."""


class _Incumbent(NamedTuple):
    """The best choice so far, with an upper bound."""

    choice: CanalChoice
    worth: int
    bound: int
    """No choice is worth more."""

    def lowered(self, bound: int) -> _Incumbent:
        """Gets the incumbent with the lower of two bounds; ways that bring nothing were left out of both."""
        return self._replace(bound=min(self.bound, max(0, bound)))


class CanalSearch:
    """Finds the best layouts from a position."""

    def __init__(self, position: Position, canals: int, springs: int, player: int, *, against: bool) -> None:
        self.position, self.player, self.against = position, player, against
        self.ground = CanalGround.of(position.layout, position.state, canals, springs, player - 1, against=against)
        self.now = self._board().points()
        self._longest = 0
        self._prices: Prices
        self._found: _Incumbent

    def _board(self) -> CanalBoard:
        return CanalBoard(self.position, self.player, against=self.against)

    def replay(self, layout: CanalLayout) -> tuple[tuple[CanalStep, ...], Position]:
        """Lays a layout by the kernel's rules; gets what each step does and the board after it."""
        board = self._board()
        steps = tuple(board.put(action) for action in layout.actions)
        return steps, board.finish()

    def _contradict(self, claim: str, other: str) -> ProofFailure:
        ground, asked = self.ground, "alone" if not self.against else "against all others"
        return contradiction(
            f"{self.position}, {count(ground.canals, 'canal')} and {count(ground.springs, 'spring')} for player "
            f"{self.player} {asked}",
            claim,
            other,
        )

    # One

    def best(
        self,
        seconds: float | None,
        on_progress: Callable[[cpsat.SolverProgress], None] | None,
        stop: threading.Event | None,
    ) -> CanalPlan:
        """Finds the best plan, or the best in the time given."""
        begun = time.perf_counter()
        end = inf if seconds is None else begun + seconds
        ways, self._longest = list_ways(self.ground, lean=True, end=end)
        program = Program(self.ground, ways, lean=True)
        missing = self._most_beyond(self._longest)
        most = sum(stake.points for stake in self.ground.stakes if stake.points > 0)
        for prices, found in _improve(Prices(program, relax(program, end)), end, stop or threading.Event()):
            if found.worth > found.bound:
                claim = f"a choice of ways is worth {found.worth} by the integer program"
                raise self._contradict(claim, f"the bound proves that none is worth more than {found.bound}")
            self._prices, self._found = prices, found
            value = self.now + program.points(found.worth)
            bound = self.now + min(program.points(found.bound) + missing, most)
            if on_progress is not None:
                on_progress(cpsat.SolverProgress(value, bound, time.perf_counter() - begun))
        layout = self._write(found.choice)
        steps, after = self.replay(layout)
        if value != (steps[-1].value if steps else self.now):
            claim = f"cpsat counts {value} for {', '.join((*layout.springs, *layout.canals)) or 'no canal'}"
            raise self._contradict(claim, f"the rules count {steps[-1].value if steps else self.now}")
        if value > bound:
            raise self._contradict(
                f"a layout is worth {value}", f"the bound proves that none is worth more than {bound}"
            )
        proved = found.worth == found.bound and (self._longest == self.ground.canals or value == bound)
        return CanalPlan(
            position=self.position, player=self.player, against=self.against, value=value, gain=value - self.now,
            bound=value if proved else bound, proved=proved, layout=layout, steps=steps, watered=self._owners(steps),
            after=after, seconds=time.perf_counter() - begun, _search=self,
        )  # fmt: skip

    def _most_beyond(self, longest: int) -> int:
        """Gets an upper bound on what canals add beyond the ways listed: each at most what one can water."""
        ground, wanted = self.ground, dict[int, int]()
        for stake in ground.stakes:
            wanted[stake.square] = wanted.get(stake.square, 0) + max(0, stake.points)
        segments = ground.layout.segment_index.values()
        most = max(sum(wanted[q] for q in ground.fed(e, deep=True)) for e in segments)
        return (ground.canals - longest) * most

    def _owners(self, steps: Iterable[CanalStep]) -> dict[int, tuple[str, ...]]:
        squares = [square for step in steps for square in step.watered]
        tiles, players = self.position.tiles, range(1, self.position.layout.players + 1)
        return {p: tuple(square for square in squares if tiles[square][0] == LETTERS[p - 1]) for p in players}

    def _write(self, choice: CanalChoice) -> CanalLayout:
        """Writes a choice as tokens: arm by arm, first outwards, then second canals from the spring on."""
        layout, sources = self.position.layout, self.ground.sources
        springs = tuple(f"spring {layout.point_names[sources[site].point]}" for site in choice.sites)
        segments = [e for way in choice.ways for e in (*way.segments, *way.doubled)]
        return CanalLayout(springs, tuple(f"canal {layout.segment_names[e]}" for e in segments))

    # All

    def list_best(self, plan: CanalPlan, limit: int, *, spare: bool, seconds: float | None) -> Listing:
        """Lists the layouts as good as a plan, with as few pieces or with spare ones too."""
        end = inf if seconds is None else time.perf_counter() + seconds
        prices, worth, longest = self._prices, self._found.worth, self._longest
        if spare:
            ways, longest = list_ways(self.ground, lean=False, end=end)
            program, worth = Program(self.ground, ways, lean=False), plan.gain
            prices = narrow(Prices(program, relax(program, end)), worth, end)
        chooser = Chooser.build(prices.program, [i for i, bound in enumerate(prices.bounds) if bound >= worth])
        chooser.model.add(chooser.worth == worth)
        left = None if seconds is None else max(0.0, end - time.perf_counter())
        found, complete = cpsat.all_solutions(chooser.model, chooser.read, limit, left)
        layouts = tuple(self._write(choice) for choice in found)
        kept = tuple(layout for layout in layouts if self._value(layout) == plan.value)
        if plan.proved and len(kept) < len(layouts):
            raise self._contradict(f"cpsat counts {plan.value} for each layout listed", "the rules count less for some")
        return Listing.of(kept, complete=plan.proved and complete and longest == self.ground.canals)

    def _value(self, layout: CanalLayout) -> int:
        steps, _ = self.replay(layout)
        return steps[-1].value if steps else self.now


def _improve(prices: Prices, end: float, stop: threading.Event) -> Iterator[tuple[Prices, _Incumbent]]:
    """Improves incumbent and bound, until no way left out can be part of a choice as good as the incumbent."""
    choice = choose_greedily(prices.program)
    worth = appraise(prices.program, choice)
    found = _Incumbent(choice, worth, prices.bound)
    prices = narrow(prices, max(1, worth), end)
    yield prices, found
    for size in (*SLICES, prices.program.size):
        program = prices.program
        ranked = sorted(range(program.first_stake), key=lambda i: -prices.bounds[i])
        left = [i for i in ranked if prices.bounds[i] >= max(1, found.worth)]
        if found.worth == found.bound or time.perf_counter() > end or stop.is_set():
            return
        found = _solve_part(program, left[:size], found, end, stop, whole=len(left) <= size)
        prices = narrow(prices, max(1, found.worth), end)
        if len(prices.program.ways) > MANY_WAYS and found.worth < found.bound:
            prices = narrow_by_site(prices, max(1, found.worth), end)
        found = found.lowered(prices.bound)
        yield prices, found


def _solve_part(
    program: Program, tried: list[int], found: _Incumbent, end: float, stop: threading.Event, *, whole: bool
) -> _Incumbent:
    """Finds the best choice of some ways and springs; if these are all that could be as good, its bound is for all."""
    sources = {program.ways[i].source for i in tried if i < len(program.ways)}
    springs = {program.spring[source] for source in sources if source in program.spring}
    chooser = Chooser.build(program, sorted(springs.union(tried)))
    chooser.model.maximize(chooser.worth)
    left = None if end == inf else end - time.perf_counter()
    outcome = cpsat.Run(stop=stop, keep=True).solve(chooser.model, left)
    if outcome.found and outcome.value is not None and outcome.value > found.worth:
        found = _Incumbent(chooser.read(outcome.solver.value), outcome.value, found.bound)
    if whole and outcome.bound is not None:
        found = found.lowered(outcome.bound)
    return found
