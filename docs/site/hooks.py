"""What the site has beside its pages: parts made from the project itself when it is built, and links that hold there.

The pages stand in `docs/` as they are read on any forge. Whatever is made here would be stale as a second copy: the
commands' help, the list of notebooks, the pages from the top of the project, and the pictures for the dark theme.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
TOP = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Pages from the top of the project."""
WIDTH = "100"
"""Columns of a help text."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages from the top of the project, and every picture once more for the dark theme."""
    for name, source in TOP.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text("utf-8")))
    for name, picture in load_pictures().pictures("dark").items():
        files.append(File.generated(config, f"images/dark/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Puts in what is made when the site is built, and mends links and pictures."""
    for mark, write in MADE.items():
        if mark in markdown:
            markdown = markdown.replace(mark, "\n".join(write()))
    return show_both_themes(mend_links(markdown, page.file.src_uri))


def mend_links(markdown: str, source: str) -> str:
    """Leads links to files beside `docs/` to where the site has them.

    >>> mend_links("[plan](../notebooks/07-plan.ipynb), [help](../CONTRIBUTING.md#tests)", "planner.md")
    '[plan](notebooks.md#07-plan), [help](contributing.md#tests)'
    """
    made = re.sub(r"\]\(\.\./notebooks/([\w-]+)\.ipynb\)", r"](notebooks.md#\1)", markdown)
    for name, top in TOP.items():
        made = made.replace(f"](../{top}", f"]({name}")
        if source == name:
            made = made.replace("](docs/", "](")
    if outside := re.search(r"\]\((\.\./[^)]*)\)", made):
        raise PluginError(f"{source}: {outside[1]} leads out of the site")
    return made


def show_both_themes(markdown: str) -> str:
    """Shows every picture of `docs/images` as drawn for the theme that the reader has chosen.

    >>> show_both_themes("![A board](images/start.svg)")
    '![A board](images/start.svg#only-light)![A board](images/dark/start.svg#only-dark)'
    """
    return re.sub(
        r"!\[([^\]]*)\]\(images/([\w-]+\.svg)\)",
        r"![\1](images/\2#only-light)![\1](images/dark/\2#only-dark)",
        markdown,
    )


def load_pictures() -> Any:
    """Loads the module that draws the pictures, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_commands() -> Iterator[str]:
    """Writes what every command says of itself when it is asked for help."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from aquakit.cli.main import app

    runner, waiting = CliRunner(env={"COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH}), [((), get_command(app))]
    while waiting:
        names, command = waiting.pop()
        inner = getattr(command, "commands", {})
        waiting += [((*names, name), inner[name]) for name in sorted(inner, reverse=True)]
        said = runner.invoke(app, [*names, "--help"], prog_name="aquakit")
        if said.exit_code:
            raise PluginError(f"aquakit {' '.join(names)} --help: {said.output}")
        yield f"{'#' * min(4, 2 + len(names))} aquakit {' '.join(names)}".rstrip()
        yield f"\n```text\n{said.output.rstrip()}\n```\n"


def write_notebooks() -> Iterator[str]:
    """Writes the title of every notebook and what it says first."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        text = "".join(next(cell["source"] for cell in cells if cell["cell_type"] == "markdown"))
        title, _, rest = text.lstrip("# ").partition("\n")
        first = re.sub(r"\s*[^.!?]*:$", "", rest.strip().split("\n\n")[0])  # what leads to a list stands alone here
        yield f"## {title} {{ #{path.stem} }}\n"
        yield f"`notebooks/{path.name}`\n"
        yield re.sub(r"\]\((?:\.\./notebooks/)?([\w-]+)\.ipynb\)", r"](#\1)", first).replace("](../docs/", "](") + "\n"


MADE = {
    "*The site that `make docs` builds has the help of every command here.*": write_commands,
    "*The site that `make docs` builds lists the notebooks here.*": write_notebooks,
}
"""What stands in a page for what is made."""
