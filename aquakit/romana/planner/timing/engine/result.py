"""What the engine says of closing own aqueducts sooner or later: estimates from games, with errors that hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from statistics import fmean
from typing import Any

from aquakit.core.words import count, join
from aquakit.drawing.tables import write_table
from aquakit.romana.board.clicks import name_colours
from aquakit.romana.planner.timing.engine.estimates import EngineRound, EngineScoring, Estimate, estimate
from aquakit.romana.planner.timing.engine.games import FREE, EngineQuestion, GameEnd, Moment, PlayedGame
from aquakit.romana.planner.timing.engine.race import EngineRace, draw_growth
from aquakit.romana.planner.timing.replay import CLOSED, WALLED, Taken, TimingCase
from aquakit.romana.planner.timing.waits import head_of, say_wait


@dataclass(frozen=True)
class ClosingDecision:
    """What comes of closing an aqueduct after some rounds, if all play on by the engine.

    >>> import aquakit
    >>> p = aquakit.parse("romana2-5x4 F##.7/.+-7./.L++./L.##J ..c.s/.bd./..cs./..db - -,- *.3,*.3 0.0.0.0 1 0")
    >>> found = aquakit.timing(p, rounds=1, rivals="engine", games=4, per_decision=50)
    >>> for row in found.engine.decisions:  # who is scored second finds podium 4 taken, and 3 full
    ...     print(row.aqueduct, row.head, row.possible, row.lead.mean, row.is_best, row.is_as_good)
    R1 now True 4.0 True False
    R1 never True -4.0 False False
    """

    aqueduct: str
    rounds: int | None
    """Rounds waited: 0 to close it now; none to leave it open."""
    done: float | None
    """The share of the games in which it could be closed then; none if none was played."""
    lead: Estimate | None
    """The player's points at the end of the game beyond those of the best other player, bonuses among them."""
    points: Estimate | None
    """The player's points."""
    behind: Estimate | None
    """How much less the lead is than with the best of these decisions, game by game; none for that one."""

    @property
    def possible(self) -> bool:
        """Whether any game allowed it, as far as is known."""
        return self.done != 0

    @property
    def is_best(self) -> bool:
        """Whether no other decision about this aqueduct did better in these games."""
        return self.lead is not None and self.behind is None

    @property
    def is_as_good(self) -> bool:
        """Whether the difference from the best one may be chance."""
        behind = self.behind
        return behind is not None and (behind.margin is None or behind.mean <= behind.margin)

    @property
    def head(self) -> str:
        """How long that is, for a table: now, +1, never."""
        return head_of(self.rounds)


