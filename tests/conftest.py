"""Settings for all tests, and what several of them look at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# How long an example takes depends on what runs beside it.
settings.register_profile("aquakit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("aquakit")
# A shell lets what it starts in the background ignore interrupts; tests of interrupts would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Workers, if pytest-xdist is there and `-n` asks for some


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    import sharing

    return sharing.count_workers()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    import sharing

    config.option.loadscopereorder = False  # it would put many quick tests before a few long ones
    return sharing.ShareScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        import sharing

        items[:] = [items[place] for place in sharing.order(item.nodeid for item in items)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says why tests were skipped, which is easily overlooked; workers send their reports here."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{reason}: {count} tests skipped")


# What several tests look at


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
