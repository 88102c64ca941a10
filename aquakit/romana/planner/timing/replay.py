"""What closure timing is about, as data, and the straight replay by the rules that every answer has to pass.

Nothing here knows how an answer was found: the kernel closes, scores and fills the podiums, turn after turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from aquakit.core.words import count
from aquakit.errors import ProofFailure, contradiction
from aquakit.romana import kernel
from aquakit.romana.kernel import CLOSE, NOTHING, OPEN, SHUT, State, X
from aquakit.romana.layout import Layout
from aquakit.romana.position import Position

CLOSED, WALLED, END = "closed", "by construction", "at the end"
"""How a workman came to its podium: by a voluntary closing, by step 5, or when all is scored."""
Number = int | float


@dataclass(frozen=True)
class GrowthCourse:
    """How an aqueduct fares as long as nobody closes it."""

    lengths: tuple[int, ...]
    """Its length at step 6 of its owner's turn, round after round."""
    final: int
    """Its length when it is closed by construction, or when all is scored."""
    ends: int | None = None
    """The turn in which it is closed by construction, from 0; none if it is not."""


@dataclass(frozen=True)
class Scenario:
    """One way things may go: how all open aqueducts fare, and when the rivals close theirs."""

    courses: Mapping[int, GrowthCourse]
    """By the aqueduct's number."""
    closings: Mapping[int, int]
    """The round in which a rival orders the closing of an aqueduct."""
    last: int
    """The last turn, from 0."""
    weight: Fraction = field(default=Fraction(1))


@dataclass(frozen=True)
class Taken:
    """A workman's way to its podium."""

    aqueduct: str
    owner: int
    """The player, 1-based."""
    round: int | None
    """From 1; none if it stood there before, or comes there when all is scored."""
    turn: int
    """The turn from 0; -1 before, and one more than the last when all is scored."""
    length: int
    podium: int
    how: str


@dataclass(frozen=True)
class TimingCase:
    """A question of closure timing: who may close, in which turns, and in which scenarios."""

    layout: Layout
    state: State
    """Where it begins; never changed."""
    me: int
    """The player who plans, from 0."""
    rounds: int
    scenarios: tuple[Scenario, ...]
    closed_only: bool = False
    """Whether aqueducts that are open at the end count nothing."""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The players in the order of their turns in a round; alone in a study position [S1]."""
        if self.state.solo:
            return (self.me,)
        return tuple((self.state.player + i) % len(self.layout.players) for i in range(len(self.layout.players)))

    @property
    def turns(self) -> int:
        """How many turns there are at most."""
        return self.rounds * len(self.order)

    def turn(self, number: int, player: int) -> int:
        """Gets the turn of a player in a round."""
        return (number - 1) * len(self.order) + self.order.index(player)

    def mover(self, turn: int) -> int:
        """Gets the player whose turn it is."""
        return self.order[turn % len(self.order)]

    def round_of(self, turn: int) -> int:
        """Gets the round of a turn."""
        return turn // len(self.order) + 1

    def owner(self, aqueduct: int) -> int:
        """Gets the owner of an aqueduct, from 0."""
        return int(self.layout.tables.owner[aqueduct])

    def contradict(self, claim: str, other: str) -> ProofFailure:
        """Makes the error for two claims about this case that cannot both be true."""
        asked = f"{Position(self.layout, self.state)}, {count(self.rounds, 'round')} for player {self.me + 1}"
        return contradiction(asked, claim, other)

    def name(self, aqueduct: int) -> str:
        """Gets an aqueduct's name."""
        return self.layout.outlets[aqueduct].name

    @cached_property
    def mine(self) -> tuple[int, ...]:
        """The aqueducts that the player may close."""
        return tuple(
            a for a in range(len(self.layout.outlets)) if self.state.open >> a & 1 and self.owner(a) == self.me
        )

    @property
    def before(self) -> int:
        """The points that the player has on the podiums already."""
        mine = (self.state.score[a] for a in range(len(self.layout.outlets)) if self.owner(a) == self.me)
        return sum(points for points in mine if points != OPEN)


def replay(case: TimingCase, scenario: Scenario, orders: Mapping[int, int]) -> tuple[Taken, ...]:
    """Plays a scenario through: who comes to which podium, and when.

    Orders say in which round an aqueduct is to be closed; where the rules do not allow it then, the order lapses.
    """
    return _ScenarioReplay(case, scenario, orders).run()


