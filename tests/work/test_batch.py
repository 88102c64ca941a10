"""One question about many positions: the same answers wherever they are found, kept, gone on with, never twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

import aquakit
from aquakit.cli import main as cli
from aquakit.engine.batch import Batch, BatchLine
from aquakit.errors import InvalidOption, InvalidPosition, InvalidRecord
from aquakit.work.executors import InPlace, find_executor
from aquakit.work.journal import InvalidResults

SMALL, LARGER = "romana2-5x4", "romana2-7x6"


def from_random_games(count: int, layouts: tuple[str, ...] = (SMALL, LARGER)) -> list[str]:
    """Gets positions at the start of turns in random games."""
    found = list[str]()
    for number in range(10**6):
        draw, p = random.Random(f"batch/{number}"), aquakit.start(layouts[number % len(layouts)])
        while not p.is_over:
            if not p.played:
                found.append(str(p))
                if len(found) == count:
                    return found
            p = p.act(draw.choice(p.actions()))
    raise AssertionError


def ask(question: str = "plan", subjects: Any = (SMALL, LARGER), **options: Any) -> Batch:
    """Asks here and now, unless told otherwise."""
    given: dict[str, Any] = {"executor": InPlace(), "progress": False, **options}
    if question == "plan":
        given = {"turns": 1, "method": "search", **given}
    return aquakit.batch(question, subjects, **given)


def found_in(batch: Batch) -> list[Any]:
    """Gets all that is repeatable about the answers."""
    rows = [line.model_dump() for line in batch.results]

    def timeless(answer: Any) -> Any:
        if isinstance(answer, list):
            return [timeless(each) for each in answer]
        if isinstance(answer, dict):
            return {name: timeless(value) for name, value in answer.items() if name != "seconds"}
        return answer

    return [row | {"answer": timeless(row["answer"])} for row in rows]


class Counts(InPlace):
    """Notes which pieces are answered, and can be interrupted after some."""

    def __init__(self, most: int | None = None) -> None:
        self.numbers: list[int] = []
        self._most = most

    def submit(self, work: Any, /, *args: Any, **options: Any) -> Any:
        if len(self.numbers) == self._most:
            raise KeyboardInterrupt
        self.numbers.append(args[-1].number)
        return super().submit(work, *args, **options)


# Questions


def test_each_question_gives_what_it_gives_alone() -> None:
    p = aquakit.start(SMALL)
    assert ask("plan", [p], turns=2).results[0].answer["points"] == aquakit.plan(p, turns=2).points
    assert ask("solve", [p], turns=2).results[0].answer["value"] == aquakit.solve(p, turns=2).value
    (analysed,) = ask("analyse", [p], playouts=300, seed=4).results
    alone = aquakit.analyse(p, playouts=300, seed=4, threads=1)
    assert analysed.answer["lines"][0]["turn"] == alone.best.turn
    record = aquakit.Record(p)
    record.root.play("b3=+@E4 xR1 *d")
    (reviewed,) = ask("review", [record], playouts=300).results
    assert reviewed.answer["turns"][0]["turn"] == "b3=+@E4 xR1 *d"


def test_positions_are_given_as_such_as_texts_and_as_layouts() -> None:
    p = aquakit.start(SMALL)
    lines = ask("plan", [p, str(p), SMALL]).results
    assert len({(line.subject, line.answer["points"]) for line in lines}) == 1
    assert [line.name for line in ask("plan", {"a": p, "b": p}).results] == ["a", "b"]


def test_what_cannot_be_answered_is_told_and_the_rest_goes_on() -> None:
    over = aquakit.start(SMALL)
    while not over.is_over:
        over = over.act(over.actions()[0])
    found = ask("solve", [SMALL, over, LARGER], turns=1)
    assert [line.error is None for line in found.results] == [True, False, True]
    assert found.is_complete
    assert len(found.errors) == 1
    assert found.summary() == "solve, 2 of 3 answered, 1 error"
    (refused,) = ask("plan", ["aquadukt2-6x5"]).results
    assert refused.error is not None
    assert "plan turns" in refused.error


def test_answers_are_a_frame() -> None:
    frame = ask("plan", {"one": SMALL, "two": LARGER}).frame()
    assert list(frame["name"]) == ["one", "two"]
    assert {"points", "bound", "proved", "error", "subject"} <= set(frame.columns)
    assert ask("plan", []).frame().empty


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (lambda: ask("guess"), InvalidOption, "question"),
        (lambda: ask("solve", depth=3), InvalidOption, "depth"),
        (lambda: aquakit.batch("plan", [SMALL]), InvalidOption, "turns"),
        (lambda: ask("plan", SMALL), InvalidOption, "subjects"),
        (lambda: ask("plan", [SMALL, "nonsense"]), InvalidPosition, "2: layout"),
        (lambda: ask("plan", [3]), InvalidPosition, "1"),
        (lambda: ask("review", [SMALL]), InvalidRecord, "1"),
        (lambda: ask("plan", [SMALL], forbid={"b3"}), InvalidOption, "options"),
        (lambda: ask("plan", [SMALL], progress=1), InvalidOption, "progress"),
    ],
)
def test_bad_options_are_named_before_anything_is_asked(call: Callable[[], Any], error: type, named: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.where == named


# Going on


def test_a_stopped_batch_goes_on_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    positions, file = from_random_games(8), tmp_path / "answers.jsonl"
    first = ask("plan", positions, path=file, executor=Counts(most=5))
    assert (len(first.results), first.is_complete) == (5, False)
    rest = Counts()
    found = ask("plan", positions, path=file, executor=rest)
    assert rest.numbers == [5, 6, 7]
    assert found_in(found) == found_in(ask("plan", positions)) == found_in(Batch.load(file))
    longer = Counts()
    assert ask("plan", from_random_games(10), path=file, executor=longer).is_complete
    assert longer.numbers == [8, 9]
    shorter = Counts()
    assert len(ask("plan", positions[:3], path=file, executor=shorter).results) == 3
    assert shorter.numbers == []


def test_a_file_cut_off_anywhere_goes_on_from_the_last_whole_line(tmp_path: Path) -> None:
    positions, file = from_random_games(3), tmp_path / "answers.jsonl"
    whole_batch = ask("plan", positions, path=file)
    whole = file.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == 10]
    for cut in range(ends[0], len(whole) + 1, 97):
        file.write_bytes(whole[:cut])
        again = Counts()
        assert found_in(ask("plan", positions, path=file, executor=again)) == found_in(whole_batch)
        assert len(again.numbers) == sum(cut < end - 1 for end in ends[1:])
        assert file.read_bytes().count(b"\n") == 4


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"turns": 2}, "another batch: its options"),
        ({"subjects": [LARGER, SMALL]}, "piece 0 is not one of this batch"),
        ({"question": "solve"}, "another batch: its question"),
    ],
)
def test_a_file_of_other_work_is_refused_and_left_alone(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    file = tmp_path / "answers.jsonl"
    ask(path=file)
    before = file.read_bytes()
    with pytest.raises(InvalidResults, match=says):
        ask(path=file, **change)
    assert file.read_bytes() == before


# Wherever it is done


def test_threads_and_processes_give_the_same(tmp_path: Path) -> None:
    positions = from_random_games(12)
    expected = found_in(ask("plan", positions, turns=2))
    with ThreadPoolExecutor(2) as threads, find_executor(workers=2) as apart:
        assert found_in(ask("plan", positions, turns=2, executor=threads)) == expected
        assert found_in(ask("plan", positions, turns=2, executor=apart)) == expected


def test_a_thousand_plans_over_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    positions, file = from_random_games(1000, (SMALL, LARGER, "romana2")), tmp_path / "answers.jsonl"
    killed = list[int]()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster:

        def kill_one(line: BatchLine) -> None:
            if len(killed) == 0 and line.number >= 100:
                killed.append(next(iter(cluster.workers.values())).pid)
                os.kill(killed[0], signal.SIGKILL)

        with find_executor(dask=cluster.scheduler_address) as pool:
            spread_out = ask("plan", positions, executor=pool, path=file, on_result=kill_one)
    assert killed
    assert len(spread_out.results) == 1000
    assert sorted(json.loads(line)["number"] for line in file.read_text("utf-8").splitlines()[1:]) == list(range(1000))
    assert found_in(spread_out) == found_in(ask("plan", positions))


# The command line


@pytest.fixture
def positions(tmp_path: Path) -> Path:
    file = tmp_path / "positions.txt"
    file.write_text("\n".join(["# from random games", "", *from_random_games(6)]), "utf-8")
    return file


def test_positions_of_a_file_are_planned_into_a_file(
    positions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers.jsonl"
    command = ["batch", "plan", str(positions), "--turns", "1", "--out", str(out), "--workers", "1"]
    assert cli.run(command) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"aquakit: plan, 6 of 6 answered; in {out}\n")
    assert next(line.name for line in Batch.load(out).results) == f"{positions}, line 3"
    before = out.read_bytes()
    assert cli.run(command) == 0
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    "question", [["solve", "--turns", "1"], ["analyse", "--playouts", "50"], ["plan", "--turns", "1", "--no-closing"]]
)
def test_without_a_file_answers_are_printed(
    positions: Path, capsys: pytest.CaptureFixture[str], question: list[str]
) -> None:
    name, *options = question
    assert cli.run(["batch", name, str(positions), *options, "--workers", "1"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["number"] for answer in answers] == list(range(6))
    assert all(answer["answer"] and answer["error"] is None for answer in answers)


def test_many_records_are_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for seed in "12":
        files.append(str(tmp_path / f"{seed}.txt"))
        assert cli.run(["random", SMALL, "--seed", seed, "--record", files[-1]]) == 0
    capsys.readouterr()
    assert cli.run(["batch", "review", *files, "--playouts", "50", "--workers", "1"]) == 0
    reviews = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [review["name"] for review in reviews] == files
    assert all(review["answer"]["complete"] for review in reviews)


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "holds none"), (f"{SMALL} nonsense", "line 1: position"), ("\n\nromana9 x", "line 3: layout")],
)
def test_a_bad_line_is_named_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(text, "utf-8")
    assert cli.run(["batch", "plan", str(file), "--turns", "1"]) == 2
    assert says in capsys.readouterr().err


def test_errors_are_counted_and_told_by_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(str(aquakit.start("aquadukt2-6x5")), "utf-8")
    assert cli.run(["batch", "plan", str(file), "--turns", "1"]) == 1
    assert "0 of 1 answered, 1 error" in capsys.readouterr().err


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "aquakit.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGKILL])
def test_a_batch_stopped_by_a_signal_goes_on(tmp_path: Path, signal_sent: signal.Signals) -> None:
    file, out = tmp_path / "positions.txt", tmp_path / "answers.jsonl"
    asked = from_random_games(400)
    file.write_text("\n".join(asked), "utf-8")
    words = ["batch", "plan", str(file), "--turns", "2", "--method", "search", "--out", str(out), "--workers", "2"]
    run = start(*words)
    wait_for(lambda: lines_in(out) > 5 or run.poll() is not None)
    run.send_signal(signal_sent)
    said = run.communicate()
    if signal_sent is signal.SIGINT:
        assert run.returncode in (130, 0), said
        assert "Traceback" not in said[1]
    done = start(*words)
    assert "400 of 400 answered" in done.communicate()[1]
    assert len(Batch.load(out).results) == 400
    assert lines_in(out) == 401


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
@pytest.mark.parametrize("moment", range(4))
def test_making_puzzles_is_stopped_in_words(tmp_path: Path, moment: int) -> None:
    run = start("puzzle", "make", "--kind", "canals", "--count", "500", "--out", str(tmp_path / "made.toml"))
    seeds = tmp_path / "made.toml.seeds.jsonl"
    wait_for(lambda: lines_in(seeds) > 2 * moment or run.poll() is not None)
    run.send_signal(signal.SIGINT)
    said = run.communicate()
    assert run.returncode == 130, said
    assert said[1].endswith("aquakit: stopped\n")
    assert "Traceback" not in said[1]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX signals")
def test_checking_puzzles_is_stopped_in_words_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "checked.jsonl"
    words = ["puzzle", "check", "--out", str(out)]
    run = start(*words)
    wait_for(lambda: lines_in(out) > 3 or run.poll() is not None)
    run.send_signal(signal.SIGINT)
    said = run.communicate()
    assert (run.returncode, said[1]) == (130, "aquakit: stopped\n")
    kept = lines_in(out)
    again = start(*words)
    wait_for(lambda: lines_in(out) > kept + 1 or again.poll() is not None)
    again.send_signal(signal.SIGINT)
    told = again.communicate()[0]
    assert again.returncode == 130
    assert told.count(" ok, ") >= kept
