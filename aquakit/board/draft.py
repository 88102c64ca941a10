"""A position while it is edited: pieces are put and fields are set freely, and the game's own reader judges the result.

A game's own `draft` module has a `Draft`, which says what can be put where, what can be set, and how both are written.
In between a draft may be no position at all; it knows no rule, so it can always be changed further. Places are written
as in `aquakit.board.clicks`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from aquakit.board.clicks import Look
from aquakit.core.layouts import BaseLayout
from aquakit.core.notation import load_layout, split_fields, split_moment
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


NOTHING = Piece("", "nothing")


class Tools(NamedTuple):
    """A palette: pieces that can be put on one kind of place."""

    title: str
    pieces: tuple[Piece, ...]
    places: tuple[str, ...]
    look: Look = "square"
    """How its places are shown."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of its pieces."""
        return tuple(piece.id for piece in self.pieces)


class Field(NamedTuple):
    """Something that is set in a form."""

    name: str
    """Its name among the fields, such as stock.c or player."""
    label: str
    value: str
    group: str
    """The heading under which it stands."""
    options: tuple[str, ...] = ()
    """The values to choose from, if it is no number."""
    most: int | None = None
    """The largest number, if it is a number from 0 on."""

    def allows(self, value: str) -> bool:
        """Checks whether a value is of the right kind, whatever the rules say to it."""
        return value in (self.options if self.most is None else tuple(map(str, range(self.most + 1))))


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
        self, name: str, label: str, group: str, options: tuple[str, ...] = (), most: int | None = None
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

    def put_and_fit(self, place: str, piece: str) -> Self:
        """Puts a piece, and balances if putting back what was there would lead here again, so that nothing is lost."""
        made, former = self.put(place, piece), self._board[place]
        balanced = made.balance()
        return balanced if balanced.put(place, former).balance() == self else made

    def set(self, name: str, value: str) -> Self:
        """Gets the draft with another value in a field."""
        field = next((field for field in self.fields() if field.name == name), None)
        if field is None:
            known = ", ".join(field.name for field in self.fields())
            raise InvalidOption("field", f"there is no field {name!r}", f"one of {known}")
        if not field.allows(value):
            expected = f"one of {', '.join(field.options)}" if field.most is None else f"0 … {field.most}"
            raise InvalidOption(name, repr(value), expected)
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
