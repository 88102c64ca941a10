"""Where puzzles come from: positions of games between bots, and whether two puzzles are all but the same.

One seed is one game, alike on every machine: its bots, its start and its dice follow from the seed and the layout.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from aquakit.aquadukt.position import Position as AquaduktPosition
from aquakit.core import games
from aquakit.core.position import AnyPosition
from aquakit.core.words import join
from aquakit.engine.matches.playing import MatchPlan, play_game
from aquakit.puzzle.model import Puzzle
from aquakit.romana.graph import LINKS

PHASES = ("early", "middle", "late")
PAIRS = (("greedy", "greedy"), ("mcts:400", "greedy"), ("mcts:400", "mcts:400"), ("mcts:100", "mcts:400"))
"""Who plays whom: sensible players who do not all see the same things."""
WITHOUT_BUILDERS = ("longest", "timing")
"""The kinds for which it does not matter where builders stand."""
NEAR = 0.2
"""Two boards are nearly the same if no larger part of what lies on them differs."""


class Place(NamedTuple):
    """The start of a turn in a game between bots."""

    position: AnyPosition
    turn: int
    """The number of the turn, from 1."""
    turns: int
    """How many turns the game had."""
    made: str
    """The turn that was played."""
    game: str
    """Which game it is, in words."""
    seed: int

    @property
    def phase(self) -> str:
        """The third of the game in which it is: early, middle or late."""
        return PHASES[3 * (self.turn - 1) // self.turns]

    @property
    def source(self) -> str:
        """The place in words, as a puzzle names where it comes from."""
        return f"{self.game}, turn {self.turn}"


# Games


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
    variant = {"romana": "setup", "aquadukt": "events"}[kind.name]
    plays_variant = draw.random() < 0.25 and (kind.name == "romana" or bool(board.events))
    options = {variant: True} if plays_variant else {}
    plan = MatchPlan(kind.name, board.text, board.ref, options, pair, pair, len(kind.start(board).scores()), seed)
    return plan, draw.randrange(len(plan.ways))


# Near-duplicates

Point = tuple[int, int]
Mark = tuple[str, frozenset[Point]]
"""Something that lies on the board, and its points in half squares from the south-west corner."""


def are_alike(one: Puzzle, accepted: Iterable[str], other: Puzzle, others: Iterable[str]) -> bool:
    """Checks whether two puzzles have the same answer on nearly the same board, mirrored or turned round or not.

    Builders count where turns are asked for. Of answers the places count that they name, of aqueducts what they face.
    """
    if (one.kind, one.position.split()[0], one.horizon) != (other.kind, other.position.split()[0], other.horizon):
        return False
    first, second = _marks(one.position, one.kind), _marks(other.position, other.kind)
    answer, another = _named(one, accepted), _named(other, others)
    for flip in product((False, True), repeat=2):
        turned = frozenset(_flip(other, mark, flip) for mark in second)
        same = answer == frozenset(_flip(other, mark, flip) for mark in another)
        if same and len(first ^ turned) <= NEAR * len(first | turned):
            return True
    return False


@lru_cache(maxsize=4096)
def _marks(position: str, kind: str) -> frozenset[Mark]:
    """Collects what lies on a board: segments of tiles and builders, or houses, mountains, springs and canals."""
    start: Any = games.parse(position)
    if isinstance(start, AquaduktPosition):
        found = [(tile, _square(name)) for name, tile in start.tiles.items()]
        found += [(f"mountain {event}", _square(name)) for name, event in start.mountains.items()]
        found += [("spring", _point(name)) for name in start.springs]
        found += [(f"canal {count}", _segment(name)) for name, count in start.canals.items()]
        return frozenset((what, frozenset([place])) for what, place in found)
    made = {("segment", frozenset(_edge(name, side) for side in link)) for name, link in _links(start)}
    if kind not in WITHOUT_BUILDERS:
        size = start.layout.columns, start.layout.rows
        made |= {(builder, frozenset([_beyond(path, *size)])) for path, builder in start.builders.items()}
    return frozenset(made)


def _links(position: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    """Goes through the segments of the tiles on a board."""
    for name, tile in position.tiles.items():
        for link in LINKS[tile]:
            yield name, link


_SQUARES = re.compile(r"(?:^|[ ,])([a-z][1-9][0-9]?)\b")
_SEGMENTS = re.compile(r"(\d+\.\d+[hv])")
_AQUEDUCTS = re.compile(r"([RYGB][1-9])")


def _named(puzzle: Puzzle, accepted: Iterable[str]) -> frozenset[Mark]:
    """Collects the squares and segments that answers name, and what the aqueducts in question face."""
    text, position = "; ".join(accepted), games.parse(puzzle.position)
    found = [*map(_square, _SQUARES.findall(text)), *map(_segment, _SEGMENTS.findall(text))]
    if not isinstance(position, AquaduktPosition):
        asked = [*_AQUEDUCTS.findall(text), puzzle.given.get("aqueduct")]
        aqueducts: tuple[Any, ...] = getattr(position, "aqueducts", ())
        found += [_square(aqueduct.facing or aqueduct.end) for aqueduct in aqueducts if aqueduct.name in asked]
    return frozenset(("answer", frozenset([place])) for place in found)


def _flip(puzzle: Puzzle, mark: Mark, flip: tuple[bool, ...]) -> Mark:
    """Mirrors a mark from west to east, from south to north, or both."""
    layout: Any = puzzle.start.layout
    width, height = 2 * layout.columns, 2 * layout.rows
    points = frozenset((width - x if flip[0] else x, height - y if flip[1] else y) for x, y in mark[1])
    return mark[0], points


def _square(name: str) -> Point:
    return 2 * (ord(name[0]) - ord("a")) + 1, 2 * int(name[1:]) - 1


def _edge(name: str, side: str) -> Point:
    x, y = _square(name)
    dx, dy = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}[side]
    return x + dx, y + dy


def _point(name: str) -> Point:
    x, y = name.split(".")
    return 2 * int(x), 2 * int(y)


def _segment(name: str) -> Point:
    x, y = _point(name[:-1])
    return (x + 1, y) if name.endswith("h") else (x, y + 1)


def _beyond(path: str, columns: int, rows: int) -> Point:
    """Places a path square beside the board."""
    if path[0] in "NS":
        return 2 * (ord(path[1]) - ord("a")) + 1, 2 * rows + 1 if path[0] == "N" else -1
    return 2 * columns + 1 if path[0] == "E" else -1, 2 * int(path[1:]) - 1
