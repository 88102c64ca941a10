"""The sheet: who did what, which exercise was hard, what is broken; and nothing of it is taken for HTML or formulas."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aquakit.errors import InvalidOption
from aquakit.training.attempt import Attempt
from aquakit.training.result_file import Damage, Gathered
from aquakit.workshop.sheet import Sheet

EVIL = "<img src=x onerror=alert(1)>"


def attempt(
    person: str, exercise: str, outcome: str, *, hints: int = 0, seconds: float = 10, minute: int = 0
) -> Attempt:
    return Attempt(
        at=datetime(2026, 3, 2, 20, minute, tzinfo=UTC),
        task=exercise,
        answer="7",
        outcome="right" if outcome == "right" else "wrong",
        hints=hints,
        seconds=seconds,
        shown=outcome == "shown",
        person=person,
        lesson="rules",
    )


EVENING = [
    attempt("Ada", "rules-tiles", "right"),
    attempt("Ada", "rules-podium", "wrong", minute=1),
    attempt("Ada", "rules-podium", "right", hints=1, seconds=40, minute=2),
    attempt("Ada", "rules-podium", "wrong", minute=3),  # practice
    attempt("Bob", "rules-tiles", "right", hints=1),
    attempt("Bob", "rules-podium", "shown", seconds=90, minute=4),
    attempt("cid", "rules-podium", "wrong"),
    attempt("cid", "rules-podium", "wrong", minute=1, seconds=30),
]


def make(*attempts: Attempt, damages: tuple[Damage, ...] = (), files: dict[Path, set[str]] | None = None) -> Sheet:
    return Sheet(Gathered(list(attempts), list(damages), files or {}))


class Tags(HTMLParser):
    """Collects tags and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [tag, *(name for name, _ in attrs)]


def test_a_row_sums_up_what_a_person_did_with_an_exercise() -> None:
    rows = [(r.person, r.exercise, r.state, r.tries, r.hints, r.seconds) for r in make(*EVENING).rows]
    assert rows == [
        ("Ada", "rules-tiles", "first", 1, 0, 10),
        ("Ada", "rules-podium", "later", 2, 1, 40),
        ("Bob", "rules-tiles", "later", 1, 1, 10),
        ("Bob", "rules-podium", "shown", 0, 0, 90),
        ("cid", "rules-podium", "open", 2, 0, 30),
    ]


def test_the_hardest_exercise_comes_first() -> None:
    hard, easy = make(*EVENING).hardness()
    assert (hard.exercise, hard.solved, hard.people, hard.seconds) == ("rules-podium", 1, 3, 40)
    assert (easy.exercise, easy.solved, easy.people, easy.counts["first"]) == ("rules-tiles", 2, 2, 1)
    assert (hard.tries, easy.hints) == (pytest.approx(4 / 3), 0.5)


def test_the_table_is_read_by_spreadsheets() -> None:
    rows = list(csv.DictReader(io.StringIO(make(*EVENING).csv())))
    assert len(rows) == 5
    assert rows[1]["title"] == "Taken!"
    assert (rows[1]["person"], rows[1]["state"], rows[1]["tries"]) == ("Ada", "later", "2")


def test_the_page_shows_a_table_and_a_plot() -> None:
    page = make(*EVENING).html()
    assert "3 participants, 8 answers" in page
    assert re.findall(r'<th scope="row">(\w+)</th><td class="number">(\d)</td>', page) == [
        ("Ada", "2"),
        ("Bob", "1"),
        ("cid", "0"),
    ]
    (picture,) = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", page)
    assert b"<svg" in b64decode(picture)
    assert "http" not in page  # nothing is fetched


def test_names_and_damage_are_texts_and_never_markup() -> None:
    files = {Path(f"results-{name}.jsonl"): {EVIL} for name in ("a", "b")}
    damage = Damage(Path(f"results-{EVIL.replace('/', '')}.jsonl"), 3, f"is damaged: {EVIL}")
    page = make(attempt(EVIL, f"rules-{EVIL}$", "wrong"), damages=(damage,), files=files).html()
    tags = Tags()
    tags.feed(page)
    assert "onerror" not in tags.seen
    assert tags.seen.count("img") == 1  # the plot
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "counted as one person" in page


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_no_name_is_taken_for_a_formula(name: str) -> None:
    row = next(csv.DictReader(io.StringIO(make(attempt(name, "rules-tiles", "wrong")).csv())))
    assert row["person"] == f"'{name}"


def test_exercises_that_nobody_knows_are_counted_too() -> None:
    sheet = make(attempt("Ada", "gone", "right"), attempt("Ada", "rules-tiles", "right"))
    assert [(row.exercise, row.title) for row in sheet.rows] == [("rules-tiles", "How long is it?"), ("gone", "")]


def test_a_sheet_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    sheet = make(*EVENING)
    assert [path.name for path in sheet.save(tmp_path / "evening")] == ["evening.csv", "evening.html"]
    with pytest.raises(InvalidOption, match="is there already"):
        sheet.save(tmp_path / "evening")
    sheet.save(tmp_path / "evening", force=True)
    with pytest.raises(InvalidOption, match="cannot be written"):
        sheet.save(tmp_path / "nowhere" / "evening")
