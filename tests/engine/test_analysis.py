"""Analysis ranks whole turns with honest numbers, can be followed, stopped and run on."""

from __future__ import annotations

import asyncio
import math
import random
import threading

import pytest
from random_games import play_on
from waiting import wait_for

import aquakit
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.engine.analysis import Analysis, analyse
from aquakit.engine.search.forest import Forest
from aquakit.engine.solve import solve
from aquakit.errors import InvalidOption, InvalidPosition

GAMES = pytest.mark.parametrize("text", [ROMANA, AQUADUKT], ids=["romana", "aquadukt"])


def quick(text: str, playouts: int = 3000, **options: object) -> Analysis:
    return analyse(aquakit.parse(text), playouts=playouts, threads=1, **options)


@GAMES
def test_same_seed_same_playouts_one_thread_same_result(text: str) -> None:
    first, again = quick(text, seed=7).json(), quick(text, seed=7).json()
    assert first["lines"] == again["lines"]
    assert first["lines"] != quick(text, seed=8).json()["lines"]


@GAMES
def test_going_on_is_the_same_as_running_longer(text: str) -> None:
    p = aquakit.parse(text)
    whole = analyse(p, playouts=3000, threads=1).json()
    parts = Analysis(p, threads=1).run(playouts=1000).run(playouts=2000).json()
    assert parts["lines"] == whole["lines"]


@GAMES
def test_lines_are_legal_whole_turns_in_order_of_visits(text: str) -> None:
    p = aquakit.parse(text)
    lines = quick(text, lines=8).lines
    assert [line.order for line in lines] == list(range(1, 9))
    assert [line.visits for line in lines] == sorted((line.visits for line in lines), reverse=True)
    assert len({line.turn for line in lines}) == len(lines)
    for line in lines:
        moment = p
        for action in p.turn_type.parse(line.turn):
            moment = moment.act(action)
        assert not moment.played or moment.is_chance
        for turn in line.pv:
            for action in p.turn_type.parse(turn):
                moment = moment.act(action)


@GAMES
def test_numbers_fit_together(text: str) -> None:
    p = aquakit.parse(text)
    for line in quick(text).lines:
        assert sum(line.win) == pytest.approx(1, abs=1e-4)
        assert len(line.win) == len(line.score) == len(p.scores())
        assert line.stderr >= 0
        # The lead is over the best other player of each game, so it is at most that over the mean scores.
        mine = line.score[p.player - 1]
        assert line.lead <= mine - max(s for i, s in enumerate(line.score) if i != p.player - 1) + 1e-3


def test_the_error_shrinks_as_playouts_grow() -> None:
    few, many = quick(ROMANA, playouts=2000).best, quick(ROMANA, playouts=20_000).best
    assert many.stderr < few.stderr / 2


@pytest.mark.parametrize("layout", ["romana2", "romana4", "romana2-5x4", "aquadukt2", "aquadukt4", "aquadukt2-6x5"])
@pytest.mark.parametrize("threads", [1, 2, 9])
def test_however_few_playouts_the_best_turn_is_a_whole_one(layout: str, threads: int) -> None:
    for seed in range(8):
        p = play_on(aquakit.start(layout), random.Random(seed), 5 * seed)
        if p.is_over or p.is_chance:
            continue
        for playouts in (1, 7, 60, 200):
            analysis = analyse(p, playouts=playouts, threads=threads)
            moment = p
            for action in p.turn_type.parse(analysis.best.turn):
                moment = moment.act(action)
            assert not moment.played or moment.is_chance
            assert 1 <= analysis.best.visits <= analysis.playouts == playouts
            assert analysis.best == analysis.lines[0]


def test_a_turn_whose_end_no_playout_reached_can_be_explained() -> None:
    analysis = analyse(aquakit.start("romana4"), playouts=3, threads=1)
    assert analysis.best.visits < 8, "so few that nothing was looked at beyond the first action"
    assert len(analysis.position.turn_type.parse(analysis.best.turn)) > 1
    assert analysis.explain().turn == analysis.best.turn


def test_however_short_the_time_there_is_a_best_turn() -> None:
    assert analyse(aquakit.start("aquadukt2"), seconds=1e-9).best.visits > 0


@pytest.mark.parametrize("seed", [1, 3, 6, 7, 9, 11])
def test_search_keeps_a_proved_win(seed: int) -> None:
    p = play_on(aquakit.start("romana2-5x4"), random.Random(seed), 10).rewind()
    assert solve(p).value > 0
    after = p.play(analyse(p, playouts=20_000, threads=1).best.turn)
    mine = p.player - 1
    if after.is_over:
        assert after.scores()[mine] == max(after.scores())
    else:
        assert solve(after).value * (1 if after.player == p.player else -1) > 0


def test_until_proved_marks_what_is_sure() -> None:
    p = play_on(aquakit.start("romana2-5x4"), random.Random(3), 8).rewind()
    analysis = analyse(p, until="proved", threads=1)
    best = solve(p)
    sure = [line for line in analysis.lines if line.proved]
    assert {line.turn for line in sure} == {str(turn) for turn in best.turns}
    assert {(line.lead, line.stderr) for line in sure} == {(best.value, 0)}
    assert analysis.lines[0].proved


