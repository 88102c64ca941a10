"""What puzzles and exercises ask, tell and teach in Aqua Romana."""
