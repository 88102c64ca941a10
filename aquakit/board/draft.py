"""A position while it is edited: pieces are put and fields are set freely, and the game's own reader judges the result.

A game's own `draft` module has a `Draft`, which says what can be put where, what can be set, and how both are written.
In between a draft may be no position at all; it knows no rule, so it can always be changed further. Places are written
as in `aquakit.board.clicks`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from aquakit.board.clicks import Look
from aquakit.core.layouts import BaseLayout
from aquakit.core.notation import load_layout, split_fields, split_moment
from aquakit.core.options import show
from aquakit.core.plugins import MissingRoom
from aquakit.core.position import AnyPosition
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition

EMPTY = "."
"""What a text has where nothing stands."""


class Piece(NamedTuple):
    """Something that can be put on the board."""

    id: str
    """Its name, such as L, c, ^ or B3; empty for nothing, which clears a place."""
    label: str
    """What it is, in words."""
    icon: str = ""
    """The picture's definition that shows it, if there is one."""
    kind: str = ""
    """Its short name, which it shares with the same piece turned."""
    look: Look | None = None
    """How its places are shown, if otherwise than those of its palette."""


NOTHING = Piece("", "nothing", kind="nothing")


class Tools(NamedTuple):
    """A palette: pieces that can be put on one kind of place."""

    title: str
    pieces: tuple[Piece, ...]
    places: tuple[str, ...]
    look: Look = "square"
    """How its places are shown."""
    beside: tuple[str, ...] = ()
    """What takes its pieces too: pieces of the picture, such as podium=5, and places that stay as they are."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of its pieces."""
        return tuple(piece.id for piece in self.pieces)

    def find(self, piece: str) -> Piece:
        """Finds a piece by its id."""
        found = next((each for each in self.pieces if each.id == piece), None)
        if found is None:
            known = ", ".join(each.label for each in self.pieces)
            raise InvalidOption("piece", f"there is no {show(piece)} among {self.title}", f"one of {known}")
        return found

    def turned(self, piece: str, by: int = 1) -> str:
        """Gets the id of the same piece, turned further: the next one of its kind."""
        kind = self.find(piece).kind
        ring = [each.id for each in self.pieces if each.kind == kind]
        return ring[(ring.index(piece) + by) % len(ring)]


class Grip(NamedTuple):
    """A piece that can be taken up and put elsewhere."""

    on: str
    """Where it is: a place, or a piece of the picture, such as workman=R1."""
    title: str
    """The palette of its kind."""
    piece: str


class Option(NamedTuple):
    """A value that a field can have."""

    value: str
    label: str
    """What it means, in words."""


class Trouble(NamedTuple):
    """What keeps a draft from being a position."""

    text: str
    """What it is, in words."""
    on: tuple[str, ...]
    """The places and pieces of the picture that it is about."""
    fields: tuple[str, ...]
    """The fields that it is about."""


class Field(NamedTuple):
    """Something that is set in a form."""

    name: str
    """Its name among the fields, such as stock.c or player."""
    label: str
    value: str
    group: str
    """The heading under which it stands."""
    options: tuple[Option, ...] = ()
    """The values to choose from, if it is no number."""
    most: int | None = None
    """The largest number, if it is a number from 0 on."""

    def allows(self, value: str) -> bool:
        """Checks whether a value is of the right kind, whatever the rules say to it."""
        return value in self.values

    @property
    def values(self) -> tuple[str, ...]:
        """All values that it can have."""
        if self.most is None:
            return tuple(option.value for option in self.options)
        return tuple(map(str, range(self.most + 1)))


