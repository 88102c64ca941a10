"""Compares this checkout with another one in one run: `python benchmarks/compare.py FOLDER`, where it was set up too.

Both are asked the same small questions in turn, each in a process of its own with its own environment. Of several
rounds the best counts, since other load on the machine only ever adds. A ratio above 1 means that this one is better.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]
CLOCK = """
import time
def best(work, times=5):
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)
"""
QUESTIONS = {
    "import aquakit, s": "start = time.perf_counter(); import aquakit; print(time.perf_counter() - start)",
    "first position, s": """
start = time.perf_counter()
import aquakit
aquakit.start("romana4").actions()
print(time.perf_counter() - start)
""",
    "first board, s": """
start = time.perf_counter()
import aquakit
aquakit.start("romana4").board()
print(time.perf_counter() - start)
""",
    "perft romana4, leaves/s": """
import aquakit
p = aquakit.start("romana4")
runner, state = p.runner(), p.state
print(runner.perft(state, 7) / best(lambda: runner.perft(state, 7)))
""",
    "perft aquadukt4, leaves/s": """
import aquakit
p = aquakit.start("aquadukt4")
runner, state = p.runner(), p.state
print(runner.perft(state, 4) / best(lambda: runner.perft(state, 4)))
""",
    "playouts romana4, games/s": """
import aquakit
p = aquakit.start("romana4")
runner, state = p.runner(), p.state
print(40_000 / best(lambda: runner.playouts(state, 40_000, 1)))
""",
    "playouts aquadukt4, games/s": """
import aquakit
p = aquakit.start("aquadukt4")
runner, state = p.runner(), p.state
print(40_000 / best(lambda: runner.playouts(state, 40_000, 1)))
""",
    "tree search romana4, simulations/s": """
import aquakit
p = aquakit.start("romana4")
aquakit.analyse(p, playouts=100, threads=1)
print(40_000 / best(lambda: aquakit.analyse(p, playouts=40_000, threads=1, seed=1), 3))
""",
    "tree search aquadukt4, simulations/s": """
import aquakit
p = aquakit.start("aquadukt4")
aquakit.analyse(p, playouts=100, threads=1)
print(40_000 / best(lambda: aquakit.analyse(p, playouts=40_000, threads=1, seed=1), 3))
""",
    "solve romana2-5x4 five turns, s": """
import aquakit
p = aquakit.start("romana2-5x4")
aquakit.solve(p, turns=1)
print(best(lambda: aquakit.solve(p, turns=5), 3))
""",
    "plan romana4 five turns, s": """
import aquakit
p = aquakit.start("romana4")
aquakit.plan(p, turns=1, method="search")
print(best(lambda: aquakit.plan(p, turns=5, method="search"), 3))
""",
    "two turns on a board, s": """
import aquakit
begin = aquakit.start("romana4")
turns = ["c7=L@Nc x-", str(next(begin.play("c7=L@Nc x-").turns()))]
def play():
    board = begin.board()
    for turn in turns:
        board.play(turn)
play()
print(best(play, 15))
""",
    "a click in JupyterLab, romana4 median ms": """
import sys
sys.path.insert(0, "benchmarks")
import clicks
print(clicks.click_times(50, 2)["romana4_median"])
""",
}


def ask(folder: Path, question: str) -> float:
    """Lets a checkout answer a question in its own environment."""
    command = [folder / ".venv" / "bin" / "python", "-c", CLOCK + QUESTIONS[question]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{folder}: {question}: {done.stderr}")
    return float(done.stdout)


def main() -> None:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("other", type=Path, help="the folder of the other checkout")
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--only", default="", help="only questions with this in their name")
    options = reader.parse_args()
    found: dict[str, dict[str, float]] = {}
    for question in (name for name in QUESTIONS if options.only in name):
        best = max if question.endswith("/s") else min
        answers = [(ask(HERE, question), ask(options.other, question)) for _ in range(options.rounds)]
        here, there = (best(values) for values in zip(*answers, strict=True))
        ratio = here / there if best is max else there / here
        found[question] = {"here": here, "other": there, "ratio": ratio}
        print(f"{question:42} {here:14,.4g} {there:14,.4g}   ratio {ratio:.2f}", flush=True)
    (Path(__file__).with_name("compare.json")).write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
