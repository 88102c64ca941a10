"""Position: the immutable value people hold, in names, on top of the plain kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NamedTuple

from aquakit.compiled.runner import Playouts
from aquakit.core.position import BasePosition
from aquakit.errors import InvalidOption, InvalidPosition
from aquakit.romana import kernel, notation, reasons
from aquakit.romana.kernel import CLOSE, KINDS, NONE, OPEN, OVER, SEGMENTS, SETUP, State
from aquakit.romana.layout import Layout
from aquakit.romana.notation import Action, Turn, begin_setup, encode, letters, put_builders
from aquakit.romana.water import follow

_NO_CLOSING = Action("close", aqueduct="-")


class Aqueduct(NamedTuple):
    """An aqueduct as it lies on the board.

    >>> aqueduct = Position.start("romana4").play("c7=L@Nc x-").aqueducts[1]
    >>> aqueduct.name, aqueduct.length, aqueduct.squares, aqueduct.facing, aqueduct.sees
    ('R2', 1, ('c7',), 'd7', ('Nc', 'E7', 'Sc', 'W7'))
    """

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


class Position(BasePosition[Action]):
    """A position of Aqua Romana: the start of a turn, a moment inside one, of the setup, or a finished game.

    >>> p = Position.start("romana4")
    >>> len(p.actions()), p.stock, p.reserve, p.held
    (19, {'c': 21, 's': 21, 'b': 21, 'd': 21}, 'csbdj', ('', '', '', ''))
    >>> p.builders["Nc"], p.tiles["a8"], p.is_solo, p.layout.title
    ('c', 'F', False, 'Aqua Romana for four players')
    >>> [(a.name, a.length, a.facing) for a in p.aqueducts if a.owner == 2]
    [('Y1', 0, 'h7'), ('Y2', 0, 'i7'), ('Y3', 0, 'j8')]
    >>> p.play("c7=L@Nc x-").player
    2
    """

    __slots__ = ()

    kernel: ClassVar[ModuleType] = kernel
    notation: ClassVar[ModuleType] = notation
    reasons: ClassVar[ModuleType] = reasons
    layout_type = Layout
    turn_type = Turn
    title = "Aqua Romana"
    wishes: ClassVar[Mapping[str, str]] = {
        "setup": "The players place the master builders themselves before the first turn"
    }

    _layout: Layout
    _state: State
    _start: State
    _played: Turn

    # Making positions

    @classmethod
    def start(cls, layout: str | Path | Layout = "romana4", *, setup: bool = False) -> Position:
        """Creates the start of a game: with the ready-made arrangement [R12], or before the setup.

        >>> Position.start("romana2").builders["Nc"]
        'c'
        >>> len(Position.start("romana2", setup=True).builders)
        0
        """
        layout = Layout.load(layout)
        if not isinstance(setup, bool):
            raise InvalidOption("setup", repr(setup), "True or False")
        s = layout.bare_state()
        for square, code in layout.printed.items():
            kernel.lay(layout.tables, s, square, code)
        kernel.survey(layout.tables, s)
        s.stock[:] = layout.stock
        s.reserve[:] = [layout.reserve.count(letter) for letter in KINDS]
        if setup:
            begin_setup(layout, s)
        else:
            put_builders(s, layout.arrangement)
            kernel.begin_turn(layout.tables, s)
        return cls(layout, s)

    def solo(self, player: int) -> Position:
        """Gets the study position in which one player moves alone [S1].

        >>> study = Position.start("romana4").solo(3)
        >>> study.is_solo, study.play("i2=F@Si x-").player
        (True, 3)
        """
        number = self._read_player("player", player)
        self._check_turn_start()
        if self.is_over and not self._start.solo:
            raise InvalidPosition("position", "the game is over", "the start of a turn")
        s = self._start.copy()
        s.player, s.solo = number - 1, 1
        kernel.begin_turn(self._layout.tables, s)
        return Position(self._layout, s)

    def _check_turn_start(self) -> None:
        if self._played or self._start.phase == SETUP:
            where = "inside a turn" if self._played else "during the setup"
            raise InvalidPosition("position", where, "the start of a turn")

    # What the frame asks

    def _key(self) -> tuple[object, ...]:
        s = self._start
        player = NONE if s.phase == OVER and not s.solo else s.player
        fields = (s.tile, s.path, s.reserve, s.held, s.stock, s.score)
        return (*map(tuple, fields), player, s.idle, s.solo, s.phase == SETUP, self._played)

    def _encode(self, action: Action) -> int | None:
        code = encode(self._layout, action)
        return code if code in self._codes() else None

    def understood(self, following: Action | None) -> Action | None:
        """Gets x- where a written turn may leave it out."""
        left_out = self._state.phase == CLOSE and (following is None or following.what != "close")
        return _NO_CLOSING if left_out else None

    # Deciding

    def turns(self) -> Iterator[Turn]:
        """Iterates over the complete legal turns; inside a turn, over the ways to complete it.

        >>> sum(1 for turn in Position.start("romana2-7x6").turns())
        31
        """
        return self._complete(lambda position, rolls: (position._codes(), rolls))

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        """Plays uniformly random games to the end.

        >>> Position.start("romana2-5x4").playouts(1000, seed=1).actions
        15462
        """
        if self.is_solo:
            raise InvalidPosition("player", "a study position has no end to play to [S1]", "a game of all players")
        return super().playouts(count, seed)

    # Reading

    @property
    def layout(self) -> Layout:
        """The board as data."""
        return self._layout

    @property
    def is_solo(self) -> bool:
        """Whether one player moves alone [S1]."""
        return bool(self._state.solo)

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

    def winners(self) -> tuple[int, ...]:
        """Gets the players in the lead; several if they share it.

        >>> Position.start("romana3").winners()
        (1, 2, 3)
        """
        scores = self.scores()
        return tuple(player for player, score in enumerate(scores, start=1) if score == max(scores))

    def stopped(self, last: int) -> Position:
        """Gets the finished game if play stopped here: open aqueducts are scored, beginning with player `last`.

        >>> Position.start("romana4").play("c7=L@Nc x-").stopped(last=1).scores()
        (5, 0, 0, 0)
        """
        number = self._read_player("last", last)
        self._check_turn_start()
        s = self._start.copy()
        s.player, s.solo = number - 1, 0
        kernel.stop(self._layout.tables, s, s.open)
        return Position(self._layout, s)

    def study_points(self) -> int:
        """Gets the lone player's podium points in a study position, open aqueducts scored, without bonus [S2].

        >>> Position.start("romana4").solo(1).play("c7=L@Nc xR2 *c").study_points()
        1
        """
        if not self.is_solo:
            raise InvalidPosition("player", "is not alone", "a study position, such as solo(1) gives")
        self._check_turn_start()
        s, mine = self._start.copy(), self._layout.tables.mine[self._start.player]
        kernel.stop(self._layout.tables, s, mine)
        return sum(s.score[a] for a in range(len(self._layout.outlets)) if mine >> a & 1)

    # Showing

    def describe(self) -> dict[str, Any]:
        """Collects what the position holds, as plain data.

        >>> Position.start("romana4").describe()["stock"]
        {'c': 21, 's': 21, 'b': 21, 'd': 21}
        """
        return {
            "position": str(self),
            "layout": self._layout.name,
            "player": self.player,
            "phase": self.phase,
            "over": self.is_over,
            "idle": self.idle,
            "stock": self.stock,
            "reserve": self.reserve,
            "held": list(self.held),
            "builders": self.builders,
            "tiles": self.tiles,
            "aqueducts": [aqueduct._asdict() for aqueduct in self.aqueducts],
            "scores": list(self.scores()),
        }
