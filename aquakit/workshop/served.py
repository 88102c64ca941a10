"""Whether boards stand on a page that is served: whoever opens it is a visitor, and the computer is somebody else's."""

from __future__ import annotations

import os

SERVED = "AQUAKIT_SERVED"
"""What `aquakit workshop serve` sets for the kernels of its pages."""
SIGNS = (SERVED, "VOILA_BASE_URL", "VOILA_PREHEAT")
"""What kernels of served pages have in their environment; Voilà sets the others, however it was started."""
PATIENCE = 60.0
"""For so many seconds a visitor may let the computer think about one thing."""


def is_served() -> bool:
    """Checks whether this kernel is that of a served page.

    >>> is_served()
    False
    """
    return any(sign in os.environ for sign in SIGNS)


def find_patience() -> float | None:
    """Gets for how many seconds a board may think about one thing that its page asks for; in a notebook no limit."""
    return PATIENCE if is_served() else None
