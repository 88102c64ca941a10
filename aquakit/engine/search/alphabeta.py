"""Searches a game exactly: alpha-beta over single actions, with a transposition table, to a horizon or to the end.

Bound to a kernel by `jit.bind`. One player maximises the own
lead; all others minimise it, which for two players is the game itself and for more what the player can be sure of.
Where chance decides, outcomes are averaged. A loop with a record per ply, since compiled recursion does not survive the
cache.
"""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.jit import inlined, kernel
from aquakit.compiled.protocol import apply, count_points, decider, generate, halt, is_over
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import lead_of

CHANCE = -1
FAR = 1.0e9
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
HISTORY = 1 << 14


class SearchPly(Struct):
    """A ply of the search: the position that it has come to, and what is known of it so far."""

    alpha: Annotated[int, "f8"]
    beta: Annotated[int, "f8"]
    """The window given."""
    low: Annotated[int, "f8"]
    high: Annotated[int, "f8"]
    """The window as it stands."""
    best: Annotated[int, "f8"]
    total: Annotated[int, "f8"]
    """Sum of the outcomes, where chance decides."""
    value: Annotated[int, "f8"]
    """Its value, once that is known."""
    key: Annotated[int, "u8"]
    who: Annotated[int, "i4"]
    """What the decider does: 1 maximises, -1 minimises, 0 is chance."""
    move: Annotated[int, "i4"]
    """The best action so far."""
    killer: Annotated[int, "i4"]
    """An action that was good at this ply lately."""


class TableEntry(Struct):
    """What the transposition table knows about a position."""

    key: Annotated[int, "u8"]
    value: Annotated[int, "f8"]
    bound: Annotated[int, "i4"]
    move: Annotated[int, "i4"]


class Limits(Struct):
    """What is searched, and how much of it there may be."""

    me: Annotated[int, "i4"]
    players: Annotated[int, "i4"]
    last: Annotated[int, "i4"]
    """Whose turn ended last before the first state."""
    turns: Annotated[int, "i4"]
    """How many turns are played; then play is halted."""
    salt: Annotated[int, "u8"]
    """Tells entries of different searches apart."""
    budget: Annotated[int, "i8"]
    """Positions left that may be looked at; below 0 the search has stopped early."""
    seen: Annotated[int, "i8"]
    """Positions looked at."""
    halted: Annotated[int, "i8"]
    """How many of them were judged because the horizon was reached, and not because the game was over."""
    history: Annotated[Ints, "i4", HISTORY]
    """How often an action was the best one."""


@kernel
def hash_words(words: Any, row: int) -> int:
    """Mixes a state's memory into one number."""
    h: int = words[row, 0]
    for i in range(1, words.shape[1]):
        h = (h ^ words[row, i]) * words.dtype.type(0x9E3779B97F4A7C15)
        h ^= h >> words.dtype.type(29)
    return h


@kernel
def promote(w: Any, action: int, place: int) -> int:
    """Moves an action, if it is listed, to a place at the front; gets the next place."""
    for i in range(place, w.count):
        if w.actions[i] == action:
            w.actions[i] = w.actions[place]
            w.actions[place] = action
            return place + 1
    return place


@kernel
def order(w: Any, c: Any, place: int) -> None:
    """Puts the actions that were good before in front, if there are not too many."""
    top = min(w.count, place + 8)
    for i in range(place, top):
        best = i
        most = c.history[(w.actions[i] * 40503) & (HISTORY - 1)]
        for j in range(i + 1, w.count):
            count = c.history[(w.actions[j] * 40503) & (HISTORY - 1)]
            if count > most:
                most = count
                best = j
        if most == 0:
            return
        kept = w.actions[i]
        w.actions[i] = w.actions[best]
        w.actions[best] = kept


# A position comes, and goes with its value. Records are handed on, not arrays of them, which would cost time.


@inlined
def judge_halted(t: Any, s: Any, w: Any, c: Any, last: int) -> float:
    """Gets the value of a position if play is halted there; the state is used up. `last` has ended the last turn."""
    if s.ended >= c.turns:
        c.halted += 1
    else:
        c.budget = -1
    halt(t, s, last)
    count_points(t, s, w)
    return lead_of(w, c.players, c.me)


