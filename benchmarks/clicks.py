"""Measures how long a click on a board takes in a real JupyterLab: `python benchmarks/clicks.py`."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

BROWSER_TESTS = Path(__file__).parent.parent / "tests" / "browser"
CLICKS = 50
ROUNDS = 3
BOARDS = {
    "romana4": "b = Board(start('romana4'))\nb",
    "aquadukt4": "b = Board(start('aquadukt4', seed=1), seed=1)\nb",
}
# From the click's dispatch until the board has been drawn again and the next frame has begun. Between two clicks there
# is a pause, as between those of people.
CLICK_ON = """async (board, [clicks, pause]) => {
    let chance = 1;
    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    const redrawn = () => new Promise((done) => {
        const observer = new MutationObserver(() => {
            observer.disconnect();
            requestAnimationFrame(() => done(performance.now()));
        });
        observer.observe(board, { attributeFilter: ["data-step"] });
    });
    const times = [];
    while (times.length < clicks) {
        await wait(pause);
        const choices = [...board.querySelectorAll(".actions [data-choice], .layer [data-choice]")];
        chance = (chance * 48271) % 2147483647;
        const choice = choices[chance % choices.length];
        const end = redrawn();
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
    """Gets the median and the 95th percentile of the milliseconds that a click takes, for both games.

    Of several rounds the best counts, since other load on the machine only ever adds.
    """
    from playwright.sync_api import sync_playwright

    house, boards = _tools("notebook_house"), _tools("board_page")
    found: dict[str, float] = {}

    def note(what: str, milliseconds: float) -> None:
        found[what] = min(milliseconds, found.get(what, milliseconds))

    with (
        tempfile.TemporaryDirectory() as folder,
        house.House(Path(folder) / "house") as lab,
        sync_playwright() as playwright,
        house.launch(playwright) as browser,
        boards.BoardPage.opened(lab, browser) as there,
    ):
        for layout, cell in rounds * [*BOARDS.items()]:
            times = there.show(cell).evaluate(CLICK_ON, [clicks, PAUSE])
            note(f"{layout}_median", statistics.median(times))
            note(f"{layout}_95th", statistics.quantiles(times, n=20)[-1])
            turns = there.ask("len(b.record.root.main()) - 1")
            assert turns > 5, f"{clicks} clicks on {layout} made only {turns} turns"
            assert not there.troubles, there.troubles
    return found


def _tools(module: str) -> Any:
    """Imports a module of the browser tests."""
    if str(BROWSER_TESTS) not in sys.path:
        sys.path.append(str(BROWSER_TESTS))
    return __import__(module)


if __name__ == "__main__":
    for what, milliseconds in click_times().items():
        print(f"{what:20} {milliseconds:6.1f} ms")
