"""Solves positions: proves what the best turns are worth, to a horizon of some turns or to the end of the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from aquakit.compiled.ahead import NotCompiled, compiling
from aquakit.compiled.jit import bind, need_numba
from aquakit.core.options import read_seconds, read_whole, show
from aquakit.core.position import AnyPosition, BasePosition, BaseTurn
from aquakit.core.threads import Helper
from aquakit.engine.search import alphabeta
from aquakit.errors import InvalidPosition

BITS = 20
"""The transposition table has two to this power entries."""
PLIES = 400
"""The most actions on a way through the game tree."""
NO_LIMIT = 1 << 62
QUICK = 20_000
"""A search of fewer positions than these is over before a thread for it could begin."""
LONGEST = 10_000
"""The most turns ahead; no game lasts so long."""


@dataclass(frozen=True)
class Solution:
    """What a position is worth, and how sure that is.

    >>> from aquakit import start
    >>> found = solve(start("romana2-5x4"), turns=1)
    >>> found.value, [str(turn) for turn in found.turns], found.proved, found.horizon, found.paranoid
    (6, ['d4=+@E4 x-', 'd4=+@E4 xR2 *d', 'd4=+@E4 xR2 *j'], True, 1, False)
    """

    value: float | None
    """The lead of the player to move with best play of all; none if the search stopped before it knew anything."""
    turns: tuple[BaseTurn[Any], ...]
    """All turns that reach it; where dice come in, up to the first roll."""
    proved: bool
    """Whether the search was complete, to the horizon asked for or to the end of the game."""
    horizon: int | None
    """After so many turns open aqueducts and the like were scored as at the end; none if every line was played out."""
    positions: int
    """Positions looked at."""
    seconds: float
    paranoid: bool = field(default=False)
    """Whether there are more than two players: then the value is what the player can be sure of against all others."""

    def json(self) -> dict[str, Any]:
        """Gets the solution as plain data.

        >>> from aquakit import start
        >>> solve(start("romana2-5x4"), turns=1).json()["turns"][0]
        'd4=+@E4 x-'
        """
        told = {name: value for name, value in vars(self).items() if name not in ("turns", "seconds")}
        return told | {"turns": [str(turn) for turn in self.turns], "seconds": round(self.seconds, 3)}


class Stopped(Exception):
    """The search was stopped before it knew the value."""


class Solver:
    """The exact search with its memory, for the positions of one layout."""

    def __init__(self, position: AnyPosition, stop: threading.Event | None = None) -> None:
        """Prepares tables for a position's layout; whoever sets `stop` ends every search, as `stop()` does."""
        kernel, layout = position.kernel, position.layout
        need_numba("the exact search, which proves best turns")
        self._search = bind(alphabeta, kernel, fast=True).search
        import numpy as np

        self._tables = kernel.Tables.records(layout.capacity, 1)
        layout.tables.store(self._tables)
        self._states = kernel.State.records(layout.capacity, PLIES + 2)
        self._works = kernel.Work.records(layout.capacity, PLIES + 2)
        self._words = self._states.view(np.uint64).reshape(len(self._states), -1)
        self._plies = alphabeta.SearchPly.records({}, PLIES + 2)
        self._entries = alphabeta.TableEntry.records({}, 1 << BITS)
        self._limits = alphabeta.Limits.records({}, 1)
        self._limits["players"] = layout.tables.players
        self._plies["killer"] = -1
        self._end: float | None = None
        self._stop = stop or threading.Event()
        try:
            with compiling(f"the solver for {kernel.__name__}", stop=self._stop):
                self._limits["budget"] = 0
                position.state.store(self._states)
                self._call(0.0, 0.0)
        except NotCompiled:
            if not self._stop.is_set():  # a solver that was stopped says so when it is asked
                raise
        self._limits["seen"] = 0

    @property
    def positions(self) -> int:
        """Positions looked at so far."""
        return int(self._limits["seen"][0])

    @property
    def reached_horizon(self) -> bool:
        """Whether some line of the present search was cut at its horizon."""
        return int(self._limits["halted"][0]) > 0

    def begin(self, me: int, turns: int, seconds: float | None) -> None:
        """Begins a search for a player to a horizon; the time goes on over several searches if none is given."""
        self._limits["me"], self._limits["turns"] = me - 1, turns
        self._limits["salt"] = (turns * 8 + me) * 0x9E3779B97F4A7C15 % 2**64
        self._limits["halted"] = 0
        if seconds is not None:
            self._end = time.perf_counter() + seconds

    def stop(self) -> None:
        """Stops a search that runs, from any thread."""
        self._stop.set()
        self._limits["budget"] = -1

    def value(
        self, position: AnyPosition, last: int, alpha: float = -alphabeta.FAR, beta: float = alphabeta.FAR
    ) -> float:
        """Gets a position's value, exact within the window; `last` is whose turn ended last."""
        self._limits["last"] = last - 1
        if self._stop.is_set() or (self._end is not None and time.perf_counter() > self._end):
            raise Stopped
        found = self._try(position, alpha, beta, QUICK)
        if found is None:
            found = self._watch(position, alpha, beta)
        if found is None:
            raise Stopped
        return found

    def _try(self, position: AnyPosition, alpha: float, beta: float, budget: int) -> float | None:
        """Searches a number of positions; none if that was not enough."""
        position.state.store(self._states)
        self._limits["budget"] = budget
        found = self._call(alpha, beta)
        return None if int(self._limits["budget"][0]) < 0 else found

    def _watch(self, position: AnyPosition, alpha: float, beta: float) -> float | None:
        """Searches in a thread, so that time and interrupts can end it."""
        found: list[float | None] = []
        helper = Helper("solver", lambda: found.append(self._try(position, alpha, beta, NO_LIMIT)))
        helper.start()
        try:
            self._wait_for(helper)
        except BaseException:  # a kernel's interrupt
            self._stop.set()
            self._wait_for(helper)
            raise
        return found[0]

    def _wait_for(self, helper: Helper) -> None:
        """Waits for a search and ends it when its time is up; says so again and again, since it counts meanwhile."""
        while helper.is_alive():
            left = 0.05 if self._end is None else self._end - time.perf_counter()
            if self._stop.is_set() or left <= 0:
                self._limits["budget"] = -1
            helper.join(max(0.001, min(0.05, left)))

    def _call(self, alpha: float, beta: float) -> float:
        return float(
            self._search(
                self._tables,
                self._states,
                self._works,
                self._plies,
                self._entries,
                self._words,
                self._limits,
                alpha,
                beta,
            )
        )

    def best_turns(self, position: AnyPosition, me: int, value: float) -> Iterator[BaseTurn[Any]]:
        """Finds the turns in which every decision, of whoever decides, is best for the one who decides."""
        waiting: list[tuple[AnyPosition, tuple[Any, ...]]] = [(position, ())]
        while waiting:
            moment, actions = waiting.pop()
            for action in moment.actions():
                after = moment.act(action)
                if not self._keeps(after, moment, me, value):
                    continue
                if after.played and not after.is_chance:
                    waiting.append((after, (*actions, action)))
                else:
                    yield moment.turn_type((*actions, action))

    def _keeps(self, after: AnyPosition, before: AnyPosition, me: int, value: float) -> bool:
        """Checks whether an action keeps the value, by a window just wide enough to tell."""
        assert before.mover is not None
        small = 1e-9
        if before.player == me:
            return self.value(after, before.mover, value - 1, value) >= value - small
        return self.value(after, before.mover, value, value + 1) <= value + small


