"""Simple solvers' tries, and how many ways a line has: what tells how hard a question about turns is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from math import log2
from typing import Any

from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.engine.bots import Bot, GreedyBot, MctsBot
from aquakit.engine.solve import solve
from aquakit.puzzle.model import LINE

GREEDY = 5
"""So many times the greedy bot tries, each with another seed."""
PLAYOUTS = (100, 1000, 5000)
"""What the small searches may spend."""
SEARCHES = 3
"""So many times each of them tries, each with another seed."""
SOME = 50
"""So many of equally good turns, drawn, are tries."""


def play_whole_turn(bot: Bot, position: AnyPosition) -> BaseTurn[Any]:
    """Lets a bot play a whole turn, for others too who have a say in it; where the die comes in, up to the roll."""
    moment, made = position, list[Any]()
    while not made or (moment.played and not moment.is_over and not moment.is_chance):
        for action in bot.decide(moment):
            made.append(action)
            moment = moment.act(action)
    return position.turn_type(made)


def play_greedily(position: AnyPosition, seed: int = 0) -> BaseTurn[Any]:
    """Gets the whole turn of the greedy bot."""
    return play_whole_turn(GreedyBot(seed), position)


def try_greedily(position: AnyPosition) -> list[str]:
    """Lists what the greedy bot would play."""
    return [str(play_greedily(position, seed)) for seed in range(GREEDY)]


def try_short_sight(position: AnyPosition, horizon: int) -> Iterator[list[str]]:
    """Lets those try who look 1, 2, … turns ahead, but not as far as asked."""
    for turns in range(1, horizon):
        yield draw_some(solve(position, turns=turns).turns, turns)


def try_small_searches(position: AnyPosition) -> Iterator[list[str]]:
    """Lets small tree searches try, whose playouts go to the end of the game."""
    for playouts in PLAYOUTS:
        bots = [MctsBot(playouts=playouts, seed=seed, threads=1) for seed in range(SEARCHES)]
        yield [str(play_whole_turn(bot, position)) for bot in bots]


def draw_some(turns: Iterable[Any], seed: int) -> list[str]:
    """Draws some of equally good turns."""
    texts = sorted(map(str, turns))
    return random.Random(seed).sample(texts, min(SOME, len(texts)))


# Lines


def go_through(position: AnyPosition, line: str) -> Iterator[AnyPosition]:
    """Goes through the moments of a line at which somebody decides."""
    for text in line.split(LINE):
        for action in position.turn_type.parse(text):
            if not position.is_chance:
                yield position
            position = position.act(action)


def count_ways(position: AnyPosition, line: str) -> float:
    """Counts the binary decisions of a line: the logarithm of the number of ways at each of its decisions."""
    return sum(log2(len(moment.actions())) for moment in go_through(position, line))
