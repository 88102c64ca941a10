"""What is asked and how answers are judged: turns, options, numbers, positions; and files that are wrong."""

from __future__ import annotations

from typing import Any

import pytest

from aquakit.core.tomlfile import write_value
from aquakit.errors import AquakitError, IllegalTurn, InvalidOption, InvalidTurn
from aquakit.training.verdict import Verdict
from aquakit.workshop.checks import ExerciseError, all_checks
from aquakit.workshop.lesson import Lesson

LOOSE = (
    "romana2-7x6 F.##..7/...|.../..F..../..|..../.FJ..../L..##.J .c.b.s./d...../.c...s./....c. csj -,- "
    "*.*.*,*.*.* 6.7.8.8 1 0"
)
"""R3 looks at d4, beside which a loose chain of four begins."""
CITY = "aquadukt2-6x5 ....._/....../..B2.A1./...^.^/_...._ 2.3.2.1,3.2.2.1 3.2 3.2:nn;3.2:E 8 2 0 -"
LENGTH = {"check": "length", "given": {"aqueduct": "R3"}}


def write(answers: dict[str, Any] | None = None, **fields: Any) -> str:
    """Writes a lesson with one exercise."""
    table = {"id": "one", "title": "One", "position": LOOSE, "question": "What?", "hints": ["Look."], **fields}
    key = {"right": "5", "wrong": {"4": "No."}, "because": "So it is.", **(answers or {})}
    lines = ["schema = 1", 'name = "test"', 'title = "Test"', 'text = "For tests."', "[[exercise]]"]
    lines += [f"{name} = {write_value(value)}" for name, value in table.items() if value is not None]
    lines += ["[answers.one]", *(f"{name} = {write_value(value)}" for name, value in key.items())]
    return "\n".join(lines)


def judge(answer: Any, key: dict[str, Any], **fields: Any) -> Verdict:
    """Reads a lesson and judges an answer to its exercise."""
    lesson = Lesson.parse(write(key, **fields))
    question = lesson["one"]
    return question.judge(question.read(answer), lesson.answers["one"])


TURN = {"right": "d4=J@W5 x-", "wrong": {"d4=L@W5": "Away from it."}}
CHOOSE = {"right": "R3", "wrong": {"R1": "No."}}


# Turns


def test_a_turn_is_measured_on_the_board_after_it() -> None:
    fields = {"type": "turn", **LENGTH, "want": "6 or more"}
    assert judge("d4=J@W5 x-", TURN, **fields) == Verdict(True, "R3 passes d5, d4, c4, c3, c2, b2: length 6.")
    said = judge("d4=L@W5 x-", TURN, **fields)
    assert said == Verdict(False, "R3 passes d5, d4: length 2. Asked for is 6 or more.")


@pytest.mark.parametrize(("want", "right"), [(6, True), (5, False), ("6 or less", True), ("5 or less", False)])
def test_a_number_can_be_wanted_exactly_at_least_or_at_most(want: Any, right: bool) -> None:
    assert judge("d4=J@W5", TURN, type="turn", **LENGTH, want=want).right == right


def test_what_the_rules_forbid_is_wrong_with_the_reason() -> None:
    said = judge("d4=J@Nb x-", TURN, type="turn", check="legal")
    assert not said.right
    assert "R3 does not see Nb" in said.words


def test_a_turn_that_only_begins_is_no_answer() -> None:
    with pytest.raises(IllegalTurn, match="not complete"):
        judge("d4=J@W5 xR3", TURN, type="turn", check="closes")


def test_what_is_no_turn_is_no_answer() -> None:
    with pytest.raises(InvalidTurn):
        judge("nonsense", TURN, type="turn", check="legal")


def test_tokens_of_a_mistake_stand_for_all_turns_that_contain_them() -> None:
    lesson = Lesson.parse(write(TURN, type="turn", **LENGTH, want=6))
    question = lesson["one"]
    assert question.is_like("d4=L@W5 xR3 *c", "d4=L@W5")
    assert not question.is_like("d4=J@W5 xR3 *c", "d4=L@W5")
    assert question.spell_out("d4=L@W5 xR3").startswith("d4=L@W5 xR3 *")


# Options


def test_options_are_names_that_a_check_finds() -> None:
    fields = {"type": "choose", "check": "in-sight", "given": {"aqueduct": "R3"}, "options": ["Nd", "Nb"]}
    key = {"right": "Nd", "wrong": {"Nb": "No."}}
    assert judge("Nd", key, **fields).right
    assert judge("Nb", key, **fields) == Verdict(False, "Nb is not a builder in sight of R3.")


def test_options_are_turns_that_a_check_tests() -> None:
    fields = {"type": "choose", "check": "legal", "options": ["d4=J@W5", "d4=J@Nb"], "labels": ["near", "far"]}
    key = {"right": "near", "wrong": {"far": "No."}}
    assert judge("near", key, **fields).right
    assert not judge("far", key, **fields).right


