"""Puts boards on one notebook page in turn and plays on them, as tests, screenshots and measurements need it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from notebook_house import House, trouble
from playwright.sync_api import Browser, Locator, Page, WebSocket, expect

SHOTS = Path(__file__).parent.parent.parent / "out" / "browser"
VIEW = {"width": 1280, "height": 1150}
CELLS = 3
NOTEBOOK = "boards.ipynb"
CLEAN = "from ipywidgets import Widget\nWidget.close_all()"
IMPORTS = "from aquakit import Board, Explorer, Record, parse, start\n"
WRITE = """(sources) => {
    const { cells } = jupyterapp.shell.currentWidget.content.model;
    for (let i = 0; i < cells.length; i++) cells.get(i).sharedModel.setSource(sources[i] ?? "");
}"""


def write(house: House, *cells: str, name: str = NOTEBOOK) -> str:
    """Writes a notebook whose first cell knows the kit's names; gets its name."""
    house.write(name, [*complete(cells), *[""] * (CELLS - len(cells))])
    return name


def complete(cells: tuple[str, ...]) -> list[str]:
    """Adds the imports to the first cell."""
    return [IMPORTS + source if i == 0 else source for i, source in enumerate(cells)]


class BoardPage:
    """An open notebook whose few cells can be written anew, which is much faster than a new page."""

    def __init__(self, house: House, page: Page) -> None:
        self.house, self.page = house, page
        self.troubles: list[str] = []
        """What went wrong in the page's widgets and in the kernel that answers them."""
        self.heard: list[bytes] = []
        """What the kernel has sent, while `listening` is on."""
        self.listening = False
        page.on("console", lambda said: said.type == "error" and self._note(said.text, said.location["url"]))
        page.on("pageerror", lambda error: self._note(error.stack or error.message))
        page.on("websocket", self._listen)

    def _note(self, text: str, source: str = "") -> None:
        if trouble(text, source):
            self.troubles.append(text)

    def _listen(self, socket: WebSocket) -> None:
        def hear(frame: str | bytes) -> None:
            if self.listening:
                self.heard.append(frame.encode() if isinstance(frame, str) else frame)

        socket.on("framereceived", hear)

    @classmethod
    @contextmanager
    def opened(cls, house: House, browser: Browser, **options: Any) -> Iterator[BoardPage]:
        """Opens a notebook in JupyterLab, with all the width for it, and ends it."""
        context = browser.new_context(viewport=VIEW, **options)
        try:
            there = cls(house, context.new_page())
            house.open_lab(there.page, write(house))
            house.command(there.page, "application:toggle-left-area")
            yield there
        finally:
            context.close()
            house.end_kernels()

    @contextmanager
    def used_by(self, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
        """Lends the page to a test: nothing may go wrong meanwhile; if the test fails, a picture is left."""
        name = re.sub(r"[^\w.-]+", "-", request.node.name).strip("-")
        shot = SHOTS / f"{name}.png"
        shot.unlink(missing_ok=True)
        failed = request.session.testsfailed
        self.page.set_viewport_size(VIEW)
        self.page.mouse.move(0, 0)
        self.troubles.clear()
        yield self
        if request.session.testsfailed > failed:
            print(f"the page as it was: {shot}", *self.troubles, sep="\n")
            self.page.screenshot(path=shot)
        assert self.troubles == []

    # Cells

    def show(self, *cells: str) -> Locator:
        """Writes the cells, runs them all, and gets the board that the first one shows."""
        self.write(*cells)
        self.house.run_all(self.page)
        self.board.locator(".prompt").wait_for()
        return self.board

    def write(self, *cells: str) -> None:
        """Ends earlier widgets and writes the cells."""
        self.house.tell(self.page, CLEAN)
        self.page.evaluate(WRITE, complete(cells))

    def tell(self, code: str) -> None:
        """Runs code in the kernel, without a cell."""
        self.house.tell(self.page, code)

    def ask(self, expression: str) -> Any:
        """Gets a value of plain Python from the kernel."""
        return self.house.ask(self.page, expression)

    def settle(self) -> None:
        """Waits until the kernel has answered all clicks."""
        self.house.settle(self.page)

    def count_cells(self) -> int:
        """Counts the notebook's cells."""
        count: int = self.page.evaluate("jupyterapp.shell.currentWidget.content.model.cells.length")
        return count

    # The board

    @property
    def board(self) -> Locator:
        """The first board on the page."""
        return self.page.locator("section.board").first

    @property
    def prompt(self) -> Locator:
        """The line that says who is to choose what."""
        return self.board.locator(".prompt")

    @property
    def problem(self) -> Locator:
        """The line that says what went wrong."""
        return self.board.locator(".problem").first

    def choice(self, name: str) -> Locator:
        """Gets a choice on the board, by its id."""
        return self.board.locator(f'.layer [data-choice="{name}"]')

    def button(self, name: str) -> Locator:
        """Gets a choice that is a button, by its id."""
        return self.board.locator(f'.actions [data-choice="{name}"]')

    def click(self, *choices: str) -> None:
        """Clicks on one choice after the other, each where it is marked, and waits for Python."""
        for name in choices:
            on_board = self.choice(name)
            target = self.button(name).or_(on_board.locator(".mark, .area")).first
            target.click()
            self.settle()

    def click_and_take_back(self, clicks: int) -> None:
        """Clicks on a choice and takes it back, so often, and waits each time for the answer."""
        for _ in range(clicks):
            before = self.prompt.text_content() or ""
            self.board.locator(".layer [data-choice]").first.dispatch_event("click")
            expect(self.prompt).not_to_have_text(before)
            self.board.dispatch_event("keydown", {"key": "Escape"})
            expect(self.prompt).to_have_text(before)

    def tool(self, name: str) -> None:
        """Clicks on one of the tools beside the prompt, such as undo, and waits for Python."""
        self.board.locator(f".tool.{name}").click()
        self.settle()

    def expect_prompt(self, text: str) -> None:
        """Waits for a prompt."""
        expect(self.prompt).to_have_text(text)
