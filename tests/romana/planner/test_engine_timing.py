"""Closure timing that plays the game: what the engine's games say of closing now, later or never."""

from __future__ import annotations

import json
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from aquakit.compiled.jit import have_numba
from aquakit.errors import InvalidOption
from aquakit.romana import Position
from aquakit.romana.planner.timing.engine.asking import EngineProgress
from aquakit.romana.planner.timing.engine.estimates import estimate, student
from aquakit.romana.planner.timing.engine.games import FREE, EngineQuestion, always, play_number
from aquakit.romana.planner.timing.engine.result import EngineTiming
from aquakit.romana.planner.timing.entries import frame_case
from aquakit.romana.planner.timing.result import Timing
from aquakit.romana.planner.timing.timing import timing
from aquakit.work.executors import InPlace

pytestmark = pytest.mark.skipif(not have_numba(), reason="the engine needs Numba")

START = Position.start("romana2-5x4")
MIDDLE = Position.parse(
    "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J .c...s./b.dc../.c.b.s./.d.c.. cj -,s "
    "*.*.*,*.1.* 9.9.4.5 1 0"
)
# No tile is left, so the game ends after two turns. R1 and G1 are both of length 4, for which there is one place, and
# podium 3 is full: whoever is scored second gets podium 2. At the end Green is scored first.
RACE = Position.parse("romana2-5x4 F##.7/.+-7./.L++./L.##J ..c.s/.bd./..cs./..db - -,- *.3,*.3 0.0.0.0 1 0")
# The same with a single builder, and Green is out of the game: nobody has a choice but Red, who closes R1 or not.
FORCED = Position.parse("romana2-5x4 F##.7/.+-7./.L++./L.##J ..c../..../...../.... - -,- *.3,1.0 0.0.0.0 1 0")


def ask(position: Position = MIDDLE, **options: object) -> Timing:
    given = {"rounds": 2, "waits": 1, "games": 6, "per_decision": 30, "seconds": None, **options}
    return timing(position, rivals="engine", **given)


def play(position: Position = MIDDLE, **options: object) -> EngineTiming:
    engine = ask(position, **options).engine
    assert engine is not None
    return engine


def leads(engine: EngineTiming) -> list[float | None]:
    return [None if row.lead is None else row.lead.mean for row in engine.decisions]


@pytest.fixture(scope="module")
def found() -> Timing:
    return ask()


# Decisions


def test_a_podium_that_a_rival_is_about_to_take_is_taken_now() -> None:
    engine = play(RACE, games=4)
    now, never = (row for row in engine.of("R1") if row.possible)
    assert (now.head, now.is_best) == ("now", True)
    # 4 and 3 with bonuses 4 and 3 against 3 and 2 with 3 and 2; else the other way round.
    assert now.lead is not None
    assert now.lead.mean == 4
    assert never.lead is not None
    assert never.lead.mean == -4
    assert not never.is_as_good


def test_the_engine_itself_closes_in_time() -> None:
    # The free game, in which Red closes what the search prefers.
    engine = play(RACE, games=4)
    assert engine.lead is not None
    assert engine.lead.mean == 4
    assert [(s.aqueduct, s.how, s.share) for s in engine.scorings if s.aqueduct == "R1"] == [("R1", "closed", 1.0)]


def test_what_the_rules_do_not_allow_is_not_offered() -> None:
    # After the second turn without a tile the game is over [R10]: nobody comes to close anything a round later.
    later = [row for row in play(RACE).of("R1") if row.head == "+1"]
    assert [(row.possible, row.lead, row.done) for row in later] == [(False, None, 0.0)]
    assert "no game" in str(play(RACE))


