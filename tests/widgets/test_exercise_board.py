"""Exercises on a board, without a browser: answers of every type, verdicts, hints, names, and what stays secret."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clicking import ids, tell

from aquakit.errors import InvalidOption, InvalidTurn
from aquakit.training.result_file import ResultFile
from aquakit.widgets.exercise import ExerciseBoard
from aquakit.workshop import exercise, people
from aquakit.workshop.collection import exercises, load_lesson

Ask = Callable[[str], ExerciseBoard]


@pytest.fixture(autouse=True)
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Works in a workshop's folder, and has said no name yet."""
    monkeypatch.delenv("AQUAKIT_PERSON", raising=False)
    (tmp_path / people.MARK).write_text("")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    people._waiting.clear()
    people.leave()


@pytest.fixture
def ask() -> Iterator[Ask]:
    """Asks exercises, and closes them."""
    made: list[ExerciseBoard] = []

    def show(name: str) -> ExerciseBoard:
        made.append(exercise(name).ask())
        return made[-1]

    yield show
    for board in made:
        board.close()


def answer(board: ExerciseBoard, text: str) -> dict[str, str]:
    """Answers in the form, waits for the verdict and gets what is shown of it."""
    tell(board, do="answer", text=text)
    board.wait()
    verdict: dict[str, str] = board.task["verdict"]
    return verdict


def click(board: ExerciseBoard, *choices: str) -> dict[str, str] | None:
    """Clicks on choices; gets the verdict, if there is one."""
    for choice in choices:
        assert choice in ids(board)
        tell(board, do="choose", id=choice)
    board.wait()
    verdict: dict[str, str] | None = board.task["verdict"]
    return verdict


def kept(folder: Path, person: str = "Ada") -> list[tuple[str, str, str, int]]:
    attempts, damages = ResultFile(folder / people.name_file(person)).read()
    assert not damages
    return [(a.task, a.answer, "shown" if a.shown else a.outcome, a.hints) for a in attempts]


# Answers


def test_a_number_is_entered_and_judged(ask: Ask, club: Path) -> None:
    board = ask("rules-tiles")
    people.join("Ada")
    assert board.offer["prompt"] == "Enter a number"
    assert answer(board, "6") == {
        "outcome": "wrong",
        "head": "Not right",
        "words": "6 is too small. A square that is passed twice counts twice.",
    }
    tell(board, do="hint")
    tell(board, do="retry")
    assert answer(board, "7")["outcome"] == "right"
    assert kept(club) == [("rules-tiles", "6", "wrong", 0), ("rules-tiles", "7", "right", 1)]


def test_an_option_is_chosen_as_it_is_shown(ask: Ask) -> None:
    board = ask("rules-legal")
    shown = board.task["form"]["options"]
    assert board.offer["prompt"] == "Choose one of the answers"
    assert shown[0] == "a bridge on g3, with the bridge builder on E5"
    assert "G1 does not see E5" in answer(board, shown[0])["words"]
    assert board.task["form"]["tried"] == shown[0]
    tell(board, do="retry")
    assert answer(board, shown[3])["outcome"] == "right"


def test_a_turn_is_played_on_the_board(ask: Ask) -> None:
    board = ask("graph-stroke")
    verdict = click(board, "R3", "W5", "d4=J@W5", "x-")
    assert verdict is not None
    assert verdict["outcome"] == "right"
    assert board.position.aqueducts[2].length == 6
    assert board.offer["choices"] == []
    assert board.offer["prompt"] == "Your answer: right"


def test_a_wrong_turn_is_answered_with_the_reason_and_can_be_tried_again(ask: Ask) -> None:
    board = ask("graph-stroke")
    verdict = click(board, "R3", "Nd", "d4=+@Nd", "x-")
    assert verdict is not None
    assert verdict["words"].startswith("R3 passes d5, d4: length 2.")
    with pytest.raises(InvalidTurn, match="this try is over"):
        board.choose("R3")
    board.retry()
    assert board.position == board.exercise.question.start
    assert "R3" in ids(board)


def test_picks_of_a_rival_are_made_for_whoever_answers(ask: Ask) -> None:
    board = ask("podium-3")
    board.play("g3=+@E2 a2=+ xG1 *c")
    board.wait(120)
    assert board.task["verdict"]["outcome"] == "right"


def test_gaps_are_filled_one_after_the_other(ask: Ask) -> None:
    board = ask("graph-complete")
    assert ids(board) == ["d4", "c3"]
    assert click(board, "c3", "c3=|") is None
    assert [mark["on"] for mark in board.task["marks"]] == ["c3"]
    tell(board, do="back")
    assert board.task["marks"] == []
    click(board, "c3", "c3=|")
    verdict = click(board, "d4=J")  # the only gap left need not be picked
    assert verdict is not None
    assert verdict["outcome"] == "right"
    assert board.position.tiles["c3"] == "|"


def test_a_filling_that_the_rules_forbid_stays_visible(ask: Ask) -> None:
    board = ask("rules-complete")
    verdict = click(board, "e4=L")  # closed towards G2
    assert verdict is not None
    assert verdict["outcome"] == "wrong"


def test_one_of_several_gaps_is_enough(ask: Ask) -> None:
    board = ask("sight-where")
    verdict = click(board, "E5", "E5=d")
    assert verdict is not None
    assert verdict["outcome"] == "right"
    assert board.position.builders["E5"] == "d"


def test_canals_are_chosen_by_buttons(ask: Ask) -> None:
    board = ask("water-complete")
    click(board, "3.2v")
    assert {choice["look"] for choice in board.offer["choices"]} == {"button"}
    verdict = click(board, "3.2v=double")
    assert verdict is not None
    assert verdict["outcome"] == "right"


