"""What all commands share: positions as arguments, data and files as answers, and being stopped."""

from __future__ import annotations

import json
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from aquakit.compiled.shown import say_compiling
from aquakit.core import games
from aquakit.core.files import read_text, write_atomically
from aquakit.core.layouts import is_file
from aquakit.core.position import AnyPosition
from aquakit.errors import InvalidOption, InvalidPosition, shorten
from aquakit.planning.plans import tell_bounds

if TYPE_CHECKING:
    from aquakit.compiled.shown import CompileProgress

PositionArgument = Annotated[
    str,
    typer.Argument(help="A position text, a file that holds one, - for standard input, or a layout to start on."),
]
LayoutOption = Annotated[
    str | None, typer.Option("--layout", help="The layout file of a position on a board of your own.")
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
Words = Annotated[bool, typer.Option("--words", help="Say turns in words instead of notation.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a record that is there.")]


STOPPED = 130
"""The exit code of a command that was stopped by Ctrl-C."""
WIDE = 140
"""Columns of a table that nobody reads in a terminal."""


LONGEST = 1024 * 1024
"""So many letters somebody's position text may have, comments included."""
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal takes for a command: it moves the cursor, hides text, turns it round, or is no text at all."""


# Positions and layouts


def find_layout(name: str) -> str | Path:
    """Gets what a layout is called: a built-in name comes before a file of the same name."""
    return Path(name) if name not in games.layout_names() and is_file(name) else name


def read_position(source: str, layout: str | None = None) -> AnyPosition:
    """Reads a position given as text, file, standard input, or as the layout whose start is meant.

    A layout of one's own is found by its plain name beside the file, or else in the working folder, or is given.
    """
    board, here = None if layout is None else games.load_layout(find_layout(layout)), Path()
    if source == "-":
        return games.parse(_only_line(sys.stdin.read(LONGEST + 1), "standard input"), board, folder=here)
    if board is None and (source in games.layout_names() or source.endswith(".toml")):
        return games.start(source)
    if is_file(source):
        text = read_text(source, InvalidPosition, "a text file with a position", most=LONGEST)
        return games.parse(_only_line(text, source), board, folder=Path(source).parent)
    if " " in source.strip():
        return games.parse(source, board, folder=here)
    expected = f"a position text in quotes, a file, -, or a layout ({', '.join(games.layout_names())})"
    raise InvalidPosition("position", f"{shorten(source)!r} is no file and no layout", expected)


def _only_line(text: str, source: str) -> str:
    """Gets the one line that is neither empty nor a comment."""
    if len(text) > LONGEST:
        raise InvalidPosition(source, f"more than {LONGEST:,} letters", "one position on one line")
    lines = [line for line in text.lstrip("\ufeff").splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) != 1:
        raise InvalidPosition(source, f"{len(lines)} lines", "one position on one line")
    return lines[0]


def read_lines(source: str) -> Iterator[tuple[int, str]]:
    """Reads the lines of a file or of standard input that are neither empty nor comments, with their numbers."""
    text = sys.stdin.read() if source == "-" else read_text(source, InvalidOption, "a text file, or -")
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, line


# Answers. All that commands print goes through `plain`: titles, names and comments are other people's texts.


def plain(text: str) -> str:
    """Writes out, as JSON does, what a terminal would take for a command instead of a letter.

    >>> print(plain("\\x1b[2J"))
    \\u001b[2J
    """
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: object = "", *, end: str = "\n", error: bool = False, flush: bool = False) -> None:
    """Prints a text, as an answer or as what is said beside it."""
    print(plain(str(text)), end=end, file=sys.stderr if error else sys.stdout, flush=flush)


def check_words(*, words: bool, as_json: bool) -> None:
    """Refuses words in data: programs read notation."""
    if words and as_json:
        raise InvalidOption("words", "together with --json", "one of them")


def print_json(data: Any) -> None:
    """Prints data for programs."""
    say(json.dumps(data, ensure_ascii=False, indent=2))


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines."""
    for line in lines:
        say(line)


def print_table(
    heads: Iterable[str], rows: Iterable[Iterable[str]], right: int = 0, *, title: str = "", caption: str = ""
) -> None:
    """Prints a table; so many of its last columns are numbers."""
    table, heads = Table(title=plain(title) or None, caption=plain(caption) or None, box=SIMPLE), list(heads)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place >= len(heads) - right else "left")
    for row in rows:
        table.add_row(*map(plain, row))
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
    raise typer.Exit(STOPPED)


@contextmanager
def stopped_by_interrupt(*, is_told: bool = False) -> Iterator[threading.Event]:
    """Gives an event that Ctrl-C sets, so that work ends with the best so far; a second Ctrl-C ends it at once.

    Work that does not look at the event hears of Ctrl-C as usual if it `is_told`, and keeps what it has by itself.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():  # only the main thread hears of signals
        yield event
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: Any) -> None:
        event.set()
        signal.signal(signal.SIGINT, before)
        if is_told:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)


# Asking planners

TICK = 0.2
"""Seconds after which the line is drawn anew, for the time passes even if nothing better is found."""
Say = Callable[[str, "CompileProgress | None"], None]
"""Hears how far some work has come, in a few words, and how far compiling is."""


@contextmanager
def show_progress() -> Iterator[Say]:
    """Shows a line that says how far the work has come, and the time, on a terminal only."""
    from tqdm.auto import tqdm

    ended = threading.Event()
    terminal, said = sys.stderr.isatty(), threading.Event()
    with tqdm(desc="thinking", bar_format="{desc} {elapsed}", leave=False, disable=not terminal) as line:

        def let_time_pass() -> None:
            while not ended.wait(TICK):
                line.refresh()

        def tell(text: str, compiling: CompileProgress | None) -> None:
            line.set_description_str(text)
            if compiling is not None and not terminal and not said.is_set():
                said.set()
                say_compiling(compiling.what)

        clock = threading.Thread(target=let_time_pass, daemon=True)
        clock.start()
        try:
            yield tell
        finally:
            ended.set()
            clock.join()


def say_progress(value: int | None, bound: int | None, compiling: CompileProgress | None = None) -> str:
    """Says the best value so far, the bound, and how far compiling is."""
    from aquakit.romana.planner.exact.searcher import PLENTY

    told = tell_bounds(value, None if bound is None or bound >= PLENTY else bound, "", compiling)
    return told if compiling is None else f"{compiling.bar} {told}"


Hear = Callable[[Any], str]
"""Says what a planner tells on its way."""


def hear_best(so_far: Any) -> str:
    """Says the best value so far."""
    return say_progress(so_far.value, so_far.bound)


def hear_points(so_far: Any) -> str:
    """Says the points of the best plan so far."""
    return say_progress(so_far.points, so_far.bound, so_far.compiling)


def hear_games(so_far: Any) -> str:
    """Says how many games the engine has played."""
    return f"games of the engine: {so_far.games} of {so_far.wanted}"


def ask(planner: Callable[..., Any], start: AnyPosition, hear: Hear, **options: Any) -> tuple[Any, bool]:
    """Asks a planner, and shows how far it is; gets what it found and whether Ctrl-C ended it early.

    Whether the position is of the right game is the planner's to check.
    """
    with stopped_by_interrupt() as stop, show_progress() as tell:
        found = planner(
            start,
            stop=stop,
            on_progress=lambda so_far: tell(hear(so_far), getattr(so_far, "compiling", None)),
            **options,
        )
    return found, stop.is_set()
