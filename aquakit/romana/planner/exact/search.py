"""Searches all ways in which one player can use some turns alone, for the most podium points [S1][S2].

Branch and bound over single actions: a state from which even a generous
bound stays at or below the best plan so far is left (`bound`), and so is one that was met before. Four facts keep the
tree small without losing a plan:

- An extra tile matters only when water comes to it. So it is laid just before the tile that brings water there
  (`late`). Where squares are scarce or something is forbidden it is laid at once; then all squares that water cannot
  come to in the turns left are alike, and one of them stands for them.
- A builder from the hand matters only when it is used or stepped over. So it is placed just before (`placing`).
- Of the board a state needs only what water can still reach; of the stock only what can still run out.
- In the last turn only the tile, and the builders it needs in sight, make a difference.
"""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import (
    BUILD,
    CLOSE,
    EMPTY,
    EXTRA,
    LAY,
    MOVE,
    NONE,
    NOTHING,
    OVER,
    PICK,
    PLACE,
    SHUT,
    State,
    Tables,
    X,
    Y,
    Z,
    finish_build,
    generate,
    sees,
    stop,
)  # fmt: skip
from aquakit.romana.planner.exact.bound.bound import limit
from aquakit.romana.planner.exact.bound.fountains import in_own_sight
from aquakit.romana.planner.exact.bound.ground import MOST, ground_print, mix, points_of
from aquakit.romana.planner.exact.late import (
    add_late,
    find_loop,
    go_on,
    is_laid_late,
    is_to_forbid,
    keep_meeting,
    note_line,
    put_off,
)
from aquakit.romana.planner.exact.outlook import (
    falls_short,
    get_ready,
    hopes_for_later,
    keep_hoped,
    keep_hopeful,
    see_hopes,
)
from aquakit.romana.planner.exact.placing import (
    TO_ADVANCE,
    TO_USE,
    add_all_places,
    add_last_places,
    add_next_places,
    add_places,
    any_roams,
    is_placed_late,
    is_placed_to,
    keep_needing,
    leave_open,
)
from aquakit.romana.planner.plan_question import MOST_FORBIDDEN
from aquakit.romana.policy import prefer

PLIES = 600
"""The most actions in a plan."""
DEEPEST = 20
"""So many actions, at most, lead from one state that is shared out to the next."""
BARS = MOST_FORBIDDEN
"""The most single actions that can be forbidden."""


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
    best: Annotated[int, "i4"]
    """The points that a plan must exceed; another method may raise them while the search runs."""
    found: Annotated[int, "i4"]
    """The points of the best plan found here, or NONE."""
    enough: Annotated[int, "i4"]
    """So many points end the search."""
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
    met: Annotated[int, "i8"]
    """States left because of the bound, and because they had been met before."""
    keys: Annotated[Ints, "i8", PLIES + 2]
    """What each state on the way was noted as; 0 if it was not."""
    bars: Annotated[int, "i4"]
    bar: Annotated[Ints, "i4", BARS]
    """Actions that are forbidden; one that nobody could take stands for forbidden squares."""
    shut: Annotated[Ints, "i1", "squares"]
    """Squares on which no tile may be laid."""
    late: Annotated[int, "i4"]
    """Whether extra tiles may be put off until water comes to them (`late`)."""
    purse: Annotated[Ints, "i8", PLIES + 2]
    """The extra tiles that are put off in each state on the way, by kind, in eight bits each."""
    noted: Annotated[int, "i8"]
    """Those of them that were put off before the first state."""
    roams: Annotated[int, "i4"]
    """Whether the places of builders may be left open until they matter (`placing`)."""
    roam: Annotated[Ints, "i8", 5 * (PLIES + 2)]
    """The path squares on which the builder of each kind may stand whose place is open in each state on the way; 0 if
    there is none."""
    known: Annotated[Ints, "i8", 5]
    """The same before the first state."""


# Telling states apart


