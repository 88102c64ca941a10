"""Measures the kit against OpenSpiel, with python-chess and catanatron beside it: `make bench-peers`.

Figures go to benchmarks/peers.json, the games of the match to a file beside it, from which the next run goes on.

OpenSpiel plays our games through `aquakit.interop.openspiel`. Of its two tree searches the one in C++ is the faster one
and plays the match. It looks at the clock after every simulation, so it thinks for the whole time at each decision that
is one; ours thinks no longer, and often not at all where its last search has foreseen the rest of the turn.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench import best_of, leaves, playouts
from engine import LAYOUTS, simulations

import aquakit
from aquakit.core.files import write_atomically
from aquakit.engine.bots import MctsBot
from aquakit.engine.matches.match import Match, processes

HERE = Path(__file__).parent
PACKAGES = ("aquakit-boardgames", "open_spiel", "chess", "catanatron", "numba", "numpy")
DEPTHS = {"romana2": 5, "aquadukt2": 3}
"""The layouts whose action sequences are counted, and how long these are."""
SECONDS, TIMES = 1.0, 3
"""Each rate is the best of so many runs of so many seconds, since other load on the machine only ever takes away."""
THREADS = 2


def best_rate(run: Callable[[], int]) -> float:
    """Gets what is done per second by a run that says how much it did; the best of some runs."""
    rates = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        done = run()
        rates.append(done / (time.perf_counter() - begun))
    return max(rates)


# Against OpenSpiel


def rate_in_cpp(layout: str) -> float:
    """Gets the simulations per second of OpenSpiel's tree search in C++."""
    from aquakit.interop.openspiel import TreeBot, load_game

    game = load_game(layout)
    state, tree = game.new_initial_state(), TreeBot(game, seconds=SECONDS, seed=1)
    tree.step(state)

    def run() -> int:
        before = tree.simulations
        tree.step(state)
        return tree.simulations - before

    return best_rate(run)


def rate_in_python(layout: str) -> float:
    """Gets the simulations per second of OpenSpiel's tree search in Python."""
    import numpy as np
    from open_spiel.python.algorithms import mcts

    from aquakit.interop.openspiel import EXPLORATION, load_game

    game, draw = load_game(layout), np.random.RandomState(1)
    tree = mcts.MCTSBot(game, EXPLORATION, 200, mcts.RandomRolloutEvaluator(1, draw), random_state=draw)
    return best_rate(lambda: tree.mcts_search(game.new_initial_state()).explore_count)


def search_rates() -> dict[str, dict[str, float]]:
    """Gets simulations per second from the start of each layout: ours and OpenSpiel's, and how many times more."""
    found = {}
    for layout in LAYOUTS:
        theirs = {"openspiel_cpp": rate_in_cpp(layout), "openspiel_python": rate_in_python(layout)}
        ours = {
            "ours_policy_two_threads": simulations(layout, wise=True, threads=2, seconds=SECONDS, times=TIMES),
            "ours_uniform_two_threads": simulations(layout, wise=False, threads=2, seconds=SECONDS, times=TIMES),
            "ours_uniform_one_thread": simulations(layout, wise=False, threads=1, seconds=SECONDS, times=TIMES),
        }
        ratios = {
            f"{name.replace('ours', 'times')}_{peer.removeprefix('openspiel_')}": rate / other
            for peer, other in theirs.items()
            for name, rate in ours.items()
        }
        found[layout] = ours | theirs | ratios
    return found


def play_match(layout: str, games: int, seconds: float) -> dict[str, Any]:
    """Lets our engine play OpenSpiel's tree search, with the same seconds for each decision; goes on from the file.

    One game runs after the other, so that nobody takes the other's time. A game before the first loads what is
    compiled, so that this does not count as thinking.
    """
    path = HERE / f"peers-{layout}-{seconds:g}s.jsonl"
    with processes(1) as pool:
        aquakit.match(opponents(0.01), 1, layout, executor=pool, progress=False)
        found = aquakit.match(opponents(seconds), games, layout, seed=1, executor=pool, path=path)
    print(found)
    return sum_up(found)


def opponents(seconds: float) -> list[Any]:
    """Gets our bot and OpenSpiel's."""
    from aquakit.interop.openspiel import GuestBot

    guest = GuestBot(partial(plant_tree, seconds), f"openspiel:{seconds:g}s")
    return [MctsBot(seconds=seconds, threads=THREADS), guest]


def plant_tree(seconds: float, game: Any) -> Any:
    """Makes OpenSpiel's search, with another seed in every game."""
    from aquakit.interop.openspiel import TreeBot

    return TreeBot(game, seconds=seconds, seed=random.randrange(2**31))


