"""Plans canals: the layout of some more that is best for a player's houses, proved, and replayed by the rules."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from math import inf
from typing import Any, NamedTuple

from aquakit.aquadukt import kernel
from aquakit.aquadukt.kernel import NONE, OVER, SPRING, TURN, State, Work, X, Y
from aquakit.aquadukt.layout import LETTERS, Layout
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.planner.canals.choice import CanalChoice, Chooser, appraise, choose_greedily
from aquakit.aquadukt.planner.canals.prices import Prices, narrow, narrow_by_site, relax
from aquakit.aquadukt.planner.canals.program import Program
from aquakit.aquadukt.planner.canals.ways import CanalGround, list_ways
from aquakit.aquadukt.position import Position
from aquakit.core.options import read_flag, read_listener, read_seconds, read_stop, read_whole, show
from aquakit.core.words import count
from aquakit.errors import InvalidOption, InvalidPosition
from aquakit.planning import cpsat

MOST_CANALS, MOST_SPRINGS = 999, 12
"""What a layout's box holds at most."""
MOST_ALTERNATIVES = 100_000
SLICES = (200, 1500)
"""So many of the most promising ways are tried first, to find a plan that rules out most others."""


MANY_WAYS = 300
"""So many ways are worth more effort to leave some out."""


class IllegalPlan(RuntimeError):
    """A plan does not keep to the rules, which is a fault of the planner; no such plan is ever shown."""


