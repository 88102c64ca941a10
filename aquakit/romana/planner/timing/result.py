"""What closure timing answers: a schedule, its value and how sure that is, as data, as a table and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from typing import Any

from aquakit.core.options import read_whole
from aquakit.core.words import count
from aquakit.drawing.tables import write_table
from aquakit.romana.board.clicks import name_colours
from aquakit.romana.planner.timing.engine.result import EngineTiming
from aquakit.romana.planner.timing.model import EXPECTED, WORST
from aquakit.romana.planner.timing.question import PLAYOUTS, REPLIES, Fresh
from aquakit.romana.planner.timing.replay import CLOSED, Number, Scenario, Taken, TimingCase, expect, points_of, replay
from aquakit.romana.planner.timing.waits import head_of, say_wait
from aquakit.romana.position import Position


@dataclass(frozen=True)
class Closing:
    """What a schedule says of an own aqueduct, and what comes of it.

    >>> import aquakit
    >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]})
    >>> found.schedule[0]
    Closing(aqueduct='R1', round=None, carried_out=0, length=5, podium=5)
    """

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
    """What the whole schedule is worth if an aqueduct is closed after some rounds.

    >>> import aquakit
    >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]}, closed_only=True)
    >>> [(wait.head, wait.value, wait.tell("≥", 1)) for wait in found.waiting if wait.aqueduct == "R1"]
    [('now', 3, '3'), ('+1', 5, '5'), ('never', 0, '0')]
    >>> found.waiting[1].words
    'after 1 round'
    """

    aqueduct: str
    rounds: int | None
    """Rounds waited: 0 to close it now; none to leave it open."""
    value: Number | None
    """The player's points with the best rest of the schedule; none if it cannot be closed then, or nothing is known."""
    possible: bool
    proved: bool

    @property
    def head(self) -> str:
        """How long that is, for a table's head."""
        return head_of(self.rounds)

    @property
    def words(self) -> str:
        """How long that is, within a sentence."""
        if self.rounds is None:
            return "if left open"
        return say_wait(self.rounds) if self.rounds else "if closed now"

    def tell(self, sign: str, digits: int) -> str:
        """Writes the value for a table's cell; the sign says what it is if it is not proved."""
        if not self.possible:
            return "-"
        if self.value is None:
            return "?"
        value = write_number(self.value, digits)
        return value if self.proved else f"{sign} {value}"


def write_number(value: Number, digits: int) -> str:
    """Writes a whole number as it is and a mean with some digits."""
    return str(value) if isinstance(value, int) else f"{value:.{digits}f}"


