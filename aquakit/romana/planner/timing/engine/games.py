"""Plays a game on by the engine, and once more for each moment at which an own aqueduct might be closed.

These games share their beginnings: the one in which an aqueduct is kept open is played only once, and at every moment
that is asked about another one parts from it, in which the aqueduct is closed. So the differences between the moments
are told by what comes after them, not by what came before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from aquakit.compiled.workspace import lead_of
from aquakit.core.plugins import borrow
from aquakit.romana import kernel
from aquakit.romana.kernel import BUILD, CLOSE, NOTHING, SHUT, State, X
from aquakit.romana.planner.timing.entries import list_open, present_length
from aquakit.romana.planner.timing.replay import CLOSED, END, WALLED, Taken, TimingCase
from aquakit.romana.position import Position

Wanted = Callable[[], bool]
"""Tells whether there is time left for a game."""
Moment = tuple[int, int | None]
"""An aqueduct and the rounds after which it is closed: 0 for now; none if it is left open."""
FREE: Moment = (-1, None)
"""The game in which everybody closes what the engine would."""


@dataclass(frozen=True)
class EngineQuestion:
    """What the engine is asked: to play on from here, and to close own aqueducts sooner or later."""

    case: TimingCase
    waits: int
    """Up to so many rounds of waiting are tried."""
    per_decision: int
    """Playouts of the search for each decision."""
    seed: int

    @property
    def moments(self) -> tuple[Moment, ...]:
        """The moments to compare: of each own aqueduct now, some rounds later, and never."""
        rounds = [*range(min(self.waits + 1, self.case.rounds)), None]
        return tuple((a, wait) for a in self.case.mine for wait in rounds)


@dataclass(frozen=True)
class GameEnd:
    """How one game ends."""

    lead: float
    points: tuple[float, ...]
    """Each player's."""
    done: bool
    """Whether the aqueduct was closed at its moment; otherwise the rules did not allow it, and it was left open."""
    certain: bool
    """Whether nobody had a choice on the way, so that every game goes like this."""


@dataclass(frozen=True)
class PlayedGame:
    """One game with all its branches."""

    outcomes: dict[Moment, GameEnd]
    lengths: dict[int, tuple[int, ...]]
    """For each aqueduct that is open at the beginning: its length after its owner's turn, round by round."""
    taken: dict[int, Taken]
    """How those aqueducts came to be scored that are no longer open after the last round."""


class NotWanted(Exception):
    """The time is over in the middle of a game."""


def play_number(question: EngineQuestion, wanted: Wanted, number: int) -> PlayedGame | None:
    """Plays the game of a number, the same in whatever process; nothing if it was not wanted to its end."""
    try:
        return _Player(question, wanted, number).play()
    except NotWanted:
        return None


def always() -> bool:
    """Wants all games."""
    return True


@dataclass
class _Branch:
    """A game on its way, and the moments whose game it is.

    As long as the game of never closing an aqueduct is among them, that one is kept open in it.
    """

    state: State
    moments: set[Moment]
    round: int = 1
    certain: bool = True
    lengths: dict[tuple[int, int], int] = field(default_factory=dict)
    """By aqueduct and round."""
    taken: dict[int, Taken] = field(default_factory=dict)

    def part(self, moments: set[Moment]) -> _Branch:
        """Makes another game that goes on from here, for some moments that are not this one's any more."""
        self.moments -= moments
        return _Branch(self.state.copy(), moments, self.round, self.certain, dict(self.lengths), dict(self.taken))


