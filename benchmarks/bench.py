"""Measures the engine in one run on one machine: `make bench`. Figures go to benchmarks/results.json.

Times are the best of several repetitions, since other load on the machine only ever adds.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aquakit
from aquakit.files import write_atomically
from aquakit.romana import Position, kernel
from aquakit.romana.kernel import Work

LAYOUTS = ("romana2", "romana3", "romana4")
MIDGAME = (
    "romana4 FF##...##-7/.Z.+...+LN+/...+......./.F.+..N..../+|........./...ZN....../..N|J..|F+Z/L.##...##NJ "
    "c..s.c....s/db.b..../s...cs.b..d/...d.... cj -,d,-,b *.*.*,*.2.*,1.*.*,4.*.* 16.17.14.13 1 0"
)


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
    p = Position.start(layout)
    runner, state = p.runner(fast=fast), p.state
    return games / best_of(times, lambda: runner.playouts(state, games, 1))


def leaves(layout: str, depth: int, *, bulk: bool, fast: bool = True, times: int = 5) -> float:
    """Gets perft leaves per second from a layout's start."""
    p = Position.start(layout)
    runner, state = p.runner(fast=fast), p.state
    count = runner.perft(state, depth, bulk=bulk)
    return count / best_of(times, lambda: runner.perft(state, depth, bulk=bulk))


def two_threads(layout: str, games: int) -> float:
    """Gets how many times faster two threads play twice the games than one thread would."""
    p = Position.start(layout)
    state, runners = p.state, [p.runner(), p.runner()]

    def both() -> None:
        threads = [threading.Thread(target=runner.playouts, args=(state, games, 1)) for runner in runners]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    one = best_of(5, lambda: runners[0].playouts(state, games, 1))
    return 2 * one / best_of(5, both)


def copy_time() -> float:
    """Gets the compiled twin's time for one copy of a state, in seconds."""
    from numba import njit

    @njit(nogil=True)
    def copies(states: Any, n: int) -> None:
        for i in range(n):
            states[1 + i % 7] = states[i % 5]

    p = Position.start("romana4")
    states = kernel.State.records(p.layout.capacity, 8)
    p.state.store(states)
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


def compile_times() -> dict[str, float]:
    """Gets the seconds until the compiled kernel is ready, with an empty cache and with a full one."""
    import tempfile

    code = "import aquakit; aquakit.start('romana4').runner()"
    with tempfile.TemporaryDirectory() as folder:
        cold = seconds_of(code, NUMBA_CACHE_DIR=folder)
        warm = min(seconds_of(code, NUMBA_CACHE_DIR=folder) for _ in range(3))
    return {"cold_s": cold, "cached_s": warm}


def plain_times() -> dict[str, float]:
    """Gets the milliseconds of what a notebook does all the time."""
    p = Position.parse(MIDGAME)
    first = p.actions()[0]
    token, many = str(first), 200
    setup = Position.start("romana4", setup=True)
    work = Work.new(p.layout.sizes)
    calls: dict[str, Callable[[], Any]] = {
        "actions": p.actions,
        "actions_setup": setup.actions,
        "act": lambda: p.act(token),
        "parse": lambda: Position.parse(MIDGAME),
        "str": lambda: str(p),
        "svg": p.svg,
        "kernel_generate": lambda: kernel.generate(p.layout.tables, p.state, work),
    }
    return {
        f"{name}_ms": 1000 * best_of(5, lambda call=call: [call() for _ in range(many)]) / many
        for name, call in calls.items()
    }


def main() -> None:
    fast = {layout: playouts(layout, fast=True, games=40_000, times=7) for layout in LAYOUTS}
    plain = {layout: playouts(layout, fast=False, games=15, times=3) for layout in LAYOUTS}
    made = {"romana2": leaves("romana2", 5, bulk=False), "romana3": leaves("romana3", 6, bulk=False)}
    made["romana4"] = leaves("romana4", 6, bulk=False)
    results: dict[str, Any] = {
        "machine": {
            "python": platform.python_version(),
            "cpus": os.cpu_count(),
            "aquakit": aquakit.__version__,
        },
        "playouts_per_s": fast,
        "playouts_plain_per_s": plain,
        "compiled_to_plain": {layout: fast[layout] / plain[layout] for layout in LAYOUTS},
        "perft_made_leaves_per_s": made,
        "perft_bulk_leaves_per_s": {"romana4": leaves("romana4", 7, bulk=True)},
        "perft_plain_made_leaves_per_s": {"romana4": leaves("romana4", 3, bulk=False, fast=False, times=2)},
        "two_thread_scaling": two_threads("romana4", 60_000),
        "copy_ns": 1e9 * copy_time(),
        "import_aquakit_s": min(seconds_of("import aquakit") for _ in range(3)),
        "ready": compile_times(),
        "plain": plain_times(),
        "svg_kb": len(Position.parse(MIDGAME).svg().encode()) / 1024,
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
