"""Matches on the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from match_bots import Inline

from aquakit.cli import main as cli
from aquakit.work import executors

MATCH = ("match", "greedy", "random", "--layout", "romana2-5x4")


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Inline:
    """Plays here and now instead of in processes."""
    made = Inline()

    @contextmanager
    def find_executor(**wanted: object) -> Iterator[Inline]:
        yield made

    monkeypatch.setattr(executors, "find_executor", find_executor)
    return made


def test_a_match_in_processes_prints_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    assert cli.run([*MATCH, "--games", "4", "--seed", "1", "--out", str(file), "--workers", "2"]) == 0
    out = capsys.readouterr().out
    assert "Match on romana2-5x4, seed 1: 4 games" in out
    assert [line.split()[:2] for line in out.splitlines() if "%" in line][1:] == [["greedy", "4"], ["random", "4"]]
    assert len(file.read_text("utf-8").splitlines()) == 5


def test_the_same_command_goes_on(pool: Inline, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = [*MATCH, "--games", "6", "--out", str(tmp_path / "results.jsonl")]
    pool._most = 4
    assert cli.run(command) == 130
    out, err = capsys.readouterr()
    assert "stopped after 4 of 6 games" in out
    assert "the same command goes on" in err
    pool._most = None
    assert cli.run(command) == 0
    assert pool.played == [0, 1, 2, 3, 4, 5]
    capsys.readouterr()
    assert cli.run(command) == 0
    assert pool.played == [0, 1, 2, 3, 4, 5]
    assert "6 games" in capsys.readouterr().out


def test_a_match_as_data(pool: Inline, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*MATCH, "--games", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["layout"], data["bots"]) == (3, "romana2-5x4", ["greedy", "random"])
    assert [row["bot"] for row in data["table"]] == ["greedy", "random"]


def test_options_of_the_start(pool: Inline, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", "greedy", "--games", "2", "--layout", "aquadukt2-6x5", "--events"]) == 0
    assert cli.run([*MATCH, "--games", "2", "--setup"]) == 0
    assert cli.run([*MATCH, "--games", "2", "--events"]) == 2
    assert "events" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["match", "greedy"], "bots"),
        (["match"], "Missing argument"),
        (["match", "greedy", "best"], "bot"),
        ([*MATCH, "--games", "0"], "games"),
        ([*MATCH, "--workers", "0"], "workers"),
        ([*MATCH, "--out", "/"], "cannot be"),
        (["match", "greedy", "random", "--layout", "nowhere"], "nowhere"),
    ],
)
def test_bad_input_is_one_clear_line(
    pool: Inline, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert cli.run(arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("aquakit: ")
    assert says in err
    assert len(err.splitlines()) == 1
    assert pool.played == []


def test_progress_is_shown_to_people_only(
    pool: Inline, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.run([*MATCH, "--games", "2"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.run([*MATCH, "--games", "2"]) == 0
    assert "2/2" in capsys.readouterr().err
