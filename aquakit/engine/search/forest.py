"""Grows search trees of one position, one in each thread, and reads their common answer."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from typing import NamedTuple

from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import bind, need_numba
from aquakit.core.options import read_whole
from aquakit.core.position import AnyPosition
from aquakit.core.threads import Helper
from aquakit.engine.search import mcts
from aquakit.errors import InvalidOption, InvalidPosition

CHUNK = 400
"""Simulations between two looks at the clock."""
ROOM = 3_000_000
"""Nodes of all trees together; memory is used only as they fill."""
DEFAULTS = {"open_after": 8, "exploration": 0.6, "widen": 0.0, "margin": 0.3}


class Stats(NamedTuple):
    """What the visits of a node came to; sums."""

    visits: int
    lead: float
    square: float
    win: tuple[float, ...]
    points: tuple[float, ...]


class Branch:
    """The same position in all trees: a node of each that has it."""

    def __init__(self, places: list[tuple[Tree, int]], code: int = -1) -> None:
        self.places, self.code = places, code

    @property
    def visits(self) -> int:
        """How often it was visited, in all trees."""
        return sum(int(tree.nodes["visits"][i]) for tree, i in self.places)

    def stats(self, players: int) -> Stats:
        """Adds up what its visits came to."""
        nodes = [tree.nodes[i] for tree, i in self.places]
        win, points = (
            tuple(sum(float(node[field][p]) for node in nodes) for p in range(players)) for field in ("win", "points")
        )
        lead, square = (sum(float(node[field]) for node in nodes) for field in ("lead", "square"))
        return Stats(sum(int(node["visits"]) for node in nodes), lead, square, win, points)

    def children(self) -> list[Branch]:
        """Lists the branches after it, the most visited first."""
        found: dict[int, list[tuple[Tree, int]]] = {}
        for tree, i in self.places:
            first, count = int(tree.nodes["first"][i]), int(tree.nodes["count"][i])
            for child, code in enumerate(tree.nodes["action"][first : first + count].tolist(), start=first):
                found.setdefault(code, []).append((tree, child))
        return sorted((Branch(places, code) for code, places in found.items()), key=lambda branch: -branch.visits)


class Tree:
    """One thread's tree of a position."""

    def __init__(self, position: AnyPosition, room: int, seed: int, settings: dict[str, float]) -> None:
        """Plants a tree."""
        kernel, layout = position.kernel, position.layout
        need_numba("the tree search: analyses, reviews and mcts bots")
        self._search = bind(mcts, kernel, position.room("policy"), fast=True)
        self._tables = kernel.Tables.records(layout.capacity, 1)
        layout.tables.store(self._tables)
        self._states = kernel.State.records(layout.capacity, 2)
        self._works = kernel.Work.records(layout.capacity, 1)
        self.nodes = mcts.TreeNode.records({}, room)
        self._settings = mcts.Settings.records({}, 1)
        draw = random.Random(seed)
        self._works["random0"], self._works["random1"] = draw.getrandbits(32), draw.getrandbits(32) | 1
        for name, value in settings.items():
            self._settings[name] = value
        self._settings["players"] = layout.tables.players
        self.plant(position)
        with compiling(f"the search for {kernel.__name__}"):
            self.grow(0)

    def plant(self, position: AnyPosition, player: int | None = None) -> None:
        """Begins anew from a position on the same layout; the lead is that of a player, else of who decides there."""
        position.state.store(self._states)
        self.nodes[:1] = 0
        self._settings["used"] = 1
        self._settings["me"] = (player or position.player or 1) - 1

    def grow(self, simulations: int) -> None:
        """Runs simulations."""
        self._search.grow(self._tables, self._states, self._works, self.nodes, self._settings, simulations)


class Forest:
    """The trees of a position, one for each thread."""

    def __init__(
        self, position: AnyPosition, *, threads: int | None = None, seed: int = 0, wise: bool = True, **settings: float
    ) -> None:
        """Plants the trees; the compiled search is loaded when first needed."""
        if position.is_over:
            raise InvalidPosition("position", "the game is over", "a position with a decision")
        self.threads = read_whole("threads", threads or os.cpu_count() or 1, least=1, most=256)
        draw = random.Random(read_whole("seed", seed, most=2**64))
        scale = {"scale": position.room("policy").LARGE_LEAD, "wise": int(wise)}
        room = ROOM // self.threads
        chosen = {**DEFAULTS, **position.room("policy").SETTINGS, **scale, **settings}
        self.trees = [Tree(position, room, draw.getrandbits(64), chosen) for _ in range(self.threads)]
        self.players = position.layout.tables.players
        self.simulations = 0
        self._wanted = True

    def plant(self, position: AnyPosition, player: int | None = None) -> None:
        """Begins anew from another position on the same layout; the lead is a player's, else that of who decides."""
        for tree in self.trees:
            tree.plant(position, player)
        self.simulations = 0

    def root(self) -> Branch:
        """Gets the position itself in all trees."""
        return Branch([(tree, 0) for tree in self.trees])

    def stop(self) -> None:
        """Makes `grow` return soon."""
        self._wanted = False

    def grow(self, *, simulations: int | None = None, seconds: float | None = None) -> int:
        """Runs a number of simulations in all threads, or as many as some seconds allow; gets how many were run.

        With one thread and a number of simulations the outcome depends on the seed alone. However short the time, some
        simulations are run, so that there is an answer.
        """
        if (simulations is None) == (seconds is None):
            raise InvalidOption("simulations", "or seconds must be given", "one of them")
        self._wanted = True
        end = time.perf_counter() + seconds if seconds is not None else None
        shares = [0] * self.threads
        quotas = _share(simulations, self.threads) if simulations is not None else [None] * self.threads

        def work(number: int) -> None:
            for size in _chunks(quotas[number]):
                late = end is not None and time.perf_counter() >= end
                if not self._wanted or (late and (number or shares[0])):
                    return
                self.trees[number].grow(size)
                shares[number] += size

        helpers: list[Helper] = []
        try:
            for number in range(1, self.threads):
                helpers.append(Helper("search", work, number))
                helpers[-1].start()
            work(0)
            _wait_for(helpers)
        except BaseException:  # a kernel's interrupt among them: no thread goes on unseen
            self._wanted = False
            _wait_for(helpers)
            raise
        finally:
            self.simulations += sum(shares)
        return sum(shares)


def _wait_for(helpers: list[Helper]) -> None:
    for helper in helpers:
        if helper.ident is not None:
            helper.join()


def _share(whole: int, parts: int) -> list[int | None]:
    return [whole // parts + (i < whole % parts) for i in range(parts)]


def _chunks(quota: int | None) -> Iterator[int]:
    """Gives the sizes of pieces of work until a quota is used up, or for ever."""
    while quota is None or quota > 0:
        size = CHUNK if quota is None else min(CHUNK, quota)
        yield size
        if quota is not None:
            quota -= size
