"""Bots: players that answer a position with a turn, from random to strong, for boards, matches and reviews."""

from __future__ import annotations

import random
import re
import threading
from abc import ABC, abstractmethod
from itertools import takewhile
from typing import Any

from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import bind, have_numba, need_numba
from aquakit.compiled.structs import Shelf
from aquakit.core.options import read_whole, show
from aquakit.core.plugins import MissingRoom
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.engine.search import greedy
from aquakit.engine.search.forest import Branch, Forest
from aquakit.errors import InvalidOption, InvalidPosition

NAMES = "random, greedy, planner, planner:3 (turns ahead), mcts, mcts:0.5 or mcts:5s (seconds) or mcts:2000 (playouts)"
MOST_TURNS = 8
"""How far ahead a planner may look."""
ENOUGH = 100
"""A decision visited less often than this is thought about anew."""


class Bot(ABC):
    """A player: called with a position, it answers with a turn, or with the rest of one.

    The answer ends where another player or the die decides; the bot is then asked again.

    >>> from aquakit import start
    >>> class First(Bot):
    ...     name = "first"
    ...
    ...     def decide(self, position):
    ...         return position.actions()[:1]
    >>> str(First()(start("romana2-5x4")))
    'b3=L@Nb x-'
    """

    name: str

    def __call__(self, position: AnyPosition) -> BaseTurn[Any]:
        """Gets a turn, or its part up to the next decision of chance or of another player."""
        if position.is_over or position.is_chance:
            raise InvalidPosition("position", "nobody is to decide", "a position in which a player decides")
        made: list[Any] = []
        seat, moment = position.player, position
        while True:
            for action in self.decide(moment):
                made.append(action)
                moment = moment.act(action)
            if not moment.played or moment.is_over or moment.is_chance or moment.player != seat:
                return position.turn_type(made)

    @abstractmethod
    def decide(self, position: AnyPosition) -> list[Any]:
        """Gets the next actions of the player who decides, at least one.

        >>> from aquakit import start
        >>> [str(action) for action in bot("greedy").decide(start("romana2-5x4"))]
        ['d4=+@E4']
        """

    def stop(self) -> None:  # noqa: B027 - most bots answer at once
        """Makes the answer come soon.

        >>> bot("mcts:5s").stop()
        """

    def __repr__(self) -> str:
        return f"<Bot: {self.name}>"


class RandomBot(Bot):
    """Takes any action, each equally likely."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._draw = random.Random(seed)

    def decide(self, position: AnyPosition) -> list[Any]:
        """Draws an action."""
        return [self._draw.choice(position.actions())]


class GreedyBot(Bot):
    """Takes the action with the best lead if play stopped right after it."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "greedy"
        self._draw = random.Random(seed)

    def decide(self, position: AnyPosition) -> list[Any]:
        """Looks one action ahead."""
        words = self._draw.getrandbits(32), self._draw.getrandbits(32) | 1
        look = _look_compiled if have_numba() else _look_plainly
        return [position._decode(look(position, words))]


def _look_compiled(position: AnyPosition, words: tuple[int, int]) -> int:
    """Gets the greedy action from the compiled twin."""
    kernel, layout = position.kernel, position.layout
    look = bind(greedy, kernel, position.room("policy"), fast=True)
    tables = kernel.Tables.records(layout.capacity, 1)
    layout.tables.store(tables)
    states, works = kernel.State.records(layout.capacity, 4), kernel.Work.records(layout.capacity, 4)
    position.state.store(states)
    works["random0"][0], works["random1"][0] = words
    with compiling(f"the greedy player of {kernel.__name__}"):
        return int(look.choose_greedily(tables, states, works))


def _look_plainly(position: AnyPosition, words: tuple[int, int]) -> int:
    """Gets the same action from the plain twin, where there is no Numba."""
    kernel, layout = position.kernel, position.layout
    works = [kernel.Work.new(layout.sizes) for _ in range(4)]
    works[0].random0, works[0].random1 = words
    look = bind(greedy, kernel, position.room("policy"), fast=False)
    return int(look.choose_greedily([layout.tables], Shelf([position.state] * 4), works))


class PlannerBot(Bot):
    """Places and builds by the best plan for itself alone, as if nobody else moved; closes and picks greedily.

    A plan of some turns ends there, so it would close far too soon. Good at building and blind to rivals: a yardstick,
    and a partner for those who learn to plan.
    """

    SECONDS = 2.0
    """The most time for a plan; then the best so far is played."""

    def __init__(self, turns: int = 2, seed: int = 0) -> None:
        self.name = f"planner:{turns}"
        self._turns, self._greedy = turns, GreedyBot(seed)
        self._stop: threading.Event | None = None

    def decide(self, position: AnyPosition) -> list[Any]:
        """Plans at the start of a turn, up to the tiles that are laid."""
        plan = planner_of(position)
        if position.played or position.phase == "setup":
            return self._greedy.decide(position)
        self._stop = threading.Event()
        found = plan(position, turns=self._turns, closing=False, seconds=self.SECONDS, method="search", stop=self._stop)
        turn = found.turns[0] if found.turns else ()
        made = list(takewhile(lambda action: action.what not in ("close", "pick"), turn))
        return made or self._greedy.decide(position)

    def stop(self) -> None:
        """Makes the answer come soon."""
        if self._stop is not None:
            self._stop.set()


