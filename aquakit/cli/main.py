"""The command line: puts the commands of all topics together and answers what is typed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from aquakit.cli import counting, engine, planner, positions
from aquakit.cli.batch import batch_app
from aquakit.cli.common import STOPPED, say
from aquakit.cli.layouts import layout_app
from aquakit.cli.puzzle import puzzle_app
from aquakit.cli.records import record_app
from aquakit.cli.workshop import workshop_app
from aquakit.core.version import VERSION
from aquakit.errors import AquakitError, fit

app = typer.Typer(
    help="Explore positions of water-building board games.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
COMMANDS: dict[str, Callable[..., None]] = {
    **planner.COMMANDS,
    "show": positions.show,
    "legal": positions.legal,
    "turns": positions.turns,
    "play": positions.play,
    "perft": counting.perft,
    "random": positions.random,
    "start": positions.print_start,
    "match": engine.play_match,
    "analyse": engine.analyse,
    "review": engine.review_record,
    "warm": engine.warm,
}
"""The commands by name, in the order in which help lists them."""
GROUPS = {
    "layout": layout_app,
    "record": record_app,
    "puzzle": puzzle_app,
    "batch": batch_app,
    "workshop": workshop_app,
}
"""The commands that have commands of their own."""


def _say_version(asked: bool) -> None:
    if asked:
        say(f"aquakit {VERSION}")
        raise typer.Exit


@app.callback()
def _have_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
for _name, _group in GROUPS.items():
    app.add_typer(_group, name=_name)

_UsageError: Any = typer.BadParameter.__base__  # typer brings its own copy of click, or not, by version


def run(arguments: list[str]) -> int:
    """Answers a command line: exit code 2 and one clear line on bad input."""
    try:
        code = app(arguments or ["--help"], standalone_mode=False)
    except (AquakitError, _UsageError) as problem:
        text = fit(problem.format_message()) if hasattr(problem, "format_message") else str(problem)
        say(f"aquakit: {' '.join(text.split())}", error=True)
        return 2
    except OSError as problem:
        if problem.filename is None:
            raise
        say(f"aquakit: {fit(str(problem.filename))}: cannot be used: {problem.strerror}", error=True)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        code = STOPPED
    if code == STOPPED:
        say("aquakit: stopped", error=True)
    return int(code or 0)


def answer() -> int:
    """Answers what was typed, in a terminal or to another command; gets the exit code."""
    for stream in (sys.stdin, sys.stdout):  # a board is better than an error where a letter is lacking
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # end quietly when a reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    return code
