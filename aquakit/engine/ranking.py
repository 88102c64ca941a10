"""Ranked turns: what the playouts of a position, and a proof if there is one, say about its turns."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from aquakit.core.options import read_whole, show
from aquakit.core.position import AnyPosition, BasePosition, BaseTurn
from aquakit.engine.search.forest import Branch, Forest
from aquakit.engine.solve import Solution
from aquakit.errors import InvalidOption, InvalidPosition

LONGEST = 4
"""The most turns of a principal variation."""
LEAST = 10
"""A reply visited less often than this is not worth naming."""


@dataclass(frozen=True)
class Line:
    """A turn and what is to be expected of it; players are in turn order, the lead is the deciding player's.

    >>> from aquakit import analyse, start
    >>> line = analyse(start("romana2-5x4"), playouts=2000, threads=1).best
    >>> line.order, line.proved, line.stderr < 1, sum(line.win) > 0.99
    (1, False, True, True)
    """

    turn: str
    """The whole turn; where dice come in, up to the first roll."""
    order: int
    visits: int
    win: tuple[float, ...]
    """Each player's chance to win, shared wins counted in part."""
    score: tuple[float, ...]
    """Each player's expected points."""
    lead: float
    """Expected points beyond those of the best other player."""
    stderr: float
    """The standard error of the lead, from the spread of the playouts."""
    pv: tuple[str, ...]
    """The turns expected to follow."""
    proved: bool = False


class Ranking:
    """The turns of a position in a forest of playouts, ranked whenever they are asked for."""

    def __init__(self, position: AnyPosition, *, lines: int = 5, seed: int = 0, threads: int | None = None) -> None:
        if not isinstance(position, BasePosition):
            raise InvalidPosition("position", show(position), "a position")
        if position.is_over or position.is_chance:
            problem = "the game is over" if position.is_over else "the die decides"
            raise InvalidPosition("position", problem, "a position in which a player decides")
        self.position = position
        self._count = read_whole("lines", lines, least=1, most=1000)
        self._forest = Forest(position, threads=threads, seed=seed)
        self.solution: Solution | None = None
        """What a proof found."""

    @property
    def _me(self) -> int:
        return (self.position.player or 1) - 1

    @property
    def playouts(self) -> int:
        """Games played out so far."""
        return self._forest.simulations

    @property
    def lines(self) -> tuple[Line, ...]:
        """The proved turns if there are any, then those looked at most, with what is to be expected of them."""
        found = [self._line(turn, branch, after) for turn, branch, after in self._turns()]
        if self.solution is not None and self.solution.proved and self.solution.value is not None:
            best, value = {str(turn) for turn in self.solution.turns}, float(self.solution.value)
            sure = [replace(line, lead=value, stderr=0.0, proved=True) for line in found if line.turn in best]
            sure += [self._unvisited(turn, value) for turn in best - {line.turn for line in sure}]
            found = sure + [line for line in found if line.turn not in best]
        return tuple(replace(line, order=order) for order, line in enumerate(found[: self._count], start=1))

    def _unvisited(self, turn: str, value: float) -> Line:
        """Makes the line of a turn that is best by proof and that no playout has tried."""
        nothing = (math.nan,) * self._forest.players
        return Line(turn, 0, 0, nothing, nothing, value, 0.0, (), proved=True)

    @property
    def best(self) -> Line:
        """The turn looked at most."""
        lines = self.lines
        if not lines:
            raise InvalidOption("analysis", "has not run yet", "a run before its lines are read")
        return lines[0]

    def _turns(self) -> Iterator[tuple[BaseTurn[Any], Branch, AnyPosition]]:
        """Finds the most visited turns: visits only shrink on the way, so the first ones found are the most visited.

        If the playouts were too few for the trees to reach the end of any turn, the most visited part of one is
        completed by the game's own preference, which the search would look at first; its numbers are the part's.
        """
        number = count()
        waiting: list[Any] = [(-self._forest.root().visits, next(number), self._forest.root(), self.position, ())]
        part: Any = None
        found = 0
        while waiting and found < self._count:
            _, _, branch, position, actions = heapq.heappop(waiting)
            if branch.code >= 0:
                action = position._decode(branch.code)
                position, actions = position.act(action), (*actions, action)
                if _is_complete(position):
                    found += 1
                    yield position.turn_type(actions), branch, position
                    continue
            visited = [child for child in branch.children() if child.visits]
            if part is None and actions and not visited:
                part = actions, branch, position
            for child in visited:
                heapq.heappush(waiting, (-child.visits, next(number), child, position, actions))
        if not found and part is not None:
            actions, branch, position = part
            rest, position = _complete(position)
            yield position.turn_type((*actions, *rest)), branch, position

    def _line(self, turn: BaseTurn[Any], branch: Branch, after: AnyPosition) -> Line:
        stats = branch.stats(self._forest.players)
        n = stats.visits
        lead = stats.lead / n
        spread = max(0.0, stats.square / n - lead * lead)
        return Line(
            turn=str(turn),
            order=0,
            visits=n,
            win=tuple(win / n for win in stats.win),
            score=tuple(points / n for points in stats.points),
            lead=lead,
            stderr=math.sqrt(spread / n),
            pv=tuple(str(following) for following in _follow(branch, after)),
        )


def _is_complete(position: AnyPosition) -> bool:
    """Checks whether a turn has been taken as far as it can be known: to its end, or to a roll."""
    return not position.played or position.is_over or position.is_chance


def _complete(position: AnyPosition) -> tuple[list[Any], AnyPosition]:
    """Completes a turn by the game's own preference; gets the actions and the position after them."""
    actions: list[Any] = []
    while not _is_complete(position):
        prefer = partial(position.room("policy").prefer, position.layout.tables, position.state)
        actions.append(position._decode(max(position._codes(), key=prefer)))
        position = position.act(actions[-1])
    return actions, position


def _follow(branch: Branch, position: AnyPosition) -> Iterator[BaseTurn[Any]]:
    """Follows the most visited turns, until dice come in or visits are too few."""
    actions: tuple[Any, ...] = tuple(position.played)
    turns = 0
    while turns < LONGEST and not position.is_over and not position.is_chance:
        children = branch.children()
        if not children or children[0].visits < LEAST:
            return
        branch = children[0]
        action = position._decode(branch.code)
        position, actions = position.act(action), (*actions, action)
        if not position.played or position.is_over:
            turns += 1
            yield position.turn_type(actions)
            actions = ()
