"""Puzzles of canals equal plain enumeration by the rules, accept what is equally good and refute what is not."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_games import play_on

import aquakit
from aquakit.aquadukt import Position
from aquakit.aquadukt.planner.canals.result import CanalPlan
from aquakit.aquadukt.puzzles import canal_layouts
from aquakit.aquadukt.puzzles.canals import KIND, candidate, compress, expand, needed_sight
from aquakit.errors import IllegalTurn, InvalidTurn, ProofFailure
from aquakit.puzzle.kinds import find_kind, find_way
from aquakit.puzzle.model import LINE, Puzzle, PuzzleError

SMALL = "aquadukt2-6x5"
HOUSE = Position.start(SMALL, mountains=["a5", "f4"]).play("spring 3.2").play("roll, die 2, 3 c4, stop")
"""Player 2 has three houses on c4, two squares from the row line 2 on which a spring stands; player 1 is to move."""

Laid = frozenset[tuple[str, int]]
"""How many canals are new on each segment."""


def ask(position: Position, horizon: int, value: int | None = None, **given: object) -> Puzzle:
    """Makes a puzzle, with the value that is claimed or with the right one."""
    puzzle = Puzzle.draft("canals", str(position), horizon, given)
    return puzzle.model_copy(update={"value": KIND.prove(puzzle).value if value is None else value})


HOUSE_PUZZLE = ask(HOUSE, 2, 3, player=2)


# Plain enumeration, turn after turn, by what the rules offer


def lay_everything(position: Position, most: int) -> dict[Laid, tuple[int, ...]]:
    """Gets the players' points after every layout of up to so many canals."""
    found, level = {}, {frozenset(): position}
    for _ in range(most + 1):
        found |= {laid: p.scores() for laid, p in level.items()}
        more = (p.act(action) for p in level.values() for action in p.actions() if action.what == "canal")
        level = {_new(position, p): p for p in more}
    return found


def _new(before: Position, after: Position) -> Laid:
    return frozenset((Counter(after.canals) - Counter(before.canals)).items())


def net(scores: tuple[int, ...], player: int, alone: bool) -> int:
    others = sum(score for other, score in enumerate(scores, start=1) if other != player)
    return scores[player - 1] - (0 if alone else others)


def some_position(seed: int, layout: str, most_springs: int, *, events: bool = False) -> Position:
    """Plays at random until there is something to lay."""
    draw = random.Random(seed)
    while True:
        start = Position.start(layout, seed=draw.randrange(1000), events=events)
        p = play_on(start, draw, draw.randrange(20, 90)).rewind()
        if not p.is_over and p.canals_left > 3 and 1 <= len(p.springs) <= most_springs and len(p.tiles) > 4:
            return p


BOARDS = [
    *((seed, SMALL, 2, 3, seed % 2 == 1) for seed in range(16)),
    *((seed, "aquadukt2", 1, 3, False) for seed in range(20, 23)),
    *((seed, "aquadukt3", 1, 3, True) for seed in range(23, 26)),
    *((seed, "aquadukt4", 2, 2, False) for seed in range(26, 29)),
]


@pytest.mark.parametrize(("seed", "layout", "springs", "most", "events"), BOARDS)
def test_a_proof_equals_plain_enumeration(seed: int, layout: str, springs: int, most: int, events: bool) -> None:
    p = some_position(seed, layout, springs, events=events)
    player, alone = 1 + seed % p.layout.players, seed % 3 == 0
    points = {laid: net(scores, player, alone) for laid, scores in lay_everything(p, most).items()}
    for horizon in range(1, most + 1):
        few = {laid: value for laid, value in points.items() if size(laid) <= horizon}
        best = max(few.values())
        reach = {laid for laid, value in few.items() if value == best}
        puzzle = Puzzle.draft("canals", str(p), horizon, {"player": player, "alone": alone})
        if min(map(size, reach)) < horizon:
            with pytest.raises(PuzzleError, match="horizon"):
                KIND.prove(puzzle)
            continue
        proof = KIND.prove(puzzle)
        assert proof.value == best
        assert {frozenset(laid.items()) for answer in proof.accepted for laid in expand(answer)} == reach
        assert proof.margin == best - max(value for value in few.values() if value < best)
        assert KIND.worth(puzzle, proof.line) == best


