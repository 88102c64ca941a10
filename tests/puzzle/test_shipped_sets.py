"""The puzzles that come with the kit are what their files say; all of them are proved by `aquakit puzzle check`."""

from __future__ import annotations

import json

import pytest

from aquakit import cli
from aquakit.games import layout_names
from aquakit.puzzle.certify import check, list_tasks
from aquakit.puzzle.collection import all_puzzles, home, set_names
from aquakit.puzzle.kinds import find_kind

SAMPLE = "sample"


def test_every_set_is_named_like_its_file() -> None:
    assert "first-steps" in set_names()
    assert {made.name for made in all_puzzles()} == set(set_names())


def test_a_sample_is_proved_again() -> None:
    tasks = list_tasks([home()], tags=[SAMPLE])
    assert len(tasks) >= 6
    assert [str(difference) for task in tasks for difference in check(task).differences] == []


def test_every_puzzle_asks_in_words_and_says_why() -> None:
    for made in all_puzzles():
        for puzzle in made.puzzles:
            assert find_kind(puzzle.kind).goal(puzzle)
            answer = made.answer(puzzle)
            assert answer.margin
            assert answer.explanation


def test_no_two_puzzles_of_a_set_have_the_same_title() -> None:
    for made in all_puzzles():
        titles = [puzzle.title for puzzle in made.puzzles]
        assert len(set(titles)) == len(titles)


def test_the_collection_is_large_and_lacks_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["puzzle", "list", "--stats", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == []
    assert told["puzzles"] >= 150
    kinds = [puzzle.kind for made in all_puzzles() for puzzle in made.puzzles]
    assert kinds.count("canals") + kinds.count("house") >= 35


def test_all_built_in_boards_are_played_on() -> None:
    boards = {puzzle.start.layout.name for made in all_puzzles() for puzzle in made.puzzles}
    assert boards == set(layout_names())


def test_each_set_goes_from_easy_to_hard() -> None:
    for made in all_puzzles():
        levels = [puzzle.difficulty for puzzle in made.puzzles]
        assert levels == sorted(levels), made.name


def test_no_puzzle_stands_in_two_sets() -> None:
    asked = [(p.kind, p.position, p.horizon) for made in all_puzzles() for p in made.puzzles]
    assert len(set(asked)) == len(asked)
