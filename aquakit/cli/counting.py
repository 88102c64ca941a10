"""The command that counts action sequences: perft."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from aquakit.cli.common import Json, LayoutOption, print_json, print_lines, read_position, say, say_stopped
from aquakit.core import games
from aquakit.core.files import read_text
from aquakit.core.position import DEEPEST, AnyPosition
from aquakit.errors import AquakitError, InvalidOption, shorten


def perft(
    position: Annotated[str | None, typer.Argument(help="As for the other commands; not with --check.")] = None,
    depth: Annotated[int, typer.Argument(min=0, max=DEEPEST, help="The length of the action sequences.")] = 1,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first action.")] = False,
    check: Annotated[Path | None, typer.Option(help="Check every line of a file of known counts.")] = None,
    layout: LayoutOption = None,
    as_json: Json = False,
) -> None:
    """Count action sequences, or check a file of known counts; stopped early, --divide prints what is counted."""
    if check is not None:
        if position is not None:
            raise InvalidOption("check", "a position is given too", "either a position or --check with a file")
        raise typer.Exit(0 if _check_counts(check) else 1)
    if position is None:
        raise InvalidOption("position", "is missing", "a position, or --check with a file")
    p = read_position(position, layout)
    counts: dict[str, int] = {}
    stopped = False
    try:
        for action, n in _divide(p, depth) if depth else ():
            counts[str(action)] = n
    except KeyboardInterrupt:
        stopped = True
    total = None if stopped else sum(counts.values()) if depth else 1
    if as_json:
        data: dict[str, Any] = {"position": str(p), "depth": depth, "count": total}
        print_json(data | ({"divide": counts} if divide else {}))
    else:
        lines = [f"{token}: {n}" for token, n in counts.items()] if divide else []
        print_lines(lines if stopped else [*lines, str(total)])
    if stopped:
        say_stopped()


def _divide(p: AnyPosition, depth: int) -> Iterator[tuple[Any, int]]:
    """Counts below each first action, so that long counts show progress and leave something when they are stopped."""
    from tqdm.auto import tqdm

    runner = p.runner()
    quiet = depth < 6 or not sys.stderr.isatty()
    for action in tqdm(p.actions(), "counting", unit="action", leave=False, disable=quiet):
        yield action, runner.count(p.act(action).state, depth - 1)


def _check_counts(path: Path) -> bool:
    """Checks lines of the form: position ; D1 count ; D2 count …"""
    text = read_text(path, InvalidOption, "a file of known counts")
    wrong = checked = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        source, *known = [part.strip() for part in line.split(" ; ")]
        try:
            p = games.parse(source, folder=path.parent)
        except AquakitError as problem:
            raise InvalidOption("check", f"{path}:{number}: {problem}") from None
        for item in known:
            match = re.fullmatch("D([0-9]{1,9}) ([0-9]{1,99})", item)
            if match is None:
                raise InvalidOption("check", f"{path}:{number}: {shorten(item)!r}", "D and a depth, a space, a count")
            depth, count = map(int, match.groups())
            found = p.perft(depth)
            checked += 1
            if found != count:
                wrong += 1
                say(f"{path}:{number}: D{depth} is {found}, not {count}")
    if not checked:
        raise InvalidOption("check", f"{path} holds no counts", "lines like: position ; D1 19 ; D2 1556")
    say(f"{checked} counts, {wrong} wrong")
    return not wrong
