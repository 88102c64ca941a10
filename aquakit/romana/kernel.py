"""The rules of Aqua Romana, once, on small integers: legal actions, their effect, the score.

Plain Python when imported, compiled when loaded by `jit`. Section numbers and ids such as [R8] are those of
the rules page (docs/rules-romana.md); `position.py` gives all of this names that people use.

Connectivity: a tile's segment joins two grid edges. Where a path ends, three arrays over grid edges know its other
end, its length and the aqueduct it belongs to, so that laying a tile joins paths in a few steps. At an edge of an empty
square they are always valid; an edge that no path has reached is a path of length 0 with both ends there.
"""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.bits import count_bits, lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import Workspace

# Tiles. Code 0 is an empty square, 10 a reservoir; a set of codes is a mask with bit 1 << code.
CODES = ".|-LJF7+ZN#"
EMPTY, RESERVOIR = 0, 10
SEGMENTS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    *(((0, 2),), ((1, 3),), ((0, 1),), ((0, 3),), ((2, 1),), ((2, 3),)),
    *(((0, 2), (1, 3)), ((0, 3), (2, 1)), ((0, 1), (2, 3))),
    (),
)
"""The sides (N E S W = 0 … 3) that each code joins."""
KINDS = "csbdj"
KIND_OF = (-1, 1, 1, 0, 0, 0, 0, 2, 3, 3, -1)
JOKER = 4
ONE_SEGMENT = 0b0001111110
NONE = -1
OPEN = -1

# Decisions a state can wait for.
SETUP, PLACE, MOVE, EXTRA, CLOSE, PICK, OVER = range(7)

# Actions: what, then square or aqueduct (10 bits), tile code or builder's kind (4 bits), path square.
PUT, BUILD, ADVANCE, LAY, SHUT, TAKE = range(6)
X, Y, Z = 3, 13, 17
NOTHING = 1023
"""The aqueduct number of the action that closes none."""


class Tables(Struct):
    """What a layout fixes for all positions."""

    squares: Annotated[int, "i2"]
    words: Annotated[int, "i2"]
    path: Annotated[int, "i2"]
    players: Annotated[int, "i2"]
    aqueducts: Annotated[int, "i2"]
    podiums: Annotated[int, "i2"]
    edge: Annotated[Ints, "u2", "ports"]
    """The grid edge at each port, 4 * square + side."""
    port: Annotated[Ints, "i2", "sides"]
    """The two ports at each grid edge, or NONE beyond the rim."""
    sight: Annotated[Ints, "u2", "ports"]
    """The path square seen from a square in each direction."""
    side: Annotated[Ints, "i1", "path"]
    owner: Annotated[Ints, "u1", 24]
    first: Annotated[Ints, "u1", 4]
    """Each player's first aqueduct; a player's aqueducts have consecutive numbers."""
    mine: Annotated[Ints, "i4", 4]
    """Each player's aqueducts as a mask."""
    capacity: Annotated[Ints, "i1", 41]
    kind: Annotated[Ints, "i1", 11]
    ports: Annotated[Ints, "i1", 11]
    """The sides that each tile code has ports at, as a mask."""
    segment: Annotated[Ints, "i1", 44]
    """Each code's segments: two sides, two sides, NONE where there is no second."""
    with_port: Annotated[Ints, "i2", 4]
    of_kind: Annotated[Ints, "i2", 5]
    unjoined: Annotated[Ints, "i2", 16]
    """The codes that join no two of the given sides by one segment."""


