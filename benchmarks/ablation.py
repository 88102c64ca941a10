"""Measures what each part of the planner's search brings: the same plans with one part taken out at a time.

A part is taken out of a copy of the kit by changing a line of it. Every variant proves the same positions, each with a
processor of its own; `python benchmarks/ablation.py --turns 6`. Figures go to benchmarks/ablation.json, and what is
there already is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from variants import EXACT, Change, make_variant

FIGURES = Path(__file__).with_name("ablation.json")
FRESH = 1000
"""Positions are from the middle of bot games from this seed on, which nothing was tuned on."""
LAYOUTS = ("romana4", "romana2", "romana3")
SLOW = 0.1
"""Seconds of processor time with all parts, from which on a plan counts for the ratio of times."""

PARTS: dict[str, list[Change]] = {
    "everything": [],
    "courses": [(f"{EXACT}/bound/upper_bound.py", "points > best and 0 < tiles <= COURSES", "tiles < 0")],
    "crossings": [(f"{EXACT}/bound/upper_bound.py", "tiles + count_crossings(t, s, g, me, tiles)", "2 * tiles")],
    "looking ahead at builds": [
        (
            f"{EXACT}/candidates.py",
            "        keep_promising(t, states, works, ply, g, bounds, c, turns - 1)\n",
            "        pass\n",
        )
    ],
    "bounds kept": [(f"{EXACT}/pruning.py", "(word ^ key) & ~UNKNOWN == 0", "(word ^ key) & ~UNKNOWN == 1")],
    "transpositions": [(f"{EXACT}/transpositions.py", "ply > 0 and table[slot] == key", "ply < 0")],
    "deferred tiles": [(f"{EXACT}/searcher.py", "= not task.forbid, 0, 0", "= False, 0, 0")],
    "deferred builders": [(f"{EXACT}/searcher.py", "not task.forbid and may_defer_builders(position, turns)", "False")],
    "order": [(f"{EXACT}/candidates.py", "    order(t, s, w)\n", "")],
    "beam": [(f"{EXACT}/searcher.py", "first, quest = lane.states[0].copy(), lane.quests\n", "return\n")],
    "wide beam": [(f"{EXACT}/searcher.py", "WIDER = (80, 320, 1280)", "WIDER = (80,)")],
}
"""What is changed to do without each part."""


def measure(count: int, turns: int, seconds: float) -> None:
    """Proves plans with the kit that is imported; prints a row for each."""
    import plan as plans

    import aquakit

    aquakit.plan(aquakit.start("romana2-5x4").solo(1), turns=3, method="search")
    for i in range(count):
        (p,) = plans.studies(list(LAYOUTS), "middle", 1, FRESH + i)
        begun = time.process_time()
        found = aquakit.plan(p, turns=turns, seconds=seconds, method="search")
        row = {"points": found.points, "proved": found.proved, "states": found.states}
        print(json.dumps({**row, "seconds": time.process_time() - begun}), flush=True)


def run_variant(part: str, count: int, turns: int, seconds: float) -> list[dict[str, Any]]:
    """Measures one variant in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_variant(folder, PARTS[part])
        command = [sys.executable, __file__, "--measure", "--positions", str(count), "--turns", str(turns)]
        settings = {**os.environ, "PYTHONPATH": name, "NUMBA_CACHE_DIR": str(folder / "compiled")}
        done = subprocess.run(
            [*command, "--seconds", str(seconds)], cwd=name, env=settings, check=True, capture_output=True, text=True
        )
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(base: list[dict[str, Any]], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Sets a variant beside the kit as it is."""
    pairs = [(a, b) for a, b in zip(base, rows, strict=True) if max(a["seconds"], b["seconds"]) > SLOW]
    differ = sum(a["proved"] and b["proved"] and a["points"] != b["points"] for a, b in zip(base, rows, strict=True))
    found: dict[str, Any] = {"proved": sum(row["proved"] for row in rows), "of": len(rows), "differ": differ}
    found["seconds"] = round(sum(row["seconds"] for row in rows), 1)
    if pairs:
        for what in ("seconds", "states"):
            found[f"times {what}"] = round(
                statistics.geometric_mean(max(b[what], 0.001) / max(a[what], 0.001) for a, b in pairs), 2
            )
    return found


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--positions", type=int, default=120)
    reader.add_argument("--turns", type=int, default=6)
    reader.add_argument("--seconds", type=float, default=30.0, help="for each plan")
    reader.add_argument("--parts", nargs="*", choices=list(PARTS), help="only these")
    reader.add_argument("--workers", type=int, default=os.cpu_count())
    reader.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = reader.parse_args()
    if given.measure:
        measure(given.positions, given.turns, given.seconds)
        return
    known: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    rows = known.setdefault(f"{given.positions} positions, {given.turns} turns, {given.seconds:g} s", {})
    missing = [part for part in given.parts or PARTS if part not in rows]
    if "everything" not in rows and "everything" not in missing:
        missing.insert(0, "everything")
    with ThreadPoolExecutor(given.workers) as pool:
        todo = {part: pool.submit(run_variant, part, given.positions, given.turns, given.seconds) for part in missing}
        for part, waiting in todo.items():
            rows[part] = waiting.result()
            print(part, compare(rows["everything"], rows[part]), flush=True)
            FIGURES.write_text(json.dumps(known) + "\n")


if __name__ == "__main__":
    main()