def solve(
    position: AnyPosition,
    *,
    turns: int | None = None,
    seconds: float | None = None,
    on_horizon: Callable[[Solution], None] | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Proves what the best turns are worth.

    With `turns` so many turns are taken from here by whoever is to move; then open aqueducts are scored as at the end,
    beginning with the player whose turn ended last, with bonuses. Without, the game is played to its end, turn by turn
    further; stopped early, the solution tells how far it got. Margins are those of the player to move. A `solver` given
    can be stopped from another thread.

    >>> from aquakit import start
    >>> found = solve(start("romana2-5x4"), turns=2)
    >>> found.value, len(found.turns), found.proved
    (2, 2, True)
    """
    if not isinstance(position, BasePosition) or position.is_over or position.is_chance or position.mover is None:
        raise InvalidPosition("position", show(position), "a position in which a player decides")
    if turns is not None:
        read_whole("turns", turns, least=1, most=LONGEST)
    read_seconds(seconds)
    solver, begun = solver or Solver(position), time.perf_counter()
    me, known = position.player or 1, Solution(None, (), False, 0, 0, 0.0, position.layout.tables.players > 2)
    ended = position.state.ended
    limit = seconds
    for horizon in [turns] if turns is not None else range(1, LONGEST):
        solver.begin(me, ended + horizon, limit)
        limit = None
        try:
            value = solver.value(position, position.mover)
            best = tuple(solver.best_turns(position, me, value))
        except Stopped:
            return _with(known, solver, begun)
        whole = not solver.reached_horizon
        proved = whole or turns is not None
        paranoid = known.paranoid
        known = Solution(_tidy(value), best, proved, None if whole else horizon, 0, 0.0, paranoid)
        known = _with(known, solver, begun)
        if on_horizon is not None:
            on_horizon(known)
        if proved:
            break
    return known


def _with(known: Solution, solver: Solver, begun: float) -> Solution:
    return Solution(
        known.value,
        known.turns,
        known.proved,
        known.horizon,
        solver.positions,
        time.perf_counter() - begun,
        known.paranoid,
    )


def _tidy(value: float) -> float:
    """Gets a whole number where chance played no part."""
    return int(value) if value == int(value) else value
