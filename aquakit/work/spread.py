"""Spreads pieces of work over any executor; interrupts and lost workers cost the pieces at hand and nothing else."""

from __future__ import annotations

import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from itertools import islice
from time import monotonic
from typing import Any, Generic, TypeVar

from aquakit.core.plugins import add_game, game_packages
from aquakit.core.version import VERSION
from aquakit.errors import AquakitError, InvalidOption
from aquakit.work.executors import Processes

PieceT = TypeVar("PieceT")
ResultT = TypeVar("ResultT")
Numbered = tuple[int, PieceT]

AHEAD = 1000
"""So many pieces are handed to an executor at once, at most."""
TRIES = 3
"""A piece that takes its worker with it so often, alone, is not tried again."""
LEFT_ALONE = 60
"""So many seconds without any worker, and a cluster counts as left by them."""
STAYS = "an executor whose workers stay; and in a script, if __name__ == '__main__' before what it does"


class WorkerLost(AquakitError):
    """A piece of work never came back: its workers ended every time, or the executor is gone."""


def spread(
    pool: Executor,
    work: Callable[[PieceT], ResultT],
    pieces: Iterable[PieceT],
    *,
    in_order: bool = False,
    give_up: Callable[[PieceT, WorkerLost], ResultT] | None = None,
) -> Generator[tuple[PieceT, ResultT], None, None]:
    """Does a piece of work for each of `pieces`, and gives it back with its result: when it is done, or in order.

    An interrupt is raised only after all that was finished has been given back. What `work` raises is raised. A lost
    worker's pieces are done again, one at a time, so that one which always takes its worker with it is told from its
    neighbours: `give_up` then says what stands for it, or WorkerLost is raised.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as threads:
    ...     list(spread(threads, abs, [-1, 2, -3], in_order=True))
    [(-1, 1), (2, 2), (-3, 3)]
    """
    crew = _Crew(pool, work, pieces, give_up, in_order=in_order)
    try:
        yield from crew.run()
    except KeyboardInterrupt:
        yield from crew.collect()
        raise
    finally:
        crew.cancel()


