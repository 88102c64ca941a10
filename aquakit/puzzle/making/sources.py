"""Where puzzles come from: positions of games between bots.

One seed is one game, alike on every machine: its bots, its start and its dice follow from the seed and the layout.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from aquakit.core import games
from aquakit.core.words import join
from aquakit.engine.matches.playing import MatchPlan, play_game
from aquakit.puzzle.protocol import Place, find_part

PAIRS = (("greedy", "greedy"), ("mcts:400", "greedy"), ("mcts:400", "mcts:400"), ("mcts:100", "mcts:400"))
"""Who plays whom: sensible players who do not all see the same things."""
VARIANTS = 0.25
"""This share of the games is played in the game's variant."""


def places(layout: str, seed: int) -> Iterator[Place]:
    """Plays the game that a layout and a seed stand for, and goes through its turns; the setup is left out."""
    plan, game = _plan(layout, seed)
    played = play_game(plan, game)
    options = "".join(f" with {name}" for name in plan.options)
    words = f"game of {join([name.partition(':')[0] for name in played.seats])} on {layout}{options}, seed {seed}"
    position, turns = plan.start(game), list(played.turns)
    while position.phase == "setup":
        position = position.play(turns.pop(0))
    for number, turn in enumerate(turns, start=1):
        yield Place(position, number, len(turns), turn, words, seed)
        position = position.play(turn)


def _plan(layout: str, seed: int) -> tuple[MatchPlan, int]:
    """Chooses the bots, who sits where, and the variant."""
    draw = random.Random(f"puzzles on {layout}, {seed}")
    kind, board = games.game_of(layout), games.load_layout(layout)
    pair = draw.choice(PAIRS)
    options = dict(find_part(kind.name).variant(board)) if draw.random() < VARIANTS else {}
    plan = MatchPlan(kind.name, board.text, board.ref, options, pair, pair, len(kind.start(board).scores()), seed)
    return plan, draw.randrange(len(plan.ways))
