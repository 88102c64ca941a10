"""What a turn is in the planner's model: an extension, or an advance if there is none to make; and the extra tile."""

from __future__ import annotations

from aquakit.romana.kernel import JOKER, KINDS
from aquakit.romana.planner.cpmodel.builders import Outlook, moved
from aquakit.romana.planner.cpmodel.frame import Frame, Literal, negate
from aquakit.romana.planner.cpmodel.ground import End
from aquakit.romana.planner.cpmodel.reach import mine


def add_turns(frame: Frame) -> None:
    """Adds that each turn is one extension, one advance, or none because no workman is left."""
    for t in frame.turns:
        frame.builds[t] = frame.bool(f"builds {t}")
        frame.advances[t] = frame.bool(f"advances {t}")
        frame.over[t] = False if t == 1 else frame.bool(f"over {t}")
        if t == 1:
            # Whether there is an extension now is known once the held builders are placed.
            known = frame.task.position.phase
            frame.advances[t] = {"build": False, "advance": True}.get(known, frame.advances[t])
            frame.builds[t] = {"build": True, "advance": False}.get(known, frame.builds[t])
        frame.equal(frame.builds[t] + frame.advances[t] + frame.over[t], 1)
        frame.equal(sum(frame.built[kind, t] for kind in range(4)), frame.builds[t])


def add_extensions(frame: Frame, outlook: Outlook) -> None:
    """Adds that an extension is made by an open own workman, whom the tile meets, with a builder in sight (step 2)."""
    for t in frame.turns:
        users: dict[int, list[Literal]] = {}
        watched: dict[int, list[Literal]] = {p: [] for p in outlook.moves[t]}
        for end in frame.ground.workmen(t):
            use = frame.use[end.number, t] = frame.bool(f"use {end.number} {t}")
            frame.when([use], frame.reach[end.number, t - 1])
            frame.when([use], mine(frame, end.number))
            users.setdefault(end.face, []).append(use)
            seen = [p for p in frame.ground.sees(end) if p in watched]
            frame.when([use], *(literal for p in seen for literal in moved(frame, p, t)))
            for p in seen:
                watched[p].append(use)
        for p, uses in watched.items():
            for literal in moved(frame, p, t):
                frame.when([literal], frame.advances[t], *uses)
        for q in frame.ground.squares:
            built = sum(frame.build.get((q, kind, t), 0) for kind in range(4))
            frame.equal(sum(users.get(q, [])), built)
    _add_meetings(frame)
    _add_open(frame)


def _add_meetings(frame: Frame) -> None:
    """Adds that the tile laid meets the workman who extends, so that the water flows on."""
    for number in frame.ground.earliest:
        end = frame.ground.ends[number]
        uses = [frame.use[number, t] for t in frame.turns if (number, t) in frame.use]
        if uses:
            flows = (frame.flow.get((end.face, end.entry, side), False) for side in range(4))
            frame.at_most(sum(uses), sum(flows))


def _add_open(frame: Frame) -> None:
    """Adds that nobody extends an aqueduct that was closed voluntarily."""
    for (number, t), use in frame.use.items():
        for a in frame.ground.labels[number]:
            if (number, a) in frame.label:
                frame.when([use, frame.label[number, a]], negate(frame.closed.get((a, t - 1), False)))


def add_kinds(frame: Frame, outlook: Outlook) -> None:
    """Adds that a builder lays its kind; the joker, and one whose kind is out of stock, any kind in stock."""
    for t in frame.turns:
        for kind in range(4):
            movers = [frame.moves[p, kind, t] for p in outlook.moves[t] if (p, kind, t) in frame.moves]
            jokers = [frame.moves[p, JOKER, t] for p in outlook.moves[t] if (p, JOKER, t) in frame.moves]
            for literal in movers:
                frame.when([literal], frame.built[kind, t], frame.advances[t], is_out(frame, kind, t))
            others = [is_out(frame, other, t) for other in range(4) if other != kind]
            if all(literal is False for literal in others):
                frame.at_most(frame.built[kind, t], sum(movers) + sum(jokers))


def tiles_before(frame: Frame, kind: int, t: int) -> list[Literal]:
    """Lists the tiles of a kind laid before a turn."""
    return [frame.built[kind, u] for u in range(1, t)] + [x for u in range(1, t) for x in extras(frame, kind, u)]


def extras(frame: Frame, kind: int, t: int) -> list[Literal]:
    """Lists the extra tiles of a kind that a turn can bring."""
    found = [frame.extra[q, kind, t] for q in frame.ground.squares if (q, kind, t) in frame.extra]
    return [*found, frame.dump[kind, t]]


def may_run_out(frame: Frame, kind: int, t: int) -> bool:
    """Checks whether a kind can be out of stock before a turn's extra tile."""
    return bool(frame.ground.state.stock[kind] <= 2 * t - 1)


def is_out(frame: Frame, kind: int, t: int, *, then: bool = False) -> Literal:
    """Gets whether a kind is out of stock when a turn begins; with `then`, after its first tile."""
    if not may_run_out(frame, kind, t):
        return False
    key = (kind, t, then)
    if key not in frame.out:
        out = frame.out[key] = frame.bool(f"out {KINDS[kind]} {t} {then}")
        stock = frame.ground.state.stock[kind]
        left = stock - sum(tiles_before(frame, kind, t)) - (frame.built[kind, t] if then else 0)
        frame.at_most(1 - out, left)
        if stock:
            frame.at_most(left, stock * (1 - out))
    return frame.out[key]


