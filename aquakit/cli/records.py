"""The commands about records: check, show."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Annotated

import typer

from aquakit.cli.common import print_lines
from aquakit.core.record import Record
from aquakit.core.record.writing import INDENT, write_head, write_node, write_result
from aquakit.errors import InvalidRecord

record_app = typer.Typer(help="Work with records, games with comments and variations.")


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
