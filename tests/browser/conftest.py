"""Gives browser tests a Jupyter server, a Chromium and a page, and says where there is no Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from board_page import BoardPage
from notebook_house import NO_CHROMIUM, VIEWPORT, House, chromium, launch, trouble
from playwright.sync_api import Browser, Page, expect, sync_playwright

SHOTS = Path(__file__).parent.parent.parent / "out" / "browser"
FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=30_000)  # other tests may keep the processors busy meanwhile


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.browser)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if chromium():
        return
    if os.environ.get("AQUAKIT_BROWSER") == "required":
        pytest.fail(f"{NO_CHROMIUM}, and AQUAKIT_BROWSER=required asks for it", pytrace=False)
    pytest.skip(NO_CHROMIUM)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


# While playwright runs, no other test could run an event loop; so it ends with the file.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright, launch(playwright) as browser:
        yield browser


@pytest.fixture
def troubles() -> list[str]:
    """Lists what went wrong in the page's widgets and in the kernel that answers them, as it happens."""
    return []


@pytest.fixture
def page(house: House, browser: Browser, troubles: list[str], request: pytest.FixtureRequest) -> Iterator[Page]:
    """Gives a page of its own; where the test fails, a picture of it is left in out/browser."""
    name = re.sub(r"[^\w.-]+", "-", request.node.name).strip("-")
    shot = SHOTS / f"{name}.png"
    shot.unlink(missing_ok=True)

    def note(text: str, source: str = "") -> None:
        if trouble(text, source):
            troubles.append(text)

    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.on("console", lambda message: message.type == "error" and note(message.text, message.location["url"]))
    page.on("pageerror", lambda error: note(error.stack or error.message))
    try:
        yield page
        if request.node.stash.get(FAILED, False):
            print(f"the page as it was: {shot}", *troubles, sep="\n")
            page.screenshot(path=shot)
    finally:
        context.close()
        house.end_kernels()


@pytest.fixture(scope="module")
def opened(house: House, browser: Browser) -> Iterator[BoardPage]:
    """Opens a notebook in JupyterLab, which the tests of a file share."""
    with BoardPage.opened(house, browser, accept_downloads=True) as page:
        yield page


@pytest.fixture
def there(opened: BoardPage, request: pytest.FixtureRequest) -> Iterator[BoardPage]:
    """Lends the notebook to a test, after which nothing may have gone wrong in it."""
    with opened.used_by(request) as page:
        yield page
