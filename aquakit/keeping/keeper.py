"""Keeper: writes the game on a board to the shelf whenever it has changed, and finds the one to go on with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Literal

from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.core.record.writing import OPEN
from aquakit.errors import AquakitError
from aquakit.keeping.cells import find_place
from aquakit.keeping.shelf import GameShelf, InvalidGames, KeptGame, write_layout

EARLIER = 20
"""So many earlier games of a board are known again when they are brought back."""
Alike = Literal["start", "layout", "any"]
"""What a game that goes on has in common with the one that its board would begin."""
_by_hand: ContextVar[bool] = ContextVar("by_hand", default=False)


@contextmanager
def by_hand() -> Iterator[None]:
    """Frames what people do on a page, and what bots do; all else that changes a game is code in a cell."""
    before = _by_hand.set(True)
    try:
        yield
    finally:
        _by_hand.reset(before)


class Keeper:
    """Keeps the games of one board, one after the other; the board holds its lock meanwhile.

    A game of which nothing was played is not kept. When the shelf cannot be used, that is told once.
    """

    def __init__(self, kind: str, name: str | None, players: Mapping[int, Any]) -> None:
        """Serves a board that is made now."""
        self._place, self._is_new = find_place(name)
        self._form = KeptGame(kind=kind, name=name or "", place=self._place)
        self.seat(players)
        self._shelf: GameShelf | None = None
        self._earlier: list[KeptGame] = []
        self._left = False
        self.is_on = True
        """Whether games are kept: not once the shelf could not be used."""

    game: KeptGame
    """The game on the board as it was kept last, or as it began."""

    def seat(self, players: Mapping[int, Any]) -> None:
        """Hears which bots play the games that begin from now on."""
        bots = {seat: str(getattr(bot, "name", "")) for seat, bot in players.items()}
        self._form = replace(self._form, players=json.dumps(bots))

    def begin(self, record: Record, moment: AnyPosition) -> None:
        """Begins with the game that the board shows first."""
        self._record, self.game = record, self._describe(record, moment)

    def find(self, alike: Alike = "start") -> KeptGame | None:
        """Finds the game to go on with: the last one of this cell or name, if it is the first time in this process.

        It has to be alike: to have the same start, or at least layout, or to be any; and not to be over. Code that
        played along will play again, so it begins anew.
        """
        if not self._place or not self._is_new:
            return None
        found = next(iter(self._opened().games(1, place=self._place)), None)
        mark = {"start": "origin", "layout": "layout", "any": "place"}[alike]
        same = found and getattr(found, mark) == getattr(self.game, mark)
        fits = found and same and found.result == OPEN and not found.coded
        return found if fits else None

    def go_on(self, game: KeptGame, record: Record) -> None:
        """Goes on with a kept game, which the board now shows."""
        self._record, self.game = record, replace(game, kind=self._form.kind, players=self._form.players)

    def leave(self) -> None:
        """Hears that another game is about to take the place of this one."""
        self._left = True

    def note(self, record: Record, node: Node, moment: AnyPosition) -> AquakitError | None:
        """Keeps the game as it stands, if that is new; gets what went wrong, the first time."""
        if not self.is_on:
            return None
        text = str(record)
        if record is not self._record:
            self._turn_to(record, text, moment)
        self._left = False
        played = str(moment.played) if moment.played else ""
        game = self.game
        stands = replace(game, record=text, at=".".join(map(str, node.path)), moment=played)
        if stands == game or (not game.number and text == game.record):
            return None
        stands = replace(
            stands, turns=len(record.root.main()) - 1, result=record.result, coded=game.coded or not _by_hand.get()
        )
        try:
            self.game = self._opened().put(stands)
        except InvalidGames as problem:
            if problem.is_passing:  # it is tried again with the next change
                return None
            self.is_on = False
            return problem
        return None

    def _turn_to(self, record: Record, text: str, moment: AnyPosition) -> None:
        """Turns to another record: a new game, or one that was here before and is brought back."""
        before = [game for game in self._earlier if game.record == text]
        if self._left or before:
            self._earlier = [*self._earlier, self.game][-EARLIER:]
            self.game = before[-1] if before and not self._left else self._describe(record, moment)
        # Otherwise it is this game as it was before something was deleted.
        self._record = record

    def _describe(self, record: Record, moment: AnyPosition) -> KeptGame:
        """Describes a game that begins."""
        text, layout = str(record), record.start.layout
        own = write_layout(layout)
        origin = hashlib.sha256("\n".join([text, str(moment), own]).encode()).hexdigest()
        played = str(moment.played) if moment.played else ""
        return replace(self._form, origin=origin, layout=layout.name, own=own, record=text, moment=played)

    def _opened(self) -> GameShelf:
        if self._shelf is None:
            self._shelf = GameShelf.own()
        return self._shelf
