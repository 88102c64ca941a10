"""What every moment of a turn of Aquädukt is worth after a roll, by looking at all rolls and canals that can follow."""

from __future__ import annotations

import threading
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import (
    AGAIN,
    DECLINE,
    DIE,
    HOUSE,
    MOUNTAIN,
    OVER,
    ROLL,
    ROLLS,
    STOP,
    VALUES,
    State,
    Work,
    X,
    Y,
)
from aquakit.aquadukt.notation import Action, decode
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.canal_layouts import MOST_SUPPLY, Laid, Layouts, tile_worth
from aquakit.aquadukt.puzzles.canals import write_line
from aquakit.training.verdict import JudgingStopped

MOST_LISTED = 30_000
"""So many layouts of canals are listed."""
MOST_MOMENTS = 3_000_000
"""So many moments are looked at, which takes some seconds."""
KEPT = 8
"""So many studies are kept, for the verdicts of one puzzle all come from the same."""

Number = int | Fraction
Row = Any
"""A number for each layout, as an array."""


class TooWide(Exception):
    """A study has too many layouts or moments to look at all of them."""


def tidy(value: Number) -> Number:
    """Gets a whole number where it is one."""
    return int(value) if value == int(value) else value


def say(value: Number) -> str:
    """Writes a value exactly, and as a decimal where it is no whole number.

    >>> say(Fraction(15, 4)), say(Fraction(4, 2))
    ('15/4 (3.75)', '2')
    """
    exact = tidy(value)
    return str(exact) if isinstance(exact, int) else f"{exact} ({float(exact):.2f})"


# The study


