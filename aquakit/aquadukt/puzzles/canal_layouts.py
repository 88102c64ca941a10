"""All layouts of some more canals of Aquädukt, by the kernel's own rules, and what they are worth to a player."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Annotated, NamedTuple

from pydantic import Field

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import FREE, MOUNTAIN, NONE, State, Work, X, Y
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.planner.canals.result import CanalPlan
from aquakit.aquadukt.position import Position
from aquakit.core.tomlfile import Table
from aquakit.core.words import count
from aquakit.puzzle.model import Puzzle

MOST_LAYOUTS = 300_000
"""So many layouts are looked at, which takes some ten seconds."""
SECONDS = 60.0
"""How long CP-SAT may take."""
MOST_SUPPLY = 12
"""Two canals on each of a square's four sides, and a double one a square off on each."""

Worth = Callable[[int, int], int]
"""What a square's tile is worth at a supply, to the player who is asked for."""


class GivenPlayer(Table):
    """What a puzzle says beside position and horizon."""

    player: Annotated[int, Field(strict=True, ge=1)] | None = None
    alone: Annotated[bool, Field(strict=True)] = False


@dataclass(frozen=True)
class CanalsAsked:
    """What is asked."""

    position: Position
    canals: int
    player: int
    alone: bool

    @classmethod
    def read(cls, puzzle: Puzzle) -> CanalsAsked:
        """Reads a puzzle; what cannot be asked like that is a PuzzleError."""
        start, given = puzzle.start, puzzle.read_given(GivenPlayer)
        if not isinstance(start, Position) or start.is_over or start.played:
            raise puzzle.error("position", "is not the start of a turn of Aquädukt", "one in which canals can be laid")
        if not 1 <= puzzle.horizon <= start.canals_left:
            raise puzzle.error("horizon", str(puzzle.horizon), f"1 … {start.canals_left}, the canals left")
        if given.player is not None and given.player > start.layout.players:
            raise puzzle.error("given.player", str(given.player), f"1 … {start.layout.players}")
        return cls(start, puzzle.horizon, given.player or start.state.player + 1, given.alone)

    def points(self, position: Position) -> int:
        """Gets what a board is worth."""
        return net_points(position.scores(), self.player, alone=self.alone)

    def plan(self, position: Position, canals: int, stop: threading.Event | None = None) -> CanalPlan:
        """Lets CP-SAT find the best layout of some canals."""
        against = not self.alone
        return plan_canals(position, canals=canals, player=self.player, against=against, seconds=SECONDS, stop=stop)


def net_points(scores: Sequence[int], player: int, *, alone: bool) -> int:
    """Gets a player's points less those of all others together, or alone.

    >>> net_points((7, 3, 2), 1, alone=False), net_points((7, 3, 2), 1, alone=True)
    (2, 7)
    """
    return scores[player - 1] if alone else 2 * scores[player - 1] - sum(scores)


def name_others(position: Position) -> str:
    """Says whose houses are taken off."""
    return "those of the other player" if position.layout.players == 2 else "those of all others together"


# All layouts


class Laid(NamedTuple):
    """A layout of some more canals."""

    segments: tuple[int, ...]
    """In an order in which they can be laid."""
    supply: tuple[int, ...]
    value: int


def tile_worth(position: Position, player: int, *, alone: bool) -> Callable[[int, int, int], int]:
    """Gets a function that says what a tile on a square is worth to a player at a supply, as the kernel counts it."""
    tables, probe = position.layout.tables, position.state

    @cache
    def worth(square: int, tile: int, supply: int) -> int:
        if not FREE < tile < MOUNTAIN or not supply:
            return 0
        probe.tile[square], probe.supply[square] = tile, supply
        points = kernel.worth(tables, probe, square)
        return points if (tile - 1) >> 2 == player - 1 else 0 if alone else -points

    return worth


