"""Puzzles of houses equal plain enumeration by the rules, CP-SAT and the solver; verdicts tell what is given away."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from random_games import play_on

import aquakit
from aquakit.aquadukt import Position
from aquakit.aquadukt.puzzles import house_study
from aquakit.aquadukt.puzzles.house import KIND, candidate
from aquakit.errors import IllegalTurn, InvalidTurn
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Puzzle, PuzzleError

SMALL = "aquadukt2-6x5"
START = Position.start(SMALL, mountains=["a5", "f4"]).play("spring 3.2")
"""One canal at 3.2 waters two of c2, d2 (region 6) and c3, d3 (region 2) that lie side by side."""
SECOND = START.act("roll").act("die 1").act("1 a4").act("roll").act("die 2")
"""Player 2 has used the turn's first roll for a house far from water, and rolled region 2."""
TWO = Fraction(13, 3)
"""What 3 houses at the spring are worth now: those, and 4 more beside them in two of six cases."""


def ask(position: Position, horizon: int, value: int | Fraction = 0) -> Puzzle:
    return Puzzle.draft("house", str(position), horizon).model_copy(update={"value": value})


SECOND_PUZZLE = ask(SECOND, 1, 5)


# Plain enumeration by what the rules offer


def net(position: Position, player: int) -> int:
    """Gets a player's points less those of all others."""
    return 2 * position.scores()[player - 1] - sum(position.scores())


def after_canals(position: Position, player: int, canals: int) -> int:
    """Gets the best that canals can make of a board, whoever's turns they are laid in."""
    best = net(position, player)
    for action in position.actions() if canals else []:
        if action.what == "canal":
            best = max(best, after_canals(position.act(action), player, canals - 1))
    return best


def value(moment: Position, player: int, canals: int) -> Fraction:
    """Gets what a moment of the turn, or its end, is worth."""
    if not moment.played:
        return Fraction(after_canals(moment, player, canals))
    values = [value(moment.act(action), player, canals) for action in moment.actions()]
    return sum(values) / len(values) if moment.is_chance else max(values)


def some_moment(seed: int, layout: str, rolls: int, *, events: bool = False, few: bool = False) -> Position:
    """Plays at random to a moment after some roll; if so asked, with few tiles in hand and few free squares."""
    draw = random.Random(seed)
    while True:
        p = play_on(Position.start(layout, seed=draw.randrange(1000), events=events), draw, draw.randrange(15, 120))
        if few and not p.is_over:
            p = with_hands(p.rewind(), "1.0.1.1" if free_squares(p) < 9 else "1.0.0.1")
            p = p.act("roll") if "roll" in map(str, p.actions()) else p
        if p.is_chance:
            p = p.act(draw.choice(p.actions()))
        if p.phase == "house" and p.rolls == rolls and p.springs and p.canals_left > 1 and len(p.actions()) > 2:
            return p


def free_squares(position: Position) -> int:
    return len(position.supply) - len(position.tiles) - len(position.mountains)


def with_hands(position: Position, hand: str) -> Position:
    """Gets the position with other tiles in the hands, as far as these are not on the board."""
    fields = str(position).split(" ")
    laid = list(position.tiles.values())
    values = enumerate(zip(map(int, hand.split(".")), position.layout.tiles, strict=True), start=1)
    most = [(value, wanted, held) for value, (wanted, held) in values]
    fields[2] = ",".join(
        ".".join(str(min(wanted, held - laid.count(f"{letter}{value}"))) for value, wanted, held in most)
        for letter in "ABCD"[: position.layout.players]
    )
    return Position.parse(" ".join(fields))


