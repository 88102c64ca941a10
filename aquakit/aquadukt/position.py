"""Position: the immutable value people hold, in names, on top of the plain kernel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, Self

from aquakit.aquadukt import kernel, notation, reasons
from aquakit.aquadukt.kernel import FREE, HIDDEN, MOUNTAIN, NONE, OVER, ROLL, SHOW, TURN, State, X
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.mountains import place_mountains
from aquakit.aquadukt.notation import (
    EVENTS,
    Action,
    Turn,
    arm_segments,
    arms_in_order,
    check_names,
    mountains_in_order,
    put_mountain,
    reading_order,
    tile_text,
)
from aquakit.core.options import read_whole
from aquakit.core.position import BasePosition
from aquakit.errors import InvalidOption


class Arm(NamedTuple):
    """An arm of canals, from its spring outwards.

    >>> arm = Position.start("aquadukt2").play("spring 3.5").play("canal 3.5h, canal 3.5h").arms[0]
    >>> arm.spring, arm.steps, arm.segments, arm.end, arm.doubles
    ('3.5', 'E', ('3.5h',), '4.5', 1)
    """

    spring: str
    """The spring's point."""
    steps: str
    """Its segments as steps n e s w, capital where double."""
    segments: tuple[str, ...]
    points: tuple[str, ...]
    """The points it touches; the first is the spring's."""

    @property
    def doubles(self) -> int:
        """How many of its segments are double."""
        return sum(step.isupper() for step in self.steps)

    @property
    def end(self) -> str:
        """The point from which it can go on."""
        return self.points[-1]


