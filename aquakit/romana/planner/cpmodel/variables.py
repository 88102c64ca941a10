"""Holds the planner's CP-SAT model while its builders fill it: the variables they share, and clauses with known parts.

A literal is a variable of CP-SAT or, where the answer is known beforehand, plain True or False: known parts never reach
the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from aquakit.planning import cpsat
from aquakit.romana.planner.cpmodel.ends import EndGraph
from aquakit.romana.planner.plan_question import PlanQuestion

Literal = Any
"""A variable, its negation, or True or False."""


def negate(literal: Literal) -> Literal:
    """Gets the opposite of a literal."""
    return (not literal) if isinstance(literal, bool) else ~literal


@dataclass
class PlanModel:
    """A model under construction. Turns count from 1; an index of turn 0 means the position as it stands."""

    question: PlanQuestion
    graph: EndGraph
    cp: Any = field(default_factory=lambda: cpsat.load().CpModel())

    tile: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[square, code]: the tile that lies there in the end."""
    joins: dict[tuple[int, int, int], Literal] = field(default_factory=dict)
    """[square, side, side]: whether its tile joins the two sides."""
    build: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[square, turn]: the tile laid in step 2."""
    extra: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[square, turn]: the tile laid in step 4."""
    dump: dict[int, Literal] = field(default_factory=dict)
    """[turn]: an extra tile laid where it changes nothing."""
    laid: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[square, turn]: whether a tile lies there after the turn."""
    built: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[kind, turn]: whether the turn's build is a tile of that kind."""
    won: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[kind, turn]: whether the turn's extra tile is of that kind."""
    reach: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[end, turn]: whether some aqueduct has reached an end by then."""
    flow: dict[tuple[int, int, int], Literal] = field(default_factory=dict)
    """[square, side, side]: whether water comes in by one side and leaves by the other."""
    growth: dict[int, Any] = field(default_factory=dict)
    """[turn]: how often water has passed new tiles by then."""
    label: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[end, aqueduct]: whose water reaches an end."""
    use: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[end, turn]: the workman who extends."""
    builds: dict[int, Literal] = field(default_factory=dict)
    """[turn]: an extension is made."""
    advances: dict[int, Literal] = field(default_factory=dict)
    """[turn]: a builder is advanced instead [R5]."""
    over: dict[int, Literal] = field(default_factory=dict)
    """[turn]: no workman was left before it [S1]."""
    stands: dict[tuple[int, int, int], Literal] = field(default_factory=dict)
    """[path square, kind, turn]: builders when step 2 of a turn begins."""
    occupied: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[path square, turn]: some builder stands there then."""
    moves: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[path square, turn]: the builder used or advanced."""
    mover: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[kind, turn]: of what kind it is."""
    place: dict[tuple[int, int, int], Literal] = field(default_factory=dict)
    """[path square, kind, turn]: builders placed in step 1."""
    pick: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[kind, turn]: how many builders of a kind are taken from the reserve in step 8."""
    crosses: dict[int, Literal] = field(default_factory=dict)
    """[turn]: the builder passes a fountain."""
    stuck: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[end, turn]: an end is reached and cannot be extended any more."""
    shut: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[aqueduct, turn]: closed voluntarily in the turn."""
    closed: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[aqueduct, turn]: closed by the end of the turn."""
    podium: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[aqueduct, podium]: where the player's workman stands in the end."""
    crowd: dict[tuple[int, int], Literal] = field(default_factory=dict)
    """[square, turn]: four ends meet there [R8]."""
    out: dict[tuple[int, int, bool], Literal] = field(default_factory=dict)
    """[kind, turn, after the first tile]: a kind is out of stock."""
    most_points: int = 0
    """An upper bound on the points of all plans."""
    fixed_points: int = 0
    """What the player has on podiums already."""

    @property
    def last(self) -> int:
        """The last turn."""
        return self.question.turns

    @property
    def turns(self) -> range:
        """The turns, from 1."""
        return range(1, self.question.turns + 1)

    def name(self, q: int) -> str:
        """Gets a square's name."""
        return str(self.question.position.layout.square_names[q])

    @cached_property
    def spare_squares(self) -> list[int]:
        """The empty squares where an extra tile is allowed and changes nothing."""
        return [q for q in self.graph.elsewhere if self.name(q) not in self.question.forbid]

    @property
    def roomy(self) -> bool:
        """Whether each turn's extra tile can be laid where it changes nothing."""
        return len(self.spare_squares) >= self.last

    def bool(self, name: str) -> Any:
        """Creates a variable."""
        return self.cp.new_bool_var(name)

    def clause(self, literals: Iterable[Literal]) -> None:
        """Demands one of some literals."""
        open_ones = []
        for literal in literals:
            if literal is True:
                return
            if literal is not False:
                open_ones.append(literal)
        self.cp.add_bool_or(open_ones)

    def when(self, conditions: Sequence[Literal], *outcomes: Literal) -> None:
        """Demands one of the outcomes where all conditions hold."""
        self.clause([*(negate(condition) for condition in conditions), *outcomes])

    def equal(self, left: Any, right: Any) -> None:
        """Demands that two sums are equal."""
        self._compare(left == right)

    def at_most(self, left: Any, right: Any) -> None:
        """Demands that a sum is no more than another."""
        self._compare(left <= right)

    def _compare(self, relation: Any) -> None:
        if relation is True:
            return
        self.cp.add(relation) if relation is not False else self.cp.add_bool_or([])

    def both(self, name: str, *literals: Literal) -> Literal:
        """Gets a literal that says that all of some hold."""
        unknown = [literal for literal in literals if literal is not True]
        if any(literal is False for literal in unknown):
            return False
        if len(unknown) < 2:
            return unknown[0] if unknown else True
        made = self.bool(name)
        for literal in unknown:
            self.when([made], literal)
        self.when(unknown, made)
        return made

    def any_of(self, name: str, literals: Iterable[Literal]) -> Literal:
        """Gets a literal that says that at least one of some holds."""
        return negate(self.both(name, *(negate(literal) for literal in literals)))
