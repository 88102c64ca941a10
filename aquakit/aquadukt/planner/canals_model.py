"""Says as whole numbers which canals water the most houses: every arm takes one of the ways in which it can go on.

A `Ground` is what a position leaves to be laid, a `Way` is one way to go on with one arm, and a `Program` chooses ways
and new springs: one number 0 or 1 for each, a worth for each, and rows that say what the rules allow. Each row comes
from a builder for one rule. Section numbers and ids such as [Q3] are those of the rules page.

`Prices` make the choice small enough to be proved: with a price on every row the best choice is easy to bound, for
every arm chooses by itself, and a way that cannot be part of a plan as good as a known one is left out. The prices may
be any numbers from 0 on, the bound holds all the same; good ones come from the linear relaxation. All sums are whole
numbers.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from aquakit import cpsat
from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import FREE, MOUNTAIN, NONE, State, Tables
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import arm_segments

ARMS = 2
"""The most arms of a spring."""
MOST_VISITS = 1_000_000
"""So many ways are looked at for a plan; with more canals the ways of a single arm are cut short."""
FIRST = 4
"""So many canals are tried first for a single way."""
GROWTH = 3
"""With a canal more there are at most about so many times as many ways."""
SHRINK = 0.9
"""Prices are made anew where at most this part of the ways is left."""
SCALE = 1000
"""Prices are rounded to this part of one."""


class Source(NamedTuple):
    """A point from which arms can go on: an arm's end, a spring with room for arms, or a site for a new spring."""

    point: int
    old: tuple[int, ...]
    """The arm's single segments from the spring outwards: they are doubled before new ones can be."""
    room: int
    """How many ways can begin here."""
    site: bool = False


class Stake(NamedTuple):
    """Points that hang on the water of a square."""

    square: int
    level: int
    """The supply from which they count: 1, or 2 for what the events change."""
    need: int
    """How many canals more must feed the square."""
    points: int
    """Positive for the player, negative for others."""


class Way(NamedTuple):
    """One way to go on with an arm: new segments outwards, then second canals from the spring on."""

    source: int
    points: tuple[int, ...]
    segments: tuple[int, ...]
    doubled: tuple[int, ...]
    feeds: tuple[tuple[int, int], ...]
    """The squares at stake that it feeds, and by how many canals [Q5]."""

    @property
    def canals(self) -> int:
        """How many canals it takes."""
        return len(self.segments) + len(self.doubled)


@dataclass(frozen=True)
class Ground:
    """What a position leaves to be laid and watered."""

    layout: Layout
    state: State
    canals: int
    springs: int
    stakes: tuple[Stake, ...]
    sources: tuple[Source, ...]

    @classmethod
    def of(cls, layout: Layout, state: State, canals: int, springs: int, player: int, *, against: bool) -> Ground:
        """Reads a state; `canals` and `springs` are cut to what is left in the box, the player is numbered from 0."""
        canals, springs = min(canals, state.left), min(springs, layout.springs - state.springs)
        stakes = tuple(_find_stakes(layout.tables, state.copy(), player, against=against))
        sources = [*_open_springs(state), *_arm_ends(state)]
        if springs:
            sites = (p for p in layout.point_index.values() if kernel.can_stand(state, p))
            sources += [Source(p, (), ARMS, site=True) for p in sites]
        return cls(layout, state, canals, springs, stakes, tuple(sources))

    @cached_property
    def steps(self) -> dict[int, list[tuple[int, int]]]:
        """The free points next to each point, and the segments that lead there [Q3]."""
        t, ways = self.layout.tables, self.state.ways
        return {
            p: [(t.beside[4 * p + d], t.along[4 * p + d]) for d in range(4) if ways[p] >> d & 1]
            for p in self.layout.point_index.values()
        }

    @cached_property
    def goals(self) -> dict[int, int]:
        """The supply up to which more water pays, for each square where the player wants it."""
        return {stake.square: stake.level for stake in self.stakes if stake.points > 0}  # levels come in order

    def fed(self, segment: int, *, deep: bool) -> list[int]:
        """Lists the squares at stake that a first canal feeds, or a second one [Q4] [Q5]."""
        return self._fed[segment][deep]

    @cached_property
    def _fed(self) -> list[tuple[list[int], list[int]]]:
        water, at_stake = self.layout.tables.water, {stake.square for stake in self.stakes}
        every = [[q for q in water[i : i + 4] if q in at_stake] for i in range(0, len(water), 4)]
        beside = [[q for q in water[i : i + 2] if q in at_stake] for i in range(0, len(water), 4)]
        return list(zip(beside, every, strict=True))


