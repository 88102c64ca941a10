"""Plans of canals equal exhaustive search, obey the rules and say how sure they are."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest
from random_games import play_on

from aquakit import romana
from aquakit.aquadukt import Layout, Position, kernel
from aquakit.aquadukt.kernel import DIG, OVER, SPRING, TURN, State, Work
from aquakit.aquadukt.planner.canals import program as canals_program
from aquakit.aquadukt.planner.canals.plan import plan_canals
from aquakit.aquadukt.planner.canals.prices import Prices
from aquakit.aquadukt.planner.canals.result import CanalLayout, CanalPlan
from aquakit.aquadukt.planner.canals.search import CanalSearch
from aquakit.errors import InvalidOption, InvalidPosition, ProofFailure

# Every layout there is


Laid = tuple[frozenset[str], frozenset[tuple[str, int]]]
"""New springs, and how many canals are new on each segment."""


class Everything:
    """All layouts of up to some canals and springs, by the kernel's own actions."""

    def __init__(self, position: Position, canals: int, springs: int) -> None:
        self.position, self.tables = position, position.layout.tables
        self.work = Work.new(position.layout.sizes)
        self.start = position.state
        self.points: dict[Laid, tuple[int, ...]] = {}
        """What each layout makes of the players' points."""
        level = {(): self.start.copy()}
        for more in range(springs + 1):
            self._spread(level, canals)
            level = self._follow(level, SPRING) if more < springs else {}

    def _spread(self, level: dict, canals: int) -> None:
        """Lays up to so many canals from each state."""
        for more in range(canals + 1):
            for s in level.values():
                kernel.count_points(self.tables, s, self.work)
                self.points[self._laid(s)] = tuple(self.work.total[: self.tables.players])
            level = self._follow(level, DIG) if more < canals else {}

    def _follow(self, level: dict, what: int) -> dict:
        """Carries out every action of a kind in every state; equal boards are one."""
        found = {}
        for s in level.values():
            s.phase = TURN
            count = kernel.generate(self.tables, s, self.work)
            for code in [code for code in self.work.actions[:count] if code & 7 == what]:
                after = s.copy()
                kernel.apply(self.tables, after, code)
                after.player, after.idle = s.player, 0
                found[tuple(after.canal), frozenset(after.spring[: after.springs])] = after
        return found

    def _laid(self, s: State) -> Laid:
        layout, before = self.position.layout, self.start
        springs = frozenset(layout.point_names[p] for p in s.spring[before.springs : s.springs])
        more = {e: s.canal[e] - before.canal[e] for e in range(len(s.canal))}
        return springs, frozenset((layout.segment_names[e], n) for e, n in more.items() if n)

    def best(self, player: int, canals: int, springs: int, *, against: bool) -> tuple[int, set[Laid], set[Laid]]:
        """Gets the best value, the layouts that reach it, and of those the ones with the fewest pieces."""
        values = {}
        for laid, totals in self.points.items():
            if size(laid)[0] <= canals and len(laid[0]) <= springs:
                mine = totals[player - 1]
                values[laid] = mine - (sum(totals) - mine if against else 0)
        best = max(values.values())
        reach = {laid for laid, value in values.items() if value == best}
        least = min(map(size, reach))
        return best, reach, {laid for laid in reach if size(laid) == least}


def size(laid: Laid) -> tuple[int, int]:
    """Counts canals and springs."""
    return sum(n for _, n in laid[1]), len(laid[0])


def as_laid(layout: CanalLayout) -> Laid:
    """Gets what a layout puts on the board."""
    springs = frozenset(token.removeprefix("spring ") for token in layout.springs)
    return springs, frozenset(Counter(token.removeprefix("canal ") for token in layout.canals).items())


def random_position(seed: int, layout: str | Layout, *, events: bool = False, most_springs: int = 5) -> Position:
    """Plays at random until there is something to lay; the more seeds, the later in the game."""
    draw = random.Random(seed)
    while True:
        start = Position.start(layout, seed=draw.randrange(1000), events=events)
        p = play_on(start, draw, draw.randrange(20, 90))
        if not p.is_over and p.canals_left > 0 and 1 <= len(p.springs) <= most_springs and len(p.tiles) > 3:
            return p


