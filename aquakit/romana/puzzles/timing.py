"""timing: when to close which aqueduct, if it is known how all of them grow and when the rivals close theirs.

`horizon` is the number of rounds, in each of which every player has one turn. `given` holds what is announced, as
`aquakit.timing` takes it: `growth`, the lengths of open aqueducts round by round (those not named stay as they are),
and `rivals`, the rounds in which the others close theirs. The value is the podium points of the player to move after
the last round, what is open then scored as at the end of the game, without bonus.

An attempt is a schedule: `Y2@1 B1@3` closes Y2 now, in round 1, and B1 in round 3; whatever is not named is left open,
as `Y1@-` says expressly. `wait` says that nothing is closed now; alone it is the schedule that closes nothing at all.
Orders that the rules do not allow are errors. A compact answer is some of these tokens: every legal schedule that
contains them is best.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Annotated, Any

from pydantic import Field

from aquakit.core.options import Tell
from aquakit.core.tomlfile import Table
from aquakit.core.words import count, join
from aquakit.errors import AquakitError, IllegalTurn, InvalidTurn, contradiction
from aquakit.puzzle import answers
from aquakit.puzzle.model import Answer, Proof, Puzzle, say_number
from aquakit.puzzle.protocol import Kind, Place
from aquakit.romana.board.clicks import name_colours
from aquakit.romana.planner.timing.entries import frame_case, is_walled
from aquakit.romana.planner.timing.forecast import forecast
from aquakit.romana.planner.timing.question import TimingQuestion
from aquakit.romana.planner.timing.replay import CLOSED, WALLED, Taken, TimingCase, points_of, replay
from aquakit.romana.planner.timing.timing import timing
from aquakit.romana.position import Position
from aquakit.romana.puzzles.boards import LAYOUTS
from aquakit.romana.puzzles.walks import close_at_longest, settle_one_by_one
from aquakit.training.verdict import Reason, Verdict

SECONDS = 60.0
"""How long CP-SAT may take."""
MOST_SCHEDULES = 20_000
"""The most schedules that are looked through."""
WAIT = "wait"
NEVER = "-"
"""Stands for the round of an aqueduct that is left open."""

Orders = dict[str, int]
"""The round in which each aqueduct is closed that is not left open."""


class Announced(Table):
    """What is announced."""

    growth: dict[str, Any]
    rivals: dict[str, Annotated[int, Field(strict=True)]] = Field(default_factory=dict)


class TimingKind(Kind):
    """Puzzles of closings."""

    name = "timing"
    witnesses = 2
    other = "Another schedule is"
    is_played = False
    is_guessed = False

    def goal(self, puzzle: Puzzle) -> str:
        """Says the question in words, with all that is announced."""
        case = _read(puzzle)
        who, rounds = name_colours(case.layout, case.me + 1), count(case.rounds, "round")
        return (
            f"{who} looks {rounds} ahead. Lengths in these rounds:\n{_tell_growth(case)}\n{_tell_rivals(case)} "
            "What is open after the last round is scored then, without bonus. "
            "When is which aqueduct to be closed, for the most podium points?"
        )

    def prove(self, puzzle: Puzzle) -> Proof:
        """Replays all schedules, and lets CP-SAT find the best one too."""
        case = _read(puzzle)
        worth = {tuple(_tokens(case, orders)): points for orders, points in _list_schedules(puzzle, case)}
        value = max(worth.values())
        best = [schedule for schedule, points in worth.items() if points == value]
        others = [points for points in worth.values() if points < value]
        accepted = map(answers.write, answers.compress(worth, best, _rank))
        agreed = self._agrees(puzzle, value)
        return Proof(
            value,
            tuple(sorted(accepted)),
            value - max(others) if others else None,
            _write(min(best, key=_effort)),
            "exhaustive+cpsat" if agreed else "exhaustive",
            count(len(worth), "schedule"),
        )

    def _agrees(self, puzzle: Puzzle, value: int) -> bool:
        """Lets CP-SAT look for the best schedule; says whether it proved the same value."""
        given, start = puzzle.read_given(Announced), puzzle.start
        assert isinstance(start, Position)
        found = timing(
            start,
            rounds=puzzle.horizon,
            growth=given.growth,
            rivals=given.rivals,
            waits=0,
            seconds=SECONDS,
            method="cpsat",
        )
        if found.value != value and (found.proved or found.value > value):
            claim = f"the best of all schedules replayed brings {value} points"
            raise contradiction(f"{puzzle.id}: {start}", claim, f"cpsat has one of {found.value}")
        return found.proved

    def judge(
        self,
        puzzle: Puzzle,
        attempt: str,
        *,
        answer: Answer | None = None,
        stop: threading.Event | None = None,
        tell: Tell | None = None,
    ) -> Verdict:
        """Judges a schedule by the rules' own scoring, and tells round by round what comes of it."""
        case = _read(puzzle)
        taken = _carry_out(case, read_orders(case, attempt))
        points = points_of(case, taken, case.me)
        loss = puzzle.value - points
        podiums = [f"{w.aqueduct} {w.podium}" for w in taken if w.owner == case.me + 1 and w.turn >= 0]
        before = sum(w.podium for w in taken if w.owner == case.me + 1 and w.turn < 0)
        words = (
            f"{count(points, 'podium point')}: {', '.join(podiums)}{f', and {before} from before' if before else ''}"
        )
        words = f"{words}; more is not possible" if loss <= 0 else f"{words}; {loss} fewer than possible"
        return Verdict(loss <= 0, words, points, loss, reasons=tuple(_tell_race(case, taken)))

    def worth(self, puzzle: Puzzle, line: str) -> int:
        """Replays a schedule and gets its points."""
        case = _read(puzzle)
        return points_of(case, _carry_out(case, read_orders(case, line)), case.me)

    def matches(self, puzzle: Puzzle, attempt: str, answer: str) -> bool:
        """Checks whether a schedule contains an answer's tokens."""
        case = _read(puzzle)
        return answers.contains(_tokens(case, read_orders(case, attempt)), answers.read(answer))

    def say_value(self, puzzle: Puzzle, proof: Proof) -> str:
        """Says the points."""
        return f"{say_number(proof.value)} podium points after {count(puzzle.horizon, 'round')}"

    def hints(self, puzzle: Puzzle, proof: Proof) -> Iterator[str]:
        """Hints at what all accepted schedules have in common; what may be done or not is no hint."""
        return _hint_at_closings(proof)

    def tries(self, puzzle: Puzzle) -> Iterator[list[str]]:
        """Lets those try who close nothing, who close each aqueduct when it is longest, and who settle one by one."""
        yield [WAIT]
        yield [close_at_longest(puzzle, self.worth)]
        yield [settle_one_by_one(puzzle, self.worth, backwards=backwards) for backwards in (False, True)]

    def count_bits(self, puzzle: Puzzle, proof: Proof) -> float:
        """Counts the binary decisions of a schedule: for each aqueduct a round, or none."""
        return len(_read(puzzle).mine) * log2(puzzle.horizon + 1)

    def find_obvious(self, puzzle: Puzzle) -> list[str]:
        """Closes each aqueduct when it is longest, or nothing."""
        return [close_at_longest(puzzle, self.worth), WAIT]

    def layouts(self) -> tuple[str, ...]:
        """Lists all boards."""
        return LAYOUTS

    def ask(self, place: Place, draw: random.Random) -> Iterator[Puzzle]:
        """Asks when to close what, if all goes on as in one playout from here, which is what is announced."""
        position: Any = place.position
        rounds = draw.choice((3, 4, 5))
        case = frame_case(position, None, rounds)
        if len(case.mine) < 2 or place.phase == "early":
            return
        course = forecast(position, rounds=rounds, playouts=1, seed=draw.getrandbits(32), fast=False).scenarios[0]
        growth = dict(_announce(case, course))
        rivals = {case.name(a): number for a, number in course.closings.items() if a not in case.mine}
        if growth:
            yield Puzzle.draft(self.name, position, rounds, {"growth": growth, "rivals": rivals})