class State(Struct):
    """A position between two decisions."""

    tile: Annotated[Ints, "u1", "squares"]
    empty: Annotated[Ints, "i8", "words"]
    """Empty squares, 32 to a word."""
    other: Annotated[Ints, "edge", "edges"]
    """Where a path ends: its other end, its length, its aqueduct or NONE."""
    length: Annotated[Ints, "edge", "edges"]
    own: Annotated[Ints, "i1", "edges"]
    path: Annotated[Ints, "i1", "path"]
    """The builder's kind on each path square, or NONE."""
    standing: Annotated[int, "i2"]
    """How many builders stand on the path."""
    reserve: Annotated[Ints, "i1", 5]
    spare: Annotated[Ints, "i1", 5]
    """Builders still to be placed in the setup."""
    held: Annotated[Ints, "i1", 20]
    stock: Annotated[Ints, "i2", 4]
    tip: Annotated[Ints, "u2", 24]
    """The grid edge at each aqueduct's end."""
    stand: Annotated[Ints, "u2", 24]
    """The square on which each aqueduct ends."""
    face: Annotated[Ints, "i2", 24]
    """The square that each end faces, or NONE at the rim."""
    entry: Annotated[Ints, "u1", 24]
    """The side by which the faced square would be entered."""
    score: Annotated[Ints, "i1", 24]
    """OPEN, or the podium taken."""
    room: Annotated[Ints, "i1", 41]
    """Free places on each podium."""
    open: Annotated[int, "i8"]
    """Aqueducts with a workman on the board, as a mask."""
    walled: Annotated[int, "i8"]
    """Aqueducts that can never be extended again, open or closed."""
    due: Annotated[int, "i8"]
    """Aqueducts closed in this turn: to be scored, then to be rewarded with a pick."""
    codes: Annotated[int, "i2"]
    """Tile codes allowed for the extra tile."""
    phase: Annotated[int, "i1"]
    player: Annotated[int, "u1"]
    idle: Annotated[int, "i1"]
    laid: Annotated[int, "i1"]
    solo: Annotated[int, "i1"]
    ended: Annotated[int, "i4"]
    """Turns that have ended since the position was made."""


class Work(Workspace):
    """What a thread needs beside the state."""

    mask: Annotated[Ints, "i8", "words"]


# Aqueducts


@kernel
def join(s: State, e: int, f: int) -> None:
    """Joins the paths that end at two grid edges by one segment."""
    length = 1 + s.length[e] + s.length[f]
    a = s.own[e]
    end = s.other[f]
    if a < 0:
        a = s.own[f]
        if a >= 0:
            end = s.other[e]
    if a >= 0:
        s.own[end] = a
        s.length[end] = length
        s.tip[a] = end
    else:
        start = s.other[e]
        s.other[start] = end
        s.other[end] = start
        s.length[start] = length
        s.length[end] = length


@kernel
def locate(t: Tables, s: State, a: int) -> None:
    """Moves a workman to its aqueduct's end."""
    e = s.tip[a]
    inside = t.port[2 * e]
    outside = t.port[2 * e + 1]
    if inside < 0 or (t.ports[s.tile[inside >> 2]] >> (inside & 3)) & 1 == 0:
        inside, outside = outside, inside
    s.stand[a] = inside >> 2
    if outside < 0:
        s.face[a] = NONE
    else:
        s.face[a] = outside >> 2
        s.entry[a] = outside & 3


@kernel
def lay(t: Tables, s: State, q: int, code: int) -> None:
    """Puts a tile on a square and joins what it joins (section 4)."""
    s.tile[q] = code
    s.empty[q >> 5] &= ~(1 << (q & 31))
    join(s, t.edge[4 * q + t.segment[4 * code]], t.edge[4 * q + t.segment[4 * code + 1]])
    if t.segment[4 * code + 2] >= 0:
        join(s, t.edge[4 * q + t.segment[4 * code + 2]], t.edge[4 * q + t.segment[4 * code + 3]])


@kernel
def ends_at(t: Tables, s: State, q: int) -> int:
    """Gets the sides of an empty square at which aqueducts end, as a mask."""
    north = s.own[t.edge[4 * q]] >= 0
    east = s.own[t.edge[4 * q + 1]] >= 0
    south = s.own[t.edge[4 * q + 2]] >= 0
    west = s.own[t.edge[4 * q + 3]] >= 0
    return north | (east << 1) | (south << 2) | (west << 3)


@kernel
def fitting(t: Tables, s: State, q: int, ends: int) -> int:
    """Gets the tile codes that join no two outlets' paths when laid on an empty square with these ends [R3]."""
    codes = t.unjoined[ends]
    if count_bits(ends) == 2:
        # A loose path that starts and ends at this square would join them through both segments.
        rest = 15 - ends
        x = t.edge[4 * q + lowest_bit(rest)]
        y = t.edge[4 * q + lowest_bit(rest & (rest - 1))]
        if s.other[x] == y:
            codes &= ONE_SEGMENT
    return codes


