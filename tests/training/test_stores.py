"""Both stores keep the same attempts in the same way; what they call them in their files does not change."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from aquakit.training.attempt import Attempt
from aquakit.training.progress_file import ProgressFile
from aquakit.training.result_file import ResultFile
from aquakit.training.store import AttemptStore

ADA = Attempt(
    at=datetime(2026, 5, 1, 12, tzinfo=UTC),
    task="tiles",
    answer="7",
    outcome="right",
    hints=1,
    seconds=12.5,
    person="Ada",
)
STORES = {
    "progress.sqlite": (ProgressFile, replace(ADA, fingerprint="f", difficulty=2)),
    "results-Ada.jsonl": (ResultFile, replace(ADA, lesson="rules")),
}


@pytest.fixture(params=STORES)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[AttemptStore, Attempt]:
    store: Callable[[Path], AttemptStore]
    store, attempt = STORES[request.param]
    return store(tmp_path / request.param), attempt


def test_what_was_written_comes_back_in_its_order(made: tuple[AttemptStore, Attempt]) -> None:
    store, attempt = made
    tries = [attempt, replace(attempt, answer="", outcome="wrong", shown=True), replace(attempt, person="Bo")]
    for one in tries:
        store.append(one)
    assert store.attempts() == tries
    assert store.attempts("Ada") == tries[:2]
    assert store.attempts("nobody") == []


def test_two_who_open_a_store_see_the_same(made: tuple[AttemptStore, Attempt]) -> None:
    store, attempt = made
    other = type(store)(store.path)  # type: ignore[call-arg]
    store.append(attempt)
    other.append(attempt)
    assert store.attempts() == other.attempts() == [attempt, attempt]


def test_a_progress_file_of_before_is_read(tmp_path: Path) -> None:
    """As it was written before puzzles and exercises shared their attempts."""
    store = ProgressFile(tmp_path / "progress.sqlite")
    with closing(sqlite3.connect(store.path)) as connection, connection:
        names = "person, at, puzzle, fingerprint, difficulty, attempt, verdict, loss, hints, seconds, shown"
        row = ("Ada", "2026-05-01T12:00:00.000000+00:00", "tiles", "f", 2, "7", "right", "0", 1, 12.5, 0)
        connection.execute(f"INSERT INTO attempt ({names}) VALUES ({', '.join('?' * len(row))})", row)
    assert store.attempts() == [STORES["progress.sqlite"][1]]


def test_a_line_of_a_result_file_is_as_before(tmp_path: Path) -> None:
    store = ResultFile(tmp_path / "results-Ada.jsonl")
    store.append(replace(STORES["results-Ada.jsonl"][1], answer="", outcome="wrong", shown=True, seconds=12.46))
    assert store.path.read_text("utf-8") == (
        '{"at": "2026-05-01T12:00:00+00:00", "person": "Ada", "lesson": "rules", "exercise": "tiles", '
        '"answer": "", "outcome": "shown", "hints": 1, "seconds": 12.5}\n'
    )
    assert json.loads(store.path.read_text("utf-8"))["outcome"] == "shown"
