"""Finds schedules for closure timing and proves them, by search, by CP-SAT or against best replies, in a given time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from aquakit.planning.cpsat import Run
from aquakit.romana.planner.timing import model as timing_model
from aquakit.romana.planner.timing.clock import Clock
from aquakit.romana.planner.timing.model import WORST, Order, TooBig, scale_weights
from aquakit.romana.planner.timing.question import REPLIES
from aquakit.romana.planner.timing.replay import Number, Scenario, TimingCase, points_of, replay
from aquakit.romana.planner.timing.replies import DeepeningReplies, ReplyLine
from aquakit.romana.planner.timing.result import Wait
from aquakit.romana.planner.timing.search import NEVER, ScheduleSearch

SEARCHING = 0.5
"""The share of the time for branch and bound; if it comes to no end by then, CP-SAT or hill climbing goes on."""
PROVING = 0.75
"""The share of the time in which proofs are sought; the rest is for hill climbing."""


@dataclass(frozen=True)
class TimingAnswer:
    """What was found for a case: in sums over the weights, without the points taken before."""

    case: TimingCase
    value: int
    bound: int
    orders: Mapping[int, int]
    waiting: tuple[Wait, ...]
    proved: bool
    method: str


@dataclass(frozen=True)
class ScheduleProof:
    """Incumbent and upper bound: for the best schedule, or for the best that closes an aqueduct in a given round."""

    value: int | None
    """The incumbent's value; none if there is no such schedule, or if none was found."""
    bound: int
    """No such schedule is worth more."""
    orders: Mapping[int, int]
    proved: bool

    def improved(self, value: int | None, orders: Mapping[int, int]) -> ScheduleProof:
        """Gets the better of this and a schedule that was found without a proof; at the bound it needs none."""
        if self.proved or value is None or (self.value is not None and self.value >= value):
            return self
        return ScheduleProof(value, self.bound, orders, value == self.bound)


NO_SCHEDULE = ScheduleProof(None, -1, {}, proved=True)
"""That no schedule closes an aqueduct in a given round."""


def scaled(case: TimingCase, aim: str, value: int) -> Number:
    """Gets the player's points from a sum over the weights."""
    made = case.before + Fraction(value, 1 if aim == WORST else sum(scale_weights(case)))
    return int(made) if made.denominator == 1 and (aim == WORST or len(case.scenarios) == 1) else float(made)


def list_pins(case: TimingCase, waits: int) -> list[Order]:
    """Lists the closings whose values are compared: of each own aqueduct now, some rounds later, and never."""
    rounds = [*range(1, min(waits + 1, case.rounds) + 1), NEVER] if waits else []
    return [(a, number) for a in case.mine for number in rounds]


def _say_round(pin: Order) -> str:
    return "never" if pin[1] == NEVER else f"in round {pin[1]}"


def _waited(pin: Order) -> int | None:
    return None if pin[1] == NEVER else pin[1] - 1


# In given scenarios


