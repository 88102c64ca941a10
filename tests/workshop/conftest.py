"""Keeps what workshops' tests write away from the user's own data, and lets each begin without a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from aquakit.workshop import people


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("AQUAKIT_PERSON", raising=False)
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    yield
    people._waiting.clear()
    people.leave()


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives a workshop's folder, and works in it."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / people.MARK).write_text("")
    monkeypatch.chdir(folder)
    return folder
