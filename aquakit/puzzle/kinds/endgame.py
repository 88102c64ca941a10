"""endgame: the best turn when the game is played to its end, against best replies.

`horizon` is 0. The value is the final margin of the player to move over the best other player. With more than two
players it is what the player can be sure of, whatever the others do. All is proved as in `duel`, to the end of every
line.
"""

from __future__ import annotations

from aquakit.puzzle.kinds.duel import MatchKind
from aquakit.puzzle.model import Puzzle
from aquakit.romana.board.clicks import name_colours
from aquakit.romana.position import Position


class EndgameKind(MatchKind):
    """Puzzles to the end of the game."""

    name = "endgame"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = self._read(puzzle)
        who = name_colours(start.layout, start.mover or 1)
        against = "against best replies" if len(start.layout.players) == 2 else "whatever the others do"
        return f"{who} is to move. Which turn leads to the best margin at the end of the game, {against}?"

    def _check(self, puzzle: Puzzle, start: Position) -> None:
        if puzzle.horizon != 0:
            raise puzzle.error("horizon", str(puzzle.horizon), "0, for the game is played to its end")

    def _when(self, puzzle: Puzzle) -> str:
        return "at the end of the game"


KIND = EndgameKind()
