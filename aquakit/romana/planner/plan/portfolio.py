"""Runs the planner's two methods: the exact search, CP-SAT, or both side by side, until either has proved a plan."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

from aquakit.compiled.ahead import CompileAhead, NotCompiled, at_once, is_possible, show_while
from aquakit.compiled.jit import have_numba, need_numba
from aquakit.compiled.shown import CompileProgress
from aquakit.errors import IllegalTurn, InvalidOption, contradiction, missing
from aquakit.planning import cpsat
from aquakit.romana.notation import Action, Turn
from aquakit.romana.planner.cpmodel.cuts import ModelResult, solve_model
from aquakit.romana.planner.exact.searcher import PLENTY, Searcher, Stop, read_code
from aquakit.romana.planner.plan_question import PlanQuestion

WITNESSES = ("search", "cpsat")
"""The two methods, by name."""
HEAD_START = 20.0
"""Seconds that the search has to itself: most questions are answered before a model would be built."""
MEANWHILE = 3
"""So many turns at most are planned by the solver while the search is compiled: more would take it too long."""


@dataclass(frozen=True)
class PlanAnswer:
    """Incumbent and upper bound of a question, on the way or at the end."""

    points: int | None
    """The points of the incumbent, the best plan so far, as the rules count them."""
    turns: tuple[Turn, ...]
    bound: int
    """No plan is worth more."""
    proved: bool = False
    by: str = ""
    """What found the plan, or what proved it: search or cpsat; rules for a plan made at a glance."""
    seconds: float = 0.0
    states: int = 0
    """States that the search looked at."""
    cuts: int = 0
    """Plans of the model that the rules refused."""
    compiling: CompileProgress | None = None
    """How far the search is compiled, while it is."""


class Portfolio:
    """One question to the planner, through one method or both."""

    def __init__(
        self,
        question: PlanQuestion,
        *,
        method: str = "auto",
        seconds: float | None = None,
        on_progress: Callable[[PlanAnswer], None] | None = None,
        stop: threading.Event | None = None,
        searcher: Searcher | None = None,
        solve: Callable[..., ModelResult] = solve_model,
    ) -> None:
        """Prepares a question; a `searcher` given is used again, with what it has learnt about its question.

        `solve` is the other method, which solves the model.
        """
        self.question, self.method = question, choose_method(method)
        self._seconds = seconds
        self.interrupted = False
        """Whether the person at the keyboard ended it."""
        self._on_progress, self._stop = on_progress, stop or threading.Event()
        self._begun = time.perf_counter()
        self._until: float | None = None
        self._lock = threading.Lock()
        self._best = PlanAnswer(None, (), question.most())
        self._enough = threading.Event()
        """Set when the model need not go on."""
        self._bounded_by = ""
        """Which method has shown that no plan is worth more than the bound."""
        self._searcher, self._solve = searcher, solve
        self._coming: CompileAhead | None = None
        """What compiles the search meanwhile."""
        self._model: threading.Event | None = None
        """Set when the model is done; none if it was not begun. An interrupted `join` would not tell."""
        self._failure: BaseException | None = None

    def run(self) -> PlanAnswer:
        """Answers the question as well as time allows; an interrupt ends it with the best so far."""
        try:
            if self.method != "cpsat" and self._searcher is None:
                # Made before the clock runs: the first one of all is compiled.
                self._searcher = self._make_searcher()
            self._begun = time.perf_counter()
            self._until = None if self._seconds is None else self._begun + self._seconds
            if self._searcher is None:
                self._start_model(workers=2)
                self._wait_for_model()
            if self._searcher is not None and not self._best.proved:
                self._search(self._searcher)
        except KeyboardInterrupt:
            self.interrupted = True
            self._stop.set()
        except NotCompiled:
            pass  # somebody has set `stop`, or Python ends
        finally:
            self._enough.set()
            if self._model is not None:
                self._model.wait()
        if self._failure is not None:
            raise self._failure
        if self._best.points is None and not self._best.proved:
            self._look_at_once()
        return replace(self._best, seconds=time.perf_counter() - self._begun)

    # What is known so far

    def _offer(self, turns: Iterable[Turn], points: int, by: str) -> None:
        """Makes a plan the incumbent if it is better, after a replay by the rules."""
        plan = tuple(turns)
        made = self.question.replay(plan)
        if made != points:
            told = " / ".join(map(str, plan))
            raise contradiction(self.question, f"{by} counts {points} points for {told}", f"the rules count {made}")
        with self._lock:
            if self._best.points is None or points > self._best.points:
                self._best = replace(self._best, points=points, turns=plan, by=by)
            self._conclude()
        self._tell()

    def _tighten(self, bound: int, by: str, **counts: Any) -> None:
        """Lowers the upper bound."""
        with self._lock:
            if bound < self._best.bound or not self._bounded_by:
                self._bounded_by = by
            self._best = replace(self._best, bound=min(bound, self._best.bound), **counts)
            self._conclude()
        self._tell()

    def _conclude(self) -> None:
        """Says what is proved by what is known; no plan may be worth more than the bound."""
        best, wanted = self._best, self.question.at_least
        if best.points is not None and best.points > best.bound:
            told = " / ".join(map(str, best.turns))
            claim = f"{best.by} has a plan of {best.points} points, {told}"
            raise contradiction(self.question, claim, f"{self._bounded_by} proves that none has more than {best.bound}")
        if best.points is None:
            proved = best.bound < (wanted or 0)
        else:
            proved = best.points == best.bound or (wanted is not None and best.points >= wanted)
        if proved and not best.proved:
            self._best = replace(best, proved=True, by=self._bounded_by or best.by)

    def _tell(self) -> None:
        if self._on_progress is not None:
            compiling = self._coming.progress if self._coming is not None and not self._coming.ended else None
            seconds = time.perf_counter() - self._begun
            self._on_progress(replace(self._best, seconds=seconds, compiling=compiling))

    def _tell_compiling(self, progress: CompileProgress) -> None:
        assert self._on_progress is not None
        self._on_progress(replace(self._best, seconds=progress.seconds, compiling=progress))

    # The search

    def _make_searcher(self) -> Searcher | None:
        """Makes the search, and waits until it is compiled; for few turns the solver goes ahead, and there is none."""
        if self.method == "auto" and self.question.turns <= MEANWHILE and have_ortools():
            try:
                with at_once():
                    return Searcher(self.question)
            except NotCompiled:
                if is_possible():
                    self._coming = compile_search(self.question)
                    return None
        tell = None if self._on_progress is None else self._tell_compiling
        return Searcher(self.question, stop=self._stop, tell=tell)

    def _search(self, searcher: Searcher) -> None:
        question = self.question
        first = None if question.first is None else read_code(question.position, question.first)
        if first is None:
            self._tighten(searcher.upper_bound, "search")
        beat, enough = -1, PLENTY
        if question.at_least is not None:
            beat, enough = question.at_least - 1, question.at_least
        result = searcher.run(
            question.position,
            question.turns,
            beat=beat,
            enough=enough,
            first=first,
            until=self._until,
            watch=self._watch,
        )
        if result.points is not None:
            self._offer(complete(question, result.actions), result.points, "search")
        bound = self._best.bound if result.bound is None else result.bound
        self._tighten(bound, "search", states=result.states)

    def _watch(self, actions: tuple[int, ...] | None, points: int | None, states: int) -> int | None:
        """Looks up from the search: takes its plans, starts the model if it is late, gets the incumbent's points."""
        if actions is not None and points is not None and points > (self._best.points or -1):
            self._offer(complete(self.question, actions), points, "search")
        self._tighten(self._best.bound, self._bounded_by, states=states)
        late = time.perf_counter() - self._begun > HEAD_START
        if self.method == "auto" and late and self._model is None and have_ortools():
            self._start_model(workers=1)
        if self._stop.is_set() or self._best.proved:
            raise Stop
        return self._best.points

    def _look_at_once(self) -> None:
        """Takes a plan made at a glance where any is asked for, for time was too short for a better one."""
        if self.question.at_least is not None or self.question.first is not None:
            return
        turns = make_at_a_glance(self.question)
        if turns is not None:
            self._offer(turns, self.question.replay(turns), "rules")

    # The model

    def _start_model(self, workers: int) -> None:
        self._model = threading.Event()
        args = workers, self._model
        threading.Thread(target=self._solve_model, args=args, name="aquakit planner", daemon=True).start()

    def _solve_model(self, workers: int, done: threading.Event) -> None:
        left = None if self._until is None else self._until - time.perf_counter()
        floor = self._best.points if self.question.at_least is None else None
        try:
            found = self._solve(
                self.question,
                seconds=left,
                workers=workers,
                on_progress=self._hear,
                floor=floor,
                stop=self._enough,
                known=lambda: self._best.points,
            )
            if found.points is not None:
                self._offer(found.turns, found.points, "cpsat")
            self._tighten(found.bound, "cpsat", cuts=found.cuts)
        except BaseException as problem:
            self._fail(problem)
        finally:
            done.set()

    def _hear(self, progress: cpsat.SolverProgress) -> None:
        try:
            if not self._enough.is_set():
                self._tighten(progress.bound, "cpsat")
        except BaseException as problem:  # the solver's threads pass nothing on
            self._fail(problem)

    def _fail(self, problem: BaseException) -> None:
        """Keeps what went wrong beside the one who waits for the answer, to be raised again there."""
        self._failure = self._failure or problem
        self._stop.set()

    def _wait_for_model(self) -> None:
        """Waits until the solver is done, or the search is there to help it."""
        assert self._model is not None
        with show_while(None if self._on_progress is not None else self._coming) as show:
            while not self._model.wait(cpsat.POLL_SECONDS):
                show()
                if self._stop.is_set():
                    self._enough.set()
                elif self._coming is not None and self._coming.ready and self._searcher is None:
                    self._searcher = Searcher(self.question)
                    return