def planner_of(position: AnyPosition) -> Any:
    """Gets the function that plans turns in a position's game."""
    try:
        return position.room("planner.plan.plan").plan
    except MissingRoom:
        raise InvalidPosition("position", "nobody can plan turns in this game", "a game with a planner") from None


class MctsBot(Bot):
    """Thinks by Monte Carlo tree search, so long or for so many playouts."""

    def __init__(
        self,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        wise: bool = True,
        **settings: float,
    ) -> None:
        if seconds is None and playouts is None:
            seconds = 0.5
        self.name = f"mcts:{seconds:g}s" if seconds is not None else f"mcts:{playouts}"
        self._seconds, self._playouts, self._threads = seconds, playouts, threads
        self._draw = random.Random(seed)
        self._wise, self._settings = wise, settings
        self._forest: Forest | None = None
        self._layout: Any = None
        self._stopped = False

    def __call__(self, position: AnyPosition) -> BaseTurn[Any]:
        """Gets a turn; one that is stopped is completed without further thought."""
        self._stopped = False
        return super().__call__(position)

    def decide(self, position: AnyPosition) -> list[Any]:
        """Grows a tree and takes the most visited actions as long as they are the player's own and well founded."""
        actions = position.actions()
        if len(actions) == 1:
            return actions
        if self._forest is None or position.layout != self._layout:
            seed = self._draw.getrandbits(32)
            self._forest = Forest(position, threads=self._threads, seed=seed, wise=self._wise, **self._settings)
            self._layout = position.layout
        else:
            self._forest.plant(position)
        # It may have been stopped while the search was made, or in an earlier decision of this turn.
        hurried = self._stopped
        self._forest.grow(simulations=1 if hurried else self._playouts, seconds=None if hurried else self._seconds)
        return _walk(self._forest.root(), position)

    def stop(self) -> None:
        """Makes the answer come soon."""
        self._stopped = True
        if self._forest is not None:
            self._forest.stop()


def _walk(branch: Branch, position: AnyPosition) -> list[Any]:
    made: list[Any] = []
    seat = position.player
    while not position.is_over and not position.is_chance and position.player == seat and (not made or position.played):
        children = branch.children()
        if not children or (made and children[0].visits < ENOUGH):
            break
        branch = children[0]
        made.append(position._decode(branch.code))
        position = position.act(made[-1])
    # A tree stopped before its first visit still needs an answer.
    return made or [position.actions()[0]]


def bot(spec: str, seed: int = 0, threads: int | None = None) -> Bot:
    """Makes a bot by name: random, greedy, planner:3 (turns), mcts:0.5s (seconds a decision) or mcts:2000 (playouts).

    Playouts are whole numbers, so a number with a point is seconds, with or without the s.

    >>> bot("mcts:2000").name, bot("mcts:0.3").name
    ('mcts:2000', 'mcts:0.3s')
    >>> from aquakit import start
    >>> str(bot("greedy", seed=1)(start("romana2-5x4")))
    'd4=+@E4 x-'
    """
    read_whole("seed", seed, most=2**64)
    if isinstance(spec, str) and (planner := re.fullmatch(r"planner(?::(\d{1,3}))?", spec)):
        need_numba("planner bots")
        return PlannerBot(read_whole("turns", int(planner[1] or 2), least=1, most=MOST_TURNS), seed)
    match = (
        re.fullmatch(r"random|greedy|mcts(?::(?:(\d{1,12})|(\d{1,9}\.\d{1,9}|\d{1,9}(?=s))s?))?", spec)
        if isinstance(spec, str)
        else None
    )
    if match is None or (match[1] and int(match[1]) == 0) or (match[2] and float(match[2]) == 0):
        raise InvalidOption("bot", show(spec), NAMES)
    if spec == "random":
        return RandomBot(seed)
    if spec == "greedy":
        return GreedyBot(seed)
    need_numba("mcts bots")
    if match[1]:
        playouts = read_whole("playouts", int(match[1]), most=10**9)
        return MctsBot(playouts=playouts, seed=seed, threads=threads)
    return MctsBot(seconds=float(match[2] or 0.5), seed=seed, threads=threads)


def name_bot(player: Any) -> str:
    """Names a bot; one of your own by its `name`, or else as its function or class is called.

    >>> name_bot(bot("greedy")), name_bot(lambda position: "")
    ('greedy', '<lambda>')
    """
    return str(getattr(player, "name", None) or getattr(player, "__name__", type(player).__name__))
