"""The command line: start, show, legal, turns, play, perft, random, analyse, review, match, record, layout.

The planners' commands stand in `cli_planner`, the puzzles' in `cli_puzzle`, what all commands share in `cli_common`.
"""

from __future__ import annotations

import io
import os
import random as randomness
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from aquakit import aquadukt, romana
from aquakit.cli.common import (
    Force,
    Json,
    PositionArgument,
    Seconds,
    check_record_option,
    print_json,
    print_lines,
    read_position,
    say_stopped,
    write_picture,
)
from aquakit.cli.planner import COMMANDS
from aquakit.cli.puzzle import puzzle_app
from aquakit.cli.workshop import workshop_app
from aquakit.core import games
from aquakit.core.layouts import is_file
from aquakit.core.position import DEEPEST, AnyPosition, BaseTurn
from aquakit.core.record import Record
from aquakit.core.record.writing import INDENT, write_head, write_node, write_result
from aquakit.errors import AquakitError, InvalidOption, InvalidRecord

if TYPE_CHECKING:
    from aquakit.engine.analysis import Analysis
    from aquakit.engine.matches.match import Match

app = typer.Typer(
    help="Explore positions of water-building board games.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
layout_app = typer.Typer(help="Work with layouts, the boards as data.")
app.add_typer(layout_app, name="layout")
record_app = typer.Typer(help="Work with records, games with comments and variations.")
app.add_typer(record_app, name="record")
app.add_typer(puzzle_app, name="puzzle")
app.add_typer(workshop_app, name="workshop")
for name, command in COMMANDS.items():
    app.command(name)(command)

WIDE = 140
"""Columns of a table that nobody reads in a terminal."""
History = list[tuple[AnyPosition, BaseTurn[Any]]]
"""Each position of a game and the turn played there."""


@app.command()
def show(
    position: PositionArgument,
    svg: Annotated[str | None, typer.Option(help="Write a picture to this file, - for standard output.")] = None,
    theme: Annotated[str, typer.Option(help="light, dark or auto")] = "light",
    size: Annotated[int | None, typer.Option(help="The picture's width in pixels.")] = None,
    sight: Annotated[str, typer.Option(help="Aqueducts whose sight lines to draw, such as R1,R2.")] = "",
    last: Annotated[str | None, typer.Option(help="The last turn, to be marked.")] = None,
    flip: Annotated[bool, typer.Option(help="See the board from the other side.")] = False,
    as_json: Json = False,
) -> None:
    """Show a position as text, as data, or as a picture."""
    p = read_position(position)
    if svg is None:
        if (theme, size, sight, last, flip) != ("light", None, "", None, False):
            raise InvalidOption("svg", "is missing", "a file for the picture that the other options change")
        print_json(p.describe()) if as_json else print(p.diagram())
        return
    if as_json or not svg:
        raise InvalidOption("svg", repr(svg), "a file or -, and not together with --json")
    options: dict[str, Any] = {"theme": theme, "size": size, "last": last, "flip": flip}
    if sight:
        options["sight"] = [name.strip() for name in sight.split(",")]
    picture = p.svg(**options)
    if svg == "-":
        print(picture)
    else:
        write_picture(svg, picture)
        print(svg)


@app.command()
def legal(position: PositionArgument, as_json: Json = False) -> None:
    """List the legal actions of the decision at hand."""
    p = read_position(position)
    actions = [str(action) for action in p.actions()]
    if as_json:
        print_json({"position": str(p), "player": p.player, "phase": p.phase, "actions": actions})
    else:
        print_lines(actions)


@app.command()
def turns(
    position: PositionArgument,
    count: Annotated[bool, typer.Option("--count", help="Print only how many there are.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many.")] = None,
    dice: Annotated[str, typer.Option(help="Aquädukt: the turns with houses for given rolls, such as 7,3,12.")] = "",
    as_json: Json = False,
) -> None:
    """List the complete legal turns, those without dice if the game has any."""
    p = read_position(position)
    found = islice(_turns_with(p, dice) if dice else p.turns(), limit)
    if count:
        number = sum(1 for _ in found)
        if as_json:
            print_json({"position": str(p), "turns": number})
        else:
            print(number)
    elif as_json:
        print_json({"position": str(p), "turns": [str(turn) for turn in found]})
    else:
        for turn in found:
            print(turn)


def _turns_with(p: AnyPosition, dice: str) -> Iterator[Any]:
    """Lists the turns for given rolls."""
    if not isinstance(p, aquadukt.Position):
        raise InvalidOption("dice", f"{p.layout.name} has no die", "a position of Aquädukt")
    rolls = dice.split(",")
    if not all(roll.strip().isdecimal() for roll in rolls):
        raise InvalidOption("dice", repr(dice), "numbers joined by commas, such as 7,3,12")
    return p.turns(dice=map(int, rolls))


@app.command()
def play(
    position: PositionArgument,
    turns: Annotated[list[str], typer.Argument(help="Turns in order, each in quotes.")],
    as_json: Json = False,
) -> None:
    """Play turns and print the position after them."""
    p = read_position(position)
    for turn in turns:
        p = p.play(turn)
    if as_json:
        print_json(p.describe())
    else:
        print(p)


@app.command()
def perft(
    position: Annotated[str | None, typer.Argument(help="As for the other commands; not with --check.")] = None,
    depth: Annotated[int, typer.Argument(min=0, max=DEEPEST, help="The length of the action sequences.")] = 1,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first action.")] = False,
    check: Annotated[Path | None, typer.Option(help="Check every line of a file of known counts.")] = None,
    as_json: Json = False,
) -> None:
    """Count action sequences, or check a file of known counts."""
    if check is not None:
        if position is not None:
            raise InvalidOption("check", "a position is given too", "either a position or --check with a file")
        raise typer.Exit(0 if _check_counts(check) else 1)
    if position is None:
        raise InvalidOption("position", "is missing", "a position, or --check with a file")
    p = read_position(position)
    counts = {str(action): n for action, n in _divide(p, depth)} if depth else {}
    total = sum(counts.values()) if depth else 1
    if as_json:
        data: dict[str, Any] = {"position": str(p), "depth": depth, "count": total}
        print_json(data | ({"divide": counts} if divide else {}))
        return
    if divide:
        print_lines([f"{token}: {n}" for token, n in counts.items()])
    print(total)


def _divide(p: AnyPosition, depth: int) -> list[tuple[Any, int]]:
    """Counts below each first action, so that long counts show progress and can be stopped."""
    runner = p.runner()
    quiet = depth < 6 or not sys.stderr.isatty()
    steps = track(p.actions(), "counting", console=Console(stderr=True), disable=quiet, transient=True)
    return [(action, runner.count(p.act(action).state, depth - 1)) for action in steps]


def _check_counts(path: Path) -> bool:
    """Checks lines of the form: position ; D1 count ; D2 count …"""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidOption("check", f"{path} cannot be read: {problem}", "a file of known counts") from None
    wrong = checked = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source, *known = [part.strip() for part in line.split(" ; ")]
        try:
            p = games.parse(source)
        except AquakitError as problem:
            raise InvalidOption("check", f"{path}:{number}: {problem}") from None
        for item in known:
            match = re.fullmatch("D([0-9]+) ([0-9]+)", item)
            if match is None:
                raise InvalidOption("check", f"{path}:{number}: {item!r}", "D and a depth, a space, a count")
            depth, count = map(int, match.groups())
            found = p.perft(depth)
            checked += 1
            if found != count:
                wrong += 1
                print(f"{path}:{number}: D{depth} is {found}, not {count}")
    if not checked:
        raise InvalidOption("check", f"{path} holds no counts", "lines like: position ; D1 19 ; D2 1556")
    print(f"{checked} counts, {wrong} wrong")
    return not wrong


@app.command()
def random(
    position: PositionArgument = "romana4",
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    turns: Annotated[int | None, typer.Option(min=0, help="Stop after this many turns and print the position.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write the game as a record to this file too.")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Play random legal games: a position and its turn per line, at the end the totals."""
    start = read_position(position)
    if turns is None and getattr(start, "is_solo", False):
        raise InvalidOption("turns", "is missing", "a number, since a study position has no end to play to [S1]")
    if record is not None and count > 1:
        raise InvalidOption("record", f"{count} games are asked for", "one game to record")
    check_record_option(record, force=force)
    played: Iterable[tuple[History, AnyPosition]] = (
        play_randomly(start, randomness.Random(f"{seed}/{number}"), turns) for number in range(count)
    )
    if record is not None:
        played = list(played)
        _record_game(start, played[0][0], seed).save(record)
    if as_json:
        print_json([_game_as_data(history, last) for history, last in played])
        return
    for history, last in played:
        if turns is not None:
            print(last)
        else:
            print_lines([f"{p}\t{turn}" for p, turn in history])
            print(f"{last}\t{','.join(map(str, last.scores()))}\n")


def _record_game(start: AnyPosition, history: History, seed: int) -> Record:
    made = Record(start, {"event": "Random game", "seed": str(seed)})
    node = made.root
    for _, turn in history:
        node = node.play(turn)
    return made


def _game_as_data(history: History, last: AnyPosition) -> dict[str, Any]:
    rows = [{"position": str(p), "turn": str(turn)} for p, turn in history]
    return {"turns": rows, "last": str(last), "scores": list(last.scores())}


def play_randomly(p: AnyPosition, draw: randomness.Random, turns: int | None) -> tuple[History, AnyPosition]:
    """Plays random actions, to the end or for a number of turns; gets the turns played and the last position."""
    history: History = []
    while not p.is_over and (turns is None or len(history) < turns):
        before, actions = p, []
        while True:
            actions.append(draw.choice(p.actions()))
            p = p.act(actions[-1])
            if not p.played:
                break
        history.append((before, p.turn_type(actions)))
    return history, p


@app.command("start")
def print_start(
    layout: Annotated[str, typer.Argument(help="A layout's name or file.")],
    setup: Annotated[bool, typer.Option("--setup", help="Aqua Romana: before the setup.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Aquädukt: draws the mountains.")] = None,
    events: Annotated[bool, typer.Option("--events", help="Aquädukt: with events under the mountains.")] = False,
) -> None:
    """Print the start of a game, to be used with the other commands."""
    given = {"setup": setup or None, "seed": seed, "events": events or None}
    print(games.start(find_layout(layout), **{name: value for name, value in given.items() if value is not None}))


def find_layout(name: str) -> str | Path:
    """Gets what a layout is called: a built-in name comes before a file of the same name."""
    return Path(name) if name not in games.layout_names() and is_file(name) else name


@app.command("match")
def play_match(
    bots: Annotated[
        list[str], typer.Argument(help="Two bots or more: random, greedy, planner:2, mcts:0.5s, mcts:2000 …")
    ],
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    layout: Annotated[str, typer.Option(help="A layout's name or file.")] = "romana2",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same starts and dice.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Keep results in this file; the same command goes on.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="How many processes; else one a core.")] = None,
    setup: Annotated[bool, typer.Option("--setup", help="Aqua Romana: the bots play the setup too.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Aquädukt: with events under the mountains.")] = False,
    as_json: Json = False,
) -> None:
    """Let bots play a match and print how each did."""
    from aquakit.engine.matches.match import match, processes

    options = {name: True for name, given in (("setup", setup), ("events", events)) if given}
    with _without_sigpipe(), processes(workers or os.cpu_count() or 1) as pool:
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
        print(f"aquakit: stopped{'' if out is None else '; the same command goes on'}", file=sys.stderr)
        raise typer.Exit(130)


@contextmanager
def _without_sigpipe() -> Iterator[None]:
    """Keeps this process alive where others that it writes to are ended."""
    if not hasattr(signal, "SIGPIPE"):
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


def _print_match(found: Match) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDE
    heads, *rows = found.rows()
    table = Table(title=escape(found.summary), caption="\n".join(found.notes), box=SIMPLE)
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left")
    for row in rows:
        table.add_row(*map(escape, row))
    console.print(table)


PlayoutCount = Annotated[int | None, typer.Option(min=1, help="How many games to play out, instead of seconds.")]
LineCount = Annotated[int, typer.Option(min=1, help="How many turns to list.")]
EngineSeed = Annotated[int, typer.Option(min=0, help="With --playouts and one thread the same seed gives the same.")]
ThreadCount = Annotated[int | None, typer.Option(min=1, max=256, help="How many threads; else one a core.")]


@app.command()
def analyse(
    position: PositionArgument,
    seconds: Seconds = None,
    playouts: PlayoutCount = None,
    lines: LineCount = 5,
    seed: EngineSeed = 0,
    threads: ThreadCount = None,
    as_json: Json = False,
) -> None:
    """Rank the turns of a position, thinking 5 seconds if nothing is said; stopped early, print what is known."""
    from aquakit.engine.analysis import Analysis

    found, stopped = Analysis(read_position(position), lines=lines, seed=seed, threads=threads), False
    if seconds is None and playouts is None:
        seconds = 5
    try:
        found.run(seconds=seconds, playouts=playouts, progress=sys.stderr.isatty())
    except KeyboardInterrupt:
        stopped = True
    print_json(found.json()) if as_json else _print_analysis(found)
    if stopped:
        say_stopped()


def _print_analysis(found: Analysis) -> None:
    me = (found.position.player or 1) - 1
    print(f"player {me + 1} decides; {found.playouts:,} playouts in {found.seconds:.1f} s")
    for line in found.lines:
        error = "proved" if line.proved else f"± {line.stderr:.2f}"
        then = f"  then {' / '.join(line.pv)}" if line.pv else ""
        print(f"{line.order:2}. {line.lead:+7.2f} {error:6}  wins {line.win[me]:4.0%}  {line.turn}{then}")


@app.command("review")
def review_record(
    file: Annotated[Path, typer.Argument(help="A record.")],
    seconds: Seconds = None,
    playouts: PlayoutCount = None,
    lines: LineCount = 3,
    seed: EngineSeed = 0,
    threads: ThreadCount = None,
    puzzles: Annotated[Path | None, typer.Option(help="Write puzzle candidates to this folder.")] = None,
    as_json: Json = False,
) -> None:
    """Review a game, half a second a decision if nothing is said; stopped early, print what is finished."""
    from aquakit.engine.review import Review

    found = Review(Record.load(file), seconds=seconds, playouts=playouts, lines=lines, seed=seed, threads=threads)
    found.go_on(progress=sys.stderr.isatty())
    print_json(found.json()) if as_json else print(found)
    if puzzles is not None:
        print(f"puzzle candidates in {puzzles}: {len(found.save(puzzles))}", file=sys.stderr)
    if not found.is_complete:
        say_stopped()


@layout_app.command("list")
def list_layouts(as_json: Json = False) -> None:
    """List the built-in layouts."""
    titles = {name: games.load_layout(name).title for name in games.layout_names()}
    if as_json:
        print_json(titles)
    else:
        print_lines([f"{name:14}  {title}" for name, title in titles.items()])


@layout_app.command("show")
def show_layout(layout: Annotated[str, typer.Argument(help="A built-in layout's name, or a layout file.")]) -> None:
    """Print a layout's file, to be changed into one of your own."""
    print(games.load_layout(find_layout(layout)).text, end="")


@layout_app.command("check")
def check_layout(
    layout: Annotated[str, typer.Argument(help="A layout file, or a built-in layout's name.")], as_json: Json = False
) -> None:
    """Check a layout file and say what it holds."""
    found = games.load_layout(find_layout(layout))
    p = games.start(found)
    if as_json:
        print_json({"layout": found.name, "title": found.title, "start": str(p), "actions": len(p.actions())})
        return
    print(f"{found.name}: {found.title}")
    print(found.summary)
    print(p)


@record_app.command("check")
def check_records(files: Annotated[list[Path], typer.Argument(help="Records to check.")]) -> None:
    """Check records and say what they hold, or every line that is wrong."""
    wrong = [file for file in files if not _check_record(file)]
    raise typer.Exit(1 if wrong else 0)


def _check_record(file: Path) -> bool:
    try:
        record = Record.load(file)
    except InvalidRecord as problem:
        rows = [f"{file}, line {line}: {message}" for line, message in problem.problems]
        print_lines(rows or [str(problem)])
        return False
    turns, nodes = len(record.root.main()) - 1, sum(1 for _ in record.root.walk()) - 1
    print(f"{file}: {turns} turns, {nodes - turns} more in variations, result {record.result}")
    return True


@record_app.command("show")
def show_record(
    file: Annotated[Path, typer.Argument(help="A record.")],
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every turn.")] = False,
) -> None:
    """Show a record: its headers, its turns with comments and variations, and its result."""
    record = Record.load(file)
    print_lines(write_head(record.headers, record.start))
    for node, depth in record.root.rows():
        print_lines(write_node(node, depth))
        if boards:
            print(indent(f"\n{node.position.diagram()}\n", INDENT * (depth + 1)))
    print(write_result(record.result))


@app.command()
def warm() -> None:
    """Compile the engine now, so that nobody waits for it later."""
    from aquakit.compiled.jit import need_numba
    from aquakit.engine.bots import GreedyBot
    from aquakit.engine.search.forest import Forest
    from aquakit.engine.solve import Solver
    from aquakit.romana.planner.plan.plan import plan
    from aquakit.romana.planner.timing.forecast import forecast

    need_numba("the compiled engine")
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


_UsageError: Any = typer.BadParameter.__base__  # typer brings its own copy of click, or not, by version


def run(arguments: list[str]) -> int:
    """Answers a command line: exit code 2 and one clear line on bad input."""
    try:
        code = app(arguments or ["--help"], standalone_mode=False)
    except (AquakitError, _UsageError) as problem:
        text = problem.format_message() if hasattr(problem, "format_message") else str(problem)
        print(f"aquakit: {' '.join(text.split())}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("aquakit: stopped", file=sys.stderr)
        return 130
    return int(code or 0)


def main() -> None:
    """Runs the command line."""
    if hasattr(signal, "SIGPIPE"):  # end quietly when a reader, such as head, has seen enough
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a board is better than an error where the terminal lacks a letter
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
