"""What the planner answers: a plan with its proof, the plans that are as good, as turns, tables and pictures."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from aquakit.board.telling import tell_line
from aquakit.core.options import read_flag, read_seconds, read_stop, read_whole
from aquakit.core.words import count as say_count
from aquakit.drawing.tables import write_table
from aquakit.errors import InvalidOption, contradiction
from aquakit.planning.listing import Listing
from aquakit.romana.notation import Action, Turn
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan.portfolio import WITNESSES, Portfolio, choose_method
from aquakit.romana.planner.plan.witness import PlanProof, ask_second_witness
from aquakit.romana.planner.plan_question import PlanQuestion
from aquakit.romana.position import Position

if TYPE_CHECKING:
    from aquakit.core.record import Record

USUAL_LISTED = 200
"""How many plans or turns are listed if nothing else is said."""
MOST_LISTED = 1_000_000


@dataclass(frozen=True)
class Plan:
    """A plan for one player alone, and how sure it is that there is no better one.

    >>> import aquakit
    >>> best = aquakit.plan(Position.start("romana2-5x4"), turns=2)
    >>> best.points, best.bound, best.proved, len(best.turns)
    (3, 3, True, 2)
    >>> [position.player for position in best.positions]
    [1, 1, 1]
    """

    position: Position
    """The study position that it begins with [S1]."""
    points: int | None
    """The player's podium points at its end, open aqueducts scored, without bonus [S2]; none if no plan was found."""
    turns: tuple[Turn, ...]
    bound: int
    """No plan is worth more."""
    proved: bool
    """Whether it is proved that there is no better plan."""
    method: str
    """What found it, and proved it if that was possible: search or cpsat."""
    seconds: float
    states: int
    """States that the search looked at."""
    cuts: int
    """Plans of the constraint model that the rules refused."""
    question: PlanQuestion = field(repr=False)
    """The question."""
    begun: tuple[Turn, ...] = field(default=(), repr=False)
    """The turns with which the plan had to begin."""
    proofs: tuple[PlanProof, ...] = ()
    """Who proved it, and in what time; with `verify` the second witness too, who may have come to no end."""
    _way: str = field(default="auto", repr=False)

    def verified(self, seconds: float | None = None, stop: threading.Event | None = None) -> Plan:
        """Asks the second witness: gets the same plan with what the other method proves of it in so many seconds.

        What is not proved, or takes no search, stays as it is.

        >>> import aquakit
        >>> best = aquakit.plan(Position.start("romana2-5x4"), turns=2, method="search")
        >>> [proof.by for proof in best.verified().proofs]
        ['search', 'cpsat']
        """
        if len(self.proofs) != 1 or self.proofs[0].by not in WITNESSES:
            return self
        second = ask_second_witness(self.question, self.proofs[0], read_seconds(seconds), read_stop(stop))
        return replace(self, proofs=(*self.proofs, second))

    # Other plans that are as good

    def alternatives(
        self, *, whole: bool = False, limit: int = USUAL_LISTED, seconds: float | None = None, method: str | None = None
    ) -> Listing:
        """Finds all first builds (square, tile, builder) with which the same points can be had.

        With `whole` it lists whole first turns instead, up to a limit; where extra tiles, picks and places change
        nothing, there can be thousands. The listing is complete if every other first build was proved to be worse.

        >>> import aquakit
        >>> best = aquakit.plan(Position.start("romana2-5x4"), turns=1)
        >>> found = best.alternatives()
        >>> found, found.complete
        (('d4=+@E4',), True)
        >>> best.alternatives(whole=True, limit=2).complete
        False
        """
        self._check_proved()
        until = _clock(seconds)
        read_whole("limit", limit, least=1, most=MOST_LISTED)
        if self.question.turns == 0 or self.question.position.is_over:
            return Listing.of((), complete=True)
        if read_flag("whole", whole):
            listing = self._list((turns and turns[0] for turns in self._walk(1, until)), limit)
            return self._checked(listing, self._own[0])
        way = choose_method(method or self._way)
        found, complete = list[str](), True
        for build in self._first_builds():
            question = replace(self.question, first=build, at_least=self.points)
            asked = self._ask(question, until, way)
            answer = asked.run()
            if answer.points is not None:
                found.append(build)
            complete = complete and (answer.points is not None or answer.proved)
            if asked.interrupted:
                return Listing.of(found, complete=False)
        own = next(str(action) for action in self._own[0] if action.what in ("build", "advance"))
        return self._checked(Listing.of(found, complete=complete), own)

    def enumerate(self, limit: int = USUAL_LISTED, *, seconds: float | None = None) -> Listing:
        """Lists all best plans, each as its turns, up to a limit.

        >>> import aquakit
        >>> plans = aquakit.plan(Position.start("romana2-5x4"), turns=1).enumerate(100)
        >>> len(plans), plans.complete
        (3, True)
        """
        self._check_proved()
        until = _clock(seconds)
        read_whole("limit", limit, least=1, most=MOST_LISTED)
        return self._checked(self._list(self._walk(self.question.turns, until), limit), self._own)

    def _check_proved(self) -> None:
        if not self.proved or self.points is None:
            raise InvalidOption("plan", "is not proved", "a plan that is known to be the best, by more seconds")

    @property
    def _own(self) -> tuple[Turn, ...]:
        """The turns that were planned."""
        return self.turns[len(self.begun) :]

    def _checked(self, listing: Listing, own: Any) -> Listing:
        """Gives a listing on, which cannot be complete without what the plan itself has."""
        if listing.complete and own not in listing:
            claim = f"{self.method} has a plan of {self.points} points, {' / '.join(map(str, self._own))}"
            raise contradiction(self.question, claim, "all that is as good was listed without it")
        return listing

    def _list(self, items: Iterator[Any], limit: int) -> Listing:
        """Lists items up to a limit, or to where time ran out or somebody interrupts."""
        found = list[Any]()
        try:
            for item in items:
                if item is None or len(found) == limit:
                    return Listing.of(found, complete=False)
                found.append(item)
        except KeyboardInterrupt:
            return Listing.of(found, complete=False)
        return Listing.of(found, complete=True)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.question)

    def _first_builds(self) -> list[str]:
        """Lists the builds, or advances, that are possible in the first turn after some placing of held builders."""
        waiting, found = [self.question.position], dict[str, None]()
        while waiting:
            moment = waiting.pop()
            for action in moment.actions():
                if action.what == "place":
                    waiting.append(moment.act(action))
                elif self.question.allows(action):
                    found[str(action)] = None
        return sorted(found)

    def _ask(self, question: PlanQuestion, until: float | None, method: str) -> Portfolio:
        left = None if until is None else max(0.01, until - time.perf_counter())
        searcher = None if method == "cpsat" else self._searcher
        return Portfolio(question, method=method, seconds=left, searcher=searcher)

    def _walk(self, depth: int, until: float | None) -> Iterator[tuple[Turn, ...] | None]:
        """Goes through the first `depth` turns of all best plans; gives none, once, where time ran out."""
        assert self.points is not None
        waiting: list[tuple[Position, tuple[Turn, ...], tuple[Action, ...]]] = [(self.question.position, (), ())]
        while waiting:
            moment, turns, turn = waiting.pop()
            if len(turns) == depth or moment.is_over:
                yield turns
                continue
            following = list[tuple[Position, tuple[Turn, ...], tuple[Action, ...]]]()
            for action in moment.actions():
                if not self.question.allows(action):
                    continue
                after, done = moment.act(action), (*turn, action)
                left = self.question.turns - len(turns) - (0 if after.played else 1)
                good = self._searcher.reaches(after, left, self.points, until)
                if good is None:
                    yield None
                    return
                if good:
                    following.append((after, turns, done) if after.played else (after, (*turns, Turn(done)), ()))
            waiting += reversed(following)

    # Showing

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """The study position and those after each turn."""
        found = [self.position]
        for turn in self.turns:
            found.append(found[-1].play(turn))
        return tuple(found)

    def _steps(self) -> Iterator[tuple[Turn, Position, Position]]:
        """Goes through the turns, each with the positions before and after it."""
        return zip(self.turns, self.positions[:-1], self.positions[1:], strict=True)

    def rows(self) -> list[dict[str, Any]]:
        """Describes the plan turn by turn, as plain data.

        >>> import aquakit
        >>> [row["points"] for row in aquakit.plan(Position.start("romana2-5x4"), turns=2).rows()][-1]
        3
        """
        made = []
        for number, (turn, before, after) in enumerate(self._steps(), 1):
            row = _describe(turn, before, after)
            made.append({"turn": number, **row, "points": self.question.worth(after), "text": str(turn)})
        return made

    def frame(self) -> Any:
        """Gets a table with a row for each turn: tile, square, builder, lengths, podium.

        >>> import aquakit
        >>> list(aquakit.plan(Position.start("romana2-5x4"), turns=2).frame().columns)[:4]
        ['tile', 'square', 'builder', 'extra']
        """
        import pandas as pd

        columns = ["turn", "tile", "square", "builder", "extra", "closed", "podium", "picked", "placed"]
        names = [a.name for a in self.position.aqueducts if a.owner == self.position.player]
        return pd.DataFrame(self.rows(), columns=[*columns, *names, "points", "text"]).set_index("turn")

    def record(self) -> Record:
        """Gets the plan as a record, to open in an explorer.

        >>> import aquakit
        >>> len(aquakit.plan(Position.start("romana2-5x4"), turns=2).record().root.main())
        3
        """
        from aquakit.core.record import Record

        made = Record(self.position)
        made.root.comment = self.summary()
        node = made.root
        for turn in self.turns:
            node = node.play(turn)
        return made

    def pictures(self, **options: Any) -> list[str]:
        """Draws the position after each turn as SVG, with that turn marked; options are those of `position.svg`.

        >>> import aquakit
        >>> len(aquakit.plan(Position.start("romana2-5x4"), turns=2).pictures(size=300))
        2
        """
        return [after.svg(**{"last": turn, "before": before} | options) for turn, before, after in self._steps()]

    def svg(self, **options: Any) -> str:
        """Draws the board as it is at the plan's end, with the number of the turn on each tile that it lays.

        >>> import aquakit
        >>> aquakit.plan(Position.start("romana2-5x4"), turns=2).svg(theme="dark")[:4]
        '<svg'
        """
        labels = {}
        for number, turn in enumerate(self.turns, 1):
            for action in turn:
                if action.square:
                    labels[action.square] = f"{number}+" if action.what == "extra" else str(number)
        return self.positions[-1].svg(**{"highlights": labels} | options)

    def summary(self) -> str:
        """Says in a line what was found and how sure that is.

        >>> import aquakit
        >>> print(aquakit.plan(Position.start("romana2-5x4"), turns=2, method="search").summary())
        3 points in 2 turns, proved by search in ... s
        """
        asked = self.question.turns + len(self.begun)
        turns = say_count(asked, "turn")
        if 0 < len(self.turns) < asked:
            turns += f" (no workman is left after {len(self.turns)})"
        if self.points is None:
            return f"{turns}: nothing proved, no plan found in {self.seconds:.1f} s; at most {self.bound} points"
        if self.proved:
            return f"{say_count(self.points, 'point')} in {turns}, {', '.join(self._tell_proofs(self.points))}"
        best = f"best so far {say_count(self.points, 'point')} in {turns}"
        return f"nothing proved, {best}, at most {self.bound}, after {self.seconds:.1f} s"

    def _tell_proofs(self, points: int) -> Iterator[str]:
        """Says who proved the points, and who came to no end."""
        for i, proof in enumerate(self.proofs):
            verb = ("confirmed" if i else "proved") if proof.points == points else "not confirmed"
            yield f"{verb} by {proof.by} in {proof.seconds:.1f} s"

    def json(self) -> dict[str, Any]:
        """Gets the plan as plain data, with what was asked.

        >>> import aquakit
        >>> aquakit.plan(Position.start("romana2-5x4"), turns=2).json()["points"]
        3
        """
        asked = {
            "turns": self.question.turns + len(self.begun),
            "closed_only": self.question.closed_only,
            "closing": self.question.voluntary,
            "first": str(self.begun[0]) if self.begun else None,
            "forbid": sorted(self.question.forbid),
        }
        return {
            "position": str(self.position),
            "asked": asked,
            "points": self.points,
            "turns": [str(turn) for turn in self.turns],
            "bound": self.bound,
            "proved": self.proved,
            "method": self.method,
            "proofs": [asdict(proof) | {"seconds": round(proof.seconds, 3)} for proof in self.proofs],
            "seconds": round(self.seconds, 3),
            "states": self.states,
            "cuts": self.cuts,
        }

    def __str__(self) -> str:
        return "\n".join([self.summary(), *(f"{number}. {turn}" for number, turn in enumerate(self.turns, 1))])

    def in_words(self) -> str:
        """Says the plan turn by turn.

        >>> import aquakit
        >>> print(aquakit.plan(Position.start("romana2-5x4"), turns=1).in_words().splitlines()[1])
        1. bridge on d4 by the builder on E4, nothing closed
        """
        told = tell_line(self.position, self.turns)
        return "\n".join([self.summary(), *(f"{number}. {words}" for number, words in enumerate(told, 1))])

    def _repr_html_(self) -> str:
        heads = ("", "turn", "podium", "points", "notation")
        rows = [
            (row["turn"], words, row["podium"], row["points"], row["text"])
            for row, words in zip(self.rows(), tell_line(self.position, self.turns), strict=True)
        ]
        return f"<p>{escape(self.summary())}</p>{write_table(heads, rows)}{self.svg(size=480, theme='auto')}"


def _describe(turn: Turn, before: Position, after: Position) -> dict[str, Any]:
    """Describes what a turn does."""
    player = before.player
    was = {a.name: a for a in before.aqueducts if a.owner == player}
    own = [a for a in after.aqueducts if a.owner == player]
    closed = [a for a in own if was[a.name].open and not a.open]
    by_what: dict[str, list[Action]] = {}
    for action in turn:
        by_what.setdefault(action.what, []).append(action)
    build = by_what.get("build", [None])[0]
    mover = (by_what.get("build") or by_what["advance"])[0]
    return {
        "tile": build.tile if build else "",
        "square": build.square if build else "",
        "builder": mover.path,
        "extra": " ".join(map(str, by_what.get("extra", []))),
        "closed": " ".join(a.name for a in closed),
        "podium": " ".join(str(a.podium) for a in closed),
        "picked": " ".join(action.builder for action in by_what.get("pick", [])),
        "placed": " ".join(str(action) for action in by_what.get("place", [])),
        **{a.name: a.length for a in own},
    }


def _clock(seconds: float | None) -> float | None:
    read_seconds(seconds)
    return None if seconds is None else time.perf_counter() + seconds
