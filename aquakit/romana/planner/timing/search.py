"""Closure timing by branch and bound with a transposition table: exact, and quick where the schedules are few.

The second way to the same answers as the CP-SAT model's. It rests on a property of the podiums: which places are taken
after some workmen came depends on their lengths alone, not on their order, so that different orders of closing lead to
the same state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul

from aquakit.romana.planner.timing.model import WORST, Event, Future, Order, TooBig, Wanted, scale_weights
from aquakit.romana.planner.timing.replay import TimingCase

MOST_WORK = 4_000_000
"""The most work before the search gives up: states, times the scenarios plus a constant for each state."""
STATES_PER_LOOK = 200
"""States between two looks at the clock, times the scenarios."""
NEVER = 0
"""The round that stands for leaving an aqueduct open."""


@dataclass(frozen=True)
class FoundSchedule:
    """A schedule and its value."""

    value: int
    """The sum over the scenarios, by weight; or the worst scenario's."""
    orders: dict[int, int]


class PodiumPlaces:
    """The free places on the podiums as a mask, the lowest podium's in the lowest bit."""

    def __init__(self, room: Sequence[int]) -> None:
        self.worth = [podium for podium, count in enumerate(room) for _ in range(count) if podium > 0]
        self.all = (1 << len(self.worth)) - 1
        self.upto = [(1 << sum(room[1 : podium + 1])) - 1 for podium in range(len(room))]
        """For each podium, the places there and below."""


Arrival = tuple[int, int]
"""An own aqueduct that must still be open, as a bit, or 0; and the places in its reach."""


class ScenarioTrack:
    """A scenario as the search needs it, cut at the player's turns."""

    def __init__(self, future: Future, places: PodiumPlaces) -> None:
        case = future.case
        self.order: list[dict[int, int]] = [{} for _ in range(case.rounds + 1)]
        """By round: the places in reach of each aqueduct that may be closed then."""
        self.walled: list[list[Arrival]] = [[] for _ in range(case.rounds + 1)]
        """By round: own aqueducts closed by construction in the own turn, which bar a voluntary closing."""
        self.after: list[list[Arrival]] = [[] for _ in range(case.rounds + 1)]
        """By round, 0 for what comes before the first: all else up to the next own turn."""
        turns = [case.turn(number, case.me) for number in range(1, case.rounds + 1)]
        for event in future.events:
            self._place(event, places.upto[event.podium], case, turns)
        self.furthest: list[list[Arrival]] = [self._furthest(case, number) for number in range(case.rounds + 2)]
        """By round: the furthest that each own aqueduct can come from then on."""

    def _place(self, event: Event, reach: int, case: TimingCase, turns: list[int]) -> None:
        turn = event.moment[0]
        number = sum(mine <= turn for mine in turns)
        bit = 1 << event.aqueduct if event.aqueduct in case.mine else 0
        if event.order is not None:
            self.order[event.order][event.aqueduct] = reach
        elif bit and turn in turns:
            self.walled[number].append((bit, reach))
        else:
            self.after[number].append((bit, reach))

    def _furthest(self, case: TimingCase, number: int) -> list[Arrival]:
        later = [arrival for group in (self.walled, self.after) for events in group for arrival in events]
        later += [(1 << a, reach) for orders in self.order[number:] for a, reach in orders.items()]
        return [(1 << a, max((reach for bit, reach in later if bit == 1 << a), default=0)) for a in case.mine]


ScenarioStates = tuple[int, ...]
"""In each scenario: the free places, the own open aqueducts above them, and above those the points so far."""


