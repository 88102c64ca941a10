"""Solves the planner's model and has every plan judged by the rules: what they refuse is cut off, and solved again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from aquakit.planning.cpsat import INFEASIBLE, OPTIMAL, Outcome, Progress, Run
from aquakit.romana import kernel
from aquakit.romana.kernel import CODES, OPEN, SEGMENTS, State
from aquakit.romana.notation import Turn
from aquakit.romana.planner.cpmodel.frame import Frame, negate
from aquakit.romana.planner.cpmodel.model import make_model
from aquakit.romana.planner.cpmodel.read import Step, Value, read_steps, replay
from aquakit.romana.planner.cpmodel.scores import points
from aquakit.romana.planner.plan.task import Task
from aquakit.romana.position import Position

SUBSOLVERS = ("core", "no_lp")
"""The parts of CP-SAT that prove plans fastest: one lowers the bound, the other raises the points."""
SETTINGS = {"cp_model_probing_level": 0, "use_lns": False, "use_feasibility_jump": False, "num_violation_ls": 0}
"""Every worker proves: probing costs more than it brings, and good plans come from the search, or soon."""
LOOK = 0.05
"""Seconds between two looks at what others have found."""


@dataclass(frozen=True)
class Found:
    """What the model came to."""

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
    task: Task,
    *,
    seconds: float | None = None,
    workers: int = 2,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    floor: int | None = None,
    stop: threading.Event | None = None,
    known: Callable[[], int | None] | None = None,
) -> Found:
    """Finds the best plan for a task.

    With a `floor` only better plans are looked for: a plan worth that much is known already. `known` tells of the
    points that others have reached in the meantime, so that this may end as soon as no more is possible; `stop` ends
    it early.
    """
    return Solving(task, workers, seed, on_progress, floor, stop, known).run(seconds)


class Solving:
    """One question to the model, through all its cuts."""

    def __init__(
        self,
        task: Task,
        workers: int,
        seed: int,
        on_progress: Callable[[Progress], None] | None,
        floor: int | None,
        stop: threading.Event | None,
        known: Callable[[], int | None] | None,
    ) -> None:
        self.task, self.floor = task, floor
        self._workers, self._seed, self._on_progress = workers, seed, on_progress
        self._stop, self._known = stop or threading.Event(), known or (lambda: None)
        self._begun = time.perf_counter()
        self._best: tuple[int, tuple[Turn, ...]] | None = None
        self._cuts = 0
        self._steps: list[Step] = []
        self._failed: int | None = None
        self._problem = ""
        self._position = task.position

    def run(self, seconds: float | None) -> Found:
        """Solves, cuts and solves again until an answer stands or time is up."""
        self.frame = frame = make_model(self.task)
        self._bound = frame.most_points
        if self.task.at_least is not None:
            frame.cp.add(points(frame) >= self.task.at_least)
        else:
            frame.cp.maximize(points(frame))
        if self.floor is not None:
            frame.cp.add(points(frame) >= self.floor + 1)
        while True:
            left = None if seconds is None else seconds - (time.perf_counter() - self._begun)
            if self._stop.is_set() or (left is not None and left <= 0):
                return self._answer(proved=False)
            outcome = self._solve_once(left)
            if outcome.status == INFEASIBLE:
                return self._nothing_more()
            if outcome.bound is not None:
                self._bound = min(self._bound, outcome.bound)
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
            return run.solve(self.frame.cp, seconds)
        finally:
            ended.set()
            watcher.join()

    def _watch(self, run: Run, ended: threading.Event) -> None:
        """Stops a run from outside, or when others have reached all that is possible."""
        while not ended.wait(LOOK):
            if self._stop.is_set() or self._is_settled():
                run.stop()

    def _hear(self, progress: Progress) -> None:
        self._bound = min(self._bound, progress.bound)
        self._tell()

    def _tell(self) -> None:
        if self._on_progress is not None:
            value = None if self._best is None else self._best[0]
            self._on_progress(Progress(value, self._bound, time.perf_counter() - self._begun))

    def _judge(self, value: Value) -> None:
        """Has a solution judged by the rules, and keeps it if it is the best so far."""
        self._steps = read_steps(self.frame, value)
        said = replay(self.frame, self._steps)
        self._failed, self._problem, self._position = said.failed, said.problem, said.position
        if said.failed is not None:
            return
        made = self.task.worth(said.position)
        wanted = self.task.at_least if self.task.at_least is not None else made
        if made >= wanted and (self._best is None or made > self._best[0]):
            self._best = made, said.turns
            self._tell()

    def _is_settled(self) -> bool:
        """Checks whether nothing better is possible, or what was asked for is found."""
        if self.task.at_least is not None:
            return self._best is not None
        known = (self._known(), self.floor, self._best and self._best[0])
        return any(value is not None and value >= self._bound for value in known)

    def _cut(self) -> None:
        """Forbids what the rules refused: the reason where it is known, or the decisions up to the refused turn."""
        self._cuts += 1
        if not (self._failed and add_duty(self.frame, self._position, self._steps[self._failed - 1], self._failed)):
            cut_off(self.frame, self._steps[: self._failed])
        if self.task.at_least is None and self._best is not None:
            self.frame.cp.add(points(self.frame) >= self._best[0] + 1)

    def _nothing_more(self) -> Found:
        """Answers when the model holds no plan that is wanted and not yet found."""
        if self._best is not None:
            self._bound = self._best[0]
        elif self.floor is not None and self.task.at_least is None:
            self._bound = self.floor
        return self._answer(proved=True, infeasible=self._best is None and self.floor is None)

    def _answer(self, *, proved: bool, infeasible: bool = False) -> Found:
        value, turns = self._best or (None, ())
        if value is not None and value > self._bound:
            raise RuntimeError(f"a plan for {self.task.position} is worth {value}, the model says {self._bound}")
        seconds = time.perf_counter() - self._begun
        return Found(value, turns, self._bound, proved, self._cuts, seconds, infeasible)


def cut_off(frame: Frame, steps: list[Step]) -> None:
    """Forbids the decisions of some turns, taken together."""
    frame.clause(negate(literal) for step in steps for literal in step.literals)


def add_duty(frame: Frame, position: Position, step: Step, t: int) -> bool:
    """Adds that a builder must not be advanced where a certain extension is legal; says whether that is what was done.

    Told by one extension that was possible: as long as its builder stands there, its workman faces that square, and no
    more ends do, it stays possible.
    """
    moves = step.actions.get("move", [])
    if not moves or moves[0].what != "advance":
        return False
    for action in step.actions.get("place", []):
        position = position.act(action)
    layout, s = position.layout, position.state
    if min(frame.ground.state.stock) <= 2 * (t - 1):
        return False  # what was laid may be out of stock another time
    for action in position.actions():
        q, code = layout.square_index[action.square], CODES.index(action.tile)
        p = layout.path_index[action.path]
        if len(SEGMENTS[code]) > 1:
            continue  # loose paths elsewhere may forbid it another time
        for a in frame.ground.open:
            meets = s.score[a] == OPEN and s.face[a] == q and layout.tables.ports[code] >> s.entry[a] & 1
            if meets and kernel.sees(layout.tables, s, a, p):
                _forbid_advance(frame, a, p, t, s)
                return True
    return False


def _forbid_advance(frame: Frame, a: int, p: int, t: int, s: State) -> None:
    """Forbids to advance in a turn while a workman stands at an end, a builder in sight, and no more ends ahead."""
    ground, q = frame.ground, s.face[a]
    number = ground.enters[q, s.entry[a]]
    ends = kernel.ends_at(ground.tables, s, q)
    more = [ground.enters.get((q, side)) for side in range(4) if not ends >> side & 1]
    conditions = [
        frame.advances[t],
        frame.stands[p, s.path[p], t],
        frame.reach[number, t - 1],
        frame.label[number, a],
        negate(frame.closed[a, t - 1]),
    ]
    come = [frame.reach.get((other, t - 1), False) for other in more if other is not None]
    frame.when(conditions, frame.laid[q, t - 1], *come)
