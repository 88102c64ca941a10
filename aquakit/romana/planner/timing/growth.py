"""Plays some rounds ahead by the game's habits and notes how each aqueduct grows, and when it is closed."""

from __future__ import annotations

from typing import Annotated, Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.structs import Ints, Struct
from aquakit.compiled.workspace import random_number
from aquakit.romana.kernel import BUILD, CLOSE, NOTHING, SHUT, State, Tables, X, apply, is_over
from aquakit.romana.policy import draw_wisely

ROUNDS = 60
"""The most rounds that can be looked ahead."""
UNKNOWN = -1


class Trace(Struct):
    """How one playout went."""

    lengths: Annotated[Ints, "i2", 1440]
    """Each aqueduct's length at the end of its owner's turn, ROUNDS to an aqueduct; UNKNOWN if there was no turn."""
    final: Annotated[Ints, "i2", 24]
    """Its length when it was closed, or when all was scored."""
    ends: Annotated[Ints, "i2", 24]
    """The turn in which it was closed by construction, from 0, or UNKNOWN."""
    closed: Annotated[Ints, "i2", 24]
    """The round in which its owner closed it, from 1, or UNKNOWN."""
    last: Annotated[int, "i2"]
    """The last turn, from 0."""


@kernel
def choose(t: Tables, s: State, w: Any, closers: int) -> int:
    """Draws an action by the game's habits; players who are not among the closers close nothing voluntarily."""
    if s.phase == CLOSE and (closers >> s.player) & 1 == 0:
        return SHUT | (NOTHING << X)
    return draw_wisely(t, s, w, random_number(w))


@kernel
def note_closings(t: Tables, s: State, r: Trace, gone: int, action: int, walled: int, number: int, turn: int) -> None:
    """Notes the aqueducts that an action closed: voluntarily, by construction, or because the game is over."""
    for a in range(t.aqueducts):
        if (gone >> a) & 1:
            r.final[a] = s.length[s.tip[a]]
            if action & 7 == SHUT and (action >> X) & 1023 == a:
                r.closed[a] = number
                r.lengths[a * ROUNDS + number - 1] = r.final[a]
            elif walled:
                r.ends[a] = turn


@kernel
def note_lengths(t: Tables, s: State, r: Trace, player: int, number: int) -> None:
    """Notes the lengths of a player's open aqueducts at the end of a turn."""
    for a in range(t.aqueducts):
        if t.owner[a] == player and (s.open >> a) & 1:
            r.lengths[a * ROUNDS + number - 1] = s.length[s.tip[a]]


@kernel
def clear(t: Tables, r: Trace) -> None:
    """Makes a trace ready for another playout."""
    r.last = 0
    for a in range(t.aqueducts):
        r.final[a] = UNKNOWN
        r.ends[a] = UNKNOWN
        r.closed[a] = UNKNOWN
        for i in range(ROUNDS):
            r.lengths[a * ROUNDS + i] = UNKNOWN


@kernel
def trace(t: Tables, s: State, w: Any, r: Trace, rounds: int, closers: int) -> None:
    """Plays some rounds from a state, or to the end of the game, and notes what happens."""
    clear(t, r)
    players = 1 if s.solo else t.players
    first = s.player
    number = 1
    while number <= rounds and not is_over(s):
        player = s.player
        place = 0 if players == 1 else (player - first + players) % players
        turn = (number - 1) * players + place
        before = s.open
        ended = s.ended
        action = choose(t, s, w, closers)
        # Open aqueducts are scored at the end only after a turn without a tile, and such a turn walls nobody in.
        walled = 1 if s.laid or action & 7 == BUILD else 0
        apply(t, s, action)
        note_closings(t, s, r, before & ~s.open, action, walled, number, turn)
        if s.ended != ended:
            note_lengths(t, s, r, player, number)
            r.last = turn
            if players == 1 or (s.player - first + players) % players <= place:
                number += 1
    for a in range(t.aqueducts):
        if (s.open >> a) & 1:
            r.final[a] = s.length[s.tip[a]]


@kernel
def traces(tables: Any, states: Any, works: Any, records: Any, count: int, rounds: int, closers: int) -> None:
    """Plays the first state ahead several times, on the second, and notes each playout in a record."""
    for i in range(count):
        states[1] = states[0]
        trace(tables[0], states[1], works[0], records[i], rounds, closers)
