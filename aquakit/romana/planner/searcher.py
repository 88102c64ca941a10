"""Runs the planner's exact search: from a study position to the best plan, stoppable, with what it proved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from aquakit.jit import bind_fast, compiling
from aquakit.romana import kernel, policy
from aquakit.romana.kernel import NONE, OVER
from aquakit.romana.notation import encode
from aquakit.romana.planner import search
from aquakit.romana.planner.task import Task
from aquakit.romana.position import Position

BITS = 22
"""States met before are kept in a table of two to this power."""
PAUSE = 0.02
"""Seconds between two looks at the clock, at interrupts and at what is known by other means."""
SOME = 2_000
"""States of the first stretch; the next ones follow from the time it takes."""
MOST = 200_000
"""States of the longest stretch."""
PLENTY = 1 << 30
WIDTH = 24
"""States of a turn from which a first plan is looked for."""


Watch = Callable[[tuple[int, ...] | None, int | None, int], int | None]
"""Hears of the best plan's actions and points and of the states looked at; may answer with points to be beaten."""


@cache
def bind_planner() -> ModuleType:
    """Gets the compiled search."""
    return bind_fast(search, kernel, bind_fast(policy, kernel))


@dataclass(frozen=True)
class Result:
    """What a search came to."""

    points: int | None
    """The points of the plan found here; none if there was none better than what was asked for."""
    actions: tuple[int, ...]
    """Its actions as the kernel numbers them; the end of the last turn may be missing, where it makes no difference."""
    proved: bool
    """Whether the search was complete: no plan is better than this one and than the one asked to be beaten."""
    states: int
    """States looked at."""
    seconds: float


class Stop(Exception):
    """The search is to end early."""


