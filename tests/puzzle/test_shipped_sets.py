"""The puzzles that come with the kit are what their files say; all of them are proved by `aquakit puzzle check`."""

from __future__ import annotations

import json
import re
from itertools import islice

import pytest

from aquakit.cli import main as cli
from aquakit.core.games import layout_names
from aquakit.puzzle import answers
from aquakit.puzzle.collection import all_puzzles, home, set_names
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.making.author import retell
from aquakit.puzzle.making.certify import check, list_tasks
from aquakit.puzzle.roster import kind_names

SAMPLE = "sample"
NOTATION = re.compile(r"[@=*|]|\bx-|\bx[RYGB]\d|\d\.\d+[hv]|\bdie \d|\+[csbdj][NESW]")


def test_every_set_is_named_like_its_file() -> None:
    assert "first-steps" in set_names()
    assert {made.name for made in all_puzzles()} == set(set_names())


def test_a_sample_is_proved_again() -> None:
    tasks = list_tasks([home()], tags=[SAMPLE])
    assert len(tasks) >= 6
    assert [str(difference) for task in tasks for difference in check(task).differences] == []


def test_two_methods_prove_all_that_two_can() -> None:
    single = {
        puzzle.id
        for made in all_puzzles()
        for puzzle in made.puzzles
        if len(made.answer(puzzle).proof.witnesses) < find_kind(puzzle.kind).witnesses
    }
    assert single <= {"plans-25"}, "for this one CP-SAT needs half a minute"


def test_every_puzzle_asks_in_words_and_says_why() -> None:
    for made in all_puzzles():
        for puzzle in made.puzzles:
            assert find_kind(puzzle.kind).goal(puzzle)
            answer = made.answer(puzzle)
            assert answer.margin
            assert answer.explanation


def test_nobody_has_to_read_notation_in_hints_answers_and_reasons() -> None:
    for made in all_puzzles():
        for puzzle in made.puzzles:
            answer, way = made.answer(puzzle), find_way(puzzle)
            told = [*puzzle.hints, answer.explanation, *map(way.say, answer.accepted), way.say_line(answer.line)]
            for text in told:
                assert not NOTATION.search(text), (puzzle.id, text)


def test_answers_that_differ_are_said_differently() -> None:
    for made in all_puzzles():
        for puzzle in made.puzzles:
            accepted = made.answer(puzzle).accepted
            assert len(set(map(find_way(puzzle).say, accepted))) == len(accepted), puzzle.id


def test_canals_are_hinted_at_and_told_in_an_order_in_which_they_can_be_laid() -> None:
    for made in all_puzzles():
        for puzzle in (puzzle for puzzle in made.puzzles if puzzle.kind == "canals"):
            start, hint = puzzle.start, puzzle.hints[-1].removeprefix("Lay a ").removesuffix(".")
            legal = [action for action in start.actions() if action.what == "canal"]
            assert hint in {find_way(puzzle).say(str(action)) for action in legal}, puzzle.id
            for told in map(find_way(puzzle).say, made.answer(puzzle).accepted):
                points = {point for arm in start.arms for point in arm.points} | set(start.springs)
                for canal in told.split(", "):
                    *_, first, after = re.split(r"canal from | to ", canal.partition(" or ")[0])
                    assert first in points, (puzzle.id, told)
                    points.add(after)


def test_the_sample_shows_every_kind() -> None:
    assert {task.puzzle.kind for task in list_tasks([home()], tags=[SAMPLE])} == set(kind_names())


def test_difficulty_and_themes_in_the_files_are_what_the_kit_finds_now() -> None:
    for made in all_puzzles():
        names = [puzzle.id for puzzle in made.puzzles if SAMPLE in puzzle.tags]
        again = retell(made, only=names) if names else made
        for name in names:
            assert (again[name].difficulty, again[name].themes) == (made[name].difficulty, made[name].themes), name


def test_no_two_puzzles_have_the_same_title() -> None:
    titles = [puzzle.title for made in all_puzzles() for puzzle in made.puzzles]
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


def test_no_puzzle_stands_in_two_sets_and_no_answer_twice_for_one_position() -> None:
    asked = [(p.kind, p.position, p.horizon) for made in all_puzzles() for p in made.puzzles]
    assert len(set(asked)) == len(asked)
    given = [(p.position.replace("!", ""), made.answer(p).accepted) for made in all_puzzles() for p in made.puzzles]
    assert len(set(given)) == len(given)


def test_no_whole_turn_is_as_likely_right_as_wrong() -> None:
    for made in all_puzzles():
        for puzzle in made.puzzles:
            if puzzle.kind in ("plan", "duel", "endgame"):
                turns = [[str(action) for action in turn] for turn in islice(puzzle.start.turns(), 2000)]
                accepted = [answers.read(text) for text in made.answer(puzzle).accepted]
                right = sum(any(answers.contains(turn, text) for text in accepted) for turn in turns)
                assert right < len(turns) / 2, puzzle.id
