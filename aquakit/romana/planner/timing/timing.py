"""Closure timing: when to close which aqueduct, proved for a forecast of how all of them grow."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from aquakit.core.options import read_seconds, read_stop, read_whole, show
from aquakit.core.threads import work_until_interrupted
from aquakit.errors import InvalidOption
from aquakit.planning.cpsat import METHODS
from aquakit.romana.planner.timing.clock import Clock
from aquakit.romana.planner.timing.engine.asking import (
    ENGINE,
    EngineOptions,
    EngineProgress,
    check_engine,
    weigh_closings,
)
from aquakit.romana.planner.timing.entries import frame_case
from aquakit.romana.planner.timing.forecast import MOST_PLAYOUTS, Forecast
from aquakit.romana.planner.timing.growth import ROUNDS
from aquakit.romana.planner.timing.model import AIMS, EXPECTED, WORST
from aquakit.romana.planner.timing.proof import Prover, TimingAnswer, answer_replies, scaled
from aquakit.romana.planner.timing.question import Growth, Rivals, TimingQuestion, read_rivals
from aquakit.romana.planner.timing.replay import expect, points_of
from aquakit.romana.planner.timing.result import Timing
from aquakit.romana.position import Position

USUAL_ROUNDS = 6
MOST_SEED = 2**64 - 1
"""The next one draws the playouts in which a schedule is tried."""


def timing(
    position: Position,
    *,
    player: int | None = None,
    rounds: int | None = None,
    growth: Growth | None = None,
    rivals: Rivals | None = None,
    aim: str = EXPECTED,
    closed_only: bool = False,
    waits: int = 3,
    playouts: int = 24,
    seed: int = 0,
    seconds: float | None = 30.0,
    method: str = "auto",
    games: int = 100,
    per_decision: int = 200,
    executor: Executor | None = None,
    on_progress: Callable[[EngineProgress], object] | None = None,
    stop: threading.Event | None = None,
) -> Timing:
    """Finds out when to close which of a player's open aqueducts, and proves it.

    **The model.** From the position on each player has one turn a round, in turn order; round 1 begins with the player
    to move. What is forecast is the length of every aqueduct at the closing step of its owner's turn, round by round,
    and whether it is closed by construction in somebody's turn. Growth does not depend on what is closed. In each own
    turn the player may close one aqueduct of length 1 or more, unless one of the own was closed by construction in that
    turn (step 6) [R9]. A workman takes the podium of the length, or the next lower one with room (step 7). After the
    last round open aqueducts are scored as at the end of the game (section 6), or count nothing with `closed_only`.
    Points are podium points without bonus [S2]. The position may be the start of a turn, or a moment up to its closing.

    **`growth`** maps names of aqueducts to what is expected of them; those left out stay as they are:

    - lengths in rounds 1, 2, 3 …, the last of which stays: `{"R1": [3, 4, 4, 6]}`;
    - a number, the growth in a round: `{"R2": 0.5}` grows by one every second round;
    - with an end by construction, in the owner's turn or by another player: `{"R1": {"lengths": [3, 4], "ends": 2,
      "by": 3}}`.

    Without `growth` it is estimated from `playouts` by sensible players, each of which is a scenario; `forecast` makes
    such an estimate to look at, and it can be given here too.

    **`rivals`** says when the others close theirs: rounds by name, as in `{"Y1": 2}`; several such scenarios, with
    weights if wanted, as in `[{"Y1": 2, "weight": 3}, {}]`; "playouts", as the playouts have it; or "replies":
    everybody closes what is best for the own points, in turn order, knowing that all others do so too (with growth
    estimated, for the mean lengths); who is indifferent waits. Without it: as in the playouts, or nobody closes
    anything if growth is entered.

    **`rivals="engine"`** proves the same as without it, and then lets the engine play: `games` times everybody plays on
    by a search of `per_decision` playouts for each decision, once as it is, and once for every own aqueduct and moment:
    closed now, after 1, 2, … `waits` rounds, or never within the `rounds`, after which a last search weighs what there
    is. Growth, rivals' closings, builders and bonuses follow from play. `engine` of the answer holds the leads that
    come of it, with errors, and how the aqueducts grew: estimates, and no part of the proof. `seconds` counts once more
    for these games. They are played in threads, one a core, or in any `executor`; `on_progress` hears of each.

    One schedule serves all scenarios. It maximises the expected points, or with `aim="worst"` those in the worst
    scenario. An order that a scenario does not allow in its turn lapses there. Orders that bring nothing are left out.

    The answer tells for each aqueduct what the whole schedule is worth if it is closed now, after 1, 2, … `waits`
    rounds, or never. `seconds` (none for no limit), `stop` or an interrupt end it early: what is not proved by then is
    marked so, and what was not looked at has no value. Playouts take their time in any case, and so does the replay by
    the rules that every answer has to pass. Few schedules are searched through, many go to CP-SAT; `method` chooses one
    of them.

    >>> growth = {"R1": [3, 4, 4], "G1": [2, 4, 4]}
    >>> found = timing(Position.start("romana2-5x4"), rounds=3, growth=growth, rivals={"G1": 2})
    >>> found.value, dict(found.orders), found.proved
    (4, {'R1': 2}, True)
    """
    clock, asks_engine = Clock(seconds, stop), isinstance(rivals, str) and rivals == ENGINE
    _check_options(aim, method, seconds, stop)
    read_whole("seed", seed, most=MOST_SEED)
    number = rounds if rounds is not None else growth.rounds if isinstance(growth, Forecast) else USUAL_ROUNDS
    case = frame_case(position, player, number, closed_only=closed_only)
    read_whole("waits", waits, most=ROUNDS)
    read_whole("playouts", playouts, least=1, most=MOST_PLAYOUTS)
    options = EngineOptions(games, per_decision, waits, seed, executor, on_progress)
    if asks_engine:
        check_engine(case, options)
    known = read_rivals(growth, None if asks_engine else rivals)
    question = TimingQuestion(position, case, growth, known, playouts, seed)
    if question.is_reply and aim == WORST:
        raise InvalidOption("aim", "'worst' of best replies, which are one scenario", "expected with these rivals")

    def think() -> TimingAnswer:
        if question.is_reply:
            return answer_replies(question.case, waits, clock)
        return Prover(question.case, aim, method, seed, clock).answer(waits)

    answer = work_until_interrupted(think, clock.event)
    made = _checked(answer, position, aim, question.word)
    tried = question.has_others and clock.has(question.trial_seconds)
    made = replace(made, fresh=question.try_on_others(made.orders) if tried else None, seconds=clock.gone())
    if not asks_engine:
        return made
    again = Clock(seconds, clock.event)
    engine = work_until_interrupted(lambda: weigh_closings(case, options, again), clock.event)
    return replace(made, engine=engine)


def _check_options(aim: Any, method: Any, seconds: Any, stop: Any) -> None:
    for name, value, known in (("aim", aim, tuple(AIMS)), ("method", method, METHODS)):
        if value not in known:
            raise InvalidOption(name, show(value), f"one of {', '.join(known)}")
    read_seconds(seconds)
    read_stop(stop)


def _checked(answer: TimingAnswer, position: Position, aim: str, rivals: str) -> Timing:
    """Makes the result, after its value was replayed by the rules."""
    case = answer.case
    made = Timing(
        position=position,
        player=case.me + 1,
        rounds=case.rounds,
        aim=aim,
        rivals=rivals,
        value=scaled(case, aim, answer.value),
        bound=scaled(case, aim, answer.bound),
        proved=answer.proved,
        orders={case.name(a): number for a, number in answer.orders.items()},
        waiting=answer.waiting,
        fresh=None,
        seconds=0.0,
        method=answer.method,
        case=case,
    )
    values = [points_of(case, outcome, case.me) for outcome in made.outcomes]
    replayed = min(values) if aim == WORST else expect(case.scenarios, values)
    if abs(replayed - made.value) > 1e-9:
        raise case.contradict(f"{made.method} finds a schedule worth {made.value}", f"the replay gives {replayed}")
    return made
