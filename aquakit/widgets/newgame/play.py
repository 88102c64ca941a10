"""A game to play at once: `aquakit.play()` asks which, against whom, and shows the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar

from aquakit.core.games import game_of, layout_names
from aquakit.core.layouts import BaseLayout
from aquakit.errors import InvalidOption
from aquakit.keeping.keeper import Alike
from aquakit.widgets.board import Board
from aquakit.widgets.modules import join_modules
from aquakit.widgets.newgame.form import NewGamePanel
from aquakit.widgets.newgame.offers import set_up
from aquakit.widgets.panel import Panel
from aquakit.widgets.seats import Bot
from aquakit.widgets.turns.log import LogPanel


class PlayBoard(Board):
    """A board with a form for a new game; *New game* above the board brings the form back.

    >>> board = play("romana2-5x4", players={2: "greedy"}, names={1: "Ada"})
    >>> board.table["seats"][0]["who"], board.table["seats"][1]["bot"], board.asking
    ('Ada', 'greedy', '')
    """

    _esm: ClassVar[Any] = join_modules("newgame/play.js")

    panel_types = (LogPanel, NewGamePanel)
    # What is drawn at the start of a game is drawn anew each time.
    goes_on_with: ClassVar[Alike] = "layout"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Says in plain text, which is what a notebook shows before it is trusted, how to play."""
        data, metadata = super()._repr_mimebundle_(**options)
        return {
            **data,
            "text/plain": f"To play, run this cell in a notebook: Shift + Enter.\n\n{data['text/plain']}",
        }, metadata


class FormBoard(PlayBoard):
    """A board that begins with the form, unless a game that was begun by it in this cell is not over."""

    goes_on_with = "any"


def play(
    layout: str | Path | BaseLayout | None = None,
    *,
    players: Mapping[int, Bot | str] | None = None,
    names: Mapping[int, str] | None = None,
    seed: int | None = None,
    **options: Any,
) -> PlayBoard:
    """Opens a form in a notebook: game, board, players, bots; *Start* then shows the board.

    With a layout the game begins at once: bots play the seats that `players` gives them, `names` are those of people,
    and options are those of the game's start and of `Board`. What the players do not see is hidden, unless told
    otherwise.

    >>> play().asking                                # the form, as the last line of a cell
    'first'
    >>> board = play("romana4", players={2: "greedy", 3: "greedy", 4: "mcts:0.3"}, setup=True)
    >>> board.position.phase, dict(board.record.headers)["player 4"]
    ('setup', 'bot, mcts:0.3s')
    """
    look: dict[str, Any] = {"hide": True, "seed": seed}
    if layout is None:
        for name, value in (("players", players), ("names", names)):
            if value is not None:
                raise InvalidOption(name, "there is no board yet", f'a layout too, like play("romana4", {name}=…)')
        panels: list[Callable[[Any], Panel]] = [LogPanel, partial(NewGamePanel, asking="first")]
        return FormBoard(set_up(layout_names()[0]).record.start, panels=panels, **look | options)
    known = signature(game_of(layout).start).parameters
    wishes = {name: value for name, value in options.items() if name in known}
    game = set_up(layout, players, names, seed, **wishes)
    look |= {name: value for name, value in options.items() if name not in known}
    return PlayBoard(game.record.start, record=game.record, players=game.bots, **look)
