"""The log beside a board: each turn in words, what it brought, and the last ones shown again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.telling import describe_turn
from aquakit.core.options import read_whole
from aquakit.core.record import Node
from aquakit.widgets.game import GameWidget
from aquakit.widgets.messages import Message, read_at, read_count
from aquakit.widgets.panel import Arrows, Panel, Places
from aquakit.widgets.turns.showing import ShowMode


class LogPanel(Panel):
    """The turns of the game, and the way through them."""

    board: GameWidget
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The rows of the tree as they are written in a record, and that of the turn on the board.
        "tree": traitlets.List(read_only=True).tag(sync=True),
        "at": traitlets.Unicode(read_only=True).tag(sync=True),
        # The row of the turn that is seen, which a replay shows again.
        "seen": traitlets.Unicode(read_only=True).tag(sync=True),
        # How far along its line the board is, and how long that is.
        "index": traitlets.Int(read_only=True).tag(sync=True),
        "length": traitlets.Int(read_only=True).tag(sync=True),
        # How many turns can be shown again; which step is shown, and after how many milliseconds it goes on, if ever.
        "replayable": traitlets.Int(read_only=True).tag(sync=True),
        "showing": traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True),
        "has_bots": traitlets.Bool(read_only=True).tag(sync=True),
    }

    def __init__(self, board: GameWidget) -> None:
        """Begins with nothing told."""
        super().__init__(board)
        self._told: dict[tuple[Node, bool], dict[str, Any]] = {}

    # What people ask of it

    def go(self, node: Node) -> None:
        """Goes to the position after a turn of the record."""
        with self.board.changing(wake=False):
            found = self.board.own(node)
            self.board.cursor.remember(found.line())
            self.board.stand_at(found)

    def replay(self) -> None:
        """Shows again what bots have played since a person did, or else the last turn, action by action."""
        with self.board.changing(wake=False):
            nodes = self._replayed()
            if nodes and nodes[0].parent is not None:
                title = "Replay" if len(nodes) == 1 else f"Replay of {len(nodes)} turns"
                turns = [node.turn for node in nodes]
                self.board.mode = ShowMode(self.board, title, nodes[0].parent.position, turns, nodes=nodes)

    def _replayed(self) -> list[Node]:
        """Lists the turns to show again: none while a bot is to decide."""
        if self.board.mode.refusal or self.board.mode.seat() is not None:
            return []
        node = self.board.node
        return self.board.mode.since() or [node][: node.number]

    def advance(self, at: int) -> None:
        """Goes on with what is shown, unless somebody has gone on already."""
        with self.board.changing(wake=False):
            if isinstance(self.board.mode, ShowMode) and self.board.mode.at == at:
                self.board.mode.advance()

    # What the board asks of it

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Numbers the turns of several bots where they happened; the last one is marked anyway."""
        # Who has no workman left may have watched for long: a round of it is enough to see.
        played, numbered = self.board.mode.since()[-self.board.moment.layout.tables.players :], Places()
        for number, node in enumerate(played if len(played) > 1 else [], start=1):
            if node.parent is not None:
                before = node.parent.position
                trace = before.room("board.facts").trace(before, node.turn)
                numbered |= dict.fromkeys(trace.marks, str(number))
        return numbered | places, arrows

    def shown(self) -> Mapping[str, Any]:
        """Gathers the rows and the place among them."""
        rows, line = list(self.board.cursor.record.root.rows()), self.board.cursor.line()
        hide = bool(self.board.hide)
        # To tell a turn takes longer than all else, and what was told stays true.
        self._told = {(node, hide): self._told.get((node, hide)) or _tell(node, hide) for node, _ in rows}
        mode = self.board.mode
        return {
            "tree": [
                {
                    "at": name_node(node),
                    "level": level,
                    "comment": node.comment,
                    "promotable": bool(node.parent and node.parent.children[0] is not node),
                    "on_line": node in line,
                    **self._told[node, hide],
                }
                for node, level in rows
            ],
            "at": name_node(self.board.node),
            "seen": name_node(mode.node if isinstance(mode, ShowMode) else self.board.node),
            "index": self.board.node.number,
            "length": len(line) - 1,
            "replayable": len(self._replayed()),
            "showing": {"at": mode.at, "pause": mode.pause} if isinstance(mode, ShowMode) else None,
            "has_bots": bool(self.board.bots.seats),
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked: rows, and the buttons beside them."""
        cursor = self.board.cursor
        return {
            "go": Message(lambda at: self.go(cursor.record.at(at)), at=read_at),
            "first": Message(lambda: self.go(cursor.record.root)),
            "last": Message(lambda: self.go(cursor.line()[-1])),
            "scrub": Message(self._scrub, index=read_count),
            "replay": Message(self.replay),
            "advance": Message(self.advance, step=read_count),
        }

    def _scrub(self, index: int) -> None:
        """Goes to a turn of the line on the board, by its number."""
        line = self.board.cursor.line()
        self.go(line[read_whole("turn", index, most=len(line) - 1)])


def name_node(node: Node) -> str:
    """Names a node for the browser."""
    return ".".join(map(str, node.path))


def _tell(node: Node, hide: bool) -> dict[str, Any]:
    """Tells a node's turn: whose it was, what was played, and the points that it brought to whom."""
    if node.parent is None:
        return {"number": 0, "turn": "", "who": [], "told": [], "gained": []}
    before, after = node.parent.position, node.position
    if hide and not after.is_over:  # what nobody sees yet brings nothing yet
        before, after = before.view(), after.view()
    facts, layout = before.room("board.facts"), before.layout
    signs = {player: clicks.plain(facts.chips(layout, player)) for player in range(1, len(before.scores()) + 1)}
    changes = [now - then for now, then in zip(facts.points(after), facts.points(before), strict=True)]
    gaining = [player for player, points in enumerate(changes, start=1) if points]
    return {
        "number": node.number,
        "turn": str(node.turn),
        "who": signs[before.mover] if before.mover else [],
        "told": describe_turn(before, node.turn),
        # The one who played needs no sign again, unless others gain or lose too.
        "gained": [
            {"who": [] if [player] == gaining == [before.mover] else signs[player], "points": changes[player - 1]}
            for player in gaining
        ],
    }
