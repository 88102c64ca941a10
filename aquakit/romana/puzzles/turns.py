"""What decides in a turn of Aqua Romana, and how it is hinted at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from aquakit.core.words import join
from aquakit.puzzle.answers import read, shared_tokens
from aquakit.puzzle.model import LINE, Proof, Puzzle
from aquakit.romana.board.clicks import KIND_NAMES, name_builder
from aquakit.romana.kernel import CODES, KIND_OF, KINDS
from aquakit.romana.notation import Action, Turn

DECIDING = ("build", "advance", "close", "pick", "place", "extra")
"""What is decided in a turn, the most telling decision first."""
_TELLING = ("build", "extra", *(what for what in DECIDING if what not in ("build", "extra")))
"""What is hinted at first: tiles, which have to be found, before closings, which are few."""
FITTING = {
    "close": ("close-now", "wait", "podium-squeeze", "zugzwang"),
    "pick": ("reserve-pick", "joker"),
    "place": ("placement", "joker", "builder-in-sight"),
    "extra": ("fountain",),
    "advance": ("advance", "builder-in-sight", "builder-out-of-sight"),
}
"""The themes that a deciding step is about, the most telling first; a build can be about any."""


def rank(token: str) -> int:
    """Gets how early a token comes among those that decide.

    >>> sorted(["g3=L", "*b", "c7=|@Nc", "xR2"], key=rank)
    ['c7=|@Nc', 'xR2', '*b', 'g3=L']
    """
    return DECIDING.index(Turn.read_action(token).what)


def find_fitting(puzzle: Puzzle, proof: Proof) -> tuple[str, ...]:
    """Lists the themes that the deciding step may be about."""
    return FITTING.get(_decisions(puzzle, proof)[0].what, ())


def _decisions(puzzle: Puzzle, proof: Proof) -> list[Action]:
    """Lists the player's steps that all accepted answers have in common, or one answer's, the most telling first."""
    own = Counter(_own_tokens(puzzle, proof))
    shared = list((Counter(shared_tokens(proof)) & own) or (Counter(read(proof.accepted[0])) & own) or own)
    return sorted(map(Turn.read_action, shared), key=lambda action: _TELLING.index(action.what))


def _own_tokens(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Lists what the player decides in the line's first turn; a rival who is walled in picks a builder at its end."""
    moment: Any = puzzle.start
    for action in moment.carry_out(proof.line.split(LINE)[0])[0]:
        if moment.player == puzzle.start.player:
            yield str(action)
        moment = moment.act(action)


def hint_at_turn(puzzle: Puzzle, proof: Proof) -> Iterator[str]:
    """Hints at the deciding steps of a turn: what they are about, then in plain words."""
    first, *rest = _decisions(puzzle, proof)
    named = [first, *rest[:1]]
    if first.what == "build":
        facing = [a.name for a in _own_aqueducts(puzzle) if a.facing == first.square]
        yield f"It is about {join(facing)}." if facing else "It is about where you build."
    else:
        yield f"What decides is {join(list(dict.fromkeys(_DECIDES[action.what] for action in named)))}."
    yield " ".join([*map(_say_plainly, named), *_say_choice(proof, {action.what for action in named})])


def _say_choice(proof: Proof, named: Collection[str]) -> Iterator[str]:
    """Says where to build or what to close, where that is so in all answers but does not matter how."""
    turns = [[Turn.read_action(token) for token in read(answer)] for answer in proof.accepted]
    builds = [[action.square for action in turn if action.what == "build"] for turn in turns]
    squares = {square for found in builds for square in found}
    if "build" not in named and all(builds) and len(squares) == 1:
        yield f"Build on {squares.pop()}."
    closings = [[action.aqueduct for action in turn if action.what == "close"] for turn in turns]
    names = {name for found in closings for name in found}
    if "close" not in named and all(closings) and "-" not in names:
        yield f"Close {join(sorted(names), 'or')}."


def _own_aqueducts(puzzle: Puzzle) -> list[Any]:
    start: Any = puzzle.start
    return [a for a in start.aqueducts if a.open and a.owner == start.player]


_DECIDES = {
    "build": "where and what you build",
    "advance": "which builder moves on",
    "close": "what is closed or left open",
    "pick": "what you take from the reserve",
    "place": "where you place the builder that you hold",
    "extra": "the extra tile",
}


def _say_plainly(action: Action) -> str:
    match action.what:
        case "build":
            kind = KIND_NAMES[KINDS[KIND_OF[CODES.index(action.tile)]]]
            return f"Build a {kind} on {action.square}."
        case "advance":
            return f"Move on the builder on {action.path}."
        case "close":
            return "Close nothing yet." if action.aqueduct == "-" else f"Close {action.aqueduct}."
        case "pick":
            return f"Take the {name_builder(action.builder)}."
        case "place":
            return f"Place the {name_builder(action.builder)} on {action.path}."
        case _:
            return f"The extra tile belongs on {action.square}."
