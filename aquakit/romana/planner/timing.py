"""Closure timing: when to close which aqueduct, proved for a forecast of how all of them grow."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from html import escape
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from aquakit.cpsat import Run
from aquakit.errors import InvalidOption, read_seconds, read_whole
from aquakit.romana.clicks import name_colours
from aquakit.romana.planner import timing_model
from aquakit.romana.planner.forecast import (
    MOST,
    Entry,
    Forecast,
    check_closings,
    forecast,
    frame_case,
    read_closings,
    read_growth,
    read_weight,
    with_rivals,
)
from aquakit.romana.planner.growth import ROUNDS
from aquakit.romana.planner.timing_model import AIMS, EXPECTED, HEAVIEST, WORST, Order, scale_weights
from aquakit.romana.planner.timing_replay import CLOSED, Case, Course, Scenario, Taken, points_of, replay
from aquakit.romana.planner.timing_replies import Player
from aquakit.romana.planner.timing_search import NEVER, Search, TooBig
from aquakit.romana.position import Position
from aquakit.svg import show
from aquakit.words import count

PLAYOUTS, REPLIES = "playouts", "replies"
METHODS = ("auto", "search", "cpsat")
USUAL_ROUNDS = 6
FRESH = 100
"""Playouts on which a schedule is tried that was made for others."""
MOST_SCENARIOS = 2000

Rivals = str | Mapping[str, int] | Sequence[Mapping[str, Any]]
Growth = Mapping[str, Entry] | Forecast
Number = int | float


@dataclass(frozen=True)
class Closing:
    """What a schedule says of an own aqueduct, and what comes of it."""

    aqueduct: str
    round: int | None
    """The round in which to close it, 1 for this one; none to leave it open."""
    carried_out: Number
    """The share of the scenarios in which that is possible, by weight."""
    length: Number
    """The expected length when it is scored."""
    podium: Number
    """The expected points for it."""


@dataclass(frozen=True)
class Wait:
    """What the whole schedule is worth if an aqueduct is closed after some rounds."""

    aqueduct: str
    rounds: int | None
    """Rounds waited: 0 to close it now; none to leave it open."""
    value: Number | None
    """The player's points with the best rest of the schedule; none if it cannot be closed then, or nothing is known."""
    possible: bool
    proved: bool


@dataclass(frozen=True)
class Fresh:
    """How a schedule does in playouts that it was not made for."""

    value: float
    stderr: float
    playouts: int


