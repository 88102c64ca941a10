"""The lemmas of docs/planner-proof.md: each is set against everything that tiles or turns can do on a small board.

What stands here is exhaustive up to the number of tiles for which a bound is used, six for courses.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import exhaustive
import numpy as np
import pytest
from search_cases import study

from aquakit.compiled.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY
from aquakit.romana.planner.exact.bound import courses, crossings, reachable, upper_bound
from aquakit.romana.planner.exact.bound.reachable import COURSES
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan_question import PlanQuestion

SMALL = 16
"""Empty squares, at most, of a board on which all ways to lay six tiles are tried."""
BUDGET = 3_000_000
TWO_PATHS = (1, 3, 4, 7, 7, 8, 8, 9, 9)
"""Tile codes, those with two paths more often."""


class Board:
    """A board with few empty squares, and what tiles alone can make of it."""

    def __init__(self, seed: int) -> None:
        """Throws tiles on squares that no end faces yet, until few are empty."""
        draw, self.position = random.Random(seed), study(seed)
        t, s = self.position.layout.tables, self.position.state.copy()
        while len(empty := [q for q in range(t.squares) if s.tile[q] == EMPTY]) > SMALL:
            loose = [q for q in empty if q not in s.face[: t.aqueducts]]
            if not loose:
                break
            kernel.lay(t, s, draw.choice(loose), draw.choice(TWO_PATHS))
        self.state, self.me, self.squares = s, self.position.state.player, t.squares
        searcher = Searcher(PlanQuestion(self.position, COURSES))
        self.lane, self.tables = searcher._lanes[0], searcher._tables
        self.made = exhaustive.Made.records(self.position.layout.capacity, COURSES + 1)
        self.is_tried = self._try_all()

    def _try_all(self) -> bool:
        self.state.store(self.lane.states)
        words = self.lane.states.view(np.uint64).reshape(len(self.lane.states), -1)
        met = np.zeros(1 << 20, np.uint64)
        lay_all = load(exhaustive, fast=True).lay_all
        return bool(
            lay_all(self.tables, self.lane.states, self.lane.works, words, met, self.made, self.me, COURSES, BUDGET)
        )

    def spread(self, tiles: int) -> tuple[Any, Any, Any]:
        """Works out the ground that the bound looks at; gets tables, state and ground."""
        self.state.store(self.lane.states)
        t, s, ground = self.tables[0], self.lane.states[0], self.lane.grounds[0]
        load(reachable, fast=True).spread(t, s, ground, self.me, tiles)
        load(reachable, fast=True).count_links(ground)
        return t, s, ground

    def most(self, what: str, tiles: int) -> Any:
        """Gets the most that up to some tiles have made."""
        return self.made[what][: tiles + 1].max(axis=0)


@cache
def board(seed: int) -> Board:
    return Board(seed)


@cache
def boards() -> tuple[Board, ...]:
    """Gets boards on which everything could be tried."""
    found = [board(seed) for seed in range(600, 720)]
    return tuple(each for each in found if each.is_tried)


def each_number_of_tiles() -> Any:
    return pytest.mark.parametrize("tiles", range(1, COURSES + 1))


def test_there_are_boards_enough() -> None:
    assert len(boards()) >= 60
    assert sum(b.most("twice", COURSES) > 1 for b in boards()) >= 10
    assert sum(b.most("growth", COURSES) > COURSES for b in boards()) >= 30


@each_number_of_tiles()
def test_lemma_1_no_square_is_faced_earlier_than_its_level(tiles: int) -> None:
    exact = 0
    for b in boards():
        _, _, ground = b.spread(tiles)
        for q in np.flatnonzero(b.most("faced", tiles)):
            assert ground["level"][q] <= tiles
            exact += ground["level"][q] == tiles
    assert exact > 0


@each_number_of_tiles()
def test_lemma_2_no_aqueduct_grows_more_than_the_best_walk(tiles: int) -> None:
    run = load(upper_bound, fast=True)
    for b in boards():
        t, s, ground = b.spread(tiles)
        run.grow_walks(t, ground, 2 * tiles)
        for a in own_that_can_grow(b, s):
            run.find_walks(t, ground, into(s, a), 2 * tiles)
            # Each tile is passed twice at most.
            assert b.most("own", tiles)[a] <= ground["own"][2 * tiles]


@each_number_of_tiles()
def test_lemma_3_no_aqueduct_grows_more_than_its_best_course(tiles: int) -> None:
    exact = several = 0
    for b in boards():
        _, s, ground = b.spread(tiles)
        for a in own_that_can_grow(b, s):
            load(courses, fast=True).find_courses(ground, into(s, a), tiles)
            made = int(b.most("own", tiles)[a])
            assert made <= ground["own"][tiles]
            exact += made == ground["own"][tiles]
            several += 1
    assert exact > 0.9 * several


@each_number_of_tiles()
def test_lemma_4_no_more_squares_are_passed_twice_than_crossings_counts(tiles: int) -> None:
    exact = 0
    for b in boards():
        t, s, ground = b.spread(tiles)
        most = load(crossings, fast=True).count_crossings(t, s, ground, b.me, tiles)
        assert b.most("twice", tiles) <= most
        exact += 0 < b.most("twice", tiles) == most
    assert exact > 0 or tiles not in (2, 3)


@each_number_of_tiles()
def test_lemma_5_the_points_of_all_are_within_what_is_shared_out(tiles: int) -> None:
    run, exact = load(upper_bound, fast=True), 0
    for b in boards():
        t, s, ground = b.spread(tiles)
        steps = tiles + load(crossings, fast=True).count_crossings(t, s, ground, b.me, tiles)
        run.find_highest_podiums(t, s, ground)
        run.grow_walks(t, ground, steps)
        for few in (0, tiles):
            points = reachable_points(b, s) + run.share_out(t, s, ground, b.me, steps, few)
            assert b.most("points", tiles) <= points
        exact += b.most("points", tiles) == points
    assert exact > 0


@each_number_of_tiles()
def test_no_board_is_worth_more_than_its_bound(tiles: int) -> None:
    run, spare = load(upper_bound, fast=True), 0
    for b in boards():
        t, s, ground = b.spread(tiles)
        limit = reachable_points(b, s) + run.board_bound(t, s, ground, b.me, tiles, 0)
        assert b.most("points", tiles) <= limit
        spare += limit - b.most("points", tiles)
    assert spare <= 4 * len(boards())


def own_that_can_grow(b: Board, s: Any) -> list[int]:
    t = b.position.layout.tables
    own = [a for a in range(t.aqueducts) if t.owner[a] == b.me and (int(s["open"]) >> a) & 1]
    return [a for a in own if s["face"][a] >= 0 and s["tile"][s["face"][a]] == EMPTY]


def into(s: Any, a: int) -> int:
    """Gets the port by which an aqueduct would enter the next square."""
    return 4 * int(s["face"][a]) + int(s["entry"][a])


def reachable_points(b: Board, s: Any) -> int:
    return int(load(reachable, fast=True).points_of(b.tables[0], s, b.me))
