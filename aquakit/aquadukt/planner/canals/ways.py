"""What a position leaves for canals: a `CanalGround`, and every `ArmWay` in which one of its arms can go on.

Section numbers and ids such as [Q3] are those of the rules page.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import FREE, MOUNTAIN, NONE, State, Tables
from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import arm_segments

ARMS = 2
"""The most arms of a spring."""
MOST_VISITS = 1_000_000
"""The most ways looked at for a plan; where there are more, the ways of a single arm are cut short."""
FIRST_CANALS = 4
"""The canals of a single way with which listing begins; they are increased as far as time allows."""
GROWTH = 3
"""The factor by which one canal more multiplies the ways, about and at most."""


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


class ArmWay(NamedTuple):
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
class CanalGround:
    """What a position leaves to be laid and watered."""

    layout: Layout
    state: State
    canals: int
    springs: int
    stakes: tuple[Stake, ...]
    sources: tuple[Source, ...]

    @classmethod
    def of(cls, layout: Layout, state: State, canals: int, springs: int, player: int, *, against: bool) -> CanalGround:
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

    def __init__(self, ground: CanalGround, source: int, most: int, *, lean: bool) -> None:
        self.ground, self.source, self.most, self.lean = ground, source, most, lean
        self.old = ground.sources[source].old
        self.supply = list(ground.state.supply)
        self.trail: list[int] = []
        """The squares at stake that were fed on the way, in order."""
        self.points, self.segments = [ground.sources[source].point], list[int]()
        self.found: list[ArmWay] = []
        self.visits = 0

    def run(self) -> list[ArmWay]:
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
        """Checks whether one canal more, or the one laid, can be worth its place: a dominance rule for lean plans."""
        goals = self.ground.goals
        return not self.lean or any(self.supply[q] - laid < goals.get(q, 0) for q in squares)

    def _last_pays(self) -> bool:
        return self._pays(self.ground.fed(self.segments[-1], deep=False), laid=1)

    def _note(self, doubled: tuple[int, ...]) -> None:
        feeds = tuple(Counter(self.trail).items())
        self.found.append(ArmWay(self.source, tuple(self.points[1:]), tuple(self.segments), doubled, feeds))


def list_ways(ground: CanalGround, *, lean: bool, end: float = inf) -> tuple[list[ArmWay], int]:
    """Lists the ways of all sources, and gets the most canals of a single way: all, unless that takes too long.

    With `lean` ways are left out whose last canal can never be worth its place.
    """
    most, begun = min(ground.canals, FIRST_CANALS), time.perf_counter()
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