class ScheduleSearch:
    """Branch and bound over one case's schedules, round by round, with a transposition table."""

    def __init__(self, case: TimingCase, aim: str, wanted: Wanted = lambda: True) -> None:
        self.case, self.wanted = case, wanted
        self.places = PodiumPlaces(case.state.room)
        self.tracks = [ScenarioTrack(Future(case, scenario), self.places) for scenario in case.scenarios]
        self.weights = scale_weights(case)
        self.keep = aim == WORST
        """Whether the points so far belong to the state: only the worst scenario counts, and it shows at the end."""
        self.low = len(self.places.worth)
        self.high = self.low + len(case.layout.outlets)
        self.table: dict[tuple[int, int, ScenarioStates], int] = {}
        self.steps: list[dict[int, tuple[int, int, int]]] = [{} for _ in self.tracks]
        self.looked = 0
        self.limit = MOST_WORK // (20 + len(self.tracks))
        self.look = max(1, STATES_PER_LOOK // len(self.tracks))
        # Of equal schedules the one with the fewest orders is taken, then the one with the earliest.
        self.price = case.rounds * len(case.mine) + 1
        self.scale = (self.price + case.rounds) * len(case.mine) + 1
        self.all = sum(1 << a for a in case.mine)

    # Steps

    def start(self) -> tuple[int, ScenarioStates]:
        """Gets the state before the player's first turn, and the points by then."""
        gain, _, state = self._go(self._begin(), 0, -1)
        return gain, state

    def _begin(self) -> ScenarioStates:
        return tuple(self.places.all | self.all << self.low for _ in self.tracks)

    def upper_bound(self) -> int:
        """Gets an upper bound on the value of every schedule, without a search."""
        gain, bound, _ = self._go(self._begin(), 0, -1)
        return bound if self.keep else gain + bound

    def _go(self, state: ScenarioStates, number: int, choice: int) -> tuple[int, int, ScenarioStates]:
        """Takes the player's turn of a round in all scenarios, and all up to the next.

        Gets the points by weight, an upper bound on the points after it, and the state then.
        """
        steps = [self._step(i, code, number, choice) for i, code in enumerate(state)]
        gains, bounds, then = zip(*steps, strict=True)
        bound = min(bounds) if self.keep else sum(map(mul, bounds, self.weights))
        return sum(map(mul, gains, self.weights)), bound, then

    def _step(self, i: int, code: int, number: int, choice: int) -> tuple[int, int, int]:
        """Takes a step in one scenario, where the same comes again and again."""
        key = (code << 12 | number << 5) + choice
        known = self.steps[i].get(key)
        if known is None:
            gain, then = self._go_one(self.tracks[i], code, number, choice)
            known = gain, self._bound_one(self.tracks[i], then, number + 1), then
            self.steps[i][key] = known
        return known

    def _go_one(self, track: ScenarioTrack, code: int, number: int, choice: int) -> tuple[int, int]:
        low, worth, gain = self.low, self.places.worth, 0
        arrivals, barred = track.after[number], False
        if any(code & bit << low for bit, _ in track.walled[number]):
            arrivals, barred = [*track.walled[number], *arrivals], True
        if choice >= 0 and not barred and code & 1 << choice + low and choice in track.order[number]:
            arrivals = [(1 << choice, track.order[number][choice]), *arrivals]
        for bit, reach in arrivals:
            if bit and not code & bit << low:
                continue
            free = code & reach
            if free:
                place = free.bit_length() - 1
                code ^= 1 << place
                if bit:
                    gain += worth[place]
            if bit:
                code ^= bit << low
        return gain, code + (gain << self.high) if self.keep else code

    # Values

    def solve(self, pin: Order | None = None) -> FoundSchedule | None:
        """Finds a best schedule; with a pin, one that closes an aqueduct in a round or NEVER; none if there is none.

        Raises TooBig where it would take too long; what was found by then is remembered.
        """
        self.looked = 0
        gain, state = self.start()
        allowed = self.all if pin is None else self.all & ~(1 << pin[0])
        value = self._pinned(1, allowed, state, pin)
        if value is None:
            return None
        orders = dict(self._trace(allowed, state, pin, value))
        paid = sum(self.price + number for number in orders.values())
        return FoundSchedule((value + paid) // self.scale + (0 if self.keep else gain), orders)

    def climb(
        self, pin: Order | None = None, known: Mapping[int, int] | None = None, wanted: Wanted = lambda: True
    ) -> FoundSchedule | None:
        """Finds a good schedule by hill climbing, without a proof: one order is changed at a time while that helps.

        It begins with a known schedule, changed so that the pin holds, and ends when it is no longer `wanted`; none is
        found if the pin cannot be carried out.
        """
        given = {} if pin is None or pin[1] == NEVER else {pin[0]: pin[1]}
        taken = (*given.values(), NEVER)
        kept = {a: k for a, k in (known or {}).items() if k not in taken and (pin is None or a != pin[0])}
        best = self.evaluate(kept | given) or self.evaluate(given)
        better = best
        while better is not None:
            best, better = better, None
            for orders in self._neighbours(best.orders, pin):
                if not wanted():
                    return better or best
                found = self.evaluate(orders)
                if found is not None and found.value > (better or best).value:
                    better = found
        return best

    def _neighbours(self, orders: dict[int, int], pin: Order | None) -> Iterator[dict[int, int]]:
        for a in self.case.mine:
            rest = {b: number for b, number in orders.items() if b != a}
            if pin is None or pin[0] != a:
                free = (number for number in range(1, self.case.rounds + 1) if number not in rest.values())
                yield from ({**rest, a: number} for number in free)
                yield rest

    def evaluate(self, orders: dict[int, int]) -> FoundSchedule | None:
        """Evaluates a schedule; none if one of its orders is carried out in no scenario."""
        chosen = {number: a for a, number in orders.items()}
        total, state = self.start()
        for number in range(1, self.case.rounds + 1):
            a = chosen.get(number, -1)
            if a >= 0 and not self.can(number, state, a):
                return None
            gain, _, state = self._go(state, number, a)
            total += gain
        return FoundSchedule(min(code >> self.high for code in state) if self.keep else total, orders)

    def _pinned(self, number: int, allowed: int, state: ScenarioStates, pin: Order | None) -> int | None:
        """Gets the best from a round on if an order for it or a later round is given."""
        if pin is None or pin[1] < number:
            return self.best(number, allowed, state)
        return max((value for value, *_ in self._ways(number, allowed, state, pin)), default=None)

    def _ways(
        self, number: int, allowed: int, state: ScenarioStates, pin: Order | None
    ) -> Iterator[tuple[int, int, int, ScenarioStates]]:
        """Lists what can be ordered in a round, cut where the upper bound is no better than the best before.

        Of each: the value in the end, the aqueduct or -1, those then allowed, and the state.
        """
        self._look()
        given = pin[0] if pin is not None and pin[1] == number else None
        if given is not None and not self.can(number, state, given):
            return
        best: int | None = None
        for bound, price, gain, a, then in self.choices(number, allowed, state, given):
            if best is not None and bound - price <= best:
                break
            rest = allowed & ~(1 << a) if a >= 0 else allowed
            value = self._pinned(number + 1, rest, then, pin)
            if value is not None:
                value += gain - price
                best = value if best is None else max(value, best)
                yield value, a, rest, then

    def _trace(self, allowed: int, state: ScenarioStates, pin: Order | None, value: int) -> Iterator[Order]:
        """Follows the orders that come to a value."""
        for number in range(1, self.case.rounds + 1):
            ways = self._ways(number, allowed, state, pin)
            _, a, rest, then = next(way for way in ways if way[0] == value)
            gain, _, _ = self._go(state, number, a)
            value += (self.price + number if a >= 0 else 0) - (0 if self.keep else gain * self.scale)
            allowed, state = rest, then
            if a >= 0:
                yield a, number

    def best(self, number: int, allowed: int, state: ScenarioStates) -> int:
        """Gets the best value from a round on, closing only aqueducts allowed; points and price in one number."""
        if number > self.case.rounds:
            return min(code >> self.high for code in state) * self.scale if self.keep else 0
        key = number, allowed, state
        known = self.table.get(key)
        if known is None:
            self._look()
            for bound, price, gain, a, then in self.choices(number, allowed, state):
                if known is not None and bound - price <= known:
                    break
                value = gain - price + self.best(number + 1, allowed & ~(1 << a) if a >= 0 else allowed, then)
                known = value if known is None else max(value, known)
            assert known is not None
            self.table[key] = known
        return known

    def _look(self) -> None:
        self.looked += 1
        if self.looked > self.limit or (self.looked % self.look == 0 and not self.wanted()):
            raise TooBig

    def choices(
        self, number: int, allowed: int, state: ScenarioStates, given: int | None = None
    ) -> list[tuple[int, int, int, int, ScenarioStates]]:
        """Lists what the player can order in a round, or only what is given, by descending upper bound.

        Of each: the upper bound, its price, the points it brings, the aqueduct or -1, and the state then.
        """
        options = [-1, *(a for a in self.case.mine if allowed >> a & 1 and self.can(number, state, a))]
        made = []
        for a in options if given is None else [given]:
            gain, bound, then = self._go(state, number, a)
            points = 0 if self.keep else gain * self.scale
            price = self.price + number if a >= 0 else 0
            made.append((points + self.scale * bound, price, points, a, then))
        return sorted(made, key=lambda choice: choice[1] - choice[0])

    def _bound_one(self, track: ScenarioTrack, code: int, number: int) -> int:
        """Gets an upper bound on the points from a round on: rivals let the player go first, with the best lengths."""
        low, worth, total = self.low, self.places.worth, code >> self.high
        for bit, reach in track.furthest[number]:
            if code & bit << low and (free := code & reach):
                place = free.bit_length() - 1
                code ^= 1 << place
                total += worth[place]
        return total

    def can(self, number: int, state: ScenarioStates, a: int) -> bool:
        """Checks whether an order would be carried out in some scenario."""
        return any(self._can_in(track, code, number, a) for track, code in zip(self.tracks, state, strict=True))

    def _can_in(self, track: ScenarioTrack, code: int, number: int, a: int) -> bool:
        if a not in track.order[number] or not code & 1 << a + self.low:
            return False
        return not any(code & bit << self.low for bit, _ in track.walled[number])