def add_stock(frame: Frame) -> None:
    """Adds that no more tiles are laid than there are."""
    for kind, stock in enumerate(frame.ground.state.stock):
        if stock < 2 * frame.last:
            frame.at_most(sum(tiles_before(frame, kind, frame.last + 1)), stock)


def add_extras(frame: Frame) -> None:
    """Adds the extra tile: due after a fountain, of the kind just laid, on a square that no end faces [R6][R7]."""
    for t in frame.turns:
        due = frame.both(f"due {t}", frame.crosses[t], frame.builds[t])
        won = frame.both(f"won {t}", due, negate(_may_skip(frame, t)))
        frame.equal(sum(x for kind in range(4) for x in extras(frame, kind, t)), won)
        for kind in range(4):
            _add_same_kind(frame, kind, t)
        _add_places(frame, t)
    if not frame.roomy:
        frame.at_most(sum(frame.dump[kind, t] for kind in range(4) for t in frame.turns), len(frame.spare_squares))


def _add_places(frame: Frame, t: int) -> None:
    """Adds that no end faces the extra tile's square [R6]; where none ever does, it might as well lie elsewhere."""
    for q in frame.ground.squares:
        laid = [frame.extra[q, kind, t] for kind in range(4) if (q, kind, t) in frame.extra]
        if not laid:
            continue
        ends = frame.ground.entering(q)
        lies = frame.bool(f"extra {frame.name(q)} {t}")
        frame.equal(sum(laid), lies)
        for end in ends:
            frame.when([lies], negate(frame.reach[end.number, t]))
        if frame.roomy:
            frame.when([lies], *(frame.reach[end.number, frame.last] for end in ends))


def _add_same_kind(frame: Frame, kind: int, t: int) -> None:
    """Adds that an extra tile is of the kind just laid, or any if that is out of stock now."""
    found = sum(extras(frame, kind, t))
    outs = {other: is_out(frame, other, t, then=True) for other in range(4) if other != kind}
    if all(out is False for out in outs.values()):
        frame.at_most(found, frame.built[kind, t])
        return
    for other, out in outs.items():
        frame.at_most(found + frame.built[other, t], 1 + out)


def _may_skip(frame: Frame, t: int) -> Literal:
    """Gets whether no extra tile is laid though one is due: no square is free, or nothing is in stock."""
    ground = frame.ground
    crowded = len(ground.empty) - (2 * t - 1) <= ground.tables.aqueducts
    if frame.crosses[t] is False or not (crowded or sum(ground.state.stock) <= 2 * t - 1):
        return False
    skip = frame.bool(f"skip {t}")
    sold_out = _sold_out(frame, t)
    # Squares that the task forbids stay free as far as the rules are concerned.
    elsewhere = frame.bool(f"full {t}") if len(ground.elsewhere) < t else False
    if elsewhere is not False:
        dumped = sum(frame.dump[kind, u] for kind in range(4) for u in range(1, t))
        frame.at_most(len(ground.elsewhere) * elsewhere, dumped)
    frame.when([skip], sold_out, elsewhere)
    for q in ground.squares:
        faced = [frame.reach[end.number, t] for end in ground.entering(q)]
        frame.when([skip], sold_out, frame.laid[q, t], *faced)
    return skip


def _sold_out(frame: Frame, t: int) -> Literal:
    """Gets whether a turn's first tile was the last in stock."""
    stock = sum(frame.ground.state.stock)
    if stock > 2 * t - 1:
        return False
    sold_out = frame.bool(f"sold out {t}")
    before = [x for kind in range(4) for x in tiles_before(frame, kind, t)]
    frame.at_most(stock * sold_out, sum(before) + frame.builds[t])
    return sold_out


def add_duty(frame: Frame) -> None:
    """Adds that no builder is advanced while an own extension is legal (step 2) [R5].

    An end that alone faces its square can always be extended by a builder in sight. Where ends meet in a square, less
    is demanded than holds; `cuts` adds the rest where a plan breaks it.
    """
    for t in frame.turns:
        if frame.advances[t] is False:
            continue
        bare = _nothing_left(frame, t)
        waits = {
            p: frame.both(f"waits {p} {t}", frame.advances[t], frame.occupied[p, t])
            for p in range(frame.ground.tables.path)
        }
        for end in frame.ground.workmen(t):
            alone = _alive(frame, end, t)
            for p in set(frame.ground.sees(end)):
                frame.when([waits[p], alone], bare)


def _nothing_left(frame: Frame, t: int) -> Literal:
    """Gets whether no tile is left in stock when a turn begins."""
    stock = sum(frame.ground.state.stock)
    if stock > 2 * (t - 1):
        return False
    bare = frame.bool(f"nothing left {t}")
    frame.at_most(stock * bare, sum(x for kind in range(4) for x in tiles_before(frame, kind, t)))
    return bare


def _alive(frame: Frame, end: End, t: int) -> Literal:
    """Gets a literal that holds at least where an open own workman stands at an end and alone faces an empty square."""
    ground, q = frame.ground, end.face
    alive = frame.bool(f"alive {end.number} {t}")
    others = (other.number for other in ground.entering(q) if other.number != end.number)
    crowded = [frame.reach[other, t - 1] for other in others]
    for a in ground.labels[end.number]:
        if a in ground.open:
            conditions = [frame.reach[end.number, t - 1], frame.label[end.number, a], negate(frame.closed[a, t - 1])]
            frame.when(conditions, alive, frame.laid[q, t - 1], *crowded)
    return alive
