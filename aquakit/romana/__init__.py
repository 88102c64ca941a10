"""Aqua Romana: everything that knows its rules."""

from aquakit.romana.layout import Layout
from aquakit.romana.notation import Action, Turn
from aquakit.romana.position import Aqueduct, Position

__all__ = ["Action", "Aqueduct", "Layout", "Position", "Turn"]
