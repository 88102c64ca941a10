"""What clicks do on a board. The usual mode plays the game by its rules; an editor or a puzzle brings its own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import takewhile
from typing import Any, Literal, Protocol

from aquakit.board import clicks
from aquakit.core.options import read_whole
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Node
from aquakit.errors import InvalidOption, InvalidTurn, shorten
from aquakit.widgets.cursor import Cursor
from aquakit.widgets.seats import BotSeats

Doing = Literal["play", "choose", "enter", "back", "replay"]
"""What people are about to do."""


class ClickedBoard(Protocol):
    """What a mode uses of its board."""

    cursor: Cursor
    picked: Any
    offer: Any
    walked: clicks.Walk | None
    dice: random.Random
    bots: BotSeats

    @property
    def visible(self) -> AnyPosition:
        """What is shown, without what is hidden."""

    def stand_at(self, node: Node, moment: AnyPosition | None = None) -> None:
        """Goes to the start of the turn after a node, or to a moment of it."""


class PlayMode:
    """Plays turn by turn, by the rules.

    A board asks its mode inside `changing`, so a mode simply changes what stands; what it raises undoes the change.
    """

    board: ClickedBoard
    refusal: str = ""
    """Why the game cannot go on now, in a few words."""
    is_aside: bool = False
    """Whether something else is shown for a while: what was said about the position in the game still holds then."""

    def __init__(self, board: ClickedBoard) -> None:
        """Serves a board."""
        self.board = board
        self._asked: tuple[AnyPosition, tuple[str, ...], clicks.Offer] | None = None

    # What can be chosen

    def check(self, doing: Doing = "play") -> None:
        """Raises why that cannot be done now."""

    def check_position(self) -> None:
        """Raises why no other position can be put on the board."""

    def ask(self, position: AnyPosition, picked: Iterable[str]) -> clicks.Offer:
        """Gets what can be chosen; the last answer is kept, for a click asks for it several times."""
        wanted = position, tuple(picked)
        if self._asked is None or self._asked[0] is not position or self._asked[1] != wanted[1]:
            self._asked = (*wanted, clicks.offer(*wanted))
        return self._asked[2]

    def offer(self) -> clicks.Offer:
        """Gets what the board offers now."""
        made = self.ask(self.board.visible, self.board.picked)
        if not self.board.bots.is_thinking:
            return made
        return clicks.Offer(f"{made.prompt.partition(':')[0]}: the bot is thinking")

    def seat(self) -> int | None:
        """Gets the seat that is to decide, if a bot plays it."""
        player = self.board.cursor.moment.player
        return player if player in self.board.bots.seats else None

    @property
    def is_stopped(self) -> bool:
        """Whether a bot that is to decide was told not to; nothing but a turn, or a word to it, wakes it."""
        return self.seat() is not None and not self.board.bots.is_thinking

    # What is done

    def play(self, turn: Any) -> None:
        """Plays a whole turn, or the rest of one."""
        for action in self.board.cursor.moment.carry_out(turn)[0]:
            self.act(action)

    def choose(self, choice: str) -> None:
        """Picks what is offered, or carries it out."""
        made = self.ask(self.board.cursor.moment, self.board.picked)
        chosen = made.find(choice)
        if chosen is None:
            raise InvalidTurn(shorten(str(choice)), "is not offered now", self.board.offer["prompt"])
        if not chosen.act:
            self.pick([*self.board.picked, choice])
        elif chosen.act == clicks.CHANCE:
            self.throw()
        else:
            self.carry_out(chosen.act)

    def enter(self, number: Any) -> None:
        """Carries out what a number means where one is asked for."""
        entry = self.ask(self.board.cursor.moment, self.board.picked).entry
        if entry is None:
            raise InvalidOption("number", "none is asked for now", self.board.offer["prompt"])
        read = read_whole("number", _typed(number), least=entry.least, most=entry.most)
        self.carry_out(entry.act.format(read))

    def pick(self, picked: list[str]) -> None:
        """Takes over what is picked for the next action."""
        self.ask(self.board.cursor.moment, picked)
        self.board.picked = picked

    def carry_out(self, text: str) -> None:
        """Carries out actions, and lets chance decide what they ask it for."""
        for action in self.board.cursor.moment.turn_type.parse(text):
            self.act(action)
        if self.board.cursor.moment.is_chance:
            self.throw()

    def throw(self) -> None:
        """Lets chance decide."""
        self.act(self.board.cursor.throw(self.board.dice))

    def act(self, action: Any) -> None:
        """Carries out an action."""
        before = self.board.cursor.moment
        self.board.cursor.act(action)
        self.board.walked = clicks.walk(before, self.board.cursor.moment) or self.board.walked
        self.board.picked = []

    # Back and forth

    @property
    def deciding(self) -> Any:
        """What is being decided: as soon as it is another, a click that was meant for it comes too late."""
        return self.board.cursor.moment, tuple(self.board.picked)

    @property
    def can_back(self) -> bool:
        """Whether there is a step of the turn to take back; what a bot decided for itself stays."""
        if self.board.picked:
            return True
        before = self.board.cursor.before()
        return before is not None and (
            before.player not in self.board.bots.seats or before.player == self.board.cursor.moment.player
        )

    def back(self) -> None:
        """Goes one step back in the turn: takes back the last pick, or else the last action."""
        if self.board.picked:
            self.pick(self.board.picked[:-1])
        else:
            self.take_back()

    def take_back(self) -> None:
        """Takes back the last action."""
        self.board.cursor.take_back()

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self.board.cursor.node.parent is not None or self.board.cursor.moment.played)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return self.board.cursor.following(self.board.cursor.node) is not None

    def undo(self) -> None:
        """Goes back to the start of the turn, or of the one before; with bots, to where a person decides."""
        bots, cursor = self.board.bots, self.board.cursor
        line = cursor.node.line()
        cursor.remember(line)
        begun = bool(cursor.moment.played or self.board.picked)
        earlier = line if begun else line[:-1] or line
        played_for = begun and self.is_stopped  # a person plays a bot's turn
        theirs = [] if played_for else [node for node in earlier if node.position.player not in bots.seats]
        self.board.stand_at((theirs or earlier)[-1])

    def redo(self) -> None:
        """Goes forward to the next turn that was undone, or is in the record; with bots, to where a person decides."""
        self.later()
        while self.seat() is not None and self.can_redo:
            self.later()

    def earlier(self) -> None:
        """Goes one turn back, whoever played it; from within a turn to its start."""
        cursor = self.board.cursor
        line = cursor.node.line()
        cursor.remember(line)
        begun = bool(cursor.moment.played or self.board.picked)
        self.board.stand_at(line[-1] if begun else line[-2:][0])

    def later(self) -> None:
        """Goes one turn on."""
        following = self.board.cursor.following(self.board.cursor.node)
        if following is not None:
            self.board.stand_at(following)

    def stop(self) -> None:
        """Stops the bot that is thinking."""
        self.board.bots.call_off()

    def last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        """Gets the turn that the picture marks as the last one, and the position before it."""
        return self.board.cursor.last()

    def since(self) -> list[Node]:
        """Lists the turns that bots have played since a person did, until the next one is begun."""
        bots, cursor = self.board.bots.seats, self.board.cursor
        if cursor.moment.played or len(bots) == len(cursor.moment.scores()):
            return []
        theirs = takewhile(lambda node: _mover(node) in bots, reversed(cursor.node.line()))
        return list(theirs)[::-1]


def _mover(node: Node) -> int | None:
    """Gets the player whose turn led to a node; nobody's led to the start."""
    return None if node.parent is None else node.parent.position.player


def _typed(number: Any) -> Any:
    """Gets the number that a text shows; what shows none is left to be refused."""
    if not isinstance(number, str):
        return number
    text = shorten(number.strip())
    return int(text) if text.isdecimal() else text
