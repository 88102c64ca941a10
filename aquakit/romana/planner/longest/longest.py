"""Finds the longest aqueduct, or a player's best podium sum, that a board and the stock still allow, and proves it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from aquakit.core.options import read_listener, read_seconds, read_stop, show
from aquakit.core.words import count
from aquakit.errors import InvalidOption, InvalidPosition, contradiction
from aquakit.planning import cpsat
from aquakit.romana import kernel
from aquakit.romana.board.clicks import name_colours, name_laid
from aquakit.romana.kernel import CODES, EMPTY, KIND_OF, OPEN, SETUP, State
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Turn
from aquakit.romana.planner.longest.model import (
    CODE_OF,
    LongestCase,
    LongestModel,
    model_length,
    model_points,
    read_tiles,
)
from aquakit.romana.position import Position
from aquakit.romana.water import follow

# Of CP-SAT's searches the two that prove each question soonest, one for each of two cores.
LENGTH_SOLVERS = ("max_lp", "quick_restart")
POINTS_SOLVERS = ("max_lp", "default_lp")
FEW_TILES = 12
"""Up to this number all tiles are numbered in the picture; more numbers would hide the water."""


@dataclass(frozen=True)
class Grown:
    """An aqueduct as it becomes.

    >>> longest(Position.start("romana2-5x4"), aqueduct="R1").aqueducts[0].now
    0
    """

    name: str
    now: int
    """Its present length."""
    length: int
    squares: tuple[str, ...]
    """The squares passed, in order from the outlet; one passed twice stands twice."""
    podium: int | None
    """The podium that its workman takes; none where one aqueduct's length was asked for."""


