"""house: which tile of Aquädukt goes where after a roll, by exact expectation over the rolls that may follow.

The position is a moment at which the die has named a region, `… : roll, die 7`. What is asked is a small study: the
player puts a tile there or declines, goes on with the turn as the rules allow, where at each roll every region with a
free square is equally likely (section 3), and after the turn lays up to `horizon` canals before anybody else moves.
The value is the expectation, with best decisions, of the points of the player's watered tiles then, less those of all
others together. A game that ends with the turn leaves no time for canals.

An attempt is the rest of the turn, as far as the solver has thought: `3 e4`, or `3 e4, stop`. What is left open is done
as well as possible. If it goes on after a roll, each decision counts by what it gives away. An answer is the tile and
its square, or `decline`.

All of it is looked at, in whole numbers and fractions. Houses never stand in the way of canals, so every layout of
canals is listed once, and a board is worth what the layout that suits it best makes of it.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.kernel import ROLLS
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.boards import LAYOUTS
from aquakit.aquadukt.puzzles.canal_layouts import SECONDS, name_others, net_points
from aquakit.aquadukt.puzzles.house_study import Number, Study, TooWide, say, study, tidy
from aquakit.board.claims import signed
from aquakit.core.options import Tell
from aquakit.core.words import count
from aquakit.engine.bots import GreedyBot
from aquakit.errors import IllegalTurn, InvalidTurn, contradiction
from aquakit.puzzle import answers, trying
from aquakit.puzzle.model import LINE, Answer, Proof, Puzzle, say_number
from aquakit.puzzle.protocol import Kind, Place
from aquakit.training.verdict import Verdict

MANY_REGIONS = 10
"""Where so many regions can be rolled, a turn's first roll opens too much to be looked at by a person."""
FITTING = ("wait-for-the-die", "lowest-first", "mountain", "dry-house", "last-house", "contested-house")
"""The themes that hints are about, the most telling first."""


def _read(puzzle: Puzzle) -> Position:
    """Gets the moment that a puzzle asks about; what cannot be asked like that is a PuzzleError."""
    start = puzzle.start
    if not isinstance(start, Position) or start.phase != "house":
        raise puzzle.error("position", "no roll of Aquädukt is to be used", "a moment like … : roll, die 7")
    if puzzle.horizon > start.canals_left:
        raise puzzle.error("horizon", str(puzzle.horizon), f"0 … {start.canals_left}, the canals left")
    if puzzle.given:
        raise puzzle.error("given", ", ".join(puzzle.given), "nothing, for position and horizon say all")
    return start


def _study(puzzle: Puzzle, stop: threading.Event | None = None) -> Study:
    """Gets the study that a puzzle asks for, which may take some seconds."""
    start = _read(puzzle)
    try:
        return study(start, puzzle.horizon, stop)
    except TooWide:
        raise puzzle.error("position", "has too much to look at", "fewer canals, or a later roll of the turn") from None


# Attempts


class PlayedDecisions(NamedTuple):
    """Decisions made by the rules."""

    value: Number
    """The expectation, less what each decision gave away."""
    after: Position
    laid: int | None
    """The canals laid after the turn; none if that was not said."""


def _read_decision(start: Position, text: str) -> Action | None:
    """Gets the decision that an attempt consists of; nothing if it goes on after it."""
    actions = Turn.parse(text.partition(LINE.strip())[0])
    if len(actions) != 1 or LINE.strip() in text:
        return None
    start.act(actions[0])
    return actions[0]


def _follow(asked: Study, puzzle: Puzzle, text: str) -> PlayedDecisions:
    """Plays the rest of a turn, as far as it is given, and the turns of canals after it."""
    turn, *more = text.split(LINE.strip())
    position, value = asked.position, asked.best
    actions = Turn.parse(turn)
    if not actions:
        raise InvalidTurn("attempt", "is empty", "a tile like 3 e4, or decline")
    for action in actions:
        if asked.is_over(position.state):
            raise IllegalTurn(str(action), "the turn is complete before it")
        before, position = asked.value(position.state), position.act(action)
        if action.what != "die":
            value -= before - asked.value(position.state)
    if not more:
        return PlayedDecisions(tidy(value), position, None)
    if not asked.is_over(position.state):
        raise IllegalTurn(turn.strip(), "the turn is not complete", "its last action before the canals")
    at_best, laid = asked.end(position.state), 0
    for canals in map(Turn.parse, more):
        for action in canals:
            laid += action.what == "canal"
            if action.what not in ("canal", "stop") or laid > puzzle.horizon:
                problem = f"only {count(puzzle.horizon, 'canal')} may follow the turn"
                raise IllegalTurn(str(action), problem, "canals like canal 3.5h")
        position = position.play(canals)
    value -= at_best - net_points(position.scores(), asked.player, alone=False)
    return PlayedDecisions(tidy(value), position, laid)


# The kind


