"""The log beside a board, what bots have played shown again, and lines that are gone through."""

from __future__ import annotations

from typing import Any

import pytest
from clicking import tell
from waiting import wait_for

import aquakit
from aquakit import Board, Explorer
from aquakit.errors import InvalidOption

SMALL = aquakit.start("romana2-5x4")
FIRST, SECOND, THIRD = "b3=+@E4 x-", "d2=7@Sd x-", "b3=L@Nb x-"


def answering(*turns: str) -> Any:
    """Makes a bot that plays these turns, one after the other."""
    left = list(turns)
    return lambda position: left.pop(0)


def words(row: dict[str, Any]) -> str:
    first, *rest = row["told"]
    return first["words"] + "".join(part["joint"] + part["words"] for part in rest)


def after_three_bots() -> Board:
    board = Board("romana4", players=dict.fromkeys((2, 3, 4), "greedy"), seed=1)
    board.play("c7=L@Nc")
    board.wait()
    return board


# The log


def test_each_turn_is_told_with_whose_it_was() -> None:
    board = after_three_bots()
    assert [row["number"] for row in board.tree] == [0, 1, 2, 3, 4]
    assert ["".join(chip["text"] for chip in row["who"]) for row in board.tree] == ["", "R", "Y", "G", "B"]
    assert words(board.tree[1]) == "curve on c7 by the builder on Nc, nothing closed"
    assert board.has_bots


def test_points_are_told_with_the_turn_that_brought_them() -> None:
    board = Board(SMALL)
    board.play("b3=+@E4 xR1 *j")  # podium 1; the bonus comes with the end [R11]
    assert board.tree[1]["gained"] == [{"who": [], "points": 1}]
    board.play(SECOND)
    assert board.tree[2]["gained"] == []


def test_when_several_gain_or_lose_each_has_a_sign() -> None:
    for seed in range(40):
        board = Board("romana2-5x4", players={1: "random", 2: "random"}, seed=seed)
        board.wait()
        assert board.position.is_over
        for row in board.tree:
            if len(row["gained"]) > 1:
                assert all(entry["who"] for entry in row["gained"])
                return
    pytest.fail("no turn brought points to both")


def test_points_that_others_gain_carry_their_sign() -> None:
    # Canals that one player lays bring water to everybody's houses.
    start = aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"], events=False)
    board = Board(start, seed=1)
    for turn in ("spring 2.2", "roll, die 4, 3 b2, stop"):
        board.play(turn)
    board.play(next(turn for turn in board.position.turns() if str(turn).startswith("canal") and "2.2" in str(turn)))
    told = [row["gained"] for row in board.tree]
    gained = [(now - then) for now, then in zip(board.position.scores(), (0, 0), strict=True)]
    assert sum(entry["points"] for row in told for entry in row) == sum(gained)


def test_dice_that_bots_roll_are_told() -> None:
    board = Board(aquakit.start("aquadukt4", seed=1), players=dict.fromkeys((2, 3, 4), "greedy"), seed=1)
    board.play("spring 3.5")
    board.wait()
    rolls = [str(act) for node in board.record.root.main()[2:] for act in node.turn or () if str(act).startswith("die")]
    assert rolls
    told = " ".join(words(row) for row in board.tree[2:])
    for roll in rolls:
        assert f"rolled {roll.split()[-1]}" in told


def test_what_is_hidden_gives_no_points_away() -> None:
    board = Board(aquakit.start("aquadukt2-6x5", mountains=["a5", "f4"], events="mf"), seed=3)
    for _ in range(8):
        board.play(next(iter(board.position.turns())))
    for row, node in zip(board.tree[1:], board.record.root.main()[1:], strict=True):
        before, now = node.parent.position.view().scores(), node.position.view().scores()
        assert sum(entry["points"] for entry in row["gained"]) == sum(now) - sum(before)


def test_a_row_is_gone_to_without_waking_a_bot() -> None:
    board = after_three_bots()
    tell(board, do="go", at="0.0")
    assert board.node.number == 2
    assert board.bot == "stopped"
    assert board.length == 4
    tell(board, do="last")
    assert (board.index, board.bot) == (4, "")


def test_arrow_keys_go_turn_by_turn_also_through_those_of_bots() -> None:
    board = after_three_bots()
    for index in (3, 2, 1, 0, 0):
        tell(board, do="earlier")
        assert board.index == index
    for index in (1, 2, 3, 4, 4):
        tell(board, do="later")
        assert board.index == index


def test_within_a_turn_one_step_earlier_is_its_start() -> None:
    board = Board(SMALL)
    board.play(FIRST)
    board.choose(board.offer["choices"][0]["id"])
    tell(board, do="earlier")
    assert board.picked == []
    assert board.node.number == 1


# Replay


def steps(board: Board) -> list[tuple[str, int]]:
    """Lets a replay run to its end, as the page does."""
    seen = []
    while board.showing:
        assert board.showing["pause"] > 0
        seen.append((board.offer["prompt"], board.position.player or 0))
        tell(board, do="advance", step=board.showing["at"])
        assert len(seen) < 40
    return seen


def test_a_replay_shows_what_the_bots_have_played_and_ends_by_itself() -> None:
    board = after_three_bots()
    there, line = board.position, board.record.root.main()
    assert board.replayable == 3
    tell(board, do="replay")
    seen = steps(board)
    assert seen[0] == ("Replay of 3 turns", 2)
    assert seen[1][0].startswith("Replay of 3 turns, turn 1 of 3: Yellow: ")
    numbers = [prompt.split(", turn ")[1][0] for prompt, _ in seen[1:]]
    assert numbers == sorted(numbers)
    assert set(numbers) == {"1", "2", "3"}
    assert board.position == there
    assert board.record.root.main() == line
    assert (board.bot, board.index) == ("", 4)
    assert board.offer["prompt"] == "Red: choose an aqueduct to extend"


