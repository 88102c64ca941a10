"""Shows turns step by step: what bots have just played, or a line that is not part of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from aquakit.board import clicks
from aquakit.board.telling import tell_line
from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record import Node
from aquakit.errors import InvalidTurn, shorten
from aquakit.widgets.game import GameWidget
from aquakit.widgets.mode import Doing, PlayMode

GLANCE, STROLL = 800, 1700
"""The milliseconds for which an action is seen, and one in which a piece walks."""


class Frame(NamedTuple):
    """What the board shows after an action."""

    moment: AnyPosition
    number: int = 0
    """The turn that it belongs to, from 1; nothing was played at 0."""
    before: AnyPosition | None = None
    """The start of that turn."""
    turn: BaseTurn[Any] | None = None
    """As much of it as has been played."""
    walk: clicks.Walk | None = None


def play_frames(position: AnyPosition, turns: Iterable[Any]) -> list[Frame]:
    """Gets what a board shows before turns and after each of their actions."""
    frames = [Frame(position)]
    for number, turn in enumerate(turns, start=1):
        begun = frames[-1].moment
        before, done = begun.rewind(), list(begun.played)
        for action in begun.turn_type.read(turn):
            moment = frames[-1].moment
            done.append(action)
            after = moment.act(action)
            frames.append(Frame(after, number, before, begun.turn_type(done), clicks.walk(moment, after)))
    return frames


class ShowMode(PlayMode):
    """Shows turns one after the other; the game stays where it is, and bots leave it alone."""

    board: GameWidget
    refusal = "other turns are shown"
    is_aside = True
    is_stopped = True
    """Who was asked to wait still waits when the board is back in the game."""

    def __init__(
        self, board: GameWidget, title: str, begin: AnyPosition, turns: Iterable[Any], *, nodes: Sequence[Node] = ()
    ) -> None:
        """Shows turns from a position on; those of the game's own nodes run by themselves, others can be played."""
        super().__init__(board)
        self.title, self.turns, self._nodes = title, list(turns), nodes
        ahead = self._ahead = not nodes
        self.frames = play_frames(begin, self.turns)
        self._told = list(tell_line(begin, self.turns)) if self.turns else []
        self._left = board.moment
        self._runs = not ahead
        self.at = 0
        if ahead:
            self.later()
        else:
            self._go(0)

    def check(self, doing: Doing = "play") -> None:
        """Goes back to the game before it goes on."""
        if doing == "play":
            self.leave()

    def seat(self) -> int | None:
        """Leaves the turns to people."""
        return None

    # What is shown

    @property
    def number(self) -> int:
        """The turn that is shown."""
        return self.frames[self.at].number

    @property
    def node(self) -> Node:
        """Where the turn that is shown stands in the game: ahead of it, where the game is."""
        return self._nodes[max(self.number, 1) - 1] if self._nodes else self.board.node

    @property
    def pause(self) -> int:
        """The milliseconds after which it goes on by itself; 0 if it waits for people."""
        return 0 if not self._runs else STROLL if self.frames[self.at].walk else GLANCE

    def _go(self, at: int) -> None:
        is_next = at == self.at + 1
        self.at = at
        frame = self.frames[at]
        self.board.cursor.moment, self.board.picked = frame.moment, []
        self.board.walked = frame.walk if is_next else None

    def advance(self) -> None:
        """Shows the next action; after the last one the board is back in the game."""
        if self.at + 1 < len(self.frames):
            self._go(self.at + 1)
        else:
            self.leave()

    def leave(self) -> None:
        """Goes back to the game."""
        self.board.stand_at(self.board.node, self._left)

    def last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        """Marks the turn that is shown."""
        return self.frames[self.at].turn, self.frames[self.at].before

    def since(self) -> list[Node]:
        """Marks no others."""
        return []

    # What can be chosen

    @property
    def deciding(self) -> Any:
        """Clicks may come fast: each is meant."""
        return self

    def offer(self) -> clicks.Offer:
        """Offers to go on."""
        where = f"{self.title}, turn {self.number} of {len(self.turns)}" if self.number else self.title
        told = f": {self._told[self.number - 1]}" if self.number else ""
        choices = [
            clicks.Choice("earlier", "Earlier", "button", again=True),
            clicks.Choice("later", "Later", "button", again=True),
        ]
        if self._ahead:
            choices.append(clicks.Choice("play", "Play up to here", "button"))
        return clicks.Offer(where + told, tuple(choices), back="Back to the game")

    def choose(self, choice: str) -> None:
        """Does what a button says."""
        offered = {"earlier": self.earlier, "later": self.later, "play": self._take_over}
        if choice not in offered:
            raise InvalidTurn(shorten(str(choice)), "is not offered now", self.offer().prompt)
        offered[choice]()

    def _take_over(self) -> None:
        """Plays the turns as far as they are shown."""
        played = self.turns[: self.number]
        self.leave()
        for turn in played:
            self.board.mode.carry_out(str(turn))

    # Back and forth

    can_undo = True

    @property
    def can_redo(self) -> bool:
        """Whether there is more to show."""
        return self.at + 1 < len(self.frames)

    can_back = True

    def back(self) -> None:
        """Goes back to the game."""
        self.leave()

    def undo(self) -> None:
        """Shows the turn before; before the first one there is the game."""
        self._runs = False
        if self.number == 0 or (self.number == 1 and self._ahead):
            return self.leave()
        # Of a turn that is being shown its start, or else the end of the one before it.
        ends = [at for at in range(self.at) if self._is_end(at)]
        self._go(ends[-1])
        return None

    earlier = undo

    def redo(self) -> None:
        """Shows the next turn."""
        self._runs = False
        ends = [at for at in range(self.at + 1, len(self.frames)) if self._is_end(at)]
        if ends:
            self._go(ends[0])

    later = redo

    def _is_end(self, at: int) -> bool:
        """Tells whether a frame is the last one of its turn."""
        return at + 1 == len(self.frames) or self.frames[at + 1].number != self.frames[at].number
