"""The trainer without a browser: answers of every kind, verdicts, hints, solutions, what is kept and what is secret."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clicking import ids, tell
from tiny_puzzles import EQUAL, HARD_TURN, MARKUP, RIGHT, WRONG, explanation, hints, make_hard_set, make_set

from aquakit.board.telling import describe_turn
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidTurn
from aquakit.puzzle import asking
from aquakit.puzzle.model import PuzzleError, PuzzleSet
from aquakit.training.progress import Progress
from aquakit.training.progress_file import FILE, InvalidProgress
from aquakit.widgets.tasks.puzzle import PuzzlePanel
from aquakit.widgets.trainer import Trainer


@pytest.fixture(scope="module")
def puzzles() -> PuzzleSet:
    return make_set()


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress(tmp_path / "progress.sqlite")


@pytest.fixture
def trainer(puzzles: PuzzleSet, progress: Progress) -> Iterator[Trainer]:
    made = Trainer(puzzles, progress=progress, first="five")
    yield made
    made.close()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Keeps every verdict back until it is let through."""
    opened = threading.Event()

    real = asking.judge_attempt

    def wait(*asked: Any) -> Any:
        assert opened.wait(30)
        return real(*asked)

    monkeypatch.setattr(asking, "judge_attempt", wait)
    yield opened
    opened.set()


def play(trainer: Trainer, turn: str) -> dict[str, Any]:
    """Plays an answer, waits for the verdict and gets what is shown of it."""
    trainer.play(turn)
    trainer.wait(120)
    verdict: dict[str, Any] = trainer.task["verdict"]
    return verdict


def click(trainer: Trainer, *choices: str) -> None:
    """Clicks on choices; what leaves none is not asked."""
    for choice in choices:
        if choice in ids(trainer):
            tell(trainer, do="choose", id=choice)


def kept(progress: Progress) -> list[tuple[str, str, str, int, bool]]:
    """Lists what was written down."""
    return [(a.task, a.answer, a.outcome, a.hints, a.shown) for a in progress.attempts()]


# Verdicts


def test_the_answer_of_the_file_is_right(trainer: Trainer, progress: Progress) -> None:
    verdict = play(trainer, RIGHT)
    assert verdict["outcome"] == "right"
    assert verdict["words"] == "5 podium points in 1 turn: more is not possible."
    assert kept(progress) == [("five", RIGHT, "right", 0, False)]
    assert trainer.task["standing"] == "solved"
    assert trainer.task["tally"].startswith("1 of 9 puzzles solved")


def test_another_answer_with_the_same_value_is_equally_good(trainer: Trainer, progress: Progress) -> None:
    assert play(trainer, EQUAL)["outcome"] == "equal"
    assert kept(progress) == [("five", EQUAL, "equal", 0, False)]


def test_what_the_answer_leaves_open_changes_nothing(trainer: Trainer) -> None:
    assert play(trainer, EQUAL.replace("*b", "*j"))["outcome"] == "equal"


def test_a_wrong_answer_says_what_it_loses_and_is_refuted_on_the_board(trainer: Trainer, progress: Progress) -> None:
    trainer.turn_to("two-turns")
    verdict = play(trainer, WRONG)
    assert (verdict["outcome"], verdict["head"]) == ("wrong", "Not the best: it loses 2")
    assert kept(progress) == [("two-turns", WRONG, "wrong", 0, False)]
    line = trainer.task["line"]
    assert line["steps"][0]["text"] == WRONG
    assert line["steps"][0]["told"] == describe_turn(trainer.puzzle.start, WRONG)
    assert (line["title"], line["at"], len(line["steps"])) == ("Refutation", 0, 2)
    after = trainer.puzzle.start.play(WRONG)
    assert trainer.position == after
    tell(trainer, do="step", number=1)
    assert trainer.position == after.play(line["steps"][1]["text"])
    assert trainer.position.study_points() == trainer.verdict.value
    trainer.undo()
    assert trainer.position == after
    trainer.redo()
    assert trainer.task["line"]["at"] == 1


