"""Lets bots play seats of a board, each thinking in the background, so that the notebook stays responsive."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from aquakit.core.options import show
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import bot as make_bot
from aquakit.errors import InvalidOption
from aquakit.widgets.background import Background

Bot = Callable[[Any], Any]
"""Gets a turn for a position: its actions or its text; inside a turn, the rest of it."""
Heard = Callable[["Thought", Any, BaseException | None], None]
"""Takes what a bot answered, or why it did not."""


LONGEST_PAUSE = 60
"""The most seconds that a bot can be made to wait before its answer counts."""


def read_seats(players: Mapping[int, Bot | str] | None, seats: int, seed: int | None = None) -> dict[int, Bot]:
    """Checks which seats bots play, and makes those that are named; the seed makes what they draw repeatable.

    >>> read_seats({2: "mcts:0.3"}, 2)
    {2: <Bot: mcts:0.3s>}
    """
    if players is None:
        return {}
    if not isinstance(players, Mapping):
        raise InvalidOption("players", show(players), 'a mapping of seats to bots, like {2: "greedy"}')
    for seat in players:
        if type(seat) is not int or not 1 <= seat <= seats:
            raise InvalidOption("players", f"there is no seat {show(seat)}", f"a whole number from 1 to {seats}")
    draw = random.Random(seed)
    return {seat: _read_bot(seat, bot, draw.getrandbits(32)) for seat, bot in players.items()}


def _read_bot(seat: int, bot: Any, seed: int) -> Bot:
    """Gets a bot, given as such or by name."""
    if callable(bot):
        made: Bot = bot
        return made
    try:
        return make_bot(bot, seed)
    except InvalidOption as problem:
        expected = f"{problem.expected}; or something that is called with a position"
        raise InvalidOption("players", f"seat {seat}: {show(bot)}", expected) from problem


class Thought:
    """A bot's thinking about one position, which can be called off."""

    def __init__(self, bot: Bot, position: AnyPosition, heard: Heard, pace: float = 0) -> None:
        """Begins at once, in the background; the answer is heard after so many seconds at the soonest."""
        self._bot, self._position, self._heard = bot, position, heard
        self._soonest = time.monotonic() + pace
        self._wanted = True
        self._called_off = threading.Event()
        self._thinking = Background(self._think, "aquakit bot")
        self._thinking.start()

    def _think(self) -> None:
        turn, failure = None, None
        try:
            turn = self._bot(self._position)
        except BaseException as problem:  # whatever a stranger's bot does wrong is shown on the board
            failure = problem
        if threading.current_thread() is not threading.main_thread():  # without threads all would stand still
            self._called_off.wait(max(0.0, self._soonest - time.monotonic()))
        if self._wanted:
            self._heard(self, turn, failure)

    def call_off(self) -> None:
        """Makes sure that the answer is not heard; a bot that has a method `stop` is told to stop."""
        self._wanted = False
        self._called_off.set()
        stop = getattr(self._bot, "stop", None)
        if callable(stop):
            with suppress(Exception):
                stop()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the bot has answered."""
        self._thinking.wait(seconds)


class BotSeats:
    """The seats of a board that bots play; one of them may be thinking."""

    def __init__(self, seats: dict[int, Bot]) -> None:
        """Takes the seats, by player."""
        self.seats = seats
        self.thought: Thought | None = None

    @property
    def is_thinking(self) -> bool:
        """Whether a bot thinks."""
        return self.thought is not None

    def wake(self, seat: int, position: AnyPosition, heard: Heard, pace: float) -> None:
        """Lets a bot think about a position, at least so many seconds."""
        self.thought = Thought(self.seats[seat], position, heard, pace)

    def take(self, thought: Thought) -> bool:
        """Takes an answer, unless it is no longer waited for."""
        if self.thought is not thought:
            return False
        self.thought = None
        return True

    def call_off(self) -> None:
        """Lets no bot think any more."""
        if self.thought is not None:
            self.thought.call_off()
            self.thought = None


def read_pace(value: Any) -> float:
    """Checks how many seconds bots are to take at least."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LONGEST_PAUSE:
        raise InvalidOption("pace", show(value), f"a number of seconds from 0 to {LONGEST_PAUSE}")
    return value
