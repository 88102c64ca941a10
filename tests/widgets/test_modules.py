"""The widgets' JavaScript is right without a browser: every `*.test.mjs` beside this file runs in Node."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

FILES = sorted(Path(__file__).parent.glob("*.test.mjs"))


@cache
def node() -> str:
    """Finds a Node that can run tests: the system's, if it is new enough, or the one that playwright brings."""
    found = shutil.which("node")
    if found:
        version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if (major := re.match(r"v(\d+)", version)) and int(major[1]) >= 20:
            return found
    return compute_driver_executable()[0]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_modules(file: Path) -> None:
    done = subprocess.run([node(), "--test", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
