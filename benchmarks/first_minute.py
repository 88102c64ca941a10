"""Times a newcomer's first minute: a fresh clone, `make lab`, and a first click on a board in a real browser.

`python benchmarks/first_minute.py` clones the repository into a scratch folder; `--copy` takes the files as they stand.
Needs Chromium and playwright. Nothing is taken from pip's cache.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
FLAGS = ["--no-sandbox"] if os.getuid() == 0 else []
LEFT_OUT = (".venv", ".git", "out", "__pycache__", ".*_cache", ".hypothesis")


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--copy", action="store_true", help="take the files as they stand, not as they were committed")
    clock = Clock()
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / "aquakit"
        if reader.parse_args().copy:
            shutil.copytree(ROOT, fresh, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(fresh)], check=True)
        clock.tell("clone")
        with make_lab(fresh) as lines:
            address = wait_for_address(lines, clock)
            chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
            with sync_playwright() as playwright:
                page = playwright.chromium.launch(executable_path=chromium, args=FLAGS).new_page()
                click_a_board(page, address, clock)


class Clock:
    """Tells how long each step took."""

    def __init__(self) -> None:
        self._begun = self._last = time.perf_counter()

    def tell(self, step: str) -> None:
        now = time.perf_counter()
        print(f"{now - self._last:6.1f} s  {step:40} {now - self._begun:6.1f} s in all", flush=True)
        self._last = now


@contextmanager
def make_lab(folder: Path) -> Iterator[Iterator[str]]:
    """Runs `make lab`, and gives its lines as they come; whatever it started ends with it."""
    environment = {**os.environ, "PIP_NO_CACHE_DIR": "1", "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    environment |= {"JUPYTER_CONFIG_DIR": str(folder / ".venv" / "jupyter")}
    lab = subprocess.Popen(
        ["make", "lab"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert lab.stdout is not None
    try:
        yield iter(lab.stdout)
    finally:
        os.killpg(lab.pid, signal.SIGTERM)
        lab.wait()


def wait_for_address(lines: Iterator[str], clock: Clock) -> str:
    steps = {"pip install": "environment made", "workspaces import": "installed", "jupyter lab --": "prepared"}
    for line in lines:
        for sign in [sign for sign in steps if sign in line]:
            clock.tell(steps.pop(sign))
        if found := re.search(r"http://(localhost|127\.0\.0\.1):\S+", line):
            clock.tell("JupyterLab answers")
            return found[0]
    raise SystemExit("make lab ended")


def click_a_board(page: Page, address: str, clock: Clock) -> None:
    page.set_default_timeout(180_000)
    page.goto(address)
    page.locator(".jp-CodeCell").first.wait_for()
    clock.tell("the welcome is shown")
    # JupyterLab forgets cells that are run before its Python answers.
    page.locator("#jp-main-statusbar", has_text="(ipykernel) | Idle").wait_for()
    clock.tell("Python is ready")
    page.locator(".jp-CodeCell .jp-InputArea-editor").first.click()
    page.keyboard.press("Shift+Enter")
    board = page.locator("section.board").first
    board.locator(".prompt").wait_for()
    clock.tell("a cell run, a board is shown")
    assert not page.get_by_text("Would you like").count(), "JupyterLab asks something"
    board.locator('.layer [data-choice="R1"]').locator(".mark, .area").first.click()
    expect(board.locator(".prompt")).to_contain_text("builder", timeout=60_000)
    clock.tell("first click answered")


if __name__ == "__main__":
    main()
