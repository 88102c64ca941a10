"""Verdicts: right answers need no solver, wrong ones are explained, rivals reply well, and all work can be stopped."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
from small_puzzles import ASKED, EVERY, prove
from tiny_puzzles import RIVAL_PICKS, make_set
from waiting import PATIENCE, wait_for

import aquakit
from aquakit.aquadukt.puzzles import house
from aquakit.aquadukt.puzzles.house_study import study
from aquakit.cli.demo import AQUADUKT
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Answer, Puzzle
from aquakit.romana.notation import Turn
from aquakit.romana.puzzles.longest import lay
from aquakit.training.verdict import JudgingStopped, Verdict

TURNS = ("plan", "duel", "endgame")


def ask(kind: str, position: Any, horizon: int, given: dict[str, Any] | None = None, value: int = 99) -> Puzzle:
    """Asks something; what it is worth is not known."""
    return Puzzle.draft(kind, str(position), horizon, given).model_copy(update={"value": value})


# What the file accepts


def test_what_the_file_accepts_is_right_without_any_solver() -> None:
    code = """
import sys
sys.modules["numba"] = sys.modules["ortools"] = None
from aquakit.puzzle.collection import puzzles
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE
made = puzzles("first-steps")
for puzzle in made.puzzles:
    answer = made.answer(puzzle)
    whole = {"timing": answer.line, "longest": answer.line, "canals": answer.line, "house": answer.accepted[0]}
    verdict = find_kind(puzzle.kind).judge(puzzle, whole.get(puzzle.kind, answer.line.split(LINE)[0]), answer=answer)
    assert verdict.right and verdict.loss == 0 and verdict.value == puzzle.value, puzzle.id
print(len(made), "right")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.endswith(" right\n"), done.stderr


@pytest.mark.parametrize("name", TURNS)
def test_the_files_answer_changes_no_verdict(name: str) -> None:
    puzzle, proof = prove(name)
    kind, answer = find_kind(name), Answer.make(proof, "Because.")
    first, _, rest = proof.line.partition(LINE)
    known = kind.judge(puzzle, first, answer=answer)
    assert known.refutation == rest
    for turn in [first, *map(str, list(puzzle.start.turns())[:10])]:
        with_file, without = kind.judge(puzzle, turn, answer=answer), kind.judge(puzzle, turn)
        assert (with_file.right, with_file.value, with_file.words) == (without.right, without.value, without.words)


def test_a_house_is_right_by_the_file_only_as_far_as_the_file_goes() -> None:
    made = make_set("roll")
    puzzle, answer, kind = made[0], made.answer("roll"), find_kind("house")
    best = answer.accepted[0]
    assert kind.judge(puzzle, best, answer=answer) == kind.judge(puzzle, best)
    with pytest.raises(aquakit.errors.InvalidTurn, match="die 99"):
        kind.judge(puzzle, f"{best}, roll, die 99", answer=answer)
    assert kind.judge(puzzle, "decline", answer=answer).loss > 0


# Rivals


def test_the_rivals_pick_at_the_end_of_a_turn_may_be_left_out_and_is_the_best_reply() -> None:
    asked = ask("duel", RIVAL_PICKS, 3)
    kind = find_kind("duel")
    left_out = kind.judge(asked, "d3=+@Ne x-")
    picked = {builder: kind.judge(asked, f"d3=+@Ne x- *{builder}") for builder in "sj"}
    assert set(picked.values()) == {left_out}, "what stands in the text is the rival's to decide"
    pick, _, rest = left_out.refutation.partition(LINE)
    name = {"*s": "straight builder", "*j": "joker"}[pick]
    assert left_out.words.endswith(f"; in this turn Red picks the {name}, the best reply")
    assert kind.worth(asked, f"d3=+@Ne x- {pick} / {rest}") == left_out.value
    values = {builder: worth_after_pick(asked, builder) for builder in "sj"}
    assert left_out.value == min(values.values()) == values[pick[1]]


