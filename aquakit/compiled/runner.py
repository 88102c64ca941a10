"""Runs a game's kernel from a given state, compiled or plain: the bridge from positions to arrays of records."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from aquakit.compiled import drive
from aquakit.compiled.ahead import compiling
from aquakit.compiled.jit import bind, have_numba
from aquakit.compiled.structs import Shelf, Struct
from aquakit.errors import missing

PATIENCE = 15.0
"""Seconds of plain Python; what would take longer needs Numba."""
STEPS, GAMES = 1 << 18, 1000
"""The most steps of a count, and games, in one call of compiled code: a fraction of a second, since interrupts wait."""

_warm: set[tuple[str, int]] = set()


@dataclass(frozen=True)
class Playouts:
    """What a number of random playouts came to.

    >>> import aquakit
    >>> aquakit.start("romana2-5x4").playouts(100).games
    100
    """

    games: int
    actions: int
    points: tuple[int, ...]
    """Each player's points, added up over all games."""


class Runner:
    """A kernel with one layout's tables, at one speed. Each thread takes its own."""

    def __init__(self, kernel: ModuleType, layout: Any, state: Struct, *, fast: bool | None = None) -> None:
        """Prepares a kernel for a layout, and compiles it with the help of some state if that was not done before.

        Without `fast` the compiled twin is used where Numba is installed.
        """
        self.fast = have_numba() if fast is None else fast
        self._kernel, self._layout = kernel, layout
        self._drive = bind(drive, kernel, fast=self.fast)
        self._tables: Any = [layout.tables]
        self._states: Any = []
        self._works: Any = []
        if self.fast:
            self._tables = kernel.Tables.records(layout.capacity, 1)
            layout.tables.store(self._tables)
            self._reserve(state, 2)
            self._warm_up()

    def _reserve(self, state: Struct, count: int) -> None:
        """Makes room for as many states and workspaces and puts the state in the first place."""
        if len(self._states) < count:
            if self.fast:
                self._states = self._kernel.State.records(self._layout.capacity, count)
                self._works = self._kernel.Work.records(self._layout.capacity, count)
            else:
                self._states = Shelf([state] * count)
                self._works = [self._kernel.Work.new(self._layout.sizes) for _ in range(count)]
        if self.fast:
            state.store(self._states)
        else:
            self._states[0] = state

    def _warm_up(self) -> None:
        """Calls every entry point once with nothing to do, so that all compiling happens here, with a notice."""
        key = self._drive.__name__, self._states.dtype.itemsize
        if key not in _warm:
            d = self._drive
            with compiling(self._kernel.__name__, d.playouts, d.perft, d.legal, d.act):
                self._drive.playouts(self._tables, self._states, self._works, 0)
                self._drive.perft(self._tables, self._states, self._works, 0, 1, -1, 0)
                self._drive.legal(self._tables, self._states, self._works)
                self._drive.act(self._tables, self._states, -1)
            _warm.add(key)

    def legal(self, state: Struct) -> list[int]:
        """Lists the legal actions."""
        self._reserve(state, 1)
        n = self._drive.legal(self._tables, self._states, self._works)
        return self._read("actions", n)

    def act(self, state: Struct, action: int) -> None:
        """Carries out a legal action on a state."""
        self._reserve(state, 1)
        self._drive.act(self._tables, self._states, action)
        if self.fast:
            state.load(self._states)
        else:
            state.__dict__.update(self._states[0].__dict__)

    def perft(self, state: Struct, depth: int, *, bulk: bool = True) -> int:
        """Counts the action sequences of a length; without `bulk` the last action of each is made too."""
        self._reserve(state, depth + 1)
        found, ply = 0, -1
        while True:
            some, ply = self._drive.perft(self._tables, self._states, self._works, depth, int(bulk), ply, STEPS)
            found += int(some)
            if ply < 0:
                return found

    def playouts(self, state: Struct, count: int, seed: int = 0) -> Playouts:
        """Plays uniformly random games to the end."""
        self._reserve(state, 2)
        draw = random.Random(seed)
        words = draw.getrandbits(32), draw.getrandbits(32) | 1
        if self.fast:
            self._works["random0"][0], self._works["random1"][0] = words
        else:
            self._works[0].random0, self._works[0].random1 = words
        actions, points = 0, [0] * self._layout.tables.players
        for begun in range(0, count, GAMES):
            games = min(GAMES, count - begun)
            actions += int(self._drive.playouts(self._tables, self._states, self._works, games))
            points = [sum(both) for both in zip(points, self._read("sums", len(points)), strict=True)]
        return Playouts(count, actions, tuple(points))

    def count(self, state: Struct, depth: int) -> int:
        """Counts as `perft` does; what would take plain Python too long is an error, told before long."""
        if self.fast:
            return self.perft(state, depth)
        found, before = 1, 1
        for length in range(1, depth + 1):
            begun = time.perf_counter()
            found, before = self.perft(state, length), found
            # Those one longer take so many times longer as these were more than those one shorter.
            rest = (time.perf_counter() - begun) * found / max(1, before)
            if length < depth and rest > PATIENCE:
                raise missing("numba", f"counting sequences of {length + 1} actions and more from here")
        return found

    def play_out(self, state: Struct, games: int, seed: int = 0) -> Playouts:
        """Plays as `playouts` does; what would take plain Python too long is an error, told before long."""
        if not self.fast:
            begun = time.perf_counter()
            self.playouts(state, 1, seed)
            if (time.perf_counter() - begun) * games > PATIENCE:
                raise missing("numba", f"{games:,} playouts")
        return self.playouts(state, games, seed)

    def _read(self, field: str, count: int) -> list[int]:
        """Reads from the first workspace."""
        values = self._works[field][0] if self.fast else getattr(self._works[0], field)
        return [int(value) for value in values[:count]]
