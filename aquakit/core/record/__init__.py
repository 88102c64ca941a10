"""Games with comments and nested variations, kept as the text that `docs/records.md` lays down."""

from __future__ import annotations

from aquakit.core.record.game import Record
from aquakit.core.record.headers import Headers
from aquakit.core.record.tree import Node

__all__ = ["Headers", "Node", "Record"]
