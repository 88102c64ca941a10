"""canals: the best canals of Aquädukt now, for one player's houses less all others', or for the player's alone.

`horizon` is the number of canals; all of them must be needed. `given` may name the `player`, who is otherwise the one
to move, and say `alone`. The value is what `aquakit.plan_canals` calls so: the points of the player's watered tiles
after the canals, less those of all others together, or alone. In whose turns the canals are laid does not matter;
meanwhile nobody rolls, builds or places a spring.

An attempt is the canals as tokens, in any order in which somebody may think of them: `canal 3.6v, canal 2.5h, canal
3.6v`; ` / ` may stand between turns. Fewer canals than asked for are judged by the best ones that can follow, unless
`stop` comes last. An answer leaves open at most one canal: `canal 3.6v, canal 3.6v, canal 2.5h or 3.4v`.

Every value, every set of best answers and every margin comes from looking at all layouts, and once more from CP-SAT.
"""

from __future__ import annotations

import random
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import log2
from typing import Any

from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.board.telling import tell_canal
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.puzzles.boards import LAYOUTS
from aquakit.aquadukt.puzzles.canal_layouts import (
    BestLayouts,
    CanalsAsked,
    look_at_all,
    look_closely,
    name_others,
)
from aquakit.board.claims import signed
from aquakit.core.options import Tell
from aquakit.core.words import capital, count, join
from aquakit.errors import IllegalTurn, InvalidTurn, MissingPackage, contradiction
from aquakit.puzzle import trying
from aquakit.puzzle.model import LINE, Answer, Proof, Puzzle
from aquakit.puzzle.protocol import Kind, Place
from aquakit.training.verdict import JudgingStopped, Reason, Verdict

MOST_BEST = 1000
"""So many equally good layouts can be told apart."""
OR = " or "
"""Stands between the segments of a canal that is left open."""
ALONE = 0.3
"""So often a made puzzle counts only the own houses."""
FITTING = ("double-canal", "all-watered", "mountain", "cut-off", "two-houses", "long-way", "two-arms")
"""The themes that hints are about, the most telling first."""

Canals = tuple[str, ...]
"""Segments by name, as often as a canal is laid on them."""


def _name_canals(question: CanalsAsked, found: BestLayouts) -> list[Canals]:
    """Names the canals of all best layouts."""
    names = question.position.layout.segment_names
    return [tuple(names[segment] for segment in laid.segments) for laid in found.best]


def is_best_set(puzzle: Puzzle, accepted: Iterable[str]) -> bool:
    """Checks whether answers stand for all best layouts and nothing else; fewer canals than asked for may be best."""
    asked = CanalsAsked.read(puzzle)
    best = {tuple(sorted(canals)) for canals in _name_canals(asked, look_closely(puzzle, asked))}
    return best == {tuple(sorted(canals.elements())) for answer in accepted for canals in expand(answer)}


# Answers


def compress(layouts: Iterable[Canals]) -> tuple[str, ...]:
    """Writes layouts as few answers, each with at most one canal left open.

    >>> compress([("3.6v", "2.5h"), ("3.6v", "3.4v"), ("1.1h", "1.1h")])
    ('canal 1.1h, canal 1.1h', 'canal 3.6v, canal 2.5h or 3.4v')
    """
    left, found = {tuple(sorted(canals)): canals for canals in layouts}, []
    while left:
        groups = defaultdict[Canals, dict[str, Canals]](dict)
        for canals in left:
            for i, segment in enumerate(canals):
                groups[canals[:i] + canals[i + 1 :]][segment] = canals
        fixed, rest = max(sorted(groups.items()), key=lambda group: len(group[1]))
        order = list(left[min(rest.values())]) if len(rest) == 1 else list(fixed)
        opened = [] if len(rest) == 1 else [OR.join(sorted(rest))]
        found.append(", ".join(f"canal {segment}" for segment in [*order, *opened]))
        for canals in rest.values():
            del left[canals]
    return tuple(sorted(found))


def expand(answer: str) -> Iterator[Counter[str]]:
    """Lists the layouts that an answer stands for."""
    tokens = [token.strip().removeprefix("canal ").split(OR) for token in answer.split(",")]
    fixed = [token[0] for token in tokens if len(token) == 1]
    opened = [token for token in tokens if len(token) > 1]
    for segment in opened[0] if opened else [None]:
        yield Counter([*fixed, *filter(None, [segment])])


