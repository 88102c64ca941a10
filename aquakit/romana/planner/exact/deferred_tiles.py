"""Deferred placement of extra tiles: not when a builder brings one, but just before the tile that brings water to it.

An extra tile lies on a square that no aqueduct's end faces [R6]. Until an end comes to face that square it changes
nothing, and once a square is faced it stays so until it is filled. So its placement can be deferred until then; it is
taken out of the stock at once. What is never met lies on a square that is never faced; of these there must be enough.
`restore_deferred` puts a plan's tiles where they belong.

There is one exception. A tile that nobody has met can close a loop of loose paths, so that a two-segment tile would
join two outlets [R3]; if then no extension is left, a builder may be advanced [R5]. Such tiles are laid before that.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import count_bits, lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    BUILD,
    EMPTY,
    EXTRA,
    LAY,
    NONE,
    NOTHING,
    PUT,
    State,
    Tables,
    Work,
    X,
    Y,
    Z,
    apply,
    ends_at,
    finish_build,
    free_squares,
    lay,
    next_free,
)
from aquakit.romana.planner.exact.deferred_builders import DEFERRED_BUILDER, defer_builders, last_action, take_place
from aquakit.romana.planner.exact.quest import Quest

LAID_LATE, TO_FORBID = 1 << Z, 2 << Z
"""Mark an extra tile that is laid late, in its action's number; the second one, if it is there to forbid builds."""
MORE = 28 * 24
"""The most placements of deferred tiles and builders in a list, beside the actions of the rules."""
DEFERRED_TILE = LAY | (NOTHING << X)
"""Stands in a plan where an extra tile was put off; its kind is added."""


@kernel
def count_deferred(deferred: int) -> int:
    """Counts the extra tiles that have been put off; they are kept by kind, in eight bits each."""
    return (deferred & 255) + ((deferred >> 8) & 255) + ((deferred >> 16) & 255) + ((deferred >> 24) & 255)


@kernel
def defer_tile(t: Tables, s: State, w: Work, c: Quest, ply: int) -> None:
    """Puts an extra tile off, if one is due and enough squares are left that are never faced.

    A turn fills one square that is faced already, and not more than two ends come to face another one by that, since a
    tile has two segments at most. An extra tile that is met takes up one square more.
    """
    if c.defers_tiles == 0 or s.phase != EXTRA:
        return
    kind = t.kind[lowest_bit(s.codes)]
    if s.codes != t.of_kind[kind]:
        return  # its kind is gone: it may be of any
    turns = c.until - s.ended - 1
    if free_squares(t, s, w) < 3 * turns + count_deferred(c.deferred[ply]) + 1:
        return
    s.stock[kind] -= 1
    c.deferred[ply] += 1 << (8 * kind)
    finish_build(t, s)


@kernel
def take_next_action(t: Tables, states: Any, works: Any, c: Quest, ply: int) -> None:
    """Takes the next action of a ply down to the one below."""
    w = works[ply]
    action = w.actions[w.cursor]
    w.cursor += 1
    states[ply + 1] = states[ply]
    s = states[ply + 1]
    c.deferred[ply + 1] = c.deferred[ply]
    for kind in range(5):
        c.open_places[5 * (ply + 1) + kind] = c.open_places[5 * ply + kind]
    what = action & 7
    if what == LAY and action & LAID_LATE:
        code = (action >> Y) & 15
        lay(t, s, (action >> X) & 1023, code)
        c.deferred[ply + 1] -= 1 << (8 * t.kind[code])
        return
    if what == BUILD:
        take_place(c, ply + 1, next_free(t, s, action >> Z))
    elif what == PUT:
        c.open_places[5 * (ply + 1) + ((action >> Y) & 15)] = 0
        take_place(c, ply + 1, action >> Z)
    apply(t, s, action)
    defer_tile(t, s, works[ply + 1], c, ply + 1)
    defer_builders(t, s, c, ply + 1)


@kernel
def is_after_deferred_tile(works: Any, ply: int) -> bool:
    """Checks whether a state comes from an extra tile laid late: it is still to be built."""
    action = last_action(works, ply)
    return action & 7 == LAY and action & (LAID_LATE | TO_FORBID) > 0


@kernel
def is_faced(t: Tables, s: State, q: int) -> bool:
    """Checks whether an aqueduct's end faces a square."""
    found = False
    for a in range(t.aqueducts):
        found = found or s.face[a] == q
    return found


@kernel
def meets_all(t: Tables, states: Any, works: Any, ply: int, action: int) -> bool:
    """Checks whether a build brings water to each of the extra tiles that have just been laid late."""
    s = states[len(states) - 1]
    while is_after_deferred_tile(works, ply):
        laid = (last_action(works, ply) >> X) & 1023
        ply -= 1
        states[len(states) - 1] = states[ply]
        apply(t, s, action)
        if not is_faced(t, s, laid):
            return False
    return True


@kernel
def next_gap(t: Tables, s: State, out: int) -> int:
    """Finds the port by which the loose path at a side of a square comes to an empty one that is not faced, or NONE."""
    e = t.edge[out]
    if s.length[e] > 0:
        e = s.other[e]
    for i in range(2 * e, 2 * e + 2):
        into = t.port[i]
        if into >= 0 and into != out and s.tile[into >> 2] == EMPTY:
            return NONE if is_faced(t, s, into >> 2) else into
    return NONE


