"""A layout of one's own: found beside the file that names it and nowhere else, or given; it goes where positions go."""

from __future__ import annotations

import copy
import io
import pickle
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from strangers import samples

import aquakit
from aquakit.board.draft import draft
from aquakit.cli import main as cli
from aquakit.core.position import AnyPosition
from aquakit.core.record import Record
from aquakit.engine.matches.match import Match, match
from aquakit.errors import AquakitError, InvalidPosition
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import PuzzleSet
from aquakit.widgets.explorer import Explorer
from aquakit.workshop.lesson import Lesson

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def own(folder: Path) -> AnyPosition:
    return aquakit.start(folder / "mine.toml")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        return cli.run(list(arguments)), *capsys.readouterr()

    return call


def refuse(text: str, **options: Any) -> str:
    with pytest.raises(InvalidPosition) as caught:
        aquakit.parse(text, **options)
    return str(caught.value)


# Texts


def test_a_text_says_the_same_of_a_file_that_is_there_and_of_one_that_is_not(folder: Path) -> None:
    there, not_there = folder.parent / "secret.toml", folder.parent / "absent.toml"
    for options in ({}, {"folder": folder}):
        said = refuse(f"{there} x", **options)
        assert said.replace("secret", "absent") == refuse(f"{not_there} x", **options)
        assert "password" not in said


@pytest.mark.parametrize(
    "name",
    [
        "../secret.toml",
        "..%2fsecret.toml",
        "%2e%2e/secret.toml",
        "..\\secret.toml",
        "./mine.toml",
        "sub/mine.toml",
        "c:mine.toml",
        "link.toml",
        "zero.toml",
        "fifo.toml",
        "absent.toml",
        "folder.toml",
        "mine",
        "mine.txt",
        "mine.toml\x00",
        "x" * 5000 + ".toml",
    ],
)
def test_nothing_but_a_plain_layout_file_of_the_folder_is_found(folder: Path, name: str) -> None:
    (folder / "sub").mkdir()
    (folder / "folder.toml").mkdir()
    for place in ("sub/mine.toml", "mine", "mine.txt"):
        (folder / place).write_bytes((folder / "mine.toml").read_bytes())
    assert "unknown layout" in refuse(f"{name} x", folder=folder)


def test_a_link_may_lead_to_another_layout_of_the_folder(folder: Path, own: AnyPosition) -> None:
    (folder / "same.toml").symlink_to("mine.toml")
    text = str(own).replace("mine.toml", "same.toml")
    assert aquakit.parse(text, folder=folder) == own


def test_what_stands_in_a_file_that_is_no_layout_is_not_shown(folder: Path) -> None:
    for content in ('game = "password"', "password = 1", "password", 'name = "password"\n' * 20_000):
        (folder / "other.toml").write_text(content, "utf-8")
        said = refuse("other.toml x", folder=folder)
        assert "password" not in said
        assert "aquakit layout check" in said


# Values


def test_positions_take_their_layout_along(folder: Path, own: AnyPosition) -> None:
    (folder / "mine.toml").unlink()
    for p in (own, own.act("b3=+@E4")):
        for again in (copy.copy(p), copy.deepcopy(p), pickle.loads(pickle.dumps(p)), draft(p).position()):
            assert again in (p, p.rewind())
            assert str(again).startswith("mine.toml ")
    record = Record(own)
    record.root.play("b3=+@E4")
    again = pickle.loads(pickle.dumps(record))
    assert str(again) == str(record)
    assert str(folder) not in pickle.dumps(record).decode("latin-1")


def test_no_path_of_this_machine_is_written(folder: Path, own: AnyPosition) -> None:
    assert str(own).startswith("mine.toml ")
    for text in (str(Record(own)), draft(own).text, repr(own), repr(draft(own))):
        assert str(folder) not in text


# Files


def test_a_record_is_read_again_beside_its_layout_and_nowhere_else(folder: Path, own: AnyPosition) -> None:
    record = Record(own)
    record.root.play("b3=+@E4")
    record.save(folder / "game.txt")
    assert str(Record.load(folder / "game.txt")) == str(record)
    record.save(folder.parent / "game.txt")
    with pytest.raises(AquakitError, match=r"unknown layout 'mine\.toml'"):
        Record.load(folder.parent / "game.txt")
    assert str(Record.load(folder.parent / "game.txt", folder / "mine.toml")) == str(record)


