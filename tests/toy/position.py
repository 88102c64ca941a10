"""The position that people hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aquakit.core.position import BasePosition
from toy import kernel, notation, reasons
from toy.layout import Layout
from toy.notation import Action, Turn, encode


class Position(BasePosition[Action]):
    """A position of the game."""

    __slots__ = ()

    kernel, notation, reasons = kernel, notation, reasons
    layout_type, turn_type = Layout, Turn

    @classmethod
    def start(cls, layout: str | Layout = "toy") -> Position:
        """Creates the start of a game."""
        board, state = Layout.load(layout), kernel.State.new({})
        state.pebbles = list(board.pebbles)
        return cls(board, state)

    def _encode(self, action: Action) -> int | None:
        code = encode(self._layout, action)
        return code if code in self._codes() else None

    def turns(self) -> Iterator[Turn]:
        """Iterates over the turns."""
        return (Turn([action]) for action in self.actions())

    def describe(self) -> dict[str, Any]:
        """Collects what the position holds."""
        return {"pebbles": list(self._state.pebbles), "points": list(self._state.points), "player": self.mover}
