"""Keeps games with comments and nested variations, and reads and writes them as text so that nothing is lost.

The text's form is laid down in `docs/records.md`. A tree can be as deep as it likes: every walk is a loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from aquakit.core import games
from aquakit.core.files import write_atomically
from aquakit.core.layouts import BaseLayout
from aquakit.core.position import AnyPosition, BasePosition, BaseTurn
from aquakit.errors import AquakitError, InvalidRecord, shorten

VERSION = "aquakit record 1"
INDENT = "  "
OPEN = "*"
"""The result of a game that is not over."""

_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HEADER = re.compile(r"[^\W\d_](?:[\w -]*[\w-])?")
_RESERVED = ("start", "result")
_TURN = re.compile(r"([1-9][0-9]{0,8})\.(.*)")


def _read_text(where: str, text: str) -> str:
    """Checks a text and gives its lines one kind of end."""
    if not isinstance(text, str):
        raise InvalidRecord(where, shorten(repr(text)), "a text")
    made = text.replace("\r\n", "\n").replace("\r", "\n")
    if bad := _NO_TEXT.search(made):
        raise InvalidRecord(where, f"holds {bad[0]!r}", "text in UTF-8 without control characters")
    return made


class Headers(MutableMapping[str, str]):
    """What is known about a game, by name and in order; whatever is put in is checked.

    >>> headers = Headers({"event": "Club evening"})
    >>> headers["player 1"] = "Ada"
    >>> dict(headers)
    {'event': 'Club evening', 'player 1': 'Ada'}
    """

    def __init__(self, headers: Mapping[str, str]) -> None:
        if not isinstance(headers, Mapping):
            raise InvalidRecord("headers", shorten(repr(headers)), "names and values")
        self._values: dict[str, str] = {}
        self.update(headers)

    def __setitem__(self, name: str, value: str) -> None:
        if not isinstance(name, str) or not _HEADER.fullmatch(name) or name.lower() in _RESERVED:
            expected = "letters, digits, spaces, - and _ after a first letter, but not start or result"
            raise InvalidRecord("header", f"{shorten(repr(name))} is no name", expected)
        where = f"header {shorten(name)}"
        made = _read_text(where, value)
        if "\n" in made:
            raise InvalidRecord(where, "has several lines", "one line")
        self._values[name] = made.strip()

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values})"


class Node:
    """A turn of a record and the position after it, or the start.

    Its children are the turns known to follow; the first is the main continuation, the others are variations.

    >>> record = Record(games.start("romana2-5x4"))
    >>> first = record.root.play("b3=+@E4")
    >>> first.number, str(first.turn), first.position.player, first.parent is record.root, first.path
    (1, 'b3=+@E4 x-', 2, True, (0,))
    >>> first.comment = "Two ways are open."
    >>> record.root.play("b3=L@Nb").comment, record.root.children
    ('', (<Node: 1. b3=+@E4 x->, <Node: 1. b3=L@Nb x->))
    """

    __slots__ = ("_children", "_comment", "_parent", "number", "position", "turn")

    def __init__(self, position: AnyPosition, turn: BaseTurn[Any] | None = None, parent: Node | None = None) -> None:
        """Begins a tree; `play` makes the other nodes."""
        self.position: Final = position
        """The position after the turn: the start of the next one, or a finished game."""
        self.turn: Final = turn
        """The turn with all its actions; none at the root."""
        self.number: Final[int] = 0 if parent is None else parent.number + 1
        """The turn's number: 0 at the root."""
        self._parent = parent
        self._children: dict[Any, Node] = {}
        self._comment = ""

    def __repr__(self) -> str:
        return "<Node: start>" if self.turn is None else f"<Node: {self.number}. {self.turn}>"

    # Reading

    @property
    def parent(self) -> Node | None:
        """The node before; none at the root."""
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes after it, the main continuation first."""
        return tuple(self._children.values())

    @property
    def path(self) -> tuple[int, ...]:
        """The places among their siblings of the nodes from the root to this one."""
        line = self.line()
        return tuple(node.children.index(child) for node, child in pairwise(line))

    def line(self) -> list[Node]:
        """Lists the nodes from the root to this one.

        >>> node = Record(games.start("romana2-5x4")).root.play("b3=+@E4").play("d2=7@Sd")
        >>> [str(each.turn) for each in node.line()[1:]]
        ['b3=+@E4 x-', 'd2=7@Sd x-']
        """
        nodes = [self]
        while (before := nodes[-1]._parent) is not None:
            nodes.append(before)
        return nodes[::-1]

    def main(self) -> list[Node]:
        """Lists this node and those after it along main continuations.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> node = root.play("b3=+@E4").play("d2=7@Sd")
        >>> root.main()[-1] is node
        True
        """
        nodes = [self]
        while nodes[-1]._children:
            nodes.append(next(iter(nodes[-1]._children.values())))
        return nodes

    def rows(self) -> Iterator[tuple[Node, int]]:
        """Iterates over the subtree as it is written, each node with its depth in variations.

        The variations on a turn stand after it and before the next turn.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4").play("d2=7@Sd"), root.play("b3=L@Nb")
        >>> [(each.number, depth) for each, depth in root.rows()]
        [(0, 0), (1, 0), (1, 1), (2, 0)]
        """
        waiting: list[tuple[tuple[Node, ...], int]] = [((self,), 0)]
        while waiting:
            (node, *variations), depth = waiting.pop()
            yield node, depth
            if node._children:
                waiting.append((node.children, depth))
            waiting.extend(((variation,), depth + 1) for variation in reversed(variations))

    def walk(self) -> Iterator[Node]:
        """Iterates over the subtree as it is written.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb")
        >>> list(root.walk()) == [root, node, variation]
        True
        """
        return (node for node, _ in self.rows())

    # Changing

    @property
    def comment(self) -> str:
        """What is said about the turn, or about the start; may have several lines."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._comment = _read_text("comment", text)

    def play(self, turn: Iterable[Any] | str) -> Node:
        """Gets the node after a turn; if it is not known yet it becomes the last variation.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> root.play("b3=+@E4") is root.play("b3=+@E4 x-")
        True
        """
        made, position = self.position.carry_out(turn)
        if made not in self._children:
            self._children[made] = Node(position, made, self)
        return self._children[made]

    def promote(self) -> None:
        """Moves this node one place up among its siblings; the first one stays.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb")
        >>> variation.promote()
        >>> root.children[0] is variation
        True
        """
        parent = self._known_parent()
        self._move_to(max(0, parent.children.index(self) - 1))

    def promote_to_main(self) -> None:
        """Makes the line to this node the main line.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb").play("d2=7@Sd")
        >>> variation.promote_to_main()
        >>> root.main()[-1] is variation
        True
        """
        for node in self.line()[1:]:
            node._move_to(0)

    def delete(self) -> None:
        """Removes this node and all that follows it.

        >>> root = Record(games.start("romana2-5x4")).root
        >>> root.play("b3=+@E4").delete()
        >>> root.children
        ()
        """
        del self._known_parent()._children[self.turn]
        self._parent = None

    def _move_to(self, place: int) -> None:
        parent = self._known_parent()
        siblings = [node for node in parent.children if node is not self]
        siblings.insert(place, self)
        parent._children = {node.turn: node for node in siblings}

    def _known_parent(self) -> Node:
        if self._parent is None:
            raise InvalidRecord("node", "is the first of its tree", "a node after a turn")
        return self._parent