def test_options_are_compared_by_a_measure_of_each() -> None:
    fields = {"type": "choose", "check": "length", "want": "most", "options": ["R1", "R3"]}
    assert judge("R3", CHOOSE, **fields).right
    assert judge("R1", CHOOSE, **fields) == Verdict(False, "R1 passes no tile: length 0. Another option has more.")


def test_options_are_compared_by_a_measure_after_each_turn() -> None:
    fields = {"type": "choose", **LENGTH, "want": "least", "options": ["d4=J@W5 x-", "d4=L@W5 x-"]}
    key = {"right": "d4=L@W5 x-", "wrong": {"d4=J@W5 x-": "No."}}
    assert judge("d4=L@W5 x-", key, **fields).right
    assert not judge("d4=J@W5 x-", key, **fields).right


def test_options_without_a_check_are_right_as_the_file_says() -> None:
    key = {"right": ["yes", "perhaps"], "wrong": {"no": "No."}}
    for option, right in (("yes", True), ("perhaps", True), ("no", False)):
        assert judge(option, key, type="choose", options=["yes", "no", "perhaps"]).right == right


def test_what_is_no_option_is_no_answer() -> None:
    with pytest.raises(InvalidOption, match="one of: R1; R3"):
        judge("G1", CHOOSE, type="choose", check="length", want="most", options=["R1", "R3"])


# Numbers


def test_a_number_is_compared_with_what_is_measured() -> None:
    key = {"right": 1, "wrong": {"2": "No."}}
    assert judge(1, key, type="number", **LENGTH) == Verdict(True, "R3 passes d5: length 1.")
    assert judge(" 0 ", key, type="number", **LENGTH) == Verdict(False, "0 is too small.")
    assert judge("2", key, type="number", **LENGTH) == Verdict(False, "2 is too large.")


def test_a_number_is_measured_after_a_turn() -> None:
    key = {"right": 6, "wrong": {"2": "No."}}
    assert judge(6, key, type="number", **LENGTH, after="d4=J@W5 x-").right


@pytest.mark.parametrize("answer", ["", "six", "6.5", True, None, "9" * 30, "0x6"])
def test_what_is_no_whole_number_is_no_answer(answer: Any) -> None:
    with pytest.raises(InvalidOption, match="a whole number"):
        judge(answer, {"right": 1, "wrong": {"2": "No."}}, type="number", **LENGTH)


# Positions


def test_gaps_are_filled_and_the_position_is_measured() -> None:
    fields = {"type": "position", "gaps": ["d4"], **LENGTH, "want": 6}
    key = {"right": "d4=J", "wrong": {"d4=L": "No."}}
    assert judge("d4=J", key, **fields).right
    assert judge("d4=+", key, **fields) == Verdict(False, "R3 passes d5, d4: length 2. Asked for is 6.")


def test_a_position_that_the_rules_forbid_is_wrong_with_the_reason() -> None:
    fields = {
        "type": "position",
        "gaps": ["c5"],
        "position": LOOSE.replace("...|...", "...J...", 1).replace("6.7", "5.8"),
        **LENGTH,
    }
    said = judge("c5=L", {"right": "c5=|", "wrong": {"c5=L": "No."}}, **fields, want=1)
    assert not said.right
    assert "[R3]" in said.words


def test_one_of_several_gaps_is_filled() -> None:
    fields = {"type": "position", "gaps": ["E5", "E3"], "fill": 1, "pieces": ["d"], "check": "sight"}
    key = {"right": "E5=d", "wrong": {"E3=d": "No."}}
    assert judge("E5=d", key, **fields, given={"aqueduct": "R3"}, want=3).right
    assert not judge("E3=d", key, **fields, given={"aqueduct": "R3"}, want=3).right


@pytest.mark.parametrize("answer", ["d4=c", "d4=", "c4=J", "d4=J c4=J", "", "d4"])
def test_what_fits_no_gap_is_no_answer(answer: str) -> None:
    with pytest.raises(InvalidOption):
        judge(answer, {"right": "d4=J", "wrong": {"d4=L": "No."}}, type="position", gaps=["d4"], **LENGTH, want=6)


def test_canals_and_springs_are_put_too() -> None:
    fields = {"type": "position", "position": CITY, "gaps": ["4.2v"], "check": "supply", "given": {"square": "e3"}}
    key = {"right": "4.2v=double", "wrong": {"4.2v=single": "No."}}
    assert judge("4.2v=double", key, **fields, want=2).right
    assert not judge("4.2v=single", key, **fields, want=2).right


# Solvers