def test_what_is_not_proved_says_so() -> None:
    analysis = analyse(aquakit.start("romana2"), until="proved", seconds=0.3, playouts=500, threads=1)
    assert analysis.solution is not None
    assert not analysis.solution.proved
    assert not any(line.proved for line in analysis.lines)


def test_it_streams_partial_results() -> None:
    seen = [analysis.playouts for analysis in Analysis(aquakit.parse(ROMANA)).stream(seconds=1)]
    assert len(seen) >= 3
    assert seen == sorted(set(seen))


def test_it_streams_beside_an_event_loop() -> None:
    async def follow() -> tuple[int, int]:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        partial = [a.playouts async for a in Analysis(aquakit.parse(ROMANA), threads=1).astream(seconds=0.8)]
        ticking.cancel()
        return len(partial), ticks

    partial, ticks = asyncio.run(follow())
    assert partial >= 2
    assert ticks > 10


def test_it_tells_a_callback() -> None:
    seen: list[int] = []
    analyse(aquakit.parse(ROMANA), playouts=8000, threads=1, on_update=lambda a: seen.append(a.playouts))
    assert seen[-1] == 8000
    assert len(seen) > 1


def test_it_runs_in_the_background_until_it_is_stopped() -> None:
    analysis = Analysis(aquakit.parse(ROMANA)).start()
    wait_for(lambda: analysis.playouts)
    analysis.stop()
    assert not analysis._thread.is_alive()
    found = analysis.playouts
    assert len(analysis.lines) == 5
    assert analysis.run(playouts=100).playouts == found + 100


def test_an_interrupt_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis, count = Analysis(aquakit.parse(ROMANA), threads=2), 0

    def interrupt(_: Analysis) -> None:
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis.run(seconds=60, on_update=interrupt)
    found = analysis.playouts
    assert found > 0
    assert not [t for t in threading.enumerate() if t.name.startswith("aquakit")]
    assert analysis.run(playouts=100).playouts == found + 100


def test_it_is_a_table_a_record_and_a_small_page() -> None:
    analysis = quick(AQUADUKT, lines=3)
    frame = analysis.frame()
    assert list(frame["order"]) == [1, 2, 3]
    assert {"turn", "visits", "lead", "stderr", "win_1", "win_3", "score_2", "pv", "proved"} <= set(frame.columns)
    record = analysis.json()
    assert {"turn", "order", "visits", "win", "lead", "stderr", "pv", "proved"} <= set(record["lines"][0])
    assert record["position"] == AQUADUKT
    page = analysis._repr_html_()
    assert page.count("<tr>") == 4
    assert "3,000 playouts" in page


def test_turns_are_shown_as_text() -> None:
    page = quick(ROMANA, lines=40)._repr_html_()
    assert page.count("<") == page.count(">")


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"seconds": 0}, "seconds"),
        ({"seconds": "5"}, "seconds"),
        ({"playouts": 0}, "playouts"),
        ({"playouts": 10, "seconds": 1}, "seconds"),
        ({"lines": 0}, "lines"),
        ({"until": "tea"}, "until"),
        ({"seed": -1}, "seed"),
        ({"threads": 0.5}, "threads"),
    ],
)
def test_bad_options_are_refused(options: dict[str, object], where: str) -> None:
    with pytest.raises(InvalidOption) as problem:
        analyse(aquakit.parse(ROMANA), **options)
    assert problem.value.where == where


@pytest.mark.parametrize("bad", [ROMANA, None])
def test_it_needs_a_position(bad: object) -> None:
    with pytest.raises(InvalidPosition):
        analyse(bad)


def test_somebody_must_be_to_decide() -> None:
    with pytest.raises(InvalidPosition):
        analyse(aquakit.parse(AQUADUKT).act("roll"))
    with pytest.raises(InvalidPosition):
        analyse(aquakit.parse(ROMANA).stopped(1))


@pytest.mark.parametrize("layout", ["romana2", "romana3", "romana4", "aquadukt2", "aquadukt4"])
@pytest.mark.parametrize("wise", [False, True])
def test_trees_count_every_visit_once(layout: str, wise: bool) -> None:
    forest = Forest(aquakit.start(layout), threads=1, seed=1, wise=wise)
    forest.grow(simulations=2000)
    root = forest.root()
    assert root.visits == forest.simulations == 2000
    # The root is opened by its first visit, so each one goes through a child.
    assert sum(child.visits for child in root.children()) == 2000
    stats = root.stats(forest.players)
    assert sum(stats.win) == pytest.approx(2000, rel=1e-4)
    assert all(math.isfinite(points) for points in stats.points)


def test_uniform_playouts_agree_with_the_driver() -> None:
    p = aquakit.start("romana4")
    forest = Forest(p, threads=1, seed=3, wise=False, open_after=10**9, exploration=1e6)
    forest.grow(simulations=20_000)
    plain = p.playouts(20_000, seed=5)
    # The tree visits first actions evenly, as uniform playouts do.
    for mine, theirs in zip(forest.root().stats(4).points, plain.points, strict=True):
        assert mine / 20_000 == pytest.approx(theirs / 20_000, abs=0.4)
