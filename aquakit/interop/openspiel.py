"""Plays the kit's games in OpenSpiel: importing this registers them with `pyspiel`, for its bots and algorithms.

A state is a record of the compiled kernel, which lets OpenSpiel search three times as fast as the plain kernel would.
OpenSpiel wants actions as numbers from 0 that mean the same all game long. So the actions that a layout has names for
are numbered, and the kernel's own codes are translated by way of these names. Outcomes of the die are numbered apart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from aquakit import aquadukt, romana
from aquakit.compiled.jit import bind_fast, compiling
from aquakit.core.games import game_of
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import Bot
from aquakit.errors import IllegalTurn, InvalidLayout, MissingPackage
from aquakit.interop import steps
from aquakit.romana.kernel import CODES, EMPTY, KINDS, SEGMENTS

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise MissingPackage("open_spiel", "is not installed", 'pip install "aquakit[openspiel]"') from None

CHANCE, NOW, TURN_START = -1, 0, 1
BITS = np.arange(32)
CURIOSITY = 2.0
"""The weight of exploration in OpenSpiel's own examples."""


@cache
def bind_steps(kernel: ModuleType) -> ModuleType:
    """Gets the compiled steps of a game."""
    return bind_fast(steps, kernel)


class Board:
    """Two records of the kernel's state: now, and the start of the turn."""

    __slots__ = ("records",)

    def __init__(self, records: Any) -> None:
        self.records = records

    def copy(self) -> Board:
        """Creates an independent board; NumPy would copy the records field by field, which takes ten times as long."""
        return Board(np.frombuffer(bytearray(self.records.tobytes()), self.records.dtype))

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self.copy()


class Rules:
    """What all states of a game share: the kernel with the layout's tables, and the numbers of the actions."""

    def __init__(self, name: str, options: dict[str, Any], start: AnyPosition) -> None:
        """Prepares the compiled steps for a layout, and compiles them if that was not done before."""
        self._origin = name, options
        game = GAMES[name]
        self.kernel, self.layout, self.make = start.kernel, start.layout, type(start)
        self.players = self.layout.tables.players
        self.actions, self.outcomes = (list(names(self.layout)) for names in (game.list_actions, game.list_outcomes))
        self.number = {action: n for names in (self.actions, self.outcomes) for n, action in enumerate(names)}
        self._steps = bind_steps(self.kernel)
        self._tables = self.kernel.Tables.records(self.layout.capacity, 1)
        self.layout.tables.store(self._tables)
        self._numbers = np.zeros(1, np.int32)
        self._own = threading.local()
        with compiling(f"the steps of {self.kernel.__name__}"):
            self.start, self.player, _ = self.enter(start)
            self.list_numbers(self.start)
            self._steps.step(self._tables, self.start.records, self._works, self._numbers, -1)
            self.returns(self.start)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return find_rules, self._origin

    # Positions and names

    def enter(self, position: AnyPosition) -> tuple[Board, int, tuple[int, ...]]:
        """Gets a position as a board, with who decides and the actions of the turn so far."""
        records = self.kernel.State.records(self.layout.capacity, 2)
        position.state.store(records, NOW)
        position.rewind().state.store(records, TURN_START)
        played = tuple(self.number[action] for action in position.played)
        return Board(records), int(self._steps.decide(self._tables, records)), played

    def position(self, board: Board, played: tuple[int, ...]) -> AnyPosition:
        """Gets a board as a position."""
        state = self.kernel.State.new(self.layout.sizes)
        state.load(board.records, TURN_START)
        position = self.make(self.layout, state)
        for number in played:
            position = position.act(self.action(number, chance=position.is_chance))
        return position

    def action(self, number: int, *, chance: bool = False) -> Any:
        """Gets the action, or the outcome of chance, that has a number."""
        return (self.outcomes if chance else self.actions)[number]

    # Steps

    @property
    def _works(self) -> Any:
        """The thread's own workspace."""
        try:
            return self._own.works
        except AttributeError:
            self._own.works = self.kernel.Work.records(self.layout.capacity, 1)
            return self._own.works

    def list_numbers(self, board: Board) -> list[int]:
        """Lists the numbers of the legal actions, in ascending order."""
        works = self._works
        n = self._steps.list_numbers(self._tables, board.records, works, self._numbers)
        if n == steps.UNKNOWN:
            self._learn(works)
            return self.list_numbers(board)
        numbers: list[int] = works["actions"][0][:n].tolist()
        return numbers

    def step(self, board: Board, number: int) -> tuple[int, bool]:
        """Carries out an action; gets who decides next and whether a turn begins there."""
        works = self._works
        player, begins = self._steps.step(self._tables, board.records, works, self._numbers, number)
        if player == steps.UNKNOWN:
            self._learn(works)
            return self.step(board, number)
        if player == steps.ILLEGAL:
            raise IllegalTurn(f"action {number}", "is not legal here")
        return player, begins

    def _learn(self, works: Any) -> None:
        """Gives the codes just listed their numbers, by way of the actions' names."""
        for code in works["actions"][0][: int(works["count"][0])].tolist():
            if code >= len(self._numbers):
                # Zeros take up memory only where they are overwritten, so that most of a long table is free.
                longer = np.zeros(1 << code.bit_length(), np.int32)
                longer[: len(self._numbers)] = self._numbers
                self._numbers = longer
            self._numbers[code] = self.number[self.make.notation.decode(self.layout, code)] + 1

    def returns(self, board: Board) -> list[float]:
        """Gets what a finished game is worth to each player."""
        works = self._works
        self._steps.count(self._tables, board.records, works)
        ranks = list(zip(*(works[field][0][: self.players].tolist() for field in ("total", "tie")), strict=True))
        share = self.players / ranks.count(max(ranks))
        return [((share if rank == max(ranks) else 0) - 1) / (self.players - 1) for rank in ranks]


