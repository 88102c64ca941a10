"""Brings kept games back: a list of them, and the board on which one goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from aquakit.core.options import show
from aquakit.core.plugins import borrow
from aquakit.core.record.writing import OPEN
from aquakit.drawing.tables import write_table
from aquakit.errors import AquakitError, InvalidOption
from aquakit.keeping.shelf import GameShelf, KeptGame

HEADS = ("number", "name", "notebook", "board", "turns", "result", "bots", "changed")


class KeptGames(Sequence[KeptGame]):
    """A list of kept games, the last changed one first; the last line of a cell shows it as a table."""

    def __init__(self, games: Sequence[KeptGame]) -> None:
        self._games = tuple(games)

    @overload
    def __getitem__(self, index: int) -> KeptGame: ...
    @overload
    def __getitem__(self, index: slice) -> KeptGames: ...
    def __getitem__(self, index: int | slice) -> KeptGame | KeptGames:
        return KeptGames(self._games[index]) if isinstance(index, slice) else self._games[index]

    def __len__(self) -> int:
        return len(self._games)

    def _rows(self) -> list[tuple[str, ...]]:
        return [describe_game(game) for game in self._games]

    def __repr__(self) -> str:
        rows = [HEADS, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        return write_table(HEADS, self._rows(), "aquakit.resume(number) opens a game")


def games() -> KeptGames:
    """Lists the games that boards have kept, the last changed one first.

    >>> import aquakit
    >>> board = aquakit.Board("romana2-5x4", name="after supper")
    >>> board.play("b3=+@E4")
    >>> last = aquakit.games()[0]
    >>> last.name, last.layout, last.turns, last.result
    ('after supper', 'romana2-5x4', 1, '*')
    """
    return KeptGames(GameShelf.own().games())


def resume(game: str | int | KeptGame | None = None, **options: Any) -> Any:
    """Opens a kept game where it stood, on a board or an explorer as before: the last one, or by its name or number.

    Bots of the kit sit where they sat, unless `players` are given; the options are those of `Board`.

    >>> import aquakit
    >>> board = aquakit.Board("romana2-5x4", name="club evening", players={2: aquakit.bot("greedy")})
    >>> board.play("b3=+@E4")
    >>> board.wait()
    >>> again = aquakit.resume("club evening")
    >>> again.node.line()[1], again.players
    (<Node: 1. b3=+@E4 x->, {2: <Bot: greedy>})
    """
    kept = game if isinstance(game, KeptGame) else find_game(game)
    record, _, _ = kept.read()
    if "players" not in options:
        options["players"] = seat_bots(kept)
    if kept.kind == "Explorer":
        return borrow("Explorer")(record, kept=kept, **options)
    return borrow("Board")(record.start, kept=kept, **options)


def find_game(game: str | int | None) -> KeptGame:
    """Finds the last game, or the one of a name or number."""
    if game is not None and (not isinstance(game, str | int) or isinstance(game, bool)):
        raise InvalidOption("game", show(game), "the name or the number of a kept game")
    wanted = {} if game is None else {"name" if isinstance(game, str) else "number": game}
    found = GameShelf.own().games(1, **wanted)
    if found:
        return found[0]
    if game is None:
        raise InvalidOption("game", "none is kept yet", "a game that was played on a board")
    raise InvalidOption(
        "game",
        f"there is none with {'name' if isinstance(game, str) else 'number'} {show(game)}",
        "one that aquakit.games() lists",
    )


def seat_bots(game: KeptGame) -> dict[int, Any]:
    """Makes the bots of a game anew; a bot that is not the kit's own leaves its seat to people."""
    made = {}
    for seat, bot in game.seats().items():
        try:
            made[seat] = borrow("bot")(bot)
        except AquakitError:
            continue
    return made


def describe_game(game: KeptGame) -> tuple[str, ...]:
    """Says in a few words each what a list of games tells.

    >>> game = KeptGame(number=3, layout="romana4", turns=7, result="*", changed="2026-05-01T12:00:00+00:00")
    >>> describe_game(game)[3:6]
    ('romana4', '7', 'not over')
    """
    home, _, _ = game.place.removeprefix("cell:").partition("#")
    notebook = home.replace("\\", "/").rpartition("/")[2] if game.place.startswith("cell:") else ""
    bots = ", ".join(f"{seat}: {bot or 'own'}" for seat, bot in game.seats().items())
    result = "not over" if game.result == OPEN else game.result
    when = f"{game.when:%Y-%m-%d %H:%M}"
    return str(game.number), game.name, notebook, game.layout, str(game.turns), result, bots, when
