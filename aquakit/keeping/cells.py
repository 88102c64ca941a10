"""Which cell of which notebook is running, as far as the notebook tells: there a game is at home."""

from __future__ import annotations

import os
import sys
from typing import Any, NamedTuple

_runs: dict[str, list[str]] = {}
"""The runs of each cell in this process in which boards were made: the first one, and every later board's."""


class CellPlace(NamedTuple):
    """Where a board is made."""

    name: str
    """The same for the same cell of the same notebook, or the name that the game was given; empty if there is none."""
    is_new: bool
    """Whether this process has made no board there in an earlier run."""


def find_place(name: str | None = None) -> CellPlace:
    """Finds where a board that is made now is at home; several of one run are told apart by their number.

    >>> find_place()
    CellPlace(name='', is_new=False)
    """
    cell, run = _running_cell()
    home = f"name:{name}" if name is not None else cell
    if not home:
        return CellPlace("", False)
    runs = _runs.setdefault(home, [])
    runs.append(run)
    number = 0 if name is not None or not run else runs.count(run) - 1
    is_new = len(runs) == 1 or (name is None and bool(run) and run == runs[0])
    return CellPlace(f"{home} {number}" if number else home, is_new)


def _running_cell() -> tuple[str, str]:
    """Gets the cell that is running, and what only this run of it has; nothing where nobody tells."""
    module = sys.modules.get("IPython")
    shell: Any = module and module.get_ipython()
    if shell is None or not hasattr(shell, "get_parent"):
        return "", ""
    parent = shell.get_parent() or {}
    notebook = os.environ.get("JPY_SESSION_NAME") or shell.user_ns.get("__vsc_ipynb_file__")
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if not (notebook and cell and run):
        return "", ""
    # Not every file name can be written as a text.
    return f"cell:{notebook}#{cell}".encode("utf-8", "replace").decode(), str(run)
