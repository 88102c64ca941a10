"""The commands that ask the engine: match, analyse, review, warm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aquakit import romana
from aquakit.cli.common import (
    Dask,
    Json,
    LayoutOption,
    PositionArgument,
    Seconds,
    Words,
    Workers,
    check_words,
    find_layout,
    print_json,
    print_table,
    read_position,
    say,
    say_stopped,
)
from aquakit.cli.records import load_record
from aquakit.core import games

if TYPE_CHECKING:
    from aquakit.engine.analysis import Analysis
    from aquakit.engine.matches.match import Match
    from aquakit.engine.ranking import Line

PlayoutCount = Annotated[int | None, typer.Option(min=1, help="How many games to play out, instead of seconds.")]
LineCount = Annotated[int, typer.Option(min=1, help="How many turns to list.")]
EngineSeed = Annotated[int, typer.Option(min=0, help="With --playouts and one thread the same seed gives the same.")]
ThreadCount = Annotated[int | None, typer.Option(min=1, max=256, help="How many threads; else one a core.")]


def play_match(
    bots: Annotated[
        list[str], typer.Argument(help="Two bots or more: random, greedy, planner:2, mcts:0.5s, mcts:2000 …")
    ],
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    layout: Annotated[str, typer.Option(help="A layout's name or file.")] = "romana2",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same starts and dice.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Keep results in this file; the same command goes on.")] = None,
    workers: Workers = None,
    dask: Dask = None,
    setup: Annotated[bool, typer.Option("--setup", help="Aqua Romana: the bots play the setup too.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Aquädukt: with events under the mountains.")] = False,
    as_json: Json = False,
) -> None:
    """Let bots play a match and print how each did."""
    from aquakit.engine.matches.match import match
    from aquakit.work.executors import find_executor

    options = {name: True for name, given in (("setup", setup), ("events", events)) if given}
    with find_executor(workers=workers, dask=dask, pieces=count) as pool:
        found = match(
            bots,
            games=count,
            layout=find_layout(layout),
            seed=seed,
            executor=pool,
            path=out,
            progress=sys.stderr.isatty(),
            **options,
        )
    print_json(found.json()) if as_json else _print_match(found)
    if not found.is_complete:
        if out is not None:
            say("aquakit: the same command goes on", error=True)
        say_stopped()


def _print_match(found: Match) -> None:
    heads, *rows = found.rows()
    print_table(heads, rows, right=len(heads) - 1, title=found.summary, caption="\n".join(found.notes))


def analyse(
    position: PositionArgument,
    seconds: Seconds = None,
    playouts: PlayoutCount = None,
    lines: LineCount = 5,
    seed: EngineSeed = 0,
    threads: ThreadCount = None,
    words: Words = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Rank the turns of a position, thinking 5 seconds if nothing is said; stopped early, print what is known."""
    from aquakit.engine.analysis import Analysis

    check_words(words=words, as_json=as_json)
    found, stopped = Analysis(read_position(position, layout), lines=lines, seed=seed, threads=threads), False
    if seconds is None and playouts is None:
        seconds = 5
    try:
        found.run(seconds=seconds, playouts=playouts, progress=sys.stderr.isatty())
    except KeyboardInterrupt:
        stopped = True
    print_json(found.json()) if as_json else _print_analysis(found, found.tell if words else _write_turns)
    if stopped:
        say_stopped()


def _write_turns(line: Line) -> list[str]:
    return [line.turn, *line.pv]


def _print_analysis(found: Analysis, list_turns: Callable[[Line], list[str]]) -> None:
    me = (found.position.player or 1) - 1
    say(f"player {me + 1} decides; {found.playouts:,} playouts in {found.seconds:.1f} s")
    for line in found.lines:
        error = "proved" if line.proved else f"± {line.stderr:.2f}"
        turn, *following = list_turns(line)
        then = f"  then {' / '.join(following)}" if following else ""
        say(f"{line.order:2}. {line.lead:+7.2f} {error:6}  wins {line.win[me]:4.0%}  {turn}{then}")


def review_record(
    file: Annotated[Path, typer.Argument(help="A record.")],
    seconds: Seconds = None,
    playouts: PlayoutCount = None,
    lines: LineCount = 3,
    seed: EngineSeed = 0,
    threads: ThreadCount = None,
    puzzles: Annotated[Path | None, typer.Option(help="Write puzzle candidates to this folder.")] = None,
    words: Words = False,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Review a game, half a second a decision if nothing is said; stopped early, print what is finished."""
    from aquakit.engine.review import Review

    check_words(words=words, as_json=as_json)
    record = load_record(file, layout)
    found = Review(record, seconds=seconds, playouts=playouts, lines=lines, seed=seed, threads=threads)
    found.go_on(progress=sys.stderr.isatty())
    print_json(found.json()) if as_json else say(found.in_words() if words else found)
    if puzzles is not None:
        say(f"puzzle candidates in {puzzles}: {len(found.save(puzzles))}", error=True)
    if not found.is_complete:
        say_stopped()


def warm(
    shared: Annotated[bool, typer.Option("--shared", help="Do it for all who use this installation.")] = False,
) -> None:
    """Compile the engine now, so that nobody waits for it later."""
    from aquakit.compiled import cache
    from aquakit.compiled.ahead import one_process
    from aquakit.compiled.jit import need_numba
    from aquakit.engine.bots import GreedyBot
    from aquakit.engine.search.forest import Forest
    from aquakit.engine.solve import Solver
    from aquakit.romana.planner.plan.plan import plan
    from aquakit.romana.planner.timing.forecast import forecast

    need_numba("the compiled engine")
    if shared:
        cache.share()
    with one_process():
        for name in games.layout_names():
            games.start(name).runner()
        for game in games.all_games():
            start = game.start()
            Forest(start, threads=1)
            Solver(start)
            GreedyBot()(start)
        small = romana.Position.start("romana2-5x4")
        plan(small, turns=1, method="search")
        forecast(small, rounds=1, playouts=1, fast=True)
