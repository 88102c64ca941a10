"""The built-in layouts of Aqua Romana on which puzzles are made."""

OF_TWO = ("romana2-5x4", "romana2-7x6", "romana2")
LAYOUTS = (*OF_TWO, "romana3", "romana4")
SMALL = 5
"""The columns of the smallest board."""
