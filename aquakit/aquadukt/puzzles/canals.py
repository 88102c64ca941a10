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

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Annotated, NamedTuple

from pydantic import Field

from aquakit.aquadukt import kernel
from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.kernel import FREE, MOUNTAIN, NONE, State, Work, X, Y
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.planner.canals.result import CanalPlan
from aquakit.aquadukt.position import Position
from aquakit.board.claims import signed
from aquakit.core.tomlfile import Table
from aquakit.core.words import count
from aquakit.errors import IllegalTurn, InvalidTurn, MissingPackage
from aquakit.puzzle.kinds import LINE, Proof
from aquakit.puzzle.model import Answer, Puzzle
from aquakit.training.verdict import JudgingStopped, Reason, Tell, Verdict

MOST_LAYOUTS = 300_000
"""So many layouts are looked at, which takes some ten seconds."""
MOST_BEST = 1000
"""So many equally good layouts can be told apart."""
SECONDS = 60.0
"""How long CP-SAT may take."""
MOST_SUPPLY = 12
"""Two canals on each of a square's four sides, and a double one a square off on each."""
OR = " or "
"""Stands between the segments of a canal that is left open."""

Canals = tuple[str, ...]
"""Segments by name, as often as a canal is laid on them."""
Worth = Callable[[int, int], int]
"""What a square's tile is worth at a supply, to the player who is asked for."""


class Given(Table):
    """What a puzzle says beside position and horizon."""

    player: Annotated[int, Field(strict=True, ge=1)] | None = None
    alone: Annotated[bool, Field(strict=True)] = False


@dataclass(frozen=True)
class Question:
    """What is asked."""

    position: Position
    canals: int
    player: int
    alone: bool

    @classmethod
    def read(cls, puzzle: Puzzle) -> Question:
        """Reads a puzzle; what cannot be asked like that is a PuzzleError."""
        start, given = puzzle.start, puzzle.read_given(Given)
        if not isinstance(start, Position) or start.is_over or start.played:
            raise puzzle.error("position", "is not the start of a turn of Aquädukt", "one in which canals can be laid")
        if not 1 <= puzzle.horizon <= start.canals_left:
            raise puzzle.error("horizon", str(puzzle.horizon), f"1 … {start.canals_left}, the canals left")
        if given.player is not None and given.player > start.layout.players:
            raise puzzle.error("given.player", str(given.player), f"1 … {start.layout.players}")
        return cls(start, puzzle.horizon, given.player or start.state.player + 1, given.alone)

    def points(self, position: Position) -> int:
        """Gets what a board is worth."""
        return net_points(position.scores(), self.player, alone=self.alone)

    def plan(self, position: Position, canals: int, stop: threading.Event | None = None) -> CanalPlan:
        """Lets CP-SAT find the best layout of some canals."""
        against = not self.alone
        return plan_canals(position, canals=canals, player=self.player, against=against, seconds=SECONDS, stop=stop)


def net_points(scores: Sequence[int], player: int, *, alone: bool) -> int:
    """Gets a player's points less those of all others together, or alone.

    >>> net_points((7, 3, 2), 1, alone=False), net_points((7, 3, 2), 1, alone=True)
    (2, 7)
    """
    return scores[player - 1] if alone else 2 * scores[player - 1] - sum(scores)


def name_others(position: Position) -> str:
    """Says whose houses are taken off."""
    return "those of the other player" if position.layout.players == 2 else "those of all others together"


# All layouts


class Laid(NamedTuple):
    """A layout of some more canals."""

    segments: tuple[int, ...]
    """In an order in which they can be laid."""
    supply: tuple[int, ...]
    value: int


def tile_worth(position: Position, player: int, *, alone: bool) -> Callable[[int, int, int], int]:
    """Gets a function that says what a tile on a square is worth to a player at a supply, as the kernel counts it."""
    tables, probe = position.layout.tables, position.state

    @cache
    def worth(square: int, tile: int, supply: int) -> int:
        if not FREE < tile < MOUNTAIN or not supply:
            return 0
        probe.tile[square], probe.supply[square] = tile, supply
        points = kernel.worth(tables, probe, square)
        return points if (tile - 1) >> 2 == player - 1 else 0 if alone else -points

    return worth


