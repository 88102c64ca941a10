"""Searches all ways in which one player can use some turns alone, for the most podium points [S1][S2].

Depth-first branch and bound over single actions. A state is cut if an admissible upper bound on its plans
(`bound.upper_bound`) does not exceed the incumbent, the best plan so far, or if the transposition table has it. Four
facts keep the tree small without losing a plan:

- An extra tile matters only when water comes to it. So its placement is deferred to just before the tile that brings
  water there (`deferred_tiles`). Where squares are scarce or something is forbidden it is laid at once; then squares
  that water cannot come to in the turns left are symmetric, and one of them stands for all.
- A builder from the hand matters only when it is used or stepped over. So its placement is deferred to just before
  (`deferred_builders`).
- Of the board a state needs only what water can still reach; of the stock only what can still run out
  (`transpositions`).
- In the last turn only the tile, and the builders it needs in sight, make a difference (`candidates`).

Why none is lost stands in docs/planner-proof.md, lemmas 7 to 12.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    CLOSE,
    EXTRA,
    MOVE,
    NONE,
    OVER,
    PICK,
    PLACE,
    State,
    Tables,
    Work,
    Z,
    finish_build,
    stop,
)  # fmt: skip
from aquakit.romana.planner.exact.bound.reachable import points_of
from aquakit.romana.planner.exact.bound.upper_bound import upper_bound
from aquakit.romana.planner.exact.candidates import choose, in_own_sight
from aquakit.romana.planner.exact.deferred_builders import (
    defer_builders,
    is_after_deferred_builder,
)
from aquakit.romana.planner.exact.deferred_tiles import (
    defer_tile,
    is_after_deferred_tile,
    take_next_action,
    write_line,
)
from aquakit.romana.planner.exact.pruning import (
    ensure_reach,
    is_pruned,
)
from aquakit.romana.planner.exact.quest import Quest
from aquakit.romana.planner.exact.transpositions import forget_path, is_transposition


@kernel
def worth_now(t: Tables, s: State, c: Quest) -> int:
    """Gets the points of a plan that ends in a state, which is used up [S2]."""
    if c.closed_only == 0:
        stop(t, s, t.mine[c.me])
    return points_of(t, s, c.me)


@kernel
def settles(t: Tables, s: State, c: Quest) -> bool:
    """Carries a state after the last tile on to where points can be counted, if nothing is left that matters."""
    if c.closed_only or c.bars > 0:
        return False
    if s.phase == EXTRA:
        finish_build(t, s)
    # Closing before others are scored may save a podium.
    return s.phase != CLOSE or s.due == 0


@kernel
def put_in_sight(t: Tables, s: State, w: Work, me: int) -> bool:
    """Checks whether the last action of a state put a builder in sight of an own workman."""
    return s.phase == PLACE and in_own_sight(t, s, me, w.actions[w.cursor - 1] >> Z)


@kernel
def search(tables: Any, states: Any, works: Any, grounds: Any, bounds: Any, table: Any, quests: Any) -> None:
    """Looks for plans from the first state that beat the incumbent, until the budget is used up.

    Depth first, a loop with a cursor per ply, since compiled recursion does not survive the cache:

        search(state):
            if the plan is over: take it as the incumbent if it is better
            else if not cut by the upper bound or the transposition table:
                for each candidate: search(the state after it)
    """
    t, c, g = tables[0], quests[0], grounds[0]
    scratch = len(states) - 1
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
            defer_tile(t, s, w, c, 0)
            defer_builders(t, s, c, 0)
        turns = c.until - s.ended
        value = NONE
        cut = False
        c.keys[ply] = 0
        if s.phase == OVER or turns <= 0:
            states[scratch] = states[ply]
            value = worth_now(t, states[scratch], c)
        elif not is_after_deferred_builder(works, ply):  # else the board is as it was
            begins = s.ended != states[ply - 1].ended if ply > 0 else s.phase in (PLACE, MOVE)
            before = states[ply - 1].phase if ply > 0 else MOVE
            laid = is_after_deferred_tile(works, ply)
            if turns == 1 and before == MOVE and not begins and not laid:
                states[scratch] = states[ply]
                if settles(t, states[scratch], c):
                    value = worth_now(t, states[scratch], c)
            elif begins or laid or (turns > 1 and before not in (PLACE, PICK)):
                # The board or the open aqueducts have changed.
                started = not begins and not laid
                ahead = turns - 1 if started else turns
                cut = is_pruned(t, states, ply, g, bounds, c, ahead, started)
                c.pruned += cut
                if begins and turns > 1 and not cut:
                    ensure_reach(t, s, g, c.me, ahead + g.extras)
                    cut = is_transposition(t, s, g, c, table, ply, turns)
        w.cursor = 0
        w.count = 0
        if value > c.incumbent:
            c.incumbent = value
            c.found = value
            c.steps = write_line(c.line, works, c, 0, ply, c.noted, c.known)
        elif value == NONE and not cut:
            used = ply > 0 and s.phase == PLACE and put_in_sight(t, states[ply - 1], works[ply - 1], c.me)
            if s.phase == EXTRA and turns > 1:
                ensure_reach(t, s, g, c.me, turns - 1 + g.extras)
            choose(t, states, works, ply, g, bounds, c, turns, used)
        if c.incumbent >= c.enough:
            forget_path(table, c, ply)
            c.done = 1
            return
        while w.cursor == w.count:
            if ply == 0:
                c.done = 1
                return
            ply -= 1
            w = works[ply]
        take_next_action(t, states, works, c, ply)
        ply += 1


@kernel
def root_bound(tables: Any, states: Any, grounds: Any, quests: Any) -> int:
    """Gets points that no plan from the first state can exceed."""
    c, s = quests[0], states[0]
    begins = s.phase in (PLACE, MOVE)
    turns = c.until - s.ended - (0 if begins else 1)
    if s.phase == OVER or turns < 0:
        return points_of(tables[0], s, c.me)
    return upper_bound(tables[0], s, grounds[0], c.me, turns, int(s.phase == EXTRA))
