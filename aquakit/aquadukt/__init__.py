"""Aquädukt: everything that knows its rules."""

from aquakit.aquadukt.layout import Layout
from aquakit.aquadukt.notation import Action, Turn
from aquakit.aquadukt.position import Arm, Position

__all__ = ["Action", "Arm", "Layout", "Position", "Turn"]
