"""A click on a square takes a pebble; a button takes two."""

from __future__ import annotations

from aquakit.board.clicks import Choice, Offer
from toy.notation import Action
from toy.position import Position


def offer(position: Position, picked: tuple[str, ...] = ()) -> Offer:
    """Gets what can be chosen."""
    if position.is_over:
        return Offer("The game is over")
    return Offer(f"Player {position.player}: take pebbles", tuple(map(_choose, position.actions())))


def _choose(action: Action) -> Choice:
    token = str(action)
    if action.pebbles == 1:
        return Choice(token, f"a pebble of {action.square}", "square", (action.square,), token)
    return Choice(token, f"two pebbles of {action.square}", "button", act=token)
