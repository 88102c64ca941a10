"""The score sheet of what the board shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.widgets.board import Board
from aquakit.widgets.panel import Panel


class ScoresPanel(Panel):
    """The game's score sheet, as tables."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "sheet": traitlets.List(read_only=True).tag(sync=True),
    }

    def shown(self) -> Mapping[str, Any]:
        """Gathers the tables; what is hidden is not counted."""
        return {"sheet": clicks.plain(self.board.moment.room("board.facts").sheet(self.board.visible))}
