"""What all commands share: positions as arguments, data and files as answers, and being stopped."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from aquakit.core import games
from aquakit.core.files import write_atomically
from aquakit.core.layouts import is_file
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption, InvalidPosition, shorten

PositionArgument = Annotated[
    str,
    typer.Argument(help="A position text, a file that holds one, - for standard input, or a layout to start on."),
]
Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]
Seconds = Annotated[float | None, typer.Option(min=0, help="How long to think.", show_default=False)]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="How many processes; else one a core.", show_default=False)
]
Dask = Annotated[
    str | None,
    typer.Option(help="The address of a Dask scheduler to work on.", show_default=False),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a record that is there.")]


WIDE = 140
"""Columns of a table that nobody reads in a terminal."""


def read_position(source: str) -> AnyPosition:
    """Reads a position given as text, file, standard input, or as the layout whose start is meant."""
    if source == "-":
        return games.parse(_only_line(sys.stdin.read(), "standard input"))
    if source in games.layout_names() or source.endswith(".toml"):
        return games.start(source)
    if is_file(source):
        try:
            return games.parse(_only_line(Path(source).read_text("utf-8-sig"), source))
        except (OSError, UnicodeDecodeError) as problem:
            raise InvalidPosition(source, f"cannot be read: {problem}", "a text file with a position") from None
    if " " in source.strip():
        return games.parse(source)
    expected = f"a position text in quotes, a file, -, or a layout ({', '.join(games.layout_names())})"
    raise InvalidPosition("position", f"{shorten(source)!r} is no file and no layout", expected)


def _only_line(text: str, source: str) -> str:
    """Gets the one line that is neither empty nor a comment."""
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) != 1:
        raise InvalidPosition(source, f"{len(lines)} lines", "one position on one line")
    return lines[0]


def read_lines(source: str) -> Iterator[tuple[int, str]]:
    """Reads the lines of a file or of standard input that are neither empty nor comments, with their numbers."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise InvalidOption(shorten(source), f"cannot be read: {problem}", "a text file, or -") from None
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def print_json(data: Any) -> None:
    """Prints data for programs."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines."""
    for line in lines:
        print(line)


def print_table(heads: list[str], rows: Iterable[list[str]], right: int = 0) -> None:
    """Prints a table; so many of its last columns are numbers."""
    table = Table(box=SIMPLE)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place >= len(heads) - right else "left")
    for row in rows:
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else WIDE, markup=False, highlight=False).print(table)


def write_picture(path: str, text: str) -> None:
    """Writes a picture's file, whole or not at all."""
    try:
        write_atomically(path, text)
    except OSError as problem:
        raise InvalidOption("svg", f"{path} cannot be written: {problem.strerror}", "a path in a folder") from None


def check_record_option(path: Path | None, *, force: bool) -> None:
    """Checks that a record may be written there."""
    if path is None:
        if force:
            raise InvalidOption("force", "there is nothing to write over", "--record with a file")
    elif path.exists() and not force:
        raise InvalidOption("record", f"{path} is there already", "another file, or --force to write over it")


def say_stopped() -> None:
    """Ends a command that was stopped early, after what is known was printed."""
    print("aquakit: stopped", file=sys.stderr)
    raise typer.Exit(130)


@contextmanager
def stopped_by_interrupt() -> Iterator[threading.Event]:
    """Gives an event that Ctrl-C sets, so that work ends with the best so far; a second Ctrl-C ends it at once."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears of signals
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: Any) -> None:
        event.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
