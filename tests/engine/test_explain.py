"""Explanations say in plain words what the rules and the analysis say, each claim with its number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import pytest

import aquakit
from aquakit.board.claims import Claim
from aquakit.board.telling import tell_decisions
from aquakit.core.position import AnyPosition
from aquakit.engine import weigh
from aquakit.engine.analysis import Analysis, analyse
from aquakit.engine.explain import Explanation
from aquakit.engine.solve import solve
from aquakit.errors import IllegalTurn, InvalidOption, InvalidTurn

NEAR_THE_END = "romana2-5x4 F##+7/.|.../.L.F./L+##J ..cs./.bd./..c.s/.bd. dj -,- *.*,*.* 2.3.1.3 2 0"
THREE_PLAYERS = (
    "romana3 F-N##N....7/N++J|+..F7./..Z.Z..F+NN/....+-.+JL#/...-+-7..F#/....+.|7.|+/Z...|FJ..../L..##Z|...J "
    ".s.d...b..s/cj.b.sc./..c.....db./.d..bs.. cd -,-,- 1.*.*.*,*.5.*.0,*.*.*.* 10.12.12.12 1 0"
)


@pytest.fixture(scope="module")
def opening() -> Analysis:
    return analyse(aquakit.start("romana2-5x4"), playouts=3000, threads=1)


@pytest.fixture(scope="module")
def ending() -> Analysis:
    return analyse(aquakit.parse(NEAR_THE_END), playouts=2000, threads=1)


def kinds(explanation: Explanation, kind: str) -> list[Claim]:
    return [claim for claim in explanation.claims if claim.kind == kind]


def unseen(analysis: Analysis) -> Iterator[str]:
    """Iterates over legal turns outside the analysis's lines."""
    known = {line.turn for line in analysis.lines}
    return (str(turn) for turn in analysis.position.turns() if str(turn) not in known)


# One turn


def test_the_best_turn_is_explained_with_the_numbers_of_its_line(opening: Analysis) -> None:
    best, made = opening.best, opening.explain()
    lead, points = kinds(made, "expected")
    assert made.turn == best.turn
    assert lead.numbers == (best.lead, best.stderr, best.win[0], best.visits)
    assert lead.text == (
        f"Expected lead {best.lead:+.2f} ± {best.stderr:.2f}, win chance {best.win[0]:.0%}, "
        f"estimated by {best.visits:,} playouts"
    )
    assert points.numbers == best.score


def test_points_now_are_what_the_rules_give_if_play_stopped(opening: Analysis) -> None:
    (claim,) = kinds(opening.explain("d4=+@E4"), "points")
    after = opening.position.play("d4=+@E4")
    assert after.stopped(1).scores() == (6, 0)
    assert claim.text == "If play stopped now: Red 6, Green 0, lead +6 (0 before)"


def test_the_turns_effects_and_the_reply_are_told(opening: Analysis) -> None:
    made = opening.explain("d4=+@E4")
    (length,) = kinds(made, "length")
    assert length.text == "Lengthens R2 by 2, to 2, with 1 segment of loose path: podium 2 if closed now"
    (reply,) = kinds(made, "reply")
    told = reply.text.removeprefix("Expected reply of Green: ").split(". ")[0]
    before = opening.position.play("d4=+@E4")
    (turn,) = (turn for turn in before.turns() if tell_decisions(before, turn) == told)
    after = before.play(turn)
    red, green = after.stopped(2).scores()
    assert reply.text.endswith(f"Lead if play stopped then: {red - green:+d}")


def test_a_turn_hardly_looked_at_gets_as_many_playouts_as_the_best(opening: Analysis) -> None:
    turn = next(unseen(opening))
    lead, _ = kinds(opening.explain(turn), "expected")
    assert lead.numbers[-1] == opening.best.visits
    assert f"estimated by {opening.best.visits:,} playouts" in lead.text


def test_explaining_is_repeatable(opening: Analysis) -> None:
    turn = next(unseen(opening))
    assert opening.explain(turn) == opening.explain(turn)


@pytest.mark.parametrize("text", [NEAR_THE_END, THREE_PLAYERS])
def test_every_claim_has_numbers_and_is_a_sentence(text: str) -> None:
    made = analyse(aquakit.parse(text), playouts=1000, threads=1).explain()
    title, *lines = str(made).split("\n")
    assert title == made.told[made.turn] == made.title
    assert len(lines) == len(made.claims) > 3
    assert all(claim.numbers for claim in made.claims)
    assert all(re.fullmatch(r"- [A-Z].*\.", line) for line in lines)


def test_a_run_of_its_own_has_the_lead_of_who_plays_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = analyse(aquakit.parse(THREE_PLAYERS), playouts=6000, threads=1)
    turn, after = weigh.read_turn(analysis.position, analysis.best.turn)
    monkeypatch.setattr(weigh, "ENOUGH", 2.0)
    own = weigh.weigh(analysis, turn, after)
    assert own.lead != analysis.best.lead
    assert own.lead == pytest.approx(analysis.best.lead, abs=1)
    assert own.score == pytest.approx(analysis.best.score, abs=1.5)


# Proof


def test_near_the_end_leads_are_proved(ending: Analysis) -> None:
    best = ending.best.turn
    value = solve(ending.position.play(best)).value
    (lead,) = kinds(ending.explain(), "expected")
    assert lead == Claim("expected", f"Lead {-value:+d} with best play of both, proved", (-value,))