def test_the_best_replies_of_a_rival_are_shown(trainer: Trainer) -> None:
    trainer.turn_to("reply")
    worst = str(next(trainer.puzzle.start.turns()))
    verdict = play(trainer, worst)
    reply = trainer.task["line"]["steps"][-1]
    assert [chip["text"] for chip in reply["who"]] == ["R", "G"]
    assert verdict["outcome"] in ("wrong", "equal", "right")


def test_a_wrong_answer_can_be_tried_again(trainer: Trainer, progress: Progress) -> None:
    play(trainer, WRONG)
    with pytest.raises(InvalidTurn, match="this try is over"):
        trainer.play(RIGHT)
    trainer.retry()
    assert trainer.position == trainer.puzzle.start
    assert trainer.task["verdict"] is None
    assert play(trainer, RIGHT)["outcome"] == "right"
    assert [verdict for _, _, verdict, _, _ in kept(progress)] == ["wrong", "right"]
    assert progress.standing(trainer.puzzle).state == "learning"
    assert trainer.task["standing"] == "right, but not at the first try, so it comes back in 16 hours"


def test_what_is_solved_is_written_down_once(trainer: Trainer, progress: Progress) -> None:
    play(trainer, RIGHT)
    trainer.retry()
    play(trainer, WRONG)
    trainer.show_solution()
    assert len(kept(progress)) == 1


def test_an_answer_is_clicked_together(trainer: Trainer) -> None:
    click(trainer, "R2", "E7", "b6=+@E7")
    assert trainer.task["stage"] == "trying"
    tell(trainer, do="choose", id="x-")
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "right"


def test_escape_goes_back_step_by_step_and_undo_to_the_start(trainer: Trainer) -> None:
    trainer.choose("R2")
    assert trainer.picked
    trainer.back()
    assert trainer.picked == []
    click(trainer, "R2", "E7", "b6=+@E7")
    assert str(trainer.position.played) == "b6=+@E7"
    trainer.back()
    assert trainer.position == trainer.puzzle.start
    click(trainer, "R2", "E7", "b6=+@E7")
    trainer.undo()
    assert trainer.position == trainer.puzzle.start


def test_picks_of_a_rival_in_the_turn_are_the_best_reply_and_said(trainer: Trainer, progress: Progress) -> None:
    trainer.turn_to("pick")
    trainer.play("d3=+@Ne x- *j")
    trainer.wait(120)
    verdict, line = trainer.task["verdict"], trainer.task["line"]
    assert verdict["outcome"] == "wrong"
    assert trainer.task["tried"] == "d3=+@Ne x-", "the pick is no part of the answer"
    assert kept(progress)[0][1] == "d3=+@Ne x-"
    assert verdict["words"].endswith(", the best reply.")
    assert "in this turn Red picks the " in verdict["words"]
    pick = line["steps"][1]
    assert pick["text"] in ("*s", "*j")
    assert [chip["text"] for chip in pick["who"]] == ["R"]
    assert pick["note"] == "their pick in your turn: the best reply"
    assert trainer.position.player == 1, "Red is to pick"
    trainer.redo()
    assert trainer.position == trainer.puzzle.start.play(f"d3=+@Ne x- {pick['text']}")


def test_a_turn_is_judged_as_soon_as_only_a_rival_can_go_on(trainer: Trainer) -> None:
    trainer.turn_to("pick")
    trainer.play("d3=+@Ne")
    trainer.wait(120)
    assert (trainer.task["stage"], trainer.task["tried"]) == ("judged", "d3=+@Ne x-")


def test_an_illegal_turn_is_shown_and_nothing_is_kept(trainer: Trainer, progress: Progress) -> None:
    tell(trainer, do="answer", text="a1=+@E7")
    assert "a1=+@E7" in trainer.problem
    with pytest.raises(IllegalTurn):
        trainer.play("a1=+@E7")
    assert trainer.position == trainer.puzzle.start
    assert trainer.task["stage"] == "trying"
    assert kept(progress) == []