@dataclass(frozen=True, repr=False, eq=False)
class EngineTiming:
    """What the engine's games say of the moments to close own aqueducts. Estimated, never proved.

    >>> import aquakit
    >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=2, rivals="engine", games=4, per_decision=20).engine
    >>> found.games, found.wanted, found.names, found.lead.games
    (4, 4, ('Red', 'Green'), 4)
    >>> [row.head for row in found.decisions] == 2 * [row.head for row in found.of("R1")]
    True
    >>> found.growth[0].length.mean <= found.growth[1].length.mean  # R1 in rounds 1 and 2
    True
    >>> {row.how for row in found.scorings} <= {"closed", "by construction"}
    True
    """

    question: EngineQuestion
    played: tuple[PlayedGame, ...]
    wanted: int
    """Games that were asked for; fewer are played if the time ends, or somebody ends it."""
    seconds: float

    # Reading

    @property
    def games(self) -> int:
        """The games played to their end, each once for every decision."""
        return len(self.played)

    @property
    def _case(self) -> TimingCase:
        """What is asked about."""
        return self.question.case

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        layout = self._case.layout
        return tuple(name_colours(layout, player) for player in range(1, len(layout.players) + 1))

    @cached_property
    def lead(self) -> Estimate | None:
        """The player's lead if everybody closes what the engine would; none without games."""
        return self._estimate_lead(self._outcomes(FREE)) if self.played else None

    @cached_property
    def decisions(self) -> tuple[ClosingDecision, ...]:
        """For each own open aqueduct, the moments to close it."""
        return tuple(row for a in self._case.mine for row in self._list_decisions(a))

    def of(self, aqueduct: str) -> tuple[ClosingDecision, ...]:
        """Gets the moments to close one aqueduct."""
        return tuple(row for row in self.decisions if row.aqueduct == aqueduct)

    def _outcomes(self, moment: Moment) -> list[GameEnd]:
        return [game.outcomes[moment] for game in self.played]

    def _estimate_lead(self, outcomes: list[GameEnd]) -> Estimate:
        return estimate([o.lead for o in outcomes], certain=all(o.certain for o in outcomes))

    def _list_decisions(self, a: int) -> Iterator[ClosingDecision]:
        moments = [moment for moment in self.question.moments if moment[0] == a]
        name = self._case.name(a)
        if not self.played:
            yield from (ClosingDecision(name, wait, None, None, None, None) for _, wait in moments)
            return
        done = {moment: fmean(outcome.done for outcome in self._outcomes(moment)) for moment in moments}
        leads = {m: fmean(outcome.lead for outcome in self._outcomes(m)) for m in moments if done[m]}
        best = max(leads, key=lambda moment: leads[moment])
        for moment in moments:
            if moment not in leads:
                yield ClosingDecision(name, moment[1], 0.0, None, None, None)
                continue
            outcomes = self._outcomes(moment)
            certain = all(outcome.certain for outcome in outcomes)
            points = estimate([outcome.points[self._case.me] for outcome in outcomes], certain=certain)
            behind = None if moment == best else self._compare(best, moment)
            yield ClosingDecision(name, moment[1], done[moment], self._estimate_lead(outcomes), points, behind)

    def _compare(self, best: Moment, other: Moment) -> Estimate:
        """Estimates how much less another moment brings than the best one, game by game."""
        pairs = list(zip(self._outcomes(best), self._outcomes(other), strict=True))
        certain = all(one.certain and two.certain for one, two in pairs)
        return estimate([one.lead - two.lead for one, two in pairs], certain=certain)

    @cached_property
    def growth(self) -> tuple[EngineRound, ...]:
        """How every open aqueduct fares, round by round, if everybody closes what the engine would."""
        if not self.played:
            return ()
        rounds = range(1, self._case.rounds + 1)
        return tuple(self._read_round(a, number) for a in self.played[0].lengths for number in rounds)

    def _read_round(self, a: int, number: int) -> EngineRound:
        name, owner = self._case.name(a), self._case.owner(a) + 1
        length = estimate([game.lengths[a][number - 1] for game in self.played])
        shares = {
            how: fmean(_was_scored(game.taken.get(a), how, number) for game in self.played) for how in (CLOSED, WALLED)
        }
        return EngineRound(name, owner, number, length, shares[CLOSED], shares[WALLED])

    @cached_property
    def scorings(self) -> tuple[EngineScoring, ...]:
        """How aqueducts come to be scored in the rounds looked at, if everybody closes what the engine would."""
        return tuple(self._read_scorings()) if self.played else ()

    def _read_scorings(self) -> Iterator[EngineScoring]:
        for a in self.played[0].lengths:
            taken = [t for game in self.played if (t := game.taken.get(a)) is not None and t.round is not None]
            if taken:
                closed = sum(t.how == CLOSED for t in taken)
                how = CLOSED if 2 * closed >= len(taken) else WALLED
                when, podium = estimate([self._when(t) for t in taken]), estimate([t.podium for t in taken])
                yield EngineScoring(self._case.name(a), len(taken) / self.games, how, when, podium)

    def _when(self, taken: Taken) -> float:
        """Gets when a workman leaves the board, in rounds, players one after the other."""
        players = len(self._case.order)
        return 1 + (taken.turn + 0.5) / players

    # Showing

    def rows(self) -> list[dict[str, Any]]:
        """Lists the decisions with their estimates.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> [(row["aqueduct"], row["closed"]) for row in found.engine.rows()]
        [('R1', 'now'), ('R1', 'never'), ('R2', 'now'), ('R2', 'never')]
        """
        return [
            {"aqueduct": row.aqueduct, "closed": row.head, "done": row.done}
            | _spread("lead", row.lead)
            | _spread("points", row.points)
            | _spread("behind", row.behind)
            for row in self.decisions
        ]

    def frame(self) -> Any:
        """Gets a DataFrame: each decision with the lead that comes of it, the points, and how far behind it is.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> list(found.engine.frame().columns[:5])
        ['aqueduct', 'closed', 'done', 'lead', 'lead_stderr']
        """
        import pandas as pd

        return pd.DataFrame(self.rows())

    def growth_rows(self) -> list[dict[str, Any]]:
        """Lists how every open aqueduct fares, round by round.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> [row["aqueduct"] for row in found.engine.growth_rows()]
        ['R1', 'R2', 'G1', 'G2']
        """
        return [
            {"aqueduct": row.aqueduct, "player": row.player, "round": row.round}
            | _spread("length", row.length)
            | {"closed": row.closed, "by_construction": row.by_construction}
            for row in self.growth
        ]

    def growth_frame(self) -> Any:
        """Gets a DataFrame of expected lengths with their errors, and of the shares closed, round by round.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=2, rivals="engine", games=2, per_decision=20)
        >>> found.engine.growth_frame().shape
        (8, 7)
        """
        import pandas as pd

        return pd.DataFrame(self.growth_rows())

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> sorted(found.engine.json())
        ['decisions', 'games', 'growth', 'lead', 'per_decision', 'seconds', 'wanted']
        """
        return {
            "games": self.games,
            "wanted": self.wanted,
            "per_decision": self.question.per_decision,
            "lead": None if self.lead is None else {"mean": self.lead.mean, "stderr": self.lead.stderr},
            "decisions": self.rows(),
            "growth": self.growth_rows(),
            "seconds": round(self.seconds, 3),
        }

    def race(self, ax: Any = None) -> Any:
        """Draws how the aqueducts grow in the engine's games, and when they are scored, with error bars.

        >>> import aquakit
        >>> from matplotlib.figure import Figure
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=2, rivals="engine", games=2, per_decision=20)
        >>> found.engine.race(Figure().subplots()).get_ylabel()
        'expected length'
        """
        return draw_growth(self.shown, ax)

    @property
    def shown(self) -> EngineRace:
        """What a chart shows of the games.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> found.engine.shown.games
        2
        """
        return EngineRace(self._case, self.names, self.games, self.growth, self.scorings)

    def summary(self) -> Iterator[str]:
        """Says what was played, and what the numbers are.

        >>> import aquakit
        >>> found = aquakit.timing(aquakit.start("romana2-5x4"), rounds=1, rivals="engine", games=2, per_decision=20)
        >>> next(found.engine.summary()).partition(",")[0]
        'Estimated by the engine'
        """
        asked = "" if self.games == self.wanted else f" of {self.wanted:,}"
        each = count(self.question.per_decision, "playout")
        yield (
            f"Estimated by the engine, not proved: everybody plays on by a search of {each} for each decision, "
            f"closings among them ({self.games:,}{asked} games, {self.seconds:.1f} s)."
        )
        if self.lead is None:
            yield "No game was played to its end in that time, so nothing is known."
            return
        who = self.names[self._case.me]
        yield (
            f"{who}'s expected lead at the end of the game is {self.lead.tell('+')} if all close what the engine "
            f"would, and so much if one aqueduct is closed at a given moment, or never in {self._rounds}:"
        )

    @property
    def _rounds(self) -> str:
        return count(self._case.rounds, "round")

    def _table(self) -> tuple[list[str], list[list[str]]]:
        return ["aqueduct", "closed", "lead", "behind the best", "possible"], [
            [row.aqueduct if row.rounds == 0 else "", _say(row), *_tell(row)] for row in self.decisions
        ]

    def __str__(self) -> str:
        heads, body = self._table()
        widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in (heads, *body)]
        return "\n".join([*self.summary(), *(lines if self.played else ())])

    def in_words(self) -> str:
        """Says in sentences what is best for each aqueduct, and what the other moments cost.

        >>> import aquakit
        >>> p = aquakit.parse("romana2-5x4 F##.7/.+-7./.L++./L.##J ..c.s/.bd./..cs./..db - -,- *.3,*.3 0.0.0.0 1 0")
        >>> found = aquakit.timing(p, rounds=1, rivals="engine", games=40, per_decision=50)
        >>> print(found.engine.in_words().splitlines()[2])
        R1 is best closed now, lead +4.0 ± 0.1. The lead is smaller by 8.0 ± 0.1 if left open.
        """
        told = [self._tell_aqueduct(self.of(self._case.name(a))) for a in self._case.mine] if self.played else []
        return "\n".join([*self.summary(), *told])

    def _tell_aqueduct(self, rows: tuple[ClosingDecision, ...]) -> str:
        best = next(row for row in rows if row.is_best)
        assert best.lead is not None
        what = "left open" if best.rounds is None else f"closed {_say(best)}"
        told = [f"{best.aqueduct} is best {what}, lead {best.lead.tell('+')}."]
        costs = [f"{row.behind} if {_say_choice(row)}" for row in rows if row.behind and not row.is_as_good]
        told += [f"The lead is smaller by {join(costs)}."] if costs else []
        as_good = [_say_choice(row) for row in rows if row.is_as_good]
        told += [f"It may be as good {join(as_good, 'or')}."] if as_good else []
        never = [_say(row) for row in rows if not row.possible]
        told += [f"No game allowed closing it {join(never, 'or')}."] if never else []
        return " ".join(told)

    def __repr__(self) -> str:
        return f"<EngineTiming: {self.games} games, lead {'?' if self.lead is None else self.lead.tell('+')}>"

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(line)}</p>" for line in self.summary())
        return f"{notes}{write_table(*self._table(), 'estimated, ± two standard errors')}" if self.played else notes


def _was_scored(taken: Taken | None, how: str, number: int) -> bool:
    """Checks whether an aqueduct was closed in such a way by the end of a round."""
    return taken is not None and taken.how == how and taken.round is not None and taken.round <= number


def _spread(name: str, found: Estimate | None) -> dict[str, float | None]:
    return {name: None if found is None else found.mean, f"{name}_stderr": None if found is None else found.stderr}


def _say(row: ClosingDecision) -> str:
    """Says a moment on its own."""
    return "never" if row.rounds is None else say_wait(row.rounds) if row.rounds else "now"


def _say_choice(row: ClosingDecision) -> str:
    """Says what is done, in a sentence."""
    return "left open" if row.rounds is None else f"closed {_say(row)}"


def _tell(row: ClosingDecision) -> tuple[str, str, str]:
    """Writes the lead, the difference from the best, and how often it could be done."""
    if row.lead is None or row.done is None:
        return "-", "", "in no game"
    chance = ", may be chance" if row.is_as_good else ""
    behind = "best" if row.behind is None else f"{row.behind.tell()}{chance}"
    return row.lead.tell("+"), behind, "" if row.done == 1 else f"in {row.done:.0%} of games"
