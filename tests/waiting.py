"""Waits for what other threads and processes do; how long that takes is never what is tested."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 60
"""Seconds after which what was waited for counts as never to come, on however busy a machine."""


def wait_for(happened: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "what was waited for did not happen"
        time.sleep(0.01)
