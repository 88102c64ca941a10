"""What strangers can hand in, by kind: a sound text of it, and all that the kit does with one."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import aquakit
from aquakit import aquadukt, romana
from aquakit.board.draft import draft
from aquakit.core.record import Record
from aquakit.engine.matches.match import Match
from aquakit.puzzle.collection import home as puzzle_home
from aquakit.puzzle.model import PuzzleSet
from aquakit.training.attempt import stamp
from aquakit.training.result_file import ResultError, gather
from aquakit.workshop.collection import home as lesson_home
from aquakit.workshop.lesson import Lesson
from aquakit.workshop.sheet import Sheet

ROMANA, AQUADUKT = aquakit.start("romana2-5x4"), aquakit.start("aquadukt2-6x5", seed=1)
TURN = "b3=+@E4 xR1 *j"
BOARD = "mine.toml"
"""A layout that lies beside every file."""
Use = Callable[[str, Path], object]
"""Uses a text in a folder as the kit's users would."""


class Kind(NamedTuple):
    """Something that strangers hand in."""

    samples: Callable[[], list[str]]
    use: Use


def _use_position(text: str, folder: Path) -> None:
    position = aquakit.parse(text)
    assert aquakit.parse(str(position)) == position
    draft(position)
    position.diagram()


def _use_turn(text: str, folder: Path) -> None:
    for start in (ROMANA, AQUADUKT):
        start.turn_type.parse(text)
        start.play(text)


def _write(name: str, text: str, folder: Path) -> Path:
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def _use_record(text: str, folder: Path) -> None:
    for read in (lambda: Record.load(_write("game.txt", text, folder)), lambda: Record.parse(text)):
        record = read()
        assert str(Record.parse(str(record), record.start.layout)) == str(record)


def _use_layout(text: str, folder: Path) -> None:
    layout = aquakit.load_layout(_write("layout.toml", text, folder))
    aquakit.start(layout).diagram()


def _use_puzzles(text: str, folder: Path) -> None:
    for puzzle in PuzzleSet.load(_write("puzzles.toml", text, folder)).puzzles:
        stamp(puzzle)
    assert str(PuzzleSet.parse(text))


def _use_lesson(text: str, folder: Path) -> None:
    Lesson.load(_write("exercises.toml", text, folder))


def _use_results(text: str, folder: Path) -> None:
    """Reads results beside sound ones, which must be kept whatever stands in the others."""
    sound = _write("results-Ada.jsonl", RESULTS.replace("Ada", "Sound"), folder)
    sheet = Sheet(gather([_write("results-Bob.jsonl", text, folder), sound]))
    assert "Sound" in sheet.people
    sheet.csv().encode()
    "".join(str(hard) for hard in sheet.hardness()).encode()
    if sheet.notes:
        raise ResultError("results", "; ".join(sheet.notes))


def _use_match(text: str, folder: Path) -> None:
    found = Match.load(_write("match.jsonl", text, folder))
    repr(found), found.json(), found._repr_html_()
    for result in found.results:
        found.record(result.game)


def _first(text: str, mark: str, count: int) -> str:
    """Gets a set's file with its first few tasks, and their answers."""
    head, *tasks = text.partition("\n# The answers")[0].split(f"\n[[{mark}]]\n")
    names = [re.search('^id = "(.*)"', task, re.MULTILINE)[1] for task in tasks[:count]]
    answers = re.findall(r'(?ms)^\[answers\."?([a-z0-9-]+)"?(?:\.\w+)?\]\n.*?(?=^\[|\Z)', text)
    blocks = re.findall(r"(?ms)^\[answers\.[^\n]*\]\n.*?(?=^\[|\Z)", text)
    kept = [block for name, block in zip(answers, blocks, strict=True) if name in names]
    return f"\n[[{mark}]]\n".join([head, *tasks[:count]]) + "\n" + "".join(kept)


RESULTS = (
    '{"at": "2026-03-02T20:15:00+00:00", "person": "Ada", "lesson": "rules", "exercise": "rules-tiles", "answer": "7",'
    ' "outcome": "right", "hints": 1, "seconds": 12.5}\n'
)


def _positions() -> list[str]:
    moments = [ROMANA, ROMANA.act("b3=+@E4"), ROMANA.play(TURN), aquakit.start("romana2", setup=True), AQUADUKT]
    return [*map(str, moments), str(aquakit.start("aquadukt2", seed=3, events=True)), f"{BOARD} {str(ROMANA)[12:]}"]