@lru_cache(maxsize=64)
def _make_rules(name: str, options: tuple[tuple[str, Any], ...], start: AnyPosition) -> Rules:
    return Rules(name, dict(options), start)


def find_rules(name: str, options: dict[str, Any]) -> Rules:
    """Gets the rules of a game with OpenSpiel's parameters, made once as long as its layout stays the same."""
    options = {**GAMES[name].defaults, **options}
    start = GAMES[name].begin(**options)
    if start.layout.tables.players < 2:
        raise InvalidLayout("layout", f"{start.layout.name} has one player", "a layout for two to four")
    return _make_rules(name, tuple(options.items()), start)


class State(pyspiel.State):
    """A moment of a game; OpenSpiel copies and stores its attributes one by one."""

    def __init__(self, game: Game, text: str | None = None) -> None:
        """Creates the start of a game, or a position given as text."""
        super().__init__(game)
        self._rules = rules = game.rules
        self._board, self._player = rules.start.copy(), rules.player
        self._played: tuple[int, ...] = ()
        """The numbers of the actions since the turn began."""
        if text is not None:
            self._board, self._player, self._played = rules.enter(rules.make.parse(text, rules.layout))

    # What OpenSpiel asks

    def current_player(self) -> int:
        """Gets the player who decides, from 0, or what OpenSpiel calls chance and the end of the game."""
        return self._player

    def is_terminal(self) -> bool:
        """Checks whether the game is over."""
        return self._player == steps.OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self._rules.list_numbers(self._board)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Lists the die's outcomes, equally likely."""
        numbers = self._rules.list_numbers(self._board)
        return [(number, 1 / len(numbers)) for number in numbers]

    def _apply_action(self, number: int) -> None:
        self._player, begins = self._rules.step(self._board, number)
        self._played = () if begins else (*self._played, number)

    def _action_to_string(self, player: int, number: int) -> str:
        return str(self._rules.action(number, chance=player == CHANCE))

    def returns(self) -> list[float]:
        """Gets what the game is worth to each player: nothing before it is over."""
        return self._rules.returns(self._board) if self._player == steps.OVER else [0.0] * self._rules.players

    def __str__(self) -> str:
        return str(self.position())

    # What the kit offers beside it

    def position(self) -> AnyPosition:
        """Gets the moment as a position of the kit."""
        return self._rules.position(self._board, self._played)

    def action(self, number: int) -> Any:
        """Gets the action, or at a chance node the outcome, that has a number."""
        return self._rules.action(number, chance=self._player == CHANCE)

    def number(self, action: Any) -> int:
        """Gets the number of an action or of an outcome of the die, given as such or as a token."""
        made = self._rules.make.turn_type.read_action(str(action))
        if made not in self._rules.number:
            raise IllegalTurn(str(made), f"cannot be played on {self._rules.layout.name}")
        return self._rules.number[made]

    def write(self, tensors: dict[str, Any]) -> None:
        """Writes the fields of the kernel's state into arrays; a mask's bits one by one."""
        for name, tensor in tensors.items():
            values = np.atleast_1d(self._board.records[name][NOW])[: len(tensor)]
            tensor[:] = values[:, None] >> BITS & 1 if tensor.ndim == 2 else values


