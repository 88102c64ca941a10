"""Planners of Aquädukt: they ask OR-Tools for the best layouts and prove them."""