def test_an_aqueduct_of_length_0_cannot_be_closed() -> None:
    # [R9]: the turn's tile is laid already, and R1 and R3 have none.
    moment = START.act("d4=+@E4")
    assert moment.phase == "close"
    lengths = {a.name: a.length for a in moment.aqueducts}
    rows = play(moment, games=1).decisions
    assert {row.aqueduct for row in rows if row.head == "now" and row.possible} == {
        row.aqueduct for row in rows if lengths[row.aqueduct] > 0
    }


def test_every_own_open_aqueduct_has_a_row_for_each_moment(found: Timing) -> None:
    rows = found.engine.decisions
    assert [(row.aqueduct, row.head) for row in rows] == [
        (name, head) for name in ("R1", "R2", "R3") for head in ("now", "+1", "never")
    ]


def test_another_player_can_ask() -> None:
    engine = play(player=2, games=1)
    assert {row.aqueduct for row in engine.decisions} == {"G1", "G3"}
    assert engine.names[1] in str(engine)


def test_a_closing_at_a_moment_takes_place_in_that_round() -> None:
    question = EngineQuestion(frame_case(MIDDLE, None, 3), 2, 30, 1)
    game = play_number(question, always, 0)
    assert game is not None
    assert set(game.outcomes) == {FREE, *question.moments}
    assert all(game.outcomes[a, None].done for a in question.case.mine)


# Errors that hold


def test_the_same_seed_gives_the_same_answer(found: Timing) -> None:
    assert ask().engine.rows() == found.engine.rows()
    assert play(seed=1).rows() != found.engine.rows()


def test_it_is_the_same_wherever_it_is_played(found: Timing) -> None:
    with ThreadPoolExecutor(2) as threads:
        assert play(executor=threads).rows() == found.engine.rows()
    assert play(executor=InPlace()).rows() == found.engine.rows()
    pickle.dumps(partial(play_number, found.engine.question, always))  # for processes


def test_more_games_make_smaller_errors() -> None:
    few, many = play(games=5).lead, play(games=40).lead
    assert few is not None
    assert many is not None
    assert few.margin is not None
    assert many.margin is not None
    assert many.margin < few.margin / 2


def test_differences_are_told_game_by_game(found: Timing) -> None:
    for row in found.engine.decisions:
        if row.behind is not None:
            best = next(other for other in found.engine.of(row.aqueduct) if other.is_best)
            assert row.behind.mean == pytest.approx(best.lead.mean - row.lead.mean)
            assert row.behind.mean >= 0


def test_only_what_is_certain_has_no_error() -> None:
    now, _, never = play(FORCED).of("R1")
    for row in (now, never):
        assert row.lead is not None
        assert (row.lead.stderr, row.lead.tell("+")) == (0, f"{row.lead.mean:+.1f} ± 0.0")
        assert row.is_best or (row.behind is not None and row.behind.stderr == 0)
    assert all(row.lead.stderr for row in play(MIDDLE).decisions if row.lead is not None)


def test_games_that_end_alike_still_have_an_error() -> None:
    assert estimate([4.0] * 24).margin == pytest.approx(0.09, abs=0.01)
    assert estimate([4.0] * 24).tell() == "4.0 ± 0.1"
    assert estimate([4.0] * 1000).tell() == "4.0 ± 0.1"


def test_a_single_game_has_no_known_error() -> None:
    row = play(games=1).decisions[0]
    assert "± ?" in str(play(games=1))
    assert row.lead is None or row.lead.stderr is None


def test_few_games_need_wider_intervals() -> None:
    # Student's quantiles for 19 times in 20.
    for games, quantile in ((4, 3.18), (6, 2.57), (11, 2.23), (31, 2.04)):
        assert student(games) == pytest.approx(quantile, abs=0.03)


# Beside the proof


def test_the_proved_part_is_what_it_is_without_the_engine(found: Timing) -> None:
    alone, beside = timing(MIDDLE, rounds=2, waits=1, seconds=None).json(), found.json()
    differ = {"seconds", "engine"}
    assert {k: v for k, v in alone.items() if k not in differ} == {k: v for k, v in beside.items() if k not in differ}
    assert alone["engine"] is None