class _Player:
    """Plays one game with all its branches."""

    def __init__(self, question: EngineQuestion, wanted: Wanted, number: int) -> None:
        self.question, self.case, self.wanted = question, question.case, wanted
        self.tables = self.case.layout.tables
        self.work: Any = kernel.Work.new(self.case.layout.sizes)
        # Games of other seeds and numbers have nothing in common.
        seed = ((question.seed << 32) + number) * 0x9E3779B97F4A7C15 % 2**64
        self.forest: Any = borrow("Forest")(Position(self.case.layout, self.case.state), threads=1, seed=seed)
        self.waiting: list[_Branch] = []
        """Games that have parted from others and are still to be played."""
        self.done: set[Moment] = {(a, None) for a in self.case.mine}
        """Moments at which the aqueduct was closed, or left open, as asked."""

    def play(self) -> PlayedGame:
        """Plays all games to their ends."""
        self.waiting.append(_Branch(self.case.state.copy(), {FREE} | self.done))
        outcomes: dict[Moment, GameEnd] = {}
        free = self.waiting[0]
        while self.waiting:
            line = self.waiting.pop()
            self._play_on(line)
            if line.moments:
                outcomes.update(self._settle(line))
            free = line if FREE in line.moments else free
        lengths = {a: self._list_lengths(free, a) for a in list_open(self.case)}
        return PlayedGame(outcomes, lengths, free.taken)

    def _play_on(self, line: _Branch) -> None:
        """Plays until the last round is over, or the game."""
        while line.moments and line.round <= self.case.rounds and not kernel.is_over(line.state):
            if not self.wanted():
                raise NotWanted
            if line.state.phase == CLOSE and line.state.player == self.case.me:
                self._close_or_wait(line)
            else:
                self._act(line, self._rank(line)[0])

    # Decisions

    def _rank(self, line: _Branch) -> list[int]:
        """Lists the legal actions, those first that the engine would rather take."""
        s, t, w = line.state, self.tables, self.work
        if kernel.count_actions(t, s, w) == 1:
            kernel.generate(t, s, w)
            return [w.actions[0]]
        line.certain = False
        self.forest.plant(Position(self.case.layout, s))
        self.forest.grow(simulations=self.question.per_decision)
        return [branch.code for branch in self.forest.root().children()]

    def _close_or_wait(self, line: _Branch) -> None:
        """Lets the games part in which an aqueduct is closed now, then goes on as the engine would."""
        count = kernel.closings(self.tables, line.state, self.work)
        none, *closings = self.work.actions[:count]
        for action in closings:
            a = _closed_by(action)
            moment = a, line.round - 1
            if (a, None) in line.moments and moment in self.question.moments:
                self.done.add(moment)
                self._part(line, {moment}, action)
        if line.certain and len(closings) == 1:
            # Whoever keeps the only one open has no choice, so that game stays as certain as it is.
            self._part(line, line.moments & {(_closed_by(closings[0]), None)}, none)
            if not line.moments:
                return
        first, second, *_ = self._rank(line)
        self._part(line, line.moments & {(_closed_by(first), None)}, second)
        if line.moments:
            self._act(line, first)

    def _part(self, line: _Branch, moments: set[Moment], action: int) -> None:
        """Makes the game of some moments part from another one by an action."""
        if moments:
            self.waiting.append(line.part(moments))
            self._act(self.waiting[-1], action)

    # Actions

    def _act(self, line: _Branch, action: int) -> None:
        """Carries out an action, and notes what comes of it."""
        s, before = line.state, line.state.copy()
        kernel.apply(self.tables, s, action)
        laid = before.laid or action & 7 == BUILD
        for a in list_open(self.case):
            if (before.open & ~s.open) >> a & 1:
                # What is open is scored at the end only after a turn without a tile, and such a turn walls nobody in.
                how = CLOSED if a == _closed_by(action) else WALLED if laid else END
                line.taken[a] = self._tell(line, a, before.player, how)
        if s.ended != before.ended:
            self._end_turn(line, before.player)

    def _tell(self, line: _Branch, a: int, player: int, how: str) -> Taken:
        case, s = self.case, line.state
        number, turn = (None, case.turns) if how == END else (line.round, case.turn(line.round, player))
        return Taken(case.name(a), case.owner(a) + 1, number, turn, int(s.length[s.tip[a]]), int(s.score[a]), how)

    def _end_turn(self, line: _Branch, player: int) -> None:
        """Notes lengths and counts rounds."""
        s = line.state
        for a in list_open(self.case):
            if self.case.owner(a) == player and s.open >> a & 1:
                line.lengths[a, line.round] = int(s.length[s.tip[a]])
        if self.case.order.index(s.player) <= self.case.order.index(player):
            line.round += 1

    # Ends

    def _settle(self, line: _Branch) -> Iterator[tuple[Moment, GameEnd]]:
        """Gets what a game comes to for each of its moments; what could not be closed at a moment is left open."""
        lead, points, certain = self._count(line)
        lapsed = {m for m in self.question.moments if (m[0], None) in line.moments and m not in self.done}
        for moment in line.moments | lapsed:
            yield moment, GameEnd(lead, points, moment in self.done, certain)

    def _count(self, line: _Branch) -> tuple[float, tuple[float, ...], bool]:
        """Gets the lead and the points at the end of the game, weighed by a search if it is not over."""
        players = len(self.case.layout.players)
        if kernel.is_over(line.state):
            kernel.count_points(self.tables, line.state, self.work)
            points = tuple(map(float, self.work.total[:players]))
            return lead_of(self.work, players, self.case.me), points, line.certain
        self.forest.plant(Position(self.case.layout, line.state), self.case.me + 1)
        self.forest.grow(simulations=self.question.per_decision)
        stats = self.forest.root().stats(players)
        return stats.lead / stats.visits, tuple(points / stats.visits for points in stats.points), False

    def _list_lengths(self, line: _Branch, a: int) -> tuple[int, ...]:
        """Lists an aqueduct's lengths round by round; once it is scored its length stays."""
        made, length, taken = list[int](), present_length(self.case, a), line.taken.get(a)
        for number in range(1, self.case.rounds + 1):
            if taken is not None and (a, number) not in line.lengths:
                length = taken.length
            made.append(line.lengths.get((a, number), length))
            length = made[-1]
        return tuple(made)


def _closed_by(action: int) -> int:
    """Gets the aqueduct that an action closes, or a number that none has."""
    return action >> X & NOTHING if action & 7 == SHUT else NOTHING
