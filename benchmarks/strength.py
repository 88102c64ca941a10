"""Lets the bots play the matches that say how strong they are: `make bench-strength`.

Each match keeps its games in benchmarks/strength/, so that an interrupted run goes on where it was. With time limits
the outcome depends on the machine: let nothing else run, and give each bot a core of its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import aquakit
from aquakit.work.executors import processes

MATCHES = (
    ("romana2", "greedy", "random"),
    ("aquadukt2", "greedy", "random"),
    ("romana2", "mcts:0.5s", "greedy"),
    ("aquadukt2", "mcts:0.5s", "greedy"),
)
FOLDER = Path(__file__).with_name("strength")


def main() -> None:
    """Plays all matches and prints their tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=40)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    FOLDER.mkdir(exist_ok=True)
    for layout, *bots in MATCHES:
        path = FOLDER / f"{layout}-{'-'.join(bots).replace(':', '-')}.jsonl"
        with processes(chosen.workers) as executor:
            found = aquakit.match(bots, games=chosen.games, layout=layout, seed=1, executor=executor, path=path)
        print(f"\n{layout}\n{found}", flush=True)


if __name__ == "__main__":
    main()
