"""The commands about records: check, show."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Annotated

import typer

from aquakit.cli.common import LayoutOption, Words, find_layout, print_lines, say
from aquakit.core.record import Node, Record
from aquakit.core.record.writing import INDENT, write_head, write_node, write_result
from aquakit.errors import InvalidRecord

record_app = typer.Typer(help="Work with records, games with comments and variations.")


@record_app.command("check")
def check_records(
    files: Annotated[list[Path], typer.Argument(help="Records to check.")], layout: LayoutOption = None
) -> None:
    """Check records and say what they hold, or every line that is wrong."""
    wrong = [file for file in files if not _check_record(file, layout)]
    raise typer.Exit(1 if wrong else 0)


def _check_record(file: Path, layout: str | None) -> bool:
    try:
        record = load_record(file, layout)
    except InvalidRecord as problem:
        rows = [f"{file}, line {line}: {message}" for line, message in problem.problems]
        print_lines(rows or [str(problem)])
        return False
    turns, nodes = len(record.root.main()) - 1, sum(1 for _ in record.root.walk()) - 1
    say(f"{file}: {turns} turns, {nodes - turns} more in variations, result {record.result}")
    return True


def load_record(file: Path, layout: str | None) -> Record:
    """Reads a record's file, on a layout that is given if it does not lie beside it."""
    return Record.load(file, None if layout is None else find_layout(layout))


@record_app.command("show")
def show_record(
    file: Annotated[Path, typer.Argument(help="A record.")],
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board after every turn.")] = False,
    words: Words = False,
    layout: LayoutOption = None,
) -> None:
    """Show a record: its headers, its turns with comments and variations, and its result."""
    record = load_record(file, layout)
    print_lines(write_head(record.headers, record.start))
    for node, depth in record.root.rows():
        print_lines(_tell_node(node, depth) if words else write_node(node, depth))
        if boards:
            say(indent(f"\n{node.position.diagram()}\n", INDENT * (depth + 1)))
    say(write_result(record.result))


def _tell_node(node: Node, depth: int) -> list[str]:
    """Writes a turn as `write_node` does, in words and with the player's name."""
    lines = write_node(node, depth)
    if node.parent is not None and node.turn is not None:
        before = node.parent.position
        who = before.room("board.why").name(before.layout, before.mover)
        lines[0] = f"{INDENT * depth}{node.number}. {who}: {before.tell(node.turn)}"
    return lines
