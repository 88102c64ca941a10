"""The documentation site is built without a warning, asks the net for nothing, and says what is true of the kit."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from typer.main import get_command

from aquakit.cli.main import app

LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)=\"?([^\s\">]+)")
LED_TO = re.compile(r"<a\b[^>]*?\bhref=\"?([^\s\">]+)")


def commands(command: object, name: str = "aquakit") -> list[str]:
    inner = getattr(command, "commands", {})
    return [name, *(found for each in inner for found in commands(inner[each], f"{name} {each}"))]


def test_nothing_is_loaded_from_the_net(site: Path) -> None:
    addresses = {address for page in site.glob("*.html") for address in LOADED.findall(page.read_text("utf-8"))}
    assert addresses
    assert {address for address in addresses if urlsplit(address).netloc} == set()
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", styles) == []


def test_every_link_within_the_site_leads_to_a_file(site: Path) -> None:
    for page in site.glob("*.html"):
        if page.name == "404.html":
            continue
        text = page.read_text("utf-8")
        for address in {*LOADED.findall(text), *LED_TO.findall(text)}:
            parts = urlsplit(address)
            if not parts.scheme and not parts.netloc and parts.path:
                assert (page.parent / unquote(parts.path)).exists(), f"{page.name}: {address}"


def test_every_command_is_on_the_page_about_the_command_line(site: Path) -> None:
    page = (site / "command-line.html").read_text("utf-8")
    listed = re.findall(r"<h\d id=[^>]*>(aquakit[a-z -]*)<a", page)
    assert sorted(listed) == sorted(commands(get_command(app)))
    assert "--divide" in page


def test_every_notebook_is_listed(site: Path) -> None:
    page = (site / "notebooks.html").read_text("utf-8")
    names = {path.name for path in (Path(__file__).parent.parent / "notebooks").glob("*.ipynb")}
    assert set(re.findall(r"notebooks/([\w-]+\.ipynb)</code>", page)) == names


def test_every_picture_of_the_rules_is_there_for_both_themes(site: Path) -> None:
    for game in ("romana", "aquadukt"):
        page = (site / f"rules-{game}.html").read_text("utf-8")
        light = set(re.findall(r"images/([\w-]+\.svg)#only-light", page))
        assert light == set(re.findall(r"images/dark/([\w-]+\.svg)#only-dark", page))
        assert len(light) >= 3
        assert all((site / "images" / name).exists() and (site / "images/dark" / name).exists() for name in light)
