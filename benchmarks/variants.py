"""Copies of the kit in which some lines are changed, to see what these lines are good for."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXACT = "aquakit/romana/planner/exact"
Change = tuple[str, str, str]
"""A file, and what is put in the place of what in it."""


def make_variant(folder: Path, changes: list[Change], *extra: str) -> None:
    """Copies the kit, and more of the repository if asked, to a folder and changes some lines."""
    leave_out = shutil.ignore_patterns("__pycache__", "shared")
    for name in ("aquakit", *extra):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=leave_out)
        else:
            shutil.copy(source, folder / name)
    for file, old, new in changes:
        path = folder / file
        text = path.read_text()
        if text.count(old) != 1:
            raise SystemExit(f"{file} has {text.count(old)} times: {old}")
        path.write_text(text.replace(old, new))
