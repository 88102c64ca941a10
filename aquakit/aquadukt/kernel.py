"""The rules of Aquädukt, once, on small integers: legal actions, their effect, the score.

Plain Python when imported, compiled when loaded by `jit`. Section numbers and ids such as [Q3] are those of the
rules page (docs/rules-aquadukt.md); `position.py` gives all of this names that people use.

Water: canals run along grid edges, the segments, from point to point. Each spring has two slots for arms. A slot knows
the point from which its arm can go on (the spring's own point while it has not begun), its first segment, its last one,
and the segment that can be doubled next. Each point knows in which directions a free point lies.
"""

from __future__ import annotations

from typing import Annotated

from aquakit.compiled.bits import count_bits, lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import Workspace

# Squares: free, a player's tile as 1 + 4 * player + (value - 1), a mountain, or no square at all.
FREE, MOUNTAIN, MISSING = 0, 17, 18
VALUES = 4
NONE = -1
MINERAL, FOUL, HIDDEN = 1, 2, 3
ROLLS = 3
IDLE_ROUNDS = 3

# Decisions a state can wait for. At DIE it is chance that decides.
TURN, DIE, HOUSE, AGAIN, CANAL, OVER = range(6)

# Actions: what, then region, square, point or segment (11 bits), then a tile's value or an arm's slot.
ROLL, SHOW, BUILD, DECLINE, STOP, SPRING, DIG, PASS = range(8)
X, Y = 3, 14


class Tables(Struct):
    """What a layout fixes for all positions."""

    squares: Annotated[int, "i2"]
    points: Annotated[int, "i2"]
    words: Annotated[int, "i2"]
    players: Annotated[int, "i2"]
    regions: Annotated[int, "i2"]
    springs: Annotated[int, "i2"]
    region: Annotated[Ints, "i1", "squares"]
    """Each square's region, or NONE."""
    member: Annotated[Ints, "i2", "squares"]
    """The squares, region by region."""
    members: Annotated[Ints, "i2", "members"]
    """Where each region's squares begin in that list."""
    beside: Annotated[Ints, "i2", "ways"]
    """The point next to a point in each direction, 4 * point + direction, or NONE."""
    along: Annotated[Ints, "i2", "ways"]
    """The segment that leads there."""
    water: Annotated[Ints, "i2", "water"]
    """The squares that a segment can water: two next to it, two behind those, NONE where there is none."""
    near: Annotated[Ints, "i8", "near"]
    """For each point, a mask of those too near for two springs [Q2]."""
    around: Annotated[Ints, "i2", "ways"]
    """The squares around a square, 4 * square + direction, or NONE."""


class State(Struct):
    """A position between two decisions."""

    tile: Annotated[Ints, "i1", "squares"]
    supply: Annotated[Ints, "i1", "squares"]
    """How many canals feed each square [Q5]."""
    canal: Annotated[Ints, "i1", "segments"]
    after: Annotated[Ints, "i2", "segments"]
    """The arm's next segment, or NONE."""
    ways: Annotated[Ints, "i1", "points"]
    """The directions in which a free point lies, as a mask."""
    spring_room: Annotated[Ints, "i8", "words"]
    """The points where a spring may stand, 32 to a word."""
    spring: Annotated[Ints, "i2", 12]
    """The springs' points, in the order they were placed."""
    tip: Annotated[Ints, "i2", 24]
    """The point from which each slot's arm goes on, or NONE."""
    head: Annotated[Ints, "i2", 24]
    last: Annotated[Ints, "i2", 24]
    wide: Annotated[Ints, "i2", 24]
    """The segment of each arm to be doubled next, or NONE."""
    hand: Annotated[Ints, "i1", 16]
    room: Annotated[Ints, "i2", "regions"]
    """Free squares in each region."""
    mountain: Annotated[Ints, "i2", 24]
    event: Annotated[Ints, "i1", 24]
    """What lies under each mountain: nothing, MINERAL, FOUL or HIDDEN."""
    mountains: Annotated[int, "i2"]
    springs: Annotated[int, "i2"]
    """Springs on the board."""
    left: Annotated[int, "i2"]
    """Canals left."""
    roomy: Annotated[int, "i8"]
    """Regions with a free square, as a mask."""
    phase: Annotated[int, "i1"]
    player: Annotated[int, "i1"]
    idle: Annotated[int, "i1"]
    rolls: Annotated[int, "i1"]
    die: Annotated[int, "i1"]
    """The region that the die shows."""
    ended: Annotated[int, "i4"]
    """Turns that have ended since the position was made."""


class Work(Workspace):
    """What a thread needs beside the state."""