def test_every_layout_is_looked_at_once() -> None:
    p = some_position(2, SMALL, 2)
    names = p.layout.segment_names
    found = [laid.segments for laid in canal_layouts.Layouts(p, lambda square, supply: 0, 3).every()]
    laid = [frozenset(Counter(names[segment] for segment in segments).items()) for segments in found]
    assert len(laid) == len(set(laid))
    assert set(laid) == set(lay_everything(p, 3))


def size(laid: Laid) -> int:
    return sum(number for _, number in laid)


def test_random_boards_hold_puzzles() -> None:
    # The comparison above must not be about refusals only.
    drafts = [Puzzle.draft("canals", str(some_position(seed, SMALL, 2)), 2) for seed in range(0, 16, 2)]
    assert sum(proves(puzzle) for puzzle in drafts) >= 3


def proves(puzzle: Puzzle) -> bool:
    try:
        return bool(KIND.prove(puzzle).accepted)
    except PuzzleError:
        return False


def test_cp_sat_must_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    found = canal_layouts.look_at_all(canal_layouts.CanalsAsked.read(HOUSE_PUZZLE))
    assert found is not None
    monkeypatch.setattr(canal_layouts, "look_at_all", lambda asked: found._replace(best=found.best[1:]))
    with pytest.raises(ProofFailure, match="looked at, 3 is the best, in 2 ways, but cpsat has 3 in 3 ways"):
        KIND.prove(HOUSE_PUZZLE)


# One position


def test_all_ways_to_water_a_house_are_accepted() -> None:
    proof = KIND.prove(HOUSE_PUZZLE)
    assert (proof.value, proof.margin) == (3, 3)
    assert proof.accepted == ("canal 2.2h, canal 2.2h", "canal 3.2v, canal 2.3h or 3.3v")
    assert proof.method == "exhaustive+cpsat"
    assert proof.searched.endswith("layouts of up to 2 canals; CP-SAT finds the same 3 layouts")
    assert find_kind("canals") is KIND


@pytest.mark.parametrize(
    "attempt",
    [
        "canal 3.2v, canal 2.3h",
        "canal 2.3h, canal 3.2v",  # in any order
        "canal 3.2v / canal 3.3v",
        "canal 2.2h, canal 2.2h, stop",
    ],
)
def test_equal_answers_are_all_right(attempt: str) -> None:
    verdict = KIND.judge(HOUSE_PUZZLE, attempt)
    assert (verdict.right, verdict.value, verdict.loss, verdict.refutation) == (True, 3, 0, "")
    assert verdict.words == "2 of 2 canals laid: net houses +3, and more is not possible"
    assert sum(KIND.matches(HOUSE_PUZZLE, attempt, answer) for answer in KIND.prove(HOUSE_PUZZLE).accepted) == 1


def test_what_loses_is_told_with_its_loss() -> None:
    verdict = KIND.judge(HOUSE_PUZZLE, "canal 2.2h, canal 3.2h")
    assert (verdict.right, verdict.value, verdict.loss) == (False, 0, 3)
    assert verdict.reasons[0].text == "Canal from 3.2 to 4.2 costs 3"
    assert verdict.words == "2 of 2 canals laid: net houses 0, 3 fewer than possible"
    assert not any(KIND.matches(HOUSE_PUZZLE, "canal 2.2h, canal 3.2h", a) for a in KIND.prove(HOUSE_PUZZLE).accepted)


def test_canals_to_come_are_laid_as_well_as_possible() -> None:
    right = KIND.judge(HOUSE_PUZZLE, "canal 2.2h")
    assert (right.right, right.refutation) == (True, "canal 2.2h")
    wrong = KIND.judge(HOUSE_PUZZLE, "canal 3.2h")
    assert (wrong.right, wrong.value, wrong.loss) == (False, 0, 3)
    stopped = KIND.judge(HOUSE_PUZZLE, "canal 2.2h, stop")
    assert (stopped.right, stopped.value, stopped.loss, stopped.refutation) == (False, 0, 3, "")