def _find_stakes(t: Tables, s: State, player: int, *, against: bool) -> Iterator[Stake]:
    """Finds what water would add to the tiles' points, as the kernel counts them, events included."""
    for q in range(t.squares):
        mine = (s.tile[q] - 1) >> 2 == player
        if not FREE < s.tile[q] < MOUNTAIN or not (mine or against):
            continue
        supply, points = s.supply[q], [0]
        for level in (1, 2):
            s.supply[q] = level
            points.append(kernel.worth(t, s, q))
            more = points[level] - points[level - 1]
            if supply < level and more:
                yield Stake(q, level, level - supply, more if mine else -more)
        s.supply[q] = supply


def _open_springs(s: State) -> Iterator[Source]:
    for i in range(s.springs):
        room = sum(s.head[slot] == NONE for slot in (2 * i, 2 * i + 1))
        if room:
            yield Source(s.spring[i], (), room)


def _arm_ends(s: State) -> Iterator[Source]:
    for slot in range(2 * s.springs):
        if s.head[slot] != NONE:
            yield Source(s.tip[slot], tuple(e for e in arm_segments(s, slot) if s.canal[e] == 1), 1)


# Ways


class _Walk:
    """Walks all ways of one source."""

    def __init__(self, ground: Ground, source: int, most: int, *, lean: bool) -> None:
        self.ground, self.source, self.most, self.lean = ground, source, most, lean
        self.old = ground.sources[source].old
        self.supply = list(ground.state.supply)
        self.trail: list[int] = []
        """The squares at stake that were fed on the way, in order."""
        self.points, self.segments = [ground.sources[source].point], list[int]()
        self.found: list[Way] = []
        self.visits = 0

    def run(self) -> list[Way]:
        """Lists the ways."""
        self._visit()
        return self.found

    def _feed(self, squares: list[int]) -> None:
        self.trail += squares
        for q in squares:
            self.supply[q] += 1

    def _undo(self, length: int) -> None:
        for q in self.trail[length:]:
            self.supply[q] -= 1
        del self.trail[length:]

    def _visit(self) -> None:
        self.visits += 1
        ground, length = self.ground, len(self.trail)
        self._double()
        if len(self.segments) == self.most:
            return
        for point, segment in ground.steps[self.points[-1]]:
            if point not in self.points:
                self.points.append(point)
                self.segments.append(segment)
                self._feed(ground.fed(segment, deep=False))
                self._visit()
                self._undo(length)
                self.points.pop()
                self.segments.pop()

    def _double(self) -> None:
        """Notes the way so far with no second canal, and with each number of them that it can have."""
        length, chain = len(self.trail), [*self.old, *self.segments]
        if self.segments and self._last_pays():
            self._note(())
        for n in range(1, min(len(chain), self.most - len(self.segments)) + 1):
            squares = self.ground.fed(chain[n - 1], deep=True)
            pays = self._pays(squares)
            self._feed(squares)
            if pays and (n == len(chain) or not self.segments or self._last_pays()):
                self._note(tuple(chain[:n]))
        self._undo(length)

    def _pays(self, squares: Iterable[int], laid: int = 0) -> bool:
        """Checks whether one canal more, or the one laid, can be worth its place; if not, no leanest plan has it."""
        goals = self.ground.goals
        return not self.lean or any(self.supply[q] - laid < goals.get(q, 0) for q in squares)

    def _last_pays(self) -> bool:
        return self._pays(self.ground.fed(self.segments[-1], deep=False), laid=1)

    def _note(self, doubled: tuple[int, ...]) -> None:
        feeds = tuple(Counter(self.trail).items())
        self.found.append(Way(self.source, tuple(self.points[1:]), tuple(self.segments), doubled, feeds))


def list_ways(ground: Ground, *, lean: bool, end: float = inf) -> tuple[list[Way], int]:
    """Lists the ways of all sources, and gets the most canals of a single way: all, unless that takes too long.

    With `lean` ways are left out whose last canal can never be worth its place.
    """
    most, begun = min(ground.canals, FIRST), time.perf_counter()
    while True:
        walks = [_Walk(ground, source, most, lean=lean) for source in range(len(ground.sources))]
        started = time.perf_counter()
        ways = [way for walk in walks for way in walk.run()]
        visits, took, longer = sum(walk.visits for walk in walks), time.perf_counter() - started, most
        left = (end - begun) / 3 - (time.perf_counter() - begun)  # the rest of the time is for choosing
        while longer < ground.canals and visits * GROWTH < MOST_VISITS and took * GROWTH < left:
            visits, took, longer = visits * GROWTH, took * GROWTH, longer + 1
        if longer == most:
            return ways, most
        most = longer


