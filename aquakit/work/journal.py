"""Keeps finished pieces of work in a file that is only ever added to, so that nothing is lost and work can go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import ValidationError

from aquakit.core.files import read_bytes, write_atomically
from aquakit.core.options import show
from aquakit.core.tomlfile import Table
from aquakit.errors import AquakitError, shorten

HeadT = TypeVar("HeadT", bound=Table)
LineT = TypeVar("LineT", bound=Table)
LARGEST = 16 * 1024**3
"""So many bytes of a file of results are read: room for all games that a match may have."""
Key = Any
"""What tells finished pieces apart and puts them in order."""


class InvalidResults(AquakitError):
    """A file of results is damaged, cannot be used or belongs to other work; `where` is the file and the line."""


class Form(NamedTuple, Generic[HeadT, LineT]):
    """What a file of results holds: lines of JSON, first what the work is, then one for each finished piece."""

    work: str
    """What the work is called, such as match."""
    piece: str
    """What a piece of it is called, such as game."""
    head: type[HeadT]
    line: type[LineT]
    key: Callable[[LineT], Key]

    def read(self, path: str | Path) -> tuple[HeadT, dict[Key, LineT]]:
        """Reads a file, in the order of the keys; a last line that was only half written is left out."""
        try:
            lines = read_bytes(path, LARGEST).split(b"\n")
        except OSError as problem:
            raise InvalidResults(str(path), f"cannot be read: {problem.strerror}", "a file of results") from None
        if len(lines) > 1 and not self.is_whole(lines[-1]):
            lines.pop()
        head = _read_line(lines[0], self.head, f"{path}, line 1", f"what the {self.work} is, as JSON")
        what = f"a finished {self.piece} as JSON"
        found = [_read_line(line, self.line, f"{path}, line {n}", what) for n, line in enumerate(lines[1:], start=2)]
        known = dict[Key, LineT]()
        for line in found:  # what an unlucky interrupt wrote twice counts once: as it was first
            known.setdefault(self.key(line), line)
        return head, {key: known[key] for key in sorted(known)}

    def is_whole(self, line: bytes) -> bool:
        """Checks whether a last line without an end is all there."""
        try:
            self.line.model_validate_json(line, strict=True)
        except ValidationError:
            return False
        return True


class Journal(Generic[HeadT, LineT]):
    """Takes finished pieces and gives them back in the order of their keys; with a path, keeps them in a file too."""

    def __init__(
        self,
        form: Form[HeadT, LineT],
        head: HeadT,
        path: str | Path | None,
        belongs: Callable[[LineT], bool] = lambda line: True,
    ) -> None:
        """Opens the file of the work, or begins it; a last line that was only half written is cut off."""
        self._form = form
        self._done: dict[Key, LineT] = {}
        self._file: FileIO | None = None
        if path is None:
            return
        try:
            self._done = self._open(Path(path), head, belongs)
            self._file = FileIO(path, "ab")
        except (OSError, TypeError, ValueError) as problem:
            if isinstance(problem, AquakitError):
                raise
            raise InvalidResults(show(path), f"cannot be used: {problem}", "a file that can be written") from None

    def __contains__(self, key: Key) -> bool:
        return key in self._done

    def __len__(self) -> int:
        return len(self._done)

    def __iter__(self) -> Iterator[LineT]:
        return (self._done[key] for key in sorted(self._done))

    def add(self, line: LineT) -> None:
        """Takes a finished piece, and makes sure that it is on disk."""
        key = self._form.key(line)
        if self._file is not None and key not in self._done:
            _write(self._file, f"{line.model_dump_json()}\n".encode())
        self._done[key] = line

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def _open(self, path: Path, head: HeadT, belongs: Callable[[LineT], bool]) -> dict[Key, LineT]:
        if not path.exists() or not path.stat().st_size:
            write_atomically(path, f"{head.model_dump_json()}\n")
            return {}
        found, lines = self._form.read(path)
        for name, value in head:
            if (there := getattr(found, name)) != value:
                problem = f"belongs to another {self._form.work}: its {name} is {shorten(str(there))}"
                raise InvalidResults(str(path), problem, shorten(str(value)))
        for key, line in lines.items():
            if not belongs(line):
                raise InvalidResults(str(path), f"{self._form.piece} {key} is not one of this {self._form.work}")
        self._mend(path)
        return lines

    def _mend(self, path: Path) -> None:
        """Gives the last line its end, or cuts it off if it was only half written."""
        data = read_bytes(path, LARGEST)
        tail = data[data.rfind(b"\n") + 1 :]
        if not tail:
            return
        with path.open("r+b") as file:
            if self._form.is_whole(tail) or len(tail) == len(data):
                file.seek(0, os.SEEK_END)
                file.write(b"\n")
            else:
                file.truncate(len(data) - len(tail))


def _write(file: FileIO, line: bytes) -> None:
    """Adds a line in one piece or not at all."""
    size = file.seek(0, os.SEEK_END)
    try:
        if file.write(line) != len(line):
            raise OSError("the disk is full")
        os.fsync(file.fileno())
    except OSError as problem:
        file.truncate(size)
        raise InvalidResults(str(file.name), f"cannot be written: {problem}", "room for results") from None


def _read_line(line: bytes, kind: type[LineT], where: str, expected: str) -> LineT:
    try:
        return kind.model_validate_json(line, strict=True)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidResults(where, f"is damaged: {f'{field}: ' if field else ''}{first['msg']}", expected) from None
