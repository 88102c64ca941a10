"""Plays the kit's games in OpenSpiel: importing this registers them with `pyspiel`, for its bots and algorithms.

A state is a moment of `numbered`, which lets OpenSpiel search three times as fast as the plain kernel would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from aquakit.core.games import game_of
from aquakit.core.layouts import BaseLayout
from aquakit.core.plugins import find_optional, find_room, game_names
from aquakit.core.position import AnyPosition
from aquakit.engine.bots import Bot
from aquakit.errors import IllegalTurn, InvalidLayout, missing
from aquakit.interop import steps
from aquakit.interop.numbered import Rules, find_rules, write_layout

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise missing("open_spiel", "its bots and algorithms", "openspiel") from None

EXPLORATION = 2.0
"""The weight of exploration in OpenSpiel's own examples."""


class SpielState(pyspiel.State):
    """A moment of a game; OpenSpiel copies and stores its attributes one by one."""

    def __init__(self, game: SpielGame, text: str | None = None) -> None:
        """Creates the start of a game, or a position given as text."""
        super().__init__(game)
        self._rules = rules = game.rules
        self._moment, self._player = rules.start.copy(), rules.player
        self._played: tuple[int, ...] = ()
        """The numbers of the actions since the turn began."""
        self._origin = ""
        """The position that it was made of, as players see it, if any was given."""
        if text is not None:
            self._moment, self._player, self._played = rules.enter(rules.make.parse(text, rules.layout))
            self._origin = str(self)

    # What OpenSpiel asks

    def current_player(self) -> int:
        """Gets the player who decides, from 0, or what OpenSpiel calls chance and the end of the game."""
        return self._player

    def is_terminal(self) -> bool:
        """Checks whether the game is over."""
        return self._player == steps.OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self._rules.list_numbers(self._moment)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Lists the die's outcomes, equally likely, or what hides under a mountain when the game is over."""
        return self._rules.list_chances(self._moment)

    def _apply_action(self, number: int) -> None:
        self._player, begins = self._rules.step(self._moment, number)
        self._played = () if begins else (*self._played, number)

    def _action_to_string(self, player: int, number: int) -> str:
        return str(self._rules.action(number, chance=player == steps.CHANCE))

    def returns(self) -> list[float]:
        """Gets what the game is worth to each player: nothing before it is over."""
        return self._rules.returns(self._moment) if self._player == steps.OVER else [0.0] * self._rules.players

    def __str__(self) -> str:
        return str(self.position())

    # What the kit offers beside it

    def position(self) -> AnyPosition:
        """Gets the moment as a position of the kit."""
        return self._rules.position(self._moment, self._played)

    def action(self, number: int) -> Any:
        """Gets the action, or at a chance node the outcome, that has a number."""
        return self._rules.action(number, chance=self._player == steps.CHANCE)

    def number(self, action: Any) -> int:
        """Gets the number of an action or of an outcome of the die, given as such or as a token."""
        known = action in self._rules.outcomes
        made = action if known else self._rules.make.turn_type.read_action(str(action))
        if made not in self._rules.number:
            raise IllegalTurn(str(made), f"cannot be played on {self._rules.layout.name}")
        return self._rules.number[made]

    def recall(self) -> str:
        """Gets all that every player knows: the position that was given, if any, and what happened since."""
        history = self.history_str()
        return f"{self._origin}: {history}" if self._origin else history

    def observe(self) -> Iterator[tuple[str, Any]]:
        """Names what everybody sees, as arrays with entries from 0 to 1."""
        return self._rules.observe(self._moment, self._player)


