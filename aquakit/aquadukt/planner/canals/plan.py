"""Plans canals: the layout of some more that is best for a player's houses, proved, and replayed by the rules."""

from __future__ import annotations

import threading
from collections.abc import Callable

from aquakit.aquadukt.planner.canals.result import CanalPlan
from aquakit.aquadukt.planner.canals.search import CanalSearch
from aquakit.aquadukt.position import Position
from aquakit.core.options import read_flag, read_listener, read_seconds, read_stop, read_whole, show
from aquakit.errors import InvalidPosition
from aquakit.planning import cpsat

MOST_CANALS, MOST_SPRINGS = 999, 12
"""What a layout's box holds at most."""


def plan_canals(
    position: Position,
    *,
    canals: int,
    player: int | None = None,
    springs: int = 0,
    against: bool = True,
    seconds: float | None = None,
    on_progress: Callable[[cpsat.SolverProgress], None] | None = None,
    stop: threading.Event | None = None,
) -> CanalPlan:
    """Finds the best layout of up to `canals` more canals, and proves that there is none better.

    Canals are laid one after another as section 3 allows: an arm starts at a spring with fewer than two arms, goes on
    from its last point to a free one [Q3], or gets second canals from the spring on. Up to `springs` new springs may be
    placed before, where a spring may stand [Q2]. No more of either are laid than are left in the box. In whose turns
    that happens does not matter; meanwhile nobody rolls, builds or loses a tile, and the game does not end.

    A plan's value is what the watered tiles of a `player` (the one whose turn it is, if none is given) score after it,
    less what those of all others score, or alone with `against=False`; in the variant the events count as section 5
    says, those hidden do not. The best plan has the highest value; of several, the fewest canals, then the fewest new
    springs. It is replayed by the rules before it is shown. If `seconds` are not enough, or an interrupt or `stop` ends
    it, the plan is the best so far, and `bound` says what might still be possible; so too with so many canals that not
    all ways of a single arm can be looked at. `on_progress` hears of values and bounds on the way.

    >>> p = Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    >>> p = p.play("spring 3.2").play("roll, die 2, 3 c4, stop")
    >>> plan = plan_canals(p, canals=3, player=2)
    >>> plan.gain, len(plan.canals), plan.proved
    (3, 2, True)
    """
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aquädukt")
    if position.is_over:
        raise InvalidPosition("position", "the game is over", "a position in which canals can still be laid")
    canals = read_whole("canals", canals, least=1, most=MOST_CANALS)
    springs = read_whole("springs", springs, most=MOST_SPRINGS)
    chosen = read_whole("player", position.mover if player is None else player, least=1, most=position.layout.players)
    read_flag("against", against)
    read_seconds(seconds)
    read_listener(on_progress)
    read_stop(stop)
    return CanalSearch(position, canals, springs, chosen, against=against).best(seconds, on_progress, stop)
