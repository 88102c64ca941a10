"""Runs Voilà for as long as the command that began it lives, however that ends.

`serve` begins it as `python -m aquakit.workshop.leash` with Voilà's own words, and holds the other end of its input.
Kernels look after themselves: they end with the Voilà that began them.
"""

from __future__ import annotations

import os
import runpy
import signal
import threading
import time
from contextlib import suppress

GRACE = 5.0
"""So many seconds Voilà has to end its kernels."""


def watch() -> None:
    """Ends this process when nobody holds the other end of its input any more."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=watch, daemon=True).start()
    runpy.run_module("voila", run_name="__main__", alter_sys=True)