@dataclass(frozen=True)
class Longest:
    """The best that the empty squares and the stock allow, as far as it is known.

    >>> found = longest(Position.start("romana2-5x4"), aqueduct="R1")
    >>> found.value, found.length, found.points, found.proved
    (17, 17, None, True)
    >>> len(found.paths["R1"]), found.after.aqueducts[0].length
    (17, 17)
    """

    position: Position
    player: int
    """The owner, 1-based."""
    aqueduct: str | None
    """The aqueduct whose length was asked for; none if it was the player's podium points."""
    value: int
    """The length, or the points."""
    bound: int
    """No tiles whatsoever give more than this."""
    tiles: tuple[str, ...]
    """The tiles in an order in which each extends one of the aqueducts, such as e5=F."""
    aqueducts: tuple[Grown, ...]
    """The aqueduct asked for, or all open ones of the player."""
    after: Position
    """The board with the tiles laid; the same player's turn begins, and nothing is closed or scored yet."""
    seconds: float = field(compare=False)

    @property
    def proved(self) -> bool:
        """Whether nothing better exists."""
        return self.value == self.bound

    @property
    def length(self) -> int | None:
        """The length, if that was asked for."""
        return None if self.aqueduct is None else self.value

    @property
    def points(self) -> int | None:
        """The podium points, if those were asked for."""
        return self.value if self.aqueduct is None else None

    @property
    def paths(self) -> dict[str, tuple[str, ...]]:
        """The squares that each aqueduct passes, in order from its outlet."""
        return {grown.name: grown.squares for grown in self.aqueducts}

    # Showing

    def svg(self, **options: Any) -> str:
        """Draws the board with the tiles laid, outlined and numbered in order; of many tiles every fifth is numbered.

        The options are those of the position's picture.

        >>> longest(Position.start("romana2-5x4"), aqueduct="R1").svg(theme="dark")[:4]
        '<svg'
        """
        squares = [tile.partition("=")[0] for tile in self.tiles]
        last = len(squares)
        numbered = [i for i in range(1, last + 1) if last <= FEW_TILES or i in (1, last) or i % 5 == 0]
        labels = {squares[i - 1]: str(i) for i in numbered}
        return self.after.svg(**{"last": " ".join(self.tiles) or None, "highlights": labels} | options)

    def frame(self) -> Any:
        """Gets a DataFrame of the aqueducts: length now and then, podium, squares passed.

        >>> list(longest(Position.start("romana2-5x4"), aqueduct="R1").frame()["length"])
        [17]
        """
        import pandas as pd

        rows = [asdict(grown) | {"squares": " ".join(grown.squares)} for grown in self.aqueducts]
        return pd.DataFrame(rows, columns=list(Grown.__dataclass_fields__))

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> longest(Position.start("romana2-5x4"), aqueduct="R1").json()["value"]
        17
        """
        return {
            "position": str(self.position),
            "player": self.player,
            "aqueduct": self.aqueduct,
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "tiles": list(self.tiles),
            "aqueducts": [asdict(grown) | {"squares": list(grown.squares)} for grown in self.aqueducts],
            "after": str(self.after),
            "seconds": round(self.seconds, 3),
        }

    def _headline(self) -> str:
        sure = "proved" if self.proved else f"not proved, at most {self.bound}"
        who, what = name_colours(self.position.layout, self.player), count(self.value, "podium point")
        if self.aqueduct is not None:
            who, what = self.aqueduct, f"length {self.value}"
        return f"{who}: {what} ({sure}, {self.seconds:.1f} s)"

    def _courses(self) -> Iterator[str]:
        """Says what becomes of each aqueduct."""
        for grown in self.aqueducts:
            podium = f", podium {grown.podium}" if grown.podium else ", no podium" if grown.podium == 0 else ""
            yield f"{grown.name}: {grown.now} → {grown.length}{podium}: {' '.join(grown.squares) or 'none'}"

    def __str__(self) -> str:
        tiles = f"{count(len(self.tiles), 'tile')}: {' '.join(self.tiles) or 'none'}"
        return "\n".join([self._headline(), *self._courses(), tiles])

    def in_words(self) -> str:
        """Says the same with its tiles in words, one on each line.

        >>> print(longest(Position.start("romana2-5x4"), aqueduct="R1").in_words().splitlines()[2])
        12 tiles:
        """
        tiles = [f"{number:3}. {name_laid(a.tile, a.square)}" for number, a in enumerate(Turn.read(self.tiles), 1)]
        head = f"{count(len(tiles), 'tile')}{':' if tiles else ''}"
        return "\n".join([self._headline(), *self._courses(), head, *tiles])

    def __repr__(self) -> str:
        return f"<Longest: {self._headline()}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._headline())}</p>{self.svg(size=640)}"

    def _repr_svg_(self) -> str:
        return self.svg()


# The question


def longest(
    position: Position,
    *,
    aqueduct: str | None = None,
    player: int | None = None,
    seconds: float | None = 30.0,
    on_progress: Callable[[cpsat.SolverProgress], None] | None = None,
    stop: threading.Event | None = None,
) -> Longest:
    """Finds the longest that an open aqueduct can become, or the best podium sum of a player's open aqueducts.

    **What is asked.** Builders, turns, rivals' plans and time do not matter, only the board and the stock: which tiles
    of the stock on which empty squares make the aqueduct longest? Length counts as the rules do (section 4): a square
    passed twice counts twice, and so do printed curves and loose segments that are reached. No two outlets' paths may
    be joined on the board that results, open or closed, of whomever [R3]; others' aqueducts may be led on by a
    two-segment tile, as in play. With `player` it is the sum of the podiums that the lengths of all of the player's
    open aqueducts earn, each the podium of its length or the next lower one with room (section 5, step 7), without
    bonus and without what is scored already. With neither, `player` is whoever decides in the position.

    **Why that is fair.** Only tiles that the aqueducts pass are laid; others can be left out without loss. In the order
    of `tiles` each one lies before the end of one of the aqueducts and has a port there, so it is an extension (step 2)
    but for its builder. Nothing is closed by construction too soon: an end that still grows faces an empty square on
    which a tile fits, and an end that cannot be extended (step 5) [R8] could not grow later either. Every result is
    laid out again by the kernel's rules before it is shown.

    **How sure it is.** If it is not `proved` after `seconds` (none for no limit), an interrupt or `stop`, the
    result is the best so far and `bound` says what no tiles can exceed. `on_progress` hears of values and bounds
    while they are being found.

    >>> found = longest(Position.start("romana2-5x4"), aqueduct="R1")
    >>> found.length, found.bound, found.proved
    (17, 17, True)
    """
    begun = time.perf_counter()
    _check_position(position)
    read_seconds(seconds)
    read_listener(on_progress)
    read_stop(stop)
    asked = _read_aqueducts(position, aqueduct, player)
    search = _LongestSolver(position, aqueduct, asked)
    return search.run(begun, seconds, on_progress, stop)


def _check_position(position: Any) -> None:
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aqua Romana")
    if position.is_over:
        raise InvalidPosition("position", "the game is over", "a position in which a player decides")


def _read_aqueducts(position: Position, aqueduct: Any, player: Any) -> tuple[int, ...]:
    """Gets the numbers of the aqueducts asked for."""
    if aqueduct is not None and player is not None:
        raise InvalidOption("player", "and aqueduct are both given", "one of them")
    known = position.layout.aqueduct_index
    open_ones = {name: a for name, a in known.items() if position.state.score[a] == OPEN}
    if aqueduct is not None:
        if not isinstance(aqueduct, str) or aqueduct not in known:
            problem = f"there is no {show(aqueduct)} on {position.layout.name}"
            raise InvalidOption("aqueduct", problem, f"one of {', '.join(open_ones)}")
        if aqueduct not in open_ones:
            raise InvalidOption("aqueduct", f"{aqueduct} is closed", f"an open one: {', '.join(open_ones)}")
        return (known[aqueduct],)
    number = position.player if player is None else position._read_player("player", player)
    mine = tuple(a for a in open_ones.values() if position.layout.outlets[a].owner == number)
    if not mine:
        owners = sorted({str(position.layout.outlets[a].owner) for a in open_ones.values()})
        raise InvalidOption("player", f"{number} has no open aqueduct", f"one of {', '.join(owners)}")
    return mine


# The answer


class _LongestSolver:
    """Solves one question and lays its answer by the rules."""

    def __init__(self, position: Position, aqueduct: str | None, asked: tuple[int, ...]) -> None:
        self.position, self.aqueduct, self.asked = position, aqueduct, asked
        self.layout, self.state = position.layout, position.state
        self.case = LongestCase.of(self.layout.tables, self.state, asked)

    def run(
        self,
        begun: float,
        seconds: float | None,
        on_progress: Callable[[cpsat.SolverProgress], None] | None,
        stop: threading.Event | None,
    ) -> Longest:
        """Solves the model as far as time allows, and lays the tiles by the rules."""
        bound, tiles = self._simple_bound(), dict[int, int]()
        claimed = self._value(self.state)
        if claimed < bound:
            model, solvers = self._model()
            left = None if seconds is None else seconds - (time.perf_counter() - begun)
            run = cpsat.Run(subsolvers=solvers, on_progress=on_progress, stop=stop, keep=True)
            outcome = run.solve(model.cp, left)
            if outcome.found and outcome.value is not None:
                tiles, claimed = read_tiles(model, outcome.solver.value), outcome.value
            if outcome.bound is not None:
                bound = min(bound, outcome.bound)
        state, _ = lay_out(self.layout, self.state, tiles, self.asked)
        state, laid = lay_out(self.layout, self.state, simplify(self.layout, state, tiles, self.asked), self.asked)
        value = self._value(state)
        if not claimed <= value <= bound:
            raise contradiction(
                f"{self.position}, {self.aqueduct or f'player {self.position.layout.outlets[self.asked[0]].owner}'}",
                f"cpsat finds tiles for {claimed}, and proves that none are worth more than {bound}",
                f"by the rules they are worth {value}: {' '.join(laid) or 'none'}",
            )
        return self._answer(state, laid, value, bound, time.perf_counter() - begun)

    def _model(self) -> tuple[LongestModel, tuple[str, ...]]:
        if self.aqueduct is None:
            return model_points(self.case), POINTS_SOLVERS
        return model_length(self.case), LENGTH_SOLVERS

    def _lengths(self, state: State) -> dict[int, int]:
        return {a: int(state.length[state.tip[a]]) for a in self.asked}

    def _podiums(self, state: State) -> dict[int, int]:
        """Scores the aqueducts asked for as at the end of the game (section 6)."""
        s = state.copy()
        kernel.stop(self.layout.tables, s, sum(1 << a for a in self.asked))
        return {a: int(s.score[a]) for a in self.asked}

    def _value(self, state: State) -> int:
        scores = self._podiums(state) if self.aqueduct is None else self._lengths(state)
        return sum(scores.values())

    def _simple_bound(self) -> int:
        """Gets an upper bound by relaxation: each aqueduct has all the board to itself, in the water graph."""
        graph = self.position.graph()
        most = [now + graph.reach(self.layout.outlets[a].name).gain for a, now in self.case.lengths.items()]
        return sum(most) if self.aqueduct is not None else best_podiums(most, self.case.room)

    def _answer(self, state: State, laid: tuple[str, ...], value: int, bound: int, seconds: float) -> Longest:
        after = begin_turn_with(self.position, state)
        podiums = self._podiums(state) if self.aqueduct is None else {}
        grown = tuple(
            Grown(course.name, self.case.lengths[a], course.length, course.squares, podiums.get(a))
            for a, course in enumerate(after.aqueducts)
            if a in self.asked
        )
        owner = self.layout.outlets[self.asked[0]].owner
        return Longest(self.position, owner, self.aqueduct, value, bound, laid, grown, after, seconds)


def best_podiums(lengths: list[int], room: Mapping[int, int]) -> int:
    """Adds up the podiums that workmen with these lengths take.

    >>> best_podiums([5, 5, 9], {1: 1, 2: 1, 3: 2, 4: 0, 5: 1})
    11
    """
    places = dict(room)
    total = 0
    for length in lengths:
        podium = max((value for value, left in places.items() if left and value <= length), default=0)
        total += podium
        if podium:
            places[podium] -= 1
    return total


def lay_out(
    layout: Layout, state: State, tiles: Mapping[int, int], aqueducts: tuple[int, ...]
) -> tuple[State, tuple[str, ...]]:
    """Lays planned tiles by the rules, each where an aqueduct's end faces it, and gets their tokens in that order."""
    t, s = layout.tables, state.copy()
    laid = []
    for a in aqueducts:
        while (q := s.face[a]) in tiles and s.tile[q] == EMPTY and t.with_port[s.entry[a]] >> tiles[q] & 1:
            token = f"{layout.square_names[q]}={CODES[tiles[q]]}"
            if not kernel.fits(t, s, q, tiles[q]):
                raise RuntimeError(f"the model lays {token}, which joins two outlets [R3]")
            if s.stock[t.kind[tiles[q]]] == 0:
                raise RuntimeError(f"the model lays {token}, of which no tile is left")
            kernel.lay(t, s, q, tiles[q])
            s.stock[t.kind[tiles[q]]] -= 1
            kernel.survey(t, s)
            laid.append(token)
    return s, tuple(laid)


def simplify(layout: Layout, state: State, tiles: Mapping[int, int], aqueducts: tuple[int, ...]) -> dict[int, int]:
    """Takes one-segment tiles, as far as there are any left, where the aqueducts pass a two-segment tile only once."""
    passed: dict[int, list[frozenset[int]]] = {}
    for a in aqueducts:
        for q, entry, leave in follow(layout, state.tile, layout.outlets[a]):
            passed.setdefault(q, []).append(frozenset((entry, leave)))
    left, made = list(state.stock), dict(tiles)
    for q in tiles.keys() & passed.keys():
        simple = CODE_OF[frozenset(passed[q])]
        if simple != tiles[q] and left[KIND_OF[simple]]:
            left[KIND_OF[simple]] -= 1
            made[q] = simple
    return made


def begin_turn_with(position: Position, state: State) -> Position:
    """Makes a position of a board on which tiles were laid: the turn of the player to move begins."""
    s = state.copy()
    if s.phase != SETUP:
        kernel.begin_turn(position.layout.tables, s)
    return Position(position.layout, s)