SMALL = "aquadukt2-6x5"
BOARDS = [
    *((seed, SMALL, False, 2) for seed in range(26)),
    *((seed, SMALL, True, 2) for seed in range(26, 44)),
    *((seed, "aquadukt2", False, 1) for seed in range(44, 47)),
    *((seed, "aquadukt2", True, 1) for seed in range(47, 50)),
    *((seed, "aquadukt3", False, 1) for seed in range(50, 52)),
    *((seed, "aquadukt4", True, 1) for seed in range(52, 54)),
]


@pytest.mark.parametrize(("seed", "layout", "events", "most_springs"), BOARDS)
def test_a_plan_equals_exhaustive_search(seed: int, layout: str, events: bool, most_springs: int) -> None:
    p = random_position(seed, layout, events=events, most_springs=most_springs)
    everything = Everything(p, 4, 0)
    for canals in range(1, 5):
        player, against = 1 + (seed + canals) % p.layout.players, canals % 2 == seed % 2
        plan = plan_canals(p, canals=canals, player=player, against=against)
        best, reach, leanest = everything.best(player, canals, 0, against=against)
        assert (plan.value, plan.bound, plan.proved) == (best, best, True)
        found = plan.alternatives(limit=5000)
        assert found.complete
        assert len(found) == len(set(map(as_laid, found)))
        assert set(map(as_laid, found)) == leanest
        assert as_laid(plan.layout) in leanest
        if canals == 2:
            spare = plan.alternatives(limit=5000, spare=True)
            assert spare.complete
            assert set(map(as_laid, spare)) == reach


TINY = (
    """
game = "aquadukt"
name = "tiny"
title = "Four by four"
players = 2
tiles = [3, 2, 2, 1]
mountains = 2
springs = 3
canals = 10
spring_distance = 3
mountain_distance = 2
map = """
    + '"""'
    + """
AABB
AABB
CCDD
CCDD
"""
    + '"""'
    + """

[events]
mineral = 1
foul = 1
"""
)
"""A layout on which new springs can be tried everywhere."""


@pytest.mark.parametrize("seed", range(100, 109))
def test_a_plan_with_new_springs_equals_exhaustive_search(seed: int) -> None:
    p = random_position(seed, Layout.loads(TINY), events=seed % 2 == 0, most_springs=1)
    most, springs = (2, 2) if seed % 3 == 1 else (4 if seed < 103 else 3, 1)
    everything = Everything(p, most, springs)
    for canals in range(1, most + 1):
        against = canals % 2 == seed % 2
        plan = plan_canals(p, canals=canals, player=1, springs=springs, against=against)
        best, reach, leanest = everything.best(1, canals, springs, against=against)
        assert (plan.value, plan.proved) == (best, True)
        assert set(map(as_laid, plan.alternatives(limit=5000))) == leanest
        if canals == 1:
            assert set(map(as_laid, plan.alternatives(limit=9000, spare=True))) == reach


def test_the_comparison_notices_a_missing_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    without = tuple(build for build in canals_program.BUILDERS if build is not canals_program.water_needs_canals)
    monkeypatch.setattr(canals_program, "BUILDERS", without)
    with pytest.raises(ProofFailure, match="cpsat counts 3 for no canal, but the rules count 0"):
        plan_canals(HOUSE, canals=1, player=2)


def test_a_layout_above_the_bound_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prices, "bound", 0)
    with pytest.raises(ProofFailure, match=r"a choice of ways is worth \d+ .*, but the bound proves"):
        plan_canals(HOUSE, canals=3, player=2)


# One position


SPRING_AT = Position.start(SMALL, mountains=["a5", "f4"]).play("spring 3.2")
HOUSE = SPRING_AT.play("roll, die 2, 3 c4, stop")
"""Player 2 has three houses on c4, two squares from the row line 2 on which a spring stands."""
FAR = SPRING_AT.play("roll, die 1, 3 b5, stop")
"""Player 2 has three houses on b5, far enough for a second spring at its corner [Q2]."""