class Layouts:
    """All layouts of some more canals, by the kernel's own rules."""

    def __init__(self, position: Position, worth: Worth, canals: int) -> None:
        self._layout, self._tables, self._state = position.layout, position.layout.tables, position.state
        self._work = Work.new(position.layout.sizes)
        self._worth, self._canals = worth, canals
        self._fed = cache(self._feed)

    def every(self, is_beaten: Callable[[int, int], bool] | None = None) -> Iterator[Laid]:
        """Iterates over the layouts, each once, the empty one first.

        If a value and a number of canals left are beaten, what comes of a layout is left out.
        """
        supply = tuple(self._state.supply)
        value = sum(self._worth(square, canals) for square, canals in enumerate(supply))
        beaten = is_beaten or (lambda value, left: False)
        return self._more(self._state, Laid((), supply, value), self._canals, frozenset(), beaten)

    def _more(
        self,
        state: State,
        laid: Laid,
        left: int,
        passed: frozenset[tuple[int, int]],
        is_beaten: Callable[[int, int], bool],
    ) -> Iterator[Laid]:
        """Goes on from a layout; a canal that was passed by is not laid later, so that each layout has one order."""
        yield laid
        if not left or is_beaten(laid.value, left):
            return
        for code in self._work.actions[: kernel.canals(self._tables, state, self._work, 0)]:
            segment = code >> X & 2047
            canal = segment, state.canal[segment]
            if canal in passed:
                continue
            more = self._lay(laid, *canal)
            if left == 1 or is_beaten(more.value, left - 1):
                yield more
            else:
                after = state.copy()
                kernel.dig(self._tables, after, segment, code >> Y)
                yield from self._more(after, more, left - 1, passed, is_beaten)
            passed |= {canal}

    def _lay(self, laid: Laid, segment: int, second: int) -> Laid:
        supply, value = list(laid.supply), laid.value
        for square in self._fed(segment, second):
            value += self._worth(square, supply[square] + 1) - self._worth(square, supply[square])
            supply[square] += 1
        return Laid((*laid.segments, segment), tuple(supply), value)

    def _feed(self, segment: int, second: int) -> list[int]:
        """Lists the squares that a first or a second canal feeds [Q4] [Q5], asked of the kernel."""
        state = self._layout.bare_state()
        kernel.feed(self._tables, state, segment, 2 * second)
        return [square for square, fed in enumerate(state.supply) if fed]

    def hopes(self) -> list[int]:
        """Bounds what 0, 1, 2 … canals more can add: the most that so many can by themselves, where they can be laid.

        More water never makes a tile worth less to its owner (section 5), so what it adds at most is known beforehand.
        """
        tips = {point for point in self._state.tip[: 2 * self._state.springs] if point != NONE}
        most = []
        for segment in self._layout.segment_index.values():
            laid = self._state.canal[segment]
            if laid or self._distance(segment, tips) < self._canals:
                most += [self._hope(segment, second) for second in range(laid, 2)]
        most = sorted(most, reverse=True)[: self._canals]
        return list(accumulate(most + [0] * (self._canals - len(most)), initial=0))

    def _distance(self, segment: int, tips: set[int]) -> int:
        """Counts the steps from the nearest point at which an arm can go on."""
        ends = [way // 4 for way, along in enumerate(self._tables.along) if along == segment]
        return min((self._layout.distance(a, b) for a in ends for b in tips), default=self._canals)

    def _hope(self, segment: int, second: int) -> int:
        supply = self._state.supply
        return sum(
            max(0, self._worth(square, MOST_SUPPLY) - self._worth(square, supply[square]))
            for square in self._fed(segment, second)
        )


class BestLayouts(NamedTuple):
    """What all layouts come to."""

    value: int
    best: list[Laid]
    second: int | None
    """The next lower value that a layout has, if any."""
    seen: int
    """Layouts looked at; those that come of them and cannot be among the best two values are not counted."""


def look_at_all(question: CanalsAsked) -> BestLayouts | None:
    """Finds the best layouts and the next lower value, or nothing if there are too many layouts to look at."""
    position, tiles = question.position, question.position.state.tile
    worth = tile_worth(position, question.player, alone=question.alone)
    layouts = Layouts(position, lambda square, supply: worth(square, tiles[square], supply), question.canals)
    hopes, best, second, seen = layouts.hopes(), list[Laid](), None, 0

    def is_beaten(value: int, left: int) -> bool:
        return second is not None and value + hopes[left] <= second

    for laid in layouts.every(is_beaten):
        seen += 1
        if seen > MOST_LAYOUTS:
            return None
        if not best or laid.value > best[0].value:
            second, best = best[0].value if best else None, [laid]
        elif laid.value == best[0].value:
            best.append(laid)
        elif second is None or laid.value > second:
            second = laid.value
    return BestLayouts(best[0].value, best, second, seen)


def look_closely(puzzle: Puzzle, question: CanalsAsked) -> BestLayouts:
    """Looks at all layouts; PuzzleError if there are too many."""
    found = look_at_all(question)
    if found is None:
        raise puzzle.error("horizon", f"more than {count(MOST_LAYOUTS, 'layout')} to look at", "fewer canals")
    return found
