"""What puzzles teach: the themes of all games, and how they are found in an answer.

A theme comes from the position, the proved line and the accepted answers, never from a title. Nothing is drawn and
nothing is timed, so that the same answer has the same themes everywhere.
"""

from __future__ import annotations

from aquakit.core.plugins import game_names
from aquakit.puzzle.model import Proof, Puzzle
from aquakit.puzzle.protocol import Theme, find_part, part_of


def all_themes() -> dict[str, Theme]:
    """Gets all themes with what is said about them, the more telling ones of each game first.

    >>> all_themes()["fountain"].about
    'The extra tile behind a fountain matters.'
    """
    return {name: theme for game in game_names() for name, theme in find_part(game).themes.items()}


def tell_theme(name: str) -> str:
    """Gets the line about a theme; nothing if no game knows it."""
    theme = all_themes().get(name)
    return theme.about if theme else ""


def find_themes(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a puzzle in its proof's line and answers."""
    return part_of(puzzle.start).find_themes(puzzle, proof)


def in_order(themes: frozenset[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Puts themes in order, the more telling ones first."""
    return tuple(name for name in all_themes() if name in themes)