# The choice


class Row(NamedTuple):
    """A sum of chosen things that must not be more than a number."""

    terms: tuple[tuple[int, int], ...]
    """Variables and how often each counts."""
    most: int


@dataclass(frozen=True)
class Program:
    """The choice of ways and springs; variables are the ways, then the sites' springs, then the stakes."""

    ground: Ground
    ways: Sequence[Way]
    lean: bool
    """Whether of equal plans those with the fewest canals, then springs, are best; else all are equal."""

    @cached_property
    def sites(self) -> list[int]:
        """The sources that are sites for new springs."""
        return [i for i, source in enumerate(self.ground.sources) if source.site]

    @cached_property
    def spring(self) -> dict[int, int]:
        """The variable of each site's spring, by source."""
        return {source: len(self.ways) + i for i, source in enumerate(self.sites)}

    @property
    def first_stake(self) -> int:
        """The variable of the first stake."""
        return len(self.ways) + len(self.sites)

    @property
    def size(self) -> int:
        """How many variables there are."""
        return self.first_stake + len(self.ground.stakes)

    @cached_property
    def unit(self) -> int:
        """What a point is worth: more than all canals and springs together cost."""
        return self.most_cost + 1

    @property
    def most_cost(self) -> int:
        """What the most canals and springs cost."""
        return self.ground.canals * (self.ground.springs + 1) + self.ground.springs if self.lean else 0

    @cached_property
    def worth(self) -> list[int]:
        """What each variable adds to a plan's worth."""
        canal, spring = (self.ground.springs + 1, 1) if self.lean else (0, 0)
        ways = [-canal * way.canals for way in self.ways]
        return [*ways, *(-spring for _ in self.sites), *(self.unit * stake.points for stake in self.ground.stakes)]

    def points(self, worth: int) -> int:
        """Gets the points of a plan, or a bound of them, from its worth or a bound of that."""
        return (worth + self.most_cost) // self.unit

    @cached_property
    def by_source(self) -> list[list[int]]:
        """The ways of each source."""
        found: list[list[int]] = [[] for _ in self.ground.sources]
        for i, way in enumerate(self.ways):
            found[way.source].append(i)
        return found

    @cached_property
    def feeding(self) -> dict[int, list[tuple[int, int]]]:
        """The ways that feed each square, and by how many canals."""
        found = defaultdict(list)
        for i, way in enumerate(self.ways):
            for q, count in way.feeds:
                found[q].append((i, count))
        return found

    @cached_property
    def by_step(self) -> list[list[list[int]]]:
        """The ways of each source by their first step; those that only double come first."""
        found: list[dict[int, list[int]]] = [{} for _ in self.ground.sources]
        for i, way in enumerate(self.ways):
            found[way.source].setdefault(way.points[0] if way.points else NONE, []).append(i)
        return [list(steps.values()) for steps in found]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows that get a price."""
        return [row for build in BUILDERS for row in build(self)]

    @cached_property
    def basic_rows(self) -> list[Row]:
        """The rows that every bound obeys without a price."""
        return [*room_for_arms(self), *arms_need_springs(self), *springs_left(self)]


# The rules, a builder for each


def room_for_arms(program: Program) -> Iterator[Row]:
    """Says that an arm goes on in one way, and that a spring has two arms (section 3)."""
    for source, ways in zip(program.ground.sources, program.by_source, strict=True):
        if len(ways) > source.room:
            yield Row(tuple((way, 1) for way in ways), source.room)


def arms_need_springs(program: Program) -> Iterator[Row]:
    """Says that arms start at a new spring only if it is there, and not two by the same first step."""
    for source, spring in program.spring.items():
        for ways in program.by_step[source]:
            yield Row((*((way, 1) for way in ways), (spring, -1)), 0)
        if program.by_source[source]:
            yield Row((*((way, 1) for way in program.by_source[source]), (spring, -ARMS)), 0)


def springs_left(program: Program) -> Iterator[Row]:
    """Says how many springs may be new."""
    if program.sites:
        yield Row(tuple((spring, 1) for spring in program.spring.values()), program.ground.springs)


def canals_left(program: Program) -> Iterator[Row]:
    """Says how many canals may be laid."""
    yield Row(tuple((i, way.canals) for i, way in enumerate(program.ways)), program.ground.canals)


def arms_apart(program: Program) -> Iterator[Row]:
    """Says that arms never touch each other or a new spring [Q3]."""
    through = defaultdict(list)
    for i, way in enumerate(program.ways):
        for p in way.points:
            through[p].append((i, 1))
    for source, spring in program.spring.items():
        through[program.ground.sources[source].point].append((spring, 1))
    for terms in through.values():
        if len(terms) > 1:
            yield Row(tuple(terms), 1)


def springs_apart(program: Program) -> Iterator[Row]:
    """Says that new springs are far enough from each other [Q2]; they all are from those on the board."""
    ground = program.ground
    for i, a in enumerate(program.sites if ground.springs > 1 else []):
        for b in program.sites[:i]:
            if ground.layout.distance(ground.sources[a].point, ground.sources[b].point) < ground.layout.spring_distance:
                yield Row(((program.spring[a], 1), (program.spring[b], 1)), 1)


def water_needs_canals(program: Program) -> Iterator[Row]:
    """Says that the player's tiles count only with as much water as they need [Q5]."""
    for i, stake in enumerate(program.ground.stakes, start=program.first_stake):
        if stake.points > 0:
            ways = ((way, -min(count, stake.need)) for way, count in program.feeding.get(stake.square, ()))
            yield Row(((i, stake.need), *ways), 0)