CASES = [
    *((seed, SMALL, 3, 2, False, False) for seed in range(4)),
    *((seed, SMALL, 3, 1, True, False) for seed in range(4, 8)),
    *((seed, SMALL, 2, 1, seed % 2 == 1, False) for seed in range(30, 38)),
    *((seed, SMALL, 1, 1, seed % 2 == 0, True) for seed in range(11, 17)),
    *((seed, SMALL, 1, 0, False, True) for seed in range(17, 20)),
    *((seed, "aquadukt3", 3, 1, False, False) for seed in range(20, 22)),
    *((seed, "aquadukt4", 3, 1, True, False) for seed in range(22, 24)),
]


@pytest.mark.parametrize(("seed", "layout", "rolls", "canals", "events", "few"), CASES)
def test_a_proof_equals_plain_enumeration(
    seed: int, layout: str, rolls: int, canals: int, events: bool, few: bool
) -> None:
    p = some_moment(seed, layout, rolls, events=events, few=few)
    player = p.state.player + 1
    wanted = {str(action): value(p.act(action), player, canals) for action in p.actions()}
    assert house_study.Study(p, canals).options == wanted
    best = max(wanted.values())
    proof = KIND.prove(ask(p, canals))
    assert proof.value == best
    assert isinstance(proof.value, int) == (best.denominator == 1)
    assert proof.accepted == tuple(sorted(token for token, found in wanted.items() if found == best))
    lower = [found for found in wanted.values() if found < best]
    assert proof.margin == (best - max(lower) if lower else None)
    assert KIND.worth(ask(p, canals), proof.line) == best


@pytest.mark.parametrize(("layout", "rolls"), [(SMALL, 1), (SMALL, 2), ("aquadukt2", 2), ("aquadukt2", 3)])
def test_the_rest_of_the_turn_alone_is_what_the_solver_proves(layout: str, rolls: int) -> None:
    for seed in range(4):
        p = some_moment(seed, layout, rolls, events=seed % 2 == 1)
        found, proof = aquakit.solve(p, turns=1), KIND.prove(ask(p, 0))
        assert found.proved
        assert float(proof.value) == pytest.approx(found.value)
        assert {str(turn[0]) for turn in found.turns} == set(proof.accepted)


@pytest.mark.parametrize(("seed", "layout"), [(1, "aquadukt2"), (2, "aquadukt3"), (3, "aquadukt4"), (4, SMALL)])
def test_canals_after_the_last_roll_are_what_cp_sat_finds(seed: int, layout: str) -> None:
    p = some_moment(seed, layout, 3)
    player = p.state.player + 1
    for token, found in house_study.Study(p, 2).options.items():
        assert found == aquakit.plan_canals(p.act(token), canals=2, player=player).value


# One position


def test_an_expectation_worked_out_by_hand() -> None:
    proof = KIND.prove(SECOND_PUZZLE)
    # 4 houses at the spring, and with region 2 or 6 of six regions 3 more beside them: 4 + 3 * 2/6.
    assert (proof.value, proof.accepted, proof.margin) == (5, ("4 c3", "4 d3"), 5 - TWO)
    assert proof.line.startswith(("4 c3, roll, die ", "4 d3, roll, die "))
    assert proof.method == "exhaustive"
    assert "CP-SAT agrees" in proof.searched
    assert find_kind("house") is KIND


def test_what_is_not_best_is_told_with_its_loss() -> None:
    verdict = KIND.judge(SECOND_PUZZLE, "3 c3")
    assert (verdict.right, verdict.value, verdict.loss) == (False, TWO, Fraction(2, 3))
    assert verdict.words == "worth 13/3 (4.33) on average, 2/3 (0.67) less than possible"
    after = SECOND.act("3 c3")
    for turn in verdict.refutation.split(LINE):
        after = after.play(turn)
    assert net(after, 2) == 7  # what follows is shown with the luckiest roll


def test_after_the_last_roll_nothing_is_an_average() -> None:
    known = aquakit.puzzles("houses")
    last = next(puzzle for puzzle in known.puzzles if "on average" not in KIND.goal(puzzle))
    assert "on average" not in KIND.judge(last, "decline").words
    assert "on average" not in KIND.judge(last, known.answer(last).accepted[0], answer=known.answer(last)).words


