"""The games that were kept, listed when somebody asks for them, and opened where they stood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.errors import InvalidOption
from aquakit.keeping.resuming import describe_game, find_game, games
from aquakit.keeping.shelf import KeptGame
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_count
from aquakit.widgets.panel import Panel
from aquakit.workshop.served import is_served

MOST = 30
"""So many games are listed."""


class RecentPanel(Panel):
    """The list of kept games; on served pages, which visitors see, there is none."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # Whether games can be listed, whether they are, and each with its number.
        "recent": traitlets.Dict(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins without a list."""
        super().__init__(board)
        self._games: list[KeptGame] | None = None

    def list_games(self) -> None:
        """Lists the games that are kept now, or takes the list away."""
        self._check()
        with self.board.changing(wake=False):
            self._games = None if self._games is not None else list(games()[:MOST])

    def reopen(self, number: int) -> None:
        """Opens a kept game where it stood; what is on the board can be brought back."""
        self._check()
        board = self.board
        with board.changing(wake=False):
            kept = find_game(number)
            record, node, moment = kept.read()
            board.open_record(record)
            board.cursor.remember(node.line())
            board.stand_at(node, moment)
            if board.keeper is not None:
                board.keeper.go_on(kept, record)
            self._games = None

    def _check(self) -> None:
        if is_served():
            raise InvalidOption("games", "pages that are served keep none", "a notebook")

    def shown(self) -> Mapping[str, Any]:
        """Gathers the list, while it is shown."""
        rows = [{"number": game.number, "words": _word(game)} for game in self._games or ()]
        return {"recent": {"can": not is_served(), "shown": self._games is not None, "rows": rows}}

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {"recent": Message(self.list_games), "reopen": Message(self.reopen, number=read_count)}


def _word(game: KeptGame) -> str:
    """Says in a line which game it is."""
    _, name, notebook, layout, turns, result, _, when = describe_game(game)
    told = [name or notebook, layout, f"{turns} turn{'s' * (game.turns != 1)}", result]
    return f"{when}: {', '.join(part for part in told if part)}"