# Judging in the background


def test_nothing_can_be_played_while_an_answer_is_checked(trainer: Trainer, gate: threading.Event) -> None:
    trainer.play(RIGHT)
    assert trainer.task["stage"] == "checking"
    assert trainer.offer["choices"] == []
    with pytest.raises(InvalidTurn):
        trainer.play(RIGHT)
    trainer.flip = True
    gate.set()
    trainer.wait(120)
    assert trainer.task["stage"] == "judged"


def test_checking_can_be_stopped_and_then_does_not_count(
    trainer: Trainer, progress: Progress, gate: threading.Event
) -> None:
    trainer.play(RIGHT)
    check = trainer.beside(PuzzlePanel).background
    tell(trainer, do="stop")
    assert trainer.task["stage"] == "trying"
    assert trainer.position == trainer.puzzle.start
    gate.set()
    check.wait(30)
    assert trainer.task["verdict"] is None
    assert kept(progress) == []


@pytest.mark.parametrize("end", [Trainer.stop, Trainer.close, Trainer.show_solution, lambda t: t.turn_to("hard")])
def test_what_is_stopped_is_not_computed_to_its_end(progress: Progress, end: Callable[[Trainer], None]) -> None:
    trainer = Trainer(make_hard_set(), progress=progress)
    trainer.play(HARD_TURN)
    check = trainer.beside(PuzzlePanel).background
    assert check is not None
    check.wait(1)
    assert check.is_working
    end(trainer)
    check.wait(10)
    assert not check.is_working
    assert [thread.name for thread in threading.enumerate() if thread.name.startswith("aquakit")] == []
    assert trainer.task["verdict"] is None


def test_how_far_a_verdict_has_come_is_told(progress: Progress) -> None:
    trainer = Trainer(make_hard_set(), progress=progress)
    said = list[str]()
    trainer.observe(lambda change: said.append(change["new"]), "status")
    trainer.play(HARD_TURN)
    for _ in range(600):
        if any("best so far" in status for status in said):
            break
        trainer.wait(0.1)
    trainer.stop()
    assert any("best so far" in status for status in said), said


def test_a_verdict_for_a_puzzle_that_is_gone_is_not_heard(
    trainer: Trainer, progress: Progress, gate: threading.Event
) -> None:
    trainer.play(RIGHT)
    check = trainer.beside(PuzzlePanel).background
    trainer.turn_to("long")
    gate.set()
    check.wait(30)
    assert trainer.task["verdict"] is None
    assert kept(progress) == []


