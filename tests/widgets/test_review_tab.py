"""The explorer's review without a browser: in the background, as data, and the way to each mistake, in both games."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from clicking import check, tell
from waiting import wait_for

import aquakit
from aquakit import Explorer, Record
from aquakit.engine.review import Review
from aquakit.errors import InvalidOption
from aquakit.widgets.panels.review import ReviewPanel
from aquakit.widgets.panels.review_job import STRENGTHS
from aquakit.workshop import served

BAD, BEST = "b3=+@E4 xR1 *d", "d4=+@E4 x-"
ANSWER = "d2=7@Sd x-"


def play_badly(**headers: str) -> Record:
    """Plays two turns, of which the first gives a lot away."""
    record = Record(aquakit.start("romana2-5x4"), {name.replace("_", " "): value for name, value in headers.items()})
    record.root.play(BAD).play(ANSWER)
    return record


@pytest.fixture
def explorer() -> Iterator[Explorer]:
    made = Explorer(play_badly(player_1="Ada"))
    yield made
    made.close()


@pytest.fixture
def reviewed(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> Explorer:
    """Has the game reviewed by a click, well enough to be sure of the first turn."""
    monkeypatch.setitem(STRENGTHS, "quick", 0.2)
    tell(explorer, do="review", strength="quick")
    explorer.wait_for_review()
    wait_for(lambda: not explorer.reviewer["running"])
    return explorer


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Lets every review wait until it is let go or stopped, as one of a long game would."""
    go, real = threading.Event(), Review.go_on

    def wait(self: Review, *, stop: threading.Event, **options: Any) -> Review:
        while not go.wait(0.01) and not stop.is_set():
            pass
        return real(self, stop=stop, **options)

    monkeypatch.setattr(Review, "go_on", wait)
    yield go
    go.set()


# What is found


def test_a_game_without_turns_cannot_be_reviewed() -> None:
    explorer = Explorer("romana2-5x4")
    assert explorer.reviewer["refusal"] == "no turn has been played yet"
    with pytest.raises(InvalidOption, match="no turn has been played yet"):
        explorer.review()
    tell(explorer, do="review", strength="quick")
    assert "no turn has been played yet" in explorer.problem
    explorer.play(BAD)
    assert explorer.reviewer["refusal"] == ""
    assert explorer.findings is None
    explorer.edit()
    assert explorer.reviewer["refusal"]


@pytest.mark.parametrize("seconds", [0, -1, None, "1", True])
def test_only_a_time_is_a_time(explorer: Explorer, seconds: Any) -> None:
    with pytest.raises(InvalidOption, match="seconds"):
        explorer.review(seconds)


def test_the_table_says_for_each_player_how_good_the_turns_were(reviewed: Explorer) -> None:
    found = reviewed.reviewed
    assert found is not None
    assert found.is_complete
    assert reviewed.findings is not None
    head, rows = reviewed.findings["table"]["head"], reviewed.findings["table"]["rows"]
    assert head == ["", "player", "good decisions", "?!", "?", "??", "lost each"]
    assert [(row[0][0]["text"], row[1]) for row in rows] == [("R", "Ada"), ("G", "Green")]
    assert rows[0][2:6] == ["0 of 1", "0", "0", "1"]
    assert float(rows[0][6]) == pytest.approx(found.turns[0].loss, abs=0.06)
    json.dumps(reviewed.get_state())


def test_the_course_has_the_leads_before_each_turn(reviewed: Explorer) -> None:
    assert reviewed.findings is not None
    assert reviewed.reviewed is not None
    leads = reviewed.findings["course"]
    assert leads[:2] == [lead for _, lead in reviewed.reviewed.course()]
    assert leads[2] is None  # the game is not over
    assert [chip["text"] for chip in reviewed.findings["who"]] == ["R", "G"]


def test_a_mistake_is_told_in_words_with_the_better_turn_and_the_reasons(reviewed: Explorer) -> None:
    assert reviewed.findings is not None
    mistake = reviewed.findings["mistakes"][0]
    assert (mistake["number"], mistake["sign"], mistake["mark"]) == (1, "??", "blunder")
    assert mistake["lost"].endswith(" points lost")
    played, better = mistake["played"], mistake["better"]
    assert (played["turn"], better["turn"]) == (BAD, BEST)
    assert [part["words"] for part in played["told"]][:3] == ["bridge", "on b3", "by the builder on E4"]
    assert "Closes R1 at length 1: podium 1, 1 point." in played["why"]
    assert not set(played["why"]) & set(better["why"])


def test_a_mistake_leads_to_its_moment_and_the_better_turn_is_marked(reviewed: Explorer) -> None:
    reviewed.go(reviewed.record.root.main()[-1])
    assert reviewed.mistake_here is None
    before = reviewed.picture
    tell(reviewed, do="to_mistake", index=0)
    assert reviewed.node is reviewed.record.root
    assert (reviewed.mistake_here, reviewed.mistake_shown) == (0, 0)
    places, arrows = reviewed._marked()
    assert places["d4"] == "!"
    assert ("E4", "d4") in arrows
    assert reviewed.picture != before
    reviewed.mistake_shown = None
    assert "d4" not in reviewed._marked()[0]
    reviewed.mistake_shown = 0
    reviewed.play(ANSWER.replace("d2=7@Sd", "d4=+@E4"))
    assert "!" not in reviewed._marked()[0].values()  # it belongs to the moment before
    check(reviewed)