def _announce(case: TimingCase, course: Any) -> Iterator[tuple[str, Any]]:
    """Goes through the aqueducts that grow in a scenario, each with what is announced of it."""
    for a, way in course.courses.items():
        if is_walled(case, a) or way.final == case.state.length[case.state.tip[a]]:
            continue
        lengths = list(way.lengths)
        if way.ends is None:
            yield case.name(a), lengths
        else:
            end = case.round_of(way.ends)
            yield case.name(a), {"lengths": lengths[:end], "ends": end, "by": case.mover(way.ends) + 1}


# What is asked


def _read(puzzle: Puzzle) -> TimingCase:
    """Reads who may close what, and what is announced."""
    given, start = puzzle.read_given(Announced), puzzle.start
    if not isinstance(start, Position) or start.is_over:
        raise puzzle.error("position", "is no game of Aqua Romana that goes on", "a player with an open aqueduct")
    try:
        case = frame_case(start, None, puzzle.horizon)
    except AquakitError as problem:
        field = "horizon" if problem.where == "rounds" else "position"
        raise puzzle.error(field, problem.problem, problem.expected) from None
    try:
        return TimingQuestion(start, case, given.growth, given.rivals, 1, 0).case
    except AquakitError as problem:
        raise puzzle.error(f"given.{problem.where}", problem.problem, problem.expected) from None


