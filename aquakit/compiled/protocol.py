"""What a game lends to sources that serve every game: the functions of its kernel and of its policy.

A source that imports one of these serves any kernel; `jit.bind` puts the game's own function of that name in its place.
Beside them a kernel has the records Tables, State and Work.
"""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import lent

# Of the kernel


@lent
def generate(t: Any, s: Any, w: Any) -> int:
    """Lists the legal actions of a state in the workspace and counts them."""
    raise NotImplementedError


@lent
def count_actions(t: Any, s: Any, w: Any) -> int:
    """Counts the legal actions of a state."""
    raise NotImplementedError


@lent
def draw_action(t: Any, s: Any, w: Any, random: int) -> int:
    """Gets one of the legal actions, all equally likely, by a random number of 32 bits."""
    raise NotImplementedError


@lent
def apply(t: Any, s: Any, action: int) -> None:
    """Carries out a legal action."""
    raise NotImplementedError


@lent
def decider(t: Any, s: Any) -> int:
    """Gets who decides: a player from 0, or -1 for chance."""
    raise NotImplementedError


@lent
def is_over(s: Any) -> bool:
    """Checks whether the game is over."""
    raise NotImplementedError


@lent
def halt(t: Any, s: Any, last: int) -> None:
    """Ends play as if the turn just taken, by the player `last`, had been the last one."""
    raise NotImplementedError


@lent
def count_points(t: Any, s: Any, w: Any) -> None:
    """Counts each player's points, and what decides between equal ones, in the workspace."""
    raise NotImplementedError


# Of the policy


@lent
def prefer(t: Any, s: Any, action: int) -> int:
    """Says how much an action is preferred; only the order matters, and only within one decision."""
    raise NotImplementedError


@lent
def draw_wisely(t: Any, s: Any, w: Any, random: int) -> int:
    """Gets a legal action by a random number of 32 bits, sensible ones more likely."""
    raise NotImplementedError
