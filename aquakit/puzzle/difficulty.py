"""How hard a puzzle is, from 1 to 5: by how the quick and the short-sighted fail at it, and by how much there is to do.

Everything is counted, nothing is timed, and what is drawn follows from fixed seeds in one thread: a puzzle is as hard
on every machine. `rate` has the formula.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator
from math import log2
from typing import Any

from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.engine.bots import Bot, GreedyBot, MctsBot
from aquakit.engine.solve import solve
from aquakit.puzzle.kinds import LINE, Proof, find_kind
from aquakit.puzzle.model import Puzzle

GREEDY = 5
"""So many times the greedy bot tries, each with another seed."""
PLAYOUTS = (100, 1000, 5000)
"""What the small searches may spend."""
SEARCHES = 3
"""So many times each of them tries, each with another seed."""
MANY, SOME = 1000, 50
"""So many best turns of a shorter look ahead are listed, and so many of them, drawn, are tries."""
BITS = 24
"""A line with so many binary decisions is as hard to see as one solver more that fails."""
WIDEST = 1.5
"""More than that no width counts."""
WALKS = ((1, 10), (5, 6), (30, 4))
"""Of how many walks the best one is a try, and how many tries there are."""
SOME_TILES = 4
"""About so many tiles can be laid before an aqueduct's end."""
LEVELS = (1.75, 2.5, 3.25, 4.0)
"""Where the levels 2, 3, 4 and 5 begin."""


def rate(puzzle: Puzzle, proof: Proof) -> int:
    """Gets how hard a puzzle is.

    A row of solvers tries it; each counts by the share of its tries that no accepted answer allows:

    - duel: the greedy bot with five seeds, and the best turns by exact search of 1, 2, … turns, not enough of them;
    - endgame: the greedy bot, and tree search of 100, 1000 and 5000 playouts a decision, with three seeds;
    - house: the greedy bot, and who looks 0, 1, … canals ahead, but not as many as will be laid;
    - plan: the greedy bot, and the first turns of best plans of 1, 2, … turns, not enough of them;
    - longest: who lays tile after tile where there is room, and the best of 5 and of 30 such walks;
    - timing: who closes nothing, who closes each aqueduct when it is longest, and who settles one after the other;
    - canals: who always lays the best one, two, … canals, as long as that is not enough.

    To their sum comes the width: the binary logarithm of the number of ways that there are at all decisions of the line
    together (of the schedules, for timing; four for each tile, for longest), divided by 24, at most 1.5. Less than
    1.75 is level 1, then a level more with every 0.75, up to 5. But what has few ways may be guessed: with two ways at
    the widest decision of the first turn it is not above level 2, with four not above 3, and so on.
    """
    return min(1 + bisect(LEVELS, measure(puzzle, proof)), count_guesses(puzzle, proof))


def count_guesses(puzzle: Puzzle, proof: Proof) -> int:
    """Gets the highest level that a puzzle can have, by the ways at the widest decision of the line's first turn."""
    if puzzle.kind in ("timing", "longest", "canals"):
        return 1 + len(LEVELS)
    first = _decisions(puzzle.start, proof.line.split(LINE)[0])
    return 1 + int(log2(max(len(moment.actions()) for moment in first if moment.mover == puzzle.start.mover)))


def measure(puzzle: Puzzle, proof: Proof) -> float:
    """Gets the number from which the level follows."""
    return count_misses(puzzle, proof) + min(WIDEST, count_bits(puzzle, proof) / BITS)


def count_misses(puzzle: Puzzle, proof: Proof) -> float:
    """Counts the solvers who fail, each by the share of its tries."""
    if puzzle.kind == "canals":
        from aquakit.aquadukt.puzzles.canals import needed_sight

        return needed_sight(puzzle) - 1
    return sum(_count_wrong(puzzle, proof, tries) / len(tries) for tries in SOLVERS[puzzle.kind](puzzle))


def _count_wrong(puzzle: Puzzle, proof: Proof, tries: list[str]) -> int:
    return sum(not is_right(puzzle, proof, text) for text in tries)


def is_right(puzzle: Puzzle, proof: Proof, attempt: str) -> bool:
    """Checks whether an attempt is accepted."""
    return any(find_kind(puzzle.kind).matches(puzzle, attempt, answer) for answer in proof.accepted)