def test_a_proof_given_up_tells_for_how_long_it_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ask_planner = canal_layouts.CanalsAsked.plan

    def give_up(*asked: Any) -> CanalPlan:
        return replace(ask_planner(*asked), proved=False, seconds=1.5)

    monkeypatch.setattr(canal_layouts.CanalsAsked, "plan", give_up)
    with pytest.raises(PuzzleError, match=r"horizon: nothing was proved in 1\.5 s"):
        KIND.judge(HOUSE_PUZZLE, "canal 3.2v")


def test_a_refutation_can_be_played_on_from_the_attempt() -> None:
    p = some_position(3, SMALL, 2)
    puzzle = Puzzle.draft("canals", str(p), 4)
    shown = 0
    for action in p.actions():
        if action.what == "canal":
            verdict, after = KIND.judge(puzzle, str(action)), p.act(action)
            for turn in verdict.refutation.split(LINE) if verdict.refutation else []:
                after = after.play(turn)
                shown += 1
            assert net(after.scores(), p.mover, alone=False) == verdict.value
    assert shown > 0


def test_second_canals_pay_far_from_an_arms_end_too() -> None:
    # Both arms of the spring end in the west, beside a 2 and a 1; the 4 in the east is two squares from an old segment.
    east, dry = ".......B4....", "............"
    rows = "/".join(["_^^^^^^^^.._", ".B2..........", east, dry, dry, dry, ".B1..........", "_.........._"])
    p = Position.parse(f"aquadukt2 {rows} 8.8.8.4,7.7.8.3 6.4 6.4:nnwwww;6.4:sswwww 24 2 0 -")
    proof = KIND.prove(Puzzle.draft("canals", str(p), 2))
    assert (proof.value, proof.accepted, proof.margin) == (4, ("canal 6.4v, canal 6.5v",), 1)


def test_the_best_canals_against_others_or_alone() -> None:
    p = HOUSE.play("roll, die 2, 1 c3, stop")  # player 1's house on c3 gets water before c4 does
    assert ask(p, 2, player=2).value == 2
    assert ask(p, 2, player=2, alone=True).value == 3
    assert ask(p, 1, player=1).value == 1


def test_the_goal_says_who_and_what() -> None:
    assert KIND.goal(HOUSE_PUZZLE) == (
        "Lay 2 canals, one after another, so that the watered houses of player 2 (B), less those of the other player, "
        "count the most. Nobody does anything else meanwhile."
    )
    assert "less" not in KIND.goal(ask(HOUSE, 2, 3, player=2, alone=True))


def test_the_line_is_made_of_whole_turns() -> None:
    proof = KIND.prove(HOUSE_PUZZLE)
    p = HOUSE
    for turn in proof.line.split(LINE):
        p = p.play(turn)
    assert p.scores() == (0, 3)


def test_the_last_hint_names_a_canal_that_can_be_laid_at_once() -> None:
    ahead = ask(HOUSE.play("roll, die 1, 1 a4, stop"), 2)
    proof = replace(KIND.prove(ahead), accepted=("canal 3.2v, canal 3.3v",), line="canal 3.2v, canal 3.3v")
    assert list(KIND.hints(ahead, proof))[-1] == "Lay a canal from 3.2 to 3.3."
    laid = ask(HOUSE.play("canal 2.2h, stop"), 1, 3, player=2)
    assert list(KIND.hints(laid, KIND.prove(laid)))[-1] == "Lay a second canal from 3.2 to 2.2."


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("canal 2.3h, canal 3.2v", "canal from 3.2 to 3.3, canal from 3.3 to 2.3"),
        ("canal 3.3v or 2.3h, canal 3.2v", "canal from 3.2 to 3.3, canal from 3.3 to 3.4 or from 3.3 to 2.3"),
        ("canal 2.2h, canal 2.2h", "canal from 3.2 to 2.2, second canal from 3.2 to 2.2"),
    ],
)
def test_answers_are_told_in_an_order_in_which_they_can_be_laid(answer: str, said: str) -> None:
    assert find_way(HOUSE_PUZZLE).say(answer) == said


# What cannot be


