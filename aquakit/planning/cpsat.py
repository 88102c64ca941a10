"""Runs OR-Tools' CP-SAT on a model: with a time limit, with progress, stoppable, and saying what it proved.

Nothing here knows a game; the planners of the games build the models.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from aquakit.core.threads import Helper
from aquakit.errors import missing

OPTIMAL, FEASIBLE, INFEASIBLE, UNKNOWN = "optimal", "feasible", "infeasible", "unknown"
METHODS = ("auto", "search", "cpsat")
"""How planners that also have a search of their own can be asked to prove: as they choose, or by one of the two."""
POLL_SECONDS = 0.05
"""Seconds between two looks at the clock and at interrupts."""


@cache
def load() -> ModuleType:
    """Gets OR-Tools' `cp_model`, which is imported when first needed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise missing("ortools", "the solver CP-SAT, which proves plans") from None
    return cp_model


@dataclass(frozen=True)
class SolverProgress:
    """How far a run has come: incumbent and bound."""

    value: int | None
    """The best value found so far."""
    bound: int
    """No value can be better than this."""
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """The result of a run: what was found, and what was proved."""

    status: str
    """OPTIMAL (proved), FEASIBLE (something found), INFEASIBLE (proved that there is nothing) or UNKNOWN."""
    value: int | None
    bound: int | None
    """No value can be better than this."""
    seconds: float
    solver: Any = None
    """OR-Tools' solver, to read variables from: `solver.value(x)`, `solver.boolean_value(x)`."""

    @property
    def proved(self) -> bool:
        """Whether the answer is final."""
        return self.status in (OPTIMAL, INFEASIBLE)

    @property
    def found(self) -> bool:
        """Whether there is something to read variables from."""
        return self.status in (OPTIMAL, FEASIBLE)


class Run:
    """One run of CP-SAT, which other threads can stop."""

    def __init__(
        self,
        *,
        workers: int = 2,
        seed: int = 0,
        subsolvers: Sequence[str] = (),
        on_progress: Callable[[SolverProgress], None] | None = None,
        on_solution: Callable[[Callable[[Any], int]], None] | None = None,
        stop: threading.Event | None = None,
        keep: bool = False,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Prepares a run; `on_solution` is given a function that reads variables, `on_progress` value and bound.

        Whoever sets `stop` ends it early, as `stop()` does; with `keep` an interrupt sets it too, and is not passed on.
        `settings` are further parameters of CP-SAT.
        """
        model = load()
        self._solver: Any = model.CpSolver()
        self._solver.parameters.num_workers = workers
        self._solver.parameters.random_seed = seed
        # Its own handler for interrupts ends the whole process when the solver runs beside the main thread.
        self._solver.parameters.catch_sigint_signal = False
        for name, value in (settings or {}).items():
            setattr(self._solver.parameters, name, value)
        if subsolvers:
            self._solver.parameters.subsolvers.extend(subsolvers)
        self._on_progress, self._on_solution = on_progress, on_solution
        self._stopped, self._keep = stop or threading.Event(), keep
        self._begun = 0.0
        self._best: tuple[int | None, int | None] = None, None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Makes `solve` return soon with the best so far; may be called from any thread."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether it was to end early."""
        return self._stopped.is_set()

    def _tell(self, value: int | None, bound: int | None) -> None:
        with self._lock:
            known_value, known_bound = self._best
            self._best = value if value is not None else known_value, bound if bound is not None else known_bound
            value, bound = self._best
        if self._on_progress is not None and bound is not None:
            self._on_progress(SolverProgress(value, bound, time.perf_counter() - self._begun))

    def solve(self, model: Any, seconds: float | None = None) -> Outcome:
        """Solves a model; an interrupt stops the solver in any case."""
        cp_model = load()
        run = self

        class Watcher(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined, misc]
            """Hears of every better solution."""

            def on_solution_callback(self) -> None:
                if run._on_solution is not None:
                    run._on_solution(self.value)
                if model.has_objective():
                    run._tell(round(self.objective_value), round(self.best_objective_bound))

        if seconds is not None:
            self._solver.parameters.max_time_in_seconds = max(0.0, seconds)
        self._solver.best_bound_callback = lambda bound: self._tell(None, round(bound))
        self._begun = time.perf_counter()
        status: list[Any] = []
        failure: list[BaseException] = []

        def work() -> None:
            try:
                status.append(self._solver.solve(model, Watcher()))
            except BaseException as problem:  # told to whoever waits
                failure.append(problem)

        helper = Helper("cpsat", work)
        helper.start()
        try:
            while helper.is_alive():
                if self._stopped.is_set():
                    self._solver.stop_search()
                helper.join(POLL_SECONDS)
        except BaseException as problem:  # a kernel's interrupt
            while helper.is_alive():
                self._solver.stop_search()
                helper.join(POLL_SECONDS)
            if not self._keep or not isinstance(problem, KeyboardInterrupt):
                raise
            self.stop()
        if failure:
            raise failure[0]
        return self._read(status[0], model)

    def _read(self, status: Any, model: Any) -> Outcome:
        cp_model = load()
        names = {cp_model.OPTIMAL: OPTIMAL, cp_model.FEASIBLE: FEASIBLE, cp_model.INFEASIBLE: INFEASIBLE}
        if status == cp_model.MODEL_INVALID:
            raise RuntimeError(f"CP-SAT refuses the model: {model.validate()}")
        name, value, bound = names.get(status, UNKNOWN), None, None
        seconds = time.perf_counter() - self._begun
        if name == UNKNOWN:
            bound = self._best[1]  # what the solver itself says then may be no bound at all
        elif name != INFEASIBLE and model.has_objective():
            value, bound = round(self._solver.objective_value), round(self._solver.best_objective_bound)
        return Outcome(name, value, bound, seconds, self._solver)


def all_solutions(
    model: Any,
    read: Callable[[Callable[[Any], int]], Any],
    limit: int | None = None,
    seconds: float | None = None,
) -> tuple[list[Any], bool]:
    """Gets what `read` makes of each solution of a model without objective, up to a limit, and whether these are all.

    An interrupt ends it with what was found.
    """
    found: dict[Any, None] = {}

    def take(value: Callable[[Any], int]) -> None:
        solution = read(value)
        if limit is None or len(found) < limit:
            found[solution] = None
        elif solution not in found:
            run.stop()

    run = Run(workers=1, on_solution=take, keep=True, settings={"enumerate_all_solutions": True})
    complete = run.solve(model, seconds).proved and not run.is_stopped
    return list(found), complete
