"""How a turn is clicked together, as data: whoever shows a board need know no rule to offer what is legal.

A game's own `clicks` module has `offer(position, picked)`, which says what can be chosen next, and, if pieces move,
`walk(before, after)`, which says how one did. A place is a name on the board (c7, Nc, 3.5, 3.5h). A piece of the
picture is written as its data attribute and its value: `workman=R1`, `reserve=b`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, cast

from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn

Look = Literal["ring", "square", "dot", "single", "double", "ghost", "button"]
"""How a choice is shown: a ring around pieces, a square or path square filled, a dot on a point, one or two canals on a
segment, a piece laid on trial, or a button with its label."""

CHANCE = "?"
"""The act of a choice that leaves it to chance which of the position's actions is carried out."""


class Choice(NamedTuple):
    """Something that can be chosen now."""

    id: str
    """Its name among the choices; that of an action is its token."""
    label: str
    """What it is, in words."""
    look: Look
    on: tuple[str, ...] = ()
    """The places and pieces of the picture where it can be clicked; none for a button."""
    act: str = ""
    """The actions that it carries out, as text; empty if more is to be chosen first."""
    piece: str = ""
    """The picture's definition that is shown as a ghost."""
    note: str = ""
    """A few characters shown beside it."""
    turns: bool = False
    """Whether the ghost turns with a flipped board."""
    named: bool = False
    """Whether a button with its label stands in the bar too."""
    key: str = ""
    """The key that chooses it, a small letter or a digit; its button shows it."""
    safe: bool = False
    """Whether keys begin with it, since nothing is given away by it."""
    again: bool = False
    """Whether a second click right after the first one is meant too."""


class Refusal(NamedTuple):
    """A place that looks possible and is not."""

    place: str
    reason: str


class NumberEntry(NamedTuple):
    """A number that can be typed in, such as what a real die shows."""

    label: str
    least: int
    most: int
    act: str
    """The actions that it carries out, with {} for the number."""


class Offer(NamedTuple):
    """What can be chosen next."""

    prompt: str
    """Who is to choose what, in one short line."""
    choices: tuple[Choice, ...] = ()
    rays: tuple[tuple[str, str], ...] = ()
    """Lines of sight, each from a place to a place."""
    colour: str = ""
    """The letter of the colour in which rays are drawn."""
    refusals: tuple[Refusal, ...] = ()
    entry: NumberEntry | None = None
    back: str = "Back"
    """What the button says that goes one step back, where that is possible."""

    def find(self, choice: str) -> Choice | None:
        """Finds a choice by its id."""
        return next((c for c in self.choices if c.id == choice), None)


class Walk(NamedTuple):
    """How a piece moved over the board."""

    piece: str
    """The piece where it stands now."""
    places: tuple[str, ...]
    """The places it passed, from the first to the last."""


def offer(position: AnyPosition, picked: Sequence[str] = ()) -> Offer:
    """Gets what can be chosen after what has been picked; a pick that leaves no choice is made without asking."""
    ask, left = position.room("board.clicks").offer, list(picked)
    taken: list[str] = []
    while True:
        made: Offer = ask(position, tuple(taken))
        only = made.choices[0] if len(made.choices) == 1 and not made.entry else None
        if only is not None and not only.act:
            taken.append(only.id)
            if left[:1] == [only.id]:
                left.pop(0)
        elif left:
            choice = made.find(left.pop(0))
            if choice is None or choice.act:
                raise IllegalTurn("picked", "is not offered here", made.prompt)
            taken.append(choice.id)
        else:
            return made


def walk(before: AnyPosition, after: AnyPosition) -> Walk | None:
    """Says how a piece moved; nothing if none did, or if the game has no moving pieces."""
    find = getattr(before.room("board.clicks"), "walk", None)
    return None if find is None else cast("Walk | None", find(before, after))


def plain(value: Any) -> Any:
    """Turns named tuples into what can be sent: dictionaries, lists, texts and numbers.

    >>> plain(Refusal("3.5", "too near"))
    {'place': '3.5', 'reason': 'too near'}
    """
    if hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value
