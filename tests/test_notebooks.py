"""Notebooks as a newcomer opens them: no machinery in sight, something to read before they are run, a way to go on."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
UNSAFE = {"image/svg+xml", "application/vnd.jupyter.widget-view+json", "application/javascript"}
"""What JupyterLab shows only in notebooks that it trusts."""
OBJECT = re.compile(r"\s*<[^>]*>\s*|.* object at 0x[0-9a-f]+>|\w+\(\)", re.DOTALL)
"""What Python writes of an object that says nothing about itself."""

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == kind]


def test_nobody_sees_plotting_code_or_what_tests_are_told(path: Path) -> None:
    for cell in cells(path, "code"):
        source = "".join(cell["source"])
        found = re.search(r"NBVAL|PYTEST_VALIDATE|\bmatplotlib\b|\bplt\.|\bax\.(?!set_)|IPython\.display", source)
        assert not found, source


def test_what_tests_are_told_is_something_that_they_know(path: Path) -> None:
    known = {"nbval-ignore-output"}
    assert {tag for cell in cells(path, "code") for tag in cell["metadata"].get("tags", ())} <= known


def test_a_notebook_that_is_not_trusted_can_be_read(path: Path) -> None:
    outputs = [output.get("data", {}) for cell in cells(path, "code") for output in cell["outputs"]]
    for data in outputs:
        if UNSAFE & set(data) and not {"image/png", "text/html"} & set(data):
            text = "".join(data["text/plain"])
            assert not OBJECT.fullmatch(text), text
            assert "<svg" not in text, text[:200]
            assert len(text.split()) > 2, text


def test_every_notebook_leads_on(path: Path) -> None:
    last = json.loads(path.read_text("utf-8"))["cells"][-1]
    assert last["cell_type"] == "markdown"
    links = re.findall(r"\]\(([^)#]+)", "".join(last["source"]))
    following = NOTEBOOKS[(NOTEBOOKS.index(path) + 1) % len(NOTEBOOKS)].name
    assert following in links, "the next one"
    assert any(link.startswith("../docs/") for link in links), "where it is documented"
