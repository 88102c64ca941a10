"""Checks for exercises on boards of Aquädukt."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from aquakit.aquadukt.position import Position
from aquakit.core.tomlfile import Table
from aquakit.core.words import capital, count, join
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Line, Puzzle
from aquakit.training.verdict import Verdict
from aquakit.workshop.checks import ExerciseError, Measured, Named, Nothing, check

WAYS = {"n": "northern", "e": "eastern", "s": "southern", "w": "western"}
"""Where an arm begins."""


class OfSquare(Table):
    """A square by its name."""

    square: Line


class Canals(Table):
    """How many canals, and whether only the own houses count."""

    canals: Annotated[int, Field(strict=True, ge=1)]
    alone: Annotated[bool, Field(strict=True)] = False


# Measures


@check("measure", OfSquare, Position)
def supply(position: Position, given: OfSquare) -> Measured:
    """Counts the canals that feed a square [Q5]."""
    known = position.supply
    if given.square not in known:
        raise ExerciseError("given.square", f"{given.square!r} is no square of this board", "a square such as e4")
    fed = position.graph().watered_by(given.square)
    arms = [f"{number} of the {WAYS[step]} arm of {spring}" for (spring, step), number in fed.items()]
    fully = f"{given.square} is fed by {count(known[given.square], 'canal')}: {join(arms)}." if arms else ""
    return Measured(known[given.square], fully or f"No canal feeds {given.square}.")


@check("measure", Nothing, Position)
def watered(position: Position, given: Nothing) -> Measured:
    """Counts the squares that have water."""
    value = sum(1 for fed in position.supply.values() if fed)
    return Measured(value, f"{capital(count(value, 'square'))} have water.")


@check("measure", Nothing, Position)
def springs(position: Position, given: Nothing) -> Measured:
    """Counts the points on which a spring may be placed now."""
    value = len(position.graph().spring_sites())
    return Measured(value, f"A spring may be placed on {count(value, 'point')}.")


@check("measure", Nothing, Position)
def canals(position: Position, given: Nothing) -> Measured:
    """Counts the segments on which the next canal may be laid."""
    value = len(position.graph().layable())
    return Measured(value, f"A canal may be laid on {count(value, 'segment')}.")


# Namings


@check("naming", Nothing, Position)
def dry(position: Position, given: Nothing) -> Named:
    """Names the squares of tiles that have no water."""
    fed = position.supply
    found = [square for square in position.tiles if not fed[square]]
    words = f"No water on {join(found)}." if found else "Every tile has water."
    return Named(found, "the square of a tile without water", words)


# Tests of turns


@check("test", Canals, Position)
def canals_(position: Position, turn: Any, after: Position, given: Canals) -> Verdict:
    """Accepts canals that bring the player to move the most net houses, with as many more as are told, proved."""
    from aquakit.aquadukt.planner.canals.plan import plan_canals

    me = position.mover or 1
    best = plan_canals(position, canals=given.canals, player=me, against=not given.alone)
    asked = Puzzle.draft("canals", position, given.canals, {"player": me, "alone": given.alone})
    asked = asked.model_copy(update={"value": best.value})
    laid = [action for action in turn if action.what == "canal"]
    if not laid:
        return Verdict(False, "No canal was laid.")
    said = find_kind("canals").judge(asked, ", ".join(map(str, laid)))
    return Verdict(said.right, f"{capital(said.words)}.")