def test_what_goes_wrong_while_judging_is_shown(trainer: Trainer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise PuzzleError("five: position", "nothing was proved in 60 s", "fewer turns")

    monkeypatch.setattr(asking, "judge_attempt", fail)
    trainer.play(RIGHT)
    trainer.wait(30)
    assert trainer.problem.startswith("five: position: nothing was proved")
    assert trainer.task["stage"] == "trying"
    assert trainer.position == trainer.puzzle.start


def test_a_verdict_is_shown_even_if_it_cannot_be_written_down(trainer: Trainer, progress: Progress) -> None:
    progress.path.write_bytes(b"this is no database, whatever its name says" * 50)
    assert play(trainer, RIGHT)["outcome"] == "right"
    assert str(progress.path) in trainer.problem


def test_a_solution_is_shown_and_a_puzzle_kept_even_if_progress_is_broken(trainer: Trainer, progress: Progress) -> None:
    progress.path.write_bytes(b"this is no database, whatever its name says" * 50)
    tell(trainer, do="solution")
    assert [answer["text"] for answer in trainer.task["solution"]["accepted"]] == ["a7=+@E7", "b6=+@E7"]
    assert str(progress.path) in trainer.problem
    tell(trainer, do="next")
    assert (trainer.puzzle.id, trainer.position) == ("five", trainer.puzzle.start)


# Other ways to answer


def test_a_decision_after_a_roll_is_judged_at_once(trainer: Trainer) -> None:
    trainer.turn_to("roll")
    start = trainer.position
    trainer.back()
    trainer.undo()
    assert trainer.position == start, "the roll is given"
    trainer.choose("c3")
    trainer.choose("4 c3")
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "right"
    trainer.retry()
    verdict = play(trainer, "1 c3")
    assert verdict["head"] == "Not the best: it loses 2.67"
    assert trainer.task["line"]["steps"][0]["text"] == "1 c3"
    trainer.redo()
    assert trainer.position != start


def test_canals_are_laid_in_whoevers_turns(trainer: Trainer, puzzles: PuzzleSet) -> None:
    trainer.turn_to("water")
    for number, token in enumerate(puzzles.answer("water").line.replace(" / ", ", ").split(", "), start=1):
        assert trainer.offer["prompt"] == f"Lay canal {number} of 4"
        assert all(choice.startswith("canal") for choice in ids(trainer))
        tell(trainer, do="choose", id=token)
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "right"


def test_the_canal_that_costs_houses_is_shown_with_the_best_that_can_follow(trainer: Trainer) -> None:
    trainer.turn_to("water")
    while trainer.task["stage"] == "trying":
        trainer.choose(ids(trainer)[0])
    trainer.wait(120)
    (reason,) = trainer.task["verdict"]["reasons"]
    found = trainer.verdict.reasons[0]
    assert re.match(r"(Second c|C)anal from \d\.\d to \d\.\d costs ", reason)
    steps = trainer.task["line"]["steps"]
    assert [step["text"].removesuffix(", stop").count("canal") for step in steps[1:]] == [1] * (len(steps) - 1)
    assert steps[found.step]["note"] == found.text
    for step in range(1, len(steps)):
        trainer.step_to(step)
        assert marks(trainer) == ([(found.on, found.label)] if step >= found.step else [])
    most = int(re.search(r"with it ([+-]?\d+) is the most", reason)[1])
    assert 2 * trainer.position.scores()[1] - sum(trainer.position.scores()) == most


def test_canals_are_taken_back_over_the_end_of_a_turn(trainer: Trainer) -> None:
    trainer.turn_to("water")
    for _ in range(2):
        trainer.choose(ids(trainer)[0])
    assert trainer.offer["prompt"] == "Lay canal 3 of 4"
    trainer.back()
    assert trainer.offer["prompt"] == "Lay canal 2 of 4"
    trainer.undo()
    assert trainer.position == trainer.puzzle.start


def test_an_aqueduct_is_lengthened_tile_by_tile(trainer: Trainer, puzzles: PuzzleSet) -> None:
    trainer.turn_to("long")
    line = puzzles.answer("long").line.split()
    assert {choice.partition("=")[0] for choice in ids(trainer)} == {line[0][:2]}
    trainer.choose(line[0])
    assert "R1 is 1 long" in trainer.offer["prompt"]
    trainer.back()
    assert "R1 is 0 long" in trainer.offer["prompt"]
    for tile in line:
        assert tile in ids(trainer)
        trainer.choose(tile)
    trainer.choose("check")
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "right"
    trainer.retry()
    trainer.choose(line[0])
    trainer.choose("check")
    trainer.wait(120)
    assert trainer.task["verdict"]["head"] == "Not the best: it loses 16"
    assert trainer.task["verdict"]["reasons"] == ["No tile is wrong: R1 can still become 17 long with these tiles."]
    trainer.show_solution()
    trainer.step_to(len(line))
    aqueduct = next(a for a in trainer.position.aqueducts if a.name == "R1")
    assert aqueduct.length == trainer.puzzle.value


def say(told: list[dict[str, str]]) -> str:
    """Says a step in words, as the page does."""
    return "".join((part["joint"] if number else "") + part["words"] for number, part in enumerate(told))


def test_the_tile_that_costs_length_is_shown_with_the_best_that_can_follow(trainer: Trainer) -> None:
    trainer.turn_to("long")
    trainer.play("b3=Z a3=L")
    trainer.choose("check")
    trainer.wait(120)
    (reason,) = trainer.task["verdict"]["reasons"]
    assert reason.startswith("Curve from north to east on a3 costs ")
    line = trainer.task["line"]
    assert [step["text"] for step in line["steps"]][:3] == ["b3=Z a3=L", "b3=Z", "a3=L"]
    assert [say(step["told"]) for step in line["steps"]][:2] == [
        "double curve NW and SE on b3, curve from north to east on a3",
        "double curve NW and SE on b3",
    ]
    assert reason.startswith(f"{line['steps'][2]['note']}: with it R1 becomes")
    assert trainer.task["marks"] == []
    trainer.step_to(1)
    assert trainer.task["marks"] == []
    for step in range(2, len(line["steps"])):
        trainer.step_to(step)
        assert [mark["on"] for mark in trainer.task["marks"]] == ["a3"]
    aqueduct = next(a for a in trainer.position.aqueducts if a.name == "R1")
    assert f"becomes {aqueduct.length} long at most" in reason


def test_a_schedule_is_entered_beside_the_board(trainer: Trainer, progress: Progress) -> None:
    trainer.turn_to("close")
    assert [row["name"] for row in trainer.task["form"]["rows"]] == ["R1", "R2", "R3"]
    assert trainer.offer["choices"] == []
    tell(trainer, do="answer", text="R1@9")
    trainer.wait(120)
    assert trainer.problem == "R1@9: there is no round 9; expected 1 … 3"
    assert kept(progress) == []
    tell(trainer, do="answer", text="R1@1")
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "wrong"
    assert marks(trainer) == [("workman=R1", "1")]
    steps = trainer.task["line"]["steps"]
    assert steps[1]["text"] == "Round 1: R1 is closed at length 3"
    assert steps[1]["note"] == "podium 3; left alone it becomes 5 long"
    assert [chip["text"] for chip in steps[1]["who"]] == ["R"]
    trainer.redo()
    assert marks(trainer) == [("workman=R1", "→ 3")]
    trainer.step_to(len(steps) - 1)
    own = [int(label.removeprefix("→ ")) for on, label in marks(trainer) if on.startswith("workman=R")]
    assert sum(own) == trainer.verdict.value
    trainer.retry()
    assert trainer.task["marks"] == []
    tell(trainer, do="answer", text="R1@3")
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] in ("right", "equal")
    trainer.show_solution()
    assert len(trainer.task["line"]["steps"]) > 1, "what comes of the best schedule is told too"


