"""What puzzles teach: the themes, in words for people, and how they are found in an answer.

A theme comes from the position, the proved line and the accepted answers, never from a title. Nothing is drawn and
nothing is timed, so that the same answer has the same themes everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from aquakit.puzzle.kinds import Proof
from aquakit.puzzle.model import Puzzle

THEMES = {
    # Aqua Romana
    "zugzwang": "Somebody would rather not move at all.",
    "shared-tile": "One tile makes two aqueducts longer.",
    "bridge-twice": "An aqueduct comes back over a tile that it has passed before.",
    "out-of-stock": "A kind of tile is used up, and its builder brings any other.",
    "builder-out-of-sight": "A builder is moved out of the rival's sight, who could have used it.",
    "builder-in-sight": "A builder is moved or placed where an own workman needs it later.",
    "right-builder": "The same tile can be laid by two builders, and only one of them is right.",
    "advance": "No tile can be laid, and it matters which builder moves on.",
    "placement": "It matters where a builder from the reserve is placed.",
    "joker": "The joker is worth its wait.",
    "reserve-pick": "It matters which builder is taken from the reserve.",
    "escape": "An own aqueduct gets out of the reach of a rival who could wall it in.",
    "dead-end": "A rival's aqueduct is left without a way out.",
    "wall-in": "An aqueduct is closed by construction, the own or a rival's.",
    "rim": "An aqueduct is led to the rim and closed there.",
    "loose-chain": "Water runs on over loose tiles.",
    "fountain": "The extra tile behind a fountain matters.",
    "podium-squeeze": "A podium is full, or taken before a rival gets there.",
    "race": "A rival is on the way to the same podium, and a round later it is gone.",
    "order": "It matters which aqueduct is closed first.",
    "wait": "Closing is possible, and too early.",
    "close-now": "An aqueduct must be closed at once.",
    "leave-open": "An aqueduct is best left open to the end.",
    "invest": "The best turn brings less at once than the obvious one.",
    "corner": "An aqueduct runs through a printed corner.",
    "last-tiles": "The way uses up a kind of tile.",
    # Aquädukt
    "cut-off": "A rival's houses are kept dry, or driven out, at some cost or at none.",
    "shared-canal": "One canal brings water to two players.",
    "two-houses": "One canal brings water to two own tiles.",
    "all-watered": "No own tile is left without water.",
    "double-canal": "A second canal on a segment reaches a house further off.",
    "long-way": "Canals that water nothing themselves lead to one that does.",
    "spring": "A new arm starts at a spring.",
    "two-arms": "The canals are shared out among two arms or more.",
    "mountain": "An event in a mountain decides.",
    "wait-for-the-die": "The roll is better left unused.",
    "last-house": "A region's last free square is taken, and its dry tiles leave the game.",
    "lowest-first": "A small tile on wet ground beats a large one on dry ground.",
    "dry-house": "A tile is put on dry ground, and the water will come.",
    "contested-house": "In a region of several players some tile has no water yet.",
    "big-house": "A tile of four houses is what it is about.",
}
"""All themes with a line for people, the more telling ones of each game first."""


def find_themes(puzzle: Puzzle, proof: Proof) -> frozenset[str]:
    """Finds the themes of a puzzle in its proof's line and answers."""
    story, predicates = _tell(puzzle, proof)
    return frozenset(name for name, holds in predicates.items() if holds(story))


def _tell(puzzle: Puzzle, proof: Proof) -> tuple[Any, Mapping[str, Callable[[Any], bool]]]:
    """Gets the replayed line of a puzzle and the predicates that are asked about it."""
    match puzzle.kind:
        case "canals" | "house":
            from aquakit.aquadukt.puzzles import themes as water

            return water.Story(puzzle, proof), water.CANALS if puzzle.kind == "canals" else water.HOUSE
        case "longest":
            from aquakit.romana.puzzles import themes_studies as studies

            return studies.Way(puzzle, proof), studies.LONGEST
        case "timing":
            from aquakit.romana.puzzles import themes_studies as studies

            return studies.Schedule(puzzle, proof), studies.TIMING
        case _:
            from aquakit.romana.puzzles import themes as turns

            return turns.Story(puzzle, proof), turns.TURNS


def in_order(themes: frozenset[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Puts themes in order, the more telling ones first."""
    return tuple(name for name in THEMES if name in themes)