def test_what_cannot_be_an_answer_is_said_and_does_not_count(ask: Ask, club: Path) -> None:
    people.join("Ada")
    board = ask("rules-tiles")
    tell(board, do="answer", text="many")
    assert "a whole number" in board.problem
    assert board.task["stage"] == "trying"
    assert not list(club.glob("results-*"))


def test_an_answer_can_be_begun_again(ask: Ask) -> None:
    board = ask("graph-stroke")
    click(board, "R3", "Nd", "d4=+@Nd")
    assert board.can_undo
    tell(board, do="undo")
    assert board.position == board.exercise.question.start
    click(board, "R3")
    tell(board, do="back")
    assert board.picked == []
    tell(board, do="back")
    assert board.problem == ""


def test_the_position_is_the_exercises(ask: Ask) -> None:
    board = ask("rules-tiles")
    with pytest.raises(InvalidOption, match="is the exercise's"):
        board.position = "romana4"


# Hints and solutions


def test_hints_come_one_at_a_time(ask: Ask) -> None:
    board = ask("rules-tiles")
    all_hints = board.exercise.question.hints
    for number in range(len(all_hints)):
        assert board.task["hints"] == list(all_hints[:number])
        tell(board, do="hint")
    assert board.task["hints_left"] == 0
    tell(board, do="hint")
    assert "there is no further one" in board.problem


@pytest.mark.parametrize("name", ["rules-tiles", "rules-legal", "graph-stroke", "graph-complete", "water-complete"])
def test_the_answer_is_shown_on_demand_and_on_the_board(ask: Ask, club: Path, name: str) -> None:
    people.join("Ada")
    board = ask(name)
    tell(board, do="solution")
    key = board.exercise.lesson.answers[name]
    assert board.task["solution"]["because"] == key.because
    assert kept(club) == [(name, "", "shown", 0)]
    if board.exercise.question.type in ("turn", "position"):
        assert board.position != board.exercise.question.start
    tell(board, do="retry")
    assert board.task["solution"] is None
    assert board.position == board.exercise.question.start


# Secrets

LESSONS = ("rules", "graph", "sight", "closing", "plan", "aquadukt")


@pytest.mark.parametrize("name", [name for lesson in LESSONS for name in exercises(lesson)])
def test_the_page_holds_no_answer_before_it_is_asked_for(ask: Ask, name: str) -> None:
    board = ask(name)
    page = json.dumps({k: v for k, v in board.get_state().items() if not k.startswith("_")}, ensure_ascii=False)
    question, key = board.exercise.question, board.exercise.lesson.answers[name]
    secrets = [key.because, *key.wrong.values(), *question.hints]
    assert [secret for secret in secrets if secret in page] == []
    assert "check" not in board.task
    assert "given" not in board.task


# Who answers


def test_everybody_on_the_page_hears_who_answers(ask: Ask, club: Path) -> None:
    first, second = ask("rules-tiles"), ask("rules-podium")
    assert (first.task["person"], second.task["person"]) == (None, None)
    answer(first, "7")
    tell(second, do="join", name="Ada")
    assert (first.task["person"], second.task["kept"]) == ("Ada", "results-Ada.jsonl")
    assert kept(club) == [("rules-tiles", "7", "right", 0)]
    tell(first, do="leave")
    assert second.task["person"] is None


def test_a_bad_name_is_said_on_the_board(ask: Ask) -> None:
    board = ask("rules-tiles")
    tell(board, do="join", name=" ")
    assert "a name of at most" in board.problem
    assert people.who() is None


def test_what_cannot_be_written_down_is_said_on_the_board(ask: Ask, club: Path) -> None:
    people.join("Ada")
    (club / "results-Ada.jsonl").mkdir()
    board = ask("rules-tiles")
    answer(board, "7")
    assert "cannot be written" in board.problem


# Without a browser


def test_where_nothing_can_be_written_exercises_are_judged_all_the_same(
    ask: Ask, club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (club / people.MARK).unlink()
    monkeypatch.setenv("AQUAKIT_DATA", str(club / "a file" / "below"))
    (club / "a file").write_text("mine")
    board = ask("podium-1")
    assert board.problem == ""
    assert answer(board, "0")["outcome"] == "wrong"
    assert "cannot be written" in board.problem
    tell(board, do="join", name="Ada")
    assert board.task["person"] == "Ada"


def test_who_joins_is_known_even_if_nothing_can_be_written(ask: Ask, club: Path) -> None:
    board = ask("podium-1")
    answer(board, "0")
    (club / "results-Ada.jsonl").mkdir()
    tell(board, do="join", name="Ada")
    assert "cannot be written" in board.problem
    assert board.task["person"] == "Ada"
    (club / "results-Ada.jsonl").rmdir()
    tell(board, do="join", name="Ada")
    assert board.problem == ""
    assert [row[0] for row in kept(club)] == ["podium-1"]


def test_a_notebook_without_a_kernel_shows_question_and_board(ask: Ask) -> None:
    data, _ = ask("rules-legal")._repr_mimebundle_()
    assert data["text/plain"].startswith("Which of these is allowed?: Green is to move.")
    assert "- a curve on d4, with the curve builder on W4" in data["text/plain"]
    assert "<svg" in data["image/svg+xml"]


def test_options_of_a_board_are_taken() -> None:
    board = exercise("rules-tiles").ask(size=400, theme="dark")
    assert (board.size, board.theme) == (400, "dark")
    board.close()


def test_every_lesson_can_be_asked() -> None:
    for lesson in LESSONS:
        assert len(load_lesson(lesson)) >= 4
