"""What an answer of Aquädukt teaches: one small predicate for each theme, on the replayed line.

Each docstring says exactly what is tested. "Own" tiles are those of the player who is asked for; the "answer" of a
house puzzle is the first decision of its line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.canals import is_best_set
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Proof, Puzzle

BIG = "4"
"""The value of the largest tiles."""
LONG = 2
"""So many canals that water no tile by themselves are a long way."""


class LineStep(NamedTuple):
    """An action of the line, between the moments before and after it."""

    before: Position
    action: Action
    after: Position

    def watered(self) -> dict[str, str]:
        """Gets the tiles that get their first water, by square."""
        was, now = self.before.supply, self.after.supply
        return {square: tile for square, tile in self.before.tiles.items() if now[square] and not was[square]}


class WaterStory:
    """A line replayed by the rules."""

    def __init__(self, puzzle: Puzzle, proof: Proof) -> None:
        start = puzzle.start
        assert isinstance(start, Position)
        self.puzzle, self.start, self.horizon, self.accepted = puzzle, start, puzzle.horizon, proof.accepted
        self.me: int = puzzle.given.get("player") or start.mover or 1
        self.letter = LETTERS[self.me - 1]
        self.steps: list[LineStep] = []
        for action in (action for text in proof.line.split(LINE) for action in Turn.parse(text)):
            after = start.act(action)
            self.steps.append(LineStep(start, action, after))
            start = after

    @property
    def end(self) -> Position:
        """The position after the line."""
        return self.steps[-1].after

    @property
    def canals(self) -> list[LineStep]:
        """The steps that lay a canal."""
        return [step for step in self.steps if step.action.what == "canal"]

    def is_own(self, tile: str) -> bool:
        """Checks whether a tile is one of the player's."""
        return tile[0] == self.letter

    @property
    def answer(self) -> Action:
        """The first decision."""
        return self.steps[0].action

    @cached_property
    def options(self) -> list[Action]:
        """The houses that could be put instead of the answer."""
        return [action for action in self.start.actions() if action.what == "house"]

    @cached_property
    def region(self) -> list[str]:
        """The squares of the region that the die names."""
        return list(self.start.layout.regions[(self.start.die or 1) - 1])


# Canals


def starts_at_spring(story: WaterStory) -> bool:
    """Tests whether a canal of the line starts an arm at a spring."""
    return any(len(step.after.arms) > len(step.before.arms) for step in story.canals)


def doubles(story: WaterStory) -> bool:
    """Tests whether the line lays a second canal on a segment, and a tile gets its first water by such a canal."""
    return any(step.action.segment in step.before.canals and step.watered() for step in story.canals)


def shares_canal(story: WaterStory) -> bool:
    """Tests whether one canal of the line brings first water to tiles of two players, where others' houses count."""
    players = [{tile[0] for tile in step.watered().values()} for step in story.canals]
    return not story.puzzle.given.get("alone") and any(len(some) > 1 for some in players)


def waters_two(story: WaterStory) -> bool:
    """Tests whether one canal of the line brings first water to two own tiles or more."""
    return any(sum(map(story.is_own, step.watered().values())) > 1 for step in story.canals)


def waters_big(story: WaterStory) -> bool:
    """Tests whether an own tile of four houses gets its first water in the line."""
    return any(story.is_own(tile) and tile[1] == BIG for step in story.canals for tile in step.watered().values())


def waters_all(story: WaterStory) -> bool:
    """Tests whether the line leaves no own tile without water, and there was one before."""
    return bool(_dry(story, story.start)) and not _dry(story, story.end)


def _dry(story: WaterStory, position: Position) -> list[str]:
    """Lists the squares of own tiles without water."""
    supply = position.supply
    return [square for square, tile in position.tiles.items() if story.is_own(tile) and not supply[square]]


def goes_long_way(story: WaterStory) -> bool:
    """Tests whether two canals or more of the line bring no tile its first water."""
    return sum(not step.watered() for step in story.canals) >= LONG


