"""The turns of the game on a board: listed, and shown again."""
