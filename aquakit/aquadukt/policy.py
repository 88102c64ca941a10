"""What a sensible player of Aquädukt would rather do, for search: a preference for actions, and playouts by it.

Not rules but habits, tuned by matches.
"""

from __future__ import annotations

from typing import Any

from aquakit.aquadukt.kernel import (
    AGAIN,
    BUILD,
    CANAL,
    DECLINE,
    DIG,
    FREE,
    HOUSE,
    MOUNTAIN,
    ROLL,
    SPRING,
    STOP,
    TURN,
    State,
    Tables,
    X,
    Y,
    can_roll,
    count_canals,
    count_springs,
    draw_action,
    generate,
    nth_canal,
    nth_spring,
)  # fmt: skip
from aquakit.compiled.jit import kernel

LARGE_LEAD = 30
"""A lead in points that all but decides a game."""
SETTINGS: dict[str, float] = {}
"""Settings of the tree search that suit this game better than the usual ones."""

SAMPLES = 2
"""From so many canals, springs or tiles a playout takes the preferred one."""
ROLL_IN_8, SPRING_IN_8 = 1, 1
"""How often a turn of a playout is one of houses or a spring, in eighths; otherwise canals are laid."""


@kernel
def value_of(s: State, q: int) -> int:
    """Gets the houses that water on a dry square would save for the mover, those of others counted against it."""
    tile = s.tile[q]
    if tile == FREE:
        return 1
    if tile >= MOUNTAIN or s.supply[q] > 0:
        return 0
    value = 4 * ((tile - 1) % 4 + 1)
    return value if (tile - 1) >> 2 == s.player else -value


@kernel
def prefer_canal(t: Tables, s: State, segment: int) -> int:
    """Prefers canals that water own houses and not those of others."""
    first = 4 * segment
    last = first + 2 if s.canal[segment] == 0 else first + 4
    total = 40
    for i in range(first, last):
        q = t.water[i]
        if q >= 0 and s.supply[q] == 0:
            total += value_of(s, q)
    return total


@kernel
def prefer_spring(t: Tables, s: State, p: int) -> int:
    """Prefers springs among own dry houses."""
    total = 30
    for direction in range(4):
        segment = t.along[4 * p + direction]
        if segment >= 0:
            for i in range(4 * segment, 4 * segment + 2):
                if t.water[i] >= 0:
                    total += value_of(s, t.water[i])
    return total


@kernel
def prefer_house(t: Tables, s: State, q: int, value: int) -> int:
    """Prefers watered squares, then high values where the region does not fill at once."""
    if s.supply[q] > 0:
        return 40 + 4 * value
    if s.room[s.die] > 1:
        return 24 + 2 * value
    lost = 20 - 4 * value
    for i in range(t.members[s.die], t.members[s.die + 1]):
        other = t.member[i]
        if FREE < s.tile[other] < MOUNTAIN and s.supply[other] == 0:
            lost -= value_of(s, other)
    return max(0, lost)


@kernel
def prefer(t: Tables, s: State, action: int) -> int:
    """Says how much an action is preferred; only the order matters, and only within one decision."""
    what = action & 7
    x = (action >> X) & 2047
    if what == DIG:
        return prefer_canal(t, s, x)
    if what == SPRING:
        return prefer_spring(t, s, x)
    if what == BUILD:
        return prefer_house(t, s, x, action >> Y)
    if what == ROLL:
        return 60
    if what == DECLINE:
        return 22
    return 20


@kernel
def draw_water(t: Tables, s: State, random: int, n: int, spring: bool) -> int:
    """Gets the preferred of some springs, or of some canals."""
    best = 0
    most = -1
    for _ in range(SAMPLES):
        number = (random * n) >> 32
        action = nth_spring(s, number) if spring else nth_canal(t, s, number)
        weight = prefer(t, s, action)
        if weight > most:
            most = weight
            best = action
        random = (random * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF
    return best


@kernel
def draw_house(t: Tables, s: State, w: Any, random: int) -> int:
    """Gets the preferred of some tiles."""
    n = generate(t, s, w)
    best: int = w.actions[(random * n) >> 32]
    most = prefer(t, s, best)
    for _ in range(SAMPLES - 1):
        random = (random * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF
        action = w.actions[(random * n) >> 32]
        weight = prefer(t, s, action)
        if weight > most:
            most = weight
            best = action
    return best


@kernel
def draw_wisely(t: Tables, s: State, w: Any, random: int) -> int:
    """Gets a legal action by a random number of 32 bits, sensible ones more likely."""
    again = (random * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF
    if s.phase == TURN:
        lot = random & 7
        if lot < ROLL_IN_8 and can_roll(s):
            return ROLL
        if lot < ROLL_IN_8 + SPRING_IN_8 or s.springs == 0:
            n = count_springs(t, s)
            if n > 0:
                return draw_water(t, s, again, n, True)
        n = count_canals(s)
        if n > 0:
            return draw_water(t, s, again, n, False)
        return draw_action(t, s, w, again)
    if s.phase == HOUSE:
        return draw_house(t, s, w, random)
    if s.phase == AGAIN:
        return STOP if random & 3 == 0 else ROLL
    if s.phase == CANAL:
        n = count_canals(s)
        if n == 0 or random & 7 == 0:
            return STOP
        return draw_water(t, s, again, n, False)
    return draw_action(t, s, w, random)
