"""Lays out a workshop's folder: a copy of the lessons without what earlier runs left in them."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from aquakit.core.files import find_shipped
from aquakit.core.tomlfile import write_value
from aquakit.core.version import VERSION
from aquakit.errors import InvalidOption
from aquakit.workshop.people import MARK

LEADERS = re.compile(r"-leader\.ipynb$")
"""Notebooks that are for the leader, since they hold answers."""
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "lab.json", "*.ipynb", "results-*.jsonl")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#]*)(#[^)]*)?\)")


def home() -> Path:
    """Gets the folder of the lessons that come with the kit."""
    return find_shipped(Path(__file__).parent / "lessons", "notebooks")


def start(folder: Path, source: Path | None = None) -> list[str]:
    """Makes a workshop's folder with a clean copy of the lessons, whole or not at all; gets the lessons' files."""
    source = home() if source is None else source
    lessons = [path for path in sorted(source.glob("*.ipynb")) if not LEADERS.search(path.name)]
    if not lessons:
        raise InvalidOption("lessons", f"there are none in {source}", "an installation that is whole")
    folder = folder.expanduser().absolute()
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise InvalidOption("folder", f"{folder} is there already", "a new folder, or an empty one")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as problem:
        raise InvalidOption("folder", f"{folder} cannot be made: {problem.strerror}", "a place to write") from None
    try:
        _fill(made, source, lessons)
        made.chmod(0o755)
        if folder.is_dir():  # an empty one; where it is not empty any more, this fails
            folder.rmdir()
        made.rename(folder)
    except OSError as problem:
        shutil.rmtree(made, ignore_errors=True)
        raise InvalidOption("folder", f"{folder} cannot be made: {problem.strerror}", "a place to write") from None
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    return [path.name for path in lessons]


def _fill(folder: Path, source: Path, lessons: list[Path]) -> None:
    """Copies the lessons, and what lies beside them, into a folder."""
    shutil.copytree(source, folder, ignore=LEFT_OUT, dirs_exist_ok=True)
    for path in lessons:
        cleaned = clean(json.loads(path.read_text("utf-8")), {lesson.name for lesson in lessons} | _names(folder))
        (folder / path.name).write_text(json.dumps(cleaned, ensure_ascii=False, indent=1) + "\n", "utf-8")
    made = {"made": datetime.now(UTC).isoformat(timespec="seconds"), "version": VERSION}
    head = "# Results of those who work in this folder are kept beside this file."
    lines = [head, *(f"{name} = {write_value(value)}" for name, value in made.items())]
    (folder / MARK).write_text("\n".join(lines) + "\n", "utf-8")


def _names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def clean(notebook: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """Gets a notebook without outputs, counts and widgets; links to files that are not known become plain words."""
    kept = {
        name: notebook["metadata"][name] for name in ("kernelspec", "language_info") if name in notebook["metadata"]
    }
    cells = [_clean_cell(cell, known) for cell in notebook["cells"]]
    return {**notebook, "metadata": kept, "cells": cells}


def _clean_cell(cell: dict[str, Any], known: set[str]) -> dict[str, Any]:
    if cell["cell_type"] == "code":
        kept = {name: value for name, value in cell["metadata"].items() if name not in ("execution", "widgets")}
        return {**cell, "metadata": kept, "outputs": [], "execution_count": None}
    text = "".join(cell["source"])

    def lead(link: re.Match[str]) -> str:
        inside = not link[2] or "://" in link[2] or link[2] in known
        return link[0] if inside else link[1]

    return {**cell, "source": LINK.sub(lead, text).splitlines(keepends=True)}