@kernel
def find_gap(t: Tables, s: State, w: Work, deferred_count: int) -> int:
    """Finds the port where a loop must go on by which deferred tiles might forbid all builds listed, or NONE.

    Only two-segment tiles are forbidden by one: those on a square at which two aqueducts end, if the other two of its
    sides are joined by a loose path [R3].
    """
    first = NONE
    for i in range(w.count):
        q = (w.actions[i] >> X) & 1023
        ends = ends_at(t, s, q)
        if t.segment[4 * ((w.actions[i] >> Y) & 15) + 2] < 0 or count_bits(ends) != 2:
            return NONE
        rest = 15 - ends
        one = next_gap(t, s, 4 * q + lowest_bit(rest))
        other = next_gap(t, s, 4 * q + lowest_bit(rest & (rest - 1)))
        if one < 0 or other < 0 or (deferred_count == 1 and one >> 2 != other >> 2):
            return NONE
        if i == 0:
            first = one
    return first


@kernel
def is_to_forbid(works: Any, ply: int) -> bool:
    """Checks whether a state comes from an extra tile that was laid to forbid builds."""
    return is_after_deferred_tile(works, ply) and last_action(works, ply) & TO_FORBID > 0


@kernel
def find_loop(t: Tables, states: Any, works: Any, c: Quest, ply: int) -> int:
    """Finds where an extra tile might lie that helps to forbid all builds that are listed, or NONE."""
    deferred_count = count_deferred(c.deferred[ply])
    if deferred_count == 0 or (is_after_deferred_tile(works, ply) and not is_to_forbid(works, ply)):
        return NONE
    return find_gap(t, states[ply], works[ply], deferred_count)


@kernel
def keep_meeting(t: Tables, states: Any, works: Any, ply: int) -> None:
    """Keeps the builds that bring water to the extra tiles just laid late; none if one is to forbid them."""
    if not is_after_deferred_tile(works, ply):
        return
    w = works[ply]
    n = 0
    if not is_to_forbid(works, ply):
        for i in range(w.count):
            if meets_all(t, states, works, ply, w.actions[i]):
                w.actions[n] = w.actions[i]
                n += 1
    w.count = n


@kernel
def add_deferred_tiles(t: Tables, states: Any, works: Any, c: Quest, ply: int, gap: int) -> None:
    """Adds placements of deferred tiles on squares that the builds listed come to face, and at a loop's gap.

    Tiles that lie across the water's way are among them: they close an aqueduct by construction. Others are laid to
    forbid all builds, so that a builder may be advanced [R5].
    """
    codes = codes_in(t, c.deferred[ply])
    if codes:
        add_table(t, states, works, ply, codes)
    if gap >= 0:
        add_tiles(works[ply], gap >> 2, codes & t.with_port[gap & 3], LAID_LATE | TO_FORBID)


@kernel
def codes_in(t: Tables, deferred: int) -> int:
    """Gets the tile codes of the extra tiles that are put off."""
    codes = 0
    for kind in range(4):
        if (deferred >> (8 * kind)) & 255:
            codes |= t.of_kind[kind]
    return codes


@kernel
def add_table(t: Tables, states: Any, works: Any, ply: int, codes: int) -> None:
    """Adds the tiles on squares that come to be faced by the builds listed."""
    s, w = states[ply], works[ply]
    after = states[len(states) - 1]
    builds = w.count
    before = NONE
    for i in range(builds):
        if w.actions[i] & (LAID_LATE - 1) == before:
            continue  # by another builder
        before = w.actions[i] & (LAID_LATE - 1)
        states[len(states) - 1] = states[ply]
        apply(t, after, w.actions[i])
        for a in range(t.aqueducts):
            q = after.face[a]
            if q < 0 or q == s.face[a] or after.tile[q] != EMPTY or is_faced(t, s, q):
                continue
            known = False
            for j in range(builds, w.count):
                known = known or (w.actions[j] >> X) & 1023 == q
            if not known:
                add_tiles(w, q, codes, LAID_LATE)


@kernel
def add_tiles(w: Work, q: int, codes: int, mark: int) -> None:
    """Adds tiles on a square to the list."""
    while codes:
        w.actions[w.count] = LAY | (q << X) | (lowest_bit(codes) << Y) | mark
        codes &= codes - 1
        w.count += 1


@kernel
def write_line(line: Any, works: Any, c: Quest, steps: int, plies: int, deferred: int, open_places: Any) -> int:
    """Notes the actions down to a ply, from a place on; gets how many there are then.

    `deferred` holds what had been put off before, `open_places` which builders' places had been left open.
    """
    for ply in range(plies + 1):
        if c.deferred[ply] > deferred:
            line[steps] = DEFERRED_TILE | ((lowest_bit(c.deferred[ply] - deferred) >> 3) << Y)
            steps += 1
        deferred = c.deferred[ply]
        for kind in range(5):
            before = open_places[kind] if ply == 0 else c.open_places[5 * (ply - 1) + kind]
            if before == 0 and c.open_places[5 * ply + kind]:
                line[steps] = DEFERRED_BUILDER | (kind << Y)
                steps += 1
        if ply < plies:
            line[steps] = works[ply].actions[works[ply].cursor - 1]
            steps += 1
    return steps
