"""Board: a position that people play on by clicking. Python asks the rules; the browser only shows what is offered."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, cast

import traitlets

from aquakit.board import clicks
from aquakit.core.options import read_flag, read_size, read_theme, read_whole, show
from aquakit.core.position import AnyPosition
from aquakit.core.record import Record
from aquakit.errors import AquakitError, InvalidOption
from aquakit.keeping.keeper import Alike, Keeper
from aquakit.keeping.resuming import seat_bots
from aquakit.keeping.shelf import KeptGame
from aquakit.widgets.cursor import Cursor, read_position
from aquakit.widgets.game import GameWidget
from aquakit.widgets.messages import Message, read_count, read_text
from aquakit.widgets.mode import PlayMode
from aquakit.widgets.modules import join_modules
from aquakit.widgets.page import keep_own
from aquakit.widgets.panel import Arrows, Panel, Places, Setting
from aquakit.widgets.seats import Bot, BotSeats, read_pace, read_seats
from aquakit.widgets.turns.log import LogPanel
from aquakit.workshop.served import is_served


class Board(GameWidget):
    """A board to play on: shows a position, offers what is legal, and keeps the game as a record.

    `position` can be set and observed; setting it begins a new game from there. `players` gives seats to bots, by name
    as in `aquakit.bot`, `players={2: "greedy"}`, or as any callable that gets a position and answers with a turn.
    `seed` makes dice and named bots repeatable. Hidden events stay hidden until the game is over, unless `hide` is off;
    in an explorer, which is for analysis, it is off. What is played is kept, by the notebook's cell or a `name`, unless
    `keep` is off: `aquakit.resume` brings it back.

    >>> from aquakit import start
    >>> board = Board(start("romana2-5x4"), flip=True)     # the last line of a cell shows it
    >>> board.play("b3=+@E4 x-")
    >>> board.position.player, board.offer["prompt"]
    (2, 'Green: choose an aqueduct to extend')
    >>> board.record, board.players
    (<Record: romana2-5x4, 1 turns, result *>, {})
    """

    _esm: ClassVar[Any] = join_modules("board_view.js")
    kept_as: ClassVar[str] = "Board"
    """As what a kept game is opened again."""
    goes_on_with: ClassVar[Alike] = "start"
    """With which game of its cell it goes on; with any of them, also with its bots."""
    _going_on: KeptGame | None = None
    """The kept game that it goes on with, as it was then."""

    panel_types: ClassVar[tuple[type[Panel], ...]] = (LogPanel,)

    # What people set and observe
    position = Setting(None).tag(sync=True, to_json=lambda _, board: str(board.visible))
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
    hide = Setting(True)
    pace = Setting(0).tag(sync=True)
    """How many seconds a bot takes at least for each of its answers, so that people can follow."""
    size = Setting(None).tag(sync=True)
    """The greatest width in px; without, the board is as large as the window shows whole."""

    # What the browser shows
    picture = traitlets.Unicode(read_only=True).tag(sync=True)
    places = traitlets.Dict(read_only=True).tag(sync=True)
    offer = traitlets.Dict(read_only=True).tag(sync=True)
    facts: traitlets.List[Any] = traitlets.List(read_only=True).tag(sync=True)
    facts_of = traitlets.Int(0, read_only=True).tag(sync=True)
    """The decision to which the facts belong; they come after the picture."""
    decision = traitlets.Int(0, read_only=True).tag(sync=True)
    """Counts what has been asked, so that a click which was meant for an earlier decision is known."""
    walk = traitlets.Dict(None, allow_none=True, read_only=True).tag(sync=True)
    can_back = traitlets.Bool(False, read_only=True).tag(sync=True)
    can_undo = traitlets.Bool(False, read_only=True).tag(sync=True)
    can_redo = traitlets.Bool(False, read_only=True).tag(sync=True)
    kept = traitlets.Dict(read_only=True).tag(sync=True)
    """Whether the game is kept, and while it is one that was kept before, which."""
    bot = traitlets.Enum(("", "thinking", "stopped"), "", read_only=True).tag(sync=True)

    _last_picture, _last_drawn = "", list[Any]()  # the picture, and what it was drawn from

    def __init__(
        self,
        position: AnyPosition | str,
        *,
        players: Mapping[int, Bot | str] | None = None,
        seed: int | None = None,
        name: str | None = None,
        keep: bool = True,
        record: Record | None = None,
        kept: KeptGame | None = None,
        panels: Iterable[Callable[[Any], Panel]] | None = None,
        mode: Callable[[Any], PlayMode] = PlayMode,
        **options: Any,
    ) -> None:
        """Shows a position; options are the traits of the same names.

        Widgets around a board give it a `record` that begins with the position, a `kept` game to go on with, `panels`
        that are made with more than the board, and the `mode` that says what clicks do.
        """
        self._check_options(options)
        first = read_position(position)
        chance = None if seed is None else read_whole("seed", seed, most=2**64)
        seats = read_seats(players, len(first.scores()), chance)
        cursor = Cursor(Record(first.rewind()) if record is None else record, first)
        if read_flag("keep", keep) and not is_served():  # who plays on a served page is a visitor
            self.keeper = Keeper(self.kept_as, _read_name(name) if kept is None else kept.name or None, seats)
            self.keeper.begin(cursor.record, cursor.moment)
        problem = self._go_on(cursor, kept, seats)
        self.sit_down(cursor, BotSeats(seats), random.Random(chance))
        self.put_beside(panels, self._messages())
        self.usual_mode = self.mode = mode(self)
        super().__init__(position=self.moment, **options)
        with self.changing(wake=not self.node.children):
            pass
        if problem:
            self.refresh(problem)

    def _go_on(self, cursor: Cursor, kept: KeptGame | None, seats: dict[int, Bot]) -> str:
        """Goes on with what was kept, where that is told or found; says why that is not possible."""
        try:
            found = kept or (self.keeper and self.keeper.find(self.goes_on_with))
            if found:
                record, node, moment = found.read()
                cursor.take_over(record, moment)
                cursor.node = node
                cursor.remember(node.line())
                if self.goes_on_with == "any":
                    seats |= seat_bots(found)
                if self.keeper is not None:
                    self.keeper.seat(seats)
                    self.keeper.go_on(found, record)
                    self._going_on = self.keeper.game
        except AquakitError as problem:
            if kept is not None:
                raise
            return f"No earlier game was brought back. {problem}"
        return ""

    def _check_options(self, options: Mapping[str, Any]) -> None:
        known = [name for name, trait in self.class_traits().items() if _is_option(name, trait)]
        for name in options:
            if name not in known:
                raise InvalidOption(name, "is no option of this board", f"one of {', '.join(sorted(known))}")

    # What people ask of it

    @property
    def record(self) -> Record:
        """The game played on this board, with every variation tried."""
        return self.cursor.record

    @property
    def players(self) -> dict[int, Bot]:
        """The seats that bots play."""
        return dict(self.bots.seats)

    def play(self, turn: Any) -> None:
        """Plays a whole turn, or the rest of one.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4 xR1 *j")
        >>> board.position.scores()
        (5, 0)
        """
        self.check_open()
        with self.changing():
            self.mode.play(turn)

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
        self.check_free()
        with self.changing():
            self.mode.choose(choice)

    def enter(self, number: Any) -> None:
        """Enters a number where one is offered, such as what a real die shows.

        >>> from aquakit import start
        >>> board = Board(start("aquadukt2-6x5", mountains=["a5", "f4"]).act("roll"))
        >>> board.enter(2)
        >>> board.position.die
        2
        """
        self.check_free("enter")
        with self.changing():
            self.mode.enter(number)

    def back(self) -> None:
        """Goes one step back in the turn: takes back the last pick, or else the last action.

        >>> from aquakit import start
        >>> board = Board(start("romana2-5x4").act("b3=+@E4"))
        >>> board.back()
        >>> board.position.phase
        'build'
        """
        self.check_free("back")
        with self.changing(wake=False):
            self.mode.back()

    def undo(self) -> None:
        """Goes back to the start of the turn, or of the one before; with bots, to where a person decides.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.undo()
        >>> board.position.player, board.can_undo, board.can_redo
        (1, False, True)
        """
        with self.changing(wake=False):
            self.mode.undo()

    def redo(self) -> None:
        """Goes forward to the turn that was undone, or else to the next one of the record.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.undo()
        >>> board.redo()
        >>> board.position.player
        2
        """
        with self.changing(wake=False):
            self.mode.redo()

    def earlier(self) -> None:
        """Goes one turn back, whoever played it; from within a turn to its start.

        >>> board = Board("romana2-5x4", players={2: "greedy"}, seed=1)
        >>> board.play("b3=+@E4")
        >>> board.wait()
        >>> board.earlier()
        >>> board.position.player, board.bot
        (2, 'stopped')
        """
        with self.changing(wake=False):
            self.mode.earlier()

    def later(self) -> None:
        """Goes one turn on in the game.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.earlier()
        >>> board.later()
        >>> board.node
        <Node: 1. b3=+@E4 x->
        """
        with self.changing(wake=False):
            self.mode.later()

    def replay(self) -> None:
        """Shows again what bots have played since a person did, or else the last turn; a notebook plays it by itself.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.replay()
        >>> board.offer["prompt"], board.position.player
        ('Replay', 1)
        >>> board.play("d2=7@Sd")                       # the game goes on where it was
        >>> board.position.player
        1
        """
        self.check_free("replay")
        self.beside(LogPanel).replay()

    def stop(self) -> None:
        """Stops the bot that is thinking; people can then play for it.

        >>> board = Board("romana2-5x4", players={1: lambda position: threading.Event().wait(9)})
        >>> board.stop()
        >>> board.bot
        'stopped'
        """
        with self.changing(wake=False):
            self.mode.stop()

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
        with self.changing(wake=True):
            pass

    def begin_anew(self) -> None:
        """Begins a new game from the start of this one, which stays in `aquakit.games()`.

        >>> board = Board("romana2-5x4")
        >>> board.play("b3=+@E4")
        >>> board.begin_anew()
        >>> board.position.player, board.record
        (1, <Record: romana2-5x4, 0 turns, result *>)
        """
        self.checked(self.mode.check_position)
        self.begin(self.record.start)

    def wait(self, seconds: float = 60) -> None:
        """Waits until no bot is thinking, at most so long.

        >>> board = Board("romana2-5x4", players={2: lambda position: "d2=7@Sd x-"})
        >>> board.play("b3=+@E4")
        >>> board.wait()
        >>> len(board.record.root.main()) - 1
        2
        """
        end = time.monotonic() + seconds
        while (thought := self.thinking()) is not None and (left := end - time.monotonic()) > 0:
            thought.wait(left)

    # Showing

    def _shown(self, problem: str) -> dict[str, Any]:
        """Gathers what the browser shows."""
        picture = self.moment.room("board.picture")
        measures = {"flip": self.flip, "coordinates": self.coordinates, "panel": self.panel}
        shown = {
            "picture": self._picture(),
            "places": {name: list(box) for name, box in picture.measure(self.moment.layout, **measures).items()},
            "offer": clicks.plain(self.mode.offer()),
            "walk": clicks.plain(self.walked) if self.walked else None,
            "can_back": self.mode.can_back,
            "can_undo": self.mode.can_undo,
            "can_redo": self.mode.can_redo,
            "bot": "thinking" if self.bots.is_thinking else "stopped" if self.mode.seat() else "",
            "problem": problem,
            "kept": {"keeps": self.keeper is not None and self.keeper.is_on, "going_on": self._tell_going_on()},
        }
        for panel in self.panels:
            shown |= panel.shown()
        return shown

    def _tell_going_on(self) -> str:
        """Says which kept game was gone on with, until it is changed."""
        if self.keeper is None or self._going_on is None:
            return ""
        if self.keeper.game != self._going_on:
            self._going_on = None
            return ""
        turns = self._going_on.turns
        return f"Going on with the game of {self._going_on.when:%d %B, %H:%M} ({turns} turn{'s' * (turns != 1)})."

    def _picture(self) -> str:
        """Draws the picture, unless nothing that is seen on it has changed, as while something is picked."""
        panel = "both" if self.panel else False
        asked = [self.visible, *self._drawn_with(theme="auto", panel=panel).items()]
        if asked != self._last_drawn:
            self._last_picture, self._last_drawn = str(self.svg(theme="auto", panel=panel)), asked
        return self._last_picture

    def _marked(self) -> tuple[Any, Any]:
        """Gets the highlights and the arrows to draw."""
        given, drawn = ({}, []) if self.mode.is_aside else (self.highlights, self.arrows)
        places: Places = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given, "")
        arrows: Arrows = [tuple(arrow) for arrow in drawn]
        for panel in self.panels:
            places, arrows = panel.mark(places, arrows)
        return places, arrows

    def svg(self, **options: Any) -> str:
        """Draws the board as it is shown now.

        >>> Board("romana2-5x4").svg(theme="dark", size=400)[:4]
        '<svg'
        """
        return self.visible.svg(**self._drawn_with(**options))

    def _drawn_with(self, **options: Any) -> dict[str, Any]:
        """Gets the options with which the picture is drawn."""
        turn, before = self.mode.last()
        highlights, arrows = self._marked()
        shown = {"last": turn, "before": before, "highlights": highlights, "arrows": arrows, "size": self.size}
        look = {"flip": self.flip, "coordinates": self.coordinates, "panel": self.panel}
        return {**shown, **look, "names": self.record.headers.names, **options}

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Gives the widget, and for where there is no kernel the picture and the plain text."""
        data, metadata = cast(tuple[dict[str, Any], dict[str, Any]], super()._repr_mimebundle_(**options))
        theme = "light" if self.theme == "auto" else self.theme
        data = {**data, "image/svg+xml": self.svg(theme=theme), "text/plain": self.visible.diagram()}
        return data, metadata

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.position)!r})"

    # Traits

    @traitlets.validate("position")
    def _check_position(self, proposal: Mapping[str, Any]) -> Any:
        if proposal["value"] is not self.moment:
            self.checked(self.mode.check_position)
        return self.checked(lambda: read_position(proposal["value"], self.moment.layout))

    @traitlets.validate("highlights", "arrows")
    def _check_marks(self, proposal: Mapping[str, Any]) -> Any:
        name, value = proposal["trait"].name, keep_own(proposal["value"])
        if value not in ({}, []):
            self.checked(lambda: self.moment.svg(**{name: value}))
        return value

    @traitlets.validate("flip", "animate", "coordinates", "panel", "hide")
    def _check_flag(self, proposal: Mapping[str, Any]) -> Any:
        return self.checked(lambda: read_flag(proposal["trait"].name, proposal["value"]))

    @traitlets.validate("pace")
    def _check_pace(self, proposal: Mapping[str, Any]) -> Any:
        return self.checked(lambda: read_pace(proposal["value"]))

    @traitlets.validate("theme")
    def _check_theme(self, proposal: Mapping[str, Any]) -> Any:
        return self.checked(lambda: read_theme(proposal["value"]))

    @traitlets.validate("size")
    def _check_size(self, proposal: Mapping[str, Any]) -> Any:
        return self.checked(lambda: read_size(proposal["value"]))

    @traitlets.validate("picked")
    def _check_picked(self, proposal: Mapping[str, Any]) -> Any:
        return self.checked(lambda: self._read_picked(proposal["value"]))

    def _read_picked(self, value: Any) -> list[str]:
        if not isinstance(value, list | tuple) or not all(isinstance(pick, str) for pick in value):
            raise InvalidOption("picked", show(value), "ids of what is offered, in a list")
        self.mode.ask(self.moment, value)
        return list(value)

    @traitlets.observe("position")
    def _position_set(self, change: Mapping[str, Any]) -> None:
        if change["new"] is not self.moment:
            self.begin(change["new"])

    @traitlets.observe("highlights", "arrows", "flip", "coordinates", "panel", "hide", "size", "picked")
    def _look_set(self, change: Mapping[str, Any]) -> None:
        self.look_changed()
        if change["name"] == "hide" and not self.is_quiet:
            self.send_state("position")

    def _messages(self) -> dict[str, Message]:
        """Gets what the browser can ask for, by name; panels add theirs."""
        return {
            "choose": Message(self.in_time(self.choose), decision=read_count, id=read_text),
            "enter": Message(self.in_time(self.enter), decision=read_count, number=read_text),
            "back": Message(self.in_time(self.back), decision=read_count),
            "undo": Message(self.undo),
            "redo": Message(self.redo),
            "earlier": Message(self.earlier),
            "later": Message(self.later),
            "stop": Message(self.stop),
            "resume": Message(self.resume),
            "anew": Message(self.begin_anew),
            "here": Message(lambda: self.send("here")),
        }


def _read_name(name: str | None) -> str | None:
    """Checks what a game is to be called."""
    if name is not None and not read_text("name", name).strip():
        raise InvalidOption("name", show(name), "a text that names the game")
    return name


def _is_option(name: str, trait: traitlets.TraitType[Any, Any]) -> bool:
    own = trait.this_class is not None and issubclass(trait.this_class, Board)
    return own and not trait.read_only and name not in ("position", "picked")
