"""Weighs single turns beside an analysis: by its tree, by a run of their own, or by proof where the end is near.

Numbers of two turns can only be compared if both rest on a like number of playouts, so a turn that the analysis hardly
looked at is given as many of its own, from the position after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.engine.ranking import Line, Ranking
from aquakit.engine.search.forest import Branch, Forest
from aquakit.engine.solve import LONGEST, Solver, Stopped
from aquakit.errors import IllegalTurn, InvalidTurn

ENOUGH = 0.25
"""A turn with this part of the best turn's visits needs no run of its own."""
LEAST = 400
"""The fewest playouts that are enough to tell how far off their mean may be."""
SURE = 2
"""A difference of fewer standard errors than these may be chance."""
NEAR_THE_END = 16
"""A proof is tried where a playout takes no more actions than these on average."""
PROOF_SECONDS = 0.3
"""So long a proof may take."""


# Turns


def read_turn(position: AnyPosition, turn: Iterable[Any] | str) -> tuple[BaseTurn[Any], AnyPosition]:
    """Reads a turn, or its part up to the first roll, and gets the position after it; what is understood is added."""
    made = position.turn_type.read(turn)
    if not made:
        raise InvalidTurn("turn", "is empty", "a turn, such as one of the analysis's lines")
    done, after = position.follow(made)
    if after.played and not after.is_chance and (understood := after.understood(None)) is not None:
        after = after.act(understood)
        done.append(understood)
    if after.played and not after.is_chance:
        raise IllegalTurn(str(made), "the turn is not complete", after._expected())
    if _rolls_inside(position, done):
        raise IllegalTurn(str(made), "the die comes in", "a turn up to the roll, or the position after it")
    return position.turn_type(done), after


def _rolls_inside(position: AnyPosition, actions: Iterable[Any]) -> bool:
    for action in actions:
        if position.is_chance:
            return True
        position = position.act(action)
    return False


def decisions(position: AnyPosition, turn: Iterable[Any]) -> Iterator[tuple[AnyPosition, BaseTurn[Any], AnyPosition]]:
    """Cuts a turn where the die or another player decides: the moment, what was decided, and the moment after."""
    start, made = position, list[Any]()
    for action in turn:
        if position.is_chance:
            position = start = position.act(action)
            continue
        seat = position.player
        position = position.act(action)
        made.append(action)
        if not position.played or position.is_chance or position.player != seat:
            yield start, position.turn_type(made), position
            start, made = position, []


# Weighing


def find(analysis: Ranking, actions: Iterable[Any]) -> Branch | None:
    """Finds where actions lead in the analysis's tree; none if they were never looked at."""
    position, branch = analysis.position, analysis._forest.root()
    for action in actions:
        code = position._encode(action)
        child = next((child for child in branch.children() if child.code == code and child.visits), None)
        if child is None:
            return None
        branch, position = child, position.act(action)
    return branch


def weigh(analysis: Ranking, turn: BaseTurn[Any], after: AnyPosition, *, seed: int = 0) -> Line:
    """Gets what is to be expected of a turn, for the player who decides at the analysis's position.

    A turn that ends the game, or that the analysis has proved, is known for sure.
    """
    if after.is_over:
        return _finished(analysis, turn, after)
    lines = {line.turn: line for line in (analysis.best, *analysis.lines)}
    known = lines.get(str(turn))
    if known is not None and known.proved:
        return known
    most = max(LEAST, *(line.visits for line in lines.values()))
    branch = find(analysis, turn)
    if branch is not None and branch.visits >= ENOUGH * most:
        return analysis._line(turn, branch, after)
    forest = Forest(after, threads=analysis._forest.threads, seed=seed)
    for tree in forest.trees:  # the lead that counts is that of who decides on the turn, not of who answers it
        tree._settings["me"] = analysis._me
    forest.grow(simulations=most)
    return analysis._line(turn, forest.root(), after)


def _finished(analysis: Ranking, turn: BaseTurn[Any], after: AnyPosition) -> Line:
    work = after.kernel.Work.new(after.layout.sizes)
    after.kernel.count_points(after.layout.tables, after.state, work)
    players = range(after.layout.tables.players)
    ranks = [(work.total[p], work.tie[p]) for p in players]
    win = tuple(1 / ranks.count(rank) if rank == max(ranks) else 0.0 for rank in ranks)
    points = after.scores()
    lead = lead_of(points, analysis._me + 1)
    return Line(str(turn), 0, 1, win, points, lead, 0.0, (), proved=True)


def lead_of(points: Sequence[float], player: int) -> float:
    """Gets a player's points beyond those of the best other player.

    >>> lead_of((12, 9, 15), 1)
    -3
    """
    return points[player - 1] - max((p for i, p in enumerate(points, start=1) if i != player), default=0)


# Proof


def prove(analysis: Ranking, line: Line, after: AnyPosition) -> Line:
    """Replaces a line's lead by the proved one if two players are near the end; otherwise gets the line as it is."""
    if line.proved or after.is_over or after.is_chance or not _near_the_end(analysis):
        return line
    solver, me = Solver(after), analysis._me + 1
    solver.begin(me, LONGEST, PROOF_SECONDS)
    try:
        lead = solver.value(after, analysis.position.mover or me)
    except Stopped:
        return line
    return line if solver.reached_horizon else replace(line, lead=lead, stderr=0.0, proved=True)


def _near_the_end(analysis: Ranking) -> bool:
    """Checks whether two players are left with few actions."""
    forest = analysis._forest
    actions = sum(int(tree._settings["actions"][0]) for tree in forest.trees)
    return forest.players == 2 and actions <= NEAR_THE_END * analysis.playouts
