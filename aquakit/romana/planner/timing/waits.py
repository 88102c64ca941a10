"""Says how long an aqueduct is left open before it is closed."""

from __future__ import annotations

from aquakit.core.words import count


def head_of(rounds: int | None) -> str:
    """Says how long an aqueduct is left open, for a table's head."""
    return "never" if rounds is None else f"+{rounds}" if rounds else "now"


def say_wait(rounds: int) -> str:
    """Says how long one waits."""
    return f"after {count(rounds, 'round')}"
