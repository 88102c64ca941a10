"""The position editor: pieces are dragged or clicked onto the board, the rest is set in a form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import traitlets

from aquakit.board import clicks
from aquakit.board.draft import BaseDraft, Grip, Tools, draft
from aquakit.core.options import read_whole
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Node
from aquakit.errors import InvalidOption
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.panel import Arrows, Panel, Places

read_step = partial(read_whole, least=-1, most=1)


def is_beside(on: str) -> bool:
    """Tells a piece of the picture from a place of the board."""
    return "=" in on


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
        self.lifted = ""
        """Where a piece was taken up that a click puts elsewhere, if one was."""
        self._lying: dict[tuple[str, str], str] = {}
        """How a piece of each palette and kind lay last."""
        self._past: list[BaseDraft] = []
        self._undone: list[BaseDraft] = []

    def check(self, doing: Doing = "play") -> None:
        """Refuses to play."""
        if doing not in ("choose", "back"):
            raise InvalidOption("editor", "is open", "that the edited position is taken over or cancelled")

    def seat(self) -> int | None:
        """Leaves the position to people."""
        return None

    # Pieces

    def use(self, title: str, piece: str) -> None:
        """Takes a piece from a palette, and lets its kind lie like that from now on."""
        self._let_lie(title, piece)
        self.tool, self.lifted = (title, piece), ""

    def _let_lie(self, title: str, piece: str) -> None:
        kind = self.draft.palette(title).find(piece).kind
        self._lying[title, kind] = piece
        if self.tool[0] == title and self.draft.palette(title).find(self.tool[1]).kind == kind:
            self.tool = title, piece

    def as_it_lay(self, tools: Tools, piece: str) -> str:
        """Gets a piece as one of its kind lay last."""
        return self._lying.get((tools.title, tools.find(piece).kind), piece)

    def pieces(self, tools: Tools) -> list[str]:
        """Lists a palette's pieces, each kind once, as it lay last."""
        return list(dict.fromkeys(self.as_it_lay(tools, self._first(tools, piece.kind)) for piece in tools.pieces))

    def _first(self, tools: Tools, kind: str) -> str:
        return next(piece.id for piece in tools.pieces if piece.kind == kind)

    def grips(self) -> list[Grip]:
        """Lists what can be taken up: on the board as it lies, beside it as it would be put."""
        palettes = {tools.title: tools for tools in self.draft.tools()}
        return [
            grip._replace(piece=self.as_it_lay(palettes[grip.title], grip.piece)) if is_beside(grip.on) else grip
            for grip in self.draft.grips()
        ]

    def _grip(self, on: str) -> Grip:
        self.draft.grip(on)
        return next(grip for grip in self.grips() if grip.on == on)

    def drop(self, title: str, piece: str, target: str) -> None:
        """Puts a piece of a palette somewhere; it stays in the hand."""
        self.edit(lambda edited: edited.drop(title, piece, target))
        self.use(title, piece)

    def move(self, on: str, target: str) -> None:
        """Puts what is somewhere elsewhere, or away."""
        grip = self._grip(on)
        self.edit(lambda edited: edited.move(grip, target))
        self.lifted = ""

    def turn(self, on: str, by: int) -> None:
        """Turns what is somewhere, or else the piece in the hand; its kind lies like that from now on."""
        title, piece = self._grip(on)[1:] if on else self.tool
        turned = self.draft.palette(title).turned(piece, by)
        if on and not is_beside(on):
            self.edit(lambda edited: edited.put(on, turned))
        self._let_lie(title, turned)

    def lift(self, on: str) -> None:
        """Takes up what is somewhere; the next click puts it elsewhere."""
        self.lifted = self.draft.grip(on).on

    # What the board asks

    def offer(self) -> clicks.Offer:
        """Offers all places where the piece can be put."""
        title, chosen = self._grip(self.lifted)[1:] if self.lifted else self.tool
        tools = self.draft.palette(title)
        piece = tools.find(chosen)

        def choice(target: str, look: clicks.Look) -> clicks.Choice:
            label = f"{piece.label} on {self.draft.name_target(target)}"
            icon = "" if look == "ring" else piece.icon
            return clicks.Choice(target, label, look, (target,), piece=icon, turns=tools.turned(chosen) != chosen)

        choices = [choice(place, piece.look or tools.look) for place in tools.places]
        if chosen:
            choices += [choice(target, "ring") for target in tools.beside]
        said = f"choose where the {piece.label} goes" if self.lifted else f"put {piece.label} on the board"
        return clicks.Offer(f"Editing: {said}", tuple(choices))

    def choose(self, choice: str) -> None:
        """Puts the piece there."""
        if self.lifted:
            self.move(self.lifted, choice)
        else:
            self.drop(*self.tool, choice)

    def edit(self, change: Callable[[BaseDraft], BaseDraft]) -> None:
        """Changes the draft; the board shows it as soon as it is a position."""
        made = change(self.draft)
        if made != self.draft:
            self._past.append(self.draft)
            self._undone = []
            self._show(made)

    def _show(self, made: BaseDraft) -> None:
        self.draft, self.lifted = made, ""
        if made.problem() is None:
            self.board.cursor.moment = made.position()

    # Back and forth

    deciding = None
    """No click comes too late: pieces can be put on the board in any order."""
    can_back = False

    def back(self) -> None:
        """Puts down what was taken up."""
        self.lifted = ""

    can_undo = True

    def undo(self) -> None:
        """Takes back the last change; without one, leaves the editor."""
        if self._past:
            self._undone.append(self.draft)
            self._show(self._past.pop())
        else:
            self.leave()

    earlier = undo

    @property
    def can_redo(self) -> bool:
        """Whether a change was taken back."""
        return bool(self._undone)

    def redo(self) -> None:
        """Makes the change again that was taken back last."""
        if self._undone:
            self._past.append(self.draft)
            self._show(self._undone.pop())

    later = redo

    def leave(self) -> None:
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
                self.editing.leave()

    def change(self, change: Callable[[BaseDraft], BaseDraft]) -> None:
        """Changes the draft."""
        self.do(lambda editing: editing.edit(change))

    def do(self, what: Callable[[EditMode], object]) -> None:
        """Lets the open editor do something."""
        with self.board.changing(wake=False):
            if self.editing is None:
                raise InvalidOption("editor", "is not open", "that a position is being edited")
            what(self.editing)

    # What the board asks of it

    def mark(self, places: Places, arrows: Arrows) -> tuple[Places, Arrows]:
        """Adds what was changed and cannot be shown yet."""
        if self.editing is None:
            return places, arrows
        changed = self.editing.draft.changes(self.board.moment)
        return places | dict.fromkeys(changed, ""), arrows

    def shown(self) -> Mapping[str, Any]:
        """Gathers palettes and form, what can be taken up, and what keeps the draft from being a position."""
        if self.editing is None:
            return {"draft": None}
        mode, edited, trouble = self.editing, self.editing.draft, self.editing.draft.trouble()
        palettes = {tools.title: tools for tools in edited.tools()}
        titles = {place: tools.title for tools in palettes.values() for place in tools.places}
        pending = [(place, titles[place], piece) for place, piece in edited.changes(self.board.moment).items()]
        return {
            "draft": {
                "tools": [_describe_palette(tools, mode.pieces(tools)) for tools in palettes.values()],
                "fields": clicks.plain(edited.fields()),
                "grips": [_describe(palettes[title], piece, on) for on, title, piece in mode.grips()],
                # What stands where the board cannot show it yet.
                "pending": [_describe(palettes[title], piece, on) for on, title, piece in pending],
                "tool": list(mode.tool),
                "lifted": mode.lifted,
                "problem": trouble.text if trouble else "",
                "wrong": list(trouble.on) if trouble else [],
                "wrong_fields": list(trouble.fields) if trouble else [],
                "text": edited.text,
            }
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked, dragged and turned."""
        return {
            "edit": Message(self.edit),
            "tool": Message(lambda *said: self.do(lambda mode: mode.use(*said)), title=read_text, piece=read_text),
            "drop": Message(
                lambda *said: self.do(lambda mode: mode.drop(*said)), title=read_text, piece=read_text, target=read_text
            ),
            "move": Message(lambda *said: self.do(lambda mode: mode.move(*said)), source=read_text, target=read_text),
            "lift": Message(lambda on: self.do(lambda mode: mode.lift(on)), source=read_text),
            "turn": Message(lambda *said: self.do(lambda mode: mode.turn(*said)), source=read_text, by=read_step),
            "set": Message(
                lambda field, value: self.change(lambda edited: edited.set(field, value).fit(edited)),
                field=read_text,
                value=read_text,
            ),
            "balance": Message(lambda: self.change(lambda edited: edited.balance())),
            "finish": Message(self.finish),
            "cancel": Message(self.cancel),
        }


def _describe(tools: Tools, piece: str, on: str = "") -> dict[str, Any]:
    """Says what the page need know about a piece."""
    found, turns = tools.find(piece), tools.turned(piece) != piece
    return {**found._asdict(), "look": found.look or tools.look, "title": tools.title, "turns": turns, "on": on}


def _describe_palette(tools: Tools, pieces: list[str]) -> dict[str, Any]:
    """Says what the page need know about a palette: a piece for each kind, and all that takes it."""
    shown = [_describe(tools, piece) for piece in pieces]
    return {"title": tools.title, "pieces": shown, "targets": [*tools.places, *tools.beside]}
