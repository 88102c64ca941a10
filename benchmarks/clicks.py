"""Measures how long a click on a board takes in a real JupyterLab: `python benchmarks/clicks.py`.

The commit before is measured in the same run, in turn with this one, since other load on the machine adds to both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

HERE = Path(__file__).parents[1]
CLICKS = 50
AT_ONCE = 10
"""So many clicks on one checkout's board are followed by those on the other's."""
ROUNDS = 3
BESIDE = "beside an analysis"
BOARDS = {
    "romana4": "b = Board(start('romana4'))\nb",
    "aquadukt4": "b = Board(start('aquadukt4', seed=1), seed=1)\nb",
    f"romana4 {BESIDE}": "b = Explorer(start('romana4'))\nb",
    f"aquadukt4 {BESIDE}": "b = Explorer(start('aquadukt4', seed=1), seed=1)\nb",
}
GOALS = {"median": 60, "95th": 90}
GOALS_BESIDE = {"95th": 120}
"""The most milliseconds that a click should take."""

# From the click's dispatch until the frame with the answer has been painted. The answer is there when something else is
# asked: an analysis draws its findings at any time. Between two clicks there is a pause, as between those of people.
CLICK_ON = """async (board, [clicks, pause, chance]) => {
    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    const listChoices = () => [...board.querySelectorAll(".actions [data-choice], .layer [data-choice]")];
    const prompt = board.querySelector(".prompt");
    const asked = () => [prompt.textContent, ...listChoices().map((e) => e.dataset.choice)].join();
    const answered = (before) => new Promise((done, fail) => {
        const late = setTimeout(() => fail(new Error(`no answer: ${before}`)), 20000);
        const observer = new MutationObserver(() => {
            if (asked() === before) return;
            clearTimeout(late);
            observer.disconnect();
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now());
            requestAnimationFrame(() => port2.postMessage(""));
        });
        observer.observe(board, { attributeFilter: ["data-step"] });
    });
    const times = [];
    while (times.length < clicks) {
        await wait(pause);
        const choices = listChoices();
        chance = (chance * 48271) % 2147483647;
        const choice = choices[chance % choices.length];
        const end = answered(asked());
        const start = performance.now();
        choice.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
        times.push((await end) - start);
    }
    return times;
}"""
PAUSE = 150


def has_chromium() -> bool:
    """Tells whether clicks can be measured here."""
    return _tools("notebook_house").chromium() is not None


def click_times(clicks: int = CLICKS, rounds: int = ROUNDS) -> dict[str, float]:
    """Gets the median and the 95th percentile of the milliseconds that a click takes on each board of this checkout."""
    found = _measure([HERE], clicks, rounds)
    return {f"{board}_{name}": value for board, (times,) in found.items() for name, value in _sum_up(times).items()}


def compare_with_before(clicks: int = CLICKS, rounds: int = ROUNDS) -> dict[str, dict[str, float]]:
    """Gets the same, and how many times longer the commit before takes, where there is one."""
    with _find_before() as before:
        found = _measure([HERE, *before], clicks, rounds)
    figures = {}
    for board, times in found.items():
        here, *others = map(_sum_up, times)
        goals = GOALS_BESIDE if BESIDE in board else GOALS
        figures[board] = here | {f"{name}_goal": float(goal) for name, goal in goals.items()}
        for other in others:
            figures[board] |= {f"{name}_before": value for name, value in other.items()}
            figures[board] |= {f"{name}_ratio": value / here[name] for name, value in other.items()}
    return figures


def _sum_up(times: list[float]) -> dict[str, float]:
    return {"median": median(times), "95th": quantiles(times, n=20)[-1]}


def _measure(checkouts: list[Path], clicks: int, rounds: int) -> dict[str, list[list[float]]]:
    """Gets all times on each board, for each checkout; they take turns."""
    from playwright.sync_api import sync_playwright

    house, boards = _tools("notebook_house"), _tools("board_page")
    found: dict[str, list[list[float]]] = {board: [[] for _ in checkouts] for board in BOARDS}
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = stack.enter_context(house.launch(stack.enter_context(sync_playwright())))
        pages = []
        for number, checkout in enumerate(checkouts):
            folder = scratch / str(number)
            # What is played is kept there, and not among the user's games.
            own = {"PYTHONPATH": str(checkout), "AQUAKIT_DATA": str(folder / "data")}
            # Nothing is to be compiled while clicks are measured.
            warm = [sys.executable, "-m", "aquakit.cli", "warm"]
            subprocess.run(warm, env=os.environ | own, check=True, stdout=subprocess.DEVNULL)
            lab = stack.enter_context(house.House(folder / "house", own))
            pages.append(stack.enter_context(boards.BoardPage.opened(lab, browser)))
            assert pages[-1].ask("__import__('aquakit').__file__") == str(checkout / "aquakit" / "__init__.py")
        for _ in range(rounds):
            for board, times in found.items():
                _take_turns(pages, board, clicks, times)
    return found


def _take_turns(pages: list[Any], board: str, clicks: int, found: list[list[float]]) -> None:
    """Clicks on the same board on all pages, some times on each before it is the next one's turn."""
    for there in pages:
        there.show(BOARDS[board])
    for done in range(0, clicks, AT_ONCE):
        for there, times in zip(pages, found, strict=True):
            if BESIDE in board:
                there.tell("b.analyse()")
            times += there.board.evaluate(CLICK_ON, [min(AT_ONCE, clicks - done), PAUSE, 1 + done])
            if BESIDE in board:
                there.tell("b.rest()")
    for there in pages:
        turns = there.ask("len(b.record.root.main()) - 1")
        assert turns > clicks / 10, f"{clicks} clicks made only {turns} turns: {board}"
        assert not there.troubles, there.troubles
        there.tell("b.close()")


@contextmanager
def _find_before() -> Iterator[list[Path]]:
    """Lends a checkout of the commit before, or of the last one while something here is not committed."""
    try:
        changed = _git("status", "--porcelain")
        commit = _git("rev-parse", "--verify", "HEAD" if changed else "HEAD^").decode().strip()
    except (OSError, subprocess.CalledProcessError):  # a copy without its history
        yield []
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=_git("archive", commit, "aquakit"), check=True)
        yield [Path(folder)]


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=HERE, check=True, capture_output=True).stdout


def _tools(module: str) -> Any:
    """Imports a module of the browser tests."""
    folder = str(HERE / "tests" / "browser")
    if folder not in sys.path:
        sys.path.append(folder)
    return __import__(module)


def show(figures: Mapping[str, Mapping[str, float]]) -> None:
    """Prints the figures of all boards."""
    for board, found in figures.items():
        for name in ("median", "95th"):
            words = f"{board:30} {name:6} {found[name]:6.1f} ms"
            if f"{name}_goal" in found:
                words += f", goal {found[f'{name}_goal']:.0f}"
            if f"{name}_before" in found:
                words += f", before {found[f'{name}_before']:.1f}, ratio {found[f'{name}_ratio']:.2f}"
            print(words)


if __name__ == "__main__":
    show(compare_with_before())
