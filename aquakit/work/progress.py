"""Shows people how far long work is: one bar for terminals and notebooks."""

from __future__ import annotations

import sys
from typing import Any


def show_progress(total: int | None, done: int, unit: str, *, shown: bool = True) -> Any:
    """Makes a progress bar, to be used as a context."""
    from tqdm.auto import tqdm

    if sys.platform == "emscripten":
        tqdm.monitor_interval = 0  # it would want a thread
    return tqdm(total=total, initial=done, unit=unit, disable=not shown)
