"""Random cases of closure timing, and answers found by trying everything, with rules written down a second time."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from aquakit.romana import Layout, Position
from aquakit.romana.planner.timing.model import scale_weights
from aquakit.romana.planner.timing.replay import GrowthCourse, Scenario, TimingCase
from aquakit.romana.planner.timing.timing import timing

BOARDS = ("romana2-5x4", "romana3", "romana4")


def random_case(
    draw: random.Random, *, board: str | None = None, rounds: int | None = None, most: int = 2
) -> TimingCase:
    """Makes a case: any lengths, ends by construction, taken podiums, rivals' orders, sometimes an early end."""
    layout = Layout.load(board or draw.choice(BOARDS))
    state = Position.start(layout).state
    players, rounds = len(layout.players), rounds or draw.randint(1, 3)
    state.player, me = draw.randrange(players), draw.randrange(players)
    for podium in range(1, len(layout.podiums) + 1):
        if draw.random() < 0.2:
            state.room[podium] = draw.randrange(layout.podiums[podium - 1])
    scenarios = tuple(_random_scenario(draw, layout, me, rounds) for _ in range(draw.randint(1, most)))
    return TimingCase(layout, state, me, rounds, scenarios, closed_only=draw.random() < 0.25)


def _random_scenario(draw: random.Random, layout: Layout, me: int, rounds: int) -> Scenario:
    turns = rounds * len(layout.players)
    courses, closings = {}, {}
    for a, outlet in enumerate(layout.outlets):
        lengths = [draw.randrange(5)]
        while len(lengths) < rounds:
            lengths.append(lengths[-1] + draw.choice((0, 0, 1, 2)))
        ends = draw.randrange(turns) if draw.random() < 0.3 else None
        final = lengths[-1 if ends is None else ends // len(layout.players)] + draw.choice((0, 0, 1))
        courses[a] = GrowthCourse(tuple(min(length, final) for length in lengths), final, ends)
        number = draw.randint(1, rounds)
        taken = {(layout.outlets[b].owner, k) for b, k in closings.items()}
        if outlet.owner - 1 != me and draw.random() < 0.5 and (outlet.owner, number) not in taken:
            closings[a] = number
    last = turns - 1 if draw.random() < 0.8 else draw.randrange(turns)
    return Scenario(courses, closings, last, Fraction(draw.randint(1, 3)))


def schedules(case: TimingCase) -> Iterator[dict[int, int]]:
    """Lists all schedules that give one order a round at most."""
    for rounds in product(range(case.rounds + 1), repeat=len(case.mine)):
        given = [number for number in rounds if number]
        if len(given) == len(set(given)):
            yield {a: number for a, number in zip(case.mine, rounds, strict=True) if number}


class Play:
    """Section 5, steps 5 to 7, and section 6, once more: as plainly as can be, without the kernel."""

    def __init__(self, case: TimingCase, scenario: Scenario) -> None:
        self.case, self.scenario = case, scenario
        self.room = list(case.state.room)
        self.open = set(scenario.courses)
        self.points = [0] * len(case.layout.players)
        self.closed: dict[int, int] = {}
        """Voluntary closings that took place, by round."""
        self.last = case.order[0]

    def can_close(self, turn: int) -> list[int]:
        player = self.case.mover(turn)
        mine = [a for a in self.open if self.case.owner(a) == player]
        if any(self.scenario.courses[a].ends == turn for a in mine):
            return []
        return [a for a in mine if self.scenario.courses[a].lengths[self.case.round_of(turn) - 1] > 0]

    def take_turn(self, turn: int, closing: int | None) -> None:
        player, lengths = self.case.mover(turn), {}
        if any(self.case.owner(a) == player for a in self.open):
            self.last = player
        if closing in self.can_close(turn):
            self.closed[closing] = self.case.round_of(turn)
            lengths[closing] = self.scenario.courses[closing].lengths[self.case.round_of(turn) - 1]
        lengths |= {a: self.scenario.courses[a].final for a in self.open if self.scenario.courses[a].ends == turn}
        self.score(lengths, player)

    def end(self) -> None:
        if not self.case.closed_only:
            self.score({a: self.scenario.courses[a].final for a in self.open}, self.last)

    def score(self, lengths: dict[int, int], first: int) -> None:
        players, owner = len(self.points), self.case.owner
        for a in sorted(lengths, key=lambda a: ((owner(a) - first) % players, a)):
            self.open.discard(a)
            podium = min(lengths[a], len(self.room) - 1, len(self.case.layout.podiums))
            while podium and not self.room[podium]:
                podium -= 1
            if podium:
                self.room[podium] -= 1
                self.points[owner(a)] += podium


def play(case: TimingCase, scenario: Scenario, orders: dict[int, int]) -> Play:
    """Plays a scenario through by a schedule."""
    made = Play(case, scenario)
    wanted = {case.turn(k, case.owner(a)): a for a, k in {**scenario.closings, **orders}.items()}
    for turn in range(scenario.last + 1):
        made.take_turn(turn, wanted.get(turn))
    made.end()
    return made


def try_all(case: TimingCase, aim: str, pin: tuple[int, int] | None = None) -> int | None:
    """Gets the best value of all schedules whose every order is carried out in some scenario."""
    best = None
    for orders in schedules(case):
        if pin is not None and orders.get(pin[0], 0) != pin[1]:
            continue
        plays = [play(case, scenario, orders) for scenario in case.scenarios]
        if all(any(p.closed.get(a) == k for p in plays) for a, k in orders.items()):
            values = [p.points[case.me] for p in plays]
            weights = scale_weights(case)
            value = min(values) if aim == "worst" else sum(w * v for w, v in zip(weights, values, strict=True))
            best = value if best is None else max(best, value)
    return best


def best_replies(case: TimingCase, scenario: Scenario, turn: int = 0, made: tuple[int | None, ...] = ()) -> list[int]:
    """Gets everybody's points if all close what is best for themselves: by trying every line of play from the start."""
    state = Play(case, scenario)
    for number, closing in enumerate(made):
        state.take_turn(number, closing)
    if turn > scenario.last:
        state.end()
        return state.points
    best: list[int] | None = None
    player = case.mover(turn)
    for closing in [None, *sorted(state.can_close(turn))]:
        points = best_replies(case, scenario, turn + 1, (*made, closing))
        if best is None or points[player] > best[player]:
            best = points
    assert best is not None
    return best


def measure(board: str, *, count: int = 10, waits: int = 3, method: str = "auto") -> list[float]:
    """Times answers for twelve aqueducts and twenty rounds with random growth and closings; gets sorted seconds."""
    draw, found = random.Random(11), []
    for _ in range(count):
        position = Position.start(board)
        growth = {a.name: draw.choice((0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)) for a in position.aqueducts}
        rounds = dict(zip((a.name for a in position.aqueducts), draw.sample(range(5, 21), 12), strict=True))
        closings = {a.name: rounds[a.name] for a in position.aqueducts if a.owner > 1 and draw.random() < 0.6}
        begun = time.perf_counter()
        made = timing(position, rounds=20, growth=growth, rivals=closings, waits=waits, method=method, seconds=None)
        found.append(time.perf_counter() - begun)
        assert made.proved
    return sorted(found)
