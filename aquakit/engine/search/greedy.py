"""Looks one action ahead: what each is worth if play stopped right after it.

Bound to a game's kernel and policy by `jit.bind`.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import apply, count_points, decider, generate, halt, is_over, prefer
from aquakit.compiled.workspace import lead_of, random_number

CHANCE = -1


@kernel
def stopped_lead(t: Any, s: Any, w: Any, me: int, last: int) -> float:
    """Gets a player's lead if play stopped in a state, which is used up."""
    if not is_over(s):
        halt(t, s, last)
    count_points(t, s, w)
    return lead_of(w, t.players, me)


@kernel
def best_reply(t: Any, states: Any, works: Any, me: int, last: int) -> float:
    """Gets the best lead after one action from the third state."""
    n = generate(t, states[2], works[2])
    best = -1.0e9
    for i in range(n):
        states[3] = states[2]
        apply(t, states[3], works[2].actions[i])
        value = stopped_lead(t, states[3], works[3], me, last)
        if value > best:
            best = value
    return best


@kernel
def choose_greedily(tables: Any, states: Any, works: Any) -> int:
    """Gets the action of the first state with the best lead right after it; of equal ones the preferred, or any.

    An action that leads to chance is worth the mean over the outcomes of the best reply. Needs four states and works.
    """
    t = tables[0]
    me = decider(t, states[0])
    last = states[0].player
    n = generate(t, states[0], works[0])
    chosen: int = works[0].actions[0]
    most = -1.0e9
    liked = -1
    equal = 0
    for i in range(n):
        action = works[0].actions[i]
        states[1] = states[0]
        apply(t, states[1], action)
        if not is_over(states[1]) and decider(t, states[1]) == CHANCE:
            outcomes = generate(t, states[1], works[1])
            value = 0.0
            for j in range(outcomes):
                states[2] = states[1]
                apply(t, states[2], works[1].actions[j])
                value += best_reply(t, states, works, me, last) / outcomes
        else:
            value = stopped_lead(t, states[1], works[1], me, last)
        liking = prefer(t, states[0], action)
        if value > most + 1.0e-9 or (value > most - 1.0e-9 and liking > liked):
            most = value
            liked = liking
            equal = 0
        if value > most - 1.0e-9 and liking == liked:
            equal += 1
            if (random_number(works[0]) * equal) >> 32 == 0:
                chosen = action
    return chosen
