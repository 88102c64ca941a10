"""Where attempts are kept: what every store can do.

There are two, because two kinds of readers need them. Puzzles are solved by people who come back, so theirs is a
database that is asked again and again (`progress_file`). Exercises are handed in, so each person's are lines of JSON
that a leader can gather, read and mend (`result_file`). Neither ever changes what was written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from aquakit.training.attempt import Attempt


class AttemptStore(Protocol):
    """A file of attempts."""

    path: Path

    def append(self, attempt: Attempt) -> None:
        """Writes an attempt down; when this returns, it is safe on the disk."""
        ...

    def attempts(self, person: str | None = None) -> list[Attempt]:
        """Lists the attempts of a person, or of all, in the order in which they were written down."""
        ...