def points_of(case: TimingCase, taken: tuple[Taken, ...], player: int) -> int:
    """Adds up a player's podium points, from 0, without bonus [S2]."""
    return sum(workman.podium for workman in taken if workman.owner == player + 1)


def expect(scenarios: Sequence[Scenario], values: Sequence[int]) -> Number:
    """Gets the mean of what comes of each scenario, by weight."""
    if len(values) == 1:
        return values[0]
    weights = [scenario.weight for scenario in scenarios]
    return float(sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights))


class _ScenarioReplay:
    """One run through a scenario."""

    def __init__(self, case: TimingCase, scenario: Scenario, orders: Mapping[int, int]) -> None:
        self.case, self.scenario = case, scenario
        self.tables, self.state = case.layout.tables, case.state.copy()
        self.state.reserve = [0] * len(self.state.reserve)  # picks have no bearing on podiums
        self.state.held = [0] * len(self.state.held)
        self.state.due = self.state.walled = 0
        self.work: Any = kernel.Work.new(case.layout.sizes)
        all_orders = {**scenario.closings, **orders}
        self.ordered = {(number, case.owner(a)): a for a, number in all_orders.items()}
        self.walls: dict[int, int] = {}
        for a, course in scenario.courses.items():
            if course.ends is not None:
                self.walls[course.ends] = self.walls.get(course.ends, 0) | 1 << a

    def run(self) -> tuple[Taken, ...]:
        s = self.state
        taken = [self._tell(a, None, -1, "before") for a in range(len(self.case.layout.outlets)) if s.score[a] != OPEN]
        last = self.case.order[0]
        for turn in range(self.scenario.last + 1):
            if s.open & self.tables.mine[self.case.mover(turn)]:
                last = self.case.mover(turn)
            taken += self._take_turn(turn)
        if not self.case.closed_only:
            taken += self._end(last)
        return tuple(taken)

    def _take_turn(self, turn: int) -> list[Taken]:
        """Lets the kernel close by construction, by order, and score (section 5, steps 5 to 7)."""
        case, s, t = self.case, self.state, self.tables
        s.player, number = case.mover(turn), case.round_of(turn)
        before, closing = s.open, NOTHING
        self._set_lengths(turn, number)
        s.laid, s.walled = 1, self.walls.get(turn, 0)
        kernel.finish_build(t, s)
        if s.phase == CLOSE:
            ordered = self.ordered.get((number, case.mover(turn)), NOTHING)
            count = kernel.closings(t, s, self.work)
            if SHUT | (ordered << X) in self.work.actions[:count]:
                closing = ordered
            kernel.apply(t, s, SHUT | (closing << X))
        gone = self._in_order([a for a in self.scenario.courses if (before & ~s.open) >> a & 1], case.mover(turn))
        return [self._tell(a, number, turn, CLOSED if a == closing else WALLED) for a in gone]

    def _set_lengths(self, turn: int, number: int) -> None:
        """Gives the mover's aqueducts their lengths of this round, and those that end now their last ones."""
        s = self.state
        for a, course in self.scenario.courses.items():
            if course.ends == turn:
                s.length[s.tip[a]] = course.final
            elif self.case.owner(a) == self.case.mover(turn):
                s.length[s.tip[a]] = course.lengths[number - 1]

    def _end(self, last: int) -> list[Taken]:
        """Scores what is open, from the player on whose turn ended last (section 6); alone, only the own [S2]."""
        s, t = self.state, self.tables
        left = self._in_order([a for a in self.scenario.courses if s.open >> a & 1], last)
        for a in left:
            s.length[s.tip[a]] = self.scenario.courses[a].final
        s.player = last
        kernel.stop(t, s, t.mine[self.case.me] if s.solo else s.open)
        return [self._tell(a, None, self.case.turns, END) for a in left if s.score[a] != OPEN]

    def _in_order(self, aqueducts: list[int], first: int) -> list[int]:
        """Puts aqueducts in the order in which they were scored, to be told so."""
        players = len(self.case.layout.players)
        return sorted(aqueducts, key=lambda a: ((self.case.owner(a) - first) % players, a))

    def _tell(self, a: int, number: int | None, turn: int, how: str) -> Taken:
        s = self.state
        return Taken(
            self.case.name(a), self.case.owner(a) + 1, number, turn, int(s.length[s.tip[a]]), int(s.score[a]), how
        )
