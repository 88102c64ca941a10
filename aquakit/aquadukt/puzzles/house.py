"""house: which tile of Aquädukt goes where after a roll, by exact expectation over the rolls that may follow.

The position is a moment at which the die has named a region, `… : roll, die 7`. What is asked is a small study: the
player puts a tile there or declines, goes on with the turn as the rules allow, where at each roll every region with a
free square is equally likely (section 3), and after the turn lays up to `horizon` canals before anybody else moves.
The value is the expectation, with best decisions, of the points of the player's watered tiles then, less those of all
others together. A game that ends with the turn leaves no time for canals.

An attempt is the rest of the turn, as far as the solver has thought: `3 e4`, or `3 e4, stop`. What is left open is done
as well as possible. If it goes on after a roll, each decision counts by what it gives away. An answer is the tile and
its square, or `decline`.

All of it is looked at, in whole numbers and fractions. Houses never stand in the way of canals, so every layout of
canals is listed once, and a board is worth what the layout that suits it best makes of it.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from aquakit.aquadukt import kernel
from aquakit.aquadukt.board.diagram import player_name
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
from aquakit.aquadukt.notation import Action, Turn, decode
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.canals import (
    MOST_SUPPLY,
    SECONDS,
    Laid,
    Layouts,
    name_others,
    net_points,
    tile_worth,
    write_line,
)
from aquakit.core.words import count, join
from aquakit.engine.bots import GreedyBot
from aquakit.errors import IllegalTurn, InvalidTurn
from aquakit.puzzle import answers
from aquakit.puzzle.kinds import LINE, Proof, is_accepted
from aquakit.puzzle.model import Answer, Puzzle
from aquakit.training.verdict import JudgingStopped, Tell, Verdict

MOST_LAYOUTS = 30_000
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
            if number == MOST_LAYOUTS:
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


_studies: dict[tuple[str, int], Study] = {}
"""Those made last, the oldest first."""


def study(text: str, canals: int, stop: threading.Event | None = None) -> Study:
    """Gets the study of a position; the same one if it was asked for lately."""
    made = _studies.pop((text, canals), None) or Study(Position.parse(text), canals, stop)
    _studies[text, canals] = made
    for old in list(_studies)[:-KEPT]:
        _studies.pop(old, None)
    return made


def _read(puzzle: Puzzle) -> Position:
    """Gets the moment that a puzzle asks about; what cannot be asked like that is a PuzzleError."""
    start = puzzle.start
    if not isinstance(start, Position) or start.phase != "house":
        raise puzzle.error("position", "no roll of Aquädukt is to be used", "a moment like … : roll, die 7")
    if puzzle.horizon > start.canals_left:
        raise puzzle.error("horizon", str(puzzle.horizon), f"0 … {start.canals_left}, the canals left")
    if puzzle.given:
        raise puzzle.error("given", ", ".join(puzzle.given), "nothing, for position and horizon say all")
    return start


def _study(puzzle: Puzzle, stop: threading.Event | None = None) -> Study:
    """Gets the study that a puzzle asks for, which may take some seconds."""
    _read(puzzle)
    try:
        return study(puzzle.position, puzzle.horizon, stop)
    except TooWide:
        raise puzzle.error("position", "has too much to look at", "fewer canals, or a later roll of the turn") from None


# Attempts


class Attempt(NamedTuple):
    """Decisions made by the rules."""

    value: Number
    """The expectation, less what each decision gave away."""
    after: Position
    laid: int | None
    """The canals laid after the turn; none if that was not said."""


def _read_decision(start: Position, text: str) -> Action | None:
    """Gets the decision that an attempt consists of; nothing if it goes on after it."""
    actions = Turn.parse(text.partition(LINE.strip())[0])
    if len(actions) != 1 or LINE.strip() in text:
        return None
    start.act(actions[0])
    return actions[0]


def _follow(asked: Study, puzzle: Puzzle, text: str) -> Attempt:
    """Plays the rest of a turn, as far as it is given, and the turns of canals after it."""
    turn, *more = text.split(LINE.strip())
    position, value = asked.position, asked.best
    actions = Turn.parse(turn)
    if not actions:
        raise InvalidTurn("attempt", "is empty", "a tile like 3 e4, or decline")
    for action in actions:
        if asked.is_over(position.state):
            raise IllegalTurn(str(action), "the turn is complete before it")
        before, position = asked.value(position.state), position.act(action)
        if action.what != "die":
            value -= before - asked.value(position.state)
    if not more:
        return Attempt(tidy(value), position, None)
    if not asked.is_over(position.state):
        raise IllegalTurn(turn.strip(), "the turn is not complete", "its last action before the canals")
    at_best, laid = asked.end(position.state), 0
    for canals in map(Turn.parse, more):
        for action in canals:
            laid += action.what == "canal"
            if action.what not in ("canal", "stop") or laid > puzzle.horizon:
                problem = f"only {count(puzzle.horizon, 'canal')} may follow the turn"
                raise IllegalTurn(str(action), problem, "canals like canal 3.5h")
        position = position.play(canals)
    value -= at_best - net_points(position.scores(), asked.player, alone=False)
    return Attempt(tidy(value), position, laid)


# The kind


class HouseKind:
    """Puzzles of houses after a roll."""

    name = "house"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = _read(puzzle)
        who, rolls = player_name(start.state.player + 1), ROLLS - start.rolls
        parts = ["puts a tile there or declines"]
        parts += [f"may roll up to {count(rolls, 'more time')} in this turn"] if rolls else []
        parts += (
            [f"then lays up to {count(puzzle.horizon, 'canal')} before anybody else moves"] if puzzle.horizon else []
        )
        aim = f"the watered houses of {who}, less {name_others(start)}, count the most"
        mean = " on average" if rolls else ""
        return f"The die shows {start.die}: {who} {join(parts)}. Which tile, and where, makes {aim}{mean}?"

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves what each decision is worth by looking at all that can follow."""
        asked = _study(puzzle)
        best, line = asked.best, asked.line(asked.position)
        accepted = sorted(token for token, value in asked.options.items() if value == best)
        lower = [value for value in asked.options.values() if value < best]
        agreed = "; CP-SAT agrees on the line's canals" if self._agrees(puzzle, asked, line) else ""
        layouts = f"{count(len(asked.layouts), 'different layout')} of up to {count(puzzle.horizon, 'canal')}"
        return Proof(
            tidy(best),
            tuple(accepted),
            tidy(best - max(lower)) if lower else None,
            line,
            "exhaustive",
            f"{count(asked.moments, 'moment')}, {layouts}{agreed}",
        )

    def _agrees(self, puzzle: Puzzle, asked: Study, line: str) -> bool:
        """Lets CP-SAT find the canals at the end of a line too, if there are any to lay."""
        end = asked.position.play(line.split(LINE)[0])
        if end.is_over or not puzzle.horizon:
            return False
        plan = plan_canals(end, canals=puzzle.horizon, player=asked.player, seconds=SECONDS)
        if plan.proved and plan.value != asked.end(end.state):
            raise puzzle.error("value", f"all canals give {asked.end(end.state)}, CP-SAT gives {plan.value}")
        return plan.proved

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges decisions by their exact expectation."""
        start = _read(puzzle)
        decision = _read_decision(start, attempt)
        if decision is not None and answer is not None and is_accepted(self, puzzle, attempt, answer):
            line = answers.go_on(start, (decision,), answer.line)
            return Verdict(True, self._say(start, puzzle.value, 0), puzzle.value, 0, line)
        if tell is not None:
            tell("looking at all rolls and canals that can follow")
        asked = _study(puzzle, stop)
        made = _follow(asked, puzzle, attempt)
        loss = tidy(puzzle.value - made.value)
        refutation = asked.line(made.after) if made.laid is None else ""
        return Verdict(loss <= 0, self._say(start, made.value, loss), made.value, loss, refutation)

    def _say(self, start: Position, value: Number, loss: Number) -> str:
        words = f"worth {say(value)}{' on average' if start.rolls < ROLLS else ''}"
        return f"{words}, {say(loss)} less than possible" if loss > 0 else f"{words}, and more is not possible"

    def worth(self, puzzle: Puzzle, line: str) -> Number:
        """Plays a whole turn and the canals after it by the rules; gets the value less what its decisions give away."""
        asked = _study(puzzle)
        made = _follow(asked, puzzle, line)
        if not asked.is_over(made.after.state):
            raise IllegalTurn(line, "the turn is not complete", "a whole turn")
        return made.value

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether an attempt begins with the decision that an answer names."""
        decisions = Turn.parse(attempt.split(LINE.strip())[0])
        return bool(decisions) and str(decisions[0]) == answer


KIND = HouseKind()


# Candidates


def candidate(position: Position, canals: int = 2) -> Puzzle | None:
    """Makes a puzzle, not yet proved, of a moment after a roll: it matters what is built, and greed builds another."""
    if position.phase != "house" or position.canals_left < canals:
        return None
    try:
        options = study(str(position), canals).options
    except TooWide:
        return None
    greedy = str(GreedyBot().decide(position.view())[0])
    if options[greedy] == max(options.values()):
        return None
    return Puzzle.draft("house", str(position), canals)
