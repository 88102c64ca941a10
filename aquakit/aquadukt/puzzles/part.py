"""What Aquädukt tells puzzles of whatever kind: themes, boards, ways of answering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aquakit.aquadukt.puzzles.words import THEMES
from aquakit.core.position import AnyPosition
from aquakit.puzzle.answering import Answering
from aquakit.puzzle.model import Proof, Puzzle
from aquakit.puzzle.protocol import GamePart, Mark

SMALL_BOARD = "6x5"
"""How the name of the smallest layout ends."""


class AquaduktPart(GamePart):
    """Aquädukt's part in puzzles."""

    themes = THEMES

    def can_match(self, position: AnyPosition) -> bool:
        """Refuses: the die has its say."""
        return False

    def say_board(self, layout: str) -> str:
        """Names the small board."""
        return "in the small valley" if layout.endswith(SMALL_BOARD) else ""

    def find_themes(self, puzzle: Puzzle, proof: Proof) -> frozenset[str]:
        """Finds the themes by the predicates of the puzzle's kind."""
        from aquakit.aquadukt.puzzles.themes import find_in_line

        return find_in_line(puzzle, proof)

    def find_way(self, puzzle: Puzzle) -> Answering | None:
        """Gets how canals and houses are chosen."""
        from aquakit.aquadukt.puzzles.answering import WAYS

        way = WAYS.get(puzzle.kind)
        return way(puzzle) if way else None

    def variant(self, layout: Any) -> Mapping[str, Any]:
        """Hides events in the mountains, where there are any."""
        return {"events": True} if layout.events else {}

    def marks(self, position: AnyPosition, kind: str) -> frozenset[Mark]:
        """Collects houses, mountains, springs and canals."""
        from aquakit.aquadukt.puzzles.likeness import find_marks

        return find_marks(position)  # type: ignore[arg-type]

    def named(self, puzzle: Puzzle, accepted: Iterable[str]) -> frozenset[Mark]:
        """Collects the squares and segments that answers name."""
        from aquakit.aquadukt.puzzles.likeness import find_named

        return find_named(accepted)


PART = AquaduktPart()
