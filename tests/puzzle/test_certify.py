"""Puzzles are proved again from their positions alone; whatever is different in a file is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_puzzles import ASKED, small_set

from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.making.certify import (
    NOTED,
    Task,
    check,
    check_all,
    compare,
    find_files,
    list_tasks,
    note_witnesses,
)
from aquakit.puzzle.model import Answer, PuzzleError, PuzzleSet


def differences(kind: str, puzzle: dict[str, Any] | None = None, answer: dict[str, Any] | None = None) -> list[str]:
    """Proves the small puzzle of a kind again after some of its fields were changed, and tells what is different."""
    made = small_set(kind)
    task = Task(
        "small.toml",
        made[0].model_copy(update=puzzle or {}),
        made.answer(made[0]).model_copy(update=answer or {}),
    )
    return [str(difference) for difference in check(task).differences]


@pytest.mark.parametrize("kind", ASKED)
def test_what_was_proved_is_proved_again(kind: str) -> None:
    assert differences(kind) == []


@pytest.mark.parametrize("kind", ASKED)
def test_a_value_changed_by_one_digit_is_named(kind: str) -> None:
    value = small_set(kind)[0].value
    assert differences(kind, {"value": value + 1}) == [
        f"small.toml: small-{kind}: value: is {value + 1}, but {value} is proved"
    ]


@pytest.mark.parametrize("kind", ASKED)
def test_an_accepted_answer_that_was_removed_is_named(kind: str) -> None:
    accepted = small_set(kind).answers[f"small-{kind}"].accepted
    said = differences(kind, answer={"accepted": accepted[1:]})
    assert said == [f"small.toml: small-{kind}: accepted: {accepted[0]!r} is missing"]


@pytest.mark.parametrize("kind", ASKED)
def test_an_accepted_answer_that_was_added_is_named(kind: str) -> None:
    accepted = small_set(kind).answers[f"small-{kind}"].accepted
    said = differences(kind, answer={"accepted": (*accepted, "xR1")})
    assert said == [f"small.toml: small-{kind}: accepted: 'xR1' is not among the proved answers"]


def test_an_accepted_answer_that_stands_twice_is_named() -> None:
    accepted = small_set("duel").answers["small-duel"].accepted
    said = differences("duel", answer={"accepted": (*accepted, accepted[0])})
    assert said == [f"small.toml: small-duel: accepted: {accepted[0]!r} stands twice"]


@pytest.mark.parametrize(("margin", "said"), [(2, "is 2, but 1 is proved"), (None, "is missing, but 1 is proved")])
def test_another_margin_is_named(margin: int | None, said: str) -> None:
    assert differences("plan", answer={"margin": margin}) == [f"small.toml: small-plan: margin: {said}"]


def test_a_line_that_is_not_legal_is_named() -> None:
    line = small_set("plan").answers["small-plan"].line
    (said,) = differences("plan", answer={"line": line.replace("d3=L", "d3=F")})
    assert said.startswith("small.toml: small-plan: line: ")


def test_a_line_that_does_not_reach_the_value_is_named() -> None:
    said = differences("plan", answer={"line": "+jW4 d3=L@W4 e2=+ x- / e3=L@W3 x-"})
    assert [text.split(": ")[2] for text in said] == ["line"]


def test_a_line_that_reaches_the_value_by_a_weak_reply_is_named() -> None:
    line = "+jW4 d3=L@W4 b2=N x- / +dW1 a2=+@Sa e2=+ x- / e3=N@W3 c3=N"
    said = differences("duel", answer={"line": line})
    assert said == ["small.toml: small-duel: line: does not begin with an accepted answer"]


def test_themes_that_are_not_there_and_themes_that_are_missing_are_named() -> None:
    themes = small_set("endgame")[0].themes
    said = differences("endgame", {"themes": ("zugzwang", *themes[1:])})
    assert said == [
        f"small.toml: small-endgame: themes: {themes[0]!r} is missing",
        "small.toml: small-endgame: themes: 'zugzwang' is not there",
    ]


def test_what_cannot_be_proved_is_named() -> None:
    assert differences("endgame", {"horizon": 2}) == [
        "small.toml: small-endgame: proof: horizon: 2; expected 0, for the game is played to its end"
    ]


def test_a_puzzle_that_breaks_the_check_is_named_and_hides_no_other() -> None:
    said = differences("duel", {"value": 7}, {"line": None})
    assert said[0] == "small.toml: small-duel: value: is 7, but 6 is proved"
    assert said[1].startswith("small.toml: small-duel: check: AttributeError: ")


def test_another_line_that_is_as_good_is_no_difference() -> None:
    puzzle, answer = small_set("plan")[0], small_set("plan").answers["small-plan"]
    other = {"e2=|": "e2=+", "e2=+": "e2=|"}
    tile = next(tile for tile in other if tile in answer.line)
    line = answer.line.replace(tile, other[tile])
    found = compare(puzzle, answer.model_copy(update={"line": line}), find_kind("plan").prove(puzzle))
    assert [field for field, _ in found if field != "themes"] == []


# Witnesses


def noted(answer: Answer, method: str) -> dict[str, Any]:
    return {"proof": answer.proof.model_copy(update={"method": method})}


@pytest.mark.parametrize("kind", ["plan", "timing", "longest", "canals"])
def test_two_methods_prove_what_they_can(kind: str) -> None:
    assert len(small_set(kind).answers[f"small-{kind}"].proof.witnesses) == find_kind(kind).witnesses == 2


def test_a_witness_who_is_missed_is_named() -> None:
    answer = small_set("endgame").answers["small-endgame"]
    assert differences("endgame", answer=noted(answer, "exhaustive+cpsat")) == [
        "small.toml: small-endgame: proof: is exhaustive+cpsat, but exhaustive is all that was found in time"
    ]


def test_a_witness_more_is_no_difference() -> None:
    assert differences("longest", answer=noted(small_set("longest").answers["small-longest"], "cpsat")) == []


def test_second_witnesses_are_noted_and_nothing_else_is_written(tmp_path: Path) -> None:
    known = small_set("longest", "timing", "endgame")
    before = {"small-longest": "cpsat", "small-timing": "exhaustive", "small-endgame": "exhaustive"}
    answers = {
        name: known.answers[name].model_copy(update=noted(known.answers[name], method))
        for name, method in before.items()
    }
    changed = answers["small-timing"].model_copy(update={"margin": 7})
    pairs = [(puzzle, {**answers, "small-timing": changed}[puzzle.id]) for puzzle in known.puzzles]
    path = tmp_path / "small.toml"
    PuzzleSet.make("small", "Small puzzles", "Proved in no time.", pairs).save(path)
    text = path.read_text()
    checked = [check(task) for task in list_tasks([path])]
    assert list(note_witnesses(checked)) == [(path, 1)], "one is different, and one has no second method"
    assert path.read_text() == text.replace('method = "cpsat"', 'method = "exhaustive+cpsat"')
    assert list(note_witnesses(check(task) for task in list_tasks([path]))) == []


def test_a_second_witness_who_takes_long_is_not_noted(tmp_path: Path) -> None:
    known, path = small_set("longest"), tmp_path / "small.toml"
    answer = known.answers["small-longest"]
    alone = answer.model_copy(update=noted(answer, "cpsat"))
    PuzzleSet.make("small", "Small", "One.", [(known[0], alone)]).save(path)
    (checked,) = (check(task) for task in list_tasks([path]))
    assert checked.proof == answer.proof
    assert list(note_witnesses([checked.model_copy(update={"seconds": NOTED + 1})])) == []
    assert list(note_witnesses([checked])) == [(path, 1)]


# Files and folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    duels, endgames = small_set("duel"), small_set("endgame")
    tagged = endgames[0].model_copy(update={"tags": ("sample",)})
    duels.save(tmp_path / "duels.toml")
    PuzzleSet.make("endgames", "Endgames", "The end.", [(tagged, endgames.answer(tagged))]).save(tmp_path / "ends.toml")
    return tmp_path


def names(tasks: list[Task]) -> list[str]:
    return [task.puzzle.id for task in tasks]


def test_files_and_folders_are_searched_for_puzzles(folder: Path) -> None:
    assert names(list_tasks([folder])) == ["small-duel", "small-endgame"]
    assert names(list_tasks([folder / "ends.toml"])) == ["small-endgame"]
    assert [path.name for path in find_files([folder / "ends.toml", folder])] == ["ends.toml", "duels.toml"]


def test_some_puzzles_are_chosen_by_id_or_tag(folder: Path) -> None:
    assert names(list_tasks([folder], only=["small-duel"])) == ["small-duel"]
    assert names(list_tasks([folder], tags=["sample"])) == ["small-endgame"]
    assert names(list_tasks([folder], only=["small-duel"], tags=["sample"])) == ["small-duel", "small-endgame"]


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"only": ["small-quiz"]}, "only: there is no puzzle 'small-quiz'"),
        ({"tags": ["hard"]}, "tag: no puzzle has hard"),
    ],
)
def test_a_choice_of_nothing_is_an_error(folder: Path, chosen: dict[str, list[str]], problem: str) -> None:
    with pytest.raises(PuzzleError, match=problem):
        list_tasks([folder], **chosen)


def test_one_id_in_two_files_is_an_error(folder: Path) -> None:
    small_set("duel").save(folder / "more.toml")
    with pytest.raises(PuzzleError, match=r"more\.toml: small-duel: id: stands in .*duels\.toml too"):
        list_tasks([folder])


def test_a_folder_without_puzzles_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="holds no"):
        find_files([tmp_path])


def test_puzzles_are_proved_side_by_side(folder: Path) -> None:
    found = list(check_all(list_tasks([folder])))
    assert sorted(checked.puzzle for checked in found) == ["small-duel", "small-endgame"]
    assert [checked.differences for checked in found] == [(), ()]
