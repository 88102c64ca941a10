"""The command line: aquakit show | legal | turns | play | perft | random | layout."""

from __future__ import annotations

import json
import os
import random as randomness
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track

from aquakit import aquadukt, games
from aquakit.errors import AquakitError, InvalidOption, InvalidPosition
from aquakit.files import write_atomically
from aquakit.layouts import is_path
from aquakit.position import BasePosition, BaseTurn

AnyPosition = BasePosition[Any]

app = typer.Typer(
    help="Explore positions of water-building board games.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
layout_app = typer.Typer(help="Work with layouts, the boards as data.")
app.add_typer(layout_app, name="layout")

PositionArgument = Annotated[
    str,
    typer.Argument(help="A position text, a file that holds one, - for standard input, or a layout to start on."),
]
Json = Annotated[bool, typer.Option("--json", help="Print data as JSON.")]


def read_position(source: str) -> AnyPosition:
    """Reads a position given as text, file, standard input, or as the layout whose start is meant."""
    if source == "-":
        return games.parse(_only_line(sys.stdin.read(), "standard input"))
    if " " in source.strip():
        return games.parse(source)
    if (is_path(source) and source.endswith(".toml")) or source in games.layout_names():
        return games.start(source)
    if not Path(source).is_file():
        expected = f"a position text in quotes, a file, -, or a layout ({', '.join(games.layout_names())})"
        raise InvalidPosition("position", f"{source!r} is no file and no layout", expected)
    try:
        return games.parse(_only_line(Path(source).read_text("utf-8"), source))
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidPosition(source, f"cannot be read: {problem}", "a text file with a position") from None


def _only_line(text: str, source: str) -> str:
    """Gets the one line that is neither empty nor a comment."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) != 1:
        raise InvalidPosition(source, f"{len(lines)} lines", "one position on one line")
    return lines[0]


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


def _print_lines(lines: list[str]) -> None:
    for line in lines:
        print(line)


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
    if as_json:
        _print_json(p.describe())
    elif svg is None:
        print(p.diagram())
    else:
        options: dict[str, Any] = {"theme": theme, "size": size, "last": last, "flip": flip}
        if sight:
            options["sight"] = sight.split(",")
        picture = p.svg(**options)
        if svg == "-":
            print(picture)
        else:
            _write(svg, picture)
            print(svg)


def _write(path: str, text: str) -> None:
    try:
        write_atomically(path, text)
    except OSError as problem:
        raise InvalidOption("svg", f"{path} cannot be written: {problem.strerror}", "a path in a folder") from None


@app.command()
def legal(position: PositionArgument, as_json: Json = False) -> None:
    """List the legal actions of the decision at hand."""
    p = read_position(position)
    actions = [str(action) for action in p.actions()]
    if as_json:
        _print_json({"position": str(p), "player": p.player, "phase": p.phase, "actions": actions})
    else:
        _print_lines(actions)


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
            _print_json({"position": str(p), "turns": number})
        else:
            print(number)
    elif as_json:
        _print_json({"position": str(p), "turns": [str(turn) for turn in found]})
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
        _print_json(p.describe())
    else:
        print(p)


@app.command()
def perft(
    position: Annotated[str | None, typer.Argument(help="As for the other commands; not with --check.")] = None,
    depth: Annotated[int, typer.Argument(min=0, help="The length of the action sequences.")] = 1,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first action.")] = False,
    check: Annotated[Path | None, typer.Option(help="Check every line of a file of known counts.")] = None,
    as_json: Json = False,
) -> None:
    """Count action sequences, or check a file of known counts."""
    if check is not None:
        raise typer.Exit(0 if _check_counts(check) else 1)
    if position is None:
        raise InvalidOption("position", "is missing", "a position, or --check with a file")
    p = read_position(position)
    counts = {str(action): n for action, n in _divide(p, depth)} if depth else {}
    total = sum(counts.values()) if depth else 1
    if as_json:
        data: dict[str, Any] = {"position": str(p), "depth": depth, "count": total}
        _print_json(data | ({"divide": counts} if divide else {}))
        return
    if divide:
        _print_lines([f"{token}: {n}" for token, n in counts.items()])
    print(total)


def _divide(p: AnyPosition, depth: int) -> list[tuple[Any, int]]:
    """Counts below each first action, so that long counts show progress and can be stopped."""
    runner = p.runner()
    quiet = depth < 6 or not sys.stderr.isatty()
    steps = track(p.actions(), "counting", console=Console(stderr=True), disable=quiet, transient=True)
    return [(action, runner.perft(p.act(action).state, depth - 1)) for action in steps]


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
        p = games.parse(source)
        for item in known:
            depth, _, count = item.partition(" ")
            if not (depth.startswith("D") and depth[1:].isdigit() and count.isdigit()):
                raise InvalidOption("check", f"{path}:{number}: {item!r}", "D and a depth, a space, a count")
            found = p.perft(int(depth[1:]))
            checked += 1
            if found != int(count):
                wrong += 1
                print(f"{path}:{number}: {depth} is {found}, not {count}")
    print(f"{checked} counts, {wrong} wrong")
    return not wrong


@app.command()
def random(
    position: PositionArgument = "romana4",
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    count: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    turns: Annotated[int | None, typer.Option(min=0, help="Stop after this many turns and print the position.")] = None,
    as_json: Json = False,
) -> None:
    """Play random legal games: a position and its turn per line, at the end the totals."""
    start = read_position(position)
    for number in range(count):
        history, last = play_randomly(start, randomness.Random(f"{seed}/{number}"), turns)
        if as_json:
            rows = [{"position": str(p), "turn": str(turn)} for p, turn in history]
            _print_json({"turns": rows, "last": str(last), "scores": list(last.scores())})
        elif turns is not None:
            print(last)
        else:
            _print_lines([f"{p}\t{turn}" for p, turn in history])
            print(f"{last}\t{','.join(map(str, last.scores()))}\n")


def play_randomly(
    p: AnyPosition, draw: randomness.Random, turns: int | None
) -> tuple[list[tuple[AnyPosition, BaseTurn[Any]]], AnyPosition]:
    """Plays random actions, to the end or for a number of turns; gets the turns played and the last position."""
    history: list[tuple[AnyPosition, BaseTurn[Any]]] = []
    while not p.is_over and (turns is None or len(history) < turns):
        before, actions = p, []
        while True:
            actions.append(draw.choice(p.actions()))
            p = p.act(actions[-1])
            if not p.played:
                break
        history.append((before, p.turn_type(actions)))
    return history, p


@layout_app.command("list")
def list_layouts() -> None:
    """List the built-in layouts."""
    for name in games.layout_names():
        layout = games.load_layout(name)
        print(f"{name:12}  {layout.title}")


@layout_app.command("check")
def check_layout(
    layout: Annotated[str, typer.Argument(help="A layout file, or a built-in layout's name.")],
    as_json: Json = False,
) -> None:
    """Check a layout file and say what it holds."""
    found = games.load_layout(Path(layout) if Path(layout).exists() else layout)
    p = games.start(found)
    if as_json:
        _print_json({"layout": found.name, "title": found.title, "start": str(p), "actions": len(p.actions())})
        return
    print(f"{found.name}: {found.title}")
    print(found.summary)
    print(p)


@app.command()
def warm() -> None:
    """Compile the engine now, so that nobody waits for it later."""
    for name in games.layout_names():
        games.start(name).runner()


_UsageError: Any = typer.BadParameter.__base__  # typer brings its own copy of click, or not, by version


def main() -> None:
    """Runs the command line: exit code 2 and one clear line on bad input."""
    try:
        code = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except (AquakitError, _UsageError) as problem:
        text = problem.format_message() if hasattr(problem, "format_message") else str(problem)
        print(f"aquakit: {' '.join(text.split())}", file=sys.stderr)
        code = 2
    except (KeyboardInterrupt, typer.Abort):
        print("aquakit: stopped", file=sys.stderr)
        code = 130
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


if __name__ == "__main__":
    main()