def count_bits(puzzle: Puzzle, proof: Proof) -> float:
    """Counts the binary decisions of the line: the logarithm of the number of ways at each of its decisions."""
    match puzzle.kind:
        case "timing":
            start: Any = puzzle.start
            own = [a for a in start.aqueducts if a.open and a.owner == start.player]
            return len(own) * log2(puzzle.horizon + 1)
        case "longest":
            return len(proof.line.split()) * log2(SOME_TILES)
        case "canals":
            moments = _decisions(puzzle.start, proof.line.removesuffix(", stop"))
            return sum(log2(sum(action.what == "canal" for action in moment.actions())) for moment in moments)
        case _:
            return sum(log2(len(moment.actions())) for moment in _decisions(puzzle.start, proof.line))


def _decisions(position: AnyPosition, line: str) -> Iterator[AnyPosition]:
    """Goes through the moments of a line at which somebody decides."""
    for text in line.split(LINE):
        for action in position.turn_type.parse(text):
            if not position.is_chance:
                yield position
            position = position.act(action)


# Solvers


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


def find_obvious(puzzle: Puzzle) -> list[str]:
    """Lists what whoever does not think would answer."""
    from aquakit.aquadukt.puzzles.canals import lay_greedily
    from aquakit.romana.puzzles.walks import close_at_longest, walk

    match puzzle.kind:
        case "canals":
            return [text for text in [lay_greedily(puzzle)] if text]
        case "longest":
            return [walk(puzzle, random.Random(seed)) for seed in range(3)]
        case "timing":
            return [close_at_longest(puzzle), "wait"]
        case _:
            return try_greedily(puzzle.start)


def _for_some_turns(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets greedy try, and those who look some turns ahead, but not far enough."""
    yield try_greedily(puzzle.start)
    for turns in range(1, puzzle.horizon):
        yield _draw(solve(puzzle.start, turns=turns).turns, turns)


def _draw(turns: Iterable[Any], seed: int) -> list[str]:
    """Draws some of equally good turns."""
    texts = sorted(map(str, turns))
    return random.Random(seed).sample(texts, min(SOME, len(texts)))


def _to_the_end(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets greedy and small tree searches try, whose playouts go to the end of the game."""
    yield try_greedily(puzzle.start)
    for playouts in PLAYOUTS:
        bots = [MctsBot(playouts=playouts, seed=seed, threads=1) for seed in range(SEARCHES)]
        yield [str(play_whole_turn(bot, puzzle.start)) for bot in bots]


def _alone(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets greedy and plans of fewer turns try."""
    from aquakit.romana.planner.plan.plan import plan

    start: Any = puzzle.start
    yield try_greedily(start)
    for turns in range(1, puzzle.horizon):
        yield _draw(plan(start, turns=turns, method="search").alternatives(whole=True, limit=MANY), turns)


def _after_the_roll(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets greedy try, and those who think of no canals, of one, … but not of all."""
    from aquakit.aquadukt.puzzles.house import study

    yield try_greedily(puzzle.start)
    for canals in range(puzzle.horizon):
        options = study(puzzle.position, canals).options
        yield [token for token, value in options.items() if value == max(options.values())]


def _by_walking(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets those try who lay tile after tile, with an eye on the room left, once or until they like it."""
    from aquakit.romana.puzzles.walks import walk

    for walks, tries in WALKS:
        yield [walk(puzzle, random.Random(seed), walks=walks) for seed in range(tries)]


def _by_habit(puzzle: Puzzle) -> Iterator[list[str]]:
    """Lets those try who close nothing, who close each aqueduct when it grows no more, and who settle one by one."""
    from aquakit.romana.puzzles.walks import close_at_longest, settle_one_by_one

    yield ["wait"]
    yield [close_at_longest(puzzle)]
    yield [settle_one_by_one(puzzle, backwards=backwards) for backwards in (False, True)]


SOLVERS: dict[str, Callable[[Puzzle], Iterator[list[str]]]] = {
    "plan": _alone,
    "timing": _by_habit,
    "longest": _by_walking,
    "duel": _for_some_turns,
    "endgame": _to_the_end,
    "house": _after_the_roll,
}
"""Who tries a puzzle of each kind: one list of attempts for each solver, the weakest first."""
