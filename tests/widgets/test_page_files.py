"""Files that a page asks for: those of the working folder, none replaced unasked, and none where pages are served."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from clicking import state, tell

import aquakit
from aquakit import Explorer, Record
from aquakit.widgets.messages import BOOK
from aquakit.workshop.served import SIGNS

SMALL = aquakit.start("romana2-5x4")
SECRET = "the first line of a letter"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, beside things that are no business of a page."""
    folder = tmp_path / "work"
    (folder / "games").mkdir(parents=True)
    (tmp_path / "letter.txt").write_text(SECRET)
    (tmp_path / "workshop").mkdir()
    Record(SMALL).save(tmp_path / "workshop" / "game.txt")
    (folder / "link.txt").symlink_to(tmp_path / "letter.txt")
    (folder / "game-link.txt").symlink_to(tmp_path / "workshop" / "game.txt")
    (folder / "dangling.txt").symlink_to(tmp_path / "new.txt")
    (folder / "linked").symlink_to(tmp_path / "workshop")
    (folder / "circle").symlink_to(folder / "circle")
    os.mkfifo(folder / "pipe")
    (folder / "huge.txt").write_text(str(Record(SMALL)) + "; \n" * BOOK)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def explorer() -> Explorer:
    made = Explorer(SMALL)
    made.play("b3=+@E4 x-")
    return made


def contents(folder: Path) -> dict[str, Any]:
    """Gets every file around a folder, and what is in it."""
    found = sorted(folder.parent.rglob("*"))
    return {str(path): path.read_bytes() for path in found if path.is_file() and not path.is_symlink()}


OUTSIDE = (
    "../letter.txt", "../new.txt", "../work2/x.txt", "../workshop/game.txt", "games/../../letter.txt", "link.txt",
    "game-link.txt", "dangling.txt", "linked/game.txt", "linked/new.txt", "circle", "pipe", ".", "games", "..",
    "/etc/hosts", "/etc/passwd", "/dev/null", "/dev/zero", "/proc/self/environ", "~/x.txt/../../../../../etc/hosts",
    "a\0b", "x" * 299,
)  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("do", ["load", "save"])
def test_a_page_reads_and_writes_nothing_outside_of_the_folder(
    do: str, path: str, folder: Path, explorer: Explorer
) -> None:
    shown, kept = state(explorer), contents(folder)
    tell(explorer, do=do, path=path)
    tell(explorer, do="replace")
    assert explorer.problem
    assert SECRET not in explorer.problem
    assert state(explorer) == shown
    assert contents(folder) == kept
    assert not (folder.parent / "new.txt").exists()


def test_an_absolute_path_of_the_folder_is_one_of_its_files(folder: Path, explorer: Explorer) -> None:
    tell(explorer, do="save", path=str(folder / "games" / "mine.txt"))
    assert explorer.problem == ""
    tell(explorer, do="load", path="games/mine.txt")
    assert (folder / "games" / "mine.txt").read_text("utf-8") == explorer.game


def test_a_page_opens_no_huge_file(folder: Path, explorer: Explorer) -> None:
    before = state(explorer)
    tell(explorer, do="load", path="huge.txt")
    assert "too large" in explorer.problem
    assert state(explorer) == before


def test_the_records_of_the_folder_are_listed_and_nothing_else(folder: Path, explorer: Explorer) -> None:
    for age, name in enumerate(("new.txt", "old.txt")):
        Record(SMALL).save(folder / name)
        os.utime(folder / name, (1e9 - age, 1e9 - age))
    (folder / "notes.txt").write_text("my notes")
    (folder / "binary.txt").write_bytes(bytes(range(256)))
    (folder / "folder.txt").mkdir()
    Record(SMALL).save(folder / "games" / "deep.txt")
    assert explorer.opening == {"shown": False, "rows": []}
    tell(explorer, do="files")
    assert explorer.opening["shown"]
    assert [row["name"] for row in explorer.opening["rows"]] == ["new.txt", "old.txt"]
    assert explorer.opening["rows"][0]["words"].startswith("romana2-5x4, ")
    tell(explorer, do="files")
    assert explorer.opening == {"shown": False, "rows": []}


