"""A rating follows Glicko-2, rises with what is solved and falls with what is missed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aquakit.training.attempt import Attempt
from aquakit.training.rating import (
    RATINGS,
    START,
    RatedGame,
    Rating,
    count_periods,
    draw_rating,
    expect,
    rate,
    update,
    weigh,
)

mpl.use("Agg")

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def attempt(puzzle: str = "p", difficulty: int = 3, verdict: str = "right", **values: object) -> Attempt:
    usual = {
        "at": NOON,
        "fingerprint": "f",
        "answer": "b3=|@Sb",
        "loss": 0,
        "hints": 0,
        "seconds": 9.0,
        "shown": False,
    }
    return Attempt(**usual | {"task": puzzle, "difficulty": difficulty, "outcome": verdict} | values)


ratings = st.builds(Rating, st.floats(0, 3000), st.floats(30, 350), st.floats(0.03, 0.1))
difficulties = st.sampled_from(sorted(RATINGS))
periods = st.floats(0, 1000)
attempts = st.builds(
    attempt,
    st.sampled_from("abcdefgh"),
    difficulties,
    st.sampled_from(["right", "equal", "wrong"]),
    hints=st.integers(0, 3),
    shown=st.booleans(),
    at=st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC)),
)


class TestGlicko2:
    """Mark E. Glickman, "Example of the Glicko-2 system": a player of 1500 meets three others in one period."""

    START = Rating(1500, 200, 0.06)
    GAMES = (RatedGame(1400, 30, 1), RatedGame(1550, 100, 0), RatedGame(1700, 300, 0))

    def test_gives_what_the_paper_gives(self) -> None:
        after = update(self.START, self.GAMES)
        assert after.value == pytest.approx(1464.06, abs=0.01)
        assert after.deviation == pytest.approx(151.52, abs=0.01)
        assert after.volatility == pytest.approx(0.05999, abs=0.00001)

    def test_who_does_not_play_keeps_the_rating_and_gets_less_sure(self) -> None:
        idle = update(self.START, [])
        assert (idle.value, idle.volatility) == (1500, 0.06)
        assert idle.deviation == pytest.approx((200**2 + (0.06 * 173.7178) ** 2) ** 0.5)

    def test_a_game_of_no_weight_is_no_game(self) -> None:
        assert update(self.START, [RatedGame(1400, 30, 1, weight=0)]) == update(self.START, [])

    def test_two_halves_count_as_one_game(self) -> None:
        halves = update(self.START, [RatedGame(1400, 30, 1, weight=0.5)] * 2)
        whole = update(self.START, [RatedGame(1400, 30, 1)])
        assert halves.value == pytest.approx(whole.value)
        assert halves.deviation == pytest.approx(whole.deviation)


class TestOnePuzzle:
    @given(ratings, difficulties, periods, st.integers(0, 3))
    def test_a_solved_puzzle_never_lowers_the_rating(self, before: Rating, d: int, passed: float, hints: int) -> None:
        assert update(before, [weigh(attempt(difficulty=d, hints=hints))], passed).value > before.value

    @given(ratings, difficulties, periods, st.integers(0, 3), st.booleans())
    def test_a_missed_puzzle_never_raises_it(
        self, before: Rating, d: int, passed: float, hints: int, shown: bool
    ) -> None:
        verdict = "right" if shown else "wrong"
        missed = weigh(attempt(difficulty=d, verdict=verdict, hints=hints, shown=shown))
        assert update(before, [missed], passed).value < before.value

    @given(ratings, periods, st.integers(1, 4))
    def test_the_harder_the_puzzle_the_more_it_brings_and_the_less_a_miss_costs(
        self, before: Rating, passed: float, d: int
    ) -> None:
        for verdict in ("right", "wrong"):
            easy, hard = (update(before, [weigh(attempt("p", n, verdict))], passed).value for n in (d, d + 1))
            assert easy < hard

    @given(ratings, difficulties, periods, st.integers(0, 2))
    def test_every_hint_makes_it_bring_less(self, before: Rating, d: int, passed: float, hints: int) -> None:
        few, more = (update(before, [weigh(attempt(difficulty=d, hints=n))], passed).value for n in (hints, hints + 1))
        assert few > more

    @given(ratings, difficulties, st.sampled_from(["right", "wrong"]))
    def test_every_puzzle_makes_the_rating_surer(self, before: Rating, d: int, verdict: str) -> None:
        assert update(before, [weigh(attempt("p", d, verdict))], 0).deviation < before.deviation

    @given(ratings, difficulties, st.floats(0, 30), st.floats(0, 30))
    def test_the_longer_the_break_the_more_a_puzzle_moves_it(
        self, before: Rating, d: int, short: float, more: float
    ) -> None:
        soon, late = (update(before, [weigh(attempt("p", d))], passed).value for passed in (short, short + more))
        assert late >= soon

    def test_equally_good_counts_as_right(self) -> None:
        assert weigh(attempt(verdict="equal")) == weigh(attempt(verdict="right"))

    def test_hints_do_not_soften_a_miss(self) -> None:
        assert weigh(attempt(verdict="wrong", hints=3)) == weigh(attempt(verdict="wrong"))


class TestTime:
    @given(ratings, periods)
    def test_a_break_makes_it_less_sure_but_never_less_than_at_the_start(self, before: Rating, passed: float) -> None:
        after = before.after(passed)
        assert before.deviation <= after.deviation <= START.deviation
        assert after.value == before.value

    def test_periods_are_days_and_never_negative(self) -> None:
        assert count_periods(NOON, NOON + timedelta(hours=36)) == 1.5
        assert count_periods(NOON, NOON - timedelta(days=3)) == 0
        assert count_periods(None, NOON) == 0


class TestHistory:
    def test_everybody_begins_with_first_steps_and_unsure(self) -> None:
        assert list(rate([])) == []
        assert START.value == RATINGS[1]
        assert expect(START, 1) == 0.5

    def test_only_the_first_try_at_a_puzzle_counts(self) -> None:
        first = attempt("a", verdict="wrong")
        assert [step.attempt for step in rate([first, attempt("a"), attempt("a", hints=1)])] == [first]

    def test_an_edited_puzzle_counts_anew(self) -> None:
        assert len(list(rate([attempt("a"), attempt("a", fingerprint="other")]))) == 2

    @given(st.lists(attempts, max_size=30))
    def test_any_history_can_be_rated(self, history: list[Attempt]) -> None:
        rated = list(rate(history))
        assert len(rated) == len({attempt.task for attempt in history})
        for before, step in zip([START, *(step.rating for step in rated)], rated, strict=False):
            assert (step.rating.value > before.value) == step.attempt.solved
            assert 0 < step.rating.deviation <= START.deviation
            assert 0 < step.rating.volatility < 1

    def test_finds_a_solver_of_the_strength_of_a_difficulty(self) -> None:
        """Who solves every second puzzle of difficulty 4 is rated like them, whatever the start."""
        history = [attempt(str(n), 4, "right" if n % 2 else "wrong", at=NOON + timedelta(hours=n)) for n in range(200)]
        last = [*rate(history)][-1].rating
        assert last.value == pytest.approx(RATINGS[4], abs=40)
        assert last.deviation < 40


class TestPlot:
    def test_tells_solved_from_missed_by_more_than_colour(self) -> None:
        history = [attempt("a"), attempt("b", hints=1), attempt("c", verdict="wrong"), attempt("d")]
        ax = draw_rating(list(rate(history)))
        names = [text.get_text() for text in ax.get_legend().get_texts()]
        assert names == ["two deviations", "rating", "solved", "solved with hints", "missed"]
        looks = {line.get_label(): (line.get_marker(), line.get_markerfacecolor()) for line in ax.lines}
        assert len({looks[name] for name in names[2:]}) == 3
        assert looks["solved"][0] != looks["missed"][0]
        plt.close(ax.figure)

    def test_draws_into_given_axes_and_before_the_first_puzzle(self) -> None:
        figure, ax = plt.subplots()
        assert draw_rating([], ax) is ax
        assert ax.get_title() == f"{START} after 0 puzzles"
        figure.canvas.draw()
        plt.close(figure)
