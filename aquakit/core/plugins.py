"""What lower rooms find by name: the games, and what upper rooms lend them.

This is the one place where the kit looks upwards. The outermost room, `aquakit/__init__.py`, says which games there are
and what is lent; whoever asks names the thing, never its module, and it is imported when first asked for.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

_games: dict[str, str] = {}
_lent: dict[str, str] = {}


def add_game(package: str) -> None:
    """Makes a game known: a package with the modules that `docs/architecture.md` lists, named like the game."""
    _games[package.rpartition(".")[2]] = package


def remove_game(name: str) -> None:
    """Makes a game unknown again."""
    del _games[name]


def game_names() -> tuple[str, ...]:
    """Lists the games, the first one first.

    >>> game_names()[:2]
    ('romana', 'aquadukt')
    """
    return tuple(_games)


def find_room(game: str, room: str = "") -> ModuleType:
    """Gets a game's package, or a module in it; ModuleNotFoundError if the game has none such."""
    return import_module(f"{_games[game]}.{room}" if room else _games[game])


def find_optional(game: str, room: str) -> ModuleType | None:
    """Gets a module of a game, or nothing if the game has none such.

    >>> find_optional("romana", "puzzles").__name__, find_optional("romana", "cellar")
    ('aquakit.romana.puzzles', None)
    """
    try:
        return find_room(game, room)
    except ModuleNotFoundError as problem:
        if problem.name is None or not f"{_games[game]}.{room}.".startswith(f"{problem.name}."):
            raise  # the module is there, and something that it needs is not
        return None


def lend(name: str, home: str) -> None:
    """Lends an upper room's class or function, `module:name`, to the rooms below it."""
    _lent[name] = home


def borrow(name: str) -> Any:
    """Gets what an upper room lends.

    >>> borrow("Board").__name__
    'Board'
    """
    module, _, inside = _lent[name].partition(":")
    return getattr(import_module(module), inside)