class Observer:
    """Shows a state as text and as arrays; everybody sees everything that anybody sees.

    With perfect recall the text is that of the whole game so far. The arrays are not: all that matters for what follows
    is in the position, and a learner would have to find that out.
    """

    def __init__(self, rules: Rules, params: dict[str, Any] | None, *, recalls: bool) -> None:
        """Creates the arrays, all zero."""
        if params:
            raise ValueError(f"observations take no parameters, not {params}")
        self._recalls = recalls
        shapes = {name: values.shape or (1,) for name, values in rules.observe(rules.start, rules.player)}
        self.tensor = np.zeros(sum(map(prod, shapes.values())), np.float32)
        self.dict: dict[str, Any] = {}
        used = 0
        for name, shape in shapes.items():
            self.dict[name] = self.tensor[used : used + prod(shape)].reshape(shape)
            used += prod(shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Takes the arrays from a state."""
        for name, values in state.observe():
            self.dict[name][...] = values

    def string_from(self, state: SpielState, player: int) -> str:
        """Gets the position's text, or that of the game so far."""
        return state.recall() if self._recalls else str(state)


class SpielGame(pyspiel.Game):
    """A game of the kit on one layout.

    Zero-sum: the winner gets 1 and the others lose it in equal parts; winners who share a game share that. For two
    players it is 1, 0 or -1. The margin does not count, so that OpenSpiel's searches can prove wins.
    """

    name: ClassVar[str]
    """The game's package."""
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
            max_game_length=find_room(self.name, "openspiel").longest_game(rules.layout),
        )
        super().__init__(self.game_type, info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (self.game_type.short_name, self.get_parameters())

    @cached_property
    def rules(self) -> Rules:
        """What all its states share; found by the parameters, the only thing that OpenSpiel stores of a game."""
        return find_rules(self.name, self.get_parameters())

    def new_initial_state(self, text: str | None = None) -> SpielState:
        """Gets the start of the game, or the position that a text describes."""
        return SpielState(self, text)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """Gets what shows states: the position, or with perfect recall the game so far; nothing is private."""
        if kind is not None and not kind.public_info:
            return IIGObserverForPublicInfoGame(kind, params)
        return Observer(self.rules, params, recalls=kind is not None and kind.perfect_recall)


def _adapt_all() -> Iterator[tuple[str, type[SpielGame]]]:
    """Makes a class of each game that has a module for OpenSpiel, by its package's name."""
    for name in game_names():
        if (world := find_optional(name, "openspiel")) is not None:
            yield name, type(world.NAME, (SpielGame,), {"name": name, "game_type": _describe(world)})


def _describe(world: ModuleType) -> Any:
    """Tells OpenSpiel what sort of game it is."""
    kind = pyspiel.GameType
    return kind(
        short_name=world.NAME,
        long_name=world.TITLE,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if world.HAS_CHANCE else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=world.PARAMETERS,
    )


class EngineBot(pyspiel.Bot):
    """One of the kit's bots as a bot of OpenSpiel, which thinks anew about every action."""

    def __init__(self, bot: Bot) -> None:
        """Wraps a bot."""
        super().__init__()
        self._bot = bot

    def restart_at(self, state: SpielState) -> None:
        """Does nothing: every answer depends on the state alone."""

    def step(self, state: SpielState) -> int:
        """Gets the number of the bot's action."""
        return state.number(self._bot.decide(state.position())[0])


class TreeBot(pyspiel.Bot):
    """OpenSpiel's tree search in C++ with random rollouts, by seconds or by simulations a decision.

    On a game written in Python, ours or OpenSpiel's own, `pyspiel.MCTSBot.step` crashes: it copies states after letting
    go of the interpreter's lock. Its `mcts_search` does the same work and keeps the lock.
    """

    def __init__(
        self,
        game: SpielGame,
        *,
        seconds: float = -1.0,
        simulations: int = 10**9,
        exploration: float = EXPLORATION,
        seed: int = 0,
    ) -> None:
        """Prepares the search; seconds, if given, count instead of simulations."""
        super().__init__()
        self._search = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
            uct_c=exploration,
            max_simulations=simulations,
            max_memory_mb=1000,
            solve=True,
            seed=seed,
            verbose=False,
            max_wall_clock_time=seconds,
        )
        self.simulations = 0
        """How many were run so far."""

    def restart_at(self, state: SpielState) -> None:
        """Does nothing: every search begins anew."""

    def step(self, state: SpielState) -> int:
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
            self._game = load_game(position.layout)
            self._guest, self._layout = self._make(self._game), position.layout
        state = self._game.new_initial_state(str(position))
        return [state.action(self._guest.step(state))]


GAMES = dict(_adapt_all())


def load_game(layout: str | Path | BaseLayout = "romana2", **options: Any) -> Any:
    """Gets the game of a layout, given by name, by path or as such, as OpenSpiel has it; options are its parameters.

    >>> state = load_game("romana2-5x4").new_initial_state()
    >>> state.action_to_string(state.legal_actions()[0])
    'b3=|@Sb'
    """
    name = game_of(layout).name
    if name not in GAMES:
        raise InvalidLayout("layout", f"{name} is not played in OpenSpiel", f"a layout of {' or '.join(GAMES)}")
    game = GAMES[name]
    return _load(game.game_type.short_name, {"layout": write_layout(layout), **options})


def _load(name: str, parameters: dict[str, Any]) -> Any:
    """Gets a game by OpenSpiel's name; a stored one finds it here, where it is registered."""
    return pyspiel.load_game(name, parameters)


for _game in GAMES.values():
    if _game.game_type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(_game.game_type, _game)
