"""Waits for what other threads and processes do; how long that takes is never what is tested."""

from __future__ import annotations

import signal
import subprocess
import sys
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


def interrupt(code: str, *arguments: str, said: int = 1) -> tuple[int, str, str]:
    """Interrupts a program once it has said so many lines; gets its exit code, what it said after these, its errors."""
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            for _ in range(said):
                process.stdout.readline()
            process.send_signal(signal.SIGINT)
            wait_for(lambda: process.poll() is not None)
        finally:
            process.kill()
        out, err = process.communicate()
    return process.returncode, out, err
