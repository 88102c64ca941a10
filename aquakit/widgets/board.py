"""Board: a position that people play on by clicking. Python asks the rules; the browser only shows what is offered."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from itertools import pairwise
from typing import Any, ClassVar, NoReturn, cast

import anywidget
import traitlets

from aquakit.board import clicks
from aquakit.core import games
from aquakit.core.options import read_flag, read_size, read_theme, read_whole, show
from aquakit.core.position import AnyPosition, BasePosition, BaseTurn
from aquakit.core.record import Node, Record
from aquakit.engine.matches.playing import own_actions
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition, InvalidTurn, shorten
from aquakit.widgets.modules import join_modules
from aquakit.widgets.nothing import from_page, to_page
from aquakit.widgets.seats import Bot, Thought, read_seats

LONGEST = 300
"""The most characters shown of an error that is not the kit's own."""


def read_position(value: Any) -> AnyPosition:
    """Gets a position given as such, as text, or by the layout to start on."""
    if isinstance(value, BasePosition):
        return value
    if isinstance(value, str):
        return games.start(value) if value in games.layout_names() else games.parse(value)
    raise InvalidPosition("position", show(value), "a position, its text, or a layout's name")


class Setting(traitlets.TraitType[Any, Any]):
    """A trait that takes anything, nothing included: the board's own readers judge it, and their errors are typed."""

    def default(self, obj: Any = None) -> Any:
        """Gets a first value of the board's own."""
        return copy(super().default(obj))