def marks(trainer: Trainer) -> list[tuple[str, str]]:
    """Lists the marks on the board."""
    return [(mark["on"], mark["label"]) for mark in trainer.task["marks"]]


# Hints and solutions


def test_hints_come_one_at_a_time_and_are_counted(trainer: Trainer, progress: Progress) -> None:
    assert (trainer.task["hints"], trainer.task["hints_left"]) == ([], 2)
    tell(trainer, do="hint")
    assert trainer.task["hints"] == [hints("five")[0]]
    tell(trainer, do="hint")
    assert trainer.task["hints"] == list(hints("five"))
    with pytest.raises(InvalidOption, match="no further"):
        trainer.hint()
    play(trainer, RIGHT)
    assert kept(progress) == [("five", RIGHT, "right", 2, False)]


def test_hints_leave_what_has_been_clicked(trainer: Trainer) -> None:
    trainer.choose("R2")
    picked = trainer.picked
    trainer.hint()
    assert trainer.picked == picked


def test_whoever_asks_for_the_solution_has_missed(trainer: Trainer, progress: Progress) -> None:
    tell(trainer, do="solution")
    assert kept(progress) == [("five", "", "wrong", 0, True)]
    solution = trainer.task["solution"]
    assert solution["explanation"] == explanation("five").split("\n")
    assert solution["accepted"] == [
        {"words": "bridge on a7 by the builder on E7", "text": "a7=+@E7"},
        {"words": "bridge on b6 by the builder on E7", "text": "b6=+@E7"},
    ]
    assert trainer.position == trainer.puzzle.start
    trainer.redo()
    assert trainer.position == trainer.puzzle.start.play(RIGHT)
    trainer.retry()
    assert trainer.task["solution"] is None
    play(trainer, RIGHT)
    assert len(kept(progress)) == 1, "practice"


