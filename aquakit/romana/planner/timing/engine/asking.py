"""Lets the engine weigh each moment to close an own aqueduct, by games in which everybody plays on by its search."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from aquakit.compiled.jit import need_numba
from aquakit.core.options import read_listener, read_whole, show
from aquakit.errors import InvalidOption
from aquakit.romana.planner.timing.clock import Clock
from aquakit.romana.planner.timing.engine.games import EngineQuestion, PlayedGame, Wanted, always, play_number
from aquakit.romana.planner.timing.engine.result import EngineTiming
from aquakit.romana.planner.timing.replay import TimingCase
from aquakit.work.spread import spread

ENGINE = "engine"
"""What is said of the rivals if they, and the player, are to play on by the engine."""
MOST_GAMES, MOST_PER_DECISION = 100_000, 1_000_000


@dataclass(frozen=True)
class EngineProgress:
    """How far the engine's games are."""

    games: int
    """Games played to their end."""
    wanted: int


@dataclass(frozen=True)
class EngineOptions:
    """How the engine is to weigh closings."""

    games: int
    per_decision: int
    waits: int
    seed: int
    executor: Executor | None
    on_progress: Callable[[EngineProgress], object] | None


def check_engine(case: TimingCase, options: EngineOptions) -> None:
    """Checks before any work whether the engine can be asked."""
    read_whole("games", options.games, least=1, most=MOST_GAMES)
    read_whole("per_decision", options.per_decision, least=1, most=MOST_PER_DECISION)
    read_listener(options.on_progress)
    if options.executor is not None and not isinstance(options.executor, Executor):
        raise InvalidOption("executor", show(options.executor), "a concurrent.futures.Executor")
    if case.state.solo:
        problem = "'engine' in a study position, where rivals take no turns [S1]"
        raise InvalidOption("rivals", problem, "a position of all players, or no rivals")
    need_numba("closure timing by the engine")


def weigh_closings(case: TimingCase, options: EngineOptions, clock: Clock) -> EngineTiming:
    """Plays the games, as many as there is time for; they count in the order of their numbers, whoever is done first.

    So what comes of a number of games depends on the seed alone, wherever they are played.
    """
    question = EngineQuestion(case, options.waits, options.per_decision, options.seed)
    tell = options.on_progress or (lambda _: None)
    played: list[PlayedGame] = []
    with _find_pool(options, clock.runs) as (pool, wanted):
        work = partial(play_number, question, wanted)
        with closing(spread(pool, work, range(options.games), in_order=True)) as results:
            tell(EngineProgress(0, options.games))
            for _, game in results:
                if game is not None:
                    played.append(game)
                    tell(EngineProgress(len(played), options.games))
                if game is None or not clock.runs():
                    break
    return EngineTiming(question, tuple(played), options.games, clock.gone())


@contextmanager
def _find_pool(options: EngineOptions, wanted: Wanted) -> Iterator[tuple[Any, Wanted]]:
    """Gets the executor that was given, or threads, one a core, which the search leaves free to run beside each other.

    In threads a game is left when it is not wanted any more; other executors end those that have begun.
    """
    if options.executor is not None:
        yield options.executor, always
        return
    with ThreadPoolExecutor(min(os.cpu_count() or 1, options.games), "aquakit timing") as pool:
        yield pool, wanted
