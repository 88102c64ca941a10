"""All ways that an aqueduct can still take: the second witness of a longest one, which knows no model and no solver.

A way enters an empty square by one side and leaves it by another; between two empty squares it may run along a loose
path. No side of a square is used twice, so a square is passed once, or twice by the two segments of one tile. Where it
is passed once, a two-segment tile may lie there too; that its spare segment may join others' ends [R3] is left out,
which can only make ways look longer. So where no way is longer, no tiles are; a longer way is tried by the rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from aquakit.romana.kernel import CODES, EMPTY, KIND_OF, KINDS, NONE, SEGMENTS, State, Tables
from aquakit.romana.position import Position

Pair: TypeAlias = frozenset[int]
"""Two sides of a square, joined by a segment."""
Way: TypeAlias = tuple[tuple[int, Pair], ...]
"""The squares that are passed, in order, each with the sides of entry and exit."""

CURVE, STRAIGHT, BRIDGE, DOUBLE = (KINDS.index(letter) for letter in "csbd")
TILES = {frozenset(map(frozenset, segments)): code for code, segments in enumerate(SEGMENTS) if segments}
"""The tile code of each set of segments."""
SINGLE = {pair: KIND_OF[TILES[frozenset({pair})]] for (pair,) in (key for key in TILES if len(key) == 1)}
"""Each pair of sides, with the kind of the tile that joins only them."""
OTHER = {pair: frozenset(range(4)) - pair for pair in SINGLE}
"""The sides that the other segment of a two-segment tile joins."""
TWICE = {CURVE: DOUBLE, STRAIGHT: BRIDGE}
"""The kind of tile that has two such segments."""
LOOKS = 256
"""After so many steps there is a look at the clock."""


class OutOfTime(Exception):
    """The time was too short to look at all ways."""


class Beyond(NamedTuple):
    """What lies beyond a side of an empty square."""

    port: int
    """The port by which the next empty square is entered, or NONE."""
    length: int
    """Segments of the loose path on the way there."""
    shut: bool
    """Whether an aqueduct ends here, which must not be joined [R3]."""


def look_beyond(t: Tables, s: State) -> dict[int, Beyond]:
    """Finds what lies beyond each port of the empty squares."""
    found = {}
    for port in (4 * q + side for q in range(t.squares) if s.tile[q] == EMPTY for side in range(4)):
        edge = t.edge[port]
        far = 2 * s.other[edge]
        facing = [p for p in t.port[far : far + 2] if p not in (NONE, port) and s.tile[p >> 2] == EMPTY]
        if s.own[edge] != NONE:
            found[port] = Beyond(NONE, 0, True)
        else:
            found[port] = Beyond(facing[0] if facing else NONE, int(s.length[edge]), False)
    return found


class WaySearch:
    """Goes through all ways of an aqueduct, as far as they can become longer than a length."""

    def __init__(self, position: Position, aqueduct: str, length: int, seconds: float) -> None:
        t, s = position.layout.tables, position.state
        number = position.layout.aqueduct_index[aqueduct]
        self._beyond, self._beat = look_beyond(t, s), length
        self._length, self._face, self._entry = int(s.length[s.tip[number]]), int(s.face[number]), int(s.entry[number])
        curves, straights, bridges, doubles = (int(s.stock[kind]) for kind in (CURVE, STRAIGHT, BRIDGE, DOUBLE))
        self._first = {CURVE: curves + doubles, STRAIGHT: straights + bridges}
        """So many more squares can be passed for the first time by each kind of segment."""
        self._second = {CURVE: doubles, STRAIGHT: bridges}
        """So many more can be passed for the second time."""
        self._passed: dict[int, Pair] = {}
        """The squares that were passed once, or twice, with the first pass."""
        self._used: set[int] = set()
        self._seen: set[tuple[int, frozenset[int], int]] = set()
        self._way: list[tuple[int, Pair]] = []
        self._until = time.perf_counter() + seconds
        self.steps = 0
        """So many moments of ways were looked at."""

    def run(self) -> Way | None:
        """Finds a way that is longer; none if there is none. OutOfTime if that is not known."""
        if self._face < 0 or 4 * self._face not in self._beyond:
            return None
        return self._go_on(4 * self._face + self._entry, self._length)

    def _go_on(self, port: int, length: int) -> Way | None:
        """Goes on from where a way enters an empty square, or one that was passed once."""
        if length > self._beat:
            return tuple(self._way)
        self.steps += 1
        if self.steps % LOOKS == 0 and time.perf_counter() > self._until:
            raise OutOfTime
        moment = port, frozenset(self._used), self._second[STRAIGHT]
        if moment in self._seen or length + self._most(port) <= self._beat:
            return None
        self._seen.add(moment)
        q = port >> 2
        for pair in self._segments(port):
            left = self._second if q in self._passed else self._first
            kind = SINGLE[pair]
            leave = next(4 * q + side for side in pair if 4 * q + side != port)
            beyond = self._beyond[leave]
            if not left[kind] or beyond.shut or leave in self._used:
                continue
            found = self._pass(port, leave, pair, beyond, length)
            if found is not None:
                return found
        return None

    def _segments(self, port: int) -> Iterator[Pair]:
        """Lists the segments by which a way can pass a square from a port."""
        q, entry = port >> 2, port & 3
        if q in self._passed:
            yield OTHER[self._passed[q]]
        else:
            yield from (frozenset((entry, leave)) for leave in range(4) if leave != entry)

    def _pass(self, port: int, leave: int, pair: Pair, beyond: Beyond, length: int) -> Way | None:
        """Passes a square, goes on, and takes it back."""
        q = port >> 2
        again = q in self._passed
        left = self._second if again else self._first
        left[SINGLE[pair]] -= 1
        self._passed.setdefault(q, pair)
        self._used |= {port, leave}
        self._way.append((q, pair))
        made = length + 1 + beyond.length
        if beyond.port != NONE:
            found = self._go_on(beyond.port, made)
        else:
            found = tuple(self._way) if made > self._beat else None
        self._way.pop()
        self._used -= {port, leave}
        if not again:
            del self._passed[q]
        left[SINGLE[pair]] += 1
        return found

    def _most(self, port: int) -> int:
        """Gets an upper bound of what can follow: every square within reach passed as often as its open sides allow."""
        beyond, used = self._beyond, self._used
        squares, waiting, sides = {port >> 2}, [port >> 2], dict[int, int]()
        paths, last = 0, 0
        while waiting:
            q = waiting.pop()
            open_sides = 0
            for side in range(4):
                here = 4 * q + side
                if here in used:
                    continue
                there = beyond[here]
                if there.port == NONE:
                    last = max(last, there.length)
                elif there.port not in used:
                    paths += there.length
                    open_sides += 1
                    if there.port >> 2 not in squares:
                        squares.add(there.port >> 2)
                        waiting.append(there.port >> 2)
                if here == port and (there.port == NONE or there.port in used):
                    open_sides += 1
            sides[q] = open_sides
        first = sum(q not in self._passed and number >= 2 for q, number in sides.items())
        second = sum(number >= 2 if q in self._passed else number == 4 for q, number in sides.items())
        # Only the last pass may leave by a side that leads nowhere.
        return min(first, sum(self._first.values())) + min(second, sum(self._second.values())) + paths // 2 + last + 1


def write_tiles(position: Position, way: Way) -> str:
    """Writes the tiles of a way, where it passes a square once with the tile of one segment if there are enough."""
    segments = dict[int, set[Pair]]()
    for q, pair in way:
        segments.setdefault(q, set()).add(pair)
    left = [int(number) for number in position.state.stock]
    codes = {q: TILES[frozenset(pairs)] for q, pairs in segments.items() if len(pairs) == 2}
    for code in codes.values():
        left[KIND_OF[code]] -= 1
    for q, pairs in segments.items():
        if q not in codes:
            (pair,) = pairs
            codes[q] = TILES[frozenset(pairs if left[SINGLE[pair]] else {pair, OTHER[pair]})]
            left[KIND_OF[codes[q]]] -= 1
    names = position.layout.square_names
    return " ".join(f"{names[q]}={CODES[codes[q]]}" for q in segments)
