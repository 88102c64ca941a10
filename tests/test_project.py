"""What the project says of itself stays true."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from pydoc import locate

import pytest
import sharing

import aquakit

ROOT = Path(__file__).parent.parent
API = re.findall(
    r"^::: (\S+)(?:\n    options:)?(?:\n      (?!members)\S.*)*(?:\n      members: \[(.*)\])?",
    (ROOT / "docs" / "api.md").read_text("utf-8"),
    re.MULTILINE,
)
"""What the page about Python describes, and the members that it picks out of each, if it does."""
INSIDE = {"set_state", "read_given", "error"}
"""Members that the kit itself calls, and nobody else has to."""
TEST_MODULES = [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("test_*.py"))]
CLOCKS = re.compile(r"time\.(time|perf_counter|monotonic|process_time|thread_time)(_ns)?$|timeit\b")


def test_conda_and_pip_install_the_same_packages_at_the_same_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    # conda has no OpenSpiel, and peers are for one benchmark only.
    assert set(extras) == {"lab", "test", "docs", "cluster", "openspiel", "peers"}
    pip = {*project["dependencies"], *extras["lab"], *extras["test"], *extras["docs"]}
    pip = {line.partition(";")[0] for line in pip}  # conda is not for browsers
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


def test_the_map_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = [path.parent.relative_to(ROOT) for path in (ROOT / "aquakit").glob("**/*/__init__.py")]
    assert [str(room) for room in rooms if not re.search(rf"`(\S*/)?{room.name}/?`", text)] == []


def test_the_lab_opens_the_welcome_which_leads_to_all_others_in_their_order() -> None:
    names = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert all(re.match(r"\d\d-[a-z]+\.ipynb$", name) for name in names)
    opened = json.loads((ROOT / "notebooks" / "lab.json").read_text("utf-8"))["data"]
    listed = opened.pop("layout-restorer:data")["main"]["dock"]["widgets"]
    assert listed == list(opened) == [f"notebook:notebooks/{names[0]}"]  # each notebook opened starts a kernel
    assert [part["data"]["path"] for part in opened.values()] == [f"notebooks/{names[0]}"]
    found = dict.fromkeys(link for link in links(ROOT / "notebooks" / names[0]) if link.endswith(".ipynb"))
    assert list(found) == names[1:]


def test_links_in_notebooks_lead_somewhere() -> None:
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        for link in links(path):
            assert (path.parent / link).exists(), f"{path.name}: {link}"


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))])
def test_links_in_pages_lead_somewhere_on_a_forge_too(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#]+)", text):
        assert "://" in link or (path.parent / link).exists(), link


def links(notebook: Path) -> list[str]:
    """Lists the files that the texts of a notebook link to."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]


def test_every_ruling_is_explained_and_tested() -> None:
    romana = {f"R{n}" for n in range(1, 16)} | {"S1", "S2"}
    aquadukt = {f"Q{n}" for n in range(1, 11)}
    for game, ids in (("romana", romana), ("aquadukt", aquadukt)):
        explained = (ROOT / "docs" / f"rules-{game}.md").read_text("utf-8")
        tested = "".join(path.read_text("utf-8") for path in (ROOT / "tests" / game).glob("test_*rulings.py"))
        assert set(re.findall(r"\[([QRS]\d+)\]", explained)) == ids
        assert set(re.findall(r"class Test([QRS]\d+)", tested)) == ids


@pytest.mark.parametrize("name", aquakit.__all__)
def test_every_public_name_is_described_and_has_an_example(name: str) -> None:
    public = getattr(aquakit, name)
    assert any(locate(place) is public for place, _ in API), "is missing in docs/api.md"
    assert ">>>" in inspect.getdoc(public), "has no example, which would run as a doctest"


@pytest.mark.parametrize(("place", "picked"), API)
def test_whatever_is_described_says_what_it_does_and_is_used_in_an_example(place: str, picked: str) -> None:
    described = locate(place)
    assert inspect.getdoc(described)
    if inspect.ismodule(described):
        return
    assert ">>>" in described.__doc__
    own = {name: doc for name, doc in members(described) if name not in INSIDE}
    names = picked.split(", ") if picked else list(own)
    docs = [described.__doc__, *(doc for each in inspect.getmro(described) for _, doc in members(each))] if own else []
    examples = "\n".join(re.findall(r"^ *(?:>>>|\.\.\.) (.*)", "\n".join(filter(None, docs)), re.MULTILINE))
    assert [name for name in names if not own[name]] == []
    assert [name for name in names if not re.search(rf"\.{name}\b", examples)] == []


def members(described: object) -> Iterator[tuple[str, str | None]]:
    """Lists the public methods and properties that a class of the kit defines, each with its docstring."""
    kinds = property | cached_property | classmethod | staticmethod
    ours = inspect.isclass(described) and described.__module__.startswith("aquakit")
    for name, member in vars(described).items() if ours else ():
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, kinds)):
            yield name, member.__doc__


# Tests


def parse_test(module: Path) -> tuple[list[ast.AST], set[str]]:
    """Reads a test's source: all its parts, and what it imports, by whole names."""
    parts = list(ast.walk(ast.parse((ROOT / module).read_text("utf-8"))))
    imported = {alias.name for part in parts if isinstance(part, ast.Import) for alias in part.names}
    for part in parts:
        if isinstance(part, ast.ImportFrom):
            imported |= {f"{part.module}.{alias.name}" for alias in part.names}
    return parts, imported


@pytest.mark.parametrize("module", TEST_MODULES, ids=str)
def test_no_test_imports_another(module: Path) -> None:
    _, imported = parse_test(module)
    assert [name for name in imported if re.search(r"(^|\.)test_", name)] == [], (
        "what is shared needs a module of its own"
    )


@pytest.mark.parametrize("module", TEST_MODULES, ids=str)
def test_no_test_asserts_a_time(module: Path) -> None:
    # Only helpers such as waiting.py read clocks, to give up at last; how long something took is for benchmarks.
    parts, imported = parse_test(module)
    named = {ast.unparse(part) for part in parts if isinstance(part, ast.Attribute)}
    assert [name for name in named | imported if CLOCKS.match(name)] == []
    compared = [ast.unparse(part) for part in parts if isinstance(part, ast.Compare)]
    assert [text for text in compared if re.search(r"\.(seconds|elapsed)\)? [<>]", text)] == []


def test_all_files_that_are_shared_out_in_a_special_way_are_there() -> None:
    named = {file for files in sharing.SHARES.values() for file in files}
    named |= {share for share in sharing.FIRST if share not in sharing.SHARES}
    assert [file for file in named if not (ROOT / file).is_file()] == []
    browsers = {str(path) for path in TEST_MODULES if path.parent.name == "browser"}
    assert browsers <= named, "each belongs to a share that has a Jupyter server, or is one itself"