class Record:
    """A game from some start: headers, and a tree of turns with comments.

    >>> record = Record(games.start("romana4"), {"event": "Club evening"})
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

        >>> record = Record(games.start("romana2-5x4"))
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

        A layout need only be given if the start's first field is neither a built-in name nor a path.

        >>> record = Record(games.start("romana2-5x4"))
        >>> node = record.root.play("b3=+@E4")
        >>> record = Record.parse(str(record))
        >>> record.root.main()[-1], record.result, record.start.player
        (<Node: 1. b3=+@E4 x->, '*', 1)
        """
        if not isinstance(text, str):
            raise InvalidRecord("record", shorten(repr(text)), "a text")
        return _read(text, layout)

    def __str__(self) -> str:
        turns = [line for node, depth in self.root.rows() for line in write_node(node, depth)]
        return "\n".join([*write_head(self), *turns, write_result(self), ""])

    def __repr__(self) -> str:
        return f"<Record: {self.start.layout.name}, {len(self.root.main()) - 1} turns, result {self.result}>"

    def __reduce__(self) -> tuple[Any, ...]:
        layout = self.start.layout
        return Record.parse, (str(self), None if layout.ref else layout)

    # Files

    @classmethod
    def load(cls, path: str | Path, layout: str | Path | BaseLayout | None = None) -> Record:
        """Reads a record's file; see `parse`.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Record(games.start("romana4")).save(f"{folder}/game.txt")
        ...     Record.load(f"{folder}/game.txt")
        <Record: romana4, 0 turns, result *>
        """
        try:
            # What is not UTF-8 becomes lone surrogates, so that the reader can name its line and go on.
            text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
        except (OSError, TypeError, ValueError) as problem:
            raise _no_file(path, "read", problem) from None
        return _read(text, layout, f"{Path(path).name}, ")

    def save(self, path: str | Path) -> None:
        """Writes the record to a file, which is there whole or as it was before.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     Record(games.start("romana4")).save(f"{folder}/game.txt")
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


def write_head(record: Record) -> list[str]:
    """Writes what stands before the turns."""
    headers = [f"{name}: {value}".rstrip() for name, value in record.headers.items()]
    return [VERSION, *headers, f"start: {record.start}", ""]


def write_result(record: Record) -> str:
    """Writes what stands after the turns."""
    return f"result: {record.result}"


def write_node(node: Node, depth: int) -> list[str]:
    """Writes a turn and its comment, indented by the depth in variations."""
    lines = [] if node.turn is None else [f"{node.number}. {node.turn}"]
    if node.comment:
        lines += [f"; {line}" if line else ";" for line in node.comment.split("\n")]
    return [INDENT * depth + line for line in lines]


# Reading


def _read(text: str, layout: str | Path | BaseLayout | None, source: str = "") -> Record:
    """Reads a text; an error says in which line of which source."""
    reader = _Reader()
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


class _Reader:
    """Reads a record line by line; goes on after a bad line with whatever does not depend on it."""

    def __init__(self) -> None:
        self.problems: dict[int, str] = {}
        self.line = 1
        self.levels: list[_Level] = []
        self.comments: dict[Node, list[str]] = {}
        self.result: tuple[int, str] | None = None

    def note(self, problem: AquakitError) -> None:
        """Notes what is wrong with the line at hand; only the first, since the others follow from it."""
        self.problems.setdefault(self.line, str(problem))

    def read(self, text: str, layout: str | Path | BaseLayout | None) -> Record | None:
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
            record = Record(games.parse(start.removeprefix("start:"), layout), headers)
        except AquakitError as problem:
            self.note(problem)
            return None
        self._read_tree(lines[place + 1 :], record)
        return record

    def _lines(self, text: str) -> Iterator[tuple[int, str]]:
        """Iterates over the lines that are not blank, with their numbers."""
        for self.line, line in enumerate(re.split("\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
            try:
                _read_text("text", line)
            except InvalidRecord as problem:
                self.note(problem)
            if line.strip():
                yield self.line, _NO_TEXT.sub("\ufffd", line)

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

    def _read_tree(self, lines: list[tuple[int, str]], record: Record) -> None:
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

    def _check_result(self, record: Record) -> None:
        if self.result is None:
            self.note(InvalidRecord("result", "is missing", f"result: and {OPEN} or the points"))
            return
        self.line, result = self.result
        if self.levels[0].node is not None and result != record.result:
            self.note(InvalidRecord("result", repr(shorten(result)), f"{record.result} as the main line has it"))


def _add(parent: Node, text: str) -> Node:
    """Plays a turn that is not there yet."""
    known = len(parent._children)
    node = parent.play(text)
    if len(parent._children) == known:
        raise InvalidRecord(str(node.turn), "stands there already", "each turn once after the same turns")
    return node
