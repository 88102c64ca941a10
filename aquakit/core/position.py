"""What a position is in every game: an immutable value with decisions, turns, text, counts and pictures.

A game's own `Position` says how its texts are read and written, when a turn begins, and what the board holds; all that
follows from the kernel's protocol is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Self, TypeVar

from aquakit.compiled.runner import Playouts, Runner
from aquakit.core.layouts import BaseLayout
from aquakit.core.notation import MOMENT, split_moment
from aquakit.core.options import check_options, read_whole
from aquakit.core.plugins import MissingRoom, borrow, find_in
from aquakit.errors import AquakitError, IllegalTurn, InvalidPosition, InvalidTurn

ActionT = TypeVar("ActionT")
Rolls = tuple[int, ...]

DEEPEST = 200
"""How long the action sequences are that can be counted."""


class BaseTurn(tuple[ActionT, ...], ABC):
    """A turn's actions in order; `str(turn)` is its tokens.

    >>> from aquakit.romana import Turn
    >>> turn = Turn.parse("c7=L@Nc x-")
    >>> str(turn), turn[0].square, turn[1].what
    ('c7=L@Nc x-', 'c7', 'close')
    """

    __slots__ = ()

    mark: ClassVar[str] = " "
    """What stands between two tokens."""

    @classmethod
    @abstractmethod
    def read_action(cls, token: str) -> ActionT:
        """Reads one token, legal or not."""

    def __str__(self) -> str:
        return self.mark.join(str(action) for action in self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    @classmethod
    def read(cls, turn: Any) -> Self:
        """Gets a turn from a text, from actions or tokens in a row, or from a single action.

        >>> from aquakit.romana import Turn
        >>> Turn.read(["c7=L@Nc", "x-"]) == Turn.read("c7=L@Nc x-")
        True
        """
        if isinstance(turn, str):
            return cls.parse(turn)
        if hasattr(turn, "_fields"):
            turn = (turn,)
        if not isinstance(turn, Iterable):
            raise InvalidTurn(repr(turn), "is no turn", "its tokens as text, or its actions")
        return cls(cls.read_action(str(action)) for action in turn)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a turn's tokens, legal or not.

        >>> from aquakit.aquadukt import Turn
        >>> [action.what for action in Turn.parse("roll, die 2, 3 c4, stop")]
        ['roll', 'die', 'house', 'stop']
        """
        if not isinstance(text, str):
            raise InvalidTurn(repr(text), "is no text", "a turn's tokens")
        tokens = [token.strip() for token in text.split(cls.mark.strip() or None)] if text.strip() else []
        return cls(cls.read_action(token) for token in tokens)


