"""What a board tells about a position of a game that has no `board/facts.py`: who is who, and the score."""

from __future__ import annotations

from typing import Any

from aquakit.board.facts import Chip, Fact, FactTable, TurnTrace
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.drawing.svg import COLOURS


def facts(position: AnyPosition) -> tuple[Fact, ...]:
    """Tells nothing about single pieces."""
    return ()


def points(position: AnyPosition) -> tuple[int, ...]:
    """Gets each player's points."""
    return position.scores()


def sheet(position: AnyPosition) -> tuple[FactTable, ...]:
    """Gets the points."""
    rows = tuple((chips(position.layout, player), str(points)) for player, points in enumerate(position.scores(), 1))
    return (FactTable("Score sheet", ("player", "points"), rows),)


def trace(position: AnyPosition, turn: BaseTurn[Any] | str) -> TurnTrace:
    """Shows nothing of a turn before it is played."""
    return TurnTrace()


def chips(layout: Any, player: int) -> tuple[Chip, ...]:
    """Gets the sign of a player.

    >>> chips(None, 2)
    (Chip(text='2', colour='Y', sure=True),)
    """
    return (Chip(str(player), list(COLOURS)[player - 1]),)
