"""The commands about layouts, the boards as data: list, show, check."""

from __future__ import annotations

from typing import Annotated

import typer

from aquakit.cli.common import Json, find_layout, print_json, print_lines, say
from aquakit.core import games

layout_app = typer.Typer(help="Work with layouts, the boards as data.")


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
    say(games.load_layout(find_layout(layout)).text, end="")


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
    say(f"{found.name}: {found.title}")
    say(found.summary)
    say(p)
