"""The shelf: the file in which the games played on boards are kept, each as the text of its record."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, ClassVar

from aquakit.core.games import Game, game_of
from aquakit.core.layouts import BaseLayout
from aquakit.core.plugins import game_names
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.errors import AquakitError, InvalidPosition, InvalidRecord, shorten
from aquakit.keeping.sqlite_file import SqliteFile, find_code, find_home, writing

FILE = "games.sqlite"
"""The name of the file in the data folder."""
MOST = 200
"""So many games are kept; those not touched for longest go."""
TEXTS = ("name", "place", "origin", "kind", "layout", "own", "record", "at", "moment", "players", "result")
"""The columns that hold texts."""


class InvalidGames(AquakitError):
    """The file of kept games is damaged, is none at all or cannot be used; `where` is its path. It stays as it was."""

    @property
    def is_passing(self) -> bool:
        """Whether others only write at the moment."""
        return find_code(self.__cause__) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@dataclass(frozen=True)
class KeptGame:
    """A game as it is kept: who plays where, the record, and where the board stands in it.

    `aquakit.resume` opens it again.

    >>> import aquakit
    >>> aquakit.Board("romana2-5x4", name="a quiet hour").play("b3=+@E4")
    >>> game = aquakit.games()[0]
    >>> game.name, game.layout, game.turns, game.result
    ('a quiet hour', 'romana2-5x4', 1, '*')
    >>> record, node, moment = game.read()
    >>> node, moment.player, game.when.tzinfo is not None
    (<Node: 1. b3=+@E4 x->, 2, True)
    """

    number: int = 0
    """By which the shelf knows it; 0 while it is not there."""
    name: str = ""
    """What it was called when it began."""
    place: str = ""
    """The cell or the name at which it is at home."""
    origin: str = ""
    """What the board showed when the game began, in short."""
    kind: str = "Board"
    """The widget on which it was played."""
    layout: str = ""
    own: str = ""
    """The layout as JSON, where it does not come with the kit."""
    record: str = ""
    at: str = ""
    """The turn on the board: places among siblings, such as 0.0.1."""
    moment: str = ""
    """What has been played of the next turn."""
    players: str = "{}"
    """What bots are called, by their seats, as JSON."""
    turns: int = 0
    result: str = ""
    coded: bool = False
    """Whether code has played along, which will do so again when it is run again."""
    begun: str = ""
    changed: str = ""

    def read(self) -> tuple[Record, Node, AnyPosition]:
        """Reads the record, the turn on the board and the moment after it."""
        try:
            record = Record.parse(self.record, read_layout(self.own))
            node = record.at([int(place) for place in self.at.split(".") if place])
            moment = node.position
            for action in moment.turn_type.parse(self.moment):
                moment = moment.act(action)
        except (AquakitError, ValueError, TypeError, KeyError) as problem:
            raise InvalidRecord(f"kept game {self.number}", shorten(str(problem), 200), "a sound game") from None
        return record, node, moment

    def seats(self) -> dict[int, str]:
        """Gets what the bots are called, by their seats.

        >>> KeptGame(players='{"2": "greedy"}').seats()
        {2: 'greedy'}
        """
        try:
            return {int(seat): str(bot) for seat, bot in json.loads(self.players).items()}
        except (AttributeError, ValueError) as problem:
            raise InvalidRecord(f"kept game {self.number}", f"players: {problem}", "bots by their seats") from None

    @property
    def when(self) -> datetime:
        """When it was changed last, in the computer's own time."""
        return datetime.fromisoformat(self.changed).astimezone()


COLUMNS = tuple(field.name for field in fields(KeptGame) if field.name != "number")


class GameShelf(SqliteFile):
    """The kept games of a computer's user."""

    noun, error, mark = "file of kept games", InvalidGames, int.from_bytes(b"aqgm")
    patience = 2.0  # people wait for their click meanwhile
    steps: ClassVar = (
        (
            f"""
            CREATE TABLE game (
              number INTEGER PRIMARY KEY AUTOINCREMENT,
              {", ".join(f"{name} TEXT NOT NULL" for name in TEXTS)},
              turns INTEGER NOT NULL,
              coded INTEGER NOT NULL CHECK (coded IN (0, 1)),
              begun TEXT NOT NULL,
              changed TEXT NOT NULL
            )
            """,
            "CREATE INDEX game_of_place ON game (place, changed)",
            "CREATE INDEX game_changed ON game (changed)",
        ),
    )

    @classmethod
    def own(cls) -> GameShelf:
        """Opens the user's own."""
        return cls(find_home() / FILE)

    def put(self, game: KeptGame) -> KeptGame:
        """Keeps a game as it is now; one that somebody else has changed meanwhile stays, and this is kept beside it."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        fresh = replace(game, changed=now, begun=game.begun or now)
        values = {name: value for name, value in asdict(fresh).items() if name != "number"}
        with self.connected() as connection, writing(connection):
            changes = ", ".join(f"{name} = :{name}" for name in COLUMNS)
            known = {**values, "number": game.number, "known": game.changed}
            query = f"UPDATE game SET {changes} WHERE number = :number AND changed = :known"
            if connection.execute(query, known).rowcount:
                return fresh
            places = ", ".join(f":{name}" for name in COLUMNS)
            made = connection.execute(f"INSERT INTO game ({', '.join(COLUMNS)}) VALUES ({places})", values).lastrowid
            kept = "SELECT number FROM game ORDER BY changed DESC LIMIT ?"
            connection.execute(f"DELETE FROM game WHERE number NOT IN ({kept})", (MOST,))
        return replace(fresh, number=made or 0)

    def games(self, most: int = MOST, **wanted: Any) -> list[KeptGame]:
        """Lists the games with these values, the last changed one first."""
        where = " AND ".join(f"{name} = :{name}" for name in wanted) or "1"
        columns = ", ".join(("number", *COLUMNS))
        query = f"SELECT {columns} FROM game WHERE {where} ORDER BY changed DESC, number DESC LIMIT :most"
        with self.connected() as connection:
            rows = connection.execute(query, {**wanted, "most": most}).fetchall()
        return [replace(game := KeptGame(*row), coded=bool(game.coded)) for row in rows]


def write_layout(layout: BaseLayout) -> str:
    """Writes down a layout that does not come with the kit."""
    if layout.is_builtin:
        return ""
    return json.dumps({"game": game_of(layout).name, "text": layout.text, "ref": layout.ref})


def read_layout(text: str) -> BaseLayout | None:
    """Reads what `write_layout` wrote; nothing is a layout that comes with the kit."""
    if not text:
        return None
    data = json.loads(text)
    if data["game"] not in game_names():
        raise InvalidPosition("game", shorten(repr(data["game"])), f"one of {', '.join(game_names())}")
    return Game.load(data["game"]).layout(data["text"], data["ref"])
