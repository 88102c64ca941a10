"""Keeps a match's results in a file that is only ever added to, so that nothing finished is lost and play can go on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from aquakit.core.files import read_bytes, write_atomically
from aquakit.core.options import show
from aquakit.core.tomlfile import Table
from aquakit.errors import AquakitError, shorten

FORM = "aquakit match 1"
LARGEST = 16 * 1024**3
"""So many bytes of a file of results are read: room for all games that a match may have."""
Whole = Annotated[int, Field(ge=0, le=2**64)]
Points = Annotated[int, Field(ge=-(10**9), le=10**9)]
LineT = TypeVar("LineT", bound=Table)


class InvalidResults(AquakitError):
    """A file of results is damaged, cannot be used or belongs to another match; `where` is the file and the line."""


class MatchHead(Table):
    """What makes a match the one it is."""

    form: str = Field(pattern=f"^{FORM}$")
    version: str
    """The kit's version: another one may play otherwise."""
    bots: tuple[str, ...] = Field(min_length=2)
    layout: str
    board: str
    """A stamp of the layout's file."""
    options: dict[str, Any]
    """The options of the game's start."""
    ways: Annotated[int, Field(ge=1, le=10**6)]
    """How many ways there are to seat the bots."""
    seed: Whole


class GameResult(Table):
    """A finished game; what is said per seat is in turn order."""

    game: Whole
    """Its number in the match, from 0."""
    seats: tuple[str, ...] = Field(min_length=2)
    """The bots' names."""
    seed: Whole
    """What the start and the dice follow from."""
    start: str
    """The position it began with."""
    turns: tuple[str, ...]
    scores: tuple[Points, ...]
    places: tuple[Annotated[int, Field(ge=1, le=1000)], ...]
    """1 for the best, and so on; equal ones have the same."""
    shares: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    """What each seat has of the win: 1, or a part if several share it."""
    seconds: tuple[Annotated[float, Field(ge=0, lt=1e9)], ...]
    """How long each seat thought."""

    @model_validator(mode="after")
    def _check_seats(self) -> Self:
        for name in ("scores", "places", "shares", "seconds"):
            if len(getattr(self, name)) != len(self.seats):
                raise ValueError(f"{name} are not as many as seats")
        if sum(self.shares) > 1.001:
            raise ValueError("shares are more than one win")
        return self


class Results:
    """Takes finished games and gives them back in order; with a path, keeps them in a file too.

    The file has lines of JSON: first what the match is, then a line for each finished game.
    """

    def __init__(self, head: MatchHead, path: str | Path | None, belongs: Callable[[GameResult], bool]) -> None:
        """Opens the file of a match, or begins it; a last line that was only half written is cut off."""
        self._done: dict[int, GameResult] = {}
        self._file: FileIO | None = None
        if path is None:
            return
        try:
            self._done = _open(Path(path), head, belongs)
            self._file = FileIO(path, "ab")
        except (OSError, TypeError) as problem:
            raise InvalidResults(show(path), f"cannot be used: {problem}", "a file that can be written") from None

    def __contains__(self, game: int) -> bool:
        return game in self._done

    def __iter__(self) -> Iterator[GameResult]:
        return iter(sorted(self._done.values(), key=lambda result: result.game))

    def add(self, result: GameResult) -> None:
        """Takes a finished game, and makes sure that it is on disk."""
        if self._file is not None and result.game not in self._done:
            _write(self._file, f"{result.model_dump_json()}\n".encode())
        self._done[result.game] = result

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def _open(path: Path, head: MatchHead, belongs: Callable[[GameResult], bool]) -> dict[int, GameResult]:
    if not path.exists() or not path.stat().st_size:
        write_atomically(path, f"{head.model_dump_json()}\n")
        return {}
    found, results = read_results(path)
    for name, value in head:
        if (there := getattr(found, name)) != value:
            problem = f"belongs to another match: its {name} is {shorten(str(there))}"
            raise InvalidResults(str(path), problem, shorten(str(value)))
    for result in results:
        if not belongs(result):
            raise InvalidResults(str(path), f"game {result.game} is not one of this match: other seats or start")
    _mend(path)
    return {result.game: result for result in results}


def _mend(path: Path) -> None:
    """Gives the last line its end, or cuts it off if it was only half written."""
    data = path.read_bytes()
    tail = data[data.rfind(b"\n") + 1 :]
    if not tail:
        return
    with path.open("r+b") as file:
        if _is_whole(tail) or len(tail) == len(data):
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


def read_results(path: str | Path) -> tuple[MatchHead, list[GameResult]]:
    """Reads a file of results in the order of the games; a last line that was only half written is left out."""
    try:
        lines = read_bytes(path, LARGEST).split(b"\n")
    except OSError as problem:
        raise InvalidResults(str(path), f"cannot be read: {problem.strerror}", "a file of results") from None
    if len(lines) > 1 and not _is_whole(lines[-1]):
        lines.pop()
    head = _read_line(lines[0], MatchHead, f"{path}, line 1")
    results = [_read_line(line, GameResult, f"{path}, line {n}") for n, line in enumerate(lines[1:], start=2)]
    for result in results:
        if len(set(result.seats)) < 2:
            raise InvalidResults(f"{path}, game {result.game}", "has one bot in all seats", "bots against each other")
    # A game that an unlucky interrupt wrote twice counts once: as it was first.
    return head, sorted({result.game: result for result in reversed(results)}.values(), key=lambda each: each.game)


def _is_whole(line: bytes) -> bool:
    """Checks whether a last line without an end is all there."""
    try:
        GameResult.model_validate_json(line, strict=True)
    except ValidationError:
        return False
    return True


def _read_line(line: bytes, kind: type[LineT], where: str) -> LineT:
    try:
        return kind.model_validate_json(line, strict=True)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        what = "a finished game as JSON" if kind is GameResult else "what the match is, as JSON"
        raise InvalidResults(where, f"is damaged: {f'{field}: ' if field else ''}{first['msg']}", what) from None
