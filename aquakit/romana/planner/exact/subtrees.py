"""Takes a search apart into subtrees that several threads can go through."""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.romana.kernel import (
    MOVE,
    PLACE,
)  # fmt: skip
from aquakit.romana.planner.exact.candidates import choose
from aquakit.romana.planner.exact.deferred_builders import (
    defer_builders,
    is_after_deferred_builder,
)
from aquakit.romana.planner.exact.deferred_tiles import (
    is_after_deferred_tile,
    take_next_action,
    write_line,
)
from aquakit.romana.planner.exact.pruning import (
    is_pruned,
)

DEEPEST = 20
"""So many actions, at most, lead from the root of one subtree to that of the next."""


class Twig(Struct):
    """Where some actions lead from the first state of a search, which can go on from there by itself."""

    deferred: Annotated[int, "i8"]
    open_places: Annotated[Ints, "i8", 5]
    """What is put off and left open, as in a `Quest`."""
    steps: Annotated[int, "i4"]
    line: Annotated[Ints, "i4", 2 * DEEPEST]


@kernel
def branch(tables: Any, states: Any, works: Any, grounds: Any, bounds: Any, quests: Any, pool: Any, twigs: Any) -> int:
    """Puts where the actions of the first state lead in a row; none if no plan can be better.

    What is laid or placed late is followed by the build for which that is done, if there is room for that in the row.
    """
    t, c, g, s = tables[0], quests[0], grounds[0], states[0]
    defer_builders(t, s, c, 0)
    if s.phase in (PLACE, MOVE) and is_pruned(t, states, 0, g, bounds, c, c.until - s.ended, False):
        return 0
    count = 0
    ply = 0
    works[0].cursor = 0
    choose(t, states, works, 0, g, bounds, c, c.until - s.ended, False)
    rest = works[0].count
    while True:
        while works[ply].cursor == works[ply].count:
            if ply == 0:
                return count
            ply -= 1
        take_next_action(t, states, works, c, ply)
        rest -= 1
        ply += 1
        if ply < DEEPEST and (is_after_deferred_tile(works, ply) or is_after_deferred_builder(works, ply)):
            works[ply].cursor = 0
            choose(t, states, works, ply, g, bounds, c, c.until - s.ended, False)
            if count + rest + works[ply].count < len(pool):
                rest += works[ply].count
                continue
        pool[count] = states[ply]
        twigs[count].deferred = c.deferred[ply]
        for kind in range(5):
            twigs[count].open_places[kind] = c.open_places[5 * ply + kind]
        twigs[count].steps = write_line(twigs[count].line, works, c, 0, ply, c.noted, c.known)
        count += 1
        ply -= 1
