"""One question about many positions or records: batch plan, solve, analyse, review."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from aquakit.cli.common import Dask, LayoutOption, Workers, find_layout, read_lines, say, say_stopped
from aquakit.cli.records import load_record
from aquakit.core import games
from aquakit.core.layouts import BaseLayout
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition

batch_app = typer.Typer(
    help="Ask about many positions or records, over all cores or a cluster; stopped and begun again, it goes on."
)

Positions = Annotated[str, typer.Argument(help="A file with a position on each line; - for standard input.")]
Records = Annotated[list[Path], typer.Argument(help="Records.")]
Out = Annotated[
    Path | None, typer.Option(help="Keep answers in this file, a line of JSON each; else they are printed.")
]
Turns = Annotated[int, typer.Option(min=1, help="How many turns.")]
EachSeconds = Annotated[float | None, typer.Option(min=0, help="How long each may take.", show_default=False)]
Playouts = Annotated[int | None, typer.Option(min=1, help="How many games to play out, instead of seconds.")]
Lines = Annotated[int, typer.Option(min=1, help="How many turns to list.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same.")]


@batch_app.command("plan")
def plan_many(
    positions: Positions,
    turns: Turns,
    closed_only: Annotated[bool, typer.Option("--closed-only", help="Count only closed aqueducts.")] = False,
    no_closing: Annotated[bool, typer.Option("--no-closing", help="Close none voluntarily.")] = False,
    seconds: EachSeconds = None,
    method: Annotated[str, typer.Option(help="auto, search or cpsat")] = "auto",
    verify: Annotated[bool, typer.Option("--verify", help="Let the method that did not prove it confirm it.")] = False,
    layout: LayoutOption = None,
    out: Out = None,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """Aqua Romana: the most podium points in some turns alone."""
    options = {"turns": turns, "closed_only": closed_only, "closing": not no_closing, "method": method}
    given = _given(seconds=seconds, verify=verify or None)
    _run("plan", _read_positions(positions, layout), options | given, out, workers, dask)


@batch_app.command("solve")
def solve_many(
    positions: Positions,
    turns: Annotated[int | None, typer.Option(min=1, help="How many turns; else to the end.")] = None,
    seconds: EachSeconds = None,
    layout: LayoutOption = None,
    out: Out = None,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """What the best turns are worth, proved."""
    _run("solve", _read_positions(positions, layout), _given(turns=turns, seconds=seconds), out, workers, dask)


@batch_app.command("analyse")
def analyse_many(
    positions: Positions,
    seconds: EachSeconds = None,
    playouts: Playouts = None,
    lines: Lines = 5,
    seed: Seed = 0,
    layout: LayoutOption = None,
    out: Out = None,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """The best turns by the tree search, 5 seconds each if nothing is said."""
    if seconds is None and playouts is None:
        seconds = 5
    options = _given(seconds=seconds, playouts=playouts, lines=lines, seed=seed)
    _run("analyse", _read_positions(positions, layout), options, out, workers, dask)


@batch_app.command("review")
def review_many(
    records: Records,
    seconds: EachSeconds = None,
    playouts: Playouts = None,
    lines: Lines = 3,
    seed: Seed = 0,
    layout: LayoutOption = None,
    out: Out = None,
    workers: Workers = None,
    dask: Dask = None,
) -> None:
    """What each turn of many games cost, half a second a decision if nothing is said."""
    options = _given(seconds=seconds, playouts=playouts, lines=lines, seed=seed)
    _run("review", {str(file): load_record(file, layout) for file in records}, options, out, workers, dask)


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _read_positions(source: str, layout: str | None) -> dict[str, Any]:
    """Reads the positions of a file, each named by its line; a layout of one's own lies beside it, or is given."""
    found = dict(_name_positions(source, None if layout is None else games.load_layout(find_layout(layout))))
    if not found:
        raise InvalidOption("positions", f"{source} holds none", "a position on each line")
    return found


def _name_positions(source: str, layout: BaseLayout | None) -> Iterator[tuple[str, Any]]:
    folder = Path() if source == "-" else Path(source).parent
    for number, line in read_lines(source):
        where = f"{'standard input' if source == '-' else source}, line {number}"
        try:
            yield where, games.parse(line, layout, folder=folder)
        except AquakitError as problem:
            raise InvalidPosition(f"{where}: {problem.where}", problem.problem, problem.expected) from None


def _run(
    question: str,
    subjects: dict[str, Any],
    options: dict[str, Any],
    out: Path | None,
    workers: int | None,
    dask: str | None,
) -> None:
    """Asks, keeps or prints the answers, and says how far it came."""
    from aquakit.engine.batch import batch
    from aquakit.work.executors import find_executor

    with find_executor(workers=workers, dask=dask, pieces=len(subjects)) as pool:
        found = batch(
            question,
            subjects,
            executor=pool,
            path=out,
            progress=sys.stderr.isatty(),
            on_result=None if out is not None else lambda line: say(line.model_dump_json(), flush=True),
            **options,
        )
    for text in found.lost:
        say(f"aquakit: {text}", error=True)
    say(f"aquakit: {found.summary()}{'' if out is None else f'; in {out}'}", error=True)
    if not found.is_complete and not found.lost:
        say_stopped()
    raise typer.Exit(1 if found.errors or found.lost else 0)
