"""Result files: written line by line, by several at once, and read as far as they can be read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attempts import ADA
from hypothesis import given
from hypothesis import strategies as st

import aquakit
from aquakit import workshop
from aquakit.errors import InvalidOption
from aquakit.training.result_file import ResultError, ResultFile, find_files, gather
from aquakit.workshop import exercise, people


def read(path: Path) -> list[tuple[str, str, str, str, int]]:
    """Reads a result file that must be whole."""
    attempts, damages = ResultFile(path).read()
    assert damages == []
    return [(a.person, a.task, a.answer, "shown" if a.shown else a.outcome, a.hints) for a in attempts]


# What is written down


def test_every_answer_is_written_down_until_it_is_right(club: Path) -> None:
    workshop.join("Ada")
    asked = exercise("rules-tiles")
    asked.answer(6)
    asked.hint()
    assert asked.answer(7).right
    asked.answer(5)  # practice
    assert read(club / "results-Ada.jsonl") == [
        ("Ada", "rules-tiles", "6", "wrong", 0),
        ("Ada", "rules-tiles", "7", "right", 1),
    ]


def test_who_asks_for_the_answer_is_written_down_as_having_looked(club: Path) -> None:
    workshop.join("Ada")
    asked = exercise("rules-tiles")
    assert asked.solution().startswith("7. ")
    asked.answer(7)
    assert read(club / "results-Ada.jsonl") == [("Ada", "rules-tiles", "", "shown", 0)]


def test_what_cannot_be_an_answer_does_not_count(club: Path) -> None:
    workshop.join("Ada")
    with pytest.raises(InvalidOption):
        exercise("rules-tiles").answer("seven")
    assert not list(club.glob("results-*"))


def test_the_answer_is_not_told_before_it_is_known() -> None:
    asked = exercise("rules-tiles")
    for secret in ("model_answer", "because"):
        with pytest.raises(InvalidOption, match="not known yet"):
            getattr(asked, secret)


def test_a_line_can_be_read_by_people_and_programs(club: Path) -> None:
    workshop.join("Ada")
    exercise("rules-tiles").answer(7)
    line = json.loads((club / "results-Ada.jsonl").read_text("utf-8"))
    assert line.pop("seconds") >= 0
    assert line.pop("at")[:2] == "20"
    assert line == {
        "person": "Ada",
        "lesson": "rules",
        "exercise": "rules-tiles",
        "answer": "7",
        "outcome": "right",
        "hints": 0,
    }


# Who answers


def test_outside_of_a_workshop_nobody_is_asked_for_a_name(tmp_path: Path) -> None:
    exercise("rules-tiles").answer(7)
    assert read(tmp_path / "data" / "results-me.jsonl") == [("me", "rules-tiles", "7", "right", 0)]


def test_answers_wait_for_the_name(club: Path) -> None:
    exercise("rules-tiles").answer(7)
    exercise("rules-podium").answer(3)
    assert people.who() is None
    assert not list(club.glob("results-*"))
    assert workshop.join(" Ada  Lovelace ") == club / "results-Ada-Lovelace.jsonl"
    assert [line[:2] for line in read(club / "results-Ada-Lovelace.jsonl")] == [
        ("Ada Lovelace", "rules-tiles"),
        ("Ada Lovelace", "rules-podium"),
    ]


def test_a_name_is_given_by_the_environment(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AQUAKIT_PERSON", "Grace")
    exercise("rules-tiles").answer(7)
    assert read(club / "results-Grace.jsonl")[0][0] == "Grace"


def test_the_workshop_is_found_from_a_folder_inside_it(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (club / "inside").mkdir()
    monkeypatch.chdir(club / "inside")
    assert workshop.join("Ada") == club / "results-Ada.jsonl"


@pytest.mark.parametrize("name", ["", "  ", "a\nb" * 40, "x" * 61, None, "bell\x07"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidOption, match="name"):
        workshop.join(name)


@given(st.text(min_size=1, max_size=60))
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    file = people.name_file(name)
    assert Path(file).name == file
    assert file.startswith("results-")
    assert file.endswith(".jsonl")


# Several at once, and damage


def test_two_notebooks_at_once_lose_nothing(club: Path) -> None:
    code = (
        "import sys\nfrom datetime import UTC, datetime\nfrom pathlib import Path\n"
        "from aquakit.training.attempt import Attempt\nfrom aquakit.training.result_file import ResultFile\n"
        "for number in range(150):\n"
        "    made = Attempt(at=datetime.now(UTC), person='Ada', task=sys.argv[1], answer='ä' * 50, seconds=number)\n"
        "    ResultFile(Path('results-Ada.jsonl')).append(made)"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, name]) for name in ("one", "two")]
    assert [process.wait(120) for process in running] == [0, 0]
    attempts, damages = ResultFile(club / "results-Ada.jsonl").read()
    assert damages == []
    for name in ("one", "two"):
        assert [a.seconds for a in attempts if a.task == name] == list(range(150))


def test_a_line_that_was_cut_off_spoils_no_other(club: Path) -> None:
    path = club / "results-Ada.jsonl"
    ResultFile(path).append(ADA)
    path.write_bytes(path.read_bytes()[:-20])
    ResultFile(path).append(ADA)
    attempts, damages = ResultFile(path).read()
    assert attempts == [ADA]
    assert [str(damage) for damage in damages] == [
        "results-Ada.jsonl, line 1: is damaged: it is no complete line of JSON"
    ]


GOOD = (
    b'{"at": "2026-03-02T20:15:00+00:00", "person": "Ada", "lesson": "rules", "exercise": "rules-tiles", '
    b'"answer": "7", "outcome": "right", "hints": 1, "seconds": 12.5}'
)


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"{",
        b"[]",
        b"3",
        b"{}",
        b"\x00" * 40,
        b"[" * 5000,
        GOOD.replace(b'"right"', b'"perhaps"'),
        GOOD.replace(b'"Ada"', b"null"),
        GOOD.replace(b'"Ada"', b'" "'),
        GOOD.replace(b"12.5", b"-1"),
        GOOD.replace(b"12.5", b"NaN"),
        GOOD.replace(b"2026-03-02", b"yesterday"),
        GOOD.replace(b"+00:00", b""),
    ],
)
def test_a_damaged_line_is_reported_and_all_others_count(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "results-Ada.jsonl"
    path.write_bytes(GOOD + b"\n" + line + b"\n\n" + GOOD.replace(b"rules-tiles", b"rules-podium"))
    attempts, damages = ResultFile(path).read()
    assert [a.task for a in attempts] == ["rules-tiles", "rules-podium"]
    assert [damage.line for damage in damages] == [2]


@given(st.binary(max_size=300))
def test_whatever_a_file_holds_it_can_be_looked_at(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results-x.jsonl"
        path.write_bytes(data)
        attempts, damages = ResultFile(path).read()
        assert attempts or damages


def test_a_later_version_may_write_more(tmp_path: Path) -> None:
    path = tmp_path / "results-Ada.jsonl"
    path.write_bytes(GOOD.replace(b'{"at"', b'{"mood": "good", "at"'))
    assert ResultFile(path).read() == ([ADA], [])


def test_copies_of_a_file_count_once(tmp_path: Path) -> None:
    for name in ("results-Ada.jsonl", "results-Ada-copy.jsonl"):
        ResultFile(tmp_path / name).append(ADA)
    made = gather(find_files([tmp_path, tmp_path / "results-Ada.jsonl"]))
    assert made.attempts == [ADA]
    assert len(made.files) == 2


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    (damage,) = gather([tmp_path / "results-no.jsonl"]).damages
    assert "cannot be read" in damage.problem
    with pytest.raises(ResultError, match="holds no result files"):
        find_files([tmp_path])


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultError, match="cannot be written"):
        ResultFile(tmp_path / "file" / "results-Ada.jsonl").append(ADA)


def test_the_kit_stays_light() -> None:
    code = "import aquakit.workshop, sys; assert not {'pydantic', 'numpy', 'anywidget'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert aquakit.workshop is workshop
