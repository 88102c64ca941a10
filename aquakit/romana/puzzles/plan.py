"""plan: the most podium points that one player can make in some turns alone, in a study position [S1][S2].

`horizon` is the number of turns. An attempt is the first of them, a whole turn. The value is proved by the planner's
exact search, and again by CP-SAT where that comes to an end in time. Which first turns reach it, and what the best of
the others is worth, the search is asked decision by decision.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from aquakit.core.options import Tell
from aquakit.core.words import count
from aquakit.errors import contradiction
from aquakit.planning.plans import tell_bounds
from aquakit.puzzle import answers, trying
from aquakit.puzzle.model import LINE, Answer, Proof, Puzzle, say_number
from aquakit.puzzle.protocol import MOST_ANSWERS, QUICK, Kind, Place
from aquakit.romana.board.clicks import name_colours
from aquakit.romana.notation import Turn
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan.plan import plan
from aquakit.romana.planner.plan.witness import ask_second_witness
from aquakit.romana.planner.plan_question import PlanQuestion
from aquakit.romana.position import Position
from aquakit.romana.puzzles.boards import LAYOUTS, SMALL
from aquakit.romana.puzzles.turns import find_fitting, hint_at_turn, rank
from aquakit.training.verdict import JudgingStopped, Verdict

SECONDS = 60.0
"""How long the search may take."""
CPSAT_SECONDS = 60.0
"""How long CP-SAT may take to say the same."""
MANY = 1000
"""So many first turns of a shorter plan are listed."""


class PlanKind(Kind):
    """Puzzles of one player's turns alone."""

    name = "plan"
    witnesses = 2

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = _read(puzzle)
        turns = count(puzzle.horizon, "turn")
        who = name_colours(start.layout, start.state.player + 1)
        return f"{who} moves alone for {turns}. Which first turn leads to the most podium points after them?"

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the value, the first turns that reach it, and what all others fall short by."""
        start = _read(puzzle)
        best = plan(start, turns=puzzle.horizon, method="search", seconds=SECONDS)
        points = best.points
        if not best.proved or points is None:
            raise puzzle.error("horizon", f"nothing was proved in {best.seconds:.1f} s", "fewer turns")
        searcher, until = Searcher(best.question), start.state.ended + puzzle.horizon

        def reaches(moment: Position, wanted: int) -> bool:
            return bool(searcher.reaches(moment, until - moment.state.ended, wanted))

        made = answers.sort_turns(start, lambda _, after: reaches(after, points))
        if tuple(map(str, best.turns[0])) not in made.best:
            raise contradiction(
                best.question, f"search has {points} points by {best.turns[0]}", "then does not find them"
            )
        moments = [after for _, after in made.lost]
        lower = (less for less in range(points - 1, -1, -1) if any(reaches(moment, less) for moment in moments))
        margin = points - next(lower, 0) if moments else None
        second = ask_second_witness(best.question, best.proofs[0], CPSAT_SECONDS)
        return Proof(
            points,
            made.compress(rank),
            margin,
            LINE.join(map(str, best.turns)),
            "search+cpsat" if second.points == points else "search",
            f"{count(len(made.turns), 'first turn')}, decision by decision",
        )

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges a first turn by the best plan that begins with it."""
        start = _read(puzzle)
        if answer is not None and self.accepts(puzzle, attempt, answer.accepted):
            line = answers.go_on(start, start.carry_out(attempt)[0], answer.line)
            return Verdict(True, self._say(puzzle, puzzle.value, 0), puzzle.value, 0, line)

        def hear(so_far: Any) -> None:
            if tell is not None:
                tell(tell_bounds(so_far.points, None, "points", so_far.compiling))

        found = plan(start, turns=puzzle.horizon, first=Turn.parse(attempt), stop=stop, on_progress=hear)
        if not found.proved or found.points is None:
            raise JudgingStopped
        loss = puzzle.value - found.points
        line = LINE.join(map(str, found.turns[1:]))
        return Verdict(loss <= 0, self._say(puzzle, found.points, loss), found.points, loss, line)

    def _say(self, puzzle: Puzzle, points: int | Fraction, loss: int | Fraction) -> str:
        words = f"{count(int(points), 'podium point')} in {count(puzzle.horizon, 'turn')}"
        return f"{words}: more is not possible" if loss <= 0 else f"at best {words}, {loss} fewer than possible"

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Plays a plan through the rules and gets its points [S2]."""
        return PlanQuestion(_read(puzzle), puzzle.horizon).replay(map(Turn.parse, line.split(LINE)))

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a first turn contains an answer's tokens."""
        return answers.matches(puzzle.start, attempt, answer)

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the points."""
        return f"{say_number(proof.value)} podium points in {count(puzzle.horizon, 'turn')}"

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that the first turn's deciding step may be about."""
        return find_fitting(puzzle, proof)

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the first turn."""
        return hint_at_turn(puzzle, proof)

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets greedy try, and who begins a best plan of 1, 2, … turns, not enough of them."""
        start = _read(puzzle)
        yield trying.try_greedily(start)
        for turns in range(1, puzzle.horizon):
            found = plan(start, turns=turns, method="search").alternatives(whole=True, limit=MANY)
            yield trying.draw_some(found, turns)

    def layouts(self) -> tuple[str, ...]:
        """Lists all boards."""
        return LAYOUTS

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks for a plan of two to four turns of the player to move, if it is found soon and not by greed."""
        position: Any = place.position
        study = position.solo(position.mover)
        turns = draw.choice((2, 3, 4) if position.layout.columns == SMALL else (2, 3))
        found = plan(study, turns=turns, method="search", seconds=QUICK)
        if not found.proved or len(found.alternatives(method="search", seconds=QUICK)) > MOST_ANSWERS:
            return
        greedy = [plan(study, turns=turns, method="search", first=turn) for turn in set(trying.try_greedily(study))]
        if all(other.points != found.points for other in greedy):
            yield Puzzle.draft(self.name, study, turns)


def _read(puzzle: Puzzle) -> Position:
    """Gets the study position that is asked about."""
    start = puzzle.start
    if not isinstance(start, Position) or not start.is_solo or start.is_over or start.played:
        raise puzzle.error(
            "position", "is no study position at the start of a turn", "one player alone, such as 1! [S1]"
        )
    if puzzle.horizon < 1:
        raise puzzle.error("horizon", "0", "a number of turns")
    if puzzle.given:
        raise puzzle.error("given", ", ".join(puzzle.given), "nothing, for position and horizon say all")
    return start


KIND = PlanKind()
