"""Lets tests and examples keep what boards and trainers write in a folder of their own, never in the user's."""

from __future__ import annotations

import os
import tempfile

import pytest

FOLDER = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Names the folder; workers and kernels that tests start find it in their environment."""
    folder = config.stash[FOLDER] = tempfile.TemporaryDirectory(prefix="aquakit-data-", ignore_cleanup_errors=True)
    os.environ["AQUAKIT_DATA"] = folder.name


def pytest_unconfigure(config: pytest.Config) -> None:
    """Clears the folder away."""
    config.stash[FOLDER].cleanup()
