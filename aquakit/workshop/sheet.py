"""Gathers participants' results into one table: who did what, and which exercise was hard."""

from __future__ import annotations

import io
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from statistics import fmean, median
from typing import Literal

from aquakit.core.files import write_atomically
from aquakit.core.words import count
from aquakit.errors import InvalidOption, shorten
from aquakit.training.attempt import Attempt
from aquakit.training.result_file import Gathered, write_time
from aquakit.training.tables import write_csv
from aquakit.workshop.checks import ExerciseError
from aquakit.workshop.collection import lesson_files, load_lesson

State = Literal["first", "later", "shown", "open"]
STATES: dict[State, tuple[str, str]] = {
    "first": ("✓", "right at the first try, without a hint"),
    "later": ("(✓)", "right later, or with hints"),
    "shown": ("?", "asked for the answer"),
    "open": ("✗", "tried, not right yet"),
}
"""What became of an exercise, with its sign and in words."""
LOOKS: dict[State, tuple[str, str]] = {
    "first": ("#2f7d4f", ""),
    "later": ("#a5cf9f", "//"),
    "shown": ("#e3b95b", ".."),
    "open": ("#c0573f", "xx"),
}
"""Colour and hatching of each in the plot."""
COLUMNS = ("person", "lesson", "exercise", "title", "state", "tries", "hints", "seconds", "last")


@dataclass(frozen=True)
class ResultRow:
    """What one person did with one exercise."""

    person: str
    lesson: str
    exercise: str
    title: str
    state: State
    tries: int
    """How many answers were given until it was decided."""
    hints: int
    seconds: float
    """How long it took, from the question to the last of them."""
    last: str
    """When the last answer was given."""


@dataclass(frozen=True)
class Hardness:
    """How an exercise went for all who tried it."""

    lesson: str
    exercise: str
    title: str
    counts: dict[State, int]
    tries: float
    """Answers of each person, on average."""
    hints: float
    seconds: float
    """The time it took, half of the people longer."""

    @property
    def people(self) -> int:
        """How many tried it."""
        return sum(self.counts.values())

    @property
    def solved(self) -> int:
        """How many came to a right answer."""
        return self.counts["first"] + self.counts["later"]

    @property
    def ease(self) -> tuple[float, float, float]:
        """What hard exercises have little of: right answers, at the first try, soon."""
        return self.solved / self.people, self.counts["first"] / self.people, -self.tries


class Sheet:
    """The table of a workshop."""

    def __init__(self, gathered: Gathered) -> None:
        self.gathered = gathered
        self.rows = _make_rows(gathered.attempts)
        self.people = sorted({row.person for row in self.rows}, key=str.casefold)
        self.exercises = _in_order({(row.lesson, row.exercise) for row in self.rows})

    @property
    def notes(self) -> list[str]:
        """What the leader should know: damage, and names that stand in several files."""
        notes = [str(damage) for damage in self.gathered.damages]
        for person in self.people:
            files = sorted(path.name for path, people in self.gathered.files.items() if person in people)
            if len(files) > 1:
                notes.append(
                    f"{person} stands in {count(len(files), 'file')}, counted as one person: {', '.join(files)}"
                )
        return notes

    def hardness(self) -> list[Hardness]:
        """Lists the exercises, the hardest first."""
        found = []
        for lesson, exercise in self.exercises:
            rows = [row for row in self.rows if (row.lesson, row.exercise) == (lesson, exercise)]
            counts = {state: sum(row.state == state for row in rows) for state in STATES}
            tries, hints = fmean(row.tries for row in rows), fmean(row.hints for row in rows)
            seconds = median(row.seconds for row in rows)
            found.append(Hardness(lesson, exercise, rows[0].title, counts, tries, hints, seconds))
        return sorted(found, key=lambda hard: (hard.ease, hard.exercise))

    # Writing

    def csv(self) -> str:
        """Writes the rows for a spreadsheet; where it could take a text for a formula, an apostrophe stands before."""
        return write_csv(COLUMNS, ([getattr(row, column) for column in COLUMNS] for row in self.rows))

    def html(self) -> str:
        """Writes a page of its own, with the plot in it."""
        parts = [_head(self), *_notes(self.notes), _matrix(self), _plot(self.hardness()), _hard(self.hardness())]
        return PAGE.replace("BODY", "\n".join(parts))

    def save(self, stem: Path, *, force: bool = False) -> tuple[Path, Path]:
        """Writes the table as CSV and as a page; gets both files."""
        paths = stem.with_name(f"{stem.name}.csv"), stem.with_name(f"{stem.name}.html")
        for path in paths:
            if path.exists() and not force:
                raise InvalidOption("out", f"{path} is there already", "another name, or --force to write over it")
        try:
            for path, text in zip(paths, (self.csv(), self.html()), strict=True):
                write_atomically(path, text)
        except OSError as problem:
            raise InvalidOption("out", f"{stem} cannot be written: {problem.strerror}", "a name in a folder") from None
        return paths


# Rows


def _make_rows(attempts: Iterable[Attempt]) -> list[ResultRow]:
    """Sums up the attempts of each person at each exercise, until it was decided."""
    tried: defaultdict[tuple[str, str, str], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        mine = tried[attempt.person, attempt.lesson, attempt.task]
        if not mine or not (mine[-1].solved or mine[-1].shown):  # after that it is practice
            mine.append(attempt)
    titles = _titles()
    rows = [_sum_up(mine, titles.get(mine[0].task, "")) for mine in tried.values()]
    order = {key: place for place, key in enumerate(_in_order({(row.lesson, row.exercise) for row in rows}))}
    return sorted(rows, key=lambda row: (row.person.casefold(), row.person, order[row.lesson, row.exercise]))


def _sum_up(attempts: Sequence[Attempt], title: str) -> ResultRow:
    last = attempts[-1]
    tries = sum(not attempt.shown for attempt in attempts)
    hints = max(attempt.hints for attempt in attempts)
    state: State = "shown" if last.shown else "later" if last.solved else "open"
    if last.solved and tries == 1 and not hints:
        state = "first"
    seconds = max(attempt.seconds for attempt in attempts)
    return ResultRow(last.person, last.lesson, last.task, title, state, tries, hints, seconds, write_time(last.at))


def _known() -> Iterator[tuple[str, str, str]]:
    """Lists all exercises that are known here: lesson, name, title."""
    for name in lesson_files():
        try:
            lesson = load_lesson(name)
        except ExerciseError:
            continue  # the sheet is about results
        yield from ((lesson.name, question.id, question.title) for question in lesson.questions)


def _titles() -> dict[str, str]:
    return {exercise: title for _, exercise, title in _known()}


def _in_order(exercises: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Sorts exercises as they stand in the lessons; unknown ones come last, by name."""
    places = {(lesson, exercise): place for place, (lesson, exercise, _) in enumerate(_known())}
    return sorted(exercises, key=lambda key: (places.get(key, len(places)), key))


# The page. Every text from a file goes through `escape`.

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Workshop results</title>
<style>
:root { --ink: #3a2c20; --paper: #fbf6ea; --line: #dccba8; --faint: #75634c; --card: #fffdf7; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f1e6d2; --paper: #211b16; --line: #4b3f33; --faint: #b3a189; --card: #2c251e; }
}
html { color-scheme: light dark; }
body { background: var(--paper); color: var(--ink); font: 16px/1.45 "Segoe UI", Arial, sans-serif; margin: 2rem auto;
  max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { background: var(--card); border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: bottom; }
td.number, td.sign { text-align: center; } td.number { font-variant-numeric: tabular-nums; }
th[scope="row"] { white-space: nowrap; }
th.exercise { font-weight: 500; white-space: nowrap; writing-mode: vertical-rl; }
.faint { color: var(--faint); }
.notes { border-left: 5px dashed #c0573f; padding: .2rem 1rem; }
img { background: #fff; border-radius: 8px; max-width: 100%; }
</style>
BODY
</html>
"""


def _head(sheet: Sheet) -> str:
    done = count(len(sheet.gathered.attempts), "answer")
    return f"<h1>Workshop results</h1>\n<p>{count(len(sheet.people), 'participant')}, {done}.</p>"


def _notes(notes: list[str]) -> list[str]:
    if not notes:
        return []
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return [f'<div class="notes"><p>Please look at this:</p><ul>{listed}</ul></div>']


def _matrix(sheet: Sheet) -> str:
    """Writes who did what: a row for each person, a column for each exercise."""
    found = {(row.person, row.lesson, row.exercise): row for row in sheet.rows}
    heads = "".join(
        f'<th class="exercise" scope="col" title="{escape(lesson)}">{escape(exercise)}</th>'
        for lesson, exercise in sheet.exercises
    )
    lines = []
    for person in sheet.people:
        cells = "".join(_cell(found.get((person, *key))) for key in sheet.exercises)
        solved = sum(row.person == person and row.state in ("first", "later") for row in sheet.rows)
        lines.append(f'<tr><th scope="row">{escape(person)}</th><td class="number">{solved}</td>{cells}</tr>')
    legend = ", ".join(f"{sign} {words}" for sign, words in STATES.values())
    table = f"<table><tr><th>who</th><th>solved</th>{heads}</tr>{''.join(lines)}</table>"
    return f'<h2>Who did what</h2><div class="wide">{table}</div><p class="faint">{legend}; empty: not tried.</p>'


def _cell(row: ResultRow | None) -> str:
    if row is None:
        return "<td></td>"
    told = f"{STATES[row.state][1]}: {count(row.tries, 'try').replace('trys', 'tries')}, {count(row.hints, 'hint')}"
    return f'<td class="sign" title="{escape(told)}">{STATES[row.state][0]}</td>'


def _hard(hardness: list[Hardness]) -> str:
    """Writes how each exercise went, the hardest first."""
    lines = []
    for hard in hardness:
        numbers = (f"{hard.solved} of {hard.people}", hard.counts["first"], f"{hard.tries:.1f}", f"{hard.hints:.1f}")
        cells = "".join(f'<td class="number">{number}</td>' for number in (*numbers, f"{hard.seconds:.0f} s"))
        named = f"<td>{escape(hard.exercise)}</td><td>{escape(hard.title)}</td><td>{escape(hard.lesson)}</td>"
        lines.append(f"<tr>{named}{cells}</tr>")
    heads = ("exercise", "title", "lesson", "solved", "at first try", "tries", "hints", "time")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    said = "Tries and hints are averages for each person; half of the people took longer than the time."
    return (
        f'<h2>Exercise by exercise</h2><div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'
        f'<p class="faint">{said}</p>'
    )


def _plot(hardness: list[Hardness]) -> str:
    """Draws how the exercises went, as a picture inside the page."""
    if not hardness:
        return ""
    picture = b64encode(draw(hardness)).decode()
    text = "; ".join(f"{hard.exercise}: {hard.solved} of {hard.people} solved" for hard in hardness)
    image = f'<img src="data:image/svg+xml;base64,{picture}" alt="{escape(text)}">'
    return f"<h2>Which exercise was hard</h2>\n{image}"


def draw(hardness: list[Hardness]) -> bytes:
    """Draws a bar for each exercise, the hardest on top, as SVG."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(9, 1.4 + 0.36 * len(hardness)), layout="constrained")
    axes = figure.subplots()
    places = range(len(hardness))
    left = [0] * len(hardness)
    for state, (_, words) in STATES.items():
        widths = [hard.counts[state] for hard in hardness]
        colour, hatch = LOOKS[state]
        axes.barh(places, widths, left=left, color=colour, hatch=hatch, edgecolor="#3a2c20", linewidth=0.7, label=words)
        left = [start + width for start, width in zip(left, widths, strict=True)]
    # A name from a file is never taken for a formula.
    axes.set_yticks(places, [shorten(hard.exercise, 40) for hard in hardness], parse_math=False)
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("people")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper left", ncols=2, frameon=False)
    made = io.BytesIO()
    figure.savefig(made, format="svg", metadata={"Date": None})
    return made.getvalue()