@inlined
def probe(f: Any, known: Any) -> bool:
    """Looks a position up in the transposition table: its value, if that settles the window, or a move to try first."""
    f.move = -1
    if known.key != f.key or known.bound == 0:
        return False
    f.move = known.move
    f.value = known.value
    if known.bound == AT_LEAST:
        return bool(known.value >= f.beta)
    return bool(known.bound == EXACT or known.value <= f.alpha)


@inlined
def list_actions(t: Any, s: Any, w: Any, f: Any, c: Any) -> None:
    """Lists a position's actions, those that are likely to be good in front."""
    generate(t, s, w)
    player = decider(t, s)
    f.who = 0 if player == CHANCE else (1 if player == c.me else -1)
    f.low = f.alpha
    f.high = f.beta
    f.best = -FAR if f.who == 1 else FAR
    f.total = 0.0
    w.cursor = 0
    if f.who != 0 and w.count > 1:
        place = 0
        if f.move >= 0:
            place = promote(w, f.move, place)
        if f.killer >= 0:
            place = promote(w, f.killer, place)
        order(w, c, place)


@inlined
def leave(w: Any, f: Any, c: Any, known: Any) -> None:
    """Notes the value of a position whose actions have been tried, or need not be; keeps it in the table."""
    f.value = f.total / w.count if f.who == 0 else f.best
    if c.budget < 0:
        return
    known.key = f.key
    known.value = f.value
    known.move = f.move
    known.bound = EXACT
    if f.who != 0:
        if f.value <= f.alpha:
            known.bound = AT_MOST
        elif f.value >= f.beta:
            known.bound = AT_LEAST
        f.killer = f.move
        c.history[(f.move * 40503) & (HISTORY - 1)] += 1


@kernel
def search(
    tables: Any, states: Any, works: Any, plies: Any, entries: Any, words: Any, limits: Any, alpha: float, beta: float
) -> float:
    """Gets the value of the first state: exact within the window, a bound outside it.

    search(position, alpha, beta):
        if it is a leaf, or the table settles it: return its value
        for each action, as long as the window is open:
            take_in(search(the position after it, the window as it stands))
        return the best value, or the mean where chance decides
    """
    t, c = tables[0], limits[0]
    scratch = len(states) - 1
    mask = len(entries) - 1
    ply = 0
    plies[0].alpha = alpha
    plies[0].beta = beta
    while True:
        s, w, f = states[ply], works[ply], plies[ply]
        c.seen += 1
        c.budget -= 1
        settled = True
        if is_over(s):
            count_points(t, s, w)
            f.value = lead_of(w, c.players, c.me)
        elif s.ended >= c.turns or ply + 1 == scratch or c.budget < 0:
            states[scratch] = states[ply]
            f.value = judge_halted(t, states[scratch], w, c, states[ply - 1].player if ply > 0 else c.last)
        else:
            f.key = hash_words(words, ply) ^ c.salt
            settled = probe(f, entries[f.key & mask])
            if not settled:
                list_actions(t, s, w, f, c)
        while settled or w.cursor == w.count or (f.who != 0 and f.low >= f.high):
            if not settled:
                leave(w, f, c, entries[f.key & mask])
            value = float(f.value)
            if ply == 0:
                return value
            ply -= 1
            f, w = plies[ply], works[ply]
            take_in(f, w, value)
            settled = False
        states[ply + 1] = states[ply]
        apply(t, states[ply + 1], w.actions[w.cursor])
        w.cursor += 1
        below = plies[ply + 1]
        below.alpha = f.low if f.who != 0 else -FAR
        below.beta = f.high if f.who != 0 else FAR
        ply += 1


@kernel
def take_in(f: Any, w: Any, value: float) -> None:
    """Takes the value of the action just tried into its ply."""
    if f.who == 0:
        f.total += value
    elif f.who == 1:
        if value > f.best:
            f.best = value
            f.move = w.actions[w.cursor - 1]
            if value > f.low:
                f.low = value
    elif value < f.best:
        f.best = value
        f.move = w.actions[w.cursor - 1]
        if value < f.high:
            f.high = value
