"""Puts the lessons into the wheel without their outputs, which are for readers on a forge and half of all bytes."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "lab.json", "results-*.jsonl")


class LessonsHook(BuildHookInterface):
    """Makes the copy that goes into the wheel; the source tree, and an editable install of it, stay as they are."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Makes the copy before the wheel is built."""
        if version != "editable":
            self.made = Path(tempfile.mkdtemp(prefix="lessons-"))
            copy_lessons(Path(self.root) / "notebooks", self.made)
            build_data["force_include"][str(self.made)] = "aquakit/workshop/lessons"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clears the copy away."""
        if version != "editable":
            shutil.rmtree(self.made)


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