def test_the_course_leads_to_every_turn(reviewed: Explorer) -> None:
    for turn in (2, 0, 1):
        tell(reviewed, do="to_reviewed", index=turn)
        assert reviewed.node.number == turn
    tell(reviewed, do="to_reviewed", index=3)
    assert "turn: 3" in reviewed.problem


def test_python_goes_to_mistakes_by_their_number(reviewed: Explorer) -> None:
    reviewed.show_mistake(1)
    assert reviewed.mistake_here == 0
    with pytest.raises(InvalidOption, match="mistake"):
        reviewed.show_mistake(0)
    with pytest.raises(InvalidOption, match="mistake"):
        reviewed.show_mistake(99)


def test_a_decision_after_the_roll_is_gone_to_inside_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aquakit.engine.review.judge", lambda *_: "mistake")  # so that every moment can be gone to
    record = Record(aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"]))
    actions, moment = ["roll"], record.start.act("roll")
    while moment.played:
        actions.append(str(moment.actions()[0]))
        moment = moment.act(actions[-1])
    record.root.play(", ".join(actions))
    explorer = Explorer(record)
    explorer.review(0.05)
    found = explorer.wait_for_review()
    assert found is not None
    inside = [place for place, judged in enumerate(found.turns, start=1) if found.moment(judged).played]
    assert inside
    for place in inside:
        explorer.show_mistake(place)
        assert explorer.position.view() == found.moment(found.turns[place - 1])
        assert explorer.position.die is not None
        assert explorer.mistake_here == place - 1
    check(explorer)
    explorer.close()


# In the background


def test_the_board_can_be_played_on_meanwhile(explorer: Explorer, waiting: threading.Event) -> None:
    explorer.review(0.05)
    assert explorer.reviewer["running"]
    assert explorer.reviewer["status"] == "turn 1 of 2"
    explorer.go(explorer.record.root.main()[-1])
    explorer.play(next(iter(explorer.position.turns())))
    waiting.set()
    found = explorer.wait_for_review()
    assert found is not None
    assert len(found.turns) == 2  # the game as it was when the review began
    wait_for(lambda: explorer.reviewer["done"] == 2)
    check(explorer)


def test_progress_is_told_turn_by_turn(explorer: Explorer) -> None:
    told: list[Any] = []
    explorer.observe(lambda change: told.append(change["new"]["status"]), "reviewer")
    explorer.review(0.05)
    explorer.wait_for_review()
    wait_for(lambda: not explorer.reviewer["running"])
    assert told[:2] == ["turn 1 of 2", "turn 2 of 2"]


def test_a_review_is_stopped_and_keeps_what_it_has(explorer: Explorer, waiting: threading.Event) -> None:
    explorer.review(60)
    tell(explorer, do="stop_review")
    assert explorer.reviewer["stopping"] or not explorer.reviewer["running"]
    found = explorer.wait_for_review()
    assert found is not None
    assert not found.is_complete
    wait_for(lambda: explorer.reviewer["status"] == "Stopped.")
    assert explorer.reviewer["problem"] == ""


def test_a_running_search_ends_when_it_is_stopped(explorer: Explorer) -> None:
    explorer.review(10_000)
    explorer.stop_review()
    found = explorer.wait_for_review()
    assert found is not None
    assert not found.is_complete


def test_with_another_game_the_review_goes(reviewed: Explorer) -> None:
    reviewed.show_mistake(1)
    reviewed.load(play_badly())
    assert (reviewed.reviewed, reviewed.findings, reviewed.mistake_shown) == (None, None, None)
    assert reviewed.reviewer["status"] == ""


@pytest.mark.parametrize("leave", ["load", "new position", "restore", "clear"])
def test_what_another_game_interrupts_is_not_heard(explorer: Explorer, waiting: threading.Event, leave: str) -> None:
    explorer.load(play_badly())
    explorer.review(0.05)
    job = explorer.beside(ReviewPanel).job
    assert job is not None
    if leave == "load":
        explorer.load(play_badly())
    elif leave == "new position":
        explorer.position = "aquadukt2-6x5"
    elif leave == "restore":
        explorer.restore()
    else:
        explorer.clear_review()
    assert job.is_stopping
    assert explorer.reviewed is None
    job.wait(60)
    assert explorer.findings is None


def test_going_through_the_game_keeps_the_review(reviewed: Explorer) -> None:
    found = reviewed.reviewed
    reviewed.go(reviewed.record.root)
    reviewed.play("b3=L@Nb x-")
    reviewed.undo()
    assert reviewed.reviewed is found


def test_a_mistake_whose_turns_are_deleted_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    record = play_badly()
    explorer = Explorer(record)
    explorer.review(0.05)
    explorer.wait_for_review()
    explorer.delete(record.root.children[0])
    tell(explorer, do="to_reviewed", index=2)
    assert "has been deleted from the game" in explorer.problem
    explorer.close()


def test_what_goes_wrong_is_said_in_a_line(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Review, **_: Any) -> Review:
        raise RuntimeError("<b>out of\nmemory</b>")

    monkeypatch.setattr(Review, "go_on", fail)
    explorer.review(0.05)
    explorer.wait_for_review()
    wait_for(lambda: not explorer.reviewer["running"])
    assert explorer.reviewer["problem"] == "RuntimeError: <b>out of memory</b>"


def test_on_a_served_page_a_review_has_an_end(
    explorer: Explorer, waiting: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(served.SERVED, "1")
    monkeypatch.setattr(served, "PATIENCE", 0.05)
    explorer.review(0.05)
    explorer.wait_for_review()  # nobody stops it
    wait_for(lambda: not explorer.reviewer["running"])
    assert explorer.reviewer["status"] == "Stopped."
