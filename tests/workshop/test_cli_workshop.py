"""The workshop's commands."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from attempts import ADA
from waiting import wait_for

from aquakit.cli import main as cli
from aquakit.errors import InvalidOption, MissingPackage
from aquakit.training.result_file import ResultFile
from aquakit.workshop import serve
from aquakit.workshop.collection import home


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Runs a command; gets its exit code and what it prints."""
    code = cli.run(["workshop", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_start_lays_out_the_lessons_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "start", str(tmp_path / "evening"))
    assert code == 0
    assert "01-welcome.ipynb" in out
    code, _, problem = run(capsys, "start", str(tmp_path / "evening"))
    assert code != 0
    assert "is there already" in problem


def test_a_sheet_is_made_of_what_can_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    ResultFile(tmp_path / "results-Ada.jsonl").append(ADA)
    (tmp_path / "results-Bob.jsonl").write_bytes(b"\xff\n")
    code, out, problem = run(capsys, "sheet", str(tmp_path), "--out", str(tmp_path / "evening"))
    assert code == 0
    assert "rules-tiles" in out
    assert "1 participant" in out
    assert "results-Bob.jsonl, line 1: is damaged" in problem
    assert "Ada" in (tmp_path / "evening.csv").read_text("utf-8")
    assert "results-Bob.jsonl" in (tmp_path / "evening.html").read_text("utf-8")


def test_a_sheet_of_nothing_is_an_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "results-Bob.jsonl").write_bytes(b"\xff\n")
    code, _, problem = run(capsys, "sheet", str(tmp_path), "--out", str(tmp_path / "evening"))
    assert code == 1
    assert "no result file could be read" in problem
    assert not (tmp_path / "evening.csv").exists()


def test_all_exercises_and_checks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list")
    assert (code, "podium-3" in out, "rules: The rules by playing" in out) == (0, True, True)
    code, out, _ = run(capsys, "checks")
    assert (code, "in-sight" in out, "measure" in out) == (0, True, True)


def test_exercises_are_checked_by_answering_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (home() / "rules.toml").read_text("utf-8")
    path = tmp_path / "rules.toml"
    path.write_text(text.replace("[answers.rules-tiles]\nright = 7", "[answers.rules-tiles]\nright = 8"), "utf-8")
    code, out, _ = run(capsys, "check", str(path))
    assert code == 1
    assert "rules-tiles: answers.right: '8' is refused: 8 is too large." in out
    assert out.rstrip().endswith("1 problem")
    path.write_text(text.replace('aqueduct = "R2"', 'aqueduct = "X9"', 1), "utf-8")
    code, out, _ = run(capsys, "check", str(path))
    assert code == 1
    assert "given.aqueduct: there is no 'X9'" in out


# Serving


def test_without_voila_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingPackage, match=r"aquakit\[lab\]"):
        serve.serve(tmp_path)


def test_what_is_no_lesson_is_not_served(tmp_path: Path) -> None:
    for target in (tmp_path, tmp_path / "no.ipynb", tmp_path / "home"):
        with pytest.raises(InvalidOption, match="notebook"):
            serve.check_target(target)


def test_a_port_that_is_taken_is_named() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind((serve.HOST, 0))
        taken.listen()
        with pytest.raises(InvalidOption, match="cannot be used"):
            serve.find_port(taken.getsockname()[1])
    assert serve.find_port(0) > 0


def test_lessons_are_served_on_this_computer_behind_a_token(tmp_path: Path) -> None:
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}
    (tmp_path / "01-a.ipynb").write_text(json.dumps(notebook))
    words = [sys.executable, "-m", "aquakit.cli", "workshop", "serve", str(tmp_path), "--no-browser", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            (address,) = re.findall(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
            assert "01-a.ipynb" in fetch(address)
            assert "01-a.ipynb" not in fetch(address.partition("?")[0])  # the page asks for the token
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=2)


def fetch(address: str) -> str:
    """Gets a page, as soon as the server answers."""
    pages = list[str]()

    def answers() -> bool:
        try:
            with urllib.request.urlopen(address, timeout=20) as answer:
                pages.append(answer.read().decode())
        except urllib.error.HTTPError as problem:
            pages.append(problem.read().decode())
        except (urllib.error.URLError, ConnectionError):
            return False
        return True

    wait_for(answers)
    return pages[0]
