"""Which actions of a state need to be tried: the others are forbidden, symmetric to one of these, or pruned."""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    BUILD,
    EXTRA,
    LAY,
    MOVE,
    NONE,
    NOTHING,
    PICK,
    PLACE,
    SHUT,
    State,
    Tables,
    Work,
    X,
    Y,
    Z,
    generate,
    sees,
)  # fmt: skip
from aquakit.romana.planner.exact.bound.reachable import MOST_AQUEDUCTS, SearchGround
from aquakit.romana.planner.exact.deferred_builders import (
    TO_ADVANCE,
    TO_USE,
    add_all_places,
    add_last_places,
    add_next_places,
    add_places,
    any_place_is_open,
    is_after_builder_placed_to,
    is_after_deferred_builder,
    keep_needing,
)
from aquakit.romana.planner.exact.deferred_tiles import (
    add_deferred_tiles,
    find_loop,
    is_after_deferred_tile,
    is_to_forbid,
    keep_meeting,
)
from aquakit.romana.planner.exact.pruning import (
    is_promising_without_build,
    keep_promising,
    keep_promising_for_any,
    note_promising_tiles,
)
from aquakit.romana.planner.exact.quest import Quest
from aquakit.romana.policy import prefer


@kernel
def in_own_sight(t: Tables, s: State, me: int, p: int) -> bool:
    """Checks whether some own open workman sees a path square."""
    rest = s.open & t.mine[me]
    while rest:
        if sees(t, s, lowest_bit(rest), p):
            return True
        rest &= rest - 1
    return False


@kernel
def keep_extras(t: Tables, s: State, w: Work, g: SearchGround, turns: int) -> None:
    """Keeps the extra tiles that can matter in the turns left, and one for each kind on all other squares."""
    if turns == 0:
        w.count = min(w.count, 1)
        return
    elsewhere = 0
    last = NONE
    near = g.reach - 1  # the tile itself was counted among those that can be filled
    for i in range(w.count):
        q = (w.actions[i] >> X) & 1023
        if g.level[q] > near and q != last:
            elsewhere += 1
            last = q
    # Where such squares are scarce, which of them is left may matter.
    alike = elsewhere > 2 * turns + MOST_AQUEDUCTS
    n = 0
    kinds = 0
    for i in range(w.count):
        action = w.actions[i]
        q = (action >> X) & 1023
        if alike and g.level[q] > near:
            kind = t.kind[(action >> Y) & 15]
            if (kinds >> kind) & 1:
                continue
            kinds |= 1 << kind
        w.actions[n] = action
        n += 1
    w.count = n


@kernel
def keep_places(t: Tables, s: State, w: Work, me: int, used: bool) -> None:
    """Keeps the places for a builder in the last turn: one in sight of each own workman, and one where it is not used.

    Only one builder is used, so when one of several has been put in sight, the others may stand anywhere.
    """
    n = 0
    if not used:
        rest = s.open & t.mine[me]
        while rest:
            a = lowest_bit(rest)
            rest &= rest - 1
            for i in range(n, w.count):
                if sees(t, s, a, w.actions[i] >> Z):
                    w.actions[n], w.actions[i] = w.actions[i], w.actions[n]
                    n += 1
                    break
    if n < w.count:
        n += 1
    w.count = n


@kernel
def keep_allowed(t: Tables, s: State, w: Work, c: Quest) -> None:
    """Keeps the actions that are not forbidden, and of the first turn's builds the one asked for."""
    n = 0
    for i in range(w.count):
        action = w.actions[i]
        what = action & 7
        if what in (BUILD, LAY) and c.shut[(action >> X) & 1023]:
            continue
        if what == SHUT and c.voluntary == 0 and (action >> X) & 1023 != NOTHING:
            continue
        if c.first >= 0 and s.ended == c.begun and s.phase == MOVE and action != c.first:
            continue
        barred = False
        for j in range(c.bars):
            if c.bar[j] == action:
                barred = True
        if barred:
            continue
        w.actions[n] = action
        n += 1
    w.count = n


@kernel
def order(t: Tables, s: State, w: Work) -> None:
    """Puts what a sensible player would rather do in front."""
    for i in range(1, w.count):
        action = w.actions[i]
        weight = prefer(t, s, action)
        j = i
        while j > 0 and prefer(t, s, w.actions[j - 1]) < weight:
            w.actions[j] = w.actions[j - 1]
            j -= 1
        w.actions[j] = action


