"""Finds a first plan quickly, by keeping only the most promising states of each turn."""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import EXTRA, NONE, OVER, PLACE, State, Tables, Work, Z
from aquakit.romana.planner.exact.bound.reachable import (
    SearchGround,
    hash_podiums,
    hash_reachable,
    mix,
    spread,
)
from aquakit.romana.planner.exact.bound.upper_bound import upper_bound
from aquakit.romana.planner.exact.candidates import choose, in_own_sight
from aquakit.romana.planner.exact.deferred_builders import defer_builders
from aquakit.romana.planner.exact.deferred_tiles import count_deferred, take_next_action, write_line
from aquakit.romana.planner.exact.quest import PLIES, Quest
from aquakit.romana.planner.exact.search import worth_now
from aquakit.romana.planner.exact.transpositions import hash_builders


class Shoot(Struct):
    """A state of the beam, the present turn's in one half and the next turn's in the other: its promise and its way."""

    promise: Annotated[int, "i4"]
    key: Annotated[int, "i8"]
    deferred: Annotated[int, "i8"]
    """Extra tiles that are put off, as in `search.Quest`."""
    open_places: Annotated[Ints, "i8", 5]
    """Places of builders that are left open, the same."""
    steps: Annotated[int, "i4"]
    line: Annotated[Ints, "i4", PLIES]


@kernel
def promise(t: Tables, s: State, g: SearchGround, me: int, now: int, turns: int, extras: int) -> int:
    """Says how promising a state at the start of a turn is: points now, and those within the next tile or two."""
    return 2 * now + upper_bound(t, s, g, me, 1, extras) + upper_bound(t, s, g, me, min(turns, 2), extras)


@kernel
def keep_shoot(
    t: Tables,
    s: State,
    g: SearchGround,
    c: Quest,
    shoots: Any,
    first: int,
    width: int,
    now: int,
    turns: int,
    deferred: int,
) -> int:
    """Finds the place of a state among the best of its turn; NONE if it is not among them.

    Of states that differ only in where builders stand, the most promising one is kept, or all would be of one kind.
    """
    value = promise(t, s, g, c.me, now, turns, count_deferred(deferred))
    worst = first
    for i in range(first, first + width):
        if shoots[i].promise < shoots[worst].promise:
            worst = i
    if value <= shoots[worst].promise:
        return NONE
    spread(t, s, g, c.me, turns)
    key = mix(mix(hash_reachable(t, s, g, hash_podiums(t, s, c.me)), hash_builders(s, c.me)), deferred)
    for i in range(first, first + width):
        if shoots[i].promise >= 0 and shoots[i].key == key:
            if value <= shoots[i].promise:
                return NONE
            worst = i
    shoots[worst].promise = value
    shoots[worst].key = key
    shoots[worst].deferred = deferred
    return worst


@kernel
def sprout(
    tables: Any,
    states: Any,
    works: Any,
    grounds: Any,
    bounds: Any,
    quests: Any,
    pool: Any,
    shoots: Any,
    parent: int,
    first: int,
    width: int,
) -> None:
    """Goes through the turns of a state of the beam and keeps where the best of them lead, from a place in it on."""
    t, c, g = tables[0], quests[0], grounds[0]
    scratch = len(states) - 1
    ended = pool[parent].ended
    states[0] = pool[parent]
    c.deferred[0] = shoots[parent].deferred
    for kind in range(5):
        c.open_places[kind] = shoots[parent].open_places[kind]
    defer_builders(t, states[0], c, 0)
    ply = 0
    while True:
        s = states[ply]
        w = works[ply]
        w.cursor = 0
        w.count = 0
        turns = c.until - s.ended
        if s.phase == OVER or s.ended > ended:
            states[scratch] = states[ply]
            value = worth_now(t, states[scratch], c)
            if turns <= 0 or s.phase == OVER:
                if value > c.incumbent:
                    note_shoot(works, c, shoots, parent, ply, value)
            else:
                place = keep_shoot(t, s, g, c, shoots, first, width, value, turns, c.deferred[ply])
                if place >= 0:
                    pool[place] = states[ply]
                    note_state(shoots[place], works, c, shoots[parent], ply)
        else:
            if s.phase == EXTRA:
                spread(t, s, g, c.me, turns)
            choose(t, states, works, ply, g, bounds, c, turns, False)
            if s.phase == PLACE and turns > 1:
                keep_places_in_sight(t, s, w, c.me)
        while w.cursor == w.count:
            if ply == 0:
                return
            ply -= 1
            w = works[ply]
        take_next_action(t, states, works, c, ply)
        ply += 1


@kernel
def note_shoot(works: Any, c: Quest, shoots: Any, parent: int, plies: int, value: int) -> None:
    """Notes the best plan so far."""
    c.incumbent = value
    c.found = value
    c.steps = note_way(c.line, works, c, shoots[parent], plies)


@kernel
def note_state(shoot: Any, works: Any, c: Quest, parent: Any, plies: int) -> None:
    """Notes what is deferred in a state of the beam, and the actions that lead to it."""
    for kind in range(5):
        shoot.open_places[kind] = c.open_places[5 * plies + kind]
    shoot.steps = note_way(shoot.line, works, c, parent, plies)


@kernel
def note_way(line: Any, works: Any, c: Quest, parent: Any, plies: int) -> int:
    """Notes the actions that lead to a state of the beam and on from it; gets how many they are."""
    for i in range(parent.steps):
        line[i] = parent.line[i]
    return write_line(line, works, c, parent.steps, plies, parent.deferred, parent.open_places)


@kernel
def keep_places_in_sight(t: Tables, s: State, w: Work, me: int) -> None:
    """Keeps the places for a builder that own workmen see, if there are any."""
    n = 0
    for i in range(w.count):
        if in_own_sight(t, s, me, w.actions[i] >> Z):
            w.actions[i], w.actions[n] = w.actions[n], w.actions[i]
            n += 1
    if n > 0:
        w.count = n
