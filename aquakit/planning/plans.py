"""What can be planned on a board, as data: questions, and answers as texts, tables and ghosts on the board.

A game that has planners has a module `planner.offers` with `questions(position)`, which lists what can be asked here,
and `answer(position, question, number, stop=, tell=)`, which works on it until it is done or `stop` is set, and tells
on the way how far it has come. Where a question names a second method, `answer` takes `verify=` too. Places and pieces
of the picture are written as in `aquakit.board.clicks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from aquakit.board.facts import FactTable
from aquakit.board.telling import Part

if TYPE_CHECKING:
    from aquakit.compiled.shown import CompileProgress
    from aquakit.core.record import Record

GhostLook = Literal["tile", "single", "double", "mark"]
"""How a ghost is shown: a piece laid on trial, one or two canals on a segment, or only its label on a piece."""


class Count(NamedTuple):
    """A number that belongs to a question."""

    label: str
    """What is counted, such as turns."""
    least: int
    most: int
    usual: int


class PlannerQuestion(NamedTuple):
    """Something that can be planned."""

    id: str
    label: str
    about: str
    """What is found, in a line."""
    number: Count | None = None
    refusal: str = ""
    """Why it cannot be asked of this position; empty if it can."""
    second: str = ""
    """What a second method does to confirm the answer, in a line; empty where there is none."""


class Ghost(NamedTuple):
    """What a step would put on the board."""

    on: str
    """The place or the piece of the picture; a later ghost on the same one takes its place."""
    look: GhostLook
    label: str
    """The number shown with it."""
    piece: str = ""
    """The picture's definition that is drawn."""
    turns: bool = False
    """Whether it turns with a flipped board."""


class PlannerStep(NamedTuple):
    """A part of a plan that can be gone to."""

    text: str
    note: str = ""
    ghosts: tuple[Ghost, ...] = ()
    told: tuple[Part, ...] = ()
    """A turn in words, where the text is its notation."""


class PlannerAnswer(NamedTuple):
    """What was found."""

    summary: tuple[str, ...]
    """What it is worth and how sure that is, in lines."""
    steps: tuple[PlannerStep, ...] = ()
    table: FactTable | None = None
    above: tuple[str, ...] = ()
    """Pieces of the picture that ghosts do not cover."""
    record: Record | None = None
    """The plan as a game, where it is made of turns."""


def tell_bounds(value: int | None, bound: int | None, unit: str, compiling: CompileProgress | None = None) -> str:
    """Says how far a question has come, and how far what is compiled for it.

    >>> tell_bounds(9, 14, "points"), tell_bounds(None, None, "points")
    ('best so far 9 points, at most 14', 'nothing found yet')
    """
    if value is None and compiling is not None:
        return str(compiling)
    best = "nothing found yet" if value is None else f"best so far {value} {unit}".rstrip()
    known = best if bound is None else f"{best}, at most {bound}"
    return known if compiling is None else f"{known}; {compiling}"