def _tell_growth(case: TimingCase) -> str:
    """Tells the lengths of all open aqueducts, a line for each player, the one who is asked first."""
    lines = dict[int, list[str]]()
    for a in sorted(case.scenarios[0].courses):
        lines.setdefault((case.owner(a) - case.me) % len(case.layout.players), []).append(_tell_course(case, a))
    return "\n".join("; ".join(lines[place]) for place in sorted(lines))


def _tell_course(case: TimingCase, a: int) -> str:
    """Tells how long an aqueduct is in each round."""
    course = case.scenarios[0].courses[a]
    end = len(course.lengths) if course.ends is None else case.round_of(course.ends)
    text = f"{case.name(a)} {', '.join(map(str, course.lengths[:end]))}"
    if course.ends is None:
        return text
    return f"{text}, then walled in by {name_colours(case.layout, case.mover(course.ends) + 1)}"


def _tell_rivals(case: TimingCase) -> str:
    closings = sorted((number, case.name(a)) for a, number in case.scenarios[0].closings.items())
    said = [f"{name} in round {number}" for number, name in closings]
    return f"Closed by their owners: {join(said)}; of the others none." if said else "No rival closes an aqueduct."


# Schedules


def read_orders(case: TimingCase, text: str) -> Orders:
    """Reads a schedule; what cannot be meant is an error."""
    names = [case.name(a) for a in case.mine]
    orders: dict[str, int | None] = {}
    for token in text.split():
        if token == WAIT:
            continue
        found = re.fullmatch(r"(\w+)@(\d{1,2}|-)", token)
        if found is None:
            raise InvalidTurn(token, "cannot be read", f"closings such as {names[0]}@1, {names[0]}@- or {WAIT}")
        name, number = found[1], None if found[2] == NEVER else int(found[2])
        if name not in names:
            raise IllegalTurn(token, f"{name} is no open aqueduct of this player", join(names, "or"))
        if name in orders:
            raise IllegalTurn(token, f"{name} stands twice", "one round for each aqueduct")
        if number is not None and not 1 <= number <= case.rounds:
            raise IllegalTurn(token, f"there is no round {number}", f"1 … {case.rounds}")
        if number is not None and number in orders.values():
            raise IllegalTurn(token, "two are closed in one turn (section 5, step 6)", "one closing a turn")
        orders[name] = number
    if not text.split():
        raise InvalidTurn("schedule", "is empty", f"closings such as {names[0]}@1, or {WAIT}")
    if WAIT in text.split() and 1 in orders.values():
        raise IllegalTurn(WAIT, "something is closed in round 1", "one of them")
    return {name: number for name, number in orders.items() if number is not None}


def _carry_out(case: TimingCase, orders: Orders) -> tuple[Taken, ...]:
    """Replays a schedule by the rules; an order that they do not allow is an error."""
    taken = _replay(case, orders)
    closed = {w.aqueduct: w.round for w in taken if w.how == CLOSED}
    for name, number in orders.items():
        if closed.get(name) != number:
            problem = f"{name} cannot be closed in round {number} (section 5, steps 5 and 6) [R9]"
            expected = "length 1 or more, and no own aqueduct closed by construction in that turn"
            raise IllegalTurn(f"{name}@{number}", problem, expected)
    return taken


def _replay(case: TimingCase, orders: Mapping[str, int]) -> tuple[Taken, ...]:
    numbers = {case.layout.aqueduct_index[name]: number for name, number in orders.items()}
    return replay(case, case.scenarios[0], numbers)


def _list_schedules(puzzle: Puzzle, case: TimingCase) -> Iterator[tuple[Orders, int]]:
    """Lists all schedules that the rules allow, with their points."""
    for seen, orders in enumerate(_combine([case.name(a) for a in case.mine], case.rounds)):
        if seen == MOST_SCHEDULES:
            raise puzzle.error("horizon", f"there are more than {count(MOST_SCHEDULES, 'schedule')}", "fewer rounds")
        try:
            yield orders, points_of(case, _carry_out(case, orders), case.me)
        except IllegalTurn:
            continue


