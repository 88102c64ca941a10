"""A puzzle's file that was changed in one place fails the check, which names the puzzle and the field: every kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from small_puzzles import EVERY, small_set

from aquakit.cli import main as cli
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import LINE, Puzzle, PuzzleSet

Check = Callable[[PuzzleSet | str], tuple[int, str]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Writes a set's file and runs `aquakit puzzle check` on it; gets the exit code and what was said."""

    def call(made: PuzzleSet | str) -> tuple[int, str]:
        path = tmp_path / "small.toml"
        path.write_text(str(made), "utf-8")
        code = cli.run(["puzzle", "check", str(path)])
        out, err = capsys.readouterr()
        return code, (out + err).replace(f"{path}", "small.toml")

    return call


def change(kind: str, puzzle: dict[str, Any] | None = None, answer: dict[str, Any] | None = None) -> PuzzleSet:
    """Gets the set of the small puzzle of a kind, with some fields changed."""
    made = small_set(kind)
    pair = (
        made[0].model_copy(update=puzzle or {}),
        made.answer(made[0]).model_copy(update=answer or {}),
    )
    return PuzzleSet.make(made.name, made.title, made.text, [pair])


def blamed(kind: str, said: str) -> list[str]:
    """Lists the fields that are named, and nothing of another puzzle."""
    return re.findall(rf"^small\.toml: small-{kind}: ([\w.]+): ", said, re.MULTILINE)


def every_digit(text: str) -> Iterator[str]:
    """Gets a text with each of its digits changed in turn."""
    for found in re.finditer(r"\d", text):
        yield f"{text[: found.start()]}{(int(found[0]) + 1) % 10}{text[found.end() :]}"


@pytest.mark.parametrize("kind", EVERY)
def test_what_is_as_it_was_passes(kind: str, check: Check) -> None:
    code, said = check(change(kind))
    assert (code, blamed(kind, said)) == (0, []), said


@pytest.mark.parametrize("kind", EVERY)
def test_a_digit_of_the_value_is_missed(kind: str, check: Check) -> None:
    text = str(change(kind))
    line = re.search(r"^value = .*$", text, re.MULTILINE)
    assert line is not None
    changed = list(every_digit(line[0]))
    assert changed
    for other in changed:
        code, said = check(text.replace(line[0], other))
        assert (code, blamed(kind, said)) == (1, ["value"]), said


@pytest.mark.parametrize("kind", EVERY)
def test_every_accepted_answer_is_missed(kind: str, check: Check) -> None:
    accepted = small_set(kind).answers[f"small-{kind}"].accepted
    for answer in accepted:
        left = tuple(other for other in accepted if other != answer)
        if left:
            code, said = check(change(kind, answer={"accepted": left}))
            assert (code, blamed(kind, said)) == (1, ["accepted"])
            assert f"accepted: {answer!r} is missing" in said
        else:  # a file without any is not even read
            code, said = check(re.sub(r"^accepted = .*$", "accepted = []", str(change(kind)), flags=re.MULTILINE))
            assert code == 2
            assert f"small.toml: small-{kind}: answers.accepted: " in said


EXTRA = {
    "plan": "d3=L@W4 e2=L x-",
    "timing": "R2@3",
    "longest": "any 7",
    "duel": "d3=L@W4 e2=L x-",
    "endgame": "e3=Z@W4 x-",
    "canals": "canal 3.2h, canal 3.2h",
    "house": "3 c3",
}
"""Answers that somebody might take for best."""


@pytest.mark.parametrize("kind", EVERY)
def test_an_answer_too_many_is_found(kind: str, check: Check) -> None:
    accepted = small_set(kind).answers[f"small-{kind}"].accepted
    code, said = check(change(kind, answer={"accepted": (*accepted, EXTRA[kind])}))
    assert (code, blamed(kind, said)) == (1, ["accepted"])
    assert f"accepted: {EXTRA[kind]!r} is not among the proved answers" in said


@pytest.mark.parametrize("kind", EVERY)
def test_another_margin_is_found(kind: str, check: Check) -> None:
    margin = small_set(kind).answers[f"small-{kind}"].margin
    assert margin is not None
    for other in (margin + 1, margin - 1, None):
        code, said = check(change(kind, answer={"margin": other}))
        assert (code, blamed(kind, said)) == (1, ["margin"])
        assert f"but {margin} is proved" in said


def weaker_line(puzzle: Puzzle) -> str:
    """Gets a line that the rules allow and that is not worth the value."""
    if puzzle.kind in ("timing", "longest", "canals", "house"):
        line = {"timing": "wait", "longest": "d3=Z c3=F", "canals": "canal 3.2h, canal 3.2h", "house": "decline"}
        return line[puzzle.kind]
    position, turns = puzzle.start, list[str]()
    while not position.is_over and (not puzzle.horizon or len(turns) < puzzle.horizon):
        turns.append(str(next(iter(position.turns()))))
        position = position.play(turns[-1])
    return LINE.join(turns)


@pytest.mark.parametrize("kind", EVERY)
def test_a_line_that_is_worth_less_is_found(kind: str, check: Check) -> None:
    puzzle = small_set(kind)[0]
    line = weaker_line(puzzle)
    worth = find_kind(kind).worth(puzzle, line)
    assert worth != puzzle.value, "the test's own line"
    code, said = check(change(kind, answer={"line": line}))
    assert (code, blamed(kind, said)) == (1, ["line"])
    assert f"line: reaches {worth}, not {puzzle.value}" in said


@pytest.mark.parametrize("kind", EVERY)
def test_a_line_against_the_rules_is_found(kind: str, check: Check) -> None:
    line = small_set(kind).answers[f"small-{kind}"].line
    illegal = {"timing": "R9@1", "longest": f"{line} {line.split()[0]}", "canals": "canal 0.0h", "house": "4 f4"}
    code, said = check(change(kind, answer={"line": illegal.get(kind, line.replace("@W4", "@W2"))}))
    assert (code, blamed(kind, said)) == (1, ["line"]), said


@pytest.mark.parametrize("kind", EVERY)
def test_a_theme_too_many_and_a_missing_one_are_found(kind: str, check: Check) -> None:
    themes = small_set(kind)[0].themes
    assert themes
    code, said = check(change(kind, {"themes": themes[1:]}))
    assert (code, blamed(kind, said)) == (1, ["themes"])
    assert f"themes: {themes[0]!r} is missing" in said
    code, said = check(change(kind, {"themes": (*themes, "zugzwang")}))
    assert (code, blamed(kind, said)) == (1, ["themes"])
    assert "themes: 'zugzwang' is not there" in said
