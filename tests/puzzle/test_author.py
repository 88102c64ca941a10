"""Somebody's own question becomes a puzzle: proved, with the author's words or the kit's."""

from __future__ import annotations

import pytest
from small_puzzles import ASKED, BOTH_HOLD

from aquakit.puzzle.author import write_puzzle
from aquakit.puzzle.certify import Task, check
from aquakit.puzzle.model import PuzzleError, PuzzleSet

STUDY = BOTH_HOLD.format(player="1!")


@pytest.mark.parametrize("kind", ASKED)
def test_what_is_written_is_a_puzzle_that_is_proved_again(kind: str) -> None:
    position, horizon, given = ASKED[kind]
    puzzle, answer = write_puzzle(kind, position, horizon, given=given, name="own")
    made = PuzzleSet.parse(str(PuzzleSet.make("own", "Own", "Own ones.", [(puzzle, answer)])))
    assert check(Task("own.toml", made[0], made.answer("own"))).differences == ()
    assert made[0].title
    assert 2 <= len(made[0].hints) <= 3
    assert made.answer("own").explanation


def test_the_words_are_the_author_s_where_there_are_any() -> None:
    puzzle, answer = write_puzzle(
        "plan", STUDY, 2, name="own", title="Mine", hints=["One.", "Two."], explanation="So it is.", source="my game"
    )
    assert (puzzle.id, puzzle.title, puzzle.hints, puzzle.source) == ("own", "Mine", ("One.", "Two."), "my game")
    assert answer.explanation == "So it is."
    assert "fountain" in puzzle.themes


def test_a_question_without_a_wrong_answer_is_refused() -> None:
    lonely = "romana2-5x4 F##+7/ZJ.../..-7./L+##J ..c.s/.bd./..cs./.b.d dj -,- *.*,*.* 2.3.1.2 1! 0"
    with pytest.raises(PuzzleError, match="answers: whatever is played is best"):
        write_puzzle("plan", lonely, 1, name="own")


@pytest.mark.parametrize(
    ("wrong", "place"),
    [({"name": "My Own"}, "id"), ({"hints": ["One."]}, "hints"), ({"source": ""}, "source")],
)
def test_what_is_written_wrongly_is_named(wrong: dict[str, object], place: str) -> None:
    with pytest.raises(PuzzleError, match=place):
        write_puzzle("plan", STUDY, 2, **{"name": "own", **wrong})
