"""The moves of the game as people work on them: comments, variations, and what was there before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.core.options import read_flag
from aquakit.core.record import Node, Record
from aquakit.errors import InvalidRecord
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_at, read_page
from aquakit.widgets.panel import Panel, Setting

KEPT = 20
"""How many earlier states of the tree can be brought back."""


class MovesPanel(Panel):
    """What can be done with the turns of the log, and whether they are also shown as they are written."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "can_restore": traitlets.Bool(False, read_only=True).tag(sync=True),
        # Whether turns are also shown as they are written.
        "notation": Setting(True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with nothing to bring back."""
        super().__init__(board)
        self._earlier: list[tuple[str, Any, tuple[int, ...]]] = []

    # What people ask of it

    def comment(self, text: str, node: Node | None = None) -> None:
        """Writes a comment on a turn, or on the one on the board."""
        with self.board.changing(wake=False):
            self.board.own(node).comment = text

    def promote(self, node: Node | None = None) -> None:
        """Moves a variation one place up."""
        with self.board.changing(wake=False):
            self.board.own(node).promote()

    def delete(self, node: Node | None = None) -> None:
        """Deletes a turn and what follows."""
        with self.board.changing(wake=False):
            gone = self.board.own(node)
            if gone.parent is None:
                raise InvalidRecord("node", "the start cannot be deleted", "a turn")
            self.leave_game()
            if gone in self.board.node.line():
                self.board.stand_at(gone.parent)
            gone.delete()

    def restore(self) -> None:
        """Brings back the tree as it was before the last deletion, or before another game was opened."""
        with self.board.changing(wake=False):
            if self._earlier:
                text, layout, path = self._earlier.pop()
                record = Record.parse(text, layout)
                self.board.take_over(record)
                self.board.stand_at(record.at(path))

    # Settings

    def read(self, name: str, value: Any) -> Any:
        """Checks whether notation is shown."""
        return read_flag(name, value)

    def setting_changed(self, name: str) -> None:
        """Leaves it to the browser to show notation or not."""

    # What the board asks of it

    def leave_game(self) -> None:
        """Keeps the tree as it is, so that it can be brought back."""
        record = self.board.record
        self._earlier = [*self._earlier, (str(record), record.start.layout, self.board.node.path)][-KEPT:]

    def shown(self) -> Mapping[str, Any]:
        """Tells whether something can be brought back."""
        return {"can_restore": bool(self._earlier)}

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be done with a row."""
        cursor = self.board.cursor
        return {
            "comment": Message(lambda at, text: self.comment(text, cursor.record.at(at)), at=read_at, text=read_page),
            "promote": Message(lambda at: self.promote(cursor.record.at(at)), at=read_at),
            "delete": Message(lambda at: self.delete(cursor.record.at(at)), at=read_at),
            "restore": Message(self.restore),
        }
