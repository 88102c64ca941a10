"""Pieces of work for the tests of executors, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NamedTuple


class Chore(NamedTuple):
    """A number to be squared by a worker that notes itself in a folder, and perhaps ends in the middle of it."""

    number: int
    folder: str
    kills: int = 0
    """So many workers end with it."""
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"chore {self.number}"


def square(chore: Chore) -> int:
    """Squares a number; every try leaves a note."""
    note = Path(chore.folder) / f"{chore.number}"
    with note.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if len(note.read_text().splitlines()) <= chore.kills:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(chore.seconds)
    return chore.number**2


def tries(folder: Path, number: int) -> list[int]:
    """Gets the processes that tried a chore."""
    note = folder / f"{number}"
    return [int(line) for line in note.read_text().splitlines()] if note.exists() else []