@kernel
def hand_print(s: State, me: int) -> int:
    """Gets the builders in the reserve and in the player's hand as a number."""
    word = 0
    for kind in range(5):
        word = (word * 64 + s.reserve[kind]) * 64 + s.held[5 * me + kind]
    return word


@kernel
def fingerprint(t: Tables, s: State, g: Any, c: Any, ply: int, turns: int) -> int:
    """Gets a hash of all that can still matter in so many turns, after `spread`."""
    me = c.me
    h = mix(mix(turns, points_of(t, s, me)), c.purse[ply])
    for kind in range(5):
        if c.roam[5 * ply + kind]:
            h = mix(h, c.roam[5 * ply + kind] << 3 | kind)
    h = mix(h, s.open)
    for podium in range(1, t.podiums + 1):
        h = h * 31 + s.room[podium]
    h = mix(h, 1)
    h = mix(h, s.open & s.walled)
    word = 0
    for p in range(t.path):
        word = word * 8 + s.path[p] + 1
        if p % 20 == 19:
            h = mix(h, word)
            word = 0
    h = mix(h, word)
    h = mix(h, hand_print(s, me))
    word = 0
    for kind in range(4):
        word = word * 4096 + min(s.stock[kind], 2 * turns + 1)
    h = mix(h, word)
    elsewhere = 0
    for q in range(t.squares):
        if s.tile[q] == EMPTY and g.level[q] > g.reach:
            elsewhere += 1
    return ground_print(t, s, g, mix(h, min(elsewhere, 2 * turns + MOST)))


# Which actions need to be tried


@kernel
def keep_extras(t: Tables, s: State, w: Any, g: Any, turns: int) -> None:
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
    alike = elsewhere > 2 * turns + MOST
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
def keep_places(t: Tables, s: State, w: Any, me: int, used: bool) -> None:
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
def keep_allowed(t: Tables, s: State, w: Any, c: Any) -> None:
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
def order(t: Tables, s: State, w: Any) -> None:
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
def choose_builds(t: Tables, states: Any, works: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int) -> None:
    """Keeps the builds that need to be tried, and adds what may be laid or placed late before one of them.

    Builders come first.
    """
    s, w = states[ply], works[ply]
    last = ply
    while is_laid_late(works, last):
        last -= 1
    gap = NONE if is_placed_to(works, last, TO_USE) else find_loop(t, states, works, c, ply)
    keep_needing(t, s, works, ply, last)
    keep_meeting(t, states, works, ply)
    roams = last == ply and any_roams(c, ply)
    begins = not is_placed_late(works, ply)
    if turns > 1:
        if roams and begins:
            see_hopes(t, states, ply, g, outlook, c, turns - 1)
            keep_hoped(t, s, w, g, c.me)
        keep_hopeful(t, states, works, ply, g, outlook, c, turns - 1)
    order(t, s, w)
    add_late(t, states, works, c, ply, gap)
    if roams:
        add_open_places(t, states, works, ply, g, c, turns)


@kernel
def add_open_places(t: Tables, states: Any, works: Any, ply: int, g: Any, c: Any, turns: int) -> None:
    """Adds places that are left open and that the next build can need, after `see_hopes`."""
    if turns > 1 and is_placed_late(works, ply):
        add_next_places(t, states[ply], works, c, ply)
    elif turns > 1:
        add_places(t, states[ply], works[ply], g, c, ply)
    elif not is_placed_late(works, ply):
        add_last_places(t, states[ply], works[ply], c, ply)


@kernel
def choose_without(t: Tables, states: Any, works: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int) -> None:
    """Keeps the advances that need to be tried, where no builder that stands on the path can be used [R5].

    Before one is advanced, all whose places are open are placed; or one of these is used.
    """
    w = works[ply]
    if is_placed_to(works, ply, TO_USE) or (is_laid_late(works, ply) and not is_to_forbid(works, ply)):
        w.count = 0
        return
    roams = any_roams(c, ply)
    if roams:
        w.count = 0
        if not is_placed_late(works, ply) and not is_laid_late(works, ply):
            if turns > 1:
                see_hopes(t, states, ply, g, outlook, c, turns - 1)
            add_open_places(t, states, works, ply, g, c, turns)
    if turns > 1 and not hopes_for_later(t, states, ply, g, outlook, c, turns - 1):
        if not roams:
            w.count = 0
    elif roams:
        add_all_places(t, states[ply], w, c, ply, turns == 1)
    elif turns == 1 and c.first < 0:
        w.count = min(w.count, 1)


