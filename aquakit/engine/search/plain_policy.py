"""What a player of a game would rather do that has no `policy.py`: nothing in particular."""

from __future__ import annotations

from typing import Any

from aquakit.compiled.jit import kernel
from aquakit.compiled.protocol import draw_action

LARGE_LEAD = 10
"""A lead in points that all but decides a game."""
SETTINGS: dict[str, float] = {}
"""Settings of the tree search that suit a game better than the usual ones."""


@kernel
def prefer(t: Any, s: Any, action: int) -> int:
    """Prefers no action."""
    return 0


@kernel
def draw_wisely(t: Any, s: Any, w: Any, random: int) -> int:
    """Draws any legal action."""
    return draw_action(t, s, w, random)
