"""Small puzzles that are proved in no time, one of each kind, for tests."""

from __future__ import annotations

from functools import cache
from typing import Any

from aquakit.aquadukt import Position as Aquadukt
from aquakit.puzzle.kinds import find_kind
from aquakit.puzzle.model import Answer, Proof, Puzzle, PuzzleSet
from aquakit.puzzle.themes import find_themes

BOTH_HOLD = "romana2-5x4 F##77/.J.../...7./L+##J ..cs./b.d./...sc/.bd. - j,d 1.*,0.* 1.4.2.3 {player} 0"
"""Each player has one open aqueduct and holds a builder: 133 whole turns."""
ENDGAME = "romana2-5x4 F##+7/ZJ.../..-7./L+##J ..c.s/.bd./..cs./.b.d dj -,- *.*,*.* 2.3.1.2 1 0"
RACE = (
    "romana2-7x6 F.##..7/.+N+.../...Z.../......./....N.+/L..##+J .c...s./b.dc../.c.b.s./.d.c.. cj -,s *.*.*,*.1.* "
    "9.9.4.5 1 0"
)
ANNOUNCED = {"growth": {"R2": [3, 4, 4], "R3": [3, 3, 5], "G1": [3, 4, 4]}, "rivals": {"G1": 2}}

ASKED: dict[str, tuple[str, int, dict[str, Any]]] = {
    "plan": (BOTH_HOLD.format(player="1!"), 2, {}),
    "timing": (RACE, 3, ANNOUNCED),
    "longest": (BOTH_HOLD.format(player=1), 0, {"aqueduct": "R2"}),
    "duel": (BOTH_HOLD.format(player=1), 3, {}),
    "endgame": (ENDGAME, 0, {}),
}
"""The kinds of Aqua Romana, by name: position, horizon, and what is given."""

DRY_HOUSE = Aquadukt.start("aquadukt2-6x5", mountains=["a5", "f4"]).play("spring 3.2").play("roll, die 2, 3 c4, stop")
ROLLED = Aquadukt.start("aquadukt2-6x5", mountains=["a5", "f4"]).play("spring 3.2")
for _action in ("roll", "die 1", "1 a4", "roll", "die 2"):
    ROLLED = ROLLED.act(_action)
EVERY: dict[str, tuple[str, int, dict[str, Any]]] = {
    **ASKED,
    "canals": (str(DRY_HOUSE), 2, {"player": 2}),
    "house": (str(ROLLED), 1, {}),
}
"""The same, with the kinds of Aquädukt."""


@cache
def prove(kind: str) -> tuple[Puzzle, Proof]:
    """Makes and proves the small puzzle of a kind."""
    text, horizon, given = EVERY[kind]
    asked = Puzzle.draft(kind, text, horizon, given)
    proof = find_kind(kind).prove(asked)
    return asked.model_copy(update={"id": f"small-{kind}", "value": proof.value}), proof


@cache
def small_set(*kinds: str) -> PuzzleSet:
    """Makes a set of the small puzzles of some kinds, with their answers."""
    answered = []
    for puzzle, proof in map(prove, kinds):
        themed = puzzle.model_copy(update={"themes": tuple(sorted(find_themes(puzzle, proof)))})
        answered.append((themed, Answer.make(proof, f"The value is {proof.value}.")))
    return PuzzleSet.make("small", "Small puzzles", "Proved in no time.", answered)