@kernel
def fits(t: Tables, s: State, q: int, code: int) -> bool:
    """Checks whether a tile on an empty square joins no two outlets' paths [R3]."""
    return (fitting(t, s, q, ends_at(t, s, q)) >> code) & 1 == 1


@kernel
def see_walls(t: Tables, s: State, a: int) -> None:
    """Notes whether an aqueduct's end is walled in: rim, occupied square, or four ends in one empty square [R8].

    What is walled in stays so: squares are never emptied, and no tile fits where four ends meet.
    """
    q = s.face[a]
    if q < 0 or s.tile[q] != EMPTY:
        s.walled |= 1 << a
    elif ends_at(t, s, q) == 15:
        for port in range(4 * q, 4 * q + 4):
            s.walled |= 1 << s.own[t.edge[port]]


@kernel
def survey(t: Tables, s: State) -> None:
    """Puts all workmen at their aqueducts' ends and notes who is walled in, on a board laid out anew."""
    for a in range(t.aqueducts):
        if s.length[s.tip[a]] > 0:
            locate(t, s, a)
    for a in range(t.aqueducts):
        see_walls(t, s, a)


# Legal actions


@kernel
def in_stock(t: Tables, s: State) -> int:
    """Gets the tile codes of which any is left."""
    codes = 0
    for kind in range(4):
        if s.stock[kind] > 0:
            codes |= t.of_kind[kind]
    return codes


@kernel
def offered(t: Tables, s: State, kind: int) -> int:
    """Gets the tile codes that a builder offers: its kind, or any in stock for the joker or if its kind is gone."""
    if kind != JOKER and s.stock[kind] > 0:
        return t.of_kind[kind]
    return in_stock(t, s)


@kernel
def sees(t: Tables, s: State, a: int, p: int) -> bool:
    """Checks whether an aqueduct's workman sees a path square."""
    i = 4 * s.stand[a]
    return t.sight[i] == p or t.sight[i + 1] == p or t.sight[i + 2] == p or t.sight[i + 3] == p


@kernel
def extensions(t: Tables, s: State, w: Work) -> int:
    """Lists the extensions (section 5, step 2) and counts them."""
    n = 0
    own = s.open & t.mine[s.player]
    rest = own
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        q = s.face[a]
        if q < 0 or s.tile[q] != EMPTY:
            continue
        fit = 0
        ends = 0
        for i in range(4 * s.stand[a], 4 * s.stand[a] + 4):
            p = t.sight[i]
            kind = s.path[p]
            if kind < 0:
                continue
            if ends == 0:
                ends = ends_at(t, s, q)
                fit = fitting(t, s, q, ends) & t.with_port[s.entry[a]]
            codes = fit & offered(t, s, kind)
            if ends & (ends - 1):
                codes &= ~offered_before(t, s, own & ((1 << a) - 1), q, p)
            while codes:
                w.actions[n] = BUILD | (q << X) | (lowest_bit(codes) << Y) | (p << Z)
                codes &= codes - 1
                n += 1
    return n


@kernel
def offered_before(t: Tables, s: State, others: int, q: int, p: int) -> int:
    """Gets the codes that other own workmen can lay on a square by a builder: for this one they are the same action."""
    codes = 0
    while others:
        b = lowest_bit(others)
        others &= others - 1
        if s.face[b] == q and sees(t, s, b, p):
            codes |= t.with_port[s.entry[b]]
    return codes


@kernel
def has_free_square(t: Tables, s: State) -> bool:
    """Checks whether some empty square is no aqueduct's facing square [R6][R13]."""
    for i in range(t.words):
        free = s.empty[i]
        if free:
            for a in range(t.aqueducts):
                q = s.face[a]
                if q >> 5 == i:
                    free &= ~(1 << (q & 31))
            if free:
                return True
    return False


