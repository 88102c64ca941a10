"""Runs the planner's exact search: from a study position to the best plan, stoppable, with what it proved."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import load, need_numba
from aquakit.core.threads import Helper
from aquakit.romana import kernel
from aquakit.romana.kernel import CLOSE, MOVE, NONE, OVER, PICK, PLACE
from aquakit.romana.notation import encode
from aquakit.romana.planner.exact import beam, deferred_builders, deferred_tiles, search, subtrees
from aquakit.romana.planner.exact.bound import reachable
from aquakit.romana.planner.exact.quest import PLIES, Quest
from aquakit.romana.planner.exact.restore_deferred import restore_deferred
from aquakit.romana.planner.plan_question import PlanQuestion
from aquakit.romana.position import Position

COMPILED = "the planner's search"
"""What is compiled, in words."""
BITS = 22
"""States met before are kept in a table of two to this power."""
NOTE_BITS = 23
"""What the bound says of boards is kept in a table of two to this power."""
PAUSE = 0.02
"""Seconds between two looks at the clock, at interrupts and at what is known by other means."""
SOME = 2_000
"""States of the first stretch; the next ones follow from the time it takes."""
LONGEST_STRETCH = 200_000
"""States of the longest stretch."""
PLENTY = 1 << 30
NARROWEST, NARROW = 4, 24
WIDER = (80, 320, 1280)
"""States of a turn from which a first plan is looked for: at first, and in turn when the search goes on for long."""
TRIAL = 0.5
"""Seconds of search after which a better first plan is looked for."""
WIDE_SECONDS = 3.0
"""How long that may take, about."""
LANES = 2
"""Threads that share out the first actions of a plan."""
SHARED = 3
"""The fewest turns for which that is worth while."""
SHARES, SHARED_ACTIONS = 100, 6
"""Subtrees, about, that are shared out among the lanes, and the most actions that lead to the root of one."""


Watch = Callable[[tuple[int, ...] | None, int | None, int], int | None]
"""Hears of the best plan's actions and points and of the states looked at; may answer with points to be beaten."""


@dataclass(frozen=True)
class SearchResult:
    """What a search came to."""

    points: int | None
    """The points of the plan found here; none if there was none better than what was asked for."""
    actions: tuple[int, ...]
    """Its actions as the kernel numbers them; the end of the last turn may be missing, where it makes no difference."""
    proved: bool
    """Whether the search was complete: no plan is better than this one and than the one asked to be beaten."""
    bound: int | None
    """No plan is worth more, by this search alone; none if it is not complete, or ended with what is enough."""
    states: int
    """States looked at."""
    seconds: float


class Stop(Exception):
    """The search is to end early."""


class Subtree(NamedTuple):
    """A state from which the search can go on by itself."""

    state: Any
    line: tuple[int, ...]
    """The actions that lead to it."""
    deferred: int = 0
    """Extra tiles that are put off there."""
    open_places: tuple[int, ...] = (0,) * 5
    """Builders' places that are left open there."""


class Lane:
    """The records that one thread of the search works on; what is known of boards and states is common to all."""

    def __init__(self, tables: Any, sizes: dict[str, Any], table: Any, bounds: Any) -> None:
        """Makes room."""
        need_numba("the planner's search")
        self.run = load(search, fast=True)
        self.tables, self.table = tables, table
        self.states = kernel.State.records(sizes, PLIES + 2)
        self.works = kernel.Work.records({**sizes, "moves": sizes["moves"] + deferred_tiles.MORE}, PLIES + 2)
        self.grounds = reachable.SearchGround.records(sizes, 1)
        self.quests = Quest.records(sizes, 1)
        self.bounds = bounds
        self.prefix: tuple[int, ...] = ()
        """Actions before the first state."""
        self._share = SOME

    def begin(self, branch: Subtree) -> None:
        """Sets the search at a state."""
        self.states[0], self.prefix = branch.state, branch.line
        self.quests["ply"], self.quests["done"], self.quests["found"] = 0, 0, NONE
        self.quests["noted"], self.quests["deferred"][0][0] = branch.deferred, branch.deferred
        self.quests["known"][0][:], self.quests["open_places"][0][:5] = branch.open_places, branch.open_places

    def advance(self, states: int) -> None:
        """Looks at a number of states."""
        self.quests["budget"] = states
        self.run.search(self.tables, self.states, self.works, self.grounds, self.bounds, self.table, self.quests)

    def stretch(self) -> None:
        """Goes on for a short while; how many states that are follows from how long the last ones took."""
        before = time.perf_counter()
        self.advance(self._share)
        took = time.perf_counter() - before
        self._share = int(min(max(self._share * PAUSE / max(took, 1e-5), SOME), 2 * self._share, LONGEST_STRETCH))

    @property
    def is_done(self) -> bool:
        """Whether all was tried from the first state on."""
        return bool(self.quests["done"][0])

    @property
    def seen(self) -> int:
        """States looked at."""
        return int(self.quests["seen"][0])

    @property
    def found(self) -> int | None:
        """Points of the best plan found from the first state on, if there was one."""
        found = int(self.quests["found"][0])
        return None if found < 0 else found

    @property
    def line(self) -> tuple[int, ...]:
        """Actions of that plan, extra tiles as the search lays them."""
        return (*self.prefix, *(int(code) for code in self.quests["line"][0][: int(self.quests["steps"][0])]))