def test_a_double_canal_reaches_the_second_square_q4() -> None:
    plan = plan_canals(HOUSE, canals=3, player=2)
    assert (plan.value, plan.gain, plan.bound, plan.proved) == (3, 3, 3, True)
    assert set(map(as_laid, plan.alternatives())) == {
        (frozenset(), frozenset({("2.2h", 2)})),  # c3 and c4 lie north of it
        (frozenset(), frozenset({("3.2v", 1), ("2.3h", 1)})),  # 2.3h runs between c3 and c4
        (frozenset(), frozenset({("3.2v", 1), ("3.3v", 1)})),  # 3.3v runs beside c4
    }
    assert plan.watered == {1: (), 2: ("c4",)}
    assert plan.after.scores() == (0, 3)
    assert Position.parse(str(plan.after)) == plan.after


def test_one_canal_is_not_enough() -> None:
    plan = plan_canals(HOUSE, canals=1, player=2)
    assert (plan.gain, plan.canals, plan.steps, plan.proved) == (0, (), (), True)
    assert [as_laid(layout) for layout in plan.alternatives()] == [(frozenset(), frozenset())]
    assert len(plan.alternatives(spare=True)) == 5  # nothing, or a canal in any direction


def test_water_for_others_is_avoided_or_all_the_same() -> None:
    p = HOUSE.play("roll, die 2, 1 c3, stop")  # player 1's house on c3 gets water before c4 does
    assert plan_canals(p, canals=2, player=2).value == 2
    assert plan_canals(p, canals=2, player=2, against=False).value == 3
    assert plan_canals(p, canals=2, player=1).value == 1


def test_a_new_spring_comes_nearer() -> None:
    assert plan_canals(FAR, canals=1, player=2).gain == 0
    plan = plan_canals(FAR, canals=1, player=2, springs=1)
    assert (plan.gain, len(plan.springs), len(plan.canals)) == (3, 1, 1)
    assert plan.after.springs[:1] == ("3.2",)


def test_the_player_to_move_is_meant() -> None:
    assert plan_canals(HOUSE, canals=2).player == HOUSE.mover == 1


def test_a_moment_inside_a_turn_will_do() -> None:
    moment = HOUSE.act("roll")
    assert plan_canals(moment, canals=2, player=2).value == 3
    assert plan_canals(moment, canals=2, player=2).after.phase == "turn"


def test_the_box_limits_the_plan() -> None:
    p = random_position(7, SMALL)
    plan = plan_canals(p, canals=999, player=1, springs=12, seconds=20)
    assert len(plan.canals) <= p.canals_left
    assert len(plan.springs) <= p.springs_left


def test_the_last_canal_does_not_end_the_game_too_early() -> None:
    fields = str(HOUSE).split(" ")
    fields[4], fields[5] = "3.2:ENNWWw", "1"
    p = Position.parse(" ".join(fields))
    plan = plan_canals(p, canals=3, player=2)
    assert plan.after.canals_left == 0 or plan.canals == ()
    assert Position.parse(str(plan.after)) == plan.after


def test_progress_ends_at_the_plan() -> None:
    heard = []
    plan = plan_canals(random_position(3, SMALL), canals=4, on_progress=heard.append)
    assert heard[-1].value == plan.value
    assert [h.bound for h in heard] == sorted((h.bound for h in heard), reverse=True)


def test_too_little_time_gives_a_plan_and_an_honest_bound() -> None:
    p = random_position(11, "aquadukt2", most_springs=5)
    plan, sure = plan_canals(p, canals=8, player=1, seconds=1e-6), plan_canals(p, canals=8, player=1)
    assert not plan.proved
    assert sure.proved
    assert plan.value <= sure.value <= plan.bound
    assert not plan.alternatives(limit=3).complete


MID_GAME = (
    "aquadukt2 _.A3..B3.A2A1B2B4_/.B3^.A2.B1.B3..B4/..^..^.B3.B1A2A3/..A3B1..B1A1...^/.A3.B2..B2....A2/"
    "B3...A4....A1^A1/.....^.^A2A1.A1/_....A2A3A3A3^._ 0.0.0.0,0.0.0.0 10.7,7.0,3.3,6.6,12.3 "
    "10.7:Nwsws;10.7:ESwse;7.0:n;7.0:w;3.3:n;3.3:s;6.6:w 18 1 0 -"
)


