"""Measures what the first time costs, when nothing is compiled: `python benchmarks/first_compile.py`.

Figures go to benchmarks/first_compile.json. Each part begins in a folder of its own for NUMBA_CACHE_DIR, where nothing
is kept. Processor seconds are those of all processes together, which depends less on what else runs here; wall seconds
do depend on it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from aquakit.core.files import write_atomically

ROOT = Path(__file__).parents[1]
KERNEL = """
import aquakit
aquakit.start("romana2-5x4").runner()
"""
PLANNER = """
import aquakit
aquakit.plan(aquakit.start("romana2-5x4"), turns=1, method="search")
"""
EVERYTHING = """
from aquakit.cli import main
raise SystemExit(main.run(["warm"]))
"""
POSITIONS = {
    "the position of the tour": (
        "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J "
        ".c...s./b.dc../.c.b.s./.d.c.. cj -,s *.*.*,*.1.* 9.9.4.5 1 0"
    ),
    "the start of romana2-5x4": "romana2-5x4",
    "the start of romana2": "romana2",
}
"""What is planned first of all, three turns of it."""
FIRST_PLAN = """
import aquakit
text = {text!r}
found = aquakit.plan(aquakit.parse(text) if " " in text else aquakit.start(text), turns=3)
print(found.method if found.proved else "nobody")
"""


class Cost(NamedTuple):
    """What a piece of code costs in a fresh process."""

    processor: float
    wall: float
    functions: int
    """Compiled functions that are kept then."""
    said: str


def measure(code: str) -> Cost:
    """Runs code where nothing is kept."""
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": str(ROOT)}
        before, begun = processor_seconds(), time.perf_counter()
        # A process that ends waits for those that it has started, so that their time is counted with its own.
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        wall = time.perf_counter() - begun
        kept = len(list(Path(folder).glob("*/*/*.nbc")))
        return Cost(processor_seconds() - before, wall, kept, done.stdout.strip())


def processor_seconds() -> float:
    """Gets the processor time of all processes that have ended below this one."""
    times = os.times()
    return times.children_user + times.children_system


def main() -> None:
    """Measures and writes the figures."""
    if any((ROOT / "aquakit" / "compiled" / "shared").glob("*/*/*.nbc")):
        raise SystemExit("there is code in the shared place, which would be read")
    figures: dict[str, Any] = {"cores": os.cpu_count()}
    costs = {}
    for part, code in {"kernel": KERNEL, "planner": PLANNER, "everything": EVERYTHING}.items():
        costs[part] = cost = measure(code)
        figures[part] = {
            "processor": round(cost.processor, 1),
            "wall": round(cost.wall, 1),
            "functions": cost.functions,
        }
        print(part, figures[part], flush=True)
    figures["everything / kernel"] = round(costs["everything"].processor / costs["kernel"].processor, 1)
    print("everything / kernel", figures["everything / kernel"], flush=True)
    for place, text in POSITIONS.items():
        cost, name = measure(FIRST_PLAN.format(text=text)), f"first plan, {place}"
        figures[name] = {"wall": round(cost.wall, 1), "proved by": cost.said}
        print(name, figures[name], flush=True)
    write_atomically(Path(__file__).with_name("first_compile.json"), json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
