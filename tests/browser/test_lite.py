"""The JupyterLite site that `make lite` builds works in a browser with nothing but itself: Python runs in the page."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

SITE = Path(__file__).parents[2] / "out" / "lite"
PATIENCE = 240_000
"""Milliseconds: Python for browsers is large, and starts slowly on a busy machine."""

SOON = 60_000

pytestmark = pytest.mark.skipif(not SITE.is_dir(), reason="the site is not built; make lite does it")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def open_and_run(browser: Browser, address: str, name: str) -> Page:
    """Opens a notebook, cut off from all other servers, and runs it until a cell fails."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.route(lambda url: not url.startswith(address), lambda route: route.abort())
    page.goto(f"{address}/lab/index.html?path={name}")
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel")
    page.evaluate("async () => { await jupyterapp.commands.execute('notebook:run-all-cells'); }")
    return page


@pytest.fixture(scope="module")
def welcome(browser: Browser, address: str) -> Iterator[Page]:
    page = open_and_run(browser, address, "01-welcome.ipynb")
    yield page
    page.close()


@pytest.fixture(scope="module")
def rules(browser: Browser, address: str) -> Iterator[Page]:
    page = open_and_run(browser, address, "03-rules.ipynb")
    yield page
    page.close()


def list_runs(page: Page) -> list[tuple[str, int | None, str]]:
    """Lists the cells of code: what they say, their number if they ran, and their error."""
    runs = page.evaluate(
        """() => jupyterapp.shell.currentWidget.context.model.toJSON().cells
            .filter((cell) => cell.cell_type === "code")
            .map((cell) => [[cell.source].flat().join(""), cell.execution_count,
                cell.outputs.map((output) => output.evalue ?? "").join("")])"""
    )
    return [(source, number, error) for source, number, error in runs]


def run(page: Page, code: str, expression: str = "None") -> Any:
    """Runs code in the notebook's Python and gets a value."""
    printed, status = page.evaluate(
        """async (code) => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const future = kernel.requestExecute({ code, store_history: false });
            let printed = "";
            future.onIOPub = ({ content }) => { printed += content.text ?? content.evalue ?? ""; };
            return [(await future.done).content.status, printed];
        }""",
        f"{code}\nimport json as _json\nprint(_json.dumps({expression}))",
    )[::-1]
    assert status == "ok", printed
    return json.loads(printed.splitlines()[-1])


def test_the_site_brings_all_that_the_core_needs() -> None:
    pyodide = SITE / "static" / "pyodide"
    packages = json.loads((pyodide / "pyodide-lock.json").read_text("utf-8"))["packages"]
    waiting, seen = ["aquakit-boardgames", "ipykernel", "micropip"], set()
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += packages[name]["depends"]
    assert [name for name in seen if not (pyodide / packages[name]["file_name"]).is_file()] == []
    assert seen.isdisjoint({"numba", "ortools"})
    files = set(ZipFile(pyodide / packages["aquakit-boardgames"]["file_name"]).namelist())
    assert {"aquakit/widgets/static/board.js", "aquakit/romana/layouts/romana4.toml"} <= files
    assert {"aquakit/puzzle/sets/first-steps.toml"} <= files


def test_the_welcome_runs_from_top_to_bottom(welcome: Page) -> None:
    runs = list_runs(welcome)
    assert len(runs) > 6
    assert [each for each in runs if each[1] is None or each[2]] == []
    assert run(welcome, "import sys", "sys.platform") == "emscripten"


def test_boards_run_from_top_to_bottom(browser: Browser, address: str) -> None:
    page = open_and_run(browser, address, "02-boards.ipynb")
    assert [each for each in list_runs(page) if each[1] is None or each[2]] == []
    page.close()


def test_a_turn_is_clicked_together(welcome: Page) -> None:
    board = welcome.locator("section.board").first
    board.scroll_into_view_if_needed()
    expect(board.locator(".prompt")).to_contain_text("Red: choose an aqueduct", timeout=SOON)
    for choice in ("R1", "Sb", "b3=|@Sb"):
        board.locator(f'.layer [data-choice="{choice}"]').locator(".mark, .area").first.click(timeout=SOON)
    board.locator('.actions [data-choice="x-"]').click(timeout=SOON)
    # The bot answers, and it is Red's turn again.
    expect(board.locator(".prompt")).to_contain_text("Red: choose an aqueduct", timeout=SOON)
    assert run(welcome, "", "str(board.record.root.main()[1].turn)") == "b3=|@Sb x-"


def test_bots_answer_and_what_needs_more_says_so(welcome: Page) -> None:
    run(
        welcome,
        "against = aquakit.start('romana2-5x4').board(players={2: aquakit.bot('greedy')})\n"
        "against.play('b3=|@Sb')\n"
        "import asyncio\n"
        "await asyncio.sleep(1)\n"
        "explorer = aquakit.Explorer(p)\n"
        "explorer._hear(None, {'do': 'analyse'}, None)",
    )
    assert run(welcome, "", "[against.position.player, len(against.record.root.main())]") == [1, 3]
    assert "numba: is not installed" in run(welcome, "", "explorer.problem")


def test_a_puzzle_is_judged_by_its_stored_answer(welcome: Page) -> None:
    run(
        welcome,
        "puzzles = aquakit.puzzles('first-steps')\n"
        "puzzle = next(each for each in puzzles.puzzles if each.kind == 'plan')\n"
        "trainer = puzzles.trainer(first=puzzle.id)\n"
        "trainer.play(puzzles.answer(puzzle).line.split(' / ')[0])\n"
        "import asyncio\n"
        "await asyncio.sleep(1)",
    )
    assert run(welcome, "", "trainer.task['verdict']['head']") == "Right"


def test_the_rules_run_until_bots_are_asked_to_search(rules: Page) -> None:
    runs = list_runs(rules)
    last = next(place for place, (source, _, _) in enumerate(runs) if "aquakit.match(" in source)
    assert [each for each in runs[:last] if each[1] is None or each[2]] == []
    assert "numba: is not installed, but needed for mcts bots" in runs[last][2]
    assert len(runs) - last == 2  # what is measured, and what it says


def test_an_exercise_is_answered(rules: Page) -> None:
    board = rules.locator('section.exercise[data-exercise="rules-podium"]')
    # JupyterLab draws only the cells that are near.
    rules.evaluate(
        """async () => {
            const notebook = jupyterapp.shell.currentWidget.content;
            const place = notebook.widgets.findIndex((cell) => cell.model.sharedModel.source.includes("rules-podium"));
            await notebook.scrollToItem(place, "start");
        }"""
    )
    board.locator(".answer input").fill("2", timeout=SOON)
    board.locator(".answer input").press("Enter")
    expect(board.locator(".said strong")).to_contain_text("Right", timeout=SOON)


def test_results_can_be_kept_beside_the_notebooks(rules: Page) -> None:
    kept = run(
        rules,
        "import os\nos.environ['AQUAKIT_DATA'] = '.'\nexercise('rules-podium').answer(2)\nfrom pathlib import Path",
        "Path('results-me.jsonl').read_text('utf-8').splitlines()",
    )
    assert [json.loads(line)["outcome"] for line in kept] == ["right"]
