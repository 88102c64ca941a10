"""What a sensible player of Aqua Romana would rather do, for search: a preference for actions, and playouts by it.

Not rules but habits, tuned by matches.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.bits import lowest_bit
from aquakit.compiled.jit import kernel
from aquakit.romana.kernel import (
    BUILD,
    CLOSE,
    EMPTY,
    JOKER,
    LAY,
    MOVE,
    NOTHING,
    PUT,
    SHUT,
    TAKE,
    State,
    Tables,
    X,
    Y,
    Z,
    draw_action,
    generate,
    sees,
)  # fmt: skip

LARGE_LEAD = 20
"""A lead in points that all but decides a game."""
SETTINGS: dict[str, float] = {}
"""Settings of the tree search that suit this game better than the usual ones."""

GOES_ON = 40
"""How much better it is that an aqueduct can go on than that it ends there."""
SAMPLES = 3
"""From so many extensions a playout takes the preferred one."""
CLOSE_ONE_IN = 24
"""In a playout one voluntary closing in so many is made."""


@kernel
def after(t: Tables, s: State, q: int, code: int, entry: int) -> int:
    """Gets what a tile brings an aqueduct that enters its square by a side: length, and more if it can go on."""
    leave = -1
    for i in range(4 * code, 4 * code + 4, 2):
        if t.segment[i] == entry:
            leave = t.segment[i + 1]
        elif t.segment[i + 1] == entry:
            leave = t.segment[i]
    if leave < 0:
        return 0
    e = t.edge[4 * q + leave]
    gain = 1 + s.length[e]
    end = e
    inside = 4 * q + leave
    if s.length[e] > 0:
        end = s.other[e]
        inside = t.port[2 * end]
        if inside < 0 or (t.ports[s.tile[inside >> 2]] >> (inside & 3)) & 1 == 0:
            inside = t.port[2 * end + 1]
    outside = t.port[2 * end] if t.port[2 * end + 1] == inside else t.port[2 * end + 1]
    if outside >= 0 and outside >> 2 != q and s.tile[outside >> 2] == EMPTY:
        gain += GOES_ON
    return gain


@kernel
def prefer_build(t: Tables, s: State, q: int, code: int, p: int) -> int:
    """Prefers what makes own aqueducts longer and lets them go on."""
    best = 0
    rest = s.open & t.mine[s.player]
    while rest:
        a = lowest_bit(rest)
        rest &= rest - 1
        if s.face[a] == q and sees(t, s, a, p):
            gain = after(t, s, q, code, s.entry[a])
            if gain > 0 and gain < GOES_ON:
                # It ends here: better late than early.
                gain += s.length[s.tip[a]]
            if gain > best:
                best = gain
    return best


@kernel
def prefer_extra(t: Tables, s: State, q: int) -> int:
    """Prefers squares beside those that aqueducts' ends face, where a tile matters at once."""
    near = 0
    for side in range(4):
        e = t.edge[4 * q + side]
        port = t.port[2 * e] if t.port[2 * e] >> 2 != q else t.port[2 * e + 1]
        if port >= 0:
            other = port >> 2
            for a in range(t.aqueducts):
                if s.face[a] == other and (s.open >> a) & 1:
                    near += 2 if t.owner[a] == s.player else 3
    return near


@kernel
def prefer_close(t: Tables, s: State, a: int) -> int:
    """Prefers to keep aqueducts open, and long ones over short ones where one is closed."""
    if a == NOTHING:
        return 100
    length = s.length[s.tip[a]]
    if length > t.podiums:
        length = t.podiums
    return 2 * length if s.room[length] > 0 else 0


@kernel
def prefer_place(t: Tables, s: State, p: int) -> int:
    """Prefers path squares that own workmen see."""
    seen = 0
    rest = s.open & t.mine[s.player]
    while rest:
        if sees(t, s, lowest_bit(rest), p):
            seen += 1
        rest &= rest - 1
    return seen


@kernel
def prefer(t: Tables, s: State, action: int) -> int:
    """Says how much an action is preferred; only the order matters, and only within one decision."""
    what = action & 7
    x = (action >> X) & 1023
    if what == BUILD:
        return prefer_build(t, s, x, (action >> Y) & 15, action >> Z)
    if what == LAY:
        return prefer_extra(t, s, x)
    if what == SHUT:
        return prefer_close(t, s, x)
    if what == PUT:
        return prefer_place(t, s, action >> Z)
    if what == TAKE:
        return 1 if (action >> Y) & 15 == JOKER else 0
    return 0


@kernel
def draw_wisely(t: Tables, s: State, w: Any, random: int) -> int:
    """Gets a legal action by a random number of 32 bits, sensible ones more likely."""
    if s.phase == MOVE:
        n = generate(t, s, w)
        best: int = w.actions[(random * n) >> 32]
        if best & 7 != BUILD:
            return best
        most = prefer(t, s, best)
        for _ in range(SAMPLES - 1):
            random = (random * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF
            action = w.actions[(random * n) >> 32]
            weight = prefer(t, s, action)
            if weight > most:
                most = weight
                best = action
        return best
    if s.phase == CLOSE:
        if random % CLOSE_ONE_IN:
            return SHUT | (NOTHING << X)
        return draw_action(t, s, w, (random * 0x9E3779B1) & 0xFFFFFFFF)
    return draw_action(t, s, w, random)
