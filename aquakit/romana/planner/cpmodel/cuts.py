"""Solves the planner's model, a relaxation of the rules, by adding cuts.

Every solution is replayed by the rules. One that they refuse is excluded by a new constraint, and the model is solved
again. Since every legal plan stays in the model, its bound holds at every moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from aquakit.errors import contradiction
from aquakit.planning.cpsat import INFEASIBLE, OPTIMAL, POLL_SECONDS, Outcome, Run, SolverProgress
from aquakit.romana import kernel
from aquakit.romana.kernel import CODES, OPEN, SEGMENTS, State
from aquakit.romana.notation import Turn
from aquakit.romana.planner.cpmodel.model import make_model
from aquakit.romana.planner.cpmodel.read import TurnDecisions, Value, read_solution, replay
from aquakit.romana.planner.cpmodel.scores import points
from aquakit.romana.planner.cpmodel.variables import PlanModel, negate
from aquakit.romana.planner.plan_question import PlanQuestion
from aquakit.romana.position import Position

SUBSOLVERS = ("no_lp", "quick_restart_no_lp")
"""The parts of CP-SAT that prove plans fastest; linear programs take more time than they spare."""
SETTINGS = {
    "linearization_level": 0,
    "cp_model_probing_level": 0,
    "use_lns": False,
    "use_feasibility_jump": False,
    "num_violation_ls": 0,
}
"""Every worker proves: probing costs more than it brings, and good plans come from the search, or soon."""

NOTHING = -1
"""Fewer points than any plan has."""


@dataclass(frozen=True)
class ModelResult:
    """The best plan of the model, its upper bound, and what is proved."""

    points: int | None
    """The points of the best plan found here, as the rules count them; none if none was found."""
    turns: tuple[Turn, ...]
    """That plan, each turn legal; fewer than asked for only if no workman is left."""
    bound: int
    """No plan is worth more."""
    proved: bool
    """Whether the question is answered: no plan beats this one and the floor, or one as good as asked for is found."""
    cuts: int
    """Plans of the model that the rules refused."""
    seconds: float
    infeasible: bool
    """Whether it is proved that there is no such plan at all."""


def solve_model(
    question: PlanQuestion,
    *,
    seconds: float | None = None,
    workers: int = 2,
    seed: int = 0,
    on_progress: Callable[[SolverProgress], None] | None = None,
    floor: int | None = None,
    stop: threading.Event | None = None,
    known: Callable[[], int | None] | None = None,
) -> ModelResult:
    """Finds the best plan for a question.

    With a `floor` only better plans are looked for: an incumbent worth that much is known already. `known` gets the
    points of the incumbent that others have found in the meantime, so that this ends as soon as its upper bound is no
    higher; `stop` ends it early.
    """
    return ModelSolver(question, workers, seed, on_progress, floor, stop, known).run(seconds)


class ModelSolver:
    """Solves the model of one question again and again, until no cut is needed."""

    def __init__(
        self,
        question: PlanQuestion,
        workers: int,
        seed: int,
        on_progress: Callable[[SolverProgress], None] | None,
        floor: int | None,
        stop: threading.Event | None,
        known: Callable[[], int | None] | None,
    ) -> None:
        self.question, self.floor = question, floor
        self._workers, self._seed, self._on_progress = workers, seed, on_progress
        self._stop, self._known = stop or threading.Event(), known or (lambda: None)
        self._begun = time.perf_counter()
        self._best: tuple[int, tuple[Turn, ...]] | None = None
        self._cuts = 0
        self._decisions: list[TurnDecisions] = []
        self._beaten = NOTHING if floor is None else floor
        """Points that every plan left in the model beats, so that it says nothing of these."""
        self._failed: int | None = None
        self._problem = ""
        self._position = question.position

    def run(self, seconds: float | None) -> ModelResult:
        """Solves, cuts and solves again until an answer stands or time is up."""
        self.model = model = make_model(self.question)
        self._bound = model.most_points
        if self.question.at_least is not None:
            self._beaten = self.question.at_least - 1
        else:
            model.cp.maximize(points(model))
        if self._beaten > NOTHING:
            model.cp.add(points(model) > self._beaten)
        while True:
            left = None if seconds is None else seconds - (time.perf_counter() - self._begun)
            if self._stop.is_set() or (left is not None and left <= 0):
                return self._answer(proved=False)
            outcome = self._solve_once(left)
            if outcome.status == INFEASIBLE:
                return self._nothing_more()
            if outcome.bound is not None:
                self._lower(outcome.bound)
            if self._is_settled():
                return self._answer(proved=True)
            if outcome.status != OPTIMAL:
                return self._answer(proved=False)
            self._cut()

    def _solve_once(self, seconds: float | None) -> Outcome:
        run = Run(
            workers=self._workers,
            seed=self._seed,
            subsolvers=SUBSOLVERS,
            on_progress=self._hear,
            on_solution=self._judge,
            settings={**SETTINGS, "num_full_subsolvers": self._workers},
        )
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(run, ended), daemon=True)
        watcher.start()
        try:
            return run.solve(self.model.cp, seconds)
        finally:
            ended.set()
            watcher.join()

    def _watch(self, run: Run, ended: threading.Event) -> None:
        """Stops a run from outside, or when others have reached all that is possible."""
        while not ended.wait(POLL_SECONDS):
            if self._stop.is_set() or self._is_settled():
                run.stop()

    def _hear(self, progress: SolverProgress) -> None:
        self._lower(progress.bound)
        self._tell()

    def _lower(self, bound: int) -> None:
        """Lowers the upper bound; below what every plan has to beat it is none."""
        self._bound = min(self._bound, max(bound, self._beaten))

    def _tell(self) -> None:
        if self._on_progress is not None:
            value = None if self._best is None else self._best[0]
            self._on_progress(SolverProgress(value, self._bound, time.perf_counter() - self._begun))

    def _judge(self, value: Value) -> None:
        """Has a solution judged by the rules, and keeps it if it is the best so far."""
        self._decisions = read_solution(self.model, value)
        said = replay(self.model, self._decisions)
        self._failed, self._problem, self._position = said.failed, said.problem, said.position
        if said.failed is not None:
            return
        made = self.question.worth(said.position)
        wanted = self.question.at_least if self.question.at_least is not None else made
        if made >= wanted and (self._best is None or made > self._best[0]):
            self._best = made, said.turns
            self._tell()

    def _is_settled(self) -> bool:
        """Checks whether nothing better is possible, or what was asked for is found."""
        if self.question.at_least is not None:
            return self._best is not None
        known = (self._known(), self.floor, self._best and self._best[0])
        return any(value is not None and value >= self._bound for value in known)

    def _cut(self) -> None:
        """Forbids what the rules refused: the reason where it is known, or the decisions up to the refused turn."""
        self._cuts += 1
        if not (
            self._failed and cut_advance(self.model, self._position, self._decisions[self._failed - 1], self._failed)
        ):
            cut_off(self.model, self._decisions[: self._failed])
        if self.question.at_least is None and self._best is not None:
            self._beaten = max(self._beaten, self._best[0])
            self.model.cp.add(points(self.model) > self._beaten)

    def _nothing_more(self) -> ModelResult:
        """Answers when the model holds no plan that is wanted and not yet found."""
        self._bound = min(self._bound, self._beaten)
        return self._answer(proved=True, infeasible=self._best is None and self.floor is None)

    def _answer(self, *, proved: bool, infeasible: bool = False) -> ModelResult:
        value, turns = self._best or (None, ())
        if value is not None and value > self._bound:
            told = f"a plan is worth {value} points: {' / '.join(map(str, turns))}"
            raise contradiction(self.question, told, f"cpsat proves that none is worth more than {self._bound}")
        seconds = time.perf_counter() - self._begun
        return ModelResult(value, turns, self._bound, proved, self._cuts, seconds, infeasible)


def cut_off(model: PlanModel, decisions: list[TurnDecisions]) -> None:
    """Adds a no-good cut: not all of these turns' decisions together."""
    model.clause(negate(literal) for decided in decisions for literal in decided.literals)


