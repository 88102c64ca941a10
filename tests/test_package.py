"""The package as people install it: what the wheel holds, and that it works away from the source tree."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Callable
from importlib.metadata import PathDistribution
from pathlib import Path
from zipfile import ZipFile

import pytest

import aquakit
from aquakit.errors import DISTRIBUTION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HOMES = {
    "puzzles": "aquakit/puzzle/sets",
    "exercises": "aquakit/workshop/sets",
    "notebooks": "aquakit/workshop/lessons",
}
"""Folders of the source tree, and what they are called inside the package."""
CORE = (
    "tests/test_cli.py",
    "tests/test_command.py",
    "tests/test_every_draft.py",
    "tests/test_every_game.py",
    "tests/test_every_picture.py",
    "tests/test_light_import.py",
    "tests/test_record.py",
    "tests/test_toy_game.py",
    "tests/compiled",
    "tests/puzzle/test_model.py",
    "tests/romana/planner/test_longest.py",
    "tests/romana/planner/test_race.py",
    "tests/training",
    "tests/widgets/test_board.py",
    "tests/workshop/test_sheet.py",
)
"""Tests that together use every package which the kit needs."""

pytest.importorskip("hatchling")


def build(source: Path, folder: Path, *options: str) -> Path:
    """Builds a wheel or a source distribution, as pip would."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *options],
        cwd=source,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "-t", "wheel")


def read(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sources(folder: str) -> set[str]:
    """Lists what is in a folder of the source tree, but for what is made there."""
    left_out = re.compile(r"(^|/)(__pycache__|\.[^/]+|shared|lab\.json)(/|$)")
    paths = [path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()]
    return {path for path in paths if not left_out.search(path)}


def test_the_wheel_holds_the_package_its_puzzles_exercises_and_lessons(wheel: Path) -> None:
    expected = {f"aquakit/{path}" for path in sources("aquakit")}
    expected |= {f"{home}/{path}" for folder, home in HOMES.items() for path in sources(folder)}
    held = {name for name in read(wheel) if ".dist-info/" not in name}
    assert held == expected


def test_lessons_in_the_wheel_have_no_outputs_and_all_else(wheel: Path) -> None:
    held = read(wheel)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        inside = json.loads(held[f"{HOMES['notebooks']}/{path.name}"])["cells"]
        source = json.loads(path.read_text("utf-8"))["cells"]
        assert [cell["source"] for cell in inside] == [cell["source"] for cell in source]
        code = [cell for cell in inside if cell["cell_type"] == "code"]
        assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert len(json.loads(held[f"{HOMES['notebooks']}/01-welcome.ipynb"])["cells"]) > 5


def test_a_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    packed = build(ROOT, tmp_path / "packed", "-t", "sdist")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    again = build(source, tmp_path / "again", "-t", "wheel")
    assert read(again) == read(wheel)


def test_the_package_is_called_what_hints_say(wheel: Path) -> None:
    assert PROJECT["name"] == DISTRIBUTION
    assert wheel.name.startswith(f"{DISTRIBUTION.replace('-', '_')}-{aquakit.__version__}-")
    lite = (ROOT / "lite" / "build.py").read_text("utf-8")
    assert f'KIT = "{DISTRIBUTION}"' in lite


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "aquakit").rglob("*.py"))]


def test_no_page_and_no_message_leads_to_the_other_project_with_the_kits_name() -> None:
    hints = re.compile(r"pip install [\"']?aquakit(?!-boardgames)\b|\baquakit\[")
    assert {str(path): found for path in PAGES if (found := hints.findall(path.read_text("utf-8")))} == {}


# Installed


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installs the wheel to a folder of its own; what it needs is taken from this Python."""
    folder = tmp_path_factory.mktemp("installed")
    words = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *words, str(wheel)], check=True)
    return folder


@pytest.fixture
def call(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Runs a command away from the source tree and gets what it says."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONIOENCODING": "utf-8"}

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8")
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def test_the_installed_command_works_anywhere(call: Callable[..., str], installed: Path, tmp_path: Path) -> None:
    command = str(installed / "bin" / "aquakit")
    assert call(command, "--version") == f"aquakit {aquakit.__version__}\n"
    assert call(command, "show", "romana4") == aquakit.start("romana4").diagram() + "\n"
    assert "first-steps-01" in call(command, "puzzle", "list")
    assert call(command, "workshop", "start", "club").startswith("13 lessons in club\n")
    assert len([*(tmp_path / "club").glob("*.ipynb")]) == 13


def test_the_installed_package_is_imported_anywhere(call: Callable[..., str], installed: Path) -> None:
    code = "import aquakit; print(aquakit.__file__, len(aquakit.puzzles('first-steps')))"
    said = call(sys.executable, "-c", code)
    assert said == f"{installed / 'aquakit' / '__init__.py'} {len(aquakit.puzzles('first-steps'))}\n"
    assert call(sys.executable, "-m", "aquakit", "show", "romana4") == aquakit.start("romana4").diagram() + "\n"


def test_what_is_installed_says_what_it_is(installed: Path) -> None:
    (folder,) = installed.glob("*.dist-info")
    told = PathDistribution(folder).metadata
    assert (told["Name"], told["Version"], told["Requires-Python"]) == (DISTRIBUTION, aquakit.__version__, ">=3.11")


# The oldest versions


def pin(requirements: list[str]) -> list[str]:
    """Gets requirements with the oldest version that each allows; OR-Tools adds the number of a build to its own."""
    pins = [line.partition(";")[0].replace(">=", "==") for line in requirements]
    return [f"{line}.*" if line.startswith("ortools") else line for line in pins]


@pytest.mark.lowest
def test_the_oldest_versions_that_are_allowed_work_together(wheel: Path, tmp_path: Path) -> None:
    python = sys.executable if sys.version_info[:2] == (3, 11) else shutil.which("python3.11")
    if python is None:
        pytest.skip("there is no Python 3.11, the oldest one that is allowed")
    tools = [line for line in PROJECT["optional-dependencies"]["test"] if re.match("hypothesis|nbval|pytest>", line)]
    subprocess.run([python, "-m", "venv", str(tmp_path / "venv")], check=True)
    scripts = tmp_path / "venv" / "bin"
    pins = pin([*PROJECT["dependencies"], *tools])
    subprocess.run([scripts / "pip", "install", "--quiet", str(wheel), *pins], check=True)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": ""}
    # Away from the source tree, so that it is the wheel that is tested.
    for folder in ("docs", "tests"):
        shutil.copytree(ROOT / folder, tmp_path / "tree" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "tree")
    words = [scripts / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:warnings", *CORE]
    done = subprocess.run(words, cwd=tmp_path / "tree", env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:]
