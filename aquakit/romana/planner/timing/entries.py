"""What people enter about closure timing, checked: who asks, how aqueducts grow, when rivals close theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor, isfinite
from operator import index
from typing import Any

from aquakit.core.options import read_flag, read_whole, show
from aquakit.core.words import join
from aquakit.errors import InvalidOption, InvalidPosition
from aquakit.romana.kernel import CLOSE, PICK, SETUP
from aquakit.romana.planner.timing.growth import ROUNDS
from aquakit.romana.planner.timing.replay import GrowthCourse, Scenario, TimingCase
from aquakit.romana.position import Position

MOST_LENGTH = 999
"""The greatest length that can be entered."""

GrowthEntry = float | Sequence[int] | Mapping[str, Any]
"""What can be said of an aqueduct: see `timing`."""


def frame_case(position: Any, player: int | None, rounds: int, *, closed_only: bool = False) -> TimingCase:
    """Checks who asks about what; gets the case, still without scenarios."""
    if not isinstance(position, Position):
        raise InvalidPosition("position", show(position), "a position of Aqua Romana")
    s = position.state
    if position.is_over or s.phase in (SETUP, PICK):
        problem = {SETUP: "is in the setup", PICK: "comes after the closing of this turn"}.get(s.phase, "is over")
        raise InvalidPosition("position", problem, "a turn that has come no further than its voluntary closing")
    number = (
        s.player + 1 if player is None else read_whole("player", player, least=1, most=len(position.layout.players))
    )
    if s.solo and number != s.player + 1:
        raise InvalidOption("player", f"{number} takes no turn in a study position [S1]", str(s.player + 1))
    read_whole("rounds", rounds, least=1, most=ROUNDS)
    case = TimingCase(position.layout, s, number - 1, rounds, (), read_flag("closed_only", closed_only))
    if not case.mine:
        raise InvalidOption("player", f"{number} has no workman on the board", "a player with an open aqueduct")
    return case


def list_open(case: TimingCase) -> list[int]:
    """Lists the aqueducts with a workman on the board."""
    return [a for a in range(len(case.layout.outlets)) if case.state.open >> a & 1]


def find_open(case: TimingCase, where: str, name: Any) -> int:
    """Finds an open aqueduct by its name."""
    names = [case.name(a) for a in list_open(case)]
    if name not in names:
        known = isinstance(name, str) and name in case.layout.aqueduct_index
        problem = f"{name} is closed already" if known else f"{show(name)} is no aqueduct of this board"
        raise InvalidOption(where, problem, f"one of {', '.join(names)}")
    return case.layout.aqueduct_index[name]


def present_length(case: TimingCase, a: int) -> int:
    """Gets the length that an aqueduct has now."""
    return int(case.state.length[case.state.tip[a]])


def is_walled(case: TimingCase, a: int) -> bool:
    """Checks whether an open aqueduct is walled in already, so that this turn closes it [R8]."""
    return bool(case.state.walled >> a & 1)


# Growth


def read_growth(case: TimingCase, growth: Any) -> dict[int, GrowthCourse]:
    """Checks what a person says of the aqueducts; those not named stay as they are."""
    if not isinstance(growth, Mapping):
        expected = "lengths by the aqueducts' names, such as {'R1': [3, 4, 4], 'R2': 0.5}, or a forecast"
        raise InvalidOption("growth", show(growth), expected)
    entries = {find_open(case, "growth", name): (f"growth.{name}", entry) for name, entry in growth.items()}
    return {a: _read_course(case, a, *entries.get(a, ("", 0))) for a in list_open(case)}


def _read_course(case: TimingCase, a: int, where: str, entry: Any) -> GrowthCourse:
    if is_walled(case, a):
        if where:
            raise InvalidOption(where, "it is walled in, so that this turn closes it [R8]", "no forecast for it")
        length = present_length(case, a)
        return GrowthCourse((length,) * case.rounds, length, 0)
    given = dict(entry) if isinstance(entry, Mapping) else {"lengths": entry}
    for key in given:
        if key not in ("lengths", "ends", "by"):
            raise InvalidOption(f"{where}.{key}", "is not known here", "lengths, ends or by")
    lengths = _read_lengths(case, a, where, given.get("lengths", 0))
    ends = _read_end(case, a, where, given)
    final = lengths[-1] if ends is None else lengths[case.round_of(ends) - 1]
    return GrowthCourse(tuple(min(length, final) for length in lengths), final, ends)


def _read_lengths(case: TimingCase, a: int, where: str, value: Any) -> list[int]:
    value = value.tolist() if hasattr(value, "tolist") else value  # NumPy's and pandas' columns and numbers
    if isinstance(value, bool | str) or not isinstance(value, int | float | Sequence):
        raise InvalidOption(where, show(value), "lengths in rounds 1, 2, 3 …, or the growth in a round as a number")
    if isinstance(value, Sequence):
        return _read_list(case, a, where, value)
    if not isfinite(value) or not 0 <= value <= MOST_LENGTH:
        raise InvalidOption(where, show(value), f"a growth from 0 to {MOST_LENGTH}")
    now = present_length(case, a)
    rounds = range(0 if _is_settled(case, a) else 1, case.rounds + 1)
    return [now + floor(value * number + 1e-9) for number in rounds][: case.rounds]


def _is_settled(case: TimingCase, a: int) -> bool:
    """Checks whether the length in round 1 is known: its owner has built and comes to the voluntary closing."""
    return case.state.phase == CLOSE and case.owner(a) == case.state.player


def _read_list(case: TimingCase, a: int, where: str, value: Sequence[Any]) -> list[int]:
    lengths = []
    for item in value:
        try:
            lengths.append(index(item))
        except TypeError:
            raise InvalidOption(where, show(item), "whole numbers") from None
        if isinstance(item, bool):
            raise InvalidOption(where, show(item), "whole numbers")
    if not lengths or max(lengths) > MOST_LENGTH:
        raise InvalidOption(where, show(value), f"lengths from 0 to {MOST_LENGTH}, at least one")
    now = present_length(case, a)
    for before, after in pairwise([now, *lengths]):
        if after < before:
            raise InvalidOption(where, f"the length shrinks from {before} to {after}", "lengths that never shrink")
    if _is_settled(case, a) and lengths[0] != now:
        raise InvalidOption(where, f"{lengths[0]} in round 1", f"{now}, since this turn's tile is laid already")
    return (lengths + lengths[-1:] * case.rounds)[: case.rounds]


def _read_end(case: TimingCase, a: int, where: str, given: Mapping[str, Any]) -> int | None:
    if given.get("ends") is None:
        if given.get("by") is not None:
            raise InvalidOption(f"{where}.by", "stands without ends", "the round in which that player walls it in")
        return None
    number = read_whole(f"{where}.ends", given["ends"], least=1, most=case.rounds)
    by = case.owner(a) + 1 if given.get("by") is None else given["by"]
    player = read_whole(f"{where}.by", by, least=1, most=len(case.layout.players)) - 1
    if player not in case.order:
        raise InvalidOption(f"{where}.by", f"{player + 1} takes no turn in a study position [S1]", str(case.me + 1))
    if number == 1 and case.state.phase == CLOSE and player == case.state.player:
        raise InvalidOption(f"{where}.ends", "this turn's tile is laid already and walls it not in", "a later turn")
    return case.turn(number, player)


# Rivals


def read_closings(case: TimingCase, where: str, closings: Any) -> dict[int, int]:
    """Checks in which round each rival's aqueduct is to be closed; one a player and round [R9]."""
    if not isinstance(closings, Mapping):
        raise InvalidOption(where, show(closings), "rounds by the rivals' aqueducts, such as {'Y1': 2}")
    made: dict[int, int] = {}
    used: dict[tuple[int, int], str] = {}
    for name, number in closings.items():
        a = find_open(case, where, name)
        if a in case.mine:
            others = [case.name(b) for b in list_open(case) if b not in case.mine]
            raise InvalidOption(f"{where}.{name}", "is the player's own", f"an aqueduct of a rival: {join(others)}")
        if case.state.solo:
            raise InvalidOption(f"{where}.{name}", "rivals take no turns in a study position [S1]", "none")
        made[a] = read_whole(f"{where}.{name}", number, least=1, most=case.rounds)
        other = used.setdefault((case.owner(a), made[a]), name)
        if other != name:
            raise InvalidOption(f"{where}.{name}", f"{other} is closed in round {number} too", "one closing a turn")
    return made