class CanalLayout(NamedTuple):
    """Springs and canals as tokens, in an order in which the rules allow to put them down.

    >>> [action.what for action in CanalLayout(("spring 3.2",), ("canal 3.2v",)).actions]
    ['spring', 'canal']
    """

    springs: tuple[str, ...]
    canals: tuple[str, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions: springs first, so that their arms can begin."""
        return tuple(Turn.read((*self.springs, *self.canals)))


class CanalStep(NamedTuple):
    """What one spring or canal of a plan does.

    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> plan_canals(p, canals=3, player=2).steps[-1]
    CanalStep(token='canal 3.3v', way='extend', watered=('c4',), value=3)
    """

    token: str
    way: str
    """spring, start, extend or double"""
    watered: tuple[str, ...]
    """The squares whose tiles get their first water."""
    value: int
    """The player's points less the others' from then on, or alone."""


@dataclass(frozen=True)
class Alternatives:
    """The equally good layouts that were asked for.

    >>> found = Alternatives((CanalLayout((), ("canal 3.2v",)),), complete=True)
    >>> len(found), found[0].canals, found.complete
    (1, ('canal 3.2v',), True)
    """

    layouts: tuple[CanalLayout, ...]
    complete: bool
    """Whether these are all."""

    def __len__(self) -> int:
        return len(self.layouts)

    def __iter__(self) -> Iterator[CanalLayout]:
        return iter(self.layouts)

    def __getitem__(self, index: int) -> CanalLayout:
        return self.layouts[index]


# The rules, asked of the kernel


class _CanalBoard:
    """A board on which springs and canals are put as the kernel allows, whoever's turn it is."""

    def __init__(self, position: Position, player: int, *, against: bool) -> None:
        self.layout: Layout = position.layout
        self.state: State = position.state
        self.player, self.against = player, against
        self._work = Work.new(self.layout.sizes)

    def points(self) -> int:
        """Gets the player's points less the others', or alone, as the kernel counts them."""
        kernel.count_points(self.layout.tables, self.state, self._work)
        totals = self._work.total[: self.layout.players]
        mine = totals[self.player - 1]
        return 2 * mine - sum(totals) if self.against else mine

    def put(self, action: Action) -> CanalStep:
        """Carries out a spring or a canal; one that the rules forbid is a fault of the planner."""
        t, s = self.layout.tables, self.state
        list_codes = kernel.springs if action.what == "spring" else kernel.canals
        names = self.layout.point_index if action.what == "spring" else self.layout.segment_index
        place = names[action.point or action.segment]
        codes = self._work.actions[: list_codes(t, s, self._work, 0)]
        code = next((code for code in codes if code >> X & 2047 == place), NONE)
        if code == NONE:
            raise IllegalPlan(f"a planned action is not legal: {action}")
        dry = self._dry()
        if code & 7 == SPRING:
            way = "spring"
            kernel.place_spring(t, s, place)
        else:
            way = "double" if s.canal[place] else "start" if s.head[code >> Y] == NONE else "extend"
            kernel.dig(t, s, place, code >> Y)
        wet = tuple(self.layout.square_names[q] for q in sorted(dry - self._dry()))
        return CanalStep(str(action), way, wet, self.points())

    def _dry(self) -> set[int]:
        s = self.state
        return {q for q, tile in enumerate(s.tile) if kernel.FREE < tile < kernel.MOUNTAIN and s.supply[q] == 0}

    def finish(self) -> Position:
        """Gets the position, at the start of a turn of the player whose turn it was.

        If no canal is left that may be a round too late; then it is the next player's turn, or the end if there is
        no other player.
        """
        t, s = self.layout.tables, self.state
        s.phase, s.idle, s.rolls = TURN, 0, 0
        if kernel.ends_after(t, s, (s.player - 1) % t.players):
            s.player = (s.player + 1) % t.players
        if kernel.ends_after(t, s, (s.player - 1) % t.players):
            for region in range(t.regions):
                kernel.remove_dry_tiles(t, s, region)
            s.phase = OVER
        return Position(self.layout, s)


# Results


@dataclass(frozen=True)
class CanalPlan:
    """The best layout of some more canals, and how sure that is.

    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> found = plan_canals(p, canals=3, player=2)
    >>> found.value, found.gain, found.canals, found.springs, found.watered[2]
    (3, 3, ('canal 3.2v', 'canal 3.3v'), (), ('c4',))
    >>> [(step.token, step.way, step.value) for step in found.steps]
    [('canal 3.2v', 'start', 0), ('canal 3.3v', 'extend', 3)]
    >>> found.after.scores()
    (0, 3)
    """

    position: Position
    """The position before."""
    player: int
    against: bool
    """Whether the others' points are taken off."""
    value: int
    """The player's points after the plan, less the others' or alone: what all watered tiles are worth then."""
    gain: int
    """By how much the plan raises that."""
    bound: int
    """No plan has a higher value."""
    proved: bool
    """Whether no plan has a higher value, nor the same with fewer canals, or as many and fewer springs."""
    layout: CanalLayout
    steps: tuple[CanalStep, ...]
    """What each spring and canal does, in order."""
    watered: Mapping[int, tuple[str, ...]] = field(hash=False)
    """The squares whose tiles get their first water, by owner."""
    after: Position
    """The board with the plan laid; whose turn it is stays as it was where the rules allow that."""
    seconds: float = field(compare=False)
    _search: _CanalSearch = field(repr=False, compare=False)

    @property
    def canals(self) -> tuple[str, ...]:
        """The canals as tokens, in an order in which they can be laid."""
        return self.layout.canals

    @property
    def springs(self) -> tuple[str, ...]:
        """The new springs as tokens, to be placed before the canals."""
        return self.layout.springs

    def alternatives(self, limit: int = 100, *, spare: bool = False, seconds: float | None = None) -> Alternatives:
        """Finds all layouts as good as this one, each once, up to a limit.

        These have the same value and as few canals and springs; with `spare` also those that spend more of them,
        within what was asked for. After so many `seconds`, or an interrupt, the listing is what was found by then.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> found = plan_canals(p, canals=3, player=2).alternatives()
        >>> len(found), found.complete
        (3, True)
        """
        read_whole("limit", limit, least=1, most=MOST_ALTERNATIVES)
        return self._search.list_best(self, limit, spare=read_flag("spare", spare), seconds=read_seconds(seconds))

    # Showing

    def svg(self, *, layout: CanalLayout | None = None, **options: Any) -> str:
        """Draws the board with the plan laid, its steps numbered; an equally good layout can be drawn instead.

        The options are those of the position's own picture.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> plan_canals(p, canals=3, player=2).svg(theme="dark")[:4]
        '<svg'
        """
        chosen = self.layout if layout is None else layout
        if not isinstance(chosen, CanalLayout):
            raise InvalidOption("layout", show(layout), "one of the plan's alternatives")
        try:
            _, after = self._search.replay(chosen)
        except (IllegalPlan, KeyError):
            raise InvalidOption("layout", f"{show(layout)} cannot be laid", "one of the plan's alternatives") from None
        labels: dict[str, str] = {}
        for number, action in enumerate(chosen.actions, start=1):
            place = action.point or action.segment
            labels[place] = f"{labels[place]}+{number}" if place in labels else str(number)
        return after.svg(**{"highlights": labels} | options)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self.svg(size=640)}"

    def frame(self) -> Any:
        """Gets the steps as a DataFrame: token, way, what gets water, value from then on.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> list(plan_canals(p, canals=3, player=2).frame()["way"])
        ['start', 'extend']
        """
        import pandas as pd

        rows = [step._asdict() | {"watered": " ".join(step.watered)} for step in self.steps]
        return pd.DataFrame(rows, columns=CanalStep._fields)

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> plan_canals(p, canals=3, player=2).json()["gain"]
        3
        """
        return {
            "position": str(self.position),
            "player": self.player,
            "against": self.against,
            "value": self.value,
            "gain": self.gain,
            "bound": self.bound,
            "proved": self.proved,
            "springs": list(self.springs),
            "canals": list(self.canals),
            "watered": {str(player): list(squares) for player, squares in self.watered.items()},
            "steps": [step._asdict() | {"watered": list(step.watered)} for step in self.steps],
            "after": str(self.after),
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        sure = "proved" if self.proved else f"not proved, at most {self.bound:+}"
        pieces = count(len(self.canals), "canal")
        if self.springs:
            pieces += f" and {count(len(self.springs), 'new spring')}"
        who = f"player {self.player} ({LETTERS[self.player - 1]})"
        what = "lead over all others together" if self.against else "points"
        lines = [f"{pieces} for {who}: {what} {self.value:+} ({self.gain:+}), {sure}"]
        for number, step in enumerate(self.steps, start=1):
            tiles = self.position.tiles
            wet = ", ".join(f"{tiles[square]} {square}" for square in step.watered)
            lines.append(f"{number:3}. {step.token:14} {step.way:7} {step.value:+4}{f'  waters {wet}' if wet else ''}")
        return "\n".join(lines)


# Searching


class _Incumbent(NamedTuple):
    """The best choice so far."""

    choice: CanalChoice
    worth: int
    bound: int
    """No choice is worth more."""


class _CanalSearch:
    """Finds the best layouts from a position."""

    def __init__(self, position: Position, canals: int, springs: int, player: int, *, against: bool) -> None:
        self.position, self.player, self.against = position, player, against
        self.ground = CanalGround.of(position.layout, position.state, canals, springs, player - 1, against=against)
        self.now = self._board().points()
        self._longest = 0
        self._prices: Prices
        self._found: _Incumbent

    def _board(self) -> _CanalBoard:
        return _CanalBoard(self.position, self.player, against=self.against)

    def replay(self, layout: CanalLayout) -> tuple[tuple[CanalStep, ...], Position]:
        """Lays a layout by the kernel's rules; gets what each step does and the board after it."""
        board = self._board()
        steps = tuple(board.put(action) for action in layout.actions)
        return steps, board.finish()

    # One

    def best(
        self,
        seconds: float | None,
        on_progress: Callable[[cpsat.Progress], None] | None,
        stop: threading.Event | None,
    ) -> CanalPlan:
        """Finds the best plan, or the best in the time given."""
        begun = time.perf_counter()
        end = inf if seconds is None else begun + seconds
        ways, self._longest = list_ways(self.ground, lean=True, end=end)
        program = Program(self.ground, ways, lean=True)
        missing = self._most_beyond(self._longest)
        most = sum(stake.points for stake in self.ground.stakes if stake.points > 0)
        for prices, found in _improve(Prices(program, relax(program, end)), end, stop or threading.Event()):
            self._prices, self._found = prices, found
            value = self.now + program.points(found.worth)
            bound = self.now + min(program.points(found.bound) + missing, most)
            if on_progress is not None:
                on_progress(cpsat.Progress(value, bound, time.perf_counter() - begun))
        layout = self._write(found.choice)
        steps, after = self.replay(layout)
        if value != (steps[-1].value if steps else self.now):
            raise RuntimeError(f"a plan of {value} points by the model is worth another number by the rules: {layout}")
        proved = found.worth == found.bound and (self._longest == self.ground.canals or value == bound)
        return CanalPlan(
            position=self.position, player=self.player, against=self.against, value=value, gain=value - self.now,
            bound=value if proved else bound, proved=proved, layout=layout, steps=steps, watered=self._owners(steps),
            after=after, seconds=time.perf_counter() - begun, _search=self,
        )  # fmt: skip

    def _most_beyond(self, longest: int) -> int:
        """Bounds what canals can add beyond all ways listed: each at most what one can water."""
        ground, wanted = self.ground, dict[int, int]()
        for stake in ground.stakes:
            wanted[stake.square] = wanted.get(stake.square, 0) + max(0, stake.points)
        segments = ground.layout.segment_index.values()
        most = max(sum(wanted[q] for q in ground.fed(e, deep=True)) for e in segments)
        return (ground.canals - longest) * most

    def _owners(self, steps: Iterable[CanalStep]) -> dict[int, tuple[str, ...]]:
        squares = [square for step in steps for square in step.watered]
        tiles, players = self.position.tiles, range(1, self.position.layout.players + 1)
        return {p: tuple(square for square in squares if tiles[square][0] == LETTERS[p - 1]) for p in players}

    def _write(self, choice: CanalChoice) -> CanalLayout:
        """Writes a choice as tokens: arm by arm, first outwards, then second canals from the spring on."""
        layout, sources = self.position.layout, self.ground.sources
        springs = tuple(f"spring {layout.point_names[sources[site].point]}" for site in choice.sites)
        segments = [e for way in choice.ways for e in (*way.segments, *way.doubled)]
        return CanalLayout(springs, tuple(f"canal {layout.segment_names[e]}" for e in segments))

    # All

    def list_best(self, plan: CanalPlan, limit: int, *, spare: bool, seconds: float | None) -> Alternatives:
        """Lists the layouts as good as a plan, with as few pieces or with spare ones too."""
        end = inf if seconds is None else time.perf_counter() + seconds
        prices, worth, longest = self._prices, self._found.worth, self._longest
        if spare:
            ways, longest = list_ways(self.ground, lean=False, end=end)
            program, worth = Program(self.ground, ways, lean=False), plan.gain
            prices = narrow(Prices(program, relax(program, end)), worth, end)
        chooser = Chooser.build(prices.program, [i for i, bound in enumerate(prices.bounds) if bound >= worth])
        chooser.model.add(chooser.worth == worth)
        left = None if seconds is None else max(0.0, end - time.perf_counter())
        found, complete = cpsat.all_solutions(chooser.model, chooser.read, limit, left)
        layouts = tuple(self._write(choice) for choice in found)
        kept = tuple(layout for layout in layouts if self._value(layout) == plan.value)
        if plan.proved and len(kept) < len(layouts):
            raise RuntimeError("an alternative is worth another number by the rules than by the model")
        return Alternatives(kept, plan.proved and complete and longest == self.ground.canals)

    def _value(self, layout: CanalLayout) -> int:
        steps, _ = self.replay(layout)
        return steps[-1].value if steps else self.now