@kernel
def choose(t: Tables, states: Any, works: Any, ply: int, g: Any, outlook: Any, c: Any, turns: int, used: bool) -> None:
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
            if is_placed_to(works, ply, TO_ADVANCE):
                # Nobody was to build, so all builds must be forbidden.
                gap = find_loop(t, states, works, c, ply)
                w.count = 0
                add_late(t, states, works, c, ply, gap)
            else:
                choose_builds(t, states, works, ply, g, outlook, c, turns)
        else:
            choose_without(t, states, works, ply, g, outlook, c, turns)
    elif phase == EXTRA:
        keep_extras(t, s, w, g, turns - 1)
    elif phase == PLACE and turns == 1 and c.first < 0:
        keep_places(t, s, w, c.me, used)
    elif phase == PICK and turns == 1:
        w.count = min(w.count, 1)


# The search


@kernel
def worth_now(t: Tables, s: State, c: Any) -> int:
    """Gets the points of a plan that ends in a state, which is used up [S2]."""
    if c.closed_only == 0:
        stop(t, s, t.mine[c.me])
    return points_of(t, s, c.me)


@kernel
def settles(t: Tables, s: State, c: Any) -> bool:
    """Carries a state after the last tile on to where points can be counted, if nothing is left that matters."""
    if c.closed_only or c.bars > 0:
        return False
    if s.phase == EXTRA:
        finish_build(t, s)
    # Closing before others are scored may save a podium.
    return s.phase != CLOSE or s.due == 0


@kernel
def put_in_sight(t: Tables, s: State, w: Any, me: int) -> bool:
    """Checks whether the last action of a state put a builder in sight of an own workman."""
    return s.phase == PLACE and in_own_sight(t, s, me, w.actions[w.cursor - 1] >> Z)


@kernel
def forget_way(met: Any, c: Any, plies: int) -> None:
    """Takes back that the states on the way were met: what follows them has not all been tried when enough is found."""
    for ply in range(plies + 1):
        key = c.keys[ply]
        if key != 0 and met[key & (len(met) - 1)] == key:
            met[key & (len(met) - 1)] = 0


