"""A solved puzzle opens its store once and reads its history once."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tiny_puzzles import RIGHT, make_set

from aquakit.training import progress_file
from aquakit.training.progress import Progress
from aquakit.training.progress_file import OpenedFile
from aquakit.widgets.trainer import Trainer


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes whenever a store is opened, or attempts are read from it."""
    noted = list[str]()
    connect, attempts = sqlite3.connect, OpenedFile.attempts

    def open_noted(*about: Any, **options: Any) -> Any:
        noted.append("opened")
        return connect(*about, **options)

    def read_noted(*about: Any) -> Any:
        noted.append("read")
        return attempts(*about)

    monkeypatch.setattr(progress_file.sqlite3, "connect", open_noted)
    monkeypatch.setattr(OpenedFile, "attempts", read_noted)
    return noted


def test_when_a_puzzle_is_solved(tmp_path: Path, opened: list[str]) -> None:
    trainer = Trainer(make_set(), progress=Progress(tmp_path / "progress.sqlite"), first="five")
    opened.clear()
    trainer.play(RIGHT)
    trainer.wait(120)
    assert trainer.task["verdict"]["outcome"] == "right"
    assert (trainer.task["standing"], trainer.contents[0]["state"]) == ("solved", "known")
    assert opened == ["opened", "read"]


@pytest.mark.parametrize("go_on", [Trainer.next, Trainer.show_solution, lambda trainer: trainer.turn_to("long")])
def test_when_the_solution_or_another_puzzle_is_shown(tmp_path: Path, opened: list[str], go_on: Any) -> None:
    trainer = Trainer(make_set(), progress=Progress(tmp_path / "progress.sqlite"))
    opened.clear()
    go_on(trainer)
    assert opened == ["opened", "read"]


def test_nothing_else_asks_for_it(tmp_path: Path, opened: list[str]) -> None:
    trainer = Trainer(make_set(), progress=Progress(tmp_path / "progress.sqlite"))
    opened.clear()
    trainer.hint()
    trainer.retry()
    trainer.flip = True
    assert opened == []