def canals_give_water(program: Program) -> Iterator[Row]:
    """Says that other players' tiles count as soon as they have the water they need [Q5]."""
    for i, stake in enumerate(program.ground.stakes, start=program.first_stake):
        if stake.points < 0:
            feeding = program.feeding.get(stake.square, [])
            enough = [way for way, count in feeding if count >= stake.need]
            for group in _exclusive(program, enough, stake.square):
                yield Row((*((way, 1) for way in group), (i, -1)), 0)
            if stake.need > 1 and feeding:
                most = sum(source.room for source in program.ground.sources if not source.site)
                most += ARMS * program.ground.springs
                yield Row((*((way, min(count, 2)) for way, count in feeding), (i, 1 - 2 * most)), 1)


def _exclusive(program: Program, ways: Iterable[int], square: int) -> Iterable[list[int]]:
    """Groups ways that feed a square so that of each group one at most can be chosen, which makes strong rows."""
    groups = defaultdict(list)
    for i in ways:
        way = program.ways[i]
        at = (p for p, e in zip(way.points, way.segments, strict=True) if square in program.ground.fed(e, deep=True))
        key: tuple[str, int] = ("point", next(at, NONE))
        if key[1] == NONE:  # only a segment laid long ago feeds it: the arm is one that has begun
            key = "arm", way.source
        groups[key].append(i)
    return groups.values()


BUILDERS: tuple[Callable[[Program], Iterable[Row]], ...] = (
    canals_left, arms_apart, springs_apart, water_needs_canals, canals_give_water,
)  # fmt: skip


# Prices


