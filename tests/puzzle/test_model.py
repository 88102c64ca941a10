"""A set's file says what its puzzles are, can be edited by hand, and every slip is named: file, puzzle, field."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_puzzles import BOTH_HOLD

from aquakit.puzzle.model import Answer, Puzzle, PuzzleError, PuzzleSet, read_number, write_number

FILE = f"""
schema = 1
name = "first-steps"
title = "First steps"
text = "For a first evening."

[[puzzle]]
id = "first-steps-01"
title = "A fountain to reach"
kind = "plan"
position = "{BOTH_HOLD.format(player="1!")}"
horizon = 2
value = 6
themes = ["fountain", "joker"]
difficulty = 1
hints = ["Look at the joker.", "Pass a fountain.", "The extra tile goes on e2."]
source = "by hand"

[[puzzle]]
id = "first-steps-02"
title = "And with an answer"
kind = "duel"
position = "{BOTH_HOLD.format(player=1)}"
horizon = 3
value = 6
difficulty = 2
hints = ["Look at the joker.", "Pass a fountain."]
source = "by hand"
tags = ["sample"]

[answers."first-steps-01"]
accepted = ["d3=L@W4 e2=+ x-", "d3=L@W4 e2=| x-"]
margin = 1
line = "+jW4 d3=L@W4 e2=| x- / e3=N@W3"
explanation = "The joker brings 6 points, 1 more than anything else."
proof = {{ method = "search+cpsat", searched = "133 first turns", version = "0.1.0" }}

