"""Settings for all tests, and what several of them look at."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("aquakit", deadline=None)
settings.load_profile("aquakit")
# A shell lets what it starts in the background ignore interrupts; tests of interrupts would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the documentation site as `make docs` does, where any warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=Path(__file__).parent.parent,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder
