"""Closing and scoring in the planner's model: by construction, voluntarily, and which podiums that gives."""

from __future__ import annotations

from typing import Any

from aquakit.romana.kernel import NONE, OPEN
from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.ground import End


def add_stuck(frame: Frame) -> None:
    """Adds which ends cannot be extended any more, and since when (step 5)."""
    for number in frame.ground.earliest:
        if frame.ground.is_mine(number):
            _add_stuck(frame, frame.ground.ends[number])


def _add_stuck(frame: Frame, end: End) -> None:
    frame.stuck[end.number, 0] = False
    for t in frame.turns:
        reached = frame.reach[end.number, t]
        if end.face == NONE:
            frame.stuck[end.number, t] = reached  # the rim, or a tile without a port there
            continue
        laid, crowd = frame.laid[end.face, t], crowded(frame, end.face, t)
        if reached is False or (laid is False and crowd is False):
            frame.stuck[end.number, t] = False
            continue
        stuck = frame.stuck[end.number, t] = frame.bool(f"stuck {end.number} {t}")
        flows = [frame.flow.get((end.face, end.entry, side), False) for side in range(4)]
        frame.when([stuck], reached)
        frame.when([stuck], laid, crowd)
        for flow in flows:
            frame.when([stuck, flow], False)
        frame.when([reached, laid], stuck, *flows)
        frame.when([crowd], stuck)


def crowded(frame: Frame, q: int, t: int) -> Literal:
    """Gets whether four ends meet in an empty square, where no tile fits any more [R8]."""
    if (q, t) not in frame.crowd:
        numbers = [frame.ground.enters.get((q, side)) for side in range(4)]
        ends = [frame.reach.get((number, t), False) if number is not None else False for number in numbers]
        frame.crowd[q, t] = frame.both(f"crowd {frame.name(q)} {t}", *ends, negate(frame.laid[q, t]))
    return frame.crowd[q, t]


def add_closing(frame: Frame) -> None:
    """Adds when each own aqueduct is closed: by construction (step 5), or voluntarily (step 6)."""
    for a in frame.ground.open:
        frame.closed[a, 0] = False
        for t in frame.turns:
            frame.closed[a, t] = frame.bool(f"closed {a} {t}")
            frame.shut[a, t] = _may_shut(frame, a, t)
    for a in frame.ground.open:
        for t in frame.turns:
            stuck = _is_stuck(frame, a, t)
            before, now, shut = frame.closed[a, t - 1], frame.closed[a, t], frame.shut[a, t]
            frame.when([before], now)
            frame.when([stuck], now)
            frame.when([shut], now)
            frame.when([shut], negate(before))
            frame.when([shut], negate(stuck))
            frame.when([now], before, stuck, shut)
    for t in frame.turns:
        shuts = [frame.shut[a, t] for a in frame.ground.open]
        frame.at_most(sum(shuts), 1)
        for a in frame.ground.open:
            # After an own closing by construction there is no voluntary one.
            for shut in shuts:
                if shut is not frame.shut[a, t]:
                    frame.when([shut, frame.closed[a, t]], frame.closed[a, t - 1])


def _may_shut(frame: Frame, a: int, t: int) -> Literal:
    """Gets whether an aqueduct is closed voluntarily in a turn; it must have a length then [R9]."""
    if not frame.task.voluntary or a not in frame.ground.heads:
        return False
    shut = frame.bool(f"shut {a} {t}")
    head = frame.ground.ends[frame.ground.heads[a]]
    if not frame.ground.base[a]:
        frame.when([shut], frame.laid[head.face, t])
        frame.when([shut], *(frame.flow.get((head.face, head.entry, side), False) for side in range(4)))
    frame.when([shut, frame.over[t]], False)
    return shut


def _is_stuck(frame: Frame, a: int, t: int) -> Literal:
    """Gets whether an aqueduct's end cannot be extended any more after a turn."""
    if a not in frame.ground.heads:
        # Walled in from the start, but only a turn with a tile closes it.
        return frame.any_of(f"walled {a} {t}", [frame.builds[u] for u in range(1, t + 1)])
    ways = []
    for number in frame.ground.by[a]:
        stuck = frame.stuck[number, t]
        way = frame.both(f"ends {a} {number} {t}", frame.label[number, a], stuck)
        if way is not False:
            ways.append(way)
    if not ways:
        return False
    found = frame.bool(f"stuck {a} {t}")
    frame.equal(sum(ways), found)
    return found


def add_over(frame: Frame) -> None:
    """Adds that the player acts as long as a workman is left [S1]."""
    for t in frame.turns[1:]:
        closed = [frame.closed[a, t - 1] for a in frame.ground.open]
        frame.when(closed, frame.over[t])
        for literal in closed:
            frame.when([frame.over[t]], literal)


def add_podiums(frame: Frame) -> None:
    """Adds podiums: a free place no higher than the length (step 7).

    For one player alone the next lower podium with room gives the same total in any order, so an assignment will do.
    """
    tables, state = frame.ground.tables, frame.ground.state
    mine = tables.mine[state.player]
    done = [a for a in range(tables.aqueducts) if mine >> a & 1 and state.score[a] != OPEN]
    frame.fixed_points = sum(state.score[a] for a in done)
    for a in frame.ground.open:
        length, most = add_length(frame, a)
        for podium in range(1, min(tables.podiums, most) + 1):
            if state.room[podium]:
                taken = frame.podium[a, podium] = frame.bool(f"podium {a} {podium}")
                if podium > frame.ground.base[a]:
                    frame.cp.add(length >= podium).only_enforce_if(taken)
                if frame.task.closed_only:
                    frame.when([taken], frame.closed[a, frame.last])
        frame.at_most(sum(p * x for (b, p), x in frame.podium.items() if b == a), length)
        frame.cp.add_at_most_one([x for (b, _), x in frame.podium.items() if b == a])
    _add_total(frame)
    for podium in range(1, tables.podiums + 1):
        takers = [x for (_, p), x in frame.podium.items() if p == podium]
        if len(takers) > state.room[podium]:
            frame.at_most(sum(takers), state.room[podium])


def _add_total(frame: Frame) -> None:
    """Adds that all podiums together are no higher than all lengths: implied, but it bounds the points early."""
    ground = frame.ground
    loose = [
        (ground.ends[number].weight - 1) * frame.reach[number, frame.last]
        for number in ground.earliest
        if ground.ends[number].weight > 1
    ]
    total = sum(ground.base.values()) + frame.growth[frame.last] + sum(loose)
    frame.at_most(sum(podium * taken for (_, podium), taken in frame.podium.items()), total)


def add_length(frame: Frame, a: int) -> tuple[Any, int]:
    """Adds the segments that count for an aqueduct, up to its closing; gets its length and the most it can be."""
    ground, terms, most = frame.ground, [frame.ground.base[a]], frame.ground.base[a]
    for number in ground.by.get(a, ()):
        end = ground.ends[number]
        if end.head != NONE:
            continue
        counts = frame.label[number, a]
        if frame.task.voluntary:
            counts = frame.bool(f"counts {a} {number}")
            frame.when([counts], frame.label[number, a])
            for t in frame.turns:
                frame.when([counts, frame.shut[a, t]], frame.reach[number, t])
        terms.append(end.weight * counts)
        most += end.weight
    return sum(terms), most


def points(frame: Frame) -> Any:
    """Gets the points of the plan, as a sum."""
    return frame.fixed_points + sum(podium * taken for (_, podium), taken in frame.podium.items())
