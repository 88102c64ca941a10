"""What answers of Aqua Romana teach that are no turns: tiles for a long aqueduct, and schedules of closings.

Each docstring says exactly what is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from aquakit.errors import IllegalTurn
from aquakit.puzzle.answers import read
from aquakit.puzzle.model import Proof, Puzzle
from aquakit.romana.notation import Turn
from aquakit.romana.planner.timing.entries import frame_case
from aquakit.romana.planner.timing.question import TimingQuestion
from aquakit.romana.planner.timing.replay import Taken, replay
from aquakit.romana.position import Position
from aquakit.romana.puzzles.longest import put_tiles
from aquakit.romana.puzzles.themes import CHAIN
from aquakit.romana.puzzles.timing import KIND, NEVER, WAIT, Announced, read_orders

# The longest aqueduct


class LaidWay:
    """The tiles of a line, laid by the rules."""

    def __init__(self, puzzle: Puzzle, proof: Proof) -> None:
        start = puzzle.start
        assert isinstance(start, Position)
        self.start, self.name = start, str(puzzle.given["aqueduct"])
        self.end = put_tiles(start, Turn.parse(proof.line))
        before, after = ({a.name: a.squares for a in p.aqueducts} for p in (start, self.end))
        self.squares = after[self.name]
        """All squares that the aqueduct passes then."""
        self.new = self.squares[len(before[self.name]) :]
        """Those that it did not pass before."""
        self.longer = [name for name in after if len(after[name]) > len(before[name])]
        """The aqueducts that have become longer."""


def comes_back(way: LaidWay) -> bool:
    """Tests whether the aqueduct newly comes over a square that it then passes twice."""
    return any(way.squares.count(square) == 2 for square in way.new)


def takes_loose_tiles(way: LaidWay) -> bool:
    """Tests whether the aqueduct newly passes two or more segments of tiles that lay there loose, not printed."""
    printed = {way.start.layout.square_names[q] for q in way.start.layout.printed}
    return sum(square in way.start.tiles and square not in printed for square in way.new) >= CHAIN


def passes_corner(way: LaidWay) -> bool:
    """Tests whether the aqueduct newly passes a printed tile."""
    return any(way.start.layout.square_index[square] in way.start.layout.printed for square in way.new)


def uses_up_stock(way: LaidWay) -> bool:
    """Tests whether the tiles are the last ones of some kind."""
    before, after = way.start.stock, way.end.stock
    return any(before[kind] and not after[kind] for kind in before)


def helps_another(way: LaidWay) -> bool:
    """Tests whether another aqueduct becomes longer too."""
    return len(way.longer) > 1


LONGEST: dict[str, Callable[[LaidWay], bool]] = {
    "bridge-twice": comes_back,
    "loose-chain": takes_loose_tiles,
    "corner": passes_corner,
    "last-tiles": uses_up_stock,
    "shared-tile": helps_another,
}
"""The predicates for puzzles of the longest aqueduct."""


# Closings


class Schedule:
    """The closings of a line, replayed by the rules, with the accepted answers."""

    def __init__(self, puzzle: Puzzle, proof: Proof) -> None:
        start, given = puzzle.start, puzzle.read_given(Announced)
        assert isinstance(start, Position)
        case = frame_case(start, None, puzzle.horizon)
        self.case = TimingQuestion(start, case, given.growth, given.rivals, 1, 0).case
        self.puzzle, self.value = puzzle, proof.value
        self.orders = read_orders(self.case, proof.line)
        self.answers = [read(text) for text in proof.accepted]
        self.taken = self.replay(self.orders)

    def replay(self, orders: dict[str, int]) -> dict[str, Taken]:
        """Gets the way of each workman to its podium."""
        numbers = {self.case.layout.aqueduct_index[name]: number for name, number in orders.items()}
        return {taken.aqueduct: taken for taken in replay(self.case, self.case.scenarios[0], numbers)}

    def is_worse(self, orders: dict[str, int]) -> bool:
        """Tells whether another schedule is legal and worth less."""
        text = " ".join(f"{name}@{number}" for name, number in orders.items()) or WAIT
        try:
            return KIND.worth(self.puzzle, text) < self.value
        except IllegalTurn:
            return False


def closes_now(schedule: Schedule) -> bool:
    """Tests whether every answer closes an aqueduct in round 1."""
    return all(any(token.endswith("@1") for token in answer) for answer in schedule.answers)


def waits(schedule: Schedule) -> bool:
    """Tests whether one of the later closings is legal in round 1 too, with the others as they are, and worth less."""
    later = [name for name, number in schedule.orders.items() if number > 1]
    return any(schedule.is_worse(schedule.orders | {name: 1}) for name in later)


def leaves_open(schedule: Schedule) -> bool:
    """Tests whether every answer says of some aqueduct that it is left open."""
    return all(any(token.endswith(f"@{NEVER}") for token in answer) for answer in schedule.answers)


def races(schedule: Schedule) -> bool:
    """Tests whether one of the closings, a round later, is legal, worth less, and brings its workman a lower podium."""
    for name, number in schedule.orders.items():
        later = schedule.orders | {name: number + 1}
        fits = number < schedule.case.rounds and number + 1 not in schedule.orders.values()
        if fits and schedule.is_worse(later) and schedule.replay(later)[name].podium < schedule.taken[name].podium:
            return True
    return False


def needs_order(schedule: Schedule) -> bool:
    """Tests whether two of the closings, with their rounds exchanged, are legal and worth less."""
    for one, other in combinations(schedule.orders, 2):
        turned = {one: schedule.orders[other], other: schedule.orders[one]}
        if schedule.is_worse(schedule.orders | turned):
            return True
    return False


TIMING: dict[str, Callable[[Schedule], bool]] = {
    "close-now": closes_now,
    "wait": waits,
    "leave-open": leaves_open,
    "race": races,
    "order": needs_order,
}
"""The predicates for puzzles of closings."""


def find_in_tiles(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a line of tiles."""
    way = LaidWay(puzzle, proof)
    return frozenset(name for name, holds in LONGEST.items() if holds(way))


def find_in_closings(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a schedule."""
    schedule = Schedule(puzzle, proof)
    return frozenset(name for name, holds in TIMING.items() if holds(schedule))
