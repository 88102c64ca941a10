"""Boards in notebooks: widgets that show a position, let people play by clicking, and explore games."""

from aquakit.widgets.board import Board
from aquakit.widgets.explorer import Explorer

__all__ = ["Board", "Explorer"]
