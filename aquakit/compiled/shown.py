"""Shows how far compiling is: a bar on terminals and in notebooks, a line elsewhere."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from dataclasses import dataclass
from typing import Any

WIDE = 20
"""The width of a bar in a line of text."""


@dataclass(frozen=True)
class CompileProgress:
    """How far compiling is.

    >>> str(CompileProgress("the search", 10, 40, 3.2))
    'compiling the search: 10 of 40 functions'
    """

    what: str
    done: int
    total: int
    """Functions, those that were kept before included."""
    seconds: float

    @property
    def bar(self) -> str:
        """How far it is, for a line of text."""
        long = WIDE * self.done // max(1, self.total)
        return f"[{'#' * long}{'.' * (WIDE - long)}]"

    def __str__(self) -> str:
        return f"compiling {self.what}: {self.done} of {self.total} functions"


def is_notebook() -> bool:
    """Checks whether this is the Python of a notebook that shows widgets."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and "IPKernelApp" in shell.config


def say_compiling(what: str) -> None:
    """Says in a line that something is compiled, except in a thread of a notebook."""
    if not (is_notebook() and threading.current_thread() is not threading.main_thread()):  # which has no cell
        print(f"aquakit: compiling {what} for speed, once …", file=sys.stderr, flush=True)


class ShownProgress:
    """A bar for terminals and notebooks; elsewhere a line says at the beginning what is compiled."""

    def __init__(self, progress: CompileProgress) -> None:
        what = progress.what
        self._bar: Any = None
        in_cell = is_notebook() and threading.current_thread() is threading.main_thread()
        terminal = sys.stderr is not None and sys.stderr.isatty() and multiprocessing.parent_process() is None
        if not in_cell and not terminal:
            say_compiling(what)
            return
        from tqdm.auto import tqdm

        style = "{desc} {bar} {n_fmt} of {total_fmt} functions, {elapsed}"
        self._bar = tqdm(
            total=progress.total,
            initial=progress.done,
            desc=f"compiling {what}, once",
            bar_format=style,
            leave=False,
            dynamic_ncols=True,
        )

    def show(self, progress: CompileProgress) -> None:
        """Shows how far it is."""
        if self._bar is not None:
            if self._bar.total != progress.total:
                self._bar.reset(progress.total)  # which a notebook's bar needs to hear
            self._bar.n = progress.done
            self._bar.refresh()

    def end(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
