"""*Best turn?* without a browser: asked in the background, told in words, marked on the board, in both games."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from clicking import check, tell, turns
from waiting import wait_for

import aquakit
from aquakit import Explorer
from aquakit.engine.analysis import Analysis
from aquakit.errors import InvalidOption
from aquakit.widgets.panels import advice
from aquakit.widgets.panels.advice import AdvicePanel

BEST = "d4=+@E4 x-"
LAST = "romana2-5x4 F##+7/.|.../.J.FZ/L+##J ..cs./.b.d/..c.s/.bd. dj -,- *.*,*.* 2.3.1.2 1 0"


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Lets every search wait until it is let go."""
    go, real = threading.Event(), Analysis.run

    def wait(self: Analysis, **options: Any) -> Analysis:
        go.wait(60)
        return real(self, **options)

    monkeypatch.setattr(Analysis, "run", wait)
    yield go
    go.set()


def advise(position: Any, seconds: float = 0.5) -> Explorer:
    """Has the best turn of a position found."""
    explorer = Explorer(position)
    explorer.advise(seconds)
    explorer.wait_for_advice()
    wait_for(lambda: not explorer.adviser["running"])
    return explorer


def test_a_click_finds_the_best_turn_and_tells_it_in_words() -> None:
    explorer = Explorer("romana2-5x4")
    tell(explorer, do="advise")
    assert explorer.adviser["running"]
    explorer.wait_for_advice()
    wait_for(lambda: not explorer.adviser["running"])
    answer = explorer.adviser["answer"]
    assert answer["turn"] == BEST
    assert [part["words"] for part in answer["told"]][:2] == ["bridge", "on d4"]
    assert answer["sure"].startswith("Expected lead +")
    assert "±" in answer["sure"]
    assert "Lengthens R2 by 2, to 2, with 1 segment of loose path: podium 2 if closed now." in answer["why"]
    assert any(reason.startswith("Expected reply of Green: ") and "=" not in reason for reason in answer["why"])
    json.dumps(explorer.get_state())


def test_it_is_marked_on_the_board_until_another_position_stands_there() -> None:
    explorer = advise("romana2-5x4")
    places, arrows = explorer._marked()
    assert places["d4"] == "!"
    assert ("E4", "d4") in arrows
    tell(explorer, do="play_best")
    assert turns(explorer) == [BEST]
    assert explorer.advised is None
    assert explorer.adviser["answer"] is None
    assert explorer._marked()[0] == {}
    check(explorer)


def test_it_can_be_taken_from_the_board() -> None:
    explorer = advise("romana2-5x4")
    assert explorer.advised is not None
    tell(explorer, do="clear_advice")
    assert explorer.advised is None
    assert explorer._marked()[0] == {}


def test_near_the_end_it_is_proved_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "PROVING", 0.99)  # a busy machine may need longer
    explorer = advise(aquakit.parse(LAST), 60)
    solved = aquakit.solve(aquakit.parse(LAST), seconds=60)
    assert solved.proved
    answer = explorer.adviser["answer"]
    assert answer["turn"] in {str(turn) for turn in solved.turns}
    assert answer["sure"] == "No turn is better. Lead -1 with best play of both, proved."


def test_dice_are_no_trouble() -> None:
    explorer = advise(aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]), 0.3)
    assert explorer.adviser["problem"] == ""
    assert explorer.adviser["answer"]["told"]
    rolled = advise(aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]).act("roll").act("die 2"), 0.3)
    assert rolled.adviser["answer"]["told"]
    check(rolled)


def test_where_nobody_decides_there_is_no_best_turn() -> None:
    explorer = Explorer(aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]).act("roll"))
    assert explorer.adviser["refusal"] == "the die decides"
    tell(explorer, do="advise")
    assert "the die decides" in explorer.problem
    with pytest.raises(InvalidOption, match="the die decides"):
        explorer.advise()
    explorer.position = "romana2-5x4"
    assert explorer.adviser["refusal"] == ""
    explorer.edit()
    assert explorer.adviser["refusal"]
    with pytest.raises(InvalidOption, match="seconds"):
        explorer.advise(0)


def test_what_comes_after_the_board_has_moved_on_is_not_heard(waiting: threading.Event) -> None:
    explorer = Explorer("romana2-5x4")
    explorer.advise(0.2)
    job = explorer.beside(AdvicePanel).job
    assert job is not None
    explorer.play("b3=+@E4 x-")
    assert job.is_stopping
    waiting.set()
    job.wait(60)
    assert (explorer.advised, explorer.adviser["answer"]) == (None, None)
    assert explorer._marked()[0] == {}


def test_what_goes_wrong_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Analysis, **_: Any) -> Analysis:
        raise RuntimeError("out of\nmemory")

    monkeypatch.setattr(Analysis, "run", fail)
    explorer = advise("romana2-5x4")
    assert explorer.adviser["problem"] == "RuntimeError: out of memory"