def worth_after_pick(asked: Puzzle, builder: str) -> float:
    """Gets what the duel is worth for Green after Red's pick, by the solver itself."""
    after = asked.start.play(f"d3=+@Ne x- *{builder}")
    found = aquakit.solve(after, turns=asked.horizon - 1)
    assert found.value is not None
    return -found.value


def test_own_decisions_must_be_complete() -> None:
    with pytest.raises(aquakit.errors.IllegalTurn, match="the turn is not complete"):
        find_kind("duel").judge(ask("duel", RIVAL_PICKS, 1), "f1=+@Ne xG1")
    with pytest.raises(aquakit.errors.IllegalTurn, match="is empty"):
        find_kind("duel").judge(ask("duel", RIVAL_PICKS, 1), "")


# Why not


def test_a_schedule_is_told_round_by_round_with_the_podiums_that_were_taken() -> None:
    puzzle, _ = prove("timing")
    verdict = find_kind("timing").judge(puzzle, "R2@3")
    assert [(reason.on, reason.player, str(reason)) for reason in verdict.reasons] == [
        ("G1", 2, "Round 2: G1 is closed at length 4: podium 4"),
        ("R2", 1, "Round 3: R2 is closed at length 4: podium 3; taken: 4 by G1"),
        ("R1", 1, "After the last round: R1 is scored at length 0: no podium"),
        ("R3", 1, "After the last round: R3 is scored at length 5: podium 5"),
    ]
    own = [reason.label for reason in verdict.reasons if reason.player == 1]
    assert sum(int(label.removeprefix("→ ")) for label in own) == verdict.value


def test_what_is_closed_too_early_is_told_what_it_would_have_become() -> None:
    puzzle, _ = prove("timing")
    first = find_kind("timing").judge(puzzle, "R3@1").reasons[0]
    assert str(first) == "Round 1: R3 is closed at length 3: podium 3; left alone it becomes 5 long"


def test_the_first_tile_that_costs_length_is_found() -> None:
    asked = ask("longest", aquakit.start("romana2-5x4"), 0, {"aqueduct": "R1"}, value=17)
    tiles = aquakit.longest(asked.start, aqueduct="R1").tiles
    kind = find_kind("longest")
    verdict = kind.judge(asked, "b3=Z a3=L")
    (reason,) = verdict.reasons
    with_it = aquakit.longest(aquakit_board(asked, "b3=Z a3=L"), aqueduct="R1").value
    assert (reason.on, reason.label, str(reason)) == (
        "a3",
        f"-{17 - with_it}",
        f"Curve from north to east on a3 costs {17 - with_it}: "
        f"with it R1 becomes {with_it} long at most, before it 17 was possible",
    )
    assert kind.worth(asked, verdict.refutation) == with_it
    assert verdict.refutation.startswith("b3=Z a3=L")
    short = kind.judge(asked, " ".join(tiles[:3]))
    assert short.refutation == ""
    assert str(short.reasons[0]) == "No tile is wrong: R1 can still become 17 long with these tiles"


def aquakit_board(asked: Puzzle, tiles: str) -> Any:
    """Gets the board with some tiles laid."""
    from aquakit.romana.puzzles.longest import put_tiles

    return put_tiles(asked.start, Turn.parse(tiles))


def test_tiles_may_be_named_in_any_order_and_the_first_wrong_one_is_still_found() -> None:
    asked = ask("longest", aquakit.start("romana2-5x4"), 0, {"aqueduct": "R1"}, value=17)
    kind = find_kind("longest")
    assert kind.judge(asked, "a3=L b3=Z").reasons == kind.judge(asked, "b3=Z a3=L").reasons
    assert (
        lay(asked.start, "R1", Turn.parse("a3=L b3=Z")).length == lay(asked.start, "R1", Turn.parse("b3=Z a3=L")).length
    )