def test_puzzles_and_exercises_may_be_on_a_layout_beside_them(folder: Path) -> None:
    made = samples("puzzles")[0].replace("romana2-5x4 ", "mine.toml ")
    (folder / "set.toml").write_text(made, "utf-8")
    known = PuzzleSet.load(folder / "set.toml")
    puzzle = pickle.loads(pickle.dumps(known))[0]
    assert puzzle.start.layout.name == "mine"
    assert find_kind(puzzle.kind).prove(puzzle).value == puzzle.value
    assert str(known) == str(PuzzleSet.parse(str(known), folder=folder))
    (folder / "lesson.toml").write_text(samples("lesson")[0].replace("romana2-7x6 ", "wide.toml "), "utf-8")
    text = aquakit.load_layout("romana2-7x6").text.replace('name = "romana2-7x6"', 'name = "wide"')
    (folder / "wide.toml").write_text(text, "utf-8")
    assert Lesson.load(folder / "lesson.toml")["rules-tiles"].start.layout.name == "wide"
    for read in (lambda: PuzzleSet.parse(made), lambda: Lesson.parse((folder / "lesson.toml").read_text("utf-8"))):
        with pytest.raises(AquakitError, match="position: layout: unknown layout"):
            read()


def test_a_match_on_it_runs_in_other_processes_and_is_read_beside_it(folder: Path) -> None:
    with ProcessPoolExecutor(1) as pool:
        found = match(
            ["greedy", "random"],
            2,
            folder / "mine.toml",
            executor=pool,
            path=folder / "results.jsonl",
            progress=False,
        )
    assert str(folder) not in (folder / "results.jsonl").read_text("utf-8")
    again = Match.load(folder / "results.jsonl").record(1)
    assert str(again) == str(found.record(1))


def test_an_explorer_takes_back_what_it_wrote(folder: Path, own: AnyPosition) -> None:
    explorer = Explorer(own)
    explorer.play("b3=+@E4 x-")
    text, game = str(explorer.position), str(explorer.record)
    explorer.begin(own)
    explorer.read(text)
    assert str(explorer.position) == text
    explorer.begin(own)
    explorer._hear(None, {"do": "open", "text": game}, [])
    assert str(explorer.record) == game
    other = Explorer("romana2-5x4")
    with pytest.raises(AquakitError, match="unknown layout"):
        other.read(text)


# The command line


def test_commands_find_it_in_the_folder_of_the_file_or_in_the_one_where_one_is(
    run: Run, folder: Path, own: AnyPosition, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "start.txt").write_text(f"{own}\n", "utf-8")
    (folder / "counts.txt").write_text(f"{own} ; D1 {own.perft(1)}\n", "utf-8")
    code, text, _ = run("start", str(folder / "mine.toml"))
    assert (code, text) == (0, f"{own}\n")
    shown = (0, f"{own.diagram()}\n", "")
    assert run("show", str(folder / "start.txt")) == shown
    assert run("perft", "--check", str(folder / "counts.txt"))[:2] == (0, "1 counts, 0 wrong\n")
    for given in ((text.strip(),), ("-",)):
        code, _, said = run("show", *given, stdin=text)
        assert code == 2
        assert "--layout" in said
        assert run("show", *given, "--layout", str(folder / "mine.toml"), stdin=text) == shown
    monkeypatch.chdir(folder)
    assert run("show", "-", stdin=text) == run("show", text.strip()) == shown


def test_every_command_that_reads_a_position_takes_a_layout(
    run: Run, folder: Path, own: AnyPosition, tmp_path: Path
) -> None:
    board = ("--layout", str(folder / "mine.toml"))
    Record(own).save(tmp_path / "game.txt")
    calls = [
        *(("legal", str(own)), ("turns", str(own), "--count"), ("play", str(own), "b3=+@E4"), ("perft", str(own), "1")),
        *(("random", str(own), "--turns", "1"), ("analyse", str(own), "--playouts", "20")),
        *(("plan", str(own), "--turns", "1"), ("timing", str(own), "--rounds", "1"), ("longest", str(own))),
        *(("record", "check", str(tmp_path / "game.txt")), ("record", "show", str(tmp_path / "game.txt"))),
        ("review", str(tmp_path / "game.txt"), "--playouts", "20"),
    ]
    for call in calls:
        assert run(*call, *board)[0] == 0, call
    city = aquakit.start("aquadukt2-6x5", seed=1)
    (folder / "city.toml").write_text(city.layout.text, "utf-8")
    text = str(city.play("spring 3.2")).replace("aquadukt2-6x5", "city.toml")
    assert run("canals", text, "--canals", "1", "--layout", str(folder / "city.toml"))[0] == 0
