"""endgame: the best turn when the game is played to its end, against best replies.

`horizon` is 0. The value is the final margin of the player to move over the best other player. With more than two
players it is what the player can be sure of, whatever the others do. All is proved as in `duel`, to the end of every
line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from aquakit.core.position import AnyPosition
from aquakit.engine.solve import solve
from aquakit.puzzle import trying
from aquakit.puzzle.kinds.duel import MatchKind, agree
from aquakit.puzzle.model import Puzzle
from aquakit.puzzle.protocol import QUICK, Place, part_of


class EndgameKind(MatchKind):
    """Puzzles to the end of the game."""

    name = "endgame"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = self._read(puzzle)
        who = self._name(start)
        against = "against best replies" if len(start.scores()) == 2 else "whatever the others do"
        return f"{who} is to move. Which turn leads to the best margin at the end of the game, {against}?"

    def _check(self, puzzle: Puzzle, start: AnyPosition) -> None:
        if puzzle.horizon != 0:
            raise puzzle.error("horizon", str(puzzle.horizon), "0, for the game is played to its end")

    def _when(self, puzzle: Puzzle) -> str:
        return "at the end of the game"

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets greedy and small tree searches try."""
        yield trying.try_greedily(puzzle.start)
        yield from trying.try_small_searches(puzzle.start)

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks for the best turn of the game's last ones, if the exact search comes to its end soon."""
        if place.turns - place.turn > part_of(place.position).last_turns(place.position.layout):
            return
        found = solve(place.position, seconds=QUICK / 2)
        if found.proved and agree(found):
            yield Puzzle.draft(self.name, place.position, 0)


KIND = EndgameKind()
