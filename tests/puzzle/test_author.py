"""Somebody's own question becomes a puzzle: proved, with the author's words or the kit's."""

from __future__ import annotations

import pytest
from small_puzzles import ASKED, BOTH_HOLD, small_set

from aquakit.puzzle.making.author import arrange, retell, write_puzzle
from aquakit.puzzle.making.certify import Task, check
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


def test_what_is_retold_is_what_the_kit_would_write_and_the_answers_stay() -> None:
    known = small_set("duel", "endgame")
    again = retell(known)
    for puzzle in again.puzzles:
        position, horizon, given = ASKED[puzzle.kind]
        fresh, answer = write_puzzle(
            puzzle.kind, position, horizon, given=given, name=puzzle.id, title="Draft", source="?"
        )
        assert puzzle == fresh
        assert again.answer(puzzle) == answer
        before = known.answer(puzzle)
        assert answer.model_copy(update={"explanation": before.explanation}) == before
    assert retell(again) == again


def test_only_some_are_retold_and_titles_are_new_only_if_asked_for() -> None:
    known = small_set("duel", "endgame")
    some = retell(known, only=["small-duel"])
    assert some["small-endgame"] == known["small-endgame"]
    assert some["small-duel"].hints != known["small-duel"].hints
    assert {puzzle.title for puzzle in some.puzzles} == {"Draft"}
    titled = retell(known, titles=())
    taken = [puzzle.title for puzzle in titled.puzzles]
    assert "Draft" not in taken
    assert len(set(taken)) == 2
    assert not set(taken) & {puzzle.title for puzzle in retell(known, titles=taken).puzzles}


def test_a_set_is_put_in_order_and_numbered() -> None:
    known = small_set("duel", "endgame", "house")
    levels = {"small-duel": 3, "small-endgame": 1, "small-house": 3}
    pairs = [(p.model_copy(update={"difficulty": levels[p.id]}), known.answer(p)) for p in known.puzzles]
    made = arrange(PuzzleSet.make("mine", "Mine", "Own ones.", pairs))
    assert [(puzzle.id, puzzle.kind) for puzzle in made.puzzles] == [
        ("mine-01", "endgame"),
        ("mine-02", "duel"),
        ("mine-03", "house"),
    ]
    assert made.answer("mine-01") == known.answer("small-endgame")
