"""duel: the best turn when some turns are taken, against best replies of the other of two players.

`horizon` is the number of turns, the player's own among them. Then all is scored as at the end of the game, the turn
that ended last being the last one, and the value is the margin of the player to move. An attempt is a turn. What others
decide at its end, such as the builder that a rival picks who was walled in, is no part of the attempt, may be left out,
and is judged as the best reply. All is proved by alpha-beta search over single actions; `endgame` does the same to the
end of the game. What only the game can say, such as which tokens decide, it is asked for (`protocol.GamePart`).
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from aquakit.board.claims import signed
from aquakit.core.options import Tell
from aquakit.core.plugins import game_names
from aquakit.core.position import AnyPosition
from aquakit.core.words import count, join
from aquakit.engine.search.alphabeta import FAR
from aquakit.engine.solve import LONGEST, Solution, Solver, Stopped, solve
from aquakit.engine.weigh import lead_of
from aquakit.puzzle import answers, trying
from aquakit.puzzle.answering import MatchAnswering
from aquakit.puzzle.model import LINE, Answer, Proof, Puzzle, PuzzleError
from aquakit.puzzle.protocol import QUICK, Kind, Place, find_part, part_of
from aquakit.training.verdict import JudgingStopped, Verdict

SETUP = "setup"
"""The phase before the first turn, in games that have one."""
SECONDS = 60.0
"""How long a proof may take."""


class MatchKind(Kind):
    """What is common to the puzzles of a game between players."""

    answering = MatchAnswering

    def _read(self, puzzle: Puzzle) -> AnyPosition:
        """Gets the position that is asked about."""
        start = puzzle.start
        waits = start.is_over or start.played or start.phase == SETUP
        if waits or not part_of(start).can_match(start):
            expected = "the start of a turn in a game of several players without dice"
            raise puzzle.error("position", "is not the start of a turn in which a rival can answer", expected)
        if puzzle.given:
            raise puzzle.error("given", ", ".join(puzzle.given), "nothing, for position and horizon say all")
        self._check(puzzle, start)
        return start

    def _check(self, puzzle: Puzzle, start: AnyPosition) -> None:
        """Checks what is special to the kind."""
        raise NotImplementedError

    def _when(self, puzzle: Puzzle) -> str:
        """Says when points are counted."""
        raise NotImplementedError

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the value, the turns that keep it against all replies, and what all others fall short by."""
        try:
            return MatchSearch(self._read(puzzle), puzzle.horizon, SECONDS).prove()
        except Stopped:
            raise self._too_long(puzzle) from None

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges a turn by what the player's own decisions in it are worth, and shows the best replies."""
        start = self._read(puzzle)
        own, moment = answers.decide(start, attempt)
        if answer is not None and self.accepts(puzzle, attempt, answer.accepted):
            value, line = puzzle.value, answers.go_on(start, own, answer.line)
        else:
            try:
                value, line = MatchSearch(start, puzzle.horizon, SECONDS, stop, tell).judge(moment)
            except Stopped:
                raise JudgingStopped if stop is not None and stop.is_set() else self._too_long(puzzle) from None
        loss = puzzle.value - value
        words = f"a margin of {signed(int(value))} {self._when(puzzle)}"
        words = f"{words}: more is not possible" if loss <= 0 else f"at best {words}, {loss} less than possible"
        return Verdict(loss <= 0, words + _tell_picks(moment, line), value, loss, line)

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Plays a line through the rules and gets the margin at its end."""
        start = position = self._read(puzzle)
        turns = line.split(LINE)
        last = me = start.mover or 1
        for turn in turns:
            last, position = position.mover or last, position.play(turn)
        if not position.is_over:
            if len(turns) != puzzle.horizon:
                expected = f"{count(puzzle.horizon, 'turn')}, or the end of the game" if puzzle.horizon else "its end"
                raise PuzzleError(f"{puzzle.id}: line", f"{count(len(turns), 'turn')} and the game goes on", expected)
            return int(lead_of(position.room("board.why").standing(position, last), me))
        return int(lead_of(position.scores(), me))

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a turn contains an answer's tokens; whatever others pick in it is as good an answer."""
        own, moment = answers.decide(self._read(puzzle), attempt.split(LINE)[0])
        rest = next(moment.turns()) if moment.played else ()
        return answers.contains([str(action) for action in (*own, *rest)], answers.read(answer))

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that the deciding step may be about, as the game says."""
        return part_of(puzzle.start).fitting(puzzle, proof)

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the turn, as the game says."""
        return part_of(puzzle.start).hints(puzzle, proof)

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the margin."""
        return f"A margin of {signed(int(proof.value))} {self._when(puzzle)}"

    def layouts(self) -> tuple[str, ...]:
        """Lists the layouts that the games name."""
        return tuple(layout for game in game_names() for layout in find_part(game).layouts(self.name))

    def _name(self, position: AnyPosition) -> str:
        """Names the player to move."""
        return _name(position, position.mover or 1)

    def _too_long(self, puzzle: Puzzle) -> PuzzleError:
        return puzzle.error("position", f"nothing was proved in {SECONDS:.0f} s", "fewer turns, or a later position")


class DuelKind(MatchKind):
    """Puzzles of two players for some turns."""

    name = "duel"
    least_margin = Fraction(2)

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = self._read(puzzle)
        who, turns = self._name(start), count(puzzle.horizon, "turn")
        scored = "is taken" if puzzle.horizon == 1 else "are taken in all"
        end = "then all is scored as at the end of the game, with bonuses"
        return f"{who} is to move. {turns} {scored}; {end}. Which turn leads to the best margin against best replies?"

    def _check(self, puzzle: Puzzle, start: AnyPosition) -> None:
        players = len(start.scores())
        if players != 2:
            raise puzzle.error("position", f"has {players} players", "two players")
        if puzzle.horizon < 1:
            raise puzzle.error("horizon", "0", "a number of turns")

    def _when(self, puzzle: Puzzle) -> str:
        return f"after {count(puzzle.horizon, 'turn')}"

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets greedy try, and those who look some turns ahead, but not far enough."""
        yield trying.try_greedily(puzzle.start)
        yield from trying.try_short_sight(puzzle.start, puzzle.horizon)

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks for the best turn of a few, if the exact search finds it soon."""
        turns = draw.choice(part_of(place.position).horizons(place.position.layout))
        found = solve(place.position, turns=turns, seconds=QUICK)
        if found.proved and agree(found):
            yield Puzzle.draft(self.name, place.position, turns)


def agree(found: Solution) -> bool:
    """Checks whether all best turns have some step in common."""
    first, *others = ([str(action) for action in turn] for turn in found.turns)
    return bool(set(first).intersection(*others))


def _name(position: AnyPosition, player: int) -> str:
    name: str = position.room("board.why").name(position.layout, player)
    return name


def _tell_picks(moment: AnyPosition, line: str) -> str:
    """Says what others pick at the end of the attempt, as the line goes on."""
    picks, part = list[str](), part_of(moment)
    for action in moment.turn_type.parse(line.split(LINE)[0]) if moment.played else ():
        picks.append(f"{_name(moment, moment.player or 1)} {part.say_reply(action)}")
        moment = moment.act(action)
    return f"; in this turn {join(picks)}, the best reply" if picks else ""


# The search


class MatchSearch:
    """A game on the exact search: what moments are worth for the player to move at its start."""

    def __init__(
        self,
        start: AnyPosition,
        turns: int,
        seconds: float,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> None:
        """Prepares a search to the end of so many turns or, with none, of the game."""
        self.start, self.me = start, start.mover or 1
        self._turns, self._solver, self._tell = turns, Solver(start, stop), tell
        self._seconds: float | None = seconds

    def _search(self, moment: AnyPosition) -> int:
        """Gets what a moment is worth."""
        value = 0
        for horizon in [self._turns] if self._turns else range(1, LONGEST):
            if self._tell is not None:
                self._tell(
                    f"looking {count(horizon, 'turn')} ahead, {count(self._solver.positions, 'position')} so far"
                )
            self._begin(horizon)
            value = self._worth(moment)
            if not self._solver.reached_horizon:
                break
        if not self._turns:  # worse turns than the best ones may lead further
            self._begin(LONGEST)
            value = self._worth(moment)
        return value

    def _begin(self, horizon: int) -> None:
        self._until = self.start.state.ended + horizon
        self._solver.begin(self.me, self._until, self._seconds)
        self._seconds = None  # the clock goes on

    def _worth(self, moment: AnyPosition, low: float = -FAR, high: float = FAR) -> int:
        """Gets a moment's value, exact between two bounds; the turn that ended last is the player's own."""
        return int(self._solver.value(moment, self.me, low, high))

    def prove(self) -> Proof:
        """Proves which turns are best, and by how much."""
        value = self._search(self.start)

        def keeps(before: AnyPosition, after: AnyPosition) -> bool:
            """Tells whether a decision keeps the value; what others decide does not count against the player."""
            return before.player != self.me or self._worth(after, value - 1, value) >= value

        made = answers.sort_turns(self.start, keeps)
        margin = self._margin(value, [after for _, after in made.lost]) if made.lost else None
        line = LINE.join(map(str, self._line(self.start, value)))
        searched = f"{count(len(made.turns), 'turn')}, {count(self._solver.positions, 'position')}"
        return Proof(value, made.compress(part_of(self.start).rank), margin, line, "exhaustive", searched)

    def _margin(self, value: int, moments: list[AnyPosition]) -> int:
        """Gets how much less than a value the best of some moments is worth."""
        low = -FAR
        for moment in moments:
            low = max(low, self._worth(moment, low, value))
        return value - int(low)

    def judge(self, moment: AnyPosition) -> tuple[int, str]:
        """Gets what the moment after the player's own decisions is worth, and the best line from there."""
        value = self._search(moment)
        return value, LINE.join(map(str, self._line(moment, value)))

    def _line(self, position: AnyPosition, value: int) -> Iterator[Any]:
        """Goes through a line in which everybody plays as well as possible; inside a turn, from its rest on."""
        while not position.is_over and position.state.ended < self._until:
            turn = next(self._solver.best_turns(position, self.me, value))
            yield position.turn_type(turn)
            position = position.play(turn)


KIND = DuelKind()
