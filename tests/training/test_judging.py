"""A judging: asked, being judged, and then judged, stopped or failed; and what of it counts."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from aquakit.core.options import Tell
from aquakit.errors import InvalidOption
from aquakit.training.attempt import Attempt
from aquakit.training.judging import Judging
from aquakit.training.sitting import Ledger, Sitting
from aquakit.training.verdict import JudgingStopped, Verdict

RIGHT, WRONG = Verdict(True, "seven tiles"), Verdict(False, "too many", 5, 2)
BLANK = Attempt(at=datetime(2026, 5, 1, tzinfo=UTC), task="tiles", lesson="rules")


def judge(answer: str, stop: threading.Event, tell: Tell) -> Verdict:
    """Finds that it is seven; what is no number fails, and what is not wanted any more stops."""
    tell("counting")
    tell("counting on")
    if stop.is_set():
        raise JudgingStopped
    return RIGHT if int(answer) == 7 else WRONG


@pytest.fixture
def kept() -> list[Attempt]:
    return []


def sit(kept: list[Attempt], **options: Any) -> Sitting:
    return Sitting(Ledger(BLANK, ["Count.", "Count the squares."], kept.append, **options), judge)


def answer(sitting: Sitting, text: str) -> None:
    """Hands in, judges, hears and writes down, as a board does."""
    judging = sitting.hand_in(text)
    judging.run()
    assert sitting.hear(judging) is not None
    sitting.write_down()


class TestJudging:
    def test_goes_from_asked_to_judged(self) -> None:
        judging = Judging("7", judge)
        assert judging.state == "asked"
        assert judging.run() is RIGHT
        assert (judging.state, judging.verdict, judging.failure) == ("judged", RIGHT, None)

    def test_is_at_work_while_it_judges(self) -> None:
        states = list[str]()
        judging = Judging("7", lambda *_: states.append(judging.state) or RIGHT)
        judging.run()
        assert states == ["judging"]

    def test_can_be_stopped(self) -> None:
        judging = Judging("7", judge)
        judging.stop()
        assert judging.run() is None
        assert (judging.state, judging.failure) == ("stopped", None)

    def test_is_stopped_by_whoever_holds_its_event(self) -> None:
        stop = threading.Event()
        stop.set()
        assert Judging("7", judge, stop=stop).run() is None

    def test_keeps_what_went_wrong(self) -> None:
        judging = Judging("seven", judge)
        assert judging.run() is None
        assert judging.state == "failed"
        assert isinstance(judging.failure, ValueError)

    def test_tells_how_far_it_has_come_but_not_too_often(self) -> None:
        said = list[str]()
        Judging("7", judge, tell=said.append).run()
        assert said == ["counting"]

    def test_tells_nothing_more_when_it_was_stopped(self) -> None:
        said = list[str]()
        judging = Judging("7", judge, tell=said.append)
        judging.stop()
        judging.run()
        assert said == []


class TestSitting:
    def test_one_may_try_until_an_answer_is_judged(self, kept: list[Attempt]) -> None:
        sitting = sit(kept)
        assert sitting.stage == "trying"
        judging = sitting.hand_in("8")
        assert (sitting.stage, sitting.tried, sitting.judging) == ("checking", "8", judging)
        judging.run()
        assert sitting.hear(judging) is WRONG
        assert (sitting.stage, sitting.verdict, sitting.judging) == ("judged", WRONG, None)
        assert kept == []  # until it has been shown
        sitting.write_down()
        assert [(a.answer, a.outcome, a.loss) for a in kept] == [("8", "wrong", 2)]

    def test_what_cannot_be_judged_can_be_tried_again(self, kept: list[Attempt]) -> None:
        sitting = sit(kept)
        judging = sitting.hand_in("seven")
        judging.run()
        assert sitting.hear(judging) is None
        assert (sitting.stage, sitting.tried, kept) == ("trying", "", [])

    @pytest.mark.parametrize("end", [Sitting.drop, Sitting.retry, Sitting.show_solution])
    def test_a_judging_that_is_not_wanted_is_stopped(self, kept: list[Attempt], end: Any) -> None:
        sitting = sit(kept)
        judging = sitting.hand_in("7")
        end(sitting)
        assert judging.is_stopped
        assert sitting.judging is None

    def test_another_try_forgets_the_verdict_but_not_what_counted(self, kept: list[Attempt]) -> None:
        sitting = sit(kept)
        sitting.ledger.hint()
        answer(sitting, "8")
        sitting.retry()
        assert (sitting.stage, sitting.tried, sitting.verdict) == ("trying", "", None)
        assert (sitting.ledger.tries, sitting.ledger.hints_taken) == (1, 1)


class TestLedger:
    def test_writes_every_answer_down_until_it_is_right(self, kept: list[Attempt]) -> None:
        sitting = sit(kept)
        for text in ("8", "9", "7", "6"):
            answer(sitting, text)
        assert [(a.answer, a.outcome) for a in kept] == [("8", "wrong"), ("9", "wrong"), ("7", "right")]
        assert sitting.ledger.tries == 4
        assert {(a.task, a.lesson) for a in kept} == {("tiles", "rules")}
        assert all(a.at > BLANK.at for a in kept)

    def test_gives_hints_one_by_one_and_counts_them(self, kept: list[Attempt]) -> None:
        ledger = sit(kept).ledger
        assert [ledger.hint(), ledger.hint()] == ["Count.", "Count the squares."]
        assert (ledger.hints, ledger.hints_left) == (("Count.", "Count the squares."), 0)
        with pytest.raises(InvalidOption, match="no further"):
            ledger.hint()
        ledger.help_taken = 1
        ledger.take("7", RIGHT)
        assert [a.hints for a in kept] == [3]

    def test_notes_who_looks_at_the_solution(self, kept: list[Attempt]) -> None:
        ledger = sit(kept).ledger
        ledger.give_up()
        ledger.give_up()
        ledger.take("7", RIGHT)  # practice
        assert [(a.answer, a.outcome, a.shown, a.solved) for a in kept] == [("", "wrong", True, False)]

    @pytest.mark.parametrize(("keeps_every_look", "looks"), [(True, 1), (False, 0)])
    def test_a_look_after_a_miss_may_count_once_more(
        self, kept: list[Attempt], keeps_every_look: bool, looks: int
    ) -> None:
        ledger = sit(kept, keeps_every_look=keeps_every_look).ledger
        ledger.take("8", WRONG)
        ledger.give_up()
        assert ledger.is_decided
        assert sum(a.shown for a in kept) == looks
