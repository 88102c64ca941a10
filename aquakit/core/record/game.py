"""A record: a game from some start, with headers, comments and nested variations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from aquakit.core.files import read_bytes, write_atomically
from aquakit.core.layouts import BaseLayout
from aquakit.core.position import AnyPosition, BasePosition
from aquakit.core.record.headers import Headers
from aquakit.core.record.reading import read_record
from aquakit.core.record.tree import Node
from aquakit.core.record.writing import OPEN, write_head, write_node, write_result
from aquakit.errors import InvalidRecord, shorten


class Record:
    """A game from some start: headers, and a tree of turns with comments.

    >>> import aquakit
    >>> record = Record(aquakit.start("romana4"), {"event": "Club evening"})
    >>> record.root.play("c7=L@Nc").comment = "A long way to go."
    >>> print(str(record).replace(str(record.start), "…"))
    aquakit record 1
    event: Club evening
    start: …
    <BLANKLINE>
    1. c7=L@Nc x-
    ; A long way to go.
    result: *
    <BLANKLINE>
    """

    def __init__(self, start: AnyPosition, headers: Mapping[str, str] | None = None) -> None:
        if not isinstance(start, BasePosition):
            raise InvalidRecord("start", shorten(repr(start)), "a position")
        if start.played:
            raise InvalidRecord("start", "is a moment inside a turn", "the start of a turn")
        self.headers: Final = Headers({} if headers is None else headers)
        self.root: Final = Node(start)

    @property
    def start(self) -> AnyPosition:
        """The position before the first turn."""
        return self.root.position

    @property
    def result(self) -> str:
        """Each player's points if the main line ends the game, otherwise `*`."""
        last = self.root.main()[-1].position
        return " ".join(map(str, last.scores())) if last.is_over else OPEN

    def at(self, path: Sequence[int]) -> Node:
        """Gets the node that a path leads to.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4").play("d2=7@Sd")
        >>> node.path, record.at((0, 0)) is node
        ((0, 0), True)
        """
        if not isinstance(path, Sequence) or not all(isinstance(place, int) for place in path):
            raise InvalidRecord("path", shorten(repr(path)), "places among siblings, such as (0, 0, 1)")
        node = self.root
        for place in path:
            children = node.children
            if not 0 <= place < len(children):
                raise InvalidRecord("path", f"{place} after turn {node.number}", f"less than {len(children)}")
            node = children[place]
        return node

    # Text

    @classmethod
    def parse(cls, text: str, layout: str | Path | BaseLayout | None = None) -> Record:
        """Reads a record's text; an error holds all that could be read.

        A layout has to be given if the start's first field is no built-in name, for a text opens no file.

        >>> import aquakit
        >>> record = Record(aquakit.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4")
        >>> record = Record.parse(str(record))
        >>> record.root.main()[-1], record.result, record.start.player
        (<Node: 1. b3=+@E4 x->, '*', 1)
        """
        if not isinstance(text, str):
            raise InvalidRecord("record", shorten(repr(text)), "a text")
        return read_record(text, layout, cls)

    def __str__(self) -> str:
        turns = [line for node, depth in self.root.rows() for line in write_node(node, depth)]
        return "\n".join([*write_head(self.headers, self.start), *turns, write_result(self.result), ""])

    def __repr__(self) -> str:
        return f"<Record: {self.start.layout.name}, {len(self.root.main()) - 1} turns, result {self.result}>"

    def __reduce__(self) -> tuple[Any, ...]:
        layout = self.start.layout
        return Record.parse, (str(self), None if layout.is_builtin else layout)

    # Files

    @classmethod
    def load(cls, path: str | Path, layout: str | Path | BaseLayout | None = None) -> Record:
        """Reads a record's file; see `parse`. A layout's file is found by its plain name if it lies beside the record.

        >>> import aquakit
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Record(aquakit.start("romana4")).save(f"{folder}/game.txt")
        ...     Record.load(f"{folder}/game.txt")
        <Record: romana4, 0 turns, result *>
        """
        try:
            # What is not UTF-8 becomes lone surrogates, so that the reader can name its line and go on.
            text = read_bytes(path).decode("utf-8", "surrogateescape")
        except (OSError, TypeError) as problem:
            raise _no_file(path, "read", problem) from None
        return read_record(text, layout, cls, f"{Path(path).name}, ", folder=Path(path).parent)

    def save(self, path: str | Path) -> None:
        """Writes the record to a file, which is there whole or as it was before.

        >>> import aquakit
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Record(aquakit.start("romana4")).save(f"{folder}/game.txt")
        ...     Path(folder, "game.txt").read_text("utf-8").splitlines()[0]
        'aquakit record 1'
        """
        text = str(self)
        try:
            write_atomically(path, text)
        except (OSError, TypeError, ValueError) as problem:
            raise _no_file(path, "written", problem) from None


def _no_file(path: Any, done: str, problem: Exception) -> InvalidRecord:
    reason = getattr(problem, "strerror", None) or problem
    return InvalidRecord(shorten(str(path), 200), f"cannot be {done}: {reason}", "the path of a record's file")
