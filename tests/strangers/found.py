"""What strangers handed in that once broke something: each with its kind, one a line."""

from __future__ import annotations

from strangers import RESULTS, samples

DEEP, DIGITS = "[" * 3000, "9" * 4400
MATCH, PUZZLES, LESSON = (samples(kind)[0] for kind in ("match", "puzzles", "lesson"))
LAYOUT = samples("layout")[0]
VALUE = next(line for line in PUZZLES.splitlines() if line.startswith("value = "))


def change(text: str, old: str, new: str) -> str:
    """Changes one thing in a sound text."""
    assert old in text
    return text.replace(old, new, 1)


FOUND: list[tuple[str, str]] = [
    ("position", "/dev/zero F x x x x x x x"),
    ("position", "fifo.toml F x x x x x x x"),
    ("position", "../secret.toml F x x x x x x x"),
    ("position", "x" * 40_000),
    ("position", " ".join(["romana2-5x4", *"x" * 40_000])),
    ("record", "aquakit record 1\nstart: /dev/zero F x x x x x x x\n\nresult: *\n"),
    ("record", "aquakit record 1\nstart: zero.toml F x x x x x x x\n\nresult: *\n"),
    ("record", "aquakit record 1\nstart: fifo.toml F x x x x x x x\n\nresult: *\n"),
    ("record", "aquakit record 1\nstart: link.toml F x x x x x x x\n\nresult: *\n"),
    ("record", "aquakit record 1\nstart: %2e%2e%2fsecret.toml F x x x x x x x\n\nresult: *\n"),
    ("layout", f"game = {DEEP}"),
    ("layout", f"columns = {DIGITS}"),
    ("layout", change(LAYOUT, "columns = 5", f"columns = {DIGITS}")),
    ("layout", "game.a" + ".a" * 3000 + " = 1"),
    ("layout", "game = 2026-03-02"),
    ("layout", 'game = ["romana"]'),
    ("puzzles", change(PUZZLES, 'title = "First steps"', f"title = {DEEP}")),
    ("puzzles", change(PUZZLES, "horizon = 0", f"horizon = {DIGITS}")),
    ("puzzles", change(PUZZLES, VALUE, "value = '1e999999999'")),
    ("puzzles", change(PUZZLES, VALUE, f"value = {'9' * 4000}")),
    ("puzzles", change(PUZZLES, 'aqueduct = "R1"', "aqueduct = 2026-03-02T20:15:00")),
    ("puzzles", change(PUZZLES, 'aqueduct = "R1"', "aqueduct = nan")),
    ("puzzles", change(PUZZLES, 'aqueduct = "R1"', "aqueduct" + ".a" * 3000 + " = 1")),
    ("puzzles", change(PUZZLES, 'position = "romana2-5x4', 'position = "/dev/zero')),
    ("puzzles", change(PUZZLES, 'position = "romana2-5x4', 'position = "zero.toml')),
    ("lesson", change(LESSON, 'title = "A first turn"', f"title = {DEEP}")),
    ("lesson", change(LESSON, 'title = "A first turn"', f"title = {DIGITS}")),
    ("lesson", change(LESSON, 'position = "romana2-5x4"', 'position = "/dev/zero F x x x x x x x"')),
    ("results", change(RESULTS, "2026-03-02T20:15:00+00:00", "0001-01-01T00:00:00+14:00")),
    ("results", change(RESULTS, "2026-03-02T20:15:00+00:00", "9999-12-31T23:59:59-14:00")),
    ("results", change(RESULTS, '"hints": 1', '"hints": ' + "9" * 400)),
    ("results", change(RESULTS, '"hints": 1', f'"hints": {DIGITS}')),
    ("results", change(RESULTS, '"hints": 1', '"hints": ' + DEEP)),
    ("results", change(RESULTS, "12.5", "NaN")),
    ("results", change(RESULTS, '"Ada"', '"\\ud800"')),
    ("results", change(RESULTS, '"rules"', '"\\ud800"')),
    ("match", change(MATCH, '"seats":["greedy","random"]', '"seats":["greedy","greedy"]')),
    ("match", change(MATCH, '"seats":["greedy","random"]', '"seats":[]')),
    ("match", change(MATCH, '"scores":[5,0]', '"scores":[]')),
    ("match", change(MATCH, '"scores":[5,0]', '"scores":[' + "9" * 400 + ",0]")),
    ("match", change(MATCH, '"shares":[1.0,0.0]', '"shares":[1.0,1.0]')),
    ("match", change(MATCH, '"seconds":[0.1', '"seconds":[1e400')),
    ("match", change(MATCH, '"seconds":[0.1', '"seconds":[Infinity')),
    ("match", change(MATCH, '"ways":2', '"ways":1000000000000000000')),
    ("match", change(MATCH, '"start":"romana2-5x4', '"start":"/dev/zero')),
    ("match", change(MATCH, '"options":{}', '"options":' + '{"a":' * 3000)),
]
