"""Water in the planner's model: which ends are reached and when, by whom, and that no two outlets are ever joined.

Reach is shared by all aqueducts. It grows with the turns, follows from the tiles, and belongs to one aqueduct each.
"""

from __future__ import annotations

from aquakit.romana.kernel import NONE
from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.ground import End

RIVAL = -2
"""The label of water that the player has no workman for: other players' and that of own aqueducts closed before."""


def add_reach(frame: Frame) -> None:
    """Adds which ends are reached, turn by turn."""
    ground = frame.ground
    for number, first in ground.earliest.items():
        for t in range(frame.last + 1):
            if ground.ends[number].head != NONE:
                frame.reach[number, t] = True
            else:
                frame.reach[number, t] = frame.bool(f"reach {number} {t}") if t >= first else False
        for t in range(first + 1, frame.last + 1):
            frame.when([frame.reach[number, t - 1]], frame.reach[number, t])
    for number in ground.earliest:
        _add_flows(frame, ground.ends[number])
    for number in ground.earliest:
        if ground.ends[number].head == NONE:
            _add_source(frame, ground.ends[number])


def _add_flows(frame: Frame, end: End) -> None:
    """Lets water pass on from an end, where a tile joins its side to another."""
    q, last = end.face, frame.last
    if q == NONE:
        return
    for side in range(4):
        if side == end.entry:
            continue
        after = frame.ground.exits.get((q, side))
        joined = frame.joins[q, end.entry, side]
        if after is None or after not in frame.ground.earliest:
            # The way out would join an outlet [R3], or is farther than water can come in time.
            frame.when([frame.reach[end.number, last], joined], False)
            continue
        flow = frame.both(f"flow {frame.name(q)} {end.entry}{side}", joined, frame.reach[end.number, last])
        frame.flow[q, end.entry, side] = flow
        for t in frame.turns:
            before, later, laid = frame.reach[end.number, t], frame.reach[after, t], frame.laid[q, t]
            frame.when([flow, before, laid], later)
            frame.when([flow, later], before)
            frame.when([flow, later], laid)


def _add_source(frame: Frame, end: End) -> None:
    """Lets an end be reached only through its square, and never from both directions [R3]."""
    sources = [frame.flow.get((end.square, side, end.side), False) for side in range(4) if side != end.side]
    reached = frame.reach[end.number, frame.last]
    frame.equal(sum(sources), reached)
    opposite = frame.ground.enters.get((end.square, end.side))
    if opposite is not None and opposite in frame.ground.earliest and opposite < end.number:
        frame.when([reached, frame.reach[opposite, frame.last]], False)


def add_order(frame: Frame) -> None:
    """Adds ranks that rise along the water, so that no loose ring of tiles feeds itself."""
    ground = frame.ground
    most = 2 * ground.most_tiles[frame.last]
    rank = {
        number: 0 if ground.ends[number].head != NONE else frame.cp.new_int_var(0, most, f"rank {number}")
        for number in ground.earliest
    }
    for (q, a, b), flow in frame.flow.items():
        before, after = ground.enters[q, a], ground.exits[q, b]
        if flow is not False:
            frame.cp.add(rank[after] >= rank[before] + 1).only_enforce_if(flow)


def add_labels(frame: Frame) -> None:
    """Adds whose water it is at each end: the same before and after a tile."""
    ground = frame.ground
    for number in ground.earliest:
        _label(frame, ground.ends[number])
    for (q, a, b), flow in frame.flow.items():
        before, after = ground.enters[q, a], ground.exits[q, b]
        for owner in {*owners(frame, before), *owners(frame, after)}:
            one, other = frame.label.get((before, owner), False), frame.label.get((after, owner), False)
            frame.when([flow, one], other)
            frame.when([flow, other], one)


def owners(frame: Frame, number: int) -> list[int]:
    """Lists the labels that an end can have."""
    found = frame.ground.labels[number]
    mine = [a for a in found if a in frame.ground.open]
    return mine + [RIVAL] * (len(mine) < len(found))


def _label(frame: Frame, end: End) -> None:
    possible = owners(frame, end.number)
    reached = frame.reach[end.number, frame.last]
    if len(possible) == 1:
        frame.label[end.number, possible[0]] = reached
        return
    for owner in possible:
        frame.label[end.number, owner] = frame.bool(f"label {end.number} {owner}")
    frame.equal(sum(frame.label[end.number, owner] for owner in possible), reached)


def mine(frame: Frame, number: int) -> Literal:
    """Gets whether an end belongs to an aqueduct that was the player's and open at the start."""
    rival = frame.label.get((number, RIVAL), False)
    return negate(rival) if rival is not False else True