class Searcher:
    """The exact search with its memory, for the plans of one task."""

    def __init__(self, task: Task) -> None:
        """Prepares tables for a task."""
        import numpy as np

        self.task = task
        layout = task.position.layout
        sizes = layout.capacity
        queue = 2 * int(sizes["squares"])
        more = {**sizes, "queue": queue, "walks": search.WALKS * int(sizes["ports"])}
        self._run = bind_planner()
        self._tables = kernel.Tables.records(sizes, 1)
        layout.tables.store(self._tables)
        self._states = kernel.State.records(sizes, search.PLIES + 2)
        self._works = kernel.Work.records(sizes, search.PLIES + 2)
        self._grounds = search.Ground.records(more, 1)
        self._quests = search.Quest.records(more, 1)
        self._boards = kernel.State.records(sizes, search.DEEPEST + 2)
        self._fans = search.Fan.records({}, search.DEEPEST + 2)
        self._hopes = np.zeros(1 << BITS, np.int64)
        self._notes = search.Known.records({}, 1 << (BITS - 2))
        self._pool = kernel.State.records(sizes, 2 * WIDTH)
        self._shoots = search.Shoot.records({}, 2 * WIDTH)
        self._met = np.zeros(1 << BITS, np.int64)
        self._share = SOME
        self._asked: int | None = None
        with compiling("the planner's search"):
            self._prepare(task.position, task.turns, NONE, PLENTY, None)
            self._go_on(0)
            # Points that no plan can exceed.
            self.limit = int(self._run.root_limit(self._tables, self._states, self._grounds, self._quests))
            self._pool["phase"] = OVER
            self._sprout(0, WIDTH)

    def _prepare(self, position: Position, turns: int, beat: int, enough: int, first: int | None) -> None:
        task, state, quest = self.task, position.state, self._quests
        state.store(self._states)
        quest["me"], quest["begun"], quest["until"] = state.player, state.ended, state.ended + turns
        quest["closed_only"], quest["voluntary"] = task.closed_only, task.voluntary
        quest["best"], quest["found"], quest["enough"] = beat, NONE, enough
        quest["first"] = NONE if first is None else first
        for counter in ("steps", "ply", "done", "seen", "pruned", "met", "asked", "boards"):
            quest[counter] = 0
        bars, quest["shut"] = [], 0
        for word in task.forbid:
            square = position.layout.square_index.get(word)
            if square is not None:
                quest["shut"][0][square] = 1
            bars.append(NONE if square is not None else read_code(position, word))
        quest["bars"] = len(bars)
        quest["bar"][0][: len(bars)] = bars

    def _go_on(self, states: int) -> None:
        self._quests["budget"] = states
        hope = self._boards, self._fans, self._hopes, self._notes
        self._run.search(self._tables, self._states, self._works, self._grounds, hope, self._met, self._quests)

    def _start_well(self, until: float | None, watch: Watch | None) -> None:
        """Finds a good plan quickly, so that most others can be left at once, by a beam of each turn's best states."""
        first, quest = self._states[0].copy(), self._quests
        self._pool[0], self._shoots["promise"] = first, NONE
        self._shoots["promise"][0], self._shoots["steps"][0] = 0, 0
        old, new = 0, WIDTH
        for _ in range(int(quest["until"][0]) - int(quest["begun"][0])):
            self._shoots["promise"][new : new + WIDTH] = NONE
            for parent in range(old, old + WIDTH):
                if self._shoots["promise"][parent] >= 0 and self._pool["phase"][parent] != OVER:
                    self._sprout(parent, new)
                    if _is_late(until):
                        break
                    if watch is not None:
                        watch(self._line(), self._found(), int(quest["seen"][0]))
            old, new = new, old
        self._states[0] = first

    def _sprout(self, parent: int, new: int) -> None:
        tables = self._tables, self._states, self._works, self._grounds, self._quests, self._pool, self._shoots
        self._run.sprout(*tables, parent, new)

    def run(
        self,
        position: Position,
        turns: int,
        *,
        beat: int = NONE,
        enough: int = PLENTY,
        first: int | None = None,
        until: float | None = None,
        watch: Watch | None = None,
        again: bool = False,
    ) -> Result:
        """Looks for a plan worth more than `beat`, until the clock stands at `until`; one worth `enough` ends it.

        `watch` is told now and then the points of the best plan and the states looked at. It may answer with points
        that are known to be reached otherwise, which then must be beaten, and stop the search by raising `Stop`. With
        `again` states that an earlier run was done with count as met: right as long as no less is asked now.
        """
        begun = time.perf_counter()
        self._prepare(position, turns, beat, enough, first)
        if not again:
            self._asked = None
            self._met[:] = 0
            self._hopes[:] = 0
            self._notes[:] = 0
        quest = self._quests
        try:
            if not again:
                self._start_well(until, watch)
            while not quest["done"][0] and not _is_late(until):
                self._stretch()
                known = None if watch is None else watch(self._line(), self._found(), int(quest["seen"][0]))
                if known is not None and known > quest["best"][0]:
                    quest["best"] = known
        except Stop:
            pass
        return Result(
            self._found(),
            self._line() or (),
            bool(quest["done"][0]),
            int(quest["seen"][0]),
            time.perf_counter() - begun,
        )

    def reaches(self, position: Position, turns: int, points: int, until: float | None = None) -> bool | None:
        """Checks whether so many points can be had in so many turns from here; none if time was too short to tell.

        What was asked before is remembered, so the points must be the same from one call to the next.
        """
        if position.is_over or turns == 0:
            return self.task.worth(position) >= points
        if self._asked != points:
            self._met[:], self._hopes[:], self._notes[:], self._asked = 0, 0, 0, points
        result = self.run(position, turns, beat=points - 1, enough=points, until=until, again=True)
        return result.points is not None or (False if result.proved else None)

    def _stretch(self) -> None:
        """Goes on for a short while; how many states that are follows from how long the last ones took."""
        before = time.perf_counter()
        self._go_on(self._share)
        took = time.perf_counter() - before
        self._share = int(min(max(self._share * PAUSE / max(took, 1e-5), SOME), 2 * self._share, MOST))

    def _line(self) -> tuple[int, ...] | None:
        if self._found() is None:
            return None
        return tuple(int(code) for code in self._quests["line"][0][: int(self._quests["steps"][0])])

    def _found(self) -> int | None:
        found = int(self._quests["found"][0])
        return None if found < 0 else found


def _is_late(until: float | None) -> bool:
    return until is not None and time.perf_counter() >= until


def read_code(position: Position, token: str) -> int:
    """Gets the kernel's number of an action."""
    return encode(position.layout, position.turn_type.read_action(token))
