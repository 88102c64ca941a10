"""What a review says about single decisions, and the puzzle candidates made of them."""

from __future__ import annotations

from dataclasses import dataclass

from aquakit.core.tomlfile import write_value
from aquakit.engine.weigh import SURE

INACCURACY, MISTAKE, BLUNDER = 1.0, 2.5, 5.0
"""Losses in points of expected lead from which on a turn is marked so; a smaller or unsure loss is good."""
SIGNS = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The marks, from the best to the worst, and the sign that stands behind a turn so marked."""


@dataclass(frozen=True)
class Judged:
    """A decision of the game: what was played, what was best, and what the difference cost.

    A turn is one decision, unless the die or another player decides in between: then each part is one.

    >>> import aquakit
    >>> record = aquakit.Record(aquakit.start("romana2-5x4"))
    >>> node = record.root.play("b3=+@E4 xR1 *d")
    >>> judged = aquakit.review(record, playouts=1000, threads=1, progress=False).turns[0]
    >>> judged.turn, judged.mark, judged.sign
    ('b3=+@E4 xR1 *d', 'blunder', '??')
    """

    number: int
    """The turn's number in the record."""
    player: int
    position: str
    turn: str
    """What the player decided, up to the next roll or decision of another player."""
    lead: float
    """The player's expected lead after it."""
    stderr: float
    best: str
    best_lead: float
    best_stderr: float
    loss: float
    """How much the lead of the best turn exceeds that of the turn played; never below 0."""
    loss_stderr: float
    mark: str
    """best, good, inaccuracy, mistake or blunder"""
    score: tuple[float, ...]
    """Each player's expected points with the best turn."""
    as_good: tuple[str, ...]
    """The analysed turns that cannot be told from the best one, itself first."""
    playouts: int
    """Games played out for the best turn."""

    @property
    def sign(self) -> str:
        """The sign that stands behind the turn."""
        return SIGNS[self.mark]


@dataclass(frozen=True)
class Candidate:
    """A position whose best turn a player missed: a candidate for a puzzle, for it rests on an estimate."""

    position: str
    player: int
    best: tuple[str, ...]
    value: float
    """The expected lead with the best turn."""
    played: str
    loss: float
    number: int
    """The turn's number in the record."""


def judge(loss: float, error: float) -> str:
    """Marks a turn by its loss in points; what may be chance is held against nobody.

    >>> judge(3.0, 0.2), judge(3.0, 2.0), judge(0.2, 0.1), judge(0.0, 0.0)
    ('mistake', 'good', 'good', 'best')
    """
    if loss == 0:
        return "best"
    if loss < SURE * error or loss < INACCURACY:
        return "good"
    return "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else "inaccuracy"


def write_candidate(candidate: Candidate) -> str:
    """Writes a puzzle candidate as TOML."""
    fields = {
        "position": candidate.position,
        "player": candidate.player,
        "best": list(candidate.best),
        "value": round(candidate.value, 2),
        "played": candidate.played,
        "loss": round(candidate.loss, 2),
        "turn": candidate.number,
    }
    return "".join(f"{name} = {write_value(value)}\n" for name, value in fields.items())