@dataclass(frozen=True)
class LaidCanals:
    """Canals laid by the rules."""

    canals: Canals
    """In an order in which they can be laid."""
    after: Position
    is_final: bool
    """Whether no more canals are to follow."""

    @classmethod
    def read(cls, question: CanalsAsked, text: str) -> LaidCanals:
        """Reads canals and lays them, one player's turn after the other's, in an order in which that can be done."""
        actions = [action for turn in text.split(LINE.strip()) for action in Turn.parse(turn)]
        stopped = bool(actions) and actions[-1] == Action("stop")
        actions = [action for action in actions if action.what != "stop"]
        for action in actions:
            if action.what != "canal":
                raise IllegalTurn(str(action), "only canals are asked for", "canals like canal 3.5h")
        if not actions and not stopped:
            raise InvalidTurn("attempt", "is empty", "canals like canal 3.5h, joined by commas")
        if len(actions) > question.canals:
            extra = str(actions[question.canals])
            raise IllegalTurn(extra, f"is one too many: {count(question.canals, 'canal')} may be laid")
        actions, after = arrange(question.position, actions)
        is_final = stopped or len(actions) == question.canals
        return cls(tuple(action.segment for action in actions), after, is_final)


def arrange(position: Position, actions: Sequence[Action]) -> tuple[list[Action], Position]:
    """Lays canals in an order that the rules allow, and gets that order; arms are the same in every such one."""
    rest, order = list(actions), list[Action]()
    while rest:
        legal = position.actions()
        action = next((action for action in rest if action in legal), rest[0])
        position = position.act(action)
        rest.remove(action)
        order.append(action)
    return order, position


def lay(position: Position, actions: Sequence[Action]) -> Position:
    """Lays canals in an order that the rules allow."""
    return arrange(position, actions)[1]


def write_line(position: Position, actions: Iterable[Action | str]) -> str:
    """Writes actions as whole turns, whoever's they are; the last one ends with `stop` where it must."""
    turns, turn = list[str](), list[str]()
    for action in actions:
        position = position.act(action)
        turn.append(str(action))
        if not position.played:
            turns.append(", ".join(turn))
            turn = []
    return LINE.join([*turns, ", ".join([*turn, "stop"])] if turn else turns)


# The kind


