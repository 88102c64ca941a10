"""A game of a few lines, to see what the kit needs of a game: two squares with pebbles, and who empties one scores.

In a turn one takes one or two pebbles from a square. Whoever takes a square's last pebble has a point.
"""

from toy.layout import Layout
from toy.notation import Action, Turn
from toy.position import Position

__all__ = ["Action", "Layout", "Position", "Turn"]
