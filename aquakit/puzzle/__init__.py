"""Puzzles: proved, graded, and kept in files that a person edits by hand."""