class _Crew(Generic[PieceT, ResultT]):
    """The pieces that are on their way through an executor."""

    def __init__(
        self,
        pool: Executor,
        work: Callable[[PieceT], ResultT],
        pieces: Iterable[PieceT],
        give_up: Callable[[PieceT, WorkerLost], ResultT] | None,
        *,
        in_order: bool,
    ) -> None:
        self._pool, self._work, self._give_up, self._in_order = pool, work, give_up, in_order
        self._todo = enumerate(pieces)
        self._packages = game_packages()
        self._pending = dict[Future[ResultT], Numbered[PieceT]]()
        self._doubtful = deque[Numbered[PieceT]]()
        """Pieces whose worker was lost; each is done again alone."""
        self._losses = Counter[int]()
        self._works = False
        """Whether the executor has ever finished something."""
        # Whatever waits in a process pool is lost with any of its processes, so little does.
        self._ahead = 2 * pool.workers if isinstance(pool, Processes) else AHEAD
        self._held = dict[int, tuple[PieceT, ResultT]]()
        """Results that wait for those before them."""
        self._given = 0
        self._alone_since: float | None = None

    def run(self) -> Iterator[tuple[PieceT, ResultT]]:
        """Hands pieces over, some ahead of what is given back."""
        while True:
            room = not self._doubtful and len(self._pending) + len(self._held) < self._ahead
            following = next(self._todo, None) if room else None
            if self._doubtful and not self._pending:
                following = self._doubtful.popleft()
            if following is not None:
                future = self._submit(following)
                yield from self._take([future] if future.done() else [])
            elif self._pending:
                finished = wait_for_some(self._pending)
                if not finished:
                    self._look_for_workers()
                yield from self._take(finished)
            elif not self._doubtful:
                return

    def collect(self) -> Iterator[tuple[PieceT, ResultT]]:
        """Gives back what has been finished meanwhile, after an interrupt."""
        finished = [f for f in self._pending if f.done() and not f.cancelled() and f.exception() is None]
        return self._take(finished)

    def cancel(self) -> None:
        """Takes back what has not begun."""
        for future in self._pending:
            future.cancel()

    def _submit(self, numbered: Numbered[PieceT]) -> Future[ResultT]:
        try:
            # A Dask scheduler takes equal calls for one, so that a second try must differ from the first.
            context = VERSION, self._losses[numbered[0]], self._packages
            future = self._pool.submit(carry_out, context, self._work, numbered[1])
        except (BrokenExecutor, RuntimeError) as problem:
            raise WorkerLost("executor", f"a process ended early: {problem}", STAYS) from problem
        self._pending[future] = numbered
        return future

    def _look_for_workers(self) -> None:
        """Raises WorkerLost when nobody has been there for a while to do what waits."""
        if has_workers(self._pool):
            self._alone_since = None
            return
        if self._alone_since is None:
            self._alone_since = monotonic()
        if monotonic() - self._alone_since >= LEFT_ALONE:
            raise WorkerLost("executor", f"the cluster has had no workers for {LEFT_ALONE} seconds", STAYS)

    def _take(self, finished: Iterable[Future[ResultT]]) -> Iterator[tuple[PieceT, ResultT]]:
        for future in finished:
            number, piece = self._pending.pop(future)
            try:
                result = future.result()
            except CancelledError as problem:
                raise WorkerLost(
                    "executor", "gave work back undone: it was ended, or its cluster is gone", STAYS
                ) from problem
            except Exception as problem:
                losses = count_losses(problem)
                if not losses:
                    raise
                # What was lost among others may have been ended by one of them.
                self._losses[number] += losses if self._losses[number] else 1
                if self._losses[number] <= TRIES:
                    self._doubtful.append((number, piece))
                    continue
                result = self._lose(piece, problem)
            self._works = True
            yield from self._hand_on(number, piece, result)

    def _hand_on(self, number: int, piece: PieceT, result: ResultT) -> Iterator[tuple[PieceT, ResultT]]:
        """Gives a result back, and those that waited for it; in order, or at once."""
        if not self._in_order:
            yield piece, result
            return
        self._held[number] = piece, result
        while self._given in self._held:
            yield self._held.pop(self._given)
            self._given += 1

    def _lose(self, piece: PieceT, problem: Exception) -> ResultT:
        """Gets what stands for a piece that cannot be done; an executor that never did anything is no good at all."""
        lost = WorkerLost("executor", f"workers end while they work on {_name(piece)}: {problem}", STAYS)
        if self._give_up is None or not self._works:
            raise lost from problem
        return self._give_up(piece, lost)


def wait_for_some(pending: Iterable[Future[Any]]) -> set[Future[Any]]:
    """Waits for something to be finished, but never so long that an interrupt is not heard."""
    return wait(pending, timeout=1, return_when=FIRST_COMPLETED).done


def has_workers(pool: Executor) -> bool:
    """Asks whether anybody works; only a Dask cluster can be left by all and still take work."""
    client = getattr(pool, "_client", None)
    try:
        return client is None or bool(client.nthreads())
    except (OSError, RuntimeError):  # a scheduler that is gone gives its work back undone
        return True


def count_losses(problem: Exception) -> int:
    """Counts the workers that were lost with a piece; a Dask scheduler gives up only after it has tried several."""
    killed = getattr(sys.modules.get("distributed"), "KilledWorker", ())
    if isinstance(problem, killed):
        return TRIES
    # Dask's executor stumbles itself over a result whose worker is lost at the moment when it is handed on.
    *_, (last, _) = traceback.walk_tb(problem.__traceback__)
    return int(isinstance(problem, BrokenExecutor) or last.f_globals.get("__name__") == "distributed.cfexecutor")


def carry_out(context: tuple[str, int, tuple[str, ...]], work: Callable[[PieceT], ResultT], piece: PieceT) -> ResultT:
    """Does a piece of work in whatever process: one of the same version, which is told of the games that were added."""
    version, _, packages = context
    if version != VERSION:
        raise InvalidOption("executor", f"a worker has aquakit {VERSION}", f"aquakit {version} on all workers")
    for package in packages:
        add_game(package)
    return work(piece)


def _name(piece: object) -> str:
    """Names a piece of work in a few words."""
    return "".join(islice(str(piece), 80))
