"""What is said about turns of a game that has no `board/why.py`: nothing but who plays, and the score."""

from __future__ import annotations

from typing import Any

from aquakit.board.claims import Claim
from aquakit.core.position import AnyPosition, BaseTurn


def name(layout: Any, player: int) -> str:
    """Names a player by number."""
    return f"Player {player}"


def standing(position: AnyPosition, last: int | None = None) -> tuple[int, ...]:
    """Gets each player's points if play stopped at the turn's start; `last` is whose turn ended last, if known."""
    start = position.rewind()
    kernel, layout, state = start.kernel, start.layout, start.state
    work = kernel.Work.new(layout.sizes)
    if not start.is_over:
        kernel.halt(layout.tables, state, state.player if last is None else last - 1)
    kernel.count_points(layout.tables, state, work)
    return tuple(work.total[: layout.tables.players])


def why(before: AnyPosition, turn: BaseTurn[Any], after: AnyPosition) -> list[Claim]:
    """Lists what a turn does by the rules: nothing is known."""
    return []