def cut_advance(model: PlanModel, position: Position, decided: TurnDecisions, t: int) -> bool:
    """Adds a cut against a turn that advances a builder though an extension is legal; says whether there was one.

    It is stronger than a no-good cut. It rests on one extension that was possible: as long as its builder stands there,
    its workman faces that square, and no more ends do, it stays possible.
    """
    moves = decided.actions.get("move", [])
    if not moves or moves[0].what != "advance":
        return False
    for action in decided.actions.get("place", []):
        position = position.act(action)
    layout, s = position.layout, position.state
    if min(model.graph.state.stock) <= 2 * (t - 1):
        return False  # what was laid may be out of stock another time
    for action in position.actions():
        q, code = layout.square_index[action.square], CODES.index(action.tile)
        p = layout.path_index[action.path]
        if len(SEGMENTS[code]) > 1:
            continue  # loose paths elsewhere may forbid it another time
        for a in model.graph.open:
            meets = s.score[a] == OPEN and s.face[a] == q and layout.tables.ports[code] >> s.entry[a] & 1
            if meets and kernel.sees(layout.tables, s, a, p):
                _forbid_advance(model, a, p, t, s)
                return True
    return False


def _forbid_advance(model: PlanModel, a: int, p: int, t: int, s: State) -> None:
    """Forbids to advance in a turn while a workman stands at an end, a builder in sight, and no more ends ahead."""
    graph, q = model.graph, s.face[a]
    number = graph.enters[q, s.entry[a]]
    ends = kernel.ends_at(graph.tables, s, q)
    more = [graph.enters.get((q, side)) for side in range(4) if not ends >> side & 1]
    conditions = [
        model.advances[t],
        model.stands[p, s.path[p], t],
        model.reach[number, t - 1],
        model.label[number, a],
        negate(model.closed[a, t - 1]),
    ]
    come = [model.reach.get((other, t - 1), False) for other in more if other is not None]
    model.when(conditions, model.laid[q, t - 1], *come)
