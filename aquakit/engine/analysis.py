"""Analysis: ranked turns of a position with numbers that say how sure they are, while they are being computed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any, Self

from aquakit.board.telling import tell_line
from aquakit.core.options import read_seconds, read_whole, show
from aquakit.core.position import AnyPosition
from aquakit.core.threads import Helper
from aquakit.drawing.tables import write_table
from aquakit.engine.explain import Explanation, explain
from aquakit.engine.ranking import Line, Ranking
from aquakit.engine.solve import Solver, solve
from aquakit.errors import InvalidOption

EVERY = 0.25
"""Seconds between two looks at partial results."""
FIRST_LOOK = 4000
"""Playouts before a proof is tried."""


class Analysis(Ranking):
    """The analysis of a position: runs, can be stopped and goes on where it was, and shows its lines at any time.

    >>> from aquakit import start
    >>> analysis = Analysis(start("romana2-5x4"), lines=3, threads=1).run(playouts=2000)
    >>> analysis.playouts, len(analysis.lines), analysis.best == analysis.lines[0]
    (2000, 3, True)
    """

    def __init__(self, position: AnyPosition, *, lines: int = 5, seed: int = 0, threads: int | None = None) -> None:
        """Prepares an analysis; `run`, `stream` or `start` begin it."""
        super().__init__(position, lines=lines, seed=seed, threads=threads)
        self.seconds = 0.0
        self._stopped = threading.Event()
        self._thread: Helper | None = None
        self._solver: Solver | None = None

    # Running

    def run(
        self,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        progress: bool = False,
        on_update: Callable[[Self], None] | None = None,
    ) -> Self:
        """Runs so long or for so many playouts, or until it is stopped; goes on from what is there.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1)
        >>> analysis.run(playouts=1000).run(playouts=500).playouts
        1500
        """
        self._stopped = threading.Event()
        return self._run(self._slices(seconds, playouts, progress=progress), on_update)

    def _run(self, slices: Iterator[int], on_update: Callable[[Self], None] | None) -> Self:
        for _ in slices:
            if on_update is not None:
                on_update(self)
        return self

    def prove(self, *, seconds: float | None = None) -> Self:
        """Searches exactly to the end of the game; lines that are best by proof are marked so.

        It may take longer than anyone waits: `solution.proved` says whether it was done in the time given.

        >>> from aquakit import parse
        >>> last = parse("romana2-5x4 F##+7/.|.../.J.FZ/L+##J ..cs./.b.d/..c.s/.bd. dj -,- *.*,*.* 2.3.1.2 1 0")
        >>> analysis = Analysis(last, threads=1).run(playouts=500).prove()
        >>> analysis.solution.proved, analysis.best.proved, analysis.best.lead
        (True, True, -1.0)
        """
        self._solver = Solver(self.position)
        begun = time.perf_counter()
        try:
            self.solution = solve(self.position, seconds=seconds, solver=self._solver)
        finally:
            self.seconds += time.perf_counter() - begun
        return self

    def stream(self, *, seconds: float | None = None, playouts: int | None = None) -> Iterator[Self]:
        """Runs and gives itself back with partial results several times a second.

        >>> from aquakit import start
        >>> for partial in Analysis(start("romana2-5x4"), threads=1).stream(playouts=4000):
        ...     print(partial.playouts)
        2000
        4000
        """
        self._stopped = threading.Event()
        for _ in self._slices(seconds, playouts):
            yield self

    async def astream(self, *, seconds: float | None = None, playouts: int | None = None) -> AsyncIterator[Self]:
        """Runs beside an event loop and gives itself back with partial results several times a second.

        >>> from aquakit import start
        >>> async def watch():
        ...     analysis = Analysis(start("romana2-5x4"), threads=1)
        ...     return [partial.playouts async for partial in analysis.astream(playouts=2000)]
        >>> asyncio.run(watch())
        [2000]
        """
        self._stopped = threading.Event()
        slices = self._slices(seconds, playouts)
        while await asyncio.to_thread(next, slices, None) is not None:
            yield self

    def start(
        self,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        on_update: Callable[[Self], None] | None = None,
    ) -> Self:
        """Runs in the background; `stop` ends it and `wait` waits for it.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).start(playouts=2000)
        >>> analysis.wait()
        >>> analysis.playouts
        2000
        """
        self.stop()
        self._stopped = threading.Event()
        self._thread = Helper("analysis", self._run, self._slices(seconds, playouts), on_update)
        self._thread.start()
        return self

    def stop(self, *, wait: bool = True) -> None:
        """Stops what runs, soon, and waits for it; nothing found so far is lost.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).start()
        >>> analysis.stop()
        >>> analysis.run(playouts=100).playouts >= 100
        True
        """
        self._stopped.set()
        self._forest.stop()
        if self._solver is not None:
            self._solver.stop()
        if wait:
            self.wait()

    def wait(self) -> None:
        """Waits for what runs in the background.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).start(playouts=100)
        >>> analysis.wait()
        >>> len(analysis.lines) > 0
        True
        """
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _slices(self, seconds: float | None, playouts: int | None, *, progress: bool = False) -> Iterator[int]:
        """Runs slice by slice and gives the playouts of each."""
        if seconds is not None and playouts is not None:
            raise InvalidOption("seconds", "and playouts are both given", "one of them")
        if playouts is not None:
            read_whole("playouts", playouts, least=1, most=10**12)
        read_seconds(seconds)
        stopped = self._stopped
        bar = _bar(seconds, playouts) if progress else None
        begun, done = time.perf_counter(), 0
        try:
            while not stopped.is_set():
                passed = time.perf_counter() - begun
                if (playouts is not None and done >= playouts) or (seconds is not None and done and passed >= seconds):
                    break
                made = self._slice(
                    None if playouts is None else playouts - done, EVERY if seconds is None else seconds - passed
                )
                done += made
                if bar is not None:
                    bar.update(made if playouts is not None else time.perf_counter() - begun - passed)
                yield made
        finally:
            self.seconds += time.perf_counter() - begun
            if bar is not None:
                bar.close()

    def _slice(self, playouts: int | None, seconds: float) -> int:
        if playouts is None:
            return self._forest.grow(seconds=min(EVERY, seconds))
        return self._forest.grow(simulations=min(playouts, 2000 * self._forest.threads))

    # Explaining

    def explain(
        self, turn: Iterable[Any] | str | None = None, instead_of: Iterable[Any] | str | None = None
    ) -> Explanation:
        """Says in plain words why to play a turn, the best one if none is given, or why rather than another.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).run(playouts=2000)
        >>> print(analysis.explain("b3=+@E4 xR1 *j").title)
        bridge on b3 by the builder on E4, R1 closed, joker taken
        """
        return explain(self, turn, instead_of)

    def why_not(self, turn: Iterable[Any] | str) -> Explanation:
        """Says in plain words what the best turn has and another has not.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).run(playouts=2000)
        >>> analysis.why_not("b3=L@Nb x-").instead_of
        'b3=L@Nb x-'
        """
        return self.explain(instead_of=turn)

    # Showing

    def frame(self) -> Any:
        """Gets the lines as a DataFrame.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), lines=2, threads=1).run(playouts=2000)
        >>> list(analysis.frame()[["order", "turn", "lead"]].shape)
        [2, 3]
        """
        import pandas as pd

        rows = []
        for line in self.lines:
            row = asdict(line)
            for name in ("win", "score"):
                row |= {f"{name}_{player}": value for player, value in enumerate(row.pop(name), start=1)}
            rows.append(row | {"pv": " / ".join(line.pv)})
        return pd.DataFrame(rows)

    def json(self) -> dict[str, Any]:
        """Gets everything as plain data of a fixed form.

        >>> from aquakit import start
        >>> sorted(Analysis(start("romana2-5x4"), threads=1).run(playouts=100).json())
        ['lines', 'player', 'playouts', 'position', 'seconds']
        """
        lines = [
            {**asdict(line), "win": list(line.win), "score": list(line.score), "pv": list(line.pv)}
            for line in self.lines
        ]
        return {
            "position": str(self.position),
            "player": self.position.player,
            "playouts": self.playouts,
            "seconds": round(self.seconds, 3),
            "lines": lines,
        }

    def __repr__(self) -> str:
        lines = [
            f"{line.lead:+7.2f} ± {line.stderr:.2f}  {line.win[self._me]:6.1%}  {line.turn}" for line in self.lines
        ]
        return "\n".join([f"<Analysis: {self.playouts} playouts>", *lines])

    def tell(self, line: Line, length: str = "medium") -> list[str]:
        """Says a line in words, turn by turn; whose its first turn is, is known.

        >>> from aquakit import start
        >>> analysis = Analysis(start("romana2-5x4"), threads=1).run(playouts=2000)
        >>> analysis.tell(analysis.best, "short")[0]
        'bridge on d4'
        """
        _, *following = tell_line(self.position, [line.turn, *line.pv], length)
        return [self.position.tell(line.turn, length), *following]

    def _repr_html_(self) -> str:
        heads = ("", "turn", "lead", "wins", "visits", "then", "notation")
        rows = [
            (
                str(line.order), self.tell(line)[0],
                "proved" if line.proved else f"{line.lead:+.2f} ± {line.stderr:.2f}",
                f"{line.win[self._me]:.1%}", f"{line.visits:,}", " / ".join(self.tell(line, "short")[1:]), line.turn,
            )
            for line in self.lines
        ]  # fmt: skip
        return write_table(heads, rows, f"{self.playouts:,} playouts in {self.seconds:.1f} s, estimated")


def _bar(seconds: float | None, playouts: int | None) -> Any:
    """Makes a progress bar for the terminal or the notebook."""
    from tqdm.auto import tqdm

    if playouts is not None:
        return tqdm(total=playouts, unit="playout", unit_scale=True)
    return tqdm(total=seconds, unit="s", bar_format="{l_bar}{bar}| {n:.1f}/{total} s")


def analyse(
    position: AnyPosition,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    until: str | None = None,
    lines: int = 5,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
    on_update: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """Analyses a position, so long or by so many playouts, and gets the ranked turns with their numbers.

    With `until="proved"` it is then searched exactly to the end of the game, which only endgames allow; `seconds`
    limits that. The same seed and playouts with one thread give the same result. Stopping a running analysis (by a
    kernel's interrupt too) loses nothing: it can be run on.

    >>> from aquakit import start
    >>> analysis = analyse(start("romana2-5x4"), playouts=4000, seed=1, threads=1)
    >>> analysis.best.turn
    'd4=+@E4 x-'
    >>> analysis.best.lead > 0
    True
    """
    if until not in (None, "proved"):
        raise InvalidOption("until", show(until), "'proved'")
    analysis = Analysis(position, lines=lines, seed=seed, threads=threads)
    if until is not None:
        return analysis.run(playouts=playouts or FIRST_LOOK, progress=progress, on_update=on_update).prove(
            seconds=seconds
        )
    if seconds is None and playouts is None:
        seconds = 5
    return analysis.run(seconds=seconds, playouts=playouts, progress=progress, on_update=on_update)