# Water


@kernel
def take_point(t: Tables, s: State, p: int) -> None:
    """Notes that a point is no longer free: nothing may lead there, and no spring may stand there."""
    s.spring_room[p >> 5] &= ~(1 << (p & 31))
    for direction in range(4):
        q = t.beside[4 * p + direction]
        if q >= 0:
            s.ways[q] &= ~(1 << (direction ^ 2))


@kernel
def can_stand(s: State, p: int) -> bool:
    """Checks whether a spring may stand on a point: free, and far enough from the others [Q2]."""
    return (s.spring_room[p >> 5] >> (p & 31)) & 1 == 1


@kernel
def place_spring(t: Tables, s: State, p: int) -> None:
    """Places a spring."""
    i = s.springs
    s.spring[i] = p
    s.springs = i + 1
    for word in range(t.words):
        s.spring_room[word] &= ~t.near[p * t.words + word]
    take_point(t, s, p)
    s.tip[2 * i] = p
    s.tip[2 * i + 1] = NONE
    for slot in range(2 * i, 2 * i + 2):
        s.head[slot] = NONE
        s.last[slot] = NONE
        s.wide[slot] = NONE


@kernel
def feed(t: Tables, s: State, segment: int, deep: int) -> None:
    """Feeds the squares next to a segment, and with a second canal those behind them too [Q4] [Q5]."""
    for i in range(4 * segment, 4 * segment + 2 + deep):
        if t.water[i] >= 0:
            s.supply[t.water[i]] += 1


@kernel
def sort_arms(t: Tables, s: State, slot: int, p: int, direction: int) -> None:
    """Keeps a spring's two arms in the order of their first steps, whichever began first."""
    for earlier in range(direction + 1, 4):
        if t.along[4 * p + earlier] == s.head[slot]:
            swap(s.tip, slot)
            swap(s.head, slot)
            swap(s.last, slot)
            swap(s.wide, slot)


@kernel
def swap(values: Ints, i: int) -> None:
    """Swaps two neighbours."""
    kept = values[i]
    values[i] = values[i + 1]
    values[i + 1] = kept


@kernel
def dig(t: Tables, s: State, segment: int, slot: int) -> None:
    """Lays a canal: starts or extends a slot's arm, or doubles its segment."""
    s.left -= 1
    s.canal[segment] += 1
    if s.canal[segment] == 2:
        feed(t, s, segment, 2)
        s.wide[slot] = s.after[segment]
        return
    feed(t, s, segment, 0)
    p = s.tip[slot]
    direction = 0
    while t.along[4 * p + direction] != segment:
        direction += 1
    s.tip[slot] = t.beside[4 * p + direction]
    take_point(t, s, s.tip[slot])
    s.after[segment] = NONE
    starts = s.head[slot] < 0
    if starts:
        s.head[slot] = segment
        if slot & 1 == 0:
            s.tip[slot + 1] = p
    else:
        s.after[s.last[slot]] = segment
    s.last[slot] = segment
    if s.wide[slot] < 0:
        s.wide[slot] = segment
    if starts and slot & 1 == 1:
        sort_arms(t, s, slot - 1, p, direction)


# Legal actions


@kernel
def count_canals(s: State) -> int:
    """Counts the canals that can be laid."""
    n = 0
    if s.left > 0:
        for slot in range(2 * s.springs):
            p = s.tip[slot]
            if p >= 0:
                n += count_bits(s.ways[p])
            if s.wide[slot] >= 0:
                n += 1
    return n


@kernel
def can_dig(s: State) -> bool:
    """Checks whether any canal can be laid."""
    if s.left > 0:
        for slot in range(2 * s.springs):
            if s.wide[slot] >= 0 or (s.tip[slot] >= 0 and s.ways[s.tip[slot]] != 0):
                return True
    return False


@kernel
def canals(t: Tables, s: State, w: Work, n: int) -> int:
    """Lists the canals that can be laid: starts, extensions and doublings [Q3]."""
    if s.left > 0:
        for slot in range(2 * s.springs):
            p = s.tip[slot]
            if p >= 0:
                ways = s.ways[p]
                while ways:
                    segment = t.along[4 * p + lowest_bit(ways)]
                    w.actions[n] = DIG | (segment << X) | (slot << Y)
                    ways &= ways - 1
                    n += 1
            if s.wide[slot] >= 0:
                w.actions[n] = DIG | (s.wide[slot] << X) | (slot << Y)
                n += 1
    return n


