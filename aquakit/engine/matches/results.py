"""What is kept of a match: what makes it the one it is, and its finished games."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from aquakit.core.tomlfile import Table
from aquakit.work.journal import Form

FORM = "aquakit match 1"
Whole = Annotated[int, Field(ge=0, le=2**64)]
Points = Annotated[int, Field(ge=-(10**9), le=10**9)]


class MatchHead(Table):
    """What makes a match the one it is."""

    form: str = Field(pattern=f"^{FORM}$")
    version: str
    """The kit's version: another one may play otherwise."""
    bots: tuple[str, ...] = Field(min_length=2)
    layout: str
    board: str
    """A stamp of the layout's file."""
    options: dict[str, Any]
    """The options of the game's start."""
    ways: Annotated[int, Field(ge=1, le=10**6)]
    """How many ways there are to seat the bots."""
    seed: Whole


class GameResult(Table):
    """A finished game; what is said per seat is in turn order."""

    game: Whole
    """Its number in the match, from 0."""
    seats: tuple[str, ...] = Field(min_length=2)
    """The bots' names."""
    seed: Whole
    """What the start and the dice follow from."""
    start: str
    """The position it began with."""
    turns: tuple[str, ...]
    scores: tuple[Points, ...]
    places: tuple[Annotated[int, Field(ge=1, le=1000)], ...]
    """1 for the best, and so on; equal ones have the same."""
    shares: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    """What each seat has of the win: 1, or a part if several share it."""
    seconds: tuple[Annotated[float, Field(ge=0, lt=1e9)], ...]
    """How long each seat thought."""

    @model_validator(mode="after")
    def _check_seats(self) -> Self:
        for name in ("scores", "places", "shares", "seconds"):
            if len(getattr(self, name)) != len(self.seats):
                raise ValueError(f"{name} are not as many as seats")
        if sum(self.shares) > 1.001:
            raise ValueError("shares are more than one win")
        return self


MATCH = Form("match", "game", MatchHead, GameResult, attrgetter("game"))
"""The file of a match's results."""
