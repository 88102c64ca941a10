"""Texts and files: a position put in as a text, a record opened and saved.

Python may name any file. What the page names lies in the working folder, is never replaced unasked, and on a served
page, which visitors see, there are no files at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import traitlets

from aquakit.core.files import read_bytes
from aquakit.core.options import show
from aquakit.core.record import Record
from aquakit.errors import AquakitError, InvalidOption, InvalidRecord
from aquakit.widgets.board import Board
from aquakit.widgets.cursor import names_layout, read_position
from aquakit.widgets.messages import BOOK, Message, read_book, read_page, read_text
from aquakit.widgets.panel import Panel
from aquakit.workshop.served import is_served

MOST_LOOKED_AT, MOST_LISTED = 1000, 30
"""So many files of a folder are looked at, and so many records are listed."""
HEAD = 20_000
"""In so many first bytes a record says where it starts."""


def find_file(name: str) -> Path:
    """Finds the file of the working folder that a page names, be it there or not; it is none outside of the folder."""
    if is_served():
        raise InvalidOption("file", "pages that are served open and save none", "Upload and Download")
    if not name.strip():
        raise InvalidOption("path", "is empty", "a file's name")
    folder = Path.cwd().resolve()
    try:
        path = (folder / name).resolve()
        fits = path != folder and path.is_relative_to(folder) and (path.is_file() or not path.exists())
    except (OSError, ValueError, RuntimeError):  # a name that no file can have, or a circle of links
        fits = False
    if not fits:
        raise InvalidOption("path", show(name), f"a file in {folder}")
    return path


def list_records() -> Iterator[dict[str, str]]:
    """Lists the records of the working folder, the one that was changed last first: the name, and a few words."""
    files = []
    for path in islice(Path.cwd().glob("*.txt"), MOST_LOOKED_AT):
        try:
            found = find_file(path.name).stat()
        except (AquakitError, OSError):  # it leads elsewhere, or has gone
            continue
        if found.st_size <= BOOK:
            files.append((found.st_mtime, path))
    readable = ((when, path, _read_layout(path)) for when, path in sorted(files, reverse=True))
    for when, path, layout in islice((each for each in readable if each[2]), MOST_LISTED):
        yield {"name": path.name, "words": f"{layout}, {datetime.fromtimestamp(when):%d %B %Y, %H:%M}"}


def _read_layout(path: Path) -> str:
    """Reads on which board a game was played; nothing of a file that holds no record."""
    try:
        head = read_bytes(path, BOOK)[:HEAD].decode("utf-8-sig", "replace")
    except OSError:
        return ""
    start = re.search(r"^start:[ \t]*(\S{1,60})", head, re.MULTILINE)
    return start[1] if start else ""


class FilesPanel(Panel):
    """The record's headers and text, and the ways in and out of files."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "headers": traitlets.Dict(read_only=True).tag(sync=True),
        # The record's text; none while something in it is hidden.
        "game": traitlets.Unicode(read_only=True).tag(sync=True),
        # What was done last with a file.
        "said": traitlets.Unicode(read_only=True).tag(sync=True),
        # What was wrong with the text that was to be shown.
        "misread": traitlets.Unicode(read_only=True).tag(sync=True),
        # The file to which the page wanted to save and which is there already; it is replaced when that is confirmed.
        "there": traitlets.Unicode(read_only=True).tag(sync=True),
        # Whether the page can open and save files where Python runs.
        "has_files": traitlets.Bool(False, read_only=True).tag(sync=True),
        # Whether somebody is about to open a game, and the records to choose from.
        "opening": traitlets.Dict(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with nothing to say."""
        super().__init__(board)
        self._saying = self._there = self._misread = ""
        self._listed: list[dict[str, str]] | None = None

    def read_text(self, text: str) -> None:
        """Shows the position that a text describes; if the tree has it, goes there."""
        self._misread = ""
        try:
            position = read_position(text, self.board.moment.layout)
        except AquakitError as problem:
            self._misread = str(problem)
            self.board.refuse(problem)
        known = next((node for node in self.board.record.root.walk() if node.position == position), None)
        if known is None:
            self.board.position = position
            return
        with self.board.changing(wake=False):
            self.board.cursor.remember(known.line())
            self.board.stand_at(known)

    def load(self, record: Record | str | Path) -> None:
        """Opens a record, given as such or by its file; of a damaged file, what is readable."""
        self.board.open_record(record if isinstance(record, Record) else self._readable(lambda: Record.load(record)))

    def _readable(self, read: Callable[[], Record]) -> Record:
        """Reads a record; of a damaged one, opens what is readable, shows the problem and raises it."""
        try:
            return read()
        except InvalidRecord as problem:
            if problem.record is not None:
                self.load(problem.record)
            self.board.tell(problem)
            raise

    def _parse(self, text: str) -> Record:
        """Reads a record's text, which may be on the layout that is shown."""
        layout = self.board.moment.layout
        return Record.parse(text, layout if names_layout(text, layout) else None)

    def save(self, path: str | Path) -> None:
        """Saves the record to a file."""
        with self.board.changing(wake=False):
            if not str(path).strip():
                raise InvalidOption("path", "is empty", "a file's name")
            self.board.record.save(path)
            self._saying = f"Saved to {path}."

    # What the page asks for

    def _list(self) -> None:
        """Lists the records that can be opened, or takes the list away."""
        with self.board.changing(wake=False):
            self._listed = None if self._listed is not None else [] if is_served() else list(list_records())

    def _load_named(self, name: str) -> None:
        """Opens a record of the working folder."""
        self._there = ""
        path = find_file(name)
        if path.is_file() and path.stat().st_size > BOOK:
            raise InvalidOption("path", f"{show(name)} is too large", f"a record of at most {BOOK} letters")
        self.load(path)

    def _save_named(self, name: str) -> None:
        """Saves to a file of the working folder; one that is there stays, and the page is asked about it."""
        self._there = ""
        if find_file(name).exists():
            with self.board.changing(wake=False):
                self._there = name
        else:
            self._save_to(name)

    def _replace(self) -> None:
        """Saves to the file that the page was asked about."""
        name, self._there = self._there, ""
        if not name:
            raise InvalidOption("file", "there is none to replace", "the name of one to save to")
        self._save_to(name)

    def _save_to(self, name: str) -> None:
        with self.board.changing(wake=False):
            self.board.record.save(find_file(name))
            self._saying = f"Saved to {name}."

    def _open_text(self, text: str) -> None:
        self.load(self._readable(lambda: self._parse(text)))

    # What the board asks of it

    def forget(self) -> None:
        """Drops the question about a file, for something else would be saved now, and what was wrong with a text."""
        self._there = self._misread = ""

    def leave_game(self) -> None:
        """Takes the list of records away, for a game was chosen."""
        self._listed = None

    def shown(self) -> Mapping[str, Any]:
        """Gathers what is written in a record; what was done with a file is said once."""
        said, self._saying = self._saying, ""
        is_hiding = self.board.visible is not self.board.moment
        return {
            "headers": dict(self.board.record.headers),
            "game": "" if is_hiding else str(self.board.record),
            "said": said,
            "misread": self._misread,
            "there": self._there,
            "has_files": not is_served(),
            "opening": {"shown": self._listed is not None, "rows": self._listed or []},
        }

    def messages(self) -> Mapping[str, Message]:
        """Gets what can be clicked."""
        return {
            "read": Message(self.read_text, text=read_page),
            "files": Message(self._list),
            "load": Message(self._load_named, path=read_text),
            "open": Message(self._open_text, text=read_book),
            "save": Message(self._save_named, path=read_text),
            "replace": Message(self._replace),
        }
