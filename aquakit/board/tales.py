"""A turn step by step, for whatever is told about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from aquakit.board.claims import Claim
from aquakit.core.position import AnyPosition, BaseTurn

PositionT = TypeVar("PositionT", bound=AnyPosition)
TaleT = TypeVar("TaleT")


class TurnStep(NamedTuple, Generic[PositionT]):
    """An action of a turn, between the moments before and after it."""

    before: PositionT
    action: Any
    after: PositionT


class BaseTale(Generic[PositionT]):
    """A turn with all that is asked about it."""

    def __init__(self, before: PositionT, turn: BaseTurn[Any], after: PositionT | None = None) -> None:
        """Plays the turn; the position after it need not be given."""
        self.before, self.layout = before, before.layout
        self.me = before.player or 1
        self.steps = list(walk_turn(before, turn))
        self.after = after or self.steps[-1].after

    def made(self, what: str) -> list[TurnStep[PositionT]]:
        """Lists the steps of a kind."""
        return [step for step in self.steps if step.action.what == what]

    def find(self, what: str) -> TurnStep[PositionT] | None:
        """Finds the first step of a kind."""
        return next(iter(self.made(what)), None)


def walk_turn(position: PositionT, turn: Iterable[Any]) -> Iterator[TurnStep[PositionT]]:
    """Plays a turn action by action."""
    for action in turn:
        after = position.act(action)
        yield TurnStep(position, action, after)
        position = after


def tell_all(tale: TaleT, *tellers: Callable[[TaleT], Iterable[Claim]]) -> list[Claim]:
    """Asks one teller after the other what there is to be said about a turn."""
    return [claim for tell in tellers for claim in tell(tale)]


def tell_totals(names: Iterable[str], points: tuple[int, ...]) -> Claim:
    """Says how the game ends."""
    totals = [f"{name} {total}" for name, total in zip(names, points, strict=True)]
    return Claim("end", f"Ends the game: {', '.join(totals)}", points)
