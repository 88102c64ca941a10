"""Closure timing by the engine: games in which everybody plays on by its search, and what they say of closings."""
