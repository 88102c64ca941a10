"""A third game is added without touching the kit: it plays on boards, in the engine, in matches and in puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import aquakit
from aquakit.core import plugins
from aquakit.core.position import AnyPosition
from aquakit.errors import IllegalTurn, InvalidPosition
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.making.author import write_puzzle
from aquakit.puzzle.model import Answer, Puzzle, PuzzleSet
from aquakit.puzzle.roster import kind_names
from aquakit.puzzle.themes import all_themes
from aquakit.training.progress import Progress
from aquakit.widgets import Board
from aquakit.widgets.newgame.form import NewGamePanel
from aquakit.work.executors import processes
from aquakit.workshop.checks import all_checks

START = "toy 3.2 0.0 1"
BEST = "b1-2"
"""It scores at once, and whatever the rival leaves of the other square can be taken."""
WORSE = "a1-2"


@pytest.fixture(autouse=True)
def game() -> Iterator[None]:
    """Makes the game known, for one test."""
    plugins.add_game("toy")
    yield
    plugins.remove_game("toy")


@pytest.fixture
def start() -> AnyPosition:
    return aquakit.start("toy")


def test_it_is_known_by_its_texts(start: AnyPosition) -> None:
    assert str(start) == START
    assert aquakit.parse(START) == start
    assert "toy" in plugins.game_names()
    with pytest.raises(IllegalTurn, match="there are not so many pebbles"):
        start.play("b1-2").play("b1-1")


def test_its_turns_are_told_as_they_are_written(start: AnyPosition) -> None:
    assert start.tell(BEST) == start.tell(BEST, "full") == BEST


def test_it_is_unknown_without_its_package() -> None:
    plugins.remove_game("toy")
    with pytest.raises(ValueError, match="unknown layout 'toy'"):
        aquakit.parse(START)
    plugins.add_game("toy")


def test_plain_and_compiled_count_the_same(start: AnyPosition) -> None:
    counts = [[start.runner(fast=fast).perft(start.state, depth) for depth in range(1, 6)] for fast in (False, True)]
    assert counts[0] == counts[1]
    assert counts[0][:2] == [4, 12]


def test_the_form_for_a_new_game_offers_it(start: AnyPosition) -> None:
    board = aquakit.play("toy", players={2: "greedy"})
    board.beside(NewGamePanel).ask()
    offered = next(game for game in board.form["games"] if game["name"] == "toy")
    assert (offered["title"], offered["wishes"]) == ("Toy", {})
    assert [seat["name"] for seat in offered["layouts"][0]["seats"]] == ["Player 1", "Player 2"]
    board.play(BEST)
    board.wait()
    assert len(board.record.root.main()) == 3


def test_its_games_are_recorded(start: AnyPosition) -> None:
    record = aquakit.Record(start)
    record.root.play(BEST).play("a1-1")
    again = aquakit.Record.parse(str(record))
    assert str(again.root.main()[-1].position) == "toy 2.0 1.0 1"


def test_lists_of_kinds_themes_and_checks_are_as_before() -> None:
    lists = [kind_names(), tuple(all_themes()), tuple(map(str, all_checks()))]
    plugins.remove_game("toy")
    assert [kind_names(), tuple(all_themes()), tuple(map(str, all_checks()))] == lists
    plugins.add_game("toy")


# On a board


def test_it_plays_on_a_board(start: AnyPosition) -> None:
    board = Board(start)
    assert [choice["id"] for choice in board.offer["choices"]] == ["a1-1", "a1-2", "b1-1", BEST]
    board.choose("a1-1")
    assert str(board.position) == "toy 2.2 0.0 2"
    assert board.offer["prompt"] == "Player 2: take pebbles"
    assert board.picture.startswith("<svg")
    board.undo()
    assert board.position == start


def test_it_has_a_score_sheet_and_signs_of_its_players(start: AnyPosition) -> None:
    explorer = aquakit.Explorer(start.play(BEST))
    (table,) = explorer.sheet
    assert [row[1] for row in table["rows"]] == ["1", "0"]


def test_what_it_does_not_have_is_refused_in_words(start: AnyPosition) -> None:
    with pytest.raises(InvalidPosition, match="cannot be edited in this game"):
        aquakit.Explorer(start).edit()
    with pytest.raises(InvalidPosition, match="nobody can plan turns in this game"):
        aquakit.bot("planner:2").decide(start)
    with pytest.raises(InvalidPosition, match="has no graph in this game"):
        start.graph()


# In the engine


def test_it_is_solved(start: AnyPosition) -> None:
    found = aquakit.solve(start)
    assert (found.value, [str(turn) for turn in found.turns], found.proved) == (2, [BEST], True)


def test_it_is_analysed(start: AnyPosition) -> None:
    analysis = aquakit.analyse(start, playouts=500, threads=1)
    assert str(analysis.best.turn) == BEST
    assert BEST in str(analysis.explain())


def test_bots_play_a_match() -> None:
    played = aquakit.match(["greedy", "random"], 4, "toy", executor=ThreadPoolExecutor(1), progress=False)
    assert played.is_complete
    assert [standing.games for standing in played.standings] == [4, 4]


def test_matches_in_other_processes_know_it_too() -> None:
    with processes(1) as pool:
        assert aquakit.match(["random", "random"], 2, "toy", executor=pool, progress=False).is_complete


# In a puzzle


@pytest.fixture
def made(start: AnyPosition) -> tuple[Puzzle, Answer]:
    return write_puzzle("duel", start, 3, name="pebbles")


def test_a_duel_is_proved_and_told(made: tuple[Puzzle, Answer]) -> None:
    puzzle, answer = made
    assert (puzzle.value, answer.accepted, answer.margin) == (2, (BEST,), 2)
    assert puzzle.title == "A question"
    assert puzzle.hints[-1] == f"What decides is {BEST}."
    assert answer.explanation.startswith("A margin of +2 after 3 turns, and everything else gets at least 2 less.")
    goal = find_kind("duel").goal(puzzle)
    assert goal.startswith("Player 1 is to move. 3 turns are taken in all")


def test_answers_are_judged(made: tuple[Puzzle, Answer]) -> None:
    puzzle, answer = made
    judge = find_kind("duel").judge
    assert judge(puzzle, BEST, answer=answer).right
    verdict = judge(puzzle, WORSE, answer=answer)
    assert not verdict.right
    assert verdict.loss >= 2
    assert verdict.refutation


def test_it_is_answered_on_a_trainer(made: tuple[Puzzle, Answer], tmp_path: Path) -> None:
    puzzles = PuzzleSet.parse(str(PuzzleSet.make("toys", "Toys", "With pebbles.", [made])))
    trainer = puzzles.trainer(progress=Progress(tmp_path / "toys.sqlite"))
    assert find_way(trainer.puzzle).first(made[1].line) == BEST
    trainer.choose(WORSE)
    trainer.wait()
    assert trainer.task["verdict"]["outcome"] == "wrong"
    trainer.retry()
    trainer.choose(BEST)
    trainer.wait()
    assert trainer.task["verdict"]["outcome"] == "right"
    trainer.close()
