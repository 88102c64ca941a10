"""Position: the immutable value people hold, in names, on top of the plain kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidPosition
from aquakit.notation import MOMENT, split_moment
from aquakit.romana import kernel
from aquakit.romana.kernel import CLOSE, KINDS, MOVE, NONE, OPEN, OVER, PICK, PLACE, SEGMENTS, SETUP, State, Work
from aquakit.romana.layout import Layout
from aquakit.romana.notation import (
    Action,
    Turn,
    decode,
    encode,
    letters,
    read_action,
    read_state,
    write_state,
)
from aquakit.romana.reasons import expected, why_not
from aquakit.romana.water import follow
from aquakit.runner import Playouts, Runner

if TYPE_CHECKING:
    from aquakit.romana.graph import WaterGraph

_NO_CLOSING = Action("close", aqueduct="-")


class Aqueduct(NamedTuple):
    """An aqueduct as it lies on the board."""

    name: str
    owner: int
    """The player who owns it, 1-based."""
    open: bool
    """Whether its workman is still on the board."""
    length: int
    squares: tuple[str, ...]
    """The squares passed, in order from the outlet; one passed twice stands twice."""
    end: str
    """The square on which it ends: the reservoir's at length 0."""
    facing: str | None
    """The square that its end faces, or none at the rim."""
    podium: int | None
    """The podium value scored, or none while it is open."""
    sees: tuple[str, ...]
    """The path squares in sight from its end, N E S W."""


