"""What puzzles and exercises ask, tell and teach in Aqua Romana."""

KINDS = {"plan": 10, "timing": 20, "longest": 30}
"""The kinds that the game adds, modules of this room, with their places in lists."""
