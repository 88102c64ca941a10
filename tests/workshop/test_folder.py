"""The workshop's folder: clean lessons, whole or not at all; and the leader's own exercises in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aquakit.errors import InvalidOption
from aquakit.workshop import exercise, people
from aquakit.workshop.checks import ExerciseError
from aquakit.workshop.collection import home
from aquakit.workshop.folder import clean, start


def cell(kind: str, source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"name": "python3"}, "widgets": {"state": "much"}},
    "cells": [
        cell("markdown", "See [next](02-b.ipynb), [docs](../docs/x.md#y), [web](https://a.b), [data](data/x.txt)."),
        cell("code", "1 + 1", outputs=[{"output_type": "stream"}], execution_count=7),
    ],
}


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """Gives a folder of lessons."""
    made = tmp_path / "lessons"
    (made / "data").mkdir(parents=True)
    (made / "data" / "x.txt").write_text("x")
    for name in ("01-a.ipynb", "02-b.ipynb", "14-leader.ipynb"):
        (made / name).write_text(json.dumps(NOTEBOOK))
    (made / "lab.json").write_text("{}")
    (made / "results-Eve.jsonl").write_text("")
    return made


def test_lessons_are_copied_without_what_earlier_runs_left(lessons: Path, tmp_path: Path) -> None:
    made = tmp_path / "evening"
    assert start(made, lessons) == ["01-a.ipynb", "02-b.ipynb"]
    assert sorted(path.name for path in made.iterdir()) == ["01-a.ipynb", "02-b.ipynb", "data", "workshop.toml"]
    copy = json.loads((made / "01-a.ipynb").read_text("utf-8"))
    assert (copy["cells"][1]["outputs"], copy["cells"][1]["execution_count"]) == ([], None)
    assert copy["metadata"] == {"kernelspec": {"name": "python3"}}
    assert "".join(copy["cells"][0]["source"]) == (
        "See [next](02-b.ipynb), docs, [web](https://a.b), [data](data/x.txt)."
    )


def test_the_lessons_of_the_kit_are_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = start(tmp_path / "evening")
    assert names[0] == "01-welcome.ipynb"
    assert not any("leader" in name for name in names)
    for name in names:
        notebook = json.loads((tmp_path / "evening" / name).read_text("utf-8"))
        assert not any(cell.get("outputs") for cell in notebook["cells"])
    monkeypatch.chdir(tmp_path / "evening")
    assert people.find_folder() == tmp_path / "evening"


def test_a_folder_that_is_there_is_not_touched(lessons: Path, tmp_path: Path) -> None:
    made = tmp_path / "evening"
    made.mkdir()
    start(made, lessons)  # it was empty
    before = sorted(made.rglob("*"))
    with pytest.raises(InvalidOption, match="is there already"):
        start(made, lessons)
    assert sorted(made.rglob("*")) == before


def test_a_folder_is_never_left_half_made(lessons: Path, tmp_path: Path) -> None:
    (lessons / "03-broken.ipynb").write_text("{")
    with pytest.raises(ValueError, match="Expecting"):
        start(tmp_path / "evening", lessons)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "lessons"]


def test_cleaning_changes_nothing_else() -> None:
    once = clean(NOTEBOOK, set())
    assert clean(once, set()) == {**once}
    assert [c["cell_type"] for c in once["cells"]] == ["markdown", "code"]


def test_an_installation_without_lessons_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidOption, match="there are none"):
        start(tmp_path / "evening", tmp_path / "empty")


# The leader's own exercises


def own(club: Path, text: str, name: str = "mine") -> None:
    (club / "exercises").mkdir(exist_ok=True)
    (club / "exercises" / f"{name}.toml").write_text(text, "utf-8")


def rules(**changes: str) -> str:
    text = (home() / "rules.toml").read_text("utf-8")
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def test_a_leaders_exercises_are_found_in_the_workshops_folder(club: Path) -> None:
    own(club, rules().replace("rules-", "mine-").replace('name = "rules"', 'name = "mine"'))
    assert exercise("mine-tiles").answer(7).right
    assert exercise("rules-tiles").title == "How long is it?"


def test_a_lesson_of_the_same_name_stands_for_that_of_the_kit(club: Path) -> None:
    own(club, rules().replace("How long is it?", "How long?"), "rules")
    assert exercise("rules-tiles").title == "How long?"


def test_a_name_in_two_lessons_is_an_error(club: Path) -> None:
    own(club, rules().replace('name = "rules"', 'name = "mine"'))
    with pytest.raises(ExerciseError, match="stands in the lessons rules and mine"):
        exercise("rules-tiles")


def test_a_broken_file_hides_no_other_but_is_named_where_it_matters(club: Path) -> None:
    own(club, "schema = 1")
    assert exercise("rules-tiles")
    with pytest.raises(ExerciseError, match=r"mine\.toml"):
        exercise("mine-tiles")


def test_an_exercise_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(ExerciseError, match="there is no exercise 'nowhere'"):
        exercise("nowhere")
    with pytest.raises(ExerciseError, match="there is no lesson 'nowhere'"):
        exercise("rules-tiles", "nowhere")