@kernel
def free_squares(t: Tables, s: State, w: Work) -> int:
    """Finds and counts the empty squares that no aqueduct's end faces [R13], open or closed [R6]."""
    for i in range(t.words):
        w.mask[i] = s.empty[i]
    for a in range(t.aqueducts):
        q = s.face[a]
        if q >= 0:
            w.mask[q >> 5] &= ~(1 << (q & 31))
    n = 0
    for i in range(t.words):
        n += count_bits(w.mask[i])
    return n


@kernel
def extras(t: Tables, s: State, w: Work) -> int:
    """Lists the extra tiles: any allowed code on any free square, since no orientation there can join outlets."""
    free_squares(t, s, w)
    n = 0
    for i in range(t.words):
        free = w.mask[i]
        while free:
            q = 32 * i + lowest_bit(free)
            free &= free - 1
            codes = s.codes
            while codes:
                w.actions[n] = LAY | (q << X) | (lowest_bit(codes) << Y)
                codes &= codes - 1
                n += 1
    return n


@kernel
def nth_extra(t: Tables, s: State, w: Work, n: int) -> int:
    """Gets an extra tile by its number in the list, after `free_squares`."""
    codes = s.codes
    choices = count_bits(codes)
    for _ in range(n % choices):
        codes &= codes - 1
    n //= choices
    i = 0
    while n >= count_bits(w.mask[i]):
        n -= count_bits(w.mask[i])
        i += 1
    free = w.mask[i]
    for _ in range(n):
        free &= free - 1
    return LAY | ((32 * i + lowest_bit(free)) << X) | (lowest_bit(codes) << Y)


@kernel
def advances(t: Tables, s: State, w: Work) -> int:
    """Lists the builders to advance where no extension is possible [R5]."""
    n = 0
    for p in range(t.path):
        if s.path[p] >= 0:
            w.actions[n] = ADVANCE | (p << Z)
            n += 1
    return n


@kernel
def placements(t: Tables, s: State, w: Work, kind: int, n: int) -> int:
    """Lists the free path squares for a builder."""
    for p in range(t.path):
        if s.path[p] < 0:
            w.actions[n] = PUT | (kind << Y) | (p << Z)
            n += 1
    return n


@kernel
def nth_placement(s: State, kind: int, n: int) -> int:
    """Gets a placement by its number in the list."""
    p = 0
    while n > 0 or s.path[p] >= 0:
        if s.path[p] < 0:
            n -= 1
        p += 1
    return PUT | (kind << Y) | (p << Z)


@kernel
def can_be_closed(s: State, a: int) -> bool:
    """Checks whether an open aqueduct may be closed voluntarily: it has something to close [R9]."""
    return s.length[s.tip[a]] > 0


@kernel
def closings(t: Tables, s: State, w: Work) -> int:
    """Lists the voluntary closings: none, or one own open aqueduct [R9]."""
    w.actions[0] = SHUT | (NOTHING << X)
    n = 1
    rest = s.open & t.mine[s.player]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        if can_be_closed(s, a):
            w.actions[n] = SHUT | (a << X)
            n += 1
    return n


@kernel
def first_held(s: State) -> int:
    """Gets the kind of the builder that the player to move places next, or NONE (fixed order, step 1)."""
    for kind in range(5):
        if s.held[5 * s.player + kind] > 0:
            return kind
    return NONE


@kernel
def next_due(t: Tables, s: State) -> int:
    """Gets the next of the aqueducts closed in this turn: the mover's first, then clockwise (step 7) [R15]."""
    first = t.first[s.player]
    later = s.due >> first << first
    return lowest_bit(later if later else s.due)


@kernel
def generate(t: Tables, s: State, w: Work) -> int:
    """Lists the legal actions of the decision at hand and counts them."""
    n = 0
    phase = s.phase
    if phase == MOVE:
        n = extensions(t, s, w)
        if n == 0:
            n = advances(t, s, w)
    elif phase == CLOSE:
        n = closings(t, s, w)
    elif phase == EXTRA:
        n = extras(t, s, w)
    elif phase == PICK:
        for kind in range(5):
            if s.reserve[kind] > 0:
                w.actions[n] = TAKE | (kind << Y)
                n += 1
    elif phase == PLACE:
        n = placements(t, s, w, first_held(s), 0)
    elif phase == SETUP:
        for kind in range(5):
            if s.spare[kind] > 0:
                n = placements(t, s, w, kind, n)
    w.count = n
    return n