def _records() -> list[str]:
    record = Record(ROMANA, {"event": "Club"})
    record.root.play(TURN).play("d2=7@Sd").comment = "A long way.\nTo go."
    record.root.play("b3=|@Sb")
    return [str(record), str(record).replace("start: romana2-5x4", f"start: {BOARD}")]


def _layouts() -> list[str]:
    return [layout.load(layout.names()[1]).text for layout in (romana.Layout, aquadukt.Layout)]


def _puzzles() -> list[str]:
    return [_first((puzzle_home() / "first-steps.toml").read_text("utf-8"), "puzzle", 2)]


def _lessons() -> list[str]:
    return [_first((lesson_home() / "rules.toml").read_text("utf-8"), "exercise", 4)]


def _matches() -> list[str]:
    head = (
        '{"form":"aquakit match 1","version":"0.1.0","bots":["greedy","random"],"layout":"romana2-5x4","board":"0",'
        '"options":{},"ways":2,"seed":0}\n'
    )
    game = (
        f'{{"game":0,"seats":["greedy","random"],"seed":1,"start":"{ROMANA}","turns":["{TURN}"],"scores":[5,0],'
        '"places":[1,2],"shares":[1.0,0.0],"seconds":[0.1,0.2]}\n'
    )
    return [head + game + game.replace('"game":0', '"game":1').replace('"greedy","random"', '"random","greedy"')]


KINDS = {
    "position": Kind(_positions, _use_position),
    "turn": Kind(lambda: [TURN, "d2=7@Sd x-", "roll, die 2, 3 c4, stop", "spring 3.2"], _use_turn),
    "record": Kind(_records, _use_record),
    "layout": Kind(_layouts, _use_layout),
    "puzzles": Kind(_puzzles, _use_puzzles),
    "lesson": Kind(_lessons, _use_lesson),
    "results": Kind(lambda: [RESULTS * 2], _use_results),
    "match": Kind(_matches, _use_match),
}


@cache
def samples(kind: str) -> list[str]:
    """Gets sound texts of a kind."""
    return KINDS[kind].samples()


# Spoiling

DIGITS = "9" * 4400
NASTY = [
    *("", " ", "\n", "\t", ".", "/", ",", "-", "'", '"', "=", "#", "[", "]", "{", "}", "%", "*", "0", "-1", "1e999"),
    *("NaN", "Infinity", "null", "true", "[]", "{}", '""', "9" * 30, "9" * 400, DIGITS, "1e999999999", "0.5", "7/20"),
    *(
        "/dev/zero",
        "../secret.toml",
        "secret.toml",
        "link.toml",
        "fifo.toml",
        BOARD,
        "m%69ne.toml",
        "%2e%2e/secret.toml",
    ),
    *("\x1b[2J", "\x00", "\x85", "\u202e", "\ufeff", "\ud800", "\\ud800", "\\u0000", "é", "😀", "\u0661", "²"),
    *("[" * 3000, '{"a":' * 3000, "a." * 3000, "x" * 5000, " : ", "; ", "1. ", "result: ", "start: ", "schema = 1\n"),
    *("2026-03-02", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "99:99:99"),
]


def spoil(text: str, draw: random.Random) -> str:
    """Spoils a text in one to three places."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        text = draw.choice(WAYS)(text, draw)
    return text


def _cut(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + text[at + draw.choice((1, 1, 3, 20, 10**6)) :]


def _insert(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(NASTY) + text[at:]


def _replace_word(text: str, draw: random.Random) -> str:
    """Puts something else in the place of a word, a number or a quoted text."""
    words = list(re.finditer(r'"[^"\n]*"|[0-9]+(\.[0-9]+)?|[^\s",:\[\]{}=]+', text))
    if not words:
        return _insert(text, draw)
    word, other = draw.choice(words), draw.choice([*NASTY, *(found[0] for found in words)])
    quoted = word[0].startswith('"') and not other.startswith('"') and draw.random() < 0.7
    return text[: word.start()] + (f'"{other}"' if quoted else other) + text[word.end() :]


def _repeat(text: str, draw: random.Random) -> str:
    start, end = sorted(draw.randrange(len(text) + 1) for _ in range(2))
    return text[:end] + text[start:end] * draw.choice((1, 1, 2, 50 if end - start < 100 else 1)) + text[end:]


def _change_letter(text: str, draw: random.Random) -> str:
    if not text:
        return text
    at = draw.randrange(len(text))
    return text[:at] + draw.choice([draw.choice(text), chr(draw.randrange(1, 256))]) + text[at + 1 :]


WAYS = (_cut, _insert, _replace_word, _replace_word, _replace_word, _repeat, _change_letter)
