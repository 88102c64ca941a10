"""What a sensible player would rather do: take two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aquakit.compiled.jit import kernel

if TYPE_CHECKING:

    def draw_action(t: Any, s: Any, w: Any, random: int) -> int: ...


NEEDED = ("draw_action",)
LARGE_LEAD = 2
SETTINGS: dict[str, float] = {}


@kernel
def prefer(t: Any, s: Any, action: int) -> int:
    """Likes to take many."""
    return action % 2


@kernel
def draw_wisely(t: Any, s: Any, w: Any, random: int) -> int:
    """Draws any action."""
    return draw_action(t, s, w, random)
