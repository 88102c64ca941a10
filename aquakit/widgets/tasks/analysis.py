"""Beside a puzzle: an explorer of the position on the board, opened when somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.widgets.board import Board
from aquakit.widgets.explorer import Explorer
from aquakit.widgets.messages import Message
from aquakit.widgets.panel import Panel
from aquakit.widgets.tasks.task import TaskPanel


class AnalysisPanel(Panel):
    """The explorer, while it is open."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "analysis": traitlets.Instance(Explorer, allow_none=True, read_only=True).tag(
            sync=True, to_json=lambda explorer, _: explorer and f"IPY_MODEL_{explorer.model_id}"
        ),
    }

    def analyse(self) -> None:
        """Opens an explorer of the position on the board; before the task is decided that counts as a hint."""
        board = self.board
        with board.changing(wake=False):
            asked = board.beside(TaskPanel)
            if asked.is_open and not asked.sitting.ledger.is_decided:
                asked.sitting.ledger.help_taken = 1
            self.close()
            look = {"theme": board.theme, "flip": board.flip, "size": board.size}
            board.set_trait("analysis", Explorer(board.moment, keep=False, **look))

    def close_analysis(self) -> None:
        """Closes the explorer."""
        with self.board.lock:
            self.close()

    def messages(self) -> Mapping[str, Message]:
        """Hears that the explorer is wanted, or not any more."""
        return {"analyse": Message(self.analyse), "close_analysis": Message(self.close_analysis)}

    def close(self) -> None:
        """Ends the explorer, if there is one."""
        explorer = self.board.analysis
        self.board.set_trait("analysis", None)
        if explorer is not None:
            explorer.close()
