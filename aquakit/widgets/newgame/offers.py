"""What people can choose for a new game, as data: games, boards, wishes and players, from what the games declare."""

from __future__ import annotations

import random
from collections.abc import Mapping
from inspect import signature
from typing import Any, NamedTuple

from aquakit.board.clicks import plain
from aquakit.compiled.jit import have_numba
from aquakit.core.games import Game, all_games, game_of, start
from aquakit.core.options import read_whole, show
from aquakit.core.position import AnyPosition
from aquakit.core.record import Record
from aquakit.engine.bots import name_bot
from aquakit.errors import InvalidOption
from aquakit.widgets.seats import Bot, read_seats

PICTURE = 240
"""How wide the small picture of a board is, in px."""


class Strength(NamedTuple):
    """A bot as people choose it: by how strong it is."""

    bot: str
    """As `aquakit.bot` knows it."""
    name: str
    words: str


STRENGTHS = (
    Strength("random", "beginner", "plays anything that is allowed"),
    Strength("greedy", "easy", "takes what counts at once"),
    Strength("mcts:2000", "medium", "looks ahead a little"),
    Strength("mcts:2s", "strong", "thinks for two seconds"),
)
"""From weak to strong, in every game: docs/engine.md has the matches."""


def list_strengths() -> list[Strength]:
    """Lists the bots that can play here: searching needs the compiled rules.

    >>> [strength.name for strength in list_strengths()][:2]
    ['beginner', 'easy']
    """
    return [strength for strength in STRENGTHS if have_numba() or not strength.bot.startswith("mcts")]


def list_games() -> list[dict[str, Any]]:
    """Lists the games with their boards, each with a small picture, and what may be wished for.

    >>> [(game["title"], game["layouts"][0]["title"]) for game in list_games()][0]
    ('Aqua Romana', 'Teaching board, 5 by 4, two players')
    """
    return [
        {
            "name": game.name,
            "title": game.position.title or game.name.capitalize(),
            "layouts": sorted(
                (_tell_layout(game, name) for name in game.layout.names()), key=lambda each: each["size"]
            ),
            "wishes": dict(game.position.wishes),
        }
        for game in all_games()
    ]


def _tell_layout(game: Game, name: str) -> dict[str, Any]:
    first = game.start(name)
    layout = first.layout
    return {
        "name": name,
        "title": layout.title,
        "summary": layout.summary,
        "size": (layout.tables.players, layout.columns * layout.rows),
        "seats": name_seats(first),
        "picture": first.svg(panel=False, coordinates=False, theme="auto", size=PICTURE),
    }


def name_seats(position: AnyPosition) -> list[dict[str, Any]]:
    """Names the players as their game does, with their signs.

    >>> name_seats(start("romana2-5x4"))[1]
    {'name': 'Green', 'chips': [{'text': 'G', 'colour': 'G', 'sure': True}]}
    """
    name, chips, layout = position.room("board.why").name, position.room("board.facts").chips, position.layout
    seats = range(1, layout.tables.players + 1)
    return [{"name": name(layout, seat), "chips": plain(chips(layout, seat))} for seat in seats]


class NewGame(NamedTuple):
    """A game that can begin."""

    record: Record
    bots: dict[int, Bot]


def set_up(
    layout: Any,
    players: Mapping[int, Bot | str] | None = None,
    names: Mapping[int, str] | None = None,
    seed: int | None = None,
    **options: Any,
) -> NewGame:
    """Sets up a game: the start, with what it draws drawn anew unless there is a seed, and who plays.

    >>> game = set_up("romana2-5x4", players={2: "greedy"}, names={1: "Ada"})
    >>> dict(game.record.headers), game.bots
    ({'player 1': 'Ada', 'player 2': 'bot, easy'}, {2: <Bot: greedy>})
    """
    if seed is not None:
        read_whole("seed", seed, most=2**64)
    if "seed" in signature(game_of(layout).start).parameters:
        options["seed"] = random.SystemRandom().getrandbits(32) if seed is None else seed
    first = start(layout, **options)
    seats = first.layout.tables.players
    bots = read_seats(players, seats, seed)
    called = {seat: _tell_bot(bot) for seat, bot in bots.items()} | _read_names(names, seats)
    return NewGame(Record(first, {f"player {seat}": called[seat] for seat in sorted(called)}), bots)


def _tell_bot(bot: Any) -> str:
    """Says how strong a bot is, or else which it is."""
    name = name_bot(bot)
    return f"bot, {next((strength.name for strength in STRENGTHS if strength.bot == name), name)}"


def _read_names(names: Mapping[int, str] | None, seats: int) -> dict[int, str]:
    """Checks what players are called; who has no name is left out."""
    if names is None:
        return {}
    if not isinstance(names, Mapping):
        raise InvalidOption("names", show(names), 'a mapping of seats to names, like {1: "Ada"}')
    for seat, name in names.items():
        if type(seat) is not int or not 1 <= seat <= seats:
            raise InvalidOption("names", f"there is no seat {show(seat)}", f"a whole number from 1 to {seats}")
        if not isinstance(name, str):
            raise InvalidOption("names", f"seat {seat}: {show(name)}", "a text")
    return {seat: name.strip() for seat, name in names.items() if name.strip()}