def test_a_turn_is_proved_worse(ending: Analysis) -> None:
    difference = ending.why_not("e2=N@E2 *j").claims[0]
    assert difference.text == "Expected lead +7 (proved) against -4 (proved): 11 better"
    assert difference.numbers == (11, 0)


def test_a_turn_that_ends_the_game_is_known() -> None:
    p = aquakit.parse("romana2-5x4 F##.7/...../...../L.##J b..../..../...../.... csd -,- 0.0,0.* 4.4.3.3 2 1")
    analysis = analyse(p, playouts=500, threads=1)
    made = analysis.explain()
    assert kinds(made, "expected") == [Claim("expected", "Lead 0, for the game is over", (0,))]
    assert not kinds(made, "points")


# Two turns


def test_why_not_compares_with_the_best(opening: Analysis) -> None:
    turn = "b3=+@E4 x-"
    made = opening.why_not(turn)
    best, other = opening.best, weigh.weigh(opening, *weigh.read_turn(opening.position, turn))
    assert (made.turn, made.instead_of) == (best.turn, turn)
    better, error = made.claims[0].numbers
    assert better == pytest.approx(best.lead - other.lead)
    assert error == pytest.approx(math.hypot(best.stderr, other.stderr))
    assert made.claims[1].text == "If play stopped now: lead +6 against +5, 1 better"
    assert "too close" not in made.claims[0].text


def test_only_what_differs_is_told_of_each(opening: Analysis) -> None:
    made = opening.explain("d4=+@E4", instead_of="b3=+@E4")
    told = {(claim.turn, claim.kind) for claim in made.claims if claim.turn}
    assert {("d4=+@E4 x-", "length"), ("b3=+@E4 x-", "length")} <= told
    alone = {claim._replace(turn="") for claim in made.claims if claim.turn == "d4=+@E4 x-"}
    assert alone <= set(opening.explain("d4=+@E4").claims)
    assert not alone & set(opening.explain("b3=+@E4").claims)
    assert "- Only the other: Lengthens R1 by 1, to 1: podium 1 if closed now." in str(made).split("\n")
    assert [claim.text.split(": ")[0] for claim in kinds(made, "reply")] == ["After this turn", "After the other"]
    told = [f"bridge on {square} by the builder on E4, nothing closed" for square in ("d4", "b3")]
    assert made.title == "; instead of ".join(told)


def test_people_read_no_notation(opening: Analysis) -> None:
    made = opening.explain("d4=+@E4", instead_of="b3=+@E4")
    assert not re.search(r"[@=*|]|\bx-", str(made))
    table = re.sub(r"<td>[^<]*</td></tr>", "</tr>", opening._repr_html_())  # the last column holds it, small
    assert not re.search(r"@|\+@|\bx-", table)
    assert [line.turn in opening._repr_html_() for line in opening.lines] == [True] * len(opening.lines)


def test_what_may_be_chance_is_called_so() -> None:
    analysis = analyse(aquakit.start("aquadukt2-6x5"), playouts=1500, threads=1)
    better, error = analysis.why_not(analysis.lines[1].turn).claims[0].numbers
    assert ("too close to be sure" in analysis.why_not(analysis.lines[1].turn).claims[0].text) == (
        abs(better) < 2 * error
    )


def test_a_worse_turn_is_called_worse(opening: Analysis) -> None:
    assert " worse" in opening.explain("b3=+@E4", instead_of="d4=+@E4").claims[0].text


# Dice


def test_a_roll_is_explained_and_so_is_what_follows_it() -> None:
    p: AnyPosition = aquakit.start("aquadukt2-6x5", mountains=("c5", "c3"))
    roll = analyse(p, playouts=1500, threads=1).explain("roll")
    (claim,) = kinds(roll, "roll")
    assert claim.numbers == (6, 0, 0)
    moment = p.act("roll").act("die 4")
    house = analyse(moment, playouts=1500, threads=1).explain("3 a3, stop")
    (claim,) = kinds(house, "house")
    assert claim.text.startswith("Puts 3 houses on a3")


def test_a_turn_may_not_hold_what_the_die_showed() -> None:
    analysis = analyse(aquakit.start("aquadukt2-6x5"), playouts=500, threads=1)
    with pytest.raises(IllegalTurn, match="die"):
        analysis.explain("roll, die 4, 3 a3, stop")


# Asking wrongly


def test_questions_must_make_sense(opening: Analysis) -> None:
    with pytest.raises(InvalidOption, match="the turn itself"):
        opening.explain("d4=+@E4", instead_of="d4=+@E4 x-")
    with pytest.raises(IllegalTurn):
        opening.explain("a2=L@Nb")
    with pytest.raises(InvalidTurn):
        opening.why_not("nonsense")
    with pytest.raises(InvalidTurn, match="empty"):
        opening.why_not("")
    with pytest.raises(InvalidOption, match="not run"):
        Analysis(opening.position).explain()


def test_html_is_escaped() -> None:
    html = Explanation("<i>", (Claim("x", "a < b & c", (1,)),), "<b>")._repr_html_()
    assert "&lt;i&gt;; instead of &lt;b&gt;" in html
    assert "a &lt; b &amp; c." in html