@kernel
def count_actions(t: Tables, s: State, w: Work) -> int:
    """Counts the legal actions, without listing them where they are many."""
    if s.phase == EXTRA:
        return free_squares(t, s, w) * count_bits(s.codes)
    return generate(t, s, w)


@kernel
def draw_action(t: Tables, s: State, w: Work, random: int) -> int:
    """Gets a legal action by a random number of 32 bits, each equally likely."""
    if s.phase == EXTRA:
        choices = free_squares(t, s, w) * count_bits(s.codes)
        return nth_extra(t, s, w, (random * choices) >> 32)
    if s.phase == PLACE:
        return nth_placement(s, first_held(s), (random * (t.path - s.standing)) >> 32)
    return w.actions[(random * generate(t, s, w)) >> 32]


# What actions do


@kernel
def next_free(t: Tables, s: State, p: int) -> int:
    """Gets the next free path square clockwise from one; itself if no other is free (step 3)."""
    q = p
    while True:
        q += 1
        if q == t.path:
            q = 0
        if q == p or s.path[q] < 0:
            return q


@kernel
def walk(t: Tables, s: State, p: int) -> bool:
    """Moves a builder to the next free path square; says whether it passed a fountain (step 3)."""
    q = next_free(t, s, p)
    kind = s.path[p]
    s.path[p] = NONE
    s.path[q] = kind
    return t.side[q] != t.side[p] or q <= p


@kernel
def score_one(t: Tables, s: State, a: int) -> None:
    """Sends a workman to the highest podium with room that its aqueduct reaches (step 7)."""
    podium = s.length[s.tip[a]]
    if podium > t.podiums:
        podium = t.podiums
    while podium > 0 and s.room[podium] == 0:
        podium -= 1
    if podium > 0:
        s.room[podium] -= 1
    s.score[a] = podium
    s.open &= ~(1 << a)


@kernel
def score_due(t: Tables, s: State) -> None:
    """Scores the aqueducts closed in this turn, in order."""
    due = s.due
    while s.due:
        a = next_due(t, s)
        s.due &= ~(1 << a)
        score_one(t, s, a)
    s.due = due


@kernel
def stop(t: Tables, s: State, aqueducts: int) -> None:
    """Ends play: scores open aqueducts, beginning with the player to move, without picks (section 6) [S2]."""
    s.due = s.open & aqueducts
    score_due(t, s)
    s.due = 0
    s.laid = 0
    s.phase = OVER


@kernel
def halt(t: Tables, s: State, last: int) -> None:
    """Ends play as if the turn of a player had been the last one; in a study, that of its player [S2]."""
    if s.solo == 0:
        s.player = last
    stop(t, s, t.mine[s.player] if s.solo else s.open)


@kernel
def any_left(counts: Ints) -> bool:
    """Checks whether any builder is left among five kinds."""
    return counts[0] > 0 or counts[1] > 0 or counts[2] > 0 or counts[3] > 0 or counts[4] > 0


@kernel
def begin_turn(t: Tables, s: State) -> None:
    """Begins the turn of the player to move; alone, a player without a workman has no further action [S1]."""
    s.laid = 0
    s.due = 0
    if s.solo and s.open & t.mine[s.player] == 0:
        s.phase = OVER
    elif first_held(s) >= 0:
        s.phase = PLACE
    else:
        s.phase = MOVE


@kernel
def end_turn(t: Tables, s: State) -> None:
    """Passes the turn on, skipping players without a workman; ends the game after an idle round [R10]."""
    s.ended += 1
    if s.solo == 0:
        s.idle = 0 if s.laid else s.idle + 1
        player = s.player
        while s.idle < t.players:
            player += 1
            if player == t.players:
                player = 0
            if s.open & t.mine[player]:
                break
            s.idle += 1
        s.player = player
        if s.idle >= t.players:
            # Skipped turns count, so this is the player who laid the last tile.
            stop(t, s, s.open)
            return
    begin_turn(t, s)


