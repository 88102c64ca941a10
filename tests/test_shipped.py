"""The kit's own data: found where they belong, whatever other folders are called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from aquakit.core.files import find_shipped

ROOT = Path(__file__).parents[1]
TELL = """
from aquakit.puzzle.collection import set_names
from aquakit.workshop import collection, folder
print(len(set_names()), collection.home().parent.name, folder.home().parent.name)
"""


def tell(site: Path) -> str:
    """Asks an installed kit where its data are."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    asked = subprocess.run(
        [sys.executable, "-c", TELL], env=environment, cwd=site.parent, capture_output=True, text=True, check=True
    )
    return asked.stdout.strip()


def test_folders_among_installed_packages_hide_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    shutil.copytree(ROOT / "aquakit", site / "aquakit", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("puzzles", "exercises", "notebooks"):
        (site / name).mkdir()
    (site / "puzzles" / "strange.toml").write_text("schema = 1", "utf-8")
    assert tell(site) == "0 workshop workshop", "what is missing is missed, and nothing else is taken for it"
    shutil.copytree(ROOT / "puzzles", site / "aquakit/puzzle/sets")
    shutil.copytree(ROOT / "exercises", site / "aquakit/workshop/sets")
    shutil.copytree(ROOT / "notebooks", site / "aquakit/workshop/lessons")
    sets = len(list((ROOT / "puzzles").glob("*.toml")))
    assert tell(site) == f"{sets} workshop workshop"


def test_a_checkout_has_them_beside_the_package(tmp_path: Path) -> None:
    assert find_shipped(tmp_path / "sets", "puzzles") == ROOT / "puzzles"
    (tmp_path / "sets").mkdir()
    assert find_shipped(tmp_path / "sets", "puzzles") == tmp_path / "sets"