@pytest.mark.parametrize(
    "attempt", ["4 c3", "4 d3", "4 c3, roll", "4 d3, roll, die 5, decline", "4 c3, roll, die 6, 3 c2"]
)
def test_equal_answers_are_all_right(attempt: str) -> None:
    verdict = KIND.judge(SECOND_PUZZLE, attempt)
    assert (verdict.right, verdict.value, verdict.loss) == (True, 5, 0)
    assert verdict.words == "worth 5 on average, and more is not possible"
    answers = KIND.prove(SECOND_PUZZLE).accepted
    assert [KIND.matches(SECOND_PUZZLE, attempt, answer) for answer in answers].count(True) == 1


@pytest.mark.parametrize(
    ("attempt", "worth"),
    [
        ("4 c3, stop", 4),  # gives away 3 * 2/6
        ("4 c5", 1),  # no canal reaches c5; 3 * 2/6 is left
        ("4 c3, roll, die 6, 3 d2", 2),  # no canal waters both c3 and d2: 3 houses less than 3 c2 there
        ("decline", 0),
        ("4 c3, stop / canal 3.2h, stop", 0),  # a canal that waters d2 and d3 gives away the 4 too
    ],
)
def test_every_decision_counts_by_what_it_gives_away(attempt: str, worth: int) -> None:
    verdict = KIND.judge(SECOND_PUZZLE, attempt)
    assert (verdict.right, verdict.value, verdict.loss) == (False, worth, 5 - worth)
    assert not any(KIND.matches(SECOND_PUZZLE, "decline", answer) for answer in KIND.prove(SECOND_PUZZLE).accepted)


def test_filling_a_region_takes_dry_tiles_away() -> None:
    # Region 2 has one free square left: whoever builds there loses the own 4 on c3, which one canal could water.
    squares = "^.B2B2._/..B1..^/..B4.../....../_...._"
    p = Position.parse(f"{SMALL} {squares} 3.3.2.1,2.1.2.0 3.2 - 12 2 0 -").act("roll").act("die 2")
    proof = KIND.prove(ask(p, 1))
    assert proof.accepted == ("decline",)
    assert proof.value == 4


def test_a_tile_can_be_given_to_clear_the_ground() -> None:
    # The last free square of region 2: all there is dry and leaves the game, the new tile too, and the ground is free.
    squares = "^.A1A1._/..A2..^/..A3.../....../_...._"
    p = Position.parse(f"{SMALL} {squares} 1.2.1.1,1.0.0.1 3.2 - 12 2 0 -").act("roll").act("die 2")
    # In two of six cases the tile that is left comes to stand at the spring.
    assert house_study.Study(p, 1).options == {"1 d3": Fraction(8, 6), "4 d3": Fraction(2, 6), "decline": 0}


def test_a_game_that_ends_with_the_turn_leaves_no_time_for_canals_q6() -> None:
    # A second canal would be worth two more houses beside the mineral mountain on b3.
    board = f"{SMALL} ....._/.....^/.^B4.../....../_...._ 3.3.2.1,1.0.0.0 3.2 3.2:n 11 2"
    goes_on = Position.parse(f"{board} 4 mm").act("roll").act("die 4")
    assert set(house_study.Study(goes_on, 1).options.values()) == {6}
    ends = Position.parse(f"{board} 5 mm").act("roll").act("die 4")  # declining would be the sixth idle turn in a row
    found = house_study.Study(ends, 1).options
    assert found.pop("decline") == 4
    assert set(found.values()) == {6}
    verdict = KIND.judge(ask(ends, 1, 6), "decline")
    assert (verdict.loss, verdict.refutation) == (2, "")


