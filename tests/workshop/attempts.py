"""An attempt at an exercise that several tests write down."""

from __future__ import annotations

from datetime import UTC, datetime

from aquakit.training.attempt import Attempt

ADA = Attempt(
    at=datetime(2026, 3, 2, 20, 15, tzinfo=UTC),
    task="rules-tiles",
    answer="7",
    outcome="right",
    hints=1,
    seconds=12.5,
    person="Ada",
    lesson="rules",
)
