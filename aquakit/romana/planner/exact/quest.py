"""What a search is to find, and how far it has come: the record that all its sources share."""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.planner.plan_question import MOST_FORBIDDEN

PLIES = 600
"""The most actions in a plan."""


class Quest(Struct):
    """What is looked for, and what has been found."""

    me: Annotated[int, "i4"]
    until: Annotated[int, "i4"]
    """The count of ended turns at which the plan is over."""
    begun: Annotated[int, "i4"]
    """The count of ended turns at which it began."""
    closed_only: Annotated[int, "i4"]
    voluntary: Annotated[int, "i4"]
    first: Annotated[int, "i4"]
    """The build of the first turn, or NONE if any will do."""
    incumbent: Annotated[int, "i4"]
    """Points of the incumbent, which a plan must exceed; another method may raise them while the search runs."""
    found: Annotated[int, "i4"]
    """The points of the best plan found here, or NONE."""
    enough: Annotated[int, "i4"]
    """Points of a plan that is good enough to end the search."""
    steps: Annotated[int, "i4"]
    """How many actions of the best plan are noted; what is missing at the end of its last turn makes no difference."""
    line: Annotated[Ints, "i4", PLIES]
    budget: Annotated[int, "i8"]
    """States that may be looked at before the search pauses."""
    ply: Annotated[int, "i4"]
    """Where it goes on after a pause."""
    done: Annotated[int, "i4"]
    seen: Annotated[int, "i8"]
    pruned: Annotated[int, "i8"]
    transpositions: Annotated[int, "i8"]
    """States cut by the upper bound, and by the transposition table."""
    keys: Annotated[Ints, "i8", PLIES + 2]
    """The key under which each state on the path was put in the transposition table; 0 if it was not."""
    bars: Annotated[int, "i4"]
    bar: Annotated[Ints, "i4", MOST_FORBIDDEN]
    """Actions that are forbidden; one that nobody could take stands for forbidden squares."""
    shut: Annotated[Ints, "i1", "squares"]
    """Squares on which no tile may be laid."""
    defers_tiles: Annotated[int, "i4"]
    """Whether the placement of extra tiles is deferred until water comes to them (`deferred_tiles`)."""
    deferred: Annotated[Ints, "i8", PLIES + 2]
    """The deferred tiles of each state on the path, counted by kind, in eight bits each."""
    noted: Annotated[int, "i8"]
    """The deferred tiles before the first state."""
    defers_builders: Annotated[int, "i4"]
    """Whether the placement of builders is deferred until it matters (`deferred_builders`)."""
    open_places: Annotated[Ints, "i8", 5 * (PLIES + 2)]
    """The path squares, a bit for each, where the deferred builder of each kind may stand, in each state on the path;
    0 if there is none."""
    known: Annotated[Ints, "i8", 5]
    """The same before the first state."""
