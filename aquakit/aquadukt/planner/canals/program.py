"""States as an integer program which canals water the most houses: every arm takes one way in which it can go on.

A `Program` chooses ways and new springs: a variable 0 or 1 for each, a worth for each, and linear rows that say what
the rules allow. Each row comes from a builder for one rule. Section numbers and ids such as [Q3] are those of the
rules page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from aquakit.aquadukt.kernel import NONE
from aquakit.aquadukt.planner.canals.ways import ARMS, ArmWay, CanalGround


class LinearRow(NamedTuple):
    """A linear constraint: a weighted sum of variables is no more than a number."""

    terms: tuple[tuple[int, int], ...]
    """Variables and how often each counts."""
    most: int


@dataclass(frozen=True)
class Program:
    """The choice of ways and springs; variables are the ways, then the sites' springs, then the stakes."""

    ground: CanalGround
    ways: Sequence[ArmWay]
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
    def rows(self) -> list[LinearRow]:
        """The rows that get a price."""
        return [row for build in BUILDERS for row in build(self)]

    @cached_property
    def basic_rows(self) -> list[LinearRow]:
        """The rows that every bound obeys without a price."""
        return [*room_for_arms(self), *arms_need_springs(self), *springs_left(self)]


# The rules, a builder for each


def room_for_arms(program: Program) -> Iterator[LinearRow]:
    """Says that an arm goes on in one way, and that a spring has two arms (section 3)."""
    for source, ways in zip(program.ground.sources, program.by_source, strict=True):
        if len(ways) > source.room:
            yield LinearRow(tuple((way, 1) for way in ways), source.room)


def arms_need_springs(program: Program) -> Iterator[LinearRow]:
    """Says that arms start at a new spring only if it is there, and not two by the same first step."""
    for source, spring in program.spring.items():
        for ways in program.by_step[source]:
            yield LinearRow((*((way, 1) for way in ways), (spring, -1)), 0)
        if program.by_source[source]:
            yield LinearRow((*((way, 1) for way in program.by_source[source]), (spring, -ARMS)), 0)


def springs_left(program: Program) -> Iterator[LinearRow]:
    """Says how many springs may be new."""
    if program.sites:
        yield LinearRow(tuple((spring, 1) for spring in program.spring.values()), program.ground.springs)


def canals_left(program: Program) -> Iterator[LinearRow]:
    """Says how many canals may be laid."""
    yield LinearRow(tuple((i, way.canals) for i, way in enumerate(program.ways)), program.ground.canals)


def arms_apart(program: Program) -> Iterator[LinearRow]:
    """Says that arms never touch each other or a new spring [Q3]."""
    through = defaultdict(list)
    for i, way in enumerate(program.ways):
        for p in way.points:
            through[p].append((i, 1))
    for source, spring in program.spring.items():
        through[program.ground.sources[source].point].append((spring, 1))
    for terms in through.values():
        if len(terms) > 1:
            yield LinearRow(tuple(terms), 1)


def springs_apart(program: Program) -> Iterator[LinearRow]:
    """Says that new springs are far enough from each other [Q2]; they all are from those on the board."""
    ground = program.ground
    for i, a in enumerate(program.sites if ground.springs > 1 else []):
        for b in program.sites[:i]:
            if ground.layout.distance(ground.sources[a].point, ground.sources[b].point) < ground.layout.spring_distance:
                yield LinearRow(((program.spring[a], 1), (program.spring[b], 1)), 1)


def water_needs_canals(program: Program) -> Iterator[LinearRow]:
    """Says that the player's tiles count only with as much water as they need [Q5]."""
    for i, stake in enumerate(program.ground.stakes, start=program.first_stake):
        if stake.points > 0:
            ways = ((way, -min(count, stake.need)) for way, count in program.feeding.get(stake.square, ()))
            yield LinearRow(((i, stake.need), *ways), 0)


def canals_give_water(program: Program) -> Iterator[LinearRow]:
    """Says that other players' tiles count as soon as they have the water they need [Q5]."""
    for i, stake in enumerate(program.ground.stakes, start=program.first_stake):
        if stake.points < 0:
            feeding = program.feeding.get(stake.square, [])
            enough = [way for way, count in feeding if count >= stake.need]
            for group in _exclusive(program, enough, stake.square):
                yield LinearRow((*((way, 1) for way in group), (i, -1)), 0)
            if stake.need > 1 and feeding:
                most = sum(source.room for source in program.ground.sources if not source.site)
                most += ARMS * program.ground.springs
                yield LinearRow((*((way, min(count, 2)) for way, count in feeding), (i, 1 - 2 * most)), 1)


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


BUILDERS: tuple[Callable[[Program], Iterable[LinearRow]], ...] = (
    canals_left, arms_apart, springs_apart, water_needs_canals, canals_give_water,
)  # fmt: skip
