"""What puzzles and exercises ask, tell and teach in Aquädukt."""

KINDS = {"canals": 60, "house": 70}
"""The kinds that the game adds, modules of this room, with their places in lists."""
