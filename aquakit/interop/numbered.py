"""Plays a game whose actions are numbers that mean the same all game long, as other people's software wants them.

A moment is a pair of records of the compiled kernel. The actions that a layout has names for are numbered, and the
kernel's own codes are translated by way of these names. Outcomes of the die are numbered apart. A game's `openspiel`
module lists the names.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import bind
from aquakit.core.games import Game
from aquakit.core.layouts import BaseLayout
from aquakit.core.plugins import find_room
from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn, InvalidLayout, InvalidPosition
from aquakit.interop import steps

NOW, TURN_START = 0, 1
OWN = "toml:"
"""Stands before the text of a layout's file in a parameter."""


class Moment:
    """Two records of the kernel's state: now, and the start of the turn."""

    __slots__ = ("records",)

    def __init__(self, records: Any) -> None:
        self.records = records

    def copy(self) -> Moment:
        """Creates an independent moment; NumPy would copy the records field by field, which takes ten times as long."""
        return Moment(np.frombuffer(bytearray(self.records.tobytes()), self.records.dtype))

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self.copy()


class Rules:
    """What all states of a game share: the kernel with the layout's tables, and the numbers of the actions."""

    def __init__(self, name: str, options: dict[str, Any], start: AnyPosition) -> None:
        """Prepares the compiled steps for a layout, and compiles them if that was not done before."""
        self._origin = name, options
        self._world = world = find_room(name, "openspiel")
        self.kernel, self.layout, self.make = start.kernel, start.layout, type(start)
        self.players = self.layout.tables.players
        self.actions, self.outcomes = (list(names(self.layout)) for names in (world.list_actions, world.list_outcomes))
        self.number = {action: n for names in (self.actions, self.outcomes) for n, action in enumerate(names)}
        self._steps = bind(steps, self.kernel, fast=True)
        self._tables = self.kernel.Tables.records(self.layout.capacity, 1)
        self.layout.tables.store(self._tables)
        self._numbers = np.zeros(1, np.int32)
        self._own = threading.local()
        with compiling(f"the steps of {self.kernel.__name__}"):
            self.start, self.player, _ = self.enter(start)
            self.list_numbers(self.start)
            self._steps.step(self._tables, self.start.records, self._works, self._numbers, -1)
            self.returns(self.start)

    def __deepcopy__(self, memo: dict[int, Any]) -> Rules:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return find_rules, self._origin

    # Positions and names

    def enter(self, position: AnyPosition) -> tuple[Moment, int, tuple[int, ...]]:
        """Gets what players see of a position as a moment, with who decides and the actions of the turn so far."""
        if getattr(position, "is_solo", False):
            raise InvalidPosition("player", "a study position has no end to play to [S1]", "a game of all players")
        records = self.kernel.State.records(self.layout.capacity, 2)
        position = position if position.is_over else position.view()
        position.state.store(records, NOW)
        position.rewind().state.store(records, TURN_START)
        played = tuple(self.number[action] for action in position.played)
        moment = Moment(records)
        player = int(self._steps.decide(self._tables, records))
        return moment, self._end(moment) if player == steps.OVER else player, played

    def position(self, moment: Moment, played: tuple[int, ...]) -> AnyPosition:
        """Gets a moment as a position."""
        state = self.kernel.State.new(self.layout.sizes)
        state.load(moment.records, TURN_START)
        position = self.make(self.layout, state)
        for number in played:
            position = position.act(self.action(number, chance=position.is_chance))
        return position

    def action(self, number: int, *, chance: bool = False) -> Any:
        """Gets the action, or the outcome of chance, that has a number."""
        return (self.outcomes if chance else self.actions)[number]

    # Steps

    @property
    def _works(self) -> Any:
        """The thread's own workspace."""
        try:
            return self._own.works
        except AttributeError:
            self._own.works = self.kernel.Work.records(self.layout.capacity, 1)
            return self._own.works

    def list_numbers(self, moment: Moment) -> list[int]:
        """Lists the numbers of the legal actions, in ascending order."""
        works = self._works
        n = self._steps.list_numbers(self._tables, moment.records, works, self._numbers)
        if n == steps.UNKNOWN:
            self._learn(works)
            return self.list_numbers(moment)
        if n == 0:
            return [number for number, _ in self._list_hidden(moment)]
        numbers: list[int] = works["actions"][0][:n].tolist()
        return numbers

    def list_chances(self, moment: Moment) -> list[tuple[int, float]]:
        """Lists the numbers of chance's outcomes, in ascending order, each with how likely it is."""
        if self._is_over(moment):
            return self._list_hidden(moment)
        numbers = self.list_numbers(moment)
        return [(number, 1 / len(numbers)) for number in numbers]

    def step(self, moment: Moment, number: int) -> tuple[int, bool]:
        """Carries out an action; gets who decides next and whether a turn begins there."""
        works = self._works
        player, begins = self._steps.step(self._tables, moment.records, works, self._numbers, number)
        if player == steps.UNKNOWN:
            self._learn(works)
            return self.step(moment, number)
        if player == steps.ILLEGAL:
            if not self._is_over(moment) or number not in dict(self._list_hidden(moment)):
                raise IllegalTurn(f"action {number}", "is not legal here")
            for record in moment.records:
                self._world.turn_up(record, self.outcomes[number])
            player, begins = steps.OVER, True
        return self._end(moment) if player == steps.OVER else player, begins

    def _is_over(self, moment: Moment) -> bool:
        return bool(self._steps.decide(self._tables, moment.records) == steps.OVER)

    def _list_hidden(self, moment: Moment) -> list[tuple[int, float]]:
        """Lists what may turn up next after the end of play, if anything was hidden, with how likely it is."""
        hidden = self._world.list_hidden(self.layout, moment.records[NOW])
        return sorted((self.number[outcome], chance) for outcome, chance in hidden.items())

    def _end(self, moment: Moment) -> int:
        """Gets who decides when play is over: chance while anything is hidden, then nobody."""
        return steps.CHANCE if self._list_hidden(moment) else steps.OVER

    def _learn(self, works: Any) -> None:
        """Gives the codes just listed their numbers, by way of the actions' names."""
        for code in works["actions"][0][: int(works["count"][0])].tolist():
            if code >= len(self._numbers):
                # Zeros take up memory only where they are overwritten, so that most of a long table is free.
                longer = np.zeros(1 << code.bit_length(), np.int32)
                longer[: len(self._numbers)] = self._numbers
                self._numbers = longer
            self._numbers[code] = self.number[self.make.notation.decode(self.layout, code)] + 1

    def observe(self, moment: Moment, player: int) -> Iterator[tuple[str, Any]]:
        """Names what everybody sees of a moment in which a player decides, as arrays with entries from 0 to 1.

        What is one of so many has as many entries, or planes of a board, of which one is 1.
        """
        for name, values, choices in self._world.observe(self.layout, moment.records[NOW], player):
            yield name, np.equal.outer(np.arange(choices), values) if choices else np.asarray(values)

    def returns(self, moment: Moment) -> list[float]:
        """Gets what a finished game is worth to each player."""
        works = self._works
        self._steps.count(self._tables, moment.records, works)
        ranks = list(zip(*(works[field][0][: self.players].tolist() for field in ("total", "tie")), strict=True))
        share = self.players / ranks.count(max(ranks))
        return [((share if rank == max(ranks) else 0) - 1) / (self.players - 1) for rank in ranks]


def write_layout(layout: str | Path | BaseLayout) -> str:
    """Writes a layout as a parameter, which is all that OpenSpiel stores: a name, a path, or the text of its file."""
    if not isinstance(layout, BaseLayout):
        return str(layout)
    return layout.ref if layout.is_builtin else f"{OWN}{quote(layout.text)}"


@lru_cache(maxsize=64)
def _make_rules(name: str, options: tuple[tuple[str, Any], ...], start: AnyPosition) -> Rules:
    return Rules(name, dict(options), start)


def find_rules(name: str, options: dict[str, Any]) -> Rules:
    """Gets the rules of a game with OpenSpiel's parameters, made once as long as its layout stays the same."""
    options = {**find_room(name, "openspiel").PARAMETERS, **options}
    game, layout = Game.load(name), str(options["layout"])
    board = game.layout(unquote(layout.removeprefix(OWN))) if layout.startswith(OWN) else layout
    start = game.start(**{**options, "layout": board})
    if start.layout.tables.players < 2:
        raise InvalidLayout("layout", f"{start.layout.name} has one player", "a layout for two to four")
    return _make_rules(name, tuple(options.items()), start)
