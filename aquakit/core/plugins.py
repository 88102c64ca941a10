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
_stand_ins: dict[str, str] = {}


class MissingRoom(ModuleNotFoundError):
    """A game has no such room, and nothing stands in for it."""


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


def game_packages() -> tuple[str, ...]:
    """Lists the packages of the games, for a process that is to know the same ones."""
    return tuple(_games.values())


def find_room(game: str, room: str = "") -> ModuleType:
    """Gets a game's package, or a module in it; MissingRoom if the game has none such."""
    return find_in(_games[game], room) if room else import_module(_games[game])


def find_optional(game: str, room: str) -> ModuleType | None:
    """Gets a module of a game, or nothing if the game has none such.

    >>> find_optional("romana", "puzzles").__name__, find_optional("romana", "cellar")
    ('aquakit.romana.puzzles', None)
    """
    try:
        return find_room(game, room)
    except MissingRoom:
        return None


def find_in(package: str, room: str) -> ModuleType:
    """Gets a module of a game's package, or the one that stands in for it where the game has none such."""
    try:
        return import_module(f"{package}.{room}")
    except ModuleNotFoundError as problem:
        if not _lacks(package, room, problem):
            raise
        if room not in _stand_ins:
            raise MissingRoom(f"{package} has no {room}", name=problem.name) from None
        return import_module(_stand_ins[room])


def _lacks(package: str, room: str, problem: ModuleNotFoundError) -> bool:
    """Tells whether a module is not there; otherwise it is, and something that it needs is not."""
    return problem.name is not None and f"{package}.{room}.".startswith(f"{problem.name}.")


def stand_in(room: str, module: str) -> None:
    """Names the module that serves games which have no such room of their own."""
    _stand_ins[room] = module


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