@kernel
def search(tables: Any, states: Any, works: Any, grounds: Any, outlook: Any, met: Any, quests: Any) -> None:
    """Looks for plans from the first state that are better than the best known, until the budget is used up."""
    t, c, g = tables[0], quests[0], grounds[0]
    scratch = len(states) - 1
    mask = len(met) - 1
    ply = c.ply
    while True:
        if c.budget <= 0:
            c.ply = ply
            return
        c.budget -= 1
        c.seen += 1
        s = states[ply]
        w = works[ply]
        if ply == 0:
            put_off(t, s, w, c, 0)
            leave_open(t, s, c, 0)
        turns = c.until - s.ended
        leaf = False
        value = NONE
        key = 0
        if s.phase == OVER or turns <= 0:
            states[scratch] = states[ply]
            value = worth_now(t, states[scratch], c)
            leaf = True
        else:
            # Worth asking: at the start of a turn, and whenever the board or the open aqueducts have changed in one.
            begins = s.ended != states[ply - 1].ended if ply > 0 else s.phase in (PLACE, MOVE)
            before = states[ply - 1].phase if ply > 0 else MOVE
            late = is_laid_late(works, ply)
            if is_placed_late(works, ply):
                pass  # the board is as it was
            elif not begins and turns == 1 and before == MOVE and not late:
                states[scratch] = states[ply]
                if settles(t, states[scratch], c):
                    value = worth_now(t, states[scratch], c)
                    leaf = True
            elif begins or late or (turns > 1 and before != PLACE and before != PICK):
                started = not begins and not late
                ahead = turns - 1 if started else turns
                if falls_short(t, states, ply, g, outlook, c, ahead, started):
                    c.pruned += 1
                    leaf = True
                elif begins and turns > 1:
                    get_ready(t, s, g, c.me, ahead)
                    key = fingerprint(t, s, g, c, ply, turns)
                    if ply > 0 and met[key & mask] == key:
                        c.met += 1
                        leaf = True
                        key = 0
                    else:
                        met[key & mask] = key
        c.keys[ply] = key
        w.cursor = 0
        w.count = 0
        if leaf:
            if value > c.best:
                c.best = value
                c.found = value
                c.steps = note_line(c.line, works, c, 0, ply, c.noted, c.known)
        else:
            used = ply > 0 and s.phase == PLACE and put_in_sight(t, states[ply - 1], works[ply - 1], c.me)
            if s.phase == EXTRA and turns > 1:
                get_ready(t, s, g, c.me, turns - 1)
            choose(t, states, works, ply, g, outlook, c, turns, used)
        while w.cursor == w.count or c.best >= c.enough:
            if c.best >= c.enough:
                forget_way(met, c, ply)
            if ply == 0 or c.best >= c.enough:
                c.done = 1
                return
            ply -= 1
            w = works[ply]
        go_on(t, states, works, c, ply)
        ply += 1


class Twig(Struct):
    """Where some actions lead from the first state of a search, which can go on from there by itself."""

    purse: Annotated[int, "i8"]
    roam: Annotated[Ints, "i8", 5]
    """What is put off and left open, as in a `Quest`."""
    steps: Annotated[int, "i4"]
    line: Annotated[Ints, "i4", 2 * DEEPEST]


@kernel
def branch(tables: Any, states: Any, works: Any, grounds: Any, outlook: Any, quests: Any, pool: Any, twigs: Any) -> int:
    """Puts where the actions of the first state lead in a row; none if no plan can be better.

    What is laid or placed late is followed by the build for which that is done, if there is room for that in the row.
    """
    t, c, g, s = tables[0], quests[0], grounds[0], states[0]
    leave_open(t, s, c, 0)
    if s.phase in (PLACE, MOVE) and falls_short(t, states, 0, g, outlook, c, c.until - s.ended, False):
        return 0
    count = 0
    ply = 0
    works[0].cursor = 0
    choose(t, states, works, 0, g, outlook, c, c.until - s.ended, False)
    rest = works[0].count
    while True:
        while works[ply].cursor == works[ply].count:
            if ply == 0:
                return count
            ply -= 1
        go_on(t, states, works, c, ply)
        rest -= 1
        ply += 1
        if ply < DEEPEST and (is_laid_late(works, ply) or is_placed_late(works, ply)):
            works[ply].cursor = 0
            choose(t, states, works, ply, g, outlook, c, c.until - s.ended, False)
            if count + rest + works[ply].count < len(pool):
                rest += works[ply].count
                continue
        pool[count] = states[ply]
        twigs[count].purse = c.purse[ply]
        for kind in range(5):
            twigs[count].roam[kind] = c.roam[5 * ply + kind]
        twigs[count].steps = note_line(twigs[count].line, works, c, 0, ply, c.noted, c.known)
        count += 1
        ply -= 1


@kernel
def root_limit(tables: Any, states: Any, grounds: Any, quests: Any) -> int:
    """Gets points that no plan from the first state can exceed."""
    c, s = quests[0], states[0]
    begins = s.phase in (PLACE, MOVE)
    turns = c.until - s.ended - (0 if begins else 1)
    if s.phase == OVER or turns < 0:
        return points_of(tables[0], s, c.me)
    return limit(tables[0], s, grounds[0], c.me, turns, not begins, 0)
