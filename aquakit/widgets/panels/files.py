"""Texts and files: a position put in as a text, a record opened and saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import traitlets

from aquakit.core.record import Record
from aquakit.errors import InvalidOption, InvalidRecord
from aquakit.widgets.board import Board
from aquakit.widgets.cursor import names_layout, read_position
from aquakit.widgets.panel import Hears, Panel


class FilesPanel(Panel):
    """The record's headers and text, and the ways in and out of files."""

    board: Board
    traits: ClassVar[Mapping[str, traitlets.TraitType[Any, Any]]] = {
        "headers": traitlets.Dict(read_only=True).tag(sync=True),
        # The record's text; none while something in it is hidden.
        "game": traitlets.Unicode(read_only=True).tag(sync=True),
        # What was done last with a file.
        "said": traitlets.Unicode(read_only=True).tag(sync=True),
    }

    def __init__(self, board: Board) -> None:
        """Begins with nothing to say."""
        super().__init__(board)
        self._saying = ""

    def read_text(self, text: str) -> None:
        """Shows the position that a text describes; if the tree has it, goes there."""
        position = self.board.checked(lambda: read_position(text, self.board.moment.layout))
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

    def shown(self) -> Mapping[str, Any]:
        """Gathers what is written in a record; what was done with a file is said once."""
        said, self._saying = self._saying, ""
        is_hiding = self.board.visible is not self.board.moment
        return {
            "headers": dict(self.board.record.headers),
            "game": "" if is_hiding else str(self.board.record),
            "said": said,
        }

    def messages(self) -> Mapping[str, Hears]:
        """Gets what can be clicked."""
        return {
            "read": lambda content: self.read_text(content["text"]),
            "load": lambda content: self.load(content["path"]),
            "open": lambda content: self.load(self._readable(lambda: self._parse(content["text"]))),
            "save": lambda content: self.save(content["path"]),
        }