@dataclass(frozen=True, repr=False, eq=False)
class Timing:
    """When to close which aqueduct, and how sure that is.

    Values are the player's podium points, those already taken among them, without bonus as in study positions [S2].

    >>> import aquakit
    >>> growth = {"R1": [3, 4, 4], "R2": [1, 1, 5], "G1": [2, 4, 4]}
    >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=3, growth=growth, rivals={"G1": 2})
    >>> found.value, found.bound, found.proved, dict(found.orders)
    (9, 9, True, {'R1': 2})
    >>> found.points, found.podiums["G1"], found.names
    ((9, 3), 3, ('Red', 'Green'))
    >>> len(found.scenarios), len(found.outcomes), found.nearest, [closing.aqueduct for closing in found.schedule]
    (1, 1, 0, ['R1', 'R2'])
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
    case: TimingCase
    engine: EngineTiming | None = None
    """What the engine's games say of the same closings, if they were asked for: estimated, and no part of the proof."""

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
        return expect(self.scenarios, values)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(name_colours(self.case.layout, player) for player in range(1, len(self.case.layout.players) + 1))

    def takings(self, scenario: int | None = None) -> tuple[Taken, ...]:
        """Gets who takes which podium when: in a scenario, from 0, or in that nearest to the expected value.

        >>> import aquakit
        >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5], "G1": 1})
        >>> [(taken.aqueduct, taken.podium) for taken in found.takings() if taken.podium]
        [('G1', 2), ('R1', 5)]
        """
        return self.outcomes[self.nearest if scenario is None else self._read_scenario(scenario)]

    def _read_scenario(self, scenario: int) -> int:
        return read_whole("scenario", scenario, most=len(self.outcomes) - 1)

    @property
    def nearest(self) -> int:
        """The scenario in which the player's points are nearest to the expected ones."""
        values = [points_of(self.case, outcome, self.player - 1) for outcome in self.outcomes]
        mean = self._expect(values)
        return min(range(len(values)), key=lambda i: abs(values[i] - mean))

    # Showing

    def rows(self) -> list[dict[str, Any]]:
        """Lists the own open aqueducts with the schedule and the values of waiting.

        >>> import aquakit
        >>> aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]}).rows()[0]["aqueduct"]
        'R1'
        """
        made = []
        for closing in self.schedule:
            mine = [wait for wait in self.waiting if wait.aqueduct == closing.aqueduct]
            made.append(asdict(closing) | {wait.head: wait.value for wait in mine})
        return made

    def frame(self) -> Any:
        """Gets a DataFrame: each own open aqueduct, when to close it, and the value of closing it now or later.

        >>> import aquakit
        >>> list(aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]}).frame().columns)
        ['aqueduct', 'round', 'carried_out', 'length', 'podium', 'now', '+1', 'never']
        """
        import pandas as pd

        return pd.DataFrame(self.rows())

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> import aquakit
        >>> aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]}).json()["value"]
        5
        """
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
            "engine": None if self.engine is None else self.engine.json(),
        }

    def race(self, ax: Any = None, *, scenario: int | None = None) -> Any:
        """Draws the podium race: who takes which podium when.

        With the engine's games, the race of the proved schedule stands above that of the engine, on new axes; on given
        axes either is drawn alone, here or by `engine.race`.

        >>> import aquakit
        >>> from matplotlib.figure import Figure
        >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5], "G1": 1})
        >>> found.race(Figure().subplots()).get_xlabel()
        'round, each with 2 turns'
        """
        from aquakit.romana.planner.timing.race import PodiumRace, draw_race

        shown = self.nearest if scenario is None else self._read_scenario(scenario)
        race = PodiumRace(self.case, self.names, self.outcomes, shown)
        if self.engine is None or ax is not None or not self.engine.played:
            return draw_race(race, ax)
        from aquakit.romana.planner.timing.engine.race import draw_both

        return draw_both(
            race, self.engine.shown, f"{'Proved' if self.proved else 'Best known'} schedule, for given growth"
        )

    def summary(self) -> Iterator[str]:
        """Says what the schedule is worth and how sure that is, in a line or two.

        >>> import aquakit
        >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]})
        >>> next(found.summary()).partition(",")[0]
        'Red'
        """
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
        heads = ["aqueduct", "close", "length", "podium", *(wait.head for wait in waits)]
        body = []
        for closing in self.schedule:
            mine = [wait for wait in self.waiting if wait.aqueduct == closing.aqueduct]
            done = "" if closing.carried_out in (0, 1) else f" ({closing.carried_out:.0%})"
            order = "leave open" if closing.round is None else f"in round {closing.round}{done}"
            cells = [closing.aqueduct, order, _write(closing.length), _write(closing.podium)]
            body.append(cells + [wait.tell(self._sign, 2) for wait in mine])
        return heads, body

    @property
    def _sign(self) -> str:
        """What stands before a value that is not proved."""
        return "~" if self.method == REPLIES else "≥"

    def __str__(self) -> str:
        heads, body = self._table()
        widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
        lines = [_align(row, widths) for row in (heads, *body)]
        return self._with_engine("\n".join([*self.summary(), *lines]), str)

    def _with_engine(self, text: str, tell: Callable[[EngineTiming], str]) -> str:
        """Adds what the engine says, if it was asked, and tells the two apart."""
        if self.engine is None:
            return text
        return f"{self._premise}\n{text}\n\n{tell(self.engine)}"

    @property
    def _premise(self) -> str:
        """Says what the schedule takes for granted."""
        played = self.rivals == PLAYOUTS or len(self.scenarios) > 1
        growth = f"as in {count(len(self.scenarios), 'playout')}" if played else "as entered"
        return f"Taking for granted that aqueducts grow {growth}, whatever is closed, and leaving builders aside:"

    def in_words(self) -> str:
        """Says in sentences when to close which aqueduct, and what it would be worth to close it sooner or later.

        >>> import aquakit
        >>> found = aquakit.timing(Position.start("romana2-5x4"), rounds=2, growth={"R1": [3, 5]}, closed_only=True)
        >>> print(found.in_words().splitlines()[1])
        Close R1 in round 2: length 5, podium 5. In all 3 if closed now, 5 after 1 round, 0 if left open.
        """
        text = "\n".join([*self.summary(), *map(self._tell_closing, self.schedule)])
        return self._with_engine(text, lambda engine: engine.in_words())

    def _tell_closing(self, closing: Closing) -> str:
        name, sure = closing.aqueduct, closing.carried_out in (0, 1)
        what = f"Leave {name} open" if closing.round is None else f"Close {name} in round {closing.round}"
        if closing.round is not None and not sure:
            what += f" (possible in {closing.carried_out:.0%})"
        comes = f"{what}: length {_write(closing.length)}, podium {_write(closing.podium)}."
        waits = [wait for wait in self.waiting if wait.aqueduct == name and wait.possible]
        worth = [f"{wait.tell(self._sign, 2)} {wait.words}" for wait in waits]
        return f"{comes} In all {', '.join(worth)}." if worth else comes

    def __repr__(self) -> str:
        return f"<Timing: {next(self.summary())}>"

    def _repr_html_(self) -> str:
        heads, body = self._table()
        notes = "".join(f"<p>{escape(line)}</p>" for line in self.summary())
        note = "now, +1 …: points with the best schedule that closes it so" if self.waiting else "the schedule"
        made = f"{notes}{write_table(heads, body, note)}"
        if self.engine is None:
            return made
        return f"<p>{escape(self._premise)}</p>{made}{self.engine._repr_html_()}"


def _write(value: Number) -> str:
    return write_number(value, 2)


def _align(row: list[str], widths: list[int]) -> str:
    """Sets texts to the left and numbers to the right."""
    cells = [cell.ljust(w) if i < 2 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
    return "  ".join(cells).rstrip()
