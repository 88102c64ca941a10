"""The position editor: pieces are put on the board by clicking, the rest is set in a form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.draft import BaseDraft, draft
from aquakit.core.options import show
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Node
from aquakit.errors import InvalidOption
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.panel import Arrows, Panel, Places


class EditMode(PlayMode):
    """Puts pieces where people click, until the board goes elsewhere; bots leave it alone."""

    board: Board
    refusal = "the position is edited"

    def __init__(self, board: Board, left: AnyPosition) -> None:
        """Edits what is on the board; `left` comes back when that is cancelled."""
        super().__init__(board)
        self.left = left
        self.draft: BaseDraft = draft(board.moment)
        tools = self.draft.tools()[0]
        self.tool = (tools.title, tools.ids[0])
        """The palette and the piece that a click puts on the board."""

    def check(self, doing: Doing = "play") -> None:
        """Refuses to play."""
        if doing not in ("choose", "back"):
            raise InvalidOption("editor", "is open", "that the edited position is taken over or cancelled")

    def seat(self) -> int | None:
        """Leaves the position to people."""
        return None

    def offer(self) -> clicks.Offer:
        """Offers all places where the piece can be put."""
        title, chosen = self.tool
        tools = next(tools for tools in self.draft.tools() if tools.title == title)
        piece = next(piece for piece in tools.pieces if piece.id == chosen)
        choices = [
            clicks.Choice(place, f"{piece.label} on {place}", tools.look, (place,), piece=piece.icon)
            for place in tools.places
        ]
        return clicks.Offer(f"Editing: put {piece.label} on the board", tuple(choices))

    def choose(self, choice: str) -> None:
        """Puts the piece there; what lies beside the board goes on fitting if it did."""
        self.edit(lambda edited: edited.put_and_fit(choice, self.tool[1]))

    def edit(self, change: Callable[[BaseDraft], BaseDraft]) -> None:
        """Changes the draft; the board shows it as soon as it is a position."""
        self.draft = change(self.draft)
        if self.draft.problem() is None:
            self.board.cursor.moment = self.draft.position()

    deciding = None
    """No click comes too late: pieces can be put on the board in any order."""
    can_back = False

    def back(self) -> None:
        """Does nothing: there is no turn to go back in."""

    can_undo = True

    def undo(self) -> None:
        """Leaves the position as it was before."""
        self.board.stand_at(self.board.node, self.left)

    def last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        """Marks nothing: what the last turn put on the board need not lie there any more."""
        return None, None

    def since(self) -> list[Node]:
        """Marks no earlier ones either."""
        return []


class EditorPanel(Panel):
    """Palettes and a form; they hold while the board is in the editor's mode."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # The state of the editor while it is open.
        "draft": traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True),
    }

    @property
    def editing(self) -> EditMode | None:
        """The mode of the board, if it is the editor's."""
        return self.board.mode if isinstance(self.board.mode, EditMode) else None

    # What people ask of it

    def edit(self) -> None:
        """Begins to edit the position on the board; of a moment inside a turn, the turn's start."""
        with self.board.changing(wake=False):
            left = self.board.node.position if self.editing else self.board.moment
            self.board.bots.call_off()
            self.board.stand_at(self.board.node)
            self.board.mode = EditMode(self.board, left)

    def finish(self) -> None:
        """Goes on from the edited position, as a new game; if nothing was changed, from where it was."""
        if self.editing is None:
            return
        position = self.board.checked(self.editing.draft.position)
        if position == self.board.node.position:
            self.cancel()
        else:
            self.board.begin(position)

    def cancel(self) -> None:
        """Leaves the position as it was before editing."""
        with self.board.changing(wake=False):
            if self.editing is not None:
                self.editing.undo()

    def change(self, change: Callable[[BaseDraft], BaseDraft]) -> None:
        """Changes the draft."""
        with self.board.changing(wake=False):
            self._open_one().edit(change)

    def use(self, title: str, piece: str) -> None:
        """Takes a piece from a palette, to put it on the board by clicking."""
        with self.board.changing(wake=False):
            editing = self._open_one()
            if not any(tools.title == title and piece in tools.ids for tools in editing.draft.tools()):
                raise InvalidOption("tool", f"{show(piece)} of {show(title)}", "a piece of a palette")
            editing.tool = (title, piece)

    def _open_one(self) -> EditMode:
        if self.editing is None:
            raise InvalidOption("editor", "is not open", "that a position is being edited")
        return self.editing

    # What the board asks of it

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Adds what was changed and cannot be shown yet."""
        if self.editing is None:
            return places, arrows
        changed = self.editing.draft.changes(self.board.moment)
        return places | {place: piece or "∅" for place, piece in changed.items()}, arrows

    def shown(self) -> Mapping[str, Any]:
        """Gathers palettes, form, and what keeps the draft from being a position."""
        if self.editing is None:
            return {"draft": None}
        edited = self.editing.draft
        problem = edited.problem()
        return {
            "draft": {
                "tools": clicks.plain(edited.tools()),
                "fields": clicks.plain(edited.fields()),
                "tool": list(self.editing.tool),
                "problem": str(problem) if problem else "",
                "text": edited.text,
            }
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "edit": Message(self.edit),
            "tool": Message(self.use, title=read_text, piece=read_text),
            "set": Message(
                lambda field, value: self.change(lambda edited: edited.set(field, value)),
                field=read_text,
                value=read_text,
            ),
            "balance": Message(lambda: self.change(lambda edited: edited.balance())),
            "finish": Message(self.finish),
            "cancel": Message(self.cancel),
        }
