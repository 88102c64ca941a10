"""Analysis and review on the command line, as a person uses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aquakit
from aquakit.cli import main as cli
from aquakit.core.record import Record
from aquakit.engine.analysis import Analysis, analyse

NEAR_THE_END = "romana2-5x4 F##+7/.|.../.L.F./L+##J ..cs./.bd./..c.s/.bd. dj -,- *.*,*.* 2.3.1.3 2 0"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def file(tmp_path: Path) -> Path:
    record = Record(aquakit.parse(NEAR_THE_END))
    record.root.play("e2=N@E2 *j")
    record.save(tmp_path / "game.txt")
    return tmp_path / "game.txt"


def test_analyse_ranks_turns(run: Run) -> None:
    code, out, err = run("analyse", "romana2-5x4", "--playouts", "1000", "--threads", "1", "--lines", "2")
    assert (code, err) == (0, "")
    head, first, second = out.splitlines()
    best = analyse(aquakit.start("romana2-5x4"), playouts=1000, threads=1, lines=2).best
    assert head.startswith("player 1 decides; 1,000 playouts in ")
    assert f"{best.lead:+.2f} ± {best.stderr:.2f}" in first
    assert best.turn in first
    assert second.startswith(" 2. ")


def test_analyse_as_data(run: Run) -> None:
    data = json.loads(run("analyse", NEAR_THE_END, "--playouts", "500", "--threads", "1", "--json")[1])
    assert (data["position"], data["player"], data["playouts"]) == (NEAR_THE_END, 2, 500)
    assert len(data["lines"]) == 5


def test_analyse_for_some_time(run: Run) -> None:
    code, out, _ = run("analyse", "aquadukt2-6x5", "--seconds", "0.05")
    assert code == 0
    assert "playouts" in out


def test_a_stopped_analysis_prints_what_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    grow = Analysis.run

    def interrupted(self: Analysis, **options: Any) -> Analysis:
        grow(self, playouts=400)
        raise KeyboardInterrupt

    monkeypatch.setattr(Analysis, "run", interrupted)
    code, out, err = run("analyse", "romana2-5x4", "--threads", "1")
    assert (code, err) == (130, "aquakit: stopped\n")
    assert len(out.splitlines()) == 6


def test_review_lists_the_turns_with_their_marks(run: Run, file: Path) -> None:
    code, out, err = run("review", str(file), "--playouts", "1000", "--threads", "1")
    assert (code, err) == (0, "")
    assert out.startswith("Green  1. e2=N@E2 *j ?  ")
    assert "e2=Z@E2 xG2 *j" in out


def test_review_as_data_with_puzzles(run: Run, file: Path) -> None:
    folder = file.parent / "puzzles"
    options = ("--playouts", "1000", "--threads", "1", "--json", "--puzzles", str(folder))
    code, out, err = run("review", str(file), *options)
    assert (code, err) == (0, f"puzzle candidates in {folder}: 1\n")
    assert [row["mark"] for row in json.loads(out)["turns"]] == ["mistake"]
    assert len(list(folder.iterdir())) == 1


def test_a_stopped_review_prints_what_is_finished(run: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Analysis, **options: Any) -> Analysis:
        raise KeyboardInterrupt

    monkeypatch.setattr(Analysis, "run", interrupted)
    code, out, err = run("review", str(file), "--json")
    assert (code, err) == (130, "aquakit: stopped\n")
    assert (json.loads(out)["turns"], json.loads(out)["complete"]) == ([], False)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("analyse", "romana4", "--seconds", "1", "--playouts", "5"), "both"),
        (("analyse", "romana4", "--seconds", "0"), "seconds"),
        (("analyse", "nowhere"), "no file and no layout"),
        (("review", "nowhere"), "cannot be read"),
    ],
)
def test_bad_input_is_one_clear_line(run: Run, arguments: tuple[str, ...], problem: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert len(err.splitlines()) == 1
