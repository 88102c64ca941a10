"""Reads a record's text line by line, and tells of every line that is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from aquakit.core import games
from aquakit.core.layouts import BaseLayout
from aquakit.core.position import AnyPosition
from aquakit.core.record.headers import NO_TEXT, Headers, check_text
from aquakit.core.record.tree import Node
from aquakit.core.record.writing import INDENT, OPEN, VERSION
from aquakit.errors import AquakitError, InvalidRecord, shorten

_TURN = re.compile(r"([1-9][0-9]{0,8})\.(.*)")


class Planted(Protocol):
    """What the reader asks of a record that it fills."""

    @property
    def root(self) -> Node:
        """Where the turns that are read begin."""
        ...

    @property
    def result(self) -> str:
        """The result that the turns lead to."""
        ...


RecordT = TypeVar("RecordT", bound=Planted)
Maker = Callable[[AnyPosition, Headers], RecordT]
"""Makes a record without turns."""


def read_record(
    text: str,
    layout: str | Path | BaseLayout | None,
    make: Maker[RecordT],
    source: str = "",
    *,
    folder: Path | None = None,
) -> RecordT:
    """Reads a text; an error says in which line of which source, and holds all that could be read.

    Its layout may lie in the folder, which is that of the record's file.
    """
    reader = _Reader(make, folder)
    record = reader.read(text, layout)
    if record is not None and not reader.problems:
        return record
    problems = tuple(sorted(reader.problems.items()))
    line, message = problems[0]
    raise InvalidRecord(f"{source}line {line}", message, problems=problems, record=record)


class _Level(NamedTuple):
    """How far a line of play is read, at one depth of variations."""

    number: int
    """The last turn's."""
    parent: Node | None
    """What the last turn was played from; none if it was lost with a bad line."""
    node: Node | None
    """The last turn; none if it was lost."""


_LOST = _Level(-1, None, None)