class Board(anywidget.AnyWidget):
    """A board to play on: shows a position, offers what is legal, and keeps the game as a record.

    `position` can be set and observed; setting it begins a new game from there. `players` gives seats to bots: any
    callable that gets a position and answers with a turn. `seed` makes the dice repeatable. `hide` shows what the
    players see: hidden events stay hidden until the game is over.

    >>> from aquakit import start
    >>> board = Board(start("romana2-5x4"), flip=True)     # the last line of a cell shows it
    >>> board.play("b3=+@E4 x-")
    >>> board.position.player, board.offer["prompt"]
    (2, 'Green: choose an aqueduct to extend')
    >>> board.record, board.players
    (<Record: romana2-5x4, 1 turns, result *>, {})
    """

    _esm: ClassVar[Any] = join_modules("board_view.js")

    _record: Record
    _node: Node
    """The turn that led to what is shown, or the start."""
    _moment: AnyPosition
    """What is shown: the position after that turn, or a moment in the next one."""

    # What people set and observe
    position = Setting(None).tag(sync=True, to_json=lambda _, board: str(board._visible()))
    picked = Setting([]).tag(sync=True)
    """What has been picked for the next action: a workman, then a builder."""
    highlights = Setting({}).tag(sync=True)
    """Places to mark, with short labels if given as a mapping; they go when the position changes."""
    arrows = Setting([]).tag(sync=True)
    """Arrows between places, as pairs; they go when the position changes."""
    flip = Setting(False).tag(sync=True)
    theme = Setting("auto").tag(sync=True)
    animate = Setting(True).tag(sync=True)
    coordinates = Setting(True)
    panel = Setting(True)
    hide = Setting(False)
    size = Setting(None).tag(sync=True)
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
        self._asked: tuple[AnyPosition, tuple[str, ...], clicks.Offer] | None = None
        self._dice = random.Random(None if seed is None else read_whole("seed", seed, most=2**64))
        self._thought: Thought | None = None
        self._redo: dict[Node, Node] = {}
        first = read_position(position)
        self._seats = read_seats(players, len(first.scores()))
        self._open(self._first_record(first), first)
        super().__init__(position=first, **options)
        self.on_msg(self._hear)
        with self._changing(wake=not self._record.root.children):
            pass

    def _first_record(self, position: AnyPosition) -> Record:
        return Record(position.rewind())

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
        """Plays a whole turn, or the rest of one.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4 xR1 *j")
        >>> board.position.scores()
        (5, 0)
        """
        with self._changing():
            for action in self._moment.carry_out(turn)[0]:
                self._act(action)

    def choose(self, choice: str) -> None:
        """Chooses something that is offered, by its id, as a click does.

        >>> board = Board("aquadukt2-6x5")
        >>> [choice["id"] for choice in board.offer["choices"]][:2]
        ['roll', 'spring']
        >>> board.choose("spring")
        >>> board.choose(next(choice["id"] for choice in board.offer["choices"] if "3.2" in choice["label"]))
        >>> board.position.springs
        ('3.2',)
        """
        self._check_free()
        with self._changing():
            chosen = self._ask(self._moment, self.picked).find(choice)
            if chosen is None:
                raise InvalidTurn(shorten(str(choice)), "is not offered now", self.offer["prompt"])
            if not chosen.act:
                self._pick([*self.picked, choice])
            elif chosen.act == clicks.CHANCE:
                self._throw()
            else:
                self._carry_out(chosen.act)

    def enter(self, number: Any) -> None:
        """Enters a number where one is offered, such as what a real die shows.

        >>> board = Board(games.start("aquadukt2-6x5", mountains=["a5", "f4"]).act("roll"))
        >>> board.enter(2)
        >>> board.position.die
        2
        """
        self._check_free()
        with self._changing():
            entry = self._ask(self._moment, self.picked).entry
            if entry is None:
                raise InvalidOption("number", "none is asked for now", self.offer["prompt"])
            read = read_whole("number", _typed(number), least=entry.least, most=entry.most)
            self._carry_out(entry.act.format(read))

    def back(self) -> None:
        """Goes one step back in the turn: takes back the last pick, or else the last action.

        >>> board = Board(games.start("romana2-5x4").act("b3=+@E4"))
        >>> board.back()
        >>> board.position.phase
        'build'
        """
        self._check_free()
        with self._changing(wake=False):
            if self.picked:
                self._pick(self.picked[:-1])
            elif self._moment.played:
                self._take_back()

    def undo(self) -> None:
        """Goes back to the start of the turn, or of the one before; with bots, to where a person decides.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.undo()
        >>> board.position.player, board.can_undo, board.can_redo
        (1, False, True)
        """
        with self._changing(wake=False):
            line = self._node.line()
            self._redo |= pairwise(line)
            begun = bool(self._moment.played or self.picked)
            earlier = line if begun else line[:-1] or line
            played_for = begun and self._seat() is not None and self._thought is None  # a person plays a bot's turn
            theirs = [] if played_for else [node for node in earlier if node.position.player not in self._seats]
            self._go((theirs or earlier)[-1])

    def redo(self) -> None:
        """Goes forward to the turn that was undone, or else to the next one of the record.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.undo()
        >>> board.redo()
        >>> board.position.player
        2
        """
        with self._changing(wake=False):
            following = self._following(self._node)
            if following is not None:
                self._go(following)

    def stop(self) -> None:
        """Stops the bot that is thinking; people can then play for it.

        >>> board = Board("romana2-5x4", players={1: lambda position: threading.Event().wait(9)})
        >>> board.stop()
        >>> board.bot
        'stopped'
        """
        with self._changing(wake=False):
            self._call_off()

    def resume(self) -> None:
        """Lets the bot whose turn it is play on.

        >>> board = Board("romana2-5x4", players={1: lambda position: "b3=+@E4 x-"})
        >>> board.wait()
        >>> board.undo()
        >>> board.resume()
        >>> board.wait()
        >>> board.position.player
        2
        """
        with self._changing(wake=True):
            pass

    def wait(self, seconds: float = 60) -> None:
        """Waits until no bot is thinking, at most so long.

        >>> board = Board("romana2-5x4", players={2: lambda position: "d2=7@Sd x-"})
        >>> board.play("b3=+@E4")
        >>> board.wait()
        >>> len(board.record.root.main()) - 1
        2
        """
        end = time.monotonic() + seconds
        while (thought := self._thinking()) is not None and (left := end - time.monotonic()) > 0:
            thought.wait(left)

    def _thinking(self) -> Thought | None:
        """Gets what a bot thinks at present; an answer that is being played is played first."""
        with self._lock:
            return self._thought

    # Changing

    @contextmanager
    def _changing(self, *, wake: bool | None = None) -> Iterator[None]:
        """Frames whatever changes what is shown: a problem is shown and raised, and the board is as it was.

        A bot that is to decide is woken or left alone as told, or else woken if the position has changed; but a bot
        that was stopped stays so while people play its turn.
        """
        with self._lock:
            before = self._record, self._node, self._moment, self.picked
            stopped = self._seat() is not None and self._thought is None
            self._quiet, self._walk = True, None
            try:
                yield
            except Exception as problem:
                self._record, self._node, self._moment, self.picked = before
                self._tell(problem)
                raise
            else:
                moved = (self._node, self._moment) != before[1:3]
                if moved:
                    self._call_off()
                if wake or (wake is None and moved and not (stopped and self._node is before[1])):
                    self._wake()
                self._refresh()
            finally:
                self._quiet = False

    def _check_free(self) -> None:
        """Refuses what people ask for while a bot thinks."""
        if self._thinking() is not None:
            self._refuse(InvalidTurn("board", "the bot is thinking", "its answer, or that it is stopped"))

    def _refuse(self, problem: AquakitError) -> NoReturn:
        """Shows what cannot be done and raises it."""
        self._tell(problem)
        raise problem

    def _tell(self, problem: BaseException, who: str = "") -> None:
        """Shows what went wrong; what has walked does not walk again."""
        self._walk = None
        known = isinstance(problem, AquakitError)
        said = str(problem) if known else shorten(" ".join(f"{type(problem).__name__}: {problem}".split()), LONGEST)
        self._refresh(problem=who + said)

    def _open(self, record: Record, moment: AnyPosition) -> None:
        """Takes over a record, at its start or at a moment of its first turn."""
        self._record, self._node, self._moment = record, record.root, moment
        self._redo = {}

    def _go(self, node: Node) -> None:
        """Goes to the start of a turn."""
        self._node, self._moment = node, node.position
        self.picked = []

    def _ask(self, position: AnyPosition, picked: Iterable[str]) -> clicks.Offer:
        """Gets what can be chosen; the last answer is kept, for a click asks for it several times."""
        wanted = position, tuple(picked)
        if self._asked is None or self._asked[0] is not position or self._asked[1] != wanted[1]:
            self._asked = (*wanted, clicks.offer(*wanted))
        return self._asked[2]

    def _pick(self, picked: list[str]) -> None:
        self._ask(self._moment, picked)
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
        self._walk = before.room("board.clicks").walk(before, after) or self._walk
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
        if seat is None or self._thought is not None:
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
            actions: list[Any] = []
            try:
                actions = own_actions(self._moment, turn) if failure is None else []
            except Exception as problem:  # an answer can be a stranger's code too
                failure = problem
            if failure is not None:  # people can play for the bot
                self._tell(failure, f"bot {self._seat()}: ")
                return
            with self._changing(wake=True):
                for action in actions:
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
        self.set_trait("facts", clicks.plain(self._moment.room("board.facts").facts(self._visible())))
        self._quiet = False
        if changed:
            self.position = self._moment

    def _forget(self) -> None:
        """Drops what was said about the position before."""
        self.highlights, self.arrows = {}, []

    def _marked(self) -> tuple[Any, Any]:
        """Gets the highlights and the arrows to draw."""
        return self.highlights, self.arrows

    def _visible(self) -> AnyPosition:
        hidden = self.hide and not self._moment.is_over
        return self._moment.view() if hidden else self._moment

    def _shown(self, problem: str) -> dict[str, Any]:
        """Gathers what the browser shows."""
        picture = self._moment.room("board.picture")
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
        made = self._ask(self._visible(), self.picked)
        if self._thought is None:
            return made
        return clicks.Offer(f"{made.prompt.partition(':')[0]}: the bot is thinking")

    def svg(self, **options: Any) -> str:
        """Draws the board as it is shown now.

        >>> Board("romana2-5x4").svg(theme="dark", size=400)[:4]
        '<svg'
        """
        turn, before = self._last()
        highlights, arrows = self._marked()
        shown = {"last": turn, "before": before, "highlights": highlights, "arrows": arrows, "size": self.size}
        look = {"flip": self.flip, "coordinates": self.coordinates, "panel": self.panel}
        return self._visible().svg(**{**shown, **look, **options})

    def _last(self) -> tuple[BaseTurn[Any] | None, AnyPosition | None]:
        """Gets the turn that led to what is shown, or as much of it as has been played, and the position before it."""
        if self._moment.played:
            return self._moment.played, self._node.position
        parent = self._node.parent
        return self._node.turn, None if parent is None else parent.position

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
        name, value = proposal["trait"].name, _own(proposal["value"])
        if value not in ({}, []):
            self._checked(lambda: self._moment.svg(**{name: value}))
        return value

    @traitlets.validate("flip", "animate", "coordinates", "panel", "hide")
    def _check_flag(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_flag(proposal["trait"].name, proposal["value"]))

    @traitlets.validate("theme")
    def _check_theme(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_theme(proposal["value"]))

    @traitlets.validate("size")
    def _check_size(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: read_size(proposal["value"]))

    @traitlets.validate("picked")
    def _check_picked(self, proposal: Mapping[str, Any]) -> Any:
        return self._checked(lambda: self._read_picked(proposal["value"]))

    def _read_picked(self, value: Any) -> list[str]:
        if not isinstance(value, list | tuple) or not all(isinstance(pick, str) for pick in value):
            raise InvalidOption("picked", show(value), "ids of what is offered, in a list")
        self._ask(self._moment, value)
        return list(value)

    def _checked(self, read: Callable[[], Any]) -> Any:
        """Reads a value; a bad one is shown and refused."""
        try:
            return read()
        except AquakitError as problem:
            with self._lock:
                if not self._quiet:
                    self._tell(problem)
            raise

    @traitlets.observe("position")
    def _position_set(self, change: Mapping[str, Any]) -> None:
        if change["new"] is not self._moment:
            self._begin(change["new"])

    def _begin(self, position: AnyPosition) -> None:
        """Begins a new game."""
        with self._changing():
            self._open(Record(position.rewind()), position)
            self._forget()
            self.picked = []

    @traitlets.observe("highlights", "arrows", "flip", "coordinates", "panel", "hide", "size", "picked")
    def _look_changed(self, change: Mapping[str, Any]) -> None:
        with self._lock:
            if self._quiet:
                return
            self._walk = None
            self._refresh()
            if change["name"] == "hide":
                self.send_state("position")

    # Messages

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(to_page(msg), buffers)

    def _handle_msg(self, msg: Any) -> None:
        super()._handle_msg(from_page(msg))

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Takes over what the browser has set; a bad value is shown, and the browser is told what stands."""
        bad = [name for name, value in sync_data.items() if not self._takes(name, value)]
        super().set_state({name: value for name, value in sync_data.items() if name not in bad})
        if bad:
            self.send_state(bad)

    def _takes(self, name: str, value: Any) -> bool:
        trait = self.traits().get(name)
        if not isinstance(trait, Setting):
            return trait is None or not trait.read_only
        try:
            trait._validate(self, value)
        except AquakitError:
            return False
        return True

    def _hear(self, _: Any, content: Any, __: Any) -> None:
        """Does what was clicked; what cannot be done is shown on the board."""
        try:
            does = self._actions(content).get(content["do"])
            if does is None:
                raise InvalidOption("do", show(content["do"]), "something that this board can do")
            does()
        except AquakitError as problem:
            if self.problem != str(problem):
                self._tell(problem)
        except Exception as problem:  # would otherwise vanish in the kernel's log
            self._tell(problem)
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


def _typed(number: Any) -> Any:
    """Gets the number that a text shows; what shows none is left to be refused."""
    if not isinstance(number, str):
        return number
    text = shorten(number.strip())
    return int(text) if text.isdecimal() else text


def _own(value: Any) -> Any:
    """Copies what is given as several, so that it stays as it was checked, and makes a list of a single place."""
    if isinstance(value, Mapping):
        return dict(value)
    return [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else value


def _is_option(name: str, trait: traitlets.TraitType[Any, Any]) -> bool:
    own = trait.this_class is not None and issubclass(trait.this_class, Board)
    return own and not trait.read_only and name not in ("position", "picked")
