"""Board: a position that people play on by clicking. Python asks the rules; the browser only shows what is offered."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, cast

import anywidget
import traitlets

from aquakit import clicks, games
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition, InvalidTurn, read_whole
from aquakit.position import AnyPosition, BasePosition
from aquakit.record import Node, Record
from aquakit.svg import THEMES, read_size, show
from aquakit.widgets.modules import join_modules
from aquakit.widgets.seats import Bot, Thought, own_actions, read_seats


def read_position(value: Any) -> AnyPosition:
    """Gets a position given as such or as text."""
    if isinstance(value, BasePosition):
        return value
    if isinstance(value, str):
        return games.parse(value)
    raise InvalidPosition("position", show(value), "a position or its text")


class Board(anywidget.AnyWidget):
    """A board to play on: shows a position, offers what is legal, and keeps the game as a record.

    `position` can be set and observed; setting it begins a new game from there. `players` gives seats to bots: any
    callable that gets a position and answers with a turn. `seed` makes the dice repeatable. `hide` shows what the
    players see: hidden events stay hidden until the game is over.
    """

    _esm: ClassVar[Any] = join_modules("board_view.js")

    _record: Record
    _node: Node
    """The turn that led to what is shown, or the start."""
    _moment: AnyPosition
    """What is shown: the position after that turn, or a moment in the next one."""

    # What people set and observe
    position = traitlets.Any().tag(sync=True, to_json=lambda _, board: str(board._visible()))
    picked = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """What has been picked for the next action: a workman, then a builder."""
    highlights = traitlets.Any({}).tag(sync=True)
    """Places to mark, with short labels if given as a mapping; they go when the position changes."""
    arrows = traitlets.Any(()).tag(sync=True)
    """Arrows between places, as pairs; they go when the position changes."""
    flip = traitlets.Bool(False).tag(sync=True)
    theme = traitlets.Enum(THEMES, "auto").tag(sync=True)
    animate = traitlets.Bool(True).tag(sync=True)
    coordinates = traitlets.Bool(True)
    panel = traitlets.Bool(True)
    hide = traitlets.Bool(False)
    size = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The greatest width in px; the board shrinks with its cell."""

    # What the browser shows
    picture = traitlets.Unicode(read_only=True).tag(sync=True)
    places = traitlets.Dict(read_only=True).tag(sync=True)
    offer = traitlets.Dict(read_only=True).tag(sync=True)
    facts: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    walk = traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True)
    can_undo = traitlets.Bool(False, read_only=True).tag(sync=True)
    can_redo = traitlets.Bool(False, read_only=True).tag(sync=True)
    bot = traitlets.Enum(("", "thinking", "stopped"), "", read_only=True).tag(sync=True)
    problem = traitlets.Unicode(read_only=True).tag(sync=True)
    """What went wrong last, in a line."""
    step = traitlets.Int(0, read_only=True).tag(sync=True)
    """Counts what has been shown, so that the browser draws each once and whole."""

    def __init__(
        self,
        position: AnyPosition | str,
        *,
        players: Mapping[int, Bot] | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        """Shows a position; options are the traits of the same names."""
        self._check_options(options)
        self._lock = threading.RLock()
        self._quiet = True  # whether changed traits wait to be shown
        self._walk: clicks.Walk | None = None
        self._dice = random.Random(None if seed is None else read_whole("seed", seed, most=2**64))
        self._thought: Thought | None = None
        self._redo: dict[Node, Node] = {}
        first = read_position(position)
        self._seats = read_seats(players, len(first.scores()))
        self._open(Record(first.rewind()), first)
        super().__init__(position=first, **options)
        self.on_msg(self._hear)
        with self._changing():
            pass

    def _check_options(self, options: Mapping[str, Any]) -> None:
        known = [name for name, trait in self.class_traits().items() if _is_option(name, trait)]
        for name in options:
            if name not in known:
                raise InvalidOption(name, "is no option of this board", f"one of {', '.join(sorted(known))}")

    # What people ask of it

    @property
    def record(self) -> Record:
        """The game played on this board, with every variation tried."""
        return self._record

    @property
    def players(self) -> dict[int, Bot]:
        """The seats that bots play."""
        return dict(self._seats)

    def play(self, turn: Any) -> None:
        """Plays a whole turn, or the rest of one."""
        with self._changing():
            for action in self._moment.carry_out(turn)[0]:
                self._act(action)

    def choose(self, choice: str) -> None:
        """Chooses something that is offered, by its id, as a click does."""
        self._check_free()
        with self._changing():
            chosen = clicks.offer(self._moment, self.picked).find(choice)
            if chosen is None:
                raise InvalidTurn(str(choice), "is not offered now", self.offer["prompt"])
            if not chosen.act:
                self._pick([*self.picked, choice])
            elif chosen.act == clicks.CHANCE:
                self._throw()
            else:
                self._carry_out(chosen.act)

    def enter(self, number: Any) -> None:
        """Enters a number where one is offered, such as what a real die shows."""
        self._check_free()
        with self._changing():
            entry = clicks.offer(self._moment, self.picked).entry
            if entry is None:
                raise InvalidOption("number", "none is asked for now", self.offer["prompt"])
            whole = int(number) if str(number).strip().isdecimal() else number
            self._carry_out(entry.act.format(read_whole("number", whole, least=entry.least, most=entry.most)))

    def back(self) -> None:
        """Goes one step back in the turn: takes back the last pick, or else the last action."""
        self._check_free()
        with self._changing(wake=False):
            if self.picked:
                self._pick(self.picked[:-1])
            elif self._moment.played:
                self._take_back()

    def undo(self) -> None:
        """Goes back to the start of the turn, or of the one before; with bots, to where a person decides."""
        with self._changing(wake=False):
            if self._moment.played or self.picked:
                self._go(self._node)
                return
            node = self._node
            while node.parent is not None:
                self._redo[node.parent] = node
                node = node.parent
                if node.position.player not in self._seats:
                    break
            self._go(node)

    def redo(self) -> None:
        """Goes forward to the turn that was undone, or else to the next one of the record."""
        with self._changing(wake=False):
            following = self._following(self._node)
            if following is not None:
                self._go(following)

    def stop(self) -> None:
        """Stops the bot that is thinking; people can then play for it."""
        with self._changing(wake=False):
            self._call_off()

    def resume(self) -> None:
        """Lets the bot whose turn it is play on."""
        with self._changing():
            pass

    def wait(self, seconds: float = 60) -> None:
        """Waits until no bot is thinking, at most so long."""
        end = time.monotonic() + seconds
        while (thought := self._thought) is not None and time.monotonic() < end:
            thought.wait(end - time.monotonic())

    # Changing

    @contextmanager
    def _changing(self, *, wake: bool = True) -> Iterator[None]:
        """Frames whatever changes what is shown: a problem is shown and raised, and the board is as it was."""
        with self._lock:
            before = self._node, self._moment, list(self.picked)
            self._quiet, self._walk = True, None
            self._call_off()
            try:
                yield
            except AquakitError as problem:
                self._node, self._moment, self.picked = before
                self._refresh(problem=str(problem))
                raise
            else:
                if wake:
                    self._wake()
                self._refresh()
            finally:
                self._quiet = False

    def _check_free(self) -> None:
        if self._thought is not None:
            raise InvalidTurn("board", "the bot is thinking", "its answer, or that it is stopped")

    def _open(self, record: Record, moment: AnyPosition) -> None:
        """Takes over a record, at its start or at a moment of its first turn."""
        self._record, self._node, self._moment = record, record.root, moment
        self._redo = {}

    def _go(self, node: Node) -> None:
        """Goes to the start of a turn."""
        self._node, self._moment = node, node.position
        self.picked = []

    def _pick(self, picked: list[str]) -> None:
        clicks.offer(self._moment, picked)
        self.picked = picked

    def _carry_out(self, text: str) -> None:
        for action in self._moment.turn_type.parse(text):
            self._act(action)
        if self._moment.is_chance:
            self._throw()

    def _throw(self) -> None:
        """Lets chance decide."""
        self._act(self._dice.choice(self._moment.actions()))

    def _act(self, action: Any) -> None:
        before = self._moment
        after = before.act(action)
        self._walk = before.room("clicks").walk(before, after) or self._walk
        self.picked = []
        if after.played:
            self._moment = after
            return
        node = self._node.play(self._turn_so_far(action))
        self._redo[self._node] = node
        self._go(node)

    def _turn_so_far(self, action: Any) -> Any:
        return self._moment.turn_type((*self._moment.played, action))

    def _take_back(self) -> None:
        """Takes back the last action, and with what chance decided also what asked for it."""
        actions = list(self._moment.played)
        while actions:
            actions.pop()
            self._moment = self._node.position
            for action in actions:
                self._moment = self._moment.act(action)
            if not self._moment.is_chance:
                return

    def _following(self, node: Node) -> Node | None:
        """Gets the turn after a node that was on the board last, or else the main one."""
        following = self._redo.get(node)
        if following is not None and following in node.children:
            return following
        return next(iter(node.children), None)

    # Bots

    def _seat(self) -> int | None:
        """Gets the seat that is to decide, if a bot plays it."""
        player = self._moment.player
        return player if player in self._seats else None

    def _wake(self) -> None:
        """Lets a bot think if it is to decide."""
        seat = self._seat()
        if seat is None:
            return
        if self._moment.is_chance:  # a position may have been set in the middle of a roll
            self._throw()
        self._thought = Thought(self._seats[seat], self._moment.view(), self._answered)

    def _call_off(self) -> None:
        if self._thought is not None:
            self._thought.call_off()
            self._thought = None

    def _answered(self, thought: Thought, turn: Any, failure: BaseException | None) -> None:
        """Plays a bot's answer, as far as it is the bot's to decide; called in the bot's thread."""
        with self._lock:
            if self._thought is not thought:
                return
            self._thought = None
            seat = self._seat()
            if failure is not None:
                self._refresh(problem=f"bot {seat}: {type(failure).__name__}: {failure}")
                return
            with suppress(AquakitError), self._changing():  # it is shown, and people can play for the bot
                for action in own_actions(self._moment, turn):
                    self._act(action)
                if self._moment.is_chance:
                    self._throw()

    # Showing

    def _refresh(self, problem: str = "") -> None:
        """Shows what stands now; facts follow the picture, since they take longer."""
        with self._lock:  # a kernel may run cells and messages in different threads
            self._show_all(problem)

    def _show_all(self, problem: str) -> None:
        changed = self._moment != self.position
        with self.hold_sync():
            if changed:
                self._forget()
            for name, value in self._shown(problem).items():
                self.set_trait(name, value)
            self.set_trait("step", self.step + 1)
        self.set_trait("facts", clicks.plain(self._moment.room("facts").facts(self._visible())))
        self._quiet = False
        if changed:
            self.position = self._moment

    def _forget(self) -> None:
        """Drops what was said about the position before."""
        self.highlights, self.arrows = {}, ()

    def _marked(self) -> tuple[Any, Any]:
        """Gets the highlights and the arrows to draw."""
        return self.highlights, self.arrows

    def _visible(self) -> AnyPosition:
        hidden = self.hide and not self._moment.is_over
        return self._moment.view() if hidden else self._moment

    def _shown(self, problem: str) -> dict[str, Any]:
        """Gathers what the browser shows."""
        picture = self._moment.room("picture")
        measures = {"flip": self.flip, "coordinates": self.coordinates, "panel": self.panel}
        return {
            "picture": self.svg(theme="auto"),
            "places": {name: list(box) for name, box in picture.measure(self._moment.layout, **measures).items()},
            "offer": clicks.plain(self._offer()),
            "walk": clicks.plain(self._walk) if self._walk else None,
            "can_undo": bool(self._node.parent is not None or self._moment.played),
            "can_redo": self._following(self._node) is not None,
            "bot": "thinking" if self._thought else "stopped" if self._seat() else "",
            "problem": problem,
        }

    def _offer(self) -> clicks.Offer:
        made = clicks.offer(self._visible(), self.picked)
        if self._thought is None:
            return made
        return clicks.Offer(f"{made.prompt.partition(':')[0]}: the bot is thinking")

    def svg(self, **options: Any) -> str:
        """Draws the board as it is shown now."""
        turn = self._moment.played or self._node.turn
        before = self._node.position if self._moment.played else self._node.parent and self._node.parent.position
        highlights, arrows = self._marked()
        shown = {"last": turn, "before": before, "highlights": highlights, "arrows": arrows, "size": self.size}
        look = {"flip": self.flip, "coordinates": self.coordinates, "panel": self.panel}
        return self._visible().svg(**{**shown, **look, **options})

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Gives the widget, and for where there is no kernel the picture and the plain text."""
        data, metadata = cast(tuple[dict[str, Any], dict[str, Any]], super()._repr_mimebundle_(**options))
        theme = "light" if self.theme == "auto" else self.theme
        data = {**data, "image/svg+xml": self.svg(theme=theme), "text/plain": self._visible().diagram()}
        return data, metadata

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.position)!r})"

    # Traits

    @traitlets.validate("position")
    def _check_position(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_position(proposal["value"]))

    @traitlets.validate("highlights", "arrows")
    def _check_marks(self, proposal: Mapping[str, Any]) -> Any:
        name, value = proposal["trait"].name, proposal["value"]
        if value:
            self._checked(lambda: self._moment.svg(**{name: value}))
        return value

    @traitlets.validate("size")
    def _check_size(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_size(proposal["value"]))

    @traitlets.validate("picked")
    def _check_picked(self, proposal: Mapping[str, Any]) -> Any:
        self._checked(lambda: clicks.offer(self._moment, proposal["value"]))
        return proposal["value"]

    def _checked(self, read: Callable[[], Any]) -> Any:
        """Reads a value; a bad one is shown and refused."""
        try:
            return read()
        except AquakitError as problem:
            if not self._quiet:
                self._refresh(problem=str(problem))
            raise

    @traitlets.observe("position")
    def _position_set(self, change: Mapping[str, Any]) -> None:
        if change["new"] is self._moment:
            return
        with self._changing():
            self._open(Record(change["new"].rewind()), change["new"])
            self.picked = []

    @traitlets.observe("highlights", "arrows", "flip", "coordinates", "panel", "hide", "size", "picked")
    def _look_changed(self, _: Mapping[str, Any]) -> None:
        if not self._quiet:
            self._walk = None
            self._refresh()

    # Messages

    def _hear(self, _: Any, content: Any, __: Any) -> None:
        """Does what was clicked; what cannot be done is shown on the board."""
        try:
            does = self._actions(content).get(content["do"])
            if does is None:
                raise InvalidOption("do", show(content["do"]), "something that this board can do")
            does()
        except AquakitError:
            pass  # it is shown already
        except Exception as problem:  # would otherwise vanish in the kernel's log
            self._refresh(problem=f"{type(problem).__name__}: {problem}")
            raise

    def _actions(self, content: Mapping[str, Any]) -> dict[str, Callable[[], None]]:
        """Gets what the browser can ask for, by name."""
        return {
            "choose": lambda: self.choose(content["id"]),
            "enter": lambda: self.enter(content["number"]),
            "back": self.back,
            "undo": self.undo,
            "redo": self.redo,
            "stop": self.stop,
            "resume": self.resume,
        }


def _is_option(name: str, trait: traitlets.TraitType[Any, Any]) -> bool:
    own = trait.this_class is not None and issubclass(trait.this_class, Board)
    return own and not trait.read_only and name not in ("position", "picked")
