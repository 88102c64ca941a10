"""Closure timing against best replies: every player closes, turn after turn, what brings the own workmen most.

Subgame-perfect play for one forecast of lengths, found by backward induction with a transposition table. Whoever is
indifferent waits; between closings that are equally good the first aqueduct in order is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aquakit.romana.planner.timing.model import Order, TooBig, Wanted
from aquakit.romana.planner.timing.replay import Scenario, TimingCase
from aquakit.romana.planner.timing.search import NEVER, STATES_PER_LOOK, PodiumPlaces

MOST_STATES = 150_000
"""The most states that are looked at before the search gives up."""
IMPOSSIBLE = -1_000_000
"""What a schedule is worth to the planning player that cannot be carried out."""
NOBODY = -1

Points = tuple[int, ...]
"""What is still to come, for each player."""


@dataclass(frozen=True)
class ReplyLine:
    """The principal variation: how the game goes if everybody replies best."""

    points: Points
    """Each player's podium points from here on."""
    orders: dict[int, int]
    """The rounds in which all players close their aqueducts."""
    horizon: int
    """The last round in which closings were searched; less than all rounds if the search was too big."""


class ReplySearch:
    """Backward induction in one scenario of lengths, with a transposition table, up to a horizon."""

    def __init__(self, case: TimingCase, scenario: Scenario, horizon: int, wanted: Wanted = lambda: True) -> None:
        self.case, self.scenario, self.wanted = case, scenario, wanted
        self.horizon = horizon
        self.places = PodiumPlaces(case.state.room)
        self.low = len(self.places.worth)
        self.players = len(case.layout.players)
        self.all = sum(1 << a for a in scenario.courses)
        podiums = case.layout.tables.podiums
        self.final = {a: self.places.upto[min(course.final, podiums)] for a, course in scenario.courses.items()}
        self.reach = {
            a: [self.places.upto[min(length, podiums)] for length in course.lengths]
            for a, course in scenario.courses.items()
        }
        self.walls: dict[int, list[int]] = {}
        for a, course in scenario.courses.items():
            if course.ends is not None:
                self.walls.setdefault(course.ends, []).append(a)
        self.table: dict[tuple[int, int, int, Order | None], Points] = {}
        self.looked = 0

    def solve(self, pin: Order | None = None) -> ReplyLine | None:
        """Finds the line of best replies; with a pin, if the player closes an aqueduct in a round or NEVER."""
        self.looked = 0
        begun = self.places.all | self.all << self.low
        points = self.value(0, begun, NOBODY, pin)
        if points[self.case.me] < 0:
            return None
        return ReplyLine(points, dict(self._follow(begun, pin)), self.horizon)

    # Values

    def value(self, turn: int, code: int, last: int, pin: Order | None) -> Points:
        """Gets what comes from a turn on if everybody does the best for themselves; `last` is who moved last."""
        if turn > self.scenario.last:
            return self._end(code, last)
        if pin is not None and pin[1] != NEVER and pin[1] < self.case.round_of(turn):
            pin = None
        key = turn, code, last, pin
        known = self.table.get(key)
        if known is None:
            self.looked += 1
            if self.looked > MOST_STATES or (self.looked % STATES_PER_LOOK == 0 and not self.wanted()):
                raise TooBig
            known = self._choose(turn, code, last, pin)[1]
            self.table[key] = known
        return known

    def _choose(self, turn: int, code: int, last: int, pin: Order | None) -> tuple[int, Points, int, int]:
        """Gets what the mover does best: the aqueduct or -1, what comes of it, and the state after it."""
        player, best = self.case.mover(turn), None
        for a in self._options(turn, code, pin):
            gains, then = self._score(turn, code, a)
            if best is not None and gains[player] + self._upper_bound(player, then) <= best[1][player]:
                continue
            mover = self._note_mover(turn, code, last)
            rest = self.value(turn + 1, then, mover, pin)
            points = tuple(map(int.__add__, gains, rest))
            if best is None or points[player] > best[1][player]:
                best = a, points, then, mover
        if best is None:  # the order given cannot be carried out
            gone = [0] * self.players
            gone[self.case.me] = IMPOSSIBLE
            return -1, tuple(gone), code, last
        return best

    def _upper_bound(self, player: int, code: int) -> int:
        """Gets an upper bound on a player's further points: the own workmen go first, at their longest."""
        total, rest = 0, code >> self.low & self._mine(player)
        for a, reach in self.final.items():
            if rest & 1 << a and (free := code & reach):
                place = free.bit_length() - 1
                code ^= 1 << place
                total += self.places.worth[place]
        return total

    def _note_mover(self, turn: int, code: int, last: int) -> int:
        """Notes who moved last, in the last round only: whoever is open in the end had a turn in it."""
        if turn <= self.scenario.last - len(self.case.order):
            return NOBODY
        return self.case.mover(turn) if code >> self.low & self._mine(self.case.mover(turn)) else last

    def _mine(self, player: int) -> int:
        return int(self.case.layout.tables.mine[player])

    def _options(self, turn: int, code: int, pin: Order | None) -> Iterator[int]:
        """Lists what the mover may close, nothing first (step 6) [R9]; the planning player is bound by the pin."""
        player, number = self.case.mover(turn), self.case.round_of(turn)
        open_, mine = code >> self.low, self._mine(player)
        barred = number > self.horizon or any(open_ & mine & 1 << a for a in self.walls.get(turn, ()))
        can = [] if barred else [a for a in self.reach if open_ & mine & 1 << a and self.reach[a][number - 1]]
        can = [a for a in can if self.scenario.courses[a].lengths[number - 1] > 0]
        if pin is None or player != self.case.me:
            yield -1
            yield from can
        elif pin[1] == number:
            yield from (a for a in can if a == pin[0])
        else:
            yield -1
            yield from (a for a in can if a != pin[0])

    # Steps

    def _score(self, turn: int, code: int, closed: int) -> tuple[list[int], int]:
        """Scores what a turn closes, the mover's first, then clockwise (step 7)."""
        mover, number = self.case.mover(turn), self.case.round_of(turn)
        arrivals = [(a, self.final[a]) for a in self.walls.get(turn, ()) if code >> self.low & 1 << a]
        if closed >= 0:
            arrivals.append((closed, self.reach[closed][number - 1]))
        return self._arrive(arrivals, code, mover)

    def _end(self, code: int, last: int) -> Points:
        """Scores what is open at the end, beginning with the player whose turn ended last (section 6)."""
        if self.case.closed_only:
            return (0,) * self.players
        left = [(a, reach) for a, reach in self.final.items() if code >> self.low & 1 << a]
        return tuple(self._arrive(left, code, max(last, 0))[0])

    def _arrive(self, arrivals: list[tuple[int, int]], code: int, mover: int) -> tuple[list[int], int]:
        gains = [0] * self.players
        owner = self.case.owner
        for a, reach in sorted(arrivals, key=lambda arrival: ((owner(arrival[0]) - mover) % self.players, arrival[0])):
            code &= ~(1 << a + self.low)
            free = code & reach
            if free:
                place = free.bit_length() - 1
                code ^= 1 << place
                gains[owner(a)] += self.places.worth[place]
        return gains, code

    def _follow(self, code: int, pin: Order | None) -> Iterator[Order]:
        """Follows the line of best replies."""
        last = NOBODY
        for turn in range(self.scenario.last + 1):
            number = self.case.round_of(turn)
            if pin is not None and pin[1] != NEVER and pin[1] < number:
                pin = None
            a, _, code, last = self._choose(turn, code, last, pin)
            if a >= 0:
                yield a, number