def test_the_list_goes_when_a_game_was_chosen(folder: Path, explorer: Explorer) -> None:
    Record(SMALL, {"event": "cup"}).save(folder / "cup.txt")
    tell(explorer, do="files")
    (row,) = explorer.opening["rows"]
    tell(explorer, do="load", path=row["name"])
    assert explorer.headers == {"event": "cup"}
    assert not explorer.opening["shown"]


def test_on_a_served_page_no_file_is_listed(folder: Path, explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    Record(SMALL).save(folder / "game.txt")
    monkeypatch.setenv(SIGNS[0], "1")
    tell(explorer, do="files")
    assert explorer.opening == {"shown": True, "rows": []}  # a visitor's own file can be opened


def test_a_file_that_is_there_is_replaced_only_when_that_is_confirmed(folder: Path, explorer: Explorer) -> None:
    (folder / "notes.txt").write_text("my notes")
    tell(explorer, do="save", path="notes.txt")
    assert (explorer.there, explorer.said, explorer.problem) == ("notes.txt", "", "")
    assert (folder / "notes.txt").read_text() == "my notes"
    tell(explorer, do="save", path="notes.txt")  # asking again is no answer
    assert (folder / "notes.txt").read_text() == "my notes"
    explorer.flip = True  # what changes nothing of the game leaves the question
    assert explorer.there == "notes.txt"
    tell(explorer, do="replace")
    assert (folder / "notes.txt").read_text("utf-8") == explorer.game
    assert (explorer.there, explorer.said) == ("", "Saved to notes.txt.")
    tell(explorer, do="replace")
    assert "none to replace" in explorer.problem


@pytest.mark.parametrize(
    "asks",
    [
        {"do": "save", "path": "other.txt"},
        {"do": "load", "path": "nothing.txt"},
        {"do": "undo"},
        {"do": "save", "path": "../letter.txt"},
    ],
)
def test_the_question_is_about_what_was_asked_last(folder: Path, explorer: Explorer, asks: dict[str, str]) -> None:
    (folder / "notes.txt").write_text("my notes")
    tell(explorer, do="save", path="notes.txt")
    tell(explorer, **asks)
    assert explorer.there == ""
    tell(explorer, do="replace")
    assert (folder / "notes.txt").read_text() == "my notes"


def test_a_page_cannot_say_what_it_was_asked(folder: Path, explorer: Explorer) -> None:
    kept = contents(folder)
    explorer.set_state({"there": "../letter.txt"})
    tell(explorer, do="replace")
    assert contents(folder) == kept


@pytest.mark.parametrize("sign", SIGNS)
def test_on_a_served_page_there_are_no_files(
    sign: str, folder: Path, explorer: Explorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    Record(SMALL).save(folder / "game.txt")
    assert explorer.has_files
    monkeypatch.setenv(sign, "1")
    explorer.flip = True
    assert not explorer.has_files
    shown, kept = state(explorer), contents(folder)
    for do, path in (("load", "game.txt"), ("save", "new.txt"), ("save", "game.txt")):
        tell(explorer, do=do, path=path)
        assert "served" in explorer.problem
    assert state(explorer) == shown
    assert contents(folder) == kept
    tell(explorer, do="open", text=str(Record(SMALL)))  # what a visitor has is the visitor's
    assert explorer.problem == ""


def test_python_names_any_file(folder: Path, explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOILA_BASE_URL", "/")
    explorer.save(folder.parent / "letter.txt")
    assert (folder.parent / "letter.txt").read_text("utf-8") == explorer.game
    explorer.load("../workshop/game.txt")
    assert explorer.problem == ""
