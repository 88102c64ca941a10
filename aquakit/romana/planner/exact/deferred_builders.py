"""Deferred placement of builders: their places are left open until it matters where they stand.

A builder from the hand may go on any of two dozen path squares, and where it stands changes nothing until it is used,
or until another one that walks would stop on its square. So its placement is deferred: it stays in the hand, and what
is kept is where it may stand, on squares that were free when it was to be placed and on which no other has stopped
since. Only just before the build that uses it, or by which another steps over it, is it placed. `restore_deferred` puts
a plan's builders where they belong, and those that never mattered on squares that stay free.

There is one exception. A builder may be advanced only if no extension is possible [R5], and that depends on all
builders: before that all of them are placed, wherever they may stand.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    EMPTY,
    MOVE,
    NONE,
    NOTHING,
    PLACE,
    PUT,
    State,
    Tables,
    Work,
    X,
    Y,
    Z,
    next_free,
    offered,
)
from aquakit.romana.planner.exact.bound.reachable import SearchGround
from aquakit.romana.planner.exact.quest import Quest

TO_USE, TO_ADVANCE = 1 << X, 2 << X
"""Mark a builder that is placed late, in its action's number: the next build needs it there, or all are placed."""
DEFERRED_BUILDER = PUT | (NOTHING << X)
"""Stands in a plan where a builder's place was left open; its kind is added."""
WIDEST = 60
"""The most path squares that fit in a word."""


@kernel
def free_places(t: Tables, s: State) -> int:
    """Gets the free path squares, a bit for each."""
    free = 0
    for p in range(t.path):
        free |= (s.path[p] < 0) << p
    return free


@kernel
def defer_builders(t: Tables, s: State, c: Quest, ply: int) -> None:
    """Leaves open where the builders in the hand stand, if they are to be placed now."""
    if c.defers_builders == 0 or s.phase != PLACE or s.ended >= c.until or (c.first >= 0 and s.ended == c.begun):
        return
    for kind in range(5):
        if s.held[5 * c.me + kind] > 0 and c.open_places[5 * ply + kind] == 0:
            c.open_places[5 * ply + kind] = free_places(t, s)
    s.phase = MOVE


@kernel
def take_place(c: Quest, ply: int, p: int) -> None:
    """Notes that no builder whose place is open stands on a path square."""
    for kind in range(5):
        c.open_places[5 * ply + kind] &= ~(1 << p)


@kernel
def any_place_is_open(c: Quest, ply: int) -> bool:
    """Checks whether some builder's place is open."""
    found = False
    for kind in range(5):
        found = found or c.open_places[5 * ply + kind] != 0
    return found


@kernel
def last_action(works: Any, ply: int) -> int:
    """Gets the action that leads to a state; NONE, which is no action, if it is the first."""
    if ply == 0:
        return NONE
    action: int = works[ply - 1].actions[works[ply - 1].cursor - 1]
    return action


@kernel
def is_after_builder_placed_to(works: Any, ply: int, marks: int) -> bool:
    """Checks whether a state comes from a builder placed late, with one of some marks."""
    action = last_action(works, ply)
    return action & 7 == PUT and action & marks > 0


@kernel
def is_after_deferred_builder(works: Any, ply: int) -> bool:
    """Checks whether a state comes from a builder placed late."""
    return is_after_builder_placed_to(works, ply, TO_USE | TO_ADVANCE)


@kernel
def comes_by(t: Tables, s: State, p: int, goal: int) -> bool:
    """Checks whether a builder that walks from a path square begins at another one or steps over it."""
    end = next_free(t, s, p)
    while p != end:
        if p == goal:
            return True
        p += 1
        if p == t.path:
            p = 0
    return False


@kernel
def needs_all(t: Tables, s: State, works: Any, ply: int, p: int) -> bool:
    """Checks whether a walk from a path square needs each builder that was placed late, up to a ply, for it."""
    while is_after_deferred_builder(works, ply):
        action = last_action(works, ply)
        if action & TO_USE and not comes_by(t, s, p, action >> Z):
            return False
        ply -= 1
    return True


@kernel
def keep_needing(t: Tables, s: State, works: Any, ply: int, last: int) -> None:
    """Keeps the builds of a ply that need each builder that was placed late, up to another ply, for them."""
    if not is_after_deferred_builder(works, last):
        return
    w = works[ply]
    n = 0
    for i in range(w.count):
        if needs_all(t, s, works, last, w.actions[i] >> Z):
            w.actions[n] = w.actions[i]
            n += 1
    w.count = n


@kernel
def add_placings(w: Work, kind: int, places: int, mark: int) -> None:
    """Adds placings of a builder to the list."""
    while places:
        w.actions[w.count] = PUT | mark | (kind << Y) | (lowest_bit(places) << Z)
        places &= places - 1
        w.count += 1


@kernel
def add_places(t: Tables, s: State, w: Work, g: SearchGround, c: Quest, ply: int) -> None:
    """Adds, for builders whose places are open, those where a promising build would use them or step over them.

    What is promising before each workman has been noted in `promising`.
    """
    for kind in range(5):
        open_places = c.open_places[5 * ply + kind]
        places = 0
        rest = s.open & t.mine[c.me] if open_places else 0
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            if g.promising[a] == 0:
                continue
            for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
                p = t.sight[i]
                if s.path[p] < 0:
                    places |= (offered(t, s, kind) & g.promising[a] != 0) << p
                elif offered(t, s, s.path[p]) & g.promising[a]:
                    places |= 1 << next_free(t, s, p)
        add_placings(w, kind, open_places & places, TO_USE)


@kernel
def add_next_places(t: Tables, s: State, works: Any, c: Quest, ply: int) -> None:
    """Adds, for builders whose places are open, the one where whoever needs the builder just placed late would stop."""
    place = 1 << next_free(t, s, last_action(works, ply) >> Z)
    for kind in range(5):
        add_placings(works[ply], kind, c.open_places[5 * ply + kind] & place, TO_USE)


@kernel
def add_last_places(t: Tables, s: State, w: Work, c: Quest, ply: int) -> None:
    """Adds, for builders whose places are open, one in sight of each own workman: in the last turn these are alike."""
    for kind in range(5):
        rest = s.open & t.mine[c.me]
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            if s.face[a] < 0 or s.tile[s.face[a]] != EMPTY:
                continue
            for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
                if (c.open_places[5 * ply + kind] >> t.sight[i]) & 1:
                    add_placings(w, kind, 1 << t.sight[i], TO_USE)
                    break


@kernel
def add_all_places(t: Tables, s: State, w: Work, c: Quest, ply: int, last: bool) -> None:
    """Adds all places of one of the builders whose places are open; in the last turn one out of sight, if there is any.

    Nobody is to build then, so that a builder may be advanced.
    """
    for kind in range(5):
        places = c.open_places[5 * ply + kind]
        if places == 0:
            continue
        if last:
            hidden = places
            rest = s.open & t.mine[c.me]
            while rest:
                a = lowest_bit(rest)
                rest &= rest - 1
                for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
                    hidden &= ~(1 << t.sight[i])
            if hidden:
                places = hidden & -hidden
        add_placings(w, kind, places, TO_ADVANCE)
        return