def sum_up(found: Match) -> dict[str, Any]:
    """Gets what a match came to: our part of the wins with its interval, and how long each thought."""
    first = found.standings[0]
    choices = [count_choices(result) for result in found.results]
    return {
        "layout": found.head.layout,
        "games": first.games,
        "complete": found.is_complete,
        "win_rate": first.win_rate,
        "win_rate_low": first.win_low,
        "win_rate_high": first.win_high,
        "lead": first.lead,
        "seconds_a_decision": {
            standing.bot: standing.seconds * standing.games / max(1, sum(made[standing.bot] for made in choices))
            for standing in found.standings
        },
    }


def count_choices(result: Any) -> dict[str, int]:
    """Counts each bot's decisions in a game that had more than one option."""
    p, made = aquakit.parse(result.start), dict.fromkeys(result.seats, 0)
    for turn in result.turns:
        for action in p.carry_out(turn)[0]:
            if not p.is_chance and len(p.actions()) > 1:
                made[result.seats[p.player - 1]] += 1
            p = p.act(action)
    return made


# Beside other games


def our_context() -> dict[str, dict[str, float]]:
    """Gets what the compiled kernels do per second, on one thread."""
    return {
        layout: {
            "perft_made_leaves_per_s": leaves(layout, depth, bulk=False, times=TIMES),
            "perft_bulk_leaves_per_s": leaves(layout, depth, bulk=True, times=TIMES),
            "random_games_per_s": playouts(layout, fast=True, games=20_000, times=TIMES),
        }
        for layout, depth in DEPTHS.items()
    }


def chess_context() -> dict[str, float]:
    """Gets what python-chess counts per second from the start of chess."""
    import chess

    def perft(board: chess.Board, depth: int, bulk: int) -> int:
        if depth == bulk:
            return board.legal_moves.count() if bulk else 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += perft(board, depth - 1, bulk)
            board.pop()
        return total

    return {
        f"perft_{name}_leaves_per_s": 8902 / best_of(TIMES, lambda bulk=bulk: perft(chess.Board(), 3, bulk))
        for name, bulk in (("made", 0), ("bulk", 1))
    }


def catan_context() -> dict[str, float]:
    """Gets the random games for four that catanatron plays per second."""
    from catanatron import Color, Game, RandomPlayer

    def play() -> int:
        for seed in range(5):
            Game([RandomPlayer(color) for color in Color], seed=seed).play()
        return 5

    return {"random_games_per_s": best_rate(play)}


# Everything


def attempt(name: str, measure: Callable[[], Any]) -> Any:
    """Measures something, or says why not."""
    try:
        return measure()
    except ImportError as problem:
        print(f"{name} is left out: {problem}")
        return None


def versions() -> dict[str, str]:
    """Gets the versions of what is compared."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


def write_table(results: dict[str, Any]) -> None:
    """Prints the figures for people to read."""
    rates = results["simulations_per_s"] or {}
    if rates:
        print(f"\n{'simulations per second':34}" + "".join(f"{layout:>12}" for layout in rates))
        for name in next(iter(rates.values())):
            print(f"{name:34}" + "".join(f"{rates[layout][name]:>12,.0f}" for layout in rates))
    if played := results["match"]:
        low, high = 100 * played["win_rate_low"], 100 * played["win_rate_high"]
        print(f"\nmatch on {played['layout']}: n = {played['games']}, we win {100 * played['win_rate']:.1f} %")
        print(f"  (95 % by Wilson: {low:.1f} to {high:.1f} %), mean lead {played['lead']:+.1f} points")
        for name, seconds in played["seconds_a_decision"].items():
            print(f"  {name} thinks {seconds:.2f} s a decision")
    print("\nfor comparison, other games on one thread")
    for name, figures in results["context"].items():
        for what, value in (figures or {}).items():
            print(f"{name:16}{what:28}{value:>16,.0f}")


def main() -> None:
    """Measures, prints and stores everything."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=40, help="games of the match, 0 for none")
    options.add_argument("--seconds", type=float, default=0.5, help="time for each decision in the match")
    options.add_argument("--layout", default="romana2", help="where the match is played")
    chosen = options.parse_args()
    results: dict[str, Any] = {
        "machine": {"python": platform.python_version(), "cpus": os.cpu_count(), **versions()},
        "simulations_per_s": attempt("OpenSpiel", search_rates),
        "context": {
            **our_context(),
            "python-chess": attempt("python-chess", chess_context),
            "catanatron": attempt("catanatron", catan_context),
        },
        "match": None,
    }
    if chosen.games:
        results["match"] = attempt("the match", lambda: play_match(chosen.layout, chosen.games, chosen.seconds))
    write_atomically(HERE / "peers.json", json.dumps(results, indent=2) + "\n")
    write_table(results)


if __name__ == "__main__":
    main()