class Study:
    """What every moment of the turn is worth; made when all of them have been looked at."""

    def __init__(self, position: Position, canals: int, stop: threading.Event | None = None) -> None:
        """Looks at all moments, unless somebody sets `stop`: then it ends by JudgingStopped."""
        self.position, self.player = position, position.state.player + 1
        self._stop = stop
        self._layout, self._tables = position.layout, position.layout.tables
        start: State = position.state
        self._tiles, self._turn, self._seen = tuple(start.tile), start.ended, 0
        self._work = Work.new(self._layout.sizes)
        self._worth = tile_worth(position, self.player, alone=False)
        self._column = cache(self._find_column)
        self._known: dict[tuple[int, bytes, bytes], Number] = {}
        self._list_layouts(canals)
        own = range(4 * start.player + 1, 4 * start.player + 1 + VALUES)
        self._own = np.array([self._column(square, tile) for square in range(self._tables.squares) for tile in own])
        """What each of the player's tiles is worth on each square: a row for each square and value."""
        self._base = sum(self._column(square, tile) for square, tile in enumerate(self._tiles))
        codes = self._codes(start)
        self.options = {str(decode(self._layout, code)): self.value(self._after(start, code)) for code in codes}
        """What each decision is worth."""
        self.moments, self._seen = self._seen, 0
        self._stop = None  # a study that is kept is not stopped with the work that made it

    @property
    def best(self) -> Number:
        """What the position is worth."""
        return max(self.options.values())

    # Canals

    def _list_layouts(self, canals: int) -> None:
        """Lists the layouts that differ in what they make of some tile on some square, those with the fewest canals."""
        squares = [square for square, tile in enumerate(self._tiles) if tile < MOUNTAIN]
        made, some_tile = dict[tuple[int, ...], Laid](), 4 * self.player
        for number, laid in enumerate(Layouts(self.position, lambda square, supply: 0, canals).every()):
            if number == MOST_LISTED:
                raise TooWide
            self._look_up()
            key = tuple(self._worth(square, some_tile, laid.supply[square]) for square in squares)
            if key not in made or len(laid.segments) < len(made[key].segments):
                made[key] = laid
        self.layouts = [laid.segments for laid in made.values()]
        """The first one lays nothing."""
        self._supplies = np.array([laid.supply for laid in made.values()])

    def _find_column(self, square: int, tile: int) -> Row:
        """Gets what a tile on a square is worth with each layout."""
        levels = np.array([self._worth(square, tile, supply) for supply in range(MOST_SUPPLY + 1)], dtype=np.int16)
        return levels[self._supplies[:, square]]

    def _row(self, state: State) -> Row:
        """Gets what the board's tiles are worth with each layout."""
        row = self._base
        for square, (old, new) in enumerate(zip(self._tiles, state.tile, strict=True)):
            if old != new:
                row = row - self._column(square, old) + self._column(square, new)
        return row

    def end(self, state: State) -> int:
        """Gets what the best canals make of the board after the turn."""
        row = self._row(state)
        return int(row[0] if state.phase == OVER else row.max())

    def best_canals(self, state: State) -> list[str]:
        """Finds the best canals after the turn, as few as will do."""
        row = self._row(state)
        best = [0] if state.phase == OVER else np.flatnonzero(row == row.max())
        segments = min((self.layouts[i] for i in best), key=len)
        return [f"canal {self._layout.segment_names[segment]}" for segment in segments]

    # The turn

    def _codes(self, state: State) -> list[int]:
        """Lists the kernel's actions."""
        return list(self._work.actions[: kernel.generate(self._tables, state, self._work)])

    def _after(self, state: State, code: int) -> State:
        """Carries out an action."""
        made = state.copy()
        kernel.apply(self._tables, made, code)
        return made

    def value(self, state: State) -> Number:
        """Gets what a moment of the turn, or its end, is worth with best decisions."""
        self._seen += 1
        if self._seen > MOST_MOMENTS:
            raise TooWide
        self._look_up()
        if state.phase == HOUSE:
            return max(self.value(self._after(state, code)) for code in self._codes(state))
        if state.phase not in (AGAIN, DIE):
            return self.end(state)
        key = state.phase, bytes(state.tile), bytes(state.hand)  # each roll so far took a tile from the hand
        if key not in self._known:
            self._known[key] = self._decide(state) if state.phase == AGAIN else self._expect(state)
        return self._known[key]

    def _look_up(self) -> None:
        """Ends the work if somebody wants that."""
        if self._stop is not None and self._stop.is_set():
            raise JudgingStopped

    def _decide(self, state: State) -> Number:
        return max(self.value(self._after(state, code)) for code in (ROLL, STOP))

    def _expect(self, state: State) -> Number:
        """Averages over what the die may show."""
        if state.rolls == ROLLS:
            return self._expect_last(state)
        shown = self._codes(state)
        return sum((Fraction(self.value(self._after(state, code))) for code in shown), Fraction(0)) / len(shown)

    def _expect_last(self, state: State) -> Number:
        """Averages over the last roll, after which the turn ends: as `_expect`, but all tiles are tried at once.

        Only a tile on a region's last free square changes more than its own square (section 3).
        """
        shown, moment = self._codes(state), state.copy()
        declined = self.end(self._after(state, DECLINE))
        best, where, tiles = [declined] * len(shown), list[int](), list[int]()
        for i, code in enumerate(shown):
            kernel.apply(self._tables, moment, code)
            for house in self._codes(moment):
                if house == DECLINE:
                    continue
                if moment.room[moment.die] == 1:
                    best[i] = max(best[i], self.end(self._after(moment, house)))
                else:
                    where.append(i)
                    tiles.append(VALUES * (house >> X & 2047) + (house >> Y) - 1)
        self._seen += len(tiles)
        if tiles:
            for i, value in zip(where, (self._own[tiles] + self._row(state)).max(axis=1).tolist(), strict=True):
                best[i] = max(best[i], value)
        return Fraction(sum(best), len(best))

    # Lines

    def is_over(self, state: State) -> bool:
        """Checks whether the turn has ended."""
        return state.ended != self._turn

    def line(self, position: Position) -> str:
        """Writes best decisions from a moment of the turn or from its end on, with the luckiest rolls, then canals."""
        actions, state = list[Action | str](), position.state
        while not self.is_over(state):
            codes = sorted(self._codes(state), key=lambda code: code != STOP)  # what can as well end ends
            values = [self.value(self._after(state, code)) for code in codes]
            code = codes[values.index(max(values))]
            actions.append(decode(self._layout, code))
            state = self._after(state, code)
        return write_line(position, [*actions, *self.best_canals(state)])


_studies: dict[tuple[Position, int], Study] = {}
"""Those made last, the oldest first."""


def study(position: Position, canals: int, stop: threading.Event | None = None) -> Study:
    """Gets the study of a position; the same one if it was asked for lately."""
    made = _studies.pop((position, canals), None) or Study(position, canals, stop)
    _studies[position, canals] = made
    for old in list(_studies)[:-KEPT]:
        _studies.pop(old, None)
    return made
