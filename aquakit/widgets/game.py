"""A widget on which a game is played: where it stands, how that changes in one step, and the bots that play along.

This is what panels and modes use of a board; what people see and ask for is in `board.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aquakit.board import clicks
from aquakit.core.options import show
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.engine.matches.playing import own_actions
from aquakit.errors import AquakitError, InvalidOption, InvalidRecord, InvalidTurn
from aquakit.keeping.keeper import Keeper, by_hand
from aquakit.widgets.cursor import Cursor
from aquakit.widgets.mode import Doing, PlayMode
from aquakit.widgets.page import PageWidget, word_problem
from aquakit.widgets.seats import Bot, BotSeats, Thought


class GameWidget(PageWidget):
    """A moment of a game, changed as a whole or not at all, and shown in one step."""

    cursor: Cursor
    """Where it stands."""
    bots: BotSeats
    dice: random.Random
    mode: PlayMode
    """What clicks do at present."""
    usual_mode: PlayMode
    """What they do wherever the board goes."""
    keeper: Keeper | None = None
    """Keeps the game as it is played; a board that keeps none has none."""
    _told: AnyPosition | None = None
    """The position that the facts are about."""
    _about: AnyPosition
    """The position that panels, highlights and arrows are about."""
    walked: clicks.Walk | None = None
    """The way of a piece in the change under way."""
    _deciding: Any = None

    # Traits of the board
    position: Any
    picked: Any
    highlights: Any
    arrows: Any
    hide: Any
    pace: Any
    offer: Any
    decision: Any

    def sit_down(self, cursor: Cursor, bots: BotSeats, dice: random.Random) -> None:
        """Begins with a place in a game, who plays it, and dice."""
        self.cursor, self.bots, self.dice = cursor, bots, dice
        self._about = cursor.moment

    @property
    def node(self) -> Node:
        """The turn on the board."""
        return self.cursor.node

    @property
    def moment(self) -> AnyPosition:
        """What stands on the board, also while it is being changed."""
        return self.cursor.moment

    @property
    def visible(self) -> AnyPosition:
        """What is shown of it: while something is to be hidden, what the players see."""
        hidden = self.hide and not self.moment.is_over
        return self.moment.view() if hidden else self.moment

    @contextmanager
    def changing(self, *, wake: bool | None = None) -> Iterator[None]:
        """Frames whatever changes what is shown: a problem is shown and raised, and the board is as it was.

        A bot that is to decide is woken or left alone as told, or else woken if the position has changed; but a bot
        that was stopped stays so while people play its turn.
        """
        with self.lock:
            before, mode, picked = self.cursor.whereabouts, self.mode, self.picked
            stopped = self.mode.is_stopped
            self.is_quiet = True
            try:
                yield
                for panel in self.panels:
                    panel.settle()
            except Exception as problem:
                self.cursor.put_back(before)
                self.mode, self.picked, self.walked = mode, picked, None
                self.tell(problem)
                raise
            else:
                moved = self.cursor.whereabouts[1:] != before[1:]
                if moved:
                    self.bots.call_off()
                if wake or (wake is None and moved and not (stopped and self.node is before.node)):
                    self._wake()
                self.refresh(self._keep())
            finally:
                self.is_quiet = False

    def stand_at(self, node: Node, moment: AnyPosition | None = None) -> None:
        """Goes to the start of the turn after a node, or to a moment of it; the usual mode holds there."""
        self.cursor.go(node)
        if moment is not None:
            self.cursor.moment = moment
        self.mode, self.picked = self.usual_mode, []

    def take_over(self, record: Record, moment: AnyPosition | None = None) -> None:
        """Goes to the start of another record, or to a moment of its first turn."""
        self.cursor.take_over(record, record.start)
        self.stand_at(record.root, moment)

    def begin(self, position: AnyPosition, record: Record | None = None, bots: dict[int, Bot] | None = None) -> None:
        """Begins a new game, whose record may have been begun, and which other bots may play."""
        with self.lock:
            self._leave_game()
            if bots is not None:
                self.seat(bots)
            with self.changing():
                self.take_over(Record(position.rewind()) if record is None else record, position)
                self.forget()

    def seat(self, bots: dict[int, Bot]) -> None:
        """Gives the seats to other bots."""
        self.bots.call_off()
        self.bots = BotSeats(bots)
        if self.keeper is not None:
            self.keeper.seat(bots)

    def open_record(self, record: Record) -> None:
        """Shows another game from its start."""
        with self.changing(wake=False):
            self._leave_game()
            self.take_over(record)

    def _keep(self) -> str:
        """Keeps the game as it stands now, unless something else is shown; says why that is not possible, once."""
        problem = self.keeper and not self.mode.refusal and self.keeper.note(*self.cursor.whereabouts)
        return f"This game is not kept. {word_problem(problem)}" if problem else ""

    def _leave_game(self) -> None:
        if self.keeper is not None:
            self.keeper.leave()
        for panel in self.panels:
            panel.leave_game()

    def own(self, node: Node | None) -> Node:
        """Gets a node of this record: the given one, or the one on the board."""
        found = self.node if node is None else node
        if not isinstance(found, Node) or found.line()[0] is not self.cursor.record.root:
            raise InvalidRecord("node", f"{show(node)} belongs to another record", "a node of this one")
        return found

    def check_open(self, doing: Doing = "play") -> None:
        """Refuses what the mode does not allow."""
        try:
            self.mode.check(doing)
        except AquakitError as problem:
            self.refuse(problem)

    def check_free(self, doing: Doing = "choose") -> None:
        """Refuses what people ask for while a bot thinks, and what the mode does not allow."""
        if self.thinking() is not None:
            self.refuse(InvalidTurn("board", "the bot is thinking", "its answer, or that it is stopped"))
        self.check_open(doing)

    def in_time(self, does: Callable[..., None]) -> Callable[..., None]:
        """Lets a click do something if it was meant for what is asked now; nobody is told that it came too late."""

        def hear(decision: int, *details: Any) -> None:
            with self.lock:
                if decision > self.decision:
                    raise InvalidOption("decision", show(decision), f"at most {self.decision}, which is shown")
                if decision == self.decision and not self.bots.is_thinking:
                    does(*details)

        return hear

    # Bots

    def thinking(self) -> Thought | None:
        """Gets what a bot thinks at present; an answer that is being played is played first."""
        with self.lock:
            return self.bots.thought

    def _wake(self) -> None:
        """Lets a bot think if it is to decide."""
        seat = self.mode.seat()
        if seat is None or self.bots.is_thinking:
            return
        if self.moment.is_chance:  # a position may have been set in the middle of a roll
            self.mode.throw()
        self.bots.wake(seat, self.moment.view(), self._answered, self.pace)

    def _answered(self, thought: Thought, turn: Any, failure: BaseException | None) -> None:
        """Plays a bot's answer, as far as it is the bot's to decide; called in the bot's thread."""
        with self.lock, by_hand():
            if not self.bots.take(thought):
                return
            actions: list[Any] = []
            try:
                actions = own_actions(self.moment, turn) if failure is None else []
            except Exception as problem:  # an answer can be a stranger's code too
                failure = problem
            if failure is not None:  # people can play for the bot
                self.tell(failure, f"bot {self.mode.seat()}: ")
                return
            with self.changing(wake=True):
                for action in actions:
                    self.mode.act(action)
                if self.moment.is_chance:
                    self.mode.throw()

    def _handle_msg(self, msg: Any) -> None:
        with by_hand():
            super()._handle_msg(msg)

    # Showing

    def refresh(self, problem: str = "") -> None:
        """Shows what stands now; facts follow the picture, since they take longer."""
        with self.lock:  # a kernel may run cells and messages in different threads
            self._show_all(problem)

    def _show_all(self, problem: str) -> None:
        changed = self.moment != self.position
        with self.hold_sync():
            if self.moment != self._about and not self.mode.is_aside:
                self._about = self.moment
                self.forget()
            for name, value in self._shown(problem).items():
                self.set_trait(name, value)
            if self.decision == 0 or self.mode.deciding != self._deciding:
                self._deciding = self.mode.deciding
                self.set_trait("decision", self.decision + 1)
            self.set_trait("step", self.step + 1)
        with self.hold_sync():
            if self.visible != self._told:
                self._told = self.visible
                self.set_trait("facts", clicks.plain(self.moment.room("board.facts").facts(self._told)))
            self.set_trait("facts_of", self.decision)
        # What has walked does not walk again.
        self.is_quiet, self.walked = False, None
        if changed:
            self.position = self.moment

    def forget(self) -> None:
        """Drops what was said about the position before."""
        self.highlights, self.arrows = {}, []
        for panel in self.panels:
            panel.forget()

    def _shown(self, problem: str) -> dict[str, Any]:
        """Gathers what the browser shows."""
        raise NotImplementedError