class Position:
    """A position of Aqua Romana: the start of a turn, a moment inside one, of the setup, or a finished game.

    >>> p = Position.start("romana4")
    >>> len(p.actions())
    19
    >>> p.play("c7=L@Nc x-").player
    2
    """

    __slots__ = ("_layout", "_played", "_start", "_state")

    def __init__(self, layout: Layout, state: State, start: State | None = None, played: Turn | None = None) -> None:
        """Wraps a kernel's state; use `start` or `parse`."""
        self._layout = layout
        self._state = state
        self._start = start or state
        self._played = played or Turn()

    # Making positions

    @classmethod
    def start(cls, layout: str | Path | Layout = "romana4", *, setup: bool = False) -> Position:
        """Creates the start of a game: with the ready-made arrangement [R12], or before the setup."""
        layout = Layout.load(layout)
        s = layout.bare_state()
        for square, code in layout.printed.items():
            kernel.lay(layout.tables, s, square, code)
        kernel.survey(layout.tables, s)
        s.stock[:] = layout.stock
        s.reserve[:] = [layout.reserve.count(letter) for letter in KINDS]
        if setup:
            s.phase = SETUP
            s.spare[:] = [n - r for n, r in zip(layout.builders, s.reserve, strict=True)]
        else:
            s.path[:] = [KINDS.find(letter) for letter in layout.arrangement]
            kernel.begin_turn(layout.tables, s)
        return cls(layout, s)

    @classmethod
    def parse(cls, text: str, layout: str | Path | Layout | None = None) -> Position:
        """Reads a position text, moments inside a turn included; `str` writes it again.

        A layout need only be given if the text's first field is neither a built-in name nor a path.
        """
        start, tokens = split_moment(text)
        position = cls(*read_state(start, None if layout is None else Layout.load(layout)))
        try:
            position = position._follow(Turn.parse(tokens))
        except AquakitError as problem:
            raise InvalidPosition(f"turn: {problem.where}", problem.problem, problem.expected) from None
        if tokens and not position._played:
            raise InvalidPosition("turn", "the tokens complete a turn", "a moment before the turn's last action")
        return position

    def solo(self, player: int) -> Position:
        """Gets the study position in which one player moves alone [S1]."""
        if not 1 <= player <= len(self._layout.players):
            raise InvalidPosition("player", str(player), f"1 … {len(self._layout.players)}")
        if self._played or self._start.phase == SETUP or (self.is_over and not self._start.solo):
            raise InvalidPosition("position", "no study position begins here", "the start of a turn")
        s = self._start.copy()
        s.player, s.solo = player - 1, 1
        kernel.begin_turn(self._layout.tables, s)
        return Position(self._layout, s)

    # Value

    def __str__(self) -> str:
        text = write_state(self._layout, self._start)
        return f"{text}{MOMENT}{self._played}" if self._played else text

    def __repr__(self) -> str:
        layout = "" if self._layout.ref else f", layout={self._layout!r}"
        return f"Position.parse({str(self)!r}{layout})"

    def _key(self) -> tuple[object, ...]:
        """Gets what makes a position the one it is; everything else follows from it."""
        s = self._start
        player = NONE if s.phase == OVER and not s.solo else s.player
        fields = (s.tile, s.path, s.reserve, s.held, s.stock, s.score)
        return (*map(tuple, fields), player, s.idle, s.solo, s.phase == SETUP, self._played)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self is other or (self._key() == other._key() and self._layout == other._layout)

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.parse, (str(self), None if self._layout.ref else self._layout)

    # Deciding

    def _codes(self) -> list[int]:
        w = Work.new(self._layout.sizes)
        n = kernel.generate(self._layout.tables, self._state, w)
        return list(w.actions[:n])

    def actions(self) -> list[Action]:
        """Lists the legal actions of the decision at hand."""
        return [decode(self._layout, code) for code in self._codes()]

    def act(self, action: Action | str) -> Position:
        """Carries out an action, given as such or as a token, and goes on to the next decision."""
        if isinstance(action, str):
            action = read_action(action)
        code = encode(self._layout, action)
        if code not in self._codes():
            raise IllegalTurn(str(action), *why_not(self._layout, self._state, action))
        return self._apply(code, action)

    def _apply(self, code: int, action: Action) -> Position:
        s = self._state.copy()
        kernel.apply(self._layout.tables, s, code)
        new_turn = s.phase in (PLACE, MOVE) and action.what != "place"
        if new_turn or s.phase == OVER or self._state.phase == SETUP:
            return Position(self._layout, s)
        return Position(self._layout, s, self._start, Turn((*self._played, action)))

    def _follow(self, turn: Turn) -> Position:
        """Carries out the actions of a written turn, in which `x-` may be left out."""
        position = self
        for number, action in enumerate(turn):
            if position._state.phase == CLOSE and action.what != "close":
                position = position.act(_NO_CLOSING)
            if not position._played and (number or self._played):
                raise IllegalTurn(str(action), "the turn is complete before it")
            position = position.act(action)
        return position

    def turns(self) -> Iterator[Turn]:
        """Iterates over the complete legal turns; inside a turn, over the ways to complete it."""
        if self.is_over:
            return
        stack: list[tuple[Position, tuple[Action, ...]]] = [(self, ())]
        while stack:
            position, actions = stack.pop()
            for code in position._codes():
                action = decode(self._layout, code)
                after = position._apply(code, action)
                if after._played:
                    stack.append((after, (*actions, action)))
                else:
                    yield Turn((*actions, action))

    def play(self, turn: Turn | str) -> Position:
        """Plays a whole turn, given as such or as text, to the start of the next one."""
        if isinstance(turn, str):
            turn = Turn.parse(turn)
        if not turn:
            raise IllegalTurn("turn", "is empty", expected(self._layout, self._state)[1])
        position = self._follow(turn)
        if position._state.phase == CLOSE and position._played:
            position = position.act(_NO_CLOSING)
        if position._played:
            raise IllegalTurn(str(turn), "the turn is not complete", expected(self._layout, position._state)[1])
        return position

    def runner(self, *, fast: bool | None = None) -> Runner:
        """Gets the kernel with this layout's tables, compiled where that is possible."""
        layout = self._layout
        start = Position.start(layout)._state
        return Runner(
            kernel, layout.tables, start,
            players=len(layout.players), capacity=layout.capacity, exact=layout.sizes, fast=fast,
        )  # fmt: skip

    def perft(self, depth: int) -> int:
        """Counts the action sequences of a length.

        >>> Position.start("romana4").perft(3)
        4261
        """
        if depth < 0:
            raise ValueError(f"depth: {depth}; expected 0 or more")
        return self.runner().perft(self._state, depth)

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        """Plays uniformly random games to the end."""
        if self.is_solo:
            raise InvalidPosition("player", "a study position has no end to play to [S1]", "a game of all players")
        return self.runner().playouts(self._state, count, seed)

    # Reading

    @property
    def layout(self) -> Layout:
        """The board as data."""
        return self._layout

    @property
    def state(self) -> State:
        """The kernel's view, for `runner`; a copy."""
        return self._state.copy()

    @property
    def player(self) -> int | None:
        """The player who decides now, 1-based; in another player's turn for a pick; none when the game is over."""
        if self.is_over:
            return None
        if self._state.phase == PICK:
            return self._layout.outlets[kernel.next_due(self._layout.tables, self._state)].owner
        return self._state.player + 1

    @property
    def mover(self) -> int | None:
        """The player whose turn it is, 1-based; none when the game is over."""
        return None if self.is_over else self._state.player + 1

    @property
    def phase(self) -> str:
        """The decision at hand: setup, place, build, advance, extra, close, pick, or over."""
        if self._state.phase == SETUP:
            return "setup"
        return expected(self._layout, self._state)[0] or "over"

    @property
    def is_over(self) -> bool:
        """Whether there is no further action: the game is over, or a study's player has no workman left."""
        return self._state.phase == OVER

    @property
    def is_solo(self) -> bool:
        """Whether one player moves alone [S1]."""
        return bool(self._state.solo)

    @property
    def idle(self) -> int:
        """Turns in a row without a tile [R10]."""
        return self._state.idle

    @property
    def played(self) -> Turn:
        """The actions of the turn so far; empty at its start."""
        return self._played

    @property
    def stock(self) -> dict[str, int]:
        """Tiles left of each kind."""
        return dict(zip(KINDS, self._state.stock, strict=False))

    @property
    def reserve(self) -> str:
        """Builders in the reserve, as letters."""
        return letters(self._state.reserve)

    @property
    def held(self) -> tuple[str, ...]:
        """Builders that each player holds, as letters."""
        held = self._state.held
        return tuple(letters(held[5 * p : 5 * p + 5]) for p in range(len(self._layout.players)))

    @property
    def builders(self) -> dict[str, str]:
        """The builder on each occupied path square."""
        names = self._layout.path_names
        return {names[p]: KINDS[kind] for p, kind in enumerate(self._state.path) if kind != NONE}

    @property
    def tiles(self) -> dict[str, str]:
        """The tile on each square that holds one, printed ones included."""
        names, codes = self._layout.square_names, self._state.tile
        return {names[q]: kernel.CODES[code] for q, code in enumerate(codes) if SEGMENTS[code]}

    @property
    def aqueducts(self) -> tuple[Aqueduct, ...]:
        """All aqueducts, by player in turn order."""
        return tuple(self._aqueduct(a) for a in range(len(self._layout.outlets)))

    def _aqueduct(self, a: int) -> Aqueduct:
        layout, s = self._layout, self._state
        names, stand, face = layout.square_names, s.stand[a], s.face[a]
        return Aqueduct(
            name=layout.outlets[a].name,
            owner=layout.outlets[a].owner,
            open=s.score[a] == OPEN,
            length=s.length[s.tip[a]],
            squares=tuple(names[q] for q, *_ in follow(layout, s.tile, layout.outlets[a])),
            end=names[stand],
            facing=None if face == NONE else names[face],
            podium=None if s.score[a] == OPEN else s.score[a],
            sees=tuple(layout.path_names[p] for p in layout.tables.sight[4 * stand : 4 * stand + 4]),
        )

    def scores(self) -> tuple[int, ...]:
        """Gets each player's podium values and bonuses [R11] for the workmen on podiums."""
        w = Work.new(self._layout.sizes)
        kernel.count_points(self._layout.tables, self._state, w)
        return tuple(w.total[: len(self._layout.players)])

    def stopped(self, last: int) -> Position:
        """Gets the finished game if play stopped here: open aqueducts are scored, beginning with player `last`."""
        if not 1 <= last <= len(self._layout.players):
            raise InvalidOption("last", str(last), f"a player, 1 … {len(self._layout.players)}")
        s = self._start.copy()
        s.player, s.solo = last - 1, 0
        kernel.stop(self._layout.tables, s, s.open)
        return Position(self._layout, s)

    def study_points(self) -> int:
        """Gets the lone player's podium points in a study position, open aqueducts scored, without bonus [S2]."""
        if not self.is_solo:
            raise InvalidPosition("player", "is not alone", "a study position, such as solo(1) gives")
        s, mine = self._start.copy(), self._layout.tables.mine[self._start.player]
        kernel.stop(self._layout.tables, s, mine)
        return sum(s.score[a] for a in range(len(self._layout.outlets)) if mine >> a & 1)

    # Showing

    def graph(self) -> WaterGraph:
        """Builds the networkx graph of connectivity."""
        from aquakit.romana.graph import WaterGraph

        return WaterGraph.of(self)

    def svg(self, **options: Any) -> str:
        """Draws the board; the options are those of `aquakit.romana.picture.draw`."""
        from aquakit.romana.picture import draw

        return draw(self, **options)

    def _repr_svg_(self) -> str:
        return self.svg()

    def diagram(self) -> str:
        """Draws the board in plain text."""
        from aquakit.romana.picture import diagram

        return diagram(self)