@kernel
def score_and_reward(t: Tables, s: State) -> None:
    """Scores what was closed (step 7) and lets the owners pick from the reserve (step 8)."""
    if s.due:
        score_due(t, s)
        if s.solo:
            s.due &= t.mine[s.player]
        if s.due and any_left(s.reserve):
            s.phase = PICK
            return
    end_turn(t, s)


@kernel
def finish_build(t: Tables, s: State) -> None:
    """Closes by construction after a tile (step 5), then offers a voluntary closing (step 6) [R9]."""
    s.due = s.open & s.walled if s.laid else 0
    if s.due & t.mine[s.player] == 0:
        rest = s.open & t.mine[s.player]
        while rest:
            if can_be_closed(s, lowest_bit(rest)):
                s.phase = CLOSE
                return
            rest &= rest - 1
    score_and_reward(t, s)


@kernel
def build(t: Tables, s: State, q: int, code: int, p: int) -> None:
    """Extends: lays the tile, moves workmen and builder, and sees which extra tile is due, if any [R7][R14]."""
    ends = ends_at(t, s, q)
    lay(t, s, q, code)
    s.stock[t.kind[code]] -= 1
    s.laid = 1
    while ends:
        side = lowest_bit(ends)
        ends &= ends - 1
        a = s.own[t.edge[4 * q + side]]
        if (t.ports[code] >> side) & 1:
            locate(t, s, a)
        see_walls(t, s, a)
    if walk(t, s, p):
        s.codes = offered(t, s, t.kind[code])
        if s.codes and has_free_square(t, s):
            s.phase = EXTRA
            return
    finish_build(t, s)


@kernel
def put(t: Tables, s: State, kind: int, p: int) -> None:
    """Places a builder, in the setup or from a player's hand."""
    s.path[p] = kind
    s.standing += 1
    if s.phase == SETUP:
        s.ended += 1
        s.spare[kind] -= 1
        if any_left(s.spare):
            s.player = (s.player + 1) % t.players
        else:
            s.player = 0
            begin_turn(t, s)
    else:
        s.held[5 * s.player + kind] -= 1
        if first_held(s) < 0:
            s.phase = MOVE


@kernel
def apply(t: Tables, s: State, action: int) -> None:
    """Carries out a legal action and goes on to the next decision."""
    what = action & 7
    x = (action >> X) & 1023
    y = (action >> Y) & 15
    z = action >> Z
    if what == BUILD:
        build(t, s, x, y, z)
    elif what == SHUT:
        if x != NOTHING:
            s.due |= 1 << x
        score_and_reward(t, s)
    elif what == LAY:
        lay(t, s, x, y)
        s.stock[t.kind[y]] -= 1
        finish_build(t, s)
    elif what == TAKE:
        a = next_due(t, s)
        s.due &= ~(1 << a)
        s.reserve[y] -= 1
        s.held[5 * t.owner[a] + y] += 1
        if s.due == 0 or not any_left(s.reserve):
            end_turn(t, s)
    elif what == ADVANCE:
        walk(t, s, z)
        finish_build(t, s)
    else:
        put(t, s, y, z)


@kernel
def count_points(t: Tables, s: State, w: Work) -> None:
    """Adds up podium values and the bonuses of the three highest occupied podiums [R11]; a study has none [S2]."""
    for player in range(t.players):
        w.total[player] = 0
        w.tie[player] = 0
    bonus = 0 if s.solo else 4
    for podium in range(t.podiums, 0, -1):
        if s.room[podium] < t.capacity[podium]:
            for a in range(t.aqueducts):
                if s.score[a] == podium:
                    w.total[t.owner[a]] += podium + bonus
            bonus = bonus - 1 if bonus > 2 else 0


@kernel
def decider(t: Tables, s: State) -> int:
    """Gets the player who decides now: the mover, or the owner whose pick it is."""
    return t.owner[next_due(t, s)] if s.phase == PICK else s.player


@kernel
def is_over(s: State) -> bool:
    """Checks whether there is no further decision."""
    return s.phase == OVER
