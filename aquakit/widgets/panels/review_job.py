"""Reviews the game on a board in the background, and says what was found as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from aquakit.board import clicks
from aquakit.board.claims import Claim
from aquakit.board.telling import describe_turn
from aquakit.core.position import AnyPosition
from aquakit.core.record import Node, Record
from aquakit.engine.explain import contrast
from aquakit.engine.judged import SIGNS, Judged
from aquakit.engine.report import NOTE
from aquakit.engine.review import Review
from aquakit.widgets.background import Job, count_spare_cores

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
        self.review = Review(record, seconds=seconds, threads=count_spare_cores())
        self.status = f"turn 1 of {self.last}"
        self.mistakes: list[tuple[Judged, AnyPosition]] = []
        """What was done wrong and in which position, in the order of the game."""
        self._told: list[dict[str, Any]] = []

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return self.line[-1].number

    def work(self) -> None:
        """Reviews decision by decision."""
        self.review.go_on(progress=False, stop=self._stop, on_update=self._note)

    def _note(self, review: Review) -> None:
        """Takes over what was judged last, and says at which turn the review is."""
        judged = review.turns[-1]
        if judged.sign:
            self.mistakes.append((judged, review.moment(judged)))
            self._told.append(self._tell(*self.mistakes[-1]))
        if not self.is_stopping:
            self.status = f"turn {min(judged.number + 1, self.last)} of {self.last}"
            self._heard(self)

    # What was found, as plain data

    def describe(self) -> Mapping[str, Any]:
        """Gathers the table, the course of the leads and the mistakes."""
        course = dict(self.review.course())
        return {
            "table": {
                "title": "",
                "head": ["", "player", "good decisions", *filter(None, SIGNS.values()), "lost each"],
                "rows": list(self._rows()),
            },
            "note": f"{', '.join(f'{sign} {mark}' for mark, sign in SIGNS.items() if sign)}. {NOTE}",
            "who": [first for first, *_ in self._chips()],
            # The leads after each turn of the game, from the start on.
            "course": [course.get(node.number + 1) for node in self.line],
            "mistakes": list(self._told),
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

    def _tell(self, judged: Judged, moment: AnyPosition) -> dict[str, Any]:
        """Tells a mistake in words."""
        error = judged.loss_stderr
        better, played = contrast(moment, judged.best, judged.turn)
        return {
            "number": judged.number,
            "player": judged.player,
            "who": self._chips()[judged.player - 1],
            "sign": judged.sign,
            "mark": judged.mark,
            "lost": f"{judged.loss:.1f}{f' ± {error:.1f}' if error >= LEAST_ERROR else ''} points lost",
            "played": _word(moment, judged.turn, played),
            "better": _word(moment, judged.best, better),
        }


def _word(moment: AnyPosition, turn: str, claims: list[Claim]) -> dict[str, Any]:
    """Says a turn, and what it does and the other one does not."""
    return {
        "turn": turn,
        "told": describe_turn(moment, turn),
        "why": [f"{claim.text}." for claim in claims[:REASONS]],
    }
