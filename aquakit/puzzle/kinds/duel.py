"""duel: the best turn when some turns are taken, against best replies of the other of two players.

`horizon` is the number of turns, the player's own among them. Then open aqueducts are scored as at the end of the game,
beginning with the player whose turn ended last, and bonuses are added; the value is the margin of the player to move.
An attempt is a whole turn. Picks of the rival in it are the rival's: an attempt is best if the player's own decisions
are. All is proved by alpha-beta search over single actions; `endgame` does the same to the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from aquakit.claims import signed
from aquakit.engine.exact import FAR
from aquakit.engine.solve import LONGEST, Solver, Stopped
from aquakit.engine.weigh import lead_of
from aquakit.puzzle import answers
from aquakit.puzzle.kinds import LINE, Proof, Verdict
from aquakit.puzzle.model import Puzzle, PuzzleError
from aquakit.romana.clicks import name_colours
from aquakit.romana.notation import Turn
from aquakit.romana.position import Position
from aquakit.words import count

SECONDS = 60.0
"""How long a proof may take."""


class MatchKind:
    """What is common to the puzzles of a game between players."""

    name: str

    def _read(self, puzzle: Puzzle) -> Position:
        """Gets the position that is asked about."""
        start = puzzle.start
        if not isinstance(start, Position) or start.is_over or start.played or start.is_solo or start.phase == "setup":
            expected = "the start of a turn in a game of Aqua Romana"
            raise puzzle.error("position", "is not the start of a turn in which a rival can answer", expected)
        if puzzle.given:
            raise puzzle.error("given", ", ".join(puzzle.given), "nothing, for position and horizon say all")
        self._check(puzzle, start)
        return start

    def _check(self, puzzle: Puzzle, start: Position) -> None:
        """Checks what is special to the kind."""
        raise NotImplementedError

    def _when(self, puzzle: Puzzle) -> str:
        """Says when points are counted."""
        raise NotImplementedError

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the value, the turns that keep it against all replies, and what all others fall short by."""
        game = self._play(puzzle)
        try:
            return game.prove()
        except Stopped:
            raise self._too_long(puzzle) from None

    def judge(self, puzzle: Puzzle, attempt: str) -> Verdict:
        """Judges a turn by what the player's own decisions in it are worth, and shows the best replies."""
        game = self._play(puzzle)
        turn, _ = game.start.carry_out(attempt)
        try:
            value, line = game.judge(Turn(turn))
        except Stopped:
            raise self._too_long(puzzle) from None
        loss = puzzle.value - value
        words = f"a margin of {signed(value)} {self._when(puzzle)}"
        words = f"{words}: more is not possible" if loss <= 0 else f"at best {words}, {loss} less than possible"
        return Verdict(loss <= 0, value, loss, line, words)

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
            position = position.stopped(last)
        return int(lead_of(position.scores(), me))

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a turn contains an answer's tokens."""
        return answers.matches(puzzle.start, attempt, answer)

    def _play(self, puzzle: Puzzle) -> Match:
        start = self._read(puzzle)
        try:
            return Match(start, puzzle.horizon, SECONDS)
        except Stopped:
            raise self._too_long(puzzle) from None

    def _too_long(self, puzzle: Puzzle) -> PuzzleError:
        return puzzle.error("position", f"nothing was proved in {SECONDS:.0f} s", "fewer turns, or a later position")


class DuelKind(MatchKind):
    """Puzzles of two players for some turns."""

    name = "duel"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = self._read(puzzle)
        who, turns = name_colours(start.layout, start.mover or 1), count(puzzle.horizon, "turn")
        scored = "is taken" if puzzle.horizon == 1 else "are taken in all"
        end = "then all is scored as at the end of the game, with bonuses"
        return f"{who} is to move. {turns} {scored}; {end}. Which turn leads to the best margin against best replies?"

    def _check(self, puzzle: Puzzle, start: Position) -> None:
        if len(start.layout.players) != 2:
            raise puzzle.error("position", f"has {len(start.layout.players)} players", "two players")
        if puzzle.horizon < 1:
            raise puzzle.error("horizon", "0", "a number of turns")

    def _when(self, puzzle: Puzzle) -> str:
        return f"after {count(puzzle.horizon, 'turn')}"


class Match:
    """A game on the exact search: what moments are worth for the player to move at its start."""

    def __init__(self, start: Position, turns: int, seconds: float) -> None:
        """Finds the value of the start, after some turns or, with none, at the end of the game."""
        self.start, self.me = start, start.mover or 1
        self._solver = Solver(start)
        self._seconds: float | None = seconds
        for horizon in [turns] if turns else range(1, LONGEST):
            self._begin(horizon)
            self.value = self._worth(start, self.me)
            if not self._solver.reached_horizon:
                break
        if not turns:  # worse turns than the best ones may lead further
            self._begin(LONGEST)
            self.value = self._worth(start, self.me)

    def _begin(self, horizon: int) -> None:
        self._until = self.start.state.ended + horizon
        self._solver.begin(self.me, self._until, self._seconds)
        self._seconds = None  # the clock goes on

    def _worth(self, moment: Position, last: int, low: float = -FAR, high: float = FAR) -> int:
        """Gets a moment's value, exact between two bounds; `last` is whose turn ended last."""
        return int(self._solver.value(moment, last, low, high))

    def prove(self) -> Proof:
        """Proves which turns are best, and by how much."""
        made = answers.sort_turns(self.start, self._keeps)
        margin = self._margin([after for _, after in made.lost]) if made.lost else None
        line = LINE.join(map(str, self._line(self.start, self.me, self.value)))
        searched = f"{count(len(made.turns), 'turn')}, {count(self._solver.positions, 'position')}"
        return Proof(self.value, made.compress(), margin, line, "exhaustive", searched)

    def _keeps(self, before: Position, after: Position) -> bool:
        """Tells whether a decision keeps the value; what others decide does not count against the player."""
        return before.player != self.me or self._worth(after, self.me, self.value - 1, self.value) >= self.value

    def _margin(self, moments: list[Position]) -> int:
        """Gets how much less the best of some moments is worth."""
        low = -FAR
        for moment in moments:
            low = max(low, self._worth(moment, self.me, low, self.value))
        return self.value - int(low)

    def judge(self, turn: Turn) -> tuple[int, str]:
        """Gets what the player's own decisions of a turn are worth, and the best line after the whole turn."""
        moment = decided = self.start
        for action in turn:
            own = moment.player == self.me
            moment = moment.act(action)
            decided = moment if own else decided
        value = self._worth(decided, self.me)
        after = value if decided == moment else self._worth(moment, self.me)
        return value, LINE.join(map(str, self._line(moment, self.me, after)))

    def _line(self, position: Position, last: int, value: int) -> Iterator[Turn]:
        """Goes through a line in which everybody plays as well as possible."""
        while not position.is_over and position.state.ended < self._until:
            turn = next(self._solver.best_turns(position, self.me, value))
            yield Turn(turn)
            position = position.play(turn)


KIND = DuelKind()
