"""Texts: a turn is `b1-2`, two pebbles from b1; a position is `toy 3.2 0.0 1`, pebbles, points and who is to move."""

from __future__ import annotations

import re
from typing import NamedTuple

from aquakit.core.notation import load_layout, read_number, split_fields, split_list
from aquakit.core.position import BaseTurn
from aquakit.errors import InvalidTurn
from toy.kernel import MOST, State
from toy.layout import Layout


class Action(NamedTuple):
    """Some pebbles are taken from a square."""

    square: str
    pebbles: int

    def __str__(self) -> str:
        return f"{self.square}-{self.pebbles}"


class Turn(BaseTurn[Action]):
    """A turn is one action."""

    __slots__ = ()

    @classmethod
    def read_action(cls, token: str) -> Action:
        """Reads a token."""
        found = re.fullmatch(r"([ab]1)-([12])", token)
        if found is None:
            raise InvalidTurn(token, "cannot be read", "pebbles like b1-2")
        return Action(found[1], int(found[2]))


def encode(layout: Layout, action: Action) -> int:
    """Gets the kernel's action."""
    return MOST * layout.square_index[action.square] + action.pebbles - 1


def decode(layout: Layout, code: int) -> Action:
    """Names the kernel's action."""
    return Action(layout.square_names[code // MOST], code % MOST + 1)


def write_state(layout: Layout, s: State) -> str:
    """Writes a position."""
    pebbles, points = (".".join(map(str, numbers)) for numbers in (s.pebbles, s.points))
    return f"{layout.ref or layout.name} {pebbles} {points} {s.player + 1}"


def read_state(text: str, layout: Layout | None) -> tuple[Layout, State]:
    """Reads a position."""
    fields = split_fields(text, ("layout", "pebbles", "points", "player"))
    board, s = load_layout(fields["layout"], layout, Layout), State.new({})
    s.pebbles = [read_number(n, "pebbles", most=9) for n in split_list(fields["pebbles"], ".", "pebbles", 2, "squares")]
    s.points = [read_number(n, "points", most=2) for n in split_list(fields["points"], ".", "points", 2, "players")]
    s.player = read_number(fields["player"], "player", least=1, most=2) - 1
    return board, s