_coming = list[CompileAhead]()
"""What compiles the search for all questions of this process."""
_coming_lock = threading.Lock()


def compile_search(question: PlanQuestion) -> CompileAhead:
    """Compiles the search in the background, to the end whatever becomes of the question, if nobody does yet."""
    with _coming_lock:
        if not _coming or _coming[-1].ended:
            _coming[:] = [CompileAhead(lambda hear: Searcher(question, tell=hear, only_apart=True))]
        return _coming[-1]


def choose_method(method: str) -> str:
    """Checks a method's name, and falls back to what is installed where the choice is left open."""
    if method not in cpsat.METHODS:
        raise InvalidOption("method", repr(method), " or ".join(cpsat.METHODS))
    if method == "auto" and not have_numba():
        if not have_ortools():
            raise missing("numba", "plans, as there is no ortools either")
        method = "cpsat"
    if method == "search":
        need_numba("the planner's search")
    if method == "cpsat":
        cpsat.load()
    return method


def have_ortools() -> bool:
    """Checks whether CP-SAT can be run here."""
    try:
        return find_spec("ortools") is not None
    except ImportError:
        return False


def complete(question: PlanQuestion, codes: Iterable[int]) -> list[Turn]:
    """Turns the kernel's actions into whole turns; what is missing at the end of the last one makes no difference."""
    position, turns, turn = question.position, list[Turn](), list[Action]()
    rest = iter(codes)
    while True:
        code = next(rest, None)
        if code is None and not turn:
            return turns
        action = position._decode(code) if code is not None else _any_action(question, position.actions())
        turn.append(action)
        position = position.act(action)
        if not position.played:
            turns.append(Turn(turn))
            turn = []


def make_at_a_glance(question: PlanQuestion) -> list[Turn] | None:
    """Makes a plan of what lengthens most at once, action by action; none if that ends where nothing is allowed."""
    position, turns, turn = question.position, list[Turn](), list[Action]()

    def lengthens(action: Action) -> tuple[int, bool]:
        after = position.act(action)
        own = (a.length for a in after.aqueducts if a.owner == question.position.player)
        return sum(own), action.what != "close" or action.aqueduct == "-"

    while len(turns) < question.turns and not position.is_over:
        allowed = [action for action in position.actions() if question.allows(action)]
        if not allowed:
            return None
        turn.append(max(allowed, key=lengthens))
        position = position.act(turn[-1])
        if not position.played:
            turns, turn = [*turns, Turn(turn)], []
    return turns


def _any_action(question: PlanQuestion, actions: list[Action]) -> Action:
    """Gets an action that is allowed, closing none where that is a choice."""
    for action in actions:
        if question.allows(action) and (action.what != "close" or action.aqueduct == "-"):
            return action
    raise IllegalTurn(str(actions[0]), "is forbidden, and so is all else", "some action that is allowed")
