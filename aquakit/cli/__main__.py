"""Where the command begins: before anything else is imported, so that Ctrl-C at any moment ends it with one line."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn


def main() -> None:
    """Runs the command line."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # what a shell starts with & does not hear it
    if heard:
        signal.signal(signal.SIGINT, _stop)
    from aquakit.cli.main import answer

    try:
        if heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = answer()
    except KeyboardInterrupt:
        _stop()
    if heard:
        signal.signal(signal.SIGINT, _stop)
    sys.exit(code)


def _stop(*_: Any) -> NoReturn:
    """Ends a command that has not begun, or has done its work: an exception would be lost or told in other modules."""
    os.write(2, b"aquakit: stopped\n")
    os._exit(130)  # as STOPPED in common.py, which is not there yet


if __name__ == "__main__":
    main()
