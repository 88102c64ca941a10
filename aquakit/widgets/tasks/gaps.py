"""Pieces that are put into the gaps of a position, one after the other: what is offered, and what lies there."""

from __future__ import annotations

from collections.abc import Sequence

from aquakit.board import clicks
from aquakit.board.clicks import Choice, Offer
from aquakit.board.draft import Piece, draft
from aquakit.core.options import show
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption
from aquakit.planning.plans import Ghost
from aquakit.workshop.question import PositionQuestion


class Gaps:
    """The gaps of a question, and what has been put into them, in this order."""

    def __init__(self, question: PositionQuestion) -> None:
        """Begins with empty gaps."""
        self.question = question
        self.filled: dict[str, str] = {}

    def put(self, text: str) -> None:
        """Puts a piece into a gap, such as c4=L."""
        gap, _, piece = text.partition("=")
        self.filled[gap] = piece

    def fill(self, answer: str) -> AnyPosition:
        """Puts a whole answer into the gaps, and gets the position that it makes."""
        self.filled = dict(token.partition("=")[::2] for token in answer.split())
        made: AnyPosition = self.question.put(self.filled).position()
        return made

    def read(self) -> str | None:
        """Gets the answer as soon as enough gaps are filled."""
        if len(self.filled) < self.question.to_fill:
            return None
        return self.question.read(" ".join(f"{gap}={piece}" for gap, piece in self.filled.items()))

    def offer(self, picked: Sequence[str]) -> Offer:
        """Offers the gaps, then what can be put into the one picked; a single gap need not be picked."""
        left = [gap for gap in self.question.gaps if gap not in self.filled]
        if len(picked) > 1 or not set(picked) <= set(left):
            raise InvalidOption("picked", show(picked), f"one of {', '.join(left)}")
        chosen = picked[0] if picked else left[0] if len(left) == 1 else None
        number = self.question.to_fill - len(self.filled)
        if chosen is not None:
            pieces = [_offer_piece(chosen, piece) for piece in self.question.palette(chosen)]
            return Offer(f"Choose what belongs on {chosen}", tuple(pieces))
        tools = draft(self.question.start).tools()
        looks = {gap: tool.look for tool in tools for gap in left if gap in tool.places}
        choices = tuple(Choice(gap, f"fill {gap}", looks[gap], (gap,)) for gap in left)
        return Offer(f"Choose a gap: {number} to fill", choices)

    def mark(self, picked: Sequence[str]) -> tuple[Ghost, ...]:
        """Shows what lies in the gaps while it is no position yet."""
        palette = self.question.palette
        icons = {(gap, piece.id): piece.icon for gap in self.filled for piece in palette(gap)}
        filled = tuple(_ghost(gap, piece, icons[gap, piece]) for gap, piece in self.filled.items())
        # What has no picture of its own is chosen by buttons, so its place is marked.
        asked = (gap for gap in picked if not any(piece.icon for piece in palette(gap)))
        return (*filled, *(Ghost(gap, "single", "?") for gap in asked))


def _offer_piece(gap: str, piece: Piece) -> Choice:
    look: clicks.Look = "ghost" if piece.icon else "button"
    return Choice(f"{gap}={piece.id}", piece.label, look, (gap,), f"{gap}={piece.id}", piece=piece.icon, turns=True)


def _ghost(gap: str, piece: str, icon: str) -> Ghost:
    if icon:
        return Ghost(gap, "tile", "", piece=icon, turns=True)
    return Ghost(gap, "double" if piece == "double" else "single", "")
