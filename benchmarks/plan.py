"""Measures the planners in one run on one machine: `make bench-plan`. Figures go to benchmarks/plan.json."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

import aquakit
from aquakit import romana
from aquakit.errors import AquakitError
from aquakit.files import write_atomically
from aquakit.romana.planner.plan import Plan
from aquakit.romana.planner.task import Task

STAGES = {"early": (0.05, 0.3), "middle": (0.3, 0.7), "late": (0.7, 0.95)}
"""Which part of a game a position is from."""
GOALS = (("full", 4, 10.0, 0.95), ("full", 6, 60.0, 0.80), ("no closing", 8, 20.0, 0.90), ("full", 10, 60.0, None))
"""Rules, turns, seconds, and the share that should be proved in them."""


def bot_game(layout: str, seed: int) -> list[Any]:
    """Plays a game of bots, greedy ones and thinking ones in turn, and gets the starts of all turns."""
    p, found = aquakit.start(layout), []
    spec = "mcts:120" if seed % 2 else "greedy"
    bots = [aquakit.bot(spec, seed=7 * seed + seat, threads=1) for seat in range(len(p.layout.players))]
    while not p.is_over:
        if not p.played:
            found.append(p)
        for action in bots[(p.player or 1) - 1](p):
            p = p.act(action)
    return found


def studies(layouts: list[str], stage: str, count: int) -> list[Any]:
    """Draws study positions from bot games: the player to move goes on alone."""
    low, high = STAGES[stage]
    found, seed = list[Any](), 0
    while len(found) < count:
        game = bot_game(layouts[seed % len(layouts)], seed)
        p = game[int(len(game) * random.Random(seed).uniform(low, high))]
        found.append(p.solo(p.player))
        seed += 1
    return found


def is_legal(found: Plan) -> bool:
    """Checks a plan once more by the rules."""
    try:
        return Task(found.position, found.task.turns).replay(found.turns) == found.points
    except AquakitError:
        return False


def agree(count: int, most: int, seconds: float) -> list[dict[str, Any]]:
    """Lets both methods plan the same positions; where both finish, value and first builds must be equal."""
    rows = []
    for turns in range(1, most + 1):
        row: dict[str, Any] = {"turns": turns, "positions": 0, "both": 0, "differ": 0, "illegal": 0, "builds": 0}
        for stage in STAGES:
            for p in studies(list(romana.Layout.names()), stage, count):
                compare(p, turns, seconds, row)
        rows.append(row)
        print(row, flush=True)
    return rows


def compare(p: Any, turns: int, seconds: float, row: dict[str, Any]) -> None:
    plans = [aquakit.plan(p, turns=turns, seconds=seconds, method=method) for method in ("search", "cpsat")]
    row["positions"] += 1
    row["illegal"] += sum(found.points is not None and not is_legal(found) for found in plans)
    if all(found.proved for found in plans):
        row["both"] += 1
        builds = [found.alternatives(method=found.method, seconds=seconds) for found in plans]
        both = all(listed.complete for listed in builds)
        row["builds"] += both
        row["differ"] += plans[0].points != plans[1].points or (both and set(builds[0]) != set(builds[1]))


def reach(count: int, goals: tuple[Any, ...] = GOALS) -> list[dict[str, Any]]:
    """Sees how many plans are proved in time, in the middle of games."""
    rows = []
    for rules, turns, seconds, share in goals:
        for layout in ("romana4", "romana2"):
            took, proved = [], 0
            for p in studies([layout], "middle", count):
                found = aquakit.plan(p, turns=turns, closing=rules == "full", seconds=seconds)
                proved += found.proved
                took.append(found.seconds)
            row = {
                "rules": rules, "turns": turns, "layout": layout, "seconds": seconds, "wanted": share,
                "proved": proved, "of": count, "median": round(statistics.median(took), 2),
            }  # fmt: skip
            rows.append(row)
            print(row, flush=True)
    return rows


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--positions", type=int, default=20, help="positions of each stage and of each goal")
    reader.add_argument("--turns", type=int, default=5, help="compare the methods up to so many turns")
    reader.add_argument("--seconds", type=float, default=20.0, help="for each method in a comparison")
    reader.add_argument("--only", choices=("agree", "reach"), help="one part only")
    given = reader.parse_args()
    aquakit.plan(aquakit.start("romana2-5x4").solo(1), turns=1)  # compiled before the clock runs
    begun = time.perf_counter()
    figures: dict[str, Any] = {}
    if given.only != "agree":
        figures["reach"] = reach(given.positions)
    if given.only != "reach":
        figures["agree"] = agree(given.positions, given.turns, given.seconds)
    figures["minutes"] = round((time.perf_counter() - begun) / 60, 1)
    write_atomically(Path(__file__).with_name("plan.json"), json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