@kernel
def choose_builds(
    t: Tables, states: Any, works: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int
) -> None:
    """Keeps the builds that need to be tried, and adds what may be laid or placed late before one of them.

    Builders come first.
    """
    s, w = states[ply], works[ply]
    last = ply
    while is_after_deferred_tile(works, last):
        last -= 1
    gap = NONE if is_after_builder_placed_to(works, last, TO_USE) else find_loop(t, states, works, c, ply)
    keep_needing(t, s, works, ply, last)
    keep_meeting(t, states, works, ply)
    roams = last == ply and any_place_is_open(c, ply)
    begins = not is_after_deferred_builder(works, ply)
    if turns > 1:
        if roams and begins:
            note_promising_tiles(t, states, ply, g, bounds, c, turns - 1)
            keep_promising_for_any(t, s, w, g, c.me)
        keep_promising(t, states, works, ply, g, bounds, c, turns - 1)
    order(t, s, w)
    add_deferred_tiles(t, states, works, c, ply, gap)
    if roams:
        add_open_places(t, states, works, ply, g, c, turns)


@kernel
def add_open_places(t: Tables, states: Any, works: Any, ply: int, g: SearchGround, c: Quest, turns: int) -> None:
    """Adds places that are left open and that the next build can need, after `note_promising_tiles`."""
    if turns > 1 and is_after_deferred_builder(works, ply):
        add_next_places(t, states[ply], works, c, ply)
    elif turns > 1:
        add_places(t, states[ply], works[ply], g, c, ply)
    elif not is_after_deferred_builder(works, ply):
        add_last_places(t, states[ply], works[ply], c, ply)


@kernel
def choose_without(
    t: Tables, states: Any, works: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int
) -> None:
    """Keeps the advances that need to be tried, where no builder that stands on the path can be used [R5].

    Before one is advanced, all whose places are open are placed; or one of these is used.
    """
    w = works[ply]
    met = is_after_deferred_tile(works, ply) and not is_to_forbid(works, ply)
    if met or is_after_builder_placed_to(works, ply, TO_USE):
        w.count = 0
        return
    roams = any_place_is_open(c, ply)
    if roams:
        w.count = 0
        if not is_after_deferred_builder(works, ply) and not is_after_deferred_tile(works, ply):
            if turns > 1:
                note_promising_tiles(t, states, ply, g, bounds, c, turns - 1)
            add_open_places(t, states, works, ply, g, c, turns)
    if turns > 1 and not is_promising_without_build(t, states, ply, g, bounds, c, turns - 1):
        if not roams:
            w.count = 0
    elif roams:
        add_all_places(t, states[ply], w, c, ply, turns == 1)
    elif turns == 1 and c.first < 0:
        w.count = min(w.count, 1)


@kernel
def choose(
    t: Tables, states: Any, works: Any, ply: int, g: SearchGround, bounds: Any, c: Quest, turns: int, used: bool
) -> None:
    """Lists the actions of a state that need to be tried; `turns` counts the present one.

    `used` says that a builder has been put in sight in this turn.
    """
    s, w = states[ply], works[ply]
    generate(t, s, w)
    phase = s.phase
    if c.bars > 0 or c.first >= 0 or c.voluntary == 0 or phase in (MOVE, EXTRA):
        keep_allowed(t, s, w, c)
    if phase == MOVE:
        if w.count > 0 and w.actions[0] & 7 == BUILD:
            if is_after_builder_placed_to(works, ply, TO_ADVANCE):
                # Nobody was to build, so all builds must be forbidden.
                gap = find_loop(t, states, works, c, ply)
                w.count = 0
                add_deferred_tiles(t, states, works, c, ply, gap)
            else:
                choose_builds(t, states, works, ply, g, bounds, c, turns)
        else:
            choose_without(t, states, works, ply, g, bounds, c, turns)
    elif phase == EXTRA:
        keep_extras(t, s, w, g, turns - 1)
    elif phase == PLACE and turns == 1 and c.first < 0:
        keep_places(t, s, w, c.me, used)
    elif phase == PICK and turns == 1:
        w.count = min(w.count, 1)