class _Reader(Generic[RecordT]):
    """Reads a record line by line; goes on after a bad line with whatever does not depend on it."""

    def __init__(self, make: Maker[RecordT], folder: Path | None) -> None:
        self.make = make
        self.folder = folder
        self.problems: dict[int, str] = {}
        self.line = 1
        self.levels: list[_Level] = []
        self.comments: dict[Node, list[str]] = {}
        self.result: tuple[int, str] | None = None

    def note(self, problem: AquakitError) -> None:
        """Notes what is wrong with the line at hand; only the first, since the others follow from it."""
        self.problems.setdefault(self.line, str(problem))

    def read(self, text: str, layout: str | Path | BaseLayout | None) -> RecordT | None:
        """Reads a whole text; gets nothing if its start cannot be read."""
        written = list(self._lines(text)) or [(1, "")]
        lines = self._read_version(written)
        place = next((place for place, (_, line) in enumerate(lines) if line.startswith("start:")), None)
        if place is None:
            self.line, _ = written[-1]
            self.note(InvalidRecord("start", "is missing", "start: and a position"))
            return None
        headers = self._read_headers(lines[:place])
        self.line, start = lines[place]
        try:
            position = games.parse(start.removeprefix("start:"), layout, folder=self.folder)
            record = self.make(position, headers)
        except AquakitError as problem:
            self.note(problem)
            return None
        self._read_tree(lines[place + 1 :], record)
        return record

    def _lines(self, text: str) -> Iterator[tuple[int, str]]:
        """Iterates over the lines that are not blank, with their numbers."""
        for self.line, line in enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
            try:
                check_text("text", line)
            except InvalidRecord as problem:
                self.note(problem)
            if line.strip():
                yield self.line, NO_TEXT.sub("\ufffd", line)

    def _read_version(self, lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Checks the first line and gets the others; all of them if it is something else."""
        self.line, first = lines[0]
        if first.rstrip() != VERSION:
            self.note(InvalidRecord("version", repr(shorten(first)), VERSION))
        return lines[1:] if first.startswith("aquakit record") else lines

    def _read_headers(self, lines: list[tuple[int, str]]) -> Headers:
        headers = Headers({})
        for self.line, line in lines:
            name, colon, value = line.partition(":")
            if not colon:
                self.note(InvalidRecord(repr(shorten(line)), "is no header", "a name, a colon and a value"))
            elif name in headers:
                self.note(InvalidRecord(f"header {shorten(name)}", "stands there twice", "each name once"))
            else:
                try:
                    headers[name] = value
                except InvalidRecord as problem:
                    self.note(problem)
        return headers

    def _read_tree(self, lines: list[tuple[int, str]], record: RecordT) -> None:
        self.levels = [_Level(0, None, record.root)]
        for self.line, line in lines:
            if self.result is not None:
                self.note(InvalidRecord(repr(shorten(line)), "stands after the result", "the result at the end"))
            try:
                self._read_line(line)
            except AquakitError as problem:
                self.note(problem)
        for node, comment in self.comments.items():
            node.comment = "\n".join(comment)
        self._check_result(record)

    def _read_line(self, line: str) -> None:
        content = line.lstrip(" ")
        depth, rest = divmod(len(line) - len(content), len(INDENT))
        if rest:
            raise InvalidRecord("indentation", "an odd number of spaces", "two for each step into variations")
        if content.startswith(";"):
            self._read_comment(depth, content[1:].removeprefix(" "))
        elif match := _TURN.fullmatch(content):
            self._read_turn(depth, int(match[1]), match[2])
        elif line.startswith("result:"):
            self.result = self.line, " ".join(line.removeprefix("result:").split())
        else:
            raise InvalidRecord(repr(shorten(content)), "cannot be read", "a turn, a comment or the result")

    def _read_comment(self, depth: int, text: str) -> None:
        if depth >= len(self.levels):
            raise InvalidRecord("comment", "stands deeper than any turn before it", "the depth of its turn")
        node = self.levels[depth].node
        if node is not None:
            self.comments.setdefault(node, []).append(text)

    def _read_turn(self, depth: int, number: int, text: str) -> None:
        parent = self._find_parent(depth, number)
        self.levels[depth:] = [_Level(number, parent, None)]
        if parent is not None:
            self.levels[depth] = _Level(number, parent, _add(parent, text))

    def _find_parent(self, depth: int, number: int) -> Node | None:
        """Finds the node that a turn is played from; none if that was lost with a bad line."""
        self.levels += [_LOST] * (depth - len(self.levels))
        above = self.levels[depth - 1] if depth else _LOST
        here = self.levels[depth] if depth < len(self.levels) else _LOST
        if number == above.number:
            return above.parent
        if number == here.number + 1:
            return here.node
        if here is _LOST and above.node is not None and number == above.number + 1:
            self.note(InvalidRecord(f"turn {number}", "is a variation on a missing turn", "that turn before it"))
            self.levels[depth - 1] = _Level(number, above.node, None)
            return above.node
        last = above if here is _LOST else here
        if last is _LOST or last.parent or last.node:
            expected = "the number after the last turn, or that of the turn it is a variation on"
            self.note(InvalidRecord(f"turn {number}", "stands in the wrong place", expected))
        return None

    def _check_result(self, record: RecordT) -> None:
        if self.result is None:
            self.note(InvalidRecord("result", "is missing", f"result: and {OPEN} or the points"))
            return
        self.line, result = self.result
        if self.levels[0].node is not None and result != record.result:
            self.note(InvalidRecord("result", repr(shorten(result)), f"{record.result} as the main line has it"))


def _add(parent: Node, text: str) -> Node:
    """Plays a turn that is not there yet."""
    known = len(parent.children)
    node = parent.play(text)
    if len(parent.children) == known:
        raise InvalidRecord(str(node.turn), "stands there already", "each turn once after the same turns")
    return node
