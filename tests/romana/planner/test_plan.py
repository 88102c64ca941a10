"""Plans for one player alone: their points are right, all equally good ones are found, and nothing false is claimed."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aquakit
from aquakit.core.record import Record
from aquakit.errors import IllegalTurn, InvalidOption, InvalidPosition
from aquakit.romana import Position
from aquakit.romana.notation import Turn
from aquakit.romana.planner.exact.searcher import Searcher
from aquakit.romana.planner.plan.plan import plan
from aquakit.romana.planner.plan.portfolio import PlanAnswer
from aquakit.romana.planner.plan.result import Plan
from aquakit.romana.planner.plan.witness import PlanProof, ask_second_witness
from aquakit.romana.planner.plan_question import PlanQuestion

VALUES = Path(__file__).parents[1] / "data" / "values.txt"
METHODS = ("search", "cpsat")
LAST_WORKMAN = "romana2-5x4 F##77/.+FF./|J||./L+##J ....s/cbd./jc.s./dbd. - -,- 2.0,1.* 0.1.1.3 2! 1"


def known_plans() -> Iterator[tuple[int, int, int, str]]:
    """Reads the known values: turns, points, number of best first turns, position."""
    for line in VALUES.read_text("utf-8").splitlines():
        if line.startswith("plan"):
            _, turns, points, best, text = line.split("\t")
            yield int(turns), int(points), int(best), text


@cache
def study(seed: int, layout: str = "romana2-5x4", most: int = 14) -> Position:
    """Plays a random game for a while and lets one player go on alone."""
    draw = random.Random(seed)
    while True:
        p = aquakit.start(layout)
        for _ in range(draw.randrange(most)):
            turns = list(p.turns()) if p.perft(1) else []
            if not turns:
                break
            after = p.play(draw.choice(turns))
            if after.is_over:
                break
            p = after
        alone = p.solo(draw.choice((1, 2)))
        if not alone.is_over:
            return alone


def try_all(position: Position, turns: int) -> dict[tuple[Turn, ...], int]:
    """Plays every plan through the rules and counts its points."""
    if turns == 0 or position.is_over:
        return {(): position.study_points()}
    found = {}
    for turn in position.turns():
        for rest, points in try_all(position.play(turn), turns - 1).items():
            found[(turn, *rest)] = points
    return found


def build_of(turn: Turn) -> str:
    return next(str(action) for action in turn if action.what in ("build", "advance"))


# Right


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("turns", "points", "best", "text"), list(known_plans()))
def test_known_values(method: str, turns: int, points: int, best: int, text: str) -> None:
    found = plan(aquakit.parse(text), turns=turns, method=method)
    assert (found.points, found.proved, found.bound) == (points, True, points)
    assert len(found.turns) == turns
    whole = found.alternatives(whole=True, limit=1000)
    assert (len(whole), whole.complete) == (best, True)
    assert found.turns[0] in whole
    assert set(found.alternatives()) == {build_of(turn) for turn in whole}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(12))
def test_one_turn_is_the_best_of_all_turns(method: str, seed: int) -> None:
    p = study(seed)
    all_turns = try_all(p, 1)
    best = {turns for turns, points in all_turns.items() if points == max(all_turns.values())}
    found = plan(p, turns=1, method=method)
    assert (found.points, found.proved) == (max(all_turns.values()), True)
    assert found.turns in best
    assert set(found.alternatives(whole=True, limit=5000)) == {turns[0] for turns in best}
    assert set(found.alternatives(method=method)) == {build_of(turns[0]) for turns in best}


@pytest.mark.parametrize("seed", [0, 3, 7, 10, 11, 12, 13, 14])
def test_two_turns_are_the_best_of_all_plans(seed: int) -> None:
    p = study(seed)
    assert 2 < sum(1 for _ in p.turns()) < 40, "another seed is needed: too little to choose, or too much to try"
    every = try_all(p, 2)
    best = {turns for turns, points in every.items() if points == max(every.values())}
    for method in METHODS:
        found = plan(p, turns=2, method=method)
        assert (found.points, found.proved) == (max(every.values()), True)
        assert found.turns in best
        assert set(found.alternatives(method=method)) == {build_of(turns[0]) for turns in best}
    everything = found.enumerate(limit=100_000)
    assert everything.complete
    assert set(everything) == best


@pytest.mark.parametrize("seed", [23, 24, 25, 26, 27])
def test_both_methods_agree_on_three_turns(seed: int) -> None:
    p = study(seed, "romana2-7x6", most=30)
    by_search, by_model = (plan(p, turns=3, method=method) for method in METHODS)
    assert by_search.proved
    assert by_model.proved
    assert by_search.points == by_model.points
    assert by_search.alternatives() == by_model.alternatives(method="cpsat")


@pytest.mark.parametrize("seed", range(6))
def test_the_bound_is_never_below_the_best_plan(seed: int) -> None:
    p = study(seed)
    assert Searcher(PlanQuestion(p, 1)).upper_bound >= max(try_all(p, 1).values())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(4))
def test_only_closed_aqueducts_may_count(method: str, seed: int) -> None:
    p = study(seed)
    best = max(closed_points(p.play(turn), p) for turn in p.turns())
    found = plan(p, turns=1, closed_only=True, method=method)
    assert (found.points, found.proved) == (best, True)


def closed_points(after: Position, before: Position) -> int:
    return sum(a.podium or 0 for a in after.aqueducts if a.owner == before.player)


@pytest.mark.parametrize("method", METHODS)
def test_without_closing_nothing_is_closed_voluntarily(method: str) -> None:
    for turns, _, _, text in known_plans():
        found = plan(aquakit.parse(text), turns=turns, closing=False, method=method)
        closings = [a for turn in found.turns for a in turn if a.what == "close"]
        assert all(action.aqueduct == "-" for action in closings)
        assert found.proved


@pytest.mark.parametrize("method", METHODS)
def test_what_is_forbidden_is_not_used(method: str) -> None:
    turns, points, _, text = list(known_plans())[6]
    p = aquakit.parse(text)
    free = plan(p, turns=turns, method=method)
    square = next(action.square for action in free.turns[0] if action.square)
    bound = plan(p, turns=turns, forbid=[square], method=method)
    assert all(action.square != square for turn in bound.turns for action in turn)
    assert bound.proved
    assert bound.points is not None
    assert bound.points <= points
    build = build_of(free.turns[0])
    assert all(build not in map(str, turn) for turn in plan(p, turns=turns, forbid=build, method=method).turns)


def test_a_plan_can_begin_with_a_given_turn() -> None:
    turns, points, _, text = list(known_plans())[6]
    p = aquakit.parse(text)
    worst = min(p.turns(), key=lambda turn: plan(p, turns=1, first=turn).points or 0)
    begun = plan(p, turns=turns, first=worst)
    assert begun.turns[0] == worst
    assert len(begun.turns) == turns
    assert begun.proved
    rest = plan(p.play(worst), turns=turns - 1)
    assert begun.points == rest.points
    assert plan(p, turns=1, first=worst).alternatives() == ()
    assert begun.points is not None
    assert begun.points <= points


def test_a_given_turn_must_not_use_what_is_forbidden() -> None:
    p = aquakit.start("romana2-5x4")
    with pytest.raises(InvalidOption, match=r"first: d4=\+@E4 is used"):
        plan(p, turns=2, first="d4=+@E4 x-", forbid="d4")
    with pytest.raises(InvalidOption, match="first: xR2 is used"):
        plan(p, turns=2, first="d4=+@E4 xR2 *d", closing=False)


def test_after_a_given_turn_that_is_all_there_is_nothing_else_to_list() -> None:
    whole = plan(aquakit.parse(LAST_WORKMAN), turns=3)
    assert whole.positions[-1].is_over
    ends = plan(whole.positions[-2], turns=3, first=whole.turns[-1])
    for found in (ends, plan(aquakit.start("romana2-5x4"), turns=1, first="d4=+@E4 x-")):
        assert found.alternatives() == found.alternatives(whole=True) == ()
        assert found.enumerate() == ((),)
        assert found.enumerate().complete


def test_held_builders_are_placed_first() -> None:
    p = aquakit.parse(list(known_plans())[6][3])
    found = plan(p, turns=2)
    after = p.play(found.turns[0])
    assert any(action.what == "pick" for action in found.turns[0])
    assert found.turns[1][0].what == "place"
    assert plan(after, turns=1).points == found.points


def test_a_plan_ends_when_no_workman_is_left() -> None:
    for seed in range(200):
        p = study(seed, most=40)
        own = [a for a in p.aqueducts if a.owner == p.player and a.open]
        if len(own) == 1 and own[0].length:
            found = plan(p, turns=6, closed_only=True)
            assert found.proved
            assert p.is_solo
            if len(found.turns) < 6:
                assert found.positions[-1].is_over
                return
    pytest.fail("no position with one aqueduct left was found")


def test_a_plan_that_uses_up_all_workmen_ends_without_bonus() -> None:
    # [S2]: a record of it shows the podium points, as its comment does.
    found = plan(aquakit.parse(LAST_WORKMAN), turns=3)
    record = found.record()
    assert found.positions[-1].is_over
    assert (found.points, record.result) == (6, "2 6")
    assert "6 points, holds" in found.positions[-1].diagram()
    assert str(Record.parse(str(record))) == str(record)


# Any player, any position


def test_the_player_to_move_goes_on_alone_or_another() -> None:
    p = aquakit.start("romana4")
    assert plan(p, turns=1).position == p.solo(1)
    assert plan(p, turns=1, player=3).position == p.solo(3)


# Showing


@pytest.fixture(scope="module")
def shown() -> Plan:
    return plan(aquakit.parse(list(known_plans())[6][3]), turns=2)


def test_the_table_has_a_row_for_each_turn(shown: Plan) -> None:
    frame = shown.frame()
    assert list(frame.index) == [1, 2]
    assert frame.loc[2, "points"] == shown.points
    assert frame.loc[1, "square"] in str(shown.turns[0])
    assert frame.loc[1, "R2"] == next(a.length for a in shown.positions[1].aqueducts if a.name == "R2")


def test_the_table_counts_as_the_plan_does() -> None:
    found = plan(aquakit.start("romana2-5x4"), turns=1, closed_only=True, closing=False)
    assert [row["points"] for row in found.rows()] == [found.points] == [0]


def test_a_plan_cut_short_says_so() -> None:
    found = plan(aquakit.parse(LAST_WORKMAN), turns=9)
    assert len(found.turns) < 9
    assert f"in 9 turns (no workman is left after {len(found.turns)}), proved" in found.summary()


def test_the_record_holds_the_plan(shown: Plan) -> None:
    record = aquakit.Record.parse(str(shown.record()))
    assert [str(node.turn) for node in record.root.main()[1:]] == [str(turn) for turn in shown.turns]


def test_pictures_show_every_step_and_the_whole(shown: Plan) -> None:
    assert len(shown.pictures()) == 2
    assert all(picture.startswith("<svg") for picture in shown.pictures(theme="dark"))
    assert shown.pictures(last=None, before=None) != shown.pictures()
    assert shown.svg(highlights={}) != shown.svg()
    assert "<svg" in shown._repr_html_()
    assert shown.json()["points"] == 7
    assert shown.json()["asked"] == {
        "turns": 2, "closed_only": False, "closing": True, "first": None, "forbid": [],
    }  # fmt: skip
    assert str(shown).splitlines()[1].startswith("1. ")


# How sure


def test_too_little_time_proves_nothing_and_says_so() -> None:
    p = aquakit.start("romana2").solo(1)
    found = plan(p, turns=12, seconds=0.3)
    assert not found.proved
    assert found.bound >= (found.points or 0)
    assert "nothing proved" in found.summary()
    with pytest.raises(InvalidOption, match="not proved"):
        found.alternatives()


def test_progress_is_told_and_stopping_keeps_the_best() -> None:
    heard: list[PlanAnswer] = []
    stop = threading.Event()

    def hear(answer: PlanAnswer) -> None:
        heard.append(answer)
        if answer.points is not None:
            stop.set()

    found = plan(aquakit.start("romana2-7x6").solo(1), turns=9, on_progress=hear, stop=stop)
    assert heard
    assert not found.proved
    assert found.points is not None
    PlanQuestion(found.position, 9).replay(found.turns)


def test_an_interrupt_gives_the_best_so_far() -> None:
    def hear(answer: PlanAnswer) -> None:
        if answer.points is not None:
            raise KeyboardInterrupt

    found = plan(aquakit.start("romana2-7x6").solo(1), turns=9, on_progress=hear)
    assert not found.proved


@pytest.mark.parametrize("whole", [True, False])
def test_an_interrupted_listing_keeps_what_it_has(whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    found = plan(aquakit.start("romana2-5x4"), turns=2)
    asked, reaches = iter([True] * 9), Searcher.reaches

    def interrupted(self: Searcher, *args: Any) -> bool | None:
        if next(asked, None) is None:
            raise KeyboardInterrupt
        return reaches(self, *args)

    monkeypatch.setattr(Searcher, "reaches", interrupted)
    assert not (found.alternatives(whole=True) if whole else found.enumerate()).complete


def test_without_any_time_there_is_a_plan_and_an_honest_bound() -> None:
    p = aquakit.start("romana2").solo(1)
    stop = threading.Event()
    stop.set()
    for found in (*(plan(p, turns=8, seconds=1e-6, method=method) for method in METHODS), plan(p, turns=8, stop=stop)):
        assert (found.proved, found.proofs, len(found.turns)) == (False, (), 8)
        assert found.bound > (found.points or 0) > 0


# Two witnesses


@pytest.mark.parametrize(("method", "other"), [METHODS, METHODS[::-1]])
def test_the_method_that_did_not_prove_a_plan_confirms_it(method: str, other: str) -> None:
    turns, points, _, text = list(known_plans())[6]
    found = plan(aquakit.parse(text), turns=turns, method=method, verify=True)
    assert [(proof.by, proof.points) for proof in found.proofs] == [(method, points), (other, points)]
    assert f"proved by {method} in " in found.summary()
    assert f", confirmed by {other} in " in found.in_words()
    assert [proof["by"] for proof in found.json()["proofs"]] == [method, other]
    assert [proof.by for proof in plan(aquakit.parse(text), turns=turns, method=method).proofs] == [method]


def test_a_witness_without_time_leaves_a_plan_proved_by_one() -> None:
    turns, points, _, text = list(known_plans())[6]
    question = plan(aquakit.parse(text), turns=turns).question
    second = ask_second_witness(question, PlanProof("search", points, 0.1), 1e-6)
    assert second.points > points
    found = replace(plan(aquakit.parse(text), turns=turns), proofs=(PlanProof("search", points, 0.1), second))
    assert found.proved
    assert ", not confirmed by cpsat in " in found.summary()


def test_a_second_witness_is_asked_for_a_yes_or_no() -> None:
    with pytest.raises(InvalidOption, match="verify"):
        plan(aquakit.start("romana2-5x4"), turns=1, verify=1)  # type: ignore[arg-type]


# Wrong input


@pytest.mark.parametrize("limit", [0, -1, 1.5, "a", None, True])
def test_a_wrong_limit_is_named(limit: Any) -> None:
    found = plan(aquakit.start("romana2-5x4"), turns=1)
    for ask in (found.enumerate, lambda limit: found.alternatives(whole=True, limit=limit)):
        with pytest.raises(InvalidOption, match="limit"):
            ask(limit)


def test_wrong_questions_are_named() -> None:
    p = aquakit.start("romana2")
    with pytest.raises(InvalidOption, match="on_progress: 3; expected a function"):
        plan(p, turns=1, on_progress=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match=r"stop: True; expected a threading\.Event"):
        plan(p, turns=1, stop=True)  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="turns"):
        plan(p, turns=0)
    with pytest.raises(InvalidOption, match="method"):
        plan(p, turns=1, method="guess")
    with pytest.raises(InvalidOption, match="seconds"):
        plan(p, turns=1, seconds=-1)
    with pytest.raises(InvalidOption, match="forbid"):
        plan(p, turns=1, forbid="z9")
    with pytest.raises(InvalidOption, match="closing"):
        plan(p, turns=1, closing=2)  # type: ignore[arg-type]
    with pytest.raises(IllegalTurn):
        plan(p, turns=2, first="e5=F@Nd")
    with pytest.raises(InvalidOption, match="leaves no plan"):
        plan(p, turns=2, forbid=p.layout.square_names)
    with pytest.raises(InvalidPosition, match="Aqua Romana"):
        plan(aquakit.start("aquadukt2"), turns=1)  # type: ignore[arg-type]
    with pytest.raises(InvalidPosition, match="inside a turn"):
        plan(p.act(p.actions()[0]), turns=1)
    with pytest.raises(InvalidPosition, match="no workman"):
        plan(nobody_left(), turns=1)


def nobody_left() -> Position:
    text = str(aquakit.start("romana2")).replace(" *.*.*.*.*.*,", " 0.0.0.0.0.0,")
    return aquakit.parse(text.replace(" 1 0", " 2 0")).solo(1)