@kernel
def nth_canal(t: Tables, s: State, n: int) -> int:
    """Gets a canal by its number in the list."""
    slot = 0
    while True:
        p = s.tip[slot]
        if p >= 0:
            ways = s.ways[p]
            count = count_bits(ways)
            if n < count:
                for _ in range(n):
                    ways &= ways - 1
                return DIG | (t.along[4 * p + lowest_bit(ways)] << X) | (slot << Y)
            n -= count
        if s.wide[slot] >= 0:
            if n == 0:
                return DIG | (s.wide[slot] << X) | (slot << Y)
            n -= 1
        slot += 1


@kernel
def count_springs(t: Tables, s: State) -> int:
    """Counts the points where a spring may be placed."""
    n = 0
    if s.springs < t.springs:
        for word in range(t.words):
            n += count_bits(s.spring_room[word])
    return n


@kernel
def springs(t: Tables, s: State, w: Work, n: int) -> int:
    """Lists the points where a spring may be placed."""
    if s.springs < t.springs:
        for word in range(t.words):
            room = s.spring_room[word]
            while room:
                w.actions[n] = SPRING | ((32 * word + lowest_bit(room)) << X)
                room &= room - 1
                n += 1
    return n


@kernel
def nth_spring(s: State, n: int) -> int:
    """Gets a spring's point by its number in the list."""
    word = 0
    while n >= count_bits(s.spring_room[word]):
        n -= count_bits(s.spring_room[word])
        word += 1
    room = s.spring_room[word]
    for _ in range(n):
        room &= room - 1
    return SPRING | ((32 * word + lowest_bit(room)) << X)


@kernel
def can_roll(s: State) -> bool:
    """Checks whether the player may choose houses: a tile left and a free square somewhere."""
    i = 4 * s.player
    return s.roomy != 0 and (s.hand[i] > 0 or s.hand[i + 1] > 0 or s.hand[i + 2] > 0 or s.hand[i + 3] > 0)


@kernel
def lowest_value(s: State) -> int:
    """Gets the lowest value that the player still has."""
    value = 1
    while s.hand[4 * s.player + value - 1] == 0:
        value += 1
    return value


@kernel
def houses(t: Tables, s: State, w: Work) -> int:
    """Lists the tiles for the region shown, on a watered square only the lowest value, and declining."""
    n = 0
    lowest = lowest_value(s)
    for i in range(t.members[s.die], t.members[s.die + 1]):
        q = t.member[i]
        if s.tile[q] == FREE:
            highest = lowest if s.supply[q] > 0 else VALUES
            for value in range(lowest, highest + 1):
                if s.hand[4 * s.player + value - 1] > 0:
                    w.actions[n] = BUILD | (q << X) | (value << Y)
                    n += 1
    w.actions[n] = DECLINE
    return n + 1


@kernel
def generate(t: Tables, s: State, w: Work) -> int:
    """Lists the legal actions of the decision at hand, or the die's outcomes that count [Q8], and counts them."""
    n = 0
    phase = s.phase
    if phase == TURN:
        if can_roll(s):
            w.actions[0] = ROLL
            n = 1
        n = springs(t, s, w, n)
        n = canals(t, s, w, n)
        if n == 0:
            w.actions[0] = PASS
            n = 1
    elif phase == DIE:
        roomy = s.roomy
        while roomy:
            w.actions[n] = SHOW | (lowest_bit(roomy) << X)
            roomy &= roomy - 1
            n += 1
    elif phase == HOUSE:
        n = houses(t, s, w)
    elif phase == AGAIN:
        w.actions[0] = ROLL
        w.actions[1] = STOP
        n = 2
    elif phase == CANAL:
        w.actions[0] = STOP
        n = canals(t, s, w, 1)
    w.count = n
    return n


@kernel
def count_actions(t: Tables, s: State, w: Work) -> int:
    """Counts the legal actions, without listing them where they are many."""
    if s.phase == TURN:
        n = (1 if can_roll(s) else 0) + count_springs(t, s) + count_canals(s)
        return n if n > 0 else 1
    if s.phase == CANAL:
        return 1 + count_canals(s)
    if s.phase == DIE:
        return count_bits(s.roomy)
    return generate(t, s, w)


@kernel
def draw_action(t: Tables, s: State, w: Work, random: int) -> int:
    """Gets a legal action by a random number of 32 bits, each equally likely."""
    if s.phase == TURN:
        rolls = 1 if can_roll(s) else 0
        n_springs = count_springs(t, s)
        n = rolls + n_springs + count_canals(s)
        if n == 0:
            return PASS
        i = (random * n) >> 32
        if i < rolls:
            return ROLL
        i -= rolls
        if i < n_springs:
            return nth_spring(s, i)
        return nth_canal(t, s, i - n_springs)
    if s.phase == CANAL:
        i = (random * (1 + count_canals(s))) >> 32
        return STOP if i == 0 else nth_canal(t, s, i - 1)
    return w.actions[(random * generate(t, s, w)) >> 32]


