"""Chooses among the ways of a program: greedily to begin with, or as a model for CP-SAT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from aquakit.aquadukt.planner.canals.program import Program
from aquakit.aquadukt.planner.canals.ways import ArmWay
from aquakit.planning import cpsat


class CanalChoice(NamedTuple):
    """Sites for new springs, as sources, and ways."""

    sites: tuple[int, ...]
    ways: tuple[ArmWay, ...]


def appraise(program: Program, choice: CanalChoice) -> int:
    """Gets what a choice is worth."""
    fed = Counter[int]()
    for way in choice.ways:
        fed.update(dict(way.feeds))
    points = sum(stake.points for stake in program.ground.stakes if fed[stake.square] >= stake.need)
    canals = sum(way.canals for way in choice.ways)
    cost = canals * (program.ground.springs + 1) + len(choice.sites) if program.lean else 0
    return program.unit * points - cost


def choose_greedily(program: Program) -> CanalChoice:
    """Takes ways of springs and arms on the board in the order of what each canal is worth by itself, as they fit."""
    ways = [way for way in program.ways if way.source not in program.spring]
    alone = {way: appraise(program, CanalChoice((), (way,))) / way.canals for way in ways}
    chosen, taken, room = CanalChoice((), ()), set[int](), [source.room for source in program.ground.sources]
    left = program.ground.canals
    for way in sorted(ways, key=lambda way: -alone[way]):
        more = CanalChoice((), (*chosen.ways, way))
        fits = way.canals <= left and room[way.source] and taken.isdisjoint(way.points)
        if fits and alone[way] > 0 and appraise(program, more) > appraise(program, chosen):
            chosen, left = more, left - way.canals
            room[way.source] -= 1
            taken.update(way.points)
    return chosen


@dataclass(frozen=True)
class Chooser:
    """The program as a CP-SAT model, with some of its ways and springs."""

    program: Program
    model: Any
    variables: dict[int, Any]

    @classmethod
    def build(cls, program: Program, allowed: Iterable[int]) -> Chooser:
        """Builds the model; ways and springs that are not allowed are left out."""
        model = cpsat.load().CpModel()
        names = [*allowed, *range(program.first_stake, program.size)]
        variables = {i: model.new_bool_var(f"v{i}") for i in names}
        for row in [*program.basic_rows, *program.rows]:
            terms = [(variables[i], count) for i, count in row.terms if i in variables]
            if sum(max(0, count) for _, count in terms) > row.most:
                model.add(_weigh(terms) <= row.most)
        return cls(program, model, variables)

    @property
    def worth(self) -> Any:
        """What a plan is worth."""
        return _weigh([(variable, self.program.worth[i]) for i, variable in self.variables.items()])

    def read(self, value: Callable[[Any], int]) -> CanalChoice:
        """Gets what is chosen."""
        chosen = [i for i, variable in self.variables.items() if i < self.program.first_stake and value(variable)]
        ways = tuple(self.program.ways[i] for i in chosen if i < len(self.program.ways))
        return CanalChoice(tuple(self.program.sites[i - len(self.program.ways)] for i in chosen[len(ways) :]), ways)


def _weigh(terms: Sequence[tuple[Any, int]]) -> Any:
    expression = cpsat.load().LinearExpr
    return expression.weighted_sum([variable for variable, _ in terms], [count for _, count in terms])