[answers."first-steps-02"]
accepted = ["d3=L@W4 e2=+ x-", "d3=L@W4 e2=| x-"]
margin = 1
line = "+jW4 d3=L@W4 e2=+ x- / +dW4 a2=N@Na / e3=N@W3 b2=Z"
explanation = "A margin of 6."
proof = {{ method = "exhaustive", searched = "133 turns", version = "0.1.0" }}
"""


def test_a_set_is_read_with_its_puzzles_in_order_and_their_answers_apart() -> None:
    made = PuzzleSet.parse(FILE)
    assert (made.name, len(made), made[0].id, made["first-steps-02"].kind) == (
        "first-steps",
        2,
        "first-steps-01",
        "duel",
    )
    puzzle = made[0]
    assert (puzzle.horizon, puzzle.value, puzzle.difficulty, puzzle.themes) == (2, 6, 1, ("fountain", "joker"))
    assert str(puzzle.start) == puzzle.position
    assert not hasattr(puzzle, "accepted")
    assert made.answer(puzzle).accepted == ("d3=L@W4 e2=+ x-", "d3=L@W4 e2=| x-")
    assert made.answer("first-steps-02").proof.method == "exhaustive"


def test_a_set_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    made = PuzzleSet.parse(FILE)
    assert PuzzleSet.parse(str(made)) == made
    made.save(tmp_path / "first-steps.toml")
    assert PuzzleSet.load(tmp_path / "first-steps.toml") == made
    assert [path.name for path in tmp_path.iterdir()] == ["first-steps.toml"]


def test_answers_stand_after_all_questions() -> None:
    text = str(PuzzleSet.parse(FILE))
    assert text.rindex("[[puzzle]]") < text.index("[answers.")
    assert "e2=|" not in text[: text.index("[answers.")]


def test_a_set_opened_in_an_editor_that_marks_its_files_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text(FILE, "utf-8-sig")
    assert len(PuzzleSet.load(tmp_path / "set.toml")) == 2


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("horizon = 2", "horizon = -2", "first-steps-01: horizon"),
        ("horizon = 2", 'horizon = "2"', "first-steps-01: horizon"),
        ("horizon = 2", "horizont = 2", "first-steps-01: horizon"),
        ("horizon = 3\n", "horizon = 3\nhorizont = 3\n", "first-steps-02: horizont"),
        ("value = 6", "value = 6.5", "first-steps-01: value"),
        ("value = 6", 'value = "13/2/1"', "first-steps-01: value"),
        ("value = 6", 'value = "12/2"', "first-steps-01: value"),
        ("value = 6", "value = true", "first-steps-01: value"),
        ('kind = "duel"', 'kind = "quiz"', "first-steps-02: kind"),
        ("romana2-5x4", "romana9", "first-steps-01: position"),
        ("difficulty = 2", "difficulty = 6", "first-steps-02: difficulty"),
        ('themes = ["fountain", "joker"]', 'themes = "fountain"', "first-steps-01: themes"),
        ('themes = ["fountain", "joker"]', 'themes = ["Fountain"]', "first-steps-01: themes.0"),
        ('hints = ["Look at the joker.", "Pass a fountain."]', 'hints = ["Look!"]', "first-steps-02: hints"),
        ('title = "And with an answer"', 'title = ""', "first-steps-02: title"),
        ('id = "first-steps-02"', 'id = "second steps"', "second steps: id"),
        ('id = "first-steps-02"\n', "", "puzzle 2: id"),
        ('id = "first-steps-02"', 'id = "first-steps-01"', "first-steps-01: id"),
        ("margin = 1", "margin = 0.5", "first-steps-01: answers.margin"),
        ('method = "exhaustive", ', "", "first-steps-02: answers.proof.method"),
        ('accepted = ["d3=L@W4 e2=+ x-", "d3=L@W4 e2=| x-"]', "accepted = []", "first-steps-01: answers.accepted"),
        ('[answers."first-steps-02"]', '[answers."first-steps-03"]', "first-steps-02: answers"),
        ("schema = 1", "schema = 2", "schema"),
        ('name = "first-steps"\n', "", "name"),
        ("schema = 1", "schema = ", "f.toml"),
    ],
)
def test_whatever_is_wrong_is_named_with_file_puzzle_and_field(old: str, new: str, where: str, tmp_path: Path) -> None:
    assert old in FILE
    path = tmp_path / "f.toml"
    path.write_text(FILE.replace(old, new, 1), "utf-8")
    with pytest.raises(PuzzleError) as caught:
        PuzzleSet.load(path)
    assert caught.value.where == (str(path) if where == "f.toml" else f"{path}: {where}")


def test_an_answer_without_a_question_is_named() -> None:
    more = '[answers."other"]' + FILE.split('[answers."first-steps-02"]')[1]
    with pytest.raises(PuzzleError, match=r"set\.toml: other: answers: there is no puzzle of this name"):
        PuzzleSet.parse(FILE + more, "set.toml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"nowhere\.toml: cannot be read"):
        PuzzleSet.load(tmp_path / "nowhere.toml")


def test_the_answer_of_a_puzzle_that_is_not_in_the_set_is_named() -> None:
    with pytest.raises(PuzzleError, match="first-steps: has no puzzle 'first-steps-09'"):
        PuzzleSet.parse(FILE).answer("first-steps-09")


def test_a_puzzle_that_is_not_in_the_set_is_named() -> None:
    with pytest.raises(PuzzleError, match="first-steps: has no puzzle 'first-steps-09'"):
        PuzzleSet.parse(FILE)["first-steps-09"]


@given(st.fractions())
def test_values_are_whole_numbers_or_exact_fractions(value: Fraction) -> None:
    written = write_number(value)
    assert read_number(written) == value
    assert isinstance(written, int) == (value.denominator == 1)


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1)


def is_line(text: str) -> bool:
    return bool(text.strip()) and text.isprintable()


@given(title=TEXTS.filter(is_line), text=TEXTS, explanation=TEXTS, value=st.integers() | st.just(Fraction(7, 20)))
def test_texts_of_any_language_survive_the_file(title: str, text: str, explanation: str, value: int | Fraction) -> None:
    puzzle, answer = change(Puzzle, title=title, value=value), change(Answer, explanation=explanation)
    made = PuzzleSet.make("a-set", title, text, [(puzzle, answer)])
    assert PuzzleSet.parse(str(made)) == made


def change(model: type, **fields: object) -> Any:
    """Gets the first puzzle or answer with other fields."""
    made = PuzzleSet.parse(FILE)
    stored: Any = {Puzzle: made.puzzles[0], Answer: made.answers["first-steps-01"]}[model]
    return stored.model_copy(update=fields)


def test_a_draft_asks_without_an_answer_and_is_checked_like_a_file() -> None:
    asked = Puzzle.draft("longest", BOTH_HOLD.format(player=1), 0, {"aqueduct": "R2"})
    assert (asked.kind, asked.given) == ("longest", {"aqueduct": "R2"})
    with pytest.raises(PuzzleError, match="draft: position"):
        Puzzle.draft("longest", "romana2-5x4 nothing", 0)
