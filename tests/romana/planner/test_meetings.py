"""The planner's bound of aqueducts that share squares: nothing is missed, and little is promised that cannot be had."""

from __future__ import annotations

from typing import Any

from test_search import study

from aquakit.jit import load
from aquakit.romana import kernel
from aquakit.romana.kernel import EMPTY
from aquakit.romana.planner.searcher import Searcher, bind_bound, bind_hope
from aquakit.romana.planner.task import Task

TILES = 3


class Ground:
    """A study position as the bound sees it, and all boards that tiles before own ends can make of it."""

    def __init__(self, seed: int) -> None:
        """Draws a position."""
        self.position = study(seed)
        searcher = Searcher(Task(self.position, TILES))
        lane = searcher._lanes[0]
        searcher._prepare(lane, self.position, TILES, -1, 1 << 30, None)
        self.tables, self.ground, self.me = searcher._tables[0], lane.grounds[0], self.position.state.player
        self.boards = kernel.State.records(self.position.layout.capacity, TILES + 1)
        self.boards[0] = lane.states[0]
        self.bound, self.spreads, self.courses, *_ = bind_bound()
        self.seen = set[bytes]()

    def worth(self, depth: int) -> int:
        """Gets the most points that can be had by further tiles; closed aqueducts are left aside."""
        board = self.boards[depth]
        if board["tile"].tobytes() in self.seen:
            return 0
        self.seen.add(board["tile"].tobytes())
        most = int(self.bound.hand_out(self.tables, board, self.ground, self.me, 0))
        if depth == TILES:
            return most
        rules = load(kernel, fast=True)
        for a in (a for a in range(24) if (int(board["open"]) & int(self.tables["mine"][self.me])) >> a & 1):
            q = int(board["face"][a])
            if q < 0 or board["tile"][q] != EMPTY:
                continue
            codes = rules.fitting(self.tables, board, q, rules.ends_at(self.tables, board, q))
            codes &= int(self.tables["with_port"][board["entry"][a]])
            for code in (code for code in range(16) if (codes >> code) & 1):
                self.boards[depth + 1] = board
                bind_hope().lay_freely(self.tables, self.boards[depth + 1], q, code)
                most = max(most, self.worth(depth + 1))
        return most

    def allows_more(self, points: int) -> bool:
        """Asks the bound whether more points could be had."""
        self.spreads.spread(self.tables, self.boards[0], self.ground, self.me, TILES)
        self.courses.allow_all_kinds(self.ground)
        limit = self.bound.board_limit(self.tables, self.boards[0], self.ground, self.me, TILES, 0, 0, points)
        return bool(limit > points)


def test_what_tiles_alone_can_do_is_never_given_up_and_seldom_exceeded() -> None:
    exact = 0
    for seed in range(700, 724):
        ground = Ground(seed)
        most = ground.worth(0)
        assert most == 0 or ground.allows_more(most - 1), ground.position
        exact += not ground.allows_more(most)
    assert exact >= 20


def kinds(**credit: int) -> int:
    """Packs extra tiles at hand as the search does."""
    return sum(number << (8 * "csbd".index(kind)) for kind, number in credit.items())


def allowed(turns: int, credit: int, laid: int, plain: int, bridges: int = 0, twists: int = 0) -> bool:
    """Asks whether so many tiles can be laid, some without curves, some passed twice."""
    ground = Ground(700)
    ground.courses.allow_kinds(ground.ground, turns, credit, 0)
    meetings: Any = bind_bound()[-1]
    return bool(meetings.are_at_hand(ground.ground, laid, plain, bridges, twists))


def test_extra_tiles_are_of_the_kinds_that_were_laid_before() -> None:
    assert allowed(0, kinds(c=2), laid=2, plain=0)
    assert not allowed(0, kinds(c=2), laid=2, plain=1)
    assert allowed(0, kinds(c=1, b=1), laid=2, plain=1)
    assert allowed(1, kinds(c=2), laid=3, plain=1)  # the own tile is of any kind
    assert not allowed(1, kinds(c=2), laid=3, plain=2)


def test_a_square_passed_twice_needs_a_bridge_or_a_double_curve() -> None:
    assert not allowed(0, kinds(c=1, s=1), laid=2, plain=1, bridges=1)
    assert allowed(0, kinds(c=1, b=1), laid=2, plain=1, bridges=1)
    assert not allowed(0, kinds(s=1, b=1), laid=2, plain=2, bridges=2)
    assert not allowed(0, kinds(c=1, d=1), laid=2, plain=0, twists=2)
    assert allowed(1, kinds(c=1, d=1), laid=3, plain=0, twists=2)


def test_with_no_turn_left_a_course_bends_only_as_the_tiles_at_hand_do() -> None:
    ground = Ground(700)
    ground.courses.allow_kinds(ground.ground, 0, kinds(c=2, s=1), 0)
    assert list(ground.ground["bends"][:3]) == [2, 2, -1]