def test_the_first_canal_that_costs_houses_is_found() -> None:
    text, horizon, given = EVERY["canals"]
    asked = ask("canals", text, horizon, given, value=3)
    kind = find_kind("canals")
    verdict = kind.judge(asked, "canal 3.2v, canal 3.3h")
    assert [str(reason) for reason in verdict.reasons] == [
        "Canal from 3.3 to 4.3 costs 3: with it 0 is the most, before it +3 was possible"
    ]
    assert (verdict.reasons[0].on, verdict.reasons[0].step) == ("3.3h", 2)
    assert verdict.refutation == "canal 3.2v, canal 3.3h"
    verdict = kind.judge(asked, "canal 3.1v, canal 3.1v")
    assert verdict.reasons[0].text == "Canal from 3.2 to 3.1 costs 3"
    assert kind.worth(asked, verdict.refutation) == verdict.value == 0


# Ending early

FIRST_ROLL = aquakit.start("aquadukt4", seed=3).play("spring 4.4").play("spring 8.6").play("spring 8.1").act("roll")
CANALS = aquakit.parse(AQUADUKT)
LONG: dict[str, tuple[Puzzle, str]] = {
    "plan": (ask("plan", aquakit.start("romana4").solo(1), 9), "c7=L@Nc x-"),
    "duel": (ask("duel", aquakit.start("romana2"), 9), "b1=N@W1 x-"),
    "endgame": (ask("endgame", aquakit.start("romana2"), 0), "b1=N@W1 x-"),
    "longest": (ask("longest", aquakit.start("romana4"), 0, {"aqueduct": "R2"}), "c7=|"),
    "canals": (ask("canals", CANALS, 13), next(str(action) for action in CANALS.actions() if action.what == "canal")),
    "house": (ask("house", FIRST_ROLL.act(FIRST_ROLL.actions()[0]), 3), "decline"),
}
"""Questions of which none is answered in less than some seconds."""


def judge_beside(puzzle: Puzzle, attempt: str, stop: threading.Event, said: list[str]) -> tuple[threading.Thread, Any]:
    """Judges in a thread; what comes of it stands in a list."""
    came: list[Verdict | BaseException] = []

    def work() -> None:
        try:
            came.append(find_kind(puzzle.kind).judge(puzzle, attempt, stop=stop, tell=said.append))
        except BaseException as problem:
            came.append(problem)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread, came


@pytest.mark.parametrize("name", LONG)
def test_judging_ends_when_it_is_stopped(name: str) -> None:
    puzzle, attempt = LONG[name]
    stop, said = threading.Event(), list[str]()
    thread, came = judge_beside(puzzle, attempt, stop, said)
    wait_for(lambda: said or not thread.is_alive())  # a first search of a kind is compiled
    thread.join(0.3)
    assert thread.is_alive(), came
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert [type(outcome) for outcome in came] == [JudgingStopped]
    working = [other.name for other in threading.enumerate() if other.name.startswith("aquakit")]
    assert working == [], "no thread goes on in the background"


def test_a_stopped_study_of_houses_is_not_kept() -> None:
    puzzle, _ = LONG["house"]
    stopped = threading.Event()
    stopped.set()
    with pytest.raises(JudgingStopped):
        study(puzzle.start, 3, stopped)
    quick = make_set("roll")[0]
    made = study(quick.start, quick.horizon, threading.Event())
    assert study(quick.start, quick.horizon, stopped) is made, "and one that is kept is used whatever was stopped"
    assert made.line(made.position)


@pytest.mark.parametrize("name", ASKED)
def test_a_stop_that_nobody_sets_changes_nothing(name: str) -> None:
    puzzle, proof = prove(name)
    attempt = proof.line.split(LINE)[0] if name in TURNS else proof.line
    kind = find_kind(name)
    assert kind.judge(puzzle, attempt, stop=threading.Event()) == kind.judge(puzzle, attempt)


# Words of the question


def test_a_question_about_a_house_needs_no_study(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, _ = LONG["house"]
    monkeypatch.setattr(house, "study", lambda *_: pytest.fail("a study takes many seconds"))
    assert find_kind("house").goal(puzzle).startswith("The die shows")