def test_a_solution_whose_line_cannot_be_played_is_said_and_does_not_count(
    puzzles: PuzzleSet, progress: Progress
) -> None:
    broken = puzzles.answers["five"].model_copy(update={"line": "a1=+@E7 x-"})
    made = puzzles.model_copy(update={"answers": {**puzzles.answers, "five": broken}})
    trainer = Trainer(made, progress=progress, first="five")
    tell(trainer, do="solution")
    assert trainer.problem.startswith("a1=+@E7: ")
    assert (trainer.task["solution"], trainer.task["stage"], kept(progress)) == (None, "trying", [])


def test_a_miss_is_not_counted_twice(trainer: Trainer, progress: Progress) -> None:
    play(trainer, WRONG)
    trainer.show_solution()
    assert kept(progress) == [("five", WRONG, "wrong", 0, False)]


def test_an_accepted_answer_that_is_none_is_shown_as_it_is(puzzles: PuzzleSet, progress: Progress) -> None:
    odd = puzzles.answers["five"].model_copy(update={"accepted": ("a7=+@E7", "no turn at all")})
    made = puzzles.model_copy(update={"answers": {**puzzles.answers, "five": odd}})
    trainer = made.trainer(progress=progress)
    trainer.show_solution()
    assert [answer["words"] for answer in trainer.task["solution"]["accepted"]] == [
        "bridge on a7 by the builder on E7",
        "no turn at all",
    ]
    trainer.close()


def test_many_accepted_answers_are_cut_short(puzzles: PuzzleSet, progress: Progress) -> None:
    many = puzzles.answers["five"].model_copy(update={"accepted": tuple(f"a7=+@E7 *{n}" for n in "sbdj" * 3)})
    made = puzzles.model_copy(update={"answers": {**puzzles.answers, "five": many}})
    trainer = Trainer(made, progress=progress, first="five")
    trainer.show_solution()
    assert (len(trainer.task["solution"]["accepted"]), trainer.task["solution"]["more"]) == (6, "and 6 more")


# Secrets


def secrets(puzzles: PuzzleSet, name: str) -> dict[str, str]:
    """Lists what must not be seen before it is asked for."""
    puzzle, answer = puzzles[name], puzzles.answer(name)
    first, second = puzzle.hints
    return {
        "first hint": first,
        "second hint": second,
        "explanation": answer.explanation.split("\n")[0],
        "theme": puzzle.themes[0],
        "proof": answer.proof.searched,
        **{f"answer {i}": text for i, text in enumerate(answer.accepted)},
        "line": answer.line,
    }


def seen(trainer: Trainer, puzzles: PuzzleSet, name: str) -> set[str]:
    """Finds which secrets are in what the page gets."""
    data, _ = trainer._repr_mimebundle_()
    # What is legal is offered, whether it is good or not.
    state = {key: value for key, value in trainer.get_state().items() if key not in ("_esm", "offer")}
    text = json.dumps([state, data], ensure_ascii=False)
    return {
        what for what, secret in secrets(puzzles, name).items() if json.dumps(secret, ensure_ascii=False)[1:-1] in text
    }