class CanalsKind(Kind):
    """Puzzles of canals."""

    name = "canals"
    witnesses = 2
    other = "Who always lays the best next one has"
    is_guessed = False
    shares_step = False
    most_answers = 1

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        asked = CanalsAsked.read(puzzle)
        whose = "" if asked.alone else f", less {name_others(asked.position)},"
        aim = f"the watered houses of {player_name(asked.player)}{whose} count the most"
        canals = f"{count(asked.canals, 'canal')}, one after another," if asked.canals > 1 else "1 canal"
        return f"Lay {canals} so that {aim}. Nobody does anything else meanwhile."

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the value, all best layouts and the margin by looking at all layouts, and again by CP-SAT."""
        asked = CanalsAsked.read(puzzle)
        found = look_closely(puzzle, asked)
        least = min(len(laid.segments) for laid in found.best)
        if least < asked.canals:
            problem = f"{count(least, 'canal')} can do as well as {asked.canals}"
            raise puzzle.error("horizon", problem, str(least) if least else "a position in which canals pay")
        layouts = _name_canals(asked, found)
        self._compare(puzzle, asked, found.value, layouts)
        assert found.second is not None  # without the last canal it is less
        best = min(layouts, key=lambda canals: (sorted(canals), canals))
        equal = count(len(layouts), "layout")
        return Proof(
            found.value,
            compress(layouts),
            found.value - found.second,
            write_line(asked.position, [f"canal {segment}" for segment in best]),
            "exhaustive+cpsat",
            f"{count(found.seen, 'layout')} of up to {count(asked.canals, 'canal')}; CP-SAT finds the same {equal}",
        )

    def _compare(self, puzzle: Puzzle, asked: CanalsAsked, value: int, layouts: list[Canals]) -> None:
        """Lets CP-SAT find the best layouts too."""
        if len(layouts) > MOST_BEST:
            raise puzzle.error("position", f"has {count(len(layouts), 'best layout')}", f"at most {MOST_BEST}")
        plan = asked.plan(asked.position, asked.canals)
        if not plan.proved:
            raise puzzle.error("horizon", f"CP-SAT proves nothing in {plan.seconds:.1f} s", "fewer canals")
        others = plan.alternatives(len(layouts) + 1)
        tokens = {tuple(sorted(f"canal {segment}" for segment in canals)) for canals in layouts}
        if plan.value != value or {tuple(sorted(layout.canals)) for layout in others} != tokens:
            claim = f"all layouts looked at, {value} is the best, in {len(tokens)} ways"
            raise contradiction(
                f"{puzzle.id}: {asked.position}", claim, f"cpsat has {plan.value} in {len(others)} ways"
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
        """Judges canals as they are, or by the best that can follow if more are to come."""
        asked = CanalsAsked.read(puzzle)
        made = LaidCanals.read(asked, attempt)
        value, rest = asked.points(made.after), Canals()
        if not made.is_final:
            left = asked.canals - len(made.canals)
            if tell is not None:
                tell(f"looking for the best {count(left, 'more canal')}")
            plan = asked.plan(made.after, left, stop)
            if stop is not None and stop.is_set():
                raise JudgingStopped
            if not plan.proved:
                problem = f"nothing was proved in {plan.seconds:.1f} s"
                raise puzzle.error("horizon", problem, "all canals, or fewer asked for")
            value, rest = plan.value, plan.canals
        loss = puzzle.value - value
        reason, line = None, write_line(made.after, rest)
        if made.is_final and loss > 0:
            if tell is not None:
                tell("looking for the canal that costs houses")
            with suppress(MissingPackage):  # the value is sure without a solver, only the reason is not
                reason, line = self._find_slip(asked, made.canals, int(puzzle.value), stop)
        laid = f"{len(made.canals)} of {count(asked.canals, 'canal')} laid"
        what = count(value, "watered house") if asked.alone else f"net houses {signed(value)}"
        words = f"{laid}: {what}" if made.is_final else f"{laid}: {what} at best"
        words += f", {loss} fewer than possible" if loss > 0 else ", and more is not possible"
        return Verdict(loss <= 0, words, value, loss, line, (reason,) if reason else ())

    def _find_slip(
        self, asked: CanalsAsked, canals: Canals, value: int, stop: threading.Event | None
    ) -> tuple[Reason | None, str]:
        """Finds the first canal after which a value can no longer be reached, and the best line with it."""
        actions = [Action("canal", segment=segment) for segment in canals]
        for number, segment in enumerate(canals, start=1):
            position, left = lay(asked.position, actions[:number]), asked.canals - number
            plan = asked.plan(position, left, stop) if left and not position.is_over else None
            if stop is not None and stop.is_set():
                raise JudgingStopped
            best = asked.points(position) if plan is None else plan.value
            if best >= value:
                continue
            if plan is not None and not plan.proved:
                break
            note = f"with it {signed(best)} is the most, before it {signed(value)} was possible"
            rest = plan.canals if plan is not None else ()
            line = write_line(asked.position, [*actions[:number], *rest])
            cost = value - best
            laid = (*asked.position.canals, *canals[: number - 1])
            told = tell_canal(position, segment, double=segment in laid).words
            return Reason(f"{capital(told)} costs {cost}", note, on=segment, label=f"-{cost}", step=number), line
        return None, ""

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Plays whole turns of canals by the rules and gets what they come to."""
        asked = CanalsAsked.read(puzzle)
        position = asked.position
        for turn in line.split(LINE):
            position = position.play(turn)
        LaidCanals.read(asked, line)
        return asked.points(position)

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether an attempt lays just what an answer stands for."""
        return Counter(LaidCanals.read(CanalsAsked.read(puzzle), attempt).canals) in expand(answer)

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the houses."""
        net = f"Net houses {signed(int(proof.value))}"
        houses = f"{proof.value} watered houses" if puzzle.given.get("alone") else net
        return f"{houses} with {count(puzzle.horizon, 'canal')}"

    def fitting(self, puzzle: Puzzle, proof: Proof) -> Sequence[str]:
        """Lists the themes that canals are about."""
        return FITTING

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at the springs, then at a segment."""
        canals = [action for text in proof.line.split(LINE) for action in Turn.parse(text) if action.what == "canal"]
        end: Any = puzzle.start
        for action in canals:
            end = end.act(action)
        arms = [arm for arm in end.arms if any(action.segment in arm.segments for action in canals)]
        springs = join(list(dict.fromkeys(arm.spring for arm in arms)))
        yield f"The water comes from the spring{'s' if len(arms) > 1 and ' ' in springs else ''} at {springs}."
        start: Any = puzzle.start
        segment = _find_hinted(start, canals, proof)
        hinted = start.act(Action("canal", segment=segment))
        yield f"Lay a {tell_canal(hinted, segment, double=segment in start.canals).words}."

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets those try who always lay the best one, two, … canals, but not all at once."""
        asked = CanalsAsked.read(puzzle)
        for sight in range(1, asked.canals):
            yield [_write_answer(asked, _lay_in_parts(asked, sight))]

    def count_misses(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts how many canals ahead one must look beyond the next one."""
        return needed_sight(puzzle) - 1

    def count_bits(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts the binary decisions of the line, of canals only."""
        moments = trying.go_through(puzzle.start, proof.line.removesuffix(", stop"))
        return sum(log2(sum(action.what == "canal" for action in moment.actions())) for moment in moments)

    def find_obvious(self, puzzle: Puzzle) -> list[str]:
        """Lists the canals of whoever always lays the one that pays most at once."""
        return [text for text in [lay_greedily(puzzle)] if text]

    def layouts(self) -> tuple[str, ...]:
        """Lists all boards."""
        return LAYOUTS

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks for two to four canals, of which the greedy would lay others."""
        position: Any = place.position
        found = candidate(position, draw.choice((2, 3, 3, 4, 4)), alone=draw.random() < ALONE)
        if found is not None:
            yield found


def _find_hinted(start: Any, canals: Sequence[Action], proof: Proof) -> str:
    """Finds the canal of a line to hint at: one that can be laid at once, and is in all best layouts if any is."""
    legal = start.actions()
    first = [action.segment for action in canals if action in legal]
    layouts = [laid for answer in proof.accepted for laid in expand(answer)]
    shared = [segment for segment in first if all(segment in laid for laid in layouts)]
    return (shared or first)[-1]


KIND = CanalsKind()


# Candidates


def needed_sight(puzzle: Puzzle) -> int:
    """Counts how many canals ahead one must look, always laying the best so many, to reach the best value.

    With 1, whoever lays the canal that pays most at once solves the puzzle; with 2, whoever plans turn by turn.
    """
    asked = CanalsAsked.read(puzzle)
    best = asked.plan(asked.position, asked.canals).value
    for sight in range(1, asked.canals):
        if asked.points(lay(asked.position, _lay_in_parts(asked, sight))) == best:
            return sight
    return asked.canals


def lay_greedily(puzzle: Puzzle) -> str:
    """Gets the canals of whoever always lays the one that pays most at once, as an answer; none if none pays.

    Where no further one pays, the answer ends with `stop`: what is left open would be laid as well as possible.
    """
    asked = CanalsAsked.read(puzzle)
    return _write_answer(asked, _lay_in_parts(asked, 1))


def _write_answer(asked: CanalsAsked, canals: Sequence[Action]) -> str:
    """Writes canals as an answer that leaves nothing open; nothing if there are none."""
    laid = list(map(str, canals))
    return ", ".join([*laid, "stop"] if 0 < len(laid) < asked.canals else laid)


def _lay_in_parts(asked: CanalsAsked, sight: int) -> list[Action]:
    """Lays always the best few canals, as few as will do, the first ones found."""
    position, left, made = asked.position, asked.canals, list[Action]()
    names = position.layout.segment_names
    while left:
        found = look_at_all(CanalsAsked(position, min(sight, left), asked.player, asked.alone))
        chosen = min(found.best, key=lambda laid: len(laid.segments)).segments if found else ()
        if not chosen:
            break
        canals = [Action("canal", segment=names[segment]) for segment in chosen]
        position, left = lay(position, canals), left - len(canals)
        made += canals
    return made


def candidate(position: Position, canals: int, *, player: int | None = None, alone: bool = False) -> Puzzle | None:
    """Makes a puzzle, not yet proved, of the start of a turn: every canal counts, and greed does not find the best."""
    if position.is_over or position.played or position.canals_left < canals:
        return None
    given = ({} if player is None else {"player": player}) | ({"alone": True} if alone else {})
    puzzle = Puzzle.draft("canals", position, canals, given)
    asked = CanalsAsked.read(puzzle)
    plan = asked.plan(position, canals)
    if not plan.proved or len(plan.canals) < canals:
        return None
    return None if asked.points(lay(position, _lay_in_parts(asked, 1))) == plan.value else puzzle
