"""Measures the engine in one run on one machine: `make bench-engine`. Figures go to benchmarks/engine.json."""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import aquakit
from aquakit.core.files import write_atomically
from aquakit.engine.search.forest import Forest
from aquakit.engine.solve import solve

LAYOUTS = ("romana2", "romana3", "romana4", "aquadukt2", "aquadukt3", "aquadukt4")
LIMIT = 5.0
"""Seconds in which two turns should be solved."""


def simulations(layout: str, *, wise: bool, threads: int, seconds: float = 2, times: int = 3) -> float:
    """Gets simulations per second from a layout's start, the best of some runs."""
    p = aquakit.start(layout)
    forest = Forest(p, threads=threads, seed=1, wise=wise)
    forest.grow(simulations=1000)
    rates = []
    for _ in range(times):
        forest.plant(p)
        begun = time.perf_counter()
        made = forest.grow(seconds=seconds)
        rates.append(made / (time.perf_counter() - begun))
    return max(rates)


def midgames(layout: str, count: int) -> list[Any]:
    """Draws starts of turns from the middle of random games that close rarely, as people's do."""
    found, seed = [], 0
    while len(found) < count:
        seed += 1
        draw, p = random.Random(seed), aquakit.start(layout)
        for _ in range(draw.randrange(15, 40)):
            for _ in range(12):
                if p.is_over:
                    break
                actions = p.actions()
                stays = [action for action in actions if str(action) == "x-"]
                p = p.act(stays[0] if stays and draw.random() < 0.9 else draw.choice(actions))
                if not p.played:
                    break
        if not p.is_over and not p.played:
            found.append(p)
    return found


def two_turns(layout: str, count: int) -> dict[str, float]:
    """Solves two turns in positions from the middle of games; how many took no longer than the limit."""
    seconds = []
    for p in midgames(layout, count):
        found = solve(p, turns=2, seconds=10 * LIMIT)
        seconds.append(found.seconds if found.proved else 10 * LIMIT)
    seconds.sort()
    return {
        "positions": count,
        f"within_{LIMIT:g}_s": sum(taken <= LIMIT for taken in seconds) / count,
        "median_s": seconds[count // 2],
        "nine_of_ten_s": seconds[int(0.9 * count)],
        "longest_s": seconds[-1],
    }


def main() -> None:
    """Prints and stores all figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=40, help="how many positions are solved")
    count = options.parse_args().positions
    results = {
        "simulations_per_s_uniform_two_threads": {n: simulations(n, wise=False, threads=2) for n in LAYOUTS},
        "simulations_per_s_policy_two_threads": {n: simulations(n, wise=True, threads=2) for n in LAYOUTS},
        "simulations_per_s_policy_one_thread": {n: simulations(n, wise=True, threads=1) for n in LAYOUTS},
        "solve_two_turns": {n: two_turns(n, count) for n in ("romana2", "romana2-7x6")},
    }
    target = Path(__file__).with_name("engine.json")
    write_atomically(target, json.dumps(results, indent=2) + "\n")
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
