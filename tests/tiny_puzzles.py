"""A few small puzzles of every kind that a trainer asks, proved when they are needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import aquakit
from aquakit.aquadukt import Position
from aquakit.cli.demo import AQUADUKT, ROMANA
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Answer, ProofNote, Puzzle, PuzzleSet

STUDY = (
    "romana4 FF##...##+7/.ZJ|...|.../.......+.../.......J.|./.........../...F+7...../...|..NNZ../LZ##...##JJ "
    "c....csc.bd/.b....../s...sc..b.d/..d..... sbdj -,-,-,- *.*.*,*.*.*,*.*.*,*.*.1 15.17.18.16 1! 0"
)
DUEL = (
    "romana2 FZ##...##+7/..L+...JL+./...+......./.......N.../.......+.7./.+.ZN.||.../.ZJ|...|N../LN##...##7J "
    "cj..cs...db/..b..c../s...sc.b..d/....dd.b s -,- *.2.*.*.0.*,*.*.*.0.1.* 15.17.15.14 1 0"
)
RIVAL_PICKS = (
    "romana2-7x6 F.##..7/..NN+../...+F../....N../...FZ../L..##.J .c..bs./..dc../cc..bs./..dc.. sj -,- *.*.*,*.1.* "
    "7.9.6.4 2 0"
)
"""After d3=+@Ne x- the other player picks a builder."""
ENDGAME = "romana2-5x4 F##+7/ZJ.../..-7./L+##J ..c.s/.bd./..cs./.b.d dj -,- *.*,*.* 2.3.1.2 1 0"
ROLLED = (
    Position.start("aquadukt2-6x5", mountains=["a5", "f4"])
    .play("spring 3.2")
    .act("roll")
    .act("die 1")
    .act("1 a4")
    .act("roll")
    .act("die 2")
)

RIGHT, EQUAL, WRONG = "b6=+@E7 x-", "a7=+@E7 *b", "d6=+@E7 x-"
"""Turns in STUDY: that of the file, another with all 5 points, and one that loses 3 in one turn and 2 in two."""
MARKUP = "<img src=x onerror='window.pwned=1'>"

ASKED: dict[str, tuple[str, str, int, dict[str, Any], str, int]] = {
    "five": ("plan", STUDY, 1, {}, "Five at a stroke", 1),
    "two-turns": ("plan", STUDY, 2, {}, "Two turns alone", 2),
    "reply": ("duel", DUEL, 2, {}, "A reply to fear", 3),
    "pick": ("duel", RIVAL_PICKS, 1, {}, f"Who picks? {MARKUP}", 1),
    "long": ("longest", str(aquakit.start("romana2-5x4")), 0, {"aqueduct": "R1"}, "As long as can be", 4),
    "close": ("timing", str(ROMANA), 3, {"growth": {"R1": [3, 4, 5]}}, "When to close", 2),
    "roll": ("house", str(ROLLED), 1, {}, "Which tile, which square", 2),
    "water": ("canals", str(AQUADUKT), 4, {}, "Four canals", 3),
    "end": ("endgame", ENDGAME, 0, {}, "To the end", 5),
}
"""By id: kind, position, horizon, what is given, title, difficulty."""


TOLD: dict[str, tuple[str, str, str]] = {
    "five": (
        "One builder stands where two workmen of Red look.",
        "Take a bridge from E7.",
        "A bridge from E7, on b6 or on a7, leads to 5 points; every other turn to 2 at most.\nThe longer way counts.",
    ),
    "two-turns": (
        "What you take from the reserve now is laid in the second turn.",
        "Begin with the bridge on b6, and close something.",
        "The bridge on b6, R2 closed at once and the double curve for the second turn: 7 points. Every other first "
        "turn leads to 6 at most.",
    ),
    "pick": (f"gentle {MARKUP}", f"plain {MARKUP}", f"because {MARKUP}\nand a second line."),
}


def hints(name: str) -> tuple[str, str]:
    """Gets the hints of a puzzle, which stand nowhere else."""
    gentle, plain, _ = TOLD.get(name, (f"A gentle word about {name}.", f"A plain word about {name}.", ""))
    return gentle, plain


def explanation(name: str) -> str:
    """Gets the explanation of a puzzle."""
    return TOLD[name][2] if name in TOLD else f"The reason why, of {name}."


@cache
def make_puzzle(name: str) -> tuple[Puzzle, Answer]:
    """Proves a puzzle."""
    kind, position, horizon, given, title, difficulty = ASKED[name]
    asked = Puzzle.draft(kind, position, horizon, given)
    proof = find_kind(kind).prove(asked)
    known = {"id": name, "title": title, "value": proof.value, "hints": hints(name), "difficulty": difficulty}
    told = {"themes": ("loose-chain",), "source": "made for a test"}
    note = ProofNote(method=proof.method, searched=proof.searched, version=aquakit.__version__)
    answer = Answer(
        accepted=proof.accepted,
        margin=proof.margin,
        line=proof.line,
        explanation=explanation(name),
        proof=note,
    )
    return asked.model_copy(update={**known, **told}), answer


def make_set(*names: str) -> PuzzleSet:
    """Makes a set of puzzles by their names, or of all."""
    return PuzzleSet.make("tiny", "Tiny set", "For tests.", map(make_puzzle, names or ASKED))


def write_set(folder: Path, *names: str) -> Path:
    """Writes a set's file."""
    path = folder / "tiny.toml"
    make_set(*names).save(path)
    return path


HARD_TURN = "c7=L@Nc x-"
"""A turn in the puzzle of `make_hard_set`."""


def make_hard_set() -> PuzzleSet:
    """Makes a set of one puzzle whose verdicts take longer than anybody waits; its answer is made up."""
    asked = Puzzle.draft("plan", str(aquakit.start("romana4").solo(1)), 12)
    known = {"id": "hard", "title": "Twelve turns alone", "value": 99, "hints": hints("hard")}
    note = ProofNote(method="none", searched="nothing", version=aquakit.__version__)
    answer = Answer(accepted=("xR1",), margin=1, line="b8=L@Nc *j", explanation="Nobody knows.", proof=note)
    return PuzzleSet.make("hard", "Hard set", "For tests.", [(asked.model_copy(update=known), answer)])