def test_eight_canals_in_mid_game_are_proved_in_time() -> None:
    plan = plan_canals(Position.parse(MID_GAME), canals=8, seconds=20)
    assert (plan.gain, plan.value, plan.bound, plan.proved) == (24, 17, 17, True)


def test_nothing_can_be_laid_without_a_spring() -> None:
    plan = plan_canals(Position.start(SMALL), canals=4)
    assert (plan.value, plan.canals, plan.proved) == (0, (), True)


def test_a_limit_is_said() -> None:
    plan = plan_canals(HOUSE, canals=3, player=2)
    one = plan.alternatives(limit=1)
    assert (len(one), one.complete) == (1, False)


# Showing


@pytest.fixture(scope="module")
def shown() -> CanalPlan:
    return plan_canals(FAR, canals=2, player=2, springs=1)


def test_a_plan_can_be_read(shown: CanalPlan) -> None:
    lines = str(shown).splitlines()
    assert lines[0] == "1 canal and 1 new spring for player 2 (B): lead over all others together +3 (+3), proved"
    assert lines[-1].endswith("waters B3 on b5")
    assert "not proved, at most +9" in str(replace(shown, proved=False, bound=9))


def test_a_plan_is_drawn_with_its_steps_numbered(shown: CanalPlan) -> None:
    drawn = shown.svg()
    ET.fromstring(drawn)
    for place, number in ((shown.springs[0][7:], "1"), (shown.canals[0][6:], "2")):
        assert f'data-highlight="{place}"' in drawn
        assert f">{number}</text>" in drawn
    assert shown.svg(theme="dark") != drawn
    assert "<svg" in shown._repr_html_()
    with pytest.raises(InvalidOption):
        shown.svg(layout="3.2h")
    with pytest.raises(InvalidOption, match="cannot be laid"):
        shown.svg(layout=CanalLayout((), ("canal 0.4v",)))


def test_both_canals_of_a_segment_are_numbered() -> None:
    plan = plan_canals(HOUSE, canals=2, player=2)
    double = next(layout for layout in plan.alternatives() if layout.canals == ("canal 2.2h", "canal 2.2h"))
    assert ">1+2</text>" in plan.svg(layout=double)


def test_a_plan_is_plain_data_too(shown: CanalPlan) -> None:
    told = json.loads(json.dumps(shown.json()))
    assert (told["value"], told["proved"], told["canals"]) == (3, True, list(shown.canals))
    frame = shown.frame()
    assert list(frame["way"]) == ["spring", "start"]
    assert list(frame["value"]) == [0, 3]


# What is refused


@pytest.mark.parametrize(
    ("where", "options"),
    [
        ("canals", {"canals": 0}),
        ("canals", {"canals": 1.5}),
        ("canals", {"canals": True}),
        ("springs", {"springs": -1}),
        ("player", {"player": 0}),
        ("player", {"player": 3}),
        ("against", {"against": "others"}),
        ("seconds", {"seconds": 0}),
        ("seconds", {"seconds": -1.0}),
        ("seconds", {"seconds": "long"}),
        ("seconds", {"seconds": float("nan")}),
        ("on_progress", {"on_progress": 3}),
    ],
)
def test_bad_options_are_refused(where: str, options: dict) -> None:
    with pytest.raises(InvalidOption) as problem:
        plan_canals(HOUSE, **{"canals": 1} | options)
    assert problem.value.where == where


def test_other_games_and_finished_ones_are_refused() -> None:
    with pytest.raises(InvalidPosition, match="of Aquädukt"):
        plan_canals(romana.Position.start("romana4"), canals=1)
    over = play_on(Position.start(SMALL, seed=1), random.Random(1), 10_000)
    assert over.state.phase == OVER
    with pytest.raises(InvalidPosition, match="over"):
        plan_canals(over, canals=1)


def test_an_illegal_plan_is_never_shown() -> None:
    search = CanalSearch(HOUSE, 2, 0, 2, against=True)
    for canals in (("canal 3.3v",), ("canal 3.2h",) * 3):
        with pytest.raises(RuntimeError, match="not legal"):
            search.replay(CanalLayout((), canals))
    with pytest.raises(RuntimeError, match="not legal"):
        search.replay(CanalLayout(("spring 3.3",), ()))