@pytest.mark.parametrize("name", ["five", "two-turns", "reply", "pick", "long", "roll", "water"])
def test_nothing_is_told_before_it_is_asked_for(trainer: Trainer, puzzles: PuzzleSet, name: str) -> None:
    trainer.turn_to(name)
    assert seen(trainer, puzzles, name) == set()
    trainer.hint()
    assert seen(trainer, puzzles, name) == {"first hint"}
    trainer.show_solution()
    assert seen(trainer, puzzles, name) >= {"explanation", "theme", "proof"}
    trainer.next()
    assert seen(trainer, puzzles, name) == set()


def test_a_wrong_answer_tells_neither_answer_nor_themes(trainer: Trainer, puzzles: PuzzleSet) -> None:
    play(trainer, WRONG)
    assert seen(trainer, puzzles, "five") == set()
    assert trainer.task["themes"] == []
    trainer.retry()
    play(trainer, RIGHT)
    assert [theme["name"] for theme in trainer.task["themes"]] == ["loose-chain"]
    assert "explanation" not in seen(trainer, puzzles, "five")


@pytest.mark.parametrize("name", ["five", "two-turns", "reply", "pick", "long", "close", "roll", "water"])
def test_what_the_page_gets_does_not_depend_on_the_answer(puzzles: PuzzleSet, progress: Progress, name: str) -> None:
    """Two sets that differ only in what must stay secret look alike, so that nothing can be read out of the page."""

    def show(made: PuzzleSet) -> dict[str, Any]:
        trainer = Trainer(made, progress=progress, first=name)
        state = trainer.get_state()
        trainer.close()
        return {key: value for key, value in state.items() if key not in ("_esm", "layout")}

    puzzle, answer = puzzles[name], puzzles.answer(name)
    other = {"hints": ("another", "hint"), "themes": ("joker",), "value": 0, "source": "elsewhere"}
    told = {"accepted": ("any",), "margin": 1, "line": "another line", "explanation": "Another reason."}
    changed = PuzzleSet.make(
        puzzles.name,
        puzzles.title,
        puzzles.text,
        [
            (p.model_copy(update=other), answer.model_copy(update=told)) if p.id == name else (p, puzzles.answer(p))
            for p in puzzles.puzzles
        ],
    )
    assert puzzle.hints != changed[name].hints
    assert show(puzzles) == show(changed)


# What comes next


def test_it_begins_with_what_is_due_and_goes_on_with_it(puzzles: PuzzleSet, progress: Progress) -> None:
    trainer = Trainer(puzzles, progress=progress)
    assert trainer.puzzle == progress.due(puzzles.puzzles)[0]
    met = []
    while progress.due(puzzles.puzzles):
        met.append(trainer.puzzle.id)
        trainer.show_solution()
        trainer.next()
    assert sorted(met) == sorted(puzzle.id for puzzle in puzzles.puzzles)
    assert trainer.task["tally"] == "0 of 9 puzzles solved, 9 to be seen again"


def test_when_nothing_is_due_the_next_one_of_the_set_follows(puzzles: PuzzleSet, progress: Progress) -> None:
    for puzzle in puzzles.puzzles:
        progress.record(puzzle, "", "right")
    trainer = Trainer(puzzles, progress=progress, first="five")
    trainer.next()
    assert trainer.puzzle.id == "two-turns"
    trainer.turn_to(puzzles[-1].id)
    trainer.next()
    assert trainer.puzzle.id == puzzles[0].id


def test_what_another_notebook_has_solved_is_seen(trainer: Trainer, puzzles: PuzzleSet, progress: Progress) -> None:
    other = Progress(progress.path)
    for puzzle in puzzles.puzzles[1:4]:
        other.record(puzzle, "", "right")
    trainer.next()
    assert trainer.puzzle.id not in [puzzle.id for puzzle in puzzles.puzzles[:4]]
    assert trainer.task["tally"] == "3 of 9 puzzles solved"
    assert [row["state"] for row in trainer.contents][:5] == ["new", "known", "known", "known", "new"]


