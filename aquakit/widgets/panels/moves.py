"""The moves of the game as a tree: where the board stands in it, comments, variations, and what was there before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.telling import describe_turn
from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.record import Node, Record
from aquakit.errors import InvalidRecord
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_at, read_count, read_page
from aquakit.widgets.panel import Panel, Setting

KEPT = 20
"""How many earlier states of the tree can be brought back."""


class MovesPanel(Panel):
    """The tree of the record, and the way through it."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The rows of the tree as they are written in a record, and that of the turn on the board.
        "tree": traitlets.List(read_only=True).tag(sync=True),
        "at": traitlets.Unicode(read_only=True).tag(sync=True),
        # How far along its line the board is, and how long that is.
        "index": traitlets.Int(read_only=True).tag(sync=True),
        "length": traitlets.Int(read_only=True).tag(sync=True),
        "can_restore": traitlets.Bool(False, read_only=True).tag(sync=True),
        # Whether turns are also shown as they are written.
        "notation": Setting(True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with nothing to bring back."""
        super().__init__(board)
        self._earlier: list[tuple[str, Any, tuple[int, ...]]] = []
        self._told: dict[Node, list[dict[str, str]]] = {}

    # What people ask of it

    def go(self, node: Node) -> None:
        """Goes to the position after a turn of the record."""
        with self.board.changing(wake=False):
            found = self._own(node)
            self.board.cursor.remember(found.line())
            self.board.stand_at(found)

    def comment(self, text: str, node: Node | None = None) -> None:
        """Writes a comment on a turn, or on the one on the board."""
        with self.board.changing(wake=False):
            self._own(node).comment = text

    def promote(self, node: Node | None = None) -> None:
        """Moves a variation one place up."""
        with self.board.changing(wake=False):
            self._own(node).promote()

    def delete(self, node: Node | None = None) -> None:
        """Deletes a turn and what follows."""
        with self.board.changing(wake=False):
            gone = self._own(node)
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

    def _own(self, node: Node | None) -> Node:
        """Gets a node of this record: the given one, or the one on the board."""
        found = self.board.node if node is None else node
        if not isinstance(found, Node) or found.line()[0] is not self.board.record.root:
            raise InvalidRecord("node", f"{show(node)} belongs to another record", "a node of this one")
        return found

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
        """Gathers the rows and the place among them."""
        rows = list(self.board.record.root.rows())
        # To tell a turn takes longer than all else, and what was told stays true.
        self._told = {node: self._told.get(node) or _tell(node) for node, _ in rows}
        return {
            "tree": [_describe_row(node, level) | {"told": self._told[node]} for node, level in rows],
            "at": _name(self.board.node),
            "index": self.board.node.number,
            "length": len(self.board.cursor.line()) - 1,
            "can_restore": bool(self._earlier),
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked: rows, the buttons below them, and the slider."""
        cursor = self.board.cursor
        return {
            "go": Message(lambda at: self.go(cursor.record.at(at)), at=read_at),
            "first": Message(lambda: self.go(cursor.record.root)),
            "previous": Message(lambda: self.go(cursor.node.parent or cursor.node)),
            "next": Message(lambda: self.go(cursor.following(cursor.node) or cursor.node)),
            "last": Message(lambda: self.go(cursor.line()[-1])),
            "scrub": Message(self._scrub, index=read_count),
            "comment": Message(lambda at, text: self.comment(text, cursor.record.at(at)), at=read_at, text=read_page),
            "promote": Message(lambda at: self.promote(cursor.record.at(at)), at=read_at),
            "delete": Message(lambda at: self.delete(cursor.record.at(at)), at=read_at),
            "restore": Message(self.restore),
        }

    def _scrub(self, index: int) -> None:
        """Goes to a turn of the line on the board, by its number."""
        line = self.board.cursor.line()
        self.go(line[read_whole("turn", index, most=len(line) - 1)])


def _name(node: Node) -> str:
    """Names a node for the browser."""
    return ".".join(map(str, node.path))


def _tell(node: Node) -> list[dict[str, str]]:
    """Says a node's turn in words, as plain data."""
    return describe_turn(node.parent.position, node.turn) if node.parent else []


def _describe_row(node: Node, level: int) -> dict[str, Any]:
    before = node.parent.position if node.parent else None
    chips = before.room("board.facts").chips(before.layout, before.mover) if before and before.mover else ()
    return {
        "at": _name(node),
        "number": node.number,
        "turn": str(node.turn or ""),
        "who": clicks.plain(chips),
        "level": level,
        "comment": node.comment,
        "promotable": bool(node.parent and node.parent.children[0] is not node),
    }
