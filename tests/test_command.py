"""The command itself, as a shell starts it: its names, its version, and Ctrl-C at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import aquakit

HOOK = """
import os, signal, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ.get("SAY_AT"):
            print("begun", flush=True)
        if name == os.environ.get("STOP_AT"):
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Watch())
"""
"""Every Python imports it when it starts: it says when a module is imported, or sends Ctrl-C then."""
FIRST = "aquakit.cli.main"
"""What the command imports first; before, Python itself is starting."""
SHOW = ("show", "romana2-5x4")
STOPPED = "aquakit: stopped\n"


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "sitecustomize.py").write_text(HOOK, "utf-8")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}


def start(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "aquakit", *arguments]
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("module", ["aquakit", "aquakit.cli"])
def test_the_version_is_told(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"aquakit {aquakit.__version__}\n", "")


@pytest.mark.parametrize("module", [FIRST, "typer", "rich.console", "aquakit.cli.workshop", "pydantic", "tomllib"])
def test_ctrl_c_while_something_is_imported_ends_with_one_line(watched: dict[str, str], module: str) -> None:
    process = start(watched | {"STOP_AT": module}, *SHOW)
    assert process.communicate() == ("", STOPPED)
    assert process.returncode == 130


@pytest.mark.parametrize("arguments", [SHOW, ("plan", "romana2-5x4", "--turns", "2"), ("puzzle", "list")])
@pytest.mark.parametrize("after", [0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1])
def test_ctrl_c_in_the_first_second_is_never_a_traceback(
    watched: dict[str, str], arguments: tuple[str, ...], after: float
) -> None:
    process = start(watched | {"SAY_AT": FIRST}, *arguments)
    assert process.stdout.readline() == "begun\n"
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert "Traceback" not in err
    # Python ends itself by the signal if it came while a text was executed, as dataclasses do, or when all was done.
    assert process.returncode in (130, 0, -signal.SIGINT)
    assert err.endswith(STOPPED) or process.returncode != 130


def test_what_is_told_to_ignore_ctrl_c_ignores_it(watched: dict[str, str]) -> None:
    deaf = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", deaf, sys.executable, "-m", "aquakit", *SHOW]
    done = subprocess.run(words, env=watched | {"STOP_AT": "typer"}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") > 5