def test_without_bots_the_last_turn_is_shown_again() -> None:
    board = Board(SMALL)
    assert board.replayable == 0
    board.replay()
    assert board.showing is None
    board.play(FIRST)
    assert board.replayable == 1
    board.replay()
    assert board.position == SMALL
    assert board.showing == {"at": 0, "pause": 800}
    board.back()
    assert board.position.player == 2


def test_a_late_tick_of_another_page_is_not_heard_twice() -> None:
    board = after_three_bots()
    board.replay()
    for _ in range(3):
        tell(board, do="advance", step=0)
    prompt = board.offer["prompt"]
    assert prompt.startswith("Replay of 3 turns, turn 1 of 3")


def test_who_steps_by_hand_stops_the_clock() -> None:
    board = after_three_bots()
    board.replay()
    board.choose("later")
    board.choose("later")
    assert board.showing["pause"] == 0
    assert ", turn 2 of 3: Green: " in board.offer["prompt"]
    tell(board, do="earlier")
    assert ", turn 1 of 3: Yellow: " in board.offer["prompt"]
    tell(board, do="earlier")
    assert board.offer["prompt"] == "Replay of 3 turns"
    tell(board, do="earlier")
    assert board.offer["prompt"] == "Red: choose an aqueduct to extend"


def test_playing_ends_a_replay() -> None:
    board = after_three_bots()
    there = board.position
    board.replay()
    turn = next(iter(there.turns()))
    board.play(turn)
    assert board.node.line()[5].turn == turn


def test_a_replay_is_not_kept_as_the_place_of_the_game() -> None:
    board = Board(SMALL, name="replayed")
    board.play(FIRST)
    board.replay()
    board.choose("later")
    again = aquakit.resume("replayed")
    assert again.position == board.record.root.main()[-1].position


# Lines


def with_line() -> Explorer:
    explorer = Explorer(SMALL)
    explorer.lines = [THIRD, {"turn": FIRST, "note": "sound", "then": [SECOND]}]
    return explorer


def test_a_line_is_gone_through_and_the_game_stays_where_it_is() -> None:
    explorer = with_line()
    tell(explorer, do="show", turn=FIRST)
    assert explorer.offer["prompt"].startswith("Line 2, turn 1 of 2: Red: bridge on b3")
    assert explorer.position == SMALL.play(FIRST)
    tell(explorer, do="later")
    assert explorer.offer["prompt"].startswith("Line 2, turn 2 of 2: Green: ")
    tell(explorer, do="later")
    assert explorer.position == SMALL.play(FIRST).play(SECOND)
    assert not explorer.record.root.children
    assert [line["turn"] for line in explorer.lines] == [THIRD, FIRST]
    assert set(explorer.line_words) == {THIRD, FIRST}
    explorer.back()
    assert explorer.position == SMALL
    assert [line["turn"] for line in explorer.lines] == [THIRD, FIRST]


def test_a_line_is_played_as_far_as_it_is_shown() -> None:
    explorer = with_line()
    explorer.show_line(2)
    explorer.later()
    explorer.choose("play")
    assert [str(node.turn) for node in explorer.record.root.main()[1:]] == [FIRST, SECOND]
    assert explorer.node.number == 2
    assert explorer.lines == []


def test_from_one_line_to_another() -> None:
    explorer = with_line()
    explorer.show_line(2)
    explorer.show_line(1)
    assert explorer.offer["prompt"].startswith("Line 1, turn 1 of 1: ")
    explorer.back()
    assert explorer.position == SMALL


def test_a_line_must_be_one_that_is_listed() -> None:
    explorer = with_line()
    for number in (0, 3):
        with pytest.raises(InvalidOption, match="line"):
            explorer.show_line(number)
    tell(explorer, do="show", turn=SECOND)
    assert explorer.problem
    assert explorer.position == SMALL


def test_what_follows_must_be_possible() -> None:
    explorer = Explorer(SMALL)
    with pytest.raises(aquakit.errors.AquakitError):
        explorer.lines = [{"turn": FIRST, "then": [FIRST]}]
    assert explorer.lines == []


def test_an_analysis_thinks_on_while_its_line_is_shown() -> None:
    explorer = Explorer(SMALL)
    explorer.analyse()
    wait_for(lambda: explorer.lines)
    first = explorer.lines[0]["turn"]
    explorer.show_line(1)
    assert explorer.analysing
    explorer.back()
    assert first in [line["turn"] for line in explorer.lines]
    explorer.rest()


def test_a_replay_marks_the_row_of_the_turn_that_is_shown() -> None:
    board = after_three_bots()
    rows = [row["at"] for row in board.tree]
    assert board.seen == board.at == rows[4]
    board.replay()
    seen = []
    while board.showing:
        seen.append(board.seen)
        tell(board, do="advance", step=board.showing["at"])
    assert list(dict.fromkeys(seen)) == rows[2:5]
    assert board.at == rows[4]


def test_of_many_turns_that_bots_played_alone_only_a_round_is_numbered() -> None:
    alone = str(aquakit.start("romana2-5x4")).replace("*.*,*.*", "1.0,*.*").replace(" 1 0", " 2 0")
    board = Board(alone, players={2: "random"}, seed=1)
    board.wait()
    assert board.position.is_over
    assert board.index > 2
    labels = {label for label in board._marked()[0].values() if label}
    assert labels <= {"1", "2"}
