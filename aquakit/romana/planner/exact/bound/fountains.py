"""An upper bound on the builders that can come past a fountain in time and bring an extra tile.

Each builder is looked at for itself, so more seems possible than is.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import State, Tables, sees
from aquakit.romana.planner.exact.bound.reachable import FAR, SearchGround


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
def count_passers(t: Tables, s: State, g: SearchGround, most: int) -> None:
    """Counts the builders that can come past a fountain, by the free squares that are filled before: 0 to `most`.

    A builder that comes past fills a free square too, at the start of the next side, and can pass the next fountain;
    this is not reckoned with.
    """
    for fills in range(most + 1):
        g.spare[fills] = 0
        g.ahead[fills] = 0
    free = 0
    for p in range(t.path - 1, -1, -1):
        if s.path[p] < 0:
            free += 1
        elif free <= most:
            g.ahead[free] += 1
        if p > 0 and t.side[p] == t.side[p - 1]:
            continue
        # A side is done: what it lets pass is added to what others do.
        free = 0
        for fills in range(1, most + 1):
            g.ahead[fills] += g.ahead[fills - 1]
        for fills in range(most, -1, -1):
            best = 0
            for here in range(fills + 1):
                best = max(best, g.spare[fills - here] + g.ahead[here])
            g.spare[fills] = best
        for fills in range(most + 1):
            g.ahead[fills] = 0


@kernel
def measure_sights(t: Tables, s: State, g: SearchGround, me: int) -> None:
    """Notes how soon an own workman can see each path square, after `spread`."""
    for p in range(t.path):
        g.least[p] = FAR
    rest = s.open & t.mine[me]
    while rest:
        stand = s.stand[lowest_bit(rest)]
        rest &= rest - 1
        for i in range(4 * stand, 4 * stand + 4):
            g.least[t.sight[i]] = 0
    for i in range(g.count):
        q = g.region[i]
        level = g.level[q]
        if level >= g.reach:
            return
        for out in range(4 * q, 4 * q + 4):
            into = g.go[out]
            if into < 0:
                continue
            e = t.edge[into]
            stand = t.port[2 * e] >> 2
            if stand == into >> 2:
                stand = t.port[2 * e + 1] >> 2
            for j in range(4 * stand, 4 * stand + 4):
                if level + 1 < g.least[t.sight[j]]:
                    g.least[t.sight[j]] = level + 1


@kernel
def expect_passes(t: Tables, s: State, g: SearchGround, me: int, started: bool) -> None:
    """Notes in `due` the first turn from now on, counted from one, in which no square is free before a fountain.

    Each turn before fills one at most, and a builder from the hand or the reserve one more.
    """
    held = 0
    kept = 0
    for kind in range(5):
        held += s.held[5 * me + kind]
        kept += s.reserve[kind]
    at_once = held + (kept if started else 0)
    fewest = FAR
    free = 0
    for p in range(t.path - 1, -1, -1):
        free += s.path[p] < 0
        g.due[p] = 1 if free <= at_once else max(2, free - held - kept + 1)
        if p == 0 or t.side[p] != t.side[p - 1]:
            fewest = min(fewest, free)
            free = 0
    g.fewest = fewest
    g.at_hand = held + kept


@kernel
def soonest_pass(t: Tables, g: SearchGround, sight: Any, extras: int) -> int:
    """Gets the first turn in which a builder can come past a fountain, after `expect_passes`; FAR if none.

    It must stand where an own workman sees it then. Workmen come on by a tile a turn, and by the extra tiles at hand.
    """
    soonest = FAR
    for p in range(t.path):
        soonest = min(soonest, max(g.due[p], sight.least[p] + 1 - extras))
    return soonest


@kernel
def count_extras(t: Tables, s: State, g: SearchGround, turns: int, soonest: int) -> int:
    """Gets an upper bound on the extra tiles that can come in `turns` turns and still be reached before these end.

    It is after `expect_passes`. The last turn's extra tile is never reached, and none comes before the `soonest` turn.
    A builder comes past a fountain only when no free square is left before it. Each turn fills one free square at most,
    unless it is itself one in which a fountain is passed; a builder from the hand or the reserve fills one more, and
    can pass a fountain too. One that has passed fills a square of the next side: if all others there can be filled in
    the turns in which none passes, any number may.
    """
    passes = turns - soonest
    most = turns - 2 + g.at_hand
    if passes <= g.at_hand or g.fewest <= most:
        return max(0, passes)
    most = min(most, len(g.spare) - 1)
    count_passers(t, s, g, most)
    while g.spare[min(turns - 1 - passes + g.at_hand, most)] + g.at_hand < passes:
        passes -= 1
    return passes