# What actions do


@kernel
def remove_dry_tiles(t: Tables, s: State, region: int) -> None:
    """Takes every tile without water out of a region and of the game [Q9]; its square is free again."""
    for i in range(t.members[region], t.members[region + 1]):
        q = t.member[i]
        if FREE < s.tile[q] < MOUNTAIN and s.supply[q] == 0:
            s.tile[q] = FREE
            s.room[region] += 1
    if s.room[region] > 0:
        s.roomy |= 1 << region
    else:
        s.roomy &= ~(1 << region)


@kernel
def ends_after(t: Tables, s: State, player: int) -> bool:
    """Checks whether the game is over once a player has moved: the last round [Q10], or too many idle turns [Q6]."""
    return (s.left == 0 and player + 1 == t.players) or s.idle >= IDLE_ROUNDS * t.players


@kernel
def end_turn(t: Tables, s: State, idle: int) -> None:
    """Passes the turn on, or ends the game: the last round is over, or nothing was put down for too long [Q6]."""
    s.ended += 1
    s.idle = s.idle + 1 if idle else 0
    if ends_after(t, s, s.player):
        for region in range(t.regions):
            remove_dry_tiles(t, s, region)
        s.phase = OVER
        return
    s.player = (s.player + 1) % t.players
    s.rolls = 0
    s.phase = TURN


@kernel
def build(t: Tables, s: State, q: int, value: int) -> None:
    """Puts a tile on a square of the region shown; the player may roll again, up to three times."""
    s.tile[q] = 4 * s.player + value
    s.hand[4 * s.player + value - 1] -= 1
    s.room[s.die] -= 1
    if s.room[s.die] == 0:
        remove_dry_tiles(t, s, s.die)
    if s.rolls < ROLLS and can_roll(s):
        s.phase = AGAIN
    else:
        end_turn(t, s, 0)


@kernel
def apply(t: Tables, s: State, action: int) -> None:
    """Carries out a legal action, or an outcome of the die, and goes on to the next decision."""
    what = action & 7
    x = (action >> X) & 2047
    if what == DIG:
        dig(t, s, x, action >> Y)
        if s.phase == TURN and can_dig(s):
            s.phase = CANAL
        else:
            end_turn(t, s, 0)
    elif what == ROLL:
        s.rolls += 1
        s.phase = DIE
    elif what == SHOW:
        s.die = x
        s.phase = HOUSE
    elif what == BUILD:
        build(t, s, x, action >> Y)
    elif what == SPRING:
        place_spring(t, s, x)
        end_turn(t, s, 0)
    elif what == STOP:
        end_turn(t, s, 0)
    elif what == DECLINE:
        end_turn(t, s, 1 if s.rolls == 1 else 0)
    else:
        end_turn(t, s, 1)


@kernel
def halt(t: Tables, s: State, last: int) -> None:
    """Ends play here: tiles without water score nothing, whoever moved last."""
    s.phase = OVER


@kernel
def decider(t: Tables, s: State) -> int:
    """Gets the player who decides now, or NONE where it is chance."""
    return NONE if s.phase == DIE else s.player


@kernel
def is_over(s: State) -> bool:
    """Checks whether there is no further decision."""
    return s.phase == OVER


# The score


@kernel
def worth(t: Tables, s: State, q: int) -> int:
    """Gets the points of a watered tile: its houses, changed by the events around it (section 5)."""
    value = (s.tile[q] - 1) % 4 + 1
    bonus = 0
    for i in range(s.mountains):
        if s.event[i] != 0:
            for direction in range(4):
                if t.around[4 * s.mountain[i] + direction] == q:
                    if s.event[i] == MINERAL and s.supply[q] >= 2:
                        bonus += 2
                    elif s.event[i] == FOUL and s.supply[q] < 2:
                        return 0
    return value + bonus


@kernel
def count_points(t: Tables, s: State, w: Work) -> None:
    """Adds up what each player's watered tiles are worth, and counts them, which decides ties."""
    for player in range(t.players):
        w.total[player] = 0
        w.tie[player] = 0
    for q in range(t.squares):
        if FREE < s.tile[q] < MOUNTAIN and s.supply[q] > 0:
            w.total[(s.tile[q] - 1) >> 2] += worth(t, s, q)
            w.tie[(s.tile[q] - 1) >> 2] += 1
