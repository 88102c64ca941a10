"""What boards of Aqua Romana can plan: Plan, Timing and Longest as questions, and their answers as data to show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import Any

from aquakit.board.facts import Cell, Chip, FactTable
from aquakit.board.telling import tell_parts
from aquakit.core.options import Tell, show
from aquakit.core.record import Node
from aquakit.core.words import count
from aquakit.errors import AquakitError, InvalidOption
from aquakit.planning.plans import Count, Ghost, PlannerAnswer, PlannerQuestion, PlannerStep, tell_bounds
from aquakit.romana.kernel import CODES
from aquakit.romana.notation import Action
from aquakit.romana.planner.plan_question import MOST_TURNS, read_study
from aquakit.romana.planner.timing.entries import frame_case
from aquakit.romana.planner.timing.growth import ROUNDS
from aquakit.romana.position import Position

SECONDS = 30.0
"""How long a question may take that cannot be stopped early with the best so far."""
BRIDGE = "+"
SECOND = "the method that did not find the proof looks for a better plan, for half a minute at most"
METHODS = {"search": "the exact search", "cpsat": "the solver CP-SAT"}
"""The two methods of a plan, in words."""


# Questions


def questions(position: Position) -> tuple[PlannerQuestion, ...]:
    """Lists what can be planned for the player to move, and why something cannot.

    >>> [question.label for question in questions(Position.start("romana4"))]
    ['Plan', 'Timing', 'Longest']
    """
    return (
        PlannerQuestion(
            "plan",
            "Plan",
            "the most podium points of the player to move in some turns alone",
            Count("turns", 1, MOST_TURNS, 3),
            _refusal(lambda: read_study(position, None)),
            _say_second(),
        ),
        PlannerQuestion(
            "timing",
            "Timing",
            "when to close which aqueduct, as the game is likely to go on",
            Count("rounds", 1, ROUNDS, 6),
            _refusal(lambda: frame_case(position, None, 1)),
        ),
        PlannerQuestion(
            "longest",
            "Longest",
            "the best podiums that the empty squares and the stock still allow, whoever builds",
            None,
            _refusal(lambda: _check_open(position)),
        ),
    )


def _refusal(check: Callable[[], Any]) -> str:
    """Gets what speaks against a question."""
    try:
        check()
    except AquakitError as problem:
        return str(problem)
    return ""


def _say_second() -> str:
    """Says what the second method does for a plan; nothing where only one of them is installed."""
    try:
        both = all(find_spec(package) is not None for package in ("numba", "ortools"))
    except ImportError:
        both = False
    return SECOND if both else ""


def _check_open(position: Position) -> None:
    if not any(a.open and a.owner == position.player for a in position.aqueducts):
        problem = "the game is over" if position.is_over else "the player to move has no workman on the board"
        raise InvalidOption("position", problem, "an open aqueduct")


def answer(
    position: Position, question: str, number: int | None, *, stop: threading.Event, tell: Tell, verify: bool = False
) -> PlannerAnswer:
    """Answers a question; if it is stopped early, with the best so far. A plan can be confirmed by a second method."""
    if question == "plan":
        return _plan(position, number, stop, tell, verify=verify)
    ways = {"timing": _time, "longest": _lengthen}
    if question not in ways:
        raise InvalidOption("question", show(question), f"one of plan, {', '.join(ways)}")
    return ways[question](position, number, stop, tell)


# Plan


def _plan(position: Position, turns: int | None, stop: threading.Event, tell: Tell, *, verify: bool) -> PlannerAnswer:
    from aquakit.romana.planner.plan.plan import plan

    most = len(position.layout.podiums) * len(position.aqueducts)

    def hear(so_far: Any) -> None:
        # Before anything is known the bound says nothing.
        bound = so_far.bound if so_far.bound <= most else None
        tell(tell_bounds(so_far.points, bound, "points", so_far.compiling))

    found = plan(position, turns=turns or 1, stop=stop, on_progress=hear)
    if verify and found.proved:
        tell(f"{found.summary()}; now the second method looks for a better plan")
        found = found.verified(SECONDS, stop)
    summary = (found.summary(), *([_tell_witnesses(found)] if verify else []))
    if not found.turns:
        return PlannerAnswer(summary, above=_ends(position))
    record = found.record()
    made = [_show_turn(node, row) for node, row in zip(record.root.main()[1:], found.rows(), strict=True)]
    return PlannerAnswer(summary, tuple(made), above=_ends(position), record=record)


def _tell_witnesses(found: Any) -> str:
    """Says in words who proved a plan, and what the second method came to."""
    if not found.proved:
        return "No proof yet, so there was nothing for a second method to confirm."
    first, *others = found.proofs
    most = f"no plan makes more than {count(found.points, 'point')}"
    told = f"{METHODS.get(first.by, 'The rules alone')} proved in {first.seconds:.1f} s that {most}"
    for other in others:
        name, took = METHODS[other.by], f"{other.seconds:.1f} s"
        if other.points == found.points:
            return f"Two proofs: {told}; {name}, which shares nothing with it but the rules, proved the same in {took}."
        ruled_out = f"; all that is sure by then is that none makes more than {other.points}"
        return f"Only one proof: {told}; {name} came to no end in {took}{ruled_out}."
    return f"Only one proof: {told}; there was nothing left for a second method."


def _ends(position: Position) -> tuple[str, ...]:
    """Lists the workmen and the locks, which stand before squares on which a tile may be laid."""
    return tuple(f"{'workman' if a.open else 'closed'}={a.name}" for a in position.aqueducts)


def _show_turn(node: Node, row: dict[str, Any]) -> PlannerStep:
    assert node.parent is not None
    assert node.turn is not None
    closed = zip(row["closed"].split(), row["podium"].split(), strict=True)
    done = [f"closes {name} on podium {podium}" if podium != "0" else f"closes {name}" for name, podium in closed]
    note, ghosts = ", ".join([*done, f"{row['points']} points"]), tuple(_lay_ghosts(node.number, node.turn))
    return PlannerStep(str(node.turn), note, ghosts, tuple(tell_parts(node.parent.position, node.turn)))


def _lay_ghosts(number: int, actions: Iterable[Action]) -> Iterator[Ghost]:
    """Shows the tiles of a turn; extra tiles carry a plus."""
    for action in actions:
        if action.square:
            label = f"{number}+" if action.what == "extra" else str(number)
            yield _lay_ghost(action.square, action.tile, label)


def _lay_ghost(square: str, tile: str, label: str) -> Ghost:
    """Shows a tile; a bridge is drawn in two parts."""
    piece = f"t{CODES.index(tile)}{' deck' if tile == BRIDGE else ''}"
    return Ghost(square, "tile", label, piece, turns=True)


# Timing


def _time(position: Position, rounds: int | None, stop: threading.Event, tell: Tell) -> PlannerAnswer:
    from aquakit.romana.planner.timing.timing import timing

    tell("playing games to the end, and comparing schedules")
    found = timing(position, rounds=rounds, seconds=SECONDS, stop=stop)
    steps = [_show_closing(closing) for closing in found.schedule if closing.round is not None]
    return PlannerAnswer(tuple(found.summary()), tuple(steps), _tabulate(found))


def _show_closing(closing: Any) -> PlannerStep:
    name, number = closing.aqueduct, closing.round
    note = f"length {_write(closing.length)}, {_write(closing.podium)} points"
    if closing.carried_out != 1:
        note += f"; possible in {closing.carried_out:.0%}"
    return PlannerStep(f"close {name} in round {number}", note, (Ghost(f"workman={name}", "mark", str(number)),))


def _tabulate(found: Any) -> FactTable:
    """Lists the aqueducts with the round to close them and what the schedule is worth if that is done now or later."""
    heads = dict.fromkeys(wait.head for wait in found.waiting)
    return FactTable("Points with the best schedule that closes it …", ("", "close", *heads), tuple(_rows(found)))


def _rows(found: Any) -> Iterator[tuple[Cell, ...]]:
    for closing in found.schedule:
        name = closing.aqueduct
        order = "never" if closing.round is None else f"round {closing.round}"
        waits = [wait.tell("≥", 1) for wait in found.waiting if wait.aqueduct == name]
        yield ((Chip(name, name[0]),), order, *waits)


def _write(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.1f}"


# Longest


def _lengthen(position: Position, _: int | None, stop: threading.Event, tell: Tell) -> PlannerAnswer:
    from aquakit.romana.planner.longest.longest import longest

    def hear(progress: Any) -> None:
        if not stop.is_set():
            tell(tell_bounds(progress.value, progress.bound, "podium points"))

    return _show_longest(longest(position, seconds=SECONDS, on_progress=hear, stop=stop))


def _show_longest(found: Any) -> PlannerAnswer:
    """Numbers the tiles in the order in which they can be laid, which follows one aqueduct after the other."""
    left = {}
    for number, token in enumerate(found.tiles, start=1):
        square, _, tile = token.partition("=")
        left[square] = _lay_ghost(square, tile, str(number))
    steps = []
    for grown in found.aqueducts:
        ghosts = [left.pop(square) for square in dict.fromkeys(grown.squares) if square in left]
        podium = f"podium {grown.podium}" if grown.podium else "no podium"
        numbers = f"tiles {ghosts[0].label} to {ghosts[-1].label}" if len(ghosts) > 1 else f"{len(ghosts)} tiles"
        steps.append(
            PlannerStep(f"{grown.name}: length {grown.now} → {grown.length}, {podium}", numbers, tuple(ghosts))
        )
    return PlannerAnswer((str(found).partition("\n")[0],), tuple(steps), above=_ends(found.position))