class BasePosition(ABC, Generic[ActionT]):
    """A position: the start of a turn, a moment inside one, or a finished game.

    >>> import aquakit
    >>> position = aquakit.start("romana4")
    >>> position.layout.name, position.player, position.mover, position.phase, position.idle
    ('romana4', 1, 1, 'build', 0)
    >>> position.is_over, position.is_chance, len(position.played)
    (False, False, 0)
    """

    __slots__ = ("_layout", "_played", "_start", "_state")

    kernel: ClassVar[ModuleType]
    notation: ClassVar[ModuleType]
    """The game's texts: read_state, write_state, decode."""
    reasons: ClassVar[ModuleType]
    """The game's words: expected, why_not."""
    layout_type: ClassVar[type[BaseLayout]]
    turn_type: ClassVar[type[BaseTurn[Any]]]
    title: ClassVar[str] = ""
    """What people call the game."""
    wishes: ClassVar[Mapping[str, str]] = {}
    """What people may wish for at the start of a game, in words: options of `start` that are on or off, by name."""

    def __init__(self, layout: Any, state: Any, start: Any = None, played: Any = None) -> None:
        """Wraps a kernel's state; use `start` or `parse`."""
        self._layout = layout
        self._state = state
        self._start = start or state
        self._played = played or self.turn_type()

    # What each game says for itself

    @abstractmethod
    def _encode(self, action: ActionT) -> int | None:
        """Finds the kernel's action; none if it is not legal here, an error if the board does not have its names."""

    def understood(self, following: ActionT | None) -> ActionT | None:
        """Gets the action that a written turn may leave out before the given one, or at its end."""
        return None

    def _key(self) -> tuple[object, ...]:
        """Gets what makes a position the one it is; everything else follows from it."""
        return (self._write().split(" ", 1)[1], self._played)

    def _write(self) -> str:
        """Writes the start of the turn."""
        text: str = self.notation.write_state(self._layout, self._start)
        return text

    def _decode(self, code: int) -> ActionT:
        """Names the kernel's action."""
        action: ActionT = self.notation.decode(self._layout, code)
        return action

    def _expected(self) -> str:
        """Says what is to be decided, with an example."""
        text: str = self.reasons.expected(self._layout, self._state)[1]
        return text

    # Value

    @classmethod
    def parse(cls, text: str, layout: str | Path | BaseLayout | None = None) -> Self:
        """Reads a position text, moments inside a turn included; `str` writes it again.

        A layout has to be given if the text's first field is no built-in name, for a text opens no file.

        >>> from aquakit.aquadukt import Position
        >>> p = Position.start("aquadukt2-6x5", seed=1)
        >>> Position.parse(str(p)) == p
        True
        """
        if not isinstance(text, str):
            raise InvalidPosition("position", repr(text), "a line of text")
        start, tokens = split_moment(text)
        position = cls(*cls.notation.read_state(start, None if layout is None else cls.layout_type.load(layout)))
        try:
            _, position = position.follow(tokens)
        except AquakitError as problem:
            raise InvalidPosition(f"turn: {problem.where}", problem.problem, problem.expected) from None
        if tokens and not position._played:
            raise InvalidPosition("turn", "the tokens complete a turn", "a moment before the turn's last action")
        return position

    def __str__(self) -> str:
        text = self._write()
        return f"{text}{MOMENT}{self._played}" if self._played else text

    def __repr__(self) -> str:
        layout = "" if self._layout.is_builtin else f", layout={self._layout!r}"
        return f"Position.parse({str(self)!r}{layout})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BasePosition) or type(other) is not type(self):
            return NotImplemented
        return self is other or (self._key() == other._key() and self._layout == other._layout)

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse, (str(self), None if self._layout.is_builtin else self._layout)

    # Deciding

    def _codes(self) -> list[int]:
        """Lists the kernel's legal actions."""
        work = self.kernel.Work.new(self._layout.sizes)
        count = self.kernel.generate(self._layout.tables, self._state, work)
        return list(work.actions[:count])

    def actions(self) -> list[ActionT]:
        """Lists the legal actions of the decision at hand.

        >>> import aquakit
        >>> [str(action) for action in aquakit.start("romana2-5x4").actions()][:3]
        ['b3=L@Nb', 'b3=J@Nb', 'b3=+@E4']
        """
        return [self._decode(code) for code in self._codes()]

    def act(self, action: ActionT | str) -> Self:
        """Carries out an action, given as such or as a token, and goes on to the next decision.

        >>> import aquakit
        >>> moment = aquakit.start("romana2-5x4").act("b3=+@E4")
        >>> moment.phase, str(moment.played), [str(action) for action in moment.actions()]
        ('close', 'b3=+@E4', ['x-', 'xR1'])
        """
        made = self.turn_type.read_action(str(action))
        code = self._encode(made)
        if code is None:
            raise IllegalTurn(str(made), *self.reasons.why_not(self._layout, self._state, made))
        return self._apply(code, made)

    def _apply(self, code: int, action: ActionT) -> Self:
        s = self._state.copy()
        self.kernel.apply(self._layout.tables, s, code)
        if self.kernel.is_over(s) or s.ended != self._state.ended:
            return type(self)(self._layout, s)
        return type(self)(self._layout, s, self._start, self.turn_type((*self._played, action)))

    def follow(self, turn: Iterable[ActionT | str] | str) -> tuple[list[ActionT], Self]:
        """Carries out a written turn as far as it goes; gets its actions, with what is left out between them.

        >>> import aquakit
        >>> done, moment = aquakit.start("aquadukt2").follow("roll, die 7")
        >>> len(done), moment.phase
        (2, 'house')
        """
        position, done = self, list[ActionT]()
        for action in self.turn_type.read(turn):
            if (understood := position.understood(action)) is not None:
                position = position.act(understood)
                done.append(understood)
            if not position._played and (done or self._played):
                raise IllegalTurn(str(action), "the turn is complete before it")
            position = position.act(action)
            done.append(action)
        return done, position

    def play(self, turn: Iterable[ActionT | str] | str) -> Self:
        """Plays a whole turn, given as text or as its actions, to the start of the next one.

        >>> import aquakit
        >>> aquakit.start("romana2-5x4").play("b3=+@E4 xR1 *j").scores()
        (5, 0)
        >>> aquakit.start("romana2-5x4").play("b3=Z@E4")
        Traceback (most recent call last):
        aquakit.errors.IllegalTurn: b3=Z@E4: builder b on E4 does not offer Z ...
        """
        return self.carry_out(turn)[1]

    def carry_out(self, turn: Iterable[ActionT | str] | str) -> tuple[BaseTurn[ActionT], Self]:
        """Plays a whole turn as `play` does, and gets it too, with what a written turn may leave out.

        >>> import aquakit
        >>> turn, after = aquakit.start("romana2-5x4").carry_out("b3=+@E4")
        >>> str(turn), after.player
        ('b3=+@E4 x-', 2)
        """
        made = self.turn_type.read(turn)
        if not made:
            raise IllegalTurn("turn", "is empty", self._expected())
        done, position = self.follow(made)
        if position._played and (understood := position.understood(None)) is not None:
            position = position.act(understood)
            done.append(understood)
        if position._played:
            raise IllegalTurn(str(made), "the turn is not complete", position._expected())
        return self.turn_type(done), position

    @abstractmethod
    def turns(self) -> Iterator[Any]:
        """Iterates over the complete legal turns; inside a turn, over the ways to complete it.

        >>> import aquakit
        >>> sum(1 for turn in aquakit.start("romana2-5x4").turns())
        15
        """

    def _complete(self, choose: Callable[[Any, Rolls], tuple[list[int], Rolls]], rolls: Rolls = ()) -> Iterator[Any]:
        """Iterates over the turns made of the actions chosen at each decision, which may use up given rolls."""
        if self.is_over:
            return
        stack: list[tuple[Any, tuple[ActionT, ...], Rolls]] = [(self, (), rolls)]
        while stack:
            position, actions, left = stack.pop()
            codes, left = choose(position, left)
            for code in codes:
                action = self._decode(code)
                after = position._apply(code, action)
                if after._played:
                    stack.append((after, (*actions, action), left))
                else:
                    yield self.turn_type((*actions, action))

    # Counting

    def runner(self, *, fast: bool | None = None) -> Runner:
        """Gets the kernel with this layout's tables, compiled where that is possible."""
        return Runner(self.kernel, self._layout, self._state, fast=fast)

    def perft(self, depth: int) -> int:
        """Counts the action sequences of a length.

        >>> import aquakit
        >>> aquakit.start("romana4").perft(3)
        4261
        """
        return self.runner().count(self._state, read_whole("depth", depth, most=DEEPEST))

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        """Plays uniformly random games to the end.

        >>> import aquakit
        >>> found = aquakit.start("romana2-5x4").playouts(1000, seed=1)
        >>> found.games, [round(points / found.games, 1) for points in found.points]
        (1000, [7.6, 6.2])
        """
        games = read_whole("count", count, most=10**12)
        return self.runner().play_out(self._state, games, read_whole("seed", seed, most=2**64))

    def _read_player(self, name: str, player: int) -> int:
        """Checks a player's number."""
        return read_whole(name, player, least=1, most=self._layout.tables.players)

    # Reading

    @property
    def layout(self) -> Any:
        """The board as data."""
        return self._layout

    @property
    def state(self) -> Any:
        """The kernel's view, for `runner`; a copy."""
        return self._state.copy()

    @property
    def played(self) -> Any:
        """The actions of the turn so far; empty at its start."""
        return self._played

    def rewind(self) -> Self:
        """Gets the start of the turn.

        >>> import aquakit
        >>> start = aquakit.start("romana2-5x4")
        >>> start.act("b3=+@E4").rewind() == start
        True
        """
        return type(self)(self._layout, self._start) if self._played else self

    @property
    def is_over(self) -> bool:
        """Whether there is no further action."""
        return bool(self.kernel.is_over(self._state))

    @property
    def phase(self) -> str:
        """The decision at hand, in a word."""
        word: str = self.reasons.expected(self._layout, self._state)[0]
        return word

    @property
    def is_chance(self) -> bool:
        """Whether chance decides now; `actions()` are its outcomes, equally likely."""
        return not self.is_over and bool(self.kernel.decider(self._layout.tables, self._state) < 0)

    @property
    def mover(self) -> int | None:
        """The player whose turn it is, 1-based; none when the game is over."""
        return None if self.is_over else self._state.player + 1

    @property
    def player(self) -> int | None:
        """The player who decides now, 1-based; in another player's turn for a pick; none when the game is over."""
        if self.is_over or self.is_chance:
            return self.mover
        return int(self.kernel.decider(self._layout.tables, self._state)) + 1

    @property
    def idle(self) -> int:
        """Turns in a row that count as idle."""
        return int(self._state.idle)

    def scores(self) -> tuple[int, ...]:
        """Gets each player's points as they stand.

        >>> import aquakit
        >>> aquakit.start("romana4").scores()
        (0, 0, 0, 0)
        """
        work = self.kernel.Work.new(self._layout.sizes)
        self.kernel.count_points(self._layout.tables, self._state, work)
        return tuple(work.total[: self._layout.tables.players])

    # Showing

    def graph(self) -> Any:
        """Builds the networkx graph of the water: the `WaterGraph` of the game's `graph` module.

        >>> import aquakit
        >>> aquakit.start("romana4").play("c7=L@Nc x-").graph().path("R2").end
        'c7'
        >>> len(aquakit.start("aquadukt2").graph().spring_sites())
        113
        """
        try:
            room = self.room("graph")
        except MissingRoom:
            raise InvalidPosition("position", "has no graph in this game", "another game's position") from None
        return room.WaterGraph.of(self)

    @classmethod
    def room(cls, name: str) -> ModuleType:
        """Gets a module of the game's package, or what stands in for it; it is loaded when first needed."""
        return find_in(cls.__module__.rpartition(".")[0], name)

    def view(self) -> Self:
        """Gets what the players see, if the position holds more than that.

        >>> import aquakit
        >>> city = aquakit.start("aquadukt2-6x5", seed=1, events="mf")
        >>> str(city).split()[-1], str(city.view()).split()[-1]
        ('mf', '??')
        """
        return self

    def svg(self, **options: Any) -> str:
        """Draws the board; the options are those of `draw` in the game's `picture` module.

        >>> import aquakit
        >>> aquakit.start("romana4").svg(sight="R1", theme="dark", size=600)[:4]
        '<svg'
        """
        draw: Callable[..., str] = self.room("board.picture").draw
        check_options(options, draw, "this picture")
        return draw(self, **options)

    def diagram(self) -> str:
        """Draws the board in plain text.

        >>> import aquakit
        >>> print(aquakit.start("romana2-5x4").diagram().partition("Player")[2].splitlines()[0])
         1 (Red) to build.
        """
        text: str = self.room("board.picture").diagram(self)
        return text

    def tell(self, turn: Iterable[ActionT | str] | str, length: str = "medium") -> str:
        """Says a turn in words: short, medium (all that is decided) or full (also what comes of it).

        A turn may end inside, such as with the roll of a die.

        >>> import aquakit
        >>> position = aquakit.start("romana4")
        >>> position.tell("c7=L@Nc x-", "short")
        'curve on c7'
        >>> position.tell("c7=L@Nc x-")
        'curve on c7 by the builder on Nc, nothing closed'
        >>> position.tell("c7=L@Nc xR2 *j", "full")
        'curve from north to east on c7 by the builder on Nc, R2 closed (length 1, podium 1, 1 point), joker taken'
        >>> aquakit.start("aquadukt2").tell("roll, die 7, 3 e3, stop")
        '3 houses on e3 (rolled 7), no further roll'
        """
        words: str = borrow("tell")(self, turn, length)
        return words

    def board(self, **options: Any) -> Any:
        """Gets a board to play on from here, for notebooks; the options are those of `aquakit.Board`.

        >>> import aquakit
        >>> aquakit.start("romana2-5x4").board(flip=True, size=500).flip
        True
        """
        return borrow("Board")(self, **options)

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Collects what the position holds, as plain data.

        >>> import aquakit
        >>> sorted(aquakit.start("romana4").describe())[:6]
        ['aqueducts', 'builders', 'held', 'idle', 'layout', 'over']
        """

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": f"{self.diagram()}\n\n{self!r}"}


AnyPosition = BasePosition[Any]
"""A position of any game."""
