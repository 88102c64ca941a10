"""What exercises can be checked by: small functions, each found by its name, that ask the rules or a solver.

There are three forms. A measure gets a number from a position, a naming gets names that are right in it, and a test
judges a turn. A check is added by writing such a function in a game's `puzzles/checks.py`, with a table of what
it has to be told; `aquakit workshop checks` lists them all with the first line of their docstrings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field

from aquakit.core.plugins import find_optional, game_names
from aquakit.core.position import AnyPosition, BasePosition
from aquakit.core.tomlfile import Table
from aquakit.core.words import count, join
from aquakit.errors import AquakitError, IllegalTurn
from aquakit.training.verdict import Verdict

Form = Literal["measure", "naming", "test"]


class ExerciseError(AquakitError):
    """An exercise or a lesson's file cannot be read or asked like that; `where` names file, exercise and field."""


class Measured(NamedTuple):
    """A number found on a board."""

    value: int
    words: str
    """How it comes about, in a whole sentence."""


class Named(NamedTuple):
    """Names that are right on a board."""

    names: Sequence[str]
    what: str
    """What they are, to be said after `is` or `is not`."""
    words: str
    """How that comes about, in a whole sentence."""


class Nothing(Table):
    """What a check is told that need not be told anything."""


@dataclass(frozen=True)
class Check:
    """A check by its name."""

    name: str
    form: Form
    model: type[Table]
    """What it has to be told."""
    games: tuple[type[Any], ...]
    """The games whose positions it understands."""
    find: Callable[..., Any]

    @property
    def about(self) -> str:
        """What it finds, in a line."""
        return (self.find.__doc__ or "").partition("\n")[0]

    @property
    def subject(self) -> str:
        """The name of what a measure is about, if it has to be told one: an aqueduct or a square."""
        return next((name for name, field in self.model.model_fields.items() if field.is_required()), "")


_CHECKS: dict[tuple[Form, str], Check] = {}

Find = TypeVar("Find", bound=Callable[..., Any])


def check(form: Form, model: type[Table], *games: type[Any]) -> Callable[[Find], Find]:
    """Makes a function a check, named like the function without its last underscore."""

    def add(find: Find) -> Find:
        name = find.__name__.rstrip("_").replace("_", "-")
        _CHECKS[form, name] = Check(name, form, model, games, find)
        return find

    return add


def all_checks() -> list[Check]:
    """Lists all checks, by form and name."""
    for game in game_names():
        find_optional(game, "puzzles.checks")  # its checks are known when it is loaded
    return sorted(_CHECKS.values(), key=lambda found: (found.form, found.name))


def find_check(name: str, *forms: Form) -> Check:
    """Finds a check of one of some forms, the first of them first."""
    known = {(found.form, found.name): found for found in all_checks()}
    for form in forms:
        if (form, name) in known:
            return known[form, name]
    names = sorted({known_name for form, known_name in known if form in forms})
    raise ExerciseError("check", f"there is no {join(forms, 'or')} {name!r}", f"one of {', '.join(names)}")


def follow(position: AnyPosition, turn: str) -> tuple[Any, AnyPosition] | Verdict:
    """Plays a whole turn; what the rules forbid is a wrong answer, with the reason."""
    try:
        return position.carry_out(turn)
    except IllegalTurn as problem:
        if is_begun(position, turn):  # nothing in it is forbidden
            raise
        return Verdict(False, f"The rules forbid {problem.where}: {problem.problem}.")


def is_begun(position: AnyPosition, turn: str) -> bool:
    """Tells whether some tokens are the beginning of a legal turn."""
    try:
        for action in position.turn_type.parse(turn):
            position = position.act(action)
    except AquakitError:
        return False
    return bool(position.played)


# Checks that serve every game


class OfPlayer(Table):
    """A player by number."""

    player: Annotated[int, Field(strict=True, ge=1)]


@check("measure", OfPlayer, BasePosition)
def points(position: AnyPosition, given: OfPlayer) -> Measured:
    """Gets a player's points as they stand."""
    scores = position.scores()
    if given.player > len(scores):
        raise ExerciseError("given.player", str(given.player), f"1 … {len(scores)}")
    value = scores[given.player - 1]
    return Measured(value, f"Player {given.player} has {count(value, 'point')}.")


@check("measure", Nothing, BasePosition)
def turns(position: AnyPosition, given: Nothing) -> Measured:
    """Counts the complete legal turns, those without dice if the game has any."""
    value = sum(1 for _ in position.turns())
    return Measured(value, f"There {'is' if value == 1 else 'are'} {count(value, 'legal turn')}.")


@check("test", Nothing, BasePosition)
def legal(position: AnyPosition, turn: Any, after: AnyPosition, given: Nothing) -> Verdict:
    """Accepts every legal turn."""
    return Verdict(True, "The rules allow this turn.")
