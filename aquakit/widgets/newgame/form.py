"""The form for a new game, as a panel: what it offers, whether it is shown, and what is begun with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from aquakit.core.games import all_games, layout_names
from aquakit.core.options import read_flag, show
from aquakit.core.record import Record
from aquakit.engine.bots import name_bot
from aquakit.errors import InvalidOption
from aquakit.widgets.board import Board
from aquakit.widgets.messages import Message, read_text
from aquakit.widgets.newgame.offers import NewGame, list_games, list_strengths, name_seats, set_up
from aquakit.widgets.panel import Panel

NAME = 40
"""The most letters of a player's name."""
SEATS = 12
"""More players than any board has."""


def read_players(field: str, value: Any) -> list[tuple[str, str]]:
    """Reads who plays, seat by seat: a bot, or nothing for a person, and the name.

    >>> read_players("begin, players", [{"bot": "", "name": "Ada"}, {"bot": "greedy", "name": ""}])
    [('', 'Ada'), ('greedy', '')]
    """
    if not isinstance(value, list) or len(value) > SEATS:
        raise InvalidOption(field, show(value), "the players in a list")
    for player in value:
        if not isinstance(player, Mapping) or player.keys() != {"bot", "name"}:
            raise InvalidOption(field, show(player), "a bot and a name")
    return [(read_text(field, player["bot"]), read_text(field, player["name"], NAME)) for player in value]


def read_wishes(field: str, value: Any) -> dict[str, bool]:
    """Reads what is wished for, by name.

    >>> read_wishes("begin, wishes", {"setup": True})
    {'setup': True}
    """
    if not isinstance(value, Mapping):
        raise InvalidOption(field, show(value), "wishes by their names")
    return {read_text(field, name): read_flag(field, wish) for name, wish in value.items()}


class NewGamePanel(Panel):
    """The form, and who plays the game that it began."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        # What can be chosen; it comes when it is asked for first, and never changes.
        "form": traitlets.Dict(read_only=True).tag(sync=True),
        # Whether the form is shown in place of the board, and whether there is a game to go back to.
        "asking": traitlets.Enum(("", "first", "again"), "", read_only=True).tag(sync=True),
        # Which board it is, and who plays.
        "table": traitlets.Dict(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board, asking: str = "") -> None:
        """Shows the form at first, or only if it is asked for."""
        super().__init__(board)
        self._asking = asking
        self._form: dict[str, Any] = {}

    def ask(self) -> None:
        """Shows the form; the game waits."""
        with self.board.changing(wake=False):
            self._asking = self._asking or "again"

    def leave(self) -> None:
        """Goes back to the game."""
        if self._asking == "first":
            raise InvalidOption("new game", "there is none to go back to", "a game that begins")
        with self.board.changing(wake=False):
            self._asking = ""

    def begin(self, game: NewGame) -> None:
        """Begins a game on the board."""
        self._asking = ""
        self.board.begin(game.record.start, game.record, game.bots)

    def _begin(self, layout: str, players: list[tuple[str, str]], wishes: dict[str, bool]) -> None:
        """Begins what the form says. It may name what is offered, and nothing else."""
        if layout not in layout_names():
            raise InvalidOption("layout", show(layout), f"one of {', '.join(layout_names())}")
        known = next(game.position.wishes for game in all_games() if layout in game.layout.names())
        bots = [strength.bot for strength in list_strengths()]
        for bot, _ in players:
            if bot and bot not in bots:
                raise InvalidOption("players", show(bot), f"one of {', '.join(bots)}, or nothing for a person")
        for wish in wishes:
            if wish not in known:
                raise InvalidOption("wishes", show(wish), f"one of {', '.join(known)}" if known else "none")
        seated = dict(enumerate(players, start=1))
        chosen = {seat: bot for seat, (bot, _) in seated.items() if bot}
        names = {seat: name for seat, (bot, name) in seated.items() if not bot}
        self.begin(set_up(layout, chosen, names, **wishes))

    # What the board asks of it

    def shown(self) -> Mapping[str, Any]:
        """Gathers what the form offers and who plays."""
        if self._asking == "first" and (self.board.record.root.children or self.board.moment.played):
            self._asking = ""  # an earlier game goes on
        if self._asking and not self._form:
            self._form = {"games": list_games(), "strengths": [strength._asdict() for strength in list_strengths()]}
        position, headers, bots = self.board.moment, self.board.record.headers, self.board.players
        seats = [
            {
                **seat,
                "who": headers.get(f"player {number}", ""),
                "bot": name_bot(bots[number]) if number in bots else "",
            }
            for number, seat in enumerate(name_seats(position), start=1)
        ]
        return {"form": self._form, "asking": self._asking, "table": {"layout": position.layout.name, "seats": seats}}

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "ask": Message(self.ask),
            "leave": Message(self.leave),
            "begin": Message(self._begin, layout=read_text, players=read_players, wishes=read_wishes),
        }


class StudyFormPanel(NewGamePanel):
    """The form where other games are looked at too: its bots play the game that it began, and no other."""

    def __init__(self, board: Board) -> None:
        """Shows the form if it is asked for."""
        super().__init__(board)
        self._begun: Record | None = None

    def begin(self, game: NewGame) -> None:
        """Begins a game on the board."""
        self._begun = game.record
        super().begin(game)

    def settle(self) -> None:
        """Lets the bots go when another game has taken the place of theirs."""
        if self._begun is not None and self.board.record is not self._begun:
            self._begun = None
            self.board.seat({})
