"""Measures what a second worker brings: `make bench-workers`, some minutes. Figures go to benchmarks/workers.json.

The same positions are planned and analysed by one worker and by two, in processes of this machine and on a Dask cluster
of such; workers are started and have done a piece before the clock runs. Efficiency is the time that two workers should
take, half of one's, over what they take.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aquakit
from aquakit.core.files import write_atomically
from aquakit.work.executors import processes

QUESTIONS: dict[str, dict[str, Any]] = {
    "plan": {"turns": 3, "method": "search"},
    "analyse": {"playouts": 5000},
}


def from_random_games(count: int, layout: str = "romana2") -> list[Any]:
    """Gets positions in the middle of random games."""
    found = []
    for number in range(count):
        draw, p = random.Random(f"workers/{number}"), aquakit.start(layout)
        while not p.is_over and (p.played or sum(p.stock.values()) > 70):
            p = p.act(draw.choice(p.actions()))
        found.append(p.rewind())
    return found


@contextmanager
def on_dask(workers: int) -> Iterator[Executor]:
    """Gets an executor of a cluster on this machine."""
    from distributed import Client, LocalCluster

    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client.get_executor()


def measure(executor: Executor, question: str, positions: list[Any], workers: int) -> float:
    """Gets how long a batch takes once every worker has begun."""
    options = QUESTIONS[question]
    aquakit.batch(question, positions[: 4 * workers], executor=executor, progress=False, **options)
    begun = time.perf_counter()
    found = aquakit.batch(question, positions, executor=executor, progress=False, **options)
    assert found.is_complete
    assert not found.errors
    return time.perf_counter() - begun


def main() -> None:
    """Measures and writes the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=200)
    positions = from_random_games(options.parse_args().positions)
    figures: dict[str, Any] = {"cores": os.cpu_count(), "positions": len(positions)}
    for where, pool_of in {"processes": processes, "dask": on_dask}.items():
        for question in QUESTIONS:
            seconds = {}
            for workers in (1, 2):
                with pool_of(workers) as executor:
                    seconds[workers] = measure(executor, question, positions, workers)
            figures[f"{where} {question}"] = {
                "one": round(seconds[1], 1),
                "two": round(seconds[2], 1),
                "efficiency": round(seconds[1] / 2 / seconds[2], 2),
            }
            print(where, question, figures[f"{where} {question}"], flush=True)
    write_atomically(Path(__file__).with_name("workers.json"), json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