def _improve(prices: Prices, end: float, stop: threading.Event) -> Iterator[tuple[Prices, _Incumbent]]:
    """Finds better and better choices, until no way left out can be part of one as good as the best."""
    choice = choose_greedily(prices.program)
    worth = appraise(prices.program, choice)
    found = _Incumbent(choice, worth, max(worth, prices.bound))
    prices = narrow(prices, max(1, worth), end)
    yield prices, found
    for size in (*SLICES, prices.program.size):
        program = prices.program
        ranked = sorted(range(program.first_stake), key=lambda i: -prices.bounds[i])
        left = [i for i in ranked if prices.bounds[i] >= max(1, found.worth)]
        if found.worth == found.bound or time.perf_counter() > end or stop.is_set():
            return
        found = _solve_part(program, left[:size], found, end, stop, whole=len(left) <= size)
        prices = narrow(prices, max(1, found.worth), end)
        if len(prices.program.ways) > MANY_WAYS and found.worth < found.bound:
            prices = narrow_by_site(prices, max(1, found.worth), end)
        found = found._replace(bound=max(found.worth, min(found.bound, prices.bound)))
        yield prices, found


def _solve_part(
    program: Program, tried: list[int], found: _Incumbent, end: float, stop: threading.Event, *, whole: bool
) -> _Incumbent:
    """Finds the best choice of some ways and springs; if nothing else could be as good, its bound is one for all."""
    sources = {program.ways[i].source for i in tried if i < len(program.ways)}
    springs = {program.spring[source] for source in sources if source in program.spring}
    chooser = Chooser.build(program, sorted(springs.union(tried)))
    chooser.model.add(chooser.worth <= found.bound)
    chooser.model.maximize(chooser.worth)
    left = None if end == inf else end - time.perf_counter()
    outcome = cpsat.Run(stop=stop, keep=True).solve(chooser.model, left)
    if outcome.found and outcome.value is not None and outcome.value > found.worth:
        found = _Incumbent(chooser.read(outcome.solver.value), outcome.value, found.bound)
    if whole and outcome.bound is not None:
        found = found._replace(bound=max(found.worth, min(found.bound, outcome.bound)))
    return found