class DeepeningReplies:
    """Best replies as deep as they can be searched: all rounds, or by iterative deepening as many as time allows."""

    def __init__(
        self, case: TimingCase, scenario: Scenario, wanted: Wanted = lambda: True, early: Wanted = lambda: True
    ) -> None:
        """Prepares the search; all rounds are tried only while it is `early`, so that time is left for fewer."""
        self.case, self.scenario, self.wanted = case, scenario, wanted
        self._search = ReplySearch(case, scenario, case.rounds, lambda: wanted() and early())

    def solve(self) -> ReplyLine:
        """Finds the line of best replies, all rounds deep if possible; its horizon tells."""
        try:
            line = self._search.solve()
        except TooBig:
            line = self._solve_part()
        self._search.wanted = self.wanted
        assert line is not None
        return line

    def _solve_part(self) -> ReplyLine | None:
        """Looks one round further at a time; that nobody closes anything takes no time and is always known."""
        line = None
        for horizon in range(self.case.rounds):
            search = ReplySearch(self.case, self.scenario, horizon, self.wanted if horizon else lambda: True)
            try:
                line = search.solve()
            except TooBig:
                break
            self._search = search
        return line

    def solve_pinned(self, pin: Order) -> ReplyLine | None:
        """Finds the line if the player closes an aqueduct in a round; none if that cannot be; raises TooBig."""
        return self._search.solve(pin)
