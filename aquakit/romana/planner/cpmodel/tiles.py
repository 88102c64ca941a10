"""Tiles in the planner's model: what lies on each square, since when, and the stock."""

from __future__ import annotations

from aquakit.romana.kernel import KIND_OF, SEGMENTS
from aquakit.romana.planner.cpmodel.frame import Frame, Literal
from aquakit.romana.planner.cpmodel.ground import NEVER

TILES = range(1, 10)
"""Codes of tiles that can be laid."""
PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def add_tiles(frame: Frame) -> None:
    """Adds what is laid where, and when: each square takes one tile at most, for good."""
    for q in frame.ground.squares:
        _add_moments(frame, q)
        _add_codes(frame, q)
    for t in frame.turns:
        for kind in range(4):
            frame.dump[kind, t] = frame.bool(f"dump {kind} {t}") if frame.ground.may_cross[t] else False
            frame.built[kind, t] = frame.bool(f"built {kind} {t}")
            frame.equal(sum(frame.build.get((q, kind, t), 0) for q in frame.ground.squares), frame.built[kind, t])


def _add_moments(frame: Frame, q: int) -> None:
    ground, name = frame.ground, frame.name(q)
    barred = name in frame.task.forbid
    # An extra tile in the last turn comes too late to matter: it is laid elsewhere, if there is room.
    last_extra = frame.last - 1 if frame.roomy else frame.last
    frame.laid[q, 0] = False
    for t in frame.turns:
        new: list[Literal] = []
        for kind in range(4):
            if not barred and ground.built.get(q, NEVER) <= t:
                frame.build[q, kind, t] = frame.bool(f"build {name} {kind} {t}")
                new.append(frame.build[q, kind, t])
            if not barred and ground.may_cross[t] and t <= last_extra:
                frame.extra[q, kind, t] = frame.bool(f"extra {name} {kind} {t}")
                new.append(frame.extra[q, kind, t])
        if new:
            frame.laid[q, t] = frame.bool(f"laid {name} {t}")
            frame.equal(sum(new) + frame.laid[q, t - 1], frame.laid[q, t])
        else:
            frame.laid[q, t] = frame.laid[q, t - 1]


def _add_codes(frame: Frame, q: int) -> None:
    name = frame.name(q)
    for code in TILES:
        frame.tile[q, code] = frame.bool(f"tile {name} {code}")
    frame.equal(sum(frame.tile[q, code] for code in TILES), frame.laid[q, frame.last])
    for kind in range(4):
        laid = [frame.build.get((q, kind, t), 0) + frame.extra.get((q, kind, t), 0) for t in frame.turns]
        frame.equal(sum(frame.tile[q, code] for code in TILES if KIND_OF[code] == kind), sum(laid))
    for a, b in PAIRS:
        joined = frame.bool(f"joins {name} {a}{b}")
        frame.equal(sum(frame.tile[q, code] for code in TILES if (a, b) in segments(code)), joined)
        frame.joins[q, a, b] = frame.joins[q, b, a] = joined


def segments(code: int) -> set[tuple[int, int]]:
    """Gets the pairs of sides that a tile joins, the lower side first.

    >>> sorted(segments(8))
    [(0, 3), (1, 2)]
    """
    return {(min(pair), max(pair)) for pair in SEGMENTS[code]}


def port(frame: Frame, q: int, side: int) -> list[Literal]:
    """Lists the ways in which a square's tile can have a port at a side: at most one of them holds."""
    return [frame.joins[q, side, other] for other in range(4) if other != side]
