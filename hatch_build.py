"""Puts into the wheel what lies beside the package in the source tree: puzzles, exercises and lessons.

Lessons travel without their outputs, which are for readers on a forge and half of all bytes. An editable install finds
everything in the source tree and gets nothing.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "lab.json", "results-*.jsonl")


class DataHook(BuildHookInterface):
    """Says where in the wheel which folder goes."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Copies the lessons before the wheel is built."""
        if version == "editable":
            return
        root = Path(self.root)
        self.lessons = Path(tempfile.mkdtemp(prefix="lessons-"))
        copy_lessons(root / "notebooks", self.lessons)
        build_data["force_include"] |= {
            str(root / "puzzles"): "aquakit/puzzle/sets",
            str(root / "exercises"): "aquakit/workshop/sets",
            str(self.lessons): "aquakit/workshop/lessons",
        }

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clears the copy away."""
        if version != "editable":
            shutil.rmtree(self.lessons)


def copy_lessons(source: Path, target: Path) -> None:
    """Copies the notebooks, and what lies beside them, without what earlier runs left in them."""
    shutil.copytree(source, target, ignore=LEFT_OUT, dirs_exist_ok=True)
    for path in target.rglob("*.ipynb"):
        notebook = json.loads(path.read_text("utf-8"))
        notebook["metadata"].pop("widgets", None)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                cell |= {"outputs": [], "execution_count": None}
        path.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")