class Prover:
    """Proves schedules by search where they are few and by CP-SAT where they are many; each does the other's work."""

    def __init__(self, case: TimingCase, aim: str, method: str, seed: int, clock: Clock) -> None:
        self.case, self.aim, self.seed, self.clock = case, aim, seed, clock
        self._auto, self._alone = method == "auto", method == "search"
        part = PROVING if self._alone else SEARCHING
        self._search = ScheduleSearch(case, aim, lambda: clock.runs(part))
        self._small = method != "cpsat"
        """Whether there is hope to search through all schedules."""
        self._model: timing_model.TimingModel | None = None
        self._most = self._search.upper_bound()
        self.method = "search"

    def answer(self, waits: int) -> TimingAnswer:
        """Finds the best schedule and the values of waiting."""
        pins = list_pins(self.case, waits)
        best = self.prove(None, {}, 2 if pins else 1)
        method, waiting = self.method, list[Wait]()
        for i, pin in enumerate(pins):
            proof = self.prove(pin, best.orders, len(pins) - i)
            waiting.append(self._wait(pin, proof))
            best = self._better(best, proof.value, proof.orders, f"closing {self.case.name(pin[0])} {_say_round(pin)}")
        assert best.value is not None
        orders = self._tidy(best.orders, best.value)
        return TimingAnswer(self.case, best.value, best.bound, orders, tuple(waiting), best.proved, method)

    def _tidy(self, orders: Mapping[int, int], value: int) -> dict[int, int]:
        """Leaves out orders that bring nothing, the last first."""
        kept = dict(orders)
        for a in sorted(orders, key=lambda a: -orders[a]):
            fewer = {b: number for b, number in kept.items() if b != a}
            found = self._search.evaluate(fewer)
            if found is not None and found.value == value:
                kept = fewer
        return kept

    def _wait(self, pin: Order, found: ScheduleProof) -> Wait:
        value = None if found.value is None else scaled(self.case, self.aim, found.value)
        possible = found.value is not None or not found.proved
        if found.value is not None and self._try(found.orders) != found.value:
            raise self.case.contradict(
                f"a schedule is worth {found.value}", f"the replay gives {self._try(found.orders)}"
            )
        return Wait(self.case.name(pin[0]), _waited(pin), value, possible, found.proved)

    def _try(self, orders: Mapping[int, int]) -> int:
        """Gets what a schedule is worth by the rules, in sums over the weights."""
        outcomes = [replay(self.case, scenario, orders) for scenario in self.case.scenarios]
        values = [points_of(self.case, outcome, self.case.me) - self.case.before for outcome in outcomes]
        if self.aim == WORST:
            return min(values)
        return sum(weight * value for weight, value in zip(scale_weights(self.case), values, strict=True))

    def prove(self, pin: Order | None, known: Mapping[int, int], tasks: int) -> ScheduleProof:
        """Finds the best schedule and proves it, or climbs from a known one to a good one.

        Climbing may take as much of the time as each of the tasks that are left. When none is left, nothing is said of
        what a pin is worth.
        """
        if pin is not None and not self.clock.runs():
            return self._unknown
        proof = self._search_through(pin)
        if proof.proved:
            return proof
        early = pin is None and self._auto  # CP-SAT may come back late with nothing
        if early:
            proof = self._climb(proof, pin, known, tasks)
        if not proof.proved:
            proof = self._better(self._solve(pin), proof.value, proof.orders, "climbing")
        return proof if proof.proved or early else self._climb(proof, pin, known, tasks)

    def _better(self, proof: ScheduleProof, value: int | None, orders: Mapping[int, int], by: str) -> ScheduleProof:
        """Gets the better of a proof and a schedule found in another way, which must keep to the bound."""
        if value is not None and value > proof.bound:
            told = (
                ", ".join(f"{self.case.name(a)} in round {number}" for a, number in orders.items()) or "nothing closed"
            )
            claim = f"{by} finds a schedule worth {value} more points ({told})"
            raise self.case.contradict(claim, f"it was proved that none is worth more than {proof.bound}")
        return proof.improved(value, orders)

    @property
    def _unknown(self) -> ScheduleProof:
        return ScheduleProof(None, self._most, {}, proved=False)

    def _search_through(self, pin: Order | None) -> ScheduleProof:
        """Searches through all schedules, if there is hope to come to an end."""
        if not self._small:
            return self._unknown
        try:
            found = self._search.solve(pin)
        except TooBig:
            self._small = self._alone
            return self._unknown
        if found is None:
            return NO_SCHEDULE
        return ScheduleProof(found.value, found.value, found.orders, proved=True)

    def _climb(self, proof: ScheduleProof, pin: Order | None, known: Mapping[int, int], tasks: int) -> ScheduleProof:
        found = self._search.climb(pin, known, self.clock.share(tasks))
        return proof if found is None else self._better(proof, found.value, found.orders, "climbing")

    def _solve(self, pin: Order | None) -> ScheduleProof:
        """Lets CP-SAT look for a proof, if there is time; without one it may have found something."""
        if self._alone or not self.clock.runs(PROVING):
            return self._unknown
        self.method = "CP-SAT"
        try:
            return self._run(pin)
        except TooBig:
            return self._unknown

    def _run(self, pin: Order | None) -> ScheduleProof:
        if self._model is None:
            self._model = timing_model.build(self.case, self.aim, lambda: self.clock.runs(PROVING))
        cp = timing_model.pinned(self._model, pin)
        if cp is None:
            return NO_SCHEDULE
        outcome = Run(workers=1, seed=self.seed % 2**31, stop=self.clock.event).solve(cp, self.clock.left(PROVING))
        bound = self._most if outcome.bound is None else min(self._most, outcome.bound)
        if outcome.value is None:
            return NO_SCHEDULE if outcome.proved else ScheduleProof(None, bound, {}, proved=False)
        orders = {order: outcome.solver.boolean_value(x) for order, x in self._model.orders.items()}
        kept = {a: number for (a, number), given in orders.items() if given}
        return ScheduleProof(outcome.value, bound, kept, outcome.proved)


# Against best replies


def answer_replies(case: TimingCase, waits: int, clock: Clock) -> TimingAnswer:
    """Finds best replies, and puts the rivals' closings into the scenario."""
    lengths = case.scenarios[0]
    replies = DeepeningReplies(case, lengths, clock.runs, lambda: clock.runs(SEARCHING))
    line = replies.solve()
    proved = line.horizon == case.rounds
    settled, mine = _settle(case, lengths, line)
    waiting = tuple(_wait_for_replies(case, replies, pin, proved=proved) for pin in list_pins(case, waits))
    value = line.points[case.me]
    bound = value if proved else case.layout.tables.podiums * len(case.mine)
    return TimingAnswer(replace(case, scenarios=(settled,)), value, bound, mine, waiting, proved, REPLIES)


def _settle(case: TimingCase, lengths: Scenario, line: ReplyLine) -> tuple[Scenario, dict[int, int]]:
    """Splits a line into the scenario in which the rivals close as they do there, and the player's own orders."""
    rivals = {a: number for a, number in line.orders.items() if a not in case.mine}
    return replace(lengths, closings=rivals), {a: number for a, number in line.orders.items() if a in case.mine}


def _wait_for_replies(case: TimingCase, replies: DeepeningReplies, pin: Order, *, proved: bool) -> Wait:
    name, rounds = case.name(pin[0]), _waited(pin)
    try:
        line = replies.solve_pinned(pin)
    except TooBig:
        return Wait(name, rounds, None, possible=True, proved=False)
    if line is None:
        return Wait(name, rounds, None, possible=not proved, proved=proved)
    value = case.before + line.points[case.me]
    settled, mine = _settle(case, case.scenarios[0], line)
    replayed = points_of(case, replay(case, settled, mine), case.me)
    if replayed != value:
        raise case.contradict(f"waiting is worth {value} against best replies", f"the replay gives {replayed}")
    return Wait(name, rounds, value, possible=True, proved=proved)
