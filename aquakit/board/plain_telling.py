"""What is said about turns of a game that has no `board/telling.py`: its actions as they are written."""

from __future__ import annotations

from typing import Any

from aquakit.board.telling import Part
from aquakit.core.position import AnyPosition, BaseTurn


def tell(before: AnyPosition, turn: BaseTurn[Any]) -> list[Part]:
    """Lists the actions of a turn."""
    return [Part("action", str(action)) for action in turn]


def tell_action(position: AnyPosition, action: Any) -> str:
    """Gets an action as it is written."""
    return str(action)
