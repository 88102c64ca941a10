"""The widgets' JavaScript is right without a browser: every `*.test.mjs` beside this file runs in Node."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from javascript import node

FILES = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_modules(file: Path) -> None:
    done = subprocess.run([node(), "--test", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
