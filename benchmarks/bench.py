"""Measures the engine in one run on one machine: `make bench`. Figures go to benchmarks/results.json.

Times are the best of several repetitions, since other load on the machine only ever adds.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import clicks

import aquakit
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.core.files import write_atomically

DEPTHS = {"romana2": 5, "romana3": 6, "romana4": 6, "aquadukt2": 3, "aquadukt3": 3, "aquadukt4": 3}
"""The layouts measured, with the depth to which their action sequences are counted."""


def best_of(times: int, work: Callable[[], Any]) -> float:
    """Gets the shortest time of several, in seconds."""
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def playouts(layout: str, *, fast: bool, games: int, times: int) -> float:
    """Gets random playouts per second from a layout's start."""
    p = aquakit.start(layout)
    runner, state = p.runner(fast=fast), p.state
    return games / best_of(times, lambda: runner.playouts(state, games, 1))


def leaves(layout: str, depth: int, *, bulk: bool, fast: bool = True, times: int = 5) -> float:
    """Gets perft leaves per second from a layout's start."""
    p = aquakit.start(layout)
    runner, state = p.runner(fast=fast), p.state
    count = runner.perft(state, depth, bulk=bulk)
    return count / best_of(times, lambda: runner.perft(state, depth, bulk=bulk))


def two_threads(layout: str, games: int) -> float:
    """Gets how many times faster two threads play twice the games than one thread would."""
    p = aquakit.start(layout)
    state, runners = p.state, [p.runner(), p.runner()]

    def both() -> None:
        threads = [threading.Thread(target=runner.playouts, args=(state, games, 1)) for runner in runners]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    one = best_of(9, lambda: runners[0].playouts(state, games, 1))
    return 2 * one / best_of(9, both)


def copy_time(layout: str) -> float:
    """Gets the compiled twin's time for one copy of a state, in seconds."""
    from numba import njit

    @njit(nogil=True)
    def copies(states: Any, n: int) -> None:
        for i in range(n):
            states[1 + i % 7] = states[i % 5]

    p = aquakit.start(layout)
    states = p.kernel.State.records(p.layout.capacity, 8)
    copies(states, 1)
    return best_of(5, lambda: copies(states, 1_000_000)) / 1e6


def seconds_of(code: str, **environment: str) -> float:
    """Gets what a new process says it took."""
    command = [
        sys.executable,
        "-c",
        f"import time; start = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    return float(done.stdout)


def compile_times(layout: str) -> dict[str, float]:
    """Gets the seconds until the compiled kernel is ready, with an empty cache and with a full one."""
    code = f"import aquakit; aquakit.start({layout!r}).runner()"
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds_of(code, NUMBA_CACHE_DIR=folder)
        warm = min(seconds_of(code, NUMBA_CACHE_DIR=folder) for _ in range(3))
    return {"cold_s": cold, "cached_s": warm}


def plain_times(text: str) -> dict[str, float]:
    """Gets the milliseconds of what a notebook does all the time, in a position in the middle of a game."""
    p, many = aquakit.parse(text), 200
    token = str(p.actions()[0])
    calls: dict[str, Callable[[], Any]] = {
        "actions": p.actions,
        "act": lambda: p.act(token),
        "parse": lambda: aquakit.parse(text),
        "str": lambda: str(p),
        "svg": p.svg,
    }
    times = {
        f"{name}_ms": 1000 * best_of(7, lambda call=call: [call() for _ in range(many)]) / many
        for name, call in calls.items()
    }
    return times | {"svg_kb": len(p.svg().encode()) / 1024}


def main() -> None:
    fast = {layout: playouts(layout, fast=True, games=40_000, times=7) for layout in DEPTHS}
    plain = {layout: playouts(layout, fast=False, games=15, times=3) for layout in DEPTHS}
    results: dict[str, Any] = {
        "machine": {"python": platform.python_version(), "cpus": os.cpu_count(), "aquakit": aquakit.__version__},
        "playouts_per_s": fast,
        "playouts_plain_per_s": plain,
        "compiled_to_plain": {layout: fast[layout] / plain[layout] for layout in DEPTHS},
        "perft_made_leaves_per_s": {layout: leaves(layout, n, bulk=False) for layout, n in DEPTHS.items()},
        "perft_bulk_leaves_per_s": {layout: leaves(layout, n + 1, bulk=True) for layout, n in DEPTHS.items()},
        "perft_plain_made_leaves_per_s": {
            layout: leaves(layout, 2, bulk=False, fast=False, times=2) for layout in DEPTHS
        },
        "two_thread_scaling": {layout: two_threads(layout, 60_000) for layout in ("romana4", "aquadukt4")},
        "copy_ns": {layout: 1e9 * copy_time(layout) for layout in ("romana4", "aquadukt4")},
        "import_aquakit_s": min(seconds_of("import aquakit") for _ in range(3)),
        "ready": {layout: compile_times(layout) for layout in ("romana4", "aquadukt4")},
        "plain": {text.split(" ")[0]: plain_times(text) for text in (ROMANA, AQUADUKT)},
        **({"click_ms": clicks.compare_with_before()} if clicks.has_chromium() else {}),
    }
    target = Path(__file__).with_name("results.json")
    write_atomically(target, json.dumps(results, indent=2) + "\n")
    show(results)
    print(f"written to {target.name}")


def show(results: dict[str, Any], indent: str = "") -> None:
    """Prints the figures."""
    for name, value in results.items():
        if isinstance(value, dict):
            print(f"{indent}{name}")
            show(value, indent + "  ")
        else:
            if isinstance(value, float):
                value = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
            print(f"{indent}{name:32} {value}")


if __name__ == "__main__":
    main()
