"""What puzzles ask of kinds and of games: the one list of what a kind must do, and of what a game may add.

A kind is a module named like it, whose `KIND` is a `Kind`: those of every game stand in `aquakit/puzzle/kinds`, those
of one game in the game's room `puzzles`, whose `KINDS` names them. A game's `puzzles/part.py` holds `PART`, a
`GamePart`; a game without it has what stands here.
"""

from __future__ import annotations

import random
import threading
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from aquakit.core import games
from aquakit.core.options import Tell
from aquakit.core.plugins import find_optional
from aquakit.core.position import AnyPosition
from aquakit.puzzle import trying
from aquakit.puzzle.answering import Answering
from aquakit.puzzle.answers import shared_tokens
from aquakit.puzzle.model import LINE, Answer, Proof, Puzzle, say_number
from aquakit.training.verdict import Verdict

GREED = "Greed plays"
MOST_ANSWERS = 3
"""So many accepted answers are still easy to tell."""
QUICK = 2.0
"""So many seconds a first look at a candidate may take; what takes longer would be slow to prove again."""
PHASES = ("early", "middle", "late")

Point = tuple[int, int]
Mark = tuple[str, frozenset[Point]]
"""Something that lies on the board, and its points in half squares from the south-west corner."""


class Place(NamedTuple):
    """The start of a turn in a game between bots."""

    position: AnyPosition
    turn: int
    """The number of the turn, from 1."""
    turns: int
    """How many turns the game had."""
    made: str
    """The turn that was played."""
    game: str
    """Which game it is, in words."""
    seed: int

    @property
    def phase(self) -> str:
        """The third of the game in which it is: early, middle or late."""
        return PHASES[3 * (self.turn - 1) // self.turns]

    @property
    def source(self) -> str:
        """The place in words, as a puzzle names where it comes from."""
        return f"{self.game}, turn {self.turn}"


class Theme(NamedTuple):
    """Something that puzzles teach, and what can be said about it before the answer is known."""

    about: str
    """A line for people."""
    ideas: tuple[str, ...]
    """Gentle hints; each of them is true wherever the theme is, and one is given."""
    titles: tuple[str, ...]


# Kinds


class Kind(Protocol):
    """What can be asked of a kind of puzzles; a kind that is derived from it has what is filled in here."""

    name: str
    other: str = GREED
    """How the explanation calls the attempt that it compares with."""
    answering: type[Answering] = Answering
    """How it is answered on a board, unless the puzzle's game has another way."""
    is_played: bool = True
    """Whether a line is made of whole turns."""
    is_guessed: bool = True
    """Whether an answer may be guessed where the first turn has few ways, so that the puzzle cannot be hard."""
    shares_step: bool = True
    """Whether all accepted answers of a puzzle that is made must have a token in common."""
    most_answers: int = MOST_ANSWERS
    """So many accepted answers a puzzle that is made may have."""
    witnesses: int = 1
    """So many methods must prove a puzzle that is made."""
    least_margin: Fraction = Fraction(1)
    """The least by which the best of a puzzle that is made must beat everything else."""

    # What is asked

    @abstractmethod
    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""

    @abstractmethod
    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves a puzzle from position, horizon and given alone; PuzzleError if that is not possible."""

    @abstractmethod
    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges a whole turn, or the kind's own answer text, against `puzzle.value`; typed error if illegal.

        What the file's `answer` accepts is right without any search. Whoever sets `stop` ends the work soon, by
        JudgingStopped; `tell` hears how far it has come.
        """

    @abstractmethod
    def worth(self, puzzle: Puzzle, line: str) -> int | Fraction:
        """Replays a full line by the rules and gets what it is worth; a typed error if it is illegal."""

    @abstractmethod
    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a legal attempt, or what a full line begins with, is among those that an answer stands for."""

    def accepts(self, puzzle: Puzzle, attempt: str, accepted: Iterable[str]) -> bool:
        """Checks whether a legal attempt is among those that some answers stand for."""
        return any(self.matches(puzzle, attempt, answer) for answer in accepted)

    # What is told

    @abstractmethod
    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says what the best is worth, as the beginning of a sentence."""

    def say_margin(self, margin: int | Fraction) -> str:
        """Says what all else is worth, as the end of that sentence."""
        return f"everything else gets at least {say_number(margin)} less"

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that what decides may be about, the most telling first; none if it can be any."""
        return ()

    @abstractmethod
    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Gives plain hints, the gentler one first; the last names a place, a piece or a step."""

    # How hard it is

    @abstractmethod
    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets simple solvers try: one list of attempts for each of them, the weakest first."""

    def count_misses(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts the solvers who fail, each by the share of its tries."""
        return sum(self._count_wrong(puzzle, proof, tries) / len(tries) for tries in self.tries(puzzle))

    def _count_wrong(self, puzzle: Puzzle, proof: Proof, tries: list[str]) -> int:
        return sum(not self.accepts(puzzle, text, proof.accepted) for text in tries)

    def count_bits(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts the binary decisions of the line."""
        return trying.count_ways(puzzle.start, proof.line)

    def find_obvious(self, puzzle: Puzzle) -> list[str]:
        """Lists what whoever does not think would answer."""
        return trying.try_greedily(puzzle.start)

    # Where puzzles come from

    @abstractmethod
    def layouts(self) -> tuple[str, ...]:
        """Lists the built-in layouts on which puzzles are made."""

    @abstractmethod
    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Makes candidates of a place in a game, not yet proved, if a quick look finds them worth it."""


# Games


class GamePart:
    """What a game tells puzzles, beside its own kinds; all of it can be left as it is here."""

    themes: Mapping[str, Theme] = {}
    """What the game's puzzles teach, the more telling themes first."""

    # Turns against rivals, for the kinds of every game

    def can_match(self, position: AnyPosition) -> bool:
        """Checks whether rivals can answer here, and no dice: what a search of single actions proves exactly."""
        return True

    def say_reply(self, action: Any) -> str:
        """Says what a rival decides at the end of the solver's turn, such as "picks the joker"."""
        return f"plays {action}"

    def rank(self, token: str) -> int:
        """Gets how early a token comes among those that decide a turn, from 0."""
        return 0

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that the deciding step of a turn may be about; none if it can be any."""
        return ()

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Gives plain hints at a turn."""
        yield "Look for the best reply to each of your turns."
        steps = shared_tokens(proof) or proof.line.split(LINE)[0].split(puzzle.start.turn_type.mark)
        action = puzzle.start.turn_type.read_action(steps[0].strip())
        yield f"What decides is {puzzle.start.room('board.telling').tell_action(puzzle.start, action)}."

    # Words

    def say_board(self, layout: str) -> str:
        """Names a board as the end of a title, such as "on the small board"; nothing if it is the usual one."""
        return ""

    def find_themes(self, puzzle: Puzzle, proof: Proof) -> frozenset[str]:
        """Finds the themes of a puzzle in its proof's line and answers."""
        return frozenset()

    # Boards

    def find_way(self, puzzle: Puzzle) -> Answering | None:
        """Gets how a puzzle is answered on a board; nothing if as its kind says, which is usually by a whole turn."""
        return None

    # Where puzzles come from

    def layouts(self, kind: str) -> tuple[str, ...]:
        """Lists the built-in layouts on which puzzles of a kind of every game are made."""
        return ()

    def horizons(self, layout: Any) -> Sequence[int]:
        """Lists the numbers of turns that are asked about on a board, such as can be proved soon."""
        return (2, 3)

    def last_turns(self, layout: Any) -> int:
        """Gets how many turns before its end a game can be searched to its end soon."""
        return 5

    def variant(self, layout: Any) -> Mapping[str, Any]:
        """Gets the options of `start` for the variant in which some games are played; none if there is no variant."""
        return {}

    def marks(self, position: AnyPosition, kind: str) -> frozenset[Mark]:
        """Collects what lies on a board and matters to a kind, so that it can be seen whether two are nearly alike."""
        return frozenset({(str(position), frozenset())})

    def named(self, puzzle: Puzzle, accepted: Iterable[str]) -> frozenset[Mark]:
        """Collects the places that answers name."""
        return frozenset((text, frozenset()) for text in accepted)


def find_part(game: str) -> GamePart:
    """Gets what a game tells puzzles.

    >>> find_part("romana").say_board("romana2-5x4")
    'on the small board'
    """
    room = find_optional(game, "puzzles.part")
    part: GamePart = GamePart() if room is None else room.PART
    return part


def part_of(position: AnyPosition) -> GamePart:
    """Gets what a position's game tells puzzles."""
    return find_part(games.game_of(position.layout).name)