class Observer:
    """Shows a state as text and as an array of the kernel's fields; everybody sees everything."""

    def __init__(self, rules: Rules, params: dict[str, Any] | None) -> None:
        """Creates the arrays, all zero."""
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        shapes = dict(_shapes(rules))
        self.tensor = np.zeros(sum(rows * columns for rows, columns in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        used = 0
        for name, (rows, columns) in shapes.items():
            field = self.tensor[used : used + rows * columns]
            self.dict[name] = field.reshape(rows, columns) if columns > 1 else field
            used += rows * columns

    def set_from(self, state: State, player: int) -> None:
        """Takes the arrays from a state."""
        state.write(self.dict)

    def string_from(self, state: State, player: int) -> str:
        """Gets the position's text."""
        return str(state)


def _shapes(rules: Rules) -> Iterator[tuple[str, tuple[int, int]]]:
    """Gets the shape of each field that belongs to a position; fields of 64 bits are masks in words of 32."""
    for name, (kind, *length) in rules.kernel.State.fields().items():
        if name != "ended":
            size = rules.layout.sizes.get(length[0], length[0]) if length else 1
            yield name, (size, len(BITS) if kind == "i8" else 1)


class Game(pyspiel.Game):
    """A game of the kit on one layout.

    Zero-sum: the winner gets 1 and the others lose it in equal parts; winners who share a game share that. For two
    players it is 1, 0 or -1. The margin does not count, so that OpenSpiel's searches can prove wins.
    """

    name: ClassVar[str]
    defaults: ClassVar[dict[str, Any]]
    """OpenSpiel's parameters."""
    begin: ClassVar[Callable[..., AnyPosition]]
    """Creates the start; its options are the parameters."""
    game_type: ClassVar[Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Creates the game from OpenSpiel's parameters."""
        rules = find_rules(self.name, params or {})
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.actions),
            max_chance_outcomes=len(rules.outcomes),
            num_players=rules.players,
            min_utility=-1 / (rules.players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.longest(rules.layout),
        )
        super().__init__(self.game_type, info, params or {})

    @cached_property
    def rules(self) -> Rules:
        """What all its states share; found by the parameters, the only thing that OpenSpiel stores of a game."""
        return find_rules(self.name, self.get_parameters())

    def new_initial_state(self, text: str | None = None) -> State:
        """Gets the start of the game, or the position that a text describes."""
        return State(self, text)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Gets what shows states: the position, or with perfect recall the history, as OpenSpiel's own games do."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return Observer(self.rules, params)
        return IIGObserverForPublicInfoGame(kind, params)

    # What each game says for itself

    @classmethod
    def list_actions(cls, layout: Any) -> Iterator[Any]:
        """Names all actions that the board has names for, in the order of their numbers."""
        raise NotImplementedError

    @classmethod
    def list_outcomes(cls, layout: Any) -> Iterator[Any]:
        """Names all outcomes of chance, in the order of their numbers."""
        raise NotImplementedError

    @classmethod
    def longest(cls, layout: Any) -> int:
        """Gets a number of decisions that no game exceeds."""
        raise NotImplementedError


def _describe(name: str, title: str, parameters: dict[str, Any], *, chance: bool) -> Any:
    """Tells OpenSpiel what sort of game it is."""
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if chance else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class AquaRomana(Game):
    """Aqua Romana, from the ready-made arrangement on."""

    name = "romana"
    defaults: ClassVar[dict[str, Any]] = {"layout": "romana2"}
    begin = romana.Position.start
    game_type = _describe("python_aqua_romana", "Aqua Romana", defaults, chance=False)

    @classmethod
    def list_actions(cls, layout: romana.Layout) -> Iterator[romana.Action]:
        """Names all actions; a tile can be built only by a builder in line with a square beside it."""
        free = [q for q, code in enumerate(layout.bare_state().tile) if code == EMPTY and q not in layout.printed]
        tiles = [code for code, segments in zip(CODES, SEGMENTS, strict=True) if segments]
        names, sight = layout.path_names, layout.tables.sight
        for square in free:
            beside = [q for side in range(4) if (q := layout.neighbour(square, side)) is not None]
            seen = sorted({p for q in beside for p in sight[4 * q : 4 * q + 4]})
            for tile, p in product(tiles, seen):
                yield romana.Action("build", layout.square_names[square], tile, names[p])
        for square, tile in product(free, tiles):
            yield romana.Action("extra", layout.square_names[square], tile)
        for builder, name in product(KINDS, names):
            yield romana.Action("place", path=name, builder=builder)
        yield from (romana.Action("advance", path=name) for name in names)
        yield from (romana.Action("close", aqueduct=name) for name in ("-", *layout.aqueduct_index))
        yield from (romana.Action("pick", builder=builder) for builder in KINDS)

    @classmethod
    def list_outcomes(cls, layout: romana.Layout) -> Iterator[romana.Action]:
        """Names nothing: there is no chance."""
        return iter(())

    @classmethod
    def longest(cls, layout: romana.Layout) -> int:
        """Counts an idle round beside each tile, three decisions a turn, and the builders placed and picked."""
        turns = len(layout.players) * (1 + sum(layout.stock))
        return 3 * turns + 2 * len(layout.outlets) + sum(layout.builders)


class Aquadukt(Game):
    """Aquädukt without events, since these are hidden from the players; the seed draws the mountains."""

    name = "aquadukt"
    defaults: ClassVar[dict[str, Any]] = {"layout": "aquadukt2", "seed": 0}
    begin = aquadukt.Position.start
    game_type = _describe("python_aquadukt", "Aquädukt", defaults, chance=True)

    @classmethod
    def list_actions(cls, layout: aquadukt.Layout) -> Iterator[aquadukt.Action]:
        """Names all actions."""
        yield from (aquadukt.Action(word) for word in ("roll", "decline", "stop", "pass"))
        squares = [name for region in layout.regions for name in region]
        for square, value in product(squares, range(1, len(layout.tiles) + 1)):
            yield aquadukt.Action("house", value=value, square=square)
        yield from (aquadukt.Action("spring", point=name) for name in layout.point_index)
        yield from (aquadukt.Action("canal", segment=name) for name in layout.segment_index)

    @classmethod
    def list_outcomes(cls, layout: aquadukt.Layout) -> Iterator[aquadukt.Action]:
        """Names the regions that the die can show."""
        return (aquadukt.Action("die", region=number) for number in range(1, len(layout.regions) + 1))

    @classmethod
    def longest(cls, layout: aquadukt.Layout) -> int:
        """Counts three idle rounds beside each piece put down, and three rolls with a tile each in every turn."""
        pieces = layout.players * sum(layout.tiles) + layout.springs + layout.canals
        return 2 * 3 * 3 * layout.players * (1 + pieces)


class EngineBot(pyspiel.Bot):
    """One of the kit's bots as a bot of OpenSpiel, which thinks anew about every action."""

    def __init__(self, bot: Bot) -> None:
        """Wraps a bot."""
        super().__init__()
        self._bot = bot

    def restart_at(self, state: State) -> None:
        """Does nothing: every answer depends on the state alone."""

    def step(self, state: State) -> int:
        """Gets the number of the bot's action."""
        return state.number(self._bot.decide(state.position())[0])


class TreeBot(pyspiel.Bot):
    """OpenSpiel's tree search in C++ with random rollouts, by seconds or by simulations a decision.

    On a game written in Python, ours or OpenSpiel's own, `pyspiel.MCTSBot.step` crashes: it copies states after letting
    go of the interpreter's lock. Its `mcts_search` does the same work and keeps the lock.
    """

    def __init__(
        self,
        game: Game,
        *,
        seconds: float = -1.0,
        simulations: int = 10**9,
        curiosity: float = CURIOSITY,
        seed: int = 0,
    ) -> None:
        """Prepares the search; seconds, if given, count instead of simulations."""
        super().__init__()
        self._search = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
            uct_c=curiosity,
            max_simulations=simulations,
            max_memory_mb=1000,
            solve=True,
            seed=seed,
            verbose=False,
            max_wall_clock_time=seconds,
        )
        self.simulations = 0
        """How many were run so far."""

    def restart_at(self, state: State) -> None:
        """Does nothing: every search begins anew."""

    def step(self, state: State) -> int:
        """Gets the number of the action that the search finds best."""
        root = self._search.mcts_search(state)
        self.simulations += root.explore_count
        # The first simulation only looks at the root itself.
        return int(root.best_child().action) if root.explore_count > 1 else int(state.legal_actions()[0])


class GuestBot(Bot):
    """A bot of OpenSpiel as one of the kit's, for matches and boards."""

    def __init__(self, make: Callable[[Any], Any], name: str = "openspiel") -> None:
        """Names the bot and how it is made for a game, such as `partial(TreeBot, seconds=0.5)`."""
        self.name, self._make = name, make
        self._layout: Any = None
        self._game: Any = None
        self._guest: Any = None

    def decide(self, position: AnyPosition) -> list[Any]:
        """Asks for the next action."""
        if position.layout != self._layout:
            self._game = load_game(position.layout.ref or position.layout.name)
            self._guest, self._layout = self._make(self._game), position.layout
        state = self._game.new_initial_state(str(position))
        return [state.action(self._guest.step(state))]


GAMES: dict[str, type[Game]] = {game.name: game for game in (AquaRomana, Aquadukt)}


def load_game(layout: str | Path = "romana2", **options: Any) -> Any:
    """Gets the game of a layout, given by name or path, as OpenSpiel has it; the options are the game's parameters.

    >>> state = load_game("romana2-5x4").new_initial_state()
    >>> state.action_to_string(state.legal_actions()[0])
    'b3=|@Sb'
    """
    game = GAMES[game_of(layout).name]
    return pyspiel.load_game(game.game_type.short_name, {"layout": str(layout), **options})


for _game in GAMES.values():
    if _game.game_type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(_game.game_type, _game)
