"""The workshop's commands."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import websocket
from attempts import ADA
from waiting import wait_for

from aquakit.cli import main as cli
from aquakit.errors import InvalidOption, MissingPackage
from aquakit.training.result_file import ResultFile
from aquakit.workshop import serve, served
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
    with pytest.raises(MissingPackage, match=r"aquakit-boardgames\[lab\]"):
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


NOTES = """
import json, os, pathlib
from aquakit.workshop.served import SIGNS, is_served
signs = [sign for sign in SIGNS if sign in os.environ]
made = pathlib.Path("kernel.part")
made.write_text(json.dumps({"kernel": os.getpid(), "voila": os.getppid(), "signs": signs, "served": is_served()}))
made.rename("kernel.json")
"""
"""What a kernel notes about itself."""


def write_lesson(folder: Path, code: str = "") -> None:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": code}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": [cell]}
    folder.mkdir(exist_ok=True)
    (folder / "01-a.ipynb").write_text(json.dumps(notebook))


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serves a folder as leaders do, on a free port; gets the process and the address with its token."""
    words = [sys.executable, "-m", "aquakit.cli", "workshop", "serve", str(folder), "--port", "0", *options]
    env = {**os.environ, **environment}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as process:
        try:
            assert process.stdout is not None
            (address,) = re.findall(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
            yield process, address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def is_running(pid: int) -> bool:
    """Tells whether a process runs; one that has ended may be listed until somebody asks how it ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_lessons_are_served_on_this_computer_behind_a_token(tmp_path: Path) -> None:
    write_lesson(tmp_path)
    with serving(tmp_path, "--no-browser") as (process, address):
        assert "01-a.ipynb" in fetch(address)
        assert "01-a.ipynb" not in fetch(address.partition("?")[0])  # the page asks for the token
    assert process.returncode == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=2)


needs_proc = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc to look into")


@needs_proc
def test_no_command_line_holds_the_token(tmp_path: Path) -> None:
    lessons = tmp_path / "lessons"
    write_lesson(lessons)
    browser, asked = tmp_path / "browser", tmp_path / "asked"
    stay = f"while [ -e {asked} ]; do sleep 0.1; done"
    browser.write_text(f'#!/bin/sh\necho "$1" > {asked}.part\nmv {asked}.part {asked}\n{stay}\n')
    browser.chmod(0o755)
    private = tmp_path / "private"
    private.mkdir()
    with serving(lessons, BROWSER=f"{browser} %s &", TMPDIR=str(private)) as (_, address):
        wait_for(asked.exists)
        token = address.partition("token=")[2]
        lines = {path: read(path) for path in Path("/proc").glob("[0-9]*/cmdline")}
        assert any(b"aquakit.workshop.leash" in line for line in lines.values())
        assert [path for path, line in lines.items() if token.encode() in line] == []
        page = Path(unquote(urlsplit(asked.read_text().strip()).path))
        assert f'url={address}"' in page.read_text("utf-8")
        assert (stat.S_IMODE(page.stat().st_mode), stat.S_IMODE(page.parent.stat().st_mode)) == (0o600, 0o700)
        asked.unlink()
    assert not page.parent.exists()


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


@needs_proc
def test_whatever_ends_the_command_no_server_and_no_kernel_is_left(tmp_path: Path) -> None:
    write_lesson(tmp_path, NOTES)
    with serving(tmp_path, "--no-browser") as (process, address):
        fetch(address.replace("/?", "/voila/render/01-a.ipynb?"))
        wait_for((tmp_path / "kernel.json").exists)
        noted = json.loads((tmp_path / "kernel.json").read_text())
        assert noted["served"]
        assert set(noted["signs"]) == set(served.SIGNS)
        assert is_running(noted["voila"])
        assert is_running(noted["kernel"])
        process.kill()
        wait_for(lambda: not is_running(noted["voila"]) and not is_running(noted["kernel"]))


def test_a_visitor_with_a_socket_of_their_own_reaches_neither_files_nor_code(tmp_path: Path) -> None:
    lessons, letter = tmp_path / "lessons", tmp_path / "letter.txt"
    write_lesson(lessons, "from aquakit import Explorer\nExplorer('romana2-5x4')")
    letter.write_text("Dear Ada")
    before = sorted(tmp_path.rglob("*"))
    with serving(lessons, "--no-browser") as (_, address):
        page = fetch(address.replace("/?", "/voila/render/01-a.ipynb?"))
        (kernel,) = set(re.findall(r'"kernelId": *"([^"]+)"', page))
        visitor = Visitor(address.replace("http", "ws").replace("/?", f"/api/kernels/{kernel}/channels?"))
        visitor.send("execute_request", code=f"open({str(tmp_path / 'made')!r}, 'w')", silent=False)
        for board in visitor.list_comms():
            for path in ("../letter.txt", str(letter), "mine.txt", "01-a.ipynb"):
                for do in ("save", "load"):
                    visitor.click(board, do=do, path=path)
                visitor.click(board, do="replace")
        said = visitor.hear_out()
    assert "pages that are served open and save none" in said
    assert "Dear Ada" not in said
    assert letter.read_text() == "Dear Ada"
    assert sorted(tmp_path.rglob("*")) == before


class Visitor:
    """Talks with a kernel over the page's socket, and is not bound by what the page has buttons for."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(address, timeout=60)
        self.sent = 0

    def send(self, kind: str, **content: Any) -> str:
        self.sent += 1
        header = {"msg_id": f"v{self.sent}", "msg_type": kind, "username": "", "session": "visitor", "version": "5.3"}
        rest = {"parent_header": {}, "metadata": {}, "content": content, "channel": "shell", "buffers": []}
        self.socket.send(json.dumps({"header": header, **rest}))
        return f"v{self.sent}"

    def click(self, board: str, **content: Any) -> None:
        self.send("comm_msg", comm_id=board, data={"method": "custom", "content": content})

    def hear(self, asked: str, **content: Any) -> tuple[dict[str, Any], str]:
        """Listens until something that holds this answers a request; gets it, and all that was said until then."""
        said = list[str]()
        while True:
            said.append(self.socket.recv())
            heard = json.loads(said[-1])
            if heard["parent_header"].get("msg_id") == asked and content.items() <= heard["content"].items():
                return heard["content"], "".join(said)

    def list_comms(self) -> list[str]:
        answer, _ = self.hear(self.send("comm_info_request"), status="ok")
        assert answer["comms"]
        return list(answer["comms"])

    def hear_out(self) -> str:
        """Gets what is said until all is done; that comes the same way as what boards say, so nothing overtakes it."""
        return self.hear(self.send("kernel_info_request"), execution_state="idle")[1]


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