class Position(BasePosition[Action]):
    """A position of Aquädukt: the start of a turn, a moment inside one, or a finished game.

    >>> p = Position.start("aquadukt2", seed=1)
    >>> len(p.actions()), p.hands[0], p.canals_left, p.springs_left, len(p.mountains)
    (114, (8, 8, 8, 4), 36, 5, 8)
    >>> p = p.play("spring 3.5").play("canal 3.5h, canal 4.5v")
    >>> p.springs, p.canals, [arm.steps for arm in p.arms], p.supply["d6"]
    (('3.5',), {'3.5h': 1, '4.5v': 1}, ['en'], 2)
    >>> moment = p.act("roll").act("die 4")
    >>> moment.die, moment.rolls, moment.act("3 a6").tiles
    (4, 1, {'a6': 'A3'})
    >>> p.layout.title
    'Aquädukt for two players'
    """

    __slots__ = ()

    kernel: ClassVar[ModuleType] = kernel
    notation: ClassVar[ModuleType] = notation
    reasons: ClassVar[ModuleType] = reasons
    layout_type = Layout
    turn_type = Turn
    title = "Aquädukt"
    wishes: ClassVar[Mapping[str, str]] = {"events": "With events: mountains hide mineral or foul water"}

    _layout: Layout
    _state: State
    _start: State
    _played: Turn

    # Making positions

    @classmethod
    def start(
        cls,
        layout: str | Path | Layout = "aquadukt2",
        *,
        seed: int = 0,
        mountains: Iterable[str] | None = None,
        events: bool | str = False,
    ) -> Position:
        """Creates the start of a game.

        Mountains are drawn by the seed, or given as squares. With events, mountains keep their distance [Q7], and
        their kinds are drawn too, or given as letters m and f in reading order.

        >>> Position.start("aquadukt2", seed=1) == Position.start("aquadukt2", seed=1)
        True
        >>> Position.start("aquadukt2-6x5", mountains=["a5", "f4"], events="mf").mountains
        {'a5': 'm', 'f4': 'f'}
        """
        layout = Layout.load(layout)
        squares, kinds = place_mountains(layout, seed, mountains, events)
        s = layout.bare_state()
        for square, kind in zip(sorted(squares, key=lambda q: reading_order(layout, q)), kinds, strict=True):
            put_mountain(layout, s, square, kind)
        s.left = layout.canals
        s.hand[: 4 * layout.players] = layout.tiles * layout.players
        s.phase = TURN
        return cls(layout, s)

    def view(self) -> Self:
        """Gets what the players see: the mountains' events are hidden.

        >>> Position.start("aquadukt2-6x5", mountains=["a5", "f4"], events="mf").view().mountains
        {'a5': '?', 'f4': '?'}
        """
        if not any(event not in (0, HIDDEN) for event in self._state.event):
            return self
        now, start = self._state.copy(), self._start.copy()
        for s in (now, start):
            s.event[:] = [HIDDEN if event else 0 for event in s.event]
        return type(self)(self._layout, now, start, self._played)

    # What the frame asks

    def _encode(self, action: Action) -> int | None:
        check_names(self._layout, action)
        return next((code for code in self._codes() if self._decode(code) == action), None)

    # Deciding

    def turns(self, dice: Iterable[int] | None = None) -> Iterator[Turn]:
        """Iterates over the complete legal turns without dice, or over those with houses for given rolls.

        Rolls are the numbers that the die shows in order; one that names a region without a free square does not
        count. A turn that needs more rolls than are given is left out.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> sum(1 for turn in p.turns()), sum(1 for turn in p.turns(dice=(2, 3)))
        (39, 266)
        >>> str(next(p.turns(dice=(2,))))
        'roll, die 2, decline'
        """
        if dice is None:
            return self._complete(Position._without_dice)
        if not isinstance(dice, Iterable):
            raise InvalidOption("dice", repr(dice), "numbers in a row, such as (7, 3, 12)")
        regions = len(self._layout.regions)
        rolls = tuple(read_whole("dice", roll, least=1, most=regions) for roll in dice)
        return self._complete(Position._with_dice, rolls)

    def _without_dice(self, rolls: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
        return [code for code in self._codes() if code & 7 not in (ROLL, SHOW)], rolls

    def _with_dice(self, rolls: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
        """Gets what can be decided if the die shows the next roll that counts, and the rolls left after it."""
        codes = self._codes()
        if self._state.phase == TURN:
            return [code for code in codes if code & 7 == ROLL], rolls
        if not self.is_chance:
            return codes, rolls
        shown = {(code >> X) + 1: code for code in codes}
        while rolls and rolls[0] not in shown:
            rolls = rolls[1:]
        return [shown[rolls[0]]] if rolls else [], rolls[1:]

    # Reading

    @property
    def layout(self) -> Layout:
        """The board as data."""
        return self._layout

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """Each player's tiles of value 1, 2, 3 and 4."""
        return tuple(tuple(self._state.hand[4 * p : 4 * p + 4]) for p in range(self._layout.players))

    @property
    def tiles(self) -> dict[str, str]:
        """The tile on each square that holds one, such as B3."""
        names = self._layout.square_names
        return {names[q]: tile_text(code) for q, code in enumerate(self._state.tile) if FREE < code < MOUNTAIN}

    @property
    def mountains(self) -> dict[str, str]:
        """The mountains' squares as one reads, each with its event: m, f, ? for hidden, or nothing."""
        pairs = mountains_in_order(self._state)
        return {self._layout.square_names[square]: EVENTS.get(event, "") for square, event in pairs}

    @property
    def springs(self) -> tuple[str, ...]:
        """The springs' points, in the order they were placed."""
        return tuple(self._layout.point_names[p] for p in self._state.spring[: self._state.springs])

    @property
    def springs_left(self) -> int:
        """Springs not yet placed."""
        return self._layout.springs - self._state.springs

    @property
    def canals_left(self) -> int:
        """Canals not yet laid."""
        return self._state.left

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms of canals, by spring."""
        return tuple(self._arm(slot, steps) for slot, steps in arms_in_order(self._layout, self._state))

    def _arm(self, slot: int, steps: str) -> Arm:
        layout, s = self._layout, self._state
        point = s.spring[slot // 2]
        points = [point]
        for step in steps.lower():
            point = layout.tables.beside[4 * point + "nesw".index(step)]
            points.append(point)
        names = tuple(layout.point_names[p] for p in points)
        return Arm(names[0], steps, tuple(layout.segment_names[e] for e in arm_segments(s, slot)), names)

    @property
    def canals(self) -> dict[str, int]:
        """The canals on each segment that holds any."""
        names = self._layout.segment_names
        return {names[e]: count for e, count in enumerate(self._state.canal) if count}

    @property
    def supply(self) -> dict[str, int]:
        """How many canals feed each square of the board [Q5]."""
        names, regions = self._layout.square_names, self._layout.region
        return {names[q]: count for q, count in enumerate(self._state.supply) if regions[q] != NONE}

    @property
    def die(self) -> int | None:
        """The number that the die shows while its region is to be built on."""
        return self._state.die + 1 if self.phase == "house" else None

    @property
    def rolls(self) -> int:
        """How often the die was rolled in this turn."""
        return 0 if self._state.phase in (TURN, OVER) else self._state.rolls

    def watered_tiles(self) -> tuple[int, ...]:
        """Counts each player's watered tiles, which decide a tie.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c3, stop").play("canal 3.2v, stop")
        >>> p.watered_tiles(), p.scores(), p.winners()
        ((0, 1), (0, 3), (2,))
        """
        supply = self.supply
        letters = [tile[0] for square, tile in self.tiles.items() if supply[square]]
        return tuple(letters.count(letter) for letter in LETTERS[: self._layout.players])

    def winners(self) -> tuple[int, ...]:
        """Gets the players in the lead: most points, then most watered tiles; several if they share it.

        >>> Position.start("aquadukt3").winners()
        (1, 2, 3)
        """
        ranks = list(zip(self.scores(), self.watered_tiles(), strict=True))
        return tuple(player for player, rank in enumerate(ranks, start=1) if rank == max(ranks))

    # Showing

    def describe(self) -> dict[str, Any]:
        """Collects what the position holds, as plain data.

        >>> Position.start("aquadukt2").describe()["hands"]
        [[8, 8, 8, 4], [8, 8, 8, 4]]
        """
        return {
            "position": str(self),
            "layout": self._layout.name,
            "player": self.player,
            "phase": self.phase,
            "chance": self.is_chance,
            "over": self.is_over,
            "idle": self.idle,
            "hands": [list(hand) for hand in self.hands],
            "tiles": self.tiles,
            "mountains": self.mountains,
            "springs": list(self.springs),
            "arms": [arm._asdict() for arm in self.arms],
            "canals_left": self.canals_left,
            "supply": {square: count for square, count in self.supply.items() if count},
            "scores": list(self.scores()),
        }
