"""Plays one game between bots, alike in whatever process it happens: all that is random follows from numbers given."""

from __future__ import annotations

import pickle
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from inspect import signature
from itertools import combinations, product
from typing import Any

from aquakit.core import games
from aquakit.core.options import show
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import bot
from aquakit.engine.matches.results import GameResult
from aquakit.errors import AquakitError, InvalidOption, InvalidTurn, shorten

Player = Callable[[Any], Any]
"""Gets a turn for a position: its actions or its text; inside a turn, the rest of it."""


class BotFailed(AquakitError):
    """A bot gave an answer that is no legal turn, or none at all; says which bot, in which game and position."""

    def __init__(
        self, where: str, problem: str, expected: str = "", *, bot: str = "", game: int = 0, position: str = ""
    ) -> None:
        super().__init__(where, problem, expected)
        self.bot = bot
        self.game = game
        self.position = position

    def __str__(self) -> str:
        return f"{super().__str__()}; the position was {self.position}"


@dataclass(frozen=True)
class MatchPlan:
    """All that a process must know to play any game of a match."""

    kind: str
    """The game's name in the kit."""
    layout: str
    """The layout's file: another machine need not have it."""
    ref: str
    options: dict[str, Any]
    """The options of the game's start."""
    names: tuple[str, ...]
    bots: tuple[str | bytes | Player, ...]
    """Each as a spec, as a pickled callable or as a callable."""
    seats: int
    seed: int

    @property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """The ways to seat the bots, by game; begun anew after the last one."""
        return ways_to_seat(len(self.bots), self.seats)

    def seated(self, game: int) -> tuple[int, ...]:
        """Gets the numbers of the bots that play a game, in turn order."""
        return self.ways[game % len(self.ways)]

    def seat_names(self, game: int) -> tuple[str, ...]:
        """Gets the names of the bots that play a game, in turn order."""
        return tuple(self.names[number] for number in self.seated(game))

    def game_seed(self, game: int) -> int:
        """Gets what a game's start and dice follow from: the same for all ways to seat the bots."""
        return random.Random(f"{self.seed}/{game // len(self.ways)}").getrandbits(32)

    def owns(self, result: GameResult) -> bool:
        """Checks whether a game can be one of this match."""
        return (result.seats, result.seed) == (self.seat_names(result.game), self.game_seed(result.game))

    def start(self, game: int) -> AnyPosition:
        """Creates a game's start."""
        board = _load(self.kind, self.layout, self.ref)
        drawn = "seed" in signature(games.Game.load(self.kind).start).parameters
        return games.start(board, **self.options, **({"seed": self.game_seed(game)} if drawn else {}))

    def players(self, game: int) -> list[Player]:
        """Makes the bots of a game, one for each seat."""
        seed = self.game_seed(game)
        return [self._player(number, f"{seed}/{game}/{seat}") for seat, number in enumerate(self.seated(game))]

    def _player(self, number: int, seed: str) -> Player:
        made = self.bots[number]
        if isinstance(made, str):
            return bot(made, seed=random.Random(seed).getrandbits(32), threads=1)
        return _unpickle(made, self.names[number]) if isinstance(made, bytes) else made


@lru_cache(maxsize=8)
def _load(kind: str, text: str, ref: str) -> Any:
    """Makes a layout once in each process."""
    return games.Game.load(kind).layout(text, ref)


def _unpickle(data: bytes, name: str) -> Player:
    try:
        made: Player = pickle.loads(data)
    except Exception as problem:
        expected = "one defined in a module that can be imported, or threads: executor=ThreadPoolExecutor(1)"
        raise InvalidOption("bots", f"{name} is unknown to another process: {problem}", expected) from None
    return made


@cache
def ways_to_seat(bots: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Lists the ways to seat bots that together are fair.

    As many as seats: all rotations; more: those of every choice. With fewer bots than seats, every way in which each
    plays, such that any first few of them are about fair already.

    >>> ways_to_seat(2, 2), ways_to_seat(2, 3)[:4]
    (((0, 1), (1, 0)), ((0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 0, 1)))
    """
    if bots >= seats:
        chosen = combinations(range(bots), seats)
        return tuple(each[i:] + each[:i] for each in chosen for i in range(seats))
    every = (each for each in product(range(bots), repeat=seats) if len(set(each)) == bots)
    return tuple(dict.fromkeys(alike for each in every for alike in _alike(each, bots)))


def _alike(seating: tuple[int, ...], bots: int) -> Iterator[tuple[int, ...]]:
    """Gives the ways to seat that differ from one only by rotation and by which bot is which."""
    for i in range(len(seating)):
        for shift in range(bots):
            yield tuple((number + shift) % bots for number in seating[i:] + seating[:i])


def own_actions(position: AnyPosition, turn: Any) -> list[Any]:
    """Gets what a bot's answer says about its own decisions up to the next one of chance or of another player.

    Whoever runs the game throws the dice, so what an answer says after a roll is not used: the bot is asked again.
    """
    answer, seat, made = position.turn_type.read(turn), position.player, []
    for action in (*answer, None):
        understood = position.understood(action)
        for each in (understood, action):
            if each is None or position.is_chance or position.player != seat:
                continue
            made.append(each)
            position = position.act(each)
            if not position.played:
                return made
    if not made:
        raise InvalidTurn(show(turn), "is no answer", "a turn")
    return made


def play_game(plan: MatchPlan, game: int) -> GameResult:
    """Plays a game of a match to its end."""
    start = moment = plan.start(game)
    players, names = plan.players(game), plan.seat_names(game)
    dice = random.Random(f"dice/{plan.game_seed(game)}")
    seconds = [0.0] * len(players)
    turns: list[str] = []
    actions: list[Any] = []
    while not moment.is_over:
        if moment.is_chance:
            made = [_throw(moment, dice)]
        else:
            seat = (moment.player or 1) - 1
            begun = time.perf_counter()
            made = _ask(players[seat], moment, names[seat], game)
            seconds[seat] += time.perf_counter() - begun
        for action in made:
            moment = moment.act(action)
        actions += made
        if not moment.played:
            turns.append(str(moment.turn_type(actions)))
            actions = []
    places = rank(moment)
    return GameResult(
        game=game,
        seats=names,
        seed=plan.game_seed(game),
        start=str(start),
        turns=tuple(turns),
        scores=moment.scores(),
        places=places,
        shares=tuple((place == 1) / places.count(1) for place in places),
        seconds=tuple(round(spent, 4) for spent in seconds),
    )


def _throw(moment: AnyPosition, dice: random.Random) -> Any:
    """Draws what chance decides, with one number each, so that games with the same dice stay in step."""
    outcomes = moment.actions()
    return outcomes[int(dice.random() * len(outcomes))]


def _ask(player: Player, moment: AnyPosition, name: str, game: int) -> list[Any]:
    try:
        return own_actions(moment, player(moment.view()))
    except (Exception, SystemExit) as problem:  # whatever a stranger's bot does wrong
        kind = "" if isinstance(problem, AquakitError) else f"{type(problem).__name__}: "
        text = shorten(f"{kind}{problem}", 300)
        raise BotFailed(f"{name} in game {game}", text, bot=name, game=game, position=str(moment.view())) from problem


def rank(position: AnyPosition) -> tuple[int, ...]:
    """Gets each player's place: by points, and where the game says how, ties are broken."""
    work = position.kernel.Work.new(position.layout.sizes)
    position.kernel.count_points(position.layout.tables, position.state, work)
    players = position.layout.tables.players
    values = list(zip(work.total[:players], work.tie[:players], strict=True))
    return tuple(1 + sum(other > value for other in values) for value in values)
