"""The board as a graph of ends, cut down to what a plan can reach, with each end's earliest turn.

An end is where some aqueduct stops now (a head), or where one would stop after leaving an empty square by a side (an
exit): tiles that lie there already are followed at once. So everything between two ends is one tile to be laid, and all
that a plan can ever change is which exits are reached, and when.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from aquakit.romana.kernel import EMPTY, NONE, State, Tables
from aquakit.romana.planner.plan_question import PlanQuestion

UNREACHABLE = 10**6
"""More turns or tiles than any plan has."""


@dataclass(frozen=True)
class End:
    """Where an aqueduct stops, or would stop."""

    number: int
    square: int
    """The empty square that an exit leaves; NONE for a head."""
    side: int
    face: int
    """The empty square that it faces, or NONE: then it cannot be extended."""
    entry: int
    """The side by which that square would be entered."""
    stand: int
    """The square on which the workman stands."""
    weight: int
    """Segments passed between the end before and this one."""
    head: int = NONE
    """The aqueduct that ends here now."""


@dataclass
class EndGraph:
    """The board as a graph of ends, cut down to what a number of turns can reach."""

    tables: Tables
    state: State
    turns: int
    voluntary: bool = True
    ends: list[End] = field(default_factory=list)
    exits: dict[tuple[int, int], int] = field(default_factory=dict)
    """The end at which water stops that leaves an empty square by a side; none where it would join an outlet [R3]."""
    enters: dict[tuple[int, int], int] = field(default_factory=dict)
    """The end that faces an empty square's side."""
    heads: dict[int, int] = field(default_factory=dict)
    """The end of each aqueduct that faces an empty square now."""

    @classmethod
    def of(cls, question: PlanQuestion) -> EndGraph:
        """Draws the graph for a question."""
        graph = cls(question.position.layout.tables, question.position.state, question.turns, question.voluntary)
        graph._find_heads()
        graph._find_exits()
        graph._find_entries()
        graph.may_cross = [True] * (question.turns + 1)
        graph.measure()
        return graph

    # The graph

    @cached_property
    def empty(self) -> list[int]:
        """The empty squares."""
        return [q for q in range(self.tables.squares) if self.state.tile[q] == EMPTY]

    @cached_property
    def open(self) -> list[int]:
        """The player's aqueducts with a workman on the board."""
        mine = self.state.open & self.tables.mine[self.state.player]
        return [a for a in range(self.tables.aqueducts) if mine >> a & 1]

    def _find_heads(self) -> None:
        s = self.state
        for a in range(self.tables.aqueducts):
            if s.face[a] != NONE and s.tile[s.face[a]] == EMPTY:
                self.heads[a] = len(self.ends)
                self.ends.append(End(len(self.ends), NONE, NONE, s.face[a], s.entry[a], s.stand[a], 0, a))

    def _find_exits(self) -> None:
        t, s = self.tables, self.state
        for q in self.empty:
            for side in range(4):
                edge = t.edge[4 * q + side]
                if s.own[edge] == NONE:
                    self.exits[q, side] = len(self.ends)
                    self.ends.append(self._exit(q, side, edge))

    def _exit(self, q: int, side: int, edge: int) -> End:
        """Follows loose tiles from an empty square's side to where they stop."""
        t, s = self.tables, self.state
        far, loose = s.other[edge], s.length[edge]
        here = 4 * q + side
        if loose:
            ports = [port for port in t.port[2 * far : 2 * far + 2] if port != NONE]
            here = next(port for port in ports if t.ports[s.tile[port >> 2]] >> (port & 3) & 1)
        beyond = next((port for port in t.port[2 * far : 2 * far + 2] if port not in (here, NONE)), NONE)
        blocked = beyond == NONE or s.tile[beyond >> 2] != EMPTY
        face, entry = (NONE, NONE) if blocked else (beyond >> 2, beyond & 3)
        return End(len(self.ends), q, side, face, entry, here >> 2, 1 + loose)

    def _find_entries(self) -> None:
        for end in self.ends:
            if end.face != NONE:
                self.enters[end.face, end.entry] = end.number

    # How soon

    def measure(self) -> None:
        """Finds each end's earliest turn, by each aqueduct and by any, and what can be reached at all."""
        extras = list(accumulate(self.may_cross[1:], initial=0))
        # Tiles that water can have passed after each turn: those built, and extra tiles laid in turns before.
        self.most_tiles = [0] + [t + extras[t - 1] for t in range(1, self.turns + 1)]
        self.by: dict[int, dict[int, int]] = {}
        self.tiles: dict[int, dict[int, int]] = {}
        for a in self.open:
            if a in self.heads:
                self.by[a] = self._turns_from(a, self.heads[a])
        self.built = self._earliest_builds(self.by.values())
        for a, head in self.heads.items():
            if a not in self.by:
                self.by[a] = self._passive_turns(a, head)
        self.earliest: dict[int, int] = {}
        self.labels: dict[int, list[int]] = {}
        for a, reached in self.by.items():
            for end, turn in reached.items():
                self.earliest[end] = min(turn, self.earliest.get(end, UNREACHABLE))
                self.labels.setdefault(end, []).append(a)
        faced = {self.ends[end].face for end in self.earliest}
        self.squares = sorted(q for q in faced if q != NONE)
        self.loops = {q: self._shortest_loop(q) for q in self.squares}
        """For each square, a lower bound on the further tiles by which water that leaves it comes back."""

    def _turn_of(self, tiles: int) -> int:
        """Gets the first turn after which water can have passed a number of new tiles."""
        return next((t for t, most in enumerate(self.most_tiles) if most >= tiles), UNREACHABLE)

    def _turns_from(self, a: int, head: int) -> dict[int, int]:
        """Finds the ends that an aqueduct can reach in time, by the fewest new tiles to each."""
        tiles, queue = {head: 0}, [head]
        for number in queue:
            for after in self.beyond(number):
                if after not in tiles and self._turn_of(tiles[number] + 1) <= self.turns:
                    tiles[after] = tiles[number] + 1
                    queue.append(after)
        self.tiles[a] = tiles
        return {end: self._turn_of(count) for end, count in tiles.items()}

    def _passive_turns(self, a: int, head: int) -> dict[int, int]:
        """Does the same for an aqueduct that only grows where the player builds: never before the first build there."""
        first = self.built.get(self.ends[head].face, UNREACHABLE)
        if first > self.turns:
            self.tiles[a] = {head: 0}
            return {head: 0}
        return {end: max(turn, first) if end != head else 0 for end, turn in self._turns_from(a, head).items()}

    def _shortest_loop(self, q: int) -> int:
        starts = [self.exits[q, side] for side in range(4) if (q, side) in self.exits]
        tiles, queue = dict.fromkeys(starts, 0), list(starts)
        for number in queue:
            if self.ends[number].face == q:
                return tiles[number]
            if tiles[number] > self.most_tiles[self.turns]:
                break
            for after in self.beyond(number):
                if after not in tiles:
                    tiles[after] = tiles[number] + 1
                    queue.append(after)
        return UNREACHABLE

    def beyond(self, number: int) -> list[int]:
        """Lists the exits of the square that an end faces."""
        end = self.ends[number]
        if end.face == NONE:
            return []
        sides = (side for side in range(4) if side != end.entry)
        return [self.exits[end.face, side] for side in sides if (end.face, side) in self.exits]

    def _earliest_builds(self, reaches: Iterable[dict[int, int]]) -> dict[int, int]:
        builds: dict[int, int] = {}
        for reached in reaches:
            for end, turn in reached.items():
                face = self.ends[end].face
                builds[face] = min(turn + 1, builds.get(face, UNREACHABLE))
        return builds

    # What is asked of it

    def entering(self, q: int) -> list[End]:
        """Lists the ends that can come to face a square."""
        found = (self.enters.get((q, side)) for side in range(4))
        return [self.ends[n] for n in found if n is not None and n in self.earliest]

    def is_mine(self, number: int) -> bool:
        """Checks whether an open aqueduct of the player can reach an end."""
        return any(a in self.open for a in self.labels.get(number, ()))

    def workmen(self, t: int) -> list[End]:
        """Lists the ends at which an open workman of the player can stand when a turn begins, with room ahead."""
        found = (self.ends[number] for number, first in self.earliest.items() if first < t)
        return [end for end in found if end.face != NONE and self.is_mine(end.number)]

    def sees(self, end: End) -> tuple[int, ...]:
        """Gets the path squares in sight from an end."""
        return tuple(self.tables.sight[4 * end.stand : 4 * end.stand + 4])

    @property
    def elsewhere(self) -> list[int]:
        """The empty squares that no end can come to face: extra tiles there change nothing."""
        return [q for q in self.empty if q not in self.squares]

    @cached_property
    def base(self) -> dict[int, int]:
        """The length of each of the player's open aqueducts now."""
        return {a: self.state.length[self.state.tip[a]] for a in self.open}

    may_cross: list[bool] = field(default_factory=list)
    """Whether an extra tile can be won in a turn."""
