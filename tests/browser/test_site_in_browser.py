"""The documentation site can be read and searched as files, without a server and without the net."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

PAGES = ("index", "rules-romana", "api", "command-line")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_ask_the_net_for_nothing_and_fit_a_telephone(site: Path, browser: Browser, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": 390, "height": 900})
    asked, troubles = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: message.type == "error" and troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(error.message))
    for name in PAGES:
        page.goto((site / f"{name}.html").as_uri())
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto((site / "rules-romana.html").as_uri())
    shown = page.locator("article img:visible").evaluate_all("images => images.map(image => image.getAttribute('src'))")
    assert len(shown) == 6
    assert all(name.endswith(f"#only-{scheme}") for name in shown)
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert troubles == []
    page.close()


def test_the_search_works_without_a_server(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.locator(".md-search__input").click()
    page.keyboard.type("fountain")
    first = page.locator(".md-search-result__link").first
    expect(first).to_be_visible()
    expect(page.locator(".md-search-result__list")).to_contain_text("Aqua Romana")
    page.close()
