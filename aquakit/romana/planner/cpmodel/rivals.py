"""Rivals in the planner's model: aqueducts of others that the plan walls in take podiums too (steps 5 and 7).

Only rivals that are walled in where they stand now are reckoned with. One that grew before is left out, which can only
make a plan look better than it is; the replay by the rules finds out.
"""

from __future__ import annotations

from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.ground import NEVER
from aquakit.romana.planner.cpmodel.scores import crowded


def add_rivals(frame: Frame) -> None:
    """Adds the podiums that walled-in rivals take from the player: the highest that is free at that time."""
    state, podiums = frame.ground.state, frame.ground.tables.podiums
    lengths = {b: min(state.length[state.tip[b]], podiums) for b in can_be_walled_in(frame)}
    rivals = {b: length for b, length in lengths.items() if length}
    if not rivals or any(b not in frame.ground.heads for b in frame.ground.rivals):
        return
    calm = frame.both("rivals are calm", *(negate(literal) for literal in _surprises(frame)))
    taken: dict[tuple[int, int], Literal] = {}
    for b, length in rivals.items():
        places = [0] + [p for p in range(1, length + 1) if state.room[p]]
        for p in places:
            taken[b, p] = frame.bool(f"rival {b} {p}")
        closed = _walled(frame, b, frame.last)
        frame.cp.add(sum(taken[b, p] for p in places) == 1).only_enforce_if(*_literals(closed, calm))
    for p in range(1, max(rivals.values()) + 1):
        mine = [x for (_, podium), x in frame.podium.items() if podium == p]
        theirs = [x for (_, podium), x in taken.items() if podium == p]
        if theirs:
            frame.cp.add(sum(mine) + sum(theirs) <= state.room[p]).only_enforce_if(*_literals(calm))
    for b, length in rivals.items():
        _add_falls(frame, b, length, taken, calm)


def can_be_walled_in(frame: Frame) -> list[int]:
    """Lists the rivals before whose end the player may build."""
    ground = frame.ground
    heads = ((b, ground.heads[b]) for b in ground.rivals if b in ground.heads)
    return [b for b, head in heads if ground.built.get(ground.ends[head].face, NEVER) <= frame.last]


def _surprises(frame: Frame) -> list[Literal]:
    """Lists what lets some rival grow, or closes it where four ends meet [R8]."""
    heads = [frame.ground.ends[frame.ground.heads[b]] for b in frame.ground.rivals]
    growths = [frame.flow.get((head.face, head.entry, side), False) for head in heads for side in range(4)]
    return growths + [crowded(frame, q, frame.last) for q in sorted({head.face for head in heads})]


def _walled(frame: Frame, b: int, t: int) -> Literal:
    """Gets whether a rival is walled in where it stands now by a tile laid by the end of a turn."""
    head = frame.ground.ends[frame.ground.heads[b]]
    flows = [frame.flow.get((head.face, head.entry, side), False) for side in range(4)]
    key = b, t
    if key not in frame.walled:
        frame.walled[key] = frame.both(f"walled {b} {t}", frame.laid[head.face, t], *map(negate, flows))
    return frame.walled[key]


def _literals(*literals: Literal) -> list[Literal]:
    return [literal for literal in literals if literal is not True]


def _add_falls(frame: Frame, b: int, length: int, taken: dict[tuple[int, int], Literal], calm: Literal) -> None:
    """Adds that a rival stands lower than its length only because all podiums between were full by then."""
    room = frame.ground.state.room
    others = {a for a, _ in taken if a != b}
    for t in frame.turns:
        now, before = _walled(frame, b, t), _walled(frame, b, t - 1) if t > 1 else False
        if now is False:
            continue
        for above in range(1, length + 1):
            if not room[above]:
                continue
            mine = [
                frame.both(f"held {a} {above} {t}", frame.podium[a, above], frame.closed[a, t])
                for a in frame.ground.open
                if (a, above) in frame.podium
            ]
            theirs = [taken[a, above] for a in others if (a, above) in taken]
            for p in range(above):
                if (b, p) in taken:
                    conditions = _literals(now, negate(before), taken[b, p], calm)
                    frame.cp.add(sum(mine) + sum(theirs) >= room[above]).only_enforce_if(*conditions)
