"""Puzzles on the command line: listed, shown, solved and proved again."""

from __future__ import annotations

import io
import json
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from small_puzzles import small_set

from aquakit.cli import main as cli
from aquakit.puzzle.model import PuzzleSet

Run = Callable[..., tuple[int, str, str]]

RIGHT, WRONG = "e3=Z@W4 c3=N xR1 *d", "e3=Z@W4 c3=N x-"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.run(["puzzle", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    made = small_set("duel", "endgame")
    hints = {"hints": ("Which aqueduct is ready?", "A podium is at stake.", "Close R1.")}
    pairs = [(puzzle.model_copy(update=hints), made.answer(puzzle)) for puzzle in made.puzzles]
    PuzzleSet.make("small", "Small puzzles", "Proved in no time.", pairs).save(path)
    return path


def test_list_names_puzzles_without_giving_anything_away(run: Run, file: Path) -> None:
    code, out, _ = run("list", "--file", str(file))
    assert code == 0
    assert "small: Small puzzles, 2 puzzles" in out
    assert [line.split()[:4] for line in out.splitlines() if "small-" in line] == [
        ["small-duel", "duel", "romana2-5x4", "*"],
        ["small-endgame", "endgame", "romana2-5x4", "*"],
    ]
    data = json.loads(run("list", "--file", str(file), "--json")[1])
    assert [puzzle["id"] for puzzle in data] == ["small-duel", "small-endgame"]
    assert data[1]["goal"].startswith("Red is to move.")
    assert "xR1" not in out + json.dumps(data)


def test_stats_count_by_kind_theme_and_difficulty_and_tell_what_is_missing(run: Run, file: Path) -> None:
    code, out, _ = run("list", "--file", str(file.parent), "--stats")
    rows = [line.split() for line in out.splitlines()]
    assert code == 0
    assert ["duel", "(all)", "1", "1"] in rows
    assert ["endgame", "close-now", "1", "1"] in rows
    assert "2 puzzles; missing: kind plan" in out
    assert "endgame in other difficulties than 1" in out
    assert "theme zugzwang" in out
    assert "board aquadukt4" in out
    data = json.loads(run("list", "--file", str(file), "--stats", "--json")[1])
    assert {"kind": "duel", "theme": "(all)", "counts": [1, 0, 0, 0, 0]} in data["table"]


def test_show_draws_the_board_and_asks_and_answers_only_if_told_to(run: Run, file: Path, tmp_path: Path) -> None:
    code, out, _ = run("show", "small-endgame", "--file", str(file))
    assert code == 0
    assert small_set("endgame")[0].start.diagram() in out
    assert "Which turn leads to the best margin at the end of the game, against best replies?" in out
    assert "e3=Z@W4 xR1" not in out
    answered = run("show", "small-endgame", "--file", str(file), "--answer")[1]
    assert answered.startswith(out)
    assert "accepted: e3=Z@W4 xR1" in answered
    assert "value 1; anything else is at least 1 worse" in answered
    target = tmp_path / "board.svg"
    assert run("show", "small-endgame", "--file", str(file), "--svg", str(target))[0] == 0
    assert ET.parse(target).getroot().tag.endswith("svg")
    assert (
        json.loads(run("show", "small-endgame", "--file", str(file), "--answer", "--json")[1])["answer"]["margin"] == 1
    )


def test_a_turn_on_the_command_line_gets_a_verdict(run: Run, file: Path) -> None:
    code, out, _ = run("solve", "small-endgame", RIGHT, "--file", str(file))
    assert (code, out) == (0, "Right: a margin of +1 at the end of the game: more is not possible.\n")
    code, out, _ = run("solve", "small-endgame", WRONG, "--file", str(file))
    assert code == 1
    assert out.startswith("Not the best: at best a margin of ")
    assert "The best line after it: " in out


def test_solving_needs_no_place_to_write(run: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").write_text("mine")
    monkeypatch.setenv("AQUAKIT_DATA", str(tmp_path / "a file" / "below"))
    assert run("solve", "small-endgame", RIGHT, "--file", str(file))[0] == 0


def test_an_illegal_turn_is_one_clear_line(run: Run, file: Path) -> None:
    code, out, err = run("solve", "small-endgame", "e3=Z@W2", "--file", str(file))
    assert (code, out) == (2, "")
    assert err.startswith("aquakit: e3=Z@W2: ")


def test_whoever_is_asked_may_err_take_hints_and_find_it(run: Run, file: Path) -> None:
    said = f"e3=Z@W2\n{WRONG}\n?\n?\n?\n?\n{RIGHT}\n"
    code, out, _ = run("solve", "small-endgame", "--file", str(file), stdin=said)
    told = out.split("nothing to stop):\n")[1].split("> ")[1:]
    assert code == 0
    assert told[0].startswith("That is not possible: e3=Z@W2")
    assert told[1].startswith("Not the best")
    assert [text.strip() for text in told[2:5]] == ["Which aqueduct is ready?", "A podium is at stake.", "Close R1."]
    assert told[5].startswith("That was the last hint")
    assert told[6].startswith("Right: a margin of +1")
    assert told[6].strip().endswith("The value is 1.")


@pytest.mark.parametrize(("said", "shown"), [("!\n", True), ("\n", False), ("q\n", False), ("", False)])
def test_whoever_gives_up_may_see_the_solution(run: Run, file: Path, said: str, shown: bool) -> None:
    code, out, _ = run("solve", "small-endgame", "--file", str(file), stdin=said)
    assert code == 1
    assert ("accepted: e3=Z@W4 xR1" in out) == shown


def test_an_unknown_puzzle_is_named(run: Run, file: Path) -> None:
    code, _, err = run("show", "small-quiz", "--file", str(file))
    assert (code, err.startswith("aquakit: puzzle: there is no puzzle 'small-quiz'")) == (2, True)


def test_check_proves_all_puzzles_again_side_by_side(run: Run, file: Path) -> None:
    code, out, _ = run("check", str(file.parent))
    lines = out.splitlines()
    assert code == 0
    assert [line.split(" ")[0] for line in lines[:2]] == ["[1/2]", "[2/2]"]
    assert {line.split(" ")[1] for line in lines[:2]} == {"small-duel:", "small-endgame:"}
    assert lines[2].startswith("2 puzzles proved again in ")
    assert lines[2].endswith("none of them different")


def test_check_fails_and_names_file_puzzle_and_field(run: Run, file: Path) -> None:
    text = file.read_text("utf-8")
    file.write_text(text.replace("value = 1\n", "value = 2\n"), "utf-8")
    code, out, _ = run("check", str(file), "--only", "small-endgame")
    assert code == 1
    assert f"{file}: small-endgame: value: is 2, but 1 is proved\n" in out
    file.write_text(text.replace('accepted = ["e3=Z@W4 xR1"]', 'accepted = ["e3=Z@W4 x-"]'), "utf-8")
    code, out, _ = run("check", str(file), "--only", "small-endgame")
    assert code == 1
    assert f"{file}: small-endgame: accepted: 'e3=Z@W4 xR1' is missing\n" in out


def test_check_notes_who_else_has_proved_a_puzzle(run: Run, file: Path) -> None:
    small_set("longest").save(file)
    text = file.read_text("utf-8")
    file.write_text(text.replace("exhaustive+cpsat", "cpsat"), "utf-8")
    assert run("check", str(file))[0] == 0
    assert file.read_text("utf-8") != text
    code, out, _ = run("check", str(file), "--note")
    assert code == 0
    assert f"{file}: 1 new proof noted\n" in out
    assert file.read_text("utf-8") == text
    assert "noted" not in run("check", str(file), "--note")[1]


def test_a_file_that_cannot_be_read_is_one_clear_line(run: Run, file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("difficulty = 1", "difficulty = 7", 1), "utf-8")
    code, _, err = run("check", str(file))
    assert code == 2
    assert err.startswith(f"aquakit: {file}: small-duel: difficulty: ")


def test_retell_writes_words_anew_and_leaves_answers(run: Run, file: Path) -> None:
    before = PuzzleSet.load(file)
    assert run("retell", str(file), "--only", "small-duel") == (0, f"{file}: written anew\n", "")
    some = PuzzleSet.load(file)
    assert some["small-endgame"] == before["small-endgame"]
    assert some["small-duel"].hints != before["small-duel"].hints
    assert some["small-duel"].title == before["small-duel"].title
    assert some.answer("small-duel").accepted == before.answer("small-duel").accepted
    assert run("retell", str(file.parent), "--titles", "--order")[0] == 0
    made = PuzzleSet.load(file)
    assert [puzzle.id for puzzle in made.puzzles] == ["small-01", "small-02"]
    assert len({"Draft", *(puzzle.title for puzzle in made.puzzles)}) == 3
    assert run("retell", str(file)) == (0, f"{file}: nothing new\n", "")
    assert run("check", str(file))[0] == 0


def test_retell_names_what_is_not_there(run: Run, file: Path) -> None:
    written = file.read_bytes()
    code, _, err = run("retell", str(file), "--only", "small-nothing")
    assert code != 0
    assert "small-nothing" in err
    assert file.read_bytes() == written
