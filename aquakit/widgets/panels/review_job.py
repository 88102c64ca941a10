"""Reviews the game on a board in the background, and says what was found as plain data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aquakit.board import clicks
from aquakit.board.telling import describe_turn
from aquakit.core.record import Node, Record
from aquakit.engine.explain import contrast
from aquakit.engine.judged import SIGNS, Judged
from aquakit.engine.report import NOTE
from aquakit.engine.review import Review
from aquakit.widgets.background import Job

STRENGTHS = {"quick": 0.3, "usual": 1.0, "thorough": 3.0}
"""What people choose from, and the seconds for each decision."""
LEAST_ERROR = 0.05
"""A smaller standard error is not worth a word."""
REASONS = 3
"""So many effects of a turn are named at most."""


class ReviewJob(Job):
    """A review of a record's main line; what is finished can be read at any time."""

    def __init__(self, record: Record, seconds: float, heard: Callable[[ReviewJob], None]) -> None:
        """Prepares the work; one core is left to the notebook."""
        super().__init__(heard, "aquakit review")
        self.line: list[Node] = record.root.main()
        """The game as it was when the review began."""
        self.review = Review(record, seconds=seconds, threads=max(1, (os.cpu_count() or 2) - 1))
        self.status = f"turn 1 of {self.last}"
        self._told: dict[Judged, dict[str, Any]] = {}

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return self.line[-1].number

    @property
    def mistakes(self) -> list[Judged]:
        """What was done wrong, in the order of the game."""
        return [judged for judged in self.review.turns if judged.sign]

    def work(self) -> None:
        """Reviews decision by decision."""
        self.review.go_on(
            progress=False,
            stop=self._stop,
            on_update=lambda review: self.tell_news(min(review.turns[-1].number + 1, self.last)),
        )

    def tell_news(self, number: int) -> None:
        """Says at which turn it is, and that another decision has been judged."""
        if not self.is_stopping:
            self.status = f"turn {number} of {self.last}"
            self._heard(self)

    # What was found, as plain data

    def describe(self) -> Mapping[str, Any]:
        """Gathers the table, the course of the leads and the mistakes."""
        chips = self._chips()
        course = dict(self.review.course())
        return {
            "table": {
                "title": "",
                "head": ["", "player", "good turns", *filter(None, SIGNS.values()), "lost a turn"],
                "rows": list(self._rows()),
            },
            "note": f"{', '.join(f'{sign} {mark}' for mark, sign in SIGNS.items() if sign)}. {NOTE}",
            "who": [first for first, *_ in chips],
            # The leads after each turn of the game, from the start on.
            "course": [course.get(node.number + 1) for node in self.line],
            "mistakes": [self._tell(judged, chips) for judged in self.mistakes],
        }

    def _chips(self) -> list[Any]:
        start = self.review.record.start
        chips = start.room("board.facts").chips
        players = range(1, start.layout.tables.players + 1)
        return [clicks.plain(chips(start.layout, player)) for player in players]

    def _rows(self) -> Iterator[list[Any]]:
        """Sums up what each player did who decided something."""
        headers, chips = self.review.record.headers, self._chips()
        for player, name in enumerate(self.review.names(), start=1):
            mine = [judged for judged in self.review.turns if judged.player == player]
            if mine:
                marks = [judged.mark for judged in mine]
                good = sum(not judged.sign for judged in mine)
                counts = [str(marks.count(mark)) for mark, sign in SIGNS.items() if sign]
                lost = sum(judged.loss for judged in mine) / len(mine)
                who = headers.get(f"player {player}") or name
                yield [chips[player - 1], who, f"{good} of {len(mine)}", *counts, f"{lost:.1f}"]

    def _tell(self, judged: Judged, chips: list[Any]) -> dict[str, Any]:
        """Tells a mistake in words; what was told stays true."""
        if judged not in self._told:
            moment = self.review.moment(judged)
            error = judged.loss_stderr
            better, played = contrast(moment, judged.best, judged.turn)
            self._told[judged] = {
                "number": judged.number,
                "player": judged.player,
                "who": chips[judged.player - 1],
                "sign": judged.sign,
                "mark": judged.mark,
                "lost": f"{judged.loss:.1f}{f' ± {error:.1f}' if error >= LEAST_ERROR else ''} points lost",
                "played": _word(moment, judged.turn, played),
                "better": _word(moment, judged.best, better),
            }
        return self._told[judged]


def _word(moment: Any, turn: str, claims: list[Any]) -> dict[str, Any]:
    """Says a turn, and what it does and the other one does not."""
    return {
        "turn": turn,
        "told": describe_turn(moment, turn),
        "why": [f"{claim.text}." for claim in claims[:REASONS]],
    }
