"""Measures the planners in one run on one machine: `make bench-plan`, minutes. Figures go to benchmarks/plan.json.

`python benchmarks/plan.py --whole` takes an hour and more: eight and ten turns too, and the methods compared at length.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aquakit
from aquakit import romana
from aquakit.core.files import write_atomically
from aquakit.errors import AquakitError
from aquakit.romana.kernel import EMPTY
from aquakit.romana.planner.plan.result import Plan
from aquakit.romana.planner.plan_question import PlanQuestion

STAGES = {"early": (0.05, 0.3), "middle": (0.3, 0.7), "late": (0.7, 0.95)}
"""Which part of a game a position is from."""
GOALS = (("full", 4, 10.0, 0.95), ("full", 6, 60.0, 0.80), ("no closing", 8, 20.0, 0.90), ("full", 10, 60.0, None))
"""Rules, turns, seconds, and the share that should be proved in them."""
MODEL_TURNS = 4
"""How many turns the solver plans by itself."""
OTHERS = {"timing": 1.0, "longest": 15.0, "podiums": 15.0, "canals": 20.0}
"""The other questions, and the seconds for each."""


def bot_game(layout: str, seed: int) -> list[Any]:
    """Plays a game of bots, greedy ones and thinking ones in turn, and gets the starts of all turns."""
    p, found, die = aquakit.start(layout), [], random.Random(seed)
    spec = "mcts:120" if seed % 2 else "greedy"
    bots = [aquakit.bot(spec, seed=7 * seed + seat, threads=1) for seat in range(len(p.scores()))]
    while not p.is_over:
        if p.is_chance:
            p = p.act(die.choice(p.actions()))
            continue
        if not p.played:
            found.append(p)
        for action in bots[(p.player or 1) - 1](p):
            p = p.act(action)
    return found


def studies(layouts: list[str], stage: str, count: int, skip: int = 0) -> list[Any]:
    """Draws study positions from bot games, but for the first ones: the player to move goes on alone."""
    low, high = STAGES[stage]
    found = []
    for seed in range(skip, skip + count):
        game = bot_game(layouts[seed % len(layouts)], seed)
        p = game[int(len(game) * random.Random(seed).uniform(low, high))]
        found.append(p.solo(p.player))
    return found


def with_room(seed: int, most: int) -> Any:
    """Gets the first position of a bot game with no more empty squares than so many; not every game fills the board."""
    while True:
        for p in bot_game(("romana4", "romana2")[seed % 2], seed):
            if p.state.tile[: p.layout.tables.squares].count(EMPTY) <= most:
                return p
        seed += 1000


def in_the_middle(seed: int) -> Any:
    """Gets a position from the middle of a game of Aquädukt."""
    game = bot_game(("aquadukt2", "aquadukt3", "aquadukt4")[seed % 3], seed)
    return game[len(game) // 2]


def is_legal(found: Plan) -> bool:
    """Checks a plan once more by the rules."""
    try:
        return PlanQuestion(found.position, found.question.turns).replay(found.turns) == found.points
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


def cpsat(count: int, turns: int, seconds: float) -> dict[str, Any]:
    """Sees how many plans the solver proves by itself, and that they are worth what the search says."""
    took, proved, differ = [], 0, 0
    for stage in STAGES:
        for p in studies(list(romana.Layout.names()), stage, count):
            found = aquakit.plan(p, turns=turns, seconds=seconds, method="cpsat")
            took.append(found.seconds)
            proved += found.proved
            known = aquakit.plan(p, turns=turns, seconds=seconds, method="search")
            differ += found.proved and known.proved and found.points != known.points
    row = {
        "turns": turns, "seconds": seconds, "proved": proved, "of": len(took),
        "median": round(statistics.median(took), 2), "differ": differ,
    }  # fmt: skip
    print(row, flush=True)
    return row


def reach(count: int, skip: int, goals: list[int]) -> list[dict[str, Any]]:
    """Sees how many plans of some numbers of turns are proved in time, in the middle of games."""
    rows = []
    for rules, turns, seconds, share in GOALS:
        if turns not in goals:
            continue
        for layout in ("romana4", "romana2"):
            took, proved = [], 0
            for p in studies([layout], "middle", count, skip):
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


def ask_timing(seed: int) -> Any:
    """Asks when to close what, with twelve aqueducts and twenty rounds."""
    draw, start = random.Random(seed), aquakit.start(("romana4", "romana2")[seed % 2])
    growth = {a.name: draw.choice((0.3, 0.5, 0.7, 0.9)) for a in start.aqueducts}
    others = draw.sample([a.name for a in start.aqueducts if a.owner != start.player], 3)
    rivals = dict(zip(others, draw.sample(range(6, 21), 3), strict=True))  # a turn closes one at most
    return lambda: aquakit.timing(start, rounds=20, growth=growth, rivals=rivals, seconds=OTHERS["timing"])


def ask_longest(seed: int) -> Any:
    """Asks for the longest aqueduct on a board with 45 empty squares."""
    p = with_room(seed, 45)
    name = random.Random(seed).choice([a.name for a in p.aqueducts if a.open])
    return lambda: aquakit.longest(p, aqueduct=name, seconds=OTHERS["longest"])


def ask_podiums(seed: int) -> Any:
    """Asks for a player's best podiums on a board with 45 empty squares."""
    p = with_room(seed, 45)
    return lambda: aquakit.longest(p, player=p.player, seconds=OTHERS["podiums"])


