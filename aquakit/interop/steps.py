"""Takes one step in a game whose actions are numbered from 0, as other people's software wants them.

Bound to a kernel by `jit.bind`. The first of two states is the present one, the second the start of its turn. `numbers`
holds each kernel action's number plus one, 0 while nobody has given it any; two actions of one state never share a
number.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import apply, count_points, decider, generate, is_over

CHANCE, OVER = -1, -4
"""Who decides where no player does: chance, and nobody when the game is over, as OpenSpiel puts it."""
UNKNOWN, ILLEGAL = -8, -9
"""What is answered instead of a count or a player."""


@kernel
def count_numbered(t: Any, s: Any, w: Any, numbers: Any) -> int:
    """Lists the legal actions and counts them; says UNKNOWN if one has no number yet."""
    n = generate(t, s, w)
    for i in range(n):
        if w.actions[i] >= len(numbers) or numbers[w.actions[i]] == 0:
            return UNKNOWN
    return n


@kernel
def list_numbers(tables: Any, states: Any, works: Any, numbers: Any) -> int:
    """Lists the legal actions' numbers, in ascending order, where the workspace has the actions."""
    w = works[0]
    n = count_numbered(tables[0], states[0], w, numbers)
    for i in range(n):
        number = numbers[w.actions[i]] - 1
        j = i
        while j > 0 and w.actions[j - 1] > number:
            w.actions[j] = w.actions[j - 1]
            j -= 1
        w.actions[j] = number
    return n


@kernel
def decide(tables: Any, states: Any) -> int:
    """Gets who decides: a player, chance or, when the game is over, OVER."""
    return OVER if is_over(states[0]) else decider(tables[0], states[0])


@kernel
def step(tables: Any, states: Any, works: Any, numbers: Any, number: int) -> tuple[int, bool]:
    """Carries out the action of a number; gets who decides next and whether a turn begins there.

    If an action has no number yet or this one is not legal, nothing changes: UNKNOWN, ILLEGAL.
    """
    t, s, w = tables[0], states[0], works[0]
    n = count_numbered(t, s, w, numbers)
    for i in range(n):
        if numbers[w.actions[i]] == number + 1:
            turns = s.ended
            apply(t, s, w.actions[i])
            begins = is_over(s) or s.ended != turns
            if begins:
                states[1] = states[0]
            return decide(tables, states), begins
    return UNKNOWN if n == UNKNOWN else ILLEGAL, False


@kernel
def count(tables: Any, states: Any, works: Any) -> None:
    """Counts each player's points, and what decides between equal ones."""
    count_points(tables[0], states[0], works[0])
