"""Missed puzzles come back after longer and longer times until they are known; new ones fit the solver."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from aquakit.puzzle.model import Puzzle
from aquakit.training.attempt import Attempt
from aquakit.training.rating import RATINGS, Rating
from aquakit.training.repetition import BOXES, EARLY, PuzzleStanding, follow, order

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
POSITION = "romana2-5x4 F##.7/...../...../L.##J .c.s./b.d./.c.s./b.d. dj -,- *.*,*.* 4.4.3.3 1 0"


def attempt(at: datetime = NOON, verdict: str = "right", *, hints: int = 0, shown: bool = False) -> Attempt:
    return Attempt(at=at, task="p", answer="b3=|@Sb", outcome=verdict, hints=hints, seconds=9.0, shown=shown)


def puzzle(name: str, difficulty: int = 1) -> Puzzle:
    return Puzzle.draft("plan", POSITION, 2).model_copy(update={"id": name, "difficulty": difficulty})


times = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))
attempts = st.builds(
    attempt, times, st.sampled_from(["right", "equal", "wrong"]), hints=st.integers(0, 3), shown=st.booleans()
)
histories = st.lists(attempts, max_size=12).map(lambda made: sorted(made, key=lambda one: one.at))


class TestStates:
    def test_a_puzzle_never_tried_is_new(self) -> None:
        assert follow([]) == PuzzleStanding("new", 0, 0, None)

    def test_solved_at_first_sight_it_is_known_and_does_not_come_back(self) -> None:
        assert follow([attempt()]) == PuzzleStanding("known", 1, 0, None)
        assert follow([attempt(verdict="equal")]).state == "known"

    def test_missed_it_comes_back_the_next_day(self) -> None:
        missed = follow([attempt(verdict="wrong")])
        assert missed == PuzzleStanding("missed", 1, 1, NOON + DAY - EARLY)
        assert not missed.is_due(NOON + timedelta(hours=10))
        assert missed.is_due(NOON + timedelta(hours=23))

    def test_who_lets_the_solution_be_shown_has_missed(self) -> None:
        assert follow([attempt(shown=True)]) == follow([attempt(verdict="wrong")])

    def test_solved_with_hints_it_is_being_learnt(self) -> None:
        assert follow([attempt(hints=1)]) == PuzzleStanding("learning", 1, 1, NOON + DAY - EARLY, "hint")

    def test_right_at_once_after_a_miss_does_not_put_it_off(self) -> None:
        missed = follow([attempt(verdict="wrong")])
        again = follow([attempt(verdict="wrong"), attempt(NOON + timedelta(minutes=1))])
        assert (again.state, again.box, again.due) == ("learning", missed.box, missed.due)

    def test_why_a_solved_puzzle_comes_back_is_known(self) -> None:
        wrong, at_once = attempt(verdict="wrong"), attempt(NOON + timedelta(minutes=1))
        in_time = attempt(follow([wrong]).due)
        histories = ([wrong], [wrong, at_once], [attempt(hints=2), at_once], [wrong, in_time], [attempt()])
        assert [follow(history).why for history in histories] == ["", "again", "again", "step", ""]

    def test_four_times_in_time_and_a_missed_puzzle_is_known(self) -> None:
        history, waited = [attempt(verdict="wrong")], []
        while (standing := follow(history)).state != "known":
            waited.append((standing.due - history[-1].at + EARLY) / DAY)
            history.append(attempt(standing.due))
        assert waited == [1, 3, 7, 21]
        assert standing.due is None

    def test_a_hint_in_between_keeps_it_in_its_box(self) -> None:
        history = [attempt(verdict="wrong")]
        history.append(attempt(follow(history).due))
        history.append(attempt(follow(history).due, hints=2))
        standing = follow(history)
        assert (standing.box, standing.due) == (2, history[-1].at + 3 * DAY - EARLY)

    def test_a_miss_sends_it_back_to_the_first_box_even_if_it_was_known(self) -> None:
        late = NOON + 100 * DAY
        standing = follow([attempt(), attempt(late, "wrong")])
        assert standing == PuzzleStanding("missed", 2, 1, late + DAY - EARLY)


class TestAnyHistory:
    @given(histories)
    def test_state_box_and_time_agree(self, history: list[Attempt]) -> None:
        standing = follow(history)
        assert standing.tries == len(history)
        assert (standing.state == "new") == (not history)
        assert (standing.state == "missed") == bool(history and not history[-1].solved)
        comes_back = standing.state in ("missed", "learning")
        assert comes_back == (standing.due is not None) == (standing.box in BOXES)

    @given(histories, attempts)
    def test_a_miss_is_seen_again_within_a_day(self, history: list[Attempt], last: Attempt) -> None:
        standing = follow([*history, attempt(last.at, "wrong")])
        assert last.at < standing.due <= last.at + DAY

    @given(histories, attempts)
    def test_solving_never_brings_it_back_sooner_than_missing(self, history: list[Attempt], last: Attempt) -> None:
        before = follow(history)
        solved, missed = (follow([attempt(last.at, verdict)], before) for verdict in ("right", "wrong"))
        assert solved.state == "known" or solved.box >= missed.box
        assert solved.state == "known" or solved.box >= before.box

    @given(histories)
    def test_whoever_goes_on_solving_in_time_knows_it_in_the_end(self, history: list[Attempt]) -> None:
        standing, rounds = follow(history), 0
        while standing.state != "known":
            standing = follow([attempt(standing.due or NOON)], standing)
            rounds += 1
        assert rounds <= max(BOXES)

    @given(histories, st.integers(0, 12))
    def test_can_be_followed_in_parts(self, history: list[Attempt], place: int) -> None:
        assert follow(history[place:], follow(history[:place])) == follow(history)


class TestOrder:
    def test_due_ones_first_the_longest_waiting_before_the_others(self) -> None:
        names = ("new", "just-missed", "missed-long-ago", "missed-yesterday", "known")
        standings = {
            "new": follow([]),
            "just-missed": follow([attempt(NOON, "wrong")]),
            "missed-long-ago": follow([attempt(NOON - 9 * DAY, "wrong")]),
            "missed-yesterday": follow([attempt(NOON - DAY, "wrong")]),
            "known": follow([attempt()]),
        }
        made = order([puzzle(name) for name in names], standings, Rating(1000, 350), NOON)
        assert [one.id for one in made] == ["missed-long-ago", "missed-yesterday", "new"]

    def test_new_ones_are_near_to_the_rating_and_keep_their_order(self) -> None:
        puzzles = [puzzle(f"{difficulty}{letter}", difficulty) for letter in "ab" for difficulty in (5, 4, 3, 2, 1)]
        standings = {one.id: PuzzleStanding() for one in puzzles}
        made = order(puzzles, standings, Rating(1500, 100), NOON)
        assert [one.id for one in made] == ["3a", "3b", "2a", "2b", "4a", "4b", "1a", "1b", "5a", "5b"]

    @given(st.lists(st.tuples(st.integers(1, 5), histories), max_size=10), st.floats(500, 2500), times)
    def test_lists_what_is_due_or_new_and_nothing_else_once(
        self, tried: list[tuple[int, list[Attempt]]], value: float, now: datetime
    ) -> None:
        puzzles = [puzzle(f"p-{number}", difficulty) for number, (difficulty, _) in enumerate(tried)]
        standings = {one.id: follow(history) for one, (_, history) in zip(puzzles, tried, strict=True)}
        made = order(puzzles, standings, Rating(value, 100), now)
        due = [one.id for one in made if standings[one.id].is_due(now)]
        new = [one for one in made if standings[one.id].state == "new"]
        assert [one.id for one in made] == [*due, *(one.id for one in new)]
        assert set(due) == {name for name, standing in standings.items() if standing.is_due(now)}
        assert {one.id for one in new} == {name for name, standing in standings.items() if not standing.tries}
        assert len(set(due)) == len(due)
        gaps = [abs(RATINGS[one.difficulty] - value) for one in new]
        assert gaps == sorted(gaps)