def plan_canals(
    position: Position,
    *,
    canals: int,
    player: int | None = None,
    springs: int = 0,
    against: bool = True,
    seconds: float | None = None,
    on_progress: Callable[[cpsat.Progress], None] | None = None,
    stop: threading.Event | None = None,
) -> CanalPlan:
    """Finds the best layout of up to so many more canals, and proves that there is none better.

    Canals are laid one after another as section 3 allows: an arm starts at a spring with fewer than two arms, goes on
    from its last point to a free one [Q3], or gets second canals from the spring on. Up to `springs` new springs may be
    placed before, where a spring may stand [Q2]. No more of either are laid than are left in the box. In whose turns
    that happens does not matter; meanwhile nobody rolls, builds or loses a tile, and the game does not end.

    A plan's value is what the watered tiles of a `player` (the one whose turn it is, if none is given) score after it,
    less what those of all others score, or alone with `against=False`; in the variant the events count as section 5
    says, those hidden do not. The best plan has the highest value; of several, the fewest canals, then the fewest new
    springs. It is replayed by the rules before it is shown. If `seconds` are not enough, or an interrupt or `stop` ends
    it, the plan is the best so far, and `bound` says what might still be possible; so too with so many canals that not
    all ways of a single arm can be looked at. `on_progress` hears of values and bounds on the way.

    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> plan = plan_canals(p, canals=3, player=2)
    >>> plan.gain, len(plan.canals), plan.proved
    (3, 2, True)
    """
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aquädukt")
    if position.is_over:
        raise InvalidPosition("position", "the game is over", "a position in which canals can still be laid")
    canals = read_whole("canals", canals, least=1, most=MOST_CANALS)
    springs = read_whole("springs", springs, most=MOST_SPRINGS)
    chosen = read_whole("player", position.mover if player is None else player, least=1, most=position.layout.players)
    read_flag("against", against)
    read_seconds(seconds)
    read_listener(on_progress)
    read_stop(stop)
    return _CanalSearch(position, canals, springs, chosen, against=against).best(seconds, on_progress, stop)