def _combine(names: Sequence[str], rounds: int) -> Iterator[Orders]:
    """Lists all ways to give some aqueducts rounds of their own."""
    if not names:
        yield {}
        return
    for orders in _combine(names[:-1], rounds):
        yield orders
        for number in range(1, rounds + 1):
            if number not in orders.values():
                yield {**orders, names[-1]: number}


# What comes of a schedule


def tell_race(puzzle: Puzzle, schedule: str) -> tuple[Reason, ...]:
    """Tells who comes to which podium, round by round, and what stood in the way of a higher one.

    Rivals who come to none are left out.
    """
    case = _read(puzzle)
    return tuple(_tell_race(case, _carry_out(case, read_orders(case, schedule))))


def _tell_race(case: TimingCase, taken: Sequence[Taken]) -> Iterator[Reason]:
    done = {CLOSED: "is closed", WALLED: "is walled in"}
    for place, workman in enumerate(taken):
        takes_nothing = workman.owner != case.me + 1 and not workman.podium
        if workman.turn < 0 or takes_nothing:
            continue
        when = "After the last round" if workman.round is None else f"Round {workman.round}"
        text = f"{when}: {workman.aqueduct} {done.get(workman.how, 'is scored')} at length {workman.length}"
        note = "; ".join(_tell_podium(case, workman, taken[:place]))
        yield Reason(text, note, workman.owner, workman.aqueduct, f"→ {workman.podium}")


def _tell_podium(case: TimingCase, workman: Taken, before: Sequence[Taken]) -> Iterator[str]:
    """Says what a workman gets, who has the podiums above, and what its aqueduct would have become."""
    yield f"podium {workman.podium}" if workman.podium else "no podium"
    wanted = range(min(workman.length, len(case.layout.podiums)), workman.podium, -1)
    holders = {podium: [other.aqueduct for other in before if other.podium == podium] for podium in wanted}
    if holders:
        yield f"taken: {join([f'{podium} by {join(names)}' for podium, names in holders.items()])}"
    course = case.scenarios[0].courses[case.layout.aqueduct_index[workman.aqueduct]]
    if workman.how == CLOSED and course.final > workman.length:
        yield f"left alone it becomes {course.final} long"


# Tokens


def _tokens(case: TimingCase, orders: Mapping[str, int]) -> list[str]:
    """Writes a whole schedule as tokens: closings in their order, then what is left open."""
    closed = sorted((number, name) for name, number in orders.items())
    tokens = [] if 1 in orders.values() else [WAIT]
    tokens += [f"{name}@{number}" for number, name in closed]
    return tokens + [f"{case.name(a)}@{NEVER}" for a in case.mine if case.name(a) not in orders]


def _rank(token: str) -> int:
    """Gets how early a decision comes: what is done now decides first, what is left open last."""
    number = "1" if token == WAIT else token.partition("@")[2]
    return 1000 if number == NEVER else int(number)


def _effort(tokens: Sequence[str]) -> tuple[int, list[tuple[int, str]]]:
    """Gets what makes one of equal schedules plainer: few closings, early ones."""
    closings = [token for token in tokens if token != WAIT and not token.endswith(f"@{NEVER}")]
    return len(closings), [(_rank(token), token) for token in closings]


def _write(tokens: Sequence[str]) -> str:
    """Writes a whole schedule without what is understood."""
    return " ".join(token for token in tokens if token != WAIT and not token.endswith(f"@{NEVER}")) or WAIT


# Hints


def _hint_at_closings(proof: Proof) -> Iterator[str]:
    needed = [[token for token in answers.read(answer) if _is_closing(token)] for answer in proof.accepted]
    fewest = min(map(len, needed))
    if not fewest:
        yield "What you leave open matters more than what you close."
        left = [token.partition("@")[0] for token in answers.shared_tokens(proof) if "@" in token]
        yield f"Leave {join(left)} open to the end." if left else "Close nothing in the first round."
        return
    yield f"The right moment matters for {'one aqueduct' if fewest == 1 else f'{fewest} aqueducts'}."
    sure = [token for token in answers.shared_tokens(proof) if _is_closing(token)]
    name, _, number = (sure or needed[0])[0].partition("@")
    yield f"{name} {'is' if sure else 'can be'} closed in round {number}."


def _is_closing(token: str) -> bool:
    return "@" in token and not token.endswith("@-")


KIND = TimingKind()
