"""`import aquakit` stays light: nothing heavy is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "numba", "networkx", "pydantic", "rich", "typer", "ortools", "pandas", "matplotlib")


def loaded_after(code: str) -> set[str]:
    report = f"{code}\nimport sys\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_kit_loads_nothing_heavy() -> None:
    assert loaded_after("import aquakit") == set()


@pytest.mark.parametrize("use", ["p.actions()", "p.act('c7=L@Nc')", "p.svg()", "p.diagram()", "p.scores()"])
def test_looking_at_a_position_needs_no_arrays_and_no_compiler(use: str) -> None:
    code = f"import aquakit\np = aquakit.start('romana4')\n{use}"
    assert loaded_after(code) <= {"pydantic"}
