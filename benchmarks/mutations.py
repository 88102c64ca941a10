"""Weakens the function of each lemma of docs/planner-proof.md and sees its test fail: `python benchmarks/mutations.py`.

It takes some minutes, since every variant is compiled anew. A lemma whose test still passes ends it with an error.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from variants import EXACT, Change, make_variant

TILES, SEARCH = "test_lemmas.py", "test_search_lemmas.py"
MUTATIONS: dict[str, tuple[str, Change]] = {
    "lemma_1": (TILES, (f"{EXACT}/bound/reachable.py", "g.go[out] >> 2, level + 1)", "g.go[out] >> 2, level + 2)")),
    "lemma_2": (
        TILES,
        (f"{EXACT}/bound/upper_bound.py", "g.own[k] = g.walk[k * ports", "g.own[k] = g.walk[(k >> 1) * ports"),
    ),
    "lemma_3": (TILES, (f"{EXACT}/bound/courses.py", "if laid >= tiles:", "if laid >= tiles - 1:")),
    "lemma_4": (TILES, (f"{EXACT}/bound/crossings.py", "tiles - AROUND[tiles] +", "tiles - AROUND[tiles] - 1 +")),
    "lemma_5": (
        TILES,
        (f"{EXACT}/bound/upper_bound.py", "return int(g.value[steps])", "return int(g.value[max(0, steps - 1)])"),
    ),
    "lemma_6": (SEARCH, (f"{EXACT}/bound/upper_bound.py", "max(0, turns - 1)  #", "max(0, turns - 2)  #")),
    "lemma_7": (SEARCH, (f"{EXACT}/pruning.py", "deferred + brings + turns - 1", "deferred + brings + turns - 2")),
    "lemma_8": (
        SEARCH,
        (
            f"{EXACT}/deferred_tiles.py",
            "        if (deferred >> (8 * kind)) & 255:",
            "        if (deferred >> (8 * kind)) & 254:",
        ),
    ),
    "lemma_9": (SEARCH, (f"{EXACT}/deferred_builders.py", "& g.promising[a] != 0) << p", "& g.promising[a] < 0) << p")),
    "lemma_10": (
        SEARCH,
        (f"{EXACT}/transpositions.py", "word = word * 8 + s.path[p] + 1", "word = word * 8 + 1"),
    ),
    "lemma_11": (SEARCH, (f"{EXACT}/candidates.py", "near = g.reach - 1  #", "near = g.reach - 4  #")),
    "lemma_12": (SEARCH, (f"{EXACT}/candidates.py", "    if not used:", "    if used:")),
}
"""For each lemma the module of its test, and what is changed."""


def fails(lemma: str) -> bool:
    """Runs a lemma's test on a weakened kit; says whether it fails as it should."""
    module, change = MUTATIONS[lemma]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_variant(folder, [change], "tests", "conftest.py", "pyproject.toml")
        command = [sys.executable, "-m", "pytest", "-q", "-x", f"tests/romana/planner/{module}", "-k", f"{lemma}_"]
        settings = {**os.environ, "PYTHONPATH": name, "NUMBA_CACHE_DIR": str(folder / "compiled")}
        done = subprocess.run(command, cwd=name, env=settings, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{lemma} could not be tried:\n{done.stdout}{done.stderr}")
    return done.returncode == 1


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("lemmas", nargs="*", help="only these, such as lemma_3")
    survived = []
    for lemma in reader.parse_args().lemmas or MUTATIONS:
        failed = fails(lemma)
        file, old, new = MUTATIONS[lemma][1]
        print(
            f"{lemma}: {'fails' if failed else 'PASSES'} with {new.strip()!r} for {old.strip()!r} in {file}", flush=True
        )
        if not failed:
            survived.append(lemma)
    if survived:
        raise SystemExit(f"not noticed: {', '.join(survived)}")


if __name__ == "__main__":
    main()
