"""Puzzles are made from bots' games: one seed makes the same ones, what bores is left out, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from small_puzzles import prove

from aquakit import puzzles
from aquakit.board.claims import signed
from aquakit.core import games
from aquakit.errors import InvalidOption, ProofFailure, contradiction
from aquakit.puzzle.answers import shared_tokens
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.making.certify import compare
from aquakit.puzzle.making.generate import Harvest, MadeFile, examine, make, search_game
from aquakit.puzzle.making.likeness import are_alike
from aquakit.puzzle.making.sources import places
from aquakit.puzzle.model import Answer, Proof, Puzzle, PuzzleSet
from aquakit.puzzle.protocol import PHASES
from aquakit.puzzle.roster import kind_names
from aquakit.puzzle.texts import explain, find_title, give_hints
from aquakit.puzzle.themes import all_themes, in_order
from aquakit.work.executors import InPlace, processes
from aquakit.work.journal import InvalidResults

SMALL = "romana2-5x4"
QUICK = {"duel": (SMALL,), "endgame": (SMALL,), "canals": ("aquadukt2-6x5",), "house": ("aquadukt2-6x5",)}


@pytest.fixture(scope="module")
def harvest() -> dict[str, Harvest]:
    """Searches games on small boards until each kind has brought something."""
    found = {}
    for kind, layouts in QUICK.items():
        found[kind] = next(it for seed in range(40) if (it := search_game(kind, seed, layouts)).made)
    return found


# Sources


@pytest.mark.parametrize("layout", [SMALL, "aquadukt2-6x5", "romana3"])
def test_one_seed_is_one_game(layout: str) -> None:
    game = list(places(layout, 5))
    assert game == list(places(layout, 5))
    assert [place.position for place in game] != [place.position for place in places(layout, 6)]
    assert [place.turn for place in game] == list(range(1, len(game) + 1))
    assert game[0].source.endswith("seed 5, turn 1")
    assert [place.phase for place in game] == sorted((place.phase for place in game), key=PHASES.index)
    assert {place.phase for place in game} == set(PHASES)


def test_places_follow_one_another_by_the_rules() -> None:
    for layout in (SMALL, "aquadukt2-6x5"):
        game = list(places(layout, 3))
        for before, after in pairwise(game):
            assert before.position.play(before.made) == after.position
        assert game[-1].position.play(game[-1].made).is_over


def test_games_are_played_in_several_ways() -> None:
    words = {next(places(SMALL, seed)).game.rpartition(",")[0] for seed in range(12)}
    assert len(words) >= 4
    assert any("setup" in text for text in words)


def test_every_layout_has_puzzles_to_ask_for() -> None:
    made = {layout for name in kind_names() for layout in find_kind(name).layouts()}
    assert made == set(games.layout_names())


# Near-duplicates


def draft(position: Any, kind: str = "longest", **given: Any) -> Puzzle:
    return Puzzle.draft(kind, str(position), 0 if kind == "longest" else 2, given)


def test_a_board_and_its_mirror_image_with_the_mirrored_answer_are_alike() -> None:
    board = draft(games.start("romana4"))
    assert are_alike(board, ["c7=L"], board, ["c7=L"])
    assert are_alike(board, ["c7=L"], board, ["i7=J"]), "an empty board looks the same from the east"
    assert are_alike(board, ["c7=L"], board, ["i2=7"]), "and turned round"
    assert not are_alike(board, ["c7=L"], board, ["h7=J"])


def test_builders_make_a_difference_only_where_turns_are_asked_for() -> None:
    start = games.start("romana4")
    assert not are_alike(draft(start, "duel"), ["c7=L@Nc"], draft(start, "duel"), ["i7=J@Ni"])
    assert are_alike(draft(start, "duel"), ["c7=L@Nc"], draft(start, "duel"), ["c7=L@W8"])


def test_the_same_board_can_ask_about_two_aqueducts() -> None:
    start = games.start("romana4")
    one, other, mirrored = (draft(start, aqueduct=name) for name in ("R1", "R2", "Y3"))
    assert not are_alike(one, ["any 9"], other, ["any 9"])
    assert are_alike(one, ["any 9"], mirrored, ["any 9"])


def test_far_apart_boards_kinds_and_layouts_are_not_alike() -> None:
    game = list(places("romana4", 1))
    early, late = draft(game[2].position), draft(game[40].position)
    assert not are_alike(early, ["c6=L"], late, ["c6=L"])
    near = draft(game[41].position)
    assert are_alike(late, ["c6=L"], near, ["c6=L"]), "one tile more is hardly another board"
    city = Puzzle.draft("canals", str(games.start("aquadukt2-6x5")), 2)
    assert not are_alike(city, ["canal 3.4h"], early, ["c6=L"])


# What is kept


@pytest.mark.parametrize("kind", QUICK)
def test_what_is_made_can_be_proved_again(kind: str, harvest: dict[str, Harvest]) -> None:
    for puzzle, answer in harvest[kind].made:
        assert list(compare(puzzle, answer, find_kind(puzzle.kind).prove(puzzle))) == []


@pytest.mark.parametrize("kind", QUICK)
def test_what_is_made_is_worth_solving(kind: str, harvest: dict[str, Harvest]) -> None:
    for puzzle, answer in harvest[kind].made:
        proof = Proof(puzzle.value, answer.accepted, answer.margin, answer.line, "", "")
        assert answer.margin is not None
        assert answer.margin >= find_kind(kind).least_margin
        tried = find_kind(kind).find_obvious(puzzle)
        assert not any(find_kind(kind).accepts(puzzle, attempt, proof.accepted) for attempt in tried)
        assert len(answer.accepted) == 1 or shared_tokens(proof)
        assert puzzle.themes
        assert puzzle.themes == in_order(puzzle.themes)
        assert f"seed {harvest[kind].seed}" in puzzle.source


@pytest.mark.parametrize("kind", QUICK)
def test_titles_and_first_hints_do_not_tell_the_answer(kind: str, harvest: dict[str, Harvest]) -> None:
    for puzzle, answer in harvest[kind].made:
        words = {
            part for text in answer.accepted for token in text.split() for part in token.replace("=", "@").split("@")
        }
        names = {word.strip("x*,") for word in words if any(letter.isdigit() for letter in word)}
        assert not names.intersection(puzzle.title.split())
        assert not names.intersection(puzzle.hints[0].rstrip(".").split())
        assert len(puzzle.hints) in (2, 3)
        assert len(set(puzzle.hints)) == len(puzzle.hints)


@pytest.mark.parametrize("kind", QUICK)
def test_the_explanation_has_the_value_the_margin_and_the_line(kind: str, harvest: dict[str, Harvest]) -> None:
    for puzzle, answer in harvest[kind].made:
        assert str(answer.margin) in answer.explanation
        assert f"Best is {puzzle.start.tell(answer.line.split(' / ')[0]).split()[0]} " in answer.explanation
        value = signed(puzzle.value) if isinstance(puzzle.value, int) else puzzle.value
        assert str(value) in answer.explanation


def test_the_same_seed_makes_the_same_puzzles(harvest: dict[str, Harvest]) -> None:
    again = search_game("canals", harvest["canals"].seed, QUICK["canals"])
    assert again.made == harvest["canals"].made
    assert again.tally == harvest["canals"].tally


def test_every_candidate_is_accounted_for(harvest: dict[str, Harvest]) -> None:
    for found in harvest.values():
        assert found.tally["candidates"] == sum(found.tally.values()) - found.tally["candidates"]
        assert found.tally["passed"] == len(found.made)


def test_studies_of_closings_and_long_ways_are_made_too() -> None:
    for kind in ("timing", "longest", "plan"):
        made = next(it for seed in range(60) if (it := search_game(kind, seed, (SMALL,))).made).made
        puzzle, answer = made[0]
        assert len(answer.proof.witnesses) == 2
        assert list(compare(puzzle, answer, find_kind(puzzle.kind).prove(puzzle))) == []


# Words


def test_every_theme_has_words() -> None:
    for words in all_themes().values():
        assert all(idea.endswith((".", "?")) for idea in words.ideas)
        assert len(set(words.titles)) >= 3


def test_titles_are_not_used_twice(harvest: dict[str, Harvest]) -> None:
    puzzle, _ = harvest["duel"].made[0]
    titles = list[str]()
    for _ in range(40):
        titles.append(find_title(puzzle, puzzle.themes, titles))
    assert len(set(titles)) == 40


def test_hints_go_from_an_idea_to_a_plain_word() -> None:
    asked = Puzzle.draft("duel", str(games.start(SMALL)), 2)
    proof = Proof(3, ("b3=J@Nb xR1", "b3=J@W4 xR1"), 2, "b3=J@Nb xR1 *d / d2=|@Sd x-", "", "")
    hints = give_hints(asked, proof, {"close-now", "rim"})
    assert hints == (
        hints[0],
        "What decides is what is closed or left open.",
        "Close R1. Build on b3.",
    )
    assert hints[0] in all_themes()["close-now"].ideas


def test_a_pick_of_a_rival_is_no_hint() -> None:
    known = puzzles("endgames")
    asked = next(p for p in known.puzzles if known.answer(p).line.startswith("a2=J@E3 *j *d"))
    answer = known.answer(asked)
    proof = Proof(asked.value, answer.accepted, answer.margin, answer.line, "", "")
    assert all("*j *d" in text for text in answer.accepted)  # the joker is Red's, the other one then Green's
    assert give_hints(asked, proof, asked.themes)[1:] == (
        "What decides is what you take from the reserve.",
        "Take the joker. Build on a2.",
    )


def test_where_one_of_two_must_be_closed_the_last_hint_says_so() -> None:
    asked = Puzzle.draft("duel", str(games.start(SMALL)), 2)
    proof = Proof(3, ("b3=J@Nb xR1", "b3=J@Nb xR2"), 2, "b3=J@Nb xR1 *d / d2=|@Sd x-", "", "")
    assert give_hints(asked, proof, {"rim"})[-1] == "Build a curve on b3. Close R1 or R2."


@pytest.mark.parametrize(
    ("accepted", "hints"),
    [
        (["R2@2 R3@3"], ("The right moment matters for 2 aqueducts.", "R2 is closed in round 2.")),
        (["R3@3"], ("The right moment matters for one aqueduct.", "R3 is closed in round 3.")),
        (["R2@1 R3@3", "R2@2 R3@3"], ("The right moment matters for 2 aqueducts.", "R3 is closed in round 3.")),
        (["R2@1", "R3@2"], ("The right moment matters for one aqueduct.", "R2 can be closed in round 1.")),
        (["wait"], ("What you leave open matters more than what you close.", "Close nothing in the first round.")),
        (["R2@-"], ("What you leave open matters more than what you close.", "Leave R2 open to the end.")),
    ],
)
def test_hints_at_schedules_name_only_what_all_of_them_have(accepted: list[str], hints: tuple[str, ...]) -> None:
    asked, proof = prove("timing")
    told = give_hints(asked, replace(proof, accepted=tuple(accepted), line="R2@1 R3@3"), {"order"})
    assert told[0] in all_themes()["order"].ideas
    assert told[1:] == hints


def test_greed_stops_where_no_canal_pays_at_once() -> None:
    known = puzzles("canals")
    find_obvious = find_kind("canals").find_obvious
    stopping = [puzzle for puzzle in known.puzzles if any("stop" in text for text in find_obvious(puzzle))]
    assert stopping
    for puzzle in stopping:
        assert not find_kind("canals").judge(puzzle, find_obvious(puzzle)[0]).right
        assert "more is not possible" not in known.answer(puzzle).explanation


def test_explanations_compare_with_the_obvious() -> None:
    asked = Puzzle.draft("plan", str(games.start(SMALL).solo(1)), 1)
    proof = find_kind("plan").prove(asked)
    valued = asked.model_copy(update={"value": proof.value})
    worse = next(str(turn) for turn in asked.start.turns() if find_kind("plan").judge(valued, str(turn)).loss)
    text = explain(valued, proof, worse)
    assert f"Greed plays {find_way(asked).say(worse)}: at best" in text
    assert "fewer than possible" in text


# Many games


def test_make_goes_on_where_it_was(tmp_path: Path) -> None:
    path, layouts = tmp_path / "work.toml", QUICK["canals"]
    first = list(make("canals", 2, path=path, layouts=layouts, executor=InPlace()))
    assert [puzzle.id for puzzle in PuzzleSet.load(path).puzzles] == [puzzle.id for puzzle, _ in first]
    tally = Counter[str]()
    more = list(make("canals", 5, path=path, layouts=layouts, executor=InPlace(), tally=tally))
    assert len(more) == 3
    assert list(make("canals", 5, path=path, layouts=layouts, executor=InPlace())) == []
    made = PuzzleSet.load(path)
    assert [puzzle.id for puzzle in made.puzzles] == [puzzle.id for puzzle, _ in (*first, *more)]
    assert len({puzzle.title for puzzle in made.puzzles}) == 5
    whole = list(make("canals", 5, layouts=layouts, executor=InPlace()))
    assert {puzzle.id for puzzle, _ in whole} == {puzzle.id for puzzle in made.puzzles}


def test_stopping_in_the_middle_loses_nothing_and_makes_nothing_twice(tmp_path: Path) -> None:
    path, layouts = tmp_path / "work.toml", QUICK["canals"]
    run = make("canals", 9, path=path, layouts=layouts, executor=InPlace())
    kept = [puzzle.id for puzzle, _ in islice(run, 3)]
    run.close()
    assert [puzzle.id for puzzle in PuzzleSet.load(path).puzzles] == kept
    list(make("canals", 5, path=path, layouts=layouts, executor=InPlace()))
    ids = [puzzle.id for puzzle in PuzzleSet.load(path).puzzles]
    assert ids[:3] == kept
    assert len(set(ids)) == len(ids) == 5
    assert {file.name for file in tmp_path.iterdir()} == {"work.toml", "work.toml.seeds.jsonl"}


@pytest.mark.parametrize("noted", ["{", "[1]", '{"duel": 3}', '{"form": "aquakit seeds 1"}\n{"seed": "x"}\n'])
def test_notes_that_cannot_be_read_are_named(tmp_path: Path, noted: str) -> None:
    notes = tmp_path / "work.toml.seeds.jsonl"
    notes.write_text(noted, "utf-8")
    with pytest.raises(InvalidResults) as caught:
        make("duel", 1, path=tmp_path / "work.toml")
    assert caught.value.where.startswith(str(notes))
    assert notes.read_text("utf-8") == noted


def test_a_game_searched_for_something_else_is_searched_again(tmp_path: Path) -> None:
    path, layouts = tmp_path / "work.toml", QUICK["canals"]
    work = MadeFile(path, "canals", layouts, ["double-canal"])
    work.note(3)
    work.close()
    assert MadeFile(path, "canals", layouts, ["double-canal"]).is_done(3)
    assert not MadeFile(path, "canals", layouts).is_done(3)
    assert not MadeFile(path, "duel", layouts, ["double-canal"]).is_done(3)


def test_two_processes_make_the_same_as_one(tmp_path: Path) -> None:
    one = list(make("canals", 3, seed=7, layouts=QUICK["canals"], executor=InPlace()))
    with processes(2) as pool:
        two = list(make("canals", 3, seed=7, layouts=QUICK["canals"], executor=pool))
    assert one == two


def test_a_puzzle_like_one_that_is_there_is_dropped(harvest: dict[str, Harvest]) -> None:
    work = MadeFile(None, "canals")
    puzzle, answer = harvest["canals"].made[0]
    assert work.add(puzzle, answer) == puzzle
    assert work.add(puzzle.model_copy(update={"id": "another"}), answer) is None


def test_only_puzzles_with_a_theme_can_be_asked_for() -> None:
    for puzzle, _ in make("canals", 2, layouts=QUICK["canals"], themes=["double-canal"], executor=InPlace()):
        assert "double-canal" in puzzle.themes


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "chess"}, {"count": 0}, {"seed": -1}, {"layouts": ["romana4"]}, {"themes": ["fork"]}],
    ids=lambda wrong: next(iter(wrong)),
)
def test_wrong_options_are_named_at_once(wrong: dict[str, Any]) -> None:
    options: dict[str, Any] = {"kind": "canals", "count": 1, "seed": 0} | wrong
    with pytest.raises(InvalidOption) as error:
        make(**options)
    assert error.value.where == next(iter(wrong)).removesuffix("s")


def test_answers_are_kept_with_their_puzzles(tmp_path: Path) -> None:
    (puzzle, answer), *_ = make("canals", 1, path=tmp_path / "made.toml", layouts=QUICK["canals"], executor=InPlace())
    stored = PuzzleSet.load(tmp_path / "made.toml")
    assert isinstance(answer, Answer)
    assert stored.answer(puzzle.id) == answer
    assert stored[puzzle.id] == puzzle


def test_a_contradiction_is_not_taken_for_what_is_hard_to_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(kind: Any, puzzle: Puzzle) -> Proof:
        raise contradiction(puzzle.position, "one thing", "another")

    monkeypatch.setattr(type(find_kind("plan")), "prove", fail)
    with pytest.raises(ProofFailure, match="one thing, but another"):
        examine(Puzzle.draft("plan", games.start("romana2-5x4").solo(1), 2, {}), None, (), Counter())