def check_closings(case: TimingCase, where: str, scenario: Scenario) -> None:
    """Refuses closings that the entered lengths do not allow."""
    for a, number in scenario.closings.items():
        name, course, turn = case.name(a), scenario.courses[a], case.turn(number, case.owner(a))
        if course.lengths[number - 1] < 1:
            raise InvalidOption(f"{where}.{name}", f"has length 0 in round {number}", "a length of at least 1 [R9]")
        if course.ends is not None and course.ends <= turn:
            ended = case.round_of(course.ends)
            raise InvalidOption(f"{where}.{name}", f"is closed by construction in round {ended}", "an earlier round")
        walled = [b for b in scenario.courses if case.owner(b) == case.owner(a) and scenario.courses[b].ends == turn]
        for b in walled:
            if scenario.closings.get(b, number) >= number:
                problem = f"{case.name(b)} is closed by construction in that turn"
                raise InvalidOption(f"{where}.{name}", problem, "another round, by step 6")


def read_weight(where: str, weight: Any) -> Fraction:
    """Checks how much a scenario counts."""
    fine = isinstance(weight, int | float | Fraction) and not isinstance(weight, bool) and isfinite(weight)
    if not fine or weight <= 0:
        raise InvalidOption(where, show(weight), "a number greater than 0")
    return Fraction(str(weight))
