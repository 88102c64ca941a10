"""What strangers' texts do to a terminal and to error lines: nothing. What is typed is read, or refused in a line."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from strangers import RESULTS, samples

import aquakit
from aquakit.cli import main as cli
from aquakit.cli.common import plain
from aquakit.core.record import Record
from aquakit.errors import LONGEST, AquakitError, InvalidOption
from aquakit.workshop.collection import home

ESCAPE = "\x1b]0;\x07\x9b2J\x7f\u202eowned"
COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
Run = Callable[..., tuple[int, str, str]]
DIGITS, ENDLESS = "9" * 5000, "x" * 5000
SMALL = "romana2-5x4"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command, whose words may command nothing and whose errors are short."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = cli.run(list(arguments))
        out, err = capsys.readouterr()
        assert not COMMANDS.search(out + err)
        assert all(len(line) < 4 * LONGEST for line in err.splitlines())
        return code, out, err

    return call


def test_what_a_terminal_would_obey_is_written_out() -> None:
    assert plain("a\tb\nc é 😀") == "a\tb\nc é 😀"
    assert plain("\x1b[2J\x9b\u202e\ud800\r") == "\\u001b[2J\\u009b\\u202e\\ud800\\u000d"
    assert json.loads(plain(json.dumps({"a": "\x9b\x7f"}, ensure_ascii=False))) == {"a": "\x9b\x7f"}


def test_titles_and_names_do_not_command_the_terminal(run: Run, folder: Path) -> None:
    toml = ESCAPE.encode("unicode_escape").decode().replace("\\x", "\\u00")
    (folder / "layout.toml").write_text(
        aquakit.load_layout(SMALL).text.replace('title = "', f'title = "{toml}'), encoding="utf-8"
    )
    assert "owned" in run("layout", "check", str(folder / "layout.toml"))[1]
    raw = aquakit.load_layout(SMALL).text + "# \x9b2J\u202e owned\n"
    (folder / "raw.toml").write_text(raw, "utf-8")
    assert "owned" in run("layout", "show", str(folder / "raw.toml"))[1]
    puzzles = samples("puzzles")[0].replace('text = "', f'text = "{toml}', 1)
    (folder / "puzzles.toml").write_text(puzzles, "utf-8")
    assert "owned" in run("puzzle", "list", "--file", str(folder / "puzzles.toml"))[1]
    lesson = (home() / "rules.toml").read_text("utf-8").replace('id = "rules-tiles"', f'id = "{toml}"')
    (folder / "lesson.toml").write_text(lesson, "utf-8")
    assert run("workshop", "check", str(folder / "lesson.toml"))[0] == 1
    lines = [
        json.dumps(json.loads(RESULTS) | {key: ESCAPE}) for key in ("person", "exercise", "lesson", "outcome", "at")
    ]
    (folder / f"results-{ESCAPE}.jsonl").write_text("\n".join([RESULTS, *lines, "{\x1b[2J", ""]), "utf-8")
    code, _, err = run("workshop", "sheet", str(folder), "--out", str(folder / "sheet"))
    assert (code, err.count("owned.jsonl"), len(err.splitlines())) == (0, 6, 6)
    Record(aquakit.start(SMALL), {"event": "\u202eowned"}).save(folder / "game.txt")
    assert "owned" in run("record", "show", str(folder / "game.txt"))[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", ESCAPE),
        ("show", f"{ESCAPE} x"),
        ("show", ENDLESS),
        ("show", f"{ENDLESS} {ENDLESS}"),
        ("show", f"{ENDLESS}.toml"),
        ("show", SMALL, "--svg", ENDLESS),
        ("show", SMALL, "--size", DIGITS),
        ("show", SMALL, "--layout", ENDLESS),
        ("start", ENDLESS),
        ("start", SMALL, "--setup", "--seed", DIGITS),
        ("start", "aquadukt2", "--seed", "9" * 4000),
        ("play", SMALL, ENDLESS),
        ("play", SMALL, "b3=" + ESCAPE),
        ("turns", "aquadukt2", "--dice", DIGITS),
        ("turns", "aquadukt2", "--dice", "²"),
        ("turns", SMALL, "--limit", DIGITS),
        ("random", SMALL, "--record", ENDLESS),
        ("random", SMALL, "--games", DIGITS),
        ("perft", SMALL, DIGITS),
        ("perft", "--check", ENDLESS),
        ("perft", "--check", "/dev/zero"),
        ("match", f"mcts:{DIGITS}", "greedy"),
        ("match", f"mcts:{DIGITS}s", "greedy"),
        ("match", f"planner:{DIGITS}", "greedy"),
        ("match", "greedy", "random", "--out", ENDLESS, "--layout", SMALL),
        ("match", "greedy", "random", "--seed", "9" * 4000),
        ("plan", SMALL, "--turns", "9" * 4000),
        ("plan", SMALL, "--turns", "1", "--seconds", "1e999"),
        ("plan", SMALL, "--turns", "1", "--record", ENDLESS),
        ("timing", SMALL, "--growth", f"R1={DIGITS}"),
        ("timing", SMALL, "--growth", f"R1={DIGITS},{DIGITS}"),
        ("timing", SMALL, "--growth", "R1=1e999"),
        ("timing", SMALL, "--growth", f"R1={'9' * 4000},{'9' * 4000}"),
        ("timing", SMALL, "--growth", ENDLESS),
        ("timing", SMALL, "--growth", "/dev/zero"),
        ("timing", SMALL, "--rivals", f"G1={DIGITS}"),
        ("timing", SMALL, "--rivals", f"G1={'9' * 4000}"),
        ("timing", SMALL, "--rivals", "weight=1e999"),
        ("timing", SMALL, "--race", f"{ENDLESS}.png"),
        ("longest", SMALL, "--aqueduct", ENDLESS),
        ("analyse", SMALL, "--playouts", "9" * 4000),
        ("analyse", SMALL, "--seconds", "1e999"),
        ("review", ENDLESS),
        ("review", "/dev/zero"),
        ("record", "show", ENDLESS),
        ("record", "show", "/dev/zero"),
        ("layout", "check", ENDLESS),
        ("layout", "check", "/dev/zero"),
        ("puzzle", "list", "--file", ENDLESS),
        ("puzzle", "list", "--file", "/dev/zero"),
        ("puzzle", "check", ENDLESS),
        ("puzzle", "show", ENDLESS),
        ("puzzle", "show", "first-steps-01", "--svg", ENDLESS),
        ("puzzle", "make", "--kind", "duel", "--count", "9" * 4000),
        ("puzzle", "make", "--kind", "duel", "--count", "1", "--out", ENDLESS),
        ("workshop", "start", ENDLESS),
        ("workshop", "serve", ENDLESS),
    ],
    ids=lambda arguments: " ".join(word[:12] for word in arguments).replace("\x1b", ""),
)
def test_what_cannot_be_used_is_one_short_line(
    run: Run, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*arguments)
    assert code == 2
    assert err.startswith("aquakit: ")
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


def test_files_that_are_checked_may_be_called_anything(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in (ENDLESS, "/dev/zero"):
        assert run("record", "check", file)[0] == 1
        assert run("workshop", "check", file)[0] == 1
        assert run("workshop", "sheet", file)[0] == 1


def test_a_file_of_counts_may_hold_anything(run: Run, tmp_path: Path) -> None:
    start = aquakit.start(SMALL)
    for counts in (f"D1 {DIGITS}", f"D{DIGITS} 1", "D1 x", "D1", ESCAPE, "D999999999 1"):
        (tmp_path / "counts.txt").write_text(f"{start} ; {counts}\n", "utf-8")
        assert run("perft", "--check", str(tmp_path / "counts.txt"))[0] == 2


def test_bad_result_files_are_told_and_the_others_count(run: Run, folder: Path) -> None:
    (folder / "results-Ada.jsonl").write_text(RESULTS, "utf-8")
    (folder / "results-Bob.jsonl").symlink_to("/dev/zero")
    (folder / "results-Cyd.jsonl").mkdir()
    (folder / "results-Dan.jsonl").write_text(
        RESULTS.replace("2026-03-02T20:15:00+00", "0001-01-01T00:00:00+14"), "utf-8"
    )
    os.mkfifo(folder / "results-Eve.jsonl")
    code, out, err = run("workshop", "sheet", str(folder), "--out", str(folder / "sheet"))
    assert code == 0
    assert "1 of 1" in out
    assert [line.split(":")[1].split(",")[0].strip() for line in err.splitlines()] == [
        f"results-{name}.jsonl" for name in ("Bob", "Cyd", "Dan", "Eve")
    ]


def test_errors_are_short_and_keep_their_point() -> None:
    short = InvalidOption("size", "'big'", "a width from 100 to 10000")
    assert str(short) == "size: 'big'; expected a width from 100 to 10000"
    long = AquakitError("a" * 40_000 + ".toml: name", "b" * 40_000 + " is missing", "c" * 40_000 + " or nothing")
    assert len(str(long)) < 4 * LONGEST
    for end in (".toml: name: ", " is missing; expected ", " or nothing"):
        assert end in str(long)
    assert (len(long.where), len(long.problem)) == (40_011, 40_011)


def test_all_that_commands_print_goes_through_one_place() -> None:
    sources = [path for path in Path(cli.__file__).parent.glob("*.py") if path.name not in ("common.py", "demo.py")]
    calls = [
        (path.name, call.lineno)
        for path in sources
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("print", "sys.stdout.write", "sys.stderr.write")
    ]
    assert calls == []
