"""What the project says of itself stays true."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_conda_and_pip_install_the_same_packages_at_the_same_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    # conda has no OpenSpiel, and peers are for one benchmark only.
    assert set(extras) == {"lab", "test", "cluster", "openspiel", "peers"}
    pip = {*project["dependencies"], *extras["lab"], *extras["test"]}
    wanted = {re.sub(r"^(playwright|ortools)\b", r"\1-python", line) for line in pip}  # their names on conda-forge
    lines = re.findall(r"^  - (\S+)$", (ROOT / "environment.yml").read_text("utf-8"), re.MULTILINE)
    listed = {line for line in lines if line not in ("make", "pip", "pip:", "conda-forge", "python>=3.11")}
    assert {line for line in listed if not line.startswith(("dask", "distributed"))} == wanted
    assert {line.split(">=")[1] for line in listed if line.startswith(("dask", "distributed"))} == {
        extras["cluster"][0].split(">=")[1]
    }


def test_stored_pictures_are_what_the_kit_draws() -> None:
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drawn = module.pictures()
    assert {path.name for path in (ROOT / "docs" / "images").iterdir()} == set(drawn)
    for name, picture in drawn.items():
        assert (ROOT / "docs" / "images" / name).read_text("utf-8") == picture, "run make pictures"


def test_the_map_names_every_module() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    modules = {path.name for path in (ROOT / "aquakit").rglob("*.py")} - {"__init__.py"}
    assert {name for name in modules if not re.search(rf"\b{re.escape(name)}", text)} == set()


def test_the_lab_opens_the_welcome_which_leads_to_all_others_in_their_order() -> None:
    names = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert all(re.match(r"\d\d-[a-z]+\.ipynb$", name) for name in names)
    opened = json.loads((ROOT / "notebooks" / "lab.json").read_text("utf-8"))["data"]
    listed = opened.pop("layout-restorer:data")["main"]["dock"]["widgets"]
    assert listed == list(opened) == [f"notebook:notebooks/{names[0]}"]  # each notebook opened starts a kernel
    assert [part["data"]["path"] for part in opened.values()] == [f"notebooks/{names[0]}"]
    assert list(dict.fromkeys(links(ROOT / "notebooks" / names[0]))) == names[1:]


def test_links_in_notebooks_lead_somewhere() -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for link in links(path):
            assert (path.parent / link).exists(), f"{path.name}: {link}"


def links(notebook: Path) -> list[str]:
    """Lists the files that the texts of a notebook link to."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]


def test_every_ruling_is_explained_and_tested() -> None:
    romana = {f"R{n}" for n in range(1, 13)} | {"S1", "S2"}
    aquadukt = {f"Q{n}" for n in range(1, 8)}
    for game, ids in (("romana", romana), ("aquadukt", aquadukt)):
        explained = (ROOT / "docs" / f"rules-{game}.md").read_text("utf-8")
        tested = "".join(path.read_text("utf-8") for path in (ROOT / "tests" / game).glob("test_*rulings.py"))
        assert set(re.findall(r"\[([QRS]\d+)\]", explained)) == ids
        assert set(re.findall(r"class Test([QRS]\d+)", tested)) == ids