class Incumbent:
    """The best plan that any lane has found; to be beaten by all."""

    def __init__(self, position: Position, beat: int) -> None:
        """Starts with points that are to be beaten."""
        self.position, self.beat = position, beat
        self.found: int | None = None
        self.line: tuple[int, ...] | None = None
        self.settled = beat
        """What nothing beats in all that was left or is done; points heard of only after that prove nothing."""
        self.lock = threading.Lock()

    def settle(self, lane: Lane) -> None:
        """Notes what a lane left states for: nothing that it has left beats that."""
        self.settled = max(self.settled, int(lane.quests["incumbent"][0]))

    def exchange(self, lane: Lane, known: int | None = None) -> None:
        """Takes in what a lane has found, and what is known otherwise, and tells the lane what is to be beaten."""
        with self.lock:
            found = lane.found
            if lane.is_done:
                self.settle(lane)
            if found is not None and found > (self.found if self.found is not None else NONE):
                self.found, self.line = found, restore_deferred(self.position, lane.line)
            self.beat = max(self.beat, NONE if found is None else found, NONE if known is None else known)
            lane.quests["incumbent"] = max(int(lane.quests["incumbent"][0]), self.beat)


class Searcher:
    """The exact search with its memory, for the plans of one task."""

    def __init__(self, task: PlanQuestion, **compiled: Any) -> None:
        """Prepares tables for a task, and has the search compiled if it never was, as `compiling` is told."""
        import numpy as np

        self.task = task
        layout = task.position.layout
        sizes = layout.capacity
        ports = int(sizes["ports"])
        walks = (reachable.STEPS + 1) * (ports + 1)
        room = {**sizes, "walks": walks}
        self._tables = kernel.Tables.records(sizes, 1)
        layout.tables.store(self._tables)
        self._table = np.zeros(1 << BITS, np.int64)
        self._notes = np.zeros(1 << NOTE_BITS, np.int64)
        self._lanes = [Lane(self._tables, room, self._table, self._notes) for _ in range(LANES)]
        self._asked: int | None = None
        lane = self._lanes[0]
        self._branches = kernel.State.records(sizes, len(lane.works["actions"][0]))
        self._twigs = subtrees.Twig.records({}, len(self._branches))
        self._pool = kernel.State.records(sizes, 2 * WIDER[-1])
        self._shoots = beam.Shoot.records({}, 2 * WIDER[-1])
        entries = lane.run.search, lane.run.root_bound, load(subtrees, fast=True).branch, load(beam, fast=True).sprout
        with compiling(COMPILED, *entries, **compiled):
            self._prepare(lane, task.position, task.turns, NONE, PLENTY, None)
            lane.advance(0)
            # Points that no plan can exceed.
            self.upper_bound = int(lane.run.root_bound(self._tables, lane.states, lane.grounds, lane.quests))
            lane.quests["until"] = lane.quests["begun"]
            self._branch(lane)
            self._pool["phase"] = OVER
            self._sprout(lane, 0, NARROW, NARROW)

    def _prepare(self, lane: Lane, position: Position, turns: int, beat: int, enough: int, first: int | None) -> None:
        task, state, quest = self.task, position.state, lane.quests
        state.store(lane.states)
        quest["me"], quest["begun"], quest["until"] = state.player, state.ended, state.ended + turns
        quest["closed_only"], quest["voluntary"] = task.closed_only, task.voluntary
        quest["incumbent"], quest["found"], quest["enough"] = beat, NONE, enough
        quest["first"] = NONE if first is None else first
        for counter in ("steps", "ply", "done", "pruned", "transpositions"):
            quest[counter] = 0
        quest["defers_tiles"], quest["noted"], quest["deferred"][0][0] = not task.forbid, 0, 0
        quest["defers_builders"] = not task.forbid and may_defer_builders(position, turns)
        quest["known"], quest["open_places"][0][:5] = 0, 0
        bars, quest["shut"] = [], 0
        for word in task.forbid:
            square = position.layout.square_index.get(word)
            if square is not None:
                quest["shut"][0][square] = 1
            bars.append(NONE if square is not None else read_code(position, word))
        quest["bars"] = len(bars)
        quest["bar"][0][: len(bars)] = bars
        lane.prefix = ()
        for other in self._lanes:
            other.quests["seen"] = 0

    def _forget(self) -> None:
        self._table[:], self._notes[:], self._asked = 0, 0, None

    # A first plan

    def _start_well(self, lane: Lane, best: Incumbent, width: int, until: float | None, watch: Watch | None) -> None:
        """Finds a good plan quickly, so that most others can be left at once, by a beam of each turn's best states."""
        first, quest = lane.states[0].copy(), lane.quests
        self._pool[0], self._shoots["promise"] = first, NONE
        self._shoots["promise"][0], self._shoots["deferred"][0], self._shoots["steps"][0] = 0, 0, 0
        self._shoots["open_places"][0] = 0
        old, new = 0, width
        for _ in range(int(quest["until"][0]) - int(quest["begun"][0])):
            self._shoots["promise"][new : new + width] = NONE
            for parent in range(old, old + width):
                if self._shoots["promise"][parent] >= 0 and self._pool["phase"][parent] != OVER:
                    self._sprout(lane, parent, new, width)
                    best.exchange(lane)  # before anything ends it, for what was found prunes what follows
                    if _is_late(until):
                        break
                    if watch is not None:
                        watch(best.line, best.found, lane.seen)
            old, new = new, old
        lane.states[0] = first
        quest["deferred"][0][0], quest["open_places"][0][:5] = 0, 0

    def _sprout(self, lane: Lane, parent: int, new: int, width: int) -> None:
        records = lane.tables, lane.states, lane.works, lane.grounds, lane.bounds, lane.quests
        load(beam, fast=True).sprout(*records, self._pool, self._shoots, parent, new, width)

    # All plans

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
    ) -> SearchResult:
        """Looks for a plan worth more than `beat`, until the clock stands at `until`; one worth `enough` ends it.

        `watch` is told now and then the points of the best plan and the states looked at. It may answer with points
        that are known to be reached otherwise, which then must be beaten, and stop the search by raising `Stop`. With
        `again` states that an earlier run was done with count as met: right as long as no less is asked now.
        """
        begun = time.perf_counter()
        lane = self._lanes[0]
        self._prepare(lane, position, turns, beat, enough, first)
        best = Incumbent(position, beat)
        done = False
        try:
            if again:
                done = self._search_alone(lane, best, until, watch)
            else:
                self._forget()
                done = self._search_from(lane, best, until, watch)
        except Stop:
            pass
        states = sum(each.seen for each in self._lanes)
        bound = best.settled if done and best.settled < enough else None
        return SearchResult(best.found, best.line or (), done, bound, states, time.perf_counter() - begun)

    def _search_from(self, lane: Lane, best: Incumbent, until: float | None, watch: Watch | None) -> bool:
        """Looks for a first plan and then for better ones; says whether all was tried."""
        root, quest = Subtree(lane.states[0].copy(), ()), lane.quests
        turns = int(quest["until"][0] - quest["begun"][0])
        self._start_well(lane, best, NARROWEST, until, None)  # soon done, so that there is a plan whoever stops it
        before = time.perf_counter()
        self._start_well(lane, best, NARROW, until, watch)
        took = time.perf_counter() - before
        if turns < SHARED or root.state["phase"] not in (PLACE, MOVE):
            return self._search_alone(lane, best, until, watch)
        trial = time.perf_counter() + TRIAL
        if self._search_together(lane, best, trial if until is None else min(trial, until), watch):
            return True
        # Much is left to be tried, and the better the plan that is to be beaten, the less it is.
        for narrower, width in pairwise((NARROW, *WIDER)):
            took *= width / narrower
            if _is_late(until) or took > WIDE_SECONDS:
                break
            lane.begin(root)
            before = time.perf_counter()
            self._start_well(lane, best, width, until, watch)
            took = time.perf_counter() - before
        self._table[:] = 0
        lane.begin(root)
        return self._search_together(lane, best, until, watch)

    def _search_alone(self, lane: Lane, best: Incumbent, until: float | None, watch: Watch | None) -> bool:
        """Searches from a lane's first state on; says whether all was tried."""
        while not lane.is_done and not _is_late(until):
            lane.stretch()
            self._report(lane, best, watch)
        return lane.is_done

    def _report(self, lane: Lane, best: Incumbent, watch: Watch | None) -> None:
        best.exchange(lane)
        if watch is not None:
            known = watch(best.line, best.found, sum(each.seen for each in self._lanes))
            best.exchange(lane, known)

    def _branch(self, lane: Lane) -> int:
        """Puts where the first action can lead in a row; gets how many these are."""
        records = lane.tables, lane.states, lane.works, lane.grounds, lane.bounds, lane.quests
        return int(load(subtrees, fast=True).branch(*records, self._branches, self._twigs))

    def _share_out(self, lane: Lane) -> list[Subtree]:
        """Goes down the first actions until there are states enough to keep all lanes busy to the end."""
        branches = [Subtree(lane.states[0].copy(), ())]
        for _ in range(SHARED_ACTIONS):
            if len(branches) >= SHARES:
                break
            branches = [below for branch in branches for below in self._part(lane, branch)]
        return branches

    def _part(self, lane: Lane, branch: Subtree) -> Iterator[Subtree]:
        """Takes a branch apart by its next action, unless its turns are over."""
        left = int(lane.quests["until"][0]) - int(branch.state["ended"])
        if left < SHARED or branch.state["phase"] not in (PLACE, MOVE, CLOSE, PICK):
            yield branch
            return
        lane.begin(branch)
        count = self._branch(lane)
        for state, twig in zip(self._branches[:count].copy(), self._twigs[:count].copy(), strict=True):
            line = *branch.line, *twig["line"][: twig["steps"]].tolist()
            yield Subtree(state, line, int(twig["deferred"]), tuple(twig["open_places"].tolist()))

    def _search_together(self, lane: Lane, best: Incumbent, until: float | None, watch: Watch | None) -> bool:
        """Shares out what follows the first actions among the lanes; says whether all was tried."""
        branches = self._share_out(lane)
        best.settle(lane)
        rest, finished, problems, ends = iter(branches), list[Subtree](), list[BaseException](), threading.Event()

        def take(lane: Lane) -> Subtree | None:
            with best.lock:
                branch = next(rest, None)
            if branch is not None:
                lane.begin(branch)
                best.exchange(lane)
            return branch

        def help_out(lane: Lane) -> None:
            try:
                while not ends.is_set() and (branch := take(lane)) is not None:
                    while not lane.is_done and not ends.is_set():
                        lane.stretch()
                        best.exchange(lane)
                    if lane.is_done:
                        finished.append(branch)
            except BaseException as problem:  # raised again where someone waits for the result
                problems.append(problem)

        helpers = []
        for other in self._lanes[1:]:
            seen = other.seen
            other.quests[0] = lane.quests[0]
            other.quests["seen"] = seen  # counted by each for itself
            helpers.append(Helper("planner", help_out, other))
        try:
            for helper in helpers:
                helper.start()
            while not _is_late(until) and (branch := take(lane)) is not None:
                if self._search_alone(lane, best, until, watch):
                    finished.append(branch)
            while any(helper.is_alive() for helper in helpers) and not _is_late(until):
                helpers[0].join(PAUSE)
                self._report(lane, best, watch)
        finally:
            ends.set()
            for helper in helpers:
                helper.join()
        if problems:
            raise problems[0]
        return len(finished) == len(branches)

    def reaches(self, position: Position, turns: int, points: int, until: float | None = None) -> bool | None:
        """Checks whether some turns from here can bring a number of points; none if time was too short to tell.

        What was asked before is remembered, so the points must be the same from one call to the next.
        """
        if position.is_over or turns == 0:
            return self.task.worth(position) >= points
        if self._asked != points:
            self._forget()
            self._asked = points
        result = self.run(position, turns, beat=points - 1, enough=points, until=until, again=True)
        if not result.proved:
            self._asked = None  # states were met whose rest was not tried
        return result.points is not None or (False if result.proved else None)


def _is_late(until: float | None) -> bool:
    return until is not None and time.perf_counter() >= until


def may_defer_builders(position: Position, turns: int) -> bool:
    """Checks whether builders' places may be left open: there must be squares enough that stay free for them.

    Each turn another builder may stop on one, and those placed before take one each.
    """
    t, s = position.layout.tables, position.state
    at_hand = [s.held[5 * s.player + kind] + s.reserve[kind] for kind in range(5)]
    free = t.path - s.standing
    return t.path <= deferred_builders.WIDEST and max(at_hand) <= 1 and free >= turns + 2 * sum(at_hand) - 1


def read_code(position: Position, token: str) -> int:
    """Gets the kernel's number of an action."""
    return encode(position.layout, position.turn_type.read_action(token))