def test_a_set_makes_its_trainer(puzzles: PuzzleSet, progress: Progress) -> None:
    assert puzzles.trainer(progress=progress, first="long").puzzle.id == "long"
    with pytest.raises(PuzzleError, match="has no puzzle"):
        puzzles.trainer(progress=progress, first="nowhere")


@pytest.mark.parametrize("place", ["a file", "a file/below", "/proc/nowhere"])
def test_where_nothing_can_be_written_one_trains_without_memory(
    puzzles: PuzzleSet, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("mine")
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / place))
    trainer = Trainer(puzzles, first="five")
    assert "What you solve is not written down." in trainer.problem
    assert "folder cannot be made" in trainer.problem
    assert not trainer.task["is_kept"]
    assert play(trainer, WRONG)["outcome"] == "wrong"
    assert trainer.problem == ""
    assert trainer.task["standing"].startswith("missed")
    trainer.retry()
    assert play(trainer, RIGHT)["outcome"] == "right"
    assert [attempt.outcome for attempt in trainer.progress.attempts()] == ["wrong", "right"]
    trainer.next()
    assert trainer.puzzle.id != "five"
    assert trainer.progress.reset("me") == 2
    trainer.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a file"]
    assert (tmp_path / "a file").read_text() == "mine"


def test_a_damaged_file_of_ones_own_is_said_and_left_as_it_is(
    puzzles: PuzzleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path))
    (tmp_path / FILE).write_bytes(b"no database at all" * 99)
    trainer = Trainer(puzzles, first="five")
    assert "is no progress file" in trainer.problem
    assert play(trainer, RIGHT)["outcome"] == "right"
    trainer.close()
    assert (tmp_path / FILE).read_bytes() == b"no database at all" * 99
    with pytest.raises(InvalidProgress):  # whoever names a file wants that one
        Trainer(puzzles, progress=Progress(tmp_path / FILE))


def test_without_a_word_progress_is_the_users_own(
    puzzles: PuzzleSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "data"))
    assert puzzles.trainer().progress.path == tmp_path / "data" / "progress.sqlite"


@pytest.mark.parametrize(
    "bad",
    [
        lambda t: t.turn_to("nowhere"),
        lambda t: t.step_to(1),
        lambda t: t.step_to("x"),
        lambda t: setattr(t, "position", "romana4"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(trainer: Trainer, bad: Callable[[Trainer], None]) -> None:
    before = trainer.task
    with pytest.raises(AquakitError):
        bad(trainer)
    assert trainer.problem
    assert (trainer.task, trainer.position) == (before, trainer.puzzle.start)


# The explorer


def test_the_position_is_analysed_in_an_explorer(trainer: Trainer, progress: Progress) -> None:
    play(trainer, WRONG)
    tell(trainer, do="analyse")
    explorer = trainer.analysis
    assert explorer.position == trainer.position
    assert trainer.get_state()["analysis"] == f"IPY_MODEL_{explorer.model_id}"
    tell(trainer, do="close_analysis")
    assert trainer.analysis is None
    trainer.analyse()
    trainer.next()
    assert trainer.analysis is None


def test_analysing_before_an_answer_counts_as_a_hint(trainer: Trainer, progress: Progress) -> None:
    trainer.analyse()
    trainer.analyse()
    play(trainer, RIGHT)
    assert trainer.task["standing"] == "right, but with a hint, so it comes back in 16 hours"
    assert kept(progress) == [("five", RIGHT, "right", 1, False)]


def test_what_the_page_gets_is_plain_data(trainer: Trainer) -> None:
    for name in ("five", "long", "close", "roll", "water", "pick"):
        trainer.turn_to(name)
        trainer.hint()
        trainer.show_solution()
        json.dumps(trainer.get_state())
    assert MARKUP in trainer.task["hints"][0], "texts stay texts"
