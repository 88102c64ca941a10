"""`--words`: turns in words on the command line."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import aquakit
from aquakit.cli import main as cli
from aquakit.core.record import Record
from aquakit.puzzle.collection import all_puzzles

Run = Callable[..., tuple[int, str, str]]
CODE = re.compile(r"[@=]|\bx-|\d\.\d+[hv]")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize("layout", ["romana2-5x4", "aquadukt2-6x5"])
def test_turns_are_listed_in_words_each_of_its_own(run: Run, layout: str) -> None:
    position = aquakit.start(layout)
    code, out, _ = run("turns", str(position), "--words")
    assert code == 0
    assert out.splitlines() == [position.tell(turn, "full") for turn in position.turns()]
    assert len(set(out.splitlines())) == len(out.splitlines())
    assert not CODE.search(out)


def test_an_analysis_is_told_with_whose_turns_follow(run: Run) -> None:
    code, out, _ = run("analyse", "romana2-5x4", "--playouts", "2000", "--threads", "1", "--words")
    assert code == 0
    assert re.search(r"wins +\d+%  bridge on [bd]\d .*  then Green: \w+ ", out)
    assert not CODE.search(out)


def test_a_record_and_its_review_are_told(run: Run, tmp_path: Path) -> None:
    record = Record(aquakit.start("romana2-5x4"))
    record.root.play("b3=+@E4 xR1 *d").comment = "Too early."
    record.root.play("b3=L@Nb")
    file = tmp_path / "game.txt"
    record.save(file)
    told = "1. Red: bridge on b3 by the builder on E4, R1 closed, double curve builder taken"
    lines = run("record", "show", str(file), "--words")[1].splitlines()
    assert told in lines
    assert "; Too early." in lines
    assert "  1. Red: curve on b3 by the builder on Nb, nothing closed" in lines
    code, out, _ = run("review", str(file), "--playouts", "500", "--threads", "1", "--words")
    assert code == 0
    assert told.replace("1. Red: ", "1. ") in out
    assert not CODE.search(out.partition("\n")[0])


def test_a_plan_is_told(run: Run) -> None:
    code, out, _ = run("plan", "romana2-5x4", "--turns", "2", "--words")
    assert code == 0
    assert [line[:3] for line in out.splitlines()[1:]] == ["1. ", "2. "]
    assert not CODE.search(out)


def test_lines_of_all_puzzles_are_told(run: Run) -> None:
    for puzzle in {puzzle.kind: puzzle for made in all_puzzles() for puzzle in made.puzzles}.values():
        code, out, _ = run("puzzle", "show", puzzle.id, "--answer", "--words")
        line = next(line for line in out.splitlines() if line.startswith("line: "))
        assert code == 0
        if puzzle.kind in ("endgame", "duel", "plan"):
            assert not CODE.search(line)


def test_a_refutation_is_told(run: Run) -> None:
    found = [puzzle for made in all_puzzles() for puzzle in made.puzzles if puzzle.kind == "endgame"]
    puzzle = min(found, key=lambda puzzle: sum(1 for _ in puzzle.start.turns()))
    for turn in puzzle.start.turns():
        code, out, _ = run("puzzle", "solve", puzzle.id, str(turn), "--words")
        if "The best line" in out:
            break
    assert code == 1
    assert not CODE.search(out.partition("The best line")[2])


@pytest.mark.parametrize("command", [("turns", "romana4"), ("plan", "romana4", "--turns", "1"), ("analyse", "romana4")])
def test_data_hold_notation(run: Run, command: tuple[str, ...]) -> None:
    code, _, err = run(*command, "--words", "--json")
    assert code == 2
    assert "words: together with --json; expected one of them" in err
