"""What the canal planner answers: a layout, what each step does, how sure it is, and the layouts that are as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple, Protocol

from aquakit.aquadukt.board.telling import tell_canal
from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.position import Position
from aquakit.core.options import read_flag, read_seconds, read_whole, show
from aquakit.core.words import count
from aquakit.errors import InvalidOption
from aquakit.planning.listing import Listing

MOST_ALTERNATIVES = 100_000


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

    >>> import aquakit
    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> aquakit.plan_canals(p, canals=3, player=2).steps[-1]
    CanalStep(token='canal 3.3v', way='extend', watered=('c4',), value=3)
    """

    token: str
    way: str
    """spring, start, extend or double"""
    watered: tuple[str, ...]
    """The squares whose tiles get their first water."""
    value: int
    """The player's points less the others' from then on, or alone."""


class LayoutSource(Protocol):
    """What a plan asks of the search that found it."""

    def replay(self, layout: CanalLayout) -> tuple[tuple[CanalStep, ...], Position]:
        """Lays a layout by the rules; gets what each step does and the board after it."""

    def list_best(self, plan: CanalPlan, limit: int, *, spare: bool, seconds: float | None) -> Listing:
        """Lists the layouts as good as a plan."""


@dataclass(frozen=True)
class CanalPlan:
    """The best layout of some more canals, and how sure that is.

    >>> import aquakit
    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> found = aquakit.plan_canals(p, canals=3, player=2)
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
    _search: LayoutSource = field(repr=False, compare=False)

    @property
    def canals(self) -> tuple[str, ...]:
        """The canals as tokens, in an order in which they can be laid."""
        return self.layout.canals

    @property
    def springs(self) -> tuple[str, ...]:
        """The new springs as tokens, to be placed before the canals."""
        return self.layout.springs

    def alternatives(self, limit: int = 100, *, spare: bool = False, seconds: float | None = None) -> Listing:
        """Finds all layouts as good as this one, each once, up to a limit.

        These have the same value and as few canals and springs; with `spare` also those that spend more of them,
        within what was asked for. After `seconds`, or an interrupt, the listing is what was found by then.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> found = aquakit.plan_canals(p, canals=3, player=2).alternatives()
        >>> len(found), found.complete
        (3, True)
        """
        read_whole("limit", limit, least=1, most=MOST_ALTERNATIVES)
        return self._search.list_best(self, limit, spare=read_flag("spare", spare), seconds=read_seconds(seconds))

    # Showing

    def svg(self, *, layout: CanalLayout | None = None, **options: Any) -> str:
        """Draws the board with the plan laid, its steps numbered; an equally good layout can be drawn instead.

        The options are those of the position's own picture.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> aquakit.plan_canals(p, canals=3, player=2).svg(theme="dark")[:4]
        '<svg'
        """
        chosen = self.layout if layout is None else layout
        _, after = self._replay(chosen)
        labels: dict[str, str] = {}
        for number, action in enumerate(chosen.actions, start=1):
            place = action.point or action.segment
            labels[place] = f"{labels[place]}+{number}" if place in labels else str(number)
        return after.svg(**{"highlights": labels} | options)

    def _replay(self, layout: CanalLayout) -> tuple[tuple[CanalStep, ...], Position]:
        """Lays a layout by the rules, if it is one that can be laid."""
        if not isinstance(layout, CanalLayout):
            raise InvalidOption("layout", show(layout), "one of the plan's alternatives")
        try:
            return self._search.replay(layout)
        except (IllegalPlan, KeyError):
            raise InvalidOption("layout", f"{show(layout)} cannot be laid", "one of the plan's alternatives") from None

    def tell(self, layout: CanalLayout | None = None) -> list[str]:
        """Says each spring and canal in words; of an equally good layout, if one is given.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> aquakit.plan_canals(p, canals=3, player=2).tell()
        ['canal from 3.2 to 3.3', 'canal from 3.3 to 3.4']
        """
        chosen = self.layout if layout is None else layout
        steps, after = self._replay(chosen)
        return [
            f"spring on {action.point}"
            if action.what == "spring"
            else tell_canal(after, action.segment, double=step.way == "double").words
            for step, action in zip(steps, chosen.actions, strict=True)
        ]

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.in_words())}</pre>{self.svg(size=640)}"

    def frame(self) -> Any:
        """Gets the steps as a DataFrame: token, way, what gets water, value from then on.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> list(aquakit.plan_canals(p, canals=3, player=2).frame()["way"])
        ['start', 'extend']
        """
        import pandas as pd

        rows = [step._asdict() | {"watered": " ".join(step.watered)} for step in self.steps]
        return pd.DataFrame(rows, columns=CanalStep._fields)

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> aquakit.plan_canals(p, canals=3, player=2).json()["gain"]
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

    def _headline(self) -> str:
        sure = "proved" if self.proved else f"not proved, at most {self.bound:+}"
        pieces = count(len(self.canals), "canal")
        if self.springs:
            pieces += f" and {count(len(self.springs), 'new spring')}"
        who = f"player {self.player} ({LETTERS[self.player - 1]})"
        what = "lead over all others together" if self.against else "points"
        return f"{pieces} for {who}: {what} {self.value:+} ({self.gain:+}), {sure}"

    def __str__(self) -> str:
        return self._write([f"{step.token:14} {step.way:7}" for step in self.steps])

    def in_words(self) -> str:
        """Says the plan step by step, with what gets water and the value from then on.

        >>> import aquakit
        >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
        >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
        >>> print(aquakit.plan_canals(p, canals=3, player=2).in_words().splitlines()[2])
          2. canal from 3.3 to 3.4   +3  waters B3 on c4
        """
        return self._write(self.tell())

    def _write(self, pieces: Sequence[str]) -> str:
        """Writes the steps, with what each lays down, in whatever way that is said."""
        tiles, wide = self.position.tiles, max(map(len, pieces), default=0)
        lines = [self._headline()]
        for number, (step, piece) in enumerate(zip(self.steps, pieces, strict=True), start=1):
            wet = ", ".join(f"{tiles[square]} on {square}" for square in step.watered)
            lines.append(f"{number:3}. {piece:{wide}} {step.value:+4}{f'  waters {wet}' if wet else ''}")
        return "\n".join(lines)
