"""The notebooks that browser tests look at are real: clicks reach Python, and answers come back."""

from __future__ import annotations

import nbformat
import pytest
from notebook_house import House
from playwright.sync_api import Page, expect

TALLY = '''
import anywidget, traitlets

class Tally(anywidget.AnyWidget):
    _esm = """
    export default {
      render({ model, el }) {
        const button = document.createElement("button");
        button.className = "tally";
        const show = () => { button.textContent = model.get("answer"); };
        button.addEventListener("click", () => {
          if (model.get("broken")) throw new Error("broken button");
          model.set("clicks", model.get("clicks") + 1);
          model.save_changes();
        });
        model.on("change:answer", show);
        show();
        el.append(button);
      },
    };
    """
    broken = traitlets.Bool(False).tag(sync=True)
    clicks = traitlets.Int(0).tag(sync=True)
    answer = traitlets.Unicode("no clicks").tag(sync=True)

    @traitlets.observe("clicks")
    def _count(self, change):
        self.answer = f"{12 // (3 - change.new)} from Python"

tally = Tally()
tally
'''


@pytest.fixture(autouse=True)
def _notebook(house: House) -> None:
    house.write("tally.ipynb", [nbformat.v4.new_markdown_cell("# Tally"), TALLY])


def test_jupyterlab_answers_and_survives_a_reload(house: House, page: Page, troubles: list[str]) -> None:
    house.open_lab(page, "tally.ipynb")
    house.run_all(page)
    button = page.locator("button.tally")
    button.click()
    expect(button).to_have_text("6 from Python")
    assert house.ask(page, "(tally.clicks, tally.answer)") == (1, "6 from Python")

    house.reload(page)
    expect(button).to_have_text("6 from Python")
    house.tell(page, "tally.clicks = 2")
    expect(button).to_have_text("12 from Python")
    assert page.locator(".jp-Dialog").count() == 0
    assert troubles == []


def test_notebook_7_answers_and_nothing_goes_wrong_unseen(house: House, page: Page, troubles: list[str]) -> None:
    house.open_notebook7(page, "tally.ipynb")
    house.run_all(page)
    button = page.locator("button.tally")
    button.click()
    expect(button).to_have_text("6 from Python")
    house.settle(page)
    assert troubles == []

    button.click(click_count=2)
    house.settle(page)
    assert troubles == ["Python: ZeroDivisionError: integer division or modulo by zero"]
    house.tell(page, "tally.broken = True")
    button.click()
    assert "broken button" in troubles[1]
    with pytest.raises(AssertionError, match="NameError"):
        house.ask(page, "tall")


def test_themes_are_chosen_before_and_while_a_notebook_is_open(house: House, page: Page) -> None:
    def light() -> str:
        return page.evaluate("document.body.dataset.jpThemeLight")

    house.open_notebook7(page, "tally.ipynb", dark=True)
    assert light() == "false"
    house.change_theme(page, dark=False)
    assert light() == "true"


def test_a_voila_page_answers(house: House, page: Page, troubles: list[str]) -> None:
    house.open_voila(page, "tally.ipynb", dark=True)
    button = page.locator("button.tally")
    button.click()
    expect(button).to_have_text("6 from Python")
    assert page.evaluate("document.body.dataset.jpThemeLight") == "false"
    assert troubles == []


def test_an_exported_notebook_needs_no_server(house: House, page: Page, troubles: list[str]) -> None:
    shown = nbformat.v4.new_output("display_data", {"text/html": "<b>a board</b>", "text/plain": "a board"})
    house.write("saved.ipynb", [nbformat.v4.new_code_cell("board", outputs=[shown], execution_count=1)])
    house.open_export(page, house.export_html("saved.ipynb"))
    expect(page.locator("b")).to_have_text("a board")
    assert page.url.startswith("file://")
    assert troubles == []