class Layouts:
    """All layouts of some more canals, by the kernel's own rules."""

    def __init__(self, position: Position, worth: Worth, canals: int) -> None:
        self._layout, self._tables, self._state = position.layout, position.layout.tables, position.state
        self._work = Work.new(position.layout.sizes)
        self._worth, self._canals = worth, canals
        self._fed = cache(self._feed)

    def every(self, is_beaten: Callable[[int, int], bool] | None = None) -> Iterator[Laid]:
        """Iterates over the layouts, each once, the empty one first.

        If a value and a number of canals left are beaten, what comes of a layout is left out.
        """
        supply = tuple(self._state.supply)
        value = sum(self._worth(square, canals) for square, canals in enumerate(supply))
        beaten = is_beaten or (lambda value, left: False)
        return self._more(self._state, Laid((), supply, value), self._canals, frozenset(), beaten)

    def _more(
        self,
        state: State,
        laid: Laid,
        left: int,
        passed: frozenset[tuple[int, int]],
        is_beaten: Callable[[int, int], bool],
    ) -> Iterator[Laid]:
        """Goes on from a layout; a canal that was passed by is not laid later, so that each layout has one order."""
        yield laid
        if not left or is_beaten(laid.value, left):
            return
        for code in self._work.actions[: kernel.canals(self._tables, state, self._work, 0)]:
            segment = code >> X & 2047
            canal = segment, state.canal[segment]
            if canal in passed:
                continue
            more = self._lay(laid, *canal)
            if left == 1 or is_beaten(more.value, left - 1):
                yield more
            else:
                after = state.copy()
                kernel.dig(self._tables, after, segment, code >> Y)
                yield from self._more(after, more, left - 1, passed, is_beaten)
            passed |= {canal}

    def _lay(self, laid: Laid, segment: int, second: int) -> Laid:
        supply, value = list(laid.supply), laid.value
        for square in self._fed(segment, second):
            value += self._worth(square, supply[square] + 1) - self._worth(square, supply[square])
            supply[square] += 1
        return Laid((*laid.segments, segment), tuple(supply), value)

    def _feed(self, segment: int, second: int) -> list[int]:
        """Lists the squares that a first or a second canal feeds [Q4] [Q5], asked of the kernel."""
        state = self._layout.bare_state()
        kernel.feed(self._tables, state, segment, 2 * second)
        return [square for square, fed in enumerate(state.supply) if fed]

    def hopes(self) -> list[int]:
        """Bounds what 0, 1, 2 … canals more can add: the most that so many can by themselves, where they can be laid.

        More water never makes a tile worth less to its owner (section 5), so what it adds at most is known beforehand.
        """
        tips = {point for point in self._state.tip[: 2 * self._state.springs] if point != NONE}
        most = []
        for segment in self._layout.segment_index.values():
            laid = self._state.canal[segment]
            if laid or self._distance(segment, tips) < self._canals:
                most += [self._hope(segment, second) for second in range(laid, 2)]
        most = sorted(most, reverse=True)[: self._canals]
        return list(accumulate(most + [0] * (self._canals - len(most)), initial=0))

    def _distance(self, segment: int, tips: set[int]) -> int:
        """Counts the steps from the nearest point at which an arm can go on."""
        ends = [way // 4 for way, along in enumerate(self._tables.along) if along == segment]
        return min((self._layout.distance(a, b) for a in ends for b in tips), default=self._canals)

    def _hope(self, segment: int, second: int) -> int:
        supply = self._state.supply
        return sum(
            max(0, self._worth(square, MOST_SUPPLY) - self._worth(square, supply[square]))
            for square in self._fed(segment, second)
        )


class Found(NamedTuple):
    """What all layouts come to."""

    value: int
    best: list[Laid]
    second: int | None
    """The next lower value that a layout has, if any."""
    seen: int
    """Layouts looked at; those that come of them and cannot be among the best two values are not counted."""


def look_at_all(question: Question) -> Found | None:
    """Finds the best layouts and the next lower value, or nothing if there are too many layouts to look at."""
    position, tiles = question.position, question.position.state.tile
    worth = tile_worth(position, question.player, alone=question.alone)
    layouts = Layouts(position, lambda square, supply: worth(square, tiles[square], supply), question.canals)
    hopes, best, second, seen = layouts.hopes(), list[Laid](), None, 0

    def is_beaten(value: int, left: int) -> bool:
        return second is not None and value + hopes[left] <= second

    for laid in layouts.every(is_beaten):
        seen += 1
        if seen > MOST_LAYOUTS:
            return None
        if not best or laid.value > best[0].value:
            second, best = best[0].value if best else None, [laid]
        elif laid.value == best[0].value:
            best.append(laid)
        elif second is None or laid.value > second:
            second = laid.value
    return Found(best[0].value, best, second, seen)


def _look(puzzle: Puzzle, question: Question) -> Found:
    """Looks at all layouts; PuzzleError if there are too many."""
    found = look_at_all(question)
    if found is None:
        raise puzzle.error("horizon", f"more than {count(MOST_LAYOUTS, 'layout')} to look at", "fewer canals")
    return found


def _name_canals(question: Question, found: Found) -> list[Canals]:
    """Names the canals of all best layouts."""
    names = question.position.layout.segment_names
    return [tuple(names[segment] for segment in laid.segments) for laid in found.best]


def is_best_set(puzzle: Puzzle, accepted: Iterable[str]) -> bool:
    """Checks whether answers stand for all best layouts and nothing else; fewer canals than asked for may be best."""
    asked = Question.read(puzzle)
    best = {tuple(sorted(canals)) for canals in _name_canals(asked, _look(puzzle, asked))}
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
class Attempt:
    """Canals laid by the rules."""

    canals: Canals
    """In an order in which they can be laid."""
    after: Position
    is_final: bool
    """Whether no more canals are to follow."""

    @classmethod
    def read(cls, question: Question, text: str) -> Attempt:
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


class CanalsKind:
    """Puzzles of canals."""

    name = "canals"

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words."""
        asked = Question.read(puzzle)
        whose = "" if asked.alone else f", less {name_others(asked.position)},"
        aim = f"the watered houses of {player_name(asked.player)}{whose} count the most"
        canals = f"{count(asked.canals, 'canal')}, one after another," if asked.canals > 1 else "1 canal"
        return f"Lay {canals} so that {aim}. Nobody does anything else meanwhile."

    def prove(self, puzzle: Puzzle) -> Proof:
        """Proves the value, all best layouts and the margin by looking at all layouts, and again by CP-SAT."""
        asked = Question.read(puzzle)
        found = _look(puzzle, asked)
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

    def _compare(self, puzzle: Puzzle, asked: Question, value: int, layouts: list[Canals]) -> None:
        """Lets CP-SAT find the best layouts too."""
        if len(layouts) > MOST_BEST:
            raise puzzle.error("position", f"has {count(len(layouts), 'best layout')}", f"at most {MOST_BEST}")
        plan = asked.plan(asked.position, asked.canals)
        if not plan.proved:
            raise puzzle.error("horizon", f"CP-SAT proves nothing in {SECONDS:.0f} s", "fewer canals")
        others = plan.alternatives(len(layouts) + 1)
        tokens = {tuple(sorted(f"canal {segment}" for segment in canals)) for canals in layouts}
        if plan.value != value or {tuple(sorted(layout.canals)) for layout in others} != tokens:
            problem = f"all layouts give {value} in {len(tokens)} ways, CP-SAT gives {plan.value} in {len(others)}"
            raise puzzle.error("value", problem)

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
        asked = Question.read(puzzle)
        made = Attempt.read(asked, attempt)
        value, rest = asked.points(made.after), Canals()
        if not made.is_final:
            left = asked.canals - len(made.canals)
            if tell is not None:
                tell(f"looking for the best {count(left, 'more canal')}")
            plan = asked.plan(made.after, left, stop)
            if stop is not None and stop.is_set():
                raise JudgingStopped
            if not plan.proved:
                raise puzzle.error(
                    "horizon", f"nothing was proved in {SECONDS:.0f} s", "all canals, or fewer asked for"
                )
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
        self, asked: Question, canals: Canals, value: int, stop: threading.Event | None
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
            return Reason(f"canal {segment} costs {cost}", note, on=segment, label=f"-{cost}", step=number), line
        return None, ""

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Plays whole turns of canals by the rules and gets what they come to."""
        asked = Question.read(puzzle)
        position = asked.position
        for turn in line.split(LINE):
            position = position.play(turn)
        Attempt.read(asked, line)
        return asked.points(position)

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether an attempt lays just what an answer stands for."""
        return Counter(Attempt.read(Question.read(puzzle), attempt).canals) in expand(answer)


KIND = CanalsKind()


# Candidates


def needed_sight(puzzle: Puzzle) -> int:
    """Counts how many canals ahead one must look, always laying the best so many, to reach the best value.

    With 1, whoever lays the canal that pays most at once solves the puzzle; with 2, whoever plans turn by turn.
    """
    asked = Question.read(puzzle)
    best = asked.plan(asked.position, asked.canals).value
    for sight in range(1, asked.canals):
        if asked.points(lay(asked.position, _lay_in_parts(asked, sight))) == best:
            return sight
    return asked.canals


def lay_greedily(puzzle: Puzzle) -> str:
    """Gets the canals of whoever always lays the one that pays most at once, as an answer; none if none pays.

    Where no further one pays, the answer ends with `stop`: what is left open would be laid as well as possible.
    """
    asked = Question.read(puzzle)
    laid = list(map(str, _lay_in_parts(asked, 1)))
    return ", ".join([*laid, "stop"] if 0 < len(laid) < asked.canals else laid)


def _lay_in_parts(asked: Question, sight: int) -> list[Action]:
    """Lays always the best few canals, as few as will do, the first ones found."""
    position, left, made = asked.position, asked.canals, list[Action]()
    names = position.layout.segment_names
    while left:
        found = look_at_all(Question(position, min(sight, left), asked.player, asked.alone))
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
    puzzle = Puzzle.draft("canals", str(position), canals, given)
    asked = Question.read(puzzle)
    plan = asked.plan(position, canals)
    if not plan.proved or len(plan.canals) < canals:
        return None
    return None if asked.points(lay(position, _lay_in_parts(asked, 1))) == plan.value else puzzle