def relax(program: Program, end: float = inf) -> list[int]:
    """Gets good prices for the rows from the linear relaxation, whose solver need not be trusted; or all 0."""
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
    """What no plan can exceed, with all of them and with a given way or spring, if rows have a price."""

    program: Program
    prices: Sequence[int]
    _rest: list[int] = field(init=False, repr=False)
    """What each variable is worth beyond what its rows cost, in parts of one."""

    def __post_init__(self) -> None:
        rest = [SCALE * worth for worth in self.program.worth]
        for row, price in zip(self.program.rows, self.prices, strict=True):
            for i, count in row.terms if price else ():
                rest[i] -= price * count
        object.__setattr__(self, "_rest", rest)

    @cached_property
    def _best(self) -> list[list[int]]:
        """The best rests of ways of each source by different first steps, as many as there is room for."""
        made = []
        for source, steps in zip(self.program.ground.sources, self.program.by_step, strict=True):
            tops = sorted((max(0, *(self._rest[i] for i in ways)) for ways in steps), reverse=True)
            made.append([*tops, *[0] * source.room][: source.room])
        return made

    @cached_property
    def _by_site(self) -> dict[int, int]:
        """What each site is worth with its best ways."""
        return {s: self._rest[v] + sum(self._best[s]) for s, v in self.program.spring.items()}

    @cached_property
    def _fixed(self) -> int:
        """What is sure for all plans: the rows' limits at their prices, the stakes, the arms on the board."""
        program = self.program
        limits = sum(row.most * price for row, price in zip(program.rows, self.prices, strict=True))
        stakes = sum(max(0, rest) for rest in self._rest[program.first_stake :])
        arms = sum(sum(best) for s, best in zip(program.ground.sources, self._best, strict=True) if not s.site)
        return limits + stakes + arms

    def _sites_worth(self, count: int, without: int = NONE) -> int:
        """Gets the most that some sites are worth together."""
        worths = (worth for s, worth in self._by_site.items() if s != without)
        return sum(worth for worth in heapq.nlargest(count, worths) if worth > 0)

    @cached_property
    def bound(self) -> int:
        """What no plan's worth exceeds."""
        return (self._fixed + self._sites_worth(self.program.ground.springs)) // SCALE

    @cached_property
    def bounds(self) -> list[int]:
        """What no plan's worth exceeds that has a given way, or a given site's spring."""
        ground, made = self.program.ground, list[int]()
        with_site = {
            s: self._fixed + worth + self._sites_worth(ground.springs - 1, without=s)
            for s, worth in self._by_site.items()
        }
        every = self._fixed + self._sites_worth(ground.springs)
        for i, way in enumerate(self.program.ways):
            weakest = self._best[way.source][-1]  # the least that must give way to this one
            made.append((with_site.get(way.source, every) - weakest + self._rest[i]) // SCALE)
        return [*made, *(with_site[s] // SCALE for s in self.program.sites)]


def narrow(prices: Prices, worth: int, end: float = inf) -> Prices:
    """Leaves out, as long as that helps and there is time, all ways that no plan of a worth can have."""
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


def _ways_of_worth(ground: Ground, ways: Sequence[Way], worth: int, end: float, *, lean: bool) -> Sequence[Way]:
    """Gets the ways that a plan of a worth can have, if there are no others."""
    program = Program(ground, ways, lean)
    prices = narrow(Prices(program, relax(program, end)), worth, end)
    return [way for way, bound in zip(prices.program.ways, prices.bounds, strict=False) if bound >= worth]


# For CP-SAT


class Choice(NamedTuple):
    """Sites for new springs, as sources, and ways."""

    sites: tuple[int, ...]
    ways: tuple[Way, ...]


def appraise(program: Program, choice: Choice) -> int:
    """Gets what a choice is worth."""
    fed = Counter[int]()
    for way in choice.ways:
        fed.update(dict(way.feeds))
    points = sum(stake.points for stake in program.ground.stakes if fed[stake.square] >= stake.need)
    canals = sum(way.canals for way in choice.ways)
    cost = canals * (program.ground.springs + 1) + len(choice.sites) if program.lean else 0
    return program.unit * points - cost


def choose_greedily(program: Program) -> Choice:
    """Takes ways of springs and arms on the board in the order of what each canal is worth by itself, as they fit."""
    ways = [way for way in program.ways if way.source not in program.spring]
    alone = {way: appraise(program, Choice((), (way,))) / way.canals for way in ways}
    chosen, taken, room = Choice((), ()), set[int](), [source.room for source in program.ground.sources]
    left = program.ground.canals
    for way in sorted(ways, key=lambda way: -alone[way]):
        more = Choice((), (*chosen.ways, way))
        fits = way.canals <= left and room[way.source] and taken.isdisjoint(way.points)
        if fits and alone[way] > 0 and appraise(program, more) > appraise(program, chosen):
            chosen, left = more, left - way.canals
            room[way.source] -= 1
            taken.update(way.points)
    return chosen


@dataclass(frozen=True)
class Chooser:
    """The program as a CP-SAT model, with some of its ways and springs."""

    program: Program
    model: Any
    variables: dict[int, Any]

    @classmethod
    def build(cls, program: Program, allowed: Iterable[int]) -> Chooser:
        """Builds the model; ways and springs that are not allowed are left out."""
        model = cpsat.load().CpModel()
        names = [*allowed, *range(program.first_stake, program.size)]
        variables = {i: model.new_bool_var(f"v{i}") for i in names}
        for row in [*program.basic_rows, *program.rows]:
            terms = [(variables[i], count) for i, count in row.terms if i in variables]
            if sum(max(0, count) for _, count in terms) > row.most:
                model.add(_weigh(terms) <= row.most)
        return cls(program, model, variables)

    @property
    def worth(self) -> Any:
        """What a plan is worth."""
        return _weigh([(variable, self.program.worth[i]) for i, variable in self.variables.items()])

    def read(self, value: Callable[[Any], int]) -> Choice:
        """Gets what is chosen."""
        chosen = [i for i, variable in self.variables.items() if i < self.program.first_stake and value(variable)]
        ways = tuple(self.program.ways[i] for i in chosen if i < len(self.program.ways))
        return Choice(tuple(self.program.sites[i - len(self.program.ways)] for i in chosen[len(ways) :]), ways)


def _weigh(terms: Sequence[tuple[Any, int]]) -> Any:
    expression = cpsat.load().LinearExpr
    return expression.weighted_sum([variable for variable, _ in terms], [count for _, count in terms])
