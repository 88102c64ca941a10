"""Whether boards stand on a page that is served: whoever opens it is a visitor, and the computer is somebody else's."""

from __future__ import annotations

import os
import sys
from typing import Any

SERVED = "AQUAKIT_SERVED"
"""What `aquakit workshop serve` sets for the kernels of its pages; set here where marimo serves them."""
SIGNS = (SERVED, "VOILA_BASE_URL", "VOILA_PREHEAT")
"""What kernels of served pages have in their environment; Voilà sets the others, however it was started."""
PATIENCE = 60.0
"""For so many seconds a visitor may let the computer think about one thing."""


def is_served() -> bool:
    """Checks whether this kernel is that of a served page.

    >>> is_served()
    False
    """
    # Only the thread that runs cells knows it; whatever else runs in this process has to know it too.
    if SERVED not in os.environ and _is_marimo_app():
        os.environ[SERVED] = "1"
    return any(sign in os.environ for sign in SIGNS)


def _is_marimo_app() -> bool:
    """Checks whether `marimo run` shows the notebook that asks; a process of it shows no other kind."""
    marimo: Any = sys.modules.get("marimo")
    return marimo is not None and marimo.app_meta().mode == "run"


def find_patience() -> float | None:
    """Gets for how many seconds a board may think about one thing that its page asks for; in a notebook no limit."""
    return PATIENCE if is_served() else None