def test_the_text_tells_what_is_proved_from_what_is_estimated(found: Timing) -> None:
    proof, games = str(found).split("\n\n")
    assert proof.startswith("Taking for granted that aqueducts grow as in 24 playouts")
    assert "proved best" in proof
    assert games.startswith("Estimated by the engine, not proved")
    assert "now" in games
    assert "never" in games


def test_entered_growth_is_for_the_proof_alone() -> None:
    result = ask(growth={"R1": [3, 5]})
    assert "grow as entered" in str(result)
    assert result.engine.rows() == play().rows()


def test_it_can_be_said_in_sentences(found: Timing) -> None:
    lines = found.engine.in_words().splitlines()[2:]
    assert [line.split(" is best ")[0] for line in lines] == ["R1", "R2", "R3"]


def test_it_is_plain_data_and_tables(found: Timing) -> None:
    data = json.loads(json.dumps(found.json()))["engine"]
    assert len(data["decisions"]) == len(found.engine.frame()) == 9
    assert len(data["growth"]) == len(found.engine.growth_frame()) == 2 * 5
    assert "estimated" in found._repr_html_()


# Growth


def test_lengths_grow_and_stay_when_scored(found: Timing) -> None:
    engine = found.engine
    for name in ("R1", "R2", "R3", "G1", "G3"):
        first, second = (row.length for row in engine.growth if row.aqueduct == name)
        assert first.mean <= second.mean
    for game in engine.played:
        for a, taken in game.taken.items():
            assert taken.length == game.lengths[a][-1]


def test_the_race_shows_both(found: Timing) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    above, below = found.race().figure.axes
    assert "Proved schedule" in above.get_title()
    assert "Engine, 6 games" in below.get_title()
    assert {text.get_text() for text in below.texts} == {"R1", "R2", "R3", "G1", "G3"}
    assert below.containers  # the bars
    assert found.race().figure.patch.get_alpha() == 0


def test_each_race_can_be_drawn_alone(found: Timing) -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    above, below = figure.subplots(2)
    assert found.race(above) is above
    assert found.engine.race(below) is below


# Ended early


def test_an_end_keeps_the_games_that_are_played() -> None:
    stop, heard = threading.Event(), list[EngineProgress]()

    def hear(progress: EngineProgress) -> None:
        heard.append(progress)
        if progress.games == 2:
            stop.set()

    engine = play(games=500, stop=stop, on_progress=hear)
    assert [progress.games for progress in heard] == [0, 1, 2]
    assert (engine.games, engine.wanted) == (2, 500)
    assert engine.rows() == play(games=2).rows()
    assert "2 of 500 games" in str(engine)


def test_without_a_game_nothing_is_known() -> None:
    stop = threading.Event()
    stop.set()
    result = ask(stop=stop)
    assert result.engine.games == 0
    assert leads(result.engine) == [None] * 9
    assert "nothing is known" in str(result)
    assert len(result.race().figure.axes) == 1


# What people get wrong


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"games": 0}, "games: 0; expected a whole number from 1"),
        ({"per_decision": 1.5}, "per_decision: 1.5; expected a whole number from 1"),
        ({"playouts": 0}, "playouts: 0; expected a whole number from 1"),
        ({"executor": 3}, "executor: 3; expected a concurrent.futures.Executor"),
        ({"on_progress": 3}, "on_progress: 3; expected a function"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidOption, match=words):
        ask(**options)


def test_other_words_about_rivals_are_refused() -> None:
    with pytest.raises(InvalidOption, match=r"rivals: 'foo'; expected 'playouts', 'replies', 'engine'"):
        timing(MIDDLE, rivals="foo")


def test_a_study_position_has_no_rivals() -> None:
    with pytest.raises(InvalidOption, match=r"rivals: 'engine' in a study position"):
        ask(MIDDLE.solo(1))
