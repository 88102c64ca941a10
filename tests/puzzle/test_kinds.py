"""Every kind of puzzle is proved exactly: all best answers, no other, the margin, and a line that reaches the value."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from small_puzzles import ANNOUNCED, ASKED, BOTH_HOLD, RACE, prove

import aquakit
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidTurn, ProofFailure
from aquakit.puzzle import answers
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Puzzle, PuzzleError
from aquakit.puzzle.roster import kind_names
from aquakit.romana.planner.longest import model
from aquakit.romana.puzzles import longest, ways
from aquakit.romana.puzzles.timing import _list_schedules, _read, _tokens, _write

VALUES = Path(__file__).parents[1] / "romana" / "data" / "values.txt"
TURNS = ("plan", "duel", "endgame")


# The registry


@pytest.mark.parametrize("name", kind_names())
def test_every_kind_is_found_by_its_name(name: str) -> None:
    assert find_kind(name).name == name


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InvalidOption, match="kind: 'quiz'; expected one of plan, timing"):
        find_kind("quiz")


# What all kinds have in common


@pytest.mark.parametrize("name", ASKED)
def test_the_line_reaches_the_value_and_begins_with_an_accepted_answer(name: str) -> None:
    puzzle, proof = prove(name)
    kind = find_kind(name)
    assert kind.worth(puzzle, proof.line) == proof.value
    assert any(kind.matches(puzzle, proof.line, answer) for answer in proof.accepted)
    assert kind.judge(puzzle, proof.line if name not in TURNS else proof.line.split(LINE)[0]).right


@pytest.mark.parametrize("name", ASKED)
def test_the_goal_is_a_question_that_gives_nothing_away(name: str) -> None:
    puzzle, proof = prove(name)
    goal = find_kind(name).goal(puzzle)
    assert goal.endswith("?")
    assert not any(answer in goal for answer in (*proof.accepted, proof.line))


@pytest.mark.parametrize("name", ASKED)
def test_a_proof_rests_on_position_horizon_and_given_alone(name: str) -> None:
    puzzle, proof = prove(name)
    again = find_kind(name).prove(puzzle.model_copy(update={"value": 99, "id": "other", "title": "Other"}))
    assert (again.value, again.accepted, again.margin) == (proof.value, proof.accepted, proof.margin)


def attempts(puzzle: Puzzle) -> Iterator[str]:
    """Lists everything that can be answered."""
    if puzzle.kind == "timing":
        case = _read(puzzle)
        yield from (_write(_tokens(case, orders)) for orders, _ in _list_schedules(puzzle, case))
    else:
        yield from map(str, puzzle.start.turns())


@pytest.mark.parametrize("name", [*TURNS, "timing"])
def test_judging_every_answer_agrees_with_the_accepted_ones_and_the_margin(name: str) -> None:
    puzzle, proof = prove(name)
    kind, losses = find_kind(name), list[Any]()
    for attempt in attempts(puzzle):
        verdict = kind.judge(puzzle, attempt)
        assert verdict.right == any(kind.matches(puzzle, attempt, answer) for answer in proof.accepted), attempt
        assert verdict.loss == proof.value - verdict.value
        losses += [verdict.loss] if not verdict.right else []
    assert min(losses) == proof.margin


@pytest.mark.parametrize("name", TURNS)
def test_the_line_after_an_attempt_reaches_what_the_verdict_says(name: str) -> None:
    puzzle, _ = prove(name)
    kind = find_kind(name)
    for attempt in random.Random(1).sample(list(attempts(puzzle)), 12):
        verdict = kind.judge(puzzle, attempt)
        line = LINE.join(filter(None, [attempt, verdict.refutation]))
        assert kind.worth(puzzle, line) == verdict.value
        assert str(abs(int(verdict.value))) in verdict.words


@pytest.mark.parametrize("name", ASKED)
def test_an_impossible_attempt_names_what_is_wrong_with_it(name: str) -> None:
    puzzle, _ = prove(name)
    wrong = {"timing": "R9@1", "longest": "a8=L"}.get(name, "d3=L@W3 x-")
    with pytest.raises(AquakitError) as caught:
        find_kind(name).judge(puzzle, wrong)
    assert caught.value.where in wrong


@pytest.mark.parametrize(
    ("name", "text", "horizon", "given", "field"),
    [
        ("plan", BOTH_HOLD.format(player=1), 2, {}, "position"),
        ("plan", BOTH_HOLD.format(player="1!"), 0, {}, "horizon"),
        ("plan", BOTH_HOLD.format(player="1!"), 2, {"player": 1}, "given"),
        ("duel", BOTH_HOLD.format(player="1!"), 2, {}, "position"),
        ("duel", str(aquakit.start("romana4")), 2, {}, "position"),
        ("duel", BOTH_HOLD.format(player=1), 0, {}, "horizon"),
        ("duel", str(aquakit.start("aquadukt2", seed=1)), 2, {}, "position"),
        ("endgame", BOTH_HOLD.format(player=1), 3, {}, "horizon"),
        ("longest", BOTH_HOLD.format(player=1), 0, {}, "given.aqueduct"),
        ("longest", BOTH_HOLD.format(player=1), 0, {"aqueduct": "R1"}, "given.aqueduct"),
        ("longest", BOTH_HOLD.format(player=1), 1, {"aqueduct": "R2"}, "horizon"),
        ("timing", RACE, 0, ANNOUNCED, "horizon"),
        ("timing", RACE, 3, {}, "given.growth"),
        ("timing", RACE, 3, {"growth": {"R7": [1]}}, "given.growth"),
        ("timing", RACE, 3, {"growth": {"R2": [1]}}, "given.growth.R2"),
        ("timing", RACE, 3, {"growth": {}, "rivals": {"R2": 1}}, "given.rivals.R2"),
        ("timing", RACE, 3, {"growth": {}, "rivals": {"G1": 4}}, "given.rivals.G1"),
        ("timing", RACE, 3, {"growth": {}, "rival": {"G1": 2}}, "given.rival"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_puzzle_and_field(
    name: str, text: str, horizon: int, given: dict[str, Any], field: str
) -> None:
    asked = Puzzle.draft(name, text, horizon, given)
    for ask in (find_kind(name).prove, find_kind(name).goal):
        with pytest.raises(PuzzleError) as caught:
            ask(asked)
        assert caught.value.where == f"draft: {field}"


# Turns alone, and against a rival


def known_values() -> Iterator[Any]:
    for line in VALUES.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, turns, value, best, text = line.split("\t")
            yield pytest.param(kind, text, int(turns), int(value), int(best), id=f"{kind} {turns} {value} {best}")


@pytest.mark.parametrize(("kind", "text", "turns", "value", "best"), list(known_values()))
def test_accepted_answers_stand_for_as_many_turns_as_exhaustive_play_knows(
    kind: str, text: str, turns: int, value: int, best: int
) -> None:
    asked = Puzzle.draft(kind, text, turns)
    proof = find_kind(kind).prove(asked)
    accepted = [answers.read(answer) for answer in proof.accepted]
    stands_for = sum(
        any(answers.contains(tuple(map(str, turn)), answer) for answer in accepted) for turn in asked.start.turns()
    )
    assert (proof.value, stands_for) == (value, best)


def test_plan_finds_all_first_turns_where_the_search_meets_the_same_states_again() -> None:
    board = "romana2-7x6 F+##..7/+.N..../......./.....+./...+ZZ./L..##.J"
    asked = Puzzle.draft("plan", f"{board} jc.b.s./cd.c../.c...sb/..dc.. s -,- *.0.*,*.*.1 9.9.4.5 1! 0", 3)
    start, kind = asked.start, find_kind("plan")
    proof = kind.prove(asked)
    turns = [str(turn) for turn in start.turns()]
    best = [turn for turn in turns if aquakit.plan(start, turns=3, first=turn).points == proof.value]
    assert best == [turn for turn in turns if any(kind.matches(asked, turn, answer) for answer in proof.accepted)]
    assert len({turn.split()[0] for turn in best}) == 4


def test_picks_of_the_rival_are_not_held_against_the_player() -> None:
    text = "romana2-5x4 F##.7/.|.../.Z.../L+##J .c.s./b.d./.c..s/.b.d dj -,- *.*,*.* 4.3.2.2 2 0"
    asked = Puzzle.draft("duel", text, 3)
    kind = find_kind("duel")
    proof = kind.prove(asked)
    asked = asked.model_copy(update={"value": proof.value})
    picked = [kind.judge(asked, f"a2=|@Sa c2=- x- *{builder}") for builder in "dj"]
    assert [verdict.right for verdict in picked] == [True, True]
    assert [verdict.value for verdict in picked] == [proof.value, proof.value]
    assert proof.accepted == ("c2=-",)


def test_more_than_two_players_can_play_an_endgame_but_no_duel() -> None:
    text = "romana4 " + str(aquakit.start("romana4")).split(" ", 1)[1]
    assert find_kind("endgame").goal(Puzzle.draft("endgame", text, 0)).endswith("whatever the others do?")


def test_a_line_that_stops_too_soon_is_refused() -> None:
    puzzle, proof = prove("duel")
    with pytest.raises(PuzzleError, match="small-duel: line: 2 turns and the game goes on; expected 3 turns"):
        find_kind("duel").worth(puzzle, LINE.join(proof.line.split(LINE)[:2]))


# Schedules


def test_timing_takes_a_podium_before_the_rival_does() -> None:
    puzzle, proof = prove("timing")
    assert (proof.value, proof.margin, proof.accepted) == (9, 1, ("wait R2@2",))
    verdict = find_kind("timing").judge(puzzle, "wait")
    assert (verdict.right, verdict.loss, verdict.words) == (
        False,
        1,
        "8 podium points: R1 0, R2 3, R3 5; 1 fewer than possible",
    )


def test_points_of_before_are_told_apart() -> None:
    known = aquakit.puzzles("podiums")
    for puzzle in known.puzzles:
        words = find_kind("timing").judge(puzzle, known.answer(puzzle).line).words
        total, _, parts = words.partition(" podium points: ")
        found = re.findall(r"[RYGB]\d (\d+)|and (\d+) from before", parts)
        assert sum(int(new or old) for new, old in found) == int(total)


def test_a_schedule_says_what_is_announced_in_words() -> None:
    goal = find_kind("timing").goal(prove("timing")[0])
    assert "R2 3, 4, 4; R3 3, 3, 5\nG1 3, 4, 4; G3 0, 0, 0\n" in goal
    assert "Closed by their owners: G1 in round 2" in goal


def test_what_is_left_open_may_be_said_or_not() -> None:
    puzzle, _ = prove("timing")
    kind = find_kind("timing")
    for attempt in ("R2@2", "wait R2@2", "R2@2 R3@-", "R3@3 R2@2"):
        assert kind.judge(puzzle, attempt).right
        assert kind.matches(puzzle, attempt, "R2@2")
    assert not kind.matches(puzzle, "wait", "R2@2")


@pytest.mark.parametrize(
    ("attempt", "error", "problem"),
    [
        ("R2", InvalidTurn, "R2: cannot be read"),
        ("", InvalidTurn, "schedule: is empty"),
        ("G1@1", IllegalTurn, "G1 is no open aqueduct of this player"),
        ("R2@4", IllegalTurn, "there is no round 4"),
        ("R2@1 R2@2", IllegalTurn, "R2 stands twice"),
        ("R2@2 R3@2", IllegalTurn, r"two are closed in one turn \(section 5, step 6\)"),
        ("wait R2@1", IllegalTurn, "something is closed in round 1"),
        ("R1@1", IllegalTurn, r"R1 cannot be closed in round 1 \(section 5, steps 5 and 6\) \[R9\]"),
    ],
)
def test_a_schedule_that_the_rules_refuse_is_named(attempt: str, error: type[AquakitError], problem: str) -> None:
    with pytest.raises(error, match=problem):
        find_kind("timing").judge(prove("timing")[0], attempt)


def test_no_own_aqueduct_is_closed_in_a_turn_in_which_one_is_walled_in() -> None:
    growth = {"R2": {"lengths": [3, 4, 4], "ends": 2}, "R3": [3, 3, 5]}
    asked = Puzzle.draft("timing", RACE, 3, {"growth": growth})
    with pytest.raises(IllegalTurn, match="R3 cannot be closed in round 2"):
        find_kind("timing").judge(asked, "R3@2")
    assert "R2 3, 4, then walled in by Red" in find_kind("timing").goal(asked)


# Tiles


def test_longest_takes_the_tiles_in_any_order_and_any_that_reach_the_length() -> None:
    puzzle, proof = prove("longest")
    kind = find_kind("longest")
    assert proof.accepted == ("any 8",)
    tiles = proof.line.split()
    for seed in range(5):
        random.Random(seed).shuffle(tiles)
        assert kind.judge(puzzle, " ".join(tiles)).right
        assert kind.matches(puzzle, " ".join(tiles), "any 8")


def test_the_margin_is_what_the_next_shorter_way_is_shorter_by() -> None:
    puzzle, proof = prove("longest")
    kind, tiles = find_kind("longest"), proof.line.split()
    shorter = [kind.judge(puzzle, " ".join(tiles[:number])) for number in range(1, len(tiles))]
    assert proof.margin == 2
    assert all(verdict.loss >= proof.margin for verdict in shorter)
    assert f"R2 becomes {shorter[-1].value} long, {shorter[-1].loss} less than possible" == shorter[-1].words


@pytest.mark.parametrize(
    ("attempt", "problem"),
    [
        ("d3=Z@W4", "is no tile on a square"),
        ("d2=F", "d2 is not empty"),
        ("z9=F", "there is no square z9"),
        ("a2=F", "R2 does not pass a2"),
        ("d3=J c3=F c2=L", "no tile of this kind is left"),
    ],
)
def test_tiles_that_the_rules_refuse_are_named(attempt: str, problem: str) -> None:
    with pytest.raises(AquakitError, match=problem):
        find_kind("longest").judge(prove("longest")[0], attempt)


def test_tiles_may_not_join_two_aqueducts() -> None:
    asked = Puzzle.draft("longest", RACE, 0, {"aqueduct": "R1"})
    with pytest.raises(IllegalTurn, match=r"b4=L: would join two aqueducts \(section 4\) \[R3\]"):
        find_kind("longest").judge(asked, "b6=F c4=- b4=L")


def test_a_model_that_finds_too_little_contradicts_the_ways_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = model.keep_to_the_stock
    monkeypatch.setattr(model, "keep_to_the_stock", lambda m, stock: keep(m, [max(0, left - 1) for left in stock]))
    with pytest.raises(
        ProofFailure, match=r"R2 can become 6 long by .*, but cpsat proves that it becomes no longer than 5;"
    ):
        find_kind("longest").prove(prove("longest")[0])


def test_without_time_for_all_ways_a_longest_one_has_one_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, proof = prove("longest")
    monkeypatch.setattr(ways, "LOOKS", 1)
    monkeypatch.setattr(longest, "WAYS_SECONDS", 0.0)
    alone = find_kind("longest").prove(puzzle)
    assert (proof.method, alone.method) == ("exhaustive+cpsat", "cpsat")
    assert alone.value == proof.value
