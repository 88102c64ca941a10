"""What Aqua Romana tells puzzles of whatever kind: who and what is named how, themes, hints, boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aquakit.core.position import AnyPosition
from aquakit.puzzle.answering import Answering
from aquakit.puzzle.model import Proof, Puzzle
from aquakit.puzzle.protocol import GamePart, Mark
from aquakit.romana.board.clicks import name_builder
from aquakit.romana.puzzles import turns
from aquakit.romana.puzzles.boards import LAYOUTS, OF_TWO
from aquakit.romana.puzzles.words import THEMES

BOARDS = {"5x4": "on the small board", "7x6": "on the teaching board"}
"""How a board is named, by the end of its layout's name."""
HORIZONS = {5: (3, 4, 5), 7: (2, 3, 4)}
"""The numbers of turns that are asked about, by the board's columns."""
LAST_TURNS = {5: 12, 7: 7}
"""So many turns before the end, by the board's columns, some games can be searched to their end soon."""


class RomanaPart(GamePart):
    """Aqua Romana's part in puzzles."""

    themes = THEMES

    def can_match(self, position: Any) -> bool:
        """Checks that nobody moves alone [S1]."""
        return not position.is_solo

    def say_reply(self, action: Any) -> str:
        """Says which builder a rival who is walled in picks (section 5, step 8)."""
        return f"picks the {name_builder(action.builder)}"

    def rank(self, token: str) -> int:
        """Gets how early a token comes among those that decide."""
        return turns.rank(token)

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that the deciding step may be about."""
        return turns.find_fitting(puzzle, proof)

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the deciding steps of a turn."""
        return turns.hint_at_turn(puzzle, proof)

    def say_board(self, layout: str) -> str:
        """Names the small boards."""
        return next((words for end, words in BOARDS.items() if layout.endswith(end)), "")

    def find_themes(self, puzzle: Puzzle, proof: Proof) -> frozenset[str]:
        """Finds the themes by the predicates of the puzzle's kind."""
        from aquakit.romana.puzzles import themes, themes_studies

        match puzzle.kind:
            case "longest":
                return themes_studies.find_in_tiles(puzzle, proof)
            case "timing":
                return themes_studies.find_in_closings(puzzle, proof)
        return themes.find_in_turns(puzzle, proof)

    def find_way(self, puzzle: Puzzle) -> Answering | None:
        """Gets how tiles and schedules are entered; whole turns are answered as everywhere."""
        from aquakit.romana.puzzles.answering import WAYS

        way = WAYS.get(puzzle.kind)
        return way(puzzle) if way else None

    def layouts(self, kind: str) -> tuple[str, ...]:
        """Lists the boards: for a duel those of two players."""
        return OF_TWO if kind == "duel" else LAYOUTS

    def horizons(self, layout: Any) -> Sequence[int]:
        """Lists the numbers of turns that are asked about."""
        return HORIZONS.get(layout.columns, super().horizons(layout))

    def last_turns(self, layout: Any) -> int:
        """Gets how many turns before its end a game can be searched to its end soon."""
        return LAST_TURNS.get(layout.columns, super().last_turns(layout))

    def variant(self, layout: Any) -> Mapping[str, Any]:
        """Lets players place the builders first."""
        return {"setup": True}

    def marks(self, position: AnyPosition, kind: str) -> frozenset[Mark]:
        """Collects segments of tiles, and builders where they matter."""
        from aquakit.romana.puzzles.likeness import find_marks

        return find_marks(position, kind)  # type: ignore[arg-type]

    def named(self, puzzle: Puzzle, accepted: Iterable[str]) -> frozenset[Mark]:
        """Collects the squares that answers name, and what the aqueducts in question face."""
        from aquakit.romana.puzzles.likeness import find_named

        return find_named(puzzle, accepted)


PART = RomanaPart()
