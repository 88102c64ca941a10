"""plan: the most podium points that one player can make in some turns alone, proved, as turns that can be played."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from aquakit.core.options import read_flag, read_listener, read_seconds, read_stop
from aquakit.core.words import count as say_count
from aquakit.errors import InvalidOption
from aquakit.romana.notation import Turn
from aquakit.romana.planner.plan.portfolio import WITNESSES, PlanAnswer, Portfolio, choose_method
from aquakit.romana.planner.plan.result import Plan
from aquakit.romana.planner.plan.witness import PlanProof
from aquakit.romana.planner.plan_question import PlanQuestion, read_forbidden, read_study, read_turns
from aquakit.romana.position import Position


def plan(
    position: Position,
    *,
    turns: int,
    player: int | None = None,
    closed_only: bool = False,
    closing: bool = True,
    first: str | Turn | None = None,
    forbid: str | Iterable[str] = (),
    seconds: float | None = None,
    method: str = "auto",
    verify: bool = False,
    on_progress: Callable[[PlanAnswer], None] | None = None,
    stop: threading.Event | None = None,
) -> Plan:
    """Finds the most podium points that a player can make in some turns alone [S1][S2].

    The player is the one to move unless another is named. `closed_only` counts only closed aqueducts; without `closing`
    none is closed voluntarily. `first` is a turn to begin with. `forbid` names squares on which no tile is laid, and
    actions that are never taken. `method` is search, cpsat, or auto: both side by side until one has a proof. After
    `seconds`, an interrupt or `stop` the best plan so far is the answer, with the bound that was reached.

    With `verify` a second witness is asked: the method that did not find the proof looks for a better plan, for as many
    `seconds` again. `proofs` says who proved what. Methods that contradict each other raise ProofFailure.

    >>> best = plan(Position.start("romana2-5x4"), turns=2)
    >>> best.points, best.proved
    (3, True)
    >>> plan(Position.start("romana2-5x4"), turns=2, first="b3=+@E4 xR1 *j").points
    3
    >>> plan(Position.start("romana2-5x4"), turns=2, method="search", verify=True).proofs
    (<PlanProof: no more than 3 points, by search in ... s>, <PlanProof: no more than 3 points, by cpsat in ... s>)
    """
    study = read_study(position, player)
    read_turns(turns)
    _check_running(seconds, method, verify, on_progress, stop)
    read_flag("closed_only", closed_only)
    read_flag("closing", closing)
    start, begun = _begin(study, first)
    question = PlanQuestion(start, turns - len(begun), closed_only, closing, forbid=read_forbidden(study, forbid))
    for turn in begun:
        question.check_allowed("first", turn)
    if start.is_over or question.turns == 0:
        answer = _settle(question)
    else:
        answer = Portfolio(question, method=method, seconds=seconds, on_progress=on_progress, stop=stop).run()
    if answer.proved and answer.points is None:
        raise InvalidOption("forbid", f"leaves no plan of {say_count(turns, 'turn')}", "less that is forbidden")
    found = answer.points is not None
    proofs = [PlanProof(answer.by, answer.bound, answer.seconds)] if answer.proved else []
    made = Plan(
        position=study,
        points=answer.points,
        turns=(*begun, *answer.turns) if found else (),
        bound=answer.bound,
        proved=answer.proved and found,
        method=answer.by,
        seconds=answer.seconds,
        states=answer.states,
        cuts=answer.cuts,
        question=question,
        begun=begun,
        proofs=tuple(proofs),
        _way=method,
    )
    return made.verified(seconds, stop) if verify else made


def _check_running(seconds: Any, method: Any, verify: Any, on_progress: Any, stop: Any) -> None:
    """Checks the options that say how to look for a plan."""
    read_seconds(seconds)
    for needed in (method, *WITNESSES) if read_flag("verify", verify) else (method,):
        choose_method(needed)
    read_listener(on_progress)
    read_stop(stop)


def _begin(study: Position, first: str | Turn | None) -> tuple[Position, tuple[Turn, ...]]:
    """Plays the turn to begin with, if there is one; gets the position after it."""
    if first is None:
        return study, ()
    turn, after = study.carry_out(first)
    return after, (Turn(turn),)


def _settle(question: PlanQuestion) -> PlanAnswer:
    """Answers a question in which no turn is left to be planned."""
    points = question.worth(question.position)
    return PlanAnswer(points, (), points, proved=True, by="rules")
