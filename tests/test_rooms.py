"""The house in rooms: who may import whom, how large rooms are, and that a name means one thing."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "aquakit").rglob("*.py"))
GAMES = ("romana", "aquadukt")
FINDERS = {
    "aquakit/__init__.py",  # says where public names and plug-ins are at home
    "aquakit/workshop/__init__.py",  # likewise for its own
    "aquakit/puzzle/kinds/__init__.py",  # finds the kinds in its own folder
    "aquakit/core/plugins.py",  # finds the games' rooms, and what upper rooms lend
}
"""The modules that may import others of the kit by a name made at run time: the documented plug-in, and own rooms."""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Checks the contracts of a tree."""
    words = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([*words, "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which something may be broken."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "aquakit", folder / "aquakit", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


WRONG = {
    "a room reaches up": ("rooms below it", "core/words.py", "def later():\n    import aquakit.widgets.board\n"),
    "a generic room knows a game": ("found by name", "puzzle/collection.py", "import aquakit.romana.kernel\n"),
    "a game knows another": ("knows another", "romana/notation.py", "import aquakit.aquadukt.kernel\n"),
    "rules know a picture": ("below its rooms", "romana/notation.py", "import aquakit.romana.board.picture\n"),
    "rules need an engine": ("nothing else", "romana/layout.py", "import aquakit.engine.bots\n"),
    "a cycle for types alone": (
        "No cycles",
        "core/grid.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import aquakit.core.layouts\n",
    ),
}
"""Imports that no room may have: the contract that each breaks, where it is put, and the code."""


def test_the_contracts_are_kept(house: Path) -> None:
    done = lint(house)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_import_breaks_its_contract(house: Path, what: str) -> None:
    contract, name, code = WRONG[what]
    file = house / "aquakit" / name
    before = file.read_text("utf-8")
    try:
        file.write_text(f"{before}\n{code}", "utf-8")
        done = lint(house)
    finally:
        file.write_text(before, "utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(rf"{contract}.* BROKEN", done.stdout), done.stdout


def test_only_the_plug_in_imports_by_a_name_made_at_run_time() -> None:
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
                name = node.args[0]
                if not isinstance(name, ast.Constant) or str(name.value).startswith("aquakit"):
                    found.add(path.relative_to(ROOT).as_posix())
    assert found == FINDERS


def test_no_file_is_too_long_to_read_and_no_room_too_full() -> None:
    kernels = {ROOT / "aquakit" / game / "kernel.py" for game in GAMES}
    scripts = [*(ROOT / "aquakit").rglob("*.js"), *(ROOT / "aquakit").rglob("*.css")]
    long = {str(path): n for path in [*SOURCES, *scripts] if (n := len(path.read_text("utf-8").splitlines())) > 500}
    assert {path: n for path, n in long.items() if Path(path) not in kernels} == {}
    rooms = defaultdict(list)
    for path in [*SOURCES, *scripts]:
        rooms[path.parent, path.suffix].append(path.name)
    assert {str(room): names for room, names in rooms.items() if len(names) > 15} == {}


def test_a_class_name_means_one_thing() -> None:
    """Two games' twins may share a name, for they are the same thing: each in its game's folder, at the same place."""
    homes = defaultdict(set)
    for path in SOURCES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(path.relative_to(ROOT / "aquakit"))
    twice = {name: files for name, files in homes.items() if len(files) > 1 and not are_twins(files)}
    assert {name: sorted(map(str, files)) for name, files in twice.items()} == {}


def are_twins(files: set[Path]) -> bool:
    places = {file.relative_to(file.parts[0]) for file in files if file.parts[0] in GAMES}
    return len(places) == 1 and {file.parts[0] for file in files} == set(GAMES)


def test_the_map_fits_on_two_screens() -> None:
    lines = (ROOT / "docs" / "architecture.md").read_text("utf-8").splitlines()
    assert len(lines) <= 110
    rows = lines[lines.index("| if you want to change | open |") + 2 :]
    assert sum(1 for _ in iter(iter(rows).__next__, "")) >= 20