def test_a_turn_is_judged_by_the_best_plan() -> None:
    key = {"right": "d4=J@W5 x-", "wrong": {"b6=Z@E6": "No."}}
    said = judge("d4=J@W5 x-", key, type="turn", check="plan", given={"turns": 1})
    assert said == Verdict(True, "6 podium points in 1 turn: more is not possible.")
    said = judge("d4=+@Nd x-", key, type="turn", check="plan", given={"turns": 1})
    assert said == Verdict(False, "At best 2 podium points in 1 turn, 4 fewer than possible.")


def test_every_check_says_what_it_does() -> None:
    checks = all_checks()
    assert len({(found.form, found.name) for found in checks}) == len(checks)
    assert all(found.about.endswith(".") and found.about[0].isupper() for found in checks)


# Files that are wrong

NUMBER: dict[str, Any] = {"type": "number", **LENGTH}
WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {"type": "riddle"}, "test.toml: one: input tag 'riddle'"),
    ({}, {**NUMBER, "position": "romana2-7x6 x"}, "test.toml: one: position: "),
    ({}, {**NUMBER, "hints": []}, "test.toml: one: hints: "),
    ({}, {**NUMBER, "colour": "red"}, "test.toml: one: colour: extra inputs"),
    ({}, {**NUMBER, "check": "beauty"}, "test.toml: one: check: there is no measure 'beauty'"),
    ({}, {**NUMBER, "check": None}, "test.toml: one: check: is missing"),
    ({}, {**NUMBER, "check": "supply"}, "test.toml: one: check: 'supply' is not for romana2-7x6"),
    ({}, {**NUMBER, "given": {}}, "test.toml: one: given.aqueduct: field required"),
    ({}, {**NUMBER, "given": {"aqueduct": 3}}, "test.toml: one: given.aqueduct: "),
    ({}, {**NUMBER, "given": {"aqueduct": "R3", "much": 1}}, "test.toml: one: given.much: "),
    ({}, {**NUMBER, "after": "d4=J@Nb"}, "test.toml: one: after: d4=J@Nb"),
    ({}, {**NUMBER, "want": 4}, "test.toml: one: want: "),
    ({}, {**NUMBER, "id": "One!"}, "test.toml: One!: id: small letters"),
    ({"right": "six"}, NUMBER, "test.toml: one: answers.right: 'six' cannot be an answer"),
    ({"wrong": {"six": "No."}}, NUMBER, "test.toml: one: answers.wrong: 'six' cannot be an answer"),
    ({"wrong": {}}, NUMBER, "test.toml: one: answers.wrong: "),
    ({"right": []}, NUMBER, "test.toml: one: answers.right: "),
    (CHOOSE, {"type": "choose", "options": ["R1"]}, "test.toml: one: options: "),
    (CHOOSE, {"type": "choose", "options": ["R1", "R3", "R1"]}, "test.toml: one: options: one stands twice"),
    (CHOOSE, {"type": "choose", "options": ["R1", "R3"], "labels": ["a"]}, "test.toml: one: labels: 1 for 2"),
    (CHOOSE, {"type": "choose", "options": ["R1", "R3"], "want": "most"}, "test.toml: one: want: there is no check"),
    (TURN, {"type": "turn", **LENGTH, "want": "most"}, "test.toml: one: want: 'most' needs something to choose"),
    (TURN, {"type": "turn", **LENGTH, "want": "a lot"}, "test.toml: one: want: a number"),
    (TURN, {"type": "turn", **LENGTH}, "test.toml: one: check: there is no test 'length'"),
    ({"right": "z9=J"}, {"type": "position", "gaps": ["z9"], **LENGTH, "want": 1}, "test.toml: one: gaps: nothing can"),
    ({"right": "d4=J"}, {"type": "position", "gaps": ["d4"], **LENGTH}, "test.toml: one: want: is missing"),
]


@pytest.mark.parametrize(("answers", "fields", "message"), WRONG, ids=[case[2][11:] for case in WRONG])
def test_errors_name_file_exercise_and_field(answers: dict[str, Any], fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ExerciseError) as caught:
        Lesson.parse(write(answers, **fields), "test.toml")
    assert str(caught.value).lower().startswith(message.lower())


def test_answers_and_exercises_belong_together() -> None:
    text = write(**NUMBER)
    for changed, message in (
        (text.replace("[answers.one]", "[answers.two]"), "one: answers: are missing"),
        (text + '\n[answers.two]\nright = 1\nwrong = {"2" = "No."}\nbecause = "So."', "two: answers: there is no"),
        (text.replace("[[exercise]]", '[[exercise]]\nid = "one"\n', 1), "is not TOML"),
    ):
        with pytest.raises(ExerciseError, match=message):
            Lesson.parse(changed, "test.toml")


@pytest.mark.parametrize("text", ["", "schema = 2", "x = [", 'schema = 1\nname = "a"', "exercise = 3"])
def test_what_is_no_lesson_is_refused(text: str) -> None:
    with pytest.raises(AquakitError):
        Lesson.parse(text, "test.toml")