def test_the_goal_says_what_is_assumed() -> None:
    assert KIND.goal(SECOND_PUZZLE) == (
        "The die shows 2: player 2 (B) puts a tile there or declines, which ends the turn. After a tile, up to 1 more "
        "roll may follow in this turn. After the turn player 2 (B) lays up to 1 canal before anybody else moves. Which "
        "tile, and where, makes the watered houses of player 2 (B), less those of the other player, count the most on "
        "average?"
    )
    third = SECOND.act("4 c3").act("roll").act("die 6")
    assert KIND.goal(ask(third, 0)).startswith("The die shows 6: player 2 (B) puts a tile there or declines. Which")
    assert "roll" not in KIND.goal(ask(third, 0))
    assert "canal" not in KIND.goal(ask(third, 0))


# What cannot be


@pytest.mark.parametrize(
    ("attempt", "error", "message"),
    [
        ("", InvalidTurn, "attempt: is empty"),
        ("a tile", InvalidTurn, "cannot be read"),
        ("4 a3", IllegalTurn, "a3 lies in region 4, the die shows 2"),
        ("4 z9", InvalidTurn, "no square z9"),
        ("roll", IllegalTurn, "not the decision at hand"),
        ("4 c3, die 5", IllegalTurn, "not the decision at hand"),
        ("4 c3, stop, roll", IllegalTurn, "the turn is complete before it"),
        ("4 c3 / canal 3.2v", IllegalTurn, "the turn is not complete"),
        ("4 c3, stop / canal 3.2v, canal 3.3v", IllegalTurn, "only 1 canal may follow"),
        ("4 c3, stop / spring 0.1", IllegalTurn, "only 1 canal may follow"),
    ],
)
def test_illegal_attempts_say_why(attempt: str, error: type[ValueError], message: str) -> None:
    with pytest.raises(error, match=message):
        KIND.judge(SECOND_PUZZLE, attempt)


def test_a_line_is_a_whole_turn_at_least() -> None:
    with pytest.raises(IllegalTurn, match="not complete"):
        KIND.worth(SECOND_PUZZLE, "4 c3")
    assert KIND.worth(SECOND_PUZZLE, "4 c3, stop") == 4


@pytest.mark.parametrize(
    ("position", "horizon", "given", "where"),
    [
        (START, 1, {}, "draft: position"),
        (START.act("roll"), 1, {}, "draft: position"),
        (aquakit.start("romana4"), 1, {}, "draft: position"),
        (SECOND, 13, {}, "draft: horizon"),
        (SECOND, 1, {"alone": True}, "draft: given"),
    ],
)
def test_what_cannot_be_asked_names_puzzle_and_field(position: object, horizon: int, given: dict, where: str) -> None:
    with pytest.raises(PuzzleError) as problem:
        KIND.prove(Puzzle.draft("house", str(position), horizon, given))
    assert problem.value.where == where


@pytest.mark.parametrize("limit", ["MOST_MOMENTS", "MOST_LISTED"])
def test_too_wide_a_study_is_not_finished(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_study, "_studies", {})
    monkeypatch.setattr(house_study, limit, 4)
    with pytest.raises(PuzzleError, match="draft: position: has too much to look at"):
        KIND.prove(SECOND_PUZZLE)
    assert candidate(SECOND, 1) is None


# Candidates


def test_a_candidate_is_what_greed_gets_wrong() -> None:
    found = 0
    for seed in range(12):
        p = some_moment(seed, SMALL, 2)
        greedy = str(aquakit.bot("greedy")(p.view())[0])
        best = KIND.prove(ask(p, 2)).accepted
        made = candidate(p)
        assert (made is None) == (greedy in best)
        if made is not None:
            assert (made.kind, made.horizon, made.position) == ("house", 2, str(p))
            found += 1
    assert found > 0


def test_other_moments_are_no_candidates() -> None:
    assert candidate(START) is None
    assert candidate(START.act("roll")) is None
    assert candidate(SECOND, 13) is None