class HouseKind(Kind):
    """Puzzles of houses after a roll."""

    name = "house"
    shares_step = False
    most_answers = 1
    least_margin = Fraction(1, 4)

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        start = _read(puzzle)
        who, rolls = player_name(start.state.player + 1), ROLLS - start.rolls
        said = [f"The die shows {start.die}: {who} puts a tile there or declines"]
        if rolls:
            said[0] += ", which ends the turn"
            said += [f"After a tile, up to {count(rolls, 'more roll')} may follow in this turn"]
        if puzzle.horizon:
            said += [f"After the turn {who} lays up to {count(puzzle.horizon, 'canal')} before anybody else moves"]
        aim = f"the watered houses of {who}, less {name_others(start)}, count the most"
        mean = " on average" if rolls else ""
        return f"{'. '.join(said)}. Which tile, and where, makes {aim}{mean}?"

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves what each decision is worth by looking at all that can follow."""
        asked = _study(puzzle)
        best, line = asked.best, asked.line(asked.position)
        accepted = sorted(token for token, value in asked.options.items() if value == best)
        lower = [value for value in asked.options.values() if value < best]
        agreed = "; CP-SAT agrees on the line's canals" if self._agrees(puzzle, asked, line) else ""
        layouts = f"{count(len(asked.layouts), 'different layout')} of up to {count(puzzle.horizon, 'canal')}"
        return Proof(
            tidy(best),
            tuple(accepted),
            tidy(best - max(lower)) if lower else None,
            line,
            "exhaustive",
            f"{count(asked.moments, 'moment')}, {layouts}{agreed}",
        )

    def _agrees(self, puzzle: Puzzle, asked: Study, line: str) -> bool:
        """Lets CP-SAT find the canals at the end of a line too, if there are any to lay."""
        end = asked.position.play(line.split(LINE)[0])
        if end.is_over or not puzzle.horizon:
            return False
        plan = plan_canals(end, canals=puzzle.horizon, player=asked.player, seconds=SECONDS)
        if plan.proved and plan.value != asked.end(end.state):
            claim = f"all canals looked at, {asked.end(end.state)} is the best"
            raise contradiction(f"{puzzle.id}: {end}", claim, f"cpsat proves {plan.value}")
        return plan.proved

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges decisions by their exact expectation."""
        start = _read(puzzle)
        decision = _read_decision(start, attempt)
        if decision is not None and answer is not None and self.accepts(puzzle, attempt, answer.accepted):
            line = answers.go_on(start, (decision,), answer.line)
            return Verdict(True, self._say(start, puzzle.value, 0), puzzle.value, 0, line)
        if tell is not None:
            tell("looking at all rolls and canals that can follow")
        asked = _study(puzzle, stop)
        made = _follow(asked, puzzle, attempt)
        loss = tidy(puzzle.value - made.value)
        refutation = asked.line(made.after) if made.laid is None else ""
        return Verdict(loss <= 0, self._say(start, made.value, loss), made.value, loss, refutation)

    def _say(self, start: Position, value: Number, loss: Number) -> str:
        words = f"worth {say(value)}{' on average' if start.rolls < ROLLS else ''}"
        return f"{words}, {say(loss)} less than possible" if loss > 0 else f"{words}, and more is not possible"

    def worth(self, puzzle: Puzzle, line: str) -> Number:
        """Plays a whole turn and the canals after it by the rules; gets the value less what its decisions give away."""
        asked = _study(puzzle)
        made = _follow(asked, puzzle, line)
        if not asked.is_over(made.after.state):
            raise IllegalTurn(line, "the turn is not complete", "a whole turn")
        return made.value

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether an attempt begins with the decision that an answer names."""
        decisions = Turn.parse(attempt.split(LINE.strip())[0])
        return bool(decisions) and str(decisions[0]) == answer

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the houses."""
        value = proof.value
        net = say_number(value) if isinstance(value, Fraction) else signed(value)
        return f"Net houses {net}{' on average' if ' roll' in proof.line else ''}"

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that the decision after a roll is about."""
        return FITTING

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the tile, then at its square."""
        answer = Turn.parse(proof.accepted[0])[0]
        if answer.what == "decline":
            yield "See what every tile would lose here."
            yield "Put nothing there."
        else:
            yield f"A tile of {count(answer.value, 'house')} is right."
            yield f"It belongs on {answer.square}."

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets greedy try, and those who think of no canals, of one, … but not of all."""
        yield trying.try_greedily(puzzle.start)
        for canals in range(puzzle.horizon):
            options = study(_read(puzzle), canals).options
            yield [token for token, value in options.items() if value == max(options.values())]

    def layouts(self) -> tuple[str, ...]:
        """Lists all boards."""
        return LAYOUTS

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks what to build after the rolls of the turn, and after one more where the turn may go on."""
        for moment in _rolls(place, draw):
            if moment.rolls > 1 or len(moment.layout.regions) < MANY_REGIONS:
                found = candidate(moment, draw.choice((1, 2, 2, 3)))
                if found is not None:
                    yield found


KIND = HouseKind()


# Candidates


def candidate(position: Position, canals: int = 2) -> Puzzle | None:
    """Makes a puzzle, not yet proved, of a moment after a roll: it matters what is built, and greed builds another."""
    if position.phase != "house" or position.canals_left < canals:
        return None
    try:
        options = study(position, canals).options
    except TooWide:
        return None
    greedy = str(GreedyBot().decide(position.view())[0])
    if options[greedy] == max(options.values()):
        return None
    return Puzzle.draft("house", position, canals)


def _rolls(place: Place, draw: random.Random) -> Iterator[Any]:
    """Goes through the moments after each roll of the turn, and after a further one if the bot stopped before it."""
    moment: Any = place.position
    for token in place.made.split(", "):
        if token == "stop" and moment.phase == "again":
            moment = moment.act("roll")
            yield moment.act(draw.choice(moment.actions()))
        if token == "stop":
            return
        moment = moment.act(token)
        if token.startswith("die "):
            yield moment
