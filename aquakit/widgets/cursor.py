"""Cursor: where a board stands in its game. It knows records and positions, and nothing of widgets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from aquakit.core import games
from aquakit.core.layouts import BaseLayout
from aquakit.core.options import show
from aquakit.core.position import AnyPosition, BasePosition, BaseTurn
from aquakit.core.record import Node, Record
from aquakit.errors import InvalidPosition


def read_position(value: Any, shown: BaseLayout | None = None) -> AnyPosition:
    """Gets a position given as such, as text, or by the layout to start on.

    A text may be on the layout that is shown, even if that is somebody's own.
    """
    if isinstance(value, BasePosition):
        return value
    if isinstance(value, str):
        if value in games.layout_names():
            return games.start(value)
        return games.parse(value, shown if shown is not None and names_layout(value, shown) else None)
    raise InvalidPosition("position", show(value), "a position, its text, or a layout's name")


def names_layout(text: Any, layout: BaseLayout) -> bool:
    """Tells whether the position in a text, or the start of a record, is on a layout of somebody's own."""
    name = re.escape(layout.ref or layout.name)
    return (
        not layout.is_builtin
        and isinstance(text, str)
        and bool(re.search(rf"^(start:)?\s*{name}\s", text, re.MULTILINE))
    )


class Whereabouts(NamedTuple):
    """What a cursor can be put back to."""

    record: Record
    node: Node
    moment: AnyPosition


class Cursor:
    """A node of a record and a moment of the turn after it; remembers which variation was gone through last.

    >>> from aquakit import start
    >>> cursor = Cursor(Record(start("romana2-5x4")))
    >>> for action in cursor.moment.carry_out("b3=+@E4 x-")[0]:
    ...     cursor.act(action)
    >>> cursor.node, cursor.moment.player
    (<Node: 1. b3=+@E4 x->, 2)
    >>> cursor.go(cursor.record.root)
    >>> cursor.following(cursor.node)
    <Node: 1. b3=+@E4 x->
    """

    node: Node
    """The turn that led to what is shown, or the start."""
    moment: AnyPosition
    """What is shown: the position after that turn, or a moment in the next one."""

    def __init__(self, record: Record, moment: AnyPosition | None = None) -> None:
        """Stands at the start of a record, or at a moment of its first turn."""
        self.take_over(record, record.start if moment is None else moment)

    def take_over(self, record: Record, moment: AnyPosition) -> None:
        """Takes over a record, at its start or at a moment of its first turn."""
        self.record, self.node, self.moment = record, record.root, moment
        self._gone: dict[Node, Node] = {}
        self._thrown: dict[tuple[Node, int], Any] = {}

    @property
    def whereabouts(self) -> Whereabouts:
        """Where it stands now."""
        return Whereabouts(self.record, self.node, self.moment)

    def put_back(self, place: Whereabouts) -> None:
        """Stands where it stood before."""
        self.record, self.node, self.moment = place

    # Turns

    def go(self, node: Node) -> None:
        """Goes to the start of the turn after a node."""
        self.node, self.moment = node, node.position

    def act(self, action: Any) -> None:
        """Carries out an action; a turn that is complete becomes a node of the record."""
        after = self.moment.act(action)
        if after.played:
            self.moment = after
            return
        node = self.node.play(self.moment.turn_type((*self.moment.played, action)))
        self._gone[self.node] = node
        self.go(node)

    def throw(self, dice: random.Random) -> Any:
        """Lets chance choose an action. What a throw of this turn has shown once it shows again, if that can be.

        So nobody gets another die by taking a roll back, nor by building elsewhere before the second one.
        """
        thrown, position = 0, self.moment.rewind()
        for action in self.moment.played:
            thrown += position.is_chance
            position = position.act(action)
        legal = self.moment.actions()
        shown = self._thrown.get((self.node, thrown))
        if shown not in legal:
            shown = self._thrown[self.node, thrown] = dice.choice(legal)
        return shown

    def before(self) -> AnyPosition | None:
        """Gets the moment before the last decision of the turn; with what chance decided goes what asked for it."""
        actions = list(self.moment.played)
        while actions:
            actions.pop()
            moment = self.node.position
            for action in actions:
                moment = moment.act(action)
            if not moment.is_chance:
                return moment
        return None

    def take_back(self) -> None:
        """Takes back the last decision of the turn."""
        self.moment = self.before() or self.moment

    # Lines

    def remember(self, nodes: Iterable[Node]) -> None:
        """Prefers these nodes, each after the one before it, where there are several to go on with."""
        self._gone |= pairwise(nodes)

    def following(self, node: Node) -> Node | None:
        """Gets the turn after a node that was on the board last, or else the main one."""
        following = self._gone.get(node)
        if following is not None and following in node.children:
            return following
        return next(iter(node.children), None)

    def line(self) -> list[Node]:
        """Lists the turns of the line on the board, and those that would follow."""
        nodes = self.node.line()
        while (following := self.following(nodes[-1])) is not None:
            nodes.append(following)
        return nodes

    def last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        """Gets the turn that led to what is shown, or as much of it as has been played, and the position before it."""
        if self.moment.played:
            return self.moment.played, self.node.position
        parent = self.node.parent
        return self.node.turn, None if parent is None else parent.position