def uses_two_arms(story: WaterStory) -> bool:
    """Tests whether the canals of the line lie on two arms or more."""
    laid = [step.action.segment for step in story.canals]
    return sum(any(segment in arm.segments for segment in laid) for arm in story.end.arms) > 1


def cuts_off(story: WaterStory) -> bool:
    """Tests whether as many canals could water more own houses than the line does, so that others' stay dry."""
    alone = plan_canals(story.start, canals=story.horizon, player=story.me, against=False)
    return alone.value > story.end.scores()[story.me - 1]


def needs_events(story: WaterStory) -> bool:
    """Tests whether other answers would be best if the mountains held no events, such as ones with fewer canals."""
    *fields, events = story.puzzle.position.partition(" : ")[0].split(" ")
    if not set(events) & set("mf"):
        return False
    bare = story.puzzle.position.replace(" ".join([*fields, events]), " ".join([*fields, "-"]), 1)
    asked = Puzzle.draft(story.puzzle.kind, Position.parse(bare, story.start.layout), story.horizon, story.puzzle.given)
    if asked.kind == "canals":  # a proof would refuse a question that needs fewer canals, which is an answer here
        return not is_best_set(asked, story.accepted)
    return set(find_kind(asked.kind).prove(asked).accepted) != set(story.accepted)


# Houses


def declines(story: WaterStory) -> bool:
    """Tests whether the answer puts nothing into the region."""
    return story.answer.what == "decline"


def puts_big(story: WaterStory) -> bool:
    """Tests whether the answer puts a tile of four houses."""
    return story.answer.what == "house" and str(story.answer.value) == BIG


def fills_region(story: WaterStory) -> bool:
    """Tests whether the answer takes the region's last free square (section 3)."""
    return story.answer.what == "house" and len({action.square for action in story.options}) == 1


def drives_out(story: WaterStory) -> bool:
    """Tests whether a rival's tile leaves the game because the answer fills its region."""
    after = story.steps[0].after.tiles
    return any(not story.is_own(tile) and square not in after for square, tile in story.start.tiles.items())


def is_contested(story: WaterStory) -> bool:
    """Tests whether the answer puts a tile into a region with a rival's in it, and one there has no water after it."""
    if story.answer.what != "house":
        return False
    after = story.steps[0].after
    tiles = {square: after.tiles[square] for square in story.region if square in after.tiles}
    return not all(map(story.is_own, tiles.values())) and not all(after.supply[square] for square in tiles)


def puts_lowest(story: WaterStory) -> bool:
    """Tests whether the answer puts a tile on a watered square, where a higher one could go to a dry square."""
    if story.answer.what != "house" or not story.start.supply[story.answer.square]:
        return False
    return any(option.value > story.answer.value for option in story.options)


def trusts_canals(story: WaterStory) -> bool:
    """Tests whether the answer puts a tile on a dry square, though a watered one of the region is free."""
    if story.answer.what != "house" or story.start.supply[story.answer.square]:
        return False
    return any(story.start.supply[option.square] for option in story.options)


CANALS: dict[str, Callable[[WaterStory], bool]] = {
    "spring": starts_at_spring,
    "double-canal": doubles,
    "shared-canal": shares_canal,
    "two-houses": waters_two,
    "big-house": waters_big,
    "all-watered": waters_all,
    "long-way": goes_long_way,
    "two-arms": uses_two_arms,
    "cut-off": cuts_off,
    "mountain": needs_events,
}
"""The predicates for puzzles of canals."""

HOUSE: dict[str, Callable[[WaterStory], bool]] = {
    "wait-for-the-die": declines,
    "big-house": puts_big,
    "last-house": fills_region,
    "cut-off": drives_out,
    "contested-house": is_contested,
    "lowest-first": puts_lowest,
    "dry-house": trusts_canals,
    "mountain": needs_events,
}
"""The predicates for puzzles of a house."""


def find_in_line(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a line."""
    story = WaterStory(puzzle, proof)
    predicates = CANALS if puzzle.kind == "canals" else HOUSE
    return frozenset(name for name, holds in predicates.items() if holds(story))