class BaseDraft(ABC):
    """A position while it is edited. Immutable; equal if layout and text are equal."""

    position_type: ClassVar[type[AnyPosition]]

    _layout: Any
    _board: Mapping[str, str]
    """What stands on each place, nothing included; the order of places is that of the text."""
    _values: Mapping[str, str]
    """The value of each field, and of fields that are not shown at present."""

    def __init__(self, text: str, layout: str | Path | BaseLayout | None = None) -> None:
        """Reads a draft's or a position's text; of a moment inside a turn, the turn's start."""
        if not isinstance(text, str):
            raise InvalidPosition("position", repr(text), "a line of text")
        start, _ = split_moment(text)
        kind = self.position_type.layout_type
        name = self._split(start)["layout"]
        self._layout = load_layout(name, None if layout is None else kind.load(layout), kind)
        self._board, self._values = self._read(self._split(start))
        if self.text != start or not self._could_be_made():
            # No draft writes this: the reader knows what is meant, or why nothing can be meant.
            position = self.position_type.parse(start, self._layout)
            self._board, self._values = self._read(self._split(str(position)))

    @classmethod
    def of(cls, position: AnyPosition) -> Self:
        """Begins with a position; inside a turn, with the turn's start."""
        return cls(str(position), position.layout)

    # What each game says for itself

    @abstractmethod
    def _read(self, fields: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Gets the board and the values from the text's fields; what fits nowhere may be left out."""

    @abstractmethod
    def _write(self) -> Sequence[str]:
        """Writes the text's fields after the layout."""

    @abstractmethod
    def _fixed(self) -> dict[str, str]:
        """Gets what the layout has on squares that cannot be changed."""

    @abstractmethod
    def _shown_on(self, position: Any) -> dict[str, str]:
        """Gets the pieces on a position's board, as they are at this moment."""

    @abstractmethod
    def tools(self) -> tuple[Tools, ...]:
        """Lists what can be put where; no place is in two of them."""

    @abstractmethod
    def fields(self) -> tuple[Field, ...]:
        """Lists what can be set."""

    @abstractmethod
    def balance(self) -> Self:
        """Gets the draft in which what lies beside the board fits what lies on it."""

    # What a game may say for itself

    def _grips_beside(self) -> Iterable[Grip]:
        """Lists what can be taken up beside the board."""
        return ()

    def _take_beside(self, on: str) -> Self:
        """Gets the draft without what was taken up beside the board, where that is counted; what fits follows."""
        return self

    def _put_beside(self, piece: str, target: str) -> Self:
        """Gets the draft with a piece put on something that only takes it: one of `beside` of its palette."""
        raise NotImplementedError

    def name_target(self, target: str) -> str:
        """Names what a piece is put on, in words."""
        return target.replace("=", " ")

    def _concerns(self, problem: AquakitError) -> Iterable[str]:
        """Lists places, pieces of the picture and fields that a problem is about without naming them."""
        return ()

    def _reword(self, text: str) -> str:
        """Says what the reader said without the codes of the text."""
        return text

    # Value

    @property
    def text(self) -> str:
        """The position text; no reader need accept it."""
        return " ".join((self._layout.ref or self._layout.name, *self._write()))

    @property
    def layout(self) -> Any:
        """The board as data."""
        return self._layout

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BaseDraft) or type(other) is not type(self):
            return NotImplemented
        return self.text == other.text and bool(self._layout == other._layout)

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        layout = "" if self._layout.is_builtin else f", layout={self._layout!r}"
        return f"Draft({self.text!r}{layout})"

    def _split(self, text: str) -> dict[str, str]:
        return split_fields(text, self.position_type.notation.FIELDS)

    def _could_be_made(self) -> bool:
        """Checks that everything on the board can be put there, and that every value can be set."""
        pieces = all(self._board[place] in tools.ids for tools in self.tools() for place in tools.places)
        return pieces and all(field.allows(field.value) for field in self.fields())

    def _field(
        self, name: str, label: str, group: str, options: tuple[Option, ...] = (), most: int | None = None
    ) -> Field:
        return Field(name, label, self._values[name], group, options, most)

    # Squares, which every game's text writes in rows from the north

    def _rows(self) -> list[tuple[str, ...]]:
        names, columns = self._layout.square_names, self._layout.columns
        return [names[i : i + columns] for i in range(len(names) - columns, -1, -columns)]

    def _read_squares(self, tokens: Sequence[str]) -> dict[str, str]:
        """Gets what stands on the squares that can be changed, as one reads."""
        names, fixed = [name for row in self._rows() for name in row], self._fixed()
        return {name: piece for name, piece in read_places(names, tokens).items() if name not in fixed}

    def _write_squares(self) -> str:
        held = {**self._board, **self._fixed()}
        return "/".join("".join(held[name] or EMPTY for name in row) for row in self._rows())

    # Editing

    def _with(self, board: Mapping[str, str], values: Mapping[str, str]) -> Self:
        made = object.__new__(type(self))
        made._layout = self._layout
        made._board, made._values = {**self._board, **board}, {**self._values, **values}
        return made

    def put(self, place: str, piece: str) -> Self:
        """Gets the draft with a piece, given by its id, on a place instead of what was there."""
        tools = next((tools for tools in self.tools() if place in tools.places), None)
        if tools is None:
            raise InvalidOption("place", f"nothing can be put on {place!r}", "a place that can be changed")
        if piece not in tools.ids:
            known = ", ".join(filter(None, tools.ids))
            raise InvalidOption("piece", f"{piece!r} cannot stand on {place}", f"{known}, or nothing")
        return self._with({place: piece}, {})

    def fit(self, before: BaseDraft) -> Self:
        """Keeps balanced what was balanced before a change, so that nothing is lost; what was set otherwise stays."""
        was, now = before.balance()._values, self.balance()._values
        kept = {name for name, value in before._values.items() if was[name] == value == self._values[name]}
        return self._with({}, {name: value for name, value in now.items() if name in kept})

    # Moving

    def palette(self, title: str) -> Tools:
        """Finds a palette by its title."""
        found = next((tools for tools in self.tools() if tools.title == title), None)
        if found is None:
            known = ", ".join(tools.title for tools in self.tools())
            raise InvalidOption("palette", f"there is no {show(title)}", f"one of {known}")
        return found

    def grips(self) -> tuple[Grip, ...]:
        """Lists what can be taken up, on the board and beside it."""
        on_board = [
            Grip(place, tools.title, self._board[place])
            for tools in self.tools()
            for place in tools.places
            if self._board[place]
        ]
        return (*on_board, *self._grips_beside())

    def grip(self, on: str) -> Grip:
        """Finds what can be taken up somewhere."""
        found = next((grip for grip in self.grips() if grip.on == on), None)
        if found is None:
            raise InvalidOption("place", f"nothing can be taken from {show(on)}", "a place with a piece")
        return found

    def drop(self, title: str, piece: str, target: str) -> Self:
        """Puts a piece of a palette on the board or beside it; what was balanced stays so."""
        return self._drop(title, piece, target).fit(self)

    def _drop(self, title: str, piece: str, target: str) -> Self:
        tools = self.palette(title)
        label = tools.find(piece).label
        if target in tools.places:
            return self.put(target, piece)
        if target not in tools.beside or not piece:
            raise InvalidOption("place", f"{label} cannot be put on {show(target)}", "a place that takes it")
        return self._put_beside(piece, target)

    def move(self, grip: Grip, target: str) -> Self:
        """Takes up a piece and puts it elsewhere, or away if no target is given; what was balanced stays so."""
        on = self.grip(grip.on).on
        left = self.put(on, "") if on in self._board else self._take_beside(on)
        return (left._drop(grip.title, grip.piece, target) if target else left).fit(self)

    def set(self, name: str, value: str) -> Self:
        """Gets the draft with another value in a field."""
        field = next((field for field in self.fields() if field.name == name), None)
        if field is None:
            known = ", ".join(field.name for field in self.fields())
            raise InvalidOption("field", f"there is no field {name!r}", f"one of {known}")
        if not field.allows(value):
            words = ", ".join(option.label for option in field.options)
            raise InvalidOption(name, repr(value), f"one of {words}" if field.most is None else f"0 … {field.most}")
        return self._with({}, {name: value})

    # Judging

    def position(self) -> Any:
        """Gets the position, or raises what the game's reader says."""
        return self.position_type.parse(self.text, self._layout)

    def problem(self) -> AquakitError | None:
        """Gets what is wrong and where, or none if the draft is a position."""
        try:
            self.position()
        except AquakitError as problem:
            return problem
        return None

    def trouble(self) -> Trouble | None:
        """Gets what is wrong in words, and all that it is about, or none if the draft is a position."""
        problem = self.problem()
        if problem is None:
            return None
        fields = {field.name: field for field in self.fields()}
        where = problem.where.removesuffix("s")
        about = list(self._concerns(problem))
        if not about:
            about = [name for name in fields if name.partition(".")[0] in (problem.where, where)]
        named = re.findall(r"[\w.]+", problem.problem)
        about += [place for place in self._board if place in named]
        title = fields[problem.where].label if problem.where in fields else problem.where
        text = str(type(problem)(title, self._reword(problem.problem), self._reword(problem.expected)))
        return Trouble(text, tuple(n for n in about if n not in fields), tuple(n for n in about if n in fields))

    def changes(self, shown: AnyPosition) -> dict[str, str]:
        """Gets the pieces, nothing included, on places where the board differs from the one shown."""
        if shown.layout != self._layout:
            raise InvalidOption("shown", f"lies on {shown.layout.name}", f"a position on {self._layout.name}")
        there = self._shown_on(shown)
        places = [place for tools in self.tools() for place in tools.places]
        return {place: self._board[place] for place in places if self._board[place] != there.get(place, "")}


def read_places(names: Sequence[str], tokens: Sequence[str]) -> dict[str, str]:
    """Gets what a text has on each place, nothing where it is too short."""
    return {
        name: "" if token == EMPTY else token for name, token in zip_longest(names, tokens[: len(names)], fillvalue="")
    }


def draft(position: AnyPosition) -> BaseDraft:
    """Begins to edit a position of any game that has a `board/draft.py`."""
    try:
        made: BaseDraft = position.room("board.draft").Draft.of(position)
    except MissingRoom:
        raise InvalidPosition("position", "cannot be edited in this game", "another game's position") from None
    return made