@dataclass(frozen=True, repr=False, eq=False)
class Timing:
    """When to close which aqueduct, and how sure that is.

    Values are the player's podium points, those already taken among them, without bonus as in study positions [S2].
    """

    position: Position
    player: int
    """1-based."""
    rounds: int
    aim: str
    """expected or worst"""
    rivals: str
    """What is assumed of the rivals' closings, in a word: data, scenarios, playouts or replies."""
    value: Number
    bound: Number
    """No schedule is worth more."""
    proved: bool
    """Whether no schedule is better, in these scenarios; with best replies, whether they were searched to the end."""
    orders: Mapping[str, int]
    """The schedule: the round in which to close each aqueduct that is not left open."""
    waiting: tuple[Wait, ...]
    fresh: Fresh | None
    """For schedules made for playouts: how this one does in other ones. The value itself is a little too hopeful."""
    seconds: float
    method: str
    """What proved it: search, CP-SAT or replies."""
    case: Case

    # Reading

    @cached_property
    def outcomes(self) -> tuple[tuple[Taken, ...], ...]:
        """Who comes to which podium in each scenario, by the rules."""
        orders = {self.case.layout.aqueduct_index[name]: number for name, number in self.orders.items()}
        return tuple(replay(self.case, scenario, orders) for scenario in self.case.scenarios)

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The ways that things may go."""
        return self.case.scenarios

    @property
    def schedule(self) -> tuple[Closing, ...]:
        """What is to be done with each own open aqueduct: those to be closed first, in order."""
        made = [self._closing(self.case.name(a)) for a in self.case.mine]
        return tuple(sorted(made, key=lambda closing: closing.round or self.rounds + 1))

    def _closing(self, name: str) -> Closing:
        found = [next((w for w in outcome if w.aqueduct == name), None) for outcome in self.outcomes]
        return Closing(
            name,
            self.orders.get(name),
            self._expect([int(w is not None and w.how == CLOSED) for w in found]),
            self._expect([self._length(i, name) if w is None else w.length for i, w in enumerate(found)]),
            self._expect([0 if w is None else w.podium for w in found]),
        )

    def _length(self, scenario: int, name: str) -> int:
        """Gets the length of an aqueduct that is never scored."""
        return self.case.scenarios[scenario].courses[self.case.layout.aqueduct_index[name]].final

    @property
    def podiums(self) -> dict[str, Number]:
        """The expected podium of every aqueduct, rivals' and those closed before among them."""
        names = [outlet.name for outlet in self.case.layout.outlets]
        taken = [{w.aqueduct: w.podium for w in outcome} for outcome in self.outcomes]
        return {name: self._expect([podiums.get(name, 0) for podiums in taken]) for name in names}

    @property
    def points(self) -> tuple[Number, ...]:
        """Each player's expected podium points."""
        players = range(len(self.case.layout.players))
        return tuple(self._expect([points_of(self.case, o, player) for o in self.outcomes]) for player in players)

    def _expect(self, values: Sequence[int]) -> Number:
        return _expected(self.case, values)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(name_colours(self.case.layout, player) for player in range(1, len(self.case.layout.players) + 1))

    def takings(self, scenario: int | None = None) -> tuple[Taken, ...]:
        """Gets who takes which podium when: in a scenario, from 0, or in that nearest to the expected value."""
        if scenario is None:
            return self.outcomes[self.nearest]
        return self.outcomes[read_whole("scenario", scenario, most=len(self.outcomes) - 1)]

    @property
    def nearest(self) -> int:
        """The scenario in which the player's points are nearest to the expected ones."""
        values = [points_of(self.case, outcome, self.player - 1) for outcome in self.outcomes]
        mean = self._expect(values)
        return min(range(len(values)), key=lambda i: abs(values[i] - mean))

    # Showing

    def rows(self) -> list[dict[str, Any]]:
        """Lists the own open aqueducts with the schedule and the values of waiting."""
        made = []
        for closing in self.schedule:
            mine = [wait for wait in self.waiting if wait.aqueduct == closing.aqueduct]
            made.append(asdict(closing) | {_head(wait): wait.value for wait in mine})
        return made

    def frame(self) -> Any:
        """Gets a DataFrame: each own open aqueduct, when to close it, and the value of closing it now or later."""
        import pandas as pd

        return pd.DataFrame(self.rows())

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form."""
        return {
            "position": str(self.position),
            "player": self.player,
            "rounds": self.rounds,
            "aim": self.aim,
            "rivals": self.rivals,
            "scenarios": len(self.scenarios),
            "value": self.value,
            "bound": self.bound,
            "proved": self.proved,
            "schedule": [asdict(closing) for closing in self.schedule],
            "waiting": [asdict(wait) for wait in self.waiting],
            "podiums": self.podiums,
            "points": list(self.points),
            "fresh": None if self.fresh is None else asdict(self.fresh),
            "method": self.method,
            "seconds": round(self.seconds, 3),
        }

    def race(self, ax: Any = None, *, scenario: int | None = None) -> Any:
        """Draws the podium race: who takes which podium when."""
        from aquakit.romana.planner.race import draw_race

        return draw_race(self, ax, scenario=scenario)

    def summary(self) -> Iterator[str]:
        """Says what the schedule is worth and how sure that is, in a line or two."""
        kind = {EXPECTED: "", WORST: " at least"}[self.aim] if len(self.scenarios) > 1 else ""
        where = "" if len(self.scenarios) == 1 else f" in {count(len(self.scenarios), 'scenario')}"
        kind = " on average" if where and not kind else kind
        sure = "proved best" if self.proved else f"not proved, at most {_write(self.bound)}"
        worth = f"{_write(self.value)} podium {'point' if self.value == 1 else 'points'}{kind}{where}"
        yield f"{self.names[self.player - 1]}, {count(self.rounds, 'round')}: {worth} ({sure}, {self.seconds:.2f} s)"
        if self.fresh is not None:
            tried = f"{self.fresh.value:.2f} ± {self.fresh.stderr:.2f}"
            yield f"In {self.fresh.playouts} other playouts the same schedule brings {tried}."

    def _table(self) -> tuple[list[str], list[list[str]]]:
        waits = [wait for wait in self.waiting if wait.aqueduct == self.schedule[0].aqueduct]
        heads = ["aqueduct", "close", "length", "podium", *(_head(wait) for wait in waits)]
        body = []
        for closing in self.schedule:
            mine = [wait for wait in self.waiting if wait.aqueduct == closing.aqueduct]
            done = "" if closing.carried_out in (0, 1) else f" ({closing.carried_out:.0%})"
            order = "leave open" if closing.round is None else f"in round {closing.round}{done}"
            cells = [closing.aqueduct, order, _write(closing.length), _write(closing.podium)]
            sign = "~" if self.method == REPLIES else "≥"
            body.append(cells + [_tell(wait, sign) for wait in mine])
        return heads, body

    def __str__(self) -> str:
        heads, body = self._table()
        widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
        lines = [_align(row, widths) for row in (heads, *body)]
        return "\n".join([*self.summary(), *lines])

    def __repr__(self) -> str:
        return f"<Timing: {next(self.summary())}>"

    def _repr_html_(self) -> str:
        heads, body = self._table()
        head = "".join(f"<th>{escape(text)}</th>" for text in heads)
        rows = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in body)
        notes = "".join(f"<p>{escape(line)}</p>" for line in self.summary())
        note = "now, +1 …: points with the best schedule that closes it so" if self.waiting else "the schedule"
        table = f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>"
        return f"{notes}<table><caption>{escape(note)}</caption>{table}</table>"


def _head(wait: Wait) -> str:
    return "never" if wait.rounds is None else "now" if wait.rounds == 0 else f"+{wait.rounds}"


def _tell(wait: Wait, sign: str) -> str:
    """Writes a value; the sign says what it is if it is not proved."""
    if not wait.possible:
        return "-"
    if wait.value is None:
        return "?"
    return _write(wait.value) if wait.proved else f"{sign} {_write(wait.value)}"


def _write(value: Number) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _align(row: list[str], widths: list[int]) -> str:
    """Sets texts to the left and numbers to the right."""
    cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
    return "  ".join(cells).rstrip()


# The question


def timing(
    position: Position,
    *,
    player: int | None = None,
    rounds: int | None = None,
    growth: Growth | None = None,
    rivals: Rivals | None = None,
    aim: str = EXPECTED,
    closed_only: bool = False,
    waits: int = 3,
    playouts: int = 24,
    seed: int = 0,
    seconds: float | None = 30.0,
    method: str = "auto",
    stop: threading.Event | None = None,
) -> Timing:
    """Finds out when to close which of a player's open aqueducts, and proves it.

    **The model.** From the position on each player has one turn a round, in turn order; round 1 begins with the player
    to move. What is forecast is the length of every aqueduct at the closing step of its owner's turn, round by round,
    and whether it is closed by construction in somebody's turn. Growth does not depend on what is closed. In each own
    turn the player may close one aqueduct of length 1 or more, unless one of the own was closed by construction in that
    turn (step 6) [R9]. A workman takes the podium of the length, or the next lower one with room (step 7). After the
    last round open aqueducts are scored as at the end of the game (section 6), or count nothing with `closed_only`.
    Points are podium points without bonus [S2]. The position may be the start of a turn, or a moment up to its closing.

    **`growth`** maps names of aqueducts to what is expected of them; those left out stay as they are:

    - lengths in rounds 1, 2, 3 …, the last of which stays: `{"R1": [3, 4, 4, 6]}`;
    - a number, the growth in a round: `{"R2": 0.5}` grows by one every second round;
    - with an end by construction, in the owner's turn or by another player: `{"R1": {"lengths": [3, 4], "ends": 2,
      "by": 3}}`.

    Without `growth` it is estimated from `playouts` by sensible players, each of which is a scenario; `forecast` makes
    such an estimate to look at, and it can be given here too.

    **`rivals`** says when the others close theirs: rounds by name, as in `{"Y1": 2}`; several such scenarios, with
    weights if wanted, as in `[{"Y1": 2, "weight": 3}, {}]`; "playouts", as the playouts have it; or "replies":
    everybody closes what is best for the own points, in turn order, knowing that all others do so too (with growth
    estimated, for the mean lengths); who is indifferent waits. Without it: as in the playouts, or nobody closes
    anything if growth is entered.

    One schedule serves all scenarios. It maximises the expected points, or with `aim="worst"` those in the worst
    scenario. An order that a scenario does not allow in its turn lapses there. Orders that bring nothing are left out.

    The answer tells for each aqueduct what the whole schedule is worth if it is closed now, after 1, 2, … `waits`
    rounds, or never. `seconds` (none for no limit) or `stop` end it early: what is not proved by then is marked so. An
    answer is replayed by the rules before it is given. Few schedules are searched through, many go to CP-SAT; `method`
    chooses one of them.
    """
    begun = time.perf_counter()
    _check_options(aim, method, seconds, stop)
    number = rounds if rounds is not None else growth.rounds if isinstance(growth, Forecast) else USUAL_ROUNDS
    case = frame_case(position, player, number, closed_only=closed_only)
    read_whole("waits", waits, most=ROUNDS)
    read_whole("playouts", playouts, least=1, most=MOST)
    clock = _Clock(None if seconds is None else begun + seconds, stop)
    question = _Question(position, case, growth, _read_rivals(growth, rivals), playouts, seed)
    answer = _answer(question, aim, method, waits, seed, clock)
    made = _checked(answer, position, aim, question.word)
    fresh = question.try_on_others(made.orders, clock)
    return replace(made, fresh=fresh, seconds=time.perf_counter() - begun)


def _check_options(aim: Any, method: Any, seconds: Any, stop: Any) -> None:
    for name, value, known in (("aim", aim, tuple(AIMS)), ("method", method, METHODS)):
        if value not in known:
            raise InvalidOption(name, show(value), f"one of {', '.join(known)}")
    read_seconds(seconds)
    if stop is not None and not isinstance(stop, threading.Event):
        raise InvalidOption("stop", show(stop), "a threading.Event")


def _read_rivals(growth: Any, rivals: Any) -> Any:
    if rivals is None:
        return PLAYOUTS if growth is None or (isinstance(growth, Forecast) and growth.rivals_close) else {}
    good = rivals in (PLAYOUTS, REPLIES) if isinstance(rivals, str) else isinstance(rivals, Mapping | Sequence)
    if not good or (isinstance(rivals, Sequence) and not rivals):
        expected = "'playouts', 'replies', rounds by aqueduct such as {'Y1': 2}, or a list of those"
        raise InvalidOption("rivals", show(rivals), expected)
    if rivals == PLAYOUTS and growth is not None and not isinstance(growth, Forecast):
        raise InvalidOption("rivals", "'playouts' with growth entered", "closings as data, or no growth")
    return rivals


class _Clock:
    """Knows whether there is time left, and whether somebody wants an end."""

    def __init__(self, end: float | None, stop: threading.Event | None) -> None:
        self.end, self.event = end, stop
        self.whole = self.left() or 0.0

    def left(self) -> float | None:
        return None if self.end is None else max(0.0, self.end - time.perf_counter())

    def runs_early(self) -> bool:
        """Checks whether less than half of the time is gone, so that enough is left for another way."""
        left = self.left()
        return self.runs() and (left is None or left > self.whole / 2)

    def runs(self) -> bool:
        return not (self.event is not None and self.event.is_set()) and self.left() != 0.0


class _Question:
    """What is asked, with its scenarios."""

    def __init__(self, position: Position, case: Case, growth: Any, rivals: Any, playouts: int, seed: int) -> None:
        self._position, self._rivals, self._seed = position, rivals, seed
        self._entered = None if growth is None or isinstance(growth, Forecast) else read_growth(case, growth)
        self._closings = self._read_closings(case)
        self._forecast = growth if isinstance(growth, Forecast) else None
        if self._forecast is not None:
            self._check_forecast(case, self._forecast)
        elif self._entered is None:
            self._forecast = self._play(case, playouts, seed)
        self.is_reply = rivals == REPLIES
        self.word = rivals if isinstance(rivals, str) else "data" if isinstance(rivals, Mapping) else "scenarios"
        self.case = replace(case, scenarios=self._list_scenarios(case, self._forecast))
        _check_weights(self.case)

    def _read_closings(self, case: Case) -> list[tuple[str, dict[int, int], Fraction]]:
        """Reads the rivals' closings that are given as data: where they stand, what they are, and their weights."""
        if isinstance(self._rivals, str):
            return []
        several = not isinstance(self._rivals, Mapping)
        made = []
        for i, given in enumerate(self._rivals if several else [self._rivals]):
            where = f"rivals.{i}" if several else "rivals"
            if not isinstance(given, Mapping):
                raise InvalidOption(where, show(given), "rounds by the rivals' aqueducts, such as {'Y1': 2}")
            weight = read_weight(f"{where}.weight", given.get("weight", 1))
            rounds = {name: number for name, number in given.items() if name != "weight"}
            made.append((where, read_closings(case, where, rounds), weight))
        return made

    def _check_forecast(self, case: Case, given: Forecast) -> None:
        wanted = (self._position, case.me + 1, case.rounds)
        if (given.position, given.player, given.rounds) != wanted:
            raise InvalidOption("growth", "is a forecast for something else", "the same position, player and rounds")
        if given.rivals_close != (self._rivals == PLAYOUTS):
            word = "close" if given.rivals_close else "close nothing"
            expected = f"forecast(…, rivals_close={not given.rivals_close}) with these rivals"
            raise InvalidOption("growth", f"the rivals {word} in its playouts", expected)

    def _play(self, case: Case, playouts: int, seed: int) -> Forecast:
        return forecast(
            self._position,
            player=case.me + 1,
            rounds=case.rounds,
            playouts=playouts,
            seed=seed,
            rivals_close=self._rivals == PLAYOUTS,
        )

    def _list_scenarios(self, case: Case, estimate: Forecast | None) -> tuple[Scenario, ...]:
        if self._entered is not None:
            return tuple(self._list_entered(case, self._entered))
        assert estimate is not None
        if self.is_reply:
            return (estimate.typical(),)
        if self._rivals == PLAYOUTS:
            return estimate.scenarios
        return tuple(with_rivals(s, closings, w) for s in estimate.scenarios for _, closings, w in self._closings)

    def _list_entered(self, case: Case, courses: dict[int, Course]) -> Iterator[Scenario]:
        if self.is_reply:
            yield Scenario(courses, {}, case.turns - 1)
        for where, closings, weight in self._closings:
            made = Scenario(courses, closings, case.turns - 1, weight)
            check_closings(case, where, made)
            yield made

    def try_on_others(self, orders: Mapping[str, int], clock: _Clock) -> Fresh | None:
        """Tries a schedule in playouts that it was not made for."""
        if self._entered is not None or self.is_reply or not clock.runs():
            return None
        other = self._play(self.case, FRESH, self._seed + 1)
        case = replace(self.case, scenarios=self._list_scenarios(self.case, other))
        given = {case.layout.aqueduct_index[name]: number for name, number in orders.items()}
        values = [points_of(case, replay(case, scenario, given), case.me) for scenario in case.scenarios]
        per_game = len(values) // FRESH  # the scenarios of one playout are no more than one observation
        games = [_expected_of(case, values, slice(i, i + per_game)) for i in range(0, len(values), per_game)]
        return Fresh(fmean(games), stdev(games) / sqrt(FRESH), FRESH)


def _expected_of(case: Case, values: list[int], part: slice) -> float:
    weights = [scenario.weight for scenario in case.scenarios[part]]
    return float(sum(w * v for w, v in zip(weights, values[part], strict=True)) / sum(weights))


def _check_weights(case: Case) -> None:
    if len(case.scenarios) > MOST_SCENARIOS:
        raise InvalidOption("playouts", f"make {len(case.scenarios)} scenarios", f"at most {MOST_SCENARIOS}")
    if sum(scale_weights(case)) > HEAVIEST:
        raise InvalidOption("rivals", "the weights have too many digits", "weights such as 1, 2.5 or 0.125")


# The answer


@dataclass(frozen=True)
class _Answer:
    """What was found for a case: in sums over the weights, without the points taken before."""

    case: Case
    value: int
    bound: int
    orders: dict[int, int]
    waiting: tuple[Wait, ...]
    proved: bool
    method: str


def _answer(question: _Question, aim: str, method: str, waits: int, seed: int, clock: _Clock) -> _Answer:
    if question.is_reply:
        return _answer_replies(question.case, waits, clock)
    return _Prover(question.case, aim, method, seed, clock).answer(waits)


@dataclass(frozen=True)
class _Proof:
    """What is known of the best schedule, or of the best that closes an aqueduct in a given round."""

    value: int | None
    """None if there is no such schedule, or if none was found."""
    bound: int
    orders: dict[int, int]
    proved: bool


class _Prover:
    """Proves schedules by search where they are few and by CP-SAT where they are many; each does the other's work."""

    def __init__(self, case: Case, aim: str, method: str, seed: int, clock: _Clock) -> None:
        self.case, self.aim, self.seed, self.clock = case, aim, seed, clock
        self._alone = method == "search"
        wanted = clock.runs if self._alone else clock.runs_early
        self._search = Search(case, aim, wanted)
        self._small = method != "cpsat"
        """Whether there is hope to search through all schedules."""
        self._model: timing_model.Model | None = None
        self._most = self._search.ceiling()
        self.method = "search"

    def answer(self, waits: int) -> _Answer:
        best = self.prove(None)
        method = self.method
        value = best.value if best.value is not None else self._try({})
        orders = self._tidy(best.orders, value)
        waiting = tuple(self._wait(a, number) for a in self.case.mine for number in _pins(self.case, waits))
        return _Answer(self.case, value, best.bound, orders, waiting, best.proved, method)

    def _tidy(self, orders: dict[int, int], value: int) -> dict[int, int]:
        """Leaves out orders that bring nothing, the last first."""
        kept = dict(orders)
        for a in sorted(orders, key=lambda a: -orders[a]):
            fewer = {b: number for b, number in kept.items() if b != a}
            if self._try(fewer) == value:
                kept = fewer
        return kept

    def _wait(self, a: int, number: int) -> Wait:
        found = self.prove((a, number))
        value = None if found.value is None else _scaled(self.case, self.aim, found.value)
        possible = found.value is not None or not found.proved
        if found.value is not None and self._try(found.orders) != found.value:
            raise RuntimeError("closure timing: the replay contradicts the value of waiting")
        return Wait(self.case.name(a), None if number == NEVER else number - 1, value, possible, found.proved)

    def _try(self, orders: dict[int, int]) -> int:
        """Gets what a schedule is worth by the rules, in sums over the weights."""
        outcomes = [replay(self.case, scenario, orders) for scenario in self.case.scenarios]
        values = [points_of(self.case, outcome, self.case.me) - self.case.before for outcome in outcomes]
        if self.aim == WORST:
            return min(values)
        return sum(weight * value for weight, value in zip(scale_weights(self.case), values, strict=True))

    def prove(self, pin: Order | None) -> _Proof:
        """Finds and proves the best schedule."""
        if self._small:
            try:
                found = self._search.solve(pin)
            except TooBig:
                self._small = self._alone
            else:
                if found is None:
                    return _Proof(None, self._most, {}, proved=True)
                return _Proof(found.value, found.value, found.orders, proved=True)
        if self._alone or not self.clock.runs():
            return self._or_climb(_Proof(None, self._most, {}, proved=False), pin)
        self.method = "CP-SAT"
        proof = self._run(pin)
        return proof if proof.proved else self._or_climb(proof, pin)

    def _or_climb(self, proof: _Proof, pin: Order | None) -> _Proof:
        """Takes a schedule found by climbing where nothing better is known."""
        found = self._search.climb(pin)
        if found is None or (proof.value is not None and proof.value >= found.value):
            return proof
        return replace(proof, value=found.value, orders=found.orders)

    def _run(self, pin: Order | None) -> _Proof:
        if self._model is None:
            self._model = timing_model.build(self.case, self.aim)
        cp = timing_model.pinned(self._model, pin)
        if cp is None:
            return _Proof(None, self._most, {}, proved=True)
        outcome = Run(workers=1, seed=self.seed % 2**31, stop=self.clock.event).solve(cp, self.clock.left())
        bound = self._most if outcome.bound is None else min(self._most, outcome.bound)
        if not outcome.found:
            return _Proof(None, bound, {}, proved=outcome.proved)
        orders = {order: outcome.solver.boolean_value(x) for order, x in self._model.orders.items()}
        kept = {a: number for (a, number), given in orders.items() if given}
        return _Proof(outcome.value, bound, kept, outcome.proved)


def _pins(case: Case, waits: int) -> list[int]:
    """Lists the rounds whose values are compared: now, some rounds later, and never."""
    return [*range(1, min(waits + 1, case.rounds) + 1), NEVER] if waits else []


def _answer_replies(case: Case, waits: int, clock: _Clock) -> _Answer:
    """Finds best replies, and puts the rivals' closings into the scenario."""
    lengths = case.scenarios[0]
    player = Player(case, lengths, clock.runs)
    line = player.solve()
    proved = line.horizon == case.rounds
    rivals = {a: number for a, number in line.orders.items() if a not in case.mine}
    mine = {a: number for a, number in line.orders.items() if a in case.mine}
    settled = replace(case, scenarios=(replace(lengths, closings=rivals),))
    waiting = tuple(_wait_for_replies(case, player, a, k, proved=proved) for a in case.mine for k in _pins(case, waits))
    value = line.points[case.me]
    bound = value if proved else case.layout.tables.podiums * len(case.mine)
    return _Answer(settled, value, bound, mine, waiting, proved, REPLIES)


def _wait_for_replies(case: Case, player: Player, a: int, number: int, *, proved: bool) -> Wait:
    rounds = None if number == NEVER else number - 1
    try:
        line = player.solve_pinned((a, number))
    except TooBig:
        return Wait(case.name(a), rounds, None, possible=True, proved=False)
    value = None if line is None else case.before + line.points[case.me]
    return Wait(case.name(a), rounds, value, possible=line is not None or not proved, proved=proved)


def _scaled(case: Case, aim: str, value: int) -> Number:
    """Gets the player's points from a sum over the weights."""
    made = case.before + Fraction(value, 1 if aim == WORST else sum(scale_weights(case)))
    return int(made) if made.denominator == 1 and (aim == WORST or len(case.scenarios) == 1) else float(made)


def _expected(case: Case, values: Sequence[int]) -> Number:
    if len(values) == 1:
        return values[0]
    weights = [scenario.weight for scenario in case.scenarios]
    return float(sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights))


def _checked(answer: _Answer, position: Position, aim: str, rivals: str) -> Timing:
    """Makes the result, after its value was replayed by the rules."""
    case = answer.case
    made = Timing(
        position=position,
        player=case.me + 1,
        rounds=case.rounds,
        aim=aim,
        rivals=rivals,
        value=_scaled(case, aim, answer.value),
        bound=_scaled(case, aim, answer.bound),
        proved=answer.proved,
        orders={case.name(a): number for a, number in answer.orders.items()},
        waiting=answer.waiting,
        fresh=None,
        seconds=0.0,
        method=answer.method,
        case=case,
    )
    values = [points_of(case, outcome, case.me) for outcome in made.outcomes]
    replayed = min(values) if aim == WORST else _expected(case, values)
    if abs(replayed - made.value) > 1e-9:
        raise RuntimeError(f"closure timing: the replay gives {replayed}, not {made.value}")
    return made
