"""Which kinds of puzzles there are: those of every game, and those that the games add."""

from __future__ import annotations

from aquakit.core.plugins import find_optional, game_names

EVERY_GAME = {"duel": 40, "endgame": 50}
"""The kinds of every game, modules of `kinds`, with their places in lists."""


def kind_places() -> dict[str, tuple[int, str]]:
    """Gets the place in lists of each kind, and the game that adds it; of those of every game, none."""
    found = {name: (place, "") for name, place in EVERY_GAME.items()}
    for game in game_names():
        room = find_optional(game, "puzzles")
        found |= {name: (place, game) for name, place in getattr(room, "KINDS", {}).items()}
    return found


def kind_names() -> tuple[str, ...]:
    """Lists all kinds, in the order in which lists show them.

    >>> kind_names()
    ('plan', 'timing', 'longest', 'duel', 'endgame', 'canals', 'house')
    """
    places = kind_places()
    return tuple(sorted(places, key=lambda name: places[name][0]))