def ask_canals(seed: int) -> Any:
    """Asks for eight canals in the middle of a game."""
    p = in_the_middle(seed)
    return lambda: aquakit.plan_canals(p, canals=8, player=p.player, seconds=OTHERS["canals"])


def others(count: int) -> list[dict[str, Any]]:
    """Sees how many answers of the other planners are proved in time, and how long they take."""
    rows = []
    for name, prepare in zip(OTHERS, (ask_timing, ask_longest, ask_podiums, ask_canals), strict=True):
        took, proved = [], 0
        for seed in range(count):
            ask = prepare(seed)
            begun = time.perf_counter()
            found = ask()
            took.append(time.perf_counter() - begun)
            proved += found.proved
        row = {
            "planner": name, "seconds": OTHERS[name], "proved": proved, "of": count,
            "median": round(statistics.median(took), 2), "most": round(max(took), 2),
        }  # fmt: skip
        rows.append(row)
        print(row, flush=True)
    return rows


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--whole", action="store_true", help="all of it")
    reader.add_argument("--positions", type=int, default=20, help="positions of each stage and of each goal")
    reader.add_argument("--turns", type=int, help="compare the methods up to so many turns")
    reader.add_argument("--seconds", type=float, default=20.0, help="for each method in a comparison")
    reader.add_argument("--only", choices=("reach", "others", "agree", "cpsat"), help="one part only, at length")
    reader.add_argument("--skip", type=int, default=0, help="what is to be reached: leave out so many positions")
    reader.add_argument("--goal", type=int, choices=[turns for _, turns, _, _ in GOALS], help="only so many turns")
    given = reader.parse_args()
    whole = given.whole or given.only is not None
    few = given.positions if whole else 3
    goals = [given.goal] if given.goal else [turns for _, turns, _, _ in GOALS][: None if whole else 2]
    aquakit.plan(aquakit.start("romana2-5x4").solo(1), turns=1, method="search")  # compiled before the clock runs
    begun = time.perf_counter()
    parts: dict[str, Callable[[], Any]] = {
        "reach": lambda: reach(given.positions, given.skip, goals),
        "others": lambda: others(few),
        "agree": lambda: agree(few, given.turns or (5 if whole else 3), given.seconds),
        "cpsat": lambda: cpsat(few, 4, given.seconds),
    }
    figures = {name: measure() for name, measure in parts.items() if given.only in (None, name)}
    figures["minutes"] = round((time.perf_counter() - begun) / 60, 1)
    write_atomically(Path(__file__).with_name("plan.json"), json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
