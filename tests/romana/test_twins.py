"""The plain and the compiled kernel are one: equal states after every action, equal games from equal seeds."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import LAYOUTS, any_position, starts

from aquakit.romana import Layout, Position, kernel
from aquakit.romana.kernel import Work

pytest.importorskip("numba")


@settings(max_examples=60)
@given(starts(), st.integers(0, 2**32))
def test_equal_states_along_whole_games(start: Position, seed: int) -> None:
    draw = random.Random(seed)
    plain, fast = start.runner(fast=False), start.runner(fast=True)
    state = start.state
    for _ in range(200):
        actions = plain.legal(state)
        assert fast.legal(state) == actions
        if not actions:
            break
        action = draw.choice(actions)
        twin = state.copy()
        plain.act(state, action)
        fast.act(twin, action)
        assert twin.__dict__ == state.__dict__


@settings(max_examples=60)
@given(any_position(), st.integers(0, 2**32))
def test_equal_playouts_from_equal_seeds(p: Position, seed: int) -> None:
    if p.is_solo:
        return  # a study goes on for ever
    state = p.state
    assert p.runner(fast=True).playouts(state, 3, seed) == p.runner(fast=False).playouts(state, 3, seed)


@settings(max_examples=30)
@given(any_position())
def test_equal_counts_made_or_not(p: Position) -> None:
    state = p.state
    counts = {
        runner.perft(state, 2, bulk=bulk) for runner in (p.runner(fast=True), p.runner(fast=False)) for bulk in (0, 1)
    }
    assert counts == {p.perft(2)}
    assert p.perft(1) == len(p.actions())


def test_playouts_are_uniform_over_actions() -> None:
    """Each first action of a crowded decision is drawn about equally often: the extra tile is drawn without a list."""
    p = extra_tile_moment()
    legal = p.runner(fast=False).legal(p.state)
    assert p.phase == "extra"
    seen = dict.fromkeys(legal, 0)
    work, draw = Work.new(p.layout.sizes), random.Random(5)
    rounds = 300 * len(legal)
    for _ in range(rounds):
        seen[kernel.draw_action(p.layout.tables, p.state, work, draw.getrandbits(32))] += 1
    assert set(seen) == set(legal)
    # Five standard deviations of a binomial count.
    assert all(abs(count - 300) < 5 * 300**0.5 for count in seen.values())


def extra_tile_moment() -> Position:
    p = Position.start("romana2-5x4")
    while p.phase != "extra":
        wanted = [action for action in p.actions() if p.phase == "build" and p.act(action).phase == "extra"]
        p = p.act((wanted or p.actions())[0])
    return p


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_random_game_ends_within_bounds(layout: str) -> None:
    p = Position.start(layout)
    tiles = sum(p.stock.values())
    played = p.playouts(2000, seed=1)
    players = len(p.layout.players)
    # A turn has at most one action beside placements and picks for each of: tile, extra tile, closing.
    assert 0 < played.actions / played.games < 3 * (tiles + players) * players


BIG = """
name = "big"
title = "A large board"
columns = 20
rows = 14
players = ["R", "G"]
reserve = "csbdj"
podiums = [1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
[stock]
c = 70
s = 70
b = 70
d = 70
[builders]
c = 6
s = 6
b = 6
d = 6
j = 1
[[reservoirs]]
colour = "R"
squares = ["e14", "f14"]
outlets = ["e14W", "e14S", "f14S", "f14E"]
[[reservoirs]]
colour = "G"
squares = ["o1", "p1"]
outlets = ["p1E", "p1N", "o1N", "o1W"]
"""


def test_large_boards_work_at_both_speeds() -> None:
    p = Position.start(Layout.loads(BIG))
    assert "e14" in p.layout.square_names
    plain, fast = p.runner(fast=False), p.runner(fast=True)
    assert plain.playouts(p.state, 5, 3) == fast.playouts(p.state, 5, 3)
    assert plain.perft(p.state, 3) == fast.perft(p.state, 3)


def test_without_numba_everything_still_works() -> None:
    code = """
import sys
sys.modules["numba"] = None
from aquakit.romana import Position
p = Position.start("romana4")
print(p.perft(3), p.playouts(2).games)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["4261", "2"]