@pytest.mark.parametrize(
    ("attempt", "error", "message"),
    [
        ("", InvalidTurn, "attempt: is empty"),
        ("canal 9.9h", InvalidTurn, "no segment 9.9h"),
        ("three canals", InvalidTurn, "cannot be read"),
        ("canal 3.3v", IllegalTurn, "lies at no arm's end"),
        ("canal 3.2v, canal 3.2h, canal 3.2h", IllegalTurn, "one too many: 2 canals may be laid"),
        ("canal 3.2v, spring 0.1", IllegalTurn, "only canals are asked for"),
        ("roll", IllegalTurn, "only canals are asked for"),
    ],
)
def test_illegal_attempts_say_why(attempt: str, error: type[ValueError], message: str) -> None:
    with pytest.raises(error, match=message):
        KIND.judge(HOUSE_PUZZLE, attempt)


def test_arms_that_touch_are_refused_q3() -> None:
    puzzle = ask(HOUSE, 4, 3, player=2)
    with pytest.raises(IllegalTurn, match="not free"):  # the fourth side of a square leads back to the spring
        KIND.judge(puzzle, "canal 3.2v, canal 3.3h, canal 4.2v, canal 3.2h")


@pytest.mark.parametrize("line", ["canal 3.2v", "canal 2.3h, canal 3.2v", "canal 3.2v, canal 2.3h / canal 1.3h, stop"])
def test_a_line_is_played_to_the_letter(line: str) -> None:
    with pytest.raises(IllegalTurn):
        KIND.worth(HOUSE_PUZZLE, line)


@pytest.mark.parametrize(
    ("position", "horizon", "given", "where"),
    [
        (HOUSE, 0, {}, "draft: horizon"),
        (HOUSE, 13, {}, "draft: horizon"),
        (HOUSE, 2, {"player": 3}, "draft: given.player"),
        (HOUSE, 2, {"player": "B"}, "draft: given.player"),
        (HOUSE, 2, {"alone": 1}, "draft: given.alone"),
        (HOUSE, 2, {"canals": 2}, "draft: given.canals"),
        (HOUSE.act("roll"), 2, {}, "draft: position"),
        (aquakit.start("romana4"), 2, {}, "draft: position"),
        (HOUSE, 3, {"player": 2}, "draft: horizon"),  # two canals do as well
        (HOUSE, 1, {"player": 2}, "draft: horizon"),  # and one does nothing
    ],
)
def test_what_cannot_be_asked_names_puzzle_and_field(position: object, horizon: int, given: dict, where: str) -> None:
    with pytest.raises(PuzzleError) as problem:
        KIND.prove(Puzzle.draft("canals", str(position), horizon, given))
    assert problem.value.where == where


def test_too_many_layouts_are_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canal_layouts, "MOST_LAYOUTS", 10)
    with pytest.raises(PuzzleError, match="draft: horizon: more than 10 layouts"):
        KIND.prove(HOUSE_PUZZLE)


# Compact answers


@given(st.sets(st.lists(st.sampled_from("abcdef"), min_size=3, max_size=3).map(sorted).map(tuple), min_size=1))
def test_answers_stand_for_the_layouts_and_no_others(layouts: set[tuple[str, ...]]) -> None:
    answers = compress(layouts)
    found = [tuple(sorted(laid.elements())) for answer in answers for laid in expand(answer)]
    assert sorted(found) == sorted(layouts)
    assert len(answers) <= len(layouts)


def test_one_canal_may_be_left_open() -> None:
    assert compress([("a", "b"), ("a", "c"), ("a", "a")]) == ("canal a, canal a or b or c",)


# Candidates


def test_a_candidate_needs_every_canal_and_more_than_greed() -> None:
    p = HOUSE.play("roll, die 1, 1 a4, stop")  # player 2 is to move and has three houses on c4
    assert p.mover == 2
    found = candidate(p, 2)
    assert found is not None
    assert (found.kind, found.horizon, found.position) == ("canals", 2, str(p))
    assert needed_sight(found) == 2  # the first canal pays nothing at once
    assert candidate(p, 3) is None
    assert candidate(p, 1) is None
    assert candidate(p.act("roll"), 2) is None


def test_greed_finds_what_pays_at_once() -> None:
    p = HOUSE.play("roll, die 2, 2 d3, stop").play("roll, die 1, 1 a4, stop")
    assert p.mover == 1  # whose two houses on d3 lie at the spring
    assert candidate(p, 1) is None
    assert needed_sight(ask(p, 1)) == 1
